//! Nothing is lost: what is read and written reads as the same value, and so do keys that nobody knows.

use agentry::{Kind, Manifest, Mode, Reading, Severity};
use agentry_tests::{files, is_a_place, kind_of, registries, root};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// A key that no kind has.
const PLANTED: &str = "zz_unknown";

/// A manifest of a registry.
struct File {
    name: String,
    kind: Kind,
    text: String,
}

/// Every TOML manifest of every registry. A file in a folder that some kind lives in belongs to a kind.
fn manifests() -> Vec<File> {
    let mut manifests = Vec::new();
    let mut homeless = Vec::new();
    for (folder, without) in registries() {
        for path in files(&folder, without, "toml") {
            let name = format!("{}/{path}", folder.file_name().unwrap_or_default().display());
            match kind_of(&path) {
                Some(kind) => {
                    let text = std::fs::read_to_string(folder.join(&path))
                        .unwrap_or_else(|error| panic!("{name}: {error}"));
                    manifests.push(File { name, kind, text });
                }
                None if is_a_place(&path) => homeless.push(name),
                None => println!("no kind lives there: {name}"),
            }
        }
    }
    assert!(homeless.is_empty(), "files of no kind in the folder of one:\n{}", homeless.join("\n"));
    manifests
}

fn read(kind: Kind, text: &str) -> Reading<Manifest> {
    kind.read(&agentry::toml::parse(text), Mode::Strict)
}

/// Reads, writes and reads again; the value, or why the two differ.
fn round_trip(file: &File, text: &str) -> Result<Manifest, String> {
    let first = read(file.kind, text);
    let errors: String = first.findings.iter().filter(|finding| finding.severity == Severity::Error).fold(
        String::new(),
        |mut errors, finding| {
            let _ =
                write!(errors, "\n    {} at `{}`: {}", finding.rule.name, finding.pointer, finding.message);
            errors
        },
    );
    let Some(value) = first.value.filter(|_| errors.is_empty()) else {
        return Err(format!("it is not read:{errors}"));
    };
    let written = agentry::toml::to_string(&value).map_err(|error| format!("it is not written: {error}"))?;
    match read(file.kind, &written).value {
        Some(again) if again == value => Ok(value),
        Some(again) => Err(format!("it differs:\n{}", differences(&value, &again))),
        None => Err(format!("what is written is not read:\n{written}")),
    }
}

/// The lines of the two values that differ.
fn differences(first: &Manifest, second: &Manifest) -> String {
    let (first, second) = (format!("{first:#?}"), format!("{second:#?}"));
    let pairs = first.lines().zip(second.lines()).filter(|(first, second)| first != second);
    let lines: Vec<String> =
        pairs.take(5).map(|(first, second)| format!("    - {first}\n    + {second}")).collect();
    lines.join("\n")
}

fn report(faults: &[String], good: usize) {
    assert!(faults.is_empty(), "{} of {} files:\n{}", faults.len(), faults.len() + good, faults.join("\n"));
}

#[test]
fn every_file_reads_as_it_was_written() {
    let mut faults = Vec::new();
    let mut good: BTreeMap<Kind, usize> = BTreeMap::new();
    for file in manifests() {
        match round_trip(&file, &file.text) {
            Ok(_) => *good.entry(file.kind).or_default() += 1,
            Err(fault) => faults.push(format!("{} ({}): {fault}", file.name, file.kind)),
        }
    }
    report(&faults, good.values().sum());
    for kind in Kind::ALL {
        let count = good.get(kind).copied().unwrap_or_default();
        println!("{kind}: {count} files");
        let examples = root().join("examples/registry");
        let home = kind
            .paths()
            .iter()
            .filter(|place| Path::new(place).extension().is_some_and(|ending| ending == "toml"))
            .find(|place| examples.join(place.split('/').next().unwrap_or(place)).exists());
        assert!(count > 0 || home.is_none(), "no file is a `{kind}`, and there is a place for it: {home:?}");
    }
}

#[test]
fn unknown_keys_are_kept_in_every_table() {
    let mut faults = Vec::new();
    let mut good = 0;
    for file in manifests() {
        match keeps_unknown_keys(&file) {
            Ok(()) => good += 1,
            Err(fault) => faults.push(format!("{} ({}): {fault}", file.name, file.kind)),
        }
    }
    report(&faults, good);
}

/// Plants the unknown key in every table, and looks for it in what is read, written, read and written again.
///
/// Where the author chooses the keys, the planted one is an entry like any other and may be refused: a fault is
/// then found at or below it. Where a table is closed, the key itself is the fault. Both are taken out again:
/// what is refused is not lost in silence. Elsewhere nothing may be found but that the key is unknown.
fn keeps_unknown_keys(file: &File) -> Result<(), String> {
    let document: toml::Table = file.text.parse().map_err(|error| format!("no TOML: {error}"))?;
    let mut places = Vec::new();
    tables(&toml::Value::Table(document.clone()), "", &mut places);
    let all = places.len();

    let below = format!("/{PLANTED}");
    let refused: Vec<String> = read(file.kind, &planted(&document, &places)?)
        .findings
        .into_iter()
        .filter(|finding| finding.severity == Severity::Error)
        .filter_map(|finding| {
            if finding.key.as_deref() == Some(PLANTED) {
                return Some(finding.pointer);
            }
            let (place, rest) = finding.pointer.split_once(&below)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| place.to_owned())
        })
        .collect();
    places.retain(|place| !refused.contains(place));

    let text = planted(&document, &places)?;
    let value = round_trip(file, &text)?;
    let written = agentry::toml::to_string(&value).map_err(|error| format!("it is not written: {error}"))?;
    let found: toml::Table = written.parse().map_err(|error| format!("written as no TOML: {error}"))?;
    let kept = count_planted(&toml::Value::Table(found));
    if kept != places.len() {
        return Err(format!("of {} planted keys in {all} tables {kept} are left:\n{written}", places.len()));
    }
    // A reader that takes every table for one whose keys the author chooses would pass without a key planted.
    if places.is_empty() && all > 1 {
        return Err(format!("none of {all} tables takes an unknown key"));
    }
    Ok(())
}

/// The JSON pointers of all tables.
fn tables(value: &toml::Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        toml::Value::Table(table) => {
            found.push(pointer.to_owned());
            for (key, value) in table {
                let key = key.replace('~', "~0").replace('/', "~1");
                tables(value, &format!("{pointer}/{key}"), found);
            }
        }
        toml::Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                tables(item, &format!("{pointer}/{index}"), found);
            }
        }
        _ => {}
    }
}

/// The document with the unknown key planted at these places.
fn planted(document: &toml::Table, places: &[String]) -> Result<String, String> {
    let mut value = toml::Value::Table(document.clone());
    plant(&mut value, "", places);
    toml::to_string(&value).map_err(|error| format!("the planted document is not written: {error}"))
}

fn plant(value: &mut toml::Value, pointer: &str, places: &[String]) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table.iter_mut() {
                let key = key.replace('~', "~0").replace('/', "~1");
                plant(value, &format!("{pointer}/{key}"), places);
            }
            if places.iter().any(|place| place == pointer) {
                table.insert(PLANTED.to_owned(), unknown());
            }
        }
        toml::Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                plant(item, &format!("{pointer}/{index}"), places);
            }
        }
        _ => {}
    }
}

/// `{ a = [1, "x", 2026-01-01] }`: a table, a list, and a value of each sort that other formats lack or change.
fn unknown() -> toml::Value {
    let date = "2026-01-01".parse().expect("a TOML date");
    let items = vec![1.into(), "x".into(), toml::Value::Datetime(date)];
    toml::Value::Table(toml::Table::from_iter([("a".to_owned(), toml::Value::Array(items))]))
}

/// How many planted keys there are with the planted value.
fn count_planted(value: &toml::Value) -> usize {
    match value {
        toml::Value::Table(table) => table
            .iter()
            .map(
                |(key, value)| {
                    if key == PLANTED { usize::from(*value == unknown()) } else { count_planted(value) }
                },
            )
            .sum(),
        toml::Value::Array(items) => items.iter().map(count_planted).sum(),
        _ => 0,
    }
}
