//! Calls as documents: `{"name": ..., "arguments": ...}`, as MCP has them.

use super::{Call, Contract};
use agentry_macros::document;
use agentry_text::{Kind, Node, Read, Reader, Value, nearest, quoted, rules};
use serde::ser::{Error as _, Serialize, SerializeStruct, Serializer};

/// A call, before it is known what its arguments must be.
#[document(no_new)]
struct AnyCall {
    /// The tool that is called.
    name: Contract,
    /// What it is called with: any value, which is read by its contract afterwards.
    arguments: Value,
}

impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut call = serializer.serialize_struct("Call", 2)?;
        call.serialize_field("name", self.name())?;
        call.serialize_field("arguments", &self.arguments().map_err(S::Error::custom)?)?;
        call.end()
    }
}

impl Read for Call {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let AnyCall { name, .. } = AnyCall::read(node, reader)?;
        let arguments = node.get("arguments")?;
        reader.in_key(&arguments.key, |reader| name.read_input(&arguments.node, reader))
    }
}

agentry_text::deserialize_by_reading!(Call);

impl Serialize for Contract {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Read for Contract {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let Kind::String(name) = &node.kind else {
            reader.wrong_type(node, "a string");
            return None;
        };
        let contract = Self::from_name(name);
        if contract.is_none() {
            let finding = reader
                .finding(&rules::UNKNOWN_OPTION, node, format!("{} is no tool of agentd", quoted(name)))
                .label("not a known tool");
            let near = nearest(name, Self::ALL.iter().map(|contract| contract.name()));
            reader.push(match near {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding,
            });
        }
        contract
    }
}

agentry_text::deserialize_by_reading!(Contract);

#[cfg(feature = "schema")]
mod schema {
    use super::{Call, Contract};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use std::borrow::Cow;

    impl JsonSchema for Contract {
        fn schema_name() -> Cow<'static, str> {
            "Contract".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            let contracts: Vec<Schema> = Self::ALL
                .iter()
                .map(|contract| json_schema!({ "description": contract.summary(), "const": contract.name() }))
                .collect();
            json_schema!({ "description": "The name of an internal tool of agentd.", "oneOf": contracts })
        }
    }

    impl JsonSchema for Call {
        fn schema_name() -> Cow<'static, str> {
            "Call".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let calls: Vec<Schema> = Contract::ALL
                .iter()
                .map(|contract| {
                    json_schema!({
                        "description": contract.summary(),
                        "type": "object",
                        "properties": {
                            "name": { "description": "The tool that is called.", "const": contract.name() },
                            "arguments": {
                                "description": "What it is called with.",
                                "allOf": [contract.input_subschema(generator)],
                            },
                        },
                        "required": ["name", "arguments"],
                        "additionalProperties": false,
                    })
                })
                .collect();
            json_schema!({ "description": "A call of a tool: which one, and its arguments.", "oneOf": calls })
        }
    }
}
