//! The table of contracts: every tool once, with its types, its grants and who implements it.
//!
//! A row without one of its parts is no row: the macro does not take it, so the crate does not compile. A contract
//! without a row, or a row with a wrong part, fails `tests/contracts.rs`, which compares the table with the types and
//! with the specification.

use crate::contract::{
    artifact, code, context, exec, human, instruction, intelligence, knowledge, lifecycle, memory, plan,
    search, skills, status, subagent, time, workflow,
};
use agentry_text::{
    Described, Document, Mode, Node, Read, ReadError, Reader, Reading, Value, WriteError, read_document,
    to_value,
};
use serde::Serialize;
use std::fmt;

/// Defines a small closed list of names: the specification's, except those of `Implementation`, which are ours.
macro_rules! names {
    ($(#[doc = $doc:literal])+ pub enum $name:ident {
        $($(#[doc = $variant_doc:expr])+ $variant:ident = $text:literal,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[doc = $variant_doc])+ $variant,)+
        }

        impl $name {
            /// All of them, in the specification's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name, as documents write it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// The one of a name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

names! {
    /// Who calls a tool.
    pub enum Principal {
        /// The root agent of an instance.
        Root = "root",
        /// A run of a workflow.
        Workflow = "workflows",
        /// A subagent.
        Subagent = "subagents",
        /// A person who talks to the instance over A2A.
        User = "user",
        /// Another agent that talks to the instance over A2A.
        Agent = "agent",
    }
}

names! {
    /// Which side of a contract a document is.
    pub enum Side {
        /// What the caller sends: the arguments.
        Input = "input",
        /// What the tool answers.
        Output = "output",
    }
}

names! {
    /// What a tool must be handled with care for.
    pub enum Tag {
        /// It reaches what must not leak.
        Sensitive = "sensitive",
        /// It can send data out.
        Egress = "egress",
    }
}

names! {
    /// Who implements a contract where nothing is mapped.
    pub enum Implementation {
        /// The runtime itself.
        BuiltIn = "built-in",
        /// Nobody: the tool is there only where it is mapped to a server.
        Mapped = "mapped",
        /// Nobody: the contract is a profile that a server of this sort fills.
        Profile = "profile",
        /// A guarded runner on the machine itself, where the operator enables it; it is off by default.
        LocalRunner = "local-runner",
    }
}

/// What a caller sends with a call of one contract.
pub trait Input: Read + Serialize + Described + Into<Call> {
    /// What the tool answers.
    type Output: Output;

    /// The contract.
    const CONTRACT: Contract;
}

/// What one contract's tool answers.
pub trait Output: Read + Serialize + Into<Answer> {
    /// The contract.
    const CONTRACT: Contract;
}

macro_rules! contracts {
    ($(
        $(#[doc = $family_doc:literal])+
        $family:ident = $family_name:literal {
            $(
                $variant:ident = $name:literal: $input:ty => $output:ty {
                    implementation: $implementation:ident,
                    grants: [$($principal:ident),+],
                    tags: [$($tag:ident),*],
                }
            )+
        }
    )+) => {
        names! {
            /// A group of tools that belong together.
            pub enum Family {
                $($(#[doc = $family_doc])+ $family = $family_name,)+
            }
        }

        impl Family {
            /// Its contracts, in the specification's order.
            pub const fn contracts(self) -> &'static [Contract] {
                match self {
                    $(Self::$family => &[$(Contract::$variant),+],)+
                }
            }
        }

        names! {
            /// An internal tool of agentd.
            pub enum Contract {
                $($(#[doc = concat!("The tool `", $name, "`.")] $variant = $name,)+)+
            }
        }

        /// A call of a tool: which one, and its arguments. It is written as `{"name": ..., "arguments": ...}`.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Call {
            $($(#[doc = concat!("A call of `", $name, "`.")] $variant(Box<$input>),)+)+
        }

        /// What a tool answers.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Answer {
            $($(#[doc = concat!("An answer of `", $name, "`.")] $variant(Box<$output>),)+)+
        }

        impl Contract {
            /// The group that it belongs to.
            pub const fn family(self) -> Family {
                match self {
                    $($(Self::$variant => Family::$family,)+)+
                }
            }

            /// What the tool does and when to use it, written for the model that reads it.
            pub const fn description(self) -> &'static str {
                match self {
                    $($(Self::$variant => <$input as Described>::DESCRIPTION,)+)+
                }
            }

            /// Who implements it where nothing is mapped.
            pub const fn implementation(self) -> Implementation {
                match self {
                    $($(Self::$variant => Implementation::$implementation,)+)+
                }
            }

            /// Who may call it, unless the operator says otherwise.
            pub const fn grants(self) -> &'static [Principal] {
                match self {
                    $($(Self::$variant => &[$(Principal::$principal),+],)+)+
                }
            }

            /// What it must be handled with care for. Added where tools are offered.
            pub const fn tags(self) -> &'static [Tag] {
                match self {
                    $($(Self::$variant => &[$(Tag::$tag),*],)+)+
                }
            }

            /// Reads the arguments of a call.
            pub fn validate_input(self, document: &Document, mode: Mode) -> Reading<Call> {
                match self {
                    $($(Self::$variant => read_side::<$input, Call>(document, mode),)+)+
                }
            }

            /// Reads an answer.
            pub fn validate_output(self, document: &Document, mode: Mode) -> Reading<Answer> {
                match self {
                    $($(Self::$variant => read_side::<$output, Answer>(document, mode),)+)+
                }
            }

            /// Reads the arguments of a call as part of a document.
            pub(super) fn read_input<'t>(self, node: &'t Node, reader: &mut Reader<'t>) -> Option<Call> {
                match self {
                    $($(Self::$variant => <$input as Read>::read(node, reader).map(Call::from),)+)+
                }
            }

            /// The JSON Schema of the arguments, as a part of another one.
            #[cfg(feature = "schema")]
            pub(super) fn input_subschema(self, generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                match self {
                    $($(Self::$variant => generator.subschema_for::<$input>(),)+)+
                }
            }

            /// The JSON Schema of the arguments, as the type gives it.
            #[cfg(feature = "schema")]
            pub fn input_schema(self, generator: schemars::SchemaGenerator) -> schemars::Schema {
                match self {
                    $($(Self::$variant => generator.into_root_schema_for::<$input>(),)+)+
                }
            }

            /// The JSON Schema of the answer, as the type gives it.
            #[cfg(feature = "schema")]
            pub fn output_schema(self, generator: schemars::SchemaGenerator) -> schemars::Schema {
                match self {
                    $($(Self::$variant => generator.into_root_schema_for::<$output>(),)+)+
                }
            }
        }

        impl Call {
            /// The contract that is called.
            pub const fn contract(&self) -> Contract {
                match self {
                    $($(Self::$variant(_) => Contract::$variant,)+)+
                }
            }

            /// The arguments, as they are sent.
            pub fn arguments(&self) -> Result<Value, WriteError> {
                match self {
                    $($(Self::$variant(input) => to_value(input),)+)+
                }
            }
        }

        impl Answer {
            /// The contract whose tool answers.
            pub const fn contract(&self) -> Contract {
                match self {
                    $($(Self::$variant(_) => Contract::$variant,)+)+
                }
            }

            /// The answer, as it is sent.
            pub fn value(&self) -> Result<Value, WriteError> {
                match self {
                    $($(Self::$variant(output) => to_value(output),)+)+
                }
            }
        }

        $($(
            impl Input for $input {
                type Output = $output;
                const CONTRACT: Contract = Contract::$variant;
            }

            impl Output for $output {
                const CONTRACT: Contract = Contract::$variant;
            }

            impl From<$input> for Call {
                fn from(input: $input) -> Self {
                    Self::$variant(Box::new(input))
                }
            }

            impl From<$output> for Answer {
                fn from(output: $output) -> Self {
                    Self::$variant(Box::new(output))
                }
            }
        )+)+
    };
}

contracts! {
    /// The brief that an agent works under.
    Instruction = "instruction" {
        InstructionRead = "instruction.read": instruction::InstructionReadInput => instruction::InstructionReadOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        InstructionSubscribe = "instruction.subscribe": instruction::InstructionSubscribeInput => instruction::InstructionSubscribeOutput {
            implementation: BuiltIn,
            grants: [Root],
            tags: [],
        }
    }

    /// Agents that work for another agent.
    Subagent = "subagent" {
        SubagentRun = "subagent.run": subagent::SubagentRunInput => subagent::SubagentRunOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow],
            tags: [],
        }
        SubagentSend = "subagent.send": subagent::SubagentSendInput => subagent::SubagentSendOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow],
            tags: [],
        }
        SubagentKill = "subagent.kill": subagent::SubagentKillInput => subagent::SubagentKillOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow],
            tags: [],
        }
        SubagentStatus = "subagent.status": subagent::SubagentStatusInput => subagent::SubagentStatusOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow],
            tags: [],
        }
        SubagentAwait = "subagent.await": subagent::SubagentAwaitInput => subagent::SubagentAwaitOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow],
            tags: [],
        }
        SubagentList = "subagent.list": subagent::SubagentListInput => subagent::SubagentListOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow],
            tags: [],
        }
    }

    /// Programs that run in a sandbox.
    Code = "code" {
        CodeRun = "code.run": code::CodeRunInput => code::CodeRunOutput {
            implementation: Mapped,
            grants: [Root, Workflow],
            tags: [],
        }
    }

    /// What an agent keeps between conversations.
    Memory = "memory" {
        MemoryGet = "memory.get": memory::MemoryGetInput => memory::MemoryGetOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        MemorySet = "memory.set": memory::MemorySetInput => memory::MemorySetOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        MemoryList = "memory.list": memory::MemoryListInput => memory::MemoryListOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        MemoryDelete = "memory.delete": memory::MemoryDeleteInput => memory::MemoryDeleteOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
    }

    /// Named pieces of content that are delivered with a task.
    Artifact = "artifact" {
        ArtifactCreate = "artifact.create": artifact::ArtifactCreateInput => artifact::ArtifactCreateOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        ArtifactGet = "artifact.get": artifact::ArtifactGetInput => artifact::ArtifactGetOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        ArtifactDelete = "artifact.delete": artifact::ArtifactDeleteInput => artifact::ArtifactDeleteOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        ArtifactList = "artifact.list": artifact::ArtifactListInput => artifact::ArtifactListOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
    }

    /// Workflows, and their runs.
    Workflow = "workflow" {
        WorkflowRun = "workflow.run": workflow::WorkflowRunInput => workflow::WorkflowRunOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow],
            tags: [],
        }
        WorkflowCreate = "workflow.create": workflow::WorkflowCreateInput => workflow::WorkflowCreateOutput {
            implementation: BuiltIn,
            grants: [Root],
            tags: [],
        }
        WorkflowUpdate = "workflow.update": workflow::WorkflowUpdateInput => workflow::WorkflowUpdateOutput {
            implementation: BuiltIn,
            grants: [Root],
            tags: [],
        }
        WorkflowDelete = "workflow.delete": workflow::WorkflowDeleteInput => workflow::WorkflowDeleteOutput {
            implementation: BuiltIn,
            grants: [Root],
            tags: [],
        }
        WorkflowList = "workflow.list": workflow::WorkflowListInput => workflow::WorkflowListOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        WorkflowStatus = "workflow.status": workflow::WorkflowStatusInput => workflow::WorkflowStatusOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        WorkflowCancel = "workflow.cancel": workflow::WorkflowCancelInput => workflow::WorkflowCancelOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow],
            tags: [],
        }
        WorkflowPause = "workflow.pause": workflow::WorkflowPauseInput => workflow::WorkflowPauseOutput {
            implementation: BuiltIn,
            grants: [Root],
            tags: [],
        }
        WorkflowResume = "workflow.resume": workflow::WorkflowResumeInput => workflow::WorkflowResumeOutput {
            implementation: BuiltIn,
            grants: [Root],
            tags: [],
        }
        WorkflowSignal = "workflow.signal": workflow::WorkflowSignalInput => workflow::WorkflowSignalOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        WorkflowWait = "workflow.wait": workflow::WorkflowWaitInput => workflow::WorkflowWaitOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow],
            tags: [],
        }
    }

    /// The working plan of a conversation.
    Plan = "plan" {
        PlanCreate = "plan.create": plan::PlanCreateInput => plan::PlanCreateOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        PlanGet = "plan.get": plan::PlanGetInput => plan::PlanGetOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        PlanUpdate = "plan.update": plan::PlanUpdateInput => plan::PlanUpdateOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        PlanClear = "plan.clear": plan::PlanClearInput => plan::PlanClearOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
    }

    /// Questions to people.
    Human = "human" {
        AskHuman = "ask_human": human::AskHumanInput => human::AskHumanOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
    }

    /// Waiting.
    Time = "time" {
        Sleep = "sleep": time::SleepInput => time::SleepOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        Await = "await": time::AwaitInput => time::AwaitOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
    }

    /// What a conversation holds.
    Context = "context" {
        ContextCompact = "context.compact": context::ContextCompactInput => context::ContextCompactOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
    }

    /// Thinking with a model.
    Intelligence = "intelligence" {
        Think = "think": intelligence::ThinkInput => intelligence::ThinkOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
    }

    /// The end of a piece of work.
    Lifecycle = "lifecycle" {
        Finish = "finish": lifecycle::FinishInput => lifecycle::FinishOutput {
            implementation: BuiltIn,
            grants: [Root, Subagent],
            tags: [],
        }
    }

    /// How an instance stands.
    Status = "status" {
        Status = "status": status::StatusInput => status::StatusOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent, User, Agent],
            tags: [],
        }
    }

    /// Documents that an agent can look things up in. A profile of servers.
    Knowledge = "knowledge" {
        KnowledgeSearch = "knowledge.search": knowledge::KnowledgeSearchInput => knowledge::KnowledgeSearchOutput {
            implementation: Profile,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        KnowledgeGet = "knowledge.get": knowledge::KnowledgeGetInput => knowledge::KnowledgeGetOutput {
            implementation: Profile,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        KnowledgeList = "knowledge.list": knowledge::KnowledgeListInput => knowledge::KnowledgeListOutput {
            implementation: Profile,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
    }

    /// The web, documentation and code at large. A profile of servers.
    Search = "search" {
        SearchQuery = "search.query": search::SearchQueryInput => search::SearchQueryOutput {
            implementation: Profile,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        SearchFetch = "search.fetch": search::SearchFetchInput => search::SearchFetchOutput {
            implementation: Profile,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
    }

    /// Instructions that are loaded when they are needed.
    Skills = "skills" {
        SkillsList = "skills.list": skills::SkillsListInput => skills::SkillsListOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        SkillsLoad = "skills.load": skills::SkillsLoadInput => skills::SkillsLoadOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
        SkillsUnload = "skills.unload": skills::SkillsUnloadInput => skills::SkillsUnloadOutput {
            implementation: BuiltIn,
            grants: [Root, Workflow, Subagent],
            tags: [],
        }
    }

    /// Commands on the machine itself.
    Exec = "exec" {
        Exec = "exec": exec::ExecInput => exec::ExecOutput {
            implementation: LocalRunner,
            grants: [Root, Workflow, Subagent],
            tags: [Sensitive, Egress],
        }
    }
}

fn read_side<T: Read, W: From<T>>(document: &Document, mode: Mode) -> Reading<W> {
    let reading = read_document::<T>(document, mode);
    Reading { value: reading.value.map(W::from), findings: reading.findings, secrets: reading.secrets }
}

impl Contract {
    /// Whether the runtime implements it itself.
    pub const fn is_builtin(self) -> bool {
        matches!(self.implementation(), Implementation::BuiltIn)
    }

    /// Whether a principal may call it, unless the operator says otherwise.
    pub fn allows(self, principal: Principal) -> bool {
        self.grants().contains(&principal)
    }

    /// What the tool does, in one sentence: the first of its description.
    pub fn summary(self) -> &'static str {
        let description = self.description();
        let end = description.find(". ").map_or(description.len(), |end| end + 1);
        &description[..end]
    }

    /// A call with these arguments, if they are valid.
    pub fn call(self, arguments: Value) -> Result<Call, ReadError> {
        self.validate_input(&arguments.into(), Mode::Strict).into_result("")
    }

    /// An answer of this value, if it is valid.
    pub fn answer(self, value: Value) -> Result<Answer, ReadError> {
        self.validate_output(&value.into(), Mode::Strict).into_result("")
    }

    /// The JSON Schema of one side, as the type gives it.
    #[cfg(feature = "schema")]
    pub fn schema(self, side: Side, generator: schemars::SchemaGenerator) -> schemars::Schema {
        match side {
            Side::Input => self.input_schema(generator),
            Side::Output => self.output_schema(generator),
        }
    }
}

impl Call {
    /// The name of the tool that is called.
    pub const fn name(&self) -> &'static str {
        self.contract().name()
    }
}
