//! Registries that look like none of the published ones: other ids and folders, other languages, kinds that are missing,
//! tools of another runtime. Whatever is said of them must be true.

use agentry_check::walk;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Everything that is said of the registries, and why it is true.
const TRUE: &[(&str, usize, &str, &str)] = &[(
    "図書館/館内/skills/furigana/skill.toml",
    21,
    "dropped-key",
    "the hint is about one runtime, which reads another key than `[prompt]`",
)];

fn registries() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/other-registries")
}

/// The files of a folder, by their paths from its top with `/`: hidden ones too.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(&here).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).expect("a path below").to_string_lossy().replace('\\', "/");
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
    found
}

fn ending(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}

fn as_it_is(_: &str, text: &[u8]) -> Vec<u8> {
    text.to_vec()
}

fn with_crlf(path: &str, text: &[u8]) -> Vec<u8> {
    // A script is told by its hash.
    if ending(path) == "py" {
        return text.to_vec();
    }
    let text = String::from_utf8(text.to_vec()).expect("a text");
    text.replace('\n', "\r\n").into_bytes()
}

fn with_mark(path: &str, text: &[u8]) -> Vec<u8> {
    // JSON has no room for it.
    if ["py", "json"].contains(&ending(path)) {
        return text.to_vec();
    }
    [b"\xEF\xBB\xBF", text].concat()
}

/// What is said of the registries, written in another way, by path, line and rule, with the message.
fn said(name: &str, rewrite: fn(&str, &[u8]) -> Vec<u8>) -> Vec<(String, usize, String, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files(&registries()) {
        let at = folder.path().join(&path);
        fs::create_dir_all(at.parent().expect("a parent")).expect("a folder");
        fs::write(&at, rewrite(&path, &text)).expect("written");
    }
    let outcome = walk::run(&[folder.path().to_owned()], None);
    assert!(outcome.errors.is_empty(), "{name}: {:?}", outcome.errors);
    let mut said = Vec::new();
    for file in &outcome.files {
        let path =
            file.path.strip_prefix(folder.path()).expect("a path below").to_string_lossy().replace('\\', "/");
        for finding in &file.checked.findings {
            let before = &file.text[..finding.span.start];
            let line = before.matches('\n').count() + 1;
            said.push((path.clone(), line, finding.rule.name.to_owned(), finding.message.clone()));
        }
    }
    said
}

#[test]
fn other_registries_get_no_false_finding() {
    type Rewrite = fn(&str, &[u8]) -> Vec<u8>;
    let ways: [(&str, Rewrite); 3] =
        [("as they are", as_it_is), ("with CRLF", with_crlf), ("with a byte order mark", with_mark)];
    for (name, rewrite) in ways {
        let said = said(name, rewrite);
        let is_true = |(path, line, rule, _): &(String, usize, String, String)| {
            TRUE.iter().any(|one| (one.0, one.1, one.2) == (path.as_str(), *line, rule.as_str()))
        };
        let false_ones: Vec<_> = said.iter().filter(|one| !is_true(one)).collect();
        assert!(false_ones.is_empty(), "{name}: {false_ones:#?}");
        for (path, line, rule, _) in TRUE {
            let found =
                said.iter().any(|one| (one.0.as_str(), one.1, one.2.as_str()) == (*path, *line, *rule));
            assert!(found, "{name}: {rule} is not found in {path}:{line}");
        }
    }
}

/// That nothing is found means something only where the files were read as what they are.
#[test]
fn every_file_is_told_for_what_it_is() {
    let outcome = walk::run(&[registries()], None);
    let kinds: BTreeMap<&str, usize> =
        outcome.kinds().into_iter().map(|(kind, count)| (kind.name(), count)).collect();
    let missing: Vec<&str> =
        agentry::Kind::ALL.iter().map(|kind| kind.name()).filter(|kind| !kinds.contains_key(kind)).collect();
    assert!(missing.is_empty(), "no file of {missing:?}");
    let strangers =
        ["mkdocs.yml", "package.json", "compose.yaml", "pyproject.toml", "lahn.toml", "README.md"];
    for file in &outcome.files {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        assert!(!strangers.contains(&name.as_str()), "{name} is no manifest");
    }
}
