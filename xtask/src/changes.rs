//! What differs between two JSON documents: by place, and in the words of JSON Schema where they are schemas.

use agentry_schema::keyword::{self, Holds, escape};
use serde_json::{Map, Value};
use std::fmt;

/// How many characters of a value are shown.
const SHOWN: usize = 60;

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The JSON pointer of the place. What was removed had it in the old document, all else in the new one.
    pub pointer: String,
    /// What differs there.
    pub what: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}", if self.pointer.is_empty() { "/" } else { &self.pointer }, self.what)
    }
}

/// The differences between an old document and a new one. None where both say the same, in whatever layout and
/// order of keys.
pub fn between(old: &Value, new: &Value) -> Vec<Change> {
    let is_schema =
        |value: &Value| value["$schema"].as_str().is_some_and(|address| address.contains("json-schema.org/"));
    let mut comparison = Comparison { changes: Vec::new() };
    if is_schema(old) && is_schema(new) {
        comparison.schemas("", "", old, new);
    } else {
        comparison.values("", "", old, new);
    }
    comparison.changes
}

struct Comparison {
    changes: Vec<Change>,
}

/// A key of two objects with its values. New keys come in the order of the new object, removed ones last.
fn keys<'v>(
    old: &'v Map<String, Value>,
    new: &'v Map<String, Value>,
) -> impl Iterator<Item = (&'v String, Option<&'v Value>, Option<&'v Value>)> {
    let there = new.iter().map(|(key, value)| (key, old.get(key), Some(value)));
    there.chain(
        old.iter().filter(|(key, _)| !new.contains_key(*key)).map(|(key, value)| (key, Some(value), None)),
    )
}

impl Comparison {
    fn push(&mut self, pointer: &str, what: String) {
        self.changes.push(Change { pointer: pointer.to_owned(), what });
    }

    /// Compares two schemas. `about` names the option that the schema is, if it is one.
    fn schemas(&mut self, pointer: &str, about: &str, old: &Value, new: &Value) {
        if old == new {
            return;
        }
        let (Value::Object(old), Value::Object(new)) = (old, new) else {
            return self.values(pointer, about, old, new);
        };
        for (key, before, after) in keys(old, new) {
            let below = format!("{pointer}/{}", escape(key));
            let holds = keyword::find(key).map(|keyword| keyword.holds);
            match (holds, before, after) {
                (Some(Holds::Named), before, after) if all_objects(&[before, after]) => {
                    self.named(key, &below, before, after);
                }
                (Some(Holds::Schema), Some(before), Some(after)) => self.schemas(&below, "", before, after),
                (Some(Holds::List), before, after) if all_arrays(&[before, after]) => {
                    self.lists(pointer, &below, before, after, true);
                }
                (Some(Holds::Plain), before, after) if key == "required" && all_arrays(&[before, after]) => {
                    self.set(pointer, "required key", before, after);
                }
                (Some(Holds::Plain), before, after) if key == "enum" && all_arrays(&[before, after]) => {
                    self.set(pointer, "value", before, after);
                }
                (_, before, after) => self.keyword(pointer, about, key, before, after),
            }
        }
    }

    /// Compares what stands under a keyword that holds no schemas.
    fn keyword(&mut self, pointer: &str, about: &str, key: &str, old: Option<&Value>, new: Option<&Value>) {
        let what = match (old, new) {
            (Some(old), Some(new)) if old == new => return,
            (Some(Value::String(old)), Some(Value::String(new))) => {
                let (old, new) = around_difference(old, new);
                format!("{key} changed: `{old}` is now `{new}`")
            }
            (Some(old), Some(new)) => format!("{key} changed: {} is now {}", shown(old), shown(new)),
            (Some(old), None) => format!("{key} removed: {}", shown(old)),
            (None, Some(new)) => format!("{key} added: {}", shown(new)),
            (None, None) => return,
        };
        self.push(pointer, format!("{about}{what}"));
    }

    /// Compares schemas by name: properties and definitions.
    fn named(&mut self, keyword: &str, pointer: &str, old: Option<&Value>, new: Option<&Value>) {
        let noun = match keyword {
            "properties" => "property",
            "patternProperties" => "pattern of properties",
            "$defs" | "definitions" => "definition",
            _ => "dependency",
        };
        let empty = Map::new();
        let object = |value: Option<&'_ Value>| value.and_then(Value::as_object).unwrap_or(&empty).clone();
        let (old, new) = (object(old), object(new));
        for (name, before, after) in keys(&old, &new) {
            let below = format!("{pointer}/{}", escape(name));
            match (before, after) {
                (Some(before), Some(after)) => self.schemas(&below, "", before, after),
                (Some(_), None) => self.push(&below, format!("{noun} `{name}` removed")),
                (None, _) => self.push(&below, format!("{noun} `{name}` added")),
            }
        }
    }

    /// Compares lists whose order says nothing.
    fn set(&mut self, pointer: &str, noun: &str, old: Option<&Value>, new: Option<&Value>) {
        let (old, new) = (items(old), items(new));
        for item in new.iter().filter(|item| !old.contains(item)) {
            self.push(pointer, format!("{noun} {} added", named(item)));
        }
        for item in old.iter().filter(|item| !new.contains(item)) {
            self.push(pointer, format!("{noun} {} removed", named(item)));
        }
        let same_items =
            old.iter().all(|item| new.contains(item)) && new.iter().all(|item| old.contains(item));
        if same_items && old != new {
            self.push(pointer, format!("{noun}s are in another order"));
        }
    }

    /// Compares lists: entries that have a name by that, the others by what they are and then by their place.
    /// `owner` is what has the list, `pointer` the list itself.
    fn lists(&mut self, owner: &str, pointer: &str, old: Option<&Value>, new: Option<&Value>, schemas: bool) {
        let (old, new) = (items(old), items(new));
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let pair = |pairs: &mut Vec<(usize, usize)>, alike: &dyn Fn(&Value, &Value) -> bool| {
            for (after, item) in new.iter().enumerate() {
                if pairs.iter().any(|pair| pair.1 == after) {
                    continue;
                }
                let free = |before: &usize| !pairs.iter().any(|pair| pair.0 == *before);
                if let Some(before) = (0..old.len()).filter(free).find(|before| alike(&old[*before], item)) {
                    pairs.push((before, after));
                }
            }
        };
        pair(&mut pairs, &|old, new| old == new);
        pair(&mut pairs, &|old, new| identity(old).is_some() && identity(old) == identity(new));
        // What has no name and is not the same any more was probably changed where it stood.
        pair(&mut pairs, &|old, new| identity(old).is_none() && identity(new).is_none());
        for (after, item) in new.iter().enumerate() {
            let below = format!("{pointer}/{after}");
            match pairs.iter().find(|pair| pair.1 == after) {
                Some((before, _)) if schemas => self.schemas(&below, &about(item), &old[*before], item),
                Some((before, _)) => self.values(&below, &about(item), &old[*before], item),
                None => self.item(owner, &below, item, "added"),
            }
        }
        for (before, item) in old.iter().enumerate() {
            if !pairs.iter().any(|pair| pair.0 == before) {
                self.item(owner, &format!("{pointer}/{before}"), item, "removed");
            }
        }
        let mut sorted = pairs.clone();
        sorted.sort_by_key(|pair| pair.1);
        if !sorted.is_sorted_by_key(|pair| pair.0) {
            self.push(pointer, "the entries are in another order".to_owned());
        }
    }

    fn item(&mut self, owner: &str, pointer: &str, item: &Value, what: &str) {
        if let Some(option) = item.get("const") {
            self.push(owner, format!("option {} {what}", named(option)));
        } else {
            self.push(pointer, format!("{what}: {}", shown(item)));
        }
    }

    /// Compares values that are no schemas.
    fn values(&mut self, pointer: &str, about: &str, old: &Value, new: &Value) {
        match (old, new) {
            (Value::Object(old), Value::Object(new)) => {
                for (key, before, after) in keys(old, new) {
                    let below = format!("{pointer}/{}", escape(key));
                    match (before, after) {
                        (Some(before @ Value::Object(_)), Some(after @ Value::Object(_))) => {
                            self.values(&below, about, before, after);
                        }
                        (Some(before @ Value::Array(_)), Some(after @ Value::Array(_))) => {
                            self.lists(pointer, &below, Some(before), Some(after), false);
                        }
                        (before, after) => self.keyword(pointer, about, key, before, after),
                    }
                }
            }
            (old, new) if old == new => {}
            (old, new) => self.push(pointer, format!("{about}{} is now {}", shown(old), shown(new))),
        }
    }
}

fn all_objects(values: &[Option<&Value>]) -> bool {
    values.iter().flatten().all(|value| value.is_object())
}

fn all_arrays(values: &[Option<&Value>]) -> bool {
    values.iter().flatten().all(|value| value.is_array())
}

fn items(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// What tells an entry of a list from the others: an option's text, or a name.
fn identity(item: &Value) -> Option<(&'static str, &Value)> {
    ["const", "name", "$ref"].into_iter().find_map(|key| item.get(key).map(|value| (key, value)))
}

/// The start of a sentence about an entry of a list.
fn about(item: &Value) -> String {
    match identity(item) {
        Some(("const", option)) => format!("option {}: ", named(option)),
        Some(("name", name)) => format!("entry {}: ", named(name)),
        _ => String::new(),
    }
}

/// A text in backticks, anything else as JSON.
fn named(value: &Value) -> String {
    value.as_str().map_or_else(|| shown(value), |text| format!("`{}`", shorten(text)))
}

fn shown(value: &Value) -> String {
    format!("`{}`", shorten(&value.to_string()))
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Two texts from shortly before the place where they begin to differ.
fn around_difference(old: &str, new: &str) -> (String, String) {
    let same = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let cut = |text: &str| {
        // A long common beginning is cut at a word.
        let mut start = 0;
        if same > SHOWN / 2 {
            let near = text.char_indices().nth(same - SHOWN / 4).map_or(0, |(start, _)| start);
            start = text[..near].rfind(' ').map_or(near, |space| space + 1);
        }
        let rest = shorten(&text[start..].replace('\n', "⏎"));
        if start > 0 { format!("…{rest}") } else { rest }
    };
    (cut(old), cut(new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema(parts: &Value) -> Value {
        let mut schema = json!({ "$schema": "https://json-schema.org/draft/2020-12/schema" });
        for (key, value) in parts.as_object().into_iter().flatten() {
            schema[key] = value.clone();
        }
        schema
    }

    /// The differences, a line each.
    fn lines(old: &Value, new: &Value) -> Vec<String> {
        between(old, new).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn differences_are_told_in_words() {
        for (old, new, wanted) in [
            (
                json!({ "properties": { "a": {}, "b": {} } }),
                json!({ "properties": { "a": {}, "c/d": {} } }),
                vec!["/properties/c~1d  property `c/d` added", "/properties/b  property `b` removed"],
            ),
            (
                json!({ "required": ["a", "b"] }),
                json!({ "required": ["b", "c"] }),
                vec!["/  required key `c` added", "/  required key `a` removed"],
            ),
            (json!({}), json!({ "required": ["a"] }), vec!["/  required key `a` added"]),
            (
                json!({ "required": ["a", "b"] }),
                json!({ "required": ["b", "a"] }),
                vec!["/  required keys are in another order"],
            ),
            (
                json!({ "$defs": { "T": { "oneOf": [
                    { "const": "x", "description": "An x." }, { "const": "y" }, { "const": "z" },
                ] } } }),
                json!({ "$defs": { "T": { "oneOf": [
                    { "const": "w" }, { "const": "x", "description": "The x." }, { "const": "z" },
                ] } } }),
                vec![
                    "/$defs/T  option `w` added",
                    "/$defs/T/oneOf/1  option `x`: description changed: `An x.` is now `The x.`",
                    "/$defs/T  option `y` removed",
                ],
            ),
            (
                json!({ "oneOf": [{ "const": "x" }, { "const": "y" }] }),
                json!({ "oneOf": [{ "const": "y" }, { "const": "x" }] }),
                vec!["/oneOf  the entries are in another order"],
            ),
            (
                json!({ "properties": { "a": { "default": 1, "type": "integer" } } }),
                json!({ "properties": { "a": { "default": 2, "minimum": 0 } } }),
                vec![
                    "/properties/a  default changed: `1` is now `2`",
                    "/properties/a  minimum added: `0`",
                    "/properties/a  type removed: `\"integer\"`",
                ],
            ),
            (
                json!({ "enum": [1, 2] }),
                json!({ "enum": [1, 3] }),
                vec!["/  value `3` added", "/  value `2` removed"],
            ),
            (
                json!({ "additionalProperties": false }),
                json!({ "additionalProperties": { "type": "string" } }),
                vec!["/additionalProperties  `false` is now `{\"type\":\"string\"}`"],
            ),
            (
                json!({ "items": { "maxLength": 3 } }),
                json!({}),
                vec!["/  items removed: `{\"maxLength\":3}`"],
            ),
            (
                json!({ "allOf": [{ "$ref": "#/$defs/A" }, { "if": { "minLength": 1 } }] }),
                json!({ "allOf": [{ "$ref": "#/$defs/B" }, { "if": { "minLength": 2 } }] }),
                vec![
                    "/allOf/0  added: `{\"$ref\":\"#/$defs/B\"}`",
                    "/allOf/1/if  minLength changed: `1` is now `2`",
                    "/allOf/0  removed: `{\"$ref\":\"#/$defs/A\"}`",
                ],
            ),
            // A property called like a keyword, and a default that looks like a schema.
            (
                json!({ "properties": { "required": { "default": { "properties": { "a": 1 } } } } }),
                json!({ "properties": { "required": { "default": {} } } }),
                vec!["/properties/required  default changed: `{\"properties\":{\"a\":1}}` is now `{}`"],
            ),
            (json!({ "$defs": { "A": {} } }), json!({}), vec!["/$defs/A  definition `A` removed"]),
        ] {
            assert_eq!(lines(&schema(&old), &schema(&new)), wanted, "from {old} to {new}");
        }
    }

    #[test]
    fn documents_that_are_no_schemas_are_compared_too() {
        let old = json!({ "version": 1, "schemas": [{ "name": "a", "files": ["x"] }, { "name": "b" }] });
        let new = json!({ "version": 2, "schemas": [{ "name": "b", "url": "u" }, { "name": "c" }] });
        assert_eq!(
            lines(&old, &new),
            [
                "/  version changed: `1` is now `2`",
                "/schemas/0  entry `b`: url added: `\"u\"`",
                "/schemas/1  added: `{\"name\":\"c\"}`",
                "/schemas/0  removed: `{\"name\":\"a\",\"files\":[\"x\"]}`",
            ]
        );
        assert_eq!(lines(&json!([1]), &json!({})), ["/  `[1]` is now `{}`"]);
    }

    #[test]
    fn the_same_in_another_layout_is_no_difference() {
        let one = schema(&json!({ "properties": { "a": { "type": "string", "title": "A" }, "b": {} } }));
        let other = schema(&json!({ "properties": { "b": {}, "a": { "title": "A", "type": "string" } } }));
        assert_eq!(lines(&one, &other), [""; 0]);
    }

    #[test]
    fn long_texts_are_shown_where_they_differ() {
        let start = "The most words of this description are the same in both versions, and only the end";
        let old = schema(&json!({ "description": format!("{start} is old."), "title": "x".repeat(80) }));
        let new = schema(&json!({ "description": format!("{start} was new."), "title": "y" }));
        assert_eq!(
            lines(&old, &new),
            [
                "/  description changed: `…and only the end is old.` is now `…and only the end was new.`"
                    .to_owned(),
                format!("/  title changed: `{}…` is now `y`", "x".repeat(60)),
            ]
        );
    }
}
