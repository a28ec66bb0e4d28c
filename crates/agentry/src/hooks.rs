//! The messages between a runtime and the hook scripts of a plugin (LibreFang registry).
//!
//! A script reads one JSON object a line from its standard input and answers each with one on its standard
//! output: `ingest` with `ingest_result`, `after_turn` with `ok`. Unknown keys are kept, so that a newer
//! runtime and an older script understand each other.

use agentry_macros::document;
use agentry_text::{
    Extra, Invalid, Map, Node, Read, Reader, Value, deserialize_by_reading, rules, shown_text_type, text_type,
};
use serde::{Serialize, Serializer};

/// Defines the `type` of a message: the one text that it may be, and no state.
macro_rules! tags {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal;)+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            struct $name;

            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str($text)
                }
            }

            impl Read for $name {
                fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
                    if reader.string(node)? == $text {
                        return Some(Self);
                    }
                    let message = concat!("the `type` of this message is `", $text, "`");
                    let invalid = Invalid::new(&rules::UNKNOWN_OPTION, message)
                        .label("another type of message")
                        .help(concat!("write `", $text, "`"));
                    reader.invalid(node, &invalid);
                    None
                }
            }

            #[cfg(feature = "schema")]
            impl schemars::JsonSchema for $name {
                fn inline_schema() -> bool {
                    true
                }

                fn schema_name() -> std::borrow::Cow<'static, str> {
                    stringify!($name).into()
                }

                fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                    schemars::json_schema!({ "const": $text })
                }
            }
        )+
    };
}

tags! {
    /// `ingest`.
    IngestTag = "ingest";
    /// `ingest_result`.
    IngestResultTag = "ingest_result";
    /// `after_turn`.
    AfterTurnTag = "after_turn";
    /// `ok`.
    OkTag = "ok";
}

/// A user has written: what memories does the script have to offer? Answered with `ingest_result`.
#[document(no_new)]
pub struct Ingest {
    /// Which message this is: always `ingest`.
    #[key(rename = "type")]
    tag: IngestTag,
    /// The agent that the user has written to.
    pub agent_id: AgentId,
    /// What the user has written.
    pub message: MessageText,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Ingest {
    /// What a user has written to an agent.
    #[must_use]
    pub fn new(agent_id: AgentId, message: MessageText) -> Self {
        Self { tag: IngestTag, agent_id, message, extra: Extra::default() }
    }
}

/// The answer to `ingest`: what the agent should remember while it answers the user.
#[document(no_new)]
pub struct IngestResult {
    /// Which message this is: always `ingest_result`.
    #[key(rename = "type")]
    tag: IngestResultTag,
    /// The memories, the most useful ones first; an empty list where there are none.
    pub memories: Vec<Memory>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl IngestResult {
    /// Memories for an agent.
    #[must_use]
    pub fn new(memories: Vec<Memory>) -> Self {
        Self { tag: IngestResultTag, memories, extra: Extra::default() }
    }
}

/// Something to remember.
#[document]
pub struct Memory {
    /// The memory, as text for the model.
    pub content: MessageText,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A turn of a conversation is over. Answered with `ok`.
#[document(no_new)]
pub struct AfterTurn {
    /// Which message this is: always `after_turn`.
    #[key(rename = "type")]
    tag: AfterTurnTag,
    /// The agent whose turn it was.
    pub agent_id: AgentId,
    /// The messages of the conversation, the newest last. The specification does not say what is in one: each is a
    /// table that is handed on as it came. Published scripts look for `role` and `content`, and must expect
    /// that either is missing or that `content` is a list.
    pub messages: Vec<TurnMessage>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A message of a conversation. What is in it is not specified, so every key is kept and none is asked for.
pub type TurnMessage = Map<String, Value>;

impl AfterTurn {
    /// The end of an agent's turn.
    #[must_use]
    pub fn new(agent_id: AgentId, messages: Vec<TurnMessage>) -> Self {
        Self { tag: AfterTurnTag, agent_id, messages, extra: Extra::default() }
    }
}

/// The answer to a message that asks for nothing: the script has received it.
#[document(no_new)]
pub struct Acknowledgement {
    /// Which message this is: always `ok`.
    #[key(rename = "type")]
    tag: OkTag,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Acknowledgement {
    /// The script has received the message.
    #[must_use]
    pub fn new() -> Self {
        Self { tag: OkTag, extra: Extra::default() }
    }
}

impl Default for Acknowledgement {
    fn default() -> Self {
        Self::new()
    }
}

shown_text_type! {
    /// The identifier that a runtime gives to a running agent. LibreFang uses a UUID.
    pub struct AgentId {
        pattern: r"^[^\x00-\x1f\x7f]+$",
        form: "the id of an agent: some text on one line",
        example: "3f9c2a71-5d0e-4c1b-9a7d-2f6b8e4c1a90",
    }
}

text_type! {
    /// Text of a conversation, of any length; it may be empty.
    pub struct MessageText {
        pattern: r"^[\s\S]*$",
        form: "text",
        example: "",
    }
}

/// Defines a union of messages, told apart by their `type`.
macro_rules! message_union {
    (
        $(#[doc = $doc:literal])+
        pub enum $name:ident {
            $($(#[doc = $variant_doc:literal])+ $variant:ident($message:ty) = $text:literal,)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(untagged)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $variant_doc])+ $variant($message),)+
        }

        impl Read for $name {
            fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
                match reader.tag(node, "type", &[$($text),+])? {
                    $($text => <$message>::read(node, reader).map(Self::$variant),)+
                    _ => None,
                }
            }
        }

        deserialize_by_reading!($name);

        $(
            impl From<$message> for $name {
                fn from(message: $message) -> Self {
                    Self::$variant(message)
                }
            }
        )+
    };
}

message_union! {
    /// What a runtime says to a hook script.
    pub enum HookRequest {
        /// A user has written.
        Ingest(Ingest) = "ingest",
        /// A turn is over.
        AfterTurn(AfterTurn) = "after_turn",
    }
}

message_union! {
    /// What a hook script answers.
    pub enum HookResponse {
        /// Memories, in answer to `ingest`.
        IngestResult(IngestResult) = "ingest_result",
        /// Taken note of, in answer to `after_turn`.
        Ok(Acknowledgement) = "ok",
    }
}

/// The schema of one message, as a document of its own.
#[cfg(feature = "schema")]
pub type MessageSchema = fn(schemars::SchemaGenerator) -> schemars::Schema;

/// Every message, by the name of its published document.
#[cfg(feature = "schema")]
pub const MESSAGES: &[(&str, MessageSchema)] = &[
    ("hook-ingest", |generator| generator.into_root_schema_for::<Ingest>()),
    ("hook-ingest-result", |generator| generator.into_root_schema_for::<IngestResult>()),
    ("hook-after-turn", |generator| generator.into_root_schema_for::<AfterTurn>()),
    ("hook-ok", |generator| generator.into_root_schema_for::<Acknowledgement>()),
];

#[cfg(test)]
mod tests {
    use super::*;
    use agentry_text::Text;
    use serde_json::json;

    #[test]
    fn messages_are_read_by_their_type_and_written_back() {
        let request = json!({ "type": "ingest", "agent_id": "3f9c", "message": "", "locale": "de" });
        let read: HookRequest = serde_json::from_value(request.clone()).unwrap();
        let HookRequest::Ingest(ingest) = &read else { panic!("{read:?}") };
        assert_eq!(ingest.agent_id.as_str(), "3f9c");
        assert_eq!(serde_json::to_value(&read).unwrap(), request);

        let request = json!({
            "type": "after_turn",
            "agent_id": "3f9c",
            "messages": [{ "role": "user", "content": [{ "text": "hi" }] }, { "content": null }, {}],
        });
        let read: HookRequest = serde_json::from_value(request.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), request);

        let answer =
            json!({ "type": "ingest_result", "memories": [{ "content": "Likes tea.", "score": 0.5 }] });
        let read: HookResponse = serde_json::from_value(answer.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), answer);

        let made = HookResponse::from(Acknowledgement::new());
        assert_eq!(serde_json::to_string(&made).unwrap(), r#"{"type":"ok"}"#);
        let made = IngestResult::new(vec![Memory::new(MessageText::new("Likes tea.").unwrap())]);
        assert_eq!(
            serde_json::to_string(&made).unwrap(),
            r#"{"type":"ingest_result","memories":[{"content":"Likes tea."}]}"#
        );
    }

    #[test]
    fn other_messages_are_refused_with_a_reason() {
        for (message, reason) in [
            (json!({ "agent_id": "a", "message": "hi" }), "type"),
            (json!({ "type": "ok" }), "`ok` is not one of the options"),
            (json!({ "type": "ingest", "message": "hi" }), "agent_id"),
            (json!({ "type": "ingest", "agent_id": "", "message": "hi" }), "agent"),
            (json!({ "type": "ingest", "agent_id": "a", "message": null }), "expected a string"),
            (json!({ "type": "after_turn", "agent_id": "a", "messages": "hi" }), "expected an array"),
            (json!({ "type": "after_turn", "agent_id": "a", "messages": ["hi"] }), "expected a table"),
        ] {
            let error = serde_json::from_value::<HookRequest>(message.clone()).unwrap_err().to_string();
            assert!(error.contains(reason), "{message}: {error}");
        }
        let error = serde_json::from_value::<Ingest>(json!({ "type": "ok", "agent_id": "a", "message": "" }));
        assert!(error.unwrap_err().to_string().contains("the `type` of this message is `ingest`"));
        let error =
            serde_json::from_value::<HookResponse>(json!({ "type": "ingest_result", "memories": [{}] }));
        assert!(error.unwrap_err().to_string().contains("content"));
    }

    #[test]
    fn a_credential_in_a_conversation_is_not_shown() {
        let secret = "ghp_0123456789abcdefABCDEF0123456789abcd";
        let message = MessageText::new(format!("my token is {secret}")).unwrap();
        assert!(!format!("{message:?}").contains(secret));
        assert!(MessageText::matches(""));
    }

    #[cfg(feature = "schema")]
    #[test]
    fn every_message_has_a_document_that_names_its_type() {
        let mut types = Vec::new();
        for (name, schema) in MESSAGES {
            let schema = schema(schemars::generate::SchemaSettings::draft2020_12().into_generator());
            let tag = schema.pointer("/properties/type/const").and_then(serde_json::Value::as_str).unwrap();
            let required = schema.pointer("/required").unwrap().as_array().unwrap();
            assert!(required.contains(&json!("type")), "{name}");
            assert_eq!(*name, format!("hook-{}", tag.replace('_', "-")));
            types.push(tag.to_owned());
        }
        assert_eq!(types, ["ingest", "ingest_result", "after_turn", "ok"]);
    }
}
