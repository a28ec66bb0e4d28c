//! What stands in the hands of the published registry and reaches nobody, at its line.

use agentry_check::walk;
use agentry_text::Lines;

#[test]
fn values_tools_and_variables_that_do_not_meet_are_found_at_their_lines() {
    let Some(registry) = agentry_tests::shared("corpus/librefang-registry") else { return };
    let rules = ["unasked-variable", "unoffered-tool", "untranslated-text", "unwritten-metric"];
    let mut found = Vec::new();
    for file in walk::run(&[registry], None).files {
        let lines = Lines::new(&file.text);
        let folder = file.path.parent().and_then(|folder| folder.file_name()).unwrap_or_default();
        for finding in file.checked.findings.iter().filter(|finding| rules.contains(&finding.rule.name)) {
            let at = lines.position(finding.span.start);
            let (severity, rule) = (finding.severity.name(), finding.rule.name);
            found.push(format!("{}:{}:{} {severity} {rule}", folder.display(), at.line, at.column));
        }
    }
    assert_eq!(
        found,
        [
            "apitester:645:14 warning unwritten-metric",
            "clip:491:4 hint unoffered-tool",
            "clip:858:45 hint unoffered-tool",
            "devteam:34:16 hint unasked-variable",
            "devteam:345:14 hint unwritten-metric",
            "devteam:350:14 hint unwritten-metric",
            "devteam:355:14 hint unwritten-metric",
            "devteam:360:14 hint unwritten-metric",
            "linkedin:978:14 warning unwritten-metric",
            "reddit:984:14 warning unwritten-metric",
            "strategist:597:14 warning unwritten-metric",
            "wiki:769:14 hint unwritten-metric",
            "wiki:774:14 hint unwritten-metric",
            "wiki:779:14 hint unwritten-metric",
            "wiki:784:14 hint unwritten-metric",
            "wiki:789:14 hint unwritten-metric",
            "wiki:804:12 hint untranslated-text",
            "wiki:846:12 hint untranslated-text",
            "wiki:884:12 hint untranslated-text",
            "wiki:922:12 hint untranslated-text",
            "wiki:960:12 hint untranslated-text",
            "wiki:998:12 hint untranslated-text",
        ]
    );
}
