//! The laws that schema and reader are one, tested on documents made from the schemas.
//!
//! For every document: the strict schema accepts it exactly when the strict reading has no error; the tolerant schema
//! accepts it exactly when the tolerant reading loses nothing; what the strict schema accepts, the tolerant one does;
//! and what was read is written back as it was. Only the rules of [`BEYOND`] may come between. Both schemas are judged
//! by a validator that is not the checker's.
//!
//! The documents fit the schema, or break one keyword at one place, for every keyword at every place; others are
//! changed somewhere without regard to the schema, with the keys that the type itself knows among the changes, so
//! that what a schema fails to say is found too. [`run`] counts what was met, and a run that met too little fails.

mod beyond;
pub mod grammar;
pub mod judge;
mod make;
mod pattern;
pub mod random;
mod shrink;
mod subject;
mod tally;
pub mod text;

pub use beyond::{BEYOND, Beyond};
pub use subject::{Outcome, Sort, Subject};
pub use tally::{Met, Report, faults, table};

use agentry_text::{Document, Finding, Format, Mode, Value, rules};
use grammar::Grammar;
use judge::Judge;
use make::Maker;
use random::Random;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The seed of every run that does not name another.
pub const SEED: u64 = 0x5eed_a9e1_7e57_1a35;

/// How often every keyword is met at every place.
pub const HITS: usize = 20;

/// How many documents have a value that just keeps a bound, for every bound at every place.
const EDGES: usize = 4;

/// How many documents are made of each subject, and from which seed.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The documents of each kind and message. More are made where the keywords ask for more.
    pub per_kind: usize,
    /// The documents of each side of a contract.
    pub per_side: usize,
    /// What everything is drawn from.
    pub seed: u64,
    /// How often each keyword is to be met at each place.
    pub hits: usize,
    /// After so many disagreements about one subject the rest is not looked at.
    pub patience: usize,
}

impl Options {
    /// What is run with every change.
    pub const USUAL: Self = Self { per_kind: 10_000, per_side: 1_000, seed: SEED, hits: HITS, patience: 5 };

    /// The same, or the share of it that [`crate::one_in`] asks for.
    pub fn share_of_usual() -> Self {
        let Self { per_kind, per_side, seed, hits, patience } = Self::USUAL;
        let [per_kind, per_side, hits] = [per_kind, per_side, hits].map(crate::share);
        Self { per_kind, per_side, seed, hits, patience }
    }
}

/// A document on which a law does not hold.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The law.
    pub law: &'static str,
    /// The smallest document found that shows it.
    pub document: Json,
    /// What one side says and the other does not.
    pub detail: String,
}

/// What a document showed.
#[derive(Default)]
pub struct Shown {
    /// Whether the strict schema accepts it.
    pub accepted: bool,
    /// The rules beyond the schema that came between, by their index in [`BEYOND`].
    pub beyond: Vec<usize>,
    /// The formats that it was written in, by their index in those of the subject.
    pub written: Vec<usize>,
    /// The laws that it breaks.
    pub broken: Vec<(&'static str, String)>,
    /// The options that the reader named where it was given another text: it may know more of them than the schema.
    pub options: Vec<String>,
}

/// A subject with its schemas compiled.
pub struct Court<'s> {
    subject: &'s Subject,
    grammar: &'s Grammar,
    strict: Judge,
    tolerant: Judge,
    draft_07: Option<Judge>,
}

impl<'s> Court<'s> {
    /// Compiles the schemas of a subject.
    pub fn new(subject: &'s Subject, grammar: &'s Grammar) -> Self {
        Self {
            subject,
            grammar,
            strict: Judge::new(&subject.strict),
            tolerant: Judge::new(&subject.tolerant),
            draft_07: subject.draft_07.as_ref().map(Judge::new),
        }
    }

    /// Looks at a document by every law. The costlier laws are left out unless `all` are asked for.
    pub fn look(&self, document: &Json, all: bool) -> Shown {
        let mut shown = Shown::default();
        let text = document.to_string();
        let parsed = agentry_text::json::parse(&text);
        let read =
            |mode| if all { self.subject.read(&parsed, mode) } else { self.subject.only_read(&parsed, mode) };
        let strict = read(Mode::Strict);
        // What is read strictly is read by the same code in the same way: that it is, is looked at with the costlier laws.
        let tolerant = (all || !strict.is_whole()).then(|| read(Mode::Tolerant));

        for finding in strict.findings.iter().filter(|finding| finding.rule.name == "unknown-option") {
            let words = finding.help.as_deref().unwrap_or_default().split('`').skip(1).step_by(2);
            shown.options.extend(words.map(str::to_owned));
        }
        let current = match rewrite_legacy(document, &strict.findings) {
            Ok(current) => current,
            Err(why) => {
                // No document in current names says the same, so there is nothing to compare: it must be refused.
                if strict.is_whole() || tolerant.is_some_and(|tolerant| tolerant.is_whole()) {
                    shown.broken.push(("legacy", why));
                }
                return shown;
            }
        };
        let current = current.as_ref().unwrap_or(document);
        shown.accepted = self.strict.accepts(current);
        let tolerated = self.tolerant.accepts(current);

        self.compare("strict", shown.accepted, &strict, current, &mut shown);
        if let Some(tolerant) = &tolerant {
            self.compare("tolerant", tolerated, tolerant, current, &mut shown);
        }
        if shown.accepted && !tolerated {
            shown
                .broken
                .push(("contained", "the strict schema accepts it, the tolerant one does not".to_owned()));
        }
        if self.grammar.accepts(current) != shown.accepted {
            shown
                .broken
                .push(("generator", format!("the judge says {}, the generator does not", shown.accepted)));
        }
        if let Some(tolerant) = tolerant.filter(|_| all) {
            if strict.is_whole() && !(tolerant.is_whole() && strict.written == tolerant.written) {
                shown.broken.push(("contained", "the two readings give two values".to_owned()));
            }
            if let Some(draft_07) = &self.draft_07
                && draft_07.accepts(current) != shown.accepted
            {
                shown.broken.push(("draft-07", format!("2020-12 says {}, Draft 7 does not", shown.accepted)));
            }
            self.written_back(current, &tolerant, &mut shown);
            self.in_other_formats(&parsed, &strict, &mut shown);
            if self.subject.is_read_tolerantly() {
                self.costs_an_entry(document, &tolerant, &mut shown);
            }
        }
        shown
    }

    /// The verdict of a schema and that of a reading.
    fn compare(
        &self,
        law: &'static str,
        accepted: bool,
        outcome: &Outcome,
        document: &Json,
        shown: &mut Shown,
    ) {
        if accepted == outcome.is_whole() {
            return;
        }
        if !accepted {
            shown.broken.push((law, REFUSED.to_owned()));
            return;
        }
        // That there are more errors than are shown says nothing beside those.
        let errors = outcome.errors().filter(|finding| finding.rule != &rules::TOO_MANY_FINDINGS);
        let mut others = errors.filter(|finding| match self.beyond(finding, document) {
            Some(row) => {
                shown.beyond.push(row);
                false
            }
            None => true,
        });
        let first = others.next().map(|finding| {
            format!(
                "the schema accepts it; the reader: {} at `{}`: {}",
                finding.rule.name, finding.pointer, finding.message
            )
        });
        let silent = outcome.errors().next().is_none();
        if let Some(detail) = first.or_else(|| silent.then(|| "it is refused without an error".to_owned())) {
            shown.broken.push((law, detail));
        }
    }

    /// The rule beyond the schema that a finding is about.
    fn beyond(&self, finding: &Finding, document: &Json) -> Option<usize> {
        BEYOND.iter().position(|row| {
            row.rule == finding.rule.name
                && (row.label.is_empty() || row.label == finding.label)
                && (row.definition.is_empty()
                    || document.pointer(&finding.pointer).is_some_and(|value| {
                        value.as_str().is_some_and(row.has_form)
                            && self.grammar.definitions_of(document, value).contains(row.definition)
                    }))
        })
    }

    /// Nothing is lost: what was read is written as it was, unknown keys and options too, and reads as the same.
    fn written_back(&self, document: &Json, tolerant: &Outcome, shown: &mut Shown) {
        let Some(written) = tolerant.written.as_ref().filter(|_| tolerant.is_whole()) else { return };
        let json = serde_json::to_value(written).unwrap_or_default();
        let mut document = document.clone();
        let is_kept = self.subject.sort == Sort::Kind && self.subject.is_read_tolerantly();
        if let (Json::Object(table), false) = (&mut document, is_kept) {
            // An annotation, and no argument: a call is handed on without it. What only the checker reads, it writes anew.
            table.shift_remove("$schema");
        }
        let document = &document;
        // A form that is another way to write the same may be written back in the usual way: nothing may be gone.
        if !grammar::equal(&json, document) && !says_the_same(&leaves(&json), leaves(document)) {
            shown.broken.push(("written", format!("it is written back as {json}")));
        }
        let again = self.subject.read(&Document::from(written.clone()), Mode::Tolerant);
        if again.written.as_ref() != Some(written) {
            shown.broken.push(("written", "what is written does not read as the same value".to_owned()));
        }
    }

    /// What cannot be read costs the entry of the list that it is in, and nothing else: the tolerant reading gives what
    /// is read of the document without that entry.
    fn costs_an_entry(&self, document: &Json, tolerant: &Outcome, shown: &mut Shown) {
        let Some(mut entries) = unreadable_entries(document, tolerant) else { return };
        let Some((list, _)) = entries.first().cloned() else { return };
        let mut document = document.clone();
        let rest = loop {
            // From the end, so that an index still names what it named.
            entries.sort_by(|one, other| other.cmp(one));
            for (list, index) in &entries {
                if let Some(Json::Array(items)) = document.pointer_mut(list) {
                    items.remove(*index);
                }
            }
            let rest = self.subject.read(&agentry_text::json::parse(&document.to_string()), Mode::Tolerant);
            match unreadable_entries(&document, &rest) {
                Some(more) if !more.is_empty() => entries = more,
                _ => break rest,
            }
        };
        if rest.is_whole() && rest.written != tolerant.written {
            let cost = if tolerant.written.is_some() { "something else" } else { "the whole document" };
            shown.broken.push(("entry", format!("an unreadable entry of `{list}` costs {cost}")));
        }
    }

    /// The same document as text in each format: the same tree, and the same verdict.
    fn in_other_formats(&self, parsed: &Document, strict: &Outcome, shown: &mut Shown) {
        let Some(root) = &parsed.root else { return };
        let value = Value::from(root);
        for (index, format) in
            self.subject.formats.iter().enumerate().filter(|(_, format)| **format != Format::Json)
        {
            let Some(text) = text::write(*format, &value) else { continue };
            shown.written.push(index);
            let parsed = text::parse(*format, &text);
            let again = parsed.root.as_ref().map(Value::from);
            if again.as_ref() != Some(&value) {
                shown.broken.push((format.name(), format!("it is another document in this format:\n{text}")));
                continue;
            }
            let outcome = self.subject.read(&parsed, Mode::Strict);
            if outcome.is_whole() != strict.is_whole() || outcome.written != strict.written {
                let why = outcome.errors().next().map(|finding| finding.message.clone()).unwrap_or_default();
                shown.broken.push((
                    format.name(),
                    format!("it is read in another way in this format: {why}\n{text}"),
                ));
            }
        }
    }
}

/// What is left out where a document says it, because its specification asks for that: a key with its default, as
/// [`leaves`] has it.
const LEFT_OUT: [&str; 1] = ["elicitation_policy \"url\""];

/// Whether what was written holds all that the document holds, but for what is left out, and nothing else.
fn says_the_same(written: &[String], mut document: Vec<String>) -> bool {
    let held = written.iter().all(|leaf| {
        document.iter().position(|other| other == leaf).map(|index| document.remove(index)).is_some()
    });
    held && document.iter().all(|leaf| LEFT_OUT.contains(&leaf.as_str()))
}

/// Rules between an entry and the table that the list is in: either may be meant otherwise, so they cost the table.
const BETWEEN: [&str; 1] = ["include-circle"];

/// The entries that cannot be read. Where there is none, those that repeat another: of two that share what tells them
/// apart, the one that can be read stays. None where something else cannot be read.
fn unreadable_entries(document: &Json, outcome: &Outcome) -> Option<Vec<(String, usize)>> {
    let (mut unreadable, mut repeated) = (Vec::new(), Vec::new());
    for finding in outcome.errors() {
        if BETWEEN.contains(&finding.rule.name) {
            return None;
        }
        let entry = entry_around(document, &finding.pointer)?;
        let entries = if finding.rule.name == "duplicate-entry" { &mut repeated } else { &mut unreadable };
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    Some(if unreadable.is_empty() { repeated } else { unreadable })
}

/// The innermost entry of a list of tables around a place: the list, and the index in it. None where there is none, or
/// where a table stands between the two, for its keys may be entries themselves.
fn entry_around(document: &Json, pointer: &str) -> Option<(String, usize)> {
    let mut inner = pointer;
    let mut between = 0;
    while let Some((list, segment)) = inner.rsplit_once('/') {
        let here = document.pointer(inner)?;
        if here.is_object() {
            if document.pointer(list).is_some_and(Json::is_array) {
                return (between == 0).then(|| Some((list.to_owned(), segment.parse().ok()?)))?;
            }
            between += 1;
        }
        inner = list;
    }
    None
}

/// The values of a document that hold no others, each with its key, sorted: the same wherever they stand.
fn leaves(document: &Json) -> Vec<String> {
    fn gather(key: &str, value: &Json, found: &mut Vec<String>) {
        match value {
            Json::Array(items) if !items.is_empty() => items.iter().for_each(|item| gather(key, item, found)),
            Json::Object(table) if !table.is_empty() => {
                table.iter().for_each(|(key, value)| gather(key, value, found));
            }
            Json::Number(number) => found.push(format!("{key} {:?}", number.as_f64())),
            _ => found.push(format!("{key} {value}")),
        }
    }
    let mut found = Vec::new();
    gather("", document, &mut found);
    found.sort();
    found
}

/// The document with current names in the place of older ones; None where there are none. An error where a key
/// stands under both names.
fn rewrite_legacy(document: &Json, findings: &[Finding]) -> Result<Option<Json>, String> {
    let mut current: Option<Json> = None;
    if let Some(both) = findings.iter().find(|finding| finding.message.ends_with("are two names of one key"))
    {
        return Err(format!("{}, and the document was read", both.message));
    }
    // From the inside out, so that a pointer still leads to what it names.
    let mut legacy: Vec<&Finding> =
        findings.iter().filter(|finding| finding.rule.name == "legacy-name").collect();
    legacy.sort_by_key(|finding| std::cmp::Reverse(finding.pointer.matches('/').count()));
    for finding in legacy {
        let name = finding.help.as_deref().and_then(|help| help.strip_prefix("write `")?.strip_suffix('`'));
        let (Some(name), Some((parent, key))) = (name, finding.pointer.rsplit_once('/')) else {
            return Err(format!("what is to be written is not said: {:?}", finding.help));
        };
        let document = current.get_or_insert_with(|| document.clone());
        let key = key.replace("~1", "/").replace("~0", "~");
        let is_option = document.pointer(&finding.pointer).and_then(Json::as_str).is_some()
            && finding.message.starts_with(&format!(
                "`{}`",
                document.pointer(&finding.pointer).and_then(Json::as_str).unwrap_or_default()
            ))
            && !finding.message.starts_with(&format!("`{key}`"));
        match document.pointer_mut(parent) {
            Some(Json::Object(table)) if is_option => {
                table.insert(key, name.into());
            }
            Some(Json::Object(table)) => {
                let value = table.shift_remove(&key).unwrap_or_default();
                if table.insert(name.to_owned(), value).is_some() {
                    return Err(format!("`{key}` and `{name}` are both there, and one was read"));
                }
            }
            Some(Json::Array(items)) => {
                if let Some(item) = key.parse::<usize>().ok().and_then(|index| items.get_mut(index)) {
                    *item = name.into();
                }
            }
            _ => {}
        }
    }
    Ok(current)
}

/// Tests the laws on one subject.
pub fn examine(subject: &Subject, options: &Options) -> Report {
    let grammar = Grammar::new(&subject.strict);
    let court = Court::new(subject, &grammar);
    let mut maker =
        Maker::new(&grammar, subject.shape, &subject.examples, Random::of(options.seed, &subject.name));
    let mut report = Report::new(subject, &grammar);
    let wanted = match subject.sort {
        Sort::Kind => options.per_kind,
        Sort::Side => options.per_side,
    };
    for example in &subject.examples {
        report.take(&court, example, None, &mut maker);
    }
    let mut last = Json::Null;
    // First every keyword at every place, as often as asked for; then what comes.
    for target in 0..grammar.keywords().len() {
        let mut tries = 0;
        while report.asks_for(target, options.hits, tries) {
            tries += 1;
            let Some(document) = maker.breaking(target) else {
                // Much was tried in vain to make it.
                tries += 9;
                continue;
            };
            report.take(&court, &document, Some(target), &mut maker);
            // One that fits for about one that does not.
            if report.share_accepted() < 45 {
                last = maker.fitting();
                report.take(&court, &last, None, &mut maker);
            }
            if report.disagreements.len() >= options.patience {
                return report;
            }
        }
    }
    // Every bound, from within: what is one too many was met above.
    for target in 0..grammar.keywords().len() {
        for _ in 0..EDGES {
            let Some(document) = maker.at_bound(target) else { break };
            report.take(&court, &document, None, &mut maker);
        }
    }
    while report.documents < wanted {
        let document = match maker.random.below(11) {
            0..=3 => {
                last = maker.fitting();
                last.clone()
            }
            // What accepts everything has nothing to break.
            4..=6 if !grammar.keywords().is_empty() => {
                let target = maker.random.below(grammar.keywords().len());
                maker.breaking(target).unwrap_or(Json::Null)
            }
            7 => {
                let example = maker.random.pick(&subject.examples).cloned();
                let document = example.unwrap_or_else(|| maker.fitting());
                maker.wild(&document)
            }
            8 | 9 if grammar.size() > 0 => {
                let node = maker.random.below(grammar.size());
                maker.near(node).unwrap_or(Json::Null)
            }
            _ => maker.wild(&last),
        };
        report.take(&court, &document, None, &mut maker);
        if report.disagreements.len() >= options.patience {
            break;
        }
    }
    report
}

/// What is said of a schema that is stricter than its reader.
const REFUSED: &str = "the schema refuses it, the reader does not";

/// A document with a text planted where a schema has one.
#[derive(Clone, Debug)]
pub struct Planted {
    /// The document.
    pub document: Json,
    /// The place of the schema that the text is compared with.
    pub schema: String,
    /// Where the text stands in the document.
    pub pointer: String,
    /// Whether the schema marks its values as secret.
    pub secret: bool,
}

/// A document for every place of a schema that a text can stand at, the names of keys among them. The text that is
/// planted there may fit or not.
pub fn plant(subject: &Subject, mut text: impl FnMut(usize) -> String) -> Vec<Planted> {
    let grammar = Grammar::new(&subject.strict);
    let mut maker = Maker::new(&grammar, subject.shape, &subject.examples, Random::of(SEED, &subject.name));
    let mut found = Vec::new();
    for node in 0..grammar.size() {
        let text = text(node);
        if let Some((document, pointer)) = (0..8).find_map(|_| maker.planting(node, &text)) {
            let grammar::Node { place, secret, .. } = grammar.node(node);
            found.push(Planted { document, schema: place.clone(), pointer, secret: *secret });
        }
    }
    found
}

/// Documents of a subject as the laws draw them: some fit, some are changed without regard to the schema.
pub fn documents(subject: &Subject, count: usize, seed: u64) -> Vec<Json> {
    let grammar = Grammar::new(&subject.strict);
    let mut maker = Maker::new(&grammar, subject.shape, &subject.examples, Random::of(seed, &subject.name));
    let mut last = maker.fitting();
    (0..count)
        .map(|turn| {
            if turn % 2 == 1 {
                return maker.wild(&last);
            }
            last = maker.fitting();
            last.clone()
        })
        .collect()
}

/// A document changed at random, without regard to any schema.
pub fn mutations(subject: &Subject, document: &Json, count: usize, seed: u64) -> Vec<Json> {
    let grammar = Grammar::new(&subject.strict);
    let mut maker = Maker::new(&grammar, subject.shape, &subject.examples, Random::of(seed, &subject.name));
    (0..count).map(|_| maker.wild(document)).collect()
}

/// In which way a schema was found to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// It accepts what the reader refuses.
    Laxer,
    /// It refuses what the reader takes.
    Stricter,
}

/// Looks for documents that show a schema to be wrong at one place, where a keyword is or was, until it was found to be
/// wrong in so many `ways`. How it is wrong, and after how many documents the last of that was found.
pub fn hunt(subject: &Subject, place: &str, documents: usize, ways: usize) -> (BTreeSet<Wrong>, usize) {
    let grammar = Grammar::new(&subject.strict);
    let court = Court::new(subject, &grammar);
    let mut aim = Aim::new(&grammar, subject, place);
    let (mut found, mut last) = (BTreeSet::new(), 0);
    for count in 1..=documents {
        let Some(document) = aim.document() else { continue };
        let shown = court.look(&document, false);
        aim.maker.learn(shown.options);
        let mut wrong = shown.broken.iter().filter(|(law, _)| ["strict", "tolerant"].contains(law));
        if let Some((_, detail)) = wrong.next() {
            last = count;
            found.insert(if detail == REFUSED { Wrong::Stricter } else { Wrong::Laxer });
            if found.len() >= ways {
                break;
            }
        }
    }
    (found, last)
}

/// Whether two schemas say different things, as far as documents show that are made from the one and aimed at a place.
pub fn differ(subject: &Subject, other: &Json, place: &str, documents: usize) -> Option<Json> {
    let grammar = Grammar::new(&subject.strict);
    let (one, other) = (Judge::new(&subject.strict), Judge::new(other));
    let mut aim = Aim::new(&grammar, subject, place);
    let mut made = (0..documents).filter_map(|_| aim.document());
    made.find(|document| one.accepts(document) != other.accepts(document))
}

/// Makes documents that meet one keyword at one place.
struct Aim<'g> {
    maker: Maker<'g>,
    nodes: Vec<usize>,
    keywords: Vec<usize>,
    examples: &'g [Json],
    turn: usize,
}

impl<'g> Aim<'g> {
    fn new(grammar: &'g Grammar, subject: &'g Subject, place: &str) -> Self {
        let random = Random::of(SEED, place);
        Self {
            maker: Maker::new(grammar, subject.shape, &subject.examples, random),
            nodes: grammar.nodes_at(place.rsplit_once('/').map_or("", |(node, _)| node)),
            keywords: grammar.keywords_at(place),
            examples: &subject.examples,
            turn: 0,
        }
    }

    fn document(&mut self) -> Option<Json> {
        self.turn += 1;
        let maker = &mut self.maker;
        let node = maker.random.pick(&self.nodes).copied()?;
        let keyword = maker.random.pick(&self.keywords).copied();
        match self.turn % 6 {
            0 => maker.meeting(node),
            1 | 2 => keyword.and_then(|keyword| maker.breaking(keyword)).or_else(|| maker.near(node)),
            3 => keyword.and_then(|keyword| maker.at_bound(keyword)).or_else(|| maker.near(node)),
            4 if self.turn.is_multiple_of(4) => {
                let example = maker.random.pick(self.examples)?;
                Some(maker.wild(example))
            }
            _ => maker.near(node),
        }
    }
}

/// Tests the laws on several subjects, on every processor there is. The reports are in the order of the subjects, and
/// the same on every machine.
pub fn run(subjects: &[Subject], options: &Options) -> Vec<Report> {
    let next = AtomicUsize::new(0);
    let reports: Mutex<Vec<(usize, Report)>> = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(subjects.len());
    // The largest first: the last to end should be a short one.
    let mut order: Vec<usize> = (0..subjects.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(subjects[*index].strict.to_string().len()));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = examine(&subjects[index], options);
                    reports.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, report));
                }
            });
        }
    });
    let mut reports = reports.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    reports.sort_by_key(|(index, _)| *index);
    reports.into_iter().map(|(_, report)| report).collect()
}
