//! A tree of values as the text of a file, and the line of every value in it.

use super::Random;
use agentry_text::Format;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// How texts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As many people write it: as the seed has it.
    Varied,
    /// One key a line, in the order of the tree, quoted alike.
    Plain,
}

/// What stands at the beginning of a text that is written as it is, where a tree has no such value.
const RAW: char = '\u{1}';

/// A value that stands in the text exactly so.
pub fn raw(text: impl AsRef<str>) -> Value {
    Value::String(format!("{RAW}{}", text.as_ref()))
}

/// The text of a file.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// Its format, of which the style depends.
    pub format: Option<Format>,
    /// The text, with `\n` at the end of each line.
    pub text: String,
    /// Whether lines are to end in `\r\n`.
    pub crlf: bool,
    /// By JSON pointer: the line of the key or header, and where in the text the value is.
    pub places: HashMap<String, Place>,
}

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line of its key, of its header, or of the value itself where it is an entry of a list.
    pub line: usize,
    /// Where the value begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Whether key and value are all that stands in the line.
    pub alone: bool,
}

impl Text {
    /// The line of a byte.
    pub fn line_at(&self, byte: usize) -> usize {
        self.text.bytes().take(byte).filter(|byte| *byte == b'\n').count() + 1
    }

    /// The bytes as they go into the file.
    pub fn bytes(&self) -> Vec<u8> {
        if self.crlf { self.text.replace('\n', "\r\n").into_bytes() } else { self.text.clone().into_bytes() }
    }

    /// Where a line begins and ends, without the line feed.
    pub fn line(&self, number: usize) -> std::ops::Range<usize> {
        let start = self.text.split_inclusive('\n').take(number - 1).map(str::len).sum();
        let length = self.text[start..].find('\n').unwrap_or(self.text.len() - start);
        start..start + length
    }

    /// Puts text before a line; returns the number of the line.
    pub fn insert_line(&mut self, number: usize, text: &str) -> usize {
        let start = self.line(number).start;
        self.text.insert_str(start, &format!("{text}\n"));
        number
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.text.lines().count()
    }
}

/// Writes a tree. Markdown has a body below.
pub fn emit(format: Format, root: &Value, body: &str, style: Style, random: Random) -> Text {
    let mut emitter =
        Emitter { out: Text { format: Some(format), ..Text::default() }, style, random, line: 1 };
    match format {
        Format::Json => emitter.json(root),
        Format::Yaml => emitter.yaml(root),
        Format::Markdown => {
            emitter.push("---\n");
            emitter.yaml(root);
            emitter.push("---\n");
            emitter.push(body);
        }
        _ => emitter.toml(root),
    }
    emitter.out.crlf = style == Style::Varied && emitter.random.once_in(6);
    emitter.out
}

struct Emitter {
    out: Text,
    style: Style,
    random: Random,
    /// The line that is being written.
    line: usize,
}

/// The JSON pointer of an entry.
pub fn child(pointer: &str, key: impl std::fmt::Display) -> String {
    format!("{pointer}/{}", key.to_string().replace('~', "~0").replace('/', "~1"))
}

impl Emitter {
    fn varied(&self) -> bool {
        self.style == Style::Varied
    }

    fn push(&mut self, text: &str) {
        self.line += text.bytes().filter(|byte| *byte == b'\n').count();
        self.out.text.push_str(text);
    }

    fn line(&self) -> usize {
        self.line
    }

    /// Notes where a value is that was just written from some byte on.
    fn note(&mut self, pointer: String, line: usize, start: usize, alone: bool) {
        let end = self.out.text.len();
        self.out.places.insert(pointer, Place { line, start, end, alone });
    }

    fn comment(&mut self, indent: &str) {
        if self.varied() && self.random.once_in(9) {
            let comment = self.random.of(&[
                "# kept short on purpose",
                "# see the notes of the team: nothing here is = final",
                "# 说明：以后再改",
                "#",
                "# [not] a table, \"not\" a text",
            ]);
            self.push(indent);
            self.push(comment);
            self.push("\n");
        }
        if self.varied() && self.random.once_in(12) {
            self.push("\n");
        }
    }

    /// The entries of a table, in some order.
    fn ordered<'v>(&mut self, table: &'v Map<String, Value>) -> Vec<(&'v String, &'v Value)> {
        let mut entries: Vec<_> = table.iter().collect();
        if self.varied() && self.random.coin() {
            self.random.shuffle(&mut entries);
        }
        entries
    }

    // TOML

    fn toml(&mut self, root: &Value) {
        self.note(String::new(), 1, 0, false);
        if let Value::Object(table) = root {
            self.toml_table(table, "", "");
        }
    }

    fn toml_table(&mut self, table: &Map<String, Value>, pointer: &str, header: &str) {
        let entries = self.ordered(table);
        let mut below = Vec::new();
        for (key, value) in entries {
            let at = child(pointer, key);
            let inline = match value {
                Value::Object(inner) => {
                    self.varied()
                        && inner.len() <= 3
                        && inner.values().all(is_short)
                        && self.random.once_in(3)
                }
                Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_object) => {
                    let short = |item: &Value| {
                        item.as_object().is_some_and(|inner| inner.len() <= 3 && inner.values().all(is_short))
                    };
                    self.varied() && items.iter().all(short) && self.random.once_in(4)
                }
                _ => true,
            };
            if !inline {
                below.push((key, value, at));
                continue;
            }
            self.comment("");
            let line = self.line();
            self.push(&toml_key(key));
            self.push(" = ");
            let start = self.out.text.len();
            self.toml_value(value, &at, true);
            self.note(at, line, start, true);
            if self.varied() && self.random.once_in(15) {
                self.push("  # so far");
            }
            self.push("\n");
        }
        for (key, value, at) in below {
            let header =
                if header.is_empty() { toml_key(key) } else { format!("{header}.{}", toml_key(key)) };
            match value {
                Value::Object(inner) => self.toml_header(inner, &at, &header, ("[", "]")),
                Value::Array(items) => {
                    let line = self.line() + 1;
                    let start = self.out.text.len();
                    for (index, item) in items.iter().enumerate() {
                        let Value::Object(inner) = item else { continue };
                        self.toml_header(inner, &child(&at, index), &header, ("[[", "]]"));
                    }
                    self.note(at, line, start, false);
                }
                _ => {}
            }
        }
    }

    fn toml_header(
        &mut self,
        table: &Map<String, Value>,
        pointer: &str,
        header: &str,
        brackets: (&str, &str),
    ) {
        self.push("\n");
        self.comment("");
        let (line, start) = (self.line(), self.out.text.len());
        self.push(brackets.0);
        self.push(header);
        self.push(brackets.1);
        self.push("\n");
        self.note(pointer.to_owned(), line, start, true);
        self.toml_table(table, pointer, header);
    }

    fn toml_value(&mut self, value: &Value, pointer: &str, own_line: bool) {
        match value {
            Value::String(text) => {
                let quoted = self.toml_text(text, own_line);
                self.push(&quoted);
            }
            Value::Array(items) => {
                let apart = own_line
                    && self.varied()
                    && items.len() > 1
                    && items.iter().all(|item| !item.is_object())
                    && self.random.coin();
                self.push("[");
                for (index, item) in items.iter().enumerate() {
                    self.push(if apart {
                        "\n  "
                    } else if index > 0 {
                        " "
                    } else {
                        ""
                    });
                    let (line, start) = (self.line(), self.out.text.len());
                    let at = child(pointer, index);
                    self.toml_value(item, &at, false);
                    self.note(at, line, start, apart);
                    if apart || index + 1 < items.len() {
                        self.push(",");
                    }
                }
                self.push(if apart { "\n]" } else { "]" });
            }
            Value::Object(table) => {
                self.push("{");
                for (index, (key, item)) in table.iter().enumerate() {
                    self.push(if index > 0 { ", " } else { " " });
                    let line = self.line();
                    self.push(&toml_key(key));
                    self.push(" = ");
                    let start = self.out.text.len();
                    let at = child(pointer, key);
                    self.toml_value(item, &at, false);
                    self.note(at, line, start, false);
                }
                self.push(if table.is_empty() { "}" } else { " }" });
            }
            other => {
                let text = other.to_string();
                self.push(&text);
            }
        }
    }

    fn toml_text(&mut self, text: &str, own_line: bool) -> String {
        if let Some(raw) = text.strip_prefix(RAW) {
            return raw.to_owned();
        }
        let plain = !text.contains(|sign: char| sign == '\'' || sign.is_control());
        if own_line && text.contains('\n') && !text.contains("\"\"\"") && !text.contains(['\\', '\r']) {
            let literal =
                self.varied() && self.random.once_in(3) && !text.contains("'''") && !text.ends_with('\'');
            if literal {
                return format!("'''\n{text}'''");
            }
            if !text.ends_with('"') {
                return format!("\"\"\"\n{text}\"\"\"");
            }
        }
        if plain && self.varied() && self.random.once_in(4) {
            return format!("'{text}'");
        }
        json_text(text)
    }

    // YAML

    fn yaml(&mut self, root: &Value) {
        let (line, start) = (self.line(), self.out.text.len());
        if let Value::Object(table) = root {
            self.yaml_table(table, "", "");
        }
        self.note(String::new(), line, start, false);
    }

    fn yaml_table(&mut self, table: &Map<String, Value>, pointer: &str, indent: &str) {
        for (index, (key, value)) in self.ordered(table).into_iter().enumerate() {
            // The first key of an entry of a list stands behind its hyphen.
            if index > 0 || indent.is_empty() {
                if index > 0 {
                    self.comment(indent);
                }
                self.push(indent);
            }
            let line = self.line();
            self.push(&yaml_key(key));
            self.push(":");
            let at = child(pointer, key);
            let start = self.yaml_value(value, &at, indent);
            self.note(at, line, start, is_short(value));
        }
    }

    /// Writes a value behind a key; where it begins.
    fn yaml_value(&mut self, value: &Value, pointer: &str, indent: &str) -> usize {
        let inner = format!("{indent}  ");
        match value {
            Value::Object(table) if !table.is_empty() => {
                self.push("\n");
                let start = self.out.text.len();
                self.push(&inner);
                self.yaml_table(table, pointer, &inner);
                start
            }
            Value::Array(items) if !items.is_empty() => {
                let flow = self.varied() && items.iter().all(is_short) && self.random.coin();
                if flow {
                    self.push(" ");
                    let start = self.out.text.len();
                    self.push("[");
                    for (index, item) in items.iter().enumerate() {
                        self.push(if index > 0 { ", " } else { "" });
                        let (line, at) = (self.line(), self.out.text.len());
                        let text = self.yaml_scalar(item, true);
                        self.push(&text);
                        self.note(child(pointer, index), line, at, false);
                    }
                    self.push("]\n");
                    return start;
                }
                self.push("\n");
                let start = self.out.text.len();
                for (index, item) in items.iter().enumerate() {
                    self.comment(&inner);
                    self.push(&inner);
                    self.push("- ");
                    let (line, from) = (self.line(), self.out.text.len());
                    let at = child(pointer, index);
                    match item {
                        Value::Object(table) if !table.is_empty() => {
                            self.yaml_table(table, &at, &format!("{inner}  "));
                        }
                        Value::Array(_) => {
                            let text = item.to_string();
                            self.push(&text);
                            self.push("\n");
                        }
                        _ => {
                            let text = self.yaml_scalar(item, false);
                            self.push(&text);
                            self.push("\n");
                        }
                    }
                    self.note(at, line, from, is_short(item));
                }
                start
            }
            Value::String(text)
                if text.contains('\n')
                    && text.ends_with('\n')
                    && !text.ends_with("\n\n")
                    && !text.starts_with([' ', '\n', RAW])
                    && !text.contains(['\r', '\t']) =>
            {
                self.push(" ");
                let start = self.out.text.len();
                self.push("|\n");
                for line in text.lines() {
                    if !line.is_empty() {
                        self.push(&inner);
                    }
                    self.push(line);
                    self.push("\n");
                }
                start
            }
            _ => {
                self.push(" ");
                let start = self.out.text.len();
                let text = self.yaml_scalar(value, false);
                self.push(&text);
                self.push("\n");
                start
            }
        }
    }

    fn yaml_scalar(&mut self, value: &Value, flow: bool) -> String {
        let Value::String(text) = value else { return value.to_string() };
        if let Some(raw) = text.strip_prefix(RAW) {
            return raw.to_owned();
        }
        if is_plain_in_yaml(text, flow) && !(self.varied() && self.random.once_in(4)) {
            return text.clone();
        }
        let single = !text.contains(|sign: char| sign == '\'' || sign.is_control());
        if single && self.varied() && self.random.coin() { format!("'{text}'") } else { json_text(text) }
    }

    // JSON

    fn json(&mut self, root: &Value) {
        self.json_value(root, "", "");
        self.note(String::new(), 1, 0, false);
        self.push("\n");
    }

    fn json_value(&mut self, value: &Value, pointer: &str, indent: &str) {
        let inner = format!("{indent}  ");
        match value {
            Value::Object(table) if !table.is_empty() => {
                self.push("{");
                for (index, (key, item)) in self.ordered(table).into_iter().enumerate() {
                    self.push(if index > 0 { ",\n" } else { "\n" });
                    self.push(&inner);
                    let line = self.line();
                    self.push(&json_text(key));
                    self.push(": ");
                    let start = self.out.text.len();
                    let at = child(pointer, key);
                    self.json_value(item, &at, &inner);
                    self.note(at, line, start, is_short(item));
                }
                self.push("\n");
                self.push(indent);
                self.push("}");
            }
            Value::Array(items) if !items.is_empty() => {
                let flow = items.iter().all(is_short) && self.varied() && self.random.coin();
                self.push("[");
                for (index, item) in items.iter().enumerate() {
                    self.push(if index > 0 { "," } else { "" });
                    if flow {
                        self.push(if index > 0 { " " } else { "" });
                    } else {
                        self.push("\n");
                        self.push(&inner);
                    }
                    let (line, start) = (self.line(), self.out.text.len());
                    let at = child(pointer, index);
                    self.json_value(item, &at, &inner);
                    self.note(at, line, start, !flow && is_short(item));
                }
                if !flow {
                    self.push("\n");
                    self.push(indent);
                }
                self.push("]");
            }
            Value::String(text) => match text.strip_prefix(RAW) {
                Some(raw) => self.push(raw),
                None => self.push(&json_text(text)),
            },
            other => {
                let text = other.to_string();
                self.push(&text);
            }
        }
    }
}

/// Whether a value fits into a line.
fn is_short(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() < 60 && !text.contains('\n'),
        Value::Array(items) => items.is_empty(),
        Value::Object(table) => table.is_empty(),
        _ => true,
    }
}

/// A text in double quotes, as JSON, TOML and YAML have it.
pub fn json_text(text: &str) -> String {
    Value::String(text.to_owned()).to_string().replace('\u{7f}', "\\u007f")
}

/// A key, in quotes where it needs them.
pub fn toml_key(key: &str) -> String {
    let bare =
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if bare { key.to_owned() } else { json_text(key) }
}

fn yaml_key(key: &str) -> String {
    let plain =
        is_plain_in_yaml(key, true) || key.strip_prefix('$').is_some_and(|rest| is_plain_in_yaml(rest, true));
    if plain { key.to_owned() } else { json_text(key) }
}

/// Whether every reader of YAML takes a text without quotes for that text.
fn is_plain_in_yaml(text: &str, flow: bool) -> bool {
    let word = |sign: char| sign.is_alphanumeric() || " _./-".contains(sign) || !flow && ",()".contains(sign);
    let special = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    text.starts_with(|sign: char| sign.is_alphabetic())
        && !text.ends_with(' ')
        && text.chars().all(word)
        && !special.contains(&text.to_lowercase().as_str())
}
