//! `mcp/<id>.toml` or `mcp/<id>/MCP.toml`: a service that is connected through an MCP server (LibreFang registry).
//!
//! The specification knows the transports `stdio` and `sse` and asks for a `command` in both; the runtime knows
//! `http` too and asks for a `url` where the server is elsewhere. Here `stdio` needs a command and `http` a
//! URL, and `sse` one of the two.

use crate::rules;
use crate::translation::Translation;
use crate::values::{
    Argument, Command, EnvVar, HttpUrl, Icon, Id, Label, Language, PositiveCount, Prose, Tag,
};
use agentry_macros::document;
use agentry_text::{
    Condition, Extra, Fields, Invalid, Map, OrEmpty, Reader, options, shown_text_type, tagged,
};

/// The file of one integration: a service, and how its MCP server is reached.
#[document]
pub struct Integration {
    /// The integration's identifier, the same as its file's name. LibreFang specification.
    #[key(example = "issue-board")]
    pub id: Id,
    /// The name that people see.
    #[key(example = "Issue Board")]
    pub name: Label,
    /// One sentence that says what the integration offers. The LibreFang runtime needs it and drops the file
    /// without it.
    pub description: Option<Prose>,
    /// The shelf of the catalogue on which it stands. The LibreFang runtime needs it and drops the file without
    /// it.
    pub category: Option<Category>,
    /// A picture for catalogues.
    pub icon: Option<Icon>,
    /// Words to find the integration by.
    pub tags: Option<Vec<Tag>>,
    /// What a person has to do before it works, on any number of lines. It belongs above the first table: written
    /// below one, it becomes a key of that table, and readers lose it.
    pub setup_instructions: Option<Prose>,
    /// How the MCP server is reached.
    pub transport: Transport,
    /// The environment variables that the server needs, one table each.
    pub required_env: Option<Vec<RequiredEnv>>,
    /// Signing in through the browser, in place of a token.
    pub oauth: Option<Oauth>,
    /// How the runtime notices that the server is gone.
    pub health_check: Option<HealthCheck>,
    /// The name and the description in other languages. Published files and the LibreFang runtime.
    pub i18n: Option<Map<Language, Translation>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

options! {
    /// The shelf of the catalogue on which an integration stands.
    pub enum Category {
        /// Tools of software development.
        Devtools = "devtools" from "specification, runtime",
        /// Chat, mail and calls.
        Communication = "communication" from "specification, runtime",
        /// Files and object stores. The LibreFang runtime drops integrations of this category.
        Storage = "storage" from "specification",
        /// Errors, measurements and alarms. The LibreFang runtime drops integrations of this category.
        Monitoring = "monitoring" from "specification",
        /// Databases, search and other sources of data.
        Data = "data" from "specification, runtime",
        /// Tasks, notes, calendars and documents.
        Productivity = "productivity" from "specification, runtime",
        /// Cloud platforms.
        Cloud = "cloud" from "runtime, published files",
        /// Models, memory and other helpers of agents.
        Ai = "ai" from "runtime, published files",
    }
}

tagged! {
    /// How an MCP server is reached; `type` says which other keys there are.
    pub enum Transport by "type" {
        /// The server is a program that the runtime starts and talks to through its input and output.
        Stdio(Stdio) = "stdio",
        /// The server is elsewhere and reached by server-sent events, the older of the two ways.
        Sse(Sse) = "sse",
        /// The server is elsewhere and reached by streamable HTTP. LibreFang runtime.
        Http(Http) = "http",
    }
}

/// A server that the runtime starts.
#[document]
pub struct Stdio {
    /// The program to start.
    #[key(example = "npx")]
    pub command: Command,
    /// What the program is called with. Name an exact version of a package, or every start may fetch another.
    #[key(example = ["-y", "@acme/issue-board-mcp@2.3.1"])]
    pub args: Option<Vec<Argument>>,
    /// Unknown keys. A `url` is one: nothing is called.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A server elsewhere, reached by server-sent events. It needs its `url`. The specification has a `command`
/// instead, which is read with a warning; where both are there, the `command` does nothing.
#[document(no_new, conditions(SSE_ADDRESS), remark = Self::remark)]
pub struct Sse {
    /// The server's address. The LibreFang runtime needs it.
    #[key(example = "https://mcp.acme.example/sse")]
    url: Option<HttpUrl>,
    /// A program to start, which the specification asks for in every transport. It says nothing of where the
    /// server is: give the `url` instead.
    command: Option<Command>,
    /// What the program is called with.
    args: Option<Vec<Argument>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

const SSE_ADDRESS: Condition = Condition::AtLeastOne {
    keys: &["url", "command"],
    why: "a server that is reached by server-sent events has an address, its `url`",
};

impl Sse {
    /// A server at an address.
    #[must_use]
    pub fn new(url: HttpUrl) -> Self {
        Self { url: Some(url), command: None, args: None, extra: Extra::default() }
    }

    /// The address; absent where the file gives only a command.
    pub fn url(&self) -> Option<&HttpUrl> {
        self.url.as_ref()
    }

    /// The command, as the specification has it.
    pub fn command(&self) -> Option<&Command> {
        self.command.as_ref()
    }

    /// The command's arguments.
    pub fn args(&self) -> &[Argument] {
        self.args.as_deref().unwrap_or_default()
    }

    fn remark<'t>(fields: &Fields<'t>, reader: &mut Reader<'t>) {
        let remark = if fields.peek("url").is_none() {
            Invalid::new(&rules::TRANSPORT_WITHOUT_URL, "a server that is reached by `sse` needs its `url`")
                .label("says nothing of where the server is")
                .help("give the server's `url`, or write `type = \"stdio\"` if this command is the server")
        } else {
            Invalid::new(&rules::POINTLESS_KEY, "nothing is started where the server has a `url`")
                .label("has no effect")
                .help("delete it, or write `type = \"stdio\"` and delete the `url`")
        };
        if let Some(entry) = fields.peek("command") {
            reader.in_key(&entry.key, |reader| reader.invalid(&entry.node, &remark));
        }
    }
}

/// A server elsewhere, reached by streamable HTTP. LibreFang runtime.
#[document]
pub struct Http {
    /// The server's address.
    #[key(example = "https://mcp.acme.example/mcp")]
    pub url: HttpUrl,
    /// Unknown keys. A `command` is one: nothing is started.
    #[serde(flatten)]
    pub extra: Extra,
}

/// An environment variable that the server needs.
#[document]
pub struct RequiredEnv {
    /// The variable's name.
    #[key(example = "ACME_API_KEY")]
    pub name: EnvVar,
    /// The name that people see.
    #[key(example = "API key")]
    pub label: Label,
    /// How to come by the value. The LibreFang runtime needs it and drops the file without it.
    pub help: Option<Prose>,
    /// Whether the value is a secret, to be stored safely and never shown.
    #[key(default = true)]
    pub is_secret: Option<bool>,
    /// The page where the value can be obtained. Published files say `""` where there is none; leave the key out
    /// instead.
    #[key(example = "https://acme.example/settings/tokens")]
    pub get_url: Option<OrEmpty<HttpUrl>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Signing in through the browser. The LibreFang runtime needs all four keys and drops the file without them.
#[document]
pub struct Oauth {
    /// The service that asks the person.
    #[key(example = "github")]
    pub provider: OauthProvider,
    /// What the person is asked to allow.
    #[key(example = ["repo", "read:org"])]
    pub scopes: Option<Vec<Scope>>,
    /// The page where the person agrees.
    #[key(example = "https://acme.example/oauth/authorize")]
    pub auth_url: Option<HttpUrl>,
    /// The address where the authorization code is exchanged for a token.
    #[key(example = "https://acme.example/oauth/token")]
    pub token_url: Option<HttpUrl>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

shown_text_type! {
    /// The name by which a runtime knows a service that signs people in: a word of letters, digits, `_`, `-` and
    /// `.`.
    pub struct OauthProvider {
        pattern: r"^[A-Za-z0-9][A-Za-z0-9._-]*$",
        form: "the name of a sign-in service: letters, digits, `_`, `-` and `.`",
        example: "github",
    }
}

shown_text_type! {
    /// Something that a person allows, as OAuth 2.0 (RFC 6749, section 3.3) writes it: printable ASCII without
    /// spaces, `"` and `\`.
    pub struct Scope {
        pattern: r"^[!#-\[\]-~]+$",
        form: "an OAuth scope: printable characters without spaces, quotes and backslashes",
        example: "read:org",
    }
}

/// How the runtime notices that the server is gone.
#[document]
pub struct HealthCheck {
    /// Seconds between two checks, 1 or more: 0 would check without a pause. Whole seconds.
    #[key(example = 60)]
    pub interval_secs: Option<PositiveCount>,
    /// After this many failures in a row the server counts as down, 1 or more: 0 would be down from the start.
    #[key(example = 3)]
    pub unhealthy_threshold: Option<PositiveCount>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::*;
    use agentry_text::{Mode, Reading, Severity};

    /// What is found in an integration with some lines at its end: severity, rule and pointer.
    fn found(lines: &str) -> (Reading<Integration>, Vec<(Severity, &'static str, String)>) {
        let text = format!("id = \"tides\"\nname = \"Tide Tables\"\n{lines}");
        let reading =
            agentry_text::read_document::<Integration>(&agentry_text::toml::parse(&text), Mode::Strict);
        let findings = reading
            .findings
            .iter()
            .map(|finding| (finding.severity, finding.rule.name, finding.pointer.clone()))
            .collect();
        (reading, findings)
    }

    const STDIO: &str = "[transport]\ntype = \"stdio\"\ncommand = \"tides\"\n";

    #[test]
    fn a_transport_says_where_its_server_is() {
        use Severity::{Error, Warning};
        for (transport, expected) in [
            ("type = \"stdio\"\ncommand = \"npx\"\nargs = [\"-y\", \"\"]", None),
            ("type = \"stdio\"", Some((Error, "missing-key", "/transport"))),
            ("type = \"stdio\"\ncommand = \"\"", Some((Error, "invalid-value", "/transport/command"))),
            (
                "type = \"stdio\"\ncommand = \"npx\"\nurl = \"https://a.example\"",
                Some((Warning, "unknown-key", "/transport")),
            ),
            ("type = \"sse\"\nurl = \"https://a.example/sse\"", None),
            (
                "type = \"sse\"\ncommand = \"npx\"",
                Some((Warning, "transport-without-url", "/transport/command")),
            ),
            (
                "type = \"sse\"\ncommand = \"npx\"\nurl = \"https://a.example\"",
                Some((Warning, "pointless-key", "/transport/command")),
            ),
            ("type = \"sse\"", Some((Error, "missing-key", "/transport"))),
            ("type = \"http\"\nurl = \"https://a.example/mcp\"", None),
            ("type = \"http\"\nurl = \"a.example\"", Some((Error, "invalid-value", "/transport/url"))),
            ("type = \"http\"", Some((Error, "missing-key", "/transport"))),
            ("type = \"websocket\"", Some((Error, "unknown-option", "/transport/type"))),
            ("command = \"npx\"", Some((Error, "missing-key", "/transport"))),
        ] {
            let (reading, findings) = found(&format!("[transport]\n{transport}\n"));
            let expected: Vec<_> =
                expected.into_iter().map(|(severity, rule, at)| (severity, rule, at.to_owned())).collect();
            assert_eq!(findings, expected, "{transport}");
            assert_eq!(reading.value.is_some(), reading.is_valid(), "{transport}");
        }
    }

    #[test]
    fn the_other_tables_are_complete_once_they_are_there() {
        use Severity::{Error, Hint, Warning};
        for (lines, expected) in [
            ("[health_check]\ninterval_secs = 60\nunhealthy_threshold = 3", None),
            (
                "[health_check]\ninterval_secs = -5",
                Some((Error, "invalid-value", "/health_check/interval_secs")),
            ),
            (
                "[health_check]\ninterval_secs = 0",
                Some((Error, "invalid-value", "/health_check/interval_secs")),
            ),
            (
                "[health_check]\ninterval_secs = 0.5",
                Some((Error, "wrong-type", "/health_check/interval_secs")),
            ),
            (
                "[health_check]\nunhealthy_threshold = 0",
                Some((Error, "invalid-value", "/health_check/unhealthy_threshold")),
            ),
            ("[oauth]\nscopes = [\"read:org\"]", Some((Error, "missing-key", "/oauth"))),
            (
                "[oauth]\nprovider = \"github\"\nscopes = [\"a b\"]",
                Some((Error, "invalid-value", "/oauth/scopes/0")),
            ),
            ("[[required_env]]\nname = \"A_KEY\"", Some((Error, "missing-key", "/required_env/0"))),
            (
                "[[required_env]]\nname = \"A KEY\"\nlabel = \"Key\"",
                Some((Error, "invalid-value", "/required_env/0/name")),
            ),
            (
                "[[required_env]]\nname = \"A_KEY\"\nlabel = \"Key\"\nget_url = \"\"",
                Some((Warning, "empty-value", "/required_env/0/get_url")),
            ),
            (
                "[[required_env]]\nname = \"A_KEY\"\nlabel = \"Key\"\nget_url = \"settings page\"",
                Some((Error, "invalid-value", "/required_env/0/get_url")),
            ),
            ("[i18n.zh-TW]\nname = \"潮汐\"", None),
            ("[i18n.German]\nname = \"Tiden\"", Some((Error, "invalid-value", "/i18n/German"))),
        ] {
            let (_, findings) = found(&format!("{STDIO}{lines}\n"));
            let expected: Vec<_> =
                expected.into_iter().map(|(severity, rule, at)| (severity, rule, at.to_owned())).collect();
            assert_eq!(findings, expected, "{lines}");
        }
        let text = format!("id = \"tide_tables\"\nname = \"Tides\"\n{STDIO}");
        let reading = agentry_text::toml::read::<Integration>(&text);
        assert!(reading.findings.iter().all(|finding| finding.severity == Hint), "{:?}", reading.findings);
    }

    #[test]
    fn setup_instructions_below_a_table_are_misplaced_at_their_line() {
        let lines = format!(
            "{STDIO}[health_check]\ninterval_secs = 60\n\nsetup_instructions = \"\"\"\nDo.\n\"\"\"\n"
        );
        let (reading, _) = found(&lines);
        let [finding] = &reading.findings[..] else { panic!("{:?}", reading.findings) };
        assert_eq!((finding.rule.name, finding.pointer.as_str()), ("misplaced-key", "/health_check"));
        let text = format!("id = \"tides\"\nname = \"Tide Tables\"\n{lines}");
        assert_eq!(&text[finding.span.start..finding.span.end], "setup_instructions");
        assert!(reading.value.is_some());
    }

    #[test]
    fn a_required_variable_is_secret_unless_it_says_otherwise() {
        let variable = RequiredEnv::new(EnvVar::new("A_KEY").unwrap(), Label::new("Key").unwrap());
        assert!(variable.is_secret());
        assert!(!variable.with_is_secret(false).is_secret());
    }

    #[test]
    fn a_missing_type_is_mended_where_a_program_is_started() {
        for (keys, mended) in [
            ("command = \"npx\"", true),
            ("command = \"\"", false),
            ("command = \"npx\"\nurl = \"https://a.example\"", false),
            ("url = \"https://a.example\"", false),
            ("", false),
        ] {
            let (reading, _) = found(&format!("[transport]\n{keys}\n"));
            let missing = reading.findings.iter().find(|finding| finding.rule.name == "missing-key");
            assert_eq!(missing.expect("the type is missing").mend.is_some(), mended, "{keys}");
        }
    }

    #[test]
    fn only_a_list_of_tables_is_told_to_have_a_header_of_a_table() {
        for (lines, told) in [
            ("[[transport]]\ntype = \"stdio\"\ncommand = \"npx\"\n", true),
            ("transport = [1]\n", false),
            ("description = [{ a = 1 }]\n", false),
        ] {
            let (reading, _) = found(lines);
            let wrong = reading.findings.iter().find(|finding| finding.rule.name == "wrong-type");
            let help = wrong.expect("a value of the wrong type").help.clone().unwrap_or_default();
            assert_eq!(help.contains("single brackets: `[transport]`"), told, "{lines}: {help}");
        }
    }
}
