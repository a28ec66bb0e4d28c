//! How an instance stands.

use super::values::{Object, record};
use agentry_macros::document;

/// Says how this instance stands: its runs, subagents and conversations, its budget and its store. Use it to find
/// out what is under way, or what is left to spend. It takes no arguments, and anybody may ask.
#[document]
pub struct StatusInput {}

record! {
    /// How an instance stands. The specification says only that it is an object.
    pub struct StatusOutput {
        /// What the instance says about its budget.
        budget: Object,
        /// What the instance says about its store.
        store: Object,
    }
}
