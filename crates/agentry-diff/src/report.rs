//! A comparison as JSON, for programs: what `agentry diff --format json` prints.

use crate::change::{Change, Effect};
use crate::compare::{Comparison, Reason, Verdict, Witness};
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;
use serde_with::skip_serializing_none;

/// What the comparison of two schemas found: the document of `agentry diff --format json`, and with `id` a line of
/// `agentry diff --stdin-jsonl`.
#[skip_serializing_none]
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    /// The `id` of the request, whatever it was; null where the request has none or is no JSON. Absent where there was no
    /// request.
    #[cfg_attr(feature = "schema", schemars(schema_with = "anything", default))]
    pub id: Option<Value>,
    /// Whether the new schema takes every document that the old one takes: existing files stay valid.
    #[cfg_attr(feature = "schema", schemars(schema_with = "verdict"))]
    pub backward: &'static str,
    /// Whether the old schema takes every document that the new one takes: existing readers can read new files.
    #[cfg_attr(feature = "schema", schemars(schema_with = "verdict"))]
    pub forward: &'static str,
    /// For each no, a document that one schema takes and the other refuses.
    pub witness: Both<Document>,
    /// For each no, whether every key in its document is one that the schema which takes it declares.
    pub declared_keys_only: Both<bool>,
    /// For each no, the definition that its document is of. Absent where the schemas are no collections of definitions.
    #[cfg_attr(feature = "schema", schemars(with = "Both<String>", default))]
    pub entry: Option<Both<String>>,
    /// For each unknown, why nobody can say; for what is invalid, what is wrong. Absent where there is neither.
    #[cfg_attr(feature = "schema", schemars(with = "Both<Vec<Why>>", default))]
    pub reasons: Option<Both<Vec<Why>>>,
    /// Every difference, with what it does.
    pub changes: Vec<ReportedChange>,
}

/// One value for each direction that has one.
#[skip_serializing_none]
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "BothOf{T}"))]
pub struct Both<T> {
    /// About existing files: from the old schema to the new one.
    #[cfg_attr(feature = "schema", schemars(with = "T", default))]
    pub backward: Option<T>,
    /// About existing readers: from the new schema to the old one.
    #[cfg_attr(feature = "schema", schemars(with = "T", default))]
    pub forward: Option<T>,
}

impl<T> Both<T> {
    fn some(self) -> Option<Self> {
        (self.backward.is_some() || self.forward.is_some()).then_some(self)
    }
}

/// A document that shows a no.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(transparent)]
pub struct Document(pub Value);

#[cfg(feature = "schema")]
impl JsonSchema for Document {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Document".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "A document that one schema takes and the other refuses: any value." })
    }
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Reason"))]
pub struct Why {
    /// Where in a schema the reason is, as a JSON pointer; empty for the whole.
    pub pointer: String,
    /// What the matter is.
    pub message: String,
}

/// One difference, with what it does.
#[skip_serializing_none]
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Change"))]
pub struct ReportedChange {
    /// The same for the same change, wherever else the schemas change and however they are ordered: what it is
    /// acknowledged by.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[0-9a-f]{16}$")))]
    pub fingerprint: String,
    /// What it does to documents.
    #[cfg_attr(feature = "schema", schemars(schema_with = "effect"))]
    pub effect: &'static str,
    /// What happened to the keyword.
    #[cfg_attr(feature = "schema", schemars(schema_with = "action"))]
    pub action: &'static str,
    /// The keyword. Empty, where a whole schema gave way to another.
    pub keyword: String,
    /// The key, option or branch of the keyword that it is about. Absent where it is about the keyword as a whole.
    #[cfg_attr(feature = "schema", schemars(with = "String", default))]
    pub member: Option<String>,
    /// Where it is in the old schema, as a JSON pointer. Absent where it is only in the new one.
    #[cfg_attr(feature = "schema", schemars(with = "String", default))]
    pub old: Option<String>,
    /// Where it is in the new schema, as a JSON pointer. Absent where it is only in the old one.
    #[cfg_attr(feature = "schema", schemars(with = "String", default))]
    pub new: Option<String>,
    /// What stood there before.
    #[cfg_attr(feature = "schema", schemars(schema_with = "anything", default))]
    pub before: Option<Value>,
    /// What stands there now.
    #[cfg_attr(feature = "schema", schemars(schema_with = "anything", default))]
    pub after: Option<Value>,
    /// A document for each direction in which it breaks something. Absent where it breaks nothing.
    #[cfg_attr(feature = "schema", schemars(with = "Both<Document>", default))]
    pub witness: Option<Both<Document>>,
    /// Of each of these documents, whether every key in it is one that the schema which takes it declares.
    #[cfg_attr(feature = "schema", schemars(with = "Both<bool>", default))]
    pub declared_keys_only: Option<Both<bool>>,
    /// Of each of these documents, the definition that it is of. Absent where the schemas are no collections of definitions.
    #[cfg_attr(feature = "schema", schemars(with = "Both<String>", default))]
    pub entry: Option<Both<String>>,
    /// The fingerprints of changes that it breaks something only together with. Absent where it does so alone, or where
    /// nobody has found out which they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub only_with: Vec<String>,
    /// Why nobody can say what it does. Absent where that is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub reasons: Vec<Why>,
    /// Why it may break what it breaks, where somebody acknowledged it.
    #[cfg_attr(feature = "schema", schemars(with = "String", default))]
    pub acknowledged: Option<String>,
}

#[cfg(feature = "schema")]
fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!({})
}

#[cfg(feature = "schema")]
fn verdict(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "oneOf": [
            { "description": "It does: this is proved.", "const": "yes" },
            { "description": "It does not: `witness` has a document.", "const": "no" },
            { "description": "Nobody can say: `reasons` says why.", "const": "unknown" },
            { "description": "One of the two is no schema of its draft, or the request is none.", "const": "invalid" },
        ],
    })
}

#[cfg(feature = "schema")]
fn effect(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "oneOf": [
            { "description": "The new schema refuses a document that the old one takes.", "const": "breaks-files" },
            { "description": "The old schema refuses a document that the new one takes.", "const": "breaks-readers" },
            { "description": "Both.", "const": "breaks-both" },
            { "description": "No document is judged otherwise because of it.", "const": "neither" },
            { "description": "It changes what is said about values, not which there are.", "const": "documentation" },
            { "description": "Nobody can say: `reasons` says why.", "const": "unknown" },
        ],
    })
}

#[cfg(feature = "schema")]
fn action(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "oneOf": [
            { "description": "It is only in the new schema.", "const": "added" },
            { "description": "It is only in the old schema.", "const": "removed" },
            { "description": "It is in both, with different values.", "const": "altered" },
        ],
    })
}

impl Report {
    /// The answer to what is no request.
    pub fn invalid(id: Value, message: &str) -> Self {
        let why = || Some(vec![Why { pointer: String::new(), message: message.to_owned() }]);
        Self {
            id: Some(id),
            backward: "invalid",
            forward: "invalid",
            witness: Both { backward: None, forward: None },
            declared_keys_only: Both { backward: None, forward: None },
            entry: None,
            reasons: Some(Both { backward: why(), forward: why() }),
            changes: Vec::new(),
        }
    }
}

impl Comparison {
    /// For programs.
    ///
    /// ```
    /// use agentry_diff::{Options, compare};
    /// use serde_json::json;
    ///
    /// let comparison = compare(&json!({"type": "string"}), &json!({"minLength": 1}), &Options::default());
    /// let report = comparison.to_json();
    /// assert_eq!(report["backward"], "no");
    /// assert_eq!(report["witness"]["backward"], "");
    /// assert_eq!(report["changes"][0]["effect"], "breaks-files");
    /// ```
    pub fn report(&self) -> Report {
        let verdicts = (&self.backward, &self.forward);
        let found = [verdicts.0.witness(), verdicts.1.witness()];
        Report {
            id: None,
            backward: verdicts.0.name(),
            forward: verdicts.1.name(),
            witness: both(found, |found| Some(Document(found.document.clone()))),
            declared_keys_only: both(found, |found| Some(found.declared_keys_only)),
            entry: both(found, |found| found.entry.clone()).some(),
            reasons: both([Some(verdicts.0), Some(verdicts.1)], reasons).some(),
            changes: self.changes.iter().map(reported).collect(),
        }
    }

    /// [`Comparison::report`] as a value.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self.report()).unwrap_or_default()
    }
}

fn both<T, S>([backward, forward]: [Option<&S>; 2], to: impl Fn(&S) -> Option<T>) -> Both<T> {
    Both { backward: backward.and_then(&to), forward: forward.and_then(&to) }
}

fn why(reason: &Reason) -> Why {
    Why { pointer: reason.pointer.clone(), message: reason.message.clone() }
}

fn reasons(verdict: &Verdict) -> Option<Vec<Why>> {
    match verdict {
        Verdict::Unknown(all) => Some(all.iter().map(why).collect()),
        Verdict::Invalid(side, message) => {
            let message = format!("the {side} schema is not valid: {message}");
            Some(vec![Why { pointer: String::new(), message }])
        }
        Verdict::Yes | Verdict::No(_) => None,
    }
}

fn reported(change: &Change) -> ReportedChange {
    let found: [Option<&Witness>; 2] = [change.effect.files(), change.effect.readers()];
    ReportedChange {
        fingerprint: change.fingerprint.clone(),
        effect: change.effect.name(),
        action: change.action.name(),
        keyword: change.keyword.clone(),
        member: change.member.clone(),
        old: change.old.clone(),
        new: change.new.clone(),
        before: change.before.clone(),
        after: change.after.clone(),
        witness: both(found, |found| Some(Document(found.document.clone()))).some(),
        declared_keys_only: both(found, |found| Some(found.declared_keys_only)).some(),
        entry: both(found, |found| found.entry.clone()).some(),
        only_with: change.only_with.clone(),
        reasons: match &change.effect {
            Effect::Unknown(reasons) => reasons.iter().map(why).collect(),
            _ => Vec::new(),
        },
        acknowledged: None,
    }
}
