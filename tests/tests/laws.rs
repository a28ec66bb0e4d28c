//! Schema and reader are one: see `agentry_tests::laws`.

use agentry_tests::laws::{BEYOND, Beyond, Options, Sort, Subject, faults, run, table};
use agentry_tests::one_in;

#[test]
fn schema_and_reader_agree_on_generated_documents() {
    let options = Options::share_of_usual();
    let subjects = Subject::all();
    let reports = run(&subjects, &options);
    println!("seed {:#x}\n{}", options.seed, table(&reports));
    let mut shortfalls: Vec<String> = subjects
        .iter()
        .zip(&reports)
        .flat_map(|(subject, report)| {
            let documents = if subject.sort == Sort::Kind { options.per_kind } else { options.per_side };
            report.shortfalls(documents, options.hits)
        })
        .collect();
    for (index, row) in BEYOND.iter().enumerate() {
        let met: usize = reports.iter().map(|report| report.beyond[index]).sum();
        println!("beyond the schema: {} {} {met}", row.rule, row.definition);
        if met == 0 {
            let Beyond { rule, definition, .. } = row;
            shortfalls.push(format!("no document needs the rule beyond the schema `{rule}` {definition}"));
        }
    }
    let faults = faults(&reports);
    assert!(faults.is_empty(), "schema and reader disagree:\n{faults}");
    assert!(shortfalls.is_empty() || one_in() > 1, "{}", shortfalls.join("\n"));
}
