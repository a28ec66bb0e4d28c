//! The agents of a hand: one `[agent]`, or roles under `[agents]`.

use crate::agent::{AgentCommon, AgentModel, RoleModel};
use crate::values::{
    EnvVar, HttpUrl, Id, KeyName, Label, ModelRef, Module, OpenTable, PositiveCount, Prose, ProviderRef,
    Temperature, TokenCount,
};
use agentry_macros::document;
use agentry_text::{
    Condition, Extra, Finding, Map, Node, OrEmpty, Read, Reader, Shape, When, deserialize_by_reading, rules,
};
use serde::Serialize;

/// The name of the role that a lone `[agent]` is.
const MAIN: &str = "main";

/// The agents of a hand: one `[agent]`, as the specification has it, which is the role `main`, or named roles under
/// `[agents]`, as published files have them. Never both; a hand may also have none.
#[document(no_new, open, conditions(ONE_FORM))]
pub struct HandAgents {
    /// The only agent of the hand: the role `main`. A hand has this or `[agents]`, not both. LibreFang specification.
    agent: Option<MainRole>,
    /// The agents of the hand, by the names of their roles, one table each. Published files and the LibreFang runtime.
    agents: Option<Map<KeyName, Role>>,
}

const ONE_FORM: Condition =
    Condition::AtMostOne { keys: &["agent", "agents"], why: "a hand has one agent, or roles with names" };

impl HandAgents {
    /// No agent.
    pub fn none() -> Self {
        Self { agent: None, agents: None }
    }

    /// One agent, under `[agent]`. None if the role has a `base`, which only a named role may have.
    pub fn main(role: Role) -> Option<Self> {
        MainRole::new(role).map(|role| Self { agent: Some(role), agents: None })
    }

    /// Agents with roles, under `[agents]`.
    pub fn named(roles: Map<KeyName, Role>) -> Self {
        Self { agent: None, agents: Some(roles) }
    }

    /// Every role with its name, in the order of the file. A lone `[agent]` is named `main`.
    pub fn roles(&self) -> impl Iterator<Item = (&str, &Role)> {
        let main = self.agent.iter().map(|main| (MAIN, &main.0));
        let named = self.agents.iter().flatten().map(|(name, role)| (name.as_str(), role));
        main.chain(named)
    }

    /// The role of a name.
    pub fn role(&self, name: &str) -> Option<&Role> {
        self.roles().find_map(|(other, role)| (other == name).then_some(role))
    }

    /// Whether the file has a lone `[agent]`.
    pub fn is_main(&self) -> bool {
        self.agent.is_some()
    }
}

/// The only agent of a hand: a role without a `base`, which the runtime refuses there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MainRole(Role);

impl MainRole {
    /// A role as the only agent of a hand. None if it has a `base`.
    pub fn new(role: Role) -> Option<Self> {
        role.base().is_none().then_some(Self(role))
    }

    /// The role.
    pub fn role(&self) -> &Role {
        &self.0
    }
}

impl Read for MainRole {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let role = Role::read(node, reader);
        if let Some(base) = node.get("base") {
            reader.push(
                Finding::new(
                    &rules::CONFLICTING_KEYS,
                    format!("{}/base", reader.pointer()),
                    base.key_span,
                    "a lone `[agent]` has no `base`: only a role under `[agents]` builds on an agent file",
                )
                .label("refused here")
                .help(format!("name the role: `[agents.{MAIN}]` in place of `[agent]`")),
            );
            return None;
        }
        role.map(Self)
    }

    fn shape() -> Option<&'static Shape> {
        Role::shape()
    }
}

deserialize_by_reading!(MainRole);

/// An agent of a hand, in one of two forms. The type of `model` decides: a table makes it nested; a string, or no
/// `model` at all, makes it flat.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Role {
    /// The model's keys stand in the role itself.
    Flat(Box<FlatRole>),
    /// The model has a table of its own, as in an agent file.
    Nested(Box<NestedRole>),
}

impl Role {
    /// The name of the agent. Absent only where the role has a `base`.
    pub fn name(&self) -> Option<&Label> {
        match self {
            Self::Flat(role) => role.name.as_ref(),
            Self::Nested(role) => role.name.as_ref(),
        }
    }

    /// What runs the agent. Absent only where the role has a `base`.
    pub fn module(&self) -> Option<&Module> {
        match self {
            Self::Flat(role) => role.module.as_ref(),
            Self::Nested(role) => role.module.as_ref(),
        }
    }

    /// The agent file that the role builds on.
    pub fn base(&self) -> Option<&Id> {
        match self {
            Self::Flat(role) => role.base.as_ref(),
            Self::Nested(role) => role.base.as_ref(),
        }
    }

    /// What the model is told before every conversation. Absent only where the role has a `base`.
    pub fn system_prompt(&self) -> Option<&Prose> {
        match self {
            Self::Flat(role) => role.system_prompt.as_ref(),
            Self::Nested(role) => role.model.system_prompt.as_ref(),
        }
    }

    /// What the agent does.
    pub fn description(&self) -> Option<&Prose> {
        match self {
            Self::Flat(role) => role.description.as_ref(),
            Self::Nested(role) => role.description.as_ref(),
        }
    }

    /// Whether users talk to this role; false where the key is absent.
    pub fn coordinator(&self) -> bool {
        match self {
            Self::Flat(role) => role.duty.coordinator(),
            Self::Nested(role) => role.duty.coordinator(),
        }
    }

    /// When the coordinator calls this role.
    pub fn invoke_hint(&self) -> Option<&Prose> {
        match self {
            Self::Flat(role) => role.duty.invoke_hint.as_ref(),
            Self::Nested(role) => role.duty.invoke_hint.as_ref(),
        }
    }

    /// The provider.
    pub fn provider(&self) -> Option<&ProviderRef> {
        match self {
            Self::Flat(role) => role.provider.as_ref(),
            Self::Nested(role) => role.model.settings.provider.as_ref(),
        }
    }

    /// The model.
    pub fn model(&self) -> Option<&ModelRef> {
        match self {
            Self::Flat(role) => role.model.as_ref(),
            Self::Nested(role) => role.model.settings.model.as_ref(),
        }
    }

    /// The keys that an agent file may have too.
    pub fn common(&self) -> &AgentCommon {
        match self {
            Self::Flat(role) => &role.common,
            Self::Nested(role) => &role.common,
        }
    }
}

impl From<FlatRole> for Role {
    fn from(role: FlatRole) -> Self {
        Self::Flat(Box::new(role))
    }
}

impl From<NestedRole> for Role {
    fn from(role: NestedRole) -> Self {
        Self::Nested(Box::new(role))
    }
}

impl Read for Role {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        if node.get("model").is_some_and(|model| model.node.as_table().is_some()) {
            NestedRole::read(node, reader).map(Self::from)
        } else {
            FlatRole::read(node, reader).map(Self::from)
        }
    }

    fn shape() -> Option<&'static Shape> {
        // What either form knows: to find where a stray key belongs.
        static SHAPE: std::sync::LazyLock<Shape> = std::sync::LazyLock::new(|| {
            let mut shape = Shape::of::<FlatRole>(agentry_text::Others::Unknown);
            shape.join(Shape::of::<NestedRole>(agentry_text::Others::Unknown));
            shape
        });
        Some(&SHAPE)
    }
}

deserialize_by_reading!(Role);

/// A role without a `base`.
const WITHOUT_BASE: When = When { path: &["base"], is: &[], or_absent: true };

const WHY_OWN: &str = "a role without a `base` says everything itself";

/// What a role does among the roles of its hand. Published files and the LibreFang runtime.
#[document(open)]
pub struct Duty {
    /// Whether users talk to this role, which then calls the others. One role of a hand has it.
    #[key(default = false)]
    pub coordinator: Option<bool>,
    /// Tells the coordinator when to call this role.
    pub invoke_hint: Option<Prose>,
    /// The runtime's own form of the whole role, whose keys are those of an agent file. Authors write these keys into the
    /// role itself. LibreFang runtime.
    pub manifest: Option<OpenTable>,
}

/// An agent of a hand with the model's keys in the role itself. Keys that only agent files have are known here, and
/// the LibreFang runtime drops most of them today, `skills` among them: a role that needs one uses the nested form.
#[document(no_new, conditions(FLAT_IS_COMPLETE))]
pub struct FlatRole {
    /// The name of the agent. Required without a `base`. LibreFang specification.
    #[key(example = "lookout-agent")]
    name: Option<Label>,
    /// What the agent does. LibreFang specification.
    pub description: Option<Prose>,
    /// What runs the agent. Required without a `base`. LibreFang specification.
    #[key(example = "builtin:chat")]
    module: Option<Module>,
    /// The agent file that the role builds on, by the name of its folder: whatever is absent here is taken from it.
    /// Not in a lone `[agent]`. Published files and the LibreFang runtime.
    #[key(example = "planner")]
    base: Option<Id>,
    /// What it does among the roles.
    #[serde(flatten)]
    pub duty: Duty,
    /// The id of the provider, or `default` for the one that the runtime is configured to use. LibreFang specification.
    #[key(example = "default")]
    pub provider: Option<ProviderRef>,
    /// The id or an alias of the model, or `default`. A string: with a table the role is nested. LibreFang
    /// specification.
    #[key(example = "default")]
    pub model: Option<ModelRef>,
    /// The name of the environment variable with the API key, where it is not the provider's own. LibreFang runtime.
    pub api_key_env: Option<OrEmpty<EnvVar>>,
    /// The address of the API, where it is not the provider's own. LibreFang runtime.
    pub base_url: Option<OrEmpty<HttpUrl>>,
    /// How many tokens one answer may have at most; 1 or more. LibreFang specification.
    #[key(example = 16_384)]
    pub max_tokens: Option<TokenCount>,
    /// How freely words are chosen: from 0, always the likeliest, to 2. LibreFang specification.
    #[key(example = 0.3)]
    pub temperature: Option<Temperature>,
    /// How many rounds of thinking and tool calls there may be in one go; 1 or more, for with 0 the agent could do
    /// nothing. LibreFang specification.
    #[key(example = 60)]
    pub max_iterations: Option<PositiveCount>,
    /// What the model is told before every conversation. Required without a `base`. LibreFang specification.
    system_prompt: Option<Prose>,
    /// The keys that an agent file may have too.
    #[serde(flatten)]
    pub common: AgentCommon,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

const FLAT_IS_COMPLETE: Condition =
    Condition::Requires { when: WITHOUT_BASE, keys: &["name", "module", "system_prompt"], why: WHY_OWN };

impl FlatRole {
    /// A role that says everything itself.
    pub fn new(name: Label, module: Module, system_prompt: Prose) -> Self {
        let empty = Self::empty();
        Self { name: Some(name), module: Some(module), system_prompt: Some(system_prompt), ..empty }
    }

    /// A role that builds on an agent file.
    pub fn based_on(base: Id) -> Self {
        Self { base: Some(base), ..Self::empty() }
    }

    /// Not valid by itself: it has neither a `base` nor what a role without one needs.
    fn empty() -> Self {
        Self {
            name: None,
            description: None,
            module: None,
            base: None,
            duty: Duty::new(),
            provider: None,
            model: None,
            api_key_env: None,
            base_url: None,
            max_tokens: None,
            temperature: None,
            max_iterations: None,
            system_prompt: None,
            common: AgentCommon::new(),
            extra: Extra::default(),
        }
    }

    /// The same with `name` set.
    #[must_use]
    pub fn with_name(mut self, name: Label) -> Self {
        self.name = Some(name);
        self
    }

    /// The same with `system_prompt` set.
    #[must_use]
    pub fn with_system_prompt(mut self, system_prompt: Prose) -> Self {
        self.system_prompt = Some(system_prompt);
        self
    }

    /// The same with `module` set.
    #[must_use]
    pub fn with_module(mut self, module: Module) -> Self {
        self.module = Some(module);
        self
    }

    /// The same with another duty.
    #[must_use]
    pub fn with_duty(mut self, duty: Duty) -> Self {
        self.duty = duty;
        self
    }

    /// The same with the keys that an agent file may have too.
    #[must_use]
    pub fn with_common(mut self, common: AgentCommon) -> Self {
        self.common = common;
        self
    }
}

/// An agent of a hand with the model in a table of its own, and every other key of an agent file.
#[document(no_new, conditions(NESTED_IS_COMPLETE, NESTED_HAS_PROMPT))]
pub struct NestedRole {
    /// The name of the agent. Required without a `base`. LibreFang specification.
    name: Option<Label>,
    /// What the agent does. LibreFang specification.
    pub description: Option<Prose>,
    /// What runs the agent. Required without a `base`. LibreFang specification.
    #[key(example = "builtin:chat")]
    module: Option<Module>,
    /// The agent file that the role builds on, by the name of its folder: whatever is absent here is taken from it.
    /// Not in a lone `[agent]`. Published files and the LibreFang runtime.
    #[key(example = "planner")]
    base: Option<Id>,
    /// What it does among the roles.
    #[serde(flatten)]
    pub duty: Duty,
    /// The model and how it is asked: a table. Without a `base` it has a `system_prompt`.
    model: RoleModel,
    /// The keys that an agent file may have too.
    #[serde(flatten)]
    pub common: AgentCommon,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

const NESTED_IS_COMPLETE: Condition =
    Condition::Requires { when: WITHOUT_BASE, keys: &["name", "module"], why: WHY_OWN };

const NESTED_HAS_PROMPT: Condition =
    Condition::RequiresBelow { when: WITHOUT_BASE, below: "model", keys: &["system_prompt"], why: WHY_OWN };

impl NestedRole {
    /// A role that says everything itself.
    pub fn new(name: Label, module: Module, model: AgentModel) -> Self {
        Self {
            name: Some(name),
            description: None,
            module: Some(module),
            base: None,
            duty: Duty::new(),
            model: model.into(),
            common: AgentCommon::new(),
            extra: Extra::default(),
        }
    }

    /// A role that builds on an agent file, and changes its model.
    pub fn based_on(base: Id, model: RoleModel) -> Self {
        Self {
            name: None,
            description: None,
            module: None,
            base: Some(base),
            duty: Duty::new(),
            model,
            common: AgentCommon::new(),
            extra: Extra::default(),
        }
    }

    /// The model and how it is asked.
    pub fn model(&self) -> &RoleModel {
        &self.model
    }

    /// The same with `name` set.
    #[must_use]
    pub fn with_name(mut self, name: Label) -> Self {
        self.name = Some(name);
        self
    }

    /// The same with `module` set.
    #[must_use]
    pub fn with_module(mut self, module: Module) -> Self {
        self.module = Some(module);
        self
    }

    /// The same with another duty.
    #[must_use]
    pub fn with_duty(mut self, duty: Duty) -> Self {
        self.duty = duty;
        self
    }

    /// The same with the keys that an agent file may have too.
    #[must_use]
    pub fn with_common(mut self, common: AgentCommon) -> Self {
        self.common = common;
        self
    }
}

#[cfg(feature = "schema")]
mod schema {
    use super::{FlatRole, MainRole, NestedRole, Role};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use std::borrow::Cow;

    impl JsonSchema for MainRole {
        fn schema_name() -> Cow<'static, str> {
            "MainRole".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "The only agent of a hand: a role without a `base`.",
                "allOf": [generator.subschema_for::<Role>()],
                "not": agentry_text::required(&["base"]),
            })
        }
    }

    impl JsonSchema for Role {
        fn schema_name() -> Cow<'static, str> {
            "Role".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            // The two exclude each other: one wants `model` to be a table, the other a string or absent.
            json_schema!({
                "description": "An agent of a hand: flat, with the model's keys in the role itself, or nested, \
                    with a table `model`.",
                "type": "object",
                "oneOf": [generator.subschema_for::<FlatRole>(), generator.subschema_for::<NestedRole>()],
            })
        }
    }
}
