//! Tools that a package declares.

use super::name;
use crate::contract::values::FreeText;
use crate::json_schema::JsonSchema;
use agentry_macros::document;
use agentry_text::{ANY_TEXT, Extra, Nullable, Value, options, shown_text_type, tagged};

tagged! {
    /// A tool that a package declares. What runs it is bound by the host or the client.
    pub enum PackageTool by "type" {
        /// A tool that the client runs: the session waits until the client hands in the result.
        ClientSide(ClientSideTool) = "client_side",
    }
}

impl PackageTool {
    /// The name by which the model calls it.
    pub const fn name(&self) -> &PackageToolName {
        match self {
            Self::ClientSide(tool) => &tool.name,
        }
    }
}

/// A tool that the client runs.
#[document]
pub struct ClientSideTool {
    /// The name by which the model calls the tool, and by which the client knows what to run. No two tools of a package
    /// should share one.
    #[key(example = "lookup_ticket")]
    pub name: PackageToolName,
    /// What the tool does. By this text a model decides whether to call it.
    #[key(example = "Looks up a ticket by its number.")]
    pub description: FreeText,
    /// What the tool takes, as a JSON Schema of an object.
    pub parameters: JsonSchema,
    /// The group that the tool is found under where a model searches for tools.
    #[key(example = "crm")]
    pub category: Option<Nullable<ToolCategory>>,
    /// Whether `parameters` may be held back until the model asks for them. It then sees name and description alone.
    pub deferrable: Option<DeferrablePolicy>,
    /// The name that people see.
    pub display_name: Option<Nullable<FreeText>>,
    /// The whole of `parameters`, which a runtime keeps here while it holds them back. A runtime writes it, an author
    /// has no use for it: it draws a hint.
    pub full_parameters: Option<Nullable<JsonSchema>>,
    /// What the tool does to the world, and how it is run. They inform, and enforce nothing.
    pub hints: Option<ToolHints>,
}

impl ClientSideTool {
    /// How often a call may be run for certain, as written. Not said, a call is run at most once.
    pub fn side_effect_class(&self) -> SideEffectClass {
        self.hints.as_ref().map_or(SideEffectClass::AtMostOnce, ToolHints::effective_side_effect_class)
    }
}

shown_text_type! {
    /// The name by which a model calls a tool.
    pub struct PackageToolName {
        pattern: ANY_TEXT,
        form: "the name of a tool: any text",
        example: "lookup_ticket",
        remark: |text| name::empty(text, "a tool"),
    }
}

shown_text_type! {
    /// A group of tools.
    pub struct ToolCategory {
        pattern: ANY_TEXT,
        form: "a group of tools: any text",
        example: "crm",
    }
}

options! {
    /// Whether what a tool takes may be held back until the model asks for it.
    pub enum DeferrablePolicy {
        /// Never: the model sees everything at once.
        Never = "never" from "specification",
        /// Where the runtime finds it useful.
        Automatic = "automatic" from "specification",
        /// Always.
        Always = "always" from "specification",
    }
}

/// What a tool does to the world, and how it is run. An absent or null hint is not known, which is not the same as
/// false: a careful runtime then takes the worse of the two. Keys that are not listed are kept, with a warning.
#[document]
pub struct ToolHints {
    /// Whether the tool changes nothing, so that it may be called without need and its result kept.
    pub readonly: Option<Nullable<bool>>,
    /// Whether the tool may destroy something for good. A tool that does is not read-only.
    pub destructive: Option<Nullable<bool>>,
    /// Whether a second call with the same arguments changes nothing more, so that a failed one may be repeated.
    pub idempotent: Option<Nullable<bool>>,
    /// Whether the tool reaches something outside the system, such as a network or a service of somebody else.
    pub open_world: Option<Nullable<bool>>,
    /// How often a call may be run for certain when it is not known whether it ran. Absent or null means at most once.
    pub side_effect_class: Option<Nullable<SideEffectClass>>,
    /// Calls that share this word run one after the other; all others run at the same time. For tools that change
    /// something: a read-only tool needs none.
    #[key(example = "session-files")]
    pub concurrency_class: Option<Nullable<ConcurrencyClass>>,
    /// Whether a call usually takes longer than about five seconds.
    pub long_running: Option<Nullable<bool>>,
    /// Whether a call keeps a processor busy for long, so that it needs a thread of its own.
    pub cpu_bound: Option<Nullable<bool>>,
    /// Whether a call may go on in the background while the conversation continues.
    pub supports_background: Option<Nullable<bool>>,
    /// Whether the output is kept in the files of the session before it is cut short for the model.
    pub persist_output: Option<Nullable<bool>>,
    /// Whether the tool needs a credential to work.
    pub requires_secrets: Option<Nullable<bool>>,
    /// What the tool works on, as one noun: a runtime says with it what is going on.
    #[key(example = "ticket")]
    pub narration_noun: Option<Nullable<FreeText>>,
    /// The id of the capability that the tool comes from. For reports alone.
    #[key(example = "crm")]
    pub capability_id: Option<Nullable<CapabilityId>>,
    /// The name of the capability that the tool comes from, for people. For reports alone.
    pub capability_name: Option<Nullable<FreeText>>,
    /// Notes of a host about the tool. They belong to whoever writes them; never a credential, since clients see them.
    pub metadata: Option<Nullable<Value>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl ToolHints {
    /// How often a call may be run for certain, as written. Not said, a call is run at most once.
    pub fn effective_side_effect_class(&self) -> SideEffectClass {
        self.side_effect_class().cloned().unwrap_or(SideEffectClass::AtMostOnce)
    }
}

options! {
    /// How often a call of a tool may be run when it is not known whether it ran.
    pub enum SideEffectClass {
        /// As often as one likes: it has no effect.
        Pure = "Pure" from "specification",
        /// As often as one likes: the second time changes nothing more.
        Idempotent = "Idempotent" from "specification",
        /// Once and never again: the model is told that nobody knows what came of it.
        AtMostOnce = "AtMostOnce" from "specification",
    }
}

shown_text_type! {
    /// A word that calls share which must not run at the same time. Empty is as good as absent.
    pub struct ConcurrencyClass {
        pattern: ANY_TEXT,
        form: "a class of calls: any text",
        example: "session-files",
    }
}

shown_text_type! {
    /// The id of a capability, as reports name it.
    pub struct CapabilityId {
        pattern: ANY_TEXT,
        form: "the id of a capability: any text",
        example: "crm",
    }
}
