//! `agentry diff`: two schemas compared by meaning, as files or as lines.

use agentry_diff::{Change, Comparison, Draft, Effect, Options, Verdict, Witness, compare};
use agentry_text::mask_secrets;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Diff {
    /// The schema as it was.
    #[arg(required_unless_present = "stdin_jsonl")]
    old: Option<PathBuf>,
    /// The schema as it is to be.
    #[arg(required_unless_present = "stdin_jsonl")]
    new: Option<PathBuf>,
    /// Ask both ways: also whether the old schema accepts everything that the new one accepts.
    #[arg(long)]
    both: bool,
    /// How to show the answer.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The draft of a schema that names none: 4, 6, 7, 2019-09 or 2020-12.
    #[arg(long, value_parser = draft, default_value = "2020-12")]
    draft: Draft,
    /// Take `format` for a restriction; without this it only describes.
    #[arg(long)]
    assert_formats: bool,
    /// Answer requests from standard input instead, one JSON object a line: `{"id", "old", "new", "draft"}`.
    #[arg(long, conflicts_with_all = ["old", "new", "both", "format"])]
    stdin_jsonl: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// One JSON document.
    Json,
    /// Annotations of a GitHub workflow.
    Github,
}

fn draft(name: &str) -> Result<Draft, String> {
    Draft::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Draft::ALL.iter().map(|draft| draft.name()).collect();
        format!("the drafts are {}", names.join(", "))
    })
}

/// Compares, and says with which status to end.
pub(crate) fn run(diff: &Diff) -> io::Result<u8> {
    let options = Options::default().with_draft(diff.draft).with_formats(diff.assert_formats);
    if diff.stdin_jsonl {
        return serve(&options, io::stdin().lock(), BufWriter::new(io::stdout().lock()));
    }
    let (Some(old), Some(new)) = (&diff.old, &diff.new) else {
        return Err(io::Error::other("name the old and the new schema"));
    };
    let comparison = compare(&read(old)?, &read(new)?, &options);
    let mut out = BufWriter::new(anstream::stdout().lock());
    match diff.format {
        Format::Human => out.write_all(human(&comparison, diff.both).as_bytes())?,
        Format::Json => {
            let text = serde_json::to_string_pretty(&masked(comparison.to_json()))?;
            writeln!(out, "{text}")?;
        }
        Format::Github => out.write_all(github(&comparison, new, diff.both).as_bytes())?,
    }
    out.flush()?;
    Ok(status(&comparison, diff.both))
}

/// A schema from a file.
pub(crate) fn read(path: &Path) -> io::Result<Value> {
    let at = |error: &dyn std::fmt::Display| {
        io::Error::other(format!("{}: {error}", agentry_check::report::shown_path(path)))
    };
    let bytes = std::fs::read(path).map_err(|error| at(&error))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| at(&"not UTF-8, as JSON has to be"))?;
    parsed(text.as_bytes()).map_err(|error| at(&format!("cannot be read as JSON: {error}")))
}

/// JSON, with or without the byte order mark that some editors write.
fn parsed(bytes: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes))
}

fn status(comparison: &Comparison, both: bool) -> u8 {
    let asked = [Some(&comparison.backward), both.then_some(&comparison.forward)];
    let asked: Vec<&Verdict> = asked.into_iter().flatten().collect();
    if asked.iter().any(|verdict| matches!(verdict, Verdict::Invalid(..))) {
        super::FAILED
    } else if asked.iter().any(|verdict| matches!(verdict, Verdict::No(_))) {
        super::FOUND
    } else if asked.iter().any(|verdict| matches!(verdict, Verdict::Unknown(_))) {
        super::UNKNOWN
    } else {
        0
    }
}

fn example(witness: &Witness) -> String {
    let entry = witness.entry.as_ref().map(|entry| format!(", a `{entry}`")).unwrap_or_default();
    let undeclared =
        if witness.declared_keys_only { "" } else { ", with a key that is not declared but allowed" };
    format!("for example {}{entry}{undeclared}", mask_secrets(&witness.document.to_string()))
}

fn human(comparison: &Comparison, both: bool) -> String {
    let mut text = String::new();
    let directions = [
        ("new accepts all of old", &comparison.backward, true),
        ("old accepts all of new", &comparison.forward, both),
    ];
    for (question, verdict, asked) in directions {
        if !asked {
            continue;
        }
        let _ = writeln!(text, "{question}: {}", verdict.name());
        match verdict {
            Verdict::Yes => {}
            Verdict::No(witness) => {
                let _ = writeln!(text, "  {}", example(witness));
            }
            Verdict::Unknown(reasons) => {
                for reason in reasons {
                    let _ = writeln!(text, "  {}", mask_secrets(&reason.to_string()));
                }
            }
            Verdict::Invalid(side, message) => {
                let _ = writeln!(text, "  the {side} schema is not valid: {}", mask_secrets(message));
            }
        }
    }
    for change in &comparison.changes {
        let _ = writeln!(text, "{}: {}", heading(change), mask_secrets(&change.to_string()));
        for witness in [change.effect.files(), change.effect.readers()].into_iter().flatten() {
            let _ = writeln!(text, "  {}", example(witness));
        }
        if let Effect::Unknown(reasons) = &change.effect {
            for reason in reasons {
                let _ = writeln!(text, "  {}", mask_secrets(&reason.to_string()));
            }
        }
        if !change.only_with.is_empty() {
            let _ = writeln!(text, "  only together with {}", change.only_with.join(", "));
        }
        let _ = writeln!(text, "  fingerprint {}", change.fingerprint);
    }
    text
}

fn heading(change: &Change) -> &'static str {
    match change.effect {
        Effect::BreaksFiles(_) => "breaks existing files",
        Effect::BreaksReaders(_) => "breaks existing readers",
        Effect::BreaksBoth { .. } => "breaks existing files and readers",
        Effect::Neither => "breaks nothing",
        Effect::Documentation => "documentation only",
        Effect::Unknown(_) => "unknown",
    }
}

/// Errors for what breaks the direction that was asked about, warnings for what nobody knows.
fn github(comparison: &Comparison, file: &Path, both: bool) -> String {
    let mut text = String::new();
    let mut annotate = |level: &str, title: &str, message: &str| {
        let file = escaped(&file.display().to_string(), true);
        let (title, message) = (escaped(title, true), escaped(&mask_secrets(message), false));
        let _ = writeln!(text, "::{level} file={file},title={title}::{message}");
    };
    for change in &comparison.changes {
        let level = match change.effect {
            Effect::BreaksFiles(_) | Effect::BreaksBoth { .. } => "error",
            Effect::BreaksReaders(_) if both => "error",
            Effect::BreaksReaders(_) => "notice",
            Effect::Unknown(_) => "warning",
            Effect::Neither | Effect::Documentation => continue,
        };
        let mut message = change.to_string();
        for witness in [change.effect.files(), change.effect.readers()].into_iter().flatten() {
            let _ = write!(message, "\n{}", example(witness));
        }
        annotate(level, heading(change), &message);
    }
    for (verdict, asked) in [(&comparison.backward, true), (&comparison.forward, both)] {
        match verdict {
            Verdict::Unknown(reasons) if asked => {
                let all: Vec<String> = reasons.iter().map(ToString::to_string).collect();
                annotate("warning", "unknown", &all.join("\n"));
            }
            Verdict::Invalid(side, message) if asked => {
                annotate("error", "not a schema", &format!("the {side} schema is not valid: {message}"));
            }
            _ => {}
        }
    }
    text
}

/// Text as workflow commands want it.
fn escaped(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}

/// A value in which no text has the shape of a credential.
fn masked(value: Value) -> Value {
    match value {
        Value::String(text) => mask_secrets(&text).into(),
        Value::Array(items) => items.into_iter().map(masked).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (mask_secrets(&name), masked(value))).collect()
        }
        other => other,
    }
}

/// Answers until the input ends, in order and as it goes. The status is 2 if some line was no request.
fn serve(options: &Options, input: impl BufRead, mut output: impl Write) -> io::Result<u8> {
    let mut status = 0;
    for line in input.split(b'\n') {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = answer(options, &line).unwrap_or_else(|(id, message)| {
            status = super::FAILED;
            let reasons = json!([{"message": message}]);
            json!({
                "id": id,
                "backward": "invalid",
                "forward": "invalid",
                "witness": {},
                "reasons": {"backward": reasons, "forward": reasons},
                "changes": [],
            })
        });
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(status)
}

fn answer(options: &Options, line: &[u8]) -> Result<Value, (Value, String)> {
    let request: Value = parsed(line).map_err(|error| (Value::Null, format!("not a request: {error}")))?;
    let id = request.get("id").cloned().unwrap_or_default();
    let fail = |message: &str| (id.clone(), message.to_owned());
    let old = request.get("old").ok_or_else(|| fail("`old` is missing"))?;
    let new = request.get("new").ok_or_else(|| fail("`new` is missing"))?;
    let mut options = options.clone();
    match request.get("draft") {
        None | Some(Value::Null) => {}
        Some(named) => {
            let name = named.as_str().map_or_else(|| named.to_string(), str::to_owned);
            options = options.with_draft(draft(&name).map_err(|message| fail(&message))?);
        }
    }
    let mut answer = serde_json::Map::new();
    answer.insert("id".to_owned(), id.clone());
    if let Value::Object(report) = masked(compare(old, new, &options).to_json()) {
        answer.extend(report);
    }
    Ok(answer.into())
}
