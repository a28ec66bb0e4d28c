//! Rules over the value of one file.

mod agent;
mod integration;
mod integrity;
mod look;
mod package;
mod pinned;
mod plugin;
mod portable;
mod prompt_tools;
mod provider;
mod skill_config;
mod strings;
mod swallowed;
#[cfg(test)]
mod tests;
mod tool;
mod translation;
mod workflow;

use crate::check::refuses;
use crate::pointer;
use agentry::Kind;
use agentry_text::{Finding, Node, Rule, Span};
use std::ops::Range;

pub(crate) use integrity::scripts;
pub(crate) use translation::roles;

/// Applies the rules that ask the tree what is not in it: only where the whole file could be read.
pub(crate) fn check_whole(kind: Kind, root: &Node, text: &str, findings: &mut Vec<Finding>) {
    let mut sink = Sink { kind, root, text, findings };
    match kind {
        Kind::Agent => prompt_tools::check_agent(&mut sink),
        Kind::Hand => {
            prompt_tools::check_hand(&mut sink);
            translation::check_lessons(&mut sink);
        }
        Kind::Plugin => integrity::check(&mut sink),
        Kind::Tool | Kind::Package | Kind::SkillConfig | Kind::Skill => portable::check(&mut sink),
        _ => {}
    }
    translation::check(&mut sink);
}

/// Applies the rules that look at the tree, and read of it what they ask about, so that a mistake elsewhere hides nothing.
/// Where the tree may lack parts of the text, only those that need one string each.
pub(crate) fn check_tree(kind: Kind, root: &Node, damaged: bool, text: &str, findings: &mut Vec<Finding>) {
    let mut sink = Sink { kind, root, text, findings };
    if damaged {
        strings::check(root, &mut sink);
        return;
    }
    match kind {
        Kind::Provider => provider::check(root, &mut sink),
        Kind::Agent => agent::check(root, &mut sink),
        Kind::Hand => {
            agent::check_roles(root, &mut sink);
            agent::only_shown(
                root,
                "",
                "tags",
                "the runtime of LibreFang drops the tags of a hand: only catalogues can show them",
                &mut sink,
            );
            agent::only_shown_translation(
                root,
                "tags",
                "the runtime of LibreFang drops tags in other languages",
                &mut sink,
            );
        }
        Kind::Channel => agent::only_shown_translation(
            root,
            "name",
            "the runtime of LibreFang drops names of a channel in other languages, and keeps the descriptions",
            &mut sink,
        ),
        Kind::Integration => integration::check(root, &mut sink),
        Kind::Plugin => plugin::check(root, &mut sink),
        Kind::Workflow => workflow::check(root, &mut sink),
        Kind::Skill => workflow::check_skill(root, &mut sink),
        Kind::Tool => tool::check(root, &mut sink),
        Kind::Package => package::check(root, &mut sink),
        Kind::SkillConfig => skill_config::check(root, &mut sink),
        _ => {}
    }
    strings::check(root, &mut sink);
    pinned::check(root, &mut sink);
    swallowed::check(&mut sink);
    agent::name_what_was_meant(&mut sink);
}

struct Sink<'c> {
    kind: Kind,
    root: &'c Node,
    text: &'c str,
    findings: &'c mut Vec<Finding>,
}

impl Sink<'_> {
    /// A pointer with the keys as the file spells them, which may be older names.
    fn spelled(&self, pointer: &str) -> String {
        pointer::spelled(self.kind, self.root, pointer)
    }

    fn span(&self, pointer: &str) -> Span {
        self.root.pointer(pointer).map(|node| node.span).unwrap_or_default()
    }

    /// Where a part of a string stands in the file. Escapes before it may shift it, so it is looked for: the same text,
    /// as often as it came before.
    fn part(&self, pointer: &str, string: &str, part: Range<usize>) -> Span {
        let whole = self.span(pointer);
        let (Some(source), Some(literal)) = (self.text.get(whole.start..whole.end), string.get(part.clone()))
        else {
            return whole;
        };
        let before = string[..part.start].matches(literal).count();
        source
            .match_indices(literal)
            .nth(before)
            .map_or(whole, |(at, _)| Span::new(whole.start + at, whole.start + at + literal.len()))
    }

    fn finding(&self, rule: &'static Rule, pointer: &str, message: impl Into<String>) -> Finding {
        Finding::new(rule, pointer, self.span(pointer), message)
    }

    fn is_refused(&self, pointer: &str) -> bool {
        self.findings.iter().any(|one| refuses(one, pointer))
    }

    fn push(&mut self, finding: Finding) {
        self.findings.push(finding.masked());
    }
}
