//! Whether a statement holds for one document.

use super::Solver;
use crate::graph::{Classes, Id, Node};
use crate::number;
use serde_json::{Map, Number, Value};

/// Statements that are looked at to judge one document.
const FUEL: u32 = 200_000;

/// The class of a value.
pub(crate) fn class_of(value: &Value) -> Classes {
    match value {
        Value::Null => Classes::NULL,
        Value::Bool(_) => Classes::BOOLEAN,
        Value::Number(number) => class_of_number(number),
        Value::String(_) => Classes::STRING,
        Value::Array(_) => Classes::ARRAY,
        Value::Object(_) => Classes::OBJECT,
    }
}

fn class_of_number(number: &Number) -> Classes {
    if number.is_f64() {
        let whole = number.as_f64().is_some_and(|float| float.fract() == 0.0);
        if whole { Classes::POINTED } else { Classes::FRACTION }
    } else {
        Classes::WHOLE
    }
}

/// Whether two values are equal, numbers by their value.
pub(crate) fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || number::read(one).is_some_and(|one| Some(one) == number::read(other))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => one == other,
    }
}

impl Solver {
    /// Whether a statement holds; none, where nobody can say, or not in bounded time.
    pub(crate) fn holds(&mut self, id: Id, value: &Value, depth: usize) -> Option<bool> {
        if depth == 0 {
            self.held.clear();
            self.fuel = FUEL;
        }
        if depth > 600 || self.fuel == 0 {
            return None;
        }
        self.fuel -= 1;
        self.looks.set(self.looks.get() + 1);
        // What is shared is looked at once for each value.
        if !matches!(self.graph.node(id), Node::And(_) | Node::Or(_) | Node::One(_)) {
            return self.holds_now(id, value, depth);
        }
        let key = (id, std::ptr::from_ref(value));
        if let Some(known) = self.held.get(&key) {
            return *known;
        }
        let holds = self.holds_now(id, value, depth);
        self.held.insert(key, holds);
        holds
    }

    /// The same for a key, which is a value of its own for as long as it is judged.
    fn holds_of_key(&mut self, ids: &[Id], all: bool, name: &str, depth: usize) -> Option<bool> {
        let outside = std::mem::take(&mut self.held);
        let name = Value::from(name);
        let holds = if all {
            self.all(ids.iter().map(|id| (*id, &name)), depth)
        } else {
            self.any(ids, &name, depth)
        };
        self.held = outside;
        holds
    }

    fn holds_now(&mut self, id: Id, value: &Value, depth: usize) -> Option<bool> {
        let next = depth + 1;
        let node = self.graph.node(id);
        if !node.classes().has(class_of(value)) {
            return Some(true);
        }
        // Long lists of options are not copied.
        match (node, value) {
            (Node::TextIn(options), Value::String(text)) => {
                return Some(options.binary_search_by(|option| (**option).cmp(text.as_str())).is_ok());
            }
            (Node::TextIn(_), _) => return Some(true),
            _ => {}
        }
        let node = node.clone();
        match (&node, value) {
            (Node::Never, _) => Some(false),
            (Node::Pending, _) => None,
            (Node::Same(id), _) => self.holds(*id, value, next),
            (Node::Of(classes), _) => Some(classes.has(class_of(value))),
            (Node::And(ids), _) => self.all(ids.iter().map(|id| (*id, value)), next),
            (Node::Or(ids), _) => self.any(ids, value, next),
            (Node::One(ids), _) => {
                let mut count = 0;
                let mut unsure = false;
                for id in ids {
                    match self.holds(*id, value, next) {
                        Some(true) => count += 1,
                        Some(false) => {}
                        None => unsure = true,
                    }
                }
                if count > 1 { Some(false) } else { (!unsure).then_some(count == 1) }
            }
            (Node::Not(id), _) => Some(!self.holds(*id, value, next)?),
            (Node::Is(truth), Value::Bool(found)) => Some(truth == found),
            (
                Node::NumberIn(_) | Node::Least { .. } | Node::Most { .. } | Node::Multiple(_),
                Value::Number(found),
            ) => {
                let found = number::read(found)?;
                Some(match &node {
                    Node::NumberIn(options) => options.binary_search(&found).is_ok(),
                    Node::Least { bound, strict } => found > *bound || !strict && found == *bound,
                    Node::Most { bound, strict } => found < *bound || !strict && found == *bound,
                    Node::Multiple(step) => number::divides(step, &found),
                    _ => return None,
                })
            }
            (Node::Opaque(opaque), _) => (self.judge)(opaque.check.as_deref()?, value),
            (Node::MinLength(least), Value::String(text)) => Some(text.chars().count() as u64 >= *least),
            (Node::MaxLength(most), Value::String(text)) => Some(text.chars().count() as u64 <= *most),
            (Node::Matches(pattern), Value::String(text)) => Some(self.automaton(pattern)?.is_match(text)),
            (node, Value::Array(items)) => self.holds_of_array(node, items, next),
            (node, Value::Object(members)) => self.holds_of_object(node, members, next),
            _ => Some(true),
        }
    }

    fn holds_of_array(&mut self, node: &Node, items: &[Value], next: usize) -> Option<bool> {
        match node {
            Node::Item(index, id) => match usize::try_from(*index).ok().and_then(|index| items.get(index)) {
                Some(item) => self.holds(*id, item, next),
                None => Some(true),
            },
            Node::Rest(from, id) => {
                let from = usize::try_from(*from).unwrap_or(usize::MAX);
                self.all(items.iter().skip(from).map(|item| (*id, item)), next)
            }
            Node::MinItems(least) => Some(items.len() as u64 >= *least),
            Node::MaxItems(most) => Some(items.len() as u64 <= *most),
            Node::Distinct => Some(
                items
                    .iter()
                    .enumerate()
                    .all(|(index, one)| !items[..index].iter().any(|other| equal(one, other))),
            ),
            Node::AtLeast(bound, id) | Node::AtMost(bound, id) => {
                let (mut sure, mut unsure) = (0, 0);
                for item in items {
                    match self.holds(*id, item, next) {
                        Some(true) => sure += 1,
                        Some(false) => {}
                        None => unsure += 1,
                    }
                }
                let truth = |count: u64| {
                    if matches!(node, Node::AtLeast(..)) { count >= *bound } else { count <= *bound }
                };
                (truth(sure) == truth(sure + unsure)).then(|| truth(sure))
            }
            _ => Some(true),
        }
    }

    fn holds_of_object(&mut self, node: &Node, members: &Map<String, Value>, next: usize) -> Option<bool> {
        match node {
            Node::Key(name, id) => match members.get(&**name) {
                Some(member) => self.holds(*id, member, next),
                None => Some(true),
            },
            Node::KeyLike(pattern, id) => {
                let mut sure = true;
                for (name, member) in members {
                    match self.holds_of_key(std::slice::from_ref(pattern), true, name, next) {
                        Some(false) => {}
                        Some(true) => match self.holds(*id, member, next) {
                            Some(false) => return Some(false),
                            Some(true) => {}
                            None => sure = false,
                        },
                        None => sure = false,
                    }
                }
                sure.then_some(true)
            }
            Node::Others(others) => {
                let mut sure = true;
                for (name, member) in members {
                    if others.names.binary_search_by(|known| (**known).cmp(name)).is_ok() {
                        continue;
                    }
                    match self.holds_of_key(&others.patterns, false, name, next) {
                        Some(true) => {}
                        Some(false) => match self.holds(others.schema, member, next) {
                            Some(false) => return Some(false),
                            Some(true) => {}
                            None => sure = false,
                        },
                        None => sure = false,
                    }
                }
                sure.then_some(true)
            }
            Node::Has(name) => Some(members.contains_key(&**name)),
            Node::MinKeys(least) => Some(members.len() as u64 >= *least),
            Node::MaxKeys(most) => Some(members.len() as u64 <= *most),
            Node::Names(id) => {
                let mut sure = true;
                for name in members.keys() {
                    match self.holds_of_key(&[*id], true, name, next) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => sure = false,
                    }
                }
                sure.then_some(true)
            }
            _ => Some(true),
        }
    }

    fn all<'v>(&mut self, pairs: impl Iterator<Item = (Id, &'v Value)>, depth: usize) -> Option<bool> {
        let mut sure = true;
        for (id, value) in pairs {
            match self.holds(id, value, depth) {
                Some(false) => return Some(false),
                Some(true) => {}
                None => sure = false,
            }
        }
        sure.then_some(true)
    }

    pub(super) fn any(&mut self, ids: &[Id], value: &Value, depth: usize) -> Option<bool> {
        let mut sure = true;
        for id in ids {
            match self.holds(*id, value, depth) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => sure = false,
            }
        }
        sure.then_some(false)
    }
}
