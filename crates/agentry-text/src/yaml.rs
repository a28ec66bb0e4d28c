//! YAML 1.2: the front end and the writer.
//!
//! Scalars are read by the core schema; where a reader of YAML 1.1 sees something else, that is a warning. Some
//! things that YAML allows are errors here, because readers differ about them or a document has no place for
//! them: duplicate keys, keys that are not strings, merge keys (`<<`), tags other than those of the core schema,
//! and several documents in one text. Anchors and aliases are read; what an alias stands for keeps the places of
//! the text that it repeats. After a fault of syntax the reader goes on where it safely can, so that one run
//! shows several.

mod build;
mod fault;
mod scalar;
#[cfg(test)]
mod tests;
mod write;

pub use write::to_string;

use crate::finding::Finding;
use crate::read::{Mode, Read, ReadError, Reading, read_text};
use crate::rules;
use crate::tree::{Document, Span};
use build::{Built, Mended, Source, Stop};
use fault::{Fault, Mend};
use std::collections::BTreeMap;

/// How many faults of syntax one document shows: later ones are mostly echoes.
const MAX_FAULTS: usize = 10;

/// How many bytes are parsed again, in all, to find further faults.
const MAX_AGAIN: usize = 8 * 1024 * 1024;

/// Reads a document strictly: the value is valid, or the error says what is wrong and where.
pub fn from_str<T: Read>(text: &str) -> Result<T, ReadError> {
    read_text(&parse(text), text, Mode::Strict).into_result(text)
}

/// Reads a document tolerantly: what could be read, and every finding.
pub fn read<T: Read>(text: &str) -> Reading<T> {
    read_text(&parse(text), text, Mode::Tolerant)
}

/// Takes a text apart.
pub fn parse(text: &str) -> Document {
    if let Some(document) = Document::too_large(text.len()) {
        return document;
    }
    take_apart(text).unwrap_or_else(Document::empty)
}

/// Takes a text apart; None when it holds nothing.
pub(crate) fn take_apart(text: &str) -> Option<Document> {
    let mut work = Work { original: text, text: text.to_owned(), mended: BTreeMap::new(), blank: Vec::new() };
    let mut findings: Vec<Finding> = Vec::new();
    for (finding, hidden) in crate::conflict::conflicts(text) {
        findings.push(finding);
        for span in hidden {
            work.blank(span);
        }
    }
    let (mut faults, mut parsed) = (0, 0);
    let built = loop {
        let built = build::build(work.source());
        let Some((stop, place)) = built.stop else { break built };
        let error = match stop {
            Stop::Syntax(error) if *error.kind() == granit_parser::ErrorKind::RecursionLimitExceeded => {
                let at = text.floor_char_boundary(error.marker().byte_offset().unwrap_or_default());
                findings.push(Finding::too_deep(Span::new(at, at)));
                break Built { root: None, stop: None, ..built };
            }
            Stop::TooDeep(at) => {
                findings.push(Finding::too_deep(at));
                break Built { root: None, stop: None, ..built };
            }
            Stop::Syntax(error) => error,
        };
        let at = error.marker().byte_offset().unwrap_or_default();
        let Fault { finding, mend } = fault::diagnose(&work.text, &error, place);
        faults += 1;
        parsed += at;
        // What follows from a line that a tab indents was said with the tab.
        if !(fault::is_tabbed(text, finding.span.start) && findings.iter().any(is_tab)) {
            findings.push(finding);
        }
        let enough = faults >= MAX_FAULTS || parsed > MAX_AGAIN;
        if enough || !work.mend(mend) {
            break Built { stop: None, ..built };
        }
    };
    let damaged = built.damaged || !findings.is_empty();
    findings.extend(built.findings);
    if built.root.is_none() && findings.is_empty() {
        return None;
    }
    for finding in &mut findings {
        // Where a text was hidden from the parser, its characters are others.
        for span in
            std::iter::once(&mut finding.span).chain(finding.related.iter_mut().map(|label| &mut label.span))
        {
            *span = Span::new(text.floor_char_boundary(span.start), text.floor_char_boundary(span.end));
        }
    }
    findings.sort_by_key(|finding| finding.span.start);
    Some(Document { root: built.root, findings, damaged })
}

fn is_tab(finding: &Finding) -> bool {
    finding.rule == &rules::TAB_INDENTATION
}

/// The text as the parser is shown it: as long as the original, so that every place stays.
struct Work<'t> {
    original: &'t str,
    text: String,
    mended: BTreeMap<usize, Mended>,
    blank: Vec<Span>,
}

impl Work<'_> {
    fn source(&self) -> Source<'_> {
        Source { text: &self.text, original: self.original, mended: &self.mended, blank: &self.blank }
    }

    /// Changes the text. False when nothing changed.
    fn mend(&mut self, mend: Mend) -> bool {
        match mend {
            Mend::Text(span, mended) => {
                let changed = self.replace(span, |_| 'x');
                self.mended.insert(span.start, mended);
                changed
            }
            Mend::Blank(span) => self.blank(span),
            Mend::Untab => {
                let indents: Vec<Span> = fault::tabbed(&self.text).collect();
                let mut changed = false;
                for indent in indents {
                    changed |= self.replace(indent, |_| ' ');
                }
                changed
            }
        }
    }

    fn blank(&mut self, span: Span) -> bool {
        self.blank.push(span);
        self.replace(span, |c| if matches!(c, '\n' | '\r') { c } else { ' ' })
    }

    /// Replaces each character by as many others as it has bytes.
    fn replace(&mut self, span: Span, with: impl Fn(char) -> char) -> bool {
        let Some(old) = self.text.get(span.start..span.end) else { return false };
        let new: String = old.chars().flat_map(|c| std::iter::repeat_n(with(c), c.len_utf8())).collect();
        let changed = old != new;
        self.text.replace_range(span.start..span.end, &new);
        changed
    }
}
