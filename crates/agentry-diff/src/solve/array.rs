//! Arrays: how many items there are, and what each of them is.

use super::eval::equal;
use super::{Answer, Best, Found, Gap, MAX_SIZE, Solver};
use crate::graph::{Classes, Graph, Id, Literal, Node};
use crate::number;
use serde_json::Value;
use std::rc::Rc;

/// More items that must fit a schema are not looked for.
const MAX_COUNTED: u64 = 40;
/// Longer arrays are not looked for.
const MAX_ITEMS: usize = 300;

/// Limits on how many items fit a schema that are looked at together.
const MAX_LIMITED: usize = 8;

/// What the statements about an array say.
#[derive(Default)]
struct Demands {
    /// Statements about the item at an index.
    at: Vec<(usize, Literal)>,
    /// Statements about all items from an index on.
    from: Vec<(usize, Literal)>,
    /// Some item from an index on must fit.
    some: Vec<(usize, Literal)>,
    at_most: Vec<(u64, Id)>,
    least: usize,
    most: usize,
    distinct: bool,
    repeated: bool,
    /// From this index on, all items are under the same statements.
    alike: usize,
}

/// The items of an array of some length, as they are put together.
#[derive(Clone)]
struct Items {
    literals: Vec<Vec<Literal>>,
    /// The index of an item that is the same as an earlier one.
    twin: Option<(usize, usize)>,
    /// Items from the alike ones that have a demand of their own.
    touched: Vec<bool>,
    /// Where each demand was placed.
    placed: Vec<usize>,
}

impl Solver {
    pub(super) fn decide_array(&mut self, atoms: &[Literal]) -> Answer {
        let demands = match self.demands_of_array(atoms) {
            Ok(Some(demands)) => demands,
            Ok(None) => return Answer::Empty,
            Err(gap) => return Answer::Unknown(gap, None),
        };
        let extra = demands.some.len() + if demands.repeated { 2 } else { 0 };
        let longest = demands.most.min(demands.least.max(demands.alike) + extra);
        let mut best = Best::new();
        let shortest = demands.least.max(if demands.repeated { 2 } else { 0 });
        for length in shortest..=longest {
            if length > MAX_ITEMS {
                best.gap(Gap::Limit("arrays with so many items are not looked for"));
                break;
            }
            if !self.step(1) {
                best.add(Self::limit_reached());
                break;
            }
            self.of_length(&demands, length, &mut best);
            if best.is_found() {
                break;
            }
        }
        best.answer()
    }

    fn demands_of_array(&self, atoms: &[Literal]) -> Result<Option<Demands>, Gap> {
        let mut demands = Demands { most: usize::MAX, ..Demands::default() };
        let mut at_least: Vec<(Id, u64)> = Vec::new();
        let index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX / 2);
        for atom in atoms {
            let positive = atom.positive();
            match self.graph.node(atom.id()) {
                Node::Item(at, id) => {
                    let at = index(*at);
                    demands.alike = demands.alike.max(at + 1);
                    demands.at.push((at, Literal::new(*id, positive)));
                    if !positive {
                        demands.least = demands.least.max(at + 1);
                    }
                }
                Node::Rest(from, id) => {
                    let from = index(*from);
                    demands.alike = demands.alike.max(from);
                    let list = if positive { &mut demands.from } else { &mut demands.some };
                    list.push((from, Literal::new(*id, positive)));
                }
                Node::MinItems(bound) if positive => demands.least = demands.least.max(index(*bound)),
                Node::MinItems(0) => return Ok(None),
                Node::MinItems(bound) => demands.most = demands.most.min(index(bound - 1)),
                Node::MaxItems(bound) if positive => demands.most = demands.most.min(index(*bound)),
                Node::MaxItems(bound) => demands.least = demands.least.max(index(bound.saturating_add(1))),
                Node::Distinct if positive => demands.distinct = true,
                Node::Distinct => demands.repeated = true,
                Node::AtLeast(..) | Node::AtMost(..) => {
                    let (least, count, id) = match self.graph.node(atom.id()) {
                        Node::AtLeast(count, id) => (positive, *count, *id),
                        Node::AtMost(count, id) => (!positive, *count, *id),
                        _ => continue,
                    };
                    match (least, positive, count) {
                        (true, true, count) => at_least.push((id, count)),
                        (true, false, count) => at_least.push((id, count.saturating_add(1))),
                        (false, true, count) => demands.at_most.push((count, id)),
                        (false, false, 0) => return Ok(None),
                        (false, false, count) => demands.at_most.push((count - 1, id)),
                    }
                }
                _ => {}
            }
        }
        at_least.sort_unstable();
        for (position, (id, count)) in at_least.iter().enumerate() {
            if at_least.get(position + 1).is_some_and(|(next, _)| next == id) {
                // The next one demands more of the same.
                continue;
            }
            if *count > MAX_COUNTED {
                return Err(Gap::Limit("arrays in which so many items must fit are not looked for"));
            }
            demands.some.extend((0..*count).map(|_| (0, Literal::holds(*id))));
        }
        Ok((demands.least <= demands.most).then_some(demands))
    }

    fn of_length(&mut self, demands: &Demands, length: usize, best: &mut Best) {
        let mut literals = vec![Vec::new(); length];
        for (at, literal) in &demands.at {
            if let Some(item) = literals.get_mut(*at) {
                item.push(*literal);
            }
        }
        for (from, literal) in &demands.from {
            for item in literals.iter_mut().skip(*from) {
                item.push(*literal);
            }
        }
        let items = Items { touched: vec![false; length], literals, twin: None, placed: Vec::new() };
        if !demands.repeated {
            self.place(demands, 0, &items, best);
            return;
        }
        let last = length.min(demands.alike + 2);
        for one in 0..last {
            for other in one + 1..last {
                let mut next = items.clone();
                let more = next.literals[other].clone();
                next.literals[one].extend(more);
                next.twin = Some((one, other));
                next.touched[one] = true;
                next.touched[other] = true;
                self.place(demands, 0, &next, best);
            }
        }
    }

    /// Gives each demand an item, in every way.
    fn place(&mut self, demands: &Demands, index: usize, items: &Items, best: &mut Best) {
        if best.is_found() {
            return;
        }
        if !self.step(1) {
            best.add(Self::limit_reached());
            return;
        }
        let Some((from, literal)) = demands.some.get(index) else {
            if demands.at_most.len() > MAX_LIMITED {
                best.gap(Gap::Limit("too many limits on how many items fit"));
                return;
            }
            let mut left: Vec<u64> = demands.at_most.iter().map(|(count, _)| *count).collect();
            self.limited(demands, 0, items, &mut left, best);
            return;
        };
        // Demands that are counted go to different items, from left to right.
        let counted = |before: &usize| literal.positive() && demands.some[*before].1 == *literal;
        let first = match (0..index).rev().find(counted) {
            Some(before) => items.placed[before] + 1,
            None => *from,
        };
        let mut untouched = false;
        for at in first..items.literals.len() {
            if at >= demands.alike && !items.touched[at] {
                if untouched {
                    continue;
                }
                untouched = true;
            }
            let mut next = items.clone();
            let target = match next.twin {
                Some((one, other)) if other == at => one,
                _ => at,
            };
            next.literals[target].push(*literal);
            next.touched[at] = true;
            next.placed.push(at);
            if !self.satisfy(&next.literals[target]).is_empty() {
                self.place(demands, index + 1, &next, best);
            }
        }
    }

    /// Sees to it that no more items than allowed fit what is limited, then looks for the items.
    fn limited(&mut self, demands: &Demands, at: usize, items: &Items, left: &mut Vec<u64>, best: &mut Best) {
        if best.is_found() {
            return;
        }
        if !self.step(1) {
            best.add(Self::limit_reached());
            return;
        }
        if at == items.literals.len() || demands.at_most.is_empty() {
            self.values(demands, items, best);
            return;
        }
        if items.twin.is_some_and(|(_, other)| other == at) {
            self.limited(demands, at + 1, items, left, best);
            return;
        }
        let weight = if items.twin.is_some_and(|(one, _)| one == at) { 2 } else { 1 };
        let kinds = demands.at_most.len();
        for fitting in 0_u32..1 << kinds {
            let fits = |index: usize| fitting >> index & 1 == 1;
            let allowed = (0..kinds).all(|index| !fits(index) || left[index] >= weight);
            if !allowed {
                continue;
            }
            let mut next = items.clone();
            for (index, (_, id)) in demands.at_most.iter().enumerate() {
                next.literals[at].push(Literal::new(*id, fits(index)));
            }
            let answer = self.satisfy(&next.literals[at]);
            if answer.is_empty() {
                continue;
            }
            let mut left_next = left.clone();
            for (index, count) in left_next.iter_mut().enumerate() {
                if fits(index) {
                    *count -= weight;
                }
            }
            self.limited(demands, at + 1, &next, &mut left_next, best);
            if best.is_found() {
                return;
            }
        }
    }

    fn values(&mut self, demands: &Demands, items: &Items, best: &mut Best) {
        let mut values: Vec<Rc<Found>> = Vec::new();
        let mut doubt = None;
        for at in 0..items.literals.len() {
            if let Some((one, other)) = items.twin
                && other == at
            {
                values.push(values[one].clone());
                continue;
            }
            match self.satisfy(&items.literals[at]) {
                Answer::Empty => return,
                Answer::Found(found) => values.push(found),
                Answer::Unknown(gap, Some(found)) => {
                    doubt = Some(gap);
                    values.push(found);
                }
                Answer::Unknown(gap, None) => {
                    best.gap(gap);
                    return;
                }
            }
        }
        if demands.distinct {
            match self.different(&items.literals, &mut doubt) {
                Ok(Some(found)) => values = found,
                Ok(None) => return,
                Err(gap) => {
                    best.gap(gap);
                    return;
                }
            }
        }
        if values.iter().map(|found| found.size + 1).sum::<usize>() > MAX_SIZE {
            best.add(Self::too_long());
            return;
        }
        let found = Found::new(Value::Array(values.iter().map(|found| found.value.clone()).collect()));
        best.add(match doubt {
            None => Answer::Found(found),
            Some(gap) => Answer::Unknown(gap, Some(found)),
        });
    }

    /// A value for each item, no two equal.
    fn different(
        &mut self,
        items: &[Vec<Literal>],
        doubt: &mut Option<Gap>,
    ) -> Result<Option<Vec<Rc<Found>>>, Gap> {
        // As many values of each as there are items: more are never needed.
        let mut choices: Vec<Vec<Rc<Found>>> = Vec::new();
        for literals in items {
            let mut literals = literals.clone();
            let mut some: Vec<Rc<Found>> = Vec::new();
            while some.len() < items.len() {
                if !self.step(1) {
                    return Err(Gap::Limit("the search was stopped at its limit"));
                }
                match self.satisfy(&literals) {
                    Answer::Empty => break,
                    Answer::Found(found) => some.push(found),
                    Answer::Unknown(gap, Some(found)) => {
                        *doubt = Some(gap);
                        some.push(found);
                        break;
                    }
                    Answer::Unknown(gap, None) => {
                        if some.is_empty() {
                            return Err(gap);
                        }
                        *doubt = Some(gap);
                        break;
                    }
                }
                let Some(last) = some.last().cloned() else { break };
                let constant = self.constant(&last.value);
                literals.push(Literal::fails(constant));
            }
            choices.push(some);
        }
        let mut taken: Vec<Option<(usize, Rc<Found>)>> = Vec::new();
        for at in 0..items.len() {
            let mut seen = Vec::new();
            if !assign(at, &choices, &mut taken, &mut seen) {
                return match doubt.take() {
                    Some(gap) => Err(gap),
                    None => Ok(None),
                };
            }
        }
        let mut values: Vec<Option<Rc<Found>>> = vec![None; items.len()];
        for (item, found) in taken.into_iter().flatten() {
            values[item] = Some(found);
        }
        Ok(values.into_iter().collect())
    }

    /// The node of one value.
    pub(crate) fn constant(&mut self, value: &Value) -> Id {
        match value {
            Value::Null => Graph::of(Classes::NULL),
            Value::Bool(truth) => {
                let is = self.graph.intern(Node::Is(*truth));
                self.graph.and([Graph::of(Classes::BOOLEAN), is])
            }
            Value::Number(found) => match number::read(found) {
                Some(number) => {
                    let is = self.graph.intern(Node::NumberIn([number].into()));
                    self.graph.and([Graph::of(Classes::NUMBER), is])
                }
                None => Graph::NEVER,
            },
            Value::String(text) => {
                let is = self.graph.intern(Node::TextIn([text.as_str().into()].into()));
                self.graph.and([Graph::of(Classes::STRING), is])
            }
            Value::Array(items) => {
                let mut parts = vec![Graph::of(Classes::ARRAY)];
                for (index, item) in items.iter().enumerate() {
                    let item = self.constant(item);
                    parts.push(self.graph.intern(Node::Item(index as u64, item)));
                }
                parts.push(self.graph.intern(Node::MinItems(items.len() as u64)));
                parts.push(self.graph.intern(Node::MaxItems(items.len() as u64)));
                self.graph.and(parts)
            }
            Value::Object(members) => {
                let mut parts = vec![Graph::of(Classes::OBJECT)];
                for (name, member) in members {
                    let member = self.constant(member);
                    parts.push(self.graph.intern(Node::Key(name.as_str().into(), member)));
                    parts.push(self.graph.intern(Node::Has(name.as_str().into())));
                }
                parts.push(self.graph.intern(Node::MaxKeys(members.len() as u64)));
                self.graph.and(parts)
            }
        }
    }
}

/// Finds a value for an item, taking values from others that have another one.
fn assign(
    item: usize,
    choices: &[Vec<Rc<Found>>],
    taken: &mut Vec<Option<(usize, Rc<Found>)>>,
    seen: &mut Vec<usize>,
) -> bool {
    for choice in &choices[item] {
        let slot = taken
            .iter()
            .position(|slot| matches!(slot, Some((_, known)) if equal(&known.value, &choice.value)));
        match slot {
            None => {
                taken.push(Some((item, choice.clone())));
                return true;
            }
            Some(slot) if seen.contains(&slot) => {}
            Some(slot) => {
                seen.push(slot);
                let holder = taken[slot].as_ref().map(|(holder, _)| *holder);
                if let Some(holder) = holder
                    && assign(holder, choices, taken, seen)
                {
                    // The holder has another value now; this one is free.
                    taken[slot] = Some((item, choice.clone()));
                    return true;
                }
            }
        }
    }
    false
}
