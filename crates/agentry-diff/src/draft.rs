//! The drafts of JSON Schema.

use serde_json::Value;
use std::fmt;

/// A draft of JSON Schema.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Draft {
    /// Draft 4, of 2013.
    Draft4,
    /// Draft 6, of 2017.
    Draft6,
    /// Draft 7, of 2018.
    Draft7,
    /// The draft of September 2019.
    Draft201909,
    /// The draft of December 2020.
    #[default]
    Draft202012,
}

impl Draft {
    /// Every draft, in their order.
    pub const ALL: [Self; 5] =
        [Self::Draft4, Self::Draft6, Self::Draft7, Self::Draft201909, Self::Draft202012];

    /// Its short name: `4`, `6`, `7`, `2019-09` or `2020-12`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft4 => "4",
            Self::Draft6 => "6",
            Self::Draft7 => "7",
            Self::Draft201909 => "2019-09",
            Self::Draft202012 => "2020-12",
        }
    }

    /// The draft of a name such as `7`, `07`, `draft-07` or `2020-12`.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim_start_matches("draft").trim_start_matches('-').trim_start_matches('0');
        Self::ALL.into_iter().find(|draft| draft.name() == name)
    }

    /// The draft that a schema names with `$schema`. None where it names none, or one that is not known.
    pub fn named_by(schema: &Value) -> Option<Self> {
        Self::from_address(schema.get("$schema")?.as_str()?)
    }

    pub(crate) fn from_address(address: &str) -> Option<Self> {
        let address = address.trim_end_matches('#');
        let address = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
        match address.strip_prefix("json-schema.org/")? {
            "draft-04/schema" => Some(Self::Draft4),
            "draft-06/schema" => Some(Self::Draft6),
            "draft-07/schema" => Some(Self::Draft7),
            "draft/2019-09/schema" => Some(Self::Draft201909),
            "draft/2020-12/schema" => Some(Self::Draft202012),
            _ => None,
        }
    }

    pub(crate) const fn of_validator(self) -> jsonschema::Draft {
        match self {
            Self::Draft4 => jsonschema::Draft::Draft4,
            Self::Draft6 => jsonschema::Draft::Draft6,
            Self::Draft7 => jsonschema::Draft::Draft7,
            Self::Draft201909 => jsonschema::Draft::Draft201909,
            Self::Draft202012 => jsonschema::Draft::Draft202012,
        }
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
