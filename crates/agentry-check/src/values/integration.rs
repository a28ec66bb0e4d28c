//! Variables of an integration.

use super::Sink;
use super::look::{flag, items, text};
use crate::rules;
use agentry_text::{Finding, Node, Severity, names_secret, quoted};
use std::collections::HashMap;

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
