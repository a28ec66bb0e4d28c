//! Compares the checked-in documents with those that the types make, all of them, and mends what differs.

use crate::changes::{self, Change};
use agentry_schema::Document;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

/// The command that mends everything that is found here.
pub const MEND: &str = "cargo xtask schema-write";

/// How many changes of one document are shown.
const MAX_CHANGES: usize = 40;

/// What was found for every document.
#[derive(Clone, Debug)]
pub struct Report {
    dir: PathBuf,
    generated: usize,
    entries: Vec<Entry>,
}

/// What was found for one document.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it is, below the folder of the documents.
    pub path: String,
    /// How it stands.
    pub state: State,
}

/// How a checked-in document stands to the types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It is, byte for byte, what the types make.
    Fresh,
    /// The types make something else; without changes only the text differs, not what it says.
    Stale(Vec<Change>),
    /// The types make it, and it is not there.
    Missing,
    /// It is there, and the types make no such document.
    Orphaned,
    /// It is there, and is no JSON: what is wrong with it.
    Unparseable(String),
}

impl State {
    /// Every word for a state, in the order of the summary.
    const WORDS: [&str; 5] = ["fresh", "stale", "missing", "orphaned", "unparseable"];

    /// The word for it.
    pub fn word(&self) -> &'static str {
        Self::WORDS[match self {
            Self::Fresh => 0,
            Self::Stale(_) => 1,
            Self::Missing => 2,
            Self::Orphaned => 3,
            Self::Unparseable(_) => 4,
        }]
    }
}

/// Compares documents with what a folder holds. A folder that is not there holds nothing; in one that is, every
/// file whose name ends in `.json`, at any depth, counts as a document.
pub fn compare(generated: &[Document], dir: &Path) -> io::Result<Report> {
    let mut found = BTreeSet::new();
    if dir.try_exists().map_err(|error| at(dir, &error))? {
        find(dir, "", &mut found)?;
    }
    let mut entries = Vec::new();
    for document in generated {
        let file = dir.join(&document.path);
        // Texts that are no JSON are met only where they are expected.
        let state = if found.remove(&document.path) || !is_json(&document.path) && file.is_file() {
            let text = fs::read(&file).map_err(|error| at(&file, &error))?;
            if is_json(&document.path) {
                state_of(&document.text, &text)
            } else if document.text.as_bytes() == text {
                State::Fresh
            } else {
                State::Stale(Vec::new())
            }
        } else {
            State::Missing
        };
        entries.push(Entry { path: document.path.clone(), state });
    }
    entries.extend(found.into_iter().map(|path| Entry { path, state: State::Orphaned }));
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(Report { dir: dir.to_owned(), generated: generated.len(), entries })
}

fn is_json(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn state_of(generated: &str, checked_in: &[u8]) -> State {
    if generated.as_bytes() == checked_in {
        return State::Fresh;
    }
    match serde_json::from_slice::<Value>(checked_in) {
        Err(error) => State::Unparseable(error.to_string()),
        Ok(old) => {
            // What the types make is JSON; if ever it is not, everything of the old document is shown as gone.
            let new = serde_json::from_str(generated).unwrap_or(Value::Null);
            State::Stale(changes::between(&old, &new))
        }
    }
}

/// Adds the documents of a folder, by their paths below the first one.
fn find(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder).map_err(|error| at(folder, &error))? {
        let entry = entry.map_err(|error| at(folder, &error))?;
        let name = entry.file_name();
        let path = format!("{prefix}{}", name.to_string_lossy());
        let kind = entry.file_type().map_err(|error| at(&entry.path(), &error))?;
        if kind.is_dir() {
            find(&entry.path(), &format!("{path}/"), found)?;
        } else if is_json(&path) {
            found.insert(path);
        }
    }
    Ok(())
}

/// An error of a file, with the file.
fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

impl Report {
    /// What was found, by path.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether every document is what the types make, and no other is there.
    pub fn is_fresh(&self) -> bool {
        self.entries.iter().all(|entry| entry.state == State::Fresh)
    }

    /// The report for people, with the command that mends what differs.
    pub fn render(&self, mend: &str) -> String {
        let mut text = format!("Checking {} documents\n", self.generated);
        for entry in self.entries.iter().filter(|entry| entry.state != State::Fresh) {
            self.render_entry(entry, mend, &mut text);
        }
        let counts = State::WORDS.iter().filter_map(|word| {
            let count = self.entries.iter().filter(|entry| entry.state.word() == *word).count();
            (count > 0 || *word == "fresh").then(|| format!("{count} {word}"))
        });
        text.push_str(&counts.collect::<Vec<_>>().join(", "));
        text.push('.');
        if !self.is_fresh() {
            let _ = write!(text, " Run `{mend}`.");
        }
        text.push('\n');
        text
    }

    fn render_entry(&self, entry: &Entry, mend: &str, text: &mut String) {
        let path = self.shown(&entry.path);
        let mut lines = Vec::new();
        let mut note = "";
        let fix = match &entry.state {
            State::Fresh => return,
            State::Stale(changes) => {
                if changes.is_empty() && is_json(&entry.path) {
                    note = " (formatting only)";
                }
                for change in changes.iter().take(MAX_CHANGES) {
                    lines.push(change.to_string());
                    lines.extend(change.lines().map(|line| format!("  {line}")));
                }
                if changes.len() > MAX_CHANGES {
                    lines.push(format!("and {} more changes", changes.len() - MAX_CHANGES));
                }
                format!("`{mend}` writes it again")
            }
            State::Missing => format!("`{mend}` writes it"),
            State::Orphaned => "delete it: no type makes it".to_owned(),
            State::Unparseable(error) => {
                lines.push(format!("it is no JSON: {error}"));
                format!("`{mend}` writes it again")
            }
        };
        let _ = writeln!(text, "   {:<11}  {path}{note}", entry.state.word());
        lines.push(format!("fix: {fix}"));
        for line in lines {
            let _ = writeln!(text, "{:16}{line}", "");
        }
    }

    /// The path as a person at the root of the workspace would name it.
    fn shown(&self, path: &str) -> String {
        let dir = self.dir.file_name().unwrap_or(self.dir.as_os_str());
        format!("{}/{path}", dir.to_string_lossy())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(MEND))
    }
}

/// Whether a file was once written from the types: only such files are deleted.
fn is_ours(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.contains(agentry_schema::BASE))
}

/// Makes a folder hold what was generated: writes what is not fresh, deletes what is orphaned, and says what it
/// did. A dry run only says it.
pub fn write(generated: &[Document], report: &Report, dry_run: bool, out: &mut dyn Write) -> io::Result<()> {
    let (mut written, mut deleted, mut fresh) = (0, 0, 0);
    for Entry { path, state } in &report.entries {
        let file = report.dir.join(path);
        let what = if let State::Fresh = state {
            fresh += 1;
            continue;
        } else if let State::Orphaned = state {
            if !is_ours(&file) {
                let path = report.shown(path);
                writeln!(out, "left {path} (no document of ours: delete it by hand if it is not wanted)")?;
                continue;
            }
            deleted += 1;
            if !dry_run {
                fs::remove_file(&file).map_err(|error| at(&file, &error))?;
            }
            "delete"
        } else {
            let Some(document) = generated.iter().find(|document| document.path == *path) else { continue };
            written += 1;
            if !dry_run {
                let folder = file.parent().unwrap_or(&report.dir);
                fs::create_dir_all(folder).map_err(|error| at(folder, &error))?;
                fs::write(&file, &document.text).map_err(|error| at(&file, &error))?;
            }
            "write"
        };
        let done = match (what, dry_run) {
            ("delete", false) => "deleted",
            ("delete", true) => "would delete",
            (_, false) => "wrote",
            (_, true) => "would write",
        };
        writeln!(out, "{done} {} ({})", report.shown(path), state.word())?;
    }
    let would = if dry_run { " (dry run: nothing was changed)" } else { "" };
    writeln!(out, "{written} written, {deleted} deleted, {fresh} left as they are{would}.")
}
