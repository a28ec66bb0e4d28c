//! Where the files of a package go: each to a place of its own, on every system.

use super::Place;
use crate::rules;
use agentry_text::{Finding, quoted};
use std::collections::BTreeMap;

/// The destinations of a package, in the order of the manifest.
#[derive(Default)]
pub(super) struct Destinations {
    entries: Vec<Entry>,
}

struct Entry {
    place: Place,
    /// The path from the top of the working directory.
    path: String,
    /// The file of the package that goes there; none where its content stands in the manifest.
    source: Option<String>,
}

impl Destinations {
    pub(super) fn add(&mut self, place: Place, path: String, source: Option<&String>) {
        self.entries.push(Entry { place, path, source: source.cloned() });
    }

    /// What stands in each other's way: for each entry of the manifest one finding of a sort at most.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        let mut exact: BTreeMap<&str, &Entry> = BTreeMap::new();
        let mut folded: BTreeMap<String, &Entry> = BTreeMap::new();
        for entry in &self.entries {
            let shown = quoted(&entry.path);
            let finding = if let Some(first) = exact.get(entry.path.as_str()) {
                // A pattern that matches what another source names is the usual reason.
                let source = entry.source.as_deref().map_or_else(
                    || format!("{shown} is the destination of an earlier file too"),
                    |source| format!("{} goes to {shown}, where an earlier file goes", quoted(source)),
                );
                Finding::new(&rules::DUPLICATE_DESTINATION, &entry.place.pointer, entry.place.span, source)
                    .label("the second file for this place")
                    .related(first.place.span, "the first one")
                    .help("select each file once, or give it a `path` of its own")
            } else if let Some(first) = self.folder_and_file(entry) {
                Finding::new(
                    &rules::DUPLICATE_DESTINATION,
                    &entry.place.pointer,
                    entry.place.span,
                    format!(
                        "{shown} needs a folder where {} is a file, or the other way round",
                        quoted(&first.path)
                    ),
                )
                .label("a file and a folder of one name")
                .related(first.place.span, "the other one")
                .help("give one of the two another `path`")
            } else if let Some(first) = folded.get(&entry.path.to_lowercase()) {
                Finding::new(
                    &rules::CASE_COLLISION,
                    &entry.place.pointer,
                    entry.place.span,
                    format!("{shown} and {} are one file on Windows and macOS", quoted(&first.path)),
                )
                .label("differs in case only")
                .related(first.place.span, "the other one")
                .help("give one of the two another name: a package is shared across systems")
            } else {
                folded.insert(entry.path.to_lowercase(), entry);
                exact.insert(&entry.path, entry);
                continue;
            };
            exact.entry(&entry.path).or_insert(entry);
            let said = |one: &Finding| one.pointer == finding.pointer && std::ptr::eq(one.rule, finding.rule);
            if !findings.iter().any(said) {
                findings.push(finding);
            }
        }
        findings
    }

    /// An earlier entry that is a file where this one needs a folder, or the other way round.
    fn folder_and_file(&self, entry: &Entry) -> Option<&Entry> {
        let below =
            |path: &str, folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        self.entries
            .iter()
            .take_while(|earlier| !std::ptr::eq(*earlier, entry))
            .find(|earlier| below(&entry.path, &earlier.path) || below(&earlier.path, &entry.path))
    }
}
