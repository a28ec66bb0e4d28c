//! What published files of a catalogue must not draw, and that their names are those of their files.

use agentry::values::KeyName;
use agentry::{Aliases, Kind, RegistrySchema, Severity, Workflow};
use agentry_tests::{files, kind_of, registries, root, shared};
use std::path::Path;

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn descriptions_of_registries_are_consistent() {
    let ours = root().join("examples/registry/registry-schema.toml");
    for path in [Some(ours), shared("spec/librefang-registry-schema.toml")].into_iter().flatten() {
        let text = text(&path);
        let reading = agentry::toml::read::<RegistrySchema>(&text);
        let found: Vec<_> =
            reading.findings.iter().filter(|finding| finding.severity >= Severity::Warning).collect();
        assert!(found.is_empty(), "{}: {found:#?}", path.display());
        let schema = reading.value.expect("a document without an error is read");
        let written = agentry::toml::to_string(&schema).expect("written");
        assert_eq!(agentry::toml::from_str::<RegistrySchema>(&written).expect("read again"), schema);
        assert!(!schema.content_types().is_empty(), "{}", path.display());
    }
}

#[test]
fn the_specification_is_asked_by_name_and_path() {
    let Some(path) = shared("spec/librefang-registry-schema.toml") else { return };
    let schema: RegistrySchema = agentry::toml::from_str(&text(&path)).expect("valid");
    let names: Vec<_> = schema.content_types().keys().map(KeyName::as_str).collect();
    assert_eq!(names, ["provider", "agent", "hand", "integration", "skill", "plugin"]);
    for (name, field, there) in [
        ("provider", "api_key", true),
        ("provider", "models.tier", true),
        ("agent", "metadata.routing.aliases", true),
        ("hand", "requires.install.linux_apt", true),
        ("hand", "settings.options.value", true),
        ("integration", "transport.type", true),
        ("integration", "type", false),
        ("hand", "settings.options", false),
    ] {
        let content_type = schema.get(name).unwrap_or_else(|| panic!("`{name}` is described"));
        assert_eq!(content_type.field(field).is_some(), there, "{name} {field}");
    }
    let secrets: Vec<_> = schema
        .content_types()
        .iter()
        .flat_map(|(name, content_type)| {
            content_type.all_fields().into_iter().map(move |(path, field)| (format!("{name}.{path}"), field))
        })
        .filter(|(_, field)| field.values.is_secret())
        .map(|(path, _)| path)
        .collect();
    assert_eq!(secrets, ["provider.api_key"]);
    for (path, name) in [
        ("providers/acme.toml", Some("provider")),
        ("agents/coder/agent.toml", Some("agent")),
        ("hands/clip/HAND.toml", Some("hand")),
        ("hands/clip/hand.toml", None),
    ] {
        let found = schema.of_path(path).next().map(|(name, _)| name.as_str());
        assert_eq!(found, name, "{path}");
    }
}

#[test]
fn workflows_and_aliases_refer_to_what_is_there() {
    let mut faults = Vec::new();
    for (folder, without) in registries() {
        for path in files(&folder, without, "toml") {
            match kind_of(&path) {
                Some(Kind::Workflow) => {
                    let workflow: Workflow =
                        agentry::toml::from_str(&text(&folder.join(&path))).expect("a valid workflow");
                    faults.extend(
                        workflow
                            .mismatches()
                            .iter()
                            .map(|found| format!("{path} {}: {found}", found.pointer())),
                    );
                }
                Some(Kind::Alias) => {
                    let aliases: Aliases =
                        agentry::toml::from_str(&text(&folder.join(&path))).expect("a valid alias file");
                    faults.extend(
                        aliases.chained().map(|(alias, model)| format!("{path}: {alias} is {model}")),
                    );
                }
                _ => {}
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn documents_are_called_as_their_files() {
    let mut faults = Vec::new();
    for (folder, without) in registries() {
        for path in files(&folder, without, "toml") {
            let Some(kind) = kind_of(&path) else { continue };
            let Some(identity) = kind.identity().filter(|identity| identity.severity == Severity::Error)
            else {
                continue;
            };
            let document = agentry::toml::parse(&text(&folder.join(&path)));
            let named = document.root.as_ref().and_then(|root| root.pointer(identity.pointer)?.as_str());
            if !kind.paths().iter().any(|place| name_in(place, &path) == named) {
                faults.push(format!("{path}: `{}` is {named:?}", identity.pointer));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What stands in a path for the `<name>` of a place.
fn name_in<'p>(place: &str, path: &'p str) -> Option<&'p str> {
    place.split('/').zip(path.split('/')).find_map(|(wanted, found)| {
        let (before, rest) = wanted.split_once('<')?;
        let (_, after) = rest.split_once('>')?;
        found.strip_prefix(before)?.strip_suffix(after)
    })
}

/// Relations between keys: the reader and the JSON Schema say the same of each, but for what no schema can state.
#[test]
fn schema_and_reader_agree_on_relations() {
    const FIELD: &str = "[boat.fields.x]\n";
    const PARAMETER: &str = "id = \"x\"\nname = \"X\"\ndescription = \"x\"\n[[steps]]\nname = \"s\"\n\
        prompt_template = \"p\"\n[[parameters]]\nname = \"p\"\n";
    const CHANNEL: &str = "id = \"x\"\nname = \"X\"\ndescription = \"x\"\ncategory = \"iot\"\n";
    let mut cases = Vec::new();
    let values =
        ["\"a\"", "\"\"", "1", "0.5", "true", "[]", "[\"a\"]", "[1]", "[[1]]", "[true, \"a\"]", "{ a = 1 }"];
    for (of, kind, key) in ["string", "number", "bool", "array", "object", "text"]
        .into_iter()
        .flat_map(|of| [(of, Kind::RegistrySchema, "default"), (of, Kind::RegistrySchema, "example")])
        .chain(["string", "number", "boolean", "agent_id", "text"].map(|of| (of, Kind::Workflow, "default")))
    {
        for value in values {
            if kind == Kind::Workflow {
                let text = format!("{PARAMETER}param_type = \"{of}\"\nrequired = false\n{key} = {value}\n");
                cases.push((kind, text));
                continue;
            }
            for more in [
                "",
                "item_type = \"string\"",
                "item_type = \"number\"",
                "item_type = \"array\"",
                "secret = true",
            ] {
                cases.push((kind, format!("{FIELD}type = \"{of}\"\n{key} = {value}\n{more}\n")));
            }
        }
        for more in ["", "item_type = \"string\"", "item_type = \"bool\"", "secret = true", "required = true"]
        {
            cases
                .push((Kind::RegistrySchema, format!("{FIELD}type = \"{of}\"\noptions = [\"a\"]\n{more}\n")));
        }
    }
    for text in ["steps = []\n", "steps = 1\n", ""] {
        cases.push((Kind::Workflow, format!("id = \"x\"\nname = \"X\"\ndescription = \"x\"\n{text}")));
    }
    for text in ["\"$schema\" = \"x\"\n", "\"$schema\" = 1\n", "a = 1\n", "[\"a b\"]\n", "[a]\n", "[[a]]\n"] {
        cases.push((Kind::RegistrySchema, text.to_owned()));
        cases.push((
            Kind::RegistrySchema,
            format!("{text}{FIELD}type = \"string\"\noptions = [\"a\", \"a\"]\n"),
        ));
    }
    for text in
        ["[metadata]\nurl = \"\"\n", "[metadata]\nurl = \"x\"\n", "protocol = \"a b\"\n", "icon = \"\"\n"]
    {
        cases.push((Kind::Channel, format!("{CHANNEL}{text}")));
    }
    for text in [
        "[aliases]\na = \"b\"\n",
        "[aliases]\na = 1\n",
        "[aliases]\n\"a b\" = \"c\"\n",
        "aliases = []\n",
        "a = 1\n",
    ] {
        cases.push((Kind::Alias, text.to_owned()));
    }

    let mut faults = Vec::new();
    for (kind, text) in &cases {
        let reading = kind.read(&agentry::toml::parse(text), agentry::Mode::Strict);
        let errors: Vec<_> =
            reading.findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
        // A default or example that is of the type, and not among the options, is beyond the schema.
        let beyond = !errors.is_empty()
            && errors.iter().all(|finding| {
                ["default-mismatch", "example-mismatch"].contains(&finding.rule.name)
                    && finding.message.contains("options")
            });
        let document: toml::Value = toml::Value::Table(text.parse().expect("TOML"));
        let document = serde_json::to_value(document).expect("JSON");
        let generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
        let schema = kind.schema(generator).to_value();
        let valid = jsonschema::is_valid(&schema, &document);
        if valid != errors.is_empty() && !beyond {
            faults.push(format!("{kind}: the schema says {valid}, the reader {errors:#?}\n{text}"));
        }
    }
    assert!(faults.is_empty(), "{} of {} cases:\n{}", faults.len(), cases.len(), faults.join("\n"));
}
