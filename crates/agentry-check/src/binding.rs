//! Whether a tool of an MCP server can stand in for a contract: its input schema takes everything that a caller may
//! send, and its output schema promises everything that a caller may expect.
//!
//! # What the answers mean
//!
//! * **Yes** is proved, keyword by keyword, over what the schemas of the contracts are made of and what comes close to
//!   it. What is not compared (patterns of keys, conditions that depend on the value, formats, other drafts) is never
//!   taken for a yes.
//! * **No** always has a witness: a document that one side allows and the other refuses, each judged by a validator
//!   that knows nothing of this comparison.
//! * **Unknown** is what is left: not proved, and no witness found. It says where, and why.
//!
//! # Decisions
//!
//! * A tool **without an output schema** promises nothing, and breaks no promise either: unknown, except where the
//!   contract expects nothing.
//! * The schema of a contract is the published one: a `$schema` key is no argument, so a server need not take it.
//! * A `format` is checked by some and passed over by others: unknown, unless both schemas state it.
//! * A schema that is not valid, or that refers to other documents, is unknown.
//! * Names, descriptions and annotations do not matter. A mapping swaps the implementation, never the contract.

mod compare;
mod facts;
mod samples;
#[cfg(test)]
mod tests;
mod weight;

use crate::schemas;
use agentry::contract::{Contract, Side};
use agentry::{JsonSchema, ToolDefinition};
use agentry_schema::contract_schema;
use agentry_text::{Document, Severity, quoted};
use compare::{About, Doubt};
use facts::{Root, types};
use jsonschema::Validator;
use jsonschema::error::{ValidationError, ValidationErrorKind};
use samples::Samples;
use serde_json::Value;

/// An answer, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It does.
    Yes,
    /// Nobody has found out.
    Unknown,
    /// It does not.
    No,
}

impl Verdict {
    /// Its name: `yes`, `unknown`, `no`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Unknown => "unknown",
            Self::No => "no",
        }
    }
}

/// A place where a tool does not do what the contract asks for, or may not.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Place {
    /// [`Verdict::No`] or [`Verdict::Unknown`].
    pub verdict: Verdict,
    /// The JSON pointer in the tool definition.
    pub pointer: String,
    /// The JSON pointer in what is sent or answered, with `*` for any item or any other key.
    pub document: String,
    /// What is the matter there.
    pub message: String,
    /// Of a no: a document that a caller may send and the tool refuses, or that the tool may answer and no caller
    /// expects.
    pub witness: Option<Value>,
}

/// The answer for one side of a contract.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SideBinding {
    /// Which side it is.
    pub side: Side,
    /// Where it does not fit, or may not. None where it fits.
    pub places: Vec<Place>,
}

impl SideBinding {
    /// Whether the side fits.
    pub fn verdict(&self) -> Verdict {
        self.places.iter().map(|place| place.verdict).max().unwrap_or(Verdict::Yes)
    }
}

/// Whether a tool can stand in for a contract.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Binding {
    /// The contract.
    pub contract: Contract,
    /// Whether the tool takes everything that a caller may send.
    pub input: SideBinding,
    /// Whether the tool answers only what a caller may expect.
    pub output: SideBinding,
}

impl Binding {
    /// Whether both sides fit.
    pub fn verdict(&self) -> Verdict {
        self.input.verdict().max(self.output.verdict())
    }
}

/// Says whether a tool can stand in for a contract.
pub fn check(contract: Contract, tool: &ToolDefinition) -> Binding {
    Binding {
        contract,
        input: SideBinding { side: Side::Input, places: check_input(contract, &tool.input_schema) },
        output: SideBinding {
            side: Side::Output,
            places: check_output(contract, tool.output_schema.as_ref()),
        },
    }
}

fn check_input(contract: Contract, schema: &JsonSchema) -> Vec<Place> {
    let ours = contract_schema(contract, Side::Input);
    match Theirs::read(schema, Side::Input) {
        Ok(theirs) => compare(Side::Input, &Root::new(&ours, false), &theirs.root(), theirs.compared),
        Err(place) => vec![*place],
    }
}

fn check_output(contract: Contract, schema: Option<&JsonSchema>) -> Vec<Place> {
    let ours = contract_schema(contract, Side::Output);
    let ours = Root::new(&ours, false);
    let Some(schema) = schema else {
        let anything = Value::Bool(true);
        if compare::doubts(&Root::new(&anything, false), &ours).is_empty() {
            return Vec::new();
        }
        return vec![open(
            "/outputSchema",
            "there is no output schema: nothing says what the tool answers".to_owned(),
        )];
    };
    match Theirs::read(schema, Side::Output) {
        Ok(theirs) => compare(Side::Output, &theirs.root(), &ours, theirs.compared),
        Err(place) => vec![*place],
    }
}

/// A place that is not known about.
fn open(pointer: &str, message: String) -> Place {
    Place {
        verdict: Verdict::Unknown,
        pointer: pointer.to_owned(),
        document: String::new(),
        message,
        witness: None,
    }
}

/// The schema of a server.
struct Theirs {
    schema: Value,
    lone_references: bool,
    /// Whether it is of a draft that is compared. Documents are tried in any.
    compared: bool,
}

impl Theirs {
    fn read(schema: &JsonSchema, side: Side) -> Result<Self, Box<Place>> {
        let pointer = pointer_of(side);
        let document = Document::from(schema.as_value().clone());
        let Some(root) = document.root.as_ref() else {
            return Err(Box::new(open(pointer, "the schema cannot be read".to_owned())));
        };
        let stated = root.get("$schema").and_then(|entry| entry.node.as_str());
        let draft = stated.map(|stated| stated.trim_end_matches('#'));
        let (lone_references, compared) = match draft {
            None | Some("https://json-schema.org/draft/2020-12/schema") => (false, true),
            Some(
                "http://json-schema.org/draft-07/schema"
                | "https://json-schema.org/draft-07/schema"
                | "http://json-schema.org/draft-06/schema",
            ) => (true, true),
            Some(_) => (false, false),
        };
        if compared && !lone_references {
            let mut findings = Vec::new();
            schemas::check(root, "", &mut findings);
            if let Some(error) = findings.iter().find(|finding| finding.severity == Severity::Error) {
                let place = format!("{pointer}{}", error.pointer);
                return Err(Box::new(open(&place, format!("the schema is not valid: {}", error.message))));
            }
        }
        let schema = schemas::to_json(root);
        let theirs = Self { schema, lone_references, compared };
        if !weight::is_bearable(&theirs.root()) {
            let message = "the schema leads back to itself, or to too many others".to_owned();
            return Err(Box::new(open(pointer, message)));
        }
        if validator(&theirs.schema).is_none() {
            let message =
                "the schema cannot be used by itself: it is not valid, or of an unknown draft, or refers to \
                           another document"
                    .to_owned();
            return Err(Box::new(open(pointer, message)));
        }
        Ok(theirs)
    }

    fn root(&self) -> Root<'_> {
        Root::new(&self.schema, self.lone_references)
    }
}

fn validator(schema: &Value) -> Option<Validator> {
    // What a format is, differs between programs; here it refuses nothing.
    jsonschema::options().offline().should_validate_formats(false).build(schema).ok()
}

const fn pointer_of(side: Side) -> &'static str {
    match side {
        Side::Input => "/inputSchema",
        Side::Output => "/outputSchema",
    }
}

/// Every place where a document that is sent may not be taken.
fn compare(side: Side, sent: &Root<'_>, taken: &Root<'_>, compared: bool) -> Vec<Place> {
    let doubts = if compared {
        compare::doubts(sent, taken)
    } else {
        let about = About::NotCompared;
        vec![Doubt {
            keyword: "/$schema".to_owned(),
            origin: "/$schema".to_owned(),
            place: String::new(),
            about,
        }]
    };
    if doubts.is_empty() {
        return Vec::new();
    }
    let mut witnesses: Vec<Option<Value>> = vec![None; doubts.len()];
    let mut first = None;
    if let (Some(sends), Some(takes)) = (validator(sent.value), validator(taken.value)) {
        for document in (Samples { sent, taken }).documents() {
            if witnesses.iter().all(Option::is_some) {
                break;
            }
            if !sends.is_valid(&document) {
                continue;
            }
            // Whether the content of a string is checked is up to the server, as with formats.
            let content = |error: &ValidationError<'_>| {
                matches!(error.kind().keyword(), "contentEncoding" | "contentMediaType" | "contentSchema")
            };
            for error in takes.iter_errors(&document).filter(|error| !content(error)) {
                let about_this =
                    doubts.iter().zip(&mut witnesses).filter(|(doubt, _)| is_about(doubt, &error));
                for (_, witness) in about_this.filter(|(_, witness)| witness.is_none()) {
                    *witness = Some(document.clone());
                }
                if first.is_none() {
                    first = Some((
                        document.clone(),
                        error.schema_path().to_string(),
                        error.instance_path().to_string(),
                    ));
                }
            }
        }
    }
    let certain = witnesses.iter().any(Option::is_some);
    let mut places: Vec<Place> =
        doubts.iter().zip(witnesses).map(|(doubt, witness)| place(side, doubt, witness)).collect();
    // A witness is a no, also where it belongs to no place that was in doubt.
    if let Some((witness, keyword, document)) = first.filter(|_| !certain) {
        let below = if side == Side::Input { keyword } else { String::new() };
        let message = match side {
            Side::Input => "this refuses something that a caller may send",
            Side::Output => "this allows an answer that no caller expects",
        };
        places.push(Place {
            verdict: Verdict::No,
            pointer: format!("{}{below}", pointer_of(side)),
            document,
            message: message.to_owned(),
            witness: Some(witness),
        });
    }
    places.sort_by_key(|place| std::cmp::Reverse(place.verdict));
    places
}

/// Whether an error of the validator is what was in doubt.
fn is_about(doubt: &Doubt, error: &ValidationError<'_>) -> bool {
    let keyword = error.schema_path().as_str();
    let same_key = match (&doubt.about, error.kind()) {
        (About::Missing(name), ValidationErrorKind::Required { property }) => property.as_str() == Some(name),
        (About::Key(Some(name)), ValidationErrorKind::AdditionalProperties { unexpected }) => {
            unexpected.contains(name)
        }
        // Where no key is named, the validator refuses the key itself.
        (About::Key(Some(name)), _) if keyword == doubt.keyword => {
            let key = format!("{}/{}", doubt.place, agentry_schema::keyword::escape(name));
            return fits(&key, error.instance_path().as_str());
        }
        (About::Missing(_), _) => keyword != doubt.keyword,
        _ => true,
    };
    // The validator reports an alternative as a whole.
    let mut related = leads_to(keyword, &doubt.keyword) || leads_to(&doubt.keyword, keyword);
    // A condition refuses by what follows from it.
    if let Some(around) = doubt.keyword.strip_suffix("/if") {
        related |= ["then", "else"].iter().any(|branch| leads_to(&format!("{around}/{branch}"), keyword));
    }
    same_key && related && fits(&doubt.place, error.instance_path().as_str())
}

fn leads_to(above: &str, pointer: &str) -> bool {
    pointer.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether one of two places is above the other; `*` is any segment.
fn fits(place: &str, found: &str) -> bool {
    place.split('/').zip(found.split('/')).all(|(one, other)| one == "*" || one == other)
}

fn place(side: Side, doubt: &Doubt, witness: Option<Value>) -> Place {
    let verdict = if witness.is_some() { Verdict::No } else { Verdict::Unknown };
    let pointer = match side {
        Side::Input => &doubt.keyword,
        Side::Output => &doubt.origin,
    };
    let mut message = message(side, doubt);
    if witness.is_none() && doubt.about != About::NotCompared {
        message.push_str("; this was not proved, and no such document was found");
    }
    Place {
        verdict,
        pointer: format!("{}{pointer}", pointer_of(side)),
        document: doubt.place.clone(),
        message,
        witness,
    }
}

fn message(side: Side, doubt: &Doubt) -> String {
    let keyword = quoted(doubt.name());
    match (&doubt.about, side) {
        (About::NotCompared, _) if doubt.keyword == "/$schema" => {
            "the schema is of a draft that is not compared".to_owned()
        }
        (About::NotCompared, _) => format!("{keyword} is not compared"),
        (About::Missing(name), Side::Input) => {
            format!("{} is required, and a caller may leave it out", quoted(name))
        }
        (About::Missing(name), Side::Output) => {
            format!("{} may be missing, and a caller counts on it", quoted(name))
        }
        (About::Key(Some(name)), Side::Input) => {
            format!("{} is not taken, and a caller may send it", quoted(name))
        }
        (About::Key(Some(name)), Side::Output) => {
            format!("{} may be there, and the contract has no such key", quoted(name))
        }
        (About::Key(None), Side::Input) => "other keys are not taken, and a caller may send them".to_owned(),
        (About::Key(None), Side::Output) => "other keys may be there, and the contract has none".to_owned(),
        (About::Types(refused), Side::Input) => {
            format!("{} is not sure to be taken, and a caller may send it", names(*refused))
        }
        (About::Types(refused), Side::Output) => {
            format!("{} may come here, and no caller expects it", names(*refused))
        }
        (About::Keyword, Side::Input) => format!("{keyword} takes less than a caller may send"),
        (About::Keyword, Side::Output) => {
            format!("the contract's {keyword} is not promised, and a caller counts on it")
        }
    }
}

fn names(all: u8) -> String {
    let others = types::ALL & !all;
    if others != 0 && others.count_ones() < 3 {
        return format!("something other than {}", names(others));
    }
    let names: Vec<&str> =
        types::NAMES.iter().filter(|(one, _)| all & one != 0).map(|(_, name)| *name).collect();
    names.join(", or ")
}
