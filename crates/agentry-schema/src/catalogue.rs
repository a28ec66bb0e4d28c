//! The catalogue: which schema an editor uses for which file, in the form of the `SchemaStore` catalogue, which
//! editors load.

use crate::{Draft, Source, address, title};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The catalogue of these documents. Editors are given Draft 7, which more of them know.
pub(crate) fn catalogue(sources: &[Source]) -> Value {
    let mut owners: BTreeMap<String, usize> = BTreeMap::new();
    for pattern in sources.iter().flat_map(|source| source.files).filter_map(|path| pattern(path)) {
        *owners.entry(pattern).or_default() += 1;
    }
    let schemas: Vec<Value> = sources
        .iter()
        .map(|source| {
            let url = address(source.name, Draft::V07);
            let mut patterns: Vec<String> = Vec::new();
            for pattern in source.files.iter().filter_map(|path| pattern(path)) {
                // Two kinds may claim one path; an editor would choose one of them by chance.
                if owners[&pattern] == 1 {
                    patterns.push(pattern);
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
        let catalogue = catalogue(&[source("one", &["a.toml", "b.toml"]), source("two", &["b.toml"])]);
        assert_eq!(catalogue["schemas"][0]["fileMatch"], json!(["**/a.toml"]));
        assert_eq!(catalogue["schemas"][1].get("fileMatch"), None);
    }
}
