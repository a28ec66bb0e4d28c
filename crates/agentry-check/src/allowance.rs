/// Whether a text may hold an allowance: quick, and wrong only in one direction.
pub(crate) fn may_hold(text: &str) -> bool {
    text.contains("agentry:")
}
