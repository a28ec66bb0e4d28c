//! What every published schema keeps to. The tests hold each document to it.

use crate::keyword::{self, Place};
use crate::transform::{RUST_FORMATS, unwrap};
use crate::{BASE, Draft, Form, pattern};
use serde_json::{Map, Value};
use std::fmt;

/// Something that keeps a schema from being published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The JSON pointer of the place.
    pub pointer: String,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", if self.pointer.is_empty() { "/" } else { &self.pointer }, self.message)
    }
}

/// Everything that keeps a schema of a form from being published in a draft.
pub fn check(schema: &Value, draft: Draft, form: Form) -> Vec<Problem> {
    let mut problems = Vec::new();
    header(schema, draft, form, &mut problems);
    no_null(schema, &mut String::new(), &mut problems);
    let empty = Map::new();
    let definitions = schema.get(draft.definitions()).and_then(Value::as_object).unwrap_or(&empty);
    keyword::visit(schema, &mut |place, schema| {
        let mut report = |message: String| {
            problems.push(Problem { pointer: place.pointer.clone(), message });
        };
        described(place, schema, &mut report);
        if let ("$defs" | "definitions", Some(name)) = (place.keyword, place.name) {
            well_named(name, definitions, &mut report);
        }
        let Value::Object(schema) = schema else { return };
        known_keywords(schema, draft, &mut report);
        no_chance_null(place, schema, &mut report);
        well_described(schema, &mut report);
        bounded(place, schema, form, &mut report);
        portable(schema, &mut report);
        resolved(schema, draft, definitions, &mut report);
    });
    problems
}

/// The root says which draft it is in, which document it is, of which version, and what it is about; and it
/// describes the `$schema` key of a file.
fn header(schema: &Value, draft: Draft, form: Form, problems: &mut Vec<Problem>) {
    let mut report = |key: &str, message: String| {
        problems.push(Problem { pointer: format!("/{key}"), message });
    };
    let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default();
    if text("$schema") != draft.meta_schema() {
        report("$schema", format!("must be `{}`", draft.meta_schema()));
    }
    let version =
        text("$comment").split_once("Version ").map_or("", |(_, rest)| rest.split(';').next().unwrap_or(""));
    let numbers: Vec<&str> = version.split('.').collect();
    if numbers.len() != 3 || numbers.iter().any(|number| number.parse::<u32>().is_err()) {
        report("$comment", "must state the version as three numbers".to_owned());
    }
    let prefix = format!("{BASE}/v{}/", numbers[0]);
    if !text("$id").starts_with(&prefix) {
        report("$id", format!("must start with `{prefix}`: the address carries the major version"));
    }
    for key in ["title", "description"] {
        if text(key).is_empty() {
            report(key, "must be there".to_owned());
        }
    }
    if form != Form::File {
        if schema.pointer("/properties/$schema").is_some() {
            report("properties", "must leave `$schema` out: only files name their schema".to_owned());
        }
    } else if schema.get("type").is_none_or(|kind| kind == "object")
        && schema.pointer("/properties/$schema").is_none()
    {
        report("properties", "must describe `$schema`: it is an annotation in every file".to_owned());
    }
}

/// No default, example or option is null: where a key may be null, that is the same as leaving it out.
fn no_null(value: &Value, pointer: &mut String, problems: &mut Vec<Problem>) {
    let entries: Vec<(String, &Value)> = match value {
        Value::Null => {
            problems.push(Problem { pointer: pointer.clone(), message: "null is never a value".to_owned() });
            return;
        }
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        Value::Object(entries) => entries.iter().map(|(key, item)| (keyword::escape(key), item)).collect(),
        _ => return,
    };
    for (segment, item) in entries {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&segment);
        no_null(item, pointer, problems);
        pointer.truncate(length);
    }
}

/// Every property, every option and every definition has a description.
fn described(place: &Place<'_>, schema: &Value, report: &mut impl FnMut(String)) {
    if place.tests {
        return;
    }
    let what = match place.keyword {
        "properties" | "patternProperties" => "property",
        "$defs" | "definitions" => "definition",
        "oneOf" | "anyOf" if schema.get("const").is_some() => "option",
        _ => return,
    };
    // `true` names a property that is described elsewhere, in a table that is made of parts.
    if !(what == "property" && schema == true) && schema.get("description").is_none() {
        report(format!("the {what} has no description"));
    }
}

fn known_keywords(schema: &Map<String, Value>, draft: Draft, report: &mut impl FnMut(String)) {
    for key in schema.keys() {
        match keyword::find(key) {
            None => report(format!("`{key}` is no keyword that published schemas use")),
            Some(keyword) if keyword.only.is_some_and(|only| only != draft) => {
                report(format!("{} has no keyword `{key}`", draft.name()));
            }
            Some(_) => {}
        }
    }
    if draft == Draft::V07 && schema.contains_key("$ref") && schema.len() > 1 {
        report("Draft 7 ignores what stands beside `$ref`".to_owned());
    }
}

/// Null is a value only where a schema says by itself what it means, or that it is not meant. A type that happens to
/// be optional in Rust is no reason.
fn no_chance_null(place: &Place<'_>, schema: &Map<String, Value>, report: &mut impl FnMut(String)) {
    let null = |kind: &Value| kind == "null";
    let Some(kind) = schema.get("type") else { return };
    let meant = schema.contains_key("description") || place.tests;
    if null(kind) && !meant || kind.as_array().is_some_and(|all| all.iter().any(null)) {
        report("null is never a value, unless a branch of its own says what it means".to_owned());
    }
}

/// Descriptions are prose for people: no links of Rust's documentation, no line breaks within a paragraph.
fn well_described(schema: &Map<String, Value>, report: &mut impl FnMut(String)) {
    let Some(description) = schema.get("description") else { return };
    let Some(text) = description.as_str().filter(|text| !text.is_empty()) else {
        return report("the description is empty".to_owned());
    };
    if text.contains("[`") {
        report("the description holds a link of Rust's documentation".to_owned());
    }
    if unwrap(text) != text {
        report("the description holds a line break within a paragraph, or spaces around one".to_owned());
    }
}

/// A whole number has bounds: readers hold it in a type that does. A test of a value holds nothing, those of contracts
/// are kept whatever their size, and what is counted has no end.
fn bounded(place: &Place<'_>, schema: &Map<String, Value>, form: Form, report: &mut impl FnMut(String)) {
    let integer = match schema.get("type") {
        Some(Value::Array(all)) => all.iter().any(|kind| kind == "integer"),
        Some(kind) => kind == "integer",
        None => false,
    };
    let either = |one: &str, other: &str| schema.contains_key(one) || schema.contains_key(other);
    let exact = either("const", "enum");
    let both_bounds = either("minimum", "exclusiveMinimum") && either("maximum", "exclusiveMaximum");
    if integer && !exact && !both_bounds && !place.tests && form == Form::File {
        report("an integer without bounds".to_owned());
    }
    if let Some(format) = schema.get("format").and_then(Value::as_str)
        && RUST_FORMATS.contains(&format)
    {
        report(format!("the format `{format}` names a Rust type"));
    }
}

/// Patterns mean the same in every dialect of regular expressions.
fn portable(schema: &Map<String, Value>, report: &mut impl FnMut(String)) {
    let named = schema.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
    let patterns = schema.get("pattern").and_then(Value::as_str).into_iter();
    for pattern in patterns.chain(named.map(|(pattern, _)| pattern.as_str())) {
        if let Some(reason) = pattern::unportable(pattern) {
            report(format!("the pattern `{pattern}` is not portable: {reason}"));
        }
    }
}

fn resolved(
    schema: &Map<String, Value>,
    draft: Draft,
    definitions: &Map<String, Value>,
    report: &mut impl FnMut(String),
) {
    let Some(reference) = schema.get("$ref") else { return };
    let reference = reference.as_str().unwrap_or_default();
    let name = reference.strip_prefix(&format!("#/{}/", draft.definitions()));
    if !name.is_some_and(|name| definitions.contains_key(name)) {
        report(format!("`{reference}` refers to no definition of this document"));
    }
}

/// Two types of one name get a number, which depends on the order in which they are met, and tells nobody
/// anything.
fn well_named(name: &str, definitions: &Map<String, Value>, report: &mut impl FnMut(String)) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem != name && definitions.contains_key(stem) {
        report(format!("two types are called `{stem}`: give one another name"));
    }
    let first = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !first || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        report("a definition is named by ASCII letters, digits and `_`".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn good(draft: Draft) -> Value {
        json!({
            "$schema": draft.meta_schema(),
            "$id": format!("{BASE}/v1/schemas/x.schema.json"),
            "$comment": "Version 1.2.3; made from the types.",
            "title": "Agentry x",
            "description": "An x.",
            "type": "object",
            "properties": { "$schema": { "description": "The schema.", "type": "string" } },
        })
    }

    #[test]
    fn a_good_schema_has_no_problem() {
        for &draft in Draft::ALL {
            assert_eq!(check(&good(draft), draft, Form::File), []);
        }
    }

    #[test]
    fn each_fault_is_found_at_its_place() {
        for (pointer, planted, at, message) in [
            ("/$schema", json!("x"), "/$schema", "must be"),
            ("/$id", json!("https://example.com/x"), "/$id", "major version"),
            ("/$id", json!(format!("{BASE}/v2/schemas/x.schema.json")), "/$id", "/v1/"),
            ("/$comment", json!("Version one."), "/$comment", "three numbers"),
            ("/title", json!(""), "/title", "must be there"),
            ("/description", json!("A\nb."), "", "line break"),
            ("/description", json!(" A b."), "", "spaces"),
            ("/description", json!("A [`B`]."), "", "link"),
            ("/properties", json!({}), "/properties", "must describe `$schema`"),
            (
                "/properties/a~1b",
                json!({ "type": "string" }),
                "/properties/a~1b",
                "property has no description",
            ),
            ("/patternProperties", json!({ "^a$": {} }), "/patternProperties/^a$", "no description"),
            ("/patternProperties", json!({ "\\d": { "description": "D." } }), "", "not portable"),
            ("/$defs", json!({ "A": {} }), "/$defs/A", "definition has no description"),
            ("/$defs", json!({ "A": { "description": "" } }), "/$defs/A", "description is empty"),
            ("/$defs", json!({ "A": true, "A2": true }), "/$defs/A2", "two types are called `A`"),
            ("/$defs", json!({ "A<B>": true }), "/$defs/A<B>", "named by"),
            ("/oneOf", json!([{ "const": "a" }]), "/oneOf/0", "option has no description"),
            ("/type", json!(["object", "null"]), "", "null is never"),
            (
                "/items",
                json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
                "/items/anyOf/1",
                "null is never",
            ),
            ("/default", json!({ "a": [null] }), "/default/a/0", "null is never"),
            ("/x-version", json!("1.0.0"), "", "no keyword that"),
            ("/dependencies", json!({}), "", "2020-12 has no keyword"),
            ("/items", json!({ "type": "integer", "minimum": 0 }), "/items", "without bounds"),
            ("/items", json!({ "type": ["string", "integer"] }), "/items", "without bounds"),
            ("/items", json!({ "format": "double" }), "/items", "names a Rust type"),
            ("/items", json!({ "pattern": "^\\d$" }), "/items", "not portable"),
            ("/items", json!({ "$ref": "#" }), "/items", "refers to no definition"),
            ("/items", json!({ "$ref": "#/$defs/B" }), "/items", "refers to no definition"),
        ] {
            let mut schema = good(Draft::V2020_12);
            let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
            schema.pointer_mut(parent).expect("it is there")[key.replace("~1", "/").as_str()] =
                planted.clone();
            let problems = check(&schema, Draft::V2020_12, Form::File);
            assert!(
                problems.iter().any(|problem| problem.pointer == at && problem.message.contains(message)),
                "{pointer} = {planted}: {problems:?}"
            );
        }
    }

    #[test]
    fn the_older_draft_has_faults_of_its_own() {
        let mut schema = good(Draft::V07);
        schema["items"] = json!({ "$ref": "#/definitions/A", "description": "Beside." });
        schema["unevaluatedProperties"] = json!(false);
        schema["definitions"] = json!({ "A": { "description": "An a." } });
        let problems: Vec<String> =
            check(&schema, Draft::V07, Form::File).iter().map(ToString::to_string).collect();
        assert_eq!(
            problems,
            [
                "/: draft-07 has no keyword `unevaluatedProperties`",
                "/items: Draft 7 ignores what stands beside `$ref`"
            ]
        );
    }

    #[test]
    fn calls_have_no_schema_key_and_whole_numbers_of_any_size() {
        let mut schema = good(Draft::V2020_12);
        schema["properties"]["count"] = json!({ "description": "How many.", "type": "integer" });
        let problems = |schema: &Value, form| -> Vec<String> {
            check(schema, Draft::V2020_12, form).iter().map(ToString::to_string).collect()
        };
        assert_eq!(problems(&schema, Form::File), ["/properties/count: an integer without bounds"]);
        assert_eq!(
            problems(&schema, Form::Call),
            ["/properties: must leave `$schema` out: only files name their schema"]
        );
        schema["properties"] = json!({ "count": schema["properties"]["count"] });
        assert_eq!(problems(&schema, Form::Call), [""; 0]);
    }

    #[test]
    fn what_only_tests_a_value_needs_no_description_and_no_bounds() {
        let mut schema = good(Draft::V2020_12);
        schema["if"] = json!({ "properties": { "a": { "const": "x" } } });
        schema["not"] = json!({ "properties": { "b": { "type": "integer" } } });
        schema["items"] = json!({ "type": "integer", "enum": [1, 2] });
        assert_eq!(check(&schema, Draft::V2020_12, Form::File), []);
    }
}
