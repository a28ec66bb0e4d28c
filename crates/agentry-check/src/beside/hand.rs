//! A hand and the files of its folder: what its agents are taught, and what the dashboard waits for.

use crate::prompt::is_part;
use crate::values::roles;
use crate::walk::read_text;
use crate::{prompt, rules, tools};
use agentry_text::{Finding, Kind, Node, Severity, Span, nearest, quoted};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// How many Markdown files of the folder are read.
const MAX_TEXTS: usize = 100;

/// The beginning of keys that other agents may write too.
const SHARED: &str = "shared";

/// What stands after the known part of a name of which the rest is to be filled in: `posts_<date>`, `posts_*`.
const GAPS: [char; 5] = ['*', '<', '{', '[', '$'];

/// The values on the dashboard that no text for the agents speaks of: nothing writes them.
pub(super) fn check(root: &Node, path: &Path, findings: &mut Vec<Finding>) {
    let metrics = root.pointer("/dashboard/metrics").map(|node| &node.kind);
    let Some(Kind::Array(metrics)) = metrics else { return };
    let keys: Vec<Option<&Node>> = metrics
        .iter()
        .map(|metric| metric.get("memory_key").map(|entry| &entry.node).filter(|key| key.as_str().is_some()))
        .collect();
    if keys.iter().all(Option::is_none) {
        return;
    }
    let texts = texts(root, path);
    let spoken: Vec<bool> =
        keys.iter().map(|key| key.and_then(Node::as_str).is_none_or(|key| speaks_of(&texts, key))).collect();
    let named = |key: &str| keys.iter().flatten().any(|other| other.as_str() == Some(key));
    // Where the other keys are spelled out and every prompt is here, one that is not was forgotten.
    let others = keys.iter().zip(&spoken).any(|(key, spoken)| key.is_some() && *spoken);
    let severity_of = |key: &str| {
        let is_shared = key.starts_with(SHARED) && !key[SHARED.len()..].starts_with(char::is_alphanumeric);
        let forgotten = others && !is_shared && !taught_elsewhere(root);
        if forgotten { Severity::Warning } else { Severity::Hint }
    };
    for (index, (node, spoken)) in keys.iter().zip(&spoken).enumerate() {
        let (Some(node), false) = (node, spoken) else { continue };
        let key = node.as_str().unwrap_or_default();
        let words = prompt::words(&texts).map(|(word, _)| word);
        // A name of one plain word is like too many others.
        let words: BTreeSet<&str> = words.filter(|word| word.contains('_') && !named(word)).collect();
        let near = nearest(key, words);
        let help = match near {
            Some(near) => format!("did you mean `{near}`, which a prompt says?"),
            None => "tell an agent in its prompt when to store the value under this key, or take it off the dashboard"
                .to_owned(),
        };
        let message = format!("no prompt of this hand speaks of the memory key {}", quoted(key));
        findings.push(
            Finding::new(
                &rules::UNWRITTEN_METRIC,
                format!("/dashboard/metrics/{index}/memory_key"),
                node.span,
                message,
            )
            .severity(severity_of(key))
            .label("nothing writes it")
            .help(help),
        );
    }
}

/// Whether something beyond the folder may tell the agents what to store: an agent that a role builds on, a skill, a plugin.
fn taught_elsewhere(root: &Node) -> bool {
    let lists = |table: &Node, key: &str| {
        table
            .get(key)
            .is_some_and(|entry| matches!(&entry.node.kind, Kind::Array(items) if !items.is_empty()))
    };
    let more = |table: &Node| {
        table.get("base").is_some() || lists(table, "skills") || lists(table, "allowed_plugins")
    };
    more(root) || tools::roles(root).iter().any(|(role, _)| more(role))
}

/// Every text that tells the agents something, one below the other: what the file says outside the dashboard and the
/// translations, and the Markdown beside it.
fn texts(root: &Node, path: &Path) -> String {
    let mut texts = Vec::new();
    let entries = root.as_table().map(|table| table.entries.as_slice()).unwrap_or_default();
    for entry in entries.iter().filter(|entry| !matches!(entry.key.as_str(), "dashboard" | "i18n")) {
        entry.node.each_string(&mut |text, _| texts.push(text.to_owned()));
    }
    let folder = path.parent().and_then(|folder| fs::read_dir(folder).ok());
    let beside = folder.into_iter().flatten().flatten();
    let beside = beside.filter(|entry| entry.file_type().is_ok_and(|file_type| file_type.is_file()));
    let mut beside: Vec<PathBuf> = beside.map(|entry| entry.path()).collect();
    beside.retain(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md")));
    beside.sort_unstable();
    beside.truncate(MAX_TEXTS);
    texts.extend(beside.iter().filter_map(|path| read_text(path)));
    texts.join("\n")
}

/// Whether a text has a key as a whole word, or its beginning and a gap to be filled in.
fn speaks_of(text: &str, key: &str) -> bool {
    let whole = text
        .match_indices(key)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + key.len()..].starts_with(is_part));
    let mut beginnings = key
        .char_indices()
        .filter(|(_, c)| matches!(c, '_' | '.' | ':' | '-'))
        .map(|(at, c)| &key[..at + c.len_utf8()]);
    whole
        || beginnings.any(|beginning| {
            text.match_indices(beginning).any(|(at, _)| {
                !text[..at].ends_with(is_part) && text[at + beginning.len()..].starts_with(GAPS)
            })
        })
}

/// The file of a skill for one role, `SKILL-<role>.md`, where the hand beside it has no such role.
pub(super) fn unknown_role(path: &Path) -> Option<Finding> {
    let name = path.file_name()?.to_str()?;
    let role = name.strip_prefix("SKILL-")?.strip_suffix(".md")?;
    let text = read_text(&path.with_file_name("HAND.toml"))?;
    let document = agentry_text::toml::parse(&text);
    let root = document.root.as_ref().filter(|_| !document.damaged)?;
    let roles = roles(root);
    // Runtimes compare in lower case.
    if roles.is_empty() || roles.iter().any(|known| known.to_lowercase() == role.to_lowercase()) {
        return None;
    }
    // A file that another one points to is read all the same.
    let skill = read_text(&path.with_file_name("SKILL.md")).unwrap_or_default();
    if text.contains(name) || skill.contains(name) {
        return None;
    }
    let list = roles.iter().map(|role| quoted(role)).collect::<Vec<_>>().join(", ");
    let help = match nearest(role, roles.iter().copied()) {
        Some(near) => format!("did you mean `SKILL-{near}.md`?"),
        None => format!("name the file after one of the roles ({list}), or `SKILL.md` for all of them"),
    };
    let message = format!("the hand has no role {}, so nobody is taught this", quoted(role));
    Some(Finding::new(&rules::UNKNOWN_ROLE, "", Span::default(), message).help(help))
}
