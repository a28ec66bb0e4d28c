//! Objects: which keys are there, and what their values are.

use super::{Answer, Best, Found, Gap, MAX_SIZE, Solver, string};
use crate::graph::{Classes, Id, Literal, Node, Others, Text};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Keys that may be demanded by number alone.
const MAX_KEYS: u64 = 300;
/// Patterns of keys that are told apart.
const MAX_PATTERNS: usize = 10;
/// Ways to meet all demands that are compared for the shortest document.
const MAX_WAYS: usize = 60;

/// What the statements about an object say, sorted by what they are about.
#[derive(Default)]
struct Demands {
    keys: BTreeMap<Text, Vec<Id>>,
    patterns: Vec<(Id, Id)>,
    others: Vec<Others>,
    names: Vec<Id>,
    absent: BTreeSet<Text>,
    /// Keys that must be there, and what else their values must be.
    present: BTreeMap<Text, Vec<Literal>>,
    /// Some key must be there that breaks a rule.
    some: Vec<Breach>,
    least: u64,
    most: u64,
    /// Every key that is named anywhere.
    named: BTreeSet<Text>,
    /// Every pattern of keys.
    told_apart: Vec<Id>,
}

/// A rule over keys that is broken by some key.
#[derive(Clone)]
enum Breach {
    KeyLike(Id, Id),
    Other(Others),
    Name(Id),
}

/// An object being put together.
#[derive(Clone, Default)]
struct Draft {
    members: BTreeMap<Text, Member>,
    size: usize,
}

/// A kind of key that is not named: which patterns it matches.
struct Fresh {
    matched: Vec<bool>,
    literals: Vec<Literal>,
}

impl Solver {
    pub(super) fn decide_object(&mut self, atoms: &[Literal]) -> Answer {
        let Some(demands) = self.demands(atoms) else { return Answer::Empty };
        let mut best = Best::new();
        let mut draft = Draft::default();
        for (name, more) in &demands.present {
            match self.member(&demands, name, more) {
                Ok(Some(member)) => draft.put(name, member),
                Ok(None) => return Answer::Empty,
                Err(gap) => {
                    // Another key may still be impossible, which would settle it.
                    best.gap(gap);
                }
            }
        }
        if let Answer::Unknown(gap, perhaps) = best.answer() {
            return Answer::Unknown(gap, perhaps);
        }
        let mut best = Best::new();
        let mut ways = 0;
        self.meet(&demands, 0, &draft, &mut best, &mut ways);
        best.answer()
    }

    fn demands(&self, atoms: &[Literal]) -> Option<Demands> {
        let mut demands = Demands { most: u64::MAX, ..Demands::default() };
        for atom in atoms {
            let positive = atom.positive();
            match self.graph.node(atom.id()) {
                Node::Key(name, id) => {
                    demands.named.insert(name.clone());
                    if positive {
                        demands.keys.entry(name.clone()).or_default().push(*id);
                    } else {
                        demands.present.entry(name.clone()).or_default().push(Literal::fails(*id));
                    }
                }
                Node::KeyLike(pattern, id) => {
                    demands.told_apart.push(*pattern);
                    if positive {
                        demands.patterns.push((*pattern, *id));
                    } else {
                        demands.some.push(Breach::KeyLike(*pattern, *id));
                    }
                }
                Node::Others(others) => {
                    demands.named.extend(others.names.iter().cloned());
                    demands.told_apart.extend(&others.patterns);
                    if positive {
                        demands.others.push(others.clone());
                    } else {
                        demands.some.push(Breach::Other(others.clone()));
                    }
                }
                Node::Has(name) => {
                    demands.named.insert(name.clone());
                    if positive {
                        demands.present.entry(name.clone()).or_default();
                    } else {
                        demands.absent.insert(name.clone());
                    }
                }
                Node::MinKeys(bound) if positive => demands.least = demands.least.max(*bound),
                Node::MinKeys(bound) => demands.most = demands.most.min(bound.checked_sub(1)?),
                Node::MaxKeys(bound) if positive => demands.most = demands.most.min(*bound),
                Node::MaxKeys(bound) => demands.least = demands.least.max(bound.checked_add(1)?),
                Node::Names(id) if positive => demands.names.push(*id),
                Node::Names(id) => {
                    demands.told_apart.push(*id);
                    demands.some.push(Breach::Name(*id));
                }
                _ => {}
            }
        }
        demands.told_apart.sort_unstable();
        demands.told_apart.dedup();
        let contradiction = demands.least > demands.most
            || demands.present.keys().any(|name| demands.absent.contains(name))
            || demands.present.len() as u64 > demands.most;
        (!contradiction).then_some(demands)
    }

    /// What the value of a key must be; none, if the key must not be there.
    fn value_of(&mut self, demands: &Demands, name: &Text) -> Option<(Vec<Literal>, Option<Gap>)> {
        if demands.absent.contains(name) {
            return None;
        }
        let key = Value::from(&**name);
        let mut doubt = None;
        for id in &demands.names {
            match self.holds(*id, &key, 0) {
                Some(true) => {}
                Some(false) => return None,
                None => doubt = Some(Gap::Opaque(*id)),
            }
        }
        let mut literals: Vec<Literal> =
            demands.keys.get(name).into_iter().flatten().map(|id| Literal::holds(*id)).collect();
        for (pattern, id) in &demands.patterns {
            match self.holds(*pattern, &key, 0) {
                Some(true) => literals.push(Literal::holds(*id)),
                Some(false) => {}
                None => doubt = Some(Gap::Opaque(*pattern)),
            }
        }
        for others in &demands.others {
            match self.is_other(others, name) {
                Ok(true) => literals.push(Literal::holds(others.schema)),
                Ok(false) => {}
                Err(gap) => doubt = Some(gap),
            }
        }
        Some((literals, doubt))
    }

    /// Whether a key is among those that `additionalProperties` is about.
    fn is_other(&mut self, others: &Others, name: &Text) -> Result<bool, Gap> {
        if others.names.binary_search(name).is_ok() {
            return Ok(false);
        }
        match self.any(&others.patterns, &Value::from(&**name), 0) {
            Some(matched) => Ok(!matched),
            None => Err(Gap::Opaque(others.patterns.first().copied().unwrap_or_default())),
        }
    }

    /// A value for a key, with the literals it was found for; none, if there is none.
    fn member(&mut self, demands: &Demands, name: &Text, more: &[Literal]) -> Result<Option<Member>, Gap> {
        let Some((mut literals, doubt)) = self.value_of(demands, name) else { return Ok(None) };
        literals.extend(more);
        match (self.value(literals)?, doubt) {
            (Some(member), Some(doubt)) => Ok(Some(Member { doubt: Some(doubt), ..member })),
            // Not knowing what applies, fewer statements were looked at: that they contradict each other is certain.
            (member, _) => Ok(member),
        }
    }

    fn value(&mut self, literals: Vec<Literal>) -> Result<Option<Member>, Gap> {
        match self.satisfy(&literals) {
            Answer::Empty => Ok(None),
            Answer::Found(found) => Ok(Some(Member { literals, found, doubt: None })),
            Answer::Unknown(gap, Some(found)) => Ok(Some(Member { literals, found, doubt: Some(gap) })),
            Answer::Unknown(gap, None) => Err(gap),
        }
    }

    /// Meets the demands from one on, in every way, and adds each object to the answers.
    fn meet(&mut self, demands: &Demands, index: usize, draft: &Draft, best: &mut Best, ways: &mut usize) {
        if draft.size >= best.size() || best.is_found() && *ways >= MAX_WAYS {
            return;
        }
        if !self.step(1) {
            best.add(Self::limit_reached());
            return;
        }
        let Some(demand) = demands.some.get(index) else {
            *ways += 1;
            let answer = self.fill(demands, draft.clone());
            best.add(answer);
            return;
        };
        // By a key that is there already.
        for (name, member) in draft.members.clone() {
            match self.breaks(demand, &name) {
                Ok(Some(more)) => {
                    let mut literals = member.literals;
                    literals.extend(more);
                    match self.value(literals) {
                        Ok(Some(member)) => {
                            let mut next = draft.clone();
                            next.put(&name, member);
                            self.meet(demands, index + 1, &next, best, ways);
                        }
                        Ok(None) => {}
                        Err(gap) => best.gap(gap),
                    }
                }
                Ok(None) => {}
                Err(gap) => best.gap(gap),
            }
        }
        if draft.members.len() as u64 >= demands.most {
            return;
        }
        // By a key that is named somewhere, or by one that is not.
        for name in &demands.named {
            if draft.members.contains_key(name) || demands.absent.contains(name) {
                continue;
            }
            match self.breaks(demand, name) {
                Ok(Some(more)) => match self.member(demands, name, &more) {
                    Ok(Some(member)) => {
                        let mut next = draft.clone();
                        next.put(name, member);
                        self.meet(demands, index + 1, &next, best, ways);
                    }
                    Ok(None) => {}
                    Err(gap) => best.gap(gap),
                },
                Ok(None) => {}
                Err(gap) => best.gap(gap),
            }
        }
        let kinds = match self.fresh(demands, Some(demand)) {
            Ok(kinds) => kinds,
            Err(gap) => {
                best.gap(gap);
                return;
            }
        };
        for kind in kinds {
            let literals = Self::fresh_value(demands, &kind, Some(demand));
            match self.value(literals) {
                Ok(Some(member)) => match self.fresh_key(demands, &kind, draft) {
                    Ok(Some(name)) => {
                        let mut next = draft.clone();
                        next.put(&name, member);
                        self.meet(demands, index + 1, &next, best, ways);
                    }
                    Ok(None) => {}
                    Err(gap) => best.gap(gap),
                },
                Ok(None) => {}
                Err(gap) => best.gap(gap),
            }
        }
    }

    /// What else the value of a key must be so that it breaks a rule; none, if the key cannot.
    fn breaks(&mut self, demand: &Breach, name: &Text) -> Result<Option<Vec<Literal>>, Gap> {
        let key = Value::from(&**name);
        Ok(match demand {
            Breach::KeyLike(pattern, id) => match self.holds(*pattern, &key, 0) {
                Some(true) => Some(vec![Literal::fails(*id)]),
                Some(false) => None,
                None => return Err(Gap::Opaque(*pattern)),
            },
            Breach::Other(others) => {
                self.is_other(others, name)?.then(|| vec![Literal::fails(others.schema)])
            }
            Breach::Name(id) => match self.holds(*id, &key, 0) {
                Some(false) => Some(Vec::new()),
                Some(true) => None,
                None => return Err(Gap::Opaque(*id)),
            },
        })
    }

    /// The kinds of keys that are not named, told apart by the patterns they match.
    fn fresh(&mut self, demands: &Demands, demand: Option<&Breach>) -> Result<Vec<Fresh>, Gap> {
        if demands.told_apart.len() > MAX_PATTERNS {
            return Err(Gap::Limit("too many patterns of keys"));
        }
        let mut base: Vec<Literal> = demands.names.iter().map(|id| Literal::holds(*id)).collect();
        let named: Box<[Text]> = demands.named.iter().cloned().collect();
        let not_named = self.graph.intern(Node::TextIn(named));
        base.push(Literal::fails(not_named));
        let mut kinds = vec![Fresh { matched: Vec::new(), literals: base }];
        for pattern in &demands.told_apart {
            let mut next = Vec::new();
            for kind in kinds {
                for matched in [false, true] {
                    let fits = match demand {
                        Some(Breach::KeyLike(wanted, _)) => wanted != pattern || matched,
                        Some(Breach::Other(others)) => !(matched && others.patterns.contains(pattern)),
                        Some(Breach::Name(wanted)) => wanted != pattern || !matched,
                        None => true,
                    };
                    if !fits {
                        continue;
                    }
                    let mut literals = kind.literals.clone();
                    literals.push(Literal::new(*pattern, matched));
                    match self.satisfy_class(&literals, Classes::STRING) {
                        Answer::Empty => continue,
                        Answer::Found(_) => {}
                        Answer::Unknown(gap, _) => return Err(gap),
                    }
                    let mut all = kind.matched.clone();
                    all.push(matched);
                    next.push(Fresh { matched: all, literals });
                }
            }
            kinds = next;
        }
        Ok(kinds)
    }

    /// What the value of such a key must be.
    fn fresh_value(demands: &Demands, kind: &Fresh, demand: Option<&Breach>) -> Vec<Literal> {
        let matches =
            |pattern: &Id| demands.told_apart.binary_search(pattern).is_ok_and(|index| kind.matched[index]);
        let mut literals: Vec<Literal> = demands
            .patterns
            .iter()
            .filter(|(pattern, _)| matches(pattern))
            .map(|(_, id)| Literal::holds(*id))
            .collect();
        for others in &demands.others {
            if !others.patterns.iter().any(matches) {
                literals.push(Literal::holds(others.schema));
            }
        }
        match demand {
            Some(Breach::KeyLike(_, id)) => literals.push(Literal::fails(*id)),
            Some(Breach::Other(others)) => literals.push(Literal::fails(others.schema)),
            _ => {}
        }
        literals
    }

    /// A key of such a kind that is not there yet.
    fn fresh_key(&mut self, demands: &Demands, kind: &Fresh, draft: &Draft) -> Result<Option<Text>, Gap> {
        let mut literals = kind.literals.clone();
        let used: Box<[Text]> =
            draft.members.keys().filter(|name| !demands.named.contains(*name)).cloned().collect();
        if !used.is_empty() {
            let used = self.graph.intern(Node::TextIn(used));
            literals.push(Literal::fails(used));
        }
        // A key that can be seen is easier to read than an empty one.
        let visible = self.graph.intern(Node::MinLength(1));
        literals.push(Literal::holds(visible));
        let mut answer = self.satisfy_class(&literals, Classes::STRING);
        if answer.is_empty() {
            literals.pop();
            answer = self.satisfy_class(&literals, Classes::STRING);
        }
        match &answer {
            Answer::Empty => Ok(None),
            Answer::Found(_) => Ok(string::as_text(&answer).map(Text::from)),
            Answer::Unknown(gap, _) => Err(gap.clone()),
        }
    }

    /// Adds keys until there are enough.
    fn fill(&mut self, demands: &Demands, mut draft: Draft) -> Answer {
        let mut best = Best::new();
        if draft.members.len() as u64 > demands.most {
            return Answer::Empty;
        }
        if draft.members.len() as u64 >= demands.least {
            return draft.answer();
        }
        if demands.least > MAX_KEYS {
            return Answer::Unknown(Gap::Limit("objects with so many keys are not looked for"), None);
        }
        let missing = |draft: &Draft| (draft.members.len() as u64) < demands.least;
        let mut named: Vec<&Text> = demands.named.iter().collect();
        named.sort_by_key(|name| name.len());
        for name in named {
            if !missing(&draft) {
                break;
            }
            if draft.members.contains_key(name) {
                continue;
            }
            match self.member(demands, name, &[]) {
                Ok(Some(member)) => draft.put(name, member),
                Ok(None) => {}
                Err(gap) => best.gap(gap),
            }
        }
        if missing(&draft) {
            match self.fresh(demands, None) {
                Ok(kinds) => {
                    for kind in kinds {
                        let literals = Self::fresh_value(demands, &kind, None);
                        let member = match self.value(literals) {
                            Ok(Some(member)) => member,
                            Ok(None) => continue,
                            Err(gap) => {
                                best.gap(gap);
                                continue;
                            }
                        };
                        while missing(&draft) {
                            match self.fresh_key(demands, &kind, &draft) {
                                Ok(Some(name)) => draft.put(&name, member.clone()),
                                Ok(None) => break,
                                Err(gap) => {
                                    best.gap(gap);
                                    break;
                                }
                            }
                        }
                    }
                }
                Err(gap) => best.gap(gap),
            }
        }
        if missing(&draft) { best.answer() } else { draft.answer() }
    }
}

/// The value of a key.
#[derive(Clone)]
struct Member {
    /// What it was found for.
    literals: Vec<Literal>,
    found: Rc<Found>,
    /// Why it may not fit after all.
    doubt: Option<Gap>,
}

impl Draft {
    fn put(&mut self, name: &Text, member: Member) {
        let text = |name: &Text, member: &Member| name.len() + member.found.size + 4;
        self.size = self.size.max(1) + text(name, &member);
        if let Some(before) = self.members.insert(name.clone(), member) {
            self.size -= text(name, &before);
        }
    }

    fn answer(&self) -> Answer {
        if self.size > MAX_SIZE {
            return Solver::too_long();
        }
        let value = |(name, member): (&Text, &Member)| (name.to_string(), member.found.value.clone());
        let members: Map<String, Value> = self.members.iter().map(value).collect();
        let found = Found::new(Value::Object(members));
        match self.members.values().find_map(|member| member.doubt.clone()) {
            None => Answer::Found(found),
            Some(gap) => Answer::Unknown(gap, Some(found)),
        }
    }
}
