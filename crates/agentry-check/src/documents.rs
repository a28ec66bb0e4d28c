//! The published documents: those of the types, and those about what the checker itself reads and prints.

use crate::explain::Explanations;
use crate::report::json::{Answer, File, Whole};
use agentry_schema::{Document, Draft, Form, REPORTS, path, publish_as, text};
use schemars::{Schema, SchemaGenerator};

/// What gives the schema of a type.
type Derive = fn(SchemaGenerator) -> Schema;

/// What makes the schema of a report: its name below the folder of reports, and the type.
const REPORT_TYPES: &[(&str, Derive)] = &[
    ("check", SchemaGenerator::into_root_schema_for::<Whole>),
    ("check-line", SchemaGenerator::into_root_schema_for::<File>),
    ("answer", SchemaGenerator::into_root_schema_for::<Answer>),
    ("diff", SchemaGenerator::into_root_schema_for::<agentry_diff::Report>),
    ("explain", SchemaGenerator::into_root_schema_for::<Explanations>),
];

/// What makes the schema of a file that the checker reads for itself.
#[cfg(feature = "schema")]
const FILE_TYPES: &[(&str, Derive)] = &[
    ("settings", SchemaGenerator::into_root_schema_for::<crate::settings::Settings>),
    ("baseline", SchemaGenerator::into_root_schema_for::<crate::baseline::Baseline>),
    ("acknowledged", SchemaGenerator::into_root_schema_for::<crate::acknowledged::Acknowledgements>),
];

/// Every published document: writing, comparing and testing start from this list.
pub fn documents() -> Vec<Document> {
    let mut documents = agentry_schema::documents();
    documents.extend(REPORT_TYPES.iter().map(|(name, derive)| {
        let name = format!("{REPORTS}{name}");
        let schema = publish_as(Form::Report, &name, "", Draft::V2020_12, *derive);
        Document { path: path(&name, Draft::V2020_12), text: text(&schema) }
    }));
    #[cfg(feature = "schema")]
    documents.extend(own_files());
    documents
}

/// The schemas of the files that the checker reads for itself, in each draft: editors complete them.
#[cfg(feature = "schema")]
fn own_files() -> impl Iterator<Item = Document> {
    Draft::ALL.iter().flat_map(|&draft| {
        FILE_TYPES.iter().map(move |(name, derive)| {
            let schema = agentry_schema::publish(name, "", draft, *derive);
            Document { path: path(name, draft), text: text(&schema) }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agentry_schema::check::check;
    use agentry_schema::{FIRST_VERSION, VERSIONS};

    /// The entries of a list of versions that no document follows.
    fn useless<'v>(versions: &[(&'v str, &'v str)]) -> Vec<&'v str> {
        let states = |document: &Document, name: &str, version: &str| {
            let schema: serde_json::Value = serde_json::from_str(&document.text).unwrap_or_default();
            let comment = schema["$comment"].as_str().unwrap_or_default();
            document.path == path(name, Draft::V2020_12)
                && comment.starts_with(&format!("Version {version};"))
        };
        let all = documents();
        let followed = |name: &str, version: &str| {
            version != FIRST_VERSION && all.iter().any(|document| states(document, name, version))
        };
        versions.iter().filter(|(name, version)| !followed(name, version)).map(|(name, _)| *name).collect()
    }

    #[test]
    fn every_version_that_is_stated_is_that_of_a_document() {
        assert_eq!(useless(VERSIONS), [""; 0], "no document has this name, or another one says its version");
        // A tolerant schema has the version of its kind, and a first version needs no entry.
        let planted = [("alias.tolerant", "1.0.1"), ("none", "1.0.1"), ("alias", FIRST_VERSION)];
        assert_eq!(useless(&planted), ["alias.tolerant", "none", "alias"]);
    }

    #[test]
    fn documents_of_the_checker_keep_to_the_rules_and_differ_in_path() {
        let all = documents();
        let own = &all[agentry_schema::documents().len()..];
        assert!(own.len() >= REPORT_TYPES.len());
        for document in own {
            let schema = serde_json::from_str(&document.text).expect("JSON");
            let draft = if document.path.starts_with("draft-07/") { Draft::V07 } else { Draft::V2020_12 };
            let faults: Vec<String> =
                check(&schema, draft, Form::of(&document.path)).iter().map(ToString::to_string).collect();
            assert_eq!(faults, [""; 0], "{}", document.path);
            assert_eq!(all.iter().filter(|other| other.path == document.path).count(), 1);
        }
    }
}
