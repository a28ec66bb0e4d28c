//! Every key that the specification, the inventory of published files or the runtime's list names is known where
//! they say it stands.

use agentry::registry_schema::Section;
use agentry::{Format, Kind, RegistrySchema, toml};
use agentry_check::{Checker, Input};
use agentry_tests::shared;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A key: its kind, the way to its table (`models[]`, `regions`, `*`), and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Named {
    kind: Kind,
    way: Vec<String>,
    key: String,
}

impl Named {
    /// The smallest document that has the key.
    fn document(&self) -> Value {
        let mut document = json!({ &self.key: 1 });
        for segment in self.way.iter().rev() {
            document = match segment.strip_suffix("[]") {
                Some(list) => json!({ list: [document] }),
                None => json!({ segment: document }),
            };
        }
        document
    }

    /// What the checker says against the key, if it does.
    fn complaint(&self) -> Option<String> {
        let text = self.document().to_string();
        let input =
            Input { path: None, kind: Some(self.kind), contract: None, format: Format::Json, text: &text };
        let checked = Checker::default().check(&input);
        let finding = checked.findings.into_iter().find(|finding| {
            matches!(finding.rule.name, "unknown-key" | "misplaced-key")
                && finding.key.as_ref() == Some(&self.key)
        })?;
        Some(format!("{text}: {}", finding.message))
    }
}

fn read(path: &str) -> Option<String> {
    shared(path).map(|path| std::fs::read_to_string(path).expect("a text"))
}

/// `` | `models[].id` | `` in a section `## provider — …`.
fn of_inventory(text: &str) -> BTreeSet<Named> {
    let mut found = BTreeSet::new();
    let mut kind = None;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            // What it says of skills are the keys of the front matter of `SKILL.md`.
            kind = heading.split(' ').next().and_then(Kind::from_name).filter(|kind| *kind != Kind::Skill);
        }
        let Some((kind, path)) = kind.zip(line.strip_prefix("| `").and_then(|rest| rest.split('`').next()))
        else {
            continue;
        };
        let mut way: Vec<String> = path.split('.').map(|segment| segment.replace('*', "any")).collect();
        let Some(key) = way.pop().filter(|key| !key.ends_with("[]") && key != "any") else { continue };
        // The guides of the published integrations are where they do not belong.
        if kind.name() == "integration" && path == "health_check.setup_instructions"
            || kind.name() == "plugin" && way.is_empty() && IN_HOOKS.contains(&key.as_str())
        {
            continue;
        }
        found.insert(Named { kind, way, key });
    }
    found
}

/// Options of hooks that one published plugin has at its top level, where the decisions call them misplaced.
const IN_HOOKS: [&str; 7] = [
    "hook_cache_ttl_secs",
    "hook_timeout_secs",
    "max_retries",
    "on_hook_failure",
    "persistent_subprocess",
    "priority",
    "retry_delay_ms",
];

/// ``- **hand `[[settings.options]]`**: `value`: String, …``; which of the tables on the way are lists, the inventory
/// says.
fn of_runtime(text: &str, inventory: &BTreeSet<Named>) -> BTreeSet<Named> {
    let mut found = BTreeSet::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("- **")) {
        let Some((heading, keys)) = line.split_once("**: ") else { continue };
        let Some(kind) = heading.split([' ', '`']).next().and_then(Kind::from_name) else { continue };
        let table = heading.split('`').nth(1).unwrap_or_default();
        let is_list = table.starts_with("[[");
        let mut way: Vec<String> = table
            .trim_matches(['[', ']'])
            .split('.')
            .filter(|segment| !segment.is_empty() && *segment != "agent")
            .filter(|segment| !segment.ends_with("toml"))
            .map(|segment| segment.replace('*', "any"))
            .collect();
        if heading.contains("hand role, beside") {
            way = vec!["agents".to_owned(), "any".to_owned()];
        }
        let length = way.len();
        for depth in 0..length {
            let list = format!("{}[]", way[depth]);
            let known = inventory.iter().any(|named| {
                named.kind == kind
                    && named.way.len() > depth
                    && named.way[..depth] == way[..depth]
                    && named.way[depth] == list
            });
            if known || is_list && depth + 1 == length {
                way[depth] = list;
            }
        }
        for key in keys.split('`').skip(1).step_by(2) {
            found.insert(Named { kind, way: way.clone(), key: key.to_owned() });
            // A role of a hand has the keys of an agent too, where its model is a table.
            if kind.name() == "agent" && heading.contains("also inside a hand role") && key != "model" {
                let way = vec!["agents".to_owned(), "any".to_owned()];
                found.insert(Named { kind: Kind::Hand, way, key: key.to_owned() });
            }
        }
    }
    found
}

fn of_specification(schema: &RegistrySchema) -> BTreeSet<Named> {
    fn gather(kind: Kind, way: &[String], section: &Section, found: &mut BTreeSet<Named>) {
        for key in section.fields.iter().flat_map(|fields| fields.keys()) {
            found.insert(Named { kind, way: way.to_vec(), key: key.to_string() });
        }
        for (name, inner) in section.sections.iter().flatten() {
            let mut way = way.to_vec();
            way.push(if inner.repeatable() { format!("{name}[]") } else { name.to_string() });
            gather(kind, &way, inner, found);
        }
    }
    let mut found = BTreeSet::new();
    for kind in Kind::ALL {
        let Some(content) = schema.get(kind.name()) else { continue };
        for key in content.fields.iter().flat_map(|fields| fields.keys()) {
            found.insert(Named { kind: *kind, way: Vec::new(), key: key.to_string() });
        }
        for (name, section) in content.sections.iter().flatten() {
            let way = vec![if section.repeatable() { format!("{name}[]") } else { name.to_string() }];
            gather(*kind, &way, section, &mut found);
        }
    }
    found
}

#[test]
fn no_named_key_is_called_unknown() {
    let texts = ["inventory.md", "schema.toml"].map(|file| read(&format!("spec/librefang-registry-{file}")));
    let [Some(inventory), Some(specification)] = texts else { return };
    let Some(runtime) = read("spec/librefang-runtime-keys.md") else { return };
    let inventory = of_inventory(&inventory);
    let runtime = of_runtime(&runtime, &inventory);
    let specification =
        of_specification(&toml::from_str(&specification).expect("the specification is valid"));
    for (source, found, least) in
        [("inventory", &inventory, 150), ("runtime", &runtime, 250), ("specification", &specification, 80)]
    {
        assert!(found.len() >= least, "only {} keys of the {source} were found", found.len());
    }
    let complaints: Vec<String> =
        inventory.iter().chain(&runtime).chain(&specification).filter_map(Named::complaint).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    println!("{} + {} + {} keys", inventory.len(), runtime.len(), specification.len());
}

#[test]
fn a_key_that_nobody_names_is_called_unknown() {
    let named = Named { kind: Kind::Provider, way: vec!["models[]".to_owned()], key: "colour".to_owned() };
    assert!(named.complaint().is_some());
}
