use super::{FlatRole, Hand, HandAgents, NestedRole, Role, SettingInput, SettingOption, SettingValue};
use crate::agent::{AgentModel, ModelSettings, RoleModel};
use crate::testing::check;
use crate::values::{Id, Label, Module, Prose};
use agentry_text::{Mode, Unique};

const ROLE: &str = "name = 'n'\nmodule = 'builtin:chat'\nsystem_prompt = 'x'\n";
const NESTED: &str = "name = 'n'\nmodule = 'builtin:chat'\nmodel = { system_prompt = 'x' }\n";

/// A hand with more keys: lines that start with `[` open tables. `ROLE` and `NESTED` stand for complete roles.
fn hand(more: &str) -> String {
    let more = more.replace("NESTED", NESTED).replace("ROLE", ROLE);
    format!("id = 'h'\nname = 'H'\ndescription = 'Does it.'\ncategory = 'data'\ntools = []\n{more}")
}

fn check_hands(table: &[(&str, &str)]) {
    let texts: Vec<String> = table.iter().map(|(more, _)| hand(more)).collect();
    let table: Vec<(&str, &str)> =
        texts.iter().zip(table).map(|(text, (_, expected))| (text.as_str(), *expected)).collect();
    check::<Hand>(&table);
}

fn roles(more: &str) -> HandAgents {
    crate::toml::from_str::<Hand>(&hand(more)).expect("a valid hand").agents
}

#[test]
fn a_hand_has_one_agent_or_roles() {
    check_hands(&[
        ("", ""),
        ("[agent]\nROLE", ""),
        ("[agents.a]\nROLE[agents.b]\nNESTED", ""),
        ("[agents]", ""),
        ("[agent]\nROLE[agents.a]\nROLE", "error conflicting-keys /agents"),
        ("[agents]\nname = 'x'", "error wrong-type /agents/name"),
        ("[agents]\ntools = []", "error wrong-type /agents/tools"),
        ("agent = 'x'", "error wrong-type /agent"),
    ]);
    let names = |more: &str| roles(more).roles().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(names(""), [""; 0]);
    assert_eq!(names("[agent]\nROLE"), ["main"]);
    assert_eq!(names("[agents.b]\nROLE[agents.a]\nROLE"), ["b", "a"]);
}

#[test]
fn a_select_that_lost_every_option_is_lost() {
    let setting = |options: &str| {
        let text =
            format!("[[settings]]\nkey = 'k'\nlabel = 'K'\nsetting_type = 'select'\noptions = [{options}]");
        let reading = agentry_text::read_document::<Hand>(&crate::toml::parse(&hand(&text)), Mode::Tolerant);
        let hand = reading.value.expect("the rest can be read");
        hand.settings.map_or(0, |settings| settings.iter().count())
    };
    assert_eq!(setting("{ value = 'a' }, { value = 'b', label = 'B' }"), 1);
    assert_eq!(setting("{ value = 'a' }, { value = 'b' }"), 0);
}

#[test]
fn a_stray_key_under_agents_is_sent_home() {
    let text = hand("[agents]\ntags = ['x']\n[agents.a]\nROLE");
    let reading = agentry_text::read_document::<Hand>(&crate::toml::parse(&text), Mode::Strict);
    let help = reading.findings[0].help.as_deref().unwrap_or_default();
    assert!(help.contains("move it above `[agents]`"), "{help}");
}

#[test]
fn a_role_is_complete_or_has_a_base() {
    check_hands(&[
        (
            "[agents.a]\nname = 'n'",
            "error missing-key /agents/a module\nerror missing-key /agents/a system_prompt",
        ),
        (
            "[agents.a]\nmodel = 'm'\nmodule = 'builtin:chat'\nsystem_prompt = 'x'",
            "error missing-key /agents/a name",
        ),
        (
            "[agents.a.model]\nsystem_prompt = 'x'",
            "error missing-key /agents/a name\nerror missing-key /agents/a module",
        ),
        (
            "[agents.a]\nname = 'n'\nmodule = 'builtin:chat'\nmodel = {}",
            "error missing-key /agents/a/model system_prompt",
        ),
        ("[agents.a]\nbase = 'planner'", ""),
        ("[agents.a]\nbase = 'planner'\nmodel = {}", ""),
        ("[agents.a]\nbase = 'planner'\nmodel = { max_tokens = 5 }\ncapabilities = { shell = ['*'] }", ""),
        ("[agent]\nROLEbase = 'planner'", "error conflicting-keys /agent/base"),
        ("[agent]\nbase = 'planner'", "error conflicting-keys /agent/base"),
    ]);
}

#[test]
fn the_type_of_the_model_decides_the_form() {
    let form = |more: &str| match roles(more).role("a").expect("the role `a`") {
        Role::Flat(_) => "flat",
        Role::Nested(_) => "nested",
    };
    assert_eq!(form("[agents.a]\nROLE"), "flat");
    assert_eq!(form("[agents.a]\nROLEmodel = 'm'"), "flat");
    assert_eq!(form("[agents.a]\nbase = 'b'"), "flat");
    assert_eq!(form("[agents.a]\nNESTED"), "nested");
    check_hands(&[
        ("[agents.a]\nROLEmodel = 5", "error wrong-type /agents/a/model"),
        ("[agents.a]\nROLEmax_iterations = 60\nskills = ['s']\ntool_blocklist = ['file_write']", ""),
        ("[agents.a]\nROLEmax_iterations = 0", "error invalid-value /agents/a/max_iterations"),
        ("[agents.a]\nNESTEDmax_tokens = 5", "warning misplaced-key /agents/a max_tokens"),
        ("[agents.a]\nNESTED[agents.a.thinking]\nbudget_tokens = 5", ""),
        (
            "[agents.a]\nNESTED[agents.a.resources]\ncoordinator = true",
            "warning misplaced-key /agents/a/resources coordinator",
        ),
        (
            "[agents.a]\nname = 'n'\nmodule = 'builtin:chat'\nmodel = { name = 'm', system_prompt = 'x' }",
            "warning legacy-name /agents/a/model/name",
        ),
    ]);
}

#[test]
fn both_forms_answer_the_same_questions() {
    for form in [
        "ROLEmodel = 'm'\nprovider = 'p'",
        "name = 'n'\nmodule = 'builtin:chat'\nmodel = { model = 'm', provider = 'p', system_prompt = 'x' }",
    ] {
        let agents =
            roles(&format!("[agents.a]\ncoordinator = true\ninvoke_hint = 'i'\ndescription = 'd'\n{form}"));
        let role = agents.role("a").expect("the role `a`");
        assert_eq!(role.name().map(Label::as_str), Some("n"));
        assert_eq!(role.module().map(Module::as_str), Some("builtin:chat"));
        assert_eq!(role.system_prompt().map(Prose::as_str), Some("x"));
        assert_eq!(role.description().map(Prose::as_str), Some("d"));
        assert_eq!(role.invoke_hint().map(Prose::as_str), Some("i"));
        assert_eq!(role.model().map(crate::values::ModelRef::as_str), Some("m"));
        assert_eq!(role.provider().map(crate::values::ProviderRef::as_str), Some("p"));
        assert!(role.coordinator());
        assert_eq!(role.base(), None);
    }
}

#[test]
fn roles_are_built_as_they_are_read() {
    let id = |text: &str| Id::new(text).expect("an id");
    let label = |text: &str| Label::new(text).expect("a label");
    let prose = |text: &str| Prose::new(text).expect("text");
    let module = || Module::new("builtin:chat").expect("a module");
    let flat = Role::from(FlatRole::new(label("n"), module(), prose("x")));
    let nested =
        Role::from(NestedRole::new(label("n"), module(), AgentModel::new(prose("x"), ModelSettings::new())));
    let based = Role::from(NestedRole::based_on(id("b"), RoleModel::new(ModelSettings::new())));
    assert_eq!(roles("[agents.a]\nROLE").role("a"), Some(&flat));
    assert_eq!(roles("[agents.a]\nNESTED").role("a"), Some(&nested));
    assert_eq!(roles("[agents.a]\nbase = 'b'\nmodel = {}").role("a"), Some(&based));
    assert!(HandAgents::main(based).is_none(), "a lone agent has no base");
    assert_eq!(HandAgents::main(flat), Some(roles("[agent]\nROLE")));
}

#[test]
fn of_options_that_share_a_value_the_one_that_can_be_read_is_kept() {
    for options in [
        "{ value = 'a' }, { value = 'a', label = 'A' }",
        "{ value = 'a', label = 'A' }, { value = 'a' }",
        "{ value = 'a', label = 'A' }, { value = 'a', label = 'B' }",
    ] {
        let setting = "[[settings]]\nkey = 'k'\nlabel = 'K'\nsetting_type = 'select'\n";
        let document = crate::toml::parse(&hand(&format!("{setting}options = [{options}]")));
        let hand = agentry_text::read_document::<Hand>(&document, Mode::Tolerant).value.expect("a hand");
        let settings = hand.settings.as_deref().unwrap_or_default();
        let [setting] = settings else { panic!("{options}: {settings:?}") };
        let [option] = setting.input.options() else { panic!("{options}: {setting:?}") };
        assert_eq!((option.value.as_str(), option.label.as_str()), ("a", "A"), "{options}");
    }
}

#[test]
fn a_setting_goes_with_the_option_that_its_default_names() {
    let settings = |options: &str| {
        let setting = "[[settings]]\nkey = 'k'\nlabel = 'K'\nsetting_type = 'select'\ndefault = 'a'\n";
        let document = crate::toml::parse(&hand(&format!("{setting}options = [{options}]")));
        let hand = agentry_text::read_document::<Hand>(&document, Mode::Tolerant).value.expect("a hand");
        hand.settings.map_or(0, |settings| settings.len())
    };
    assert_eq!(settings("{ value = 'a' }, { value = 'b', label = 'B' }"), 0);
    assert_eq!(settings("{ value = 'a', label = 'A' }, { value = 'b' }"), 1);
    assert_eq!(settings("{ value = 'a' }, { value = 'a', label = 'A' }"), 1);
}

#[test]
fn settings() {
    let table = [
        ("setting_type = 'text'", ""),
        ("setting_type = 'text'\ndefault = ''", ""),
        ("setting_type = 'text'\ndefault = 5", "error wrong-type /settings/0/default"),
        ("setting_type = 'slider'", "error unknown-option /settings/0/setting_type"),
        ("default = 'x'", "error missing-key /settings/0 setting_type"),
        ("setting_type = 'toggle'\ndefault = 'true'", ""),
        ("setting_type = 'toggle'\ndefault = 'false'", ""),
        ("setting_type = 'toggle'\ndefault = 'yes'", "error invalid-value /settings/0/default"),
        ("setting_type = 'toggle'\ndefault = true", "error wrong-type /settings/0/default"),
        ("setting_type = 'number'\ndefault = '10'", ""),
        ("setting_type = 'number'\ndefault = '-2.5e3'", ""),
        ("setting_type = 'number'\ndefault = 'ten'", "error invalid-value /settings/0/default"),
        ("setting_type = 'number'\ndefault = ''", "error invalid-value /settings/0/default"),
        ("setting_type = 'number'\ndefault = 10", "error wrong-type /settings/0/default"),
        ("setting_type = 'select'", "error missing-key /settings/0 options"),
        ("setting_type = 'select'\noptions = []", "error invalid-value /settings/0/options"),
        ("setting_type = 'select'\noptions = [{ value = 'a', label = 'A' }]", ""),
        ("setting_type = 'select'\ndefault = 'a'\noptions = [{ value = 'a', label = 'A' }]", ""),
        (
            "setting_type = 'select'\ndefault = 'b'\noptions = [{ value = 'a', label = 'A' }]",
            "error default-mismatch /settings/0/default",
        ),
        (
            "setting_type = 'select'\ndefault = 'b'\noptions = [{ value = 'a' }]",
            "error missing-key /settings/0/options/0 label\nerror default-mismatch /settings/0/default",
        ),
        (
            "setting_type = 'select'\noptions = [{ value = 'a', label = 'A' }, { value = 'a', label = 'B' }]",
            "error duplicate-entry /settings/0/options/1/value",
        ),
        (
            "setting_type = 'text'\ndefault = 'b'\noptions = [{ value = 'a', label = 'A' }]",
            "warning pointless-key /settings/0/options",
        ),
    ];
    for (keys, expected) in table {
        let mut findings =
            crate::testing::found::<Hand>(&hand(&format!("[[settings]]\nkey = 'k'\nlabel = 'K'\n{keys}")))
                .lines()
                .map(str::to_owned)
                .collect::<Vec<_>>();
        let mut expected: Vec<&str> = expected.lines().collect();
        findings.sort_unstable();
        expected.sort_unstable();
        assert_eq!(findings, expected, "in\n{keys}");
    }
}

#[test]
fn keys_of_a_list_are_unique_in_their_list() {
    let setting = "[[settings]]\nkey = 'k'\nlabel = 'K'\nsetting_type = 'text'\n";
    let need = "[[requires]]\nkey = 'k'\nlabel = 'K'\nrequirement_type = 'binary'\ncheck_value = 'k'\n";
    check_hands(&[
        (&format!("{setting}{need}"), ""),
        (&format!("{setting}{setting}"), "error duplicate-entry /settings/1/key"),
        (&format!("{need}{need}"), "error duplicate-entry /requires/1/key"),
    ]);
}

#[test]
fn inputs_cannot_be_built_wrongly() {
    let value = |text: &str| SettingValue::new(text).expect("a value");
    let options = |values: &[&str]| {
        let option = |text: &&str| SettingOption::new(value(text), Label::new("L").expect("a label"));
        Unique::new(values.iter().map(option).collect()).expect("unique values")
    };
    assert!(SettingInput::select(options(&[]), None).is_err());
    assert!(SettingInput::select(options(&["a"]), Some(value("b"))).is_err());
    let select = SettingInput::select(options(&["a", ""]), Some(value(""))).expect("fits");
    assert_eq!(select.default().map(SettingValue::as_str), Some(""));
    assert_eq!(select.options().len(), 2);
    assert_eq!(SettingInput::toggle(Some(true)).default().map(SettingValue::as_str), Some("true"));
    assert_eq!(SettingInput::number(Some(-3)).default().map(SettingValue::as_str), Some("-3"));
}

#[test]
fn options_of_all_sources_are_read() {
    check_hands(&[
        ("metadata = { frequency = 'on-demand', default_active = false }", ""),
        ("metadata = { frequency = 'scheduled', token_consumption = 'low' }", ""),
        ("metadata = { frequency = 'reactive' }", "warning legacy-name /metadata/frequency"),
        ("metadata = { frequency = 'weekly' }", "error unknown-option /metadata/frequency"),
        ("dashboard.metrics = [{ label = 'L', memory_key = 'a:b', format = 'text' }]", ""),
        ("dashboard.metrics = [{ label = 'L', memory_key = 'k', format = 'currency' }]", ""),
        (
            "dashboard.metrics = [{ label = 'L', memory_key = 'k', format = 'chart' }]",
            "error unknown-option /dashboard/metrics/0/format",
        ),
        (
            "[[requires]]\nkey = 'k'\nlabel = 'K'\nrequirement_type = 'any_env_var'\ncheck_value = 'A,B'\ninstall = { steps = ['Go.'], manual_url = 'https://example.org/' }",
            "",
        ),
        (
            "[[requires]]\nkey = 'k'\nlabel = 'K'\nrequirement_type = 'binary'\ncheck_value = 'k'\ninstall = { manual_url = 'see the wiki' }",
            "error invalid-value /requires/0/install/manual_url",
        ),
        ("icon = 'lucide:globe'", ""),
        ("icon = 'globe'", "error invalid-value /icon"),
        ("mcp_servers = []\nskills = ['']", "warning empty-list /mcp_servers\nerror invalid-value /skills/0"),
        ("[dashboard]\nicon = 'x'", "warning misplaced-key /dashboard icon"),
        ("[i18n.de.settings.k]\nlabel = 'K'\n[i18n.de.agents.a]\nname = 'A'", ""),
        ("[i18n.german]\nname = 'x'", "error invalid-value /i18n/german"),
    ]);
    let read = crate::toml::from_str::<Hand>(&hand("metadata = { frequency = 'reactive' }")).expect("valid");
    let written = crate::toml::to_string(&read).expect("writes");
    assert!(written.contains("frequency = \"on-demand\""), "{written}");
    assert!(read.metadata.is_some_and(|metadata| metadata.default_active()));
}
