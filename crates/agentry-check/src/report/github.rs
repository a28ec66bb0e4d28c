//! Workflow commands of GitHub Actions: each finding becomes an annotation at its line.
//!
//! GitHub shows ten errors, ten warnings and ten notices of a step, and fifty annotations of a job; the others stand in
//! the log only, and a last line says how many. Columns are given where a place lies on one line, since GitHub
//! ignores them elsewhere.

use super::place::Place;
use crate::walk::Outcome;
use agentry_text::{Finding, Lines, Severity, mask_secrets};
use std::io::{self, Write};
use std::path::Path;

/// How many annotations of one level GitHub shows for a step.
const SHOWN: usize = 10;

/// The command for a severity.
const fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "notice",
    }
}

/// Renders an outcome; paths are relative to a folder, which should be that of the repository.
pub fn write(outcome: &Outcome, folder: &Path, out: &mut impl Write) -> io::Result<()> {
    for error in &outcome.errors {
        let path = property(&Place::new(&error.path, folder).text());
        writeln!(out, "::error file={path}::{}", data(&mask_secrets(&error.message)))?;
    }
    for file in &outcome.files {
        if file.checked.findings.is_empty() {
            continue;
        }
        let path = property(&Place::new(&file.path, folder).text());
        let lines = Lines::new(&file.text);
        for finding in &file.checked.findings {
            annotation(finding, &path, &lines, out)?;
        }
    }
    let severities = [Severity::Error, Severity::Warning, Severity::Hint];
    let unseen: usize =
        severities.iter().map(|&severity| outcome.count(severity).saturating_sub(SHOWN)).sum();
    if unseen > 0 {
        writeln!(
            out,
            "GitHub shows {SHOWN} annotations of a level for each step: {unseen} more are in this log only"
        )?;
    }
    super::human::totals(outcome, out)
}

fn annotation(finding: &Finding, path: &str, lines: &Lines<'_>, out: &mut impl Write) -> io::Result<()> {
    let (start, end) = (lines.position(finding.span.start), lines.position(finding.span.end));
    write!(out, "::{} file={path},line={}", command(finding.severity), start.line)?;
    if end.line == start.line {
        write!(out, ",col={}", start.column)?;
    }
    write!(out, ",endLine={}", end.line.max(start.line))?;
    if end.line == start.line {
        write!(out, ",endColumn={}", end.column)?;
    }
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    writeln!(out, ",title={}::{}", property(finding.rule.name), data(&format!("{}{help}", finding.message)))
}

/// A text as the data of a command: what would end the line is escaped.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text as the value of a property: what would end the value is escaped too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command_early() {
        assert_eq!(data("50%\r\n::error::x, y"), "50%25%0D%0A::error::x, y");
        assert_eq!(property("a,b:c%\n.toml"), "a%2Cb%3Ac%25%0A.toml");
    }
}
