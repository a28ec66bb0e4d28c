//! Where a document gives values to names that hold secrets: what is never shown, however it is written.

use agentry::package::is_credential_placeholder;
use agentry_text::{Finding, Kind, MASK, Node, Span, Table, may_name_secret, nearest, quoted};

/// The keys of JSON Schema below which names are not those of values: a description of a secret is none.
const SCHEMAS: [&str; 4] = ["properties", "$defs", "definitions", "dependentSchemas"];

/// The keys that hold values of what their table describes.
const VALUES: [&str; 7] = ["value", "default", "const", "values", "enum", "example", "examples"];

/// Of those, the keys that hold what is used.
const USED: [&str; 3] = ["value", "default", "const"];

/// The keys by which a table says that it describes a secret.
const FLAGS: [&str; 5] = ["is_secret", "isSecret", "secret", "sensitive", "is_sensitive"];

/// The keys of the type of a value, and the types that are secret.
const TYPES: [&str; 4] = ["type", "setting_type", "field_type", "format"];
const SECRET_TYPES: [&str; 2] = ["secret", "password"];

/// The keys of the name of what a table describes.
const NAMES: [&str; 5] = ["name", "key", "id", "env_var", "env"];

/// The lists of which each entry describes a secret unless it says otherwise.
const SECRET_LISTS: [&str; 1] = ["required_env"];

/// What a table that describes a secret says of it besides its value.
const ABOUT: [&str; 16] = [
    "name",
    "key",
    "id",
    "env_var",
    "env",
    "label",
    "title",
    "display_name",
    "help",
    "description",
    "get_url",
    "type",
    "setting_type",
    "field_type",
    "format",
    "pattern",
];

/// Words that stand in messages, and are no secret.
const COMMON: [&str; 10] =
    ["auto", "default", "false", "none", "null", "number", "password", "secret", "string", "true"];

/// How long a text is at least that is taken out of words.
const MIN_HIDDEN: usize = 3;

/// How few digits a number has that is no secret.
const FEW_DIGITS: i128 = 1_000;

/// A text or a number that is given for a secret.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'n> {
    pub(crate) node: &'n Node,
    /// Whether it is the value that is used, and not an example or a word about it.
    pub(crate) is_used: bool,
}

/// What stands below keys that hold secrets by their names, behind such an option of a command, and in tables that say
/// that they describe a secret.
pub(crate) fn find(root: &Node) -> Vec<Given<'_>> {
    let mut given = Vec::new();
    visit(root, "", &mut given);
    given
}

/// What a table says about the value of what it describes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Describes {
    /// A secret: whatever is said by a key that is not known may be the value.
    Secret,
    /// Something with the name of a secret.
    NamedSecret,
    /// Anything else, or nothing.
    Other,
}

fn describes(table: &Table, key: &str) -> Describes {
    let flag = table.entries.iter().find_map(|entry| match entry.node.kind {
        Kind::Bool(flag) if FLAGS.contains(&entry.key.as_str()) => Some(flag),
        // A slip in the key is no reason to show what it speaks of.
        Kind::Bool(true) if nearest(&entry.key, ["is_secret"]).is_some() => Some(true),
        _ => None,
    });
    let text = |key: &&str| table.get(key)?.node.as_str();
    let of_type = || TYPES.iter().filter_map(text).any(|name| SECRET_TYPES.contains(&name));
    if flag == Some(true) || flag.is_none() && (SECRET_LISTS.contains(&key) || of_type()) {
        Describes::Secret
    } else if flag.is_none() && NAMES.iter().filter_map(text).any(may_name_secret) {
        Describes::NamedSecret
    } else {
        Describes::Other
    }
}

fn visit<'n>(node: &'n Node, key: &str, given: &mut Vec<Given<'n>>) {
    match &node.kind {
        Kind::Table(table) => {
            let in_schema = SCHEMAS.contains(&key);
            let of = if in_schema { Describes::Other } else { describes(table, key) };
            for entry in &table.entries {
                let (name, child) = (entry.key.as_str(), &entry.node);
                let is_value = match of {
                    Describes::Secret => !ABOUT.contains(&name),
                    Describes::NamedSecret => VALUES.contains(&name) || nearest(name, USED).is_some(),
                    Describes::Other => false,
                };
                if is_value {
                    let is_used = USED.contains(&name) || nearest(name, USED).is_some();
                    all_texts(child, is_used, given);
                } else if !may_name_secret(name) {
                    visit(child, name, given);
                } else if !in_schema {
                    all_texts(child, true, given);
                } else {
                    for key in VALUES {
                        if let Some(value) = child.get(key) {
                            all_texts(&value.node, USED.contains(&key), given);
                        }
                    }
                    visit(child, "", given);
                }
            }
        }
        Kind::Array(items) => {
            let mut option = false;
            for item in items {
                let text = item.as_str();
                if option && text.is_some_and(|text| !text.starts_with('-')) {
                    given.push(Given { node: item, is_used: true });
                }
                option = text.is_some_and(|text| text.starts_with('-') && may_name_secret(text));
                visit(item, key, given);
            }
        }
        _ => {}
    }
}

fn all_texts<'n>(node: &'n Node, is_used: bool, given: &mut Vec<Given<'n>>) {
    match &node.kind {
        Kind::String(_) => given.push(Given { node, is_used }),
        Kind::Integer(number) if number.abs() >= FEW_DIGITS => given.push(Given { node, is_used }),
        Kind::Array(items) => items.iter().for_each(|item| all_texts(item, is_used, given)),
        Kind::Table(table) => {
            for entry in &table.entries {
                all_texts(&entry.node, is_used && USED.contains(&entry.key.as_str()), given);
            }
        }
        _ => {}
    }
}

/// What is given for a secret: its place, and its text where words may repeat it.
#[derive(Clone)]
pub(crate) struct Hidden {
    pub(crate) span: Span,
    text: Option<String>,
}

impl Hidden {
    pub(crate) fn of(given: &Given<'_>) -> Self {
        let text = match &given.node.kind {
            Kind::String(text) => Some(text.clone()),
            Kind::Integer(number) => Some(number.to_string()),
            _ => None,
        };
        let text = text.filter(|text| {
            text.trim().len() >= MIN_HIDDEN
                && !COMMON.contains(&text.as_str())
                && !is_credential_placeholder(text)
        });
        Self { span: given.node.span, text }
    }
}

/// Takes what is given for secrets out of the words of findings: a rule that speaks of a value does not know what the
/// table around it says.
pub(crate) fn take_out(hidden: &[Hidden], findings: &mut [Finding]) {
    for text in hidden.iter().filter_map(|hidden| hidden.text.as_deref()) {
        let shown = quoted(text);
        let shown = shown.trim_matches('`').trim_end_matches('…');
        let hide = |words: &mut String| {
            for text in [text, shown] {
                if !words.contains(text) {
                    continue;
                }
                // A short one may be a part of any word.
                for quote in ['`', '"'] {
                    *words = words.replace(&format!("{quote}{text}"), &format!("{quote}{MASK}"));
                }
                if text.len() >= 6 {
                    *words = words.replace(text, MASK);
                }
            }
        };
        for finding in &mut *findings {
            hide(&mut finding.message);
            hide(&mut finding.label);
            finding.help.iter_mut().for_each(hide);
            finding.related.iter_mut().for_each(|label| hide(&mut label.message));
            finding.fix.iter_mut().for_each(|fix| hide(&mut fix.title));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agentry_text::{Document, json, toml, yaml};

    #[test]
    fn what_is_given_for_a_secret_is_found_however_it_is_written() {
        let found = |document: Document, text: &str| {
            let root = document.root.expect("a tree");
            let given = find(&root).into_iter().map(|given| given.node.span);
            given.map(|span| text[span.start..span.end].to_owned()).collect::<Vec<_>>().join(" ")
        };
        for (text, expected) in [
            ("token: [abc, def]", "abc def"),
            ("password: {a: abc}", "abc"),
            ("password:\n  a:\n    - abc", "abc"),
            ("{password: abc}", "abc"),
            ("args: [--password, abc, --fast]", "abc"),
            ("args:\n- --api-key\n- abc\n- def", "abc"),
            ("args: [--token, --fast, abc]", ""),
            ("token_limit: a", ""),
            ("max_tokens: 5", ""),
            ("requires_secrets: true", ""),
            ("secret: true", ""),
            ("api_key_env: ACME", ""),
            ("properties: {token: {type: string, default: abc}}", "abc"),
            ("db_pass: abc", "abc"),
            ("pin: 90210", "90210"),
            ("{name: a, is_secret: true, label: b, valeu: abc, hint: d}", "abc d"),
            ("{name: a, is_secret: false, valeu: abc}", ""),
            ("{name: a, is_secrte: true, default: [abc]}", "abc"),
            ("required_env: [{name: a, label: b, get_url: c, valeu: abc}]", "abc"),
            ("required_env: [{name: a, valeu: abc, is_secret: false}]", ""),
            ("{key: api_token, label: b, defualt: abc, hint: d}", "abc"),
            ("{name: Authorization, value: abc}", "abc"),
            ("{name: level, value: abc}", ""),
            ("config: {a: {type: password, default: abc, description: b}}", "abc"),
        ] {
            assert_eq!(found(yaml::parse(text), text), expected, "{text}");
        }
        for text in ["password: &p abc", "password: !!str abc"] {
            assert!(found(yaml::parse(text), text).ends_with("abc"), "{text}");
        }
        let text = r#"{"p\u0061ssword":"abc","b":"c"}"#;
        assert_eq!(found(json::parse(text), text), "\"abc\"");
        let text = "[password]\na = 'abc'\n[b]\ntoken = ['x']\nc = 'd'";
        assert_eq!(found(toml::parse(text), text), "'abc' 'x'");
    }
}
