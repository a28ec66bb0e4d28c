//! `JUnit` XML, for whatever shows test results: each file is a test case, and each finding that lets the run fail is a
//! failure of it. Other findings are the output of their case. No times are written: the same input gives the same bytes.

use super::place::Place;
use crate::walk::{FileReport, Outcome};
use agentry_text::{Finding, Lines, Severity, mask_secrets};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

/// Renders an outcome; paths are relative to a folder where they lie in it.
pub fn write(outcome: &Outcome, folder: &Path, out: &mut impl Write) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(&mut *out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let tests = (outcome.files.len() + outcome.errors.len()).to_string();
    let failures = outcome.files.iter().map(failures).sum::<usize>().to_string();
    let errors = outcome.errors.len().to_string();
    let counts = [("tests", tests.as_str()), ("failures", failures.as_str()), ("errors", errors.as_str())];
    xml.create_element("testsuites")
        .with_attribute(("name", "agentry"))
        .with_attributes(counts)
        .write_inner_content(|xml| {
            xml.create_element("testsuite")
                .with_attribute(("name", "agentry check"))
                .with_attributes(counts)
                .write_inner_content(|xml| {
                    for file in &outcome.files {
                        case(file, folder, xml)?;
                    }
                    for error in &outcome.errors {
                        let path = attribute(&Place::new(&error.path, folder).text());
                        let message = attribute(&mask_secrets(&error.message));
                        xml.create_element("testcase")
                            .with_attributes([("name", path.as_str()), ("classname", "path")])
                            .write_inner_content(|xml| {
                                xml.create_element("error")
                                    .with_attributes([("message", message.as_str()), ("type", "path")])
                                    .write_empty()?;
                                Ok(())
                            })?;
                    }
                    Ok(())
                })?;
            Ok(())
        })?;
    writeln!(out)
}

/// How many failures a file has.
fn failures(file: &FileReport) -> usize {
    let found = file.checked.findings.iter().filter(|finding| fails(file, finding)).count();
    found.max(usize::from(file.fails()))
}

fn fails(file: &FileReport, finding: &Finding) -> bool {
    finding.severity == Severity::Error || file.standing.strict && finding.severity == Severity::Warning
}

fn case<W: Write>(file: &FileReport, folder: &Path, xml: &mut Writer<W>) -> io::Result<()> {
    let path = Place::new(&file.path, folder).text();
    let name = attribute(&path);
    let kind = file.checked.kind.map_or("unknown", agentry::Kind::name);
    let case = xml.create_element("testcase").with_attributes([
        ("name", name.as_str()),
        ("classname", kind),
        ("file", name.as_str()),
    ]);
    if file.checked.findings.is_empty() && !file.fails() {
        case.write_empty()?;
        return Ok(());
    }
    let lines = Lines::new(&file.text);
    case.write_inner_content(|xml| {
        let mut output = String::new();
        for finding in &file.checked.findings {
            let text = described(finding, &path, &lines);
            if !fails(file, finding) {
                let _ = writeln!(output, "{}[{}] {text}", finding.severity.name(), finding.rule.name);
                continue;
            }
            let message = attribute(&finding.message);
            xml.create_element("failure")
                .with_attributes([("message", message.as_str()), ("type", finding.rule.name)])
                .write_text_content(BytesText::new(&allowed(&text)))?;
        }
        if failures(file) > file.checked.findings.iter().filter(|finding| fails(file, finding)).count() {
            xml.create_element("failure")
                .with_attributes([
                    ("message", "the file cannot be read, and what says why is turned off"),
                    ("type", "unreadable"),
                ])
                .write_empty()?;
        }
        if !output.is_empty() {
            xml.create_element("system-out").write_text_content(BytesText::new(&allowed(&output)))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn described(finding: &Finding, path: &str, lines: &Lines<'_>) -> String {
    let at = lines.position(finding.span.start);
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    format!("{path}:{}:{}: {}{help}", at.line, at.column, finding.message)
}

/// A text with only those characters that XML 1.0 has: the others are written out.
fn allowed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}'
                if !('\u{7f}'..='\u{9f}').contains(&c) =>
            {
                out.push(c);
            }
            _ => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    out
}

/// A text for an attribute: on one line, since readers turn line breaks into spaces anyway.
fn attribute(text: &str) -> String {
    allowed(&text.replace(['\n', '\t', '\r'], " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_characters_of_xml_are_written() {
        assert_eq!(
            allowed("a\u{0}b\u{1b}[31m\r\n\tü\u{fffe}\u{85}😀"),
            "a\\u{0}b\\u{1b}[31m\\u{d}\n\tü\\u{fffe}\\u{85}😀"
        );
        assert_eq!(attribute("a\r\nb"), "a  b");
    }
}
