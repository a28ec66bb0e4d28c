//! The smallest document that still shows what a large one shows.

use super::make::{Segment, list_places};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// How many documents are tried before the smallest so far is good enough.
const TRIES: usize = 4_000;

/// Takes away and simplifies as long as the document still `shows` it.
pub(super) fn shrink(document: &Json, shows: impl Fn(&Json) -> bool) -> Json {
    let mut smallest = document.clone();
    let mut tries = 0;
    loop {
        let mut places = Vec::new();
        list_places(&smallest, &mut Vec::new(), &mut places);
        let candidates = places.iter().flat_map(|place| simpler(&smallest, place));
        let found = candidates.take(TRIES - tries).find(|candidate| {
            tries += 1;
            shows(candidate)
        });
        match found {
            Some(smaller) => smallest = smaller,
            None => return smallest,
        }
    }
}

/// Documents that are simpler at a place.
fn simpler(document: &Json, place: &[Segment]) -> Vec<Json> {
    let mut found = Vec::new();
    let mut pointer = String::new();
    for segment in place {
        match segment {
            Segment::Key(key) | Segment::Name(key) => {
                pointer.push('/');
                pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
            }
            Segment::Index(index) => {
                let _ = write!(pointer, "/{index}");
            }
        }
    }
    let Some(value) = document.pointer(&pointer) else { return found };
    if let Some(last) = place.last() {
        let mut without = document.clone();
        let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        match (last, without.pointer_mut(parent)) {
            (Segment::Key(key), Some(Json::Object(table))) => {
                table.shift_remove(key);
            }
            (Segment::Index(index), Some(Json::Array(items))) => {
                items.remove(*index);
            }
            _ => {}
        }
        found.push(without);
    }
    let others: Vec<Json> = match value {
        Json::String(text) => {
            let half: String = text.chars().take(text.chars().count() / 2).collect();
            let but_last: String = text.chars().take(text.chars().count().saturating_sub(1)).collect();
            let but_first: String = text.chars().skip(1).collect();
            vec![json!(""), json!("a"), json!(half), json!(but_last), json!(but_first)]
        }
        Json::Number(_) => vec![json!(0), json!(1)],
        Json::Array(items) if !items.is_empty() => vec![json!([])],
        Json::Object(table) if !table.is_empty() => vec![json!({})],
        _ => Vec::new(),
    };
    let size = |value: &Json| value.to_string().len();
    for other in others.into_iter().filter(|other| size(other) < size(value)) {
        let mut changed = document.clone();
        if let Some(there) = changed.pointer_mut(&pointer) {
            *there = other;
            found.push(changed);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_taken_away() {
        let document = json!({ "a": [{ "b": 17, "c": "text" }, 2], "d": { "e": "long text!" } });
        let shows = |document: &Json| {
            document.pointer("/d/e").and_then(Json::as_str).is_some_and(|text| text.contains('!'))
        };
        assert_eq!(shrink(&document, shows), json!({ "d": { "e": "!" } }));
    }
}
