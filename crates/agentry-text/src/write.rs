//! Writing: any serializable type becomes a value, dates included; front ends turn values into text.

use crate::value::{DATETIME, Datetime, Value};
use indexmap::IndexMap;
use serde::ser::{self, Serialize, Serializer};

/// Why a type could not be turned into a value.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct WriteError(pub(crate) String);

impl ser::Error for WriteError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// The value that a type is written as.
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, WriteError> {
    Ok(value.serialize(ToValue { none: Nothing::IsNull })?.unwrap_or(Value::Null))
}

/// The value that a type is written as in a format without null. A key that a type knows to mean nothing when it is
/// null (serde's `None`) is left out. A null among what an author wrote (serde's unit) stays one: nobody here knows
/// what it means, so it is for the format to refuse.
#[cfg_attr(not(feature = "toml"), expect(dead_code, reason = "TOML is the one format without null"))]
pub(crate) fn to_value_without_nothing<T: Serialize + ?Sized>(value: &T) -> Result<Value, WriteError> {
    Ok(value.serialize(ToValue { none: Nothing::IsLeftOut })?.unwrap_or(Value::Null))
}

/// What becomes of a key whose value is nothing.
#[derive(Clone, Copy)]
enum Nothing {
    IsNull,
    IsLeftOut,
}

#[derive(Clone, Copy)]
struct ToValue {
    none: Nothing,
}

/// A value; None where it is nothing, and that is left out.
type Written = Option<Value>;

macro_rules! integers {
    ($($method:ident: $ty:ty),*) => {
        $(fn $method(self, number: $ty) -> Result<Written, WriteError> {
            Ok(Some(Value::Integer(number.into())))
        })*
    };
}

impl Serializer for ToValue {
    type Ok = Written;
    type Error = WriteError;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = ser::Impossible<Written, WriteError>;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = ser::Impossible<Written, WriteError>;

    integers!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64);

    fn serialize_bool(self, flag: bool) -> Result<Written, WriteError> {
        Ok(Some(Value::Bool(flag)))
    }

    fn serialize_f32(self, number: f32) -> Result<Written, WriteError> {
        self.serialize_f64(number.into())
    }

    fn serialize_f64(self, number: f64) -> Result<Written, WriteError> {
        Ok(Some(Value::Float(number)))
    }

    fn serialize_char(self, c: char) -> Result<Written, WriteError> {
        Ok(Some(Value::String(c.to_string())))
    }

    fn serialize_str(self, text: &str) -> Result<Written, WriteError> {
        Ok(Some(Value::String(text.to_owned())))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Written, WriteError> {
        Err(ser::Error::custom("bytes have no place in a manifest"))
    }

    fn serialize_none(self) -> Result<Written, WriteError> {
        Ok(match self.none {
            Nothing::IsNull => Some(Value::Null),
            Nothing::IsLeftOut => None,
        })
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Written, WriteError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Written, WriteError> {
        Ok(Some(Value::Null))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Written, WriteError> {
        Ok(Some(Value::Null))
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Written, WriteError> {
        Ok(Some(Value::String(variant.to_owned())))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Written, WriteError> {
        match value.serialize(self)? {
            Some(Value::String(text)) if name == DATETIME => Ok(Some(Value::Datetime(Datetime(text)))),
            value => Ok(value),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Written, WriteError> {
        let value = value.serialize(self)?;
        Ok(Some(Value::Table(value.map(|value| (variant.to_owned(), value)).into_iter().collect())))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items, WriteError> {
        Ok(Items { items: Vec::with_capacity(length.unwrap_or_default()), writer: self })
    }

    fn serialize_tuple(self, length: usize) -> Result<Items, WriteError> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Items, WriteError> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, WriteError> {
        Err(ser::Error::custom("a manifest has no tuple variants"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries, WriteError> {
        Ok(Entries { table: IndexMap::new(), key: None, writer: self })
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries, WriteError> {
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, WriteError> {
        Err(ser::Error::custom("a manifest has no struct variants"))
    }
}

struct Items {
    items: Vec<Value>,
    writer: ToValue,
}

impl ser::SerializeSeq for Items {
    type Ok = Written;
    type Error = WriteError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        // A place in a list cannot be left out.
        self.items.push(value.serialize(self.writer)?.unwrap_or(Value::Null));
        Ok(())
    }

    fn end(self) -> Result<Written, WriteError> {
        Ok(Some(Value::Array(self.items)))
    }
}

impl ser::SerializeTuple for Items {
    type Ok = Written;
    type Error = WriteError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<Written, WriteError> {
        ser::SerializeSeq::end(self)
    }
}

impl ser::SerializeTupleStruct for Items {
    type Ok = Written;
    type Error = WriteError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<Written, WriteError> {
        ser::SerializeSeq::end(self)
    }
}

struct Entries {
    table: IndexMap<String, Value>,
    key: Option<String>,
    writer: ToValue,
}

impl Entries {
    fn insert<T: Serialize + ?Sized>(&mut self, key: String, value: &T) -> Result<(), WriteError> {
        if let Some(value) = value.serialize(self.writer)? {
            self.table.insert(key, value);
        }
        Ok(())
    }
}

impl ser::SerializeMap for Entries {
    type Ok = Written;
    type Error = WriteError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), WriteError> {
        let Some(Value::String(key)) = key.serialize(self.writer)? else {
            return Err(ser::Error::custom("a key is a string"));
        };
        self.key = Some(key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = self.key.take().ok_or_else(|| ser::Error::custom("a value needs a key"))?;
        self.insert(key, value)
    }

    fn end(self) -> Result<Written, WriteError> {
        Ok(Some(Value::Table(self.table)))
    }
}

impl ser::SerializeStruct for Entries {
    type Ok = Written;
    type Error = WriteError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), WriteError> {
        self.insert(key.to_owned(), value)
    }

    fn end(self) -> Result<Written, WriteError> {
        Ok(Some(Value::Table(self.table)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    struct Nothing;

    #[derive(Serialize)]
    struct Pair(u8, bool);

    struct Bytes;

    impl Serialize for Bytes {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(b"a")
        }
    }

    #[derive(Serialize)]
    enum Choice {
        Plain,
        Held(u8),
        Two(u8, u8),
        Named { a: u8 },
    }

    fn written(value: &(impl Serialize + ?Sized)) -> Result<Value, String> {
        to_value(value).map_err(|error| error.to_string())
    }

    #[test]
    fn whatever_serde_knows_is_a_value_or_has_no_place_in_a_manifest() {
        let text = |text: &str| Ok(Value::String(text.to_owned()));
        let integer = |number| Ok(Value::Integer(number));
        let list = Value::Array(vec![Value::Integer(1), Value::Bool(true)]);
        for (found, expected) in [
            (written(&true), Ok(Value::Bool(true))),
            (written(&-1_i8), integer(-1)),
            (written(&-2_i16), integer(-2)),
            (written(&-3_i32), integer(-3)),
            (written(&-4_i64), integer(-4)),
            (written(&-5_i128), integer(-5)),
            (written(&1_u8), integer(1)),
            (written(&2_u16), integer(2)),
            (written(&3_u32), integer(3)),
            (written(&4_u64), integer(4)),
            (written(&1.5_f32), Ok(Value::Float(1.5))),
            (written(&2.5_f64), Ok(Value::Float(2.5))),
            (written(&'c'), text("c")),
            (written("text"), text("text")),
            (written(&()), Ok(Value::Null)),
            (written(&Nothing), Ok(Value::Null)),
            (written(&None::<u8>), Ok(Value::Null)),
            (written(&Some(1)), integer(1)),
            (written(&(1, true)), Ok(list.clone())),
            (written(&Pair(1, true)), Ok(list)),
            (written(&[None::<u8>]), Ok(Value::Array(vec![Value::Null]))),
            (written(&Choice::Plain), text("Plain")),
            (
                written(&Choice::Held(1)),
                Ok(Value::Table(IndexMap::from_iter([("Held".to_owned(), Value::Integer(1))]))),
            ),
            (
                written(&BTreeMap::from([("a", Some(1)), ("b", None)])),
                Ok(Value::Table(IndexMap::from_iter([
                    ("a".to_owned(), Value::Integer(1)),
                    ("b".to_owned(), Value::Null),
                ]))),
            ),
            (written(&Bytes), Err("bytes have no place in a manifest".to_owned())),
            (written(&Choice::Two(1, 2)), Err("a manifest has no tuple variants".to_owned())),
            (written(&Choice::Named { a: 1 }), Err("a manifest has no struct variants".to_owned())),
            (written(&BTreeMap::from([(1, 2)])), Err("a key is a string".to_owned())),
        ] {
            assert_eq!(found, expected);
        }
        let left = to_value_without_nothing(&BTreeMap::from([("a", Some(1)), ("b", None)]));
        let left = left.expect("a table");
        assert_eq!(left, Value::Table(IndexMap::from_iter([("a".to_owned(), Value::Integer(1))])));
    }
}
