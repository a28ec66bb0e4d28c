//! Macros that define the small types of manifests: validated text, bounded numbers, option lists and tagged
//! unions. Each states its facts once; reader, writer and JSON Schema are made from them.

use crate::finding::{Rule, Severity};
use crate::fix::{Change, Safety};
use crate::mask::{mask_secrets, quoted};
use crate::read::{Mode, Read, ReadKeys, Reader, Shape};
use crate::rules;
use crate::tree::Node;
use std::ops::Range;

/// The pattern of a text that may be anything. A schema need not state it.
pub const ANY_TEXT: &str = r"^[\s\S]*$";

/// A value that does not have the form that its meaning asks for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Invalid {
    /// The rule that it breaks.
    pub rule: &'static Rule,
    /// What was found, and the rule in plain words.
    pub message: String,
    /// What stands at the place, in a few words.
    pub label: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The bytes of the text that it is about, where it is not about all of it.
    pub part: Option<Range<usize>>,
}

impl Invalid {
    /// A value that breaks a rule.
    pub fn new(rule: &'static Rule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), label: String::new(), help: None, part: None }
    }

    /// The same about some bytes of the text.
    #[must_use]
    pub fn part(mut self, part: Range<usize>) -> Self {
        self.part = Some(part);
        self
    }

    /// The same with what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with what stands at the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// A text that is not of a form, given as `a model id: letters, digits and ...`.
    pub fn form(text: &str, form: &str, example: &str) -> Self {
        let (name, rest) = form.split_once(": ").unwrap_or((form, ""));
        let message = if text.is_empty() {
            format!("an empty string is not {name}")
        } else {
            format!("{} is not {name}", quoted(text))
        };
        let help = match (rest, example) {
            ("", "") => None,
            ("", example) => Some(format!("for example `{example}`")),
            (rest, "") => Some(format!("expected {rest}")),
            (rest, example) => Some(format!("expected {rest}; for example `{example}`")),
        };
        Self { help, ..Self::new(&rules::INVALID_VALUE, message).label(format!("not {name}")) }
    }

    /// A text that is not of a form, and may be something that must not be shown.
    pub fn hidden(form: &str, example: &str) -> Self {
        let mut invalid = Self::form("", form, example);
        invalid.message = format!("the value is not {}", form.split(": ").next().unwrap_or(form));
        invalid
    }

    /// A text of a form that is longer than such a text may be, in characters.
    pub fn too_long(text: &str, form: &str, greatest: usize) -> Self {
        let name = form.split(": ").next().unwrap_or(form);
        let length = text.chars().count();
        let message = format!("{name} has at most {greatest} characters, and this one has {length}");
        let excess = length.saturating_sub(greatest);
        Self::new(&rules::INVALID_VALUE, message)
            .label(format!("{length} characters"))
            .help(format!("shorten it by {excess}: characters are counted, not bytes"))
    }

    /// A number outside its bounds.
    pub fn range(number: &str, form: &str, minimum: &str, maximum: Option<&str>) -> Self {
        let bounds = match maximum {
            Some(maximum) => format!("between {minimum} and {maximum}"),
            None => format!("{minimum} or more"),
        };
        Self::new(&rules::INVALID_VALUE, format!("{number} is not {form}"))
            .label(format!("must be {bounds}"))
            .help(format!("write a number that is {bounds}"))
    }
}

/// Text of a form. Implemented by `text_type!`.
pub trait Text: Sized {
    /// The regular expression that the text matches from end to end: the same in the JSON Schema.
    const PATTERN: &'static str;
    /// What it is and, after a colon, what it looks like.
    const FORM: &'static str;
    /// An example; may be empty.
    const EXAMPLE: &'static str;
    /// How many characters, which are Unicode scalar values and not bytes, it has at most; `usize::MAX` where nothing
    /// limits them.
    const MAX_CHARACTERS: usize;
    /// Whether values are secret: never shown.
    const SECRET: bool;
    /// Whether a value that does not have the form may be something that must not be shown.
    const GUARDED: bool;
    /// What the reader asks for that a pattern cannot state; empty where the pattern says it all.
    const BEYOND_SCHEMA: &'static str;

    /// The text, if it has the form.
    fn new(text: impl Into<String>) -> Result<Self, Invalid>;

    /// The text.
    fn as_str(&self) -> &str;

    /// What is legal and worth a word.
    fn remark(&self) -> Option<Invalid>;

    /// Whether the text matches the pattern.
    fn matches(text: &str) -> bool;
}

/// The least of some numbers.
#[doc(hidden)]
pub const fn least(numbers: &[usize]) -> usize {
    let mut least = usize::MAX;
    let mut index = 0;
    while index < numbers.len() {
        if numbers[index] < least {
            least = numbers[index];
        }
        index += 1;
    }
    least
}

/// Reads text of a form.
#[doc(hidden)]
pub fn read_text<'t, T: Text>(node: &'t Node, reader: &mut Reader<'t>) -> Option<T> {
    if T::SECRET {
        reader.secret(node);
    }
    if T::GUARDED && node.as_str().is_none() {
        reader.wrong_type_hidden(node, "a string");
        return None;
    }
    let text = reader.string(node)?;
    match T::new(text) {
        Ok(value) => {
            if let Some(remark) = value.remark() {
                if T::GUARDED && !T::SECRET {
                    reader.secret(node);
                }
                reader.invalid(node, &remark);
            }
            Some(value)
        }
        Err(invalid) => {
            if T::GUARDED && !T::SECRET {
                reader.secret(node);
            }
            let mut finding = reader.invalidity(node, &invalid);
            // Blanks around a name or an address are never meant.
            let trimmed = text.trim();
            if trimmed != text && T::new(trimmed).is_ok() {
                let change = Change::Text { at: node.span, to: trimmed.to_owned() };
                finding = finding.mend(Safety::Safe, reader.pointer(), change);
            }
            reader.push(finding);
            None
        }
    }
}

/// An option that this version does not know, kept as written. Only tolerant reading makes one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Unlisted(String);

impl std::fmt::Debug for Unlisted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Unlisted").field(&mask_secrets(&self.0)).finish()
    }
}

impl Unlisted {
    /// The option as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Reads one of some options.
#[doc(hidden)]
pub fn read_option<'t, T: Clone>(
    node: &'t Node,
    reader: &mut Reader<'t>,
    options: &[(&'static str, T)],
    legacy: &[(&'static str, &'static str)],
    unlisted: impl FnOnce(Unlisted) -> T,
) -> Option<T> {
    let text = reader.string(node)?;
    let name = legacy.iter().find(|(old, _)| *old == text).map_or(text, |(_, new)| new);
    if name != text {
        let finding = reader
            .finding(&rules::LEGACY_NAME, node, format!("`{text}` is the older name of `{name}`"))
            .label("an older name")
            .help(format!("write `{name}`"))
            .mend(Safety::Safe, reader.pointer(), Change::Text { at: node.span, to: (*name).to_owned() });
        reader.push(finding);
    }
    if let Some((_, value)) = options.iter().find(|(option, _)| *option == name) {
        return Some(value.clone());
    }
    let kept = reader.mode() == Mode::Tolerant;
    let severity = if kept { Severity::Warning } else { Severity::Error };
    reader.unknown_option(node, text, options.iter().map(|(name, _)| *name), severity);
    kept.then(|| unlisted(Unlisted(text.to_owned())))
}

/// Reads a struct from a table one key of which, the tag, says which struct it is.
#[doc(hidden)]
pub fn read_variant<'t, T: Read + ReadKeys>(
    node: &'t Node,
    reader: &mut Reader<'t>,
    shape: &'static Shape,
    tag: &'static str,
) -> Option<T> {
    crate::read::read_table_as(node, reader, shape, &[tag])
}

/// `impl Deserialize` for a type that can be read: any serde front end, the same strict reading.
#[macro_export]
macro_rules! deserialize_by_reading {
    ($name:ty) => {
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                let value = <$crate::Value as ::serde::Deserialize>::deserialize(deserializer)?;
                $crate::read_strict(value).map_err(::serde::de::Error::custom)
            }
        }
    };
}

/// Defines text of a form.
///
/// `pattern` is anchored and uses explicit classes, so that every regular-expression dialect reads it alike.
/// `max_characters` (optional) is the greatest length.
/// `check` (optional, with `beyond`, which says what it checks) is for what no pattern can say; `explain` (optional)
/// says of a text that the pattern refuses what exactly is wrong, where it knows better than the form; `remark`
/// (optional) is for what is legal and worth a word. `secret` values are never shown; `guarded` ones are not shown
/// where they do not have the form, since something secret may have been put in their place.
#[macro_export]
macro_rules! text_type {
    (
        $(#[doc = $doc:literal])+
        pub struct $name:ident {
            pattern: $pattern:expr,
            form: $form:expr,
            example: $example:expr,
            $(max_characters: $max_characters:expr,)?
            $(beyond: $beyond:expr, check: $check:expr,)?
            $(explain: $explain:expr,)?
            $(remark: $remark:expr,)?
            $(secret: $secret:expr,)?
            $(guarded: $guarded:expr,)?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(::std::string::String);

        impl $name {
            /// The text, if it has the form.
            pub fn new(text: impl ::std::convert::Into<::std::string::String>) -> ::std::result::Result<Self, $crate::Invalid> {
                <Self as $crate::Text>::new(text)
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl $crate::Text for $name {
            const PATTERN: &'static str = $pattern;
            const FORM: &'static str = $form;
            const EXAMPLE: &'static str = $example;
            const MAX_CHARACTERS: usize = $crate::define::least(&[usize::MAX $(, $max_characters)?]);
            const SECRET: bool = false $(|| $secret)?;
            const GUARDED: bool = Self::SECRET $(|| $guarded)?;
            const BEYOND_SCHEMA: &'static str = concat!("" $(, $beyond)?);

            fn new(text: impl ::std::convert::Into<::std::string::String>) -> ::std::result::Result<Self, $crate::Invalid> {
                let text: ::std::string::String = text.into();
                if !Self::matches(&text) {
                    if Self::GUARDED && !text.is_empty() {
                        return Err($crate::Invalid::hidden(Self::FORM, Self::EXAMPLE));
                    }
                    $(
                        let explain: fn(&str) -> ::std::option::Option<$crate::Invalid> = $explain;
                        if let Some(invalid) = explain(&text) {
                            return Err(invalid);
                        }
                    )?
                    return Err($crate::Invalid::form(&text, Self::FORM, Self::EXAMPLE));
                }
                // No text has more characters than bytes.
                if text.len() > Self::MAX_CHARACTERS && text.chars().count() > Self::MAX_CHARACTERS {
                    return Err($crate::Invalid::too_long(&text, Self::FORM, Self::MAX_CHARACTERS));
                }
                $(
                    let check: fn(&str) -> ::std::result::Result<(), $crate::Invalid> = $check;
                    check(&text)?;
                )?
                Ok(Self(text))
            }

            fn as_str(&self) -> &str {
                &self.0
            }

            fn remark(&self) -> ::std::option::Option<$crate::Invalid> {
                $(
                    let remark: fn(&str) -> ::std::option::Option<$crate::Invalid> = $remark;
                    if let Some(remark) = remark(&self.0) {
                        return Some(remark);
                    }
                )?
                None
            }

            fn matches(text: &str) -> bool {
                static PATTERN: ::std::sync::LazyLock<$crate::Pattern> =
                    ::std::sync::LazyLock::new(|| $crate::Pattern::new($pattern));
                $pattern == $crate::ANY_TEXT || PATTERN.is_match(text)
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                let shown = if <Self as $crate::Text>::SECRET {
                    $crate::MASK.to_owned()
                } else {
                    $crate::mask_secrets(&self.0)
                };
                f.debug_tuple(stringify!($name)).field(&shown).finish()
            }
        }

        impl ::std::convert::AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        // Equal, ordered and hashed as its text, so that a map of such keys is asked with a plain string.
        impl ::std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::Invalid;

            fn from_str(text: &str) -> ::std::result::Result<Self, $crate::Invalid> {
                Self::new(text)
            }
        }

        impl ::std::convert::TryFrom<::std::string::String> for $name {
            type Error = $crate::Invalid;

            fn try_from(text: ::std::string::String) -> ::std::result::Result<Self, $crate::Invalid> {
                Self::new(text)
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl $crate::Read for $name {
            fn read<'t>(node: &'t $crate::Node, reader: &mut $crate::Reader<'t>) -> ::std::option::Option<Self> {
                $crate::define::read_text(node, reader)
            }
        }

        $crate::deserialize_by_reading!($name);

        #[cfg(feature = "schema")]
        impl ::schemars::JsonSchema for $name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                let mut schema = ::schemars::json_schema!({
                    "description": concat!($($doc, "\n"),+),
                    "type": "string",
                });
                if $pattern != $crate::ANY_TEXT {
                    schema.insert("pattern".to_owned(), $pattern.into());
                }
                if <Self as $crate::Text>::MAX_CHARACTERS < usize::MAX {
                    schema.insert("maxLength".to_owned(), <Self as $crate::Text>::MAX_CHARACTERS.into());
                }
                if !$example.is_empty() {
                    schema.insert("examples".to_owned(), vec![$example].into());
                }
                if <Self as $crate::Text>::SECRET {
                    schema.insert("writeOnly".to_owned(), true.into());
                }
                schema
            }
        }
    };
}

/// [`text_type!`] for text that may be shown: adds `Display`.
#[macro_export]
macro_rules! shown_text_type {
    ($(#[doc = $doc:literal])+ pub struct $name:ident $body:tt) => {
        $crate::text_type! { $(#[doc = $doc])+ pub struct $name $body }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

/// Defines a whole number with bounds.
#[macro_export]
macro_rules! count_type {
    (
        $(#[doc = $doc:literal])+
        pub struct $name:ident($inner:ty) {
            form: $form:expr,
            minimum: $minimum:expr,
            maximum: $maximum:expr,
            $(remark: $remark:expr,)?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($inner);

        impl $name {
            /// The least value.
            pub const MIN: $inner = $minimum;
            /// The greatest value.
            pub const MAX: $inner = $maximum;

            /// The number, if it lies within the bounds.
            pub fn new(number: $inner) -> ::std::result::Result<Self, $crate::Invalid> {
                Self::from_integer(number.into())
            }

            fn from_integer(number: i128) -> ::std::result::Result<Self, $crate::Invalid> {
                match <$inner>::try_from(number) {
                    Ok(inner) if (Self::MIN..=Self::MAX).contains(&inner) => Ok(Self(inner)),
                    _ => {
                        // Bounds that only keep a number exact in every reader are not worth naming.
                        let maximum = (i128::from(Self::MAX) < (1 << 53) - 1 || number > i128::from(Self::MAX))
                            .then(|| Self::MAX.to_string());
                        // A number may be too large for readers and still be of the sort that is meant.
                        let form = if number > i128::from(Self::MAX) {
                            "a number that every reader keeps exact"
                        } else {
                            $form
                        };
                        Err($crate::Invalid::range(
                            &number.to_string(),
                            form,
                            &Self::MIN.to_string(),
                            maximum.as_deref(),
                        ))
                    }
                }
            }

            /// The number.
            pub const fn get(self) -> $inner {
                self.0
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl ::std::convert::TryFrom<$inner> for $name {
            type Error = $crate::Invalid;

            fn try_from(number: $inner) -> ::std::result::Result<Self, $crate::Invalid> {
                Self::new(number)
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                ::serde::Serialize::serialize(&self.0, serializer)
            }
        }

        impl $crate::Read for $name {
            fn read<'t>(node: &'t $crate::Node, reader: &mut $crate::Reader<'t>) -> ::std::option::Option<Self> {
                let number = reader.integer(node)?;
                match Self::from_integer(number) {
                    Ok(value) => {
                        $(
                            let remark: fn($inner) -> ::std::option::Option<$crate::Invalid> = $remark;
                            if let Some(remark) = remark(value.0) {
                                reader.invalid(node, &remark);
                            }
                        )?
                        Some(value)
                    }
                    Err(invalid) => {
                        reader.invalid(node, &invalid);
                        None
                    }
                }
            }
        }

        $crate::deserialize_by_reading!($name);

        #[cfg(feature = "schema")]
        impl ::schemars::JsonSchema for $name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!({
                    "description": concat!($($doc, "\n"),+),
                    "type": "integer",
                    "minimum": Self::MIN,
                    "maximum": Self::MAX,
                })
            }
        }
    };
}

/// Defines a finite number, with bounds or without.
#[macro_export]
macro_rules! number_type {
    (
        $(#[doc = $doc:literal])+
        pub struct $name:ident {
            form: $form:expr,
            $(minimum: $minimum:expr,)?
            $(maximum: $maximum:expr,)?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        pub struct $name(f64);

        impl $name {
            /// The least value.
            pub const MIN: f64 = f64::MIN$(.max($minimum))?;

            /// The number, if it is finite and lies within the bounds.
            pub fn new(number: f64) -> ::std::result::Result<Self, $crate::Invalid> {
                let maximum: ::std::option::Option<f64> = ::std::option::Option::None $(.or(Some($maximum)))?;
                if number.is_finite() && number >= Self::MIN && maximum.is_none_or(|maximum| number <= maximum) {
                    // One zero: a negative one would be written back as `-0.0`.
                    return Ok(Self(number + 0.0));
                }
                Err($crate::Invalid::range(
                    &number.to_string(),
                    $form,
                    &Self::MIN.to_string(),
                    maximum.map(|maximum| maximum.to_string()).as_deref(),
                ))
            }

            /// The number.
            pub const fn get(self) -> f64 {
                self.0
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl ::std::convert::TryFrom<f64> for $name {
            type Error = $crate::Invalid;

            fn try_from(number: f64) -> ::std::result::Result<Self, $crate::Invalid> {
                Self::new(number)
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_f64(self.0)
            }
        }

        impl $crate::Read for $name {
            fn read<'t>(node: &'t $crate::Node, reader: &mut $crate::Reader<'t>) -> ::std::option::Option<Self> {
                let number = reader.number(node)?;
                match Self::new(number) {
                    Ok(value) => Some(value),
                    Err(invalid) => {
                        reader.invalid(node, &invalid);
                        None
                    }
                }
            }
        }

        $crate::deserialize_by_reading!($name);

        #[cfg(feature = "schema")]
        impl ::schemars::JsonSchema for $name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!({
                    "description": concat!($($doc, "\n"),+),
                    "type": "number",
                    $("minimum": $minimum,)?
                    $("maximum": $maximum,)?
                })
            }
        }
    };
}

/// Defines a list of options: every option with its text, where it comes from, and what it means.
///
/// `from` names who knows the option. `legacy` gives an older text of the same option.
#[macro_export]
macro_rules! options {
    (
        $(#[doc = $doc:literal])+
        pub enum $name:ident {
            $(
                $(#[doc = $option_doc:literal])+
                $variant:ident = $text:literal from $source:literal $(legacy $($legacy:literal)+)?,
            )+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $option_doc])+ $variant,)+
            /// An option that this version does not know. Only tolerant reading gives one.
            Unlisted($crate::Unlisted),
        }

        impl $name {
            /// Every known option, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The text of the option.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Unlisted(text) => text.as_str(),
                }
            }

            /// Who knows the option; empty for one that this version does not know.
            pub const fn source(&self) -> &'static str {
                match self {
                    $(Self::$variant => $source,)+
                    Self::Unlisted(_) => "",
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl $crate::Read for $name {
            fn read<'t>(node: &'t $crate::Node, reader: &mut $crate::Reader<'t>) -> ::std::option::Option<Self> {
                $crate::define::read_option(
                    node,
                    reader,
                    &[$(($text, Self::$variant)),+],
                    &[$($($(($legacy, $text),)+)?)+],
                    Self::Unlisted,
                )
            }
        }

        $crate::deserialize_by_reading!($name);

        #[cfg(feature = "schema")]
        impl ::schemars::JsonSchema for $name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!({
                    "description": concat!($($doc, "\n"),+),
                    "oneOf": [
                        $({
                            "description": concat!($($option_doc, "\n",)+ "\n From: ", $source, "."),
                            "const": $text,
                        }),+
                    ],
                })
            }
        }
    };
}

/// Defines a tagged union: one key of the table, the tag, says which struct the table is.
///
/// Every variant holds a `#[document]` struct of its own, without the tag. A finding is about the variant that
/// the tag names.
#[macro_export]
macro_rules! tagged {
    (
        $(#[doc = $doc:literal])+
        pub enum $name:ident by $tag:literal {
            $(
                $(#[doc = $variant_doc:literal])+
                $variant:ident($inner:ty) = $text:literal,
            )+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
        #[serde(tag = $tag)]
        #[non_exhaustive]
        pub enum $name {
            $(
                $(#[doc = $variant_doc])+
                #[serde(rename = $text)]
                $variant($inner),
            )+
        }

        impl $name {
            /// The tag as written.
            pub const fn tag(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $text,)+
                }
            }
        }

        impl $crate::Read for $name {
            fn read<'t>(node: &'t $crate::Node, reader: &mut $crate::Reader<'t>) -> ::std::option::Option<Self> {
                let tag = reader.tag(node, $tag, &[$($text),+])?;
                match tag {
                    $($text => {
                        static SHAPE: ::std::sync::LazyLock<$crate::Shape> = ::std::sync::LazyLock::new(|| {
                            $crate::Shape::tagged::<$inner>($tag).among(<$name as $crate::Read>::shape())
                        });
                        $crate::define::read_variant::<$inner>(node, reader, &SHAPE, $tag).map(Self::$variant)
                    })+
                    _ => None,
                }
            }

            fn shape() -> ::std::option::Option<&'static $crate::Shape> {
                // What any variant knows: to find where a stray key belongs.
                static SHAPE: ::std::sync::LazyLock<$crate::Shape> = ::std::sync::LazyLock::new(|| {
                    let mut shape = $crate::Shape {
                        keys: ::std::vec::Vec::new(),
                        others: $crate::Others::Unknown,
                        elsewhere: ::std::vec::Vec::new(),
                        tag: ::std::option::Option::Some(($tag, &[$($text),+])),
                    };
                    $(shape.join($crate::Shape::tagged::<$inner>($tag));)+
                    shape
                });
                Some(&SHAPE)
            }
        }

        $crate::deserialize_by_reading!($name);

        #[cfg(feature = "schema")]
        impl ::schemars::JsonSchema for $name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!({
                    "description": concat!($($doc, "\n"),+),
                    "oneOf": [
                        $($crate::define::variant_schema(
                            <$inner as ::schemars::JsonSchema>::json_schema(generator),
                            $tag,
                            $text,
                            concat!($($variant_doc, "\n"),+),
                        )),+
                    ],
                })
            }
        }
    };
}

/// The schema of a variant of a tagged union: that of its struct, with the tag among the keys. A reference beside
/// a tag would not do: a closed struct refuses keys that its own schema does not name.
#[cfg(feature = "schema")]
#[doc(hidden)]
pub fn variant_schema(
    mut schema: schemars::Schema,
    tag: &str,
    text: &str,
    description: &str,
) -> schemars::Schema {
    use serde_json::{Map, Value, json};
    let object = schema.ensure_object();
    object.insert("description".to_owned(), description.into());
    let tag_schema = json!({ "description": format!("Says what this table is: `{text}`."), "const": text });
    let mut properties = Map::from_iter([(tag.to_owned(), tag_schema)]);
    if let Some(Value::Object(others)) = object.remove("properties") {
        properties.extend(others);
    }
    object.insert("properties".to_owned(), properties.into());
    let mut required = vec![Value::from(tag)];
    if let Some(Value::Array(others)) = object.remove("required") {
        required.extend(others);
    }
    object.insert("required".to_owned(), required.into());
    schema
}

#[cfg(all(test, feature = "schema"))]
mod tests {
    use serde_json::json;

    #[test]
    fn a_closed_variant_knows_its_tag() {
        let own = schemars::json_schema!({
            "type": "object",
            "properties": { "url": { "type": "string" } },
            "required": ["url"],
            "additionalProperties": false,
        });
        let schema = super::variant_schema(own, "type", "http", "By HTTP.");
        assert_eq!(
            schema.as_value(),
            &json!({
                "description": "By HTTP.",
                "type": "object",
                "properties": {
                    "type": { "description": "Says what this table is: `http`.", "const": "http" },
                    "url": { "type": "string" },
                },
                "required": ["type", "url"],
                "additionalProperties": false,
            })
        );
    }
}
