//! Tables that one word can stand for.

use agentry_text::{Node, Read, Reader, Shape};
use serde::Serialize;

/// A table, or one word that stands for a whole table of usual values.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Shorthand<W, T> {
    /// The word.
    Word(W),
    /// The table.
    Table(T),
}

impl<W, T> Shorthand<W, T> {
    /// The word, if it is one.
    pub fn word(&self) -> Option<&W> {
        match self {
            Self::Word(word) => Some(word),
            Self::Table(_) => None,
        }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&T> {
        match self {
            Self::Word(_) => None,
            Self::Table(table) => Some(table),
        }
    }
}

impl<W: Read, T: Read> Read for Shorthand<W, T> {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        if node.as_str().is_some() {
            return W::read(node, reader).map(Self::Word);
        }
        if node.as_table().is_none() {
            reader.wrong_type(node, "a table, or a word that stands for one");
            return None;
        }
        T::read(node, reader).map(Self::Table)
    }

    fn shape() -> Option<&'static Shape> {
        T::shape()
    }
}

#[cfg(feature = "schema")]
impl<W: schemars::JsonSchema, T: schemars::JsonSchema> schemars::JsonSchema for Shorthand<W, T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Shorthand_{}_{}", W::schema_name(), T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "anyOf": [generator.subschema_for::<W>(), generator.subschema_for::<T>()],
        })
    }
}
