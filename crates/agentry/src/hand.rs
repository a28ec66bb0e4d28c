//! `hands/<id>/HAND.toml`: a hand, which is something a user can switch on, and the agents that do the work
//! (LibreFang registry).
//!
//! The specification has one `[agent]`; published files have `[agents.<role>]`. Both are read, never at once, and
//! each role may be flat or nested: see `Role`.

mod role;
mod setting;
#[cfg(test)]
mod tests;

pub use role::{Duty, FlatRole, HandAgents, MainRole, NestedRole, Role};
pub use setting::{Setting, SettingInput, SettingOption, SettingType, SettingValue};

use crate::agent::RoutingPhrases;
use crate::allow_list::AllowList;
use crate::translation::Translation;
use crate::values::{
    Command, HttpUrl, Icon, Id, KeyName, Label, Language, Prose, ServerName, Tag, ToolName, Version,
};
use agentry_macros::document;
use agentry_text::{Extra, Map, Unique, UniqueBy, options, shown_text_type};

/// The file of one hand: something a user can switch on, with settings and a dashboard, and the agents behind it.
#[document]
pub struct Hand {
    /// The hand's identifier, the same as the name of its folder. LibreFang specification.
    #[key(example = "harbor-office")]
    pub id: Id,
    /// The version of the file. Published files and the LibreFang runtime.
    #[key(example = "1.0.0")]
    pub version: Option<Version>,
    /// The name that people see. LibreFang specification.
    #[key(example = "Harbor Office")]
    pub name: Label,
    /// What the hand does, in one sentence. LibreFang specification.
    #[key(example = "Keeps the berth plan and answers boat owners.")]
    pub description: Prose,
    /// What the hand is for. LibreFang specification.
    pub category: HandCategory,
    /// A picture: an emoji, or `lucide:` and the name of an icon. LibreFang specification.
    #[key(example = "lucide:anchor")]
    pub icon: Option<Icon>,
    /// Words by which catalogues find it. Published files; the LibreFang runtime drops this key today.
    pub tags: Option<Vec<Tag>>,
    /// The tools of all roles together. The list may be empty: then the hand uses no tools. Each role of a hand with
    /// several also gets `agent_send`. LibreFang specification.
    #[key(example = ["web_search", "file_write"])]
    pub tools: Vec<ToolName>,
    /// The MCP servers whose tools its agents are offered. Absent means every connected server: on a typical instance
    /// about 85 tool definitions, some 50,000 tokens in each call. An empty list draws a warning. Published files and
    /// the LibreFang runtime.
    pub mcp_servers: Option<AllowList<ServerName>>,
    /// The skills that are available, by the names of their folders. Absent means every installed skill. An empty
    /// list draws a warning. Published files and the LibreFang runtime.
    pub skills: Option<AllowList<Id>>,
    /// The plugins that may run for its agents. Absent means all. Published files and the LibreFang runtime.
    pub allowed_plugins: Option<Vec<Id>>,
    /// What users say to reach the hand. LibreFang specification.
    pub routing: Option<RoutingPhrases>,
    /// What must be there before the hand can work. LibreFang specification.
    pub requires: Option<Unique<Requirement>>,
    /// What a user can set. LibreFang specification.
    pub settings: Option<Unique<Setting>>,
    /// The agents: `[agent]`, or roles under `[agents]`.
    #[serde(flatten)]
    pub agents: HandAgents,
    /// What the dashboard shows. LibreFang specification.
    pub dashboard: Option<Dashboard>,
    /// What to expect from the hand. LibreFang specification.
    pub metadata: Option<HandMetadata>,
    /// The texts in other languages. Published files and the LibreFang runtime.
    pub i18n: Option<Map<Language, HandTranslation>>,
    /// What every role is taught: the text of a skill. Usually it stands in a `SKILL.md` beside the file. LibreFang
    /// runtime.
    pub skill_content: Option<Prose>,
    /// What single roles are taught, by the names of the roles. LibreFang runtime.
    pub agent_skill_content: Option<Map<KeyName, Prose>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

options! {
    /// What a hand is for.
    pub enum HandCategory {
        /// Talking to people.
        Communication = "communication" from "specification, runtime",
        /// Writing, pictures, sound and film.
        Content = "content" from "specification, runtime",
        /// Collecting and evaluating data.
        Data = "data" from "specification, runtime",
        /// Writing programs.
        Development = "development" from "specification, runtime",
        /// Running programs and machines. The runtime shows it as `other`.
        Devops = "devops" from "specification",
        /// Money.
        Finance = "finance" from "specification, runtime",
        /// Getting work done.
        Productivity = "productivity" from "specification, runtime",
        /// Finding things out. The runtime shows it as `other`.
        Research = "research" from "specification",
        /// Social media. The runtime shows it as `other`.
        Social = "social" from "specification",
        /// Keeping systems safe.
        Security = "security" from "runtime",
        /// None of these.
        Other = "other" from "runtime",
    }
}

/// Something that must be there before a hand can work.
#[document]
pub struct Requirement {
    /// The requirement's key. No two requirements of a hand share one; a setting may have the same.
    #[key(example = "python3")]
    pub key: KeyName,
    /// The name that people see.
    #[key(example = "Python 3")]
    pub label: Label,
    /// What sort of thing it is.
    pub requirement_type: RequirementType,
    /// What is looked for: the name of the program, package, service or environment variable, or a command that
    /// finds it. Several variables, of which one is enough, are joined by commas.
    #[key(example = "python3")]
    pub check_value: Command,
    /// Why the hand needs it.
    pub description: Option<Prose>,
    /// Whether the hand works without it, with less to offer.
    #[key(default = false)]
    pub optional: Option<bool>,
    /// How to get it.
    pub install: Option<Install>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl UniqueBy for Requirement {
    const KEY: &'static str = "key";

    fn unique_value(&self) -> &str {
        self.key.as_str()
    }
}

options! {
    /// What sort of thing a hand requires.
    pub enum RequirementType {
        /// A program on the search path.
        Binary = "binary" from "specification, runtime",
        /// An installed package. The runtime refuses the whole hand for it.
        Package = "package" from "specification",
        /// A service that answers. The runtime refuses the whole hand for it.
        Service = "service" from "specification",
        /// An environment variable.
        EnvVar = "env_var" from "runtime",
        /// An environment variable that holds an API key.
        ApiKey = "api_key" from "published files, runtime",
        /// At least one of several environment variables.
        AnyEnvVar = "any_env_var" from "published files, runtime",
    }
}

/// How to get what a hand requires. `macos`, `windows`, `linux_apt` and `manual_url` are from the specification, the
/// others from published files and the LibreFang runtime.
#[document]
pub struct Install {
    /// The command for macOS.
    #[key(example = "brew install python3")]
    pub macos: Option<Command>,
    /// The command for Windows.
    #[key(example = "winget install Python.Python.3.12")]
    pub windows: Option<Command>,
    /// The command for Linux with apt.
    #[key(example = "sudo apt install python3")]
    pub linux_apt: Option<Command>,
    /// The command for Linux with dnf.
    pub linux_dnf: Option<Command>,
    /// The command for Linux with pacman.
    pub linux_pacman: Option<Command>,
    /// The command for a Python package.
    pub pip: Option<Command>,
    /// The page that explains how to install it by hand.
    pub manual_url: Option<HttpUrl>,
    /// The page where an account is made.
    pub signup_url: Option<HttpUrl>,
    /// The documentation.
    pub docs_url: Option<HttpUrl>,
    /// What the line in the environment looks like, with a placeholder for a secret.
    #[key(example = "ACME_API_KEY=<your key>")]
    pub env_example: Option<Prose>,
    /// How long it takes, in words.
    #[key(example = "5 minutes")]
    pub estimated_time: Option<Label>,
    /// What to do, one sentence each.
    pub steps: Option<Vec<Prose>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What the dashboard shows about a hand.
#[document]
pub struct Dashboard {
    /// The values on it, one table each.
    pub metrics: Option<Vec<Metric>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A value on the dashboard. The agents write it into memory.
#[document]
pub struct Metric {
    /// The name that people see.
    #[key(example = "Reports written")]
    pub label: Label,
    /// Where the value is in memory.
    #[key(example = "reports_written")]
    pub memory_key: MemoryKey,
    /// How the value is shown.
    pub format: MetricFormat,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

shown_text_type! {
    /// The key under which a value is in memory, on one line.
    pub struct MemoryKey {
        pattern: r"^[^\x00-\x20\x7f*]+$",
        form: "a memory key: printable characters without spaces, and no `*`",
        example: "reports_written",
    }
}

options! {
    /// How a value on the dashboard is shown. The specification has three options; published files and the runtime
    /// have more, and those are read as well.
    pub enum MetricFormat {
        /// A number.
        Number = "number" from "specification, runtime",
        /// An amount of money. The runtime refuses it.
        Currency = "currency" from "specification",
        /// A share of a hundred.
        Percentage = "percentage" from "specification, runtime",
        /// A span of time.
        Duration = "duration" from "published files, runtime",
        /// A size in bytes.
        Bytes = "bytes" from "runtime",
        /// Text as it is.
        Text = "text" from "published files, runtime",
        /// A day or a moment.
        Date = "date" from "published files, runtime",
    }
}

/// What to expect from a hand.
#[document]
pub struct HandMetadata {
    /// How often it runs.
    pub frequency: Option<Frequency>,
    /// How many tokens it uses.
    pub token_consumption: Option<TokenConsumption>,
    /// Whether it is on from the beginning. The LibreFang runtime reads an absent key as false, so write it.
    #[key(default = true)]
    pub default_active: Option<bool>,
    /// What a user should know before switching it on. Published files and the LibreFang runtime.
    pub activation_warning: Option<Prose>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

options! {
    /// How often a hand runs.
    pub enum Frequency {
        /// All the time.
        Continuous = "continuous" from "specification, runtime",
        /// When it is asked. The older text is `reactive`.
        OnDemand = "on-demand" from "specification, runtime" legacy "reactive",
        /// At times that are set. The runtime refuses it, and has `periodic`.
        Scheduled = "scheduled" from "specification",
        /// Again and again.
        Periodic = "periodic" from "runtime",
        /// Every hour.
        Hourly = "hourly" from "published files, runtime",
        /// Every day.
        Daily = "daily" from "published files, runtime",
    }
}

options! {
    /// How many tokens a hand uses.
    pub enum TokenConsumption {
        /// Few.
        Low = "low" from "specification, runtime",
        /// A usual number.
        Medium = "medium" from "specification, runtime",
        /// Many.
        High = "high" from "specification, runtime",
    }
}

/// The texts of a hand in another language.
#[document]
pub struct HandTranslation {
    /// The name that people see.
    pub name: Option<Label>,
    /// What the hand does, in one sentence.
    pub description: Option<Prose>,
    /// The category, as people see it.
    pub category: Option<Label>,
    /// Words by which catalogues find it. The LibreFang runtime drops this key today.
    pub tags: Option<Vec<Tag>>,
    /// The texts of roles, by the names of the roles.
    pub agents: Option<Map<KeyName, Translation>>,
    /// The texts of settings, by the keys of the settings.
    pub settings: Option<Map<KeyName, SettingTranslation>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The texts of a setting in another language.
#[document]
pub struct SettingTranslation {
    /// The name that people see.
    pub label: Option<Label>,
    /// What the setting changes.
    pub description: Option<Prose>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
