//! Every rule has a page, and does on the examples of its page what the page says.

use agentry::Severity;
use agentry_check::explain::{Example, Role, RulePage, page, page_names};
use agentry_check::policy::{Policy, Source};
use agentry_check::settings::Level;
use agentry_check::walk::{self, Outcome, Progress};
use agentry_check::{all_rules, baseline, service};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let rules: BTreeSet<&str> = all_rules().map(|rule| rule.name).collect();
    let pages: BTreeSet<&str> = page_names().collect();
    let missing: Vec<_> = rules.difference(&pages).collect();
    let orphaned: Vec<_> = pages.difference(&rules).collect();
    assert!(missing.is_empty(), "rules without a page in `rules/`: {missing:?}");
    assert!(orphaned.is_empty(), "pages without a rule: {orphaned:?}");
    assert_eq!(all_rules().count(), rules.len(), "two rules share a name");
}

#[test]
fn every_page_can_be_read_and_says_enough() {
    let mut faults = Vec::new();
    for rule in all_rules() {
        match page(rule) {
            Some(Err(error)) => faults.push(error.to_string()),
            Some(Ok(page)) => {
                if page.text.len() < 80 {
                    faults.push(format!("{}: an explanation says more than {:?}", rule.name, page.text));
                }
                if page.off && rule.severity == Severity::Error {
                    faults.push(format!("{}: a rule that is off by default cannot be an error", rule.name));
                }
                // What every run asks without reading pages.
                assert_eq!(page.off, agentry_check::explain::is_off_by_default(rule), "{}", rule.name);
                if page.found == page.instead && page.unshown.is_none() {
                    faults.push(format!("{}: both examples are one", rule.name));
                }
            }
            None => {}
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_rule_fires_on_its_bad_example_and_not_on_its_good_one() {
    let mut faults = String::new();
    for page in agentry_check::explain::pages().filter(|page| page.unshown.is_none()) {
        let name = page.rule.name;
        let found = judge(&page, &page.found);
        if !found.iter().any(|said| said.rule == name) {
            let _ = writeln!(faults, "{name}: not found in its bad example, but");
            for Said { severity, rule, file, message } in found {
                let _ = writeln!(faults, "    {file}: {severity}[{rule}] {message}");
            }
        }
        for Said { severity, rule, file, message } in judge(&page, &page.instead) {
            if rule == name || severity != "hint" {
                let _ = writeln!(faults, "{name}: in its good example: {file}: {severity}[{rule}] {message}");
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn a_rule_that_is_off_by_default_speaks_where_it_is_asked_for() {
    for page in agentry_check::explain::pages().filter(|page| page.off && page.unshown.is_none()) {
        let name = page.rule.name;
        let count = |levels: &[Level], settings: Option<&str>| {
            let policy = levels
                .iter()
                .fold(Policy::new(Source::Nearest), |policy, level| policy.level(page.rule, level.clone()));
            let outcome = run(policy, &page.found, settings);
            let off = outcome.files.iter().map(|file| file.standing.off).sum::<usize>();
            // What nobody asks for is not said to be turned off.
            assert_eq!(off > 0, levels.contains(&Level::Off), "{name}");
            let found = |severity: Severity| {
                let findings = outcome.files.iter().flat_map(|file| &file.checked.findings);
                findings.filter(|one| one.rule.name == name && one.severity == severity).count()
            };
            [Severity::Hint, Severity::Warning, Severity::Error].map(found)
        };
        assert_eq!(count(&[], None), [0; 3], "{name}: nobody asked");
        let [hints, warnings, errors] = count(&[Level::Warning], None);
        assert!((hints, errors) == (0, 0) && warnings > 0, "{name}: the command line asks");
        let settings = format!("[rules]\n{name} = \"error\"\n");
        assert_eq!(count(&[], Some(&settings)), [0, 0, warnings], "{name}: settings ask");
        assert_eq!(
            count(&[Level::Off], Some(&settings)),
            [0; 3],
            "{name}: the command line has the last word"
        );
    }
}

/// Rules that an error elsewhere in the file cannot but silence, and why.
const SILENCED: [(&str, &str); 3] = [
    ("empty-file", "a file that holds an error is not empty"),
    ("unread-format", "a file with a key is no longer the file of another program"),
    ("unused-allowance", "what a rule would have said of the part that is wrong, nobody knows"),
];

/// Rules whose example has no place for another error, and why.
const UNSPOILT: [(&str, &str); 11] = [
    ("example-mismatch", "every key of the document is a table of the author's own"),
    ("late-front-matter", "where no front matter is, no key is read"),
    ("missing-front-matter", "where no front matter is, no key is read"),
    ("missing-selector", "the example is a side of a contract, of a few keys"),
    ("newer-version", "nothing else is said of a document of another version"),
    ("not-text", "what is no text is not read"),
    ("template", "a template is not checked"),
    ("too-large", "a file of that size is not read"),
    ("unknown-contract", "no key of a contract that nobody knows is known"),
    ("unknown-kind", "no key of a kind that nobody knows is known"),
    ("unlikely-number", "the example is a side of a contract, of a few keys"),
];

#[test]
fn one_error_does_not_hide_another() {
    let mut faults = String::new();
    for page in agentry_check::explain::pages().filter(|page| page.unshown.is_none()) {
        let name = page.rule.name;
        let is_among = |list: &[(&str, &str)]| list.iter().any(|(rule, _)| *rule == name);
        let (mut silent, mut spoilt) = (Vec::new(), 0);
        for (index, example) in page.found.iter().enumerate() {
            let Some(kind) = kind_of(&page, example) else { continue };
            for (examples, key) in spoil(&page, index, kind) {
                spoilt += 1;
                if !judge(&page, &examples).iter().any(|said| said.rule == name) {
                    silent.push(format!("{} with a wrong `{key}`", example.path.unwrap_or_default()));
                }
            }
        }
        if silent.is_empty() == is_among(&SILENCED) {
            let _ = writeln!(faults, "{name}: silent in {silent:?}, and excused: {}", is_among(&SILENCED));
        }
        if (spoilt == 0) != is_among(&UNSPOILT) {
            let _ = writeln!(faults, "{name}: spoilt in {spoilt} ways, and excused: {}", is_among(&UNSPOILT));
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// The kind of a file of an example.
fn kind_of(page: &RulePage, example: &Example) -> Option<agentry::Kind> {
    let path = example.path?;
    let outcome = run(policy_of(page), &page.found, None);
    outcome.files.iter().find(|file| file.path.ends_with(path))?.checked.kind
}

/// The files of an example, one with an error of type in a key that has nothing to do with the rule, and that key: at the
/// root, and in another table.
fn spoil(page: &RulePage, index: usize, kind: agentry::Kind) -> Vec<(Vec<Example>, String)> {
    /// Keys that decide nothing come first.
    const IDLE: [&str; 8] =
        ["author", "license", "created_at", "homepage", "metadata", "tags", "display_name", "i18n"];
    let example = &page.found[index];
    let Ok(text) = String::from_utf8(example.bytes()) else { return Vec::new() };
    let Some(shape) = kind.shape() else { return Vec::new() };
    let mut places: Vec<(Option<&str>, &str)> = Vec::new();
    for key in shape.keys.iter().filter(|key| !key.required) {
        places.push((None, key.name));
    }
    for table in &shape.keys {
        let inside = (table.shape)().into_iter().flat_map(|shape| &shape.keys);
        places.extend(inside.filter(|key| !key.required).map(|key| (Some(table.name), key.name)));
    }
    places.sort_by_key(|(table, key)| (!IDLE.contains(key), table.is_some()));
    let mut spoilt: Vec<(Vec<Example>, String)> = Vec::new();
    for in_table in [false, true] {
        let places = places.iter().filter(|(table, key)| table.is_some() == in_table && !text.contains(key));
        spoilt.extend(
            places.flat_map(|place| ["5", "\"far away\"", "[]"].map(|value| (*place, value))).find_map(
                |((table, key), value)| {
                    let text = with(example.format, &text, table, key, value)?;
                    let pointer = table.map_or_else(String::new, |table| format!("/{table}")) + "/" + key;
                    let mut examples = page.found.clone();
                    examples[index] = Example {
                        text: text.leak(),
                        repeat: 1,
                        escaped: false,
                        latin_1: false,
                        ..example.clone()
                    };
                    let outcome = run(policy_of(page), &examples, None);
                    let mut findings = outcome.files.iter().flat_map(|file| &file.checked.findings);
                    let wrong = findings.any(|one| one.rule.name == "wrong-type" && one.pointer == pointer);
                    wrong.then_some((examples, pointer))
                },
            ),
        );
    }
    spoilt
}

/// A text with one more key, far from most.
fn with(format: &str, text: &str, table: Option<&str>, key: &str, value: &str) -> Option<String> {
    if let Some(table) = table {
        let header = format!("[{table}]\n");
        let at = text.find(&header).filter(|at| *at == 0 || text[..*at].ends_with('\n'))? + header.len();
        return (format == "toml").then(|| format!("{}{key} = {value}\n{}", &text[..at], &text[at..]));
    }
    let comments: usize =
        text.split_inclusive('\n').take_while(|line| line.starts_with('#')).map(str::len).sum();
    Some(match format {
        "toml" => format!("{}{key} = {value}\n{}", &text[..comments], &text[comments..]),
        "yaml" | "json" if text.trim_start().starts_with('{') => {
            text.replacen('{', &format!("{{\"{key}\": {value}, "), 1)
        }
        "yaml" => format!("{}{key}: {value}\n{}", &text[..comments], &text[comments..]),
        "markdown" | "md" => text.strip_prefix("---\n").map(|rest| format!("---\n{key}: {value}\n{rest}"))?,
        _ => return None,
    })
}

fn policy_of(page: &RulePage) -> Policy {
    let policy = Policy::new(Source::Nearest);
    if page.off { policy.level(page.rule, Level::Warning) } else { policy }
}

/// What is said of a file of an example.
struct Said {
    severity: String,
    rule: String,
    file: String,
    message: String,
}

/// What is found in the files of an example, together.
fn judge(page: &RulePage, examples: &[Example]) -> Vec<Said> {
    let mut said: Vec<Said> = examples.iter().filter_map(answer).flatten().collect();
    if examples.iter().any(|example| example.path.is_some()) {
        let outcome = run(policy_of(page), examples, None);
        for error in &outcome.errors {
            said.push(Said {
                severity: "error".to_owned(),
                rule: String::new(),
                file: error.path.display().to_string(),
                message: error.message.clone(),
            });
        }
        for file in &outcome.files {
            said.extend(file.checked.findings.iter().map(|finding| Said {
                severity: finding.severity.name().to_owned(),
                rule: finding.rule.name.to_owned(),
                file: file.path.display().to_string(),
                message: finding.message.clone(),
            }));
        }
    }
    said
}

/// What is said of a side of a contract.
fn answer(example: &Example) -> Option<Vec<Said>> {
    let Role::Side { contract, side } = example.role else { return None };
    let text = String::from_utf8(example.bytes()).expect("a request is text");
    let request = serde_json::json!({
        "kind": "contract", "format": example.format, "contract": contract, "side": side, "text": text
    });
    let mut answer = Vec::new();
    service::run(request.to_string().as_bytes(), &mut answer).expect("an answer");
    let answer: serde_json::Value = serde_json::from_slice(&answer).expect("JSON");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let diagnostics = answer["diagnostics"].as_array().expect("a list");
    let said = diagnostics.iter().map(|diagnostic| Said {
        severity: text(&diagnostic["severity"]),
        rule: text(&diagnostic["code"]),
        file: contract.to_owned(),
        message: text(&diagnostic["message"]),
    });
    Some(said.collect())
}

/// A run over the files of an example, as the program makes it, with settings above them where there are any.
fn run(mut policy: Policy, examples: &[Example], settings: Option<&str>) -> Outcome {
    let scratch = tempfile::tempdir().expect("a folder");
    // Settings are looked for up to the folder of a repository.
    fs::create_dir(scratch.path().join(".git")).expect("a folder");
    if let Some(settings) = settings {
        fs::write(scratch.path().join("agentry.toml"), settings).expect("settings");
    }
    let folder = scratch.path().join("registry");
    let (mut named, mut kind, mut accepted) = (Vec::new(), None, None);
    for example in examples {
        let Some(path) = example.path else { continue };
        let path: PathBuf = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        match example.role {
            Role::Link(target) => {
                #[cfg(unix)]
                std::os::unix::fs::symlink(target, &path).expect("a link");
                #[cfg(not(unix))]
                fs::write(&path, target).expect("a file");
                continue;
            }
            Role::Named(name) => {
                kind = name.map(|name| agentry::Kind::from_name(name).expect("a kind")).or(kind);
                named.push(path.clone());
            }
            Role::Baseline => accepted = Some(path.clone()),
            Role::Found | Role::Side { .. } => {}
        }
        fs::write(&path, example.bytes()).expect("a file");
    }
    if named.is_empty() {
        named.push(folder);
    }
    let options = walk::Options { kind, policy: &mut policy, progress: &Progress::default() };
    let mut outcome = walk::run_with(&named, options);
    policy.apply(&mut outcome);
    if let Some(file) = accepted {
        baseline::apply(&mut outcome, &file).expect("a baseline");
    }
    outcome
}
