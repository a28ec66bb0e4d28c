//! Secrets are never printed. A credential is planted in every text that a manifest of any kind can hold, the names of
//! the author's keys among them, and a secret of no shape in every key that holds one; then everything that a person
//! could be shown is searched for it.

use agentry::Kind;
use agentry_check::fix::{self, Which};
use agentry_check::walk::{FileReport, Outcome};
use agentry_check::{Checked, Checker, Input, report, service};
use agentry_tests::laws::{Planted, Subject, plant, text};
use agentry_text::{Document, Format, Mode, Value};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Credentials by their shape, put together here so that no scanner takes them for somebody's. With each, the part of it
/// that must not be seen anywhere.
fn credentials() -> Vec<(String, &'static str)> {
    const DRAWN: &str = "q7Rt2Kp9Lw4Zx8Vb1Nm6";
    vec![
        (format!("sk-{DRAWN}"), DRAWN),
        (format!("ghp_{DRAWN}Hj3"), DRAWN),
        (format!("https://ada:{DRAWN}@mcp.example.com/mcp"), DRAWN),
        (format!("Bearer {DRAWN}"), DRAWN),
        (format!("use AKIA{} for it", "Q7RT2KP9LW4ZX8VB"), "Q7RT2KP9LW4ZX8VB"),
        (format!("--token={DRAWN}"), DRAWN),
    ]
}

/// A secret that nothing but its key tells.
const PLAIN_SECRET: &str = "mellow otter seventeen";

/// A text that is no secret.
const ORDINARY: &str = "zz-ordinary";

/// What a person can be shown of a text, by what it is called.
type Shows = fn(Kind, Format, &str) -> Vec<(&'static str, String)>;

/// The value and the findings alone.
fn value_and_findings(kind: Kind, format: Format, text: &str) -> Vec<(&'static str, String)> {
    let checked = check(kind, format, text);
    let mut shown = of_findings(&checked);
    shown.push(("the value for debugging", format!("{:?}", checked.manifest)));
    shown
}

fn check(kind: Kind, format: Format, text: &str) -> Checked {
    let input = Input { path: None, kind: Some(kind), contract: None, format, text };
    Checker::default().optional(true).check(&input)
}

/// Everything that a person can be shown of a text, by what it is called.
fn everything(kind: Kind, format: Format, text: &str) -> Vec<(&'static str, String)> {
    let check = |text: &str| check(kind, format, text);
    let checked = check(text);
    let mut shown = of_findings(&checked);
    shown.push(("the value for debugging", format!("{:?}", checked.manifest)));
    shown.push(("what was checked, for debugging", format!("{checked:?}")));
    let document = text::parse(format, text);
    shown.push(("the tree for debugging", format!("{document:?}")));
    shown
        .push(("the findings of the reader", format!("{:?}", kind.read(&document, Mode::Tolerant).findings)));
    shown.extend(errors(kind, &document, text));

    let mended = fix::mend(text, Which::All, &mut |text| check(text));
    for note in mended.applied.iter().chain(&mended.refused) {
        shown.push(("the note on a fix", format!("{note:?}")));
    }
    let file = FileReport::new(PathBuf::from("x/manifest"), text.to_owned(), checked);
    let mut out = Vec::new();
    fix::write_diff(&file, &mended, &mut out).expect("it renders");
    shown.push(("the difference", String::from_utf8_lossy(&out).into_owned()));

    let outcome = Outcome { files: vec![file], ..Outcome::default() };
    let here = Path::new(".");
    let mut render = |name: &'static str, write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
        let mut out = Vec::new();
        write(&mut out).expect("it renders");
        shown.push((name, String::from_utf8(out).expect("a report is text")));
    };
    render("the report for people", &|out| report::human::write(&outcome, true, out));
    render("the JSON report", &|out| report::json::write(&outcome, out));
    render("the report in lines", &|out| report::json::write_lines(&outcome, out));
    render("the SARIF report", &|out| report::sarif::write(&outcome, here, out));
    render("the report for GitHub", &|out| report::github::write(&outcome, here, out));
    render("the JUnit report", &|out| report::junit::write(&outcome, here, out));
    let request =
        json!({ "id": "1", "kind": kind.name(), "format": format.name(), "text": text }).to_string();
    render("the answer to a line", &|out| service::run(request.as_bytes(), out).map(drop));
    shown
}

fn of_findings(checked: &Checked) -> Vec<(&'static str, String)> {
    let mut shown = Vec::new();
    for finding in &checked.findings {
        shown.push(("a message", finding.message.clone()));
        shown.push(("a label", finding.label.clone()));
        shown.push(("a help", finding.help.clone().unwrap_or_default()));
        shown.push(("a finding for debugging", format!("{finding:?}")));
        shown.extend(finding.related.iter().map(|label| ("a related place", label.message.clone())));
        shown.extend(finding.fix.iter().map(|fix| ("the title of a fix", fix.title.clone())));
    }
    shown
}

/// The error of whoever reads strictly.
fn errors(kind: Kind, document: &Document, text: &str) -> Vec<(&'static str, String)> {
    match kind.read(document, Mode::Strict).into_result(text) {
        Ok(value) => vec![("the strict value for debugging", format!("{value:#?}"))],
        Err(error) => {
            vec![("the error", error.to_string()), ("the error for debugging", format!("{error:?}"))]
        }
    }
}

/// Does the work on every processor there is.
fn each<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}

/// The texts of a document in each format of its kind.
fn texts(kind: Kind, document: &Json) -> Vec<(Format, String)> {
    let tree = text::parse(Format::Json, &document.to_string());
    let Some(root) = &tree.root else { return Vec::new() };
    let value = Value::from(root);
    let formats = kind.formats().iter();
    formats.filter_map(|format| Some((*format, text::write(*format, &value)?))).collect()
}

#[derive(Default)]
struct Tally {
    documents: BTreeMap<&'static str, usize>,
    places: BTreeSet<String>,
    leaks: BTreeMap<String, String>,
    /// In how many documents it is seen in the value.
    visible: usize,
    /// In how many documents a message repeats it.
    spoken: usize,
    /// Where it is seen in neither.
    hidden: BTreeSet<String>,
}

/// Plants texts in every place of every kind, and looks for a part of them in all that is shown.
fn search(
    shown: Shows,
    which: impl Fn(&Planted) -> bool + Sync,
    text: impl Fn(usize) -> (String, &'static str) + Sync,
) -> Tally {
    let tally = Mutex::new(Tally::default());
    each(Kind::ALL, |kind| {
        let subject = Subject::kind(*kind);
        let mut hidden = BTreeMap::new();
        let planted = plant(&subject, |node| {
            let (text, part) = text(node);
            hidden.insert(text.clone(), part);
            text
        });
        for planted in planted.iter().filter(|planted| which(planted)) {
            let mut leaks = Vec::new();
            let (mut visible, mut spoken) = (0, 0);
            let formats = texts(*kind, &planted.document);
            for (format, text) in &formats {
                let parts: BTreeSet<&str> =
                    hidden.values().copied().filter(|part| text.contains(part)).collect();
                for (what, shown) in shown(*kind, *format, text) {
                    let Some(part) = parts.iter().find(|part| shown.contains(**part)) else { continue };
                    visible += usize::from(what == "the value for debugging");
                    spoken += usize::from(what == "a message");
                    let at = shown.find(part).unwrap_or_default();
                    let from = shown.floor_char_boundary(at.saturating_sub(120));
                    let to = shown.ceil_char_boundary((at + 60).min(shown.len()));
                    leaks.push((what, format!("{} of {format:?}: …{}…", planted.pointer, &shown[from..to])));
                }
            }
            let mut tally = tally.lock().expect("nobody panics with it");
            *tally.documents.entry(kind.name()).or_default() += formats.len();
            tally.places.insert(format!("{kind} {}", planted.schema));
            tally.visible += usize::from(visible > 0);
            tally.spoken += usize::from(spoken > 0);
            tally.hidden.extend((visible + spoken == 0).then(|| format!("{kind} {}", planted.schema)));
            for (what, leak) in leaks {
                tally.leaks.entry(format!("{kind} {what} {}", planted.schema)).or_insert(leak);
            }
        }
    });
    tally.into_inner().expect("nobody panics with it")
}

fn listed(leaks: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    for (what, leak) in leaks {
        let _ = writeln!(out, "{what}\n  {leak}");
    }
    out
}

#[test]
fn a_credential_is_seen_nowhere() {
    let credentials = credentials();
    let tally = search(
        everything,
        |_| true,
        |node| {
            let (text, part) = &credentials[node % credentials.len()];
            (text.clone(), *part)
        },
    );
    println!("planted at {} places: {:?}", tally.places.len(), tally.documents);
    assert!(tally.places.len() > 1_000, "only {} places", tally.places.len());
    assert!(tally.leaks.is_empty(), "{} leaks\n{}", tally.leaks.len(), listed(&tally.leaks));
}

#[test]
fn what_a_secret_key_holds_is_seen_nowhere() {
    let tally = search(everything, |planted| planted.secret, |_| (PLAIN_SECRET.to_owned(), PLAIN_SECRET));
    println!("planted at {:?}", tally.places);
    assert!(tally.places.len() >= 6, "only at {:?}", tally.places);
    assert!(tally.leaks.is_empty(), "{} leaks\n{}", tally.leaks.len(), listed(&tally.leaks));
}

#[test]
fn what_is_no_secret_is_shown() {
    let tally = search(value_and_findings, |planted| !planted.secret, |_| (ORDINARY.to_owned(), ORDINARY));
    let (places, hidden) = (tally.places.len(), tally.hidden.len());
    println!(
        "of {places} places: {} are seen in the value, {} in a message, {hidden} in neither:\n{:?}",
        tally.visible, tally.spoken, tally.hidden
    );
    assert!(hidden * 4 < places, "{hidden} of {places} are seen nowhere");
}
