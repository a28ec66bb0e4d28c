//! The tables of `i18n` that hold a name and a description: what people read, in other languages.

use crate::values::{Label, Prose};
use agentry_macros::document;
use agentry_text::Extra;

/// A document's name and description in one language. What is absent is shown as the document itself has it.
#[document]
pub struct Translation {
    /// The name that people see. The LibreFang runtime drops it for channels, and shows the document's own.
    #[key(example = "Morgenbericht")]
    pub name: Option<Label>,
    /// The description that people read.
    #[key(example = "Fasst zusammen, was am Morgen wichtig ist.")]
    pub description: Option<Prose>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
