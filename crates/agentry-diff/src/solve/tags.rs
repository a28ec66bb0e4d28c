//! Long lists of alternatives that a key tells apart, so that not each has to be put beside each other one.

use super::{MANY, Solver, State};
use crate::graph::{Classes, Id, Literal, Node, Text};
use crate::number::Number;
use std::collections::{HashMap, HashSet};

/// A value by which alternatives are told apart.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Tag {
    Text(Text),
    Number(Number),
}

/// What a conjunction demands of the keys of an object.
#[derive(Default)]
struct Tags {
    /// The values that are left for a key, if it is there.
    of_keys: Vec<(Text, Vec<Tag>)>,
    present: HashSet<Text>,
    /// Whether it takes nothing but objects.
    objects_only: bool,
}

impl Tags {
    fn of(&self, key: &Text) -> Option<&[Tag]> {
        self.of_keys.iter().find_map(|(name, tags)| (name == key).then_some(&**tags))
    }
}

/// Clauses by the values of the key that tells most of them apart.
pub(super) struct TaggedClauses {
    key: Text,
    /// Whether the key is known to be there.
    present: bool,
    by_tag: HashMap<Tag, Vec<Literal>>,
    untagged: Vec<Literal>,
}

impl TaggedClauses {
    /// The clauses that do not hold already because of the key, once an alternative holds.
    pub(super) fn relevant(&self, solver: &Solver, alternative: Literal) -> Vec<Literal> {
        let tags = solver.tags(alternative);
        let mut relevant = self.untagged.clone();
        match tags.of(&self.key).filter(|_| self.present || tags.present.contains(&self.key)) {
            Some(tags) => {
                relevant.extend(tags.iter().filter_map(|tag| self.by_tag.get(tag)).flatten());
            }
            None => relevant.extend(self.by_tag.values().flatten()),
        }
        relevant.sort_unstable();
        relevant.dedup();
        relevant
    }
}

/// Branches by the values of the key that tells most of them apart.
pub(super) struct TaggedBranches {
    tags: Vec<Option<Vec<Tag>>>,
    by_tag: HashMap<Tag, Vec<usize>>,
    untagged: Vec<usize>,
}

impl TaggedBranches {
    /// The later branches that may take what one takes.
    pub(super) fn others(&self, index: usize) -> Vec<usize> {
        let mut others: Vec<usize> = match &self.tags[index] {
            None => (index + 1..self.tags.len()).collect(),
            Some(tags) => {
                let alike = tags.iter().filter_map(|tag| self.by_tag.get(tag)).flatten();
                alike.chain(&self.untagged).copied().filter(|other| *other > index).collect()
            }
        };
        others.sort_unstable();
        others.dedup();
        others
    }
}

/// The key that has the most different values.
fn telling(all: &[Tags]) -> Option<Text> {
    let mut values: HashMap<&Text, HashSet<&Tag>> = HashMap::new();
    for (key, tags) in all.iter().flat_map(|tags| &tags.of_keys) {
        values.entry(key).or_default().extend(tags);
    }
    let most = values
        .into_iter()
        .max_by(|(one, ones), (other, others)| ones.len().cmp(&others.len()).then_with(|| other.cmp(one)));
    most.filter(|(_, values)| values.len() > 1).map(|(key, _)| key.clone())
}

impl Solver {
    fn tags(&self, literal: Literal) -> Tags {
        let mut tags = Tags::default();
        let mut queue = vec![literal];
        while let Some(literal) = queue.pop() {
            self.looked();
            match self.graph.node(literal.id()) {
                Node::Not(id) => queue.push(Literal::new(*id, !literal.positive())),
                Node::Same(id) => queue.push(Literal::new(*id, literal.positive())),
                _ if !literal.positive() => {}
                Node::And(ids) => queue.extend(ids.iter().map(|id| Literal::holds(*id))),
                Node::Of(Classes::OBJECT) => tags.objects_only = true,
                Node::Has(name) => {
                    tags.present.insert(name.clone());
                }
                Node::Key(name, id) => {
                    if let Some(values) = self.values_left(*id) {
                        tags.of_keys.push((name.clone(), values));
                    }
                }
                _ => {}
            }
        }
        tags
    }

    /// The texts and numbers that a statement takes, if it takes nothing else.
    fn values_left(&self, id: Id) -> Option<Vec<Tag>> {
        let Node::And(parts) = self.graph.node(id) else { return None };
        let mut classes = Classes::ALL;
        let (mut texts, mut numbers) = (None, None);
        for part in parts {
            self.looked();
            match self.graph.node(*part) {
                Node::Of(found) => classes = classes.and(*found),
                Node::TextIn(found) => texts = Some(found),
                Node::NumberIn(found) => numbers = Some(found),
                _ => {}
            }
        }
        let covered = |class: Classes, known: bool| known || !classes.has(class);
        let others = Classes::STRING.or(Classes::NUMBER).others();
        let all = covered(Classes::STRING, texts.is_some())
            && covered(Classes::NUMBER, numbers.is_some())
            && covered(others, false);
        all.then(|| {
            let texts = texts.filter(|_| classes.has(Classes::STRING)).into_iter().flatten();
            let numbers = numbers.filter(|_| classes.has(Classes::NUMBER)).into_iter().flatten();
            texts.cloned().map(Tag::Text).chain(numbers.cloned().map(Tag::Number)).collect()
        })
    }

    /// Many clauses that each exclude something, by the key that tells apart what they exclude.
    pub(super) fn tagged_clauses(
        &self,
        state: &State,
        alternatives: &[Literal],
        class: Classes,
    ) -> Option<TaggedClauses> {
        if class != Classes::OBJECT || state.clauses.len() <= MANY || alternatives.len() <= MANY {
            return None;
        }
        let excluded: Vec<Tags> = state.clauses.iter().map(|clause| self.tags(clause.negated())).collect();
        let key = telling(&excluded)?;
        let (mut by_tag, mut untagged) = (HashMap::<Tag, Vec<Literal>>::new(), Vec::new());
        for (clause, tags) in state.clauses.iter().zip(&excluded) {
            match tags.of(&key) {
                Some(tags) => {
                    for tag in tags {
                        by_tag.entry(tag.clone()).or_default().push(*clause);
                    }
                }
                None => untagged.push(*clause),
            }
        }
        let is_there = |atom: &Literal| {
            atom.positive() && matches!(self.graph.node(atom.id()), Node::Has(name) if *name == key)
        };
        let present = state.atoms.iter().any(is_there);
        Some(TaggedClauses { key, present, by_tag, untagged })
    }

    /// The branches of a `oneOf`, by the key that tells them apart.
    pub(super) fn tagged_branches(&self, branches: &[Id]) -> TaggedBranches {
        let all: Vec<Tags> = branches.iter().map(|id| self.tags(Literal::holds(*id))).collect();
        let key = telling(&all);
        let mut tagged = TaggedBranches { tags: Vec::new(), by_tag: HashMap::new(), untagged: Vec::new() };
        for (index, tags) in all.iter().enumerate() {
            let values = key
                .as_ref()
                .filter(|key| tags.objects_only && tags.present.contains(*key))
                .and_then(|key| tags.of(key));
            match values {
                Some(values) => {
                    for tag in values {
                        tagged.by_tag.entry(tag.clone()).or_default().push(index);
                    }
                }
                None => tagged.untagged.push(index),
            }
            tagged.tags.push(values.map(<[Tag]>::to_vec));
        }
        tagged
    }

    /// What is demanded of the values of each key, where there is much of it.
    pub(super) fn demanded_of_keys(
        &self,
        atoms: &[Literal],
        alternatives: &[Literal],
    ) -> HashMap<Text, Vec<Literal>> {
        let mut keys: HashMap<Text, Vec<Literal>> = HashMap::new();
        if atoms.len() <= MANY || alternatives.len() <= MANY {
            return keys;
        }
        for atom in atoms.iter().filter(|atom| atom.positive()) {
            self.looked();
            if let Node::Key(name, id) = self.graph.node(atom.id()) {
                keys.entry(name.clone()).or_default().push(Literal::holds(*id));
            }
        }
        keys
    }

    /// What the value of a key would have to be for an alternative that breaks what is said of it.
    pub(super) fn broken_key(
        &self,
        keys: &HashMap<Text, Vec<Literal>>,
        alternative: Literal,
    ) -> Option<Vec<Literal>> {
        let Node::Key(name, id) = self.graph.node(alternative.id()) else { return None };
        let demanded = keys.get(name).filter(|_| !alternative.positive())?;
        let mut literals = demanded.clone();
        literals.push(Literal::fails(*id));
        Some(literals)
    }
}
