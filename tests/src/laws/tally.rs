//! What a run met, and what it found.

use super::grammar::{Grammar, KeywordId, Watch};
use super::make::Maker;
use super::{BEYOND, Court, Disagreement, Subject, shrink};
use serde_json::Value as Json;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// How often a keyword was met at a place.
#[derive(Clone, Debug, Default)]
pub struct Met {
    /// The JSON pointer of the keyword in the schema.
    pub place: String,
    /// The name of the keyword.
    pub name: &'static str,
    /// Whether any value breaks it.
    pub breakable: bool,
    /// The accepted documents in which a value kept it.
    pub kept: usize,
    /// The documents in which a value broke it.
    pub broken: usize,
    /// The documents on which the verdict hangs on it alone.
    pub decided: usize,
}

impl Met {
    /// How often it was met where it matters: where the verdict hung on it, or, if it does not in one of a hundred that
    /// break it because another keyword says the same, where it was broken. What nothing can break is met where it was
    /// kept.
    pub fn hits(&self) -> usize {
        if !self.breakable && self.name != "if" {
            return self.kept;
        }
        if self.decided * 100 > self.broken { self.decided } else { self.broken }
    }
}

/// What a run on one subject met and found.
pub struct Report {
    /// The subject.
    pub name: String,
    /// How many documents were made.
    pub documents: usize,
    /// How many the strict schema accepted.
    pub accepted: usize,
    /// How many it accepted and the reader refused, by a rule beyond the schema: by the index in [`BEYOND`].
    pub beyond: Vec<usize>,
    /// How many were also read as text, by format.
    pub written: Vec<(&'static str, usize)>,
    /// How often each keyword was met at each place.
    pub keywords: Vec<Met>,
    /// The documents on which a law does not hold.
    pub disagreements: Vec<Disagreement>,
    /// How long it took.
    pub took: Duration,
    started: Instant,
}

/// One in so many documents is looked at by the costlier laws too.
const COSTLY: usize = 5;

struct Marks(Vec<u8>);

const KEPT: u8 = 1;
const BROKEN: u8 = 2;

impl Watch for Marks {
    const THOROUGH: bool = true;

    fn seen(&mut self, keyword: KeywordId, _: &Json, held: bool) {
        self.0[keyword] |= if held { KEPT } else { BROKEN };
    }
}

impl Report {
    pub(super) fn new(subject: &Subject, grammar: &Grammar) -> Self {
        let keywords = grammar.keywords().iter().map(|keyword| Met {
            place: keyword.place.clone(),
            name: keyword.name,
            breakable: keyword.breakable,
            ..Met::default()
        });
        Self {
            name: subject.name.clone(),
            documents: 0,
            accepted: 0,
            beyond: vec![0; BEYOND.len()],
            written: subject.formats.iter().map(|format| (format.name(), 0)).collect(),
            keywords: keywords.collect(),
            disagreements: Vec::new(),
            took: Duration::ZERO,
            started: Instant::now(),
        }
    }

    /// Whether a keyword was not met often enough, and is worth another try. One on which the verdict never hangs
    /// alone, for another keyword says the same, is not looked for as long.
    pub(super) fn asks_for(&self, keyword: KeywordId, hits: usize, tries: usize) -> bool {
        let met = &self.keywords[keyword];
        let can_decide = met.breakable || met.name == "if";
        let enough = if met.decided == 0 && met.broken >= hits { 3 * hits } else { 60 * hits };
        can_decide && met.decided < hits && tries < enough
    }

    /// How many of a hundred documents are accepted.
    pub fn share_accepted(&self) -> usize {
        (self.accepted * 100).checked_div(self.documents).unwrap_or(50)
    }

    /// Looks at a document and counts it.
    pub(super) fn take(
        &mut self,
        court: &Court<'_>,
        document: &Json,
        target: Option<KeywordId>,
        maker: &mut Maker<'_>,
    ) {
        self.documents += 1;
        let shown = court.look(document, self.documents.is_multiple_of(COSTLY));
        self.accepted += usize::from(shown.accepted);
        maker.learn(shown.options);
        for row in shown.beyond {
            self.beyond[row] += 1;
        }
        for format in shown.written {
            self.written[format].1 += 1;
        }
        let mut marks = Marks(vec![0; self.keywords.len()]);
        court.grammar.holds(0, document, &mut marks);
        for (met, mark) in self.keywords.iter_mut().zip(&marks.0) {
            met.kept += usize::from(shown.accepted && mark & KEPT != 0);
            met.broken += usize::from(mark & BROKEN != 0);
        }
        if let Some(target) = target {
            let without = court.grammar.holds(0, document, &mut super::grammar::Without(target));
            self.keywords[target].decided += usize::from(without != shown.accepted);
        }
        for (law, _) in shown.broken {
            if self.disagreements.iter().any(|known| known.law == law && known.document == *document) {
                continue;
            }
            let is_broken =
                |document: &Json| court.look(document, true).broken.iter().any(|(other, _)| *other == law);
            let document = shrink::shrink(document, is_broken);
            let broken = court.look(&document, true).broken;
            let detail = broken.into_iter().find(|(other, _)| *other == law).map(|(_, detail)| detail);
            let disagreement = Disagreement { law, document, detail: detail.unwrap_or_default() };
            if !self
                .disagreements
                .iter()
                .any(|known| known.document == disagreement.document && known.law == law)
            {
                self.disagreements.push(disagreement);
            }
        }
        self.took = self.started.elapsed();
    }

    /// How often the keyword was met that was met least, and where.
    pub fn least(&self) -> Option<&Met> {
        self.keywords.iter().min_by_key(|met| met.hits())
    }

    /// What keeps the run from being a proof of anything: too few documents, too few of one verdict, or keywords that
    /// were met too seldom.
    pub fn shortfalls(&self, documents: usize, hits: usize) -> Vec<String> {
        let mut found = Vec::new();
        if self.documents < documents {
            found.push(format!("{}: only {} documents of {documents}", self.name, self.documents));
        }
        let share = self.share_accepted();
        let refuses = self.keywords.iter().any(|met| met.breakable);
        if refuses && !(30..=70).contains(&share) {
            found.push(format!("{}: {share} % of the documents are accepted", self.name));
        }
        for met in self.keywords.iter().filter(|met| met.hits() < hits) {
            found.push(format!(
                "{}: `{}` was met {} times (kept {}, broken {}, decisive {})",
                self.name,
                met.place,
                met.hits(),
                met.kept,
                met.broken,
                met.decided
            ));
        }
        found
    }
}

/// The counts of a run, a line for each subject and one for all.
pub fn table(reports: &[Report]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:34} {:>9} {:>9} {:>7} {:>8} {:>7} {:>9} {:>6} {:>7}  other formats",
        "", "documents", "accepted", "beyond", "keywords", "implied", "least met", "faults", "seconds"
    );
    let mut line = |name: &str, reports: &[&Report]| {
        let sum = |count: fn(&Report) -> usize| reports.iter().map(|report| count(report)).sum::<usize>();
        let documents = sum(|report| report.documents);
        let implied =
            |report: &Report| report.keywords.iter().filter(|met| met.breakable && met.decided == 0).count();
        let least = reports.iter().filter_map(|report| report.least()).map(super::tally::Met::hits).min();
        let mut formats: Vec<(&str, usize)> = Vec::new();
        for (format, count) in
            reports.iter().flat_map(|report| &report.written).filter(|(_, count)| *count > 0)
        {
            match formats.iter_mut().find(|(known, _)| known == format) {
                Some((_, sum)) => *sum += count,
                None => formats.push((format, *count)),
            }
        }
        let formats: Vec<String> =
            formats.iter().map(|(format, count)| format!("{format} {count}")).collect();
        let _ = writeln!(
            out,
            "{name:34} {documents:>9} {:>7} % {:>7} {:>8} {:>7} {:>9} {:>6} {:>7.1}  {}",
            sum(|report| report.accepted) * 100 / documents.max(1),
            sum(|report| report.beyond.iter().sum()),
            sum(|report| report.keywords.len()),
            reports.iter().map(|report| implied(report)).sum::<usize>(),
            least.unwrap_or_default(),
            sum(|report| report.disagreements.len()),
            reports.iter().map(|report| report.took.as_secs_f64()).sum::<f64>(),
            formats.join(", ")
        );
    };
    let sides = |report: &&Report| report.name.starts_with("contract/");
    for report in reports.iter().filter(|report| !sides(report)) {
        line(&report.name, &[report]);
    }
    let (contracts, all): (Vec<&Report>, Vec<&Report>) =
        (reports.iter().filter(sides).collect(), reports.iter().collect());
    line(&format!("{} sides of contracts", contracts.len()), &contracts);
    line("all", &all);
    out
}

/// The disagreements of a run, each with the smallest document that shows it.
pub fn faults(reports: &[Report]) -> String {
    let mut out = String::new();
    for report in reports {
        for Disagreement { law, document, detail } in &report.disagreements {
            let _ = writeln!(out, "{}: {law}: {detail}\n  {document}", report.name);
        }
    }
    out
}
