//! The end of a piece of work.

use super::values::{FinishStatus, FreeText};
use agentry_macros::document;
use agentry_text::{Extra, Value};

/// Ends the current piece of work. Use it once, when everything is done or nothing more can be done, and say how it
/// ended; nothing happens after it. A workflow has a step of this name in its place.
#[document]
pub struct FinishInput {
    /// How the work ended.
    #[key(example = "completed")]
    pub status: FinishStatus,
    /// What the work came to: any JSON value, of the shape that was asked for, if one was.
    pub output: Option<Value>,
    /// Why it ended like that. Give it with every status but `completed`.
    pub reason: Option<FreeText>,
    /// Whether the whole daemon exits too. Only the root agent may say so.
    pub exit: Option<bool>,
}

/// Whether the work was ended.
#[document]
pub struct FinishOutput {
    /// Whether it is ended now.
    pub ok: bool,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
