//! Defects that are planted in generated registries: each is found where it is, and nothing else is found.

use agentry::contract::Contract;
use agentry_check::explain::is_off_by_default;
use agentry_check::policy::{Policy, Source};
use agentry_check::settings::Level;
use agentry_check::walk::{self, Outcome};
use agentry_check::{baseline, service};
use agentry_tests::planted::defects::{self, BAD_BYTE};
use agentry_tests::planted::emit::emit;
use agentry_tests::planted::meaning;
use agentry_tests::planted::plant::{At, Plant, Planted, Planting};
use agentry_tests::planted::{Manifest, Random, Registry, Style, registry};
use agentry_tests::share;
use agentry_text::Format;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How many defects are planted for each rule.
fn plantings() -> usize {
    share(20)
}

/// Whether enough of them are found.
fn is_enough(found: usize) -> bool {
    found * 20 >= plantings() * 19
}

/// How many registries are made at most.
const SEEDS: u64 = 160;

/// A finding: file, line, rule, and what it says.
type Said = (String, usize, &'static str, String);

fn said(outcome: &Outcome, folder: &Path) -> Vec<Said> {
    let mut said = Vec::new();
    for file in &outcome.files {
        let path = file.path.strip_prefix(folder).unwrap_or(&file.path).to_string_lossy().replace('\\', "/");
        for finding in &file.checked.findings {
            let before = file.text.get(..finding.span.start).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let message = format!("{} {}: {}", finding.severity.name(), finding.pointer, finding.message);
            said.push((path.clone(), line, finding.rule.name, message));
        }
    }
    said
}

#[test]
fn a_generated_registry_has_no_finding() {
    let mut files = 0;
    let mut found = Vec::new();
    for seed in 0..share(40) as u64 {
        let folder = tempfile::tempdir().expect("a folder");
        let registry = Registry::small(seed);
        registry.write(folder.path(), Style::Varied).expect("written");
        let outcome = walk::run(&[folder.path().to_owned()], None);
        assert_eq!(outcome.files.len() + outcome.errors.len(), registry.manifests.len(), "seed {seed}");
        files += outcome.files.len();
        found.extend(said(&outcome, folder.path()).into_iter().map(|said| format!("seed {seed}: {said:?}")));
    }
    assert!(found.is_empty(), "{} findings in {files} files:\n{}", found.len(), found.join("\n"));
}

/// The files of a registry as they are in a folder.
struct Written {
    folder: tempfile::TempDir,
    files: BTreeMap<String, Vec<u8>>,
}

impl Written {
    fn new(registry: &Registry) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let files = bytes(registry);
        for (path, bytes) in &files {
            registry::write(folder.path(), path, bytes).expect("written");
        }
        Self { folder, files }
    }

    /// Judges the registry with other files in place of some of its own, and puts everything back.
    fn judge(&self, rule: &str, files: &BTreeMap<String, Vec<u8>>, registry: &Registry) -> Outcome {
        let at = |path: &str| self.folder.path().join(path);
        for path in self.files.keys().filter(|path| !files.contains_key(*path)) {
            fs::remove_file(at(path)).expect("removed");
        }
        let changed: Vec<&String> = files
            .iter()
            .filter(|(path, bytes)| self.files.get(*path) != Some(bytes))
            .map(|(path, _)| path)
            .collect();
        for path in &changed {
            registry::write(self.folder.path(), path, &files[*path]).expect("written");
        }
        registry.write_links(self.folder.path()).expect("linked");
        let mut paths: Vec<PathBuf> = vec![self.folder.path().to_owned()];
        paths.extend(registry.named.iter().map(|index| at(&registry.manifests[*index].path)));
        let mut policy = Policy::new(Source::None);
        // A rule that is off by default is turned on where something is planted for it, and nowhere else.
        let rule = agentry_check::all_rules().find(|one| one.name == rule && is_off_by_default(one));
        if let Some(rule) = rule {
            policy = policy.level(rule, Level::Hint);
        }
        let progress = walk::Progress::default();
        let options = walk::Options { kind: registry.named_kind, policy: &mut policy, progress: &progress };
        let mut outcome = walk::run_with(&paths, options);
        policy.apply(&mut outcome);
        for path in changed {
            fs::remove_file(at(path)).expect("removed");
        }
        for (path, _) in &registry.links {
            fs::remove_file(at(path)).expect("removed");
        }
        for (path, bytes) in self.files.iter().filter(|(path, bytes)| files.get(*path) != Some(bytes)) {
            registry::write(self.folder.path(), path, bytes).expect("written");
        }
        outcome
    }
}

fn bytes(registry: &Registry) -> BTreeMap<String, Vec<u8>> {
    let manifests = registry.manifests.iter().map(|one| (one.path.clone(), one.text(Style::Varied).bytes()));
    let others = registry.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes()));
    manifests.chain(others).collect()
}

/// Plants something, and says what went wrong with finding it. None where the registry has no place for it.
fn plant(
    rule: &str,
    plant: Plant,
    seed: u64,
    base: &Registry,
    written: &Written,
) -> Option<Result<(), String>> {
    let salt = rule.bytes().fold(0_u64, |salt, byte| salt.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut planting = Planting { registry: base.clone(), random: Random::new(seed ^ salt) };
    let Planted { manifest, at, edit, also, elsewhere } = plant(&mut planting)?;
    let Planting { registry, mut random } = planting;
    let path = registry.manifests[manifest].path.as_str();
    let mut text = registry.manifests[manifest].text(Style::Varied);
    let line = match &at {
        At::Place(pointer) => text.places.get(pointer)?.line,
        At::Value(pointer) => text.line_at(text.places.get(pointer)?.start),
        At::Later(one, other) => text.places.get(one)?.line.max(text.places.get(other)?.line),
        At::Part(pointer, part) => {
            let place = text.places.get(pointer)?;
            text.line_at(place.start + text.text[place.start..place.end].find(part.as_str())?)
        }
        At::Line(line) => *line,
        At::Edited => edit.as_ref()?(&mut text, &mut random)?,
    };
    let mut files = bytes(&registry);
    files.insert(path.to_owned(), with_bad_byte(text.bytes()));
    let outcome = written.judge(rule, &files, &registry);
    let mut said = said(&outcome, written.folder.path());
    let found = said.iter().position(|said| (said.0.as_str(), said.1, said.2) == (path, line, rule));
    if let Some(found) = found {
        said.remove(found);
    }
    said.retain(|said| {
        let expected = if said.0 == path { &also } else { &elsewhere };
        expected.iter().all(|(rule, _)| said.2 != *rule)
    });
    if found.is_some() && said.is_empty() {
        return Some(Ok(()));
    }
    let what = if found.is_some() { "found, and also" } else { "not found, but" };
    said.truncate(4);
    Some(Err(format!("seed {seed}: {path}:{line} {what} {said:?}\n{}", around(&text.text, line))))
}

fn with_bad_byte(mut bytes: Vec<u8>) -> Vec<u8> {
    let bad = BAD_BYTE.to_string();
    if let Some(start) = bytes.windows(bad.len()).position(|found| found == bad.as_bytes()) {
        bytes.splice(start..start + bad.len(), [0xFF]);
    }
    bytes
}

/// What came of one rule.
#[derive(Default)]
struct Tally {
    planted: usize,
    faults: Vec<String>,
}

/// Rules that no file of a registry can break: each has a test of its own below, with as many defects.
const OUTSIDE: &[(&str, &str)] = &[
    ("unknown-contract", "about requests on standard input, which name what they are"),
    ("missing-selector", "about calls of tools: nothing in a file says that it is one"),
    ("unlikely-number", "about calls of tools and answers to them"),
    ("stale-baseline", "about a registry beside what an earlier run recorded of it"),
];

fn planters() -> Vec<(&'static str, &'static [Plant])> {
    defects::PLANTERS.iter().chain(meaning::PLANTERS).copied().collect()
}

#[test]
fn every_rule_has_a_planter() {
    let names: Vec<&str> =
        planters().iter().map(|(rule, _)| *rule).chain(OUTSIDE.iter().map(|(rule, _)| *rule)).collect();
    let without: Vec<&str> =
        agentry_check::all_rules().map(|rule| rule.name).filter(|rule| !names.contains(rule)).collect();
    assert!(without.is_empty(), "without a planter: {without:?}");
    for (at, rule) in names.iter().enumerate() {
        assert!(agentry_check::all_rules().any(|one| one.name == *rule), "no rule is called {rule}");
        assert!(!names[..at].contains(rule), "{rule} twice");
    }
}

#[test]
fn planted_defects_are_found_and_nothing_else() {
    let planters = planters();
    let only = std::env::var("PLANT").ok();
    let mut tallies: Vec<Tally> = planters.iter().map(|_| Tally::default()).collect();
    for seed in 0..SEEDS {
        let open = |(tally, (rule, _)): (&Tally, &(&str, &[Plant]))| {
            tally.planted < plantings()
                && only.as_ref().is_none_or(|only| only.split(',').any(|only| only == *rule))
        };
        if !tallies.iter().zip(&planters).any(open) {
            break;
        }
        let registry = Registry::small(seed);
        let written = Written::new(&registry);
        for (tally, planter) in tallies.iter_mut().zip(&planters) {
            if !open((tally, planter)) {
                continue;
            }
            let (rule, plants) = planter;
            let way = plants[usize::try_from(seed).unwrap_or_default() % plants.len()];
            let Some(result) = plant(rule, way, seed, &registry, &written) else { continue };
            tally.planted += 1;
            tally.faults.extend(result.err());
        }
    }
    let mut failed = Vec::new();
    for (Tally { planted, mut faults }, (rule, _)) in tallies.into_iter().zip(&planters) {
        let found = planted - faults.len();
        if planted < plantings() || !is_enough(found) {
            faults.truncate(5);
            failed.push(format!("{rule}: {found} of {planted} found\n{}", faults.join("\n")));
        }
    }
    assert!(failed.is_empty(), "{} rules:\n{}", failed.len(), failed.join("\n"));
}

/// A call of a tool, or an answer to one.
struct Call {
    contract: String,
    side: &'static str,
    arguments: Value,
    /// Where in it the defect is.
    pointer: &'static str,
}

fn call(contract: &str, side: &'static str, arguments: Value, pointer: &'static str) -> Call {
    Call { contract: contract.to_owned(), side, arguments, pointer }
}

/// A call in which something is wrong.
fn wrong_call(rule: &str, random: &mut Random) -> Call {
    let number =
        |random: &mut Random, most: i64| most - i64::try_from(random.below(1000)).unwrap_or_default();
    match rule {
        "missing-selector" => {
            let all = ["workflow.status", "workflow.pause", "workflow.resume", "knowledge.get"];
            call(random.of(&all), "input", json!({}), "")
        }
        "unlikely-number" => {
            let (negative, below_one) = (number(random, -1), number(random, 0));
            let mut all = vec![
                call("artifact.list", "input", json!({ "prefix": "report", "limit": below_one }), "/limit"),
                call(
                    "search.fetch",
                    "input",
                    json!({ "url": "https://tides.example/", "max_bytes": negative }),
                    "/max_bytes",
                ),
                call(
                    "context.compact",
                    "input",
                    json!({ "target_tokens": negative, "keep_last": 4 }),
                    "/target_tokens",
                ),
                call("context.compact", "input", json!({ "keep_last": negative }), "/keep_last"),
                call(
                    "subagent.run",
                    "input",
                    json!({ "instruction": "Look.", "limits": { "steps": negative } }),
                    "/limits/steps",
                ),
                call(
                    "subagent.run",
                    "input",
                    json!({ "instruction": "Look.", "limits": { "tokens": negative } }),
                    "/limits/tokens",
                ),
                call("plan.update", "input", json!({ "reorder": [2, negative, 1] }), "/reorder/1"),
                call("plan.update", "input", json!({ "item": negative, "note": "late" }), "/item"),
                call("sleep", "output", json!({ "slept_ms": negative }), "/slept_ms"),
            ];
            let at = random.below(all.len());
            all.swap_remove(at)
        }
        _ => {
            let all = Contract::ALL;
            let name = random.pick(all).map_or("", |contract| contract.name());
            let mut letters: Vec<char> = name.chars().collect();
            let at = random.below(letters.len());
            letters.insert(at, 'q');
            call(&letters.into_iter().collect::<String>(), "input", json!({}), "")
        }
    }
}

#[test]
fn planted_defects_of_calls_are_found_and_nothing_else() {
    for rule in ["missing-selector", "unlikely-number", "unknown-contract"] {
        let mut faults = Vec::new();
        for seed in 0..plantings() as u64 {
            let mut random = Random::new(seed);
            let Call { contract, side, arguments, pointer } = wrong_call(rule, &mut random);
            let above = random.below(4);
            let text = emit(Format::Json, &arguments, "", Style::Varied, random);
            // Of an unknown contract nothing is read.
            let line = if rule == "unknown-contract" { 1 } else { above + text.places[pointer].line };
            let text = format!("{}{}", "\n".repeat(above), text.text);
            let request = json!({ "kind": "contract", "contract": contract, "side": side, "format": "json", "text": text });
            let mut answer = Vec::new();
            service::run(request.to_string().as_bytes(), &mut answer).expect("an answer");
            let answer: Value = serde_json::from_slice(&answer).expect("JSON");
            let said: Vec<_> = answer["diagnostics"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|one| (one["code"].as_str().unwrap_or_default().to_owned(), one["line"].clone()))
                .collect();
            if said != [(rule.to_owned(), json!(line))] {
                faults.push(format!(
                    "seed {seed}: {contract} {side}, line {line}: {}\n{text}",
                    answer["diagnostics"]
                ));
            }
        }
        let planted = plantings();
        let found = planted - faults.len();
        assert!(is_enough(found), "{rule}: {found} of {planted} found\n{}", faults.join("\n"));
    }
}

/// Of several findings that a baseline accepts one is mended: its entry is left over.
#[test]
fn planted_entries_of_baselines_are_found_and_nothing_else() {
    let all = planters();
    let plants: Vec<Plant> =
        ["unknown-key", "empty-list", "unusual-name", "invalid-schema", "invalid-value", "local-price"]
            .iter()
            .flat_map(|rule| all.iter().filter(move |(name, _)| name == rule))
            .flat_map(|(_, plants)| plants.iter().copied())
            .collect();
    let mut planted = 0;
    let mut faults = Vec::new();
    for seed in 0..SEEDS {
        if planted == plantings() {
            break;
        }
        let mut planting = Planting { registry: Registry::small(seed), random: Random::new(seed) };
        let mut changed: Vec<usize> = Vec::new();
        let mut sound: Option<Manifest> = None;
        for plant in [seed, seed + 5, seed + 11]
            .map(|at| plants[usize::try_from(at).unwrap_or_default() % plants.len()])
        {
            let before = planting.registry.clone();
            let done = plant(&mut planting).filter(|done| {
                done.edit.is_none()
                    && done.also.is_empty()
                    && done.elsewhere.is_empty()
                    && !changed.contains(&done.manifest)
            });
            match done {
                Some(done) => {
                    changed.push(done.manifest);
                    sound = Some(before.manifests[done.manifest].clone());
                }
                None => planting.registry = before,
            }
        }
        let (Some(sound), Some(&last), true) = (sound, changed.last(), changed.len() > 1) else { continue };
        planted += 1;
        let folder = tempfile::tempdir().expect("a folder");
        planting.registry.write(folder.path(), Style::Varied).expect("written");
        let file = folder.path().join("accepted.json");
        let run = || walk::run(&[folder.path().to_owned()], None);
        baseline::write(&run(), &file).expect("a baseline");
        let mut outcome = run();
        baseline::apply(&mut outcome, &file).expect("applied");
        assert_eq!(said(&outcome, folder.path()), [], "seed {seed}: what was just recorded");
        let mended = planting.registry.manifests[last].path.clone();
        fs::remove_file(folder.path().join(&mended)).expect("removed");
        registry::write(folder.path(), &sound.path, &sound.text(Style::Varied).bytes()).expect("written");
        let text = fs::read_to_string(&file).expect("a baseline");
        let path = format!("\"path\": \"{mended}\"");
        let lines = text.lines().enumerate().filter(|(_, line)| line.contains(&path));
        let expected: Vec<_> =
            lines.map(|(at, _)| ("accepted.json".to_owned(), at + 1, "stale-baseline")).collect();
        let mut outcome = run();
        baseline::apply(&mut outcome, &file).expect("applied");
        let said: Vec<_> =
            said(&outcome, folder.path()).into_iter().map(|one| (one.0, one.1, one.2)).collect();
        if said != expected || expected.is_empty() {
            faults.push(format!("seed {seed}: {mended}: {said:?}, not {expected:?}\n{text}"));
        }
    }
    let found = planted - faults.len();
    assert!(planted == plantings() && is_enough(found), "{found} of {planted} found\n{}", faults.join("\n"));
}

/// The lines around a line.
fn around(text: &str, line: usize) -> String {
    let around = text.lines().enumerate().skip(line.saturating_sub(3)).take(5);
    let lines = around.map(|(at, text)| {
        let text: String = text.chars().take(150).collect();
        format!("    {:4} {text}\n", at + 1)
    });
    lines.collect::<Vec<_>>().concat()
}
