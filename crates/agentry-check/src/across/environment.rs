//! What the MCP servers of a hand need, and the hand does not ask its users for.

use super::{Findings, Mention, Run};
use crate::{rules, tools};
use agentry::Kind;
use agentry_text::{Kind as NodeKind, Node, quoted};
use std::collections::HashMap;

/// What a hand uses and asks for, or what an integration needs.
#[derive(Debug)]
pub(super) enum Environment {
    /// The servers of a hand, and the variables that it asks for.
    Hand(Vec<Mention>, Vec<String>),
    /// The variables that a server needs, and whether people may sign in instead.
    Server(Vec<String>, bool),
}

impl Environment {
    pub(super) fn of(kind: Kind, root: &Node) -> Option<Self> {
        match kind {
            Kind::Hand => {
                let mut servers = servers(root, "");
                for (role, pointer) in tools::roles(root) {
                    servers.extend(self::servers(role, &pointer));
                }
                (!servers.is_empty()).then(|| Self::Hand(servers, asked(root)))
            }
            Kind::Integration => {
                let needs: Vec<String> =
                    items(root, "required_env").filter_map(|item| text(item, "name")).collect();
                (!needs.is_empty()).then(|| Self::Server(needs, root.get("oauth").is_some()))
            }
            _ => None,
        }
    }
}

fn items<'n>(table: &'n Node, key: &str) -> impl Iterator<Item = &'n Node> {
    match table.get(key).map(|entry| &entry.node.kind) {
        Some(NodeKind::Array(items)) => items.as_slice(),
        _ => &[],
    }
    .iter()
}

fn text(table: &Node, key: &str) -> Option<String> {
    table.get(key)?.node.as_str().map(str::to_owned)
}

/// The servers that a table lists.
fn servers(table: &Node, pointer: &str) -> Vec<Mention> {
    let listed = items(table, "mcp_servers").enumerate();
    listed
        .filter_map(|(index, node)| {
            let name = node.as_str().filter(|name| !name.is_empty() && !name.contains('*'))?.to_owned();
            Some(Mention { name, pointer: format!("{pointer}/mcp_servers/{index}"), span: node.span })
        })
        .collect()
}

/// The variables that a hand asks for, in whatever way.
fn asked(root: &Node) -> Vec<String> {
    let mut asked = Vec::new();
    for requirement in items(root, "requires") {
        asked.extend(text(requirement, "key"));
        let value = text(requirement, "check_value").unwrap_or_default();
        asked.extend(value.split(',').map(|name| name.trim().to_owned()));
    }
    for setting in items(root, "settings") {
        asked.extend(text(setting, "key"));
        asked.extend(text(setting, "env_var"));
        asked.extend(items(setting, "options").filter_map(|option| text(option, "provider_env")));
    }
    asked
}

pub(super) fn check(run: &Run<'_>, findings: &mut Findings) {
    let mut servers: HashMap<(usize, &str), (usize, &[String], bool)> = HashMap::new();
    for (file, facts) in run.facts() {
        let (Some(Environment::Server(needs, signs_in)), Some(registry)) =
            (&facts.environment, run.registry(file))
        else {
            continue;
        };
        // By whatever it is called: readers look it up by its file, people by its id.
        let stated = facts.name.as_ref().map(|name| name.name.as_str());
        for name in stated.into_iter().chain(run.path_name(file)) {
            servers.entry((registry, name)).or_insert((file, needs, *signs_in));
        }
    }
    for (file, facts) in run.facts() {
        let (Some(Environment::Hand(mentions, asked)), Some(registry)) =
            (&facts.environment, run.registry(file))
        else {
            continue;
        };
        let mut told: Vec<&str> = Vec::new();
        for mention in mentions {
            let Some((server, needs, signs_in)) = servers.get(&(registry, mention.name.as_str())) else {
                continue;
            };
            let lacks: Vec<String> = needs
                .iter()
                .filter(|name| !asked.iter().any(|asked| asked.eq_ignore_ascii_case(name)))
                .map(|name| quoted(name))
                .collect();
            if lacks.is_empty() || told.contains(&mention.name.as_str()) {
                continue;
            }
            told.push(&mention.name);
            let at = run.path(*server);
            let message = format!(
                "the server {} needs {} ({at}), and the hand asks for no such variable",
                quoted(&mention.name),
                lacks.join(", ")
            );
            let finding = mention.finding(&rules::UNASKED_VARIABLE, message);
            let help = if *signs_in {
                "add it to `requires`, so that people know what is missing, unless all of them sign in through the browser"
            } else {
                "add it to `requires` with the type `api_key` or `env_var`, so that people know what is missing before the \
                 hand fails"
            };
            findings.push((file, finding.label("needs more than the hand asks for").help(help)));
        }
    }
}
