//! Values as YAML text that every reader, of YAML 1.1 or 1.2, takes for the same value.

use super::scalar::{self, Meaning};
use crate::mask::is_invisible;
use crate::value::Value;
use crate::write::{WriteError, to_value};
use indexmap::IndexMap;
use serde::Serialize;
use std::fmt::Write as _;

/// The longest key that is written without the mark of a long key; the specification allows 1,024 characters.
const MAX_SIMPLE_KEY: usize = 1_000;

/// The text of a value, in blocks indented by two spaces: read back, it is the same value. Dates become strings,
/// and a string is quoted where any reader could take it for something else.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, WriteError> {
    let value = to_value(value)?;
    let mut writer = Writer { out: String::new() };
    match &value {
        Value::Table(entries) if !entries.is_empty() => writer.table(entries, 0)?,
        Value::Array(items) if !items.is_empty() => writer.array(items, 0)?,
        leaf => {
            writer.out.push_str(&scalar_text(leaf)?);
            writer.out.push('\n');
        }
    }
    Ok(writer.out)
}

struct Writer {
    out: String,
}

impl Writer {
    fn table(&mut self, entries: &IndexMap<String, Value>, indent: usize) -> Result<(), WriteError> {
        for (index, (key, value)) in entries.iter().enumerate() {
            if index > 0 {
                self.indent(indent);
            }
            let key = text(key);
            if key.chars().count() > MAX_SIMPLE_KEY {
                let _ = writeln!(self.out, "? {key}");
                self.indent(indent);
            } else {
                self.out.push_str(&key);
            }
            self.out.push(':');
            match value {
                Value::Table(inner) if !inner.is_empty() => {
                    self.out.push('\n');
                    self.indent(indent + 2);
                    self.table(inner, indent + 2)?;
                }
                Value::Array(items) if !items.is_empty() => {
                    self.out.push('\n');
                    self.indent(indent + 2);
                    self.array(items, indent + 2)?;
                }
                leaf => self.leaf(leaf, indent)?,
            }
        }
        Ok(())
    }

    fn array(&mut self, items: &[Value], indent: usize) -> Result<(), WriteError> {
        for (index, value) in items.iter().enumerate() {
            if index > 0 {
                self.indent(indent);
            }
            self.out.push('-');
            match value {
                Value::Table(inner) if !inner.is_empty() => {
                    self.out.push(' ');
                    self.table(inner, indent + 2)?;
                }
                Value::Array(inner) if !inner.is_empty() => {
                    self.out.push(' ');
                    self.array(inner, indent + 2)?;
                }
                leaf => self.leaf(leaf, indent)?,
            }
        }
        Ok(())
    }

    /// A value behind a key or a dash, up to the end of its line.
    fn leaf(&mut self, value: &Value, indent: usize) -> Result<(), WriteError> {
        self.out.push(' ');
        match value {
            Value::String(text) if is_literal(text) => self.literal(text, indent + 2),
            leaf => {
                self.out.push_str(&scalar_text(leaf)?);
                self.out.push('\n');
            }
        }
        Ok(())
    }

    fn literal(&mut self, text: &str, indent: usize) {
        let body = text.trim_end_matches('\n');
        self.out.push_str(match text.len() - body.len() {
            0 => "|-\n",
            1 => "|\n",
            _ => "|+\n",
        });
        let lines = text.strip_suffix('\n').unwrap_or(text);
        for line in lines.split('\n') {
            if !line.is_empty() {
                self.indent(indent);
                self.out.push_str(line);
            }
            self.out.push('\n');
        }
    }

    fn indent(&mut self, indent: usize) {
        self.out.extend(std::iter::repeat_n(' ', indent));
    }
}

/// A value on one line.
fn scalar_text(value: &Value) -> Result<String, WriteError> {
    Ok(match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) if number.is_finite() => float(*number),
        Value::Float(_) => {
            return Err(WriteError("a number that is not finite has no place in a document".to_owned()));
        }
        Value::String(value) => text(value),
        Value::Datetime(datetime) => text(datetime.as_str()),
        Value::Array(_) => "[]".to_owned(),
        Value::Table(_) => "{}".to_owned(),
    })
}

/// A number with a fraction, as YAML 1.1 and 1.2 read it: a point, and a sign in the exponent.
pub(super) fn float(number: f64) -> String {
    let shortest = format!("{number:?}");
    let Some((mantissa, exponent)) = shortest.split_once('e') else { return shortest };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}

/// A string on one line: without quotes where nobody can take it for anything else.
fn text(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { double_quoted(text) }
}

/// A string in quotes that are easy to read.
pub(super) fn quote(text: &str) -> String {
    let odd = |c: char| needs_escape(c) || matches!(c, '\n' | '\r' | '\t');
    if text.contains(['"', '\\']) && !text.contains('\'') && !text.contains(odd) {
        format!("'{text}'")
    } else {
        double_quoted(text)
    }
}

fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            c if needs_escape(c) => {
                let code = u32::from(c);
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Characters that YAML does not take as they are, that it or its readers take for something else, or that
/// nobody sees.
fn needs_escape(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
        || is_invisible(c)
        || c.is_whitespace() && !matches!(c, ' ' | '\n' | '\t')
}

/// Whether a string is safe without quotes, as a key and as a value.
fn is_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let begins = first.is_alphabetic() || matches!(first, '_' | '/' | '(');
    // A digit at the beginning may be of a number, a date or a time: such strings are quoted.
    begins
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.contains(['\n', '\t'])
        && !text.contains(needs_escape)
        && scalar::core(text) == Meaning::Text
        && scalar::older(text) == Meaning::Text
}

/// Whether a string is several lines that a literal block gives back exactly.
fn is_literal(text: &str) -> bool {
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default();
    text.contains('\n')
        && !first.is_empty()
        && text
            .split('\n')
            .all(|line| !line.starts_with('\t') && (line.is_empty() || !line.trim().is_empty()))
        && !first.starts_with(' ')
        && !text.contains(needs_escape)
}
