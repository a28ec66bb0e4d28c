//! Words of prompts that mean something to a runtime.

use crate::tools::is_built_in;
use std::ops::Range;

/// The tools of the LibreFang runtime that a text speaks of, in the order of the text, each with its place. A name in a
/// longer one, in a path or a file's name, or before a colon in JSON is none.
pub(crate) fn tools(text: &str) -> Vec<(&str, Range<usize>)> {
    // Each has several words in its name, and few words of a text do.
    let joined = words(text).filter(|(word, _)| word.contains('_'));
    joined.filter(|(word, place)| is_built_in(word) && stands_alone(text, place)).collect()
}

/// The words of a text: letters, digits and `_`, as many as there are together.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |length| start + length);
        at = end;
        Some((&text[start..end], start..end))
    })
}

/// Whether a character is one of a word.
pub(crate) fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn stands_alone(text: &str, place: &Range<usize>) -> bool {
    let before = text[..place.start].chars().next_back();
    let rest = &text[place.end..];
    let mut after = rest.chars();
    let next = after.next();
    let part_of_more = matches!(before, Some('.' | '$' | '@' | '#' | '-' | '{'))
        || matches!(next, Some('-'))
        || next == Some('.') && after.next().is_some_and(char::is_alphanumeric);
    let assigned = rest.trim_start_matches('"').trim_start().starts_with(['=', ':']) && {
        // `"task_list": []` is a key, and `- web_search: finds pages` tells what a tool does.
        rest.starts_with('"') || rest.trim_start().starts_with('=')
    };
    // `web_search/web_fetch` are two tools, and `./file_list` is a path.
    let in_path = before == Some('/')
        && !is_built_in(text[..place.start - 1].rsplit(|c: char| !is_part(c)).next().unwrap_or_default());
    !part_of_more && !assigned && !in_path
}

/// Words that say that something is not to be done, in the languages in which prompts are often written.
const NEGATIONS: [&str; 24] = [
    "not",
    "never",
    "no",
    "nor",
    "neither",
    "without",
    "avoid",
    "cannot",
    "forbidden",
    "prohibited",
    "nicht",
    "nie",
    "niemals",
    "kein",
    "keine",
    "ohne",
    "jamais",
    "sans",
    "nunca",
    "sin",
    "não",
    "sem",
    "mai",
    "senza",
];

/// The same where no blanks part the words.
const NEGATIONS_WITHIN: [&str; 6] = ["不要", "不得", "请勿", "禁止", "切勿", "不能"];

/// Words that can stand before a negation which is about what was named before: `web_search must not be used`.
const AUXILIARIES: [&str; 14] = [
    "is", "are", "was", "were", "must", "may", "should", "can", "will", "shall", "do", "does", "darf", "ist",
];

/// Words after which a negation may hold on behind a comma: `never, under any circumstances, web_search`.
const HOLDING: [&str; 12] =
    ["or", "and", "nor", "under", "ever", "even", "please", "in", "at", "for", "oder", "und"];

/// Words that begin a part of a sentence in which a negation before it no longer holds.
const TURNS: [&str; 7] = ["but", "instead", "rather", "unless", "sondern", "stattdessen", "aber"];

/// Whether a text says that the tool at a place must not be called: a negation stands before it in its sentence, or before
/// the list of which it is an item, or behind it.
pub(crate) fn is_negated(text: &str, place: &Range<usize>) -> bool {
    let line = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    let sentence = sentence_before(&text[line..place.start]);
    if forbids(sentence) || is_denied(&text[place.end..]) {
        return true;
    }
    // `Do not use:` above a list.
    let is_item = |line: &str| {
        let line = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        line.strip_prefix(['-', '*', '+', '•', '.', ')']).is_some_and(|rest| rest.starts_with(' '))
    };
    if !is_item(&text[line..]) {
        return false;
    }
    let above = text[..line].lines().rev().find(|line| !line.trim().is_empty() && !is_item(line));
    above
        .map(|line| line.trim_end().trim_end_matches(['*', '_']))
        .and_then(|line| line.strip_suffix([':', '：']))
        .is_some_and(|lead| forbids(sentence_before(lead)))
}

/// What of a text belongs to the sentence in which it ends.
fn sentence_before(text: &str) -> &str {
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let ends = match c {
            '.' => text[end..].starts_with(char::is_whitespace),
            _ => matches!(c, '!' | '?' | ';' | ':' | '。' | '！' | '？' | '；' | '：' | '—'),
        };
        if ends {
            start = end;
        }
    }
    &text[start..]
}

/// A word without the signs around it, in lower case.
fn plain(word: &str) -> String {
    word.replace('’', "'").trim_matches(|c: char| !is_part(c)).to_lowercase()
}

fn is_negation(word: &str) -> bool {
    word.ends_with("n't") || NEGATIONS.contains(&word)
}

/// Whether what is said before a name forbids it.
fn forbids(before: &str) -> bool {
    let mut forbidden = NEGATIONS_WITHIN.iter().any(|word| before.contains(word));
    let mut after_comma = false;
    let mut negation = false;
    let words: Vec<&str> = before.split_whitespace().collect();
    for (index, raw) in words.iter().enumerate() {
        let word = plain(raw);
        let next = words.get(index + 1).map(|next| plain(next)).unwrap_or_default();
        // `not only web_search` is one to be called, `instead of web_search` is none.
        let turns = TURNS.contains(&word.as_str()) && next != "of";
        let leaves = after_comma && !HOLDING.contains(&word.as_str()) && !is_built_in(&word);
        if turns || leaves || word == "only" && negation {
            forbidden = false;
        }
        negation = is_negation(&word);
        forbidden |= negation || word == "instead" && next == "of";
        after_comma = raw.ends_with(',');
    }
    forbidden
}

/// Whether what is said behind a name denies it: `must not be called`, `is forbidden`.
fn is_denied(after: &str) -> bool {
    let line = after.lines().next().unwrap_or_default();
    let mut words = line.split_whitespace().map(|raw| (plain(raw), raw.ends_with(['.', ';', ':', '!', '?'])));
    // What is named along with it.
    let mut word = None;
    for (next, ends) in words.by_ref().take(20) {
        let along =
            next.is_empty() || is_built_in(&next) || ["or", "and", "oder", "und"].contains(&next.as_str());
        if along && !ends {
            continue;
        }
        word = (!next.is_empty() || !ends).then_some(next);
        break;
    }
    let Some(word) = word else { return false };
    if AUXILIARIES.contains(&word.as_str()) {
        return words.next().is_some_and(|(next, _)| is_negation(&next));
    }
    // `use web_search, not your memory` denies something else.
    !after.trim_start_matches(|c: char| !is_part(c) && c != ',').starts_with(',')
        && (word.ends_with("n't") || ["cannot", "nicht", "nie", "niemals"].contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::{is_negated, tools};

    #[test]
    fn a_sentence_may_say_that_a_tool_is_not_to_be_called() {
        for (text, negated) in [
            ("Do not use web_search.", true),
            ("Never call `web_search` or `web_fetch`.", true),
            ("Never call web_fetch, web_search or file_read.", true),
            ("Don't rely on web_search here", true),
            ("Don’t, under any circumstances call web_search", true),
            ("Work without web_search.", true),
            ("Look into the file instead of calling web_search.", true),
            ("web_search must not be used.", true),
            ("web_search and web_fetch are not available.", true),
            ("`web_search` isn't for you.", true),
            ("There is no web_search here", true),
            ("Forbidden, do not call:\n- file_read\n\n- web_search", true),
            ("**Never use:**\n* web_search", true),
            ("Do not call these:\n1. file_read\n2. web_search", true),
            ("Benutze web_search nicht.", true),
            ("Rufe niemals web_search auf.", true),
            ("N'utilise jamais web_search", true),
            ("不要使用 web_search", true),
            ("Use web_search.", false),
            ("Use web_search, not your memory.", false),
            ("Do not guess. Use web_search.", false),
            ("Do not guess: use web_search.", false),
            ("Do not guess, use web_search.", false),
            ("Do not guess but call web_search.", false),
            ("Use not only web_search", false),
            ("Use web_search if the answer is not known.", false),
            ("If you do not know, call web_search.", false),
            ("Never guess.\n- web_search: finds pages", false),
            ("Tools you have:\n- web_search", false),
            ("web_search. Never guess.", false),
            ("Use web_search and never guess", false),
        ] {
            let (_, place) = tools(text).into_iter().find(|(tool, _)| *tool == "web_search").unwrap();
            assert_eq!(is_negated(text, &place), negated, "{text}");
        }
    }

    #[test]
    fn a_tool_is_spoken_of_by_its_whole_name() {
        for (text, found) in [
            ("Use `web_search` first.", &["web_search"][..]),
            ("Call web_search(query), then file_read.", &["web_search", "file_read"]),
            ("**memory_store**: keep it", &["memory_store"]),
            ("`event_publish \"done\"`", &["event_publish"]),
            ("web_search/web_fetch", &["web_search", "web_fetch"]),
            ("- web_search: finds pages", &["web_search"]),
            ("Benutze web_search für Fragen.", &["web_search"]),
            ("my_web_search, web_searches, Web_Search", &[]),
            ("`file_list.txt` and ./a.file_list", &[]),
            ("{\"task_list\": []}", &[]),
            ("task_list = []", &[]),
            ("see /file_list and docs/file_list", &[]),
            ("--file_list, $file_list, {file_list}, file_list-old", &[]),
            ("übernimm_web_search", &[]),
        ] {
            let words: Vec<&str> = tools(text).into_iter().map(|(word, _)| word).collect();
            assert_eq!(words, found, "{text}");
        }
    }
}
