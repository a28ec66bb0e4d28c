//! Python source as tokens.

use super::Fault;
use std::ops::Range;

/// How deeply Python lets brackets nest.
const MAX_BRACKETS: usize = 200;

/// How deeply Python lets blocks nest.
const MAX_INDENTS: usize = 100;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or keyword.
    Name,
    /// A number.
    Number,
    /// A string of any sort. What an f-string nests follows as tokens of its own, two levels deeper.
    Text,
    /// A bracket, operator or delimiter.
    Sign,
    /// The end of a logical line that is not empty.
    NewLine,
    /// The next logical line is indented more.
    Indent,
    /// The next logical line is indented less: one for each block that ends.
    Dedent,
    /// The end of the source.
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'s> {
    pub(super) kind: Kind,
    pub(super) text: &'s str,
    pub(super) start: usize,
    /// How many brackets and f-strings are open around it. A bracket stands outside of what it encloses.
    pub(super) depth: usize,
}

impl<'s> Token<'s> {
    pub(super) fn part(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// Whether it is this sign at the level of statements.
    pub(super) fn is(&self, sign: &str) -> bool {
        self.is_at(0, sign)
    }

    pub(super) fn is_at(&self, depth: usize, sign: &str) -> bool {
        self.kind == Kind::Sign && self.depth == depth && self.text == sign
    }

    /// The name or keyword that it is.
    pub(super) fn word(&self) -> Option<&'s str> {
        (self.kind == Kind::Name).then_some(self.text)
    }
}

/// Something open.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// A bracket, by the one that closes it.
    Bracket { close: u8, start: usize },
    /// The literal part of an f-string.
    Text(Literal),
    /// A `{…}` of an f-string.
    Field { start: usize },
    /// What follows the colon in a `{…}` of an f-string.
    Form,
}

/// How a string is written.
#[derive(Clone, Copy, Debug)]
struct Literal {
    quote: u8,
    triple: bool,
    raw: bool,
    start: usize,
}

pub(super) struct Scanner<'s> {
    source: &'s str,
    at: usize,
    open: Vec<Frame>,
    /// Brackets among them.
    brackets: usize,
    /// The columns of the open blocks, tabs counted as up to eight columns and as one.
    indents: Vec<(usize, usize)>,
    /// How many blocks end here.
    ending: usize,
    /// Whether the next token is the first of its line.
    fresh: bool,
}

impl<'s> Scanner<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self {
            source,
            at: if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 },
            open: Vec::new(),
            brackets: 0,
            indents: Vec::new(),
            ending: 0,
            fresh: true,
        }
    }

    fn bytes(&self) -> &'s [u8] {
        self.source.as_bytes()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    fn after(&self, offset: usize) -> Option<u8> {
        self.bytes().get(self.at + offset).copied()
    }

    fn token(&self, kind: Kind, start: usize) -> Token<'s> {
        Token { kind, text: &self.source[start..self.at], start, depth: self.open.len() }
    }

    /// The next token. After the end come ends for ever.
    pub(super) fn next(&mut self) -> Result<Token<'s>, Fault> {
        loop {
            match self.open.last() {
                Some(Frame::Text(literal)) => {
                    let literal = *literal;
                    self.literal(literal)?;
                    continue;
                }
                Some(Frame::Form) => {
                    self.form()?;
                    continue;
                }
                _ => {}
            }
            if self.fresh && self.open.is_empty() {
                self.fresh = false;
                if let Some(token) = self.indentation()? {
                    return Ok(token);
                }
            }
            if self.ending > 0 {
                self.ending -= 1;
                return Ok(self.token(Kind::Dedent, self.at));
            }
            let start = self.at;
            let Some(byte) = self.peek() else { return self.end() };
            match byte {
                b' ' | b'\t' | b'\x0c' => self.at += 1,
                b'#' => self.comment(),
                b'\n' | b'\r' => {
                    self.line_break();
                    if self.open.is_empty() {
                        self.fresh = true;
                        return Ok(Token { text: "", ..self.token(Kind::NewLine, start) });
                    }
                }
                b'\\' => self.continuation()?,
                b'"' | b'\'' => return self.string(start),
                b'0'..=b'9' => return Ok(self.number(start)),
                b'.' if self.after(1).is_some_and(|next| next.is_ascii_digit()) => {
                    return Ok(self.number(start));
                }
                _ if is_name(byte) => return self.name(start),
                _ => return self.sign(start, byte),
            }
        }
    }

    fn comment(&mut self) {
        while self.peek().is_some_and(|byte| !matches!(byte, b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Passes over one line break.
    fn line_break(&mut self) {
        self.at += if self.bytes()[self.at..].starts_with(b"\r\n") { 2 } else { 1 };
    }

    /// A backslash at the end of a line joins it with the next one.
    fn continuation(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        if matches!(self.peek(), Some(b'\n' | b'\r')) {
            self.line_break();
            if self.peek().is_some() {
                return Ok(());
            }
        }
        Err(Fault::syntax(
            start..start + 1,
            "a backslash outside a string joins a line with the next, and here no line follows it",
            "no line follows",
            "delete it, or end the line right behind it: no blank and no comment may follow",
        ))
    }

    /// Compares the indentation of a line with that of the open blocks. Empty lines have none.
    fn indentation(&mut self) -> Result<Option<Token<'s>>, Fault> {
        let (mut wide, mut narrow) = (0, 0);
        // The indentation of a line that is joined with the next is that of its first part.
        let mut joined = None;
        let mut start = self.at;
        loop {
            match self.peek() {
                Some(b' ') => (wide, narrow) = (wide + 1, narrow + 1),
                Some(b'\t') => (wide, narrow) = ((wide / 8 + 1) * 8, narrow + 1),
                Some(b'\x0c') => (wide, narrow) = (0, 0),
                Some(b'#') => {
                    self.comment();
                    continue;
                }
                Some(b'\n' | b'\r') => {
                    self.line_break();
                    (wide, narrow, start, joined) = (0, 0, self.at, None);
                    continue;
                }
                Some(b'\\') => {
                    joined = joined.or(Some((wide, narrow)));
                    self.continuation()?;
                    continue;
                }
                Some(_) => break,
                None => {
                    self.ending += self.indents.len();
                    self.indents.clear();
                    self.fresh = true;
                    return Ok(None);
                }
            }
            self.at += 1;
        }
        let here = joined.filter(|joined| joined.0 > 0).unwrap_or((wide, narrow));
        let last = self.indents.last().copied().unwrap_or_default();
        let part = start..self.at;
        if here.0 > last.0 {
            if here.1 <= last.1 {
                return Err(mixed(part));
            }
            if self.indents.len() + 1 >= MAX_INDENTS {
                return Err(Fault::syntax(
                    part,
                    format!("Python lets blocks nest {MAX_INDENTS} deep and no deeper"),
                    "too deep",
                    "move the inner blocks into functions of their own",
                ));
            }
            self.indents.push(here);
            return Ok(Some(self.token(Kind::Indent, self.at)));
        }
        while let Some(last) = self.indents.last().copied().filter(|last| last.0 > here.0) {
            self.indents.pop();
            self.ending += 1;
            let outer = self.indents.last().copied().unwrap_or_default();
            if here.0 > outer.0 {
                return Err(Fault::syntax(
                    part,
                    "the indentation of this line is that of no block around it",
                    "between two levels",
                    format!("indent it by {} or by {} columns", outer.0, last.0),
                ));
            }
        }
        if here.1 != self.indents.last().copied().unwrap_or_default().1 {
            return Err(mixed(part));
        }
        Ok(None)
    }

    fn end(&mut self) -> Result<Token<'s>, Fault> {
        if let Some(Frame::Bracket { start, .. } | Frame::Field { start }) = self.open.last() {
            let part = *start..start + 1;
            let bracket = &self.source[part.clone()];
            return Err(Fault::syntax(
                part,
                format!("this `{bracket}` is never closed"),
                "never closed",
                "close it where its contents end",
            ));
        }
        if !self.fresh {
            // The last line may lack its end.
            self.fresh = true;
            return Ok(self.token(Kind::NewLine, self.at));
        }
        Ok(self.token(Kind::End, self.at))
    }

    fn number(&mut self, start: usize) -> Token<'s> {
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')) {
            self.at += 1;
        }
        self.token(Kind::Number, start)
    }

    fn name(&mut self, start: usize) -> Result<Token<'s>, Fault> {
        while let Some(byte) = self.peek() {
            if byte.is_ascii() {
                if !is_name(byte) && !byte.is_ascii_digit() {
                    break;
                }
                self.at += 1;
                continue;
            }
            let Some(c) = self.source[self.at..].chars().next() else { break };
            if is_no_name(c) {
                if self.at > start {
                    break;
                }
                return Err(odd_character(c, self.at));
            }
            self.at += c.len_utf8();
        }
        let text = &self.source[start..self.at];
        let is_prefix = text.len() <= 2
            && matches!(
                text.to_ascii_lowercase().as_str(),
                "r" | "u" | "b" | "br" | "rb" | "f" | "fr" | "rf" | "t" | "tr" | "rt"
            );
        if is_prefix && matches!(self.peek(), Some(b'"' | b'\'')) {
            return self.string(start);
        }
        Ok(self.token(Kind::Name, start))
    }

    /// A string whose prefix was passed over.
    fn string(&mut self, start: usize) -> Result<Token<'s>, Fault> {
        let prefix = &self.source[start..self.at];
        let has = |letter: char| prefix.contains([letter, letter.to_ascii_uppercase()]);
        let (raw, nests) = (has('r'), has('f') || has('t'));
        let quote = self.bytes()[self.at];
        let triple = self.after(1) == Some(quote) && self.after(2) == Some(quote);
        self.at += if triple { 3 } else { 1 };
        let literal = Literal { quote, triple, raw, start };
        if nests {
            let token = self.token(Kind::Text, start);
            self.open.push(Frame::Text(literal));
            return Ok(token);
        }
        loop {
            match self.peek() {
                Some(b'\\') => self.escape(),
                Some(b'\n' | b'\r') if !triple => return Err(self.unterminated(literal)),
                Some(byte) if byte == quote && self.closes(literal) => {
                    self.at += if triple { 3 } else { 1 };
                    return Ok(self.token(Kind::Text, start));
                }
                Some(_) => self.at += 1,
                None => return Err(self.unterminated(literal)),
            }
        }
    }

    /// Passes over a backslash and what it is before.
    fn escape(&mut self) {
        self.at += 1;
        match self.peek() {
            Some(b'\r') => self.line_break(),
            // The rest of a longer character is passed over as any other.
            Some(_) => self.at += 1,
            None => {}
        }
    }

    fn closes(&self, literal: Literal) -> bool {
        !literal.triple || self.after(1) == Some(literal.quote) && self.after(2) == Some(literal.quote)
    }

    fn unterminated(&self, literal: Literal) -> Fault {
        let rest = &self.source[literal.start..self.at];
        let line = rest.split(['\n', '\r']).next().unwrap_or_default().trim_end();
        let quotes = char::from(literal.quote).to_string().repeat(if literal.triple { 3 } else { 1 });
        let help = if literal.triple {
            format!("close it with {quotes}")
        } else {
            format!("close it with {quotes} on the same line, or write it between three quotes on several")
        };
        Fault::syntax(
            literal.start..literal.start + line.len(),
            "this string is never closed",
            "never closed",
            help,
        )
    }

    /// The literal part of an f-string, up to a `{` or to its end.
    fn literal(&mut self, literal: Literal) -> Result<(), Fault> {
        loop {
            match self.peek() {
                Some(b'\\') => match self.after(1) {
                    // Doubled or not, a brace is no part of an escape.
                    Some(b'{' | b'}') => self.at += 1,
                    Some(b'N') if !literal.raw && self.after(2) == Some(b'{') => {
                        let rest = &self.bytes()[self.at..];
                        self.at += rest
                            .iter()
                            .position(|byte| matches!(byte, b'}' | b'\n' | b'\r' | b'"' | b'\''))
                            .map_or(rest.len(), |length| length + usize::from(rest[length] == b'}'));
                    }
                    _ => self.escape(),
                },
                Some(b'{') if self.after(1) == Some(b'{') => self.at += 2,
                Some(b'{') => return self.field(),
                Some(b'\n' | b'\r') if !literal.triple => return Err(self.unterminated(literal)),
                Some(byte) if byte == literal.quote && self.closes(literal) => {
                    self.at += if literal.triple { 3 } else { 1 };
                    self.open.pop();
                    return Ok(());
                }
                Some(_) => self.at += 1,
                None => return Err(self.unterminated(literal)),
            }
        }
    }

    /// Opens a `{…}` of an f-string.
    fn field(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        self.push_bracket(Frame::Field { start }, start)
    }

    fn push_bracket(&mut self, frame: Frame, start: usize) -> Result<(), Fault> {
        if self.brackets == MAX_BRACKETS {
            return Err(Fault::syntax(
                start..start + 1,
                format!("Python lets brackets nest {MAX_BRACKETS} deep and no deeper"),
                "too deep",
                "give the inner parts names of their own",
            ));
        }
        self.brackets += 1;
        self.open.push(frame);
        Ok(())
    }

    /// What follows the colon in a `{…}` of an f-string, up to a nested `{` or to its end.
    fn form(&mut self) -> Result<(), Fault> {
        let outer = self.open.iter().rev().find_map(|frame| match frame {
            Frame::Text(literal) => Some(*literal),
            _ => None,
        });
        let Some(literal) = outer else {
            self.open.pop();
            return Ok(());
        };
        loop {
            match self.peek() {
                Some(b'{') => return self.field(),
                Some(b'}') => {
                    self.at += 1;
                    self.open.pop();
                    self.close_bracket();
                    return Ok(());
                }
                Some(b'\n' | b'\r') if !literal.triple => {
                    self.open.pop();
                    return Ok(());
                }
                Some(b'\\') => self.escape(),
                Some(byte) if byte == literal.quote && self.closes(literal) => {
                    return Err(self.unclosed_field());
                }
                Some(_) => self.at += 1,
                None => return Err(self.unclosed_field()),
            }
        }
    }

    fn unclosed_field(&self) -> Fault {
        let start = self.open.iter().rev().find_map(|frame| match frame {
            Frame::Field { start } => Some(*start),
            _ => None,
        });
        let start = start.unwrap_or(self.at);
        Fault::syntax(
            start..start + 1,
            "this `{` of an f-string is never closed",
            "never closed",
            "close it with `}`, or write `{{` for a brace",
        )
    }

    fn close_bracket(&mut self) {
        self.open.pop();
        self.brackets -= 1;
    }

    fn sign(&mut self, start: usize, byte: u8) -> Result<Token<'s>, Fault> {
        match byte {
            b'(' | b'[' | b'{' => {
                self.at += 1;
                let token = self.token(Kind::Sign, start);
                let close = if byte == b'(' { b')' } else { byte + 2 };
                self.push_bracket(Frame::Bracket { close, start }, start)?;
                Ok(token)
            }
            b')' | b']' | b'}' => {
                self.at += 1;
                self.closing(start, byte)?;
                Ok(self.token(Kind::Sign, start))
            }
            b':' if matches!(self.open.last(), Some(Frame::Field { .. })) => {
                self.at += 1;
                let token = self.token(Kind::Sign, start);
                self.open.push(Frame::Form);
                Ok(token)
            }
            b'!' if self.after(1) != Some(b'=') && !matches!(self.open.last(), Some(Frame::Field { .. })) => {
                Err(odd_character('!', start))
            }
            b':' | b'=' | b'!' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^'
            | b'@' | b'~' | b',' | b';' | b'.' => {
                self.at += 1;
                let next = self.peek();
                let doubled = matches!(byte, b'*' | b'/' | b'<' | b'>') && next == Some(byte);
                if doubled || byte == b'-' && next == Some(b'>') {
                    self.at += 1;
                }
                let assigns = !matches!(byte, b'~' | b',' | b';' | b'.');
                if assigns && self.peek() == Some(b'=') {
                    self.at += 1;
                }
                Ok(self.token(Kind::Sign, start))
            }
            _ => {
                let c = self.source[start..].chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
                Err(odd_character(c, start))
            }
        }
    }

    fn closing(&mut self, start: usize, byte: u8) -> Result<(), Fault> {
        let found = char::from(byte);
        let (wanted, opened) = match self.open.last() {
            Some(Frame::Bracket { close, start }) => (*close, *start),
            Some(Frame::Field { start }) => (b'}', *start),
            _ => {
                return Err(Fault::syntax(
                    start..start + 1,
                    format!("this `{found}` closes nothing"),
                    "closes nothing",
                    "delete it, or open its bracket before it",
                ));
            }
        };
        if wanted == byte {
            self.close_bracket();
            return Ok(());
        }
        let bracket = char::from(self.bytes()[opened]);
        Err(Fault::syntax(
            start..start + 1,
            format!("this `{found}` cannot close the `{bracket}` that is open"),
            format!("`{}` is expected", char::from(wanted)),
            "close the brackets in the order in which they were opened, from the inside out",
        ))
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii()
}

/// Characters beyond ASCII that are surely no part of a name: blanks, quotes, dashes and what nobody sees.
fn is_no_name(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(u32::from(c), 0xab | 0xbb | 0x200b | 0x2010..=0x2015 | 0x2018..=0x201f | 0x2026 | 0x202a..=0x202e | 0x2060 | 0xfeff)
}

fn odd_character(c: char, start: usize) -> Fault {
    let code = u32::from(c);
    let (name, help) = match c {
        '“' | '”' | '„' | '‘' | '’' | '«' | '»' => {
            (format!("`{c}`"), "write a plain quote, `\"` or `'`: word processors put others in their place")
        }
        '–' | '—' | '‐' | '‑' => (format!("`{c}`"), "write a plain hyphen, `-`"),
        c if c.is_whitespace() => (format!("the blank U+{code:04X}"), "write an ordinary space"),
        '!' => ("`!`".to_owned(), "write `not`, or `!=` where two values are compared"),
        c if c.is_ascii_graphic() => (format!("`{c}`"), "delete it, or write it in quotes"),
        _ => (format!("the character U+{code:04X}"), "delete it: outside strings Python does not take it"),
    };
    Fault::syntax(
        start..start + c.len_utf8(),
        format!("{name} has no meaning in Python outside a string"),
        "not Python",
        help,
    )
}

fn mixed(part: Range<usize>) -> Fault {
    Fault::syntax(
        part,
        "tabs and spaces are mixed so that the level of this line depends on how wide a tab is",
        "tabs and spaces mixed",
        "indent with spaces alone, four for each level",
    )
}
