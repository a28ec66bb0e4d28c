//! What is certain of every document that a schema accepts.

use agentry_schema::keyword::escape;
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;

/// The longest chain of references and `allOf` that is followed.
const MAX_CHAIN: usize = 32;
/// How many schemas are known to hold at once. Leaving one out makes fewer things certain, and nothing wrong.
const MAX_PARTS: usize = 256;

/// A schema document.
pub(super) struct Root<'s> {
    pub(super) value: &'s Value,
    /// Whether what stands beside `$ref` means nothing, as in Draft 7 and before.
    pub(super) lone_references: bool,
    /// Whether no part has an address of its own, which references within it would start from.
    one_address: bool,
}

fn has_address(value: &Value) -> bool {
    match value {
        Value::Object(object) => {
            object.get("$id").is_some_and(Value::is_string) || object.values().any(has_address)
        }
        Value::Array(items) => items.iter().any(has_address),
        _ => false,
    }
}

/// A schema within a document, and where it stands there.
#[derive(Clone)]
pub(super) struct At<'s> {
    pub(super) schema: &'s Value,
    pub(super) pointer: String,
}

impl<'s> At<'s> {
    pub(super) fn below(&self, path: &str, schema: &'s Value) -> Self {
        Self { schema, pointer: format!("{}/{path}", self.pointer) }
    }
}

impl<'s> Root<'s> {
    pub(super) fn new(value: &'s Value, lone_references: bool) -> Self {
        let below = value.as_object().into_iter().flat_map(Map::values).any(has_address);
        Self { value, lone_references, one_address: !below }
    }

    pub(super) fn at(&self) -> At<'s> {
        At { schema: self.value, pointer: String::new() }
    }

    /// What a reference by pointer leads to. Others are not followed, and neither is any in a document with parts
    /// that have addresses of their own.
    pub(super) fn resolve(&self, reference: &str) -> Option<At<'s>> {
        let pointer = reference.strip_prefix('#').filter(|_| self.one_address)?;
        if pointer.contains('%') || !(pointer.is_empty() || pointer.starts_with('/')) {
            return None;
        }
        Some(At { schema: self.value.pointer(pointer)?, pointer: pointer.to_owned() })
    }
}

/// The types of JSON, whole numbers apart from others.
pub(super) mod types {
    use serde_json::Value;

    pub(in super::super) const NULL: u8 = 1;
    pub(in super::super) const BOOLEAN: u8 = 2;
    pub(in super::super) const INTEGER: u8 = 4;
    pub(in super::super) const FRACTION: u8 = 8;
    pub(in super::super) const STRING: u8 = 16;
    pub(in super::super) const ARRAY: u8 = 32;
    pub(in super::super) const OBJECT: u8 = 64;
    pub(in super::super) const NUMBER: u8 = INTEGER | FRACTION;
    pub(in super::super) const ALL: u8 = 127;

    pub(in super::super) const NAMES: [(u8, &str); 7] = [
        (NULL, "null"),
        (BOOLEAN, "true or false"),
        (INTEGER, "a whole number"),
        (FRACTION, "a number with a fraction"),
        (STRING, "a string"),
        (ARRAY, "an array"),
        (OBJECT, "an object"),
    ];

    pub(in super::super) fn of(value: &Value) -> u8 {
        match value {
            Value::Null => NULL,
            Value::Bool(_) => BOOLEAN,
            Value::Number(number) if number.as_f64().is_none_or(|float| float.fract() == 0.0) => INTEGER,
            Value::Number(_) => FRACTION,
            Value::String(_) => STRING,
            Value::Array(_) => ARRAY,
            Value::Object(_) => OBJECT,
        }
    }

    /// What a value of `type` allows; None where it is none.
    pub(in super::super) fn stated(value: &Value) -> Option<u8> {
        match value {
            Value::String(name) => Some(match name.as_str() {
                "null" => NULL,
                "boolean" => BOOLEAN,
                "integer" => INTEGER,
                "number" => NUMBER,
                "string" => STRING,
                "array" => ARRAY,
                "object" => OBJECT,
                _ => return None,
            }),
            Value::Array(names) => {
                names.iter().try_fold(0, |all, name| name.as_str().and(stated(name)).map(|one| all | one))
            }
            _ => None,
        }
    }
}

/// What is certain of a document: it is valid under every part, and under one of each of the choices. Whatever is not
/// understood is left out, so there may be fewer such documents than this says, and never more.
#[derive(Clone)]
pub(super) struct Facts<'s> {
    pub(super) parts: Vec<(&'s Map<String, Value>, String)>,
    pub(super) choices: Vec<Vec<At<'s>>>,
    /// The types that it may have.
    pub(super) types: u8,
    /// The value itself, where that is known.
    pub(super) value: Option<&'s Value>,
    /// Where that is said.
    pub(super) home: String,
}

impl<'s> Facts<'s> {
    pub(super) fn new(root: &Root<'s>, schemas: &[At<'s>], home: &str) -> Self {
        let home = schemas.first().map_or(home, |at| &at.pointer).to_owned();
        let mut facts = Self { parts: Vec::new(), choices: Vec::new(), types: types::ALL, value: None, home };
        for at in schemas {
            facts.add(root, at, 0);
        }
        facts
    }

    fn add(&mut self, root: &Root<'s>, at: &At<'s>, chain: usize) {
        let schema = match at.schema {
            Value::Object(schema) => schema,
            Value::Bool(false) => {
                self.types = 0;
                return;
            }
            _ => return,
        };
        if chain > MAX_CHAIN || self.parts.len() > MAX_PARTS {
            return;
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            if let Some(target) = root.resolve(reference) {
                self.add(root, &target, chain + 1);
            }
            if root.lone_references {
                return;
            }
        }
        if let Some(stated) = schema.get("type").and_then(types::stated) {
            self.types &= stated;
        }
        if let Some(constant) = schema.get("const") {
            self.types &= types::of(constant);
        }
        if let Some(Value::Array(options)) = schema.get("enum") {
            self.types &= options.iter().fold(0, |all, option| all | types::of(option));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(options)) = schema.get(keyword) {
                let below = |(index, option)| at.below(&format!("{keyword}/{index}"), option);
                self.choices.push(options.iter().enumerate().map(below).collect());
            }
        }
        self.parts.push((schema, at.pointer.clone()));
        if let Some(Value::Array(all)) = schema.get("allOf") {
            for (index, one) in all.iter().enumerate() {
                self.add(root, &at.below(&format!("allOf/{index}"), one), chain + 1);
            }
        }
    }

    /// The same, for the documents that make one choice in one way.
    pub(super) fn choose(&self, root: &Root<'s>, choice: usize, option: &At<'s>) -> Self {
        let mut chosen = self.clone();
        chosen.choices.remove(choice);
        chosen.home.clone_from(&option.pointer);
        chosen.add(root, option, 0);
        chosen
    }

    pub(super) fn of_types(&self, types: u8) -> Self {
        Self { types: self.types & types, ..self.clone() }
    }

    pub(super) fn keyword<'k>(&self, keyword: &'k str) -> impl Iterator<Item = &'s Value> + use<'s, 'k, '_> {
        self.parts.iter().filter_map(move |(schema, _)| schema.get(keyword))
    }

    /// Every value that it may be, where they are listed.
    pub(super) fn finite(&self) -> Option<Vec<&'s Value>> {
        static FEW: [Value; 3] = [Value::Null, Value::Bool(true), Value::Bool(false)];
        if let Some(value) = self.value {
            return Some(vec![value]);
        }
        if let Some(constant) = self.keyword("const").next() {
            return Some(vec![constant]);
        }
        if let Some(options) = self.keyword("enum").find_map(Value::as_array) {
            return Some(options.iter().collect());
        }
        let few: Vec<&Value> = FEW.iter().filter(|value| types::of(value) & self.types != 0).collect();
        (self.types & !(types::NULL | types::BOOLEAN) == 0).then_some(few)
    }

    pub(super) fn requires(&self, name: &str) -> bool {
        self.required().any(|required| required == name)
    }

    pub(super) fn required(&self) -> impl Iterator<Item = &'s str> + '_ {
        self.keyword("required").filter_map(Value::as_array).flatten().filter_map(Value::as_str)
    }

    /// The names of keys that something is said of.
    pub(super) fn names(&self) -> Vec<&'s str> {
        let mut names = Vec::new();
        let stated = self.keyword("properties").filter_map(Value::as_object).flat_map(Map::keys);
        for name in stated.map(String::as_str).chain(self.required()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// What is certain of the value of a key; without a name, of keys that no part names.
    pub(super) fn property(&self, root: &Root<'s>, name: Option<&str>) -> Self {
        let mut schemas = Vec::new();
        for (schema, pointer) in &self.parts {
            let here = At { schema: &Value::Null, pointer: pointer.clone() };
            let named = name.and_then(|name| Some((name, schema.get("properties")?.get(name)?)));
            if let Some((name, property)) = named {
                schemas.push(here.below(&format!("properties/{}", escape(name)), property));
                continue;
            }
            let patterns = schema.get("patternProperties").and_then(Value::as_object);
            if patterns.is_none_or(Map::is_empty)
                && let Some(additional) = schema.get("additionalProperties")
            {
                schemas.push(here.below("additionalProperties", additional));
            }
        }
        Self::new(root, &schemas, &self.home)
    }

    /// What is certain of an item of an array at a place; without one, of all items behind those that have a schema
    /// of their own.
    pub(super) fn item(&self, root: &Root<'s>, index: Option<usize>) -> Self {
        let mut schemas = Vec::new();
        for (schema, pointer) in &self.parts {
            let here = At { schema: &Value::Null, pointer: pointer.clone() };
            // The older drafts do not know this keyword.
            let first = schema.get("prefixItems").filter(|_| !root.lone_references).and_then(Value::as_array);
            if let Some((index, item)) =
                index.and_then(|index| first.and_then(|first| Some((index, first.get(index)?))))
            {
                schemas.push(here.below(&format!("prefixItems/{index}"), item));
                continue;
            }
            if let Some(items @ (Value::Object(_) | Value::Bool(_))) = schema.get("items") {
                schemas.push(here.below("items", items));
            }
        }
        Self::new(root, &schemas, &self.home)
    }

    /// How many items have a schema of their own.
    pub(super) fn own_items(&self) -> usize {
        self.keyword("prefixItems").filter_map(Value::as_array).map(Vec::len).max().unwrap_or(0)
    }

    /// Whether a count of something is at most, or at least, what is stated.
    pub(super) fn bounds(&self, keyword: &str, order: Ordering, stated: &Number) -> bool {
        self.keyword(keyword).any(|own| {
            own.as_number()
                .and_then(|own| compare(own, stated))
                .is_some_and(|found| found == order || found == Ordering::Equal)
        })
    }
}

/// Compares two numbers exactly; None where that cannot be done.
pub(super) fn compare(one: &Number, other: &Number) -> Option<Ordering> {
    let whole = |number: &Number| number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    if let (Some(one), Some(other)) = (whole(one), whole(other)) {
        return Some(one.cmp(&other));
    }
    // A whole number that is too large for a float would be rounded.
    let exact = |number: &Number| {
        whole(number).is_none_or(|whole| whole.unsigned_abs() < 1 << 53).then(|| number.as_f64()).flatten()
    };
    exact(one)?.partial_cmp(&exact(other)?)
}
