//! The markers of a merge that was not finished.
//!
//! No format has a place for them, and a reader that meets one sees faults all around it. So each conflict is one finding,
//! and the rest is read as if only the first of the two versions were there.

use crate::finding::Finding;
use crate::lines::Lines;
use crate::rules;
#[cfg(any(feature = "json", feature = "toml"))]
use crate::tree::Document;
use crate::tree::Span;

/// Takes a text apart; where it cannot be read and holds conflicts, again without them.
#[cfg(any(feature = "json", feature = "toml"))]
pub(crate) fn parse_without(text: &str, parse: impl Fn(&str) -> Document) -> Document {
    let document = parse(text);
    if document.findings.is_empty() {
        return document;
    }
    let conflicts = conflicts(text);
    if conflicts.is_empty() {
        return document;
    }
    let mut bytes = text.as_bytes().to_vec();
    let mut findings = Vec::with_capacity(conflicts.len());
    for (finding, hidden) in conflicts {
        findings.push(finding);
        for span in hidden {
            bytes[span.start..span.end]
                .iter_mut()
                .filter(|byte| !b"\r\n".contains(byte))
                .for_each(|byte| *byte = b' ');
        }
    }
    // Whole lines were replaced, so this is still text.
    let Ok(rest) = String::from_utf8(bytes) else { return document };
    let mut document = parse(&rest);
    findings.append(&mut document.findings);
    findings.sort_by_key(|finding| finding.span.start);
    Document { root: document.root, findings, damaged: true }
}

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

#[cfg(all(test, feature = "json", feature = "toml"))]
mod tests {
    use super::*;

    fn said(document: &Document, text: &str) -> Vec<String> {
        let lines = Lines::new(text);
        let found = document.findings.iter();
        found.map(|one| format!("{} {}", lines.position(one.span.start).line, one.rule.name)).collect()
    }

    #[test]
    fn a_conflict_is_one_finding_and_the_rest_is_read() {
        let conflict =
            |first: &str, second: &str| format!("<<<<<<< HEAD\n{first}\n=======\n{second}\n>>>>>>> topic\n");
        let marker = ["2 conflict-marker".to_owned()];
        for text in [
            format!("a = 1\n{}c = 3\n", conflict("b = 2", "b = 3")),
            format!("a = 1\n{}c = 3\n", conflict("b = \"é\"", "b = \"ü\"")),
            // Another ancestor, as some settings of Git have it.
            "a = 1\n<<<<<<< HEAD\nb = 2\n||||||| base\nb = 0\n=======\nb = 3\n>>>>>>> topic\nc = 3\n"
                .to_owned(),
            format!("a = 1\n{}c = 3\n", conflict("b = 2", "b = 3")).replace('\n', "\r\n"),
        ] {
            let document = crate::toml::parse(&text);
            assert_eq!(said(&document, &text), marker, "{text}");
            assert!(document.damaged && document.root.is_some_and(|root| root.get("c").is_some()));
        }
        let text = format!("{{\n{}\"c\": 3\n}}\n", conflict("\"b\": 2,", "\"b\": 3,"));
        let document = crate::json::parse(&text);
        assert_eq!(said(&document, &text), marker);
        assert!(document.root.is_some_and(|root| root.get("b").is_some() && root.get("c").is_some()));
    }

    #[test]
    fn other_faults_are_found_as_before_and_texts_may_hold_markers() {
        let text = "<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> topic\nb = = 3\n";
        assert!(said(&crate::toml::parse(text), text).contains(&"6 syntax".to_owned()));
        let text = "a = \"\"\"\n<<<<<<< HEAD\n=======\n>>>>>>> topic\n\"\"\"\n";
        assert_eq!(said(&crate::toml::parse(text), text), [""; 0]);
    }
}
