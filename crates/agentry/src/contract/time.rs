//! Waiting.

use super::values::{CelExpression, ChangeSource, DurationText, Milliseconds};
use agentry_macros::document;
use agentry_text::{Extra, Value};

/// Waits for a span of time. Use it when something needs time and there is nothing to watch; where there is, `await`
/// answers sooner. The wait goes on after a restart.
#[document]
pub struct SleepInput {
    /// How long to wait.
    #[key(example = "5m")]
    pub duration: DurationText,
}

/// How long the wait was.
#[document]
pub struct SleepOutput {
    /// How long it really was, in milliseconds.
    pub slept_ms: Milliseconds,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Waits until a condition holds, or the time is up. Use it to go on as soon as something has happened: a memory
/// key is set, a resource changes, a step ends, a signal arrives.
#[document]
pub struct AwaitInput {
    /// The condition, in the Common Expression Language, over the memory, resources, steps and signals.
    #[key(example = "memory.ready == true")]
    pub condition: CelExpression,
    /// What to watch: the condition is judged again when one of these changes. Without it, the runtime finds out from
    /// the condition.
    pub on: Option<Vec<ChangeSource>>,
    /// How long to wait at most. Without it, the runtime decides.
    #[key(example = "10m")]
    pub timeout: Option<DurationText>,
}

/// Why the wait ended.
#[document]
pub struct AwaitOutput {
    /// Whether the condition holds; false where the time was up.
    pub satisfied: bool,
    /// What the condition came to: any JSON value, since an expression gives any.
    pub value: Option<Value>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
