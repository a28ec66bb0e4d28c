//! What an MCP server says of itself, as far as the contracts need it: the definition of a tool.
//!
//! ```
//! # #[cfg(feature = "json")] {
//! let text = r#"{ "name": "get", "inputSchema": { "type": "object" } }"#;
//! let tool: agentry::ToolDefinition = agentry::json::from_str(text)?;
//! assert!(tool.output_schema.is_none());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::JsonSchema;
use crate::contract::values::FreeText;
use agentry_macros::document;
use agentry_text::{Extra, shown_text_type};

shown_text_type! {
    /// The name by which a tool of an MCP server is called. MCP recommends up to 128 letters, digits, `_`, `-` and `.`,
    /// and takes any text.
    pub struct ToolName {
        pattern: r"^[\s\S]+$",
        form: "the name of a tool: at least one character",
        example: "get_weather",
    }
}

/// A tool as an MCP server lists it. What concerns only how it is shown, its icons and annotations, is kept as it is.
#[document]
pub struct ToolDefinition {
    /// The name that the tool is called by.
    #[key(example = "get_weather")]
    pub name: ToolName,
    /// What people see in place of the name.
    pub title: Option<FreeText>,
    /// What the tool does, for the model that may call it.
    pub description: Option<FreeText>,
    /// What the tool takes, as a JSON Schema. It is one of Draft 2020-12, unless it names another.
    #[key(rename = "inputSchema")]
    pub input_schema: JsonSchema,
    /// What the tool answers as structured content. A server may leave it out, and then promises nothing.
    #[key(rename = "outputSchema")]
    pub output_schema: Option<JsonSchema>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
