//! Faults of YAML that people ran into, as a skill configuration may have them: the right finding, at its place, quickly.
//!
//! Each row is an input of our own. Where the reports lie beside the project, the one of that number is judged as well: it is
//! about another format, so only what it is about is looked for.

use agentry::{Format, Kind};
use agentry_check::{Checker, Input};
use agentry_tests::field_report;
use agentry_text::Lines;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// What is found in a text, as `line:column severity rule`, and the messages.
fn found(text: &str) -> (Vec<String>, String) {
    let input =
        Input { path: None, kind: Some(Kind::SkillConfig), contract: None, format: Format::Yaml, text };
    let start = Instant::now();
    let checked = Checker::default().check(&input);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let lines = Lines::new(text);
    let shown = checked.findings.iter().map(|one| {
        let at = lines.position(one.span.start);
        format!("{}:{} {} {}", at.line, at.column, one.severity.name(), one.rule.name)
    });
    let words = checked
        .findings
        .iter()
        .map(|one| format!("{} {}\n", one.message, one.help.as_deref().unwrap_or_default()));
    (shown.collect(), words.collect())
}

/// A bomb: lists of aliases of lists, each nine times as long as the one before.
fn bomb() -> String {
    let mut text = "name: local/kit\ntools:\n- &l0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*l{}", level - 1); 9].join(", ");
        let _ = writeln!(text, "- &l{level} [{aliases}]");
    }
    text
}

#[test]
fn each_fault_is_found_at_its_place() {
    for (id, own, place, reported, word) in [
        ("B075", bomb(), "7:8 error alias-budget", "error alias-budget", "10000"),
        (
            "B077",
            "name: local/kit\ntools:\n\t- name: local/grep\n".to_owned(),
            "3:1 error tab-indentation",
            "2:1 error tab-indentation",
            "tab",
        ),
        (
            "B081",
            "name: local/kit\ndescription: {{ purpose }} of this kit\n".to_owned(),
            "2:14 error unquoted-text",
            "1:8 error unquoted-text",
            "\"",
        ),
        (
            "B142",
            "name: local/kit\nmcp_servers:\n- name: m\n  transport: stdio\n  command: npx\n  env:\n    MAIL_PASSWORD: EXAMPLEword99\n".to_owned(),
            "7:20 warning literal-secret",
            "",
            "MAIL_PASSWORD",
        ),
    ] {
        let (lines, words) = found(&own);
        assert!(lines.iter().any(|line| line == place), "{id}: {place} is not among {lines:#?}");
        assert!(words.contains(word), "{id}: {words}");
        assert!(!words.contains("EXAMPLEword99"), "{words}");
        let Some(text) = field_report(id) else { continue };
        let (lines, _) = found(&text);
        assert!(lines.iter().any(|line| line.ends_with(reported)), "{id}: {reported} is not among {lines:#?}");
    }
}

/// The report about credentials is of another format: its table of variables stands in a server here.
#[test]
fn variables_of_a_report_are_warned_of_at_their_line() {
    let Some(text) = field_report("B142") else { return };
    let variables: Vec<String> = text
        .lines()
        .skip_while(|line| *line != "env:")
        .take_while(|line| *line == "env:" || line.starts_with(' '))
        .map(|line| format!("  {line}\n"))
        .collect();
    let text = format!(
        "name: local/kit\nmcp_servers:\n- name: m\n  transport: stdio\n  command: npx\n{}",
        variables.concat()
    );
    let (lines, words) = found(&text);
    assert_eq!(lines, ["7:14 warning literal-secret"], "{text}");
    let value = text.lines().nth(6).and_then(|line| line.split(": ").nth(1)).expect("a value");
    assert!(!words.contains(value), "{words}");
}

/// YAML of the kinds that people get wrong most often, in the tables of this format.
#[test]
fn yaml_that_means_something_else_is_found() {
    let server = |lines: &str| {
        format!("name: local/kit\nmcp_servers:\n- name: m\n  transport: stdio\n  command: npx\n{lines}\n")
    };
    for (text, expected) in [
        ("name: local/kit\nname: local/other\n".to_owned(), "2:1 error duplicate-key"),
        ("name: local/kit\n\"name\": local/other\n".to_owned(), "2:1 error duplicate-key"),
        (server("  env: {DEBUG: yes}"), "6:16 warning yaml-1-1-value"),
        (server("  env: {DEBUG: true}"), "6:16 error wrong-type"),
        (server("  env: {VERSION: 1.10}"), "6:18 error wrong-type"),
        (server("  env: {EMPTY: }"), "6:15 error wrong-type"),
        ("name: ~\n".to_owned(), "1:7 error wrong-type"),
        ("name: 404\n".to_owned(), "1:7 error wrong-type"),
        ("name: local/kit\ndescription: Reads: everything\n".to_owned(), "2:19 error unquoted-text"),
        ("name: local/kit\n---\nname: local/other\n".to_owned(), "2:1 error several-documents"),
    ] {
        let (lines, _) = found(&text);
        assert_eq!(lines, [expected], "{text}");
    }
}

#[test]
fn what_nests_without_end_ends_quickly() {
    let dashes = format!("name: local/kit\ntools:\n  {}x\n", "- ".repeat(300_000));
    let (lines, words) = found(&dashes);
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].ends_with("error too-deep") && words.contains("128"), "{lines:#?} {words}");
    let (lines, _) = found(&format!("name: local/kit\ntools: {}", "[".repeat(300_000)));
    assert!(lines[0].ends_with("error too-deep"), "{lines:#?}");
}
