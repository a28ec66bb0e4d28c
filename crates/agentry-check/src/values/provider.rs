//! What a provider file says of prices, limits and keys, and hardly means.

use super::Sink;
use super::look::{flag, items, number, read, text};
use super::strings::is_remote;
use crate::rules;
use agentry::provider::ReasoningEchoPolicy;
use agentry_text::{Node, Severity, quoted};
use std::collections::HashMap;

const PRICES: [&str; 5] = [
    "input_cost_per_m",
    "output_cost_per_m",
    "image_input_cost_per_m",
    "image_output_cost_per_m",
    "per_call_cost",
];

pub(super) fn check(root: &Node, sink: &mut Sink<'_>) {
    let (provider, at) = match root.get("provider") {
        Some(entry) => (&entry.node, "/provider"),
        None => (root, ""),
    };
    let base_url = text(provider, "base_url").unwrap_or_default();
    let key_required = flag(provider, "key_required");
    let variable = text(provider, "api_key_env").unwrap_or_default();
    if key_required == Some(false) && !variable.is_empty() && is_remote(base_url) {
        let finding = sink
            .finding(
                &rules::UNNEEDED_KEY,
                &format!("{at}/api_key_env"),
                format!("the provider needs no key, and names {} for one", quoted(variable)),
            )
            .label("a key that is not needed")
            .related(sink.span(&format!("{at}/key_required")), "says that no key is needed")
            .help("write `key_required = true`, or `api_key_env = \"\"` if calls really need none");
        sink.push(finding);
    }
    tell_of_empty_keys(at, key_required, sink);
    for (index, model) in items(root, "models").iter().enumerate() {
        let pointer = format!("/models/{index}");
        check_prices(model, &pointer, key_required == Some(true), base_url, sink);
        check_limits(model, &pointer, sink);
        check_call_cost(model, &pointer, sink);
        check_echo_policy(model, &pointer, sink);
    }
    check_aliases(items(root, "models"), sink);
}

/// The specification asks for two keys that a provider without a key of its own may have nothing to say in: a program that
/// is logged in by itself, say.
fn tell_of_empty_keys(at: &str, key_required: Option<bool>, sink: &mut Sink<'_>) {
    for finding in &mut *sink.findings {
        let key = if finding.rule == &agentry_text::rules::MISSING_KEY && finding.pointer == at {
            finding.key.as_deref()
        } else if finding.rule == &agentry_text::rules::EMPTY_VALUE {
            finding.pointer.strip_prefix(at).and_then(|rest| rest.strip_prefix('/'))
        } else {
            None
        };
        let (key, says) = match key {
            Some("api_key_env") => ("api_key_env", "no variable is read"),
            Some("base_url") => ("base_url", "there is no address of its own"),
            _ => continue,
        };
        finding.help = Some(if key_required != Some(false) {
            match (key, finding.rule == &agentry_text::rules::EMPTY_VALUE) {
                ("api_key_env", true) => {
                    "write the name of the variable that holds the key, or `key_required = false` if there is none".to_owned()
                }
                (_, true) => "write the address that calls of the API start with".to_owned(),
                _ => continue,
            }
        } else if finding.rule == &agentry_text::rules::EMPTY_VALUE {
            finding.severity = Severity::Hint;
            format!(
                "give the value if there is one; where there is none, keep it so: `{key}` must be there, and empty says that {says}"
            )
        } else {
            format!(
                "write the value, or `{key} = \"\"` if there is none: the key must be there, and empty says that {says}"
            )
        });
    }
}

fn check_prices(model: &Node, pointer: &str, keyed: bool, base_url: &str, sink: &mut Sink<'_>) {
    let id = text(model, "id").unwrap_or_default();
    let price = |key| number(model, key);
    let paid = PRICES.into_iter().find(|key| price(key).is_some_and(|price| price > 0.0));
    let local = text(model, "tier") == Some("local");
    let modality = text(model, "modality").unwrap_or("text");
    let (input, output) = (price("input_cost_per_m"), price("output_cost_per_m"));
    // A video or music model without a price of a call has a finding of its own.
    let by_call = matches!(modality, "video" | "music") && model.get("per_call_cost").is_none();
    let said_free = id.ends_with(":free") || flag(model, "pricing_known") == Some(false);
    // Without an address the provider is a program on this machine, or a known service.
    let elsewhere = is_remote(base_url);
    if keyed && elsewhere && !local && !by_call && !said_free && input == Some(0.0) && output == Some(0.0) {
        if paid.is_none() {
            let finding = sink
                .finding(
                    &rules::ZERO_PRICE,
                    &format!("{pointer}/input_cost_per_m"),
                    format!("{} costs nothing, by a provider that asks for a key", quoted(id)),
                )
                .label("free, part of a plan, or not known?")
                .help(if modality == "text" {
                    "write the price, or `pricing_known = false` where it is a plan's or not known: with 0, every call is counted as free"
                } else {
                    "write the price, `per_call_cost` where a call is paid for, or `pricing_known = false` where it is not known"
                });
            sink.push(finding);
        }
        return;
    }
    if let Some(key) = paid.filter(|_| local) {
        let finding = sink
            .finding(
                &rules::LOCAL_PRICE,
                &format!("{pointer}/{key}"),
                format!("{} runs on one's own machine by its tier, and has a price", quoted(id)),
            )
            .label("a price")
            .related(sink.span(&format!("{pointer}/tier")), "the tier")
            .help("write 0, or the tier of a model that somebody else runs");
        sink.push(finding);
    }
    if let (Some(input), Some(output)) = (input, output)
        && modality == "text"
        && output > 0.0
        && output < input
    {
        let finding = sink
            .finding(
                &rules::CHEAP_OUTPUT,
                &format!("{pointer}/output_cost_per_m"),
                format!("what comes out of {} costs less than what goes in", quoted(id)),
            )
            .label("less than the price of input")
            .related(sink.span(&format!("{pointer}/input_cost_per_m")), "the price of input")
            .help("look it up: the two may be the wrong way round, or one of them is the price of something else");
        sink.push(finding);
    }
}

/// More tokens out than there is room for in all. Agents may state the same two limits of a model.
pub(super) fn check_limits(model: &Node, pointer: &str, sink: &mut Sink<'_>) {
    let (Some(window), Some(output)) = (number(model, "context_window"), number(model, "max_output_tokens"))
    else {
        return;
    };
    // A limit that is no number of tokens was reported.
    if window < 1.0 || output <= window {
        return;
    }
    let finding = sink
        .finding(
            &rules::OUTPUT_ABOVE_CONTEXT,
            &format!("{pointer}/max_output_tokens"),
            format!("an answer of {output} tokens does not fit into a context of {window}"),
        )
        .label("more than the context holds")
        .related(sink.span(&format!("{pointer}/context_window")), "the context, input and output together")
        .help(format!("write {window} or less, or correct `context_window`"));
    sink.push(finding);
}

/// Names are looked up without regard to case: first among ids, then among displayed names, then among aliases.
fn check_aliases(models: &[Node], sink: &mut Sink<'_>) {
    let mut ids: HashMap<String, usize> = HashMap::new();
    let mut shown_as: HashMap<String, usize> = HashMap::new();
    for (index, model) in models.iter().enumerate() {
        if let Some(id) = text(model, "id") {
            ids.insert(id.to_lowercase(), index);
        }
        if let Some(name) = text(model, "display_name") {
            shown_as.entry(name.to_lowercase()).or_insert(index);
        }
    }
    let mut aliases: HashMap<String, String> = HashMap::new();
    for (index, model) in models.iter().enumerate() {
        for (position, alias) in items(model, "aliases").iter().enumerate() {
            let Some(alias) = alias.as_str() else { continue };
            let pointer = format!("/models/{index}/aliases/{position}");
            let shown = quoted(alias);
            let name = alias.to_lowercase();
            let finding = |message: String| sink.finding(&rules::AMBIGUOUS_ALIAS, &pointer, message);
            let found = if let Some(&other) = ids.get(&name) {
                let id = sink.span(&format!("/models/{other}/id"));
                let found = if other != index {
                    finding(format!("the alias {shown} is the id of another model of this file"))
                } else if text(model, "id") == Some(alias) {
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
fn check_call_cost(model: &Node, pointer: &str, sink: &mut Sink<'_>) {
    let modality = text(model, "modality").unwrap_or_default();
    if !matches!(modality, "video" | "music") || model.get("per_call_cost").is_some() {
        return;
    }
    // A price that is no number may be any.
    let paid_by_token = ["input_cost_per_m", "output_cost_per_m"]
        .iter()
        .any(|key| model.get(key).is_some() && number(model, key).is_none_or(|price| price > 0.0));
    if paid_by_token {
        return;
    }
    let finding = sink
        .finding(
            &rules::MISSING_CALL_COST,
            pointer,
            format!("{} makes {modality} and states no `per_call_cost`", quoted(text(model, "id").unwrap_or_default())),
        )
        .label("no price at all")
        .help(
            "add `per_call_cost`, the price of one call in US dollars, or the prices by tokens where it is billed by those: \
             as it stands, every call is counted as free",
        );
    sink.push(finding);
}

/// What some families of models are known to need.
const ECHO_POLICIES: [(&[&str], ReasoningEchoPolicy); 3] = [
    (&["deepseek-reasoner", "deepseek-r1"], ReasoningEchoPolicy::Strip),
    (&["deepseek-v4-flash"], ReasoningEchoPolicy::Echo),
    (&["moonshot", "kimi-k2"], ReasoningEchoPolicy::EmptyString),
];

fn check_echo_policy(model: &Node, pointer: &str, sink: &mut Sink<'_>) {
    let Some(policy) = read::<ReasoningEchoPolicy>(model, "reasoning_echo_policy") else { return };
    let id = text(model, "id").unwrap_or_default().to_lowercase();
    // A distilled model is another model that learnt from the one it is named after.
    if id.contains("distill") {
        return;
    }
    let family = ECHO_POLICIES.iter().find(|(names, _)| names.iter().any(|name| id.contains(name)));
    let Some((_, needed)) = family.filter(|(_, needed)| *needed != policy) else { return };
    let finding = sink
        .finding(
            &rules::ECHO_POLICY,
            &format!("{pointer}/reasoning_echo_policy"),
            format!(
                "{} is known to need `{needed}`, and `{policy}` is stated",
                quoted(text(model, "id").unwrap_or_default())
            ),
        )
        .label(format!("expected `{needed}`"))
        .help(format!("write \"{needed}\", or keep it if this provider handles thinking differently"));
    sink.push(finding);
}
