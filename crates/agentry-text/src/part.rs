//! Where a part of a string stands in the text that the string was read from.

use std::ops::Range;

/// The place of some bytes of a string, cut at the end of its first line, in the text that it is written as: quotes, escapes
/// and indentation included. None where the two cannot be laid side by side, as with folded text.
pub(crate) fn locate(written: &str, string: &str, part: &Range<usize>) -> Option<Range<usize>> {
    let before = string.get(..part.start)?;
    let wanted = string.get(part.clone())?.lines().next().unwrap_or_default();
    // A block may begin with any quote, so it is tried first.
    if let Some(place) = in_block(written, string, before, wanted) {
        return Some(place);
    }
    let (start, end) = (before.chars().count(), before.chars().count() + wanted.chars().count());
    let mut places = match written.as_bytes() {
        [b'"', b'"', b'"', ..] | [b'\'', b'\'', b'\'', ..] if written.len() >= 6 => {
            let body = &written[3..];
            let body = body.strip_prefix("\r\n").or_else(|| body.strip_prefix('\n')).unwrap_or(body);
            Places {
                written,
                at: written.len() - body.len(),
                escapes: written.starts_with('"'),
                doubled: false,
            }
        }
        [b'"', ..] => Places { written, at: 1, escapes: true, doubled: false },
        [b'\'', ..] => Places { written, at: 1, escapes: false, doubled: true },
        _ => Places { written, at: 0, escapes: false, doubled: false },
    };
    let mut from = None;
    for (index, expected) in string.chars().enumerate() {
        if index == start {
            from = Some(places.at);
        }
        if index == end {
            break;
        }
        places.step(expected)?;
    }
    Some(from.unwrap_or(places.at)..places.at)
}

/// In a literal block of YAML each line of the string is a line of the text, behind the indentation. Its place in the text
/// begins with its first character that is no line break.
fn in_block(written: &str, string: &str, before: &str, wanted: &str) -> Option<Range<usize>> {
    let skipped = string.len() - string.trim_start_matches('\n').len();
    let before = before.get(skipped..)?;
    let index = before.matches('\n').count();
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let mut start = 0;
    let mut lines = written.split_inclusive('\n');
    for (number, line) in string[skipped..].split('\n').take(index + 1).enumerate() {
        let source = lines.next()?;
        let indent = source.trim_end_matches(['\n', '\r']).strip_suffix(line.trim_end_matches('\r'))?;
        if indent.contains(|c| c != ' ') || number == 0 && !indent.is_empty() {
            return None;
        }
        if number == index {
            let from = start + indent.len() + column;
            return Some(from..from + wanted.len());
        }
        start += source.len();
    }
    None
}

/// Steps through a text that is written in quotes, one character of the string at a time.
struct Places<'w> {
    written: &'w str,
    at: usize,
    /// Whether a backslash begins an escape.
    escapes: bool,
    /// Whether a quote is written twice.
    doubled: bool,
}

impl Places<'_> {
    /// Passes over what stands for a character; None where it is not what is expected.
    fn step(&mut self, expected: char) -> Option<()> {
        let rest = self.written.get(self.at..)?;
        if self.escapes && rest.starts_with('\\') {
            let digits = match rest.as_bytes().get(1)? {
                b'x' => 2,
                b'u' if expected.len_utf8() == 4 => 10,
                b'u' => 4,
                b'U' => 8,
                b'\n' | b'\r' => return None,
                _ => 0,
            };
            self.at += (2 + digits).min(rest.len());
            return Some(());
        }
        if self.doubled && rest.starts_with("''") && expected == '\'' {
            self.at += 2;
            return Some(());
        }
        if rest.starts_with("\r\n") && expected == '\n' {
            self.at += 2;
            return Some(());
        }
        if !rest.starts_with(expected) {
            return None;
        }
        self.at += expected.len_utf8();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::locate;

    #[test]
    fn a_part_is_found_in_every_way_of_writing() {
        for (written, string, part, found) in [
            ("abc", "abc", "b", Some("b")),
            ("\"a\\nb\\\"c\"", "a\nb\"c", "c", Some("c")),
            ("\"a\\nb\\\"c\"", "a\nb\"c", "\"", Some("\\\"")),
            ("\"\\u00e9x\"", "éx", "x", Some("x")),
            ("\"\\ud83d\\ude00x\"", "😀x", "x", Some("x")),
            ("\"\\x41 \\U0001f600x\"", "A 😀x", "x", Some("x")),
            ("'it''s b'", "it's b", "b", Some("b")),
            ("\"it's b\"", "it's b", "b", Some("b")),
            ("\"it''s b\"", "it''s b", "b", Some("b")),
            ("it's b", "it's b", "b", Some("b")),
            ("'''\na'b'''", "a'b", "b", Some("b")),
            ("'''\na\nb'''", "a\nb", "b", Some("b")),
            ("\"\"\"\r\na\r\nb\"\"\"", "a\nb", "b", Some("b")),
            // The place of a block begins with its contents.
            ("x\n    def run():", "x\ndef run():\n", "run()", Some("run()")),
            ("a\n    b", "\n\na\n  b", "b", Some("b")),
            ("a\n\n  b", "a\n\nb\n", "b", Some("b")),
            ("a\r\n  b", "a\nb\n", "b", Some("b")),
            ("  a\n  b", "  a\nb\n", "b", Some("b")),
            ("\"a\"\n  b", "\"a\"\nb\n", "b", Some("b")),
            ("'''a\n  b'''", "'''a\nb'''\n", "b'", Some("b'")),
            // The end of a part is at most that of its line.
            ("a(b\n  c", "a(b\nc\n", "(b\nc", Some("(b")),
            // Folded text.
            ("a\n  b", "a b\n", "b", None),
            ("\"a\n  b\"", "a b", "b", None),
            ("\"a\\\n  b\"", "ab", "b", None),
        ] {
            let start = string.find(part).unwrap();
            let place = locate(written, string, &(start..start + part.len()));
            assert_eq!(place.map(|place| &written[place]), found, "{written:?}");
        }
        assert_eq!(locate("'a'", "a", &(1..1)), Some(2..2), "the end");
        assert_eq!(locate("''", "", &(0..0)), Some(1..1), "nothing");
    }
}
