//! For people: each finding with its lines, as rustc shows them, repeats grouped, and a summary.

use super::{one_line, shown_path};
use crate::walk::{FileReport, Outcome};
use agentry_text::{Finding, Lines, Safety, Severity, Span, mask_in_place};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;

/// From how many files on a shared unknown key or option is one report and not many.
const GROUP_FROM: usize = 3;

/// How many places of a group are named.
const PLACES: usize = 6;

/// From how many findings of one shape on the rest is counted, and how many are shown then.
const MANY: usize = 10;
const FIRST: usize = 3;

/// From how many findings on there are tables at the end, and how many files one names.
const TABLES_FROM: usize = 10;
const TABLE_FILES: usize = 10;

/// The longest line that is shown, in bytes: a document on one line is no help in a terminal.
const MAX_LINE: usize = 1_000;

/// A finding in its file.
type Found<'o> = (&'o FileReport, &'o Finding);

/// What findings that are one report have in common.
#[derive(PartialEq, Eq, Hash)]
enum GroupKey<'o> {
    /// Many files know a key or an option that we do not: that speaks of our list, and not of the files.
    List { rule: &'static str, word: &'o str, table: String, kind: Option<agentry::Kind> },
    /// The same thing is said many times.
    Shape { rule: &'static str, shape: String },
}

/// Renders an outcome; `all` shows every finding, and else repeats are grouped. The text carries styles; whoever prints
/// it removes them where there is no terminal.
pub fn write(outcome: &Outcome, all: bool, out: &mut impl Write) -> io::Result<()> {
    let mut groups = if all { HashMap::new() } else { group(outcome) };
    let renderer = Renderer::styled();
    for file in &outcome.files {
        let shown = Shown::new(file);
        for finding in &file.checked.findings {
            let note = match groups.get_mut(&list_key(file, finding)) {
                Some(group) => group.note(),
                None => match groups.get_mut(&shape_key(finding)) {
                    Some(group) => group.note(),
                    None => Some(None),
                },
            };
            let Some(note) = note else { continue };
            writeln!(out, "{}\n", render(&renderer, &shown, finding, note.as_deref()))?;
        }
    }
    tables(outcome, all, out)?;
    totals(outcome, out)?;
    if outcome.files.iter().any(|file| !file.checked.findings.is_empty()) {
        writeln!(out, "`agentry explain RULE` says more about any of these rules, with an example")?;
    }
    Ok(())
}

/// Findings that are one report.
#[derive(Default)]
struct Repeats<'o> {
    findings: Vec<Found<'o>>,
    /// How many of them are shown.
    shown: usize,
    /// How many were met so far.
    met: usize,
    /// What is said with the last one that is shown.
    note: String,
}

impl Repeats<'_> {
    /// What is said with a finding of the group; None where it is not shown.
    #[expect(clippy::option_option, reason = "shown or not, and with a note or without")]
    fn note(&mut self) -> Option<Option<String>> {
        self.met += 1;
        match self.met.cmp(&self.shown) {
            Ordering::Less => Some(None),
            Ordering::Equal => Some(Some(self.note.clone())),
            Ordering::Greater => None,
        }
    }
}

/// The groups of an outcome.
fn group(outcome: &Outcome) -> HashMap<GroupKey<'_>, Repeats<'_>> {
    let found = || {
        outcome.files.iter().flat_map(|file| file.checked.findings.iter().map(move |finding| (file, finding)))
    };
    let mut groups: HashMap<GroupKey<'_>, Repeats<'_>> = HashMap::new();
    for (file, finding) in found() {
        if matches!(list_key(file, finding), GroupKey::List { .. }) {
            groups.entry(list_key(file, finding)).or_default().findings.push((file, finding));
        }
    }
    groups.retain(|key, group| {
        group.shown = 1;
        group.note = places(key, &group.findings);
        files(&group.findings) >= GROUP_FROM
    });
    let mut shapes: HashMap<GroupKey<'_>, Repeats<'_>> = HashMap::new();
    for (file, finding) in found() {
        if !groups.contains_key(&list_key(file, finding)) {
            shapes.entry(shape_key(finding)).or_default().findings.push((file, finding));
        }
    }
    shapes.retain(|_, group| {
        group.shown = FIRST;
        let rest = group.findings.get(FIRST..).unwrap_or_default();
        let files = files(rest);
        group.note =
            format!("{} more like this in {files} file{}: `--all` shows them", rest.len(), plural(files));
        group.findings.len() > MANY
    });
    groups.extend(shapes);
    groups
}

/// In how many files findings are. They are in the order of the files.
fn files(findings: &[Found<'_>]) -> usize {
    let mut files: Vec<_> = findings.iter().map(|(file, _)| &file.path).collect();
    files.dedup();
    files.len()
}

/// What makes findings speak of our list; for other rules, what makes them alike.
fn list_key<'o>(file: &'o FileReport, finding: &'o Finding) -> GroupKey<'o> {
    let word = if finding.rule == &agentry_text::rules::UNKNOWN_KEY {
        finding.key.as_deref()
    } else if finding.rule == &agentry_text::rules::UNKNOWN_OPTION {
        Some(finding.message.as_str())
    } else {
        None
    };
    let Some(word) = word else { return shape_key(finding) };
    // Entries of a list are tables of one sort.
    let table: Vec<&str> = finding
        .pointer
        .split('/')
        .map(|segment| if segment.bytes().all(|byte| byte.is_ascii_digit()) { "" } else { segment })
        .collect();
    GroupKey::List { rule: finding.rule.name, word, table: table.join("/"), kind: file.checked.kind }
}

/// The message without what differs from place to place: literals and numbers.
fn shape_key<'o>(finding: &Finding) -> GroupKey<'o> {
    let mut shape = String::new();
    for (index, part) in finding.message.split('`').enumerate() {
        if index % 2 == 1 {
            shape.push('`');
        } else {
            shape.extend(part.chars().filter(|c| !c.is_ascii_digit()));
        }
    }
    GroupKey::Shape { rule: finding.rule.name, shape }
}

fn places(key: &GroupKey<'_>, group: &[Found<'_>]) -> String {
    let rest = &group[1..];
    let mut named: Vec<String> = rest
        .iter()
        .take(PLACES)
        .map(|(file, finding)| {
            let at = Lines::new(&file.text).position(finding.span.start);
            format!("{}:{}:{}", shown_path(&file.path), at.line, at.column)
        })
        .collect();
    if rest.len() > PLACES {
        named.push(format!("and {} more", rest.len() - PLACES));
    }
    let option =
        matches!(key, GroupKey::List { rule, .. } if *rule == agentry_text::rules::UNKNOWN_OPTION.name);
    let (what, doubt) =
        if option { ("value", "; this list of options may be out of date") } else { ("key", "") };
    format!("the same {what} stands in {} other places: {}{doubt}", rest.len(), named.join(", "))
}

/// Where the findings are, by rule and by file, if there are so many that this says more than they do.
fn tables(outcome: &Outcome, all: bool, out: &mut impl Write) -> io::Result<()> {
    let severities = [Severity::Error, Severity::Warning, Severity::Hint];
    if severities.iter().map(|&severity| outcome.count(severity)).sum::<usize>() < TABLES_FROM {
        return Ok(());
    }
    let mut rules: HashMap<(Severity, &str), Vec<Found<'_>>> = HashMap::new();
    for file in &outcome.files {
        for finding in &file.checked.findings {
            rules.entry((finding.severity, finding.rule.name)).or_default().push((file, finding));
        }
    }
    let mut rules: Vec<_> = rules.into_iter().collect();
    rules.sort_by_key(|((severity, rule), found)| (Reverse(*severity), Reverse(found.len()), *rule));
    let width = rules.iter().map(|((_, rule), _)| rule.len()).max().unwrap_or_default();
    writeln!(out, "by rule:")?;
    for ((severity, rule), found) in &rules {
        let files = files(found);
        let count = found.len();
        writeln!(
            out,
            "  {:<7}  {rule:<width$}  {count:>6} in {files} file{}",
            severity.name(),
            plural(files)
        )?;
    }
    let mut files: Vec<&FileReport> =
        outcome.files.iter().filter(|file| !file.checked.findings.is_empty()).collect();
    if files.len() > 1 {
        files.sort_by_key(|file| {
            (Reverse(file.checked.count(Severity::Error)), Reverse(file.checked.findings.len()), &file.path)
        });
        writeln!(out, "by file:")?;
        let shown = if all { files.len() } else { TABLE_FILES };
        for file in files.iter().take(shown) {
            let counts: Vec<String> = severities
                .iter()
                .map(|&severity| (severity, file.checked.count(severity)))
                .filter(|(_, count)| *count > 0)
                .map(|(severity, count)| format!("{count} {}{}", severity.name(), plural(count)))
                .collect();
            writeln!(out, "  {}: {}", shown_path(&file.path), counts.join(", "))?;
        }
        if files.len() > shown {
            writeln!(out, "  and {} more files", files.len() - shown)?;
        }
    }
    writeln!(out)
}

/// A file as it is shown.
struct Shown<'o> {
    path: String,
    text: &'o str,
    /// The text with secrets masked, byte for byte.
    masked: String,
    lines: Lines<'o>,
}

impl<'o> Shown<'o> {
    fn new(file: &'o FileReport) -> Self {
        let secrets = file.checked.secrets.iter().map(|span| span.start..span.end);
        Self {
            path: shown_path(&file.path),
            text: &file.text,
            masked: if file.checked.findings.is_empty() {
                String::new()
            } else {
                mask_in_place(&file.text, secrets)
            },
            lines: Lines::new(&file.text),
        }
    }
}

fn render(renderer: &Renderer, file: &Shown<'_>, finding: &Finding, note: Option<&str>) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO.with_name("hint"),
    };
    let mut group = Group::with_title(level.primary_title(one_line(&finding.message)).id(finding.rule.name));
    let window = Window::around(finding, &file.lines);
    if file.text.is_empty() {
        group = group.element(annotate_snippets::Origin::path(file.path.as_str()));
    } else if window.has_long_line(file.text) {
        let at = file.lines.position(finding.span.start);
        let origin = annotate_snippets::Origin::path(file.path.as_str()).line(at.line).char_column(at.column);
        group = group.element(origin);
    } else {
        let mut snippet = Snippet::source(&file.masked[window.bytes.clone()])
            .line_start(window.first_line)
            .path(file.path.as_str())
            .fold(true)
            .annotation(
                AnnotationKind::Primary
                    .span(window.place(finding.span, file.text))
                    .label((!finding.label.is_empty()).then(|| one_line(&finding.label))),
            );
        for label in &finding.related {
            snippet = snippet.annotation(
                AnnotationKind::Context
                    .span(window.place(label.span, file.text))
                    .label(one_line(&label.message)),
            );
        }
        group = group.element(snippet);
    }
    if let Some(help) = help(finding) {
        group = group.element(Level::HELP.message(one_line(&help)));
    }
    if let Some(note) = note {
        group = group.element(Level::NOTE.message(note));
    }
    renderer.render(&[group])
}

/// What to write instead, and the option that does it.
fn help(finding: &Finding) -> Option<String> {
    let Some(fix) = &finding.fix else { return finding.help.clone() };
    let option = match fix.safety {
        Safety::Safe => "--fix",
        Safety::Unsafe => "--fix --unsafe",
    };
    let help = finding.help.as_deref().unwrap_or(&fix.title);
    Some(format!("{help} (`{option}` does it)"))
}

/// The part of a text that holds every place of a finding: rendering a part is much quicker than all.
struct Window {
    bytes: Range<usize>,
    first_line: usize,
}

impl Window {
    fn around(finding: &Finding, lines: &Lines<'_>) -> Self {
        let spans = || std::iter::once(finding.span).chain(finding.related.iter().map(|label| label.span));
        let first = spans().map(|span| lines.position(span.start).line).min().unwrap_or(1);
        let last = spans().map(|span| lines.position(span.start).line).max().unwrap_or(1);
        Self { bytes: lines.start(first)..lines.start(last + 1), first_line: first }
    }

    fn has_long_line(&self, text: &str) -> bool {
        text[self.bytes.clone()].lines().any(|line| line.len() > MAX_LINE)
    }

    /// A place within the window, cut at the end of its first line and moved to whole characters: the renderer
    /// takes nothing else.
    fn place(&self, span: Span, text: &str) -> Range<usize> {
        let clamp = |mut at: usize| {
            at = at.clamp(self.bytes.start, self.bytes.end);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = clamp(span.start);
        let line_end =
            text[start..self.bytes.end].find(['\r', '\n']).map_or(self.bytes.end, |length| start + length);
        let end = clamp(span.end).clamp(start, line_end.max(start));
        start - self.bytes.start..end - self.bytes.start
    }
}

/// What the run adds up to, in one line and a few more.
pub(crate) fn totals(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let kinds: Vec<String> = outcome.kinds().iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let files = outcome.files.len();
    write!(out, "checked {files} file{}", plural(files))?;
    if !kinds.is_empty() {
        write!(out, " ({})", kinds.join(", "))?;
    }
    let [errors, warnings, hints] =
        [Severity::Error, Severity::Warning, Severity::Hint].map(|severity| outcome.count(severity));
    writeln!(
        out,
        ": {errors} error{}, {warnings} warning{}, {hints} hint{}",
        plural(errors),
        plural(warnings),
        plural(hints)
    )?;
    let sums = super::json::summary(outcome);
    let held: Vec<String> = [
        (sums.off, "turned off by settings"),
        (sums.allowed, "allowed in the files"),
        (sums.accepted, "accepted by the baseline"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, how)| format!("{count} {how}"))
    .collect();
    if !held.is_empty() {
        writeln!(out, "not shown: {}", held.join(", "))?;
    }
    for file in outcome.files.iter().filter(|file| file.standing.unreadable) {
        let path = shown_path(&file.path);
        writeln!(out, "{path} cannot be read, and an error that says why is turned off, lowered or allowed")?;
    }
    if outcome.excluded > 0 {
        writeln!(out, "{} file{} left out by settings", outcome.excluded, plural(outcome.excluded))?;
    }
    if outcome.skipped > 0 {
        writeln!(out, "{} other file{} passed over: no manifests", outcome.skipped, plural(outcome.skipped))?;
    }
    Ok(())
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
