//! Texts of the front matter that are written in more ways than one.

use crate::rules;
use agentry_text::{Invalid, Kind, Node, Read, Reader, Value, deserialize_by_reading, shown_text_type};
use serde::{Serialize, Serializer};

/// Text. Anything else that stands in its place, such as the number `1.0`, is read with a warning and kept as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct LooseText(Value);

impl LooseText {
    /// The text, where it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// What stands there, text or not.
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

impl From<String> for LooseText {
    fn from(text: String) -> Self {
        Self(Value::String(text))
    }
}

impl From<&str> for LooseText {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl Read for LooseText {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        if node.as_str().is_none() {
            let message = format!("text is meant here, and this is {}", node.kind_name());
            reader.not_text(node, &rules::NON_TEXT_VALUE, message);
        }
        Some(Self(Value::from(node)))
    }
}

deserialize_by_reading!(LooseText);

/// Some labels: a list, or one text with commas between them.
#[derive(Clone, Debug, PartialEq)]
pub enum Labels {
    /// A list.
    List(Vec<LooseText>),
    /// One text.
    Text(LooseText),
}

impl Labels {
    /// Each label that is text, without the blanks around it.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::List(labels) => labels.iter().filter_map(LooseText::as_str).map(str::trim).collect(),
            Self::Text(text) => {
                let labels = text.as_str().unwrap_or_default().split(',').map(str::trim);
                labels.filter(|label| !label.is_empty()).collect()
            }
        }
    }
}

impl Serialize for Labels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::List(labels) => labels.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
        }
    }
}

impl Read for Labels {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        match &node.kind {
            Kind::Array(_) => Vec::read(node, reader).map(Self::List),
            _ => LooseText::read(node, reader).map(Self::Text),
        }
    }
}

deserialize_by_reading!(Labels);

shown_text_type! {
    /// Some tools, with spaces between them. A pattern in parentheses says what a tool may be used for, and may hold
    /// spaces: `Read Bash(git add *)`. Commas between the tools are read too.
    pub struct ToolList {
        pattern: r"^[\s\S]+$",
        form: "the tools that a skill may use: at least one character",
        example: "Read Bash(git:*)",
        remark: |text| open_parenthesis(text),
    }
}

fn open_parenthesis(text: &str) -> Option<Invalid> {
    let open = split(text).into_iter().find(|tool| tool.matches('(').count() != tool.matches(')').count())?;
    Some(
        Invalid::new(
            &rules::UNREADABLE_VALUE,
            format!(
                "in {} a parenthesis has no partner: where the tool ends is a guess",
                agentry_text::quoted(open)
            ),
        )
        .label("a parenthesis without its partner")
        .help("write what a tool may be used for between `(` and `)`, such as `Bash(git:*)`"),
    )
}

/// The tools in a text: what stands between blanks and commas outside of parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let tools = text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    });
    tools.filter(|tool| !tool.is_empty()).collect()
}

/// The tools that a skill may use without anybody being asked. The open specification has one text with spaces
/// between the tools; a list, and commas in the text, are read as the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowedTools {
    /// One text.
    Text(ToolList),
    /// A list of tools.
    List(Vec<ToolList>),
}

impl AllowedTools {
    /// Every tool, however the key is written.
    pub fn tools(&self) -> Vec<AllowedTool<'_>> {
        let texts = match self {
            Self::Text(text) => std::slice::from_ref(text),
            Self::List(texts) => texts,
        };
        texts.iter().flat_map(|text| split(text.as_str())).map(AllowedTool).collect()
    }

    /// Whether the key is written as the open specification has it: one text, with nothing but blanks between the
    /// tools.
    pub fn is_portable(&self) -> bool {
        match self {
            Self::Text(text) => {
                let plain = text.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
                plain == self.to_portable()
            }
            Self::List(_) => false,
        }
    }

    /// The tools as the open specification writes them.
    pub fn to_portable(&self) -> String {
        let tools: Vec<String> = self
            .tools()
            .iter()
            .map(|tool| tool.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        tools.join(" ")
    }
}

impl Serialize for AllowedTools {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(serializer),
            Self::List(texts) => texts.serialize(serializer),
        }
    }
}

impl Read for AllowedTools {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        match &node.kind {
            Kind::Array(_) => Vec::read(node, reader).map(Self::List),
            Kind::String(_) => ToolList::read(node, reader).map(Self::Text),
            _ => {
                reader.wrong_type(node, "a string");
                None
            }
        }
    }
}

deserialize_by_reading!(AllowedTools);

/// A tool that a skill may use without anybody being asked, with what it may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AllowedTool<'t>(&'t str);

impl<'t> AllowedTool<'t> {
    /// The tool as it is written, such as `Bash(git:*)`.
    pub fn as_str(self) -> &'t str {
        self.0
    }

    /// The name of the tool: `Bash` of `Bash(git:*)`.
    pub fn name(self) -> &'t str {
        self.0.split_once('(').map_or(self.0, |(name, _)| name)
    }

    /// What the tool may be used for: `git:*` of `Bash(git:*)`. None where it may be used for anything.
    pub fn pattern(self) -> Option<&'t str> {
        let (_, pattern) = self.0.split_once('(')?;
        Some(pattern.strip_suffix(')').unwrap_or(pattern))
    }
}

impl std::fmt::Display for AllowedTool<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use super::{AllowedTools, Labels, LooseText, ToolList};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use std::borrow::Cow;

    impl JsonSchema for LooseText {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "LooseText".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            // What is no text draws a warning, and no document is wrong for it.
            true.into()
        }
    }

    impl JsonSchema for Labels {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "Labels".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            true.into()
        }
    }

    impl JsonSchema for AllowedTools {
        fn schema_name() -> Cow<'static, str> {
            "AllowedTools".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let text = generator.subschema_for::<ToolList>();
            json_schema!({
                "description": "The tools that a skill may use without anybody being asked: one text with spaces between the tools. A list is read too.",
                "anyOf": [text, { "type": "array", "items": text }],
            })
        }
    }
}
