//! The runtime example answers as its calls deserve.

use std::io::Write;
use std::process::{Command, Stdio};

/// What the program answers to these lines, line by line.
fn answers(principal: &str, lines: &str) -> Vec<String> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_runtime"))
        .arg(principal)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    program.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = program.wait_with_output().expect("it ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn every_sample_call_is_answered() {
    let calls = include_str!("../calls.jsonl");
    let expected = include_str!("../answers.jsonl");
    let answers = answers("subagents", calls);
    for ((call, expected), answer) in calls.lines().zip(expected.lines()).zip(&answers) {
        assert_eq!(answer, expected, "to {call}");
    }
    assert_eq!((calls.lines().count(), expected.lines().count()), (answers.len(), answers.len()));
}

#[test]
fn callers_may_only_do_what_they_are_granted() {
    let call = r#"{"name": "memory.get", "arguments": {"key": "a"}}"#;
    for (principal, expected) in [
        ("root", r#"{"answer":{"found":false,"key":"a"}}"#),
        ("workflows", r#"{"answer":{"found":false,"key":"a"}}"#),
        ("user", r#"{"error":"`memory.get` is not granted to user"}"#),
        ("agent", r#"{"error":"`memory.get` is not granted to agent"}"#),
    ] {
        assert_eq!(answers(principal, call), [expected], "{principal}");
    }
}
