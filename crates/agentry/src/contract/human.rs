//! Questions to people.

use super::values::{DurationText, FreeText, Recipient};
use crate::JsonSchema;
use agentry_macros::document;
use agentry_text::{Extra, Value};

/// Asks a person a question and waits for the answer. Use it when a decision is not yours, or when only a person can
/// know; ask one question at a time, complete in itself.
#[document]
pub struct AskHumanInput {
    /// The question.
    #[key(example = "Which of the two regions should I deploy to?")]
    pub question: FreeText,
    /// What the answer must look like, as a JSON Schema. Any object is accepted here; one that is no
    /// valid schema draws a warning from the checker.
    pub schema: Option<JsonSchema>,
    /// Whom to ask. Without it, whoever this conversation is with.
    pub to: Option<Recipient>,
    /// How long to wait at most. Without it, the runtime decides.
    #[key(example = "24h")]
    pub timeout: Option<DurationText>,
}

/// What the person answered.
#[document]
pub struct AskHumanOutput {
    /// The answer: any JSON value, text where no shape was asked for. Absent where nobody answered.
    pub reply: Option<Value>,
    /// Whether the time was up before an answer came.
    pub timed_out: Option<bool>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
