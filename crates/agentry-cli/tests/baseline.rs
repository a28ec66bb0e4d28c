//! A baseline: today's findings are accepted, and new ones fail.

mod support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use support::{PROVIDER, agentry, registry, text};
use tempfile::TempDir;

const MODEL: &str = "[[models]]\nid = \"beam-2\"\ndisplay_name = \"B\"\ntier = \"fast\"\ncontext_window = 1\n\
                     max_output_tokens = 1\ninput_cost_per_m = 1\noutput_cost_per_m = 1\ncolour = \"blue\"\n";

/// A registry with findings of several rules, one file that cannot be read, and a secret.
fn old() -> TempDir {
    let folder = registry(&[
        ("providers/acme.toml", format!("{PROVIDER}{MODEL}").as_bytes()),
        ("providers/wrong.toml", PROVIDER.replace("true", "1").replace("acme\"", "wrong\"").as_bytes()),
        ("mcp/board.toml", b"id = \"board\"\nname = \"B\"\n[transport]\ntype = \"stdio\"\ncommand = \"x\"\nid = \"ghp_0123456789abcdefABCDEF0123456789abcd\"\n"),
    ]);
    let output = agentry(&["check", "--write-baseline", "accepted.json"], folder.path());
    assert_eq!(
        (output.status.code(), text(&output.stdout).as_str()),
        (Some(0), ""),
        "{}",
        text(&output.stderr)
    );
    assert!(
        text(&output.stderr).ends_with(" findings are recorded in accepted.json\n"),
        "{}",
        text(&output.stderr)
    );
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, Vec<String>, Value) {
    let output = agentry(&[&["check", "--format", "json", "--baseline"], arguments].concat(), folder);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{arguments:?}: {}{}", text(&output.stdout), text(&output.stderr)));
    let mut found = Vec::new();
    for file in report["files"].as_array().expect("files") {
        for one in file["diagnostics"].as_array().expect("findings") {
            let path = file["path"].as_str().expect("a path").trim_start_matches("./");
            let code = one["code"].as_str().expect("a rule");
            found.push(format!("{path}:{} {code}", one["line"]));
        }
    }
    (output.status.code(), found, report["summary"].clone())
}

fn edit(folder: &Path, file: &str, change: impl Fn(&str) -> String) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).expect("a file");
    let changed = change(&text);
    assert_ne!(text, changed, "{file}");
    fs::write(path, changed).expect("a file");
}

#[test]
fn what_was_there_is_accepted_and_what_is_new_fails() {
    let folder = old();
    let (status, found, summary) = run(folder.path(), &["accepted.json", "--strict"]);
    assert_eq!((status, found), (Some(0), Vec::new()), "{summary}");
    assert_eq!(summary["invalid"], 1, "what is accepted does not become valid: {summary}");
    assert!(summary["accepted"].as_u64() >= Some(3), "{summary}");
    // Lines above, other entries of a list, other values: still the same findings.
    edit(folder.path(), "providers/acme.toml", |text| {
        format!("# A note\n\n{}", text.replace("[[models]]", "# One more\n[[models]]\nid = \"beam-1\"\ndisplay_name = \"B\"\ntier = \"fast\"\ncontext_window = 1\nmax_output_tokens = 1\ninput_cost_per_m = 1\noutput_cost_per_m = 1\n\n[[models]]").replace("\"blue\"", "\"red\""))
    });
    assert_eq!(run(folder.path(), &["accepted.json", "--strict"]).1, [""; 0]);
    // The same key in another entry is new.
    edit(folder.path(), "providers/acme.toml", |text| {
        text.replacen("tier = \"fast\"", "tier = \"fast\"\ncolour = \"blue\"", 1)
    });
    let (status, found, _) = run(folder.path(), &["accepted.json", "--strict"]);
    assert_eq!((status, found), (Some(1), vec!["providers/acme.toml:14 unknown-key".to_owned()]));
}

#[test]
fn counts_tell_how_many_are_accepted() {
    let twice =
        "id = \"board\"\nname = \"B\"\n[transport]\ntype = \"stdio\"\ncommand = \"x\"\nargs = [\"\", \"\"]\n";
    let broken = |count: usize| twice.replace("\"\", \"\"", &vec!["1"; count].join(", "));
    let folder = registry(&[("mcp/board.toml", broken(2).as_bytes())]);
    agentry(&["check", "--write-baseline", "accepted.json"], folder.path());
    let recorded = fs::read_to_string(folder.path().join("accepted.json")).expect("a baseline");
    assert_eq!(recorded.matches("\"count\": 2").count(), 1, "{recorded}");
    for (count, expected) in [
        (2, &[][..]),
        (3, &["mcp/board.toml:6 wrong-type"][..]),
        (1, &["accepted.json:4 stale-baseline"]),
        (0, &["accepted.json:4 stale-baseline"]),
    ] {
        fs::write(folder.path().join("mcp/board.toml"), broken(count)).expect("a file");
        assert_eq!(run(folder.path(), &["accepted.json"]).1, expected, "{count}");
    }
    fs::write(folder.path().join("mcp/board.toml"), broken(1)).expect("a file");
    let said = text(&agentry(&["check", "--baseline", "accepted.json"], folder.path()).stdout);
    assert!(
        said.contains("is accepted 2 times here in `mcp/board.toml`, and 1 of them no longer occur"),
        "{said}"
    );
    assert!(said.contains("--> accepted.json:4:5"), "{said}");
}

#[test]
fn entries_that_no_longer_occur_are_found_at_their_place() {
    let folder = old();
    edit(folder.path(), "providers/acme.toml", |text| text.replace("colour = \"blue\"\n", ""));
    fs::remove_file(folder.path().join("providers/wrong.toml")).expect("it is there");
    let (status, found, _) = run(folder.path(), &["accepted.json"]);
    assert_eq!(status, Some(0), "{found:?}");
    assert!(found.len() == 2 && found.iter().all(|found| found.ends_with("stale-baseline")), "{found:?}");
    assert_eq!(run(folder.path(), &["accepted.json", "--strict"]).0, Some(1));
    // A run over a part says nothing of the rest that is there.
    let (_, found, _) = run(folder.path(), &["accepted.json", "mcp"]);
    assert!(
        found.len() == 1 && found[0].ends_with("stale-baseline"),
        "only the file that is gone: {found:?}"
    );
    agentry(&["check", "--write-baseline", "accepted.json"], folder.path());
    assert_eq!(
        run(folder.path(), &["accepted.json", "--strict"]),
        (Some(0), Vec::new(), run(folder.path(), &["accepted.json"]).2)
    );
}

#[test]
fn the_bytes_depend_on_the_findings_alone() {
    let folder = old();
    let first = fs::read_to_string(folder.path().join("accepted.json")).expect("a baseline");
    for (place, arguments) in [
        ("", &["check", "--write-baseline", "accepted.json"][..]),
        ("mcp", &["check", "..", "--write-baseline", "../accepted.json"]),
        ("", &["check", "mcp", "providers", "--write-baseline", "./accepted.json"]),
    ] {
        let output = agentry(arguments, &folder.path().join(place));
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        assert_eq!(
            fs::read_to_string(folder.path().join("accepted.json")).expect("a baseline"),
            first,
            "{arguments:?}"
        );
    }
    assert!(!first.contains("ghp_") && first.contains("mcp/board.toml"), "{first}");
    let value: Value = serde_json::from_str(&first).expect("JSON");
    assert_eq!(value["version"], 1);
    // From below, the same entries are found.
    let (status, found, _) = run(&folder.path().join("mcp"), &["../accepted.json", ".."]);
    assert_eq!((status, found), (Some(0), Vec::new()));
}

#[test]
fn nothing_is_recorded_while_the_settings_are_wrong() {
    let folder = old();
    for (name, arguments) in [("agentry.toml", &[][..]), ("other.toml", &["--config", "other.toml"])] {
        fs::write(folder.path().join(name), "[rules]\nunknown-key = \"of\"\n").expect("a file");
        let output =
            agentry(&[&["check", "--write-baseline", "new.json"], arguments].concat(), folder.path());
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(&format!("--> {name}:2:15")) && !said.contains("providers"), "{said}");
        assert!(!folder.path().join("new.json").exists());
        // Nor does a baseline accept them.
        let (status, found, _) = run(folder.path(), &[&["accepted.json"], arguments].concat());
        assert_eq!((status, found), (Some(1), vec![format!("{name}:2 unknown-option")]));
    }
}

#[test]
fn a_broken_baseline_accepts_nothing() {
    let folder = old();
    let count = run(folder.path(), &["accepted.json"]).2["accepted"].as_u64().expect("a count");
    edit(folder.path(), "accepted.json", |text| text.replace("\"version\": 1", "\"version\": 2"));
    let (status, found, summary) = run(folder.path(), &["accepted.json"]);
    assert_eq!(status, Some(1));
    assert_eq!(found[0], "accepted.json:2 invalid-value");
    assert_eq!(found.len() as u64, count + 1, "{found:?} {summary}");
    for (arguments, word) in [
        (&["check", "--baseline", "none.json"][..], "none.json: there is no such file"),
        (&["check", "--write-baseline", "providers/acme.toml"], "the file is there, and is no baseline"),
        (&["check", "nowhere", "--write-baseline", "new.json"], "nowhere: there is no such file"),
        (&["check", "--baseline", "a", "--write-baseline", "b"], "cannot be used with"),
    ] {
        let output = agentry(arguments, folder.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(word), "{arguments:?}: {}", text(&output.stderr));
    }
    let kept = fs::read_to_string(folder.path().join("providers/acme.toml")).expect("it is there");
    assert!(kept.starts_with("[provider]"), "a manifest is not written over");
    assert!(!folder.path().join("new.json").exists());
}

/// An entry is named in a place by what it is called, and people put other things there.
#[test]
fn what_is_no_name_stands_in_no_baseline() {
    let folder = registry(&[(
        "mcp/tides.toml",
        b"id = \"tides\"\nname = \"Tides\"\n[transport]\ntype = \"http\"\nurl = \"https://tides.example/mcp\"\n\
          [[required_env]]\nname = \"Sommer2024!Xy\"\nlabel = \"Key\"\nhelp = \"\"\nis_secret = true\nlabell = \"a\"\n",
    )]);
    let output = agentry(&["check", "--write-baseline", "accepted.json"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let written = fs::read_to_string(folder.path().join("accepted.json")).expect("it is there");
    assert!(written.contains("/required_env/[]") && !written.contains("Sommer"), "{written}");
}
