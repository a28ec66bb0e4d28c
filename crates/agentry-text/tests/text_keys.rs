//! Text of a form as the key of a map.

use agentry_text::Map;

agentry_text::text_type! {
    /// A word.
    pub struct Word {
        pattern: r"^[a-z]+$",
        form: "a word: letters",
        example: "word",
    }
}

#[test]
fn a_map_of_text_keys_is_asked_with_a_plain_string() {
    let map: Map<Word, u8> = [("one", 1), ("two", 2)]
        .into_iter()
        .map(|(word, number)| (Word::new(word).expect("a word"), number))
        .collect();
    for (word, number) in [("one", Some(1)), ("two", Some(2)), ("three", None), ("ONE", None)] {
        assert_eq!(map.get(word).copied(), number, "{word}");
    }
}
