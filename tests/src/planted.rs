//! Generated registries: valid ones of every kind, from a seed, in which defects can be planted.
//!
//! A document is a tree of values, and its text is made of the tree in a style that the seed decides: the order of the
//! keys, the way of quoting, tables in a line or under a header, comments, line ends. Whoever makes the text knows the
//! line of every value, so that a test can say where a finding belongs.

pub mod defects;
mod documents;
pub mod emit;
pub mod meaning;
pub mod plant;
mod random;
pub mod registry;
mod words;

pub use emit::{Style, Text};
pub use random::Random;
pub use registry::{Manifest, Registry};
