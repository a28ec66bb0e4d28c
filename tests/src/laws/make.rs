//! Documents made from a schema: ones that fit, and ones that break one keyword at one place.
//!
//! What is made is only meant to fit or to break: the judge decides what it does.

use super::grammar::{Grammar, KeywordId, Nobody, NodeId, Role, Rule, Step, Without};
use super::random::Random;
use agentry_text::Shape;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Where a value stands in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    /// Below a key.
    Key(String),
    /// In a list.
    Index(usize),
    /// The value is the key itself.
    Name(String),
}

/// Texts that one reader or another takes for something else, or that writers have to escape.
const TEXTS: [&str; 35] = [
    "",
    " ",
    "a",
    "x y",
    "true",
    "no",
    "null",
    "~",
    "1.10",
    "0755",
    "1e3",
    "2026-03-15",
    "22:30",
    "- x",
    "a: b",
    "#x",
    "x\ny",
    "x\n",
    "\"",
    "'",
    "\\",
    "é",
    "🦀",
    "\u{2028}",
    "{{x}}",
    "\t",
    "\u{1}",
    "\u{0}",
    "a\u{0}b",
    "[x]",
    ".",
    "/",
    "/workspace",
    "*",
    "---",
];

/// How many values a document may have before only what must be there is added.
const SIZE: usize = 90;

/// Makes documents from a schema.
pub(super) struct Maker<'g> {
    grammar: &'g Grammar,
    /// The numbers that everything is drawn by.
    pub(super) random: Random,
    /// The keys that the type says it knows, where it is a table.
    shape: Option<&'static Shape>,
    /// Keys and texts that mean something somewhere: what strays most easily.
    names: Vec<String>,
    texts: Vec<String>,
    /// The options that the reader named.
    options: Vec<String>,
    /// What people gave for keys.
    given: BTreeMap<String, Vec<Json>>,
    left: usize,
    here: Vec<Segment>,
    reached: Option<Vec<Segment>>,
}

/// The steps that are left to a place that must be there; None where nothing is looked for.
type Script<'s> = Option<&'s [(NodeId, Step)]>;

/// What a value must fit, taken apart.
#[derive(Default)]
struct Wanted {
    nodes: Vec<NodeId>,
    keywords: Vec<KeywordId>,
    /// Tests that the value is made to fail: what is asked for under `else` is asked of no other value.
    refused: Vec<NodeId>,
    /// Whether the value is made to pass a test: two tests often exclude each other.
    cased: bool,
}

/// Whether a part of what is wanted names a key.
fn named_anywhere(grammar: &Grammar, wanted: &Wanted, key: &str) -> bool {
    wanted.keywords.iter().any(|id| match &grammar.keyword(*id).rule {
        Rule::Properties(named) => named.iter().any(|(name, _)| name == key),
        _ => false,
    })
}

impl<'g> Maker<'g> {
    /// Makes documents from a schema, and knows the keys of the type too, which a wrong schema may not name.
    /// The examples are documents that people wrote.
    pub(super) fn new(
        grammar: &'g Grammar,
        shape: Option<&'static Shape>,
        examples: &[Json],
        random: Random,
    ) -> Self {
        let mut names = BTreeSet::from(["zz_unknown".to_owned(), "x-note".to_owned(), String::new()]);
        let mut texts: BTreeSet<String> = TEXTS.iter().map(|text| (*text).to_owned()).collect();
        for keyword in grammar.keywords() {
            match &keyword.rule {
                Rule::Properties(keys) => names.extend(keys.iter().map(|(name, _)| name.clone())),
                Rule::Enum(values) => texts.extend(values.iter().filter_map(Json::as_str).map(str::to_owned)),
                _ => {}
            }
            let examples = &grammar.node(keyword.node).examples;
            texts.extend(examples.iter().filter_map(Json::as_str).map(str::to_owned));
        }
        if let Some(shape) = shape {
            gather(shape, &mut names, 0);
        }
        names.remove("$schema");
        let mut given = BTreeMap::new();
        for example in examples {
            gather_given(example, &mut given);
        }
        Self {
            grammar,
            random,
            shape,
            names: names.into_iter().collect(),
            texts: texts.into_iter().collect(),
            options: Vec::new(),
            given,
            left: 0,
            here: Vec::new(),
            reached: None,
        }
    }

    /// Takes up options that the reader named: it may know more of them than the schema.
    pub(super) fn learn(&mut self, options: Vec<String>) {
        for option in options {
            if !self.options.contains(&option) {
                self.options.push(option);
            }
        }
    }

    /// A document that is meant to fit.
    pub(super) fn fitting(&mut self) -> Json {
        self.start(NOWHERE)
    }

    fn start(&mut self, script: Script<'_>) -> Json {
        self.left = 10 + self.random.below(SIZE);
        self.here.clear();
        self.reached = None;
        self.make(&[0], script, 0)
    }

    /// A document that breaks a keyword where it stands, and nothing else; where that could not be made, one that is
    /// near it, or none.
    pub(super) fn breaking(&mut self, target: KeywordId) -> Option<Json> {
        let mut near = None;
        for _ in 0..60 {
            let node = self.grammar.keyword(target).node;
            let script = self.way(node)?;
            let document = self.start(Some(&script));
            let Some(place) = self.reached.clone().filter(|_| self.grammar.accepts(&document)) else {
                continue;
            };
            let tested =
                script.iter().find(|(_, step)| matches!(step, Step::Test(_))).map(|(owner, _)| *owner);
            // A test is decisive for few values, and another value costs less than another document.
            for _ in 0..if tested.is_some() { 24 } else { 6 } {
                let Some(value) = at(&document, &place) else { break };
                let broken = match tested {
                    Some(owner) => self.shuffle(owner, &value),
                    None => self.spoil_keyword(target, &value, 0),
                };
                let Some(broken) = broken else { break };
                let mut changed = document.clone();
                if !put(&mut changed, &place, broken) {
                    break;
                }
                if self.decides(target, &changed) {
                    return Some(changed);
                }
                near = Some(changed);
            }
            if near.is_some() && self.random.percent(15) {
                break;
            }
        }
        near
    }

    /// A document that is meant to fit, with a value that fits a schema; and where that value stands.
    fn through(&mut self, node: NodeId) -> Option<(Json, Vec<Segment>, Option<NodeId>)> {
        let script = self.way(node)?;
        let document = self.start(Some(&script));
        let tested = script.iter().find(|(_, step)| matches!(step, Step::Test(_))).map(|(owner, _)| *owner);
        Some((document, self.reached.clone()?, tested))
    }

    /// A document that is meant to fit, and has a value that fits a schema.
    pub(super) fn meeting(&mut self, node: NodeId) -> Option<Json> {
        self.through(node).map(|(document, ..)| document)
    }

    /// A document that is meant to fit, with a text in the place of a value that fits a schema, or in that of its key; where
    /// it stands. None where no text stands there.
    pub(super) fn planting(&mut self, node: NodeId, text: &str) -> Option<(Json, String)> {
        let (mut document, place, _) = self.through(node)?;
        let is_text = at(&document, &place)?.is_string();
        (is_text && put(&mut document, &place, json!(text))).then(|| (document, pointer(&place, text)))
    }

    /// A document that is meant to fit but for one change to a value that fits a schema, or just below it. The change
    /// is made without regard to the schema: that may be what is wrong.
    pub(super) fn near(&mut self, node: NodeId) -> Option<Json> {
        let (mut document, mut place, tested) = self.through(node)?;
        let value = at(&document, &place)?;
        if let Some(owner) = tested.filter(|_| self.random.percent(70)) {
            let changed = self.shuffle(owner, &value)?;
            return put(&mut document, &place, changed).then_some(document);
        }
        let mut below = Vec::new();
        list_places(&value, &mut Vec::new(), &mut below);
        below.retain(|below| below.len() <= 2);
        // Where the schema itself is compared more often than what is below.
        if self.random.percent(50) && !matches!(place.last(), Some(Segment::Name(_))) {
            place.extend(self.random.pick(&below).cloned().unwrap_or_default());
        }
        let value = at(&document, &place)?;
        let Some(changed) = self.change(&value, &place) else {
            let (Segment::Key(key), parent) = place.split_last()? else { return None };
            at_mut(&mut document, parent)?.as_object_mut()?.shift_remove(key);
            return Some(document);
        };
        put(&mut document, &place, changed).then_some(document)
    }

    /// A document with a value that just keeps a keyword which is about a bound. None where it is about none.
    pub(super) fn at_bound(&mut self, target: KeywordId) -> Option<Json> {
        for _ in 0..6 {
            let node = self.grammar.keyword(target).node;
            let (mut document, place, _) = self.through(node)?;
            let value = at(&document, &place)?;
            if let Some(bound) = self.bounded(target, &value)
                && put(&mut document, &place, bound)
            {
                return Some(document);
            }
        }
        None
    }

    /// A value changed so that it just keeps a bound.
    fn bounded(&mut self, id: KeywordId, value: &Json) -> Option<Json> {
        let grammar = self.grammar;
        let node = grammar.keyword(id).node;
        match &grammar.keyword(id).rule {
            Rule::Minimum(bound) | Rule::Maximum(bound) | Rule::Above(bound) | Rule::Below(bound) => {
                value.is_number().then(|| plain(*bound))
            }
            Rule::MinLength(length) | Rule::MaxLength(length) => {
                let text = value.as_str()?;
                let fill = text.chars().find(|c| c.is_alphanumeric()).unwrap_or('a');
                let mut chars: Vec<char> = text.chars().take(*length).collect();
                // In the middle: what a text begins and ends with is often asked for.
                let middle = chars.len() / 2;
                let missing = length - chars.len();
                chars.splice(middle..middle, std::iter::repeat_n(fill, missing));
                Some(Json::String(chars.into_iter().collect()))
            }
            Rule::MinItems(length) | Rule::MaxItems(length) => {
                let mut items = value.as_array()?.clone();
                items.truncate(*length);
                for _ in 0..8 * length {
                    if items.len() == *length {
                        break;
                    }
                    self.left = 20;
                    let more = self.apart(&[node], 3);
                    let more = more.as_array().into_iter().flatten().filter(|item| !items.contains(item));
                    items.extend(more.take(length - items.len()).cloned().collect::<Vec<_>>());
                }
                Some(Json::Array(items))
            }
            Rule::MinProperties(length) | Rule::MaxProperties(length) => {
                let mut table = value.as_object()?.clone();
                for _ in 0..8 * length {
                    if table.len() >= *length {
                        break;
                    }
                    self.left = 20;
                    let more = self.apart(&[node], 3);
                    table.extend(more.as_object().cloned().unwrap_or_default());
                }
                Some(Json::Object(table.into_iter().take(*length).collect()))
            }
            _ => None,
        }
    }

    /// Whether the verdict on a document hangs on one keyword alone.
    pub(super) fn decides(&self, target: KeywordId, document: &Json) -> bool {
        self.grammar.accepts(document) != self.grammar.holds(0, document, &mut Without(target))
    }

    /// A way from the root to a schema, a short one more often than a long one.
    fn way(&mut self, node: NodeId) -> Option<Vec<(NodeId, Step)>> {
        let mut way = Vec::new();
        let mut at = node;
        while at != 0 {
            let limit = self.grammar.distance(at);
            let nearer: Vec<_> = self
                .grammar
                .parents(at)
                .filter(|(_, distance)| *distance < limit)
                .map(|(way, _)| way)
                .collect();
            let (parent, step) = self.random.pick(&nearer).copied()?;
            way.push((*parent, step.clone()));
            at = *parent;
        }
        way.reverse();
        Some(way)
    }

    /// Takes apart what a value must fit; follows the script as far as it speaks of the same value. What is left of it.
    fn want<'s>(&mut self, goals: &[NodeId], mut script: Script<'s>, wanted: &mut Wanted) -> Script<'s> {
        let mut waiting: Vec<NodeId> = goals.iter().rev().copied().collect();
        while let Some(node) = waiting.pop() {
            if wanted.nodes.contains(&node) {
                continue;
            }
            wanted.nodes.push(node);
            let keywords = self.grammar.keywords_of(node);
            for &id in keywords {
                wanted.keywords.push(id);
                let step = first(script).filter(|(from, _)| *from == node).map(|(_, step)| step);
                match &self.grammar.keyword(id).rule {
                    Rule::Ref(inner) => {
                        waiting.push(*inner);
                        if step == Some(&Step::Same(id)) {
                            script = rest(script);
                        }
                    }
                    Rule::AllOf(inner) => {
                        waiting.extend(inner);
                        if step == Some(&Step::Same(id)) {
                            script = rest(script);
                        }
                    }
                    Rule::AnyOf(inner) | Rule::OneOf(inner) => {
                        let branch = match step {
                            Some(Step::Branch(of, branch)) if *of == id => {
                                script = rest(script);
                                *branch
                            }
                            _ if self.here.len() > 10 => 0,
                            _ => self.random.below(inner.len()),
                        };
                        waiting.extend(inner.get(branch));
                    }
                    Rule::Then { node: inner, test, when } => {
                        let forced = step == Some(&Step::Case(id));
                        if forced {
                            script = rest(script);
                        }
                        if (forced
                            || (*when && !wanted.cased && first(script).is_none() && self.random.percent(6)))
                            && let Some(Rule::If(condition)) =
                                test.map(|test| &self.grammar.keyword(test).rule)
                        {
                            wanted.cased = true;
                            waiting.push(*inner);
                            if *when {
                                waiting.push(*condition);
                            } else {
                                wanted.refused.push(*condition);
                            }
                        }
                    }
                    Rule::Not(_) | Rule::If(_) if step == Some(&Step::Test(id)) => {
                        // A test speaks of the value as it is.
                        script = NOWHERE;
                        self.arrive();
                    }
                    _ => {}
                }
            }
        }
        if script.is_some_and(<[_]>::is_empty) {
            self.arrive();
        }
        script
    }

    fn arrive(&mut self) {
        if self.reached.is_none() {
            self.reached = Some(self.here.clone());
        }
    }

    /// A value that is meant to fit.
    fn make(&mut self, goals: &[NodeId], script: Script<'_>, depth: usize) -> Json {
        self.left = self.left.saturating_sub(1);
        let mut wanted = Wanted::default();
        let script = self.want(goals, script, &mut wanted);
        let rules: Vec<&Rule> = wanted.keywords.iter().map(|id| &self.grammar.keyword(*id).rule).collect();

        let listed =
            rules.iter().find_map(|rule| if let Rule::Enum(values) = rule { Some(values) } else { None });
        if let Some(values) = listed {
            let fits = |value: &&Json| wanted.nodes.iter().all(|node| self.leaf_holds(*node, value));
            let fitting: Vec<&Json> = values.iter().filter(fits).collect();
            let chosen = self.random.pick(&fitting).map(|value| (*value).clone());
            return chosen.or_else(|| values.first().cloned()).unwrap_or_default();
        }
        if self.random.percent(if depth < 2 { 4 } else { 25 }) && first(script).is_none() {
            let examples: Vec<Json> = wanted
                .nodes
                .iter()
                .flat_map(|node| self.grammar.node(*node).examples.iter().cloned())
                .collect();
            let fits = |value: &&Json| goals.iter().all(|node| self.grammar.holds(*node, value, &mut Nobody));
            let fitting: Vec<&Json> = examples.iter().filter(fits).collect();
            if let Some(example) = self.random.pick(&fitting) {
                return (*example).clone();
            }
        }
        match self.choose_type(&rules, script) {
            "string" => self.make_text(&wanted),
            "integer" => self.make_number(&rules, true),
            "number" => self.make_number(&rules, false),
            "boolean" => Json::Bool(self.random.percent(50)),
            "array" => self.make_list(&rules, script, depth),
            "object" => self.make_table(&wanted, script, depth),
            _ => Json::Null,
        }
    }

    fn leaf_holds(&self, node: NodeId, value: &Json) -> bool {
        let leaf = |id: &&KeywordId| {
            matches!(self.grammar.keyword(**id).rule, Rule::Enum(_) | Rule::Type(_) | Rule::Pattern(_))
        };
        self.grammar.keywords_of(node).iter().filter(leaf).all(|id| match &self.grammar.keyword(*id).rule {
            Rule::Pattern(pattern) => value.as_str().is_none_or(|text| pattern.matches(text)),
            Rule::Enum(values) => values.contains(value),
            _ => true,
        })
    }

    fn choose_type(&mut self, rules: &[&Rule], script: Script<'_>) -> &'static str {
        const ALL: [&str; 6] = ["string", "boolean", "integer", "number", "array", "object"];
        match first(script) {
            Some((_, Step::Key(_) | Step::OtherKey | Step::KeyName)) => return "object",
            Some((_, Step::Entry)) => return "array",
            _ => {}
        }
        let mut types: Vec<&'static str> = ALL.to_vec();
        let mut stated = false;
        for rule in rules {
            let Rule::Type(allowed) = rule else { continue };
            stated = true;
            let integral = allowed.iter().any(|one| one == "integer");
            types.retain(|one| {
                allowed.iter().any(|other| other == one || (*one == "integer" && other == "number"))
                    || (integral && *one == "integer")
            });
        }
        let speaks = |test: fn(&Rule) -> bool| rules.iter().any(|rule| test(rule));
        if !stated
            && speaks(|rule| matches!(rule, Rule::Properties(_) | Rule::Required(_)))
            && self.random.percent(90)
        {
            return "object";
        }
        if !stated && self.left == 0 {
            return "string";
        }
        self.random.pick(&types).copied().unwrap_or("null")
    }

    fn make_text(&mut self, wanted: &Wanted) -> Json {
        let examples: Vec<&str> = wanted
            .nodes
            .iter()
            .flat_map(|node| &self.grammar.node(*node).examples)
            .filter_map(Json::as_str)
            .collect();
        let fits = |text: &str| {
            wanted.keywords.iter().all(|id| match &self.grammar.keyword(*id).rule {
                Rule::Pattern(pattern) => pattern.matches(text),
                Rule::MinLength(least) => text.chars().count() >= *least,
                Rule::MaxLength(most) => text.chars().count() <= *most,
                _ => true,
            })
        };
        let pattern = wanted.keywords.iter().find_map(|id| match &self.grammar.keyword(*id).rule {
            Rule::Pattern(pattern) => Some(pattern),
            _ => None,
        });
        if self.random.percent(60)
            && let Some(example) = self.random.pick(&examples)
            && fits(example)
        {
            return json!(example);
        }
        for _ in 0..12 {
            let text = match pattern {
                Some(pattern) if self.random.percent(80) => pattern.sample(&mut self.random),
                _ => self.random.pick(&self.texts).cloned().unwrap_or_default(),
            };
            if fits(&text) {
                return Json::String(text);
            }
        }
        json!(examples.first().copied().unwrap_or("a"))
    }

    fn make_number(&mut self, rules: &[&Rule], whole: bool) -> Json {
        let mut least = f64::NEG_INFINITY;
        let mut most = f64::INFINITY;
        let step = |bound: f64| if whole { 1.0 } else { bound.abs().max(1.0) * 1e-9 };
        for rule in rules {
            match rule {
                Rule::Minimum(bound) => least = least.max(*bound),
                Rule::Above(bound) => least = least.max(bound + step(*bound)),
                Rule::Maximum(bound) => most = most.min(*bound),
                Rule::Below(bound) => most = most.min(bound - step(*bound)),
                _ => {}
            }
        }
        let middle = if least.is_finite() {
            least + f64::from(self.random.small(1000))
        } else {
            f64::from(self.random.small(2000)) - 1000.0
        };
        let candidates =
            [least, most, least + 1.0, most - 1.0, 0.0, 1.0, -1.0, middle, middle, middle / 8.0, 1e15, 1e300];
        for _ in 0..12 {
            let Some(&number) = self.random.pick(&candidates) else { break };
            if !number.is_finite() || number < least || number > most || (whole && number.fract() != 0.0) {
                continue;
            }
            // A whole number may be written with a fraction: that is one number, and two texts.
            return if self.random.percent(92) { plain(number) } else { json!(number) };
        }
        plain([least, most].into_iter().find(|bound| bound.is_finite()).unwrap_or_default())
    }

    fn make_list(&mut self, rules: &[&Rule], script: Script<'_>, depth: usize) -> Json {
        let mut least = 0;
        let mut most = usize::MAX;
        let mut goals = Vec::new();
        let mut unique = false;
        for rule in rules {
            match rule {
                Rule::MinItems(bound) => least = least.max(*bound),
                Rule::MaxItems(bound) => most = most.min(*bound),
                Rule::Items(node) => goals.push(*node),
                Rule::UniqueItems => unique = true,
                _ => {}
            }
        }
        let more = if self.left == 0 || depth > 12 { 0 } else { self.random.below(4) };
        let forced = matches!(first(script), Some((_, Step::Entry)));
        let length = (least + more).max(usize::from(forced)).min(most);
        let chosen = self.random.below(length);
        let mut items: Vec<Json> = Vec::new();
        for index in 0..length {
            let script = if forced && index == chosen { rest(script) } else { NOWHERE };
            self.here.push(Segment::Index(items.len()));
            let item = if goals.is_empty() { self.anything(2) } else { self.make(&goals, script, depth + 1) };
            self.here.pop();
            if !unique || items.len() < least || !items.contains(&item) || (forced && index == chosen) {
                items.push(item);
            }
        }
        Json::Array(items)
    }

    /// What a key of a table must fit, by everything that is asked of the table. None where the key is forbidden.
    fn goals_of(&self, wanted: &Wanted, key: &str) -> Option<Vec<NodeId>> {
        let mut goals = Vec::new();
        for id in &wanted.keywords {
            match &self.grammar.keyword(*id).rule {
                Rule::Properties(named) => {
                    goals.extend(named.iter().filter(|(name, _)| name == key).map(|(_, node)| *node));
                }
                Rule::Additional { node, named } => {
                    let named = named.map(|named| &self.grammar.keyword(named).rule);
                    if !matches!(named, Some(Rule::Properties(named)) if named.iter().any(|(name, _)| name == key))
                    {
                        goals.push(*node);
                    }
                }
                Rule::Unevaluated(node) if !named_anywhere(self.grammar, wanted, key) => goals.push(*node),
                _ => {}
            }
        }
        goals.iter().all(|node| self.grammar.node(*node).keywords.is_some()).then_some(goals)
    }

    fn make_key(
        &mut self,
        wanted: &Wanted,
        key: &str,
        also: &[NodeId],
        script: Script<'_>,
        depth: usize,
    ) -> Option<Json> {
        let mut goals = self.goals_of(wanted, key)?;
        goals.extend(also);
        self.here.push(Segment::Key(key.to_owned()));
        let value = if goals.is_empty() { self.anything(2) } else { self.make(&goals, script, depth + 1) };
        self.here.pop();
        Some(value)
    }

    fn make_table(&mut self, wanted: &Wanted, script: Script<'_>, depth: usize) -> Json {
        let grammar = self.grammar;
        let mut table = Map::new();
        let mut names: Vec<&str> = Vec::new();
        let mut required: Vec<&str> = Vec::new();
        let mut name_goals: Vec<NodeId> = Vec::new();
        let mut is_map = false;
        let (mut least, mut most) = (0, usize::MAX);
        for id in &wanted.keywords {
            match &grammar.keyword(*id).rule {
                Rule::Properties(keys) => names.extend(keys.iter().map(|(name, _)| name.as_str())),
                Rule::Required(keys) => required.extend(keys.iter().map(String::as_str)),
                Rule::PropertyNames(node) => name_goals.push(*node),
                Rule::Additional { node, .. } | Rule::Unevaluated(node) => {
                    is_map |= grammar.node(*node).keywords.is_some();
                }
                Rule::MinProperties(bound) => least = least.max(*bound),
                Rule::MaxProperties(bound) => most = most.min(*bound),
                _ => {}
            }
        }
        for name in &required {
            if !names.contains(name) {
                names.push(name);
            }
        }
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(*name));
        let forced = match first(script) {
            Some((_, Step::Key(name))) => Some(name.as_str()),
            _ => None,
        };
        let share = [0, 15, 35, 85][self.random.below(4)];
        for name in names {
            let needed = required.contains(&name) || forced == Some(name);
            if !needed && (self.left == 0 || depth > 12 || !self.random.percent(share)) {
                continue;
            }
            let script = if forced == Some(name) { rest(script) } else { NOWHERE };
            if let Some(value) = self.make_key(wanted, name, &[], script, depth) {
                table.insert(name.to_owned(), value);
            }
        }
        let other = matches!(first(script), Some((_, Step::OtherKey | Step::KeyName)));
        let mut more = match (is_map, self.left) {
            (_, 0) => 0,
            (true, _) => self.random.below(4),
            (false, _) if self.random.percent(20) => 1 + self.random.below(2),
            _ => 0,
        };
        more = more.max(usize::from(other)).max(least.saturating_sub(table.len()));
        more = more.min(most.saturating_sub(table.len()));
        for index in 0..more {
            let mut inner = if other && index == 0 { rest(script) } else { NOWHERE };
            let by_name = matches!(first(script), Some((_, Step::KeyName))) && index == 0;
            let name = if name_goals.is_empty() {
                self.random.pick(&self.names).cloned().unwrap_or_default()
            } else {
                let found = self.reached.take();
                let name = self.make(&name_goals.clone(), if by_name { inner } else { NOWHERE }, depth + 1);
                let name = name.as_str().unwrap_or_default().to_owned();
                if by_name && self.reached.is_some() {
                    inner = NOWHERE;
                    self.here.push(Segment::Name(name.clone()));
                    self.reached = Some(self.here.clone());
                    self.here.pop();
                } else {
                    self.reached = found;
                }
                name
            };
            let inner = if by_name { NOWHERE } else { inner };
            if table.contains_key(&name) || (depth == 0 && name == "$schema") {
                continue;
            }
            if let Some(value) = self.make_key(wanted, &name, &[], inner, depth) {
                table.insert(name, value);
            }
        }
        self.mend_table(wanted, &mut table, &required, forced, depth);
        Json::Object(table)
    }

    /// Makes a table keep the relations between its keys.
    fn mend_table(
        &mut self,
        wanted: &Wanted,
        table: &mut Map<String, Json>,
        required: &[&str],
        forced: Option<&str>,
        depth: usize,
    ) {
        let grammar = self.grammar;
        for _ in 0..4 {
            let mut mended = true;
            let value = Json::Object(table.clone());
            for id in &wanted.keywords {
                let keyword = grammar.keyword(*id);
                match &keyword.rule {
                    Rule::Then { node, .. } if !grammar.holds_keyword(*id, &value) => {
                        mended = false;
                        self.satisfy(wanted, *node, table, depth);
                    }
                    Rule::Not(_) if !grammar.holds_keyword(*id, &value) => {
                        mended = false;
                        let optional: Vec<String> = table
                            .keys()
                            .filter(|key| !required.contains(&key.as_str()) && forced != Some(key.as_str()))
                            .cloned()
                            .collect();
                        if let Some(key) = self.random.pick(&optional) {
                            table.shift_remove(key);
                        }
                    }
                    _ => {}
                }
            }
            for node in &wanted.refused {
                if grammar.holds(*node, &value, &mut Nobody) {
                    mended = false;
                    self.refuse(
                        wanted,
                        *node,
                        table,
                        |key| required.contains(&key) || forced == Some(key),
                        depth,
                    );
                }
            }
            if mended {
                return;
            }
        }
    }

    /// Changes a table so that it does not fit a schema which speaks of its keys, and leaves some of them there.
    fn refuse(
        &mut self,
        wanted: &Wanted,
        node: NodeId,
        table: &mut Map<String, Json>,
        stays: impl Fn(&str) -> bool,
        depth: usize,
    ) {
        let grammar = self.grammar;
        let asked: Vec<&str> = grammar.keys_in(node).into_iter().filter(|key| !stays(key)).collect();
        if self.random.percent(70)
            && let Some(key) = self.random.pick(&asked)
        {
            table.shift_remove(*key);
            return;
        }
        let named: Vec<&(String, NodeId)> = grammar
            .keywords_of(node)
            .iter()
            .filter_map(|id| {
                if let Rule::Properties(named) = &grammar.keyword(*id).rule { Some(named) } else { None }
            })
            .flatten()
            .collect();
        let other = (0..8).find_map(|_| {
            let (key, inner) = *self.random.pick(&named)?;
            let value = self.make_key(wanted, key, &[], NOWHERE, depth)?;
            (!grammar.holds(*inner, &value, &mut Nobody)).then(|| (key.clone(), value))
        });
        match (other, self.random.pick(&asked)) {
            (Some((key, value)), _) => drop(table.insert(key, value)),
            (None, Some(key)) => drop(table.shift_remove(*key)),
            (None, None) => {}
        }
    }

    /// Changes a table so that it fits a schema which speaks of its keys.
    fn satisfy(&mut self, wanted: &Wanted, node: NodeId, table: &mut Map<String, Json>, depth: usize) {
        let mut more = Wanted::default();
        self.want(&[node], NOWHERE, &mut more);
        let grammar = self.grammar;
        let mut named: Vec<(&str, NodeId)> = Vec::new();
        let mut needed: Vec<&str> = Vec::new();
        for id in &more.keywords {
            match &grammar.keyword(*id).rule {
                Rule::Properties(keys) => {
                    named.extend(keys.iter().map(|(name, node)| (name.as_str(), *node)));
                }
                Rule::Required(keys) => needed.extend(keys.iter().map(String::as_str)),
                _ => {}
            }
        }
        for id in &more.keywords {
            let Rule::Not(inner) = grammar.keyword(*id).rule else { continue };
            let mut excluded = grammar.keys_in(inner);
            while !excluded.is_empty() && !grammar.holds_keyword(*id, &Json::Object(table.clone())) {
                let key = excluded.swap_remove(self.random.below(excluded.len()));
                table.shift_remove(key);
            }
        }
        for key in needed.iter().copied().chain(named.iter().map(|(name, _)| *name)) {
            let also: Vec<NodeId> =
                named.iter().filter(|(name, _)| *name == key).map(|(_, node)| *node).collect();
            let fits = |value: &Json| also.iter().all(|node| grammar.holds(*node, value, &mut Nobody));
            match table.get(key) {
                Some(value) if fits(value) => {}
                None if !needed.contains(&key) => {}
                _ => {
                    if also.iter().any(|node| grammar.node(*node).keywords.is_none()) {
                        table.shift_remove(key);
                    } else if let Some(value) = self.make_key(wanted, key, &also, NOWHERE, depth) {
                        table.insert(key.to_owned(), value);
                    }
                }
            }
        }
    }

    /// Any value at all.
    pub(super) fn anything(&mut self, depth: usize) -> Json {
        match self.random.below(if depth == 0 { 7 } else { 9 }) {
            0 => Json::Null,
            1 => Json::Bool(self.random.percent(50)),
            2 => json!(self.random.small(12) - 2),
            3 => json!((f64::from(self.random.small(400)) - 100.0) / 8.0),
            4 => [
                json!(i64::MAX),
                json!(u64::MAX),
                json!(1e30),
                json!(-1e18),
                json!(9_007_199_254_740_993_i64),
            ][self.random.below(5)]
            .clone(),
            5 | 6 => Json::String(self.random.pick(&self.texts).cloned().unwrap_or_default()),
            7 => (0..self.random.below(3)).map(|_| self.anything(depth - 1)).collect(),
            _ => {
                let length = self.random.below(3);
                let mut table = Map::new();
                for _ in 0..length {
                    let name = self.random.pick(&self.names).cloned().unwrap_or_default();
                    let value = self.anything(depth - 1);
                    table.insert(name, value);
                }
                Json::Object(table)
            }
        }
    }

    /// A value changed so that it no longer fits a schema.
    fn spoil(&mut self, node: NodeId, value: &Json, depth: usize) -> Option<Json> {
        let ids: Vec<KeywordId> = self
            .grammar
            .keywords_of(node)
            .iter()
            .copied()
            .filter(|id| self.grammar.keyword(*id).breakable)
            .collect();
        for _ in 0..4 {
            let id = *self.random.pick(&ids)?;
            if let Some(spoilt) = self.spoil_keyword(id, value, depth) {
                return Some(spoilt);
            }
        }
        None
    }

    /// A value changed so that it breaks a keyword.
    fn spoil_keyword(&mut self, id: KeywordId, value: &Json, depth: usize) -> Option<Json> {
        if depth > 24 {
            return None;
        }
        let depth = depth + 1;
        let grammar = self.grammar;
        match &grammar.keyword(id).rule {
            Rule::Ref(node) => self.spoil(*node, value, depth),
            Rule::Type(_) => {
                (0..12).map(|_| self.anything(1)).find(|other| !grammar.holds_keyword(id, other))
            }
            Rule::Enum(values) => {
                let near = values.iter().find_map(Json::as_str).unwrap_or_default().to_owned();
                let other = match self.random.below(6) {
                    0 => Json::String(format!("{near}x")),
                    1 => Json::String(near.to_uppercase()),
                    2 if self.random.percent(20) => json!(["x"]),
                    2 | 3 => Json::String(self.random.pick(&self.options).cloned().unwrap_or_default()),
                    _ => Json::String(self.random.pick(&self.texts).cloned().unwrap_or_default()),
                };
                (!grammar.holds_keyword(id, &other)).then_some(other)
            }
            Rule::Pattern(pattern) => {
                pattern.miss(value.as_str().unwrap_or("a"), &mut self.random).map(Json::String)
            }
            Rule::MinLength(least) => Some(Json::String("a".repeat(least.saturating_sub(1)))),
            Rule::MaxLength(most) => Some(Json::String("a".repeat(most + 1))),
            Rule::Minimum(bound) => Some(self.beyond(*bound, -1.0, value)),
            Rule::Maximum(bound) => Some(self.beyond(*bound, 1.0, value)),
            Rule::Above(bound) => {
                Some(if self.random.percent(50) { plain(*bound) } else { self.beyond(*bound, -1.0, value) })
            }
            Rule::Below(bound) => {
                Some(if self.random.percent(50) { plain(*bound) } else { self.beyond(*bound, 1.0, value) })
            }
            Rule::Items(_) | Rule::MinItems(_) | Rule::MaxItems(_) | Rule::UniqueItems => {
                self.spoil_list(id, value.as_array()?, depth)
            }
            Rule::Properties(_)
            | Rule::Additional { .. }
            | Rule::Unevaluated(_)
            | Rule::PropertyNames(_)
            | Rule::Required(_)
            | Rule::MinProperties(_)
            | Rule::MaxProperties(_) => self.spoil_table(id, value.as_object()?, depth),
            Rule::AllOf(nodes) => {
                let node = *self.random.pick(nodes)?;
                self.spoil(node, value, depth)
            }
            Rule::AnyOf(nodes) | Rule::OneOf(nodes) => {
                let mut spoilt = value.clone();
                for _ in 0..nodes.len() + 2 {
                    let held = nodes.iter().copied().find(|node| grammar.holds(*node, &spoilt, &mut Nobody));
                    match held {
                        Some(node) => spoilt = self.spoil(node, &spoilt, depth)?,
                        None => return (&spoilt != value).then_some(spoilt),
                    }
                }
                None
            }
            // Below: one of the keys that exclude each other is added. A value comes from the table as a whole.
            Rule::Not(_) | Rule::If(_) => self.shuffle(grammar.keyword(id).node, value),
            Rule::Then { node, test, when } => {
                let Some(Rule::If(condition)) = test.map(|test| &grammar.keyword(test).rule) else {
                    return None;
                };
                let mut value = value.clone();
                if grammar.holds(*condition, &value, &mut Nobody) != *when
                    && let Json::Object(table) = &mut value
                {
                    if *when {
                        self.satisfy(&Wanted::default(), *condition, table, 3);
                    } else {
                        self.refuse(&Wanted::default(), *condition, table, |_| false, 3);
                    }
                }
                self.spoil(*node, &value, depth)
            }
        }
    }

    /// A list changed so that it breaks a keyword about lists.
    fn spoil_list(&mut self, id: KeywordId, items: &[Json], depth: usize) -> Option<Json> {
        match &self.grammar.keyword(id).rule {
            Rule::Items(node) => {
                let mut items = items.to_vec();
                if items.is_empty() {
                    items.push(self.apart(&[*node], 3));
                }
                let index = self.random.below(items.len());
                items[index] = self.spoil(*node, &items[index], depth)?;
                Some(Json::Array(items))
            }
            Rule::MinItems(least) => {
                let length = self.random.below(*least);
                Some(items.iter().take(length).cloned().collect())
            }
            Rule::MaxItems(most) => {
                let first = items.first().cloned().unwrap_or(json!("a"));
                Some(items.iter().cloned().chain(std::iter::repeat(first)).take(most + 1).collect())
            }
            Rule::UniqueItems => {
                let mut items = items.to_vec();
                let copy = self.random.pick(&items)?.clone();
                items.push(copy);
                Some(Json::Array(items))
            }
            _ => None,
        }
    }

    /// A table changed so that it breaks a keyword about tables.
    fn spoil_table(&mut self, id: KeywordId, table: &Map<String, Json>, depth: usize) -> Option<Json> {
        let grammar = self.grammar;
        match &grammar.keyword(id).rule {
            Rule::Properties(named) => {
                let (key, node) = self.random.pick(named)?;
                let mut table = table.clone();
                let before = match table.get(key) {
                    Some(value) => value.clone(),
                    None => self.apart(&[*node], 3),
                };
                let spoilt = match grammar.node(*node).keywords {
                    Some(_) => self.spoil(*node, &before, depth)?,
                    None => before,
                };
                table.insert(key.clone(), spoilt);
                Some(Json::Object(table))
            }
            Rule::Additional { node, named } => {
                let mut table = table.clone();
                let named = match named.map(|named| &grammar.keyword(named).rule) {
                    Some(Rule::Properties(named)) => named.iter().map(|(name, _)| name.as_str()).collect(),
                    _ => Vec::new(),
                };
                let others: Vec<String> =
                    table.keys().filter(|key| !named.contains(&key.as_str())).cloned().collect();
                let key = match self.random.pick(&others) {
                    Some(key) => key.clone(),
                    None => (0..8)
                        .filter_map(|_| self.random.pick(&self.names).cloned())
                        .find(|key| !named.contains(&key.as_str()))
                        .unwrap_or_else(|| "zz_unknown".to_owned()),
                };
                let spoilt = if grammar.node(*node).keywords.is_none() {
                    self.anything(1)
                } else {
                    let before = match table.get(&key) {
                        Some(value) => value.clone(),
                        None => self.apart(&[*node], 3),
                    };
                    self.spoil(*node, &before, depth)?
                };
                table.insert(key, spoilt);
                Some(Json::Object(table))
            }
            Rule::Unevaluated(node) => {
                let mut table = table.clone();
                let held = self.anything(1);
                let other = |maker: &mut Self| {
                    let key = maker.random.pick(&maker.names).cloned()?;
                    let mut changed = table.clone();
                    changed.insert(key.clone(), held.clone());
                    (!grammar.holds_keyword(id, &Json::Object(changed))).then_some(key)
                };
                let key = (0..8).find_map(|_| other(self)).unwrap_or_else(|| "zz_unknown".to_owned());
                let spoilt = if grammar.node(*node).keywords.is_none() {
                    held
                } else {
                    let before = self.apart(&[*node], 3);
                    self.spoil(*node, &before, depth)?
                };
                table.insert(key, spoilt);
                Some(Json::Object(table))
            }
            Rule::PropertyNames(node) => {
                let mut table = table.clone();
                let keys: Vec<String> = table.keys().cloned().collect();
                let name = match self.random.pick(&keys) {
                    Some(key) => key.clone(),
                    None => self.apart(&[*node], 3).as_str()?.to_owned(),
                };
                let spoilt = self.spoil(*node, &Json::String(name.clone()), depth)?.as_str()?.to_owned();
                let held = table.shift_remove(&name).unwrap_or(json!("a"));
                table.insert(spoilt, held);
                Some(Json::Object(table))
            }
            Rule::Required(keys) => {
                let mut table = table.clone();
                let key = self.random.pick(keys)?;
                table.shift_remove(key)?;
                Some(Json::Object(table))
            }
            Rule::MinProperties(least) => {
                let length = self.random.below(*least);
                Some(Json::Object(table.clone().into_iter().take(length).collect()))
            }
            Rule::MaxProperties(most) => {
                let mut table = table.clone();
                let node = grammar.keyword(id).node;
                for _ in 0..4 * most {
                    self.left = 4;
                    let made = self.apart(&[node], 3);
                    table.extend(made.as_object().cloned().unwrap_or_default());
                    if table.len() > *most {
                        break;
                    }
                }
                (table.len() > *most).then_some(Json::Object(table))
            }
            _ => None,
        }
    }

    /// A value that is made apart from the document: where it stands is of no interest.
    fn apart(&mut self, goals: &[NodeId], depth: usize) -> Json {
        let (here, reached) = (std::mem::take(&mut self.here), self.reached.take());
        self.reached = Some(Vec::new());
        let value = self.make(goals, NOWHERE, depth);
        (self.here, self.reached) = (here, reached);
        value
    }

    fn beyond(&mut self, bound: f64, direction: f64, value: &Json) -> Json {
        let far = [1.0, 2.0, 1000.0, 1e17][self.random.below(4)];
        let near = if value.is_f64() && value.as_f64().is_some_and(|value| value.fract() != 0.0) {
            0.125
        } else {
            far
        };
        plain(bound + direction * near)
    }

    /// A table whose keys are there or not, and have one value or another, as the tests of a schema look for.
    fn shuffle(&mut self, owner: NodeId, value: &Json) -> Option<Json> {
        let grammar = self.grammar;
        let mut table = value.as_object()?.clone();
        let mut wanted = Wanted::default();
        self.want(&self.around(owner), NOWHERE, &mut wanted);
        let mut keys: BTreeSet<&str> = BTreeSet::new();
        let mut values: Vec<(&str, &Json)> = Vec::new();
        let mut asked: Vec<(&str, NodeId)> = Vec::new();
        let mut waiting: Vec<NodeId> = vec![owner];
        let mut seen = BTreeSet::new();
        while let Some(node) = waiting.pop() {
            if !seen.insert(node) {
                continue;
            }
            for id in grammar.keywords_of(node) {
                match &grammar.keyword(*id).rule {
                    Rule::Properties(named) if node != owner => {
                        for (name, inner) in named {
                            keys.insert(name);
                            asked.push((name, *inner));
                            for id in grammar.keywords_of(*inner) {
                                if let Rule::Enum(options) = &grammar.keyword(*id).rule {
                                    values.extend(options.iter().map(|option| (name.as_str(), option)));
                                }
                            }
                            if grammar.node(node).role == Role::Tests {
                                waiting.push(*inner);
                            }
                        }
                    }
                    Rule::Required(names) => keys.extend(names.iter().map(String::as_str)),
                    Rule::AllOf(nodes) | Rule::AnyOf(nodes) => waiting.extend(nodes),
                    Rule::Not(node) | Rule::If(node) | Rule::Then { node, .. } => waiting.push(*node),
                    _ => {}
                }
            }
        }
        let keys: Vec<&str> = keys.into_iter().collect();
        for _ in 0..=self.random.below(3) {
            let key = *self.random.pick(&keys)?;
            let options: Vec<&Json> =
                values.iter().filter(|(name, _)| *name == key).map(|(_, value)| *value).collect();
            let asked: Vec<NodeId> =
                asked.iter().filter(|(name, _)| *name == key).map(|(_, node)| *node).collect();
            match self.random.below(8) {
                0 | 1 => {
                    table.shift_remove(key);
                }
                // What the schema asks for where the test holds, not kept: else the test decides nothing.
                6 | 7 if !asked.is_empty() => {
                    let before = table.get(key).cloned().unwrap_or(json!("a"));
                    if let Some(spoilt) =
                        self.random.pick(&asked).and_then(|node| self.spoil(*node, &before, 1))
                    {
                        table.insert(key.to_owned(), spoilt);
                    }
                }
                2 | 3 if !options.is_empty() => {
                    let option = self.random.pick(&options).map(|option| (*option).clone())?;
                    table.insert(key.to_owned(), option);
                }
                4 if self.random.percent(60) => {
                    let value = if self.random.percent(50) { json!("") } else { self.anything(1) };
                    table.insert(key.to_owned(), value);
                }
                _ => {
                    let reached = self.reached.clone();
                    if let Some(value) = self.make_key(&wanted, key, &[], NOWHERE, 3) {
                        table.insert(key.to_owned(), value);
                    }
                    self.reached = reached;
                }
            }
        }
        Some(Json::Object(table))
    }

    /// A schema and those around it that speak of the same value: a test often stands in an `allOf` beside the keys.
    fn around(&self, node: NodeId) -> Vec<NodeId> {
        let mut around = vec![node];
        let mut index = 0;
        while let Some(node) = around.get(index).copied() {
            index += 1;
            for ((parent, step), _) in self.grammar.parents(node) {
                if matches!(step, Step::Same(_) | Step::Case(_) | Step::Branch(..))
                    && !around.contains(parent)
                {
                    around.push(*parent);
                }
            }
        }
        around.reverse();
        around
    }

    /// A document changed somewhere without regard to the schema.
    pub(super) fn wild(&mut self, document: &Json) -> Json {
        let mut document = document.clone();
        for _ in 0..=self.random.below(3) {
            let mut places = Vec::new();
            list_places(&document, &mut Vec::new(), &mut places);
            let Some(place) = self.random.pick(&places).cloned() else { break };
            let Some(value) = at(&document, &place) else { break };
            let changed = self.change(&value, &place);
            match (changed, place.split_last()) {
                (Some(changed), _) => {
                    put(&mut document, &place, changed);
                }
                (None, Some((Segment::Key(key), parent))) => {
                    if let Some(Json::Object(table)) = at_mut(&mut document, parent) {
                        table.shift_remove(key);
                    }
                }
                (None, Some((Segment::Index(index), parent))) => {
                    if let Some(Json::Array(items)) = at_mut(&mut document, parent)
                        && *index < items.len()
                    {
                        items.remove(*index);
                    }
                }
                _ => {}
            }
        }
        document
    }

    /// Another value in the place of one; None to take it away.
    fn change(&mut self, value: &Json, place: &[Segment]) -> Option<Json> {
        match (self.random.below(9), value) {
            (8, value) => Some(self.swollen(value)),
            (0, _) if !place.is_empty() => None,
            (1 | 2, Json::Object(table)) => {
                let mut table = table.clone();
                let key = self.known_key(place).filter(|_| self.random.percent(70));
                let key = key.or_else(|| self.random.pick(&self.names).cloned())?;
                let given = self.given.get(&key).filter(|_| self.random.percent(60));
                let given = given.and_then(|given| self.random.pick(given)).cloned();
                let value = given.unwrap_or_else(|| self.anything(2));
                table.insert(key, value);
                Some(Json::Object(table))
            }
            (1, Json::Array(items)) => {
                let mut items = items.clone();
                let copy = self.random.pick(&items)?.clone();
                items.push(copy);
                Some(Json::Array(items))
            }
            (3, value) => Some(json!([value])),
            (4, Json::Number(number)) => Some(json!(number.to_string())),
            (4, Json::String(text)) => {
                Some(text.parse::<i64>().map_or_else(|_| json!(text.len()), |n| json!(n)))
            }
            (5, Json::String(_)) if self.random.percent(50) => Some(json!(self.random.pick(&TEXTS)?)),
            (5, Json::String(_)) => Some(json!(self.random.pick(&self.texts)?)),
            (6, Json::String(text)) => Some(json!(format!("{text}{text}"))),
            _ => Some(self.anything(2)),
        }
    }

    /// A value made so large that no limit of a length lets it pass, or nearly so.
    fn swollen(&mut self, value: &Json) -> Json {
        let size = [40, 130, 1_100][self.random.below(3)];
        match value {
            Json::String(text) => {
                let fill = text.chars().find(|c| c.is_alphanumeric()).unwrap_or('a');
                json!(format!("{text}{}", fill.to_string().repeat(size)))
            }
            Json::Array(items) if !items.is_empty() => {
                items.iter().cycle().take(size.min(130)).cloned().collect()
            }
            Json::Object(table) if !table.is_empty() => {
                let more = (0..size.min(130)).zip(table.values().cycle());
                let more = more.map(|(index, value)| (format!("zz{index}"), value.clone()));
                Json::Object(table.clone().into_iter().chain(more).collect())
            }
            _ => self.anything(2),
        }
    }

    /// A key that the type knows in the table at a place.
    fn known_key(&mut self, place: &[Segment]) -> Option<String> {
        let mut shape = self.shape?;
        for segment in place {
            if let Segment::Key(key) = segment {
                shape = (shape.key(key)?.shape)()?;
            }
        }
        self.random.pick(&shape.keys).map(|key| key.name.to_owned())
    }
}

fn first(script: Script<'_>) -> Option<&(NodeId, Step)> {
    script?.first()
}

fn rest(script: Script<'_>) -> Script<'_> {
    script.and_then(|steps| steps.get(1..))
}

const NOWHERE: Script<'static> = None;

/// The names of the keys that a type knows, here and below.
fn gather(shape: &Shape, names: &mut BTreeSet<String>, depth: usize) {
    for key in &shape.keys {
        names.insert(key.name.to_owned());
        if depth < 6
            && let Some(below) = (key.shape)()
        {
            gather(below, names, depth + 1);
        }
    }
}

/// What a document gives for its keys, wherever they stand.
fn gather_given(document: &Json, given: &mut BTreeMap<String, Vec<Json>>) {
    match document {
        Json::Object(table) => {
            for (key, value) in table {
                let known = given.entry(key.clone()).or_default();
                if !known.contains(value) {
                    known.push(value.clone());
                }
                gather_given(value, given);
            }
        }
        Json::Array(items) => {
            for item in items {
                gather_given(item, given);
            }
        }
        _ => {}
    }
}

/// A number as people write it: a whole one without a fraction.
fn plain(number: f64) -> Json {
    #[expect(clippy::cast_possible_truncation, reason = "whole, and small enough")]
    if number.fract() == 0.0 && number.abs() < 1e18 { json!(number as i64) } else { json!(number) }
}

/// A place as a JSON pointer, after what was the name of a key there became another.
fn pointer(place: &[Segment], renamed: &str) -> String {
    let mut pointer = String::new();
    for segment in place {
        pointer.push('/');
        match segment {
            Segment::Key(key) => pointer.push_str(&key.replace('~', "~0").replace('/', "~1")),
            Segment::Index(index) => pointer.push_str(&index.to_string()),
            Segment::Name(_) => pointer.push_str(&renamed.replace('~', "~0").replace('/', "~1")),
        }
    }
    pointer
}

/// The value at a place; the key itself where the place is one.
pub(super) fn at(document: &Json, place: &[Segment]) -> Option<Json> {
    let mut value = document;
    for segment in place {
        value = match segment {
            Segment::Key(key) => value.get(key)?,
            Segment::Index(index) => value.get(*index)?,
            Segment::Name(key) => return value.get(key).map(|_| json!(key)),
        };
    }
    Some(value.clone())
}

fn at_mut<'d>(document: &'d mut Json, place: &[Segment]) -> Option<&'d mut Json> {
    let mut value = document;
    for segment in place {
        value = match segment {
            Segment::Key(key) => value.get_mut(key)?,
            Segment::Index(index) => value.get_mut(*index)?,
            Segment::Name(_) => return None,
        };
    }
    Some(value)
}

/// Puts a value at a place; renames the key where the place is one. Whether there is such a place.
fn put(document: &mut Json, place: &[Segment], value: Json) -> bool {
    if let Some((Segment::Name(key), parent)) = place.split_last() {
        let (Some(Json::Object(table)), Json::String(name)) = (at_mut(document, parent), value) else {
            return false;
        };
        let held = table.shift_remove(key);
        return held.is_some_and(|held| table.insert(name, held).is_none());
    }
    at_mut(document, place).map(|there| *there = value).is_some()
}

/// Every place of a document.
pub(super) fn list_places(value: &Json, here: &mut Vec<Segment>, places: &mut Vec<Vec<Segment>>) {
    places.push(here.clone());
    let below: Vec<(Segment, &Json)> = match value {
        Json::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (Segment::Index(index), item)).collect()
        }
        Json::Object(table) => table.iter().map(|(key, item)| (Segment::Key(key.clone()), item)).collect(),
        _ => return,
    };
    for (segment, item) in below {
        here.push(segment);
        list_places(item, here, places);
        here.pop();
    }
}
