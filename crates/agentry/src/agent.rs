//! `agents/<name>/agent.toml`: an agent, what it is told, and what it may do (LibreFang registry).
//!
//! A key that stands after a table header belongs to that table: a `version` below `[model]` is no version, and
//! the runtime even sends it to the provider. It is reported as misplaced.

mod limits;
mod model;
#[cfg(test)]
mod tests;

pub use limits::{
    AgentSchedule, Autonomous, Capabilities, Continuous, ExecPolicy, Periodic, Proactive, QuietHours,
    Resources, ScheduleWord, WakeCondition,
};
pub use model::{AgentModel, FallbackModel, ModelRouting, ModelSettings, RoleModel, Thinking};

use crate::allow_list::AllowList;
use crate::rules;
use crate::shorthand::Shorthand;
use crate::translation::Translation;
use crate::values::{
    ChannelName, Count, Id, Label, Language, MAX_EXACT, ModelRef, Module, OpenTable, Phrase, PositiveCount,
    Prose, ServerName, Tag, ToolName, Version, Word,
};
use agentry_macros::document;
use agentry_text::{Extra, Invalid, Map, count_type, number_type, options, shown_text_type};

/// The file of one agent: a model with a task, and limits on what it may touch.
///
/// An agent without `mcp_servers` gets the tools of every connected MCP server: about 85 definitions on a typical
/// instance, some 50,000 tokens in each call.
#[document(no_new)]
pub struct Agent {
    /// The agent's identifier, the same as the name of its folder. LibreFang specification.
    #[key(example = "code-reviewer")]
    pub name: Id,
    /// What the agent does, in one sentence: other agents choose by it. LibreFang specification.
    #[key(example = "Reviews code changes and names the risks.")]
    pub description: Prose,
    /// What runs the agent. `builtin:chat` is the ordinary conversation loop. LibreFang specification.
    #[key(example = "builtin:chat")]
    pub module: Module,
    /// The model and how it is asked. May be absent; once there, it has a `system_prompt`. LibreFang specification.
    pub model: Option<AgentModel>,
    /// The keys that a role of a hand may have too.
    #[serde(flatten)]
    pub common: AgentCommon,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Agent {
    /// An agent with its required keys; every other key is absent.
    pub fn new(name: Id, description: Prose, module: Module) -> Self {
        let (common, extra) = (AgentCommon::new(), Extra::default());
        Self { name, description, module, model: None, common, extra }
    }

    /// The same with the keys that a role of a hand may have too.
    #[must_use]
    pub fn with_common(mut self, common: AgentCommon) -> Self {
        self.common = common;
        self
    }
}

/// The keys that an agent file and a role of a hand share. None of them is required.
#[document(open)]
pub struct AgentCommon {
    /// The version of the file. LibreFang specification.
    #[key(example = "0.1.0")]
    pub version: Option<Version>,
    /// Who wrote it: a person or an organisation. LibreFang specification.
    pub author: Option<Label>,
    /// Words by which catalogues find it. Published files and the LibreFang runtime.
    pub tags: Option<Vec<Tag>>,
    /// Whether it may be started. LibreFang runtime.
    #[key(default = true)]
    pub enabled: Option<bool>,
    /// Which agents get the machine first. LibreFang runtime.
    #[key(default = Priority::Normal)]
    pub priority: Option<Priority>,
    /// Whether a call continues the last conversation. LibreFang runtime.
    #[key(default = SessionMode::Persistent)]
    pub session_mode: Option<SessionMode>,
    /// How many calls may run at the same time. More than one needs the session mode `new`, for two calls cannot
    /// write one conversation. LibreFang runtime.
    pub max_concurrent_invocations: Option<PositiveCount>,
    /// How many messages of the conversation are kept. Absent means the runtime's own limit, usually 60. LibreFang
    /// specification.
    #[key(example = 80)]
    pub max_history_messages: Option<HistoryLimit>,
    /// Whether files that add to the prompt are read once and kept. LibreFang runtime.
    #[key(default = false)]
    pub cache_context: Option<bool>,
    /// When it acts by itself. Absent means that it only answers. Published files and the LibreFang runtime.
    pub schedule: Option<Shorthand<ScheduleWord, AgentSchedule>>,

    /// A ready-made set of tools. LibreFang runtime.
    pub profile: Option<ToolProfile>,
    /// What it is permitted to do. LibreFang specification.
    pub capabilities: Option<Capabilities>,
    /// Of the permitted tools, only these are offered. Absent means all of them. LibreFang runtime.
    pub tool_allowlist: Option<Vec<ToolName>>,
    /// Tools that are never offered. Published files and the LibreFang runtime.
    pub tool_blocklist: Option<Vec<ToolName>>,
    /// Whether every tool is taken away. LibreFang runtime.
    #[key(default = false)]
    pub tools_disabled: Option<bool>,
    /// Settings of single tools, by the tool's name. LibreFang runtime; the shape of a setting is not published.
    pub tools: Option<OpenTable>,
    /// The MCP servers whose tools are offered. Absent means every connected server: on a typical instance about 85
    /// tool definitions, some 50,000 tokens in each call, so name the ones that are needed. An empty list is read as
    /// all by the specification and as none by newer runtimes: it draws a warning. LibreFang specification.
    #[key(example = ["memory", "github"])]
    pub mcp_servers: Option<AllowList<ServerName>>,
    /// Whether every MCP server is taken away: the clear way to say none. LibreFang runtime.
    #[key(default = false)]
    pub mcp_disabled: Option<bool>,
    /// The skills that are available, by the names of their folders. Absent means every installed skill. An empty
    /// list is read as all by the specification and as none by newer runtimes: it draws a warning. LibreFang
    /// specification.
    #[key(example = ["rust-expert"])]
    pub skills: Option<AllowList<Id>>,
    /// Whether every skill is taken away: the clear way to say none. LibreFang runtime.
    #[key(default = false)]
    pub skills_disabled: Option<bool>,
    /// How skills are made from what the agent learns. LibreFang runtime; its keys are not published.
    pub skill_workshop: Option<OpenTable>,
    /// The plugins that may run for it. Absent means all. LibreFang runtime.
    pub allowed_plugins: Option<Vec<Id>>,
    /// The channels over which it can be reached. LibreFang runtime.
    pub channels: Option<Vec<ChannelName>>,
    /// What differs on single channels. LibreFang runtime; its keys are not published.
    pub channel_overrides: Option<OpenTable>,

    /// What to try, in this order, when the model fails. Published files and the LibreFang runtime.
    pub fallback_models: Option<Vec<FallbackModel>>,
    /// Picks a model by the size of the question. LibreFang runtime.
    pub routing: Option<ModelRouting>,
    /// The model to stay with where a runtime is set to change nothing. LibreFang runtime.
    pub pinned_model: Option<ModelRef>,
    /// Thinking before the answer. LibreFang runtime.
    pub thinking: Option<Thinking>,
    /// The form that answers must have. LibreFang runtime; a table with keys that are not published, which may hold
    /// a JSON Schema.
    pub response_format: Option<OpenTable>,
    /// Whether the runtime searches the web before the model is asked. LibreFang runtime; the options are not
    /// published, any word is read.
    pub web_search_augmentation: Option<Word>,
    /// Texts that are added to the prompt. LibreFang runtime; the keys of an entry are not published.
    pub context_injection: Option<Vec<OpenTable>>,
    /// What puts the model's context together. LibreFang runtime; its keys are not published.
    pub context_engine: Option<OpenTable>,
    /// How long conversations are shortened. LibreFang runtime; its keys are not published.
    pub compaction: Option<OpenTable>,

    /// How much it may use up. LibreFang specification.
    pub resources: Option<Resources>,
    /// How its commands are run: a table, or the mode alone. LibreFang runtime.
    pub exec_policy: Option<Shorthand<Word, ExecPolicy>>,
    /// What runs its tools. LibreFang runtime; the options are not published, any word is read.
    pub tool_exec_backend: Option<Word>,
    /// What keeps it in check when it runs by itself. LibreFang runtime.
    pub autonomous: Option<Autonomous>,
    /// Events that start the agent. LibreFang runtime; the keys of an entry are not published.
    pub triggers: Option<Vec<OpenTable>>,
    /// What becomes of work whose agent is gone. LibreFang runtime; the options are not published, any word is read.
    pub reconcile_orphans: Option<Word>,
    /// Work that goes on while the conversation does. LibreFang runtime; its keys are not published.
    pub async_tasks: Option<OpenTable>,
    /// Whether a task on the board wakes the agent it is assigned to. Absent means the runtime's own setting. LibreFang
    /// runtime.
    pub assignee_wake: Option<bool>,
    /// Whether it sees the results of earlier steps when a workflow calls it. LibreFang runtime.
    #[key(default = true)]
    pub inherit_parent_context: Option<bool>,
    /// Whether a channel shows which tool is being used. LibreFang runtime.
    #[key(default = true)]
    pub show_progress: Option<bool>,

    /// Its working folder. Absent means one of its own. LibreFang runtime.
    pub workspace: Option<WorkspacePath>,
    /// Further folders, by name. LibreFang runtime; the shape of an entry is not published.
    pub workspaces: Option<OpenTable>,
    /// Whether the runtime writes files that describe the agent into a new working folder. LibreFang runtime.
    #[key(default = true)]
    pub generate_identity_files: Option<bool>,
    /// Whether the runtime looks after each turn for skills worth improving. LibreFang runtime.
    #[key(default = true)]
    pub auto_evolve: Option<bool>,
    /// Whether the runtime sorts the agent's memories in quiet times. LibreFang runtime.
    #[key(default = false)]
    pub auto_dream_enabled: Option<bool>,
    /// How many hours lie between two such rounds at least. LibreFang runtime.
    pub auto_dream_min_hours: Option<Hours>,
    /// How many conversations lie between two such rounds at least. LibreFang runtime.
    pub auto_dream_min_sessions: Option<Count>,
    /// How memories are brought up unasked. LibreFang runtime; its keys are not published.
    pub proactive_memory: Option<OpenTable>,
    /// What is written down for training. LibreFang runtime; its keys are not published.
    pub rl_export: Option<OpenTable>,
    /// Whether it is an agent of a hand. The runtime sets it; authors leave it out. LibreFang runtime.
    #[key(default = false)]
    pub is_hand: Option<bool>,

    /// Notes about the agent that other programs read: how users reach it, and keys of the author's own. LibreFang
    /// specification.
    pub metadata: Option<AgentMetadata>,
    /// Its name and description in other languages. Published files; the LibreFang runtime drops this key today.
    pub i18n: Option<Map<Language, Translation>>,
}

/// Data about an agent. Its keys are the author's own, but for `routing`.
#[document(any_keys)]
pub struct AgentMetadata {
    /// What users say to reach the agent.
    pub routing: Option<RoutingPhrases>,
    /// The author's own keys. The LibreFang runtime keeps any.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What users say to reach an agent or a hand. Within a registry a phrase leads to one of them.
#[document]
pub struct RoutingPhrases {
    /// Phrases that lead there at once.
    #[key(example = ["plan a trip"])]
    pub aliases: Option<Vec<Phrase>>,
    /// Words that make the agent or hand likelier to be chosen, and do not choose it by themselves.
    #[key(example = ["itinerary"])]
    pub weak_aliases: Option<Vec<Phrase>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

options! {
    /// Which agents get the machine first.
    pub enum Priority {
        /// After all others.
        Low = "low" from "runtime",
        /// The usual.
        Normal = "normal" from "runtime",
        /// Before the usual.
        High = "high" from "runtime",
        /// Before all others.
        Critical = "critical" from "runtime",
    }
}

options! {
    /// Whether a call continues the last conversation.
    pub enum SessionMode {
        /// It does.
        Persistent = "persistent" from "runtime",
        /// Each call starts a conversation of its own.
        New = "new" from "runtime",
    }
}

options! {
    /// A ready-made set of tools.
    pub enum ToolProfile {
        /// The fewest that an agent can work with.
        Minimal = "minimal" from "runtime",
        /// For writing programs.
        Coding = "coding" from "runtime",
        /// For finding things out.
        Research = "research" from "runtime",
        /// For talking to people over channels.
        Messaging = "messaging" from "runtime",
        /// For running things by itself.
        Automation = "automation" from "runtime",
        /// All tools.
        Full = "full" from "runtime",
        /// None but those that the agent names itself.
        Custom = "custom" from "runtime",
    }
}

/// What runtimes cap conversations at when an agent says nothing.
const USUAL_HISTORY: u64 = 60;

/// What runtimes raise smaller limits to.
const LEAST_HISTORY: u64 = 4;

count_type! {
    /// How many messages of a conversation are kept. Runtimes raise less than 4 to 4, which is warned about. Between
    /// that and the usual 60 it is a hint only: such a limit may be right for short conversations, and each cut
    /// makes the provider's prompt cache worthless, which costs more than the shorter conversation saves.
    pub struct HistoryLimit(u64) {
        form: "a number of messages",
        minimum: 0,
        maximum: MAX_EXACT,
        remark: |messages| if messages < LEAST_HISTORY {
            Some(
                Invalid::new(
                    &rules::CLAMPED_VALUE,
                    format!("a limit of {messages} messages is raised to {LEAST_HISTORY} by runtimes"),
                )
                .label(format!("read as {LEAST_HISTORY}"))
                .help(format!("write {LEAST_HISTORY} or more, or delete the key for the usual {USUAL_HISTORY}")),
            )
        } else if messages < USUAL_HISTORY {
            Some(
                Invalid::new(
                    &rules::COSTLY_VALUE,
                    format!(
                        "a limit of {messages} messages lies below the usual {USUAL_HISTORY}: each cut makes the \
                         prompt cache worthless"
                    ),
                )
                .label("cuts the conversation early")
                .help("delete the key, unless conversations are short and the gain was measured"),
            )
        } else {
            None
        },
    }
}

number_type! {
    /// A number of hours: finite, 0 or more.
    pub struct Hours {
        form: "a number of hours",
        minimum: 0.0,
    }
}

shown_text_type! {
    /// A folder on the machine that runs the agent, on one line.
    pub struct WorkspacePath {
        pattern: r"^[^\x00-\x1f\x7f]+$",
        form: "a folder: some text on one line",
        example: "workspaces/navigator",
    }
}
