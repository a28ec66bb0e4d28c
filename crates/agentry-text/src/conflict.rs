//! Markers of merges that were not finished: lines that no format has a meaning for.

use crate::finding::Finding;
use crate::lines::Lines;
use crate::rules;
use crate::tree::Span;

/// The markers of unfinished merges, and what of them is not read: the markers and the second version.
pub(crate) fn conflicts(text: &str) -> Vec<(Finding, Vec<Span>)> {
    let mut found = Vec::new();
    if !text.contains("<<<<<<<") {
        return found;
    }
    let lines = Lines::new(text);
    let mut open: Option<(usize, Option<usize>)> = None;
    let span = |line: usize| Span::new(lines.start(line), lines.start(line) + lines.line(line).len());
    for number in 1..=lines.count() {
        let line = lines.line(number);
        if is_marker(line, '<') {
            found.push((conflict(span(number)), vec![span(number)]));
            open = Some((number, None));
        } else if let Some((_, second)) = &mut open {
            if second.is_none() && (is_marker(line, '=') || is_marker(line, '|')) {
                *second = Some(number);
            } else if is_marker(line, '>') {
                let from = second.unwrap_or(number);
                if let Some((_, hidden)) = found.last_mut() {
                    hidden.push(Span::new(span(from).start, span(number).end));
                }
                open = None;
            }
        }
        if found.len() >= 20 {
            break;
        }
    }
    if let Some((_, Some(second))) = open
        && let Some((_, hidden)) = found.last_mut()
    {
        hidden.push(span(second));
    }
    found
}

/// The finding about the first marker of a merge conflict.
pub(crate) fn conflict(at: Span) -> Finding {
    Finding::new(
        &rules::CONFLICT_MARKER,
        "",
        at,
        "the file holds merge conflict markers: a merge was not finished",
    )
    .label("the conflict begins here")
    .help(
        "keep one of the two versions, and delete the other and the lines `<<<<<<<`, `=======` and `>>>>>>>`",
    )
}

/// Whether a line is a marker of a merge conflict.
pub(crate) fn is_marker(line: &str, marker: char) -> bool {
    let length = line.bytes().take_while(|byte| char::from(*byte) == marker).count();
    length == 7 && line[length..].chars().next().is_none_or(|c| matches!(c, ' ' | '\r'))
}

/// What is left of a text without the markers and the second versions, every byte at its place, and the findings. None
/// where nothing is marked.
#[cfg(any(feature = "toml", feature = "json"))]
pub(crate) fn settle(text: &str) -> Option<(String, Vec<Finding>)> {
    let conflicts = conflicts(text);
    if conflicts.is_empty() {
        return None;
    }
    let mut left = text.to_owned();
    let mut findings = Vec::with_capacity(conflicts.len());
    for (finding, hidden) in conflicts {
        for span in hidden {
            let blank = |byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' };
            let blank: String = text.as_bytes()[span.start..span.end].iter().copied().map(blank).collect();
            left.replace_range(span.start..span.end, &blank);
        }
        findings.push(finding);
    }
    Some((left, findings))
}
