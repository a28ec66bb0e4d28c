//! The keywords of JSON Schema that published documents may use, in the order in which they are written, and
//! walks over schemas that follow them.
//!
//! A walk must know which keywords hold schemas: the value of `default` or `const` may look like a schema and
//! is none, and a property may be called `properties`.

use crate::Draft;
use serde_json::{Map, Value};

/// What the value of a keyword is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Anything but schemas.
    Plain,
    /// One schema; in the older drafts `items` may also be a list of them.
    Schema,
    /// A list of schemas.
    List,
    /// Schemas by name.
    Named,
}

/// A keyword of JSON Schema.
#[derive(Clone, Copy, Debug)]
pub struct Keyword {
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub holds: Holds,
    /// The draft that knows it; None where every draft does.
    pub only: Option<Draft>,
}

const fn plain(name: &'static str) -> Keyword {
    Keyword { name, holds: Holds::Plain, only: None }
}

const fn holding(holds: Holds, name: &'static str) -> Keyword {
    Keyword { name, holds, only: None }
}

impl Keyword {
    const fn only(mut self, draft: Draft) -> Self {
        self.only = Some(draft);
        self
    }
}

/// Every keyword, in the order in which a schema is written: what it is, what it says to people, what it asks
/// for, what it is made of, and last the definitions.
pub const KEYWORDS: &[Keyword] = &[
    plain("$schema"),
    plain("$id"),
    plain("$comment"),
    plain("title"),
    plain("description"),
    plain("deprecated"),
    plain("readOnly"),
    plain("writeOnly"),
    plain("$ref"),
    plain("type"),
    plain("const"),
    plain("enum"),
    plain("format"),
    plain("pattern"),
    plain("minLength"),
    plain("maxLength"),
    plain("minimum"),
    plain("exclusiveMinimum"),
    plain("maximum"),
    plain("exclusiveMaximum"),
    plain("multipleOf"),
    plain("contentEncoding"),
    plain("contentMediaType"),
    holding(Holds::List, "prefixItems").only(Draft::V2020_12),
    holding(Holds::Schema, "items"),
    holding(Holds::Schema, "additionalItems").only(Draft::V07),
    holding(Holds::Schema, "contains"),
    plain("minContains").only(Draft::V2020_12),
    plain("maxContains").only(Draft::V2020_12),
    plain("minItems"),
    plain("maxItems"),
    plain("uniqueItems"),
    holding(Holds::Named, "properties"),
    holding(Holds::Named, "patternProperties"),
    holding(Holds::Schema, "additionalProperties"),
    holding(Holds::Schema, "unevaluatedProperties").only(Draft::V2020_12),
    holding(Holds::Schema, "propertyNames"),
    plain("required"),
    plain("dependentRequired").only(Draft::V2020_12),
    holding(Holds::Named, "dependentSchemas").only(Draft::V2020_12),
    holding(Holds::Named, "dependencies").only(Draft::V07),
    plain("minProperties"),
    plain("maxProperties"),
    holding(Holds::List, "allOf"),
    holding(Holds::List, "anyOf"),
    holding(Holds::List, "oneOf"),
    holding(Holds::Schema, "not"),
    holding(Holds::Schema, "if"),
    holding(Holds::Schema, "then"),
    holding(Holds::Schema, "else"),
    plain("default"),
    plain("examples"),
    holding(Holds::Named, "$defs").only(Draft::V2020_12),
    holding(Holds::Named, "definitions").only(Draft::V07),
];

/// A keyword by its name.
pub fn find(name: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.name == name)
}

/// Keywords below which schemas only test a value: nobody reads a hover text there.
const TESTS: &[&str] =
    &["contains", "propertyNames", "dependentSchemas", "dependencies", "not", "if", "then", "else"];

/// Where a walk is.
#[derive(Clone, Debug)]
pub struct Place<'s> {
    /// The JSON pointer of the schema.
    pub pointer: String,
    /// The keyword that holds it; empty at the root.
    pub keyword: &'static str,
    /// Its name, where the keyword holds schemas by name.
    pub name: Option<&'s str>,
    /// Whether it only tests values: it stands below `if`, `not` or the like.
    pub tests: bool,
}

/// Visits a schema and all schemas within it, each with its place, from the outside in.
pub fn visit<'s>(schema: &'s Value, see: &mut dyn FnMut(&Place<'s>, &'s Value)) {
    let root = Place { pointer: String::new(), keyword: "", name: None, tests: false };
    visit_at(&root, schema, see);
}

fn visit_at<'s>(place: &Place<'s>, schema: &'s Value, see: &mut dyn FnMut(&Place<'s>, &'s Value)) {
    see(place, schema);
    for (key, value) in schema.as_object().into_iter().flatten() {
        let Some(keyword) = find(key) else { continue };
        let tests = place.tests || TESTS.contains(&keyword.name);
        let below = |segment: &str, name| Place {
            pointer: format!(
                "{}/{key}{}{}",
                place.pointer,
                if segment.is_empty() { "" } else { "/" },
                segment
            ),
            keyword: keyword.name,
            name,
            tests,
        };
        match (keyword.holds, value) {
            (Holds::Schema, Value::Object(_) | Value::Bool(_)) => visit_at(&below("", None), value, see),
            (Holds::Schema | Holds::List, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    visit_at(&below(&index.to_string(), None), item, see);
                }
            }
            (Holds::Named, Value::Object(named)) => {
                for (name, item) in named.iter().filter(|(_, item)| item.is_object() || item.is_boolean()) {
                    visit_at(&below(&escape(name), Some(name)), item, see);
                }
            }
            _ => {}
        }
    }
}

/// Changes a schema and all schemas within it, from the inside out. Schemas that are `true` or `false` stay.
pub(crate) fn rewrite(schema: &mut Value, change: &mut dyn FnMut(&mut Map<String, Value>)) {
    let Value::Object(schema) = schema else { return };
    for (key, value) in schema.iter_mut() {
        let Some(keyword) = find(key) else { continue };
        match (keyword.holds, value) {
            (Holds::Schema, value @ Value::Object(_)) => rewrite(value, change),
            (Holds::Schema | Holds::List, Value::Array(items)) => {
                for item in items {
                    rewrite(item, change);
                }
            }
            (Holds::Named, Value::Object(named)) => {
                for item in named.values_mut() {
                    rewrite(item, change);
                }
            }
            _ => {}
        }
    }
    change(schema);
}

/// The schemas that must hold of the very value that `schema` is about, beside what it says itself.
pub(crate) fn in_place(schema: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let lists =
        ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    lists.chain(["if", "then", "else"].into_iter().filter_map(|key| schema.get(key)))
}

/// The same, to be changed.
pub(crate) fn in_place_mut(schema: &mut Map<String, Value>) -> impl Iterator<Item = &mut Value> {
    schema.iter_mut().flat_map(|(key, value)| match (key.as_str(), value) {
        ("allOf" | "anyOf" | "oneOf", Value::Array(items)) => items.iter_mut().collect::<Vec<_>>(),
        ("if" | "then" | "else", value) => vec![value],
        _ => Vec::new(),
    })
}

/// The name of the definition that a schema refers to.
pub(crate) fn referred(schema: &Map<String, Value>) -> Option<&str> {
    let reference = schema.get("$ref")?.as_str()?;
    reference.strip_prefix("#/$defs/").or_else(|| reference.strip_prefix("#/definitions/"))
}

/// A key as a segment of a JSON pointer.
pub fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
