//! The `agentry` program: checks manifests and registries, and says what the kinds are.

mod affected;
mod diff;
mod explain;
mod mend;
mod progress;

use agentry::contract::Contract;
use agentry::{Kind, ToolDefinition};
use agentry_check::baseline;
use agentry_check::binding::{self, Verdict};
use agentry_check::policy::{Policy, Source};
use agentry_check::report::{github, human, json, junit, sarif};
use agentry_check::report::{one_line, shown_path};
use agentry_check::service;
use agentry_check::settings::{Level, RuleName};
use agentry_check::walk::{self, FileReport, Outcome};
use agentry_schema::Draft;
use agentry_text::mask_secrets;
use clap::{Parser, Subcommand, ValueEnum};
use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Findings of severity error.
const FOUND: u8 = 1;
/// The run could not be made.
const FAILED: u8 = 2;
/// Nobody could say.
const UNKNOWN: u8 = 3;

/// Checks the manifests of agent platforms: providers, agents, hands, integrations, skills, plugins and more.
#[derive(Parser)]
#[command(name = "agentry", version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check files and folders; without a path, the current folder.
    Check(Check),
    /// Say what a rule means, why it matters and what to write instead; without a name, list all rules.
    Explain(explain::Explain),
    /// List the kinds of documents, and where their files live.
    Kinds,
    /// Print the JSON Schema of a kind.
    Schema {
        /// The kind, as `agentry kinds` lists it.
        #[arg(value_parser = kind)]
        kind: Kind,
        /// The draft of JSON Schema: 2020-12, or 07 for tools that know no newer one.
        #[arg(long, value_parser = draft, default_value = "2020-12")]
        draft: Draft,
    },
    /// Say whether a tool of an MCP server can stand in for an internal tool of agentd.
    ///
    /// Exit status: 0 yes, 1 no, 3 unknown, 2 could not run. Each no comes with a document that shows it.
    Bind {
        /// The tool that it is to stand in for, such as `memory.get`.
        #[arg(value_parser = contract)]
        contract: Contract,
        /// The tool definition, as the server lists it: JSON with `name`, `inputSchema` and `outputSchema`.
        file: PathBuf,
    },
    /// Compare two JSON Schemas by meaning: does the new one accept everything that the old one accepts?
    ///
    /// Exit status: 0 yes, or all that breaks is acknowledged, 1 no, 3 unknown, 2 could not run or not a schema. Each no
    /// comes with a document that shows it, each change with what it breaks. With `--stdin-jsonl` the status says only
    /// whether every line was a request: 0 or 2.
    Diff(diff::Diff),
    /// Say which existing files a change of a schema affects: those that stop being valid, and those that become valid.
    ///
    /// Each file is judged by the old and by the new schema as it stands. Exit status: 0 none stops being valid, 1 some
    /// file does, 2 could not run.
    Affected(affected::Affected),
}

#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
struct Check {
    /// Files and folders to check.
    paths: Vec<PathBuf>,
    /// The kind of the files named, where it cannot be told from content and path.
    #[arg(long, value_parser = kind)]
    kind: Option<Kind>,
    /// Fail on warnings too.
    #[arg(long)]
    strict: bool,
    /// How to show the findings.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show every finding: without this, findings that say the same many times are counted after the first few.
    #[arg(long)]
    all: bool,
    /// Report the findings of a rule as errors, whatever `agentry.toml` says. Several: `--error a,b`, or once for each.
    #[arg(long, value_name = "RULE", value_parser = rule, value_delimiter = ',')]
    error: Vec<RuleName>,
    /// Report them as warnings.
    #[arg(long, value_name = "RULE", value_parser = rule, value_delimiter = ',')]
    warn: Vec<RuleName>,
    /// Report them as hints.
    #[arg(long, value_name = "RULE", value_parser = rule, value_delimiter = ',')]
    hint: Vec<RuleName>,
    /// Do not report them. A file that cannot be read fails all the same.
    #[arg(long, value_name = "RULE", value_parser = rule, value_delimiter = ',')]
    off: Vec<RuleName>,
    /// Take settings from this file, and not from the nearest `agentry.toml` above each file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Take no settings from files.
    #[arg(long, conflicts_with = "config")]
    no_config: bool,
    /// Accept the findings that this file records, and fail on new ones only.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Record the findings of this run in a file, for `--baseline`, instead of showing them.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "format", "all", "mending"])]
    write_baseline: Option<PathBuf>,
    /// Mend what is certain, in the files, and report what remains.
    #[arg(long, group = "mending")]
    fix: bool,
    /// Show what `--fix` would change, as a unified diff, and change nothing. Exit status: 0 nothing, 1 something, 2 could
    /// not run.
    #[arg(long, group = "mending", conflicts_with = "format")]
    diff: bool,
    /// With `--fix` or `--diff`: also what is likely and not certain.
    #[arg(long = "unsafe", requires = "mending")]
    likely: bool,
    /// Answer requests from standard input instead, one JSON object a line: `{"id", "kind", "format", "text"}`.
    #[arg(long, conflicts_with_all = ["paths", "kind", "error", "warn", "hint", "off", "config", "no_config", "baseline", "write_baseline", "mending"])]
    stdin_jsonl: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, as compilers show errors.
    Human,
    /// One JSON document.
    Json,
    /// One JSON object a file and line.
    Jsonl,
    /// SARIF 2.1.0, for code scanning and editors.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// `JUnit` XML: each file is a test case.
    Junit,
}

fn kind(name: &str) -> Result<Kind, String> {
    Kind::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        format!("the kinds are {}", names.join(", "))
    })
}

fn rule(name: &str) -> Result<RuleName, String> {
    RuleName::new(name).map_err(|invalid| match invalid.help {
        Some(help) => format!("{}: {help}", invalid.message),
        None => invalid.message,
    })
}

fn contract(name: &str) -> Result<Contract, String> {
    Contract::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Contract::ALL.iter().map(|contract| contract.name()).collect();
        format!("the tools are {}", names.join(", "))
    })
}

fn draft(name: &str) -> Result<Draft, String> {
    Draft::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Draft::ALL.iter().map(|draft| draft.name()).collect();
        format!("the drafts are {}", names.join(", "))
    })
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Check(check) => run_check(&check),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Kinds => print_kinds(),
        Command::Schema { kind, draft } => print_schema(kind, draft),
        Command::Bind { contract, file } => bind(contract, &file),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Affected(arguments) => affected::run(&arguments),
    };
    match result {
        Ok(status) => ExitCode::from(status),
        // Whoever reads the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("agentry: {error}");
            ExitCode::from(FAILED)
        }
    }
}

fn run_check(check: &Check) -> io::Result<u8> {
    if check.stdin_jsonl {
        let totals = service::run(io::stdin().lock(), BufWriter::new(io::stdout().lock()))?;
        let failed = totals.invalid > 0 || check.strict && totals.warned > 0;
        return Ok(if failed { FOUND } else { 0 });
    }
    let here = Path::new(".");
    let current = [here.to_owned()];
    let paths = if check.paths.is_empty() { &current[..] } else { &check.paths };
    let mut policy = policy(check)?;
    let judge = |policy: &mut Policy| {
        let mut outcome = progress::shown(|progress| {
            walk::run_with(paths, walk::Options { kind: check.kind, policy: &mut *policy, progress })
        });
        policy.apply(&mut outcome);
        outcome
    };
    let mut outcome = judge(&mut policy);
    if check.diff {
        return mend::diff(&outcome, mend::which(check.likely), &mut policy);
    }
    if check.fix {
        let failed = mend::files(&outcome, mend::which(check.likely), &mut policy);
        // What is mended in one file is seen from others.
        outcome = judge(&mut policy);
        outcome.errors.extend(failed);
    }
    if let Some(file) = &check.baseline {
        baseline::apply(&mut outcome, file).map_err(|error| at(file, &error))?;
    }
    for error in &outcome.errors {
        anstream::eprintln!("agentry: {}: {}", shown_path(&error.path), one_line(&error.message));
    }
    if let Some(file) = &check.write_baseline {
        // Half a baseline, or one made without the settings, would let the rest fail later.
        if !outcome.errors.is_empty() {
            return Ok(FAILED);
        }
        outcome.files.retain(|file| !file.standing.own || file.fails());
        if outcome.files.iter().any(|file| file.standing.own) {
            outcome.files.retain(|file| file.standing.own);
            human::write(&outcome, false, &mut anstream::stdout().lock())?;
            return Ok(FOUND);
        }
        let count = baseline::write(&outcome, file).map_err(|error| at(file, &error))?;
        anstream::eprintln!("{count} findings are recorded in {}", shown_path(file));
        return Ok(0);
    }
    let mut out = BufWriter::new(anstream::stdout().lock());
    // These formats have a place for paths that could not be judged, and are read by programs that expect a document.
    let document = matches!(check.format, Format::Sarif | Format::Github | Format::Junit);
    if document || !outcome.files.is_empty() || outcome.errors.is_empty() {
        match check.format {
            Format::Human => human::write(&outcome, check.all, &mut out)?,
            Format::Json => json::write(&outcome, &mut out)?,
            Format::Jsonl => json::write_lines(&outcome, &mut out)?,
            Format::Sarif => sarif::write(&outcome, here, &mut out)?,
            Format::Github => github::write(&outcome, &repository(here), &mut out)?,
            Format::Junit => junit::write(&outcome, here, &mut out)?,
        }
    }
    out.flush()?;
    Ok(status(&outcome))
}

/// An error with the file that it is about.
fn at(file: &Path, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: {error}", shown_path(file)))
}

fn policy(check: &Check) -> io::Result<Policy> {
    let source = match &check.config {
        Some(file) => Source::File(file.clone()),
        None if check.no_config => Source::None,
        None => Source::Nearest,
    };
    let mut policy = Policy::new(source).strict(check.strict);
    let levels = [
        (&check.error, Level::Error),
        (&check.warn, Level::Warning),
        (&check.hint, Level::Hint),
        (&check.off, Level::Off),
    ];
    let mut said: HashMap<&str, Level> = HashMap::new();
    for (names, level) in levels {
        for name in names {
            let rule = name.rule();
            if said.insert(rule.name, level.clone()).is_some_and(|earlier| earlier != level) {
                return Err(io::Error::other(format!("`{}` is given two severities", rule.name)));
            }
            policy = policy.level(rule, level.clone());
        }
    }
    Ok(policy)
}

fn status(outcome: &Outcome) -> u8 {
    if !outcome.errors.is_empty() {
        FAILED
    } else if outcome.files.iter().any(FileReport::fails) {
        FOUND
    } else {
        0
    }
}

/// The folder that GitHub names files from: the checkout, if the current folder is in it.
fn repository(here: &Path) -> PathBuf {
    let workspace = std::env::var_os("GITHUB_WORKSPACE").map(PathBuf::from);
    let inside =
        |workspace: &PathBuf| std::path::absolute(here).is_ok_and(|here| here.starts_with(workspace));
    workspace.filter(inside).unwrap_or_else(|| here.to_owned())
}

fn print_kinds() -> io::Result<u8> {
    let mut out = io::stdout().lock();
    let width = Kind::ALL.iter().map(|kind| kind.name().len()).max().unwrap_or_default();
    for kind in Kind::ALL {
        writeln!(out, "{:width$}  {}", kind.name(), kind.paths().join(", "))?;
        writeln!(out, "{:width$}  {}", "", kind.summary())?;
    }
    Ok(0)
}

fn print_schema(kind: Kind, draft: Draft) -> io::Result<u8> {
    let schema = agentry_schema::schema(kind, draft);
    io::stdout().lock().write_all(agentry_schema::text(&schema).as_bytes())?;
    Ok(0)
}

fn bind(contract: Contract, file: &Path) -> io::Result<u8> {
    let text = std::fs::read_to_string(file).map_err(|error| at(file, &error))?;
    let tool: ToolDefinition = agentry_text::json::from_str(&text).map_err(|error| at(file, &error))?;
    let binding = binding::check(contract, &tool);
    let mut out = BufWriter::new(anstream::stdout().lock());
    for side in [&binding.input, &binding.output] {
        writeln!(out, "{}: {}", side.side, side.verdict().name())?;
        for place in &side.places {
            writeln!(out, "  {} {}: {}", place.verdict.name(), place.pointer, mask_secrets(&place.message))?;
            if !place.document.is_empty() {
                writeln!(out, "    concerns {}", place.document)?;
            }
            if let Some(witness) = &place.witness {
                writeln!(out, "    for example {}", mask_secrets(&witness.to_string()))?;
            }
        }
    }
    let verdict = binding.verdict();
    writeln!(out, "{} for {contract}: {}", agentry_text::quoted(tool.name.as_str()), verdict.name())?;
    out.flush()?;
    Ok(match verdict {
        Verdict::Yes => 0,
        Verdict::Unknown => UNKNOWN,
        Verdict::No => FOUND,
    })
}
