//! The gate: the checked-in documents are what the types make.

#[test]
fn the_checked_in_documents_are_what_the_types_make() {
    let report = xtask::drift::compare(&xtask::documents(), &xtask::documents_dir())
        .expect("the documents can be read");
    assert!(report.is_fresh(), "\n{report}");
}
