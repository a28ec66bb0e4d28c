//! What a skill configuration says and cannot mean.

use super::Sink;
use super::look::text;
use crate::rules;
use agentry::skill_config::{ServedTool, ToolFilter};
use agentry_text::{Finding, Kind as NodeKind, Node, Severity, quoted, read_root};
use std::collections::HashMap;

pub(super) fn check(root: &Node, sink: &mut Sink<'_>) {
    let servers = sink.spelled("/mcp_servers");
    let folders = sink.spelled("/agent_skill_folders");
    let list = |pointer: &str| match root.pointer(pointer).map(|node| &node.kind) {
        Some(NodeKind::Array(items)) => items.as_slice(),
        _ => &[],
    };
    for index in 0..list(&servers).len() {
        let pointer = sink.spelled(&format!("/mcp_servers/{index}/tool_filter"));
        if let Some(filter) = root.pointer(&pointer).and_then(|node| read_root::<ToolFilter>(node).value) {
            check_filter(&filter, &pointer, sink);
        }
    }
    repeated(list("/tools"), "/tools", "name", "the skill names the tool", sink);
    repeated(list("/includes"), "/includes", "name", "the skill includes", sink);
    repeated(list(&servers), &servers, "name", "two servers are called", sink);
    repeated(list(&folders), &folders, "path", "the skill names the folder", sink);
}

/// Names that are there twice: legal, and the second says nothing new or contradicts the first.
fn repeated(items: &[Node], list: &str, key: &str, what: &str, sink: &mut Sink<'_>) {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        let Some(value) = text(item, key).filter(|_| !sink.is_refused(&format!("{list}/{index}/{key}")))
        else {
            continue;
        };
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

#[cfg(test)]
mod tests {
    use crate::{Checker, Input};
    use agentry::Kind;
    use agentry_text::{Format, Lines};

    fn found(lines: &str) -> String {
        let text = format!("name: x/a\n{lines}\n");
        let input = Input {
            path: None,
            kind: Some(Kind::SkillConfig),
            contract: None,
            format: Format::Yaml,
            text: &text,
        };
        let places = Lines::new(&text);
        let checked = Checker::default().check(&input);
        let shown = checked.findings.iter().map(|one| {
            let at = places.position(one.span.start);
            format!("{} {} {} {}:{}", one.severity.name(), one.rule.name, one.pointer, at.line, at.column)
        });
        shown.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_cannot_be_meant_draws_a_warning() {
        let server = "mcp_servers:\n- {name: m, transport: stdio, command: npx,";
        let tool = "inline_tools:\n- name: t\n  source: custom\n  code: 'def run(input_data): pass'\n";
        for (lines, expected) in [
            (format!("{server} tool_filter: {{include: [a, b], exclude: [c]}}}}"), ""),
            (
                format!("{server}\n   tool_filter: {{include: [a, b], exclude: [c, b, b]}}}}"),
                "warning contradiction /mcp_servers/0/tool_filter/exclude/1 4:48",
            ),
            (
                format!("{server}\n   tool_filter: {{include: []}}}}"),
                "warning empty-list /mcp_servers/0/tool_filter/include 4:27",
            ),
            (
                "tools:\n- name: x/b\n- name: x/b\n  writes: true".to_owned(),
                "warning duplicate-entry /tools/1/name 4:9",
            ),
            (
                "includes: [{name: x/b}, {name: x/c}, {name: x/b}]".to_owned(),
                "warning duplicate-entry /includes/2/name 2:45",
            ),
            (
                format!("{server}}}\n- {{name: m, transport: sse, url: 'https://x.example'}}"),
                "warning duplicate-entry /mcp_servers/1/name 4:10",
            ),
            (
                "agent_skill_folders: [{path: a}, {path: a}]".to_owned(),
                "warning duplicate-entry /agent_skill_folders/1/path 2:41",
            ),
            (
                format!("{tool}  input_schema: {{type: strng}}"),
                "error invalid-schema /inline_tools/0/input_schema/type 6:24",
            ),
            (
                format!("{}  inputSchema: {{$ref: '#/gone'}}", tool.replace("inline_tools", "inlineTools")),
                "warning legacy-name /inlineTools 2:1\nwarning legacy-name /inlineTools/0/inputSchema 6:3\n\
                 error dangling-reference /inlineTools/0/inputSchema/$ref 6:23",
            ),
        ] {
            assert_eq!(found(&lines), expected, "{lines}");
        }
    }
}
