//! Every way in which a checked-in document can differ from the types is found, and the report says where, and
//! how to mend it. The changes are planted in every document there is.

use agentry_check::documents;
use agentry_schema::{Document, keyword};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use xtask::changes::between;
use xtask::drift::{MEND, State, compare, write};

/// A folder that holds the documents as the types make them.
fn checked_in(documents: &[Document]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for document in documents {
        put(dir.path(), &document.path, &document.text);
    }
    dir
}

fn put(dir: &Path, path: &str, text: &str) {
    let file = dir.join(path);
    fs::create_dir_all(file.parent().expect("it is in a folder")).expect("the folder can be made");
    fs::write(file, text).expect("it can be written");
}

/// What a change is made to: every object of the document, with what it is to the others.
struct Object {
    pointer: String,
    /// The keyword, or key, that holds it.
    holder: String,
}

/// Every schema of a schema document, or every object of another one.
fn objects(document: &Value) -> Vec<Object> {
    let mut objects = Vec::new();
    if document.get("$id").is_some() {
        keyword::visit(document, &mut |place, schema| {
            if schema.is_object() {
                objects.push(Object { pointer: place.pointer.clone(), holder: place.keyword.to_owned() });
            }
        });
    } else {
        objects_of(document, String::new(), "", &mut objects);
    }
    objects
}

fn objects_of(value: &Value, pointer: String, holder: &str, objects: &mut Vec<Object>) {
    match value {
        Value::Object(entries) => {
            for (key, inner) in entries {
                objects_of(inner, format!("{pointer}/{}", keyword::escape(key)), key, objects);
            }
            objects.push(Object { pointer, holder: holder.to_owned() });
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects_of(item, format!("{pointer}/{index}"), holder, objects);
            }
        }
        _ => {}
    }
}

/// What a planted change is, where it is, and what the report says of it.
struct Planted {
    class: &'static str,
    pointer: String,
    says: String,
}

/// Makes every change of every class that can be made to a document, one after the other, each in the document
/// as it was.
fn plant(document: &Value, see: &mut dyn FnMut(&Planted, &Value)) {
    let mut copy = document.clone();
    let is_schema = document.get("$id").is_some();
    for Object { pointer, holder } in objects(document) {
        let object = document.pointer(&pointer).and_then(Value::as_object).expect("an object");
        let mut change = |class, at: &str, says: &str, make: &dyn Fn(&mut Map<String, Value>)| {
            make(copy.pointer_mut(&pointer).and_then(Value::as_object_mut).expect("an object"));
            see(&Planted { class, pointer: format!("{pointer}{at}"), says: says.to_owned() }, &copy);
            *copy.pointer_mut(&pointer).expect("it is still there") = Value::Object(object.clone());
        };
        if let Some(Value::Object(properties)) = object.get("properties") {
            for name in properties.keys() {
                let at = format!("/properties/{}", keyword::escape(name));
                change("drop a property", &at, &format!("property `{name}` added"), &|object| {
                    object["properties"].as_object_mut().expect("an object").shift_remove(name);
                });
            }
            change("add a property", "/properties/planted", "property `planted` removed", &|object| {
                object["properties"]["planted"] = json!({ "description": "Planted." });
            });
        }
        for (index, name) in items(object, "required").iter().enumerate() {
            change("drop a required key", "/required", &format!("required key {name} added"), &|object| {
                object["required"].as_array_mut().expect("a list").remove(index);
            });
        }
        for list in ["oneOf", "anyOf"] {
            for (index, option) in items(object, list).iter().enumerate() {
                // The last one cannot go: a choice among nothing is no valid schema.
                if !option["const"].is_string() || items(object, list).len() == 1 {
                    continue;
                }
                let says = format!("option {} added", option["const"]);
                change("drop an option", &format!("/{list}/{index}"), &says, &|object| {
                    object[list].as_array_mut().expect("a list").remove(index);
                });
            }
        }
        for (class, key, to) in [
            ("change a default", "default", json!("planted")),
            ("change a pattern", "pattern", json!("planted")),
            ("change an example", "examples", json!(["planted"])),
            ("change a description", "description", json!("planted")),
            ("change a title", "title", json!("planted")),
            ("change an address", "url", json!("planted")),
            ("change a name", "name", json!("planted")),
        ] {
            // An entry of a list that is called otherwise is another entry.
            if !object.contains_key(key)
                || (key == "name" && ["schemas", "contracts"].contains(&holder.as_str()))
            {
                continue;
            }
            let at = format!("/{key}");
            change(class, &at, if is_schema { "altered" } else { "is now" }, &|object| {
                object[key] = to.clone();
            });
            change("drop a key", &at, "added", &|object| drop(object.shift_remove(key)));
        }
        if holder == "properties" && !object.contains_key("default") {
            change("add a default", "/default", "`default` removed: false", &|object| {
                object.insert("default".to_owned(), json!(false));
            });
        }
    }
}

fn items<'v>(object: &'v Map<String, Value>, key: &str) -> &'v [Value] {
    object.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[test]
fn planted_changes_of_every_document_are_told_at_their_place() {
    let mut count = BTreeMap::new();
    let mut missed = Vec::new();
    for Document { path, text } in documents() {
        let new: Value = serde_json::from_str(&text).expect("JSON");
        let mut here = BTreeMap::new();
        plant(&new, &mut |Planted { class, pointer, says }, old| {
            // Large documents have thousands of places: some of those beyond the first will do.
            let places = here.entry(*class).or_insert(0);
            *places += 1;
            if *places > 2 && *places % 50 != 0 {
                return;
            }
            *count.entry(*class).or_insert(0) += 1;
            let changes = between(old, &new);
            if !changes.iter().any(|change| change.pointer == *pointer && change.what.contains(says)) {
                missed.push(format!("{path}: {class} at {pointer}: no `{says}` in {changes:?}"));
            }
        });
    }
    assert!(missed.is_empty(), "{} of {count:?} missed:\n{}", missed.len(), missed.join("\n"));
    for class in [
        "drop a property",
        "add a property",
        "drop a required key",
        "drop an option",
        "change a default",
        "add a default",
        "change a description",
        "change a pattern",
        "change an example",
    ] {
        assert!(count.get(class).is_some_and(|count| *count > 1), "no document has a place to {class}");
    }
}

#[test]
fn every_class_of_change_makes_its_document_stale_and_the_report_says_what_to_run() {
    let documents = documents();
    let dir = checked_in(&documents);
    for document in &documents {
        let new: Value = serde_json::from_str(&document.text).expect("JSON");
        let mut changes: BTreeMap<&str, (String, String, String)> = BTreeMap::new();
        plant(&new, &mut |Planted { class, pointer, says }, old| {
            changes
                .entry(class)
                .or_insert_with(|| (agentry_schema::text(old), pointer.clone(), says.clone()));
        });
        assert!(!changes.is_empty(), "{}: nothing can be changed", document.path);
        for (class, (old, pointer, says)) in changes {
            put(dir.path(), &document.path, &old);
            let report = compare(&documents, dir.path()).expect("it can be compared");
            let found: Vec<_> = report.entries().iter().filter(|entry| entry.state != State::Fresh).collect();
            assert!(
                matches!(found[..], [entry] if entry.path == document.path && entry.state.word() == "stale"),
                "{}: {}: {found:?}",
                document.path,
                class
            );
            let text = report.render(MEND);
            let place = if pointer.is_empty() { "/" } else { &pointer };
            for wanted in [&*document.path, place, &says, "`cargo xtask schema-write`"] {
                assert!(text.contains(wanted), "{class}: no `{wanted}` in:\n{text}");
            }
            let last = format!("{} fresh, 1 stale. Run `cargo xtask schema-write`.", documents.len() - 1);
            assert_eq!(text.lines().last(), Some(&*last));
        }
        put(dir.path(), &document.path, &document.text);
    }
    assert!(compare(&documents, dir.path()).expect("it can be compared").is_fresh());
}

#[test]
fn the_reference_of_the_rules_is_held_like_a_document() {
    let documents = xtask::documents();
    let reference = documents.iter().find(|document| document.path == "RULES.md").expect("it is there");
    let dir = checked_in(&documents);
    let state = || {
        let report = compare(&documents, dir.path()).expect("it can be compared");
        let other = report.entries().iter().filter(|entry| entry.path != reference.path);
        assert!(other.into_iter().all(|entry| entry.state == State::Fresh), "{report}");
        (report.entries().iter().find(|entry| entry.path == reference.path).expect("it").state.word(), report)
    };
    assert_eq!(state().0, "fresh");
    put(dir.path(), &reference.path, &reference.text.replace("misplaced-key", "moved-key"));
    let (word, report) = state();
    assert_eq!(word, "stale");
    let said = report.to_string();
    assert!(
        said.contains("RULES.md\n") && said.contains("`cargo xtask schema-write` writes it again"),
        "{said}"
    );
    write(&documents, &report, false, &mut Vec::new()).expect("it is written");
    assert_eq!(state().0, "fresh");
    fs::remove_file(dir.path().join(&reference.path)).expect("it was there");
    assert_eq!(state().0, "missing");
}

#[test]
fn a_document_can_be_missing_orphaned_unparseable_or_only_laid_out_otherwise() {
    let documents = documents();
    let nothing = tempfile::tempdir().expect("a folder");
    let report = compare(&documents, &nothing.path().join("schemas")).expect("it can be compared");
    assert!(report.entries().iter().all(|entry| entry.state == State::Missing), "{report}");

    // One folder for all: a new one of every document for every case takes minutes.
    let dir = checked_in(&documents);
    for document in &documents {
        let compact = serde_json::from_str::<Value>(&document.text).expect("JSON").to_string();
        for (text, word, says) in [
            (None, "missing", "fix: `cargo xtask schema-write` writes it"),
            (
                Some(String::new()),
                "unparseable",
                "it is no JSON: EOF while parsing a value at line 1 column 0",
            ),
            (Some("<<<<<<< ours\n".to_owned() + &document.text), "unparseable", "it is no JSON"),
            (Some(compact), "stale", "(formatting only)"),
            (Some(document.text.replace('\n', "\r\n")), "stale", "(formatting only)"),
            (Some(document.text.trim_end().to_owned()), "stale", "(formatting only)"),
            (Some("null".to_owned()), "stale", "`null` is now"),
        ] {
            match text {
                Some(text) => put(dir.path(), &document.path, &text),
                None => fs::remove_file(dir.path().join(&document.path)).expect("it was there"),
            }
            let report = compare(&documents, dir.path()).expect("it can be compared");
            let entry =
                report.entries().iter().find(|entry| entry.path == document.path).expect("it is reported");
            assert_eq!(entry.state.word(), word, "{report}");
            let text = report.render(MEND);
            assert!(text.contains(says) && text.contains(&document.path), "no `{says}` in:\n{text}");
            assert!(text.ends_with(&format!("1 {word}. Run `cargo xtask schema-write`.\n")), "{text}");
            put(dir.path(), &document.path, &document.text);
        }
    }
}

/// Runs the program on a folder of documents.
fn xtask(arguments: &[&str], dir: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments);
    if let Some(dir) = dir {
        command.arg("--dir").arg(dir);
    }
    command.output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_program_reports_writes_and_tells_by_its_exit_status() {
    let documents = xtask::documents();
    let count = documents.len();
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path().join("schemas");
    let mend = format!("`cargo xtask schema-write --dir {}`", dir.display());

    // Nothing is there yet; a dry run leaves it so.
    let output = xtask(&["schema-diff"], Some(&dir));
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stdout).ends_with(&format!("0 fresh, {count} missing. Run {mend}.\n")));
    let output = xtask(&["schema-write", "--dry-run"], Some(&dir));
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("would write schemas/catalog.json (missing)\n"));
    assert!(!dir.exists());

    let output = xtask(&["schema-write"], Some(&dir));
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).ends_with(&format!("{count} written, 0 deleted, 0 left as they are.\n")));
    let output = xtask(&["schema-diff"], Some(&dir));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), format!("Checking {count} documents\n{count} fresh.\n"));

    // One of each state. What is no JSON by its name is nobody's business.
    let stale = documents[1].text.replacen("\"title\": \"", "\"title\": \"Old ", 1);
    put(&dir, &documents[1].path, &stale);
    put(&dir, "old/gone.schema.json", &documents[1].text);
    put(&dir, "old/package.json", "{}");
    put(&dir, "README.md", "# Read me\n");
    put(&dir, &documents[2].path, "{");
    fs::remove_file(dir.join(&documents[0].path)).expect("it was there");
    let output = xtask(&["schema-diff"], Some(&dir));
    assert_eq!(output.status.code(), Some(4));
    let report = text(&output.stdout);
    assert!(report.contains("/title  `title` altered from \"Old Agentry "), "{report}");
    assert!(report.contains("   orphaned     schemas/old/gone.schema.json\n"), "{report}");
    assert!(report.contains("fix: delete it"), "{report}");
    let counts = format!("{} fresh, 1 stale, 1 missing, 2 orphaned, 1 unparseable. Run {mend}.\n", count - 3);
    assert!(report.ends_with(&counts), "{report}");

    let output = xtask(&["schema-write"], Some(&dir));
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stdout);
    assert!(said.contains("deleted schemas/old/gone.schema.json (orphaned)\n"), "{said}");
    assert!(said.ends_with(&format!("3 written, 1 deleted, {} left as they are.\n", count - 3)), "{said}");
    assert!(dir.join("README.md").exists() && !dir.join("old/gone.schema.json").exists());
    // Nobody loses a file that was never written from the types.
    assert!(said.contains("left schemas/old/package.json (no document of ours"), "{said}");
    assert!(dir.join("old/package.json").exists());
    fs::remove_file(dir.join("old/package.json")).expect("it was left");
    assert_eq!(xtask(&["schema-diff"], Some(&dir)).status.code(), Some(0));
}

#[test]
fn what_cannot_be_done_is_no_drift() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    for (arguments, dir, says) in [
        (&["schema-diff"][..], Some(file.path()), "error: "),
        (&["schema-diff"], Some(&*file.path().join("below")), "error: "),
        (&["schema-dif"], None, "unknown command `schema-dif`"),
        (&[], None, "no command"),
        (&["schema-diff", "--fast"], None, "unknown argument `--fast`"),
        (&["schema-diff", "--dir"], None, "`--dir` needs a folder"),
        (&["schema-diff", "--against"], None, "`--against` needs a revision"),
        (&["schema-diff", "--format", "xml"], None, "`--format` is human or markdown"),
        (&["schema-diff", "--format", "markdown"], None, "`--format markdown` needs `--against`"),
        (&["schema-diff", "--against", "--all"], None, "`--all` is no revision"),
        (&["schema-changelog"], None, "`--against` is missing"),
    ] {
        let output = xtask(arguments, dir);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(text(&output.stderr).contains(says), "{arguments:?}: {output:?}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
    }
    let output = xtask(&["--help"], None);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("schema-write"));
}
