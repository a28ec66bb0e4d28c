//! Which existing files a change of a schema affects: each is judged by the old schema and by the new one, as it stands,
//! by a validator that knows nothing of our readers.

use crate::{schemas, walk};
use agentry::Kind;
use agentry_text::{Format, Lines, MAX_BYTES, mask_secrets};
use jsonschema::Validator;
use jsonschema::error::{ValidationError, ValidationErrorKind};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// How many faults of one file are told.
const MAX_FAULTS: usize = 5;

/// What a change of the schema does to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is valid under both schemas.
    StaysValid,
    /// It is valid under the old schema alone.
    StopsBeingValid,
    /// It is valid under the new schema alone.
    BecomesValid,
    /// It is valid under neither.
    StaysInvalid,
}

impl Effect {
    /// The words for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::StaysValid => "stays valid",
            Self::StopsBeingValid => "stops being valid",
            Self::BecomesValid => "becomes valid",
            Self::StaysInvalid => "stays invalid",
        }
    }
}

/// A place in a file that a schema refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The JSON pointer.
    pub pointer: String,
    /// What the schema says, without the value that stands there: it may be a secret.
    pub message: String,
}

/// A file that was judged by both schemas.
#[derive(Clone, Debug)]
pub struct File {
    /// The path, as it was named or found.
    pub path: PathBuf,
    /// What the change does to it.
    pub effect: Effect,
    /// What the schema says that alone refuses it; none, where both or neither do.
    pub faults: Vec<Fault>,
}

/// What came out for all files.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The files, by path.
    pub files: Vec<File>,
    /// What could not be read, and why.
    pub errors: Vec<(PathBuf, String)>,
}

impl Outcome {
    /// How many files there are of an effect.
    pub fn count(&self, effect: Effect) -> usize {
        self.files.iter().filter(|file| file.effect == effect).count()
    }
}

/// Judges files by two schemas. Folders are looked through for files of the kind; files that are named count as such.
///
/// # Errors
///
/// Says which of the schemas is none, or that folders need a kind.
pub fn run(paths: &[PathBuf], kind: Option<Kind>, old: &Value, new: &Value) -> Result<Outcome, String> {
    let validator = |which: &str, schema: &Value| {
        let options = jsonschema::options().offline().should_validate_formats(false);
        options.build(schema).map_err(|error| {
            let error = mask_secrets(&error.masked().to_string());
            format!("the {which} schema cannot be used: {error}")
        })
    };
    let (old, new) = (validator("old", old)?, validator("new", new)?);
    let mut outcome = Outcome::default();
    let mut files: Vec<PathBuf> = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let Some(kind) = kind else {
            return Err(format!("{} is a folder: name the kind of the files in it", path.display()));
        };
        let found = walk::run(std::slice::from_ref(path), None);
        files.extend(
            found.files.into_iter().filter(|file| file.checked.kind == Some(kind)).map(|file| file.path),
        );
        outcome.errors.extend(found.errors.into_iter().map(|error| (error.path, error.message)));
    }
    files.sort();
    files.dedup();
    for path in files {
        match judge(&path, &old, &new) {
            Ok((effect, faults)) => outcome.files.push(File { path, effect, faults }),
            Err(message) => outcome.errors.push((path, message)),
        }
    }
    Ok(outcome)
}

fn judge(path: &Path, old: &Validator, new: &Validator) -> Result<(Effect, Vec<Fault>), String> {
    let length = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if length > MAX_BYTES as u64 {
        return Err("the file is too large".to_owned());
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let ending = path.extension().and_then(|ending| ending.to_str());
    let document = match ending.and_then(Format::from_name) {
        Some(Format::Toml) => agentry_text::toml::parse(&text),
        Some(Format::Yaml) => agentry_text::yaml::parse(&text),
        Some(Format::Json) => agentry_text::json::parse(&text),
        Some(Format::Markdown) => agentry_text::front_matter::parse(&text).document,
        _ => return Err("the ending names no format: toml, yaml, json or md".to_owned()),
    };
    let root = document
        .root
        .filter(|_| !document.damaged)
        .ok_or("the file cannot be taken apart: run `agentry check`")?;
    let value = schemas::to_json(&root);
    let (effect, refuses) = match (old.is_valid(&value), new.is_valid(&value)) {
        (true, true) => return Ok((Effect::StaysValid, Vec::new())),
        (false, false) => return Ok((Effect::StaysInvalid, Vec::new())),
        (true, false) => (Effect::StopsBeingValid, new),
        (false, true) => (Effect::BecomesValid, old),
    };
    let lines = Lines::new(&text);
    let fault = |error: &ValidationError<'_>| {
        let pointer = error.instance_path().to_string();
        let start = root.pointer(&pointer).map_or(0, |node| node.span.start);
        let at = lines.position(start);
        let message = mask_secrets(&error.masked().to_string());
        Fault { line: at.line, column: at.column, pointer, message }
    };
    Ok((effect, refuses.iter_errors(&value).take(MAX_FAULTS).map(|error| fault(closest(&error))).collect()))
}

/// The error that a refused choice comes down to: that of the alternative which goes wrong deepest in the document. Where
/// every alternative goes wrong at the choice itself, it is the choice.
fn closest<'e, 'v>(error: &'e ValidationError<'v>) -> &'e ValidationError<'v> {
    let (ValidationErrorKind::OneOfNotValid { context } | ValidationErrorKind::AnyOf { context }) =
        error.kind()
    else {
        return error;
    };
    let depth = |error: &ValidationError<'_>| error.instance_path().as_str().matches('/').count();
    let shallowest = context.iter().filter_map(|errors| errors.iter().min_by_key(|error| depth(error)));
    match shallowest.max_by_key(|error| depth(error)) {
        Some(inner) if depth(inner) > depth(error) => closest(inner),
        _ => error,
    }
}
