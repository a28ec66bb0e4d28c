//! Whether some document makes a set of statements true, and which.
//!
//! A set of literals is first opened up for one class of values at a time: conjunctions are taken apart, and
//! disjunctions become clauses. What remains are statements about numbers, texts, items or keys, which a procedure
//! for each class decides; those for arrays and objects ask the same question for the parts. A question that comes
//! up while it is being answered counts as answered with no: a smallest document does not contain itself.

mod array;
mod declared;
mod eval;
mod number;
mod object;
mod string;
mod tags;

pub(crate) use eval::class_of;

use crate::graph::{Classes, Graph, Id, Literal, Node, Opaque, Text};
use crate::pattern::Automaton;
use serde_json::Value;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A document, with the length of its text.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) value: Value,
    pub(crate) size: usize,
}

impl Found {
    pub(crate) fn new(value: Value) -> Rc<Self> {
        let size = value.to_string().len();
        Rc::new(Self { value, size })
    }
}

/// Why an answer is missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Gap {
    /// A statement that is not modelled.
    Opaque(Id),
    /// A limit was reached.
    Limit(&'static str),
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// No document.
    Empty,
    Found(Rc<Found>),
    /// Nobody can say; perhaps this document.
    Unknown(Gap, Option<Rc<Found>>),
}

impl Answer {
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }
}

/// Collects the answers of alternatives: a document is a document, and none is only none if no alternative has one.
pub(crate) struct Best {
    found: Option<Rc<Found>>,
    gap: Option<(Gap, Option<Rc<Found>>)>,
}

impl Best {
    pub(crate) const fn new() -> Self {
        Self { found: None, gap: None }
    }

    pub(crate) fn add(&mut self, answer: Answer) {
        match answer {
            Answer::Empty => {}
            Answer::Found(found) => {
                if self.found.as_ref().is_none_or(|best| found.size < best.size) {
                    self.found = Some(found);
                }
            }
            Answer::Unknown(gap, perhaps) => {
                if self.gap.as_ref().is_none_or(|(_, known)| known.is_none() && perhaps.is_some()) {
                    self.gap = Some((gap, perhaps));
                }
            }
        }
    }

    pub(crate) fn gap(&mut self, gap: Gap) {
        self.add(Answer::Unknown(gap, None));
    }

    /// The length of the shortest document so far.
    pub(crate) fn size(&self) -> usize {
        self.found.as_ref().map_or(usize::MAX, |found| found.size)
    }

    pub(crate) fn is_found(&self) -> bool {
        self.found.is_some()
    }

    pub(crate) fn answer(self) -> Answer {
        match (self.found, self.gap) {
            (Some(found), _) => Answer::Found(found),
            (None, Some((gap, perhaps))) => Answer::Unknown(gap, perhaps),
            (None, None) => Answer::Empty,
        }
    }
}

/// What is known at one point of the search, for one class of values.
#[derive(Clone, Default)]
struct State {
    /// Statements about the class, sorted.
    atoms: Vec<Literal>,
    /// Literals that are disjunctions: one of their alternatives holds.
    clauses: Vec<Literal>,
}

/// What a literal comes to, given what is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    True,
    False,
    Open,
}

/// An answer that holds as long as a question further up is taken for answered with no.
enum Provisional {
    Set(Box<[Literal]>),
    Atoms(Classes, Box<[Literal]>),
}

/// A point of the search: for a class, statements that hold, and clauses of which one alternative must.
type Point = (Classes, Box<[Literal]>, Box<[Literal]>);

type Judge = Box<dyn Fn(&str, &Value) -> Option<bool>>;

/// Answers questions about one graph, and remembers the answers.
pub(crate) struct Solver {
    pub(crate) graph: Graph,
    pointed: bool,
    automata: HashMap<Text, Option<Rc<Automaton>>>,
    sets: HashMap<Box<[Literal]>, Answer>,
    atoms: HashMap<(Classes, Box<[Literal]>), Answer>,
    open: HashMap<Box<[Literal]>, usize>,
    assumed: HashMap<Box<[Literal]>, usize>,
    assumed_atoms: HashMap<(Classes, Box<[Literal]>), usize>,
    provisional: Vec<(Provisional, usize)>,
    /// The lowest open question that the answer being looked for leans on.
    leans: usize,
    /// What `oneOf` comes to, once its branches were compared.
    ones: HashMap<Id, Option<Id>>,
    steps: u64,
    limit: u64,
    /// Statements that were looked at since the last step.
    looks: Cell<u64>,
    depth: usize,
    /// Points of the search from which there is no document, whatever is assumed.
    dead: HashSet<Point>,
    /// The literals in all of them.
    dead_size: usize,
    /// What statements come to for the values of the document that is being judged.
    held: HashMap<(Id, *const Value), Option<bool>>,
    /// Statements that may still be looked at for it.
    fuel: u32,
    judge: Judge,
}

/// The depth of documents that are looked for.
const MAX_DEPTH: usize = 120;
/// Documents with a longer text are not looked for: their parts may double with each level.
const MAX_SIZE: usize = 200_000;
/// Alternatives of a clause that are tried once a document is found, for a shorter one.
const MORE: usize = 40;
/// Statements that are looked at for the price of a step.
const LOOKS: u64 = 64;
/// Literals in the points of the search that are remembered as dead ends.
const MAX_DEAD: usize = 4_000_000;
/// Clauses and alternatives from which on it is worth to see which of them matter.
const MANY: usize = 4;
/// Clauses whose alternatives are each looked at ahead.
const MAX_AHEAD: usize = 500;
/// Branches of a `oneOf` that are each made to exclude all others.
const MAX_BRANCHES: usize = 1_000;
/// Statements in place that are not nested deeper are looked at again without being remembered.
const SHALLOW: usize = 3;

impl Solver {
    pub(crate) fn new(graph: Graph, pointed: bool, judge: Judge) -> Self {
        Self {
            graph,
            pointed,
            automata: HashMap::new(),
            sets: HashMap::new(),
            atoms: HashMap::new(),
            open: HashMap::new(),
            assumed: HashMap::new(),
            assumed_atoms: HashMap::new(),
            provisional: Vec::new(),
            leans: usize::MAX,
            ones: HashMap::new(),
            steps: 0,
            limit: 0,
            looks: Cell::new(0),
            depth: 0,
            dead: HashSet::new(),
            dead_size: 0,
            held: HashMap::new(),
            fuel: 0,
            judge,
        }
    }

    /// A document for which all literals hold, looked for in so many steps.
    pub(crate) fn ask(&mut self, literals: &[Literal], steps: u64) -> Answer {
        self.limit = self.steps.saturating_add(steps);
        self.satisfy(literals)
    }

    /// Counts work that was done elsewhere for the questions.
    pub(crate) fn spend(&mut self, steps: u64) {
        self.steps = self.steps.saturating_add(steps);
    }

    /// The steps that all questions took.
    pub(crate) const fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether a document fits; none, where nobody can say.
    pub(crate) fn judges(&mut self, id: Id, document: &Value) -> Option<bool> {
        self.holds(id, document, 0)
    }

    fn step(&mut self, cost: u64) -> bool {
        let looks = self.looks.get();
        self.looks.set(looks % LOOKS);
        self.steps = self.steps.saturating_add(cost).saturating_add(looks / LOOKS);
        self.steps <= self.limit
    }

    const fn spent(&self) -> bool {
        self.steps > self.limit
    }

    fn looked(&self) {
        self.looks.set(self.looks.get() + 1);
    }

    fn too_long() -> Answer {
        Answer::Unknown(Gap::Limit("documents this long are not looked for"), None)
    }

    fn limit_reached() -> Answer {
        Answer::Unknown(Gap::Limit("the search was stopped at its limit"), None)
    }

    /// A document for which all literals hold.
    fn satisfy(&mut self, literals: &[Literal]) -> Answer {
        let Some(set) = self.flat(literals) else { return Answer::Empty };
        if let Some(answer) = self.sets.get(&*set) {
            return answer.clone();
        }
        if let Some(level) = self.open.get(&*set).or_else(|| self.assumed.get(&*set)) {
            self.leans = self.leans.min(*level);
            return Answer::Empty;
        }
        if !self.step(1) {
            return Self::limit_reached();
        }
        if self.depth >= MAX_DEPTH {
            return Answer::Unknown(
                Gap::Limit("documents that are nested this deeply are not looked for"),
                None,
            );
        }
        let level = self.depth;
        self.depth += 1;
        self.open.insert(set.clone(), level);
        let leaned = std::mem::replace(&mut self.leans, usize::MAX);
        let kept = self.provisional.len();
        let answer = self.search_classes(&set);
        self.open.remove(&set);
        self.depth -= 1;
        let leans = std::mem::replace(&mut self.leans, leaned);
        if leans >= level {
            // It leans on nothing but itself: what was found under it is final, or was found under a wrong assumption.
            self.close(kept, answer.is_empty());
            if !self.spent() {
                self.sets.insert(set, answer.clone());
            }
        } else {
            self.leans = self.leans.min(leans);
            if matches!(answer, Answer::Empty) {
                for (_, other) in &mut self.provisional[kept..] {
                    *other = (*other).min(leans);
                }
                self.assume_empty(Provisional::Set(set), leans);
            } else {
                // What leans on this one being empty falls, and with it what may do so.
                self.close(kept, false);
                if matches!(answer, Answer::Found(_)) {
                    self.sets.insert(set, answer.clone());
                }
            }
        }
        answer
    }

    fn assume_empty(&mut self, what: Provisional, level: usize) {
        match &what {
            Provisional::Set(set) => {
                self.assumed.insert(set.clone(), level);
            }
            Provisional::Atoms(class, atoms) => {
                self.assumed_atoms.insert((*class, atoms.clone()), level);
            }
        }
        self.provisional.push((what, level));
    }

    fn forget(&mut self, what: Provisional, empty: bool) {
        match what {
            Provisional::Set(set) => {
                self.assumed.remove(&set);
                if empty && !self.spent() {
                    self.sets.insert(set, Answer::Empty);
                }
            }
            Provisional::Atoms(class, atoms) => {
                let key = (class, atoms);
                self.assumed_atoms.remove(&key);
                if empty && !self.spent() {
                    self.atoms.insert(key, Answer::Empty);
                }
            }
        }
    }

    /// Makes final, or drops, what was assumed since.
    fn close(&mut self, kept: usize, empty: bool) {
        for (what, _) in self.provisional.split_off(kept) {
            self.forget(what, empty);
        }
    }

    /// Conjunctions taken apart, each literal once. None, if two contradict each other.
    fn flat(&self, literals: &[Literal]) -> Option<Box<[Literal]>> {
        let mut set = Vec::new();
        let mut classes = Classes::ALL;
        let mut queue = literals.to_vec();
        // What is shared is taken apart once.
        let mut apart: HashSet<Literal> = HashSet::new();
        while let Some(literal) = queue.pop() {
            let positive = literal.positive();
            self.looked();
            match self.graph.node(literal.id()) {
                Node::And(_) if positive && !apart.insert(literal) => {}
                Node::Or(_) if !positive && !apart.insert(literal) => {}
                Node::Any if positive => {}
                Node::Never if !positive => {}
                Node::Any | Node::Never => return None,
                Node::Same(id) => queue.push(Literal::new(*id, positive)),
                Node::Not(id) => queue.push(Literal::new(*id, !positive)),
                Node::And(ids) if positive => queue.extend(ids.iter().map(|id| Literal::holds(*id))),
                Node::Or(ids) if !positive => queue.extend(ids.iter().map(|id| Literal::fails(*id))),
                Node::Of(found) => classes = classes.and(if positive { *found } else { found.others() }),
                _ => set.push(literal),
            }
        }
        if classes.is_empty() {
            return None;
        }
        if classes != Classes::ALL {
            set.push(Literal::holds(Graph::of(classes)));
        }
        set.sort_unstable();
        set.dedup();
        // A literal and its negation are neighbours.
        if set.windows(2).any(|pair| pair[0] == pair[1].negated()) {
            return None;
        }
        // An alternative that is refused as a whole is none, which decides long lists of them.
        let impossible = set.iter().any(|literal| match self.graph.node(literal.id()) {
            Node::Or(ids) if literal.positive() => ids.iter().all(|id| {
                self.looked();
                set.binary_search(&Literal::fails(*id)).is_ok()
            }),
            _ => false,
        });
        (!impossible).then(|| set.into())
    }

    fn search_classes(&mut self, set: &[Literal]) -> Answer {
        let mut best = Best::new();
        for class in Classes::EACH {
            if class == Classes::POINTED && !self.pointed || best.size() <= class.shortest() {
                continue;
            }
            let mut state = State::default();
            if self.assume_all(&mut state, set, class) {
                let answer = self.search(state, class);
                best.add(answer);
            }
        }
        best.answer()
    }

    /// A document of one class for which all literals hold.
    fn satisfy_class(&mut self, literals: &[Literal], class: Classes) -> Answer {
        let mut all = literals.to_vec();
        all.push(Literal::holds(Graph::of(class)));
        self.satisfy(&all)
    }

    fn assume_all(&mut self, state: &mut State, literals: &[Literal], class: Classes) -> bool {
        let mut apart = HashSet::new();
        literals.iter().all(|literal| self.assume_once(state, *literal, class, &mut apart))
    }

    /// Adds a literal to what is known; whether that is possible.
    fn assume(&mut self, state: &mut State, literal: Literal, class: Classes) -> bool {
        self.assume_once(state, literal, class, &mut HashSet::new())
    }

    /// The same, where some conjunctions were already taken apart.
    fn assume_once(
        &mut self,
        state: &mut State,
        literal: Literal,
        class: Classes,
        apart: &mut HashSet<Literal>,
    ) -> bool {
        let positive = literal.positive();
        self.looked();
        let one = match self.graph.node(literal.id()) {
            // To name a key restricts nothing; it only says that the key is known.
            Node::Any | Node::Pending | Node::Key(_, Graph::ANY) | Node::KeyLike(_, Graph::ANY) => {
                return positive;
            }
            Node::Never => return !positive,
            Node::Of(classes) => return classes.has(class) == positive,
            Node::Same(id) => {
                let id = *id;
                return self.assume_once(state, Literal::new(id, positive), class, apart);
            }
            Node::Not(id) => {
                let id = *id;
                return self.assume_once(state, Literal::new(id, !positive), class, apart);
            }
            Node::And(ids) if positive => {
                let ids = ids.clone();
                return !apart.insert(literal)
                    || ids.iter().all(|id| self.assume_once(state, Literal::holds(*id), class, apart));
            }
            Node::Or(ids) if !positive => {
                let ids = ids.clone();
                return !apart.insert(literal)
                    || ids.iter().all(|id| self.assume_once(state, Literal::fails(*id), class, apart));
            }
            Node::And(_) | Node::Or(_) => false,
            Node::One(_) => true,
            atom => {
                if !atom.classes().has(class) {
                    return positive;
                }
                return match state.atoms.binary_search(&literal) {
                    Ok(_) => true,
                    Err(at) => {
                        let opposite = literal.negated();
                        let near = [at.checked_sub(1), Some(at)];
                        let contradicts =
                            near.into_iter().flatten().any(|index| state.atoms.get(index) == Some(&opposite));
                        if !contradicts {
                            state.atoms.insert(at, literal);
                        }
                        !contradicts
                    }
                };
            }
        };
        if one {
            let id = self.spelled_out(literal.id());
            return self.assume_once(state, Literal::new(id, positive), class, apart);
        }
        if apart.insert(literal) && !state.clauses.contains(&literal) {
            self.looks.set(self.looks.get() + state.clauses.len() as u64 / LOOKS);
            state.clauses.push(literal);
        }
        true
    }

    /// `oneOf` as a disjunction, in which a branch only has to exclude those that it can share a document with.
    fn spelled_out(&mut self, id: Id) -> Id {
        let Node::One(branches) = self.graph.node(id) else { return id };
        let branches = branches.clone();
        match self.ones.get(&id) {
            Some(Some(known)) => return *known,
            // Asked for while its branches are compared: each excludes all others.
            Some(None) if branches.len() > MAX_BRANCHES => return self.too_many_branches(id),
            Some(None) => {
                let all: Vec<usize> = (0..branches.len()).collect();
                return self.exactly_one(&branches, &vec![all; branches.len()]);
            }
            None => {}
        }
        self.ones.insert(id, None);
        // The answers must not lean on what is assumed at this point of the search.
        let open = std::mem::take(&mut self.open);
        let assumed = std::mem::take(&mut self.assumed);
        let assumed_atoms = std::mem::take(&mut self.assumed_atoms);
        let provisional = std::mem::take(&mut self.provisional);
        let leans = std::mem::replace(&mut self.leans, usize::MAX);
        let depth = std::mem::replace(&mut self.depth, 0);
        let mut shared: Vec<Vec<usize>> = vec![Vec::new(); branches.len()];
        let tagged = self.tagged_branches(&branches);
        'pairs: for (index, one) in branches.iter().enumerate() {
            for at in tagged.others(index) {
                if !self.step(1) {
                    break 'pairs;
                }
                let answer = self.satisfy(&[Literal::holds(*one), Literal::holds(branches[at])]);
                if !answer.is_empty() {
                    shared[index].push(at);
                    shared[at].push(index);
                }
            }
        }
        self.open = open;
        self.assumed = assumed;
        self.assumed_atoms = assumed_atoms;
        self.provisional = provisional;
        self.leans = leans;
        self.depth = depth;
        if self.spent() {
            self.ones.remove(&id);
            return self.too_many_branches(id);
        }
        let spelled = self.exactly_one(&branches, &shared);
        self.ones.insert(id, Some(spelled));
        spelled
    }

    /// Stands for a `oneOf` whose branches are too many to be compared with each other: it equals only itself.
    fn too_many_branches(&mut self, id: Id) -> Id {
        self.graph.intern(Node::Opaque(Opaque {
            key: format!("branches of {id}").into(),
            pointer: "".into(),
            why: "a `oneOf` has too many branches to compare each with each other".into(),
            classes: Classes::ALL,
            check: None,
        }))
    }

    fn exactly_one(&mut self, branches: &[Id], shared: &[Vec<usize>]) -> Id {
        let mut alternatives = Vec::new();
        for (index, (one, others)) in branches.iter().zip(shared).enumerate() {
            let mut parts = vec![*one];
            for other in others.iter().filter(|other| **other != index) {
                let negated = self.graph.not(branches[*other]);
                parts.push(negated);
            }
            alternatives.push(self.graph.and(parts));
        }
        self.graph.or(alternatives)
    }

    /// What a literal comes to under what is known, as far as can be seen without asking.
    fn status(&self, state: &State, literal: Literal, class: Classes) -> Status {
        self.status_at(state, literal, class, 0, &mut HashMap::new())
    }

    fn status_at(
        &self,
        state: &State,
        literal: Literal,
        class: Classes,
        depth: usize,
        known: &mut HashMap<Literal, Status>,
    ) -> Status {
        let positive = literal.positive();
        let told = |truth: bool| if truth == positive { Status::True } else { Status::False };
        let join = |ids: &[Id], all: bool, known: &mut HashMap<Literal, Status>| {
            let mut open = false;
            for id in ids {
                match self.status_at(state, Literal::new(*id, positive), class, depth + 1, known) {
                    Status::Open => open = true,
                    Status::False if all => return Status::False,
                    Status::True if !all => return Status::True,
                    _ => {}
                }
            }
            if open {
                Status::Open
            } else if all {
                Status::True
            } else {
                Status::False
            }
        };
        self.looked();
        if depth > 30 {
            return Status::Open;
        }
        let node = self.graph.node(literal.id());
        if let Node::And(ids) | Node::Or(ids) = node {
            let remember = depth >= SHALLOW;
            if remember && let Some(status) = known.get(&literal) {
                return *status;
            }
            let all = matches!(node, Node::And(_)) == positive;
            let status = join(ids, all, known);
            if remember {
                known.insert(literal, status);
            }
            return status;
        }
        match node {
            Node::Any | Node::Key(_, Graph::ANY) | Node::KeyLike(_, Graph::ANY) => told(true),
            Node::Never => told(false),
            Node::Of(classes) => told(classes.has(class)),
            Node::Same(id) => self.status_at(state, Literal::new(*id, positive), class, depth + 1, known),
            Node::Not(id) => self.status_at(state, Literal::new(*id, !positive), class, depth + 1, known),
            Node::One(_) | Node::Pending => Status::Open,
            atom => {
                if !atom.classes().has(class) {
                    told(true)
                } else if state.atoms.binary_search(&literal).is_ok() {
                    Status::True
                } else if state.atoms.binary_search(&literal.negated()).is_ok() {
                    Status::False
                } else {
                    Status::Open
                }
            }
        }
    }

    /// The alternatives of a clause.
    fn alternatives(&self, clause: Literal) -> Vec<Literal> {
        match self.graph.node(clause.id()) {
            Node::And(ids) | Node::Or(ids) => {
                ids.iter().map(|id| Literal::new(*id, clause.positive())).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A document of one class for which what is known holds.
    fn search(&mut self, mut state: State, class: Classes) -> Answer {
        // What is left of the clauses may already lean on what is assumed.
        let leaned = std::mem::replace(&mut self.leans, usize::MAX);
        let answer = match self.narrow(&mut state, class) {
            None => Answer::Empty,
            Some(_) if self.spent() => Self::limit_reached(),
            Some(clauses) if clauses.is_empty() => self.decide(&state.atoms, class),
            Some(clauses) => self.branch_once(state, &clauses, class),
        };
        self.leans = self.leans.min(leaned);
        answer
    }

    fn branch_once(&mut self, state: State, clauses: &[Vec<Literal>], class: Classes) -> Answer {
        // What is shared between alternatives leads to the same point on many ways.
        let mut open = state.clauses.clone();
        open.sort_unstable();
        let point = (class, state.atoms.clone().into_boxed_slice(), open.into_boxed_slice());
        if self.dead.contains(&point) {
            return Answer::Empty;
        }
        let answer = self.branch(state, clauses, class);
        if answer.is_empty() && self.leans == usize::MAX && !self.spent() && self.dead_size < MAX_DEAD {
            self.dead_size += point.1.len() + point.2.len();
            self.dead.insert(point);
        }
        answer
    }

    /// A document for which one alternative of the shortest clause holds, and all else.
    fn branch(&mut self, mut state: State, clauses: &[Vec<Literal>], class: Classes) -> Answer {
        let mut matter: Vec<usize> = (0..clauses.len()).collect();
        if clauses.len() > MANY {
            // Most of many clauses hold by themselves for what the others lead to.
            match self.decide(&state.atoms, class) {
                Answer::Empty => return Answer::Empty,
                Answer::Found(guess) => {
                    matter.retain(|index| {
                        let clause = state.clauses[*index];
                        self.holds(clause.id(), &guess.value, 0) != Some(clause.positive())
                    });
                    if matter.is_empty() {
                        return Answer::Found(guess);
                    }
                }
                Answer::Unknown(..) => {}
            }
        }
        let Some(index) = matter.into_iter().min_by_key(|index| clauses[*index].len()) else {
            return self.decide(&state.atoms, class);
        };
        let alternatives = &clauses[index];
        state.clauses.remove(index);
        let tagged = self.tagged_clauses(&state, alternatives, class);
        let keys = self.demanded_of_keys(&state.atoms, alternatives);
        let mut best = Best::new();
        for (tried, alternative) in alternatives.iter().copied().enumerate() {
            if state.clauses.contains(&alternative.negated()) {
                continue;
            }
            if best.is_found() && tried >= MORE || best.size() <= class.shortest() {
                break;
            }
            if let Some(literals) = self.broken_key(&keys, alternative)
                && self.satisfy(&literals).is_empty()
            {
                continue;
            }
            let clauses = match &tagged {
                Some(tagged) => tagged.relevant(self, alternative),
                None => state.clauses.clone(),
            };
            if !self.step(1 + (state.atoms.len() + clauses.len()) as u64 / LOOKS) {
                best.add(Self::limit_reached());
                break;
            }
            let mut next = State { atoms: state.atoms.clone(), clauses };
            if self.assume(&mut next, alternative, class) {
                let answer = self.search(next, class);
                best.add(answer);
            }
        }
        best.answer()
    }

    /// Drops clauses that hold and alternatives that cannot, until nothing changes; the alternatives of each clause
    /// that is left. None, if nothing is possible.
    fn narrow(&mut self, state: &mut State, class: Classes) -> Option<Vec<Vec<Literal>>> {
        loop {
            let mut open: Vec<(Literal, Vec<Literal>)> = Vec::new();
            let clauses = std::mem::take(&mut state.clauses);
            let mut demanded = clauses.clone();
            demanded.sort_unstable();
            let mut assumed = Vec::new();
            for clause in clauses {
                let mut alternatives = self.alternatives(clause);
                alternatives.retain(|one| demanded.binary_search(&one.negated()).is_err());
                let Some(left) = Self::left(alternatives, |one| self.status(state, one, class)) else {
                    continue;
                };
                match left[..] {
                    [] => return None,
                    [only] => assumed.push(only),
                    _ => open.push((clause, left)),
                }
            }
            if !assumed.is_empty() {
                state.clauses = open.iter().map(|(clause, _)| *clause).collect();
                if !self.assume_all(state, &assumed, class) {
                    return None;
                }
                continue;
            }
            if open.is_empty() {
                return Some(Vec::new());
            }
            // Looking ahead costs questions, and saves many more where clauses are many.
            if open.len() > 1 {
                let guess = self.decide(&state.atoms, class);
                match &guess {
                    Answer::Empty => return None,
                    Answer::Found(guess)
                        if open.iter().all(|(clause, _)| {
                            self.holds(clause.id(), &guess.value, 0) == Some(clause.positive())
                        }) =>
                    {
                        return Some(Vec::new());
                    }
                    _ => {}
                }
                if open.len() > MAX_AHEAD && matches!(guess, Answer::Found(_)) {
                    state.clauses = open.iter().map(|(clause, _)| *clause).collect();
                    return Some(open.into_iter().map(|(_, left)| left).collect());
                }
                let mut index = 0;
                while index < open.len() {
                    if self.spent() {
                        break;
                    }
                    let alternatives = open[index].1.clone();
                    let Some(kept) = Self::left(alternatives, |one| self.looked_at(state, one, class)) else {
                        open.remove(index);
                        continue;
                    };
                    match kept[..] {
                        [] => return None,
                        [only] => {
                            assumed.push(only);
                            open.remove(index);
                            break;
                        }
                        _ => {}
                    }
                    open[index].1 = kept;
                    index += 1;
                }
            }
            if !assumed.is_empty() {
                state.clauses = open.iter().map(|(clause, _)| *clause).collect();
                if !self.assume_all(state, &assumed, class) {
                    return None;
                }
                continue;
            }
            state.clauses = open.iter().map(|(clause, _)| *clause).collect();
            return Some(open.into_iter().map(|(_, left)| left).collect());
        }
    }

    /// The alternatives of a clause that are open; none, if one of them holds.
    fn left(alternatives: Vec<Literal>, mut status: impl FnMut(Literal) -> Status) -> Option<Vec<Literal>> {
        let mut left = Vec::new();
        for alternative in alternatives {
            match status(alternative) {
                Status::True => return None,
                Status::False => {}
                Status::Open => left.push(alternative),
            }
        }
        Some(left)
    }

    /// What a literal comes to, found by trying it and its negation with all that is known for certain.
    fn looked_at(&mut self, state: &State, literal: Literal, class: Classes) -> Status {
        let mut with = State { atoms: state.atoms.clone(), clauses: Vec::new() };
        if !self.assume(&mut with, literal, class) || self.decide(&with.atoms, class).is_empty() {
            return Status::False;
        }
        let mut without = State { atoms: state.atoms.clone(), clauses: Vec::new() };
        if !self.assume(&mut without, literal.negated(), class) {
            return Status::True;
        }
        // That it holds must not lean on what is only assumed: the clause would be lost for documents that are found.
        let leaned = std::mem::replace(&mut self.leans, usize::MAX);
        let empty = self.decide(&without.atoms, class).is_empty();
        let leans = std::mem::replace(&mut self.leans, leaned);
        if empty && leans == usize::MAX { Status::True } else { Status::Open }
    }

    /// A document of one class for which some statements about it hold.
    fn decide(&mut self, atoms: &[Literal], class: Classes) -> Answer {
        let key = (class, Box::from(atoms));
        if let Some(answer) = self.atoms.get(&key) {
            return answer.clone();
        }
        if let Some(level) = self.assumed_atoms.get(&key) {
            self.leans = self.leans.min(*level);
            return Answer::Empty;
        }
        if !self.step(1 + atoms.len() as u64 / 4) {
            return Self::limit_reached();
        }
        let leaned = std::mem::replace(&mut self.leans, usize::MAX);
        let opaque = atoms.iter().find(|atom| matches!(self.graph.node(atom.id()), Node::Opaque(_))).copied();
        let mut answer = match class {
            Classes::NULL => self.decide_values(atoms, vec![Value::Null]),
            Classes::BOOLEAN => self.decide_values(atoms, vec![Value::Bool(true), Value::Bool(false)]),
            Classes::WHOLE | Classes::POINTED | Classes::FRACTION => self.decide_number(atoms, class),
            Classes::STRING => self.decide_string(atoms),
            Classes::ARRAY => self.decide_array(atoms),
            _ => self.decide_object(atoms),
        };
        // What is not modelled may still be judged for the one document that was found.
        if let (Some(opaque), Answer::Found(found)) = (opaque, &answer) {
            let all =
                atoms.iter().all(|atom| self.holds(atom.id(), &found.value, 0) == Some(atom.positive()));
            if !all {
                answer = Answer::Unknown(Gap::Opaque(opaque.id()), Some(found.clone()));
            }
        }
        let leans = std::mem::replace(&mut self.leans, leaned);
        self.leans = self.leans.min(leans);
        match &answer {
            _ if self.spent() => {}
            Answer::Found(_) => {
                self.atoms.insert(key, answer.clone());
            }
            _ if leans == usize::MAX => {
                self.atoms.insert(key, answer.clone());
            }
            Answer::Empty => self.assume_empty(Provisional::Atoms(key.0, key.1), leans),
            Answer::Unknown(..) => {}
        }
        answer
    }

    /// The first of some values for which all statements hold.
    fn decide_values(&mut self, atoms: &[Literal], values: Vec<Value>) -> Answer {
        let mut best = Best::new();
        for value in values {
            let mut unsure = None;
            let mut all = true;
            for atom in atoms {
                match self.holds(atom.id(), &value, 0) {
                    Some(truth) if truth == atom.positive() => {}
                    Some(_) => {
                        all = false;
                        break;
                    }
                    None => unsure = Some(atom.id()),
                }
            }
            if all {
                let found = Found::new(value);
                best.add(match unsure {
                    Some(id) => Answer::Unknown(Gap::Opaque(id), Some(found)),
                    None => Answer::Found(found),
                });
            }
        }
        best.answer()
    }

    fn automaton(&mut self, pattern: &Text) -> Option<Rc<Automaton>> {
        if let Some(known) = self.automata.get(pattern) {
            return known.clone();
        }
        let made = Automaton::new(pattern).map(Rc::new);
        self.automata.insert(pattern.clone(), made.clone());
        made
    }
}
