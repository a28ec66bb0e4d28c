//! Compares pairs of schemas whose verdicts are known, and counts right and wrong answers by source.
//!
//! Each yes about real histories is also put to 10,000 documents made at random.
//!
//! `cargo run --release -p agentry-diff --example figures -- FOLDER [--show]`

mod sample;

use agentry_diff::{Comparison, Draft, Effect, Options, Verdict, compare};
use serde_json::Value;
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

/// Documents that each yes is put to.
const SAMPLES: usize = 10_000;

/// How the answers about one source were.
#[derive(Default)]
struct Figures {
    right: usize,
    unsound: usize,
    false_alarm: usize,
    unknown: usize,
    no_schema: usize,
    no_truth: [usize; 3],
    sizes: Vec<usize>,
    slowest: Duration,
    total: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name the folder with the pairs")?;
    let show = arguments.any(|argument| argument == "--show");
    println!(
        "| source | questions | right | unsound | false alarm | unknown | not a schema | witness median / largest | \
         slowest pair | no truth given |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
    for source in ["karapace", "jsonsubschema", "jsoncompat", "atlassian"] {
        let text = std::fs::read_to_string(Path::new(&folder).join(format!("{source}.jsonl")))?;
        let mut figures = Figures::default();
        for line in text.lines() {
            let case: Value = serde_json::from_str(line)?;
            let draft = case["draft"].as_str().and_then(Draft::from_name).unwrap_or_default();
            let started = Instant::now();
            let comparison = compare(&case["old"], &case["new"], &Options::default().with_draft(draft));
            let took = started.elapsed();
            figures.took(took);
            if show && took > Duration::from_millis(100) {
                println!("slow {} {took:?} {} {}", case["id"], case["old"], case["new"]);
            }
            for (verdict, truth) in directions(&comparison, &case) {
                if !figures.count(verdict, truth) && show {
                    println!(
                        "{} truth {truth:?}: {verdict:?}\n  old {}\n  new {}",
                        case["id"], case["old"], case["new"]
                    );
                }
            }
        }
        figures.print(source);
    }
    let real = Path::new(&folder).join("real");
    let pairs: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(real.join("pairs.json"))?)?;
    let mut figures = Figures::default();
    let (mut sampled, mut refuted) = (0, 0);
    for pair in &pairs {
        let schema = |key: &str| -> Result<Value, Box<dyn Error>> {
            let path = real.join(pair[key].as_str().unwrap_or_default());
            Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
        };
        let (old, new) = (schema("old")?, schema("new")?);
        let started = Instant::now();
        let comparison = compare(&old, &new, &Options::default());
        let took = started.elapsed();
        figures.took(took);
        for (verdict, from, to) in [(&comparison.backward, &old, &new), (&comparison.forward, &new, &old)] {
            figures.count(verdict, None);
            if *verdict == Verdict::Yes {
                let (from_schema, from, to) =
                    (from, jsonschema::draft7::new(from)?, jsonschema::draft7::new(to)?);
                let documents =
                    sample::documents(from_schema, 1, SAMPLES, |document| from.is_valid(document));
                sampled += documents.len();
                refuted += documents.iter().filter(|document| !to.is_valid(document)).count();
            }
        }
        if show {
            println!("{} {took:?}", pair["id"]);
            for change in &comparison.changes {
                if !matches!(change.effect, Effect::Documentation) {
                    println!("    {} {change}", change.effect.name());
                    if let Effect::Unknown(reasons) = &change.effect {
                        println!("      {reasons:?}");
                    }
                    for witness in [change.effect.files(), change.effect.readers()].into_iter().flatten() {
                        println!("      {} {}", witness.declared_keys_only, witness.document);
                    }
                }
            }
            for (name, verdict) in [("backward", &comparison.backward), ("forward", &comparison.forward)] {
                match verdict {
                    Verdict::No(witness) => println!("  {name} no {}", witness.document),
                    Verdict::Unknown(reasons) => println!("  {name} unknown {reasons:?}"),
                    other => println!("  {name} {}", other.name()),
                }
            }
        }
    }
    figures.print("real");
    println!("{sampled} sampled documents, {refuted} of them refute a yes");
    Ok(())
}

fn directions<'c>(comparison: &'c Comparison, case: &'c Value) -> [(&'c Verdict, Option<&'c str>); 2] {
    [
        (&comparison.backward, case["truth_backward"].as_str()),
        (&comparison.forward, case["truth_forward"].as_str()),
    ]
}

impl Figures {
    fn took(&mut self, took: Duration) {
        self.slowest = self.slowest.max(took);
        self.total += took;
    }

    /// Counts an answer; whether it is right, or nothing is known.
    fn count(&mut self, verdict: &Verdict, truth: Option<&str>) -> bool {
        if let Verdict::No(witness) = verdict {
            self.sizes.push(witness.document.to_string().len());
        }
        let counter = match (truth, verdict) {
            (None, Verdict::Yes) => &mut self.no_truth[0],
            (None, Verdict::No(_)) => &mut self.no_truth[1],
            (None, _) => &mut self.no_truth[2],
            (Some("subset"), Verdict::Yes)
            | (Some("not"), Verdict::No(_))
            | (Some("invalid"), Verdict::Invalid(..)) => &mut self.right,
            (Some(_), Verdict::Unknown(_)) => &mut self.unknown,
            (Some(_), Verdict::Invalid(..)) => &mut self.no_schema,
            (Some(_), Verdict::Yes) => &mut self.unsound,
            (Some(_), _) => &mut self.false_alarm,
        };
        *counter += 1;
        match truth {
            None => !matches!(verdict, Verdict::Unknown(_)),
            Some(_) => matches!(
                (truth, verdict),
                (Some("subset"), Verdict::Yes)
                    | (Some("not"), Verdict::No(_))
                    | (Some("invalid"), Verdict::Invalid(..))
            ),
        }
    }

    fn print(&mut self, source: &str) {
        self.sizes.sort_unstable();
        let median = self.sizes.get(self.sizes.len() / 2).copied().unwrap_or_default();
        let largest = self.sizes.last().copied().unwrap_or_default();
        let [yes, no, unknown] = self.no_truth;
        println!(
            "| {source} | {} | {} | {} | {} | {} | {} | {median} / {largest} | {:.3} s | {yes} yes, {no} no, \
             {unknown} unknown; {:.2} s in all |",
            self.right + self.unsound + self.false_alarm + self.unknown + self.no_schema,
            self.right,
            self.unsound,
            self.false_alarm,
            self.unknown,
            self.no_schema,
            self.slowest.as_secs_f64(),
            self.total.as_secs_f64(),
        );
    }
}
