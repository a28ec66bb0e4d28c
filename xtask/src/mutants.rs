//! Mutation testing of the types, the reading and the rules: do the tests notice deliberate faults?
//!
//! `cargo mutants --list` names the faults (`.cargo/mutants.toml` says in which files), and would build the workspace
//! once for each. Here a sample is drawn and built at once, in a copy of the tree: each mutant is behind a number that an
//! environment variable switches on (`rewrite.rs`, `switch.rs`). The tests run once without, which tells what each
//! program of tests meets and how long it takes; then, for each mutant, those that meet it, the quickest first, until
//! one fails. Documentation tests are left out.

mod equivalent;
mod rewrite;

use crate::{DRIFT, Options};
use agentry_tests::laws::random::Random;
use equivalent::EQUIVALENT;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How many are drawn.
pub(crate) const USUAL: usize = 300;

/// What every crate with mutants gets.
const SWITCH: &str = include_str!("mutants/switch.rs");

/// Where it goes.
const LIBRARY: &str = "src/lib.rs";

/// Packages whose tests are about other code.
const UNRELATED: [&str; 3] = ["agentry-diff", "agentry-examples", "agentry-macros"];

/// Packages whose code the tests spend their time in.
const BUSY: [&str; 4] = ["agentry-text", "agentry", "agentry-check", "agentry-tests"];

/// A program of tests that takes longer than this, and ten times as long as without a mutant, is in an endless loop.
const PATIENCE: Duration = Duration::from_mins(1);

/// The memory that a program of tests may ask for, in KiB: a mutant may be an endless list.
const MEMORY: u32 = 6 << 20;

/// A place in a source file: line and column, both from 1.
type Place = (usize, usize);

/// A deliberate fault.
#[derive(Debug, Default)]
struct Mutant {
    /// Its name, which does not change when code elsewhere does.
    name: String,
    /// What switches it on, from 1.
    number: usize,
    file: String,
    span: (Place, Place),
    genre: String,
    replacement: String,
}

/// A program of tests.
struct Program {
    path: PathBuf,
    /// The folder of its package.
    folder: PathBuf,
    /// How long it takes.
    time: Duration,
    /// The mutants it meets.
    met: BTreeSet<usize>,
}

impl Program {
    fn name(&self) -> String {
        let package = self.folder.file_name().unwrap_or_default().display();
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        format!("{package}/{}", name.split('-').next().unwrap_or_default())
    }
}

/// What a mutant came to.
enum Fate {
    /// By this program of tests.
    Caught(String),
    Survived,
    /// No test runs what it changes.
    Unmet,
}

/// The command.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> io::Result<u8> {
    let root = agentry_tests::root();
    let all = list(&root)?;
    let total = all.len();
    let mut sample = draw(all, options.count, options.seed);
    writeln!(out, "{} of {total} mutants, drawn with the seed {:#x}", sample.len(), options.seed)?;
    if let Some(only) = &options.only {
        sample.retain(|mutant| only.lines().any(|line| mutant.name.contains(line)));
    }
    let tree = std::env::temp_dir().join("agentry-mutants");
    copy(&root, &tree)?;
    let (mut programs, unbuilt) = build(&root, &tree, &sample, out)?;
    // Some tests read the sources.
    copy(&root, &tree)?;
    measure(&tree, &mut programs, out)?;
    for mutant in sample.iter().filter(|mutant| unbuilt.get(&mutant.number) == Some(&Unbuilt::Const)) {
        writeln!(out, "cannot be switched: {}", mutant.name)?;
    }
    sample.retain(|mutant| !unbuilt.contains_key(&mutant.number));
    let fates = judge(&tree, &programs, &sample, out)?;

    let (mut survivors, mut explained, mut stale) = (0, 0, 0);
    for (mutant, fate) in sample.iter().zip(&fates) {
        let reason = EQUIVALENT.iter().find(|(name, _)| *name == mutant.name).map(|(_, reason)| reason);
        match (fate, reason) {
            (Fate::Caught(_), None) => {}
            (Fate::Caught(_), Some(_)) => {
                stale += 1;
                writeln!(out, "caught, though said to be equivalent: {}", mutant.name)?;
            }
            (_, Some(_)) => explained += 1,
            (_, None) => survivors += 1,
        }
    }
    let const_functions = unbuilt.values().filter(|why| **why == Unbuilt::Const).count();
    let caught = fates.iter().filter(|fate| matches!(fate, Fate::Caught(_))).count();
    writeln!(
        out,
        "not built: {const_functions} in constant code, where nothing can be switched, and {} that are no Rust\n\
         viable: {}; caught: {caught} ({:.1} %); equivalent: {explained}; survived: {survivors}",
        unbuilt.len() - const_functions,
        fates.len(),
        percent(caught, fates.len()),
    )?;
    Ok(if survivors + stale == 0 { 0 } else { DRIFT })
}

#[expect(clippy::cast_precision_loss, reason = "hundreds of mutants")]
fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Every mutant there is.
fn list(root: &Path) -> io::Result<Vec<Mutant>> {
    let output = Command::new("cargo")
        .args(["mutants", "--list", "--json"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other("`cargo mutants` is needed: cargo install --locked cargo-mutants"));
    }
    let list: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    let mut names: HashMap<String, usize> = HashMap::new();
    Ok(list.iter().map(|entry| mutant(entry, &mut names)).collect())
}

/// A mutant as it is listed. Those of the same name are counted.
fn mutant(entry: &Value, names: &mut HashMap<String, usize>) -> Mutant {
    let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let number = |pointer: &str| {
        let number = entry.pointer(pointer).and_then(Value::as_u64);
        number.and_then(|number| usize::try_from(number).ok()).unwrap_or_default()
    };
    let place = |end: &str| (number(&format!("/span/{end}/line")), number(&format!("/span/{end}/column")));
    let (file, name) = (text("file"), text("name"));
    let name = name.split_once(": ").map_or(name.as_str(), |(_, what)| what);
    let name = format!("{file}: {name}");
    let count = names.entry(name.clone()).or_default();
    *count += 1;
    Mutant {
        name: if *count == 1 { name } else { format!("{name} #{count}") },
        number: 0,
        file,
        span: (place("start"), place("end")),
        genre: text("genre"),
        replacement: text("replacement"),
    }
}

/// A sample. Whether a mutant is drawn depends on its name alone, not on which others there are.
fn draw(mut mutants: Vec<Mutant>, count: usize, seed: u64) -> Vec<Mutant> {
    mutants.sort_by_cached_key(|mutant| Random::of(seed, &mutant.name).draw());
    mutants.truncate(count);
    for (mutant, number) in mutants.iter_mut().zip(1..) {
        mutant.number = number;
    }
    mutants
}

/// Copies what belongs to the project, and deletes what was there else.
fn copy(root: &Path, tree: &Path) -> io::Result<()> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(arguments).current_dir(root).output()?;
    if tree.exists() {
        fs::remove_dir_all(tree)?;
    }
    for path in output.stdout.split(|byte| *byte == 0).filter_map(|path| std::str::from_utf8(path).ok()) {
        let (from, to) = (root.join(path), tree.join(path));
        if from.is_file() {
            fs::create_dir_all(to.parent().unwrap_or(tree))?;
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

/// Why a mutant cannot be built.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unbuilt {
    /// It is in code that runs while the program is built, where no variable can be read.
    Const,
    /// It is no Rust.
    Fault,
}

/// Builds the programs of tests with all mutants but those that cannot be built, which are found by and by.
fn build(
    root: &Path,
    tree: &Path,
    sample: &[Mutant],
    out: &mut dyn Write,
) -> io::Result<(Vec<Program>, BTreeMap<usize, Unbuilt>)> {
    let mut unbuilt = BTreeMap::new();
    loop {
        let inserted = write(root, tree, sample, &mut unbuilt)?;
        let output = Command::new("cargo")
            .args(["build", "--workspace", "--tests", "--keep-going", "--message-format", "json"])
            .args(UNRELATED.map(|package| format!("--exclude={package}")))
            .arg("--target-dir")
            .arg(root.join("target/mutants"))
            // Built as fast as can be without the tests getting slow.
            .args(BUSY.map(|package| format!("--config=profile.dev.package.{package}.opt-level=1")))
            .args(["--config", "profile.dev.debug=false"])
            .current_dir(tree)
            .output()?;
        let messages: Vec<Value> = output
            .stdout
            .split(|byte| *byte == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .collect();
        if output.status.success() {
            return Ok((messages.iter().filter_map(program).collect(), unbuilt));
        }
        let errors =
            messages.iter().map(|message| &message["message"]).filter(|error| error["level"] == "error");
        let before = unbuilt.len();
        let mut unknown = String::new();
        for error in errors {
            let why = if error["code"]["code"] == "E0015" { Unbuilt::Const } else { Unbuilt::Fault };
            let blamed = blame(error, &inserted);
            if let Some(number) = blamed {
                unbuilt.entry(number).or_insert(why);
            } else {
                unknown.push_str(error["rendered"].as_str().unwrap_or_default());
            }
        }
        if unbuilt.len() == before {
            return Err(io::Error::other(format!(
                "the copy cannot be built\n{unknown}{}",
                String::from_utf8_lossy(&output.stderr)
            )));
        }
        writeln!(out, "{} mutants cannot be built", unbuilt.len())?;
    }
}

/// Where mutants are, by file.
type Inserted = HashMap<String, Vec<(Range<usize>, usize)>>;

/// Writes the files of the sample into the copy, with their mutants.
fn write(
    root: &Path,
    tree: &Path,
    sample: &[Mutant],
    unbuilt: &mut BTreeMap<usize, Unbuilt>,
) -> io::Result<Inserted> {
    let mut files: BTreeMap<String, Vec<&Mutant>> = BTreeMap::new();
    for mutant in sample {
        let library = mutant.file.split_once("/src/").map(|(folder, _)| format!("{folder}/{LIBRARY}"));
        files.entry(library.unwrap_or_default()).or_default();
        let mutants = files.entry(mutant.file.clone()).or_default();
        if !unbuilt.contains_key(&mutant.number) {
            mutants.push(mutant);
        }
    }
    let mut inserted = HashMap::new();
    for (file, mutants) in files {
        let source = fs::read_to_string(root.join(&file))?;
        let mut rewritten = rewrite::rewrite(&source, &mutants).map_err(io::Error::other)?;
        unbuilt.extend(rewritten.unplaced.iter().map(|number| (*number, Unbuilt::Const)));
        if file.ends_with(LIBRARY) {
            rewritten.text.push_str(SWITCH);
        }
        write_changed(&tree.join(&file), &rewritten.text)?;
        inserted.insert(file, rewritten.inserted);
    }
    Ok(inserted)
}

/// Writes a file if it is another one: what does not change is not built again.
fn write_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path)? == text { Ok(()) } else { fs::write(path, text) }
}

/// A program of tests, from what Cargo says of it.
fn program(message: &Value) -> Option<Program> {
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    Some(Program {
        path: message["executable"].as_str()?.into(),
        folder: Path::new(message["manifest_path"].as_str()?).parent()?.to_owned(),
        time: Duration::ZERO,
        met: BTreeSet::new(),
    })
}

/// The mutant that an error of the compiler is about: the one whose text holds a place of it, or else comes next before.
fn blame(error: &Value, inserted: &Inserted) -> Option<usize> {
    let spans = error["spans"].as_array()?;
    let (first, other): (Vec<&Value>, Vec<&Value>) =
        spans.iter().partition(|span| span["is_primary"] == true);
    let mut nearest = None;
    for span in first.into_iter().chain(other) {
        let offset = |key: &str| span[key].as_u64().and_then(|offset| usize::try_from(offset).ok());
        let (start, end) = (offset("byte_start")?, offset("byte_end")?);
        let Some(mutants) = span["file_name"].as_str().and_then(|file| inserted.get(file)) else { continue };
        if let Some((_, number)) = mutants.iter().find(|(range, _)| range.start <= start && end <= range.end)
        {
            return Some(*number);
        }
        let before = mutants.iter().rev().find(|(range, _)| range.start < end).map(|(_, number)| *number);
        nearest = nearest.or(before);
    }
    nearest
}

/// Runs every program without a mutant, and leaves out those that fail.
fn measure(tree: &Path, programs: &mut Vec<Program>, out: &mut dyn Write) -> io::Result<()> {
    let met = tempfile::NamedTempFile::new()?;
    let mut kept = Vec::new();
    for mut program in programs.drain(..) {
        met.as_file().set_len(0)?;
        let begun = Instant::now();
        let passed = test(tree, &program, &[("AGENTRY_MUTANTS_MET", met.path().as_os_str())], Duration::MAX)?;
        program.time = begun.elapsed();
        program.met = fs::read_to_string(met.path())?.lines().filter_map(|line| line.parse().ok()).collect();
        let (name, time, count) = (program.name(), program.time.as_secs_f64(), program.met.len());
        let left_out = if passed { "" } else { ": FAILS, left out" };
        writeln!(out, "{name}: {time:.1} s, meets {count}{left_out}")?;
        if passed {
            kept.push(program);
        }
    }
    kept.sort_by_key(|program| program.time);
    *programs = kept;
    Ok(())
}

/// Runs a program of tests; whether it passes, in time.
fn test(
    tree: &Path,
    program: &Program,
    variables: &[(&str, &std::ffi::OsStr)],
    limit: Duration,
) -> io::Result<bool> {
    // `timeout` ends what the program has started, too.
    let script = format!("ulimit -v {MEMORY}; exec timeout --signal=KILL \"$0\" \"$1\" --quiet");
    let shared = agentry_tests::shared(".");
    let status = Command::new("sh")
        .args(["-c", &script, &limit.as_secs().min(86_400).to_string()])
        .arg(&program.path)
        .current_dir(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder)
        .envs(shared.map(|shared| ("AGENTRY_SHARED", shared)))
        .env("INSTA_UPDATE", "no")
        .env("INSTA_WORKSPACE_ROOT", tree)
        .env("PROPTEST_RNG_SEED", "1")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(status.success())
}

/// What each mutant comes to, in the order of the sample.
fn judge(tree: &Path, programs: &[Program], sample: &[Mutant], out: &mut dyn Write) -> io::Result<Vec<Fate>> {
    let queue = Mutex::new(sample.iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut fates = BTreeMap::new();
    thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            let send = send.clone();
            scope.spawn(move || {
                while let Some((index, mutant)) = next() {
                    // Nobody listens any more after a failure.
                    let _ = send.send((index, mutant, fate(tree, programs, mutant)));
                }
            });
        }
        drop(send);
        for (index, mutant, fate) in receive {
            let fate = fate?;
            let said = match &fate {
                Fate::Caught(by) => format!("caught by {by}"),
                Fate::Survived => "SURVIVED".to_owned(),
                Fate::Unmet => "SURVIVED, no test meets it".to_owned(),
            };
            writeln!(out, "{said}: {}", mutant.name)?;
            fates.insert(index, fate);
        }
        Ok(fates.into_values().collect())
    })
}

/// What one mutant comes to.
fn fate(tree: &Path, programs: &[Program], mutant: &Mutant) -> io::Result<Fate> {
    let number = mutant.number.to_string();
    let mut fate = Fate::Unmet;
    for program in programs.iter().filter(|program| program.met.contains(&mutant.number)) {
        let limit = PATIENCE.max(program.time * 10);
        if !test(tree, program, &[("AGENTRY_MUTANT", number.as_ref())], limit)? {
            return Ok(Fate::Caught(program.name()));
        }
        fate = Fate::Survived;
    }
    Ok(fate)
}
