//! The small values that the contracts share.
//!
//! The specification takes any string and any whole number almost everywhere, so these types do too. What a text
//! means is read from it on demand; where it plainly means something else than it says, reading warns.

use super::Contract;
use crate::rules;
use crate::values::{Sha256, Timestamp};
use agentry_text::{
    ANY_TEXT, Fields, Finding, Invalid, Kind, Map, Node, Read, Reader, Value, number_type, options, quoted,
    shown_text_type,
};
use std::time::Duration;

/// A JSON object whose keys are the caller's own: nothing is known of them, and nothing is said about them.
pub type Object = Map<String, Value>;

/// Defines text that may be anything, empty text included.
macro_rules! any_text {
    ($(
        $(#[doc = $doc:literal])+
        pub struct $name:ident { form: $form:expr, example: $example:expr $(, remark: $remark:expr)? }
    )+) => {$(
        shown_text_type! {
            $(#[doc = $doc])+
            pub struct $name {
                pattern: ANY_TEXT,
                form: $form,
                example: $example,
                $(remark: $remark,)?
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    )+};
}

any_text! {
    /// Text for people or models: a brief, a message, a reason, a title, the content of a page.
    pub struct FreeText { form: "text", example: "" }

    /// The handle of a subagent, as `subagent.run` gave it.
    pub struct SubagentHandle { form: "the handle of a subagent", example: "sa-0001" }

    /// The id of a run of a workflow, as `workflow.run` gave it.
    pub struct RunId { form: "the id of a run", example: "run-0001" }

    /// The id of a task, by which other agents follow a unit of work.
    pub struct TaskId { form: "the id of a task", example: "task-0001" }

    /// The name of a workflow.
    pub struct WorkflowName { form: "the name of a workflow", example: "nightly-report" }

    /// The hash of one version of a workflow or skill. A run keeps the version that it started with.
    pub struct DefinitionHash { form: "the hash of a definition", example: "" }

    /// The name of a step of a workflow.
    pub struct StepName { form: "the name of a step", example: "summarise" }

    /// The name of a start node of a workflow.
    pub struct StartName { form: "the name of a start node", example: "manual" }

    /// The name of a signal that workflows listen for.
    pub struct SignalName { form: "the name of a signal", example: "approved" }

    /// A key of the agent's durable memory.
    pub struct MemoryKey { form: "a key of the memory", example: "user/locale" }

    /// What the names or keys of a listing begin with. Empty text is the beginning of all of them.
    pub struct Prefix { form: "the beginning of a name", example: "user/" }

    /// The id of an artifact, as `artifact.create` gave it.
    pub struct ArtifactId { form: "the id of an artifact", example: "art-0001" }

    /// The name of an artifact, which looks like that of a file.
    pub struct ArtifactName { form: "the name of an artifact", example: "report.md" }

    /// The name of a tool that a subagent may use.
    pub struct ToolReference { form: "the name of a tool", example: "memory.get" }

    /// The name of a configured MCP server.
    pub struct ServerReference { form: "the name of an MCP server", example: "github" }

    /// The name of a skill.
    pub struct SkillName { form: "the name of a skill", example: "release-notes" }

    /// A version of something: numbers, a tag, or a hash of its content.
    pub struct VersionTag { form: "a version", example: "1.4.0" }

    /// The id of a document of the knowledge base.
    pub struct DocumentId { form: "the id of a document", example: "doc-0001" }

    /// The name of a programming language.
    pub struct LanguageName { form: "the name of a programming language", example: "python" }

    /// An expression of the Common Expression Language.
    pub struct CelExpression { form: "a CEL expression", example: "memory.ready == true" }

    /// The name of something whose change is worth another look: a memory key, a resource, a step or a signal.
    pub struct ChangeSource { form: "the name of something that changes", example: "signal:approved" }

    /// The name of something to be read first: a memory key, a resource or the output of a step.
    pub struct ReadReference { form: "the name of something to read", example: "memory:findings" }

    /// Whom to ask: a principal, or a conversation.
    pub struct Recipient { form: "a principal or a conversation", example: "user:ada" }

    /// Who wrote a message. Models commonly know `system`, `user`, `assistant` and `tool`.
    pub struct MessageRole { form: "who wrote a message", example: "user" }

    /// How something stands. The specification lists no values; those with which `finish` ends a unit of work are
    /// recognised.
    pub struct StatusText { form: "a status", example: "running" }

    /// How a subagent was started, as the runtime reports it: usually one of the modes of `subagent.run`.
    pub struct ModeText { form: "a mode of a subagent", example: "async" }

    /// How far a plan has got, as `2/5` or `2/5 done`: items done, and all items.
    pub struct Progress { form: "the progress of a plan", example: "2/5 done" }

    /// How new a result must be, in the words of the search server, such as `day` or `week`.
    pub struct Freshness { form: "an age of results", example: "week" }

    /// Where a result comes from: a site, an index, or a repository.
    pub struct SourceName { form: "the source of a result", example: "docs.example.com" }

    /// When something was published, in whatever form its source has it.
    pub struct PublishedText { form: "a moment", example: "2026-03-15" }

    /// The name of a program: the first entry of an argument vector. The operator lists those that may run.
    pub struct ProgramName { form: "the name of a program", example: "git" }

    /// One argument of a program. No shell reads it, so nothing in it is expanded.
    pub struct ProgramArgument { form: "an argument", example: "--short" }

    /// A folder below the one to which commands are confined, as a relative path.
    pub struct WorkingDirectory { form: "a relative path of a folder", example: "src" }

    /// A span of time, as numbers with units: `30s`, `5m`, `1h30m`, `500ms`. The units are `ns`, `us`, `ms`, `s`,
    /// `m`, `h` and `d`. Other text is legal and draws a warning, for then nobody can say how long it is.
    pub struct DurationText {
        form: "a duration: numbers with the units ms, s, m, h or d",
        example: "30s",
        remark: |text| duration(text).is_none().then(|| unreadable(text, "a duration", "a number and a unit: `500ms`, `30s`, `5m`, `1h30m`"))
    }

    /// A number of bytes, as a number with a unit: `512MB`, `2GiB`, `65536`. `K`, `M`, `G` and `T`, also with `B` or
    /// `iB`, count by 1024, as operating systems count memory. Other text is legal and draws a warning.
    pub struct ByteSizeText {
        form: "a size: a number with the unit B, KB, MB, GB or TB",
        example: "512MB",
        remark: |text| byte_size(text).is_none().then(|| unreadable(text, "a size", "a number and a unit: `512MB`, `2GB`"))
    }

    /// The URI of a resource or document. Text that is no absolute URI is legal and draws a warning.
    pub struct ResourceUri {
        form: "a URI: a scheme, a colon and the rest",
        example: "file:///etc/agent/brief.md",
        remark: |text| url::Url::parse(text).is_err().then(|| unreadable(text, "a URI", "a scheme, a colon and the rest: `file:///etc/agent/brief.md`"))
    }

    /// The address of a web page. Text that is no absolute URL is legal and draws a warning.
    pub struct WebAddress {
        form: "a web address: `https://` and the rest",
        example: "https://docs.example.com/start",
        remark: |text| url::Url::parse(text).is_err().then(|| unreadable(text, "a web address", "the whole address: `https://docs.example.com/start`"))
    }

    /// The MIME type of some content. Text that is none is legal and draws a warning.
    pub struct MimeType {
        form: "a MIME type: a type, a slash and a subtype",
        example: "text/markdown",
        remark: |text| mime(text).is_none().then(|| unreadable(text, "a MIME type", "a type and a subtype: `text/markdown`"))
    }

    /// The SHA-256 hash of some content, as 64 hexadecimal digits. Other text is legal and draws a warning.
    pub struct Sha256Text {
        form: "a SHA-256 hash: 64 hexadecimal digits",
        example: "",
        remark: |text| (!Sha256::matches(text)).then(|| unreadable(text, "a SHA-256 hash", "64 hexadecimal digits"))
    }
}

/// A text that is legal and does not say what it should.
fn unreadable(text: &str, what: &str, form: &str) -> Invalid {
    let message = if text.is_empty() {
        format!("an empty string cannot be read as {what}")
    } else {
        format!("{} cannot be read as {what}", quoted(text))
    };
    Invalid::new(&rules::UNREADABLE_VALUE, message).label(format!("not {what}")).help(format!("write {form}"))
}

impl DurationText {
    /// How long it is; None where the text does not say, or says more than can be counted.
    pub fn parse(&self) -> Option<Duration> {
        duration(self.as_str())
    }
}

impl From<Duration> for DurationText {
    fn from(duration: Duration) -> Self {
        let (seconds, nanoseconds) = (duration.as_secs(), duration.subsec_nanos());
        if duration.is_zero() {
            return Self("0s".to_owned());
        }
        let parts = [
            (seconds, "s"),
            (u64::from(nanoseconds / 1_000_000), "ms"),
            (u64::from(nanoseconds / 1_000 % 1_000), "us"),
            (u64::from(nanoseconds % 1_000), "ns"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(amount, _)| *amount > 0)
            .map(|(amount, unit)| format!("{amount}{unit}"))
            .collect();
        Self(parts.concat())
    }
}

/// Parts such as `1h` and `30m`, each a number, optionally with a fraction, and a unit, after each other.
fn duration(text: &str) -> Option<Duration> {
    const UNITS: [(&str, u128); 8] = [
        ("ns", 1),
        ("us", 1_000),
        ("µs", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
        ("d", 86_400_000_000_000),
    ];
    let mut rest = text.trim();
    let mut total: u128 = 0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let (number, after) = split_number(rest)?;
        let end = after.find(|c: char| c.is_ascii_digit() || c == ' ').unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let (_, scale) = UNITS.iter().find(|(name, _)| *name == unit)?;
        total = total.checked_add(scaled(number, *scale)?)?;
        rest = after.trim_start();
    }
    let seconds = u64::try_from(total / 1_000_000_000).ok()?;
    let nanoseconds = u32::try_from(total % 1_000_000_000).ok()?;
    Some(Duration::new(seconds, nanoseconds))
}

/// The digits, optionally with a fraction, that a text begins with, and what follows.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    number.starts_with(|c: char| c.is_ascii_digit()).then_some((number, rest))
}

/// A decimal number times a scale, rounded down. Integers all the way: `0.1s` is exact.
fn scaled(number: &str, scale: u128) -> Option<u128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || number.ends_with('.') {
        return None;
    }
    let whole = whole.parse::<u128>().ok()?.checked_mul(scale)?;
    // More digits than these make no difference at any scale.
    let fraction = &fraction[..fraction.len().min(18)];
    let ten_to_digits = fraction.bytes().fold(1, |power: u128, _| power * 10);
    let part = fraction.parse::<u128>().unwrap_or_default() * scale / ten_to_digits;
    whole.checked_add(part)
}

impl ByteSizeText {
    /// How many bytes it is; None where the text does not say, or says more than can be counted.
    pub fn parse(&self) -> Option<u64> {
        byte_size(self.as_str())
    }
}

fn byte_size(text: &str) -> Option<u64> {
    let (number, unit) = split_number(text.trim())?;
    let unit = unit.trim_start().to_ascii_lowercase();
    let scale: u128 = match unit.strip_suffix('b').unwrap_or(&unit).trim_end_matches('i') {
        "" if unit.is_empty() || unit == "b" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => return None,
    };
    u64::try_from(scaled(number, scale)?).ok()
}

impl ResourceUri {
    /// The URI, taken apart; None where the text is none.
    pub fn parse(&self) -> Option<url::Url> {
        url::Url::parse(self.as_str()).ok()
    }
}

impl WebAddress {
    /// The address, taken apart; None where the text is none.
    pub fn parse(&self) -> Option<url::Url> {
        url::Url::parse(self.as_str()).ok()
    }
}

impl MimeType {
    /// The type and the subtype, without parameters; None where the text has none.
    pub fn parse(&self) -> Option<(&str, &str)> {
        mime(self.as_str())
    }
}

fn mime(text: &str) -> Option<(&str, &str)> {
    let essence = text.split(';').next()?.trim();
    let (kind, subtype) = essence.split_once('/')?;
    let token = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    (token(kind) && token(subtype)).then_some((kind, subtype))
}

impl Sha256Text {
    /// The hash; None where the text is none.
    pub fn parse(&self) -> Option<Sha256> {
        Sha256::new(self.as_str()).ok()
    }
}

impl StatusText {
    /// The way a unit of work ended, where the text is one of those that `finish` knows.
    pub fn ending(&self) -> Option<FinishStatus> {
        FinishStatus::ALL.iter().find(|status| status.as_str() == self.as_str()).cloned()
    }
}

impl ModeText {
    /// The mode, where the text is one of those that `subagent.run` knows.
    pub fn parse(&self) -> Option<SubagentMode> {
        SubagentMode::ALL.iter().find(|mode| mode.as_str() == self.as_str()).cloned()
    }
}

impl Progress {
    /// Items done, and all items; None where the text does not begin with two numbers.
    pub fn parse(&self) -> Option<(u64, u64)> {
        let (done, all) = self.as_str().split_whitespace().next()?.split_once('/')?;
        Some((done.parse().ok()?, all.parse().ok()?))
    }
}

impl PublishedText {
    /// The moment, where the text is a date or a date and time with offset.
    pub fn parse(&self) -> Option<Timestamp> {
        Timestamp::new(self.as_str()).ok()
    }
}

options! {
    /// How a subagent runs, beside the one that starts it.
    pub enum SubagentMode {
        /// Wait for the result.
        Sync = "sync" from "specification",
        /// Get a handle at once; ask for the result later.
        Async = "async" from "specification",
        /// Start it and forget it.
        Detached = "detached" from "specification",
        /// It stays alive after its first answer, and takes messages.
        Warm = "warm" from "specification",
    }
}

options! {
    /// How a unit of work ends.
    pub enum FinishStatus {
        /// The work is done.
        Completed = "completed" from "specification",
        /// The work was tried and could not be done.
        Failed = "failed" from "specification",
        /// The work will not be done, for a reason of its own.
        Refused = "refused" from "specification",
        /// The work was called off.
        Cancelled = "cancelled" from "specification",
    }
}

/// A whole number of any size: the specification states no bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Whole {
    /// Written as an integer, or as a float that 64 bits hold.
    Integer(i128),
    /// Written as a float, and beyond that; such a number has no fraction.
    Huge(f64),
}

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

impl Whole {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        match node.kind {
            // JSON Schema counts it as an integer, as it does 3.0. It stays a float, for most writers of JSON know no
            // integers of more than 64 bits.
            Kind::Float(number) if number.is_finite() && !(-TWO_TO_63..TWO_TO_63).contains(&number) => {
                reader.push(
                    reader
                        .finding(&agentry_text::rules::WHOLE_NUMBER, node, "a whole number is meant")
                        .label("more than anybody counts"),
                );
                Some(Self::Huge(number))
            }
            _ => reader.integer(node).map(Self::Integer),
        }
    }

    fn to_value(self) -> Value {
        match self {
            Self::Integer(number) => Value::Integer(number),
            Self::Huge(number) => Value::Float(number),
        }
    }

    fn is_below(self, least: i128) -> bool {
        match self {
            Self::Integer(number) => number < least,
            Self::Huge(number) => number < 0.0,
        }
    }
}

/// Defines a whole number without an upper bound. `minimum` is the least that the specification accepts, `meant`
/// the least that makes sense; what lies between is read with a warning.
macro_rules! whole_number {
    ($(
        $(#[doc = $doc:literal])+
        pub struct $name:ident {
            form: $form:expr,
            $(minimum: $minimum:expr,)?
            $(meant: $meant:expr,)?
        }
    )+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name(Whole);

        impl $name {
            /// The number; None where it lies outside 64 bits.
            pub fn get(self) -> Option<i64> {
                match self.0 {
                    Whole::Integer(number) => i64::try_from(number).ok(),
                    Whole::Huge(_) => None,
                }
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.to_value().serialize(serializer)
            }
        }

        impl Read for $name {
            fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
                let number = Whole::read(node, reader)?;
                $(
                    if number.is_below($minimum) {
                        let invalid = Invalid::range(&shown(node), $form, stringify!($minimum), None);
                        reader.invalid(node, &invalid);
                        return None;
                    }
                )?
                $(
                    if number.is_below($meant) {
                        let remark = Invalid::new(&rules::UNLIKELY_NUMBER, format!("{} is hardly {}", shown(node), $form))
                            .label(concat!("less than ", stringify!($meant)))
                            .help(concat!("write a number that is ", stringify!($meant), " or more"));
                        reader.invalid(node, &remark);
                    }
                )?
                Some(Self(number))
            }
        }

        agentry_text::deserialize_by_reading!($name);

        #[cfg(feature = "schema")]
        impl ::schemars::JsonSchema for $name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!({
                    "description": concat!($($doc, "\n"),+),
                    "type": "integer",
                    $("minimum": $minimum,)?
                })
            }
        }
    )+};
}

fn shown(node: &Node) -> String {
    match node.kind {
        Kind::Integer(number) => number.to_string(),
        Kind::Float(number) => number.to_string(),
        _ => node.kind_name().to_owned(),
    }
}

whole_number! {
    /// How many of something: tokens, steps, bytes, messages. Less than 0 is legal and draws a warning.
    pub struct Amount {
        form: "an amount",
        meant: 0,
    }

    /// How many entries are asked for at most. The specification accepts any whole number; less than 1 draws a
    /// warning, since nothing could be answered.
    pub struct Limit {
        form: "a limit",
        meant: 1,
    }

    /// How many entries are asked for at most, 1 or more.
    pub struct PositiveLimit {
        form: "a limit",
        minimum: 1,
    }

    /// A span of time in milliseconds. Less than 0 is legal and draws a warning.
    pub struct Milliseconds {
        form: "a number of milliseconds",
        meant: 0,
    }

    /// How a program ended: 0 is success by custom, anything else is the program's own. Negative numbers stand for
    /// signals on some systems.
    pub struct ExitCode {
        form: "an exit code",
    }

    /// The id of an item of the plan: a number that stays with the item when the order changes. Less than 0 is legal
    /// and draws a warning.
    pub struct PlanItemId {
        form: "the id of an item",
        meant: 0,
    }

    /// The number of a version that counts up. Less than 0 is legal and draws a warning.
    pub struct VersionNumber {
        form: "the number of a version",
        meant: 0,
    }
}

macro_rules! from_numbers {
    ($($name:ident: $($number:ty),+;)+) => {$($(
        impl From<$number> for $name {
            fn from(number: $number) -> Self {
                Self(Whole::Integer(number.into()))
            }
        }
    )+)+};
}

from_numbers! {
    Amount: u32, u64;
    Limit: u32, u64;
    Milliseconds: u32, u64;
    ExitCode: i32, u32, i64;
    PlanItemId: u32, u64;
    VersionNumber: u32, u64;
}

impl From<std::num::NonZeroU32> for PositiveLimit {
    fn from(number: std::num::NonZeroU32) -> Self {
        Self(Whole::Integer(number.get().into()))
    }
}

impl Milliseconds {
    /// The span of time; None where the number is negative or lies outside 64 bits.
    pub fn to_duration(self) -> Option<Duration> {
        self.get().and_then(|number| u64::try_from(number).ok()).map(Duration::from_millis)
    }
}

number_type! {
    /// How well a result fits, as its server counts: higher is better, and the scale is the server's own.
    pub struct Score {
        form: "a score",
    }
}

/// Defines an object that the specification leaves open altogether: every key is kept, none is unknown, and what it
/// probably holds is looked up on demand.
macro_rules! record {
    (
        $(#[doc = $doc:literal])+
        pub struct $name:ident { $($(#[doc = $key_doc:literal])+ $key:ident: $ty:ty,)* }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name($crate::contract::values::Object);

        impl $name {
            $(
                $(#[doc = $key_doc])+
                /// None where it is absent, or is something else.
                pub fn $key(&self) -> Option<$ty> {
                    $crate::contract::values::look_up(&self.0, stringify!($key))
                }
            )*
        }

        impl From<$crate::contract::values::Object> for $name {
            fn from(object: $crate::contract::values::Object) -> Self {
                Self(object)
            }
        }

        impl std::ops::Deref for $name {
            type Target = $crate::contract::values::Object;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl agentry_text::Read for $name {
            fn read<'t>(node: &'t agentry_text::Node, reader: &mut agentry_text::Reader<'t>) -> Option<Self> {
                agentry_text::Read::read(node, reader).map(Self)
            }
        }

        agentry_text::deserialize_by_reading!($name);

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "description": concat!($($doc, "\n"),+), "type": "object" })
            }
        }
    };
}
pub(crate) use record;

/// The value of a key, where it can be read as what it should be.
pub(crate) fn look_up<T: Read>(object: &Object, key: &str) -> Option<T> {
    let (_, value) = object.into_iter().find(|(name, _)| *name == key)?;
    agentry_text::read_strict(value.clone()).ok()
}

/// Warns that a call says neither of the keys by which it finds what it is about.
pub(crate) fn warn_without_selector(
    fields: &Fields<'_>,
    reader: &mut Reader<'_>,
    tool: Contract,
    keys: [&str; 2],
) {
    if keys.iter().any(|key| fields.peek(key).is_some()) {
        return;
    }
    let [first, second] = keys;
    reader.push(
        Finding::new(
            &rules::MISSING_SELECTOR,
            reader.pointer(),
            fields.span(),
            format!("this call of `{tool}` says neither `{first}` nor `{second}`"),
        )
        .label("nothing says what it is about")
        .help(format!("give `{first}` or `{second}`")),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use agentry_text::Text as _;
    use proptest::prelude::*;

    #[test]
    fn durations_are_parsed_on_demand() {
        let cases = [
            ("30s", Some(30_000)),
            ("500ms", Some(500)),
            ("5m", Some(300_000)),
            ("1h30m", Some(5_400_000)),
            ("1h 30m", Some(5_400_000)),
            (" 2d ", Some(172_800_000)),
            ("1.5s", Some(1_500)),
            ("0.1s", Some(100)),
            ("0s", Some(0)),
            ("1500us", Some(1)),
            ("", None),
            ("30", None),
            ("s", None),
            ("30 s", None),
            ("-5s", None),
            ("1.s", None),
            (".5s", None),
            ("1..5s", None),
            ("1.5.5s", None),
            ("5 minutes", None),
            ("5M", None),
            ("PT5M", None),
            ("99999999999999999999999999999999999999999d", None),
            ("340282366920938463463374607431768211455ns", None),
        ];
        for (text, milliseconds) in cases {
            let duration = DurationText::from(text);
            assert_eq!(duration.parse().map(|duration| duration.as_millis()), milliseconds, "{text}");
            assert_eq!(duration.remark().is_none(), milliseconds.is_some(), "{text}");
        }
    }

    #[test]
    fn sizes_are_parsed_on_demand() {
        let cases = [
            ("512MB", Some(512 << 20)),
            ("512mb", Some(512 << 20)),
            ("2GiB", Some(2 << 30)),
            ("1.5G", Some(3 << 29)),
            ("64K", Some(64 << 10)),
            ("1 TB", Some(1 << 40)),
            ("65536", Some(65_536)),
            ("65536B", Some(65_536)),
            ("0", Some(0)),
            ("", None),
            ("MB", None),
            ("-1MB", None),
            ("1XB", None),
            ("1i", None),
            ("1iB", None),
            ("1MBB", None),
            ("99999999TB", None),
        ];
        for (text, bytes) in cases {
            let size = ByteSizeText::from(text);
            assert_eq!(size.parse(), bytes, "{text}");
            assert_eq!(size.remark().is_none(), bytes.is_some(), "{text}");
        }
    }

    #[test]
    fn other_texts_are_parsed_on_demand() {
        assert_eq!(MimeType::from("text/plain; charset=utf-8").parse(), Some(("text", "plain")));
        assert_eq!(MimeType::from("text/").parse(), None);
        assert_eq!(Progress::from("2/5 done").parse(), Some((2, 5)));
        assert_eq!(Progress::from("half").parse(), None);
        assert_eq!(StatusText::from("failed").ending(), Some(FinishStatus::Failed));
        assert_eq!(StatusText::from("running").ending(), None);
        assert_eq!(ModeText::from("warm").parse(), Some(SubagentMode::Warm));
        assert!(ResourceUri::from("urn:isbn:1").parse().is_some());
        assert!(WebAddress::from("docs").parse().is_none());
        assert!(Sha256Text::from(&*"a".repeat(64)).parse().is_some());
        assert!(PublishedText::from("2026-03-15").parse().is_some());
        assert!(PublishedText::from("yesterday").parse().is_none());
    }

    proptest! {
        #[test]
        fn a_duration_survives_its_text(seconds in any::<u64>(), nanoseconds in 0_u32..1_000_000_000) {
            let duration = Duration::new(seconds, nanoseconds);
            prop_assert_eq!(DurationText::from(duration).parse(), Some(duration));
        }

        #[test]
        fn no_text_is_too_odd_to_be_judged(text in any::<String>()) {
            let _ = (duration(&text), byte_size(&text), mime(&text), Progress::from(&*text).parse());
        }
    }
}
