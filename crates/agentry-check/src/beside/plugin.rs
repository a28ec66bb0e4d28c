//! The files that a plugin names: the scripts of its hooks, its requirements, and what it has hashes of.

use crate::package::folder::{Folder, Found, Lead};
use crate::rules;
use crate::values::scripts;
use crate::walk::open;
use agentry::package::PackagePath;
use agentry::values::Sha256;
use agentry_text::{Finding, Node, Severity, Span, nearest, quoted};
use sha2::Digest as _;
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::Path;

/// The largest file that is hashed, in bytes (64 MiB): a script is a few kilobytes, a program of its own a few megabytes.
const MAX_HASHED: u64 = 64 * 1024 * 1024;

/// How many names of a folder are looked through for one like a missing one.
const MAX_NAMES: usize = 1000;

/// A file that the manifest names.
struct Named<'n> {
    path: PackagePath,
    pointer: String,
    span: Span,
    /// What it is, for messages.
    role: String,
    /// The hash that it must have.
    hash: Option<(&'n str, Span)>,
}

/// Looks at each file that the manifest names, within the folder of the plugin and without following a link.
pub(super) fn check(root: &Node, path: &Path, findings: &mut Vec<Finding>) {
    let Some(base) = path.parent() else { return };
    let folder = Folder::new(base);
    let named = named(root);
    // Of a manifest that lies alone nobody knows whether its files were forgotten, or only not copied.
    if is_alone(base, path) {
        findings.extend(named.first().map(|first| absent(first, named.len())));
        return;
    }
    // Programs are often built where the plugin is installed.
    let built = root.pointer("/hooks/runtime").and_then(Node::as_str) == Some("native");
    findings.extend(named.iter().filter_map(|named| {
        let finding = fault(&folder, base, named)?;
        let may_come = built && finding.rule == &rules::MISSING_FILE;
        Some(if may_come { finding.severity(Severity::Hint) } else { finding })
    }));
}

/// The files of a manifest beside which nothing lies: the first that it names, for all of them.
fn absent(first: &Named<'_>, count: usize) -> Finding {
    let message = match count {
        1 => format!("{}, {}, is not beside this file", quoted(first.path.as_str()), first.role),
        _ => format!("none of the {count} files that this manifest names is beside it"),
    };
    Finding::new(&rules::MISSING_FILE, &first.pointer, first.span, message)
        .severity(Severity::Hint)
        .label("no such file")
        .help(
            "check the manifest where the whole plugin is, or add the files: nothing else lies in its folder",
        )
}

/// What a manifest names, in the order of its keys.
fn named(root: &Node) -> Vec<Named<'_>> {
    let mut all: Vec<Named<'_>> = scripts(root)
        .map(|(hook, node, path)| Named {
            path,
            pointer: format!("/hooks/{hook}"),
            span: node.span,
            role: format!("the script of `{hook}`"),
            hash: None,
        })
        .collect();
    if let Some(entry) = root.get("requirements")
        && let Some(path) = entry.node.as_str().and_then(|text| PackagePath::new(text).ok())
    {
        let (pointer, span) = ("/requirements".to_owned(), entry.node.span);
        all.push(Named { path, pointer, span, role: "the list of packages".to_owned(), hash: None });
    }
    let integrity = root.get("integrity").and_then(|entry| entry.node.as_table());
    for entry in integrity.into_iter().flat_map(|table| &table.entries) {
        let Ok(path) = PackagePath::new(&entry.key) else { continue };
        let hash = entry.node.as_str().filter(|hash| Sha256::new(*hash).is_ok());
        all.push(Named {
            path,
            pointer: format!("/integrity/{}", entry.key.replace('~', "~0").replace('/', "~1")),
            span: entry.key_span,
            role: "of which a hash is stated".to_owned(),
            hash: hash.map(|hash| (hash, entry.node.span)),
        });
    }
    all
}

fn fault(folder: &Folder, base: &Path, named: &Named<'_>) -> Option<Finding> {
    let shown = quoted(named.path.as_str());
    let missing = |message: String| Finding::new(&rules::MISSING_FILE, &named.pointer, named.span, message);
    match folder.find(named.path.plain()) {
        Found::Nothing => Some(
            missing(format!("{shown}, {}, is not beside this file", named.role)).label("no such file").help(
                match near(base, named.path.plain()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "add the file, or write its path from the folder of this file on".to_owned(),
                },
            ),
        ),
        Found::Folder => Some(
            missing(format!("{shown}, {}, is a folder", named.role))
                .label("no file")
                .help("name the file itself"),
        ),
        Found::Other => Some(
            missing(format!("{shown}, {}, is no file", named.role))
                .label("no file")
                .help("name a plain file"),
        ),
        Found::Trouble(_) => Some(
            missing(format!("{shown}, {}, may not be read", named.role))
                .severity(Severity::Warning)
                .help("look at the permissions of the file and its folders"),
        ),
        Found::Link(link, lead) => {
            let link = quoted(&link);
            let (message, severity) = match lead {
                Lead::Outside => {
                    (format!("{link} is a link that leads out of the plugin"), rules::PACKAGE_LINK.severity)
                }
                Lead::Nowhere => (
                    format!("{link} is a link that leads nowhere, or back to itself"),
                    rules::PACKAGE_LINK.severity,
                ),
                Lead::Inside => {
                    (format!("{link} is a link to another place of the plugin"), Severity::Warning)
                }
            };
            Some(
                Finding::new(&rules::PACKAGE_LINK, &named.pointer, named.span, message)
                    .severity(severity)
                    .label("a link is not followed")
                    .help(
                        "put the file itself there: whoever installs the plugin gets its files, and no links",
                    ),
            )
        }
        Found::File(bytes) => {
            let (hash, span) = named.hash?;
            if bytes > MAX_HASHED {
                let message =
                    format!("{shown} is larger than the {MAX_HASHED} bytes of which a hash is computed here");
                return Some(
                    Finding::new(&agentry_text::rules::TOO_LARGE, &named.pointer, span, message)
                        .severity(Severity::Hint)
                        .label("not compared")
                        .help("is this a script? compare its hash by hand"),
                );
            }
            let found = sha256(&folder.locate(named.path.plain()))?;
            if hash.eq_ignore_ascii_case(&found) {
                return None;
            }
            let message = format!(
                "{shown} has another hash than stated: it begins with `{}`, and `{}` is stated",
                &found[..8],
                &hash[..8]
            );
            Some(
                Finding::new(&rules::HASH_MISMATCH, &named.pointer, span, message)
                    .label("the hash of another text")
                    .help(format!(
                        "if the change of the file was meant, write what `sha256sum {}` prints; line ends count too",
                        named.path.plain()
                    )),
            )
        }
    }
}

/// Whether nothing but the manifest lies in the folder, hidden files aside.
pub(super) fn is_alone(base: &Path, manifest: &Path) -> bool {
    let Ok(entries) = fs::read_dir(base) else { return true };
    let mut others = entries.flatten().map(|entry| entry.file_name());
    !others.any(|name| !name.as_encoded_bytes().starts_with(b".") && Some(&*name) != manifest.file_name())
}

/// A file of the same folder whose name is nearly the missing one.
pub(super) fn near(base: &Path, path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let listing = match Folder::new(base).find(folder) {
        Found::Folder => fs::read_dir(base.join(folder)).ok()?,
        _ => return None,
    };
    let names = listing.take(MAX_NAMES).flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let names: Vec<String> = names.collect();
    let near = nearest(name, names.iter().map(String::as_str))?;
    Some(if folder.is_empty() { near.to_owned() } else { format!("{folder}/{near}") })
}

/// The hash of a file, as 64 lowercase hexadecimal digits; None where it cannot be read.
fn sha256(path: &Path) -> Option<String> {
    let mut file = open(path).ok()?.take(MAX_HASHED + 1);
    let mut hasher = sha2::Sha256::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => break,
            length => hasher.update(&buffer[..length]),
        }
    }
    let mut hash = String::with_capacity(64);
    for byte in hasher.finalize() {
        let _ = write!(hash, "{byte:02x}");
    }
    Some(hash)
}
