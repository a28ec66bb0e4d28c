//! The chores of this workspace, run as `cargo xtask COMMAND`. A library, so that tests run the same code.

pub mod changes;
pub mod drift;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The exit status when documents drifted from the types.
pub const DRIFT: u8 = 4;
/// The exit status when a command could not do its work: wrong arguments, or files that cannot be used.
pub const FAILURE: u8 = 2;

/// A command: its name, what it does in one line, and what does it.
struct Command {
    name: &'static str,
    summary: &'static str,
    run: fn(&Options, &mut dyn Write) -> io::Result<u8>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "schema-diff",
        summary: "Compares the checked-in documents with those that the types make; exit status 4 if they differ",
        run: schema_diff,
    },
    Command {
        name: "schema-write",
        summary: "Writes what is stale or missing, deletes what is orphaned; with --dry-run only says so",
        run: schema_write,
    },
];

/// What stands behind a command's name.
struct Options {
    dir: Option<PathBuf>,
    dry_run: bool,
}

impl Options {
    fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let mut options = Self { dir: None, dry_run: false };
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("--dry-run") => options.dry_run = true,
                Some("--dir") => match arguments.next() {
                    Some(dir) => options.dir = Some(dir.into()),
                    None => return Err("`--dir` needs a folder".to_owned()),
                },
                _ => return Err(format!("unknown argument `{}`", argument.display())),
            }
        }
        Ok(options)
    }

    /// The folder of the documents.
    fn documents(&self) -> PathBuf {
        self.dir.clone().unwrap_or_else(documents_dir)
    }

    /// The command that mends what this one finds.
    fn mend(&self) -> String {
        match &self.dir {
            Some(dir) => format!("{} --dir {}", drift::MEND, dir.display()),
            None => drift::MEND.to_owned(),
        }
    }
}

/// The folder of the checked-in documents.
pub fn documents_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).join("schemas")
}

/// Runs a command; the exit status.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    error: &mut dyn Write,
) -> io::Result<u8> {
    let mut arguments = arguments.into_iter();
    let name = arguments.next();
    let name = name.as_deref().and_then(|name| name.to_str()).unwrap_or_default();
    if matches!(name, "help" | "--help" | "-h") {
        write!(out, "{}", usage())?;
        return Ok(0);
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        let what =
            if name.is_empty() { "no command".to_owned() } else { format!("unknown command `{name}`") };
        write!(error, "error: {what}\n\n{}", usage())?;
        return Ok(FAILURE);
    };
    let result = match Options::parse(arguments) {
        Ok(options) => (command.run)(&options, out).map_err(|failure| failure.to_string()),
        Err(problem) => Err(format!("{problem}\n\n{}", usage())),
    };
    match result {
        Ok(status) => Ok(status),
        Err(problem) => {
            writeln!(error, "error: {}", problem.trim_end())?;
            Ok(FAILURE)
        }
    }
}

fn usage() -> String {
    let width = COMMANDS.iter().map(|command| command.name.len()).max().unwrap_or(0);
    let lines: Vec<String> = COMMANDS
        .iter()
        .map(|Command { name, summary, .. }| format!("  {name:width$}  {summary}\n"))
        .collect();
    format!(
        "Usage: cargo xtask COMMAND [--dir DIR]\n\n{}\n  --dir DIR  the folder of the documents instead of `schemas`\n",
        lines.concat()
    )
}

fn schema_diff(options: &Options, out: &mut dyn Write) -> io::Result<u8> {
    let report = drift::compare(&agentry_check::documents(), &options.documents())?;
    write!(out, "{}", report.render(&options.mend()))?;
    Ok(if report.is_fresh() { 0 } else { DRIFT })
}

fn schema_write(options: &Options, out: &mut dyn Write) -> io::Result<u8> {
    let documents = agentry_check::documents();
    let report = drift::compare(&documents, &options.documents())?;
    drift::write(&documents, &report, options.dry_run, out)?;
    Ok(0)
}
