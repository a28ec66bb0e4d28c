//! Every fault that people reported, with the test that holds its kind, or with the reason why nothing is said of it.
//!
//! The reports lie beside the project. A new one fails here until it is answered.

use agentry_tests::{field_reports, root};
use std::collections::BTreeSet;

const CONFIG: &str = "tests/tests/field_reports_skill_config.rs";
const FOLDER: &str = "tests/tests/field_reports_folder.rs";
const PACKAGE: &str = "tests/tests/field_reports_package.rs";
const REGISTRY: &str = "tests/tests/field_reports_registry.rs";
const SKILL_MD: &str = "tests/tests/field_reports_skill_md.rs";
const TOOL: &str = "tests/tests/field_reports_tool.rs";

/// What becomes of a report.
struct Answer {
    id: &'static str,
    /// The file and the name of the test of its kind of fault; none where it is decided against.
    test: Option<(&'static str, &'static str)>,
    /// Where the answer is another than the report asks for, and why.
    reason: &'static str,
}

const fn covered(id: &'static str, file: &'static str, test: &'static str, reason: &'static str) -> Answer {
    Answer { id, test: Some((file, test)), reason }
}

const fn decided(id: &'static str, reason: &'static str) -> Answer {
    Answer { id, test: None, reason }
}

const ANSWERS: &[Answer] = &[
    covered("B002", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B003", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered(
        "B004",
        FOLDER,
        "other_programs_have_files_of_their_own",
        "the daemon's file is not read, and named as what it is: what is set for one agent is read from its own file",
    ),
    covered(
        "B005",
        REGISTRY,
        "faults_of_one_file_are_found_at_their_places",
        "the file of a daemon is not read, and named as what it is; in our own files the nearest key is offered",
    ),
    covered("B006", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B009", REGISTRY, "what_is_read_is_no_fault", ""),
    covered("B010", REGISTRY, "what_is_read_is_no_fault", ""),
    covered("B011", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered(
        "B013",
        FOLDER,
        "other_programs_have_files_of_their_own",
        "lists of clients are not read, and named as what they are; where they stand in one of our files, the help says what is ours",
    ),
    covered("B016", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B017", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B019", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B020", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B023", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B026", REGISTRY, "what_was_read_is_written_back", ""),
    covered("B027", REGISTRY, "what_was_read_is_written_back", ""),
    covered("B032", REGISTRY, "what_is_read_is_no_fault", ""),
    covered("B033", REGISTRY, "what_is_read_is_no_fault", ""),
    covered(
        "B034",
        REGISTRY,
        "what_is_read_is_no_fault",
        "both forms are read; which one a role has is said where it matters, as `dropped-key`",
    ),
    covered("B035", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B037", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B038", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B041", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B044", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B048", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B049", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B050", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B051", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B054", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B055", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B057", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B059", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B060", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B062", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B063", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B066", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B067", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B068", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B069", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B070", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B071", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered(
        "B072",
        SKILL_MD,
        "every_kind_of_fault_is_found_at_its_place",
        "a run of tag characters is one finding, with the text that it hides",
    ),
    covered("B073", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B075", CONFIG, "each_fault_is_found_at_its_place", ""),
    covered("B077", CONFIG, "each_fault_is_found_at_its_place", ""),
    covered("B081", CONFIG, "each_fault_is_found_at_its_place", ""),
    covered("B085", PACKAGE, "older_names_stay_readable", ""),
    covered(
        "B086",
        FOLDER,
        "a_shared_file_name_makes_no_manifest",
        "the versions of another program are not ours to list; a newer version of our own format is `newer-version`, which names the one that is read",
    ),
    covered("B087", PACKAGE, "faults_are_found_at_their_places", ""),
    covered("B089", PACKAGE, "published_defaults_are_those_of_the_code", ""),
    covered("B091", PACKAGE, "faults_are_found_at_their_places", ""),
    covered("B094", TOOL, "faults_of_tools_are_found_at_their_places", ""),
    covered("B095", TOOL, "faults_of_tools_are_found_at_their_places", ""),
    covered("B096", TOOL, "faults_of_tools_are_found_at_their_places", ""),
    covered("B100", TOOL, "faults_of_tools_are_found_at_their_places", ""),
    covered("B103", TOOL, "faults_of_tools_are_found_at_their_places", ""),
    decided(
        "B104",
        "no file that is read says `strict`: it is a mode that a client asks for, in which even sound schemas of tools are rewritten",
    ),
    covered(
        "B105",
        TOOL,
        "faults_of_tools_are_found_at_their_places",
        "what comes out of a tool may have any schema: which versions of MCP want an object is the server's to know",
    ),
    covered(
        "B106",
        TOOL,
        "faults_of_tools_are_found_at_their_places",
        "a closed output is a promise that a tool may make: its errors do not travel in it",
    ),
    covered(
        "B107",
        TOOL,
        "faults_of_tools_are_found_at_their_places",
        "the draft by which schemas are read may be named; which editors cannot load it changes with every release of theirs",
    ),
    covered("B108", TOOL, "faults_of_tools_are_found_at_their_places", ""),
    covered("B110", TOOL, "faults_of_tools_are_found_at_their_places", ""),
    covered(
        "B112",
        FOLDER,
        "files_are_held_against_each_other",
        "the name that models get is said where it meets that of another tool",
    ),
    covered("B116", TOOL, "faults_of_tools_are_found_at_their_places", ""),
    covered(
        "B117",
        REGISTRY,
        "faults_of_one_file_are_found_at_their_places",
        "a warning, as of everything that one key says against another: the manifest can be read and run",
    ),
    covered(
        "B119",
        FOLDER,
        "other_programs_have_files_of_their_own",
        "server.json is not read, and named as what it is",
    ),
    covered("B124", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B125", REGISTRY, "what_is_read_is_no_fault", ""),
    covered(
        "B126",
        FOLDER,
        "other_programs_have_files_of_their_own",
        "lists of clients are not read, and named as what they are",
    ),
    covered(
        "B127",
        REGISTRY,
        "faults_of_one_file_are_found_at_their_places",
        "server.json is not read; in an integration the key is unknown for its transport",
    ),
    covered(
        "B129",
        REGISTRY,
        "faults_of_one_file_are_found_at_their_places",
        "server.json is not read; in manifests that are, a version is one version",
    ),
    covered(
        "B130",
        FOLDER,
        "files_are_held_against_each_other",
        "server.json is not read; in a skill of two files both versions are held against each other",
    ),
    covered(
        "B134",
        FOLDER,
        "other_programs_have_files_of_their_own",
        "marketplaces are not read, and named as what they are",
    ),
    covered(
        "B135",
        FOLDER,
        "other_programs_have_files_of_their_own",
        "marketplaces are not read; that a reader goes on past a key it does not know is B183",
    ),
    covered(
        "B136",
        REGISTRY,
        "faults_of_one_file_are_found_at_their_places",
        "registries have no headers of servers, which is said; a variable that the file does not ask for is `unasked-variable`",
    ),
    covered(
        "B139",
        REGISTRY,
        "faults_of_one_file_are_found_at_their_places",
        "nothing of the value is shown, not even how it begins",
    ),
    covered("B141", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B142", PACKAGE, "credentials_are_found_by_the_names_of_their_keys", ""),
    covered("B144", FOLDER, "an_identifier_is_no_path", ""),
    covered("B147", FOLDER, "scripts_stay_in_the_package", ""),
    covered(
        "B148",
        FOLDER,
        "files_are_held_against_each_other",
        "a warning, since manifests are read where nothing is published",
    ),
    covered("B151", FOLDER, "instructions_are_given_once", ""),
    covered("B153", FOLDER, "credentials_are_no_part_of_a_package", ""),
    covered("B156", FOLDER, "files_that_differ_in_case_only_are_one_file_elsewhere", ""),
    covered("B157", PACKAGE, "faults_are_found_at_their_places", ""),
    covered("B162", "tests/tests/known_keys.rs", "no_named_key_is_called_unknown", ""),
    covered("B163", FOLDER, "files_are_held_against_each_other", ""),
    covered("B166", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B167", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B169", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered(
        "B170",
        REGISTRY,
        "faults_of_one_file_are_found_at_their_places",
        "128e3 is a whole number to JSON Schema, so it is read, with a warning that says how to write it",
    ),
    covered("B172", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B173", PACKAGE, "faults_are_found_at_their_places", ""),
    covered("B174", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered(
        "B176",
        REGISTRY,
        "faults_of_one_file_are_found_at_their_places",
        "days are written whole: no date of a registry is a month",
    ),
    covered("B180", FOLDER, "files_are_held_against_each_other", ""),
    covered("B182", REGISTRY, "what_was_read_is_written_back", ""),
    covered("B183", PACKAGE, "a_runtime_reads_past_keys_that_it_does_not_know", ""),
    covered("B184", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B185", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B187", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
    covered("B188", SKILL_MD, "every_kind_of_fault_is_found_at_its_place", ""),
    covered("B189", FOLDER, "files_are_held_against_each_other", ""),
    covered("B191", PACKAGE, "null_is_told_from_an_absent_key", ""),
    covered(
        "B193",
        FOLDER,
        "a_shared_file_name_makes_no_manifest",
        "the versions of another program are not ours to list; a number where text is meant is `wrong-type`, with the quotes to write",
    ),
    covered("B195", "crates/agentry-schema/tests/documents.rs", "both_drafts_accept_the_same_documents", ""),
    covered("B196", FOLDER, "a_shared_file_name_makes_no_manifest", ""),
    covered(
        "B197",
        "xtask/tests/drift.rs",
        "every_class_of_change_makes_its_document_stale_and_the_report_says_what_to_run",
        "",
    ),
    covered(
        "B200",
        FOLDER,
        "other_programs_have_files_of_their_own",
        "server.json is not read; that all faults of a file are said at once is B202",
    ),
    covered("B202", REGISTRY, "faults_of_one_file_are_found_at_their_places", ""),
];

#[test]
fn every_report_has_its_test_or_a_reason() {
    let mut faults = Vec::new();
    let mut answered = BTreeSet::new();
    for answer in ANSWERS {
        let id = answer.id;
        if !answered.insert(id) {
            faults.push(format!("{id} is answered twice"));
        }
        let Some((file, test)) = answer.test else {
            if answer.reason.is_empty() {
                faults.push(format!("{id} has neither a test nor a reason"));
            }
            continue;
        };
        let source = std::fs::read_to_string(root().join(file)).unwrap_or_default();
        if !source.contains(&format!("#[test]\nfn {test}()")) {
            faults.push(format!("{id}: there is no test `{test}` in {file}"));
        }
        // Tests of other things are not numbered by reports.
        if file.contains("field_reports") && !source.contains(id) {
            faults.push(format!("{id}: nothing in {file} is of that report"));
        }
    }
    if let Some(reports) = field_reports() {
        let reported: BTreeSet<&str> = reports.iter().filter_map(|report| report["id"].as_str()).collect();
        faults.extend(reported.difference(&answered).map(|id| format!("{id}: a report without an answer")));
        faults.extend(answered.difference(&reported).map(|id| format!("{id}: an answer without a report")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
