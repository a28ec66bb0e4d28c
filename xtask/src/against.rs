//! Compares the documents that the types make with those of a Git revision, and says whose version was not raised as
//! its change demands.
//!
//! # What a change demands
//!
//! A version is a promise to those whom nobody can update together with the types: to the authors of what a document
//! describes, where others write it (files, and the arguments of calls), and to its readers, where a program writes it
//! (reports, and the answers of calls).
//!
//! | what changed | demands |
//! | --- | --- |
//! | something that was valid is not any more (or, of what a program writes, something may come that was not valid) | major |
//! | that holds only for a key which the schema did not declare, and declares now | minor |
//! | the opposite: more is valid (or less may come) | minor |
//! | words, or the same said in another way | patch |
//! | layout and order | nothing |
//!
//! What is not known counts as the worst. A change that is acknowledged with a reason, by its fingerprint in `acknowledged.toml`
//! beside the documents, demands no more than words. Catalogues are no schemas and have no version that follows from their change.

use crate::changes::{self, Change};
use agentry_check::acknowledged::Acknowledgements;
use agentry_diff::{Action, Comparison, Options, Verdict, compare};
use agentry_schema::{Document, Form};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fmt, thread};

/// Where versions are raised.
const VERSIONS: &str = "`VERSIONS` in crates/agentry-schema/src/lib.rs";
/// How many changes of one document are shown.
const MAX_CHANGES: usize = 40;

/// How much a version must be raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Demand {
    /// Not at all: only the layout changed.
    Nothing,
    /// Words changed.
    Patch,
    /// It accepts more, or declares what was not declared.
    Minor,
    /// It breaks somebody.
    Major,
}

/// A semantic version without anything behind its three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u64; 3]);

impl Version {
    /// The version that a schema states in its comment.
    fn of(schema: &Value) -> Option<Self> {
        let stated = schema["$comment"].as_str()?.strip_prefix("Version ")?.split(';').next()?;
        let mut numbers = stated.split('.').map(|number| number.parse().ok());
        let version = Self([numbers.next()??, numbers.next()??, numbers.next()??]);
        numbers.next().is_none().then_some(version)
    }

    /// The first version that meets a demand.
    const fn raised(self, demand: Demand) -> Self {
        let Self([major, minor, patch]) = self;
        Self(match demand {
            Demand::Nothing => [major, minor, patch],
            Demand::Patch => [major, minor, patch + 1],
            Demand::Minor => [major, minor + 1, 0],
            Demand::Major => [major + 1, 0, 0],
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([major, minor, patch]) = self;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// How a document stands to the one of the revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It is not in the revision.
    New(Option<Version>),
    /// It is only in the revision.
    Deleted(Option<Version>),
    /// A schema that differs.
    Changed {
        /// The version in the revision, if it stated one.
        old: Option<Version>,
        /// The version now.
        new: Option<Version>,
        /// What the change demands.
        demand: Demand,
    },
    /// A document without a version that differs.
    Unversioned,
}

/// A document that differs from the one of the revision.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it is, below the folder of the documents.
    pub path: String,
    /// How it stands.
    pub state: State,
    /// What differs.
    pub changes: Vec<Change>,
    /// The other draft of it, where the same is to be said about that one.
    pub twin: Option<String>,
}

impl Entry {
    /// One word for what happened.
    pub fn word(&self) -> &'static str {
        match self.state {
            State::New(_) => "new",
            State::Deleted(_) => "deleted",
            State::Unversioned => "catalogue",
            State::Changed { demand, .. } => match demand {
                Demand::Nothing => "layout",
                Demand::Patch => "patch",
                Demand::Minor => "minor",
                Demand::Major => "major",
            },
        }
    }

    /// The version that it must have at least, where it has a lower one.
    pub fn lacks(&self) -> Option<Version> {
        let State::Changed { old, new, demand } = self.state else { return None };
        let least = old?.raised(demand);
        new.is_none_or(|new| new < least).then_some(least)
    }

    fn versions(&self) -> String {
        let text =
            |version: Option<Version>| version.map_or_else(|| "?".to_owned(), |version| version.to_string());
        match self.state {
            State::New(new) => text(new),
            State::Deleted(old) => text(old),
            State::Unversioned => String::new(),
            State::Changed { old, new, .. } if old == new => text(new),
            State::Changed { old, new, .. } => format!("{} → {}", text(old), text(new)),
        }
    }

    /// The line of the changelog that it needs; none for what is made from other documents, and for mere layout.
    pub fn headline(&self) -> Option<String> {
        let path = &self.path;
        let text =
            |version: Option<Version>| version.map_or_else(String::new, |version| format!(" {version}"));
        match self.state {
            State::New(new) => Some(format!("- `{path}`{}: new", text(new))),
            State::Deleted(old) => Some(format!("- `{path}`{}: deleted", text(old))),
            State::Changed { demand: Demand::Nothing, .. } | State::Unversioned => None,
            State::Changed { new, demand, .. } => {
                debug_assert!(demand > Demand::Nothing, "mere layout has no line");
                Some(format!("- `{path}`{}: {}", text(new), self.word()))
            }
        }
    }
}

/// What was found for every document.
#[derive(Clone, Debug)]
pub struct Report {
    revision: String,
    count: usize,
    /// What differs, by path.
    pub entries: Vec<Entry>,
    /// The headlines that the changelog lacks.
    pub unlisted: Vec<String>,
    /// The acknowledged fingerprints that no change has.
    pub stale: Vec<String>,
}

/// What a difference demands of the version of a document at a path.
pub fn demand(path: &str, comparison: &Comparison, list: &Acknowledgements) -> Demand {
    let for_readers = match Form::of(path) {
        Form::Report => true,
        Form::Call => path.ends_with(".output.schema.json"),
        Form::File => false,
    };
    let (breaking, other) = if for_readers {
        (&comparison.forward, &comparison.backward)
    } else {
        (&comparison.backward, &comparison.forward)
    };
    // Where only words differ, what is not modelled is the same on both sides.
    let words = |change: &agentry_diff::Change| change.effect == agentry_diff::Effect::Documentation;
    let only_words = !comparison.changes.is_empty() && comparison.changes.iter().all(words);
    let (passed, counting) = (
        comparison.changes.iter().filter(|change| tells(change) && list.reason(change).is_some()),
        comparison.changes.iter().filter(|change| list.reason(change).is_none()),
    );
    match (breaking, other) {
        _ if only_words => Demand::Patch,
        (Verdict::Yes, Verdict::Yes) => Demand::Patch,
        (Verdict::Yes, _)
            if passed.clone().next().is_some() && counting.clone().all(|change| !tells(change)) =>
        {
            Demand::Patch
        }
        (Verdict::Yes, _) => Demand::Minor,
        (Verdict::Invalid(..), _) | (_, Verdict::Invalid(..)) => Demand::Major,
        (Verdict::No(_) | Verdict::Unknown(_), _) => {
            let declared = if for_readers { Action::Removed } else { Action::Added };
            // Whoever wrote a key that nothing declared was warned: the table is open for newer versions.
            let excused = |change: &agentry_diff::Change| {
                let witness = if for_readers { change.effect.readers() } else { change.effect.files() };
                match (witness, &change.effect) {
                    (Some(witness), _) => {
                        change.keyword == "properties"
                            && change.action == declared
                            && change.only_with.is_empty()
                            && !witness.declared_keys_only
                    }
                    (None, agentry_diff::Effect::Unknown(_)) => false,
                    (None, _) => true,
                }
            };
            let explained = match breaking {
                Verdict::No(_) => comparison.changes.iter().any(tells),
                _ => list.excuse(comparison, for_readers),
            };
            if !explained || !counting.clone().all(excused) {
                Demand::Major
            } else if counting.clone().all(|change| !tells(change)) {
                Demand::Patch
            } else {
                Demand::Minor
            }
        }
    }
}

/// Whether a change lets something be judged otherwise, or may.
fn tells(change: &agentry_diff::Change) -> bool {
    !matches!(change.effect, agentry_diff::Effect::Neither | agentry_diff::Effect::Documentation)
}

/// Compares the documents of a revision, by path, with those that the types make.
pub fn compare_all(
    revision: &str,
    old: &BTreeMap<String, String>,
    new: &[Document],
    list: &Acknowledgements,
) -> Report {
    let (mut entries, mut comparisons) = (Vec::new(), Vec::new());
    for document in new {
        let value = serde_json::from_str(&document.text).unwrap_or(Value::Null);
        match old.get(&document.path) {
            None => entries.push(entry(&document.path, State::New(Version::of(&value)))),
            Some(text) if *text == document.text => {}
            Some(text) => {
                let before = serde_json::from_str(text).unwrap_or(Value::Null);
                entries.push(changed(&document.path, &before, &value, list, &mut comparisons));
            }
        }
    }
    for (path, text) in old {
        if !new.iter().any(|document| document.path == *path) {
            let before = serde_json::from_str(text).unwrap_or(Value::Null);
            entries.push(entry(path, State::Deleted(Version::of(&before))));
        }
    }
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    fold(&mut entries);
    let stale = list.stale(&comparisons).map(|entry| entry.fingerprint.as_str().to_owned()).collect();
    Report { revision: revision.to_owned(), count: new.len(), entries, unlisted: Vec::new(), stale }
}

fn entry(path: &str, state: State) -> Entry {
    Entry { path: path.to_owned(), state, changes: Vec::new(), twin: None }
}

fn changed(
    path: &str,
    before: &Value,
    after: &Value,
    list: &Acknowledgements,
    comparisons: &mut Vec<Comparison>,
) -> Entry {
    if !changes::is_schema(after) {
        return Entry { changes: changes::between(before, after), ..entry(path, State::Unversioned) };
    }
    let (old, new) = (Version::of(before), Version::of(after));
    // The version itself, and the address that it is part of, are no change that demands another one.
    let unversioned = |schema: &Value| {
        let mut schema = schema.clone();
        if let Some(members) = schema.as_object_mut() {
            members.retain(|key, _| key != "$comment" && key != "$id");
        }
        schema
    };
    let (before, after) = (unversioned(before), unversioned(after));
    if before == after {
        return entry(path, State::Changed { old, new, demand: Demand::Nothing });
    }
    let comparison = compare(&before, &after, &Options::default());
    let only_order = comparison.changes.is_empty()
        && comparison.backward == Verdict::Yes
        && comparison.forward == Verdict::Yes;
    let demand = if only_order { Demand::Nothing } else { demand(path, &comparison, list) };
    let changes = changes::of_schemas(&before, &after, &comparison, list);
    comparisons.push(comparison);
    Entry { changes, ..entry(path, State::Changed { old, new, demand }) }
}

/// Tells of both drafts of a document at once, where the same is to be said.
fn fold(entries: &mut Vec<Entry>) {
    let twins: Vec<Entry> = entries.extract_if(.., |entry| entry.path.starts_with("draft-07/")).collect();
    for twin in twins {
        let name = twin.path.trim_start_matches("draft-07/");
        match entries.iter_mut().find(|entry| entry.path == name && entry.state == twin.state) {
            Some(entry) => entry.twin = Some(twin.path),
            None => entries.push(twin),
        }
    }
}

impl Report {
    /// Whether every version was raised as far as it must be, and the changelog tells of it.
    pub fn is_sound(&self) -> bool {
        self.unlisted.is_empty() && self.entries.iter().all(|entry| entry.lacks().is_none())
    }

    /// Compares with the section of the changelog for what is not released.
    #[must_use]
    pub fn with_changelog(mut self, changelog: &str) -> Self {
        let told = unreleased(changelog);
        let headlines = self.entries.iter().filter_map(Entry::headline);
        self.unlisted = headlines.filter(|line| !told.lines().any(|told| told == line)).collect();
        self
    }

    /// The report for people.
    pub fn human(&self) -> String {
        let mut text = format!("Comparing {} documents with {}\n", self.count, self.revision);
        for entry in &self.entries {
            let twin = if entry.twin.is_some() { " and its draft-07" } else { "" };
            let _ = writeln!(text, "   {:<11}  {}{twin}  {}", entry.word(), entry.path, entry.versions());
            let mut lines = Vec::new();
            for change in entry.changes.iter().take(MAX_CHANGES) {
                lines.push(change.to_string());
                lines.extend(change.lines().map(|line| format!("  {line}")));
            }
            if entry.changes.len() > MAX_CHANGES {
                lines.push(format!("and {} more changes", entry.changes.len() - MAX_CHANGES));
            }
            if let Some(least) = entry.lacks() {
                lines.push(format!("fix: raise its version to {least} in {VERSIONS}"));
            }
            for line in lines {
                let _ = writeln!(text, "{:16}{line}", "");
            }
        }
        for line in &self.unlisted {
            let _ = writeln!(text, "   unlisted     the changelog lacks: {line}");
        }
        for print in &self.stale {
            let _ = writeln!(text, "   stale        no change has the acknowledged fingerprint {print}");
        }
        let lacking = self.entries.iter().filter(|entry| entry.lacks().is_some()).count();
        let _ = writeln!(
            text,
            "{} differ, {lacking} with a version that is too low, {} not in the changelog.",
            self.entries.len(),
            self.unlisted.len()
        );
        if !self.unlisted.is_empty() {
            let _ = writeln!(text, "`cargo xtask schema-changelog --against {}` writes it.", self.revision);
        }
        text
    }

    /// The report as a table for a pull request.
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "| schema | version | demands | change | breaks |\n| --- | --- | --- | --- | --- |\n",
        );
        for entry in &self.entries {
            let version = match entry.lacks() {
                Some(least) => format!("{}, **must be {least}**", entry.versions()),
                None => entry.versions(),
            };
            let mut row = |change: &str, breaks: &str| {
                let (path, change, breaks) = (&entry.path, cell(change), cell(breaks));
                let cells = [&format!("`{path}`"), &version, entry.word(), &change, &breaks];
                let _ = writeln!(text, "| {} |", cells.join(" | "));
            };
            let (breaking, words): (Vec<&Change>, Vec<&Change>) =
                entry.changes.iter().partition(|change| !change.breaks.is_empty());
            for change in breaking.iter().take(MAX_CHANGES) {
                row(&change.to_string(), &change.lines().collect::<Vec<_>>().join("; "));
            }
            if breaking.len() > MAX_CHANGES {
                row(&format!("and {} more that break something", breaking.len() - MAX_CHANGES), "");
            }
            if !words.is_empty() || breaking.is_empty() {
                let what = match words.len() {
                    0 => String::new(),
                    1 => words[0].to_string(),
                    count => format!("{count} changes that break nothing"),
                };
                row(&what, "");
            }
        }
        if self.entries.is_empty() {
            text = format!("No document differs from {}.\n", self.revision);
        }
        for line in &self.unlisted {
            let _ = writeln!(text, "\nThe changelog lacks: {}", line.trim_start_matches("- "));
        }
        for print in &self.stale {
            let _ = writeln!(text, "\nNo change has the acknowledged fingerprint {print}.");
        }
        text
    }

    /// A changelog whose section for what is not released tells of these differences.
    pub fn changelog(&self, before: &str) -> String {
        let mut section = String::new();
        for entry in &self.entries {
            let Some(headline) = entry.headline() else { continue };
            let _ = writeln!(section, "{headline}");
            for change in entry.changes.iter().filter(|change| !change.breaks.is_empty()).take(MAX_CHANGES) {
                let said =
                    change.breaks.iter().cloned().chain(change.reason()).collect::<Vec<_>>().join("; ");
                let (what, said) = (prose(&change.what), prose(&said));
                let _ = writeln!(section, "  - `{}` {what}: {said}", change.place());
            }
        }
        let (head, rest) = match before.find(UNRELEASED) {
            Some(start) => {
                let after = start + UNRELEASED.len();
                let next = before[after..].find("\n## ").map_or("", |next| &before[after + next + 1..]);
                (&before[..start], next)
            }
            None => (before, ""),
        };
        let gap = if rest.is_empty() { "" } else { "\n" };
        format!("{head}{UNRELEASED}\n\n{section}{gap}{rest}")
    }
}

const UNRELEASED: &str = "## Unreleased";

/// The section of a changelog for what is not released.
fn unreleased(changelog: &str) -> &str {
    let Some((_, section)) = changelog.split_once(UNRELEASED) else { return "" };
    section.split("\n## ").next().unwrap_or_default()
}

/// Text for a cell of a table, as it is. There `|` means something in spans of code too.
fn cell(text: &str) -> String {
    prose(text).replace('|', "\\|")
}

/// Text on one line, as it is; spans of code are kept.
fn prose(text: &str) -> String {
    let mut shown = String::new();
    let even = text.matches('`').count().is_multiple_of(2);
    for (index, part) in text.split('`').enumerate() {
        let is_code = even && index % 2 == 1;
        if index > 0 {
            shown.push_str(if even { "`" } else { "\\`" });
        }
        let mut before = ' ';
        let mut rest = part.chars().peekable();
        while let Some(character) = rest.next() {
            // Inside a word an underscore is one.
            let in_word = before.is_alphanumeric() && rest.peek().is_some_and(|next| next.is_alphanumeric());
            match character {
                '\n' | '\r' => shown.push(' '),
                '\\' | '*' | '[' | ']' | '<' | '>' | '~' | '&' if !is_code => {
                    shown.push('\\');
                    shown.push(character);
                }
                '_' if !is_code && !in_word => shown.push_str("\\_"),
                _ => shown.push(character),
            }
            before = character;
        }
    }
    shown
}

/// The documents of a revision, by their paths below the folder of the documents.
pub fn documents_at(dir: &Path, revision: &str) -> io::Result<BTreeMap<String, String>> {
    let commit = git(
        dir,
        &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")],
        "",
    )
    .map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => error,
        _ => io::Error::other(format!("`{revision}` is no revision of the repository of {}", dir.display())),
    })?;
    let commit = String::from_utf8_lossy(&commit).trim().to_owned();
    let listed = git(dir, &["ls-tree", "-r", "-z", &commit, "--", "."], "")?;
    let listed = String::from_utf8_lossy(&listed);
    let files: Vec<(&str, &str)> = listed
        .split('\0')
        .filter_map(|line| {
            let (about, path) = line.split_once('\t')?;
            let object = about.split(' ').nth(2)?;
            Path::new(path).extension().is_some_and(|extension| extension == "json").then_some((object, path))
        })
        .collect();
    let wanted: String = files.iter().flat_map(|(object, _)| [*object, "\n"]).collect();
    let contents = git(dir, &["cat-file", "--batch"], &wanted)?;
    let mut rest = &contents[..];
    let mut documents = BTreeMap::new();
    for (_, path) in files {
        let cut_short = || io::Error::other("git told less than it was asked for");
        let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(cut_short)?;
        let head = String::from_utf8_lossy(&rest[..end]);
        let size: usize = head.rsplit(' ').next().and_then(|size| size.parse().ok()).ok_or_else(cut_short)?;
        let text = rest.get(end + 1..end + 1 + size).ok_or_else(cut_short)?;
        documents.insert(path.to_owned(), String::from_utf8_lossy(text).into_owned());
        rest = rest.get(end + 2 + size..).unwrap_or_default();
    }
    Ok(documents)
}

/// What Git prints, given some input.
fn git(dir: &Path, arguments: &[&str], input: &str) -> io::Result<Vec<u8>> {
    let mut child = Command::new("git")
        .arg("-C")
        .arg(dir)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("git cannot be run: {error}")))?;
    let stdin = child.stdin.take();
    // Git answers while it is asked: who writes all before reading would wait for ever.
    let output = thread::scope(|scope| {
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input.as_bytes())));
        child.wait_with_output()
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("git {}: {}", arguments.first().unwrap_or(&""), said.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_shows_a_text_as_it_is() {
        for (text, shown) in [
            (
                "/a_b _c_  `const` altered from \"x*\" to \"[y]\"",
                "/a_b \\_c\\_  `const` altered from \"x\\*\" to \"\\[y\\]\"",
            ),
            ("`a_b|c\\d` | <b>", "`a_b\\|c\\d` \\| \\<b\\>"),
            ("one ` alone_", "one \\` alone\\_"),
            ("two\nlines \\ &amp;", "two lines \\\\ \\&amp;"),
        ] {
            assert_eq!(cell(text), shown);
        }
    }
}
