//! Named pieces of content that are delivered with a task.

use super::values::{
    Amount, ArtifactId, ArtifactName, Limit, MimeType, Prefix, Sha256Text, StepName, record,
};
use agentry_macros::document;
use agentry_text::{Extra, Value};

/// Creates an artifact: a named piece of content that is delivered with the task. Use it for reports, patches, data
/// and whatever else the person who asked should receive as a file rather than read in the conversation.
#[document]
pub struct ArtifactCreateInput {
    /// Its name, which looks like that of a file.
    #[key(example = "report.md")]
    pub name: ArtifactName,
    /// What kind of content it is. Without it, plain text (`text/plain`).
    #[key(example = "text/markdown")]
    pub mime: Option<MimeType>,
    /// The content: text, or any JSON value, which is stored as JSON. Leave it out where a step supplies it.
    pub content: Option<Value>,
    /// A step of the running workflow whose output is the content.
    pub from_step: Option<StepName>,
    /// Whether the content must be handled as confidential.
    pub sensitive: Option<bool>,
}

/// The artifact that was created.
#[document]
pub struct ArtifactCreateOutput {
    /// By what it is named in later calls.
    pub id: ArtifactId,
    /// Its name.
    pub name: Option<ArtifactName>,
    /// How large its content is, in bytes.
    pub size: Option<Amount>,
    /// The hash of its content.
    pub sha256: Option<Sha256Text>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Reads an artifact with its content. Use it to go on with what you or another part of this task made before.
#[document]
pub struct ArtifactGetInput {
    /// The artifact.
    pub id: ArtifactId,
}

/// An artifact and its content.
#[document]
pub struct ArtifactGetOutput {
    /// The artifact.
    pub id: ArtifactId,
    /// Its name.
    pub name: Option<ArtifactName>,
    /// What kind of content it is.
    pub mime: Option<MimeType>,
    /// The content: text, or any JSON value, as it was stored.
    pub content: Option<Value>,
    /// How large the content is, in bytes.
    pub size: Option<Amount>,
    /// The hash of the content.
    pub sha256: Option<Sha256Text>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Deletes an artifact, so that it is not delivered. Use it for drafts and mistakes; it cannot be undone.
#[document]
pub struct ArtifactDeleteInput {
    /// The artifact.
    pub id: ArtifactId,
}

/// Whether the artifact is gone.
#[document]
pub struct ArtifactDeleteOutput {
    /// Whether it was deleted.
    pub ok: bool,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Lists artifacts, without their content. Use it to see what will be delivered, or to find an id again.
#[document]
pub struct ArtifactListInput {
    /// Only artifacts whose names begin with this.
    #[key(example = "report")]
    pub prefix: Option<Prefix>,
    /// How many artifacts to list at most.
    #[key(example = 50)]
    pub limit: Option<Limit>,
}

/// Artifacts, without their content.
#[document]
pub struct ArtifactListOutput {
    /// One entry for each artifact.
    pub artifacts: Vec<ArtifactRecord>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

record! {
    /// An artifact in a listing. The specification says only that it is an object.
    pub struct ArtifactRecord {
        /// By what the artifact is named in calls.
        id: ArtifactId,
        /// Its name.
        name: ArtifactName,
        /// What kind of content it is.
        mime: MimeType,
        /// How large its content is, in bytes.
        size: Amount,
        /// The hash of its content.
        sha256: Sha256Text,
    }
}
