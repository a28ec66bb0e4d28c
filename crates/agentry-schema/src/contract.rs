//! The documents of the contracts: the schema of each side, and the catalogue that says which contracts there are.

use crate::{Document, Draft, Form, publish_as, text, version};
use agentry::contract::{Contract, Family, Implementation, Principal, Side, Tag};
use serde_json::{Map, Value, json};

/// The name of the catalogue and of its schema.
const CATALOGUE: &str = "contract/catalog";

fn name(contract: Contract, side: Side) -> String {
    format!("contract/{contract}.{side}")
}

/// Where the schema of one side is, below the folder of the documents.
pub(crate) fn path(contract: Contract, side: Side) -> String {
    crate::path(&name(contract, side), Draft::V2020_12)
}

/// The schema of one side. It has no `$schema` key for the document: that is no argument.
pub(crate) fn schema(contract: Contract, side: Side) -> Value {
    let name = name(contract, side);
    publish_as(Form::Call, &name, contract.summary(), Draft::V2020_12, |generator| {
        contract.schema(side, generator)
    })
}

/// Every document of the contracts.
pub(crate) fn documents() -> Vec<Document> {
    let mut documents = vec![
        Document { path: format!("{CATALOGUE}.json"), text: text(&catalogue()) },
        Document { path: crate::path(CATALOGUE, Draft::V2020_12), text: text(&catalogue_schema()) },
    ];
    for &contract in Contract::ALL {
        for &side in Side::ALL {
            documents.push(Document { path: path(contract, side), text: text(&schema(contract, side)) });
        }
    }
    documents
}

/// A key of an entry of the catalogue: its name, its schema, and its value for a contract.
struct Key {
    name: &'static str,
    schema: fn() -> Value,
    value: fn(Contract) -> Value,
}

/// An entry of the catalogue. Values and their schema stand together, so that they cannot disagree.
const ENTRY: &[Key] = &[
    Key {
        name: "name",
        schema: || one_of("The name that the tool is called by.", &names(Contract::ALL, Contract::name)),
        value: |contract| contract.name().into(),
    },
    Key {
        name: "family",
        schema: || one_of("The group of tools that it belongs to.", &names(Family::ALL, Family::name)),
        value: |contract| contract.family().name().into(),
    },
    Key {
        name: "description",
        schema: || {
            json!({
                "description": "What the tool does and when to use it, written for the model that is offered it.",
                "type": "string",
                "minLength": 1,
            })
        },
        value: |contract| contract.description().into(),
    },
    Key {
        name: "builtin",
        schema: || {
            json!({
                "description": "Whether the runtime implements the tool itself. Else it is offered only where it is mapped to \
                                a server, or where a local runner is enabled.",
                "type": "boolean",
            })
        },
        value: |contract| contract.is_builtin().into(),
    },
    Key {
        name: "implementation",
        schema: || {
            one_of(
                "Who implements the tool where nothing is mapped: the runtime, nobody, nobody since it is a profile that \
                 a server of its sort fills, or a local runner that the operator enables.",
                &names(Implementation::ALL, Implementation::name),
            )
        },
        value: |contract| contract.implementation().name().into(),
    },
    Key {
        name: "grants",
        schema: || {
            set_of(
                "Who may call the tool, unless the operator says otherwise.",
                Principal::ALL,
                Principal::name,
            )
        },
        value: |contract| names(contract.grants(), Principal::name),
    },
    Key {
        name: "tags",
        schema: || {
            set_of(
                "What the tool must be handled with care for. Tags are added where it is offered.",
                Tag::ALL,
                Tag::name,
            )
        },
        value: |contract| names(contract.tags(), Tag::name),
    },
    Key {
        name: "input",
        schema: || address("The address of the schema of what a caller sends: the arguments."),
        value: |contract| schema(contract, Side::Input)["$id"].clone(),
    },
    Key {
        name: "output",
        schema: || address("The address of the schema of what the tool answers."),
        value: |contract| schema(contract, Side::Output)["$id"].clone(),
    },
];

fn names<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> Value {
    all.iter().map(|one| name(*one)).collect()
}

fn one_of(description: &str, options: &Value) -> Value {
    json!({ "description": description, "type": "string", "enum": options })
}

fn set_of<T: Copy>(description: &str, all: &[T], name: fn(T) -> &'static str) -> Value {
    json!({
        "description": description,
        "type": "array",
        "items": { "type": "string", "enum": names(all, name) },
        "uniqueItems": true,
    })
}

fn address(description: &str) -> Value {
    json!({ "description": description, "type": "string", "format": "uri" })
}

/// Every contract, in the order of the specification.
fn catalogue() -> Value {
    let entry = |contract: &Contract| -> Map<String, Value> {
        ENTRY.iter().map(|key| (key.name.to_owned(), (key.value)(*contract))).collect()
    };
    json!({
        "$schema": crate::address(CATALOGUE, Draft::V2020_12),
        "version": version(CATALOGUE),
        "contracts": Contract::ALL.iter().map(entry).collect::<Vec<_>>(),
    })
}

/// The schema of the catalogue.
fn catalogue_schema() -> Value {
    let properties: Map<String, Value> =
        ENTRY.iter().map(|key| (key.name.to_owned(), (key.schema)())).collect();
    let required: Vec<&str> = ENTRY.iter().map(|key| key.name).collect();
    let mut schema = json!({
        "type": "object",
        "properties": {
            "version": {
                "description": "The version of the catalogue, as three numbers.",
                "type": "string",
                "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$",
            },
            "contracts": {
                "description": "Every contract, in the order of the specification.",
                "type": "array",
                "items": {
                    "description": "A contract: what a caller may rely on, whoever implements the tool.",
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                },
            },
        },
        "required": ["version", "contracts"],
        "additionalProperties": false,
    });
    let summary = "The internal tools of agentd, in order: what each does, who may call it, who implements it, and \
                   where its two schemas are.";
    publish_as(Form::File, CATALOGUE, summary, Draft::V2020_12, move |_| {
        schemars::Schema::try_from(schema.take()).expect("an object")
    })
}
