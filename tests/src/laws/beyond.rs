//! The rules that JSON Schema cannot state. Nothing else may separate schema and reader.

/// A rule that the reader keeps and the schema cannot state.
#[derive(Clone, Copy, Debug)]
pub struct Beyond {
    /// The rule, as its findings name it.
    pub rule: &'static str,
    /// The text type that asks for more than its pattern; empty where the rule says it all.
    pub definition: &'static str,
    /// What is asked for.
    pub what: &'static str,
}

const fn rule(rule: &'static str, what: &'static str) -> Beyond {
    Beyond { rule, definition: "", what }
}

const fn text(definition: &'static str, what: &'static str) -> Beyond {
    Beyond { rule: "invalid-value", definition, what }
}

/// Every such rule. Each is met by the generated documents: one that nothing needs any more is found.
pub const BEYOND: &[Beyond] = &[
    rule("duplicate-entry", "the entries of a list differ in one of their keys"),
    rule(
        "default-mismatch",
        "a default is of the type, or among the options, that other keys of its table name",
    ),
    rule(
        "example-mismatch",
        "an example is of the type, or among the options, that other keys of its table name",
    ),
    rule("empty-range", "a range does not end before it begins"),
    text("HttpUrl", "the URL standard can parse it"),
    text("McpEndpoint", "the URL standard can parse the address of a remote server"),
    text("Date", "the month has that day"),
    text("Timestamp", "the month has that day"),
    text("Schedule", "every field of a cron line lies within its bounds"),
];
