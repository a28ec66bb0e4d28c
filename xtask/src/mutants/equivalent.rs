//! Mutants that no test can tell from the code.

/// The name of each, and why nothing can tell.
pub(super) const EQUIVALENT: &[(&str, &str)] = &[(
    "crates/agentry-text/src/mask.rs: replace ends_in -> bool with true",
    "a shortcut past most keys: what it lets through is looked at in full, and no key that it turns away would be found",
)];
