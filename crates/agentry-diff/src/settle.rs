//! From what was read to the graph: what is spelled alike becomes one node, recursive schemas too.

use crate::graph::{Classes, Graph, Id, Node, Opaque};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Why a schema that needs itself cannot be compared.
pub(crate) const CYCLE: &str = "a schema refers to itself without going into a part of the value";

/// Why validators differ about a schema that needs its own negation.
pub(crate) const PARADOX: &str = "a schema refers to its own negation without going into a part of the value";

/// Nodes that are looked at to find those that no sequence of steps tells apart.
const MAX_REFINED: u64 = 40_000_000;

/// Brings the nodes that were read since the last time into a graph. `settled` has the node of each. How many nodes
/// were looked at.
pub(crate) fn settle(raw: &mut [Node], graph: &mut Graph, settled: &mut Vec<Id>) -> u64 {
    let start = settled.len();
    let (stands_for, looked) = refine(raw, start, settled);
    cut_cycles(raw, start, &stands_for);
    let mut build = Build { raw, graph, settled, start, stands_for: &stands_for, state: HashMap::new() };
    let ids: Vec<Id> = (start..build.raw.len()).map(|index| build.node(index)).collect();
    settled.extend(ids);
    looked
}

/// Makes opaque what refers to itself in place: the drafts leave open what it means.
fn cut_cycles(raw: &mut [Node], start: usize, stands_for: &[usize]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        Not,
        Open,
        Done,
    }
    let mut visits = vec![Visit::Not; raw.len() - start];
    for first in start..raw.len() {
        let first = stands_for[first - start];
        if first < start || visits[first - start] != Visit::Not {
            continue;
        }
        let mut stack = vec![(first, 0_usize)];
        visits[first - start] = Visit::Open;
        while let Some((index, step)) = stack.last_mut() {
            let index = *index;
            let Some(child) = raw[index].in_place().get(*step).map(|child| *child as usize) else {
                visits[index - start] = Visit::Done;
                stack.pop();
                continue;
            };
            *step += 1;
            if child < start || stands_for[child - start] < start {
                continue;
            }
            let child = stands_for[child - start];
            match visits[child - start] {
                Visit::Done => {}
                Visit::Not => {
                    visits[child - start] = Visit::Open;
                    stack.push((child, 0));
                }
                Visit::Open => {
                    let why = if meets_negation(raw, index) { PARADOX } else { CYCLE };
                    raw[index] = Node::Opaque(Opaque {
                        key: format!("cycle {index}").into(),
                        pointer: "".into(),
                        why: why.into(),
                        classes: Classes::ALL,
                        check: None,
                    });
                }
            }
        }
    }
}

/// Whether a negation speaks of the same value as some node that refers to itself.
fn meets_negation(raw: &[Node], from: usize) -> bool {
    let (mut queue, mut seen) = (vec![from], HashSet::from([from]));
    while let Some(index) = queue.pop() {
        if matches!(raw[index], Node::Not(_) | Node::One(_)) {
            return true;
        }
        let children = raw[index].in_place().iter().map(|child| *child as usize);
        queue.extend(children.filter(|child| seen.insert(*child)));
    }
    false
}

/// Names for names that are followed.
const MAX_NAMES: usize = 2_000;

/// For each new node the first one that no sequence of steps tells from it.
fn refine(raw: &[Node], start: usize, settled: &[Id]) -> (Vec<usize>, u64) {
    let count = raw.len() - start;
    // A name for another node is that node.
    let alias = |index: usize| {
        let mut index = index;
        // Names that lead in a circle lead nowhere.
        for _ in 0..MAX_NAMES {
            match only(&raw[index]) {
                Node::Same(only) if index >= start => index = only as usize,
                _ => break,
            }
        }
        index
    };
    let aliases: Vec<usize> = (start..raw.len()).map(alias).collect();
    let mut shapes: HashMap<Node, u32> = HashMap::new();
    let shape: Vec<u32> = raw[start..]
        .iter()
        .map(|node| {
            let bare = match node {
                Node::And(_) => Node::And([].into()),
                Node::Or(_) => Node::Or([].into()),
                Node::One(_) => Node::One([].into()),
                other => other.map(|_| 0),
            };
            let next = u32::try_from(shapes.len()).unwrap_or(u32::MAX);
            *shapes.entry(bare).or_insert(next)
        })
        .collect();
    let children: Vec<Vec<usize>> = raw[start..]
        .iter()
        .map(|node| {
            let children = node.children().into_iter().map(|child| child as usize);
            children.map(|child| if child < start { child } else { aliases[child - start] }).collect()
        })
        .collect();
    let signature = |index: usize, classes: &[u32]| {
        let mut of_children: Vec<u64> = children[index]
            .iter()
            .map(|child| match child.checked_sub(start) {
                None => 1 << 32 | u64::from(settled[*child]),
                Some(child) => u64::from(classes[child]),
            })
            .collect();
        if matches!(raw[start + index], Node::And(_) | Node::Or(_) | Node::One(_)) {
            of_children.sort_unstable();
        }
        of_children
    };
    let mut parents: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, children) in children.iter().enumerate() {
        for child in children.iter().filter_map(|child| child.checked_sub(start)) {
            parents[child].push(index);
        }
    }
    let mut partition = Partition::new(shape, shapes.len());
    let mut looked = 0;
    // All are looked at once, and again only if what they refer to was told apart.
    let mut changed: Vec<usize> = (0..count).collect();
    while !changed.is_empty() {
        looked += changed.len() as u64;
        if looked > MAX_REFINED {
            // Each for itself: recursion that is spelled twice is not found to be one.
            return (aliases, looked);
        }
        let renamed = partition.split(&changed, signature);
        changed = renamed.into_iter().flat_map(|index| parents[index].iter().copied()).collect();
        changed.sort_unstable();
        changed.dedup();
    }
    let classes = partition.classes;
    let mut first: HashMap<u32, usize> = HashMap::new();
    let stands_for = (0..count)
        .map(|index| {
            let stands = aliases[index];
            if stands < start { stands } else { *first.entry(classes[stands - start]).or_insert(stands) }
        })
        .collect();
    (stands_for, looked)
}

/// Nodes sorted into classes that are split until no two of one class are told apart.
struct Partition {
    classes: Vec<u32>,
    members: Vec<Vec<usize>>,
    /// Where each node is among the members of its class.
    position: Vec<usize>,
}

impl Partition {
    fn new(classes: Vec<u32>, count: usize) -> Self {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut position = Vec::with_capacity(classes.len());
        for (index, class) in classes.iter().enumerate() {
            position.push(members[*class as usize].len());
            members[*class as usize].push(index);
        }
        Self { classes, members, position }
    }

    /// Splits the classes of the nodes whose signature may have changed; those that got another class. The others of
    /// a class still have the same signature.
    fn split(&mut self, changed: &[usize], signature: impl Fn(usize, &[u32]) -> Vec<u64>) -> Vec<usize> {
        let mut by_class: HashMap<u32, Vec<usize>> = HashMap::new();
        for index in changed {
            by_class.entry(self.classes[*index]).or_default().push(*index);
        }
        let mut leaving: Vec<Vec<usize>> = Vec::new();
        for (class, changed) in by_class {
            let members = &self.members[class as usize];
            if members.len() == 1 {
                continue;
            }
            let mut groups: HashMap<Vec<u64>, Vec<usize>> = HashMap::new();
            let mut others: Vec<usize> = Vec::new();
            if changed.len() < members.len() {
                let changed: HashSet<usize> = changed.iter().copied().collect();
                others.extend(members.iter().copied().filter(|index| !changed.contains(index)));
            }
            if let Some(one) = others.first() {
                groups.insert(signature(*one, &self.classes), others);
            }
            for index in changed {
                groups.entry(signature(index, &self.classes)).or_default().push(index);
            }
            let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
            // The largest keeps its name, so that little has to be looked at again.
            groups.sort_unstable_by_key(|group| (Reverse(group.len()), group.iter().min().copied()));
            leaving.extend(groups.into_iter().skip(1));
        }
        let mut renamed = Vec::new();
        for group in leaving {
            let name = u32::try_from(self.members.len()).unwrap_or(u32::MAX);
            for (at, index) in group.iter().enumerate() {
                let (class, position) = (self.classes[*index] as usize, self.position[*index]);
                self.members[class].swap_remove(position);
                if let Some(moved) = self.members[class].get(position) {
                    self.position[*moved] = position;
                }
                self.classes[*index] = name;
                self.position[*index] = at;
                renamed.push(*index);
            }
            self.members.push(group);
        }
        renamed
    }
}

/// A node that only names another, as that name.
fn only(node: &Node) -> Node {
    match node {
        Node::Same(id) => Node::Same(*id),
        Node::And(ids) | Node::Or(ids) | Node::One(ids) => match **ids {
            [id] => Node::Same(id),
            _ => Node::Pending,
        },
        _ => Node::Pending,
    }
}

enum State {
    Open(Option<Id>),
    Done(Id),
}

struct Build<'a> {
    raw: &'a [Node],
    graph: &'a mut Graph,
    settled: &'a [Id],
    start: usize,
    stands_for: &'a [usize],
    state: HashMap<usize, State>,
}

impl Build<'_> {
    fn node(&mut self, index: usize) -> Id {
        if index < self.start {
            return self.settled[index];
        }
        let index = self.stands_for[index - self.start];
        if index < self.start {
            return self.settled[index];
        }
        match self.state.get_mut(&index) {
            Some(State::Done(id) | State::Open(Some(id))) => return *id,
            Some(State::Open(reserved)) => {
                // Inside itself: it gets a number before it is known.
                let id = self.graph.reserve();
                *reserved = Some(id);
                return id;
            }
            None => {}
        }
        self.state.insert(index, State::Open(None));
        let children = self.raw[index].map(|child| self.node(child as usize));
        let node = match children {
            Node::And(ids) => self.graph.join(ids.iter().copied(), true),
            Node::Or(ids) => self.graph.join(ids.iter().copied(), false),
            Node::Not(id) => Node::Same(self.graph.not(id)),
            Node::One(ids) => match *ids {
                [] => Node::Never,
                [id] => Node::Same(id),
                _ => {
                    let mut ids: Vec<Id> = ids
                        .iter()
                        .copied()
                        .filter(|id| !matches!(self.graph.node(*id), Node::Never))
                        .collect();
                    ids.sort_unstable();
                    match *ids {
                        [] => Node::Never,
                        [id] => Node::Same(id),
                        _ => Node::One(ids.into()),
                    }
                }
            },
            Node::Of(classes) => Node::Same(Graph::of(classes)),
            // What demands nothing says nothing.
            Node::Item(_, Graph::ANY)
            | Node::Rest(_, Graph::ANY)
            | Node::Names(Graph::ANY)
            | Node::MinItems(0)
            | Node::MinLength(0)
            | Node::MinKeys(0) => Node::Any,
            Node::Others(others) if others.schema == Graph::ANY => Node::Any,
            other => other,
        };
        let reserved = match self.state.get(&index) {
            Some(State::Open(Some(id))) => Some(*id),
            _ => None,
        };
        let id = match reserved {
            Some(id) => {
                self.graph.fill(id, node);
                id
            }
            None => self.graph.intern(node),
        };
        self.state.insert(index, State::Done(id));
        id
    }
}
