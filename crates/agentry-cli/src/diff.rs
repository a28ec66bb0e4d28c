//! `agentry diff`: two schemas compared by meaning, as files or as lines.

use agentry_check::acknowledged::Acknowledgements;
use agentry_diff::{
    Change, Comparison, Draft, Effect, Options, Reason, Report, Verdict, Witness, compare, is_exact,
};
use agentry_text::mask_secrets;
use clap::ValueEnum;
use serde_json::Value;
use std::collections::HashSet;
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
    /// Changes that are meant, each with a reason: a TOML file of `[[acknowledged]]` with `fingerprint` and `reason`. If it has
    /// every change that breaks something, the exit status is 0.
    #[arg(long, value_name = "FILE")]
    acknowledged: Option<PathBuf>,
    /// Answer requests from standard input instead, one JSON object a line: `{"id", "old", "new", "draft"}`.
    #[arg(long, conflicts_with_all = ["old", "new", "both", "format", "acknowledged"])]
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
    let list = diff.acknowledged.as_deref().map(acknowledgements).transpose()?;
    let (old, old_text) = schema(old)?;
    let (new_schema, new_text) = schema(new)?;
    let options = options.with_exact_numbers(is_exact(&old_text) && is_exact(&new_text));
    let shown = Shown { comparison: compare(&old, &new_schema, &options), both: diff.both, list };
    let mut out = BufWriter::new(anstream::stdout().lock());
    match diff.format {
        Format::Human => out.write_all(shown.human().as_bytes())?,
        Format::Json => {
            let text = serde_json::to_string_pretty(&masked(shown.json()))?;
            writeln!(out, "{text}")?;
        }
        Format::Github => out.write_all(shown.github(new).as_bytes())?,
    }
    out.flush()?;
    for entry in shown.list.iter().flat_map(|list| list.stale([&shown.comparison])) {
        let (print, reason) = (entry.fingerprint.as_str(), mask_secrets(entry.reason.as_str()));
        eprintln!("note: no change has the fingerprint {print}, which is acknowledged: {reason}");
    }
    Ok(shown.status())
}

/// A file that is read, with its path in what goes wrong.
fn text_of(path: &Path) -> io::Result<String> {
    let bytes = std::fs::read(path).map_err(|error| at(path, &error))?;
    String::from_utf8(bytes).map_err(|_| at(path, &"not UTF-8"))
}

fn at(path: &Path, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: {error}", agentry_check::report::shown_path(path)))
}

fn acknowledgements(path: &Path) -> io::Result<Acknowledgements> {
    Acknowledgements::parse(&text_of(path)?).map_err(|error| at(path, &error))
}

/// A schema from a file.
pub(crate) fn read(path: &Path) -> io::Result<Value> {
    schema(path).map(|(schema, _)| schema)
}

/// A schema from a file, with its text.
fn schema(path: &Path) -> io::Result<(Value, String)> {
    let text = text_of(path)?;
    let schema =
        parsed(text.as_bytes()).map_err(|error| at(path, &format!("cannot be read as JSON: {error}")))?;
    Ok((schema, text))
}

/// JSON, with or without the byte order mark that some editors write.
fn parsed(bytes: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes))
}

fn example(witness: &Witness) -> String {
    let entry = witness.entry.as_ref().map(|entry| format!(", a `{entry}`")).unwrap_or_default();
    let undeclared =
        if witness.declared_keys_only { "" } else { ", with a key that is not declared but allowed" };
    format!("for example {}{entry}{undeclared}", mask_secrets(&witness.document.to_string()))
}

/// A comparison with what is asked of it.
struct Shown {
    comparison: Comparison,
    /// Whether readers are asked about too.
    both: bool,
    /// The changes that are meant.
    list: Option<Acknowledgements>,
}

impl Shown {
    fn reason(&self, change: &Change) -> Option<String> {
        self.list.as_ref()?.reason(change).map(mask_secrets)
    }

    fn excused(&self) -> bool {
        self.list.as_ref().is_some_and(|list| list.excuse(&self.comparison, self.both))
    }

    fn status(&self) -> u8 {
        let comparison = &self.comparison;
        let asked = [Some(&comparison.backward), self.both.then_some(&comparison.forward)];
        let asked: Vec<&Verdict> = asked.into_iter().flatten().collect();
        if asked.iter().any(|verdict| matches!(verdict, Verdict::Invalid(..))) {
            super::FAILED
        } else if self.excused() {
            0
        } else if asked.iter().any(|verdict| matches!(verdict, Verdict::No(_))) {
            super::FOUND
        } else if asked.iter().any(|verdict| matches!(verdict, Verdict::Unknown(_))) {
            super::UNKNOWN
        } else {
            0
        }
    }

    fn human(&self) -> String {
        let mut text = String::new();
        let directions = [
            ("new accepts all of old", &self.comparison.backward, true),
            ("old accepts all of new", &self.comparison.forward, self.both),
        ];
        for (question, verdict, asked) in &directions {
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
                    for reason in once(reasons) {
                        let _ = writeln!(text, "  {reason}");
                    }
                }
                Verdict::Invalid(side, message) => {
                    let _ = writeln!(text, "  the {side} schema is not valid: {}", mask_secrets(message));
                }
            }
        }
        for change in &self.comparison.changes {
            let _ = writeln!(text, "{}: {}", heading(change), mask_secrets(&change.to_string()));
            for witness in [change.effect.files(), change.effect.readers()].into_iter().flatten() {
                let _ = writeln!(text, "  {}", example(witness));
            }
            if let Effect::Unknown(reasons) = &change.effect {
                for reason in once(reasons) {
                    let _ = writeln!(text, "  {reason}");
                }
            }
            if !change.only_with.is_empty() {
                let _ = writeln!(text, "  only together with {}", change.only_with.join(", "));
            }
            if let Some(reason) = self.reason(change) {
                let _ = writeln!(text, "  acknowledged: {reason}");
            }
            let _ = writeln!(text, "  fingerprint {}", change.fingerprint);
        }
        let breaks = directions.iter().any(|(_, verdict, asked)| *asked && **verdict != Verdict::Yes);
        if breaks && self.excused() {
            let _ = writeln!(text, "all that breaks is acknowledged");
        }
        text
    }

    fn json(&self) -> Value {
        let mut report = self.comparison.report();
        for (shown, change) in report.changes.iter_mut().zip(&self.comparison.changes) {
            shown.acknowledged = self.reason(change);
        }
        serde_json::to_value(report).unwrap_or_default()
    }

    /// Errors for what makes the status one, warnings for what nobody knows.
    fn github(&self, file: &Path) -> String {
        let mut text = String::new();
        let mut annotate = |level: &str, title: &str, message: &str| {
            let file = escaped(&file.display().to_string(), true);
            let (title, message) = (escaped(title, true), escaped(&mask_secrets(message), false));
            let _ = writeln!(text, "::{level} file={file},title={title}::{message}");
        };
        let mut told = HashSet::new();
        for change in &self.comparison.changes {
            let (files, readers) = (change.effect.files(), change.effect.readers());
            let reason = self.reason(change);
            let level = match &change.effect {
                Effect::Neither | Effect::Documentation => continue,
                _ if reason.is_some() => "notice",
                Effect::Unknown(_) => "warning",
                _ if files.is_some() || self.both => "error",
                _ => "notice",
            };
            let mut message = change.to_string();
            for witness in [files, readers].into_iter().flatten() {
                let _ = write!(message, "\n{}", example(witness));
            }
            if let Some(reason) = reason {
                let _ = write!(message, "\nacknowledged: {reason}");
            }
            annotate(level, heading(change), &message);
            told.extend(files.map(|_| "breaks existing files"));
            told.extend(readers.map(|_| "breaks existing readers"));
        }
        let comparison = &self.comparison;
        let directions = [
            ("breaks existing files", &comparison.backward, true),
            ("breaks existing readers", &comparison.forward, self.both),
        ];
        for (title, verdict, asked) in directions {
            match verdict {
                // What no change was found to do alone.
                Verdict::No(witness) if asked && !told.contains(title) => {
                    annotate("error", title, &example(witness));
                }
                Verdict::Unknown(reasons) if asked => {
                    let reasons: Vec<String> = once(reasons).collect();
                    annotate("warning", "unknown", &reasons.join("\n"));
                }
                Verdict::Invalid(side, message) if asked => {
                    annotate("error", "not a schema", &format!("the {side} schema is not valid: {message}"));
                }
                _ => {}
            }
        }
        text
    }
}

/// Reasons in words, each once: both directions may have the same.
fn once(reasons: &[Reason]) -> impl Iterator<Item = String> {
    let mut said = HashSet::new();
    reasons
        .iter()
        .map(|reason| mask_secrets(&reason.to_string()))
        .filter(move |reason| said.insert(reason.clone()))
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
        let mut answer = answer(options, &line).unwrap_or_else(|(id, message)| {
            status = super::FAILED;
            Report::invalid(id, &message)
        });
        // Who asked knows the answer by its id, whatever that looks like.
        let id = answer.id.take().unwrap_or_default();
        let mut line = serde_json::Map::from_iter([("id".to_owned(), id)]);
        if let Value::Object(report) = masked(serde_json::to_value(answer)?) {
            line.extend(report);
        }
        serde_json::to_writer(&mut output, &line)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(status)
}

fn answer(options: &Options, line: &[u8]) -> Result<Report, (Value, String)> {
    let request: Value = parsed(line).map_err(|error| (Value::Null, format!("not a request: {error}")))?;
    let id = request.get("id").cloned().unwrap_or_default();
    let fail = |message: &str| (id.clone(), message.to_owned());
    let old = request.get("old").ok_or_else(|| fail("`old` is missing"))?;
    let new = request.get("new").ok_or_else(|| fail("`new` is missing"))?;
    let text = std::str::from_utf8(line).unwrap_or_default();
    let mut options = options.clone().with_exact_numbers(is_exact(text));
    match request.get("draft") {
        None | Some(Value::Null) => {}
        Some(named) => {
            let name = named.as_str().map_or_else(|| named.to_string(), str::to_owned);
            options = options.with_draft(draft(&name).map_err(|message| fail(&message))?);
        }
    }
    Ok(Report { id: Some(id), ..compare(old, new, &options).report() })
}
