//! Did you mean: the nearest of some names, or none.

/// The candidate nearest to `found`, if it is near enough that a slip of the hand explains the difference.
///
/// Case, `-` and `_` count for nothing. Otherwise one edit (a swap of neighbours is one) in names of up to four
/// characters, two in names of up to eight, three in longer ones, and never more than a third of the name.
pub fn nearest<'c>(found: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let fold = |name: &str| name.to_lowercase().replace(['-', ' '], "_");
    let found = fold(found);
    if found.is_empty() || found.len() > 200 {
        return None;
    }
    let signs = found.chars().count();
    candidates
        .into_iter()
        .filter_map(|candidate| {
            // More than three edits are never allowed.
            if candidate.is_ascii() && candidate.len().abs_diff(signs) > 3 {
                return None;
            }
            let folded = fold(candidate);
            let length = signs.max(folded.chars().count());
            let allowed = match length {
                0..=4 => 1,
                5..=8 => 2,
                _ => 3,
            }
            .min(length / 3);
            let distance =
                if length > 200 { usize::MAX } else { strsim::damerau_levenshtein(&found, &folded) };
            (distance <= allowed).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Whether two names differ in case, `-`, `_` and blanks at most: the same word, written in another way.
pub(crate) fn same_word(one: &str, other: &str) -> bool {
    let fold = |name: &str| -> String {
        name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
    };
    fold(one) == fold(other)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let keys = ["ingest", "after_turn", "id", "name", "tags", "context_window", "input_cost_per_m"];
        for (found, expected) in [
            ("ingset", Some("ingest")),
            ("AfterTurn", Some("after_turn")),
            ("after-turn", Some("after_turn")),
            ("contextwindow", Some("context_window")),
            ("tag", Some("tags")),
            ("url", None),
            ("ip", None),
            ("cache_read_cost", None),
            ("nome", Some("name")),
            ("game", Some("name")),
            ("", None),
        ] {
            assert_eq!(nearest(found, keys), expected, "{found}");
        }
        // How long a name is says how many slips of the hand it may hold.
        for (found, known, near) in [
            ("a", "b", false),
            ("ab", "ac", false),
            ("abc", "abd", true),
            ("abcd", "abef", false),
            ("abcde", "abxde", true),
            ("abcdef", "xbcdey", true),
            ("abcdefgh", "xbcdefgy", true),
            ("abcdefgh", "xbcyefgz", false),
            ("abcdefghi", "xbcyefghz", true),
            ("abcdefghijkl", "xbcyefghzjkw", false),
        ] {
            assert_eq!(nearest(found, [known]).is_some(), near, "{found} {known}");
        }
    }
}
