//! Registries that are written, checked in one run, and judged by where something is found.

use crate::walk::{Outcome, run};
use agentry_text::Lines;
use std::fs;
use std::path::PathBuf;

fn write(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// What the rules across files say, as `path:line:column severity rule pointer`.
fn lines(folder: &tempfile::TempDir, outcome: &Outcome) -> Vec<String> {
    let mut found = Vec::new();
    for file in &outcome.files {
        let path = file.path.strip_prefix(folder.path()).unwrap().display().to_string();
        for finding in &file.checked.findings {
            if super::RULES.contains(&finding.rule) {
                let at = Lines::new(&file.text).position(finding.span.start);
                let (severity, rule) = (finding.severity.name(), finding.rule.name);
                found.push(format!("{path}:{}:{} {severity} {rule} {}", at.line, at.column, finding.pointer));
            }
        }
    }
    found
}

fn found(files: &[(&str, String)]) -> Vec<String> {
    let folder = write(files);
    let outcome = run(&[folder.path().to_owned()], None);
    lines(&folder, &outcome)
}

/// The same where only some of the files are named.
fn found_in(files: &[(&str, String)], named: &[&str]) -> Vec<String> {
    let folder = write(files);
    let paths: Vec<PathBuf> = named.iter().map(|path| folder.path().join(path)).collect();
    lines(&folder, &run(&paths, None))
}

/// A provider with models: each an id, a displayed name and aliases.
fn provider(id: &str, models: &[(&str, &str, &str)]) -> String {
    let models = models.iter().map(|(id, shown, aliases)| {
        format!(
            "[[models]]\nid = \"{id}\"\naliases = [{aliases}]\ndisplay_name = \"{shown}\"\ntier = \"fast\"\n\
             context_window = 8192\nmax_output_tokens = 1024\ninput_cost_per_m = 0.1\noutput_cost_per_m = 0.4\n"
        )
    });
    let key = id.to_uppercase();
    format!(
        "[provider]\nid = \"{id}\"\ndisplay_name = \"{id}\"\napi_key_env = \"{key}_KEY\"\n\
         base_url = \"https://{id}.example/v1\"\nkey_required = true\n{}",
        models.collect::<String>()
    )
}

/// An agent, with keys of its own and what stands below `[model]`.
fn agent(name: &str, keys: &str, model: &str) -> String {
    format!(
        "name = \"{name}\"\ndescription = \"An agent.\"\nmodule = \"builtin:chat\"\n{keys}\n\
         [model]\nsystem_prompt = \"Help.\"\n{model}\n"
    )
}

/// A hand with one role, with keys of each.
fn hand(id: &str, keys: &str, role: &str) -> String {
    format!(
        "id = \"{id}\"\nname = \"A hand\"\ndescription = \"It helps.\"\ncategory = \"data\"\ntools = [\"web_fetch\"]\n{keys}\n\
         [agents.main]\nname = \"{id}-main\"\nmodule = \"builtin:chat\"\nsystem_prompt = \"Help.\"\n{role}\n"
    )
}

fn integration(id: &str) -> String {
    format!("id = \"{id}\"\nname = \"A server\"\n[transport]\ntype = \"stdio\"\ncommand = \"serve\"\n")
}

fn plugin(name: &str) -> String {
    format!("name = \"{name}\"\nversion = \"0.1.0\"\ndescription = \"A plugin.\"\n[hooks]\n")
}

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: A skill.\n---\nText.\n")
}

fn tool(id: &str) -> String {
    let input = r#"{"type": "object", "properties": {}}"#;
    format!(
        r#"{{"id": "{id}", "description": "Tides.", "version": "1.0.0", "input": {input}, "output": {{}}}}"#
    )
}

fn workflow(id: &str, step: &str) -> String {
    format!(
        "id = \"{id}\"\nname = \"A workflow\"\ndescription = \"Does it.\"\n[[steps]]\nname = \"one\"\nprompt_template = \"Do it.\"\n{step}\n"
    )
}

/// Files, and what is found in them.
type Case<'c> = (&'c [(&'c str, String)], &'c [&'c str]);

fn assert_found(cases: &[Case<'_>]) {
    for (files, expected) in cases {
        let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
        assert_eq!(found(files), *expected, "{paths:?}\n{}", files[0].1);
    }
}

#[test]
fn one_name_is_of_one_document() {
    let none: &[&str] = &[];
    assert_found(&[
        (
            &[("mcp/tides.toml", integration("tides")), ("mcp/tides/MCP.toml", integration("tides"))],
            &["mcp/tides.toml:1:6 warning duplicate-name /id"],
        ),
        (
            &[("workflows/a-b.toml", workflow("a-b", "")), ("workflows/a_b.toml", workflow("a_b", ""))],
            &["workflows/a_b.toml:1:6 warning duplicate-name /id"],
        ),
        (
            &[("providers/a.toml", provider("acme", &[])), ("providers/b.toml", provider("acme", &[]))],
            &["providers/b.toml:2:6 warning duplicate-name /provider/id"],
        ),
        // Models get tools by names without dots.
        (
            &[("tools/tide.get.tool.json", tool("tide.get")), ("tools/tide_get.tool.json", tool("tide_get"))],
            &["tools/tide_get.tool.json:1:8 warning duplicate-name /id"],
        ),
        (
            &[("tools/tide.get.tool.json", tool("tide.get")), ("tools/tide.put.tool.json", tool("tide.put"))],
            none,
        ),
        // Two kinds, two registries, and hands that keep skills for themselves.
        (&[("mcp/tides.toml", integration("tides")), ("workflows/tides.toml", workflow("tides", ""))], none),
        (&[("one/mcp/tides.toml", integration("tides")), ("two/mcp/tides.toml", integration("tides"))], none),
        (
            &[("mcp/tides.toml", integration("tides")), ("examples/mcp/tides.toml", integration("tides"))],
            none,
        ),
        (&[("hands/a/SKILL.md", skill("tides")), ("hands/b/SKILL.md", skill("tides"))], none),
        (&[("mcp/tides.toml", integration("tides")), ("mcp/tidex.toml", integration("tidex"))], none),
        // The models of two providers may share an id; those of one may not.
        (
            &[
                ("providers/a.toml", provider("a", &[("m-1", "M", "")])),
                ("providers/b.toml", provider("b", &[("M-1", "M", "")])),
            ],
            none,
        ),
        (
            &[("providers/a.toml", provider("a", &[("m-1", "M", ""), ("M-1", "N", "")]))],
            &["providers/a.toml:17:6 warning duplicate-name /models/1/id"],
        ),
        // Ids that only people take for each other.
        (
            &[("providers/a.toml", provider("a", &[("m-1", "M", ""), ("M_1", "N", "")]))],
            &["providers/a.toml:17:6 hint duplicate-name /models/1/id"],
        ),
        (
            &[("providers/a.toml", provider("a", &[("m-1", "M", ""), ("m1", "N", ""), ("m.1", "O", "")]))],
            none,
        ),
    ]);
}

#[test]
fn an_alias_is_the_name_of_one_model() {
    let none: &[&str] = &[];
    let aliases = |text: &str| format!("[aliases]\n{text}\n");
    let acme = || ("providers/acme.toml", provider("acme", &[("acme-mini", "Acme Mini", "\"mini\"")]));
    let other = |aliases: &str| ("providers/other.toml", provider("other", &[("other-1", "Other", aliases)]));
    assert_found(&[
        (
            &[acme(), other("\"ACME-mini\"")],
            &["providers/other.toml:9:12 warning ambiguous-alias /models/0/aliases/0"],
        ),
        (
            &[acme(), other("\"x\", \"Mini\"")],
            &["providers/other.toml:9:17 warning ambiguous-alias /models/0/aliases/1"],
        ),
        (
            &[("providers/acme.toml", provider("acme", &[("acme-s", "Sonar", "")])), other("\"sonar\"")],
            &["providers/other.toml:9:12 warning ambiguous-alias /models/0/aliases/0"],
        ),
        // The same model at another provider, and a model's own displayed name.
        (&[acme(), ("providers/shop.toml", provider("shop", &[("Acme-Mini", "Mini", "\"mini\"")]))], none),
        // In one file.
        (
            &[(
                "providers/a.toml",
                provider("a", &[("a-1", "One", "\"A-1\""), ("a-2", "Two", "\"one\", \"a-1\"")]),
            )],
            &[
                "providers/a.toml:9:12 hint ambiguous-alias /models/0/aliases/0",
                "providers/a.toml:18:12 warning ambiguous-alias /models/1/aliases/0",
                "providers/a.toml:18:19 warning ambiguous-alias /models/1/aliases/1",
            ],
        ),
        // Of the whole registry.
        (&[("aliases.toml", aliases("fast = \"acme-mini\"")), acme()], none),
        (
            &[("aliases.toml", aliases("fast = \"acme-mini\"\ndeep = \"acme-grand-1\"")), acme()],
            &["aliases.toml:3:8 error unknown-model /aliases/deep"],
        ),
        (
            &[("aliases.toml", aliases("fast = \"mini\"")), acme()],
            &["aliases.toml:2:8 warning unknown-model /aliases/fast"],
        ),
        (
            &[("aliases.toml", aliases("mini = \"acme-mini\"")), acme()],
            &["aliases.toml:2:1 hint ambiguous-alias /aliases/mini"],
        ),
        (
            &[("aliases.toml", aliases("mini = \"other-1\"")), acme(), other("")],
            &["aliases.toml:2:1 warning ambiguous-alias /aliases/mini"],
        ),
        (
            &[("aliases.toml", aliases("gone = \"gone\"")), acme()],
            &["aliases.toml:2:1 warning ambiguous-alias /aliases/gone"],
        ),
        (
            &[("aliases.toml", aliases("acme-mini = \"acme-mini\"")), acme()],
            &["aliases.toml:2:1 warning ambiguous-alias /aliases/acme-mini"],
        ),
        (
            &[("aliases.toml", aliases("acme-mini = \"other-1\"")), acme(), other("")],
            &["aliases.toml:2:1 warning ambiguous-alias /aliases/acme-mini"],
        ),
        (
            &[("aliases.toml", aliases("fast = \"acme-mini\"\nFast = \"other-1\"")), acme(), other("")],
            &["aliases.toml:3:1 warning ambiguous-alias /aliases/Fast"],
        ),
        // Where a provider has models that no file lists, a name may be one of them.
        (
            &[
                ("aliases.toml", aliases("far = \"far-1\"")),
                acme(),
                ("providers/empty.toml", provider("empty", &[])),
            ],
            &["aliases.toml:2:7 warning unknown-model /aliases/far"],
        ),
        (
            &[
                ("aliases.toml", aliases("far = \"empty/far-1\"")),
                acme(),
                ("providers/empty.toml", provider("empty", &[])),
            ],
            none,
        ),
        // A template has no models, and hides none.
        (
            &[
                ("aliases.toml", aliases("far = \"far-1\"")),
                acme(),
                ("providers/template.toml", provider("{{ID}}", &[("{{MODEL}}", "{{NAME}}", "\"mini\"")])),
            ],
            &["aliases.toml:2:7 error unknown-model /aliases/far"],
        ),
        // Without a catalogue, or with a part of it, nothing is known.
        (&[("aliases.toml", aliases("far = \"far-1\""))], none),
        (
            &[
                ("aliases.toml", aliases("far = \"far-1\"")),
                acme(),
                ("providers/b.toml", "[provider\n".to_owned()),
            ],
            none,
        ),
    ]);
}

#[test]
fn a_phrase_leads_to_one_document() {
    let none: &[&str] = &[];
    let routed = |name: &str, strong: &str, weak: &str| {
        agent(name, &format!("[metadata.routing]\naliases = [{strong}]\nweak_aliases = [{weak}]"), "")
    };
    let a = || ("agents/a/agent.toml", routed("a", "\"book a berth\", \"Tides\"", "\"water\""));
    let hand =
        |weak: &str| ("hands/b/HAND.toml", hand("b", &format!("[routing]\nweak_aliases = [{weak}]"), ""));
    assert_found(&[
        (
            &[a(), hand("\"x\", \"tides\"")],
            &["hands/b/HAND.toml:7:22 warning shared-phrase /routing/weak_aliases/1"],
        ),
        (
            &[a(), hand("\"Book  a  Berth\"")],
            &["hands/b/HAND.toml:7:17 warning shared-phrase /routing/weak_aliases/0"],
        ),
        (&[a(), hand("\"water\"")], &["hands/b/HAND.toml:7:17 hint shared-phrase /routing/weak_aliases/0"]),
        (&[a(), hand("\"reports\"")], none),
        (
            &[("agents/a/agent.toml", routed("a", "\"sail home\"", "\"home\", \"Sail home\""))],
            &["agents/a/agent.toml:6:25 warning shared-phrase /metadata/routing/weak_aliases/1"],
        ),
        (
            &[
                ("agents/a/agent.toml", routed("a", "\"überblick\"", "")),
                ("agents/c/agent.toml", routed("c", "\"ÜBERBLICK\"", "")),
            ],
            &["agents/c/agent.toml:5:12 warning shared-phrase /metadata/routing/aliases/0"],
        ),
        (&[a(), ("other/agents/c/agent.toml", routed("c", "\"tides\"", ""))], none),
    ]);
}

#[test]
fn what_is_named_is_defined_where_the_whole_catalogue_is_there() {
    let none: &[&str] = &[];
    let coder = || ("agents/coder/agent.toml", agent("coder", "", ""));
    assert_found(&[
        (
            &[coder(), ("hands/a/HAND.toml", hand("a", "", "base = \"codre\""))],
            &["hands/a/HAND.toml:11:8 warning unknown-agent /agents/main/base"],
        ),
        (&[coder(), ("hands/a/HAND.toml", hand("a", "", "base = \"coder\""))], none),
        (&[("hands/a/HAND.toml", hand("a", "", "base = \"coder\""))], none),
        (
            &[coder(), ("workflows/w.toml", workflow("w", "agent = \"planner\""))],
            &["workflows/w.toml:7:9 warning unknown-agent /steps/0/agent"],
        ),
        // A role is an agent too, and so is what a runtime gave an id.
        (
            &[
                coder(),
                ("hands/a/HAND.toml", hand("a", "", "")),
                ("workflows/v.toml", workflow("v", "agent = \"a-main\"")),
                ("workflows/w.toml", workflow("w", "agent = \"0b2f7c1e-52a4-4be1-9d57-0f3a5c9e8b11\"")),
            ],
            none,
        ),
        (
            &[
                ("agents/a/agent.toml", agent("a", "skills = [\"tides\", \"tied\"]", "")),
                ("skills/tides/SKILL.md", skill("tides")),
            ],
            &["agents/a/agent.toml:4:20 warning unknown-skill /skills/1"],
        ),
        // What a hand brings along for itself.
        (
            &[
                ("hands/a/HAND.toml", hand("a", "", "skills = [\"tide-reader\"]")),
                ("hands/a/SKILL-main.md", skill("tide-reader")),
                ("skills/tides/SKILL.md", skill("tides")),
            ],
            none,
        ),
        (
            &[
                ("hands/a/HAND.toml", hand("a", "allowed_plugins = [\"notes\", \"todo\"]", "")),
                ("plugins/notes/plugin.toml", plugin("notes")),
            ],
            &["hands/a/HAND.toml:6:29 warning unknown-plugin /allowed_plugins/1"],
        ),
        (
            &[
                ("plugins/notes/plugin.toml", plugin("notes")),
                (
                    "plugins/todo/plugin.toml",
                    plugin("todo").replace("[hooks]", "plugin_depends = [\"notes\", \"nots\"]\n[hooks]"),
                ),
            ],
            &["plugins/todo/plugin.toml:4:28 warning unknown-plugin /plugin_depends/1"],
        ),
        (
            &[
                ("hands/a/HAND.toml", hand("a", "mcp_servers = [\"*\", \"tide\"]", "")),
                ("mcp/tides.toml", integration("tides")),
            ],
            &["hands/a/HAND.toml:6:21 warning unknown-server /mcp_servers/1"],
        ),
        // A file that cannot be read has a name all the same.
        (
            &[
                ("hands/a/HAND.toml", hand("a", "mcp_servers = [\"tides\"]", "")),
                ("mcp/tides.toml", "[transport\n".to_owned()),
            ],
            none,
        ),
        // Examples inside a registry may name what is around them, and it what they have.
        (&[coder(), ("examples/hands/a/HAND.toml", hand("a", "", "base = \"coder\""))], none),
        (
            &[coder(), ("examples/hands/a/HAND.toml", hand("a", "", "base = \"nobody\""))],
            &["examples/hands/a/HAND.toml:11:8 warning unknown-agent /agents/main/base"],
        ),
    ]);
    let files = [
        coder(),
        ("agents/planner/agent.toml", agent("planner", "", "")),
        ("hands/a/HAND.toml", hand("a", "", "base = \"planner\"")),
        ("hands/b/HAND.toml", hand("b", "", "base = \"co-der\"")),
    ];
    for (named, expected) in [
        (&["hands", "agents"][..], &["hands/b/HAND.toml:11:8 warning unknown-agent /agents/main/base"][..]),
        // With a part of the catalogue only what is nearly there says anything.
        (
            &["hands", "agents/coder/agent.toml"],
            &["hands/b/HAND.toml:11:8 hint unknown-agent /agents/main/base"],
        ),
        (&["hands"], &[]),
    ] {
        assert_eq!(found_in(&files, named), expected, "{named:?}");
    }
    // A name of the wrong form has one finding, which knows the name that was meant.
    let folder = write(&[coder(), ("hands/b/HAND.toml", hand("b", "", "base = \"Coder\""))]);
    let outcome = run(&[folder.path().to_owned()], None);
    let said = outcome.files.iter().flat_map(|file| &file.checked.findings);
    let said = said.filter(|one| one.pointer == "/agents/main/base");
    let said: Vec<_> = said.map(|one| (one.rule.name, one.help.as_deref())).collect();
    assert_eq!(said, [("invalid-value", Some("did you mean `coder`?"))]);
}

#[test]
fn a_model_is_one_of_its_provider() {
    let none: &[&str] = &[];
    let acme = || ("providers/acme.toml", provider("acme", &[("acme-swift", "Acme Swift", "\"swift\"")]));
    let other = || ("providers/other.toml", provider("other", &[("other-1", "Other", "")]));
    let a = |keys: &str, model: &str| ("agents/a/agent.toml", agent("a", keys, model));
    let asks = |model: &str| a("", &format!("provider = \"acme\"\nmodel = \"{model}\""));
    let at = |rule: &str| vec![format!("agents/a/agent.toml:8:9 warning {rule} /model/model")];
    for (files, expected) in [
        (&[asks("acme-swift-0901"), acme()][..], at("unknown-model")),
        (&[asks("other-1"), acme(), other()], at("unknown-model")),
        (&[asks("Acme-Swift"), acme()], vec![]),
        (&[asks("swift"), acme()], vec![]),
        (&[asks("acme/acme-swift"), acme()], vec![]),
        (&[asks("default"), acme()], vec![]),
        (&[asks("x"), acme(), ("aliases.toml", "[aliases]\nx = \"acme-swift\"\n".to_owned())], vec![]),
        // Without a catalogue, and with a provider that lists nothing, nothing is known.
        (&[asks("acme-swift-0901")], vec![]),
        (&[asks("acme-swift-0901"), ("providers/acme.toml", provider("acme", &[]))], vec![]),
        (
            &[
                asks("acme-swift-0901"),
                ("providers/acme.toml", provider("acme", &[("a", "A", "")]).replace("true", "false")),
            ],
            vec![],
        ),
    ] {
        assert_eq!(found(files), expected, "{}", files[0].1);
    }
    assert_found(&[
        (
            &[a("", "provider = \"acem\"\nname = \"acme-swift\""), acme()],
            &["agents/a/agent.toml:7:12 warning unknown-provider /model/provider"],
        ),
        (
            &[a("", "provider = \"mine\"\nmodel = \"x\"\nbase_url = \"https://mine.example/v1\""), acme()],
            none,
        ),
        (
            &[a("", "provider = \"acme\"\nname = \"acme-swfit\""), acme()],
            &["agents/a/agent.toml:8:8 warning unknown-model /model/name"],
        ),
        (
            &[a("", "[[fallback_models]]\nprovider = \"default\"\nmodel = \"acme-slow\""), acme()],
            &["agents/a/agent.toml:9:9 warning unknown-model /fallback_models/0/model"],
        ),
        (
            &[
                a(
                    "pinned_model = \"acme-swft\"\n[routing]\nsimple_model = \"acme-x\"\ncomplex_model = \"swift\"",
                    "",
                ),
                acme(),
            ],
            &[
                "agents/a/agent.toml:4:16 warning unknown-model /pinned_model",
                "agents/a/agent.toml:6:16 warning unknown-model /routing/simple_model",
            ],
        ),
        (
            &[("hands/h/HAND.toml", hand("h", "", "provider = \"acme\"\nmodel = \"acme-2\"")), acme()],
            &["hands/h/HAND.toml:12:9 warning unknown-model /agents/main/model"],
        ),
        (
            &[
                (
                    "hands/h/HAND.toml",
                    hand("h", "", "[agents.main.model]\nprovider = \"acme\"\nname = \"acme-2\""),
                ),
                acme(),
            ],
            &["hands/h/HAND.toml:13:8 warning unknown-model /agents/main/model/name"],
        ),
    ]);
}

#[test]
fn who_has_a_model_that_its_provider_lacks_is_told() {
    let other = ("providers/other.toml", provider("other", &[("other-1", "Other-One", "\"one\"")]));
    let acme = ("providers/acme.toml", provider("acme", &[("other-2", "Acme", "")]));
    for (name, help) in [
        ("other-1", "did you mean `other-2`, or the provider `other`?"),
        ("Other-One", "did you mean `other-2`, or the provider `other`?"),
        ("one", "name `other` as the provider, or a model that `acme` has"),
    ] {
        let model = format!("provider = \"acme\"\nmodel = \"{name}\"");
        let asks = ("agents/a/agent.toml", agent("a", "", &model));
        let folder = write(&[asks, acme.clone(), other.clone()]);
        let outcome = run(&[folder.path().to_owned()], None);
        let mut findings = outcome.files.iter().flat_map(|file| &file.checked.findings);
        let finding = findings.find(|one| one.rule == &crate::rules::UNKNOWN_MODEL).unwrap();
        assert_eq!(finding.message, format!("the provider `acme` has no model `{name}`; `other` has it"));
        assert_eq!(finding.help.as_deref(), Some(help));
    }
}

#[test]
fn messages_go_to_agents_that_there_are() {
    let none: &[&str] = &[];
    let a = |names: &str| {
        ("agents/a/agent.toml", agent("a", "", &format!("[capabilities]\nagent_message = [{names}]")))
    };
    let coder = || ("agents/coder/agent.toml", agent("coder", "", ""));
    let hand = ("hands/h/HAND.toml", hand("h", "", ""));
    assert_found(&[
        (&[a("\"*\", \"self.*\", \"coder\", \"h-main\", \"a\""), coder(), hand], none),
        (
            &[a("\"codre\", \"planner\""), coder()],
            &[
                "agents/a/agent.toml:8:18 warning unknown-agent /capabilities/agent_message/0",
                "agents/a/agent.toml:8:27 hint unknown-agent /capabilities/agent_message/1",
            ],
        ),
    ]);
}

#[test]
fn a_tool_is_offered_by_somebody() {
    let none: &[&str] = &[];
    let a = |tools: &str| ("agents/a/agent.toml", agent("a", &format!("tool_blocklist = [{tools}]"), ""));
    let whole = || [("skills/tides/SKILL.md", skill("tides")), ("mcp/tides.toml", integration("tides"))];
    let [skills, servers] = whole();
    assert_found(&[
        (
            &[a("\"file_read\", \"file_raed\"")],
            &["agents/a/agent.toml:4:32 warning unknown-tool /tool_blocklist/1"],
        ),
        // The form says what is wrong with it.
        (&[a("\"file_read \"")], none),
        (&[a("\"mcp_tides_read\", \"web_*\", \"acme.find\", \"book_berth\"")], none),
        (
            &[a("\"book_berth\", \"mcp_tides_read\""), skills, servers],
            &["agents/a/agent.toml:4:19 hint unknown-tool /tool_blocklist/0"],
        ),
        // Another runtime has other tools.
        (
            &{
                let [skills, servers] = whole();
                [a("\"book_berth\", \"ask_captain\", \"file_read\", \"read_tides\""), skills, servers]
            },
            none,
        ),
        // What a skill needs.
        (
            &[(
                "skills/ebb/skill.toml",
                "[skill]\nname = \"ebb\"\nversion = \"0.1.0\"\ndescription = \"Ebbs.\"\n[requirements]\n\
                 tools = [\"file_read\", \"web_serach\"]\n[runtime]\ntype = \"promptonly\"\n\
                 [prompt]\ntemplate = \"Ebb.\"\n"
                    .to_owned(),
            )],
            &["skills/ebb/skill.toml:6:23 warning unknown-tool /requirements/tools/1"],
        ),
    ]);
}

#[test]
fn identifiers_are_the_names_of_their_files_in_every_kind() {
    for (path, text, expected) in [
        ("providers/one.toml", provider("other", &[]), "hint 2:6 /provider/id"),
        (
            "providers/one.toml",
            provider("other", &[]).replace("[provider]\n", ""),
            "hint 1:6 /id",
        ),
        ("agents/one/agent.toml", agent("other", "", ""), "error 1:8 /name"),
        ("hands/one/HAND.toml", hand("other", "", ""), "error 1:6 /id"),
        ("mcp/one.toml", integration("other"), "error 1:6 /id"),
        ("mcp/one/MCP.toml", integration("other"), "error 1:6 /id"),
        ("plugins/one/plugin.toml", plugin("other"), "error 1:8 /name"),
        ("workflows/one.toml", workflow("other", ""), "error 1:6 /id"),
        (
            "channels/one.toml",
            "id = \"other\"\nname = \"One\"\ndescription = \"One.\"\ncategory = \"messaging\"\nprotocol = \"http\"\n".to_owned(),
            "error 1:6 /id",
        ),
        ("skills/one/SKILL.md", skill("other"), "error 2:7 /name"),
        (
            "skills/one/skill.toml",
            "[skill]\nname = \"other\"\nversion = \"0.1.0\"\ndescription = \"One.\"\n[runtime]\ntype = \"promptonly\"\n".to_owned(),
            "error 2:8 /skill/name",
        ),
        ("tools/one.tool.json", "{\"id\": \"other\"}".to_owned(), "error 1:8 /id"),
    ] {
        let folder = write(&[(path, text)]);
        let outcome = run(&[folder.path().to_owned()], None);
        let file = &outcome.files[0];
        let said: Vec<String> = file
            .checked
            .findings
            .iter()
            .filter(|one| one.rule == &crate::rules::NAME_MISMATCH)
            .map(|one| {
                let at = Lines::new(&file.text).position(one.span.start);
                format!("{} {}:{} {}", one.severity.name(), at.line, at.column, one.pointer)
            })
            .collect();
        assert_eq!(said, [expected], "{path}");
    }
}

#[test]
fn a_run_says_the_same_twice() {
    let files = [
        ("agents/a/agent.toml", agent("a", "skills = [\"tidse\"]", "provider = \"acne\"")),
        ("skills/tides/SKILL.md", skill("tides")),
        ("skills/tide/SKILL.md", skill("tide")),
        ("providers/acme.toml", provider("acme", &[("m", "M", "\"x\"")])),
        ("providers/acre.toml", provider("acre", &[("n", "N", "\"x\"")])),
    ];
    let folder = write(&files);
    let message = || {
        let outcome = run(&[folder.path().to_owned()], None);
        let findings = outcome.files.iter().flat_map(|file| &file.checked.findings);
        findings.map(|one| format!("{}{:?}", one.message, one.help)).collect::<Vec<_>>()
    };
    assert_eq!(message(), message());
    assert!(message().iter().any(|line| line.contains("`acme`")), "{:?}", message());
}
