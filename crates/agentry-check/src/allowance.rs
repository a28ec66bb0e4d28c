//! Allowances: comments in a file that say why a rule does not hold there.
//!
//! ```toml
//! # agentry: allow(empty-value): the vendor has no public address
//! base_url = ""
//!
//! base_url = "" # agentry: allow(empty-value): the same, on the line itself
//!
//! # agentry: allow-file(unusual-name, name-mismatch): published under these names since 2019
//! ```
//!
//! * A comment on a line of its own holds for the entry that follows, with everything in it: in TOML, above a table
//!   header, up to the next header. Blank lines and other comments may stand between.
//! * A comment at the end of a line holds for what begins on that line.
//! * `allow-file` holds for the whole file, wherever it stands, and is the only way to allow what is said of the file as
//!   such.
//!
//! TOML, YAML and the front matter of Markdown have such comments. JSON has none: there, `agentry.toml` can turn a rule
//! off, and a baseline can accept what there is. Whatever is allowed, a document that is not valid does not become so.

use crate::across;
use crate::rules;
use crate::settings::RuleName;
use crate::walk::{FileReport, format_of};
use agentry_text::{Document, Finding, Format, Kind, Lines, Node, Rule, Severity, Span};

/// What every such comment begins with.
const MARK: &str = "agentry:";

/// How many are read in one file: a file that needs more asks for a setting.
const MAX: usize = 1_000;

/// Whether a text may hold an allowance: quick, and wrong only in one direction.
pub(crate) fn may_hold(text: &str) -> bool {
    text.contains(MARK)
}

/// Where an allowance holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    File,
    /// What begins in these bytes.
    Part(Span),
}

impl Scope {
    fn holds(self, at: usize) -> bool {
        match self {
            Self::File => true,
            Self::Part(part) => (part.start..part.end).contains(&at),
        }
    }
}

/// One rule that a comment allows.
struct Allowance {
    rule: &'static Rule,
    /// Where the rule is named.
    at: Span,
    scope: Scope,
    used: bool,
}

/// Takes away what a file allows, and says what is wrong with its allowances; how many errors it took away. A rule that is
/// not reported cannot have a use.
pub(crate) fn apply(file: &mut FileReport, reported: impl Fn(&Rule) -> bool) -> usize {
    if !may_hold(&file.text) {
        return 0;
    }
    let format = format_of(&file.path, file.checked.kind);
    let (document, within) = match format {
        Format::Toml => (agentry_text::toml::parse(&file.text), Span::new(0, file.text.len())),
        Format::Yaml => (agentry_text::yaml::parse(&file.text), Span::new(0, file.text.len())),
        Format::Markdown => {
            let parts = agentry_text::front_matter::parse(&file.text);
            (parts.document, parts.header.unwrap_or_default())
        }
        _ => return 0,
    };
    let (mut allowances, mut findings) = read(&file.text, format, &document, within);
    let mut errors = 0;
    file.checked.findings.retain(|finding| {
        let mut allowed = false;
        for allowance in &mut allowances {
            if allowance.rule.name == finding.rule.name && allowance.scope.holds(finding.span.start) {
                allowance.used = true;
                allowed = true;
            }
        }
        file.standing.allowed += usize::from(allowed);
        errors += usize::from(allowed && finding.severity == Severity::Error);
        !allowed
    });
    // Where the text was taken apart wrongly, nothing true can be said; and where a part of it was refused, nobody knows what
    // a rule would have said of that part.
    if document.damaged {
        return errors;
    }
    if file.checked.manifest.is_some() {
        // Whether a rule across files has a use depends on which of them a run was given.
        let useless = |allowance: &&Allowance| {
            !allowance.used && reported(allowance.rule) && !across::RULES.contains(&allowance.rule)
        };
        // What is to be deleted needs no reason.
        findings.retain(|finding| {
            let holds = |allowance: &Allowance| {
                finding.span.start <= allowance.at.start && allowance.at.end <= finding.span.end
            };
            let mut held = allowances.iter().filter(|allowance| holds(allowance)).peekable();
            finding.rule != &rules::UNREASONED_ALLOWANCE
                || held.peek().is_none()
                || held.any(|allowance| !useless(&allowance))
        });
        findings.extend(allowances.iter().filter(useless).map(|allowance| {
            let message = format!("nothing breaks `{}` here", allowance.rule.name);
            Finding::new(&rules::UNUSED_ALLOWANCE, "", allowance.at, message)
                .label("allowed for nothing")
                .help(
                    "delete it; above an entry it holds for that entry, and `allow-file` for the whole file",
                )
        }));
    }
    file.checked.findings.append(&mut findings);
    file.checked.findings.sort_by_key(|finding| finding.span.start);
    errors
}

/// The allowances of a text, and what is wrong with them.
fn read(text: &str, format: Format, document: &Document, within: Span) -> (Vec<Allowance>, Vec<Finding>) {
    let lines = Lines::new(text);
    let mut allowances = Vec::new();
    let mut findings = Vec::new();
    let mut strings = Vec::new();
    if let Some(root) = &document.root {
        root.each_string(&mut |_, span| strings.push(span));
        strings.sort_unstable();
    }
    let mut count = 0;
    for (mark, _) in text.match_indices(MARK).filter(|(at, _)| (within.start..within.end).contains(at)) {
        let line = lines.position(mark).line;
        let start = lines.start(line);
        let before = text[start..mark].trim_end();
        let Some(code) = before.strip_suffix('#') else { continue };
        let sign = start + code.len();
        let before = strings.partition_point(|span| span.start <= sign);
        let is_text = before > 0 && sign < strings[before - 1].end;
        // YAML takes `#` for a comment only after a blank.
        let is_glued = format != Format::Toml && !code.is_empty() && !code.ends_with([' ', '\t']);
        if is_text || is_glued {
            continue;
        }
        count += 1;
        if count > MAX {
            let message = format!("more than {MAX} comments for Agentry: the rest is not read");
            let at = Span::new(sign, mark + MARK.len());
            findings.push(
                Finding::new(&rules::BROKEN_ALLOWANCE, "", at, message)
                    .help("turn the rule off in `agentry.toml`, or accept what there is with a baseline"),
            );
            break;
        }
        let comment = &lines.line(line)[mark - start..];
        let whole = Span::new(sign, mark + comment.trim_end().len());
        let Some(parts) = Parts::of(comment) else {
            findings.push(
                Finding::new(&rules::BROKEN_ALLOWANCE, "", whole, "this comment for Agentry cannot be read")
                    .label("not an allowance")
                    .help("write `# agentry: allow(rule): why`, or `allow-file(rule)` for the whole file"),
            );
            continue;
        };
        let scope = if parts.file {
            Scope::File
        } else if code.trim_start_matches('\u{feff}').trim().is_empty() {
            Scope::Part(entry_after(text, format, document.root.as_ref(), &lines, line))
        } else {
            Scope::Part(Span::new(start, lines.start(line + 1).max(start + 1)))
        };
        // What names no rule is to be written anew as a whole.
        let names_rules = parts.rules.iter().all(|(_, name)| RuleName::new(name).is_ok());
        if parts.reason.is_empty() && names_rules {
            findings.push(
                Finding::new(&rules::UNREASONED_ALLOWANCE, "", whole, "this allowance does not say why")
                    .label("no reason")
                    .help("write the reason behind a colon: `# agentry: allow(rule): why`"),
            );
        }
        for (at, name) in parts.rules {
            let at = Span::new(mark + at, mark + at + name.len().max(1));
            match RuleName::new(name) {
                Ok(rule) => allowances.push(Allowance { rule: rule.rule(), at, scope, used: false }),
                Err(invalid) => {
                    let finding = Finding::new(&rules::BROKEN_ALLOWANCE, "", at, invalid.message)
                        .label("not the name of a rule");
                    let reason = "say why behind a colon: `# agentry: allow(rule): why`";
                    let help = match (invalid.help, parts.reason.is_empty()) {
                        (Some(help), true) => Some(format!("{help}; {reason}")),
                        (None, true) => Some(reason.to_owned()),
                        (help, false) => help,
                    };
                    findings.push(match help {
                        Some(help) => finding.help(help),
                        None => finding,
                    });
                }
            }
        }
    }
    (allowances, findings)
}

/// The parts of a comment.
struct Parts<'t> {
    file: bool,
    /// The names, with where they begin in the comment.
    rules: Vec<(usize, &'t str)>,
    reason: &'t str,
}

impl<'t> Parts<'t> {
    /// Takes a comment apart that begins with the mark.
    fn of(comment: &'t str) -> Option<Self> {
        let (head, rest) = comment.split_once('(')?;
        let file = match head.strip_prefix(MARK)?.trim() {
            "allow" => false,
            "allow-file" => true,
            _ => return None,
        };
        let (names, reason) = rest.split_once(')')?;
        let reason = reason.trim();
        // Anything else behind the bracket was hardly meant as nothing.
        if !reason.is_empty() && !reason.starts_with(':') {
            return None;
        }
        let mut at = head.len() + 1;
        let mut rules = Vec::new();
        for name in names.split(',') {
            rules.push((at + name.len() - name.trim_start().len(), name.trim()));
            at += name.len() + 1;
        }
        Some(Self { file, rules, reason: reason.trim_start_matches(':').trim() })
    }
}

/// The entry that follows a line, with everything in it; nothing where none does.
fn entry_after(text: &str, format: Format, root: Option<&Node>, lines: &Lines<'_>, line: usize) -> Span {
    let next = (line + 1..=lines.count()).find(|&number| {
        let line = lines.line(number).trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let (Some(next), Some(root)) = (next, root) else { return Span::default() };
    let part = Span::new(lines.start(next), lines.start(next + 1).max(lines.start(next) + 1));
    let mut end = part.end;
    if format == Format::Toml {
        let mut headers = Vec::new();
        each(text, root, &mut |start, node| {
            let is_header = matches!(node.kind, Kind::Table(_))
                && text.get(start..).is_some_and(|text| text.starts_with('['));
            if is_header {
                headers.push(start);
            } else if (part.start..part.end).contains(&start) {
                end = end.max(node.span.end);
            }
        });
        if headers.iter().any(|header| (part.start..part.end).contains(header)) {
            end = headers.iter().copied().filter(|&header| header >= part.end).min().unwrap_or(text.len());
        }
    } else {
        each(text, root, &mut |start, node| {
            if (part.start..part.end).contains(&start) {
                end = end.max(extent(text, node));
            }
        });
    }
    Span::new(part.start, end)
}

/// Calls `visit` with every value below a node, and where it begins: with its key, and by itself where that is seen. A
/// block of YAML begins with its first entry, and that is all that stands there.
fn each<'n>(text: &str, node: &'n Node, visit: &mut impl FnMut(usize, &'n Node)) {
    match &node.kind {
        Kind::Table(table) => {
            for entry in &table.entries {
                let start = entry.node.span.start;
                let is_block = matches!(entry.node.kind, Kind::Table(_) | Kind::Array(_))
                    && !text.get(start..).is_some_and(|text| text.starts_with(['[', '{']));
                if !is_block {
                    visit(start, &entry.node);
                }
                if entry.key_span.start < start || is_block {
                    visit(entry.key_span.start, &entry.node);
                }
                each(text, &entry.node, visit);
            }
        }
        Kind::Array(items) => {
            for item in items {
                visit(item.span.start, item);
                each(text, item, visit);
            }
        }
        _ => {}
    }
}

/// Where a value ends, with everything below it.
fn extent(text: &str, node: &Node) -> usize {
    let mut end = node.span.end;
    each(text, node, &mut |_, below| end = end.max(below.span.end));
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Checker, Input};

    /// Applies the allowances of a text to findings of rules that are planted where a word begins.
    fn applied(path: &str, text: &str, planted: &[(&'static Rule, &str)]) -> (Vec<String>, usize) {
        let format = format_of(path.as_ref(), None);
        let kind = Some(agentry::Kind::Provider);
        let mut checked = Checker::default().check(&Input { path: None, kind, contract: None, format, text });
        checked.findings.clear();
        // Some manifest: what it is does not matter.
        let provider = "[provider]\nid = \"a\"\ndisplay_name = \"A\"\napi_key_env = \"A\"\nbase_url = \"https://a.example\"\n\
                        key_required = true\n";
        let whole = Input { path: None, kind, contract: None, format: Format::Toml, text: provider };
        checked.manifest = Checker::default().check(&whole).manifest;
        assert!(checked.manifest.is_some());
        for (rule, word) in planted {
            let at = text.rfind(word).expect("the word is there");
            checked.findings.push(Finding::new(rule, "", Span::new(at, at + word.len()), "planted"));
        }
        let mut file = FileReport::new(path.into(), text.to_owned(), checked);
        apply(&mut file, |rule| rule.name != "template");
        let lines = Lines::new(text);
        let shown = file.checked.findings.iter().map(|finding| {
            let at = lines.position(finding.span.start);
            format!("{}:{} {}", at.line, at.column, finding.rule.name)
        });
        (shown.collect(), file.standing.allowed)
    }

    const EMPTY: &Rule = &agentry_text::rules::EMPTY_VALUE;
    const KEY: &Rule = &agentry_text::rules::UNKNOWN_KEY;

    /// A file, its text, what is planted in it, what is left of that, and how many are allowed.
    type Case = (
        &'static str,
        &'static str,
        &'static [(&'static Rule, &'static str)],
        &'static [&'static str],
        usize,
    );

    const CASES: &[Case] = &[
        (
            "a.toml",
            "# agentry: allow(empty-value): none\nx = 1\ny = 2\n",
            &[(EMPTY, "x"), (EMPTY, "y")],
            &["3:1 empty-value"],
            1,
        ),
        (
            "a.toml",
            "#agentry:allow( empty-value ,unknown-key ) : none\n\n# more\nx = 1\n",
            &[(EMPTY, "x"), (KEY, "1")],
            &[],
            2,
        ),
        (
            "a.toml",
            "x = 1 # agentry: allow(empty-value): none\ny = 2\n",
            &[(EMPTY, "1"), (EMPTY, "y")],
            &["2:1 empty-value"],
            1,
        ),
        (
            "a.toml",
            "x = 1\ny = 2\n# agentry: allow-file(empty-value): none\n",
            &[(EMPTY, "1"), (EMPTY, "y")],
            &[],
            2,
        ),
        // What is in an entry is allowed with it, and what follows is not.
        (
            "a.toml",
            "# agentry: allow(empty-value): none\nx = [\n  'a',\n  'b',\n]\ny = 'c'\n",
            &[(EMPTY, "'b'"), (EMPTY, "'c'")],
            &["6:5 empty-value"],
            1,
        ),
        (
            "a.toml",
            "# agentry: allow(empty-value): none\nx = '''\na\nb\n'''\ny = 'c'\n",
            &[(EMPTY, "b\n"), (EMPTY, "'c'")],
            &["6:5 empty-value"],
            1,
        ),
        // A header: up to the next one, and not the other entries of the list.
        (
            "a.toml",
            "# agentry: allow(empty-value): none\n[[m]]\na = 'p'\nb = [ 'q',\n[ 's' ] ]\n[[m]]\na = 'r'\n",
            &[(EMPTY, "'p'"), (EMPTY, "'s'"), (EMPTY, "'r'")],
            &["7:5 empty-value"],
            2,
        ),
        (
            "a.toml",
            "[a]\nx = 1\n  # agentry: allow(empty-value): none\n  [b]\n  y = 'p'\n[c]\nz = 'q'\n",
            &[(EMPTY, "x"), (EMPTY, "'p'"), (EMPTY, "'q'")],
            &["2:1 empty-value", "7:5 empty-value"],
            1,
        ),
        (
            "a.yaml",
            "# agentry: allow(empty-value): none\nm:\n  - a: p\n    b: q\n\nn: r\n",
            &[(EMPTY, "q"), (EMPTY, "r")],
            &["6:4 empty-value"],
            1,
        ),
        (
            "a.yaml",
            "m:\n  # agentry: allow(empty-value): none\n  - a: p\n    b: q\n  - a: r\n",
            &[(EMPTY, "q"), (EMPTY, "r")],
            &["5:8 empty-value"],
            1,
        ),
        ("a.yaml", "m: p # agentry: allow(empty-value): none\n", &[(EMPTY, ": p")], &[], 1),
        (
            "a.yaml",
            "m:\n  # agentry: allow(empty-value): none\n  a: 'p'\n  b: 'q'\n",
            &[(EMPTY, "'p'"), (EMPTY, "'q'")],
            &["4:6 empty-value"],
            1,
        ),
        (
            "a.md",
            "---\n# agentry: allow(empty-value): none\nname: p\n---\n# agentry: allow(x)\n",
            &[(EMPTY, "p")],
            &[],
            1,
        ),
        // What is no comment.
        (
            "a.toml",
            "x = '# agentry: allow(empty-value): none'\ny = '''\n# agentry: nonsense\n'''\n",
            &[(EMPTY, "x")],
            &["1:1 empty-value"],
            0,
        ),
        (
            "a.yaml",
            "x: |\n  # agentry: nonsense\n  b\ny: a# agentry: nonsense\n",
            &[(EMPTY, "x")],
            &["1:1 empty-value"],
            0,
        ),
        (
            "a.json",
            "{\"x\": \"# agentry: allow(empty-value): none\"}",
            &[(EMPTY, "x")],
            &["1:3 empty-value"],
            0,
        ),
    ];

    #[test]
    fn an_allowance_holds_where_it_says() {
        for (path, text, planted, left, allowed) in CASES {
            let found = applied(path, text, planted);
            let left: Vec<String> = left.iter().map(|&left| left.to_owned()).collect();
            assert_eq!(found, (left, *allowed), "{path}:\n{text}");
        }
    }

    #[test]
    fn what_is_wrong_with_an_allowance_is_found_at_its_place() {
        for (text, expected) in [
            ("# agentry: allow(empty-value): none\nx = 1\n", &["1:18 unused-allowance"][..]),
            ("x = 1\n# agentry: allow(empty-value): none\n", &["2:18 unused-allowance"]),
            (
                "# agentry: allow-file(empty-value,  unknown-key): none\nx = 1\n",
                &["1:23 unused-allowance", "1:37 unused-allowance"],
            ),
            ("# agentry: allow(unknown-skill): across files\nx = 1\n", &[]),
            ("# agentry: allow(template): a rule that is not reported has no use\nx = 1\n", &[]),
            ("x = 1  # agentry: allow(emty-value): none\n", &["1:25 broken-allowance"]),
            ("# agentry: allow()\nx = 1\n", &["1:18 broken-allowance"]),
            // One finding for what is wrong in two ways.
            ("# agentry: allow(emty-value)\nx = 1\n", &["1:18 broken-allowance"]),
            ("# agentry: allow(empty-value)\nx = 1\n", &["1:18 unused-allowance"]),
            (
                "# agentry: allow(empty-value, template)\nx = 1\n",
                &["1:1 unreasoned-allowance", "1:18 unused-allowance"],
            ),
            ("# agentry: allow(template)\nx = 1\n", &["1:1 unreasoned-allowance"]),
            ("# agentry: allow(template):  \nx = 1\n", &["1:1 unreasoned-allowance"]),
            ("# agentry: ignore(template): x\nx = 1\n", &["1:1 broken-allowance"]),
            ("# agentry: allow template\nx = 1\n", &["1:1 broken-allowance"]),
            ("# agentry: allow(template) for good\nx = 1\n", &["1:1 broken-allowance"]),
            ("# agentry: allow(template\nx = 1\n", &["1:1 broken-allowance"]),
            // What was taken apart wrongly is not judged.
            ("# agentry: allow(empty-value): none\nx = [\n", &[]),
        ] {
            assert_eq!(applied("a.toml", text, &[]).0, expected, "{text}");
        }
    }
}
