//! What each change does.
//!
//! A difference can be made alone to the old schema, and taken back alone in the new one. It is blamed for a document that
//! breaks if either tells: the old schema with it alone breaks the document too, whatever else changes, or the new one
//! without it does not break it.

use crate::canonical::NAMES;
use crate::change::{Change, Difference, Effect, Swap};
use crate::compare::{Reason, Session, Verdict, Witness};
use crate::graph::{Id, Literal};
use crate::parse::{Edit, Side};
use crate::settle;
use std::collections::HashMap;

/// Differences whose effect is looked for.
const MAX_CHANGES: usize = 400;
/// Efforts of a question that all changes may take together.
const EFFORTS: u64 = 2;
/// Ways of making some changes but not others that are tried to find the fewest.
const MAX_TRIES: usize = 200;

/// The entries of the old schema with a change made, and those of the new one with it taken back.
struct Made {
    old_with: Vec<Id>,
    new_without: Vec<Id>,
}

/// A direction of the comparison, from one entry: what one schema takes, the other should take.
#[derive(Clone, Copy)]
struct Way {
    entry: usize,
    forward: bool,
    takes: Id,
    refuses: Id,
}

impl Way {
    /// The schema that takes with a change made to it, and the one that refuses with the change undone.
    fn with(self, made: &Made) -> (Id, Id) {
        let (old, new) = (made.old_with[self.entry], made.new_without[self.entry]);
        if self.forward { (new, old) } else { (old, new) }
    }

    /// The side of the schema that refuses.
    const fn refusing(self) -> Side {
        if self.forward { Side::Old } else { Side::New }
    }
}

/// What a change is to blame for.
enum Blame {
    Nothing,
    /// Made alone to the old schema, it breaks a document.
    Alone(Witness),
    /// A document would not break in the new schema without it, but it takes others as well.
    Together(Witness),
}

impl Blame {
    const fn of(witness: Witness, alone: bool) -> Self {
        if alone { Self::Alone(witness) } else { Self::Together(witness) }
    }
}

/// Finds out what the differences of two schemas do.
pub(crate) fn told<'a>(
    session: &mut Session<'a>,
    differences: Vec<Difference<'a>>,
    backward: &Verdict,
    forward: &Verdict,
) -> Vec<Change> {
    let into_changes = |differences: Vec<Difference<'a>>| -> Vec<Change> {
        differences.into_iter().map(|difference| difference.change).collect()
    };
    if *backward == Verdict::Yes && *forward == Verdict::Yes {
        return into_changes(differences);
    }
    let until = session.solver.steps().saturating_add(session.effort.saturating_mul(EFFORTS));
    let mut telling = Telling {
        made: differences.iter().map(|_| None).collect(),
        reach: reach(session),
        spoiling: HashMap::new(),
        old_places: session.places(Side::Old),
        new_places: session.places(Side::New),
        session,
        differences,
        until,
    };
    telling.all(backward, forward);
    let mut changes = into_changes(telling.differences);
    unexplained(&mut changes, backward, true);
    unexplained(&mut changes, forward, false);
    changes
}

/// For each node that was read, those that refer to it.
fn reach(session: &Session<'_>) -> HashMap<Id, Vec<Id>> {
    let mut reach: HashMap<Id, Vec<Id>> = HashMap::new();
    for (index, node) in session.parser.nodes.iter().enumerate() {
        for child in node.children() {
            reach.entry(child).or_default().push(u32::try_from(index).unwrap_or_default());
        }
    }
    reach
}

struct Telling<'s, 'a> {
    session: &'s mut Session<'a>,
    differences: Vec<Difference<'a>>,
    /// The versions of the schemas, as far as somebody asked for them.
    made: Vec<Option<Made>>,
    reach: HashMap<Id, Vec<Id>>,
    /// What is known of [`Telling::spoils`].
    spoiling: HashMap<(usize, usize, bool), Result<Option<Witness>, Reason>>,
    old_places: Vec<String>,
    new_places: Vec<String>,
    /// The step after which nothing more is looked for.
    until: u64,
}

impl<'a> Telling<'_, 'a> {
    fn all(&mut self, backward: &Verdict, forward: &Verdict) {
        let swapped = (0..self.differences.len()).filter(|index| self.differences[*index].swap.is_some());
        let swapped: Vec<usize> = swapped.collect();
        let (told, others) = swapped.split_at(swapped.len().min(MAX_CHANGES));
        for index in others {
            let reason = Reason::whole("more changes than can be told apart");
            self.differences[*index].change.effect = Effect::Unknown(vec![reason]);
        }
        for index in told {
            self.tell(*index, told, (*backward != Verdict::Yes, *forward != Verdict::Yes));
        }
    }

    /// Both schemas with one change made, or taken back.
    fn made(&mut self, index: usize) -> Result<&Made, Reason> {
        if self.made[index].is_none() {
            if self.session.solver.steps() >= self.until {
                return Err(Reason::whole("the search was stopped at its limit, which all changes share"));
            }
            let too_large = || Reason::whole("the schemas are too large to tell their changes apart");
            if self.session.parser.is_full() {
                return Err(too_large());
            }
            let made = Made {
                old_with: self.with(Side::Old, &[index]),
                new_without: self.with(Side::New, &[index]),
            };
            // What was read last is cut short.
            if self.session.parser.is_full() {
                return Err(too_large());
            }
            self.made[index] = Some(made);
        }
        self.made[index].as_ref().ok_or_else(|| Reason::whole("the change was not made"))
    }

    /// The entries of the old schema with some changes made, or of the new one with them taken back.
    fn with(&mut self, base: Side, changes: &[usize]) -> Vec<Id> {
        let swaps = changes.iter().filter_map(|index| self.differences[*index].swap.as_ref());
        let edits: Vec<Edit<'a>> = swaps.map(|swap: &Swap<'a>| swap.edit(base)).collect();
        let is_new = base == Side::New;
        let places = if is_new { &self.new_places } else { &self.old_places };
        let session = &mut *self.session;
        let (nodes, options) = (session.parser.nodes.len(), session.parser.options_read);
        let Some(raw) = session.parser.with_changes(base, edits, &self.reach, places) else {
            let entries = (0..places.len()).map(|entry| session.entry(entry));
            return entries.map(|(old, new)| if is_new { new } else { old }).collect();
        };
        let looked =
            settle::settle(&mut session.parser.nodes, &mut session.solver.graph, &mut session.settled);
        let read = (session.parser.nodes.len() - nodes) as u64 + session.parser.options_read - options;
        session.solver.spend((looked + read) / 4);
        raw.into_iter().map(|id| session.settled[id as usize]).collect()
    }

    /// Finds out what one change does.
    fn tell(&mut self, index: usize, told: &[usize], (ask_files, ask_readers): (bool, bool)) {
        let mut reasons = Vec::new();
        let mut only_with: Vec<String> = Vec::new();
        let mut found: [Option<Witness>; 2] = [None, None];
        for (forward, asked) in [(false, ask_files), (true, ask_readers)] {
            if !asked {
                continue;
            }
            let mut together = None;
            for entry in 0..self.old_places.len() {
                let (old, new) = self.session.entry(entry);
                let (takes, refuses) = if forward { (new, old) } else { (old, new) };
                let way = Way { entry, forward, takes, refuses };
                match self.blame(index, told, way) {
                    Ok(Blame::Nothing) => {}
                    Ok(Blame::Alone(witness)) => {
                        found[usize::from(forward)] = Some(witness);
                        break;
                    }
                    Ok(Blame::Together(witness)) => {
                        together.get_or_insert((way, witness));
                    }
                    Err(reason) => reasons.push(reason),
                }
            }
            if let (None, Some((way, witness))) = (&found[usize::from(forward)], together) {
                for other in self.partners(index, told, way, &witness) {
                    let print = &self.differences[other].change.fingerprint;
                    if !only_with.contains(print) {
                        only_with.push(print.clone());
                    }
                }
                found[usize::from(forward)] = Some(witness);
            }
        }
        let change = &mut self.differences[index].change;
        change.effect = match found {
            [Some(files), Some(readers)] => Effect::BreaksBoth { files, readers },
            _ if !reasons.is_empty() => {
                reasons.dedup();
                Effect::Unknown(reasons)
            }
            [Some(files), None] => Effect::BreaksFiles(files),
            [None, Some(readers)] => Effect::BreaksReaders(readers),
            [None, None] => Effect::Neither,
        };
        if !matches!(change.effect, Effect::Unknown(_)) {
            change.only_with = only_with;
        }
    }

    /// What a change is to blame for in one direction, from one entry.
    fn blame(&mut self, index: usize, told: &[usize], way: Way) -> Result<Blame, Reason> {
        let (spoiled, mended) = way.with(self.made(index)?);
        let mut reason = None;
        let mut ask = |telling: &mut Self, more: &[Literal]| {
            telling.ask(way, more).unwrap_or_else(|why| {
                reason.get_or_insert(why);
                None
            })
        };
        let covered = self.spoils(index, way)?;
        if let Some(witness) = &covered {
            if self.session.solver.judges(mended, &witness.document) == Some(true) {
                return Ok(Blame::Alone(witness.clone()));
            }
            if mended != way.refuses
                && let Some(witness) = ask(self, &[Literal::fails(spoiled), Literal::holds(mended)])
            {
                return Ok(Blame::Alone(witness));
            }
        }
        // The old schema with the change tells whether it breaks something alone: that is the one that takes, or forward
        // the one that refuses.
        if way.forward
            && mended != way.refuses
            && let Some(witness) = ask(self, &[Literal::holds(mended)])
        {
            return Ok(Blame::Alone(witness));
        }
        // Undone in the schema that refuses, it saves no such document. It is to blame for one all the same, if nothing
        // makes up for it: what refuses documents alone too is undone as well, and one must still be refused.
        if let Some(witness) = covered {
            let (mut others, mut these) = (Vec::new(), Vec::new());
            for other in told.iter().copied().filter(|other| *other != index) {
                if self.spoils(other, way)?.is_none() {
                    continue;
                }
                others.push(other);
                let spoiled = way.with(self.made(other)?).0;
                if self.session.solver.judges(spoiled, &witness.document) == Some(false) {
                    these.push(other);
                }
            }
            let undone = self.with(way.refusing(), &these)[way.entry];
            if self.session.solver.judges(undone, &witness.document) == Some(false) {
                return Ok(Blame::of(witness, !way.forward));
            }
            let undone = self.with(way.refusing(), &others)[way.entry];
            if let Some(witness) = ask(self, &[Literal::fails(spoiled), Literal::fails(undone)]) {
                return Ok(Blame::of(witness, !way.forward));
            }
        }
        if !way.forward
            && mended != way.refuses
            && let Some(witness) = ask(self, &[Literal::holds(mended)])
        {
            return Ok(Blame::Together(witness));
        }
        reason.map_or(Ok(Blame::Nothing), Err)
    }

    /// A document that breaks, and for which some literals hold.
    fn ask(&mut self, way: Way, more: &[Literal]) -> Result<Option<Witness>, Reason> {
        let breaks = [Literal::holds(way.takes), Literal::fails(way.refuses)];
        let literals: Vec<Literal> = breaks.iter().chain(more).copied().collect();
        let left = self.until.saturating_sub(self.session.solver.steps());
        self.session.question_within(way.entry, way.forward, &literals, left)
    }

    /// A document that breaks and that the schema which takes it refuses with one change, whatever else changes.
    fn spoils(&mut self, index: usize, way: Way) -> Result<Option<Witness>, Reason> {
        let key = (index, way.entry, way.forward);
        if let Some(known) = self.spoiling.get(&key) {
            return known.clone();
        }
        let spoiled = way.with(self.made(index)?).0;
        let found = if spoiled == way.takes { Ok(None) } else { self.ask(way, &[Literal::fails(spoiled)]) };
        self.spoiling.insert(key, found.clone());
        found
    }

    /// The fewest other changes with which a change breaks a document that it does not break alone.
    fn partners(&mut self, index: usize, told: &[usize], way: Way, witness: &Witness) -> Vec<usize> {
        let breaks = |telling: &mut Self, group: &[usize], with_it: bool| {
            let made: Vec<usize> = group.iter().copied().chain(with_it.then_some(index)).collect();
            let changed = telling.with(Side::Old, &made)[way.entry];
            let taken = telling.session.solver.judges(changed, &witness.document);
            taken.map(|taken| taken == way.forward)
        };
        let mut group: Vec<usize> = told.iter().copied().filter(|other| *other != index).collect();
        if breaks(self, &group, true) != Some(true) {
            return Vec::new();
        }
        // Halves are left out first, then smaller parts.
        let mut size = group.len().div_ceil(2);
        let mut tries = 0;
        while size > 0 {
            let mut start = 0;
            while start < group.len() {
                tries += 1;
                if tries > MAX_TRIES || self.session.solver.steps() >= self.until {
                    return Vec::new();
                }
                let end = (start + size).min(group.len());
                let fewer: Vec<usize> = group[..start].iter().chain(&group[end..]).copied().collect();
                if breaks(self, &fewer, true) == Some(true) && breaks(self, &fewer, false) == Some(false) {
                    group = fewer;
                } else {
                    start = end;
                }
            }
            size /= 2;
        }
        group
    }
}

/// Where a verdict is no but no single change makes it so, changes work together: which, nobody has found out.
fn unexplained(changes: &mut [Change], verdict: &Verdict, files: bool) {
    let Verdict::No(witness) = verdict else { return };
    let explains = |change: &Change| {
        let found = if files { change.effect.files() } else { change.effect.readers() };
        found.is_some() || matches!(change.effect, Effect::Unknown(_))
    };
    if changes.iter().any(explains) {
        return;
    }
    let message = format!(
        "only together with other changes it {}, for example {}",
        if files { "breaks existing files" } else { "breaks existing readers" },
        witness.document
    );
    for change in changes {
        if change.effect == Effect::Neither && !NAMES.contains(&change.keyword.as_str()) {
            change.effect = Effect::Unknown(vec![Reason::whole(&message)]);
        }
    }
}
