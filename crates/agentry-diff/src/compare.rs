//! The comparison of two schemas.

#[cfg(test)]
mod hostile;

use crate::change::{self, Change};
use crate::draft::Draft;
use crate::graph::{Graph, Id, Literal, Node};
use crate::judge::{self, NoJudge};
use crate::parse::{Parser, Place, Side as Origin, Source};
use crate::solve::{Answer, Gap, Solver};
use crate::{canonical, effect, number, settle};
use jsonschema::Validator;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// How to compare.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The draft of a schema that names none with `$schema`.
    pub draft: Draft,
    /// Whether `format` restricts values. By the drafts it only describes them, unless a validator is told otherwise.
    pub formats: bool,
    /// Whether `1.0` is another document than `1`, which the `integer` of draft 4 may refuse. Draft 4 leaves that open,
    /// and many readers see only the number.
    pub spelled_numbers: bool,
    /// Whether all numbers are what was written in the schemas. `serde_json` rounds those that are beyond 64 bits, and two
    /// that only look equal then are not known to be. [`is_exact`](crate::is_exact) tells, of a text.
    pub exact_numbers: bool,
    /// How many steps a question may take before it is answered with unknown. A step is a few microseconds. All
    /// entries of a collection together may take four times as many, and all changes together twice as many.
    pub effort: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            draft: Draft::default(),
            formats: false,
            spelled_numbers: false,
            exact_numbers: false,
            effort: 300_000,
        }
    }
}

impl Options {
    /// Sets the draft of a schema that names none.
    #[must_use]
    pub const fn with_draft(mut self, draft: Draft) -> Self {
        self.draft = draft;
        self
    }

    /// Sets whether `format` restricts values.
    #[must_use]
    pub const fn with_formats(mut self, formats: bool) -> Self {
        self.formats = formats;
        self
    }

    /// Sets whether `1.0` is another document than `1`.
    #[must_use]
    pub const fn with_spelled_numbers(mut self, spelled_numbers: bool) -> Self {
        self.spelled_numbers = spelled_numbers;
        self
    }

    /// Sets whether all numbers are what was written in the schemas.
    #[must_use]
    pub const fn with_exact_numbers(mut self, exact_numbers: bool) -> Self {
        self.exact_numbers = exact_numbers;
        self
    }

    /// Sets how many steps a question may take.
    #[must_use]
    pub const fn with_effort(mut self, effort: u64) -> Self {
        self.effort = effort;
        self
    }
}

/// One of the two schemas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The schema as it was.
    Old,
    /// The schema as it is to be.
    New,
}

impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Old => "old",
            Self::New => "new",
        })
    }
}

/// A document that one schema takes and the other refuses.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Witness {
    /// The document. A validator that shares nothing with the search has judged it by both schemas.
    pub document: Value,
    /// Whether every key in it is one that the schema which takes it declares. Keys of maps whose values have a schema
    /// count as declared; those that are only not forbidden do not, and files rarely have them.
    pub declared_keys_only: bool,
    /// The definition that it is a document of, where the schemas are collections of definitions.
    pub entry: Option<String>,
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Reason {
    /// Where in a schema the reason is; empty for the whole.
    pub pointer: String,
    /// What the matter is, as a clause.
    pub message: String,
}

impl Reason {
    pub(crate) fn whole(message: &str) -> Self {
        Self { pointer: String::new(), message: message.to_owned() }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            formatter.write_str(&self.message)
        } else {
            write!(formatter, "{}: {}", self.pointer, self.message)
        }
    }
}

/// Whether one schema takes everything that another takes.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// It does; this is proved.
    Yes,
    /// It does not: here is a document.
    No(Witness),
    /// Nobody can say, for these reasons.
    Unknown(Vec<Reason>),
    /// One of the two is not a schema of its draft.
    Invalid(Side, String),
}

impl Verdict {
    /// `yes`, `no`, `unknown` or `invalid`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No(_) => "no",
            Self::Unknown(_) => "unknown",
            Self::Invalid(..) => "invalid",
        }
    }

    /// The document that shows a no.
    pub const fn witness(&self) -> Option<&Witness> {
        match self {
            Self::No(witness) => Some(witness),
            _ => None,
        }
    }
}

/// What the comparison of two schemas found.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// Whether the new schema takes every document that the old one takes: existing files stay valid.
    pub backward: Verdict,
    /// Whether the old schema takes every document that the new one takes: existing readers can read new files.
    pub forward: Verdict,
    /// Every difference, with what it does.
    pub changes: Vec<Change>,
}

/// Compares two schemas by meaning.
pub fn compare(old: &Value, new: &Value, options: &Options) -> Comparison {
    on_a_large_stack(|| match Session::start(old, new, options) {
        Ok(session) => session.run(),
        Err(done) => *done,
    })
}

/// Whether the new schema takes every document that the old one takes, without the changes that lead there.
pub fn accepts_all(old: &Value, new: &Value, options: &Options) -> Verdict {
    on_a_large_stack(|| match Session::start(old, new, options) {
        Ok(mut session) => session.direction(false),
        Err(done) => done.backward,
    })
}

/// Schemas that are nested deeply need a deep stack; a limit on nesting keeps it from being used up.
fn on_a_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    const STACK: usize = 512 << 20;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => std::panic::panic_any(format!("no thread for the comparison: {error}")),
        }
    })
}

/// A place from which both schemas are compared.
struct Entry {
    name: Option<String>,
    old_at: String,
    new_at: String,
    old: Id,
    new: Id,
    /// The same as they were read, before what is alike became one.
    read: (Id, Id),
    /// The validators of both, once they are needed.
    judges: Option<Judges>,
}

/// The validators of both sides; none, where there is none.
type Judges = Option<Rc<(Validator, Validator)>>;

/// What judging a document may cost, in statements that are looked at.
const JUDGED: u64 = 4_000_000;
/// Steps that it costs to build the validators of an entry, for each statement.
const BUILT: u64 = 4;
/// Bytes of smaller documents that are written for the price of a step.
const WRITTEN: u64 = 256;
/// Places in the schemas of all validators that are kept at once.
const MAX_KEPT: usize = 100_000;
/// Efforts that the entries of a collection may take together.
const EFFORTS: u64 = 4;

/// Everything that the questions about two schemas share.
pub(crate) struct Session<'a> {
    pub(crate) parser: Parser<'a>,
    pub(crate) settled: Vec<Id>,
    pub(crate) solver: Solver,
    entries: Vec<Entry>,
    pub(crate) effort: u64,
    formats: bool,
    /// Whether some schema refers to its own negation in place, so that validators differ about what it takes.
    paradox: bool,
}

impl<'a> Session<'a> {
    fn start(old: &'a Value, new: &'a Value, options: &Options) -> Result<Self, Box<Comparison>> {
        let draft = |schema: &Value| Draft::of(schema, options.draft);
        let mut judges = Vec::new();
        for (side, schema) in [(Side::Old, old), (Side::New, new)] {
            match judge::judge(schema, draft(schema), options.formats) {
                Ok(judge) => judges.push(judge),
                Err(NoJudge::Incomplete) => {}
                Err(NoJudge::Invalid(message)) => {
                    let verdict = Verdict::Invalid(side, message);
                    let forward = verdict.clone();
                    return Err(Box::new(Comparison { backward: verdict, forward, changes: Vec::new() }));
                }
            }
        }
        // The same text means the same, whether or not it is modelled.
        if old == new && (options.exact_numbers || number::all_exact(old)) {
            let (backward, forward) = (Verdict::Yes, Verdict::Yes);
            return Err(Box::new(Comparison { backward, forward, changes: Vec::new() }));
        }
        let mut parser = Parser::new(Source::new(old, draft(old)), Source::new(new, draft(new)), options);
        let root = |parser: &mut Parser<'a>, side| parser.at(side, "").unwrap_or(Graph::ANY);
        let roots = (root(&mut parser, Origin::Old), root(&mut parser, Origin::New));
        let definitions = shared_definitions(old, new);
        let entries: Vec<_> = definitions
            .iter()
            .filter_map(|(old_at, new_at, name)| {
                Some((name.clone(), parser.at(Origin::Old, old_at)?, parser.at(Origin::New, new_at)?))
            })
            .collect();
        let mut graph = Graph::new();
        let mut settled: Vec<Id> = (0..256).collect();
        settle::settle(&mut parser.nodes, &mut graph, &mut settled);
        let solver = Solver::new(graph, options.spelled_numbers, Box::new(judge::takes));
        let negates = |node: &Node| matches!(node, Node::Opaque(opaque) if &*opaque.why == settle::PARADOX);
        let paradox = parser.nodes.iter().any(negates);
        let mut session = Self {
            parser,
            settled,
            solver,
            entries: Vec::new(),
            effort: options.effort,
            formats: options.formats,
            paradox,
        };
        // A root that leads to definitions says which documents there are, even if it takes any.
        let leads_on = |schema: &Value| {
            let mut keywords = schema.as_object().into_iter().flat_map(Map::keys);
            keywords.any(|keyword| canonical::leads_on(keyword))
        };
        let is_any = |session: &Self, raw: Id| session.settled[raw as usize] == Graph::ANY;
        let says_nothing = [(old, roots.0), (new, roots.1)]
            .into_iter()
            .all(|(schema, root)| is_any(&session, root) && !leads_on(schema));
        if says_nothing && !entries.is_empty() {
            for ((name, old_id, new_id), (old_at, new_at, _)) in entries.into_iter().zip(&definitions) {
                session.entries.push(Entry {
                    name: Some(name),
                    old_at: old_at.clone(),
                    new_at: new_at.clone(),
                    old: session.settled[old_id as usize],
                    new: session.settled[new_id as usize],
                    read: (old_id, new_id),
                    judges: None,
                });
            }
        } else {
            let both_judged = judges.len() == 2;
            let mut judges = judges.into_iter();
            let judges = judges.next().zip(judges.next()).filter(|_| both_judged);
            session.entries.push(Entry {
                name: None,
                old_at: String::new(),
                new_at: String::new(),
                old: session.settled[roots.0 as usize],
                new: session.settled[roots.1 as usize],
                read: roots,
                judges: Some(judges.map(Rc::new)),
            });
        }
        Ok(session)
    }

    fn run(mut self) -> Comparison {
        let backward = self.direction(false);
        let forward = self.direction(true);
        let changes = self.changes(&backward, &forward);
        Comparison { backward, forward, changes }
    }

    /// The nodes of an entry.
    pub(crate) fn entry(&self, entry: usize) -> (Id, Id) {
        (self.entries[entry].old, self.entries[entry].new)
    }

    /// Every difference, with what it does.
    fn changes(&mut self, backward: &Verdict, forward: &Verdict) -> Vec<Change> {
        let differences = change::differences(self, self.formats);
        effect::told(self, differences, backward, forward)
    }

    /// Where the entries are in one of the schemas.
    pub(crate) fn places(&self, side: Origin) -> Vec<String> {
        let at = |entry: &Entry| if side == Origin::New { &entry.new_at } else { &entry.old_at }.clone();
        self.entries.iter().map(at).collect()
    }

    /// What a place that was read means, so that equal numbers mean the same.
    pub(crate) fn meaning(&self, place: &Place<'a>) -> Option<Id> {
        let raw = self.parser.known.get(&(place.side, place.pointer.clone()))?;
        self.settled.get(*raw as usize).copied()
    }

    /// Whether one side takes all that the other takes, from every entry.
    fn direction(&mut self, forward: bool) -> Verdict {
        let mut reasons = Vec::new();
        let mut best: Option<Witness> = None;
        let until = self.solver.steps().saturating_add(self.effort.saturating_mul(EFFORTS));
        for entry in 0..self.entries.len() {
            let left = until.saturating_sub(self.solver.steps());
            if best.is_some() && left < self.effort {
                // It is a no; only a shorter document could come.
                break;
            }
            let (from, to) = match &self.entries[entry] {
                entry if forward => (entry.new, entry.old),
                entry => (entry.old, entry.new),
            };
            let literals = [Literal::holds(from), Literal::fails(to)];
            match self.question_within(entry, forward, &literals, left) {
                Ok(None) => {}
                Ok(Some(witness)) => {
                    let size = |witness: &Witness| witness.document.to_string().len();
                    if best.as_ref().is_none_or(|best| size(&witness) < size(best)) {
                        best = Some(witness);
                    }
                }
                Err(reason) => reasons.push(reason),
            }
        }
        match best {
            Some(witness) => Verdict::No(witness),
            None if reasons.is_empty() => Verdict::Yes,
            None => Verdict::Unknown(reasons),
        }
    }

    /// A document that the accepting side takes, the other refuses, and for which some literals hold.
    /// It is looked for in so many steps, and no more than one question may take.
    pub(crate) fn question_within(
        &mut self,
        entry: usize,
        forward: bool,
        literals: &[Literal],
        effort: u64,
    ) -> Result<Option<Witness>, Reason> {
        let until = self.solver.steps().saturating_add(effort.min(self.effort));
        let answer = self.solver.ask(literals, effort.min(self.effort));
        let (found, gap) = match answer {
            Answer::Empty => return Ok(None),
            Answer::Found(found) => (found, None),
            Answer::Unknown(gap, Some(found)) => (found, Some(self.reason(&gap))),
            Answer::Unknown(gap, None) => return Err(self.reason(&gap)),
        };
        let cost = self.cost_of_judges(entry);
        let too_dear = cost > 0 && self.solver.steps().saturating_add(cost) > until;
        if too_dear && self.entries.iter().any(|entry| entry.judges.is_some()) {
            return Err(Reason::whole(
                "a document was found, but building a validator for it would exceed the limit",
            ));
        }
        let judges = self.judges(entry);
        let entry = &self.entries[entry];
        let Some((old, new)) = judges.as_deref() else {
            return Err(gap.unwrap_or_else(|| self.no_validator()));
        };
        let (from, to) = if forward { (new, old) } else { (old, new) };
        let (accepting, refusing) = if forward { (entry.new, entry.old) } else { (entry.old, entry.new) };
        // A validator follows each way through what is shared.
        let cost = self.parser.cost(entry.read.0, &found.value);
        let cost = cost.saturating_add(self.parser.cost(entry.read.1, &found.value));
        if cost > JUDGED {
            return Err(Reason::whole(
                "a document was found, but to judge it would take a validator too long",
            ));
        }
        let (solver, paradox) = (&mut self.solver, self.paradox);
        solver.spend(cost / 64);
        let shows = |solver: &mut Solver, document: &Value| {
            let certain = !paradox
                || solver.judges(accepting, document) == Some(true)
                    && solver.judges(refusing, document) == Some(false);
            certain && from.is_valid(document) && !to.is_valid(document)
        };
        if !shows(solver, &found.value) {
            let message = format!("a validator judges {} differently", found.value);
            return Err(gap.unwrap_or_else(|| Reason::whole(&message)));
        }
        // The validator knows nothing of changes made alone: what was asked about them must go on to hold.
        let attempts = usize::try_from(JUDGED / cost.max(1)).unwrap_or(usize::MAX);
        let (document, written) = judge::shrunk(&found.value, attempts, |document| {
            solver.spend(cost / 1_024);
            shows(solver, document)
                && literals.iter().all(|literal| {
                    let holds = solver.judges(literal.id(), document);
                    holds.is_none() || holds == Some(literal.positive())
                })
        });
        self.solver.spend(written as u64 / WRITTEN);
        let name = entry.name.clone();
        let declared_keys_only = self.solver.declares(accepting, &document);
        Ok(Some(Witness { document, declared_keys_only, entry: name }))
    }

    /// Steps that it costs to have the validators of an entry: each is built for the whole schema, and checks it first.
    fn cost_of_judges(&self, entry: usize) -> u64 {
        match self.entries[entry].judges {
            Some(_) => 0,
            None => BUILT * self.parser.known.len() as u64,
        }
    }

    /// The validators for the documents of an entry.
    fn judges(&mut self, entry: usize) -> Judges {
        if let Some(known) = &self.entries[entry].judges {
            return known.clone();
        }
        let judge = |source: &Source<'a>, at: &str| {
            let mut entered: Map<String, Value> = source.document.as_object().cloned().unwrap_or_default();
            entered.insert("$ref".to_owned(), Value::from(format!("#{at}")));
            judge::build(&Value::Object(entered), source.draft, self.formats).ok()
        };
        self.solver.spend(self.cost_of_judges(entry));
        let kept = self.entries.iter().filter(|entry| entry.judges.is_some()).count();
        if (kept + 1) * self.parser.known.len() > MAX_KEPT {
            self.entries.iter_mut().for_each(|entry| entry.judges = None);
        }
        let found = &self.entries[entry];
        let old = judge(&self.parser.old, &found.old_at);
        let judges = old.zip(judge(&self.parser.new, &found.new_at)).map(Rc::new);
        self.entries[entry].judges = Some(judges.clone());
        judges
    }

    /// Why there is no validator: mostly a reference that leads out of the schemas.
    fn no_validator(&self) -> Reason {
        let (found, what) = ("a document was found, but", "so that no validator can judge it");
        self.parser.unresolved.first().map_or_else(
            || Reason::whole("a document was found, but no validator can judge it"),
            |(pointer, why)| Reason { pointer: pointer.clone(), message: format!("{found} {why}, {what}") },
        )
    }

    fn reason(&self, gap: &Gap) -> Reason {
        match gap {
            Gap::Limit(message) => Reason { pointer: String::new(), message: (*message).to_owned() },
            Gap::Opaque(id) => match self.solver.graph.node(*id) {
                Node::Opaque(opaque) => {
                    Reason { pointer: opaque.pointer.to_string(), message: opaque.why.to_string() }
                }
                _ => Reason {
                    pointer: String::new(),
                    message: "a pattern is too large for an automaton".to_owned(),
                },
            },
        }
    }
}

/// The definitions that both schemas have, with their places and names.
fn shared_definitions(old: &Value, new: &Value) -> Vec<(String, String, String)> {
    let all = |schema: &Value| -> Vec<(String, String)> {
        ["definitions", "$defs"]
            .iter()
            .filter_map(|keyword| Some((*keyword, schema.get(keyword)?.as_object()?)))
            .flat_map(|(keyword, map)| {
                let at = format!("/{keyword}");
                map.keys().map(move |name| (name.clone(), crate::pointer::join(&at, name)))
            })
            .collect()
    };
    let new = all(new);
    let mut places: HashMap<&str, &str> = HashMap::new();
    for (name, at) in &new {
        places.entry(name).or_insert(at);
    }
    let shared = all(old).into_iter().filter_map(|(name, at)| {
        let new_at = (*places.get(name.as_str())?).to_owned();
        Some((at, new_at, name))
    });
    shared.collect()
}
