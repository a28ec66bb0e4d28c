//! The program as people and other programs meet it: arguments, exit status, output.

mod support;

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use support::{PROVIDER, agentry, registry, text};

fn answer(arguments: &[&str], input: &str) -> (Option<i32>, Vec<Value>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agentry"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let lines = String::from_utf8(output.stdout).expect("text");
    (output.status.code(), lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

#[test]
fn a_clean_registry_ends_with_status_0() {
    let folder = registry(&[
        ("providers/acme.toml", PROVIDER.as_bytes()),
        ("notes.txt", b"x"),
        ("Cargo.toml", b"[a]\n"),
    ]);
    let output = agentry(&["check"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout),
        "checked 1 file (1 provider): 0 errors, 0 warnings, 0 hints\n2 other files passed over: no manifests\n"
    );
}

#[test]
fn errors_end_with_status_1_and_warnings_only_when_strict() {
    let wrong = PROVIDER.replace("true", "1");
    let odd = format!("{PROVIDER}colour = \"blue\"\n");
    let folder = registry(&[
        ("wrong/providers/acme.toml", wrong.as_bytes()),
        ("odd/providers/acme.toml", odd.as_bytes()),
    ]);
    for (arguments, status) in [
        (&["check", "wrong"][..], 1),
        (&["check", "odd"], 0),
        (&["check", "odd", "--strict"], 1),
        (&["check", "odd", "wrong"], 1),
    ] {
        assert_eq!(agentry(arguments, folder.path()).status.code(), Some(status), "{arguments:?}");
    }
}

#[test]
fn bad_input_gets_a_clear_word_and_the_right_status() {
    let nested = format!("x = {}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let tables = format!("[{}]\nx = 1", vec!["a"; 10_000].join("."));
    let folder = registry(&[
        ("empty/readme.md", b"nothing"),
        ("providers/binary.toml", &[0x7f, b'E', b'L', b'F', 0, 0, 1, 0xff]),
        ("providers/latin.toml", b"[provider]\nid = \"caf\xe9\"\n"),
        ("providers/empty.toml", b""),
        ("providers/comment.toml", b"# nothing yet\n"),
        ("providers/nested.toml", nested.as_bytes()),
        ("providers/tables.toml", tables.as_bytes()),
        ("providers/broken.toml", b"[provider\nid = \"x\"\n"),
        ("other.toml", b"[server]\nport = 1\n"),
        ("foreign/agent.toml", b"#:schema none\nname = \"mine\"\n"),
    ]);
    let large = fs::File::create(folder.path().join("providers/large.toml")).expect("a file");
    large.set_len(100 * 1024 * 1024).expect("100 MB");
    for (path, status, word) in [
        ("nowhere.toml", 2, "there is no such file or folder"),
        ("empty", 2, "there is no manifest in this folder"),
        ("providers/binary.toml", 1, "the file is binary, not text"),
        ("providers/latin.toml", 1, "the first bad byte is in line 2, column 10"),
        ("providers/empty.toml", 1, "the file holds nothing"),
        ("providers/comment.toml", 1, "the file holds nothing"),
        ("providers/nested.toml", 1, "error[too-deep]"),
        ("providers/tables.toml", 1, "error[too-deep]"),
        ("providers/broken.toml", 1, "error[syntax]"),
        ("providers/large.toml", 1, "error[too-large]"),
        ("other.toml", 1, "error[unknown-kind]"),
        ("foreign/agent.toml", 0, "checked 0 files"),
    ] {
        let output = agentry(&["check", path], folder.path());
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{path}: {said}");
        assert!(said.contains(word), "{path}: {said}");
        assert!(!said.contains("panicked"), "{path}: {said}");
    }
    // All of them in one run: each keeps its finding.
    let output = agentry(&["check", ".", "--format", "jsonl"], folder.path());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    assert_eq!(lines.lines().count(), 8, "{lines}");
}

#[test]
fn usage_errors_end_with_status_2() {
    let folder = registry(&[]);
    for arguments in
        [&["check", "--kind", "spaceship", "x"][..], &["check", "--format", "xml"], &["frobnicate"], &[]]
    {
        assert_eq!(agentry(arguments, folder.path()).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn the_kind_can_be_said() {
    let folder = registry(&[("thing.toml", b"[aliases]\nshort = \"acme-large-1\"\n")]);
    let output = agentry(&["check", "thing.toml", "--kind", "provider"], folder.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("missing-key"), "{}", text(&output.stdout));
    let declared = registry(&[(
        "thing.toml",
        format!("#:schema https://x.example/provider.schema.json\n{PROVIDER}").as_bytes(),
    )]);
    let output = agentry(&["check", "thing.toml"], declared.path());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
}

#[test]
fn json_says_the_same_as_the_lines() {
    let folder = registry(&[("providers/acme.toml", PROVIDER.replace("true", "1").as_bytes())]);
    let whole: Value =
        serde_json::from_slice(&agentry(&["check", "--format", "json"], folder.path()).stdout).expect("JSON");
    let lines = text(&agentry(&["check", "--format", "jsonl"], folder.path()).stdout);
    let line: Value = serde_json::from_str(&lines).expect("one line");
    assert_eq!(whole["files"][0], line);
    assert_eq!(whole["summary"]["errors"], 1);
    let found = &line["diagnostics"][0];
    assert_eq!(line["kind"], "provider");
    assert_eq!(line["valid"], false);
    assert_eq!(
        (&found["code"], &found["pointer"], &found["line"], &found["column"], &found["end_column"]),
        (&"wrong-type".into(), &"/provider/key_required".into(), &6.into(), &16.into(), &17.into())
    );
}

#[test]
fn requests_are_answered_in_order_and_none_stops_the_others() {
    let request = |id: Value, kind: &str, text: &str| {
        serde_json::json!({ "id": id, "kind": kind, "format": "toml", "text": text }).to_string()
    };
    let input = [
        request("one".into(), "provider", PROVIDER),
        request(2.into(), "provider", "x = ["),
        "no JSON".to_owned(),
        String::new(),
        r#"{"id": "four", "kind": "provider"}"#.to_owned(),
        request("five".into(), "spaceship", PROVIDER),
        r#"{"id": "six", "kind": "provider", "format": "xml", "text": ""}"#.to_owned(),
    ]
    .join("\n");
    let (status, answers) = answer(&["check", "--stdin-jsonl", "--format", "jsonl"], &input);
    assert_eq!(status, Some(1));
    let short: Vec<_> =
        answers.iter().map(|answer| (answer["id"].clone(), answer["valid"].as_bool())).collect();
    assert_eq!(
        short,
        [
            ("one".into(), Some(true)),
            (2.into(), Some(false)),
            (Value::Null, Some(false)),
            ("four".into(), Some(false)),
            ("five".into(), Some(false)),
            ("six".into(), Some(false)),
        ]
    );
    let (status, _) = answer(&["check", "--stdin-jsonl"], &request("one".into(), "provider", PROVIDER));
    assert_eq!(status, Some(0));
}

#[test]
fn yaml_is_judged_like_toml() {
    let yaml = "provider:\n  id: acme\n  display_name: Acme\n  api_key_env: ACME_API_KEY\n  \
                base_url: https://api.acme.example/v1\n  key_required: true\n";
    let folder = registry(&[
        ("providers/acme.yaml", yaml.as_bytes()),
        ("wrong.yaml", yaml.replace("true", "yes").as_bytes()),
        ("colon.yml", yaml.replace("Acme\n", "Acme: the shop\n").as_bytes()),
        ("dashes.yaml", "- ".repeat(300_000).as_bytes()),
        ("two.yaml", format!("{yaml}---\n{yaml}").as_bytes()),
    ]);
    for (path, status, words) in [
        ("providers/acme.yaml", 0, &["checked 1 file (1 provider): 0 errors, 0 warnings, 0 hints"][..]),
        ("wrong.yaml", 1, &["error[wrong-type]: expected true or false", "write true, without quotes"]),
        ("colon.yml", 1, &["error[unquoted-text]", "colon.yml:3:21", "`display_name: \"Acme: the shop\"`"]),
        ("dashes.yaml", 1, &["error[too-deep]"]),
        ("two.yaml", 1, &["error[several-documents]", "two.yaml:7:1"]),
    ] {
        let output = agentry(&["check", path, "--kind", "provider"], folder.path());
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{path}: {said}");
        for word in words {
            assert!(said.contains(word), "{path}: {word}: {said}");
        }
    }
    let requests: Vec<String> = [yaml, "provider:\n\tid: acme\n", "a: &a [*b, *a]\n"]
        .iter()
        .map(|text| {
            serde_json::json!({ "id": 1, "kind": "provider", "format": "yaml", "text": text }).to_string()
        })
        .collect();
    let (_, answers) = answer(&["check", "--stdin-jsonl"], &requests.join("\n"));
    let codes = |index: usize| {
        let found = answers[index]["diagnostics"].as_array().expect("a list").iter();
        found.filter_map(|one| one["code"].as_str()).collect::<Vec<_>>()
    };
    assert_eq!(codes(0), [""; 0]);
    assert_eq!(codes(1), ["tab-indentation"]);
    assert_eq!(codes(2), ["unknown-key", "syntax", "syntax"]);
}

#[test]
fn secrets_are_never_printed() {
    let token = "ghp_0123456789abcdefABCDEF0123456789abcd";
    let odd = format!(
        "[provider]\nid = \"acme\"\ndisplay_name = \"{token}\"\napi_key_env = \"correct horse\"\nbase_url = \"{token}\"\n\
         key_required = true\napi_key = \"battery-staple\"\nnote = \"{token}\"\n\"{token}\" = 1\n"
    );
    let yaml = format!(
        "note: &n battery-staple\nprovider:\n  api_key: *n\n  api_key_env: correct horse: battery-staple\n  \
         display_name: {token}: x\n  \"{token}\": 1\n"
    );
    let folder = registry(&[("providers/acme.toml", odd.as_bytes()), ("acme.yaml", yaml.as_bytes())]);
    for format in ["human", "json", "jsonl"] {
        let output =
            agentry(&["check", "acme.yaml", "--kind", "provider", "--format", format], folder.path());
        let said = text(&output.stdout) + &text(&output.stderr);
        for secret in [token, "correct horse", "battery-staple"] {
            assert!(!said.contains(secret), "{format} shows {secret}: {said}");
        }
        assert!(said.contains("unquoted-text") && said.contains("literal-secret"), "{said}");
        let output = agentry(&["check", "--format", format], folder.path());
        let said = text(&output.stdout) + &text(&output.stderr);
        for secret in [token, "correct horse", "battery-staple"] {
            assert!(!said.contains(secret), "{format} shows {secret}: {said}");
        }
        assert!(said.contains("literal-secret"), "{said}");
    }
}

#[test]
fn what_is_given_for_a_secret_is_never_printed_however_it_is_written() {
    const SECRET: &str = "Hunter2Tr0ub4dor";
    for (name, written) in [
        ("skills/a/SKILL.md", "---\nname: A\ndescription: set api_key: P\n---\n"),
        ("skills/a/SKILL.md", "---\nname: A\nmetadata: {password: [P]}\n---\n"),
        ("skills/a/SKILL.md", "---\nname: A\nurl: me:P@host\n---\n"),
        ("a.yaml", "{password: P, odd: 1}"),
        ("a.yaml", "password: [P]\nid: 1\n"),
        ("a.yaml", "password: &p P\nid: 1\n"),
        ("a.yaml", "password: !!str P\nid: 1\n"),
        ("a.yaml", "args: [--password, P]\n"),
        ("a.yaml", "args: '--password P'\nurl: '//me:P@host/'\n"),
        ("a.toml", "password = { a = \"P\" }\nurl = \"me:P@host\"\n"),
        ("a.json", "{\"p\\u0061ssword\": \"P\", \"args\": [\"--token\", \"P\"], \"id\": 1}"),
    ] {
        let folder = registry(&[(name, written.replace('P', SECRET).as_bytes())]);
        for kind in ["skill-md", "provider", "skill-config", "mcp-config"] {
            for format in ["human", "json", "github", "sarif", "junit"] {
                let output = agentry(&["check", name, "--kind", kind, "--format", format], folder.path());
                let said = text(&output.stdout) + &text(&output.stderr);
                assert!(!said.contains(SECRET), "{kind} {format} {written}: {said}");
                assert!(!said.is_empty(), "{kind} {format} {written}");
            }
        }
    }
}

#[test]
fn unknown_keys_that_many_files_share_are_one_report() {
    let odd = |id: &str| PROVIDER.replace("\"acme\"", &format!("\"{id}\"")) + "colour = \"blue\"\n";
    let ids = ["a", "b", "c", "d"];
    let files: Vec<(String, String)> =
        ids.iter().map(|id| (format!("providers/{id}.toml"), odd(id))).collect();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let folder = registry(&files);
    let said = text(&agentry(&["check"], folder.path()).stdout);
    assert_eq!(said.matches("warning[unknown-key]").count(), 1, "{said}");
    assert!(said.contains("the same key stands in 3 other places"), "{said}");
    assert!(said.contains("4 warnings"), "{said}");
    let lines = text(&agentry(&["check", "--format", "jsonl"], folder.path()).stdout);
    assert_eq!(lines.matches("unknown-key").count(), 4, "programs get every one: {lines}");
}

#[test]
fn kinds_are_listed() {
    let folder = registry(&[]);
    let said = text(&agentry(&["kinds"], folder.path()).stdout);
    assert!(said.contains("provider") && said.contains("providers/<id>.toml"), "{said}");
}

#[test]
fn schemas_are_printed_as_they_are_published() {
    let folder = registry(&[]);
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    for (arguments, path) in [
        (&["schema", "provider"][..], "provider.schema.json"),
        (&["schema", "provider", "--draft", "07"], "draft-07/provider.schema.json"),
    ] {
        let said = text(&agentry(arguments, folder.path()).stdout);
        assert_eq!(said, fs::read_to_string(published.join(path)).expect("a schema"), "{arguments:?}");
    }
    assert_eq!(agentry(&["schema", "provider", "--draft", "12"], folder.path()).status.code(), Some(2));
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).expect("a README");
    let block = |opening: &str| {
        let (_, rest) = readme.split_once(opening).expect("the block");
        rest.split_once("```").expect("its end").0.to_owned()
    };
    let (document, finding) = (block("```toml\nid"), block("```text\n"));
    let folder = registry(&[("mcp/issue-board.toml", format!("id{document}").as_bytes())]);
    assert_eq!(text(&agentry(&["check", "mcp"], folder.path()).stdout), finding);
}

#[test]
fn what_is_given_for_a_secret_is_shown_nowhere() {
    let token = "ghp_0123456789abcdefABCDEF0123456789abcd";
    let provider = |line: &str| PROVIDER.to_owned() + line;
    let cases: [(&str, String); 8] = [
        ("twice", provider("api_key = \"hunter2a\"\napi_key = \"hunter2b\"\n")),
        ("beside", format!("api_key = \"hunter2\"\n{PROVIDER}")),
        ("syntax", provider("api_key: \"hunter2\"\n")),
        ("near", provider("API_KEY = \"hunter2\"\n\"api-key\" = \"hunter2\"\n")),
        ("list", provider("").replace("\"ACME_API_KEY\"", "[\"hunter2\"]")),
        ("query", provider("").replace("https://api.acme.example/v1", "htp://h/?token=hunter2")),
        ("number", provider("").replace("\"ACME_API_KEY\"", "12345678")),
        ("region", provider(&format!("[provider.regions.{token}]\nbase_url = 1\n"))),
    ];
    for (name, document) in cases {
        let folder = registry(&[("providers/acme.toml", document.as_bytes())]);
        let line = text(&agentry(&["check", "--format", "jsonl"], folder.path()).stdout);
        assert!(line.contains("\"severity\""), "{name}: something is found");
        for format in ["human", "json", "jsonl"] {
            let output = agentry(&["check", "--format", format], folder.path());
            let said = text(&output.stdout) + &text(&output.stderr);
            for secret in ["hunter2", "12345678", token] {
                assert!(!said.contains(secret), "{name} as {format} shows {secret}: {said}");
            }
        }
    }
    let workflow = format!(
        "id = \"w\"\nname = \"W\"\ndescription = \"D\"\n[[steps]]\nname = \"one\"\n\
         prompt_template = \"{{{{{token}}}}}\"\ndepends_on = [\"{token}\"]\n"
    );
    let folder = registry(&[("workflows/w.toml", workflow.as_bytes())]);
    for format in ["human", "json"] {
        let said = text(&agentry(&["check", "--format", format], folder.path()).stdout);
        assert!(said.contains("unknown-step") && !said.contains(token), "{said}");
    }
    let (_, answers) =
        answer(&["check", "--stdin-jsonl"], &format!("\"{token}\"\n{{\"text\": [\"{token}\"]}}\n"));
    assert!(answers.iter().all(|answer| !answer.to_string().contains(token)), "{answers:?}");
}

#[test]
fn files_of_other_programs_are_passed_over() {
    let folder = registry(&[
        ("providers/acme.toml", PROVIDER.as_bytes()),
        ("config.toml", b"[aliases]\nl = [\"log\"]\n"),
        ("plugin.toml", b"#:schema https://json.schemastore.org/plugin.json\n[tool]\nx = 1\n"),
        ("schema.toml", b"[table]\nname = \"x\"\n"),
        ("latin.toml", b"x = \"caf\xe9\"\n"),
        ("pyproject.toml", b"[project]\nname = \"x\"\nversion = \"1\"\n"),
    ]);
    let output = agentry(&["check"], folder.path());
    let said = text(&output.stdout);
    assert!(said.starts_with("checked 1 file (1 provider): 0 errors, 0 warnings"), "{said}");
}

#[test]
fn many_faults_on_one_line_end_soon_and_short() {
    let keys: Vec<String> = (0..4_000).map(|key| format!("\"k{key}\":1,\"k{key}\":2")).collect();
    let json = format!("{{{}}}", keys.join(","));
    let toml = "= = =\n".repeat(4_000);
    let folder = registry(&[("a.json", json.as_bytes()), ("b.toml", toml.as_bytes())]);
    for file in ["a.json", "b.toml"] {
        let start = std::time::Instant::now();
        let output = agentry(&["check", "--kind", "provider", file], folder.path());
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.len() < 2_000_000, "{file}: {} bytes", output.stdout.len());
        assert!(start.elapsed().as_secs() < 30, "{file}: {:?}", start.elapsed());
    }
}

#[test]
fn a_name_is_no_gap_where_identifiers_are_any_text() {
    let tool =
        br#"{"id": "TODO.create", "description": "Adds an entry.", "version": 5, "input": {}, "output": {}}"#;
    let agent = b"name = \"TODO\"\ndescription = \"TODO\"\nmodule = \"builtin:chat\"\n";
    let folder = registry(&[("tools/TODO.create.tool.json", tool), ("agents/TODO/agent.toml", agent)]);
    let output = agentry(&["check"], folder.path());
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error[wrong-type]") && said.contains("hint[template]"), "{said}");
}

#[test]
fn a_text_that_is_asked_about_is_no_template() {
    let request =
        |kind: &str, text: &str| serde_json::json!({ "id": 1, "kind": kind, "text": text }).to_string();
    for (kind, document) in
        [("agent", "name = \"<a>\""), ("skill", "skill = { name = \"{{a}}\" }\nruntime = []")]
    {
        let (status, _) = answer(&["check", "--stdin-jsonl"], &request(kind, document));
        assert_eq!(status, Some(1), "{document}");
    }
}

#[test]
fn a_tool_is_bound_or_not_or_nobody_knows() {
    let folder = registry(&[
        (
            "yes.json",
            br#"{"name":"nap","inputSchema":{"type":"object"},"outputSchema":{"type":"object",
                "properties":{"slept_ms":{"type":"integer"}},"required":["slept_ms"]}}"#,
        ),
        ("no.json", br#"{"name":"nap","inputSchema":{"type":"object","required":["duration","zone"]}}"#),
        ("unknown.json", br#"{"name":"nap","inputSchema":{}}"#),
        ("none.json", br#"{"name":"nap"}"#),
    ]);
    for (arguments, status, stdout) in [
        (["bind", "sleep", "yes.json"], 0, "input: yes\noutput: yes\n`nap` for sleep: yes\n"),
        (
            ["bind", "sleep", "no.json"],
            1,
            "input: no\n  no /inputSchema/required: `zone` is required, and a caller may leave it out\n    \
             for example {\"duration\":\"\"}\noutput: unknown\n  unknown /outputSchema: there is no output \
             schema: nothing says what the tool answers\n`nap` for sleep: no\n",
        ),
        (
            ["bind", "sleep", "unknown.json"],
            3,
            "input: yes\noutput: unknown\n  unknown /outputSchema: there is no output schema: nothing says what \
             the tool answers\n`nap` for sleep: unknown\n",
        ),
        (["bind", "sleep", "none.json"], 2, ""),
        (["bind", "sleep", "missing.json"], 2, ""),
        (["bind", "slumber", "yes.json"], 2, ""),
    ] {
        let output = agentry(&arguments, folder.path());
        assert_eq!(text(&output.stdout), stdout, "{arguments:?}");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", text(&output.stderr));
        assert_eq!(output.stderr.is_empty(), status != 2, "{arguments:?}");
    }
}
