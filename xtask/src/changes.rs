//! What differs between two JSON documents: schemas by meaning, as `agentry-diff` finds it, others by place.

use agentry_check::acknowledged::Acknowledgements;
use agentry_diff::{Comparison, Effect, Options, Verdict, Witness, compare};
use agentry_schema::keyword::escape;
use serde_json::{Map, Value};
use std::fmt;

/// How many characters of a value are shown.
const SHOWN: usize = 60;
/// How many characters of a document that breaks are shown.
const SHOWN_WITNESS: usize = 300;

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The JSON pointer of the place. What was removed had it in the old document, all else in the new one.
    pub pointer: String,
    /// What differs there.
    pub what: String,
    /// What it breaks, each with a document that shows it; or why nobody can say.
    pub breaks: Vec<String>,
    /// What a change of a schema that breaks something is acknowledged by.
    pub fingerprint: Option<String>,
    /// Why it may break what it breaks, where somebody said so.
    pub acknowledged: Option<String>,
}

impl Change {
    /// The place as people are told it.
    pub fn place(&self) -> &str {
        if self.pointer.is_empty() { "/" } else { &self.pointer }
    }

    /// One that breaks nothing.
    fn plain(pointer: &str, what: String) -> Self {
        Self { pointer: pointer.to_owned(), what, breaks: Vec::new(), fingerprint: None, acknowledged: None }
    }

    /// Why it may break what it breaks, where somebody said so, as people are told it.
    pub(crate) fn reason(&self) -> Option<String> {
        self.acknowledged.as_ref().map(|reason| format!("acknowledged: {reason}"))
    }

    /// The lines below it in a report: what it breaks, and what it is acknowledged by.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let said = self.reason();
        let print = self.fingerprint.as_ref().map(|print| format!("fingerprint {print}"));
        self.breaks.iter().cloned().chain(said).chain(print)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}", self.place(), self.what)
    }
}

/// The differences between an old document and a new one. None where both say the same, in whatever layout and
/// order of keys.
pub fn between(old: &Value, new: &Value) -> Vec<Change> {
    if is_schema(old) && is_schema(new) {
        return of_schemas(old, new, &compare(old, new, &Options::default()), &Acknowledgements::default());
    }
    let mut differences = Differences { changes: Vec::new() };
    differences.values("", old, new);
    differences.changes
}

/// Whether a document is a JSON Schema, by what it says of itself.
pub(crate) fn is_schema(document: &Value) -> bool {
    document["$schema"].as_str().is_some_and(|address| address.contains("json-schema.org/"))
}

/// The differences of two schemas that were compared.
pub(crate) fn of_schemas(
    old: &Value,
    new: &Value,
    comparison: &Comparison,
    list: &Acknowledgements,
) -> Vec<Change> {
    let plain = Change::plain;
    let mut changes = Vec::new();
    if let Verdict::Invalid(side, message) = &comparison.backward {
        changes.push(plain("", format!("the {side} document is not a valid schema: {message}")));
    }
    if old["$id"] != new["$id"] {
        changes.push(plain(
            "/$id",
            format!("`$id` altered from {} to {}", shown(&old["$id"]), shown(&new["$id"])),
        ));
    }
    changes.extend(comparison.changes.iter().map(|change| {
        let breaks = breaks(&change.effect);
        Change {
            pointer: change.at().to_owned(),
            what: change.what(),
            fingerprint: (!breaks.is_empty()).then(|| change.fingerprint.clone()),
            acknowledged: list.reason(change).map(str::to_owned),
            breaks,
        }
    }));
    if changes.is_empty() && old != new {
        changes.push(plain("", "lists are in another order, or definitions have other names".to_owned()));
    }
    changes
}

fn breaks(effect: &Effect) -> Vec<String> {
    let broken = [("files", effect.files()), ("readers", effect.readers())];
    let mut lines: Vec<String> = broken
        .into_iter()
        .filter_map(|(whose, found)| {
            Some(format!("breaks existing {whose}, for example {}", example(found?)))
        })
        .collect();
    if let Effect::Unknown(reasons) = effect {
        for reason in reasons {
            let line = format!("what it breaks is not known: {reason}");
            // Both directions may have the same.
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// A document that breaks, on one line.
pub(crate) fn example(witness: &Witness) -> String {
    let text = cut(&witness.document.to_string(), SHOWN_WITNESS);
    if witness.declared_keys_only { text } else { format!("{text} (with a key that is not declared)") }
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

/// The differences of documents that are no schemas.
struct Differences {
    changes: Vec<Change>,
}

impl Differences {
    fn push(&mut self, pointer: &str, what: String) {
        self.changes.push(Change::plain(pointer, what));
    }

    fn values(&mut self, pointer: &str, old: &Value, new: &Value) {
        match (old, new) {
            (old, new) if old == new => {}
            (Value::Object(old), Value::Object(new)) => {
                for (key, before, after) in keys(old, new) {
                    let below = format!("{pointer}/{}", escape(key));
                    match (before, after) {
                        (Some(before), Some(after)) => self.values(&below, before, after),
                        (Some(before), None) => self.push(&below, format!("removed: {}", shown(before))),
                        (None, after) => {
                            self.push(&below, format!("added: {}", shown(after.unwrap_or(&Value::Null))));
                        }
                    }
                }
            }
            (Value::Array(old), Value::Array(new)) => self.lists(pointer, old, new),
            (old, new) => self.push(pointer, format!("{} is now {}", shown(old), shown(new))),
        }
    }

    /// Compares lists: entries that have a name by that, the others by their place.
    fn lists(&mut self, pointer: &str, old: &[Value], new: &[Value]) {
        let named = |items: &[Value]| items.iter().all(|item| item["name"].is_string());
        let place = |item: &Value, index: usize, items: &[Value]| -> Option<usize> {
            if named(old) && named(new) {
                items.iter().position(|other| other["name"] == item["name"])
            } else {
                (index < items.len()).then_some(index)
            }
        };
        let mut places = Vec::new();
        for (after, item) in new.iter().enumerate() {
            let below = format!("{pointer}/{after}");
            match place(item, after, old) {
                Some(before) => {
                    places.push(before);
                    self.values(&below, &old[before], item);
                }
                None => self.push(&below, format!("added: {}", shown(item))),
            }
        }
        for (before, item) in old.iter().enumerate() {
            if place(item, before, new).is_none() {
                self.push(&format!("{pointer}/{before}"), format!("removed: {}", shown(item)));
            }
        }
        if !places.is_sorted() {
            self.push(pointer, "the entries are in another order".to_owned());
        }
    }
}

fn shown(value: &Value) -> String {
    format!("`{}`", cut(&value.to_string(), SHOWN))
}

fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
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

    /// The differences, a line each, with what they break.
    fn lines(old: &Value, new: &Value) -> Vec<String> {
        let all = between(old, new);
        all.iter().flat_map(|change| [vec![change.to_string()], change.breaks.clone()].concat()).collect()
    }

    #[test]
    fn differences_of_schemas_are_told_with_what_they_break() {
        let tiers = |options: &[&str]| {
            let options: Vec<Value> =
                options.iter().map(|option| json!({ "const": option, "description": "One." })).collect();
            json!({ "$defs": { "T": { "oneOf": options } }, "properties": { "tier": { "$ref": "#/$defs/T" } } })
        };
        for (old, new, wanted) in [
            (
                tiers(&["local", "cloud"]),
                tiers(&["cloud"]),
                vec![
                    "/$defs/T/oneOf/0  option \"local\" removed",
                    "breaks existing files, for example {\"tier\":\"local\"}",
                ],
            ),
            (
                json!({ "description": "Old." }),
                json!({ "description": "New." }),
                vec!["/description  `description` altered from \"Old.\" to \"New.\""],
            ),
            (
                json!({ "properties": { "a": { "$ref": "#/$defs/A", "description": "x" } }, "$defs": { "A": {} } }),
                json!({ "properties": { "a": { "$ref": "#/$defs/A", "description": "y" } }, "$defs": { "A": {} } }),
                vec!["/properties/a/description  `description` altered from \"x\" to \"y\""],
            ),
            (
                json!({ "$id": "one" }),
                json!({ "$id": "two" }),
                vec!["/$id  `$id` altered from `\"one\"` to `\"two\"`"],
            ),
            (
                json!({ "enum": [1, 2] }),
                json!({ "enum": [2, 1] }),
                vec!["/  lists are in another order, or definitions have other names"],
            ),
            (
                json!({ "properties": {} }),
                json!({ "properties": { "a": { "type": "string" } } }),
                vec![
                    "/properties/a  property `a` added",
                    "breaks existing files, for example {\"a\":0} (with a key that is not declared)",
                ],
            ),
        ] {
            let mut found = lines(&schema(&old), &schema(&new));
            // Which value of another type shows it, is the comparison's choice.
            for line in &mut found {
                *line = line.replace("{\"a\":null}", "{\"a\":0}");
            }
            assert_eq!(found, wanted, "from {old} to {new}");
        }
        let broken = lines(&schema(&json!({ "type": 1 })), &schema(&json!({})));
        assert!(broken[0].starts_with("/  the old document is not a valid schema: "), "{broken:?}");
    }

    #[test]
    fn documents_that_are_no_schemas_are_compared_too() {
        let old = json!({ "version": 1, "schemas": [{ "name": "a", "files": ["x"] }, { "name": "b" }] });
        let new = json!({ "version": 2, "schemas": [{ "name": "b", "url": "u" }, { "name": "c" }] });
        assert_eq!(
            lines(&old, &new),
            [
                "/version  `1` is now `2`",
                "/schemas/0/url  added: `\"u\"`",
                "/schemas/1  added: `{\"name\":\"c\"}`",
                "/schemas/0  removed: `{\"name\":\"a\",\"files\":[\"x\"]}`",
            ]
        );
        assert_eq!(lines(&json!([1]), &json!({})), ["/  `[1]` is now `{}`"]);
        assert_eq!(lines(&json!({ "a~": 1 }), &json!({ "a~": "x".repeat(80) })).len(), 1);
    }

    #[test]
    fn the_same_in_another_layout_is_no_difference() {
        let one = schema(&json!({ "properties": { "a": { "type": "string", "title": "A" }, "b": {} } }));
        let other = schema(&json!({ "properties": { "b": {}, "a": { "title": "A", "type": "string" } } }));
        assert_eq!(lines(&one, &other), [""; 0]);
    }
}
