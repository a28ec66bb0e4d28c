//! MCP servers whose tools belong to a skill.

use super::any_text;
use crate::rules;
use crate::values::{Argument, HttpUrl};
use agentry_macros::document;
use agentry_text::{
    Condition, Entry, Fields, Invalid, Kind, Map, Reader, UnlistedKeys, When, looks_secret, names_secret,
    options, quoted, shown_text_type, text_type,
};

/// An MCP server whose tools belong to the skill. Over `stdio` it is started, which needs its `command`; over `sse` and
/// `streamable-http` it runs elsewhere, which needs its `url`. Keys of the other sort are legal, and have no effect.
#[document(no_new, conditions(STARTED, ELSEWHERE), remark = Self::remark)]
pub struct McpServer {
    /// What the server is called in this skill.
    #[key(example = "issue-tracker")]
    pub name: ServerLabel,
    /// How the server is reached.
    transport: Transport,
    /// The program to start, for `stdio`.
    #[key(example = "npx")]
    command: Option<LaunchCommand>,
    /// What the program is called with. Name an exact version of a package, or every start may fetch another.
    #[key(example = ["-y", "@acme/issue-tracker-mcp@2.3.1"])]
    pub args: Option<Vec<Argument>>,
    /// Environment variables that the program gets. Write `${NAME}` for everything secret, never the value.
    pub env: Option<Map<VariableName, VariableValue>>,
    /// The server's address, for `sse` and `streamable-http`.
    #[key(example = "https://mcp.acme.example/mcp")]
    url: Option<HttpUrl>,
    /// Headers of each request to a server elsewhere. Write `${NAME}` for everything secret, never the value.
    pub headers: Option<Map<HeaderName, HeaderValue>>,
    /// Which of the server's tools belong to the skill. Absent means all of them. The older spelling `toolFilter` is read
    /// too.
    #[key(legacy("toolFilter"))]
    pub tool_filter: Option<ToolFilter>,
}

const STARTED: Condition = Condition::Requires {
    when: When { path: &["transport"], is: &["stdio"], or_absent: false },
    keys: &["command"],
    why: "a server over `stdio` is a program that is started",
};

const ELSEWHERE: Condition = Condition::Requires {
    when: When { path: &["transport"], is: &["sse", "streamable-http"], or_absent: false },
    keys: &["url"],
    why: "a server that is not started has an address",
};

options! {
    /// How an MCP server is reached.
    pub enum Transport {
        /// It is started, and spoken to through its input and output.
        Stdio = "stdio" from "specification",
        /// It runs elsewhere, and sends its answers as server-sent events: the older of the two ways.
        Sse = "sse" from "specification",
        /// It runs elsewhere, and is reached by streamable HTTP.
        StreamableHttp = "streamable-http" from "specification",
    }
}

any_text! {
    /// What an MCP server is called in a skill.
    pub struct ServerLabel { form: "the name of a server: any text", example: "issue-tracker" }

    /// The program that is started as a server.
    pub struct LaunchCommand { form: "a command: any text", example: "npx" }

    /// The name of a tool, as its server has it.
    pub struct ServedTool { form: "the name of a tool: any text", example: "list_issues" }
}

/// Which tools of a server belong to a skill.
#[document]
pub struct ToolFilter {
    /// Only these tools.
    #[key(example = ["list_issues", "read_issue"])]
    pub include: Option<Vec<ServedTool>>,
    /// All tools but these.
    #[key(example = ["delete_issue"])]
    pub exclude: Option<Vec<ServedTool>>,
}

impl ToolFilter {
    /// The names that are in both lists, each once.
    pub fn contradictions(&self) -> Vec<&ServedTool> {
        let excluded: std::collections::HashSet<&ServedTool> = self.exclude.iter().flatten().collect();
        let mut seen = std::collections::HashSet::new();
        self.include.iter().flatten().filter(|name| excluded.contains(name) && seen.insert(*name)).collect()
    }
}

shown_text_type! {
    /// The name of an environment variable. Any text is kept; what no system takes as a name draws a warning.
    pub struct VariableName {
        pattern: r"^[\s\S]*$",
        form: "the name of an environment variable: any text",
        example: "LOG_LEVEL",
        remark: |text| (text.is_empty() || text.contains(['=', '\0'])).then(|| {
            Invalid::new(&rules::UNREADABLE_VALUE, format!("no environment variable can be called {}", quoted(text)))
                .label("not the name of a variable")
                .help("write letters, digits and `_`, such as `LOG_LEVEL`")
        }),
    }
}

text_type! {
    /// The value of an environment variable, in which `${NAME}` stands for a variable of the runtime's own environment. What
    /// stands in an environment is often secret, so it is never shown.
    pub struct VariableValue {
        pattern: r"^[\s\S]*$",
        form: "the value of an environment variable: any text",
        example: "",
        secret: true,
    }
}

shown_text_type! {
    /// The name of a header. Any text is kept; what HTTP does not allow as a name draws a warning.
    pub struct HeaderName {
        pattern: r"^[\s\S]*$",
        form: "the name of a header: any text",
        example: "X-Team",
        remark: |text| (!crate::tool::is_token(text)).then(|| {
            Invalid::new(&rules::UNREADABLE_VALUE, format!("HTTP allows no header to be called {}", quoted(text)))
                .label("not the name of a header")
                .help("write letters, digits and hyphens, such as `X-Request-Id`, without a colon")
        }),
    }
}

text_type! {
    /// The value of a header, in which `${NAME}` stands for a variable of the runtime's own environment. It is often secret, so it
    /// is never shown.
    pub struct HeaderValue {
        pattern: r"^[\s\S]*$",
        form: "the value of a header: any text",
        example: "",
        secret: true,
    }
}

impl McpServer {
    /// A server that is started.
    #[must_use]
    pub fn stdio(name: ServerLabel, command: LaunchCommand) -> Self {
        Self { command: Some(command), ..Self::bare(name, Transport::Stdio) }
    }

    /// A server elsewhere that sends its answers as server-sent events.
    #[must_use]
    pub fn sse(name: ServerLabel, url: HttpUrl) -> Self {
        Self { url: Some(url), ..Self::bare(name, Transport::Sse) }
    }

    /// A server elsewhere that is reached by streamable HTTP.
    #[must_use]
    pub fn streamable_http(name: ServerLabel, url: HttpUrl) -> Self {
        Self { url: Some(url), ..Self::bare(name, Transport::StreamableHttp) }
    }

    fn bare(name: ServerLabel, transport: Transport) -> Self {
        Self {
            name,
            transport,
            command: None,
            args: None,
            env: None,
            url: None,
            headers: None,
            tool_filter: None,
            unlisted_keys: UnlistedKeys::default(),
        }
    }

    /// How the server is reached.
    pub fn transport(&self) -> &Transport {
        &self.transport
    }

    /// The program to start. Where the server is elsewhere, it has no effect.
    pub fn command(&self) -> Option<&LaunchCommand> {
        self.command.as_ref()
    }

    /// The server's address. Where the server is started, it has no effect.
    pub fn url(&self) -> Option<&HttpUrl> {
        self.url.as_ref()
    }

    fn remark<'t>(fields: &Fields<'t>, reader: &mut Reader<'t>) {
        remark_on_transport(fields, reader);
        for (name, place) in [("env", "variable"), ("headers", "header")] {
            let Some(entry) = fields.peek(name) else { continue };
            let Some(table) = entry.node.as_table() else { continue };
            reader.in_key(&entry.key, |reader| {
                for entry in &table.entries {
                    let given = entry.node.as_str().is_some_and(|value| is_credential(&entry.key, value));
                    if given {
                        let message = format!(
                            "the {place} {} is given a credential, in a file that others read",
                            quoted(&entry.key)
                        );
                        literal(entry, &message, reader);
                    }
                }
            });
        }
        if let Some(entry) = fields.peek("url")
            && entry.node.as_str().is_some_and(holds_credential)
        {
            literal(entry, "the address holds a credential, in a file that others read", reader);
        }
        if let Some(entry) = fields.peek("args")
            && let Kind::Array(items) = &entry.node.kind
        {
            let mut flag: Option<&str> = None;
            for (index, item) in items.iter().enumerate() {
                let text = item.as_str().unwrap_or_default();
                let follows =
                    flag.take().is_some_and(|flag| !text.starts_with('-') && is_credential(flag, text));
                if follows || holds_credential(text) {
                    reader.secret(item);
                    let invalid = warning("this argument is a credential, in a file that others read");
                    reader.in_key(&entry.key, |reader| {
                        reader.in_index(index, |reader| reader.invalid(item, &invalid));
                    });
                }
                flag = text.strip_prefix('-').map(|name| name.trim_start_matches('-'));
            }
        }
    }
}

/// Keys that have no effect with the server's transport.
fn remark_on_transport<'t>(fields: &Fields<'t>, reader: &mut Reader<'t>) {
    let transport = fields.peek("transport").and_then(|entry| entry.node.as_str());
    let (keys, message, help): (&[&str], _, _) = match transport {
        Some("stdio") => (
            &["url", "headers"],
            "a server over `stdio` is started, and no request goes to an address",
            "delete it, or write the `transport` of a server elsewhere: `streamable-http` or `sse`",
        ),
        Some("sse" | "streamable-http") => (
            &["command", "args", "env"],
            "a server elsewhere is not started",
            "delete it, or write `stdio` as the `transport`",
        ),
        _ => return,
    };
    for entry in keys.iter().filter_map(|key| fields.peek(key)) {
        let finding = agentry_text::Finding::new(
            &rules::POINTLESS_KEY,
            format!("{}/{}", reader.pointer(), entry.key),
            entry.key_span,
            format!("`{}` has no effect: {message}", entry.key),
        )
        .label("has no effect")
        .help(help);
        reader.push(finding);
    }
}

fn literal<'t>(entry: &'t Entry, message: &str, reader: &mut Reader<'t>) {
    reader.secret(&entry.node);
    reader.in_key(&entry.key, |reader| reader.invalid(&entry.node, &warning(message)));
}

fn warning(message: &str) -> Invalid {
    Invalid::new(&rules::LITERAL_SECRET, message)
        .label("a credential, by its looks or by its name")
        .help("keep it in an environment variable of the runtime, and write `${NAME}` here")
}

/// Whether something of a name is given a credential. A placeholder is none.
fn is_credential(name: &str, value: &str) -> bool {
    if is_placeholder(value) {
        return false;
    }
    if looks_secret(value) {
        return true;
    }
    let bare = ["bearer ", "basic ", "token "]
        .iter()
        .find_map(|scheme| value.get(..scheme.len()).filter(|start| start.eq_ignore_ascii_case(scheme)))
        .map_or(value, |scheme| &value[scheme.len()..])
        .trim();
    let word = bare.to_ascii_lowercase();
    let plain = matches!(word.as_str(), "" | "true" | "false" | "yes" | "no" | "on" | "off" | "none" | "null")
        || word.parse::<f64>().is_ok()
        // The name of a variable: some runtimes look it up.
        || bare.contains('_') && bare.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    if plain {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    // `SORT_KEY` is a name that says nothing: there the value must look drawn at random.
    let key = lower.ends_with("key") && bare.len() >= 16 && is_mixed(bare);
    names_secret(name) || lower == "cookie" || key
}

fn is_mixed(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !text.contains(char::is_whitespace)
}

/// Whether an argument or address holds a credential: by its looks, or as `name=value`, `name: value`, or a parameter.
fn holds_credential(text: &str) -> bool {
    if is_placeholder(text) {
        return false;
    }
    let parts = text.split(['?', '&', '#']);
    looks_secret(text)
        || parts.filter_map(|part| part.split_once('=').or_else(|| part.split_once(": "))).any(
            |(name, value)| {
                let name = name.trim_start_matches('-').rsplit([' ', ';']).next().unwrap_or(name);
                is_credential(name, value.trim())
            },
        )
}

/// Whether a value is to be filled in: `${NAME}`, `$NAME`, `{{name}}`, `%NAME%`, `<your key>`, `xxxx`.
fn is_placeholder(value: &str) -> bool {
    let word = value.rsplit(' ').next().unwrap_or(value);
    let variable = word.strip_prefix('$').is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    });
    let within = |open: char, close: char| word.len() > 2 && word.starts_with(open) && value.ends_with(close);
    let filled = |c: char| matches!(c, 'x' | 'X' | '*' | '.' | '…');
    (value.contains("${") && value.contains('}'))
        || (value.contains("{{") && value.contains("}}"))
        || variable
        || within('%', '%')
        || value.contains('<') && value.ends_with('>')
        || word.to_ascii_lowercase().starts_with("your")
        || word.chars().all(filled)
}

#[cfg(test)]
mod tests {
    use super::{holds_credential, is_credential};

    #[test]
    fn credentials_are_told_from_placeholders_and_plain_values() {
        for (name, value, expected) in [
            ("API_KEY", "EXAMPLEvalue0123456789", true),
            ("SIGNING_KEY", "hunter2hunter2hunter2", true),
            ("GITHUB_TOKEN", "hunter2", true),
            ("PASSWORD", "correct horse", true),
            ("Authorization", "Bearer hunter2", true),
            ("X-Api-Key", "hunter2", true),
            ("Cookie", "session=hunter2", true),
            ("LOG_LEVEL", "ghp_0123456789abcdefABCDEF0123456789abcd", true),
            ("API_KEY", "${API_KEY}", false),
            ("API_KEY", "$API_KEY", false),
            ("API_KEY", "{{ secrets.api_key }}", false),
            ("API_KEY", "%API_KEY%", false),
            ("API_KEY", "<your key>", false),
            ("API_KEY", "your-api-key", false),
            ("API_KEY", "xxxxxxxx", false),
            ("API_KEY", "ACME_API_KEY", false),
            ("API_KEY", "", false),
            ("Authorization", "Bearer ${TOKEN}", false),
            ("Authorization", "Bearer $TOKEN", false),
            ("USE_TOKEN", "false", false),
            ("SORT_KEY", "created_at", false),
            ("PRIMARY_KEY", "id", false),
            ("MAX_TOKENS", "4096", false),
            ("LOG_LEVEL", "info", false),
            ("X-Team", "ops", false),
        ] {
            assert_eq!(is_credential(name, value), expected, "{name}: {value}");
        }
        for (text, expected) in [
            ("x-token: EXAMPLEtoken0123456789", true),
            ("--api-key=hunter2", true),
            ("API_KEY=hunter2", true),
            ("https://mcp.example/sse?api_key=hunter2", true),
            ("https://user:hunter2@mcp.example/", true),
            ("https://mcp.example/sse?api_key=${KEY}", false),
            ("https://mcp.example/sse?page=2", false),
            ("--api-key=$KEY", false),
            ("--level=info", false),
            ("@acme/mcp@1.2.3", false),
            ("-y", false),
        ] {
            assert_eq!(holds_credential(text), expected, "{text}");
        }
    }
}
