//! What `agentry check` prints in each format.

mod support;

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use support::{PROVIDER, agentry, registry, text};
use tempfile::TempDir;

/// A registry with an error, a warning and a hint, in a folder whose name needs care.
fn faulty() -> TempDir {
    let odd = PROVIDER.replace("true", "1") + "colour = \"50%\"\n";
    let server = "id = \"issue_board\"\nname = \"Board\"\n[transport]\ntype = \"stdio\"\ncommand = \"npx\"\n";
    registry(&[("a b, c/providers/acme.toml", odd.as_bytes()), ("mcp/issue_board.toml", server.as_bytes())])
}

fn printed(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = agentry(arguments, folder);
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    (output.status.code(), text(&output.stdout))
}

#[test]
fn annotations_stand_at_their_lines() {
    let folder = faulty();
    let (status, said) = printed(folder.path(), &["check", "--format", "github"]);
    assert_eq!(status, Some(1));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "::error file=a b%2C c/providers/acme.toml,line=6,col=16,endLine=6,endColumn=17,title=wrong-type::expected \
             true or false, found an integer",
            "::warning file=a b%2C c/providers/acme.toml,line=7,col=1,endLine=7,endColumn=7,title=unknown-key::\
             `colour` is not a key of `provider`%0Ahelp: the known keys here are `id`, `display_name`, `api_key_env`, \
             `base_url`, `key_required`, `api_key`, `signup_url`, `regions`, `media_capabilities` and `discover_models`",
            "::notice file=mcp/issue_board.toml,line=1,col=6,endLine=1,endColumn=19,title=unusual-name::`issue_board` \
             is joined by `_`; identifiers are joined by `-`%0Ahelp: `issue-board` is the usual form; renaming a \
             published id breaks those who use it",
        ],
    );
    assert_eq!(
        lines[3..],
        ["checked 2 files (1 provider, 1 integration): 1 error, 1 warning, 1 hint"],
        "the summary is no command"
    );
}

#[test]
fn annotations_name_files_from_the_top_of_the_checkout() {
    let folder = faulty();
    let said = |workspace: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_agentry"))
            .args(["check", "--format", "github"])
            .env("GITHUB_WORKSPACE", workspace)
            .current_dir(folder.path().join("mcp"))
            .output()
            .expect("the program runs");
        text(&output.stdout)
    };
    let top = folder.path().canonicalize().expect("a path");
    assert!(said(&top).contains("file=mcp/issue_board.toml,"), "{}", said(&top));
    assert!(said(Path::new("/elsewhere")).contains("file=issue_board.toml,"), "{}", said(&top));
}

#[cfg(unix)]
#[test]
fn a_file_name_writes_no_line_of_a_report() {
    let odd = PROVIDER.replace("true", "1");
    let forged = "providers/a\nchecked 1 file: no errors\n.toml";
    let folder = registry(&[(forged, odd.as_bytes())]);
    let (status, said) = printed(folder.path(), &["check"]);
    assert_eq!(status, Some(1));
    assert!(said.contains("providers/a\\nchecked 1 file: no errors\\n.toml:6:16"), "{said}");
    assert!(!said.contains("\nchecked 1 file: no errors"), "{said}");
    let output = agentry(&["check", "gone\nforged: line"], folder.path());
    assert!(text(&output.stderr).starts_with("agentry: gone\\nforged: line: "), "{}", text(&output.stderr));
}

#[test]
fn sarif_points_at_the_text() {
    let folder = faulty();
    let (status, said) = printed(folder.path(), &["check", "--format", "sarif"]);
    assert_eq!(status, Some(1));
    let log: Value = serde_json::from_str(&said).expect("JSON");
    let run = &log["runs"][0];
    let found: Vec<Value> = run["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| {
            let index = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
            assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
            let place = &result["locations"][0]["physicalLocation"];
            serde_json::json!([
                result["level"],
                result["ruleId"],
                place["artifactLocation"]["uri"],
                place["region"]["startLine"],
                place["region"]["startColumn"],
                place["region"]["endColumn"],
            ])
        })
        .collect();
    assert_eq!(
        Value::from(found),
        serde_json::json!([
            ["error", "wrong-type", "a%20b%2C%20c/providers/acme.toml", 6, 16, 17],
            ["warning", "unknown-key", "a%20b%2C%20c/providers/acme.toml", 7, 1, 7],
            ["note", "unusual-name", "mcp/issue_board.toml", 1, 6, 19],
        ])
    );
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn each_file_is_a_test_case() {
    let folder = faulty();
    let (status, said) = printed(folder.path(), &["check", "--format", "junit"]);
    assert_eq!(status, Some(1));
    for part in [
        r#"<testsuite name="agentry check" tests="2" failures="1" errors="0">"#,
        r#"<testcase name="a b, c/providers/acme.toml" classname="provider" file="a b, c/providers/acme.toml">"#,
        "<failure message=\"expected true or false, found an integer\" type=\"wrong-type\">a b, \
         c/providers/acme.toml:6:16: expected true or false, found an integer</failure>",
        "<system-out>warning[unknown-key] a b, c/providers/acme.toml:7:1: ",
        "<system-out>hint[unusual-name] mcp/issue_board.toml:1:6: ",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let (_, strict) = printed(folder.path(), &["check", "--format", "junit", "--strict"]);
    assert!(strict.contains(r#"tests="2" failures="2" errors="0""#), "warnings fail when strict: {strict}");
}

#[test]
fn a_path_that_cannot_be_judged_is_in_every_report() {
    let folder = registry(&[]);
    for (format, part) in [
        ("sarif", "\"executionSuccessful\": false"),
        ("github", "::error file=nowhere.toml::there is no such file or folder\n"),
        ("junit", "<error message=\"there is no such file or folder\" type=\"path\"/>"),
    ] {
        let output = agentry(&["check", "nowhere.toml", "--format", format], folder.path());
        assert_eq!(output.status.code(), Some(2), "{format}");
        assert!(text(&output.stdout).contains(part), "{format}: {}", text(&output.stdout));
    }
}

#[test]
fn no_format_shows_a_secret() {
    let token = "ghp_0123456789abcdefABCDEF0123456789abcd";
    let odd = format!(
        "[provider]\nid = \"acme\"\ndisplay_name = \"A\"\napi_key_env = \"correct horse\"\nbase_url = \"{token}\"\n\
         key_required = 1\napi_key = \"battery-staple\"\nnote = \"{token}\"\n\"{token}\" = 1\n\"{token}\" = 2\n"
    );
    let folder = registry(&[("providers/acme.toml", odd.as_bytes())]);
    for format in ["human", "json", "jsonl", "sarif", "github", "junit"] {
        let output = agentry(&["check", "--format", format, "--all"], folder.path());
        let said = text(&output.stdout) + &text(&output.stderr);
        for secret in [token, "correct horse", "battery-staple"] {
            assert!(!said.contains(secret), "{format} shows {secret}: {said}");
        }
        assert!(said.contains("literal-secret") && said.contains("duplicate-key"), "{format}: {said}");
    }
}

#[test]
fn no_format_shows_what_an_entry_says_is_secret() {
    let server = "id = \"tides\"\nname = \"T\"\n[transport]\ntype = \"stdio\"\ncommand = \"tides\"\n";
    let asked = format!("{server}[[required_env]]\nname = \"ACME\"\nlabel = \"A\"\n");
    let hand = "id = \"tides\"\nname = \"T\"\n[[settings]]\nkey = \"acme\"\nlabel = \"A\"\n";
    let plugin = "name = \"tides\"\nversion = \"0.1.0\"\ndescription = \"T\"\n";
    for (path, text) in [
        ("mcp/tides.toml", format!("{asked}is_secret = true\nvaleu = \"%\"\n")),
        ("mcp/tides.toml", format!("{asked}valeu = \"%\"\n")),
        ("mcp/tides.toml", format!("{asked}is_secrte = true\nlables = [\"%\"]\n")),
        ("mcp/tides.toml", format!("{asked}is_secret = true\nhelp_text = {{ a = \"%\" }}\n")),
        // A fix moves it to the table that knows the key.
        ("mcp/tides.toml", format!("{asked}setup_instructions = \"%\"\n")),
        (
            "hands/tides/HAND.toml",
            format!("{hand}setting_type = \"toggle\"\nis_secret = true\ndefault = \"%\"\n"),
        ),
        ("hands/tides/HAND.toml", format!("{hand}setting_type = \"password\"\ndefault = \"%\"\n")),
        (
            "hands/tides/HAND.toml",
            format!("{}setting_type = \"select\"\ndefault = \"%\"\n", hand.replace("acme", "acme_token")),
        ),
        (
            "plugins/tides/plugin.toml",
            format!("{plugin}[config.db_pass]\ntype = \"number\"\ndefault = \"%\"\n"),
        ),
        (
            "plugins/tides/plugin.toml",
            format!("{plugin}odd = 1\n[env]\nMY_PASS = \"%\"\nPGPASSWORD = \"%\"\n"),
        ),
        ("providers/tides.toml", PROVIDER.to_owned() + "odd = { db_pass = \"%\", pin_code = \"%\" }\n"),
    ] {
        for secret in ["tr0ub4dor-staple", "8273645190"] {
            let folder = registry(&[(path, text.replace('%', secret).as_bytes())]);
            for arguments in [
                &["--format", "human", "--all"][..],
                &["--format", "json"],
                &["--format", "jsonl"],
                &["--format", "sarif"],
                &["--format", "github"],
                &["--format", "junit"],
                &["--diff", "--unsafe"],
            ] {
                let output = agentry(&[&["check"], arguments].concat(), folder.path());
                let said = text_of(&output);
                assert!(!said.contains(secret), "{arguments:?} shows {secret}: {said}\n{text}");
                let quiet = arguments.contains(&"--diff");
                assert!(quiet || said.contains("tides"), "{arguments:?}: something is found: {said}\n{text}");
            }
        }
    }
}

fn text_of(output: &std::process::Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn repeats_are_counted_and_all_shows_them() {
    let files: Vec<(String, String)> = (0..14)
        .map(|index| {
            let id = format!("acme-{}", char::from(b'a' + index));
            let text =
                PROVIDER.replace("\"acme\"", &format!("\"{id}\"")).replace("key_required = true\n", "");
            (format!("providers/{id}.toml"), text)
        })
        .collect();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let folder = registry(&files);
    let (_, said) = printed(folder.path(), &["check"]);
    assert_eq!(said.matches("error[missing-key]").count(), 3, "{said}");
    assert!(said.contains("note: 11 more like this in 11 files: `--all` shows them"), "{said}");
    assert!(said.contains("by rule:\n  error    missing-key      14 in 14 files\n"), "{said}");
    assert!(said.contains("by file:\n  ./providers/acme-a.toml: 1 error\n"), "{said}");
    assert!(said.contains("\n  and 4 more files\n\nchecked 14 files (14 provider): 14 errors"), "{said}");
    let (_, annotations) = printed(folder.path(), &["check", "--format", "github"]);
    let note = "GitHub shows 10 annotations of a level for each step: 4 more are in this log only\n";
    assert!(annotations.matches("::error ").count() == 14 && annotations.contains(note), "{annotations}");
    let (_, all) = printed(folder.path(), &["check", "--all"]);
    assert_eq!(all.matches("error[missing-key]").count(), 14, "{all}");
    assert!(!all.contains("more like this") && !all.contains("more files"), "{all}");
}

#[test]
fn an_option_that_many_files_use_casts_doubt_on_the_list() {
    let server = |id: &str| {
        format!("id = \"{id}\"\nname = \"A\"\n[transport]\ntype = \"pigeon\"\ncommand = \"npx\"\n")
    };
    let texts: Vec<(String, String)> =
        ["a", "b", "c", "d"].iter().map(|id| (format!("mcp/{id}.toml"), server(id))).collect();
    let files: Vec<(&str, &[u8])> =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let folder = registry(&files);
    let (_, said) = printed(folder.path(), &["check"]);
    assert_eq!(said.matches("error[unknown-option]").count(), 1, "{said}");
    assert!(said.contains("the same value stands in 3 other places: ./mcp/b.toml:4:8, "), "{said}");
    assert!(said.contains("this list of options may be out of date"), "{said}");
    let few = registry(&files[..2]);
    let (_, said) = printed(few.path(), &["check"]);
    assert_eq!(said.matches("error[unknown-option]").count(), 2, "{said}");
    assert!(!said.contains("out of date"), "{said}");
}

#[test]
fn there_is_no_colour_and_no_progress_outside_a_terminal() {
    let folder = faulty();
    for format in ["human", "github", "junit"] {
        let output = agentry(&["check", "--format", format], folder.path());
        assert!(!output.stdout.contains(&0x1b), "{format}: {}", text(&output.stdout));
        assert_eq!(text(&output.stderr), "", "{format}");
    }
}
