//! Parameters of prompts: workflows and skills have them, under other keys.

use super::Sink;
use super::look::{below, entries, items, text};
use super::strings::check_boolean;
use crate::rules;
use agentry::values::PromptTemplate;
use agentry_text::{Node, names_secret, nearest, quoted};
use std::collections::HashSet;

/// What the runtime fills in by itself.
const GIVEN: &str = "input";

/// A workflow. Where it could be read, its value was asked for placeholders already.
pub(super) fn check(root: &Node, read: bool, sink: &mut Sink<'_>) {
    let prompts: Vec<(String, PromptTemplate)> = items(root, "steps")
        .iter()
        .enumerate()
        .filter_map(|(index, step)| {
            let prompt = PromptTemplate::new(text(step, "prompt_template")?).ok()?;
            Some((format!("/steps/{index}/prompt_template"), prompt))
        })
        .collect();
    let mut parameters = Vec::new();
    for (index, parameter) in items(root, "parameters").iter().enumerate() {
        let pointer = format!("/parameters/{index}");
        if text(parameter, "param_type") == Some("string") {
            check_boolean(parameter, &pointer, sink);
        }
        if let Some(name) = text(parameter, "name") {
            check_secret(name, &format!("{pointer}/name"), &prompts, sink);
            parameters.push((name, pointer));
        }
    }
    check_unused(&parameters, &prompts, items(root, "steps").len(), sink);
    // An entry without a name may have any.
    let nameless = |list| items(root, list).iter().any(|entry| text(entry, "name").is_none());
    if !read && !nameless("parameters") && !nameless("steps") {
        let steps = items(root, "steps").iter().filter_map(|step| text(step, "name"));
        let names: HashSet<&str> = parameters.iter().map(|(name, _)| *name).chain(steps).collect();
        check_unknown(&names, &prompts, sink);
    }
}

/// A skill: its parameters are a table, and it has one prompt.
pub(super) fn check_skill(root: &Node, sink: &mut Sink<'_>) {
    let prompt = root.get("prompt").and_then(|prompt| text(&prompt.node, "template"));
    let prompts: Vec<(String, PromptTemplate)> = prompt
        .and_then(|prompt| PromptTemplate::new(prompt).ok())
        .map(|prompt| ("/prompt/template".to_owned(), prompt))
        .into_iter()
        .collect();
    for parameter in root.get("input").map(|entry| entries(&entry.node)).unwrap_or_default() {
        let pointer = below("/input", &parameter.key);
        if text(&parameter.node, "type") == Some("string") {
            check_boolean(&parameter.node, &pointer, sink);
        }
        check_secret(&parameter.key, &pointer, &prompts, sink);
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

/// What fills a prompt reaches the model, its provider and every log.
fn check_secret(name: &str, pointer: &str, prompts: &[(String, PromptTemplate)], sink: &mut Sink<'_>) {
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
    prompts: &[(String, PromptTemplate)],
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

fn check_unknown(names: &HashSet<&str>, prompts: &[(String, PromptTemplate)], sink: &mut Sink<'_>) {
    for (at, prompt) in prompts {
        let strays = prompt.placeholders().filter(|found| found.name != GIVEN && !names.contains(found.name));
        for stray in strays {
            let help = match nearest(stray.name, names.iter().copied()) {
                Some(near) => format!("did you mean `{{{{{near}}}}}`?"),
                None => format!("declare `{}` under `[[parameters]]`, or name a step", stray.name),
            };
            let mut finding = sink
                .finding(
                    &rules::UNKNOWN_PLACEHOLDER,
                    at,
                    format!("`{{{{{}}}}}` is neither a parameter nor a step of the workflow", stray.name),
                )
                .label("no parameter and no step")
                .help(help);
            finding.span = sink.part(at, prompt.as_str(), stray.start..stray.end);
            sink.push(finding);
        }
    }
}
