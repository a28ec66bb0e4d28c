//! JSON, strictly by RFC 8259: the front end and the writer.
//!
//! Duplicate keys, which the standard leaves open, are errors. After a fault of syntax the reader goes on where it
//! safely can, so that one run shows several; where it cannot, what stands before the fault is kept.

use crate::finding::Finding;
use crate::mask::quoted;
use crate::read::{Mode, Read, ReadError, Reading, read_text};
use crate::rules;
use crate::tree::{Document, Entry, Kind, MAX_DEPTH, Node, Span, Table};
use crate::write::{WriteError, to_value};
use serde::Serialize;

/// How many faults of syntax one document shows: later ones are mostly echoes.
const MAX_FAULTS: usize = 20;

/// How many repeated keys and numbers that are not finite one document shows.
const MAX_DUPLICATES: usize = 100;

/// Reads a document strictly: the value is valid, or the error says what is wrong and where.
pub fn from_str<T: Read>(text: &str) -> Result<T, ReadError> {
    read_text(&parse(text), text, Mode::Strict).into_result(text)
}

/// Reads a document tolerantly: what could be read, and every finding.
pub fn read<T: Read>(text: &str) -> Reading<T> {
    read_text(&parse(text), text, Mode::Tolerant)
}

/// The text of a value, indented by two spaces: read back, it is the same value. Dates become strings.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, WriteError> {
    let value = to_value(value)?;
    let mut text = serde_json::to_string_pretty(&value).map_err(|error| WriteError(error.to_string()))?;
    text.push('\n');
    Ok(text)
}

/// Takes a text apart.
pub fn parse(text: &str) -> Document {
    if let Some(document) = Document::too_large(text.len()) {
        return document;
    }
    crate::conflict::parse_without(text, parse_once)
}

fn parse_once(text: &str) -> Document {
    let mut parser = Parser { text, at: 0, findings: Vec::new(), damaged: false, lost: false };
    if text.starts_with('\u{feff}') {
        parser.at = '\u{feff}'.len_utf8();
    }
    parser.space();
    if parser.peek().is_none() {
        return Document::empty();
    }
    let root = parser.value(0);
    parser.space();
    if !parser.lost && parser.at < text.len() {
        let rest = Span::new(parser.at, text.len());
        parser.fault(
            rest,
            "there is more text after the end of the document",
            Some("a file holds one JSON value"),
        );
    }
    let mut findings = parser.findings;
    if let Some(root) = &root {
        for finding in &mut findings {
            let place = finding.related.first().map_or(finding.span, |first| first.span);
            finding.pointer = root.pointer_at(place).unwrap_or_default();
        }
    }
    Document { root, findings, damaged: parser.damaged }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    findings: Vec<Finding>,
    damaged: bool,
    /// Whether the reader lost its place: then nothing more can be said.
    lost: bool,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn space(&mut self) {
        loop {
            self.at += self.text[self.at..].bytes().take_while(|byte| b" \t\r\n".contains(byte)).count();
            let rest = &self.text[self.at..];
            let length = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return;
            };
            let comment = Span::new(self.at, self.at + length);
            self.fault(
                comment,
                "JSON has no comments",
                Some("delete it; where a note is needed, use a key for it"),
            );
            self.at += length;
        }
    }

    fn fault(&mut self, span: Span, message: &str, help: Option<&str>) {
        self.damaged = true;
        let faults = self.findings.iter().filter(|finding| finding.rule == &rules::SYNTAX).count();
        if faults >= MAX_FAULTS {
            return;
        }
        let mut finding =
            Finding::new(&rules::SYNTAX, "", span, format!("this is not JSON: {message}")).label("here");
        finding.help = help.map(str::to_owned);
        self.findings.push(finding);
    }

    /// A finding that is no fault of syntax; past a bound it only makes the document invalid.
    fn note(&mut self, finding: Finding) {
        if self.findings.len() < MAX_DUPLICATES {
            self.findings.push(finding);
        }
    }

    /// A fault at the character that stands here, after which the reader does not know where it is.
    fn lose(&mut self, message: &str, help: Option<&str>) {
        if !self.lost {
            let end = self.at + self.peek().map_or(0, char::len_utf8);
            self.fault(Span::new(self.at, end), message, help);
        }
        self.lost = true;
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        let start = self.at;
        let kind = match self.peek() {
            Some('{' | '[') if depth >= MAX_DEPTH => {
                self.lost = true;
                self.damaged = true;
                self.findings.push(Finding::too_deep(Span::new(start, start + 1)));
                return None;
            }
            Some('{') => self.object(depth),
            Some('[') => self.array(depth),
            Some('"') => Kind::String(self.string()?),
            Some('-' | '+' | '.' | '0'..='9') => self.number(),
            Some('\'') => {
                self.lose("a string stands in double quotes", Some("write \"…\" instead of '…'"));
                return None;
            }
            Some(c) if c.is_alphabetic() => self.word(),
            Some(_) => {
                self.lose("expected a value", None);
                return None;
            }
            None => {
                self.lose("the text ends where a value is expected", None);
                return None;
            }
        };
        Some(Node { kind, span: Span::new(start, self.at) })
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        let length = self.text[start..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .map(char::len_utf8)
            .sum::<usize>();
        self.at += length;
        let word = &self.text[start..self.at];
        let span = Span::new(start, self.at);
        match word {
            "null" => return Kind::Null,
            "true" => return Kind::Bool(true),
            "false" => return Kind::Bool(false),
            "NaN" | "Infinity" | "nan" | "inf" => {
                self.note(Finding::not_finite(word, span));
                return Kind::Float(f64::NAN);
            }
            _ => {}
        }
        let lower = word.to_lowercase();
        match lower.as_str() {
            "true" | "false" | "null" | "none" => {
                let plain = if lower == "none" { "null" } else { &lower };
                self.fault(span, &format!("`{word}` is not a value"), Some(&format!("write {plain}")));
            }
            _ => self.fault(
                span,
                &format!("{} is not a value", quoted(word)),
                Some("a text stands in double quotes"),
            ),
        }
        // What was meant is not known, and the place is: go on behind the word.
        Kind::Null
    }

    fn number(&mut self) -> Kind {
        let start = self.at;
        let length = self.text[start..]
            .bytes()
            .take_while(|byte| byte.is_ascii_digit() || b"+-.eExX_abcdfABCDF".contains(byte))
            .count();
        self.at += length;
        let digits = &self.text[start..self.at];
        let span = Span::new(start, self.at);
        if !is_json_number(digits) {
            self.fault(
                span,
                &format!("{} is not a number", quoted(digits)),
                Some("numbers are written like 12, -1.5 or 2e3: no leading zero or plus, a digit on both sides of the point"),
            );
            return Kind::Integer(0);
        }
        if !digits.contains(['.', 'e', 'E'])
            && let Ok(number) = digits.parse::<i128>()
        {
            return Kind::Integer(number);
        }
        let number = digits.parse::<f64>().unwrap_or(f64::INFINITY);
        if !number.is_finite() {
            self.note(Finding::not_finite(digits, span));
        }
        Kind::Float(number)
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let Some(c) = self.peek() else {
                self.fault(Span::new(start, start + 1), "a string is never closed", Some("close it with \""));
                self.lost = true;
                return None;
            };
            let here = self.at;
            self.at += c.len_utf8();
            match c {
                '"' => return Some(out),
                '\\' => self.escape(here, &mut out),
                '\n' | '\r' => {
                    self.fault(
                        Span::new(start, here),
                        "a string is not closed on its line",
                        Some("close it with \"; a line break within a string is written \\n"),
                    );
                    self.at = here;
                    return Some(out);
                }
                c if c < ' ' => {
                    let message = format!("the control character U+{:04X} stands in a string", u32::from(c));
                    self.fault(
                        Span::new(here, self.at),
                        &message,
                        Some(&format!("write it as \\u{:04x}, or \\t for a tab", u32::from(c))),
                    );
                    out.push(c);
                }
                c => out.push(c),
            }
        }
    }

    fn escape(&mut self, start: usize, out: &mut String) {
        let Some(c) = self.peek() else { return };
        self.at += c.len_utf8();
        out.push(match c {
            '"' | '\\' | '/' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let Some(unit) = self.hex() else {
                    self.fault(Span::new(start, self.at), "`\\u` needs four hexadecimal digits", None);
                    return;
                };
                let c = match unit {
                    0xd800..=0xdbff if self.text[self.at..].starts_with("\\u") => {
                        self.at += 2;
                        self.hex().filter(|low| (0xdc00..=0xdfff).contains(low)).and_then(|low| {
                            char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
                        })
                    }
                    unit => char::from_u32(unit),
                };
                let Some(c) = c else {
                    self.fault(
                        Span::new(start, self.at),
                        "half a surrogate pair is not a character",
                        Some("write the character itself, or both halves"),
                    );
                    return;
                };
                c
            }
            c => {
                self.fault(
                    Span::new(start, self.at),
                    &format!("`\\{}` is not an escape", c.escape_default()),
                    Some("a backslash is written \\\\"),
                );
                c
            }
        });
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn array(&mut self, depth: usize) -> Kind {
        let start = self.at;
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.space();
            match self.peek() {
                Some(']') => {
                    self.at += 1;
                    break;
                }
                None => {
                    self.never_closed(start, "an array", ']');
                    break;
                }
                _ => {}
            }
            items.extend(self.value(depth + 1));
            if self.lost || !self.separator(']') {
                break;
            }
        }
        Kind::Array(items)
    }

    fn object(&mut self, depth: usize) -> Kind {
        let start = self.at;
        self.at += 1;
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen: std::collections::HashMap<String, Span> = std::collections::HashMap::new();
        loop {
            self.space();
            let key_start = self.at;
            let key = match self.peek() {
                Some('}') => {
                    self.at += 1;
                    break;
                }
                Some('"') => match self.string() {
                    Some(key) => key,
                    None => break,
                },
                Some(c) if c.is_alphanumeric() || matches!(c, '_' | '$' | '\'') => self.bare_key(),
                None => {
                    self.never_closed(start, "an object", '}');
                    break;
                }
                Some(_) => {
                    self.lose("expected a key in double quotes", None);
                    break;
                }
            };
            let key_span = Span::new(key_start, self.at);
            self.space();
            if self.peek() != Some(':') {
                self.lose("expected `:` after a key", None);
                break;
            }
            self.at += 1;
            self.space();
            let Some(node) = self.value(depth + 1) else { break };
            if let Some(first) = seen.get(&key) {
                self.damaged |= self.findings.len() >= MAX_DUPLICATES;
                self.note(Finding::duplicate_key(&key, key_span, Some(*first)));
            } else {
                seen.insert(key.clone(), key_span);
                entries.push(Entry { key, key_span, node });
            }
            if self.lost || !self.separator('}') {
                break;
            }
        }
        Kind::Table(Table { entries })
    }

    fn bare_key(&mut self) -> String {
        let start = self.at;
        let quote = self.peek().filter(|c| *c == '\'');
        let inside = |c: char| match quote {
            Some(_) => c != '\'' && c != '\n',
            None => c.is_alphanumeric() || matches!(c, '_' | '$' | '-'),
        };
        let from = start + usize::from(quote.is_some());
        let length: usize = self.text[from..].chars().take_while(|c| inside(*c)).map(char::len_utf8).sum();
        self.at = from + length;
        let key = self.text[from..self.at].to_owned();
        self.at += usize::from(quote.is_some() && self.peek() == quote);
        self.fault(
            Span::new(start, self.at),
            "a key stands in double quotes",
            Some(&format!("write {:?}", quoted(&key).trim_matches('`'))),
        );
        key
    }

    /// What stands between two entries, or after the last. False when the reader lost its place.
    fn separator(&mut self, close: char) -> bool {
        self.space();
        match self.peek() {
            Some(',') => {
                let comma = Span::new(self.at, self.at + 1);
                self.at += 1;
                self.space();
                if self.peek() == Some(close) {
                    self.fault(comma, "a comma stands after the last entry", Some("delete the comma"));
                }
                true
            }
            Some(c) if c == close => true,
            // Whoever opened the list says that it is never closed.
            None => true,
            Some(c) if c == '"' || c == '{' || c == '[' || c.is_alphanumeric() => {
                self.fault(
                    Span::new(self.at, self.at),
                    "a comma is missing before this",
                    Some("write `,` between two entries"),
                );
                true
            }
            _ => {
                self.lose(&format!("expected `,` or `{close}`"), None);
                false
            }
        }
    }

    fn never_closed(&mut self, start: usize, what: &str, close: char) {
        if !self.lost {
            self.fault(
                Span::new(start, start + 1),
                &format!("{what} is never closed"),
                Some(&format!("close it with `{close}`")),
            );
        }
        self.lost = true;
    }
}

fn is_json_number(digits: &str) -> bool {
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    let whole = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    if whole == 0 || whole > 1 && unsigned.starts_with('0') {
        return false;
    }
    let mut rest = &unsigned[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = fraction.bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        return !exponent.is_empty() && exponent.bytes().all(|byte| byte.is_ascii_digit());
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use crate::value::Value;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<String> {
        let lines = Lines::new(text);
        parse(text)
            .findings
            .iter()
            .map(|finding| {
                let at = lines.position(finding.span.start);
                format!(
                    "{}:{} {}: {}",
                    at.line,
                    at.column,
                    finding.rule.name,
                    finding.message.replace("this is not JSON: ", "")
                )
            })
            .collect()
    }

    #[test]
    fn faults_are_named_at_their_place_and_several_in_one_run() {
        let cases: &[(&str, &[&str])] = &[
            ("{\"a\": [1, -2.5e3, true, null, \"x\\u00e9\\n\"]}", &[]),
            ("", &["1:1 empty-file: the file holds nothing"]),
            ("{\"a\": 1,}", &["1:8 syntax: a comma stands after the last entry"]),
            ("{\"a\": 1 \"b\": 2}", &["1:9 syntax: a comma is missing before this"]),
            ("{a: 1}", &["1:2 syntax: a key stands in double quotes"]),
            ("{\"a\": 'x'}", &["1:7 syntax: a string stands in double quotes"]),
            (
                "{\"a\": True, \"b\": 01}",
                &["1:7 syntax: `True` is not a value", "1:18 syntax: `01` is not a number"],
            ),
            (
                "{\"a\": NaN, \"a\": 2}",
                &[
                    "1:7 not-finite: `NaN` is not a finite number",
                    "1:12 duplicate-key: `a` is set twice in one table",
                ],
            ),
            (
                "// c\n{\"a\": 1 /* d */}",
                &["1:1 syntax: JSON has no comments", "2:9 syntax: JSON has no comments"],
            ),
            (
                "{\"a\": \"x\ny\"}",
                &[
                    "1:7 syntax: a string is not closed on its line",
                    "2:1 syntax: a comma is missing before this",
                ],
            ),
            ("{\"a\": \"\\d\"}", &["1:8 syntax: `\\d` is not an escape"]),
            ("{\"a\": \"\\ud800\"}", &["1:8 syntax: half a surrogate pair is not a character"]),
            ("{\"a\": \"tab\there\"}", &["1:11 syntax: the control character U+0009 stands in a string"]),
            ("[1, 2", &["1:1 syntax: an array is never closed"]),
            ("1 2", &["1:3 syntax: there is more text after the end of the document"]),
            ("{\"a\": 1e999}", &["1:7 not-finite: `1e999` is not a finite number"]),
        ];
        for (text, expected) in cases {
            let found = found(text);
            let found: Vec<&str> = found.iter().map(String::as_str).collect();
            assert_eq!(found[..expected.len().min(found.len())], **expected, "{text}: {found:#?}");
        }
    }

    #[test]
    fn what_stands_before_a_fault_is_kept() {
        for (text, kept) in [
            (r#"{"a": 1, "b": "say "hi" now"}"#, r#"{"a":1,"b":"say "}"#),
            (r#"{"a": 1, "b": [1, {"c": 2"#, r#"{"a":1,"b":[1,{"c":2}]}"#),
            (r#"{"a": 1, "b" ["c"], "d": 2}"#, r#"{"a":1}"#),
            (r#"{"a": 1, "b": "never closed}"#, r#"{"a":1}"#),
            (r#"{"a": 1, "b"#, r#"{"a":1}"#),
            (r#"{"a": 1, "b": 'c'}"#, r#"{"a":1}"#),
            (r#"{"a": [1, ?]}"#, r#"{"a":[1]}"#),
            ("{", "{}"),
        ] {
            let document = parse(text);
            assert!(document.damaged && !document.findings.is_empty(), "{text}");
            let value = Value::from(&document.root.expect("a tree"));
            assert_eq!(serde_json::to_string(&value).expect("JSON"), kept, "{text}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        for text in ["[".repeat(300_000), "{\"a\":".repeat(300_000)] {
            let document = parse(&text);
            assert!(document.findings.iter().any(|finding| finding.rule == &rules::TOO_DEEP));
        }
        assert!(parse(&format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH))).findings.is_empty());
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Into::into),
            any::<String>().prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                prop::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_serde_json_reads_is_read_the_same(json in any_json()) {
            let text = serde_json::to_string_pretty(&json).expect("JSON");
            let document = parse(&text);
            prop_assert!(document.findings.is_empty(), "{:?}", document.findings);
            let value = Value::from(&document.root.expect("a tree"));
            prop_assert_eq!(serde_json::to_value(&value).expect("JSON"), json);
        }

        #[test]
        fn any_text_ends_in_a_tree_or_a_finding(text in any::<String>()) {
            let document = parse(&text);
            prop_assert!(document.root.is_some() || !document.findings.is_empty());
        }

        #[test]
        fn what_serde_json_refuses_is_refused(text in "[\\[\\]{}:,\"\\\\0-9a-fnul. \\n-]{0,24}") {
            let theirs = serde_json::from_str::<Value>(&text).is_ok();
            let ours = parse(&text).findings.is_empty();
            prop_assert_eq!(ours, theirs, "{:?}", text);
        }
    }

    #[test]
    fn two_halves_are_one_character() {
        for (text, c) in [
            ("\"\\ud83e\\udd80\"", "🦀"),
            ("\"\\uD800\\uDC00\"", "\u{10000}"),
            ("\"\\uDBFF\\uDFFF\"", "\u{10ffff}"),
        ] {
            let root = parse(text).root.expect("a value");
            assert_eq!(root.as_str(), Some(c), "{text}");
        }
    }
}
