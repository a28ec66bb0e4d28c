//! For programs: one object a file, or one document for all.

use crate::check::Checked;
use crate::walk::Outcome;
use agentry_text::{Finding, Lines, Severity, Span};
use serde::Serialize;
use serde_with::skip_serializing_none;
use std::io::{self, Write};

/// The version of this output's shape: raised when a field changes its meaning or goes away.
pub const VERSION: u32 = 1;

/// One finding.
#[skip_serializing_none]
#[derive(Debug, Serialize)]
pub struct Diagnostic {
    /// `error`, `warning` or `hint`.
    pub severity: &'static str,
    /// The name of the rule.
    pub code: &'static str,
    /// The JSON pointer of the value that the finding is about.
    pub pointer: String,
    /// What was found.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The line in which the place ends.
    pub end_line: usize,
    /// The column after the last character of the place.
    pub end_column: usize,
    /// Other places that explain it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
}

/// Another place that explains a finding.
#[derive(Debug, Serialize)]
pub struct Related {
    /// What is there.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Diagnostic {
    /// A finding in its text.
    pub fn new(finding: &Finding, lines: &Lines<'_>) -> Self {
        let Span { start, end } = finding.span;
        let (from, to) = (lines.position(start), lines.position(end));
        Self {
            severity: finding.severity.name(),
            code: finding.rule.name,
            pointer: finding.pointer.clone(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            line: from.line,
            column: from.column,
            end_line: to.line,
            end_column: to.column,
            related: finding
                .related
                .iter()
                .map(|label| {
                    let at = lines.position(label.span.start);
                    Related { message: label.message.clone(), line: at.line, column: at.column }
                })
                .collect(),
        }
    }

    /// All findings of a text.
    pub fn all(checked: &Checked, text: &str) -> Vec<Self> {
        let lines = Lines::new(text);
        checked.findings.iter().map(|finding| Self::new(finding, &lines)).collect()
    }
}

/// One file.
#[derive(Debug, Serialize)]
pub struct File {
    /// The path, with `/` between folders.
    pub path: String,
    /// The name of the kind; null where it is not known.
    pub kind: Option<&'static str>,
    /// Whether no finding is an error.
    pub valid: bool,
    /// The findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// What the run adds up to.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// How many files were judged.
    pub files: usize,
    /// How many files were passed over because they are no manifest.
    pub skipped: usize,
    /// How many findings are errors.
    pub errors: usize,
    /// How many findings are warnings.
    pub warnings: usize,
    /// How many findings are hints.
    pub hints: usize,
}

#[derive(Serialize)]
struct Whole {
    version: u32,
    files: Vec<File>,
    summary: Summary,
}

fn files(outcome: &Outcome) -> impl Iterator<Item = File> {
    outcome.files.iter().map(|file| File {
        path: file.path.to_string_lossy().replace('\\', "/"),
        kind: file.checked.kind.map(agentry::Kind::name),
        valid: file.checked.is_valid(),
        diagnostics: Diagnostic::all(&file.checked, &file.text),
    })
}

/// The sums of a run.
pub fn summary(outcome: &Outcome) -> Summary {
    Summary {
        files: outcome.files.len(),
        skipped: outcome.skipped,
        errors: outcome.count(Severity::Error),
        warnings: outcome.count(Severity::Warning),
        hints: outcome.count(Severity::Hint),
    }
}

/// One document for all files.
pub fn write(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let whole = Whole { version: VERSION, files: files(outcome).collect(), summary: summary(outcome) };
    serde_json::to_writer_pretty(&mut *out, &whole)?;
    writeln!(out)
}

/// One object a line and file.
pub fn write_lines(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    for file in files(outcome) {
        serde_json::to_writer(&mut *out, &file)?;
        writeln!(out)?;
    }
    Ok(())
}
