//! Texts that match a pattern, and texts that nearly do.

use super::random::Random;
use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

/// A pattern of a schema: how to judge a text by it, and how to make one that matches.
pub struct Pattern {
    text: String,
    regex: Regex,
    shape: Hir,
}

/// What is put into a text to break it: what patterns forbid for one reason or another.
const SPLINTERS: [&str; 22] = [
    "\n", " ", "\t", "\u{0}", "\u{7f}", "é", "🦀", "\u{2028}", "/", "\\", ".", "-", "_", "*", ":", "@", "{{",
    "A", "0", "$", "\"", "..",
];

impl Pattern {
    /// A pattern as schemas have it. The published ones use explicit classes only, which every dialect reads alike:
    /// the checks of the documents see to that.
    ///
    /// # Panics
    ///
    /// When it is no regular expression.
    pub fn new(text: &str) -> Self {
        let regex = Regex::new(text).unwrap_or_else(|error| panic!("the pattern {text:?}: {error}"));
        let shape = regex_syntax::parse(text).unwrap_or_else(|error| panic!("the pattern {text:?}: {error}"));
        Self { text: text.to_owned(), regex, shape }
    }

    /// The pattern as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a text matches.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// A text that matches, unless the pattern looks around.
    pub fn sample(&self, random: &mut Random) -> String {
        let mut text = Vec::new();
        sample(&self.shape, random, &mut text);
        String::from_utf8(text).unwrap_or_default()
    }

    /// A text that does not match and nearly does, made from one that may.
    pub fn miss(&self, text: &str, random: &mut Random) -> Option<String> {
        // Some patterns forbid a single character.
        (0..120).map(|_| splinter(text, random)).find(|text| !self.matches(text))
    }
}

/// A text with something added, taken away or changed.
fn splinter(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = random.below(chars.len() + 1);
    match random.below(10) {
        0 => return format!("{text}\n"),
        1 => return format!(" {text}"),
        2 => return format!("{text} "),
        3 => return String::new(),
        4 => return text.to_uppercase(),
        5 if at < chars.len() => {
            chars.remove(at);
        }
        6 if at < chars.len() => chars.truncate(at),
        7 => return format!("{text}{text}"),
        _ => {
            let splinter = random.pick(&SPLINTERS).copied().unwrap_or_default();
            chars.splice(at..at, splinter.chars());
        }
    }
    chars.into_iter().collect()
}

fn sample(shape: &Hir, random: &mut Random, out: &mut Vec<u8>) {
    match shape.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.extend_from_slice(&literal.0),
        HirKind::Class(Class::Unicode(class)) => {
            let ranges = class.ranges();
            // Mostly what people write; else anything the class has, and its edges.
            let plain = (0..8)
                .filter_map(|_| char::from_u32(32 + random.small(95).unsigned_abs()))
                .find(|plain| ranges.iter().any(|range| (range.start()..=range.end()).contains(plain)));
            let chosen = plain.filter(|_| random.percent(80)).or_else(|| {
                let range = random.pick(ranges)?;
                let (start, end) = (range.start() as u32, range.end() as u32);
                let width = usize::try_from(end - start).unwrap_or_default();
                let offset = match random.below(4) {
                    0 => 0,
                    1 => width,
                    _ => random.below(width + 1),
                };
                char::from_u32(start + u32::try_from(offset).unwrap_or_default()).or(Some(range.start()))
            });
            if let Some(chosen) = chosen {
                out.extend_from_slice(chosen.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        HirKind::Class(Class::Bytes(class)) => {
            out.extend(random.pick(class.ranges()).map(regex_syntax::hir::ClassBytesRange::start));
        }
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(repetition.min + 4).min(repetition.min + 6);
            let width = usize::try_from(most - repetition.min).unwrap_or_default();
            let times = repetition.min + u32::try_from(random.below(width + 1)).unwrap_or_default();
            for _ in 0..times {
                sample(&repetition.sub, random, out);
            }
        }
        HirKind::Capture(capture) => sample(&capture.sub, random, out),
        HirKind::Concat(parts) => parts.iter().for_each(|part| sample(part, random, out)),
        HirKind::Alternation(parts) => {
            if let Some(part) = random.pick(parts) {
                sample(part, random, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_match_and_misses_do_not() {
        for text in [
            "^[a-z0-9]+(-[a-z0-9]+)*$",
            r"^[^\x00-\x1f\x7f]+$",
            "^https?://[^/ ]{2,8}$",
            "^(a|bc|[A-Z]{3})$",
            r"^[\s\S]{1,3}$",
        ] {
            let pattern = Pattern::new(text);
            let mut random = Random::new(1);
            for _ in 0..500 {
                let sample = pattern.sample(&mut random);
                assert!(pattern.matches(&sample), "{sample:?} is a sample of {text}");
                let miss = pattern.miss(&sample, &mut random);
                assert!(miss.as_ref().is_none_or(|miss| !pattern.matches(miss)), "{miss:?} misses {text}");
            }
            assert!(pattern.miss("x", &mut random).is_some(), "{text}");
        }
    }
}
