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

#[cfg(test)]
mod tests {
    use super::tools;

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
