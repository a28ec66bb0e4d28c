//! Faults that people met with the names and schemas of tools: each by an input of our own, and by the report itself
//! where the reports lie beside the project. Those tell of tools as MCP servers list them: what is wrong with such a tool
//! is judged in the manifest that it would have here.

use agentry::{Format, Kind};
use agentry_check::{Checker, Input};
use agentry_tests::field_report;
use serde_json::{Value, json};

struct Fault {
    report: &'static str,
    id: &'static str,
    input: &'static str,
    output: &'static str,
    /// What is found, as `severity[rule] pointer`, one a line.
    expected: &'static str,
    reported: &'static str,
    /// What the findings say, in message or help.
    says: &'static str,
}

const NOTHING: &str = r#"{"type": "object", "properties": {}}"#;

const FAULT: Fault =
    Fault { report: "", id: "tide.get", input: NOTHING, output: "{}", expected: "", reported: "", says: "" };

const FAULTS: &[Fault] = &[
    Fault {
        report: "B094",
        input: r#"{"description": "Takes nothing."}"#,
        expected: "hint[not-portable] /input",
        reported: "hint[not-portable] /input\nwarning[other-draft] /input/$schema",
        says: r#"`{"type": "object", "properties": {}}`"#,
        ..FAULT
    },
    Fault {
        report: "B095",
        input: r#"{"type": "object", "minProperties": 0}"#,
        expected: "hint[not-portable] /input/type",
        reported: "hint[not-portable] /input/type",
        says: r#"add `"properties": {}`"#,
        ..FAULT
    },
    // The tool is named, and not its place.
    Fault {
        report: "B096",
        input: r#"{"type": "object", "properties": {"day": {}, "week": {}}, "anyOf": [{"required": ["day"]}, {"required": ["week"]}]}"#,
        expected: "hint[not-portable] /input/anyOf",
        reported: "hint[not-portable] /input/oneOf",
        says: "the input of `tide.get` has `anyOf` at its root",
        ..FAULT
    },
    Fault {
        report: "B100",
        input: r#"{"type": "object", "properties": {"days": {"type": "object", "properties": {"odd": {"type": "array"}}}}}"#,
        expected: "hint[not-portable] /input/properties/days/properties/odd/type",
        reported: "hint[not-portable] /input/properties/argv/type",
        says: "add `items`",
        ..FAULT
    },
    // A schema may refer to itself, and no walk over it loops.
    Fault {
        report: "B103",
        input: r##"{"type": "object", "properties": {"below": {"type": "array", "items": {"$ref": "#"}}}}"##,
        ..FAULT
    },
    // What comes out of a tool has any schema, of an object or not, closed or open: the version of MCP is the server's own.
    Fault { report: "B105", output: r#"{"type": "integer"}"#, ..FAULT },
    Fault {
        report: "B106",
        output: r#"{"type": "object", "properties": {"height": {}}, "additionalProperties": false}"#,
        ..FAULT
    },
    Fault {
        report: "B107",
        input: r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {"at": {}}}"#,
        ..FAULT
    },
    // A dot is the usual sign here, and a slash is not.
    Fault {
        report: "B108",
        id: "tides/read.all",
        expected: "hint[unusual-name] /id",
        reported: "hint[unusual-name] /id",
        says: "of letters, digits, `-` and `_`",
        ..FAULT
    },
    Fault {
        report: "B110",
        id: "7seas.read",
        expected: "hint[not-portable] /id",
        reported: "hint[not-portable] /id",
        says: "the API of Gemini (as of 2026-08) refuses the tool `7seas.read`",
        ..FAULT
    },
    Fault { report: "B112", ..FAULT },
    Fault {
        report: "B116",
        input: r#"{"type": "object", "properties": {"days": {"type": "integer", "minimum": 1, "default": 0}, "unit": {"enum": ["m", "ft"], "default": "in"}}}"#,
        expected: "warning[unfit-default] /input/properties/days/default\nwarning[unfit-default] /input/properties/unit/default",
        reported: "warning[unfit-default] /input/properties/n/default\nwarning[unfit-default] /input/properties/mode/default",
        says: "",
        ..FAULT
    },
];

/// What is found in a tool, and what the findings say.
fn judge(id: &str, input: &Value, output: &Value) -> (String, String) {
    let manifest =
        json!({ "id": id, "description": "Of tides.", "version": "1.0.0", "input": input, "output": output });
    let text = manifest.to_string();
    let asked =
        Input { path: None, kind: Some(Kind::Tool), contract: None, format: Format::Json, text: &text };
    let found = Checker::default().check(&asked).findings;
    let shown = found.iter().map(|one| format!("{}[{}] {}", one.severity.name(), one.rule.name, one.pointer));
    let said =
        found.iter().map(|one| format!("{}\n{}\n", one.message, one.help.as_deref().unwrap_or_default()));
    (shown.collect::<Vec<_>>().join("\n"), said.collect())
}

#[test]
fn faults_of_tools_are_found_at_their_places() {
    for fault in FAULTS {
        let schema = |text| serde_json::from_str(text).expect("JSON");
        let (found, said) = judge(fault.id, &schema(fault.input), &schema(fault.output));
        assert_eq!(found, fault.expected, "{}\n{said}", fault.report);
        assert!(said.contains(fault.says), "{}: {said}", fault.report);
    }
}

#[test]
fn reported_tools_are_judged_as_the_reports_ask() {
    for fault in FAULTS {
        let Some(text) = field_report(fault.report) else { return };
        let listed: Value = serde_json::from_str(&text).expect("JSON");
        let part = |keys: [&str; 2]| keys.iter().find_map(|key| listed.get(key)).cloned();
        let id = part(["id", "name"]).and_then(|id| Some(id.as_str()?.to_owned())).expect("a name");
        let input = part(["inputSchema", "input_schema"]).expect("a schema of the input");
        let output = part(["outputSchema", "output_schema"]).unwrap_or_else(|| json!({}));
        let (found, said) = judge(&id, &input, &output);
        assert_eq!(found, fault.reported, "{}\n{said}", fault.report);
    }
}
