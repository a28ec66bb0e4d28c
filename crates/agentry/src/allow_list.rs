//! Lists that permit: absent and empty are different values, and readers disagree about the empty one.

use crate::rules;
use agentry_text::{Node, Read, Reader, Shape};
use serde::{Serialize, Serializer};
use std::ops::Deref;

/// A list of what is permitted. An absent list permits everything. About an explicitly empty one readers
/// disagree: the specification reads it as everything, newer runtimes as nothing. It is kept, with a warning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowList<T>(Vec<T>);

impl<T> AllowList<T> {
    /// A list of what is permitted.
    pub fn new(entries: Vec<T>) -> Self {
        Self(entries)
    }
}

impl<T> Deref for AllowList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> FromIterator<T> for AllowList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<'l, T> IntoIterator for &'l AllowList<T> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Serialize> Serialize for AllowList<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<T: Read> Read for AllowList<T> {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let entries = Vec::read(node, reader)?;
        if entries.is_empty() {
            let finding = reader
                .finding(
                    &rules::EMPTY_LIST,
                    node,
                    "an empty list: the specification reads it as everything, newer runtimes as nothing",
                )
                .label("means everything or nothing")
                .help("delete the key for everything, or name what is needed");
            reader.push(finding);
        }
        Some(Self(entries))
    }

    fn shape() -> Option<&'static Shape> {
        T::shape()
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for AllowList<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("AllowList_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "array", "items": generator.subschema_for::<T>() })
    }
}

#[cfg(test)]
mod tests {
    use super::AllowList;

    #[test]
    fn a_list_is_walked_as_it_is_written() {
        let list = AllowList::from_iter(["b", "a"]);
        let mut walked = Vec::new();
        for entry in &list {
            walked.push(*entry);
        }
        assert_eq!(walked, ["b", "a"]);
    }
}
