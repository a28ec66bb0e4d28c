//! The working plan of a conversation: a goal and an ordered list of items.

use super::values::{FreeText, PlanItemId, Progress, RunId, SubagentHandle, TaskId, record};
use agentry_macros::document;
use agentry_text::{Extra, Kind, Node, Read, Reader, Value, options};
use serde::Serialize;

/// Writes down a plan for this conversation, in place of the one there was. Use it at the start of work that takes
/// several steps, so that you and those who watch know what is left. It goes away with the conversation.
#[document]
pub struct PlanCreateInput {
    /// What is to be achieved.
    #[key(example = "Ship the release")]
    pub goal: FreeText,
    /// What has to be done, in order. An entry is a title, or a title with details.
    pub items: Vec<PlanItemDraft>,
}

/// An item of a plan that does not exist yet: its title alone, or its title with details.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PlanItemDraft {
    /// The title alone.
    Title(FreeText),
    /// The title with details.
    Detailed(PlanItemDetails),
}

impl PlanItemDraft {
    /// What the item is called.
    pub fn title(&self) -> &FreeText {
        match self {
            Self::Title(title) => title,
            Self::Detailed(details) => &details.title,
        }
    }
}

impl Read for PlanItemDraft {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        match node.kind {
            Kind::String(_) => FreeText::read(node, reader).map(Self::Title),
            Kind::Table(_) => PlanItemDetails::read(node, reader).map(Self::Detailed),
            _ => {
                reader.wrong_type(node, "a title or a table");
                None
            }
        }
    }
}

agentry_text::deserialize_by_reading!(PlanItemDraft);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for PlanItemDraft {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PlanItemDraft".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "An item of a plan: its title alone, or its title with details.",
            "oneOf": [generator.subschema_for::<FreeText>(), generator.subschema_for::<PlanItemDetails>()],
        })
    }
}

/// An item of a plan, with details.
#[document]
pub struct PlanItemDetails {
    /// What has to be done, in a few words.
    pub title: FreeText,
    /// What else there is to know about it.
    pub detail: Option<FreeText>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The plan as it was written down.
#[document]
pub struct PlanCreateOutput {
    /// What is to be achieved.
    pub goal: FreeText,
    /// The items, in order.
    pub items: Vec<PlanItem>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

record! {
    /// An item of the plan. The specification says only that it is an object.
    pub struct PlanItem {
        /// By what the item is named in `plan.update`.
        id: PlanItemId,
        /// What has to be done.
        title: FreeText,
        /// What else there is to know about it.
        detail: FreeText,
        /// How it stands.
        status: PlanItemStatus,
        /// What was noted last.
        note: FreeText,
    }
}

options! {
    /// How an item of a plan stands.
    pub enum PlanItemStatus {
        /// Not begun.
        Pending = "pending" from "specification",
        /// Under way.
        InProgress = "in_progress" from "specification",
        /// Finished.
        Done = "done" from "specification",
        /// It cannot go on; the note says why.
        Blocked = "blocked" from "specification",
        /// Left out on purpose.
        Skipped = "skipped" from "specification",
    }
}

impl PlanItemStatus {
    /// Whether nothing more is to be done about the item.
    pub fn is_settled(&self) -> bool {
        matches!(self, Self::Done | Self::Blocked | Self::Skipped)
    }
}

/// Reads the plan of this conversation. Use it to see what is left after a long detour or a compaction. It takes no
/// arguments.
#[document]
pub struct PlanGetInput {}

/// The plan of a conversation.
#[document]
pub struct PlanGetOutput {
    /// The plan. The specification accepts any JSON value here: an object with `goal` and `items` where there is a
    /// plan, and whatever the runtime says where there is none, such as null.
    pub plan: Option<Value>,
    /// How far it has got.
    pub progress: Option<Progress>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Changes the plan of this conversation. Use it whenever an item begins, ends or gets stuck, when something new
/// turns up, and to let an item follow a run or subagent that does the work.
#[document]
pub struct PlanUpdateInput {
    /// The item to change, by its id or its exact title. Inserting and reordering need none.
    pub item: Option<PlanItemSelector>,
    /// How the item stands now.
    pub status: Option<PlanItemStatus>,
    /// A short note on the item, in place of the one there was.
    pub note: Option<FreeText>,
    /// A new title for the item.
    pub title: Option<FreeText>,
    /// New details for the item.
    pub detail: Option<FreeText>,
    /// What the item follows from now on: when that ends, so does the item.
    pub bind: Option<PlanBinding>,
    /// A new item.
    pub insert: Option<PlanInsertion>,
    /// The ids of items in their new order. Items that are not named keep their order, behind those that are.
    pub reorder: Option<Vec<PlanItemId>>,
}

/// Which item of a plan is meant.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PlanItemSelector {
    /// The one with this id.
    Id(PlanItemId),
    /// The one with exactly this title.
    Title(FreeText),
}

impl Read for PlanItemSelector {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        match node.kind {
            Kind::Integer(_) | Kind::Float(_) => PlanItemId::read(node, reader).map(Self::Id),
            Kind::String(_) => FreeText::read(node, reader).map(Self::Title),
            _ => {
                reader.wrong_type(node, "the id or the title of an item");
                None
            }
        }
    }
}

agentry_text::deserialize_by_reading!(PlanItemSelector);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for PlanItemSelector {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PlanItemSelector".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Which item of a plan is meant: the one with this id, or the one with exactly this title.",
            "oneOf": [generator.subschema_for::<PlanItemId>(), generator.subschema_for::<FreeText>()],
        })
    }
}

/// What an item of a plan follows. One of the keys is enough.
#[document]
pub struct PlanBinding {
    /// A run of a workflow.
    pub run: Option<RunId>,
    /// A subagent.
    pub subagent: Option<SubagentHandle>,
    /// A task.
    pub task: Option<TaskId>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// An item that is added to a plan.
#[document]
pub struct PlanInsertion {
    /// What has to be done, in a few words.
    pub title: FreeText,
    /// What else there is to know about it.
    pub detail: Option<FreeText>,
    /// The id of the item that it comes after. Without it, it comes last.
    pub after: Option<PlanItemId>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The plan as it is after the change.
#[document]
pub struct PlanUpdateOutput {
    /// What is to be achieved.
    pub goal: FreeText,
    /// The items, in order.
    pub items: Vec<PlanItem>,
    /// How far it has got.
    pub progress: Option<Progress>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Deletes the plan of this conversation. Use it when the goal is reached or given up. It takes no arguments.
#[document]
pub struct PlanClearInput {}

/// Whether the plan is gone.
#[document]
pub struct PlanClearOutput {
    /// Whether there is no plan any more.
    pub ok: bool,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
