//! Planters for the rules about what a document means, and about what documents say of each other.

use super::emit::child;
use super::plant::{Plant, Planted, Planting, Spot};
use agentry::Kind;
use serde_json::{Value, json};

/// Each rule with what breaks it, in one or several ways.
pub const PLANTERS: &[(&str, &[Plant])] = &[
    // Prices and limits of models.
    (
        "cheap-output",
        &[|p| model(p, "text", &[("input_cost_per_m", json!(8.5)), ("output_cost_per_m", json!(0.5))])],
    ),
    (
        "output-above-context",
        &[|p| model(p, "text", &[("context_window", json!(4096)), ("max_output_tokens", json!(8192))])],
    ),
    (
        "local-price",
        &[|p| model(p, "local", &[("output_cost_per_m", json!(4.5)), ("input_cost_per_m", json!(1.5))])],
    ),
    (
        "zero-price",
        &[|p| model(p, "text", &[("output_cost_per_m", json!(0.0)), ("input_cost_per_m", json!(0.0))])],
    ),
    // Addresses and variables.
    (
        "plain-http",
        &[
            |p| {
                let spot = remote(p)?;
                p.put_at(&spot, "base_url", "http://api.plain.example/v1")
            },
            |p| p.replace(Kind::Integration, "/transport/url", "http://mcp.plain.example/mcp"),
            |p| p.replace(Kind::Integration, "/oauth/token_url", "http://plain.example/oauth/token"),
            |p| p.put(Kind::Agent, "/model", "base_url", "http://api.plain.example/v1"),
            |p| p.replace(Kind::SkillConfig, "/mcp_servers/1/url", "http://plain.example/mcp"),
        ],
    ),
    (
        "trailing-slash",
        &[
            |p| {
                let spot = remote(p)?;
                p.put_at(&spot, "base_url", "https://api.slash.example/v1/")
            },
            |p| p.replace(Kind::Provider, "/provider/regions/*/base_url", "https://eu.slash.example/v1/"),
            |p| p.put(Kind::Agent, "/model", "base_url", "https://api.slash.example/v1/"),
        ],
    ),
    (
        "unneeded-key",
        &[|p| {
            let spot = remote(p)?;
            p.put_at(&spot, "key_required", false)?;
            Some(Planted::at(spot.manifest, "/provider/api_key_env"))
        }],
    ),
    (
        "home-path",
        &[
            |p| {
                line(
                    p,
                    Kind::Workflow,
                    "/steps/*/prompt_template",
                    "Run python3 /home/mira/tools/send.py first.",
                )
            },
            |p| line(p, Kind::Agent, "/model/system_prompt", "Notes are in /Users/ilya/Notes/today.md."),
            |p| line(p, Kind::Hand, "/agents/*/system_prompt", "Look into /home/ngozi/berths/ at first."),
            |p| line(p, Kind::Skill, "/prompt/template", "Open `/home/mira/words.txt`."),
            |p| line(p, Kind::Package, "/instructions", "Run /Users/ilya/bin/tide."),
        ],
    ),
    (
        "secret-in-prompt",
        &[|p| {
            let spot = p.find(Kind::Workflow, "")?;
            let one = json!({ "name": "mail_api_key", "description": "Which?", "param_type": "string", "required": true });
            let workflow = p.value(&spot)?;
            match workflow.get_mut("parameters").and_then(Value::as_array_mut) {
                Some(all) => all.push(one),
                None => workflow["parameters"] = json!([one]),
            }
            let prompt = workflow["steps"][0]["prompt_template"].as_str()?;
            let prompt = format!("{prompt}Send it with {{{{mail_api_key}}}}.\n");
            workflow["steps"][0]["prompt_template"] = prompt.into();
            Some(Planted::at(spot.manifest, "").part("/steps/0/prompt_template", "{{mail_api_key}}"))
        }],
    ),
    (
        "unpinned-package",
        &[|p| {
            let spot = p.find_where(Kind::Integration, "/transport", |one| one["type"] == "stdio")?;
            p.put_at(&spot, "args", json!(["-y", "@acme/tides"]))
                .map(|planted| planted.part("/transport/args", "@acme/tides"))
        }],
    ),
    // What an agent is given.
    ("wildcard-grant", &[|p| p.put(Kind::Agent, "/capabilities", "network", json!(["*"]))]),
    (
        "pointless-grant",
        &[|p| {
            let spot = p.find(Kind::Agent, "")?;
            p.value(&spot)?["capabilities"]["tools"] = json!(["file_read"]);
            p.put_at(&spot, "tool_allowlist", json!(["file_read", "web_search"]))
                .map(|planted| planted.part("/tool_allowlist", "web_search"))
        }],
    ),
    (
        "repeated-fallback",
        &[|p| {
            let spot = p.find(Kind::Agent, "")?;
            let model = p.value(&spot)?["model"].clone();
            p.put_at(
                &spot,
                "fallback_models",
                json!([{ "provider": model["provider"], "model": model["model"] }]),
            )
            .map(|planted| planted.found_at("/fallback_models/0/model"))
        }],
    ),
    (
        "unknown-tool",
        &[
            |p| {
                p.put(Kind::Agent, "/capabilities", "tools", json!(["web_serach"]))
                    .map(|planted| planted.found_at("/capabilities/tools/0"))
            },
            |p| p.replace(Kind::Hand, "/tools/2", "file_raed"),
            |p| entry(p, Kind::Agent, "tool_blocklist", "shell_exce"),
        ],
    ),
    (
        "catalogue-key",
        &[
            |p| {
                without_shown_keys(p);
                p.put(Kind::Agent, "", "i18n", json!({ "de": { "name": "Hafenmeister" } }))
            },
            |p| {
                without_shown_keys(p);
                p.put(Kind::Hand, "", "tags", json!(["harbor", "tides"]))
            },
        ],
    ),
    (
        "dropped-key",
        &[|p| {
            let spot = p.find_where(Kind::Hand, "/agents/*", |one| one.get("system_prompt").is_some())?;
            p.put_at(&spot, "capabilities", json!({ "shell": ["ls *"] }))
        }],
    ),
    (
        "ungranted-tool",
        &[|p| {
            // A role that states no tools has all of them, and one that is written flat cannot state any.
            let spot = p.find_where(Kind::Hand, "", |one| {
                one["agents"].as_object().is_some_and(|all| all.values().all(|one| one["model"].is_object()))
            })?;
            let hand = p.value(&spot)?;
            let granted = hand["tools"].clone();
            for role in hand["agents"].as_object_mut()?.values_mut() {
                role["capabilities"] = json!({ "tools": granted });
            }
            let tools = hand["tools"].as_array_mut()?;
            tools.push("shell_exec".into());
            let at = tools.len() - 1;
            Some(Planted::at(spot.manifest, format!("/tools/{at}")))
        }],
    ),
    (
        "unoffered-tool",
        &[|p| {
            let spot = p.find(Kind::Hand, "/agents/*/system_prompt")?;
            let text = format!("{}Then call `event_publish`.\n", p.value(&spot)?.as_str()?);
            *p.value(&spot)? = text.into();
            Some(Planted::at(spot.manifest, "").part(spot.pointer, "event_publish"))
        }],
    ),
    (
        "unwritten-metric",
        &[|p| {
            p.put(Kind::Hand, "", "dashboard", json!({ "metrics": [{ "label": "Lost", "memory_key": "never_written_anywhere", "format": "number" }] }))
            .map(|planted| planted.found_at("/dashboard/metrics/0/memory_key"))
        }],
    ),
    // Names of others.
    (
        "unknown-agent",
        &[
            |p| p.put(Kind::Workflow, "/steps/*", "agent", "nobody-at-all"),
            |p| {
                p.put(
                    Kind::Workflow,
                    "",
                    "parameters",
                    json!([{ "name": "whom", "description": "Who?", "param_type": "agent_id", "required": false, "default": "nobody-at-all" }]),
                )
                .map(|planted| {
                    planted
                        .found_at("/parameters/0/default")
                        .also("unknown-placeholder", "the other parameters are gone")
                        .also("unused-parameter", "no prompt asks for it")
                })
            },
        ],
    ),
    ("unknown-model", &[|p| p.replace(Kind::Alias, "/aliases/*", "no-such-model-at-all")]),
    (
        "unknown-plugin",
        &[
            |p| entry(p, Kind::Agent, "allowed_plugins", "no-such-plugin"),
            |p| entry(p, Kind::Hand, "allowed_plugins", "no-such-plugin"),
            |p| entry(p, Kind::Plugin, "plugin_depends", "no-such-plugin"),
        ],
    ),
    (
        "unknown-provider",
        &[
            |p| p.replace(Kind::Agent, "/model/provider", "no-such-provider"),
            |p| p.replace(Kind::Agent, "/fallback_models/*/provider", "no-such-provider"),
            |p| p.replace(Kind::Hand, "/agents/*/provider", "no-such-provider"),
            |p| p.replace(Kind::Hand, "/agents/*/model/provider", "no-such-provider"),
            |p| p.put(Kind::Provider, "/models/*", "provider", "no-such-provider"),
        ],
    ),
    (
        "unknown-server",
        &[
            |p| entry(p, Kind::Agent, "mcp_servers", "no-such-server"),
            |p| entry(p, Kind::Hand, "mcp_servers", "no-such-server"),
        ],
    ),
    (
        "unknown-role",
        &[|p| {
            let hand = p.registry.of_kind(Kind::Hand).next()?;
            let skill = p
                .registry
                .of_kind(Kind::SkillMd)
                .find(|at| p.registry.manifests[*at].path.starts_with("skills/"))?;
            let folder = p.registry.manifests[hand].path.rsplit_once('/')?.0.to_owned();
            let mut one = p.registry.manifests[skill].clone();
            one.path = format!("{folder}/SKILL-nobody.md");
            p.registry.manifests.push(one);
            Some(Planted::in_line(p.registry.manifests.len() - 1, 1))
        }],
    ),
    (
        "shared-phrase",
        &[|p| {
            let agent = p.registry.of_kind(Kind::Agent).next()?;
            p.registry.manifests[agent].root["metadata"] =
                json!({ "routing": { "aliases": ["plan the orchard"] } });
            // Hands come behind agents.
            p.put(Kind::Hand, "", "routing", json!({ "aliases": ["Plan the orchard"] }))
                .map(|planted| planted.found_at("/routing/aliases/0"))
        }],
    ),
    (
        "duplicate-name",
        &[|p| {
            let workflow = p.registry.of_kind(Kind::Workflow).next()?;
            let mut one = p.registry.manifests[workflow].clone();
            let id = one.root["id"].as_str()?.to_owned();
            let other = id.replace('-', "_");
            if other == id {
                return None;
            }
            one.root["id"] = other.as_str().into();
            one.path = format!("workflows/{other}.toml");
            p.registry.manifests.push(one);
            Some(
                Planted::at(p.registry.manifests.len() - 1, "/id")
                    .also("unusual-name", "only an unusual name is nearly the same"),
            )
        }],
    ),
    (
        "unasked-variable",
        &[|p| {
            let server = p
                .registry
                .of_kind(Kind::Integration)
                .find(|at| p.registry.manifests[*at].root.get("required_env").is_some())?;
            let id = p.registry.manifests[server].root["id"].clone();
            let spot = p.find(Kind::Hand, "")?;
            p.value(&spot)?["requires"] = json!([{
                "key": "other", "label": "Other", "requirement_type": "api_key", "check_value": "SOMETHING_ELSE_KEY", "description": "x"
            }]);
            p.put_at(&spot, "mcp_servers", json!([id])).map(|planted| planted.found_at("/mcp_servers/0"))
        }],
    ),
    // Translations.
    (
        "stray-translation",
        &[|p| {
            let spot = p.find(Kind::Hand, "")?;
            let hand = p.value(&spot)?;
            hand.get("i18n")?;
            let language = hand["i18n"].as_object()?.keys().next()?.clone();
            hand["i18n"][&language]["settings"] = json!({ "nobody": { "label": "X" } });
            Some(Planted::at(spot.manifest, format!("/i18n/{language}/settings/nobody")))
        }],
    ),
    (
        "untranslated-text",
        &[
            |p| untranslated(p, Kind::Hand),
            |p| untranslated(p, Kind::Agent),
            |p| untranslated(p, Kind::Integration),
            |p| untranslated(p, Kind::Plugin),
            |p| untranslated(p, Kind::Workflow),
        ],
    ),
    (
        "missing-translation",
        &[
            |p| untold(p, Kind::Hand),
            |p| untold(p, Kind::Agent),
            |p| untold(p, Kind::Integration),
            |p| untold(p, Kind::Plugin),
            |p| untold(p, Kind::Workflow),
        ],
    ),
    // Defaults and schemas.
    (
        "mistyped-boolean",
        &[|p| {
            let spot = p.find_where(Kind::Workflow, "/parameters/*", |one| {
                one["param_type"] == "string" && one["required"] == false
            })?;
            p.put_at(&spot, "default", "fasle")
        }],
    ),
    (
        "unfit-default",
        &[|p| {
            p.put(
                Kind::Tool,
                "/input/properties",
                "limit",
                json!({ "type": "integer", "minimum": 1, "maximum": 10, "default": 50 }),
            )
            .map(|planted| planted.found_at("/input/properties/limit/default"))
        }],
    ),
    (
        "unmatchable-schema",
        &[|p| {
            p.put(
                Kind::Tool,
                "/input/properties",
                "code",
                json!({ "type": "string", "pattern": "^[A-Z]{3}$[0-9]+" }),
            )
            .map(|planted| planted.found_at("/input/properties/code/pattern"))
        }],
    ),
    // Files beside.
    ("hash-mismatch", &[|p| p.replace(Kind::Plugin, "/integrity/*", "0".repeat(64))]),
    (
        "unhashed-script",
        &[|p| {
            let spot = p.find_where(Kind::Plugin, "/integrity", |one| {
                one.as_object().is_some_and(|all| all.len() > 1)
            })?;
            p.remove(&spot, "hooks/ingest.py")?;
            Some(Planted::at(spot.manifest, "/hooks/ingest"))
        }],
    ),
    (
        "differing-skill-files",
        &[|p| {
            let skill = p.registry.of_kind(Kind::Skill).next()?;
            let (name, text) = {
                let root = &p.registry.manifests[skill].root["skill"];
                (root["name"].clone(), root["description"].clone())
            };
            let matter = p.registry.of_kind(Kind::SkillMd).next()?;
            let mut one = p.registry.manifests[matter].clone();
            one.path = format!("skills/{}/SKILL.md", name.as_str()?);
            one.root = json!({ "name": name, "description": text, "version": "9.9.9" });
            p.registry.manifests.push(one);
            Some(Planted::at(p.registry.manifests.len() - 1, "/version"))
        }],
    ),
];

/// Takes away what only catalogues show.
fn without_shown_keys(p: &mut Planting) {
    for manifest in &mut p.registry.manifests {
        let key = match manifest.kind {
            Kind::Hand => "tags",
            Kind::Channel | Kind::Agent => "i18n",
            _ => continue,
        };
        if let Some(root) = manifest.root.as_object_mut() {
            root.shift_remove(key);
        }
    }
}

/// Leaves a text as it was in one of the languages of a document.
fn untranslated(p: &mut Planting, kind: Kind) -> Option<Planted> {
    let spot = p.find_where(kind, "", |one| one.get("i18n").is_some())?;
    let text = "Keeps the berth plan and answers boat owners.";
    p.put_at(&spot, "description", text)?;
    let languages: Vec<String> = p.value(&spot)?["i18n"].as_object()?.keys().cloned().collect();
    let language = p.random.pick(&languages).filter(|language| *language != "en")?;
    let spot = Spot { pointer: format!("/i18n/{language}"), ..spot };
    p.put_at(&spot, "description", text)
}

/// Leaves out in one language what two others have.
fn untold(p: &mut Planting, kind: Kind) -> Option<Planted> {
    let spot = p.find(kind, "")?;
    let texts = |language: &str| json!({ "name": format!("{language} name"), "description": format!("{language} text") });
    let mut all = json!({ "de": texts("de"), "es": texts("es"), "fr": texts("fr") });
    let language = p.random.of(&["de", "es", "fr"]);
    all[language].as_object_mut()?.shift_remove("description");
    p.put_at(&spot, "i18n", all).map(|planted| planted.found_at(format!("/i18n/{language}")))
}

/// Puts a list of one name in place of another list, and finds at the name.
fn entry(p: &mut Planting, kind: Kind, key: &str, name: &str) -> Option<Planted> {
    p.put(kind, "", key, json!([name])).map(|planted| planted.found_at(format!("/{key}/0")))
}

/// A provider elsewhere.
fn remote(p: &mut Planting) -> Option<Spot> {
    p.find_where(Kind::Provider, "/provider", |one| one["key_required"] == true)
}

/// Gives a model of a sort some values, and finds at the last one.
fn model(p: &mut Planting, sort: &str, values: &[(&str, Value)]) -> Option<Planted> {
    let spot = p.find_where(Kind::Provider, "/models/*", |one| {
        one.get("modality").is_none() && (one["tier"] == "local") == (sort == "local")
    })?;
    for (key, value) in values {
        p.put_at(&spot, key, value.clone())?;
    }
    let (last, _) = values.last()?;
    Some(Planted::at(spot.manifest, child(&spot.pointer, last)))
}

/// Puts a line at the end of a text.
fn line(p: &mut Planting, kind: Kind, pattern: &str, words: &str) -> Option<Planted> {
    let spot = p.find(kind, pattern)?;
    let text = format!("{}{words}\n", p.value(&spot)?.as_str()?);
    *p.value(&spot)? = text.into();
    Some(Planted::at(spot.manifest, "").part(spot.pointer, words))
}
