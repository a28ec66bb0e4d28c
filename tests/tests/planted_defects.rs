//! Defects that are planted in generated registries: each is found where it is, and nothing else is.

use agentry_check::walk;
use agentry_tests::planted::{Registry, Style};

#[test]
fn a_generated_registry_has_no_finding() {
    let seeds: Vec<u64> = (0..60).collect();
    let mut files = 0;
    let mut said = Vec::new();
    for seed in seeds {
        let folder = tempfile::tempdir().expect("a folder");
        let registry = Registry::small(seed);
        registry.write(folder.path(), Style::Varied).expect("written");
        let outcome = walk::run(&[folder.path().to_owned()], None);
        assert_eq!(outcome.files.len() + outcome.errors.len(), registry.manifests.len(), "seed {seed}");
        files += outcome.files.len();
        for file in &outcome.files {
            for finding in &file.checked.findings {
                let line = file.text[..finding.span.start.min(file.text.len())].matches('\n').count() + 1;
                said.push(format!(
                    "seed {seed}: {}:{line}: {} {} {}: {}",
                    file.path.strip_prefix(folder.path()).unwrap_or(&file.path).display(),
                    finding.severity.name(),
                    finding.rule.name,
                    finding.pointer,
                    finding.message
                ));
            }
        }
    }
    assert!(said.is_empty(), "{} findings in {files} files:\n{}", said.len(), said.join("\n"));
}
