//! A published registry, checked as its maintainers would: what is wrong in it is found, and nothing else.

use agentry::{Kind, Severity};
use agentry_check::walk::{self, Outcome};
use agentry_tests::shared;
use agentry_text::Lines;
use std::collections::BTreeMap;

fn outcome() -> Option<Outcome> {
    let registry = shared("corpus/librefang-registry")?;
    Some(walk::run(&[registry], None))
}

#[test]
fn every_manifest_is_read() {
    let Some(outcome) = outcome() else { return };
    assert!(outcome.errors.is_empty(), "{:?}", outcome.errors);
    assert_eq!(outcome.files.len(), 308);
    let kinds: BTreeMap<&str, usize> =
        outcome.kinds().into_iter().map(|(kind, count)| (kind.name(), count)).collect();
    // Seven of them are templates, one of each kind that people write.
    let expected = [
        ("agent", 33),
        ("alias", 1),
        ("channel", 45),
        ("hand", 18),
        ("integration", 34),
        ("plugin", 12),
        ("provider", 58),
        ("skill", 1),
        ("skill-md", 84),
        ("workflow", 22),
    ];
    assert_eq!(kinds, BTreeMap::from(expected));
}

#[test]
fn what_the_decisions_call_legal_is_no_error() {
    let Some(outcome) = outcome() else { return };
    let errors: Vec<_> = outcome
        .files
        .iter()
        .flat_map(|file| file.checked.findings.iter().map(move |finding| (&file.path, finding)))
        .filter(|(_, finding)| finding.severity == Severity::Error)
        .map(|(path, finding)| format!("{}: {}: {}", path.display(), finding.pointer, finding.message))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn known_keys_are_not_called_unknown() {
    let Some(outcome) = outcome() else { return };
    let unknown: Vec<_> = outcome
        .files
        .iter()
        .flat_map(|file| file.checked.findings.iter().map(move |finding| (&file.path, finding)))
        .filter(|(_, finding)| finding.rule.name == "unknown-key")
        .map(|(path, finding)| format!("{}: {}: {}", path.display(), finding.pointer, finding.message))
        .collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

#[test]
fn swallowed_setup_instructions_are_found_at_their_lines() {
    let Some(outcome) = outcome() else { return };
    let mut found = 0;
    for file in
        outcome.files.iter().filter(|file| file.path.parent().is_some_and(|folder| folder.ends_with("mcp")))
    {
        let misplaced: Vec<_> =
            file.checked.findings.iter().filter(|finding| finding.rule.name == "misplaced-key").collect();
        let [finding] = misplaced[..] else { panic!("{}: {misplaced:#?}", file.path.display()) };
        // The line is looked for in the text itself.
        let line =
            file.text.lines().position(|line| line.starts_with("setup_instructions")).map(|line| line + 1);
        let at = Lines::new(&file.text).position(finding.span.start);
        assert_eq!((Some(at.line), at.column), (line, 1), "{}", file.path.display());
        assert_eq!(finding.message, "`setup_instructions` ended up inside `[health_check]`");
        found += 1;
    }
    assert_eq!(found, 33);
}

#[test]
fn templates_get_one_hint_each() {
    let Some(outcome) = outcome() else { return };
    let templates: Vec<_> = outcome
        .files
        .iter()
        .filter(|file| file.checked.kind != Some(Kind::SkillMd))
        .filter(|file| file.path.components().any(|part| part.as_os_str() == "examples"))
        .map(|file| (file.path.clone(), &file.checked.findings))
        .collect();
    assert_eq!(templates.len(), 7);
    for (path, findings) in templates {
        let rules: Vec<_> = findings.iter().map(|finding| (finding.rule.name, finding.severity)).collect();
        assert_eq!(rules, [("template", Severity::Hint)], "{}", path.display());
    }
}

#[test]
fn skills_are_read_without_a_false_finding() {
    let Some(outcome) = outcome() else { return };
    let skills = outcome.files.iter().filter(|file| file.checked.kind == Some(Kind::SkillMd));
    let mut found = Vec::new();
    for file in skills.clone() {
        let folder = file.path.parent().and_then(|folder| folder.file_name()).unwrap_or_default();
        for finding in &file.checked.findings {
            let (severity, rule) = (finding.severity.name(), finding.rule.name);
            found.push(format!("{}: {severity} {rule}: {}", folder.display(), finding.message));
        }
    }
    // Samples whose folders say what they show, and not what the skill is called.
    assert_eq!(
        found,
        [
            "custom-skill-prompt: hint name-mismatch: the skill is called `meeting-agenda`, and its folder `custom-skill-prompt`",
            "custom-skill-python: hint name-mismatch: the skill is called `word-counter`, and its folder `custom-skill-python`",
        ]
    );
    assert_eq!(skills.count(), 84);
}
