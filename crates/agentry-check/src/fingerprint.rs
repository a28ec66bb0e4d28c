//! What a finding is, whatever else changes in its file: the same finding has the same fingerprint when lines are
//! added above it, and when the registry is checked from another folder or on another machine.
//!
//! A fingerprint is made of the rule, of the place, of the key where the finding is about one, and of the text at its
//! place, up to the end of the line. In a place, entries of a list go by their `id` or `name` and not by their
//! number. The message is no part: better words are not another finding. Secrets are masked before anything is made of
//! them, so a fingerprint tells nothing of one.

use crate::walk::{FileReport, format_of};
use agentry_text::{Finding, Format, Kind, Node, Severity, Span, mask_in_place, mask_secrets};

/// The longest name of an entry that a place repeats, in characters.
const MAX_NAME: usize = 60;

/// The findings of a file, each told apart from the others as far as the text does.
pub(crate) struct Fingerprints {
    root: Option<Node>,
    masked: String,
    /// Where something is wrong, so that it may be no name at all.
    wrong: Vec<Span>,
}

/// One fingerprint, with the place for people.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fingerprint {
    /// The place, with names of entries.
    pub(crate) place: String,
    /// Sixteen hexadecimal digits.
    pub(crate) hash: String,
}

impl Fingerprints {
    pub(crate) fn new(file: &FileReport) -> Self {
        let secrets = file.checked.secrets.iter().map(|span| span.start..span.end);
        let root = match format_of(&file.path, file.checked.kind) {
            Format::Yaml => agentry_text::yaml::parse(&file.text).root,
            Format::Json => agentry_text::json::parse(&file.text).root,
            Format::Markdown => agentry_text::front_matter::parse(&file.text).document.root,
            _ => agentry_text::toml::parse(&file.text).root,
        };
        let wrong = file.checked.findings.iter().filter(|finding| finding.severity == Severity::Error);
        let wrong = wrong.map(|finding| finding.span).collect();
        Self { root, masked: mask_in_place(&file.text, secrets), wrong }
    }

    pub(crate) fn of(&self, finding: &Finding) -> Fingerprint {
        let place = self.place(&finding.pointer);
        let mut hash = Fnv::default();
        for part in [
            finding.rule.name,
            &place,
            finding.key.as_deref().unwrap_or_default(),
            &self.text(finding.span.start, finding.span.end),
        ] {
            hash.part(part);
        }
        Fingerprint { place, hash: format!("{:016x}", hash.0) }
    }

    fn text(&self, start: usize, end: usize) -> String {
        let text = self.masked.get(start..end.min(self.masked.len())).unwrap_or_default();
        let mut line = text.lines().next().unwrap_or_default().trim_end().to_owned();
        // Not even how long a secret is.
        while line.contains("**") {
            line = line.replace("**", "*");
        }
        line
    }

    fn place(&self, pointer: &str) -> String {
        let mut place = String::new();
        let mut node = self.root.as_ref();
        for segment in pointer.split('/').skip(1) {
            let plain = segment.replace("~1", "/").replace("~0", "~");
            place.push('/');
            match node.map(|node| &node.kind) {
                Some(Kind::Table(table)) => {
                    place.push_str(segment);
                    node = table.get(&plain).map(|entry| &entry.node);
                }
                Some(Kind::Array(items)) => {
                    node = plain.parse::<usize>().ok().and_then(|index| items.get(index));
                    place.push('[');
                    place.push_str(&node.and_then(|node| self.name(node)).unwrap_or_default());
                    place.push(']');
                }
                // The text was taken apart wrongly; numbers are still no part of a place.
                _ if plain.bytes().all(|byte| byte.is_ascii_digit()) => place.push_str("[]"),
                _ => place.push_str(segment),
            }
        }
        place
    }

    /// What an entry of a list is called. A value that is not what the key asks for may be a secret in the wrong place.
    fn name(&self, node: &Node) -> Option<String> {
        let named = |key: &&str| node.get(key).filter(|entry| entry.node.as_str().is_some());
        let entry = ["id", "name", "key"].iter().find_map(named)?;
        let hidden = self.wrong.contains(&entry.node.span);
        let name = entry.node.as_str().filter(|_| !hidden)?;
        Some(mask_secrets(name).chars().take(MAX_NAME).collect())
    }
}

/// FNV-1a over 64 bits: a few lines that never change, where a hasher of the standard library may.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn part(&mut self, part: &str) {
        for byte in part.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Checker, Input};

    fn fingerprints(text: &str) -> Vec<(&'static str, String, String)> {
        let kind = Some(agentry::Kind::Provider);
        let input = Input { path: None, kind, contract: None, format: Format::Toml, text };
        let checked = Checker::default().check(&input);
        let file = FileReport::new("a.toml".into(), text.to_owned(), checked);
        let fingerprints = Fingerprints::new(&file);
        let found = file.checked.findings.iter().map(|finding| {
            let Fingerprint { place, hash } = fingerprints.of(finding);
            (finding.rule.name, place, hash)
        });
        found.collect()
    }

    const MODEL: &str = "[[models]]\nid = \"beam-2\"\ndisplay_name = \"B\"\ntier = \"fast\"\ncontext_window = 1\n\
                         max_output_tokens = 1\ncolour = \"blue\"\n";

    #[test]
    fn fingerprints_survive_what_is_added_elsewhere() {
        let provider = "[provider]\nid = \"acme\"\ndisplay_name = \"A\"\n";
        let before = fingerprints(&format!("{provider}{MODEL}"));
        let after = fingerprints(&format!(
            "# A note\n\n{provider}hue = 1\n\n{}{}",
            MODEL.replace("beam-2", "beam-1").replace("colour", "shade"),
            MODEL.replace("\"blue\"", "\"red\"")
        ));
        assert!(
            before.iter().any(|found| (found.0, found.1.as_str()) == ("unknown-key", "/models/[beam-2]")),
            "{before:#?}"
        );
        for found in &before {
            assert!(after.contains(found), "{found:?} is not in {after:#?}");
        }
        assert!(after.len() > before.len(), "what is new has another fingerprint: {after:#?}");
        let mut hashes: Vec<_> = after.iter().map(|found| &found.2).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), after.len(), "{after:#?}");
    }

    #[test]
    fn the_hash_is_the_published_one() {
        // FNV-1a of the bytes 0, and `a` and 0: a zero ends each part.
        let mut hash = Fnv::default();
        hash.part("");
        assert_eq!(hash.0, 0xaf63_bd4c_8601_b7df);
        let mut hash = Fnv::default();
        hash.part("a");
        assert_eq!(hash.0, 0x089b_e207_b544_f1e4);
    }

    #[test]
    fn a_secret_leaves_no_trace() {
        let with = |secret: &str| {
            fingerprints(&format!(
                "[provider]\nid = \"acme\"\ndisplay_name = \"A\"\napi_key = \"{secret}\"\n"
            ))
        };
        assert_eq!(with("hunter2"), with("correct-horse"));
        assert!(!with("hunter2").is_empty());
    }
}
