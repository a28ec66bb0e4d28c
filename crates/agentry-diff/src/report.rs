//! A comparison as JSON, for programs.

use crate::change::{Change, Effect};
use crate::compare::{Comparison, Reason, Verdict, Witness};
use serde_json::{Map, Value, json};

impl Comparison {
    /// As a JSON object: `backward` and `forward` with the names of the verdicts, `witness` with a document for each
    /// no, `reasons` for each unknown, and `changes`.
    ///
    /// ```
    /// use agentry_diff::{Options, compare};
    /// use serde_json::json;
    ///
    /// let comparison = compare(&json!({"type": "string"}), &json!({"minLength": 1}), &Options::default());
    /// let report = comparison.to_json();
    /// assert_eq!(report["backward"], "no");
    /// assert_eq!(report["witness"]["backward"], "");
    /// assert_eq!(report["changes"][1]["effect"], "breaks-files");
    /// ```
    pub fn to_json(&self) -> Value {
        let mut witness = Map::new();
        let mut declared = Map::new();
        let mut entries = Map::new();
        let mut reasons = Map::new();
        for (name, verdict) in [("backward", &self.backward), ("forward", &self.forward)] {
            match verdict {
                Verdict::Yes => {}
                Verdict::No(found) => {
                    witness.insert(name.to_owned(), found.document.clone());
                    declared.insert(name.to_owned(), found.declared_keys_only.into());
                    entries.extend(found.entry.as_deref().map(|entry| (name.to_owned(), entry.into())));
                }
                Verdict::Unknown(all) => {
                    reasons.insert(name.to_owned(), all.iter().map(reason).collect());
                }
                Verdict::Invalid(side, message) => {
                    let message = format!("the {side} schema is not valid: {message}");
                    reasons.insert(name.to_owned(), json!([{"message": message}]));
                }
            }
        }
        let mut report = json!({
            "backward": self.backward.name(),
            "forward": self.forward.name(),
            "witness": witness,
            "declared_keys_only": declared,
        });
        if let Value::Object(members) = &mut report {
            if !entries.is_empty() {
                members.insert("entry".to_owned(), entries.into());
            }
            if !reasons.is_empty() {
                members.insert("reasons".to_owned(), reasons.into());
            }
            members.insert("changes".to_owned(), self.changes.iter().map(change).collect());
        }
        report
    }
}

fn reason(reason: &Reason) -> Value {
    json!({"pointer": reason.pointer, "message": reason.message})
}

fn change(change: &Change) -> Value {
    let mut members = Map::new();
    let mut put = |name: &str, value: Value| {
        members.insert(name.to_owned(), value);
    };
    put("fingerprint", change.fingerprint.as_str().into());
    put("effect", change.effect.name().into());
    put("action", change.action.name().into());
    put("keyword", change.keyword.as_str().into());
    for (name, text) in [("member", &change.member), ("old", &change.old), ("new", &change.new)] {
        if let Some(text) = text {
            put(name, text.as_str().into());
        }
    }
    for (name, value) in [("before", &change.before), ("after", &change.after)] {
        if let Some(value) = value {
            put(name, value.clone());
        }
    }
    let witnesses = [("backward", change.effect.files()), ("forward", change.effect.readers())];
    let each = |to: fn(&Witness) -> Value| -> Map<String, Value> {
        witnesses.iter().filter_map(|(name, found)| Some(((*name).to_owned(), to((*found)?)))).collect()
    };
    if witnesses.iter().any(|(_, found)| found.is_some()) {
        put("witness", each(|found| found.document.clone()).into());
        put("declared_keys_only", each(|found| found.declared_keys_only.into()).into());
    }
    if witnesses.iter().any(|(_, found)| found.is_some_and(|found| found.entry.is_some())) {
        put("entry", each(|found| found.entry.as_deref().into()).into());
    }
    if !change.only_with.is_empty() {
        put("only_with", change.only_with.iter().map(String::as_str).collect());
    }
    if let Effect::Unknown(reasons) = &change.effect {
        put("reasons", reasons.iter().map(reason).collect());
    }
    members.into()
}
