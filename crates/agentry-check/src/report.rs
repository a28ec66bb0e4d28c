//! Rendering an outcome: for people ([`human`]), for programs ([`json`]), for viewers of code scanning ([`sarif`]), for
//! the log of a GitHub workflow ([`github`]), and for whatever shows test results ([`junit`]).

pub mod github;
pub mod human;
pub mod json;
pub mod junit;
mod place;
pub mod sarif;

use std::path::Path;

pub(crate) use place::{normal, relative};

/// A path as people are shown it: in one line, whatever characters its names have.
pub fn shown_path(path: &Path) -> String {
    one_line(&path.to_string_lossy())
}

/// A text in which characters that begin a line, move the cursor or turn the direction of writing are escaped.
pub fn one_line(text: &str) -> String {
    let moves = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if moves(c) { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn a_name_stays_in_its_line() {
        for (name, shown) in [
            ("a\nerror: b", "a\\nerror: b"),
            ("a\r\u{1b}[2Jb", "a\\r\\u{1b}[2Jb"),
            ("a\u{202e}b\u{2028}", "a\\u{202e}b\\u{2028}"),
            ("C:\\é ü", "C:\\é ü"),
        ] {
            assert_eq!(one_line(name), shown);
        }
    }
}
