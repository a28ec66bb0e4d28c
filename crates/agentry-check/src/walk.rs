//! Files and folders: finding the manifests of a registry and judging them all in one run.

use crate::across;
use crate::allowance;
use crate::beside;
use crate::check::{Checked, Checker, Input};
use crate::detect::{Detection, is_a_place, names_schema};
use crate::path;
use crate::policy::{Policy, Source, is_settings};
use crate::standing::Standing;
use agentry::Kind;
use agentry_text::{Finding, Format, MAX_BYTES, Node, Severity, quoted};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many bytes of a file are looked at for the schema that it names.
const MAX_HEAD: usize = 4096;

/// A file that was judged.
#[derive(Debug)]
pub struct FileReport {
    /// The path, as it was named or found.
    pub path: PathBuf,
    /// Its text, kept where there is something to show.
    pub text: String,
    /// What came out.
    pub checked: Checked,
    /// What came out before settings changed it, and what they hold back.
    pub standing: Standing,
}

/// What a run is told besides the paths.
pub struct Options<'o> {
    /// The kind of the named files, where one is given.
    pub kind: Option<Kind>,
    /// Which files are looked at, and which rules that are off by default are asked for. It is asked about every candidate
    /// in the order of the paths; what it makes of the findings is for [`Policy::apply`].
    pub policy: &'o mut Policy,
    /// Told how far the run is.
    pub progress: &'o Progress,
}

/// How far a run is, for whoever shows it.
#[derive(Debug, Default)]
pub struct Progress {
    /// How many files there are to judge; 0 while they are being looked for.
    pub total: AtomicUsize,
    /// How many of them are judged.
    pub done: AtomicUsize,
}

/// Why a path could not be judged at all.
#[derive(Debug)]
pub struct PathError {
    /// The path.
    pub path: PathBuf,
    /// The reason, for people.
    pub message: String,
}

impl FileReport {
    /// A file that was just judged.
    pub fn new(path: PathBuf, text: String, checked: Checked) -> Self {
        let standing = Standing::of(&checked);
        Self { path, text, checked, standing }
    }

    /// Whether the file lets a run end with status 1.
    pub fn fails(&self) -> bool {
        self.checked.count(Severity::Error) > 0
            || self.standing.strict && self.checked.count(Severity::Warning) > 0
            || self.standing.unreadable
    }
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The files, ordered by path; before them the settings that have a finding.
    pub files: Vec<FileReport>,
    /// How many files were passed over because they are no manifest.
    pub skipped: usize,
    /// How many files the settings leave out.
    pub excluded: usize,
    /// Paths that could not be judged.
    pub errors: Vec<PathError>,
}

impl Outcome {
    /// How many findings have a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.files.iter().map(|file| file.checked.count(severity)).sum()
    }

    /// How many files there are of each kind.
    pub fn kinds(&self) -> BTreeMap<Kind, usize> {
        let mut kinds = BTreeMap::new();
        for kind in self.files.iter().filter_map(|file| file.checked.kind) {
            *kinds.entry(kind).or_default() += 1;
        }
        kinds
    }
}

/// A file to be judged.
struct Candidate {
    path: PathBuf,
    /// Whether the path was named, and not found in a folder: then it must be a manifest.
    named: bool,
}

enum Judged {
    /// The report, and what the file tells the others.
    Report(Box<FileReport>, Option<Box<across::Facts>>),
    Skipped,
    Error(PathError),
}

/// Judges files and folders. The kind, where one is given, holds for the named files.
pub fn run(paths: &[PathBuf], kind: Option<Kind>) -> Outcome {
    let mut policy = Policy::new(Source::None);
    run_with(paths, Options { kind, policy: &mut policy, progress: &Progress::default() })
}

/// [`run`] with options.
pub fn run_with(paths: &[PathBuf], options: Options<'_>) -> Outcome {
    let Options { kind, policy, progress } = options;
    let mut outcome = Outcome::default();
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut unread: Vec<(PathBuf, bool)> = Vec::new();
    for path in paths {
        match fs::metadata(path) {
            Err(error) => outcome.errors.push(PathError { path: path.clone(), message: reason(&error) }),
            Ok(metadata) if metadata.is_dir() => find(path, &mut candidates, &mut unread, &mut outcome),
            Ok(metadata) if metadata.is_file() => {
                candidates.push(Candidate { path: path.clone(), named: true });
            }
            Ok(_) => outcome
                .errors
                .push(PathError { path: path.clone(), message: "neither a file nor a folder".to_owned() }),
        }
    }
    candidates.sort_by(|one, other| one.path.cmp(&other.path).then(other.named.cmp(&one.named)));
    candidates.dedup_by(|later, earlier| later.path == earlier.path);
    let mut left_out = Vec::new();
    candidates.retain(|candidate| {
        // Settings are read by whoever keeps them, and are no manifest.
        if is_settings(&candidate.path) {
            policy.keeps(&candidate.path);
            return false;
        }
        let kept = policy.keeps(&candidate.path);
        if !kept {
            left_out.push(candidate.path.clone());
        }
        kept
    });
    outcome.excluded = left_out.len();
    progress.total.store(candidates.len(), Ordering::Relaxed);
    let checker = Checker::default().optional(policy.asks_for_optional_rules());
    let judged: Vec<Judged> = candidates
        .par_iter()
        .map(|candidate| {
            let judged = judge(candidate, kind, checker);
            progress.done.fetch_add(1, Ordering::Relaxed);
            judged
        })
        .collect();
    let mut facts = Vec::with_capacity(judged.len());
    for judged in judged {
        match judged {
            Judged::Report(report, told) => {
                outcome.files.push(*report);
                facts.push(told);
            }
            Judged::Skipped => outcome.skipped += 1,
            Judged::Error(error) => outcome.errors.push(error),
        }
    }
    across::check(&mut outcome.files, &facts, checker);
    // A folder without a single manifest is hardly what was meant.
    for path in paths.iter().filter(|path| path.is_dir()) {
        let empty = !outcome.files.iter().any(|file| file.path.starts_with(path))
            && !left_out.iter().any(|file| file.starts_with(path));
        let failed = outcome.errors.iter().any(|error| error.path.starts_with(path));
        if empty && !failed {
            let mut message = "there is no manifest in this folder".to_owned();
            if let Some((entry, is_link)) = unread.iter().find(|(entry, _)| entry.starts_with(path)) {
                let name = quoted(&entry.strip_prefix(path).unwrap_or(entry).to_string_lossy());
                message += ": ";
                message += &name;
                message += if *is_link {
                    " is a link, which is not followed; name it to have it read"
                } else {
                    " is neither a file nor a folder"
                };
            }
            outcome.errors.push(PathError { path: path.clone(), message });
        }
    }
    outcome
}

/// Finds what may be a manifest. Hidden and ignored files are none; only the folder in which packages keep their skills
/// is hidden and part of them.
///
/// What has the name of a manifest and is no file is told apart, with whether it is a link.
fn find(
    folder: &Path,
    candidates: &mut Vec<Candidate>,
    unread: &mut Vec<(PathBuf, bool)>,
    outcome: &mut Outcome,
) {
    let walk = ignore::WalkBuilder::new(folder)
        .require_git(false)
        .hidden(false)
        .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.file_name()))
        .sort_by_file_name(Ord::cmp)
        .build();
    for entry in walk {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                outcome.errors.push(PathError { path: folder.to_owned(), message: error.to_string() });
                continue;
            }
        };
        let file_type = entry.file_type();
        if !file_type.is_some_and(|kind| kind.is_file()) {
            // Links are not followed: what they lead to is found where it is.
            let is_link = file_type.is_some_and(|kind| kind.is_symlink());
            outcome.skipped += usize::from(is_link);
            let path = entry.into_path();
            let format = path.extension().and_then(|ending| Format::from_name(ending.to_str()?));
            let is_folder = file_type.is_some_and(|kind| kind.is_dir());
            if !is_folder && format.is_some_and(|format| has_usual_place(&path, format)) {
                unread.push((path, is_link));
            }
            continue;
        }
        let path = entry.into_path();
        if is_candidate(&path) {
            candidates.push(Candidate { path, named: false });
        } else {
            outcome.skipped += 1;
        }
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") && name != ".agents"
}

/// Whether a file may be a manifest. TOML is looked into; the other formats are written for many purposes, and such a
/// file needs a place or a name that a kind of its format has, or the schema of one.
fn is_candidate(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let Some(format) = ending.and_then(Format::from_name) else { return false };
    if format == Format::Toml {
        return true;
    }
    has_usual_place(path, format)
        || matches!(format, Format::Yaml | Format::Json) && names_schema_within(path, format)
}

/// Whether a file has a place or a name that a kind of its format has.
fn has_usual_place(path: &Path, format: Format) -> bool {
    // A path may say where it is only together with the folder that it is seen from.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let path = path::in_usual_case(&path);
    let mut patterns =
        Kind::ALL.iter().filter(|kind| kind.formats().contains(&format)).flat_map(|kind| kind.paths());
    patterns.any(|pattern| path::matches(&path, pattern).is_some() || path::has_own_name(&path, pattern))
}

fn judge(candidate: &Candidate, kind: Option<Kind>, with: Checker) -> Judged {
    let path = &candidate.path;
    let bytes = match read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Judged::Error(PathError { path: path.clone(), message: reason(&error) }),
    };
    let mut facts = None;
    let mut broken = false;
    let checked = match bytes {
        None => too_large(),
        Some(ref bytes) => {
            let absolute = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            let kind = kind.filter(|_| candidate.named);
            let mut checked = with.check_bytes(bytes, Some(&absolute), kind, format_of(path, kind));
            let root = checked.root.take();
            broken = may_be_broken(&checked, root.as_ref(), bytes, format_of(path, kind))
                || is_garbled(&checked, bytes, &absolute, format_of(path, kind));
            if let Some(root) = root.filter(|_| checked.undecided.is_none()) {
                beside::check(&mut checked, &root, &absolute);
                facts = across::facts(&checked, &root).map(Box::new);
            }
            with.leave_out_optional(&mut checked.findings);
            checked
        }
    };
    // What was found in a folder and is no manifest, or cannot be told from one, is nobody's fault.
    let stray = !broken && (checked.undecided.is_some() || checked.kind.is_none() && !is_a_place(path));
    if checked.undecided == Some(Detection::Foreign) || stray && !candidate.named {
        return Judged::Skipped;
    }
    let mut text = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    if checked.findings.is_empty() && !allowance::may_hold(&text) {
        text = String::new();
    }
    Judged::Report(Box::new(FileReport::new(path.clone(), text, checked)), facts)
}

/// Whether a text of which nobody knows what it is may be a manifest that its faults of syntax keep from being told as
/// one: it names the schema of one, or has its file name and no key of somebody else.
fn may_be_broken(checked: &Checked, root: Option<&Node>, bytes: &[u8], format: Format) -> bool {
    let Some(Detection::Nothing(candidates)) = &checked.undecided else { return false };
    if !checked.damaged || checked.is_valid() {
        return false;
    }
    let text = String::from_utf8_lossy(bytes);
    if names_schema(head(&text), format) {
        return true;
    }
    // Templates of other programs are no YAML until they are filled in.
    let is_template = || text.lines().any(|line| line.trim_start().starts_with("{{"));
    candidates.iter().any(|candidate| root.is_none_or(|root| has_only_keys_of(root, candidate.kind)))
        && !is_template()
}

/// Whether bytes that are no text would be a manifest if the bad ones were replaced.
fn is_garbled(checked: &Checked, bytes: &[u8], path: &Path, format: Format) -> bool {
    let is_text = checked.findings.iter().all(|finding| finding.rule != &agentry_text::rules::NOT_TEXT);
    if is_text || bytes.contains(&0) {
        return false;
    }
    let text = String::from_utf8_lossy(bytes);
    let input = Input { path: Some(path), kind: None, contract: None, format, text: &text };
    Checker::default().check(&input).kind.is_some()
}

/// Whether a tree has no key but those of a kind.
fn has_only_keys_of(root: &Node, kind: Kind) -> bool {
    let Some(table) = root.as_table() else { return false };
    let shape = kind.shape();
    let is_known = |key: &str| {
        shape.is_some_and(|shape| {
            shape.keys.iter().any(|known| known.name == key || known.legacy.contains(&key))
        })
    };
    table.entries.iter().all(|entry| is_known(&entry.key))
}

/// The beginning of a text, in which it names its schema.
fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_HEAD)]
}

/// Whether a file names the schema of one of the kinds in its beginning.
fn names_schema_within(path: &Path, format: Format) -> bool {
    let mut bytes = Vec::new();
    let read = open(path).and_then(|file| file.take(MAX_HEAD as u64).read_to_end(&mut bytes));
    read.is_ok() && names_schema(&String::from_utf8_lossy(&bytes), format)
}

/// Opens what is a file. Opening a pipe or a device may wait for ever.
pub(crate) fn open(path: &Path) -> io::Result<fs::File> {
    if fs::metadata(path)?.is_file() {
        fs::File::open(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file"))
    }
}

/// The text of a file; None where it cannot be read, is none, or is too large.
pub(crate) fn read_text(path: &Path) -> Option<String> {
    String::from_utf8(read(path).ok()??).ok()
}

/// The bytes of a file; None where there are more than are read.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let limit = MAX_BYTES as u64 + 1;
    let file = open(path)?;
    // Room for all that the file says it has, and for the end: else it is read piece by piece.
    let size = file.metadata().map_or(0, |metadata| metadata.len().min(limit));
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    file.take(limit).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= MAX_BYTES).then_some(bytes))
}

fn too_large() -> Checked {
    Checked {
        kind: None,
        undecided: None,
        findings: vec![Finding::too_large()],
        secrets: Vec::new(),
        manifest: None,
        root: None,
        damaged: false,
    }
}

/// What the name of a file ends in, else the format that documents of its kind are usually written in.
pub(crate) fn format_of(path: &Path, kind: Option<Kind>) -> Format {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let usual = kind.and_then(|kind| kind.formats().first().copied()).unwrap_or(Format::Toml);
    ending.and_then(Format::from_name).unwrap_or(usual)
}

pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "it may not be read".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_read_where_its_name_says_that_it_is_a_manifest() {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("tools/acme.find.tool.json", r#"{"id":"acme.find"}"#),
            ("elsewhere/acme.get.tool.json", "{}"),
            ("tools/notes.json", "{}"),
            ("package.json", r#"{"id":"x","input":{},"output":{},"version":"1.0.0"}"#),
        ] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let outcome = run(&[folder.path().to_owned()], None);
        let found: Vec<_> = outcome
            .files
            .iter()
            .map(|file| {
                let path = file.path.strip_prefix(folder.path()).unwrap().to_string_lossy().into_owned();
                (path, file.checked.kind)
            })
            .collect();
        let tool = Some(Kind::Tool);
        assert_eq!(
            found,
            [
                ("elsewhere/acme.get.tool.json".to_owned(), tool),
                ("tools/acme.find.tool.json".to_owned(), tool)
            ]
        );
        assert_eq!((outcome.skipped, outcome.errors.len()), (2, 0));
    }

    #[test]
    fn manifests_are_known_by_the_table_of_kinds() {
        for (path, candidate) in [
            ("any.toml", true),
            ("x/agent.yaml", true),
            ("x/agent.yml", true),
            ("x/agent.json", true),
            ("x/Agent.yaml", false),
            ("x/values.yaml", false),
            ("x/package.json", false),
            ("tools/a.tool.json", true),
            ("x/a.tool.yaml", false),
            ("x/README.md", false),
            ("x/agent", false),
        ] {
            assert_eq!(is_candidate(Path::new(path)), candidate, "{path}");
        }
    }

    /// What a run says of one file in a folder of its own: how many errors it has, or that it is passed over.
    fn said(name: &str, text: &str) -> Option<usize> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), text).unwrap();
        let outcome = run(&[folder.path().to_owned()], None);
        outcome.files.first().map(|file| file.checked.count(Severity::Error))
    }

    #[test]
    fn a_broken_manifest_is_not_passed_over() {
        for (name, text) in [
            ("agent.json", r#"{"name": "a", "instructions": "say "hi" now"}"#),
            ("agent.json", r#"{"name": "a", "instructions": "hi", "tags": ["a""#),
            ("agent.json", r#"{"name": "a", "instructions": "hi", "tags" ["a"]}"#),
            ("agent.json", r#"{"tags" ["a"], "name": "a", "instructions": "hi"}"#),
            ("agent.json", r#"{"name": "a", "instructions": "hi}"#),
            ("agent.json", "{"),
            ("a.json", r#"{"$schema": "https://docs.everruns.com/schemas/agent/v1.json", "name" "a"}"#),
            ("agent.yaml", "{name: a, instructions: hi"),
            ("agent.yaml", "{name: a, tags: [b"),
        ] {
            assert!(said(name, text).is_some_and(|errors| errors > 0), "{name}: {text}");
        }
        for (name, text) in [
            // Somebody else's, broken or not.
            ("agent.json", r#"{"url": "x", "version": "1", "name" "a"}"#),
            ("agent.yaml", "{{- if .Values.agent }}\nkind: DaemonSet\n{{- end }}\n"),
            ("agent.yaml", "agents:\n\tmain: x\n"),
            ("agent.yaml", "title: {{ topic }} of today\n"),
            ("package.json", "{"),
            ("agent.json", r#"{"name": "a"}"#),
        ] {
            assert_eq!(said(name, text), None, "{name}: {text}");
        }
    }

    #[test]
    fn a_manifest_with_bytes_that_are_no_text_is_not_passed_over() {
        let said = |name: &str, bytes: &[u8]| {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(name), bytes).unwrap();
            let outcome = run(&[folder.path().to_owned()], None);
            outcome.files.first().map(|file| file.checked.findings[0].rule.name)
        };
        for (name, bytes, found) in [
            ("agent.yaml", &b"name: a\ninstructions: caf\xe9\n"[..], Some("not-text")),
            ("agent.json", b"{\"name\": \"a\", \"instructions\": \"caf\xe9\"}", Some("not-text")),
            // Somebody else's, and no text at all.
            ("agent.yaml", b"title: caf\xe9\n", None),
            ("agent.json", b"\x00\xff\xfe", None),
        ] {
            assert_eq!(said(name, bytes), found, "{name}: {bytes:?}");
        }
    }

    #[test]
    fn a_schema_that_a_file_names_makes_it_a_candidate() {
        let ours = "https://docs.everruns.com/schemas/agent/v1.json";
        for (name, text, found) in [
            ("a.yaml", format!("# yaml-language-server: $schema={ours}\nname: a\ninstructions: x\n"), true),
            ("a.yml", format!("name: a\n$schema: {ours}\ninstructions: x\n"), true),
            ("a.yaml", "#:schema ./package.schema.json\nname: a\ninstructions: x\n".to_owned(), true),
            ("a.json", format!("{{\"name\":\"a\",\"$schema\":\"{ours}\",\"instructions\":\"x\"}}"), true),
            ("a.json", format!("{{\"name\":\"a\",\"about\":\"{ours}\"}}"), false),
            ("a.json", format!("{{\"name\":\"a\",\"inner\":{{\"$schema\":\"{ours}\"}}}}"), false),
            ("a.json", "{\"$schema\":\"https://x.example/a.json\",\"name\":\"a\"}".to_owned(), false),
        ] {
            assert_eq!(said(name, &text).is_some(), found, "{name}: {text}");
        }
    }

    #[test]
    fn the_kind_of_a_named_file_is_asked_for_whatever_else_there_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agent.yaml");
        fs::write(&path, "agent:\n  role: y\n").unwrap();
        let outcome = run(&[path], None);
        let rules: Vec<_> =
            outcome.files[0].checked.findings.iter().map(|finding| finding.rule.name).collect();
        assert_eq!(rules, ["unknown-kind"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_is_passed_over_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("two");
        fs::create_dir(&inner).unwrap();
        fs::write(folder.path().join("agent.yaml"), "name: a\ninstructions: x\n").unwrap();
        std::os::unix::fs::symlink("../agent.yaml", inner.join("agent.yaml")).unwrap();
        let message =
            |outcome: Outcome| outcome.errors.into_iter().map(|error| error.message).collect::<String>();
        let said = message(run(std::slice::from_ref(&inner), None));
        assert!(said.contains("`agent.yaml` is a link, which is not followed"), "{said}");
        assert_eq!(run(&[inner.join("agent.yaml")], None).files.len(), 1);
        fs::remove_file(inner.join("agent.yaml")).unwrap();
        assert!(
            std::process::Command::new("mkfifo").arg(inner.join("agent.json")).status().unwrap().success()
        );
        let said = message(run(&[inner], None));
        assert!(said.contains("`agent.json` is neither a file nor a folder"), "{said}");
    }

    #[test]
    fn of_hidden_folders_only_that_of_skills_is_entered() {
        let folder = tempfile::tempdir().unwrap();
        let text = "[provider]\nid = \"a\"\n[[models]]\n";
        for file in
            [".agents/skills/a.toml", ".hidden/a.toml", ".a.toml", "b/.agents/a.toml", "b/.git/a.toml"]
        {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let outcome = run(&[folder.path().to_owned()], None);
        let found: Vec<_> = outcome
            .files
            .iter()
            .map(|file| file.path.strip_prefix(folder.path()).unwrap().to_owned())
            .collect();
        assert_eq!(found, [Path::new(".agents/skills/a.toml"), Path::new("b/.agents/a.toml")]);
        // A folder that is named is entered, whatever it is called.
        assert_eq!(run(&[folder.path().join(".hidden")], None).files.len(), 1);
    }
}
