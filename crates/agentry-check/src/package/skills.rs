//! The skills of a package: folders that hold a `SKILL.md`, or folders of such folders.
//!
//! Whether a `SKILL.md` is good is judged where it is read; here it only has to be there.

use super::folder::{Found, Place as Item};
use super::{Check, Place, listed, missing_help};
use crate::rules;
use agentry::package::PackageFolder;
use agentry_text::{Finding, Kind as NodeKind, Severity, Span, quoted};

/// Where skills are looked for if the manifest names none.
const SKILLS: &str = ".agents/skills";

/// The file that makes a folder a skill.
const SKILL: &str = "SKILL.md";

/// How many skill folders of a manifest are looked at.
const MAX_SKILLS: usize = 100;

pub(super) fn check(check: &mut Check<'_>) {
    let Some(entry) = check.root.get("skills") else {
        if check.is_package {
            unnamed(check);
        }
        return;
    };
    let NodeKind::Array(folders) = &entry.node.kind else { return };
    for (index, node) in folders.iter().take(MAX_SKILLS).enumerate() {
        let place = Place { pointer: format!("/skills/{index}"), span: node.span };
        if let Some(folder) = node.as_str().and_then(|text| PackageFolder::new(text).ok()) {
            named(check, &place, folder.plain());
        }
    }
}

/// The folder that is looked into where the manifest names none.
fn unnamed(check: &mut Check<'_>) {
    let place = Place { pointer: String::new(), span: Span::default() };
    match check.folder.find(SKILLS) {
        Found::Folder => {
            folder(check, &place, SKILLS, false);
            check.shipped(&place, SKILLS);
        }
        Found::Link(link, lead) => check.link(&place, &link, lead),
        Found::Trouble(trouble) => check.trouble(&place, trouble),
        Found::Nothing | Found::File(_) | Found::Other => {}
    }
}

/// A folder that the manifest names.
fn named(check: &mut Check<'_>, place: &Place, path: &str) {
    let shown = quoted(path);
    match check.folder.find(path) {
        Found::Folder => {
            folder(check, place, path, true);
            check.shipped(place, path);
        }
        Found::Link(link, lead) => check.link(place, &link, lead),
        Found::Trouble(trouble) => check.trouble(place, trouble),
        Found::Nothing => {
            let near = check.folder.nearest(path);
            check.push(
                Finding::new(
                    &rules::MISSING_FILE,
                    &place.pointer,
                    place.span,
                    format!("there is no folder {shown} in the package"),
                )
                .label("no such folder")
                .help(missing_help(near.as_deref())),
            );
        }
        Found::File(_) | Found::Other => check.push(
            Finding::new(&rules::MISSING_FILE, &place.pointer, place.span, format!("{shown} is no folder"))
                .label("not a folder")
                .help("name the folder that holds the `SKILL.md`"),
        ),
    }
}

/// A folder of skills, or of one skill.
fn folder(check: &mut Check<'_>, place: &Place, path: &str, named: bool) {
    let items = match check.folder.list(path) {
        Ok(items) => items,
        Err(trouble) => return check.trouble(place, trouble),
    };
    if items.iter().any(|item| item.name == SKILL) {
        found(check, place, path);
        return;
    }
    let children: Vec<String> = items
        .iter()
        .filter(|item| matches!(item.place, Item::Folder | Item::Link) && !item.name.starts_with('.'))
        .map(|item| format!("{path}/{}", item.name))
        .collect();
    let near = items.iter().find(|item| item.name.eq_ignore_ascii_case(SKILL));
    if let Some(near) = near {
        check.push(wrong_case(place, &format!("{path}/{}", near.name), Severity::Error));
        return;
    }
    if children.is_empty() {
        if named {
            check.push(
                Finding::new(
                    &rules::MISSING_FILE,
                    &place.pointer,
                    place.span,
                    format!("there is no `{SKILL}` in {}, nor a folder with one", quoted(path)),
                )
                .label("no skill")
                .help(format!("write `{path}/{SKILL}`, or take the folder out of `skills`")),
            );
        }
        return;
    }
    let mut without: Vec<&str> = Vec::new();
    for child in &children {
        match check.folder.find(&format!("{child}/{SKILL}")) {
            Found::File(_) => {}
            Found::Link(link, lead) => check.link(place, &link, lead),
            _ => match check.folder.nearest(&format!("{child}/{SKILL}")) {
                Some(near) if near.to_lowercase().ends_with("/skill.md") => {
                    check.push(wrong_case(place, &near, Severity::Warning));
                }
                _ => without.push(child),
            },
        }
    }
    if without.is_empty() {
        return;
    }
    // A folder beside those of skills may hold what they share; a folder of folders without any skill is none.
    let none = named && without.len() == children.len();
    check.push(
        Finding::new(
            &rules::MISSING_FILE,
            &place.pointer,
            place.span,
            format!("there is no `{SKILL}` in {}", listed(&without)),
        )
        .severity(if none { Severity::Error } else { Severity::Warning })
        .label(if named { "a skill without instructions" } else { "" })
        .help("each folder of a skill holds one; move other folders elsewhere"),
    );
}

/// A `SKILL.md` must be a file and no link.
fn found(check: &mut Check<'_>, place: &Place, path: &str) {
    let file = format!("{path}/{SKILL}");
    match check.folder.find(&file) {
        Found::Link(link, lead) => check.link(place, &link, lead),
        Found::File(_) => {}
        _ => check.push(
            Finding::new(
                &rules::MISSING_FILE,
                &place.pointer,
                place.span,
                format!("{} is no file", quoted(&file)),
            )
            .label("not a file")
            .help("write the skill's instructions into a file of that name"),
        ),
    }
}

fn wrong_case(place: &Place, path: &str, severity: Severity) -> Finding {
    Finding::new(
        &rules::MISSING_FILE,
        &place.pointer,
        place.span,
        format!("{} is not called `{SKILL}`, which is what readers look for", quoted(path)),
    )
    .severity(severity)
    .label("not found on every system")
    .help(format!("rename the file to `{SKILL}`"))
}
