//! What a conversation holds.

use super::values::{Amount, VersionNumber};
use agentry_macros::document;
use agentry_text::Extra;

/// Makes this conversation shorter: older messages become a summary, recent ones stay word for word. Use it between
/// two pieces of work, before the context gets too full; note first what must not be lost.
#[document]
pub struct ContextCompactInput {
    /// How many tokens the conversation should have afterwards.
    #[key(example = 20_000)]
    pub target_tokens: Option<Amount>,
    /// How many of the last messages stay word for word.
    #[key(example = 10)]
    pub keep_last: Option<Amount>,
}

/// The conversation after it was made shorter.
#[document]
pub struct ContextCompactOutput {
    /// The version of the conversation, which grows with every compaction.
    pub version: VersionNumber,
    /// About how many tokens it has now.
    pub est_tokens: Option<Amount>,
    /// How many messages went into the summary.
    pub folded: Option<Amount>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
