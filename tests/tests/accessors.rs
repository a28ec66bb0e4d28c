//! What the types tell of themselves, for whoever has read a document: asked of the complete examples.

use agentry::contract::plan::PlanItemStatus;
use agentry::contract::values::Milliseconds;
use agentry::hand::{Duty, FlatRole, HandAgents, NestedRole};
use agentry::package::AccessPattern;
use agentry::provider::{Limits, Modality};
use agentry::registry_schema::FieldValues;
use agentry::values::{HttpUrl, Id, Module, Prose, Version};
use agentry::{Hand, Nullable, Package, Provider, RegistrySchema, SkillMd, Workflow};
use agentry_tests::root;
use serde_json::json;
use std::time::Duration;

fn example(path: &str) -> String {
    let path = root().join("examples").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_workflow_tells_its_steps_and_parameters() {
    let text = example("registry/workflows/complete-voyage-plan.toml");
    let workflow: Workflow = agentry::toml::from_str(&text).expect("an example");
    assert!(workflow.parameters().len() > 1 && workflow.steps.len() > 1);
    for parameter in workflow.parameters() {
        assert_eq!(workflow.parameter(parameter.name.as_str()), Some(parameter));
    }
    for step in &*workflow.steps {
        assert_eq!(workflow.step(step.name.as_str()), Some(step));
    }
    assert!(workflow.step("nowhere").is_none() && workflow.parameter("nowhere").is_none());
}

#[test]
fn a_registry_schema_tells_what_fields_may_hold() {
    let text = example("registry/registry-schema.toml");
    let schema: RegistrySchema = agentry::toml::from_str(&text).expect("an example");
    let logbook = schema.get("logbook").expect("it is described");
    let field = |path: &str| &logbook.field(path).unwrap_or_else(|| panic!("no field {path}")).values;
    let said = |values: &FieldValues| {
        json!({
            "type": values.field_type(),
            "required": values.is_required(),
            "secret": values.is_secret(),
            "options": values.options().map(<[_]>::len),
            "default": values.default(),
            "example": values.example(),
            "items": values.item_type(),
        })
    };
    for (path, expected) in [
        (
            "waters",
            json!({ "type": "string", "required": false, "secret": false, "options": 4, "default": "coast",
                "example": "river", "items": null }),
        ),
        (
            "boat",
            json!({ "type": "string", "required": true, "secret": false, "options": null, "default": null,
                "example": "curlew", "items": null }),
        ),
        (
            "crew",
            json!({ "type": "array", "required": false, "secret": false, "options": null, "default": null,
                "example": ["Ada", "Bea"], "items": "string" }),
        ),
        (
            "upload_token",
            json!({ "type": "string", "required": false, "secret": true, "options": null, "default": null,
                "example": null, "items": null }),
        ),
    ] {
        assert_eq!(said(field(path)), expected, "{path}");
    }
}

#[test]
fn roles_are_built_key_by_key() {
    let toml = |text: &str| agentry::toml::from_str::<Hand>(text).expect("a hand").agents;
    let head = "id = 'h'\nname = 'H'\ndescription = 'Does it.'\ncategory = 'data'\ntools = []\n";
    let keys = "name = 'n'\nmodule = 'builtin:chat'\nsystem_prompt = 'x'\n";
    let is_main = |agents: &HandAgents| agents.is_main();
    assert!(is_main(&toml(&format!("{head}[agent]\n{keys}"))));
    assert!(!is_main(&toml(&format!("{head}[agents.a]\n{keys}"))));
    assert!(!is_main(&toml(head)));

    let base = || Id::new("planner").expect("an id");
    let module = || Module::new("builtin:chat").expect("a module");
    let prompt = Prose::new("Plan.").expect("a text");
    let duty = || Duty::new().with_coordinator(true);
    let flat = FlatRole::based_on(base()).with_module(module()).with_system_prompt(prompt).with_duty(duty());
    assert_eq!(
        serde_json::to_value(&flat).expect("JSON"),
        json!({ "base": "planner", "module": "builtin:chat", "coordinator": true, "system_prompt": "Plan." })
    );
    let model: agentry::agent::RoleModel =
        agentry::toml::from_str("system_prompt = 'Plan.'").expect("a model");
    let nested = NestedRole::based_on(base(), model).with_module(module()).with_duty(duty());
    let nested = serde_json::to_value(&nested).expect("JSON");
    assert_eq!((&nested["module"], &nested["coordinator"]), (&json!("builtin:chat"), &json!(true)));
}

#[test]
fn a_package_tells_what_it_holds() {
    let text = example("packages/complete-yaml/agent.yaml");
    let package: Package = agentry::yaml::from_str(&text).expect("an example");
    let plain: serde_json::Value = yaml_serde::from_str(&text).expect("YAML");
    let count = |key: &str| plain[key].as_array().map_or(0, Vec::len);
    assert_eq!(package.capabilities().len(), count("capabilities"));
    assert_eq!(package.files().len(), count("files"));
    assert_eq!(package.tools().len(), count("tools"));
    for (pattern, address, matches) in [
        ("*.acme.example", "https://api.acme.example/x", true),
        ("*.acme.example", "https://acme.other/x", false),
        ("acme.example", "ssh://acme.example", true),
        ("acme.example", "acme.example", false),
    ] {
        let pattern = AccessPattern::new(pattern).expect("a pattern");
        assert_eq!(pattern.matches_address(address), matches, "{pattern} {address}");
    }
}

#[test]
fn values_tell_what_they_stand_for() {
    let url = HttpUrl::new("https://acme.example/v1").expect("an address").to_url();
    assert_eq!((url.host_str(), url.path()), (Some("acme.example"), "/v1"));
    let version = Version::new("1.2.3").expect("a version").to_semver();
    assert_eq!((version.major, version.minor, version.patch), (1, 2, 3));
    for (status, settled) in [
        (PlanItemStatus::Pending, false),
        (PlanItemStatus::InProgress, false),
        (PlanItemStatus::Done, true),
        (PlanItemStatus::Blocked, true),
        (PlanItemStatus::Skipped, true),
    ] {
        assert_eq!(status.is_settled(), settled, "{status:?}");
    }
    for (number, duration) in [("1500", Some(Duration::from_millis(1500))), ("-1", None)] {
        let number: Milliseconds = serde_json::from_str(number).expect("a number");
        assert_eq!(number.to_duration(), duration);
    }
    assert_eq!((Nullable::Value(1).into_value(), Nullable::<i32>::Null.into_value()), (Some(1), None));
}

#[test]
fn limits_of_media_are_those_of_what_makes_no_text() {
    assert!(Limits::media(Modality::Text, None, None).is_none());
    let limits = Limits::media(Modality::Image, None, None).expect("limits");
    assert_eq!(serde_json::to_value(limits).expect("JSON"), json!({ "modality": "image" }));
}

#[test]
fn models_and_granted_tools_are_those_of_the_file() {
    let text = example("registry/providers/complete-lighthouse.toml");
    let provider: Provider = agentry::toml::from_str(&text).expect("an example");
    assert!(provider.models().len() > 1);
    let models = provider.models.clone().expect("it has some");
    let mut bare = provider.clone();
    bare.models = None;
    assert_eq!(bare.models().len(), 0);
    assert_eq!(bare.with_models(models), provider);

    let skill = |tools: &str| -> SkillMd {
        let text = format!("---\nname: tides\ndescription: Reads tide tables.\n{tools}---\nText.\n");
        agentry::skill_md::from_str(&text).expect("a skill").skill
    };
    let granted: Vec<String> = skill("allowed-tools: Read Bash(git:*)\n")
        .granted_tools()
        .into_iter()
        .map(|tool| format!("{} {} {:?}", tool.as_str(), tool.name(), tool.pattern()))
        .collect();
    assert_eq!(granted, ["Read Read None", "Bash(git:*) Bash Some(\"git:*\")"]);
    assert!(skill("").granted_tools().is_empty());
}
