//! Faults that people met with the files of registries: each an input of its own of the same kind, and the report itself
//! where the collection lies beside the project.

use agentry::{Format, Kind};
use agentry_check::{Checked, Checker, Input};
use agentry_tests::field_report;
use agentry_text::Lines;

fn check(kind: Kind, format: Format, text: &str) -> Checked {
    Checker::default().check(&Input { path: None, kind: Some(kind), contract: None, format, text })
}

/// What is found, as `line:column severity[rule] pointer`, one a line.
fn found(kind: Kind, format: Format, text: &str) -> String {
    let lines = Lines::new(text);
    let shown = check(kind, format, text).findings.into_iter().map(|finding| {
        let at = lines.position(finding.span.start);
        format!(
            "{}:{} {}[{}] {}",
            at.line,
            at.column,
            finding.severity.name(),
            finding.rule.name,
            finding.pointer
        )
    });
    shown.collect::<Vec<_>>().join("\n")
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
        help: "",
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
            "{\"id\": \"acme.post\", \"version\": \"1.0.0\", \"description\": \"Posts.\", \"output\": {}, \"input\": {\"type\": \"object\"},\n \"effects\": [{\"kind\": \"network\", \"resource\": \"external:acme.example\"}],\n \"network\": {\"kind\": \"none\"}}",
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
