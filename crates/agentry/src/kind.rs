//! The table of kinds: every sort of document once, with its type and where its files live.

use agentry_text::{Document, Finding, Format, Mode, Read, Reading, Rule, Severity, Shape};
use serde::Serialize;

/// Where a document says what it is called, and how strictly that must equal the name of its file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The JSON pointer of the identifier.
    pub pointer: &'static str,
    /// How much a difference weighs.
    pub severity: Severity,
}

macro_rules! kinds {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident = $name:literal: $ty:ty {
            formats: [$($format:ident),+],
            paths: [$($path:literal),*],
            tells: [$($tells:literal),*],
            $(signs: [$($signs:literal),*],)?
            $(contrary: [$($contrary:literal),*],)?
            $(schemas: [$($schemas:literal),*],)?
            identity: $identity:expr,
        }
    )+) => {
        /// A sort of document.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[doc = $doc])+ $variant,)+
        }

        /// A document of any kind.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        #[non_exhaustive]
        pub enum Manifest {
            $($(#[doc = $doc])+ $variant(Box<$ty>),)+
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name, as commands and schemas use it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// What such a document describes, in one line.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($doc),+).trim_ascii(),)+
                }
            }

            /// The formats that such a document is written in, the usual one first.
            pub const fn formats(self) -> &'static [Format] {
                match self {
                    $(Self::$variant => &[$(Format::$format),+],)+
                }
            }

            /// Where such files live in a registry; `<name>` and `<id>` are the document's own identifier.
            pub const fn paths(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &[$($path),*],)+
                }
            }

            /// JSON pointers of keys that such a document has and others seldom have: what it is recognised by
            /// where its path says nothing. All of one group, separated by spaces, must be there, and be of the type
            /// that follows a `:`, where one does (`/capabilities:array`). A text that is `namespaced` has two parts
            /// with a slash between them.
            pub const fn tells(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &[$($tells),*],)+
                }
            }

            /// The same for keys that others have too: they tell such a document only where the name of its file does
            /// as well. A kind that has any shares its file names with other programs, so a name alone says nothing.
            pub const fn signs(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &[$($($signs),*)?],)+
                }
            }

            /// Groups of keys, as in the tells, that speak against such a document: with one of them the signs say nothing.
            pub const fn contrary(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &[$($($contrary),*)?],)+
                }
            }

            /// Addresses under which the makers of the format publish its schema: what a file may name as its own.
            pub const fn schemas(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &[$($($schemas),*)?],)+
                }
            }

            /// Where the document says what it is called.
            pub const fn identity(self) -> Option<Identity> {
                match self {
                    $(Self::$variant => $identity,)+
                }
            }

            /// The keys of the document's root.
            pub fn shape(self) -> Option<&'static Shape> {
                match self {
                    $(Self::$variant => <$ty as Read>::shape(),)+
                }
            }

            /// Reads a document of this kind.
            pub fn read(self, document: &Document, mode: Mode) -> Reading<Manifest> {
                match self {
                    $(Self::$variant => {
                        let reading = agentry_text::read_document::<$ty>(document, mode);
                        Reading {
                            value: reading.value.map(|value| Manifest::$variant(Box::new(value))),
                            findings: reading.findings,
                            secrets: reading.secrets,
                        }
                    })+
                }
            }

            /// The JSON Schema of this kind, as the type gives it.
            #[cfg(feature = "schema")]
            pub fn schema(self, generator: schemars::SchemaGenerator) -> schemars::Schema {
                match self {
                    $(Self::$variant => generator.into_root_schema_for::<$ty>(),)+
                }
            }
        }

        impl Manifest {
            /// Its kind.
            pub const fn kind(&self) -> Kind {
                match self {
                    $(Self::$variant(_) => Kind::$variant,)+
                }
            }
        }
    };
}

#[expect(clippy::unnecessary_wraps, reason = "what the table asks for: not every kind says its name")]
const fn identity(pointer: &'static str) -> Option<Identity> {
    Some(Identity { pointer, severity: Severity::Error })
}

kinds! {
    /// An LLM provider: where its API is, how it is paid for, and its models.
    Provider = "provider": crate::Provider {
        formats: [Toml],
        paths: ["providers/<id>.toml"],
        tells: ["/provider /models", "/provider/api_key_env", "/api_key_env /base_url"],
        // Several provider files name a dialect of one provider: a different file name is only worth a hint.
        identity: Some(Identity { pointer: "/provider/id", severity: Severity::Hint }),
    }
    /// An agent: a model with a task, and limits on what it may touch.
    Agent = "agent": crate::Agent {
        formats: [Toml],
        paths: ["agents/<name>/agent.toml"],
        tells: ["/module /model/system_prompt", "/module /capabilities:table", "/module /description /name"],
        signs: ["/module /name", "/model/system_prompt", "/capabilities:table /model:table", "/resources:table /name"],
        identity: identity("/name"),
    }
    /// A hand: something a user can switch on, with the agents that do the work, settings and a dashboard.
    Hand = "hand": crate::Hand {
        formats: [Toml],
        paths: ["hands/<id>/HAND.toml"],
        tells: ["/category /agents", "/category /agent/module", "/dashboard/metrics", "/category /tools"],
        identity: identity("/id"),
    }
    /// Names by which models may be asked for, whatever their provider.
    Alias = "alias": crate::Aliases {
        formats: [Toml],
        paths: ["aliases.toml"],
        // Other programs have a table of that name too.
        tells: [],
        identity: None,
    }
    /// A chain of prompts with parameters.
    Workflow = "workflow": crate::Workflow {
        formats: [Toml],
        paths: ["workflows/<id>.toml"],
        tells: ["/steps/0/prompt_template"],
        identity: identity("/id"),
    }
    /// A way for people to talk to agents, as a catalogue shows it.
    Channel = "channel": crate::Channel {
        formats: [Toml],
        paths: ["channels/<id>.toml"],
        tells: ["/protocol /category", "/metadata/docs"],
        identity: identity("/id"),
    }
    /// The field language in which a registry describes its own files.
    RegistrySchema = "registry-schema": crate::RegistrySchema {
        formats: [Toml],
        paths: ["registry-schema.toml"],
        // Content types have names of the registry's own; these are the specification's.
        tells: [
            "/provider/file_pattern", "/agent/file_pattern", "/hand/file_pattern", "/integration/file_pattern",
            "/skill/file_pattern", "/plugin/file_pattern"
        ],
        identity: None,
    }
    /// A service that is connected through an MCP server: how the server is reached, and what it needs.
    Integration = "integration": crate::Integration {
        formats: [Toml],
        paths: ["mcp/<id>.toml", "mcp/<id>/MCP.toml"],
        tells: ["/transport/type"],
        identity: identity("/id"),
    }
    /// Something that any agent can be taught: a prompt with gaps to fill in, or a program to run.
    Skill = "skill": crate::Skill {
        formats: [Toml],
        paths: ["skills/<name>/skill.toml"],
        tells: ["/skill/name", "/runtime/type /prompt/template"],
        identity: identity("/skill/name"),
    }
    /// Something that a model can be taught, in the open Agent Skills format: instructions below front matter.
    SkillMd = "skill-md": crate::SkillMd {
        formats: [Markdown],
        // A file of a hand is named by the hand, and called as its author likes.
        paths: ["skills/<name>/SKILL.md", "hands/<hand>/SKILL.md", "hands/<hand>/SKILL-<role>.md", "<name>/SKILL.md"],
        // Pages, posts and agents have names and descriptions too: only the name of the file tells a skill.
        tells: [],
        identity: identity("/name"),
    }
    /// Scripts that the runtime calls at certain moments of a conversation.
    Plugin = "plugin": crate::Plugin {
        formats: [Toml],
        paths: ["plugins/<name>/plugin.toml"],
        tells: ["/hooks/ingest", "/hooks/after_turn", "/plugin_depends", "/librefang_min_version"],
        identity: identity("/name"),
    }
    /// A tool that a model can call: what goes in, what comes out, and what it touches.
    Tool = "tool": crate::Tool {
        formats: [Json],
        paths: ["tools/<id>.tool.json"],
        tells: ["/input /output /version"],
        schemas: ["https://kindgi.com/schemas/v1/tool.schema.json"],
        identity: identity("/id"),
    }
    /// An agent as a package: its instructions, what it may use, and the files and skills that it brings along.
    Package = "package": crate::Package {
        formats: [Toml, Yaml, Json],
        paths: ["agent.toml", "agent.yaml", "agent.yml", "agent.json"],
        tells: [
            "/name /instructions_file", "/name /intro_markdown", "/name /starters/0/text",
            "/name /network_access/allowed", "/name /network_access/blocked", "/name /capabilities/0/ref",
            "/name /mcpServers:table /instructions:string", "/name /schema_version:integer /instructions:string",
            "/name /schema_version:integer /capabilities:array", "/name /schema_version:integer /files:array",
            "/name /schema_version:integer /mcpServers:table", "/name /schema_version:integer /channels:table"
        ],
        signs: [
            "/name /schema_version:integer", "/name /instructions:string", "/name /system_prompt:string",
            "/name /capabilities:array", "/name /files/0:string", "/name /files/0:table", "/name /skills/0:string",
            "/name /mcpServers:table", "/name /mcp_servers:table", "/name /channels:table", "/name /tools/0/parameters",
            "/name /harness:string", "/name /model/provider /model/model", "/name /display_name:string",
            "/name /short_description:string",
            // Its version and another key that only packages have tell it even where the name was forgotten.
            "/schema_version:integer /instructions:string", "/schema_version:integer /instructions_file:string",
            "/schema_version:integer /capabilities/0/ref", "/schema_version:integer /mcpServers:table",
            "/schema_version:integer /network_access:table", "/instructions:string /capabilities/0/ref"
        ],
        // Cluster resources and prompt agents say their kind, agent cards an address and forms of input; others have a
        // prompt in place of instructions.
        contrary: [
            "/apiVersion", "/kind:string", "/defaultInputModes", "/url /version", "/prompt /mcpServers",
            "/prompt /allowedTools"
        ],
        schemas: ["https://docs.everruns.com/schemas/agent/v1.json"],
        // Published packages are called otherwise than their folders.
        identity: None,
    }
    /// A skill that is put together from tools, other skills, MCP servers and folders with a `SKILL.md`.
    SkillConfig = "skill-config": crate::SkillConfig {
        // Its readers take YAML, and JSON is YAML too.
        formats: [Yaml, Json],
        // The specification leaves the file's name to the author.
        paths: ["skill-configs/<name>.yaml", "skill-configs/<name>.yml", "<name>.skill.yaml", "<name>.skill.yml"],
        tells: [
            "/name /inline_tools", "/name /inlineTools", "/name /agent_skill_folders", "/name /agentSkillFolders",
            "/name /includes/0/name", "/name /mcp_servers/0/transport", "/name /mcpServers/0/transport",
            "/name:namespaced /tools/0/name:namespaced"
        ],
        // The name has a namespace, and a file's name has no slash.
        identity: None,
    }
}

impl Kind {
    /// The kind of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// A finding about a whole document of this kind.
    pub fn finding(self, rule: &'static Rule, message: impl Into<String>) -> Finding {
        Finding::new(rule, "", agentry_text::Span::default(), message)
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
