//! Instructions that are loaded when they are needed.

use super::values::{DefinitionHash, FreeText, Object, SkillName, VersionTag, record};
use agentry_macros::document;
use agentry_text::Extra;

/// Lists the skills that can be loaded: what each is called, what it is for, and when to use it. Use it when a task
/// looks like one that somebody has written down how to do. It takes no arguments.
#[document]
pub struct SkillsListInput {}

/// Skills that can be loaded.
#[document]
pub struct SkillsListOutput {
    /// One entry for each skill.
    pub skills: Vec<SkillRecord>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

record! {
    /// A skill in a listing. The specification says only that it is an object.
    pub struct SkillRecord {
        /// Its name.
        name: SkillName,
        /// What it is for.
        description: FreeText,
    }
}

/// Loads the whole instructions of a skill into this conversation. Use it as soon as a skill fits what you are about
/// to do, before you begin; they take up room until `skills.unload`.
#[document]
pub struct SkillsLoadInput {
    /// The skill.
    #[key(example = "release-notes")]
    pub name: SkillName,
    /// The version or hash of the skill. Without it, the current one.
    pub version: Option<VersionTag>,
    /// What the skill is given: the keys are its own.
    pub arguments: Option<Object>,
}

/// The skill that was loaded.
#[document]
pub struct SkillsLoadOutput {
    /// Whether it is part of the conversation now.
    pub loaded: bool,
    /// Its name.
    pub name: Option<SkillName>,
    /// The hash of what was loaded.
    pub hash: Option<DefinitionHash>,
    /// The instructions themselves.
    pub body: Option<FreeText>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Takes a loaded skill out of this conversation again. Use it when you are done with it, to make room.
#[document]
pub struct SkillsUnloadInput {
    /// The skill.
    #[key(example = "release-notes")]
    pub name: SkillName,
}

/// Whether the skill was taken out.
#[document]
pub struct SkillsUnloadOutput {
    /// Whether it is no longer part of the conversation.
    pub ok: bool,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
