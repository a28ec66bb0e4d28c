//! Faults that people met in folders of packages, and in files whose names several programs use: each kind of fault by
//! an input of our own, and by the report itself where the reports lie beside the project.

use agentry_check::walk::{self, FileReport};
use agentry_tests::{field_report, shared};
use agentry_text::Lines;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes files into a scratch folder. Several in one text are separated by lines `--- file: PATH`.
fn scratch(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let parts: Vec<(&str, &str)> = if text.starts_with("--- file: ") {
        text.split("--- file: ").skip(1).map(|part| part.split_once('\n').unwrap_or((part, ""))).collect()
    } else {
        vec![(name, text)]
    };
    for (path, text) in parts {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("a file");
    }
    folder
}

/// What is found in the files of a run, as `path severity rule pointer line:column`.
fn lines(folder: &Path, files: &[FileReport]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let path =
            file.path.strip_prefix(folder).expect("below the folder").to_string_lossy().replace('\\', "/");
        let lines = Lines::new(&file.text);
        for finding in &file.checked.findings {
            let at = lines.position(finding.span.start);
            let (severity, rule) = (finding.severity.name(), finding.rule.name);
            found.push(format!("{path} {severity} {rule} {} {}:{}", finding.pointer, at.line, at.column));
        }
    }
    found
}

/// What is found where one file is named.
fn named(name: &str, text: &str) -> Vec<String> {
    let folder = scratch(name, text);
    let outcome = walk::run(&[folder.path().join(name)], None);
    assert!(outcome.errors.is_empty(), "{:?}", outcome.errors);
    lines(folder.path(), &outcome.files)
}

/// What is found where the folder is.
fn walked(name: &str, text: &str) -> (Vec<String>, usize) {
    let folder = scratch(name, text);
    let outcome = walk::run(&[folder.path().to_owned()], None);
    (lines(folder.path(), &outcome.files), outcome.skipped)
}

/// Whether every expected finding is there.
fn has(found: &[String], expected: &[&str], what: &str) {
    for expected in expected {
        assert!(found.iter().any(|found| found == expected), "{what}: no {expected}\nin {found:#?}");
    }
}

/// Checks an input of our own and the report of that kind of fault, each with its findings.
fn check(id: &str, run: impl Fn(&str) -> Vec<String>, own: (&str, &[&str]), of_report: &[&str]) {
    has(&run(own.0), own.1, &format!("the like of {id}"));
    if let Some(text) = field_report(id) {
        has(&run(&text), of_report, id);
    }
}

#[test]
fn an_identifier_is_no_path() {
    check(
        "B144",
        |text| named("HAND.toml", text),
        ("name = \"Y\"\nid = \"../up\"\ncategory = \"data\"\n", &["HAND.toml error invalid-value /id 2:6"]),
        &["HAND.toml error invalid-value /id 1:6"],
    );
}

#[test]
fn scripts_stay_in_the_package() {
    let all = [
        "plugin.toml error invalid-value /hooks/ingest 4:10",
        "plugin.toml error invalid-value /hooks/after_turn 5:14",
        "plugin.toml error invalid-value /hooks/bootstrap 6:13",
    ];
    check(
        "B147",
        |text| named("plugin.toml", text),
        (
            "name = \"v\"\nversion = \"0.1.0\"\n[hooks]\ningest = \"d:run.py\"\nafter_turn = \"a\\\\b.py\"\n\
             bootstrap = \"/opt/c.py\"\nassemble = \"a/../../d.py\"\n",
            &[all[0], all[1], all[2], "plugin.toml error invalid-value /hooks/assemble 7:12"],
        ),
        &all,
    );
}

#[test]
fn instructions_are_given_once() {
    check(
        "B151",
        |text| walked("", text).0,
        (
            "--- file: a/agent.yaml\nname: a\ninstructions: Be brief.\ninstructions_file: long.md\n\
             --- file: a/long.md\nBe long.\n",
            &["a/agent.yaml error conflicting-keys /instructions_file 3:1"],
        ),
        &["pkg/agent.toml error conflicting-keys /instructions_file 4:1"],
    );
}

#[test]
fn credentials_are_no_part_of_a_package() {
    let own = "--- file: a/agent.toml\nname = \"a\"\ninstructions = \"x\"\nfiles = [\n    \"notes.md\",\n    \
               \"keys/*\",\n]\n--- file: a/notes.md\nx\n--- file: a/keys/deploy.pem\nPRIVATE-PART\n";
    check(
        "B153",
        |text| {
            let folder = scratch("", text);
            let outcome = walk::run(&[folder.path().to_owned()], None);
            for file in &outcome.files {
                for finding in &file.checked.findings {
                    let shown = format!("{finding:?}");
                    assert!(!shown.contains("PRIVATE-PART") && !shown.contains("KEY=EXAMPLE"), "{shown}");
                }
            }
            lines(folder.path(), &outcome.files)
        },
        (own, &["a/agent.toml error credential-file /files/1 5:5"]),
        &["pkg/agent.toml error credential-file /files/0 3:10"],
    );
}

#[test]
fn files_that_differ_in_case_only_are_one_file_elsewhere() {
    check(
        "B156",
        |text| walked("", text).0,
        (
            "--- file: a/agent.toml\nname = \"a\"\ninstructions = \"x\"\nfiles = [\"LOG.txt\", \"nul.txt\", \"*.txt\"]\n\
             --- file: a/LOG.txt\nx\n--- file: a/Log.txt\nx\n--- file: a/nul.txt\nx\n",
            &[
                "a/agent.toml warning case-collision /files/2 3:32",
                "a/agent.toml warning unportable-path /files/1 3:21",
            ],
        ),
        &["pkg/agent.toml warning case-collision /files/1 3:22"],
    );
}

/// Files of other programs are passed over where they are found. Where they are named, what was considered is said, and
/// what is wrong with their syntax.
#[test]
fn a_shared_file_name_makes_no_manifest() {
    let foreign = "name = \"mine\"\ndescription = \"An app\"\n[server]\nport = 1\n";
    for (id, name, own, expected) in [
        ("B196", "agent.toml", format!("#:schema none\n{foreign}"), &[][..]),
        (
            "B077",
            "agent.yaml",
            "agents:\n\tmain:\n\t\tmodel: x\n".to_owned(),
            &["agent.yaml error tab-indentation /agents 2:1"],
        ),
        (
            "B081",
            "agent.yaml",
            "title: {{ topic }} summary\nrole: writer\n".to_owned(),
            &["agent.yaml error unquoted-text /title 1:8"],
        ),
        (
            "B086",
            "agent.yaml",
            "version: \"9\"\nagents:\n  root:\n    model: x\n".to_owned(),
            &["agent.yaml error unknown-kind  1:1"],
        ),
        (
            "B193",
            "agent.yaml",
            "version: 0.1.0\nname: q\nmeta:\n  version: 0.2.0\n".to_owned(),
            &["agent.yaml error unknown-kind  1:1"],
        ),
    ] {
        for text in [Some(own), field_report(id)].into_iter().flatten() {
            has(&named(name, &text), expected, id);
            if expected.is_empty() {
                assert_eq!(named(name, &text), [] as [String; 0], "{id}");
            }
            let (found, skipped) = walked(name, &text);
            assert_eq!((found, skipped), (Vec::new(), 1), "{id}: found in a folder");
        }
    }
    let folder = scratch("agent.toml", foreign);
    let outcome = walk::run(&[folder.path().join("agent.toml")], None);
    let [finding] = &outcome.files[0].checked.findings[..] else { panic!("one finding") };
    for word in ["`agent` (by its file name)", "`package` (by its file name)", "`agent.toml`"] {
        assert!(finding.message.contains(word), "{}", finding.message);
    }
    assert!(finding.help.as_ref().is_some_and(|help| help.contains("#:schema none")), "{:?}", finding.help);
}

/// Where a file of another program is named, it is told what it is.
#[test]
fn other_programs_have_files_of_their_own() {
    for (id, name, what) in [
        ("B004", "config.toml", "the configuration of a daemon"),
        ("B005", "config.toml", "the configuration of a daemon"),
        ("B013", "servers.toml", "a client's list of MCP servers"),
        ("B035", "servers.toml", "a client's list of MCP servers"),
        ("B126", "servers.toml", "a client's list of MCP servers"),
        ("B141", "servers.toml", "a client's list of MCP servers"),
        ("B104", "tool.json", "a tool as servers of MCP list it"),
        ("B117", "tool.json", "a tool as it is sent to a model"),
        ("B119", "server.json", "a server as a registry of MCP servers lists it"),
        ("B127", "server.json", "a server as a registry of MCP servers lists it"),
        ("B129", "server.json", "a server as a registry of MCP servers lists it"),
        ("B130", "server.json", "a server as a registry of MCP servers lists it"),
        ("B200", "server.json", "a server as a registry of MCP servers lists it"),
        ("B134", "marketplace.json", "a marketplace"),
        ("B135", "marketplace.json", "a marketplace"),
        ("B191", "agent.json", "an agent card"),
        ("B195", "agent.schema.json", "a JSON Schema"),
        ("B197", "agent.schema.json", "a JSON Schema"),
    ] {
        let Some(text) = field_report(id) else { return };
        let folder = scratch(name, &text);
        let outcome = walk::run(&[folder.path().join(name)], None);
        let [finding] = &outcome.files[0].checked.findings[..] else { panic!("{id}: one finding") };
        assert_eq!(finding.rule.name, "unknown-kind", "{id}");
        assert!(finding.message.contains(what), "{id}: {}", finding.message);
        assert!(!format!("{finding:?}").contains("EXAMPLEtoken"), "{id}");
    }
}

/// Where such a list stands in a file of ours, it is told what is ours.
#[test]
fn a_list_of_a_client_is_told_where_servers_are_declared() {
    for text in ["mcp_servers = [\"{}\"]\n", "[mcpServers.tides]\ncommand = \"tides\"\n"] {
        let folder = scratch("mcp/tides.toml", text);
        let outcome = walk::run(&[folder.path().to_owned()], None);
        let helps: Vec<_> =
            outcome.files[0].checked.findings.iter().filter_map(|finding| finding.help.as_deref()).collect();
        assert!(
            helps.iter().any(|help| help.contains("each has a file of its own, `mcp/<id>.toml`")),
            "{helps:?}"
        );
    }
}

const PROVIDER: &str = "[provider]\nid = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"ACME_API_KEY\"\n\
    base_url = \"https://acme.example\"\nkey_required = true\n[[models]]\nid = \"acme-flash\"\ndisplay_name = \"Flash\"\n\
    tier = \"fast\"\ncontext_window = 9\nmax_output_tokens = 4\ninput_cost_per_m = 1\noutput_cost_per_m = 2\n";

/// What one file says of another: in inputs of our own, and in those of the reports.
#[test]
fn files_are_held_against_each_other() {
    let agent = "--- file: agents/pinned/agent.toml\nname = \"pinned\"\ndescription = \"Pinned.\"\nmodule = \"builtin:chat\"\n\
                 [model]\nprovider = \"acme\"\nmodel = \"acme-flsh\"\nsystem_prompt = \"Answer.\"\n";
    let provider = format!("--- file: providers/acme.toml\n{PROVIDER}");
    let tool = |id: &str| {
        format!(
            "--- file: tools/{id}.tool.json\n{{\"id\": \"{id}\", \"description\": \"Tides.\", \"version\": \"1.0.0\", \
             \"input\": {{\"type\": \"object\", \"properties\": {{}}}}, \"output\": {{}}}}\n"
        )
    };
    let skill = "--- file: skills/tides/skill.toml\n[skill]\nname = \"tides\"\nversion = \"0.1.0\"\ndescription = \"Knows tides.\"\n\
                 --- file: skills/tides/SKILL.md\n---\nname: tides\nversion: \"0.2.0\"\ndescription: Knows tides.\n---\nText.\n";
    let plugin = "--- file: plugins/notes/plugin.toml\nname = \"notes\"\nversion = \"0.1.0\"\ndescription = \"Notes.\"\n\
                  [hooks]\ningest = \"a.py\"\nafter_turn = \"b.py\"\nbootstrap = \"c.py\"\n[integrity]\n\
                  \"a.py\" = \"0000000000000000000000000000000000000000000000000000000000000000\"\n\"b.py\" = \"00\"\n\
                  --- file: plugins/notes/a.py\npass\n--- file: plugins/notes/b.py\npass\n--- file: plugins/notes/c.py\npass\n";
    let phrases = "--- file: agents/a/agent.toml\nname = \"a\"\ndescription = \"A.\"\nmodule = \"builtin:chat\"\n[metadata.routing]\n\
                   aliases = [\"Tide table\"]\n--- file: agents/b/agent.toml\nname = \"b\"\ndescription = \"B.\"\n\
                   module = \"builtin:chat\"\n[metadata.routing]\nweak_aliases = [\"tide table\"]\n";
    for (id, text, expected) in [
        (
            "B112",
            format!("{}{}", tool("tide.get"), tool("tide_get")),
            &["tools/tide_get.tool.json warning duplicate-name /id 1:"][..],
        ),
        ("B130", skill.to_owned(), &["skills/tides/SKILL.md hint differing-skill-files /version 3:10"]),
        (
            "B148",
            plugin.to_owned(),
            &[
                "plugins/notes/plugin.toml error hash-mismatch /integrity/a.py 9:10",
                "plugins/notes/plugin.toml error invalid-value /integrity/b.py 10:10",
                "plugins/notes/plugin.toml warning unhashed-script /hooks/bootstrap 7:13",
            ],
        ),
        (
            "B163",
            format!("--- file: aliases.toml\n[aliases]\nquick = \"acme-flush\"\n{provider}"),
            &["aliases.toml error unknown-model /aliases/quick 2:9"],
        ),
        (
            "B180",
            format!("{agent}{provider}"),
            &["agents/pinned/agent.toml warning unknown-model /model/model 6:9"],
        ),
        (
            "B189",
            phrases.to_owned(),
            &["agents/b/agent.toml warning shared-phrase /metadata/routing/weak_aliases/0 5:17"],
        ),
    ] {
        let (found, _) = walked("", &text);
        for expected in expected {
            assert!(
                found.iter().any(|found| found.starts_with(expected)),
                "{id}: no {expected}\nin {found:#?}"
            );
        }
    }
    // Without the provider nobody knows its models.
    assert_eq!(walked("", agent).0, [] as [String; 0], "B180");
    for (id, expected) in [
        ("B148", "plugin.toml warning unhashed-script /hooks/after_turn 5:14"),
        ("B163", "aliases.toml error unknown-model /aliases/gpt4 3:8"),
        ("B189", "hands/b/HAND.toml warning shared-phrase /routing/weak_aliases/0 7:17"),
    ] {
        let Some(text) = field_report(id) else { return };
        let (found, _) = walked("plugin.toml", &text);
        has(&found, &[expected], id);
    }
    let reported = field_report("B180").unwrap_or_default();
    let reported = format!("--- file: agents/pinned/agent.toml\n{reported}{provider}");
    has(
        &walked("", &reported).0,
        &["agents/pinned/agent.toml warning unknown-model /model/model 6:9"],
        "B180",
    );
}

/// Everything that lies beside the project, by its path and without it.
#[test]
fn published_files_are_told_apart() {
    let Some(registry) = shared("corpus/librefang-registry") else { return };
    let Some(packages) = shared("corpus/everruns") else { return };
    let mut counts = (0, 0, 0);
    for (folder, path) in tomls(&registry)
        .into_iter()
        .map(|path| (&registry, path))
        .chain(tomls(&packages).into_iter().map(|path| (&packages, path)))
    {
        let text = fs::read_to_string(folder.join(&path)).expect("a text");
        let document = agentry_text::toml::parse(&text);
        let root = document.root.as_ref();
        let shown = path.to_string_lossy().replace('\\', "/");
        let expected = if folder == &packages {
            counts.1 += 1;
            Some(agentry::Kind::Package)
        } else {
            counts.0 += 1;
            agentry_tests::kind_of(shown.trim_start_matches("examples/"))
        };
        let at = |path: Option<&Path>| match agentry_check::detect(path, &text, root) {
            agentry_check::Detection::Kind(kind) => Some(kind),
            _ => None,
        };
        // Templates lie elsewhere, under the names of their kinds.
        if expected.is_some() {
            assert_eq!(at(Some(&folder.join(&path))), expected, "{shown}");
        } else {
            assert!(at(Some(&folder.join(&path))).is_some(), "{shown}");
        }
        let without = at(None);
        counts.2 += usize::from(without.is_some());
        assert!(without.is_none() || expected.is_none() || without == expected, "{shown}: {without:?}");
        if shown.ends_with("agent.toml") {
            assert!(without.is_some(), "{shown} is known by its content");
        }
    }
    assert_eq!((counts.0, counts.1), (224, 14));
    // The one file of aliases has no key of its own.
    assert!(counts.2 >= 224 + 14 - 1, "{} of them are known without a path", counts.2);
}

fn tomls(folder: &Path) -> Vec<PathBuf> {
    agentry_tests::files(folder, &[], "toml").into_iter().map(PathBuf::from).collect()
}

/// Packages as they were published: those of which parts were not stored lack just those.
#[test]
fn published_folders_lack_what_was_not_stored() {
    let Some(packages) = shared("corpus/everruns") else { return };
    let outcome = walk::run(std::slice::from_ref(&packages), None);
    assert!(outcome.errors.is_empty(), "{:?}", outcome.errors);
    let found: Vec<String> = lines(&packages, &outcome.files);
    let without_instructions = [
        "agents/coding-review-agent",
        "agents/everruns-support-agent",
        "agents/fixtures/cloud-infrastructure-manager",
        "agents/fixtures/customer-support-agent",
        "agents/fixtures/devops-engineer",
        "agents/fixtures/warehouse-operations-manager",
        "agents/incident-commander-agent",
        "agents/research-agent",
        "agents/triage",
    ];
    let mut expected: Vec<String> = without_instructions
        .iter()
        .map(|folder| format!("{folder}/agent.toml error missing-file  1:1"))
        .chain(
            [
                "agent-packages/project-review/agent.toml error missing-file /instructions_file 4:21",
                "agent-packages/project-review/agent.toml error missing-file /files/0 6:10",
                "agents/project-review/agent.toml error missing-file /files/0 7:10",
                "agents/triage/agent.toml error missing-file /files/1 9:24",
            ]
            .map(str::to_owned),
        )
        .collect();
    let mut found: Vec<String> = found.into_iter().filter(|found| found.contains("agent.toml")).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}
