//! The chores of this workspace, run as `cargo xtask COMMAND`. A library, so that tests run the same code.

pub mod against;
pub mod bench;
pub mod changes;
pub mod drift;
mod mutants;

use agentry_check::acknowledged::Acknowledgements;
use agentry_schema::Document;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The exit status when documents drifted from the types.
pub const DRIFT: u8 = 4;
/// The exit status when a command could not do its work: wrong arguments, or files that cannot be used.
pub const FAILURE: u8 = 2;

/// The changelog of the documents, in their folder.
const CHANGELOG: &str = "CHANGELOG.md";
/// The changes of the documents that are meant, each with a reason, in their folder.
const ACKNOWLEDGED: &str = "acknowledged.toml";

/// The reference of the rules, in the same folder.
const REFERENCE: &str = "RULES.md";

/// A command: its name, what it does in one line, and what does it.
struct Command {
    name: &'static str,
    summary: &'static str,
    run: fn(&Options, &mut dyn Write) -> io::Result<u8>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "schema-diff",
        summary: "Compares the checked-in documents with those that the types make; exit status 4 if they differ. \
                  With --against REV compares with those of a Git revision; exit status 4 if a version is too low",
        run: schema_diff,
    },
    Command {
        name: "schema-changelog",
        summary: "Writes what differs from --against REV, the last release, into CHANGELOG.md beside the documents",
        run: schema_changelog,
    },
    Command {
        name: "schema-write",
        summary: "Writes what is stale or missing, deletes what is orphaned; with --dry-run only says so",
        run: schema_write,
    },
    Command {
        name: "bench",
        summary: "Prints the CPU time of a check as a ratio to reading and parsing the same files, and its peak memory; \
                  exit status 1 if the ratio is above the bound",
        run: |_, out| bench::run(out),
    },
    Command {
        name: "laws",
        summary: "Compares schemas and readers on generated documents; exit status 4 if they disagree",
        run: laws,
    },
    Command {
        name: "mutants",
        summary: "Judges the tests by deliberate faults, and prints which they do not notice; exit status 4 if there are such",
        run: mutants::run,
    },
];

/// What stands behind a command's name.
struct Options {
    dir: Option<PathBuf>,
    dry_run: bool,
    against: Option<String>,
    markdown: bool,
    documents: usize,
    count: usize,
    seed: u64,
    only: Option<String>,
    places: bool,
}

impl Options {
    fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let usual = agentry_tests::laws::Options::USUAL;
        let mut options = Self {
            dir: None,
            dry_run: false,
            documents: usual.per_kind,
            count: mutants::USUAL,
            seed: usual.seed,
            only: None,
            places: false,
            against: None,
            markdown: false,
        };
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("--dry-run") => options.dry_run = true,
                Some("--dir") => match arguments.next() {
                    Some(dir) => options.dir = Some(dir.into()),
                    None => return Err("`--dir` needs a folder".to_owned()),
                },
                Some("--against") => {
                    match arguments.next().and_then(|revision| revision.into_string().ok()) {
                        Some(revision) => options.against = Some(revision),
                        None => return Err("`--against` needs a revision".to_owned()),
                    }
                }
                Some("--format") => match arguments.next().as_deref().and_then(|format| format.to_str()) {
                    Some("human") => options.markdown = false,
                    Some("markdown") => options.markdown = true,
                    _ => return Err("`--format` is human or markdown".to_owned()),
                },
                Some("--documents") => options.documents = number(arguments.next(), "--documents")?,
                Some("--count") => options.count = number(arguments.next(), "--count")?,
                Some("--seed") => options.seed = number(arguments.next(), "--seed")?,
                Some("--only") => match arguments.next().and_then(|name| name.into_string().ok()) {
                    Some(name) => options.only = Some(name),
                    None => return Err("`--only` needs the name of a document".to_owned()),
                },
                Some("--places") => options.places = true,
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

/// A number, in decimal or, after `0x`, in hexadecimal.
fn number<N: TryFrom<u64>>(argument: Option<OsString>, name: &str) -> Result<N, String> {
    let text = argument.and_then(|text| text.into_string().ok()).unwrap_or_default();
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.ok().and_then(|number| N::try_from(number).ok()).ok_or_else(|| format!("`{name}` needs a number"))
}

/// The folder of the checked-in documents.
pub fn documents_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).join("schemas")
}

/// Everything that is written from the code: the published documents, and the reference of the rules.
pub fn documents() -> Vec<Document> {
    let mut documents = agentry_check::documents();
    documents.push(Document { path: REFERENCE.to_owned(), text: agentry_check::explain::reference() });
    documents
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
        "Usage: cargo xtask COMMAND [OPTIONS]\n\n{}\n\
         Of the schemas:\n  --dir DIR         the folder of the documents instead of `schemas`\n  \
         --against REV     compare with the documents of a Git revision\n  \
         --format FORMAT   human, or markdown: the table for a pull request\n\n\
         Of the laws:\n  --documents N     so many documents of each kind, and a tenth of each side of a contract\n  \
         --seed N          draws other documents\n  \
         --only NAME       one kind, message or side: `provider`, `contract/exec.input`\n  \
         --places          how often each keyword was met at each place\n\n\
         Of the mutants:\n  --count N         so many\n  \
         --seed N          draws others\n  \
         --only NAMES      of the sample, only those whose names hold a line of this\n",
        lines.concat()
    )
}

fn schema_diff(options: &Options, out: &mut dyn Write) -> io::Result<u8> {
    if options.against.is_some() {
        let report = against(options)?.with_changelog(&changelog(options)?);
        write!(out, "{}", if options.markdown { report.markdown() } else { report.human() })?;
        return Ok(if report.is_sound() { 0 } else { DRIFT });
    }
    if options.markdown {
        return Err(io::Error::other("`--format markdown` needs `--against`"));
    }
    let report = drift::compare(&documents(), &options.documents())?;
    write!(out, "{}", report.render(&options.mend()))?;
    Ok(if report.is_fresh() { 0 } else { DRIFT })
}

/// The comparison with a revision.
fn against(options: &Options) -> io::Result<against::Report> {
    let revision = options.against.as_deref();
    let revision =
        revision.ok_or_else(|| io::Error::other("`--against` is missing: name the last release"))?;
    let old = against::documents_at(&options.documents(), revision)?;
    let path = options.documents().join(ACKNOWLEDGED);
    let list = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Acknowledgements::default(),
        read => Acknowledgements::parse(&read?)
            .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?,
    };
    Ok(against::compare_all(revision, &old, &agentry_check::documents(), &list))
}

/// The changelog of the documents; empty, where there is none.
fn changelog(options: &Options) -> io::Result<String> {
    match fs::read_to_string(options.documents().join(CHANGELOG)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

fn schema_changelog(options: &Options, out: &mut dyn Write) -> io::Result<u8> {
    let report = against(options)?;
    let text = report.changelog(&changelog(options)?);
    if !options.dry_run {
        fs::write(options.documents().join(CHANGELOG), &text)?;
    }
    let count = report.entries.iter().filter(|entry| entry.headline().is_some()).count();
    writeln!(
        out,
        "{} {CHANGELOG}: {count} documents",
        if options.dry_run { "would write" } else { "wrote" }
    )?;
    Ok(0)
}

fn schema_write(options: &Options, out: &mut dyn Write) -> io::Result<u8> {
    let documents = documents();
    let report = drift::compare(&documents, &options.documents())?;
    drift::write(&documents, &report, options.dry_run, out)?;
    Ok(0)
}

fn laws(options: &Options, out: &mut dyn Write) -> io::Result<u8> {
    use agentry_tests::laws::{self, Sort, Subject};
    let mut subjects = Subject::all();
    subjects.retain(|subject| options.only.as_ref().is_none_or(|only| subject.name == *only));
    if subjects.is_empty() {
        return Err(io::Error::other("no document has this name"));
    }
    let drawn = laws::Options {
        per_kind: options.documents,
        per_side: options.documents / 10,
        seed: options.seed,
        ..laws::Options::USUAL
    };
    writeln!(out, "seed {:#x}", drawn.seed)?;
    let reports = laws::run(&subjects, &drawn);
    write!(out, "{}", laws::table(&reports))?;
    let mut sound = true;
    for (subject, report) in subjects.iter().zip(&reports) {
        let documents = if subject.sort == Sort::Kind { drawn.per_kind } else { drawn.per_side };
        for shortfall in report.shortfalls(documents, drawn.hits) {
            sound = false;
            writeln!(out, "{shortfall}")?;
        }
        for met in report.keywords.iter().filter(|_| options.places) {
            let laws::Met { place, kept, broken, decided, .. } = met;
            writeln!(out, "{} {place}: kept {kept}, broken {broken}, decisive {decided}", report.name)?;
        }
    }
    let faults = laws::faults(&reports);
    write!(out, "{faults}")?;
    Ok(if sound && faults.is_empty() { 0 } else { DRIFT })
}
