//! A planter for every rule.

use super::Random;
use super::emit::{Text, child, raw};
use super::plant::{At, Plant, Planted, Planting, Spot};
use agentry::Kind;
use agentry_text::{Format, Others};
use serde_json::{Value, json};

/// Each rule with what breaks it, in one or several ways.
pub const PLANTERS: &[(&str, &[Plant])] = &[
    // Text.
    ("syntax", &[syntax_in_toml, syntax_in_json, syntax_in_yaml]),
    ("duplicate-key", &[duplicate_key]),
    (
        "too-deep",
        &[|p| nested(p, "/metadata", Kind::Tool), |p| nested(p, "/channels/chat/config", Kind::Package)],
    ),
    ("too-large", &[too_large]),
    ("not-text", &[not_text]),
    ("empty-file", &[empty_file]),
    (
        "not-finite",
        &[
            |p| p.replace(Kind::Provider, "/models/*/output_cost_per_m", raw("inf")),
            |p| p.replace(Kind::Provider, "/models/*/input_cost_per_m", raw("nan")),
            |p| p.put(Kind::Agent, "/model", "temperature", raw("-inf")),
        ],
    ),
    ("unquoted-text", &[|p| p.replace(Kind::SkillMd, "/description", raw("Notes: for the day"))]),
    ("tab-indentation", &[tab_indentation]),
    ("conflict-marker", &[conflict_marker]),
    ("several-documents", &[several_documents]),
    (
        "non-string-key",
        &[|p| {
            yaml_line(p, "7: seven")
                .map(|planted| planted.also("unknown-key", "a key that is no text is no known one"))
        }],
    ),
    (
        "yaml-tag",
        &[
            |p| p.replace(Kind::SkillMd, "/description", raw("!words Sorts it.")),
            |p| p.replace(Kind::SkillConfig, "/description", raw("!!int Sorts it.")),
        ],
    ),
    ("merge-key", &[|p| yaml_line(p, "<<: {}")]),
    ("alias-budget", &[alias_budget]),
    (
        "yaml-1-1-value",
        &[
            |p| p.replace(Kind::SkillMd, "/description", raw("yes")),
            |p| p.replace(Kind::SkillConfig, "/description", raw("22:30")),
            |p| p.put(Kind::SkillConfig, "/mcp_servers/0/env", "SWITCH", raw("off")),
        ],
    ),
    (
        "lossy-number",
        &[
            |p| {
                in_yaml(
                    p,
                    Kind::Package,
                    "/capabilities",
                    json!([{ "ref": "web_fetch", "config": { "release": raw("1.10") } }]),
                    "/0/config/release",
                )
            },
            |p| {
                in_yaml(
                    p,
                    Kind::Package,
                    "/channels",
                    json!({ "chat": { "type": "ag_ui", "config": { "release": raw("2.50") } } }),
                    "/chat/config/release",
                )
            },
        ],
    ),
    (
        "missing-front-matter",
        &[|p| {
            let manifest = some_skill_md(p)?;
            Some(Planted::edited(manifest, |text, _| {
                "# A heading\n\nWords, and nothing above them.\n".clone_into(&mut text.text);
                Some(1)
            }))
        }],
    ),
    (
        "unclosed-front-matter",
        &[|p| {
            let manifest = some_skill_md(p)?;
            Some(Planted::edited(manifest, |text, _| {
                let end = text.text.rfind("\n---\n")?;
                text.text.truncate(end + 1);
                Some(1)
            }))
        }],
    ),
    (
        "late-front-matter",
        &[|p| {
            let manifest = some_skill_md(p)?;
            Some(Planted::edited(manifest, |text, random| {
                let above = random.between(1, 3);
                text.text.insert_str(0, &"\n".repeat(above));
                Some(above + 1)
            }))
        }],
    ),
    ("too-many-findings", &[too_many]),
    // Reading.
    ("wrong-type", &[wrong_type]),
    (
        "invalid-value",
        &[
            |p| p.replace(Kind::Provider, "/provider/base_url", "api.example"),
            |p| p.replace(Kind::Provider, "/models/*/display_name", ""),
            |p| p.replace(Kind::Provider, "/models/*/input_cost_per_m", -1),
            |p| p.replace(Kind::Provider, "/models/*/last_verified", "2026-02-30"),
            |p| p.replace(Kind::Agent, "/module", "chat"),
            |p| p.put(Kind::Agent, "", "version", "1.2"),
            |p| {
                p.put(Kind::Agent, "/capabilities", "network", json!(["https://a.example/x"]))
                    .map(|planted| below(planted, "/0"))
            },
            |p| p.replace(Kind::Hand, "/agents/*/name", ""),
            |p| p.put(Kind::Hand, "", "icon", "anchor"),
            |p| p.replace(Kind::Hand, "/requires/*/key", ""),
            |p| p.replace(Kind::Channel, "/description", ""),
            |p| p.replace(Kind::Integration, "/transport/url", "mcp.example"),
            |p| p.replace(Kind::Integration, "/required_env/*/name", "A KEY"),
            |p| {
                p.put(Kind::Integration, "", "health_check", json!({ "interval_secs": 0 }))
                    .map(|planted| below(planted, "/interval_secs"))
            },
            |p| p.replace(Kind::Skill, "/skill/version", "one"),
            |p| p.replace(Kind::Plugin, "/version", "0.2"),
            |p| p.replace(Kind::Workflow, "/name", ""),
            |p| p.put(Kind::Workflow, "", "created_at", "yesterday"),
            |p| p.replace(Kind::Tool, "/version", "1.4"),
            |p| p.replace(Kind::Tool, "/effects/*/resource", 0).and(None),
            |p| p.put(Kind::Package, "", "max_iterations", 0),
            |p| p.replace(Kind::SkillConfig, "/name", "without-a-namespace"),
            |p| p.replace(Kind::SkillMd, "/description", ""),
        ],
    ),
    (
        "unknown-option",
        &[
            |p| p.replace(Kind::Provider, "/models/*/tier", "qqq"),
            |p| p.replace(Kind::Provider, "/models/*/modality", "qqq"),
            |p| p.put(Kind::Agent, "", "priority", "qqq"),
            |p| p.put(Kind::Agent, "", "session_mode", "qqq"),
            |p| p.replace(Kind::Hand, "/category", "qqq"),
            |p| p.replace(Kind::Hand, "/requires/*/requirement_type", "qqq"),
            |p| p.replace(Kind::Hand, "/settings/*/setting_type", "qqq"),
            |p| p.replace(Kind::Hand, "/dashboard/metrics/*/format", "qqq"),
            |p| p.replace(Kind::Channel, "/category", "qqq"),
            |p| p.replace(Kind::Integration, "/category", "qqq"),
            |p| p.replace(Kind::Integration, "/transport/type", "qqq"),
            |p| p.replace(Kind::Skill, "/runtime/type", "qqq"),
            |p| p.replace(Kind::Skill, "/input/*/type", "qqq"),
            |p| p.put(Kind::Plugin, "/hooks", "on_hook_failure", "qqq"),
            |p| p.replace(Kind::Workflow, "/parameters/*/param_type", "qqq"),
            |p| p.put(Kind::Tool, "", "transport", "qqq"),
            |p| p.replace(Kind::Tool, "/effects/*/kind", "qqq"),
            |p| p.replace(Kind::Package, "/tools/*/type", "qqq"),
            |p| p.put(Kind::Package, "/tools/*/hints", "side_effect_class", "qqq"),
            |p| p.replace(Kind::SkillConfig, "/mcp_servers/*/transport", "qqq"),
            |p| p.replace(Kind::SkillConfig, "/inline_tools/*/source", "qqq"),
            |p| p.replace(Kind::RegistrySchema, "/logbook/fields/*/type", "qqq"),
        ],
    ),
    ("missing-key", &[missing_key]),
    (
        "conflicting-keys",
        &[
            |p| p.put(Kind::Provider, "", "base_url", "https://api.example/v1"),
            |p| p.put(Kind::Provider, "", "key_required", true),
            |p| {
                p.put(
                    Kind::Hand,
                    "",
                    "agent",
                    json!({ "name": "n", "module": "builtin:chat", "system_prompt": "x" }),
                )
                .map(|planted| Planted {
                    at: At::Later("/agent".to_owned(), "/agents".to_owned()),
                    ..planted
                })
            },
            |p| {
                p.put(
                    Kind::SkillConfig,
                    "",
                    "inlineTools",
                    json!([{ "name": "x", "source": "custom", "code": "def run(input_data): pass" }]),
                )
                .map(|planted| {
                    Planted {
                        at: At::Later("/inlineTools".to_owned(), "/inline_tools".to_owned()),
                        ..planted
                    }
                    .also("legacy-name", "one of the two is the older name")
                })
            },
            |p| {
                p.put(Kind::Package, "", "system_prompt", "You help.").map(|planted| {
                    Planted {
                        at: At::Later("/system_prompt".to_owned(), "/instructions".to_owned()),
                        ..planted
                    }
                    .also("legacy-name", "one of the two is the older name")
                })
            },
            |p| {
                p.put_all(Kind::Tool, "", &[
            ("codeArtifactRef", json!({ "kind": "oci", "imageRef": "r.example/a:1.0.0", "modulePath": "dist/a.js", "artifactVersion": "1.0.0" })),
        ]).filter(|planted| p.registry.manifests[planted.manifest].root.get("spec").is_some())
            },
        ],
    ),
    (
        "duplicate-entry",
        &[
            |p| repeat(p, Kind::Provider, "/models", "id"),
            |p| repeat(p, Kind::Hand, "/requires", "key"),
            |p| repeat(p, Kind::Hand, "/settings", "key"),
            |p| repeat(p, Kind::Workflow, "/parameters", "name"),
            |p| repeat(p, Kind::SkillConfig, "/tools", "name"),
            |p| repeat(p, Kind::SkillConfig, "/mcp_servers", "name"),
            |p| repeat(p, Kind::Package, "/tools", "name"),
        ],
    ),
    ("unknown-key", &[unknown_key]),
    ("misplaced-key", &[misplaced_key]),
    ("legacy-name", &[legacy_name]),
    (
        "empty-value",
        &[
            |p| p.replace(Kind::Provider, "/provider/base_url", ""),
            |p| p.put(Kind::Integration, "/required_env/*", "get_url", ""),
        ],
    ),
    ("whole-number", &[whole_number]),
    // What types say.
    ("unusual-name", &[|p| unusual_name(p, Kind::Workflow), |p| unusual_name(p, Kind::Hand)]),
    (
        "literal-secret",
        &[
            |p| p.put(Kind::Provider, "/provider", "api_key", secret()),
            |p| {
                p.put(Kind::Plugin, "", "env", json!({ "NOTES_TOKEN": secret() }))
                    .map(|planted| below(planted, "/NOTES_TOKEN"))
            },
            |p| p.put(Kind::SkillConfig, "/mcp_servers/0/env", "CHARTS_TOKEN", secret()),
            |p| {
                p.put(
                    Kind::Package,
                    "/mcpServers/*",
                    "headers",
                    json!({ "Authorization": format!("Bearer {}", secret()) }),
                )
                .map(|planted| below(planted, "/Authorization"))
            },
        ],
    ),
    (
        "empty-list",
        &[
            |p| p.put(Kind::Agent, "", "skills", json!([])),
            |p| p.put(Kind::Agent, "", "mcp_servers", json!([])),
            |p| p.put(Kind::Hand, "", "skills", json!([])),
            |p| {
                p.put(Kind::SkillConfig, "/mcp_servers/0", "tool_filter", json!({ "include": [] }))
                    .map(|planted| below(planted, "/include"))
            },
        ],
    ),
    (
        "clamped-value",
        &[|p| {
            let n = p.random.between(1, 3);
            p.put(Kind::Agent, "", "max_history_messages", n)
        }],
    ),
    (
        "costly-value",
        &[|p| {
            let n = p.random.between(4, 59);
            p.put(Kind::Agent, "", "max_history_messages", n)
        }],
    ),
    (
        "default-mismatch",
        &[
            |p| p.replace(Kind::Workflow, "/parameters/*/default", json!(["x"])),
            |p| p.replace(Kind::Skill, "/input/*/default", json!({ "x": 1 })),
            |p| {
                p.put(
                    Kind::Plugin,
                    "",
                    "config",
                    json!({ "page": { "type": "number", "default": "many", "description": "How many." } }),
                )
                .map(|planted| below(planted, "/page/default"))
            },
            |p| {
                let spot = p.find_where(Kind::Hand, "/settings/*", |one| one["setting_type"] == "select")?;
                p.put_at(&spot, "default", "never")
            },
            |p| p.replace(Kind::RegistrySchema, "/logbook/fields/engine/default", "yes"),
            |p| p.replace(Kind::RegistrySchema, "/logbook/fields/waters/default", "desert"),
        ],
    ),
    (
        "example-mismatch",
        &[
            |p| p.replace(Kind::RegistrySchema, "/logbook/fields/length_m/example", "long"),
            |p| p.replace(Kind::RegistrySchema, "/logbook/fields/waters/example", "desert"),
        ],
    ),
    (
        "pointless-key",
        &[
            |p| {
                let spot = p.find_where(Kind::Integration, "/transport", |one| one["type"] == "sse")?;
                p.put_at(&spot, "command", "npx")
            },
            |p| {
                let spot = p.find_where(Kind::Workflow, "/parameters/*", |one| {
                    one["required"] == true && one["param_type"] == "string"
                })?;
                p.put_at(&spot, "default", "x")
            },
            |p| {
                let spot = p.find_where(Kind::Hand, "/settings/*", |one| one["setting_type"] == "text")?;
                p.put_at(&spot, "options", json!([{ "value": "a", "label": "A" }]))
            },
            |p| {
                let spot = p.find_where(Kind::Tool, "", |one| one["transport"] == "native")?;
                p.put_at(&spot, "mcpEndpoint", "mcp+stdio://npx")
            },
            |p| p.put(Kind::Tool, "/spec", "requestBody", json!({ "kind": "json-input" })),
            |p| {
                let planted = p.put(Kind::Package, "/tools/*/hints", "concurrency_class", "berths")?;
                let spot = Spot { manifest: planted.manifest, pointer: "/tools/0/hints".to_owned() };
                p.put_at(&spot, "readonly", true)?;
                Some(planted)
            },
        ],
    ),
    (
        "transport-without-url",
        &[
            |p| {
                let spot = p.find_where(Kind::Integration, "/transport", |one| one["type"] == "sse")?;
                p.remove(&spot, "url")?;
                p.put_at(&spot, "command", "npx")
            },
            |p| {
                let spot = p.find_where(Kind::Tool, "", |one| one["transport"] == "mcp")?;
                p.remove(&spot, "mcpEndpoint")?;
                Some(Planted::at(spot.manifest, "/transport"))
            },
        ],
    ),
    (
        "unreadable-value",
        &[
            |p| {
                p.put(Kind::SkillConfig, "/mcp_servers/*", "headers", json!({ "X Team": "harbor" }))
                    .map(|planted| below(planted, "/X Team"))
                    .filter(|planted| {
                        p.registry.manifests[planted.manifest]
                            .root
                            .pointer("/mcp_servers/1/headers")
                            .is_some()
                    })
            },
            |p| {
                p.replace(Kind::Tool, "/network/hosts/0", "not a host")
                    .map(|planted| planted.also("contradiction", "no host is allowed any more"))
            },
            |p| p.put(Kind::SkillConfig, "/mcp_servers/0/env", "A=B", "x"),
        ],
    ),
    (
        "non-text-value",
        &[
            |p| {
                p.put(Kind::SkillMd, "", "metadata", json!({ "edition": 5 }))
                    .map(|planted| below(planted, "/edition"))
            },
            |p| {
                p.put(Kind::SkillMd, "", "metadata", json!({ "final": true }))
                    .map(|planted| below(planted, "/final"))
            },
        ],
    ),
    ("empty-range", &[|p| p.put(Kind::Tool, "/spec", "successStatus", json!({ "min": 300, "max": 200 }))]),
    ("include-circle", &[include_circle]),
    (
        "outside-path",
        &[
            |p| {
                p.put(Kind::SkillConfig, "", "agent_skill_folders", json!([{ "path": "../elsewhere" }]))
                    .map(|planted| below(planted, "/0/path"))
            },
            |p| {
                p.put(Kind::SkillConfig, "", "agent_skill_folders", json!([{ "path": "/srv/skills/x" }]))
                    .map(|planted| below(planted, "/0/path"))
            },
        ],
    ),
    (
        "missing-function",
        &[|p| code(p, "SLACK = 1.2\n\n\ndef walk(input_data):\n    return {}\n", Some("def walk"))],
    ),
    (
        "python-syntax",
        &[
            |p| {
                code(
                    p,
                    "def run(input_data):\n    length = (1\n    return {\"length\": length}\n",
                    Some("(1"),
                )
            },
            |p| code(p, "SLACK = 1.2\ndef run(input_data)\n    return {}\n", Some("def run(input_data)")),
        ],
    ),
    ("unseen-function", &[|p| code(p, "from helpers import run\n", Some("run"))]),
    (
        "async-function",
        &[|p| code(p, "SLACK = 1.2\nasync def run(input_data):\n    return {}\n", Some("async def run"))],
    ),
    (
        "unportable-path",
        &[
            |p| p.replace(Kind::Package, "/files/2/path", "notes/con.md"),
            |p| p.replace(Kind::Package, "/files/2/path", "notes/today.md."),
            |p| p.replace(Kind::Package, "/files/2/path", "notes/%2e%2e/today.md"),
        ],
    ),
    ("newer-version", &[|p| p.replace(Kind::Package, "/schema_version", 2)]),
    (
        "resource-id",
        &[|p| {
            p.put(Kind::Package, "", "channels", json!({ "chat": { "type": "ag_ui", "config": { "room": "0b0e2c1e-8f0a-4b9c-9d0a-5f6a7b8c9d0e" } } }))
            .map(|planted| below(planted, "/chat/config/room"))
        }],
    ),
    // What the checker says of one file.
    ("unknown-kind", &[|p| stranger(p, "toml", "title = \"a page\"\n[about]\nauthor = \"somebody\"\n")]),
    (
        "unread-format",
        &[|p| {
            p.registry.named_kind = Some(Kind::SkillMd);
            stranger(p, "SKILL.yaml", "---\nname: notes\ndescription: Keeps notes.\n---\n\nWords.\n")
        }],
    ),
    ("name-mismatch", &[name_mismatch]),
    (
        "file-name",
        &[|p| {
            let manifest = some_skill_md(p)?;
            let one = &mut p.registry.manifests[manifest];
            one.path = one.path.replace("SKILL.md", "skill.md");
            // A configuration that names its folder finds no skill there.
            (!one.path.starts_with("skill-configs/")).then_some(Planted::in_line(manifest, 1))
        }],
    ),
    ("hidden-character", &[hidden_character]),
    (
        "not-portable",
        &[
            |p| p.put(Kind::SkillMd, "", "model", "opus"),
            |p| p.put(Kind::SkillMd, "", "disable-model-invocation", true),
        ],
    ),
    (
        "template",
        &[
            |p| template(p, Kind::Workflow, "/id"),
            |p| template(p, Kind::Hand, "/id"),
            |p| template(p, Kind::Channel, "/id"),
            |p| template(p, Kind::Agent, "/name"),
        ],
    ),
    (
        "missing-call-cost",
        &[|p| {
            let spot = p.find_where(Kind::Provider, "/models/*", |one| one.get("per_call_cost").is_some())?;
            p.remove(&spot, "per_call_cost")
        }],
    ),
    (
        "ambiguous-alias",
        &[|p| {
            let spot = p.find_where(Kind::Provider, "/models/*", |_| true)?;
            let other = p.random.below(p.registry.manifests[spot.manifest].root["models"].as_array()?.len());
            let id = p.registry.manifests[spot.manifest].root["models"][other]["id"].clone();
            p.put_at(&spot, "aliases", json!([id])).map(|planted| below(planted, "/0"))
        }],
    ),
    (
        "echo-policy",
        &[|p| {
            let spot = p.find_where(Kind::Provider, "/models/*", |one| one.get("modality").is_none())?;
            let number = p.random.between(100, 999);
            let id = format!("kimi-k2-{number}");
            p.put_at(&spot, "id", id)?;
            let planted = p.put_at(&spot, "reasoning_echo_policy", "strip")?;
            Some(planted.elsewhere("unknown-model", "the model has another name now"))
        }],
    ),
    (
        "unknown-placeholder",
        &[
            |p| in_prompt(p, Kind::Workflow, "/steps/*/prompt_template", "{{nobody_knows}}"),
            |p| in_prompt(p, Kind::Skill, "/prompt/template", "{{nobody_knows}}"),
            |p| {
                let spot = p.find(Kind::Tool, "/spec/urlTemplate")?;
                let value = p.value(&spot)?;
                *value = format!("{}/{{nobody_knows}}", value.as_str()?).into();
                Some(Planted::at(spot.manifest, spot.pointer))
            },
        ],
    ),
    (
        "unused-parameter",
        &[|p| {
            let spot = p.find(Kind::Skill, "")?;
            let one = json!({ "type": "string", "description": "Never asked for.", "required": true });
            match p.find(Kind::Skill, "/input") {
                Some(input) => p.put_at(&input, "never_used", one),
                None => p
                    .put_at(&spot, "input", json!({ "never_used": one }))
                    .map(|planted| below(planted, "/never_used")),
            }
        }],
    ),
    (
        "unknown-step",
        &[|p| {
            p.put(Kind::Workflow, "/steps/*", "depends_on", json!(["nobody"])).map(|planted| {
                below(planted, "/0")
                    .also("unawaited-step", "what the step waited for before, it waits for no longer")
            })
        }],
    ),
    (
        "step-circle",
        &[|p| {
            let spot = p.find(Kind::Workflow, "/steps/0")?;
            let name = p.value(&spot)?["name"].clone();
            p.put_at(&spot, "depends_on", json!([name])).map(|planted| below(planted, "/0"))
        }],
    ),
    (
        "unawaited-step",
        &[|p| {
            let spot = p.find_where(Kind::Workflow, "/steps/*", |one| one.get("depends_on").is_some())?;
            let awaited = p.value(&spot)?["depends_on"][0].as_str()?.to_owned();
            p.remove(&spot, "depends_on")?;
            Some(
                Planted::at(spot.manifest, "")
                    .part(child(&spot.pointer, "prompt_template"), format!("{{{{{awaited}}}}}")),
            )
        }],
    ),
    (
        "shared-name",
        &[|p| {
            let spot = p.find(Kind::Workflow, "")?;
            let name = p.value(&spot)?["steps"][0]["name"].clone();
            let one = json!({ "name": name, "description": "Which one?", "param_type": "string", "required": true });
            p.put_at(&spot, "parameters", json!([one])).map(|planted| {
                below(planted, "/0/name")
                    .also("unknown-placeholder", "the other parameters are gone")
                    .also("unused-parameter", "the first step has no prompt that names itself")
            })
        }],
    ),
    (
        "contradiction",
        &[
            |p| p.put(Kind::Tool, "", "network", json!({ "kind": "none" })),
            |p| {
                let planted = p.put(Kind::Package, "/tools/*/hints", "destructive", true)?;
                let spot = Spot { manifest: planted.manifest, pointer: "/tools/0/hints".to_owned() };
                p.put_at(&spot, "readonly", true)?;
                Some(planted)
            },
            |p| {
                p.put(
                    Kind::SkillConfig,
                    "/mcp_servers/*",
                    "tool_filter",
                    json!({ "include": ["a", "b"], "exclude": ["b"] }),
                )
                .map(|planted| below(planted, "/exclude/0"))
            },
        ],
    ),
    (
        "relative-path",
        &[|p| {
            artifact(p, "dist/a.js").map(|planted| {
                below(planted, "/modulePath")
                    .also("development-only", "only a file of one machine has a path of its own")
            })
        }],
    ),
    ("development-only", &[|p| artifact(p, "/srv/tools/a.js")]),
    (
        "unsupported-transport",
        &[|p| {
            p.put(Kind::Package, "", "mcpServers", json!({ "local": { "type": "stdio", "command": "npx" } }))
                .map(|planted| below(planted, "/local/type"))
        }],
    ),
    (
        "runtime-key",
        &[|p| {
            p.put(Kind::Package, "/tools/*", "full_parameters", json!({ "type": "object" }))
                .map(Planted::at_its_value)
        }],
    ),
    // Schemas inside documents.
    (
        "invalid-schema",
        &[
            |p| schema_key(p, "type", json!("list")),
            |p| schema_key(p, "minLength", json!(-1)),
            |p| schema_key(p, "enum", json!("near")),
        ],
    ),
    (
        "invalid-pattern",
        &[|p| schema_key(p, "pattern", json!("^([a-z]$")), |p| schema_key(p, "pattern", json!("[z-a]"))],
    ),
    ("dangling-reference", &[|p| schema_key(p, "$ref", json!("#/$defs/Nobody"))]),
    ("remote-reference", &[|p| schema_key(p, "$ref", json!("https://schemas.example/name.json"))]),
    ("other-draft", &[|p| schema_root(p, "$schema", json!("http://json-schema.org/draft-04/schema#"))]),
    (
        "unknown-keyword",
        &[|p| schema_key(p, "minLenght", json!(3)), |p| schema_key(p, "descripton", json!("x"))],
    ),
    // Files beside and across.
    (
        "missing-skill-file",
        &[|p| {
            p.put(Kind::SkillConfig, "", "agent_skill_folders", json!([{ "path": "skills/gone" }]))
                .map(|planted| below(planted, "/0/path"))
        }],
    ),
    (
        "duplicate-skill",
        &[|p| {
            let all: Vec<usize> = p.registry.of_kind(Kind::SkillConfig).collect();
            let mut paths: Vec<(String, usize)> =
                all.iter().map(|at| (p.registry.manifests[*at].path.clone(), *at)).collect();
            paths.sort();
            let (first, last) = (paths.first()?.1, paths.last().filter(|_| paths.len() > 1)?.1);
            let name = p.registry.manifests[first].root["name"].clone();
            p.registry.manifests[last].root["name"] = name;
            // Who included the other one by its old name has nothing to include now, which no rule minds.
            Some(
                Planted::at(last, "/name")
                    .also("include-circle", "the last one included the first, and is it now"),
            )
        }],
    ),
    (
        "unknown-skill",
        &[
            |p| {
                p.put(Kind::Agent, "", "skills", json!(["no-such-skill"])).map(|planted| below(planted, "/0"))
            },
            |p| p.put(Kind::Hand, "", "skills", json!(["no-such-skill"])).map(|planted| below(planted, "/0")),
            |p| {
                let all: Vec<usize> = p.registry.of_kind(Kind::SkillConfig).collect();
                let (one, other) = (*all.first()?, *all.last()?);
                let name = p.registry.manifests[other].root["name"].as_str()?.to_uppercase();
                let spot = Spot { manifest: one, pointer: String::new() };
                p.put_at(&spot, "includes", json!([{ "name": name }]))
                    .map(|planted| below(planted, "/0/name"))
            },
        ],
    ),
    (
        "missing-file",
        &[
            |p| p.replace(Kind::Package, "/files/0", "notes/gone.md"),
            |p| p.replace(Kind::Package, "/files/1/source", "notes/gone/*.md"),
            |p| {
                p.put(Kind::Package, "", "skills", json!(["skills/gone"])).map(|planted| below(planted, "/0"))
            },
        ],
    ),
    (
        "credential-file",
        &[|p| {
            let name = p.random.of(&["id_rsa", "server.pem", ".env", "credentials.json"]);
            beside(p, &format!("notes/{name}"), "x\n", 0)?;
            p.replace(Kind::Package, "/files/0", format!("notes/{name}"))
        }],
    ),
    (
        "package-link",
        &[|p| {
            let manifest = p.registry.of_kind(Kind::Package).next()?;
            let folder = p.registry.manifests[manifest].path.rsplit_once('/')?.0.to_owned();
            p.registry.links.push((format!("{folder}/notes/linked.md"), "first.md".to_owned()));
            p.replace(Kind::Package, "/files/0", "notes/linked.md")
                .filter(|planted| planted.manifest == manifest)
        }],
    ),
    (
        "package-limit",
        &[|p| {
            let size = 1_048_577 + p.random.below(1000);
            beside(p, "notes/first.md", &"x".repeat(size), 0)?;
            let manifest = p.registry.of_kind(Kind::Package).next()?;
            Some(Planted::at(manifest, "/files/0"))
        }],
    ),
    (
        "duplicate-destination",
        &[|p| {
            // Not to be told from the text alone, which another rule is about: a pattern that meets the file a second time.
            let manifest = p.registry.of_kind(Kind::Package).next()?;
            p.registry.manifests[manifest].root["files"][1] = "notes/*.md".into();
            Some(Planted::at(manifest, "/files/1"))
        }],
    ),
    (
        "case-collision",
        &[|p| {
            let manifest = p.registry.of_kind(Kind::Package).next()?;
            p.registry.manifests[manifest].root["files"][2]["path"] = "notes/FIRST.md".into();
            Some(Planted::at(manifest, "/files/2/path"))
        }],
    ),
    (
        "several-manifests",
        &[|p| {
            let manifest = p.registry.of_kind(Kind::Package).next()?;
            let mut other = p.registry.manifests[manifest].clone();
            let (folder, name) = other.path.rsplit_once('/')?;
            let (name, format) = if name == "agent.toml" {
                ("agent.json", Format::Json)
            } else {
                ("agent.toml", Format::Toml)
            };
            other.path = format!("{folder}/{name}");
            other.format = format;
            p.registry.manifests.push(other);
            // Each of the two says that the other one is there.
            Some(Planted::in_line(manifest, 1).elsewhere("several-manifests", "the other one says so too"))
        }],
    ),
    // Comments for the checker.
    (
        "broken-allowance",
        &[
            |p| allowance(p, "# agentry: allow(no-such-rule): it is fine"),
            |p| allowance(p, "# agentry: permit(empty-list): it is fine"),
        ],
    ),
    ("unused-allowance", &[|p| allowance(p, "# agentry: allow(empty-list): it is fine")]),
    (
        "unreasoned-allowance",
        &[|p| {
            let planted = p.put(Kind::Agent, "", "skills", json!([]))?;
            let At::Place(pointer) = planted.at else { return None };
            Some(Planted::edited(planted.manifest, move |text, _| {
                let line = text.places.get(&pointer)?.line;
                Some(text.insert_line(line, "# agentry: allow(empty-list)"))
            }))
        }],
    ),
];

/// Something that has the look of a credential and is none.
fn secret() -> String {
    format!("ghp_{}", "a8Kd03Lmz7".repeat(4).get(..36).unwrap_or_default())
}

/// The same below.
fn below(mut planted: Planted, pointer: &str) -> Planted {
    if let At::Place(place) = &mut planted.at {
        place.push_str(pointer);
    }
    planted
}

fn some_skill_md(p: &mut Planting) -> Option<usize> {
    let all: Vec<usize> = p.registry.of_kind(Kind::SkillMd).collect();
    p.random.pick(&all).copied()
}

/// A line of a text in which one key and its value are all there is.
fn lone_line(text: &Text, random: &mut Random, fits: impl Fn(&str) -> bool) -> Option<usize> {
    let mut lines: Vec<usize> = text
        .places
        .values()
        .filter(|place| place.alone && text.line_at(place.start) == text.line_at(place.end.saturating_sub(1)))
        .map(|place| place.line)
        .filter(|line| fits(&text.text[text.line(*line)]))
        .collect();
    // The order of a map is not the same in every run.
    lines.sort_unstable();
    random.pick(&lines).copied()
}

fn syntax_in_toml(p: &mut Planting) -> Option<Planted> {
    let manifest = p.of_format(&[Format::Toml])?;
    Some(Planted::edited(manifest, |text, random| {
        let line = lone_line(text, random, |line| line.contains(" = "))?;
        let bad = random.of(&["so far so good", "= 5", "]", "???", "[]"]);
        Some(text.insert_line(line, bad))
    }))
}

fn syntax_in_json(p: &mut Planting) -> Option<Planted> {
    let manifest = p.of_format(&[Format::Json])?;
    Some(Planted::edited(manifest, |text, random| {
        let line =
            lone_line(text, random, |line| line.trim_start().starts_with('"') && line.contains("\": "))?;
        let range = text.line(line);
        let fixed = text.text[range.clone()].replacen("\": ", "\" ", 1);
        text.text.replace_range(range, &fixed);
        Some(line)
    }))
}

fn syntax_in_yaml(p: &mut Planting) -> Option<Planted> {
    let spot = p.find(Kind::SkillConfig, "/description")?;
    let bad = p.random.of(&["[one, two", "{one: two"]);
    p.raw(&spot, bad)
}

fn duplicate_key(p: &mut Planting) -> Option<Planted> {
    let manifest = p.of_format(&[Format::Toml, Format::Yaml, Format::Json, Format::Markdown])?;
    Some(Planted::edited(manifest, |text, random| {
        let format = text.format?;
        let line = lone_line(text, random, |line| match format {
            Format::Toml => line.contains(" = "),
            Format::Json => {
                line.trim_start().starts_with('"') && line.contains("\": ") && line.ends_with(',')
            }
            _ => line.contains(": ") && !line.trim_start().starts_with('-') && !line.ends_with('|'),
        })?;
        let copy = text.text[text.line(line)].to_owned();
        text.insert_line(line, &copy);
        Some(line + 1)
    }))
}

fn nested(p: &mut Planting, pattern: &str, kind: Kind) -> Option<Planted> {
    let depth = p.random.between(150, 250);
    let planted = p.put(kind, pattern, "deep", raw(format!("{}{}", "[".repeat(depth), "]".repeat(depth))))?;
    Some(planted)
}

fn too_large(p: &mut Planting) -> Option<Planted> {
    let manifest = p.of_format(&[Format::Toml, Format::Yaml])?;
    Some(Planted::edited(manifest, |text, random| {
        text.text.push_str(&"# more\n".repeat(2_400_000 + random.below(100)));
        Some(1)
    }))
}

/// What stands in a text for a byte that is no text.
pub const BAD_BYTE: char = '\u{F8FF}';

fn not_text(p: &mut Planting) -> Option<Planted> {
    let manifest = p.of_format(&[Format::Toml, Format::Yaml, Format::Json, Format::Markdown])?;
    Some(Planted::edited(manifest, |text, random| {
        let line = lone_line(text, random, |_| true)?;
        let end = text.line(line).end;
        text.text.insert(end, BAD_BYTE);
        // Nothing is shown of what cannot be: the message names the line.
        Some(1)
    }))
}

fn empty_file(p: &mut Planting) -> Option<Planted> {
    // An empty `agent.yaml` may be any program's.
    let all = p.registry.manifests.iter().enumerate();
    let fitting: Vec<usize> =
        all.filter(|(_, one)| one.kind != Kind::Package).map(|(place, _)| place).collect();
    let manifest = *p.random.pick(&fitting)?;
    Some(Planted::edited(manifest, |text, random| {
        random.of(&["", "\n", "\n\n"]).clone_into(&mut text.text);
        Some(1)
    }))
}

fn tab_indentation(p: &mut Planting) -> Option<Planted> {
    let manifest = p.of_format(&[Format::Yaml])?;
    Some(
        Planted::edited(manifest, |text, random| {
            let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
            let line = lone_line(text, random, |line| {
                indent(line) == 4 && line.contains(": ") && !line.contains("- ")
            })?;
            let start = text.line(line).start;
            text.text.replace_range(start..start + 4, "\t\t");
            Some(line)
        })
        .also("syntax", "the lines beside it are indented otherwise"),
    )
}

fn conflict_marker(p: &mut Planting) -> Option<Planted> {
    let manifest = p.of_format(&[Format::Toml, Format::Yaml, Format::Json])?;
    Some(Planted::edited(manifest, |text, random| {
        let format = text.format?;
        let line = lone_line(text, random, |line| match format {
            Format::Toml => line.contains(" = "),
            Format::Json => line.ends_with(','),
            _ => line.contains(": ") && !line.trim_start().starts_with('-') && !line.ends_with('|'),
        })?;
        let copy = text.text[text.line(line)].to_owned();
        text.insert_line(line + 1, &format!("=======\n{copy}\n>>>>>>> topic"));
        Some(text.insert_line(line, "<<<<<<< HEAD"))
    }))
}

fn several_documents(p: &mut Planting) -> Option<Planted> {
    let manifest = p.of_format(&[Format::Yaml])?;
    Some(Planted::edited(manifest, |text, _| {
        let line = text.lines() + 1;
        text.text.push_str("---\nname: another\n");
        Some(line)
    }))
}

/// A line of its own among the keys of a YAML document.
fn yaml_line(p: &mut Planting, line: &'static str) -> Option<Planted> {
    let manifest = p.of_format(&[Format::Yaml])?;
    Some(Planted::edited(manifest, move |text, random| {
        let at = lone_line(text, random, |line| {
            line.starts_with(|sign: char| sign.is_alphabetic()) && line.contains(": ")
        })?;
        Some(text.insert_line(at, line))
    }))
}

fn alias_budget(p: &mut Planting) -> Option<Planted> {
    let manifest = p.of_format(&[Format::Yaml])?;
    Some(
        Planted::edited(manifest, |text, _| {
            let line = text.lines() + 1;
            let many = |name: &str| format!("[{}]", vec![format!("*{name}"); 60].join(", "));
            let more = format!(
                "more: [&a [{}], &b {}, &c {}, {}]\n",
                vec!["1"; 60].join(", "),
                many("a"),
                many("b"),
                many("c")
            );
            text.text.push_str(&more);
            Some(line)
        })
        .also("unknown-key", "what repeats so often stands under a key of its own"),
    )
}

fn too_many(p: &mut Planting) -> Option<Planted> {
    let spot = p.find(Kind::Tool, "")?;
    Some(
        Planted::edited(spot.manifest, |text, random| {
            let more = 1000 + random.between(1, 90);
            let keys: Vec<String> = (0..more).map(|number| format!("  \"qqq{number}\": 1,")).collect();
            text.insert_line(2, &keys.join("\n"));
            // A thousand are shown, and the next one is one too many.
            Some(1002)
        })
        .also("unknown-key", "a thousand findings are of something"),
    )
}

/// Puts a value into a document that is written in YAML.
fn in_yaml(p: &mut Planting, kind: Kind, pointer: &str, value: Value, at: &str) -> Option<Planted> {
    let all: Vec<usize> = p
        .registry
        .of_kind(kind)
        .filter(|place| p.registry.manifests[*place].format == Format::Yaml)
        .collect();
    let manifest = p.random.pick(&all).copied()?;
    p.registry.manifests[manifest].root[pointer.trim_start_matches('/')] = value;
    Some(Planted::at(manifest, format!("{pointer}{at}")))
}

/// A table or a list where neither is meant, or a text where a number is.
fn wrong_type(p: &mut Planting) -> Option<Planted> {
    let mut all = Vec::new();
    for (spot, shape) in p.shaped() {
        let Some(table) = p.registry.manifests[spot.manifest].root.pointer(&spot.pointer)?.as_object() else {
            continue;
        };
        for (key, value) in table {
            let free = [
                "default",
                "example",
                "config",
                "metadata",
                "extra_params",
                "value",
                "input",
                "output",
                "model",
            ];
            if shape.knows(key) && !free.contains(&key.as_str()) && !value.is_object() {
                all.push((spot.clone(), key.clone(), value.clone()));
            }
        }
    }
    let (spot, key, value) = p.random.pick(&all).cloned()?;
    let wrong = match value {
        Value::Array(_) => json!(7),
        Value::String(_) => json!([7, 8]),
        _ => json!("seven"),
    };
    p.put_at(&spot, &key, wrong).map(Planted::at_its_value)
}

fn missing_key(p: &mut Planting) -> Option<Planted> {
    let mut all = Vec::new();
    for (spot, shape) in p.shaped() {
        let table = p.registry.manifests[spot.manifest].root.pointer(&spot.pointer)?.as_object()?.clone();
        let one = &p.registry.manifests[spot.manifest];
        // Without its only key nothing is left, and without its name nothing tells a package from another program's file.
        if spot.pointer.is_empty() && (one.kind == Kind::Alias || one.kind == Kind::Package) {
            continue;
        }
        for key in shape.keys.iter().filter(|key| key.required && table.contains_key(key.name)) {
            all.push((spot.clone(), key.name));
        }
    }
    let (spot, key) = p.random.pick(&all).cloned()?;
    let planted = p.remove(&spot, key)?;
    let is_model = spot.pointer.starts_with("/models/") && key == "id";
    Some(if is_model { planted.elsewhere("unknown-model", "a model without an id is none") } else { planted })
}

fn unknown_key(p: &mut Planting) -> Option<Planted> {
    let spot = p.known_table()?;
    let key = format!("qqq_{}", p.random.below(1000));
    p.put_at(&spot, &key, "x")
}

/// A key of the document, written below the header of a table.
fn misplaced_key(p: &mut Planting) -> Option<Planted> {
    let mut all = Vec::new();
    let shaped = p.shaped();
    for (root, shape) in shaped.iter().filter(|(spot, _)| spot.pointer.is_empty()) {
        let one = &p.registry.manifests[root.manifest];
        let Some(table) = one.root.as_object() else { continue };
        for key in table.keys().filter(|key| shape.key(key).is_some_and(|key| !key.required)) {
            // What says little is known everywhere, and a package needs instructions.
            if table[key].is_object() || ["i18n", "instructions", "description"].contains(&key.as_str()) {
                continue;
            }
            for (inner, inside) in &shaped {
                let below = inner.manifest == root.manifest && !inner.pointer.is_empty();
                if below
                    && inside.others != Others::Any
                    && !inside.knows(key)
                    && !inner.pointer.starts_with(&child("", key))
                {
                    all.push((root.clone(), key.clone(), inner.clone()));
                }
            }
        }
    }
    let (root, key, inner) = p.random.pick(&all).cloned()?;
    let value = p.value(&root)?.as_object_mut()?.shift_remove(&key)?;
    let planted = p.put_at(&inner, &key, value)?;
    Some(planted.also("unknown-placeholder", "prompts name the parameters, which are nowhere now"))
}

fn legacy_name(p: &mut Planting) -> Option<Planted> {
    let mut all = Vec::new();
    for (spot, shape) in p.shaped() {
        let table = p.registry.manifests[spot.manifest].root.pointer(&spot.pointer)?.as_object()?.clone();
        for key in &shape.keys {
            if let (Some(older), true) = (key.legacy.first(), table.contains_key(key.name)) {
                all.push((spot.clone(), key.name, *older));
            }
        }
    }
    let (spot, key, older) = p.random.pick(&all).cloned()?;
    let table = p.value(&spot)?.as_object_mut()?;
    let value = table.shift_remove(key)?;
    p.put_at(&spot, older, value)
}

fn whole_number(p: &mut Planting) -> Option<Planted> {
    let spots = p.values(|one, pointer, value| {
        let whole = [
            "context_window",
            "max_output_tokens",
            "max_history_messages",
            "interval_secs",
            "unhealthy_threshold",
            "hook_timeout_secs",
            "max_tokens",
            "max_iterations",
            "timeoutMs",
            "memMB",
            "cpuMs",
            "max_llm_tokens_per_hour",
        ];
        one.kind != Kind::SkillMd && value.is_u64() && whole.iter().any(|key| pointer.ends_with(key))
    });
    let spot = p.random.pick(&spots).cloned()?;
    let number = p.value(&spot)?.as_u64()?;
    p.raw(&spot, &format!("{number}.0"))
}

/// Gives an entry of a list what another one has to tell it apart.
fn repeat(p: &mut Planting, kind: Kind, list: &str, key: &str) -> Option<Planted> {
    let spot = p.find(kind, list)?;
    let items = p.value(&spot)?.as_array_mut()?;
    let mut copy = items.first()?.clone();
    // What else is unique is another matter.
    copy.as_object_mut()?.shift_remove("aliases");
    items.push(copy);
    let at = items.len() - 1;
    Some(Planted::at(spot.manifest, format!("{}/{at}/{key}", spot.pointer)))
}

fn unusual_name(p: &mut Planting, kind: Kind) -> Option<Planted> {
    let spot = p.find(kind, "")?;
    let id = p.value(&spot)?["id"].as_str()?.to_owned();
    let unusual = format!("{}_x", id.replace('-', "_"));
    let one = p.manifest(&spot)?;
    one.path = one.path.replace(&id, &unusual);
    p.put_at(&spot, "id", unusual)
}

fn include_circle(p: &mut Planting) -> Option<Planted> {
    let mut all: Vec<(String, usize)> =
        p.registry.of_kind(Kind::SkillConfig).map(|at| (p.registry.manifests[at].path.clone(), at)).collect();
    all.sort();
    let (first, last) = (all.first()?.1, all.last()?.1);
    let names: Vec<Value> = [first, last].map(|at| p.registry.manifests[at].root["name"].clone()).to_vec();
    for at in all.iter().map(|(_, at)| *at) {
        p.registry.manifests[at].root.as_object_mut()?.shift_remove("includes");
    }
    p.registry.manifests[first].root["includes"] = json!([{ "name": names[1] }]);
    p.registry.manifests[last].root["includes"] = json!([{ "name": names[0] }]);
    // The circle is closed by the last of the files.
    Some(Planted::at(last, "/includes/0/name"))
}

fn code(p: &mut Planting, source: &str, part: Option<&str>) -> Option<Planted> {
    let planted = p.replace(Kind::SkillConfig, "/inline_tools/0/code", source)?;
    Some(match part {
        Some(part) => planted.part("/inline_tools/0/code", part),
        None => planted,
    })
}

/// A file that somebody names, and of which nobody knows what it is.
fn stranger(p: &mut Planting, ending: &str, text: &'static str) -> Option<Planted> {
    let number = p.random.below(1000);
    let mut one = p.registry.manifests.first()?.clone();
    one.path = if ending.contains('.') {
        format!("notes/n{number}/{ending}")
    } else {
        format!("notes/n{number}.{ending}")
    };
    one.kind = Kind::SkillMd;
    p.registry.manifests.push(one);
    p.registry.named.push(p.registry.manifests.len() - 1);
    Some(Planted::edited(p.registry.manifests.len() - 1, move |written, _| {
        text.clone_into(&mut written.text);
        written.crlf = false;
        Some(1)
    }))
}

/// A file or folder that is called otherwise than what it holds.
fn name_mismatch(p: &mut Planting) -> Option<Planted> {
    let all: Vec<usize> = (0..p.registry.manifests.len())
        .filter(|at| {
            let one = &p.registry.manifests[*at];
            // A skill of a configuration and a plugin have other files beside them.
            one.kind.identity().is_some()
                && one.kind != Kind::Plugin
                && !one.path.starts_with("skill-configs/")
        })
        .collect();
    let manifest = p.random.pick(&all).copied()?;
    let one = &mut p.registry.manifests[manifest];
    let pointer = one.kind.identity()?.pointer;
    let id = one.root.pointer(pointer)?.as_str()?.to_owned();
    one.path = one.path.replacen(&id, &format!("{id}-other"), 1);
    Some(Planted::at(manifest, pointer))
}

fn hidden_character(p: &mut Planting) -> Option<Planted> {
    let spot = p.find(Kind::SkillMd, "/description")?;
    let hidden = p.random.of(&["\u{200b}", "\u{202e}", "\u{2066}", "\u{e0041}"]);
    let value = p.value(&spot)?;
    *value = format!("Sorts{hidden} what came in. Use it for notes.").into();
    Some(Planted::at(spot.manifest, spot.pointer))
}

fn template(p: &mut Planting, kind: Kind, pointer: &str) -> Option<Planted> {
    let gap = p.random.of(&["{{NAME}}", "<name>", "{{ID}}-notes"]);
    p.replace(kind, pointer, gap)
}

/// Puts words into a prompt, somewhere between its lines.
fn in_prompt(p: &mut Planting, kind: Kind, pattern: &str, words: &str) -> Option<Planted> {
    let spot = p.find(kind, pattern)?;
    let text = p.value(&spot)?.as_str()?.to_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = p.random.below(lines.len() + 1);
    lines.insert(at, format!("- {words}"));
    *p.value(&spot)? = format!("{}\n", lines.join("\n")).into();
    Some(Planted::at(spot.manifest, "").part(spot.pointer, words))
}

fn artifact(p: &mut Planting, path: &str) -> Option<Planted> {
    let spot = p.find_where(Kind::Tool, "", |one| one.get("spec").is_none())?;
    p.put_at(&spot, "codeArtifactRef", json!({ "kind": "filesystem", "modulePath": path }))
}

/// A schema inside a document: its root.
fn schema_spot(p: &mut Planting) -> Option<Spot> {
    match p.random.below(3) {
        0 => p.find(Kind::Tool, "/input"),
        1 => p.find(Kind::Package, "/tools/*/parameters"),
        _ => p.find(Kind::SkillConfig, "/inline_tools/*/input_schema"),
    }
}

fn schema_root(p: &mut Planting, key: &str, value: Value) -> Option<Planted> {
    let spot = schema_spot(p)?;
    p.put_at(&spot, key, value)
}

/// A keyword in a schema of a property.
fn schema_key(p: &mut Planting, key: &str, value: Value) -> Option<Planted> {
    let spot = schema_spot(p)?;
    let names: Vec<String> = p.value(&spot)?["properties"].as_object()?.keys().cloned().collect();
    let name = p.random.pick(&names)?.clone();
    let spot = Spot { manifest: spot.manifest, pointer: format!("{}/properties/{name}", spot.pointer) };
    let table = p.value(&spot)?.as_object_mut()?;
    if key == "$ref" || key == "type" || key == "enum" {
        table.clear();
    }
    p.put_at(&spot, key, value)
}

/// Another text for a file beside the package, or a new file.
fn beside(p: &mut Planting, name: &str, text: &str, _entry: usize) -> Option<()> {
    let manifest = p.registry.of_kind(Kind::Package).next()?;
    let folder = p.registry.manifests[manifest].path.rsplit_once('/')?.0.to_owned();
    let path = format!("{folder}/{name}");
    p.registry.files.retain(|(other, _)| *other != path);
    p.registry.files.push((path, text.to_owned()));
    Some(())
}

fn allowance(p: &mut Planting, comment: &'static str) -> Option<Planted> {
    let manifest = p.of_format(&[Format::Toml, Format::Yaml])?;
    Some(Planted::edited(manifest, move |text, random| {
        let line = lone_line(text, random, |line| {
            !line.starts_with(' ') && !line.starts_with(['[', '"', '-']) && !line.is_empty()
        })?;
        Some(text.insert_line(line, comment))
    }))
}
