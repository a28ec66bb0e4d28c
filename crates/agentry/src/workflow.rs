//! `workflows/<id>.toml`: a chain of prompts with parameters (LibreFang registry).
//!
//! No specification lists these keys: they are those of the published files and of the runtime that reads them.

use crate::rules;
use crate::translation::Translation;
use crate::values::{Id, KeyName, Label, Language, PromptTemplate, Prose, Tag, Timestamp};
use agentry_macros::document;
use agentry_text::{
    Extra, Fields, Invalid, JsonType, Key, Map, Node, Read, ReadKeys, Reader, Shape, Unique, UniqueBy, Value,
    options, quoted, shown_text_type,
};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Deref;

/// A chain of prompts. A step gets the results of others; steps that do not wait for each other may run at the
/// same time.
#[document]
pub struct Workflow {
    /// The workflow's identifier, which is also the name of its file.
    #[key(example = "code-review")]
    pub id: Id,
    /// The name that people see.
    #[key(example = "Code review")]
    pub name: Label,
    /// What comes out, in a sentence.
    #[key(example = "Reviews a change for faults, safety and style")]
    pub description: Prose,
    /// A word to group workflows by. Any word will do; published files use `business`, `creation`, `engineering`,
    /// `productivity`, `research` and `thinking`.
    #[key(example = "engineering")]
    pub category: Option<Category>,
    /// Words to find it by.
    pub tags: Option<Vec<Tag>>,
    /// When the workflow was made. A registry sets it where an author does not. Written as a string.
    pub created_at: Option<Timestamp>,
    /// What the workflow has to be told, no two under one name.
    pub parameters: Option<Unique<Parameter>>,
    /// The steps, one or more, no two under one name.
    pub steps: Steps,
    /// The name and description in other languages.
    pub i18n: Option<Map<Language, Translation>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Something that a workflow has to be told.
#[document]
pub struct Parameter {
    /// The parameter's name. `{{name}}` in a prompt is where its value goes.
    #[key(example = "audience")]
    pub name: KeyName,
    /// What to give, for whoever starts the workflow.
    pub description: Option<Prose>,
    /// What values it takes: `param_type`, `required` and `default`.
    #[serde(flatten)]
    pub value: ParameterValue,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl UniqueBy for Parameter {
    const KEY: &'static str = "name";

    fn unique_value(&self) -> &str {
        self.name.as_str()
    }
}

/// What values a parameter takes. The default is of the parameter's type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ParameterValue(ValueKeys);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ParameterValue {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ParameterValue".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        ValueKeys::json_schema(generator)
    }
}

/// The keys of a parameter's value, each by itself.
#[document(no_new, open)]
#[cfg_attr(feature = "schema", schemars(transform = state_default_type))]
struct ValueKeys {
    /// What a value is.
    param_type: ParameterType,
    /// Whether the workflow cannot start without a value. The LibreFang runtime refuses a file without this key.
    required: bool,
    /// The value where none is given, of the type that `param_type` says: in quotes for `string` and `agent_id`
    /// only. An empty string is a value. Pointless where a value is required.
    #[key(example = "general audience")]
    default: Option<Value>,
}

impl ParameterValue {
    /// A value that has to be given.
    pub fn required(param_type: ParameterType) -> Self {
        Self(ValueKeys { param_type, required: true, default: None })
    }

    /// A value that may be left out; the default must be of its type.
    pub fn optional(param_type: ParameterType, default: Option<Value>) -> Result<Self, Invalid> {
        if let Some(invalid) = default.as_ref().and_then(|default| param_type.mismatch(default)) {
            return Err(invalid);
        }
        Ok(Self(ValueKeys { param_type, required: false, default }))
    }

    /// What a value is.
    pub fn param_type(&self) -> &ParameterType {
        &self.0.param_type
    }

    /// Whether the workflow cannot start without a value.
    pub fn is_required(&self) -> bool {
        self.0.required
    }

    /// The value where none is given.
    pub fn default(&self) -> Option<&Value> {
        self.0.default.as_ref()
    }
}

impl ReadKeys for ParameterValue {
    fn keys(keys: &mut Vec<Key>) {
        ValueKeys::keys(keys);
    }

    fn read_keys<'t>(fields: &mut Fields<'t>, reader: &mut Reader<'t>) -> Option<Self> {
        let keys = ValueKeys::read_keys(fields, reader);
        let Some(default) = fields.peek("default") else { return keys.map(Self) };
        // Looked for in the tree, so that one unreadable key does not hide what is wrong with another.
        let named = fields.peek("param_type").and_then(|entry| entry.node.as_str());
        let param_type = ParameterType::ALL.iter().find(|known| Some(known.as_str()) == named);
        let mismatch = param_type.and_then(|known| known.mismatch(&Value::from(&default.node)));
        let required =
            fields.peek("required").is_some_and(|entry| entry.node.kind == agentry_text::Kind::Bool(true));
        reader.in_key(&default.key, |reader| {
            if let Some(invalid) = &mismatch {
                reader.invalid(&default.node, invalid);
            }
            if required {
                let pointless =
                    Invalid::new(&rules::POINTLESS_KEY, "a required parameter has no use for a default")
                        .label("never used")
                        .help("delete the default, or set `required` to false");
                reader.invalid(&default.node, &pointless);
            }
        });
        if mismatch.is_some() { None } else { keys.map(Self) }
    }
}

options! {
    /// What the value of a parameter is.
    pub enum ParameterType {
        /// Text.
        String = "string" from "published files, runtime",
        /// A number, whole or not.
        Number = "number" from "published files, runtime",
        /// True or false.
        Boolean = "boolean" from "runtime",
        /// The name or id of an agent, as a string.
        AgentId = "agent_id" from "runtime",
    }
}

impl ParameterType {
    /// The type of JSON that values are of; none for a type that this version does not know.
    const fn json_type(&self) -> Option<JsonType> {
        match self {
            Self::String | Self::AgentId => Some(JsonType::String),
            Self::Number => Some(JsonType::Number),
            Self::Boolean => Some(JsonType::Boolean),
            Self::Unlisted(_) => None,
        }
    }

    /// Why a value is not of this type.
    fn mismatch(&self, value: &Value) -> Option<Invalid> {
        let json_type = self.json_type().filter(|json_type| !json_type.fits(value))?;
        Some(
            Invalid::new(
                &rules::DEFAULT_MISMATCH,
                format!("the default is not {}, and the parameter is of type `{self}`", json_type.phrase()),
            )
            .label(format!("expected {}", json_type.phrase()))
            .help(format!("{}, or change `param_type`", json_type.how())),
        )
    }
}

#[cfg(feature = "schema")]
fn state_default_type(schema: &mut schemars::Schema) {
    let statements: Vec<_> = ParameterType::ALL
        .iter()
        .filter_map(|param_type| {
            let json_type = param_type.json_type()?.name();
            Some(schemars::json_schema!({
                "if": { "properties": { "param_type": { "const": param_type.as_str() } }, "required": ["param_type"] },
                "then": { "properties": { "default": { "type": json_type } } },
            }))
        })
        .map(schemars::Schema::to_value)
        .collect();
    schema.insert("allOf".to_owned(), statements.into());
}

/// The steps of a workflow: one or more, no two under one name.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Steps(Unique<Step>);

impl Steps {
    /// The steps, if there is one or more and each has a name of its own.
    pub fn new(steps: Vec<Step>) -> Result<Self, Invalid> {
        if steps.is_empty() {
            return Err(Self::none());
        }
        match Unique::new(steps) {
            Ok(steps) => Ok(Self(steps)),
            Err(repeated) => Err(Invalid::new(&agentry_text::rules::DUPLICATE_ENTRY, repeated.to_string())),
        }
    }

    fn none() -> Invalid {
        Invalid::new(
            &agentry_text::rules::INVALID_VALUE,
            "a workflow has one step or more, and this list is empty",
        )
        .label("no step")
        .help("write a `[[steps]]` table with a `name` and a `prompt_template`")
    }
}

impl Deref for Steps {
    type Target = [Step];

    fn deref(&self) -> &[Step] {
        &self.0
    }
}

impl Read for Steps {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let steps = Unique::<Step>::read(node, reader)?;
        if matches!(&node.kind, agentry_text::Kind::Array(items) if items.is_empty()) {
            reader.invalid(node, &Self::none());
        }
        // In the tolerant reading every step may have been unreadable, and been reported.
        (!steps.is_empty()).then_some(Self(steps))
    }

    fn shape() -> Option<&'static Shape> {
        Step::shape()
    }
}

agentry_text::deserialize_by_reading!(Steps);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Steps {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Steps".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = Unique::<Step>::json_schema(generator);
        schema.insert("minItems".to_owned(), 1.into());
        schema
    }
}

/// One prompt of a workflow.
#[document]
pub struct Step {
    /// The step's name. `{{name}}` in the prompt of a step that waits for it is where its result goes.
    #[key(example = "outline")]
    pub name: KeyName,
    /// The prompt. `{{name}}` stands for a parameter, or for the result of a step that this one waits for. The
    /// LibreFang runtime also fills in `{{input}}`, the result of the step before.
    pub prompt_template: PromptTemplate,
    /// The agent that does the step, by its name or id. Absent means the runtime's default agent.
    #[key(example = "code-reviewer")]
    pub agent: Option<AgentName>,
    /// The steps that must be finished before this one starts, by name.
    pub depends_on: Option<Vec<KeyName>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Step {
    /// The steps that must be finished before this one starts; none where the key is absent.
    pub fn depends_on(&self) -> &[KeyName] {
        self.depends_on.as_deref().unwrap_or_default()
    }
}

impl UniqueBy for Step {
    const KEY: &'static str = "name";

    fn unique_value(&self) -> &str {
        self.name.as_str()
    }
}

shown_text_type! {
    /// A word, or a few, to group workflows by, on one line.
    pub struct Category {
        pattern: r"^[^\x00-\x1f\x7f]+$",
        form: "a category: a word or a few on one line",
        example: "engineering",
    }
}

shown_text_type! {
    /// An agent by the name of its folder, or by the id that a runtime gave it.
    pub struct AgentName {
        pattern: r"^[A-Za-z0-9][A-Za-z0-9_.-]*$",
        form: "the name of an agent: letters, digits, `_`, `-` and `.`",
        example: "code-reviewer",
    }
}

/// Something in a workflow that refers to what is not there, or to what cannot be there in time. Legal, since a
/// runtime may know more, and very likely not what was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch<'w> {
    /// A step waits for a step that the workflow does not have.
    UnknownStep {
        /// The index of the step that waits.
        step: usize,
        /// The index in its `depends_on`.
        index: usize,
        /// The name that no step has.
        name: &'w str,
    },
    /// A step waits for itself, directly or by way of others: it never starts.
    Circle {
        /// The index of the step.
        step: usize,
        /// The index in its `depends_on` of the step by way of which it waits for itself.
        index: usize,
        /// The name of that step.
        name: &'w str,
    },
    /// A prompt has a placeholder that is neither a parameter nor a step.
    UnknownPlaceholder {
        /// The index of the step.
        step: usize,
        /// The placeholder.
        placeholder: crate::values::Placeholder<'w>,
    },
    /// A prompt asks for the result of a step that its own step does not wait for, not even by way of others.
    UnawaitedStep {
        /// The index of the step.
        step: usize,
        /// The placeholder.
        placeholder: crate::values::Placeholder<'w>,
    },
    /// A parameter and a step have one name: it is not plain which of the two a placeholder stands for.
    SharedName {
        /// The index of the parameter.
        parameter: usize,
        /// The name.
        name: &'w str,
    },
}

impl Mismatch<'_> {
    /// The JSON pointer of the value that is wrong.
    pub fn pointer(&self) -> String {
        match self {
            Self::UnknownStep { step, index, .. } | Self::Circle { step, index, .. } => {
                format!("/steps/{step}/depends_on/{index}")
            }
            Self::UnknownPlaceholder { step, .. } | Self::UnawaitedStep { step, .. } => {
                format!("/steps/{step}/prompt_template")
            }
            Self::SharedName { parameter, .. } => format!("/parameters/{parameter}/name"),
        }
    }
}

impl fmt::Display for Mismatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownStep { name, .. } => write!(f, "the workflow has no step {}", quoted(name)),
            Self::Circle { name, .. } => {
                write!(f, "the step waits for itself by way of {}, and never starts", quoted(name))
            }
            Self::UnknownPlaceholder { placeholder, .. } => {
                write!(f, "`{{{{{}}}}}` is neither a parameter nor a step of the workflow", placeholder.name)
            }
            Self::UnawaitedStep { placeholder, .. } => {
                let name = placeholder.name;
                write!(
                    f,
                    "the prompt uses the result of `{name}`, and `depends_on` does not lead to that step"
                )
            }
            Self::SharedName { name, .. } => {
                write!(f, "{} is the name of a parameter and of a step", quoted(name))
            }
        }
    }
}

/// Placeholders that the runtime fills in by itself.
const IMPLICIT: [&str; 1] = ["input"];

impl Workflow {
    /// The parameters; none where the key is absent.
    pub fn parameters(&self) -> &[Parameter] {
        self.parameters.as_deref().unwrap_or_default()
    }

    /// The step of a name.
    pub fn step(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.name.as_str() == name)
    }

    /// The parameter of a name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters().iter().find(|parameter| parameter.name.as_str() == name)
    }

    /// Everything that refers to what is not there, in the order of the file: parameters, then steps.
    pub fn mismatches(&self) -> Vec<Mismatch<'_>> {
        let parameters = self.parameters().iter().map(|parameter| Some(parameter.name.as_str()));
        let steps = self.steps.iter().map(|step| PlannedStep {
            name: Some(step.name.as_str()),
            depends_on: step.depends_on().iter().map(|name| Some(name.as_str())).collect(),
            prompt: Some(&step.prompt_template),
        });
        Plan { parameters: parameters.collect(), steps: steps.collect() }.mismatches()
    }
}

/// What the parts of a workflow call each other, as far as it is known. A reader of a workflow in which something else is
/// wrong can ask it what refers to what is not there, and is told nothing that a part which could not be read may
/// explain.
#[derive(Clone, Debug, Default)]
pub struct Plan<'w> {
    /// The names of the parameters; `None` for one whose name is not known.
    pub parameters: Vec<Option<&'w str>>,
    /// The steps.
    pub steps: Vec<PlannedStep<'w>>,
}

/// What is known of a step.
#[derive(Clone, Debug, Default)]
pub struct PlannedStep<'w> {
    /// Its name.
    pub name: Option<&'w str>,
    /// The steps that it waits for; `None` for one that is not known.
    pub depends_on: Vec<Option<&'w str>>,
    /// Its prompt.
    pub prompt: Option<&'w PromptTemplate>,
}

impl<'w> Plan<'w> {
    /// Everything that refers to what is not there, in the order of the file: parameters, then steps.
    pub fn mismatches(&self) -> Vec<Mismatch<'w>> {
        let places: HashMap<&str, usize> =
            self.steps.iter().enumerate().filter_map(|(place, step)| Some((step.name?, place))).collect();
        // Something without a name may have any.
        let all_steps = self.steps.iter().all(|step| step.name.is_some());
        let all_named = all_steps && self.parameters.iter().all(Option::is_some);
        let parameters: HashSet<&str> = self.parameters.iter().copied().flatten().collect();
        let mut found = Vec::new();
        for (parameter, name) in self.parameters.iter().enumerate() {
            if let Some(name) = name.filter(|name| places.contains_key(name)) {
                found.push(Mismatch::SharedName { parameter, name });
            }
        }
        for (place, step) in self.steps.iter().enumerate() {
            let mut awaited = HashSet::new();
            for (index, name) in step.depends_on.iter().enumerate() {
                let Some(name) = *name else { continue };
                let Some(&dependency) = places.get(name) else {
                    if all_steps {
                        found.push(Mismatch::UnknownStep { step: place, index, name });
                    }
                    continue;
                };
                let through = self.awaited_from(dependency, &places);
                if through.contains(&place) {
                    found.push(Mismatch::Circle { step: place, index, name });
                }
                awaited.extend(through);
            }
            let all_awaited = awaited
                .iter()
                .chain([&place])
                .all(|place| self.steps[*place].depends_on.iter().all(Option::is_some));
            for placeholder in step.prompt.into_iter().flat_map(PromptTemplate::placeholders) {
                let known = IMPLICIT.contains(&placeholder.name) || parameters.contains(placeholder.name);
                match places.get(placeholder.name) {
                    _ if known => {}
                    None if all_named => {
                        found.push(Mismatch::UnknownPlaceholder { step: place, placeholder });
                    }
                    Some(other) if all_awaited && !awaited.contains(other) => {
                        found.push(Mismatch::UnawaitedStep { step: place, placeholder });
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// A step and all that it waits for, directly or by way of others.
    fn awaited_from(&self, start: usize, places: &HashMap<&str, usize>) -> HashSet<usize> {
        let mut seen = HashSet::from([start]);
        let mut next = vec![start];
        while let Some(place) = next.pop() {
            let dependencies =
                self.steps[place].depends_on.iter().flatten().filter_map(|name| places.get(name));
            next.extend(dependencies.copied().filter(|dependency| seen.insert(*dependency)));
        }
        seen
    }
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::{ParameterType, ParameterValue, Steps, Workflow};
    use agentry_text::{Mode, Severity, Value};

    const HEAD: &str = "id = \"x\"\nname = \"X\"\ndescription = \"x\"\n";
    const STEP: &str = "[[steps]]\nname = \"s\"\nprompt_template = \"p\"\n";

    /// What is tested, the parameters and steps, and the pointer and text of each mismatch.
    type Case = (&'static str, String, &'static [(&'static str, &'static str)]);

    /// Severity, rule and pointer.
    type Found = (Severity, &'static str, String);

    fn found(text: &str, mode: Mode) -> (Option<Workflow>, Vec<Found>) {
        let reading = agentry_text::read_document::<Workflow>(&agentry_text::toml::parse(text), mode);
        let findings = reading
            .findings
            .into_iter()
            .map(|finding| (finding.severity, finding.rule.name, finding.pointer))
            .collect();
        (reading.value, findings)
    }

    #[test]
    fn a_default_is_of_its_parameters_type() {
        for (kind, required, default, expected) in [
            ("string", "false", "\"\"", None),
            ("string", "false", "\"x\"", None),
            ("number", "false", "500", None),
            ("number", "false", "0.5", None),
            ("boolean", "false", "false", None),
            ("agent_id", "false", "\"coder\"", None),
            ("string", "false", "1", Some((Severity::Error, "default-mismatch", "default"))),
            ("string", "false", "2026-01-01", Some((Severity::Error, "default-mismatch", "default"))),
            ("number", "false", "\"500\"", Some((Severity::Error, "default-mismatch", "default"))),
            ("number", "false", "\"\"", Some((Severity::Error, "default-mismatch", "default"))),
            ("boolean", "false", "\"true\"", Some((Severity::Error, "default-mismatch", "default"))),
            ("agent_id", "false", "[\"coder\"]", Some((Severity::Error, "default-mismatch", "default"))),
            ("string", "true", "\"x\"", Some((Severity::Warning, "pointless-key", "default"))),
            ("text", "false", "\"x\"", Some((Severity::Error, "unknown-option", "param_type"))),
        ] {
            let text = format!(
                "{HEAD}{STEP}[[parameters]]\nname = \"p\"\nparam_type = \"{kind}\"\nrequired = {required}\ndefault = {default}\n"
            );
            let (read, findings) = found(&text, Mode::Strict);
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(severity, rule, key)| (severity, rule, format!("/parameters/0/{key}")))
                .collect();
            assert_eq!(findings, expected, "{kind} {default}");
            let valid = expected.iter().all(|(severity, ..)| *severity < Severity::Error);
            assert_eq!(read.is_some(), valid, "{kind} {default}");
        }
    }

    #[test]
    fn parameters_are_built_as_they_are_read() {
        let text = || Value::String("x".to_owned());
        for (kind, default, good) in [
            (ParameterType::String, Some(text()), true),
            (ParameterType::AgentId, Some(text()), true),
            (ParameterType::Number, Some(text()), false),
            (ParameterType::Number, Some(Value::Float(0.5)), true),
            (ParameterType::Boolean, Some(Value::Integer(1)), false),
            (ParameterType::Boolean, None, true),
        ] {
            let built = ParameterValue::optional(kind.clone(), default);
            assert_eq!(built.is_ok(), good, "{kind}: {built:?}");
        }
        assert!(Steps::new(Vec::new()).is_err());
    }

    #[test]
    fn every_fault_is_found_at_its_place() {
        for (body, rule, pointer) in [
            ("", "missing-key", ""),
            ("steps = []\n", "invalid-value", "/steps"),
            ("[steps]\n", "wrong-type", "/steps"),
            ("[[steps]]\nname = \"s\"\n", "missing-key", "/steps/0"),
            (&format!("{STEP}{STEP}"), "duplicate-entry", "/steps/1/name"),
            (&format!("{STEP}agent = \"a b\"\n"), "invalid-value", "/steps/0/agent"),
            (&format!("{STEP}depends_on = \"a\"\n"), "wrong-type", "/steps/0/depends_on"),
            (&format!("created_at = 2026-01-01\n{STEP}"), "wrong-type", "/created_at"),
            (&format!("created_at = \"2026-02-30\"\n{STEP}"), "invalid-value", "/created_at"),
            (&format!("category = \"\"\n{STEP}"), "invalid-value", "/category"),
            (
                &format!("{STEP}[[parameters]]\nname = \"p\"\nparam_type = \"string\"\n"),
                "missing-key",
                "/parameters/0",
            ),
        ] {
            let (read, findings) = found(&format!("{HEAD}{body}"), Mode::Strict);
            assert_eq!(findings, [(Severity::Error, rule, pointer.to_owned())], "{body}");
            assert!(read.is_none(), "{body}");
        }
    }

    #[test]
    fn a_runtime_goes_on_with_the_steps_that_it_can_read() {
        let broken = "[[steps]]\nname = \"t\"\n";
        let (read, _) = found(&format!("{HEAD}{STEP}{broken}"), Mode::Tolerant);
        assert_eq!(read.map(|workflow| workflow.steps.len()), Some(1));
        let (read, _) = found(&format!("{HEAD}{broken}"), Mode::Tolerant);
        assert!(read.is_none(), "a workflow without any step");
        let kind =
            "[[parameters]]\nname = \"p\"\nparam_type = \"date\"\nrequired = false\ndefault = 2026-01-01\n";
        let (read, findings) = found(&format!("{HEAD}{STEP}{kind}"), Mode::Tolerant);
        assert_eq!(findings, [(Severity::Warning, "unknown-option", "/parameters/0/param_type".to_owned())]);
        let read = read.expect("an unknown type is kept");
        assert_eq!(read.parameters()[0].value.param_type().as_str(), "date");
    }

    #[test]
    fn what_refers_to_nothing_is_found() {
        let parameter = |name: &str| {
            format!("[[parameters]]\nname = \"{name}\"\nparam_type = \"string\"\nrequired = true\n")
        };
        let step = |name: &str, prompt: &str, depends_on: &str| {
            format!(
                "[[steps]]\nname = \"{name}\"\nprompt_template = \"{prompt}\"\ndepends_on = [{depends_on}]\n"
            )
        };
        let cases: [Case; 8] = [
            (
                "all is there",
                parameter("topic") + &step("a", "{{topic}} {{input}}", "") + &step("b", "{{ a }}", "\"a\""),
                &[],
            ),
            (
                "by way of another step",
                step("a", "x", "") + &step("b", "x", "\"a\"") + &step("c", "{{a}}", "\"b\""),
                &[],
            ),
            ("a later step", step("a", "{{b}}", "\"b\"") + &step("b", "x", ""), &[]),
            (
                "an unknown step",
                step("a", "x", "\"z\""),
                &[("/steps/0/depends_on/0", "the workflow has no step `z`")],
            ),
            (
                "an unknown placeholder",
                step("a", "{{topic}}", ""),
                &[(
                    "/steps/0/prompt_template",
                    "`{{topic}}` is neither a parameter nor a step of the workflow",
                )],
            ),
            (
                "a step that is not waited for",
                step("a", "x", "") + &step("b", "{{a}}", ""),
                &[(
                    "/steps/1/prompt_template",
                    "the prompt uses the result of `a`, and `depends_on` does not lead to that step",
                )],
            ),
            (
                "a circle",
                step("a", "x", "\"b\"") + &step("b", "x", "\"a\"") + &step("c", "x", "\"a\", \"c\""),
                &[
                    ("/steps/0/depends_on/0", "the step waits for itself by way of `b`, and never starts"),
                    ("/steps/1/depends_on/0", "the step waits for itself by way of `a`, and never starts"),
                    ("/steps/2/depends_on/1", "the step waits for itself by way of `c`, and never starts"),
                ],
            ),
            (
                "one name for two things",
                parameter("a") + &step("a", "{{a}}", ""),
                &[("/parameters/0/name", "`a` is the name of a parameter and of a step")],
            ),
        ];
        for (case, body, expected) in cases {
            let workflow: Workflow = agentry_text::toml::from_str(&format!("{HEAD}{body}")).expect(case);
            let found: Vec<_> =
                workflow.mismatches().iter().map(|found| (found.pointer(), found.to_string())).collect();
            let found: Vec<_> =
                found.iter().map(|(pointer, text)| (pointer.as_str(), text.as_str())).collect();
            assert_eq!(found, expected, "{case}");
        }
    }
}
