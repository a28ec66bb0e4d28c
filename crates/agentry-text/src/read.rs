//! Strict reading of a tree into a type: every fault is found in one pass, at its place.

use crate::define::Invalid;
use crate::finding::{Finding, Rule, Severity};
use crate::fix::{Change, Safety};
use crate::lines::Lines;
use crate::mask::{mask_secrets, may_name_secret, quoted};
use crate::part;
use crate::rules;
use crate::standard::{Extra, UnlistedKeys};
use crate::suggest::{nearest, same_word};
use crate::tree::{Document, Entry, Kind, Node, Span, Table};
use crate::value::Value;
use std::collections::HashMap;
use std::fmt::Write as _;

/// The key by which a document of any kind names its schema for editors.
const SCHEMA_KEY: &str = "$schema";

/// Which reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// For authors: what the strict schema rejects is an error.
    #[default]
    Strict,
    /// For runtimes that must go on: options and keys of a newer version are kept as they are, and an unreadable
    /// entry of a list or map costs that entry alone. Everything is still reported.
    Tolerant,
}

/// A type that can be read from a tree.
pub trait Read: Sized {
    /// Reads a node. None when it could not be read: then the reader holds a finding of severity error.
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self>;

    /// The keys of the table that this type, or an element of it, is read from.
    fn shape() -> Option<&'static Shape> {
        None
    }
}

/// A type that is read from some keys of a table: a whole struct, or a group of keys that obey a rule together.
pub trait ReadKeys: Sized {
    /// Adds the keys that this type takes.
    fn keys(keys: &mut Vec<Key>);

    /// Reads the keys. None when an error was reported.
    fn read_keys<'t>(fields: &mut Fields<'t>, reader: &mut Reader<'t>) -> Option<Self>;
}

/// A type whose documentation can be shown at run time. Implemented by `#[document]`.
pub trait Described {
    /// What the type is, as its documentation says it: prose, with an empty line between paragraphs.
    const DESCRIPTION: &'static str;
}

/// What is known of a key.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Older names that are still read.
    pub legacy: &'static [&'static str],
    /// What other formats call it. These names are not read: they only say what an unknown key was meant to be.
    pub foreign: &'static [&'static str],
    /// Whether it must be there.
    pub required: bool,
    /// The keys of the table below it.
    pub shape: fn() -> Option<&'static Shape>,
}

impl Key {
    /// A key whose value is a `T`.
    pub fn new<T: Read>(name: &'static str, legacy: &'static [&'static str], required: bool) -> Self {
        Self { name, legacy, foreign: &[], required, shape: T::shape }
    }

    /// The same with what other formats call it.
    #[must_use]
    pub fn foreign(mut self, names: &'static [&'static str]) -> Self {
        self.foreign = names;
        self
    }

    fn is(&self, name: &str) -> bool {
        self.name == name || self.legacy.contains(&name)
    }
}

/// The keys of a table.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Its keys, in the order of the type.
    pub keys: Vec<Key>,
    /// What other keys are.
    pub others: Others,
    /// The keys that tables with another tag have, where a tag says which table this is.
    pub elsewhere: Vec<&'static str>,
    /// The key that says which of several tables this is, and its options, where one does.
    pub tag: Option<(&'static str, &'static [&'static str])>,
}

/// What the keys are that a table does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// Legal, and hardly meant: a warning.
    #[default]
    Unknown,
    /// The author's own: nothing is said, unless a key clearly belongs to another table.
    Any,
    /// Legal, and hardly meant, and not without effect: a warning that says what becomes of them.
    PassedOn(&'static str),
    /// Errors for authors. A runtime keeps them, with a warning.
    Closed,
}

impl Shape {
    /// The shape of a type.
    pub fn of<T: ReadKeys>(others: Others) -> Self {
        let mut keys = Vec::new();
        T::keys(&mut keys);
        Self { keys, others, elsewhere: Vec::new(), tag: None }
    }

    /// The shape of a variant of a tagged union.
    pub fn tagged<T: Read + ReadKeys>(tag: &'static str) -> Self {
        let others = T::shape().map(|shape| shape.others).unwrap_or_default();
        let mut shape = Self::of::<T>(others);
        shape.keys.insert(0, Key { name: tag, legacy: &[], foreign: &[], required: true, shape: || None });
        shape
    }

    /// The same beside the other tables that a tag may name.
    pub fn among(mut self, all: Option<&Self>) -> Self {
        self.elsewhere = all
            .into_iter()
            .flat_map(|all| &all.keys)
            .map(|key| key.name)
            .filter(|name| !self.knows(name))
            .collect();
        self
    }

    /// Adds the keys of another shape.
    pub fn join(&mut self, other: Self) {
        for key in other.keys {
            if !self.knows(key.name) {
                self.keys.push(key);
            }
        }
    }

    /// Whether a key, or an older name of one, is known.
    pub fn knows(&self, name: &str) -> bool {
        self.key(name).is_some()
    }

    /// The key of a name, current or older.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.is(name))
    }
}

#[derive(Clone, Copy, Debug)]
enum Segment<'t> {
    Key(&'t str),
    Index(usize),
}

/// A table that is being read, and that encloses what is read now.
#[derive(Clone, Copy)]
struct Open<'t> {
    shape: &'static Shape,
    table: &'t Table,
    depth: usize,
}

/// Reads one document and gathers its findings.
pub struct Reader<'t> {
    mode: Mode,
    damaged: bool,
    path: Vec<Segment<'t>>,
    open: Vec<Open<'t>>,
    findings: Vec<Finding>,
    secrets: Vec<Span>,
    /// What the front end found odd about how a value is written, by its place.
    doubts: HashMap<Span, &'t Finding>,
    /// The places of doubts that the type of the value settles.
    settled: Vec<Span>,
    /// Whether tables are written below headers. Only TOML does that, and only its root is written nowhere.
    headers: bool,
}

/// What reading gave.
#[derive(Clone, Debug)]
pub struct Reading<T> {
    /// The value. None when there is an error that leaves none.
    pub value: Option<T>,
    /// Everything that was found, in the order of the text.
    pub findings: Vec<Finding>,
    /// Where secrets stand in the text: never print these bytes.
    pub secrets: Vec<Span>,
}

impl<T> Reading<T> {
    /// Whether no finding is an error.
    pub fn is_valid(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity < Severity::Error)
    }

    /// The same with findings about a part of a string placed at that part, where its text shows where that is.
    #[must_use]
    pub fn placed(mut self, root: Option<&Node>, text: &str) -> Self {
        let mut moved = false;
        for finding in &mut self.findings {
            let (Some(part), Some(root)) = (finding.part.take(), root) else { continue };
            let Some(node) = root.pointer(&finding.pointer) else { continue };
            let written = text.get(node.span.start..node.span.end).zip(node.as_str());
            let Some(place) = written.and_then(|(written, string)| part::locate(written, string, &part))
            else {
                continue;
            };
            finding.span = Span::new(node.span.start + place.start, node.span.start + place.end);
            moved = true;
        }
        if moved {
            self.findings.sort_by_key(|finding| finding.span.start);
        }
        self
    }

    /// The value if the document is valid, else an error that says what is wrong and where.
    pub fn into_result(self, text: &str) -> Result<T, ReadError> {
        let errors = self.findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        match self.value {
            Some(value) if errors == 0 => Ok(value),
            _ => Err(ReadError::new(self.findings, text)),
        }
    }
}

/// A document that is not valid.
#[derive(Clone, thiserror::Error)]
#[error("{description}")]
pub struct ReadError {
    description: String,
    findings: Vec<Finding>,
}

/// Readable too: it is what a program shows whose `main` returns the error.
impl std::fmt::Debug for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.description)?;
        for finding in self.findings.iter().skip(1) {
            write!(f, "\n  also at {}: {}", finding.pointer, finding.message)?;
        }
        Ok(())
    }
}

impl ReadError {
    fn new(mut findings: Vec<Finding>, text: &str) -> Self {
        findings.retain(|finding| finding.severity == Severity::Error);
        let mut description = String::new();
        match findings.first() {
            Some(first) => {
                if !text.is_empty() {
                    let at = Lines::new(text).position(first.span.start);
                    let _ = write!(description, "line {}, column {}: ", at.line, at.column);
                }
                let _ = write!(description, "{}", first.message);
                if text.is_empty() && !first.pointer.is_empty() {
                    let _ = write!(description, " (at {})", first.pointer);
                }
                if let Some(help) = &first.help {
                    let _ = write!(description, "; {help}");
                }
                if findings.len() > 1 {
                    let _ = write!(description, " (and {} more)", findings.len() - 1);
                }
            }
            None => description.push_str("there is nothing to read"),
        }
        Self { description, findings }
    }

    /// Every error of the document.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// Reads a document whose text is at hand, so that findings can point into its strings.
#[cfg(any(feature = "json", feature = "toml", feature = "yaml"))]
pub(crate) fn read_text<T: Read>(document: &Document, text: &str, mode: Mode) -> Reading<T> {
    read_document(document, mode).placed(document.root.as_ref(), text)
}

/// Reads a document that a front end took apart.
pub fn read_document<T: Read>(document: &Document, mode: Mode) -> Reading<T> {
    let mut reader = Reader::new(mode, document.damaged);
    let doubts = document.findings.iter().filter(|finding| is_doubt(finding));
    reader.doubts = doubts.map(|finding| (finding.span, finding)).collect();
    reader.headers = document.root.as_ref().is_none_or(|root| root.span.start == root.span.end);
    let value = document.root.as_ref().and_then(|root| T::read(root, &mut reader));
    let mut findings = document.findings.clone();
    findings.retain(|finding| !(is_doubt(finding) && reader.settled.contains(&finding.span)));
    for doubt in
        findings.iter_mut().filter(|finding| is_doubt(finding) && reader.secrets.contains(&finding.span))
    {
        // The words of a doubt repeat the value.
        doubt.message = String::from("some readers of YAML take this value for something else than text");
        doubt.help = Some("write it in quotes".to_owned());
    }
    if document.damaged {
        // What overlaps a fault of syntax was taken apart wrongly: nothing true can be said of it.
        let faults: Vec<Span> =
            document.findings.iter().filter(|finding| !is_doubt(finding)).map(|fault| fault.span).collect();
        reader.findings.retain(|finding| !faults.iter().any(|fault| fault.overlaps(finding.span)));
    }
    findings.append(&mut reader.findings);
    findings.sort_by_key(|finding| finding.span.start);
    let value = if mode == Mode::Strict && document.findings.iter().any(|f| f.severity == Severity::Error) {
        None
    } else {
        value
    };
    Reading { value, findings, secrets: reader.secrets }
}

/// Reads a tree, strictly.
pub fn read_root<T: Read>(root: &Node) -> Reading<T> {
    let mut reader = Reader::new(Mode::Strict, false);
    let value = T::read(root, &mut reader);
    Reading { value, findings: reader.findings, secrets: reader.secrets }
}

/// Reads a value that has no text, strictly.
pub fn read_strict<T: Read>(value: Value) -> Result<T, ReadError> {
    read_root(&Node::from(value)).into_result("")
}

/// Reads a struct from a table of a shape, and reports the keys that are not known there. Those that are read
/// elsewhere are passed over.
pub fn read_table_as<'t, T: ReadKeys>(
    node: &'t Node,
    reader: &mut Reader<'t>,
    shape: &'static Shape,
    elsewhere: &[&str],
) -> Option<T> {
    let Kind::Table(table) = &node.kind else {
        reader.wrong_type(node, "a table");
        return None;
    };
    let taken = table.entries.iter().map(|entry| elsewhere.contains(&entry.key.as_str())).collect();
    let mut fields = Fields { table, span: node.span, taken, keys: shape, conflict: false };
    reader.open.push(Open { shape, table, depth: reader.path.len() });
    let known = fields.report_unknown(reader, elsewhere);
    let value = T::read_keys(&mut fields, reader);
    reader.open.pop();
    value.filter(|_| known && !fields.conflict)
}

impl<'t> Reader<'t> {
    fn new(mode: Mode, damaged: bool) -> Self {
        Self {
            mode,
            damaged,
            path: Vec::new(),
            open: Vec::new(),
            findings: Vec::new(),
            secrets: Vec::new(),
            doubts: HashMap::new(),
            settled: Vec::new(),
            headers: true,
        }
    }

    /// Which reading this is.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The JSON pointer of the node that is read now.
    pub fn pointer(&self) -> String {
        self.pointer_to(self.path.len())
    }

    fn pointer_to(&self, depth: usize) -> String {
        let mut pointer = String::new();
        for segment in &self.path[..depth] {
            match segment {
                Segment::Key(key) => {
                    let _ = write!(pointer, "/{}", key.replace('~', "~0").replace('/', "~1"));
                }
                Segment::Index(index) => {
                    let _ = write!(pointer, "/{index}");
                }
            }
        }
        pointer
    }

    /// The name of the table at a depth, as TOML writes it; the root has none.
    fn table_name(&self, depth: usize) -> String {
        let keys: Vec<&str> = self.path[..depth]
            .iter()
            .filter_map(|segment| match segment {
                Segment::Key(key) => Some(*key),
                Segment::Index(_) => None,
            })
            .collect();
        mask_secrets(&keys.join("."))
    }

    /// The table at a depth, as a message names it: `[provider]` and `[[models]]` in TOML, elsewhere `provider` and an
    /// item of `models`.
    fn describe(&self, depth: usize) -> String {
        let name = self.table_name(depth);
        match depth.checked_sub(1).map(|last| self.path[last]) {
            None => "the document itself".to_owned(),
            Some(Segment::Index(_)) if !self.headers => format!("an item of `{name}`"),
            Some(Segment::Key(_)) if !self.headers => format!("`{name}`"),
            Some(Segment::Index(_)) => format!("`[[{name}]]`"),
            Some(Segment::Key(_)) => format!("`[{name}]`"),
        }
    }

    /// Reads below a key.
    pub fn in_key<R>(&mut self, key: &'t str, read: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(Segment::Key(key));
        let result = read(self);
        self.path.pop();
        result
    }

    /// Reads below an index.
    pub fn in_index<R>(&mut self, index: usize, read: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(Segment::Index(index));
        let result = read(self);
        self.path.pop();
        result
    }

    /// Adds a finding.
    pub fn push(&mut self, finding: Finding) {
        finding.masked().join(&mut self.findings);
    }

    /// Whether the tolerant reading lost an entry of a list, for a reason of its own: one that only repeats another makes
    /// way for that.
    pub fn lost_entry(&self, list: &str, index: usize) -> bool {
        let place = format!("{}/{list}/{index}", self.pointer());
        self.mode == Mode::Tolerant
            && self.errors_at(&place).any(|finding| finding.rule != &rules::DUPLICATE_ENTRY)
    }

    /// The errors that were reported at a place or below it.
    pub(crate) fn errors_at(&self, pointer: &str) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| {
            let rest = finding.pointer.strip_prefix(pointer);
            finding.severity == Severity::Error
                && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// A finding of a rule at the node that is read now, to be completed and pushed.
    pub fn finding(&self, rule: &'static Rule, node: &Node, message: impl Into<String>) -> Finding {
        Finding::new(rule, self.pointer(), node.span, message)
    }

    /// Says that the bytes of a node are secret.
    pub fn secret(&mut self, node: &Node) {
        self.secrets.push(node.span);
    }

    /// Reports that a node is not what is wanted.
    pub fn wrong_type(&mut self, node: &Node, wanted: &str) {
        if matches!(node.kind, Kind::Float(number) if !number.is_finite()) {
            // Reported when the text was taken apart.
            return;
        }
        let mut finding = self
            .finding(&rules::WRONG_TYPE, node, format!("expected {wanted}, found {}", node.kind_name()))
            .label(format!("expected {wanted}"));
        // What to write instead repeats what is there.
        let secret = self.secrets.contains(&node.span);
        if !secret {
            finding.help = match node.kind {
                Kind::Null if self.is_required() => Some(
                    "the key is there, and null is no value: give it one, for it must have one".to_owned(),
                ),
                Kind::Null if matches!(self.path.last(), Some(Segment::Index(_))) => {
                    Some("delete the item: null is not a value here".to_owned())
                }
                _ => mend(node, wanted).or_else(|| self.mend_brackets(node, wanted)),
            };
        }
        if let Some((safety, change)) = change(node, wanted) {
            finding = finding.mend(safety, self.pointer(), change);
        }
        if let Some(doubt) = self.doubts.get(&node.span) {
            // One finding about one value, and only the text knows what was written: `1.10` is the number 1.1.
            if wanted == "a string" && !secret {
                finding.help.clone_from(&doubt.help);
            }
            self.settled.push(node.span);
        }
        self.push(finding);
    }

    /// Whether what is read now is the value of a key that must be there.
    fn is_required(&self) -> bool {
        let Some(open) = self.open.last().filter(|open| open.depth + 1 == self.path.len()) else {
            return false;
        };
        match self.path.last() {
            Some(Segment::Key(name)) => open.shape.key(name).is_some_and(|key| key.required),
            _ => false,
        }
    }

    /// Reports that a value is no string where one is meant, and is kept all the same.
    pub fn not_text(&mut self, node: &Node, rule: &'static Rule, message: impl Into<String>) {
        let mut finding = self.finding(rule, node, message).label(format!("{}, not text", node.kind_name()));
        let secret = self.secrets.contains(&node.span)
            || matches!(self.path.last(), Some(Segment::Key(key)) if may_name_secret(key));
        finding.help = match &node.kind {
            _ if secret => Some("write it in quotes".to_owned()),
            Kind::Integer(number) => Some(format!("write it in quotes: \"{number}\"")),
            Kind::Float(number) => Some(format!("write it in quotes: \"{number:?}\"")),
            Kind::Null => Some("write text, or delete the key".to_owned()),
            Kind::Array(_) | Kind::Table(_) => {
                Some("write it as one text in quotes, or give each part a key of its own".to_owned())
            }
            _ => mend(node, "a string"),
        };
        if let Some((safety, change)) = change(node, "a string") {
            finding = finding.mend(safety, self.pointer(), change);
        }
        if let Some(doubt) = self.doubts.get(&node.span) {
            // Only the text knows what was written: `1.10` is the number 1.1.
            if !secret {
                finding.help.clone_from(&doubt.help);
            }
            self.settled.push(node.span);
        }
        self.push(finding);
    }

    /// The commonest slip of all in TOML: one pair of brackets too few or too many around a header.
    fn mend_brackets(&self, node: &Node, wanted: &str) -> Option<String> {
        let name = self.table_name(self.path.len());
        match &node.kind {
            Kind::Table(_) if !self.headers && wanted == "an array of tables" => {
                Some("write a list of tables, also where it has one item only".to_owned())
            }
            Kind::Array(_) if !self.headers && wanted == "a table" => Some(
                "write a table in its place: keys, each with a value, and no list around them".to_owned(),
            ),
            Kind::Table(_) if wanted == "an array of tables" => {
                Some(format!("in TOML, write the header with double brackets: `[[{name}]]`"))
            }
            Kind::Array(items)
                if wanted == "a table" && items.iter().any(|item| item.as_table().is_some()) =>
            {
                Some(format!("in TOML, write the header with single brackets: `[{name}]`"))
            }
            _ => None,
        }
    }

    /// Reports that a value which may be a secret is not what is wanted: nothing of it is shown.
    pub(crate) fn wrong_type_hidden(&mut self, node: &Node, wanted: &str) {
        self.secret(node);
        let finding = self
            .finding(&rules::WRONG_TYPE, node, format!("expected {wanted}, found {}", node.kind_name()))
            .label(format!("expected {wanted}"));
        let scalar = matches!(node.kind, Kind::Bool(_) | Kind::Integer(_) | Kind::Float(_));
        let finding =
            if scalar && wanted == "a string" { finding.help("write it in quotes") } else { finding };
        let finding = match change(node, wanted) {
            Some((safety, change)) => finding.mend(safety, self.pointer(), change),
            None => finding,
        };
        self.settled.push(node.span);
        self.push(finding);
    }

    /// Reports that a value does not have the form that its meaning asks for.
    pub fn invalid(&mut self, node: &Node, invalid: &Invalid) {
        let finding = self.invalidity(node, invalid);
        self.push(finding);
    }

    /// The finding about a value that does not have the form that its meaning asks for.
    pub(crate) fn invalidity(&self, node: &Node, invalid: &Invalid) -> Finding {
        let mut finding = self.finding(invalid.rule, node, invalid.message.clone());
        finding.label.clone_from(&invalid.label);
        finding.help.clone_from(&invalid.help);
        finding.part.clone_from(&invalid.part);
        finding
    }

    /// A string.
    pub fn string(&mut self, node: &'t Node) -> Option<&'t str> {
        if let Kind::String(text) = &node.kind {
            return Some(text);
        }
        self.wrong_type(node, "a string");
        None
    }

    /// A boolean.
    pub fn boolean(&mut self, node: &Node) -> Option<bool> {
        if let Kind::Bool(flag) = node.kind {
            return Some(flag);
        }
        self.wrong_type(node, "true or false");
        None
    }

    /// A finite number.
    pub fn number(&mut self, node: &Node) -> Option<f64> {
        match node.kind {
            #[expect(clippy::cast_precision_loss, reason = "a price or ratio above 2^53 loses no meaning")]
            Kind::Integer(number) => Some(number as f64),
            // A number that is not finite was reported when the text was taken apart.
            Kind::Float(number) => {
                if self.doubts.get(&node.span).is_some_and(|doubt| doubt.rule == &rules::LOSSY_NUMBER) {
                    // A number is what is wanted: no digit of it means anything else.
                    self.settled.push(node.span);
                }
                number.is_finite().then_some(number)
            }
            _ => {
                self.wrong_type(node, "a number");
                None
            }
        }
    }

    /// A whole number. JSON Schema counts `3.0` as one, so it is read, with a warning.
    pub fn integer(&mut self, node: &Node) -> Option<i128> {
        match node.kind {
            Kind::Integer(number) => Some(number),
            #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and in range")]
            Kind::Float(number) if number.fract() == 0.0 && number.abs() < 1e30 => {
                let whole = number as i128;
                self.push(
                    self.finding(
                        &rules::WHOLE_NUMBER,
                        node,
                        format!("a whole number is meant; `{whole}` is read"),
                    )
                    .help(format!("write `{whole}`: other readers refuse a fraction here"))
                    .mend(
                        Safety::Safe,
                        self.pointer(),
                        Change::Plain { at: node.span, to: whole.to_string() },
                    ),
                );
                Some(whole)
            }
            Kind::Float(number) if !number.is_finite() => None,
            Kind::Float(_) => {
                self.wrong_type(node, "a whole number");
                None
            }
            _ => {
                self.wrong_type(node, "an integer");
                None
            }
        }
    }

    /// Reports a text that is not one of the options: an error for authors, a warning for runtimes.
    pub(crate) fn unknown_option(
        &mut self,
        node: &Node,
        text: &str,
        options: impl Iterator<Item = &'static str>,
        severity: Severity,
    ) {
        let options: Vec<&str> = options.collect();
        let listed = list(options.iter().copied());
        let mut finding = self
            .finding(&rules::UNKNOWN_OPTION, node, format!("{} is not one of the options", quoted(text)))
            .label("not one of the options");
        let near = nearest(text, options.iter().copied()).or_else(|| begun(text, &options));
        finding.help = Some(match near {
            Some(near) => format!("did you mean `{near}`? The options are {listed}"),
            None => format!("the options are {listed}"),
        });
        if let Some(near) = near {
            let change = Change::Text { at: node.span, to: near.to_owned() };
            finding = finding.mend(certain(text, near, &options), self.pointer(), change);
        }
        self.push(finding.severity(severity));
    }

    /// The tag of a tagged union, if it is there and known; else that is reported.
    pub fn tag(&mut self, node: &'t Node, tag: &'static str, options: &[&'static str]) -> Option<&'t str> {
        let Kind::Table(table) = &node.kind else {
            self.wrong_type(node, "a table");
            return None;
        };
        let Some(entry) = table.get(tag) else {
            let name = self.describe(self.path.len());
            let finding = self
                .finding(&rules::MISSING_KEY, node, format!("{name} lacks the required key `{tag}`"))
                .label(format!("`{tag}` is missing"))
                .help(format!(
                    "it is one of {}, and decides which other keys there are",
                    list(options.iter().copied())
                ))
                .key(tag);
            let finding = match implied(table, tag, options) {
                Some(value) => {
                    let change = Change::Insert { key: tag.to_owned(), value: value.to_owned() };
                    finding.mend(Safety::Safe, self.pointer(), change)
                }
                None => finding,
            };
            if !self.damaged {
                self.push(finding);
            }
            return None;
        };
        self.in_key(&entry.key, |reader| {
            let text = reader.string(&entry.node)?;
            if options.contains(&text) {
                return Some(text);
            }
            // Without its tag the table cannot be read: an error in either reading.
            reader.unknown_option(&entry.node, text, options.iter().copied(), Severity::Error);
            None
        })
    }

    /// Reports a key of a map whose value is no table, where every key names one.
    pub(crate) fn not_an_entry(&mut self, entry: &'t Entry) {
        let name = self.table_name(self.path.len());
        let enclosing = self.open.iter().rev().copied().find(|open| open.shape.knows(&entry.key));
        let pointer = format!("{}/{}", self.pointer(), entry.key.replace('~', "~0").replace('/', "~1"));
        let mut finding = Finding::new(
            &rules::WRONG_TYPE,
            pointer,
            entry.node.span,
            format!(
                "every key of `[{name}]` names a table, and `{}` is {}",
                masked(&entry.key),
                entry.node.kind_name()
            ),
        )
        .label("expected a table");
        finding.help = Some(match enclosing {
            Some(open) => {
                if self.headers {
                    format!("it is a key of {}: move it above `[{name}]`", self.describe(open.depth))
                } else {
                    format!("it is a key of {}: move it there", self.describe(open.depth))
                }
            }
            None => format!(
                "write it as a table, `[{name}.{}]`, or move it to the table it belongs to",
                masked(&entry.key)
            ),
        });
        if let Some(open) = enclosing.filter(|open| open.table.get(&entry.key).is_none()) {
            let levels = self.open.iter().filter(|open| open.shape.knows(&entry.key)).count();
            let safety = if levels == 1 && self.headers { Safety::Safe } else { Safety::Unsafe };
            let to = self.pointer_to(open.depth);
            let pointer = finding.pointer.clone();
            finding = finding.mend(safety, pointer, Change::Move { key: entry.key_span, to });
        }
        self.push(finding);
    }
}

/// Whether a finding is about how a value is written, and what it is depends on what is wanted.
fn is_doubt(finding: &Finding) -> bool {
    finding.rule == &rules::LOSSY_NUMBER || finding.rule == &rules::YAML_1_1_VALUE
}

/// The change that makes a value of the wrong type what is wanted, and whether it is certain that this was meant.
fn change(node: &Node, wanted: &str) -> Option<(Safety, Change)> {
    let at = node.span;
    match (&node.kind, wanted) {
        // Its characters stay: whoever takes the number for text reads the same text.
        (Kind::Integer(_) | Kind::Float(_) | Kind::Bool(_) | Kind::Datetime(_), "a string") => {
            Some((Safety::Safe, Change::Quote { at }))
        }
        (Kind::String(text), "an integer" | "a number") => {
            // What has blanks or underscores may have been meant as text.
            mend(node, wanted)?;
            let sound = !text.contains(|c: char| c != '.' && c != '-' && !c.is_ascii_digit());
            sound.then(|| (Safety::Safe, Change::Plain { at, to: text.clone() }))
        }
        (Kind::String(text), "true or false") => {
            let (safety, to) = match text.trim().to_lowercase().as_str() {
                flag @ ("true" | "false") => (Safety::Safe, flag.to_owned()),
                "yes" | "on" | "1" => (Safety::Unsafe, "true".to_owned()),
                "no" | "off" | "0" => (Safety::Unsafe, "false".to_owned()),
                _ => return None,
            };
            Some((safety, Change::Plain { at, to }))
        }
        _ => None,
    }
}

/// Whether a name can only have been meant as a known one: case, `-` and `_` are all that differs, and no other known name
/// is as near.
fn certain(found: &str, near: &str, known: &[&str]) -> Safety {
    let one = known.iter().filter(|known| same_word(found, known)).count() == 1;
    if one && same_word(found, near) { Safety::Safe } else { Safety::Unsafe }
}

/// What a tag must be where a table does not have it: keys that only one of the options has say so. A program that is
/// started is reached through its input and output, in every format that has such a tag.
fn implied<'o>(table: &Table, tag: &str, options: &[&'o str]) -> Option<&'o str> {
    let text = |key: &str| {
        table.get(key).is_some_and(|entry| entry.node.as_str().is_some_and(|text| !text.is_empty()))
    };
    let program = tag == "type" && text("command") && table.get("url").is_none();
    options.iter().copied().find(|option| program && *option == "stdio")
}

/// What to write instead of a value of the wrong type, where that is plain.
fn mend(node: &Node, wanted: &str) -> Option<String> {
    match (&node.kind, wanted) {
        (Kind::Null, _) => Some("leave the key out: null is not a value here".to_owned()),
        (Kind::String(text), "an integer" | "a number") => {
            let plain = text.trim().replace('_', "");
            let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, "0"));
            let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let unsigned = whole.strip_prefix('-').unwrap_or(whole);
            let sound =
                digits(unsigned) && digits(fraction) && (unsigned == "0" || !unsigned.starts_with('0'));
            let fits = wanted == "a number" || !plain.contains('.');
            (sound && fits).then(|| format!("write {plain}, without quotes"))
        }
        (Kind::String(text), "true or false") => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some("write true, without quotes".to_owned()),
            "false" | "no" | "off" | "0" => Some("write false, without quotes".to_owned()),
            _ => None,
        },
        (Kind::String(_), "an array of tables") => {
            Some("write a list in its place, also where it has one item only".to_owned())
        }
        (Kind::String(_), "a table") => {
            Some("write a table in its place: keys, each with a value".to_owned())
        }
        (Kind::Datetime(datetime), "a string") => {
            Some(format!("write it in quotes: \"{}\"", datetime.as_str()))
        }
        // How the number was spelled is not known here: `1.10` and `0x10` must stay as they are.
        (Kind::Integer(_) | Kind::Float(_), "a string") => Some("write it in quotes".to_owned()),
        (Kind::Bool(flag), "a string") => Some(format!("write it in quotes: \"{flag}\"")),
        (Kind::String(text), "an array" | "an array of strings") => {
            Some(format!("write it in brackets: [\"{}\"]", quoted(text).trim_matches('`')))
        }
        _ => None,
    }
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn masked(text: &str) -> String {
    quoted(text).trim_matches('`').to_owned()
}

/// `a`, `b` and `c`.
pub(crate) fn list<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// The keys of a table, as a struct takes them.
pub struct Fields<'t> {
    table: &'t Table,
    span: Span,
    taken: Vec<bool>,
    /// Whether a key was given under two names.
    conflict: bool,
    keys: &'static Shape,
}

impl<'t> Fields<'t> {
    /// The table itself.
    pub fn table(&self) -> &'t Table {
        self.table
    }

    /// Where the table stands.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The entry of a key, by its name or an older one, without taking it.
    pub fn peek(&self, name: &str) -> Option<&'t Entry> {
        let older = || self.keys.key(name)?.legacy.iter().find_map(|older| self.table.get(older));
        self.table.get(name).or_else(older)
    }

    /// The table below a key, to look at what it holds; None where there is no table.
    pub(crate) fn below(&self, name: &str) -> Option<(&'t Entry, Self)> {
        let entry = self.table.get(name)?;
        let table = entry.node.as_table()?;
        let keys = (self.keys.key(name)?.shape)()?;
        Some((entry, Self { table, span: entry.node.span, taken: Vec::new(), keys, conflict: false }))
    }

    /// Takes the entry of a key, by its name or an older one.
    pub fn take(&mut self, reader: &mut Reader<'t>, name: &str, legacy: &[&str]) -> Option<&'t Entry> {
        let mut found: Option<usize> = None;
        for (index, entry) in self.table.entries.iter().enumerate() {
            if entry.key != name && !legacy.contains(&entry.key.as_str()) {
                continue;
            }
            self.taken[index] = true;
            let Some(first) = found.replace(index) else { continue };
            self.conflict = true;
            let (first, second) = (&self.table.entries[first], entry);
            reader.push(
                Finding::new(
                    &rules::CONFLICTING_KEYS,
                    format!("{}/{}", reader.pointer(), second.key),
                    second.key_span,
                    format!("`{}` and `{}` are two names of one key", first.key, second.key),
                )
                .label("given a second time here")
                .related(first.key_span, "first given here")
                .help(format!("keep `{name}` and delete the other")),
            );
        }
        let entry = &self.table.entries[found?];
        if entry.key != name {
            let pointer = format!("{}/{}", reader.pointer(), entry.key);
            let mut finding = Finding::new(
                &rules::LEGACY_NAME,
                pointer.clone(),
                entry.key_span,
                format!("`{}` is the older name of `{name}`", entry.key),
            )
            .label("an older name")
            .help(format!("write `{name}`"));
            if !self.conflict {
                let change = Change::Rename { at: entry.key_span, to: name.to_owned() };
                finding = finding.mend(Safety::Safe, pointer, change);
            }
            reader.push(finding);
        }
        Some(entry)
    }

    /// Reads a key that must be there.
    pub fn required<T: Read>(
        &mut self,
        reader: &mut Reader<'t>,
        name: &'static str,
        legacy: &[&str],
    ) -> Option<T> {
        let Some(entry) = self.take(reader, name, legacy) else {
            self.missing(reader, name, None);
            return None;
        };
        reader.in_key(&entry.key, |reader| T::read(&entry.node, reader))
    }

    /// Reads a key that may be absent. The outer option is None when it is there and cannot be read.
    pub fn optional<T: Read>(
        &mut self,
        reader: &mut Reader<'t>,
        name: &'static str,
        legacy: &[&str],
    ) -> Option<Option<T>> {
        match self.take(reader, name, legacy) {
            Some(entry) => reader.in_key(&entry.key, |reader| T::read(&entry.node, reader)).map(Some),
            None => Some(None),
        }
    }

    /// Reports that a key is not there, and why it must be.
    pub fn missing(&self, reader: &mut Reader<'t>, name: &str, why: Option<&str>) {
        if reader.damaged {
            // The lost part of the text may hold the key; the syntax finding already makes the file invalid.
            return;
        }
        let depth = reader.path.len();
        let table = if depth == 0 { "the document".to_owned() } else { reader.describe(depth) };
        let mut message = format!("{table} lacks the required key `{name}`");
        if let Some(why) = why {
            let _ = write!(message, ": {why}");
        }
        let mut finding = Finding::new(&rules::MISSING_KEY, reader.pointer(), self.span, message)
            .label(format!("`{name}` is missing"))
            .key(name);
        // A near miss among the keys that nobody knows is the likeliest reason.
        let strays = || self.table.entries.iter().filter(|entry| !self.keys.knows(&entry.key));
        if let Some(near) = nearest(name, strays().map(|entry| entry.key.as_str())) {
            finding.help = Some(format!("is it there as `{}`?", masked(near)));
        } else if let Some(key) = self.keys.key(name)
            && let Some(foreign) =
                key.foreign.iter().find(|foreign| strays().any(|entry| entry.key == **foreign))
        {
            finding.help =
                Some(format!("write `{name}` for `{foreign}`, which is what other formats call it"));
        } else if let Some((tag, options)) =
            self.keys.key(name).and_then(|key| (key.shape)()).and_then(|shape| shape.tag)
        {
            let home = reader.table_name(depth);
            let path = if home.is_empty() { name.to_owned() } else { format!("{home}.{name}") };
            let table = if reader.headers { format!("[{path}]") } else { path };
            finding.help =
                Some(format!("add `{table}`, whose `{tag}` is one of {}", list(options.iter().copied())));
        }
        reader.push(finding);
    }

    /// The keys that nothing took, kept as they are.
    pub fn extra(&self) -> Extra {
        let rest = self.table.entries.iter().zip(&self.taken).filter(|(_, taken)| !**taken);
        rest.map(|(entry, _)| (entry.key.clone(), Value::from(&entry.node))).collect()
    }

    /// The keys of a closed table that nothing took: what tolerant reading passed. An annotation of the document that
    /// its type has no key for is none of them.
    pub fn unlisted_keys(&self, reader: &Reader<'t>) -> UnlistedKeys {
        let is_annotation = |key: &str| reader.path.is_empty() && key == SCHEMA_KEY;
        let keys = self.extra();
        keys.iter()
            .filter(|(key, _)| !is_annotation(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect::<Extra>()
            .into()
    }

    /// Reports the keys that the table does not know. False when that is an error: a closed table knows all its keys.
    /// The tolerant reading keeps what a newer version may have added.
    fn report_unknown(&self, reader: &mut Reader<'t>, elsewhere: &[&str]) -> bool {
        let mut known = true;
        for entry in &self.table.entries {
            if self.keys.knows(&entry.key) || elsewhere.contains(&entry.key.as_str()) {
                continue;
            }
            if reader.path.is_empty() && entry.key == SCHEMA_KEY {
                // An annotation in every kind: read, kept, never part of the meaning.
                known &= reader.in_key(&entry.key, |reader| reader.string(&entry.node)).is_some();
                continue;
            }
            let closed = self.keys.others == Others::Closed && reader.mode == Mode::Strict;
            let severity = if closed { Severity::Error } else { Severity::Warning };
            if Finding::hides(&reader.findings, severity) {
                known &= !closed;
                continue;
            }
            let finding = match self.misplaced(reader, entry) {
                Some(finding) => finding,
                None if self.keys.others == Others::Any => continue,
                None => self.unknown(reader, entry),
            };
            known &= !closed;
            reader.push(if closed { finding.severity(Severity::Error) } else { finding });
        }
        known
    }

    fn unknown(&self, reader: &Reader<'t>, entry: &Entry) -> Finding {
        let table = reader.table_name(reader.path.len());
        let place = if table.is_empty() { "this document".to_owned() } else { format!("`{table}`") };
        let key = masked(&entry.key);
        let finding = Finding::new(
            &rules::UNKNOWN_KEY,
            reader.pointer(),
            entry.key_span,
            format!("`{key}` is not a key of {place}"),
        )
        .label("not a known key")
        .key(&key);
        if let (true, Some(tag)) = (self.keys.elsewhere.contains(&entry.key.as_str()), self.keys.keys.first())
        {
            let tag = tag.name;
            let mut finding = finding.label(format!("not a key with this `{tag}`"));
            finding.message = format!("`{key}` is not a key of {place} with this `{tag}`");
            return finding.help(format!("another `{tag}` has it: delete it, or change `{tag}`"));
        }
        let finding = match self.keys.others {
            Others::PassedOn(fate) => {
                Finding { message: format!("`{key}` is not a known key of {place}: {fate}"), ..finding }
            }
            _ => finding,
        };
        let names = || self.keys.keys.iter().map(|key| key.name);
        let foreign = self.keys.keys.iter().find(|known| known.foreign.contains(&entry.key.as_str()));
        let pointer = format!("{}/{}", reader.pointer(), escaped(&entry.key));
        let rename = |to: &str| Change::Rename { at: entry.key_span, to: to.to_owned() };
        if let Some(known) = foreign.filter(|known| self.peek(known.name).is_none()) {
            let name = known.name;
            return finding.help(format!("write `{name}`: other formats call it `{key}`")).mend(
                Safety::Unsafe,
                pointer,
                rename(name),
            );
        }
        match nearest(&entry.key, names()) {
            Some(near) => {
                let finding = finding.help(format!("did you mean `{near}`?"));
                let rival = || {
                    let mut others = self.table.entries.iter().filter(|other| other.key != entry.key);
                    others.any(|other| nearest(&other.key, [near]).is_some() && !self.keys.knows(&other.key))
                };
                if self.peek(near).is_some() || rival() {
                    return finding;
                }
                let known: Vec<&str> = names().collect();
                finding.mend(certain(&entry.key, near, &known), pointer, rename(near))
            }
            None if self.keys.keys.is_empty() => finding,
            None if self.keys.keys.len() <= 30 => {
                finding.help(format!("the known keys here are {}", list(related_first(&entry.key, names()))))
            }
            None => {
                let first: Vec<&str> = related_first(&entry.key, names()).into_iter().take(12).collect();
                finding.help(format!("{} keys are known here, among them {}", names().count(), list(first)))
            }
        }
    }

    /// A key that this table does not know, and an enclosing table, or exactly one other table near it, does.
    fn misplaced(&self, reader: &Reader<'t>, entry: &Entry) -> Option<Finding> {
        let here = reader.path.len();
        let table = reader.table_name(here);
        let key = masked(&entry.key);
        let enclosing = || reader.open.iter().rev().filter(|open| open.depth < here);
        let swallowed =
            enclosing().find(|open| !std::ptr::eq(open.shape, self.keys) && open.shape.knows(&entry.key));
        if swallowed.is_some_and(|open| open.table.get(&entry.key).is_some()) {
            // It is where it belongs already; this one is another, that nobody knows.
            return None;
        }
        let mut below = None;
        let (message, help) = if let Some(open) = swallowed {
            let home = reader.table_name(open.depth);
            let header = if home.is_empty() { key.clone() } else { format!("{home}.{key}") };
            let help = if !reader.headers {
                let home =
                    if home.is_empty() { "the document itself".to_owned() } else { format!("`{home}`") };
                format!("it is a key of {home}: move it there")
            } else if let Kind::Array(items) = &entry.node.kind
                && items.iter().any(|item| item.as_table().is_some())
            {
                format!("write its headers as `[[{header}]]`: it does not belong to `{table}`")
            } else if entry.node.as_table().is_some() {
                format!("write its header as `[{header}]`: it does not belong to `{table}`")
            } else if home.is_empty() {
                "it is a key of the document itself: move it above the first table header".to_owned()
            } else {
                format!("it is a key of `[{home}]`: move it there, above the header of `[{table}]`")
            };
            (format!("`{key}` ended up inside {}", reader.describe(here)), help)
        } else if self.keys.others == Others::Any {
            return None;
        } else {
            let mut near = std::iter::once((self.keys, self.table, here))
                .chain(enclosing().map(|open| (open.shape, open.table, open.depth)));
            // The nearest level at which a table knows the key decides: if there are several, nothing is proved.
            let (child, parent, depth) = near
                .find_map(|(shape, table, depth)| match children_with(shape, &entry.key)[..] {
                    [] => None,
                    [child] => Some(Some((child, table, depth))),
                    _ => Some(None),
                })
                .flatten()?;
            let is_free = |home: &crate::tree::Table| home.get(&entry.key).is_none();
            if parent.get(child).and_then(|home| home.node.as_table()).is_some_and(is_free) {
                below = Some(format!("{}/{}", reader.pointer_to(depth), escaped(child)));
            }
            let parent = reader.table_name(depth);
            let home = if parent.is_empty() { child.to_owned() } else { format!("{parent}.{child}") };
            if home == table {
                return None;
            }
            let home = if reader.headers { format!("[{home}]") } else { home };
            let what = if reader.headers && entry.node.as_table().is_some() {
                format!("write its header as `{}.{key}]`", home.trim_end_matches(']'))
            } else if reader.headers && below.is_some() {
                format!("move its line below the header `{home}`")
            } else {
                format!("move it into `{home}`")
            };
            (
                format!("`{key}` is a key of `{home}`, not of {}", reader.describe(here)),
                format!("{what}: where it stands, it is not read"),
            )
        };
        let label = if table.is_empty() {
            "not a key of the document".to_owned()
        } else {
            format!("not a key of `{table}`")
        };
        let mut finding = Finding::new(&rules::MISPLACED_KEY, reader.pointer(), entry.key_span, message)
            .label(label)
            .help(help)
            .key(key);
        if swallowed.is_some() && reader.headers {
            finding = finding.related(self.span, "this table is still open");
        }
        if let Some(open) = swallowed {
            let levels = enclosing().filter(|open| open.shape.knows(&entry.key)).count();
            // Only the headers of TOML swallow keys by themselves: indentation and braces are written by hand. Where every
            // key is legal, it may be meant where it stands, and a common name may be of either table.
            let wanted = open.shape.key(&entry.key).is_some_and(|key| key.required);
            let safe = levels == 1
                && reader.headers
                && self.keys.others != Others::Any
                && (wanted || !COMMON.contains(&entry.key.as_str()));
            let pointer = format!("{}/{}", reader.pointer(), escaped(&entry.key));
            let change = Change::Move { key: entry.key_span, to: reader.pointer_to(open.depth) };
            finding = finding.mend(if safe { Safety::Safe } else { Safety::Unsafe }, pointer, change);
        }
        if let Some(to) = below {
            // Nothing took it from that table: it was written here, perhaps for another reader.
            let pointer = format!("{}/{}", reader.pointer(), escaped(&entry.key));
            let change = Change::Move { key: entry.key_span, to };
            finding = finding.mend(Safety::Unsafe, pointer, change);
        }
        Some(finding)
    }
}

/// Names that say little: many tables have such keys.
const COMMON: [&str; 9] = ["name", "id", "type", "key", "label", "value", "default", "description", "title"];

/// The tables below a table that know a key. Names that say little prove nothing.
fn children_with(shape: &Shape, name: &str) -> Vec<&'static str> {
    if COMMON.contains(&name) {
        return Vec::new();
    }
    let homes = shape.keys.iter().filter(|key| (key.shape)().is_some_and(|shape| shape.knows(name)));
    homes.map(|key| key.name).collect()
}

/// The one option that begins as a text does, or that the text goes on from: `prompt` for `promptonly`.
fn begun(text: &str, options: &[&'static str]) -> Option<&'static str> {
    const LEAST: usize = 3;
    let text = text.to_lowercase();
    let alike = |option: &&&str| {
        text.len().min(option.len()) >= LEAST && (option.starts_with(&text) || text.starts_with(**option))
    };
    let mut found = options.iter().filter(alike);
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// The names, those that share a word with `found` first.
fn related_first<'n>(found: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let words = |name: &str| -> Vec<String> {
        name.to_lowercase().split(['_', '-', '.']).filter(|word| word.len() > 2).map(str::to_owned).collect()
    };
    let wanted = words(found);
    let mut names: Vec<&str> = names.collect();
    names.sort_by_key(|name| {
        std::cmp::Reverse(words(name).iter().filter(|word| wanted.contains(word)).count())
    });
    names
}

#[cfg(test)]
mod tests {
    use super::{Change, Safety, certain, change, mend};
    use crate::tree::{Kind, Node, Span};

    #[test]
    fn a_name_is_certain_when_one_known_name_alone_is_the_same_word() {
        for (found, near, known, safety) in [
            ("apiKey", "api_key", &["api_key", "url"][..], Safety::Safe),
            ("apiKey", "api_key", &["api_key", "api-key"], Safety::Unsafe),
            ("api_kee", "api_key", &["api_key", "url"], Safety::Unsafe),
            ("apikey", "api_keys", &["api_key", "api_keys"], Safety::Unsafe),
        ] {
            assert_eq!(certain(found, near, known), safety, "{found}");
        }
    }

    #[test]
    fn texts_that_mean_something_else_are_changed_and_only_what_is_plain_is_safe() {
        for (text, wanted, expected) in [
            ("true", "true or false", "safe true; write true, without quotes"),
            (" False ", "true or false", "safe false; write false, without quotes"),
            ("yes", "true or false", "unsafe true; write true, without quotes"),
            ("On", "true or false", "unsafe true; write true, without quotes"),
            ("1", "true or false", "unsafe true; write true, without quotes"),
            ("no", "true or false", "unsafe false; write false, without quotes"),
            ("OFF", "true or false", "unsafe false; write false, without quotes"),
            ("0", "true or false", "unsafe false; write false, without quotes"),
            ("perhaps", "true or false", "; "),
            ("12", "an integer", "safe 12; write 12, without quotes"),
            ("-12", "an integer", "safe -12; write -12, without quotes"),
            ("1_000", "an integer", "; write 1000, without quotes"),
            (" 12", "a number", "; write 12, without quotes"),
            ("1.5", "a number", "safe 1.5; write 1.5, without quotes"),
            ("1.5", "an integer", "; "),
            ("012", "an integer", "; "),
            ("0", "an integer", "safe 0; write 0, without quotes"),
            ("-0.5", "a number", "safe -0.5; write -0.5, without quotes"),
            ("1.", "a number", "; "),
            ("", "a number", "; "),
            ("1e3", "a number", "; "),
        ] {
            let node = Node { kind: Kind::String(text.to_owned()), span: Span::new(0, text.len()) };
            let changed = match change(&node, wanted) {
                Some((Safety::Safe, Change::Plain { to, .. })) => format!("safe {to}"),
                Some((Safety::Unsafe, Change::Plain { to, .. })) => format!("unsafe {to}"),
                Some(other) => format!("{other:?}"),
                None => String::new(),
            };
            let said = format!("{changed}; {}", mend(&node, wanted).unwrap_or_default());
            assert_eq!(said, expected, "{text} for {wanted}");
        }
    }
}
