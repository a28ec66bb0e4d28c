//! For programs: one object a file, or one document for all. The shape is published: see [`crate::documents`].

use crate::check::Checked;
use crate::fix;
use crate::walk::{FileReport, Outcome};
use agentry_text::{Finding, Fix, Lines, Safety, Severity, Span};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_with::skip_serializing_none;
use std::io::{self, Write};

/// The version of this output's shape: raised when a field changes its meaning or goes away.
pub const VERSION: u32 = 1;

/// One finding.
#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Diagnostic")]
pub struct Diagnostic {
    /// How much the finding weighs.
    #[schemars(schema_with = "severity")]
    pub severity: &'static str,
    /// The name of the rule.
    #[schemars(regex(pattern = r"^[a-z0-9]+(-[a-z0-9]+)*$"))]
    pub code: &'static str,
    /// The JSON pointer of the value that the finding is about; for a missing or unknown key, of its table.
    pub pointer: String,
    /// What was found, and the rule in plain words. Secrets are masked.
    pub message: String,
    /// What to write instead.
    #[schemars(with = "String", default)]
    pub help: Option<String>,
    /// The line, from 1.
    #[schemars(range(min = 1))]
    pub line: usize,
    /// The column in characters, from 1.
    #[schemars(range(min = 1))]
    pub column: usize,
    /// The line in which the place ends.
    #[schemars(range(min = 1))]
    pub end_line: usize,
    /// The column after the last character of the place.
    #[schemars(range(min = 1))]
    pub end_column: usize,
    /// Other places that explain the finding. Absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub related: Vec<Related>,
    /// How the text is changed so that the finding goes away. Absent where nobody knows.
    #[schemars(with = "Change", default)]
    pub fix: Option<Change>,
}

/// How a text is changed so that a finding goes away.
#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Fix")]
pub struct Change {
    /// What the fix does, as an order.
    pub title: String,
    /// Whether it may be applied without asking: there is one thing that can have been meant.
    pub safe: bool,
    /// The edits, in the order of the text; they do not overlap, and belong together. Absent where they hold something of
    /// the shape of a credential: `agentry check --fix` applies such a fix, and shows nothing of it.
    #[schemars(with = "Vec<Edit>", default)]
    pub edits: Option<Vec<Edit>>,
}

/// A replacement of a part of the text.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Edit {
    /// The first byte of what is replaced, from 0, in the text as UTF-8.
    pub start: usize,
    /// The byte after the last; the same as `start` where something is put in.
    pub end: usize,
    /// The line, from 1.
    #[schemars(range(min = 1))]
    pub line: usize,
    /// The column in characters, from 1.
    #[schemars(range(min = 1))]
    pub column: usize,
    /// The line in which the replaced part ends.
    #[schemars(range(min = 1))]
    pub end_line: usize,
    /// The column after its last character.
    #[schemars(range(min = 1))]
    pub end_column: usize,
    /// What is written instead.
    pub replacement: String,
}

impl Change {
    fn new(fix: &Fix, lines: &Lines<'_>, shown: bool) -> Self {
        let edit = |edit: &agentry_text::Edit| {
            let (from, to) = (lines.position(edit.span.start), lines.position(edit.span.end));
            Edit {
                start: edit.span.start,
                end: edit.span.end,
                line: from.line,
                column: from.column,
                end_line: to.line,
                end_column: to.column,
                replacement: edit.replacement.clone(),
            }
        };
        Self {
            title: fix.title.clone(),
            safe: fix.safety == Safety::Safe,
            edits: shown.then(|| fix.edits.iter().map(edit).collect()),
        }
    }
}

/// Another place that explains a finding.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Related {
    /// What is there.
    pub message: String,
    /// The line, from 1.
    #[schemars(range(min = 1))]
    pub line: usize,
    /// The column in characters, from 1.
    #[schemars(range(min = 1))]
    pub column: usize,
}

pub(crate) fn severity(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "oneOf": [
            { "description": "The document is wrong.", "const": Severity::Error.name() },
            { "description": "Legal, and very likely not what was meant.", "const": Severity::Warning.name() },
            { "description": "Worth knowing.", "const": Severity::Hint.name() },
        ],
    })
}

impl Diagnostic {
    /// A finding in its text, without the edits of its fix.
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
            fix: finding.fix.as_ref().map(|fix| Change::new(fix, lines, false)),
        }
    }

    /// All findings of a text.
    pub fn all(checked: &Checked, text: &str) -> Vec<Self> {
        let lines = Lines::new(text);
        let fixes = checked.findings.iter().any(|finding| finding.fix.is_some());
        let masked = if fixes { fix::masked(checked, text) } else { String::new() };
        let one = |finding: &Finding| {
            let shown = |found: &Fix| Change::new(found, &lines, fix::may_be_shown(found, text, &masked));
            Self { fix: finding.fix.as_ref().map(shown), ..Self::new(finding, &lines) }
        };
        checked.findings.iter().map(one).collect()
    }
}

/// What was found in one file: a line of `agentry check --format jsonl`.
#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub struct File {
    /// The path as it was named or found, with `/` between folders.
    pub path: String,
    /// The name of the kind of document. Absent where it is not known.
    #[schemars(with = "String", default)]
    pub kind: Option<&'static str>,
    /// Whether the document is valid: no rule of severity error is broken. Settings, allowances and baselines change
    /// what is reported, and never this.
    pub valid: bool,
    /// The findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a run adds up to.
#[derive(Debug, Serialize, JsonSchema)]
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
    /// How many files are not valid, whatever is reported of them.
    pub invalid: usize,
    /// How many files the settings leave out.
    pub excluded: usize,
    /// How many findings are turned off: they are in no list and no other count, like those that follow.
    pub off: usize,
    /// How many findings the files themselves allow.
    pub allowed: usize,
    /// How many findings the baseline accepts.
    pub accepted: usize,
}

/// What was found in all files: the document of `agentry check --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Whole {
    /// The version of the shape of this document. It is raised when a key changes its meaning or goes away; new keys may
    /// come at any time.
    pub version: u32,
    /// The files, ordered by path; before them the files of settings that have a finding.
    pub files: Vec<File>,
    /// What the run adds up to.
    pub summary: Summary,
}

/// The answer to one request: a line of `agentry check --stdin-jsonl`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Answer {
    /// The `id` of the request, whatever it was; null where the request has none or is no JSON.
    #[schemars(schema_with = "anything")]
    pub id: serde_json::Value,
    /// Whether the document is valid: no finding is an error.
    pub valid: bool,
    /// The findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!({})
}

fn file(report: &FileReport) -> File {
    File {
        path: report.path.to_string_lossy().replace('\\', "/"),
        kind: report.checked.kind.map(agentry::Kind::name),
        valid: report.standing.valid,
        diagnostics: Diagnostic::all(&report.checked, &report.text),
    }
}

/// The sums of a run.
pub fn summary(outcome: &Outcome) -> Summary {
    Summary {
        files: outcome.files.len(),
        skipped: outcome.skipped,
        errors: outcome.count(Severity::Error),
        warnings: outcome.count(Severity::Warning),
        hints: outcome.count(Severity::Hint),
        invalid: outcome.files.iter().filter(|file| !file.standing.valid).count(),
        excluded: outcome.excluded,
        off: outcome.files.iter().map(|file| file.standing.off).sum(),
        allowed: outcome.files.iter().map(|file| file.standing.allowed).sum(),
        accepted: outcome.files.iter().map(|file| file.standing.accepted).sum(),
    }
}

/// One document for all files.
pub fn write(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let whole = Whole {
        version: VERSION,
        files: outcome.files.iter().map(file).collect(),
        summary: summary(outcome),
    };
    serde_json::to_writer_pretty(&mut *out, &whole)?;
    writeln!(out)
}

/// One object a line and file.
pub fn write_lines(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    for report in &outcome.files {
        serde_json::to_writer(&mut *out, &file(report))?;
        writeln!(out)?;
    }
    Ok(())
}
