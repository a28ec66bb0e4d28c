//! Mutants that no test can tell from the code.

/// The name of each, and why nothing can tell.
pub(super) const EQUIVALENT: &[(&str, &str)] = &[];
