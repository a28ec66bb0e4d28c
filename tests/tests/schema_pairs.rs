//! Pairs of schemas from other projects' tests and histories, with the truth about them where it is known.
//! Witnesses are judged by a validator that takes no part in finding them.

use agentry_diff::{Comparison, Draft, Effect, Options, Verdict, compare};
use serde_json::Value;
use std::path::Path;

#[path = "../../crates/agentry-diff/examples/figures/sample.rs"]
mod sample;

fn lines(folder: &Path, source: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(format!("{source}.jsonl"))).expect("a file");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Whether a witness is one, by the draft that the schemas are read by.
fn shows(from: &Value, to: &Value, draft: Draft, document: &Value) -> bool {
    let valid = |schema: &Value| {
        let draft = match Draft::of(schema, draft) {
            Draft::Draft4 => jsonschema::Draft::Draft4,
            Draft::Draft6 => jsonschema::Draft::Draft6,
            Draft::Draft7 => jsonschema::Draft::Draft7,
            Draft::Draft201909 => jsonschema::Draft::Draft201909,
            Draft::Draft202012 => jsonschema::Draft::Draft202012,
        };
        let options = jsonschema::options().with_draft(draft).should_validate_formats(false);
        options.build(schema).expect("a schema").is_valid(document)
    };
    valid(from) && !valid(to)
}

fn witnesses(comparison: &Comparison, old: &Value, new: &Value, draft: Draft, id: &Value) {
    let files = comparison.changes.iter().filter_map(|change| change.effect.files());
    let readers = comparison.changes.iter().filter_map(|change| change.effect.readers());
    for witness in comparison.backward.witness().into_iter().chain(files) {
        assert!(shows(old, new, draft, &witness.document), "{id}: {}", witness.document);
    }
    for witness in comparison.forward.witness().into_iter().chain(readers) {
        assert!(shows(new, old, draft, &witness.document), "{id}: {}", witness.document);
    }
    let breaks_files = |effect: &Effect| effect.files().is_some();
    if comparison.backward == Verdict::Yes {
        assert!(!comparison.changes.iter().any(|change| breaks_files(&change.effect)), "{id}");
    }
}

/// Where the truth as given does not hold: `maxLength` of null is refused by the schema of draft 7 itself.
const NO_SCHEMAS: [&str; 2] = ["atlassian-131", "atlassian-135"];

#[test]
fn no_answer_about_a_known_pair_is_wrong_and_few_are_missing() {
    let Some(folder) = agentry_tests::shared("compat") else { return };
    let (mut asked, mut unknown) = (0, Vec::new());
    for source in ["karapace", "jsonsubschema", "jsoncompat", "atlassian"] {
        for case in lines(&folder, source) {
            let (old, new, id) = (&case["old"], &case["new"], &case["id"]);
            let draft = case["draft"].as_str().and_then(Draft::from_name).unwrap_or_default();
            let comparison = compare(old, new, &Options::default().with_draft(draft));
            witnesses(&comparison, old, new, draft, id);
            for (name, verdict) in
                [("truth_backward", &comparison.backward), ("truth_forward", &comparison.forward)]
            {
                let Some(truth) = case[name].as_str() else { continue };
                asked += 1;
                if matches!(verdict, Verdict::Unknown(_)) {
                    unknown.push(format!("{id} {name}"));
                    continue;
                }
                let truth = if NO_SCHEMAS.iter().any(|known| id == known) { "invalid" } else { truth };
                let answer = match verdict {
                    Verdict::Yes => "subset",
                    Verdict::No(_) => "not",
                    _ => "invalid",
                };
                assert_eq!(answer, truth, "{id} {name}: {verdict:?}\n  {old}\n  {new}");
            }
        }
    }
    assert!(asked > 1_300, "{asked} questions");
    assert!(unknown.len() * 50 < asked, "{unknown:?}");
}

#[test]
fn real_histories_are_decided_with_small_witnesses() {
    let Some(folder) = agentry_tests::shared("compat/real") else { return };
    let read = |path: &str| -> Value {
        let text = std::fs::read_to_string(folder.join(path)).expect("a file");
        serde_json::from_str(&text).expect("JSON")
    };
    // Sampling in full is for optimised builds.
    let samples = if cfg!(debug_assertions) { 100 } else { 10_000 };
    let pairs = read("pairs.json");
    let mut sizes = Vec::new();
    for pair in pairs.as_array().expect("pairs") {
        let schema = |key: &str| read(pair[key].as_str().expect("a path"));
        let (old, new) = (schema("old"), schema("new"));
        let comparison = compare(&old, &new, &Options::default());
        witnesses(&comparison, &old, &new, Draft::Draft7, &pair["id"]);
        for (verdict, from, to) in [(&comparison.backward, &old, &new), (&comparison.forward, &new, &old)] {
            match verdict {
                Verdict::Yes => {
                    let (taken, refused) = (
                        jsonschema::draft7::new(from).expect("valid"),
                        jsonschema::draft7::new(to).expect("valid"),
                    );
                    let documents = sample::documents(from, 1, samples, |document| taken.is_valid(document));
                    assert_eq!(documents.len(), samples, "{}", pair["id"]);
                    for document in documents {
                        assert!(refused.is_valid(&document), "{}: {document}", pair["id"]);
                    }
                }
                Verdict::No(witness) => sizes.push(witness.document.to_string().len()),
                other => panic!("{}: {other:?}", pair["id"]),
            }
        }
        for change in &comparison.changes {
            assert!(
                !matches!(change.effect, Effect::Unknown(_)),
                "{}: {change}: {:?}",
                pair["id"],
                change.effect
            );
        }
    }
    sizes.sort_unstable();
    assert!(sizes[sizes.len() / 2] <= 50 && sizes[sizes.len() - 1] <= 400, "{sizes:?}");
}
