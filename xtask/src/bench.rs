//! What a check costs: the CPU time of checking a registry, beside that of reading and parsing the same files.
//!
//! Both are measured in one run and by turns, so that a busy machine slows both alike, and what is printed is the ratio
//! of the medians. Files are read from the disk each time, and are in its cache after the first.

use crate::FAILURE;
use agentry_check::explain::is_off_by_default;
use agentry_check::policy::{Policy, Source};
use agentry_check::settings::Level;
use agentry_check::walk;
use agentry_tests::planted::{Registry, Style};
use agentry_text::Rule;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A check takes at most this many times the CPU time of reading and parsing.
pub const BOUND: f64 = 6.0;
/// The exit status when a check takes longer.
pub const SLOW: u8 = 1;
/// How many files the generated registry has.
const FILES: usize = 10_000;
/// How often the small registry is checked, and the large one.
const ROUNDS: (usize, usize) = (25, 5);

/// The command: from a build for development it makes a release build, and goes on there.
pub fn run(out: &mut dyn Write) -> io::Result<u8> {
    let own = std::env::current_exe()?;
    if cfg!(debug_assertions) {
        let release = own.parent().and_then(Path::parent).map(|target| target.join("release"));
        let release = release.ok_or_else(|| io::Error::other("this program is in no target folder"))?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let arguments = ["build", "--quiet", "--release", "--package", "agentry-cli", "--package", "xtask"];
        if !Command::new(cargo).args(arguments).status()?.success() {
            return Ok(FAILURE);
        }
        let status = Command::new(release.join(own.file_name().unwrap_or_default())).arg("bench").status()?;
        return Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(FAILURE));
    }
    let program = own.with_file_name(format!("agentry{}", std::env::consts::EXE_SUFFIX));
    writeln!(
        out,
        "CPU time (medians, by turns) of a check with every rule on, and of reading and parsing the same files: TOML\n\
         with the crate `toml` into its own table, JSON with `serde_json`, YAML and front matter with `yaml_serde`"
    )?;
    let mut slowest = 0.0_f64;
    if let Some(folder) = agentry_tests::shared("corpus/librefang-registry") {
        slowest = slowest.max(measure("published registry", &folder, ROUNDS.0, &program, out)?);
    }
    let scratch = tempfile::tempdir()?;
    Registry::of_size(FILES, 7).write(scratch.path(), Style::Varied)?;
    slowest = slowest.max(measure("generated registry", scratch.path(), ROUNDS.1, &program, out)?);
    let within = slowest <= BOUND;
    writeln!(out, "at most {BOUND} times: {}", if within { "yes" } else { "no" })?;
    Ok(if within { 0 } else { SLOW })
}

/// Measures one registry; the larger of the two ratios.
fn measure(name: &str, folder: &Path, rounds: usize, program: &Path, out: &mut dyn Write) -> io::Result<f64> {
    let files: Vec<PathBuf> = check(folder)?.files.into_iter().map(|file| file.path).collect();
    let mut bytes = 0;
    let mut formats: BTreeMap<&str, usize> = BTreeMap::new();
    for file in &files {
        bytes += fs::metadata(file)?.len();
        *formats.entry(ending(file)).or_default() += 1;
    }
    let formats: Vec<String> = formats.iter().map(|(format, count)| format!("{count} {format}")).collect();
    writeln!(out, "\n{name}: {} files, {} KiB ({})", files.len(), bytes / 1024, formats.join(", "))?;
    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..rounds {
        times[0].push(timed(Who::This, || files.iter().try_for_each(|file| parse(file)))?);
        times[1].push(timed(Who::This, || check(folder).map(drop))?);
        times[2].push(timed(Who::Children, || spawn(program, folder).map(drop))?);
    }
    let [parsing, judging, running] = times.map(median);
    let ratio = |time: Duration| time.as_secs_f64() / parsing.as_secs_f64();
    for (what, time) in
        [("reading and parsing", parsing), ("check, in process", judging), ("agentry check", running)]
    {
        writeln!(out, "  {what:20} {:9.1} ms  {:5.2}", time.as_secs_f64() * 1e3, ratio(time))?;
    }
    let memory = spawn(program, folder)?;
    let memory = memory.map_or("not measured on this system".to_owned(), |kilobytes| {
        format!("{} MiB", kilobytes.div_ceil(1024))
    });
    writeln!(out, "  agentry check, peak memory: {memory}")?;
    Ok(ratio(judging).max(ratio(running)))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The rules that are off unless somebody asks for them.
fn optional() -> impl Iterator<Item = &'static Rule> {
    agentry_check::all_rules().filter(|rule| is_off_by_default(rule))
}

/// Judges a registry as the program does, and writes the report.
fn check(folder: &Path) -> io::Result<walk::Outcome> {
    let mut policy = Policy::new(Source::None);
    for rule in optional() {
        policy = policy.level(rule, Level::Hint);
    }
    let progress = walk::Progress::default();
    let options = walk::Options { kind: None, policy: &mut policy, progress: &progress };
    let mut outcome = walk::run_with(&[folder.to_owned()], options);
    policy.apply(&mut outcome);
    agentry_check::report::json::write_lines(&outcome, &mut io::sink())?;
    Ok(outcome)
}

/// Reads and parses one file, as somebody would who only wants its value.
fn parse(path: &Path) -> io::Result<()> {
    let text = fs::read_to_string(path)?;
    // A file with a fault takes its time too.
    match ending(path) {
        "toml" => drop(std::hint::black_box(text.parse::<toml::Table>())),
        "json" => drop(std::hint::black_box(serde_json::from_str::<serde_json::Value>(&text))),
        "md" => {
            let matter = text.strip_prefix("---").and_then(|rest| rest.split_once("\n---"));
            let matter = matter.map_or("", |(matter, _)| matter);
            drop(std::hint::black_box(yaml_serde::from_str::<yaml_serde::Value>(matter)));
        }
        _ => drop(std::hint::black_box(yaml_serde::from_str::<yaml_serde::Value>(&text))),
    }
    Ok(())
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

/// Runs the program on a registry; its peak memory in KiB, where the system tells.
fn spawn(program: &Path, folder: &Path) -> io::Result<Option<u64>> {
    let mut child = Command::new(program)
        .args(["check", "--no-config", "--format", "jsonl"])
        .args(optional().map(|rule| format!("--hint={}", rule.name)))
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()?;
    // The peak that the system reports after the end includes that of whoever started the program, so it is asked for
    // while the program runs.
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    loop {
        peak = peak.max(fs::read_to_string(&status).ok().as_deref().and_then(peak_of));
        if let Some(status) = child.try_wait()? {
            return match status.code() {
                Some(0 | 1) => Ok(peak),
                _ => Err(io::Error::other(format!("`agentry check` failed: {status}"))),
            };
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn peak_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[derive(Clone, Copy)]
enum Who {
    This,
    Children,
}

/// The CPU time that something takes, over all threads.
fn timed(who: Who, work: impl FnOnce() -> io::Result<()>) -> io::Result<Duration> {
    let before = cpu(who)?;
    work()?;
    Ok(cpu(who)?.saturating_sub(before))
}

#[cfg(unix)]
fn cpu(who: Who) -> io::Result<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike as _;
    let who = match who {
        Who::This => UsageWho::RUSAGE_SELF,
        Who::Children => UsageWho::RUSAGE_CHILDREN,
    };
    let usage = getrusage(who)?;
    let spent = usage.user_time() + usage.system_time();
    Ok(Duration::from_micros(u64::try_from(spent.num_microseconds()).unwrap_or_default()))
}

#[cfg(not(unix))]
fn cpu(_: Who) -> io::Result<Duration> {
    Err(io::Error::other("CPU time is measured on Unix systems only"))
}
