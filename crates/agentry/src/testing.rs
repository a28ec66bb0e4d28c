//! What the tests of this crate share.

use agentry_text::{Mode, Read};
use serde::Serialize;

/// Reads a text, and says what was found: one line each with severity, rule, pointer and key.
pub(crate) fn found<T: Read + Serialize + PartialEq>(text: &str) -> String {
    let reading = agentry_text::read_document::<T>(&crate::toml::parse(text), Mode::Strict);
    assert_eq!(
        reading.value.is_some(),
        reading.is_valid(),
        "a value is there exactly when no error is:\n{text}"
    );
    if let Some(value) = &reading.value {
        let written = crate::toml::to_string(value).expect("what was read can be written");
        let again = agentry_text::read_document::<T>(&crate::toml::parse(&written), Mode::Strict).value;
        assert!(again.as_ref() == Some(value), "reading what was written gives another value:\n{written}");
    }
    let lines = reading.findings.iter().map(|finding| {
        let key = finding.key.as_ref().map_or_else(String::new, |key| format!(" {key}"));
        format!("{} {} {}{key}", finding.severity.name(), finding.rule.name, finding.pointer)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Checks that each text has exactly the findings that stand beside it.
pub(crate) fn check<T: Read + Serialize + PartialEq>(table: &[(&str, &str)]) {
    for (text, expected) in table {
        let found = found::<T>(text);
        assert!(found == *expected, "in\n{text}\n\nexpected\n{expected}\n\nfound\n{found}");
    }
}
