//! Programs that run in a sandbox.

use super::values::{DurationText, ExitCode, FreeText, LanguageName, Object};
use agentry_macros::document;
use agentry_text::Extra;

/// Runs a program in a sandbox and gives back what it wrote. Use it to compute, to transform data, or to try out
/// code. It is there only where an operator has mapped it to a sandbox server; nothing of the host is reachable
/// beyond what that server allows.
#[document]
pub struct CodeRunInput {
    /// The language that the program is written in.
    #[key(example = "python")]
    pub language: LanguageName,
    /// The program itself.
    #[key(example = "print(6 * 7)")]
    pub code: FreeText,
    /// Files that the program finds in its folder: paths, and what the server takes as content.
    pub files: Option<Object>,
    /// How long the program may run. Without it, the server decides.
    #[key(example = "30s")]
    pub timeout: Option<DurationText>,
}

/// What a program came to.
#[document]
pub struct CodeRunOutput {
    /// What the program wrote to its standard output.
    pub stdout: Option<FreeText>,
    /// What the program wrote to its standard error.
    pub stderr: Option<FreeText>,
    /// How the program ended.
    pub exit_code: Option<ExitCode>,
    /// Files that the program left behind: paths, and content as the server gives it.
    pub files: Option<Object>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
