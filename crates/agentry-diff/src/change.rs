//! What changed in the text of a schema, and what each change does.
//!
//! Both schemas are walked together, through references, so that a definition that moved is no change. Each
//! difference can be made alone to the old schema: what breaks then, and breaks in the new schema too, is its doing.

use crate::compare::{Reason, Session, Verdict, Witness};
use crate::draft::Draft;
use crate::graph::{Id, Literal};
use crate::parse::{Edit, LISTS, Place, SINGLE, Side, Target};
use crate::{pointer, settle};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;

/// What happened to a keyword.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// It is only in the new schema.
    Added,
    /// It is only in the old schema.
    Removed,
    /// It is in both, with different values.
    Altered,
}

impl Action {
    /// `added`, `removed` or `altered`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Altered => "altered",
        }
    }
}

/// What a change does to documents.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// The new schema refuses some document that the old one takes.
    BreaksFiles(Witness),
    /// The old schema refuses some document that the new one takes.
    BreaksReaders(Witness),
    /// Both.
    BreaksBoth {
        /// A document that only the old schema takes.
        files: Witness,
        /// A document that only the new schema takes.
        readers: Witness,
    },
    /// No document is judged differently because of it.
    Neither,
    /// It changes what is said about values, not which there are.
    Documentation,
    /// Nobody can say, for these reasons.
    Unknown(Vec<Reason>),
}

impl Effect {
    /// Its name in reports, such as `breaks-files`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::BreaksFiles(_) => "breaks-files",
            Self::BreaksReaders(_) => "breaks-readers",
            Self::BreaksBoth { .. } => "breaks-both",
            Self::Neither => "neither",
            Self::Documentation => "documentation",
            Self::Unknown(_) => "unknown",
        }
    }

    /// The document that breaks under the new schema.
    pub const fn files(&self) -> Option<&Witness> {
        match self {
            Self::BreaksFiles(files) | Self::BreaksBoth { files, .. } => Some(files),
            _ => None,
        }
    }

    /// The document that breaks under the old schema.
    pub const fn readers(&self) -> Option<&Witness> {
        match self {
            Self::BreaksReaders(readers) | Self::BreaksBoth { readers, .. } => Some(readers),
            _ => None,
        }
    }
}

/// One difference between two schemas.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Change {
    /// Where it is in the old schema; none, where it is only in the new one.
    pub old: Option<String>,
    /// Where it is in the new schema; none, where it is only in the old one.
    pub new: Option<String>,
    /// The keyword. Empty, where a whole schema gave way to another.
    pub keyword: String,
    /// The key, option or branch of the keyword that it is about, if it is about one.
    pub member: Option<String>,
    /// What happened.
    pub action: Action,
    /// What stood there before.
    pub before: Option<Value>,
    /// What stands there now.
    pub after: Option<Value>,
    /// What it does to documents.
    pub effect: Effect,
    /// The fingerprints of changes that it breaks something only together with; empty, where it does so alone.
    pub only_with: Vec<String>,
    /// The same for the same change, wherever else the schemas change and however they are ordered. To acknowledge a
    /// change, keep this.
    pub fingerprint: String,
}

impl Change {
    /// The JSON pointer of the place: in the new schema, or in the old one where it is only there.
    pub fn at(&self) -> &str {
        self.new.as_deref().or(self.old.as_deref()).unwrap_or_default()
    }

    /// What happened there, in words: ``option "local" removed``.
    pub fn what(&self) -> String {
        let value = self.after.as_ref().or(self.before.as_ref());
        let option = value.and_then(|value| value.get("const"));
        let (subject, named) = match (&self.member, self.keyword.as_str(), option) {
            (_, "", _) => ("schema".to_owned(), false),
            (Some(_), "oneOf" | "anyOf", Some(option)) => (format!("option {}", short(option)), true),
            (Some(member), "required", _) => (format!("required key {member}"), true),
            (Some(member), "enum", _) => (format!("option {member}"), true),
            (Some(member), "type", _) => (format!("type {member}"), true),
            (Some(member), "properties", _) => (format!("property `{member}`"), true),
            (Some(member), keyword, _) if !LISTS.contains(&keyword) => {
                (format!("`{member}` of `{keyword}`"), true)
            }
            (Some(_), keyword, _) => (format!("alternative of `{keyword}`"), false),
            (None, keyword, _) => (format!("`{keyword}`"), false),
        };
        match (&self.before, &self.after) {
            (Some(Value::String(before)), Some(Value::String(after))) => {
                let (before, after) = around_difference(before, after);
                format!("{subject} altered from {before} to {after}")
            }
            (Some(before), Some(after)) => {
                format!("{subject} altered from {} to {}", short(before), short(after))
            }
            (None, Some(after)) if !named => format!("{subject} added: {}", short(after)),
            (Some(before), None) if !named => format!("{subject} removed: {}", short(before)),
            _ => format!("{subject} {}", if self.action == Action::Added { "added" } else { "removed" }),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at();
        write!(formatter, "{}  {}", if at.is_empty() { "/" } else { at }, self.what())
    }
}

/// How many characters of a value are shown.
const SHOWN: usize = 60;

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN - 3).chain("...".chars()).collect()
}

/// Two texts from shortly before the place where they begin to differ.
fn around_difference(old: &str, new: &str) -> (String, String) {
    let same = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let cut = |text: &str| {
        let long = same > SHOWN / 2 && text.chars().count() > SHOWN;
        if !long {
            return short(&text.into());
        }
        // A long common beginning is cut at a word.
        let near = text.char_indices().nth(same - SHOWN / 4).map_or(0, |(start, _)| start);
        let start = text[..near].rfind(' ').map_or(near, |space| space + 1);
        short(&format!("...{}", &text[start..]).into())
    };
    (cut(old), cut(new))
}

/// A difference that was found, with what it takes to make it alone.
struct Difference<'a> {
    change: Change,
    edit: Option<Edit<'a>>,
}

/// Differences whose effect is looked for.
const MAX_CHANGES: usize = 400;
/// Changes of which those are found that break something only together.
const MAX_TOGETHER: usize = 60;
/// Steps to look for a document that they break together: to find none is no answer that anything rests on.
const EFFORT_TOGETHER: u64 = 3_000;
/// Efforts of a question that all changes may take together.
const EFFORTS: u64 = 2;
/// Groups of such changes that are found.
const MAX_GROUPS: usize = 4;
/// Nested schemas that are walked.
const MAX_DEPTH: usize = 300;

/// Keywords that hold definitions or names, and restrict nothing by themselves.
const NAMES: [&str; 9] = [
    "definitions",
    "$defs",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$schema",
    "$vocabulary",
];
/// Keywords whose members are keys.
const KEYED: [&str; 5] =
    ["properties", "patternProperties", "dependentSchemas", "dependentRequired", "dependencies"];
/// Keywords whose members have no order.
const OPTIONS: [&str; 3] = ["required", "type", "enum"];
/// Other keywords that restrict values.
const PLAIN: [&str; 17] = [
    "const",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "format",
];

/// What two alternatives have in common if they are each other's.
type Likeness<'f, W, P> = &'f dyn Fn(&W, &P) -> Option<String>;

struct Walk<'s, 'a> {
    session: &'s Session<'a>,
    found: Vec<Difference<'a>>,
    /// The pairs of places that were compared.
    seen: HashSet<(String, String)>,
    seen_old: HashSet<String>,
    seen_new: HashSet<String>,
    formats: bool,
}

impl<'a> Session<'a> {
    /// Every difference, with its effect.
    pub(crate) fn changes(&mut self, backward: &Verdict, forward: &Verdict, formats: bool) -> Vec<Change> {
        let mut differences = self.differences(formats);
        let reach = self.reach();
        // The old schema with each change made alone.
        let mut alone: Vec<Vec<Id>> = Vec::new();
        let mut tried = 0;
        let until = self.solver.steps().saturating_add(self.effort.saturating_mul(EFFORTS));
        for Difference { change, edit } in &mut differences {
            let Some(edit) = edit else { continue };
            tried += 1;
            if *backward == Verdict::Yes && *forward == Verdict::Yes {
                continue;
            }
            if tried > MAX_CHANGES {
                change.effect = Effect::Unknown(vec![Reason::whole("more changes than can be told apart")]);
            } else if self.solver.steps() >= until {
                let message = "the search was stopped at its limit, which all changes share";
                change.effect = Effect::Unknown(vec![Reason::whole(message)]);
            } else if let Some(changed) = self.with_edits(std::slice::from_ref(edit), &reach) {
                change.effect = self.effect(&changed, backward, forward, until);
                alone.push(changed);
            }
        }
        let until = until.max(self.solver.steps().saturating_add(self.effort));
        self.together(&mut differences, &alone, &reach, (backward, false), until);
        self.together(&mut differences, &alone, &reach, (forward, true), until);
        let mut changes: Vec<Change> = differences.into_iter().map(|difference| difference.change).collect();
        unexplained(&mut changes, backward, true);
        unexplained(&mut changes, forward, false);
        changes
    }

    /// Finds changes that break something only together: a document that breaks under the new schema, but not under
    /// any change alone, and the fewest changes under which it does.
    fn together(
        &mut self,
        differences: &mut [Difference<'a>],
        alone: &[Vec<Id>],
        reach: &HashMap<Id, Vec<Id>>,
        (verdict, forward): (&Verdict, bool),
        until: u64,
    ) {
        if !matches!(verdict, Verdict::No(_)) {
            return;
        }
        let edited: Vec<usize> =
            (0..differences.len()).filter(|index| differences[*index].edit.is_some()).collect();
        if edited.len() < 2 || edited.len() > MAX_TOGETHER {
            return;
        }
        for entry in 0..self.old_places().len() {
            let mut ruled_out: Vec<Id> =
                alone.iter().filter_map(|changed| changed.get(entry).copied()).collect();
            for _ in 0..MAX_GROUPS {
                if self.solver.steps() >= until {
                    return;
                }
                let (old, new) = self.entry(entry);
                let (from, to) = if forward { (new, old) } else { (old, new) };
                let mut literals = vec![Literal::holds(from), Literal::fails(to)];
                literals.extend(ruled_out.iter().map(|id| Literal::new(*id, !forward)));
                let Ok(Some(witness)) = self.question_within(entry, forward, &literals, EFFORT_TOGETHER)
                else {
                    break;
                };
                let Some((group, changed)) =
                    self.group(differences, &edited, reach, entry, &witness, forward)
                else {
                    break;
                };
                let prints: Vec<String> =
                    group.iter().map(|index| differences[*index].change.fingerprint.clone()).collect();
                for index in group {
                    let change = &mut differences[index].change;
                    let others = prints.iter().filter(|print| **print != change.fingerprint).cloned();
                    change.only_with.extend(others);
                    change.effect = joined(&change.effect, &witness, forward);
                }
                ruled_out.push(changed);
            }
        }
    }

    /// The fewest changes that make a document break, and the entry with them.
    fn group(
        &mut self,
        differences: &[Difference<'a>],
        edited: &[usize],
        reach: &HashMap<Id, Vec<Id>>,
        entry: usize,
        witness: &Witness,
        forward: bool,
    ) -> Option<(Vec<usize>, Id)> {
        let mut with = |group: &[usize]| -> Option<Id> {
            let edits: Vec<Edit<'a>> =
                group.iter().filter_map(|index| differences[*index].edit.clone()).collect();
            let changed = self.with_edits(&edits, reach)?.get(entry).copied()?;
            (self.solver.judges(changed, &witness.document) == Some(forward)).then_some(changed)
        };
        let mut group = edited.to_vec();
        let mut changed = with(&group)?;
        for index in edited {
            let fewer: Vec<usize> = group.iter().copied().filter(|known| known != index).collect();
            if let Some(still) = with(&fewer) {
                group = fewer;
                changed = still;
            }
        }
        Some((group, changed))
    }

    fn differences(&self, formats: bool) -> Vec<Difference<'a>> {
        let mut walk = Walk {
            session: self,
            found: Vec::new(),
            seen: HashSet::new(),
            seen_old: HashSet::new(),
            seen_new: HashSet::new(),
            formats,
        };
        let root = |side, value| Place { side, pointer: String::new(), value };
        let (old, new) = (self.parser.old.document, self.parser.new.document);
        walk.schemas(&root(Side::Old, old), &root(Side::New, new), "", 0);
        walk.definitions(old, new);
        walk.found
    }

    /// For each node that was read, those that refer to it.
    fn reach(&self) -> HashMap<Id, Vec<Id>> {
        let mut reach: HashMap<Id, Vec<Id>> = HashMap::new();
        for (index, node) in self.parser.nodes.iter().enumerate() {
            for child in node.children() {
                reach.entry(child).or_default().push(u32::try_from(index).unwrap_or_default());
            }
        }
        reach
    }

    /// What a difference does, from the entries of the old schema with it alone.
    fn effect(&mut self, changed: &[Id], backward: &Verdict, forward: &Verdict, until: u64) -> Effect {
        let (ask_files, ask_readers) = (*backward != Verdict::Yes, *forward != Verdict::Yes);
        let mut reasons = Vec::new();
        let (mut files, mut readers): (Option<Witness>, Option<Witness>) = (None, None);
        for (entry, changed) in changed.iter().copied().enumerate() {
            let (old, new) = self.entry(entry);
            if changed == old {
                continue;
            }
            for (ask, is_forward, literals, found) in [
                (
                    ask_files,
                    false,
                    [Literal::holds(old), Literal::fails(new), Literal::fails(changed)],
                    &mut files,
                ),
                (
                    ask_readers,
                    true,
                    [Literal::holds(new), Literal::fails(old), Literal::holds(changed)],
                    &mut readers,
                ),
            ] {
                if !ask || found.is_some() {
                    continue;
                }
                let left = until.saturating_sub(self.solver.steps());
                match self.question_within(entry, is_forward, &literals, left) {
                    Ok(witness) => *found = witness,
                    Err(reason) => reasons.push(reason),
                }
            }
        }
        match (files, readers) {
            (Some(files), Some(readers)) => Effect::BreaksBoth { files, readers },
            _ if !reasons.is_empty() => Effect::Unknown(reasons),
            (Some(files), None) => Effect::BreaksFiles(files),
            (None, Some(readers)) => Effect::BreaksReaders(readers),
            (None, None) => Effect::Neither,
        }
    }

    /// The entries of the old schema with some changes made; none, where nothing that is compared can see them.
    fn with_edits(&mut self, edits: &[Edit<'a>], reach: &HashMap<Id, Vec<Id>>) -> Option<Vec<Id>> {
        let place = |edit: &Edit<'a>| self.parser.known.get(&(Side::Old, edit.schema.clone())).copied();
        let mut queue: Vec<Id> = edits.iter().filter_map(place).collect();
        if queue.is_empty() {
            return None;
        }
        let mut affected: HashSet<Id> = queue.iter().copied().collect();
        while let Some(id) = queue.pop() {
            for above in reach.get(&id).into_iter().flatten() {
                if affected.insert(*above) {
                    queue.push(*above);
                }
            }
        }
        let (nodes, options) = (self.parser.nodes.len(), self.parser.options_read);
        let unaffected: Vec<((Side, String), Id)> = self
            .parser
            .known
            .iter()
            .filter(|((side, _), id)| *side == Side::Old && !affected.contains(id))
            .map(|((_, pointer), id)| ((Side::Changed, pointer.clone()), *id))
            .collect();
        self.parser.known.extend(unaffected);
        self.parser.edits = edits.to_vec();
        let places: Vec<String> = self.old_places();
        let raw: Vec<Id> = places.iter().filter_map(|place| self.parser.at(Side::Changed, place)).collect();
        self.parser.edits = Vec::new();
        self.parser.known.retain(|(side, _), _| *side != Side::Changed);
        let looked = settle::settle(&mut self.parser.nodes, &mut self.solver.graph, &mut self.settled);
        let read = (self.parser.nodes.len() - nodes) as u64 + self.parser.options_read - options;
        self.solver.spend((looked + read + self.parser.known.len() as u64) / 4);
        Some(raw.into_iter().map(|id| self.settled[id as usize]).collect())
    }
}

/// An effect with one more document that breaks.
fn joined(effect: &Effect, witness: &Witness, forward: bool) -> Effect {
    let (mut files, mut readers) = (effect.files().cloned(), effect.readers().cloned());
    let found = if forward { &mut readers } else { &mut files };
    found.get_or_insert_with(|| witness.clone());
    match (files, readers) {
        (Some(files), Some(readers)) => Effect::BreaksBoth { files, readers },
        (Some(files), None) => Effect::BreaksFiles(files),
        (None, Some(readers)) => Effect::BreaksReaders(readers),
        (None, None) => effect.clone(),
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

impl<'a> Walk<'_, 'a> {
    /// Compares two schemas. `label` is the way to them in words that do not depend on the order of alternatives.
    fn schemas(&mut self, old: &Place<'a>, new: &Place<'a>, label: &str, depth: usize) {
        let (written_old, written_new) = (old, new);
        let (old, new) = (self.resolved(old), self.resolved(new));
        if written_old.pointer != old.pointer && written_new.pointer != new.pointer {
            self.beside_references(written_old, written_new, label);
        }
        if types(old.value).is_some_and(|were| types(new.value).is_some_and(|are| were.is_disjoint(&are))) {
            // Nothing of the one is left in the other: to go into keywords would only hide that.
            if self.seen.insert((written_old.pointer.clone(), written_new.pointer.clone())) {
                self.replaced(written_old, written_new, label);
            }
            return;
        }
        if !self.seen.insert((old.pointer.clone(), new.pointer.clone())) {
            return;
        }
        if depth > MAX_DEPTH {
            if old.value != new.value {
                self.replaced(&old, &new, label);
            }
            return;
        }
        self.seen_old.insert(old.pointer.clone());
        self.seen_new.insert(new.pointer.clone());
        match (old.value, new.value) {
            (Value::Object(before), Value::Object(after)) => {
                self.keywords(&old, &new, before, after, label, depth);
            }
            (before, after) if before == after => {}
            _ => self.replaced(&old, &new, label),
        }
    }

    /// What is said beside two references that are followed.
    fn beside_references(&mut self, old: &Place<'a>, new: &Place<'a>, label: &str) {
        let (Value::Object(before), Value::Object(after)) = (old.value, new.value) else { return };
        if !self.seen.insert((format!("{} $ref", old.pointer), format!("{} $ref", new.pointer))) {
            return;
        }
        let only_after = after.keys().filter(|keyword| !before.contains_key(*keyword));
        for keyword in before.keys().chain(only_after) {
            let drafts = [old, new].map(|place| self.session.parser.source(place.side).draft);
            let restricts = drafts.iter().any(|draft| restricts(keyword, *draft, self.formats));
            if restricts || NAMES.contains(&keyword.as_str()) || before.get(keyword) == after.get(keyword) {
                continue;
            }
            let at = |place: &Place<'a>, map: &'a Map<String, Value>| {
                let pointer = pointer::join(&place.pointer, keyword);
                map.get(keyword).map(|value| Place { side: place.side, pointer, value })
            };
            self.note(label, keyword, None, at(old, before).as_ref(), at(new, after).as_ref(), None);
        }
    }

    /// A whole schema gave way to another.
    fn replaced(&mut self, old: &Place<'a>, new: &Place<'a>, label: &str) {
        let edit = Edit {
            schema: old.pointer.clone(),
            keyword: String::new(),
            member: None,
            with: Some(new.clone()),
        };
        self.note(label, "", None, Some(old), Some(new), Some(edit));
    }

    /// Where a schema that only refers to another leads.
    fn resolved(&mut self, place: &Place<'a>) -> Place<'a> {
        let mut place = place.clone();
        for _ in 0..MAX_DEPTH {
            let Value::Object(map) = place.value else { break };
            let source = self.session.parser.source(place.side);
            let alone = source.draft <= Draft::Draft7
                || map
                    .keys()
                    .all(|keyword| keyword == "$ref" || !restricts(keyword, source.draft, self.formats));
            match source.reference(&place.pointer, map) {
                Some(("$ref", Target::Here(pointer, value))) if alone => {
                    let seen = if place.side == Side::Old { &mut self.seen_old } else { &mut self.seen_new };
                    seen.insert(std::mem::take(&mut place.pointer));
                    place = Place { side: place.side, pointer, value };
                }
                _ => break,
            }
        }
        place
    }

    fn keywords(
        &mut self,
        old: &Place<'a>,
        new: &Place<'a>,
        before: &'a Map<String, Value>,
        after: &'a Map<String, Value>,
        label: &str,
        depth: usize,
    ) {
        let only_after = after.keys().filter(|keyword| !before.contains_key(*keyword));
        for keyword in before.keys().chain(only_after) {
            let at = |place: &Place<'a>, map: &'a Map<String, Value>| {
                let pointer = pointer::join(&place.pointer, keyword);
                map.get(keyword).map(|value| Place { side: place.side, pointer, value })
            };
            let (was, is) = (at(old, before), at(new, after));
            let drafts = [old, new].map(|place| self.session.parser.source(place.side).draft);
            if !drafts.iter().any(|draft| restricts(keyword, *draft, self.formats)) {
                let differ = was.as_ref().map(|place| place.value) != is.as_ref().map(|place| place.value);
                if differ && !(NAMES.contains(&keyword.as_str()) && keyword != "$schema") {
                    self.note(label, keyword, None, was.as_ref(), is.as_ref(), None);
                }
                continue;
            }
            let edit = |member: Option<String>, with: Option<Place<'a>>| {
                Some(Edit { schema: old.pointer.clone(), keyword: keyword.clone(), member, with })
            };
            let here = format!("{label}/{}", pointer::escaped(keyword));
            let both = was.as_ref().zip(is.as_ref());
            match keyword.as_str() {
                "$ref" => self.references(old, new, was.as_ref(), is.as_ref(), label, depth),
                name if KEYED.contains(&name)
                    && [&was, &is].into_iter().flatten().all(|place| place.value.is_object()) =>
                {
                    self.keyed(old, keyword, was.as_ref(), is.as_ref(), &here, depth);
                }
                name if OPTIONS.contains(&name) && both.is_some() => {
                    let Some((was, is)) = both else { continue };
                    let (were, are) = (options(was), options(is));
                    let texts = |options: &[Place<'a>]| -> HashSet<String> {
                        options.iter().map(|option| option.value.to_string()).collect()
                    };
                    let (texts_before, texts_after) = (texts(&were), texts(&are));
                    for gone in were.iter().filter(|gone| !texts_after.contains(&gone.value.to_string())) {
                        let member = gone.value.to_string();
                        self.note(
                            label,
                            keyword,
                            Some(&member),
                            Some(gone),
                            None,
                            edit(Some(member.clone()), None),
                        );
                    }
                    for come in are.iter().filter(|come| !texts_before.contains(&come.value.to_string())) {
                        let member = come.value.to_string();
                        let edit = edit(Some(member.clone()), Some(come.clone()));
                        self.note(label, keyword, Some(&member), None, Some(come), edit);
                    }
                }
                name if LISTS.contains(&name)
                    && both.is_some_and(|(was, is)| was.value.is_array() && is.value.is_array()) =>
                {
                    let Some((was, is)) = both else { continue };
                    self.list(old, keyword, was, is, &here, depth);
                }
                name if SINGLE.contains(&name)
                    && both.is_some_and(|(was, is)| !was.value.is_array() && !is.value.is_array()) =>
                {
                    let Some((was, is)) = both else { continue };
                    self.schemas(was, is, &here, depth + 1);
                }
                _ => {
                    if was.as_ref().map(|place| place.value) != is.as_ref().map(|place| place.value) {
                        let edit = edit(None, is.clone());
                        self.note(label, keyword, None, was.as_ref(), is.as_ref(), edit);
                    }
                }
            }
        }
    }

    fn references(
        &mut self,
        old: &Place<'a>,
        new: &Place<'a>,
        was: Option<&Place<'a>>,
        is: Option<&Place<'a>>,
        label: &str,
        depth: usize,
    ) {
        let target = |place: &Place<'a>| {
            let source = self.session.parser.source(place.side);
            match source.reference(&place.pointer, place.value.as_object()?) {
                Some(("$ref", Target::Here(pointer, value))) => {
                    Some(Place { side: place.side, pointer, value })
                }
                _ => None,
            }
        };
        match (target(old), target(new)) {
            (Some(old), Some(new)) => self.schemas(&old, &new, label, depth + 1),
            (before, after) => {
                if before.is_none() && after.is_none() && was.map(|was| was.value) == is.map(|is| is.value) {
                    return;
                }
                let edit = Edit {
                    schema: old.pointer.clone(),
                    keyword: "$ref".to_owned(),
                    member: None,
                    with: after.clone(),
                };
                // A reference that leads nowhere cannot be made alone: the whole says that it is unknown.
                let edit = (is.is_none() || after.is_some()).then_some(edit);
                self.note(label, "$ref", None, was, is, edit);
            }
        }
    }

    fn keyed(
        &mut self,
        schema: &Place<'a>,
        keyword: &str,
        was: Option<&Place<'a>>,
        is: Option<&Place<'a>>,
        label: &str,
        depth: usize,
    ) {
        let members = |place: Option<&Place<'a>>| -> Vec<(String, Place<'a>)> {
            let Some(place) = place else { return Vec::new() };
            let map = place.value.as_object().into_iter().flatten();
            map.map(|(name, value)| {
                let pointer = pointer::join(&place.pointer, name);
                (name.clone(), Place { side: place.side, pointer, value })
            })
            .collect()
        };
        let (were, are) = (members(was), members(is));
        let edit = |name: &str, with: Option<Place<'a>>| Edit {
            schema: schema.pointer.clone(),
            keyword: keyword.to_owned(),
            member: Some(name.to_owned()),
            with,
        };
        let names_before: HashSet<&str> = were.iter().map(|(name, _)| name.as_str()).collect();
        let after_of: HashMap<&str, &Place<'a>> =
            are.iter().map(|(name, after)| (name.as_str(), after)).collect();
        for (name, before) in &were {
            let here = format!("{label}/{}", pointer::escaped(name));
            match after_of.get(name.as_str()) {
                Some(after) if before.value.is_array() || after.value.is_array() => {
                    if before.value != after.value {
                        let edit = edit(name, Some((*after).clone()));
                        self.note(label, keyword, Some(name), Some(before), Some(after), Some(edit));
                    }
                }
                Some(after) => self.schemas(before, after, &here, depth + 1),
                None => {
                    let edit = edit(name, None);
                    self.note(label, keyword, Some(name), Some(before), None, Some(edit));
                }
            }
        }
        for (name, after) in &are {
            if !names_before.contains(name.as_str()) {
                let edit = edit(name, Some(after.clone()));
                self.note(label, keyword, Some(name), None, Some(after), Some(edit));
            }
        }
    }

    fn list(
        &mut self,
        schema: &Place<'a>,
        keyword: &str,
        was: &Place<'a>,
        is: &Place<'a>,
        label: &str,
        depth: usize,
    ) {
        let members = |place: &Place<'a>| -> Vec<Place<'a>> {
            let items = place.value.as_array().into_iter().flatten().enumerate();
            items
                .map(|(index, value)| Place {
                    side: place.side,
                    pointer: format!("{}/{index}", place.pointer),
                    value,
                })
                .collect()
        };
        let (were, are) = (members(was), members(is));
        let ordered = matches!(keyword, "prefixItems" | "items");
        let pairs = if ordered {
            (0..were.len().min(are.len())).map(|index| (index, index)).collect()
        } else {
            self.matched(&were, &are)
        };
        for (one, other) in &pairs {
            let name = if ordered { one.to_string() } else { digest(&[&canonical(were[*one].value)]) };
            self.schemas(&were[*one], &are[*other], &format!("{label}/{name}"), depth + 1);
        }
        let paired_before: HashSet<usize> = pairs.iter().map(|(one, _)| *one).collect();
        let paired_after: HashSet<usize> = pairs.iter().map(|(_, other)| *other).collect();
        for (index, before) in were.iter().enumerate() {
            if !paired_before.contains(&index) {
                let edit = Edit {
                    schema: schema.pointer.clone(),
                    keyword: keyword.to_owned(),
                    member: Some(index.to_string()),
                    with: None,
                };
                self.note(label, keyword, Some(&index.to_string()), Some(before), None, Some(edit));
            }
        }
        for (index, after) in are.iter().enumerate() {
            if !paired_after.contains(&index) {
                let edit = Edit {
                    schema: schema.pointer.clone(),
                    keyword: keyword.to_owned(),
                    member: Some(format!("new {index}")),
                    with: Some(after.clone()),
                };
                self.note(label, keyword, Some(&index.to_string()), None, Some(after), Some(edit));
            }
        }
    }

    /// Which alternatives are each other's: those that mean the same, then those that are alike.
    fn matched(&mut self, were: &[Place<'a>], are: &[Place<'a>]) -> Vec<(usize, usize)> {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let likeness: [Likeness<'_, Self, Place<'a>>; 5] = [
            &|walk, place| walk.session.meaning(place).map(|id| id.to_string()),
            &|_, place| Some(canonical(place.value)),
            &|_, place| {
                place.value.get("$ref").map(|found| pointer::last(found.as_str().unwrap_or_default()))
            },
            &|_, place| tag(place.value),
            &|_, place| {
                let text = |keyword: &str| place.value.get(keyword).map(Value::to_string);
                text("title").or_else(|| text("const")).or_else(|| text("type"))
            },
        ];
        let (mut one, mut other): (Vec<usize>, Vec<usize>) =
            ((0..were.len()).collect(), (0..are.len()).collect());
        for like in likeness {
            // Those that are alike, in their order.
            let mut alike: HashMap<String, VecDeque<usize>> = HashMap::new();
            for index in &other {
                if let Some(likeness) = like(self, &are[*index]) {
                    alike.entry(likeness).or_default().push_back(*index);
                }
            }
            let mut taken = HashSet::new();
            one.retain(|index| {
                let wanted = like(self, &were[*index]);
                let found = wanted.and_then(|wanted| alike.get_mut(&wanted)?.pop_front());
                if let Some(found) = found {
                    taken.insert(found);
                    pairs.push((*index, found));
                }
                found.is_none()
            });
            other.retain(|index| !taken.contains(index));
        }
        // One that is left on each side is taken for the same.
        if let ([one], [other]) = (&one[..], &other[..]) {
            let same_kind = |place: &Place<'a>| place.value.is_object() && place.value.get("type").is_none();
            if same_kind(&were[*one]) && same_kind(&are[*other]) {
                pairs.push((*one, *other));
            }
        }
        pairs
    }

    /// Definitions that nothing leads to, or that are entries themselves.
    fn definitions(&mut self, old: &'a Value, new: &'a Value) {
        let all = |side: Side, document: &'a Value| -> Vec<(String, Place<'a>)> {
            ["definitions", "$defs"]
                .iter()
                .filter_map(|keyword| Some((format!("/{keyword}"), document.get(*keyword)?.as_object()?)))
                .flat_map(|(at, map)| {
                    map.iter().map(move |(name, value)| {
                        (name.clone(), Place { side, pointer: pointer::join(&at, name), value })
                    })
                })
                .collect()
        };
        let (were, are) = (all(Side::Old, old), all(Side::New, new));
        let mut after_of: HashMap<&str, &Place<'a>> = HashMap::new();
        for (name, after) in &are {
            after_of.entry(name).or_insert(after);
        }
        let names_before: HashSet<&str> = were.iter().map(|(name, _)| name.as_str()).collect();
        for (name, before) in &were {
            if let Some(after) = after_of.get(name.as_str())
                && (!self.seen_old.contains(&before.pointer) || !self.seen_new.contains(&after.pointer))
            {
                let label = format!("/$defs/{}", pointer::escaped(name));
                self.schemas(before, after, &label, 0);
            }
        }
        for (name, before) in &were {
            if !after_of.contains_key(name.as_str()) && !self.seen_old.contains(&before.pointer) {
                self.note("", "$defs", Some(name), Some(before), None, None);
            }
        }
        for (name, after) in &are {
            if !names_before.contains(name.as_str()) && !self.seen_new.contains(&after.pointer) {
                self.note("", "$defs", Some(name), None, Some(after), None);
            }
        }
    }

    fn note(
        &mut self,
        label: &str,
        keyword: &str,
        member: Option<&str>,
        old: Option<&Place<'a>>,
        new: Option<&Place<'a>>,
        edit: Option<Edit<'a>>,
    ) {
        let (before, after) = (old.map(|place| place.value.clone()), new.map(|place| place.value.clone()));
        let text = |value: &Option<Value>| value.as_ref().map(canonical).unwrap_or_default();
        // The number of an alternative is only where it happens to stand.
        let named = member.filter(|_| !LISTS.contains(&keyword));
        let fingerprint = digest(&[label, keyword, named.unwrap_or_default(), &text(&before), &text(&after)]);
        let action = match (&before, &after) {
            (None, _) => Action::Added,
            (_, None) => Action::Removed,
            _ => Action::Altered,
        };
        let effect = match keyword {
            _ if edit.is_some() => Effect::Neither,
            "$ref" => Effect::Unknown(vec![Reason {
                pointer: new.or(old).map(|place| place.pointer.clone()).unwrap_or_default(),
                message: "the reference leads out of the schema".to_owned(),
            }]),
            "$defs" | "$schema" => Effect::Neither,
            _ => Effect::Documentation,
        };
        self.found.push(Difference {
            change: Change {
                old: old.map(|place| place.pointer.clone()),
                new: new.map(|place| place.pointer.clone()),
                keyword: keyword.to_owned(),
                member: member.map(str::to_owned),
                action,
                before,
                after,
                effect,
                only_with: Vec::new(),
                fingerprint,
            },
            edit,
        });
    }
}

/// The constants that tell an alternative from the others.
fn tag(schema: &Value) -> Option<String> {
    let properties = schema.get("properties")?.as_object()?;
    let mut tags: Vec<String> = properties
        .iter()
        .filter_map(|(name, schema)| {
            let only = schema.get("enum").and_then(Value::as_array).filter(|options| options.len() == 1);
            let value = schema.get("const").or_else(|| only?.first())?;
            Some(format!("{name}={value}"))
        })
        .collect();
    tags.sort();
    (!tags.is_empty()).then(|| tags.join(" "))
}

fn options<'a>(place: &Place<'a>) -> Vec<Place<'a>> {
    match place.value {
        Value::Array(values) => values.iter().map(|value| Place { value, ..place.clone() }).collect(),
        _ => vec![place.clone()],
    }
}

/// The types that a schema names; whole numbers are numbers.
fn types(schema: &Value) -> Option<HashSet<&str>> {
    let types = match schema.get("type")? {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect::<HashSet<_>>(),
        one => HashSet::from([one.as_str()?]),
    };
    Some(types.into_iter().map(|name| if name == "integer" { "number" } else { name }).collect())
}

/// Whether a keyword restricts values in a draft.
fn restricts(keyword: &str, draft: Draft, formats: bool) -> bool {
    let first = match keyword {
        "format" if !formats => return false,
        "contentSchema" | "definitions" | "$defs" => return false,
        "const" | "contains" | "propertyNames" => Draft::Draft6,
        "if" | "then" | "else" => Draft::Draft7,
        "minContains"
        | "maxContains"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Draft::Draft201909,
        "prefixItems" => Draft::Draft202012,
        "$recursiveRef" => return draft == Draft::Draft201909,
        "$dynamicRef" => return draft == Draft::Draft202012,
        "additionalItems" => return draft < Draft::Draft202012,
        "$ref" => return true,
        keyword
            if PLAIN.contains(&keyword)
                || KEYED.contains(&keyword)
                || OPTIONS.contains(&keyword)
                || LISTS.contains(&keyword)
                || SINGLE.contains(&keyword) =>
        {
            return true;
        }
        _ => return false,
    };
    draft >= first
}

/// The text of a value, with the keys of objects in order.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            let members: Vec<String> = members
                .into_iter()
                .map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), canonical(value)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        other => other.to_string(),
    }
}

/// A short name for some texts, the same on every machine: FNV-1a of 64 bits.
fn digest(texts: &[&str]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for text in texts {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}
