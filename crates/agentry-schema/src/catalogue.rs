//! The catalogue: which schema an editor uses for which file, in the form of the `SchemaStore` catalogue, which
//! editors load.

use crate::{Draft, Source, address, title};
use serde_json::{Value, json};

/// The catalogue of these documents. Editors are given Draft 7, which more of them know.
pub(crate) fn catalogue(sources: &[Source]) -> Value {
    // Two kinds may claim one path, also where one says more of it: an editor would choose one of them by chance.
    let claims = |path: &str, other: &Source| {
        other.files.iter().any(|theirs| *theirs == path || theirs.ends_with(&format!("/{path}")))
    };
    let schemas: Vec<Value> = sources
        .iter()
        .map(|source| {
            let url = address(source.name, Draft::V07);
            let mut patterns: Vec<String> = Vec::new();
            for path in source.files {
                let others = sources.iter().filter(|other| other.name != source.name);
                if !others.into_iter().any(|other| claims(path, other)) {
                    patterns.extend(pattern(path));
                }
            }
            let mut entry = json!({
                "name": title(source.name),
                "description": source.schema(Draft::V07)["description"],
                "url": url,
            });
            if !patterns.is_empty() {
                entry["fileMatch"] = json!(patterns);
            }
            entry["versions"] = json!({ source.version: url });
            entry
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/schema-catalog.json",
        "version": 1,
        "schemas": schemas,
    })
}

/// The pattern of a path such as `providers/<id>.toml`; None for files that editors do not read as data.
fn pattern(path: &str) -> Option<String> {
    let (_, extension) = path.rsplit_once('.')?;
    if !["toml", "json", "yaml", "yml"].contains(&extension) {
        return None;
    }
    let mut pattern = "**/".to_owned();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('<') {
        pattern.push_str(before);
        pattern.push('*');
        rest = after.split_once('>').map_or("", |(_, after)| after);
    }
    pattern.push_str(rest);
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::SchemaGenerator;

    fn source(name: &'static str, files: &'static [&'static str]) -> Source {
        Source::new(name, "Something.", files, SchemaGenerator::into_root_schema_for::<bool>)
    }

    #[test]
    fn paths_become_patterns() {
        for (path, wanted) in [
            ("providers/<id>.toml", Some("**/providers/*.toml")),
            ("hands/<id>/HAND.toml", Some("**/hands/*/HAND.toml")),
            ("aliases.toml", Some("**/aliases.toml")),
            ("skills/<name>/SKILL.md", None),
            ("LICENSE", None),
        ] {
            assert_eq!(pattern(path).as_deref(), wanted, "{path}");
        }
    }

    #[test]
    fn a_path_that_two_kinds_claim_is_left_to_the_author() {
        let catalogue = catalogue(&[
            source("one", &["a.toml", "b.toml"]),
            source("two", &["b.toml", "in/<id>/c.toml"]),
            source("three", &["c.toml", "c.json"]),
        ]);
        assert_eq!(catalogue["schemas"][0]["fileMatch"], json!(["**/a.toml"]));
        assert_eq!(catalogue["schemas"][1]["fileMatch"], json!(["**/in/*/c.toml"]));
        assert_eq!(catalogue["schemas"][2]["fileMatch"], json!(["**/c.json"]));
    }
}
