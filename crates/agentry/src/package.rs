//! `agent.toml`, `agent.yaml` or `agent.json`: an agent as a package that moves between hosts (Everruns agent
//! package, version 1).
//!
//! Every table but starters and the hints of a tool is closed. Null means the same as an absent key wherever the
//! specification allows it; the types keep the two apart, so that a file is written back as it was.
//!
//! Where the specification is silent:
//!
//! * A text may be empty wherever it allows any text. Where a name is meant, an empty one draws a warning.
//! * A server without `type` is reached over HTTP.
//! * A tool's `parameters` are an object that is a JSON Schema: providers refuse `true` and `false` there.
//! * Two tools of one name, and two files with one destination, draw a warning: a model could not tell the tools
//!   apart, and one file would replace the other.

mod capability;
mod channel;
mod file;
mod glob;
mod name;
mod network;
mod path;
mod server;
mod tool;

pub use capability::{Capability, CapabilityReference};
pub use channel::{ChannelType, PackageChannel};
pub use file::{FileContent, FileEncoding, FileSource, FileText, InlineFile, PackageFile};
pub use glob::{Matcher, Progress};
pub use name::{
    CapabilityName, HarnessName, McpPreset, ModelName, PackageName, ProviderName, is_resource_id,
};
pub use network::{AccessForm, AccessPattern, NetworkAccess};
pub use path::{Destination, PackageFolder, PackageGlob, PackagePath, is_device};
pub use server::{
    McpActsAs, McpArgument, McpAuthMode, McpCommand, McpConnection, McpElicitationPolicy, McpHeaderName,
    McpHeaderValue, McpProtocolMode, McpServerUrl, McpTransport, McpVariable, McpVariableValue,
    OauthProviderId, PackageMcpServer, is_credential_placeholder, literal_secret,
};
pub use tool::{
    CapabilityId, ClientSideTool, ConcurrencyClass, DeferrablePolicy, PackageTool, PackageToolName,
    SideEffectClass, ToolCategory, ToolHints,
};

use crate::contract::values::FreeText;
use crate::rules;
use crate::values::SchemaAddress;
use agentry_macros::document;
use agentry_text::{
    AtMost, Condition, Extra, Finding, Invalid, Kind, Map, Node, Nullable, Read, Reader, Set, Value,
    count_type, shown_text_type,
};
use serde::{Serialize, Serializer};

/// An agent as a package: what it is told, what it may use, and what it brings along. It holds what its author wrote
/// and no ids of a host; the host binds models, credentials and channels when the package is installed.
#[document(gate = known_version)]
pub struct Package {
    /// The address of the schema that editors check this file with. It is no part of the meaning.
    #[key(rename = "$schema")]
    pub schema: Option<SchemaAddress>,
    /// The version of the format. There is only version 1, which an absent key means too.
    #[key(default = SchemaVersion::V1)]
    pub schema_version: Option<SchemaVersion>,
    /// The stable name of the agent, by which a host finds it again when the package is installed a second time. It need
    /// not be the name of the folder.
    #[key(example = "ticket-helper")]
    pub name: PackageName,
    /// The name that people see. Absent means that they see `name`.
    pub display_name: Option<Nullable<FreeText>>,
    /// What the agent is for, for people.
    pub description: Option<Nullable<FreeText>>,
    /// What the agent is for in a few words, for lists of agents.
    pub short_description: Option<Nullable<FreeText>>,
    /// What people see before they write the first message, as Markdown.
    pub intro_markdown: Option<Nullable<FreeText>>,
    /// The harness that runs the agent, by its name. Absent leaves the choice to the host.
    #[key(example = "generic")]
    pub harness: Option<Nullable<HarnessName>>,
    /// The model that the agent talks through, by the names of provider and model. Absent leaves the choice to the
    /// host.
    pub model: Option<Nullable<PackageModel>>,
    /// What the agent is told before every conversation: a text or a file.
    #[serde(flatten)]
    pub instructions: Instructions,
    /// Folders of the package that hold a `SKILL.md` and what it needs.
    #[key(example = [".agents/skills/triage"])]
    pub skills: Option<Vec<PackageFolder>>,
    /// Files that a new session starts with, at most 100 entries: paths or patterns of the package, with or without
    /// another destination, or text that stands in the manifest itself.
    pub files: Option<AtMost<100, Vec<PackageFile>>>,
    /// What the agent may use of the host, such as a clock or a file system: a name, or a name with settings. The host
    /// says what there is.
    #[key(example = ["current_time"])]
    pub capabilities: Option<Vec<Capability>>,
    /// Tools that the client runs: the session waits until the client hands in the result.
    pub tools: Option<Vec<PackageTool>>,
    /// MCP servers by the names that the agent knows them by.
    #[key(rename = "mcpServers", legacy("mcp_servers"))]
    // The names are the author's.
    pub mcp_servers: Option<Map<String, PackageMcpServer>>,
    /// Ways for people to reach the agent, at most 32, by names of the author's choice. A host adds and changes those
    /// that are listed, and removes none.
    // The names are the author's.
    pub channels: Option<AtMost<32, Map<String, PackageChannel>>>,
    /// Which addresses the agent may reach, as far as this package decides it. The host enforces it.
    pub network_access: Option<Nullable<NetworkAccess>>,
    /// What the agent needs of the machine that it works on. The keys are those of one platform: other hosts bind them
    /// or refuse the package.
    pub environments: Option<Nullable<Value>>,
    /// How many times at most the agent calls tools and thinks again before it has to answer. Absent leaves it to the
    /// host.
    pub max_iterations: Option<Nullable<IterationLimit>>,
    /// Whether tool calls that do not depend on each other may run at the same time. Absent leaves it to the host.
    pub parallel_tool_calls: Option<Nullable<bool>>,
    /// First messages that people can choose from when they open a conversation.
    pub starters: Option<Vec<Starter>>,
    /// Words by which people find the agent. They are a set: order and repetition say nothing.
    #[key(example = ["support"])]
    pub tags: Option<Set<PackageTag>>,
}

impl Package {
    /// The capabilities; none where the key is absent.
    pub fn capabilities(&self) -> &[Capability] {
        self.capabilities.as_deref().unwrap_or_default()
    }

    /// The files; none where the key is absent.
    pub fn files(&self) -> &[PackageFile] {
        self.files.as_ref().map(|files| files.as_slice()).unwrap_or_default()
    }

    /// The tools; none where the key is absent.
    pub fn tools(&self) -> &[PackageTool] {
        self.tools.as_deref().unwrap_or_default()
    }

    /// Whether this package lets the agent reach an address. Without `network_access` it does, as far as the address
    /// is one.
    pub fn permits(&self, url: &str) -> bool {
        match self.network_access() {
            Some(access) => access.permits(url),
            None => NetworkAccess::new().permits(url),
        }
    }
}

/// Whether a document is of a version that this crate reads. A newer one gets a single finding: what else a reader of
/// version 1 could say about it would be about keys that it cannot know.
fn known_version(node: &Node, reader: &mut Reader<'_>) -> bool {
    let Some(entry) = node.get("schema_version") else { return true };
    let Kind::Integer(version) = entry.node.kind else { return true };
    if version <= 1 {
        return true;
    }
    reader.push(
        Finding::new(
            &rules::NEWER_VERSION,
            "/schema_version",
            entry.node.span,
            format!("the file is of version {version} of the format, and this reader knows version 1"),
        )
        .label("a newer version")
        .help("update the program that reads it, or write the file by version 1; nothing else in it was looked at"),
    );
    false
}

/// The version of the format that a package is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SchemaVersion {
    /// Version 1.
    #[default]
    V1,
}

impl SchemaVersion {
    /// The number of the version.
    pub const fn number(self) -> u32 {
        match self {
            Self::V1 => 1,
        }
    }
}

impl Serialize for SchemaVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.number())
    }
}

impl Read for SchemaVersion {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let version = reader.integer(node)?;
        if version == 1 {
            return Some(Self::V1);
        }
        let invalid = Invalid::new(
            &agentry_text::rules::INVALID_VALUE,
            format!("{version} is not a version of the format that is read: there is version 1"),
        )
        .label("must be 1")
        .help("write 1, or delete the key, which means the same");
        reader.invalid(node, &invalid);
        None
    }
}

agentry_text::deserialize_by_reading!(SchemaVersion);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for SchemaVersion {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SchemaVersion".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "The version of the format that a package is written in. There is version 1.",
            "type": "integer",
            "enum": [1],
        })
    }
}

/// What the agent is told before every conversation: a text in the manifest, or a file of the package, and not both. A
/// folder with neither is read with its `instructions.md`. An empty text and a null file are as good as none, and may
/// stand beside the other.
#[document(no_new, open, conditions(ONE_SOURCE))]
pub struct Instructions {
    /// The instructions themselves. Excludes `instructions_file`, unless it is empty.
    #[key(legacy("system_prompt"), example = "You triage incoming tickets.")]
    instructions: Option<FreeText>,
    /// The file of the package that holds the instructions. Excludes `instructions`. Absent, a folder is read with its
    /// `instructions.md`.
    #[key(example = "prompts/main.md")]
    instructions_file: Option<Nullable<PackagePath>>,
}

const ONE_SOURCE: Condition = Condition::AtMostOneText {
    keys: &["instructions", "instructions_file"],
    why: "the instructions stand in the manifest or in a file",
};

impl Instructions {
    /// None in the manifest: a folder then has an `instructions.md`.
    pub const fn absent() -> Self {
        Self { instructions: None, instructions_file: None }
    }

    /// A text that stands in the manifest.
    pub const fn inline(text: FreeText) -> Self {
        Self { instructions: Some(text), instructions_file: None }
    }

    /// A file of the package.
    pub const fn file(path: PackagePath) -> Self {
        Self { instructions: None, instructions_file: Some(Nullable::Value(path)) }
    }

    /// The text in the manifest. None where there is none, or it is empty.
    pub fn text(&self) -> Option<&str> {
        self.instructions.as_ref().map(FreeText::as_str).filter(|text| !text.is_empty())
    }
}

/// A model, by the names that hosts know it by.
#[document]
pub struct PackageModel {
    /// The provider, by its stable name.
    #[key(example = "anthropic")]
    pub provider: ProviderName,
    /// The model, as its provider names it.
    #[key(example = "acme-large-1")]
    pub model: ModelName,
}

count_type! {
    /// How many times at most an agent calls tools and thinks again, from 1 to 1000.
    pub struct IterationLimit(u16) {
        form: "a limit of iterations",
        minimum: 1,
        maximum: 1000,
    }
}

shown_text_type! {
    /// A word by which people find an agent.
    pub struct PackageTag {
        pattern: agentry_text::ANY_TEXT,
        form: "a tag: any text",
        example: "support",
        remark: |text| name::empty(text, "a tag"),
    }
}

/// A first message that people can choose when they open a conversation: it is put into the field that they write in.
#[document]
pub struct Starter {
    /// The message.
    #[key(example = "Triage the newest ticket")]
    pub text: FreeText,
    /// The name of an icon of the harness. One that the harness does not know is shown as its usual one.
    #[key(example = "zap")]
    pub icon: Option<Nullable<StarterIcon>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

shown_text_type! {
    /// The name of an icon of the harness.
    pub struct StarterIcon {
        pattern: agentry_text::ANY_TEXT,
        form: "the name of an icon: any text",
        example: "zap",
    }
}

#[cfg(all(test, feature = "json", feature = "toml", feature = "yaml"))]
mod tests;
