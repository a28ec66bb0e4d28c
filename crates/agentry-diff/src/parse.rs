//! From documents to nodes: references resolved, drafts told apart, annotations left out.

use crate::compare::Options;
use crate::draft::Draft;
use crate::graph::{Classes, Graph, Id, Node, Opaque, Others, Text};
use crate::number::{self, Number};
use crate::{canonical, pattern, pointer};
use num_traits::Zero as _;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use url::Url;

/// Which document a place is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Side {
    Old,
    New,
    /// One of the two with some changes made.
    Changed,
}

/// A value inside one of the documents.
#[derive(Clone, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) side: Side,
    pub(crate) pointer: String,
    pub(crate) value: &'a Value,
}

/// One change made to a document: what stands at a keyword, or at a member of it, gives way.
#[derive(Clone, Debug)]
pub(crate) struct Edit<'a> {
    /// Where the schema is whose keyword changes.
    pub(crate) schema: String,
    /// Empty, where the whole schema changes.
    pub(crate) keyword: String,
    /// The member of the keyword's object or array. One that it has not comes after the others, except in a tuple, where
    /// the number says the place.
    pub(crate) member: Option<String>,
    /// What stands there instead; nothing, where it is taken away.
    pub(crate) with: Option<Place<'a>>,
}

/// Changes that are made to one of the documents.
pub(crate) struct Changes<'a> {
    /// To which.
    base: Side,
    edits: Vec<Edit<'a>>,
    /// Whether the document is read by the draft of the other one.
    redrafted: bool,
    /// The nodes of the document that may mean something else with the changes.
    affected: HashSet<Id>,
    /// The node of each changed schema that was read.
    known: HashMap<String, Id>,
}

/// Keywords whose value is an object of schemas.
pub(crate) const MAPS: [&str; 6] =
    ["properties", "patternProperties", "dependentSchemas", "definitions", "$defs", "dependencies"];
/// Keywords whose value is an array of schemas.
pub(crate) const LISTS: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
/// Keywords whose value is a schema.
pub(crate) const SINGLE: [&str; 12] = [
    "items",
    "additionalItems",
    "additionalProperties",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];

/// Keywords whose members have an order.
pub(crate) const TUPLES: [&str; 2] = ["prefixItems", "items"];

impl Changes<'_> {
    fn none() -> Self {
        Self {
            base: Side::Old,
            edits: Vec::new(),
            redrafted: false,
            affected: HashSet::new(),
            known: HashMap::new(),
        }
    }
}

/// A document, and where its references lead.
pub(crate) struct Source<'a> {
    pub(crate) document: &'a Value,
    pub(crate) draft: Draft,
    resources: Vec<(String, Url)>,
    /// Where each address is, without its fragment.
    places: HashMap<String, String>,
    anchors: HashMap<(Url, String), String>,
    /// References that depend on the way taken cannot be resolved for good.
    dynamic: bool,
    /// A part that names another draft than the whole.
    mixed: bool,
}

/// Where a reference leads.
pub(crate) enum Target<'a> {
    Here(String, &'a Value),
    /// To another document, with its address.
    Elsewhere(String),
    Nowhere,
}

impl<'a> Source<'a> {
    pub(crate) fn new(document: &'a Value, draft: Draft) -> Self {
        let base = Url::parse("schema:///").ok();
        let mut source = Self {
            document,
            draft,
            resources: base.into_iter().map(|base| (String::new(), base)).collect(),
            places: HashMap::new(),
            anchors: HashMap::new(),
            dynamic: false,
            mixed: false,
        };
        source.index(document, "", 0);
        source.dynamic = source.resources.len() > 1;
        for (at, address) in &source.resources {
            source.places.entry(bare(address)).or_insert_with(|| at.clone());
        }
        source
    }

    fn index(&mut self, schema: &Value, at: &str, depth: usize) {
        let Value::Object(map) = schema else { return };
        if depth > MAX_DEPTH {
            return;
        }
        let old = self.draft <= Draft::Draft7;
        let ignored = old && map.contains_key("$ref");
        let name = if self.draft == Draft::Draft4 { "id" } else { "$id" };
        if let (false, Some(id)) = (ignored, map.get(name).and_then(Value::as_str)) {
            if let Some(anchor) = id.strip_prefix('#').filter(|_| old) {
                self.anchor(at, anchor);
            } else if let Ok(url) = self.base(at).join(id.trim_end_matches('#')) {
                match self.resources.first_mut() {
                    Some(root) if at.is_empty() => root.1 = url,
                    _ => self.resources.push((at.to_owned(), url)),
                }
            }
        }
        if !old {
            for keyword in ["$anchor", "$dynamicAnchor"] {
                if let Some(anchor) = map.get(keyword).and_then(Value::as_str) {
                    self.anchor(at, anchor);
                }
            }
        }
        if !at.is_empty() && map.get("$schema").is_some_and(Value::is_string) {
            self.mixed |= Draft::named_by(schema) != Some(self.draft);
        }
        for (keyword, value) in map {
            let here = pointer::join(at, keyword);
            match value {
                Value::Object(members) if MAPS.contains(&keyword.as_str()) => {
                    for (member, value) in members {
                        self.index(value, &pointer::join(&here, member), depth + 1);
                    }
                }
                Value::Array(members) if LISTS.contains(&keyword.as_str()) => {
                    for (index, value) in members.iter().enumerate() {
                        self.index(value, &format!("{here}/{index}"), depth + 1);
                    }
                }
                Value::Object(_) if SINGLE.contains(&keyword.as_str()) => self.index(value, &here, depth + 1),
                _ => {}
            }
        }
    }

    fn anchor(&mut self, at: &str, anchor: &str) {
        let base = self.base(at).clone();
        self.anchors.insert((base, anchor.to_owned()), at.to_owned());
    }

    /// The address that references at a place start from.
    fn base(&self, at: &str) -> &Url {
        let inside = |(pointer, _): &&(String, Url)| {
            at.strip_prefix(pointer.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let best = self.resources.iter().filter(inside).max_by_key(|(pointer, _)| pointer.len());
        &best.unwrap_or(&self.resources[0]).1
    }

    /// Where a reference at a place leads.
    pub(crate) fn resolve(&self, at: &str, reference: &str) -> Target<'a> {
        let Ok(url) = self.base(at).join(reference) else { return Target::Nowhere };
        let fragment = url.fragment().unwrap_or_default().to_owned();
        let Some(resource) = self.places.get(&bare(&url)) else {
            return Target::Elsewhere(url.to_string());
        };
        let found = if fragment.is_empty() {
            Some(resource.clone())
        } else if fragment.starts_with('/') {
            Some(format!("{resource}{}", pointer::normal(&pointer::decoded(&fragment))))
        } else {
            let base = self.base(resource).clone();
            self.anchors.get(&(base, pointer::decoded(&fragment))).cloned()
        };
        match found.and_then(|found| Some((self.document.pointer(&found)?, found))) {
            Some((value, found)) => Target::Here(found, value),
            None => Target::Nowhere,
        }
    }

    /// Where the reference of a schema leads, if it has one.
    pub(crate) fn reference(&self, at: &str, map: &Map<String, Value>) -> Option<(&'static str, Target<'a>)> {
        let text = |keyword: &str| map.get(keyword).and_then(Value::as_str);
        if let Some(reference) = text("$ref") {
            return Some(("$ref", self.resolve(at, reference)));
        }
        let (keyword, reference) = match self.draft {
            Draft::Draft201909 => ("$recursiveRef", text("$recursiveRef")?),
            Draft::Draft202012 => ("$dynamicRef", text("$dynamicRef")?),
            _ => return None,
        };
        Some((keyword, if self.dynamic { Target::Nowhere } else { self.resolve(at, reference) }))
    }
}

/// An address without its fragment.
fn bare(address: &Url) -> String {
    let mut address = address.clone();
    address.set_fragment(None);
    address.into()
}

/// Schemas nested deeper than this are not read.
pub(crate) const MAX_DEPTH: usize = 400;
/// More nodes than this are not made.
const MAX_NODES: usize = 400_000;
/// More conditions for what `unevaluatedProperties` leaves out are not told apart.
const MAX_CONDITIONS: usize = 6;

/// Reads schemas into nodes that are not yet interned.
pub(crate) struct Parser<'a> {
    pub(crate) old: Source<'a>,
    pub(crate) new: Source<'a>,
    pub(crate) nodes: Vec<Node>,
    /// The node of each schema that was read.
    pub(crate) known: HashMap<(Side, String), Id>,
    /// What is read in place of a document.
    changes: Changes<'a>,
    /// Both documents read by the draft of the other one, where they differ.
    redrafted: Option<Box<[Source<'a>; 2]>>,
    /// Options that were read.
    pub(crate) options_read: u64,
    /// References that lead nowhere in the two documents: where they are, and why.
    pub(crate) unresolved: Vec<(String, String)>,
    opaque: HashMap<String, Id>,
    formats: bool,
    exact_numbers: bool,
    depth: usize,
}

/// Values of schemas that are looked at to tell whether two that are not modelled are the same.
const MAX_TEXTS: usize = 4_000;
/// Statements that are looked at to tell what a validator has to do.
const MAX_COSTED: usize = 1_000_000;

/// What a schema has looked at, so that `unevaluated…` leaves it out.
#[derive(Clone, Default)]
struct Cover {
    all: bool,
    names: Vec<Text>,
    patterns: Vec<Id>,
    items: u64,
    contains: Vec<Id>,
}

impl Cover {
    fn add(&mut self, other: &Self) {
        self.all |= other.all;
        self.names.extend(other.names.iter().cloned());
        self.patterns.extend(&other.patterns);
        self.items = self.items.max(other.items);
        self.contains.extend(&other.contains);
    }

    fn is_nothing(&self) -> bool {
        !self.all
            && self.names.is_empty()
            && self.patterns.is_empty()
            && self.items == 0
            && self.contains.is_empty()
    }
}

impl<'a> Parser<'a> {
    pub(crate) fn new(old: Source<'a>, new: Source<'a>, options: &Options) -> Self {
        let mut nodes = Vec::new();
        // The same first nodes as a graph has.
        let graph = Graph::new();
        for id in 0..graph.len() {
            nodes.push(graph.node(u32::try_from(id).unwrap_or_default()).clone());
        }
        let redrafted = (old.draft != new.draft)
            .then(|| Box::new([Source::new(old.document, new.draft), Source::new(new.document, old.draft)]));
        Self {
            old,
            new,
            nodes,
            known: HashMap::new(),
            changes: Changes::none(),
            redrafted,
            options_read: 0,
            unresolved: Vec::new(),
            opaque: HashMap::new(),
            formats: options.formats,
            exact_numbers: options.exact_numbers,
            depth: 0,
        }
    }

    pub(crate) fn source(&self, side: Side) -> &Source<'a> {
        let is_new = match side {
            Side::Old => false,
            Side::New => true,
            Side::Changed => self.changes.base == Side::New,
        };
        match &self.redrafted {
            Some(redrafted) if side == Side::Changed && self.changes.redrafted => {
                &redrafted[usize::from(is_new)]
            }
            _ if is_new => &self.new,
            _ => &self.old,
        }
    }

    /// Whether the two documents are of one draft.
    pub(crate) const fn one_draft(&self) -> bool {
        self.redrafted.is_none()
    }

    /// The nodes of some places of a document with changes made to it; none, where nothing that was read of it changes.
    /// `reach` has those that refer to a node.
    pub(crate) fn with_changes(
        &mut self,
        base: Side,
        edits: Vec<Edit<'a>>,
        reach: &HashMap<Id, Vec<Id>>,
        places: &[String],
    ) -> Option<Vec<Id>> {
        let redrafted = edits.iter().any(|edit| edit.keyword == "$schema");
        let mut queue: Vec<Id> =
            edits.iter().filter_map(|edit| self.known.get(&(base, edit.schema.clone())).copied()).collect();
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
        self.changes = Changes { base, edits, redrafted, affected, known: HashMap::new() };
        let ids = places.iter().filter_map(|place| self.at(Side::Changed, place)).collect();
        self.changes = Changes::none();
        Some(ids)
    }

    /// The node of a schema that was read before, as far as no change can be seen in it.
    fn read_before(&self, place: &Place<'a>) -> Option<Id> {
        let read = |side| self.known.get(&(side, place.pointer.clone())).copied();
        match place.side {
            Side::Changed => self.changes.known.get(&place.pointer).copied().or_else(|| {
                let id = read(self.changes.base)?;
                (!self.changes.redrafted && !self.changes.affected.contains(&id)).then_some(id)
            }),
            side => read(side),
        }
    }

    fn remember(&mut self, place: &Place<'a>, id: Id) {
        match place.side {
            Side::Changed => self.changes.known.insert(place.pointer.clone(), id),
            side => self.known.insert((side, place.pointer.clone()), id),
        };
    }

    /// The node of the schema at a place; none, where nothing is there.
    pub(crate) fn at(&mut self, side: Side, at: &str) -> Option<Id> {
        let value = self.source(side).document.pointer(at)?;
        Some(self.schema(&Place { side, pointer: at.to_owned(), value }))
    }

    /// Whether no more nodes are made.
    pub(crate) const fn is_full(&self) -> bool {
        self.nodes.len() > MAX_NODES
    }

    fn push(&mut self, node: Node) -> Id {
        if self.is_full() {
            return self.too_large();
        }
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(node);
        id
    }

    /// One node for all that is beyond the limits; it is the last that is made.
    fn too_large(&mut self) -> Id {
        let last = self.nodes.len() - 1;
        if !matches!(self.nodes[last], Node::Opaque(_)) {
            self.nodes.push(Node::Opaque(Opaque {
                key: "too large".into(),
                pointer: "".into(),
                why: "the schemas are too large to compare".into(),
                classes: Classes::ALL,
                check: None,
            }));
        }
        u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX)
    }

    fn and(&mut self, parts: Vec<Id>) -> Id {
        self.push(Node::And(parts.into()))
    }

    fn or(&mut self, parts: Vec<Id>) -> Id {
        self.push(Node::Or(parts.into()))
    }

    fn not(&mut self, id: Id) -> Id {
        self.push(Node::Not(id))
    }

    fn opaque(&mut self, place: &Place<'_>, why: &str) -> Id {
        // The same words at another place, or on the other side, may mean something else.
        let key = self.unlike(place);
        self.opaque_as(place, &key, why, Classes::ALL, None)
    }

    /// What tells a place from all others, as far as changes are made to it.
    fn unlike(&self, place: &Place<'_>) -> String {
        let (side, edits) = match place.side {
            Side::Changed => (self.changes.base, format!("{:?}", self.changes.edits)),
            side => (side, String::new()),
        };
        format!("{side:?} {} {edits}", place.pointer)
    }

    /// A statement that depends on a whole schema and all that it leads to. Where the text of all that is the same, on
    /// whichever side, it means the same.
    fn opaque_whole(&mut self, schema: &Place<'a>, keyword: &str, why: &str) -> Id {
        let key = self.texts(schema).unwrap_or_else(|| self.unlike(schema));
        let place = Place { pointer: pointer::join(&schema.pointer, keyword), ..schema.clone() };
        self.opaque_as(&place, &format!("{keyword} {key}"), why, Classes::ALL, None)
    }

    /// The text of a schema, and of all that its references lead to; none, where that depends on more.
    fn texts(&self, schema: &Place<'a>) -> Option<String> {
        let source = self.source(schema.side);
        if source.dynamic || source.mixed || schema.side == Side::Changed {
            return None;
        }
        let mut text = format!("{} {}", source.draft, schema.value);
        let mut seen = HashSet::from([schema.pointer.clone()]);
        let mut queue = vec![(schema.pointer.clone(), schema.value)];
        let mut looked = 0;
        while let Some((at, value)) = queue.pop() {
            looked += 1;
            if looked > MAX_TEXTS {
                return None;
            }
            match value {
                Value::Object(map) if number::steps_by_zero(map) && !self.exact_numbers => return None,
                Value::Object(map) => {
                    if let Some((_, target)) = source.reference(&at, map) {
                        let Target::Here(pointer, value) = target else { return None };
                        if seen.insert(pointer.clone()) {
                            // The place belongs to it: the reference names it.
                            let _ = write!(text, " {pointer} {value}");
                            queue.push((pointer, value));
                        }
                    }
                    queue.extend(map.iter().map(|(name, value)| (pointer::join(&at, name), value)));
                }
                Value::Array(items) => {
                    queue.extend(
                        items.iter().enumerate().map(|(index, item)| (format!("{at}/{index}"), item)),
                    );
                }
                Value::Number(number) if !self.is_exact(number) => return None,
                _ => {}
            }
        }
        Some(text)
    }

    /// About how many statements a validator looks at for a document, as each way through what is shared is a way.
    pub(crate) fn cost(&self, id: Id, document: &Value) -> u64 {
        let mut known = HashMap::new();
        self.cost_of(id, document, &mut known)
    }

    fn cost_of(&self, id: Id, value: &Value, known: &mut HashMap<(Id, *const Value), u64>) -> u64 {
        const KEY: &Value = &Value::Null;
        let key = (id, std::ptr::from_ref(value));
        if let Some(cost) = known.get(&key) {
            return *cost;
        }
        if known.len() > MAX_COSTED {
            return u64::MAX;
        }
        known.insert(key, 1);
        let mut sum = 1_u64;
        let mut add = |id: Id, value: &Value| sum = sum.saturating_add(self.cost_of(id, value, known));
        match (&self.nodes[id as usize], value) {
            (Node::Item(index, id), Value::Array(items)) => {
                if let Some(item) = usize::try_from(*index).ok().and_then(|index| items.get(index)) {
                    add(*id, item);
                }
            }
            (Node::Rest(_, id) | Node::AtLeast(_, id) | Node::AtMost(_, id), Value::Array(items)) => {
                for item in items {
                    add(*id, item);
                }
            }
            (Node::Key(name, id), Value::Object(members)) => {
                if let Some(member) = members.get(&**name) {
                    add(*id, member);
                }
            }
            (Node::KeyLike(pattern, id), Value::Object(members)) => members.values().for_each(|member| {
                add(*pattern, KEY);
                add(*id, member);
            }),
            (Node::Others(others), Value::Object(members)) => {
                members.values().for_each(|member| add(others.schema, member));
            }
            (Node::Names(id), Value::Object(members)) => members.keys().for_each(|_| add(*id, KEY)),
            (node, _) => node.in_place().iter().for_each(|id| add(*id, value)),
        }
        known.insert(key, sum);
        sum
    }

    fn opaque_as(
        &mut self,
        place: &Place<'_>,
        key: &str,
        why: &str,
        classes: Classes,
        check: Option<Value>,
    ) -> Id {
        let check = check.map(|check| Text::from(check.to_string()));
        // Interning tells by the key alone, so that the place must not differ.
        let pointer: Text = place.pointer.as_str().into();
        if let Some(known) = self.opaque.get(key) {
            return *known;
        }
        let id =
            self.push(Node::Opaque(Opaque { key: key.into(), pointer, why: why.into(), classes, check }));
        self.opaque.insert(key.to_owned(), id);
        id
    }

    /// The changes that are made to a keyword of a schema.
    fn edits_of<'s>(&'s self, schema: &'s Place<'a>, keyword: &'s str) -> impl Iterator<Item = &'s Edit<'a>> {
        self.changes.edits.iter().filter(move |edit| {
            schema.side == Side::Changed && edit.keyword == keyword && edit.schema == schema.pointer
        })
    }

    /// What stands at a keyword of a schema.
    pub(crate) fn keyword(&self, schema: &Place<'a>, keyword: &str) -> Option<Place<'a>> {
        if let Some(edit) = self.edits_of(schema, keyword).find(|edit| edit.member.is_none()) {
            return edit.with.clone();
        }
        let value = schema.value.as_object()?.get(keyword)?;
        Some(Place { side: schema.side, pointer: pointer::join(&schema.pointer, keyword), value })
    }

    /// The members of a keyword whose value is an object or an array.
    pub(crate) fn members(&self, schema: &Place<'a>, keyword: &str) -> Option<Vec<(String, Place<'a>)>> {
        let mut members = match self.keyword(schema, keyword) {
            None => None,
            Some(place) => Some(match place.value {
                Value::Object(map) => map
                    .iter()
                    .map(|(name, value)| {
                        let pointer = pointer::join(&place.pointer, name);
                        (name.clone(), Place { side: place.side, pointer, value })
                    })
                    .collect(),
                Value::Array(list) => list
                    .iter()
                    .enumerate()
                    .map(|(index, value)| {
                        let pointer = format!("{}/{index}", place.pointer);
                        (index.to_string(), Place { side: place.side, pointer, value })
                    })
                    .collect(),
                _ => return None,
            }),
        };
        let is_tuple =
            TUPLES.contains(&keyword) && self.edits_of(schema, keyword).any(|edit| edit.member.is_some());
        if is_tuple {
            return Some(self.tuple(schema, keyword, members.unwrap_or_default()));
        }
        for Edit { member, with, .. } in self.edits_of(schema, keyword) {
            let Some(member) = member else { continue };
            let list: &mut Vec<(String, Place<'a>)> = members.get_or_insert_default();
            let found = list.iter().position(|(name, _)| name == member);
            match (found, with) {
                (Some(index), Some(with)) => list[index].1 = with.clone(),
                (Some(index), None) => {
                    list.remove(index);
                }
                (None, Some(with)) => list.push((member.clone(), with.clone())),
                (None, None) => {}
            }
        }
        members
    }

    /// The members of a tuple with the changes made to them, each at its place: what is taken away from between others
    /// leaves a place that takes anything.
    fn tuple(
        &self,
        schema: &Place<'a>,
        keyword: &str,
        members: Vec<(String, Place<'a>)>,
    ) -> Vec<(String, Place<'a>)> {
        let mut places: Vec<Option<Place<'a>>> = members.into_iter().map(|(_, place)| Some(place)).collect();
        for Edit { member, with, .. } in self.edits_of(schema, keyword) {
            let Some(index) = member.as_ref().and_then(|member| member.parse::<usize>().ok()) else {
                continue;
            };
            if index >= places.len() {
                places.resize(index + 1, None);
            }
            places[index].clone_from(with);
        }
        while places.last().is_some_and(Option::is_none) {
            places.pop();
        }
        let anything = |index: usize| Place {
            side: schema.side,
            // No place of the document, where something else may stand.
            pointer: format!("{}/{index} left out", pointer::join(&schema.pointer, keyword)),
            value: &Value::Bool(true),
        };
        let members = places.into_iter().enumerate();
        members.map(|(index, place)| (index.to_string(), place.unwrap_or_else(|| anything(index)))).collect()
    }

    /// The values of a keyword whose order does not matter: `required`, `type` and `enum`. Their own text names them.
    fn options(&self, schema: &Place<'a>, keyword: &str) -> Option<Vec<Place<'a>>> {
        let found = self.keyword(schema, keyword)?;
        let mut options: Vec<Place<'a>> = match found.value {
            Value::Array(values) => values.iter().map(|value| Place { value, ..found.clone() }).collect(),
            _ => vec![found.clone()],
        };
        for Edit { member, with, .. } in self.edits_of(schema, keyword) {
            let Some(member) = member else { continue };
            match with {
                Some(with) => options.push(with.clone()),
                None => options.retain(|option| member_name(option.value) != *member),
            }
        }
        Some(options)
    }

    /// The node of a schema.
    pub(crate) fn schema(&mut self, place: &Place<'a>) -> Id {
        let instead = self.edits_of(place, "").find_map(|edit| edit.with.clone());
        if let Some(with) = instead {
            return self.schema(&with);
        }
        if let Some(id) = self.read_before(place) {
            return id;
        }
        let id = self.push(Node::Any);
        self.remember(place, id);
        if self.depth > MAX_DEPTH {
            let opaque = self.opaque(place, "the schema is nested too deeply");
            self.nodes[id as usize] = Node::Same(opaque);
            return id;
        }
        self.depth += 1;
        let node = match place.value {
            Value::Bool(true) => Node::Any,
            Value::Bool(false) => Node::Never,
            Value::Object(map) => self.object(place, map),
            _ => Node::Same(self.opaque(place, "this is not a schema")),
        };
        self.depth -= 1;
        if (id as usize) < self.nodes.len() - 1 || self.nodes.len() <= MAX_NODES {
            self.nodes[id as usize] = node;
        }
        id
    }

    fn object(&mut self, place: &Place<'a>, map: &'a Map<String, Value>) -> Node {
        let draft = self.source(place.side).draft;
        let mut parts = Vec::new();
        if self.source(place.side).mixed && place.pointer.is_empty() {
            parts.push(self.opaque(place, "a part of the schema names another draft"));
        }
        let referred = self.edits_of(place, "$ref").next().map(|edit| edit.with.clone());
        match referred {
            Some(with) => {
                if let Some(with) = with {
                    parts.push(self.schema(&with));
                }
            }
            None => {
                if let Some((keyword, target)) = self.source(place.side).reference(&place.pointer, map) {
                    parts.push(self.target(place, keyword, target));
                    if draft <= Draft::Draft7 {
                        return Node::And(parts.into());
                    }
                }
            }
        }
        self.any_value(place, draft, &mut parts);
        self.numbers(place, &mut parts);
        self.strings(place, &mut parts);
        self.arrays(place, draft, &mut parts);
        self.objects(place, draft, &mut parts);
        self.combined(place, draft, &mut parts);
        if draft >= Draft::Draft201909 {
            self.unevaluated(place, &mut parts);
        }
        Node::And(parts.into())
    }

    fn target(&mut self, place: &Place<'a>, keyword: &str, target: Target<'a>) -> Id {
        match target {
            Target::Here(pointer, value) => self.schema(&Place { side: place.side, pointer, value }),
            Target::Elsewhere(address) => {
                let why = format!("`{keyword}` leads to another document, {address}");
                self.unresolved.push((place.pointer.clone(), why.clone()));
                self.opaque_as(place, &format!("document {address}"), &why, Classes::ALL, None)
            }
            Target::Nowhere => {
                let why = format!("`{keyword}` cannot be resolved from the schema alone");
                self.unresolved.push((place.pointer.clone(), why.clone()));
                self.opaque(place, &why)
            }
        }
    }

    fn any_value(&mut self, place: &Place<'a>, draft: Draft, parts: &mut Vec<Id>) {
        if let Some(types) = self.options(place, "type") {
            let class =
                |place: &Place<'_>| class(place.value.as_str().unwrap_or_default(), draft_of(self, place));
            let classes = types.iter().map(class).try_fold(Classes::NONE, |sum, one| Some(sum.or(one?)));
            match classes {
                Some(classes) => parts.push(Graph::of(classes)),
                None => parts.push(self.opaque(place, "`type` is not one of the seven types")),
            }
        }
        if let Some(options) = self.options(place, "enum") {
            let values: Vec<&Value> = options.iter().map(|option| option.value).collect();
            let node = self.values(place, &values);
            parts.push(node);
        }
        if draft >= Draft::Draft6
            && let Some(value) = self.keyword(place, "const")
        {
            let node = self.values(&value, &[value.value]);
            parts.push(node);
        }
    }

    /// A value is one of some.
    fn values(&mut self, place: &Place<'_>, values: &[&Value]) -> Id {
        self.options_read += values.len() as u64;
        let (mut plain, mut branches) = (Classes::NONE, Vec::new());
        let (mut numbers, mut texts) = (Vec::<Number>::new(), Vec::<Text>::new());
        let mut truths = Vec::new();
        for value in values {
            match value {
                Value::Null => plain = plain.or(Classes::NULL),
                Value::Bool(truth) => {
                    plain = plain.or(Classes::BOOLEAN);
                    truths.push(*truth);
                }
                Value::Number(number) => match self.exact(number) {
                    Some(number) => {
                        plain = plain.or(Classes::NUMBER);
                        numbers.push(number);
                    }
                    None => return self.opaque(place, "a number is beyond what can be computed"),
                },
                Value::String(text) => {
                    plain = plain.or(Classes::STRING);
                    texts.push(text.as_str().into());
                }
                Value::Array(items) => {
                    let mut parts = vec![Graph::of(Classes::ARRAY)];
                    for (index, item) in items.iter().enumerate() {
                        let node = self.values(place, &[item]);
                        parts.push(self.push(Node::Item(index as u64, node)));
                    }
                    parts.push(self.push(Node::MinItems(items.len() as u64)));
                    parts.push(self.push(Node::MaxItems(items.len() as u64)));
                    branches.push(self.and(parts));
                }
                Value::Object(members) => {
                    let mut parts = vec![Graph::of(Classes::OBJECT)];
                    for (name, value) in members {
                        let node = self.values(place, &[value]);
                        parts.push(self.push(Node::Key(name.as_str().into(), node)));
                        parts.push(self.push(Node::Has(name.as_str().into())));
                    }
                    parts.push(self.push(Node::MaxKeys(members.len() as u64)));
                    branches.push(self.and(parts));
                }
            }
        }
        if !plain.is_empty() {
            let mut parts = vec![Graph::of(plain)];
            if truths.windows(2).all(|pair| pair[0] == pair[1])
                && let Some(truth) = truths.first()
            {
                parts.push(self.push(Node::Is(*truth)));
            }
            if !numbers.is_empty() {
                numbers.sort();
                numbers.dedup();
                parts.push(self.push(Node::NumberIn(numbers.into())));
            }
            if !texts.is_empty() {
                texts.sort();
                texts.dedup();
                parts.push(self.push(Node::TextIn(texts.into())));
            }
            branches.push(self.and(parts));
        }
        self.or(branches)
    }

    /// Whether a number is known to be the one that was written.
    fn is_exact(&self, number: &serde_json::Number) -> bool {
        self.exact_numbers || !number::may_be_rounded(number)
    }

    fn exact(&self, number: &serde_json::Number) -> Option<Number> {
        if self.is_exact(number) { number::read(number) } else { None }
    }

    fn number(&mut self, place: &Place<'_>, parts: &mut Vec<Id>, node: impl FnOnce(Number) -> Node) {
        match place.value.as_number().and_then(|number| self.exact(number)) {
            Some(number) => parts.push(self.push(node(number))),
            None => parts.push(self.opaque(place, "this is not a number that can be computed with")),
        }
    }

    fn numbers(&mut self, place: &Place<'a>, parts: &mut Vec<Id>) {
        for (keyword, exclusive, least) in
            [("minimum", "exclusiveMinimum", true), ("maximum", "exclusiveMaximum", false)]
        {
            let strict_too = self.keyword(place, exclusive);
            let bound = |bound, strict| {
                if least { Node::Least { bound, strict } } else { Node::Most { bound, strict } }
            };
            let strict = matches!(&strict_too, Some(place) if place.value == &Value::Bool(true));
            if let Some(found) = self.keyword(place, keyword) {
                self.number(&found, parts, |number| bound(number, strict));
            }
            // In a document with one change, a keyword may come from the other draft.
            if let Some(found) =
                strict_too.filter(|found| found.value.is_number() && draft_of(self, found) > Draft::Draft4)
            {
                self.number(&found, parts, |number| bound(number, true));
            }
        }
        if let Some(found) = self.keyword(place, "multipleOf") {
            let step = found.value.as_number().and_then(|number| self.exact(number));
            if step.is_some_and(|step| step > Number::zero()) {
                self.number(&found, parts, Node::Multiple);
            } else {
                parts.push(self.opaque(&found, "`multipleOf` is not a number above zero"));
            }
        }
    }

    fn count(&mut self, schema: &Place<'a>, keyword: &str, parts: &mut Vec<Id>, node: fn(u64) -> Node) {
        if let Some(found) = self.keyword(schema, keyword) {
            match count(found.value) {
                Some(number) => parts.push(self.push(node(number))),
                None => parts.push(self.opaque(&found, "this is not a count")),
            }
        }
    }

    fn strings(&mut self, place: &Place<'a>, parts: &mut Vec<Id>) {
        self.count(place, "minLength", parts, Node::MinLength);
        self.count(place, "maxLength", parts, Node::MaxLength);
        if let Some(found) = self.keyword(place, "pattern")
            && let Some(text) = found.value.as_str()
        {
            parts.push(self.pattern(&found, text));
        }
        if self.formats
            && let Some(found) = self.keyword(place, "format")
            && let Some(name) = found.value.as_str()
        {
            let check = serde_json::json!({"format": name});
            let why = format!("the format `{name}` is not modelled");
            let key = format!("format {name}");
            parts.push(self.opaque_as(&found, &key, &why, Classes::STRING, Some(check)));
        }
    }

    fn pattern(&mut self, place: &Place<'_>, text: &str) -> Id {
        if let Some(all) = pattern::translate(text) {
            let parts = all
                .into_iter()
                .map(|(part, positive)| {
                    let node = self.push(Node::Matches(part.as_str().into()));
                    if positive {
                        return node;
                    }
                    // A pattern says nothing of what is no text, whichever way it is turned.
                    let (unlike, other) = (self.not(node), self.not(Graph::of(Classes::STRING)));
                    self.or(vec![unlike, other])
                })
                .collect();
            return self.and(parts);
        }
        let check = serde_json::json!({"pattern": text});
        let why = format!("no automaton can run the pattern `{text}`");
        self.opaque_as(place, &format!("pattern {text}"), &why, Classes::STRING, Some(check))
    }

    fn arrays(&mut self, place: &Place<'a>, draft: Draft, parts: &mut Vec<Id>) {
        self.count(place, "minItems", parts, Node::MinItems);
        self.count(place, "maxItems", parts, Node::MaxItems);
        if let Some(found) = self.keyword(place, "uniqueItems")
            && found.value == &Value::Bool(true)
        {
            parts.push(self.push(Node::Distinct));
        }
        let (prefix, rest) = self.sequence(place, draft);
        let first = prefix.len() as u64;
        for (index, item) in prefix.iter().enumerate() {
            let node = self.schema(item);
            parts.push(self.push(Node::Item(index as u64, node)));
        }
        if let Some(rest) = rest {
            let node = self.schema(&rest);
            parts.push(self.push(Node::Rest(first, node)));
        }
        if draft >= Draft::Draft6
            && let Some(found) = self.keyword(place, "contains")
        {
            let node = self.schema(&found);
            let bound = |parser: &Self, keyword: &str| {
                let later = draft >= Draft::Draft201909;
                parser.keyword(place, keyword).filter(|_| later).and_then(|found| count(found.value))
            };
            let least = bound(self, "minContains").unwrap_or(1);
            if least > 0 {
                parts.push(self.push(Node::AtLeast(least, node)));
            }
            if let Some(most) = bound(self, "maxContains") {
                parts.push(self.push(Node::AtMost(most, node)));
            }
        }
    }

    /// The items that have a schema each, and the schema of those after them.
    fn sequence(&self, place: &Place<'a>, draft: Draft) -> (Vec<Place<'a>>, Option<Place<'a>>) {
        let list = |keyword: &str| -> Vec<Place<'a>> {
            let members = self.members(place, keyword).unwrap_or_default();
            members.into_iter().map(|(_, place)| place).collect()
        };
        let items = self.keyword(place, "items");
        // In a document with one change, `items` may come from the other draft.
        match items {
            Some(found) if found.value.is_array() => (list("items"), self.keyword(place, "additionalItems")),
            Some(found) if draft < Draft::Draft202012 => (Vec::new(), Some(found)),
            items if draft >= Draft::Draft202012 => (list("prefixItems"), items),
            _ => {
                let others = list("prefixItems").into_iter().filter(|item| item.side != place.side);
                (others.collect(), None)
            }
        }
    }

    fn objects(&mut self, place: &Place<'a>, draft: Draft, parts: &mut Vec<Id>) {
        self.count(place, "minProperties", parts, Node::MinKeys);
        self.count(place, "maxProperties", parts, Node::MaxKeys);
        for name in self.options(place, "required").unwrap_or_default() {
            if let Some(name) = name.value.as_str() {
                parts.push(self.push(Node::Has(name.into())));
            }
        }
        let mut names = Vec::<Text>::new();
        for (name, member) in self.members(place, "properties").unwrap_or_default() {
            let node = self.schema(&member);
            parts.push(self.push(Node::Key(name.as_str().into(), node)));
            names.push(name.as_str().into());
        }
        let mut patterns = Vec::new();
        for (text, member) in self.members(place, "patternProperties").unwrap_or_default() {
            let pattern = self.pattern(&member, &text);
            let node = self.schema(&member);
            parts.push(self.push(Node::KeyLike(pattern, node)));
            patterns.push(pattern);
        }
        if let Some(found) = self.keyword(place, "additionalProperties") {
            let schema = self.schema(&found);
            parts.push(self.others(names, patterns, schema));
        }
        if draft >= Draft::Draft6
            && let Some(found) = self.keyword(place, "propertyNames")
        {
            let node = self.schema(&found);
            parts.push(self.push(Node::Names(node)));
        }
        self.dependencies(place, draft, parts);
    }

    fn others(&mut self, mut names: Vec<Text>, mut patterns: Vec<Id>, schema: Id) -> Id {
        names.sort();
        names.dedup();
        patterns.sort_unstable();
        patterns.dedup();
        self.push(Node::Others(Others { names: names.into(), patterns: patterns.into(), schema }))
    }

    fn dependencies(&mut self, place: &Place<'a>, draft: Draft, parts: &mut Vec<Id>) {
        let mut found = Vec::new();
        if draft <= Draft::Draft7 {
            found.extend(self.members(place, "dependencies").unwrap_or_default());
        } else {
            if let Some(old) = self.keyword(place, "dependencies") {
                let key = if old.value.to_string().contains("$ref") {
                    self.unlike(&old)
                } else {
                    format!("dependencies {}", old.value)
                };
                let why = "`dependencies` is no keyword of this draft, and validators differ";
                parts.push(self.opaque_as(&old, &key, why, Classes::OBJECT, None));
            }
            found.extend(self.members(place, "dependentRequired").unwrap_or_default());
            found.extend(self.members(place, "dependentSchemas").unwrap_or_default());
        }
        for (name, member) in found {
            let lacks = self.lacks(&name);
            let demand = match member.value {
                Value::Array(names) => {
                    let all = names.iter().filter_map(Value::as_str);
                    let all = all.map(|name| self.push(Node::Has(name.into()))).collect();
                    self.and(all)
                }
                _ => self.schema(&member),
            };
            parts.push(self.or(vec![Graph::of(Classes::OBJECT.others()), lacks, demand]));
        }
    }

    fn lacks(&mut self, name: &str) -> Id {
        let has = self.push(Node::Has(name.into()));
        self.not(has)
    }

    fn combined(&mut self, place: &Place<'a>, draft: Draft, parts: &mut Vec<Id>) {
        let list = |parser: &mut Self, keyword: &str| -> Option<Vec<Id>> {
            let members = parser.members(place, keyword)?;
            Some(members.iter().map(|(_, member)| parser.schema(member)).collect())
        };
        parts.extend(list(self, "allOf").unwrap_or_default());
        if let Some(any) = list(self, "anyOf") {
            parts.push(self.or(any));
        }
        if let Some(one) = list(self, "oneOf") {
            parts.push(self.push(Node::One(one.into())));
        }
        if let Some(found) = self.keyword(place, "not") {
            let node = self.schema(&found);
            parts.push(self.not(node));
        }
        if draft >= Draft::Draft7
            && let Some(found) = self.keyword(place, "if")
        {
            let condition = self.schema(&found);
            if let Some(found) = self.keyword(place, "then") {
                let (otherwise, then) = (self.not(condition), self.schema(&found));
                parts.push(self.or(vec![otherwise, then]));
            }
            if let Some(found) = self.keyword(place, "else") {
                let node = self.schema(&found);
                parts.push(self.or(vec![condition, node]));
            }
        }
    }

    fn unevaluated(&mut self, place: &Place<'a>, parts: &mut Vec<Id>) {
        for (keyword, keys) in [("unevaluatedProperties", true), ("unevaluatedItems", false)] {
            let Some(found) = self.keyword(place, keyword) else { continue };
            let rest = self.schema(&found);
            let mut covers = Vec::new();
            if self.cover(place, keys, keyword, &mut Vec::new(), &mut covers, 0).is_none() {
                let why = format!("what `{keyword}` leaves out depends on too much");
                parts.push(self.opaque_whole(place, keyword, &why));
                continue;
            }
            let mut always = Cover::default();
            let mut conditional: Vec<(Vec<Id>, Cover)> = Vec::new();
            for (conditions, cover) in covers {
                if conditions.is_empty() {
                    always.add(&cover);
                } else if let Some((_, known)) =
                    conditional.iter_mut().find(|(known, _)| *known == conditions)
                {
                    known.add(&cover);
                } else {
                    conditional.push((conditions, cover));
                }
            }
            if always.all {
                continue;
            }
            let mut conditions: Vec<(Id, Cover)> =
                conditional.into_iter().map(|(all, cover)| (self.and(all), cover)).collect();
            // A condition under which everything was looked at is an alternative to all the rest; a key that was
            // looked at under some conditions fits, or one of these holds. Only patterns of keys, and items, need cases.
            let mut cases: Vec<Id> = Vec::new();
            conditions.retain(|(condition, cover)| {
                if cover.all {
                    cases.push(*condition);
                }
                !cover.all
            });
            let mut named: BTreeMap<Text, Vec<Id>> = BTreeMap::new();
            for (condition, cover) in &conditions {
                for name in cover.names.iter().filter(|name| !always.names.contains(name)) {
                    named.entry(name.clone()).or_default().push(*condition);
                }
            }
            conditions.retain(|(_, cover)| {
                !cover.patterns.is_empty() || !cover.contains.is_empty() || cover.items > always.items
            });
            if conditions.len() > MAX_CONDITIONS {
                let why = format!("what `{keyword}` leaves out depends on too much");
                parts.push(self.opaque_whole(place, keyword, &why));
                continue;
            }
            for case in 0_u32..1 << conditions.len() {
                let (mut case_parts, mut cover) = (Vec::new(), always.clone());
                for (index, (condition, more)) in conditions.iter().enumerate() {
                    if case >> index & 1 == 1 {
                        case_parts.push(*condition);
                        cover.add(more);
                    } else {
                        case_parts.push(self.not(*condition));
                    }
                }
                if keys {
                    for (name, conditions) in &named {
                        let fits = self.fits_unless(name, &cover.patterns, rest);
                        let mut alternatives = conditions.clone();
                        alternatives.push(fits);
                        case_parts.push(self.or(alternatives));
                    }
                    let known = always.names.iter().chain(named.keys()).cloned().collect();
                    case_parts.push(self.others(known, cover.patterns, rest));
                } else {
                    let mut one_of = cover.contains;
                    one_of.push(rest);
                    let node = self.or(one_of);
                    case_parts.push(self.push(Node::Rest(cover.items, node)));
                }
                cases.push(self.and(case_parts));
            }
            parts.push(self.or(cases));
        }
    }

    /// The value of a key fits, unless one of some patterns is about the key.
    fn fits_unless(&mut self, name: &Text, patterns: &[Id], schema: Id) -> Id {
        if patterns.is_empty() {
            return self.push(Node::Key(name.clone(), schema));
        }
        let mut key = vec![self.push(Node::TextIn([name.clone()].into()))];
        for pattern in patterns {
            key.push(self.not(*pattern));
        }
        let key = self.and(key);
        self.push(Node::KeyLike(key, schema))
    }

    /// What the keywords of a schema look at, and under which conditions. `own` is the keyword that asks.
    fn cover(
        &mut self,
        place: &Place<'a>,
        keys: bool,
        own: &str,
        conditions: &mut Vec<Id>,
        covers: &mut Vec<(Vec<Id>, Cover)>,
        depth: usize,
    ) -> Option<()> {
        if depth > 40 || covers.len() > 400 {
            return None;
        }
        let instead = self.edits_of(place, "").find_map(|edit| edit.with.clone());
        if let Some(with) = instead {
            return self.cover(&with, keys, own, conditions, covers, depth + 1);
        }
        let Value::Object(map) = place.value else { return Some(()) };
        let draft = self.source(place.side).draft;
        let mut cover = Cover::default();
        let unevaluated = if keys { "unevaluatedProperties" } else { "unevaluatedItems" };
        cover.all = own != unevaluated && self.keyword(place, unevaluated).is_some();
        if keys {
            cover.all |= self.keyword(place, "additionalProperties").is_some();
            let names = self.members(place, "properties").unwrap_or_default();
            cover.names = names.into_iter().map(|(name, _)| name.as_str().into()).collect();
            for (text, member) in self.members(place, "patternProperties").unwrap_or_default() {
                let pattern = self.pattern(&member, &text);
                cover.patterns.push(pattern);
            }
        } else {
            let (prefix, rest) = self.sequence(place, draft);
            cover.items = prefix.len() as u64;
            cover.all |= rest.is_some();
            if draft >= Draft::Draft202012
                && let Some(found) = self.keyword(place, "contains")
            {
                let node = self.schema(&found);
                cover.contains.push(node);
            }
        }
        if !cover.is_nothing() {
            covers.push((conditions.clone(), cover));
        }
        let referred = self.edits_of(place, "$ref").next().map(|edit| edit.with.clone());
        let target = match (referred, self.source(place.side).reference(&place.pointer, map)) {
            (Some(with), _) => with,
            (None, Some((_, Target::Here(pointer, value)))) => {
                Some(Place { side: place.side, pointer, value })
            }
            (None, Some(_)) => return None,
            (None, None) => None,
        };
        if let Some(target) = target {
            self.cover(&target, keys, "", conditions, covers, depth + 1)?;
        }
        for (_, member) in self.members(place, "allOf").unwrap_or_default() {
            self.cover(&member, keys, "", conditions, covers, depth + 1)?;
        }
        let mut under = |parser: &mut Self, condition: Id, member: &Place<'a>, conditions: &mut Vec<Id>| {
            conditions.push(condition);
            let result = parser.cover(member, keys, "", conditions, covers, depth + 1);
            conditions.pop();
            result
        };
        for keyword in ["anyOf", "oneOf"] {
            for (_, member) in self.members(place, keyword).unwrap_or_default() {
                let condition = self.schema(&member);
                under(self, condition, &member, conditions)?;
            }
        }
        if let Some(found) = self.keyword(place, "if") {
            let condition = self.schema(&found);
            under(self, condition, &found, conditions)?;
            if let Some(then) = self.keyword(place, "then") {
                under(self, condition, &then, conditions)?;
            }
            if let Some(otherwise) = self.keyword(place, "else") {
                let condition = self.not(condition);
                under(self, condition, &otherwise, conditions)?;
            }
        }
        for (name, member) in self.members(place, "dependentSchemas").unwrap_or_default() {
            let condition = self.push(Node::Has(name.as_str().into()));
            under(self, condition, &member, conditions)?;
        }
        Some(())
    }
}

/// What names a value among options: its text, which equal values share.
pub(crate) fn member_name(value: &Value) -> String {
    canonical::value(value)
}

/// The draft that a value was written for, which in a document with one change is that of the side it is from.
fn draft_of(parser: &Parser<'_>, place: &Place<'_>) -> Draft {
    parser.source(place.side).draft
}

fn class(name: &str, draft: Draft) -> Option<Classes> {
    Some(match name {
        "null" => Classes::NULL,
        "boolean" => Classes::BOOLEAN,
        "integer" if draft == Draft::Draft4 => Classes::WHOLE,
        "integer" => Classes::INTEGER,
        "number" => Classes::NUMBER,
        "string" => Classes::STRING,
        "array" => Classes::ARRAY,
        "object" => Classes::OBJECT,
        _ => return None,
    })
}

/// A count, which may be written with a fraction of zero.
pub(crate) fn count(value: &Value) -> Option<u64> {
    use num_traits::ToPrimitive as _;
    let number = number::read(value.as_number()?)?;
    number.is_integer().then(|| number.to_integer().to_u64()).flatten()
}
