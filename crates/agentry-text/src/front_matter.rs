//! Markdown with YAML front matter: the keys between two lines of three hyphens, and the text after them.
//!
//! Only a line of exactly three hyphens, blanks after it aside, opens or closes front matter: hyphens within a
//! value do not. Every place refers to the whole text.

use crate::finding::Finding;
use crate::lines::Lines;
use crate::read::{Mode, Read, ReadError, Reading, read_text};
use crate::rules;
use crate::tree::{Document, Span};
use crate::write::WriteError;
use crate::yaml;
use serde::Serialize;

/// A Markdown text that was taken apart.
#[derive(Clone, Debug)]
pub struct FrontMatter {
    /// The keys of the front matter, and everything that was wrong with it.
    pub document: Document,
    /// The YAML between the two lines. None when there is no front matter.
    pub header: Option<Span>,
    /// The Markdown: everything after the closing line, or the whole text when there is no front matter.
    pub body: Span,
}

impl FrontMatter {
    /// The Markdown of the text that was taken apart.
    pub fn body_of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.body.start..self.body.end).unwrap_or_default()
    }

    /// A text in which nothing was read.
    fn unread(text: &str, finding: Finding) -> Self {
        let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        Self {
            document: Document { root: None, findings: vec![finding], damaged: true },
            header: None,
            body: Span::new(start, text.len()),
        }
    }
}

/// Reads a text strictly: its keys as a valid value, and the Markdown below them, or an error that says what is wrong
/// and where.
pub fn from_str<T: Read>(text: &str) -> Result<(T, &str), ReadError> {
    let front = parse(text);
    let value = read_text(&front.document, text, Mode::Strict).into_result(text)?;
    Ok((value, front.body_of(text)))
}

/// Reads a text tolerantly: what could be read of its keys, every finding, and the Markdown below them.
pub fn read<T: Read>(text: &str) -> (Reading<T>, &str) {
    let front = parse(text);
    (read_text(&front.document, text, Mode::Tolerant), front.body_of(text))
}

/// The text of keys and of the Markdown below them: taken apart, it gives back both.
pub fn to_string<T: Serialize + ?Sized>(value: &T, body: &str) -> Result<String, WriteError> {
    Ok(format!("---\n{}---\n{body}", yaml::to_string(value)?))
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Takes a text apart.
pub fn parse(text: &str) -> FrontMatter {
    if let Some(document) = Document::too_large(text.len()) {
        return FrontMatter { document, header: None, body: Span::new(0, text.len()) };
    }
    let lines = Lines::new(text);
    let Some(first) = (1..=lines.count()).find(|&number| !trimmed(lines.line(number)).is_empty()) else {
        return FrontMatter {
            document: Document::empty(),
            header: None,
            body: Span::new(text.len(), text.len()),
        };
    };
    if !is_fence(lines.line(first)) {
        return FrontMatter::unread(text, missing(&lines, first));
    }
    let line = lines.line(first);
    let open = lines.start(first) + line.len() - line.trim_start_matches(BYTE_ORDER_MARK).len();
    let header = lines.start(first + 1);
    let close = (first + 1..=lines.count()).find(|&number| is_fence(lines.line(number)));
    // Without a closing line, what looks like front matter ends where Markdown begins.
    let end = close.unwrap_or_else(|| {
        (first + 1..=lines.count())
            .find(|&number| !is_header_line(lines.line(number)))
            .unwrap_or(lines.count() + 1)
    });
    let header = Span::new(header, lines.start(end).max(header));
    let body = Span::new(close.map_or(header.end, |close| lines.start(close + 1)), text.len());
    let mut document = yaml::take_apart(&text[..header.end]).unwrap_or_else(|| nothing(open));
    if first > 1 {
        document.findings.push(late(open));
    }
    if close.is_none() {
        document.damaged = true;
        document.findings.push(unclosed(&lines, open, end));
    }
    document.findings.sort_by_key(|finding| finding.span.start);
    FrontMatter { document, header: Some(header), body }
}

fn trimmed(line: &str) -> &str {
    line.trim_start_matches(BYTE_ORDER_MARK).trim()
}

/// Whether a line opens or closes front matter.
fn is_fence(line: &str) -> bool {
    line.trim_start_matches(BYTE_ORDER_MARK).trim_end() == "---"
}

/// Whether a line may be one of front matter: a key, a list item, or part of what is above.
fn is_header_line(line: &str) -> bool {
    let text = line.trim_end();
    let key = text.split_once(':').is_some_and(|(key, value)| {
        !key.contains(' ')
            && !key.starts_with(['#', '*', '[', '!'])
            && (value.is_empty() || value.starts_with(' '))
    });
    !text.is_empty() && (key || text.starts_with([' ', '\t']) || text.starts_with("- "))
}

fn fence(at: usize) -> Span {
    Span::new(at, at + 3)
}

fn missing(lines: &Lines<'_>, first: usize) -> Finding {
    let line = trimmed(lines.line(first));
    let start = lines.start(first);
    let start = start + lines.line(first).len()
        - lines.line(first).trim_start_matches(BYTE_ORDER_MARK).trim_start().len();
    let span = Span::new(start, start + line.len());
    if crate::conflict::is_marker(line, '<') {
        return crate::conflict::conflict(span);
    }
    let help = if line.chars().all(|c| c == '-') && line.len() > 1 {
        "the line that opens front matter is exactly `---`, from its first column on"
    } else {
        "begin the file with a line `---`, the keys, one `key: value` a line, and another line `---`"
    };
    Finding::new(&rules::MISSING_FRONT_MATTER, "", span, "the file has no front matter")
        .label(if line.starts_with('#') {
            "the file begins with a heading"
        } else {
            "the file begins with this"
        })
        .help(help)
}

fn late(open: usize) -> Finding {
    Finding::new(
        &rules::LATE_FRONT_MATTER,
        "",
        fence(open),
        "front matter begins on the first line of a file, and here are empty lines before it",
    )
    .label("not the first line")
    .help("delete the empty lines above: many readers see no front matter here")
}

fn unclosed(lines: &Lines<'_>, open: usize, end: usize) -> Finding {
    let finding =
        Finding::new(&rules::UNCLOSED_FRONT_MATTER, "", fence(open), "the front matter is never closed")
            .label("opened here");
    let mut after = end..=lines.count();
    if after.is_empty() {
        return finding.help("close it with a line `---` after the last key");
    }
    let indented = after.clone().find(|&number| trimmed(lines.line(number)) == "---");
    if let Some(number) = indented {
        let start = lines.start(number);
        return finding.related(Span::new(start, start + lines.line(number).len()), "this line does not close it").help(
            format!("begin line {number} with `---`: with blanks before them, the hyphens are part of the value above"),
        );
    }
    let line = lines.line(end);
    let start = lines.start(end);
    // An empty line says little: the first heading below it shows better where the text begins.
    let heading = after.find(|&number| is_heading(lines.line(number)));
    let finding = match heading {
        Some(number) => {
            let start = lines.start(number);
            finding.related(
                Span::new(start, start + lines.line(number).len()),
                format!("the first heading, in line {number}"),
            )
        }
        None => finding.related(Span::new(start, start + line.len()), "not part of it any more"),
    };
    finding.help(format!("write a line `---` after the last key, before line {end}"))
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    rest.len() < line.len() && rest.starts_with(' ')
}

fn nothing(open: usize) -> Document {
    let finding = Finding::new(&rules::EMPTY_FILE, "", fence(open), "the front matter holds nothing")
        .label("no key follows")
        .help("write its keys, one `key: value` a line");
    Document { root: None, findings: vec![finding], damaged: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<String> {
        let lines = Lines::new(text);
        let findings = parse(text).document.findings;
        let named = findings.iter().map(|finding| {
            let at = lines.position(finding.span.start);
            format!("{}:{} {}", at.line, at.column, finding.rule.name)
        });
        named.collect()
    }

    fn keys(front: &FrontMatter) -> String {
        front
            .document
            .root
            .as_ref()
            .map_or_else(String::new, |root| serde_json::to_string(&Value::from(root)).expect("JSON"))
    }

    #[test]
    fn front_matter_survives_the_world() {
        for (text, header, expected, body) in [
            ("---\na: 1\n---\n# Text\n", "a: 1\n", r#"{"a":1}"#, "# Text\n"),
            ("\u{feff}---\r\na: 1\r\n---\r\nText\r\n", "a: 1\r\n", r#"{"a":1}"#, "Text\r\n"),
            ("---\na: 1\n---", "a: 1\n", r#"{"a":1}"#, ""),
            ("---  \na: 1\n--- \t\nText", "a: 1\n", r#"{"a":1}"#, "Text"),
            ("---\na: x---y\n---\nText", "a: x---y\n", r#"{"a":"x---y"}"#, "Text"),
            ("---\na: |\n  ---\n  b\n---\nText", "a: |\n  ---\n  b\n", r#"{"a":"---\nb\n"}"#, "Text"),
            ("---\na: '--- b'\n---\nText\n---\nMore", "a: '--- b'\n", r#"{"a":"--- b"}"#, "Text\n---\nMore"),
            ("---\n- 1\n---\n\n", "- 1\n", "[1]", "\n"),
        ] {
            let front = parse(text);
            assert_eq!(found(text), [""; 0], "{text:?}");
            let place = front.header.expect("a header");
            assert_eq!(&text[place.start..place.end], header, "{text:?}");
            assert_eq!(keys(&front), expected, "{text:?}");
            assert_eq!(&text[front.body.start..front.body.end], body, "{text:?}");
        }
    }

    #[test]
    fn what_is_wrong_with_it_is_said_at_its_place() {
        for (text, expected, keys_read, body) in [
            ("", &["1:1 empty-file"][..], "", ""),
            ("\n \n", &["1:1 empty-file"], "", ""),
            ("---\n---\nText", &["1:1 empty-file"], "", "Text"),
            ("---\n# nothing\n---\nText", &["1:1 empty-file"], "", "Text"),
            ("# Heading\n\nText", &["1:1 missing-front-matter"], "", "# Heading\n\nText"),
            ("\u{feff}Text\n---\na: 1\n---\n", &["1:2 missing-front-matter"], "", "Text\n---\na: 1\n---\n"),
            ("----\na: 1\n----\n", &["1:1 missing-front-matter"], "", "----\na: 1\n----\n"),
            (" ---\na: 1\n ---\n", &["1:2 missing-front-matter"], "", " ---\na: 1\n ---\n"),
            ("\n\n---\na: 1\n---\nText", &["3:1 late-front-matter"], r#"{"a":1}"#, "Text"),
            (
                "---\na: 1\nb: c\n## Steps\n\n1. Do it.",
                &["1:1 unclosed-front-matter"],
                r#"{"a":1,"b":"c"}"#,
                "## Steps\n\n1. Do it.",
            ),
            (
                "---\na:\n  - b\n\nText: here\n",
                &["1:1 unclosed-front-matter"],
                r#"{"a":["b"]}"#,
                "\nText: here\n",
            ),
            ("\u{feff}---\na: 1", &["1:2 unclosed-front-matter"], r#"{"a":1}"#, ""),
            ("---\na: 1", &["1:1 unclosed-front-matter"], r#"{"a":1}"#, ""),
            ("---", &["1:1 empty-file", "1:1 unclosed-front-matter"], "", ""),
            (
                "<<<<<<< ours\n---\na: 1\n---\n",
                &["1:1 conflict-marker"],
                "",
                "<<<<<<< ours\n---\na: 1\n---\n",
            ),
            (
                "---\na: 1\n<<<<<<< ours\nb: 1\n=======\n>>>>>>> theirs\n---\nText",
                &["3:1 conflict-marker"],
                r#"{"a":1,"b":1}"#,
                "Text",
            ),
            ("---\na: b: c\n---\nText", &["2:5 unquoted-text"], r#"{"a":"b: c"}"#, "Text"),
            ("---\na: yes\n---\nText: x: y", &["2:4 yaml-1-1-value"], r#"{"a":"yes"}"#, "Text: x: y"),
            ("---\r\na: 1\r\na: 2\r\n---\r\n", &["3:1 duplicate-key"], r#"{"a":1}"#, ""),
        ] {
            let front = parse(text);
            assert_eq!(found(text), expected, "{text:?}");
            assert_eq!(keys(&front), keys_read, "{text:?}");
            assert_eq!(&text[front.body.start..front.body.end], body, "{text:?}");
        }
        let finding = &parse("---\na: |\n  b\n\n  ---\n  # Steps\n").document.findings[0];
        assert_eq!(finding.related[0].message, "this line does not close it");
        assert!(
            finding.help.as_deref().is_some_and(|help| help.starts_with("begin line 5 with `---`")),
            "{finding:?}"
        );
        let text = "---\na: 1\nText\n## Steps\n";
        let finding = &parse(text).document.findings[0];
        assert_eq!(finding.related[0].message, "the first heading, in line 4");
        assert_eq!(finding.help.as_deref(), Some("write a line `---` after the last key, before line 3"));
    }

    #[test]
    fn keys_and_text_are_read_and_written() {
        let text = "---\na: 1\nb: '---'\n---\n# Text\r\n---\nlast line";
        let (keys, body): (Value, &str) = from_str(text).expect("valid");
        assert_eq!(body, "# Text\r\n---\nlast line");
        let written = to_string(&keys, body).expect("a table");
        assert_eq!(from_str::<Value>(&written).expect("valid"), (keys, body), "{written}");

        let fault = from_str::<Value>("# Text").expect_err("no front matter").to_string();
        assert!(fault.starts_with("line 1, column 1: the file has no front matter"), "{fault}");
        let (reading, body) = read::<Value>("# Text");
        assert_eq!((reading.value, reading.findings.len(), body), (None, 1, "# Text"));
    }

    #[test]
    fn a_colon_in_a_text_of_several_lines_comes_with_the_line_to_write() {
        for (text, at, help) in [
            (
                "---\nname: a\ndescription: Plans\n  Triggers: a, b\n---\n",
                "4:11",
                "put the value in quotes: `description: \"Plans Triggers: a, b\"`",
            ),
            (
                "---\r\nname: a\r\ndescription: Plans work\r\n\r\n   more: a\r\n---\r\n",
                "5:8",
                "put the value in quotes: `description: \"Plans work more: a\"`",
            ),
        ] {
            assert_eq!(found(text), [format!("{at} unquoted-text")], "{text:?}");
            let help_given = parse(text).document.findings[0].help.clone().unwrap_or_default();
            assert!(help_given.starts_with(help), "{help_given}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_as_it_was(keys in "[a-z]{1,6}", value in "(?s).{0,30}", body in "(?s)((---|\\n|\\r\\n|\u{feff}){0,4}.{0,30})") {
            let front = Value::Table([(keys, Value::String(value))].into_iter().collect());
            let text = to_string(&front, &body).expect("a table");
            let (again, below) = from_str::<Value>(&text).expect("valid");
            prop_assert_eq!((again, below), (front, body.as_str()), "{}", text);
        }

        #[test]
        fn any_text_is_taken_apart(text in "((---|\\n|\\r\\n|a: 1|# x|\\u{feff}|<<<<<<< a| |é|[:-]){0,12}|.{0,40})") {
            let front = parse(&text);
            prop_assert!(front.document.root.is_some() || !front.document.findings.is_empty());
            prop_assert!(text.get(front.body.start..front.body.end).is_some());
            for finding in &front.document.findings {
                prop_assert!(text.get(finding.span.start..finding.span.end).is_some(), "{:?}", finding);
            }
            if let Some(header) = front.header {
                prop_assert!(text.get(header.start..header.end).is_some());
                prop_assert!(header.end <= front.body.start);
            }
        }
    }
}
