//! `agentry affected`: which existing files a change of a schema affects.

use agentry::Kind;
use agentry_check::affected::{self, Effect, Outcome};
use agentry_schema::Draft;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Affected {
    /// The schema as it was.
    old: PathBuf,
    /// Files and folders; of a folder, the files of the kind.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The schema as it is to be; without this, the one of the kind.
    #[arg(long, value_name = "FILE")]
    new: Option<PathBuf>,
    /// The kind of the files; without this, the one whose schema the old one says it is.
    #[arg(long, value_parser = super::kind)]
    kind: Option<Kind>,
    /// How to show the answer.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// One JSON document.
    Json,
}

/// Judges, and says with which status to end.
pub(crate) fn run(arguments: &Affected) -> io::Result<u8> {
    let old = super::diff::read(&arguments.old)?;
    let kind = arguments.kind.or_else(|| kind_of(&old));
    let new = match (&arguments.new, kind) {
        (Some(file), _) => super::diff::read(file)?,
        (None, Some(kind)) => agentry_schema::schema(kind, Draft::V2020_12),
        (None, None) => {
            return Err(io::Error::other(
                "the old schema is of no kind of ours: name one with --kind, or a schema with --new",
            ));
        }
    };
    let outcome = affected::run(&arguments.paths, kind, &old, &new).map_err(io::Error::other)?;
    for (path, message) in &outcome.errors {
        anstream::eprintln!("agentry: {}: {message}", path.display());
    }
    let mut out = BufWriter::new(anstream::stdout().lock());
    match arguments.format {
        Format::Human => out.write_all(human(&outcome).as_bytes())?,
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&report(&outcome))?)?,
    }
    out.flush()?;
    Ok(if !outcome.errors.is_empty() {
        super::FAILED
    } else if outcome.count(Effect::StopsBeingValid) > 0 {
        super::FOUND
    } else {
        0
    })
}

/// The kind whose schema a document says it is: the end of its address.
fn kind_of(schema: &Value) -> Option<Kind> {
    let address = schema["$id"].as_str()?;
    let name = address.rsplit('/').next()?.strip_suffix(".schema.json")?;
    Kind::from_name(name.trim_end_matches(".tolerant"))
}

fn human(outcome: &Outcome) -> String {
    let mut text = String::new();
    for file in &outcome.files {
        if matches!(file.effect, Effect::StaysValid | Effect::StaysInvalid) {
            continue;
        }
        let _ = writeln!(text, "{}: {}", file.path.display(), file.effect.name());
        for fault in &file.faults {
            let path = file.path.display();
            let _ = writeln!(
                text,
                "  {path}:{}:{}  {}  {}",
                fault.line, fault.column, fault.pointer, fault.message
            );
        }
    }
    let counts = [Effect::StopsBeingValid, Effect::BecomesValid, Effect::StaysValid, Effect::StaysInvalid]
        .map(|effect| format!("{} {}", outcome.count(effect), effect.name()));
    let files = if outcome.files.len() == 1 { "file" } else { "files" };
    let _ = writeln!(text, "{} {files}: {}.", outcome.files.len(), counts.join(", "));
    text
}

fn report(outcome: &Outcome) -> Value {
    let files: Vec<Value> = outcome
        .files
        .iter()
        .map(|file| {
            let faults: Vec<Value> = file
                .faults
                .iter()
                .map(|fault| {
                    json!({
                        "line": fault.line,
                        "column": fault.column,
                        "pointer": fault.pointer,
                        "message": fault.message,
                    })
                })
                .collect();
            json!({ "path": file.path.display().to_string(), "effect": file.effect.name(), "faults": faults })
        })
        .collect();
    let errors: Vec<Value> = outcome
        .errors
        .iter()
        .map(|(path, message)| json!({ "path": path.display().to_string(), "message": message }))
        .collect();
    json!({ "files": files, "errors": errors })
}
