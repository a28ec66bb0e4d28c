//! One request a line, one answer a line, in order and as it goes: for any program that can pipe lines.
//!
//! A request is `{"id", "kind", "format", "text"}`; `kind` may be left out, and a `path` may be given for rules
//! about names. The answer is `{"id", "valid", "diagnostics"}`.

use crate::check::{Checked, Checker, Input};
use crate::report::json::Diagnostic;
use crate::rules;
use agentry::Kind;
use agentry_text::{Finding, Format, Rule, Span};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    id: serde_json::Value,
    kind: Option<String>,
    format: Option<String>,
    path: Option<PathBuf>,
    text: String,
}

#[derive(Serialize)]
struct Answer {
    id: serde_json::Value,
    valid: bool,
    diagnostics: Vec<Diagnostic>,
}

/// What the answers add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many requests were answered.
    pub answered: usize,
    /// How many of them were not valid.
    pub invalid: usize,
    /// How many of them drew a warning.
    pub warned: usize,
}

/// Answers until the input ends. A line that is no request is answered too, as not valid.
pub fn run(input: impl BufRead, mut output: impl Write) -> io::Result<Totals> {
    let mut totals = Totals::default();
    for line in input.split(b'\n') {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = answer(&line);
        totals.answered += 1;
        totals.invalid += usize::from(!answer.valid);
        totals.warned +=
            usize::from(answer.diagnostics.iter().any(|diagnostic| diagnostic.severity == "warning"));
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(totals)
}

fn answer(line: &[u8]) -> Answer {
    let request: Request = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => {
            // Whoever sent a line without a text can still tell which one it was.
            let id = serde_json::from_slice::<serde_json::Value>(line)
                .ok()
                .and_then(|value| value.get("id").cloned())
                .unwrap_or_default();
            let message = format!("this line is no request: {error}");
            return refused(id, &agentry_text::rules::SYNTAX, &message);
        }
    };
    let kind = match request.kind.as_deref() {
        None => None,
        Some(name) => {
            let Some(kind) = Kind::from_name(name) else {
                let shown = agentry_text::quoted(name);
                return refused(
                    request.id,
                    &rules::UNKNOWN_KIND,
                    &format!("{shown} is not a kind that is read"),
                );
            };
            Some(kind)
        }
    };
    let format = match request.format.as_deref() {
        None | Some("toml") => Format::Toml,
        Some("yaml") => Format::Yaml,
        Some("json") => Format::Json,
        Some(other) => {
            let shown = agentry_text::quoted(other);
            return refused(
                request.id,
                &rules::UNREAD_FORMAT,
                &format!("{shown} is not a format that is read"),
            );
        }
    };
    let checked =
        Checker::default().check(&Input { path: request.path.as_deref(), kind, format, text: &request.text });
    Answer {
        id: request.id,
        valid: checked.is_valid(),
        diagnostics: Diagnostic::all(&checked, &request.text),
    }
}

fn refused(id: serde_json::Value, rule: &'static Rule, message: &str) -> Answer {
    let finding = Finding::new(rule, "", Span::default(), message);
    let checked =
        Checked { kind: None, undecided: None, findings: vec![finding], secrets: Vec::new(), manifest: None };
    Answer { id, valid: false, diagnostics: Diagnostic::all(&checked, "") }
}
