//! Workflows, and their runs.

use super::Contract;
use super::values::{
    Amount, DefinitionHash, DurationText, FreeText, Object, RunId, SignalName, StartName, StatusText,
    StepName, TaskId, WorkflowName, record, warn_without_selector,
};
use agentry_macros::document;
use agentry_text::{Extra, Fields, Reader, Value};

/// Starts a run of a workflow. Use it for work that is already laid out in steps; find the names with
/// `workflow.list`. With `wait` it answers when the run has finished, else at once with the id of the run.
#[document]
pub struct WorkflowRunInput {
    /// The workflow.
    #[key(example = "nightly-report")]
    pub name: WorkflowName,
    /// What the workflow is given: the keys are its own.
    pub inputs: Option<Object>,
    /// The start node to fire. Without it, the one for starting by hand or once.
    pub start: Option<StartName>,
    /// Whether to wait until the run has finished, and give back its output.
    pub wait: Option<bool>,
    /// How long to wait at most. Without `wait` it means nothing.
    #[key(example = "5m")]
    pub timeout: Option<DurationText>,
}

/// The run that was started, and its output where it was waited for.
#[document]
pub struct WorkflowRunOutput {
    /// By what the run is named in later calls.
    pub run: RunId,
    /// How it stands now.
    pub status: StatusText,
    /// What it came to: any JSON value, since the workflow decides. Absent until it has finished.
    pub output: Option<Value>,
    /// The task by which others follow the run.
    pub task: Option<TaskId>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Defines a new workflow while the instance runs. Use it when work will come again and its steps are clear. The
/// definition is in dialect 3 of the workflow language, and carries the workflow's name.
#[document]
pub struct WorkflowCreateInput {
    /// The definition. Any object is accepted here; the runtime judges it when it takes it over.
    pub definition: Object,
    /// Whether its start nodes listen at once. Without it, the runtime decides.
    pub arm: Option<bool>,
}

/// The workflow that was defined.
#[document]
pub struct WorkflowCreateOutput {
    /// Its name.
    pub name: WorkflowName,
    /// The hash of its definition.
    pub hash: Option<DefinitionHash>,
    /// Whether its start nodes listen.
    pub armed: Option<bool>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Replaces the definition of a workflow. Use it to change how future runs go; runs that are under way keep the
/// definition they started with.
#[document]
pub struct WorkflowUpdateInput {
    /// The workflow.
    #[key(example = "nightly-report")]
    pub name: WorkflowName,
    /// The whole new definition. Any object is accepted here; the runtime judges it when it takes it over.
    pub definition: Object,
}

/// The workflow whose definition was replaced.
#[document]
pub struct WorkflowUpdateOutput {
    /// Its name.
    pub name: WorkflowName,
    /// The hash of its new definition.
    pub hash: Option<DefinitionHash>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Deletes the definition of a workflow. Use it for a workflow that must not start again: it is disarmed at once,
/// and runs that are under way still finish.
#[document]
pub struct WorkflowDeleteInput {
    /// The workflow.
    #[key(example = "nightly-report")]
    pub name: WorkflowName,
}

/// Whether the definition is gone.
#[document]
pub struct WorkflowDeleteOutput {
    /// Whether it was deleted.
    pub ok: bool,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Lists the workflows with their runs. Use it to find out what can be run and what is under way. It takes no
/// arguments.
#[document]
pub struct WorkflowListInput {}

/// Workflows, with their runs.
#[document]
pub struct WorkflowListOutput {
    /// One entry for each workflow.
    pub workflows: Vec<WorkflowRecord>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

record! {
    /// A workflow in a listing. The specification says only that it is an object.
    pub struct WorkflowRecord {
        /// Its name.
        name: WorkflowName,
        /// The hash of its definition.
        hash: DefinitionHash,
        /// Whether its start nodes listen.
        armed: bool,
        /// Its runs.
        runs: Vec<RunRecord>,
    }
}

/// Says how a run stands, or every run of a workflow. Use it to look in on work that you did not wait for. Say which
/// run, or which workflow: a call with neither draws a warning.
#[document(remark = Self::remark)]
pub struct WorkflowStatusInput {
    /// The run.
    pub run: Option<RunId>,
    /// The workflow, all of whose runs are meant.
    #[key(example = "nightly-report")]
    pub name: Option<WorkflowName>,
}

impl WorkflowStatusInput {
    fn remark(fields: &Fields<'_>, reader: &mut Reader<'_>) {
        warn_without_selector(fields, reader, Contract::WorkflowStatus, ["run", "name"]);
    }
}

/// How runs stand.
#[document]
pub struct WorkflowStatusOutput {
    /// One entry for each run.
    pub runs: Vec<RunRecord>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

record! {
    /// A run of a workflow in a listing. The specification says only that it is an object.
    pub struct RunRecord {
        /// By what the run is named in calls.
        run: RunId,
        /// How it stands.
        status: StatusText,
    }
}

/// Calls off a run. Use it when its outcome is no longer wanted; what its steps have done by then is not undone.
#[document]
pub struct WorkflowCancelInput {
    /// The run.
    pub run: RunId,
    /// Why, for the record.
    pub reason: Option<FreeText>,
}

/// Whether the run was called off.
#[document]
pub struct WorkflowCancelOutput {
    /// Whether it was under way and is called off now.
    pub ok: bool,
    /// How it stands now.
    pub status: Option<StatusText>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Pauses a run, or stops a workflow from starting new ones. Use it to hold work back without losing it, until
/// `workflow.resume`. With `before_step` the run goes on up to that step and pauses there, so that it can be looked
/// at before the step takes effect. A pause outlasts a restart. Say which run, or which workflow: a call with
/// neither draws a warning.
#[document(remark = Self::remark)]
pub struct WorkflowPauseInput {
    /// The run.
    pub run: Option<RunId>,
    /// The workflow whose start nodes are disarmed.
    #[key(example = "nightly-report")]
    pub name: Option<WorkflowName>,
    /// The step before which the run pauses. Without it, the run pauses at once.
    pub before_step: Option<StepName>,
}

impl WorkflowPauseInput {
    fn remark(fields: &Fields<'_>, reader: &mut Reader<'_>) {
        warn_without_selector(fields, reader, Contract::WorkflowPause, ["run", "name"]);
    }
}

/// Whether the pause stands.
#[document]
pub struct WorkflowPauseOutput {
    /// Whether it is paused, or will pause.
    pub ok: Option<bool>,
    /// The step before which it will pause; absent where it pauses at once.
    pub break_before: Option<StepName>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Lets a paused run go on, or arms the start nodes of a workflow again. Use it to end what `workflow.pause` began.
/// Say which run, or which workflow: a call with neither draws a warning.
#[document(remark = Self::remark)]
pub struct WorkflowResumeInput {
    /// The run.
    pub run: Option<RunId>,
    /// The workflow whose start nodes are armed.
    #[key(example = "nightly-report")]
    pub name: Option<WorkflowName>,
}

impl WorkflowResumeInput {
    fn remark(fields: &Fields<'_>, reader: &mut Reader<'_>) {
        warn_without_selector(fields, reader, Contract::WorkflowResume, ["run", "name"]);
    }
}

/// Whether the pause is over.
#[document]
pub struct WorkflowResumeOutput {
    /// Whether it goes on now.
    pub ok: bool,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Sends a named signal to runs that wait for it, or starts workflows that listen for it. Use it to tell a workflow
/// that something has happened. Without a run it goes to everyone who listens.
#[document]
pub struct WorkflowSignalInput {
    /// The signal.
    #[key(example = "approved")]
    pub name: SignalName,
    /// What comes with it: any JSON value, since those who listen decide.
    pub payload: Option<Value>,
    /// The only run that it is for.
    pub run: Option<RunId>,
}

/// How far the signal got.
#[document]
pub struct WorkflowSignalOutput {
    /// How many received it, runs and workflows together. 0 is not a failure.
    pub delivered: Amount,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Waits for a run to finish, and gives its output. Use it when you cannot go on without that; when the time is up
/// it answers with how the run stands, and the run goes on.
#[document]
pub struct WorkflowWaitInput {
    /// The run.
    pub run: RunId,
    /// How long to wait at most. Without it, the runtime decides.
    #[key(example = "5m")]
    pub timeout: Option<DurationText>,
}

/// How the run stands after the wait.
#[document]
pub struct WorkflowWaitOutput {
    /// The run.
    pub run: RunId,
    /// How it stands now.
    pub status: StatusText,
    /// What it came to: any JSON value, since the workflow decides. Absent until it has finished.
    pub output: Option<Value>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
