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
