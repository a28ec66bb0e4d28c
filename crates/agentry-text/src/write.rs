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
    value.serialize(ToValue)
}

struct ToValue;

macro_rules! integers {
    ($($method:ident: $ty:ty),*) => {
        $(fn $method(self, number: $ty) -> Result<Value, WriteError> {
            Ok(Value::Integer(number.into()))
        })*
    };
}

impl Serializer for ToValue {
    type Ok = Value;
    type Error = WriteError;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = ser::Impossible<Value, WriteError>;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = ser::Impossible<Value, WriteError>;

    integers!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64);

    fn serialize_bool(self, flag: bool) -> Result<Value, WriteError> {
        Ok(Value::Bool(flag))
    }

    fn serialize_f32(self, number: f32) -> Result<Value, WriteError> {
        self.serialize_f64(number.into())
    }

    fn serialize_f64(self, number: f64) -> Result<Value, WriteError> {
        Ok(Value::Float(number))
    }

    fn serialize_char(self, c: char) -> Result<Value, WriteError> {
        Ok(Value::String(c.to_string()))
    }

    fn serialize_str(self, text: &str) -> Result<Value, WriteError> {
        Ok(Value::String(text.to_owned()))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Value, WriteError> {
        Err(ser::Error::custom("bytes have no place in a manifest"))
    }

    fn serialize_none(self) -> Result<Value, WriteError> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, WriteError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, WriteError> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, WriteError> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Value, WriteError> {
        Ok(Value::String(variant.to_owned()))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Value, WriteError> {
        match value.serialize(self)? {
            Value::String(text) if name == DATETIME => Ok(Value::Datetime(Datetime(text))),
            value => Ok(value),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, WriteError> {
        Ok(Value::Table(IndexMap::from([(variant.to_owned(), value.serialize(self)?)])))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items, WriteError> {
        Ok(Items(Vec::with_capacity(length.unwrap_or_default())))
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
        Ok(Entries { entries: IndexMap::new(), key: None })
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

struct Items(Vec<Value>);

impl ser::SerializeSeq for Items {
    type Ok = Value;
    type Error = WriteError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        self.0.push(value.serialize(ToValue)?);
        Ok(())
    }

    fn end(self) -> Result<Value, WriteError> {
        Ok(Value::Array(self.0))
    }
}

impl ser::SerializeTuple for Items {
    type Ok = Value;
    type Error = WriteError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<Value, WriteError> {
        ser::SerializeSeq::end(self)
    }
}

impl ser::SerializeTupleStruct for Items {
    type Ok = Value;
    type Error = WriteError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<Value, WriteError> {
        ser::SerializeSeq::end(self)
    }
}

struct Entries {
    entries: IndexMap<String, Value>,
    key: Option<String>,
}

impl ser::SerializeMap for Entries {
    type Ok = Value;
    type Error = WriteError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), WriteError> {
        let Value::String(key) = key.serialize(ToValue)? else {
            return Err(ser::Error::custom("a key is a string"));
        };
        self.key = Some(key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = self.key.take().ok_or_else(|| ser::Error::custom("a value needs a key"))?;
        self.entries.insert(key, value.serialize(ToValue)?);
        Ok(())
    }

    fn end(self) -> Result<Value, WriteError> {
        Ok(Value::Table(self.entries))
    }
}

impl ser::SerializeStruct for Entries {
    type Ok = Value;
    type Error = WriteError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), WriteError> {
        self.entries.insert(key.to_owned(), value.serialize(ToValue)?);
        Ok(())
    }

    fn end(self) -> Result<Value, WriteError> {
        Ok(Value::Table(self.entries))
    }
}
