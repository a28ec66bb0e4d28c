//! The tools of agents: those that runtimes have built in, and grants in one file that cannot take effect.

use crate::rules;
use agentry::Kind;
use agentry_text::{Finding, Kind as NodeKind, Node, quoted};
use std::collections::HashSet;

/// The tools that the LibreFang runtime has built in, in alphabetical order.
const BUILT_IN: [&str; 91] = [
    "a2a_discover",
    "a2a_send",
    "agent_find",
    "agent_kill",
    "agent_list",
    "agent_send",
    "agent_spawn",
    "apply_patch",
    "browser_back",
    "browser_click",
    "browser_close",
    "browser_navigate",
    "browser_read_page",
    "browser_run_js",
    "browser_screenshot",
    "browser_scroll",
    "browser_type",
    "browser_wait",
    "canvas_present",
    "channel_send",
    "code_search",
    "cron_cancel",
    "cron_create",
    "cron_enable",
    "cron_list",
    "docker_exec",
    "event_publish",
    "file_list",
    "file_read",
    "file_write",
    "goal_update",
    "hand_activate",
    "hand_deactivate",
    "hand_list",
    "hand_status",
    "image_analyze",
    "image_generate",
    "knowledge_add_entity",
    "knowledge_add_relation",
    "knowledge_query",
    "location_get",
    "media_describe",
    "media_transcribe",
    "memory_list",
    "memory_recall",
    "memory_store",
    "music_generate",
    "notify_owner",
    "process_kill",
    "process_list",
    "process_poll",
    "process_start",
    "process_write",
    "read_artifact",
    "schedule_create",
    "schedule_delete",
    "schedule_list",
    "schedule_resume",
    "shell_exec",
    "skill_evolve_create",
    "skill_evolve_delete",
    "skill_evolve_patch",
    "skill_evolve_remove_file",
    "skill_evolve_rollback",
    "skill_evolve_update",
    "skill_evolve_write_file",
    "skill_read_file",
    "speech_to_text",
    "system_time",
    "task_claim",
    "task_complete",
    "task_list",
    "task_post",
    "task_status",
    "text_to_speech",
    "tool_load",
    "tool_search",
    "video_generate",
    "video_status",
    "web_fetch",
    "web_fetch_to_file",
    "web_search",
    "wiki_get",
    "wiki_search",
    "wiki_write",
    "workflow_cancel",
    "workflow_describe",
    "workflow_list",
    "workflow_run",
    "workflow_start",
    "workflow_status",
];

/// What every role of a hand with several is granted.
pub(crate) const BETWEEN_ROLES: &str = "agent_send";

/// Whether a tool is one of those that runtimes have built in.
pub(crate) fn is_built_in(name: &str) -> bool {
    BUILT_IN.binary_search(&name).is_ok()
}

/// The built-in tool of which a name is one slip of the hand away: a letter more, less or other, two in the wrong order, or
/// another case or sign between words. Short names are near too many others.
pub(crate) fn slip(name: &str) -> Option<&'static str> {
    let fold = |name: &str| name.to_lowercase().replace(['-', ' '], "_").chars().collect::<Vec<char>>();
    let found = fold(name);
    if found.len() < 6 || found.len() > 60 {
        return None;
    }
    BUILT_IN.into_iter().find(|tool| {
        let tool = fold(tool);
        let same = found.iter().zip(&tool).take_while(|(one, other)| one == other).count();
        let (one, other) = (&found[same..], &tool[same..]);
        match (one, other) {
            ([], []) => true,
            ([_, rest @ ..], other) if rest == other => true,
            (one, [_, rest @ ..]) if one == rest => true,
            ([_, one @ ..], [_, other @ ..]) if one == other => true,
            ([a, b, one @ ..], [c, d, other @ ..]) => a == d && b == c && one == other,
            _ => false,
        }
    })
}

/// The roles of a hand, each with its pointer.
pub(crate) fn roles(hand: &Node) -> Vec<(&Node, String)> {
    let lone = hand.get("agent").map(|entry| (&entry.node, "/agent".to_owned()));
    let table = hand.get("agents").and_then(|entry| entry.node.as_table());
    let named = table
        .into_iter()
        .flat_map(|table| &table.entries)
        .map(|entry| (&entry.node, format!("/agents/{}", entry.key.replace('~', "~0").replace('/', "~1"))));
    lone.into_iter().chain(named).filter(|(node, _)| node.as_table().is_some()).collect()
}

/// Rules about the tools that one file grants. They look at the text as it stands, so that a fault elsewhere hides nothing.
pub(crate) fn check(kind: Kind, root: &Node, findings: &mut Vec<Finding>) {
    match kind {
        Kind::Agent => check_allowed(root, "", findings),
        Kind::Hand => {
            let roles = roles(root);
            check_hand(root, &roles, findings);
            for (role, pointer) in &roles {
                check_allowed(role, pointer, findings);
            }
        }
        _ => {}
    }
}

/// A list of tool names, where there is one.
fn list<'n>(node: &'n Node, key: &str) -> Option<Vec<(usize, &'n Node, &'n str)>> {
    match &node.get(key)?.node.kind {
        NodeKind::Array(items) => {
            let items = items.iter().enumerate();
            Some(items.filter_map(|(index, item)| Some((index, item, item.as_str()?))).collect())
        }
        _ => None,
    }
}

/// Tools that an agent may call, as its capabilities state it.
fn granted(agent: &Node) -> Option<Vec<(usize, &Node, &str)>> {
    list(&agent.get("capabilities")?.node, "tools")
}

/// An entry of `tool_allowlist` narrows what is granted: where nothing of it is, it allows nothing.
fn check_allowed(agent: &Node, at: &str, findings: &mut Vec<Finding>) {
    // A profile grants tools that the file does not list.
    if agent.get("profile").is_some() {
        return;
    }
    let (Some(allowed), Some(granted)) = (list(agent, "tool_allowlist"), granted(agent)) else { return };
    for (index, node, tool) in allowed {
        if granted.iter().any(|(_, _, grant)| meet(grant, tool)) {
            continue;
        }
        let shown = quoted(tool);
        let what = if tool.contains('*') { "has no tool of that pattern" } else { "does not have it" };
        let finding = Finding::new(
            &rules::POINTLESS_GRANT,
            format!("{at}/tool_allowlist/{index}"),
            node.span,
            format!("{shown} in `tool_allowlist` allows nothing: `capabilities.tools` {what}"),
        )
        .label("allows nothing")
        .help(format!(
            "add {shown} to `capabilities.tools`, or delete it here: this list only narrows what is granted there, and `*` stands for any text in both"
        ));
        findings.push(finding.masked());
    }
}

/// A tool of a hand that none of its roles may call: the model is shown it, and refused.
fn check_hand(hand: &Node, roles: &[(&Node, String)], findings: &mut Vec<Finding>) {
    let Some(tools) = list(hand, "tools").filter(|_| !roles.is_empty()) else { return };
    // A role that states no tools has those of the hand, or of the agent that it builds on.
    let granted: Option<Vec<_>> = roles.iter().map(|(role, _)| granted(role)).collect();
    let open = |role: &Node| role.get("profile").is_some() || role.get("base").is_some();
    let granted = granted.filter(|_| !roles.iter().any(|(role, _)| open(role)));
    let blocked: Vec<_> =
        roles.iter().map(|(role, _)| list(role, "tool_blocklist").unwrap_or_default()).collect();
    let mut seen = HashSet::new();
    for (index, node, tool) in tools {
        if !seen.insert(tool) || tool == BETWEEN_ROLES && roles.len() > 1 {
            continue;
        }
        let is_granted = |role: usize| {
            let by_list = |granted: &Vec<Vec<(usize, &Node, &str)>>| {
                granted[role].iter().any(|(_, _, grant)| meet(grant, tool))
            };
            granted.as_ref().is_none_or(by_list)
                && !blocked[role].iter().any(|(_, _, block)| covers(block, tool))
        };
        if (0..roles.len()).any(is_granted) {
            continue;
        }
        let message = format!("the hand has the tool {}, and none of its agents is granted it", quoted(tool));
        findings.push(
            Finding::new(&rules::UNGRANTED_TOOL, format!("/tools/{index}"), node.span, message)
                .label("no agent may call it")
                .help("add it to `capabilities.tools` of the agent that needs it, or delete it here")
                .masked(),
        );
    }
}

/// Whether a pattern, in which `*` is any text, stands for everything that another stands for.
pub(crate) fn covers(pattern: &str, other: &str) -> bool {
    let mut rest = other;
    let mut parts = pattern.split('*');
    let Some(first) = parts.next().and_then(|first| rest.strip_prefix(first)) else { return false };
    rest = first;
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether two patterns may stand for one tool. Two that both have a `*` are given the benefit of the doubt, but for what
/// comes before it.
fn meet(one: &str, other: &str) -> bool {
    if covers(one, other) || covers(other, one) {
        return true;
    }
    let before = |pattern: &str| pattern.split_once('*').map(|(before, _)| before.to_owned());
    match (before(one), before(other)) {
        (Some(one), Some(other)) => one.starts_with(&other) || other.starts_with(&one),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Checker, Input};
    use agentry_text::{Format, Lines};

    fn found(kind: Kind, text: &str) -> Vec<String> {
        let checked = Checker::default().check(&Input {
            path: None,
            kind: Some(kind),
            contract: None,
            format: Format::Toml,
            text,
        });
        let lines = Lines::new(text);
        let of_tools = ["pointless-grant", "ungranted-tool"];
        let findings = checked.findings.iter().filter(|one| of_tools.contains(&one.rule.name));
        findings
            .map(|one| {
                let at = lines.position(one.span.start);
                format!("{}:{} {} {} {}", at.line, at.column, one.severity.name(), one.rule.name, one.pointer)
            })
            .collect()
    }

    #[test]
    fn built_in_tools_are_in_order_and_typed_with_slips() {
        assert!(BUILT_IN.is_sorted());
        // Texts are searched for such words alone.
        assert!(BUILT_IN.iter().all(|tool| tool.contains('_')));
        for (name, near) in [
            ("file_raed", Some("file_read")),
            ("File-Read", Some("file_read")),
            ("web_serch", Some("web_search")),
            ("web_searchh", Some("web_search")),
            ("shell_exex", Some("shell_exec")),
            ("file_edit", None),
            ("page_list", None),
            ("book_berth", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(slip(name), near, "{name}");
        }
    }

    #[test]
    fn patterns_cover_and_meet() {
        for (one, other, covers_it, meets) in [
            ("a", "a", true, true),
            ("a", "b", false, false),
            ("*", "a_b", true, true),
            ("a_*", "a_b", true, true),
            ("a_*", "a", false, false),
            ("a*c", "abbc", true, true),
            ("a*b*c", "axbxc", true, true),
            ("a*b*c", "axxc", false, false),
            ("a_b", "a_*", false, true),
            ("a_*", "b_*", false, false),
            ("*_x", "a_*", false, true),
        ] {
            assert_eq!((covers(one, other), meet(one, other)), (covers_it, meets), "{one} {other}");
        }
    }

    #[test]
    fn a_list_allows_only_what_is_granted() {
        const HEAD: &str = "name = \"a\"\ndescription = \"A.\"\nmodule = \"builtin:chat\"\n";
        const MODEL: &str = "[model]\nsystem_prompt = \"x\"\n";
        for (keys, tables, expected) in [
            (
                "tool_allowlist = [\"web_search\", \"file_read\"]",
                "[capabilities]\ntools = [\"file_read\"]\n",
                &["4:19 warning pointless-grant /tool_allowlist/0"][..],
            ),
            (
                "mcp_servers = [\"*\"]\ntool_allowlist = [\"file_read\", \"mcp_*\"]",
                "[capabilities]\ntools = [\"file_read\"]\n",
                &["5:32 warning pointless-grant /tool_allowlist/1"],
            ),
            ("tool_allowlist = [\"file_*\"]", "[capabilities]\ntools = [\"file_read\"]\n", &[]),
            ("tool_allowlist = [\"file_read\"]", "[capabilities]\ntools = [\"*\"]\n", &[]),
            ("tool_allowlist = [\"file_read\"]", "", &[]),
            ("profile = \"coding\"\ntool_allowlist = [\"web_search\"]", "[capabilities]\ntools = []\n", &[]),
            // A fault elsewhere hides nothing.
            (
                "tags = 1\ntool_allowlist = [\"web_search\"]",
                "[capabilities]\ntools = [\"file_read\"]\n",
                &["5:19 warning pointless-grant /tool_allowlist/0"],
            ),
        ] {
            let text = format!("{HEAD}{keys}\n{tables}{MODEL}");
            assert_eq!(found(Kind::Agent, &text), expected, "{text}");
        }
    }

    #[test]
    fn a_tool_of_a_hand_is_granted_to_one_of_its_agents() {
        const HEAD: &str = "id = \"a\"\nname = \"A\"\ndescription = \"A.\"\ncategory = \"data\"\n";
        let role = |name: &str, more: &str| {
            format!(
                "[agents.{name}]\nname = \"{name}\"\nmodule = \"builtin:chat\"\nsystem_prompt = \"x\"\n{more}"
            )
        };
        let caps = |name: &str, tools: &str| format!("[agents.{name}.capabilities]\ntools = {tools}\n");
        for (tools, agents, expected) in [
            (
                "[\"web_fetch\", \"shell_exec\"]",
                role("main", &caps("main", "[\"web_fetch\"]")),
                &["5:23 warning ungranted-tool /tools/1"][..],
            ),
            ("[\"web_fetch\"]", role("main", ""), &[]),
            (
                "[\"web_fetch\"]",
                role("main", "tool_blocklist = [\"web_*\"]\n"),
                &["5:10 warning ungranted-tool /tools/0"],
            ),
            (
                "[\"web_fetch\", \"agent_send\"]",
                role("main", &caps("main", "[]")) + &role("clerk", &caps("clerk", "[\"web_*\"]")),
                &[],
            ),
            // One that says nothing has all, and what a base grants nobody knows.
            ("[\"web_fetch\"]", role("main", &caps("main", "[]")) + &role("clerk", ""), &[]),
            ("[\"web_fetch\"]", role("main", &format!("base = \"coder\"\n{}", caps("main", "[]"))), &[]),
        ] {
            let text = format!("{HEAD}tools = {tools}\n{agents}");
            assert_eq!(found(Kind::Hand, &text), expected, "{text}");
        }
    }
}
