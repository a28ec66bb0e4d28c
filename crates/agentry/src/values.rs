//! The small values that manifests share: identifiers, versions, addresses, prices, patterns.
//!
//! Each states its form once, as one anchored regular expression or one pair of bounds, from which its reader
//! and its JSON Schema are made.

use crate::rules;
use agentry_text::{Invalid, count_type, number_type, shown_text_type};

/// A table whose keys nobody has published. It is kept whole, nested tables included, and nothing in it is
/// reported: a check of what is not known would only be a guess.
pub type OpenTable = agentry_text::Map<String, agentry_text::Value>;

/// The largest whole number that every JSON reader keeps exact: 2^53 - 1.
pub(crate) const MAX_EXACT: u64 = (1 << 53) - 1;

shown_text_type! {
    /// An identifier: lowercase letters and digits, in parts joined by single hyphens. It is also the name of
    /// the file or folder that holds the manifest. Published ids joined by `_` are read, with a hint.
    pub struct Id {
        pattern: r"^[a-z0-9]+([-_][a-z0-9]+)*$",
        form: "an identifier: lowercase letters and digits, in parts joined by single hyphens",
        example: "code-reviewer",
        remark: |id| id.contains('_').then(|| {
            Invalid::new(&rules::UNUSUAL_NAME, format!("`{id}` is joined by `_`; identifiers are joined by `-`"))
                .label("joined by `_`")
                .help(format!("`{}` is the usual form; renaming a published id breaks those who use it", id.replace('_', "-")))
        }),
    }
}

shown_text_type! {
    /// A key that an author gives to a setting, a dependency or a parameter: a letter or digit first, then
    /// letters, digits, `_`, `-` or `.`.
    pub struct KeyName {
        pattern: r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$",
        form: "a key: letters, digits, `_`, `-` and `.`",
        example: "output_style",
    }
}

shown_text_type! {
    /// The id of a model, as its provider's API takes it: characters of any script, without spaces.
    pub struct ModelId {
        pattern: r"^[^\x00-\x20\x7f]+$",
        form: "a model id: printable characters without spaces",
        example: "acme-large-1",
    }
}

shown_text_type! {
    /// A model by its id or alias, or the reserved word `default` for whatever the runtime is configured to use.
    pub struct ModelRef {
        pattern: r"^[^\x00-\x20\x7f]+$",
        form: "a model id, an alias, or `default`: printable characters without spaces",
        example: "default",
    }
}

impl ModelRef {
    /// Whether this is the runtime's own choice.
    pub fn is_default(&self) -> bool {
        self.as_str() == "default"
    }
}

shown_text_type! {
    /// A provider by its id, or the reserved word `default` for whatever the runtime is configured to use.
    pub struct ProviderRef {
        pattern: r"^[a-z0-9]+([-_][a-z0-9]+)*$",
        form: "a provider id or `default`: lowercase letters and digits, in parts joined by single hyphens",
        example: "default",
    }
}

impl ProviderRef {
    /// Whether this is the runtime's own choice.
    pub fn is_default(&self) -> bool {
        self.as_str() == "default"
    }
}

shown_text_type! {
    /// The name of an environment variable. It is never the value: a credential does not belong in a manifest.
    pub struct EnvVar {
        pattern: r"^[A-Za-z_][A-Za-z0-9_]*$",
        form: "the name of an environment variable: letters, digits and `_`, not starting with a digit",
        example: "ACME_API_KEY",
        guarded: true,
    }
}

shown_text_type! {
    /// A version of three numbers, with an optional pre-release and build part, as Semantic Versioning 2.0.0
    /// has it. No leading `v`; each number has at most 18 digits.
    pub struct Version {
        pattern: concat!(
            r"^(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})",
            r"(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?",
            r"(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$"
        ),
        form: "a semantic version: three numbers such as `1.2.0`, then optionally `-pre.1` and `+build`",
        example: "1.2.0",
    }
}

impl Version {
    /// The version, ready to be compared.
    #[expect(clippy::missing_panics_doc, reason = "the pattern admits only semantic versions")]
    pub fn to_semver(&self) -> semver::Version {
        semver::Version::parse(self.as_str()).expect("the pattern admits only semantic versions")
    }
}

shown_text_type! {
    /// An absolute `http` or `https` address.
    pub struct HttpUrl {
        pattern: r"^https?://[^\x00-\x20\x7f]+$",
        form: "a web address: `https://`, a host, and no spaces",
        example: "https://api.acme.example/v1",
        beyond: "the URL standard can parse it",
        check: |text| match url::Url::parse(text) {
            Ok(_) => Ok(()),
            Err(error) => Err(Invalid::form(text, "a web address: `https://`, a host, and no spaces", "https://api.acme.example/v1")
                .label(error.to_string())),
        },
    }
}

impl HttpUrl {
    /// The address, taken apart.
    #[expect(clippy::missing_panics_doc, reason = "checked when the value was made")]
    pub fn to_url(&self) -> url::Url {
        url::Url::parse(self.as_str()).expect("checked when it was made")
    }
}

shown_text_type! {
    /// A calendar date, `YYYY-MM-DD`.
    pub struct Date {
        pattern: r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
        form: "a date: `YYYY-MM-DD`",
        example: "2026-03-15",
        beyond: "the month has that day",
        check: |text| {
            if day_exists(text) { Ok(()) } else {
                Err(Invalid::form(text, "a date: `YYYY-MM-DD`, and the month must have that day", "2026-03-15"))
            }
        },
    }
}

/// Whether the month of a `YYYY-MM-DD` has the day.
fn day_exists(text: &str) -> bool {
    let number =
        |range: std::ops::Range<usize>| text.get(range).and_then(|digits| digits.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    (1..=days).contains(&day)
}

shown_text_type! {
    /// A moment: a date, or a date and time with offset as RFC 3339 has them.
    pub struct Timestamp {
        pattern: concat!(
            r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
            r"([Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?$"
        ),
        form: "a date, or a date and time with offset",
        example: "2026-03-15T09:30:00Z",
        beyond: "the month has that day",
        check: |text| {
            if day_exists(text) { Ok(()) } else {
                Err(Invalid::form(text, "a moment: the month must have that day", "2026-03-15T09:30:00Z"))
            }
        },
    }
}

shown_text_type! {
    /// A name for people, on one line.
    pub struct Label {
        pattern: r"^[^\x00-\x1f\x7f]+$",
        form: "a name: some text on one line",
        example: "",
    }
}

shown_text_type! {
    /// Text for people or models, on any number of lines.
    pub struct Prose {
        pattern: r"^[\s\S]+$",
        form: "text: at least one character",
        example: "",
    }
}

shown_text_type! {
    /// A tag that catalogues are searched by, on one line.
    pub struct Tag {
        pattern: r"^[^\x00-\x1f\x7f]+$",
        form: "a tag: some text on one line",
        example: "productivity",
    }
}

shown_text_type! {
    /// A phrase, on one line, that a user may say.
    pub struct Phrase {
        pattern: r"^[^\x00-\x1f\x7f]+$",
        form: "a phrase: some text on one line",
        example: "summarise this page",
    }
}

shown_text_type! {
    /// A language, as BCP 47 writes it: `de`, `zh-TW`.
    pub struct Language {
        pattern: r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$",
        form: "a language tag: two or three letters, then optionally a region or script",
        example: "zh-TW",
    }
}

shown_text_type! {
    /// A picture for catalogues: an emoji, or `lucide:` and the name of an icon of that set.
    pub struct Icon {
        pattern: "^(lucide:[a-z0-9]+(-[a-z0-9]+)*|[0-9#*]\u{fe0f}?\u{20e3}|[^\\x00-\\x7f]{1,24})$",
        form: "an icon: an emoji, or `lucide:` and the name of an icon",
        example: "lucide:globe",
    }
}

shown_text_type! {
    /// The module of a runtime that runs an agent: its loader, a colon, and what to load. `builtin:chat` is the
    /// ordinary conversation loop.
    pub struct Module {
        pattern: r"^[a-z][a-z0-9_-]*:[!-~]+$",
        form: "a module: a loader, a colon and a name",
        example: "builtin:chat",
    }
}

shown_text_type! {
    /// The name of a tool: a built-in one, one of an MCP server, or one of a skill. `*` stands for any part.
    pub struct ToolName {
        pattern: r"^[A-Za-z0-9_*][A-Za-z0-9_.:/*-]*$",
        form: "a tool name: letters, digits, `_`, `-`, `.`, `:`, `/`, and `*` for any part",
        example: "web_search",
    }
}

shown_text_type! {
    /// The name of an MCP server, or `*` for every connected one.
    pub struct ServerName {
        pattern: r"^(\*|[A-Za-z0-9][A-Za-z0-9_.-]*)$",
        form: "the name of an MCP server, or `*` for all",
        example: "github",
    }
}

shown_text_type! {
    /// One of some options that are not published: lowercase words joined by `_` or `-`.
    pub struct Word {
        pattern: r"^[a-z][a-z0-9]*([_-][a-z0-9]+)*$",
        form: "an option: lowercase words joined by `_` or `-`",
        example: "allowlist",
    }
}

shown_text_type! {
    /// The name of a channel, optionally with an account after a colon.
    pub struct ChannelName {
        pattern: r"^[A-Za-z0-9][A-Za-z0-9_.-]*(:[A-Za-z0-9_.@+-]+)?$",
        form: "the name of a channel: letters, digits, `_`, `-` and `.`",
        example: "telegram",
    }
}

shown_text_type! {
    /// A command line or the name of a program, on one line.
    pub struct Command {
        pattern: r"^[^\x00-\x1f\x7f]+$",
        form: "a command: some text on one line",
        example: "npx",
    }
}

shown_text_type! {
    /// One argument of a command, as the program receives it. It may be empty.
    pub struct Argument {
        pattern: r"^[^\x00]*$",
        form: "an argument: any text without a zero byte",
        example: "--verbose",
    }
}

shown_text_type! {
    /// The SHA-256 hash of a file, as 64 hexadecimal digits.
    pub struct Sha256 {
        pattern: r"^[0-9A-Fa-f]{64}$",
        form: "a SHA-256 hash: 64 hexadecimal digits",
        example: "",
    }
}

shown_text_type! {
    /// The address of a JSON Schema, as files name it for editors. Any text is read: it decides nothing.
    pub struct SchemaAddress {
        pattern: r"^[\s\S]*$",
        form: "the address of a schema: any text",
        example: "",
    }
}

shown_text_type! {
    /// Where an agent may connect: `*` is everywhere, `*.example.com` a host and those below it, anything else
    /// a host, optionally with a port.
    pub struct NetworkPattern {
        pattern: r"^(\*|(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(:([0-9]{1,5}|\*))?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?)$",
        form: "a network pattern: `*`, a host, or `*.` and a host, optionally with `:port`",
        example: "*.example.com",
    }
}

shown_text_type! {
    /// Which memory keys an agent may use: `*` is all, `self.*` its own, `shared.*` those shared between
    /// agents; anything else is a key, or a prefix that ends in `.*`.
    pub struct MemoryPattern {
        pattern: r"^(\*|[A-Za-z0-9_-]+([.:/][A-Za-z0-9_-]+)*([.:/]?\*)?)$",
        form: "a memory pattern: `*`, `self.*`, `shared.*`, or a key",
        example: "self.*",
    }
}

shown_text_type! {
    /// Which agents an agent may talk to: `*` is all, anything else a name, in which `*` stands for any part.
    pub struct AgentPattern {
        pattern: r"^[A-Za-z0-9_*][A-Za-z0-9_.*-]*$",
        form: "an agent pattern: `*`, or the name of an agent",
        example: "*",
    }
}

shown_text_type! {
    /// Which shell commands an agent may run: `*` is all, anything else a command line in which `*` stands for
    /// any text.
    pub struct ShellPattern {
        pattern: r"^[^\x00-\x1f\x7f]+$",
        form: "a shell pattern: `*`, or a command on one line",
        example: "cargo *",
    }
}

shown_text_type! {
    /// When something runs again and again: `every 5m` (s, m, h or d), one of `@hourly`, `@daily`, `@weekly`,
    /// `@monthly`, `@yearly`, or a cron line of five to seven fields.
    pub struct Schedule {
        pattern: concat!(
            r"^(every [1-9][0-9]*(s|m|h|d)|@(hourly|daily|midnight|weekly|monthly|yearly|annually)",
            r"|[0-9A-Za-z*/,?#-]+( [0-9A-Za-z*/,?#-]+){4,6})$"
        ),
        form: "a schedule: `every 5m`, `@daily`, or a cron line of five to seven fields",
        example: "every 1h",
        beyond: "every field of a cron line lies within its bounds",
        check: |text| cron::check(text),
    }
}

mod cron {
    use agentry_text::Invalid;

    /// The fields of a five-field line: name, least and greatest number.
    const FIELDS: [(&str, u32, u32); 5] = [
        ("minute", 0, 59),
        ("hour", 0, 23),
        ("day of the month", 1, 31),
        ("month", 1, 12),
        ("day of the week", 0, 7),
    ];
    const NAMES: [&str; 19] = [
        "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC", "SUN", "MON",
        "TUE", "WED", "THU", "FRI", "SAT",
    ];

    pub(super) fn check(text: &str) -> Result<(), Invalid> {
        if text.starts_with("every ") || text.starts_with('@') {
            return Ok(());
        }
        let fields: Vec<&str> = text.split(' ').collect();
        // Six fields start with seconds; a seventh is the year.
        let skip = usize::from(fields.len() > 5);
        if skip == 1 {
            check_field(text, fields[0], ("second", 0, 59))?;
        }
        for (field, bounds) in fields[skip..].iter().zip(FIELDS) {
            check_field(text, field, bounds)?;
        }
        if let Some(year) = fields.get(6) {
            check_field(text, year, ("year", 1970, 2199))?;
        }
        Ok(())
    }

    fn check_field(
        text: &str,
        field: &str,
        (name, least, greatest): (&str, u32, u32),
    ) -> Result<(), Invalid> {
        let fits = |number: &str| {
            number.parse::<u32>().map_or_else(
                |_| NAMES.contains(&number.to_uppercase().as_str()),
                |number| (least..=greatest).contains(&number),
            )
        };
        let good = field.split(',').all(|part| {
            let (range, step) =
                part.split_once('/').map_or((part, None), |(range, step)| (range, Some(step)));
            let step = step.is_none_or(|step| step.parse::<u32>().is_ok_and(|step| step > 0));
            let range = match range.split_once('-') {
                Some((from, to)) => fits(from) && fits(to),
                None => matches!(range, "*" | "?" | "L") || fits(range.split('#').next().unwrap_or(range)),
            };
            step && range
        });
        if good {
            return Ok(());
        }
        Err(Invalid::form(
            text,
            &format!(
                "a schedule: the {name} of a cron line is between {least} and {greatest}, and here it is `{field}`"
            ),
            "every 1h",
        ))
    }
}

shown_text_type! {
    /// A prompt in which `{{name}}` stands for a parameter or an earlier result.
    pub struct PromptTemplate {
        pattern: r"^[\s\S]+$",
        form: "a prompt: at least one character",
        example: "Summarise {{topic}} in one paragraph.",
    }
}

/// A `{{name}}` in a prompt template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placeholder<'t> {
    /// The name between the braces, without spaces around it.
    pub name: &'t str,
    /// Where it begins in the template, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl PromptTemplate {
    /// The placeholders, in order; the same name may come again. `${{ github.ref }}` and `{{ .Values.tag }}` are those of
    /// other programs, and none here.
    pub fn placeholders(&self) -> impl Iterator<Item = Placeholder<'_>> {
        let text = self.as_str();
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                let start = at + text[at..].find("{{")?;
                let end = start + text[start..].find("}}")?;
                at = start + 2;
                let name = text[start + 2..end].trim();
                let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
                // Workflows of GitHub and templates of Go write such things of their own.
                let foreign = name.starts_with('.') || name.contains('.') && text[..start].ends_with('$');
                if !name.is_empty() && name.chars().all(word) && !foreign {
                    at = end + 2;
                    return Some(Placeholder { name, start, end: end + 2 });
                }
            }
        })
    }
}

number_type! {
    /// A price in US dollars: finite, 0 or more.
    pub struct Price {
        form: "a price",
        minimum: 0.0,
    }
}

number_type! {
    /// A sampling temperature, from 0 (the likeliest words) to 2.
    pub struct Temperature {
        form: "a sampling temperature",
        minimum: 0.0,
        maximum: 2.0,
    }
}

number_type! {
    /// A number that is not negative.
    pub struct Ratio {
        form: "a ratio",
        minimum: 0.0,
    }
}

count_type! {
    /// A number of tokens, 1 or more.
    pub struct TokenCount(u64) {
        form: "a number of tokens",
        minimum: 1,
        maximum: MAX_EXACT,
    }
}

count_type! {
    /// How many of something, 1 or more.
    pub struct PositiveCount(u64) {
        form: "a positive number",
        minimum: 1,
        maximum: MAX_EXACT,
    }
}

count_type! {
    /// How many of something, 0 or more.
    pub struct Count(u64) {
        form: "a number of something",
        minimum: 0,
        maximum: MAX_EXACT,
    }
}

count_type! {
    /// A whole number, also a negative one, of 32 bits.
    pub struct Whole(i32) {
        form: "a whole number of 32 bits",
        minimum: i32::MIN,
        maximum: i32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::day_exists;

    #[test]
    fn months_have_their_days_and_leap_years_one_more() {
        for (month, days) in (1..).zip([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
            for (year, leap) in [(2026, 0), (2024, 1), (2000, 1), (1900, 0)] {
                let last = days + if month == 2 { leap } else { 0 };
                for (day, exists) in [(0, false), (1, true), (last, true), (last + 1, false)] {
                    let date = format!("{year}-{month:02}-{day:02}");
                    assert_eq!(day_exists(&date), exists, "{date}");
                }
            }
        }
    }
}
