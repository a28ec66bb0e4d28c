//! `skills/<name>/skill.toml`: something that any agent can be taught (LibreFang registry).
//!
//! A skill is a prompt with gaps to fill in, or a program to run. The specification has `[input]` and
//! `[prompt]`, which the runtime does not read; the runtime has `prompt_context`, `[tools]` and more, which the
//! specification does not have. All are typed here.

use crate::package::PackagePath;
use crate::rules;
use crate::values::{
    Count, EnvVar, Id, KeyName, Label, Placeholder, PromptTemplate, Prose, Tag, ToolName, Version,
};
use agentry_macros::document;
use agentry_text::{
    Condition, Extra, Fields, Invalid, JsonType, Map, Reader, Unique, UniqueBy, Value, When, options,
    shown_text_type, tagged,
};

/// The file of one skill: what it is, how it works, and what it has to be told.
#[document]
pub struct Skill {
    /// Text for the system prompt of every agent that has the skill, in Markdown. LibreFang runtime, which reads
    /// it in place of `[prompt]`.
    pub prompt_context: Option<Prose>,
    /// The names of the variables that the skill's program sees of the runtime's own environment; of others it
    /// sees none. LibreFang runtime.
    #[key(example = ["ACME_REGION"])]
    pub env_passthrough: Option<Vec<EnvVar>>,
    /// What the skill is.
    pub skill: SkillInfo,
    /// How it works: `runtime` and `prompt`.
    #[serde(flatten)]
    pub execution: Execution,
    /// What the skill has to be told: one table for each parameter, by its name. `{{name}}` in the template stands
    /// for its value.
    pub input: Option<Map<KeyName, Parameter>>,
    /// The tools that the skill's program offers. LibreFang runtime.
    pub tools: Option<Tools>,
    /// What the skill needs of the runtime. LibreFang runtime.
    pub requirements: Option<Requirements>,
    /// Settings of the skill's own, with values of any type: their names and meaning are the author's, so
    /// nothing is known of them here. No place for a credential. LibreFang runtime.
    pub config: Option<Map<KeyName, Value>>,
    /// Values of the runtime's configuration that the skill needs, one table each. LibreFang runtime.
    pub config_vars: Option<Unique<ConfigVariable>>,
    /// Where the skill came from; written by the tools that fetch skills. LibreFang runtime.
    pub source: Option<Source>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a skill is.
#[document]
pub struct SkillInfo {
    /// The skill's name, the same as its folder's.
    #[key(example = "release-notes")]
    pub name: Id,
    /// The version of the skill. The LibreFang runtime takes 0.1.0 where it is absent.
    #[key(example = "0.1.0")]
    pub version: Option<Version>,
    /// One sentence that says what the skill does. Agents choose by it.
    pub description: Option<Prose>,
    /// Who wrote it.
    pub author: Option<Label>,
    /// The licence under which it may be used. LibreFang runtime.
    #[key(example = "MIT")]
    pub license: Option<Label>,
    /// Words to find the skill by.
    pub tags: Option<Vec<Tag>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// How a skill works: by a prompt alone, which then must be there, or by a program, which may have a prompt
/// beside it.
#[document(no_new, open, conditions(PROMPT_OF_PROMPT_ONLY))]
pub struct Execution {
    /// What runs the skill. It must be there; the LibreFang runtime takes a skill without it for a prompt.
    runtime: Runtime,
    /// The prompt. Required of a skill of the type `promptonly`.
    prompt: Option<Prompt>,
}

const PROMPT_OF_PROMPT_ONLY: Condition = Condition::Requires {
    when: When { path: &["runtime", "type"], is: &["promptonly"], or_absent: false },
    keys: &["prompt"],
    why: "a skill of the type `promptonly` is its prompt",
};

impl Execution {
    /// A skill that is a prompt and nothing else.
    #[must_use]
    pub fn prompt(prompt: Prompt) -> Self {
        Self { runtime: Runtime::PromptOnly(PromptOnly::new()), prompt: Some(prompt) }
    }

    /// A skill of a runtime. None for `promptonly` without a prompt.
    #[must_use]
    pub fn new(runtime: Runtime, prompt: Option<Prompt>) -> Option<Self> {
        let complete = prompt.is_some() || !matches!(runtime, Runtime::PromptOnly(_));
        complete.then_some(Self { runtime, prompt })
    }

    /// What runs the skill.
    pub fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// The prompt; always there where the runtime is `promptonly`.
    pub fn template(&self) -> Option<&PromptTemplate> {
        self.prompt.as_ref().map(|prompt| &prompt.template)
    }
}

tagged! {
    /// What runs a skill; `type` says which other keys there are.
    pub enum Runtime by "type" {
        /// Nothing: the filled-in prompt is all there is. LibreFang specification and runtime.
        PromptOnly(PromptOnly) = "promptonly",
        /// A Python program. LibreFang specification and runtime.
        Python(Program) = "python",
        /// A Node.js program. LibreFang specification and runtime.
        Node(Program) = "node",
        /// A shell script. LibreFang specification and runtime.
        Shell(Program) = "shell",
        /// A WebAssembly module, which runs in a sandbox. LibreFang runtime.
        Wasm(Program) = "wasm",
        /// Something that is part of the runtime itself. LibreFang runtime.
        Builtin(Program) = "builtin",
    }
}

impl Runtime {
    /// The file that is run; None where nothing is.
    pub fn entry(&self) -> Option<&PackagePath> {
        match self {
            Self::PromptOnly(_) => None,
            Self::Python(program)
            | Self::Node(program)
            | Self::Shell(program)
            | Self::Wasm(program)
            | Self::Builtin(program) => Some(&program.entry),
        }
    }
}

/// A skill without a program.
#[document(remark = Self::remark)]
pub struct PromptOnly {
    /// A file to run, which a skill without a program does not have: warned about.
    pub entry: Option<PackagePath>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl PromptOnly {
    fn remark<'t>(fields: &Fields<'t>, reader: &mut Reader<'t>) {
        if let Some(entry) = fields.peek("entry") {
            let remark = Invalid::new(&rules::POINTLESS_KEY, "a skill of the type `promptonly` runs no file")
                .label("is never run")
                .help("delete it, or name the `type` that runs it, such as `python`");
            reader.in_key(&entry.key, |reader| reader.invalid(&entry.node, &remark));
        }
    }
}

/// A program that runs a skill. It gets the parameters as a JSON object on its standard input and answers with
/// a JSON object on its standard output.
#[document]
pub struct Program {
    /// The file to run, inside the skill's folder.
    #[key(example = "main.py")]
    pub entry: PackagePath,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The prompt of a skill.
#[document]
pub struct Prompt {
    /// The text that the agent works with. `{{name}}` is replaced by the value of the parameter of that name.
    #[key(example = "Summarise {{topic}} in one paragraph.")]
    pub template: PromptTemplate,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Something that a skill has to be told.
#[document]
pub struct Parameter {
    /// What type its values have, and what is taken when none is given: `type` and `default`.
    #[serde(flatten)]
    pub value: ParameterValue,
    /// What to give.
    pub description: Option<Prose>,
    /// Whether the skill cannot work without it.
    #[key(default = false)]
    pub required: Option<bool>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The type of a parameter's values, and the value that is taken when none is given, which is of that type.
#[document(no_new, open, conditions(STRING, NUMBER, INTEGER, BOOLEAN, ARRAY, OBJECT))]
pub struct ParameterValue {
    /// The type of its values, as JSON has them. Required: the specification lists it for every parameter, and
    /// without it nobody knows how to write a value.
    #[key(rename = "type", example = "string")]
    kind: ParameterType,
    /// The value that is taken when none is given. It is of the parameter's type, so its own type is open here.
    default: Option<Value>,
}

/// The rule that a default is of the type that is named beside it.
const fn default_is(name: &'static [&'static str], is: JsonType) -> Condition {
    Condition::HasType {
        when: When { path: &["type"], is: name, or_absent: false },
        key: "default",
        is,
        rule: &rules::DEFAULT_MISMATCH,
    }
}

const STRING: Condition = default_is(&["string"], JsonType::String);
const NUMBER: Condition = default_is(&["number"], JsonType::Number);
const INTEGER: Condition = default_is(&["integer"], JsonType::Integer);
const BOOLEAN: Condition = default_is(&["boolean"], JsonType::Boolean);
const ARRAY: Condition = default_is(&["array"], JsonType::Array);
const OBJECT: Condition = default_is(&["object"], JsonType::Object);

impl ParameterValue {
    /// Values of a type, without a default.
    #[must_use]
    pub fn new(kind: ParameterType) -> Self {
        Self { kind, default: None }
    }

    /// The same with a default, if that is of the type.
    pub fn with_default(self, default: Value) -> Result<Self, Invalid> {
        if self.kind.json().is_some_and(|json| !json.fits(&default)) {
            let message = format!("a default of the type `{}` is not of that type", self.kind);
            return Err(Invalid::new(&rules::DEFAULT_MISMATCH, message));
        }
        Ok(Self { default: Some(default), ..self })
    }

    /// The type.
    pub fn kind(&self) -> &ParameterType {
        &self.kind
    }

    /// The value that is taken when none is given.
    pub fn default(&self) -> Option<&Value> {
        self.default.as_ref()
    }
}

options! {
    /// The type of a parameter's values, as JSON has them.
    pub enum ParameterType {
        /// Text.
        String = "string" from "specification",
        /// Any number.
        Number = "number" from "specification",
        /// A whole number.
        Integer = "integer" from "specification",
        /// `true` or `false`.
        Boolean = "boolean" from "specification",
        /// A list.
        Array = "array" from "specification",
        /// A table.
        Object = "object" from "specification",
    }
}

impl ParameterType {
    /// The type of the values in JSON; None for a type that this version does not know.
    pub const fn json(&self) -> Option<JsonType> {
        match self {
            Self::String => Some(JsonType::String),
            Self::Number => Some(JsonType::Number),
            Self::Integer => Some(JsonType::Integer),
            Self::Boolean => Some(JsonType::Boolean),
            Self::Array => Some(JsonType::Array),
            Self::Object => Some(JsonType::Object),
            Self::Unlisted(_) => None,
        }
    }
}

/// The tools of a skill. LibreFang runtime.
#[document]
pub struct Tools {
    /// The tools that the skill's program offers, one table each.
    pub provided: Option<Unique<ProvidedTool>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A tool that a skill's program offers. LibreFang runtime.
#[document]
pub struct ProvidedTool {
    /// The name by which a model calls it. No two tools of a file share one.
    #[key(example = "count_words")]
    pub name: ToolName,
    /// What it does, for the model that chooses.
    pub description: Prose,
    /// A JSON Schema of what the tool takes. Its keys are those of JSON Schema, so they are open here.
    pub input_schema: Map<String, Value>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl UniqueBy for ProvidedTool {
    const KEY: &'static str = "name";

    fn unique_value(&self) -> &str {
        self.name.as_str()
    }
}

/// What a skill needs of the runtime. LibreFang runtime.
#[document]
pub struct Requirements {
    /// The tools of the runtime that the skill calls.
    #[key(example = ["web_fetch"])]
    pub tools: Option<Vec<ToolName>>,
    /// What the runtime must allow, each a word with what it is about in parentheses.
    #[key(example = ["NetConnect(*)"])]
    pub capabilities: Option<Vec<Label>>,
    /// After how many seconds a call of the skill's program is given up. Absent or 0 means 120.
    pub timeout_secs: Option<Count>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A value of the runtime's configuration that a skill needs; its value goes into the system prompt, so it is
/// no way to hand over a credential. LibreFang runtime.
#[document]
pub struct ConfigVariable {
    /// Where the value stands below `skills.config`: keys joined by `.`. No two of a file share one.
    #[key(example = "wiki.base_url")]
    pub key: KeyName,
    /// What the value is for.
    pub description: Option<Prose>,
    /// What is taken where the configuration says nothing; it may be empty.
    pub default: Option<SettingText>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl UniqueBy for ConfigVariable {
    const KEY: &'static str = "key";

    fn unique_value(&self) -> &str {
        self.key.as_str()
    }
}

shown_text_type! {
    /// A setting that is text. It may be empty.
    pub struct SettingText {
        pattern: r"^[\s\S]*$",
        form: "text",
        example: "",
    }
}

tagged! {
    /// Where a skill came from; `type` says which other keys there are. LibreFang runtime.
    pub enum Source by "type" {
        /// Part of the runtime, or put there by hand.
        Native(Origin) = "native",
        /// Made on this machine.
        Local(Origin) = "local",
        /// Converted from an OpenClaw skill.
        OpenClaw(Origin) = "open_claw",
        /// Fetched from ClawHub.
        ClawHub(Listing) = "claw_hub",
        /// Fetched from the mirror of ClawHub in China.
        ClawHubCn(Listing) = "claw_hub_cn",
        /// Fetched from Skillhub.
        Skillhub(Listing) = "skillhub",
    }
}

/// An origin of which nothing more is said.
#[document]
pub struct Origin {
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A skill on a marketplace.
#[document]
pub struct Listing {
    /// The name of the skill there.
    #[key(example = "github-helper")]
    pub slug: Label,
    /// The version that was fetched, as the marketplace writes it.
    #[key(example = "1.0.0")]
    pub version: Label,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// How the prompt of a skill and its parameters differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateMismatches<'s> {
    /// Placeholders that are no parameter, each time they come, with their place in the template in bytes. They
    /// stay in the text as they are.
    pub undeclared: Vec<Placeholder<'s>>,
    /// Parameters that the template never uses: what a user gives for them is lost.
    pub unused: Vec<&'s str>,
}

impl<'s> TemplateMismatches<'s> {
    /// How a prompt and parameters of these names differ. Beside a program no parameter counts as unused.
    pub fn between(template: &'s PromptTemplate, parameters: &[&'s str], beside_program: bool) -> Self {
        let used = |name: &str| template.placeholders().any(|placeholder| placeholder.name == name);
        Self {
            undeclared: template
                .placeholders()
                .filter(|placeholder| !parameters.contains(&placeholder.name))
                .collect(),
            unused: parameters.iter().copied().filter(|name| !beside_program && !used(name)).collect(),
        }
    }

    /// Whether the two agree.
    pub fn is_empty(&self) -> bool {
        self.undeclared.is_empty() && self.unused.is_empty()
    }
}

impl Skill {
    /// How the prompt and the parameters differ. Both differences are legal and worth a warning. Beside a program
    /// no parameter counts as unused, for the program gets them all; without a prompt nothing differs.
    pub fn template_mismatches(&self) -> TemplateMismatches<'_> {
        let Some(template) = self.execution.template() else { return TemplateMismatches::default() };
        let parameters: Vec<&str> = self.input.iter().flatten().map(|(name, _)| name.as_str()).collect();
        let beside_program = !matches!(self.execution.runtime, Runtime::PromptOnly(_));
        TemplateMismatches::between(template, &parameters, beside_program)
    }
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::*;
    use agentry_text::{Mode, Reading, Severity};

    fn read(text: &str) -> Reading<Skill> {
        agentry_text::read_document(&agentry_text::toml::parse(text), Mode::Strict)
    }

    /// What is found: severity, rule and pointer.
    fn found(text: &str) -> Vec<(Severity, &'static str, String)> {
        let reading = read(text);
        assert_eq!(reading.value.is_some(), reading.is_valid(), "{text}");
        let findings = reading.findings.iter();
        findings.map(|finding| (finding.severity, finding.rule.name, finding.pointer.clone())).collect()
    }

    #[test]
    fn a_part_of_an_option_offers_the_one_that_begins_so() {
        for (found, near) in [
            ("prompt", Some("promptonly")),
            ("Prompt", Some("promptonly")),
            ("python3", Some("python")),
            ("nodejs", Some("node")),
            ("p", None),
            ("ruby", None),
        ] {
            let text = format!("[skill]\nname = \"a\"\n[runtime]\ntype = \"{found}\"\n");
            let reading = read(&text);
            let finding = reading.findings.iter().find(|one| one.pointer == "/runtime/type").unwrap();
            let offer = finding.help.as_deref().unwrap().strip_prefix("did you mean `");
            assert_eq!(offer.and_then(|rest| rest.split('`').next()), near, "{found}");
        }
    }

    #[test]
    fn a_skill_is_a_prompt_or_a_program() {
        use Severity::{Error, Warning};
        for (text, expected) in [
            ("[runtime]\ntype = \"promptonly\"\n[prompt]\ntemplate = \"Write a haiku.\"", None),
            ("[runtime]\ntype = \"promptonly\"", Some((Error, "missing-key", ""))),
            ("[runtime]\ntype = \"promptonly\"\n[prompt]", Some((Error, "missing-key", "/prompt"))),
            (
                "[runtime]\ntype = \"promptonly\"\nentry = \"main.py\"\n[prompt]\ntemplate = \"x\"",
                Some((Warning, "pointless-key", "/runtime/entry")),
            ),
            ("[runtime]\ntype = \"python\"\nentry = \"main.py\"", None),
            ("[runtime]\ntype = \"wasm\"\nentry = \"./skill.wasm\"\n[prompt]\ntemplate = \"x\"", None),
            ("[runtime]\ntype = \"shell\"", Some((Error, "missing-key", "/runtime"))),
            ("[runtime]\ntype = \"node\"\nentry = \"\"", Some((Error, "invalid-value", "/runtime/entry"))),
            (
                "[runtime]\ntype = \"node\"\nentry = \"../x.js\"",
                Some((Error, "invalid-value", "/runtime/entry")),
            ),
            (
                "[runtime]\ntype = \"python\"\nentry = \"main.py\"\n[prompt]",
                Some((Error, "missing-key", "/prompt")),
            ),
            (
                "[runtime]\ntype = \"ruby\"\nentry = \"main.rb\"",
                Some((Error, "unknown-option", "/runtime/type")),
            ),
            ("[prompt]\ntemplate = \"x\"", Some((Error, "missing-key", ""))),
        ] {
            let expected: Vec<_> =
                expected.into_iter().map(|(severity, rule, at)| (severity, rule, at.to_owned())).collect();
            assert_eq!(found(&format!("[skill]\nname = \"word-counter\"\n{text}\n")), expected, "{text}");
        }
    }

    #[test]
    fn a_parameter_has_a_type_and_its_default_fits() {
        use Severity::{Error, Warning};
        for (parameter, expected) in [
            ("type = \"string\"", None),
            ("type = \"string\", default = \"\"", None),
            ("type = \"string\", default = 3", Some((Error, "default-mismatch", "/input/p/default"))),
            ("type = \"integer\", default = 8", None),
            ("type = \"integer\", default = 8.5", Some((Error, "default-mismatch", "/input/p/default"))),
            ("type = \"number\", default = 8", None),
            ("type = \"number\", default = \"8\"", Some((Error, "default-mismatch", "/input/p/default"))),
            ("type = \"boolean\", default = 1", Some((Error, "default-mismatch", "/input/p/default"))),
            ("type = \"array\", default = []", None),
            ("type = \"array\", default = {}", Some((Error, "default-mismatch", "/input/p/default"))),
            ("type = \"object\", default = {}", None),
            (
                "type = \"object\", default = 2026-03-15",
                Some((Error, "default-mismatch", "/input/p/default")),
            ),
            ("description = \"no type\"", Some((Error, "missing-key", "/input/p"))),
            ("type = \"text\"", Some((Error, "unknown-option", "/input/p/type"))),
            ("type = 5", Some((Error, "wrong-type", "/input/p/type"))),
            ("type = \"string\", required = \"yes\"", Some((Error, "wrong-type", "/input/p/required"))),
            ("type = \"string\", descripton = \"x\"", Some((Warning, "unknown-key", "/input/p"))),
        ] {
            let text = format!(
                "[skill]\nname = \"a\"\n[runtime]\ntype = \"shell\"\nentry = \"a.sh\"\n[input]\np = {{ {parameter} }}\n"
            );
            let expected: Vec<_> =
                expected.into_iter().map(|(severity, rule, at)| (severity, rule, at.to_owned())).collect();
            assert_eq!(found(&text), expected, "{parameter}");
        }
        let integer = ParameterValue::new(ParameterType::Integer);
        let three = integer.clone().with_default(Value::Integer(3)).unwrap();
        assert_eq!(three.default(), Some(&Value::Integer(3)));
        assert_eq!(integer.with_default(Value::Bool(true)).unwrap_err().rule.name, "default-mismatch");
    }

    #[test]
    fn what_only_the_runtime_knows_is_known() {
        let text = r#"
prompt_context = "Write short sentences."
env_passthrough = ["ACME_REGION"]
[skill]
name = "word-counter"
license = "MIT"
[runtime]
type = "wasm"
entry = "skill.wasm"
[[tools.provided]]
name = "count_words"
description = "Counts the words of a text."
input_schema = { type = "object", properties = { text = { type = "string" } } }
[requirements]
tools = ["web_fetch"]
capabilities = ["NetConnect(*)"]
timeout_secs = 30
[config]
retries = 3
nested = { seconds = 30 }
[[config_vars]]
key = "wiki.base_url"
description = "The address of the wiki."
default = ""
[source]
type = "claw_hub"
slug = "word-counter"
version = "1.0"
"#;
        assert_eq!(found(text), []);
        let skill = read(text).value.unwrap();
        let written = agentry_text::toml::to_string(&skill).unwrap();
        assert_eq!(read(&written).value.as_ref(), Some(&skill), "{written}");
        assert_eq!(skill.execution.runtime().entry().unwrap().as_str(), "skill.wasm");
    }

    #[test]
    fn entries_that_share_their_name_are_found() {
        let text = "[skill]\nname = \"a\"\n[runtime]\ntype = \"shell\"\nentry = \"a.sh\"\n\
            [[config_vars]]\nkey = \"k\"\n[[config_vars]]\nkey = \"k\"\n";
        assert_eq!(found(text), [(Severity::Error, "duplicate-entry", "/config_vars/1/key".to_owned())]);
    }

    #[test]
    fn a_template_and_its_parameters_are_compared() {
        let topic = "[input]\ntopic = { type = \"string\" }\nlanguage = { type = \"string\" }\n";
        for (runtime, input, template, undeclared, unused) in [
            ("type = \"promptonly\"", topic, "{{topic}} in {{ language }}", &[][..], &[][..]),
            ("type = \"promptonly\"", topic, "On {{topic}}.", &[], &["language"]),
            (
                "type = \"promptonly\"",
                topic,
                "{{a}} {{topic}} {{a}} {{language}}",
                &[("a", 0), ("a", 16)],
                &[],
            ),
            ("type = \"promptonly\"", "", "ü {{topic}}", &[("topic", 3)], &[]),
            ("type = \"promptonly\"", "", "No {{ gaps at all }} and {}.", &[], &[]),
            // Those of other programs, which a skill may teach.
            ("type = \"promptonly\"", "", "${{ github.ref }} {{ .Values.tag }}", &[], &[]),
            ("type = \"promptonly\"", topic, "${{topic}} {{language}} {{a.b}}", &[("a.b", 24)], &[]),
            ("type = \"python\"\nentry = \"a.py\"", topic, "On {{topic}}.", &[], &[]),
        ] {
            let text = format!(
                "[skill]\nname = \"a\"\n[runtime]\n{runtime}\n{input}[prompt]\ntemplate = \"{template}\"\n"
            );
            let skill = read(&text).value.unwrap();
            let mismatches = skill.template_mismatches();
            let found: Vec<_> = mismatches.undeclared.iter().map(|gap| (gap.name, gap.start)).collect();
            assert_eq!(found, undeclared, "{template}");
            assert_eq!(mismatches.unused, unused, "{template}");
            assert_eq!(mismatches.is_empty(), undeclared.is_empty() && unused.is_empty());
        }
    }

    #[test]
    fn no_value_is_a_prompt_without_its_text() {
        let prompt = || Prompt::new(PromptTemplate::new("Write a haiku.").unwrap());
        let program = || Runtime::Shell(Program::new(PackagePath::new("a.sh").unwrap()));
        assert!(Execution::new(Runtime::PromptOnly(PromptOnly::new()), None).is_none());
        assert_eq!(
            Execution::new(Runtime::PromptOnly(PromptOnly::new()), Some(prompt())),
            Some(Execution::prompt(prompt()))
        );
        assert!(Execution::new(program(), None).is_some());
    }
}
