//! Variables of an integration: those that it asks for, and those that the call of its server takes.

use super::Sink;
use super::look::{below, flag, items, text};
use crate::rules;
use agentry_text::{Finding, Kind as NodeKind, Node, Severity, names_secret, nearest, quoted};
use std::collections::HashMap;
use std::ops::Range;

/// Variables that every program has, whoever starts it.
const GIVEN: [&str; 9] = ["HOME", "PATH", "USER", "PWD", "SHELL", "TMPDIR", "TEMP", "USERPROFILE", "APPDATA"];

/// The keys under which clients list the servers that they use.
const LISTS: [&str; 2] = ["mcp_servers", "mcpServers"];

pub(super) fn check(root: &Node, sink: &mut Sink<'_>) {
    for entry in LISTS.iter().filter_map(|key| root.get(key)) {
        let unknown = |finding: &&mut Finding| {
            finding.rule == &agentry_text::rules::UNKNOWN_KEY && finding.span == entry.key_span
        };
        if let Some(finding) = sink.findings.iter_mut().find(unknown) {
            finding.help = Some(
                "this is how a client lists its servers; here each has a file of its own, `mcp/<id>.toml`, with `id`, \
                 `name` and `[transport]`"
                    .to_owned(),
            );
        }
    }
    check_variables(root, sink);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (index, variable) in items(root, "required_env").iter().enumerate() {
        let Some(name) = text(variable, "name") else { continue };
        let pointer = format!("/required_env/{index}");
        if let Some(first) = seen.get(name) {
            let finding = sink
                .finding(
                    &agentry_text::rules::DUPLICATE_ENTRY,
                    &format!("{pointer}/name"),
                    format!("the variable {} is asked for twice", quoted(name)),
                )
                .severity(Severity::Warning)
                .label("a second time")
                .related(sink.span(&format!("/required_env/{first}/name")), "the first time")
                .help("keep one of the two");
            sink.push(finding);
        } else {
            seen.insert(name, index);
        }
        // Credentials in the plural are often a file of them, and the value is its path.
        let is_file = name.to_ascii_uppercase().ends_with("CREDENTIALS");
        if flag(variable, "is_secret") == Some(false) && names_secret(name) && !is_file {
            let finding = sink
                .finding(
                    &rules::CONTRADICTION,
                    &format!("{pointer}/is_secret"),
                    format!("{} is a credential by its name, and not a secret by this", quoted(name)),
                )
                .label("stored and shown like any text")
                .related(sink.span(&format!("{pointer}/name")), "the name")
                .help("write true, or delete the key: what is not a secret is shown and may be logged");
            sink.push(finding);
        }
    }
}

/// Variables that are put into the call of the server and that people are not asked for.
fn check_variables(root: &Node, sink: &mut Sink<'_>) {
    let asked: Vec<&str> =
        items(root, "required_env").iter().filter_map(|variable| text(variable, "name")).collect();
    let mut told: Vec<String> = Vec::new();
    for key in ["transport", "env", "headers"] {
        if let Some(entry) = root.get(key) {
            check_call(&entry.node, &format!("/{key}"), &asked, &mut told, sink);
        }
    }
}

fn check_call(node: &Node, pointer: &str, asked: &[&str], told: &mut Vec<String>, sink: &mut Sink<'_>) {
    match &node.kind {
        NodeKind::Table(table) => {
            for entry in &table.entries {
                check_call(&entry.node, &below(pointer, &entry.key), asked, told, sink);
            }
        }
        NodeKind::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                check_call(item, &format!("{pointer}/{index}"), asked, told, sink);
            }
        }
        NodeKind::String(call) => {
            for (name, place) in variables(call) {
                let is_known = asked.contains(&name) || GIVEN.contains(&name);
                if is_known || told.iter().any(|told| told == name) {
                    continue;
                }
                told.push(name.to_owned());
                let near = nearest(name, asked.iter().copied());
                let help = match near {
                    Some(near) => format!("did you mean `${{{near}}}`, which `required_env` asks for?"),
                    None => format!(
                        "add {} to `[[required_env]]`, so that people are asked for it before the server fails",
                        quoted(name)
                    ),
                };
                let mut finding = sink
                    .finding(
                        &rules::UNASKED_VARIABLE,
                        pointer,
                        format!("the call of the server takes the variable {}, which `required_env` does not list", quoted(name)),
                    )
                    .label("asked for nowhere")
                    .help(help);
                finding.span = sink.part(pointer, call, place);
                sink.push(finding);
            }
        }
        _ => {}
    }
}

/// The variables that a text takes as `${NAME}`, each with its place. One with a value of its own, as in `${NAME:-x}`, may
/// be missing.
fn variables(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    text.match_indices("${").filter_map(|(at, sign)| {
        let start = at + sign.len();
        let name = &text[start..start + text[start..].find('}')?];
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        is_name.then_some((name, start..start + name.len()))
    })
}
