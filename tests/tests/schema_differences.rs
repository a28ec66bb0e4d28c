//! Our schemas compared by meaning: with those of the specifications, between drafts, and strict with tolerant.
//!
//! `schemas/DIFFERENCES.md` is made from the first comparison. With `UPDATE=1` in the environment the test writes it.

use agentry::Kind;
use agentry_diff::{Action, Change, Comparison, Effect, Options, Verdict, accepts_all, compare};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// Why some schemas differ from those of the specifications.
struct Reason {
    title: &'static str,
    why: &'static str,
    applies: fn(&str, &Change) -> bool,
}

/// Whether a change says which forms a table has, or what its keys are, and does not just bound a value.
fn is_about_form(change: &Change) -> bool {
    let keywords = [
        "",
        "oneOf",
        "anyOf",
        "allOf",
        "not",
        "required",
        "properties",
        "additionalProperties",
        "type",
        "const",
    ];
    keywords.contains(&change.keyword.as_str())
}

/// The first that applies is the reason.
const REASONS: &[Reason] = &[
    Reason {
        title: "`$schema` is a key of every kind",
        why: "A file may name its schema, so that editors find it. Where a table is closed, the key is let in; where it is \
              open, the key must be a text.",
        applies: |kind, change| {
            let closed = kind == "package" && change.keyword == "additionalProperties";
            let witness =
                change.effect.readers().is_some_and(|found| found.document.get("$schema").is_some());
            change.at().ends_with("/properties/$schema") || closed && witness
        },
    },
    Reason {
        title: "More keys are known",
        why: "The specification lists fewer keys than published files and runtimes use. Its tables are open, so any value \
              is valid there; ours say what the value has to be.",
        applies: |_, change| {
            change.keyword == "properties"
                && change.action == Action::Added
                && change.effect.files().is_some_and(|found| !found.declared_keys_only)
        },
    },
    Reason {
        title: "More options are known",
        why: "Published files and runtimes use options that the specification does not list. The known ones are those of \
              both.",
        applies: |_, change| change.keyword == "enum" && change.effect.readers().is_some(),
    },
    Reason {
        title: "A text has a form",
        why: "The specification says in prose what an id, a version, a name, an address or a path looks like, and its \
              schema says only that it is a text: an empty one would be valid.",
        applies: |_, change| {
            ["pattern", "minLength", "propertyNames"].contains(&change.keyword.as_str())
                && change.action == Action::Added
        },
    },
    Reason {
        title: "A number has bounds",
        why: "A count is whole, not negative, and not larger than every reader of JSON can hold exactly. A price, a share \
              or a temperature has the bounds that its meaning has.",
        applies: |_, change| {
            let numbers = [&change.before, &change.after]
                .map(|value| value.as_ref().is_none_or(|value| value == "integer" || value == "number"));
            ["minimum", "maximum", "exclusiveMinimum"].contains(&change.keyword.as_str())
                || change.keyword == "type" && numbers == [true, true]
                || change.keyword == "anyOf" && change.at().contains("Count")
        },
    },
    Reason {
        title: "A provider has one of two forms",
        why: "The specification lists the keys of a provider at the top level, published files have them under \
              `[provider]`. Both are read, and both at once are an error. Prices and windows are asked of models that \
              have them: of text, not of images.",
        applies: |kind, change| {
            kind == "provider" && ["/if", "/then", "/else", "/oneOf"].contains(&change.at())
        },
    },
    Reason {
        title: "What a transport needs, follows from its type",
        why: "A server that is a program needs a command, one behind an address needs the address. The specification \
              asks for a command everywhere, or for nothing.",
        applies: |kind, change| {
            let place = if kind == "integration" { "ransport" } else { "McpServer" };
            ["integration", "package", "skill-config"].contains(&kind)
                && change.at().contains(place)
                && is_about_form(change)
        },
    },
    Reason {
        title: "What a runtime needs, follows from its type",
        why: "Code needs its entry, and a prompt needs its text. Runtimes know a type that the specification does not list.",
        applies: |kind, change| {
            kind == "skill"
                && (change.at().contains("untime") || change.at() == "/allOf")
                && is_about_form(change)
        },
    },
    Reason {
        title: "The agents of a hand have one of several forms",
        why: "The specification has one table for one agent, published hands have one for each role. Either is read, not \
              both. The model of a role is a name or a table.",
        applies: |kind, change| {
            kind == "hand"
                && (change.at().contains("Role") || change.at().contains("/agent") || change.at() == "/allOf")
                && is_about_form(change)
        },
    },
    Reason {
        title: "A setting with a choice needs its options",
        why: "A setting of type `select` without options cannot be set.",
        applies: |kind, change| {
            kind == "hand" && change.at().starts_with("/$defs/Setting") && is_about_form(change)
        },
    },
    Reason {
        title: "An address may be empty or is one",
        why: "Published files leave `get_url` empty where there is none: that is read as not given. Anything else has to \
              be an address.",
        applies: |_, change| change.at().contains("/get_url") && is_about_form(change),
    },
    Reason {
        title: "A parameter is a table",
        why: "The specification says of the inputs of a skill that they are a table of parameters, and its schema leaves \
              open what a parameter is.",
        applies: |kind, change| {
            kind == "skill" && change.at().starts_with("/properties/input") && is_about_form(change)
        },
    },
    Reason {
        title: "Files, paths and hosts of a package have forms",
        why: "A path stays inside the package, a destination is not empty, a pattern of hosts names hosts. The \
              specification says so in prose.",
        applies: |kind, change| {
            let places = ["PackageFile", "instructions_file", "network_access", "FileSource", "/allOf/0/not"];
            kind == "package"
                && places.iter().any(|place| change.at().contains(place))
                && is_about_form(change)
        },
    },
    Reason {
        title: "The parameters of a tool are a schema",
        why: "What describes the parameters of a tool has to be a JSON Schema: an object or a boolean. The specification \
              takes any value.",
        applies: |kind, change| {
            kind == "package"
                && (change.at().contains("ToolDefinition") || change.at().contains("PackageTool"))
                && is_about_form(change)
        },
    },
    Reason {
        title: "A tool's policies and specs are taken apart otherwise",
        why: "Each form is an alternative of its own, so that a message can say which was meant. By itself that changes \
              nothing: the document shown breaks for a reason that is listed above.",
        applies: |kind, change| kind == "tool" && change.at().contains("/oneOf"),
    },
];

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn ours() -> BTreeMap<String, Value> {
    let documents = agentry_check::documents().into_iter();
    documents.map(|document| (document.path, serde_json::from_str(&document.text).expect("JSON"))).collect()
}

/// The schemas of the specifications, by the names of our documents.
fn specified(folder: &Path) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for (prefix, folder) in [("", folder.to_owned()), ("contract/", folder.join("contract"))] {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
                found.insert(format!("{prefix}{name}"), read(&path));
            }
        }
    }
    found
}

fn breaks(change: &Change) -> bool {
    !matches!(change.effect, Effect::Neither | Effect::Documentation)
}

/// Text in a span of code in a cell of a table.
fn code(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    format!("{fence}{}{fence}", text.replace('|', "\\|"))
}

/// The page about one kind: each difference below its reason, with the documents that show it.
fn section(name: &str, comparison: &Comparison, used: &mut BTreeSet<&'static str>) -> String {
    let mut groups: Vec<(&Reason, Vec<&Change>)> = Vec::new();
    for change in comparison.changes.iter().filter(|change| breaks(change)) {
        let reason = REASONS.iter().find(|reason| (reason.applies)(name, change));
        let reason =
            reason.unwrap_or_else(|| panic!("{name}: nobody says why: {change}: {:?}", change.effect));
        used.insert(reason.title);
        match groups.iter_mut().find(|(known, _)| known.title == reason.title) {
            Some((_, changes)) => changes.push(change),
            None => groups.push((reason, vec![change])),
        }
    }
    groups.sort_by_key(|(reason, _)| REASONS.iter().position(|known| known.title == reason.title));
    let mut text = format!(
        "## {name}\n\nOurs accepts all that the specification's accepts: {}. The other way round: {}.\n",
        comparison.backward.name(),
        comparison.forward.name()
    );
    for (reason, changes) in groups {
        let _ = write!(
            text,
            "\n### {name}: {}\n\n| difference | only the specification's accepts | only ours accepts |\n\
             | --- | --- | --- |\n",
            reason.title
        );
        for change in changes {
            assert!(!matches!(change.effect, Effect::Unknown(_)), "{name}: {change}: {:?}", change.effect);
            let shown = |found: Option<&agentry_diff::Witness>| {
                found.map(|found| code(&found.document.to_string())).unwrap_or_default()
            };
            let (files, readers) = (shown(change.effect.files()), shown(change.effect.readers()));
            let _ = writeln!(text, "| {} | {files} | {readers} |", code(&change.to_string()));
        }
    }
    text
}

#[test]
fn every_difference_from_a_specification_is_intended_and_listed() {
    let Some(folder) = agentry_tests::shared("conformance/schemas") else { return };
    let ours = ours();
    let (mut contracts, mut used, mut sections) = (0, BTreeSet::new(), String::new());
    for (name, theirs) in specified(&folder) {
        let document =
            ours.get(&format!("{name}.schema.json")).unwrap_or_else(|| panic!("no schema of {name}"));
        let comparison = compare(&theirs, document, &Options::default());
        if name.starts_with("contract/") {
            assert_eq!((&comparison.backward, &comparison.forward), (&Verdict::Yes, &Verdict::Yes), "{name}");
            contracts += 1;
        } else {
            let _ = write!(sections, "\n{}", section(&name, &comparison, &mut used));
        }
    }
    assert_eq!(contracts, 96);
    let unused: Vec<&str> =
        REASONS.iter().map(|reason| reason.title).filter(|title| !used.contains(title)).collect();
    assert_eq!(unused, [""; 0], "nothing differs for these reasons");

    let mut page = String::from(
        "# How our schemas differ from the specifications'\n\n\
         Compared by meaning, as `agentry diff` does it. A test makes this page, and fails where something differs that \
         has no reason here. Each document shown is accepted by one of the two schemas alone.\n\n\
         The schemas of both sides of all 48 contracts accept exactly what the specification's accept: proved both ways.\n\n\
         ## Reasons\n\n",
    );
    for reason in REASONS {
        let _ = writeln!(page, "- **{}.** {}", reason.title, reason.why);
    }
    page.push_str(&sections);
    let file = agentry_tests::root().join("schemas/DIFFERENCES.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &page).expect("it can be written");
    }
    let checked_in = std::fs::read_to_string(&file).unwrap_or_default();
    for (number, (is, should)) in checked_in.lines().zip(page.lines()).enumerate() {
        assert_eq!(is, should, "line {} of schemas/DIFFERENCES.md: run this test with UPDATE=1", number + 1);
    }
    assert_eq!(checked_in.len(), page.len(), "schemas/DIFFERENCES.md: run this test with UPDATE=1");
}

/// A reason that would do for any difference would hide a new one.
#[test]
fn a_new_difference_has_no_reason() {
    let Some(folder) = agentry_tests::shared("conformance/schemas") else { return };
    let ours = ours();
    let mut planted = 0;
    for (name, theirs) in specified(&folder).iter().filter(|(name, _)| !name.starts_with("contract/")) {
        let document = &ours[&format!("{name}.schema.json")];
        let mut differing = document.clone();
        differing["maxProperties"] = 3.into();
        differing["dependentRequired"] = serde_json::json!({ "description": ["homepage"] });
        for property in differing["properties"].as_object_mut().into_iter().flat_map(|map| map.values_mut()) {
            if let Some(property) = property.as_object_mut() {
                property.insert("maxLength".to_owned(), 2.into());
                property.insert("uniqueItems".to_owned(), true.into());
            }
        }
        let comparison = compare(theirs, &differing, &Options::default());
        let new = ["maxProperties", "dependentRequired", "maxLength", "uniqueItems"];
        for change in comparison.changes.iter().filter(|change| new.contains(&change.keyword.as_str())) {
            let excused = REASONS.iter().find(|reason| (reason.applies)(name, change));
            assert!(
                excused.is_none(),
                "{name}: {change} is excused: {:?}",
                excused.map(|reason| reason.title)
            );
            planted += 1;
        }
    }
    assert!(planted > 50, "{planted}");
}

#[test]
fn both_drafts_accept_the_same() {
    let ours = ours();
    let mut drafts = 0;
    for (path, schema) in &ours {
        let Some(other) = ours.get(&format!("draft-07/{path}")) else { continue };
        let (there, back) = (
            accepts_all(schema, other, &Options::default()),
            accepts_all(other, schema, &Options::default()),
        );
        assert_eq!((there, back), (Verdict::Yes, Verdict::Yes), "{path}");
        drafts += 1;
    }
    assert!(drafts > Kind::ALL.len(), "{drafts} documents in two drafts");
}

/// What an author may write, a runtime reads: proved for each kind, in both drafts of the strict schema. The tolerant
/// schema takes more, exactly where there is a list of options or a closed table to be tolerant about.
#[test]
fn the_strict_schema_of_every_kind_is_proved_to_be_contained_in_the_tolerant_one() {
    let mut wider = 0;
    for &kind in Kind::ALL {
        let tolerant = agentry_schema::tolerant_schema(kind);
        for draft in [agentry_schema::Draft::V2020_12, agentry_schema::Draft::V07] {
            let strict = agentry_schema::schema(kind, draft);
            let comparison = compare(&strict, &tolerant, &Options::default());
            assert_eq!(comparison.backward, Verdict::Yes, "{kind}, {draft:?}");
            let text = strict.to_string();
            let restricts = ["\"const\":", "\"enum\":", "Properties\":false"];
            if !restricts.iter().any(|keyword| text.contains(keyword)) {
                assert_eq!(comparison.forward, Verdict::Yes, "{kind}, {draft:?}");
                continue;
            }
            let Verdict::No(witness) = &comparison.forward else {
                panic!("{kind}: only the tolerant schema takes something: {:?}", comparison.forward)
            };
            let valid = |schema: &Value| {
                jsonschema::validator_for(schema).expect("a schema").is_valid(&witness.document)
            };
            assert!(valid(&tolerant) && !valid(&strict), "{kind}: {}", witness.document);
            wider += 1;
        }
    }
    assert!(wider > Kind::ALL.len(), "{wider} of {} schemas are wider", 2 * Kind::ALL.len());
}

/// Ways to change the schema of a server's tool, each made at one place.
fn variants(schema: &Value) -> Vec<Value> {
    let mut found = vec![schema.clone()];
    let names: Vec<String> = schema["properties"]
        .as_object()
        .map(|keys| keys.keys().take(3).cloned().collect())
        .unwrap_or_default();
    let mut vary = |change: &dyn Fn(&mut Value)| {
        let mut varied = schema.clone();
        change(&mut varied);
        found.push(varied);
    };
    for name in &names {
        vary(&|schema| drop(schema["properties"].as_object_mut().map(|keys| keys.remove(name))));
        vary(&|schema| schema["properties"][name] = Value::Bool(true));
        vary(&|schema| {
            schema["properties"][name] = serde_json::json!({ "type": ["string", "integer", "boolean"] });
        });
        vary(&|schema| schema["required"] = serde_json::json!([name]));
    }
    vary(&|schema| schema["required"] = serde_json::json!([]));
    vary(&|schema| schema["additionalProperties"] = Value::Bool(true));
    vary(&|schema| schema["properties"]["planted"] = serde_json::json!({ "type": "string" }));
    found
}

#[test]
fn the_binding_check_agrees_with_the_comparison() {
    use agentry::contract::{Contract, Side};
    use agentry_check::binding::{self, Verdict as Answer};
    let (mut yes, mut no, mut decided) = (0, 0, 0);
    for &contract in Contract::ALL {
        let (input, output) = (
            agentry_schema::contract_schema(contract, Side::Input),
            agentry_schema::contract_schema(contract, Side::Output),
        );
        let (inputs, outputs) = (variants(&input), variants(&output));
        for index in 0..inputs.len().max(outputs.len()) {
            let (taken, answered) =
                (inputs.get(index).unwrap_or(&input), outputs.get(index).unwrap_or(&output));
            let tool = serde_json::json!({ "name": "tool", "inputSchema": taken, "outputSchema": answered });
            let tool = agentry_text::json::from_str(&tool.to_string()).expect("a tool");
            let found = binding::check(contract, &tool);
            for (answer, from, to) in
                [(found.input.verdict(), &input, taken), (found.output.verdict(), answered, &output)]
            {
                let verdict = accepts_all(from, to, &Options::default());
                match (answer, &verdict) {
                    (Answer::Yes, Verdict::Yes) => yes += 1,
                    (Answer::No, Verdict::No(_)) => no += 1,
                    (Answer::Unknown, Verdict::Yes | Verdict::No(_)) => decided += 1,
                    _ => panic!("{contract}: {answer:?} but {verdict:?}\n  {from}\n  {to}"),
                }
            }
        }
    }
    assert!(yes > 200 && no > 200, "{yes} yes, {no} no, {decided} decided by the comparison alone");
}
