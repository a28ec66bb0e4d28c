//! One request a line, one answer a line, in order and as it goes: for any program that can pipe lines.
//!
//! A request is `{"id", "kind", "format", "text"}`; `kind` may be left out, and a `path` may be given for rules
//! about names. The answer is `{"id", "valid", "diagnostics"}`.
//!
//! The kind `contract` is known only here: such a document is the arguments of a call or an answer, and nothing in
//! it says of which tool. So the request does, with `contract` (a name such as `memory.set`) and `side` (`input` or
//! `output`). It is no `Kind` of the library, for those have one type each, and this one has two for every contract.

use crate::check::{Checked, Checker, Input};
use crate::report::json::{Answer, Diagnostic};
use crate::rules;
use agentry::Kind;
use agentry::contract::{Contract, Side};
use agentry_text::{Finding, Format, Rule, Span, nearest, quoted};
use serde::Deserialize;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

/// The kind of documents that are a side of a contract.
const CONTRACT: &str = "contract";

#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    id: serde_json::Value,
    kind: Option<String>,
    format: Option<String>,
    path: Option<PathBuf>,
    contract: Option<String>,
    side: Option<String>,
    text: String,
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
    // Anything but an object has no part of a request: the parser's own word for that helps nobody.
    if serde_json::from_slice::<serde_json::Value>(line).is_ok_and(|value| !value.is_object()) {
        let message = "this line is no request: a request is a JSON object";
        return refused(serde_json::Value::Null, &agentry_text::rules::SYNTAX, message);
    }
    let request: Request = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => {
            // Whoever sent a line without a text can still tell which one it was.
            let id = serde_json::from_slice::<serde_json::Value>(line)
                .ok()
                .and_then(|value| value.get("id").cloned())
                .unwrap_or_default();
            // The parser repeats what it found, which may be anything.
            let message = match error.classify() {
                serde_json::error::Category::Data => {
                    "this line is no request: it needs a `text`, and texts for `id`, `kind`, `format` and `path`".to_owned()
                }
                _ => format!("this line is no request: it is not JSON (column {})", error.column()),
            };
            return refused(id, &agentry_text::rules::SYNTAX, &message);
        }
    };
    let (kind, contract) = match request.kind.as_deref() {
        None => (None, None),
        Some(CONTRACT) => match side_of_contract(&request) {
            Ok(side) => (None, Some(side)),
            Err((rule, message)) => return refused(request.id, rule, &message),
        },
        Some(name) => {
            let Some(kind) = Kind::from_name(name) else {
                let message = format!("{} is not a kind that is read", quoted(name));
                return refused(request.id, &rules::UNKNOWN_KIND, &message);
            };
            (Some(kind), None)
        }
    };
    let usual = kind.and_then(|kind| kind.formats().first().copied()).unwrap_or(Format::Toml);
    let named = request.format.as_deref().unwrap_or(usual.name());
    let Some(format) = Format::from_name(named) else {
        let message = format!("{} is not a format that is read", quoted(named));
        return refused(request.id, &rules::UNREAD_FORMAT, &message);
    };
    let checked = Checker::default().check(&Input {
        path: request.path.as_deref(),
        kind,
        contract,
        format,
        text: &request.text,
    });
    Answer {
        id: request.id,
        valid: checked.is_valid(),
        diagnostics: Diagnostic::all(&checked, &request.text),
    }
}

/// Which side of which contract the text of a request is.
fn side_of_contract(request: &Request) -> Result<(Contract, Side), (&'static Rule, String)> {
    let Some(name) = request.contract.as_deref() else {
        let message =
            "a document of kind `contract` needs the name of its contract: `\"contract\": \"memory.set\"`";
        return Err((&rules::UNKNOWN_CONTRACT, message.to_owned()));
    };
    let Some(contract) = Contract::from_name(name) else {
        let near = nearest(name, Contract::ALL.iter().map(|contract| contract.name()));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err((
            &rules::UNKNOWN_CONTRACT,
            format!("{} is not the name of a contract{near}", quoted(name)),
        ));
    };
    match request.side.as_deref().and_then(Side::from_name) {
        Some(side) => Ok((contract, side)),
        None => Err((
            &rules::UNKNOWN_CONTRACT,
            "a document of kind `contract` is one of its sides: `\"side\"` is `\"input\"` or `\"output\"`"
                .to_owned(),
        )),
    }
}

fn refused(id: serde_json::Value, rule: &'static Rule, message: &str) -> Answer {
    let finding = Finding::new(rule, "", Span::default(), message);
    let checked = Checked {
        kind: None,
        undecided: None,
        findings: vec![finding],
        secrets: Vec::new(),
        manifest: None,
        root: None,
        damaged: false,
    };
    Answer { id, valid: false, diagnostics: Diagnostic::all(&checked, "") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sides_of_contracts_are_judged_by_their_contract() {
        let cases = [
            (json!({ "contract": "memory.get", "side": "input", "text": "{\"key\": \"a\"}" }), "true"),
            (json!({ "contract": "memory.get", "side": "input", "text": "{}" }), "false missing-key"),
            (json!({ "contract": "memory.get", "side": "output", "text": "{\"found\": true}" }), "true"),
            (
                json!({ "contract": "workflow.status", "side": "input", "text": "{}" }),
                "true missing-selector",
            ),
            (json!({ "contract": "memory.gets", "side": "input", "text": "{}" }), "false unknown-contract"),
            (json!({ "contract": "memory.get", "side": "both", "text": "{}" }), "false unknown-contract"),
            (json!({ "contract": "memory.get", "text": "{}" }), "false unknown-contract"),
            (json!({ "text": "{}" }), "false unknown-contract"),
        ];
        for (mut request, expected) in cases {
            request["kind"] = "contract".into();
            request["format"] = "json".into();
            let answer = answer(request.to_string().as_bytes());
            let codes = answer.diagnostics.iter().map(|diagnostic| format!(" {}", diagnostic.code));
            assert_eq!(format!("{}{}", answer.valid, codes.collect::<String>()), expected, "{request}");
        }
    }
}
