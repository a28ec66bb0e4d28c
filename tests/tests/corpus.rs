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

/// What the rules about names find, judged one by one: three aliases that two models of different providers have, four that
/// are ids of other models, two that are displayed names of others, five that are the own id in lower case, and one that
/// is said in two places.
#[test]
fn names_that_meet_are_found_at_their_lines() {
    const RULES: [&str; 12] = [
        "ambiguous-alias",
        "duplicate-name",
        "pointless-grant",
        "shared-phrase",
        "ungranted-tool",
        "unknown-agent",
        "unknown-model",
        "unknown-plugin",
        "unknown-provider",
        "unknown-server",
        "unknown-skill",
        "unknown-tool",
    ];
    let Some(outcome) = outcome() else { return };
    let mut found = Vec::new();
    for file in &outcome.files {
        for finding in file.checked.findings.iter().filter(|finding| RULES.contains(&finding.rule.name)) {
            let at = Lines::new(&file.text).position(finding.span.start);
            let (severity, rule) = (finding.severity.name(), finding.rule.name);
            let name = file.path.file_name().unwrap_or_default().display();
            found.push(format!("{name}:{}:{} {severity} {rule} {}", at.line, at.column, finding.pointer));
        }
    }
    assert_eq!(
        found,
        [
            "aliases.toml:13:1 hint ambiguous-alias /aliases/ernie",
            "baichuan.toml:22:26 hint ambiguous-alias /models/0/aliases/1",
            "byteplus.toml:88:12 warning ambiguous-alias /models/3/aliases/0",
            "byteplus.toml:114:12 warning ambiguous-alias /models/5/aliases/0",
            "minimax.toml:38:12 hint ambiguous-alias /models/0/aliases/0",
            "minimax.toml:51:12 hint ambiguous-alias /models/1/aliases/0",
            "minimax.toml:64:12 hint ambiguous-alias /models/2/aliases/0",
            "minimax.toml:77:12 hint ambiguous-alias /models/3/aliases/0",
            "mistral.toml:22:12 warning ambiguous-alias /models/0/aliases/0",
            "nvidia-nim.toml:78:12 warning ambiguous-alias /models/4/aliases/0",
            "nvidia-nim.toml:108:12 warning ambiguous-alias /models/6/aliases/0",
            "nvidia-nim.toml:154:12 warning ambiguous-alias /models/9/aliases/0",
            "ollama.toml:37:12 warning ambiguous-alias /models/1/aliases/0",
            "perplexity.toml:22:12 warning ambiguous-alias /models/0/aliases/0",
            "qwen.toml:122:12 warning ambiguous-alias /models/7/aliases/0",
        ]
    );
}
