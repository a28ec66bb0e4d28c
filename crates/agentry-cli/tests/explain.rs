//! `agentry explain`, and rules that are off by default.

mod support;

use serde_json::Value;
use std::path::Path;
use support::{PROVIDER, agentry, registry, text};

fn printed(arguments: &[&str]) -> String {
    let output = agentry(arguments, Path::new("."));
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""), "{arguments:?}");
    text(&output.stdout)
}

#[test]
fn a_rule_is_explained_with_an_example_and_without_colour() {
    let said = printed(&["explain", "misplaced-key"]);
    assert!(said.starts_with("warning[misplaced-key]: A key stands in a table"), "{said}");
    let at = |wanted: &str| said.find(wanted).unwrap_or_else(|| panic!("no {wanted} in {said}"));
    assert!(
        at("Found in\n") < at("  `mcp/issue-board.toml`\n") && at("Found in\n") < at("Instead\n"),
        "{said}"
    );
    assert!(said.contains("\n    [health_check]\n") && said.contains("\nsince 0.1.0; "), "{said}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
    // As a finding shows it.
    assert_eq!(printed(&["explain", "warning[misplaced-key]"]), said);
    assert_eq!(printed(&["explain", "[misplaced-key]:"]), said);
}

#[test]
fn every_rule_is_listed_and_can_be_explained() {
    let list = printed(&["explain"]);
    for rule in agentry_check::all_rules() {
        let line = list.lines().find(|line| line.trim_start().starts_with(&format!("{} ", rule.name)));
        let line = line.unwrap_or_else(|| panic!("{} is not listed", rule.name));
        assert!(line.contains(rule.severity.name()) && line.contains(rule.summary), "{line}");
    }
    for title in ["Text, keys and values", "What a value means", "Whole files, and files together"] {
        assert!(list.contains(&format!("{title}\n\n  ")), "{list}");
    }
    let all: Value = serde_json::from_str(&printed(&["explain", "--format", "json"])).expect("JSON");
    let names: Vec<&str> =
        all["rules"].as_array().expect("rules").iter().filter_map(|rule| rule["name"].as_str()).collect();
    assert_eq!(names, agentry_check::all_rules().map(|rule| rule.name).collect::<Vec<_>>());
    let reference = printed(&["explain", "--format", "markdown"]);
    assert_eq!(reference.matches("\n### ").count(), names.len());
}

#[test]
fn a_rule_is_explained_to_programs() {
    let one: Value =
        serde_json::from_str(&printed(&["explain", "too-large", "--format", "json"])).expect("JSON");
    let rule = &one["rules"][0];
    assert_eq!(
        (&one["version"], &rule["name"], &rule["severity"]),
        (&1.into(), &"too-large".into(), &"error".into())
    );
    assert_eq!(rule["found"][0]["note"], "its last line stands 300,000 times");
    let page = printed(&["explain", "too-large", "--format", "markdown"]);
    assert!(page.starts_with("# too-large\n\n"), "{page}");
    assert!(page.contains("\n```toml\nid = \"tides\"\n"), "{page}");
    // A block in which lines of backticks stand has a longer fence.
    let skill = printed(&["explain", "file-name", "--format", "markdown"]);
    assert!(skill.contains("\n```markdown\n---\nname: tide-tables\n"), "{skill}");
}

#[test]
fn an_unknown_name_gets_the_nearest_ones() {
    for (name, offered) in [
        ("unknwon-key", "did you mean `unknown-key`"),
        ("missing-step", "did you mean `missing-key`, "),
        ("spaceship", "`agentry explain` lists all rules"),
    ] {
        let output = agentry(&["explain", name], Path::new("."));
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""), "{name}");
        let said = text(&output.stderr);
        assert!(said.starts_with(&format!("agentry: `{name}` is not the name of a rule: ")), "{said}");
        assert!(said.contains(offered), "{said}");
    }
}

#[test]
fn a_run_with_findings_says_once_where_rules_are_explained() {
    let odd = format!("{PROVIDER}colour = \"blue\"\ntint = \"blue\"\n");
    let folder = registry(&[
        ("odd/providers/acme.toml", odd.as_bytes()),
        ("providers/acme.toml", PROVIDER.as_bytes()),
    ]);
    let said = |paths: &[&str]| text(&agentry(paths, folder.path()).stdout);
    let odd = said(&["check", "odd"]);
    assert_eq!(odd.matches("agentry explain").count(), 1, "{odd}");
    assert!(
        odd.ends_with("hints\n`agentry explain RULE` says more about any of these rules, with an example\n"),
        "{odd}"
    );
    assert!(!said(&["check", "providers"]).contains("explain"), "nothing is to be explained");
    assert!(!said(&["check", "odd", "--format", "github"]).contains("agentry explain"));
}
