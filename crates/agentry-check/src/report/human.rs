//! For people: each finding with its lines, as rustc shows them, repeats grouped, and a summary.

use crate::walk::{FileReport, Outcome};
use agentry_text::{Finding, Lines, Severity, Span, mask_in_place};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;

/// From how many files on an unknown key is one report and not many.
const GROUP_FROM: usize = 3;

/// How many places of a group are named.
const PLACES: usize = 6;

/// The longest line that is shown, in bytes: a document on one line is no help in a terminal.
const MAX_LINE: usize = 1_000;

/// Findings of one rule about one key in tables of one sort: what is grouped over files.
type GroupKey<'o> = (&'static str, &'o str, String, Option<agentry::Kind>);

/// Renders an outcome. The text carries styles; whoever prints it removes them where there is no terminal.
pub fn write(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let mut groups: HashMap<GroupKey<'_>, Vec<(&FileReport, &Finding)>> = HashMap::new();
    for file in &outcome.files {
        for finding in &file.checked.findings {
            if let Some(key) = group_key(file, finding) {
                groups.entry(key).or_default().push((file, finding));
            }
        }
    }
    groups.retain(|_, group| {
        let mut files: Vec<_> = group.iter().map(|(file, _)| &file.path).collect();
        files.dedup();
        files.len() >= GROUP_FROM
    });
    let renderer = Renderer::styled();
    for file in &outcome.files {
        let shown = Shown::new(file);
        for finding in &file.checked.findings {
            let group = group_key(file, finding).and_then(|key| groups.get(&key));
            let note = match group {
                Some(group) if !std::ptr::eq(group[0].1, finding) => continue,
                Some(group) => Some(places(group)),
                None => None,
            };
            writeln!(out, "{}\n", render(&renderer, &shown, finding, note.as_deref()))?;
        }
    }
    summary(outcome, out)
}

/// Only unknown keys are grouped: many files that share one speak of the list of keys and not of the files.
fn group_key<'o>(file: &'o FileReport, finding: &'o Finding) -> Option<GroupKey<'o>> {
    if finding.rule != &agentry_text::rules::UNKNOWN_KEY {
        return None;
    }
    let key = finding.key.as_deref()?;
    // Entries of a list are tables of one sort.
    let table: Vec<&str> = finding
        .pointer
        .split('/')
        .map(|segment| if segment.bytes().all(|byte| byte.is_ascii_digit()) { "" } else { segment })
        .collect();
    Some((finding.rule.name, key, table.join("/"), file.checked.kind))
}

fn places(group: &[(&FileReport, &Finding)]) -> String {
    let rest = &group[1..];
    let mut named: Vec<String> = rest
        .iter()
        .take(PLACES)
        .map(|(file, finding)| {
            let at = Lines::new(&file.text).position(finding.span.start);
            format!("{}:{}:{}", file.path.display(), at.line, at.column)
        })
        .collect();
    if rest.len() > PLACES {
        named.push(format!("and {} more", rest.len() - PLACES));
    }
    format!("the same key stands in {} other places: {}", rest.len(), named.join(", "))
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
            path: file.path.display().to_string(),
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
    let mut group = Group::with_title(level.primary_title(&finding.message).id(finding.rule.name));
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
                    .label((!finding.label.is_empty()).then_some(finding.label.as_str())),
            );
        for label in &finding.related {
            snippet = snippet.annotation(
                AnnotationKind::Context
                    .span(window.place(label.span, file.text))
                    .label(label.message.as_str()),
            );
        }
        group = group.element(snippet);
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    if let Some(note) = note {
        group = group.element(Level::NOTE.message(note));
    }
    renderer.render(&[group])
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

fn summary(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
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
    if outcome.skipped > 0 {
        writeln!(out, "{} other file{} passed over: no manifests", outcome.skipped, plural(outcome.skipped))?;
    }
    Ok(())
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
