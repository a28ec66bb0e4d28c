//! Shows pages: to people, to programs, and as the reference of all rules.

use super::{Example, Role, RulePage, pages};
use agentry_text::{Rule, Severity};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The version of the shape for programs: raised when a field changes its meaning or goes away.
pub const VERSION: u32 = 1;

/// What is known about rules: the document of `agentry explain --format json`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Rules")]
pub struct Explanations {
    /// The version of the shape of this document. It is raised when a key changes its meaning or goes away; new keys may
    /// come at any time.
    pub version: u32,
    /// The rules, in the order in which a document meets them.
    pub rules: Vec<Explanation>,
}

/// What is known about a rule.
#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Rule")]
pub struct Explanation {
    /// The name of the rule.
    #[schemars(regex(pattern = r"^[a-z0-9]+(-[a-z0-9]+)*$"))]
    pub name: &'static str,
    /// How much its findings weigh, unless a finding says otherwise: error, warning or hint.
    #[schemars(schema_with = "crate::report::json::severity")]
    pub severity: &'static str,
    /// Whether its findings are reported without being asked for.
    pub on_by_default: bool,
    /// What it is about, in one line.
    pub summary: &'static str,
    /// What it means, why it matters and what to do, as Markdown.
    pub text: &'static str,
    /// The version of Agentry that had it first.
    pub since: String,
    /// Where the fact comes from.
    pub source: String,
    /// Why there is no example. Absent where there is one.
    #[schemars(with = "String", default)]
    pub unshown: Option<String>,
    /// Files that draw the rule when they are checked together. Empty where there is no example.
    pub found: Vec<Block>,
    /// The same put right.
    pub instead: Vec<Block>,
}

/// A file of an example.
#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Example")]
pub struct Block {
    /// Where the file is, from the folder of the example down. Absent where the text is a side of a contract.
    #[schemars(with = "String", default)]
    pub path: Option<&'static str>,
    /// The format, such as `toml`.
    pub format: &'static str,
    /// What is special about the file. Absent where nothing is.
    #[schemars(with = "String", default)]
    pub note: Option<String>,
    /// What it holds.
    pub text: &'static str,
}

/// A page as programs read it.
pub fn explanation(page: &RulePage) -> Explanation {
    let blocks = |examples: &[Example]| -> Vec<Block> {
        let block = |example: &Example| Block {
            path: example.path,
            format: example.format,
            note: note(example),
            text: example.text,
        };
        examples.iter().map(block).collect()
    };
    Explanation {
        name: page.rule.name,
        severity: page.rule.severity.name(),
        on_by_default: !page.off,
        summary: page.rule.summary,
        text: page.text,
        since: page.since.clone(),
        source: page.source.clone(),
        unshown: page.unshown.clone(),
        found: blocks(&page.found),
        instead: blocks(&page.instead),
    }
}

/// Pages for programs, as one document.
pub fn json(pages: impl IntoIterator<Item = RulePage>, out: &mut impl Write) -> io::Result<()> {
    let rules = pages.into_iter().map(|page| explanation(&page)).collect();
    serde_json::to_writer_pretty(&mut *out, &Explanations { version: VERSION, rules })?;
    writeln!(out)
}

/// What is special about a file of an example.
fn note(example: &Example) -> Option<String> {
    let mut notes = Vec::new();
    match example.role {
        Role::Found => {}
        Role::Named(None) => notes.push("named on the command line".to_owned()),
        Role::Named(Some(kind)) => notes.push(format!("checked with `--kind {kind}`")),
        Role::Link(target) => notes.push(format!("a link to `{target}`")),
        Role::Baseline => notes.push("the file of `--baseline`".to_owned()),
        Role::Side { contract, side } => notes.push(format!("the {side} of `{contract}`")),
    }
    if example.repeat > 1 {
        notes.push(format!("its last line stands {} times", grouped(example.repeat)));
    }
    if example.escaped {
        notes.push("`\\u{...}` stands for the character".to_owned());
    }
    if example.latin_1 {
        notes.push("written as Latin-1".to_owned());
    }
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// A number with its digits in groups of three.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The heading of a file of an example.
fn heading(example: &Example) -> String {
    match (example.path, note(example)) {
        (Some(path), Some(note)) => format!("`{path}` ({note})"),
        (Some(path), None) => format!("`{path}`"),
        (None, note) => note.unwrap_or_default(),
    }
}

/// How a rule stands: what it weighs, and whether it is off by default.
fn standing(page: &RulePage) -> String {
    let severity = page.rule.severity.name();
    if page.off { format!("{severity}, off by default") } else { severity.to_owned() }
}

/// The sections with examples.
fn sections(page: &RulePage) -> impl Iterator<Item = (&'static str, &[Example])> {
    [(super::FOUND, &page.found[..]), (super::INSTEAD, &page.instead[..])]
        .into_iter()
        .filter(|(_, examples)| !examples.is_empty())
}

/// A page as Markdown. The title is a heading of a level.
pub fn markdown(page: &RulePage, level: usize) -> String {
    let mut text = format!("{} {}\n\n{}\n\n", "#".repeat(level), page.rule.name, page.rule.summary);
    let _ = write!(text, "*{}, since {}*\n\n{}\n", standing(page), page.since, page.text);
    for (title, examples) in sections(page) {
        let _ = write!(text, "\n{title}:\n");
        for example in examples {
            let _ = write!(text, "\n{}\n", heading(example));
            if matches!(example.role, Role::Link(_)) {
                continue;
            }
            let fence = fence(example.text);
            let _ = write!(text, "\n{fence}{}\n{}{fence}\n", example.format, example.text);
        }
    }
    if let Some(why) = &page.unshown {
        let _ = write!(text, "\nNo example: {why}\n");
    }
    let _ = write!(text, "\nSource: {}\n", page.source);
    text
}

/// A fence that no line of a text closes.
fn fence(text: &str) -> String {
    let ticks = |line: &str| line.len() - line.trim_start_matches('`').len();
    "`".repeat(text.lines().map(ticks).max().unwrap_or_default().max(2) + 1)
}

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

/// How the name of a severity is shown.
const fn colour(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "\x1b[1;31m",
        Severity::Warning => "\x1b[1;33m",
        Severity::Hint => "\x1b[1;36m",
    }
}

/// A page for people. The text carries styles; whoever prints it removes them where there is no terminal.
pub fn human(page: &RulePage, out: &mut impl Write) -> io::Result<()> {
    let rule = page.rule;
    let colour = colour(rule.severity);
    writeln!(out, "{colour}{}[{}]{PLAIN}{BOLD}: {}{PLAIN}", rule.severity.name(), rule.name, rule.summary)?;
    if page.off {
        writeln!(
            out,
            "off by default: `--warn {0}`, or `{0} = \"warning\"` under `[rules]` in agentry.toml",
            rule.name
        )?;
    }
    writeln!(out, "\n{}", page.text)?;
    for (title, examples) in sections(page) {
        writeln!(out, "\n{BOLD}{title}{PLAIN}")?;
        for example in examples {
            writeln!(out, "\n  {DIM}{}{PLAIN}\n", heading(example))?;
            for line in example.text.lines() {
                writeln!(out, "{}", format!("    {line}").trim_end())?;
            }
        }
    }
    if let Some(why) = &page.unshown {
        writeln!(out, "\nNo example: {why}")?;
    }
    writeln!(out, "\n{DIM}since {}; {}{PLAIN}", page.since, page.source)
}

/// The groups of rules, with the rules of each.
const GROUPS: [(&str, &[&Rule]); 3] = [
    ("Text, keys and values", agentry_text::rules::ALL),
    ("What a value means", agentry::rules::ALL),
    ("Whole files, and files together", crate::rules::ALL),
];

/// The pages in groups.
fn groups() -> impl Iterator<Item = (&'static str, Vec<RulePage>)> {
    let mut all: Vec<RulePage> = pages().collect();
    GROUPS.into_iter().map(move |(title, rules)| {
        let (group, rest) = std::mem::take(&mut all).into_iter().partition(|page| rules.contains(&page.rule));
        all = rest;
        (title, group)
    })
}

/// All rules for people, a line each.
pub fn list(out: &mut impl Write) -> io::Result<()> {
    let groups: Vec<_> = groups().collect();
    let width =
        groups.iter().flat_map(|(_, pages)| pages).map(|page| page.rule.name.len()).max().unwrap_or_default();
    for (title, pages) in &groups {
        writeln!(out, "{BOLD}{title}{PLAIN}\n")?;
        for page in pages {
            let rule = page.rule;
            let off = if page.off { " (off by default)" } else { "" };
            let colour = colour(rule.severity);
            let (name, severity) = (rule.name, rule.severity.name());
            writeln!(out, "  {name:width$}  {colour}{severity:7}{PLAIN}  {}{off}", rule.summary)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "`agentry explain RULE` says more about one.")
}

/// The reference of all rules, as Markdown.
pub fn reference() -> String {
    let groups: Vec<_> = groups().collect();
    let mut text = String::from(
        "# The rules of `agentry check`\n\n<!-- Written by `cargo xtask schema-write` from the pages in \
         crates/agentry-check/rules. -->\n\nA finding names its rule: `warning[misplaced-key]`. `agentry explain RULE` shows \
         what stands here. An *error* makes a document invalid; a *warning* is legal and very likely not what was meant; a \
         *hint* is worth knowing.\n\nWhat a rule weighs in a registry is for its `agentry.toml` to say, or for the command \
         line (`--error`, `--warn`, `--hint`, `--off`):\n\n```toml\n[rules]\nunusual-name = \"off\"\nempty-value = \
         \"error\"\n```\n",
    );
    let off: Vec<&RulePage> = groups.iter().flat_map(|(_, pages)| pages).filter(|page| page.off).collect();
    if !off.is_empty() {
        text.push_str(
            "\n## Off by default\n\nThese are matters of taste or of policy, and say nothing until settings or the command \
             line give them a severity:\n\n",
        );
        for page in off {
            let _ = writeln!(text, "- [`{0}`](#{0}): {1}", page.rule.name, page.rule.summary);
        }
    }
    for (title, pages) in &groups {
        let _ = write!(text, "\n## {title}\n\n| rule | default | about |\n| --- | --- | --- |\n");
        for page in pages {
            let Rule { name, summary, .. } = page.rule;
            let _ = writeln!(text, "| [`{name}`](#{name}) | {} | {summary} |", standing(page));
        }
        for page in pages {
            text.push('\n');
            text.push_str(&markdown(page, 3));
        }
    }
    text
}
