//! The same input gives the same bytes, whatever the number of threads and the language of whoever asks.

mod support;

use std::fmt::Write as _;
use std::process::Output;
use support::{PROVIDER, agentry, agentry_amid, registry, text};

/// What may differ between two machines.
const SURROUNDINGS: &[&[(&str, &str)]] = &[
    &[("RAYON_NUM_THREADS", "1")],
    &[("RAYON_NUM_THREADS", "3")],
    &[("RAYON_NUM_THREADS", "16")],
    &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8")],
    &[("LC_ALL", "C"), ("LANG", "C")],
    &[("LC_ALL", "de_DE.ISO-8859-1"), ("TZ", "Asia/Kathmandu")],
];

const FORMATS: [&str; 6] = ["human", "json", "jsonl", "sarif", "github", "junit"];

/// The status and everything that is printed.
fn whole(output: &Output) -> String {
    format!("{:?}\n{}{}", output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn reports_do_not_depend_on_threads_or_language() {
    // Many files with many faults, so that threads have something to finish in another order.
    let mut files: Vec<(String, String)> = Vec::new();
    for index in 0..60 {
        let mut provider = PROVIDER.replace("\"acme\"", &format!("\"acme-{}\"", index / 2));
        for key in 0..index % 7 {
            let _ = writeln!(provider, "unknown_{key} = {index}");
        }
        files.push((format!("providers/acme-{index}.toml"), provider));
        files.push((
            format!("agents/helper-{index}/agent.toml"),
            format!("name = \"Helper {index}\"\nversion = {index}\n"),
        ));
    }
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let folder = registry(&files);
    for format in FORMATS {
        let arguments = ["check", ".", "--format", format];
        let usual = whole(&agentry(&arguments, folder.path()));
        assert!(usual.len() > 5_000, "{format} says little:\n{usual}");
        for surroundings in SURROUNDINGS {
            let other = whole(&agentry_amid(surroundings, &arguments, folder.path()));
            assert!(usual == other, "{format} with {surroundings:?} differs:\n{usual}\n{other}");
        }
    }
}

#[test]
fn what_is_printed_does_not_depend_on_language() {
    let folder = registry(&[]);
    for arguments in [
        &["schema", "provider"][..],
        &["schema", "package", "--draft", "07"],
        &["schema", "hand", "--draft", "dsl"],
        &["kinds"],
        &["new", "provider", "acme"],
        &["explain", "unknown-key"],
    ] {
        let usual = whole(&agentry(arguments, folder.path()));
        for surroundings in SURROUNDINGS {
            assert_eq!(
                usual,
                whole(&agentry_amid(surroundings, arguments, folder.path())),
                "{arguments:?} {surroundings:?}"
            );
        }
    }
}
