//! What a package says and cannot mean.

use super::Sink;
use super::look::{below, entries, items, read_items};
use crate::rules;
use agentry::package::{
    Capability, ClientSideTool, McpTransport, PackageFile, PackageFolder, PackageMcpServer, PackageTool,
    SideEffectClass, ToolHints, is_resource_id, literal_secret,
};
use agentry::values::HttpUrl;
use agentry_text::{Finding, Kind, Node, Rule, Severity, quoted, read_root};
use std::collections::HashMap;

/// How many findings one table of settings may have.
const MAX_IN_SETTINGS: usize = 20;

pub(super) fn check(root: &Node, sink: &mut Sink<'_>) {
    let tools = read_items::<PackageTool>(items(root, "tools"));
    check_repeated(root, &tools, sink);
    let servers = sink.spelled("/mcpServers");
    for server in root.pointer(&servers).map(entries).unwrap_or_default() {
        if let Some(read) = read_root::<PackageMcpServer>(&server.node).value {
            check_server(&read, &below(&servers, &server.key), sink);
        }
    }
    for (index, tool) in &tools {
        let PackageTool::ClientSide(tool) = tool else { continue };
        check_tool(tool, &format!("/tools/{index}"), sink);
    }
    let metadata = items(root, "tools").iter().enumerate().filter_map(|(index, tool)| {
        let metadata = tool.get("hints")?.node.get("metadata")?;
        Some((&metadata.node, format!("/tools/{index}/hints/metadata")))
    });
    for (metadata, pointer) in metadata {
        check_settings(metadata, &pointer, false, sink);
    }
    for channel in root.get("channels").map(|entry| entries(&entry.node)).unwrap_or_default() {
        if let Some(config) = channel.node.get("config") {
            check_settings(&config.node, &below(&below("/channels", &channel.key), "config"), true, sink);
        }
    }
    for (index, capability) in items(root, "capabilities").iter().enumerate() {
        if let Some(config) = capability.get("config") {
            check_settings(&config.node, &format!("/capabilities/{index}/config"), false, sink);
        }
    }
    if let Some(environments) = root.get("environments") {
        check_settings(&environments.node, "/environments", false, sink);
    }
}

/// Searches a table by keys of somebody else's for what must not be there. A fault in it was reported.
fn check_settings(table: &Node, pointer: &str, ids: bool, sink: &mut Sink<'_>) {
    let mut settings = Settings { ids, found: Vec::new() };
    settings.look("", table, pointer);
    settings.report(sink);
}

/// Entries of lists that nobody could tell apart. The specification allows them, so they are warnings.
fn check_repeated(root: &Node, tools: &[(usize, PackageTool)], sink: &mut Sink<'_>) {
    let tools = tools.iter();
    repeated(
        tools.map(|(index, tool)| (tool.name().as_str(), format!("/tools/{index}/name"))),
        |name| format!("two tools are called {}, and a model could call only one of them", quoted(name)),
        "give each tool a name of its own",
        sink,
    );
    let files = read_items::<PackageFile>(items(root, "files"));
    let files = files.iter().filter_map(|(index, file)| {
        let key = match file {
            PackageFile::Source(source) if source.path().is_none() => "/source",
            PackageFile::Source(_) | PackageFile::Inline(_) => "/path",
            _ => "",
        };
        Some((file.destination()?, format!("/files/{index}{key}")))
    });
    repeated(
        files,
        |place| {
            format!(
                "two files go to {} in the working directory, and one would replace the other",
                quoted(place)
            )
        },
        "give each file a place of its own: `x`, `/x` and `/workspace/x` are one place",
        sink,
    );
    let capabilities = read_items::<Capability>(items(root, "capabilities"));
    let capabilities = capabilities.iter().map(|(index, capability)| {
        let key = if capability.table().is_some() { "/ref" } else { "" };
        (capability.name().as_str(), format!("/capabilities/{index}{key}"))
    });
    repeated(
        capabilities,
        |name| format!("the capability {} is listed twice", quoted(name)),
        "keep one of the two, with the settings that are meant",
        sink,
    );
    let skills = read_items::<PackageFolder>(items(root, "skills"));
    repeated(
        skills.iter().map(|(index, folder)| (folder.plain(), format!("/skills/{index}"))),
        |folder| format!("the skill in {} is listed twice", quoted(folder)),
        "delete one of the two",
        sink,
    );
}

fn repeated<'p>(
    entries: impl Iterator<Item = (&'p str, String)>,
    message: impl Fn(&str) -> String,
    help: &str,
    sink: &mut Sink<'_>,
) {
    let mut seen: HashMap<&str, String> = HashMap::new();
    for (name, pointer) in entries {
        let Some(first) = seen.get(name) else {
            seen.insert(name, pointer);
            continue;
        };
        let finding = sink
            .finding(&agentry_text::rules::DUPLICATE_ENTRY, &pointer, message(name))
            .severity(Severity::Warning)
            .label("a second time")
            .related(sink.span(first), "the first time")
            .help(help);
        sink.push(finding);
    }
}

fn check_server(server: &PackageMcpServer, pointer: &str, sink: &mut Sink<'_>) {
    let is_there = |key: &str, sink: &Sink<'_>| sink.root.pointer(&below(pointer, key)).is_some();
    let connection = &server.connection;
    let pointless = |key: &str, message: &str, help: &str, sink: &mut Sink<'_>| {
        let place = below(pointer, key);
        let mut finding =
            sink.finding(&agentry::rules::POINTLESS_KEY, &place, message).label("never used").help(help);
        if is_there("type", sink) {
            finding = finding.related(sink.span(&below(pointer, "type")), "the transport");
        }
        sink.push(finding);
    };
    match connection.transport() {
        McpTransport::Stdio => {
            let finding = sink
                .finding(
                    &rules::UNSUPPORTED_TRANSPORT,
                    &below(pointer, "type"),
                    "the server is a program, and hosts of today reach servers over HTTP only",
                )
                .label("no host starts it")
                .help("run the server where hosts can reach it, and give its `url` with `type = \"http\"`");
            sink.push(finding);
            if server.headers.as_ref().is_some_and(|headers| !headers.is_empty()) {
                pointless("headers", "headers are for HTTP, and this server is a program", "delete it", sink);
            }
            if connection.url().is_some() {
                pointless("url", "a program has no address, and this server is one", "delete it", sink);
            }
        }
        // An entry of a catalogue may be reached in another way, unless the file says otherwise.
        McpTransport::Http if connection.preset().is_none() || is_there("type", sink) => {
            let keys = [
                ("command", connection.command().is_some()),
                ("args", server.args.as_ref().is_some_and(|args| !args.is_empty())),
                ("env", server.env.as_ref().is_some_and(|env| !env.is_empty())),
            ];
            for (key, _) in keys.into_iter().filter(|(_, given)| *given) {
                let message = format!("`{key}` is for programs, and this server is reached over HTTP");
                pointless(key, &message, "delete it; what a server is sent stands in `headers`", sink);
            }
        }
        _ => {}
    }
    if let (Some(url), Some(_)) = (connection.url(), connection.preset())
        && connection.transport() == McpTransport::Http
        && HttpUrl::new(url.as_str()).is_err()
    {
        let finding = sink
            .finding(
                &agentry::rules::UNREADABLE_VALUE,
                &below(pointer, "url"),
                format!("{} is not a web address", quoted(url.as_str())),
            )
            .label("no server is there")
            .help("write `https://` and a host, or leave it to the entry of the catalogue that `use` names");
        sink.push(finding);
    }
}

fn check_tool(tool: &ClientSideTool, pointer: &str, sink: &mut Sink<'_>) {
    if tool.full_parameters().is_some() {
        let finding = sink
            .finding(
                &rules::RUNTIME_KEY,
                &below(pointer, "full_parameters"),
                "`full_parameters` is what a runtime keeps while it holds `parameters` back",
            )
            .label("written by runtimes")
            .help("delete it: `parameters` is what an author writes");
        sink.push(finding);
    }
    if let Some(hints) = &tool.hints {
        check_hints(hints, &below(pointer, "hints"), sink);
    }
}

fn check_hints(hints: &ToolHints, pointer: &str, sink: &mut Sink<'_>) {
    let says = |hint: Option<&bool>, flag: bool| hint == Some(&flag);
    let class = hints.side_effect_class();
    let at = |key: &str| below(pointer, key);
    let mut contradicts = |key: &str, other: &str, message: &str, help: &str| {
        let finding = sink
            .finding(&rules::CONTRADICTION, &at(key), message)
            .label("cannot both hold")
            .related(sink.span(&at(other)), "the other statement")
            .help(help);
        sink.push(finding);
    };
    if says(hints.destructive(), true) && says(hints.readonly(), true) {
        contradicts(
            "destructive",
            "readonly",
            "the tool says that it only reads, and that it may destroy something",
            "keep the true one of the two: a read-only tool is called without asking anybody",
        );
    }
    if says(hints.destructive(), true) && class == Some(&SideEffectClass::Pure) {
        contradicts(
            "side_effect_class",
            "destructive",
            "the tool says that it has no effect, and that it may destroy something",
            "write \"Idempotent\" or \"AtMostOnce\", or delete `destructive`",
        );
    }
    if says(hints.idempotent(), false)
        && matches!(class, Some(SideEffectClass::Pure | SideEffectClass::Idempotent))
    {
        contradicts(
            "side_effect_class",
            "idempotent",
            "the tool says that a second call changes more, and that it may be called as often as one likes",
            "write \"AtMostOnce\", or delete `idempotent`",
        );
    }
    if says(hints.readonly(), true)
        && hints.concurrency_class().is_some_and(|class| !class.as_str().is_empty())
    {
        let finding = sink
            .finding(
                &agentry::rules::POINTLESS_KEY,
                &at("concurrency_class"),
                "a read-only tool needs no class: with one, its calls wait for each other",
            )
            .label("makes reading slower")
            .related(sink.span(&at("readonly")), "it only reads")
            .help("delete it");
        sink.push(finding);
    }
}

/// What an author wrote by keys of somebody else's, searched for what must not be there.
struct Settings {
    /// Whether ids of a host must not be there either.
    ids: bool,
    /// Each fault with its place.
    found: Vec<(String, &'static Rule)>,
}

impl Settings {
    fn look(&mut self, key: &str, node: &Node, pointer: &str) {
        match &node.kind {
            Kind::String(text) if literal_secret(key, text) => {
                self.found.push((pointer.to_owned(), &agentry::rules::LITERAL_SECRET));
            }
            Kind::String(text) if self.ids && is_resource_id(text) => {
                self.found.push((pointer.to_owned(), &agentry::rules::RESOURCE_ID));
            }
            Kind::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.look(key, item, &format!("{pointer}/{index}"));
                }
            }
            Kind::Table(table) => {
                for entry in &table.entries {
                    self.look(&entry.key, &entry.node, &below(pointer, &entry.key));
                }
            }
            _ => {}
        }
    }

    fn report(self, sink: &mut Sink<'_>) {
        for (pointer, rule) in self.found.into_iter().take(MAX_IN_SETTINGS) {
            let finding: Finding = if rule == &agentry::rules::LITERAL_SECRET {
                sink.finding(rule, &pointer, "a credential stands in the file")
                    .label("looks like the value itself")
                    .help("delete it here, and bind the credential at the host: packages are passed on")
            } else {
                sink.finding(rule, &pointer, "this looks like the id that one host gave to something")
                    .label("an id of one host")
                    .help("leave it to the host that the package is installed on")
            };
            sink.push(finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Checker, Input};
    use agentry::Kind;
    use agentry_text::Format;
    use serde_json::{Value, json};

    /// What is found in a package with these keys, as `severity[rule] pointer`.
    fn shown(keys: &Value) -> String {
        let mut package = json!({ "name": "ticket-helper" });
        for (key, value) in keys.as_object().unwrap() {
            package[key] = value.clone();
        }
        let text = package.to_string();
        let input = Input {
            path: None,
            kind: Some(Kind::Package),
            contract: None,
            format: Format::Json,
            text: &text,
        };
        let checked = Checker::default().check(&input);
        let shown = checked.findings.iter().map(|finding| {
            let place = &text[finding.span.start..finding.span.end];
            assert!(!place.is_empty(), "a finding without a place: {finding:?}");
            format!("{}[{}] {}", finding.severity.name(), finding.rule.name, finding.pointer)
        });
        shown.collect::<Vec<_>>().join(", ")
    }

    fn tool(keys: &Value) -> Value {
        let mut tool = json!({
            "name": "lookup",
            "description": "Looks it up.",
            "type": "client_side",
            "parameters": { "type": "object" },
        });
        for (key, value) in keys.as_object().unwrap() {
            tool[key] = value.clone();
        }
        tool
    }

    fn hints(hints: &Value) -> Value {
        json!({ "tools": [tool(&json!({ "hints": hints }))] })
    }

    fn server(keys: &Value) -> Value {
        json!({ "mcpServers": { "a/b": keys } })
    }

    #[test]
    fn contradictions_of_a_tool_draw_warnings() {
        let hints_of = "/tools/0/hints";
        for (keys, expected) in [
            (hints(&json!({ "readonly": true, "destructive": false })), String::new()),
            (hints(&json!({ "readonly": true, "destructive": null })), String::new()),
            (
                hints(&json!({ "readonly": true, "destructive": true })),
                format!("warning[contradiction] {hints_of}/destructive"),
            ),
            (
                hints(&json!({ "destructive": true, "side_effect_class": "Pure" })),
                format!("warning[contradiction] {hints_of}/side_effect_class"),
            ),
            (hints(&json!({ "destructive": true, "side_effect_class": "Idempotent" })), String::new()),
            (
                hints(&json!({ "idempotent": false, "side_effect_class": "Idempotent" })),
                format!("warning[contradiction] {hints_of}/side_effect_class"),
            ),
            (hints(&json!({ "idempotent": true, "side_effect_class": "AtMostOnce" })), String::new()),
            (
                hints(&json!({ "readonly": true, "concurrency_class": "files" })),
                format!("warning[pointless-key] {hints_of}/concurrency_class"),
            ),
            (hints(&json!({ "readonly": true, "concurrency_class": "" })), String::new()),
            (hints(&json!({ "readonly": false, "concurrency_class": "files" })), String::new()),
            (
                hints(&json!({ "metadata": { "api_token": "hunter2" } })),
                format!("warning[literal-secret] {hints_of}/metadata/api_token"),
            ),
            (
                json!({ "tools": [tool(&json!({ "full_parameters": {} }))] }),
                "hint[runtime-key] /tools/0/full_parameters".to_owned(),
            ),
            (json!({ "tools": [tool(&json!({ "full_parameters": null }))] }), String::new()),
        ] {
            assert_eq!(shown(&keys), expected, "{keys}");
        }
    }

    #[test]
    fn schemas_of_tools_are_judged_at_their_places() {
        let schema = json!({ "type": "strng" });
        let tools = json!({ "tools": [
            tool(&json!({})),
            tool(&json!({ "name": "two", "parameters": schema, "full_parameters": schema })),
        ] });
        assert_eq!(
            shown(&tools),
            "error[invalid-schema] /tools/1/parameters/type, hint[runtime-key] /tools/1/full_parameters, \
             error[invalid-schema] /tools/1/full_parameters/type"
        );
    }

    #[test]
    fn entries_that_nobody_could_tell_apart_draw_warnings() {
        for (keys, expected) in [
            (json!({ "tools": [tool(&json!({})), tool(&json!({}))] }), "/tools/1/name"),
            (json!({ "files": ["a.md", "./a.md"] }), "/files/1"),
            (json!({ "files": ["a.md", { "path": "/workspace/a.md", "content": "" }] }), "/files/1/path"),
            (
                json!({ "files": [{ "source": "b.md", "path": "a.md" }, { "source": "a.md" }] }),
                "/files/1/source",
            ),
            (json!({ "files": ["a.md", "A.md", "a*", "a*"] }), ""),
            (json!({ "capabilities": ["clock", { "ref": "clock" }] }), "/capabilities/1/ref"),
            (json!({ "skills": ["skills/a", "./skills/a/"] }), "/skills/1"),
        ] {
            let expected = if expected.is_empty() {
                String::new()
            } else {
                format!("warning[duplicate-entry] {expected}")
            };
            assert_eq!(shown(&keys), expected, "{keys}");
        }
    }

    #[test]
    fn keys_of_the_other_transport_draw_warnings() {
        let url = "https://mcp.example.com/mcp";
        for (keys, expected) in [
            (json!({ "url": url }), ""),
            (json!({ "url": url, "headers": { "X-Team": "ops" } }), ""),
            (json!({ "url": url, "command": "npx" }), "warning[pointless-key] /mcpServers/a~1b/command"),
            (json!({ "url": url, "command": null, "args": [], "env": {} }), ""),
            (json!({ "url": url, "args": ["-y"] }), "warning[pointless-key] /mcpServers/a~1b/args"),
            (json!({ "url": url, "env": { "A": "b" } }), "warning[pointless-key] /mcpServers/a~1b/env"),
            (
                json!({ "type": "stdio", "command": "npx", "url": "" }),
                "warning[unsupported-transport] /mcpServers/a~1b/type",
            ),
            (
                json!({ "type": "stdio", "command": "npx", "url": url, "headers": { "X-Team": "ops" } }),
                "warning[unsupported-transport] /mcpServers/a~1b/type, warning[pointless-key] \
                 /mcpServers/a~1b/url, warning[pointless-key] /mcpServers/a~1b/headers",
            ),
            (json!({ "use": "catalog:linear", "command": "npx" }), ""),
            (
                json!({ "use": "catalog:linear", "url": "nowhere" }),
                "warning[unreadable-value] /mcpServers/a~1b/url",
            ),
        ] {
            assert_eq!(shown(&server(&keys)), expected, "{keys}");
        }
        let legacy = json!({ "mcp_servers": { "docs": { "type": "stdio", "command": "npx" } } });
        assert_eq!(
            shown(&legacy),
            "warning[legacy-name] /mcp_servers, warning[unsupported-transport] /mcp_servers/docs/type"
        );
    }

    #[test]
    fn credentials_and_ids_do_not_belong_into_settings() {
        let id = "0193a4f2-77aa-7cc1-9d3e-5b1f00aa12cd";
        for (keys, expected) in [
            (
                json!({ "channels": { "chat": { "type": "slack", "config": { "bot_token": "hunter2", "team": id } } } }),
                "warning[literal-secret] /channels/chat/config/bot_token, warning[resource-id] \
                 /channels/chat/config/team",
            ),
            (
                json!({ "channels": { "chat": { "type": "slack", "config": { "bot_token": "${SLACK_TOKEN}" } } } }),
                "",
            ),
            (
                json!({ "capabilities": [{ "ref": "web", "config": { "auth": [{ "password": "hunter2" }], "team": id } }] }),
                "warning[literal-secret] /capabilities/0/config/auth/0/password",
            ),
            (
                json!({ "environments": { "default": { "env": { "ACME_TOKEN": "hunter2" } } } }),
                "warning[literal-secret] /environments/default/env/ACME_TOKEN",
            ),
            (
                json!({ "capabilities": [format!("capability_{}", "0193a4f277aa7cc19d3e")] }),
                "warning[resource-id] /capabilities/0",
            ),
            (
                json!({ "model": { "provider": id, "model": id }, "harness": id }),
                "warning[resource-id] /model/provider, warning[resource-id] /model/model, warning[resource-id] /harness",
            ),
        ] {
            assert_eq!(shown(&keys), expected, "{keys}");
        }
    }
}
