//! The rules of text and reading.

crate::rules! {
    /// The text is not what its format allows.
    SYNTAX = "syntax", Error;
    /// A key is set twice in one table.
    DUPLICATE_KEY = "duplicate-key", Error;
    /// The document nests deeper than any manifest should.
    TOO_DEEP = "too-deep", Error;
    /// The document is larger than what is read.
    TOO_LARGE = "too-large", Error;
    /// The bytes are not UTF-8 text.
    NOT_TEXT = "not-text", Error;
    /// The file holds nothing.
    EMPTY_FILE = "empty-file", Error;
    /// A number is not finite.
    NOT_FINITE = "not-finite", Error;
    /// A value has the wrong type.
    WRONG_TYPE = "wrong-type", Error;
    /// A value has the right type and not the form that its meaning asks for.
    INVALID_VALUE = "invalid-value", Error;
    /// A value is not one of the options.
    UNKNOWN_OPTION = "unknown-option", Error;
    /// A required key is not there.
    MISSING_KEY = "missing-key", Error;
    /// Keys that exclude each other are both there.
    CONFLICTING_KEYS = "conflicting-keys", Error;
    /// Two entries of a list share what must tell them apart.
    DUPLICATE_ENTRY = "duplicate-entry", Error;
    /// A key is not known where it stands.
    UNKNOWN_KEY = "unknown-key", Warning;
    /// A key stands in a table that does not know it, and another table of the file does.
    MISPLACED_KEY = "misplaced-key", Warning;
    /// An older name of a key or option.
    LEGACY_NAME = "legacy-name", Warning;
    /// An empty string stands where a value is meant.
    EMPTY_VALUE = "empty-value", Warning;
    /// A whole number is written with a fraction.
    WHOLE_NUMBER = "whole-number", Warning;
    /// There are more findings than are worth printing for one document.
    TOO_MANY_FINDINGS = "too-many-findings", Error;
}
