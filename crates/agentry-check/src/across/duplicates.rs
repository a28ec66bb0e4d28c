//! Documents of one kind that have one name.

use super::{Findings, Mention, Run};
use crate::rules;
use agentry::Kind;
use agentry_text::quoted;
use std::collections::HashMap;

/// One name, two documents of one kind in one registry: which of them is meant depends on the order in which they are read.
/// Names that differ in case, or in the sign between their words, are one on some systems, and to people.
pub(super) fn check(run: &Run<'_>, findings: &mut Findings) {
    let mut first: HashMap<(usize, Kind, String), (usize, &Mention)> = HashMap::new();
    for (file, facts) in run.facts() {
        // Only of what is named by its place: the skills of two hands may share a name.
        let (Some(registry), Some(name), Some(_)) =
            (run.registry(file), facts.name.as_ref(), run.path_name(file))
        else {
            continue;
        };
        // Models are offered tools by names without dots.
        let is_tool = facts.kind == Kind::Tool;
        let folded = |name: &str| name.to_lowercase().replace('-', "_");
        let called = folded(&name.name);
        let key = (registry, facts.kind, if is_tool { called.replace('.', "_") } else { called });
        let Some((other_file, other)) = first.get(&key) else {
            first.insert(key, (file, name));
            continue;
        };
        if run.is_one_file(*other_file, file) {
            continue;
        }
        let (kind, shown, place) = (facts.kind, quoted(&name.name), run.place(*other_file, other.span));
        let (message, help) = if name.name == other.name {
            (
                format!("another {kind} is called {shown} too: {place}"),
                "give one of the two another name, or delete it: only one can be reached",
            )
        } else if folded(&name.name) != folded(&other.name) {
            (
                format!(
                    "the tool {shown} is offered to models by the name of another: {} at {place}",
                    quoted(&other.name)
                ),
                "give one of the two another name: models get no dots, and `_` in place of each",
            )
        } else {
            (
                format!(
                    "the {kind} {shown} is nearly called like another: {} at {place}",
                    quoted(&other.name)
                ),
                "give one of the two a name that people do not take for the other",
            )
        };
        findings.push((
            file,
            name.finding(&rules::DUPLICATE_NAME, message).label("a second one of that name").help(help),
        ));
    }
}
