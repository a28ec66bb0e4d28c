//! The hook for pre-commit runs after a change of every file that a walk reads, and of no other.

use agentry::Kind;
use std::fmt::Write as _;
use std::path::Path;

/// The paths of a kind as a regular expression: `providers/<id>.toml`.
fn expression(pattern: &str) -> String {
    let mut expression = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('<') {
        let (_, after) = after.split_once('>').expect("a closing bracket");
        let _ = write!(expression, "{}[^/]+", before.replace('.', r"\."));
        rest = after;
    }
    expression + &rest.replace('.', r"\.")
}

#[test]
fn the_hook_runs_after_a_change_of_any_manifest() {
    let mut paths: Vec<String> =
        Kind::ALL.iter().flat_map(|kind| kind.paths()).map(|pattern| expression(pattern)).collect();
    paths.push(r"agentry\.toml".to_owned());
    let expected = format!("  files: '(^|/)({})$'\n", paths.join("|"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.pre-commit-hooks.yaml");
    let hook = std::fs::read_to_string(file).expect("the hook");
    let line = hook.lines().find(|line| line.starts_with("  files:")).unwrap_or_default();
    assert_eq!(format!("{line}\n"), expected, "write this line into .pre-commit-hooks.yaml:\n{expected}");
}
