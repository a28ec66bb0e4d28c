//! Documents as text: one tree with byte ranges for every front end, findings that point at the text, and
//! strict reading of that tree into any type, all faults in one pass.
//!
//! This crate knows nothing of agents: what a key means is said by the types that implement [`Read`]. It does
//! no I/O.

mod condition;
#[cfg(any(feature = "json", feature = "toml", feature = "yaml"))]
mod conflict;
#[doc(hidden)]
pub mod define;
mod finding;
pub mod fix;
#[cfg(feature = "front-matter")]
pub mod front_matter;
#[cfg(feature = "json")]
pub mod json;
mod lines;
mod mask;
mod part;
mod pattern;
mod read;
pub mod rules;
mod standard;
mod suggest;
#[cfg(feature = "toml")]
pub mod toml;
mod tree;
mod value;
mod write;
#[cfg(feature = "yaml")]
pub mod yaml;

#[cfg(feature = "schema")]
pub use condition::required;
pub use condition::{Condition, JsonType, When};
pub use define::{ANY_TEXT, Invalid, Text, Unlisted};
pub use finding::{Finding, Label, Rule, Severity};
pub use fix::{Change, Edit, Effect, Fix, Mend, Safety};
pub use lines::{Lines, Position};
pub use mask::{
    MASK, credentials_in, is_invisible, is_no_secret, looks_secret, mask_in_place, mask_secrets,
    may_name_secret, names_secret, quoted,
};
#[doc(hidden)]
pub use pattern::Pattern;
pub use read::{
    Described, Fields, Key, Mode, Others, Read, ReadError, ReadKeys, Reader, Reading, Shape, read_document,
    read_root, read_strict, read_table_as,
};
pub use regex_lite::Regex;
pub use standard::{AtMost, Entries, Extra, Map, Nullable, OrEmpty, Set, Unique, UniqueBy, UnlistedKeys};
pub use suggest::nearest;
pub use tree::{Document, Entry, Format, Kind, MAX_BYTES, MAX_DEPTH, Node, Span, Table};
pub use value::{Datetime, Value};
pub use write::{WriteError, to_value};
