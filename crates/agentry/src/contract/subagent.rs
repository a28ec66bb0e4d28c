//! Agents that work for another agent.

use super::values::{
    Amount, ByteSizeText, DurationText, FreeText, MessageRole, ModeText, ServerReference, SkillName,
    StatusText, SubagentHandle, SubagentMode, ToolReference, WorkflowName, record,
};
use crate::JsonSchema;
use agentry_macros::document;
use agentry_text::{Extra, Value, options};

/// Starts a subagent with an instruction of its own. Use it to hand over work that can be described on its own, to
/// work on several things at once, or to keep a long piece of work out of your context. The subagent knows only what
/// you tell it, and has at most the tools that you have.
#[document]
pub struct SubagentRunInput {
    /// What the subagent is to do, complete in itself: it does not see your conversation.
    #[key(example = "Summarise the open tickets")]
    pub instruction: FreeText,
    /// Whether you wait for it, and whether it stays.
    #[key(default = SubagentMode::Sync)]
    pub mode: Option<SubagentMode>,
    /// A workflow to run in place of a free conversation loop.
    pub workflow: Option<WorkflowName>,
    /// The tools it may use, of those that you have. Without the list, the runtime decides.
    pub tools: Option<Vec<ToolReference>>,
    /// The MCP servers it may use, of those that you have. Without the list, the runtime decides.
    pub servers: Option<Vec<ServerReference>>,
    /// When it is stopped at the latest. Each limit that is absent is the runtime's own.
    pub limits: Option<SubagentLimits>,
    /// Who goes first when there is not enough for all.
    #[key(default = SubagentPriority::Normal)]
    pub priority: Option<SubagentPriority>,
    /// Messages that its conversation begins with, oldest first.
    pub context: Option<Vec<ContextMessage>>,
    /// What the result must look like, in words.
    pub output_contract: Option<FreeText>,
    /// What the result must look like, as a JSON Schema. Any object is accepted here; one that is no
    /// valid schema draws a warning from the checker.
    pub output_schema: Option<JsonSchema>,
    /// Skills that it has loaded from the start.
    pub skills: Option<Vec<SkillName>>,
}

/// When a subagent is stopped at the latest.
#[document]
pub struct SubagentLimits {
    /// How many turns it may take.
    #[key(example = 40)]
    pub steps: Option<Amount>,
    /// How many tokens it may use, those that go in and those that come out together.
    #[key(example = 200_000)]
    pub tokens: Option<Amount>,
    /// How long it may take, by the clock on the wall.
    #[key(example = "10m")]
    pub deadline: Option<DurationText>,
    /// How much memory its process may use; the operating system holds it to that.
    #[key(example = "512MB")]
    pub memory: Option<ByteSizeText>,
    /// How much processor time its process may use; the operating system holds it to that.
    #[key(example = "5m")]
    pub cpu: Option<DurationText>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

options! {
    /// Who goes first when there is not enough for all.
    pub enum SubagentPriority {
        /// It is put off first when things get tight, and runs behind others.
        Low = "low" from "specification",
        /// It takes its turn.
        Normal = "normal" from "specification",
        /// It is scheduled first, and asks the operating system for more where that is possible.
        High = "high" from "specification",
    }
}

/// A message that a subagent's conversation begins with.
#[document]
pub struct ContextMessage {
    /// Who wrote it.
    #[key(example = "user")]
    pub role: MessageRole,
    /// What it says.
    pub content: FreeText,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The subagent that was started, and its result where it was waited for.
#[document]
pub struct SubagentRunOutput {
    /// By what the subagent is named in later calls.
    pub handle: SubagentHandle,
    /// How it stands now.
    pub status: StatusText,
    /// What it came to: any JSON value, since its instruction says what it gives back. Absent until it has finished.
    pub result: Option<Value>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Sends a message to a subagent that was started in mode `warm`. Use it to steer it, or to give it more work. It
/// does not wait for an answer: ask with `subagent.status`.
#[document]
pub struct SubagentSendInput {
    /// The subagent.
    pub handle: SubagentHandle,
    /// What to tell it.
    pub message: FreeText,
}

/// Whether the message arrived.
#[document]
pub struct SubagentSendOutput {
    /// Whether the subagent has it.
    pub ok: bool,
    /// The subagent.
    pub handle: Option<SubagentHandle>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Stops a subagent at once. Use it when its work is no longer needed or has gone wrong; what it has not reported by
/// then is lost.
#[document]
pub struct SubagentKillInput {
    /// The subagent.
    pub handle: SubagentHandle,
    /// Why, for the record.
    pub reason: Option<FreeText>,
}

/// Whether the subagent was stopped.
#[document]
pub struct SubagentKillOutput {
    /// Whether it was there and is stopped now.
    pub ok: bool,
    /// The subagent.
    pub handle: Option<SubagentHandle>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Says how a subagent stands, without waiting. Use it to look in on one that runs beside you, and to fetch the
/// result of one that has finished.
#[document]
pub struct SubagentStatusInput {
    /// The subagent.
    pub handle: SubagentHandle,
}

/// How a subagent stands.
#[document]
pub struct SubagentStatusOutput {
    /// The subagent.
    pub handle: SubagentHandle,
    /// How it stands now.
    pub status: StatusText,
    /// How it was started.
    pub mode: Option<ModeText>,
    /// What it came to: any JSON value, since its instruction says what it gives back. Absent until it has finished.
    pub result: Option<Value>,
    /// Why it failed; absent where it did not.
    pub error: Option<FreeText>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Waits for a subagent that runs beside you, and gives its result. Use it when you cannot go on without that; when
/// the time is up it answers with how the subagent stands, and the subagent goes on.
#[document]
pub struct SubagentAwaitInput {
    /// The subagent.
    pub handle: SubagentHandle,
    /// How long to wait at most. Without it, the runtime decides.
    #[key(example = "30s")]
    pub timeout: Option<DurationText>,
}

/// How a subagent stands after the wait.
#[document]
pub struct SubagentAwaitOutput {
    /// The subagent.
    pub handle: SubagentHandle,
    /// How it stands now.
    pub status: StatusText,
    /// What it came to: any JSON value, since its instruction says what it gives back. Absent until it has finished.
    pub result: Option<Value>,
    /// Why it failed; absent where it did not.
    pub error: Option<FreeText>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Lists the subagents of this instance. Use it to find a handle again, or to see what still runs before you finish.
/// It takes no arguments.
#[document]
pub struct SubagentListInput {}

/// The subagents of an instance.
#[document]
pub struct SubagentListOutput {
    /// One entry for each subagent.
    pub subagents: Vec<SubagentRecord>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

record! {
    /// A subagent in a listing. The specification says only that it is an object.
    pub struct SubagentRecord {
        /// By what the subagent is named in calls.
        handle: SubagentHandle,
        /// How it stands.
        status: StatusText,
        /// How it was started.
        mode: ModeText,
    }
}
