//! Readers of the standard types, and the few containers that manifests need.

use crate::finding::Finding;
use crate::read::{Mode, Read, Reader, Shape};
use crate::rules;
use crate::tree::{Kind, Node};
use crate::value::Value;
use indexmap::IndexMap;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::ops::Deref;

impl Read for bool {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        reader.boolean(node)
    }
}

/// Any text, also an empty one. A public field of this type needs a reason.
impl Read for String {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        reader.string(node).map(str::to_owned)
    }
}

/// Any value. A public field of this type needs a reason.
impl Read for Value {
    fn read<'t>(node: &'t Node, _: &mut Reader<'t>) -> Option<Self> {
        Some(Self::from(node))
    }
}

impl<T: Read> Read for Box<T> {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        T::read(node, reader).map(Self::new)
    }

    fn shape() -> Option<&'static Shape> {
        T::shape()
    }
}

impl<T: Read> Read for Vec<T> {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let Kind::Array(items) = &node.kind else {
            reader.wrong_type(node, if T::shape().is_some() { "an array of tables" } else { "an array" });
            return None;
        };
        let mut values = Self::with_capacity(items.len());
        let mut failed = false;
        for (index, item) in items.iter().enumerate() {
            match reader.in_index(index, |reader| T::read(item, reader)) {
                Some(value) => values.push(value),
                // In the tolerant reading an unreadable table costs that table alone; it has been reported.
                None => failed |= reader.mode() == Mode::Strict || item.as_table().is_none(),
            }
        }
        (!failed).then_some(values)
    }

    fn shape() -> Option<&'static Shape> {
        T::shape()
    }
}

/// A table whose keys the author chooses, in the order of the text.
#[derive(Clone, PartialEq)]
pub struct Map<K: std::hash::Hash + Eq, V>(IndexMap<K, V>);

impl<K: std::hash::Hash + Eq + std::fmt::Debug, V: std::fmt::Debug> std::fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The keys may be any text.
        let keys = self.0.iter().map(|(key, value)| (crate::mask::mask_secrets(&format!("{key:?}")), value));
        f.debug_map().entries(keys).finish()
    }
}

impl<K: std::hash::Hash + Eq, V> Default for Map<K, V> {
    fn default() -> Self {
        Self(IndexMap::new())
    }
}

impl<K: std::hash::Hash + Eq, V> Deref for Map<K, V> {
    type Target = IndexMap<K, V>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<K: std::hash::Hash + Eq, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<'m, K: std::hash::Hash + Eq, V> IntoIterator for &'m Map<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = indexmap::map::Iter<'m, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<K: std::hash::Hash + Eq + Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(&self.0)
    }
}

impl<K: Read + std::hash::Hash + Eq, V: Read> Read for Map<K, V> {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let Kind::Table(table) = &node.kind else {
            reader.wrong_type(node, "a table");
            return None;
        };
        let mut values = IndexMap::with_capacity(table.entries.len());
        let mut failed = false;
        for entry in &table.entries {
            if V::shape().is_some() && entry.node.as_table().is_none() {
                reader.not_an_entry(entry);
                failed = true;
                continue;
            }
            let key_node = Node { kind: Kind::String(entry.key.clone()), span: entry.key_span };
            let key = reader.in_key(&entry.key, |reader| read_key::<K>(&key_node, reader));
            let value = reader.in_key(&entry.key, |reader| V::read(&entry.node, reader));
            match (key, value) {
                (Some(key), Some(value)) => {
                    values.insert(key, value);
                }
                _ => failed |= reader.mode() == Mode::Strict || entry.node.as_table().is_none(),
            }
        }
        (!failed).then_some(Self(values))
    }

    fn shape() -> Option<&'static Shape> {
        // The keys are the author's: nothing is known of them.
        None
    }
}

/// Reads a key of a map as a value of its own. It lives only here, so its findings are moved over.
fn read_key<K: Read>(node: &Node, reader: &mut Reader<'_>) -> Option<K> {
    let inner = crate::read::read_root::<K>(node);
    let pointer = reader.pointer();
    for finding in inner.findings {
        reader.push(Finding { pointer: pointer.clone(), ..finding });
    }
    inner.value
}

/// The keys of a table that its type does not know: kept, and written back.
#[derive(Clone, Default, PartialEq)]
pub struct Extra(IndexMap<String, Value>);

impl std::fmt::Debug for Extra {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Masked like every value.
        Value::Table(self.0.clone()).fmt(f)
    }
}

impl Deref for Extra {
    type Target = IndexMap<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl FromIterator<(String, Value)> for Extra {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl Serialize for Extra {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// A value, or an empty string where published files say that there is none. Draws a warning when empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrEmpty<T> {
    /// `""`: read as not given.
    Empty,
    /// A value.
    Value(T),
}

impl<T> OrEmpty<T> {
    /// The value, if there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Empty => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<T> From<T> for OrEmpty<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T: Serialize> Serialize for OrEmpty<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Empty => serializer.serialize_str(""),
            Self::Value(value) => value.serialize(serializer),
        }
    }
}

impl<T: Read> Read for OrEmpty<T> {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        if node.as_str() == Some("") {
            let finding = reader
                .finding(&rules::EMPTY_VALUE, node, "an empty string is read as not given")
                .label("nothing is given here")
                .help("give the value, or delete the key if it is optional");
            reader.push(finding);
            return Some(Self::Empty);
        }
        T::read(node, reader).map(Self::Value)
    }
}

/// What tells the entries of a list apart.
pub trait UniqueBy {
    /// The key that holds it.
    const KEY: &'static str;

    /// Its value in this entry.
    fn unique_value(&self) -> &str;
}

/// A list in which no two entries share the value of one key. JSON Schema cannot say this, so it is a rule of
/// the type: `duplicate-entry`.
#[derive(Clone, Debug, PartialEq)]
pub struct Unique<T>(Vec<T>);

impl<T> Default for Unique<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for Unique<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'u, T> IntoIterator for &'u Unique<T> {
    type Item = &'u T;
    type IntoIter = std::slice::Iter<'u, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: UniqueBy> Unique<T> {
    /// A list, if its entries can be told apart; else the two places that cannot.
    pub fn new(entries: Vec<T>) -> Result<Self, Repeated> {
        match repeated(&entries) {
            Some(repeated) => Err(repeated),
            None => Ok(Self(entries)),
        }
    }
}

/// Two entries of a list that share what must tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entries {first} and {second} (from 0) have the same `{key}`")]
pub struct Repeated {
    /// The key.
    pub key: &'static str,
    /// The first entry, from 0.
    pub first: usize,
    /// The second entry, from 0.
    pub second: usize,
}

fn repeated<T: UniqueBy>(entries: &[T]) -> Option<Repeated> {
    let mut seen = std::collections::HashMap::new();
    entries.iter().enumerate().find_map(|(second, entry)| {
        let first = seen.insert(entry.unique_value(), second)?;
        Some(Repeated { key: T::KEY, first, second })
    })
}

impl<T: Serialize> Serialize for Unique<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<T: Read + UniqueBy> Read for Unique<T> {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let entries = Vec::<T>::read(node, reader);
        // Looked for in the tree, so that an unreadable entry does not hide a repeated one.
        let Kind::Array(items) = &node.kind else { return None };
        let mut seen: std::collections::HashMap<&str, &Node> = std::collections::HashMap::new();
        let mut repeated = false;
        for (index, item) in items.iter().enumerate() {
            let Some(value) = item.get(T::KEY) else { continue };
            let Some(text) = value.node.as_str() else { continue };
            let Some(first) = seen.get(text) else {
                seen.insert(text, &value.node);
                continue;
            };
            repeated = true;
            reader.push(
                Finding::new(
                    &rules::DUPLICATE_ENTRY,
                    format!("{}/{index}/{}", reader.pointer(), T::KEY),
                    value.node.span,
                    format!("{} is the `{}` of an earlier entry too", crate::mask::quoted(text), T::KEY),
                )
                .label("used a second time here")
                .related(first.span, "first used here")
                .help("give each entry one of its own, or delete the copy"),
            );
        }
        let mut entries = entries?;
        if repeated && reader.mode() == Mode::Strict {
            return None;
        }
        // In the tolerant reading a repeated entry costs that entry alone; it has been reported.
        let mut seen = std::collections::HashSet::new();
        entries.retain(|entry| seen.insert(entry.unique_value().to_owned()));
        Some(Self(entries))
    }

    fn shape() -> Option<&'static Shape> {
        T::shape()
    }
}

#[cfg(feature = "schema")]
mod schema {
    use super::{Extra, Map, OrEmpty, Unique};
    use crate::value::Value;
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use std::borrow::Cow;

    impl JsonSchema for Extra {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "Extra".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            // Says nothing: a table is open unless it is closed.
            json_schema!({ "type": "object" })
        }
    }

    impl JsonSchema for Value {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "Value".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            true.into()
        }
    }

    impl<K: JsonSchema + std::hash::Hash + Eq, V: JsonSchema> JsonSchema for Map<K, V> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            format!("Map_{}_{}", K::schema_name(), V::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let value = generator.subschema_for::<V>();
            let mut schema = json_schema!({ "type": "object", "additionalProperties": value });
            if K::schema_name() != "string" {
                schema.insert("propertyNames".to_owned(), generator.subschema_for::<K>().to_value());
            }
            schema
        }
    }

    impl<T: JsonSchema> JsonSchema for OrEmpty<T> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            format!("OrEmpty_{}", T::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "anyOf": [
                    generator.subschema_for::<T>(),
                    { "description": "Read as not given, with a warning.", "const": "" },
                ],
            })
        }
    }

    impl<T: JsonSchema> JsonSchema for Unique<T> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            format!("Unique_{}", T::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "array", "items": generator.subschema_for::<T>() })
        }
    }
}
