//! What is said of Python source, with Python itself as the judge: source that Python compiles draws no finding of
//! syntax, whatever is in it.
//!
//! The sources are Python's own library, and the same with damage at random. Where there is no `python3`, that is printed.

use agentry::skill_config::PythonSource;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Reads sources as JSON strings, one a line, and answers each with `ok` or `no`.
const JUDGE: &str = r#"
import json, sys, warnings
warnings.simplefilter("ignore")
for line in sys.stdin:
    try:
        compile(json.loads(line), "x", "exec", dont_inherit=True)
        print("ok")
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        print("no")
"#;

/// The sources of Python's library, as JSON strings, one a line.
const LIBRARY: &str = r#"
import json, os, sysconfig, tokenize
top = sysconfig.get_path("stdlib")
names = []
for folder, folders, files in os.walk(top):
    folders[:] = sorted(f for f in folders if f not in ("site-packages", "dist-packages", "__pycache__"))
    names += [os.path.join(folder, f) for f in sorted(files) if f.endswith(".py")]
for name in names:
    try:
        with tokenize.open(name) as file:
            print(json.dumps(file.read()))
    except (SyntaxError, UnicodeDecodeError):
        pass
"#;

/// What is put into a source to damage it.
const PIECES: [&str; 34] = [
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "f'",
    "f\"{",
    "rf'",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ":",
    ",",
    "#",
    "\\",
    "\\\n",
    "\n",
    "\t",
    "    ",
    " ",
    "lambda x: ",
    "if x:\n",
    "def f():\n",
    "pass",
    "!",
    ":=",
    "=",
    "\u{a0}",
    "é",
    "run = ",
    "$",
    ";",
];

fn python(script: &str, input: &str) -> Option<String> {
    let mut child = Command::new("python3")
        .args(["-c", script])
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut to = child.stdin.take().expect("it is piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || to.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it does not panic").expect("it is read");
    output.status.success().then(|| String::from_utf8(output.stdout).expect("it is text"))
}

fn lines(sources: &[String]) -> String {
    sources.iter().map(|source| format!("{}\n", serde_json::json!(source))).collect()
}

/// The first places at which the two judges differ.
fn differences(sources: &[String]) -> Option<(Vec<String>, [usize; 2])> {
    let verdicts = python(JUDGE, &lines(sources))?;
    assert_eq!(verdicts.lines().count(), sources.len(), "one verdict for each source");
    let mut counts = [0, 0];
    let mut faults = Vec::new();
    for (source, verdict) in sources.iter().zip(verdicts.lines()) {
        counts[usize::from(verdict == "ok")] += 1;
        let Err(invalid) = PythonSource::new(source.as_str()) else { continue };
        if invalid.rule.name == "python-syntax" && verdict == "ok" {
            let at = invalid.part.map_or(0, |part| part.start);
            let from = source.floor_char_boundary(at.saturating_sub(80));
            let to = source.floor_char_boundary(at + 80);
            faults.push(format!("{}\n{}", invalid.message, &source[from..to]));
        }
    }
    Some((faults, counts))
}

/// Xorshift: the same damage on every machine.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap_or_default()
}

/// Some lines of a source, damaged in a place or two.
fn damaged(source: &str, state: &mut u64) -> String {
    let all: Vec<&str> = source.split_inclusive('\n').collect();
    let first = next(state) % all.len().max(1);
    // Begin where a statement may begin, so that the source is often sound before it is damaged.
    let first = all[..first]
        .iter()
        .rposition(|line| line.starts_with("def ") || line.starts_with("class "))
        .unwrap_or(0);
    let mut text: String = all.iter().skip(first).take(30).copied().collect();
    for _ in 0..next(state) % 3 {
        let at = text.floor_char_boundary(next(state) % (text.len() + 1));
        let end = text.floor_char_boundary((at + next(state) % 6).min(text.len())).max(at);
        text.replace_range(at..end, PIECES[next(state) % PIECES.len()]);
    }
    text
}

#[test]
fn no_source_that_python_compiles_is_called_broken() {
    let Some(library) = python(LIBRARY, "") else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: there is no `python3` to judge by");
        return;
    };
    let sources: Vec<String> =
        library.lines().map(|line| serde_json::from_str(line).expect("a string")).collect();
    let (faults, [refused, compiled]) = differences(&sources).expect("it was there a moment ago");
    assert!(
        faults.is_empty(),
        "{} differences:\n{}",
        faults.len(),
        faults[..faults.len().min(5)].join("\n\n")
    );
    println!("the library: {compiled} compiled, {refused} refused");

    let mut state = 0x5eed_ba5e_ba11_0001;
    let many: usize =
        std::env::var("AGENTRY_SAMPLES").ok().and_then(|many| many.parse().ok()).unwrap_or(4_000);
    let sources: Vec<String> =
        (0..many).map(|_| damaged(&sources[next(&mut state) % sources.len()], &mut state)).collect();
    let (faults, [refused, compiled]) = differences(&sources).expect("it was there a moment ago");
    assert!(
        faults.is_empty(),
        "{} differences:\n{}",
        faults.len(),
        faults[..faults.len().min(5)].join("\n\n")
    );
    assert!(
        compiled > many / 10 && refused > many / 10,
        "damage tells nothing: {compiled} compiled, {refused} refused"
    );
    println!("damaged: {compiled} compiled, {refused} refused");
}

#[test]
fn a_function_is_there_when_a_sound_source_ends_in_one() {
    let Some(library) = python(LIBRARY, "") else { return };
    let mut wrong = Vec::new();
    for line in library.lines() {
        let source: String = serde_json::from_str(line).expect("a string");
        let with = format!("{source}\n\ndef run(input_data):\n    return {{}}\n");
        if let Err(invalid) = PythonSource::new(with)
            && invalid.rule.name != "python-syntax"
        {
            wrong.push(format!("{}: {}", invalid.message, source.lines().next().unwrap_or_default()));
        }
    }
    assert!(wrong.is_empty(), "{} sources:\n{}", wrong.len(), wrong.join("\n"));
}
