//! MCP servers of a package.

use super::{McpPreset, name};
use crate::rules;
use crate::values::{Command, HttpUrl};
use agentry_macros::document;
use agentry_text::{
    ANY_TEXT, Condition, Entry, Fields, Finding, Invalid, Kind, Map, Node, Nullable, Reader, Text, When,
    is_no_secret, looks_secret, may_name_secret, options, shown_text_type, text_type,
};

/// An MCP server that the agent may use: one at an address, one of a catalogue, or a program. Hosts of today reach
/// servers over HTTP only; a program is read, with a warning.
#[document(remark = remark_credentials)]
pub struct PackageMcpServer {
    /// How the server is reached: `use`, `type`, `url` and `command`.
    #[serde(flatten)]
    pub connection: McpConnection,
    /// Headers that every request to the server carries. A credential is a placeholder that the host fills in; one that
    /// is written out draws a warning. Not for programs.
    pub headers: Option<Map<McpHeaderName, McpHeaderValue>>,
    /// How the agent proves to the server who it is.
    pub auth_mode: Option<McpAuthMode>,
    /// The id of the provider whose tokens stand for the user.
    #[key(example = "acme-oauth")]
    pub oauth_provider_id: Option<Nullable<OauthProviderId>>,
    /// In whose name the agent uses the server.
    #[key(rename = "actsAs")]
    pub acts_as: Option<McpActsAs>,
    /// Which version of MCP is spoken with the server.
    #[key(default = McpProtocolMode::Auto)]
    pub protocol_mode: Option<McpProtocolMode>,
    /// In which ways the server may put questions to people. The default is left out when it is written.
    #[key(default = McpElicitationPolicy::Url, omit)]
    pub elicitation_policy: McpElicitationPolicy,
    /// Whether the server is asked which tools it has.
    pub tool_discovery: Option<bool>,
    /// What the program is called with. For `type = "stdio"` alone.
    pub args: Option<Vec<McpArgument>>,
    /// Environment variables of the program. For `type = "stdio"` alone. A credential that is written out draws a
    /// warning.
    pub env: Option<Map<McpVariable, McpVariableValue>>,
}

/// How an MCP server is reached. A server of a catalogue needs nothing else; another one needs its address, or, where it
/// is a program, its command.
#[document(no_new, open, conditions(HAS_URL, URL_IS_ADDRESS, HAS_COMMAND, COMMAND_IS_GIVEN))]
pub struct McpConnection {
    /// An entry of the catalogue of servers that the organisation keeps. It says how the server is reached and how the
    /// agent proves who it is.
    #[key(rename = "use", example = "catalog:linear")]
    preset: Option<Nullable<McpPreset>>,
    /// What carries the messages.
    #[key(rename = "type", default = McpTransport::Http)]
    transport: Option<McpTransport>,
    /// The address of the server. Needed over HTTP, unless `use` names an entry of a catalogue; never used with a
    /// program.
    #[key(example = "https://mcp.example.com/mcp")]
    url: Option<McpServerUrl>,
    /// The program that is the server. Needed with `type = "stdio"`.
    #[key(example = "npx")]
    command: Option<Nullable<McpCommand>>,
}

const HTTP: When = When { path: &["type"], is: &["http"], or_absent: true };
const STDIO: When = When { path: &["type"], is: &["stdio"], or_absent: false };

const HAS_URL: Condition = Condition::Unless {
    key: "use",
    then: &Condition::Requires {
        when: HTTP,
        keys: &["url"],
        why: "a server is reached at its address, unless `use` names one of a catalogue",
    },
};
const URL_IS_ADDRESS: Condition = Condition::Unless {
    key: "use",
    then: &Condition::Matches {
        when: HTTP,
        key: "url",
        pattern: HttpUrl::PATTERN,
        form: HttpUrl::FORM,
        example: "https://mcp.example.com/mcp",
    },
};
const HAS_COMMAND: Condition = Condition::Unless {
    key: "use",
    then: &Condition::Requires {
        when: STDIO,
        keys: &["command"],
        why: "`type` says that the server is a program",
    },
};
const COMMAND_IS_GIVEN: Condition = Condition::Unless {
    key: "use",
    then: &Condition::Matches {
        when: STDIO,
        key: "command",
        pattern: r"^[\s\S]+$",
        form: "a command: at least one character",
        example: "npx",
    },
};

impl McpConnection {
    /// A server at an address.
    pub fn http(url: &HttpUrl) -> Self {
        Self {
            transport: Some(McpTransport::Http),
            url: Some(McpServerUrl(url.as_str().to_owned())),
            ..Self::nothing()
        }
    }

    /// A server of a catalogue.
    pub fn preset_of(preset: McpPreset) -> Self {
        Self { preset: Some(Nullable::Value(preset)), ..Self::nothing() }
    }

    /// A program. Hosts of today do not start one.
    pub fn stdio(command: &Command) -> Self {
        Self {
            transport: Some(McpTransport::Stdio),
            command: Some(Nullable::Value(McpCommand(command.as_str().to_owned()))),
            ..Self::nothing()
        }
    }

    const fn nothing() -> Self {
        Self { preset: None, transport: None, url: None, command: None }
    }

    /// The address of the server. None where there is none, or it is empty.
    pub fn url(&self) -> Option<&McpServerUrl> {
        self.url.as_ref().filter(|url| !url.as_str().is_empty())
    }
}

/// Credentials that stand in the manifest itself.
fn remark_credentials<'t>(fields: &Fields<'t>, reader: &mut Reader<'t>) {
    if let Some(url) = fields.peek("url") {
        remark_credential(url, reader, has_credential);
    }
    for key in ["headers", "env"] {
        let Some(table) = fields.peek(key) else { continue };
        reader.in_key(&table.key, |reader| {
            for entry in table.node.as_table().into_iter().flat_map(|table| &table.entries) {
                remark_credential(entry, reader, |text| literal_secret(&entry.key, text));
            }
        });
    }
    let Some(args) = fields.peek("args") else { return };
    let Kind::Array(items) = &args.node.kind else { return };
    reader.in_key(&args.key, |reader| {
        for (index, item) in
            items.iter().enumerate().filter(|(_, item)| item.as_str().is_some_and(looks_secret))
        {
            reader.in_index(index, |reader| push_credential(item, reader));
        }
    });
}

fn remark_credential<'t>(entry: &'t Entry, reader: &mut Reader<'t>, is_secret: impl FnOnce(&str) -> bool) {
    if entry.node.as_str().is_some_and(is_secret) {
        reader.in_key(&entry.key, |reader| push_credential(&entry.node, reader));
    }
}

fn push_credential(node: &Node, reader: &mut Reader<'_>) {
    reader.secret(node);
    let finding: Finding = reader
        .finding(&rules::LITERAL_SECRET, node, "a credential stands in the file")
        .label("looks like the value itself")
        .help("write a placeholder such as `${ACME_API_KEY}`, and bind the credential at the host");
    reader.push(finding);
}

/// Whether the text of a key holds a credential, and no placeholder for one: by its shape, or by the name of the key.
pub fn literal_secret(key: &str, text: &str) -> bool {
    // A UUID looks drawn at random too, and is an id.
    looks_secret(text) && !name::is_uuid(text)
        || names_credential(key, text) && !is_credential_placeholder(text) && !is_no_secret(text)
}

/// Whether a key holds a credential, going by its name. `KEY` alone at the end of a name means many things: then the
/// text must be one that could be a key.
fn names_credential(key: &str, text: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    let ends = |words: &[&str]| {
        words.iter().any(|word| {
            lower.strip_suffix(word).is_some_and(|rest| rest.is_empty() || rest.ends_with(['_', '-', '.']))
        })
    };
    let could_be_key = || {
        text.len() >= 12 && !text.contains([' ', '/', '.']) && text.bytes().any(|byte| byte.is_ascii_digit())
    };
    !text.trim().is_empty() && (may_name_secret(key) || ends(&["cookie"]) || ends(&["key"]) && could_be_key())
}

/// Whether a text stands for a credential that a host puts in: `${NAME}`, `{{name}}`, `$NAME`, `<name>`, also behind a
/// word such as `Bearer`.
pub fn is_credential_placeholder(text: &str) -> bool {
    let word = text.trim().rsplit(' ').next().unwrap_or_default();
    let between =
        |open: &str, close: &str| text.find(open).is_some_and(|at| text[at + open.len()..].contains(close));
    between("${", "}")
        || between("{{", "}}")
        || word.starts_with('{') && word.ends_with('}')
        || word.starts_with('<') && word.ends_with('>')
        || word.starts_with('%') && word.ends_with('%') && word.len() > 2
        || word.strip_prefix('$').is_some_and(|name| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
}

/// Whether an address holds a credential: before its host, or in its query.
fn has_credential(url: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    looks_secret(url) || pairs.any(|(key, value)| literal_secret(key, value))
}

text_type! {
    /// The address of an MCP server. Empty is as good as absent; with a program it counts for nothing.
    pub struct McpServerUrl {
        pattern: ANY_TEXT,
        form: "the address of a server: any text",
        example: "https://mcp.example.com/mcp",
    }
}

text_type! {
    /// The program that is an MCP server.
    pub struct McpCommand {
        pattern: ANY_TEXT,
        form: "a command: any text",
        example: "npx",
    }
}

text_type! {
    /// One argument of a program, as it receives it. It may be empty.
    pub struct McpArgument {
        pattern: ANY_TEXT,
        form: "an argument: any text",
        example: "--verbose",
    }
}

/// Whether a text is a token, as RFC 9110 has the names of headers.
fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

shown_text_type! {
    /// The name of a header. Any text is kept; what HTTP does not allow as a name draws a warning.
    pub struct McpHeaderName {
        pattern: ANY_TEXT,
        form: "the name of a header: any text",
        example: "X-Team",
        remark: |text| (!is_token(text)).then(|| {
            Invalid::new(
                &rules::UNREADABLE_VALUE,
                format!("HTTP allows no header to be called {}", agentry_text::quoted(text)),
            )
            .label("not the name of a header")
            .help("write letters, digits and hyphens, such as `X-Team`, without a colon")
        }),
    }
}

text_type! {
    /// The value of a header: text, or a placeholder such as `Bearer ${ACME_TOKEN}` for a credential that the host puts
    /// in. It is never shown.
    pub struct McpHeaderValue {
        pattern: ANY_TEXT,
        form: "the value of a header: any text",
        example: "",
        remark: |text| text.contains(['\r', '\n', '\0']).then(|| {
            Invalid::new(&rules::UNREADABLE_VALUE, "HTTP allows no line break in the value of a header")
                .label("breaks off the header")
                .help("write it on one line")
        }),
        secret: true,
    }
}

shown_text_type! {
    /// The name of an environment variable. Any text is kept; what is no such name draws a warning.
    pub struct McpVariable {
        pattern: ANY_TEXT,
        form: "the name of an environment variable: any text",
        example: "ACME_REGION",
        remark: |text| crate::values::EnvVar::new(text).is_err().then(|| {
            Invalid::new(
                &rules::UNREADABLE_VALUE,
                format!("{} is not the name of an environment variable", agentry_text::quoted(text)),
            )
            .label("not a name")
            .help("write letters, digits and `_`, such as `ACME_REGION`")
        }),
    }
}

text_type! {
    /// The value of an environment variable, or a placeholder for a credential that the host puts in. It is never shown.
    pub struct McpVariableValue {
        pattern: ANY_TEXT,
        form: "the value of an environment variable: any text",
        example: "",
        secret: true,
    }
}

shown_text_type! {
    /// The id of a provider of OAuth tokens.
    pub struct OauthProviderId {
        pattern: ANY_TEXT,
        form: "the id of a provider of tokens: any text",
        example: "acme-oauth",
        remark: |text| name::empty(text, "a provider of tokens"),
    }
}

options! {
    /// What carries the messages of an MCP server.
    pub enum McpTransport {
        /// HTTP, to a server elsewhere: the one transport that hosts of today have.
        Http = "http" from "specification",
        /// Standard input and output of a program that the host would start.
        Stdio = "stdio" from "specification",
    }
}

options! {
    /// How an agent proves to an MCP server who it is.
    pub enum McpAuthMode {
        /// Not at all.
        None = "none" from "specification",
        /// With a key that the host holds.
        ApiKey = "api_key" from "specification",
        /// With a token that somebody granted by OAuth.
        Oauth = "oauth" from "specification",
    }
}

options! {
    /// In whose name an agent uses an MCP server: whose grant it asks for.
    pub enum McpActsAs {
        /// In nobody's.
        None = "none" from "specification",
        /// In that of a service.
        Service = "service" from "specification",
        /// In that of the user of the session.
        User = "user" from "specification",
    }
}

options! {
    /// Which version of MCP is spoken with a server.
    pub enum McpProtocolMode {
        /// The newest one that the server understands; the client finds out.
        Auto = "auto" from "specification",
        /// The version of 26 March 2025.
        V2025_03_26 = "2025-03-26" from "specification" legacy "legacy",
        /// The version of 18 June 2025.
        V2025_06_18 = "2025-06-18" from "specification" legacy "stable",
        /// The version of 28 July 2026.
        V2026_07_28 = "2026-07-28" from "specification" legacy "rc",
    }
}

options! {
    /// In which ways an MCP server may put questions to people.
    pub enum McpElicitationPolicy {
        /// By sending them to an address.
        Url = "url" from "specification",
        /// By sending them to an address, or with a form that the client shows.
        UrlAndForm = "url_and_form" from "specification",
        /// In no way.
        None = "none" from "specification",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_told_from_placeholders_and_settings() {
        for (key, text, secret) in [
            ("Authorization", "Bearer abc123", true),
            ("Authorization", "Bearer ${ACME_TOKEN}", false),
            ("Authorization", "Bearer {{acme_token}}", false),
            ("Authorization", "$ACME_TOKEN", false),
            ("Authorization", "<token>", false),
            ("Authorization", "", false),
            ("X-Api-Key", "x", true),
            ("Cookie", "session=1", true),
            ("DB_PASSWORD", "hunter2", true),
            ("ACME_KEY", "EXAMPLEvalue0123456789", true),
            ("ACME_KEY", "example-value-0123456789", false),
            ("DB_PASS", "hunter2", true),
            ("DB_PASSWORD", "changeme", false),
            ("ACME_KEY", "created_at", false),
            ("SORT_KEY", "name", false),
            ("X-Team", "ops", false),
            ("X-Team", "ghp_0123456789abcdefABCDEF", true),
            ("ACME_TOKEN", "a$b", true),
            ("MAX_TOKENS", "4000", false),
            ("X-Tenant", "0193a4f2-77aa-7cc1-9d3e-5b1f00aa12cd", false),
        ] {
            assert_eq!(literal_secret(key, text), secret, "{key}: {text}");
        }
        for (url, secret) in [
            ("https://mcp.example.com/mcp", false),
            ("https://ada:hunter2@mcp.example.com/mcp", true),
            ("https://mcp.example.com/mcp?api_key=abc", true),
            ("https://mcp.example.com/mcp?api_key=${ACME_KEY}", false),
            ("https://mcp.example.com/mcp?team=ops", false),
        ] {
            assert_eq!(has_credential(url), secret, "{url}");
        }
    }

    #[test]
    fn a_connection_is_one_that_the_reader_accepts() {
        let url = HttpUrl::new("https://mcp.example.com/mcp").unwrap();
        let http = McpConnection::http(&url);
        assert_eq!(http.url().map(McpServerUrl::as_str), Some(url.as_str()));
        assert_eq!(http.transport(), McpTransport::Http);
        let preset = McpConnection::preset_of(McpPreset::new("catalog:linear").unwrap());
        assert_eq!((preset.preset().map(McpPreset::as_str), preset.url()), (Some("catalog:linear"), None));
        let stdio = McpConnection::stdio(&Command::new("npx").unwrap());
        assert_eq!(stdio.command().map(McpCommand::as_str), Some("npx"));
        for connection in [http, preset, stdio] {
            let server = PackageMcpServer::new(connection);
            let value = agentry_text::to_value(&server).unwrap();
            assert_eq!(agentry_text::read_strict::<PackageMcpServer>(value).unwrap(), server);
        }
    }
}
