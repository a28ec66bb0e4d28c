//! An independent validator decides whether a document is a witness, and makes it smaller while it stays one.

use crate::draft::Draft;
use crate::pattern;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};

/// Why there is no validator for a schema.
pub(crate) enum NoJudge {
    /// It is no schema of its draft.
    Invalid(String),
    /// It is one, but needs what is not there.
    Incomplete,
}

/// The validator of a schema.
pub(crate) fn judge(schema: &Value, draft: Draft, formats: bool) -> Result<Validator, NoJudge> {
    let valid = match draft {
        Draft::Draft4 => jsonschema::draft4::meta::validate(schema),
        Draft::Draft6 => jsonschema::draft6::meta::validate(schema),
        Draft::Draft7 => jsonschema::draft7::meta::validate(schema),
        Draft::Draft201909 => jsonschema::draft201909::meta::validate(schema),
        Draft::Draft202012 => jsonschema::draft202012::meta::validate(schema),
    };
    if let Err(error) = valid
        && !may_be_valid(&error)
    {
        return Err(NoJudge::Invalid(placed(&error)));
    }
    build(schema, draft, formats).map_err(|error| match error.kind() {
        ValidationErrorKind::Referencing(_) => NoJudge::Incomplete,
        _ if may_be_valid(&error) => NoJudge::Incomplete,
        _ => NoJudge::Invalid(placed(&error)),
    })
}

/// What a validator says of a schema, with the place.
fn placed(error: &ValidationError<'_>) -> String {
    match error.instance_path().as_str() {
        "" => error.to_string(),
        at => format!("at `{at}`: {error}"),
    }
}

/// Whether it is about something that may be valid after all, and that only this validator cannot run.
fn may_be_valid(error: &ValidationError<'_>) -> bool {
    let at = error.instance_path().as_str();
    let instance = error.instance().as_ref();
    // A number too close to zero is read as zero.
    let rounded = at.ends_with("/multipleOf") && instance.as_f64() == Some(0.0) && instance.is_f64();
    // A key of `patternProperties` is not told from its place: the whole object is what the error is about.
    let unlike = |text: &str| !pattern::is_malformed(text);
    let pattern = match instance {
        Value::String(text) => {
            let inside = ["/pattern", "/patternProperties"].iter().any(|end| at.ends_with(end));
            (inside || at.contains("/patternProperties/")) && unlike(text)
        }
        Value::Object(members) if at.ends_with("/patternProperties") => {
            members.keys().all(|text| unlike(text))
        }
        _ => false,
    };
    rounded || pattern
}

/// The validator of what is known to be a schema.
pub(crate) fn build(
    schema: &Value,
    draft: Draft,
    formats: bool,
) -> Result<Validator, ValidationError<'static>> {
    jsonschema::options()
        .with_draft(draft.of_validator())
        .should_validate_formats(formats)
        .should_ignore_unknown_formats(true)
        .offline()
        .build(schema)
}

/// Whether a small schema, as JSON, takes a value; none, if it cannot be run.
pub(crate) fn takes(schema: &str, value: &Value) -> Option<bool> {
    let schema: Value = serde_json::from_str(schema).ok()?;
    // A pattern may give up on a text: then it is not known whether it matches.
    let validator = build(&schema, Draft::Draft202012, true).ok()?;
    match validator.validate(value) {
        Ok(()) => Some(true),
        Err(error) if matches!(error.kind(), ValidationErrorKind::BacktrackLimitExceeded { .. }) => None,
        Err(_) => Some(false),
    }
}

/// Parts of an array or object that are made smaller: a large document is not, one value at a time.
const PARTS: usize = 24;
/// Attempts to make a witness smaller.
const ATTEMPTS: usize = 600;
/// The length of all that may be written for them.
const MAX_WRITTEN: usize = 10_000_000;
/// About how many documents there are that are a little smaller than a long one.
const CANDIDATES: usize = 200;

/// A smaller document for which a condition still holds, after so many attempts at most, and how much was written to
/// find it.
pub(crate) fn shrunk(document: &Value, most: usize, mut holds: impl FnMut(&Value) -> bool) -> (Value, usize) {
    let mut best = document.clone();
    let (mut attempts, mut written) = (0, 0);
    'again: loop {
        let length = best.to_string().len();
        if length * CANDIDATES > MAX_WRITTEN {
            return (best, written);
        }
        let candidates = smaller(&best, 0);
        written += length * candidates.len();
        if written > MAX_WRITTEN {
            return (best, written);
        }
        for candidate in candidates {
            if candidate.to_string().len() >= length {
                continue;
            }
            attempts += 1;
            if attempts > ATTEMPTS.min(most) {
                return (best, written);
            }
            if holds(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return (best, written);
    }
}

/// Documents that are a little smaller than one.
fn smaller(value: &Value, depth: usize) -> Vec<Value> {
    let mut all = Vec::new();
    if depth > 40 {
        return all;
    }
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(_) => all.extend([0, 1, -1].map(Value::from)),
        Value::String(text) => {
            all.push(Value::from(""));
            let count = text.chars().count();
            for keep in [1, count / 2, count.saturating_sub(1)] {
                all.push(Value::from(text.chars().take(keep).collect::<String>()));
            }
        }
        Value::Array(items) => {
            all.push(Value::Array(Vec::new()));
            for index in 0..items.len().min(4 * PARTS) {
                let mut fewer = items.clone();
                fewer.remove(index);
                all.push(Value::Array(fewer));
            }
            for (index, item) in items.iter().enumerate().take(PARTS) {
                for candidate in smaller(item, depth + 1) {
                    let mut next = items.clone();
                    next[index] = candidate;
                    all.push(Value::Array(next));
                }
            }
        }
        Value::Object(members) => {
            all.push(Value::Object(Map::new()));
            for name in members.keys().take(4 * PARTS) {
                let mut fewer = members.clone();
                fewer.shift_remove(name);
                all.push(Value::Object(fewer));
            }
            for (name, member) in members.iter().take(PARTS) {
                for candidate in smaller(member, depth + 1) {
                    let mut next = members.clone();
                    next.insert(name.clone(), candidate);
                    all.push(Value::Object(next));
                }
            }
        }
    }
    if depth > 0 {
        all.extend([Value::from(0), Value::from(""), Value::Null, Value::Array(Vec::new())]);
        all.push(Value::Object(Map::new()));
    }
    all
}
