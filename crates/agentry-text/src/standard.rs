//! Readers of the standard types, and the few containers that manifests need.

use crate::define::Invalid;
use crate::finding::{Finding, Severity};
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
        // What should change would be the key, and not the text that it was read as.
        reader.push(Finding { pointer: pointer.clone(), mend: None, ..finding });
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

/// A value, or an explicit null where a format gives null the same meaning as an absent key. A key of the type
/// `Option<Nullable<T>>` keeps the three apart: absent, null, and a value.
///
/// It is written as null where a format has null. TOML has none: there the key is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nullable<T> {
    /// Null: there is no value.
    Null,
    /// A value.
    Value(T),
}

impl<T> Nullable<T> {
    /// The value, if there is one.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// Gives the value away, if there is one.
    pub fn into_value(self) -> Option<T> {
        match self {
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<T> From<T> for Nullable<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T: Serialize> Serialize for Nullable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            // Serde's word for nothing: writers of formats without null leave such keys out.
            Self::Null => serializer.serialize_none(),
            Self::Value(value) => value.serialize(serializer),
        }
    }
}

impl<T: Read> Read for Nullable<T> {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        if node.kind == Kind::Null {
            return Some(Self::Null);
        }
        T::read(node, reader).map(Self::Value)
    }

    fn shape() -> Option<&'static Shape> {
        T::shape()
    }
}

/// Something that holds entries, and can hold too many.
pub trait Entries {
    /// The keyword of JSON Schema that bounds them.
    const KEYWORD: &'static str;

    /// How many there are.
    fn count(&self) -> usize;
}

impl<T> Entries for Vec<T> {
    const KEYWORD: &'static str = "maxItems";

    fn count(&self) -> usize {
        self.len()
    }
}

impl<K: std::hash::Hash + Eq, V> Entries for Map<K, V> {
    const KEYWORD: &'static str = "maxProperties";

    fn count(&self) -> usize {
        self.len()
    }
}

/// A list or map of at most `MAX` entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AtMost<const MAX: usize, C>(C);

impl<const MAX: usize, C: Entries> AtMost<MAX, C> {
    /// The list or map, if it does not hold too many entries.
    pub fn new(entries: C) -> Result<Self, Invalid> {
        match too_many(entries.count(), MAX) {
            Some(invalid) => Err(invalid),
            None => Ok(Self(entries)),
        }
    }
}

fn too_many(count: usize, maximum: usize) -> Option<Invalid> {
    (count > maximum).then(|| {
        Invalid::new(
            &rules::INVALID_VALUE,
            format!("there are {count} entries here, and {maximum} is the most"),
        )
        .label(format!("entry number {}", maximum + 1))
        .help(format!("keep {maximum} of them"))
    })
}

impl<const MAX: usize, C> Deref for AtMost<MAX, C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.0
    }
}

impl<const MAX: usize, C: Serialize> Serialize for AtMost<MAX, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<const MAX: usize, C: Read> Read for AtMost<MAX, C> {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let entries = C::read(node, reader);
        // Counted in the tree, so that an unreadable entry does not hide that there are too many.
        let (count, surplus) = match &node.kind {
            Kind::Array(items) => (items.len(), items.get(MAX).map(|item| item.span)),
            Kind::Table(table) => (table.entries.len(), table.entries.get(MAX).map(|entry| entry.key_span)),
            _ => return None,
        };
        if let Some(invalid) = too_many(count, MAX) {
            reader.push(Finding {
                span: surplus.unwrap_or(node.span),
                label: invalid.label,
                help: invalid.help,
                ..reader.finding(invalid.rule, node, invalid.message)
            });
            return None;
        }
        entries.map(Self)
    }

    fn shape() -> Option<&'static Shape> {
        C::shape()
    }
}

/// A list that is meant as a set: two are equal that hold the same entries, in whatever order and however often. It
/// is written as it was read. An entry that is there twice draws a hint.
#[derive(Clone, Debug)]
pub struct Set<T>(Vec<T>);

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> PartialEq for Set<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().all(|entry| other.0.contains(entry))
            && other.0.iter().all(|entry| self.0.contains(entry))
    }
}

impl<T: Eq> Eq for Set<T> {}

impl<T> Deref for Set<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<'s, T> IntoIterator for &'s Set<T> {
    type Item = &'s T;
    type IntoIter = std::slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Serialize> Serialize for Set<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<T: Read + Eq + std::hash::Hash> Read for Set<T> {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let entries = Vec::<T>::read(node, reader)?;
        let Kind::Array(items) = &node.kind else { return None };
        // In the tolerant reading, entries may be fewer than what stands there.
        if entries.len() == items.len() {
            let mut seen: std::collections::HashMap<&T, usize> = std::collections::HashMap::new();
            for (index, entry) in entries.iter().enumerate() {
                let Some(first) = seen.insert(entry, index) else { continue };
                let finding = reader
                    .in_index(index, |reader| {
                        reader.finding(
                            &rules::DUPLICATE_ENTRY,
                            &items[index],
                            "this entry of a set is there twice",
                        )
                    })
                    .severity(Severity::Hint)
                    .label("there a second time")
                    .related(items[first].span, "there already")
                    .help("delete one of the two");
                reader.push(finding);
            }
        }
        Some(Self(entries))
    }

    fn shape() -> Option<&'static Shape> {
        T::shape()
    }
}

/// The keys of a closed table that this version does not know. Strict reading refuses such keys; tolerant reading
/// reports and keeps them, so that a file of a newer version is written back whole.
#[derive(Clone, Default, PartialEq)]
pub struct UnlistedKeys(Option<Box<Extra>>);

impl UnlistedKeys {
    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.as_ref()?.get(key)
    }

    /// The keys and values, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().flat_map(|keys| keys.iter()).map(|(key, value)| (key.as_str(), value))
    }
}

impl From<Extra> for UnlistedKeys {
    fn from(keys: Extra) -> Self {
        Self((!keys.is_empty()).then(|| Box::new(keys)))
    }
}

impl std::fmt::Debug for UnlistedKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            None => f.write_str("{}"),
            Some(keys) => keys.fmt(f),
        }
    }
}

impl Serialize for UnlistedKeys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
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
    use super::{AtMost, Entries, Extra, Map, Nullable, OrEmpty, Set, Unique};
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

    impl<T: JsonSchema> JsonSchema for Nullable<T> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            format!("Nullable_{}", T::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let value = generator.subschema_for::<T>();
            if value.as_bool() == Some(true) {
                // Anything, and null is among it.
                return value;
            }
            json_schema!({
                "anyOf": [value, { "description": "The same as leaving the key out.", "type": "null" }],
            })
        }
    }

    impl<const MAX: usize, C: JsonSchema + Entries> JsonSchema for AtMost<MAX, C> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            format!("AtMost_{MAX}_{}", C::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let mut schema = C::json_schema(generator);
            schema.insert(C::KEYWORD.to_owned(), MAX.into());
            schema
        }
    }

    impl<T: JsonSchema> JsonSchema for Set<T> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            format!("Set_{}", T::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "array", "items": generator.subschema_for::<T>() })
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
