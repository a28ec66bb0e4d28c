//! The contracts against the specification: the table, the types, and the documents that they accept.
//!
//! Where the specification lies beside the project (`../shared`, or `AGENTRY_SHARED`), everything is compared with
//! it; elsewhere those tests say that they were skipped, and the types are still compared with their own schemas.
//!
//! What keeps a part from being left out:
//! * a row of the table without its types, implementation, grants or tags does not compile, for the macro that
//!   takes it has no other form; neither does a row whose types do not read, write and describe themselves;
//! * a contract without a row, an extra one, or a wrong part fails `the_table_equals_the_specification`;
//! * a type without a row fails `every_type_is_in_the_table`;
//! * a property that is missing, extra or of the wrong type fails `the_same_documents_are_accepted`.

use agentry::contract::{
    Answer, Call, Contract, Environment, Family, Implementation, Implementer, Input, Output, Principal, Side,
    Tag,
};
use agentry::{Document, Finding, Mode, Severity};
use jsonschema::Validator;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn shared(file: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("AGENTRY_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = folder.join(file);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there; AGENTRY_SHARED names the folder", path.display());
    None
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// The specification's contracts, in its order.
fn specification() -> Option<Vec<Value>> {
    let path = shared("spec/agentd-contracts.json")?;
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("a list")
}

fn derived(contract: Contract, side: Side) -> Value {
    contract.schema(side, SchemaGenerator::new(SchemaSettings::draft2020_12())).to_value()
}

/// The same without references, for programs that walk over it.
fn inlined(contract: Contract, side: Side) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    contract.schema(side, SchemaGenerator::new(settings)).to_value()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).expect("a schema")
}

/// What the reader says of a document: every finding, and what would be written back.
fn read(contract: Contract, side: Side, document: &Value) -> (Vec<Finding>, Option<Value>) {
    let value: agentry::Value = serde_json::from_value(document.clone()).expect("a value");
    let document = Document::from(value);
    let (findings, written) = match side {
        Side::Input => {
            let reading = contract.validate_input(&document, Mode::Strict);
            (reading.findings, reading.value.map(|call| call.arguments()))
        }
        Side::Output => {
            let reading = contract.validate_output(&document, Mode::Strict);
            (reading.findings, reading.value.map(|answer| answer.value()))
        }
    };
    let written = written.map(|written| serde_json::to_value(written.expect("a value")).expect("JSON"));
    (findings, written)
}

fn is_valid(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.severity < Severity::Error)
}

#[test]
fn the_table_equals_the_specification() {
    let Some(specification) = specification() else { return };
    let ours: Vec<Value> = Contract::ALL
        .iter()
        .map(|contract| {
            let grant: Map<String, Value> = Principal::ALL
                .iter()
                .map(|principal| (principal.name().to_owned(), contract.allows(*principal).into()))
                .collect();
            json!({
                "name": contract.name(),
                "family": contract.family().name(),
                "builtin": contract.is_builtin(),
                "grant": grant,
            })
        })
        .collect();
    let theirs: Vec<Value> = specification
        .iter()
        .map(|contract| {
            let part = |key: &str| contract[key].clone();
            json!({
                "name": part("name"), "family": part("family"), "builtin": part("builtin"), "grant": part("grant"),
            })
        })
        .collect();
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(ours.len(), theirs.len());
}

#[test]
fn descriptions_are_our_own_and_say_what_and_when() {
    let specification = specification().unwrap_or_default();
    for (index, contract) in Contract::ALL.iter().enumerate() {
        let description = contract.description();
        let summary = contract.summary();
        assert!(summary.ends_with('.') && (15..=140).contains(&summary.len()), "{contract}: {summary:?}");
        assert!(description.contains("Use it "), "{contract}: when is it used?");
        assert!(!description.contains('\n'), "{contract}: one paragraph");
        if let Some(theirs) = specification.get(index) {
            let theirs = theirs["description"].as_str().expect("text");
            let sentences = theirs.split(['.', ';', ':', '(']).map(str::trim).filter(|part| part.len() > 25);
            for sentence in sentences {
                assert!(!description.contains(sentence), "{contract}: {sentence:?} is copied");
            }
        }
        let schema = derived(*contract, Side::Input);
        let stated = schema["description"].as_str().expect("a description").replace('\n', " ");
        assert_eq!(stated.split_whitespace().collect::<Vec<_>>().join(" "), description, "{contract}");
    }
}

#[test]
fn what_the_decisions_state_holds() {
    let names: BTreeSet<&str> = Contract::ALL.iter().map(|contract| contract.name()).collect();
    assert_eq!((names.len(), Contract::ALL.len()), (48, 48), "names are unique");
    for name in names {
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte)), "{name}");
    }
    let of = |test: &dyn Fn(Contract) -> bool| -> Vec<&str> {
        Contract::ALL.iter().filter(|contract| test(**contract)).map(|contract| contract.name()).collect()
    };
    let without = of(&|contract| !contract.is_builtin());
    let expected = [
        "code.run",
        "knowledge.search",
        "knowledge.get",
        "knowledge.list",
        "search.query",
        "search.fetch",
        "exec",
    ];
    assert_eq!(without, expected);
    let profiles = of(&|contract| contract.implementation() == Implementation::Profile);
    let families: Vec<&str> = [Family::Knowledge, Family::Search]
        .iter()
        .flat_map(|family| family.contracts())
        .map(|contract| contract.name())
        .collect();
    assert_eq!(profiles, families);
    assert_eq!(of(&|contract| !contract.tags().is_empty()), ["exec"]);
    assert_eq!(Contract::Exec.tags(), [Tag::Sensitive, Tag::Egress]);
    assert_eq!(of(&|contract| contract.allows(Principal::User)), ["status"]);
    assert_eq!(of(&|contract| contract.allows(Principal::Agent)), ["status"]);
    assert!(!Contract::Finish.allows(Principal::Workflow) && Contract::Finish.allows(Principal::Subagent));
    assert!(Contract::ALL.iter().all(|contract| contract.allows(Principal::Root)));
}

#[test]
fn families_divide_the_contracts_in_order() {
    let by_family: Vec<Contract> =
        Family::ALL.iter().flat_map(|family| family.contracts()).copied().collect();
    assert_eq!(by_family, Contract::ALL);
    for contract in Contract::ALL {
        assert!(contract.family().contracts().contains(contract));
        assert_eq!(Contract::from_name(contract.name()), Some(*contract));
    }
    assert_eq!(Contract::from_name("memory"), None);
    assert_eq!(Family::from_name("memory").map(|family| family.contracts().len()), Some(4));
}

#[test]
fn tools_are_offered_where_they_are_granted_and_implemented() {
    let offered = |environment: &Environment, principal| -> Vec<Contract> {
        environment.offered(principal).map(|offer| offer.contract).collect()
    };
    let bare = Environment::new();
    let root = offered(&bare, Principal::Root);
    assert_eq!(root.len(), 41);
    assert!(root.iter().all(|contract| contract.is_builtin()));
    assert_eq!(offered(&bare, Principal::User), [Contract::Status]);
    assert!(!offered(&bare, Principal::Workflow).contains(&Contract::Finish));

    // `exec` is off until it is enabled, or mapped; a mapping wins.
    assert_eq!(bare.implementer(Contract::Exec), None);
    let enabled = Environment::new().with_local_runner(true);
    assert_eq!(enabled.implementer(Contract::Exec), Some(Implementer::LocalRunner));
    assert_eq!(enabled.implementer(Contract::CodeRun), None);
    let both = enabled.with_mapped(Contract::Exec).with_mapped(Contract::MemoryGet);
    assert_eq!(both.implementer(Contract::Exec), Some(Implementer::Server));
    assert_eq!(both.implementer(Contract::MemoryGet), Some(Implementer::Server));
    let exec =
        both.offered(Principal::Subagent).find(|offer| offer.contract == Contract::Exec).expect("an offer");
    assert_eq!(exec.tags(), [Tag::Sensitive, Tag::Egress]);

    // A mapping gives nobody a grant.
    let mapped = Environment::new().with_mapped(Contract::SearchQuery);
    assert!(offered(&mapped, Principal::Subagent).contains(&Contract::SearchQuery));
    assert_eq!(offered(&mapped, Principal::Agent), [Contract::Status]);
}

/// `memory.set` as Rust has it: `MemorySet`.
fn stem(contract: Contract) -> String {
    contract
        .name()
        .split(['.', '_'])
        .flat_map(|word| word[..1].chars().map(|c| c.to_ascii_uppercase()).chain(word[1..].chars()))
        .collect()
}

#[test]
fn every_type_is_in_the_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/contract");
    let mut defined = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("text");
        for name in text.lines().filter_map(|line| line.trim().strip_prefix("pub struct ")) {
            let name: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
            if name.ends_with("Input") || name.ends_with("Output") {
                defined.insert(name);
            }
        }
    }
    let mut named = BTreeSet::new();
    for contract in Contract::ALL {
        for (side, suffix) in [(Side::Input, "Input"), (Side::Output, "Output")] {
            let title = derived(*contract, side)["title"].as_str().expect("a title").to_owned();
            assert_eq!(title, format!("{}{suffix}", stem(*contract)), "{contract}");
            named.insert(title);
        }
    }
    assert_eq!(defined, named);
}

#[test]
fn a_call_that_finds_nothing_draws_a_warning() {
    let selectors = [
        (Contract::WorkflowStatus, ["run", "name"]),
        (Contract::KnowledgeGet, ["id", "uri"]),
        (Contract::WorkflowPause, ["run", "name"]),
        (Contract::WorkflowResume, ["run", "name"]),
    ];
    for (contract, keys) in selectors {
        let (findings, _) = read(contract, Side::Input, &json!({}));
        let rules: Vec<&str> = findings.iter().map(|finding| finding.rule.name).collect();
        assert_eq!((rules, is_valid(&findings)), (vec!["missing-selector"], true), "{contract}");
        for key in keys {
            let (findings, _) = read(contract, Side::Input, &json!({ key: "urn:x" }));
            assert_eq!(findings, [], "{contract} with {key}");
        }
    }
    let (findings, _) = read(Contract::WorkflowPause, Side::Input, &json!({ "before_step": "x" }));
    assert_eq!(findings.len(), 1, "a breakpoint is no selector");
    let others =
        Contract::ALL.iter().filter(|contract| selectors.iter().all(|(selected, _)| selected != *contract));
    for contract in others {
        let (findings, _) = read(*contract, Side::Input, &json!({}));
        assert!(
            findings.iter().all(|finding| finding.severity == Severity::Error),
            "{contract}: {findings:?}"
        );
    }
}

#[test]
fn what_is_legal_and_hardly_meant_draws_a_warning() {
    use Contract::{
        ArtifactCreate, ArtifactList, CodeRun, MemoryList, PlanCreate, PlanUpdate, SearchFetch, Sleep,
        SubagentRun,
    };
    let cases = [
        (Sleep, json!({ "duration": "30s" }), ""),
        (Sleep, json!({ "duration": "soon" }), "warning unreadable-value /duration"),
        (Sleep, json!({ "duration": "" }), "warning unreadable-value /duration"),
        (Sleep, json!({ "duration": "30s", "x": 1 }), "error unknown-key "),
        (Sleep, json!({ "duration": 30 }), "error wrong-type /duration"),
        (
            SubagentRun,
            json!({ "instruction": "", "limits": { "memory": "much" } }),
            "warning unreadable-value /limits/memory",
        ),
        (
            SubagentRun,
            json!({ "instruction": "", "limits": { "steps": -1 } }),
            "warning unlikely-number /limits/steps",
        ),
        (
            SubagentRun,
            json!({ "instruction": "", "limits": { "steps": 2.0 } }),
            "warning whole-number /limits/steps",
        ),
        (
            SubagentRun,
            json!({ "instruction": "", "limits": { "breadth": 2 } }),
            "warning unknown-key /limits",
        ),
        (SubagentRun, json!({ "instruction": "", "mode": "later" }), "error unknown-option /mode"),
        (MemoryList, json!({ "limit": 0 }), "error invalid-value /limit"),
        (MemoryList, json!({ "limit": -1e40 }), "warning whole-number /limit\nerror invalid-value /limit"),
        (ArtifactList, json!({ "limit": 0 }), "warning unlikely-number /limit"),
        (ArtifactList, json!({ "limit": null }), "error wrong-type /limit"),
        (ArtifactCreate, json!({ "name": "a", "mime": "markdown" }), "warning unreadable-value /mime"),
        (ArtifactCreate, json!({ "name": "a", "content": null }), ""),
        (SearchFetch, json!({ "url": "docs" }), "warning unreadable-value /url"),
        (CodeRun, json!({ "language": "", "code": "", "files": { "a": null } }), ""),
        (PlanCreate, json!({ "goal": "", "items": ["a", { "title": "b" }] }), ""),
        (PlanCreate, json!({ "goal": "", "items": [1] }), "error wrong-type /items/0"),
        (PlanCreate, json!({ "goal": "", "items": [{ "detail": "b" }] }), "error missing-key /items/0"),
        (PlanUpdate, json!({ "item": 1.5 }), "error wrong-type /item"),
        (PlanUpdate, json!({ "item": "a", "status": "done" }), ""),
    ];
    for (contract, document, expected) in cases {
        let (findings, _) = read(contract, Side::Input, &document);
        let found: Vec<String> = findings
            .iter()
            .map(|finding| format!("{} {} {}", finding.severity.name(), finding.rule.name, finding.pointer))
            .collect();
        assert_eq!(found.join("\n"), expected, "{contract} {document}");
    }
}

#[test]
fn calls_and_answers_are_written_as_they_were_read() {
    let text = json!({ "name": "memory.set", "arguments": { "key": "a", "value": null, "ttl": "24h" } });
    let call: Call = serde_json::from_value(text.clone()).expect("a call");
    assert_eq!((call.name(), call.contract()), ("memory.set", Contract::MemorySet));
    assert_eq!(serde_json::to_value(&call).expect("JSON"), text);
    let Call::MemorySet(input) = &call else { panic!("{call:?}") };
    let ttl = input.ttl.as_ref().expect("a time to live").parse();
    assert_eq!(ttl.map(|ttl| ttl.as_secs()), Some(86_400));

    for (wrong, place) in [
        (json!({ "name": "memory.put", "arguments": {} }), "/name"),
        (json!({ "name": "sleep", "arguments": { "duration": 1 } }), "/arguments/duration"),
        (json!({ "name": "sleep" }), "arguments"),
    ] {
        let error = serde_json::from_value::<Call>(wrong.clone()).expect_err("not a call").to_string();
        assert!(error.contains(place), "{wrong}: {error}");
    }

    let schema = schemars::schema_for!(Call).to_value();
    let schema = validator(&schema);
    assert!(schema.is_valid(&text));
    assert!(!schema.is_valid(&json!({ "name": "memory.set", "arguments": {} })));
    assert!(!schema.is_valid(&json!({ "name": "memory.put", "arguments": {} })));

    let answer = Contract::Sleep
        .answer(serde_json::from_value(json!({ "slept_ms": 30_000, "woken": true })).expect("a value"))
        .expect("an answer");
    assert_eq!(serde_json::to_value(&answer).expect("JSON"), json!({ "slept_ms": 30_000, "woken": true }));
}

#[test]
fn input_output_and_contract_know_each_other() {
    fn contracts<I: Input>() -> (Contract, Contract) {
        (I::CONTRACT, <I::Output as Output>::CONTRACT)
    }
    use agentry::contract::{memory::MemorySetInput, time::SleepInput};
    assert_eq!(contracts::<SleepInput>(), (Contract::Sleep, Contract::Sleep));
    assert_eq!(contracts::<MemorySetInput>(), (Contract::MemorySet, Contract::MemorySet));
    let call = Call::from(MemorySetInput::new("a".into(), agentry::Value::Null));
    assert_eq!(call.contract(), Contract::MemorySet);
    let answer = Answer::from(agentry::contract::time::SleepOutput::new(5u32.into()));
    assert_eq!(answer.contract(), Contract::Sleep);
}

#[test]
fn every_property_and_definition_is_described() {
    fn walk(schema: &Value, place: &str) {
        let Some(object) = schema.as_object() else { return };
        for keyword in ["properties", "$defs"] {
            for (name, inner) in object.get(keyword).and_then(Value::as_object).into_iter().flatten() {
                let described = inner["description"].as_str().is_some_and(|text| text.trim().ends_with('.'));
                assert!(described, "{place}/{keyword}/{name} has no description, or half a sentence");
                walk(inner, &format!("{place}/{keyword}/{name}"));
            }
        }
    }
    for contract in Contract::ALL {
        for side in Side::ALL {
            walk(&derived(*contract, *side), &format!("{contract} {side}"));
        }
    }
}

/// Numbers that look random and are the same everywhere (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("below a usize")
    }

    fn pick<'v>(&mut self, values: &'v [Value]) -> &'v Value {
        &values[self.below(values.len())]
    }
}

/// A value of every type, and at every edge that numbers and texts have here.
fn palette() -> Vec<Value> {
    let text = [
        "null",
        "true",
        "false",
        "0",
        "-0.0",
        "1",
        "-1",
        "2",
        "1.0",
        "-3.0",
        "0.5",
        "1e0",
        "1e30",
        "-1e30",
        "1e300",
        "9007199254740993",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "170141183460469231731687303715884105728",
        "\"\"",
        "\"a\"",
        "\"sync\"",
        "\"30s\"",
        "\"\\u0000\\n\"",
        "[]",
        "[null]",
        "[\"a\"]",
        "[{}]",
        "[[]]",
        "{}",
        "{\"a\":null}",
        "{\"title\":\"a\"}",
        "{\"title\":1}",
        "{\"\":{}}",
    ];
    text.into_iter().map(parse).collect()
}

/// A document that a schema accepts, of the few keywords that the contracts use.
fn accepted(schema: &Value, random: &mut Random, palette: &[Value]) -> Value {
    for keyword in ["oneOf", "anyOf"] {
        if let Some(Value::Array(branches)) = schema.get(keyword) {
            let branch = random.below(branches.len());
            return accepted(&branches[branch], random, palette);
        }
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(Value::Array(options)) = schema.get("enum") {
        return random.pick(options).clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => {
            ["", "a", "30s", "512MB", "https://a.example/", "\u{0}\u{1f600}"][random.below(6)].into()
        }
        Some("boolean") => (random.below(2) == 0).into(),
        Some("integer") => [1, 2, 40, i64::MAX][random.below(4)].into(),
        Some("number") => [json!(0.25), json!(-7), json!(1e20)][random.below(3)].clone(),
        Some("array") => {
            let length = random.below(3);
            (0..length).map(|_| accepted(&schema["items"], random, palette)).collect()
        }
        Some("object") => {
            let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            let mut object = Map::new();
            for (key, inner) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                if required.contains(&key.clone().into()) || random.below(2) == 0 {
                    object.insert(key.clone(), accepted(inner, random, palette));
                }
            }
            if schema.get("additionalProperties") != Some(&json!(false)) && random.below(3) == 0 {
                object.insert("vendor key".to_owned(), random.pick(palette).clone());
            }
            Value::Object(object)
        }
        _ => random.pick(palette).clone(),
    }
}

/// Every document that differs from one in a single place: a key dropped, a key added, a value replaced.
fn mutations(document: &Value, palette: &[Value]) -> Vec<Value> {
    let mut mutations: Vec<Value> = palette.to_vec();
    match document {
        Value::Object(object) => {
            for key in object.keys() {
                let mut less = object.clone();
                less.remove(key);
                mutations.push(Value::Object(less));
                for inner in mutations_within(&object[key], palette) {
                    let mut other = object.clone();
                    other.insert(key.clone(), inner);
                    mutations.push(Value::Object(other));
                }
            }
            for key in ["", "zz", "Name", "limits"] {
                let mut more = object.clone();
                more.insert(key.to_owned(), json!({}));
                mutations.push(Value::Object(more));
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                for inner in mutations_within(item, palette) {
                    let mut other = items.clone();
                    other[index] = inner;
                    mutations.push(Value::Array(other));
                }
            }
        }
        _ => {}
    }
    mutations
}

fn mutations_within(value: &Value, palette: &[Value]) -> Vec<Value> {
    let mut within = mutations(value, palette);
    if let Value::String(text) = value {
        within.push(text.to_uppercase().into());
        within.push(format!("{text} ").into());
    }
    within
}

/// `1` for `1.0`: what is read as a whole number is written as one.
fn plain(value: &Value) -> Value {
    match value {
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 1e15 => json!(float as i64),
            Some(float) => json!(float),
            None => value.clone(),
        },
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        _ => value.clone(),
    }
}

/// The documents that one side of a contract is tried with.
fn documents(schemas: &[&Value], cases: &[Value]) -> Vec<Value> {
    let palette = palette();
    let mut random = Random(48);
    let mut documents = palette.clone();
    documents.extend(cases.iter().cloned());
    for schema in schemas {
        for round in 0..24 {
            let document = accepted(schema, &mut random, &palette);
            if round < 4 {
                documents.extend(mutations(&document, &palette));
            }
            documents.push(document);
        }
    }
    documents
}

/// The shared cases, by contract and side.
fn shared_cases() -> Vec<Value> {
    let Some(path) = shared("conformance/cases/contract.jsonl") else { return Vec::new() };
    std::fs::read_to_string(path).expect("a file").lines().map(parse).collect()
}

#[test]
fn the_same_documents_are_accepted() {
    let specification = specification();
    let cases = shared_cases();
    let mut tried = [0, 0];
    for (index, contract) in Contract::ALL.iter().enumerate() {
        for side in Side::ALL {
            let ours = inlined(*contract, *side);
            let theirs = specification.as_ref().map(|all| all[index][side.name()].clone());
            let cases: Vec<Value> = cases
                .iter()
                .filter(|case| case["contract"] == contract.name() && case["side"] == side.name())
                .filter(|case| case.get("text").is_none())
                .map(|case| case["doc"].clone())
                .collect();
            let schemas: Vec<&Value> = std::iter::once(&ours).chain(&theirs).collect();
            let schema = validator(&derived(*contract, *side));
            let reference = theirs.as_ref().map(validator);
            for document in documents(&schemas, &cases) {
                let valid = schema.is_valid(&document);
                if let Some(reference) = &reference {
                    assert_eq!(
                        valid,
                        reference.is_valid(&document),
                        "specification: {contract} {side} {document}"
                    );
                }
                let (findings, written) = read(*contract, *side, &document);
                assert_eq!(valid, is_valid(&findings), "reader: {contract} {side} {document} {findings:#?}");
                assert_eq!(valid, written.is_some(), "value: {contract} {side} {document}");
                if let Some(written) = written {
                    assert_eq!(plain(&written), plain(&document), "written back: {contract} {side}");
                }
                tried[usize::from(valid)] += 1;
            }
        }
    }
    let [refused, accepted] = tried;
    assert!(
        refused > 20_000 && accepted > 10_000,
        "{refused} refused, {accepted} accepted: too few to prove much"
    );
}

#[test]
fn whole_numbers_of_any_size_are_kept() {
    for (digits, written) in [
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"),
        ("1000000000000000000000000000000000000000000", "1e42"),
        ("7.0", "7"),
    ] {
        let document = agentry::json::parse(&format!("{{\"version\": {digits}}}"));
        let reading = Contract::ContextCompact.validate_output(&document, Mode::Strict);
        assert!(is_valid(&reading.findings), "{digits}: {:?}", reading.findings);
        let answer = serde_json::to_string(&reading.value.expect("an answer")).expect("JSON");
        assert_eq!(answer.replace("e+", "e"), format!("{{\"version\":{written}}}"));
    }
}

#[test]
fn an_annotation_is_read_and_is_no_argument() {
    let (findings, written) = read(Contract::MemoryGet, Side::Input, &json!({ "$schema": "x", "key": "a" }));
    assert_eq!((findings, written), (Vec::new(), Some(json!({ "key": "a" }))));
}
