//! Fixes over whole registries: what is mended, and that nothing else changes.

use agentry::Kind;
use agentry_check::fix::{self, Mended, Which};
use agentry_check::policy::Policy;
use agentry_check::{Checked, Checker, Input, walk};
use agentry_tests::{files, kind_of, registries, root, shared};
use agentry_text::{Format, Severity, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How many mutated texts are mended.
const TEXTS: u64 = 500;

fn check(kind: Kind, format: Format, text: &str) -> Checked {
    Checker::default().check(&Input { path: None, kind: Some(kind), contract: None, format, text })
}

fn mend(kind: Kind, format: Format, text: &str, which: Which) -> Mended {
    fix::mend(text, which, &mut |text| check(kind, format, text))
}

/// How often each of some things is there.
fn counted<T: Ord>(things: impl IntoIterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    for thing in things {
        *counts.entry(thing).or_default() += 1;
    }
    counts
}

#[test]
fn every_integration_whose_instructions_were_swallowed_is_repaired() {
    let Some(registry) = shared("corpus/librefang-registry") else { return };
    let folder = tempfile::tempdir().unwrap();
    let names = files(&registry.join("mcp"), &[], "toml");
    assert!(names.len() >= 33, "{}", names.len());
    fs::create_dir(folder.path().join("mcp")).unwrap();
    for name in &names {
        fs::write(folder.path().join("mcp").join(name), fs::read(registry.join("mcp").join(name)).unwrap())
            .unwrap();
    }
    let outcome = walk::run(&[folder.path().to_owned()], None);
    for report in &outcome.files {
        let mended =
            fix::mend_report(report, Which::Safe, &mut Policy::default()).expect("something to mend");
        assert_eq!((mended.applied.len(), mended.refused.len()), (1, 0), "{}", report.path.display());
        fix::write(&report.path, &report.text, &mended.text).unwrap();
    }
    for name in &names {
        let old = fs::read_to_string(registry.join("mcp").join(name)).unwrap();
        let new = fs::read_to_string(folder.path().join("mcp").join(name)).unwrap();
        let mut value: toml::Table = old.parse().unwrap();
        let inside =
            value["health_check"].as_table_mut().and_then(|table| table.remove("setup_instructions"));
        value.insert("setup_instructions".to_owned(), inside.expect("they were swallowed"));
        assert_eq!(new.parse::<toml::Table>().unwrap(), value, "{name}: the value is the same but for that");
        let integration: agentry::Integration = agentry_text::toml::from_str(&new).unwrap();
        assert!(integration.setup_instructions.is_some(), "{name}: they are read at the root");
        // The lines are the same, and in the same order but for the block and the empty line above it.
        let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(counted(lines(&old)), counted(lines(&new)), "{name}");
        let block = |text: &str| {
            let start = text.find("setup_instructions").unwrap();
            let end = start + text[start..].find("\"\"\"\n\n").unwrap() + 5;
            (text[start..end].to_owned(), format!("{}{}", &text[..start], &text[end..]))
        };
        let ((old_block, old_rest), (new_block, new_rest)) = (block(&old), block(&new));
        assert_eq!(old_block, new_block, "{name}");
        assert_eq!(old_rest, new_rest, "{name}");
    }
    let after = walk::run(&[folder.path().to_owned()], None);
    let swallowed = after.files.iter().flat_map(|file| &file.checked.findings);
    assert_eq!(swallowed.filter(|finding| finding.rule.name == "misplaced-key").count(), 0);
    for report in &after.files {
        assert!(fix::mend_report(report, Which::Safe, &mut Policy::default()).is_none(), "once is enough");
    }
}

/// Numbers that look drawn at random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % end.max(1)
    }
}

/// A text with one fault of the kinds that people make, somewhere.
fn mutated(text: &str, format: Format, numbers: &mut Numbers) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let at = numbers.below(lines.len());
    let sign = if format == Format::Toml { " = " } else { ": " };
    let line = lines[at].clone();
    let found = line.split_once(sign).map(|(key, value)| (key.to_owned(), value.trim_end().to_owned()));
    match (numbers.below(11), found) {
        // A line that lands somewhere else, alone or with those around it.
        (0 | 1, _) => {
            let moved: Vec<String> = lines.drain(at..(at + 1 + numbers.below(3)).min(lines.len())).collect();
            let to = numbers.below(lines.len() + 1);
            lines.splice(to..to, moved);
        }
        (2, Some((key, value))) => lines[at] = format!("{}{sign}{value}\n", key.replace('_', "-")),
        (3, Some((key, value))) => lines[at] = format!("{}{sign}{value}\n", key.to_uppercase()),
        (4, Some((key, value))) if key.len() > 4 && key.is_ascii() => {
            lines[at] = format!("{}{sign}{value}\n", &key[..key.len() - 1]);
        }
        (5, Some((key, value))) => lines[at] = format!("{key}{sign}\"{}\"\n", value.trim_matches('"')),
        (6, Some((key, value))) => lines[at] = format!("{key}{sign}{}\n", value.trim_matches(['"', '\''])),
        (7, Some((key, value))) if value.bytes().all(|byte| byte.is_ascii_digit()) => {
            lines[at] = format!("{key}{sign}{value}.0\n");
        }
        (8, Some((key, value))) if value.starts_with('"') && value.ends_with('"') && value.len() > 2 => {
            lines[at] = format!("{key}{sign}\"{} \"\n", &value[1..value.len() - 1]);
        }
        (9, _) => lines.insert(at, "# a comment: with a colon\n".to_owned()),
        (_, Some((key, value))) => lines[at] = format!("{key}{sign}{value} # a comment\n"),
        _ => lines.insert(at, "\n".to_owned()),
    }
    lines.concat()
}

/// The values of a text that hold no others, whatever they are called and however they are written; none where the text
/// was taken apart wrongly.
fn leaves(checked_format: Format, text: &str) -> Option<BTreeMap<String, usize>> {
    fn gather(value: &Value, leaves: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| gather(item, leaves)),
            Value::Table(table) => table.values().for_each(|item| gather(item, leaves)),
            Value::Null => leaves.push("null".to_owned()),
            Value::Bool(flag) => leaves.push(flag.to_string()),
            Value::Integer(number) => leaves.push(number.to_string()),
            Value::Float(number) => leaves.push(number.to_string()),
            Value::String(text) => leaves.push(text.trim().to_owned()),
            Value::Datetime(datetime) => leaves.push(datetime.as_str().to_owned()),
        }
    }
    let document = match checked_format {
        Format::Toml => agentry_text::toml::parse(text),
        Format::Yaml => agentry_text::yaml::parse(text),
        Format::Json => agentry_text::json::parse(text),
        _ => agentry_text::front_matter::parse(text).document,
    };
    let root = document.root.filter(|_| !document.damaged)?;
    let mut found = Vec::new();
    gather(&Value::from(&root), &mut found);
    Some(counted(found))
}

fn comments(text: &str) -> BTreeMap<String, usize> {
    let own = text.lines().filter_map(|line| line.find('#').map(|at| line[at..].trim_end().to_owned()));
    counted(own)
}

#[test]
fn fixes_are_idempotent_break_nothing_and_change_nothing_else() {
    let mut texts: Vec<(String, Kind, Format, String)> = Vec::new();
    for (registry, without) in registries() {
        for ending in ["toml", "yaml", "json", "md"] {
            for path in files(&registry, without, ending) {
                let format = Format::from_name(ending).expect("a format");
                let kind = kind_of(&path).filter(|kind| kind.formats().contains(&format));
                let (Some(kind), Ok(text)) = (kind, fs::read_to_string(registry.join(&path))) else {
                    continue;
                };
                texts.push((path, kind, format, text));
            }
        }
    }
    assert!(texts.len() > 20, "{} from {}", texts.len(), root().display());
    let (mut applied, mut refused, mut invalid) = (0, 0, 0);
    for seed in 0..TEXTS {
        let mut numbers = Numbers(seed);
        let (path, kind, format, text) = &texts[numbers.below(texts.len())];
        let (kind, format) = (*kind, *format);
        let mut text = text.clone();
        for _ in 0..=numbers.below(3) {
            text = mutated(&text, format, &mut numbers);
        }
        match numbers.below(8) {
            0 => text = text.replace("\r\n", "\n").replace('\n', "\r\n"),
            1 if Path::new(path).extension().is_some_and(|ending| ending == "toml") => {
                text.insert(0, '\u{feff}');
            }
            _ => {}
        }
        let what = format!("text {seed}, from {path}:\n{text}");
        for which in [Which::Safe, Which::All] {
            let before = check(kind, format, &text);
            let mended = mend(kind, format, &text, which);
            applied += mended.applied.len();
            refused += mended.refused.len();
            if mended.applied.is_empty() {
                assert_eq!(mended.text, text, "{what}");
                continue;
            }
            let after = check(kind, format, &mended.text);
            invalid += usize::from(!before.is_valid() && after.is_valid());
            let now = format!("{what}\nbecame {:?}:\n{}", mended.applied, mended.text);
            assert!(after.is_valid() || !before.is_valid(), "a valid file stays valid: {now}");
            let again = mend(kind, format, &mended.text, which);
            assert_eq!((&again.text, again.applied.len()), (&mended.text, 0), "once is enough: {now}");
            assert_eq!(comments(&mended.text), comments(&text), "comments stay: {now}");
            let bare = |text: &str| text.matches('\n').count() - text.matches("\r\n").count();
            assert!(bare(&text) > 0 || bare(&mended.text) == 0, "line ends stay: {now}");
            assert_eq!(text.starts_with('\u{feff}'), mended.text.starts_with('\u{feff}'), "{now}");
            let (Some(old), Some(new)) = (leaves(format, &text), leaves(format, &mended.text)) else {
                continue;
            };
            // What may differ is a value that a fix writes anew.
            let other =
                new.iter().map(|(leaf, count)| count.saturating_sub(old.get(leaf).copied().unwrap_or(0)));
            let other: usize = other.sum();
            let written = mended
                .applied
                .iter()
                .filter(|note| !note.title.starts_with("move") && !note.title.starts_with("rename"));
            assert!(other <= written.count(), "other values stay: {now}");
            let errors = |checked: &Checked| checked.count(Severity::Error);
            assert!(errors(&after) <= errors(&before), "{now}");
        }
    }
    assert!(applied > 150 && invalid > 40, "{applied} applied, {refused} refused, {invalid} made valid");
    eprintln!("{TEXTS} texts: {applied} fixes applied, {refused} refused, {invalid} files made valid");
}
