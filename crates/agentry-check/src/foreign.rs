//! Documents of other programs: what a file seems to be that is of no kind.
//!
//! Whoever names such a file took it for one of ours. What it is, and what would be ours, helps more than a list of kinds.

use crate::detect::has_all;
use agentry_text::Node;
use std::path::Path;

/// A sort of document that is not read.
pub(crate) struct Foreign {
    /// What it is, after "it looks like".
    pub(crate) what: &'static str,
    /// What is ours instead.
    pub(crate) help: &'static str,
    /// Groups of keys, as a kind has them: all keys of one group tell it.
    tells: &'static [&'static str],
    /// The name that its file must have too; any, where there is none.
    name: Option<&'static str>,
}

const TOOL: &str = "the manifest of a tool has `id`, `description`, `version`, `input` and `output`, in a file \
                    `tools/<id>.tool.json`";

const SERVER: &str =
    "an integration describes one server, in a file `mcp/<id>.toml` with `id`, `name` and `[transport]`";

const FOREIGN: &[Foreign] = &[
    Foreign {
        what: "a tool as servers of MCP list it",
        help: TOOL,
        tells: &["/name:string /inputSchema", "/tools/0/inputSchema"],
        name: None,
    },
    Foreign {
        what: "a tool as it is sent to a model",
        help: TOOL,
        tells: &[
            "/name:string /input_schema",
            "/id:string /input_schema",
            "/type:string /function/name",
            "/type:string /name:string /parameters:table",
        ],
        name: None,
    },
    Foreign {
        what: "a server as a registry of MCP servers lists it",
        help: SERVER,
        tells: &[
            "/name:string /packages/0/registryType",
            "/name:string /packages/0/registry_type",
            "/name:string /remotes/0/url /version",
        ],
        name: None,
    },
    Foreign {
        what: "a client's list of MCP servers",
        help: SERVER,
        tells: &["/mcpServers:table", "/mcp_servers:table", "/mcp_servers:array"],
        name: None,
    },
    Foreign {
        what: "a marketplace, which lists plugins",
        help: "a plugin is checked by its own `plugin.toml`",
        tells: &["/owner /plugins/0/source"],
        name: None,
    },
    Foreign {
        what: "an agent card, which tells other agents what one can do",
        help: "an `agent` or a `package` says how an agent is made",
        tells: &["/defaultInputModes:array /skills:array"],
        name: None,
    },
    Foreign {
        what: "a JSON Schema",
        help: "schemas are checked where they stand in a manifest, such as the `input` of a tool",
        tells: &[
            "/type:string /properties:table",
            "/$schema:string /$defs:table",
            "/$schema:string /definitions:table",
        ],
        name: None,
    },
    Foreign {
        what: "the configuration of a daemon",
        help: "what is meant for one agent is read from its own `agent.toml` only, and not from `[agents.<name>]` in \
               such a file",
        tells: &[
            "/agents:table",
            "/approval:table",
            "/approval_policy:table",
            "/default_model:table",
            "/proactive_memory:table",
        ],
        name: Some("config.toml"),
    },
];

/// What a document seems to be that is of no kind.
pub(crate) fn recognize(path: Option<&Path>, root: &Node) -> Option<&'static Foreign> {
    let name = path.and_then(Path::file_name).map(|name| name.to_string_lossy().to_lowercase());
    FOREIGN.iter().find(|one| {
        one.name.is_none_or(|wanted| name.as_deref() == Some(wanted))
            && one.tells.iter().any(|group| has_all(root, group))
    })
}

/// Each sort with its groups of keys.
#[cfg(test)]
pub(crate) fn tells() -> impl Iterator<Item = (&'static str, Vec<&'static &'static str>)> {
    FOREIGN.iter().map(|one| (one.what, one.tells.iter().collect()))
}

#[cfg(test)]
mod tests {
    use crate::{Checker, Input};
    use agentry_text::Format;
    use std::path::Path;

    #[test]
    fn files_of_other_programs_are_named_as_what_they_are() {
        for (path, text, expected) in [
            (
                "list.json",
                r#"{"name": "tides", "inputSchema": {"type": "object"}}"#,
                "servers of MCP list it",
            ),
            ("list.json", r#"{"tools": [{"name": "tides", "inputSchema": {}}]}"#, "servers of MCP list it"),
            ("send.json", r#"{"name": "tides", "input_schema": {}}"#, "it is sent to a model"),
            ("send.json", r#"{"type": "function", "function": {"name": "tides"}}"#, "it is sent to a model"),
            (
                "server.json",
                r#"{"name": "io.acme/a", "packages": [{"registryType": "npm"}]}"#,
                "a registry of MCP servers lists it",
            ),
            (
                ".mcp.json",
                r#"{"mcpServers": {"tides": {"command": "tides"}}}"#,
                "a client's list of MCP servers",
            ),
            ("servers.toml", "[[mcp_servers]]\nname = \"tides\"\n", "a client's list of MCP servers"),
            ("market.json", r#"{"owner": {}, "plugins": [{"source": "./"}]}"#, "a marketplace"),
            ("agent.json", r#"{"name": "a", "defaultInputModes": ["text"], "skills": []}"#, "an agent card"),
            (
                "a.json",
                r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {}}"#,
                "a JSON Schema",
            ),
            (
                "config.toml",
                "[agents.one.proactive_memory]\nenabled = true\n",
                "the configuration of a daemon",
            ),
            // By another name, the same keys say nothing.
            ("other.toml", "[agents.one.proactive_memory]\nenabled = true\n", ""),
            ("a.json", r#"{"name": "tides", "kind": "other"}"#, ""),
        ] {
            let format = if path.ends_with("toml") { Format::Toml } else { Format::Json };
            let input = Input { path: Some(Path::new(path)), kind: None, contract: None, format, text };
            let found = Checker::default().check(&input).findings;
            let [finding] = &found[..] else { panic!("{path}: {found:#?}") };
            assert_eq!(finding.rule.name, "unknown-kind", "{path}");
            assert_eq!(
                finding.message.contains("looks like"),
                !expected.is_empty(),
                "{text}: {}",
                finding.message
            );
            assert!(finding.message.contains(expected), "{text}: {}", finding.message);
        }
    }

    #[test]
    fn nothing_of_a_file_of_credentials_is_shown() {
        let text = "ACME_PASSWORD=hunter2\n";
        for (path, is_masked) in
            [(".env", true), ("deploy/.env.local", true), (".env.example", false), ("notes", false)]
        {
            let input =
                Input { path: Some(Path::new(path)), kind: None, contract: None, format: Format::Toml, text };
            let checked = Checker::default().check(&input);
            let rules: Vec<_> = checked.findings.iter().map(|finding| finding.rule.name).collect();
            assert_eq!(rules, ["unknown-kind"], "{path}");
            let covered = checked.secrets.iter().any(|span| span.start == 0 && span.end == text.len());
            assert_eq!(covered, is_masked, "{path}: {:?}", checked.secrets);
        }
    }
}
