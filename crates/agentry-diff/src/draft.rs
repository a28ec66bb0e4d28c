//! The drafts of JSON Schema.

use crate::parse::{LISTS, MAPS, MAX_DEPTH, SINGLE};
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

    /// The draft that a schema is read by: the one that it names; else the one that is told, or the first later one that
    /// knows its keywords. What an author wrote is not passed over because nobody said which draft it is.
    pub fn of(schema: &Value, told: Self) -> Self {
        Self::named_by(schema).unwrap_or_else(|| told.max(Self::needed_by(schema, 0)))
    }

    /// The first draft that knows all keywords of a schema.
    fn needed_by(schema: &Value, depth: usize) -> Self {
        let Value::Object(map) = schema else { return Self::Draft4 };
        if depth > MAX_DEPTH {
            return Self::Draft4;
        }
        let mut needed = Self::Draft4;
        for (keyword, value) in map {
            let own = match keyword.as_str() {
                "const" | "contains" | "propertyNames" => Self::Draft6,
                "exclusiveMinimum" | "exclusiveMaximum" if value.is_number() => Self::Draft6,
                "if" => Self::Draft7,
                "dependentRequired"
                | "dependentSchemas"
                | "unevaluatedItems"
                | "unevaluatedProperties"
                | "minContains"
                | "maxContains"
                | "$anchor"
                | "$recursiveRef" => Self::Draft201909,
                "prefixItems" | "$dynamicRef" => Self::Draft202012,
                _ => Self::Draft4,
            };
            let inner = match value {
                Value::Object(members) if MAPS.contains(&keyword.as_str()) => {
                    members.values().map(|member| Self::needed_by(member, depth + 1)).max()
                }
                Value::Array(members) if LISTS.contains(&keyword.as_str()) => {
                    members.iter().map(|member| Self::needed_by(member, depth + 1)).max()
                }
                _ if SINGLE.contains(&keyword.as_str()) => Some(Self::needed_by(value, depth + 1)),
                _ => None,
            };
            needed = needed.max(own).max(inner.unwrap_or(Self::Draft4));
        }
        needed
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_schema_that_names_no_draft_is_read_by_the_first_that_knows_its_keywords() {
        let cases = [
            (json!({"type": "string"}), Draft::Draft4),
            (json!({"properties": {"const": {"type": "string"}}}), Draft::Draft4),
            (json!({"enum": [{"const": 1}]}), Draft::Draft4),
            (json!({"anyOf": [{"const": 1}]}), Draft::Draft6),
            (json!({"properties": {"a": {"exclusiveMinimum": 1}}}), Draft::Draft6),
            (json!({"exclusiveMinimum": true, "minimum": 1}), Draft::Draft4),
            (json!({"if": true}), Draft::Draft7),
            (json!({"not": {"dependentRequired": {}}}), Draft::Draft201909),
            (json!({"$schema": "http://json-schema.org/draft-04/schema#", "const": 1}), Draft::Draft4),
        ];
        for (schema, draft) in cases {
            assert_eq!(Draft::of(&schema, Draft::Draft4), draft, "{schema}");
        }
        assert_eq!(Draft::of(&json!({"const": 1}), Draft::Draft7), Draft::Draft7);
    }

    #[test]
    fn drafts_have_names() {
        for draft in Draft::ALL {
            assert_eq!(Draft::from_name(draft.name()), Some(draft));
        }
        assert_eq!(Draft::from_name("draft-07"), Some(Draft::Draft7));
        assert_eq!(Draft::from_name("3"), None);
    }
}
