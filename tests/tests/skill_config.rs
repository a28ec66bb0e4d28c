//! Skill configurations: what the schema accepts is what is read, over documents that others labelled, in every format and
//! style that they can be written in.

use agentry::values::HttpUrl;
use agentry::{Document, Format, Kind, Mode, Severity, SkillConfig, Text, read_document};
use agentry_tests::{root, shared};
use agentry_text::Node;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// A labelled document.
struct Case {
    id: String,
    document: Value,
    valid: bool,
}

/// The labelled documents that are there as values, and the examples, each also with one fault at every place.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    if let Some(path) = shared("conformance/cases/skill-config.jsonl") {
        let text = std::fs::read_to_string(path).expect("a text");
        for line in text.lines() {
            let case: Value = serde_json::from_str(line).expect("JSON");
            if case.get("text").is_some() || case["debatable"] == true {
                continue;
            }
            let id = case["id"].as_str().expect("a text").to_owned();
            cases.push(Case { id, document: case["doc"].clone(), valid: case["verdict"] == "accept" });
        }
        assert!(cases.len() > 250, "only {} cases", cases.len());
    }
    for name in ["minimal-logbook", "complete-dispatch"] {
        let text = example(name);
        let skill: SkillConfig = agentry::yaml::from_str(&text).expect("an example is valid");
        let document = serde_json::to_value(&skill).expect("it is JSON too");
        cases.push(Case { id: name.to_owned(), document, valid: true });
    }
    cases
}

fn example(name: &str) -> String {
    let path = root().join(format!("examples/registry/skill-configs/{name}.yaml"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The value with one fault at each of its places in turn.
fn spoiled(value: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    match value {
        Value::Object(entries) => {
            for (key, inner) in entries {
                let mut without = entries.clone();
                without.shift_remove(key);
                all.push(without.into());
                all.extend(others(inner).into_iter().map(|wrong| {
                    let mut copy = entries.clone();
                    copy.insert(key.clone(), wrong);
                    copy.into()
                }));
            }
            let mut more = entries.clone();
            more.insert("no_such_key".to_owned(), json!("a"));
            all.push(more.into());
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                all.extend(others(inner).into_iter().map(|wrong| {
                    let mut copy = items.clone();
                    copy[index] = wrong;
                    copy.into()
                }));
            }
        }
        _ => {}
    }
    all
}

/// What stands in place of a value: one of every type, and itself with a fault inside.
fn others(value: &Value) -> Vec<Value> {
    let types = json!([null, 1.5, true, "", [], {}, ["a"], { "a": 1 }]);
    let types = types.as_array().expect("a list").clone();
    [types, spoiled(value)].concat()
}

/// The document with today's names: what schema and reader are compared by.
fn renamed(value: &Value) -> Value {
    fn table(value: &Value, names: &[(&str, &str)], below: &dyn Fn(&str, &Value) -> Value) -> Value {
        let Value::Object(entries) = value else { return value.clone() };
        let renamed = entries.iter().map(|(key, value)| {
            let name = names.iter().find(|(old, _)| old == key).map_or(key.as_str(), |(_, new)| new);
            (name.to_owned(), below(name, value))
        });
        Value::Object(renamed.collect::<Map<_, _>>())
    }
    let list = |value: &Value, names: &[(&str, &str)]| match value {
        Value::Array(items) => {
            items.iter().map(|item| table(item, names, &|_, value| value.clone())).collect()
        }
        value => value.clone(),
    };
    let top = [
        ("inlineTools", "inline_tools"),
        ("mcpServers", "mcp_servers"),
        ("agentSkillFolders", "agent_skill_folders"),
    ];
    table(value, &top, &|name, value| match name {
        "inline_tools" => list(value, &[("inputSchema", "input_schema"), ("sideEffects", "side_effects")]),
        "mcp_servers" => list(value, &[("toolFilter", "tool_filter")]),
        _ => value.clone(),
    })
}

/// The rules that no schema can state.
const BEYOND: [&str; 4] = ["missing-function", "python-syntax", "duplicate-entry", "include-circle"];

/// Whether a document is read without an error that a schema could state; None where the names themselves clash.
fn is_read(value: &Value) -> Option<bool> {
    let node: Node = serde_json::from_value::<agentry::Value>(value.clone()).expect("a value").into();
    let document = Document { root: Some(node.clone()), findings: Vec::new(), damaged: false };
    let reading = read_document::<SkillConfig>(&document, Mode::Strict);
    assert_eq!(reading.value.is_some(), reading.is_valid(), "{value}");
    let mut stated = true;
    for finding in reading.findings.iter().filter(|finding| finding.severity == Severity::Error) {
        let text = node.pointer(&finding.pointer).and_then(Node::as_str).unwrap_or_default();
        match finding.rule.name {
            "conflicting-keys" => return None,
            rule if BEYOND.contains(&rule) => {}
            // An address that has the form of one.
            "invalid-value" if finding.pointer.ends_with("/url") && HttpUrl::matches(text) => {}
            _ => stated = false,
        }
    }
    Some(stated)
}

fn validator() -> Validator {
    let schema = agentry_schema::schema(Kind::SkillConfig, agentry_schema::Draft::V2020_12);
    jsonschema::options().offline().build(&schema).expect("the schema can be used")
}

#[test]
fn the_schema_accepts_what_is_read() {
    let validator = validator();
    let mut verdicts = [0, 0];
    let mut faults = Vec::new();
    for case in cases() {
        // The larger ones hold the same tables as the examples, only more of them.
        let small = case.valid && case.document.to_string().len() < 600;
        let bad = if small || case.id.starts_with("complete") { spoiled(&case.document) } else { Vec::new() };
        for document in std::iter::once(case.document.clone()).chain(bad) {
            let document = renamed(&document);
            let Some(read) = is_read(&document) else { continue };
            let accepted = validator.is_valid(&document);
            verdicts[usize::from(accepted)] += 1;
            if accepted != read {
                faults
                    .push(format!("{}: the schema says {accepted}, the reader {read}: {document}", case.id));
            }
        }
    }
    assert!(faults.is_empty(), "{} documents:\n{}", faults.len(), faults[..faults.len().min(10)].join("\n"));
    assert!(verdicts.iter().all(|count| *count > 100), "too few documents tell: {verdicts:?}");
    println!("{} accepted, {} refused", verdicts[1], verdicts[0]);
}

#[test]
fn a_document_means_the_same_in_every_format_and_style() {
    let mut tried = 0;
    for case in cases() {
        let block = agentry::yaml::to_string(&case.document).expect("it can be written");
        let pretty = agentry::json::to_string(&case.document).expect("it can be written");
        // JSON on one line is YAML in flow style with every text in quotes.
        let flow = case.document.to_string();
        let texts = [
            (Format::Yaml, &block),
            (Format::Yaml, &pretty),
            (Format::Yaml, &flow),
            (Format::Json, &pretty),
            (Format::Json, &flow),
        ];
        let readings: Vec<_> = texts
            .iter()
            .map(|(format, text)| {
                let document = match format {
                    Format::Json => agentry::json::parse(text),
                    _ => agentry::yaml::parse(text),
                };
                let reading = read_document::<SkillConfig>(&document, Mode::Strict);
                let mut found: Vec<String> = reading
                    .findings
                    .iter()
                    .map(|one| format!("{} {} {}", one.severity.name(), one.rule.name, one.pointer))
                    .collect();
                found.sort();
                (reading.value, found)
            })
            .collect();
        for ((format, text), reading) in texts.iter().zip(&readings) {
            assert_eq!(reading, &readings[0], "{}, as {}:\n{text}", case.id, format.name());
            assert_eq!(reading.0.is_some(), case.valid, "{}, as {}:\n{text}", case.id, format.name());
            tried += 1;
        }
    }
    println!("{tried} texts read");
}

#[test]
fn the_examples_say_everything() {
    let text = example("complete-dispatch");
    let document = agentry::yaml::parse(&text);
    let root = document.root.expect("YAML");
    let schema = agentry_schema::schema(Kind::SkillConfig, agentry_schema::Draft::V2020_12);
    let mut missing = Vec::new();
    // Each table of the format, and where the example has one like it.
    for (definition, places) in [
        ("", &[""][..]),
        ("ToolReference", &["/tools/0", "/tools/1"]),
        ("InlineTool", &["/inline_tools/0", "/inline_tools/1"]),
        ("Inclusion", &["/includes/0"]),
        ("McpServer", &["/mcp_servers/0", "/mcp_servers/1", "/mcp_servers/2"]),
        ("ToolFilter", &["/mcp_servers/0/tool_filter", "/mcp_servers/1/tool_filter"]),
        ("SkillFolder", &["/agent_skill_folders/0"]),
    ] {
        let table = if definition.is_empty() { &schema } else { &schema["$defs"][definition] };
        for key in table["properties"].as_object().expect("a table").keys() {
            let shown = |place: &&str| root.pointer(place).is_some_and(|node| node.get(key).is_some());
            if !places.iter().any(shown) {
                missing.push(format!("{definition}.{key}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
    let skill: SkillConfig = agentry::yaml::from_str(&text).expect("valid");
    let written = agentry::yaml::to_string(&skill).expect("written");
    assert_eq!(agentry::yaml::from_str::<SkillConfig>(&written).expect("read again"), skill);
}
