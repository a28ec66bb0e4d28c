//! The package example turns every format into every other one.

use std::path::Path;
use std::process::{Command, Output};

fn convert(from: &Path, to: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_package")).arg(from).arg(to).output().expect("it starts")
}

#[test]
fn every_format_becomes_every_other_one() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("packages");
    for to in ["toml", "yaml", "json"] {
        let written: Vec<_> = ["toml", "yaml", "json"]
            .map(|from| convert(&examples.join(format!("complete-{from}/agent.{from}")), to))
            .into_iter()
            .map(|output| {
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                String::from_utf8(output.stdout).expect("text")
            })
            .collect();
        assert!(written[0].contains("complete"), "{}", written[0]);
        assert!(written.iter().all(|text| *text == written[0]), "{to}: {written:?}");
    }
}

#[test]
fn what_is_no_package_is_refused() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("packages");
    assert_eq!(convert(&examples.join("README.md"), "json").status.code(), Some(1));
    assert_eq!(convert(&examples.join("minimal-json/agent.json"), "md").status.code(), Some(1));
}
