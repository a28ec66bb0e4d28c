//! The tools that a prompt speaks of, against those that its agent is granted.
//!
//! Only names that nothing else has are looked for: those of the runtime's own tools, which are several words joined by `_`.
//! A prompt may also say what must not be called. Its sentences are looked at for that, which is not understanding them, so
//! all of this is worth knowing and no more.

use super::Sink;
use crate::tools::{BETWEEN_ROLES, covers, roles};
use crate::{prompt, rules};
use agentry_text::{Finding, Kind as NodeKind, Node, Span, quoted};

/// The profile that grants nothing by itself.
const OWN_TOOLS: &str = "custom";

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
    for (role, pointer) in roles {
        let Some(grant) = Grant::new(role, root.get("tools").map(|entry| &entry.node), several) else {
            continue;
        };
        let nested = role.get("model").is_some_and(|model| model.node.as_table().is_some());
        let prompt = if nested { "/model/system_prompt" } else { "/system_prompt" };
        let help = "add it to `tools` of the hand (and of the role, where that lists its own), or take it out of the prompt";
        check(sink, &grant, &format!("{pointer}{prompt}"), help);
    }
}

impl<'n> Grant<'n> {
    /// What an agent is granted; None where nobody can say: nothing is listed, or a profile of the runtime adds to it.
    fn new(agent: &'n Node, of_hand: Option<&'n Node>, several: bool) -> Option<Self> {
        let list = |key: &str| agent.get(key).map(|entry| names(&entry.node));
        let own = agent.get("capabilities").and_then(|entry| entry.node.get("tools"));
        // A role that states tools of its own has no others.
        let own = own.map(|entry| &entry.node).filter(|node| of_hand.is_none() || !names(node).is_empty());
        let mut grant = Self {
            tools: own.or(of_hand).map(names).unwrap_or_default(),
            only: list("tool_allowlist").filter(|only| !only.is_empty()),
            never: list("tool_blocklist").unwrap_or_default(),
            list: own.or(of_hand).map(|node| node.span),
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
        let among = |list: &[&str]| list.iter().any(|pattern| covers(pattern, tool));
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

/// One finding for each tool of a prompt, where it is first spoken of.
fn check(sink: &mut Sink<'_>, grant: &Grant<'_>, pointer: &str, help: &str) {
    let pointer = sink.spelled(pointer);
    let Some(text) = sink.root.pointer(&pointer).and_then(Node::as_str) else { return };
    let mut told: Vec<&str> = Vec::new();
    for (tool, place) in prompt::tools(text) {
        let always = ALWAYS.contains(&tool) || tool.starts_with(ALWAYS_PREFIX);
        if always || told.contains(&tool) || grant.has(tool) || prompt::is_negated(text, &place) {
            continue;
        }
        told.push(tool);
        let mut finding = Finding::new(
            &rules::UNOFFERED_TOOL,
            &pointer,
            sink.part(&pointer, text, place),
            format!("the prompt speaks of the tool {}, which this agent may not call", quoted(tool)),
        )
        .label("not among its tools")
        .help(help);
        if let Some(list) = grant.list {
            finding = finding.related(list, "its tools");
        }
        sink.push(finding);
    }
}
