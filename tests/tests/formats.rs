//! One document in several formats: what is written in one is read as the same value in every other, by our readers and
//! by independent ones, and is judged alike.

use agentry::{Format, Kind, Manifest, Mode, Package, Severity};
use agentry_check::{Checker, Input};
use agentry_tests::{files, root, shared};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The text of a value in a format, by a writer that is none of ours. None where the format cannot express it.
fn independent(format: Format, value: &Value) -> Option<String> {
    match format {
        Format::Toml => toml::to_string(&to_toml(value)?.as_table()?).ok(),
        Format::Yaml => yaml_serde::to_string(value).ok(),
        Format::Json => serde_json::to_string(value).ok(),
        _ => None,
    }
}

/// A JSON value as TOML; None where there is a null or a number that TOML does not have.
fn to_toml(value: &Value) -> Option<toml::Value> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None if number.is_u64() => return None,
            None => number.as_f64()?.into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => toml::Value::Array(items.iter().map(to_toml).collect::<Option<_>>()?),
        Value::Object(table) => toml::Value::Table(
            table.iter().map(|(key, value)| Some((key.clone(), to_toml(value)?))).collect::<Option<_>>()?,
        ),
    })
}

/// What a reader that is none of ours sees in a text.
fn seen(format: Format, text: &str) -> Result<Value, String> {
    match format {
        Format::Toml => toml::from_str(text).map_err(|error| error.to_string()),
        Format::Yaml => yaml_serde::from_str(text).map_err(|error| error.to_string()),
        _ => serde_json::from_str(text).map_err(|error| error.to_string()),
    }
}

/// The text of a manifest in a format, by our writer.
fn written(format: Format, manifest: &Manifest) -> Result<String, String> {
    let text = match format {
        Format::Toml => agentry::toml::to_string(manifest),
        Format::Yaml => agentry::yaml::to_string(manifest),
        _ => agentry::json::to_string(manifest),
    };
    text.map_err(|error| error.to_string())
}

fn parse(format: Format, text: &str) -> agentry::Document {
    match format {
        Format::Toml => agentry::toml::parse(text),
        Format::Yaml => agentry::yaml::parse(text),
        _ => agentry::json::parse(text),
    }
}

fn read(kind: Kind, format: Format, text: &str) -> Result<Manifest, String> {
    let reading = kind.read(&parse(format, text), Mode::Strict);
    let found: Vec<String> = reading.findings.iter().map(|finding| finding.message.clone()).collect();
    reading.value.ok_or_else(|| found.join("; "))
}

/// The value without keys that are null: what TOML can say of it.
fn without_null(value: &Value) -> Value {
    match value {
        Value::Object(table) => {
            let kept = table.iter().filter(|(_, value)| !value.is_null());
            kept.map(|(key, value)| (key.clone(), without_null(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(without_null).collect(),
        value => value.clone(),
    }
}

/// Writes a manifest in every format of its kind, and reads it back with our reader and with an independent one.
fn survives(manifest: &Manifest) -> Result<(), String> {
    let kind = manifest.kind();
    let said = serde_json::to_value(manifest).map_err(|error| error.to_string())?;
    for &format in kind.formats() {
        let name = format.name();
        let text = written(format, manifest).map_err(|error| format!("{name} is not written: {error}"))?;
        let again =
            read(kind, format, &text).map_err(|error| format!("{name} is not read: {error}\n{text}"))?;
        let expected = if format == Format::Toml { without_null(&said) } else { said.clone() };
        let said_again = serde_json::to_value(&again).map_err(|error| error.to_string())?;
        if said_again != expected || format != Format::Toml && again != *manifest {
            return Err(format!("{name} is read as another value:\n{text}"));
        }
        match seen(format, &text) {
            Ok(seen) if seen == expected => {}
            Ok(seen) => return Err(format!("another reader of {name} sees\n{seen}\nin\n{text}")),
            Err(error) => return Err(format!("another reader of {name}: {error}\n{text}")),
        }
    }
    Ok(())
}

/// The example packages that are one file, by their paths, with their formats.
fn examples() -> Vec<(String, Format)> {
    let folder = root().join("examples/packages");
    let mut found = Vec::new();
    for ending in ["toml", "yaml", "json"] {
        for path in files(&folder, &["complete-folder"], ending) {
            if Path::new(&path).file_stem().is_some_and(|stem| stem == "agent") {
                found.push((path, Format::from_name(ending).expect("a format")));
            }
        }
    }
    found
}

fn example(path: &str) -> String {
    let path = root().join("examples/packages").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn examples_say_the_same_in_every_format() {
    let mut told: BTreeMap<String, Vec<(Format, Manifest)>> = BTreeMap::new();
    for (path, format) in examples() {
        let text = example(&path);
        let checked = Checker::default().check(&Input {
            path: Some(Path::new(&path)),
            kind: None,
            contract: None,
            format,
            text: &text,
        });
        assert_eq!(checked.kind, Some(Kind::Package), "{path}");
        assert_eq!(checked.findings, [], "{path}");
        let manifest = checked.manifest.expect("a valid file has a value");
        survives(&manifest).unwrap_or_else(|fault| panic!("{path}: {fault}"));
        let name = path.split('-').next().unwrap_or_default().to_owned();
        told.entry(name).or_default().push((format, manifest));
    }
    assert_eq!(told.keys().collect::<Vec<_>>(), ["complete", "minimal"]);
    for (name, manifests) in told {
        let formats: Vec<Format> = manifests.iter().map(|(format, _)| *format).collect();
        assert_eq!(formats, Kind::Package.formats(), "{name}");
        assert!(manifests.iter().all(|(_, manifest)| *manifest == manifests[0].1), "{name}: they differ");
    }
}

#[test]
fn a_complete_example_has_every_key_that_needs_no_other_file() {
    let schema = agentry_schema::schema(Kind::Package, agentry_schema::Draft::V2020_12);
    let document: Value = serde_json::from_str(&example("complete-json/agent.json")).expect("JSON");
    let keys = |table: &Value| table.as_object().expect("a table").keys().cloned().collect::<Vec<_>>();
    for (definition, places) in [
        (&schema, vec![&document]),
        (
            &schema["$defs"]["PackageMcpServer"],
            document["mcpServers"].as_object().expect("servers").values().collect(),
        ),
        (&schema["$defs"]["ToolHints"], vec![&document["tools"][0]["hints"]]),
        (&schema["$defs"]["PackageChannel"], vec![&document["channels"]["chat"]]),
    ] {
        let there: Vec<String> = places.into_iter().flat_map(keys).collect();
        // Of other files, of editors, and of the transport that no host offers.
        let left_out = ["$schema", "skills", "instructions_file", "command", "args", "env"];
        let missing: Vec<String> = keys(&definition["properties"])
            .into_iter()
            .filter(|key| !there.contains(key) && !left_out.contains(&key.as_str()))
            .collect();
        assert_eq!(missing, [""; 0]);
    }
}

/// Texts that writers and readers of some format take for something else, and any others.
fn any_text() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "",
        "yes",
        "No",
        "on",
        "null",
        "~",
        "true",
        "1.10",
        "0755",
        "0x1F",
        "22:30",
        "1e3",
        ".inf",
        "2026-03-15",
        "=",
        "<<",
        "- a",
        "a: b",
        "a #b",
        "# a",
        " a",
        "a ",
        "\n",
        "a\n",
        "a\n\n",
        "\na",
        "  a\n b\n",
        "a\tb",
        "\ta\nb",
        "'",
        "\"",
        "'''",
        "\"\"\"",
        "\\",
        "{{a}}",
        "[a]",
        "*a",
        "&a",
        "!a",
        "|",
        ">",
        "%",
        "@",
        "`",
        "---",
        "...",
        "a\n---\nb",
        "a\r\nb",
        "\u{85}",
        "\u{2028}",
        "\u{feff}a",
        "\u{7f}",
        "\u{1b}",
        "ü",
        "🙂",
        "\u{e000}",
        "\u{200b}",
    ]);
    prop_oneof![odd.prop_map(str::to_owned), "[ -~]{0,20}", "(?s).{0,12}"]
}

/// Any data that every format can express.
fn any_data() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e15..1e15_f64).prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any_text(), inner, 0..4)
                .prop_map(|table| Value::Object(table.into_iter().collect())),
        ]
    })
}

fn any_table() -> impl Strategy<Value = Value> {
    prop::collection::btree_map(any_text(), any_data(), 0..4)
        .prop_map(|table| Value::Object(table.into_iter().collect()))
}

/// A table of some of these keys.
fn some_of(keys: Vec<(&'static str, BoxedStrategy<Value>)>) -> impl Strategy<Value = Value> {
    let keys: Vec<_> = keys.into_iter().map(|(key, value)| (Just(key), prop::option::of(value))).collect();
    keys.prop_map(|keys| {
        let there = keys.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        Value::Object(there.collect())
    })
}

fn text_or_null() -> BoxedStrategy<Value> {
    prop_oneof![3 => any_text().prop_map(Value::from), 1 => Just(Value::Null)].boxed()
}

fn flag_or_null() -> BoxedStrategy<Value> {
    prop::sample::select(vec![json!(true), json!(false), Value::Null]).boxed()
}

fn with(base: Value, more: Value) -> Value {
    let (Value::Object(mut base), Value::Object(more)) = (base, more) else { unreachable!("two tables") };
    base.extend(more);
    Value::Object(base)
}

/// Any package.
fn any_package() -> impl Strategy<Value = Value> {
    let text = || any_text().prop_map(Value::from).boxed();
    let list = |value: BoxedStrategy<Value>| prop::collection::vec(value, 0..3).prop_map(Value::from).boxed();
    let map = |value: BoxedStrategy<Value>| {
        prop::collection::btree_map(any_text(), value, 0..3)
            .prop_map(|table| Value::Object(table.into_iter().collect()))
            .boxed()
    };
    let one_of = |options: &[&str]| {
        prop::sample::select(options.iter().map(|text| json!(text)).collect::<Vec<_>>()).boxed()
    };
    let hints = some_of(vec![
        ("readonly", flag_or_null()),
        ("destructive", flag_or_null()),
        ("side_effect_class", one_of(&["Pure", "Idempotent", "AtMostOnce"])),
        ("concurrency_class", text_or_null()),
        ("metadata", any_data().boxed()),
        ("novel", any_data().boxed()),
    ]);
    let tool = (any_text(), any_text(), any_table(), some_of(vec![("category", text_or_null()), ("hints", hints.boxed())]))
        .prop_map(|(name, description, parameters, more)| {
            let tool = json!({ "name": name, "description": description, "type": "client_side", "parameters": parameters });
            with(tool, more)
        })
        .boxed();
    let server = some_of(vec![
        ("headers", map(text())),
        ("auth_mode", one_of(&["none", "api_key", "oauth"])),
        ("protocol_mode", one_of(&["auto", "2025-03-26", "2025-06-18", "2026-07-28"])),
        ("elicitation_policy", one_of(&["url_and_form", "none"])),
        ("oauth_provider_id", text_or_null()),
        ("env", map(text())),
    ])
    .prop_map(|more| with(json!({ "type": "http", "url": "https://mcp.example.com/mcp" }), more))
    .boxed();
    let file = prop_oneof![
        Just(json!("docs/guide.md")),
        Just(json!({ "source": "data/**", "path": null, "is_readonly": false })),
        any_text().prop_map(|content| json!({ "path": "/workspace/a.md", "content": content })),
        Just(json!({ "path": "b.bin", "content": "aGVsbG8=", "encoding": "base64" })),
    ]
    .boxed();
    let capability = prop_oneof![
        any_text().prop_map(Value::from),
        (any_text(), any_table()).prop_map(|(name, config)| json!({ "ref": name, "config": config })),
    ]
    .boxed();
    let channel = (any_text(), any_table())
        .prop_map(|(sort, config)| json!({ "type": sort, "config": config }))
        .boxed();
    let starter =
        (any_text(), text_or_null()).prop_map(|(text, icon)| json!({ "text": text, "icon": icon })).boxed();
    let network =
        some_of(vec![("allowed", list(one_of(&["*.example.com", "https://api.example.com/"])))]).boxed();
    some_of(vec![
        ("schema_version", Just(json!(1)).boxed()),
        ("display_name", text_or_null()),
        ("instructions", text()),
        ("tags", list(text())),
        ("starters", list(starter)),
        ("capabilities", list(capability)),
        ("channels", map(channel)),
        ("mcpServers", map(server)),
        ("files", list(file)),
        ("tools", list(tool)),
        ("network_access", network),
        ("environments", any_data().boxed()),
        ("max_iterations", prop_oneof![Just(Value::Null), (1..=1000).prop_map(Value::from)].boxed()),
        ("parallel_tool_calls", flag_or_null()),
    ])
    .prop_map(|more| with(json!({ "name": "any-package" }), more))
}

#[test]
fn generated_packages_survive_every_format() {
    let config = Config { cases: 256, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&any_package(), |document| {
            let package: Package = serde_json::from_value(document.clone())
                .map_err(|error| TestCaseError::fail(format!("{error}: {document}")))?;
            prop_assert_eq!(&serde_json::to_value(&package).expect("written"), &document);
            survives(&Manifest::Package(Box::new(package))).map_err(TestCaseError::fail)
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

/// A case of the shared conformance suite.
struct Case {
    id: String,
    accepted: bool,
    debatable: bool,
    warn: bool,
    document: Value,
}

/// The cases of a kind that have a document; None where the suite is not there.
fn cases(kind: Kind) -> Option<Vec<Case>> {
    let path = shared("conformance/cases")?.join(format!("{kind}.jsonl"));
    let text = std::fs::read_to_string(path).ok()?;
    let cases = text.lines().map(|line| {
        let case: Value = serde_json::from_str(line).expect("a case is JSON");
        Case {
            id: case["id"].as_str().expect("an id").to_owned(),
            accepted: case["verdict"] == "accept",
            debatable: case["debatable"] == true,
            warn: case["warn"] == true,
            document: case["doc"].clone(),
        }
    });
    // What is a fact about syntax is said by a text alone.
    Some(cases.filter(|case| !case.document.is_null()).collect())
}

/// The verdict of the checker, and whether there is a warning.
fn judged(kind: Kind, format: Format, text: &str) -> (bool, bool) {
    let checked =
        Checker::default().check(&Input { path: None, kind: Some(kind), contract: None, format, text });
    (checked.is_valid(), checked.count(Severity::Warning) > 0)
}

#[test]
fn conformance_cases_are_judged_alike_in_every_format() {
    let mut faults = Vec::new();
    for &kind in Kind::ALL.iter().filter(|kind| kind.formats() != [Format::Toml]) {
        let Some(cases) = cases(kind) else { continue };
        let mut judgements: BTreeMap<&str, usize> = BTreeMap::new();
        for case in &cases {
            let mut verdicts = Vec::new();
            for &format in kind.formats() {
                let ours = match format {
                    // Our own writer too, where formats differ most.
                    Format::Yaml => agentry::yaml::to_string(&case.document).ok(),
                    _ => None,
                };
                for text in independent(format, &case.document).into_iter().chain(ours) {
                    let (valid, warned) = judged(kind, format, &text);
                    *judgements.entry(format.name()).or_default() += 1;
                    verdicts.push(valid);
                    if !case.debatable && (valid != case.accepted || case.warn && !warned) {
                        faults.push(format!("{} in {}: valid is {valid}\n{text}", case.id, format.name()));
                    }
                }
            }
            if verdicts.iter().any(|verdict| *verdict != verdicts[0]) {
                faults.push(format!("{}: judged differently: {verdicts:?}", case.id));
            }
        }
        println!("{kind}: {judgements:?}");
        assert!(judgements.values().all(|count| *count > 100), "{kind}: {judgements:?}");
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// The document with the current names in place of older ones.
fn with_current_names(document: &Value) -> Value {
    const KEYS: [(&str, &str); 2] = [("system_prompt", "instructions"), ("mcp_servers", "mcpServers")];
    const MODES: [(&str, &str); 3] =
        [("legacy", "2025-03-26"), ("stable", "2025-06-18"), ("rc", "2026-07-28")];
    let mut document = document.clone();
    let Value::Object(table) = &mut document else { return document };
    for (older, name) in KEYS {
        if let Some(value) = table.remove(older).filter(|_| !table.contains_key(name)) {
            table.insert(name.to_owned(), value);
        }
    }
    for server in
        table.get_mut("mcpServers").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut)
    {
        let Some(mode) = server.get_mut("protocol_mode") else { continue };
        if let Some((_, name)) = MODES.iter().find(|(older, _)| mode == older) {
            *mode = json!(name);
        }
    }
    document
}

/// Schema and reader are compared on cases made to break every statement of the specification, after older names are
/// rewritten. Both names at once is a fault that only the reader can see.
#[test]
fn the_schema_accepts_what_the_reader_reads() {
    let Some(cases) = cases(Kind::Package) else { return };
    let mut faults = Vec::new();
    for draft in agentry_schema::Draft::ALL {
        let schema = agentry_schema::schema(Kind::Package, *draft);
        let validator = jsonschema::options().offline().build(&schema).expect("the schema can be used");
        for case in &cases {
            let text = case.document.to_string();
            let reading = Kind::Package.read(&agentry::json::parse(&text), Mode::Strict);
            let both_names = reading.findings.iter().any(|finding| {
                finding.rule.name == "conflicting-keys" && finding.message.contains("two names")
            });
            let accepted = validator.is_valid(&with_current_names(&case.document)) && !both_names;
            if accepted != reading.is_valid() {
                faults.push(format!("{} in {}: the schema says {accepted}\n{text}", case.id, draft.name()));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(cases.len() > 500);
}
