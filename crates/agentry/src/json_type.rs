//! The types of JSON, for documents that name the type of a value and give one.

use agentry_text::Value;

/// A type of JSON. Numbers are one type, whole or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonType {
    String,
    Number,
    Boolean,
    Array,
    Object,
}

impl JsonType {
    /// Its name in a JSON Schema.
    #[cfg(feature = "schema")]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// What people call it, with its article.
    pub(crate) const fn phrase(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Number => "a number",
            Self::Boolean => "true or false",
            Self::Array => "an array",
            Self::Object => "a table",
        }
    }

    /// How such a value is written.
    pub(crate) const fn how(self) -> &'static str {
        match self {
            Self::String => "write it in quotes",
            Self::Number => "write a number, without quotes",
            Self::Boolean => "write `true` or `false`, without quotes",
            Self::Array => "write it in brackets",
            Self::Object => "write a table",
        }
    }

    /// Whether a value is of this type. A TOML date is of none.
    pub(crate) const fn admits(self, value: &Value) -> bool {
        match self {
            Self::String => matches!(value, Value::String(_)),
            Self::Number => matches!(value, Value::Integer(_) | Value::Float(_)),
            Self::Boolean => matches!(value, Value::Bool(_)),
            Self::Array => matches!(value, Value::Array(_)),
            Self::Object => matches!(value, Value::Table(_)),
        }
    }
}
