//! The reports of the checker under the documents that describe them, over a registry that is made to be hard on
//! them and over the registries that lie beside the project.

use agentry_check::baseline;
use agentry_check::report::{github, json, junit, sarif};
use agentry_check::walk::{self, Outcome};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Files with everything that a report must write with care.
fn hard_files() -> Vec<(&'static str, Vec<u8>)> {
    let provider =
        |rest: &str| format!("[provider]\nid = \"acme\"\ndisplay_name = \"A\"\n{rest}").into_bytes();
    vec![
        ("providers/plain name.toml", provider("colour = 1\n")),
        ("providers/50%#?:[ü].toml", provider("\"<&]]>\\u0001\\u001b\\uFFFE\" = 1\n")),
        ("providers/marked.toml", [b"\xef\xbb\xbf".to_vec(), provider("colour = 1\r\n")].concat()),
        ("providers/wide.toml", provider("x = { \"😀😀\" = 1, tint = 2 }\n")),
        ("providers/bytes.toml", b"\xff\xfe\x00".to_vec()),
        ("providers/empty.toml", Vec::new()),
        ("providers/broken.toml", b"[provider\nid = \"\"\"\n".to_vec()),
        ("providers/many.toml", provider(&"[[models]]\n".repeat(30))),
        ("mcp/swallowed.toml", b"id = \"swallowed\"\nname = \"S\"\n[transport]\ntype = \"stdio\"\ncommand = \"x\"\nsetup_instructions = \"\"\"\nDo\nthis\n\"\"\"\n".to_vec()),
    ]
}

fn outcomes() -> Vec<(PathBuf, Outcome)> {
    let folder = tempfile::tempdir().expect("a folder").keep();
    for (path, bytes) in hard_files() {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, bytes).expect("a file");
    }
    let mut outcomes = vec![(folder.clone(), walk::run(&[folder.clone(), folder.join("nowhere")], None))];
    assert!(outcomes[0].1.files.len() >= hard_files().len(), "every file is judged");
    fs::remove_dir_all(&folder).expect("it can be removed");
    for (registry, _) in agentry_tests::registries() {
        outcomes.push((registry.clone(), walk::run(&[registry], None)));
    }
    outcomes
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::options().offline().build(schema).expect("the schema can be used")
}

fn document(name: &str) -> Value {
    let path = agentry_tests::root().join("schemas").join(name);
    serde_json::from_str(&fs::read_to_string(path).expect("a document")).expect("JSON")
}

/// The same schema with every object closed: the published ones are open, so that new keys break nobody.
fn closed(mut schema: Value) -> Value {
    fn close(value: &mut Value) {
        match value {
            Value::Object(entries) => {
                entries.values_mut().for_each(close);
                if entries.get("properties").is_some_and(Value::is_object) {
                    entries.insert("additionalProperties".to_owned(), false.into());
                }
            }
            Value::Array(items) => items.iter_mut().for_each(close),
            _ => {}
        }
    }
    close(&mut schema);
    schema
}

fn none(validator: &jsonschema::Validator, value: &Value, what: &str) {
    let faults: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(faults.is_empty(), "{what}: {}", faults.join("\n"));
}

#[test]
fn json_output_is_what_its_schemas_say() {
    let (whole, line, answer) = (
        validator(&closed(document("report/check.schema.json"))),
        validator(&closed(document("report/check-line.schema.json"))),
        validator(&closed(document("report/answer.schema.json"))),
    );
    for (registry, outcome) in outcomes() {
        let mut out = Vec::new();
        json::write(&outcome, &mut out).expect("it is written");
        none(&whole, &serde_json::from_slice(&out).expect("JSON"), &registry.display().to_string());
        let mut out = Vec::new();
        json::write_lines(&outcome, &mut out).expect("it is written");
        let lines = String::from_utf8(out).expect("text");
        assert_eq!(lines.lines().count(), outcome.files.len());
        for text in lines.lines() {
            none(&line, &serde_json::from_str(text).expect("JSON"), text);
        }
    }
    let requests = "{\"id\": [1], \"kind\": \"provider\", \"text\": \"x = 1\"}\nno\n{\"text\": \"\"}\n";
    let mut answers = Vec::new();
    agentry_check::service::run(requests.as_bytes(), &mut answers).expect("it answers");
    let answers = String::from_utf8(answers).expect("text");
    assert_eq!(answers.lines().count(), 3);
    for text in answers.lines() {
        none(&answer, &serde_json::from_str(text).expect("JSON"), text);
    }
    let mut rules = Vec::new();
    agentry_check::explain::json(agentry_check::explain::pages(), &mut rules).expect("it is written");
    none(
        &validator(&closed(document("report/explain.schema.json"))),
        &serde_json::from_slice(&rules).expect("JSON"),
        "rules",
    );
    // A schema that accepts anything would show nothing.
    let mut wrong: Value = serde_json::from_str(answers.lines().next().expect("an answer")).expect("JSON");
    wrong["diagnostics"][0]["severity"] = "fatal".into();
    assert!(!answer.is_valid(&wrong));
}

#[test]
fn a_comparison_of_schemas_is_what_its_schema_says() {
    use agentry_diff::{Comparison, Options, Report, compare};
    use serde_json::json;
    let schema = validator(&closed(document("report/diff.schema.json")));
    let keys = json!({"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}});
    let pairs = [
        (keys.clone(), keys.clone()),
        (
            keys.clone(),
            json!({"properties": {"a": {"type": "string"}, "b": {"type": "string", "description": "A b."}}}),
        ),
        (keys.clone(), json!({"type": "object"})),
        (json!({"$defs": {"a": {"enum": [1]}}}), json!({"$defs": {"a": {"enum": [2]}, "b": true}})),
        (json!(true), json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}})),
        (json!({"pattern": "a(?!b)c"}), json!({"pattern": "a(?!c)b"})),
        (keys, json!({"type": "text"})),
    ];
    let mut seen = std::collections::BTreeSet::new();
    let mut check = |comparison: &Comparison| {
        let report = comparison.to_json();
        none(&schema, &report, &report.to_string());
        seen.extend(
            report["changes"].as_array().into_iter().flatten().map(|change| change["effect"].to_string()),
        );
        seen.extend([report["backward"].to_string(), report["forward"].to_string()]);
    };
    for (old, new) in &pairs {
        check(&compare(old, new, &Options::default()));
    }
    let told = [
        "breaks-both",
        "breaks-files",
        "breaks-readers",
        "documentation",
        "invalid",
        "neither",
        "no",
        "unknown",
        "yes",
    ];
    assert_eq!(seen, told.iter().map(|word| format!("\"{word}\"")).collect());
    let none_of_them = serde_json::to_value(Report::invalid(json!([1]), "no request")).expect("JSON");
    none(&schema, &none_of_them, "an answer to what is no request");
    let mut wrong = compare(&pairs[0].0, &pairs[2].1, &Options::default()).to_json();
    wrong["changes"][0]["effect"] = "fatal".into();
    assert!(!schema.is_valid(&wrong));
}

#[test]
fn sarif_output_is_what_the_specification_says() {
    let Some(path) = agentry_tests::shared("spec/external/sarif-2.1.0.schema.json") else { return };
    let mut schema: Value = serde_json::from_str(&fs::read_to_string(path).expect("a schema")).expect("JSON");
    // A bracket too many: a pattern of the specification that not every engine takes, about a key that is not written.
    for of in ["run", "toolComponent"] {
        let pattern = format!("/definitions/{of}/properties/language/pattern");
        *schema.pointer_mut(&pattern).expect("the pattern") = "^[a-zA-Z]{2}".into();
    }
    let schema = validator(&schema);
    for (registry, outcome) in outcomes() {
        let mut out = Vec::new();
        sarif::write(&outcome, &registry, &mut out).expect("it is written");
        let log: Value = serde_json::from_slice(&out).expect("JSON");
        none(&schema, &log, &registry.display().to_string());
        let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
        assert_eq!(rules.len(), agentry_check::all_rules().count());
        for (rule, page) in rules.iter().zip(agentry_check::explain::pages()) {
            let name = page.rule.name;
            let text = |pointer: &str| rule.pointer(pointer).and_then(Value::as_str).expect(name).to_owned();
            assert_eq!(text("/id"), name);
            assert!(
                text("/fullDescription/text").len() > 80 && !text("/fullDescription/text").contains("\n\n"),
                "{name}"
            );
            let markdown = text("/help/markdown");
            let example = page.found.first().map_or("", |example| example.text);
            assert!(markdown.starts_with(&format!("# {name}\n")) && markdown.contains(example), "{name}");
            let enabled = rule["defaultConfiguration"].get("enabled").and_then(Value::as_bool);
            assert_eq!(enabled, page.off.then_some(false), "{name}");
        }
        let results = log["runs"][0]["results"].as_array().expect("results");
        let findings: usize = outcome.files.iter().map(|file| file.checked.findings.len()).sum();
        assert_eq!(results.len(), findings);
        for result in results {
            let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                .as_str()
                .expect("a URI");
            let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte);
            assert!(uri.bytes().all(safe), "{uri}");
        }
    }
}

#[test]
fn fingerprints_of_one_file_differ() {
    for (registry, outcome) in outcomes() {
        let mut out = Vec::new();
        sarif::write(&outcome, &registry, &mut out).expect("it is written");
        let log: Value = serde_json::from_slice(&out).expect("JSON");
        let mut seen = std::collections::HashSet::new();
        for result in log["runs"][0]["results"].as_array().expect("results") {
            let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            let key = format!("{uri} {}", result["partialFingerprints"]["agentryFinding/v1"]);
            assert!(seen.insert(key.clone()), "{key} twice in {}", registry.display());
        }
    }
}

#[test]
fn a_baseline_accepts_everything_it_was_made_of_and_keeps_to_its_schema() {
    let schema = validator(&document("baseline.schema.json"));
    for (registry, mut outcome) in outcomes() {
        let (text, count) = baseline::text(&outcome, &registry);
        none(&schema, &serde_json::from_str(&text).expect("JSON"), &registry.display().to_string());
        assert_eq!(baseline::text(&outcome, &registry).0, text);
        let findings =
            |outcome: &Outcome| outcome.files.iter().map(|file| file.checked.findings.len()).sum::<usize>();
        assert_eq!(count, findings(&outcome));
        // Paths count from where the file lies; nothing else of that folder matters.
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("accepted.json");
        fs::write(&file, baseline::text(&outcome, folder.path()).0).expect("a file");
        baseline::apply(&mut outcome, &file).expect("it can be read");
        assert_eq!(findings(&outcome), 0, "{}", registry.display());
    }
}

#[test]
fn junit_output_is_well_formed() {
    use quick_xml::events::Event;
    for (registry, outcome) in outcomes() {
        let mut out = Vec::new();
        junit::write(&outcome, &registry, &mut out).expect("it is written");
        let text = String::from_utf8(out).expect("UTF-8");
        let forbidden =
            |c: char| c < ' ' && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{fffe}' | '\u{ffff}');
        assert!(!text.contains(forbidden), "a character that XML does not have");
        let mut reader = quick_xml::Reader::from_str(&text);
        reader.config_mut().check_end_names = true;
        let (mut cases, mut failures) = (0, 0);
        loop {
            match reader.read_event().expect("well formed") {
                Event::Eof => break,
                Event::Start(tag) | Event::Empty(tag) => {
                    for attribute in tag.attributes() {
                        attribute.expect("an attribute");
                    }
                    cases += usize::from(tag.name().as_ref() == "testcase");
                    failures += usize::from(tag.name().as_ref() == "failure");
                }
                _ => {}
            }
        }
        assert_eq!(cases, outcome.files.len() + outcome.errors.len());
        assert_eq!(failures, outcome.count(agentry::Severity::Error), "{}", registry.display());
    }
}

#[test]
fn every_annotation_is_one_line() {
    for (registry, outcome) in outcomes() {
        let mut out = Vec::new();
        github::write(&outcome, &registry, &mut out).expect("it is written");
        let text = String::from_utf8(out).expect("UTF-8");
        let findings: usize = outcome.files.iter().map(|file| file.checked.findings.len()).sum();
        let commands = text.lines().filter(|line| line.starts_with("::")).count();
        assert_eq!(commands, findings + outcome.errors.len());
        assert!(!text.contains('\r'));
        for line in text.lines().filter(|line| line.starts_with("::")) {
            let head = line.split("::").nth(1).expect("a command");
            let properties = head.split_once(' ').expect("properties").1;
            assert!(properties.split(',').all(|property| property.matches('=').count() >= 1), "{line}");
        }
    }
}

/// For programs that read the reports, and are no part of the tests: the reports of the hard registry, written to where
/// `AGENTRY_REPORTS` says.
#[test]
fn reports_can_be_kept_for_other_readers() {
    let Some(folder) = std::env::var_os("AGENTRY_REPORTS") else { return };
    let folder = Path::new(&folder);
    for (index, (registry, outcome)) in outcomes().iter().enumerate() {
        let write = |name: &str, render: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = Vec::new();
            render(&mut bytes);
            fs::File::create(folder.join(format!("{index}.{name}")))
                .and_then(|mut file| file.write_all(&bytes))
                .expect("a file");
        };
        write("sarif", &|out| sarif::write(outcome, registry, out).expect("it is written"));
        write("xml", &|out| junit::write(outcome, registry, out).expect("it is written"));
        write("json", &|out| json::write(outcome, out).expect("it is written"));
    }
}
