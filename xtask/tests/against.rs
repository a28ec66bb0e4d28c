//! What a change demands of the version of its document, from the types down to the program and Git.

use agentry_check::acknowledged::Acknowledgements;
use agentry_diff::{Options, compare};
use agentry_schema::Document;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use xtask::against::{Demand, Report, compare_all, demand};

#[test]
fn each_change_demands_what_it_does_to_those_whom_nobody_can_update() {
    let text = json!({ "properties": { "a": { "type": "string" } }, "required": ["a"] });
    let open =
        json!({ "properties": { "a": { "type": "string" }, "b": { "type": "integer" } }, "required": ["a"] });
    let wider = json!({ "properties": { "a": { "type": "string" } } });
    let tighter = json!({ "properties": { "a": { "type": "string", "minLength": 1 } }, "required": ["a"] });
    let closed = json!({ "properties": { "a": {} }, "additionalProperties": false });
    let with_b = json!({ "properties": { "a": {}, "b": {} }, "additionalProperties": false });
    let words =
        json!({ "properties": { "a": { "type": "string", "description": "An a." } }, "required": ["a"] });
    let unknown = json!({ "properties": { "a": { "pattern": "(a)\\1(?=b)c" } } });
    let unknown_words = json!({ "title": "A", "properties": { "a": { "pattern": "(a)\\1(?=b)c" } } });
    let (file, report) = ("provider.schema.json", "report/check.schema.json");
    let (input, output) = ("contract/exec.input.schema.json", "contract/exec.output.schema.json");
    for (path, old, new, wanted) in [
        (file, &text, &words, Demand::Patch),
        (file, &text, &wider, Demand::Minor),
        (file, &wider, &text, Demand::Major),
        (file, &text, &tighter, Demand::Major),
        (file, &tighter, &text, Demand::Minor),
        // A key that an open table did not declare.
        (file, &text, &open, Demand::Minor),
        (file, &open, &text, Demand::Minor),
        (file, &closed, &with_b, Demand::Minor),
        (file, &with_b, &closed, Demand::Major),
        (file, &wider, &unknown, Demand::Major),
        // What is not modelled, with other words.
        (file, &unknown, &unknown_words, Demand::Patch),
        // A declared key that excuses nothing else.
        (file, &json!({ "properties": { "a": { "type": "string" } } }), &open, Demand::Major),
        (input, &text, &wider, Demand::Minor),
        (input, &wider, &text, Demand::Major),
        // What a program writes is a promise to its readers.
        (report, &text, &wider, Demand::Major),
        (report, &wider, &text, Demand::Minor),
        (report, &text, &open, Demand::Minor),
        (report, &open, &text, Demand::Minor),
        (output, &text, &wider, Demand::Major),
        (output, &closed, &with_b, Demand::Major),
        (output, &with_b, &closed, Demand::Minor),
    ] {
        let found = demand(path, &compare(old, new, &Options::default()), &Acknowledgements::default());
        assert_eq!(found, wanted, "{path}: from {old} to {new}");
    }
}

fn schema(version: &str, parts: &Value) -> String {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("https://example.com/v{}/x", &version[..1]),
        "$comment": format!("Version {version}; made from the types of Agentry."),
    });
    for (key, value) in parts.as_object().into_iter().flatten() {
        schema[key] = value.clone();
    }
    schema.to_string()
}

fn report(old: &[(&str, String)], new: &[(&str, String)]) -> Report {
    report_with(&Acknowledgements::default(), old, new)
}

fn report_with(list: &Acknowledgements, old: &[(&str, String)], new: &[(&str, String)]) -> Report {
    let old: BTreeMap<String, String> =
        old.iter().map(|(path, text)| ((*path).to_owned(), text.clone())).collect();
    let document = |(path, text): &(&str, String)| Document { path: (*path).to_owned(), text: text.clone() };
    compare_all("v1", &old, &new.iter().map(document).collect::<Vec<_>>(), list)
}

#[test]
fn a_version_is_raised_far_enough_or_the_report_says_to_which() {
    let one = json!({ "properties": { "tier": { "enum": ["local", "cloud"] } } });
    let narrow = json!({ "properties": { "tier": { "enum": ["cloud"] } } });
    let words = json!({ "properties": { "tier": { "enum": ["local", "cloud"], "title": "Tier" } } });
    let order = json!({ "properties": { "tier": { "enum": ["cloud", "local"] } } });
    for (old, from, new, to, lacks) in [
        (&one, "1.2.3", &narrow, "1.2.3", Some("2.0.0")),
        (&one, "1.2.3", &narrow, "1.9.9", Some("2.0.0")),
        (&one, "1.2.3", &narrow, "2.0.0", None),
        (&one, "1.2.3", &narrow, "3.1.0", None),
        (&narrow, "1.2.3", &one, "1.2.4", Some("1.3.0")),
        (&narrow, "1.2.3", &one, "1.3.0", None),
        (&narrow, "1.2.3", &one, "2.0.0", None),
        (&one, "1.2.3", &words, "1.2.3", Some("1.2.4")),
        (&one, "1.2.3", &words, "1.2.4", None),
        (&one, "1.2.3", &order, "1.2.3", None),
        // Nothing changed but the version: it may be raised, not lowered.
        (&one, "1.2.3", &one, "1.3.0", None),
        (&one, "1.2.3", &one, "1.2.2", Some("1.2.3")),
    ] {
        let report = report(&[("x.schema.json", schema(from, old))], &[("x.schema.json", schema(to, new))]);
        let found = report.entries[0].lacks().map(|least| least.to_string());
        assert_eq!(found.as_deref(), lacks, "{from} {old} to {to} {new}");
        assert_eq!(report.is_sound(), lacks.is_none());
        if let Some(least) = lacks {
            assert!(
                report.human().contains(&format!("fix: raise its version to {least} in")),
                "{}",
                report.human()
            );
            assert!(report.markdown().contains(&format!("**must be {least}**")), "{}", report.markdown());
        }
    }
}

#[test]
fn reports_tell_of_new_deleted_and_twin_documents_and_the_changelog_is_kept() {
    let one = json!({ "properties": { "tier": { "enum": ["a|b", "cloud"] } } });
    let other = json!({ "properties": { "tier": { "enum": ["cloud"] } } });
    let report = report(
        &[
            ("catalog.json", "{\"version\":1}".to_owned()),
            ("x.schema.json", schema("1.0.0", &one)),
            ("draft-07/x.schema.json", schema("1.0.0", &one)),
            ("gone.schema.json", schema("1.1.0", &one)),
            ("same.schema.json", schema("1.1.0", &one)),
        ],
        &[
            ("catalog.json", "{\"version\":2}".to_owned()),
            ("x.schema.json", schema("2.0.0", &other)),
            ("draft-07/x.schema.json", schema("2.0.0", &other)),
            ("fresh.schema.json", schema("1.0.0", &one)),
            ("same.schema.json", schema("1.1.0", &one)),
        ],
    );
    let print = report.entries[3].changes[0].fingerprint.clone().expect("a fingerprint");
    assert_eq!(
        report.human().replace(&print, "PRINT"),
        "Comparing 5 documents with v1\n   \
         catalogue    catalog.json  \n                \
         /version  `1` is now `2`\n   \
         new          fresh.schema.json  1.0.0\n   \
         deleted      gone.schema.json  1.1.0\n   \
         major        x.schema.json and its draft-07  1.0.0 → 2.0.0\n                \
         /properties/tier/enum  option \"a|b\" removed\n                  \
         breaks existing files, for example {\"tier\":\"a|b\"}\n                  \
         fingerprint PRINT\n\
         4 differ, 0 with a version that is too low, 0 not in the changelog.\n"
    );
    let table = report.markdown();
    let row = "| `x.schema.json` | 1.0.0 → 2.0.0 | major | /properties/tier/enum  option \"a\\|b\" removed | \
               breaks existing files, for example {\"tier\":\"a\\|b\"}; fingerprint PRINT |\n";
    let table = table.replace(&print, "PRINT");
    assert!(table.contains(row), "{table}");

    let before =
        "# Changes\n\nWords.\n\n## Unreleased\n\n- stale\n\n## 1.0.0\n\n- `x.schema.json` 2.0.0: major\n";
    let after = report.changelog(before);
    assert_eq!(
        after,
        "# Changes\n\nWords.\n\n## Unreleased\n\n- `fresh.schema.json` 1.0.0: new\n- `gone.schema.json` 1.1.0: deleted\n\
         - `x.schema.json` 2.0.0: major\n  - `/properties/tier/enum` option \"a|b\" removed: breaks existing files, \
         for example {\"tier\":\"a|b\"}\n\n## 1.0.0\n\n- `x.schema.json` 2.0.0: major\n"
    );
    assert_eq!(report.changelog(&after), after);
    assert!(report.clone().with_changelog(&after).is_sound());
    // What another release says is not enough.
    let unlisted = report.with_changelog(before);
    assert_eq!(unlisted.unlisted.len(), 3, "{:?}", unlisted.unlisted);
    assert!(!unlisted.is_sound() && unlisted.human().contains("schema-changelog --against v1"));
}

#[test]
fn a_change_that_is_acknowledged_demands_no_more_than_words() {
    let one = json!({ "properties": { "tier": { "enum": ["local", "cloud"] }, "name": {} } });
    let narrow = json!({ "properties": { "tier": { "enum": ["cloud"] }, "name": {} } });
    let shut = json!({ "properties": { "tier": { "enum": ["cloud"] }, "name": { "type": "string" } } });
    let wide = json!({ "properties": { "tier": { "enum": ["cloud", "edge"] }, "name": {} } });
    let wider = json!({ "properties": { "tier": { "enum": ["local", "cloud", "edge"] }, "name": {} } });
    let unknown =
        json!({ "properties": { "tier": { "enum": ["local", "cloud"] }, "name": { "pattern": "a(?!b)c" } } });
    let of = |new: &Value, list: &str, to: &str| {
        let list = Acknowledgements::parse(list).expect("a list");
        report_with(&list, &[("x.schema.json", schema("1.2.3", &one))], &[("x.schema.json", schema(to, new))])
    };
    let entry =
        |print: &str| format!("[[acknowledged]]\nfingerprint = \"{print}\"\nreason = \"no file had it\"\n");
    let prints = |new: &Value| -> Vec<String> {
        of(new, "", "1.2.3").entries[0]
            .changes
            .iter()
            .filter_map(|change| change.fingerprint.clone())
            .collect()
    };
    let gone = prints(&narrow).concat();
    for (new, list, least) in [
        (&narrow, String::new(), "2.0.0"),
        (&narrow, entry(&gone), "1.2.4"),
        (&shut, entry(&gone), "2.0.0"),
        // Only wider.
        (&wider, String::new(), "1.3.0"),
        (&wider, entry(&prints(&wider).concat()), "1.2.4"),
        // What is wider beside it stays what it is.
        (&wide, entry(&gone), "1.3.0"),
        (&unknown, String::new(), "2.0.0"),
        (&unknown, entry(&prints(&unknown).concat()), "1.2.4"),
    ] {
        let report = of(new, &list, "1.2.3");
        assert_eq!(
            report.entries[0].lacks().map(|least| least.to_string()).as_deref(),
            Some(least),
            "{list} {new}"
        );
        assert_eq!(report.human().contains("acknowledged: no file had it"), !list.is_empty());
        assert_eq!(report.stale, [""; 0]);
    }
    let report = of(&wide, &entry("00000000000000aa"), "2.0.0");
    assert!(
        report.human().contains("stale        no change has the acknowledged fingerprint 00000000000000aa")
    );
}

fn run(program: &str, arguments: &[&str], dir: &Path) -> Output {
    let mut command = Command::new(program);
    // Git must not take the settings, or the repository, of whoever runs the tests.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.args(arguments).current_dir(dir).env("GIT_CONFIG_GLOBAL", "/dev/null").output().expect("it runs")
}

fn git(dir: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    let output = run("git", &[&identity[..], arguments].concat(), dir);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn the_program_compares_with_a_revision_and_keeps_the_changelog() {
    let folder = tempfile::tempdir().expect("a folder");
    let schemas = folder.path().join("schemas");
    let documents = agentry_check::documents();
    for Document { path, text } in &documents {
        let file = schemas.join(path);
        fs::create_dir_all(file.parent().expect("it is in a folder")).expect("the folder can be made");
        // As it was: with one more option.
        let text = text.replacen("\"const\": \"frontier\"", "\"const\": \"frontier-old\"", 1);
        fs::write(file, text).expect("it can be written");
    }
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "--message", "First"]);

    let xtask = |arguments: &[&str]| {
        let dir = schemas.to_str().expect("a path");
        run(env!("CARGO_BIN_EXE_xtask"), &[arguments, &["--dir", dir]].concat(), folder.path())
    };
    let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    let output = xtask(&["schema-diff", "--against", "HEAD"]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    let said = text(&output);
    assert!(said.contains("   major        provider.schema.json and its draft-07  1.0.0\n"), "{said}");
    assert!(said.contains("`const` altered from \"frontier-old\" to \"frontier\"\n                  breaks existing files, for example {"), "{said}");
    assert!(said.contains("fix: raise its version to 2.0.0 in"), "{said}");
    assert!(said.contains("the changelog lacks: - `provider.schema.json` 1.0.0: major"), "{said}");

    // Without a reason nothing is acknowledged.
    let list = schemas.join("acknowledged.toml");
    fs::write(&list, "[[acknowledged]]\nfingerprint = \"00000000000000aa\"\n").expect("it can be written");
    let refused = xtask(&["schema-diff", "--against", "HEAD"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("lacks the required key `reason`"),
        "{refused:?}"
    );
    // All that breaks is acknowledged, then what the other draft calls otherwise: no version must be 2.0.0.
    let mut prints = std::collections::BTreeSet::new();
    let mut excused = said;
    for _ in 0..2 {
        let shown = excused.lines().filter_map(|line| line.trim().strip_prefix("fingerprint "));
        prints.extend(shown.map(str::to_owned));
        let entries = prints.iter().map(|print| {
            format!("[[acknowledged]]\nfingerprint = \"{print}\"\nreason = \"an option that no file has\"\n")
        });
        fs::write(&list, entries.collect::<String>()).expect("it can be written");
        excused = text(&xtask(&["schema-diff", "--against", "HEAD"]));
    }
    assert!(!excused.contains("2.0.0") && !excused.contains("stale"), "{excused}");
    assert!(excused.contains("   patch        provider.schema.json and its draft-07  1.0.0\n"), "{excused}");
    assert!(excused.contains("acknowledged: an option that no file has"), "{excused}");
    fs::remove_file(&list).expect("it is there");

    let output = xtask(&["schema-changelog", "--against", "HEAD"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = xtask(&["schema-diff", "--against", "HEAD", "--format", "markdown"]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    let said = text(&output);
    assert!(said.contains("| `provider.schema.json` | 1.0.0, **must be 2.0.0** | major |"), "{said}");
    assert!(!said.contains("The changelog lacks"), "{said}");

    // A release without changes.
    for Document { path, text } in &documents {
        fs::write(schemas.join(path), text).expect("it can be written");
    }
    git(folder.path(), &["commit", "--quiet", "--all", "--message", "Second"]);
    let output = xtask(&["schema-diff", "--against", "HEAD"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output).ends_with("0 differ, 0 with a version that is too low, 0 not in the changelog.\n"));
}
