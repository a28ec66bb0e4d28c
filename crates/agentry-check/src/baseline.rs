//! A baseline: findings that are accepted as they are today, so that only new ones fail.
//!
//! It is a JSON file, one line an entry, sorted: the same findings give the same bytes. An entry is a path from the
//! folder of the file down, a rule, and a fingerprint that survives lines added above the finding, with a count where
//! one file has several that nothing tells apart. The place is there for people. Secrets are masked before anything is
//! made of them, so the file holds none.
//!
//! A finding is accepted whatever its severity, also one because of which a file cannot be read; the document is still
//! not valid, and programs are told so. Entries that no longer occur are findings themselves, so that a baseline only
//! ever shrinks; entries of files that a run did not judge are left alone. Findings about settings are never accepted.

use crate::check::Checked;
use crate::fingerprint::Fingerprints;
use crate::report::{normal, relative};
use crate::rules;
use crate::walk::{FileReport, Outcome, reason};
use agentry_macros::document;
use agentry_text::{Document, Finding, Mode, Node, Span, count_type, quoted, read_document, shown_text_type};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

/// What a baseline says.
#[document]
pub struct Baseline {
    /// The version of this format. It is raised when fingerprints are made in another way.
    pub version: BaselineVersion,
    /// The findings that are accepted, sorted by path, rule and place.
    pub findings: Vec<Accepted>,
}

/// A finding that is accepted.
#[document]
pub struct Accepted {
    /// The file, from the folder of the baseline down, with `/` between folders.
    pub path: AcceptedPath,
    /// The rule that the finding breaks. A name that is not known any more is no mistake: its entry occurs no longer.
    pub rule: AcceptedRule,
    /// Where the finding is, for people: keys as in a JSON pointer, and entries of lists by their name in brackets.
    pub place: Option<AcceptedPlace>,
    /// What tells the finding apart from others in the file.
    pub fingerprint: FingerprintText,
    /// How many findings of the file have this fingerprint.
    #[key(default = Occurrences::new(1).expect("one is a count"))]
    pub count: Option<Occurrences>,
}

count_type! {
    /// The version of the format of a baseline.
    pub struct BaselineVersion(u32) {
        form: "the version 1",
        minimum: 1,
        maximum: 1,
    }
}

count_type! {
    /// How many findings are alike.
    pub struct Occurrences(u32) {
        form: "a count of findings",
        minimum: 1,
        maximum: 1_000_000,
    }
}

shown_text_type! {
    /// A path with `/` between folders.
    pub struct AcceptedPath {
        pattern: r"^[^\r\n]+$",
        form: "a path",
        example: "providers/acme.toml",
    }
}

shown_text_type! {
    /// The name of a rule, of this version or another.
    pub struct AcceptedRule {
        pattern: r"^[a-z0-9]+(-[a-z0-9]+)*$",
        form: "the name of a rule",
        example: "empty-value",
    }
}

shown_text_type! {
    /// A place in a document.
    pub struct AcceptedPlace {
        pattern: r"^/",
        form: "a place, as in `/models/[beam-2]/tier`",
        example: "/models/[beam-2]/tier",
    }
}

shown_text_type! {
    /// Sixteen hexadecimal digits.
    pub struct FingerprintText {
        pattern: r"^[0-9a-f]{16}$",
        form: "sixteen hexadecimal digits",
        example: "9f86d081884c7d65",
    }
}

/// What an entry is found by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key {
    path: String,
    rule: String,
    place: String,
    hash: String,
}

/// The findings of a file that can be accepted, each with its key.
fn keys(file: &FileReport, folder: &Path) -> Vec<Key> {
    if file.checked.findings.is_empty() || file.standing.own {
        return Vec::new();
    }
    let path = relative(&file.path, folder);
    let fingerprints = Fingerprints::new(file);
    let key = |finding: &Finding| {
        let fingerprint = fingerprints.of(finding);
        Key {
            path: path.clone(),
            rule: finding.rule.name.to_owned(),
            place: fingerprint.place,
            hash: fingerprint.hash,
        }
    };
    file.checked.findings.iter().map(key).collect()
}

/// The text of a baseline that accepts everything in an outcome, and how many findings that is. The folder is the one
/// that the file will lie in.
pub fn text(outcome: &Outcome, folder: &Path) -> (String, usize) {
    let mut counts: BTreeMap<Key, usize> = BTreeMap::new();
    for key in outcome.files.iter().flat_map(|file| keys(file, folder)) {
        *counts.entry(key).or_default() += 1;
    }
    let entry = |(key, count): (&Key, &usize)| {
        let json = |text: &str| serde_json::Value::from(text);
        let place =
            if key.place.is_empty() { String::new() } else { format!(", \"place\": {}", json(&key.place)) };
        let count = if *count == 1 { String::new() } else { format!(", \"count\": {count}") };
        format!(
            "\n    {{\"path\": {}, \"rule\": {}{place}, \"fingerprint\": {}{count}}}",
            json(&key.path),
            json(&key.rule),
            json(&key.hash)
        )
    };
    let entries: Vec<String> = counts.iter().map(entry).collect();
    let end = if entries.is_empty() { "" } else { "\n  " };
    (
        format!("{{\n  \"version\": 1,\n  \"findings\": [{}{end}]\n}}\n", entries.join(",")),
        counts.values().sum(),
    )
}

/// Writes a baseline that accepts everything in an outcome; how many findings that is. A file that is there and is no
/// baseline is left as it is.
pub fn write(outcome: &Outcome, file: &Path) -> io::Result<usize> {
    match fs::read_to_string(file) {
        Ok(old) if read(&agentry_text::json::parse(&old)).is_ok() => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(io::Error::other(reason(&error))),
        Ok(_) => return Err(io::Error::other("the file is there, and is no baseline: it is left as it is")),
    }
    let (text, count) = text(outcome, folder_of(&normal(file)));
    fs::write(file, text).map_err(|error| io::Error::other(reason(&error)))?;
    Ok(count)
}

fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(file)
}

/// The baseline of a text, or what is wrong with it.
fn read(document: &Document) -> Result<Baseline, Vec<Finding>> {
    let reading = read_document::<Baseline>(document, Mode::Strict);
    if !reading.is_valid() {
        return Err(reading.findings);
    }
    reading.value.ok_or(reading.findings)
}

/// Takes out of an outcome what a baseline accepts, and adds what is to be said about the baseline itself.
pub fn apply(outcome: &mut Outcome, file: &Path) -> io::Result<()> {
    let text = fs::read_to_string(file).map_err(|error| io::Error::other(reason(&error)))?;
    let document = agentry_text::json::parse(&text);
    let mut own = match read(&document) {
        Ok(baseline) => accept(outcome, &baseline, folder_of(&normal(file)), document.root.as_ref()),
        Err(findings) => findings,
    };
    if !own.is_empty() {
        own.sort_by_key(|finding| finding.span.start);
        let own = own.into_iter().map(Finding::masked).collect();
        let mut report = FileReport::new(file.to_owned(), text, Checked::of_findings(own, Vec::new()));
        report.standing.own = true;
        report.standing.strict = outcome.files.iter().any(|file| file.standing.strict);
        outcome.files.insert(0, report);
    }
    Ok(())
}

/// Takes out what is accepted; the entries that do not occur.
fn accept(outcome: &mut Outcome, baseline: &Baseline, folder: &Path, root: Option<&Node>) -> Vec<Finding> {
    let mut left: HashMap<Key, usize> = HashMap::new();
    let key_of = |entry: &Accepted| Key {
        path: entry.path.as_str().to_owned(),
        rule: entry.rule.as_str().to_owned(),
        // A place is made from the same things as the fingerprint, and may be edited.
        place: String::new(),
        hash: entry.fingerprint.as_str().to_owned(),
    };
    for entry in &baseline.findings {
        let count = usize::try_from(entry.count().get()).unwrap_or(usize::MAX);
        *left.entry(key_of(entry)).or_default() += count;
    }
    let mut judged = HashSet::new();
    for file in &mut outcome.files {
        let mut keys = keys(file, folder).into_iter();
        judged.insert(relative(&file.path, folder));
        file.checked.findings.retain(|_| {
            let Some(key) = keys.next() else { return true };
            let Some(count) = left.get_mut(&Key { place: String::new(), ..key }).filter(|count| **count > 0)
            else {
                return true;
            };
            *count -= 1;
            file.standing.accepted += 1;
            false
        });
    }
    let items = root.and_then(|root| root.pointer("/findings")).map(|node| &node.kind);
    let Some(agentry_text::Kind::Array(items)) = items else { return Vec::new() };
    let mut stale = Vec::new();
    for (index, (entry, node)) in baseline.findings.iter().zip(items).enumerate() {
        let known = judged.contains(entry.path.as_str()) || !folder.join(entry.path.as_str()).exists();
        let Some(count) = left.get_mut(&key_of(entry)).filter(|count| **count > 0 && known) else { continue };
        let spared = std::mem::take(count);
        stale.push(stale_entry(entry, index, node.span, spared));
    }
    stale
}

fn stale_entry(entry: &Accepted, index: usize, span: Span, spared: usize) -> Finding {
    let rule = entry.rule.as_str();
    let path = quoted(entry.path.as_str());
    let all = entry.count().get();
    let message = if usize::try_from(all).is_ok_and(|all| spared >= all) {
        format!("`{rule}` no longer occurs here in {path}")
    } else {
        format!("`{rule}` is accepted {all} times here in {path}, and {spared} of them no longer occur")
    };
    Finding::new(&rules::STALE_BASELINE, format!("/findings/{index}"), span, message)
        .label("accepted for nothing")
        .help("write the baseline again with `--write-baseline`, or delete the entry")
}
