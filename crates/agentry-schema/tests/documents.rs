//! What holds of every published document, whatever kinds there are.

use agentry::contract::{Contract, Side};
use agentry::{Kind, Mode};
use agentry_schema::check::check;
use agentry_schema::{Document, Draft, Form, contract_schema, documents, keyword, schema, text};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The schemas among the documents, each with its draft.
fn schemas() -> Vec<(String, Draft, Value)> {
    let parse = |document: Document| {
        let schema: Value = serde_json::from_str(&document.text).expect("a document is JSON");
        let address = schema["$schema"].as_str().map(str::to_owned);
        let draft = Draft::ALL.iter().copied().find(|draft| address.as_deref() == Some(draft.meta_schema()));
        draft.map(|draft| (document.path, draft, schema))
    };
    documents().into_iter().filter_map(parse).collect()
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::options().offline().build(schema).expect("the schema can be used")
}

/// Fails with all lines, if there are any.
fn none(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_kind_has_its_documents_and_every_path_is_used_once() {
    let paths: Vec<String> = documents().into_iter().map(|document| document.path).collect();
    for kind in Kind::ALL {
        for draft in Draft::ALL {
            assert!(paths.contains(&agentry_schema::path(kind.name(), *draft)), "{kind} in {}", draft.name());
        }
    }
    assert_eq!(paths.iter().collect::<BTreeSet<_>>().len(), paths.len());
    // Two kinds may not differ in case alone: some file systems cannot hold both.
    assert_eq!(paths.iter().map(|path| path.to_lowercase()).collect::<BTreeSet<_>>().len(), paths.len());
}

#[test]
fn every_schema_keeps_to_the_rules() {
    let mut faults = Vec::new();
    for (path, draft, schema) in schemas() {
        faults
            .extend(check(&schema, draft, Form::of(&path)).iter().map(|problem| format!("{path}{problem}")));
    }
    none(&faults);
}

#[test]
fn every_schema_is_valid_in_its_draft() {
    let mut faults = Vec::new();
    for (path, draft, schema) in schemas() {
        let meta = match draft {
            Draft::V2020_12 => jsonschema::draft202012::meta::validator(),
            Draft::V07 => jsonschema::draft7::meta::validator(),
            _ => panic!("{path}: no meta-schema is known for {}", draft.name()),
        };
        faults.extend(
            meta.iter_errors(&schema).map(|error| format!("{path}{}: {error}", error.instance_path())),
        );
        // Dangling references and bad patterns are found only when the schema is used.
        if let Err(error) = jsonschema::options().offline().build(&schema) {
            faults.push(format!("{path}: {error}"));
        }
    }
    none(&faults);
}

#[test]
fn every_pattern_is_one_that_rust_reads() {
    let mut faults = Vec::new();
    for (path, _, schema) in schemas() {
        keyword::visit(&schema, &mut |place, schema| {
            let named = schema.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
            let patterns = schema.get("pattern").and_then(Value::as_str).into_iter();
            for pattern in patterns.chain(named.map(|(pattern, _)| pattern.as_str())) {
                if let Err(error) = regex::Regex::new(pattern) {
                    faults.push(format!("{path}{}: {error}", place.pointer));
                }
            }
        });
    }
    none(&faults);
}

#[test]
fn every_default_and_example_is_one_that_its_schema_accepts() {
    let mut faults = Vec::new();
    let mut tried = 0;
    for (path, draft, root) in schemas() {
        keyword::visit(&root, &mut |place, part| {
            let examples = part.get("examples").and_then(Value::as_array).into_iter().flatten();
            let values: Vec<&Value> = part.get("default").into_iter().chain(examples).collect();
            if values.is_empty() {
                return;
            }
            let definitions = root.get(draft.definitions()).cloned().unwrap_or_else(|| json!({}));
            let validator = validator(&json!({
                "$schema": draft.meta_schema(), "allOf": [part], draft.definitions(): definitions,
            }));
            for value in values {
                tried += 1;
                for error in validator.iter_errors(value) {
                    faults.push(format!("{path}{}: {value}: {error}", place.pointer));
                }
            }
        });
    }
    none(&faults);
    assert!(tried > 0, "no document has a default or an example");
}

#[test]
fn every_file_may_name_its_schema_and_only_as_text() {
    for (path, _, schema) in schemas() {
        if schema.get("type").is_some_and(|kind| kind != "object") || Form::of(&path) != Form::File {
            continue;
        }
        let validator = validator(&schema);
        // Whatever else is wrong with such a table, it is not the key.
        let faults = |value: Value| -> Vec<String> {
            validator.iter_errors(&json!({ "$schema": value })).map(|error| error.to_string()).collect()
        };
        assert_ne!(faults(json!("./x.schema.json")), faults(json!(1)), "{path}: a number is no address");
        for fault in faults(json!("./x.schema.json")) {
            assert!(!fault.contains("'$schema'"), "{path}: {fault}");
        }
    }
}

#[test]
fn the_catalogue_is_one_that_editors_load() {
    let catalogue =
        documents().into_iter().find(|document| document.path == "catalog.json").expect("it is there");
    let catalogue: Value = serde_json::from_str(&catalogue.text).expect("it is JSON");
    let form: Value =
        serde_json::from_str(include_str!("data/schemastore-catalog.schema.json")).expect("JSON");
    let faults: Vec<String> =
        validator(&form).iter_errors(&catalogue).map(|error| error.to_string()).collect();
    none(&faults);

    let entries = catalogue["schemas"].as_array().expect("a list");
    let addresses: BTreeSet<String> =
        schemas().into_iter().map(|(_, _, schema)| schema["$id"].to_string()).collect();
    for kind in Kind::ALL {
        let title = schema(*kind, Draft::V07)["title"].clone();
        assert!(entries.iter().any(|entry| entry["name"] == title), "{kind} is not in the catalogue");
    }
    let mut patterns = BTreeSet::new();
    for entry in entries {
        assert!(
            addresses.contains(&entry["url"].to_string()),
            "{} is the address of no document",
            entry["url"]
        );
        for pattern in entry["fileMatch"].as_array().into_iter().flatten() {
            assert!(patterns.insert(pattern.to_string()), "two schemas are for {pattern}");
        }
    }
}

#[test]
fn contracts_are_published_as_their_types_have_them() {
    let documents = documents();
    let find = |path: &str| -> Value {
        let document = documents.iter().find(|document| document.path == path);
        serde_json::from_str(&document.unwrap_or_else(|| panic!("{path} is missing")).text).expect("JSON")
    };
    let catalogue = find("contract/catalog.json");
    let form = find("contract/catalog.schema.json");
    assert_eq!(catalogue["$schema"], form["$id"]);
    none(&validator(&form).iter_errors(&catalogue).map(|error| error.to_string()).collect::<Vec<_>>());
    // Nothing of the catalogue can be left out, and nothing be there that its schema does not name.
    let listed = catalogue["contracts"].as_array().expect("a list");
    assert_eq!(listed.len(), Contract::ALL.len());
    for (contract, entry) in Contract::ALL.iter().zip(listed) {
        assert_eq!(entry["name"], contract.name(), "in the order of the specification");
        for side in Side::ALL {
            let schema = find(&format!("contract/{contract}.{side}.schema.json"));
            assert_eq!(entry[side.name()], schema["$id"]);
            assert_eq!(schema, contract_schema(*contract, *side));
            // What is published says what the type says.
            let plain = contract.schema(*side, SchemaSettings::draft2020_12().into_generator()).to_value();
            let (published, derived) = (validator(&schema), validator(&plain));
            for document in [
                json!(null),
                json!({}),
                json!([]),
                json!({ "$schema": 1 }),
                json!({ "$schema": "a", "zz": 1 }),
            ] {
                assert_eq!(published.is_valid(&document), derived.is_valid(&document), "{contract} {side}");
            }
        }
    }
    for key in listed[0].as_object().expect("an entry").keys() {
        let mut less = catalogue.clone();
        less["contracts"][0].as_object_mut().expect("an entry").shift_remove(key);
        assert!(!validator(&form).is_valid(&less), "without `{key}`");
    }
}

#[test]
fn what_the_command_line_prints_is_what_is_published() {
    let documents = documents();
    for kind in Kind::ALL {
        for draft in Draft::ALL {
            let path = agentry_schema::path(kind.name(), *draft);
            let published = documents.iter().find(|document| document.path == path).expect("it is there");
            assert_eq!(published.text, text(&schema(*kind, *draft)), "{path}");
        }
    }
}

#[test]
fn documents_are_the_same_bytes_every_time() {
    assert_eq!(documents(), documents());
    for document in documents() {
        assert!(document.text.ends_with("}\n") && !document.text.contains('\r'), "{}", document.path);
        let again: Value = serde_json::from_str(&document.text).expect("JSON");
        assert_eq!(text(&again), document.text, "{}: another reader keeps it as it is", document.path);
    }
}

/// Example manifests, and the same with one fault each, as JSON.
fn samples() -> Vec<(Kind, String, Value)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/registry");
    let mut folders = vec![std::path::PathBuf::from(root)];
    let mut samples = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the examples are there") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let document = agentry::toml::parse(&text);
            for kind in Kind::ALL {
                let reading = kind.read(&document, Mode::Strict);
                let Some(manifest) = reading.value.as_ref().filter(|_| reading.is_valid()) else { continue };
                let value = serde_json::to_value(manifest).expect("a manifest is JSON too");
                samples.push((*kind, path.display().to_string(), value));
            }
        }
    }
    samples
}

/// The value with one fault at each of its places in turn.
fn spoiled(value: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    let mut put = |make: &dyn Fn(&mut Map<String, Value>)| {
        let mut copy = value.clone();
        if let Value::Object(entries) = &mut copy {
            make(entries);
            all.push(copy);
        }
    };
    let Value::Object(entries) = value else { return all };
    put(&|entries| drop(entries.insert("no_such_key".to_owned(), json!(1))));
    put(&|entries| drop(entries.insert("$schema".to_owned(), json!("./x.json"))));
    put(&|entries| drop(entries.insert("$schema".to_owned(), json!(1))));
    for key in entries.keys() {
        put(&|entries| drop(entries.shift_remove(key)));
        for wrong in [json!(null), json!(1.5), json!(""), json!([{}]), json!({})] {
            put(&|entries| drop(entries.insert(key.clone(), wrong.clone())));
        }
    }
    for (key, inner) in entries {
        let items: Vec<(Option<usize>, &Value)> = match inner {
            Value::Array(items) => {
                items.iter().enumerate().map(|(index, item)| (Some(index), item)).collect()
            }
            inner => vec![(None, inner)],
        };
        for (index, item) in items {
            for bad in spoiled(item) {
                let mut copy = value.clone();
                match index {
                    Some(index) => copy[key.as_str()][index] = bad,
                    None => copy[key.as_str()] = bad,
                }
                all.push(copy);
            }
        }
    }
    all
}

#[test]
fn both_drafts_accept_the_same_documents() {
    let mut faults = Vec::new();
    let mut verdicts = [0, 0];
    for (kind, path, sample) in samples() {
        let validators: Vec<_> = Draft::ALL.iter().map(|draft| validator(&schema(kind, *draft))).collect();
        for value in std::iter::once(sample.clone()).chain(spoiled(&sample)) {
            let accepted: Vec<bool> = validators.iter().map(|validator| validator.is_valid(&value)).collect();
            verdicts[usize::from(accepted[0])] += 1;
            if accepted.iter().any(|one| *one != accepted[0]) {
                faults.push(format!("{path} as {kind}: {accepted:?} of {value}"));
            }
        }
        if !validators[0].is_valid(&sample) {
            faults.push(format!("{path} is read as {kind}, and its schema rejects it"));
        }
    }
    none(&faults);
    assert!(verdicts.iter().all(|count| *count > 100), "too few documents tell: {verdicts:?}");
}
