//! Numbers: bounds, multiples, options.

use super::{Answer, Best, Found, Gap, Solver};
use crate::graph::{Classes, Literal, Node};
use crate::number::{self, Number};
use num_bigint::BigInt;
use num_traits::{One as _, Zero as _};
use serde_json::Value;

/// Numbers that are tried before the search is given up.
const TRIES: usize = 4_000;

impl Solver {
    pub(super) fn decide_number(&mut self, atoms: &[Literal], class: Classes) -> Answer {
        let fraction = class == Classes::FRACTION;
        let one = Number::one();
        let mut least: Option<(Number, bool)> = None;
        let mut most: Option<(Number, bool)> = None;
        let mut step = (!fraction).then(|| one.clone());
        let mut not_steps: Vec<Number> = fraction.then_some(one).into_iter().collect();
        let mut options: Option<Vec<Number>> = None;
        let mut excluded: Vec<Number> = Vec::new();
        for atom in atoms {
            match (self.graph.node(atom.id()), atom.positive()) {
                (Node::Least { bound, strict }, true) => narrow(&mut least, bound, *strict, true),
                (Node::Least { bound, strict }, false) => narrow(&mut most, bound, !strict, false),
                (Node::Most { bound, strict }, true) => narrow(&mut most, bound, *strict, false),
                (Node::Most { bound, strict }, false) => narrow(&mut least, bound, !strict, true),
                (Node::Multiple(found), true) => {
                    step = Some(match step {
                        None => found.clone(),
                        Some(step) => number::least_common_multiple(&step, found),
                    });
                }
                (Node::Multiple(found), false) => not_steps.push(found.clone()),
                (Node::NumberIn(found), true) => {
                    options = Some(match options {
                        None => found.to_vec(),
                        Some(options) => {
                            options.into_iter().filter(|option| found.binary_search(option).is_ok()).collect()
                        }
                    });
                }
                (Node::NumberIn(found), false) => excluded.extend(found.iter().cloned()),
                _ => {}
            }
        }
        excluded.sort_unstable();
        let fits = |number: &Number| {
            number.is_integer() != fraction
                && least.as_ref().is_none_or(|(bound, strict)| number > bound || !strict && number == bound)
                && most.as_ref().is_none_or(|(bound, strict)| number < bound || !strict && number == bound)
                && step.as_ref().is_none_or(|step| number::divides(step, number))
                && !not_steps.iter().any(|step| number::divides(step, number))
                && excluded.binary_search(number).is_err()
        };
        if let Some(options) = options {
            return among(options.iter().filter(|option| fits(option)), class);
        }
        if let (Some((low, low_strict)), Some((high, high_strict))) = (&least, &most) {
            if low > high || low == high && (*low_strict || *high_strict) {
                return Answer::Empty;
            }
            if low == high {
                return among(Some(low).filter(|number| fits(number)), class);
            }
        }
        let low = least.as_ref().map(|(bound, _)| bound);
        let high = most.as_ref().map(|(bound, _)| bound);
        if let Some(step) = &step {
            // Never a multiple of something that divides the step.
            if not_steps.iter().any(|not| number::divides(not, step)) {
                return Answer::Empty;
            }
            return self.on_grid(step, low, high, fits, class);
        }
        // Fractions lie densely, so that finer and finer steps find one that is not left out.
        let mut best = Best::new();
        let mut size = Number::new(1.into(), 2.into());
        for round in 0..40 {
            if !self.step(1) {
                return Self::limit_reached();
            }
            let (candidates, _) = grid(&size, low, high, 40);
            best.add(among(candidates.iter().filter(|number| fits(number)), class));
            if best.is_found() {
                return best.answer();
            }
            size = if round == 0 {
                Number::new(1.into(), 10.into())
            } else {
                size / Number::from_integer(10.into())
            };
        }
        Answer::Unknown(Gap::Limit("no fraction between the bounds can be written"), None)
    }

    fn on_grid(
        &mut self,
        step: &Number,
        low: Option<&Number>,
        high: Option<&Number>,
        fits: impl Fn(&Number) -> bool,
        class: Classes,
    ) -> Answer {
        let (candidates, complete) = grid(step, low, high, TRIES);
        if !self.step(candidates.len() as u64 / 16) {
            return Self::limit_reached();
        }
        let mut best = Best::new();
        let mut tried = 0;
        for candidate in candidates.iter().filter(|number| fits(number)) {
            best.add(among([candidate], class));
            tried += 1;
            if tried > 20 && best.is_found() {
                break;
            }
        }
        if !complete {
            best.gap(Gap::Limit("no number that fits was found near the bounds"));
        }
        best.answer()
    }
}

fn narrow(bound: &mut Option<(Number, bool)>, to: &Number, strict: bool, least: bool) {
    let tighter = match bound {
        None => true,
        Some((known, known_strict)) => {
            (if least { to > known } else { to < known }) || to == known && strict && !*known_strict
        }
    };
    if tighter {
        *bound = Some((to.clone(), strict));
    }
}

/// Multiples of a step between bounds, those near zero or near a bound first; whether they are all there are.
fn grid(step: &Number, low: Option<&Number>, high: Option<&Number>, most: usize) -> (Vec<Number>, bool) {
    let first = low.map(|low| (low / step).ceil().to_integer());
    let last = high.map(|high| (high / step).floor().to_integer());
    let mut indexes = Vec::new();
    let complete = match (first, last) {
        (Some(first), Some(last)) => {
            let zero = BigInt::zero();
            let start = zero.clamp(first.clone().min(last.clone()), last.clone());
            outward(&start, Some(&first), Some(&last), most, &mut indexes)
        }
        (first, last) => {
            let start = match (&first, &last) {
                (Some(first), _) => first.clone().max(BigInt::zero()),
                (_, Some(last)) => last.clone().min(BigInt::zero()),
                _ => BigInt::zero(),
            };
            outward(&start, first.as_ref(), last.as_ref(), most, &mut indexes)
        }
    };
    (indexes.into_iter().map(|index| step * Number::from_integer(index)).collect(), complete)
}

fn outward(
    start: &BigInt,
    first: Option<&BigInt>,
    last: Option<&BigInt>,
    most: usize,
    indexes: &mut Vec<BigInt>,
) -> bool {
    let inside =
        |index: &BigInt| first.is_none_or(|first| index >= first) && last.is_none_or(|last| index <= last);
    let mut distance = BigInt::zero();
    loop {
        let (up, down) = (start + &distance, start - &distance);
        let (up_inside, down_inside) = (inside(&up), inside(&down));
        if !up_inside && !down_inside {
            return true;
        }
        if up_inside {
            indexes.push(up.clone());
        }
        if down_inside && up != down {
            indexes.push(down);
        }
        if indexes.len() >= most {
            return false;
        }
        distance += 1;
    }
}

/// The shortest of some numbers that all fit, as a document.
fn among<'n>(numbers: impl IntoIterator<Item = &'n Number>, class: Classes) -> Answer {
    let mut best = Best::new();
    for candidate in numbers {
        let written: Option<Value> = number::write(candidate, class == Classes::POINTED);
        match written {
            Some(value) if super::class_of(&value) == class => best.add(Answer::Found(Found::new(value))),
            _ => best.gap(Gap::Limit("a number that fits cannot be written in 64 bits")),
        }
    }
    best.answer()
}
