//! The tools that a prompt speaks of, against those that its agent is granted.
//!
//! Only names that nothing else has are looked for: those of the runtime's own tools, which are several words joined by `_`.
//! A prompt may also say what must not be called, so all of this is worth knowing and no more.

use super::Sink;
use crate::{prompt, rules};
use agentry_text::{Finding, Kind as NodeKind, Node, Span, quoted};

/// The profile that grants nothing by itself.
const OWN_TOOLS: &str = "custom";

/// What a hand with several roles grants to each.
const BETWEEN_ROLES: &str = "agent_send";

/// Tools that runtimes offer whether they are granted or not: they find and load what is granted.
const ALWAYS: [&str; 3] = ["tool_load", "tool_search", "skill_read_file"];

/// The same for tools by which an agent works on its own skills.
const ALWAYS_PREFIX: &str = "skill_evolve_";

/// What an agent may call.
struct Grant<'n> {
    /// What is granted: names in which `*` stands for any part.
    tools: Vec<&'n str>,
    /// Of those, only these.
    only: Option<Vec<&'n str>>,
    /// Never these.
    never: Vec<&'n str>,
    /// Where the tools are listed.
    list: Option<Span>,
}

pub(super) fn check_agent(sink: &mut Sink<'_>) {
    let root = sink.root;
    if let Some(grant) = Grant::new(root, None, false) {
        let help = "add it to `tools` under `[capabilities]`, or take it out of the prompt";
        check(sink, &grant, "/model/system_prompt", help);
    }
}

pub(super) fn check_hand(sink: &mut Sink<'_>) {
    let root = sink.root;
    let roles = roles(root);
    let several = roles.len() > 1;
    for (pointer, role) in roles {
        let Some(grant) = Grant::new(role, root.get("tools").map(|entry| &entry.node), several) else {
            continue;
        };
        let nested = role.get("model").is_some_and(|model| model.node.as_table().is_some());
        let prompt = if nested { "/model/system_prompt" } else { "/system_prompt" };
        let help = "add it to `tools` of the hand, or take it out of the prompt";
        check(sink, &grant, &format!("{pointer}{prompt}"), help);
    }
}

/// The roles of a hand, each with its place.
fn roles(root: &Node) -> Vec<(String, &Node)> {
    let main = root.get("agent").map(|entry| ("/agent".to_owned(), &entry.node));
    let named = root.get("agents").and_then(|entry| entry.node.as_table());
    let named = named.into_iter().flat_map(|table| &table.entries);
    main.into_iter()
        .chain(named.map(|entry| {
            (format!("/agents/{}", entry.key.replace('~', "~0").replace('/', "~1")), &entry.node)
        }))
        .collect()
}

impl<'n> Grant<'n> {
    /// What an agent is granted; None where nobody can say: nothing is listed, or a profile of the runtime adds to it.
    fn new(agent: &'n Node, of_hand: Option<&'n Node>, several: bool) -> Option<Self> {
        let list = |key: &str| agent.get(key).map(|entry| names(&entry.node));
        let own = agent.get("capabilities").and_then(|entry| entry.node.get("tools"));
        let own = own.map(|entry| &entry.node);
        let mut grant = Self {
            tools: of_hand.into_iter().chain(own).flat_map(names).collect(),
            only: list("tool_allowlist").filter(|only| !only.is_empty()),
            never: list("tool_blocklist").unwrap_or_default(),
            list: of_hand.or(own).map(|node| node.span),
        };
        if let Some(disabled) = agent.get("tools_disabled")
            && disabled.node.kind == NodeKind::Bool(true)
        {
            return Some(Self {
                tools: Vec::new(),
                only: None,
                never: Vec::new(),
                list: Some(disabled.key_span),
            });
        }
        let profile = agent.get("profile").and_then(|entry| entry.node.as_str());
        if grant.tools.is_empty() || profile.is_some_and(|profile| profile != OWN_TOOLS) {
            return None;
        }
        if several {
            grant.tools.push(BETWEEN_ROLES);
        }
        Some(grant)
    }

    fn has(&self, tool: &str) -> bool {
        let among = |list: &[&str]| list.iter().any(|pattern| matches(pattern, tool));
        among(&self.tools) && self.only.as_ref().is_none_or(|only| among(only)) && !among(&self.never)
    }
}

/// The texts of a list.
fn names(node: &Node) -> Vec<&str> {
    match &node.kind {
        NodeKind::Array(items) => items.iter().filter_map(Node::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether a name is one that a pattern stands for, in which `*` is any part.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((before, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(before) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return left.ends_with(part);
        }
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    true
}

/// One finding for each tool of a prompt, where it is first spoken of.
fn check(sink: &mut Sink<'_>, grant: &Grant<'_>, pointer: &str, help: &str) {
    let pointer = sink.spelled(pointer);
    let Some(text) = sink.root.pointer(&pointer).and_then(Node::as_str) else { return };
    let mut told: Vec<&str> = Vec::new();
    for (tool, place) in prompt::tools(text) {
        let always = ALWAYS.contains(&tool) || tool.starts_with(ALWAYS_PREFIX);
        if always || told.contains(&tool) || grant.has(tool) {
            continue;
        }
        told.push(tool);
        let mut finding = Finding::new(
            &rules::UNGRANTED_TOOL,
            &pointer,
            sink.part(&pointer, text, place),
            format!("the prompt speaks of the tool {}, which this agent is not granted", quoted(tool)),
        )
        .label("not granted")
        .help(help);
        if let Some(list) = grant.list {
            finding = finding.related(list, "what it is granted");
        }
        sink.push(finding);
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_part() {
        for (pattern, name, fits) in [
            ("*", "file_read", true),
            ("file_*", "file_read", true),
            ("file_*", "profile_read", false),
            ("*_read", "file_read", true),
            ("f*_r*d", "file_read", true),
            ("f*x*d", "file_read", false),
            ("file_read", "file_read", true),
            ("file", "file_read", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
