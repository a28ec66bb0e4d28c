//! Published skills that somebody's loader stumbled over: each gets the finding that its oddity deserves.

use agentry_check::walk;
use agentry_tests::shared;
use agentry_text::Lines;
use std::collections::BTreeMap;

/// Each file by its folder, what is odd about it, and what is found: severity, rule and place.
const SKILLS: &[(&str, &str, &[&str])] = &[
    (
        "agents-autogpt",
        "not called like its folder; keys of registries, and one that nobody knows",
        &[
            "warning name-mismatch 2:7",
            "hint not-portable 4:1",
            "hint not-portable 5:1",
            "hint not-portable 7:1",
            "warning unknown-key 8:1",
        ],
    ),
    ("behavioral-modes", "commas between the tools", &["hint not-portable 4:16"]),
    ("accessibility-auditor", "a title for a name", &["error invalid-value 2:7"]),
    ("ui-ux-pro-max", "lines end in CRLF, which is no fault", &[]),
    ("postgres-schema-design", "`SKILL.MD`", &["error file-name 1:1"]),
    (
        "clean-code",
        "commas between the tools; a number for a version; a key of its own",
        &[
            "hint not-portable 4:16",
            "hint not-portable 5:1",
            "warning non-text-value 5:10",
            "warning unknown-key 6:1",
        ],
    ),
    (
        "swarmvault",
        "metadata is one text; a key of registries",
        &["hint not-portable 4:1", "error wrong-type 6:11"],
    ),
    ("devil", "a description of more than 1024 characters", &["error invalid-value 4:3"]),
    (
        "communication-skill",
        "the closing line is indented, and so part of the description; not called like its folder",
        &["error unclosed-front-matter 1:1", "warning name-mismatch 2:7"],
    ),
    (
        "domain",
        "CRLF, no fault; not called like its folder; metadata in tables; a key of some clients",
        &["warning name-mismatch 2:7", "warning non-text-value 4:23", "hint not-portable 5:1"],
    ),
    (
        "nameserver-reverse",
        "no front matter, and `Skill.md`",
        &["error missing-front-matter 1:1", "error file-name 1:1"],
    ),
    (
        "genlayer",
        "an unquoted colon; not called like its folder; a key of registries",
        &["warning name-mismatch 2:7", "hint not-portable 3:1", "error unquoted-text 4:246"],
    ),
    (
        "detector",
        "not called like its folder; a key of registries; a list of tools",
        &["warning name-mismatch 2:7", "hint not-portable 3:1", "hint not-portable 12:3"],
    ),
    (
        "feishu-leave-request",
        "a value that begins with a bracket; a key of some clients",
        &["hint not-portable 4:1", "error unquoted-text 4:16"],
    ),
    ("obsidian-daily", "a merge that was not finished", &["error conflict-marker 4:1"]),
    (
        "evilcalc",
        "CRLF, no fault; a list where a key is meant; not called like its folder; an unknown key",
        &["warning name-mismatch 2:7", "warning unknown-key 4:1", "error non-string-key 5:62"],
    ),
    (
        "parcel-package-tracking",
        "keys of another catalogue",
        &["warning unknown-key 2:1", "error missing-key 2:1", "warning unknown-key 3:1"],
    ),
    (
        "mcporter-skill",
        "never closed; not called like its folder; an unknown key; metadata in tables",
        &[
            "error unclosed-front-matter 1:1",
            "warning name-mismatch 2:7",
            "warning unknown-key 4:1",
            "warning non-text-value 5:23",
        ],
    ),
    (
        "fast-browser-use",
        "keys of another catalogue, and no description",
        &[
            "error missing-key 2:1",
            "warning unknown-key 3:1",
            "warning unknown-key 4:1",
            "warning unknown-key 5:1",
            "warning unknown-key 6:1",
            "warning unknown-key 7:1",
            "warning unknown-key 8:1",
            "warning unknown-key 11:1",
            "warning unknown-key 14:1",
            "warning unknown-key 19:1",
        ],
    ),
    ("focus-mode", "brackets in the description", &["hint not-portable 3:88"]),
    ("yes", "a name that readers of YAML 1.1 take for a boolean", &["warning yaml-1-1-value 2:7"]),
];

/// What is found in each `SKILL.md` of a folder, by the folder that it is in.
fn found(corpus: &str) -> Option<BTreeMap<String, Vec<String>>> {
    let outcome = walk::run(&[shared(corpus)?], None);
    assert!(outcome.errors.is_empty(), "{:?}", outcome.errors);
    let files = outcome.files.iter().map(|file| {
        let folder = file.path.parent().and_then(|folder| folder.file_name()).unwrap_or_default();
        let lines = Lines::new(&file.text);
        let findings = file.checked.findings.iter().map(|finding| {
            let at = lines.position(finding.span.start);
            format!("{} {} {}:{}", finding.severity.name(), finding.rule.name, at.line, at.column)
        });
        (folder.to_string_lossy().into_owned(), findings.collect())
    });
    Some(files.collect())
}

fn compare(corpus: &str, expected: &[(&str, &str, &[&str])]) {
    let Some(found) = found(corpus) else { return };
    let mut faults = Vec::new();
    for (folder, oddity, expected) in expected {
        match found.get(*folder) {
            None => faults.push(format!("{folder}: not read")),
            Some(found) if found != expected => {
                faults.push(format!("{folder} ({oddity}): expected {expected:#?}, found {found:#?}"));
            }
            Some(_) => {}
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn each_odd_skill_gets_the_finding_that_its_oddity_deserves() {
    compare("corpus/odd-skills", SKILLS);
}

#[test]
fn skills_of_the_vendor_are_read_without_a_false_finding() {
    compare(
        "corpus/anthropics-skills",
        &[
            (
                "claude-api",
                "1068 characters in a description of at most 1024; a name that the upload refuses",
                &["hint not-portable 2:7", "error invalid-value 4:3"],
            ),
            ("template", "a sample whose folder is called after what it is", &["hint name-mismatch 2:7"]),
            ("mcp-builder", "nothing", &[]),
            ("webapp-testing", "nothing", &[]),
        ],
    );
}
