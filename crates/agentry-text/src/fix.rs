//! Fixes: how a text is changed so that a finding goes away.
//!
//! Whoever finds something knows what should change and not how it is written: a [`Mend`]. Whoever has the text makes a
//! [`Fix`] of it ([`resolve`]): edits of bytes that leave everything else as it is, and what they do to the value. The two
//! are worked out apart from each other, so that one proves the other ([`Effect::apply`]).

mod edits;

use crate::finding::Finding;
use crate::mask::quoted;
use crate::tree::{Format, Node, Span};
use crate::value::Value;
use edits::Source;
use indexmap::IndexMap;
use std::fmt;

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// There is one thing that can have been meant, and the fix writes it.
    Safe,
    /// It is the likeliest thing that was meant, and not the only one.
    Unsafe,
}

/// What should change about a document, in the words of its value.
#[derive(Clone, PartialEq, Eq)]
pub struct Mend {
    /// Whether that is certain.
    pub safety: Safety,
    /// The JSON pointer of the value that changes.
    pub pointer: String,
    /// What changes.
    pub change: Change,
}

/// A change of a document.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A key gets another name.
    Rename {
        /// Where the key stands.
        at: Span,
        /// The name.
        to: String,
    },
    /// A string is another one.
    Text {
        /// Where the string stands.
        at: Span,
        /// What it becomes.
        to: String,
    },
    /// A value becomes a number, or true or false.
    Plain {
        /// Where the value stands.
        at: Span,
        /// How it is written.
        to: String,
    },
    /// What stands there is text: it gets quotes, and its characters stay.
    Quote {
        /// Where it stands.
        at: Span,
    },
    /// The same where the value is that text already, and only its quotes are missing.
    QuoteText {
        /// Where it stands.
        at: Span,
    },
    /// A key moves to another table.
    Move {
        /// Where the key stands.
        key: Span,
        /// The JSON pointer of the table that it belongs to, which encloses the one that it stands in.
        to: String,
    },
    /// A key is added to the beginning of a table.
    Insert {
        /// The key.
        key: String,
        /// Its value, a text.
        value: String,
    },
}

/// Shows nothing of the value, which may be secret.
impl fmt::Debug for Mend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mend").field("safety", &self.safety).finish_non_exhaustive()
    }
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Change").finish_non_exhaustive()
    }
}

/// A replacement of some bytes of a text.
#[derive(Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; where it is empty, something is put in.
    pub span: Span,
    /// What is written instead. It is never masked: do not print it.
    pub replacement: String,
}

/// Shows nothing of the replacement, which may be secret.
impl fmt::Debug for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edit")
            .field("span", &self.span)
            .field("bytes", &self.replacement.len())
            .finish_non_exhaustive()
    }
}

/// How a text is changed so that a finding goes away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an order: ``rename `tag` to `tags` ``. Never holds a secret.
    pub title: String,
    /// Whether it may be applied without asking.
    pub safety: Safety,
    /// The edits, in the order of the text. They do not overlap.
    pub edits: Vec<Edit>,
    /// What they do to the value.
    pub effect: Effect,
}

/// What a fix does to the value of a document, and it does nothing else.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// The value stays as it is: only how it is written changes.
    Same,
    /// A value becomes a text.
    Text {
        /// The JSON pointer of the value, which may be new.
        pointer: String,
        /// The text.
        text: String,
    },
    /// A value becomes a number, or true or false.
    Plain {
        /// The JSON pointer of the value.
        pointer: String,
        /// How it is written.
        written: String,
    },
    /// A key gets another name.
    Renamed {
        /// The JSON pointer of its value.
        pointer: String,
        /// The name.
        to: String,
    },
    /// A key moves to another table.
    Moved {
        /// The JSON pointer of its value.
        pointer: String,
        /// The JSON pointer of the table.
        to: String,
    },
}

/// Shows nothing of the value, which may be secret.
impl fmt::Debug for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Effect").finish_non_exhaustive()
    }
}

impl Effect {
    /// The order in which effects that come together are applied: pointers must still lead to what they name.
    pub fn rank(&self) -> (u8, std::cmp::Reverse<usize>) {
        match self {
            Self::Same | Self::Text { .. } | Self::Plain { .. } => (0, std::cmp::Reverse(0)),
            Self::Moved { .. } => (1, std::cmp::Reverse(0)),
            // The deepest first.
            Self::Renamed { pointer, .. } => (2, std::cmp::Reverse(pointer.matches('/').count())),
        }
    }

    /// Does to a value what the fix does to its text. False where the value has no such place.
    #[must_use]
    pub fn apply(&self, value: &mut Value) -> bool {
        match self {
            Self::Same => true,
            Self::Text { pointer, text } => set(value, pointer, Value::String(text.clone())),
            Self::Plain { pointer, written } => {
                plain(written).is_some_and(|plain| set(value, pointer, plain))
            }
            Self::Renamed { pointer, to } => {
                let Some((table, key)) = parent(value, pointer) else { return false };
                let Some(index) = table.get_index_of(&key) else { return false };
                if table.contains_key(to) {
                    return false;
                }
                let Some((_, moved)) = table.shift_remove_index(index) else { return false };
                table.shift_insert(index, to.clone(), moved);
                true
            }
            Self::Moved { pointer, to } => {
                let Some((table, key)) = parent(value, pointer) else { return false };
                let Some(moved) = table.shift_remove(&key) else { return false };
                let Some(Value::Table(home)) = at(value, to) else { return false };
                home.insert(key, moved).is_none()
            }
        }
    }
}

/// A number, or true or false, as every format writes them.
fn plain(written: &str) -> Option<Value> {
    match written {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => match written.parse::<i128>() {
            Ok(number) => Some(Value::Integer(number)),
            Err(_) => written.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::Float),
        },
    }
}

fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

fn at<'v>(value: &'v mut Value, pointer: &str) -> Option<&'v mut Value> {
    pointer.split('/').skip(1).try_fold(value, |value, segment| match value {
        Value::Table(table) => table.get_mut(&unescaped(segment)),
        Value::Array(items) => items.get_mut(segment.parse::<usize>().ok()?),
        _ => None,
    })
}

fn parent<'v>(value: &'v mut Value, pointer: &str) -> Option<(&'v mut IndexMap<String, Value>, String)> {
    let (table, key) = pointer.rsplit_once('/')?;
    match at(value, table)? {
        Value::Table(table) => Some((table, unescaped(key))),
        _ => None,
    }
}

fn set(value: &mut Value, pointer: &str, new: Value) -> bool {
    if let Some(old) = at(value, pointer) {
        *old = new;
        return true;
    }
    let Some((table, key)) = parent(value, pointer) else { return false };
    table.insert(key, new).is_none()
}

/// Makes fixes of what should change, where the text shows how. Whoever has found all there is to find in a text calls this
/// once.
pub fn resolve(findings: &mut [Finding], root: Option<&Node>, text: &str, format: Format) {
    if findings.iter().all(|finding| finding.mend.is_none()) {
        return;
    }
    let source = Source::new(text, format, root);
    for finding in findings {
        let Some(mend) = finding.mend.take() else { continue };
        finding.fix = fix(&source, &mend, format);
    }
}

fn fix(source: &Source<'_>, mend: &Mend, format: Format) -> Option<Fix> {
    let pointer = mend.pointer.clone();
    let (title, edits, effect) = match &mend.change {
        Change::Rename { at, to } => (
            format!("rename {} to `{to}`", quoted(&source.key(*at)?)),
            vec![source.rename(*at, to)?],
            Effect::Renamed { pointer, to: to.clone() },
        ),
        Change::Text { at, to } => (
            format!("write {}", quoted(to)),
            vec![source.string(*at, to)?],
            Effect::Text { pointer, text: to.clone() },
        ),
        Change::Plain { at, to } => (
            format!("write {}", quoted(to)),
            vec![Edit { span: *at, replacement: to.clone() }],
            Effect::Plain { pointer, written: to.clone() },
        ),
        Change::Quote { at } => {
            let (edit, text) = source.quote(*at)?;
            ("write the value in quotes".to_owned(), vec![edit], Effect::Text { pointer, text })
        }
        Change::QuoteText { at } => {
            ("put the text in quotes".to_owned(), vec![source.quote_text(*at)?], Effect::Same)
        }
        Change::Move { key, to } => {
            let names = to.split('/').skip(1).filter(|name| name.parse::<usize>().is_err());
            let home = names.map(unescaped).collect::<Vec<_>>().join(".");
            let home = match (to.is_empty(), format) {
                (true, Format::Toml) => "above the first table header".to_owned(),
                (true, _) => "to the document itself".to_owned(),
                (_, Format::Toml) => format!("into {}", quoted(&format!("[{home}]"))),
                _ => format!("into {}", quoted(&home)),
            };
            (
                format!("move {} {home}", quoted(&source.key(*key)?)),
                source.moved(*key, &pointer, to)?,
                Effect::Moved { pointer, to: to.clone() },
            )
        }
        Change::Insert { key, value } => (
            format!("add `{key}` with {}", quoted(value)),
            vec![source.insert(&pointer, key, value)?],
            Effect::Text { pointer: format!("{pointer}/{key}"), text: value.clone() },
        ),
    };
    Some(Fix { title, safety: mend.safety, edits, effect })
}

#[cfg(all(test, feature = "toml", feature = "yaml", feature = "json"))]
mod tests;
