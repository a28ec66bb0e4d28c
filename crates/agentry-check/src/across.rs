//! Rules across the files of a run.
//!
//! Each file is read by itself. What the others need of it is kept as [`Facts`]: small values with their places, so that
//! neither its text nor its tree has to be. A fault elsewhere in a file does not matter; a template, and a file that cannot
//! be read, tell nothing. Rules over all facts run once, in the order of the files, and take time in proportion to them.
//!
//! A [`Run`] is the index that the rules share. In it each file belongs to a registry: the folder in which it is at the
//! usual place of its kind. **That a name is not there proves something only where the run holds the whole catalogue of
//! its kind**: a registry with at least one such file, of which each was read in this run. Whoever checks one folder, or
//! the files of one commit, is told nothing but that a name is nearly one that is there.

mod duplicates;
mod environment;
mod index;
mod languages;
mod models;
mod references;
pub(crate) mod routing;
mod skills;
#[cfg(test)]
mod tests;

use crate::check::{Checked, Checker, refuses};
use crate::rules;
use crate::standing::Standing;
use crate::tools;
use crate::walk::{FileReport, read_text};
use agentry::Kind;
use agentry_text::{Finding, Node, Rule, Span};

use index::Run;
use std::collections::BTreeSet;

/// The rules that are applied here. What breaks them depends on which files a run is given.
pub(crate) const RULES: &[&Rule] = &[
    &rules::DUPLICATE_NAME,
    &rules::MISSING_TRANSLATION,
    &rules::UNASKED_VARIABLE,
    &rules::AMBIGUOUS_ALIAS,
    &rules::SHARED_PHRASE,
    &rules::UNKNOWN_AGENT,
    &rules::UNKNOWN_SKILL,
    &rules::UNKNOWN_PLUGIN,
    &rules::UNKNOWN_SERVER,
    &rules::UNKNOWN_PROVIDER,
    &rules::UNKNOWN_MODEL,
    &rules::UNKNOWN_TOOL,
    &rules::DUPLICATE_SKILL,
    &agentry::rules::INCLUDE_CIRCLE,
];

/// What rules find, each with the file that it is about.
type Findings = Vec<(usize, Finding)>;

/// What a file tells the others.
#[derive(Debug)]
pub(crate) struct Facts {
    kind: Kind,
    /// What it is called by itself.
    name: Option<Mention>,
    /// Whether all of it could be read.
    is_whole: bool,
    /// The names of its roles.
    roles: Vec<String>,
    skill: Option<skills::Skill>,
    languages: Option<languages::Languages>,
    environment: Option<environment::Environment>,
    /// What it names that others define.
    references: Vec<references::Reference>,
    offer: Option<models::Offer>,
    aliases: Vec<models::Alias>,
    phrases: Vec<routing::Phrase>,
}

/// A name at its place.
#[derive(Debug)]
struct Mention {
    name: String,
    pointer: String,
    span: Span,
}

impl Mention {
    /// A name that is somewhere below a node, if a text is there.
    fn at(root: &Node, pointer: impl Into<String>) -> Option<Self> {
        let pointer = pointer.into();
        Self::of(root.pointer(&pointer)?, pointer)
    }

    /// A name that a node is, if it is a text.
    fn of(node: &Node, pointer: String) -> Option<Self> {
        let name = node.as_str().filter(|name| !name.is_empty())?.to_owned();
        Some(Self { name, span: node.span, pointer })
    }

    /// A finding about the name.
    fn finding(&self, rule: &'static Rule, message: impl Into<String>) -> Finding {
        Finding::new(rule, self.pointer.as_str(), self.span, message)
    }
}

/// What a file tells the others, if that is anything.
pub(crate) fn facts(checked: &Checked, root: &Node) -> Option<Facts> {
    let kind = checked.kind?;
    let is_template = checked.findings.iter().any(|finding| finding.rule == &rules::TEMPLATE);
    if is_template {
        return None;
    }
    let name = kind.identity().and_then(|identity| {
        // The flat form of a provider has the same key one level up.
        let flat = (kind == Kind::Provider).then_some("/id");
        std::iter::once(identity.pointer).chain(flat).find_map(|pointer| Mention::at(root, pointer))
    });
    let languages = languages::Languages::of(kind, root, name.as_ref());
    let environment = environment::Environment::of(kind, root);
    let roles = if kind == Kind::Hand { tools::roles(root) } else { Vec::new() };
    let roles = roles.into_iter().flat_map(|(role, pointer)| {
        let name = role.get("name").and_then(|entry| entry.node.as_str()).map(str::to_owned);
        name.into_iter().chain(pointer.rsplit('/').next().map(str::to_owned))
    });
    Some(Facts {
        kind,
        name,
        is_whole: !checked.damaged,
        roles: roles.collect(),
        skill: skills::Skill::of(kind, root),
        languages,
        environment,
        references: references::of(kind, root),
        offer: models::Offer::of(kind, root),
        aliases: models::Alias::all(kind, root),
        phrases: routing::Phrase::all(kind, root),
    })
}

/// Applies the rules over all files. The facts are those of the files, in their order.
pub(crate) fn check(files: &mut [FileReport], facts: &[Option<Box<Facts>>], checker: Checker) {
    let mut findings = Findings::new();
    let run = Run::new(files, facts);
    duplicates::check(&run, &mut findings);
    references::check(&run, &mut findings);
    models::check(&run, &mut findings);
    routing::check(&run, &mut findings);
    skills::check(&run, &mut findings);
    languages::check(&run, &mut findings);
    environment::check(&run, &mut findings);
    findings.retain(|(_, finding)| checker.reports(finding.rule));
    findings.retain(|(file, finding)| !tell_refused(&mut files[*file], finding));
    // In the order of the files, and in each in that of the text.
    findings.sort_by_key(|(file, finding)| (*file, finding.span.start));
    let mut touched = BTreeSet::new();
    for (index, mut finding) in findings {
        let file = &mut files[index];
        // The text of a file with no finding of its own was let go. Somebody may have changed it since.
        if file.text.is_empty() {
            file.text = read_text(&file.path).unwrap_or_default();
        }
        if file.text.get(finding.span.start..finding.span.end).is_none() {
            finding.span = Span::default();
        }
        file.checked.findings.push(finding.masked());
        touched.insert(index);
    }
    for index in touched {
        let file = &mut files[index];
        file.checked.findings.sort_by_key(|finding| finding.span.start);
        file.standing = Standing::of(&file.checked);
    }
}

/// Whether the form of a name was refused already. That is the same fault, and the name that was meant is its help.
fn tell_refused(file: &mut FileReport, finding: &Finding) -> bool {
    let refusal = file.checked.findings.iter_mut().find(|one| refuses(one, &finding.pointer));
    let Some(refusal) = refusal else { return false };
    let meant = finding.clone().masked().help.filter(|help| help.starts_with("did you mean"));
    if meant.is_some() && refusal.fix.is_none() {
        refusal.help = meant;
    }
    true
}

/// A name without what people mistype: case, and the sign between words.
fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}
