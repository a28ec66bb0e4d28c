//! Faults that people met with agent packages: each an input of its own of the same kind, and the report itself where
//! the collection lies beside the project.

use agentry::{Format, Kind, Mode, Package, Severity};
use agentry_check::{Checked, Checker, Input};
use agentry_tests::{field_report, shown};
use serde_json::Value;

fn check(format: Format, text: &str) -> Checked {
    Checker::default().check(&Input { path: None, kind: Some(Kind::Package), contract: None, format, text })
}

/// What is found, as `line:column severity[rule] pointer`, one a line.
fn found(format: Format, text: &str) -> String {
    shown(text, &check(format, text).findings)
}

struct Fault {
    id: &'static str,
    format: Format,
    /// An input of our own.
    text: &'static str,
    expected: &'static str,
    /// What the input of the report gives.
    reported: &'static str,
}

const FAULTS: &[Fault] = &[
    // A newer file gets one finding, and not one for each of its new keys, tables and options.
    Fault {
        id: "B087",
        format: Format::Toml,
        text: "name = \"from-tomorrow\"\nschema_version = 3\nfiles = 7\n\n[memory]\nkind = \"graph\"\n\n[[tools]]\ntype = \"remote\"\nparameters = { type = \"strng\" }\n",
        expected: "2:18 error[newer-version] /schema_version",
        reported: "1:18 error[newer-version] /schema_version",
    },
    Fault {
        id: "B089",
        format: Format::Toml,
        text: "name = \"log-keeper\"\n\n[[files]]\npath = \"log.md\"\ncontent = \"\"\n",
        expected: "",
        reported: "",
    },
    // `$schema` is an annotation, at the root and nowhere else.
    Fault {
        id: "B091",
        format: Format::Toml,
        text: "\"$schema\" = \"./agent.schema.json\"\nname = \"annotated\"\n\n[model]\n\"$schema\" = \"x\"\nprovider = \"p\"\nmodel = \"m\"\n",
        expected: "5:1 error[unknown-key] /model",
        reported: "",
    },
    Fault {
        id: "B157",
        format: Format::Json,
        text: "{\"name\": \"twice\",\n \"instructions\": \"a\", \"mcpServers\": {},\n \"mcp_servers\": {}, \"system_prompt\": \"a\"}",
        expected: "3:2 error[conflicting-keys] /mcp_servers\n3:2 warning[legacy-name] /mcp_servers\n\
                   3:21 error[conflicting-keys] /system_prompt\n3:21 warning[legacy-name] /system_prompt",
        reported: "1:57 error[conflicting-keys] /instructions\n3:2 error[conflicting-keys] /mcpServers",
    },
    // A quoted number is no number, and a quoted `false` counts as true in many a language.
    Fault {
        id: "B173",
        format: Format::Json,
        text: "{\n  \"name\": \"quoted\",\n  \"max_iterations\": \"7\",\n  \"channels\": {\"chat\": {\"type\": \"slack\", \"enabled\": \"False\"}}\n}",
        expected: "3:21 error[wrong-type] /max_iterations\n4:53 error[wrong-type] /channels/chat/enabled",
        reported: "1:68 error[wrong-type] /max_iterations\n1:95 error[wrong-type] /parallel_tool_calls",
    },
    // An author is told; what a runtime does is tested below.
    Fault {
        id: "B183",
        format: Format::Toml,
        text: "name = \"later\"\n\n[model]\nprovider = \"p\"\nmodel = \"m\"\nreasoning = \"deep\"\n",
        expected: "6:1 error[unknown-key] /model",
        reported: "4:2 error[unknown-key] ",
    },
];

#[test]
fn faults_are_found_at_their_places() {
    for fault in FAULTS {
        assert_eq!(found(fault.format, fault.text), fault.expected, "{}", fault.id);
        let Some(text) = field_report(fault.id) else { continue };
        assert_eq!(found(fault.format, &text), fault.reported, "{} as reported:\n{text}", fault.id);
    }
}

#[test]
fn a_newer_version_is_named_with_the_one_that_is_read() {
    let message = &check(Format::Toml, FAULTS[0].text).findings[0].message;
    assert!(message.contains("version 3") && message.contains("version 1"), "{message}");
}

/// B089: the default that the schema publishes is the one that the code has.
#[test]
fn published_defaults_are_those_of_the_code() {
    let schema = agentry_schema::schema(Kind::Package, agentry_schema::Draft::V2020_12);
    let published =
        |definition: &str| schema["$defs"][definition]["properties"]["is_readonly"]["default"].clone();
    for (file, definition) in
        [("{ path = \"a\", content = \"\" }", "InlineFile"), ("{ source = \"a\" }", "FileSource")]
    {
        let package: Package =
            agentry::toml::from_str(&format!("name = \"a\"\nfiles = [{file}]\n")).expect("a package");
        assert_eq!(published(definition), Value::from(package.files()[0].is_readonly()), "{definition}");
    }
}

/// B173: the help says what to write.
#[test]
fn what_is_quoted_by_mistake_is_shown_without_quotes() {
    let helps: Vec<String> =
        check(Format::Json, FAULTS[4].text).findings.into_iter().filter_map(|finding| finding.help).collect();
    assert_eq!(helps, ["write 7, without quotes", "write false, without quotes"]);
}

/// B183: a runtime goes on without a key that a newer version added, and writes it back.
#[test]
fn a_runtime_reads_past_keys_that_it_does_not_know() {
    let own = (FAULTS[5].text.to_owned(), "reasoning = \"deep\"");
    let reported = field_report("B183").map(|text| (text, "max_compute_workers = 0"));
    for (text, kept) in std::iter::once(own).chain(reported) {
        let reading = agentry::toml::read::<Package>(&text);
        let found: Vec<_> = reading.findings.iter().map(|found| (found.rule.name, found.severity)).collect();
        assert_eq!(found, [("unknown-key", Severity::Warning)], "{text}");
        let written = agentry::toml::to_string(&reading.value.expect("a value")).expect("written");
        assert!(written.contains(kept), "{written}");
        assert!(!Kind::Package.read(&agentry::toml::parse(&text), Mode::Strict).is_valid());
    }
}

/// B151: instructions in two places.
#[test]
fn instructions_stand_in_one_place() {
    let text = "name: both\ninstructions_file: prompts/main.md\ninstructions: |\n  Inline.\n";
    assert_eq!(found(Format::Yaml, text), "3:1 error[conflicting-keys] /instructions");
    let message = &check(Format::Yaml, text).findings[0].message;
    assert_eq!(
        message,
        "`instructions_file` and `instructions` exclude each other: the instructions stand in the manifest or in a file"
    );
    let Some(reported) = field_report("B151") else { return };
    let manifest = reported
        .split("--- file: ")
        .find_map(|file| file.strip_prefix("pkg/agent.toml\n"))
        .expect("a manifest");
    assert_eq!(found(Format::Toml, manifest), "4:1 error[conflicting-keys] /instructions_file");
}

/// B142: credentials that are written out under names that say so. They are never repeated.
#[test]
fn credentials_are_found_by_the_names_of_their_keys() {
    let text = "name: helper\nmcpServers:\n  local:\n    type: stdio\n    command: npx\n    env:\n      ACME_KEY: EXAMPLEvalue9876543210\n      ACME_TOKEN: ${ACME_TOKEN}\n      DB_PASSWORD: hunter2\n      REGION: north\n  docs:\n    url: https://docs.example/mcp\n    headers:\n      Authorization: Bearer EXAMPLE\n      X-Team: ops\n";
    assert_eq!(
        found(Format::Yaml, text),
        "4:11 warning[unsupported-transport] /mcpServers/local/type\n\
         7:17 warning[literal-secret] /mcpServers/local/env/ACME_KEY\n\
         9:20 warning[literal-secret] /mcpServers/local/env/DB_PASSWORD\n\
         14:22 warning[literal-secret] /mcpServers/docs/headers/Authorization"
    );
    let shown = |checked: &Checked| {
        let manifest = format!("{:?}", checked.manifest);
        checked.findings.iter().map(|finding| format!("{finding:?}")).chain([manifest]).collect::<String>()
    };
    let checked = check(Format::Yaml, text);
    for secret in ["EXAMPLEvalue9876543210", "hunter2", "Bearer EXAMPLE"] {
        assert!(!shown(&checked).contains(secret), "{secret}");
        let at = text.find(secret).expect("it is there");
        assert!(
            checked.secrets.iter().any(|span| (span.start..span.end).contains(&at)),
            "{secret} is not masked"
        );
    }
    // The report is about another format; what it is about must not be repeated here either.
    let Some(reported) = field_report("B142") else { return };
    assert!(!shown(&check(Format::Yaml, &reported)).contains("EXAMPLEvalue0123456789"));
}

/// B085: a key that a released version had stays readable where it got another name, with a warning.
#[test]
fn older_names_stay_readable() {
    let text =
        "{\"schema_version\": 1, \"name\": \"older\",\n \"system_prompt\": \"Answer.\", \"mcp_servers\": {}}";
    assert_eq!(
        found(Format::Json, text),
        "2:2 warning[legacy-name] /system_prompt\n2:30 warning[legacy-name] /mcp_servers"
    );
    let reading = agentry::json::read::<Package>(text);
    let written = serde_json::to_value(reading.value.expect("a package")).expect("written");
    assert_eq!(
        (&written["instructions"], &written["mcpServers"]),
        (&"Answer.".into(), &serde_json::json!({}))
    );
}

/// B191: null is no absent key. It is read where the format gives it a meaning, and refused where it has none.
#[test]
fn null_is_told_from_an_absent_key() {
    let text = "{\"name\": \"nulls\", \"description\": null,\n \"tags\": [null]}";
    assert_eq!(found(Format::Json, text), "2:11 error[wrong-type] /tags/0");
    let help = check(Format::Json, text).findings[0].help.clone();
    assert_eq!(help.as_deref(), Some("delete the item: null is not a value here"));
}
