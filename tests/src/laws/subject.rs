//! What the laws are about: everything that has a published schema and a reader.

use super::text;
use agentry::contract::{Contract, Side};
use agentry::hooks::{Acknowledgement, AfterTurn, Ingest, IngestResult};
use agentry::{Kind, Read};
use agentry_check::acknowledged::Acknowledgements;
use agentry_check::baseline::Baseline;
use agentry_check::settings::Settings;
use agentry_schema::Draft;
use agentry_text::{
    Document, Finding, Format, Mode, Reading, Severity, Shape, Value, read_document, to_value,
};
use serde::Serialize;
use serde_json::Value as Json;

/// A type with its reader and its schemas.
pub struct Subject {
    /// The name of its documents, such as that of a kind.
    pub name: String,
    /// What sort of document it is.
    pub sort: Sort,
    /// The schema that is equal to the strict reading.
    pub strict: Json,
    /// The schema that is equal to the tolerant reading.
    pub tolerant: Json,
    /// What the strict schema says in Draft 7, where that is published.
    pub draft_07: Option<Json>,
    /// The formats that its documents are written in.
    pub formats: &'static [Format],
    /// The keys of the type, where it says so.
    pub shape: Option<&'static Shape>,
    /// Documents that were written by people: what a schema forgot altogether, no document made from it has.
    pub examples: Vec<Json>,
    read: std::sync::Arc<Reads>,
}

/// Reads a document, and writes what was read if that is asked for.
type Reads = dyn Fn(&Document, Mode, bool) -> Outcome + Send + Sync;

/// What sort of document the laws are tested on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A kind of file, a message of a hook, or what the checker reads for itself.
    Kind,
    /// One side of a contract.
    Side,
}

/// What a reading gave.
pub struct Outcome {
    /// Everything that was found.
    pub findings: Vec<Finding>,
    /// Whether there is a value.
    pub is_read: bool,
    /// The value, as it is written back. None where there is none, or where it was not asked for.
    pub written: Option<Value>,
}

impl Outcome {
    fn of<T: Serialize>(reading: Reading<T>, write: bool) -> Self {
        let written = reading.value.as_ref().filter(|_| write).map(|value| {
            to_value(value).unwrap_or_else(|error| panic!("it is read and cannot be written: {error}"))
        });
        Self { findings: reading.findings, is_read: reading.value.is_some(), written }
    }

    /// The findings of severity error.
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error)
    }

    /// Whether the document was read, and nothing of it was lost.
    pub fn is_whole(&self) -> bool {
        self.is_read && self.errors().next().is_none()
    }
}

/// The example files of a kind, as values.
fn examples(kind: Kind) -> Vec<Json> {
    let folder = crate::root().join("examples");
    let mut found = Vec::new();
    for format in kind.formats() {
        for path in crate::files(&folder, &[], format.name()) {
            // Packages are no part of a registry: each has a folder of its own.
            let is_one = match path.strip_prefix("registry/") {
                Some(path) => crate::kind_of(path) == Some(kind),
                None => kind == Kind::Package && path.starts_with("packages/"),
            };
            if !is_one {
                continue;
            }
            let text =
                std::fs::read_to_string(folder.join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            let root = text::parse(*format, &text).root.unwrap_or_else(|| panic!("{path} holds nothing"));
            found.extend(serde_json::to_value(Value::from(&root)));
        }
    }
    found
}

type ReadMessage = fn(&Document, Mode, bool) -> Outcome;

/// What has a schema of its own and no kind: the messages of hooks, and what the checker itself reads.
const OTHERS: &[(&str, &[Format], ReadMessage)] = &[
    ("hook-ingest", &[Format::Json], read::<Ingest>),
    ("hook-ingest-result", &[Format::Json], read::<IngestResult>),
    ("hook-after-turn", &[Format::Json], read::<AfterTurn>),
    ("hook-ok", &[Format::Json], read::<Acknowledgement>),
    ("settings", &[Format::Toml], read_strictly::<Settings>),
    ("baseline", &[Format::Json], read_strictly::<Baseline>),
    ("acknowledged", &[Format::Toml], read_strictly::<Acknowledgements>),
];

fn read<T: Read + Serialize>(document: &Document, mode: Mode, write: bool) -> Outcome {
    Outcome::of(read_document::<T>(document, mode), write)
}

/// What only the checker reads, and never tolerantly.
const STRICT_ONLY: [&str; 3] = ["settings", "baseline", "acknowledged"];

/// What no runtime reads has no tolerant reading.
fn read_strictly<T: Read + Serialize>(document: &Document, _: Mode, write: bool) -> Outcome {
    read::<T>(document, Mode::Strict, write)
}

/// Published schemas that describe what this project writes, and that nothing reads.
fn is_written_only(path: &str) -> bool {
    path == "contract/catalog.schema.json" || path.starts_with(agentry_schema::REPORTS)
}

impl Subject {
    /// Reads a document, and writes what was read.
    pub fn read(&self, document: &Document, mode: Mode) -> Outcome {
        (self.read)(document, mode, true)
    }

    /// Whether it has a tolerant reading.
    pub fn is_read_tolerantly(&self) -> bool {
        !STRICT_ONLY.contains(&self.name.as_str())
    }

    /// Reads a document, and does not write it.
    pub fn only_read(&self, document: &Document, mode: Mode) -> Outcome {
        (self.read)(document, mode, false)
    }

    /// The same with other strict and tolerant schemas: a lie, to see whether it is found.
    #[must_use]
    pub fn same_but_claiming(&self, strict: Json) -> Self {
        Self {
            name: self.name.clone(),
            tolerant: if STRICT_ONLY.contains(&self.name.as_str()) {
                strict.clone()
            } else {
                agentry_schema::tolerant(&strict)
            },
            strict,
            draft_07: None,
            examples: self.examples.clone(),
            read: std::sync::Arc::clone(&self.read),
            ..*self
        }
    }

    /// A kind.
    pub fn kind(kind: Kind) -> Self {
        Self {
            name: kind.name().to_owned(),
            sort: Sort::Kind,
            strict: agentry_schema::schema(kind, Draft::V2020_12),
            tolerant: agentry_schema::tolerant_schema(kind),
            draft_07: Some(agentry_schema::schema(kind, Draft::V07)),
            formats: kind.formats(),
            shape: kind.shape(),
            examples: examples(kind),
            read: std::sync::Arc::new(move |document, mode, write| {
                Outcome::of(kind.read(document, mode), write)
            }),
        }
    }

    /// One side of a contract.
    pub fn side(contract: Contract, side: Side) -> Self {
        let strict = agentry_schema::contract_schema(contract, side);
        Self {
            name: format!("contract/{contract}.{side}"),
            sort: Sort::Side,
            tolerant: agentry_schema::tolerant(&strict),
            strict,
            draft_07: None,
            formats: &[Format::Json],
            shape: None,
            examples: Vec::new(),
            read: std::sync::Arc::new(move |document, mode, write| match side {
                Side::Output => Outcome::of(contract.validate_output(document, mode), write),
                Side::Input => {
                    let mut outcome = Outcome::of(contract.validate_input(document, mode), write);
                    // A call is written with the name of its tool.
                    outcome.written = outcome.written.map(|call| match call {
                        Value::Table(mut call) => call.shift_remove("arguments").unwrap_or(Value::Null),
                        other => other,
                    });
                    outcome
                }
            }),
        }
    }

    fn other(
        name: &str,
        formats: &'static [Format],
        strict: Json,
        draft_07: Json,
        read: ReadMessage,
    ) -> Self {
        Self {
            name: name.to_owned(),
            sort: Sort::Kind,
            tolerant: if STRICT_ONLY.contains(&name) {
                strict.clone()
            } else {
                agentry_schema::tolerant(&strict)
            },
            strict,
            draft_07: Some(draft_07),
            formats,
            shape: None,
            examples: Vec::new(),
            read: std::sync::Arc::new(read),
        }
    }

    /// Everything that has a published schema, kinds first. A new document is here the moment it is published.
    ///
    /// # Panics
    ///
    /// When a published schema has no reader: then it must be entered here.
    pub fn all() -> Vec<Self> {
        let documents = agentry_check::documents();
        let parsed = |path: &str| -> Json {
            let document = documents.iter().find(|document| document.path == path);
            let text = &document.unwrap_or_else(|| panic!("there is no document `{path}`")).text;
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{path}: {error}"))
        };
        let mut subjects: Vec<Self> = Kind::ALL.iter().map(|kind| Self::kind(*kind)).collect();
        for (name, formats, read) in OTHERS {
            let path = |draft| agentry_schema::path(name, draft);
            subjects.push(Self::other(
                name,
                formats,
                parsed(&path(Draft::V2020_12)),
                parsed(&path(Draft::V07)),
                *read,
            ));
        }
        for contract in Contract::ALL {
            subjects.extend(Side::ALL.iter().map(|side| Self::side(*contract, *side)));
        }
        for document in &documents {
            let path = document.path.as_str();
            let name = path.trim_start_matches("draft-07/").trim_end_matches(".schema.json");
            let name = name.trim_end_matches(".tolerant");
            let known = subjects.iter().any(|subject| subject.name == name);
            let is_schema = path.ends_with(".schema.json");
            assert!(!is_schema || known || is_written_only(path), "{path} has no reader in the laws");
        }
        subjects
    }
}
