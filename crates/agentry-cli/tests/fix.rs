//! `agentry check --fix` and `--diff` as people call them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const HEAD: &str = "id = \"tides\"\nname = \"Tide Tables\"\ndescription = \"Tides\"\ncategory = \"data\"\n\n";
const TRANSPORT: &str = "[transport]\ntype = \"stdio\"\ncommand = \"tides-mcp\"\n";
const SWALLOWED: &str = "\nsetup_instructions = \"Ask the harbour.\"\n";

fn check(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agentry"))
        .current_dir(folder)
        .args(["check", "--no-config"])
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A folder with one file, and its path.
fn file(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mcp/tides.toml");
    fs::create_dir(folder.path().join("mcp")).expect("a folder");
    fs::write(&path, text).expect("a file");
    (folder, path)
}

#[test]
fn a_diff_shows_and_a_fix_writes_and_reports_what_remains() {
    let broken = format!("{HEAD}{TRANSPORT}{SWALLOWED}");
    let fixed = format!("{HEAD}{}\n{TRANSPORT}", SWALLOWED.trim_start());
    let (folder, path) = file(&broken);
    let (status, out, _) = said(&check(folder.path(), &["mcp", "--diff"]));
    assert_eq!(status, Some(1), "{out}");
    assert!(out.starts_with("--- mcp/tides.toml\n+++ mcp/tides.toml\n@@ "), "{out}");
    assert!(out.contains("+setup_instructions = \"Ask the harbour.\"\n"), "{out}");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), broken, "nothing is written");
    let (_, out, _) = said(&check(folder.path(), &["mcp"]));
    assert!(out.contains("move it above the first table header (`--fix` does it)"), "{out}");
    let (status, out, notes) = said(&check(folder.path(), &["mcp", "--fix", "--strict"]));
    assert_eq!(status, Some(0), "{out}{notes}");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), fixed);
    assert_eq!(
        notes,
        "mcp/tides.toml:10: mended: move `setup_instructions` above the first table header [misplaced-key]\n\
         1 fix applied in 1 file\n"
    );
    let (status, out, notes) = said(&check(folder.path(), &["mcp", "--diff"]));
    assert_eq!((status, out.as_str(), notes.as_str()), (Some(0), "", ""));
}

#[test]
fn an_option_of_a_table_further_down_moves_below_its_header() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("plugin.toml");
    let head = "name = \"notes\"\nversion = \"0.1.0\"\ndescription = \"Keeps notes.\"\n";
    let option = "# Slow disks.\nhook_timeout_secs = 30 # seconds\n";
    let hooks = "ingest = \"a.py\"\n";
    fs::write(folder.path().join("a.py"), "").expect("a file");
    fs::write(&path, format!("{head}{option}\n[hooks]\n{hooks}")).expect("a file");
    let (_, out, _) = said(&check(folder.path(), &["plugin.toml"]));
    assert!(out.contains("`hook_timeout_secs` is a key of `[hooks]`, not of the document itself"), "{out}");
    let help = "move its line below the header `[hooks]`: where it stands, it is not read (`--fix --unsafe` does it)";
    assert!(out.contains(help), "{out}");
    let (status, out, notes) = said(&check(folder.path(), &["plugin.toml", "--fix", "--unsafe", "--strict"]));
    assert_eq!(status, Some(0), "{out}{notes}");
    assert!(notes.contains("mended: move `hook_timeout_secs` into `[hooks]` [misplaced-key]"), "{notes}");
    let text = fs::read_to_string(&path).expect("it is there");
    assert_eq!(text, format!("{head}\n[hooks]\n{option}{hooks}"));
    // A table of its own is named in its header, and a plugin without hooks has no place for the option.
    for (rest, help) in [
        (
            "[circuit_breaker]\nmax_failures = 5\n[hooks]\ningest = \"a.py\"\n",
            "write its header as `[hooks.circuit_breaker]`",
        ),
        (
            "hook_timeout_secs = 30\nplugin_depends = []\n",
            "move it into `[hooks]`: where it stands, it is not read\n",
        ),
    ] {
        fs::write(&path, format!("{head}{rest}")).expect("a file");
        let (_, out, _) = said(&check(folder.path(), &["--kind", "plugin", "plugin.toml"]));
        assert!(out.contains(help), "{out}");
    }
}

#[test]
fn what_is_likely_is_applied_when_it_is_asked_for() {
    let broken = format!("{HEAD}{}", TRANSPORT.replace("stdio", "stdoi"));
    let (folder, path) = file(&broken);
    let (status, out, notes) = said(&check(folder.path(), &["mcp", "--fix"]));
    assert_eq!((status, notes.as_str()), (Some(1), "0 fixes applied in 0 files\n"), "what remains fails");
    assert!(out.contains("(`--fix --unsafe` does it)"), "{out}");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), broken);
    let (status, _, notes) = said(&check(folder.path(), &["mcp", "--fix", "--unsafe"]));
    assert_eq!(status, Some(0), "{notes}");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), format!("{HEAD}{TRANSPORT}"));
    for arguments in [
        &["--unsafe"][..],
        &["--fix", "--diff"],
        &["--stdin-jsonl", "--fix"],
        &["--diff", "--format", "json"],
    ] {
        assert_eq!(check(folder.path(), arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn reports_carry_fixes_with_their_edits() {
    let text = format!("{HEAD}{}", TRANSPORT.replace("stdio", "STDIO"));
    let (folder, _) = file(&text);
    let json: serde_json::Value =
        serde_json::from_slice(&check(folder.path(), &["mcp", "--format", "json"]).stdout).expect("JSON");
    let start = text.find("\"STDIO\"").expect("it is there");
    assert_eq!(
        json["files"][0]["diagnostics"][0]["fix"],
        serde_json::json!({
            "title": "write `stdio`",
            "safe": true,
            "edits": [{
                "start": start, "end": start + 7, "line": 7, "column": 8, "end_line": 7, "end_column": 15,
                "replacement": "\"stdio\"",
            }],
        })
    );
    let sarif: serde_json::Value =
        serde_json::from_slice(&check(folder.path(), &["mcp", "--format", "sarif"]).stdout).expect("JSON");
    assert_eq!(
        sarif["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0],
        serde_json::json!({
            "artifactLocation": { "uri": "mcp/tides.toml", "uriBaseId": "%SRCROOT%" },
            "replacements": [{
                "deletedRegion": { "startLine": 7, "startColumn": 8, "endLine": 7, "endColumn": 15 },
                "insertedContent": { "text": "\"stdio\"" },
            }],
        })
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_is_named_and_left_alone() {
    let broken = format!("{HEAD}{TRANSPORT}{SWALLOWED}");
    let (folder, path) = file(&broken);
    let mut permissions = fs::metadata(&path).expect("it is there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("it is ours");
    let (status, _, notes) = said(&check(folder.path(), &["mcp", "--fix"]));
    assert_eq!(status, Some(2), "{notes}");
    assert!(notes.contains("agentry: mcp/tides.toml: not mended: it may not be written"), "{notes}");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), broken);
}

/// The right name makes a runtime read what it passed over, so it is asked first whether that is there.
#[test]
fn a_fix_that_would_make_a_sound_file_wrong_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("plugins/ebb/plugin.toml");
    fs::create_dir_all(folder.path().join("plugins/ebb/hooks")).expect("a folder");
    let text = "name = \"ebb\"\nversion = \"1.0.0\"\ndescription = \"Counts.\"\n\n[hooks]\nafterturn = \"hooks/turn.py\"\n";
    fs::write(&path, text).expect("a file");
    // Another file of the folder: a manifest that lies alone is not asked about its neighbours.
    fs::write(folder.path().join("plugins/ebb/hooks/other.py"), "").expect("a file");
    let (status, _, notes) = said(&check(folder.path(), &["plugins", "--fix"]));
    assert_eq!(
        (status, fs::read_to_string(&path).expect("it is there").as_str()),
        (Some(0), text),
        "{notes}"
    );
    fs::write(folder.path().join("plugins/ebb/hooks/turn.py"), "").expect("a file");
    let (status, _, notes) = said(&check(folder.path(), &["plugins", "--fix"]));
    assert_eq!(status, Some(0), "{notes}");
    assert!(fs::read_to_string(&path).expect("it is there").contains("\nafter_turn = "), "{notes}");
}
