//! Adds up, by crate and file, what a run of the tests met. `.ci/coverage` calls it in the root, with the folder of the run.
//!
//! A line counts if it holds code, and is met if anything on it is. A region is a piece of code that runs as a whole or not
//! at all. Code of tests does not count.

use llvm_profparser::{CoverageMapping, SourceLocation, merge_profiles};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

/// How many of the files that lack most are shown.
const SHOWN: usize = 10;

/// What counts: the sources of the workspace that are no tests.
const COUNTED: [&str; 2] = ["crates", "xtask"];

type Regions = BTreeMap<SourceLocation, usize>;

#[derive(Clone, Copy, Default)]
struct Sum {
    lines: usize,
    lines_met: usize,
    regions: usize,
    regions_met: usize,
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.lines += other.lines;
        self.lines_met += other.lines_met;
        self.regions += other.regions;
        self.regions_met += other.regions_met;
    }
}

impl Sum {
    fn row(self, name: &str) -> String {
        format!(
            "| {name} | {} | {} |",
            part(self.lines_met, self.lines),
            part(self.regions_met, self.regions)
        )
    }

    fn lines_lacking(self) -> usize {
        self.lines - self.lines_met
    }
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn part(met: usize, all: usize) -> String {
    if all == 0 {
        return "–".to_owned();
    }
    format!("{met} / {all} ({:.1} %)", 100.0 * met as f64 / all as f64)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("which folder holds the run?")?);
    let root = std::env::current_dir()?;

    let files = counted(&root)?;
    let met = read(&folder)?;
    let nothing = Regions::new();
    let mut crates: BTreeMap<String, Sum> = BTreeMap::new();
    let mut sums: Vec<(Sum, String)> = Vec::new();
    let mut all = Sum::default();
    let mut missing = String::new();
    for path in files {
        let name = path.strip_prefix(&root)?.display().to_string();
        let text = fs::read_to_string(&path)?;
        let sum = judge(&name, &text, met.get(&path).unwrap_or(&nothing), &mut missing)?;
        let package = name.split("/src/").next().unwrap_or_default().trim_start_matches("crates/");
        *crates.entry(package.to_owned()).or_default() += sum;
        all += sum;
        sums.push((sum, name));
    }
    if all.lines_met == 0 {
        return Err("nothing was met: are the programs those that ran?".into());
    }
    fs::write(folder.join("missing.txt"), missing)?;

    println!("| crate | lines met | regions met |\n| --- | --- | --- |");
    for (package, sum) in &crates {
        println!("{}", sum.row(package));
    }
    println!("{}", all.row("all"));
    println!("\n| file that lacks most | lines met | regions met |\n| --- | --- | --- |");
    sums.sort_by_key(|(sum, _)| std::cmp::Reverse(sum.lines_lacking()));
    for (sum, name) in sums.iter().take(SHOWN) {
        println!("{}", sum.row(name));
    }
    println!("\nEach line that nothing met: {}", folder.join("missing.txt").display());
    Ok(())
}

/// The source files that count.
fn counted(root: &Path) -> Result<BTreeSet<PathBuf>, Box<dyn Error>> {
    let mut files = BTreeSet::new();
    let mut tests = Vec::new();
    let mut open: Vec<PathBuf> = COUNTED.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                if !is_of_macros(&path) {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|end| end == "rs")
                && path.strip_prefix(root)?.iter().any(|part| part == "src")
            {
                let home = match path.file_stem() {
                    Some(stem) if stem != "lib" && stem != "main" && stem != "mod" => path.with_extension(""),
                    _ => path.with_file_name(""),
                };
                for name in test_modules(&fs::read_to_string(&path)?) {
                    tests.push(home.join(&name).with_extension("rs"));
                    tests.push(home.join(&name));
                }
                files.insert(path);
            }
        }
    }
    files.retain(|file| !tests.iter().any(|test| file.starts_with(test)));
    Ok(files)
}

/// Whether a folder is a package of macros: what they do while other packages are built is not counted.
fn is_of_macros(folder: &Path) -> bool {
    fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| text.contains("proc-macro = true"))
}

fn is_for_tests(line: &str) -> bool {
    line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test,")
}

/// The modules that only tests have, in files of their own.
fn test_modules(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let modules = lines.windows(2).filter(|pair| is_for_tests(pair[0])).filter_map(|pair| {
        let (_, name) = pair[1].strip_suffix(';')?.split_once("mod ")?;
        Some(name.to_owned())
    });
    modules.collect()
}

/// Whether the lines from here belong to an item of tests.
enum Within {
    /// They do not.
    Code,
    /// Its beginning comes, indented like this.
    Head(usize),
    /// It goes on to the brace that is indented like this.
    Body(usize),
}

/// The numbers of the lines that hold code, from 1, without what only tests have.
fn code_lines(text: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut within = Within::Code;
    for (index, line) in text.lines().enumerate() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        within = match within {
            Within::Code if is_for_tests(code) => Within::Head(indent),
            Within::Code => {
                if !code.is_empty() && !code.starts_with("//") {
                    found.insert(index + 1);
                }
                Within::Code
            }
            Within::Head(at) if at == indent && !code.starts_with(['#', '/']) => match code.chars().last() {
                Some('{') => Within::Body(at),
                Some(';' | ',' | '}') => Within::Code,
                _ => Within::Head(at),
            },
            Within::Body(at) if at == indent && code.starts_with('}') => Within::Code,
            same => same,
        };
    }
    found
}

/// The regions of each file, and how often each was met.
fn read(folder: &Path) -> Result<BTreeMap<PathBuf, Regions>, Box<dyn Error>> {
    let mut profiles = Vec::new();
    for entry in fs::read_dir(folder.join("profiles"))? {
        profiles.push(entry?.path());
    }
    if profiles.is_empty() {
        return Err("the run left no profiles".into());
    }
    let profile = merge_profiles(&profiles)?;
    let mut objects = BTreeSet::new();
    for line in fs::read_to_string(folder.join("built.json"))?.lines() {
        let message: Value = serde_json::from_str(line)?;
        if let Some(program) = message["executable"].as_str() {
            objects.insert(PathBuf::from(program));
        }
    }
    let mut all: BTreeMap<PathBuf, Regions> = BTreeMap::new();
    for object in objects {
        // One by one: several are read up to the first that cannot be.
        let object = [object];
        let report = CoverageMapping::new(&object, &profile, false)?.generate_report()?;
        if report.files.is_empty() {
            return Err(format!("{} holds no counters", object[0].display()).into());
        }
        for (path, result) in report.files {
            let regions = all.entry(path).or_default();
            for (place, count) in result.hits {
                let sum = regions.entry(place).or_default();
                *sum = (*sum).max(count);
            }
        }
    }
    Ok(all)
}

/// Adds up one file, and notes each line that was not met.
fn judge(name: &str, text: &str, regions: &Regions, missing: &mut String) -> Result<Sum, Box<dyn Error>> {
    let code = code_lines(text);
    let starts_at = |one: &SourceLocation, other: &SourceLocation| {
        (one.line_start, one.column_start) == (other.line_start, other.column_start)
    };
    let end = |place: &SourceLocation| (place.line_end, place.column_end);
    // A function that its own crate does not use is a single region there, and several where it is used.
    let whole = |place: &SourceLocation| {
        regions.keys().any(|other| starts_at(place, other) && end(other) < end(place))
    };
    let regions: Vec<(&SourceLocation, usize)> = regions
        .iter()
        .filter(|(place, count)| code.contains(&place.line_start) && !(**count == 0 && whole(place)))
        .map(|(place, count)| (place, *count))
        .collect();
    let mut sum = Sum {
        regions: regions.len(),
        regions_met: regions.iter().filter(|(_, count)| *count > 0).count(),
        ..Sum::default()
    };
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if !code.contains(&number) {
            continue;
        }
        let on_it = regions.iter().filter(|(place, _)| (place.line_start..=place.line_end).contains(&number));
        // Of the regions around a line the innermost says whether it is met.
        let around = on_it
            .clone()
            .filter(|(place, _)| place.line_start < number)
            .max_by_key(|(place, _)| (place.line_start, place.column_start));
        let mut beginning = on_it.filter(|(place, _)| place.line_start == number).peekable();
        if around.is_none() && beginning.peek().is_none() {
            continue;
        }
        sum.lines += 1;
        if around.into_iter().chain(beginning).any(|(_, count)| *count > 0) {
            sum.lines_met += 1;
        } else {
            writeln!(missing, "{name}:{number}: {}", line.trim())?;
        }
    }
    Ok(sum)
}
