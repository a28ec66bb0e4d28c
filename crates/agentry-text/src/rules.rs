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
    /// Text without quotes stands where YAML takes it for something else.
    UNQUOTED_TEXT = "unquoted-text", Error;
    /// A tab indents a line of YAML, where only spaces can.
    TAB_INDENTATION = "tab-indentation", Error;
    /// The file holds the markers of a merge that was not finished.
    CONFLICT_MARKER = "conflict-marker", Error;
    /// A YAML file holds more than one document.
    SEVERAL_DOCUMENTS = "several-documents", Error;
    /// A key of a YAML mapping is not a string.
    NON_STRING_KEY = "non-string-key", Error;
    /// A YAML tag asks for a type that documents do not have, or that its value is not.
    YAML_TAG = "yaml-tag", Error;
    /// A YAML mapping takes over the keys of another one with `<<`, which not every reader does.
    MERGE_KEY = "merge-key", Error;
    /// YAML aliases repeat more than is read.
    ALIAS_BUDGET = "alias-budget", Error;
    /// Readers of YAML 1.1 see another value than readers of YAML 1.2.
    YAML_1_1_VALUE = "yaml-1-1-value", Warning;
    /// A number loses digits when it is read: a version is text.
    LOSSY_NUMBER = "lossy-number", Warning;
    /// A Markdown file that must begin with front matter does not.
    MISSING_FRONT_MATTER = "missing-front-matter", Error;
    /// The front matter of a Markdown file has no closing line.
    UNCLOSED_FRONT_MATTER = "unclosed-front-matter", Error;
    /// The front matter of a Markdown file does not begin on its first line.
    LATE_FRONT_MATTER = "late-front-matter", Error;
    /// There are more findings than are worth printing for one document.
    TOO_MANY_FINDINGS = "too-many-findings", Error;
}
