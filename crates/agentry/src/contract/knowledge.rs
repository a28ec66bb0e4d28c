//! Documents that an agent can look things up in.

use super::Contract;
use super::values::{
    DocumentId, FreeText, MimeType, Object, PositiveLimit, Prefix, ResourceUri, Score, record,
    warn_without_selector,
};
use agentry_macros::document;
use agentry_text::{Extra, Fields, Reader};

/// Searches the knowledge base, and gives the passages that fit best. Use it before you answer from memory what the
/// operator's own documents may say. It is there only where an operator has mapped it to a server.
#[document]
pub struct KnowledgeSearchInput {
    /// What to look for, in plain words.
    #[key(example = "how are refunds approved")]
    pub query: FreeText,
    /// How many passages to give at most.
    #[key(example = 5)]
    pub top_k: Option<PositiveLimit>,
    /// What else must hold of a document: the keys are the server's own.
    pub filters: Option<Object>,
}

/// Passages that fit.
#[document]
pub struct KnowledgeSearchOutput {
    /// The passages, best first.
    pub hits: Vec<KnowledgeHit>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A passage that fits.
#[document]
pub struct KnowledgeHit {
    /// The document that it is from.
    pub id: Option<DocumentId>,
    /// The address of that document.
    pub uri: Option<ResourceUri>,
    /// The title of that document.
    pub title: Option<FreeText>,
    /// How well it fits.
    pub score: Option<Score>,
    /// The passage itself.
    pub snippet: Option<FreeText>,
    /// What else the server knows about the document.
    pub metadata: Option<Object>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Reads a whole document of the knowledge base. Use it when a passage is not enough. It is there only where an
/// operator has mapped it to a server. Say which document, by its id or its address: a call with neither draws a
/// warning.
#[document(remark = Self::remark)]
pub struct KnowledgeGetInput {
    /// The document, by its id.
    pub id: Option<DocumentId>,
    /// The document, by its address.
    pub uri: Option<ResourceUri>,
}

impl KnowledgeGetInput {
    fn remark(fields: &Fields<'_>, reader: &mut Reader<'_>) {
        warn_without_selector(fields, reader, Contract::KnowledgeGet, ["id", "uri"]);
    }
}

/// A document.
#[document]
pub struct KnowledgeGetOutput {
    /// Its text.
    pub content: FreeText,
    /// What kind of text it is.
    pub mime: Option<MimeType>,
    /// What else the server knows about it.
    pub metadata: Option<Object>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Lists documents of the knowledge base, without their text. Use it to find out what there is. It is there only
/// where an operator has mapped it to a server.
#[document]
pub struct KnowledgeListInput {
    /// Only documents whose names begin with this.
    #[key(example = "handbook/")]
    pub prefix: Option<Prefix>,
}

/// Documents, without their text.
#[document]
pub struct KnowledgeListOutput {
    /// One entry for each document.
    pub docs: Vec<DocumentRecord>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

record! {
    /// A document in a listing. The specification says only that it is an object.
    pub struct DocumentRecord {
        /// By what the document is named in calls.
        id: DocumentId,
        /// Its address.
        uri: ResourceUri,
        /// Its title.
        title: FreeText,
    }
}
