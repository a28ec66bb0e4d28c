use super::{
    Agent, AgentCommon, AgentModel, AgentSchedule, Continuous, HistoryLimit, ModelSettings, Periodic,
    Proactive,
};
use crate::testing::{check, found};
use crate::values::{Id, Module, Prose, Schedule};
use agentry_text::{Mode, Severity};

/// An agent with more keys: lines that start with `[` open tables.
fn agent(more: &str) -> String {
    format!("name = 'a'\ndescription = 'Does it.'\nmodule = 'builtin:chat'\n{more}")
}

fn check_agents(table: &[(&str, &str)]) {
    let texts: Vec<String> = table.iter().map(|(more, _)| agent(more)).collect();
    let table: Vec<(&str, &str)> =
        texts.iter().zip(table).map(|(text, (_, expected))| (text.as_str(), *expected)).collect();
    check::<Agent>(&table);
}

#[test]
fn required_keys() {
    check::<Agent>(&[
        ("description = 'x'\nmodule = 'builtin:chat'", "error missing-key  name"),
        ("name = 'a'\nmodule = 'builtin:chat'", "error missing-key  description"),
        ("name = 'a'\ndescription = 'x'", "error missing-key  module"),
        ("name = 'a'\ndescription = ''\nmodule = 'builtin:chat'", "error invalid-value /description"),
        ("name = 'A b'\ndescription = 'x'\nmodule = 'builtin:chat'", "error invalid-value /name"),
        ("name = 'a'\ndescription = 'x'\nmodule = 'chat'", "error invalid-value /module"),
    ]);
}

#[test]
fn the_model_may_be_absent_and_once_there_has_a_prompt() {
    check_agents(&[
        ("", ""),
        ("[model]\nsystem_prompt = 'x'", ""),
        ("[model]\nmodel = 'default'", "error missing-key /model system_prompt"),
        ("[model]\nsystem_prompt = ''", "error invalid-value /model/system_prompt"),
        ("[model]\nsystem_prompt = 'x'\nname = 'm'", "warning legacy-name /model/name"),
        ("[model]\nsystem_prompt = 'x'\nname = 'm'\nmodel = 'm'", "error conflicting-keys /model/model"),
        ("[model]\nsystem_prompt = 'x'\ntemperature = 2", ""),
        ("[model]\nsystem_prompt = 'x'\ntemperature = 2.1", "error invalid-value /model/temperature"),
        ("[model]\nsystem_prompt = 'x'\ntemperature = -0.1", "error invalid-value /model/temperature"),
        ("[model]\nsystem_prompt = 'x'\nmax_tokens = 1", ""),
        ("[model]\nsystem_prompt = 'x'\nmax_tokens = 0", "error invalid-value /model/max_tokens"),
        ("[model]\nsystem_prompt = 'x'\napi_key_env = ''", "warning empty-value /model/api_key_env"),
        ("[model]\nsystem_prompt = 'x'\ntop_p = 0.5", "warning unknown-key /model top_p"),
    ]);
}

#[test]
fn keys_after_a_table_header_are_misplaced() {
    check_agents(&[
        ("[model]\nsystem_prompt = 'x'\nversion = '1.0.0'", "warning misplaced-key /model version"),
        (
            "[model]\nsystem_prompt = 'x'\n[metadata.routing]\ntags = []",
            "warning misplaced-key /metadata/routing tags",
        ),
        ("system_prompt = 'x'", "warning misplaced-key  system_prompt"),
        ("max_llm_tokens_per_hour = 5", "warning misplaced-key  max_llm_tokens_per_hour"),
        ("no_such_key = 5", "warning unknown-key  no_such_key"),
    ]);
    let text = agent("[model]\nsystem_prompt = 'x'\nversion = '1.0.0'");
    let reading = agentry_text::read_document::<Agent>(&crate::toml::parse(&text), Mode::Strict);
    assert_eq!(reading.findings[0].message, "`version` ended up inside `[model]`");
}

#[test]
fn allow_lists_tell_absent_from_empty() {
    check_agents(&[
        ("mcp_servers = ['github', '*']\nskills = ['rust-expert']", ""),
        ("mcp_servers = []", "warning empty-list /mcp_servers"),
        ("skills = []", "warning empty-list /skills"),
        ("mcp_servers = ['']", "error invalid-value /mcp_servers/0"),
        ("skills = ['a', '']", "error invalid-value /skills/1"),
        ("skills = 'a'", "error wrong-type /skills"),
        ("tags = []\ntool_allowlist = []", ""),
    ]);
    let read = |more: &str| crate::toml::from_str::<Agent>(&agent(more)).expect("a valid agent").common;
    assert_eq!(read("").mcp_servers, None);
    assert_eq!(read("mcp_servers = []").mcp_servers.as_deref(), Some(&[][..]));
    assert_ne!(read(""), read("mcp_servers = []"));
}

#[test]
fn history_limits_are_clamped_or_costly() {
    check_agents(&[
        ("max_history_messages = -1", "error invalid-value /max_history_messages"),
        ("max_history_messages = 0", "warning clamped-value /max_history_messages"),
        ("max_history_messages = 3", "warning clamped-value /max_history_messages"),
        ("max_history_messages = 4", "hint costly-value /max_history_messages"),
        ("max_history_messages = 59", "hint costly-value /max_history_messages"),
        ("max_history_messages = 60", ""),
        ("max_history_messages = 120", ""),
    ]);
    assert_eq!(HistoryLimit::new(80).map(HistoryLimit::get), Ok(80));
}

#[test]
fn a_schedule_has_one_way() {
    check_agents(&[
        ("schedule = 'reactive'", ""),
        ("schedule = 'daily'", "error unknown-option /schedule"),
        ("schedule = 5", "error wrong-type /schedule"),
        ("[schedule]\ncontinuous = { check_interval_secs = 120 }", ""),
        (
            "[schedule]\ncontinuous = { check_interval_secs = 0 }",
            "error invalid-value /schedule/continuous/check_interval_secs",
        ),
        ("[schedule]\nperiodic = { cron = 'every 5m' }", ""),
        ("[schedule]\nperiodic = { cron = '0 25 * * *' }", "error invalid-value /schedule/periodic/cron"),
        ("[schedule]\nperiodic = {}", "error missing-key /schedule/periodic cron"),
        ("[schedule]\nproactive = { conditions = ['event:agent_spawned'] }", ""),
        (
            "[schedule]\ncontinuous = {}\nperiodic = { cron = '@daily' }",
            "error conflicting-keys /schedule/periodic",
        ),
    ]);
    for (schedule, ways) in [
        (AgentSchedule::continuous(Continuous::new()), [true, false, false]),
        (
            AgentSchedule::periodic(Periodic::new(Schedule::new("every 5m").expect("a schedule"))),
            [false, true, false],
        ),
        (AgentSchedule::proactive(Proactive::new(Vec::new())), [false, false, true]),
    ] {
        let found = [
            schedule.as_continuous().is_some(),
            schedule.as_periodic().is_some(),
            schedule.as_proactive().is_some(),
        ];
        assert_eq!(found, ways);
    }
}

#[test]
fn options_patterns_and_words() {
    check_agents(&[
        ("priority = 'critical'\nsession_mode = 'new'\nprofile = 'coding'", ""),
        ("priority = 'urgent'", "error unknown-option /priority"),
        ("session_mode = 'fresh'", "error unknown-option /session_mode"),
        ("exec_policy = 'deny'\ntool_exec_backend = 'docker'", ""),
        ("exec_policy = 'Deny!'", "error invalid-value /exec_policy"),
        ("[exec_policy]\nmode = 'allowlist'\ntimeout_secs = 30", ""),
        ("version = '1.0'", "error invalid-value /version"),
        ("version = '0.4.3-beta3-20260314'", ""),
        ("[capabilities]\nnetwork = ['*', '*.example.org', 'api.example.com:443']", ""),
        ("[capabilities]\nnetwork = ['https://example.org/']", "error invalid-value /capabilities/network/0"),
        ("[capabilities]\nmemory_read = ['*']\nmemory_write = ['self.*', 'shared.*', 'self.notes']", ""),
        ("[capabilities]\nmemory_write = ['']", "error invalid-value /capabilities/memory_write/0"),
        ("[capabilities]\nshell = ['cargo *', '']", "error invalid-value /capabilities/shell/1"),
        ("[capabilities]\nagent_spawn = 'yes'", "error wrong-type /capabilities/agent_spawn"),
        ("[resources]\nmax_concurrent_tools = 5", ""),
        ("[[fallback_models]]\nprovider = 'default'", "error missing-key /fallback_models/0 model"),
    ]);
}

#[test]
fn tables_without_a_published_shape_are_kept_whole() {
    let text = agent(
        "tools = { web_search = { limit = 5 } }\n\
         triggers = [{ on = 'x', then = [1, { a = 2.5 }] }]\n\
         [response_format]\ntype = 'json_schema'\n\
         [response_format.schema.properties.total]\ntype = 'number'\nminimum = 0.5\nseen = 2026-01-01\n",
    );
    assert_eq!(found::<Agent>(&text), "");
    let written =
        crate::toml::to_string(&crate::toml::from_str::<Agent>(&text).expect("valid")).expect("writes");
    let values = |text: &str| agentry_text::Value::from(&crate::toml::parse(text).root.expect("a root"));
    assert_eq!(values(&written), values(&text));
}

#[test]
fn agents_are_built_as_they_are_read() {
    let id = |text: &str| Id::new(text).expect("an id");
    let prose = |text: &str| Prose::new(text).expect("text");
    let common =
        AgentCommon::default().with_enabled(false).with_mcp_servers(crate::AllowList::new(Vec::new()));
    let built = Agent::new(id("a"), prose("Does it."), Module::new("builtin:chat").expect("a module"))
        .with_model(AgentModel::new(prose("x"), ModelSettings::new()))
        .with_common(common);
    let read: Agent =
        crate::toml::from_str(&agent("enabled = false\nmcp_servers = []\n[model]\nsystem_prompt = 'x'"))
            .expect("valid");
    assert_eq!(built, read);
    assert!(!read.common.enabled());
    assert!(read.common.show_progress());
}

#[test]
fn newer_options_survive_the_tolerant_reading() {
    let text = agent("priority = 'urgent'");
    let reading = crate::toml::read::<Agent>(&text);
    assert_eq!(reading.findings[0].severity, Severity::Warning);
    let written = crate::toml::to_string(&reading.value.expect("a value")).expect("writes");
    assert!(written.contains("priority = \"urgent\""), "{written}");
}

#[test]
fn the_choice_of_the_runtime_is_told_from_names() {
    use crate::values::{ModelRef, ProviderRef};
    for (name, default) in [("default", true), ("openai", false)] {
        assert_eq!(ModelRef::new(name).expect("a model").is_default(), default, "{name}");
        assert_eq!(ProviderRef::new(name).expect("a provider").is_default(), default, "{name}");
    }
}
