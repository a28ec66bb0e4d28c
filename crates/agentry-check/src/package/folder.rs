//! The folder of a package: what lies in it, looked at within limits and without following a link.

use super::credentials::{holds_credentials, is_credential_folder};
use agentry::package::{Matcher, PackageGlob, Progress};
use std::collections::HashMap;
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How many entries of folders are looked at for one package, files and folders together. Everruns' limit.
pub(super) const MAX_ENTRIES: usize = 1024;

/// How many folders deep a package may be. Everruns' limit.
pub(super) const MAX_LEVELS: usize = 32;

/// The folder of a package.
pub(crate) struct Folder {
    root: PathBuf,
    /// Its place without links, to which the places that links lead to are compared.
    real_root: Option<PathBuf>,
    /// How many entries were looked at.
    visited: usize,
    /// The folders that were looked at, by their paths from the root.
    listed: HashMap<String, Listing>,
    /// The folder in which most entries were looked at, and their number.
    largest: (String, usize),
}

/// What must not be in a folder that is shipped as a whole.
#[derive(Debug, Default)]
pub(super) struct Shipped {
    /// Files and folders that usually hold credentials.
    pub(super) credentials: Vec<String>,
    /// Links.
    pub(super) links: Vec<(String, Lead)>,
    /// Why there may be more.
    pub(super) trouble: Option<Trouble>,
}

/// The entries of a folder in the order of their names, or why there are none.
type Listing = Result<Rc<[Item]>, Trouble>;

/// An entry of a folder.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) name: String,
    pub(super) place: Place,
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    File,
    Folder,
    Link,
    /// A socket, a pipe, a device.
    Other,
}

/// What a path of a package leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Nothing,
    /// With its size in bytes.
    File(u64),
    Folder,
    Other,
    /// A link stands in the way, at this path.
    Link(String, Lead),
    Trouble(Trouble),
}

/// Where a link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lead {
    /// To a place within the package.
    Inside,
    /// Out of the package.
    Outside,
    /// To nothing, or back to itself.
    Nowhere,
}

/// Why a folder could not be looked at to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    TooManyEntries,
    TooDeep,
    Unreadable,
}

/// What a source selects.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// The files with their sizes in bytes, in the order of their paths.
    pub(super) files: Vec<(String, u64)>,
    /// Hidden files with credentials that a pattern passes over.
    pub(super) hidden_credentials: Vec<String>,
    /// Links that the source meets.
    pub(super) links: Vec<(String, Lead)>,
    /// Why there may be more.
    pub(super) trouble: Option<Trouble>,
}

impl Place {
    fn of(file_type: FileType) -> Self {
        if file_type.is_symlink() {
            Self::Link
        } else if file_type.is_dir() {
            Self::Folder
        } else if file_type.is_file() {
            Self::File
        } else {
            Self::Other
        }
    }
}

impl Folder {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            real_root: fs::canonicalize(root).ok(),
            visited: 0,
            listed: HashMap::new(),
            largest: (String::new(), 0),
        }
    }

    /// Where a path of the package is on this machine.
    pub(crate) fn locate(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// What stands at a path. Every folder on the way is looked at, so that no link is followed.
    pub(crate) fn find(&self, path: &str) -> Found {
        let mut so_far = String::new();
        let mut found = Found::Folder;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            if found != Found::Folder {
                return Found::Nothing;
            }
            join(&mut so_far, name);
            let metadata = match fs::symlink_metadata(self.locate(&so_far)) {
                Ok(metadata) => metadata,
                Err(error) if is_absent(&error) => return Found::Nothing,
                Err(_) => return Found::Trouble(Trouble::Unreadable),
            };
            found = match Place::of(metadata.file_type()) {
                Place::File => Found::File(metadata.len()),
                Place::Folder => Found::Folder,
                Place::Other => Found::Other,
                Place::Link => {
                    let lead = self.lead(&so_far);
                    return Found::Link(so_far, lead);
                }
            };
        }
        found
    }

    /// Where a link leads.
    fn lead(&self, path: &str) -> Lead {
        let link = self.locate(path);
        let Ok(target) = fs::canonicalize(&link) else { return Lead::Nowhere };
        let Some(root) = &self.real_root else { return Lead::Outside };
        if !target.starts_with(root) {
            return Lead::Outside;
        }
        // A folder that holds the link itself: whoever follows it goes in a circle.
        let holder = link.parent().and_then(|parent| fs::canonicalize(parent).ok());
        if holder.is_some_and(|holder| holder.starts_with(&target)) { Lead::Nowhere } else { Lead::Inside }
    }

    /// The entries of a folder, in the order of their names.
    pub(super) fn list(&mut self, path: &str) -> Listing {
        if let Some(listing) = self.listed.get(path) {
            return listing.clone();
        }
        let listing = self.read(path);
        self.listed.insert(path.to_owned(), listing.clone());
        listing
    }

    /// The folder in which most entries were looked at; empty for the package itself.
    pub(super) fn largest(&self) -> &str {
        &self.largest.0
    }

    fn read(&mut self, path: &str) -> Listing {
        let before = self.visited;
        let listing = self.read_entries(path);
        let entries = self.visited - before;
        if entries > self.largest.1 {
            self.largest = (path.to_owned(), entries);
        }
        listing
    }

    fn read_entries(&mut self, path: &str) -> Listing {
        if path.split('/').count() > MAX_LEVELS {
            return Err(Trouble::TooDeep);
        }
        let entries = fs::read_dir(self.locate(path)).map_err(|_| Trouble::Unreadable)?;
        let mut items = Vec::new();
        for entry in entries {
            // Counted before anything is kept: a folder of millions costs no more than one of a thousand.
            self.visited += 1;
            if self.visited > MAX_ENTRIES {
                return Err(Trouble::TooManyEntries);
            }
            let entry = entry.map_err(|_| Trouble::Unreadable)?;
            let place = entry.file_type().map(Place::of).map_err(|_| Trouble::Unreadable)?;
            items.push(Item { name: entry.file_name().to_string_lossy().into_owned(), place });
        }
        items.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(items.into())
    }

    /// The name that was probably meant by a path that leads to nothing: one that differs a little from its last part.
    pub(super) fn nearest(&mut self, path: &str) -> Option<String> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if self.find(folder) != Found::Folder {
            return None;
        }
        let items = self.list(folder).ok()?;
        let near = agentry_text::nearest(name, items.iter().map(|item| item.name.as_str()))?;
        let mut path = folder.to_owned();
        join(&mut path, near);
        Some(path)
    }

    /// The files that a source selects.
    pub(super) fn select(&mut self, source: &PackageGlob) -> Selection {
        let matcher = source.matcher();
        let mut selection = Selection::default();
        // The names before the first wildcard lead to one place, whatever else lies beside it.
        let literal: Vec<&str> = source
            .plain()
            .split('/')
            .take_while(|name| !name.is_empty() && !name.contains(['*', '?', '[', '{']))
            .collect();
        let start = literal.iter().fold(matcher.start(), |progress, name| matcher.enter(&progress, name));
        let path = literal.join("/");
        match self.find(&path) {
            Found::File(bytes) => {
                if matcher.selects(&start) {
                    selection.files.push((path, bytes));
                }
            }
            Found::Folder => self.walk(&path, &start, &matcher, &mut selection),
            Found::Link(link, lead) => selection.links.push((link, lead)),
            Found::Trouble(trouble) => selection.trouble = Some(trouble),
            Found::Nothing | Found::Other => {}
        }
        selection
    }

    /// What must not be shipped with a folder.
    pub(super) fn everything(&mut self, path: &str) -> Shipped {
        let mut shipped = Shipped::default();
        let mut folders = vec![path.to_owned()];
        while let Some(folder) = folders.pop() {
            let items = match self.list(&folder) {
                Ok(items) => items,
                Err(trouble) => {
                    shipped.trouble.get_or_insert(trouble);
                    if trouble == Trouble::TooManyEntries {
                        break;
                    }
                    continue;
                }
            };
            for item in items.iter() {
                let mut below = folder.clone();
                join(&mut below, &item.name);
                match item.place {
                    // The folder of a skill may be under version control itself.
                    Place::Folder if item.name == ".git" => {}
                    Place::Folder if is_credential_folder(&item.name) => shipped.credentials.push(below),
                    Place::Folder => folders.push(below),
                    Place::File if holds_credentials(&below) => shipped.credentials.push(below),
                    Place::Link => {
                        let lead = self.lead(&below);
                        shipped.links.push((below, lead));
                    }
                    Place::File | Place::Other => {}
                }
            }
        }
        shipped.credentials.sort();
        shipped.links.sort_by(|one, other| one.0.cmp(&other.0));
        shipped
    }

    fn walk(&mut self, path: &str, progress: &Progress, matcher: &Matcher, selection: &mut Selection) {
        let items = match self.list(path) {
            Ok(items) => items,
            Err(trouble) => {
                selection.trouble.get_or_insert(trouble);
                return;
            }
        };
        for item in items.iter() {
            if selection.trouble == Some(Trouble::TooManyEntries) {
                return;
            }
            let mut below = path.to_owned();
            join(&mut below, &item.name);
            let next = matcher.enter(progress, &item.name);
            match item.place {
                Place::File if matcher.selects(&next) => {
                    let bytes =
                        fs::symlink_metadata(self.locate(&below)).map_or(0, |metadata| metadata.len());
                    selection.files.push((below, bytes));
                }
                Place::File => {
                    let hidden = matcher.enter_hidden(progress, &item.name);
                    if matcher.selects(&hidden) && holds_credentials(&below) {
                        selection.hidden_credentials.push(below);
                    }
                }
                Place::Folder if matcher.goes_on(&next) => self.walk(&below, &next, matcher, selection),
                // A folder of versions is beside every source, and nobody takes it for a part of the package.
                Place::Folder if is_credential_folder(&item.name) && item.name != ".git" => {
                    if matcher.goes_on(&matcher.enter_hidden(progress, &item.name)) {
                        selection.hidden_credentials.push(below);
                    }
                }
                Place::Link if matcher.selects(&next) || matcher.goes_on(&next) => {
                    let lead = self.lead(&below);
                    selection.links.push((below, lead));
                }
                Place::Folder | Place::Link | Place::Other => {}
            }
        }
    }
}

/// Adds a name to a path.
pub(super) fn join(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('/');
    }
    path.push_str(name);
}

/// Whether an error says that there is nothing, and not that something may not be looked at.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
    )
}
