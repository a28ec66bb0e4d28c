//! How a file stands: what it was before settings, allowances and a baseline had their say, and what these hold back.

use crate::check::Checked;

/// What a report of a file must not forget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they say different things of one file")]
pub struct Standing {
    /// Whether the document is valid. It is judged before anything is turned off, allowed or accepted: these change
    /// what is reported and what fails, and never whether a document is valid.
    pub valid: bool,
    /// Whether the file is the checker's own and no manifest: settings, or a baseline.
    pub own: bool,
    /// Whether warnings fail too.
    pub strict: bool,
    /// Whether nothing could be read from the file and an error that says why is turned off, lowered or allowed. The
    /// error is not shown then, and the run still fails.
    pub unreadable: bool,
    /// How many findings are turned off.
    pub off: usize,
    /// How many findings the file itself allows.
    pub allowed: usize,
    /// How many findings the baseline accepts.
    pub accepted: usize,
}

impl Standing {
    /// How what was just judged stands.
    pub fn of(checked: &Checked) -> Self {
        Self { valid: checked.is_valid(), ..Self::default() }
    }
}
