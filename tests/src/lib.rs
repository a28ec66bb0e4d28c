//! What the tests share: where files are, and which kind a path belongs to.
//!
//! The examples are part of the project. Published registries are not: they lie beside it, in a folder `shared`
//! or where `AGENTRY_SHARED` says, and tests that need them say so when they are skipped.

pub mod laws;
pub mod planted;

use agentry::Kind;
use agentry::registry_schema::FilePattern;
use agentry_text::{Finding, Lines};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.parent().unwrap_or(crate_folder).to_owned()
}

/// A file or folder beside the project, if it is there. If not, that is printed.
pub fn shared(path: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("AGENTRY_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    let found = shared.join(path);
    if found.exists() {
        return Some(found);
    }
    // Straight to the stream: what is printed in a test that passes is not shown.
    let _ = writeln!(
        std::io::stderr(),
        "SKIPPED: `{path}` is not in `{}`; set AGENTRY_SHARED to the folder that has it",
        shared.display()
    );
    None
}

/// Findings about a text, as `line:column severity[rule] pointer`, one a line.
pub fn shown(text: &str, findings: &[Finding]) -> String {
    let lines = Lines::new(text);
    let shown = findings.iter().map(|finding| {
        let at = lines.position(finding.span.start);
        let (severity, rule) = (finding.severity.name(), finding.rule.name);
        format!("{}:{} {severity}[{rule}] {}", at.line, at.column, finding.pointer)
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// The faults that people reported, as they lie beside the project; None, which is printed, where they do not.
///
/// # Panics
///
/// When they cannot be read.
pub fn field_reports() -> Option<Vec<serde_json::Value>> {
    let text = std::fs::read_to_string(shared("reports/cases.jsonl")?);
    let text = text.unwrap_or_else(|error| panic!("the field reports: {error}"));
    let read =
        |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("a field report is JSON: {error}"));
    Some(text.lines().map(read).collect())
}

/// What was read when a fault was met that people reported; None where the reports are not there.
///
/// # Panics
///
/// When there is no such report.
pub fn field_report(id: &str) -> Option<String> {
    let all = field_reports()?;
    let report = all.iter().find(|report| report["id"] == id);
    let input = report.and_then(|report| report["input"].as_str());
    Some(input.unwrap_or_else(|| panic!("no report {id}")).to_owned())
}

/// Of the documents, texts and registries that tests make by the thousand, one in so many is made: all, unless
/// `AGENTRY_TESTS_ONE_IN` says another number. Then what is made proves less, and nobody asks whether it is enough.
///
/// # Panics
///
/// When the variable is no number from 1.
pub fn one_in() -> usize {
    let Some(number) = std::env::var_os("AGENTRY_TESTS_ONE_IN") else { return 1 };
    let number = number.to_str().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
    number.unwrap_or_else(|| panic!("AGENTRY_TESTS_ONE_IN is a number from 1"))
}

/// How many are made where so many are usual.
pub fn share(usual: usize) -> usize {
    usual.div_ceil(one_in())
}

/// The registries there are: each with its folder and the folders in it that are no part of it.
pub fn registries() -> Vec<(PathBuf, &'static [&'static str])> {
    let mut registries: Vec<(PathBuf, &'static [&'static str])> =
        vec![(root().join("examples/registry"), &[])];
    // Its own examples are templates with gaps.
    registries.extend(shared("corpus/librefang-registry").map(|folder| (folder, &["examples"][..])));
    registries
}

/// The files of a registry whose name ends in `.` and `ending`, by their paths from its top with `/`, sorted.
///
/// # Panics
///
/// When a folder cannot be read.
pub fn files(registry: &Path, without: &[&str], ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let here = registry.join(&folder);
        let entries = std::fs::read_dir(&here).unwrap_or_else(|error| panic!("{}: {error}", here.display()));
        for entry in entries {
            let entry = entry.unwrap_or_else(|error| panic!("{}: {error}", here.display()));
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if entry.path().is_dir() {
                if !without.contains(&path.as_str()) {
                    folders.push(path);
                }
            } else if Path::new(&path).extension().is_some_and(|found| found == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The kind whose files are at such a path of a registry.
///
/// # Panics
///
/// When the table of kinds has a place that is no file pattern.
pub fn kind_of(path: &str) -> Option<Kind> {
    Kind::ALL.iter().copied().find(|kind| {
        kind.paths().iter().any(|place| {
            FilePattern::new(*place)
                .unwrap_or_else(|error| panic!("a place of `{kind}`: {error}"))
                .admits(path)
        })
    })
}

/// Whether some kind has its files in the folder that a path begins with, or at the top where there is none.
pub fn is_a_place(path: &str) -> bool {
    let top = |path: &str| path.split_once('/').map(|(top, _)| top.to_owned());
    Kind::ALL.iter().any(|kind| kind.paths().iter().any(|place| top(place) == top(path)))
}
