//! What Python source defines under a name, found without running it.
//!
//! A scanner takes the source apart as CPython does: strings of every prefix, f-strings with whatever they nest,
//! comments, line continuation, brackets and indentation. A second part follows the statements of the module level.
//! Neither looks into expressions, so a fault of syntax may go unseen; one that is reported is one for every version of
//! Python 3.

mod definition;
mod scan;

pub(super) use definition::{Definition, FUNCTION, INPUT, find};

use std::ops::Range;

/// Why source does not define the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Whether Python refuses the whole source. Otherwise it only lacks the function.
    pub(super) syntax: bool,
    /// The bytes that it is about; None for the whole source.
    pub(super) part: Option<Range<usize>>,
    /// What was found.
    pub(super) message: String,
    /// What stands there.
    pub(super) label: String,
    /// What to write instead.
    pub(super) help: String,
}

impl Fault {
    fn syntax(
        part: Range<usize>,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            syntax: true,
            part: Some(part),
            message: message.into(),
            label: label.into(),
            help: help.into(),
        }
    }
}

#[cfg(test)]
mod tests;
