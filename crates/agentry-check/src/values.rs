//! Rules over the value of one file.

mod agent;
mod integration;
mod integrity;
mod look;
mod package;
mod pinned;
mod plugin;
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

use crate::{pointer, rules};
use agentry::provider::{Modality, Model, Provider, ReasoningEchoPolicy};
use agentry::skill::Skill;
use agentry::workflow::{Mismatch, Workflow};
use agentry::{Kind, Manifest};
use agentry_text::{Finding, Node, Rule, Severity, Span, quoted};
use std::collections::HashMap;
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
        _ => {}
    }
    translation::check(&mut sink);
}

/// Applies the rules of the value's kind.
pub(crate) fn check(manifest: &Manifest, root: &Node, text: &str, findings: &mut Vec<Finding>) {
    let mut sink = Sink { kind: manifest.kind(), root, text, findings };
    match manifest {
        Manifest::Provider(provider) => check_provider(provider, &mut sink),
        Manifest::Skill(skill) => check_skill(skill, &mut sink),
        Manifest::Workflow(workflow) => check_workflow(workflow, &mut sink),
        Manifest::Tool(tool) => tool::check(tool, &mut sink),
        Manifest::Package(package) => package::check(package, &mut sink),
        Manifest::SkillConfig(skill) => skill_config::check(skill, &mut sink),
        _ => {}
    }
}

/// Applies the rules that need no value: they look at the tree, so that a mistake elsewhere hides nothing. Where the tree
/// may lack parts of the text, only those that need one string each.
pub(crate) fn check_tree(
    kind: Kind,
    root: &Node,
    (read, damaged): (bool, bool),
    text: &str,
    findings: &mut Vec<Finding>,
) {
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
        Kind::Workflow => workflow::check(root, read, &mut sink),
        Kind::Skill => workflow::check_skill(root, &mut sink),
        _ => {}
    }
    strings::check(root, &mut sink);
    pinned::check(root, "", &mut sink);
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

    fn push(&mut self, finding: Finding) {
        self.findings.push(finding.masked());
    }
}

fn check_provider(provider: &Provider, sink: &mut Sink<'_>) {
    for index in 0..provider.models().len() {
        let pointer = format!("/models/{index}");
        check_call_cost(&provider.models()[index], &pointer, sink);
        check_echo_policy(&provider.models()[index], &pointer, sink);
    }
    check_aliases(provider.models(), sink);
}

/// Names are looked up without regard to case: first among ids, then among displayed names, then among aliases.
fn check_aliases(models: &[Model], sink: &mut Sink<'_>) {
    let mut ids: HashMap<String, usize> = HashMap::new();
    let mut shown_as: HashMap<String, usize> = HashMap::new();
    for (index, model) in models.iter().enumerate() {
        ids.insert(model.id.as_str().to_lowercase(), index);
        shown_as.entry(model.display_name.as_str().to_lowercase()).or_insert(index);
    }
    let mut aliases: HashMap<String, String> = HashMap::new();
    for (index, model) in models.iter().enumerate() {
        for (position, alias) in model.aliases.iter().flatten().enumerate() {
            let pointer = format!("/models/{index}/aliases/{position}");
            let shown = quoted(alias.as_str());
            let name = alias.as_str().to_lowercase();
            let finding = |message: String| sink.finding(&rules::AMBIGUOUS_ALIAS, &pointer, message);
            let found = if let Some(&other) = ids.get(&name) {
                let id = sink.span(&format!("/models/{other}/id"));
                let found = if other != index {
                    finding(format!("the alias {shown} is the id of another model of this file"))
                } else if model.id.as_str() == alias.as_str() {
                    finding(format!("the alias {shown} is the model's own id"))
                } else {
                    finding(format!("the alias {shown} is the model's own id but for letter case"))
                        .severity(Severity::Hint)
                };
                found.label("an id, which is looked up first").related(id, "the id").help(
                    "delete the alias: names are looked up without regard to case, and it is never reached",
                )
            } else if let Some(&other) = shown_as.get(&name).filter(|other| **other != index) {
                finding(format!("the alias {shown} is the displayed name of another model of this file"))
                    .label("a displayed name, which is looked up first")
                    .related(sink.span(&format!("/models/{other}/display_name")), "the displayed name")
                    .help("delete the alias, or choose another: it leads to the other model")
            } else if let Some(first) = aliases.get(&name) {
                finding(format!("the alias {shown} is given twice"))
                    .label("given a second time here")
                    .related(sink.span(first), "first given here")
                    .help("keep it on one model: which one an ambiguous name reaches depends on the reader")
            } else {
                aliases.insert(name, pointer);
                continue;
            };
            sink.push(found);
        }
    }
}

/// Video and music have no price by the token: without a price of a call they are counted as free.
fn check_call_cost(model: &Model, pointer: &str, sink: &mut Sink<'_>) {
    let modality = model.limits.modality();
    if !matches!(modality, Modality::Video | Modality::Music) || model.per_call_cost.is_some() {
        return;
    }
    let paid_by_token = model.input_cost_per_m.get() > 0.0 || model.output_cost_per_m.get() > 0.0;
    if paid_by_token {
        return;
    }
    let finding = sink
        .finding(
            &rules::MISSING_CALL_COST,
            pointer,
            format!("{} makes {modality} and states no `per_call_cost`", quoted(model.id.as_str())),
        )
        .label("no price at all")
        .help("add `per_call_cost`, the price of one call in US dollars: without it every call is counted as free");
    sink.push(finding);
}

/// What some families of models are known to need.
const ECHO_POLICIES: [(&[&str], ReasoningEchoPolicy); 3] = [
    (&["deepseek-reasoner", "deepseek-r1"], ReasoningEchoPolicy::Strip),
    (&["deepseek-v4-flash"], ReasoningEchoPolicy::Echo),
    (&["moonshot", "kimi-k2"], ReasoningEchoPolicy::EmptyString),
];

fn check_echo_policy(model: &Model, pointer: &str, sink: &mut Sink<'_>) {
    let Some(policy) = &model.reasoning_echo_policy else { return };
    let id = model.id.as_str().to_lowercase();
    // A distilled model is another model that learnt from the one it is named after.
    if id.contains("distill") {
        return;
    }
    let family = ECHO_POLICIES.iter().find(|(names, _)| names.iter().any(|name| id.contains(name)));
    let Some((_, needed)) = family.filter(|(_, needed)| needed != policy) else { return };
    let finding = sink
        .finding(
            &rules::ECHO_POLICY,
            &format!("{pointer}/reasoning_echo_policy"),
            format!("{} is known to need `{needed}`, and `{policy}` is stated", quoted(model.id.as_str())),
        )
        .label(format!("expected `{needed}`"))
        .help(format!("write \"{needed}\", or keep it if this provider handles thinking differently"));
    sink.push(finding);
}

fn check_workflow(workflow: &Workflow, sink: &mut Sink<'_>) {
    for mismatch in workflow.mismatches() {
        let pointer = mismatch.pointer();
        let (rule, label, help) = match mismatch {
            Mismatch::UnknownStep { .. } => (
                &rules::UNKNOWN_STEP,
                "no step has this name",
                "name a step of this file, or delete it".to_owned(),
            ),
            Mismatch::Circle { .. } => (
                &rules::STEP_CIRCLE,
                "leads back to the step itself",
                "delete one of the dependencies of the circle: none of its steps ever starts".to_owned(),
            ),
            Mismatch::UnknownPlaceholder { placeholder, .. } => (
                &rules::UNKNOWN_PLACEHOLDER,
                "no parameter and no step",
                format!("declare `{}` under `[[parameters]]`, or name a step", placeholder.name),
            ),
            Mismatch::UnawaitedStep { placeholder, .. } => (
                &rules::UNAWAITED_STEP,
                "may not have run yet",
                format!("add \"{}\" to the step's `depends_on`", placeholder.name),
            ),
            Mismatch::SharedName { .. } => {
                (&rules::SHARED_NAME, "the name of a step too", "give one of the two another name".to_owned())
            }
            _ => continue,
        };
        let mut finding = sink.finding(rule, &pointer, mismatch.to_string()).label(label).help(help);
        if let Mismatch::UnknownPlaceholder { step, placeholder }
        | Mismatch::UnawaitedStep { step, placeholder } = mismatch
        {
            finding.span = sink.part(
                &pointer,
                workflow.steps[step].prompt_template.as_str(),
                placeholder.start..placeholder.end,
            );
        }
        sink.push(finding);
    }
}

fn check_skill(skill: &Skill, sink: &mut Sink<'_>) {
    let Some(template) = skill.execution.template() else { return };
    let mismatches = skill.template_mismatches();
    for placeholder in mismatches.undeclared {
        let pointer = "/prompt/template";
        let shown = quoted(placeholder.name);
        let mut finding = sink
            .finding(
                &rules::UNKNOWN_PLACEHOLDER,
                pointer,
                format!("the prompt asks for {shown}, which is no parameter of the skill"),
            )
            .label("no parameter")
            .help(format!("declare it under `[input.{}]`, or write another name", placeholder.name));
        finding.span = sink.part(pointer, template.as_str(), placeholder.start..placeholder.end);
        sink.push(finding);
    }
    for name in mismatches.unused {
        let pointer = format!("/input/{}", name.as_str());
        let finding = sink
            .finding(
                &rules::UNUSED_PARAMETER,
                &pointer,
                format!("the prompt never uses the parameter {}", quoted(name.as_str())),
            )
            .label("never used")
            .help(format!(
                "use `{{{{{name}}}}}` in the template, or delete the parameter: what a user gives is lost"
            ));
        sink.push(finding);
    }
}
