//! Relations between the keys of one table, stated once and used by the reader and by the JSON Schema.

use crate::finding::Finding;
use crate::read::{Fields, Reader, list};
use crate::rules;

/// Which tables a condition is about: those in which a key below has one of some texts.
#[derive(Clone, Copy, Debug)]
pub struct When {
    /// The keys that lead to the text, from the table down.
    pub path: &'static [&'static str],
    /// The texts.
    pub is: &'static [&'static str],
    /// Whether an absent key counts too.
    pub or_absent: bool,
}

/// A relation between keys.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// Some tables need keys that others may leave out.
    Requires {
        /// Which tables.
        when: When,
        /// The keys they need.
        keys: &'static [&'static str],
        /// Why, for the message.
        why: &'static str,
    },
    /// One of these keys, or more, must be there.
    AtLeastOne {
        /// The keys.
        keys: &'static [&'static str],
        /// Why, for the message.
        why: &'static str,
    },
    /// At most one of these keys may be there.
    AtMostOne {
        /// The keys.
        keys: &'static [&'static str],
        /// Why, for the message.
        why: &'static str,
    },
}

impl When {
    fn holds(&self, fields: &Fields<'_>) -> bool {
        let Some((first, rest)) = self.path.split_first() else { return true };
        let mut entry = fields.peek(first);
        for key in rest {
            entry = entry.and_then(|entry| entry.node.get(key));
        }
        match entry {
            None => self.or_absent,
            Some(entry) => entry.node.as_str().is_some_and(|text| self.is.contains(&text)),
        }
    }
}

impl Condition {
    /// Whether the relation holds; if not, that is reported.
    pub fn check<'t>(&self, fields: &Fields<'t>, reader: &mut Reader<'t>) -> bool {
        match self {
            Self::Requires { when, keys, why } => {
                if !when.holds(fields) {
                    return true;
                }
                let missing: Vec<_> = keys.iter().filter(|key| fields.peek(key).is_none()).collect();
                for key in &missing {
                    fields.missing(reader, key, Some(why));
                }
                missing.is_empty()
            }
            Self::AtLeastOne { keys, why } => {
                if keys.iter().any(|key| fields.peek(key).is_some()) {
                    return true;
                }
                reader.push(
                    Finding::new(
                        &rules::MISSING_KEY,
                        reader.pointer(),
                        fields.span(),
                        format!("one of {} must be there: {why}", list(keys.iter().copied())),
                    )
                    .label("none of them is there")
                    .key(keys[0]),
                );
                false
            }
            Self::AtMostOne { keys, why } => {
                let mut there = keys.iter().filter_map(|key| fields.peek(key)).collect::<Vec<_>>();
                there.sort_by_key(|entry| entry.key_span.start);
                let [first, second, ..] = there[..] else { return true };
                reader.push(
                    Finding::new(
                        &rules::CONFLICTING_KEYS,
                        format!("{}/{}", reader.pointer(), second.key),
                        second.key_span,
                        format!("`{}` and `{}` exclude each other: {why}", first.key, second.key),
                    )
                    .label("the second of the two")
                    .related(first.key_span, "the first of the two")
                    .help("keep one of the two"),
                );
                false
            }
        }
    }

    /// Adds the relation to a schema.
    #[cfg(feature = "schema")]
    pub fn state(&self, schema: &mut schemars::Schema) {
        use serde_json::{Value, json};
        let statement = match self {
            Self::Requires { when, keys, .. } => {
                let mut test = json!({ "enum": when.is });
                for (depth, key) in when.path.iter().enumerate().rev() {
                    let last = depth + 1 == when.path.len();
                    let mut object = json!({ "properties": { *key: test } });
                    if !(last && when.or_absent) {
                        object["required"] = json!([key]);
                    }
                    if depth > 0 {
                        object["type"] = json!("object");
                    }
                    test = object;
                }
                json!({ "if": test, "then": { "required": keys } })
            }
            Self::AtLeastOne { keys, .. } => {
                json!({ "anyOf": keys.iter().map(|key| json!({ "required": [key] })).collect::<Vec<_>>() })
            }
            Self::AtMostOne { keys, .. } => {
                let pairs = keys.iter().enumerate().flat_map(|(index, first)| {
                    keys[index + 1..].iter().map(move |second| json!({ "required": [first, second] }))
                });
                json!({ "not": { "anyOf": pairs.collect::<Vec<_>>() } })
            }
        };
        match schema.ensure_object().entry("allOf").or_insert_with(|| json!([])) {
            Value::Array(all) => all.push(statement),
            _ => unreachable!("`allOf` is an array"),
        }
    }
}
