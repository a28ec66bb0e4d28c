//! What changed in the text of a schema, and what each change does.
//!
//! Both schemas are walked together, through references, so that a definition that moved is no change.

use crate::canonical::{self, KEYED, NAMES, OPTIONS, restricts};
use crate::compare::{Reason, Session, Witness};
use crate::draft::Draft;
use crate::parse::{Edit, LISTS, Place, SINGLE, Side, TUPLES, Target, member_name};
use crate::pointer;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
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
    /// No document is judged differently because of it: none breaks by it alone, and none that breaks would be saved by
    /// taking it back.
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
    /// The fingerprints of changes that it breaks something only together with; empty, where it does so alone, or where
    /// nobody has found out which they are.
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
pub(crate) struct Difference<'a> {
    pub(crate) change: Change,
    /// None, where it cannot be made alone, or restricts nothing.
    pub(crate) swap: Option<Swap<'a>>,
}

/// What stands in one schema where something else stands in the other.
pub(crate) struct Swap<'a> {
    /// Where the schemas are.
    old: String,
    new: String,
    keyword: String,
    /// The member of the keyword, by the names that it has, or gets, in the two schemas.
    members: Option<[String; 2]>,
    was: Option<Place<'a>>,
    is: Option<Place<'a>>,
}

impl<'a> Swap<'a> {
    fn new(
        (old, new): (&Place<'a>, &Place<'a>),
        keyword: &str,
        members: Option<[String; 2]>,
        was: Option<&Place<'a>>,
        is: Option<&Place<'a>>,
    ) -> Self {
        Self {
            old: old.pointer.clone(),
            new: new.pointer.clone(),
            keyword: keyword.to_owned(),
            members,
            was: was.cloned(),
            is: is.cloned(),
        }
    }

    /// Makes the change to the old schema, or takes it back in the new one.
    pub(crate) fn edit(&self, base: Side) -> Edit<'a> {
        let is_new = base == Side::New;
        let (schema, with) = if is_new { (&self.new, &self.was) } else { (&self.old, &self.is) };
        Edit {
            schema: schema.clone(),
            keyword: self.keyword.clone(),
            member: self.members.as_ref().map(|members| members[usize::from(is_new)].clone()),
            with: with.clone(),
        }
    }
}

/// Nested schemas that are walked.
const MAX_DEPTH: usize = 300;

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

/// Every difference of two schemas, before anybody looks for what it does.
pub(crate) fn differences<'a>(session: &Session<'a>, formats: bool) -> Vec<Difference<'a>> {
    let mut walk = Walk {
        session,
        found: Vec::new(),
        seen: HashSet::new(),
        seen_old: HashSet::new(),
        seen_new: HashSet::new(),
        formats,
    };
    let root = |side, value| Place { side, pointer: String::new(), value };
    let (old, new) = (session.parser.old.document, session.parser.new.document);
    walk.draft(&root(Side::Old, old), &root(Side::New, new));
    walk.schemas(&root(Side::Old, old), &root(Side::New, new), "", 0);
    walk.definitions(old, new);
    walk.found
}

impl<'a> Walk<'_, 'a> {
    /// The draft that the whole is read by.
    fn draft(&mut self, old: &Place<'a>, new: &Place<'a>) {
        let named = |place: &Place<'a>| {
            let value = place.value.get("$schema")?;
            Some(Place { side: place.side, pointer: "/$schema".to_owned(), value })
        };
        let (was, is) = (named(old), named(new));
        if was.as_ref().map(|place| place.value) != is.as_ref().map(|place| place.value) {
            let swap = || Swap::new((old, new), "$schema", None, was.as_ref(), is.as_ref());
            let swap = (!self.session.parser.one_draft()).then(swap);
            self.note("", "$schema", None, was.as_ref(), is.as_ref(), swap);
        }
    }

    /// Compares two schemas. `label` is the way to them in words that do not depend on the order of alternatives.
    fn schemas(&mut self, old: &Place<'a>, new: &Place<'a>, label: &str, depth: usize) {
        let (written_old, written_new) = (old, new);
        let (old, new) = self.resolved(old, new);
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
        self.note(
            label,
            "",
            None,
            Some(old),
            Some(new),
            Some(Swap::new((old, new), "", None, Some(old), Some(new))),
        );
    }

    /// Where schemas that only refer to others lead. Of two that both refer, one that says more beside stays with the other.
    fn resolved(&mut self, old: &Place<'a>, new: &Place<'a>) -> (Place<'a>, Place<'a>) {
        let (mut old, mut new) = (old.clone(), new.clone());
        for _ in 0..MAX_DEPTH {
            let refers = |place: &Place<'a>| place.value.get("$ref").is_some();
            let (old_next, new_next) = (self.next(&old), self.next(&new));
            match (old_next, new_next) {
                (Some(old_next), Some(new_next)) => (old, new) = (old_next, new_next),
                (Some(next), None) if !refers(&new) => old = next,
                (None, Some(next)) if !refers(&old) => new = next,
                _ => break,
            }
        }
        (old, new)
    }

    /// The schema that one only refers to.
    fn next(&mut self, place: &Place<'a>) -> Option<Place<'a>> {
        let map = place.value.as_object()?;
        let source = self.session.parser.source(place.side);
        let alone = source.draft <= Draft::Draft7
            || map.keys().all(|keyword| keyword == "$ref" || !restricts(keyword, source.draft, self.formats));
        match source.reference(&place.pointer, map) {
            Some(("$ref", Target::Here(pointer, value))) if alone => {
                let seen = if place.side == Side::Old { &mut self.seen_old } else { &mut self.seen_new };
                seen.insert(place.pointer.clone());
                Some(Place { side: place.side, pointer, value })
            }
            _ => None,
        }
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
        // In an order of their own, so that the way to what is shared is the same however the schemas are written.
        let keywords: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for keyword in keywords {
            let at = |place: &Place<'a>, map: &'a Map<String, Value>| {
                let pointer = pointer::join(&place.pointer, keyword);
                map.get(keyword).map(|value| Place { side: place.side, pointer, value })
            };
            let (was, is) = (at(old, before), at(new, after));
            let drafts = [old, new].map(|place| self.session.parser.source(place.side).draft);
            if !drafts.iter().any(|draft| restricts(keyword, *draft, self.formats)) {
                let differ = was.as_ref().map(|place| place.value) != is.as_ref().map(|place| place.value);
                let is_root = old.pointer.is_empty() && new.pointer.is_empty();
                let is_name = NAMES.contains(&keyword.as_str()) && (keyword != "$schema" || is_root);
                if differ && !is_name {
                    self.note(label, keyword, None, was.as_ref(), is.as_ref(), None);
                }
                continue;
            }
            let swap = |member: Option<&str>, was: Option<&Place<'a>>, is: Option<&Place<'a>>| {
                let members = member.map(|member| [member.to_owned(), member.to_owned()]);
                Swap::new((old, new), keyword, members, was, is)
            };
            let here = format!("{label}/{}", pointer::escaped(keyword));
            let both = was.as_ref().zip(is.as_ref());
            match keyword.as_str() {
                "$ref" => self.references(old, new, was.as_ref(), is.as_ref(), label, depth),
                name if KEYED.contains(&name)
                    && [&was, &is].into_iter().flatten().all(|place| place.value.is_object()) =>
                {
                    self.keyed((old, new), keyword, (was.as_ref(), is.as_ref()), &here, depth);
                }
                name if OPTIONS.contains(&name) && both.is_some() => {
                    let Some((was, is)) = both else { continue };
                    let (were, are) = (options(was), options(is));
                    let names = |options: &[Place<'a>]| -> HashSet<String> {
                        options.iter().map(|option| member_name(option.value)).collect()
                    };
                    let (names_before, names_after) = (names(&were), names(&are));
                    let gone: Vec<&Place<'a>> =
                        were.iter().filter(|gone| !names_after.contains(&member_name(gone.value))).collect();
                    let come: Vec<&Place<'a>> =
                        are.iter().filter(|come| !names_before.contains(&member_name(come.value))).collect();
                    if let (true, [gone], [come]) = (name == "type", &gone[..], &come[..])
                        && is_number(gone.value)
                        && is_number(come.value)
                    {
                        // Whole numbers are numbers: the one gave way to the other.
                        self.note(
                            label,
                            keyword,
                            None,
                            Some(gone),
                            Some(come),
                            Some(swap(None, Some(was), Some(is))),
                        );
                        continue;
                    }
                    for gone in gone {
                        let member = member_name(gone.value);
                        let swap = swap(Some(&member), Some(gone), None);
                        self.note(label, keyword, Some(&member), Some(gone), None, Some(swap));
                    }
                    for come in come {
                        let member = member_name(come.value);
                        let swap = swap(Some(&member), None, Some(come));
                        self.note(label, keyword, Some(&member), None, Some(come), Some(swap));
                    }
                }
                name if LISTS.contains(&name)
                    && both.is_some_and(|(was, is)| was.value.is_array() && is.value.is_array()) =>
                {
                    let Some((was, is)) = both else { continue };
                    self.list((old, new), keyword, (was, is), &here, depth);
                }
                name if SINGLE.contains(&name)
                    && both.is_some_and(|(was, is)| !was.value.is_array() && !is.value.is_array()) =>
                {
                    let Some((was, is)) = both else { continue };
                    self.schemas(was, is, &here, depth + 1);
                }
                _ => {
                    if was.as_ref().map(|place| place.value) != is.as_ref().map(|place| place.value) {
                        let swap = swap(None, was.as_ref(), is.as_ref());
                        self.note(label, keyword, None, was.as_ref(), is.as_ref(), Some(swap));
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
                // A reference that leads nowhere cannot be made alone: the whole says that it is unknown.
                let can = (is.is_none() || after.is_some()) && (was.is_none() || before.is_some());
                let swap = || Swap::new((old, new), "$ref", None, before.as_ref(), after.as_ref());
                self.note(label, "$ref", None, was, is, can.then(swap));
            }
        }
    }

    fn keyed(
        &mut self,
        schemas: (&Place<'a>, &Place<'a>),
        keyword: &str,
        (was, is): (Option<&Place<'a>>, Option<&Place<'a>>),
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
        let (mut were, mut are) = (members(was), members(is));
        for members in [&mut were, &mut are] {
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
        }
        let swap = |name: &str, was: Option<&Place<'a>>, is: Option<&Place<'a>>| {
            Swap::new(schemas, keyword, Some([name.to_owned(), name.to_owned()]), was, is)
        };
        let names_before: HashSet<&str> = were.iter().map(|(name, _)| name.as_str()).collect();
        let after_of: HashMap<&str, &Place<'a>> =
            are.iter().map(|(name, after)| (name.as_str(), after)).collect();
        for (name, before) in &were {
            let here = format!("{label}/{}", pointer::escaped(name));
            match after_of.get(name.as_str()) {
                Some(after) if before.value.is_array() || after.value.is_array() => {
                    if canonical::member(keyword, before.value) != canonical::member(keyword, after.value) {
                        let swap = swap(name, Some(before), Some(after));
                        self.note(label, keyword, Some(name), Some(before), Some(after), Some(swap));
                    }
                }
                Some(after) => self.schemas(before, after, &here, depth + 1),
                None => {
                    let swap = swap(name, Some(before), None);
                    self.note(label, keyword, Some(name), Some(before), None, Some(swap));
                }
            }
        }
        for (name, after) in &are {
            if !names_before.contains(name.as_str()) {
                let swap = swap(name, None, Some(after));
                self.note(label, keyword, Some(name), None, Some(after), Some(swap));
            }
        }
    }

    fn list(
        &mut self,
        schemas: (&Place<'a>, &Place<'a>),
        keyword: &str,
        (was, is): (&Place<'a>, &Place<'a>),
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
        let ordered = TUPLES.contains(&keyword);
        let pairs = if ordered {
            (0..were.len().min(are.len())).map(|index| (index, index)).collect()
        } else {
            self.matched(&were, &are)
        };
        for (one, other) in &pairs {
            let name =
                if ordered { one.to_string() } else { digest(&[&canonical::schema(were[*one].value)]) };
            self.schemas(&were[*one], &are[*other], &format!("{label}/{name}"), depth + 1);
        }
        let paired_before: HashSet<usize> = pairs.iter().map(|(one, _)| *one).collect();
        let paired_after: HashSet<usize> = pairs.iter().map(|(_, other)| *other).collect();
        // Where it is not, an alternative comes after the others.
        let member = |index: usize, is_new: bool| {
            let there = index.to_string();
            let other = if ordered { there.clone() } else { format!("other {index}") };
            Some(if is_new { [other, there] } else { [there, other] })
        };
        for (index, before) in were.iter().enumerate() {
            if !paired_before.contains(&index) {
                let swap = Swap::new(schemas, keyword, member(index, false), Some(before), None);
                self.note(label, keyword, Some(&index.to_string()), Some(before), None, Some(swap));
            }
        }
        for (index, after) in are.iter().enumerate() {
            if !paired_after.contains(&index) {
                let swap = Swap::new(schemas, keyword, member(index, true), None, Some(after));
                self.note(label, keyword, Some(&index.to_string()), None, Some(after), Some(swap));
            }
        }
    }

    /// Which alternatives are each other's: those that mean the same, then those that are alike.
    fn matched(&mut self, were: &[Place<'a>], are: &[Place<'a>]) -> Vec<(usize, usize)> {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let likeness: [Likeness<'_, Self, Place<'a>>; 5] = [
            &|walk, place| walk.session.meaning(place).map(|id| id.to_string()),
            &|_, place| Some(canonical::schema(place.value)),
            &|_, place| {
                place.value.get("$ref").map(|found| pointer::last(found.as_str().unwrap_or_default()))
            },
            &|_, place| tag(place.value),
            &|_, place| {
                let text = |keyword: &str| place.value.get(keyword).map(Value::to_string);
                text("title").or_else(|| text("const")).or_else(|| text("type"))
            },
        ];
        // How they are ordered in the schemas makes no difference.
        let in_order = |places: &[Place<'a>]| {
            let mut order: Vec<usize> = (0..places.len()).collect();
            order.sort_by_cached_key(|index| canonical::schema(places[*index].value));
            order
        };
        let (mut one, mut other) = (in_order(were), in_order(are));
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
        swap: Option<Swap<'a>>,
    ) {
        let (before, after) = (old.map(|place| place.value.clone()), new.map(|place| place.value.clone()));
        let text = |value: &Option<Value>| {
            let value = value.as_ref()?;
            Some(match member {
                Some(_) => canonical::member(keyword, value),
                None if swap.is_some() => canonical::keyword(keyword, value),
                None => canonical::value(value),
            })
        };
        let [was, is] = [&before, &after].map(|value| text(value).unwrap_or_default());
        // The number of an alternative is only where it happens to stand.
        let named = member.filter(|_| !LISTS.contains(&keyword));
        let fingerprint = digest(&[label, keyword, named.unwrap_or_default(), &was, &is]);
        let action = match (&before, &after) {
            (None, _) => Action::Added,
            (_, None) => Action::Removed,
            _ => Action::Altered,
        };
        let effect = match keyword {
            _ if swap.is_some() => Effect::Neither,
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
            swap,
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

fn is_number(value: &Value) -> bool {
    value == "integer" || value == "number"
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
