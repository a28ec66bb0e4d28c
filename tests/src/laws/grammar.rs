//! A schema taken apart for making documents: every keyword at every place has a number.
//!
//! The evaluation here serves the generator alone: it says which keywords a document met, and whether one of them
//! alone decides. It is no judge: that its verdict is the judge's is tested on every document.

use super::pattern::Pattern;
use serde_json::Value as Json;
use std::collections::{BTreeSet, HashMap};

/// The number of a schema.
pub type NodeId = usize;
/// The number of a keyword at a place.
pub type KeywordId = usize;

/// A schema and all schemas within it.
pub struct Grammar {
    nodes: Vec<Node>,
    keywords: Vec<Keyword>,
    /// For each schema, the ways that lead to it.
    parents: Vec<Vec<(NodeId, Step)>>,
    /// For each schema, how many steps it is away from the root.
    distance: Vec<usize>,
}

/// A schema.
pub struct Node {
    /// Its JSON pointer.
    pub place: String,
    /// What it asks for; None where it accepts nothing.
    pub keywords: Option<Vec<KeywordId>>,
    /// Values that its documentation shows.
    pub examples: Vec<Json>,
    /// Whether its values are secret: the schema marks them as never to be shown.
    pub secret: bool,
    /// The name of the definition that it is.
    pub definition: Option<String>,
    /// What it is compared with, and to what end.
    pub role: Role,
}

/// What a schema is compared with, and to what end. One that is compared to several ends counts as several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A value that must fit.
    Asks,
    /// The name of a key that must fit: always text.
    Names,
    /// A value, and whether it fits decides what else is asked for: it stands below `if` or `not`.
    Tests,
}

/// A keyword at a place.
pub struct Keyword {
    /// The JSON pointer of the keyword in the schema.
    pub place: String,
    /// Its name.
    pub name: &'static str,
    /// The schema that it is in.
    pub node: NodeId,
    /// What it asks for.
    pub rule: Rule,
    /// Whether there is a value that breaks it.
    pub breakable: bool,
}

/// What a keyword asks for.
pub enum Rule {
    /// What another schema asks for.
    Ref(NodeId),
    /// A value of one of these types.
    Type(Vec<String>),
    /// One of these values. `const` has one.
    Enum(Vec<Json>),
    /// A text that matches.
    Pattern(Box<Pattern>),
    /// A text of at least so many characters.
    MinLength(usize),
    /// A text of at most so many characters.
    MaxLength(usize),
    /// A number of at least this.
    Minimum(f64),
    /// A number above this.
    Above(f64),
    /// A number of at most this.
    Maximum(f64),
    /// A number below this.
    Below(f64),
    /// A list whose entries fit.
    Items(NodeId),
    /// A list with at least so many entries.
    MinItems(usize),
    /// A list with at most so many entries.
    MaxItems(usize),
    /// A list whose entries differ.
    UniqueItems,
    /// A table whose keys of these names fit.
    Properties(Vec<(String, NodeId)>),
    /// A table whose other keys fit.
    Additional {
        /// What they fit.
        node: NodeId,
        /// The keyword that names the keys beside it.
        named: Option<KeywordId>,
    },
    /// A table whose keys fit that no other part of the schema speaks of.
    Unevaluated(NodeId),
    /// A table whose keys are such texts.
    PropertyNames(NodeId),
    /// A table that has these keys.
    Required(Vec<String>),
    /// A table with at least so many keys.
    MinProperties(usize),
    /// A table with at most so many keys.
    MaxProperties(usize),
    /// A value that fits all.
    AllOf(Vec<NodeId>),
    /// A value that fits at least one.
    AnyOf(Vec<NodeId>),
    /// A value that fits exactly one.
    OneOf(Vec<NodeId>),
    /// A value that does not fit.
    Not(NodeId),
    /// Decides whether the schema beside it under `then` or that under `else` is asked for.
    If(NodeId),
    /// What is asked for where the test holds, or where it does not.
    Then {
        /// The schema.
        node: NodeId,
        /// The keyword that tests.
        test: Option<KeywordId>,
        /// Whether it is asked for where the test holds.
        when: bool,
    },
}

/// A step from a schema to one within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The same value, by a keyword that always applies.
    Same(KeywordId),
    /// The same value, by one of several alternatives.
    Branch(KeywordId, usize),
    /// The same value, if a test comes out right.
    Case(KeywordId),
    /// The same value, in a test.
    Test(KeywordId),
    /// The value of a key.
    Key(String),
    /// The value of a key that is not named.
    OtherKey,
    /// The name of a key.
    KeyName,
    /// An entry of a list.
    Entry,
}

/// What looks on while a value is compared with a schema.
pub trait Watch {
    /// Whether every part is looked at, also where the outcome is known.
    const THOROUGH: bool;

    /// Whether a keyword counts as absent.
    fn skips(&self, _: KeywordId) -> bool {
        false
    }

    /// Called with the outcome of a keyword.
    fn seen(&mut self, _: KeywordId, _value: &Json, _held: bool) {}
}

/// Nobody looks on.
pub struct Nobody;

impl Watch for Nobody {
    const THOROUGH: bool = false;
}

/// One keyword counts as absent.
pub struct Without(pub KeywordId);

impl Watch for Without {
    const THOROUGH: bool = false;

    fn skips(&self, keyword: KeywordId) -> bool {
        keyword == self.0
    }
}

/// Keywords that annotate and ask for nothing.
const ANNOTATIONS: &[&str] = &[
    "$schema",
    "$id",
    "$comment",
    "title",
    "description",
    "deprecated",
    "readOnly",
    "writeOnly",
    "default",
    "examples",
    "format",
    "$defs",
];

impl Grammar {
    /// Takes a schema of Draft 2020-12 apart.
    ///
    /// # Panics
    ///
    /// When the schema has a keyword that is not known here: then the generator must learn it.
    pub fn new(schema: &Json) -> Self {
        let mut builder = Builder { schema, nodes: Vec::new(), keywords: Vec::new(), known: HashMap::new() };
        builder.node("", Role::Asks);
        let Builder { nodes, keywords, .. } = builder;
        let mut grammar = Self { parents: Vec::new(), distance: Vec::new(), nodes, keywords };
        grammar.find_ways();
        grammar.find_breakable();
        grammar
    }

    /// A schema.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node]
    }

    /// How many schemas there are.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// A keyword.
    pub fn keyword(&self, keyword: KeywordId) -> &Keyword {
        &self.keywords[keyword]
    }

    /// Every keyword at every place.
    pub fn keywords(&self) -> &[Keyword] {
        &self.keywords
    }

    /// The schemas at a JSON pointer: one for each end to which it is compared.
    pub fn nodes_at(&self, place: &str) -> Vec<NodeId> {
        (0..self.nodes.len()).filter(|node| self.nodes[*node].place == place).collect()
    }

    /// The keywords at a JSON pointer.
    pub fn keywords_at(&self, place: &str) -> Vec<KeywordId> {
        (0..self.keywords.len()).filter(|keyword| self.keywords[*keyword].place == place).collect()
    }

    /// The keywords of a schema.
    pub fn keywords_of(&self, node: NodeId) -> &[KeywordId] {
        self.nodes[node].keywords.as_deref().unwrap_or_default()
    }

    /// The ways that lead to a schema, with how far away their beginnings are from the root.
    pub fn parents(&self, node: NodeId) -> impl Iterator<Item = (&(NodeId, Step), usize)> {
        self.parents[node].iter().map(|way| (way, self.distance[way.0]))
    }

    /// How many steps a schema is away from the root.
    pub fn distance(&self, node: NodeId) -> usize {
        self.distance[node]
    }

    /// Whether a value fits a schema.
    pub fn holds(&self, node: NodeId, value: &Json, watch: &mut impl Watch) -> bool {
        let Some(keywords) = &self.nodes[node].keywords else { return false };
        let mut held = true;
        for &keyword in keywords {
            if watch.skips(keyword) {
                continue;
            }
            let fits = self.keyword_holds(keyword, value, watch);
            watch.seen(keyword, value, fits);
            held &= fits;
            if !held && !thorough(watch) {
                return false;
            }
        }
        held
    }

    /// Whether a value fits the whole schema.
    pub fn accepts(&self, value: &Json) -> bool {
        self.holds(0, value, &mut Nobody)
    }

    /// Whether a value keeps one keyword.
    pub fn holds_keyword(&self, keyword: KeywordId, value: &Json) -> bool {
        self.keyword_holds(keyword, value, &mut Nobody)
    }

    fn keyword_holds(&self, keyword: KeywordId, value: &Json, watch: &mut impl Watch) -> bool {
        match &self.keywords[keyword].rule {
            Rule::Ref(node) => self.holds(*node, value, watch),
            Rule::Type(types) => types.iter().any(|name| is_of_type(value, name)),
            Rule::Enum(values) => values.iter().any(|one| equal(one, value)),
            Rule::Pattern(pattern) => value.as_str().is_none_or(|text| pattern.matches(text)),
            Rule::MinLength(least) => value.as_str().is_none_or(|text| text.chars().count() >= *least),
            Rule::MaxLength(most) => value.as_str().is_none_or(|text| text.chars().count() <= *most),
            Rule::Minimum(least) => value.as_f64().is_none_or(|number| number >= *least),
            Rule::Above(bound) => value.as_f64().is_none_or(|number| number > *bound),
            Rule::Maximum(most) => value.as_f64().is_none_or(|number| number <= *most),
            Rule::Below(bound) => value.as_f64().is_none_or(|number| number < *bound),
            Rule::Items(node) => {
                let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                all(items.iter(), watch, |item, watch| self.holds(*node, item, watch))
            }
            Rule::MinItems(least) => value.as_array().is_none_or(|items| items.len() >= *least),
            Rule::MaxItems(most) => value.as_array().is_none_or(|items| items.len() <= *most),
            Rule::UniqueItems => {
                let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                !items
                    .iter()
                    .enumerate()
                    .any(|(index, item)| items[..index].iter().any(|other| equal(item, other)))
            }
            Rule::Properties(named) => all(named.iter(), watch, |(name, node), watch| {
                value
                    .as_object()
                    .and_then(|table| table.get(name))
                    .is_none_or(|value| self.holds(*node, value, watch))
            }),
            Rule::Additional { node, named } => {
                // Without what it asks for, `properties` still names the keys.
                let named = named.map(|named| &self.keywords[named].rule);
                let is_named = |key: &str| match named {
                    Some(Rule::Properties(named)) => named.iter().any(|(name, _)| name == key),
                    _ => false,
                };
                let others = value.as_object().into_iter().flatten().filter(|(key, _)| !is_named(key));
                all(others, watch, |(_, value), watch| self.holds(*node, value, watch))
            }
            Rule::Unevaluated(node) => {
                let mut known = BTreeSet::new();
                self.evaluated(self.keywords[keyword].node, value, watch, &mut known);
                let others =
                    value.as_object().into_iter().flatten().filter(|(key, _)| !known.contains(key.as_str()));
                all(others, watch, |(_, value), watch| self.holds(*node, value, watch))
            }
            Rule::PropertyNames(node) => {
                let keys = value.as_object().into_iter().flat_map(|table| table.keys());
                all(keys, watch, |key, watch| self.holds(*node, &Json::String(key.clone()), watch))
            }
            Rule::Required(names) => {
                value.as_object().is_none_or(|table| names.iter().all(|name| table.contains_key(name)))
            }
            Rule::MinProperties(least) => value.as_object().is_none_or(|table| table.len() >= *least),
            Rule::MaxProperties(most) => value.as_object().is_none_or(|table| table.len() <= *most),
            Rule::AllOf(nodes) => all(nodes.iter(), watch, |node, watch| self.holds(*node, value, watch)),
            Rule::AnyOf(nodes) => {
                let mut held = false;
                for node in nodes {
                    held |= self.holds(*node, value, watch);
                    if held && !thorough(watch) {
                        break;
                    }
                }
                held
            }
            Rule::OneOf(nodes) => nodes.iter().filter(|node| self.holds(**node, value, watch)).count() == 1,
            Rule::Not(node) => !self.holds(*node, value, watch),
            Rule::If(_) => true,
            Rule::Then { node, test, when } => {
                let Some(test) = test.filter(|test| !watch.skips(*test)) else { return true };
                let Rule::If(condition) = self.keywords[test].rule else { return true };
                let applies = self.holds(condition, value, watch) == *when;
                !applies || self.holds(*node, value, watch)
            }
        }
    }

    /// The keys of a table that a schema speaks of, itself or in those of its parts that the table fits.
    fn evaluated<'v>(
        &self,
        node: NodeId,
        value: &'v Json,
        watch: &impl Watch,
        known: &mut BTreeSet<&'v str>,
    ) {
        let keys = || value.as_object().into_iter().flat_map(|table| table.keys().map(String::as_str));
        let fits = |node: NodeId| self.holds(node, value, &mut Nobody);
        for &id in self.keywords_of(node) {
            match &self.keywords[id].rule {
                Rule::Properties(named) => {
                    known.extend(keys().filter(|key| named.iter().any(|(name, _)| name == key)));
                }
                _ if watch.skips(id) => {}
                Rule::Additional { .. } => known.extend(keys()),
                Rule::Ref(inner) => self.evaluated(*inner, value, watch, known),
                Rule::AllOf(parts) | Rule::AnyOf(parts) | Rule::OneOf(parts) => {
                    for part in parts.iter().filter(|part| fits(**part)) {
                        self.evaluated(*part, value, watch, known);
                    }
                }
                Rule::If(test) if fits(*test) => self.evaluated(*test, value, watch, known),
                Rule::Then { node, test: Some(test), when } if !watch.skips(*test) => {
                    if let Rule::If(condition) = self.keywords[*test].rule
                        && fits(condition) == *when
                    {
                        self.evaluated(*node, value, watch, known);
                    }
                }
                _ => {}
            }
        }
    }

    /// The names of the definitions that a value within a document fits.
    pub fn definitions_of<'g>(&'g self, document: &Json, value: &Json) -> BTreeSet<&'g str> {
        struct Look<'g, 'v> {
            grammar: &'g Grammar,
            value: &'v Json,
            names: BTreeSet<&'g str>,
        }
        impl Watch for Look<'_, '_> {
            const THOROUGH: bool = true;

            fn seen(&mut self, keyword: KeywordId, value: &Json, held: bool) {
                if held
                    && std::ptr::eq(value, self.value)
                    && let Rule::Ref(node) = self.grammar.keywords[keyword].rule
                    && let Some(name) = &self.grammar.nodes[node].definition
                {
                    self.names.insert(name);
                }
            }
        }
        let mut look = Look { grammar: self, value, names: BTreeSet::new() };
        self.holds(0, document, &mut look);
        look.names
    }

    /// The keys that a schema asks for, itself or in one of its parts.
    pub fn keys_in(&self, node: NodeId) -> Vec<&str> {
        let mut keys = Vec::new();
        for id in self.keywords_of(node) {
            match &self.keywords[*id].rule {
                Rule::Required(names) => keys.extend(names.iter().map(String::as_str)),
                Rule::AllOf(nodes) | Rule::AnyOf(nodes) | Rule::OneOf(nodes) => {
                    keys.extend(nodes.iter().flat_map(|node| self.keys_in(*node)));
                }
                _ => {}
            }
        }
        keys
    }

    /// The schemas within a schema, with how they are reached.
    fn within(&self, node: NodeId) -> Vec<(NodeId, Step)> {
        let mut found = Vec::new();
        for &id in self.keywords_of(node) {
            match &self.keywords[id].rule {
                Rule::Ref(node) => found.push((*node, Step::Same(id))),
                Rule::AllOf(nodes) => found.extend(nodes.iter().map(|node| (*node, Step::Same(id)))),
                Rule::AnyOf(nodes) | Rule::OneOf(nodes) => {
                    found.extend(
                        nodes.iter().enumerate().map(|(index, node)| (*node, Step::Branch(id, index))),
                    );
                }
                Rule::Not(node) | Rule::If(node) => found.push((*node, Step::Test(id))),
                Rule::Then { node, .. } => found.push((*node, Step::Case(id))),
                Rule::Items(node) => found.push((*node, Step::Entry)),
                Rule::Properties(named) => {
                    found.extend(named.iter().map(|(name, node)| (*node, Step::Key(name.clone()))));
                }
                Rule::Additional { node, .. } | Rule::Unevaluated(node) => {
                    found.push((*node, Step::OtherKey));
                }
                Rule::PropertyNames(node) => found.push((*node, Step::KeyName)),
                _ => {}
            }
        }
        found
    }

    fn find_ways(&mut self) {
        self.parents = vec![Vec::new(); self.nodes.len()];
        self.distance = vec![usize::MAX; self.nodes.len()];
        self.distance[0] = 0;
        let mut waiting = std::collections::VecDeque::from([0]);
        while let Some(node) = waiting.pop_front() {
            for (child, step) in self.within(node) {
                self.parents[child].push((node, step));
                if self.distance[child] == usize::MAX {
                    self.distance[child] = self.distance[node] + 1;
                    waiting.push_back(child);
                }
            }
        }
    }

    /// The schemas below an `else` whose test only a table can fail: of any other value they ask nothing.
    fn asked_of_tables_only(&self) -> BTreeSet<NodeId> {
        let others = [Json::Null, true.into(), 1.into(), "a".into(), Json::Array(Vec::new())];
        let mut waiting = Vec::new();
        for keyword in &self.keywords {
            if let Rule::Then { node, test: Some(test), when: false } = keyword.rule
                && let Rule::If(condition) = self.keywords[test].rule
                && others.iter().all(|value| self.holds(condition, value, &mut Nobody))
            {
                waiting.push(node);
            }
        }
        let mut found = BTreeSet::new();
        while let Some(node) = waiting.pop() {
            if !found.insert(node) {
                continue;
            }
            for id in self.keywords_of(node) {
                match &self.keywords[*id].rule {
                    Rule::Then { node, .. } => waiting.push(*node),
                    Rule::AllOf(parts) => waiting.extend(parts),
                    _ => {}
                }
            }
        }
        found
    }

    /// A keyword is breakable if it asks for something itself, or if one within it does. What refers to itself and
    /// asks for nothing else is not.
    fn find_breakable(&mut self) {
        let tables_only = self.asked_of_tables_only();
        loop {
            let mut changed = false;
            for id in 0..self.keywords.len() {
                if self.keywords[id].breakable {
                    continue;
                }
                let fails = |node: &NodeId| {
                    let keywords = &self.nodes[*node].keywords;
                    keywords.as_ref().is_none_or(|ids| ids.iter().any(|id| self.keywords[*id].breakable))
                };
                let breakable = match &self.keywords[id].rule {
                    Rule::Ref(node)
                    | Rule::Items(node)
                    | Rule::PropertyNames(node)
                    | Rule::Additional { node, .. }
                    | Rule::Unevaluated(node)
                    | Rule::Then { node, .. } => fails(node),
                    Rule::Properties(named) => named.iter().any(|(_, node)| fails(node)),
                    Rule::AllOf(nodes) => nodes.iter().any(fails),
                    Rule::AnyOf(nodes) => nodes.iter().all(fails),
                    Rule::If(_) => false,
                    Rule::Type(types) if tables_only.contains(&self.keywords[id].node) => {
                        !types.iter().any(|name| name == "object")
                    }
                    Rule::Type(_) => self.nodes[self.keywords[id].node].role != Role::Names,
                    _ => true,
                };
                self.keywords[id].breakable = breakable;
                changed |= breakable;
            }
            if !changed {
                return;
            }
        }
    }
}

fn thorough<W: Watch>(_: &W) -> bool {
    W::THOROUGH
}

fn all<T, W: Watch>(
    mut items: impl Iterator<Item = T>,
    watch: &mut W,
    mut holds: impl FnMut(T, &mut W) -> bool,
) -> bool {
    if W::THOROUGH {
        // Not cut short: the rest is looked at too.
        items.map(|item| holds(item, watch)).filter(|held| !held).count() == 0
    } else {
        items.all(|item| holds(item, watch))
    }
}

fn is_of_type(value: &Json, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        _ => false,
    }
}

/// Equal as JSON Schema counts: `1` and `1.0` are one number.
pub fn equal(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| equal(one, other)))
        }
        _ => one == other,
    }
}

struct Builder<'s> {
    schema: &'s Json,
    nodes: Vec<Node>,
    keywords: Vec<Keyword>,
    known: HashMap<(String, Role), NodeId>,
}

impl Builder<'_> {
    /// The schema at a pointer.
    fn node(&mut self, pointer: &str, role: Role) -> NodeId {
        if let Some(node) = self.known.get(&(pointer.to_owned(), role)) {
            return *node;
        }
        let schema = self.schema.pointer(pointer).unwrap_or_else(|| panic!("`{pointer}` is in no schema"));
        let id = self.nodes.len();
        self.known.insert((pointer.to_owned(), role), id);
        let examples = schema.get("examples").and_then(Json::as_array).cloned().unwrap_or_default();
        let definition =
            pointer.strip_prefix("/$defs/").filter(|name| !name.contains('/')).map(str::to_owned);
        let keywords = (schema != &Json::Bool(false)).then(Vec::new);
        let secret = schema.get("writeOnly") == Some(&Json::Bool(true));
        self.nodes.push(Node { place: pointer.to_owned(), keywords, examples, secret, definition, role });
        for (name, value) in schema.as_object().into_iter().flatten() {
            if ANNOTATIONS.contains(&name.as_str()) {
                continue;
            }
            let place = format!("{pointer}/{name}");
            let (name, asked) = self.rule(name, value, &place, role);
            self.keywords.push(Keyword { place, name, node: id, rule: asked, breakable: false });
            let keyword = self.keywords.len() - 1;
            self.nodes[id].keywords.as_mut().expect("an object is no `false`").push(keyword);
        }
        self.link(id);
        id
    }

    /// Tells keywords of those beside them that they depend on.
    fn link(&mut self, node: NodeId) {
        let beside = self.nodes[node].keywords.clone().unwrap_or_default();
        let find = |name: &str| beside.iter().copied().find(|id| self.keywords[*id].name == name);
        let (test, properties) = (find("if"), find("properties"));
        for id in beside {
            match &mut self.keywords[id].rule {
                Rule::Then { test: link, .. } => *link = test,
                Rule::Additional { named, .. } => *named = properties,
                _ => {}
            }
        }
    }

    fn rule(&mut self, name: &str, value: &Json, place: &str, role: Role) -> (&'static str, Rule) {
        let names = if role == Role::Tests { role } else { Role::Names };
        let bad = || panic!("{place}: {value} is no value of this keyword");
        let count = || value.as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or_else(bad);
        let number = || value.as_f64().unwrap_or_else(|| panic!("{place}: {value} is no number"));
        let texts = || -> Vec<String> {
            let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            items.iter().map(|item| item.as_str().map(str::to_owned).unwrap_or_default()).collect()
        };
        let list = |builder: &mut Self| -> Vec<NodeId> {
            let items = value.as_array().map(Vec::len).unwrap_or_default();
            (0..items).map(|index| builder.node(&format!("{place}/{index}"), role)).collect()
        };
        match name {
            "$ref" => {
                let target = value.as_str().and_then(|reference| reference.strip_prefix('#'));
                ("$ref", Rule::Ref(self.node(target.unwrap_or_else(|| panic!("{place}: {value}")), role)))
            }
            "type" => ("type", Rule::Type(texts())),
            "const" => ("const", Rule::Enum(vec![value.clone()])),
            "enum" => ("enum", Rule::Enum(value.as_array().cloned().unwrap_or_default())),
            "pattern" => {
                ("pattern", Rule::Pattern(Box::new(Pattern::new(value.as_str().unwrap_or_default()))))
            }
            "minLength" => ("minLength", Rule::MinLength(count())),
            "maxLength" => ("maxLength", Rule::MaxLength(count())),
            "minimum" => ("minimum", Rule::Minimum(number())),
            "exclusiveMinimum" => ("exclusiveMinimum", Rule::Above(number())),
            "maximum" => ("maximum", Rule::Maximum(number())),
            "exclusiveMaximum" => ("exclusiveMaximum", Rule::Below(number())),
            "items" => ("items", Rule::Items(self.node(place, role))),
            "minItems" => ("minItems", Rule::MinItems(count())),
            "maxItems" => ("maxItems", Rule::MaxItems(count())),
            "uniqueItems" if value == &Json::Bool(true) => ("uniqueItems", Rule::UniqueItems),
            "properties" => {
                let keys = value.as_object().into_iter().flat_map(|named| named.keys());
                let properties = keys.map(|key| {
                    let segment = key.replace('~', "~0").replace('/', "~1");
                    (key.clone(), self.node(&format!("{place}/{segment}"), role))
                });
                ("properties", Rule::Properties(properties.collect()))
            }
            "additionalProperties" => {
                ("additionalProperties", Rule::Additional { node: self.node(place, role), named: None })
            }
            "unevaluatedProperties" => ("unevaluatedProperties", Rule::Unevaluated(self.node(place, role))),
            "propertyNames" => ("propertyNames", Rule::PropertyNames(self.node(place, names))),
            "required" => ("required", Rule::Required(texts())),
            "minProperties" => ("minProperties", Rule::MinProperties(count())),
            "maxProperties" => ("maxProperties", Rule::MaxProperties(count())),
            "allOf" => ("allOf", Rule::AllOf(list(self))),
            "anyOf" => ("anyOf", Rule::AnyOf(list(self))),
            "oneOf" => ("oneOf", Rule::OneOf(list(self))),
            "not" => ("not", Rule::Not(self.node(place, Role::Tests))),
            "if" => ("if", Rule::If(self.node(place, Role::Tests))),
            "then" => ("then", Rule::Then { node: self.node(place, role), test: None, when: true }),
            "else" => ("else", Rule::Then { node: self.node(place, role), test: None, when: false }),
            _ => panic!("{place}: the generator of documents does not know this keyword: teach it"),
        }
    }
}
