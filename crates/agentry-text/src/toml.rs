//! TOML: the front end and the writer.

use crate::finding::Finding;
use crate::fix::{Change, Mend, Safety};
use crate::lines::Lines;
use crate::read::{Mode, Read, ReadError, Reading, read_text};
use crate::rules;
use crate::tree::{Document, Entry, Kind, MAX_DEPTH, Node, Span, Table};
use crate::value::{Datetime, Value};
use crate::write::{WriteError, to_value_without_nothing};
use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};
use serde::Serialize;
use std::ops::Range;

/// How many faults of syntax one document shows: later ones are mostly echoes.
const MAX_FAULTS: usize = 100;
/// What the reader says of a line without a value.
const NO_VALUE: &str = "key with no value";
/// What it says of a word that can be no key.
const NO_KEY: &str = "unquoted key";
const LINES: &str = "each line is `key = value`, `[table]` or a `# comment`";

/// Reads a document strictly: the value is valid, or the error says what is wrong and where.
pub fn from_str<T: Read>(text: &str) -> Result<T, ReadError> {
    read_text(&parse(text), text, Mode::Strict).into_result(text)
}

/// Reads a document tolerantly: what could be read, and every finding.
pub fn read<T: Read>(text: &str) -> Reading<T> {
    read_text(&parse(text), text, Mode::Tolerant)
}

/// Takes a text apart.
pub fn parse(text: &str) -> Document {
    if let Some(document) = Document::too_large(text.len()) {
        return document;
    }
    crate::conflict::parse_without(text, parse_once)
}

fn parse_once(text: &str) -> Document {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut builder = Builder { text, findings: Vec::new(), damaged: false };
    let root = Node { kind: Kind::Table(builder.table(table.get_ref(), 0)), span: Span::default() };
    // What stands on the line of a fault was taken apart wrongly: nothing true can be said of its value.
    let lines = Lines::new(text);
    let faulty: Vec<usize> = errors
        .iter()
        .take(MAX_FAULTS)
        .filter_map(::toml::de::Error::span)
        .map(|at| lines.position(at.start).line)
        .collect();
    builder.findings.retain(|finding| !faulty.contains(&lines.position(finding.span.start).line));
    builder.findings.truncate(MAX_FAULTS);
    let line_of = |error: &::toml::de::Error| error.span().map(|at| lines.position(at.start).line);
    for error in errors.iter().take(MAX_FAULTS) {
        // That a value is missing says nothing new of what is no key either.
        let follows = error.message().contains(NO_VALUE)
            && errors
                .iter()
                .take(MAX_FAULTS)
                .any(|other| other.message().contains(NO_KEY) && line_of(other) == line_of(error));
        if !follows {
            builder.syntax(error, &root, &lines);
        }
    }
    if errors.len() > MAX_FAULTS {
        builder.findings.push(Finding::new(
            &rules::TOO_MANY_FINDINGS,
            "",
            errors[MAX_FAULTS].span().map(span).unwrap_or_default(),
            format!("more than {MAX_FAULTS} faults of syntax: the rest is not shown"),
        ));
    }
    for finding in &mut builder.findings {
        let place = finding.related.first().map_or(finding.span, |first| first.span);
        finding.pointer = root.pointer_at(place).unwrap_or_default();
    }
    let empty = root.as_table().is_none_or(|table| table.entries.is_empty());
    if empty && builder.findings.is_empty() {
        return Document::empty();
    }
    let root = (!empty).then_some(root);
    Document { root, findings: builder.findings, damaged: builder.damaged }
}

struct Builder<'t> {
    text: &'t str,
    findings: Vec<Finding>,
    damaged: bool,
}

fn span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

impl Builder<'_> {
    fn table(&mut self, table: &DeTable<'_>, depth: usize) -> Table {
        let mut entries: Vec<Entry> = table
            .iter()
            .map(|(key, value)| Entry {
                key: key.get_ref().to_string(),
                key_span: span(key.span()),
                node: self.node(value, depth + 1),
            })
            .collect();
        entries.sort_by_key(|entry| entry.key_span.start);
        Table { entries }
    }

    fn node(&mut self, value: &Spanned<DeValue<'_>>, depth: usize) -> Node {
        let at = span(value.span());
        let kind = match value.get_ref() {
            _ if depth > MAX_DEPTH => {
                self.too_deep(at);
                Kind::Table(Table::default())
            }
            DeValue::String(text) => Kind::String(text.to_string()),
            DeValue::Integer(integer) => self.integer(integer.as_str(), integer.radix(), at),
            DeValue::Float(float) => self.float(float.as_str(), at),
            DeValue::Boolean(flag) => Kind::Bool(*flag),
            DeValue::Datetime(datetime) => Kind::Datetime(Datetime(datetime.to_string())),
            DeValue::Array(items) => {
                Kind::Array(items.iter().map(|item| self.node(item, depth + 1)).collect())
            }
            DeValue::Table(table) => Kind::Table(self.table(table, depth)),
        };
        Node { kind, span: at }
    }

    fn integer(&mut self, digits: &str, radix: u32, at: Span) -> Kind {
        let number = i64::from_str_radix(digits.trim_start_matches('+'), radix);
        if let Ok(number) = number {
            return Kind::Integer(number.into());
        }
        self.findings.push(
            Finding::new(&rules::SYNTAX, "", at, "a TOML integer must fit into 64 bits")
                .label("too large for an integer"),
        );
        self.damaged = true;
        Kind::Integer(0)
    }

    fn float(&mut self, digits: &str, at: Span) -> Kind {
        let number = digits.parse::<f64>().unwrap_or(f64::NAN);
        if !number.is_finite() {
            self.findings.push(Finding::not_finite(digits, at));
        }
        Kind::Float(number)
    }

    fn too_deep(&mut self, at: Span) {
        self.damaged = true;
        if !self.findings.iter().any(|finding| finding.rule == &rules::TOO_DEEP) {
            self.findings.push(Finding::too_deep(at));
        }
    }

    fn syntax(&mut self, error: &::toml::de::Error, root: &Node, lines: &Lines<'_>) {
        let at = error.span().map(span).unwrap_or_default();
        let message = error.message();
        if message.contains("recursion limit") || message.contains("recursion depth") {
            return self.too_deep(at);
        }
        if message.contains("duplicate key") {
            return self.duplicate(at, root);
        }
        self.damaged = true;
        let mut finding = Finding::new(&rules::SYNTAX, "", at, format!("this is not TOML: {message}"))
            .label("the reader stopped here");
        let line = lines.line(lines.position(at.start).line);
        if line.contains('\\') && (message.contains("escape") || message.contains("unicode")) {
            finding.help = Some(
                "in \"…\" a backslash starts an escape: use single quotes, '…', or forward slashes"
                    .to_owned(),
            );
            finding.mend = self.backslashes(at, root);
        } else if line.trim_start().starts_with('\t')
            || message.contains(NO_VALUE)
            || message.contains(NO_KEY)
        {
            finding.help = Some(LINES.to_owned());
        }
        self.findings.push(finding);
    }

    /// What a text with backslashes is meant to be that stand for nothing: the same with each written twice. That is certain
    /// of a path of Windows; elsewhere, another of them may be an escape that was meant.
    fn backslashes(&self, at: Span, root: &Node) -> Option<Mend> {
        let start = self.text.get(..at.start)?.rfind('\n').map_or(0, |found| found + 1);
        let line = self.text[start..].lines().next()?;
        let (key, value) = line.split_once('=')?;
        let written = value.trim();
        let inner = written.strip_prefix('"')?.strip_suffix('"')?;
        if inner.contains(['"', '\'']) {
            return None;
        }
        let from = start + key.len() + 1 + value.len() - value.trim_start().len();
        let mut entries = Vec::new();
        each_key(root, &mut |entry| {
            if (start..start + key.len()).contains(&entry.key_span.start) {
                entries.push(entry.key_span);
            }
        });
        let [entry] = entries[..] else { return None };
        let drive =
            inner.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && inner[1..].starts_with(":\\");
        Some(Mend {
            safety: if drive { Safety::Safe } else { Safety::Unsafe },
            pointer: root.pointer_at(entry)?,
            change: Change::Text { at: Span::new(from, from + written.len()), to: inner.to_owned() },
        })
    }

    fn duplicate(&mut self, at: Span, root: &Node) {
        let raw = self.text.get(at.start..at.end).unwrap_or_default();
        let key = raw.trim_matches(['"', '\'']);
        let mut earlier = Vec::new();
        each_key(root, &mut |entry| {
            if entry.key == key && entry.key_span.start < at.start {
                earlier.push(entry.key_span);
            }
        });
        let first = match earlier[..] {
            [first] => Some(first),
            _ => None,
        };
        self.findings.push(Finding::duplicate_key(key, at, first));
    }
}

fn each_key(node: &Node, visit: &mut impl FnMut(&Entry)) {
    match &node.kind {
        Kind::Table(table) => {
            for entry in &table.entries {
                visit(entry);
                each_key(&entry.node, visit);
            }
        }
        Kind::Array(items) => items.iter().for_each(|item| each_key(item, visit)),
        _ => {}
    }
}

/// The text of a value: read back, it is the same value, but for nulls, which TOML does not have.
///
/// A key whose type says that null means the same as an absent key (`Nullable`) is left out. A null among what an
/// author wrote as data is an error: only its author knows what it means.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, WriteError> {
    let value = to_toml(&to_value_without_nothing(value)?, "")?;
    ::toml::to_string_pretty(&value).map_err(|error| WriteError(error.to_string()))
}

fn to_toml(value: &Value, pointer: &str) -> Result<::toml::Value, WriteError> {
    Ok(match value {
        Value::Null => {
            let place = if pointer.is_empty() { "the root" } else { pointer };
            return Err(WriteError(format!(
                "TOML has no null, and there is one at `{}`: leave it out, or write YAML or JSON",
                crate::mask::mask_secrets(place)
            )));
        }
        Value::Bool(flag) => ::toml::Value::Boolean(*flag),
        Value::Integer(number) => ::toml::Value::Integer(i64::try_from(*number).map_err(|_| {
            WriteError(format!("a TOML integer must fit into 64 bits, and the one at `{pointer}` does not"))
        })?),
        Value::Float(number) => ::toml::Value::Float(*number),
        Value::String(text) => ::toml::Value::String(text.clone()),
        Value::Datetime(datetime) => ::toml::Value::Datetime(
            datetime.as_str().parse().map_err(|_| WriteError(format!("no TOML date at `{pointer}`")))?,
        ),
        Value::Array(items) => ::toml::Value::Array(
            items
                .iter()
                .enumerate()
                .map(|(index, item)| to_toml(item, &format!("{pointer}/{index}")))
                .collect::<Result<_, _>>()?,
        ),
        Value::Table(entries) => ::toml::Value::Table(
            entries
                .iter()
                .map(|(key, item)| Ok((key.clone(), to_toml(item, &format!("{pointer}/{key}"))?)))
                .collect::<Result<_, WriteError>>()?,
        ),
    })
}
