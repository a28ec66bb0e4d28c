//! Faults that people reported of `SKILL.md` files and their readers: each with an input of our own, and with the
//! reported one where the reports lie beside the project.

use agentry::{Format, Kind};
use agentry_check::{Checked, Checker, Input, walk};
use agentry_tests::shared;
use agentry_text::Lines;
use std::path::Path;

/// A report: its number, an input of the same kind of fault, and what is found in it; then the same for the reported
/// input, which has another text.
struct Report {
    id: &'static str,
    input: &'static str,
    found: &'static [&'static str],
    /// What the findings say, somewhere in message, help or other places.
    says: &'static [&'static str],
    reported: &'static [&'static str],
    reported_says: &'static [&'static str],
}

const REPORTS: &[Report] = &[
    Report {
        id: "B037",
        input: "---\nname: rope-check\ndescription: Checks ropes: wear, age and knots\n---\nText.\n",
        found: &["error unquoted-text 3:26"],
        says: &["`description: \"Checks ropes: wear, age and knots\"`", "a colon with a space after it"],
        reported: &["error unquoted-text 3:31"],
        reported_says: &["put the value in quotes"],
    },
    Report {
        id: "B038",
        input: "---\nname: berth-plan\ndescription:\n  Plans berths for a week.\n  It asks one thing first: how long the ships are.\n---\nText.\n",
        found: &["error unquoted-text 5:26"],
        says: &["write `description: >-`"],
        reported: &["error unquoted-text 5:30"],
        reported_says: &["write `description: >-`"],
    },
    Report {
        id: "B041",
        input: "---\nname: log-keeper\n<<<<<<< HEAD\ndescription: Keeps the log.\n=======\ndescription: Keeps a log.\n>>>>>>> main\n---\nText.\n",
        found: &["error conflict-marker 3:1"],
        says: &["merge conflict markers"],
        reported: &["error conflict-marker 4:1"],
        reported_says: &["merge conflict markers"],
    },
    Report {
        id: "B044",
        input: "---\nname: em-dash\ndescription: Replaces --- and a---b in texts.\nlicense: '--- none'\n---\nText.\n---\nMore.\n",
        found: &[],
        says: &[],
        reported: &[],
        reported_says: &[],
    },
    Report {
        id: "B048",
        input: "---\nname: no-newline\ndescription: Ends behind its last line.\n---",
        found: &[],
        says: &[],
        reported: &[],
        reported_says: &[],
    },
    Report {
        id: "B049",
        input: "---\nname: off\ndescription: Switches things off.\n---\nText.\n",
        found: &["warning yaml-1-1-value 2:7"],
        says: &["write \"off\"", "readers of YAML 1.1"],
        reported: &["warning yaml-1-1-value 2:7"],
        reported_says: &["write \"yes\""],
    },
    Report {
        id: "B050",
        input: "---\nname: 1984\ndescription: Talks about a book.\n---\nText.\n",
        found: &["error wrong-type 2:7"],
        says: &["expected a string, found an integer", "write it in quotes"],
        reported: &["error wrong-type 2:7"],
        reported_says: &["write it in quotes"],
    },
    Report {
        id: "B051",
        input: "---\nname: ~\ndescription:\n---\nText.\n",
        found: &["error wrong-type 2:7", "error wrong-type 3:13"],
        says: &["found null", "the key is there, and null is no value"],
        reported: &["error wrong-type 2:7", "error wrong-type 3:14"],
        reported_says: &["found null", "the key is there"],
    },
    Report {
        id: "B054",
        input: "---\nname: double\ndescription: One.\nlicense: MIT\nlicense: ISC\ndescription: Two.\n---\nText.\n",
        found: &["error duplicate-key 5:1", "error duplicate-key 6:1"],
        says: &["first set here (4:1)", "first set here (3:1)"],
        reported: &[
            "warning unknown-key 4:1",
            "warning yaml-1-1-value 4:11",
            "error duplicate-key 5:1",
            "warning yaml-1-1-value 5:11",
            "error duplicate-key 6:1",
        ],
        reported_says: &["first set here (4:1)", "first set here (3:1)"],
    },
    Report {
        id: "B055",
        input: "---\n'description': One.\nname: quoted\ndescription: Two.\n---\nText.\n",
        found: &["error duplicate-key 4:1"],
        says: &["first set here (2:1)"],
        reported: &["error duplicate-key 3:1"],
        reported_says: &["first set here (2:1)"],
    },
    Report {
        id: "B057",
        input: "---\nname: both-ways\ndescription: Reads tables: all of them\nallowed-tools: [web_fetch]\n---\nText.\n",
        found: &["error unquoted-text 3:26", "hint not-portable 4:16"],
        says: &["this is not YAML"],
        reported: &["error unquoted-text 3:29", "hint not-portable 4:16"],
        reported_says: &["this is not YAML"],
    },
    Report {
        id: "B059",
        input: "---\nname: tide--tables\nauthor: harbor\ndescription: Reads them.\n---\nText.\n",
        found: &["error invalid-value 2:7", "hint not-portable 3:1"],
        says: &["two hyphens in a row", "write `tide-tables`", "under `metadata`"],
        reported: &["error invalid-value 2:7", "hint not-portable 3:1"],
        reported_says: &["write `page-cro`", "`version` is a key of registries", "under `metadata`"],
    },
    Report {
        id: "B060",
        input: "--- file: skills/tide-tables/SKILL.md\n---\nname: tides\ndescription: Reads them.\n---\nText.\n",
        found: &["error name-mismatch 2:7"],
        says: &["its folder `tide-tables`", "write \"tide-tables\" here, or rename the folder to `tides`"],
        reported: &["error name-mismatch 2:7"],
        reported_says: &["`pdf-helper`", "write \"pdf-tools\" here, or rename the folder to `pdf-helper`"],
    },
    Report {
        id: "B062",
        input: concat!(
            "---\nname: much\ndescription: '",
            include_str!("data/long-description.txt"),
            "'\n---\nText.\n"
        ),
        found: &["error invalid-value 3:14"],
        says: &["at most 1024 characters, and this one has 1025", "shorten it by 1"],
        reported: &["error invalid-value 3:14"],
        reported_says: &["at most 1024 characters, and this one has 1074"],
    },
    Report {
        id: "B063",
        input: "---\nname: log-for-claude\ndescription: Writes <log> lines.\n---\nText.\n",
        found: &["hint not-portable 2:7", "hint not-portable 3:21"],
        says: &["upload service", "as of 2026-08", "the open specification allows this one"],
        reported: &["hint not-portable 2:7"],
        reported_says: &["upload service", "`claude`"],
    },
    Report {
        id: "B066",
        input: "---\nname: few-tools\ndescription: Uses few tools.\nallowed-tools:\n  - Read\n  - Bash(git log *)\n---\nText.\n",
        found: &["hint not-portable 5:3"],
        says: &["`allowed-tools: Read Bash(git log *)`"],
        reported: &["hint not-portable 5:3"],
        reported_says: &["`allowed-tools: Read Bash(ls *)`"],
    },
    Report {
        id: "B067",
        input: "---\ntitle: Tides\nabout: Reads tide tables.\n---\nText.\n",
        found: &[
            "warning unknown-key 2:1",
            "error missing-key 2:1",
            "error missing-key 2:1",
            "warning unknown-key 3:1",
        ],
        says: &["write `name` for `title`", "write `description` for `about`"],
        reported: &[
            "warning unknown-key 2:1",
            "error missing-key 2:1",
            "error missing-key 2:1",
            "warning unknown-key 3:1",
            "warning unknown-key 4:1",
        ],
        reported_says: &["write `name` for `slug`", "write `description` for `summary`"],
    },
    Report {
        id: "B068",
        input: "--- file: skills/harbor-guide/SKILL.md\n---\nname: Harbor Guide\ndescription: Shows around.\n---\nText.\n",
        found: &["error invalid-value 2:7"],
        says: &["write `harbor-guide`"],
        reported: &["error invalid-value 2:7"],
        reported_says: &["write `accessibility-auditor`"],
    },
    Report {
        id: "B069",
        input: "---\nname: quiet\ndescription: Nothing is wrong with it.\n---\nText.\n",
        found: &[],
        says: &[],
        reported: &[],
        reported_says: &[],
    },
    Report {
        id: "B070",
        input: "## Tide tables\n\nRead them.\n",
        found: &["error missing-front-matter 1:1"],
        says: &["the file begins with a heading", "`---`, `name: tide-tables`, `description:`"],
        reported: &["error missing-front-matter 1:1"],
        reported_says: &["`name: test-runner`"],
    },
    Report {
        id: "B071",
        input: "---\nname: open-end\ndescription: Has no closing line.\n\n# Steps\n\n1. Close it.\n",
        found: &["error unclosed-front-matter 1:1"],
        says: &["the first heading, in line 5 (5:1)", "before line 4"],
        reported: &["error unclosed-front-matter 1:1"],
        reported_says: &["the first heading, in line 4 (4:1)"],
    },
    Report {
        id: "B072",
        input: "---\nname: tides\ndescription: Reads them.\u{e0048}\u{e0069}\n---\nSee 🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f} and \u{2067}this\u{2069}.\n",
        found: &[
            "warning hidden-character 3:25",
            "warning hidden-character 5:17",
            "warning hidden-character 5:22",
        ],
        says: &["U+E0048 to U+E0069: they hide the text `Hi`", "U+2067 (right-to-left isolate)", "U+2069"],
        reported: &[
            "warning hidden-character 3:33",
            "warning hidden-character 3:34",
            "warning hidden-character 5:11",
            "warning hidden-character 5:20",
        ],
        reported_says: &[
            "they hide the text `Ignore`",
            "U+202E (right-to-left override)",
            "U+200B",
            "U+202C",
        ],
    },
    Report {
        id: "B073",
        input: "---\nname: größe-prüfen\ndescription: Prüft Größen – auch «très grandes»; 大きさを確認する。\n---\nText: 你好 🌊\n",
        found: &[],
        says: &[],
        reported: &[],
        reported_says: &[],
    },
    Report {
        id: "B188",
        input: "--- file: skills/tides/skill.toml\n[skill]\nname = \"tides\"\nversion = \"0.1.0\"\ndescription = \"Reads them.\"\n[runtime]\ntype = \"promptonly\"\n[prompt]\ntemplate = \"Read the tables.\"\n--- file: skills/tides/SKILL.md\n---\nname: tide-reader\ndescription: Reads them.\n---\nText.\n",
        // The runtime reads another key than `prompt`, which has nothing to do with the names.
        found: &["error name-mismatch 2:7", "hint dropped-key 7:2"],
        says: &["`tide-reader` here, and `tides` in the `skill.toml` beside it, like the folder"],
        // A skill that is only a prompt has it in the file, by the rules of `skill.toml`.
        reported: &["error name-mismatch 2:7", "error missing-key 1:1"],
        reported_says: &["`fin-ops` here, and `finops` in the `skill.toml` beside it"],
    },
];

/// The findings of a skill, as `severity rule line:column`, and everything that they say.
fn told(checked: &Checked, text: &str) -> (Vec<String>, String) {
    let lines = Lines::new(text);
    let place = |at: usize| {
        let at = lines.position(at);
        format!("{}:{}", at.line, at.column)
    };
    let found = checked.findings.iter().map(|finding| {
        format!("{} {} {}", finding.severity.name(), finding.rule.name, place(finding.span.start))
    });
    let said = checked.findings.iter().map(|finding| {
        let others: Vec<String> = finding
            .related
            .iter()
            .map(|label| format!("{} ({})", label.message, place(label.span.start)))
            .collect();
        let help = finding.help.as_deref().unwrap_or_default();
        format!("{}\n{}\n{help}\n{}\n", finding.message, finding.label, others.join("\n"))
    });
    (found.collect(), said.collect())
}

/// Judges an input: one text, or files with the line `--- file: PATH` before each.
fn judge(input: &str) -> (Vec<String>, String) {
    const MARK: &str = "--- file: ";
    if !input.starts_with(MARK) {
        let asked = Input {
            path: None,
            kind: Some(Kind::SkillMd),
            contract: None,
            format: Format::Markdown,
            text: input,
        };
        return told(&Checker::default().check(&asked), input);
    }
    let folder = tempfile::tempdir().expect("a folder");
    for part in input.split(MARK).skip(1) {
        let (name, text) = part.split_once('\n').expect("a name on a line of its own");
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a folder");
        std::fs::write(&path, text).expect("a file");
    }
    let outcome = walk::run(&[folder.path().to_owned()], None);
    assert!(outcome.errors.is_empty(), "{:?}", outcome.errors);
    let mut all = (Vec::new(), String::new());
    for file in outcome.files {
        let (found, said) = told(&file.checked, &file.text);
        all.0.extend(found);
        all.1.push_str(&said);
    }
    all
}

fn compare(what: &str, input: &str, found: &[&str], says: &[&str], faults: &mut Vec<String>) {
    let (told, said) = judge(input);
    if told != found {
        faults.push(format!("{what}: expected {found:#?}, found {told:#?}\n{said}"));
    }
    for part in says.iter().filter(|part| !said.contains(**part)) {
        faults.push(format!("{what}: nothing says `{part}`:\n{said}"));
    }
}

#[test]
fn every_kind_of_fault_is_found_at_its_place() {
    let mut faults = Vec::new();
    for report in REPORTS {
        compare(report.id, report.input, report.found, report.says, &mut faults);
        // How lines end changes nothing, and nor does a byte order mark.
        if !report.input.starts_with("--- file") {
            let other = format!("\u{feff}{}", report.input.replace('\n', "\r\n"));
            let found: Vec<String> = report.found.iter().map(|found| after_mark(found)).collect();
            let found: Vec<&str> = found.iter().map(String::as_str).collect();
            compare(&format!("{} with CRLF", report.id), &other, &found, report.says, &mut faults);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A byte order mark is a character of the first line.
fn after_mark(found: &str) -> String {
    found.replace(" 1:1", " 1:2")
}

#[test]
fn every_reported_input_is_judged_as_the_report_asks() {
    let Some(path) = shared("reports/cases.jsonl") else { return };
    let cases = std::fs::read_to_string(path).expect("a text");
    let mut faults = Vec::new();
    let mut seen = 0;
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let Some(report) = REPORTS.iter().find(|report| case["id"] == report.id) else { continue };
        seen += 1;
        let input = case["input"].as_str().expect("an input");
        compare(report.id, input, report.reported, report.reported_says, &mut faults);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(seen, REPORTS.len());
}
