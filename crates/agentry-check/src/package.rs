//! Agent packages as folders: what a manifest selects must be there, inside the folder, and fit to be shipped.
//!
//! The text is judged by the tree and not by the value, so that a fault elsewhere in the manifest hides none here. What
//! a path may look like is said by its type; a path that is no such value is passed over.
//!
//! Decisions where the specification says nothing follow what Everruns documents for folders: a source that is a folder
//! selects all files below it; hidden files are selected only by name; a mapped pattern sends every match to one place;
//! links are no part of a package; the manifest and the instructions may be selected like any file.

mod credentials;
mod destinations;
pub(crate) mod folder;
mod skills;

use crate::walk::open;
use crate::{pointer, rules};
use agentry::Kind;
use agentry::package::{Destination, PackageGlob, PackagePath};
use agentry_text::{Finding, Kind as NodeKind, Node, Rule, Span, Text as _, quoted};
pub(crate) use credentials::holds_credentials;
use destinations::Destinations;
use folder::{Folder, Found, Lead, MAX_ENTRIES, MAX_LEVELS, Selection, Trouble, join};
use std::io::Read as _;
use std::path::Path;

/// How many files a package may have. Everruns' limit.
const MAX_FILES: usize = 100;

/// How large one file may be, in bytes. Everruns' limit.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// How large all files may be together, in bytes. Everruns' limit.
const MAX_TOTAL_BYTES: u64 = 5 * 1024 * 1024;

/// Where instructions stand if the manifest says nothing.
const INSTRUCTIONS: &str = "instructions.md";

/// Judges a manifest against the folder that it is in. `damaged` says that the tree may lack parts of the text.
pub(crate) fn check(root: &Node, manifest: &Path, damaged: bool, findings: &mut Vec<Finding>) {
    let Some(parent) = manifest.parent() else { return };
    let mut check = Check {
        root,
        folder: Folder::new(parent),
        // A manifest of another name is a file by itself, and its folder may be of any sort.
        is_package: manifest
            .file_name()
            .is_some_and(|name| Kind::Package.paths().iter().any(|manifest| name == *manifest)),
        findings: Vec::new(),
        stopped: false,
    };
    if check.is_package {
        check.other_manifests(manifest);
    }
    check.instructions(damaged);
    check.files();
    skills::check(&mut check);
    findings.extend(check.findings.into_iter().map(Finding::masked));
}

/// A package under check.
struct Check<'c> {
    root: &'c Node,
    folder: Folder,
    is_package: bool,
    findings: Vec<Finding>,
    /// Whether the folder turned out too large, which is said once.
    stopped: bool,
}

/// A place in the manifest.
#[derive(Clone, Debug)]
struct Place {
    pointer: String,
    span: Span,
}

/// What a source asks for.
struct Source<'c> {
    place: Place,
    text: &'c str,
    glob: PackageGlob,
    destination: Option<(Place, Destination)>,
}

impl Check<'_> {
    fn push(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// A package has one manifest.
    fn other_manifests(&mut self, manifest: &Path) {
        let own = manifest.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let others: Vec<&str> = Kind::Package
            .paths()
            .iter()
            .copied()
            .filter(|name| *name != own && matches!(self.folder.find(name), Found::File(_)))
            .collect();
        if !others.is_empty() {
            self.push(
                Finding::new(
                    &rules::SEVERAL_MANIFESTS,
                    "",
                    Span::default(),
                    format!("there is {} beside this manifest", listed(&others)),
                )
                .help("keep one manifest in a folder: readers refuse a package with several, or take either"),
            );
        }
    }

    /// The instructions: in the manifest, in the file that it names, or in `instructions.md`.
    fn instructions(&mut self, damaged: bool) {
        let node = |key: &str| self.root.get(key).map(|entry| &entry.node);
        let inline = pointer::entry(Kind::Package, self.root, "instructions");
        if let Some(file) = node("instructions_file").filter(|node| !matches!(node.kind, NodeKind::Null)) {
            let place = Place { pointer: "/instructions_file".to_owned(), span: file.span };
            if let Some(path) = file.as_str().and_then(|text| PackagePath::new(text).ok()) {
                self.instructions_file(&place, path.plain(), true);
            }
            return;
        }
        // Anything but an empty text is said in the manifest, be it as it may.
        let said = inline.is_some_and(|entry| entry.node.as_str() != Some(""));
        if !said && self.is_package && !damaged {
            self.instructions_file(
                &Place { pointer: String::new(), span: Span::default() },
                INSTRUCTIONS,
                false,
            );
        }
    }

    fn instructions_file(&mut self, place: &Place, path: &str, named: bool) {
        let shown = quoted(path);
        if holds_credentials(path) {
            self.push(
                Finding::new(
                    &rules::CREDENTIAL_FILE,
                    &place.pointer,
                    place.span,
                    format!("{shown} usually holds credentials, and is no place for instructions"),
                )
                .label("shipped to everybody who gets the package")
                .help("write the instructions into a file of their own, and name that"),
            );
            return;
        }
        match self.folder.find(path) {
            Found::Nothing => {
                let near = self.folder.nearest(path);
                let (message, help) = if named {
                    (format!("there is no file {shown} for the instructions"), missing_help(near.as_deref()))
                } else {
                    (
                        format!(
                            "the package has no instructions: neither `instructions`, nor `instructions_file`, nor a file {shown}"
                        ),
                        match near {
                            Some(near) => format!(
                                "rename {} to {shown}, or name it in `instructions_file`",
                                quoted(&near)
                            ),
                            None => format!("write {shown} beside the manifest, or `instructions` into it"),
                        },
                    )
                };
                self.push(
                    Finding::new(&rules::MISSING_FILE, &place.pointer, place.span, message)
                        .label(if named { "no such file" } else { "" })
                        .help(help),
                );
            }
            Found::File(bytes) => self.instructions_text(place, path, bytes),
            Found::Link(link, lead) => self.link(place, &link, lead),
            Found::Trouble(trouble) => self.trouble(place, trouble),
            Found::Folder | Found::Other => self.push(
                Finding::new(&rules::MISSING_FILE, &place.pointer, place.span, format!("{shown} is no file"))
                    .label("not a file")
                    .help("name the file that holds the instructions"),
            ),
        }
    }

    /// Instructions are text, and there are some.
    fn instructions_text(&mut self, place: &Place, path: &str, bytes: u64) {
        let shown = quoted(path);
        let finding =
            |rule: &'static Rule, message: String| Finding::new(rule, &place.pointer, place.span, message);
        if bytes > MAX_FILE_BYTES {
            self.too_large(place, path, bytes);
            return;
        }
        // The file may have grown since.
        let mut text = Vec::new();
        let read =
            open(&self.folder.locate(path)).and_then(|file| file.take(MAX_FILE_BYTES).read_to_end(&mut text));
        if read.is_err() {
            self.trouble(place, Trouble::Unreadable);
            return;
        }
        match std::str::from_utf8(&text) {
            Ok(text) if text.contains('\0') => self.push(
                finding(
                    &agentry_text::rules::NOT_TEXT,
                    format!("{shown} is binary, and instructions are text"),
                )
                .label("no text")
                .help("name the file that holds the instructions"),
            ),
            Ok(text) if text.trim_start_matches('\u{feff}').trim().is_empty() => self.push(
                finding(&agentry_text::rules::EMPTY_FILE, format!("{shown} holds no instructions"))
                    .label("an empty file")
                    .help("write what the agent should do into it"),
            ),
            Ok(_) => {}
            Err(_) => self.push(
                finding(&agentry_text::rules::NOT_TEXT, format!("{shown} is not UTF-8"))
                    .label("no text")
                    .help("save the file as UTF-8 text"),
            ),
        }
    }

    /// The files that are copied to the working directory.
    fn files(&mut self) {
        let Some(NodeKind::Array(entries)) = self.root.get("files").map(|entry| &entry.node.kind) else {
            return;
        };
        let mut destinations = Destinations::default();
        let mut count = 0;
        let mut total = 0;
        for (index, entry) in entries.iter().take(MAX_FILES).enumerate() {
            let pointer = format!("/files/{index}");
            match source(&pointer, entry) {
                Entry::Source(source) => {
                    let selection = self.source(&source);
                    let before = (count, total);
                    count += selection.files.len();
                    total += selection.files.iter().map(|(_, bytes)| bytes).sum::<u64>();
                    self.limits(&source.place, before, (count, total));
                    // Of more files than a package has, nobody compares each with each.
                    if count <= MAX_FILES {
                        self.destinations(&source, &selection, &mut destinations);
                    }
                }
                Entry::Embedded(place, destination) => {
                    self.limits(&place, (count, total), (count + 1, total));
                    count += 1;
                    destinations.add(place, destination.resolved().to_owned(), None);
                }
                Entry::Unreadable => {}
            }
        }
        self.findings.append(&mut destinations.findings());
    }

    /// What a source selects, with what is wrong with that.
    fn source(&mut self, source: &Source<'_>) -> Selection {
        let place = &source.place;
        let plain = source.glob.plain();
        let literal = !source.glob.has_wildcards();
        if literal && holds_credentials(plain) {
            self.push(
                Finding::new(
                    &rules::CREDENTIAL_FILE,
                    &place.pointer,
                    place.span,
                    format!("{} usually holds credentials", quoted(plain)),
                )
                .label("shipped to everybody who gets the package")
                .help("take it out of `files`; name the variables that the agent needs, and set them where it runs"),
            );
            return Selection::default();
        }
        let selection = self.folder.select(&source.glob);
        for (link, lead) in &selection.links {
            self.link(place, link, *lead);
        }
        if let Some(trouble) = selection.trouble {
            self.trouble(place, trouble);
        }
        let whole = selection.links.is_empty() && selection.trouble.is_none();
        if selection.files.is_empty() && whole {
            self.nothing_selected(source, literal);
        }
        if !literal || selection.files.iter().any(|(path, _)| path != plain) {
            self.credentials(place, &selection);
            self.names(place, &selection);
        }
        for (path, bytes) in selection.files.iter().filter(|(_, bytes)| *bytes > MAX_FILE_BYTES).take(1) {
            self.too_large(place, path, *bytes);
        }
        selection
    }

    fn nothing_selected(&mut self, source: &Source<'_>, literal: bool) {
        let plain = source.glob.plain();
        let shown = quoted(source.text);
        let found = if literal { self.folder.find(plain) } else { Found::Nothing };
        let (message, label, help) = match found {
            Found::Folder => (
                format!("there is no file in the folder {shown}"),
                "an empty folder",
                "put files into it, or take it out of `files`; hidden files are selected only by name".to_owned(),
            ),
            Found::Other => (format!("{shown} is no file"), "not a file", "name a file or a folder".to_owned()),
            _ if literal => {
                let near = self.folder.nearest(plain);
                (format!("there is no file {shown} in the package"), "no such file", missing_help(near.as_deref()))
            }
            _ => (
                format!("{shown} matches no file of the package"),
                "matches nothing",
                "paths start at the folder of the manifest; hidden files match only where the pattern has the dot".to_owned(),
            ),
        };
        self.push(
            Finding::new(&rules::MISSING_FILE, &source.place.pointer, source.place.span, message)
                .label(label)
                .help(help),
        );
    }

    /// Credentials that a source did not name and meets all the same.
    fn credentials(&mut self, place: &Place, selection: &Selection) {
        let selected: Vec<&str> = selection
            .files
            .iter()
            .map(|(path, _)| path.as_str())
            .filter(|path| holds_credentials(path))
            .collect();
        if !selected.is_empty() {
            self.push(
                Finding::new(
                    &rules::CREDENTIAL_FILE,
                    &place.pointer,
                    place.span,
                    format!("this selects {}, which usually holds credentials", listed(&selected)),
                )
                .label("shipped to everybody who gets the package")
                .help("move it out of the folder, or select the other files by a narrower pattern"),
            );
        }
        let hidden: Vec<&str> = selection.hidden_credentials.iter().map(String::as_str).collect();
        if !hidden.is_empty() {
            self.push(
                Finding::new(
                    &rules::CREDENTIAL_FILE,
                    &place.pointer,
                    place.span,
                    format!(
                        "{} lies among the selected files and usually holds credentials",
                        listed(&hidden)
                    ),
                )
                .severity(agentry_text::Severity::Warning)
                .label("left out only because its name begins with a dot")
                .help("move it out of the folder: not every reader passes over hidden files"),
            );
        }
    }

    /// Files that a source did not name, and whose names are trouble elsewhere.
    fn names(&mut self, place: &Place, selection: &Selection) {
        let fault = selection.files.iter().find_map(|(path, _)| match PackagePath::new(path.as_str()) {
            Ok(path) => path.remark(),
            Err(invalid) => Some(invalid),
        });
        if let Some(fault) = fault {
            self.push(
                Finding::new(&agentry::rules::UNPORTABLE_PATH, &place.pointer, place.span, fault.message)
                    .label("selected here")
                    .help("rename the file, or select others: a package is shared across systems"),
            );
        }
    }

    /// The limits that are crossed by an entry: how many files and bytes there were before it, and are with it.
    fn limits(&mut self, place: &Place, before: (usize, u64), after: (usize, u64)) {
        let finding = |message: String| {
            Finding::new(&rules::PACKAGE_LIMIT, &place.pointer, place.span, message)
                .label("too much from here on")
                .help("select what the agent needs to start with, and let it fetch the rest")
        };
        if before.0 <= MAX_FILES && after.0 > MAX_FILES {
            self.push(finding(format!(
                "the package has more than {MAX_FILES} files: {} up to here",
                after.0
            )));
        }
        if before.1 <= MAX_TOTAL_BYTES && after.1 > MAX_TOTAL_BYTES {
            self.push(finding(format!(
                "the files of the package have more than {MAX_TOTAL_BYTES} bytes together: {} up to here",
                after.1
            )));
        }
    }

    fn too_large(&mut self, place: &Place, path: &str, bytes: u64) {
        self.push(
            Finding::new(
                &rules::PACKAGE_LIMIT,
                &place.pointer,
                place.span,
                format!(
                    "{} has {bytes} bytes, and a file of a package at most {MAX_FILE_BYTES}",
                    quoted(path)
                ),
            )
            .label("too large")
            .help("leave it out and let the agent fetch it, or split it"),
        );
    }

    /// Everything in a folder that is shipped as a whole, hidden files as well.
    fn shipped(&mut self, place: &Place, path: &str) {
        let shipped = self.folder.everything(path);
        for (link, lead) in &shipped.links {
            self.link(place, link, *lead);
        }
        if let Some(trouble) = shipped.trouble {
            self.trouble(place, trouble);
        }
        let credentials: Vec<&str> = shipped.credentials.iter().map(String::as_str).collect();
        if !credentials.is_empty() {
            self.push(
                Finding::new(
                    &rules::CREDENTIAL_FILE,
                    &place.pointer,
                    place.span,
                    format!(
                        "{} is shipped as a whole, with {}, which usually holds credentials",
                        quoted(path),
                        listed(&credentials)
                    ),
                )
                .label("shipped to everybody who gets the package")
                .help("move it out of the folder; name the variables that the skill needs, and set them where it runs"),
            );
        }
    }

    /// Says once that a link stands in the way, however many ways lead to it.
    fn link(&mut self, place: &Place, link: &str, lead: Lead) {
        let shown = quoted(link);
        let (message, severity) = match lead {
            Lead::Outside => {
                (format!("{shown} is a link that leads out of the package"), rules::PACKAGE_LINK.severity)
            }
            Lead::Nowhere => (
                format!("{shown} is a link that leads nowhere, or back to itself"),
                rules::PACKAGE_LINK.severity,
            ),
            Lead::Inside => (
                format!("{shown} is a link to another place of the package"),
                agentry_text::Severity::Warning,
            ),
        };
        let said = |finding: &Finding| finding.pointer == place.pointer && finding.message == message;
        if self.findings.iter().any(said) {
            return;
        }
        self.push(
            Finding::new(&rules::PACKAGE_LINK, &place.pointer, place.span, message)
                .severity(severity)
                .label("a link is not followed")
                .help("put the file itself there: a package holds files, and readers refuse links"),
        );
    }

    fn trouble(&mut self, place: &Place, trouble: Trouble) {
        let (rule, message, help): (&'static Rule, String, String) = match trouble {
            Trouble::TooManyEntries if self.stopped => return,
            Trouble::TooManyEntries => {
                self.stopped = true;
                (
                    &rules::PACKAGE_LIMIT,
                    format!(
                        "more than {MAX_ENTRIES} files and folders lie where the package is looked for, and no more are looked at"
                    ),
                    match self.folder.largest() {
                        "" => "move what does not belong to the package out of its folder".to_owned(),
                        largest => format!(
                            "most of them lie in {}: move what the agent does not need elsewhere, or select files by name",
                            quoted(largest)
                        ),
                    },
                )
            }
            Trouble::TooDeep => (
                &rules::PACKAGE_LIMIT,
                format!("the folders selected here nest deeper than {MAX_LEVELS} levels"),
                "select a folder further down, or a narrower pattern".to_owned(),
            ),
            Trouble::Unreadable => (
                &rules::MISSING_FILE,
                "what is selected here may not be read".to_owned(),
                "look at the permissions of the file and its folders".to_owned(),
            ),
        };
        self.push(Finding::new(rule, &place.pointer, place.span, message).help(help));
    }

    /// Where the files of a source go.
    fn destinations(&mut self, source: &Source<'_>, selection: &Selection, destinations: &mut Destinations) {
        let plain = source.glob.plain();
        let single = matches!(&selection.files[..], [(path, _)] if path == plain);
        let Some((place, destination)) = &source.destination else {
            for (path, _) in &selection.files {
                destinations.add(source.place.clone(), path.clone(), Some(path));
            }
            return;
        };
        let resolved = destination.resolved();
        if source.glob.has_wildcards() && selection.files.len() > 1 {
            let files: Vec<&str> = selection.files.iter().map(|(path, _)| path.as_str()).collect();
            self.push(
                Finding::new(
                    &rules::DUPLICATE_DESTINATION,
                    &place.pointer,
                    place.span,
                    format!("{} all go to {}", listed(&files), quoted(resolved)),
                )
                .label("one place for several files")
                .help("leave `path` out to keep their paths, or give a folder as `source`: its files keep theirs below `path`"),
            );
            return;
        }
        if (single || source.glob.has_wildcards()) && destination.as_str().ends_with('/') {
            let mut whole = resolved.to_owned();
            join(&mut whole, plain.rsplit('/').next().unwrap_or(plain));
            self.push(
                Finding::new(
                    &rules::CONTRADICTION,
                    &place.pointer,
                    place.span,
                    format!("{} is a folder, and the source one file", quoted(destination.as_str())),
                )
                .label("the name of the file is missing")
                .help(format!("write the whole destination, such as {}", quoted(&whole))),
            );
        }
        for (path, _) in &selection.files {
            let mut to = resolved.to_owned();
            if !single && !source.glob.has_wildcards() {
                let below = path.strip_prefix(plain).unwrap_or(path).trim_start_matches('/');
                join(&mut to, below);
            }
            destinations.add(place.clone(), to, Some(path));
        }
    }
}

/// An entry of `files`.
enum Entry<'c> {
    Source(Source<'c>),
    /// A file whose content stands in the manifest, with where it goes.
    Embedded(Place, Destination),
    /// Not as its type has it, which the reader says.
    Unreadable,
}

fn source<'c>(pointer: &str, node: &'c Node) -> Entry<'c> {
    let destination = node.get("path").and_then(|entry| {
        let place = Place { pointer: format!("{pointer}/path"), span: entry.node.span };
        Some((place, Destination::new(entry.node.as_str()?).ok()?))
    });
    let (place, node) = match node.get("source") {
        Some(entry) => (Place { pointer: format!("{pointer}/source"), span: entry.node.span }, &entry.node),
        None if node.as_table().is_none() => (Place { pointer: pointer.to_owned(), span: node.span }, node),
        None => return destination.map_or(Entry::Unreadable, |(place, to)| Entry::Embedded(place, to)),
    };
    let Some(text) = node.as_str() else { return Entry::Unreadable };
    match PackageGlob::new(text) {
        Ok(glob) => Entry::Source(Source { place, text, glob, destination }),
        Err(_) => Entry::Unreadable,
    }
}

fn missing_help(near: Option<&str>) -> String {
    match near {
        Some(near) => format!("did you mean {}? paths start at the folder of the manifest", quoted(near)),
        None => {
            "write the file, or name one that is there; paths start at the folder of the manifest".to_owned()
        }
    }
}

/// Some paths for a message.
fn listed(paths: &[&str]) -> String {
    let shown: Vec<String> = paths.iter().take(3).map(|path| quoted(path)).collect();
    match paths.len() - shown.len() {
        0 => match &shown[..] {
            [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => shown.concat(),
        },
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests;
