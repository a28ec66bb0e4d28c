//! What a run makes of findings: the settings of each file, the command line, the allowances in the files, and a baseline.

use crate::allowance;
use crate::detect::is_a_place;
use crate::explain::is_off_by_default;
use crate::report::normal;
use crate::settings::{FILE, Level, Settings};
use crate::standing::Standing;
use crate::walk::{FileReport, Outcome, PathError, open};
use agentry_text::{Finding, Mode, Rule, Severity, read_document};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::collections::HashMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Where settings come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// The nearest `agentry.toml` above each file.
    #[default]
    Nearest,
    /// One file, for all.
    File(PathBuf),
    /// Nowhere.
    None,
}

/// What a run makes of findings.
#[derive(Debug, Default)]
pub struct Policy {
    source: Source,
    strict: bool,
    /// What the command line says of rules: it has the last word.
    levels: HashMap<&'static str, (&'static Rule, Level)>,
    found: Vec<Found>,
    /// The settings of each folder that was asked about.
    folders: HashMap<PathBuf, Option<usize>>,
    errors: Vec<PathError>,
}

/// A file of settings.
#[derive(Debug)]
struct Found {
    report: FileReport,
    folder: PathBuf,
    settings: Option<Settings>,
    exclude: Gitignore,
}

impl Found {
    fn read(path: &Path, shown: PathBuf) -> io::Result<Self> {
        let mut bytes = Vec::new();
        open(path)?.read_to_end(&mut bytes)?;
        let folder = path.parent().unwrap_or(path).to_owned();
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the settings are not UTF-8 text"));
        };
        let mut document = agentry_text::toml::parse(&text);
        // Settings that say nothing are settings.
        document.findings.retain(|finding| finding.rule != &agentry_text::rules::EMPTY_FILE);
        let root = document.root.is_some();
        let reading = read_document::<Settings>(&document, Mode::Strict);
        let valid = reading.is_valid();
        let settings = if root { reading.value.filter(|_| valid) } else { valid.then(Settings::new) };
        let mut exclude = GitignoreBuilder::new(&folder);
        for pattern in settings.iter().filter_map(|settings| settings.exclude.as_ref()).flatten() {
            // Each was read as a pattern before.
            let _ = exclude.add_line(None, pattern.as_str());
        }
        let exclude = exclude.build().unwrap_or_else(|_| Gitignore::empty());
        let checked = crate::check::Checked::of_findings(reading.findings, reading.secrets);
        let mut report = FileReport::new(shown, text, checked);
        report.standing.own = true;
        Ok(Self { report, folder, settings, exclude })
    }
}

impl Policy {
    /// A policy that takes settings from a source.
    pub fn new(source: Source) -> Self {
        Self { source, ..Self::default() }
    }

    /// The same where warnings fail too.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// The same where a rule has a level, whatever the settings say.
    #[must_use]
    pub fn level(mut self, rule: &'static Rule, level: Level) -> Self {
        self.levels.insert(rule.name, (rule, level));
        self
    }

    /// Whether a file is looked at: it is not where its settings leave it out.
    pub fn keeps(&mut self, path: &Path) -> bool {
        let path = normal(path);
        let Some(found) = self.of(&path).map(|index| &self.found[index]) else { return true };
        let Ok(below) = path.strip_prefix(&found.folder) else { return true };
        !found.exclude.matched_path_or_any_parents(below, false).is_ignore()
    }

    /// Whether anybody asks for a rule that is off by default: the command line, or settings of a file that was asked
    /// about so far. A run in which nobody does need not look for what such rules find.
    pub fn asks_for_optional_rules(&self) -> bool {
        let asks = |rule: &Rule, level: &Level| *level != Level::Off && is_off_by_default(rule);
        let mut said = self.found.iter().filter_map(|found| found.settings.as_ref()?.rules.as_ref());
        self.levels.values().any(|(rule, level)| asks(rule, level))
            || said.any(|rules| rules.iter().any(|(rule, level)| asks(rule.rule(), level)))
    }

    /// The settings of a file, by its absolute path.
    fn of(&mut self, path: &Path) -> Option<usize> {
        let folder = match &self.source {
            Source::None => return None,
            // One place for all.
            Source::File(_) => PathBuf::new(),
            Source::Nearest => path.parent()?.to_owned(),
        };
        if let Some(known) = self.folders.get(&folder) {
            return *known;
        }
        let index = match self.source.clone() {
            Source::File(file) => self.load(&normal(&file), file),
            _ => self.nearest(&folder),
        };
        self.folders.insert(folder, index);
        index
    }

    fn nearest(&mut self, folder: &Path) -> Option<usize> {
        let mut passed = Vec::new();
        let mut nearest = None;
        for above in folder.ancestors() {
            if let Some(known) = self.folders.get(above) {
                nearest = *known;
                break;
            }
            passed.push(above);
            let file = above.join(FILE);
            if is_settings(&file) && file.is_file() {
                nearest = self.load(&file, shown(&file));
                break;
            }
            // What lies above a repository is no part of it, and differs from machine to machine.
            if above.join(".git").exists() {
                break;
            }
        }
        // What is nearest to a folder is nearest to all on the way.
        self.folders.extend(passed.into_iter().map(|above| (above.to_owned(), nearest)));
        nearest
    }

    fn load(&mut self, path: &Path, shown: PathBuf) -> Option<usize> {
        match Found::read(path, shown.clone()) {
            Ok(found) => {
                self.found.push(found);
                Some(self.found.len() - 1)
            }
            Err(error) => {
                self.errors.push(PathError { path: shown, message: crate::walk::reason(&error) });
                None
            }
        }
    }

    /// Changes an outcome by everything there is to say: first what the files allow, then the settings, then the command
    /// line.
    pub fn apply(&mut self, outcome: &mut Outcome) {
        for file in &mut outcome.files {
            let index = self.of(&normal(&file.path));
            let settings = index.and_then(|index| self.found[index].settings.as_ref());
            self.apply_to(file, settings);
        }
        // Faults of settings come first: they explain the rest.
        let mut own = Vec::new();
        for Found { mut report, settings, .. } in std::mem::take(&mut self.found) {
            self.apply_to(&mut report, settings.as_ref());
            if !report.checked.findings.is_empty() {
                own.push(report);
            }
        }
        own.sort_by(|one, other| one.path.cmp(&other.path));
        outcome.files.splice(0..0, own);
        self.folders.clear();
        outcome.errors.append(&mut self.errors);
    }

    /// Changes the findings of one file by what it allows, its settings and the command line.
    pub(crate) fn apply_to_one(&mut self, file: &mut FileReport) {
        let index = self.of(&normal(&file.path));
        let settings = index.and_then(|index| self.found[index].settings.as_ref());
        self.apply_to(file, settings);
    }

    fn apply_to(&self, file: &mut FileReport, settings: Option<&Settings>) {
        let level = |rule: &Rule| {
            let name = rule.name;
            self.levels.get(name).map(|(_, level)| level).or_else(|| {
                let rules = settings?.rules.as_ref()?;
                rules.iter().find(|(rule, _)| rule.rule().name == name).map(|(_, level)| level)
            })
        };
        // What is off unless somebody asks is not held back by anybody.
        file.checked
            .findings
            .retain(|finding| level(finding.rule).is_some() || !is_off_by_default(finding.rule));
        file.standing.strict = self.strict || settings.is_some_and(Settings::strict);
        // Errors that are not reported as such.
        let mut lost = allowance::apply(file, |rule| {
            level(rule).map_or_else(|| !is_off_by_default(rule), |level| *level != Level::Off)
        });
        let Standing { off, .. } = &mut file.standing;
        file.checked.findings.retain_mut(|finding| {
            let Some(level) = level(finding.rule) else { return true };
            let severity = level.severity();
            lost += usize::from(finding.severity == Severity::Error && severity != Some(Severity::Error));
            *off += usize::from(severity.is_none());
            finding.severity = severity.unwrap_or(finding.severity);
            severity.is_some()
        });
        file.standing.unreadable = lost > 0 && !file.standing.valid && file.checked.manifest.is_none();
        for finding in &mut file.checked.findings {
            let plain = std::mem::replace(finding, Finding::new(finding.rule, "", finding.span, ""));
            *finding = plain.masked();
        }
    }
}

/// Whether a file holds settings, going by its path.
pub(crate) fn is_settings(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == FILE) && !is_a_place(path)
}

/// A path as people know it: from the current folder down where it lies there.
fn shown(path: &Path) -> PathBuf {
    let here = normal(Path::new("."));
    path.strip_prefix(&here).map_or_else(|_| path.to_owned(), Path::to_owned)
}
