//! Where a document gives values to names that hold secrets: what is never shown, however it is written.

use agentry_text::{Kind, Node, Span, names_secret};

/// The keys of JSON Schema below which names are not those of values: a description of a secret is none.
const SCHEMAS: [&str; 4] = ["properties", "$defs", "definitions", "dependentSchemas"];

/// The keys of a schema that hold values of what it describes.
const VALUES: [&str; 5] = ["default", "const", "enum", "example", "examples"];

/// The places of the texts below keys that hold secrets by their names, and of those behind such an option of a command.
pub(crate) fn find(root: &Node, secrets: &mut Vec<Span>) {
    visit(root, false, secrets);
}

fn visit(node: &Node, described: bool, secrets: &mut Vec<Span>) {
    match &node.kind {
        Kind::Table(table) => {
            for entry in &table.entries {
                let child = &entry.node;
                if !names_secret(&entry.key) {
                    visit(child, SCHEMAS.contains(&entry.key.as_str()), secrets);
                } else if !described {
                    all_texts(child, secrets);
                } else {
                    for value in VALUES.iter().filter_map(|key| child.get(key)) {
                        all_texts(&value.node, secrets);
                    }
                    visit(child, false, secrets);
                }
            }
        }
        Kind::Array(items) => {
            let mut option = false;
            for item in items {
                let text = item.as_str();
                if option && text.is_some_and(|text| !text.starts_with('-')) {
                    secrets.push(item.span);
                }
                option = text.is_some_and(|text| text.starts_with('-') && names_secret(text));
                visit(item, false, secrets);
            }
        }
        _ => {}
    }
}

fn all_texts(node: &Node, secrets: &mut Vec<Span>) {
    match &node.kind {
        Kind::String(_) => secrets.push(node.span),
        Kind::Array(items) => items.iter().for_each(|item| all_texts(item, secrets)),
        Kind::Table(table) => table.entries.iter().for_each(|entry| all_texts(&entry.node, secrets)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agentry_text::{Document, json, toml, yaml};

    #[test]
    fn what_is_given_for_a_secret_is_found_however_it_is_written() {
        let found = |document: Document, text: &str| {
            let mut secrets = Vec::new();
            find(&document.root.expect("a tree"), &mut secrets);
            secrets.iter().map(|span| text[span.start..span.end].to_owned()).collect::<Vec<_>>().join(" ")
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
