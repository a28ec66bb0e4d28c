//! What a skill configuration says and cannot mean.

use super::Sink;
use crate::rules;
use agentry::SkillConfig;
use agentry::skill_config::{ServedTool, ToolFilter};
use agentry_text::{Finding, Severity, quoted};
use std::collections::HashMap;

pub(super) fn check(skill: &SkillConfig, sink: &mut Sink<'_>) {
    let servers = sink.spelled("", "mcp_servers", "mcpServers");
    let folders = sink.spelled("", "agent_skill_folders", "agentSkillFolders");
    for (index, server) in skill.mcp_servers.iter().flatten().enumerate() {
        if let Some(filter) = &server.tool_filter {
            let pointer = sink.spelled(&format!("{servers}/{index}"), "tool_filter", "toolFilter");
            check_filter(filter, &pointer, sink);
        }
    }
    let tools = skill.tools.iter().flatten().map(|tool| tool.name.as_str());
    repeated(tools, "/tools", "name", "the skill names the tool", sink);
    let includes = skill.includes().iter().map(|inclusion| inclusion.name.as_str());
    repeated(includes, "/includes", "name", "the skill includes", sink);
    let names = skill.mcp_servers.iter().flatten().map(|server| server.name.as_str());
    repeated(names, &servers, "name", "two servers are called", sink);
    let paths = skill.agent_skill_folders.iter().flatten().map(|folder| folder.path.as_str());
    repeated(paths, &folders, "path", "the skill names the folder", sink);
}

impl Sink<'_> {
    /// The pointer of a key that has an older spelling.
    fn spelled(&self, table: &str, name: &str, older: &str) -> String {
        let current = format!("{table}/{name}");
        if self.root.pointer(&current).is_some() { current } else { format!("{table}/{older}") }
    }
}

/// Names that are there twice: legal, and the second says nothing new or contradicts the first.
fn repeated<'v>(
    values: impl Iterator<Item = &'v str>,
    list: &str,
    key: &str,
    what: &str,
    sink: &mut Sink<'_>,
) {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (index, value) in values.enumerate() {
        let Some(first) = seen.get(value) else {
            seen.insert(value, index);
            continue;
        };
        let finding = sink
            .finding(
                &agentry_text::rules::DUPLICATE_ENTRY,
                &format!("{list}/{index}/{key}"),
                format!("{what} {} twice", quoted(value)),
            )
            .severity(Severity::Warning)
            .label("a second time")
            .related(sink.span(&format!("{list}/{first}/{key}")), "the first time")
            .help("keep one of the two");
        sink.push(finding);
    }
}

fn check_filter(filter: &ToolFilter, pointer: &str, sink: &mut Sink<'_>) {
    if filter.include.as_ref().is_some_and(Vec::is_empty) {
        let finding = sink
            .finding(
                &agentry::rules::EMPTY_LIST,
                &format!("{pointer}/include"),
                "an empty `include` is read as every tool by some, and as none by others",
            )
            .label("all, or none?")
            .help("delete it for every tool, or delete the server for none");
        sink.push(finding);
    }
    let place = |list: &Option<Vec<ServedTool>>, name: &ServedTool| {
        list.iter().flatten().position(|other| other == name).unwrap_or_default()
    };
    for name in filter.contradictions() {
        let included = format!("{pointer}/include/{}", place(&filter.include, name));
        let excluded = format!("{pointer}/exclude/{}", place(&filter.exclude, name));
        let finding: Finding = sink
            .finding(
                &rules::CONTRADICTION,
                &excluded,
                format!("the tool {} is both included and excluded", quoted(name.as_str())),
            )
            .label("excluded here")
            .related(sink.span(&included), "included here")
            .help("keep it in one of the two lists");
        sink.push(finding);
    }
}
