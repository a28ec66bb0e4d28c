//! Schemas as a graph of small statements about one value.
//!
//! Every keyword becomes a node that speaks of values of its own type and holds for all others, so that a schema is
//! a formula over such nodes. Nodes are interned: what is spelled alike, on either side, is one node.

use crate::number::Number;
use std::collections::HashMap;
use std::rc::Rc;

/// A node of the graph.
pub(crate) type Id = u32;

/// Text that many nodes share.
pub(crate) type Text = Rc<str>;

/// A node, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Literal(u32);

impl Literal {
    pub(crate) const fn holds(id: Id) -> Self {
        Self(id << 1)
    }

    pub(crate) const fn fails(id: Id) -> Self {
        Self(id << 1 | 1)
    }

    pub(crate) const fn new(id: Id, positive: bool) -> Self {
        if positive { Self::holds(id) } else { Self::fails(id) }
    }

    pub(crate) const fn id(self) -> Id {
        self.0 >> 1
    }

    pub(crate) const fn positive(self) -> bool {
        self.0 & 1 == 0
    }

    pub(crate) const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A set of classes of values. Whole numbers are of two classes, since draft 4 takes `1` for an integer but not `1.0`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Classes(u8);

impl Classes {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(1 << 1);
    /// Whole numbers without a fraction in their spelling.
    pub(crate) const WHOLE: Self = Self(1 << 2);
    /// Whole numbers with a fraction in their spelling, such as `1.0`.
    pub(crate) const POINTED: Self = Self(1 << 3);
    pub(crate) const FRACTION: Self = Self(1 << 4);
    pub(crate) const STRING: Self = Self(1 << 5);
    pub(crate) const ARRAY: Self = Self(1 << 6);
    pub(crate) const OBJECT: Self = Self(1 << 7);
    pub(crate) const NUMBER: Self = Self(0b11100);
    pub(crate) const INTEGER: Self = Self(0b01100);
    pub(crate) const ALL: Self = Self(0xff);

    /// Each class, those with short documents first.
    pub(crate) const EACH: [Self; 8] = [
        Self::WHOLE,
        Self::STRING,
        Self::ARRAY,
        Self::OBJECT,
        Self::FRACTION,
        Self::POINTED,
        Self::NULL,
        Self::BOOLEAN,
    ];

    /// The length of the shortest document of one class.
    pub(crate) fn shortest(self) -> usize {
        match self {
            Self::WHOLE => 1,
            Self::STRING | Self::ARRAY | Self::OBJECT => 2,
            Self::FRACTION | Self::POINTED => 3,
            _ => 4,
        }
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn others(self) -> Self {
        Self(!self.0)
    }

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The keys that `additionalProperties` leaves out, and what it demands of the others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Others {
    pub(crate) names: Box<[Text]>,
    /// Formulas over the key.
    pub(crate) patterns: Box<[Id]>,
    pub(crate) schema: Id,
}

/// A statement that is not modelled.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Opaque {
    /// Two with the same key mean the same.
    pub(crate) key: Text,
    pub(crate) pointer: Text,
    pub(crate) why: Text,
    pub(crate) classes: Classes,
    /// A small schema that says the same, as JSON, so that a validator can judge single values.
    pub(crate) check: Option<Text>,
}

/// One statement about a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    Any,
    Never,
    /// The same as another node, which was not known when this one was made.
    Same(Id),
    /// Not known yet.
    Pending,
    Of(Classes),
    And(Box<[Id]>),
    Or(Box<[Id]>),
    /// Exactly one of them.
    One(Box<[Id]>),
    Not(Id),
    Is(bool),
    NumberIn(Box<[Number]>),
    Least {
        bound: Number,
        strict: bool,
    },
    Most {
        bound: Number,
        strict: bool,
    },
    Multiple(Number),
    TextIn(Box<[Text]>),
    MinLength(u64),
    MaxLength(u64),
    /// A regular expression, as it is spelled in the automata library.
    Matches(Text),
    /// The item at an index, if there is one.
    Item(u64, Id),
    /// Every item from an index on.
    Rest(u64, Id),
    MinItems(u64),
    MaxItems(u64),
    Distinct,
    AtLeast(u64, Id),
    AtMost(u64, Id),
    /// The value of a key, if it is there.
    Key(Text, Id),
    /// The values of all keys for which a formula holds.
    KeyLike(Id, Id),
    Others(Others),
    Has(Text),
    MinKeys(u64),
    MaxKeys(u64),
    Names(Id),
    Opaque(Opaque),
}

impl Node {
    /// The classes of values that it says something about.
    pub(crate) fn classes(&self) -> Classes {
        match self {
            Self::Is(_) => Classes::BOOLEAN,
            Self::NumberIn(_) | Self::Least { .. } | Self::Most { .. } | Self::Multiple(_) => Classes::NUMBER,
            Self::TextIn(_) | Self::MinLength(_) | Self::MaxLength(_) | Self::Matches(_) => Classes::STRING,
            Self::Item(..)
            | Self::Rest(..)
            | Self::MinItems(_)
            | Self::MaxItems(_)
            | Self::Distinct
            | Self::AtLeast(..)
            | Self::AtMost(..) => Classes::ARRAY,
            Self::Key(..)
            | Self::KeyLike(..)
            | Self::Others(_)
            | Self::Has(_)
            | Self::MinKeys(_)
            | Self::MaxKeys(_)
            | Self::Names(_) => Classes::OBJECT,
            Self::Opaque(opaque) => opaque.classes,
            Self::Any
            | Self::Never
            | Self::Same(_)
            | Self::Pending
            | Self::Of(_)
            | Self::And(_)
            | Self::Or(_)
            | Self::One(_)
            | Self::Not(_) => Classes::ALL,
        }
    }

    /// The nodes that speak of the same value as this one.
    pub(crate) fn in_place(&self) -> &[Id] {
        match self {
            Self::Same(id) | Self::Not(id) => std::slice::from_ref(id),
            Self::And(ids) | Self::Or(ids) | Self::One(ids) => ids,
            _ => &[],
        }
    }

    /// Every node that it refers to is replaced.
    pub(crate) fn map(&self, mut to: impl FnMut(Id) -> Id) -> Self {
        let mut all = |ids: &[Id]| ids.iter().map(|id| to(*id)).collect::<Box<[Id]>>();
        match self {
            Self::Same(id) => Self::Same(to(*id)),
            Self::Not(id) => Self::Not(to(*id)),
            Self::And(ids) => Self::And(all(ids)),
            Self::Or(ids) => Self::Or(all(ids)),
            Self::One(ids) => Self::One(all(ids)),
            Self::Item(index, id) => Self::Item(*index, to(*id)),
            Self::Rest(index, id) => Self::Rest(*index, to(*id)),
            Self::AtLeast(count, id) => Self::AtLeast(*count, to(*id)),
            Self::AtMost(count, id) => Self::AtMost(*count, to(*id)),
            Self::Key(name, id) => Self::Key(name.clone(), to(*id)),
            Self::KeyLike(pattern, id) => Self::KeyLike(to(*pattern), to(*id)),
            Self::Others(Others { names, patterns, schema }) => {
                let patterns = all(patterns);
                Self::Others(Others { names: names.clone(), patterns, schema: to(*schema) })
            }
            Self::Names(id) => Self::Names(to(*id)),
            other => other.clone(),
        }
    }

    /// Every node that it refers to.
    pub(crate) fn children(&self) -> Vec<Id> {
        match self {
            Self::Item(_, id)
            | Self::Rest(_, id)
            | Self::AtLeast(_, id)
            | Self::AtMost(_, id)
            | Self::Key(_, id)
            | Self::Names(id) => vec![*id],
            Self::KeyLike(pattern, id) => vec![*pattern, *id],
            Self::Others(others) => others.patterns.iter().copied().chain([others.schema]).collect(),
            other => other.in_place().to_vec(),
        }
    }
}

/// Nodes by number, each spelling once. The first 256 are the sets of classes, none and all among them.
pub(crate) struct Graph {
    nodes: Vec<Node>,
    known: HashMap<Node, Id>,
}

impl Graph {
    pub(crate) const NEVER: Id = 0;
    pub(crate) const ANY: Id = 255;

    pub(crate) fn new() -> Self {
        let mut graph = Self { nodes: Vec::new(), known: HashMap::new() };
        for set in 0..=u8::MAX {
            graph.intern(match Classes(set) {
                Classes::NONE => Node::Never,
                Classes::ALL => Node::Any,
                classes => Node::Of(classes),
            });
        }
        graph
    }

    /// The node of a set of classes.
    pub(crate) const fn of(classes: Classes) -> Id {
        classes.0 as Id
    }

    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of a node, which is made if it is new.
    pub(crate) fn intern(&mut self, node: Node) -> Id {
        if let Node::Same(id) = node {
            return id;
        }
        if let Some(id) = self.known.get(&node) {
            return *id;
        }
        let id = self.reserve();
        self.nodes[id as usize] = node.clone();
        self.known.insert(node, id);
        id
    }

    /// A number for a node that is filled in later.
    pub(crate) fn reserve(&mut self) -> Id {
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(Node::Pending);
        id
    }

    /// Says what a reserved number stands for. The same spelling finds it again.
    pub(crate) fn fill(&mut self, id: Id, node: Node) {
        self.known.entry(node.clone()).or_insert(id);
        self.nodes[id as usize] = node;
    }

    pub(crate) fn and(&mut self, ids: impl IntoIterator<Item = Id>) -> Id {
        let node = self.join(ids, true);
        self.intern(node)
    }

    pub(crate) fn or(&mut self, ids: impl IntoIterator<Item = Id>) -> Id {
        let node = self.join(ids, false);
        self.intern(node)
    }

    pub(crate) fn not(&mut self, id: Id) -> Id {
        match self.node(id) {
            Node::Any => Self::NEVER,
            Node::Never => Self::ANY,
            Node::Of(classes) => Self::of(classes.others()),
            Node::Not(inner) => *inner,
            _ => self.intern(Node::Not(id)),
        }
    }

    /// What a conjunction or disjunction comes to: flat, each part once, sets of classes as one.
    pub(crate) fn join(&self, ids: impl IntoIterator<Item = Id>, and: bool) -> Node {
        let mut classes = if and { Classes::ALL } else { Classes::NONE };
        let mut kept: Vec<Id> = Vec::new();
        let mut queue: Vec<Id> = ids.into_iter().collect();
        while let Some(id) = queue.pop() {
            match self.node(id) {
                Node::Any if and => {}
                Node::Never if !and => {}
                Node::Any => return Node::Any,
                Node::Never => return Node::Never,
                Node::And(inner) if and => queue.extend(inner),
                Node::Or(inner) if !and => queue.extend(inner),
                Node::Same(other) => queue.push(*other),
                Node::Of(found) => classes = if and { classes.and(*found) } else { classes.or(*found) },
                _ => kept.push(id),
            }
        }
        match (and, classes) {
            (true, Classes::NONE) => return Node::Never,
            (false, Classes::ALL) => return Node::Any,
            (true, Classes::ALL) | (false, Classes::NONE) => {}
            _ => kept.push(Self::of(classes)),
        }
        kept.sort_unstable();
        kept.dedup();
        match (kept.as_slice(), and) {
            ([], true) => Node::Any,
            ([], false) => Node::Never,
            ([one], _) => Node::Same(*one),
            (_, true) => Node::And(kept.into()),
            (_, false) => Node::Or(kept.into()),
        }
    }
}
