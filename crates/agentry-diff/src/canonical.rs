//! One text for all spellings of a value, so that order, and words about values, make no difference.

use crate::draft::Draft;
use crate::number;
use crate::parse::{LISTS, MAPS, SINGLE, TUPLES};
use serde_json::{Number, Value};

/// Keywords whose members have no order.
pub(crate) const OPTIONS: [&str; 3] = ["required", "type", "enum"];
/// Keywords whose members are keys.
pub(crate) const KEYED: [&str; 5] =
    ["properties", "patternProperties", "dependentSchemas", "dependentRequired", "dependencies"];
/// Other keywords that restrict values.
pub(crate) const PLAIN: [&str; 17] = [
    "const",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "format",
];
/// Keywords that hold definitions or names, and restrict nothing by themselves.
pub(crate) const NAMES: [&str; 9] = [
    "definitions",
    "$defs",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$schema",
    "$vocabulary",
];
/// Keywords that refer to another schema.
pub(crate) const REFERENCES: [&str; 3] = ["$ref", "$recursiveRef", "$dynamicRef"];

/// The text of a value: the keys of objects in order, and equal numbers alike.
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Object(members) => object(members.iter(), |_, member| self::value(member)),
        Value::Array(items) => list(items.iter().map(self::value)),
        Value::Number(number) => numeral(number),
        other => other.to_string(),
    }
}

/// The text of a schema: also the members of lists without order in order, and without what only describes.
pub(crate) fn schema(schema: &Value) -> String {
    let Value::Object(members) = schema else { return value(schema) };
    object(members.iter().filter(|(keyword, _)| says_something(keyword)), keyword)
}

/// The text of what stands at a keyword.
pub(crate) fn keyword(name: &str, at: &Value) -> String {
    match at {
        Value::Object(members) if MAPS.contains(&name) || KEYED.contains(&name) => {
            object(members.iter(), |_, value| member(name, value))
        }
        Value::Array(items) if TUPLES.contains(&name) => list(items.iter().map(schema)),
        Value::Array(items) if LISTS.contains(&name) => sorted(items.iter().map(schema)),
        Value::Array(items) if OPTIONS.contains(&name) => sorted(items.iter().map(value)),
        // One type is a list of one.
        Value::String(_) if name == "type" => sorted([value(at)].into_iter()),
        _ if name.is_empty() || SINGLE.contains(&name) => schema(at),
        _ => value(at),
    }
}

/// The text of a member of a keyword.
pub(crate) fn member(keyword: &str, value: &Value) -> String {
    match value {
        // Required keys.
        Value::Array(keys) if KEYED.contains(&keyword) => sorted(keys.iter().map(self::value)),
        _ if OPTIONS.contains(&keyword) => self::value(value),
        _ => schema(value),
    }
}

/// Whether a keyword may restrict values, in some draft, or names or holds something that does.
fn says_something(keyword: &str) -> bool {
    [&PLAIN[..], &KEYED, &OPTIONS, &LISTS, &SINGLE, &NAMES, &REFERENCES]
        .iter()
        .any(|keywords| keywords.contains(&keyword))
}

/// Whether a keyword says that a value fits other schemas.
pub(crate) fn leads_on(keyword: &str) -> bool {
    REFERENCES.contains(&keyword) || matches!(keyword, "allOf" | "anyOf" | "oneOf" | "not" | "if")
}

/// Whether a keyword restricts values in a draft.
pub(crate) fn restricts(keyword: &str, draft: Draft, formats: bool) -> bool {
    let first = match keyword {
        "format" if !formats => return false,
        "contentSchema" | "definitions" | "$defs" => return false,
        "const" | "contains" | "propertyNames" => Draft::Draft6,
        "if" | "then" | "else" => Draft::Draft7,
        "minContains"
        | "maxContains"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Draft::Draft201909,
        "prefixItems" => Draft::Draft202012,
        "$recursiveRef" => return draft == Draft::Draft201909,
        "$dynamicRef" => return draft == Draft::Draft202012,
        "additionalItems" => return draft < Draft::Draft202012,
        "$ref" => return true,
        keyword
            if PLAIN.contains(&keyword)
                || KEYED.contains(&keyword)
                || OPTIONS.contains(&keyword)
                || LISTS.contains(&keyword)
                || SINGLE.contains(&keyword) =>
        {
            return true;
        }
        _ => return false,
    };
    draft >= first
}

fn numeral(number: &Number) -> String {
    let whole = || number::read(number).filter(num_rational::BigRational::is_integer);
    match (number.is_f64(), number.is_f64().then(whole).flatten()) {
        (true, Some(whole)) => whole.to_integer().to_string(),
        _ => number.to_string(),
    }
}

fn object<'v>(
    members: impl Iterator<Item = (&'v String, &'v Value)>,
    text: impl Fn(&str, &Value) -> String,
) -> String {
    let mut members: Vec<(&String, &Value)> = members.collect();
    members.sort_by_key(|(name, _)| *name);
    let members = members
        .into_iter()
        .map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), text(name, value)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn sorted(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    items.sort();
    list(items.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn spellings_of_one_schema_have_one_text() {
        let one = json!({
            "type": ["object", "null"], "description": "words", "required": ["b", "a"], "x-more": 1,
            "properties": {"a": {"enum": [1, 2.0, {"k": 1, "l": 2}], "title": "t"}, "title": {"type": "string"}},
            "dependentRequired": {"a": ["x", "y"]},
            "anyOf": [{"minimum": 1.0}, {"maximum": 5, "$comment": "c"}], "not": {"const": 3, "default": 4}
        });
        let other = json!({
            "anyOf": [{"maximum": 5.0}, {"minimum": 1}],
            "properties": {"title": {"type": ["string"]}, "a": {"enum": [{"l": 2, "k": 1.0}, 2, 1], "examples": [1]}},
            "required": ["a", "b"], "type": ["null", "object"], "dependentRequired": {"a": ["y", "x"]},
            "not": {"const": 3}
        });
        assert_eq!(schema(&one), schema(&other));
        for (one, other) in [
            (json!({"prefixItems": [true, false]}), json!({"prefixItems": [false, true]})),
            (json!({"const": [1, 2]}), json!({"const": [2, 1]})),
            (json!({"const": {"description": "a"}}), json!({"const": {"description": "b"}})),
            (json!({"enum": [{"title": 1}]}), json!({"enum": [{"title": 2}]})),
            (json!({"properties": {"title": {"type": "string"}}}), json!({"properties": {}})),
            (
                json!({"properties": {"properties": {"title": "a", "pattern": "x"}}}),
                json!({"properties": {"properties": {"title": "a", "pattern": "y"}}}),
            ),
            (json!({"minimum": 1}), json!({"minimum": 1.5})),
            (json!({"$ref": "#/a"}), json!({"$ref": "#/b"})),
        ] {
            assert_ne!(schema(&one), schema(&other));
        }
    }
}
