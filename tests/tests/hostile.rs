//! Real files, damaged at random with a fixed seed: whatever comes in, findings come out.

use agentry::Kind;
use agentry_check::walk::{FileReport, Outcome};
use agentry_check::{Checker, Input, report};
use agentry_tests::{files, registries};
use agentry_text::Format;
use std::path::PathBuf;

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

#[test]
fn damaged_files_end_in_findings_and_render() {
    let mut random = Random(0x5eed_a9e1_7e57_0001);
    let mut judged = 0;
    for (registry, without) in registries() {
        for path in files(&registry, without, "toml") {
            let path = registry.join(path);
            let text = std::fs::read_to_string(&path).expect("a manifest is text");
            for _ in 0..2 {
                let damaged = damage(&text, &mut random);
                judge(&path, &damaged);
                judged += 1;
            }
        }
    }
    assert!(judged > 100, "only {judged} damaged files: where are the examples?");
    println!("{judged} damaged files judged");
}

fn judge(path: &std::path::Path, text: &str) {
    let kind = Kind::ALL.iter().copied().find(|kind| path.to_string_lossy().contains(kind.name()));
    for kind in [None, kind] {
        let checked = Checker::default().check(&Input {
            path: Some(path),
            kind,
            contract: None,
            format: Format::Toml,
            text,
        });
        for finding in &checked.findings {
            assert!(finding.span.end <= text.len(), "{}: {finding:?}", path.display());
        }
        let file = FileReport::new(PathBuf::from("x.toml"), text.to_owned(), checked);
        let outcome = Outcome { files: vec![file], ..Outcome::default() };
        let mut out = Vec::new();
        report::human::write(&outcome, true, &mut out).expect("it renders");
        report::json::write(&outcome, &mut out).expect("it renders");
        report::sarif::write(&outcome, std::path::Path::new("."), &mut out).expect("it renders");
        report::github::write(&outcome, std::path::Path::new("."), &mut out).expect("it renders");
        report::junit::write(&outcome, std::path::Path::new("."), &mut out).expect("it renders");
        assert!(!out.is_empty());
    }
}
