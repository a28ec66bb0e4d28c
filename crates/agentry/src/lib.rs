//! The types of Agentry: what the files of agent platforms say, one module per file format.
//!
//! A value that exists is valid: every type is read strictly or built through checked constructors. There is
//! no I/O here. With the features `toml`, `yaml`, `json` and `front-matter` (`SKILL.md`) the files are read and
//! written; with `schema` every type has a JSON Schema.
//!
//! ```
//! # #[cfg(feature = "toml")] {
//! let text = r#"
//! [provider]
//! id = "acme"
//! display_name = "Acme"
//! api_key_env = "ACME_API_KEY"
//! base_url = "https://api.acme.example/v1"
//! key_required = true
//! "#;
//! let provider: agentry::Provider = agentry::toml::from_str(text)?;
//! assert_eq!(provider.provider.id.as_str(), "acme");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod agent;
pub mod alias;
mod allow_list;
pub mod channel;
pub mod contract;
pub mod hand;
pub mod hooks;
pub mod integration;
pub mod json_schema;
mod kind;
pub mod mcp;
pub mod package;
pub mod plugin;
pub mod provider;
pub mod registry_schema;
pub mod rules;
mod shorthand;
pub mod skill;
pub mod skill_config;
pub mod skill_md;
#[cfg(test)]
mod testing;
pub mod tool;
pub mod translation;
pub mod values;
pub mod workflow;

pub use agent::Agent;
#[cfg(feature = "front-matter")]
pub use agentry_text::front_matter;
#[cfg(feature = "json")]
pub use agentry_text::json;
#[cfg(feature = "toml")]
pub use agentry_text::toml;
#[cfg(feature = "yaml")]
pub use agentry_text::yaml;
pub use agentry_text::{
    AtMost, Datetime, Document, Extra, Finding, Format, Invalid, Map, Mode, Nullable, OrEmpty, Read,
    ReadError, Reading, Rule, Set, Severity, Text, Unique, Unlisted, UnlistedKeys, Value, read_document,
};
pub use alias::Aliases;
pub use allow_list::AllowList;
pub use channel::Channel;
pub use contract::Contract;
pub use hand::Hand;
pub use integration::Integration;
pub use json_schema::JsonSchema;
pub use kind::{Identity, Kind, Manifest};
pub use mcp::ToolDefinition;
pub use package::Package;
pub use plugin::Plugin;
pub use provider::Provider;
pub use registry_schema::RegistrySchema;
pub use shorthand::Shorthand;
pub use skill::Skill;
pub use skill_config::SkillConfig;
pub use skill_md::SkillMd;
pub use tool::Tool;
pub use workflow::Workflow;
