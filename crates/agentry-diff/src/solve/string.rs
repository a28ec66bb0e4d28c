//! Texts: lengths, options, patterns.

use super::{Answer, Found, Gap, Solver};
use crate::graph::{Literal, Node, Text};
use crate::pattern::{Automaton, FOUND, LOST, State};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// States of the product of all automata that are looked at.
const MAX_STATES: usize = 60_000;
/// Texts that must be longer than this are not looked for.
const MAX_LENGTH: u64 = 100_000;

impl Solver {
    pub(super) fn decide_string(&mut self, atoms: &[Literal]) -> Answer {
        let (mut least, mut most) = (0_u64, u64::MAX);
        let mut options: Option<Vec<Text>> = None;
        let mut excluded: Vec<Text> = Vec::new();
        let mut automata: Vec<(Rc<Automaton>, bool)> = Vec::new();
        let mut gap = None;
        for atom in atoms {
            match (self.graph.node(atom.id()), atom.positive()) {
                (Node::MinLength(bound), true) => least = least.max(*bound),
                (Node::MinLength(bound @ 1..), false) => most = most.min(bound - 1),
                (Node::MaxLength(bound), true) => most = most.min(*bound),
                (Node::MinLength(0) | Node::MaxLength(u64::MAX), false) => return Answer::Empty,
                (Node::MaxLength(bound), false) => least = least.max(bound + 1),
                (Node::TextIn(found), true) => {
                    options = Some(match options {
                        None => found.to_vec(),
                        Some(mut known) => {
                            known.retain(|option| found.binary_search(option).is_ok());
                            known
                        }
                    });
                }
                (Node::TextIn(found), false) => excluded.extend(found.iter().cloned()),
                (Node::Matches(pattern), positive) => {
                    let pattern = pattern.clone();
                    match self.automaton(&pattern) {
                        Some(automaton) => automata.push((automaton, positive)),
                        None => gap = Some(atom.id()),
                    }
                }
                _ => {}
            }
        }
        if let Some(mut options) = options {
            excluded.sort_unstable();
            options.retain(|option| excluded.binary_search(option).is_err());
            let values = options.iter().map(|option| Value::from(&**option)).collect();
            return self.decide_values(atoms, values);
        }
        if least > most {
            return Answer::Empty;
        }
        excluded.sort_unstable();
        excluded.dedup();
        let text = if automata.is_empty() {
            plain(least, most, &excluded)
        } else {
            self.shortest(least, most, &excluded, &automata)
        };
        match (text, gap) {
            (Ok(None), _) => Answer::Empty,
            (Ok(Some(text)), None) => Answer::Found(Found::new(Value::from(text))),
            (Ok(Some(text)), Some(id)) => {
                Answer::Unknown(Gap::Opaque(id), Some(Found::new(Value::from(text))))
            }
            (Err(gap), _) => Answer::Unknown(gap, None),
        }
    }

    /// The shortest text that some automata take, and others do not.
    fn shortest(
        &mut self,
        least: u64,
        most: u64,
        excluded: &[Text],
        automata: &[(Rc<Automaton>, bool)],
    ) -> Result<Option<String>, Gap> {
        const TOO_LARGE: Gap = Gap::Limit("the patterns together are too large to compare");
        let trie = Trie::new(excluded);
        let bytes = representatives(automata, &trie);
        let Some(least) = u32::try_from(least).ok().filter(|least| *least <= 5_000) else {
            return Err(TOO_LARGE);
        };
        let start = Product {
            automata: automata.iter().map(|(one, _)| one.start()).collect(),
            utf8: Utf8::Start,
            length: 0,
            trie: Some(0),
        };
        let mut parents: Vec<(u32, u8)> = vec![(0, 0)];
        let mut known: HashMap<Product, u32> = HashMap::new();
        let mut queue: VecDeque<(Product, u32, u64)> = VecDeque::new();
        known.insert(start.clone(), 0);
        queue.push_back((start, 0, 0));
        while let Some((state, number, length)) = queue.pop_front() {
            if !self.step(1) || known.len() > MAX_STATES {
                return Err(TOO_LARGE);
            }
            let accepted = state.utf8 == Utf8::Start
                && state.length >= least
                && !state.trie.is_some_and(|node| trie.ends(node))
                && automata
                    .iter()
                    .zip(&state.automata)
                    .all(|((one, positive), at)| one.found(*at) == *positive);
            if accepted {
                return Ok(text(&parents, number));
            }
            for byte in &bytes {
                let Some(utf8) = state.utf8.next(*byte) else { continue };
                let longer = state.utf8 == Utf8::Start;
                if longer && length >= most {
                    continue;
                }
                let automata_next: Box<[State]> =
                    automata.iter().zip(&state.automata).map(|((one, _), at)| one.next(*at, *byte)).collect();
                let hopeless = automata
                    .iter()
                    .zip(&automata_next)
                    .any(|((_, positive), at)| *at == if *positive { LOST } else { FOUND });
                if hopeless {
                    continue;
                }
                let next = Product {
                    automata: automata_next,
                    utf8,
                    length: (state.length + u32::from(longer)).min(least),
                    trie: state.trie.and_then(|node| trie.next(node, *byte)),
                };
                if known.contains_key(&next) {
                    continue;
                }
                let next_number = u32::try_from(parents.len()).unwrap_or(u32::MAX);
                parents.push((number, *byte));
                known.insert(next.clone(), next_number);
                if longer {
                    queue.push_back((next, next_number, length + 1));
                } else {
                    // The rest of a character costs nothing.
                    queue.push_front((next, next_number, length));
                }
            }
        }
        Ok(None)
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Product {
    automata: Box<[State]>,
    utf8: Utf8,
    /// Characters so far, as far as they count.
    length: u32,
    trie: Option<u32>,
}

fn text(parents: &[(u32, u8)], mut number: u32) -> Option<String> {
    let mut bytes = Vec::new();
    while number != 0 {
        let (parent, byte) = parents[number as usize];
        bytes.push(byte);
        number = parent;
    }
    bytes.reverse();
    String::from_utf8(bytes).ok()
}

/// What may follow inside a character.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Utf8 {
    Start,
    /// So many more bytes.
    More(u8),
    AfterE0,
    AfterEd,
    AfterF0,
    AfterF4,
}

impl Utf8 {
    const fn next(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Start, 0..=0x7F) | (Self::More(1), 0x80..=0xBF) => Some(Self::Start),
            (Self::Start, 0xC2..=0xDF)
            | (Self::More(2), 0x80..=0xBF)
            | (Self::AfterE0, 0xA0..=0xBF)
            | (Self::AfterEd, 0x80..=0x9F) => Some(Self::More(1)),
            (Self::Start, 0xE0) => Some(Self::AfterE0),
            (Self::Start, 0xED) => Some(Self::AfterEd),
            (Self::Start, 0xE1..=0xEF)
            | (Self::More(3), 0x80..=0xBF)
            | (Self::AfterF0, 0x90..=0xBF)
            | (Self::AfterF4, 0x80..=0x8F) => Some(Self::More(2)),
            (Self::Start, 0xF0) => Some(Self::AfterF0),
            (Self::Start, 0xF4) => Some(Self::AfterF4),
            (Self::Start, 0xF1..=0xF3) => Some(Self::More(3)),
            _ => None,
        }
    }

    /// Bytes of the same class are alike everywhere inside and outside characters.
    const fn class(byte: u8) -> u8 {
        match byte {
            0..=0x7F => 0,
            0x80..=0x8F => 1,
            0x90..=0x9F => 2,
            0xA0..=0xBF => 3,
            0xC0..=0xC1 => 4,
            0xC2..=0xDF => 5,
            0xE0 => 6,
            0xE1..=0xEC | 0xEE..=0xEF => 7,
            0xED => 8,
            0xF0 => 9,
            0xF1..=0xF3 => 10,
            0xF4 => 11,
            _ => 12,
        }
    }
}

/// Texts that are left out, by their bytes.
struct Trie {
    nodes: Vec<(BTreeMap<u8, u32>, bool)>,
}

impl Trie {
    fn new(texts: &[Text]) -> Self {
        let mut trie = Self { nodes: vec![(BTreeMap::new(), false)] };
        for text in texts {
            let mut node = 0;
            for byte in text.bytes() {
                let fresh = u32::try_from(trie.nodes.len()).unwrap_or(u32::MAX);
                let next = *trie.nodes[node].0.entry(byte).or_insert(fresh);
                if next == fresh {
                    trie.nodes.push((BTreeMap::new(), false));
                }
                node = next as usize;
            }
            trie.nodes[node].1 = true;
        }
        trie
    }

    fn next(&self, node: u32, byte: u8) -> Option<u32> {
        self.nodes[node as usize].0.get(&byte).copied()
    }

    fn ends(&self, node: u32) -> bool {
        self.nodes[node as usize].1
    }

    fn uses(&self, byte: u8) -> bool {
        self.nodes.iter().any(|(next, _)| next.contains_key(&byte))
    }
}

/// One byte of each class of bytes that are alike for all automata, the most readable one.
fn representatives(automata: &[(Rc<Automaton>, bool)], trie: &Trie) -> Vec<u8> {
    let readable = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z').chain(*b"_-. /");
    let others = (0x21..0x7F).chain([b'\n', b'\t']).chain(0..0x20).chain(0x7F..=0xFF);
    let mut seen = [false; 256];
    let mut classes = HashSet::new();
    let mut bytes = Vec::new();
    for byte in readable.chain(others) {
        if std::mem::replace(&mut seen[usize::from(byte)], true) {
            continue;
        }
        let of_automata: Vec<u8> = automata.iter().map(|(one, _)| one.class(byte)).collect();
        let class = (of_automata, Utf8::class(byte), trie.uses(byte).then_some(byte));
        if classes.insert(class) {
            bytes.push(byte);
        }
    }
    bytes
}

/// The shortest text of some length that is not left out.
fn plain(least: u64, most: u64, excluded: &[Text]) -> Result<Option<String>, Gap> {
    let is_excluded = |text: &str| excluded.binary_search_by(|known| (**known).cmp(text)).is_ok();
    if least == 0 && !is_excluded("") {
        return Ok(Some(String::new()));
    }
    if most == 0 {
        return Ok(None);
    }
    let first = least.max(1);
    if first > MAX_LENGTH {
        return Err(Gap::Limit("texts that must be this long are not looked for"));
    }
    // Among more texts than are left out there is one that is not.
    let letters = (b'a'..=b'z').map(char::from);
    let rare = (0x4E00..0x9000).filter_map(char::from_u32);
    let alphabet: Vec<char> = if most == first { letters.chain(rare).collect() } else { letters.collect() };
    let length = usize::try_from(first).unwrap_or(usize::MAX);
    for number in 0..=excluded.len() {
        let mut text = vec!['a'; length];
        let mut rest = number;
        for character in text.iter_mut().rev() {
            *character = alphabet[rest % alphabet.len()];
            rest /= alphabet.len();
        }
        while rest > 0 && (text.len() as u64) < most {
            rest -= 1;
            text.insert(0, alphabet[rest % alphabet.len()]);
            rest /= alphabet.len();
        }
        let text: String = text.into_iter().collect();
        if !is_excluded(&text) {
            return Ok(Some(text));
        }
    }
    Err(Gap::Limit("too many texts are left out"))
}

/// The text that was found.
pub(super) fn as_text(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Found(found) => found.value.as_str(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_are_short_and_not_left_out() {
        let left_out: Vec<Text> = vec!["".into(), "a".into(), "b".into()];
        assert_eq!(plain(0, 9, &[]), Ok(Some(String::new())));
        assert_eq!(plain(0, 9, &left_out), Ok(Some("c".to_owned())));
        assert_eq!(plain(0, 0, &left_out), Ok(None));
        assert_eq!(plain(3, 9, &left_out), Ok(Some("aaa".to_owned())));
        let letters: Vec<Text> = ('a'..='z').map(|letter| letter.to_string().as_str().into()).collect();
        assert_eq!(plain(1, 9, &letters), Ok(Some("aa".to_owned())));
        assert_eq!(plain(1, 1, &letters), Ok(Some("\u{4E00}".to_owned())));
    }
}
