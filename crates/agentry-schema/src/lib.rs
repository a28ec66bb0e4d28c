//! The published documents of Agentry: a JSON Schema for every kind of manifest, in each draft, and a catalogue
//! that tells editors which schema is for which file. They are made from the types; nothing is written by hand.
//! There is no I/O here: `cargo xtask schema-write` writes the documents, `schema-diff` compares them.
//!
//! # Layout
//!
//! | document | what it is |
//! | --- | --- |
//! | `provider.schema.json` | the schema of the kind `provider`, in Draft 2020-12: the canonical form |
//! | `draft-07/provider.schema.json` | the same in Draft 7, for editors |
//! | `provider.tolerant.schema.json` | what runtimes read without loss: options and keys of newer versions too |
//! | `catalog.json` | the catalogue, in the form of the `SchemaStore` catalogue |
//! | `contract/memory.get.input.schema.json` | one side of a contract, in Draft 2020-12 |
//! | `contract/catalog.json` | every contract, in order: what it does, who may call it, its two schemas |
//! | `contract/catalog.schema.json` | the schema of that catalogue |
//! | `report/<name>.schema.json` | what `agentry check` prints for programs; made by the checker, whose types these are |
//!
//! # Decisions
//!
//! * **One list.** [`documents`] is every document that the types of manifests make; the checker adds those about its
//!   own output and files (`agentry_check::documents`), and writing, comparing and testing start from that list.
//! * **Addresses.** The `$id` of a document is an address in the repository under a Git reference that is its
//!   major version: `…/v1/schemas/provider.schema.json`. It never changes within a major version, and it can be
//!   fetched without a web site of one's own, once the reference exists.
//! * **Versions.** Each document has its own semantic version. A schema states it in `$comment`
//!   (`Version 1.0.0; …`), the catalogue under `versions`. A keyword of our own, such as `x-version`, would make
//!   validators in strict mode refuse the whole document. Patch: words; minor: accepts more; major: accepts
//!   less. Both drafts of a kind share one version, for they say the same.
//! * **`$schema` in files** is accepted by the root of every document, also a closed one, and only by the root.
//! * **Bytes.** Keywords have one order ([`keyword::KEYWORDS`]), properties that of the type, definitions that of
//!   their names, so a change of a type changes the lines about it and no others. The order of properties needs
//!   `preserve_order` of `serde_json`, which this crate asks for itself; features add up, so it holds in every
//!   build that this crate is part of.
//! * **Draft 7 is made from Draft 2020-12**, step by step, not derived a second time. What it cannot say is an
//!   error of [`check::check`], never left out.
//! * **The tolerant schema** is the strict one with every list of options and every closed table open: that is all that
//!   the tolerant reading takes more of without losing anything. It is for runtimes and those who feed them, so it is published in one
//!   draft, for kinds alone: messages and calls have no versions of their own.
//! * **Contracts** are published in Draft 2020-12 alone: it is what MCP reads a tool's schemas in, no editor completes
//!   a call, and twice 96 documents would be half of the folder. They are about messages, so they say what the
//!   specification says and no more: a `$schema` key, which the readers pass over, is not among the arguments that a
//!   model is offered, and whole numbers have no bounds. They are not in the catalogue for editors either.
//! * **What holds of every schema** is in [`check`]: descriptions, bounds, portable patterns, no null.

mod catalogue;
pub mod check;
mod contract;
mod draft_07;
pub mod keyword;
pub mod pattern;
mod transform;

use agentry::Kind;
use agentry::contract::{Contract, Side};
use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// What all addresses of documents start with.
pub const BASE: &str = "https://raw.githubusercontent.com/agentry/agentry";

/// The version of a document that is not in [`VERSIONS`].
pub const FIRST_VERSION: &str = "1.0.0";

/// The versions of the documents that changed since they were first published, by their names.
pub const VERSIONS: &[(&str, &str)] = &[];

/// A published document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Where it is, below the folder of the documents, with `/` between folders.
    pub path: String,
    /// Its text, byte for byte.
    pub text: String,
}

/// A draft of JSON Schema that documents are published in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Draft {
    /// Draft 2020-12, the canonical form.
    V2020_12,
    /// Draft 7, for editors.
    V07,
}

impl Draft {
    /// Every draft.
    pub const ALL: &'static [Self] = &[Self::V2020_12, Self::V07];

    /// Its name: `2020-12`, `draft-07`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V2020_12 => "2020-12",
            Self::V07 => "draft-07",
        }
    }

    /// The draft of a name, as people write it: `2020-12`, `draft-07`, `07`, `7`.
    pub fn from_name(name: &str) -> Option<Self> {
        let plain = name.trim_start_matches("draft").trim_start_matches(['-', '0']);
        Self::ALL.iter().copied().find(|draft| plain == draft.name().trim_start_matches("draft-0"))
    }

    /// The address of its meta-schema.
    pub const fn meta_schema(self) -> &'static str {
        match self {
            Self::V2020_12 => "https://json-schema.org/draft/2020-12/schema",
            Self::V07 => "http://json-schema.org/draft-07/schema#",
        }
    }

    /// The keyword that holds definitions.
    pub const fn definitions(self) -> &'static str {
        match self {
            Self::V2020_12 => "$defs",
            Self::V07 => "definitions",
        }
    }

    const fn folder(self) -> &'static str {
        match self {
            Self::V2020_12 => "",
            Self::V07 => "draft-07/",
        }
    }
}

/// What the documents that a schema describes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A file, or a message that one may be kept in. It may name its schema under `$schema`.
    File,
    /// One side of a contract: the arguments of a call, or an answer. Its keys are arguments, and `$schema` is none;
    /// its whole numbers are as large as the specification lets them be, which is as large as they like.
    Call,
    /// What a program prints. Nobody writes it by hand, so it names no schema; its whole numbers are counts.
    Report,
}

/// The folder of the documents about what programs print.
pub const REPORTS: &str = "report/";

impl Form {
    /// What the schema document at a path describes.
    pub fn of(path: &str) -> Self {
        if path.starts_with(REPORTS) {
            return Self::Report;
        }
        let sides = Contract::ALL.iter().flat_map(|contract| Side::ALL.iter().map(|side| (*contract, *side)));
        let is_side = |(contract, side)| path == contract::path(contract, side);
        if sides.into_iter().any(is_side) { Self::Call } else { Self::File }
    }
}

/// What schema documents are made from.
struct Source {
    name: &'static str,
    /// What it describes, where the type itself does not say so.
    summary: &'static str,
    /// Paths of the files that it describes, as `Kind::paths` has them.
    files: &'static [&'static str],
    version: &'static str,
    derive: Box<dyn Fn(SchemaGenerator) -> Schema>,
}

impl Source {
    fn new(
        name: &'static str,
        summary: &'static str,
        files: &'static [&'static str],
        derive: impl Fn(SchemaGenerator) -> Schema + 'static,
    ) -> Self {
        Self { name, summary, files, version: version(name), derive: Box::new(derive) }
    }

    fn schema(&self, draft: Draft) -> Value {
        publish(self.name, self.summary, draft, &self.derive)
    }
}

/// Everything that has a schema, in the order of the catalogue.
fn sources() -> Vec<Source> {
    let kinds = Kind::ALL.iter().map(|&kind| {
        Source::new(kind.name(), kind.summary(), kind.paths(), move |generator| kind.schema(generator))
    });
    // The messages of hooks are no files: no path is theirs.
    let messages = agentry::hooks::MESSAGES.iter().map(|&(name, derive)| Source::new(name, "", &[], derive));
    kinds.chain(messages).collect()
}

/// Every published document.
pub fn documents() -> Vec<Document> {
    let sources = sources();
    let mut documents =
        vec![Document { path: "catalog.json".to_owned(), text: text(&catalogue::catalogue(&sources)) }];
    for &draft in Draft::ALL {
        for source in &sources {
            documents.push(Document { path: path(source.name, draft), text: text(&source.schema(draft)) });
        }
    }
    for &kind in Kind::ALL {
        let path = path(&tolerant_name(kind), Draft::V2020_12);
        documents.push(Document { path, text: text(&tolerant_schema(kind)) });
    }
    documents.append(&mut contract::documents());
    documents
}

/// The tolerant schema of a kind: it accepts what the tolerant reading reads without loss.
pub fn tolerant_schema(kind: Kind) -> Value {
    let mut schema = tolerant(&schema(kind, Draft::V2020_12));
    let name = tolerant_name(kind);
    schema["$id"] = address(&name, Draft::V2020_12).into();
    schema["title"] = format!("{} (tolerant)", title(kind.name())).into();
    schema
}

fn tolerant_name(kind: Kind) -> String {
    format!("{kind}.tolerant")
}

/// A strict schema with every list of options and every closed table open, as the tolerant reading takes them.
pub fn tolerant(strict: &Value) -> Value {
    let mut schema = strict.clone();
    transform::open(&mut schema);
    transform::order(&mut schema);
    schema
}

/// The schema of one side of a contract: what a caller may send, or what it may expect.
pub fn contract_schema(contract: Contract, side: Side) -> Value {
    contract::schema(contract, side)
}

/// The strict schema of a kind.
pub fn schema(kind: Kind, draft: Draft) -> Value {
    publish(kind.name(), kind.summary(), draft, |generator| kind.schema(generator))
}

/// The schema that a type derives, as a published document. A description of the type itself comes before
/// `summary`.
pub fn publish(
    name: &str,
    summary: &str,
    draft: Draft,
    derive: impl FnOnce(SchemaGenerator) -> Schema,
) -> Value {
    publish_as(Form::File, name, summary, draft, derive)
}

/// [`publish`] for a document of another form than a file.
pub fn publish_as(
    form: Form,
    name: &str,
    summary: &str,
    draft: Draft,
    derive: impl FnOnce(SchemaGenerator) -> Schema,
) -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = derive(generator).to_value();
    transform::apply(&mut schema, form);
    if draft == Draft::V07 {
        draft_07::convert(&mut schema);
    }
    let mut root = match schema {
        Value::Object(root) => root,
        anything => Map::from_iter([("allOf".to_owned(), json!([anything]))]),
    };
    let version = version(name);
    for (key, value) in [
        ("$schema", draft.meta_schema().to_owned()),
        ("$id", address(name, draft)),
        ("$comment", format!("Version {version}; made from the types of Agentry.")),
        ("title", title(name)),
    ] {
        root.insert(key.to_owned(), value.into());
    }
    root.entry("description").or_insert_with(|| transform::unwrap(summary).into());
    let mut schema = Value::Object(root);
    transform::order(&mut schema);
    schema
}

/// A document as text: two spaces of indentation, and a line break at the end.
pub fn text(document: &Value) -> String {
    format!("{document:#}\n")
}

/// The semantic version of the documents of a name, such as that of a kind.
pub fn version(name: &str) -> &'static str {
    let name = name.trim_end_matches(".tolerant");
    VERSIONS.iter().find(|(document, _)| *document == name).map_or(FIRST_VERSION, |(_, version)| version)
}

/// Where the schema of a name is in a draft, below the folder of the documents.
pub fn path(name: &str, draft: Draft) -> String {
    format!("{}{name}.schema.json", draft.folder())
}

/// The address of the schema of a name in a draft: its `$id`.
pub fn address(name: &str, draft: Draft) -> String {
    let major = version(name).split('.').next().unwrap_or_default();
    format!("{BASE}/v{major}/schemas/{}", path(name, draft))
}

fn title(name: &str) -> String {
    format!("Agentry {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_have_names_that_people_write() {
        for (name, draft) in [
            ("2020-12", Some(Draft::V2020_12)),
            ("draft-2020-12", Some(Draft::V2020_12)),
            ("draft-07", Some(Draft::V07)),
            ("07", Some(Draft::V07)),
            ("7", Some(Draft::V07)),
            ("04", None),
            ("", None),
        ] {
            assert_eq!(Draft::from_name(name), draft, "{name}");
        }
    }

    #[test]
    fn keys_keep_the_order_in_which_they_are_written() {
        assert_eq!(json!({ "b": 1, "a": 2 }).to_string(), r#"{"b":1,"a":2}"#);
    }
}
