//! The spanned tree that every front end builds: duplicates, depth, numbers and dates are decided here once.

use crate::finding::Finding;
use crate::mask::mask_secrets;
use crate::rules;
use crate::value::{Datetime, Shown, Value};
use std::borrow::Cow;
use std::fmt;

/// The deepest nesting that any front end accepts.
pub const MAX_DEPTH: usize = 128;

/// The largest document that is read, in bytes (16 MiB). The largest published manifest known is under 100 KiB.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A half-open range of bytes in the text of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// A range of bytes.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Whether the two share a byte, or one is empty and lies inside the other.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start <= other.end && other.start <= self.end
    }
}

/// The text format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// TOML 1.0.
    Toml,
    /// YAML 1.2, core schema.
    Yaml,
    /// JSON, RFC 8259.
    Json,
    /// Markdown with YAML front matter: the document is the front matter.
    Markdown,
}

impl Format {
    /// Every format.
    pub const ALL: &'static [Self] = &[Self::Toml, Self::Yaml, Self::Json, Self::Markdown];

    /// The format of a name or of a file's ending, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        if name == "yml" {
            return Some(Self::Yaml);
        }
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// The lower-case name, as in file endings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Toml => "toml",
            Self::Yaml => "yaml",
            Self::Json => "json",
            Self::Markdown => "md",
        }
    }
}

/// A value at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Where it stands. For a table this is its header, if it has one, else the key that opened it.
    pub span: Span,
}

/// What a node is.
#[derive(Clone, PartialEq)]
pub enum Kind {
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
    Array(Vec<Node>),
    /// A table, in the order of the text.
    Table(Table),
}

/// Keys and values in the order of the text, each key once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// A key with its value.
#[derive(Clone, PartialEq)]
pub struct Entry {
    /// The key, unescaped.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

/// Shows what a person may see: anything of the shape of a credential is masked.
impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("Null"),
            Self::Bool(flag) => fmt::Debug::fmt(flag, f),
            Self::Integer(number) => fmt::Debug::fmt(number, f),
            Self::Float(number) => fmt::Debug::fmt(number, f),
            Self::String(text) => fmt::Debug::fmt(&mask_secrets(text), f),
            Self::Datetime(datetime) => f.write_str(datetime.as_str()),
            Self::Array(items) => fmt::Debug::fmt(items, f),
            Self::Table(table) => fmt::Debug::fmt(table, f),
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("key", &mask_secrets(&self.key))
            .field("key_span", &self.key_span)
            .field("node", &Shown { key: &self.key, value: &self.node })
            .finish()
    }
}

impl Table {
    /// The entry of a key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

impl Node {
    /// The table, if it is one.
    pub fn as_table(&self) -> Option<&Table> {
        match &self.kind {
            Kind::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The entry of a key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.as_table()?.get(key)
    }

    /// The node that a JSON pointer names.
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        let mut node = self;
        for segment in pointer.split('/').skip(1) {
            let segment: Cow<'_, str> = if segment.contains('~') {
                segment.replace("~1", "/").replace("~0", "~").into()
            } else {
                segment.into()
            };
            node = match &node.kind {
                Kind::Table(table) => &table.get(&segment)?.node,
                Kind::Array(items) => items.get(segment.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(node)
    }

    /// The JSON pointer of the value that stands at a place, or whose key does.
    pub fn pointer_at(&self, span: Span) -> Option<String> {
        if self.span == span && span.start < span.end {
            return Some(String::new());
        }
        match &self.kind {
            Kind::Table(table) => table.entries.iter().find_map(|entry| {
                let rest =
                    if entry.key_span == span { String::new() } else { entry.node.pointer_at(span)? };
                Some(format!("/{}{rest}", entry.key.replace('~', "~0").replace('/', "~1")))
            }),
            Kind::Array(items) => items
                .iter()
                .enumerate()
                .find_map(|(index, item)| Some(format!("/{index}{}", item.pointer_at(span)?))),
            _ => None,
        }
    }

    /// What the node is, with its article: `a string`.
    pub const fn kind_name(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Integer(_) => "an integer",
            Kind::Float(_) => "a number with a fraction",
            Kind::String(_) => "a string",
            Kind::Datetime(_) => "a date or time",
            Kind::Array(_) => "an array",
            Kind::Table(_) => "a table",
        }
    }

    /// Calls `visit` with every string in the tree, keys included, and where it stands.
    pub fn each_string<'n>(&'n self, visit: &mut impl FnMut(&'n str, Span)) {
        match &self.kind {
            Kind::String(text) => visit(text, self.span),
            Kind::Array(items) => items.iter().for_each(|item| item.each_string(visit)),
            Kind::Table(table) => {
                for entry in &table.entries {
                    visit(&entry.key, entry.key_span);
                    entry.node.each_string(visit);
                }
            }
            _ => {}
        }
    }
}

impl From<Value> for Node {
    /// A tree without a text: every span is empty.
    fn from(value: Value) -> Self {
        let kind = match value {
            Value::Null => Kind::Null,
            Value::Bool(flag) => Kind::Bool(flag),
            Value::Integer(number) => Kind::Integer(number),
            Value::Float(number) => Kind::Float(number),
            Value::String(text) => Kind::String(text),
            Value::Datetime(datetime) => Kind::Datetime(datetime),
            Value::Array(items) => Kind::Array(items.into_iter().map(Self::from).collect()),
            Value::Table(entries) => Kind::Table(Table {
                entries: entries
                    .into_iter()
                    .map(|(key, value)| Entry { key, key_span: Span::default(), node: Self::from(value) })
                    .collect(),
            }),
        };
        Self { kind, span: Span::default() }
    }
}

impl From<&Node> for Value {
    fn from(node: &Node) -> Self {
        match &node.kind {
            Kind::Null => Self::Null,
            Kind::Bool(flag) => Self::Bool(*flag),
            Kind::Integer(number) => Self::Integer(*number),
            Kind::Float(number) => Self::Float(*number),
            Kind::String(text) => Self::String(text.clone()),
            Kind::Datetime(datetime) => Self::Datetime(datetime.clone()),
            Kind::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            Kind::Table(table) => Self::Table(
                table.entries.iter().map(|entry| (entry.key.clone(), Self::from(&entry.node))).collect(),
            ),
        }
    }
}

/// A text that was taken apart: the tree, as far as there is one, and what was wrong with the syntax.
#[derive(Clone, Debug)]
pub struct Document {
    /// The root. None when nothing could be read.
    pub root: Option<Node>,
    /// Faults of syntax, duplicate keys and limits.
    pub findings: Vec<Finding>,
    /// Whether the tree may lack parts of the text: then nobody may say that a key is missing.
    pub damaged: bool,
}

impl From<Value> for Document {
    /// A document without a text.
    fn from(value: Value) -> Self {
        Self { root: Some(value.into()), findings: Vec::new(), damaged: false }
    }
}

impl Document {
    /// A document of more bytes than are read.
    pub fn too_large(bytes: usize) -> Option<Self> {
        (bytes > MAX_BYTES).then(|| Self { root: None, findings: vec![Finding::too_large()], damaged: true })
    }

    /// A document that holds nothing.
    pub fn empty() -> Self {
        let finding = Finding::new(&rules::EMPTY_FILE, "", Span::default(), "the file holds nothing")
            .help("write the manifest, or delete the file");
        Self { root: None, findings: vec![finding], damaged: false }
    }
}
