//! Rules that need more than one file, or more than one place of a file: each case is a folder, and what is found in it.

use crate::walk;
use agentry_text::Lines;
use std::fs;

/// The rules that are tested here.
const RULES: [&str; 13] = [
    "differing-skill-files",
    "hash-mismatch",
    "missing-file",
    "missing-translation",
    "name-mismatch",
    "package-link",
    "stray-translation",
    "unasked-variable",
    "unhashed-script",
    "unknown-role",
    "unoffered-tool",
    "untranslated-text",
    "unwritten-metric",
];

/// Writes the files and checks their folder: each finding of these rules as `path:line:column severity rule pointer`.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if !text.is_empty() {
            fs::write(path, text).unwrap();
        }
    }
    found_in(folder.path())
}

fn found_in(folder: &std::path::Path) -> Vec<String> {
    let outcome = walk::run(&[folder.to_owned()], None);
    let mut found = Vec::new();
    for file in &outcome.files {
        let path = file.path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
        for finding in &file.checked.findings {
            if !RULES.contains(&finding.rule.name) {
                continue;
            }
            let at = Lines::new(&file.text).position(finding.span.start);
            let (severity, rule) = (finding.severity.name(), finding.rule.name);
            found.push(format!("{path}:{}:{} {severity} {rule} {}", at.line, at.column, finding.pointer));
        }
    }
    found
}

/// A hand with one role.
fn hand(tools: &str, prompt: &str, more: &str) -> String {
    format!(
        "id = \"harbor\"\nname = \"Harbor\"\ndescription = \"Keeps the berth plan and answers the owners.\"\n\
         category = \"productivity\"\ntools = [{tools}]\n[agents.clerk]\nname = \"clerk\"\nmodule = \"builtin:chat\"\n\
         system_prompt = \"\"\"\n{prompt}\n\"\"\"\n{more}"
    )
}

fn agent(before: &str, prompt: &str, capabilities: &str) -> String {
    format!(
        "name = \"coder\"\ndescription = \"Writes.\"\nmodule = \"builtin:chat\"\n{before}\n[model]\nprovider = \"default\"\n\
         model = \"default\"\nsystem_prompt = \"{prompt}\"\n{capabilities}"
    )
}

#[test]
fn a_prompt_speaks_of_tools_that_are_granted() {
    let at = |column: usize| {
        vec![format!("agents/coder/agent.toml:8:{column} hint unoffered-tool /model/system_prompt")]
    };
    let read = "[capabilities]\ntools = [\"file_read\"]\n";
    for (before, prompt, capabilities, expected) in [
        ("", "Read with file_read.", read, vec![]),
        ("", "Write with `file_write`.", read, at(30)),
        ("", "Ü \\\"x\\\" then file_write, file_write(a)", read, at(31)),
        ("", "Write with `file_write`.", "[capabilities]\ntools = [\"file_*\"]\n", vec![]),
        ("", "Write with `file_write`.", "[capabilities]\ntools = [\"*\"]\n", vec![]),
        // Nobody can say what is granted.
        ("", "Write with `file_write`.", "", vec![]),
        ("", "Write with `file_write`.", "[capabilities]\ntools = []\n", vec![]),
        ("profile = \"coding\"", "Write with `file_write`.", read, vec![]),
        ("profile = \"custom\"", "Write with `file_write`.", read, at(30)),
        ("tool_blocklist = [\"file_read\"]", "Read with file_read.", read, at(28)),
        ("tool_allowlist = [\"file_list\"]", "Read with file_read.", read, at(28)),
        ("tools_disabled = true", "Read with file_read.", "", at(28)),
        // Offered without being granted.
        ("", "Look with tool_search and skill_evolve_patch.", read, vec![]),
    ] {
        let text = agent(before, prompt, capabilities);
        assert_eq!(found(&[("agents/coder/agent.toml", &text)]), expected, "{text}");
    }
    // A fault elsewhere hides nothing.
    let broken = agent("priority = 7", "Write with `file_write`.", read);
    assert_eq!(found(&[("agents/coder/agent.toml", &broken)]), at(30));
}

#[test]
fn the_roles_of_a_hand_have_its_tools() {
    let two = "[agents.scout]\nname = \"scout\"\nmodule = \"builtin:chat\"\ncapabilities = { tools = [\"web_fetch\"] }\n\
               [agents.scout.model]\nprovider = \"default\"\nmodel = \"default\"\nsystem_prompt = \"Call web_fetch, web_search, agent_send.\"\n";
    for (tools, prompt, more, expected) in [
        ("\"web_search\"", "Call `web_search`.", "", &[][..]),
        ("", "Call `web_search`.", "", &[]),
        (
            "\"file_read\"",
            "First:\n  agent_send and `event_publish \\\"done\\\"`.",
            "",
            &[
                "hands/harbor/HAND.toml:11:3 hint unoffered-tool /agents/clerk/system_prompt",
                "hands/harbor/HAND.toml:11:19 hint unoffered-tool /agents/clerk/system_prompt",
            ],
        ),
        (
            "\"file_read\"",
            "agent_send is there.",
            two,
            &["hands/harbor/HAND.toml:19:34 hint unoffered-tool /agents/scout/model/system_prompt"],
        ),
    ] {
        let text = hand(tools, prompt, more);
        assert_eq!(found(&[("hands/harbor/HAND.toml", &text)]), expected, "{text}");
    }
}

#[test]
fn what_the_dashboard_shows_is_spoken_of() {
    const METRICS: &str = "[[dashboard.metrics]]\nlabel = \"A\"\nmemory_key = \"boats_seen\"\nformat = \"number\"\n\
                           [[dashboard.metrics]]\nlabel = \"B\"\nmemory_key = \"boats_lost\"\nformat = \"number\"\n";
    let line = |line: usize, severity: &str, index: usize| {
        format!(
            "hands/harbor/HAND.toml:{line}:14 {severity} unwritten-metric /dashboard/metrics/{index}/memory_key"
        )
    };
    let base = "[agents.scout]\nbase = \"coder\"\n";
    for (prompt, before, beside, expected) in [
        ("Store boats_seen and `boats_lost`.", "", "", vec![]),
        ("Store boats_seen.", "", "", vec![line(18, "warning", 1)]),
        ("Store boats_seen, and boats_lost_at.", "", "", vec![line(18, "warning", 1)]),
        ("Store boats_seen.", "", "Count in `boats_lost`.", vec![]),
        ("Store boats_*.", "", "", vec![]),
        ("Store boats_<what>.", "", "", vec![]),
        // Prompts may say it elsewhere, or in other words.
        ("Store boats_seen.", base, "", vec![line(20, "hint", 1)]),
        (
            "Store boats_seen.",
            "[[settings]]\nkey = \"k\"\nlabel = \"K\"\nsetting_type = \"text\"\ndefault = \"\"\n",
            "",
            vec![line(23, "warning", 1)],
        ),
        ("Store boats_seen.", "skills = [\"counting\"]\n", "", vec![line(19, "hint", 1)]),
        ("Store what you counted.", "", "", vec![line(14, "hint", 0), line(18, "hint", 1)]),
    ] {
        let text = hand("\"memory_store\"", prompt, &format!("{before}{METRICS}"));
        let mut files = vec![("hands/harbor/HAND.toml", text.as_str())];
        let skill = format!("---\nname: harbor\ndescription: Knows boats.\n---\n{beside}\n");
        if !beside.is_empty() {
            files.push(("hands/harbor/SKILL.md", &skill));
        }
        assert_eq!(found(&files), expected, "{text}");
    }
    // What a translation says is for people.
    let text = hand("", "Store boats_seen.", &format!("{METRICS}[i18n.de]\nname = \"boats_lost\"\n"));
    assert_eq!(found(&[("hands/harbor/HAND.toml", &text)]), [line(18, "warning", 1)]);
}

#[test]
fn a_hand_asks_for_what_its_servers_need() {
    let server = |more: &str| {
        format!(
            "id = \"board\"\nname = \"Board\"\ndescription = \"Issues.\"\ncategory = \"devtools\"\n[transport]\ntype = \"stdio\"\n\
             command = \"board\"\n[[required_env]]\nname = \"BOARD_TOKEN\"\nlabel = \"Token\"\n{more}"
        )
    };
    let asks = |kind: &str, value: &str| {
        format!(
            "[[requires]]\nkey = \"token\"\nlabel = \"T\"\nrequirement_type = \"{kind}\"\ncheck_value = \"{value}\"\n"
        )
    };
    let setting = "[[settings]]\nkey = \"t\"\nlabel = \"T\"\nsetting_type = \"text\"\ndefault = \"\"\nenv_var = \"BOARD_TOKEN\"\n";
    let uses = |list: &str, more: &str| {
        hand("", "Work.", more).replace("tools = []", &format!("tools = []\nmcp_servers = [{list}]"))
    };
    let at = ["hands/harbor/HAND.toml:6:16 hint unasked-variable /mcp_servers/0"];
    for (hand, server, expected) in [
        (uses("\"board\"", ""), server(""), &at[..]),
        (uses("\"board\"", &asks("api_key", "OTHER_TOKEN")), server("[oauth]\nprovider = \"acme\"\n"), &at),
        (uses("\"board\"", &asks("api_key", "BOARD_TOKEN")), server(""), &[]),
        (uses("\"board\"", &asks("any_env_var", "A, BOARD_TOKEN")), server(""), &[]),
        (uses("\"board\"", setting), server(""), &[]),
        (uses("\"*\"", ""), server(""), &[]),
        (uses("\"other\"", ""), server(""), &[]),
    ] {
        let files = [("hands/harbor/HAND.toml", hand.as_str()), ("mcp/board.toml", server.as_str())];
        assert_eq!(found(&files), expected, "{hand}");
        // Without the server nobody knows.
        assert_eq!(found(&files[..1]), [""; 0], "{hand}");
    }
    let role = hand("", "Work.", "mcp_servers = [\"x\", \"board\"]\n");
    let files = [("hands/harbor/HAND.toml", role.as_str()), ("mcp/board.toml", &server(""))];
    assert_eq!(
        found(&files),
        ["hands/harbor/HAND.toml:12:21 hint unasked-variable /agents/clerk/mcp_servers/1"]
    );
}

#[test]
fn translations_are_whole_and_belong_to_something() {
    const SETTING: &str =
        "[[settings]]\nkey = \"berth\"\nlabel = \"Berth\"\nsetting_type = \"text\"\ndefault = \"\"\n";
    let at = |line: usize, severity: &str, rule: &str, pointer: &str| {
        format!("hands/harbor/HAND.toml:{line}:{severity} {rule} /i18n/{pointer}")
    };
    for (i18n, expected) in [
        ("[i18n.de]\nname = \"Hafen\"\n[i18n.fr]\nname = \"Port\"\n", vec![]),
        // One language alone is a trial.
        ("[i18n.de]\nname = \"Hafen\"\ncategory = \"x\"\n[i18n.fr]\nname = \"Port\"\n", vec![]),
        (
            "[i18n.de]\nname = \"Hafen\"\ncategory = \"x\"\n[i18n.es]\nname = \"Puerto\"\ncategory = \"y\"\n[i18n.fr]\nname = \"Port\"\n",
            vec![at(23, "7 hint", "missing-translation", "fr")],
        ),
        (
            "[i18n.de.settings.berth]\nlabel = \"Platz\"\n[i18n.de.settings.birth]\nlabel = \"Platz\"\n[i18n.de.agents.clark]\nname = \"x\"\n",
            vec![
                at(19, "19 warning", "stray-translation", "de/settings/birth"),
                at(21, "17 warning", "stray-translation", "de/agents/clark"),
            ],
        ),
        ("[i18n.de]\nname = \"Harbor\"\ndescription = \"Hält den Liegeplan.\"\n", vec![]),
        (
            "[i18n.de]\nname = \"Hafen\"\ndescription = \"Keeps the berth plan and answers the owners.\"\n",
            vec![at(19, "15 hint", "untranslated-text", "de/description")],
        ),
        (
            "[i18n.en-GB]\nname = \"Port\"\ndescription = \"Keeps the berth plan and answers the owners.\"\n",
            vec![],
        ),
        ("[i18n.da]\nname = \"Havn\"\ncategory = \"productivity\"\n", vec![]),
        (
            "[i18n.da]\ncategory = \"productivity\"\n[i18n.de]\ncategory = \"productivity\"\n",
            vec![
                at(18, "12 hint", "untranslated-text", "da/category"),
                at(20, "12 hint", "untranslated-text", "de/category"),
            ],
        ),
    ] {
        let text = hand("", "Work.", &format!("{SETTING}{i18n}"));
        assert_eq!(found(&[("hands/harbor/HAND.toml", &text)]), expected, "{i18n}");
    }
    // Of two settings one is translated.
    let two = format!("{SETTING}{}", SETTING.replace("\"berth\"", "\"quay\""));
    let text = hand("", "Work.", &format!("{two}[i18n.de.settings.berth]\nlabel = \"Platz\"\n"));
    assert_eq!(found(&[("hands/harbor/HAND.toml", &text)]), [at(22, "7 hint", "missing-translation", "de")]);
    // A name that was changed in every language but one, and nothing else.
    let three = ["de", "fr", "es"]
        .map(|language| format!("[i18n.{language}.settings.birth]\nlabel = \"{language}\"\n"))
        .concat();
    let text = hand("", "Work.", &format!("{SETTING}{three}[i18n.it.settings.berth]\nlabel = \"Posto\"\n"));
    assert_eq!(
        found(&[("hands/harbor/HAND.toml", &text)]),
        [
            at(17, "19 warning", "stray-translation", "de/settings/birth"),
            at(19, "19 warning", "stray-translation", "fr/settings/birth"),
            at(21, "19 warning", "stray-translation", "es/settings/birth"),
        ]
    );
    // A registry in another language, which repeats its own texts under that language.
    let own = "id = \"hafen\"\nname = \"Hafen\"\ndescription = \"Meldet jede neue Nachricht im Hafen.\"\ncategory = \"iot\"\n\
               protocol = \"mqtt\"\nicon = \"⚓\"\n[i18n.de]\nname = \"Hafen\"\ndescription = \"Meldet jede neue Nachricht im Hafen.\"\n";
    assert_eq!(found(&[("channels/hafen.toml", own)]), [""; 0]);
}

#[test]
fn a_language_that_siblings_have_is_missed() {
    let plugin = |name: &str, i18n: &str| {
        format!("name = \"{name}\"\nversion = \"0.1.0\"\ndescription = \"Keeps notes.\"\n{i18n}")
    };
    let both = "[i18n.de]\nname = \"Ü\"\n[i18n.zh-TW]\nname = \"Ü\"\n";
    for (i18n, count, expected) in [
        (both, 4, &[][..]),
        ("", 4, &["plugins/d/plugin.toml:1:8 hint missing-translation /name"]),
        ("[i18n.zh_tw]\nname = \"Ü\"\n", 4, &["plugins/d/plugin.toml:4:2 hint missing-translation /i18n"]),
        // Too few to have a custom.
        ("", 3, &[]),
    ] {
        let texts: Vec<(String, String)> = ["a", "b", "c", "d"][4 - count..]
            .iter()
            .map(|name| {
                let i18n = if *name == "d" { i18n } else { both };
                (format!("plugins/{name}/plugin.toml"), plugin(name, i18n))
            })
            .collect();
        let files: Vec<_> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        assert_eq!(found(&files), expected, "{i18n}");
    }
    // Where half of the files have it, nobody forgot it.
    let texts: Vec<(String, String)> = ["a", "b", "c", "d"]
        .iter()
        .map(|name| {
            (format!("plugins/{name}/plugin.toml"), plugin(name, if *name < "c" { both } else { "" }))
        })
        .collect();
    let files: Vec<_> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(found(&files), [""; 0]);
}

#[test]
fn the_files_of_a_plugin_are_there_and_have_their_hashes() {
    // What `sha256sum` says of the script below.
    const HASH: &str = "d8594fa1268ecabc62af7c9e2449b8c46db0f426cd9aad384c67efe59e582b3e";
    const SCRIPT: (&str, &str) = ("plugins/log/hooks/ingest.py", "print()\n");
    let manifest = |lines: &str| {
        format!("name = \"log\"\nversion = \"0.1.0\"\ndescription = \"Keeps notes.\"\n{lines}\n")
    };
    let at = |place: &str| format!("plugins/log/plugin.toml:{place}");
    let (upper, other) = (HASH.to_uppercase(), "0".repeat(64));
    let ingest = "[hooks]\ningest = \"hooks/ingest.py\"\n";
    for (lines, files, expected) in [
        (ingest.to_owned(), &[SCRIPT][..], vec![]),
        (ingest.replace("hooks/", "./hooks/"), &[SCRIPT], vec![]),
        (format!("{ingest}[integrity]\n\"hooks/ingest.py\" = \"{HASH}\""), &[SCRIPT], vec![]),
        (format!("{ingest}[integrity]\n\"./hooks/ingest.py\" = \"{upper}\""), &[SCRIPT], vec![]),
        (
            format!("{ingest}[integrity]\n\"hooks/ingest.py\" = \"{other}\""),
            &[SCRIPT],
            vec![at("7:21 error hash-mismatch /integrity/hooks~1ingest.py")],
        ),
        (
            format!("{ingest}after_turn = \"hooks/after.py\"\n[integrity]\n\"hooks/ingest.py\" = \"{HASH}\""),
            &[SCRIPT, ("plugins/log/hooks/after.py", "x\n")],
            vec![at("6:14 warning unhashed-script /hooks/after_turn")],
        ),
        (
            format!(
                "requirements = \"requirements.txt\"\n[hooks]\ningest = \"hooks/ingset.py\"\n[integrity]\n\"hooks/gone.py\" = \"{HASH}\""
            ),
            &[SCRIPT],
            vec![
                at("4:16 error missing-file /requirements"),
                at("6:10 error missing-file /hooks/ingest"),
                at("6:10 warning unhashed-script /hooks/ingest"),
                at("8:1 error missing-file /integrity/hooks~1gone.py"),
            ],
        ),
        (
            "[hooks]\ningest = \"hooks\"\n".to_owned(),
            &[SCRIPT],
            vec![at("5:10 error missing-file /hooks/ingest")],
        ),
        // Built where it is installed.
        (
            "[hooks]\nruntime = \"native\"\ningest = \"hooks/ingest\"\n".to_owned(),
            &[SCRIPT],
            vec![at("6:10 hint missing-file /hooks/ingest")],
        ),
        // A copy of the manifest alone.
        (
            format!("{ingest}after_turn = \"hooks/b.py\""),
            &[],
            vec![at("5:10 hint missing-file /hooks/ingest")],
        ),
        // What leads out is refused by its form, and not looked for.
        ("[hooks]\ningest = \"../log/hooks/ingest.py\"\n".to_owned(), &[SCRIPT], vec![]),
    ] {
        let manifest = manifest(&lines);
        let mut all = vec![("plugins/log/plugin.toml", manifest.as_str())];
        all.extend(files);
        let mut found = found(&all);
        found.sort();
        assert_eq!(found, expected, "{lines}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_among_the_files_of_a_plugin_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = folder.path().join("plugins/log");
    fs::create_dir_all(&plugin).unwrap();
    fs::write(folder.path().join("outside.py"), "print()\n").unwrap();
    fs::write(plugin.join("inside.py"), "print()\n").unwrap();
    std::os::unix::fs::symlink("../../outside.py", plugin.join("a.py")).unwrap();
    std::os::unix::fs::symlink("inside.py", plugin.join("b.py")).unwrap();
    let text = format!(
        "name = \"log\"\nversion = \"0.1.0\"\ndescription = \"Keeps notes.\"\n[hooks]\ningest = \"a.py\"\nafter_turn = \"b.py\"\n\
         [integrity]\n\"a.py\" = \"{0}\"\n\"b.py\" = \"{0}\"\n",
        "0".repeat(64)
    );
    fs::write(plugin.join("plugin.toml"), text).unwrap();
    assert_eq!(
        found_in(folder.path()),
        [
            "plugins/log/plugin.toml:5:10 error package-link /hooks/ingest",
            "plugins/log/plugin.toml:6:14 warning package-link /hooks/after_turn",
            "plugins/log/plugin.toml:8:1 error package-link /integrity/a.py",
            "plugins/log/plugin.toml:9:1 warning package-link /integrity/b.py",
        ]
    );
}

#[cfg(unix)]
#[test]
fn what_cannot_be_hashed_among_the_files_of_a_plugin_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = folder.path();
    let large = fs::File::create(plugin.join("large.bin")).unwrap();
    large.set_len(64 * 1024 * 1024 + 1).unwrap();
    std::os::unix::fs::symlink("gone.py", plugin.join("link.py")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(plugin.join("socket")).unwrap();
    let hash = "0".repeat(64);
    let text = format!(
        "name = \"log\"\nversion = \"0.1.0\"\ndescription = \"Keeps notes.\"\n[integrity]\n\"large.bin\" = \"{hash}\"\n\
         \"link.py\" = \"{hash}\"\n\"socket\" = \"{hash}\"\n"
    );
    fs::write(plugin.join("plugin.toml"), text).unwrap();
    let outcome = walk::run(&[plugin.to_owned()], None);
    let findings = outcome.files.iter().flat_map(|file| &file.checked.findings);
    let found: Vec<_> = findings
        .filter(|finding| finding.pointer.starts_with("/integrity/"))
        .map(|finding| format!("{} {}: {}", finding.severity.name(), finding.rule.name, finding.message))
        .collect();
    assert_eq!(
        found,
        [
            "hint too-large: `large.bin` is larger than the 67108864 bytes of which a hash is computed here",
            "error package-link: `link.py` is a link that leads nowhere, or back to itself",
            "error missing-file: `socket`, of which a hash is stated, is no file",
        ]
    );
}

#[test]
fn two_files_of_one_skill_say_the_same() {
    let toml = "[skill]\nname = \"tides\"\nversion = \"0.1.0\"\ndescription = \"Reads  tide tables.\"\n[runtime]\ntype = \"promptonly\"\n\
                [prompt]\ntemplate = \"Read them.\"\n";
    for (name, description, more, expected) in [
        ("tides", "Reads tide tables.", "version: 0.1.0\n", &[][..]),
        ("tide-tables", "Reads tide tables.", "", &["skills/tides/SKILL.md:2:7 error name-mismatch /name"]),
        (
            "tides",
            "Reads charts.",
            "version: 0.2.0\n",
            &[
                "skills/tides/SKILL.md:3:14 hint differing-skill-files /description",
                "skills/tides/SKILL.md:4:10 hint differing-skill-files /version",
            ],
        ),
        (
            "tides",
            "Reads tide tables.",
            "metadata:\n  version: \"0.2\"\n",
            &["skills/tides/SKILL.md:5:12 hint differing-skill-files /metadata/version"],
        ),
    ] {
        let md = format!("---\nname: {name}\ndescription: {description}\n{more}---\nText.\n");
        let found = found(&[("skills/tides/skill.toml", toml), ("skills/tides/SKILL.md", &md)]);
        assert_eq!(found, expected, "{md}");
    }
}

#[test]
fn what_a_role_is_taught_belongs_to_a_role() {
    let skill = "---\nname: harbor\ndescription: Knows boats.\n---\nText.\n";
    let plain = hand("", "Work.", "");
    let unknown = |path: &str| vec![format!("hands/harbor/{path}:1:1 warning unknown-role ")];
    for (path, expected) in [
        ("SKILL.md", vec![]),
        ("SKILL-clerk.md", vec![]),
        ("SKILL-CLERK.md", vec![]),
        ("SKILL-clark.md", unknown("SKILL-clark.md")),
    ] {
        let skill_path = format!("hands/harbor/{path}");
        let files = [("hands/harbor/HAND.toml", plain.as_str()), (&skill_path, skill)];
        assert_eq!(found(&files), expected, "{path}");
        assert_eq!(found(&files[1..]), [""; 0], "{path}");
    }
    let points = skill.replace("Text.", "See `SKILL-more.md`.");
    let files = [
        ("hands/harbor/HAND.toml", plain.as_str()),
        ("hands/harbor/SKILL-more.md", skill),
        ("hands/harbor/SKILL.md", &points),
    ];
    assert_eq!(found(&files), [""; 0]);
    let text = hand("", "Work.", "[agent_skill_content]\nCLERK = \"x\"\nscout = \"y\"\n");
    assert_eq!(
        found(&[("hands/harbor/HAND.toml", &text)]),
        ["hands/harbor/HAND.toml:14:1 warning unknown-role /agent_skill_content/scout"]
    );
}
