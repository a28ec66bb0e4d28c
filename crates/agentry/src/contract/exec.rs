//! Commands on the machine itself.

use super::values::{DurationText, ExitCode, FreeText, ProgramArgument, ProgramName, WorkingDirectory};
use agentry_macros::document;
use agentry_text::Extra;

/// Runs one program with arguments on the machine itself, and gives back what it wrote. No shell reads them: no
/// pipes, no globs, no variables. Use it only where nothing narrower will do. It is off unless an operator enables
/// it or maps it to a server; then only listed programs run, within one folder, for a limited time, with little
/// output and hardly any environment.
#[document]
pub struct ExecInput {
    /// The program. The operator's list says which may run.
    #[key(example = "git")]
    pub cmd: ProgramName,
    /// Its arguments, each as the program receives it.
    pub args: Option<Vec<ProgramArgument>>,
    /// The folder to run it in, below the one that commands are confined to. Without it, that one.
    pub cwd: Option<WorkingDirectory>,
    /// What the program reads from its standard input. Without it, nothing.
    pub stdin: Option<FreeText>,
    /// How long the program may run. More than the operator allows is cut down to that.
    #[key(example = "10s")]
    pub timeout: Option<DurationText>,
}

/// What a program came to.
#[document]
pub struct ExecOutput {
    /// What the program wrote to its standard output, up to the operator's limit.
    pub stdout: FreeText,
    /// What the program wrote to its standard error, up to the operator's limit.
    pub stderr: FreeText,
    /// How the program ended.
    pub exit_code: ExitCode,
    /// Whether the program was stopped because its time was up.
    pub timed_out: Option<bool>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}
