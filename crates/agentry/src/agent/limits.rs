//! `[capabilities]`, `[exec_policy]`, `[resources]`, `[autonomous]` and `[schedule]` of an agent: what it may do,
//! how much it may use up, and when it acts by itself.

use crate::values::{
    AgentPattern, ChannelName, Command, Count, EnvVar, MemoryPattern, NetworkPattern, PositiveCount, Price,
    Ratio, Schedule, ShellPattern, ToolName, Word,
};
use agentry_macros::document;
use agentry_text::{Condition, Extra, options, shown_text_type};

/// What an agent is permitted to do. What is not listed is forbidden.
#[document]
pub struct Capabilities {
    /// The tools it may call: built-in ones, those of MCP servers, those of skills. LibreFang specification.
    #[key(example = ["file_read", "web_search"])]
    pub tools: Option<Vec<ToolName>>,
    /// Where it may connect. `*` is everywhere. LibreFang specification.
    #[key(example = ["*.example.com"])]
    pub network: Option<Vec<NetworkPattern>>,
    /// The memory it may read: `self.*` is its own, `shared.*` everybody's, `*` all. LibreFang specification.
    #[key(example = ["*"])]
    pub memory_read: Option<Vec<MemoryPattern>>,
    /// The memory it may write, in the same words. LibreFang specification.
    #[key(example = ["self.*"])]
    pub memory_write: Option<Vec<MemoryPattern>>,
    /// Whether it may start other agents. LibreFang specification.
    #[key(default = false)]
    pub agent_spawn: Option<bool>,
    /// The agents it may write to. `*` is all. Published files and the LibreFang runtime.
    pub agent_message: Option<Vec<AgentPattern>>,
    /// The commands that its shell tool may run; `*` stands for any text. Published files and the LibreFang runtime.
    #[key(example = ["git log *"])]
    pub shell: Option<Vec<ShellPattern>>,
    /// Whether it may look for agents on other machines. LibreFang runtime.
    #[key(default = false)]
    pub ofp_discover: Option<bool>,
    /// The other machines it may connect to for their agents. LibreFang runtime.
    pub ofp_connect: Option<Vec<NetworkPattern>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// How the commands of an agent are run. LibreFang runtime.
#[document]
pub struct ExecPolicy {
    /// How strict it is: for example `deny` for no command, `allowlist` for those listed, `full` for all. The
    /// options are the runtime's; any word is read.
    #[key(example = "allowlist")]
    pub mode: Option<Word>,
    /// Programs that only turn input into output, and may run.
    #[key(example = ["sort", "wc"])]
    pub safe_bins: Option<Vec<Command>>,
    /// Whether those run without a person's approval.
    pub safe_bins_skip_approval: Option<bool>,
    /// Whether every command runs without a person's approval when the mode permits every command.
    pub full_mode_skips_approval: Option<bool>,
    /// Further commands that may run.
    #[key(example = ["git"])]
    pub allowed_commands: Option<Vec<Command>>,
    /// The environment variables that a command gets to see. None of them should hold a credential.
    pub allowed_env_vars: Option<Vec<EnvVar>>,
    /// After this many seconds a command is stopped. The runtime's default is 30.
    pub timeout_secs: Option<Count>,
    /// Output beyond this many bytes is cut. The runtime's default is 102400.
    pub max_output_bytes: Option<Count>,
    /// A command that is silent for this many seconds is stopped. The runtime's default is 30.
    pub no_output_timeout_secs: Option<Count>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// How much an agent may use up.
#[document]
pub struct Resources {
    /// Tokens that go in and come out in an hour, together. LibreFang specification.
    #[key(example = 100_000)]
    pub max_llm_tokens_per_hour: Option<Count>,
    /// The share of the hour's tokens that one minute may use. The runtime's default is 0.2.
    pub burst_ratio: Option<Ratio>,
    /// Tool calls in a minute. The runtime's default is 60.
    pub max_tool_calls_per_minute: Option<Count>,
    /// Tool calls at the same time. Published files; the LibreFang runtime drops this key today.
    #[key(example = 5)]
    pub max_concurrent_tools: Option<PositiveCount>,
    /// Memory for sandboxed code, in bytes. The runtime's default is 268435456 (256 MiB).
    pub max_memory_bytes: Option<Count>,
    /// Processor time of one call, in milliseconds. The runtime's default is 30000.
    pub max_cpu_time_ms: Option<Count>,
    /// Network traffic in an hour, in bytes. The runtime's default is 104857600 (100 MiB).
    pub max_network_bytes_per_hour: Option<Count>,
    /// Spending in an hour, in US dollars. 0, the runtime's default, is no limit.
    pub max_cost_per_hour_usd: Option<Price>,
    /// Spending in a day, in US dollars. 0, the runtime's default, is no limit.
    pub max_cost_per_day_usd: Option<Price>,
    /// Spending in a month, in US dollars. 0, the runtime's default, is no limit.
    pub max_cost_per_month_usd: Option<Price>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What keeps an agent in check that runs by itself. LibreFang runtime.
#[document]
pub struct Autonomous {
    /// When it stays silent, in the runtime's own form, for example a cron line.
    pub quiet_hours: Option<QuietHours>,
    /// Rounds of thinking and tool calls in one go. The runtime's default is 50.
    pub max_iterations: Option<PositiveCount>,
    /// After this many crashes it stays down. The runtime's default is 10.
    pub max_restarts: Option<Count>,
    /// Seconds between two signs of life. The runtime's default is 30.
    pub heartbeat_interval_secs: Option<PositiveCount>,
    /// Silent for longer than this many seconds, it counts as stuck. Absent means twice the interval.
    pub heartbeat_timeout_secs: Option<PositiveCount>,
    /// How many signs of life without content stay in the conversation.
    pub heartbeat_keep_recent: Option<Count>,
    /// The channel that is told about signs of life.
    pub heartbeat_channel: Option<ChannelName>,
    /// After this many rounds of tool calls without a word, one answer has to do without tools. 0 is never.
    pub block_stall_degrade_after: Option<Count>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

shown_text_type! {
    /// When an agent stays silent, in the form that its runtime reads, for example a cron line.
    pub struct QuietHours {
        pattern: r"^[^\x00-\x1f\x7f]+$",
        form: "quiet hours: some text on one line",
        example: "0 22 * * *",
    }
}

options! {
    /// A schedule in one word.
    pub enum ScheduleWord {
        /// The agent only answers: what it does without a schedule, too.
        Reactive = "reactive" from "runtime",
    }
}

/// When an agent acts by itself: in one of three ways. Published files and the LibreFang runtime.
#[document(no_new, conditions(ONE_WAY))]
pub struct AgentSchedule {
    /// Again and again, with a pause.
    continuous: Option<Continuous>,
    /// At fixed times.
    periodic: Option<Periodic>,
    /// When something happens.
    proactive: Option<Proactive>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

const ONE_WAY: Condition = Condition::AtMostOne {
    keys: &["continuous", "periodic", "proactive"],
    why: "an agent acts by itself in one way",
};

impl AgentSchedule {
    /// Acts again and again, with a pause.
    pub fn continuous(continuous: Continuous) -> Self {
        Self { continuous: Some(continuous), periodic: None, proactive: None, extra: Extra::default() }
    }

    /// Acts at fixed times.
    pub fn periodic(periodic: Periodic) -> Self {
        Self { continuous: None, periodic: Some(periodic), proactive: None, extra: Extra::default() }
    }

    /// Acts when something happens.
    pub fn proactive(proactive: Proactive) -> Self {
        Self { continuous: None, periodic: None, proactive: Some(proactive), extra: Extra::default() }
    }

    /// The pause, for an agent that acts again and again.
    pub fn as_continuous(&self) -> Option<&Continuous> {
        self.continuous.as_ref()
    }

    /// The times, for an agent that acts at fixed times.
    pub fn as_periodic(&self) -> Option<&Periodic> {
        self.periodic.as_ref()
    }

    /// The events, for an agent that acts when something happens.
    pub fn as_proactive(&self) -> Option<&Proactive> {
        self.proactive.as_ref()
    }
}

/// Acting again and again, with a pause.
#[document]
pub struct Continuous {
    /// The pause in seconds. The runtime's default is 300.
    #[key(example = 300)]
    pub check_interval_secs: Option<PositiveCount>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Acting at fixed times.
#[document]
pub struct Periodic {
    /// The times: `every 1h`, or a cron line.
    #[key(example = "every 1h")]
    pub cron: Schedule,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Acting when something happens.
#[document]
pub struct Proactive {
    /// What wakes the agent, any of them.
    #[key(example = ["event:agent_spawned"])]
    pub conditions: Vec<WakeCondition>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

shown_text_type! {
    /// Something that wakes an agent, in the form that its runtime reads: `event:` and the name of an event.
    pub struct WakeCondition {
        pattern: r"^[^\x00-\x1f\x7f]+$",
        form: "a condition: some text on one line",
        example: "event:agent_spawned",
    }
}
