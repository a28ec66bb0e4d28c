//! Real files, damaged at random with a fixed seed, as text and as trees: whatever comes in, findings come out, at places
//! of the text, not without bound, and every report and every fix can be written.

use agentry::Kind;
use agentry_check::fix::{self, Which};
use agentry_check::walk::{FileReport, Outcome};
use agentry_check::{Checked, Checker, Input, report};
use agentry_tests::laws::{Subject, mutations, text as texts};
use agentry_tests::{files, kind_of, one_in, registries, root, share, shared};
use agentry_text::{Format, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A small generator of our own: the same damage on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // Xorshift: quality is no concern, repeatability is.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).expect("below the bound")
    }

    fn pick<'p>(&mut self, pieces: &[&'p str]) -> &'p str {
        pieces[self.below(pieces.len())]
    }
}

const PIECES: [&str; 24] = [
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    "=",
    ".",
    "\n",
    "\r\n",
    "#",
    "\\u",
    "nan",
    "-1",
    "1e999",
    "2026-13-40",
    "\u{0}",
    "\u{202e}",
    "ü🦀",
    "{{",
    "$schema = 1\n",
];

fn damage(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(4) {
        let mut at = random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let mut end = (at + random.below(40)).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        match random.below(4) {
            0 => text.insert_str(at, random.pick(&PIECES)),
            1 => text.replace_range(at..end.max(at), ""),
            2 => text.replace_range(at..end.max(at), random.pick(&PIECES)),
            _ => {
                let piece = text[at..end.max(at)].to_owned();
                let mut to = random.below(text.len() + 1);
                while !text.is_char_boundary(to) {
                    to -= 1;
                }
                text.insert_str(to, &piece);
            }
        }
    }
    text
}

/// What one text may draw, however bad it is: as many findings as a reader gives, as many as a parser gives, and those of
/// rules that look at every line.
const MOST_FINDINGS: usize = 1_000;

/// A file that somebody wrote.
struct File {
    path: PathBuf,
    kind: Option<Kind>,
    format: Format,
    text: String,
}

/// Every file of every registry and package there is, in every format.
fn real_files() -> Vec<File> {
    let mut folders = registries();
    folders.push((root().join("examples/packages"), &[]));
    folders.extend(shared("corpus").map(|folder| (folder, &["librefang-registry"][..])));
    let mut found = Vec::new();
    for (folder, without) in folders {
        for (ending, format) in [
            ("toml", Format::Toml),
            ("yaml", Format::Yaml),
            ("yml", Format::Yaml),
            ("json", Format::Json),
            ("md", Format::Markdown),
        ] {
            for path in files(&folder, without, ending) {
                let kind = if folder.ends_with("packages") { Some(Kind::Package) } else { kind_of(&path) };
                let path = folder.join(&path);
                // Not every file of a corpus is one of ours, or text.
                let Ok(text) = std::fs::read_to_string(&path) else { continue };
                let kind = kind.filter(|kind| kind.formats().contains(&format));
                if text.len() < 40_000 {
                    found.push(File { path, kind, format, text });
                }
            }
        }
    }
    // Of a large corpus every so many, so that a run stays short.
    let step = found.len().div_ceil(share(600)).max(1);
    found.into_iter().step_by(step).collect()
}

#[test]
fn damaged_files_end_in_findings_and_render() {
    let mut random = Random(0x5eed_a9e1_7e57_0001);
    let mut judged: BTreeMap<&str, usize> = BTreeMap::new();
    for file in real_files() {
        let damaged = damage(&file.text, &mut random);
        for kind in [None, file.kind] {
            judge(&file.path, kind, file.format, &damaged);
        }
        *judged.entry(file.format.name()).or_default() += 1;
    }
    println!("damaged files judged: {judged:?}");
    assert!(
        judged.len() == 4 && judged.values().all(|count| *count > 1) || one_in() > 1,
        "{judged:?}: where are the examples?"
    );
}

#[test]
fn changed_documents_end_in_findings_and_render() {
    let subjects: BTreeMap<Kind, Subject> =
        Kind::ALL.iter().map(|kind| (*kind, Subject::kind(*kind))).collect();
    let mut judged: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, file) in real_files().into_iter().enumerate() {
        let Some(kind) = file.kind else { continue };
        let Some(root) = texts::parse(file.format, &file.text).root else { continue };
        let Ok(document) = serde_json::to_value(Value::from(&root)) else { continue };
        for changed in mutations(&subjects[&kind], &document, 2, index as u64) {
            let tree = texts::parse(Format::Json, &changed.to_string());
            let Some(changed) = tree.root.as_ref().map(Value::from) else { continue };
            let Some(text) = texts::write(file.format, &changed) else { continue };
            judge(&file.path, Some(kind), file.format, &text);
            *judged.entry(kind.name()).or_default() += 1;
        }
    }
    println!("changed documents judged: {judged:?}");
    assert!(judged.len() == Kind::ALL.len() || one_in() > 1, "not every kind has files: {judged:?}");
}

fn judge(path: &Path, kind: Option<Kind>, format: Format, text: &str) {
    let check = |text: &str| {
        let checked =
            Checker::default().check(&Input { path: Some(path), kind, contract: None, format, text });
        bounded(path, text, &checked);
        checked
    };
    let checked = check(text);
    let mended = fix::mend(text, Which::All, &mut |text| check(text));
    let file = FileReport::new(PathBuf::from("x.toml"), text.to_owned(), checked);
    let mut out = Vec::new();
    fix::write_diff(&file, &mended, &mut out).expect("it renders");
    let outcome = Outcome { files: vec![file], ..Outcome::default() };
    report::human::write(&outcome, true, &mut out).expect("it renders");
    report::json::write(&outcome, &mut out).expect("it renders");
    report::sarif::write(&outcome, Path::new("."), &mut out).expect("it renders");
    report::github::write(&outcome, Path::new("."), &mut out).expect("it renders");
    report::junit::write(&outcome, Path::new("."), &mut out).expect("it renders");
    assert!(!out.is_empty());
}

/// Every finding is at a place of the text, and there are not too many.
fn bounded(path: &Path, text: &str, checked: &Checked) {
    let path = path.display();
    assert!(checked.findings.len() <= MOST_FINDINGS, "{path}: {} findings", checked.findings.len());
    for finding in &checked.findings {
        let spans = finding.related.iter().map(|label| label.span).chain([finding.span]);
        for span in spans {
            let inside = span.start <= span.end && span.end <= text.len();
            let whole = inside && text.is_char_boundary(span.start) && text.is_char_boundary(span.end);
            assert!(whole, "{path}: {finding:?}\n{text}");
        }
    }
}
