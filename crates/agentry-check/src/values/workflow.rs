//! Parameters of prompts: workflows and skills have them, under other keys.

use super::Sink;
use super::look::{below, entries, items, read, text};
use super::strings::check_boolean;
use crate::rules;
use agentry::skill::TemplateMismatches;
use agentry::values::PromptTemplate;
use agentry::workflow::{Mismatch, Plan, PlannedStep};
use agentry_text::{Kind, Node, names_secret, nearest, quoted};
use std::collections::HashSet;

/// What the runtime fills in by itself.
const GIVEN: &str = "input";

/// A workflow.
pub(super) fn check(root: &Node, sink: &mut Sink<'_>) {
    let prompts: Vec<(usize, PromptTemplate)> = items(root, "steps")
        .iter()
        .enumerate()
        .filter_map(|(index, step)| Some((index, read(step, "prompt_template")?)))
        .collect();
    let placed: Vec<(String, &PromptTemplate)> =
        prompts.iter().map(|(index, prompt)| (format!("/steps/{index}/prompt_template"), prompt)).collect();
    let mut parameters = Vec::new();
    for (index, parameter) in items(root, "parameters").iter().enumerate() {
        let pointer = format!("/parameters/{index}");
        if text(parameter, "param_type") == Some("string") {
            check_boolean(parameter, &pointer, sink);
        }
        if let Some(name) = text(parameter, "name") {
            check_secret(name, &format!("{pointer}/name"), &placed, sink);
            parameters.push((name, pointer));
        }
    }
    check_unused(&parameters, &placed, items(root, "steps").len(), sink);
    let mut steps: Vec<PlannedStep<'_>> = items(root, "steps")
        .iter()
        .map(|step| PlannedStep {
            name: text(step, "name"),
            depends_on: names(step, "depends_on", Node::as_str),
            prompt: None,
        })
        .collect();
    for (index, prompt) in &prompts {
        steps[*index].prompt = Some(prompt);
    }
    let plan = Plan { parameters: names(root, "parameters", |parameter| text(parameter, "name")), steps };
    report_mismatches(&plan, sink);
}

/// The names in a list, as far as they are known; one that is not where there is no list.
fn names<'n>(table: &'n Node, key: &str, name: impl Fn(&'n Node) -> Option<&'n str>) -> Vec<Option<&'n str>> {
    match table.get(key).map(|entry| &entry.node.kind) {
        None => Vec::new(),
        Some(Kind::Array(items)) => items.iter().map(name).collect(),
        Some(_) => vec![None],
    }
}

fn report_mismatches(plan: &Plan<'_>, sink: &mut Sink<'_>) {
    for mismatch in plan.mismatches() {
        let pointer = mismatch.pointer();
        if sink.is_refused(&pointer) {
            continue;
        }
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
            Mismatch::UnknownPlaceholder { placeholder, .. } => {
                let names = plan.parameters.iter().copied().chain(plan.steps.iter().map(|step| step.name));
                let help = match nearest(placeholder.name, names.flatten()) {
                    Some(near) => format!("did you mean `{{{{{near}}}}}`?"),
                    None => format!("declare `{}` under `[[parameters]]`, or name a step", placeholder.name),
                };
                (&rules::UNKNOWN_PLACEHOLDER, "no parameter and no step", help)
            }
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
            && let Some(prompt) = plan.steps[step].prompt
        {
            finding.span = sink.part(&pointer, prompt.as_str(), placeholder.start..placeholder.end);
        }
        sink.push(finding);
    }
}

/// A skill: its parameters are a table, and it has one prompt.
pub(super) fn check_skill(root: &Node, sink: &mut Sink<'_>) {
    let prompt = root.get("prompt").and_then(|prompt| read::<PromptTemplate>(&prompt.node, "template"));
    let prompts: Vec<(String, &PromptTemplate)> =
        prompt.iter().map(|prompt| ("/prompt/template".to_owned(), prompt)).collect();
    for parameter in root.get("input").map(|entry| entries(&entry.node)).unwrap_or_default() {
        let pointer = below("/input", &parameter.key);
        if text(&parameter.node, "type") == Some("string") {
            check_boolean(&parameter.node, &pointer, sink);
        }
        check_secret(&parameter.key, &pointer, &prompts, sink);
    }
    if let Some(prompt) = &prompt {
        check_template(root, prompt, sink);
    }
    if root.get("prompt_context").is_none() {
        super::agent::dropped(
            root,
            "",
            "prompt",
            "the runtime of LibreFang drops `[prompt]`: it reads `prompt_context` in its place",
            sink,
        );
    }
}

fn check_template(root: &Node, template: &PromptTemplate, sink: &mut Sink<'_>) {
    let input = root.get("input").map(|entry| &entry.node);
    // What is no table may have meant to declare anything.
    if input.is_some_and(|input| input.as_table().is_none()) {
        return;
    }
    let parameters: Vec<&str> =
        input.map(entries).unwrap_or_default().iter().map(|entry| entry.key.as_str()).collect();
    let runtime = root.get("runtime").and_then(|runtime| text(&runtime.node, "type"));
    let mismatches = TemplateMismatches::between(template, &parameters, runtime != Some("promptonly"));
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
        let finding = sink
            .finding(
                &rules::UNUSED_PARAMETER,
                &below("/input", name),
                format!("the prompt never uses the parameter {}", quoted(name)),
            )
            .label("never used")
            .help(format!(
                "use `{{{{{name}}}}}` in the template, or delete the parameter: what a user gives is lost"
            ));
        sink.push(finding);
    }
}

/// What fills a prompt reaches the model, its provider and every log.
fn check_secret(name: &str, pointer: &str, prompts: &[(String, &PromptTemplate)], sink: &mut Sink<'_>) {
    if !names_secret(name) {
        return;
    }
    let used = prompts.iter().find_map(|(at, prompt)| {
        let found = prompt.placeholders().find(|found| found.name == name)?;
        Some((at, prompt, found.start..found.end))
    });
    let Some((at, prompt, part)) = used else { return };
    let mut finding = sink
        .finding(
            &rules::SECRET_IN_PROMPT,
            at,
            format!("the value of {} goes into a prompt, and it is a credential by its name", quoted(name)),
        )
        .label("read by the model, its provider and every log")
        .help(format!("let a tool take it from an environment variable, and delete `{{{{{name}}}}}` here"));
    finding.span = sink.part(at, prompt.as_str(), part);
    let declared = sink.span(pointer);
    sink.push(finding.related(declared, "the parameter"));
}

fn check_unused(
    parameters: &[(&str, String)],
    prompts: &[(String, &PromptTemplate)],
    steps: usize,
    sink: &mut Sink<'_>,
) {
    // A prompt that could not be read may use any of them.
    if prompts.len() < steps || prompts.is_empty() {
        return;
    }
    let used: HashSet<&str> =
        prompts.iter().flat_map(|(_, prompt)| prompt.placeholders().map(|found| found.name)).collect();
    for (name, pointer) in parameters.iter().filter(|(name, _)| *name != GIVEN && !used.contains(name)) {
        let finding = sink
            .finding(
                &rules::UNUSED_PARAMETER,
                &format!("{pointer}/name"),
                format!("no prompt uses the parameter {}", quoted(name)),
            )
            .label("never used")
            .help(format!(
                "use `{{{{{name}}}}}` in a prompt, or delete the parameter: what a user gives is lost"
            ));
        sink.push(finding);
    }
}
