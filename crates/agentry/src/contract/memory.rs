//! What an agent keeps between conversations.

use super::values::{DurationText, MemoryKey, Object, PositiveLimit, Prefix, record};
use agentry_macros::document;
use agentry_text::{Extra, Value};

/// Reads one value from your durable memory. Use it to recall what an earlier conversation or another part of this
/// instance kept. A key that is not there is an answer, not a failure.
#[document]
pub struct MemoryGetInput {
    /// The key that the value was kept under.
    #[key(example = "user/locale")]
    pub key: MemoryKey,
}

/// What the memory holds under a key.
#[document]
pub struct MemoryGetOutput {
    /// Whether there is a value.
    pub found: bool,
    /// The key that was asked for.
    pub key: Option<MemoryKey>,
    /// The value: any JSON value, as it was kept. Absent where there is none; null is a value.
    pub value: Option<Value>,
    /// What the store knows about the value, such as when it was written.
    pub meta: Option<Object>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Writes one value to your durable memory, in place of what was there. Use it for what later conversations need:
/// decisions, preferences, where you left off. It survives restarts, and with a time to live it goes away by itself.
#[document]
pub struct MemorySetInput {
    /// The key to keep it under.
    #[key(example = "user/locale")]
    pub key: MemoryKey,
    /// What to keep: any JSON value, null included, since the memory does not look into it.
    pub value: Value,
    /// How long to keep it. Without it, the value stays until it is deleted.
    #[key(example = "24h")]
    pub ttl: Option<DurationText>,
}

/// Whether the value was kept.
#[document]
pub struct MemorySetOutput {
    /// Whether it is in the memory now.
    pub ok: bool,
    /// The key that it is kept under.
    pub key: Option<MemoryKey>,
    /// What the store knows about the value, such as when it goes away.
    pub meta: Option<Object>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Lists the keys of your durable memory. Use it to find out what is kept, before you read or delete it.
#[document]
pub struct MemoryListInput {
    /// Only keys that begin with this.
    #[key(example = "user/")]
    pub prefix: Option<Prefix>,
    /// How many keys to list at most.
    #[key(example = 100)]
    pub limit: Option<PositiveLimit>,
}

/// Keys of the memory.
#[document]
pub struct MemoryListOutput {
    /// One entry for each key.
    pub keys: Vec<MemoryRecord>,
    /// Whether there are more keys than are listed.
    pub truncated: Option<bool>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

record! {
    /// A key of the memory in a listing. The specification says only that it is an object.
    pub struct MemoryRecord {
        /// The key.
        key: MemoryKey,
        /// What the store knows about its value.
        meta: Object,
    }
}

/// Deletes one key of your durable memory, with its value. Use it for what is no longer true or must not be kept; it
/// cannot be undone.
#[document]
pub struct MemoryDeleteInput {
    /// The key to delete.
    #[key(example = "user/locale")]
    pub key: MemoryKey,
}

/// Whether the key is gone.
#[document]
pub struct MemoryDeleteOutput {
    /// Whether the key was deleted.
    pub ok: bool,
    /// The key.
    pub key: Option<MemoryKey>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
