//! Phrases by which a request finds its agent or hand.

use super::references::items;
use super::{Findings, Mention, Run};
use crate::rules;
use agentry::Kind;
use agentry_text::{Finding, Node, Severity, quoted};
use std::collections::HashMap;

/// A phrase that a document claims.
#[derive(Debug)]
pub(super) struct Phrase {
    phrase: Mention,
    is_weak: bool,
}

impl Phrase {
    pub(super) fn all(kind: Kind, root: &Node) -> Vec<Self> {
        let at = match kind {
            Kind::Agent => "/metadata/routing",
            Kind::Hand => "/routing",
            _ => return Vec::new(),
        };
        let Some(routing) = root.pointer(at) else { return Vec::new() };
        let mut found = Vec::new();
        for (key, is_weak) in [("aliases", false), ("weak_aliases", true)] {
            let phrases = items(routing, key).iter().enumerate();
            found.extend(phrases.filter_map(|(index, phrase)| {
                Some(Self { phrase: Mention::of(phrase, format!("{at}/{key}/{index}"))?, is_weak })
            }));
        }
        found
    }
}

/// A phrase as a request is compared with it: without regard to case and to how wide the gaps are.
fn folded(phrase: &str) -> String {
    phrase.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Phrases that a document claims twice by itself.
pub(crate) fn check_one(kind: Kind, root: &Node, findings: &mut Vec<Finding>) {
    let mut first: HashMap<String, Mention> = HashMap::new();
    for Phrase { phrase, is_weak } in Phrase::all(kind, root) {
        let key = folded(&phrase.name);
        let Some(other) = first.get(&key) else {
            first.insert(key, phrase);
            continue;
        };
        let weak = is_weak && other.pointer.contains("/aliases/");
        let help =
            if weak { "delete the weak one: the other counts for more" } else { "delete one of the two" };
        findings.push(
            phrase
                .finding(
                    &rules::SHARED_PHRASE,
                    format!("the phrase {} is claimed twice in this file", quoted(&phrase.name)),
                )
                .label("a second time")
                .related(other.span, "the first time")
                .help(help)
                .masked(),
        );
    }
}

/// Phrases that two documents of a registry claim. Weak ones only add up, so that two of them are worth no more than a hint.
pub(super) fn check(run: &Run<'_>, findings: &mut Findings) {
    let mut first: HashMap<(usize, String), (usize, &Phrase)> = HashMap::new();
    for (file, facts) in run.facts() {
        let Some(registry) = run.registry(file) else { continue };
        for phrase in &facts.phrases {
            let key = (registry, folded(&phrase.phrase.name));
            let Some((other_file, other)) = first.get(&key) else {
                first.insert(key, (file, phrase));
                continue;
            };
            if *other_file == file || run.is_one_file(*other_file, file) {
                continue;
            }
            let message = format!(
                "the {} claims the phrase {} too: {}",
                run.called(*other_file),
                quoted(&phrase.phrase.name),
                run.place(*other_file, other.phrase.span)
            );
            let severity = if phrase.is_weak && other.is_weak { Severity::Hint } else { Severity::Warning };
            findings.push((
                file,
                phrase
                    .phrase
                    .finding(&rules::SHARED_PHRASE, message)
                    .severity(severity)
                    .label("claimed by two")
                    .help("keep it with the one that should take the request, and give the other a phrase of its own"),
            ));
        }
    }
}
