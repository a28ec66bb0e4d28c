//! The front matter of `SKILL.md`: its schema says what its reader does, and what is read is written back.

use agentry::skill_md::{self, SkillMd};
use agentry::{Format, Kind, Mode, front_matter, read_document};
use agentry_check::{Checker, Input};
use agentry_schema::Draft;
use agentry_tests::{files, registries, root, shared};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Every `SKILL.md` there is to read: its path and its text.
fn skills() -> Vec<(PathBuf, String)> {
    let mut folders: Vec<PathBuf> = registries().into_iter().map(|(folder, _)| folder).collect();
    for corpus in ["corpus/anthropics-skills", "corpus/odd-skills", "corpus/everruns"] {
        folders.extend(shared(corpus));
    }
    let mut skills = Vec::new();
    for folder in folders {
        for path in files(&folder, &[], "md") {
            let path = folder.join(path);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name == "SKILL.md" || name.starts_with("SKILL-") {
                let text = std::fs::read_to_string(&path)
                    .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                skills.push((path, text));
            }
        }
    }
    skills
}

#[test]
fn what_is_read_is_written_back() {
    let mut read = 0;
    for (path, text) in skills() {
        let Ok(file) = skill_md::from_str(&text) else { continue };
        read += 1;
        assert!(text.ends_with(&file.body), "{}: the body is the end of the text", path.display());
        let written =
            skill_md::to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let again = skill_md::read(&written);
        assert_eq!(again.value.as_ref(), Some(&file), "{}", path.display());
        // What was said of the first text about how a value is written is settled by the writer.
        let doubts = again.findings.iter().filter(|finding| finding.rule.name.starts_with("yaml"));
        assert_eq!(doubts.count(), 0, "{}", path.display());
    }
    assert!(read >= 4, "the examples are there");
}

#[test]
fn the_examples_have_a_complete_skill_and_no_finding() {
    let folder = root().join("examples/registry/skills/complete-knot-guide");
    let text = std::fs::read_to_string(folder.join("SKILL.md")).expect("the example");
    let reading = read_document::<SkillMd>(&front_matter::parse(&text).document, Mode::Strict);
    assert_eq!(reading.findings, []);
    let written = serde_json::to_value(reading.value.expect("valid")).expect("JSON");
    let shape = Kind::SkillMd.shape().expect("a table");
    let client = skill_md::ClientKeys::names();
    let missing: Vec<_> = shape
        .keys
        .iter()
        .map(|key| key.name)
        .filter(|name| written.get(name).is_none() && !client.contains(name))
        .collect();
    assert_eq!(missing, [""; 0], "keys that the complete example does not show");
}

/// Values that stand for a key: right ones, and wrong ones of every sort.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-1_000_000_i64..1_000_000).prop_map(Value::from),
        (-1_000..1_000_i32).prop_map(|number| json!(f64::from(number) / 8.0)),
        "[a-zA-Z0-9 _,:()*-]{0,12}".prop_map(Value::from),
        "(?s).{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("[a-z]{1,4}", inner), 0..3)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn name() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => "[a-z0-9]{1,8}(-[a-z0-9]{1,5}){0,3}".prop_map(Value::from),
        2 => "[a-zA-Z0-9_ -]{0,10}".prop_map(Value::from),
        1 => "[а-яё]{1,5}(-[技能日本]{1,3}){0,2}".prop_map(Value::from),
        1 => "[А-Яа-яΑ-Ωα-ωÀ-ÿ-]{1,5}".prop_map(Value::from),
        1 => (60..70_usize).prop_map(|length| "ä".repeat(length).into()),
        1 => any_value(),
    ]
}

fn text(greatest: usize) -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => "[A-Z][a-z ,.:]{0,30}".prop_map(Value::from),
        2 => (greatest - 2..greatest + 3, prop::sample::select(vec!["x", "ü", "🌊", "\n"]))
            .prop_map(|(length, part)| part.repeat(length).into()),
        1 => any_value(),
    ]
}

/// Front matter in which every key may be absent, right, or wrong.
fn document() -> impl Strategy<Value = Value> {
    let tools = prop_oneof![
        Just(json!("Read Bash(git:*)")),
        Just(json!("Read, Write")),
        Just(json!(["Read", "Bash(ls *)"])),
        Just(json!([])),
        any_value(),
    ];
    let metadata = prop_oneof![
        3 => prop::collection::hash_map("[a-z]{1,4}", "[a-z0-9.]{0,4}".prop_map(Value::from), 0..3).prop_map(|map| json!(map)),
        1 => any_value(),
    ];
    let maybe = |probability: f64, value: BoxedStrategy<Value>| prop::option::weighted(probability, value);
    let parts = (
        maybe(0.9, name().boxed()),
        maybe(0.9, text(1024).boxed()),
        maybe(0.3, text(40).boxed()),
        maybe(0.3, text(500).boxed()),
        maybe(0.3, metadata.boxed()),
        maybe(0.3, tools.boxed()),
        prop::collection::hash_map(
            prop::sample::select(vec![
                "version", "author", "tags", "runtime", "tools", "model", "hooks", "homepage", "$schema",
            ]),
            any_value(),
            0..3,
        ),
    );
    parts.prop_map(|(name, description, license, compatibility, metadata, tools, others)| {
        let mut document = Map::new();
        for (key, value) in [
            ("name", name),
            ("description", description),
            ("license", license),
            ("compatibility", compatibility),
            ("metadata", metadata),
            ("allowed-tools", tools),
        ] {
            document.extend(value.map(|value| (key.to_owned(), value)));
        }
        document.extend(others.into_iter().map(|(key, value)| (key.to_owned(), value)));
        Value::Object(document)
    })
}

/// Whether a pattern says less of a name than its reader, which knows every letter of Unicode.
fn is_beyond(document: &Value) -> bool {
    let name = document["name"].as_str().unwrap_or_default();
    let odd = |c: char| c != '-' && !(c.is_alphanumeric() && c.to_lowercase().eq([c]));
    !name.is_ascii() && name.chars().any(|c| !c.is_ascii() && odd(c))
}

#[test]
fn the_schema_accepts_what_the_reader_reads() {
    let validators: Vec<_> = Draft::ALL
        .iter()
        .map(|draft| {
            let schema = agentry_schema::schema(Kind::SkillMd, *draft);
            jsonschema::options().offline().build(&schema).expect("a schema")
        })
        .collect();
    let config = ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() };
    let (valid, invalid) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let result = runner.run(&document(), |document| {
        // JSON is YAML, but for the marks of its own: what is judged is the front matter of a file.
        let yaml =
            agentry::yaml::to_string(&document).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let text = format!("---\n{yaml}---\nText.\n");
        let asked = Input {
            path: None,
            kind: Some(Kind::SkillMd),
            contract: None,
            format: Format::Markdown,
            text: &text,
        };
        let checked = Checker::default().check(&asked);
        let read = checked.is_valid();
        prop_assert_eq!(read, checked.manifest.is_some(), "{}", text);
        let count = if read { &valid } else { &invalid };
        count.set(count.get() + 1);
        for validator in &validators {
            let accepted = validator.is_valid(&document);
            prop_assert!(
                accepted == read || accepted && is_beyond(&document),
                "read: {read}, accepted: {accepted}\n{text}"
            );
        }
        if let Some(agentry::Manifest::SkillMd(skill)) = &checked.manifest {
            let written =
                serde_json::to_value(skill).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(&written, &document);
            let file = skill_md::SkillFile::new((**skill).clone(), "Text.\n");
            let again = skill_md::to_string(&file).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(
                skill_md::from_str(&again).map_err(|error| TestCaseError::fail(error.to_string()))?,
                file
            );
        }
        Ok(())
    });
    assert!(result.is_ok(), "{}", result.err().map_or_else(String::new, |error| error.to_string()));
    assert!(valid.get() > 300 && invalid.get() > 300, "{} valid, {} not", valid.get(), invalid.get());
}

#[test]
fn a_skill_without_a_finding_is_one_in_every_way_it_may_be_written() {
    for text in [
        "---\nname: a\ndescription: b\n---\n",
        "---\nname: a\ndescription: b\n---",
        "\u{feff}---\nname: a\ndescription: b\n---\nText",
        "---\r\nname: a\r\ndescription: b\r\n---\r\nText\r\n",
        "---  \nname: a\ndescription: |\n  ---\n  b\n---\t\nText\n---\n",
        "---\n# a comment\n\nname: 'a'\n\ndescription: >-\n  b: c\n\n  d\n---\n",
    ] {
        let asked =
            Input { path: None, kind: Some(Kind::SkillMd), contract: None, format: Format::Markdown, text };
        let findings = Checker::default().check(&asked).findings;
        assert!(findings.is_empty(), "{text:?}: {findings:#?}");
    }
}
