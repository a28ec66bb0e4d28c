//! Faults of syntax in words that say what to write, and how to get over each so that the rest is read too.

use super::build::{Mended, Place};
use super::write::quote;
use crate::finding::Finding;
use crate::fix::{Change, Safety};
use crate::mask::{mask_secrets, may_name_secret, quoted};
use crate::rules;
use crate::tree::Span;
use granit_parser::{ErrorKind, ScanError};

/// The longest line that a help repeats, in bytes.
const MAX_LINE: usize = 2_000;

/// How the text is changed so that the parser gets over a fault.
pub(super) enum Mend {
    /// The range is one text.
    Text(Span, Mended),
    /// Nothing in the range is read.
    Blank(Span),
    /// Tabs that indent become spaces.
    Untab,
}

pub(super) struct Fault {
    pub(super) finding: Finding,
    pub(super) mend: Mend,
}

/// A line, taken apart without a parser: `- key: value # comment`.
struct Line<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    /// Where its first character that is no blank stands.
    first: usize,
    /// Its key, with quotes if it has some.
    key: Option<Span>,
    /// Its value without the comment; empty where there is none.
    value: Span,
}

impl<'t> Line<'t> {
    fn at(text: &'t str, at: usize) -> Self {
        let at = text.floor_char_boundary(at);
        let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
        let end = text[start..].find('\n').map_or(text.len(), |found| start + found);
        let end = start + text[start..end].trim_end_matches('\r').len();
        let mut start = start;
        if text[start..].starts_with('\u{feff}') {
            start += '\u{feff}'.len_utf8();
        }
        let blanks = |from: usize| from + blanks(&text[from..end]);
        let first = blanks(start);
        let mut item = first;
        while text[item..end].starts_with('-')
            && (item + 1 == end || text[item + 1..end].starts_with([' ', '\t']))
        {
            item = blanks(item + 1);
        }
        let colon = colon(&text[item..end]).map(|colon| item + colon);
        let value = blanks(colon.map_or(item, |colon| colon + 1));
        let length = without_comment(&text[value..end]).len();
        Self {
            text,
            start,
            end,
            first,
            key: colon.map(|colon| Span::new(item, item + text[item..colon].trim_end().len())),
            value: Span::new(value, value + length),
        }
    }

    fn next(&self) -> Option<Self> {
        let line_break = self.text[self.end..].find('\n')?;
        let start = self.end + line_break + 1;
        (start < self.text.len()).then(|| Self::at(self.text, start))
    }

    fn indent(&self) -> usize {
        self.first - self.start
    }

    fn is_blank(&self) -> bool {
        self.first == self.end
    }

    fn has_tabs(&self) -> bool {
        self.text[self.start..self.first].contains('\t') && !self.is_blank()
    }

    /// The line and the lines below it that are indented more than `indent`.
    fn block(&self, indent: usize) -> Span {
        let mut end = self.end;
        let mut line = self.next();
        while let Some(below) = line.filter(|below| below.is_blank() || below.indent() > indent) {
            if !below.is_blank() {
                end = below.end;
            }
            line = below.next();
        }
        Span::new(self.start, end)
    }

    /// Whether the lines above are a block of text (`|` or `>`) that is indented more.
    fn ends_block_text(&self) -> bool {
        let mut start = self.start;
        while let Some(end) = self.text[..start].rfind('\n') {
            let line = Self::at(self.text, end);
            if !line.is_blank() && line.indent() < self.indent() {
                return self.text[line.value.start..line.end].starts_with(['|', '>']);
            }
            start = line.start;
        }
        false
    }

    /// How a finding names the value of this line.
    fn value_name(&self) -> String {
        match self.key {
            Some(key) => format!("the value of {}", quoted(unquoted(&self.text[key.start..key.end]))),
            None => "the value".to_owned(),
        }
    }

    /// What to write: the line with `value` in quotes.
    fn in_quotes(&self, value: Span, text: &str) -> String {
        let secret = self.key.is_some_and(|key| is_private(&self.text[key.start..key.end]));
        if secret || self.end - self.first > MAX_LINE {
            return "put the whole value in quotes".to_owned();
        }
        let (Some(before), Some(after)) =
            (self.text.get(self.first..value.start), self.text.get(value.end..self.end))
        else {
            return "put the whole value in quotes".to_owned();
        };
        let line = format!("{before}{}{after}", quote(text));
        format!("put the value in quotes: `{}`", mask_secrets(line.trim_end()))
    }

    /// The same with the value as it stands.
    fn value_in_quotes(&self) -> String {
        self.in_quotes(self.value, &self.text[self.value.start..self.value.end])
    }

    /// A fault of this line's value, which is then read as one text.
    fn text_fault(&self, span: Span, message: &str, label: &str, help: String, text: &str) -> Fault {
        let finding =
            Finding::new(&rules::UNQUOTED_TEXT, "", span, not_yaml(message)).label(label).help(help);
        let mended = Mended { end: self.value.end, text: text.to_owned() };
        let finding = in_quotes_all(finding, self.text, self.value);
        Fault { finding, mend: Mend::Text(self.value, mended) }
    }

    /// A fault of the whole line, which is then passed over with what is below it.
    fn fault(&self, span: Span, message: &str, label: &str, help: Option<String>) -> Fault {
        let mut finding = Finding::new(&rules::SYNTAX, "", span, not_yaml(message)).label(label);
        finding.help = help;
        Fault { finding, mend: Mend::Blank(self.block(self.indent())) }
    }
}

fn not_yaml(message: &str) -> String {
    format!("this is not YAML: {message}")
}

/// The character at a place.
fn character(text: &str, at: usize) -> Span {
    let rest = text.get(at..).unwrap_or_default();
    Span::new(at.min(text.len()), at.min(text.len()) + rest.chars().next().map_or(0, char::len_utf8))
}

fn blanks(text: &str) -> usize {
    text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Where the colon after a key stands.
fn colon(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    if text.starts_with(['[', '{', '#']) {
        return None;
    }
    let from = match quote {
        Some(quote) => 1 + text[1..].find(quote)? + 1,
        None => 0,
    };
    text[from..]
        .char_indices()
        .map(|(at, c)| (from + at, c))
        .find(|&(at, c)| c == ':' && text[at + 1..].chars().next().is_none_or(|c| matches!(c, ' ' | '\t')))
        .map(|(at, _)| at)
        .filter(|&at| quote.is_none() || text[from..at].trim().is_empty())
}

/// The text of a value without the blanks and the comment behind it.
fn without_comment(text: &str) -> &str {
    let comment = text.match_indices(" #").find(|(at, _)| {
        let rest = &text[at + 2..];
        rest.is_empty() || rest.starts_with([' ', '\t', '#'])
    });
    text[..comment.map_or(text.len(), |(at, _)| at)].trim_end()
}

fn unquoted(key: &str) -> &str {
    key.trim_matches(['"', '\''])
}

/// Whether no message may repeat the value of a key: one that holds a secret by its name, or the name of a variable
/// that holds one, where many write the secret itself.
pub(super) fn is_private(key: &str) -> bool {
    let key = unquoted(key);
    let variable = key.strip_suffix("_env").or_else(|| key.strip_suffix("_ENV"));
    may_name_secret(key) || variable.is_some_and(may_name_secret)
}

/// The finding about tabs that indent a line.
pub(super) fn tab(text: &str, at: usize, pointer: String) -> Finding {
    let line = Line::at(text, at);
    let from = line.start + text[line.start..line.first].find('\t').unwrap_or(0);
    let others = tabbed(text).filter(|other| other.start > line.start).count();
    let label = match others {
        0 => "a tab".to_owned(),
        1 => "a tab, and in 1 line below".to_owned(),
        others => format!("a tab, and in {others} lines below"),
    };
    Finding::new(
        &rules::TAB_INDENTATION,
        pointer,
        Span::new(from, from + 1),
        not_yaml("a tab indents this line, and only spaces can"),
    )
    .label(label)
    .help("indent with spaces, two for each level")
}

/// The lines that a tab indents from their very beginning.
pub(super) fn tabbed(text: &str) -> impl Iterator<Item = Span> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let at = start;
        start += line.len();
        let indent = blanks(line);
        let blank = line.trim().is_empty();
        (line.starts_with('\t') && !blank).then(|| Span::new(at, at + indent))
    })
}

/// Whether a tab indents the line of a place.
pub(super) fn is_tabbed(text: &str, at: usize) -> bool {
    Line::at(text, at).has_tabs()
}

/// Says what an error of the parser means, and how to go on.
pub(super) fn diagnose(text: &str, error: &ScanError, place: Place) -> Fault {
    let at = text.floor_char_boundary(error.marker().byte_offset().unwrap_or(text.len()));
    let mut fault = find(text, error.kind(), at, &place);
    let line = Line::at(text, fault.finding.span.start);
    fault.finding.pointer = match place.last {
        Some((_, pointer)) if matches!(fault.mend, Mend::Text(..)) => pointer,
        Some((key, pointer)) if (line.start..line.end).contains(&key.start) => pointer,
        _ => place.pointer,
    };
    fault
}

fn find(text: &str, kind: &ErrorKind, at: usize, place: &Place) -> Fault {
    use ErrorKind as E;
    let line = Line::at(text, at);
    if let Some(fault) = tab_fault(text, kind, &line) {
        return fault;
    }
    match kind {
        E::MappingValueNotAllowed => {
            if let Some(fault) = unquoted_colon(text, at, place) {
                return fault;
            }
        }
        E::UnclosedQuotedScalar | E::DocumentIndicatorInQuotedScalar | E::InvalidQuotedScalarIndent => {
            return open_quote(text, at);
        }
        E::UnknownQuotedScalarEscape
        | E::InvalidQuotedScalarHexEscape
        | E::InvalidLowSurrogateHexEscape
        | E::InvalidLowSurrogate
        | E::MissingLowSurrogate
        | E::UnpairedLowSurrogate
        | E::InvalidUnicodeEscape => return escape(text, at),
        E::InvalidTrailingSingleQuotedScalar | E::InvalidTrailingDoubleQuotedScalar => {
            return after_quote(text, at, matches!(kind, E::InvalidTrailingDoubleQuotedScalar));
        }
        E::UnclosedFlowCollection { .. }
        | E::UnexpectedEofFlowSequence
        | E::UnexpectedEofFlowMapping
        | E::UnexpectedEofImplicitFlowMapping => return open_bracket(text, place.bracket.unwrap_or(at)),
        _ => {}
    }
    if let Some(bracket) = place.bracket.filter(|bracket| *bracket < at) {
        let opened = Line::at(text, bracket);
        if opened.start < line.start && line.indent() <= opened.indent() {
            return open_bracket(text, bracket);
        }
    }
    if let Some(fault) = indicator(&line, at, kind) {
        return fault;
    }
    match kind {
        E::SimpleKeyExpected | E::InvalidSimpleKey => no_key(&line),
        E::ExpectedBlockMappingKey | E::ExpectedBlockSequenceEntry | E::InvalidIndentation
            if at <= line.first || text[line.first..line.end].starts_with("- ") =>
        {
            misindented(&line, kind, place)
        }
        _ => {
            let (message, help) = words(kind);
            line.fault(character(text, at), message, "here", help.map(str::to_owned))
        }
    }
}

/// A tab in the indentation, of this line or the next that is not empty.
fn tab_fault(text: &str, kind: &ErrorKind, line: &Line<'_>) -> Option<Fault> {
    use ErrorKind as E;
    let said = matches!(
        kind,
        E::TabNotAllowed
            | E::TabInBlockIndentation
            | E::TabInIndentation
            | E::TabInPlainScalar
            | E::TabAtBlockScalarStart
    );
    let at = if line.has_tabs() {
        line.start
    } else if said {
        let mut below = line.next();
        while below.as_ref().is_some_and(Line::is_blank) {
            below = below.and_then(|line| line.next());
        }
        below.filter(Line::has_tabs)?.start
    } else {
        return None;
    };
    let finding = tab(text, at, String::new());
    // A tab behind spaces is passed over with its line: what level it is on is not known.
    let mend = if text[at..].starts_with('\t') {
        Mend::Untab
    } else {
        let line = Line::at(text, at);
        Mend::Blank(line.block(line.indent()))
    };
    Some(Fault { finding, mend })
}

/// A colon that starts a mapping where there cannot be one: by far the most common fault.
fn unquoted_colon(text: &str, at: usize, place: &Place) -> Option<Fault> {
    let (scalar, true) = place.scalar? else { return None };
    if !text.get(scalar.end..at)?.trim().is_empty() {
        return None;
    }
    let line = Line::at(text, at);
    let colon = Span::new(at, at + 1);
    if place.bracket.is_some() {
        return None;
    }
    let first = Line::at(text, scalar.start);
    if !place.inside {
        // The first lines hold no key at all, and were taken for the beginning of a text.
        return (first.start < line.start).then(|| no_key(&first));
    }
    // The parser may have given the value already when it meets the colon.
    let key = place.key.or(place.last.as_ref().map(|(key, _)| *key)).filter(|key| key.end <= scalar.start);
    let owner = Line::at(text, key.map_or(scalar.start, |key| key.start));
    let indent = key.map_or(owner.first, |key| key.start).saturating_sub(owner.start);
    let name = key.map_or("the list item".to_owned(), |key| quoted(unquoted(&text[key.start..key.end])));
    let before = text[line.first..at].trim_end();
    // Below a single word stands a key that is indented too far; below a sentence, the rest of it. What begins with a
    // capital letter is hardly a key.
    let sentence = text[scalar.start..first.end.max(scalar.start)].trim().contains([' ', '\t']);
    let nested = line.start > scalar.start
        && !before.contains([' ', '\t'])
        && !before.starts_with(char::is_uppercase)
        && !sentence;
    if let Some(key) = key.filter(|_| nested && first.start == owner.start) {
        let secret = is_private(&text[key.start..key.end]);
        let child = if secret { "this line".to_owned() } else { quoted(unquoted(before)) };
        let finding = Finding::new(
            &rules::SYNTAX,
            "",
            Span::new(line.first, at),
            not_yaml(&format!("{child} is indented below {name}, which has a value on its own line")),
        )
        .label("cannot stand below a value")
        .related(key, "this key has a value")
        .help(format!("indent {child} like {name}, or move the value of {name} to the lines below it"));
        return Some(Fault { finding, mend: Mend::Blank(line.block(indent)) });
    }
    // Everything that is indented below the key is one text.
    let block = owner.block(indent);
    let several = first.end < block.end.max(at);
    let value = if several {
        Span::new(scalar.start, block.end.max(at + 1))
    } else {
        let length = without_comment(&text[scalar.start..first.end]).len();
        Span::new(scalar.start, scalar.start + length.max(at + 1 - scalar.start))
    };
    let written = &text[value.start..value.end];
    let folded = written.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let help = if !several {
        line.in_quotes(value, written)
    } else if key.is_none() {
        "put the whole text in quotes".to_owned()
    } else if first.start > owner.start {
        format!("write `{}: >-`, and leave the lines below as they are", name.trim_matches('`'))
    } else {
        let quotes = if folded.len() > MAX_LINE {
            "put the whole text in quotes".to_owned()
        } else {
            first.in_quotes(Span::new(scalar.start, first.end), &folded)
        };
        format!("{quotes}, or write `{}: >-` and its text on the lines below", name.trim_matches('`'))
    };
    let ends = if at + 1 == line.end { "at the end of a line" } else { "with a space after it" };
    let finding = Finding::new(
        &rules::UNQUOTED_TEXT,
        "",
        colon,
        not_yaml(&format!(
            "the text of {name} has no quotes, and a colon {ends} cannot stand in such a text"
        )),
    )
    .label("this colon")
    .help(help);
    let mended = Mended { end: value.end, text: folded };
    let finding = in_quotes_all(finding, text, value);
    Some(Fault { finding, mend: Mend::Text(value, mended) })
}

/// The finding with the fix that puts a whole text in quotes, if it has none yet.
fn in_quotes_all(finding: Finding, text: &str, value: Span) -> Finding {
    if text.get(value.start..value.end).is_none_or(|written| written.starts_with(['"', '\''])) {
        return finding;
    }
    // The value is read as that text already.
    finding.mend(Safety::Safe, "", Change::QuoteText { at: value })
}

/// A quote that is never closed, or not where it should be.
fn open_quote(text: &str, at: usize) -> Fault {
    let is_quote = |at: usize| text.get(at..).is_some_and(|text| text.starts_with(['"', '\'']));
    let value = Line::at(text, at).value;
    let start = if is_quote(at) { at } else { value.start };
    let line = Line::at(text, start);
    if !is_quote(start) {
        return line.fault(character(text, at), "text follows where a value has ended", "here", None);
    }
    let quote = if text[start..].starts_with('"') { '"' } else { '\'' };
    let span = character(text, start);
    let close = format!("close it with {quote}");
    if start != line.value.start {
        return line.fault(span, "a quote is never closed", "opened here", Some(close));
    }
    let inner = text[start..line.value.end].trim_start_matches(quote);
    let help = if inner.contains(quote) {
        close
    } else {
        format!("{close}, or {}", line.in_quotes(line.value, inner))
    };
    let mut fault = line.text_fault(span, "a quote is never closed", "opened here", help, inner);
    fault.finding.rule = &rules::SYNTAX;
    fault
}

/// An escape that does not exist.
fn escape(text: &str, at: usize) -> Fault {
    let line = Line::at(text, at);
    let body = text.get(at + 1..).unwrap_or_default();
    let mut found = None;
    let mut end = text.len();
    let mut inner = body;
    let mut chars = body.char_indices().map(|(offset, c)| (at + 1 + offset, c));
    while let Some((offset, c)) = chars.next() {
        match c {
            '"' => {
                end = offset + 1;
                inner = &text[at + 1..offset];
                break;
            }
            '\\' => {
                let Some((_, next)) = chars.next() else { break };
                if found.is_none() && !is_escape(next, &text[offset + 1 + next.len_utf8()..]) {
                    found = Some(Span::new(offset, offset + 1 + next.len_utf8()));
                }
            }
            _ => {}
        }
    }
    let span = found.unwrap_or(character(text, at));
    let message = format!("{} is not an escape", quoted(&text[span.start..span.end]));
    let help = if inner.contains(['\'', '\n']) {
        "a backslash in \"…\" is written \\\\".to_owned()
    } else if line.value == Span::new(at, end)
        && !line.key.is_some_and(|key| is_private(&text[key.start..key.end]))
    {
        format!(
            "a backslash in \"…\" is written \\\\; in '…' it is itself: `{}'{}'`",
            mask_secrets(&text[line.first..at]),
            mask_secrets(inner)
        )
    } else {
        "a backslash in \"…\" is written \\\\; in '…' it is itself".to_owned()
    };
    let finding = Finding::new(&rules::SYNTAX, "", span, not_yaml(&message))
        .label("in \"…\" a backslash begins an escape")
        .help(help);
    let mended = Mended { end, text: inner.to_owned() };
    Fault { finding, mend: Mend::Text(Span::new(at, end), mended) }
}

fn is_escape(c: char, rest: &str) -> bool {
    let digits = match c {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => return "0abt\tnvfre \"/\\N_LP\n\r".contains(c),
    };
    let digits = rest.get(..digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    // A half of a surrogate pair stands for nothing by itself.
    digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32).is_some()
}

/// Text behind a closing quote.
fn after_quote(text: &str, at: usize, double: bool) -> Fault {
    let quote = if double { '"' } else { '\'' };
    let line = Line::at(text, at);
    let value = &text[line.value.start..line.value.end];
    if !value.starts_with(quote) {
        // The quote that was closed here opened on an earlier line.
        let opened = text[..line.start].rfind(quote).unwrap_or(at);
        return open_quote(text, Line::at(text, opened).value.start);
    }
    let earlier = line.start.checked_sub(1).map(|end| Line::at(text, end));
    if value.len() > 1
        && value.ends_with(quote)
        && !value[1..value.len() - 1].contains(quote)
        && let Some(opened) = earlier.and_then(|earlier| opening_before(text, earlier.start, quote))
    {
        return open_quote(text, opened);
    }
    let span = Span::new(at.min(line.end), line.value.end.max(at.min(line.end)));
    let inner = value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote)).unwrap_or_default();
    // `'it's'` and `"a "b" c"` have quotes within their quotes, `"a" and "b"` has not.
    let within = inner
        .split_once(quote)
        .is_some_and(|(before, after)| before.ends_with(' ') || after.starts_with(char::is_alphanumeric));
    if within {
        let message = format!("{} has quotes within its quotes", line.value_name());
        return line.text_fault(
            span,
            &message,
            "the text was closed before this",
            line.in_quotes(line.value, inner),
            inner,
        );
    }
    let message = format!("{} goes on after its closing quote", line.value_name());
    line.text_fault(span, &message, "after the closing quote", line.value_in_quotes(), value)
}

/// The quote above a place that opens a text on its line and does not close it there.
fn opening_before(text: &str, at: usize, quote: char) -> Option<usize> {
    let mut line = Line::at(text, at);
    for _ in 0..100 {
        let value = &text[line.value.start..line.value.end];
        if let Some(inner) = value.strip_prefix(quote)
            && !inner.contains(quote)
        {
            return Some(line.value.start);
        }
        line = Line::at(text, line.start.checked_sub(1)?);
    }
    None
}

/// A bracket that is never closed.
fn open_bracket(text: &str, at: usize) -> Fault {
    let line = Line::at(text, at);
    let (what, close) = if text.get(at..).is_some_and(|text| text.starts_with('{')) {
        ("a mapping in braces is never closed", "close it with `}`")
    } else {
        ("a list in brackets is never closed", "close it with `]`")
    };
    let mut fault = line.fault(character(text, at), what, "opened here", Some(close.to_owned()));
    // Its entries may stand on lines of their own, however they are indented.
    let mut block = line.block(line.indent());
    while let Some(below) = Line::at(text, block.end).next()
        && (below.is_blank() || below.key.is_none() && below.first == below.value.start)
    {
        block.end = below.end;
    }
    fault.mend = Mend::Blank(block);
    fault
}

/// A value that begins with a character that means something.
fn indicator(line: &Line<'_>, at: usize, kind: &ErrorKind) -> Option<Fault> {
    let value = line.value;
    if at < value.start || at > line.end || value.start == value.end {
        return None;
    }
    let text = &line.text[value.start..value.end];
    let first = text.chars().next()?;
    let name = line.value_name();
    let span = Span::new(value.start, value.start + first.len_utf8());
    let message = match first {
        '`' => format!("{name} begins with a backtick, which a text without quotes cannot"),
        '@' | '%' | ',' | '}' | ']' => {
            format!("{name} begins with `{first}`, which a text without quotes cannot")
        }
        '{' if text.starts_with("{{") => {
            format!("{name} begins with `{{{{`, which YAML reads as a mapping")
        }
        '[' | '{' => format!("{name} begins with `{first}`, and goes on after the bracket that closes it"),
        '*' => format!("{name} begins with `*`, which YAML reads as an alias"),
        '&' => format!("{name} begins with `&`, which YAML reads as an anchor"),
        '!' => format!("{name} begins with `!`, which YAML reads as a tag"),
        '|' | '>' if matches!(kind, ErrorKind::InvalidBlockScalarHeader) => {
            format!("{name} begins with `{first}`, and a block of text starts on the next line")
        }
        '"' | '\'' => {
            // A colon behind a quoted text.
            let message = format!("{name} goes on after its closing quote");
            let span = Span::new(at, value.end.max(at));
            return Some(line.text_fault(
                span,
                &message,
                "after the closing quote",
                line.value_in_quotes(),
                text,
            ));
        }
        '-' | '?' if line.key.is_some() && text[1..].starts_with([' ', '\t']) || text == "-" => {
            let key = line.key.map(|key| quoted(unquoted(&line.text[key.start..key.end])));
            return Some(line.fault(
                span,
                "a list does not begin on the line of its key",
                "a list item",
                Some(format!(
                    "write each item on a line of its own below {}, or put a text in quotes",
                    key.unwrap_or_else(|| "the key".to_owned())
                )),
            ));
        }
        _ => return None,
    };
    // Several values in brackets on several lines are no text.
    Some(line.text_fault(span, &message, "without quotes", line.value_in_quotes(), text))
}

/// A line that should have a key and has none.
fn no_key(line: &Line<'_>) -> Fault {
    let text = &line.text[line.first..line.end];
    let span = Span::new(line.first, line.end);
    let tight = text.find(':').filter(|colon| {
        let key = &text[..*colon];
        !key.is_empty() && !text[colon + 1..].starts_with("//") && !key.contains([' ', '"', '\'', '[', '{'])
    });
    if let Some(colon) = tight {
        let at = line.first + colon;
        let help = if is_private(&text[..colon]) {
            "write a space after the colon".to_owned()
        } else {
            let mended = format!("{} {}", &text[..=colon], text[colon + 1..].trim());
            format!("write `{}`", mask_secrets(mended.get(..MAX_LINE).unwrap_or(&mended)))
        };
        return line.fault(
            Span::new(at, at + 1),
            "the colon after a key is followed by a space, and this one is not",
            "no space after it",
            Some(help),
        );
    }
    line.fault(
        span,
        "expected `key: value`, and this line has no key",
        "no key",
        Some("if it belongs to the text above, indent it more than the key of that text".to_owned()),
    )
}

/// A line that is indented like nothing above it.
fn misindented(line: &Line<'_>, kind: &ErrorKind, place: &Place) -> Fault {
    let span = Span::new(line.first, line.value.end.max(line.first));
    let rest = &line.text[line.first..line.end];
    if place.indents.last() == Some(&line.indent()) && (rest.starts_with("- ") || rest == "-") {
        return line.fault(
            span,
            "a list item stands among the keys of a mapping",
            "a list item",
            Some("give the list a key of its own, and write its items below that key".to_owned()),
        );
    }
    if *kind == ErrorKind::ExpectedBlockSequenceEntry && line.key.is_some() {
        return line.fault(
            span,
            "a key stands where the next item of a list is expected",
            "no list item",
            Some("begin the line with `- ` if it is an item, or give the list a key of its own".to_owned()),
        );
    }
    if line.ends_block_text() {
        return line.fault(
            span,
            "this line is indented less than the block of text above it, and more than its key",
            "belongs to nothing above",
            Some("indent it like the first line of the text".to_owned()),
        );
    }
    let mut indents = place.indents.clone();
    indents.sort_unstable();
    indents.dedup();
    let known: Vec<String> = indents.iter().map(usize::to_string).collect();
    let help = match known.split_last() {
        None => "indent it like what it belongs to".to_owned(),
        Some((last, [])) => format!("the keys above are indented by {last}"),
        Some((last, rest)) => format!("the keys above are indented by {} or {last}", rest.join(", ")),
    };
    line.fault(
        span,
        &format!("this line is indented by {}, like none that it could belong to", line.indent()),
        "belongs to nothing above",
        Some(help),
    )
}

/// The other faults.
fn words(kind: &ErrorKind) -> (&'static str, Option<&'static str>) {
    use ErrorKind as E;
    match kind {
        E::ExpectedBlockMappingKey | E::ExpectedBlockSequenceEntry | E::ExpectedDocumentStart => {
            ("text follows where a value has ended", Some("put the whole value in quotes"))
        }
        E::ExpectedFlowMappingSeparator => ("expected `,` or `}`", Some("write `,` between two entries")),
        E::ExpectedFlowSequenceSeparator => ("expected `,` or `]`", Some("write `,` between two entries")),
        E::MappingValueNotAllowed
        | E::InvalidColonPlacement
        | E::FlowMappingValueAdjacentCollection
        | E::InvalidMappingValueWhitespace => {
            ("a colon stands where there can be none", Some("put a text with a colon in quotes"))
        }
        E::MappingKeyNotAllowed => {
            ("a key stands where there can be none", Some("put a text that begins with `?` in quotes"))
        }
        E::BlockEntryInFlowCollection
        | E::BlockSequenceEntryNotAllowed
        | E::InvalidBlockEntryWhitespace
        | E::PlainScalarStartsWithDashFlowIndicator => {
            ("a `-` stands where no list item can", Some("a list item is `- value` on a line of its own"))
        }
        E::MisplacedFlowCollectionEnd | E::MismatchedFlowCollectionEnd { .. } => {
            ("a bracket closes what none opened", Some("brackets come in pairs: `[…]` and `{…}`"))
        }
        E::InvalidIndentation | E::InvalidFlowScalarIndent | E::InvalidBlockScalarIndent => {
            ("the indentation does not fit what is above", None)
        }
        E::ZeroBlockScalarIndent | E::InvalidBlockScalarHeader => (
            "`|` and `>` begin a block of text on the next line",
            Some("after them stand at most a digit, `-` or `+`"),
        ),
        E::BomInsideDocument => {
            ("a byte-order mark stands within the text", Some("delete it: it is invisible"))
        }
        E::UnexpectedCharacter { .. } | E::UnexpectedEndOfPlainScalar => {
            ("no value begins with this character", Some("put the value in quotes"))
        }
        E::CommentInterceptedScalar => {
            ("a comment cuts a text in two", Some("put the whole text in quotes, or the comment above it"))
        }
        E::CommentNotSeparated => ("a comment needs a space before its `#`", None),
        E::MissingAnchorOrAliasName => {
            ("`&` and `*` are followed by a name", Some("put a text that begins with them in quotes"))
        }
        E::UndeclaredTagHandle
        | E::ExpectedTagBang
        | E::InvalidGlobalTagCharacter
        | E::InvalidTagTerminator
        | E::MissingTagUri
        | E::UnclosedVerbatimTag
        | E::InvalidTagEscape
        | E::InvalidTagUtf8LeadingByte
        | E::InvalidTagUtf8TrailingByte
        | E::InvalidTagUtf8 => ("`!` begins a tag", Some("put a text that begins with `!` in quotes")),
        E::InvalidDocumentEnd => ("text follows the line that ends the document", None),
        E::DuplicateVersionDirective
        | E::UnsupportedYamlMajorVersion
        | E::DuplicateTagDirective
        | E::ExpectedTagDirectiveBang
        | E::MissingDocumentEndBeforeDirective
        | E::InvalidDirectiveTerminator
        | E::MissingYamlVersionSeparator
        | E::MissingDirectiveName
        | E::InvalidDirectiveName
        | E::DirectiveByteLimitExceeded { .. }
        | E::TooManyReservedDirectiveParams { .. }
        | E::YamlVersionTooLong
        | E::MissingYamlVersion
        | E::InvalidTagDirectiveTerminator => {
            ("a line that begins with `%` is a directive", Some("delete it: documents need none"))
        }
        E::TabNotAllowed
        | E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabInPlainScalar
        | E::TabAtBlockScalarStart => ("a tab stands where only spaces can", Some("write spaces")),
        _ => ("the text cannot be read here", None),
    }
}
