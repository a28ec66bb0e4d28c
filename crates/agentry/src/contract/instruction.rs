//! The brief that an agent works under.

use super::values::{FreeText, ResourceUri, VersionTag};
use agentry_macros::document;
use agentry_text::{Extra, options};

/// Reads the instruction that you work under. Use it when the instruction is no longer in your context, or to see
/// whether it has changed since you read it. It takes no arguments.
#[document]
pub struct InstructionReadInput {}

/// The instruction, and where it comes from.
#[document]
pub struct InstructionReadOutput {
    /// The instruction itself.
    pub text: FreeText,
    /// Whether it was given once and for all, or is a resource that may change.
    pub source: InstructionSource,
    /// The resource that it is read from; absent where it is not a resource.
    pub uri: Option<ResourceUri>,
    /// Which version of it this is.
    pub version: Option<VersionTag>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

options! {
    /// Where an instruction comes from.
    pub enum InstructionSource {
        /// It was given when the agent was started, and stays as it is.
        Static = "static" from "specification",
        /// It is read from a resource, and follows it.
        Resource = "resource" from "specification",
    }
}

/// Subscribes to the resource that holds your instruction, or switches to another one. Use it when a subscription
/// was lost, or when you are to follow a new brief: each update is read again and wakes you.
#[document]
pub struct InstructionSubscribeInput {
    /// The resource to follow from now on. Without it, the current one is subscribed to again.
    #[key(example = "file:///etc/agent/brief.md")]
    pub uri: Option<ResourceUri>,
}

/// Whether the subscription stands.
#[document]
pub struct InstructionSubscribeOutput {
    /// Whether updates will arrive.
    pub subscribed: bool,
    /// The resource that is followed.
    pub uri: Option<ResourceUri>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
