//! The schemas of this workspace, each compared with itself, as it is and in other words.
//!
//! `cargo test --release -p agentry-diff --test own_documents -- --nocapture` prints how long that took.

use agentry_diff::{Options, Verdict, compare};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Far above what a release build takes, on a busy machine and without it.
const LONGEST: Duration = Duration::from_secs(20);

fn schemas(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            schemas(&path, found);
        } else if path.to_string_lossy().ends_with(".schema.json") {
            found.push(path);
        }
    }
}

#[test]
fn each_of_our_documents_means_the_same_in_other_words() {
    let mut paths = Vec::new();
    schemas(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas"), &mut paths);
    assert!(paths.len() > 100, "{} schemas", paths.len());
    let (count, mut alike, mut reworded) = (paths.len(), Duration::ZERO, Duration::ZERO);
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a file");
        let old: Value = serde_json::from_str(&text).expect("JSON");
        let mut new = old.clone();
        let started = Instant::now();
        let same = compare(&old, &new, &Options::default());
        alike += started.elapsed();
        assert_eq!((&same.backward, &same.forward), (&Verdict::Yes, &Verdict::Yes), "{}", path.display());
        // Without a difference, the texts alone would decide it.
        new["description"] = "In other words.".into();
        let started = Instant::now();
        let comparison = compare(&old, &new, &Options::default());
        reworded += started.elapsed();
        assert_eq!(comparison.backward, Verdict::Yes, "{}", path.display());
        assert_eq!(comparison.forward, Verdict::Yes, "{}", path.display());
        let effects: Vec<&str> = comparison.changes.iter().map(|change| change.effect.name()).collect();
        assert_eq!(effects, ["documentation"], "{}", path.display());
    }
    println!("{count} schemas: {alike:?} as they are, {reworded:?} in other words");
    assert!(alike + reworded < LONGEST, "{alike:?} {reworded:?}");
}
