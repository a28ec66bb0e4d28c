//! What settings, the command line and comments in files make of findings.

mod support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use support::{PROVIDER, agentry, registry, text};

/// What a run says: its status, `path:line:column severity rule` of each finding, and the summary.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, Vec<String>, Value) {
    let output = agentry(&[&["check", "--format", "json"], arguments].concat(), folder);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{arguments:?}: {}{}", text(&output.stdout), text(&output.stderr)));
    let mut found = Vec::new();
    for file in report["files"].as_array().expect("files") {
        for one in file["diagnostics"].as_array().expect("findings") {
            let [path, severity, code] = [&file["path"], &one["severity"], &one["code"]]
                .map(|value| value.as_str().unwrap_or_default().trim_start_matches("./"));
            found.push(format!("{path}:{}:{} {severity} {code}", one["line"], one["column"]));
        }
    }
    (output.status.code(), found, report["summary"].clone())
}

fn odd(more: &str) -> String {
    format!("{PROVIDER}colour = \"blue\"\n{more}")
}

#[test]
fn rules_weigh_what_the_settings_say() {
    for (settings, arguments, status, expected) in [
        ("", &[][..], 0, Some("warning")),
        ("[rules]\nunknown-key = \"error\"\n", &[], 1, Some("error")),
        ("[rules]\nunknown-key = \"hint\"\n", &["--strict"], 0, Some("hint")),
        ("[rules]\nunknown-key = \"off\"\n", &["--strict"], 0, None),
        ("strict = true\n", &[], 1, Some("warning")),
        // The command line has the last word.
        ("[rules]\nunknown-key = \"off\"\n", &["--error", "unknown-key"], 1, Some("error")),
        ("[rules]\nunknown-key = \"error\"\n", &["--warn", "unknown-key"], 0, Some("warning")),
        ("[rules]\nunknown-key = \"error\"\n", &["--hint", "syntax,unknown-key"], 0, Some("hint")),
        ("strict = true\n", &["--off", "unknown-key"], 0, None),
        ("[rules]\nunknown-key = \"error\"\n", &["--no-config"], 0, Some("warning")),
        ("[rules]\nunknown-key = \"error\"\n", &["--config", "other.toml"], 0, Some("hint")),
    ] {
        let folder = registry(&[
            ("providers/acme.toml", odd("").as_bytes()),
            ("agentry.toml", settings.as_bytes()),
            ("other.toml", b"[rules]\nunknown-key = \"hint\"\n"),
        ]);
        let found = run(folder.path(), arguments);
        let expected: Vec<String> = expected
            .iter()
            .map(|severity| format!("providers/acme.toml:7:1 {severity} unknown-key"))
            .collect();
        assert_eq!((found.0, &found.1), (Some(status), &expected), "{settings} {arguments:?}");
        assert_eq!(found.2["off"], usize::from(expected.is_empty()), "{settings} {arguments:?}");
        assert_eq!(found.2["invalid"], 0, "settings make no document invalid");
    }
}

#[test]
fn the_nearest_settings_decide_and_none_beyond_the_repository() {
    let error = "[rules]\nunknown-key = \"error\"\n";
    let folder = registry(&[
        ("agentry.toml", error.as_bytes()),
        ("providers/acme.toml", odd("").as_bytes()),
        ("inner/agentry.toml", b"[rules]\nunknown-key = \"hint\"\n"),
        ("inner/providers/acme.toml", odd("").as_bytes()),
        ("vendored/.git/HEAD", b""),
        ("vendored/providers/acme.toml", odd("").as_bytes()),
        // A manifest of this name is no file of settings.
        ("named/providers/agentry.toml", odd("").replace("\"acme\"", "\"agentry\"").as_bytes()),
    ]);
    let expected = [
        "inner/providers/acme.toml:7:1 hint unknown-key",
        "named/providers/agentry.toml:7:1 error unknown-key",
        "providers/acme.toml:7:1 error unknown-key",
        "vendored/providers/acme.toml:7:1 warning unknown-key",
    ];
    assert_eq!(run(folder.path(), &[]).1, expected);
    // Whichever path is named: the file decides.
    for line in expected {
        let path = line.split(':').next().expect("a path");
        assert_eq!(run(folder.path(), &[path]).1, [line]);
    }
}

#[test]
fn files_that_are_left_out_are_not_looked_at() {
    let settings = "exclude = [\"drafts/\", \"/providers/old-*\", \"!/providers/old-one.toml\"]\n";
    let named = |id: &str| odd("").replace("\"acme\"", &format!("\"{id}\""));
    let folder = registry(&[
        ("agentry.toml", settings.as_bytes()),
        ("providers/acme.toml", odd("").as_bytes()),
        ("providers/old-one.toml", named("old-one").as_bytes()),
        ("providers/old-two.toml", named("old-two").as_bytes()),
        ("drafts/providers/acme.toml", b"broken = = ="),
    ]);
    let (status, found, summary) = run(folder.path(), &[]);
    assert_eq!(status, Some(0));
    assert_eq!(
        found,
        ["providers/acme.toml:7:1 warning unknown-key", "providers/old-one.toml:7:1 warning unknown-key"]
    );
    assert_eq!((&summary["files"], &summary["excluded"]), (&2.into(), &2.into()));
    // A hook names each file.
    let (status, found, summary) = run(folder.path(), &["drafts/providers/acme.toml", "agentry.toml"]);
    assert_eq!((status, found.len(), &summary["excluded"]), (Some(0), 0, &1.into()));
    let (status, ..) = run(folder.path(), &["drafts"]);
    assert_eq!(status, Some(0), "a folder of which all is left out is no mistake");
}

#[test]
fn mistakes_in_settings_are_findings_and_then_nothing_in_them_counts() {
    let settings =
        "strikt = true\nexclude = [\"a[z-a]\"]\n[rules]\nunknown-key = \"of\"\nunknwon-key = \"off\"\n";
    let folder =
        registry(&[("agentry.toml", settings.as_bytes()), ("providers/acme.toml", odd("").as_bytes())]);
    let (status, found, _) = run(folder.path(), &[]);
    assert_eq!(status, Some(1));
    assert_eq!(
        found,
        [
            "agentry.toml:1:1 error unknown-key",
            "agentry.toml:2:12 error invalid-value",
            "agentry.toml:4:15 error unknown-option",
            "agentry.toml:5:1 error unknown-option",
            "providers/acme.toml:7:1 warning unknown-key",
        ]
    );
    let said = text(&agentry(&["check"], folder.path()).stdout);
    assert!(said.contains("help: did you mean `unknown-key`?"), "{said}");
    assert_eq!(run(folder.path(), &["agentry.toml"]).1.len(), 4, "the file alone can be checked");
}

#[test]
fn usage_is_judged_before_anything_is_checked() {
    let folder = registry(&[("providers/acme.toml", PROVIDER.as_bytes())]);
    for (arguments, word) in [
        (&["check", "--off", "unknwon-key"][..], "did you mean `unknown-key`?"),
        (
            &["check", "--off", "unknown-key", "--error", "unknown-key"],
            "`unknown-key` is given two severities",
        ),
        (&["check", "--config", "none.toml"], "none.toml: there is no such file"),
        (&["check", "--config", "none.toml", "--no-config"], "cannot be used with"),
        (&["check", "--stdin-jsonl", "--off", "unknown-key"], "cannot be used with"),
    ] {
        let output = agentry(arguments, folder.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(word), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn nothing_makes_a_file_valid_that_cannot_be_read() {
    let wrong = PROVIDER.replace("true", "1");
    let allowed = wrong.replace("key_required", "# agentry: allow(wrong-type): so be it\nkey_required");
    for (document, settings) in [
        (&wrong, "[rules]\nwrong-type = \"off\"\n"),
        (&wrong, "[rules]\nwrong-type = \"hint\"\n"),
        (&allowed, ""),
    ] {
        let folder =
            registry(&[("agentry.toml", settings.as_bytes()), ("providers/acme.toml", document.as_bytes())]);
        let output = agentry(&["check"], folder.path());
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("./providers/acme.toml cannot be read, and an error"), "{said}");
        let (_, _, summary) = run(folder.path(), &[]);
        assert_eq!((&summary["errors"], &summary["invalid"]), (&0.into(), &1.into()));
        let junit = text(&agentry(&["check", "--format", "junit"], folder.path()).stdout);
        assert!(junit.contains("failures=\"1\"") && junit.contains("type=\"unreadable\""), "{junit}");
    }
    // Where a value can be read, the name of its file is the registry's own affair.
    let mismatch = b"name = \"alpha\"\ndescription = \"D\"\nmodule = \"builtin:chat\"\n";
    let folder = registry(&[("agents/beta/agent.toml", mismatch)]);
    let (status, found, _) = run(folder.path(), &[]);
    assert_eq!((status, found.len()), (Some(1), 1), "{found:?}");
    let (status, found, summary) = run(folder.path(), &["--off", "name-mismatch"]);
    assert_eq!((status, found.len(), &summary["invalid"]), (Some(0), 0, &1.into()), "{found:?}");
}

#[test]
fn comments_in_files_allow_with_a_reason() {
    let folder = registry(&[
        (
            "providers/acme.toml",
            odd("hue = 1\nshade = 2 # agentry: allow(unknown-key): read by our own tool\n").as_bytes(),
        ),
        (
            "clean/providers/acme.toml",
            format!("# agentry: allow-file(unknown-key): nothing is odd here\n{PROVIDER}").as_bytes(),
        ),
        (
            "whole/providers/acme.toml",
            odd("hue = 1\n\n# agentry: allow-file(unknown-key)\n# agentry: allow(unknwon-key): x\n")
                .as_bytes(),
        ),
    ]);
    let (status, found, summary) = run(folder.path(), &[]);
    assert_eq!(status, Some(0));
    assert_eq!(
        found,
        [
            "clean/providers/acme.toml:1:23 warning unused-allowance",
            "providers/acme.toml:7:1 warning unknown-key",
            "providers/acme.toml:8:1 warning unknown-key",
            "whole/providers/acme.toml:10:1 warning unreasoned-allowance",
            "whole/providers/acme.toml:11:18 warning broken-allowance",
        ]
    );
    assert_eq!(summary["allowed"], 3);
    let said = text(&agentry(&["check"], folder.path()).stdout);
    assert!(said.contains("\nnot shown: 3 allowed in the files\n"), "{said}");
    // These findings are rules like any other.
    let (_, found, _) =
        run(folder.path(), &["--off", "unused-allowance,unreasoned-allowance", "--off", "unknown-key"]);
    assert_eq!(found, ["whole/providers/acme.toml:11:18 warning broken-allowance"]);
}

#[test]
fn a_file_that_is_changed_keeps_its_allowances() {
    let folder = registry(&[("providers/acme.toml", odd("").as_bytes())]);
    let path = folder.path().join("providers/acme.toml");
    let changed = odd("").replace("colour", "# agentry: allow(unknown-key): read by our own tool\ncolour");
    fs::write(path, changed).expect("a file");
    assert_eq!(run(folder.path(), &["--strict"]).0, Some(0));
}
