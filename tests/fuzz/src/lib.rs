//! What the fuzz targets do with the bytes that they are given, and what must hold of it whatever the bytes are: no panic,
//! every finding at a place of the text, no more findings than are promised, every report written.

use agentry::Kind;
use agentry_check::fix::{self, Which};
use agentry_check::walk::{FileReport, Outcome};
use agentry_check::{Checked, Checker, Input, report, service};
use agentry_text::Format;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// What one text may draw, however bad it is.
const MOST_FINDINGS: usize = 3_000;

/// Judges bytes as a document: the first says of which kind, or of none that is known; the rest is the text.
pub fn check(format: Format, data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else { return };
    let kind = kind(choice);
    let checked = Checker::default().optional(true).check_bytes(rest, None, kind, format);
    let Ok(text) = std::str::from_utf8(rest) else { return };
    bounded(text, &checked);
    let file = FileReport::new(PathBuf::from("x"), text.to_owned(), checked);
    render(&Outcome { files: vec![file], ..Outcome::default() });
}

/// Applies every fix to a text of any format and kind; the first two bytes say which. What is written is judged again, and
/// is no worse.
pub fn mend(data: &[u8]) {
    let [format, choice, rest @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let formats = [Format::Toml, Format::Yaml, Format::Json, Format::Markdown];
    let (format, kind) = (formats[usize::from(*format) % formats.len()], kind(*choice));
    let check = |text: &str| {
        let input = Input { path: None, kind, contract: None, format, text };
        let checked = Checker::default().check(&input);
        bounded(text, &checked);
        checked
    };
    let checked = check(text);
    let errors = checked.count(agentry_text::Severity::Error);
    let mended = fix::mend(text, Which::All, &mut |text| check(text));
    // What could not be read may hide faults.
    if kind.is_some() && !checked.is_damaged() {
        assert!(check(&mended.text).count(agentry_text::Severity::Error) <= errors, "a fix makes it worse");
    }
    let file = FileReport::new(PathBuf::from("x"), text.to_owned(), checked);
    fix::write_diff(&file, &mended, &mut Vec::new()).expect("memory takes what is written");
}

/// Compares two schemas, one a line. A few steps only: time is bounded elsewhere.
pub fn differ(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some((old, new)) = text.split_once('\n') else { return };
    let (Ok(old), Ok(new)) = (serde_json::from_str::<Json>(old), serde_json::from_str::<Json>(new)) else {
        return;
    };
    let mut options = agentry_diff::Options::default();
    options.effort = 3_000;
    let _ = agentry_diff::compare(&old, &new, &options);
}

/// Answers requests, one a line.
pub fn requests(data: &[u8]) {
    let mut out = Vec::new();
    let totals = service::run(data, &mut out).expect("memory takes what is written");
    let lines = out.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let answers = lines.map(|line| serde_json::from_slice::<Json>(line).expect("an answer is JSON"));
    assert_eq!(answers.count(), totals.answered, "each request has one answer");
}

fn kind(choice: u8) -> Option<Kind> {
    Kind::ALL.get(usize::from(choice) % (Kind::ALL.len() + 1)).copied()
}

fn bounded(text: &str, checked: &Checked) {
    assert!(checked.findings.len() <= MOST_FINDINGS, "{} findings", checked.findings.len());
    for finding in &checked.findings {
        for span in finding.related.iter().map(|label| label.span).chain([finding.span]) {
            assert!(text.get(span.start..span.end).is_some(), "no place of the text: {finding:?}");
        }
    }
}

fn render(outcome: &Outcome) {
    let (here, written) = (Path::new("."), "memory takes what is written");
    let mut out = Vec::new();
    report::human::write(outcome, true, &mut out).expect(written);
    report::json::write(outcome, &mut out).expect(written);
    report::sarif::write(outcome, here, &mut out).expect(written);
    report::github::write(outcome, here, &mut out).expect(written);
    report::junit::write(outcome, here, &mut out).expect(written);
}
