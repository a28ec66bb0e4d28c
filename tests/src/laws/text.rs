//! Documents written as text and taken apart again, in each format, by the project's own writers and readers.

use agentry_text::{Document, Format, Value, front_matter, json, toml, yaml};

/// The text of a document. None where the format cannot hold it, such as null in TOML.
///
/// # Panics
///
/// When the format is one that has no writer here.
pub fn write(format: Format, value: &Value) -> Option<String> {
    match format {
        Format::Json => json::to_string(value).ok(),
        // A text that holds nothing is no document.
        Format::Toml => is_table(value).then(|| toml::to_string(value).ok())?,
        Format::Yaml => yaml::to_string(value).ok(),
        Format::Markdown => {
            let header = is_table(value).then(|| yaml::to_string(value).ok())??;
            Some(format!("---\n{header}---\n\n# Text\n"))
        }
        _ => panic!("the laws cannot write `{}`: teach them", format.name()),
    }
}

fn is_table(value: &Value) -> bool {
    matches!(value, Value::Table(table) if !table.is_empty())
}

/// The document that a text holds.
///
/// # Panics
///
/// When the format is one that has no reader here.
pub fn parse(format: Format, text: &str) -> Document {
    match format {
        Format::Json => json::parse(text),
        Format::Toml => toml::parse(text),
        Format::Yaml => yaml::parse(text),
        Format::Markdown => front_matter::parse(text).document,
        _ => panic!("the laws cannot read `{}`: teach them", format.name()),
    }
}
