//! Whether a schema can be tried at all: one that refers to itself without going on into the document has no meaning,
//! and one that doubles with every reference takes for ever.

use super::facts::Root;
use serde_json::Value;
use std::collections::HashMap;

/// How many schemas may hold of one value.
const MAX_WEIGHT: usize = 500;
/// How many references and parts may follow each other.
const MAX_CHAIN: usize = 200;

/// Whether no schema of a document leads back to itself in place, or to too many others.
pub(super) fn is_bearable(root: &Root<'_>) -> bool {
    let mut known = HashMap::new();
    let mut waiting = vec![root.value];
    while let Some(value) = waiting.pop() {
        if value.is_object() && weight(root, value, 0, &mut known).is_none() {
            return false;
        }
        match value {
            Value::Object(object) => waiting.extend(object.values()),
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
    true
}

/// How many schemas hold of the same value. None where there is no end, or none worth waiting for.
fn weight(
    root: &Root<'_>,
    schema: &Value,
    chain: usize,
    known: &mut HashMap<*const Value, Option<usize>>,
) -> Option<usize> {
    let Value::Object(object) = schema else { return Some(1) };
    if let Some(weight) = known.get(&std::ptr::from_ref(schema)) {
        return *weight;
    }
    if chain > MAX_CHAIN {
        return None;
    }
    // Whoever comes back here before it is known came in a circle.
    known.insert(std::ptr::from_ref(schema), None);
    let reference = object.get("$ref").and_then(Value::as_str);
    let target = reference.and_then(|reference| root.resolve(reference)).map(|at| at.schema);
    let lists =
        ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|key| object.get(key)?.as_array()).flatten();
    let single = ["not", "if", "then", "else"].into_iter().filter_map(|key| object.get(key));
    let dependent =
        object.get("dependentSchemas").and_then(Value::as_object).into_iter().flat_map(|all| all.values());
    let mut weight = 1_usize;
    for part in target.into_iter().chain(lists).chain(single).chain(dependent) {
        weight = weight.saturating_add(self::weight(root, part, chain + 1, known)?);
    }
    let weight = (weight <= MAX_WEIGHT).then_some(weight);
    known.insert(std::ptr::from_ref(schema), weight);
    weight
}
