//! The index of a run: its registries, and the names that are defined in each.

use super::Facts;
use crate::path;
use crate::report::shown_path;
use crate::rules;
use crate::walk::{FileReport, read_text};
use agentry::Kind;
use agentry_text::{Lines, Span, nearest, quoted};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// How many names of a run are compared with others for likeness: a registry in which everything is misnamed should
/// not take for ever.
const MAX_COMPARED: usize = 500_000;

/// What the rules across files share.
pub(super) struct Run<'r> {
    files: &'r [FileReport],
    facts: &'r [Option<Box<Facts>>],
    /// Where each file is.
    homes: Vec<Home>,
    registries: Vec<Registry>,
    /// The files of the run, by their absolute paths.
    by_path: HashMap<PathBuf, usize>,
    names: HashMap<(usize, Kind), Names>,
    /// The roles of all hands in an outermost registry: agents without a file of their own.
    roles: HashSet<(usize, &'r str)>,
    /// Whether the run holds every file of a kind at its usual place in a registry.
    complete: RefCell<HashMap<(usize, Kind), bool>>,
    compared: Cell<usize>,
}

/// Where a file is.
#[derive(Debug, Default)]
struct Home {
    /// Its registry, where it is in one.
    registry: Option<usize>,
    /// What its path calls it, at the usual place of its kind.
    name: Option<String>,
}

/// A folder in which files are at the usual places of their kinds.
#[derive(Debug)]
struct Registry {
    folder: PathBuf,
    /// The registry around it.
    around: Option<usize>,
    /// The registry around it that is in no other, or itself.
    outer: usize,
}

/// The names of a kind that are defined somewhere in an outermost registry.
#[derive(Debug, Default)]
struct Names {
    all: HashSet<String>,
    /// One of those that are alike but for case and the sign between words.
    folded: HashMap<String, String>,
}

impl Names {
    fn insert(&mut self, name: &str) {
        if self.all.insert(name.to_owned()) {
            self.folded.entry(super::folded(name)).or_insert_with(|| name.to_owned());
        }
    }
}

impl<'r> Run<'r> {
    pub(super) fn new(files: &'r [FileReport], facts: &'r [Option<Box<Facts>>]) -> Self {
        let paths: Vec<PathBuf> = files
            .iter()
            .map(|file| std::path::absolute(&file.path).unwrap_or_else(|_| file.path.clone()))
            .collect();
        let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
        let mut places: Vec<Option<(PathBuf, Option<String>)>> = Vec::with_capacity(files.len());
        for (file, path) in files.iter().zip(&paths) {
            let place = file.checked.kind.and_then(|kind| usual_place(kind, path));
            if let Some((folder, _)) = &place {
                folders.insert(folder.clone());
            }
            places.push(place);
        }
        // In their order each comes after those around it.
        let mut registries: Vec<Registry> = Vec::with_capacity(folders.len());
        let by_folder: HashMap<PathBuf, usize> =
            folders.into_iter().enumerate().map(|(index, folder)| (folder, index)).collect();
        let mut ordered: Vec<(&PathBuf, usize)> =
            by_folder.iter().map(|(folder, index)| (folder, *index)).collect();
        ordered.sort_unstable_by_key(|(_, index)| *index);
        for (folder, index) in ordered {
            let around = folder.ancestors().skip(1).find_map(|around| by_folder.get(around)).copied();
            let outer = around.map_or(index, |around| registries[around].outer);
            registries.push(Registry { folder: folder.clone(), around, outer });
        }
        let homes = places.into_iter().zip(&paths).map(|(place, path)| match place {
            Some((folder, name)) => Home { registry: by_folder.get(&folder).copied(), name },
            None => Home {
                registry: path.ancestors().find_map(|around| by_folder.get(around)).copied(),
                name: None,
            },
        });
        let homes: Vec<Home> = homes.collect();
        let mut names: HashMap<(usize, Kind), Names> = HashMap::new();
        let mut roles = HashSet::new();
        for (index, (file, home)) in files.iter().zip(&homes).enumerate() {
            let (Some(kind), Some(registry)) = (file.checked.kind, home.registry) else { continue };
            let names = names.entry((registries[registry].outer, defined_as(kind))).or_default();
            let outer = registries[registry].outer;
            let told = facts[index].iter().flat_map(|facts| &facts.roles);
            roles.extend(told.map(|role| (outer, role.as_str())));
            let stated = facts[index].as_ref().and_then(|facts| facts.name.as_ref());
            for name in stated.map(|name| name.name.as_str()).into_iter().chain(home.name.as_deref()) {
                names.insert(name);
            }
        }
        let by_path = paths.into_iter().enumerate().map(|(index, path)| (path, index)).collect();
        let (complete, compared) = (RefCell::default(), Cell::new(0));
        Self { files, facts, homes, registries, by_path, names, roles, complete, compared }
    }

    /// The facts, each with the index of its file, in the order of the files.
    pub(super) fn facts(&self) -> impl Iterator<Item = (usize, &'r Facts)> + use<'r> {
        self.facts.iter().enumerate().filter_map(|(file, facts)| Some((file, facts.as_deref()?)))
    }

    /// The registry of a file, where it is in one.
    pub(super) fn registry(&self, file: usize) -> Option<usize> {
        self.homes[file].registry
    }

    /// The registry around the one of a file that is in no other.
    pub(super) fn outermost(&self, file: usize) -> Option<usize> {
        Some(self.registries[self.registry(file)?].outer)
    }

    /// Whether a hand has a role of that name, in the outermost registry around a file.
    pub(super) fn has_role(&self, file: usize, name: &str) -> bool {
        self.outermost(file).is_some_and(|outer| self.roles.contains(&(outer, name)))
    }

    /// A document, for people: agent `coder`.
    pub(super) fn called(&self, file: usize) -> String {
        let facts = self.facts[file].as_ref();
        let kind = facts.map_or("file", |facts| facts.kind.name());
        let name = facts.and_then(|facts| Some(quoted(&facts.name.as_ref()?.name)));
        name.map_or_else(|| kind.to_owned(), |name| format!("{kind} {name}"))
    }

    /// What the path of a file calls it, where it is at the usual place of its kind.
    pub(super) fn path_name(&self, file: usize) -> Option<&str> {
        self.homes[file].name.as_deref()
    }

    /// The path of a file, for people.
    pub(super) fn path(&self, file: usize) -> String {
        shown_path(&self.files[file].path)
    }

    /// A place in a file, for people: `agents/coder/agent.toml:1:8`.
    pub(super) fn place(&self, file: usize, span: Span) -> String {
        let file = &self.files[file];
        // The text of a file with nothing to show was let go.
        let again = if file.text.is_empty() { read_text(&file.path) } else { None };
        let text = again.as_deref().unwrap_or(&file.text);
        let at = Lines::new(text).position(span.start.min(text.len()));
        format!("{}:{}:{}", shown_path(&file.path), at.line, at.column)
    }

    /// Whether two paths lead to one file.
    pub(super) fn is_one_file(&self, one: usize, other: usize) -> bool {
        let real = |file: usize| fs::canonicalize(&self.files[file].path).ok();
        real(one).is_some_and(|path| Some(path) == real(other))
    }

    /// Whether a document of a kind is called so, in the outermost registry around a file: by itself, or by its path.
    pub(super) fn defines(&self, file: usize, kind: Kind, name: &str) -> bool {
        self.names(file, kind).is_some_and(|names| names.all.contains(name))
    }

    /// Whether this run read all documents of a kind that the registry of a file has, or one around it, and there is one.
    pub(super) fn holds_all(&self, file: usize, kind: Kind) -> bool {
        let mut around = std::iter::successors(self.registry(file), |&inner| self.registries[inner].around);
        around.any(|registry| {
            if let Some(complete) = self.complete.borrow().get(&(registry, kind)) {
                return *complete;
            }
            let complete = self.is_complete(&self.registries[registry].folder, kind);
            self.complete.borrow_mut().insert((registry, kind), complete);
            complete
        })
    }

    fn is_complete(&self, registry: &Path, kind: Kind) -> bool {
        let kinds = Kind::ALL.iter().filter(|other| defined_as(**other) == kind);
        let mut found = Vec::new();
        for pattern in kinds.flat_map(|kind| kind.paths()).filter(|pattern| !pattern.starts_with('<')) {
            path::find(registry, pattern, &mut found);
        }
        !found.is_empty()
            && found.iter().all(|path| {
                let Some(&file) = self.by_path.get(path) else { return false };
                // A template defines nothing. What a document is called, its path says too; which models a provider
                // has, only the text.
                let is_template =
                    || self.files[file].checked.findings.iter().any(|one| one.rule == &rules::TEMPLATE);
                match &self.facts[file] {
                    // Nobody knows what a file that could not be read defines.
                    _ if self.files[file].checked.kind.is_none() => false,
                    Some(facts) => facts.is_whole || kind != Kind::Provider,
                    None => kind != Kind::Provider || is_template(),
                }
            })
    }

    /// The name of a document of a kind that is nearly the given one, in the outermost registry around a file.
    pub(super) fn nearest(&self, file: usize, kind: Kind, name: &str) -> Option<&str> {
        let names = self.names(file, kind)?;
        if let Some(alike) = names.folded.get(&super::folded(name)) {
            return Some(alike);
        }
        self.compare(name, names.all.iter().map(String::as_str), names.all.len())
    }

    /// The candidate that is nearly a name.
    pub(super) fn compare<'c>(
        &self,
        name: &str,
        candidates: impl Iterator<Item = &'c str>,
        count: usize,
    ) -> Option<&'c str> {
        let compared = self.compared.get() + count;
        if compared > MAX_COMPARED {
            return None;
        }
        self.compared.set(compared);
        nearest(name, candidates)
    }

    fn names(&self, file: usize, kind: Kind) -> Option<&Names> {
        self.names.get(&(self.outermost(file)?, kind))
    }
}

/// The kind under which something is asked for: a skill is one, whatever its format.
fn defined_as(kind: Kind) -> Kind {
    if kind == Kind::SkillMd { Kind::Skill } else { kind }
}

/// The registry around a file that is at the usual place of its kind, and what its path calls it.
fn usual_place(kind: Kind, path: &Path) -> Option<(PathBuf, Option<String>)> {
    // Packages stand anywhere, and in no registry.
    if kind == Kind::Package {
        return None;
    }
    let usual = path::in_usual_case(path);
    kind.paths().iter().filter(|pattern| !pattern.starts_with('<')).find_map(|pattern| {
        let found = path::matches(&usual, pattern)?;
        let folder = path.ancestors().nth(pattern.split('/').count())?;
        Some((folder.to_owned(), found.name))
    })
}
