//! A JSON Schema that stands inside a document.

use agentry_text::{Invalid, Kind, Node, Read, Reader, Value, rules};
use serde::Serialize;
use std::collections::BTreeSet;

/// A JSON Schema, Draft 2020-12, that says what a value looks like. Here it is an object, kept as written: the
/// checker judges whether it is valid under the meta-schema, whether its references lead somewhere, and whether
/// its patterns are regular expressions, so that whoever only reads manifests carries no validator.
#[derive(Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct JsonSchema(Value);

impl JsonSchema {
    /// The schema, if it is an object.
    pub fn new(schema: Value) -> Result<Self, Invalid> {
        if matches!(schema, Value::Table(_)) {
            return Ok(Self(schema));
        }
        Err(Invalid::new(&rules::WRONG_TYPE, "this schema is an object").help("write `{}` to allow anything"))
    }

    /// The schema as a value.
    pub fn as_value(&self) -> &Value {
        &self.0
    }

    /// The value of a keyword at the root of the schema.
    pub fn keyword(&self, keyword: &str) -> Option<&Value> {
        keyword_of(&self.0, keyword)
    }

    /// The properties that the schema names for the value it describes: under `properties`, in `required`, and
    /// in every subschema that applies to the same value, such as those in `allOf` or behind a local `$ref`.
    pub fn property_names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        self.each_applied(&mut |schema| {
            if let Some(Value::Table(properties)) = keyword_of(schema, "properties") {
                names.extend(properties.keys().map(String::as_str));
            }
            if let Some(Value::Array(required)) = keyword_of(schema, "required") {
                names.extend(required.iter().filter_map(text));
            }
            for keyword in ["dependentRequired", "dependentSchemas"] {
                if let Some(Value::Table(dependents)) = keyword_of(schema, keyword) {
                    names.extend(dependents.keys().map(String::as_str));
                }
            }
        });
        names
    }

    /// Whether nobody can list every property that the schema gives a meaning to: it has `patternProperties`, a
    /// schema for additional ones or for their names, or refers to a schema outside this document.
    pub fn has_open_names(&self) -> bool {
        let mut open = false;
        self.each_applied(&mut |schema| {
            open |= ["patternProperties", "propertyNames", "$dynamicRef"]
                .iter()
                .any(|keyword| keyword_of(schema, keyword).is_some());
            for keyword in ["additionalProperties", "unevaluatedProperties"] {
                open |= matches!(keyword_of(schema, keyword), Some(Value::Table(_)));
            }
            if let Some(reference) = keyword_of(schema, "$ref").and_then(text) {
                open |= self.local(reference).is_none();
            }
        });
        open
    }

    /// Calls `visit` with the schema and every subschema that applies to the same value, each once.
    fn each_applied<'s>(&'s self, visit: &mut impl FnMut(&'s Value)) {
        let mut seen: BTreeSet<*const Value> = BTreeSet::new();
        let mut waiting = vec![&self.0];
        while let Some(schema) = waiting.pop() {
            if !seen.insert(std::ptr::from_ref(schema)) {
                continue;
            }
            visit(schema);
            for keyword in ["allOf", "anyOf", "oneOf"] {
                if let Some(Value::Array(schemas)) = keyword_of(schema, keyword) {
                    waiting.extend(schemas);
                }
            }
            for keyword in ["if", "then", "else"] {
                waiting.extend(keyword_of(schema, keyword));
            }
            if let Some(Value::Table(dependents)) = keyword_of(schema, "dependentSchemas") {
                waiting.extend(dependents.values());
            }
            if let Some(reference) = keyword_of(schema, "$ref").and_then(text) {
                waiting.extend(self.local(reference));
            }
        }
    }

    /// What a reference such as `#/$defs/Item` leads to. References by anchor or address are not followed.
    fn local(&self, reference: &str) -> Option<&Value> {
        let pointer = reference.strip_prefix('#')?;
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return None;
        }
        let mut value = &self.0;
        for segment in pointer.split('/').skip(1) {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            value = match value {
                Value::Table(table) => table.get(&segment)?,
                Value::Array(items) => items.get(segment.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(value)
    }
}

fn keyword_of<'v>(schema: &'v Value, keyword: &str) -> Option<&'v Value> {
    match schema {
        Value::Table(table) => table.get(keyword),
        _ => None,
    }
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// A schema can hold anything, also a credential in a default: only its size is shown.
impl std::fmt::Debug for JsonSchema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Value::Table(table) = &self.0 else { return f.write_str("JsonSchema") };
        f.debug_tuple("JsonSchema").field(&table.keys().collect::<Vec<_>>()).finish()
    }
}

impl Read for JsonSchema {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        if let Kind::Table(_) = node.kind {
            return Some(Self(Value::from(node)));
        }
        reader.wrong_type(node, "a table that is a JSON Schema");
        None
    }
}

agentry_text::deserialize_by_reading!(JsonSchema);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for JsonSchema {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "JsonSchema".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A JSON Schema, Draft 2020-12. The checker also judges the schema itself: its keywords, \
                            the references in it and its regular expressions.",
            "type": "object",
        })
    }
}

#[cfg(all(test, feature = "json"))]
mod tests {
    use super::JsonSchema;
    use agentry_text::Value;

    fn schema(text: &str) -> JsonSchema {
        agentry_text::json::from_str(text).unwrap()
    }

    #[test]
    fn properties_are_found_wherever_they_apply() {
        for (text, names, open) in [
            ("{}", "", false),
            (r#"{"properties":{"b":{"properties":{"deep":true}},"a":{}}}"#, "a b", false),
            (r#"{"required":["id"]}"#, "id", false),
            (r#"{"allOf":[{"properties":{"a":{}}},{"oneOf":[{"required":["b"]}]}]}"#, "a b", false),
            (r##"{"$ref":"#/$defs/In","$defs":{"In":{"properties":{"a":{}},"$ref":"#"}}}"##, "a", false),
            (r##"{"$ref":"#/$defs/a~1b","$defs":{"a/b":{"properties":{"a":{}}}}}"##, "a", false),
            (r#"{"if":{"properties":{"a":{}}},"else":{"required":["b"]}}"#, "a b", false),
            (r#"{"dependentRequired":{"a":["b"]}}"#, "a", false),
            (r##"{"$ref":"#/prefixItems/0","prefixItems":[{"required":["b"]}]}"##, "b", false),
            (r##"{"$ref":"#/prefixItems/1","prefixItems":[{"required":["b"]}]}"##, "", true),
            (r##"{"$ref":"#anchor"}"##, "", true),
            (r##"{"$ref":"#/$defs/gone"}"##, "", true),
            (r#"{"$ref":"https://schemas.example/in.json"}"#, "", true),
            (r#"{"patternProperties":{"^x-":{}}}"#, "", true),
            (r#"{"additionalProperties":{"type":"string"}}"#, "", true),
            (r#"{"additionalProperties":true}"#, "", false),
            (r#"{"properties":[],"required":"a","allOf":{}}"#, "", false),
        ] {
            let schema = schema(text);
            let found: Vec<&str> = schema.property_names().into_iter().collect();
            assert_eq!((found.join(" ").as_str(), schema.has_open_names()), (names, open), "{text}");
        }
    }

    #[test]
    fn keywords_are_those_at_the_root() {
        let schema = schema(r#"{"type":"object","properties":{"a":{"title":"A"}}}"#);
        assert_eq!(schema.keyword("type"), Some(&Value::String("object".to_owned())));
        assert_eq!(schema.keyword("title"), None);
    }

    #[test]
    fn only_an_object_is_a_schema_here() {
        for text in ["true", "[]", "null", "\"object\"", "1"] {
            let error = agentry_text::json::from_str::<JsonSchema>(text).unwrap_err().to_string();
            assert!(error.contains("JSON Schema"), "{text}: {error}");
        }
    }

    #[test]
    fn what_a_schema_holds_is_not_shown() {
        let shown = format!("{:?}", schema(r#"{"default":"hunter2"}"#));
        assert_eq!(shown, r#"JsonSchema(["default"])"#);
    }
}
