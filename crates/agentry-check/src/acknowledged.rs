//! Changes of a schema that somebody looked at and lets pass, each with the reason.
//!
//! `agentry diff --acknowledged FILE` and `cargo xtask schema-diff` read them. An answer is not bent by them: a no stays a
//! no, with its document. They only say that it is meant.

use crate::baseline::FingerprintText;
use agentry_diff::{Change, Comparison, Effect, Verdict};
use agentry_macros::document;
use agentry_text::{ReadError, Unique, UniqueBy, UnlistedKeys, shown_text_type, toml};

/// What a file of acknowledged changes says.
#[document]
pub struct Acknowledgements {
    /// The changes that are let pass.
    pub acknowledged: Unique<Acknowledgement>,
}

/// One change that is let pass.
#[document]
pub struct Acknowledgement {
    /// The fingerprint of the change, as `agentry diff` shows it. It stays the same however the schemas are ordered, and
    /// whatever else changes in them.
    pub fingerprint: FingerprintText,
    /// Why the change may break what it breaks.
    pub reason: AcknowledgedReason,
}

impl UniqueBy for Acknowledgement {
    const KEY: &'static str = "fingerprint";

    fn unique_value(&self) -> &str {
        self.fingerprint.as_str()
    }
}

shown_text_type! {
    /// A sentence that says why.
    pub struct AcknowledgedReason {
        pattern: r"^[^\r\n]*[^ \t\r\n][^\r\n]*$",
        form: "a reason, on one line",
        example: "no published file used the option",
    }
}

impl Default for Acknowledgements {
    /// None.
    fn default() -> Self {
        Self { acknowledged: Unique::default(), unlisted_keys: UnlistedKeys::default() }
    }
}

impl Acknowledgements {
    /// Reads a file in TOML, strictly. One in which nothing is said lets nothing pass.
    pub fn parse(text: &str) -> Result<Self, ReadError> {
        let mut lines = text.lines().map(str::trim_start);
        if lines.all(|line| line.is_empty() || line.starts_with('#')) {
            return Ok(Self::default());
        }
        toml::from_str(text)
    }

    /// Why a change is let pass, if it is.
    pub fn reason(&self, change: &Change) -> Option<&str> {
        let known = |entry: &&Acknowledgement| entry.fingerprint.as_str() == change.fingerprint;
        self.acknowledged.iter().find(known).map(|entry| entry.reason.as_str())
    }

    /// Whether an answer is meant, though it is no yes: one that is no because of changes that are all let pass, or that
    /// nobody knows because of such. `both`, if it is asked about readers too.
    pub fn excuse(&self, comparison: &Comparison, both: bool) -> bool {
        let asked = [(&comparison.backward, true), (&comparison.forward, false)];
        asked.into_iter().filter(|(_, files)| *files || both).all(|(verdict, files)| {
            let counts = |change: &&Change| match &change.effect {
                Effect::Unknown(_) => true,
                effect if files => effect.files().is_some(),
                effect => effect.readers().is_some(),
            };
            let mut counting = comparison.changes.iter().filter(counts).peekable();
            match verdict {
                Verdict::Yes => true,
                Verdict::Invalid(..) => false,
                Verdict::No(_) | Verdict::Unknown(_) => {
                    counting.peek().is_some() && counting.all(|change| self.reason(change).is_some())
                }
            }
        })
    }

    /// The entries that no change of some comparisons has: what they let pass is gone.
    pub fn stale<'a>(
        &'a self,
        comparisons: impl IntoIterator<Item = &'a Comparison>,
    ) -> impl Iterator<Item = &'a Acknowledgement> {
        let changes = comparisons.into_iter().flat_map(|comparison| &comparison.changes);
        let known: std::collections::HashSet<&str> =
            changes.map(|change| change.fingerprint.as_str()).collect();
        self.acknowledged.iter().filter(move |entry| !known.contains(entry.fingerprint.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agentry_diff::{Options, compare};
    use serde_json::{Value, json};

    fn let_pass<'a>(changes: impl IntoIterator<Item = &'a Change>) -> Acknowledgements {
        let entries = changes.into_iter().map(|change| {
            format!("[[acknowledged]]\nfingerprint = \"{}\"\nreason = \"on purpose\"\n", change.fingerprint)
        });
        Acknowledgements::parse(&entries.collect::<String>()).expect("it can be read")
    }

    #[test]
    fn what_breaks_is_excused_if_all_of_it_is_let_pass() {
        let same = json!({"type": "string"});
        let cases: [(Value, bool, &[&str], bool); 9] = [
            (
                json!({"type": "string", "maxLength": 2, "pattern": "^a"}),
                false,
                &["maxLength", "pattern"],
                true,
            ),
            (json!({"type": "string", "maxLength": 2, "pattern": "^a"}), false, &["maxLength"], false),
            (json!({"type": "string", "maxLength": 2}), false, &[], false),
            (json!({"type": "string", "title": "words"}), true, &[], true),
            (json!({}), false, &[], true),
            (json!({}), true, &[], false),
            (json!({}), true, &["type"], true),
            // What nobody knows.
            (json!({"type": "string", "pattern": "a(?!b)c"}), true, &["pattern"], true),
            (json!({"type": "strings"}), false, &["type"], false),
        ];
        for (new, both, passed, expected) in cases {
            let comparison = compare(&same, &new, &Options::default());
            let passed = comparison.changes.iter().filter(|change| passed.contains(&change.keyword.as_str()));
            let list = let_pass(passed);
            assert_eq!(list.excuse(&comparison, both), expected, "{new}");
            assert_eq!(list.stale([&comparison]).count(), 0);
            let unchanged = compare(&same, &same, &Options::default());
            assert_eq!(list.stale([&unchanged]).count(), list.acknowledged.len());
        }
    }

    #[test]
    fn a_file_that_says_no_reason_is_refused() {
        let entry = |rest: &str| format!("[[acknowledged]]\nfingerprint = \"c34adfbd1d19af01\"\n{rest}");
        let good = entry("reason = \"no file used it\"\n");
        assert!(Acknowledgements::parse(&good).is_ok());
        for (text, expected) in [
            (entry(""), "reason"),
            (entry("reason = \" \"\n"), "reason"),
            (entry("reason = \"a\"\nwhy = \"b\"\n"), "`why`"),
            (format!("{good}{good}"), "c34adfbd1d19af01"),
            (
                "[[acknowledged]]\nfingerprint = \"C34\"\nreason = \"a\"\n".to_owned(),
                "sixteen hexadecimal digits",
            ),
            ("[[acknowledge]]\n".to_owned(), "`acknowledge`"),
        ] {
            let error = Acknowledgements::parse(&text).expect_err(&text).to_string();
            assert!(error.contains(expected) && error.contains("line "), "{error}");
        }
    }
}
