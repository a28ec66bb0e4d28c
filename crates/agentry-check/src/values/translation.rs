//! The texts of `i18n`: what a language lacks that others have, what belongs to nothing, and what was never translated.

use super::Sink;
use crate::rules;
use agentry::Kind;
use agentry_text::{Entry, Finding, Kind as NodeKind, Node, Rule, Span, nearest, quoted};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// In how many other languages a text is there before it is missed in one: what one language has alone is a trial.
const OTHERS: usize = 2;

/// How many missing texts are named.
const MAX_NAMED: usize = 6;

/// Words of English that no language close to it shares: a text that has one is English.
const ENGLISH: [&str; 8] = ["the", "and", "with", "your", "from", "that", "when", "which"];

/// From how many words on a description is hardly a name, and a label.
const WORDS_OF_DESCRIPTION: usize = 3;
const WORDS_OF_LABEL: usize = 4;

pub(super) fn check(sink: &mut Sink<'_>) {
    let root = sink.root;
    let languages = languages(root);
    let known = (sink.kind == Kind::Hand).then(|| Known::of(root));
    for language in &languages {
        if let Some(known) = &known {
            stray(known, language, sink);
        }
        missing(known.as_ref(), language, &languages, sink);
        untranslated(root, language, &languages, sink);
    }
}

/// What single roles are taught, under names that no role has.
pub(super) fn check_lessons(sink: &mut Sink<'_>) {
    let root = sink.root;
    let roles = roles(root);
    let Some(lessons) = root.get("agent_skill_content") else { return };
    for entry in entries(&lessons.node) {
        // Runtimes compare in lower case.
        if roles.iter().any(|role| role.to_lowercase() == entry.key.to_lowercase()) {
            continue;
        }
        let help = match nearest(&entry.key, roles.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write the name of a role as the hand has it; what all are taught is `skill_content`"
                .to_owned(),
        };
        let pointer = format!("/agent_skill_content/{}", escaped(&entry.key));
        let message = format!("the hand has no role {}, so nobody is taught this", quoted(&entry.key));
        let finding = Finding::new(&rules::UNKNOWN_ROLE, pointer, entry.key_span, message);
        sink.push(finding.label("no role").help(help));
    }
}

/// The languages of a document: each with its table.
fn languages(root: &Node) -> Vec<&Entry> {
    let table = root.get("i18n").and_then(|entry| entry.node.as_table());
    let entries = table.into_iter().flat_map(|table| &table.entries);
    entries.filter(|entry| entry.node.as_table().is_some()).collect()
}

/// What a hand has that can be translated by its name.
struct Known<'n> {
    settings: Vec<&'n str>,
    roles: Vec<&'n str>,
}

impl<'n> Known<'n> {
    fn of(root: &'n Node) -> Self {
        let settings = root.get("settings").map(|entry| &entry.node.kind);
        let settings = match settings {
            Some(NodeKind::Array(items)) => {
                items.iter().filter_map(|item| item.get("key")?.node.as_str()).collect()
            }
            _ => Vec::new(),
        };
        Self { settings, roles: roles(root) }
    }

    /// By the key under which translations stand.
    fn lists(&self) -> [(&'static str, &'static str, &[&'n str]); 2] {
        [("settings", "setting", &self.settings), ("agents", "role", &self.roles)]
    }
}

/// The names of a hand's roles.
pub(crate) fn roles(root: &Node) -> Vec<&str> {
    let main = root.get("agent").map(|_| "main");
    let named = root.get("agents").and_then(|entry| entry.node.as_table());
    main.into_iter()
        .chain(named.into_iter().flat_map(|table| &table.entries).map(|entry| entry.key.as_str()))
        .collect()
}

fn entries(node: &Node) -> &[Entry] {
    node.as_table().map(|table| table.entries.as_slice()).unwrap_or_default()
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Translations of a setting or role that the hand does not have.
fn stray(known: &Known<'_>, language: &Entry, sink: &mut Sink<'_>) {
    for (key, noun, names) in known.lists() {
        let Some(list) = language.node.get(key) else { continue };
        for entry in entries(&list.node).iter().filter(|entry| !names.contains(&entry.key.as_str())) {
            let shown = quoted(&entry.key);
            let help = match nearest(&entry.key, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "write the name of a {noun} as the hand has it, or delete the table: nobody ever sees it"
                ),
            };
            let pointer = format!("/i18n/{}/{key}/{}", escaped(&language.key), escaped(&entry.key));
            let message = format!("{shown} is translated, and the hand has no {noun} of that name");
            let finding = Finding::new(&rules::STRAY_TRANSLATION, pointer, entry.key_span, message);
            sink.push(
                finding.label(format!("no {noun}")).help(help).key(quoted(&entry.key).trim_matches('`')),
            );
        }
    }
}

/// What a language lacks that at least two others have, or that it has for others of its kind.
fn missing(known: Option<&Known<'_>>, language: &Entry, all: &[&Entry], sink: &mut Sink<'_>) {
    let others: Vec<&Node> =
        all.iter().filter(|other| other.key != language.key).map(|other| &other.node).collect();
    let mut lacks = BTreeSet::new();
    compare(&language.node, &others, "", &mut lacks);
    for (key, _, names) in known.map(Known::lists).into_iter().flatten() {
        let Some(list) = language.node.get(key) else { continue };
        let (own, strays): (Vec<&Entry>, Vec<&Entry>) =
            entries(&list.node).iter().partition(|entry| names.contains(&entry.key.as_str()));
        // Other languages may have strays too, and nobody lacks those. A stray here is probably what is missed.
        let below = format!("{key}.");
        lacks.retain(|lack: &String| {
            let name = lack.strip_prefix(&below).and_then(|rest| rest.split('.').next());
            name.is_none_or(|name| strays.is_empty() && names.contains(&name))
        });
        if !own.is_empty() && strays.is_empty() {
            let translated = |name: &&&str| own.iter().any(|entry| entry.key == **name);
            lacks.extend(names.iter().filter(|name| !translated(name)).map(|name| format!("{key}.{name}")));
        }
    }
    if lacks.is_empty() {
        return;
    }
    let mut list = String::new();
    for (index, lack) in lacks.iter().take(MAX_NAMED).enumerate() {
        let joint = match index {
            0 => "",
            _ if index + 1 == lacks.len() => " and ",
            _ => ", ",
        };
        let _ = write!(list, "{joint}{}", quoted(lack));
    }
    if lacks.len() > MAX_NAMED {
        let _ = write!(list, " and {} more", lacks.len() - MAX_NAMED);
    }
    let message =
        format!("the texts in {} lack {list}, which others of this file have", quoted(&language.key));
    let pointer = format!("/i18n/{}", escaped(&language.key));
    sink.push(
        Finding::new(&rules::MISSING_TRANSLATION, pointer, language.key_span, message)
            .label("translated in part")
            .help(
                "translate it here too: until then people see the text of the file itself, in its language",
            ),
    );
}

/// Adds what a table lacks that at least two others have.
fn compare(table: &Node, others: &[&Node], path: &str, lacks: &mut BTreeSet<String>) {
    let mut seen: BTreeMap<&str, Vec<&Node>> = BTreeMap::new();
    for entry in others.iter().flat_map(|other| entries(other)) {
        seen.entry(&entry.key).or_default().push(&entry.node);
    }
    for (key, nodes) in seen {
        let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        match table.get(key) {
            Some(entry) => compare(&entry.node, &nodes, &path, lacks),
            None if nodes.len() >= OTHERS => {
                lacks.insert(path);
            }
            None => {}
        }
    }
}

/// A text of the document, and what a language has for it.
struct Pair<'n> {
    pointer: String,
    source: &'n str,
    text: &'n str,
    span: Span,
    is_description: bool,
}

/// Texts of a language that are those of the document itself.
fn untranslated(root: &Node, language: &Entry, all: &[&Entry], sink: &mut Sink<'_>) {
    let primary = language.key.split(['-', '_']).next().unwrap_or_default();
    if primary.eq_ignore_ascii_case("en") {
        return;
    }
    let pairs = pairs(root, language);
    // A document may be written in one of the languages that it translates into.
    let differs = pairs.iter().any(|pair| pair.source.trim() != pair.text.trim());
    let report = |pointer: String, span: Span, text: &str| {
        let message = format!("{} is left as the file itself has it", quoted(text));
        let rule: &'static Rule = &rules::UNTRANSLATED_TEXT;
        Finding::new(rule, pointer, span, message)
            .label(format!("not in {}", quoted(&language.key)))
            .help("translate it, or delete the key: then people see the same text, and nobody takes it for translated")
    };
    for pair in &pairs {
        let words = count_words(pair.source);
        let least = if pair.is_description { WORDS_OF_DESCRIPTION } else { WORDS_OF_LABEL };
        let same = pair.source.trim() == pair.text.trim();
        if same && words >= least && (differs || is_english(pair.source)) {
            sink.push(report(pair.pointer.clone(), pair.span, pair.text));
        }
    }
    // A category is an option of the format. That two languages have it as it is, is no chance.
    let category =
        |entry: &Entry| entry.node.get("category").and_then(|entry| entry.node.as_str().map(str::to_owned));
    if let (Some(own), Some(entry)) =
        (root.get("category").and_then(|entry| entry.node.as_str()), language.node.get("category"))
        && entry.node.as_str() == Some(own)
        && all.iter().filter(|other| category(other).as_deref() == Some(own)).count() >= OTHERS
    {
        let pointer = format!("/i18n/{}/category", escaped(&language.key));
        sink.push(report(pointer, entry.node.span, own));
    }
}

/// The texts that a language has, each with that of the document.
fn pairs<'n>(root: &'n Node, language: &'n Entry) -> Vec<Pair<'n>> {
    let at = format!("/i18n/{}", escaped(&language.key));
    let mut pairs = Vec::new();
    let mut add = |source: &'n Node, table: &'n Node, at: String| {
        for (key, is_description) in [("label", false), ("description", true)] {
            let (Some(source), Some(entry)) = (source.get(key), table.get(key)) else { continue };
            let (Some(source), Some(text)) = (source.node.as_str(), entry.node.as_str()) else { continue };
            let (pointer, span) = (format!("{at}/{key}"), entry.node.span);
            pairs.push(Pair { pointer, source, text, span, is_description });
        }
    };
    add(root, &language.node, at.clone());
    if let (Some(settings), Some(list)) = (root.get("settings"), language.node.get("settings"))
        && let NodeKind::Array(items) = &settings.node.kind
    {
        for entry in entries(&list.node) {
            let named = |item: &&Node| item.get("key").and_then(|key| key.node.as_str()) == Some(&entry.key);
            if let Some(item) = items.iter().find(named) {
                add(item, &entry.node, format!("{at}/settings/{}", escaped(&entry.key)));
            }
        }
    }
    if let (Some(agents), Some(list)) = (root.get("agents"), language.node.get("agents")) {
        for entry in entries(&list.node) {
            if let Some(role) = agents.node.get(&entry.key) {
                add(&role.node, &entry.node, format!("{at}/agents/{}", escaped(&entry.key)));
            }
        }
    }
    pairs
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

/// How many words a text has. Scripts without spaces are counted by their characters.
fn count_words(text: &str) -> usize {
    let dense =
        text.chars().filter(|c| matches!(u32::from(*c), 0x2e80..=0x9fff | 0xac00..=0xd7a3 | 0x0e00..=0x0eff));
    words(text).count().max(dense.count() / 2)
}

fn is_english(text: &str) -> bool {
    words(text).any(|word| ENGLISH.iter().any(|english| word.eq_ignore_ascii_case(english)))
}
