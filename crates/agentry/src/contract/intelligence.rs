//! Thinking with a model.

use super::values::{FreeText, ReadReference, SkillName};
use crate::JsonSchema;
use agentry_macros::document;
use agentry_text::{Node, Read, Reader, Value};
use serde::Serialize;

/// Thinks once about a prompt, without tools, and gives back what came of it. Use it to judge, classify, extract or
/// rewrite something in one go, with a schema where the answer must have a shape.
#[document]
pub struct ThinkInput {
    /// What to think about, complete in itself: this conversation is not part of it.
    #[key(example = "Which of these tickets are duplicates?")]
    pub prompt: FreeText,
    /// What the answer must look like, as a JSON Schema. Any object is accepted here; one that is no
    /// valid schema draws a warning from the checker.
    pub output_schema: Option<JsonSchema>,
    /// What is read and put before the prompt.
    pub reads: Option<Vec<ReadReference>>,
    /// Skills whose instructions are put before the prompt.
    pub skills: Option<Vec<SkillName>>,
}

/// What the thinking came to: any JSON value. With a schema it is of that shape, else it is what the model said.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ThinkOutput(pub Value);

impl Read for ThinkOutput {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        Value::read(node, reader).map(Self)
    }
}

agentry_text::deserialize_by_reading!(ThinkOutput);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ThinkOutput {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ThinkOutput".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "What the thinking came to: any JSON value. With a schema it is of that shape, else it is what the model said.",
        })
    }
}
