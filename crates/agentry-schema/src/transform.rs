//! The steps from what a type derives to what is published. Each shows the JSON before and after it.

use crate::Form;
use crate::keyword::{self, Holds, KEYWORDS, in_place, in_place_mut, referred, rewrite};
use serde_json::{Map, Number, Value, json};
use std::collections::BTreeSet;

/// What a kind's type derives, made ready to be published in any draft.
pub(crate) fn apply(schema: &mut Value, form: Form) {
    unwrap_descriptions(schema);
    drop_rust_formats(schema);
    describe_tags(schema);
    write_whole_numbers(schema);
    if form == Form::File {
        accept_schema_key(schema);
    }
    drop_unused_definitions(schema);
}

/// Joins the lines of a paragraph. Doc comments are broken where the source is; an editor breaks hover text
/// where its window ends. Breaks between paragraphs and between the items of a list stay.
///
/// ```json
/// { "description": " The day on which\n it was checked.\n\n From: runtime.\n" }
/// { "description": "The day on which it was checked.\n\nFrom: runtime." }
/// ```
fn unwrap_descriptions(schema: &mut Value) {
    rewrite(schema, &mut |schema| {
        for key in ["title", "description", "$comment"] {
            if let Some(Value::String(text)) = schema.get_mut(key) {
                *text = unwrap(text);
            }
        }
    });
}

/// A text with every paragraph on one line.
pub(crate) fn unwrap(text: &str) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut open = String::new();
    let mut code = false;
    // Doc comments have one space before each line, and it is no part of the code.
    let mut margin = "";
    for line in text.lines() {
        let trimmed = line.trim();
        let fence = trimmed.starts_with("```");
        if code {
            open.push('\n');
            open.push_str(line.strip_prefix(margin).unwrap_or(line).trim_end());
            code = !fence;
            if fence {
                paragraphs.push(std::mem::take(&mut open));
            }
            continue;
        }
        if (trimmed.is_empty() || fence) && !open.is_empty() {
            paragraphs.push(std::mem::take(&mut open));
        }
        let numbered = is_numbered(trimmed) && is_numbered(&open);
        if !open.is_empty() {
            open.push(if is_bullet(trimmed) || numbered { '\n' } else { ' ' });
        }
        open.push_str(trimmed);
        code = fence;
        margin = if line.starts_with(' ') { " " } else { "" };
    }
    if !open.is_empty() {
        paragraphs.push(open);
    }
    paragraphs.join("\n\n")
}

fn is_bullet(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ")
}

/// A number starts an item only where a list is open: `1. ` may also end a sentence of a wrapped line.
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(". ")
}

/// The formats that name a Rust type. Validators warn of them or refuse them, and the bounds say it better.
pub(crate) const RUST_FORMATS: &[&str] = &[
    "int", "int8", "int16", "int32", "int64", "int128", "uint", "uint8", "uint16", "uint32", "uint64",
    "uint128", "float", "double", "char", "ip",
];

/// Lets a newer version add to the document what the tolerant reading keeps: other options in every list of options,
/// and other keys in closed tables. A list of options is a choice among texts of which each is described: a tag, which
/// decides what the rest of its table is, is not one.
///
/// ```json
/// { "properties": { "size": { "oneOf": [{ "description": "Large.", "const": "large" }] } },
///   "additionalProperties": false }
/// { "properties": { "size": { "anyOf": [{ "description": "Large.", "const": "large" },
///   { "description": "An option of a newer version.", "type": "string" }] } } }
/// ```
pub(crate) fn open(schema: &mut Value) {
    let is_option = |option: &Value| {
        let keys = option.as_object().map(Map::len);
        keys == Some(2) && option["description"].is_string() && option["const"].is_string()
    };
    rewrite(schema, &mut |schema| {
        if is_closed(schema) {
            for key in CLOSING {
                schema.shift_remove(key);
            }
        }
        let Some(Value::Array(options)) = schema.get("oneOf") else { return };
        if !options.iter().all(is_option) {
            return;
        }
        if let Some(Value::Array(mut options)) = schema.shift_remove("oneOf") {
            options.push(json!({ "description": "An option of a newer version.", "type": "string" }));
            schema.insert("anyOf".to_owned(), Value::Array(options));
        }
    });
}

/// Removes formats that name a Rust type.
///
/// ```json
/// { "type": "integer", "format": "uint8", "minimum": 0, "maximum": 255 }
/// { "type": "integer", "minimum": 0, "maximum": 255 }
/// ```
fn drop_rust_formats(schema: &mut Value) {
    rewrite(schema, &mut |schema| {
        if schema.get("format").and_then(Value::as_str).is_some_and(|format| RUST_FORMATS.contains(&format)) {
            schema.shift_remove("format");
        }
    });
}

/// Gives the tag of a variant the description of the variant: it is what an author wants to read when the
/// cursor is on the tag.
///
/// ```json
/// { "description": "Runs a program.", "properties": { "type": { "const": "stdio" } } }
/// { "description": "Runs a program.", "properties": { "type": { "description": "Runs a program.", "const": "stdio" } } }
/// ```
fn describe_tags(schema: &mut Value) {
    rewrite(schema, &mut |schema| {
        for key in ["oneOf", "anyOf"] {
            let Some(Value::Array(variants)) = schema.get_mut(key) else { continue };
            for variant in variants {
                let Some(description) = variant.get("description").cloned() else { continue };
                let Some(Value::Object(properties)) = variant.get_mut("properties") else { continue };
                for property in properties.values_mut().filter_map(Value::as_object_mut) {
                    if property.contains_key("const") && !property.contains_key("description") {
                        property.insert("description".to_owned(), description.clone());
                    }
                }
            }
        }
    });
}

/// Writes whole numbers without a fraction, as most JSON writers do: a document that went through one of them
/// is still the same text.
///
/// ```json
/// { "type": "number", "minimum": 0.0, "maximum": 2.0, "examples": [0.7] }
/// { "type": "number", "minimum": 0, "maximum": 2, "examples": [0.7] }
/// ```
fn write_whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let whole = number.as_f64().filter(|float| {
                number.is_f64() && float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0
            });
            if let Some(whole) = whole {
                #[expect(clippy::cast_possible_truncation, reason = "whole, and below 2^53")]
                let whole = whole as i64;
                *number = Number::from(whole);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(write_whole_numbers),
        Value::Object(entries) => entries.values_mut().for_each(write_whole_numbers),
        _ => {}
    }
}

/// Lets the document itself, and only it, have a `$schema` key: an annotation in every kind, also where the
/// table is closed. A closed definition that the document is made of and that other places use too is copied,
/// so that the key stays unknown in those places.
///
/// ```json
/// { "type": "object", "properties": { "name": {} }, "additionalProperties": false }
/// { "type": "object", "properties": { "name": {}, "$schema": { "type": "string" } }, "additionalProperties": false }
/// ```
fn accept_schema_key(root: &mut Value) {
    let Value::Object(root) = root else { return };
    if root.get("type").is_some_and(|kind| kind != "object") {
        return;
    }
    let definitions = root.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut copies = Map::new();
    permit(root, &definitions, &mut copies);
    add_schema_key(root);
    if copies.is_empty() {
        return;
    }
    if let Some(Value::Object(definitions)) = root.get_mut("$defs") {
        definitions.append(&mut copies.clone());
    }
    let mut root_value = Value::Object(std::mem::take(root));
    drop_unused_definitions(&mut root_value);
    // Where no other place uses the original, the copy takes its name.
    for copy in copies.keys() {
        let original = copy.strip_suffix(COPY).unwrap_or(copy);
        if root_value["$defs"].get(original).is_none() {
            rename_definition(&mut root_value, copy, original);
        }
    }
    if let Value::Object(changed) = root_value {
        *root = changed;
    }
}

/// What is added to the name of a definition that is copied for the document itself.
const COPY: &str = "Document";

fn add_schema_key(schema: &mut Map<String, Value>) {
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(properties) = properties {
        properties.insert(
            "$schema".to_owned(),
            json!({
                "description": "The JSON Schema that editors check this file against, as an address or a path. It is an \
                                annotation, and no part of what the file means.",
                "type": "string",
            }),
        );
    }
}

/// The keywords that close a table where they are `false`.
const CLOSING: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];

fn is_closed(schema: &Map<String, Value>) -> bool {
    CLOSING.iter().any(|key| schema.get(*key) == Some(&json!(false)))
}

fn permit(
    schema: &mut Map<String, Value>,
    definitions: &Map<String, Value>,
    copies: &mut Map<String, Value>,
) {
    if is_closed(schema) {
        add_schema_key(schema);
    }
    for part in in_place_mut(schema).filter_map(Value::as_object_mut) {
        permit(part, definitions, copies);
    }
    let Some(name) = referred(schema).map(str::to_owned) else { return };
    let Some(Value::Object(definition)) = definitions.get(&name) else { return };
    if !leads_to_closed(definition, definitions, &mut BTreeSet::new()) {
        return;
    }
    let copy = format!("{name}{COPY}");
    if !copies.contains_key(&copy) {
        // Entered before it is complete, so that a definition that refers to itself ends.
        copies.insert(copy.clone(), Value::Null);
        let mut definition = definition.clone();
        permit(&mut definition, definitions, copies);
        copies.insert(copy.clone(), Value::Object(definition));
    }
    schema.insert("$ref".to_owned(), json!(format!("#/$defs/{copy}")));
}

fn leads_to_closed(
    schema: &Map<String, Value>,
    definitions: &Map<String, Value>,
    seen: &mut BTreeSet<String>,
) -> bool {
    if is_closed(schema) {
        return true;
    }
    if let Some(name) = referred(schema)
        && seen.insert(name.to_owned())
        && let Some(Value::Object(definition)) = definitions.get(name)
        && leads_to_closed(definition, definitions, seen)
    {
        return true;
    }
    in_place(schema).filter_map(Value::as_object).any(|part| leads_to_closed(part, definitions, seen))
}

fn rename_definition(root: &mut Value, from: &str, to: &str) {
    if let Some(Value::Object(definitions)) = root.get_mut("$defs")
        && let Some(definition) = definitions.shift_remove(from)
    {
        definitions.insert(to.to_owned(), definition);
    }
    let (from, to) = (format!("#/$defs/{from}"), format!("#/$defs/{to}"));
    rewrite(root, &mut |schema| {
        if schema.get("$ref").and_then(Value::as_str) == Some(from.as_str()) {
            schema.insert("$ref".to_owned(), json!(to));
        }
    });
}

/// Leaves out definitions that nothing refers to: those of structs that became part of a larger table.
///
/// ```json
/// { "$ref": "#/$defs/A", "$defs": { "A": { "$ref": "#/$defs/B" }, "B": {}, "C": {} } }
/// { "$ref": "#/$defs/A", "$defs": { "A": { "$ref": "#/$defs/B" }, "B": {} } }
/// ```
fn drop_unused_definitions(root: &mut Value) {
    let mut used: BTreeSet<String> = BTreeSet::new();
    let Some(Value::Object(definitions)) = root.get_mut("$defs").map(Value::take) else { return };
    let mut waiting = references(root);
    while let Some(name) = waiting.pop() {
        if let Some(definition) = definitions.get(&name)
            && used.insert(name)
        {
            waiting.append(&mut references(definition));
        }
    }
    let kept: Map<String, Value> = definitions.into_iter().filter(|(name, _)| used.contains(name)).collect();
    if let Value::Object(root) = root {
        if kept.is_empty() {
            root.shift_remove("$defs");
        } else {
            root.insert("$defs".to_owned(), Value::Object(kept));
        }
    }
}

fn references(schema: &Value) -> Vec<String> {
    let mut names = Vec::new();
    keyword::visit(schema, &mut |_, schema| {
        names.extend(schema.as_object().and_then(referred).map(str::to_owned));
    });
    names
}

/// Writes keywords in one order, properties in the order of the type, and definitions by name: the text depends
/// on the types alone, and a new definition moves no other.
///
/// ```json
/// { "type": "object", "$defs": { "B": {}, "A": {} }, "description": "It is so." }
/// { "description": "It is so.", "type": "object", "$defs": { "A": {}, "B": {} } }
/// ```
pub(crate) fn order(schema: &mut Value) {
    rewrite(schema, &mut |schema| {
        let mut rest = std::mem::take(schema);
        for keyword in KEYWORDS {
            let Some(mut value) = rest.shift_remove(keyword.name) else { continue };
            if let (Holds::Named, "$defs" | "definitions", Value::Object(named)) =
                (keyword.holds, keyword.name, &mut value)
            {
                let mut entries: Vec<_> = std::mem::take(named).into_iter().collect();
                entries.sort_by(|(one, _), (other, _)| one.cmp(other));
                named.extend(entries);
            }
            schema.insert(keyword.name.to_owned(), value);
        }
        // A keyword that is not in the list is found by the checks.
        schema.append(&mut rest);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a transform makes of a schema, as text: key order counts.
    fn after(transform: fn(&mut Value), mut schema: Value) -> String {
        transform(&mut schema);
        schema.to_string()
    }

    #[test]
    fn paragraphs_lose_their_line_breaks_and_nothing_else() {
        for (before, wanted) in [
            (" One line.\n", "One line."),
            (" Broken\n here.\n", "Broken here."),
            (" One.\n\n\n Two,\n broken.\n", "One.\n\nTwo, broken."),
            (" Either:\n - one,\n   broken\n - two\n", "Either:\n- one, broken\n- two"),
            ("1. one\n2. two", "1. one\n2. two"),
            ("The least is\n1. More is better.", "The least is 1. More is better."),
            (
                " So:\n ```toml\n a = 1\n\n   b = 2\n ```\n Done.\n",
                "So:\n\n```toml\na = 1\n\n  b = 2\n```\n\nDone.",
            ),
            ("", ""),
        ] {
            assert_eq!(unwrap(before), wanted, "{before:?}");
            assert_eq!(unwrap(wanted), wanted, "{before:?} a second time");
        }
        assert_eq!(
            after(
                unwrap_descriptions,
                json!({ "properties": { "description": { "description": " a\n b" } } })
            ),
            r#"{"properties":{"description":{"description":"a b"}}}"#
        );
    }

    #[test]
    fn options_and_closed_tables_are_opened_and_tags_are_not() {
        let large = json!({ "description": "Large.", "const": "large" });
        let tagged = json!({ "oneOf": [
            { "description": "Runs it.", "properties": { "type": { "description": "Runs it.", "const": "run" } } },
        ] });
        let map = json!({ "additionalProperties": { "type": "string" } });
        let mut schema = json!({
            "properties": { "size": { "oneOf": [large] }, "how": tagged, "map": map },
            "additionalProperties": false,
            "$defs": { "Part": { "unevaluatedProperties": false } },
        });
        open(&mut schema);
        let newer = json!({ "description": "An option of a newer version.", "type": "string" });
        assert_eq!(
            schema,
            json!({
                "properties": { "size": { "anyOf": [large, newer] }, "how": tagged, "map": map },
                "$defs": { "Part": {} },
            })
        );
    }

    #[test]
    fn formats_of_rust_types_go_and_others_stay() {
        assert_eq!(
            after(drop_rust_formats, json!({ "items": { "format": "uint8" }, "format": "uri" })),
            r#"{"items":{},"format":"uri"}"#
        );
        // What looks like a schema and is a value stays.
        let value = json!({ "default": { "format": "uint8" } });
        assert_eq!(after(drop_rust_formats, value.clone()), value.to_string());
    }

    #[test]
    fn tags_are_described_by_their_variant() {
        assert_eq!(
            after(
                describe_tags,
                json!({ "oneOf": [
                    { "description": "Runs it.", "properties": {
                        "type": { "const": "run" }, "own": { "const": "x", "description": "Own." }, "other": {},
                    } },
                    { "properties": { "type": { "const": "stop" } } },
                ] })
            ),
            json!({ "oneOf": [
                { "description": "Runs it.", "properties": {
                    "type": { "const": "run", "description": "Runs it." },
                    "own": { "const": "x", "description": "Own." }, "other": {},
                } },
                { "properties": { "type": { "const": "stop" } } },
            ] })
            .to_string()
        );
    }

    #[test]
    fn whole_numbers_have_no_fraction() {
        assert_eq!(
            after(write_whole_numbers, json!({ "minimum": 0.0, "examples": [2.5, -3.0, 1e300, 7] })),
            json!({ "minimum": 0, "examples": [2.5, -3, 1e300, 7] }).to_string()
        );
    }

    #[test]
    fn an_open_root_describes_the_schema_key() {
        let mut schema =
            json!({ "type": "object", "oneOf": [{ "$ref": "#/$defs/A" }], "$defs": { "A": {} } });
        accept_schema_key(&mut schema);
        assert_eq!(schema["properties"]["$schema"]["type"], "string");
        assert_eq!(schema["$defs"], json!({ "A": {} }));
        let mut list = json!({ "type": "array" });
        accept_schema_key(&mut list);
        assert_eq!(list, json!({ "type": "array" }));
    }

    #[test]
    fn a_closed_root_allows_the_schema_key_and_only_there() {
        let closed = json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/A" } }, "additionalProperties": false });
        let mut only_root = json!({ "oneOf": [{ "$ref": "#/$defs/B" }], "$defs": {
            "B": { "type": "object", "additionalProperties": false },
        } });
        accept_schema_key(&mut only_root);
        assert_eq!(only_root["oneOf"][0]["$ref"], "#/$defs/B");
        assert!(only_root["$defs"]["B"]["properties"]["$schema"].is_object());

        let mut elsewhere_too = json!({ "allOf": [{ "$ref": "#/$defs/A" }], "$defs": { "A": closed } });
        accept_schema_key(&mut elsewhere_too);
        assert_eq!(elsewhere_too["allOf"][0]["$ref"], "#/$defs/ADocument");
        let definitions = &elsewhere_too["$defs"];
        assert!(definitions["ADocument"]["properties"]["$schema"].is_object());
        assert_eq!(definitions["ADocument"]["properties"]["next"]["$ref"], "#/$defs/A");
        assert_eq!(definitions["A"]["properties"].get("$schema"), None);
    }

    #[test]
    fn a_definition_that_refers_to_itself_ends() {
        let mut schema = json!({ "$ref": "#/$defs/A", "$defs": {
            "A": { "additionalProperties": false, "anyOf": [{ "$ref": "#/$defs/A" }, {}] },
        } });
        apply(&mut schema, Form::File);
        assert!(schema["$defs"]["A"]["properties"]["$schema"].is_object());
    }

    #[test]
    fn unused_definitions_go() {
        assert_eq!(
            after(
                drop_unused_definitions,
                json!({ "$ref": "#/$defs/A", "$defs": { "A": { "items": { "$ref": "#/$defs/B" } }, "B": {}, "C": { "$ref": "#/$defs/A" } } })
            ),
            r##"{"$ref":"#/$defs/A","$defs":{"A":{"items":{"$ref":"#/$defs/B"}},"B":{}}}"##
        );
        assert_eq!(after(drop_unused_definitions, json!({ "$defs": { "C": {} } })), "{}");
    }

    #[test]
    fn keywords_have_one_order_and_properties_that_of_the_type() {
        assert_eq!(
            after(
                order,
                json!({
                    "required": ["b"], "x-own": 1, "$defs": { "B": {}, "A": { "type": "string", "title": "t" } },
                    "properties": { "b": {}, "a": {} }, "default": { "type": 1, "title": 2 }, "title": "T",
                })
            ),
            r#"{"title":"T","properties":{"b":{},"a":{}},"required":["b"],"default":{"type":1,"title":2},"$defs":{"A":{"title":"t","type":"string"},"B":{}},"x-own":1}"#
        );
    }
}
