//! Patterns of text types, matched without a regular expression engine where that is plain.
//!
//! Most of them are a few sets of characters in a row, such as `^[a-z0-9]+(-[a-z0-9]+)*$`: at each character there is one
//! way to go on. Those are walked through once. All others go to the engine, which takes some fifty times as long.

use regex_lite::Regex;
use std::sync::OnceLock;

/// An anchored pattern.
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    plain: Option<Plain>,
    regex: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// The pattern of a source.
    pub fn new(source: &'static str) -> Self {
        Self { source, plain: Plain::parse(source), regex: OnceLock::new() }
    }

    /// Whether a text matches. Nothing matches what is no pattern.
    pub fn is_match(&self, text: &str) -> bool {
        if let Some(plain) = &self.plain {
            return plain.is_match(text);
        }
        let regex = self.regex.get_or_init(|| Regex::new(self.source).ok());
        regex.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

/// Sets in a row, and perhaps a group at the end that comes any number of times.
#[derive(Debug)]
struct Plain {
    items: Vec<Item>,
    group: Vec<Item>,
}

/// A set of characters, and how often one of them comes.
#[derive(Debug)]
struct Item {
    ranges: Vec<(char, char)>,
    least: usize,
    most: usize,
}

impl Item {
    fn holds(&self, sign: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&sign))
    }

    fn meets(&self, other: &Self) -> bool {
        self.ranges.iter().any(|one| other.ranges.iter().any(|two| one.0 <= two.1 && two.0 <= one.1))
    }
}

impl Plain {
    fn parse(source: &str) -> Option<Self> {
        let inner = source.strip_prefix('^')?.strip_suffix('$')?;
        let (row, group) = match inner.strip_suffix(")*") {
            Some(rest) => rest.split_once('(')?,
            None => (inner, ""),
        };
        let plain = Self { items: items(row)?, group: items(group)? };
        plain.is_plain().then_some(plain)
    }

    /// Whether each character decides by itself where it belongs: what may come after a set that varies is not in it.
    fn is_plain(&self) -> bool {
        // The group begins with one character that tells it from the end.
        if self.group.first().is_some_and(|first| (first.least, first.most) != (1, 1)) {
            return false;
        }
        let decided = |row: &[Item]| {
            row.iter().enumerate().all(|(at, item)| {
                let mut after = row[at + 1..].iter().chain(self.group.first());
                item.least == item.most || {
                    let mut apart = true;
                    for next in after.by_ref() {
                        apart &= !item.meets(next);
                        if next.least > 0 {
                            break;
                        }
                    }
                    apart
                }
            })
        };
        decided(&self.items) && decided(&self.group)
    }

    fn is_match(&self, text: &str) -> bool {
        let Some(mut rest) = walk(&self.items, text) else { return false };
        while !rest.is_empty() {
            if self.group.is_empty() {
                return false;
            }
            match walk(&self.group, rest) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        true
    }
}

/// What is left of a text behind a row of sets.
fn walk<'t>(row: &[Item], text: &'t str) -> Option<&'t str> {
    let mut rest = text;
    for item in row {
        let mut count = 0;
        let mut end = 0;
        for sign in rest.chars() {
            if count == item.most || !item.holds(sign) {
                break;
            }
            count += 1;
            end += sign.len_utf8();
        }
        if count < item.least {
            return None;
        }
        rest = &rest[end..];
    }
    Some(rest)
}

/// The sets of a row. None where it has anything else.
fn items(row: &str) -> Option<Vec<Item>> {
    let mut found = Vec::new();
    let mut rest = row;
    while let Some(sign) = rest.chars().next() {
        rest = &rest[sign.len_utf8()..];
        let ranges = match sign {
            '[' => {
                let end = class_end(rest)?;
                let ranges = class(&rest[..end])?;
                rest = &rest[end + 1..];
                ranges
            }
            '\\' => {
                let escaped = escape(&mut rest)?;
                vec![(escaped, escaped)]
            }
            '(' | ')' | '|' | '.' | '*' | '+' | '?' | '{' | '^' | '$' => return None,
            literal => vec![(literal, literal)],
        };
        let (least, most) = quantifier(&mut rest)?;
        found.push(Item { ranges, least, most });
    }
    Some(found)
}

fn class_end(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, sign) in rest.char_indices() {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            // Other dialects read these as sets in a set.
            '[' => return None,
            ']' => return Some(at),
            _ => {}
        }
    }
    None
}

/// The ranges of a class, without its brackets.
fn class(inner: &str) -> Option<Vec<(char, char)>> {
    if inner == r"\s\S" {
        return Some(vec![('\0', char::MAX)]);
    }
    let (negated, mut rest) = inner.strip_prefix('^').map_or((false, inner), |rest| (true, rest));
    if rest.is_empty() || rest.contains("&&") || rest.contains("--") || rest.contains("~~") {
        return None;
    }
    let mut ranges = Vec::new();
    while let Some(first) = next(&mut rest)? {
        let mut ahead = rest;
        let last = match (ahead.strip_prefix('-'), ahead.len()) {
            (Some(after), length) if length > 1 => {
                ahead = after;
                let last = next(&mut ahead)??;
                rest = ahead;
                last
            }
            _ => first,
        };
        if first > last {
            return None;
        }
        ranges.push((first, last));
    }
    if !negated {
        return Some(ranges);
    }
    ranges.sort_unstable();
    let mut others = Vec::new();
    let mut from = Some('\0');
    for (first, last) in ranges {
        let Some(start) = from else { break };
        if let Some(before) = before(first).filter(|before| start <= *before) {
            others.push((start, before));
        }
        from = after(last).map(|next| next.max(start));
    }
    others.extend(from.map(|start| (start, char::MAX)));
    Some(others)
}

fn before(sign: char) -> Option<char> {
    let number = u32::from(sign).checked_sub(1)?;
    char::from_u32(if number == 0xDFFF { 0xD7FF } else { number })
}

fn after(sign: char) -> Option<char> {
    let number = u32::from(sign) + 1;
    char::from_u32(if number == 0xD800 { 0xE000 } else { number })
}

/// The next character of a class. The outer None where it has anything else, the inner one at its end.
#[expect(clippy::option_option, reason = "the end, and no character, are two things")]
fn next(rest: &mut &str) -> Option<Option<char>> {
    let Some(sign) = rest.chars().next() else { return Some(None) };
    *rest = &rest[sign.len_utf8()..];
    if sign == '\\' { escape(rest).map(Some) } else { Some(Some(sign)) }
}

/// What a backslash makes of what follows it.
fn escape(rest: &mut &str) -> Option<char> {
    let sign = rest.chars().next()?;
    *rest = &rest[sign.len_utf8()..];
    match sign {
        'x' => {
            let digits = rest.get(..2)?;
            let number = u32::from_str_radix(digits, 16).ok()?;
            *rest = &rest[2..];
            char::from_u32(number)
        }
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        sign if sign.is_ascii_punctuation() => Some(sign),
        _ => None,
    }
}

/// How often: once, where nothing is said.
fn quantifier(rest: &mut &str) -> Option<(usize, usize)> {
    let (length, times) = match rest.chars().next() {
        Some('*') => (1, (0, usize::MAX)),
        Some('+') => (1, (1, usize::MAX)),
        Some('?') => (1, (0, 1)),
        Some('{') => {
            let end = rest.find('}')?;
            let inner = &rest[1..end];
            let times = match inner.split_once(',') {
                None => (inner.parse().ok()?, inner.parse().ok()?),
                Some((least, "")) => (least.parse().ok()?, usize::MAX),
                Some((least, most)) => (least.parse().ok()?, most.parse().ok()?),
            };
            (end + 1, times)
        }
        _ => (0, (1, 1)),
    };
    *rest = &rest[length..];
    // Lazy ones are for engines.
    (length == 0 || !rest.starts_with(['?', '+', '*'])).then_some(times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAIN: &[&str] = &[
        r"^[\s\S]+$",
        r"^[\s\S]*$",
        r"^[^\x00-\x1f\x7f]+$",
        r"^[^\x00]*$",
        r"^[^\n]*$",
        r"^[^\r\t]*$",
        r"^a\n?b\t*c\r{0,2}$",
        r"^[!-~]+$",
        r"^[a-z]+/[b-z]+$",
        r"^[a-d0-9]+([-_][a-d0-9]+)*$",
        r"^[a-z][a-z0-9_-]*:[!-~]+$",
        r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,4})*$",
        r"^[a-c]+\.[0-9]+\.[0-9]+$",
        r"^[!#-\[\]-~]+$",
        r"^!?[a-c_][a-c0-9_]*$",
        r"^[0-9a-f]{4}$",
        r"^[^\x00-\x20\x7f*]+$",
        r"^a?[^ab]{2,}b*$",
    ];

    #[test]
    fn what_is_not_plain_is_left_to_the_engine() {
        for source in [
            r"^(\*|[a-z]+)$",
            r"^[a-z]+[a-z0-9]$",
            r"^[a-z]+(-?[a-z]+)*$",
            r"^[a-z-]+(-[a-z]+)*$",
            r"^[a-z0-9]([a-z0-9-]{0,9}[a-z0-9])?$",
            r"^\d+$",
            r"^[\d]+$",
            r"^a.b$",
            r"^a+?b$",
            "a",
            r"^https?://[^\x00-\x20\x7f]+(/x|y)*$",
        ] {
            assert!(Plain::parse(source).is_none(), "{source}");
        }
        assert!(!Pattern::new("^(").is_match(""));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn both_ways_say_the_same(text in "[a-d0-3A-B_./:!\\-*\\x00\\x7f\\[\\]éß\n\r\t ]{0,7}") {
            for source in PLAIN {
                let Ok(regex) = Regex::new(source) else { continue };
                let plain = Plain::parse(source);
                prop_assert!(plain.is_some(), "{}", source);
                prop_assert_eq!(Pattern::new(source).is_match(&text), regex.is_match(&text), "{} on {:?}", source, text);
            }
        }
    }
}
