//! Faults that people met with the files of registries: each an input of its own of the same kind, and the report itself
//! where the collection lies beside the project.

use agentry::{Format, Kind};
use agentry_check::{Checked, Checker, Input};
use agentry_tests::{field_report, shown};

fn check(kind: Kind, format: Format, text: &str) -> Checked {
    Checker::default().check(&Input { path: None, kind: Some(kind), contract: None, format, text })
}

/// What is found, as `line:column severity[rule] pointer`, one a line.
fn found(kind: Kind, format: Format, text: &str) -> String {
    shown(text, &check(kind, format, text).findings)
}

struct Fault {
    id: &'static str,
    kind: Kind,
    format: Format,
    /// An input of our own.
    text: &'static str,
    expected: &'static str,
    /// What must be among the findings of the input of the report; empty where it is no document of a kind that is read.
    reported: &'static [&'static str],
    /// What a help says.
    help: &'static str,
}

const fn toml(id: &'static str, kind: Kind, text: &'static str, expected: &'static str) -> Fault {
    Fault { id, kind, format: Format::Toml, text, expected, reported: &[], help: "" }
}

const FAULTS: &[Fault] = &[
    // Keys that the table above them took.
    Fault {
        reported: &["10:1 warning[misplaced-key] /model", "11:1 warning[misplaced-key] /model"],
        help: "move it above the first table header",
        ..toml(
            "B002",
            Kind::Agent,
            "name = \"greeter\"\ndescription = \"Greets.\"\nmodule = \"builtin:chat\"\n[model]\nsystem_prompt = \"Greet.\"\ntags = [\"hello\"]\n",
            "6:1 warning[misplaced-key] /model",
        )
    },
    // A value where every key names a table.
    Fault {
        reported: &["3:2 warning[unknown-key] "],
        help: "or move it to the table it belongs to",
        ..toml(
            "B003",
            Kind::Hand,
            "id = \"desk\"\nname = \"Desk\"\ndescription = \"Answers.\"\ncategory = \"data\"\ntools = []\n[agents]\nretries = 3\n[agents.one]\nname = \"one\"\nmodule = \"builtin:chat\"\nsystem_prompt = \"Answer.\"\n",
            "7:11 error[wrong-type] /agents/retries",
        )
    },
    // A price by a name that nobody reads.
    Fault {
        reported: &["15:1 warning[unknown-key] /models/0"],
        help: "`input_cost_per_m`",
        ..toml(
            "B006",
            Kind::Provider,
            "[provider]\nid = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"ACME_API_KEY\"\nbase_url = \"https://acme.example\"\nkey_required = true\n[[models]]\nid = \"a\"\ndisplay_name = \"A\"\ntier = \"fast\"\ncontext_window = 10\nmax_output_tokens = 5\ninput_cost_per_m = 1\noutput_cost_per_m = 2\nbatch_cost = 0.5\n",
            "15:1 warning[unknown-key] /models/0",
        )
    },
    // A server where its name belongs: as a table, and as JSON in a string.
    Fault {
        reported: &["3:1 error[wrong-type] /mcp_servers/0"],
        help: "declare it in a file of its own",
        ..toml(
            "B011",
            Kind::Agent,
            "name = \"finder\"\ndescription = \"Finds.\"\nmodule = \"builtin:chat\"\n[[mcp_servers]]\nname = \"index\"\nurl = \"https://index.example/mcp\"\n",
            "4:1 error[wrong-type] /mcp_servers/0",
        )
    },
    Fault {
        help: "written as JSON in a string",
        ..toml(
            "B035",
            Kind::Agent,
            "name = \"finder\"\ndescription = \"Finds.\"\nmodule = \"builtin:chat\"\nmcp_servers = [\"index\", '{\"name\": \"rows\"}']\n",
            "4:25 error[invalid-value] /mcp_servers/1",
        )
    },
    Fault {
        reported: &["3:16 error[invalid-value] /mcp_servers/0"],
        ..toml(
            "B019",
            Kind::Agent,
            "name = \"finder\"\ndescription = \"Finds.\"\nmodule = \"builtin:chat\"\nskills = [\"\"]\n",
            "4:11 error[invalid-value] /skills/0",
        )
    },
    // Defaults that their own schema refuses.
    Fault {
        format: Format::Json,
        ..toml(
            "B116",
            Kind::Tool,
            "{\"id\": \"acme.rate\", \"version\": \"1.0.0\", \"description\": \"Rates.\", \"output\": {},\n \"input\": {\"type\": \"object\", \"properties\": {\n  \"stars\": {\"type\": \"integer\", \"maximum\": 5, \"default\": 9},\n  \"scale\": {\"enum\": [\"us\", \"eu\"], \"default\": \"uk\"}}}}",
            "3:57 warning[unfit-default] /input/properties/stars/default\n4:46 warning[unfit-default] /input/properties/scale/default",
        )
    },
    // One fact, stated twice and differently.
    Fault {
        format: Format::Json,
        ..toml(
            "B117",
            Kind::Tool,
            "{\"id\": \"acme.post\", \"version\": \"1.0.0\", \"description\": \"Posts.\", \"output\": {}, \"input\": {\"type\": \"object\", \"properties\": {}},\n \"effects\": [{\"kind\": \"network\", \"resource\": \"external:acme.example\"}],\n \"network\": {\"kind\": \"none\"}}",
            "3:13 warning[contradiction] /network",
        )
    },
    Fault {
        reported: &["5:1 error[missing-key] /transport"],
        help: "it is one of `stdio`, `sse` and `http`",
        ..toml(
            "B124",
            Kind::Integration,
            "id = \"feeds\"\nname = \"Feeds\"\ndescription = \"Feeds.\"\ncategory = \"data\"\n[transport]\nurl = \"https://feeds.example/mcp\"\n",
            "5:1 error[missing-key] /transport",
        )
    },
    // A key where the name of its variable belongs.
    Fault {
        reported: &["4:15 error[invalid-value] /provider/api_key_env"],
        ..toml(
            "B139",
            Kind::Provider,
            "[provider]\nid = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"sk-live-9fk2mq7xt4bv8nr3sw6y\"\nbase_url = \"https://acme.example\"\nkey_required = true\n",
            "4:15 error[invalid-value] /provider/api_key_env",
        )
    },
    Fault {
        reported: &["12:21 warning[output-above-context] /models/0/max_output_tokens"],
        help: "write 1000 or less",
        ..toml(
            "B166",
            Kind::Provider,
            "[provider]\nid = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"ACME_API_KEY\"\nbase_url = \"https://acme.example\"\nkey_required = true\n[[models]]\nid = \"a\"\ndisplay_name = \"A\"\ntier = \"fast\"\ncontext_window = 1000\nmax_output_tokens = 4000\ninput_cost_per_m = 1\noutput_cost_per_m = 2\n",
            "12:21 warning[output-above-context] /models/0/max_output_tokens",
        )
    },
    // One finding for a model without a price, and not two.
    Fault {
        reported: &["13:20 hint[zero-price] /models/0/input_cost_per_m"],
        help: "`pricing_known = false`",
        ..toml(
            "B167",
            Kind::Provider,
            "[provider]\nid = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"ACME_API_KEY\"\nbase_url = \"https://acme.example\"\nkey_required = true\n[[models]]\nid = \"a\"\ndisplay_name = \"A\"\ntier = \"fast\"\ncontext_window = 1000\nmax_output_tokens = 400\ninput_cost_per_m = 0\noutput_cost_per_m = 0.0\n",
            "13:20 hint[zero-price] /models/0/input_cost_per_m",
        )
    },
    Fault {
        reported: &[
            "11:18 warning[whole-number] /models/0/context_window",
            "12:21 error[wrong-type] /models/0/max_output_tokens",
        ],
        help: "write 4000, without quotes",
        ..toml(
            "B170",
            Kind::Provider,
            "[provider]\nid = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"ACME_API_KEY\"\nbase_url = \"https://acme.example\"\nkey_required = true\n[[models]]\nid = \"a\"\ndisplay_name = \"A\"\ntier = \"fast\"\ncontext_window = 8.0\nmax_output_tokens = \"4000\"\ninput_cost_per_m = 1\noutput_cost_per_m = 2\n",
            "11:18 warning[whole-number] /models/0/context_window\n12:21 error[wrong-type] /models/0/max_output_tokens",
        )
    },
    Fault {
        reported: &["7:16 error[syntax] "],
        help: "use single quotes",
        ..toml(
            "B172",
            Kind::Integration,
            "id = \"tides\"\nname = \"Tides\"\n[transport]\ntype = \"stdio\"\ncommand = \"D:\\Umlauf\\tides.exe\"\n",
            "5:16 error[syntax] ",
        )
    },
    // Four faults of one file.
    Fault {
        reported: &[
            "8:11 warning[mistyped-boolean] /parameters/0/default",
            "15:32 hint[home-path] /steps/0/prompt_template",
            "15:72 warning[secret-in-prompt] /steps/0/prompt_template",
            "15:89 warning[unknown-placeholder] /steps/0/prompt_template",
        ],
        ..toml(
            "B174",
            Kind::Workflow,
            "id = \"mailing\"\nname = \"Mailing\"\ndescription = \"Mails.\"\n[[parameters]]\nname = \"quiet\"\nparam_type = \"string\"\nrequired = false\ndefault = \"flase\"\n[[parameters]]\nname = \"smtp_password\"\nparam_type = \"string\"\nrequired = true\n[[steps]]\nname = \"send\"\nprompt_template = \"Run /Users/mira/bin/mail {{quiet}} {{smtp_password}} {{who}}\"\n",
            "8:11 warning[mistyped-boolean] /parameters/0/default\n\
             15:24 hint[home-path] /steps/0/prompt_template\n\
             15:55 warning[secret-in-prompt] /steps/0/prompt_template\n\
             15:73 warning[unknown-placeholder] /steps/0/prompt_template",
        )
    },
    // Days that there are not.
    Fault {
        help: "`YYYY-MM-DD`",
        ..toml(
            "B176",
            Kind::Provider,
            "[provider]\nid = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"ACME_API_KEY\"\nbase_url = \"https://acme.example\"\nkey_required = true\n[[models]]\nid = \"a\"\ndisplay_name = \"A\"\ntier = \"fast\"\ncontext_window = 9\nmax_output_tokens = 4\ninput_cost_per_m = 1\noutput_cost_per_m = 2\nlast_verified = \"2026-13-01\"\n[[models]]\nid = \"b\"\ndisplay_name = \"B\"\ntier = \"fast\"\ncontext_window = 9\nmax_output_tokens = 4\ninput_cost_per_m = 1\noutput_cost_per_m = 2\nlast_verified = \"05/01/2026\"\n[[models]]\nid = \"c\"\ndisplay_name = \"C\"\ntier = \"fast\"\ncontext_window = 9\nmax_output_tokens = 4\ninput_cost_per_m = 1\noutput_cost_per_m = 2\nlast_verified = \"2026-02-30\"\n",
            "15:17 error[invalid-value] /models/0/last_verified\n24:17 error[invalid-value] /models/1/last_verified\n33:17 error[invalid-value] /models/2/last_verified",
        )
    },
    // A key that is a table or a word keeps the place of what is wrong in the table.
    Fault {
        reported: &["3:37 warning[unknown-key] /exec_policy"],
        ..toml(
            "B184",
            Kind::Agent,
            "name = \"runner\"\ndescription = \"Runs.\"\nmodule = \"builtin:chat\"\nexec_policy = { mode = \"allowlist\", allowed_commands = \"git\" }\n",
            "4:56 error[wrong-type] /exec_policy/allowed_commands",
        )
    },
    Fault {
        reported: &["3:1 warning[unknown-key] ", "6:1 warning[unknown-key] /hooks"],
        help: "did you mean `after_turn`?",
        ..toml(
            "B185",
            Kind::Plugin,
            "name = \"notes\"\nversion = \"0.1.0\"\ndescription = \"Notes.\"\nmotto = \"x\"\n[hooks]\nafter_trun = \"a.py\"\n",
            "4:1 warning[unknown-key] \n6:1 warning[unknown-key] /hooks",
        )
    },
    // A table that is missing is named, with what it may be.
    Fault {
        reported: &["1:1 error[missing-key] "],
        help: "add `[runtime]`, whose `type` is one of `promptonly`, `python`, `node`, `shell`, `wasm` and `builtin`",
        ..toml(
            "B187",
            Kind::Skill,
            "[skill]\nname = \"tides\"\ndescription = \"Knows tides.\"\n",
            "1:1 error[missing-key] ",
        )
    },
    // Whoever stops at the first fault of a file finds one of nine.
    Fault {
        reported: &[
            "4:15 hint[unneeded-key] /provider/api_key_env",
            "5:12 warning[plain-http] /provider/base_url",
            "5:12 hint[trailing-slash] /provider/base_url",
            "8:6 error[invalid-value] /models/0/id",
            "9:16 error[invalid-value] /models/0/display_name",
            "10:8 error[unknown-option] /models/0/tier",
            "11:18 error[invalid-value] /models/0/context_window",
            "12:21 error[invalid-value] /models/0/max_output_tokens",
            "14:21 hint[cheap-output] /models/0/output_cost_per_m",
            "15:18 error[wrong-type] /models/0/supports_tools",
        ],
        ..toml(
            "B202",
            Kind::Provider,
            "[provider]\nid = \"Acme\"\ndisplay_name = \"\"\napi_key_env = \"ACME_API_KEY\"\nbase_url = \"http://acme.example/\"\nkey_required = false\n[[models]]\nid = \"a b\"\ndisplay_name = \"A\"\ntier = \"quick\"\ncontext_window = -1\nmax_output_tokens = 0\ninput_cost_per_m = 3\noutput_cost_per_m = 2\nsupports_vision = 1\n",
            "2:6 error[invalid-value] /provider/id\n3:16 error[invalid-value] /provider/display_name\n\
             4:15 hint[unneeded-key] /provider/api_key_env\n5:12 warning[plain-http] /provider/base_url\n\
             5:12 hint[trailing-slash] /provider/base_url\n8:6 error[invalid-value] /models/0/id\n\
             10:8 error[unknown-option] /models/0/tier\n11:18 error[invalid-value] /models/0/context_window\n\
             12:21 error[invalid-value] /models/0/max_output_tokens\n14:21 hint[cheap-output] /models/0/output_cost_per_m\n\
             15:19 error[wrong-type] /models/0/supports_vision",
        )
    },
    // A key that is nearly one, where a policy then holds that nobody wrote.
    Fault {
        reported: &["2:2 warning[unknown-key] "],
        help: "did you mean `exec_policy`?",
        ..toml(
            "B005",
            Kind::Agent,
            "name = \"runner\"\ndescription = \"Runs.\"\nmodule = \"builtin:chat\"\n[exec_polcy]\nmode = \"deny\"\n",
            "4:2 warning[unknown-key] ",
        )
    },
    // Lists that allow what is granted nowhere: by pattern, and by name.
    Fault {
        reported: &["4:32 warning[pointless-grant] /tool_allowlist/1"],
        help: "`*` stands for any text in both",
        ..toml(
            "B016",
            Kind::Agent,
            "name = \"mixed\"\ndescription = \"Mixes.\"\nmodule = \"builtin:chat\"\ntool_allowlist = [\"web_*\", \"tide_*\"]\n[capabilities]\ntools = [\"web_fetch\"]\n",
            "4:28 warning[pointless-grant] /tool_allowlist/1",
        )
    },
    Fault {
        reported: &["3:19 warning[pointless-grant] /tool_allowlist/0"],
        help: "add `file_write` to `capabilities.tools`, or delete it here",
        ..toml(
            "B017",
            Kind::Agent,
            "name = \"grants\"\ndescription = \"Writes.\"\nmodule = \"builtin:chat\"\ntool_allowlist = [\"file_read\", \"file_write\"]\n[capabilities]\ntools = [\"file_read\"]\n",
            "4:32 warning[pointless-grant] /tool_allowlist/1",
        )
    },
    Fault {
        reported: &["5:23 warning[ungranted-tool] /tools/1"],
        help: "add it to `capabilities.tools` of the agent that needs it",
        ..toml(
            "B020",
            Kind::Hand,
            "id = \"desk\"\nname = \"Desk\"\ndescription = \"Answers.\"\ncategory = \"data\"\ntools = [\"file_write\", \"web_fetch\"]\n[agents.one]\nname = \"one\"\nmodule = \"builtin:chat\"\n[agents.one.model]\nsystem_prompt = \"Answer.\"\n[agents.one.capabilities]\ntools = [\"web_fetch\"]\n",
            "5:10 warning[ungranted-tool] /tools/0",
        )
    },
    // What the parser says stays, with its place.
    Fault {
        reported: &["2:7 error[syntax] "],
        ..toml("B023", Kind::Agent, "name = \"open\ndescription = \"Ends nowhere.\"\n", "1:13 error[syntax] ")
    },
    // A server of one transport with the keys of another.
    Fault {
        help: "another `type` has it",
        ..toml(
            "B127",
            Kind::Integration,
            "id = \"tides\"\nname = \"Tides\"\ndescription = \"Tides.\"\ncategory = \"data\"\n[transport]\ntype = \"stdio\"\ncommand = \"tides\"\nurl = \"https://tides.example/mcp\"\n",
            "8:1 warning[unknown-key] /transport",
        )
    },
    // A manifest is of one version, and neither of the latest nor of several.
    Fault {
        ..toml(
            "B129",
            Kind::Plugin,
            "name = \"notes\"\nversion = \"latest\"\ndescription = \"Notes.\"\n",
            "2:11 error[invalid-value] /version",
        )
    },
    Fault {
        ..toml(
            "B129",
            Kind::Skill,
            "[skill]\nname = \"tides\"\nversion = \"^1.2.0\"\ndescription = \"Knows tides.\"\n[runtime]\ntype = \"python\"\nentry = \"main.py\"\n",
            "3:11 error[invalid-value] /skill/version",
        )
    },
    // Registries have no headers of servers. What stands in them is read all the same.
    Fault {
        reported: &["8:1 warning[unknown-key] /transport"],
        ..toml(
            "B136",
            Kind::Integration,
            "id = \"tides\"\nname = \"Tides\"\ndescription = \"Tides.\"\ncategory = \"data\"\n[transport]\ntype = \"http\"\nurl = \"https://tides.example/mcp\"\nheaders = { X-Key = \"${TIDES_KEY}\" }\n",
            "8:1 warning[unknown-key] /transport\n8:24 hint[unasked-variable] /transport/headers/X-Key",
        )
    },
    // A number in quotes, beside what nobody may read.
    Fault {
        help: "write 60, without quotes",
        ..toml(
            "B141",
            Kind::Integration,
            "id = \"tides\"\nname = \"Tides\"\ndescription = \"Tides.\"\ncategory = \"data\"\n[transport]\ntype = \"stdio\"\ncommand = \"tides\"\nargs = [\"--header\", \"x-token: EXAMPLEtoken9876543210\"]\n[health_check]\ninterval_secs = \"60\"\n",
            "10:17 error[wrong-type] /health_check/interval_secs",
        )
    },
    Fault {
        reported: &[
            "13:20 error[not-finite] /models/0/input_cost_per_m",
            "14:21 error[invalid-value] /models/0/output_cost_per_m",
        ],
        help: "write a number that is 0 or more",
        ..toml(
            "B169",
            Kind::Provider,
            "[provider]\nid = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"ACME_API_KEY\"\nbase_url = \"https://acme.example\"\nkey_required = true\n[[models]]\nid = \"a\"\ndisplay_name = \"A\"\ntier = \"fast\"\ncontext_window = 9\nmax_output_tokens = 4\ninput_cost_per_m = -0.5\noutput_cost_per_m = inf\n",
            "13:20 error[invalid-value] /models/0/input_cost_per_m\n14:21 error[not-finite] /models/0/output_cost_per_m",
        )
    },
];

#[test]
fn faults_of_one_file_are_found_at_their_places() {
    for fault in FAULTS {
        assert_eq!(found(fault.kind, fault.format, fault.text), fault.expected, "{}", fault.id);
        if fault.help.is_empty() {
            continue;
        }
        let helps: Vec<_> = check(fault.kind, fault.format, fault.text)
            .findings
            .into_iter()
            .filter_map(|one| one.help)
            .collect();
        assert!(helps.iter().any(|help| help.contains(fault.help)), "{}: {helps:#?}", fault.id);
    }
}

#[test]
fn the_reports_themselves_are_answered() {
    for fault in FAULTS.iter().filter(|fault| !fault.reported.is_empty()) {
        let Some(text) = field_report(fault.id) else { return };
        let kind = if fault.id == "B003" { Kind::Agent } else { fault.kind };
        let found = found(kind, fault.format, &text);
        for line in fault.reported {
            assert!(found.lines().any(|one| one == *line), "{}: no {line:?} in\n{found}", fault.id);
        }
    }
}

/// B139: a message must not give away what it is about.
#[test]
fn a_key_in_place_of_its_name_is_not_repeated() {
    let own = FAULTS.iter().find(|fault| fault.id == "B139").expect("it is there");
    let texts = [(own.text.to_owned(), "9fk2mq7x"), (field_report("B139").unwrap_or_default(), "0123456789")];
    for (text, secret) in texts {
        let shown = format!("{:?}", check(Kind::Provider, Format::Toml, &text).findings);
        assert!(!shown.contains(secret), "{shown}");
    }
}

/// What is sound stays unsaid: reports of files that other readers refused.
#[test]
fn what_is_read_is_no_fault() {
    let agent = "name = \"worker\"\ndescription = \"Works.\"\nmodule = \"builtin:chat\"\n";
    let hand = "id = \"pair\"\nname = \"Pair\"\ndescription = \"Two.\"\ncategory = \"data\"\ntools = []\n";
    let role = "name = \"one\"\nmodule = \"builtin:chat\"\n";
    for (id, kind, text) in [
        ("B009", Kind::Agent, format!("{agent}[routing]\nsimple_model = \"a\"\ncomplex_model = \"b\"\n")),
        ("B010", Kind::Agent, format!("{agent}[autonomous]\nmax_iterations = 7\n")),
        (
            "B032",
            Kind::Hand,
            format!(
                "{hand}[[requires]]\nkey = \"K\"\nlabel = \"Key\"\nrequirement_type = \"api_key\"\ncheck_value = \"K\"\n\
                 [agents.one]\n{role}system_prompt = \"Answer.\"\n"
            ),
        ),
        (
            "B033",
            Kind::Hand,
            format!("{hand}[agents.one]\ncoordinator = true\n{role}system_prompt = \"Lead.\"\n[agents.two]\nbase = \"coder\"\n"),
        ),
        // The flat form of a role and the nested one, side by side.
        (
            "B034",
            Kind::Hand,
            format!(
                "{hand}[agents.one]\n{role}model = \"default\"\nsystem_prompt = \"Answer.\"\n[agents.two]\n{role}\
                 [agents.two.model]\nmodel = \"default\"\nsystem_prompt = \"Ask.\"\n"
            ),
        ),
        (
            "B125",
            Kind::Integration,
            "id = \"a\"\nname = \"A\"\ndescription = \"A.\"\ncategory = \"data\"\n[transport]\ntype = \"sse\"\nurl = \"https://a.example/mcp\"\n"
                .to_owned(),
        ),
    ] {
        assert_eq!(found(kind, Format::Toml, &text), "", "{id}: {text}");
        let Some(reported) = field_report(id) else { continue };
        // Reports are fragments, which lack keys of a whole file.
        let rest: Vec<_> = check(kind, Format::Toml, &reported)
            .findings
            .into_iter()
            .filter(|finding| finding.rule.name != "missing-key")
            .collect();
        assert!(rest.is_empty(), "{id}: {rest:#?}");
    }
}

/// B026, B027, B182: what was read is written back, with its signs, in its place, and where a reader does not know it.
#[test]
fn what_was_read_is_written_back() {
    let agent = "name = \"quoter\"\ndescription = \"Says \\\"hi\\\", in C:\\\\tools\"\nmodule = \"builtin:chat\"\n\
                 [model]\nsystem_prompt = \"\"\"\nOne \\\\ two\nHe said: \"stop\"\n\"\"\"\n[response_format]\n\
                 type = \"json_schema\"\n[response_format.schema]\ntype = \"object\"\n\
                 [response_format.schema.properties.when]\ntype = \"string\"\n";
    let reported = ["B026", "B027"].into_iter().filter_map(field_report);
    for text in reported.chain([agent.to_owned()]) {
        // Reports are fragments, which lack keys of a whole file.
        let text = if text.contains("description") { text } else { format!("description = \"A.\"\n{text}") };
        let read: agentry::Agent = agentry::toml::from_str(&text).expect("an agent");
        let written = agentry::toml::to_string(&read).expect("written");
        let values = |text: &str| text.parse::<toml::Table>().expect("TOML");
        assert_eq!(values(&written), values(&text), "{written}");
    }
    let provider = FAULTS.iter().find(|fault| fault.id == "B166").expect("it is there").text;
    let provider = provider.replace("\"fast\"", "\"something-new\"");
    let reading = agentry::toml::read::<agentry::Provider>(&provider);
    let written = agentry::toml::to_string(&reading.value.expect("a provider")).expect("written");
    assert!(written.contains("tier = \"something-new\""), "{written}");
}

/// B141: a message about one key does not show another.
#[test]
fn a_fault_beside_a_credential_does_not_show_it() {
    let own = FAULTS.iter().find(|fault| fault.id == "B141").expect("it is there");
    for text in [Some(own.text.to_owned()), field_report("B141")].into_iter().flatten() {
        let checked = check(Kind::Integration, Format::Toml, &text);
        assert!(!checked.findings.is_empty(), "{text}");
        assert!(!format!("{:?}", checked.findings).contains("EXAMPLEtoken"), "{:?}", checked.findings);
    }
}
