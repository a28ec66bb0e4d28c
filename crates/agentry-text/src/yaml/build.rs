//! Events of the parser become the spanned tree. Nothing here is recursive, so no text can exhaust the stack.

use super::scalar::{self, Meaning};
use super::write::quote;
use crate::finding::{Finding, Severity};
use crate::fix::{Change, Mend, Safety};
use crate::mask::quoted;
use crate::rules;
use crate::tree::{Entry, Kind, MAX_DEPTH, Node, Span, Table};
use granit_parser::{Event, Options, Parser, ScalarStyle, ScanError, StructureStyle, Tag, options};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

/// How many nodes the aliases of one document may stand for.
const MAX_ALIAS_NODES: usize = 10_000;

/// How many bytes of text the aliases of one document may stand for.
const MAX_ALIAS_BYTES: usize = 1024 * 1024;

/// A text that the parser is shown in another form, so that it gets over a fault: the tree still has what was
/// written.
#[derive(Clone, Debug)]
pub(super) struct Mended {
    pub(super) end: usize,
    pub(super) text: String,
}

/// What the parser is given.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    /// The text, faulty parts hidden.
    pub(super) text: &'t str,
    /// The text as it was written, of the same length.
    pub(super) original: &'t str,
    /// Texts that are hidden, by where they start.
    pub(super) mended: &'t BTreeMap<usize, Mended>,
    /// Ranges of which nothing is read.
    pub(super) blank: &'t [Span],
}

/// Why building stopped.
pub(super) enum Stop {
    /// A fault of syntax.
    Syntax(ScanError),
    /// More levels than are read.
    TooDeep(Span),
}

/// What the builder knows of the place where it stopped.
pub(super) struct Place {
    /// The JSON pointer of the value it was at.
    pub(super) pointer: String,
    /// The scalar before, if nothing came in between, and whether it is written without quotes.
    pub(super) scalar: Option<(Span, bool)>,
    /// Where the innermost `[` or `{` that is still open stands.
    pub(super) bracket: Option<usize>,
    /// The key whose value was to come.
    pub(super) key: Option<Span>,
    /// The key whose value was read last, and the pointer of that value.
    pub(super) last: Option<(Span, String)>,
    /// Whether it is inside of a table or list.
    pub(super) inside: bool,
    /// How far the keys of the tables that are still open are indented, the outermost first.
    pub(super) indents: Vec<usize>,
}

/// What was built.
pub(super) struct Built {
    pub(super) root: Option<Node>,
    pub(super) findings: Vec<Finding>,
    pub(super) damaged: bool,
    pub(super) stop: Option<(Stop, Place)>,
}

fn parser_options() -> Options {
    options! {
        emit_unresolved_aliases: true,
        emit_comments: false,
        block_scalar_eof_without_line_feed: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    }
}

pub(super) fn build(source: Source<'_>) -> Built {
    let mut builder = Builder {
        source,
        frames: Vec::new(),
        root: None,
        documents: 0,
        scalar: None,
        wanted: aliased(source.text),
        anchors: HashMap::new(),
        stored: Size::default(),
        used: Size::default(),
        over_budget: None,
        tabbed: false,
        findings: Vec::new(),
        damaged: false,
    };
    let mut stop = None;
    for event in Parser::new_from_str_with_options(source.text, parser_options()) {
        let taken = match event {
            Ok((event, at)) => builder.event(event, &at),
            Err(error) => Err(Stop::Syntax(error)),
        };
        match taken {
            Ok(true) => {}
            Ok(false) => break,
            Err(reason) => {
                stop = Some((reason, builder.place()));
                break;
            }
        }
    }
    builder.close_all();
    Built { root: builder.root, findings: builder.findings, damaged: builder.damaged, stop }
}

/// The anchors that aliases name: only their values are kept.
fn aliased(text: &str) -> HashSet<usize> {
    if !(text.contains('&') && text.contains('*')) {
        return HashSet::new();
    }
    Parser::new_from_str_with_options(text, parser_options())
        .map_while(Result::ok)
        .filter_map(|(event, _)| event.alias_id())
        .collect()
}

#[derive(Clone, Copy, Debug, Default)]
struct Size {
    nodes: usize,
    bytes: usize,
    depth: usize,
}

impl Size {
    /// The size of a tree; None as soon as it is more than aliases may stand for.
    fn of(node: &Node) -> Option<Self> {
        let mut size = Self::default();
        let mut open = vec![(node, 1)];
        while let Some((node, depth)) = open.pop() {
            size.nodes += 1;
            match &node.kind {
                Kind::String(text) => size.bytes += text.len(),
                Kind::Array(items) => {
                    size.depth = size.depth.max(depth);
                    open.extend(items.iter().map(|item| (item, depth + 1)));
                }
                Kind::Table(table) => {
                    size.depth = size.depth.max(depth);
                    size.bytes += table.entries.iter().map(|entry| entry.key.len()).sum::<usize>();
                    open.extend(table.entries.iter().map(|entry| (&entry.node, depth + 1)));
                }
                _ => {}
            }
            if size.exceeds() || open.len() > MAX_ALIAS_NODES {
                return None;
            }
        }
        Some(size)
    }

    fn exceeds(self) -> bool {
        self.nodes > MAX_ALIAS_NODES || self.bytes > MAX_ALIAS_BYTES
    }

    /// The sum, if it is within the budget.
    fn with(self, other: Self) -> Option<Self> {
        let sum = Self { nodes: self.nodes + other.nodes, bytes: self.bytes + other.bytes, depth: 0 };
        (!sum.exceeds()).then_some(sum)
    }
}

enum Anchored {
    Value(Node, Size),
    TooLarge,
}

enum Pending {
    /// A key comes next.
    Nothing,
    /// The value of a key comes next.
    Value { key: String, span: Span },
    /// A value comes next that nothing takes: its key was reported.
    Dropped { key: Option<String>, span: Span },
}

enum Content {
    Items(Vec<Node>),
    Entries {
        entries: Vec<Entry>,
        seen: HashMap<String, Span>,
        pending: Pending,
        /// The key whose value was read last.
        last: Option<Span>,
    },
}

struct Frame {
    content: Content,
    start: usize,
    end: usize,
    flow: bool,
    anchor: usize,
    indent: Option<usize>,
}

/// A node that is complete.
struct Item<'e> {
    node: Node,
    anchor: usize,
    /// What stands in the text, where that is a scalar without quotes.
    plain: Option<&'e str>,
    /// Whether nothing at all stands there: the null that YAML puts in.
    implied: bool,
}

struct Builder<'t> {
    source: Source<'t>,
    frames: Vec<Frame>,
    root: Option<Node>,
    documents: usize,
    scalar: Option<(Span, bool)>,
    wanted: HashSet<usize>,
    anchors: HashMap<usize, Anchored>,
    stored: Size,
    used: Size,
    /// Whether an alias was not read for its size.
    over_budget: Option<Span>,
    /// Whether tabs were found before a key.
    tabbed: bool,
    findings: Vec<Finding>,
    damaged: bool,
}

impl Builder<'_> {
    /// Takes an event. False when the rest of the text is not read.
    fn event(&mut self, event: Event<'_>, at: &granit_parser::Span) -> Result<bool, Stop> {
        let span = place(self.source.original, at);
        let previous = self.scalar.take();
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    self.another_document(span);
                    return Ok(false);
                }
            }
            Event::Scalar(value, style, anchor, tag) => {
                self.scalar = Some((span, style == ScalarStyle::Plain));
                if self.expects_key() {
                    self.tabs(span.start);
                }
                self.scalar(&value, style, anchor, tag.as_deref(), at, span);
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.collection_tag(tag.as_deref(), "seq", at);
                if style == StructureStyle::Block {
                    self.tabs(span.start);
                }
                self.open(Content::Items(Vec::new()), style, anchor, span)?;
            }
            Event::MappingStart(style, anchor, tag) => {
                self.collection_tag(tag.as_deref(), "map", at);
                let content = Content::Entries {
                    entries: Vec::new(),
                    seen: HashMap::new(),
                    pending: Pending::Nothing,
                    last: None,
                };
                self.open(content, style, anchor, span)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            Event::Alias(id) => self.alias(id, span)?,
            Event::UnresolvedAlias(name) => self.unknown_alias(&name, span),
            // The start and the end of the text tell nothing; comments and anchors are not asked for.
            _ => self.scalar = previous,
        }
        Ok(true)
    }

    fn another_document(&mut self, span: Span) {
        self.damaged = true;
        let marked = self.source.text[span.start..].starts_with("---");
        let place =
            if marked { Span::new(span.start, span.start + 3) } else { Span::new(span.start, span.start) };
        let finding = Finding::new(
            &rules::SEVERAL_DOCUMENTS,
            "",
            place,
            "a second YAML document begins here, and only the first is read",
        )
        .label("the second document")
        .help("delete this line if it is one document, or give each its own file");
        self.findings.push(finding);
    }

    /// Tabs before a key or the first item of a block: the parser lets some pass.
    fn tabs(&mut self, start: usize) {
        if self.tabbed || self.frames.last().is_some_and(|frame| frame.flow) {
            return;
        }
        let line = self.source.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let before = &self.source.text[line..start];
        if before.contains('\t') && before.bytes().all(|byte| matches!(byte, b' ' | b'\t')) {
            self.damaged = true;
            self.tabbed = true;
            self.report(super::fault::tab(self.source.text, line, self.pointer()));
        }
    }

    fn open(
        &mut self,
        content: Content,
        style: StructureStyle,
        anchor: usize,
        span: Span,
    ) -> Result<(), Stop> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(Stop::TooDeep(Span::new(span.start, span.start)));
        }
        let flow = style == StructureStyle::Flow;
        self.frames.push(Frame { content, start: span.start, end: span.end, flow, anchor, indent: None });
        Ok(())
    }

    fn close(&mut self, span: Span) {
        let Some(frame) = self.frames.pop() else { return };
        // The end of a block is where the next token begins: what it holds says better where it ends.
        let end = if frame.flow { span.end } else { frame.end };
        self.finish(frame, end);
    }

    fn finish(&mut self, frame: Frame, end: usize) {
        let kind = match frame.content {
            Content::Items(items) => Kind::Array(items),
            Content::Entries { entries, .. } => Kind::Table(Table { entries }),
        };
        let node = Node { kind, span: Span::new(frame.start, end.max(frame.start)) };
        self.put(Item { node, anchor: frame.anchor, plain: None, implied: false });
    }

    /// Closes what a fault left open: lists and tables in brackets are too incomplete to be of use.
    fn close_all(&mut self) {
        while let Some(frame) = self.frames.pop() {
            if !frame.flow {
                let end = frame.end;
                self.finish(frame, end);
            }
        }
    }

    fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        at: &granit_parser::Span,
        span: Span,
    ) {
        let text = self.source.text.get(span.start..span.end).unwrap_or_default();
        let is_key = self.expects_key();
        if is_key && let Some(frame) = self.frames.last_mut() {
            frame.indent = at.indent.or(frame.indent);
        }
        if let Some(mended) = self.source.mended.get(&span.start)
            && mended.end == span.end
        {
            let node = Node { kind: Kind::String(mended.text.clone()), span };
            return self.put(Item { node, anchor, plain: None, implied: false });
        }
        if self.source.mended.range(..span.end).any(|(_, mended)| span.start < mended.end) {
            // Part of it was hidden from the parser.
            let written = self.source.original.get(span.start..span.end).unwrap_or_default();
            let lines: Vec<&str> = written.lines().map(str::trim).collect();
            let node = Node { kind: Kind::String(lines.join(" ")), span };
            return self.put(Item { node, anchor, plain: None, implied: false });
        }
        // The text of a block ends with its last line, not with the empty ones behind it.
        let span = match style {
            ScalarStyle::Literal | ScalarStyle::Folded => {
                Span::new(span.start, span.start + text.trim_end().len())
            }
            _ => span,
        };
        let plain = style == ScalarStyle::Plain;
        if plain && text.contains('\n') {
            self.swallowed_item(text, span);
        }
        let implied = plain && tag.is_none() && text.is_empty();
        // The parser has such a null before the colon of its key.
        let colon = implied && !is_key && self.source.text[span.end..].starts_with(':');
        let span = if colon { Span::new(span.end + 1, span.end + 1) } else { span };
        let kind = match tag {
            None if plain => self.plain(value, span, is_key),
            None => Kind::String(value.to_owned()),
            Some(tag) => self.tagged(tag, value, plain, at, span),
        };
        if plain && !is_key && matches!(kind, Kind::String(_)) {
            self.cut_short(value, span);
        }
        let plain = (plain && tag.is_none()).then_some(if implied { "" } else { value });
        self.put(Item { node: Node { kind, span }, anchor, plain, implied });
    }

    /// A line that looks like a list item, and is part of the text above it.
    fn swallowed_item(&mut self, text: &str, span: Span) {
        let lines = text.match_indices('\n').map(|(at, _)| {
            let line = &text[at + 1..];
            (span.start + at + 1 + line.len() - line.trim_start_matches([' ', '\t']).len(), line.trim_start())
        });
        if let Some((at, _)) = lines.into_iter().find(|(_, line)| line.starts_with("- ")) {
            let pointer = self.pointer();
            self.report(
                Finding::new(
                    &rules::UNQUOTED_TEXT,
                    pointer,
                    Span::new(at, at + 1),
                    "a line that begins with `- ` is part of the text above it, and no list item",
                )
                .severity(Severity::Warning)
                .label("no list item")
                .related(Span::new(span.start, span.start), "the text begins here")
                .help("for a list, delete the text after the key; for a text, put it in quotes"),
            );
        }
    }

    /// A text without quotes that ends before a `#` which looks like a part of it, as in `Fixes issue #12`.
    fn cut_short(&mut self, value: &str, span: Span) {
        let rest = self.source.text.get(span.end..).unwrap_or_default();
        let rest = rest.lines().next().unwrap_or_default();
        let Some(comment) = rest.trim_start_matches([' ', '\t']).strip_prefix('#') else { return };
        // Comments are seldom written without a blank after the `#`, and least of all behind a sentence.
        let numbered = comment.starts_with(|c: char| c.is_ascii_digit());
        let worded = comment.starts_with(char::is_alphanumeric) && value.contains(' ');
        let in_brackets = self.frames.last().is_some_and(|frame| frame.flow);
        if self.is_full() || in_brackets || !numbered && !worded {
            return;
        }
        let at = span.end + rest.len() - comment.len() - 1;
        let pointer = self.pointer();
        let whole = format!("{value}{}", rest.trim_end());
        let help =
            format!("for the text write {}; a comment has a blank after its `#`", self.quoted_text(&whole));
        self.report(
            Finding::new(
                &rules::UNQUOTED_TEXT,
                pointer,
                Span::new(at, at + 1),
                "the text has no quotes, and ends before this `#`: the rest of the line is a comment",
            )
            .severity(Severity::Warning)
            .label("a comment begins here")
            .help(help),
        );
    }

    fn plain(&mut self, value: &str, span: Span, is_key: bool) -> Kind {
        // Most texts begin like no other kind of value.
        let first = value.bytes().next().unwrap_or(b'~');
        if !matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.' | b'~' | b'=' | b'<')
            && !b"nNtTfFyYoO".contains(&first)
        {
            return Kind::String(value.to_owned());
        }
        let meaning = scalar::core(value);
        let older = scalar::older(value);
        let kind = kind_of(meaning, value);
        if is_key {
            // A key that is not text is an error anyway, and `<<` has a rule of its own.
            if meaning == Meaning::Text && value != "<<" && older != meaning && !self.is_full() {
                self.ambiguous(value, meaning, older, span);
            }
        } else if let Meaning::Float(number) = meaning
            && !number.is_finite()
        {
            let finding = Finding::not_finite(&self.shown(value), span);
            self.report(Finding { pointer: self.pointer(), ..finding });
        } else if self.is_full() {
            // What follows is no error.
        } else if meaning != older {
            self.ambiguous(value, meaning, older, span);
        } else if let Meaning::Float(number) = meaning
            && scalar::loses_digits(value, number)
        {
            let (shown, pointer) = (quoted(&self.shown(value)), self.pointer());
            self.report(
                Finding::new(
                    &rules::LOSSY_NUMBER,
                    pointer,
                    span,
                    format!("{shown} is read as a number, and loses digits: a version, for example, is text"),
                )
                .label("a number, not a text")
                .help(format!("for the text write {}", self.quoted_text(value))),
            );
        }
        kind
    }

    /// Reports a value that readers of YAML 1.1 and 1.2 see differently.
    fn ambiguous(&mut self, value: &str, now: Meaning, before: Meaning, span: Span) {
        let describe = |meaning: Meaning| match meaning {
            Meaning::Null => "null".to_owned(),
            Meaning::Bool(flag) => format!("the boolean `{flag}`"),
            Meaning::Integer(number) => format!("the number `{number}`"),
            Meaning::Float(number) => format!("the number `{number}`"),
            Meaning::Text => "text".to_owned(),
            Meaning::Date => "a date".to_owned(),
            Meaning::Special => "a mark with a meaning of its own".to_owned(),
        };
        let text = format!("for the text write {}", self.quoted_text(value));
        let secret = self.in_secret();
        let (now_is, before_is) = if secret {
            ("one value".to_owned(), "another".to_owned())
        } else {
            (describe(now), describe(before))
        };
        let help = match (now, before) {
            _ if secret => text,
            (_, Meaning::Bool(flag)) => format!("{text}, for the boolean `{flag}`"),
            (Meaning::Integer(number), _) | (Meaning::Text, Meaning::Integer(number)) => {
                format!("{text}, for the number `{number}`")
            }
            (Meaning::Float(number), _) | (Meaning::Text, Meaning::Float(number)) => {
                format!("{text}, for the number `{}`", super::write::float(number))
            }
            _ => text,
        };
        let message = format!(
            "{} is {now_is} in YAML 1.2, and {before_is} to readers of YAML 1.1",
            quoted(&self.shown(value))
        );
        let pointer = self.pointer();
        // Text for us stays what it is in quotes. A number may be meant as one.
        let mend = (now == Meaning::Text).then(|| Mend {
            safety: Safety::Safe,
            pointer: pointer.clone(),
            change: Change::QuoteText { at: span },
        });
        self.report(
            Finding { mend, ..Finding::new(&rules::YAML_1_1_VALUE, pointer, span, message) }
                .label("read in two ways")
                .help(help),
        );
    }

    fn tagged(&mut self, tag: &Tag, value: &str, plain: bool, at: &granit_parser::Span, span: Span) -> Kind {
        let Some(wanted) = core_tag(tag) else {
            self.bad_tag(at, "a tag asks for a type that a document does not have");
            return if plain { self.plain(value, span, false) } else { Kind::String(value.to_owned()) };
        };
        if wanted == "str" {
            return Kind::String(value.to_owned());
        }
        let kind = match (wanted, scalar::core(value)) {
            ("null", Meaning::Null) => Some(Kind::Null),
            ("bool", Meaning::Bool(flag)) => Some(Kind::Bool(flag)),
            ("int", Meaning::Integer(number)) => Some(Kind::Integer(number)),
            #[expect(clippy::cast_precision_loss, reason = "the tag asks for it")]
            ("float", Meaning::Integer(number)) => Some(Kind::Float(number as f64)),
            ("float", Meaning::Float(number)) => {
                if !number.is_finite() {
                    let finding = Finding::not_finite(&self.shown(value), span);
                    self.report(Finding { pointer: self.pointer(), ..finding });
                }
                Some(Kind::Float(number))
            }
            _ => None,
        };
        kind.unwrap_or_else(|| {
            self.bad_tag(at, "a tag names a type that its value does not have");
            Kind::String(value.to_owned())
        })
    }

    fn collection_tag(&mut self, tag: Option<&Tag>, allowed: &str, at: &granit_parser::Span) {
        let Some(tag) = tag else { return };
        match core_tag(tag) {
            // `!` alone asks for nothing.
            Some("str") if tag.suffix() == "!" => {}
            Some(wanted) if wanted == allowed => {}
            Some(_) => self.bad_tag(at, "a tag names a type that its value does not have"),
            None => self.bad_tag(at, "a tag asks for a type that a document does not have"),
        }
    }

    fn bad_tag(&mut self, at: &granit_parser::Span, message: &str) {
        let tag = at
            .tag_span()
            .map_or_else(|| place(self.source.original, at), |tag| place(self.source.original, &tag));
        let pointer = self.pointer();
        self.report(
            Finding::new(&rules::YAML_TAG, pointer, tag, message)
                .label("this tag")
                .help("delete the tag; a text that YAML takes for something else stands in quotes"),
        );
    }

    fn alias(&mut self, id: usize, span: Span) -> Result<(), Stop> {
        let name = self.source.text.get(span.start..span.end).unwrap_or_default();
        let node = match self.anchors.get(&id) {
            Some(Anchored::Value(node, size)) => {
                if size.depth > 0 && self.frames.len() + size.depth > MAX_DEPTH {
                    return Err(Stop::TooDeep(span));
                }
                self.used.with(*size).map(|used| {
                    self.used = used;
                    node.clone()
                })
            }
            Some(Anchored::TooLarge) => None,
            None => {
                self.damaged = true;
                let finding = Finding::new(
                    &rules::SYNTAX,
                    self.pointer(),
                    span,
                    format!("{} stands inside the value that it names", quoted(name)),
                )
                .label("repeats itself without end")
                .help("write the value out, or delete the alias");
                self.report(finding);
                self.lost(span);
                return Ok(());
            }
        };
        if let Some(node) = node {
            self.put(Item { node, anchor: 0, plain: None, implied: false });
            return Ok(());
        }
        self.damaged = true;
        if self.over_budget.is_none() {
            self.over_budget = Some(span);
            let finding = Finding::new(
                &rules::ALIAS_BUDGET,
                self.pointer(),
                span,
                format!(
                    "the aliases of this document stand for more than {MAX_ALIAS_NODES} values or {MAX_ALIAS_BYTES} bytes of text"
                ),
            )
            .label("not read, like every later one that is too large")
            .help("write the values out where they are needed");
            self.report(finding);
        }
        // What is lost is where the one finding speaks of it, so that no other finding does.
        self.lost(self.over_budget.unwrap_or(span));
        Ok(())
    }

    /// Puts a null where a value could not be read. No later finding speaks of it: the document is damaged here.
    fn lost(&mut self, span: Span) {
        self.put(Item { node: Node { kind: Kind::Null, span }, anchor: 0, plain: None, implied: false });
    }

    fn unknown_alias(&mut self, name: &str, span: Span) {
        self.damaged = true;
        let written = format!("*{name}");
        let finding = Finding::new(
            &rules::SYNTAX,
            self.pointer(),
            span,
            format!(
                "{} refers to an anchor, and there is none of that name above",
                quoted(&self.shown(&written))
            ),
        )
        .label("no such anchor")
        .help(format!("for the text write {}", self.quoted_text(&written)));
        self.report(finding);
        self.put(Item {
            node: Node { kind: Kind::String(written), span },
            anchor: 0,
            plain: None,
            implied: false,
        });
    }

    fn expects_key(&self) -> bool {
        matches!(
            self.frames.last(),
            Some(Frame { content: Content::Entries { pending: Pending::Nothing, .. }, .. })
        )
    }

    fn put(&mut self, item: Item<'_>) {
        self.remember(&item);
        let Some(frame) = self.frames.last_mut() else {
            self.root = (!item.implied).then_some(item.node);
            return;
        };
        let span = item.node.span;
        match &mut frame.content {
            Content::Items(items) => {
                frame.end = frame.end.max(span.end);
                if !item.implied || !blanked(self.source, span.start) {
                    items.push(item.node);
                }
            }
            Content::Entries { entries, pending, last, .. } => {
                match std::mem::replace(pending, Pending::Nothing) {
                    Pending::Nothing => self.key(&item),
                    Pending::Dropped { span: key_span, .. } => {
                        frame.end = frame.end.max(span.end);
                        *last = Some(key_span);
                    }
                    Pending::Value { key, span: key_span } => {
                        frame.end = frame.end.max(span.end);
                        *last = Some(key_span);
                        if !item.implied || !blanked(self.source, span.start) {
                            entries.push(Entry { key, key_span, node: item.node });
                        }
                    }
                }
            }
        }
    }

    /// Keeps the value of an anchor that an alias names. What is kept is within the budget: each is used.
    fn remember(&mut self, item: &Item<'_>) {
        if item.anchor == 0 || !self.wanted.contains(&item.anchor) {
            return;
        }
        let anchored = Size::of(&item.node).and_then(|size| {
            self.stored = self.stored.with(size)?;
            Some(Anchored::Value(item.node.clone(), size))
        });
        self.anchors.insert(item.anchor, anchored.unwrap_or(Anchored::TooLarge));
    }

    fn key(&mut self, item: &Item<'_>) {
        let span = item.node.span;
        let raw = match (&item.node.kind, item.plain) {
            (_, Some("<<")) => {
                self.damaged = true;
                self.report_key(
                    Finding::new(
                        &rules::MERGE_KEY,
                        "",
                        span,
                        "`<<` takes over keys of another mapping, and YAML 1.2 has no such thing",
                    )
                    .label("a merge key")
                    .help("write the keys out; for a key of that name write \"<<\""),
                    Some("<<"),
                );
                None
            }
            (Kind::String(text), _) => Some(text.clone()),
            (Kind::Array(_) | Kind::Table(_), _) => {
                self.damaged = true;
                let template = self.source.text[span.start..].starts_with('{');
                let help = if template {
                    "a value with braces stands in quotes: \"{{ … }}\"; else write a key that is a string"
                } else {
                    "write a key that is a string"
                };
                self.report_key(
                    Finding::new(
                        &rules::NON_STRING_KEY,
                        "",
                        span,
                        format!("a key is a string, and this one is {}", item.node.kind_name()),
                    )
                    .label("not a string")
                    .help(help),
                    None,
                );
                None
            }
            (_, raw) => {
                let written = raw.unwrap_or_else(|| &self.source.text[span.start..span.end]);
                let (written, name) = (written.to_owned(), item.node.kind_name());
                let message = if written.is_empty() {
                    "a key is a string, and here is none".to_owned()
                } else {
                    format!("a key is a string, and {} is {name}", quoted(&written))
                };
                let finding = Finding::new(&rules::NON_STRING_KEY, "", span, message)
                    .label("not a string")
                    .help(if written.is_empty() {
                        "write a key before the colon".to_owned()
                    } else {
                        format!("write it in quotes: {}", quoted(&quote(&written)).trim_matches('`'))
                    });
                self.report_key(finding, Some(written.as_str()).filter(|written| !written.is_empty()));
                (!written.is_empty()).then_some(written)
            }
        };
        let first = match (&raw, self.frames.last().map(|frame| &frame.content)) {
            (Some(key), Some(Content::Entries { seen, .. })) => seen.get(key).copied(),
            _ => None,
        };
        if let (Some(key), Some(first)) = (&raw, first) {
            self.report_key(Finding::duplicate_key(key, span, Some(first)), Some(key));
        }
        let Some(frame) = self.frames.last_mut() else { return };
        let Content::Entries { seen, pending, .. } = &mut frame.content else { return };
        frame.end = frame.end.max(span.end);
        *pending = match raw {
            Some(key) if first.is_none() => {
                seen.insert(key.clone(), span);
                Pending::Value { key, span }
            }
            key => Pending::Dropped { key, span },
        };
    }

    /// Whether no further finding that is no error is shown.
    fn is_full(&self) -> bool {
        Finding::hides(&self.findings, Severity::Warning)
    }

    fn report(&mut self, finding: Finding) {
        finding.join(&mut self.findings);
    }

    /// Reports a finding about a key of the innermost table.
    fn report_key(&mut self, finding: Finding, key: Option<&str>) {
        let mut pointer = self.pointer();
        pointer.extend(key.map(segment));
        self.report(Finding { pointer, ..finding });
    }

    /// The pointer of the value that comes next.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for frame in &self.frames {
            match &frame.content {
                Content::Items(items) => {
                    let _ = write!(pointer, "/{}", items.len());
                }
                Content::Entries {
                    pending: Pending::Value { key, .. } | Pending::Dropped { key: Some(key), .. },
                    ..
                } => {
                    pointer.push_str(&segment(key));
                }
                Content::Entries { .. } => {}
            }
        }
        pointer
    }

    /// Whether the value that comes next belongs to a key that holds secrets.
    fn in_secret(&self) -> bool {
        self.frames.iter().any(|frame| match &frame.content {
            Content::Entries {
                pending: Pending::Value { key, .. } | Pending::Dropped { key: Some(key), .. },
                ..
            } => super::fault::is_private(key),
            _ => false,
        })
    }

    /// A value as a message may show it.
    fn shown(&self, value: &str) -> String {
        if self.in_secret() { crate::mask::MASK.to_owned() } else { value.to_owned() }
    }

    /// A value as a text in quotes, as a message may show it.
    fn quoted_text(&self, value: &str) -> String {
        if self.in_secret() { "it in quotes".to_owned() } else { crate::mask::mask_secrets(&quote(value)) }
    }

    fn place(&self) -> Place {
        let flow = self.frames.last().filter(|frame| frame.flow);
        let pointer = self.pointer();
        let (key, last) = match self.frames.last().map(|frame| &frame.content) {
            Some(Content::Entries {
                pending: Pending::Value { span, .. } | Pending::Dropped { span, .. },
                ..
            }) => (Some(*span), None),
            Some(Content::Entries { entries, last, .. }) => {
                let entry = entries.last().filter(|entry| Some(entry.key_span) == *last);
                let key = entry.map(|entry| segment(&entry.key)).unwrap_or_default();
                (None, last.map(|last| (last, format!("{pointer}{key}"))))
            }
            _ => (None, None),
        };
        Place {
            pointer,
            scalar: self.scalar,
            bracket: flow.map(|frame| frame.start),
            key,
            last,
            inside: !self.frames.is_empty(),
            indents: self.frames.iter().filter_map(|frame| frame.indent).collect(),
        }
    }
}

/// The bytes of an event. The parser counts past characters where a block of text is indented less than it says.
fn place(text: &str, at: &granit_parser::Span) -> Span {
    let range = at.byte_range().unwrap_or_default();
    let start = text.floor_char_boundary(range.start);
    Span::new(start, text.floor_char_boundary(range.end).max(start))
}

fn kind_of(meaning: Meaning, text: &str) -> Kind {
    match meaning {
        Meaning::Null => Kind::Null,
        Meaning::Bool(flag) => Kind::Bool(flag),
        Meaning::Integer(number) => Kind::Integer(number),
        Meaning::Float(number) => Kind::Float(number),
        Meaning::Text | Meaning::Date | Meaning::Special => Kind::String(text.to_owned()),
    }
}

fn segment(key: &str) -> String {
    format!("/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Whether what would have stood after a place was a faulty line: then the value was there, and is not known.
fn blanked(source: Source<'_>, at: usize) -> bool {
    if source.blank.is_empty() {
        return false;
    }
    let rest = &source.text[at..];
    let end = at + rest.len() - rest.trim_start().len();
    source.blank.iter().any(|blank| blank.start < end && at < blank.end)
}

/// The type that a tag of the core schema names; `!` alone says that the text is not to be interpreted.
fn core_tag(tag: &Tag) -> Option<&str> {
    if tag.handle().is_empty() && tag.suffix() == "!" {
        return Some("str");
    }
    tag.core_suffix()
}
