//! How a change is written in a text, in each format.

use super::Edit;
use crate::tree::{Entry, Format, Kind, Node, Span};
use std::cell::OnceCell;
use std::fmt::Write as _;
use std::ops::Range;

/// A text with its tree.
pub(super) struct Source<'t> {
    text: &'t str,
    format: Format,
    root: Option<&'t Node>,
    toml: OnceCell<Toml>,
}

/// What a line of TOML is cannot be told from the line alone.
struct Toml {
    /// Values of several lines, in the order of the text.
    values: Vec<Span>,
    /// Where the lines of the headers begin.
    headers: Vec<usize>,
}

impl Toml {
    fn new(text: &str, root: &Node) -> Self {
        let mut values = Vec::new();
        several_lines(text, root, &mut values);
        values.sort_unstable();
        let mut toml = Self { values, headers: Vec::new() };
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if trimmed(line).starts_with('[') && !toml.covers(start) {
                toml.headers.push(start);
            }
            start += line.len();
        }
        toml
    }

    /// Whether a line begins within a value.
    fn covers(&self, start: usize) -> bool {
        let before = self.values.partition_point(|value| value.start < start);
        // None of them lies within another.
        self.values[..before].last().is_some_and(|value| start < value.end)
    }
}

/// The values of several lines that are written in one place.
fn several_lines(text: &str, node: &Node, values: &mut Vec<Span>) {
    let span = node.span;
    let written = text.get(span.start..span.end).unwrap_or_default();
    match &node.kind {
        Kind::String(_) if written.contains('\n') => values.push(span),
        Kind::Table(table) => {
            for entry in &table.entries {
                several_lines(text, &entry.node, values);
            }
        }
        Kind::Array(items) => {
            let before = text.get(..span.start).unwrap_or_default().trim_end_matches([' ', '\t']);
            if before.ends_with('=') {
                if written.contains('\n') {
                    values.push(span);
                }
            } else {
                for item in items {
                    several_lines(text, item, values);
                }
            }
        }
        _ => {}
    }
}

/// A line without the blanks around it, and without the mark that may begin a text.
fn trimmed(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').trim()
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

fn in_double_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

impl<'t> Source<'t> {
    pub(super) fn new(text: &'t str, format: Format, root: Option<&'t Node>) -> Self {
        Self { text, format, root, toml: OnceCell::new() }
    }

    fn written(&self, at: Span) -> Option<&'t str> {
        self.text.get(at.start..at.end).filter(|written| !written.is_empty())
    }

    /// The name of a key.
    pub(super) fn key(&self, at: Span) -> Option<String> {
        Some(self.written(at)?.trim_matches(['"', '\'']).to_owned())
    }

    /// Another name for a key, with the quotes that it has.
    pub(super) fn rename(&self, at: Span, to: &str) -> Option<Edit> {
        let replacement = match self.written(at)?.as_bytes() {
            _ if !is_word(to) => return None,
            [b'"', ..] => format!("\"{to}\""),
            [b'\'', ..] => format!("'{to}'"),
            _ => to.to_owned(),
        };
        Some(Edit { span: at, replacement })
    }

    /// Another string, with the quotes that it has.
    pub(super) fn string(&self, at: Span, to: &str) -> Option<Edit> {
        let written = self.written(at)?;
        let replacement = match written.as_bytes() {
            _ if written.contains('\n') || written.starts_with("\"\"\"") || written.starts_with("'''") => {
                return None;
            }
            [b'\'', ..] if !to.contains('\'') && !to.contains(char::is_control) => format!("'{to}'"),
            [b'"' | b'\'', ..] => in_double_quotes(to),
            _ if is_word(to) => to.to_owned(),
            _ => in_double_quotes(to),
        };
        Some(Edit { span: at, replacement })
    }

    /// Quotes around a value of one word, and the text that it then is.
    pub(super) fn quote(&self, at: Span) -> Option<(Edit, String)> {
        let written = self.written(at)?;
        let plain =
            |c: char| !c.is_control() && !matches!(c, '"' | '\'' | '\\' | '[' | ']' | '{' | '}' | ',');
        written
            .chars()
            .all(plain)
            .then(|| (Edit { span: at, replacement: format!("\"{written}\"") }, written.to_owned()))
    }

    /// Quotes around a text of YAML that has none. Lines stay lines: they are folded in quotes as they are without.
    pub(super) fn quote_text(&self, at: Span) -> Option<Edit> {
        let written = self.written(at)?;
        if !matches!(self.format, Format::Yaml | Format::Markdown) {
            return None;
        }
        let replacement = if written.contains(['"', '\\']) && !written.contains('\'') {
            format!("'{written}'")
        } else {
            format!("\"{}\"", written.replace('\\', "\\\\").replace('"', "\\\""))
        };
        Some(Edit { span: at, replacement })
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |found| found + 1)
    }

    /// Where the line after a place begins.
    fn line_end(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |found| at + found + 1)
    }

    fn line_break(&self) -> &'static str {
        match self.text.find('\n') {
            Some(at) if self.text[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        }
    }

    /// Where the line before the one that begins at a place begins.
    fn line_before(&self, start: usize) -> Option<usize> {
        start.checked_sub(1).map(|end| self.line_start(end))
    }

    fn is_blank(&self, start: usize) -> bool {
        self.text[start..self.line_end(start)].trim().is_empty()
    }

    /// Whether a comment stands alone in a line and speaks to people.
    fn is_comment(&self, start: usize) -> bool {
        let line = trimmed(&self.text[start..self.line_end(start)]);
        line.starts_with('#') && !(line.starts_with("#:") && self.is_head(start))
    }

    /// Whether nothing but comments stands before a line: what is said there to tools is said of the whole file.
    fn is_head(&self, start: usize) -> bool {
        self.text[..start].lines().map(trimmed).all(|line| line.is_empty() || line.starts_with('#'))
    }

    /// The key and what a table has for it.
    fn entry(&self, table: &str, key: Span) -> Option<&'t Entry> {
        let entries = &self.root?.pointer(table)?.as_table()?.entries;
        entries.iter().find(|entry| entry.key_span == key).filter(|entry| self.is_whole(entry))
    }

    /// Whether an entry begins and ends between characters: a text that is broken is taken apart as another one.
    fn is_whole(&self, entry: &Entry) -> bool {
        let (key, value) = (entry.key_span, entry.node.span);
        [key.start, key.end, value.start, value.end].iter().all(|&at| self.text.is_char_boundary(at))
    }

    /// A key taken out of its table, and written into one that encloses it.
    pub(super) fn moved(&self, key: Span, pointer: &str, to: &str) -> Option<Vec<Edit>> {
        let (table, _) = pointer.rsplit_once('/')?;
        let entry = self.entry(table, key)?;
        let mut edits = match self.format {
            Format::Toml => self.moved_in_toml(entry, to)?,
            Format::Yaml | Format::Markdown => self.moved_in_yaml(entry, table, to)?,
            Format::Json => self.moved_in_json(entry, table, to)?,
        };
        edits.sort_by_key(|edit| edit.span);
        Some(edits)
    }

    /// The lines of a key in TOML, with the comment above it.
    fn toml_block(&self, toml: &Toml, entry: &Entry) -> Option<Range<usize>> {
        let (key, value) = (entry.key_span, entry.node.span);
        let mut start = self.line_start(key.start);
        let end = self.line_end(value.end);
        let alone = trimmed(&self.text[start..key.start]).is_empty()
            && self.text.get(key.end..value.start)?.trim_matches([' ', '\t']) == "=";
        let rest = self.text[value.end..end].trim();
        if !alone || !(rest.is_empty() || rest.starts_with('#')) {
            return None;
        }
        while let Some(before) = self.line_before(start) {
            if !self.is_comment(before) || toml.covers(before) {
                break;
            }
            start = before;
        }
        Some(start..end)
    }

    fn moved_in_toml(&self, entry: &Entry, to: &str) -> Option<Vec<Edit>> {
        let root = self.root?;
        let toml = self.toml.get_or_init(|| Toml::new(self.text, root));
        let Range { start, end } = self.toml_block(toml, entry)?;
        let own = toml.headers.partition_point(|&header| header < start);
        let home = header_of(root, to);
        let is_home = |header: &usize| self.header_name(*header) == home;
        if !to.is_empty() && !toml.headers[..own].iter().any(is_home) {
            // A comment that begins the file is of the file.
            let start = if self.is_head(start) { self.line_start(entry.key_span.start) } else { start };
            return self.moved_below(toml, start..end, &home);
        }
        let next = if to.is_empty() {
            0
        } else {
            toml.headers[..own].iter().rev().position(is_home).map(|back| own - back)?
        };
        let header = *toml.headers[..own].get(next)?;
        // A comment that stands before the header without a gap belongs to it, unless it begins the file.
        let mut place = header;
        while let Some(before) = self.line_before(place) {
            if !self.is_comment(before) || toml.covers(before) {
                break;
            }
            place = before;
        }
        if self.line_before(place).is_none_or(|before| trimmed(&self.text[before..place]).starts_with("#:")) {
            place = header;
        }
        let mut block = self.text[start..end].to_owned();
        if !block.ends_with('\n') {
            block.push_str(self.line_break());
        }
        let gap = self.line_before(start).filter(|&before| self.is_blank(before) && !toml.covers(before));
        let start = if let Some(gap) = gap {
            // The empty line above goes with it, and stands below it then.
            block.push_str(&self.text[gap..start]);
            gap
        } else {
            while let Some(before) = self.line_before(place) {
                if !self.is_blank(before) || toml.covers(before) {
                    break;
                }
                place = before;
            }
            start
        };
        if place == 0 && self.text.starts_with('\u{feff}') {
            place = '\u{feff}'.len_utf8();
        }
        Some(vec![
            Edit { span: Span::new(place, place), replacement: block },
            Edit { span: Span::new(start, end), replacement: String::new() },
        ])
    }

    /// Lines of a key written below the header of a table that stands further down.
    fn moved_below(&self, toml: &Toml, lines: Range<usize>, home: &[String]) -> Option<Vec<Edit>> {
        let Range { start, end } = lines;
        let mut headers = toml.headers.iter().filter(|&&header| self.header_name(header) == home);
        // Of several tables of a list nobody knows which is meant.
        let (Some(&header), None) = (headers.next(), headers.next()) else { return None };
        let place = self.line_end(header);
        let at_end = !self.text[..place].ends_with('\n');
        let mut block = self.text[start..end].to_owned();
        if !block.ends_with('\n') {
            block.push_str(self.line_break());
        }
        if at_end {
            block.insert_str(0, self.line_break());
        }
        // Of two empty lines around it one is enough.
        let is_gap = |before: &usize| self.is_blank(*before) && !toml.covers(*before);
        let start = match self.line_before(start).filter(is_gap) {
            Some(gap) if self.is_blank(end) => gap,
            _ => start,
        };
        Some(vec![
            Edit { span: Span::new(start, end), replacement: String::new() },
            Edit { span: Span::new(place, place), replacement: block },
        ])
    }

    /// The keys of a header.
    fn header_name(&self, start: usize) -> Vec<String> {
        let line = trimmed(&self.text[start..self.line_end(start)]);
        let name = line.trim_start_matches('[').split(']').next().unwrap_or_default();
        name.split('.').map(|key| key.trim().trim_matches(['"', '\'']).to_owned()).collect()
    }

    /// The entry of a table that holds what a pointer below it names.
    fn on_the_way(&self, table: &str, below: &str) -> Option<&'t Entry> {
        let key = below.strip_prefix(table)?.split('/').nth(1)?;
        self.root?.pointer(table)?.get(&super::unescaped(key)).filter(|entry| self.is_whole(entry))
    }

    /// The indentation of a key that begins its line.
    fn indent(&self, key: Span) -> Option<usize> {
        let start = self.line_start(key.start);
        let before = self.text[start..key.start].trim_start_matches('\u{feff}');
        before.bytes().all(|byte| byte == b' ').then_some(before.len())
    }

    fn moved_in_yaml(&self, entry: &Entry, table: &str, to: &str) -> Option<Vec<Edit>> {
        let siblings = self.root?.pointer(table)?.as_table()?.entries.len();
        let way = self.on_the_way(to, table)?;
        let (indent, home) = (self.indent(entry.key_span)?, self.indent(way.key_span)?);
        if siblings < 2 || indent <= home {
            return None;
        }
        let mut start = self.line_start(entry.key_span.start);
        let mut end = self.line_end(entry.key_span.end);
        let mut at = end;
        while at < self.text.len() {
            let line = &self.text[at..self.line_end(at)];
            let depth = line.len() - line.trim_start_matches(' ').len();
            let below = depth > indent || depth == indent && line[depth..].starts_with("- ");
            if !below && !line.trim().is_empty() {
                break;
            }
            at += line.len();
            if below && !line.trim().is_empty() {
                end = at;
            }
        }
        let above = |start: usize| {
            self.line_before(start).filter(|&before| {
                let line = &self.text[before..start];
                self.is_comment(before) && line.len() - line.trim_start_matches(' ').len() == indent
            })
        };
        while let Some(before) = above(start) {
            start = before;
        }
        let mut block = String::new();
        for line in self.text[start..end].split_inclusive('\n') {
            match line.get(indent - home..) {
                Some(rest) if line[..indent - home].trim_start_matches(' ').is_empty() => {
                    block.push_str(rest);
                }
                _ if line.trim().is_empty() => block.push_str(line),
                _ => return None,
            }
        }
        if !block.ends_with('\n') {
            block.push_str(self.line_break());
        }
        let mut place = self.line_start(way.key_span.start);
        while let Some(before) = self.line_before(place) {
            let line = &self.text[before..place];
            if before == 0
                || !self.is_comment(before)
                || line.len() - line.trim_start_matches(' ').len() != home
            {
                break;
            }
            place = before;
        }
        if place == 0 && self.text.starts_with('\u{feff}') {
            place = '\u{feff}'.len_utf8();
        }
        Some(vec![
            Edit { span: Span::new(place, place), replacement: block },
            Edit { span: Span::new(start, end), replacement: String::new() },
        ])
    }

    fn moved_in_json(&self, entry: &Entry, table: &str, to: &str) -> Option<Vec<Edit>> {
        let way = self.on_the_way(to, table)?;
        let (start, end) = (entry.key_span.start, json_end(self.text, entry.key_span.end)?);
        let before = self.text[..start].trim_end();
        let removed = if before.ends_with(',') {
            Span::new(before.len() - 1, end)
        } else {
            let rest = &self.text[end..];
            let comma = rest.len() - rest.trim_start().len();
            if rest[comma..].starts_with(',') {
                let after = &rest[comma + 1..];
                Span::new(start, self.text.len() - after.trim_start().len())
            } else {
                Span::new(start, end)
            }
        };
        let place = way.key_span.start;
        let replacement = format!("{},{}", &self.text[start..end], self.gap_before(place));
        Some(vec![
            Edit { span: Span::new(place, place), replacement },
            Edit { span: removed, replacement: String::new() },
        ])
    }

    /// What stands between a key of JSON and what comes before it; a blank where that is nothing.
    fn gap_before(&self, place: usize) -> &'t str {
        let gap = &self.text[self.text[..place].trim_end().len()..place];
        if gap.is_empty() { " " } else { gap }
    }

    /// A key and its text before the first key of a table.
    pub(super) fn insert(&self, table: &str, key: &str, value: &str) -> Option<Edit> {
        let first =
            self.root?.pointer(table)?.as_table()?.entries.first().filter(|first| self.is_whole(first))?;
        let place = first.key_span.start;
        let value = in_double_quotes(value);
        if !is_word(key) {
            return None;
        }
        if self.format == Format::Json {
            let replacement = format!("\"{key}\": {value},{}", self.gap_before(place));
            return Some(Edit { span: Span::new(place, place), replacement });
        }
        let start = self.line_start(place);
        let indent = self.text[start..place].trim_start_matches('\u{feff}');
        let sign = if self.format == Format::Toml { " = " } else { ": " };
        // A table within one line, or the first item of a list.
        let (place, replacement) = if indent.trim().is_empty() {
            (place, format!("{key}{sign}{value}{}{indent}", self.line_break()))
        } else {
            return None;
        };
        Some(Edit { span: Span::new(place, place), replacement })
    }
}

/// The keys on the way to a table, as its header has them.
fn header_of(root: &Node, pointer: &str) -> Vec<String> {
    let mut node = Some(root);
    let mut keys = Vec::new();
    for segment in pointer.split('/').skip(1) {
        let key = super::unescaped(segment);
        node = match node.map(|node| &node.kind) {
            Some(Kind::Array(items)) => key.parse::<usize>().ok().and_then(|index| items.get(index)),
            Some(Kind::Table(table)) => {
                let next = table.get(&key).map(|entry| &entry.node);
                keys.push(key);
                next
            }
            _ => None,
        };
    }
    keys
}

/// Where the value ends that follows a key of JSON.
fn json_end(text: &str, after_key: usize) -> Option<usize> {
    let rest = text.get(after_key..)?;
    let value = rest.trim_start().strip_prefix(':')?.trim_start();
    let from = text.len() - value.len();
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, c) in value.char_indices() {
        if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match c {
            '"' => in_string = true,
            '[' | '{' => depth += 1,
            ']' | '}' if depth > 0 => depth -= 1,
            ',' | ']' | '}' if depth == 0 => return Some(from + value[..at].trim_end().len()),
            _ => {}
        }
    }
    None
}
