//! What an agent, or a role of a hand, says and cannot mean.

use super::Sink;
use super::look::{below, entries, flag, items, number, text};
use super::provider::check_limits;
use crate::rules;
use agentry_text::{Kind, Node, Rule, Severity, quoted};

/// The keys of an agent file that say nothing of what the agent does.
const ABOUT: [&str; 5] = ["version", "author", "tags", "metadata", "i18n"];

/// The keys of a flat role that the runtime reads: all others are dropped.
const FLAT: [&str; 17] = [
    "name",
    "description",
    "module",
    "provider",
    "model",
    "api_key_env",
    "base_url",
    "max_tokens",
    "temperature",
    "max_iterations",
    "system_prompt",
    "tool_allowlist",
    "tool_blocklist",
    "coordinator",
    "invoke_hint",
    "base",
    "manifest",
];

/// An agent file.
pub(super) fn check(root: &Node, sink: &mut Sink<'_>) {
    let model = root.get("model").map(|entry| &entry.node).filter(|model| model.as_table().is_some());
    check_agent(root, "", model, "/model", sink);
    only_shown(
        root,
        "",
        "i18n",
        "the runtime of LibreFang drops the translations of an agent: only catalogues can show them",
        sink,
    );
}

/// The roles of a hand.
pub(super) fn check_roles(root: &Node, sink: &mut Sink<'_>) {
    let lone = root.get("agent").map(|entry| ("/agent".to_owned(), &entry.node));
    let named = root.get("agents").map(|entry| entries(&entry.node)).unwrap_or_default();
    let named = named.iter().map(|role| (below("/agents", &role.key), &role.node));
    let roles: Vec<(String, &Node)> = lone.into_iter().chain(named).collect();
    let mut first: Option<&str> = None;
    for (pointer, role) in &roles {
        if role.as_table().is_none() {
            continue;
        }
        match role.get("model").map(|entry| &entry.node).filter(|model| model.as_table().is_some()) {
            Some(model) => check_agent(role, pointer, Some(model), &format!("{pointer}/model"), sink),
            None => check_flat(role, pointer, sink),
        }
        if flag(role, "coordinator") != Some(true) {
            continue;
        }
        let Some(other) = first else {
            first = Some(pointer);
            continue;
        };
        let finding = sink
            .finding(
                &rules::CONTRADICTION,
                &format!("{pointer}/coordinator"),
                "two roles of the hand say that users talk to them",
            )
            .label("a second coordinator")
            .related(sink.span(&format!("{other}/coordinator")), "the first one")
            .help("keep it at the role that users talk to, and which then calls the others");
        sink.push(finding);
    }
}

/// A role whose model has no table of its own: the runtime reads few keys of it.
fn check_flat(role: &Node, pointer: &str, sink: &mut Sink<'_>) {
    unused_variable(role, pointer, sink);
    // What a role that builds on an agent file keeps is not known.
    if role.get("base").is_some() {
        return;
    }
    let known = agentry::Kind::Agent.shape();
    for entry in entries(role) {
        let key = entry.key.as_str();
        if FLAT.contains(&key) || !known.is_some_and(|shape| shape.knows(key)) {
            continue;
        }
        let drawn = if ABOUT.contains(&key) { &rules::CATALOGUE_KEY } else { &rules::DROPPED_KEY };
        let mut finding = sink
            .finding(
                drawn,
                &below(pointer, key),
                format!("the runtime of LibreFang drops `{key}` of a role that is written flat"),
            )
            .label("dropped without a word")
            .help("put `provider`, `model`, `max_tokens`, `temperature` and `system_prompt` into a table `model` of the role: then every key of an agent file counts")
            .key(key);
        finding.span = entry.key_span;
        sink.push(finding);
    }
}

fn check_agent(agent: &Node, pointer: &str, model: Option<&Node>, at: &str, sink: &mut Sink<'_>) {
    if let Some(model) = model {
        unused_variable(model, at, sink);
        check_limits(model, at, sink);
        check_budget(agent, pointer, model, at, sink);
    }
    check_fallbacks(agent, pointer, model, at, sink);
    check_grants(agent, pointer, sink);
    check_tools(agent, pointer, sink);
    check_calls(agent, pointer, sink);
    if let Some(routing) = agent.get("routing").map(|entry| &entry.node) {
        let at = below(pointer, "routing");
        let (simple, complex) = (number(routing, "simple_threshold"), number(routing, "complex_threshold"));
        if let (Some(simple), Some(complex)) = (simple, complex)
            && simple > complex
        {
            contradicts(
                &format!("{at}/simple_threshold"),
                &format!("{at}/complex_threshold"),
                format!(
                    "a question of fewer than {simple} tokens is simple, and one of more than {complex} complex"
                ),
                "write a `simple_threshold` below the `complex_threshold`",
                Severity::Warning,
                sink,
            );
        }
    }
    if let Some(resources) = agent.get("resources").map(|entry| &entry.node) {
        dropped(
            resources,
            &below(pointer, "resources"),
            "max_concurrent_tools",
            "the runtime of LibreFang drops this limit: nothing holds tool calls back",
            sink,
        );
    }
}

/// Lists in which `*` stands for everything.
const GRANTS: [(&str, &str); 7] = [
    ("tools", "every tool"),
    ("shell", "every command"),
    ("network", "every host"),
    ("memory_read", "all memory"),
    ("memory_write", "all memory"),
    ("agent_message", "every agent"),
    ("ofp_connect", "every machine"),
];

fn check_grants(agent: &Node, pointer: &str, sink: &mut Sink<'_>) {
    let capabilities = agent.get("capabilities").map(|entry| &entry.node);
    let lists = GRANTS.iter().filter_map(|(key, all)| {
        Some((format!("{pointer}/capabilities/{key}"), items(capabilities?, key), *all))
    });
    let servers = (format!("{pointer}/mcp_servers"), items(agent, "mcp_servers"), "every server");
    for (list, granted, all) in lists.chain([servers]) {
        for (index, _) in granted.iter().enumerate().filter(|(_, item)| item.as_str() == Some("*")) {
            let finding = sink
                .finding(
                    &rules::WILDCARD_GRANT,
                    &format!("{list}/{index}"),
                    format!("the agent is granted {all}, and whatever is added later"),
                )
                .label("everything")
                .help("name what it needs");
            sink.push(finding);
        }
    }
}

/// A key that the runtime reads and forgets, although it should change what an agent does.
pub(super) fn dropped(table: &Node, pointer: &str, key: &str, message: &str, sink: &mut Sink<'_>) {
    forgotten(&rules::DROPPED_KEY, table, pointer, key, message, sink);
}

/// A key that the runtime reads and forgets, and that only catalogues show.
pub(super) fn only_shown(table: &Node, pointer: &str, key: &str, message: &str, sink: &mut Sink<'_>) {
    forgotten(&rules::CATALOGUE_KEY, table, pointer, key, message, sink);
}

fn forgotten(
    rule: &'static Rule,
    table: &Node,
    pointer: &str,
    key: &str,
    message: &str,
    sink: &mut Sink<'_>,
) {
    let Some(entry) = table.get(key) else { return };
    let mut finding = sink
        .finding(rule, &below(pointer, key), message)
        .severity(Severity::Hint)
        .label("dropped without a word")
        .help("keep it for other readers, and do not rely on it")
        .key(key);
    finding.span = entry.key_span;
    sink.push(finding);
}

/// The same of a key of translations: once, at the first.
pub(super) fn only_shown_translation(root: &Node, key: &str, message: &str, sink: &mut Sink<'_>) {
    let languages = root.get("i18n").map(|entry| entries(&entry.node)).unwrap_or_default();
    if let Some(first) = languages.iter().find(|language| language.node.get(key).is_some()) {
        only_shown(&first.node, &below("/i18n", &first.key), key, message, sink);
    }
}

fn contradicts(
    pointer: &str,
    other: &str,
    message: String,
    help: &str,
    severity: Severity,
    sink: &mut Sink<'_>,
) {
    let finding = sink
        .finding(&rules::CONTRADICTION, pointer, message)
        .severity(severity)
        .label("cannot both hold")
        .related(sink.span(other), "the other statement")
        .help(help);
    sink.push(finding);
}

/// The provider `default` is the runtime's own, with the runtime's own key.
fn unused_variable(model: &Node, pointer: &str, sink: &mut Sink<'_>) {
    let variable = text(model, "api_key_env").unwrap_or_default();
    if text(model, "provider") != Some("default") || variable.is_empty() {
        return;
    }
    let finding = sink
        .finding(
            &agentry::rules::POINTLESS_KEY,
            &format!("{pointer}/api_key_env"),
            "the provider `default` is the one of the runtime, which has its own key",
        )
        .label("never used")
        .related(sink.span(&format!("{pointer}/provider")), "the provider")
        .help("delete it, or name the provider that the key is for");
    sink.push(finding);
}

/// What is asked, in the order of asking: two that are the same ask the same model twice.
#[derive(PartialEq)]
struct Asked<'n> {
    provider: &'n str,
    model: &'n str,
    /// What tells apart two accounts or addresses of one provider.
    account: [Option<&'n str>; 2],
    settings: Option<&'n Kind>,
}

impl<'n> Asked<'n> {
    fn new(model: Option<&'n Node>) -> Self {
        let of = |key| model.and_then(|model| text(model, key)).filter(|text| !text.is_empty());
        let provider = of("provider").unwrap_or("default");
        // The runtime's own provider has the runtime's own key.
        let variable = of("api_key_env").filter(|_| provider != "default");
        Self {
            provider,
            model: of("model").or_else(|| of("name")).unwrap_or("default"),
            account: [variable, of("base_url")],
            settings: model.and_then(|model| model.get("extra_params")).map(|entry| &entry.node.kind),
        }
    }
}

fn check_fallbacks(agent: &Node, pointer: &str, model: Option<&Node>, at: &str, sink: &mut Sink<'_>) {
    let fallbacks = items(agent, "fallback_models");
    // A role may have its model from the agent file that it builds on.
    let known = agent.get("base").is_none()
        || model.is_some_and(|model| model.get("provider").is_some() && model.get("model").is_some());
    let mut asked: Vec<(Asked<'_>, String)> = Vec::new();
    if known {
        asked.push((Asked::new(model), at.to_owned()));
    }
    for (index, fallback) in fallbacks.iter().enumerate() {
        let place = format!("{pointer}/fallback_models/{index}");
        if fallback.get("provider").is_none() || fallback.get("model").is_none() {
            continue;
        }
        let this = Asked::new(Some(fallback));
        if let Some((_, first)) = asked.iter().find(|(other, _)| *other == this) {
            let shown = format!("{} of {}", quoted(this.model), quoted(this.provider));
            let (what, other) = if first == at {
                (format!("this falls back to the agent's own model, {shown}"), "asked first")
            } else {
                (format!("this falls back to {shown} a second time"), "the first time")
            };
            let span = sink.span(&format!("{first}/model"));
            let mut finding = sink
                .finding(&rules::REPEATED_FALLBACK, &format!("{place}/model"), what)
                .label("fails again for the same reason")
                .help("name another model or another provider, or delete the entry");
            if span.start < span.end {
                finding = finding.related(span, other);
            }
            sink.push(finding);
        } else {
            asked.push((this, place));
        }
    }
}

fn check_budget(agent: &Node, pointer: &str, model: &Node, at: &str, sink: &mut Sink<'_>) {
    let Some(answer) = number(model, "max_tokens") else { return };
    if let Some(most) = number(model, "max_output_tokens")
        && answer > most
    {
        contradicts(
            &format!("{at}/max_tokens"),
            &format!("{at}/max_output_tokens"),
            format!("an answer may have {answer} tokens, and the model puts out {most} at most"),
            "write a `max_tokens` that the model can put out",
            Severity::Warning,
            sink,
        );
    }
    let budget = agent.get("thinking").and_then(|entry| number(&entry.node, "budget_tokens"));
    if let Some(budget) = budget
        && budget >= answer
        && answer >= 1.0
    {
        contradicts(
            &format!("{pointer}/thinking/budget_tokens"),
            &format!("{at}/max_tokens"),
            format!(
                "thinking may take {budget} tokens, and answer and thinking together may have {answer}: none are left"
            ),
            "write a budget below `max_tokens`, or raise `max_tokens`",
            Severity::Warning,
            sink,
        );
    }
}

fn check_tools(agent: &Node, pointer: &str, sink: &mut Sink<'_>) {
    let allowed = items(agent, "tool_allowlist");
    for (index, tool) in items(agent, "tool_blocklist").iter().enumerate() {
        let Some(name) = tool.as_str() else { continue };
        if let Some(other) = allowed.iter().position(|other| other.as_str() == Some(name)) {
            contradicts(
                &format!("{pointer}/tool_blocklist/{index}"),
                &format!("{pointer}/tool_allowlist/{other}"),
                format!("the tool {} is both offered and never offered", quoted(name)),
                "keep it in one of the two lists",
                Severity::Warning,
                sink,
            );
        }
    }
    for (off, list) in
        [("mcp_disabled", "mcp_servers"), ("skills_disabled", "skills"), ("tools_disabled", "tool_allowlist")]
    {
        if flag(agent, off) == Some(true) && !items(agent, list).is_empty() {
            contradicts(
                &format!("{pointer}/{list}"),
                &format!("{pointer}/{off}"),
                format!("`{off}` takes away what `{list}` names"),
                "delete one of the two",
                // Somebody may have switched them off for a while.
                Severity::Hint,
                sink,
            );
        }
    }
}

fn check_calls(agent: &Node, pointer: &str, sink: &mut Sink<'_>) {
    let Some(calls) = number(agent, "max_concurrent_invocations") else { return };
    if calls > 1.0 && text(agent, "session_mode") != Some("new") {
        let finding = sink
            .finding(
                &rules::CONTRADICTION,
                &format!("{pointer}/max_concurrent_invocations"),
                format!("{calls} calls may run at once, and each continues the one conversation"),
            )
            .label("calls wait for each other")
            .help("add `session_mode = \"new\"`, or delete the key");
        sink.push(finding);
    }
}

/// A server itself where its name belongs: in the lists of agents and hands. The reader says what it found; where servers
/// are declared, it cannot know.
pub(super) fn name_what_was_meant(sink: &mut Sink<'_>) {
    // Elsewhere a list of this name holds the servers themselves.
    if !matches!(sink.kind, agentry::Kind::Agent | agentry::Kind::Hand) {
        return;
    }
    let root = sink.root;
    for finding in sink.findings.iter_mut().filter(|finding| finding.severity == Severity::Error) {
        let Some((list, _)) = finding.pointer.rsplit_once('/') else { continue };
        if !list.ends_with("mcp_servers") {
            continue;
        }
        let Some(node) = root.pointer(&finding.pointer) else { continue };
        let is_json = |text: &str| text.trim_start().starts_with('{') && text.trim_end().ends_with('}');
        let what = match &node.kind {
            Kind::Table(_) => "a server",
            Kind::String(text) if is_json(text) => "a server, written as JSON in a string",
            _ => continue,
        };
        finding.help = Some(format!(
            "this is {what}: name it here, and declare it in a file of its own, `mcp/<name>.toml`, under `[transport]`"
        ));
    }
}
