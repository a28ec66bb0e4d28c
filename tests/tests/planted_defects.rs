//! Defects that are planted in generated registries: each is found where it is, and nothing else is found.

use agentry_check::explain::is_off_by_default;
use agentry_check::policy::{Policy, Source};
use agentry_check::settings::Level;
use agentry_check::walk::{self, Outcome};
use agentry_tests::planted::defects::{self, BAD_BYTE};
use agentry_tests::planted::meaning;
use agentry_tests::planted::plant::{At, Plant, Planted, Planting};
use agentry_tests::planted::{Random, Registry, Style, registry};
use agentry_text::Severity;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How many defects are planted for each rule, and how many of them must be found.
const PLANTED: usize = 20;
const FOUND: usize = 19;
/// How many registries are made at most.
const SEEDS: u64 = 160;

/// A finding: file, line, rule, and what it says.
type Said = (String, usize, &'static str, String);

fn said(outcome: &Outcome, folder: &Path) -> Vec<Said> {
    let mut said = Vec::new();
    for file in &outcome.files {
        let path = file.path.strip_prefix(folder).unwrap_or(&file.path).to_string_lossy().replace('\\', "/");
        for finding in &file.checked.findings {
            // The specification's own forms, which one runtime drops in part: a hint that a valid document draws.
            if finding.rule.name == "dropped-key" && finding.severity == Severity::Hint {
                continue;
            }
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
    for seed in 0..40 {
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

/// Rules for which nothing is planted, and why.
const WITHOUT_PLANTER: &[(&str, &str)] = &[
    ("unknown-contract", "about calls of tools, of which a registry holds none"),
    ("missing-selector", "about calls of tools"),
    ("unlikely-number", "about calls of tools"),
    ("stale-baseline", "about a run: what an earlier one recorded is no longer there"),
];

fn planters() -> Vec<(&'static str, &'static [Plant])> {
    defects::PLANTERS.iter().chain(meaning::PLANTERS).copied().collect()
}

#[test]
fn every_rule_has_a_planter() {
    let names: Vec<&str> = planters()
        .iter()
        .map(|(rule, _)| *rule)
        .chain(WITHOUT_PLANTER.iter().map(|(rule, _)| *rule))
        .collect();
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
            tally.planted < PLANTED
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
        if planted < PLANTED || found < FOUND {
            faults.truncate(5);
            failed.push(format!("{rule}: {found} of {planted} found\n{}", faults.join("\n")));
        }
    }
    assert!(failed.is_empty(), "{} rules:\n{}", failed.len(), failed.join("\n"));
}

/// The lines around a line.
fn around(text: &str, line: usize) -> String {
    let around = text.lines().enumerate().skip(line.saturating_sub(3)).take(5);
    around
        .map(|(at, text)| format!("    {:4} {}\n", at + 1, text.chars().take(150).collect::<String>()))
        .collect()
}
