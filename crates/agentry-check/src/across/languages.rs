//! Languages into which the files of one kind are translated, and one of them is not.

use super::{Findings, Mention, Run};
use crate::rules;
use agentry::Kind;
use agentry_text::{Finding, Node, Span, quoted};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

/// From how many files on there is a custom.
const FILES: usize = 4;

/// How many languages are named.
const MAX_NAMED: usize = 8;

/// The languages of a file.
#[derive(Debug)]
pub(super) struct Languages {
    /// Each as it is compared: in lower case, with `-`.
    all: BTreeSet<String>,
    /// Each as it is written.
    written: Vec<String>,
    /// Where they stand; where there are none, where the file says its name.
    pointer: String,
    span: Span,
}

impl Languages {
    pub(super) fn of(kind: Kind, root: &Node, name: Option<&Mention>) -> Option<Self> {
        if !kind.shape()?.keys.iter().any(|key| key.name == "i18n") {
            return None;
        }
        let Some(entry) = root.get("i18n") else {
            let name = name?;
            let (pointer, span) = (name.pointer.clone(), name.span);
            return Some(Self { all: BTreeSet::new(), written: Vec::new(), pointer, span });
        };
        let written: Vec<String> =
            entry.node.as_table()?.entries.iter().map(|entry| entry.key.clone()).collect();
        let all = written.iter().map(|language| folded(language)).collect();
        Some(Self { all, written, pointer: "/i18n".to_owned(), span: entry.key_span })
    }
}

fn folded(language: &str) -> String {
    language.to_lowercase().replace('_', "-")
}

/// In a registry where three of four files of a kind have a language, one that lacks it was forgotten.
pub(super) fn check(run: &Run<'_>, findings: &mut Findings) {
    let mut groups: BTreeMap<(usize, Kind), Vec<(usize, &Languages)>> = BTreeMap::new();
    for (file, facts) in run.facts() {
        // Only of what is at its usual place: samples and fixtures are nobody's siblings.
        let (Some(registry), Some(languages), Some(_)) =
            (run.registry(file), &facts.languages, run.path_name(file))
        else {
            continue;
        };
        groups.entry((registry, facts.kind)).or_default().push((file, languages));
    }
    for ((_, kind), files) in groups.iter().filter(|(_, files)| files.len() >= FILES) {
        let mut counts: HashMap<&str, (usize, &str)> = HashMap::new();
        for (_, languages) in files {
            for written in &languages.written {
                let Some(language) = languages.all.get(&folded(written)) else { continue };
                counts.entry(language).or_insert((0, written)).0 += 1;
            }
        }
        let mut usual: Vec<(&str, &str, usize)> = counts
            .into_iter()
            .filter(|(_, (count, _))| count * 4 >= files.len() * 3)
            .map(|(language, (count, written))| (language, written, count))
            .collect();
        usual.sort_unstable();
        for (file, languages) in files {
            let lacks: Vec<&(&str, &str, usize)> =
                usual.iter().filter(|(language, ..)| !languages.all.contains(*language)).collect();
            let Some((_, _, count)) = lacks.first() else { continue };
            let mut list = String::new();
            for (index, (_, written, _)) in lacks.iter().take(MAX_NAMED).enumerate() {
                let joint = match index {
                    0 => "",
                    _ if index + 1 == lacks.len() => " and ",
                    _ => ", ",
                };
                let _ = write!(list, "{joint}{}", quoted(written));
            }
            if lacks.len() > MAX_NAMED {
                let _ = write!(list, " and {} more", lacks.len() - MAX_NAMED);
            }
            let message = format!(
                "this {kind} has no texts in {list}, which {count} of the {} files of its kind here have",
                files.len()
            );
            let finding = Finding::new(
                &rules::MISSING_TRANSLATION,
                languages.pointer.as_str(),
                languages.span,
                message,
            )
            .label("not translated")
            .help("add the texts as the other files have them: until then people see this one in another language");
            findings.push((*file, finding));
        }
    }
}
