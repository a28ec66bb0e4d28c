//! Byte offsets to lines and columns.

/// A place as people count it: lines from 1, columns in characters from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Indexes a text.
    pub fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// The place of a byte offset; past the end it is the end.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        let start = self.starts[line - 1];
        Position { line, column: self.text[start..offset].chars().count() + 1 }
    }

    /// The bytes of a line, from 1, without its end.
    pub fn line(&self, line: usize) -> &'t str {
        let Some(&start) = line.checked_sub(1).and_then(|line| self.starts.get(line)) else { return "" };
        let end = self.starts.get(line).map_or(self.text.len(), |&next| next - 1);
        self.text[start..end].trim_end_matches('\r')
    }

    /// Where a line begins, from 1; past the last line, the end of the text.
    pub fn start(&self, line: usize) -> usize {
        line.checked_sub(1).and_then(|line| self.starts.get(line)).copied().unwrap_or(self.text.len())
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_end_without_their_break() {
        let lines = Lines::new("a = 1\r\nü = \"x\"\n");
        assert_eq!(lines.position(0), Position { line: 1, column: 1 });
        assert_eq!(lines.position(7), Position { line: 2, column: 1 });
        assert_eq!(lines.position(9), Position { line: 2, column: 2 });
        assert_eq!(lines.position(8), Position { line: 2, column: 1 }, "inside a character: its start");
        assert_eq!(lines.position(999), Position { line: 3, column: 1 });
        assert_eq!(
            (lines.line(1), lines.line(2), lines.line(3), lines.line(4)),
            ("a = 1", "ü = \"x\"", "", "")
        );
    }
}
