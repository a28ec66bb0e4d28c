//! The rules that JSON Schema cannot state. Nothing else may separate schema and reader.

use agentry::Text;
use agentry::package::{AccessPattern, Destination, PackageGlob};
use agentry::skill_config::PythonSource;
use agentry::skill_md::SkillName;
use agentry::tool::McpEndpoint;
use agentry::values::{Date, HttpUrl, Schedule, Timestamp};
use agentry_check::settings::Pattern;

/// A rule that the reader keeps and the schema cannot state.
#[derive(Clone, Copy, Debug)]
pub struct Beyond {
    /// The rule, as its findings name it.
    pub rule: &'static str,
    /// The text type that asks for more than its pattern; empty where the rule says it all.
    pub definition: &'static str,
    /// The label of its findings; empty where they have several. A rule may have a part that a schema can state.
    pub label: &'static str,
    /// Whether a text has the form that the schema can state: only what comes after that is beyond it.
    pub has_form: fn(&str) -> bool,
    /// What is asked for.
    pub what: &'static str,
}

const fn rule(rule: &'static str, label: &'static str, what: &'static str) -> Beyond {
    Beyond { rule, definition: "", label, has_form: |_| true, what }
}

const fn text<T: Text>(definition: &'static str, what: &'static str) -> Beyond {
    Beyond { rule: "invalid-value", definition, label: "", has_form: has_form::<T>, what }
}

/// Whether a text is as its schema asks: that it is not, is nothing beyond the schema.
fn has_form<T: Text>(text: &str) -> bool {
    T::matches(text) && text.chars().count() <= T::MAX_CHARACTERS
}

/// Every such rule. Each is met by the generated documents: one that nothing needs any more is found.
pub const BEYOND: &[Beyond] = &[
    rule("duplicate-entry", "used a second time here", "the entries of a list differ in one of their keys"),
    rule("default-mismatch", "not one of the options", "a default is among the options beside it"),
    rule("example-mismatch", "not one of the options", "an example is among the options beside it"),
    rule("empty-range", "", "a range does not end before it begins"),
    rule("include-circle", "", "a skill does not include itself"),
    Beyond {
        rule: "python-syntax",
        ..text::<PythonSource>("PythonSource", "the source can be read as Python")
    },
    Beyond {
        rule: "missing-function",
        ..text::<PythonSource>("PythonSource", "the source defines `run(input_data)`")
    },
    text::<Pattern>("Pattern", "it can be read as a line of `.gitignore`"),
    text::<AccessPattern>("AccessPattern", "the URL standard can parse the host or address"),
    text::<Destination>(
        "Destination",
        "a place in the working directory is named, and not the directory itself",
    ),
    text::<PackageGlob>("PackageGlob", "the ranges of a class go upwards"),
    text::<SkillName>(
        "SkillName",
        "characters of other scripts are letters or digits, and none is uppercase",
    ),
    text::<HttpUrl>("HttpUrl", "the URL standard can parse it"),
    text::<McpEndpoint>("McpEndpoint", "the URL standard can parse the address of a remote server"),
    text::<Date>("Date", "the month has that day"),
    text::<Timestamp>("Timestamp", "the month has that day"),
    text::<Schedule>("Schedule", "every field of a cron line lies within its bounds"),
];
