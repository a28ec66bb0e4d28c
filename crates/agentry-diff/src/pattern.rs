//! Regular expressions of ECMA-262 as automata.
//!
//! A pattern of a schema is searched for anywhere in the text. It is respelled for an automata library; look-around
//! is taken where a pattern begins with it, and everything that no automaton can do is not modelled.

use regex_automata::dfa::dense;
use regex_automata::dfa::{Automaton as _, StartKind};
use regex_automata::util::primitives::StateID;
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, MatchKind, nfa::thompson};
use std::fmt::Write as _;

/// What a pattern says, in terms of patterns that an automaton runs: all of these hold or fail as told.
pub(crate) type Parts = Vec<(String, bool)>;

/// Respells a pattern, or not where an automaton cannot tell what it takes.
pub(crate) fn translate(pattern: &str) -> Option<Parts> {
    let characters: Vec<char> = pattern.chars().collect();
    let mut parts = Parts::new();
    let mut rest = &characters[..];
    // `^(?=a)(?!b)c` is `^a`, not `^b`, and `^c`, unless an alternative at the top ends the reach of the `^`.
    if let Some(mut after) = rest.strip_prefix(&['^']) {
        while let ['(', '?', sign @ ('=' | '!'), inner @ ..] = after {
            let end = group_end(inner)?;
            let text: String = inner[..end].iter().collect();
            parts.push((format!("^(?:{})", respell(&text)?), *sign == '='));
            after = &inner[end + 1..];
        }
        if !parts.is_empty() {
            if matches!(after, ['*' | '+' | '?' | '{', ..]) || has_alternative(after) {
                return None;
            }
            rest = after;
        }
    }
    let text: String = rest.iter().collect();
    let respelled = respell(&text)?;
    parts.push((if parts.is_empty() { respelled } else { format!("^{respelled}") }, true));
    Some(parts)
}

/// Whether a pattern is none, whoever reads it: brackets that are not closed or not opened, a repetition of nothing or
/// of a repetition, counts the wrong way round, or a lone backslash at the end. What this does not find may be none
/// all the same.
pub(crate) fn is_malformed(pattern: &str) -> bool {
    let characters: Vec<char> = pattern.chars().collect();
    let (mut depth, mut repeatable, mut at) = (0_usize, false, 0);
    while let Some(character) = characters.get(at).copied() {
        at += 1;
        match character {
            '\\' => {
                if at == characters.len() {
                    return true;
                }
                at += 1;
                repeatable = true;
            }
            '[' => {
                loop {
                    match characters.get(at) {
                        None => return true,
                        Some('\\') => at += 2,
                        Some(']') => break,
                        Some(_) => at += 1,
                    }
                }
                at += 1;
                repeatable = true;
            }
            '(' => {
                depth += 1;
                repeatable = false;
                if characters.get(at) == Some(&'?') {
                    at += 1;
                }
            }
            ')' => {
                let Some(outside) = depth.checked_sub(1) else { return true };
                depth = outside;
                repeatable = true;
            }
            '|' | '^' => repeatable = false,
            '*' | '+' | '?' => {
                if !repeatable {
                    return true;
                }
                if characters.get(at) == Some(&'?') {
                    at += 1;
                }
                repeatable = false;
            }
            '{' => {
                let Some((length, ordered)) = counts_at(&characters[at..]) else {
                    repeatable = true;
                    continue;
                };
                if !repeatable || !ordered {
                    return true;
                }
                at += length;
                if characters.get(at) == Some(&'?') {
                    at += 1;
                }
                repeatable = false;
            }
            _ => repeatable = true,
        }
    }
    depth > 0
}

/// How long the counts are that a brace opens, with the closing one, and whether they are in order.
fn counts_at(text: &[char]) -> Option<(usize, bool)> {
    let end = text.iter().position(|character| *character == '}')?;
    let inside: String = text[..end].iter().collect();
    let (least, most) = inside.split_once(',').unwrap_or((&inside, ""));
    let digits = |text: &str| text.chars().all(|digit| digit.is_ascii_digit());
    if least.is_empty() || !digits(least) || !digits(most) {
        return None;
    }
    let (least, most) = (least.trim_start_matches('0'), most.trim_start_matches('0'));
    let ordered = most.is_empty() || (least.len(), least) <= (most.len(), most);
    Some((end + 1, ordered))
}

/// Where the group that is open at the start of some text ends.
fn group_end(text: &[char]) -> Option<usize> {
    top_level(text, |character, depth| character == ')' && depth == 0)
}

fn has_alternative(text: &[char]) -> bool {
    top_level(text, |character, depth| character == '|' && depth == 0).is_some()
}

fn top_level(text: &[char], found: impl Fn(char, usize) -> bool) -> Option<usize> {
    let (mut depth, mut class, mut escaped) = (0_usize, false, false);
    for (index, character) in text.iter().copied().enumerate() {
        if escaped {
            escaped = false;
            continue;
        }
        if !class && found(character, depth) {
            return Some(index);
        }
        match character {
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '(' if !class => depth += 1,
            ')' if !class => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

const DIGITS: &str = "0-9";
const WORD: &str = "0-9A-Za-z_";
const BLANK: &str =
    r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

struct Respelling<'a> {
    input: &'a [char],
    output: String,
}

fn respell(pattern: &str) -> Option<String> {
    let characters: Vec<char> = pattern.chars().collect();
    let mut respelling = Respelling { input: &characters, output: String::new() };
    respelling.run()?;
    Some(respelling.output)
}

impl Respelling<'_> {
    fn next(&mut self) -> Option<char> {
        let (first, rest) = self.input.split_first()?;
        self.input = rest;
        Some(*first)
    }

    fn literal(&mut self, character: char) {
        if character.is_ascii_alphanumeric() || !character.is_ascii() {
            self.output.push(character);
        } else {
            let _ = write!(self.output, "\\x{{{:X}}}", u32::from(character));
        }
    }

    fn run(&mut self) -> Option<()> {
        // Whether something stands before that can be repeated.
        let mut repeatable = false;
        while let Some(character) = self.next() {
            match character {
                '^' | '$' | '|' => {
                    self.output.push(character);
                    repeatable = false;
                }
                '.' => {
                    self.output.push_str(r"[^\n\r\u{2028}\u{2029}]");
                    repeatable = true;
                }
                '(' => {
                    self.open()?;
                    repeatable = false;
                }
                ')' => {
                    self.output.push(')');
                    repeatable = true;
                }
                '[' => {
                    self.class()?;
                    repeatable = true;
                }
                '\\' => repeatable = self.escape()?,
                '*' | '+' | '?' => {
                    if !repeatable {
                        return None;
                    }
                    self.output.push(character);
                    self.lazy();
                    repeatable = false;
                }
                '{' => {
                    if let Some(counts) = self.counts() {
                        if !repeatable {
                            return None;
                        }
                        self.output.push_str(&counts);
                        self.lazy();
                        repeatable = false;
                    } else {
                        self.literal('{');
                        repeatable = true;
                    }
                }
                _ => {
                    self.literal(character);
                    repeatable = true;
                }
            }
        }
        Some(())
    }

    /// Whether a repetition is lazy changes what is found first, not what is found.
    fn lazy(&mut self) {
        if let ['?', rest @ ..] = self.input {
            self.input = rest;
        }
    }

    /// `{2}`, `{2,}` or `{2,3}`; other braces stand for themselves.
    fn counts(&mut self) -> Option<String> {
        let end = self.input.iter().position(|character| *character == '}')?;
        let text: String = self.input[..end].iter().collect();
        let is_number = |text: &str| !text.is_empty() && text.chars().all(|digit| digit.is_ascii_digit());
        let valid = match text.split_once(',') {
            None => is_number(&text),
            Some((least, most)) => is_number(least) && (most.is_empty() || is_number(most)),
        };
        if !valid {
            return None;
        }
        self.input = &self.input[end + 1..];
        Some(format!("{{{text}}}"))
    }

    fn open(&mut self) -> Option<()> {
        let rest = match self.input {
            ['?', ':', rest @ ..] => rest,
            ['?', '<', next, ..] if !matches!(next, '=' | '!') => {
                let end = self.input.iter().position(|character| *character == '>')?;
                &self.input[end + 1..]
            }
            ['?', ..] => return None,
            rest => rest,
        };
        self.input = rest;
        self.output.push_str("(?:");
        Some(())
    }

    /// An escape outside a class; whether it can be repeated.
    fn escape(&mut self) -> Option<bool> {
        let escaped = self.next()?;
        match escaped {
            'b' | 'B' => {
                let _ = write!(self.output, "(?-u:\\{escaped})");
                return Some(false);
            }
            'd' | 'w' | 's' => {
                let _ = write!(self.output, "[{}]", set(escaped)?);
            }
            'D' | 'W' | 'S' => {
                let _ = write!(self.output, "[^{}]", set(escaped)?);
            }
            'p' | 'P' => self.property(escaped)?,
            _ => {
                let character = self.escaped(escaped)?;
                self.literal(character);
            }
        }
        Some(true)
    }

    fn property(&mut self, escaped: char) -> Option<()> {
        if self.input.first() != Some(&'{') {
            return None;
        }
        let end = self.input.iter().position(|character| *character == '}')?;
        let text: String = self.input[..=end].iter().collect();
        self.input = &self.input[end + 1..];
        let _ = write!(self.output, "\\{escaped}{text}");
        Some(())
    }

    /// The character that an escape stands for.
    fn escaped(&mut self, escaped: char) -> Option<char> {
        match escaped {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            'v' => Some('\x0B'),
            'f' => Some('\x0C'),
            '0' if !matches!(self.input, [digit, ..] if digit.is_ascii_digit()) => Some('\0'),
            'c' => {
                let letter = self.next().filter(char::is_ascii_alphabetic)?;
                char::from_u32(u32::from(letter) % 32)
            }
            'x' => self.hexadecimal(2).and_then(char::from_u32),
            'u' => {
                if let ['{', ..] = self.input {
                    let end = self.input.iter().position(|character| *character == '}')?;
                    let text: String = self.input[1..end].iter().collect();
                    self.input = &self.input[end + 1..];
                    return char::from_u32(u32::from_str_radix(&text, 16).ok()?);
                }
                let first = self.hexadecimal(4)?;
                if (0xD800..0xDC00).contains(&first) && matches!(self.input, ['\\', 'u', ..]) {
                    self.input = &self.input[2..];
                    let second = self.hexadecimal(4)?.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
                    return char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + second);
                }
                char::from_u32(first)
            }
            other if other.is_ascii_alphanumeric() => None,
            other => Some(other),
        }
    }

    fn hexadecimal(&mut self, length: usize) -> Option<u32> {
        let text: String = self.input.get(..length)?.iter().collect();
        let value =
            text.chars().all(|digit| digit.is_ascii_hexdigit()).then(|| u32::from_str_radix(&text, 16))?;
        self.input = &self.input[length..];
        value.ok()
    }

    fn class(&mut self) -> Option<()> {
        let negated = self.input.first() == Some(&'^');
        if negated {
            self.input = &self.input[1..];
        }
        if let [']', rest @ ..] = self.input {
            self.input = rest;
            self.output.push_str(if negated { r"(?s:.)" } else { r"[^\x00-\x{10FFFF}]" });
            return Some(());
        }
        self.output.push_str(if negated { "[^" } else { "[" });
        loop {
            let character = self.next()?;
            match character {
                ']' => break,
                '\\' => {
                    let escaped = self.next()?;
                    match escaped {
                        'b' => self.literal('\x08'),
                        'd' | 'w' | 's' => self.output.push_str(set(escaped)?),
                        'D' | 'W' | 'S' => {
                            let _ = write!(self.output, "[^{}]", set(escaped)?);
                        }
                        'p' | 'P' => self.property(escaped)?,
                        'B' => return None,
                        _ => {
                            let character = self.escaped(escaped)?;
                            self.literal(character);
                            continue;
                        }
                    }
                    // A set is no end of a range: the hyphen after it stands for itself.
                    if let ['-', next, ..] = self.input
                        && *next != ']'
                    {
                        self.input = &self.input[1..];
                        self.literal('-');
                    }
                }
                '-' => {
                    let at_start = self.output.ends_with('[') || self.output.ends_with("[^");
                    if at_start || self.input.first() == Some(&']') {
                        self.literal('-');
                    } else if let ['\\', 'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P', ..] = self.input {
                        self.literal('-');
                    } else {
                        self.output.push('-');
                    }
                }
                _ => self.literal(character),
            }
        }
        self.output.push(']');
        Some(())
    }
}

fn set(escaped: char) -> Option<&'static str> {
    match escaped.to_ascii_lowercase() {
        'd' => Some(DIGITS),
        'w' => Some(WORD),
        's' => Some(BLANK),
        _ => None,
    }
}

/// An automaton that reads text byte by byte and knows whether it found its pattern.
pub(crate) struct Automaton {
    dense: dense::DFA<Vec<u32>>,
    start: StateID,
}

/// Where an automaton is: the state's number, or that it has found its pattern.
pub(crate) type State = u32;

/// The pattern was found, whatever follows.
pub(crate) const FOUND: State = u32::MAX;
/// The pattern will not be found, whatever follows.
pub(crate) const LOST: State = u32::MAX - 1;

impl Automaton {
    /// The automaton of a respelled pattern, unless it is too large.
    pub(crate) fn new(pattern: &str) -> Option<Self> {
        const LIMIT: usize = 2 << 20;
        let dense = dense::Builder::new()
            .configure(
                dense::Config::new()
                    .match_kind(MatchKind::All)
                    .start_kind(StartKind::Unanchored)
                    .dfa_size_limit(Some(LIMIT))
                    .determinize_size_limit(Some(LIMIT)),
            )
            .syntax(syntax::Config::new().nest_limit(100))
            .thompson(thompson::Config::new().nfa_size_limit(Some(LIMIT)))
            .build(pattern)
            .ok()?;
        let start = dense.start_state(&start::Config::new().anchored(Anchored::No)).ok()?;
        Some(Self { dense, start })
    }

    pub(crate) fn start(&self) -> State {
        self.state(self.start)
    }

    fn state(&self, id: StateID) -> State {
        if self.dense.is_match_state(id) {
            FOUND
        } else if self.dense.is_dead_state(id) {
            LOST
        } else {
            id.as_u32()
        }
    }

    pub(crate) fn next(&self, state: State, byte: u8) -> State {
        if state >= LOST {
            return state;
        }
        let Ok(id) = StateID::new(state as usize) else { return LOST };
        self.state(self.dense.next_state(id, byte))
    }

    /// Whether the pattern is found in what was read.
    pub(crate) fn found(&self, state: State) -> bool {
        if state >= LOST {
            return state == FOUND;
        }
        StateID::new(state as usize).is_ok_and(|id| self.dense.is_match_state(self.dense.next_eoi_state(id)))
    }

    /// Bytes of the same class lead to the same states.
    pub(crate) fn class(&self, byte: u8) -> u8 {
        self.dense.byte_classes().get(byte)
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        let end = text.bytes().fold(self.start(), |state, byte| self.next(state, byte));
        self.found(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_as_ecma_262_says() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("b.*b", &["bb", "abcbd"], &["b", "b\nb"]),
            ("^a$", &["a"], &["a\n", "aa"]),
            (r"^\d+\.\d$", &["12.5"], &["12,5", "\u{0661}.1"]),
            (r"^\cC$", &["\u{3}"], &["C"]),
            ("^(?=x$)x$", &["x"], &["xx", "y"]),
            ("^(?!a|b)[a-c]$", &["c"], &["a", "b", "d"]),
            ("^[^a]*$", &["", "b\n"], &["ba"]),
            (r"\S", &["a", "\u{200B}"], &[" ", "\u{FEFF}", ""]),
            ("^a{,2}$", &["a{,2}"], &["a", "aa"]),
            ("[]", &[], &["", "a"]),
            ("^[^]$", &["\n"], &["", "ab"]),
            (r"^[\w-.]$", &["-", ".", "a"], &["+"]),
            (r"^\u{1F600}$|^\uD83D\uDE00$|^\x41$", &["\u{1F600}", "A"], &["B"]),
            (r"^(?<year>\d{4})-\d\d$", &["2020-12"], &["20-12"]),
            (r"\bfoo\b", &["a foo b"], &["food"]),
            ("^[&&~~-]$", &["&", "~", "-"], &["a"]),
            ("^a+?$", &["aa"], &["b"]),
            ("^µ$", &["µ"], &["u"]),
        ];
        for (pattern, taken, refused) in cases {
            let parts = translate(pattern).unwrap_or_else(|| panic!("{pattern}"));
            let automata: Vec<(Automaton, bool)> = parts
                .iter()
                .map(|(part, positive)| {
                    (Automaton::new(part).unwrap_or_else(|| panic!("{pattern}: {part}")), *positive)
                })
                .collect();
            let takes = |text: &str| automata.iter().all(|(one, positive)| one.is_match(text) == *positive);
            for text in *taken {
                assert!(takes(text), "{pattern} takes {text:?}");
            }
            for text in *refused {
                assert!(!takes(text), "{pattern} refuses {text:?}");
            }
        }
    }

    #[test]
    fn what_no_automaton_can_do_is_not_modelled() {
        for pattern in [r"(a)\1", "a(?=b)", "(?<=a)b", r"\k<a>", "^(?=a)b|c", "a**", "(?i)a"] {
            assert_eq!(translate(pattern), None, "{pattern}");
        }
    }
}
