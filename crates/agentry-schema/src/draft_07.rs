//! From Draft 2020-12 to Draft 7, which most editors know best.

use crate::keyword::{in_place, referred, rewrite};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Says in Draft 7 what a schema says in Draft 2020-12. What Draft 7 cannot say is left as it is, and found by
/// the checks: a document is never weakened in silence.
pub(crate) fn convert(schema: &mut Value) {
    close_without_unevaluated(schema);
    replace_tuples(schema);
    join_dependencies(schema);
    separate_references(schema);
    rename_definitions(schema);
}

/// States the keys of a closed table where a table is made of parts: `additionalProperties` sees only the keys
/// beside it. Keys of parts that always hold are named beside it; of alternatives, each is closed by itself.
///
/// ```json
/// { "properties": { "a": {} }, "oneOf": [{ "properties": { "t": { "const": "b" }, "b": {} }, "required": ["t"] }],
///   "unevaluatedProperties": false }
/// { "properties": { "a": {} }, "oneOf": [{ "properties": { "t": { "const": "b" }, "b": {}, "a": true },
///   "required": ["t"], "additionalProperties": false }] }
/// ```
fn close_without_unevaluated(root: &mut Value) {
    let definitions = root.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    rewrite(root, &mut |schema| {
        if schema.get("unevaluatedProperties") == Some(&json!(false)) {
            let mut closed = schema.clone();
            closed.shift_remove("unevaluatedProperties");
            if close(&mut closed, &BTreeSet::new(), &definitions).is_some() {
                *schema = closed;
            }
        }
    });
}

/// Closes a table that may also have the keys `allowed`. None where it cannot be said.
fn close(
    schema: &mut Map<String, Value>,
    allowed: &BTreeSet<String>,
    definitions: &Map<String, Value>,
) -> Option<()> {
    let mut keys = allowed.clone();
    let mut certain = schema.clone();
    let alternatives = certain.shift_remove("oneOf");
    certain_keys(&certain, definitions, &mut keys, 0)?;
    let Some(Value::Array(mut alternatives)) = alternatives else {
        let properties = schema.entry("properties").or_insert_with(|| json!({}));
        for key in keys {
            properties.as_object_mut()?.entry(key).or_insert(json!(true));
        }
        schema.insert("additionalProperties".to_owned(), json!(false));
        return Some(());
    };
    for alternative in &mut alternatives {
        let alternative = alternative.as_object_mut()?;
        if let Some(name) = referred(alternative) {
            let definition = definitions.get(name)?.as_object()?.clone();
            alternative.shift_remove("$ref");
            for (key, value) in definition {
                // Two keywords of one name: an `allOf` would hide the keys again.
                let before = alternative.insert(key.clone(), value);
                if before.is_some() && !matches!(key.as_str(), "description" | "title" | "type") {
                    return None;
                }
            }
        }
    }
    if !are_tagged(&alternatives) {
        return None;
    }
    for alternative in &mut alternatives {
        close(alternative.as_object_mut()?, &keys, definitions)?;
    }
    schema.insert("oneOf".to_owned(), Value::Array(alternatives));
    Some(())
}

/// Whether one required key tells the alternatives apart. Else closing them could turn two that match, which is
/// one too many, into one.
fn are_tagged(alternatives: &[Value]) -> bool {
    let tag = |alternative: &Value, key: &str| {
        let required = alternative.get("required")?.as_array()?.iter().any(|name| name == key);
        alternative.get("properties")?.get(key)?.get("const").filter(|_| required).map(Value::to_string)
    };
    let first = alternatives.first().and_then(|first| first.get("required")?.as_array());
    first.into_iter().flatten().filter_map(Value::as_str).any(|key| {
        let tags: BTreeSet<_> = alternatives.iter().filter_map(|alternative| tag(alternative, key)).collect();
        tags.len() == alternatives.len()
    })
}

/// The keys that a schema evaluates whatever the value is. None where that depends on the value.
fn certain_keys(
    schema: &Map<String, Value>,
    definitions: &Map<String, Value>,
    keys: &mut BTreeSet<String>,
    depth: usize,
) -> Option<()> {
    if depth > 16 || schema.contains_key("patternProperties") || schema.contains_key("dependentSchemas") {
        return None;
    }
    let own = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    keys.extend(own.map(|(key, _)| key.clone()));
    if let Some(name) = referred(schema) {
        certain_keys(definitions.get(name)?.as_object()?, definitions, keys, depth + 1)?;
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        certain_keys(part.as_object()?, definitions, keys, depth + 1)?;
    }
    // A condition or an alternative may only speak of keys that are known already.
    let mut others = keys.clone();
    let depends = ["anyOf", "oneOf"].iter().filter_map(|key| schema.get(*key)?.as_array()).flatten();
    let conditions = ["if", "then", "else"].iter().filter_map(|key| schema.get(*key));
    for part in depends.chain(conditions).filter_map(Value::as_object) {
        for inner in std::iter::once(part).chain(in_place(part).filter_map(Value::as_object)) {
            certain_keys(inner, definitions, &mut others, depth + 1)?;
        }
    }
    others.is_subset(keys).then_some(())
}

/// Names the parts of a tuple as Draft 7 does.
///
/// ```json
/// { "prefixItems": [{ "type": "string" }], "items": false }
/// { "items": [{ "type": "string" }], "additionalItems": false }
/// ```
fn replace_tuples(schema: &mut Value) {
    rewrite(schema, &mut |schema| {
        let Some(first) = schema.shift_remove("prefixItems") else { return };
        if let Some(rest) = schema.insert("items".to_owned(), first) {
            schema.insert("additionalItems".to_owned(), rest);
        }
    });
}

/// Joins the two sorts of dependencies, which Draft 7 has under one keyword.
///
/// ```json
/// { "dependentRequired": { "a": ["b"] } }
/// { "dependencies": { "a": ["b"] } }
/// ```
fn join_dependencies(schema: &mut Value) {
    rewrite(schema, &mut |schema| {
        let mut joined = Map::new();
        for key in ["dependentRequired", "dependentSchemas"] {
            let Some(Value::Object(some)) = schema.shift_remove(key) else { continue };
            for (name, value) in some {
                let both = match joined.shift_remove(&name) {
                    Some(Value::Array(required)) => json!({ "required": required, "allOf": [value] }),
                    _ => value,
                };
                joined.insert(name, both);
            }
        }
        if !joined.is_empty() {
            schema.insert("dependencies".to_owned(), Value::Object(joined));
        }
    });
}

/// Sets a reference apart: Draft 7 ignores everything beside `$ref`, the description too.
///
/// ```json
/// { "description": "Its tier.", "$ref": "#/$defs/Tier", "default": "fast" }
/// { "description": "Its tier.", "allOf": [{ "$ref": "#/$defs/Tier" }], "default": "fast" }
/// ```
fn separate_references(schema: &mut Value) {
    rewrite(schema, &mut |schema| {
        if schema.len() < 2 {
            return;
        }
        let Some(reference) = schema.shift_remove("$ref") else { return };
        if let Value::Array(all) = schema.entry("allOf").or_insert_with(|| json!([])) {
            all.insert(0, json!({ "$ref": reference }));
        }
    });
}

/// Calls definitions what Draft 7 calls them.
///
/// ```json
/// { "$ref": "#/$defs/A", "$defs": { "A": {} } }
/// { "$ref": "#/definitions/A", "definitions": { "A": {} } }
/// ```
fn rename_definitions(schema: &mut Value) {
    rewrite(schema, &mut |schema| {
        if let Some(name) = referred(schema) {
            let reference = format!("#/definitions/{name}");
            schema.insert("$ref".to_owned(), json!(reference));
        }
        if let Some(definitions) = schema.shift_remove("$defs") {
            schema.insert("definitions".to_owned(), definitions);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_says_the_same_in_the_older_draft() {
        for (before, wanted) in [
            (
                json!({ "description": "Its tier.", "$ref": "#/$defs/T", "default": "fast", "$defs": { "T": {} } }),
                json!({ "description": "Its tier.", "default": "fast", "allOf": [{ "$ref": "#/definitions/T" }],
                        "definitions": { "T": {} } }),
            ),
            (
                json!({ "items": { "$ref": "#/$defs/T", "allOf": [{ "minLength": 1 }] } }),
                json!({ "items": { "allOf": [{ "$ref": "#/definitions/T" }, { "minLength": 1 }] } }),
            ),
            (json!({ "items": { "$ref": "#/$defs/T" } }), json!({ "items": { "$ref": "#/definitions/T" } })),
            (
                json!({ "prefixItems": [{ "type": "string" }], "items": false }),
                json!({ "items": [{ "type": "string" }], "additionalItems": false }),
            ),
            (
                json!({ "dependentRequired": { "a": ["b"], "c": ["d"] }, "dependentSchemas": { "a": { "minProperties": 2 } } }),
                json!({ "dependencies": {
                    "c": ["d"], "a": { "required": ["b"], "allOf": [{ "minProperties": 2 }] },
                } }),
            ),
            (
                json!({ "properties": { "a": {} }, "allOf": [{ "$ref": "#/$defs/P" }], "unevaluatedProperties": false,
                        "$defs": { "P": { "properties": { "p": {} } } } }),
                json!({ "properties": { "a": {}, "p": true }, "allOf": [{ "$ref": "#/definitions/P" }],
                        "additionalProperties": false, "definitions": { "P": { "properties": { "p": {} } } } }),
            ),
            // A condition within a condition speaks of known keys too.
            (
                json!({ "properties": { "a": {}, "b": {} }, "unevaluatedProperties": false, "allOf": [
                    { "if": { "required": ["a"] }, "else": { "if": { "properties": { "b": { "const": 1 } } }, "then": {} } },
                ] }),
                json!({ "properties": { "a": {}, "b": {} }, "allOf": [
                    { "if": { "required": ["a"] }, "else": { "if": { "properties": { "b": { "const": 1 } } }, "then": {} } },
                ], "additionalProperties": false }),
            ),
            (
                json!({ "properties": { "a": {} }, "unevaluatedProperties": false,
                        "oneOf": [{ "properties": { "t": { "const": 1 }, "b": {} }, "required": ["t"] },
                                  { "$ref": "#/$defs/C", "description": "C." }],
                        "$defs": { "C": { "properties": { "t": { "const": 2 } }, "required": ["t"] } } }),
                json!({ "properties": { "a": {} },
                        "oneOf": [
                            { "properties": { "t": { "const": 1 }, "b": {}, "a": true }, "required": ["t"],
                              "additionalProperties": false },
                            { "description": "C.", "properties": { "t": { "const": 2 }, "a": true }, "required": ["t"],
                              "additionalProperties": false },
                        ],
                        "definitions": { "C": { "properties": { "t": { "const": 2 } }, "required": ["t"] } } }),
            ),
        ] {
            let mut after = before.clone();
            convert(&mut after);
            assert_eq!(after, wanted, "of {before}");
        }
    }

    #[test]
    fn what_cannot_be_said_is_left_for_the_checks_to_find() {
        let a = json!({ "properties": { "a": {} } });
        for part in [
            json!({ "anyOf": [a, {}] }),
            json!({ "oneOf": [a, {}] }),
            json!({ "if": a, "then": {} }),
            json!({ "patternProperties": { "^x": {} } }),
        ] {
            let mut schema = part.clone();
            schema["unevaluatedProperties"] = json!(false);
            let before = schema.clone();
            convert(&mut schema);
            assert_eq!(schema, before);
        }
    }
}
