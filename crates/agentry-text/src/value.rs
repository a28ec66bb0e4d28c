//! A value without a place: what unknown keys are kept as.

use crate::mask::{MASK, mask_secrets, may_name_secret};
use indexmap::IndexMap;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// The name under which serde carries a date through to the writers of this crate.
pub(crate) const DATETIME: &str = "$agentry::Datetime";

/// The key under which the `toml` crate carries a date through serde.
const TOML_DATETIME: &str = "$__toml_private_datetime";

/// Any value a document can hold, kept as it was written.
#[derive(Clone, PartialEq)]
pub enum Value {
    /// JSON and YAML only.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number written without fraction or exponent.
    Integer(i128),
    /// A finite number written with one.
    Float(f64),
    /// Text.
    String(String),
    /// A TOML date, time, or both.
    Datetime(Datetime),
    /// A list.
    Array(Vec<Value>),
    /// Keys and values in the order of the text.
    Table(IndexMap<String, Value>),
}

/// A TOML date, time, or both, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datetime(pub(crate) String);

impl Datetime {
    /// The text, as TOML has it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Shows what a person may see: anything of the shape of a credential is masked.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("Null"),
            Self::Bool(flag) => fmt::Debug::fmt(flag, f),
            Self::Integer(number) => fmt::Debug::fmt(number, f),
            Self::Float(number) => fmt::Debug::fmt(number, f),
            Self::String(text) => fmt::Debug::fmt(&mask_secrets(text), f),
            Self::Datetime(Datetime(text)) => f.write_str(text),
            Self::Array(items) => f.debug_list().entries(items).finish(),
            Self::Table(entries) => {
                let shown = entries.iter().map(|(key, value)| (mask_secrets(key), Shown { key, value }));
                f.debug_map().entries(shown).finish()
            }
        }
    }
}

/// The value of a key, hidden where the key holds a secret by its name.
pub(crate) struct Shown<'v, T> {
    pub(crate) key: &'v str,
    pub(crate) value: &'v T,
}

impl<T: fmt::Debug> fmt::Debug for Shown<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if may_name_secret(self.key) { f.write_str(MASK) } else { self.value.fmt(f) }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Integer(number) => {
                if let Ok(number) = i64::try_from(*number) {
                    serializer.serialize_i64(number)
                } else if let Ok(number) = u64::try_from(*number) {
                    serializer.serialize_u64(number)
                } else {
                    serializer.serialize_i128(*number)
                }
            }
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::String(text) => serializer.serialize_str(text),
            Self::Datetime(Datetime(text)) => serializer.serialize_newtype_struct(DATETIME, text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Table(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number.into()))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Integer(number.into()))
    }

    fn visit_i128<E: de::Error>(self, number: i128) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        if number.is_finite() {
            Ok(Value::Float(number))
        } else {
            Err(E::custom("a number must be finite: `nan` and `inf` have no place in a manifest"))
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut entries = IndexMap::new();
        while let Some((key, value)) = access.next_entry::<String, Value>()? {
            if key == TOML_DATETIME {
                let Value::String(text) = value else {
                    return Err(de::Error::custom("a date is carried as text"));
                };
                return Ok(Value::Datetime(Datetime(text)));
            }
            if entries.contains_key(&key) {
                return Err(de::Error::custom(format_args!("the key `{key}` is there twice")));
            }
            entries.insert(key, value);
        }
        Ok(Value::Table(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn what_is_kept_is_not_shown_where_it_may_be_a_credential() {
        let token = "ghp_0123456789abcdefABCDEF";
        let value =
            Value::Table([(token.to_owned(), Value::Array(vec![Value::String(token.to_owned())]))].into());
        let shown = format!("{value:?}");
        assert!(!shown.contains(token) && shown.contains("••••"), "{shown}");
        let named = Value::Table([("password".to_owned(), Value::String("hunter2".to_owned()))].into());
        assert!(!format!("{named:?}").contains("hunter2"));
        assert_eq!(format!("{:?}", Value::String("plain".to_owned())), "\"plain\"");
    }
}
