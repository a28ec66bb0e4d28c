//! Names by which a package refers to what a host has.

use crate::rules;
use agentry_text::{ANY_TEXT, Invalid, shown_text_type};

shown_text_type! {
    /// The stable name of a package: lowercase letters, digits and hyphens between them, at most 255 characters.
    pub struct PackageName {
        pattern: r"^[a-z0-9]([a-z0-9-]{0,253}[a-z0-9])?$",
        form: "the name of a package: lowercase letters, digits, and hyphens between them, at most 255 characters",
        example: "ticket-helper",
    }
}

/// Whether a text looks like the id that one host gave to something: a UUID, or a word with `_` and 20 or more letters
/// and digits behind it.
pub fn is_resource_id(text: &str) -> bool {
    is_uuid(text) || text.rsplit_once('_').is_some_and(|(word, id)| is_word(word) && is_long_id(id))
}

pub(super) fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.len() == 5
        && parts
            .iter()
            .zip([8, 4, 4, 4, 12])
            .all(|(part, length)| part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

fn is_long_id(text: &str) -> bool {
    text.len() >= 20 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// What to say of an empty name.
pub(super) fn empty(text: &str, what: &str) -> Option<Invalid> {
    text.is_empty().then(|| {
        Invalid::new(&agentry_text::rules::EMPTY_VALUE, format!("an empty text is hardly {what}"))
            .label("nothing is named here")
            .help("write the name, or delete what it would name")
    })
}

/// What to say of a name that names nothing, or something on one host alone.
fn remark(text: &str, what: &str, example: &str) -> Option<Invalid> {
    if is_resource_id(text) {
        return Some(
            Invalid::new(
                &rules::RESOURCE_ID,
                format!("{} looks like the id that one host gave to {what}", agentry_text::quoted(text)),
            )
            .label("an id of one host")
            .help(format!("write the name, such as `{example}`: a package is installed on other hosts too")),
        );
    }
    empty(text, what)
}

shown_text_type! {
    /// A capability of hosts, by its name: one built in, or one of their catalogue. An id of one host draws a warning.
    pub struct CapabilityName {
        pattern: ANY_TEXT,
        form: "the name of a capability: any text",
        example: "current_time",
        remark: |text| remark(text, "a capability", "current_time"),
    }
}

shown_text_type! {
    /// A harness, which is what runs an agent, by its name. An id of one host draws a warning.
    pub struct HarnessName {
        pattern: ANY_TEXT,
        form: "the name of a harness: any text",
        example: "generic",
        remark: |text| remark(text, "a harness", "generic"),
    }
}

shown_text_type! {
    /// A provider of models, by its stable name. An id of one host draws a warning.
    pub struct ProviderName {
        pattern: ANY_TEXT,
        form: "the name of a provider: any text",
        example: "anthropic",
        remark: |text| remark(text, "a provider", "anthropic"),
    }
}

shown_text_type! {
    /// A model, by the name that its provider gives it. An id of one host draws a warning.
    pub struct ModelName {
        pattern: ANY_TEXT,
        form: "the name of a model: any text",
        example: "acme-large-1",
        remark: |text| remark(text, "a model", "acme-large-1"),
    }
}

shown_text_type! {
    /// An entry of the catalogue of MCP servers that an organisation keeps. An id of one host draws a warning.
    pub struct McpPreset {
        pattern: ANY_TEXT,
        form: "the name of an entry of a catalogue: any text",
        example: "catalog:linear",
        remark: |text| remark(text, "an entry of a catalogue", "catalog:linear"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agentry_text::Text;

    #[test]
    fn ids_of_a_host_are_told_from_names() {
        for (text, id) in [
            ("0193a4f2-77aa-7cc1-9d3e-5b1f00aa12cd", true),
            ("0193A4F2-77AA-7CC1-9D3E-5B1F00AA12CD", true),
            ("model_0193a4f277aa7cc19d3e", true),
            ("mcp_server_01j9zk3v5n8q2r7t4w6y", true),
            ("model_0193a4f277aa7cc19d3", false),
            ("_0193a4f277aa7cc19d3e", false),
            ("session_file_system", false),
            ("claude-sonnet-4-20250514", false),
            ("0193a4f2-77aa-7cc1-9d3e", false),
            ("catalog:linear", false),
            ("", false),
        ] {
            assert_eq!(is_resource_id(text), id, "{text}");
            let rule = HarnessName::new(text).unwrap().remark().map(|remark| remark.rule.name);
            let expected = if id { Some("resource-id") } else { text.is_empty().then_some("empty-value") };
            assert_eq!(rule, expected, "{text}");
        }
    }

    #[test]
    fn a_package_has_a_name_of_255_characters_at_most() {
        for (name, good) in [
            ("a", true),
            ("a--b", true),
            ("0", true),
            ("-a", false),
            ("a-", false),
            ("A", false),
            ("a b", false),
            ("a\n", false),
            ("", false),
        ] {
            assert_eq!(PackageName::new(name).is_ok(), good, "{name:?}");
        }
        assert!(PackageName::new("a".repeat(255)).is_ok() && PackageName::new("a".repeat(256)).is_err());
    }
}
