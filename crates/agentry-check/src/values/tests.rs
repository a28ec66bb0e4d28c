//! Rules over the trees of LibreFang's kinds, at the very line and column.

use crate::{Checker, Input};
use agentry::Kind;
use agentry_text::{Format, Lines};

fn found(kind: Kind, text: &str) -> String {
    judged(Checker::default(), kind, text)
}

fn judged(checker: Checker, kind: Kind, text: &str) -> String {
    let input = Input { path: None, kind: Some(kind), contract: None, format: Format::Toml, text };
    let places = Lines::new(text);
    let shown = checker.check(&input).findings.into_iter().map(|one| {
        let at = places.position(one.span.start);
        format!("{}:{} {}[{}] {}", at.line, at.column, one.severity.name(), one.rule.name, one.pointer)
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// A provider of five lines, and a model of eight with these lines at its end.
fn provider(base_url: &str, key_required: bool, tier: &str, lines: &str) -> String {
    format!(
        "[provider]\nid = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"ACME_API_KEY\"\nbase_url = \"{base_url}\"\n\
         key_required = {key_required}\n[[models]]\nid = \"acme-1\"\ndisplay_name = \"Acme 1\"\ntier = \"{tier}\"\n\
         context_window = 1000\n{lines}\n"
    )
}

const FAR: &str = "https://api.acme.example/v1";
const NEAR: &str = "http://127.0.0.1:8000/v1";

#[test]
fn prices_limits_and_keys_of_a_provider() {
    let priced = |input: &str, output: &str, more: &str| {
        format!("max_output_tokens = 100\ninput_cost_per_m = {input}\noutput_cost_per_m = {output}\n{more}")
    };
    for (text, expected) in [
        (provider(FAR, true, "smart", &priced("1.0", "4.0", "")), ""),
        // A price of nothing.
        (
            provider(FAR, true, "smart", &priced("0.0", "0", "")),
            "13:20 hint[zero-price] /models/0/input_cost_per_m",
        ),
        (provider(FAR, true, "smart", &priced("0.0", "0.0", "pricing_known = false")), ""),
        (
            provider(FAR, true, "smart", &priced("0.0", "0.0", "modality = \"image\"\nper_call_cost = 0.1")),
            "",
        ),
        (
            provider(FAR, true, "smart", &priced("0.0", "0.0", "modality = \"video\"")),
            "7:1 warning[missing-call-cost] /models/0",
        ),
        (provider(FAR, true, "smart", &priced("1.0", "4.0", "modality = \"music\"")), ""),
        (provider(NEAR, true, "smart", &priced("0.0", "0.0", "")), ""),
        (provider(FAR, true, "local", &priced("0.0", "0.0", "")), ""),
        // A price of what runs here.
        (
            provider(NEAR, false, "local", &priced("0.0", "0.2", "")),
            "14:21 warning[local-price] /models/0/output_cost_per_m",
        ),
        (provider(NEAR, false, "smart", &priced("0.1", "0.2", "")), ""),
        // Prices the wrong way round.
        (
            provider(FAR, true, "smart", &priced("4.0", "1.0", "")),
            "14:21 hint[cheap-output] /models/0/output_cost_per_m",
        ),
        (provider(FAR, true, "smart", &priced("4.0", "0.0", "")), ""),
        (provider(FAR, true, "smart", &priced("4.0", "1.0", "modality = \"image\"")), ""),
        // A mistake in one key hides nothing in another.
        (
            provider(
                FAR,
                true,
                "dear",
                "max_output_tokens = 1001\ninput_cost_per_m = -1\noutput_cost_per_m = 1.0",
            ),
            "10:8 error[unknown-option] /models/0/tier\n\
             12:21 warning[output-above-context] /models/0/max_output_tokens\n\
             13:20 error[invalid-value] /models/0/input_cost_per_m",
        ),
        (
            provider(
                FAR,
                true,
                "smart",
                "max_output_tokens = 1000\ninput_cost_per_m = 1\noutput_cost_per_m = 1.0",
            ),
            "",
        ),
        // Addresses, and keys that nobody needs.
        (
            provider("http://api.acme.example/v1/", false, "smart", &priced("1.0", "4.0", "")),
            "4:15 hint[unneeded-key] /provider/api_key_env\n\
             5:12 warning[plain-http] /provider/base_url\n\
             5:12 hint[trailing-slash] /provider/base_url",
        ),
        (provider("http://192.168.0.9/v1", false, "smart", &priced("1.0", "4.0", "")), ""),
        (
            "id = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"ACME_API_KEY\"\nbase_url = \
             \"http://acme.example\"\nkey_required = false\n"
                .to_owned(),
            "3:15 hint[unneeded-key] /api_key_env\n4:12 warning[plain-http] /base_url",
        ),
        // What is empty because there is nothing to say, and what is not.
        (
            "[provider]\nid = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"\"\nbase_url = \"\"\n\
             key_required = false\n"
                .to_owned(),
            "4:15 hint[empty-value] /provider/api_key_env\n5:12 hint[empty-value] /provider/base_url",
        ),
        (
            "[provider]\nid = \"acme\"\ndisplay_name = \"Acme\"\napi_key_env = \"\"\nbase_url = \"\"\n\
             key_required = true\n"
                .to_owned(),
            "4:15 warning[empty-value] /provider/api_key_env\n5:12 warning[empty-value] /provider/base_url",
        ),
    ] {
        assert_eq!(found(Kind::Provider, &text), expected, "{text}");
    }
}

const AGENT: &str = "name = \"clerk\"\ndescription = \"Answers.\"\nmodule = \"builtin:chat\"\n";

#[test]
fn models_of_an_agent() {
    let own = "[model]\nsystem_prompt = \"You answer.\"\n";
    for (lines, expected) in [
        (format!("{own}provider = \"default\"\nmodel = \"default\""), ""),
        (
            format!("{own}provider = \"default\"\napi_key_env = \"ACME_KEY\""),
            "7:15 warning[pointless-key] /model/api_key_env",
        ),
        (format!("{own}provider = \"acme\"\napi_key_env = \"ACME_KEY\""), ""),
        (
            format!("{own}[[fallback_models]]\nprovider = \"default\"\nmodel = \"default\""),
            "8:9 warning[repeated-fallback] /fallback_models/0/model",
        ),
        (
            format!(
                "{own}provider = \"acme\"\nmodel = \"a\"\n[[fallback_models]]\nprovider = \"acme\"\nmodel = \"b\"\n\
                 [[fallback_models]]\nprovider = \"acme\"\nmodel = \"b\""
            ),
            "13:9 warning[repeated-fallback] /fallback_models/1/model",
        ),
        (
            format!(
                "{own}provider = \"acme\"\nname = \"a\"\n[[fallback_models]]\nprovider = \"acme\"\nmodel = \"a\""
            ),
            "7:1 warning[legacy-name] /model/name\n10:9 warning[repeated-fallback] /fallback_models/0/model",
        ),
        // Another account and another address are another chance.
        (
            format!(
                "{own}provider = \"acme\"\nmodel = \"a\"\n[[fallback_models]]\nprovider = \"acme\"\nmodel = \"a\"\n\
                 api_key_env = \"ACME_B\"\n[[fallback_models]]\nprovider = \"acme\"\nmodel = \"a\"\n\
                 base_url = \"https://b.acme.example\""
            ),
            "",
        ),
        (
            format!("{own}context_window = 100\nmax_output_tokens = 200\nmax_tokens = 300"),
            "7:21 warning[output-above-context] /model/max_output_tokens\n\
             8:14 warning[contradiction] /model/max_tokens",
        ),
        (
            format!("{own}max_tokens = 300\n[thinking]\nbudget_tokens = 300"),
            "8:17 warning[contradiction] /thinking/budget_tokens",
        ),
        (format!("{own}max_tokens = 300\n[thinking]\nbudget_tokens = 200"), ""),
        ("[routing]\nsimple_threshold = 100\ncomplex_threshold = 100".to_owned(), ""),
        (
            "[routing]\nsimple_threshold = 600\ncomplex_threshold = 100".to_owned(),
            "5:20 warning[contradiction] /routing/simple_threshold",
        ),
        (format!("{own}base_url = \"http://acme.example/v1\""), "6:12 warning[plain-http] /model/base_url"),
    ] {
        assert_eq!(found(Kind::Agent, &format!("{AGENT}{lines}\n")), expected, "{lines}");
    }
}

#[test]
fn statements_of_an_agent_that_cannot_both_hold() {
    for (lines, expected) in [
        (
            "tool_allowlist = [\"a\", \"b\"]\ntool_blocklist = [\"b\"]",
            "5:19 warning[contradiction] /tool_blocklist/0",
        ),
        ("mcp_disabled = true\nmcp_servers = [\"github\"]", "5:15 hint[contradiction] /mcp_servers"),
        ("mcp_disabled = false\nmcp_servers = [\"github\"]", ""),
        ("max_concurrent_invocations = 2", "4:30 warning[contradiction] /max_concurrent_invocations"),
        ("max_concurrent_invocations = 2\nsession_mode = \"new\"", ""),
        ("[resources]\nmax_concurrent_tools = 5", "5:1 hint[dropped-key] /resources/max_concurrent_tools"),
        ("author = \" \"", "4:10 warning[empty-value] /author"),
        // Off unless they are asked for.
        ("[i18n.de]\nname = \"Schreiber\"", ""),
        ("[capabilities]\nnetwork = [\"*\"]", ""),
    ] {
        assert_eq!(found(Kind::Agent, &format!("{AGENT}{lines}\n")), expected, "{lines}");
    }
}

#[test]
fn what_is_off_unless_it_is_asked_for() {
    let hand = "id = \"office\"\nname = \"Office\"\ndescription = \"Works.\"\ncategory = \"data\"\ntools = []\n\
        tags = [\"a\"]\n[i18n.de]\ntags = [\"b\"]\n[i18n.fr]\ntags = [\"c\"]\n[agents.one]\nname = \"one\"\n\
        module = \"builtin:chat\"\nsystem_prompt = \"You work.\"\ntags = [\"d\"]\n";
    for (kind, text, expected) in [
        (Kind::Agent, format!("{AGENT}[i18n.de]\nname = \"Schreiber\"\n"), "4:2 hint[catalogue-key] /i18n"),
        (
            Kind::Agent,
            format!("{AGENT}[capabilities]\nshell = [\"ls *\", \"*\"]\n"),
            "5:18 hint[wildcard-grant] /capabilities/shell/1",
        ),
        (
            Kind::Hand,
            hand.to_owned(),
            "6:1 hint[catalogue-key] /tags\n8:1 hint[catalogue-key] /i18n/de/tags\n\
             15:1 hint[catalogue-key] /agents/one/tags",
        ),
    ] {
        assert_eq!(judged(Checker::default().optional(true), kind, &text), expected, "{text}");
        assert_eq!(found(kind, &text), "", "{text}");
    }
}

#[test]
fn roles_of_a_hand() {
    let head =
        "id = \"office\"\nname = \"Office\"\ndescription = \"Works.\"\ncategory = \"data\"\ntools = []\n";
    let flat = "name = \"one\"\nmodule = \"builtin:chat\"\nsystem_prompt = \"You work.\"\n";
    let nested = "name = \"one\"\nmodule = \"builtin:chat\"\n";
    for (lines, expected) in [
        (format!("[agents.one]\n{flat}tool_blocklist = [\"a\"]\ncoordinator = true"), String::new()),
        (
            format!(
                "[agents.one]\n{flat}skills = [\"x\"]\ntags = [\"y\"]\n[agents.one.capabilities]\nshell = [\"ls\"]"
            ),
            "10:1 warning[dropped-key] /agents/one/skills\n\
             12:13 warning[dropped-key] /agents/one/capabilities"
                .to_owned(),
        ),
        (
            format!("[agent]\n{flat}skills = [\"x\"]\nprovider = \"default\"\napi_key_env = \"A_KEY\""),
            "10:1 warning[dropped-key] /agent/skills\n12:15 warning[pointless-key] /agent/api_key_env"
                .to_owned(),
        ),
        ("[agents.one]\nbase = \"planner\"\nskills = [\"x\"]".to_owned(), String::new()),
        (
            format!(
                "[agents.one]\n{nested}skills = [\"x\"]\n[agents.one.model]\nsystem_prompt = \"You work.\""
            ),
            String::new(),
        ),
        (
            format!(
                "[agents.one]\n{nested}coordinator = true\n[agents.one.model]\nsystem_prompt = \"You work.\"\n\
                 [[agents.one.fallback_models]]\nprovider = \"default\"\nmodel = \"default\"\n\
                 [agents.two]\n{flat}coordinator = true"
            ),
            "14:9 warning[repeated-fallback] /agents/one/fallback_models/0/model\n\
             19:15 warning[contradiction] /agents/two/coordinator"
                .to_owned(),
        ),
        // Whatever the role has, the agent that it builds on may have another model.
        (
            "[agents.one]\nbase = \"planner\"\n[agents.one.model]\ntemperature = 0.1\n\
             [[agents.one.fallback_models]]\nprovider = \"default\"\nmodel = \"default\""
                .to_owned(),
            String::new(),
        ),
        (
            format!(
                "tags = [\"a\"]\n[i18n.de]\ntags = [\"b\"]\n[i18n.fr]\ntags = [\"c\"]\n[agents.one]\n{flat}"
            ),
            String::new(),
        ),
    ] {
        assert_eq!(found(Kind::Hand, &format!("{head}{lines}\n")), expected, "{lines}");
    }
}

#[test]
fn options_of_a_plugin() {
    let head = "name = \"notes\"\nversion = \"0.1.0\"\ndescription = \"Keeps notes.\"\n";
    for (lines, expected) in [
        ("[hooks]\ningest = \"a.py\"\ningest_regex = \"^a.*\"\nhook_cache_ttl_secs = 5", ""),
        (
            "[hooks]\nafter_turn = \"a.py\"\ningest_filter = \"a\"\nassemble_cache_ttl_secs = 5",
            "6:1 warning[pointless-key] /hooks/ingest_filter\n\
             7:1 warning[pointless-key] /hooks/assemble_cache_ttl_secs",
        ),
        (
            "[hooks]\ningest = \"a.py\"\ningest_regex = \"(a\"",
            "6:16 warning[unreadable-value] /hooks/ingest_regex",
        ),
        (
            "[hooks]\ningest = \"a.py\"\nprewarm_subprocesses = true\nretry_delay_ms = 5",
            "6:1 warning[pointless-key] /hooks/prewarm_subprocesses\n\
             7:1 hint[pointless-key] /hooks/retry_delay_ms",
        ),
        (
            "[hooks]\ningest = \"a.py\"\npersistent_subprocess = true\nprewarm_subprocesses = true\n\
             max_retries = 1\nretry_delay_ms = 5",
            "",
        ),
        // They stand at the top level in one published file, where nobody reads them.
        ("max_retries = 1\n[hooks]\ningest = \"a.py\"", "4:1 warning[misplaced-key] "),
        (
            "[config.quiet]\ntype = \"string\"\ndefault = \"ture\"",
            "6:11 hint[mistyped-boolean] /config/quiet/default",
        ),
        ("[config.quiet]\ntype = \"string\"\ndefault = \"tree\"", ""),
    ] {
        assert_eq!(found(Kind::Plugin, &format!("{head}{lines}\n")), expected, "{lines}");
    }
}

#[test]
fn parameters_of_prompts() {
    let head = "id = \"report\"\nname = \"Report\"\ndescription = \"Reports.\"\n";
    for (lines, expected) in [
        (
            "[[parameters]]\nname = \"topic\"\nparam_type = \"string\"\nrequired = true\n[[steps]]\nname = \"a\"\n\
             prompt_template = \"Write.\"",
            "5:8 warning[unused-parameter] /parameters/0/name",
        ),
        (
            "[[parameters]]\nname = \"input\"\nparam_type = \"string\"\nrequired = true\n[[steps]]\nname = \"a\"\n\
             prompt_template = \"Write.\"",
            "",
        ),
        (
            "[[parameters]]\nname = \"api_token\"\nparam_type = \"string\"\nrequired = true\n[[steps]]\nname = \"a\"\n\
             prompt_template = \"Call it with {{ api_token }}.\"",
            "10:33 warning[secret-in-prompt] /steps/0/prompt_template",
        ),
        // A file that cannot be read as a whole is asked all the same.
        (
            "[[parameters]]\nname = \"fast\"\nparam_type = \"string\"\ndefault = \"fasle\"\n[[steps]]\nname = \"a\"\n\
             prompt_template = \"Be {{fast}} in {{plcae}}, {{input}} {{a}}: /home/mira/x/y\"",
            "4:1 error[missing-key] /parameters/0\n7:11 warning[mistyped-boolean] /parameters/0/default\n\
             10:35 warning[unknown-placeholder] /steps/0/prompt_template\n\
             10:56 warning[unawaited-step] /steps/0/prompt_template\n\
             10:63 hint[home-path] /steps/0/prompt_template",
        ),
        (
            "[[parameters]]\nparam_type = \"string\"\n[[steps]]\nname = \"a\"\nprompt_template = \"In {{place}}.\"",
            "4:1 error[missing-key] /parameters/0\n4:1 error[missing-key] /parameters/0",
        ),
    ] {
        assert_eq!(found(Kind::Workflow, &format!("{head}{lines}\n")), expected, "{lines}");
    }
    let skill = "[skill]\nname = \"report\"\n[runtime]\ntype = \"promptonly\"\n";
    for (lines, expected) in [
        (
            "[input.token]\ntype = \"string\"\ndefault = \"ture\"\n[prompt]\ntemplate = \"Use {{token}}.\"",
            "7:11 hint[mistyped-boolean] /input/token/default\n8:2 hint[dropped-key] /prompt\n\
             9:17 warning[secret-in-prompt] /prompt/template",
        ),
        (
            "[prompt]\ntemplate = \"Write.\"\n[[tools.provided]]\nname = \"count\"\ndescription = \"Counts.\"\n\
             input_schema = { type = \"object\", properties = { n = { minimum = 5, default = 2 } } }",
            "5:2 hint[dropped-key] /prompt\n\
             10:79 warning[unfit-default] /tools/provided/0/input_schema/properties/n/default",
        ),
    ] {
        assert_eq!(found(Kind::Skill, &format!("{skill}{lines}\n")), expected, "{lines}");
    }
}

#[test]
fn variables_of_an_integration() {
    let head = "id = \"tides\"\nname = \"Tides\"\n[transport]\ntype = \"stdio\"\n";
    for (lines, expected) in [
        ("command = \"npx\"\nargs = [\"-y\", \"@acme/tides\"]", ""),
        (
            "command = \"tides\"\n[[required_env]]\nname = \"A_TOKEN\"\nlabel = \"A\"\nis_secret = false\n\
             [[required_env]]\nname = \"A_TOKEN\"\nlabel = \"B\"",
            "9:13 warning[contradiction] /required_env/0/is_secret\n\
             11:8 warning[duplicate-entry] /required_env/1/name",
        ),
        (
            "command = \"tides\"\n[[required_env]]\nname = \"GOOGLE_APPLICATION_CREDENTIALS\"\nlabel = \"A\"\n\
             is_secret = false",
            "",
        ),
        (
            "command = \"/home/mira/bin/tides\"\nargs = [\"--token\", \"q7m2k9x4b1\"]",
            "5:12 hint[home-path] /transport/command\n6:20 warning[literal-secret] /transport/args/1",
        ),
        (
            "command = \"tides\"\nargs = [\"--token\", \"${TIDES_TOKEN}\", \"--password\", \"A_NAME_1\"]\n\
             [[required_env]]\nname = \"TIDES_TOKEN\"\nlabel = \"A\"",
            "",
        ),
        // What the call takes and nobody is asked for; once, and not what is there anyway or may be missing.
        (
            "command = \"tides\"\nargs = [\"${TIDE_TOKEN}\", \"--again=${TIDE_TOKEN}\", \"${HOME}/x\", \"${PORT:-1}\"]\n\
             [[required_env]]\nname = \"TIDES_TOKEN\"\nlabel = \"A\"",
            "6:12 hint[unasked-variable] /transport/args/0",
        ),
        (
            "command = \"tides\"\nargs = [\"--dsn=postgres://app:t1depool@db.acme.example/x\"]",
            "6:31 warning[literal-secret] /transport/args/0",
        ),
    ] {
        assert_eq!(found(Kind::Integration, &format!("{head}{lines}\n")), expected, "{lines}");
    }
}

#[test]
fn a_credential_is_found_wherever_it_stands_and_never_shown() {
    const SECRET: &str = "ghp_9fK2mQ7xT4bV8nR3sW6yZ1cD5gH0jL2pA4eU";
    for (kind, text, expected) in [
        (
            Kind::Channel,
            format!(
                "id = \"buoy\"\nname = \"Buoy\"\ndescription = \"Rings. Token: {SECRET}\"\ncategory = \"iot\"\n\
                 protocol = \"MQTT\"\nicon = \"B\""
            ),
            "3:30 warning[literal-secret] /description",
        ),
        // Each credential of a text is one to withdraw.
        (
            Kind::Channel,
            format!(
                "id = \"buoy\"\nname = \"Buoy\"\ndescription = \"Rings. postgres://app:t1depool@db.acme.example {SECRET} {SECRET}0\"\n\
                 category = \"iot\"\nprotocol = \"MQTT\"\nicon = \"B\""
            ),
            "3:38 warning[literal-secret] /description\n3:63 warning[literal-secret] /description\n\
             3:104 warning[literal-secret] /description",
        ),
        (
            Kind::Agent,
            format!(
                "{AGENT}[model]\nsystem_prompt = \"\"\"\nUse\n{SECRET}\n\"\"\"\napi_secret = \"a1b2c3d4\""
            ),
            "7:1 warning[literal-secret] /model/system_prompt\n9:1 warning[unknown-key] /model\n\
             9:14 warning[literal-secret] /model/api_secret",
        ),
        (
            Kind::Agent,
            format!("{AGENT}[metadata.auth_token]\ndescription = \"2fa-codes\"\nsecret = \"auth/2fa-codes\""),
            "",
        ),
    ] {
        let found_here = found(kind, &text);
        let found_here: Vec<_> =
            found_here.lines().filter(|line| !line.contains("error[") && !line.contains("unusual")).collect();
        assert_eq!(found_here.join("\n"), expected, "{text}");
        let input = Input { path: None, kind: Some(kind), contract: None, format: Format::Toml, text: &text };
        let checked = Checker::default().check(&input);
        assert!(!format!("{:?}", checked.findings).contains("9fK2mQ7"));
        for secret in text.match_indices(SECRET).map(|(at, _)| at) {
            assert!(checked.secrets.iter().any(|span| (span.start..span.end).contains(&secret)), "masked");
        }
    }
}

#[test]
fn keys_of_the_document_that_a_table_of_any_keys_took() {
    let tool = "name = \"helper\"\n[[tools]]\nname = \"look\"\ntype = \"client_side\"\ndescription = \"Looks.\"\n\
                [tools.parameters]\ntype = \"object\"\n";
    for (kind, text, expected) in [
        (
            Kind::Package,
            format!(
                "{tool}max_iterations = 3\n[tools.parameters.properties.place]\ntype = \"string\"\ntags = [\"x\"]\n"
            ),
            "8:1 warning[misplaced-key] /tools/0/parameters\n\
             11:1 warning[misplaced-key] /tools/0/parameters/properties/place",
        ),
        // A property may have any name, and what stands in its place too is no stray.
        (Kind::Package, format!("{tool}[tools.parameters.properties.tags]\ntype = \"string\"\n"), ""),
        (Kind::Package, format!("max_iterations = 5\n{tool}max_iterations = 3\n"), ""),
        (
            Kind::Plugin,
            "name = \"notes\"\nversion = \"0.1.0\"\ndescription = \"Notes.\"\n[env]\nREGION = \"north\"\n\
             requirements = \"requirements.txt\"\n"
                .to_owned(),
            "6:1 warning[misplaced-key] /env",
        ),
    ] {
        assert_eq!(found(kind, &text), expected, "{text}");
    }
}

#[test]
fn nothing_is_concluded_from_what_a_broken_text_may_have_lost() {
    let text = "name = \"notes\"\nversion = \"0.1.0\"\ndescription = \" \"\n[hooks]\ningest_filter = \"a\"\ningest = a.py\n";
    assert_eq!(
        found(Kind::Plugin, text),
        "3:15 warning[empty-value] /description\n6:10 error[syntax] /hooks/ingest"
    );
}
