//! Options of a plugin that nothing uses, and a filter that cannot be read.

use super::Sink;
use super::look::{below, entries, flag, number, text};
use agentry_text::{Finding, Node, Severity, quoted};

/// Options that speak of one hook, and do nothing without it.
const OF_A_HOOK: [(&str, &str); 6] = [
    ("ingest_filter", "ingest"),
    ("ingest_regex", "ingest"),
    ("hook_cache_ttl_secs", "ingest"),
    ("assemble_cache_ttl_secs", "assemble"),
    ("compact_cache_ttl_secs", "compact"),
    ("after_turn_queue_depth", "after_turn"),
];

pub(super) fn check(root: &Node, sink: &mut Sink<'_>) {
    if let Some(hooks) = root.get("hooks").map(|entry| &entry.node) {
        check_hooks(hooks, sink);
    }
    for setting in root.get("config").map(|entry| entries(&entry.node)).unwrap_or_default() {
        let kind = text(&setting.node, "type").or_else(|| text(&setting.node, "field_type"));
        if kind.is_none_or(|kind| kind == "string") {
            super::strings::check_boolean(&setting.node, &below("/config", &setting.key), sink);
        }
    }
}

fn check_hooks(hooks: &Node, sink: &mut Sink<'_>) {
    let pointless = |key: &str, message: String, help: String, severity: Severity, sink: &mut Sink<'_>| {
        let Some(entry) = hooks.get(key) else { return };
        let pointer = below("/hooks", key);
        let finding = Finding::new(&agentry::rules::POINTLESS_KEY, pointer, entry.key_span, message)
            .severity(severity)
            .label("has no effect")
            .help(help)
            .key(key);
        sink.push(finding);
    };
    // Without its hook an option is left over from one, or the hook was forgotten.
    for (option, hook) in OF_A_HOOK {
        if hooks.get(hook).is_none() {
            pointless(
                option,
                format!("`{option}` is about the hook `{hook}`, which the plugin does not have"),
                format!("add `{hook}` with its script, or delete the option"),
                Severity::Warning,
                sink,
            );
        }
    }
    if flag(hooks, "prewarm_subprocesses") == Some(true) && flag(hooks, "persistent_subprocess") != Some(true)
    {
        pointless(
            "prewarm_subprocesses",
            "processes are started ahead only where they stay alive between calls".to_owned(),
            "add `persistent_subprocess = true`, or delete this".to_owned(),
            Severity::Warning,
            sink,
        );
    }
    if number(hooks, "max_retries").is_none_or(|retries| retries == 0.0) {
        pointless(
            "retry_delay_ms",
            "a failed script is not tried again, so that there is no pause before it is".to_owned(),
            "add `max_retries`, or delete this".to_owned(),
            Severity::Hint,
            sink,
        );
    }
    if let Some(pattern) = text(hooks, "ingest_regex")
        && regex_automata::util::syntax::parse(pattern).is_err()
    {
        let finding = sink
            .finding(
                &agentry::rules::UNREADABLE_VALUE,
                "/hooks/ingest_regex",
                format!("{} is not a regular expression as Rust's `regex` crate has them", quoted(pattern)),
            )
            .label("matches nothing")
            .help("close every bracket, write `\\` before a character that is meant as itself, and do without look-around");
        sink.push(finding);
    }
}
