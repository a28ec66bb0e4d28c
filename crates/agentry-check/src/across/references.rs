//! Names of things that are defined in other files: agents, skills, plugins, MCP servers, providers and tools.

use super::{Findings, Mention, Run, folded};
use crate::{pointer, rules, tools};
use agentry::Kind;
use agentry::agent::{AgentModel, FallbackModel};
use agentry_text::{Kind as NodeKind, Node, Read, Rule, Severity, quoted};
use std::collections::{HashMap, HashSet};

/// The word that leaves a choice to the runtime.
pub(super) const DEFAULT: &str = "default";

/// What a file names.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) to: Target,
    pub(super) name: Mention,
}

/// What is meant by a name.
#[derive(Debug)]
pub(super) enum Target {
    /// An agent that has a file of its own: a role builds on it.
    Base,
    /// An agent, wherever it comes from.
    Agent,
    /// An agent that messages may be sent to: it may also be one that is started later.
    Peer,
    Skill,
    Plugin,
    Server,
    Tool,
    Provider,
    /// A model, of a provider if one is named.
    Model {
        provider: Option<String>,
    },
}

impl Target {
    /// The kind of the documents that define such things, where it is those of one kind, and the rule about the others.
    fn defined_by(&self) -> Option<(Kind, &'static Rule, &'static str)> {
        Some(match self {
            Self::Base | Self::Agent | Self::Peer => (Kind::Agent, &rules::UNKNOWN_AGENT, "agent"),
            Self::Skill => (Kind::Skill, &rules::UNKNOWN_SKILL, "skill"),
            Self::Plugin => (Kind::Plugin, &rules::UNKNOWN_PLUGIN, "plugin"),
            Self::Server => (Kind::Integration, &rules::UNKNOWN_SERVER, "MCP server"),
            Self::Provider => (Kind::Provider, &rules::UNKNOWN_PROVIDER, "provider"),
            Self::Tool | Self::Model { .. } => return None,
        })
    }
}

/// What a document of a kind names.
pub(super) fn of(kind: Kind, root: &Node) -> Vec<Reference> {
    let mut found = References::default();
    match kind {
        Kind::Agent => found.agent(root, ""),
        Kind::Hand => {
            found.list(root, "/tools", || Target::Tool);
            found.granted(root, "");
            for (role, pointer) in tools::roles(root) {
                found.add(role, &pointer, "base", Target::Base);
                found.agent(role, &pointer);
            }
        }
        Kind::Workflow => {
            for (index, step) in items(root, "steps").iter().enumerate() {
                found.add(step, &format!("/steps/{index}"), "agent", Target::Agent);
            }
            for (index, parameter) in items(root, "parameters").iter().enumerate() {
                let param_type = parameter.get("param_type").and_then(|entry| entry.node.as_str());
                if param_type == Some("agent_id") {
                    found.add(parameter, &format!("/parameters/{index}"), "default", Target::Agent);
                }
            }
        }
        Kind::Provider => {
            for (index, model) in items(root, "models").iter().enumerate() {
                found.add(model, &format!("/models/{index}"), "provider", Target::Provider);
            }
        }
        Kind::Skill => found.list(root, "/requirements/tools", || Target::Tool),
        Kind::Plugin => found.list(root, "/plugin_depends", || Target::Plugin),
        _ => {}
    }
    found.0
}

/// The items of a list, or none.
pub(super) fn items<'n>(table: &'n Node, key: &str) -> &'n [Node] {
    match table.get(key).map(|entry| &entry.node.kind) {
        Some(NodeKind::Array(items)) => items,
        _ => &[],
    }
}

#[derive(Default)]
struct References(Vec<Reference>);

impl References {
    fn push(&mut self, to: Target, name: Option<Mention>) {
        // What says everything or a pattern names nothing, nor does what leaves the choice open.
        if let Some(name) = name.filter(|name| !name.name.contains('*') && name.name != DEFAULT) {
            self.0.push(Reference { to, name });
        }
    }

    fn add(&mut self, table: &Node, at: &str, key: &str, to: Target) {
        let name = table.get(key).and_then(|entry| Mention::of(&entry.node, format!("{at}/{key}")));
        self.push(to, name);
    }

    fn list(&mut self, root: &Node, pointer: &str, to: impl Fn() -> Target) {
        let Some(NodeKind::Array(items)) = root.pointer(pointer).map(|node| &node.kind) else { return };
        self.items(items, pointer, to);
    }

    fn items(&mut self, items: &[Node], pointer: &str, to: impl Fn() -> Target) {
        for (index, item) in items.iter().enumerate() {
            self.push(to(), Mention::of(item, format!("{pointer}/{index}")));
        }
    }

    /// What a hand and an agent are both granted.
    fn granted(&mut self, table: &Node, at: &str) {
        for (key, to) in [
            ("skills", (|| Target::Skill) as fn() -> Target),
            ("mcp_servers", || Target::Server),
            ("allowed_plugins", || Target::Plugin),
        ] {
            self.items(items(table, key), &format!("{at}/{key}"), to);
        }
    }

    /// An agent, or a role of a hand.
    fn agent(&mut self, agent: &Node, at: &str) {
        self.granted(agent, at);
        for key in ["tool_allowlist", "tool_blocklist"] {
            self.items(items(agent, key), &format!("{at}/{key}"), || Target::Tool);
        }
        if let Some(capabilities) = agent.get("capabilities") {
            self.items(items(&capabilities.node, "tools"), &format!("{at}/capabilities/tools"), || {
                Target::Tool
            });
            let at = format!("{at}/capabilities/agent_message");
            self.items(items(&capabilities.node, "agent_message"), &at, || Target::Peer);
        }
        match agent.get("model") {
            Some(model) if model.node.as_table().is_some() => {
                self.model(&model.node, &format!("{at}/model"), AgentModel::shape());
            }
            _ => self.model(agent, at, None),
        }
        for (index, fallback) in items(agent, "fallback_models").iter().enumerate() {
            self.model(fallback, &format!("{at}/fallback_models/{index}"), FallbackModel::shape());
        }
        self.add(agent, at, "pinned_model", Target::Model { provider: None });
        if let Some(routing) = agent.get("routing") {
            for key in ["simple_model", "medium_model", "complex_model"] {
                let to = Target::Model { provider: None };
                self.add(&routing.node, &format!("{at}/routing"), key, to);
            }
        }
    }

    /// A provider and a model of it.
    fn model(&mut self, table: &Node, at: &str, shape: Option<&agentry_text::Shape>) {
        // Whoever gives an address talks to something that no catalogue needs to know.
        let own_address = table.get("base_url").is_some_and(|entry| entry.node.as_str() != Some(""));
        if own_address {
            return;
        }
        let provider = table.get("provider").and_then(|entry| entry.node.as_str());
        let provider = provider.filter(|provider| *provider != DEFAULT).map(str::to_owned);
        self.add(table, at, "provider", Target::Provider);
        if let Some(entry) = pointer::spelling(shape, table, "model") {
            let name = Mention::of(&entry.node, format!("{at}/{}", entry.key));
            self.push(Target::Model { provider }, name);
        }
    }
}

/// Applies the rules over what the files of a run name. Models have rules of their own.
pub(super) fn check(run: &Run<'_>, findings: &mut Findings) {
    let foreign = with_other_tools(run);
    for (file, facts) in run.facts() {
        for Reference { to, name } in &facts.references {
            let found = match to {
                Target::Tool => tool(run, file, name, &foreign),
                to => to.defined_by().and_then(|defined| document(run, file, to, name, defined)),
            };
            findings.extend(found.map(|finding| (file, finding)));
        }
    }
}

/// A document that should be there.
fn document(
    run: &Run<'_>,
    file: usize,
    to: &Target,
    name: &Mention,
    (kind, rule, thing): (Kind, &'static Rule, &str),
) -> Option<agentry_text::Finding> {
    let wanted = name.name.as_str();
    if run.defines(file, kind, wanted) {
        return None;
    }
    let is_peer = matches!(to, Target::Peer);
    if (is_peer || matches!(to, Target::Agent)) && (is_runtime_id(wanted) || run.has_role(file, wanted)) {
        return None;
    }
    let all = run.holds_all(file, kind);
    let near = run.nearest(file, kind, wanted);
    // Where files are missing, only a name that is spelled otherwise says anything.
    let near = near.filter(|near| all || folded(near) == folded(wanted));
    if !all && near.is_none() {
        return None;
    }
    let shown = quoted(wanted);
    let article = if thing.starts_with(['a', 'M']) { "an" } else { "a" };
    let finding = name
        .finding(rule, format!("no file of this registry defines {article} {thing} {shown}"))
        .severity(if all && !(is_peer && near.is_none()) { Severity::Warning } else { Severity::Hint })
        .label("defined nowhere");
    if let Some(near) = near {
        return Some(finding.label("not the name of one").help(format!("did you mean {}?", quoted(near))));
    }
    let folder = kind.paths().first().and_then(|path| path.split('/').next()).unwrap_or_default();
    Some(
        finding.help(format!("name one that is defined under `{folder}/`, add it there, or delete the name")),
    )
}

/// Agents are also named by the ids that runtimes give them.
fn is_runtime_id(name: &str) -> bool {
    name.len() == 36 && name.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

/// The registries, each the outermost, that are written for another runtime: they name several tools that nobody knows,
/// more than half as many as they name of those that are built in.
fn with_other_tools(run: &Run<'_>) -> HashSet<usize> {
    let mut named: HashMap<usize, (HashSet<&str>, HashSet<&str>)> = HashMap::new();
    for (file, facts) in run.facts() {
        let Some(registry) = run.outermost(file) else { continue };
        let tools = facts.references.iter().filter(|reference| matches!(reference.to, Target::Tool));
        for name in tools.map(|reference| reference.name.name.as_str()) {
            let (known, unknown) = named.entry(registry).or_default();
            if tools::is_built_in(name) {
                known.insert(name);
            } else if !is_of_others(name) && tools::slip(name).is_none() {
                unknown.insert(name);
            }
        }
    }
    let others = named
        .into_iter()
        .filter(|(_, (known, unknown))| unknown.len() >= 3 && 2 * unknown.len() > known.len());
    others.map(|(registry, _)| registry).collect()
}

/// Whether a name is of a tool that others offer: tools of servers begin so, and what has parts of another sort is named by
/// the rules of somebody else.
fn is_of_others(name: &str) -> bool {
    name.starts_with("mcp_") || name.contains(['.', ':', '/'])
}

/// A tool that nothing offers. Servers and skills offer tools that no manifest lists, so that an unknown name is at most
/// worth a hint; one that is a slip of the hand away from a built-in tool is more.
fn tool(
    run: &Run<'_>,
    file: usize,
    name: &Mention,
    foreign: &HashSet<usize>,
) -> Option<agentry_text::Finding> {
    let wanted = name.name.as_str();
    if is_of_others(wanted) || tools::is_built_in(wanted) || run.defines(file, Kind::Tool, wanted) {
        return None;
    }
    let shown = quoted(wanted);
    let finding = |message: String| name.finding(&rules::UNKNOWN_TOOL, message);
    if let Some(near) = tools::slip(wanted) {
        return Some(
            finding(format!("no built-in tool is called {shown}, and one is called `{near}`"))
                .label("not the name of a tool")
                .help(format!("write \"{near}\", unless a server or a skill has a tool of the other name")),
        );
    }
    let foreign = run.outermost(file).is_some_and(|registry| foreign.contains(&registry));
    if foreign || !run.holds_all(file, Kind::Integration) || !run.holds_all(file, Kind::Skill) {
        return None;
    }
    Some(
        finding(format!("{shown} is no built-in tool, and nothing in this registry says that it offers it"))
            .severity(Severity::Hint)
            .label("offered by nothing here")
            .help("tools of an MCP server are called `mcp_<server>_<tool>`; ignore this where a skill brings the tool along"),
    )
}
