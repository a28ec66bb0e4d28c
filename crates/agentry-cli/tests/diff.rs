//! `agentry diff` as people and other programs meet it.

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn diff(old: &str, new: &str, arguments: &[&str]) -> Output {
    diff_beside("", old, new, arguments)
}

/// Beside a file `meant.toml` of acknowledged changes.
fn diff_beside(meant: &str, old: &str, new: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("meant.toml"), meant).expect("a file");
    fs::write(folder.path().join("old.json"), old).expect("a file");
    fs::write(folder.path().join("new.json"), new).expect("a file");
    Command::new(env!("CARGO_BIN_EXE_agentry"))
        .args(["diff", "old.json", "new.json"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const TEXT: &str = r#"{"type": "string"}"#;
const SHORT: &str = r#"{"type": "string", "maxLength": 2}"#;
const ELSEWHERE: &str = r#"{"$ref": "https://schemas.example/other.json"}"#;

#[test]
fn the_status_says_whether_new_accepts_all_of_old() {
    let cases: &[(&str, &str, &[&str], i32)] = &[
        (TEXT, TEXT, &[], 0),
        (SHORT, TEXT, &[], 0),
        (SHORT, TEXT, &["--both"], 1),
        (TEXT, SHORT, &[], 1),
        (TEXT, ELSEWHERE, &[], 3),
        (ELSEWHERE, ELSEWHERE, &[], 0),
        (TEXT, r#"{"type": "text"}"#, &[], 2),
        (TEXT, "{", &[], 2),
        (TEXT, "", &[], 2),
        (TEXT, "type: string", &[], 2),
        (TEXT, "[1]", &[], 2),
        (TEXT, r#"{"maximum": 1e400}"#, &[], 2),
        (TEXT, "\u{feff}{\"type\": \"string\"}", &["--both"], 0),
        (TEXT, "true", &[], 0),
        (TEXT, r##"{"$ref": "#t", "$defs": {"a": {"$anchor": "t", "type": "string"}}}"##, &["--both"], 0),
        (
            TEXT,
            r##"{"$dynamicRef": "#t", "$defs": {"a": {"$dynamicAnchor": "t", "type": "string"}}}"##,
            &["--both"],
            0,
        ),
        (
            TEXT,
            r#"{"$id": "https://a.example/x/", "$ref": "t", "$defs": {"a": {"$id": "t", "type": "string"}}}"#,
            &["--both"],
            0,
        ),
        (TEXT, r##"{"$ref": "#/$defs/none"}"##, &[], 3),
        // Numbers beyond 64 bits, as long as they are held as they are written.
        (r#"{"maximum": 1e19}"#, r#"{"maximum": 1e19, "title": "A"}"#, &["--both"], 0),
        (r#"{"const": 18446744073709551616}"#, r#"{"const": 18446744073709551617}"#, &[], 3),
        (r#"{"format": "date"}"#, r#"{"format": "time"}"#, &[], 0),
        (r#"{"format": "date"}"#, r#"{"format": "time"}"#, &["--assert-formats"], 3),
    ];
    for (old, new, arguments, status) in cases {
        let output = diff(old, new, arguments);
        assert_eq!(
            output.status.code(),
            Some(*status),
            "{old} {new} {arguments:?}: {}",
            text(&output.stdout)
        );
    }
    let missing = Command::new(env!("CARGO_BIN_EXE_agentry"))
        .args(["diff", "none.json", "none.json"])
        .output()
        .expect("it runs");
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn what_leads_out_of_a_schema_is_told_with_its_place() {
    let remote = r#"{"properties": {"a": {"$ref": "https://schemas.example/other.json"}}}"#;
    let shown = text(&diff(remote, TEXT, &[]).stdout);
    assert!(
        shown.contains("  /properties/a: a document was found, but `$ref` leads to another document"),
        "{shown}"
    );
    let shown = text(&diff("[1]", TEXT, &[]).stdout);
    assert!(shown.contains("the old schema is not valid: [1] is not"), "{shown}");
}

#[test]
fn people_see_the_document_that_breaks() {
    let output = diff(TEXT, SHORT, &[]);
    let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(
        lines[..4],
        [
            "new accepts all of old: no",
            "  for example \"aaa\"",
            "breaks existing files: /maxLength  `maxLength` added: 2",
            "  for example \"aaa\"",
        ]
    );
    assert!(lines[4].starts_with("  fingerprint "), "{lines:?}");
}

#[test]
fn an_undeclared_key_is_told() {
    let output =
        diff(r#"{"type": "object"}"#, r#"{"properties": {"a": {"type": "string"}}, "type": "object"}"#, &[]);
    let shown = text(&output.stdout);
    assert!(shown.contains(r#"for example {"a":0}, with a key that is not declared but allowed"#), "{shown}");
}

#[test]
fn programs_get_json() {
    let output = diff(TEXT, SHORT, &["--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["backward"], "no");
    assert_eq!(report["forward"], "yes");
    assert_eq!(report["witness"], json!({"backward": "aaa"}));
    assert_eq!(report["changes"][0]["effect"], "breaks-files");
    assert_eq!(report["changes"][0]["new"], "/maxLength");
}

#[test]
fn workflows_get_annotations() {
    let output = diff(TEXT, SHORT, &["--format", "github"]);
    assert_eq!(
        text(&output.stdout),
        "::error file=new.json,title=breaks existing files::/maxLength  `maxLength` added: 2%0Afor example \"aaa\"\n"
    );
}

#[test]
fn a_status_that_fails_has_an_error_among_its_annotations() {
    for (old, new, arguments, expected) in [
        (SHORT, TEXT, &["--both"][..], "::error file=new.json,title=breaks existing readers::"),
        (SHORT, TEXT, &[], "::notice file=new.json,title=breaks existing readers::"),
        (TEXT, ELSEWHERE, &[], "::warning file=new.json,title=unknown::"),
    ] {
        let output = diff(old, new, &[arguments, &["--format", "github"]].concat());
        let shown = text(&output.stdout);
        assert!(shown.starts_with(expected), "{shown}");
        assert_eq!(shown.contains("::error"), output.status.code() == Some(1), "{shown}");
    }
}

#[test]
fn changes_that_are_meant_do_not_fail() {
    let report: Value =
        serde_json::from_slice(&diff(TEXT, SHORT, &["--format", "json"]).stdout).expect("JSON");
    let print = report["changes"][0]["fingerprint"].as_str().expect("a fingerprint").to_owned();
    let meant = format!("[[acknowledged]]\nfingerprint = \"{print}\"\nreason = \"nobody wrote more\"\n");
    let with = |meant: &str, new: &str, arguments: &[&str]| {
        diff_beside(meant, TEXT, new, &[&["--acknowledged", "meant.toml"], arguments].concat())
    };
    let output = with(&meant, SHORT, &[]);
    assert_eq!(output.status.code(), Some(0));
    let shown = text(&output.stdout);
    assert!(shown.starts_with("new accepts all of old: no\n"), "the answer is not bent: {shown}");
    assert!(shown.contains("\n  acknowledged: nobody wrote more\n"), "{shown}");
    assert!(shown.ends_with("\nall that breaks is acknowledged\n"), "{shown}");
    assert_eq!(text(&output.stderr), "");
    let json: Value =
        serde_json::from_slice(&with(&meant, SHORT, &["--format", "json"]).stdout).expect("JSON");
    assert_eq!(json["changes"][0]["acknowledged"], "nobody wrote more");
    let annotated = text(&with(&meant, SHORT, &["--format", "github"]).stdout);
    assert!(annotated.starts_with("::notice ") && !annotated.contains("::error"), "{annotated}");

    // Asked of readers, where only they break.
    let report: Value =
        serde_json::from_slice(&diff(SHORT, TEXT, &["--format", "json"]).stdout).expect("JSON");
    let widened = meant.replace(&print, report["changes"][0]["fingerprint"].as_str().expect("a fingerprint"));
    let output = diff_beside(&widened, SHORT, TEXT, &["--both", "--acknowledged", "meant.toml"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        text(&output.stdout).ends_with("\nall that breaks is acknowledged\n"),
        "{}",
        text(&output.stdout)
    );

    // Another change is not meant by it.
    let output = with(&meant, r#"{"type": "string", "maxLength": 1}"#, &[]);
    assert_eq!(output.status.code(), Some(1));
    let noted =
        format!("note: no change has the fingerprint {print}, which is acknowledged: nobody wrote more\n");
    assert_eq!(text(&output.stderr), noted);

    // A file that cannot be read lets nothing pass.
    let output = with("[[acknowledged]]\nfingerprint = \"1\"\nreason = \"a\"\n", SHORT, &[]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("meant.toml: ") && said.contains("sixteen hexadecimal digits"), "{said}");
}

#[test]
fn secrets_are_not_shown() {
    let secret = format!("sk-ant-api03-{}", "a1B2".repeat(20));
    for format in ["human", "json", "github"] {
        let output = diff(
            &format!(r#"{{"enum": ["{secret}"]}}"#),
            r#"{"enum": ["a"]}"#,
            &["--both", "--format", format],
        );
        assert_eq!(output.status.code(), Some(1));
        assert!(!text(&output.stdout).contains(&secret), "{format}: {}", text(&output.stdout));
    }
}

#[test]
fn lines_are_answered_in_order() {
    let requests = [
        json!({"id": 1, "old": {"type": "string"}, "new": true}),
        json!({"id": "two", "old": true, "new": {"type": "string"}, "draft": "7"}),
        json!({"id": 3, "old": {"type": "text"}, "new": true}),
        json!({"id": 4, "old": true}),
        json!({"id": 5, "old": true, "new": true, "draft": "3"}),
        json!({"id": 6, "old": {"exclusiveMaximum": true, "maximum": 1}, "new": {"exclusiveMaximum": 1}, "draft": "4"}),
    ];
    let mut child = Command::new(env!("CARGO_BIN_EXE_agentry"))
        .args(["diff", "--stdin-jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    let input = format!("{}\n\nnot JSON\n", lines.join("\n"));
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    let answers: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let seen: Vec<(Value, Value, Value)> = answers
        .iter()
        .map(|answer| (answer["id"].clone(), answer["backward"].clone(), answer["forward"].clone()))
        .collect();
    let expected = [
        (json!(1), json!("yes"), json!("no")),
        (json!("two"), json!("no"), json!("yes")),
        (json!(3), json!("invalid"), json!("invalid")),
        (json!(4), json!("invalid"), json!("invalid")),
        (json!(5), json!("invalid"), json!("invalid")),
        (json!(6), json!("yes"), json!("yes")),
        (Value::Null, json!("invalid"), json!("invalid")),
    ];
    assert_eq!(seen, expected);
    assert_eq!(answers[0]["witness"], json!({"forward": 0}));
    assert_eq!(answers[2]["reasons"]["backward"].as_array().map(Vec::len), Some(1));
}
