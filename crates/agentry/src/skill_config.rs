//! `skill-configs/<name>.yaml`: a skill that is put together from tools (CleverAgents skill configuration, version 1).
//!
//! Such a file is registered with `agents skill add --config FILE`, under any name. Every table is closed: an unknown key
//! is an error. Six keys have an older spelling in camel case, which is read with a warning and never written; inside
//! `input_schema`, `env` and `headers` the keys are the author's, and nothing is rewritten.
//!
//! ```
//! # #[cfg(feature = "yaml")] {
//! let text = "
//! name: local/word-count
//! inline_tools:
//!   - name: count_words
//!     source: custom
//!     code: |
//!       def run(input_data):
//!           return {'words': len(input_data['text'].split())}
//! ";
//! let skill: agentry::SkillConfig = agentry::yaml::from_str(text)?;
//! assert_eq!(skill.name().namespace(), "local");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod folder;
mod inline;
mod python;
mod server;

pub use folder::{BundleName, FolderPath, SkillFolder};
pub use inline::{InlineTool, InlineToolName, PythonSource, SideEffect, ToolSource};
pub use server::{
    HeaderName, HeaderValue, LaunchCommand, McpServer, ServedTool, ServerLabel, ToolFilter, Transport,
    VariableName, VariableValue,
};

use crate::rules;
use crate::values::SchemaAddress;
use agentry_macros::document;
use agentry_text::{Fields, Finding, Invalid, Kind, Reader, Unique, UnlistedKeys, shown_text_type};

/// Defines text that may be anything. The specification lets it be empty, and then it says nothing: a warning.
macro_rules! any_text {
    ($(
        $(#[doc = $doc:literal])+
        pub struct $name:ident { form: $form:literal, example: $example:literal }
    )+) => {
        $(
            agentry_text::shown_text_type! {
                $(#[doc = $doc])+
                pub struct $name {
                    pattern: r"^[\s\S]*$",
                    form: $form,
                    example: $example,
                    remark: |text| text.is_empty().then(crate::skill_config::empty),
                }
            }
        )+
    };
}
use any_text;

/// An empty string where the specification takes any.
fn empty() -> Invalid {
    Invalid::new(&agentry_text::rules::EMPTY_VALUE, "an empty string says nothing here")
        .label("nothing is given here")
        .help("give the value, or delete the key if it is optional")
}

/// A skill: a collection of tools under a name, from the registry, from this file, from other skills, from MCP servers
/// and from folders with a `SKILL.md`.
#[document(no_new, check = Self::includes_others)]
pub struct SkillConfig {
    /// The name of the skill, `<namespace>/<name>`, by which agents and other skills ask for it.
    #[key(example = "local/file-reader")]
    name: SkillName,
    /// The address of the schema that editors check this file with. It is no part of the meaning.
    #[key(rename = "$schema")]
    pub schema: Option<SchemaAddress>,
    /// What the skill is for, for people and models.
    #[key(example = "Reads files of the project and counts what is in them.")]
    pub description: Option<Description>,
    /// Tools of the registry that belong to the skill, one table each.
    pub tools: Option<Vec<ToolReference>>,
    /// Tools that exist in this skill alone, with their source. Their names differ. The older spelling `inlineTools` is
    /// read too.
    #[key(legacy("inlineTools"))]
    pub inline_tools: Option<Unique<InlineTool>>,
    /// Other skills whose tools become this skill's too. They may include others in turn, and none may lead back here.
    includes: Option<Vec<Inclusion>>,
    /// MCP servers whose tools belong to the skill. The older spelling `mcpServers` is read too.
    #[key(legacy("mcpServers"))]
    pub mcp_servers: Option<Vec<McpServer>>,
    /// Folders with a `SKILL.md` that belong to the skill. The older spelling `agentSkillFolders` is read too.
    #[key(legacy("agentSkillFolders"))]
    pub agent_skill_folders: Option<Vec<SkillFolder>>,
}

impl SkillConfig {
    /// What the reader asks for that no JSON Schema can state.
    pub const BEYOND_SCHEMA: &'static str = "a skill does not include itself";

    /// A skill of a name, with no tools yet.
    #[must_use]
    pub fn new(name: SkillName) -> Self {
        Self {
            name,
            schema: None,
            description: None,
            tools: None,
            inline_tools: None,
            includes: None,
            mcp_servers: None,
            agent_skill_folders: None,
            unlisted_keys: UnlistedKeys::default(),
        }
    }

    /// The name of the skill.
    pub fn name(&self) -> &SkillName {
        &self.name
    }

    /// The skills that it includes.
    pub fn includes(&self) -> &[Inclusion] {
        self.includes.as_deref().unwrap_or_default()
    }

    /// The same with other skills included, if none of them is the skill itself.
    pub fn with_includes(mut self, includes: Vec<Inclusion>) -> Result<Self, Invalid> {
        if includes.iter().any(|inclusion| inclusion.name == self.name) {
            return Err(itself(&self.name));
        }
        self.includes = Some(includes);
        Ok(self)
    }

    fn includes_others<'t>(fields: &Fields<'t>, reader: &mut Reader<'t>) -> bool {
        let Some(own) = fields.peek("name") else { return true };
        let Some(includes) = fields.peek("includes") else { return true };
        let (Some(name), Kind::Array(items)) = (own.node.as_str(), &includes.node.kind) else { return true };
        let mut held = true;
        for (index, item) in items.iter().enumerate() {
            let Some(entry) = item.get("name").filter(|entry| entry.node.as_str() == Some(name)) else {
                continue;
            };
            // A name that is none was reported where it is read.
            let Ok(name) = SkillName::new(name) else { return true };
            held = false;
            let Invalid { rule, message, label, help, .. } = itself(&name);
            let mut finding = Finding::new(rule, format!("/includes/{index}/name"), entry.node.span, message)
                .label(label)
                .related(own.node.span, "the skill itself");
            finding.help = help;
            reader.push(finding);
        }
        held
    }
}

fn itself(name: &SkillName) -> Invalid {
    Invalid::new(&rules::INCLUDE_CIRCLE, format!("the skill `{name}` includes itself"))
        .label("the skill itself")
        .help("delete it: the skill's own tools are there anyway")
}

any_text! {
    /// What something is for, for people and models.
    pub struct Description { form: "a description: any text", example: "" }
}

shown_text_type! {
    /// The name of a skill, unique among all: `<namespace>/<name>`, each of letters, digits, `_` and `-`.
    pub struct SkillName {
        pattern: r"^[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+$",
        form: "the name of a skill: a namespace, `/` and a name, each of letters, digits, `_` and `-`",
        example: "local/file-reader",
    }
}

shown_text_type! {
    /// The name of a tool in the registry, unique among all: `<namespace>/<name>`, each of letters, digits, `_` and `-`.
    pub struct RegisteredTool {
        pattern: r"^[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+$",
        form: "the name of a registered tool: a namespace, `/` and a name, each of letters, digits, `_` and `-`",
        example: "local/read-file",
    }
}

/// The two sides of a name of the form `<namespace>/<name>`.
fn sides(text: &str) -> (&str, &str) {
    text.split_once('/').unwrap_or(("", text))
}

impl SkillName {
    /// What stands before the slash.
    pub fn namespace(&self) -> &str {
        sides(self.as_str()).0
    }

    /// What stands behind the slash.
    pub fn local_name(&self) -> &str {
        sides(self.as_str()).1
    }
}

impl RegisteredTool {
    /// What stands before the slash.
    pub fn namespace(&self) -> &str {
        sides(self.as_str()).0
    }

    /// What stands behind the slash.
    pub fn local_name(&self) -> &str {
        sides(self.as_str()).1
    }
}

/// A tool of the registry, and what is said of it otherwise in this skill. What is absent stays as the registry has it:
/// absent is not false.
#[document]
pub struct ToolReference {
    /// The tool's name in the registry.
    #[key(example = "local/read-file")]
    pub name: RegisteredTool,
    /// What the tool is for in this skill, in place of what the registry says.
    pub description: Option<Description>,
    /// Whether the tool changes anything, in place of what the registry says.
    pub writes: Option<bool>,
    /// Whether what the tool does can be undone up to a checkpoint, in place of what the registry says.
    pub checkpointable: Option<bool>,
}

/// Another skill whose tools become this skill's too.
#[document]
pub struct Inclusion {
    /// The name of the other skill.
    #[key(example = "shared/git")]
    pub name: SkillName,
    /// What the other skill is for here, in place of what it says itself.
    pub description: Option<Description>,
}

#[cfg(all(test, feature = "yaml"))]
mod tests;
