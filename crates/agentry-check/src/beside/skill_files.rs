//! The files of a skill: `SKILL.md` and the `skill.toml` beside it, which may both describe it, and the program that it runs.

use super::plugin::{is_alone, near};
use crate::package::folder::{Folder, Found};
use crate::rules;
use crate::walk::read_text;
use agentry::package::PackagePath;
use agentry_text::{Finding, Node, Severity, quoted};
use std::path::Path;

/// What the `skill.toml` beside a `SKILL.md` says otherwise.
pub(super) fn differences(root: &Node, path: &Path) -> Vec<Finding> {
    let Some(text) = read_text(&path.with_file_name("skill.toml")) else { return Vec::new() };
    let document = agentry_text::toml::parse(&text);
    let Some(other) = document.root.as_ref().and_then(|root| root.get("skill")) else { return Vec::new() };
    let folder = path.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy().into_owned());
    let mut found = Vec::new();
    let text = |pointer: &str| root.pointer(pointer).and_then(|node| Some((node.as_str()?, node.span)));
    let stated = |key: &str| other.node.get(key).and_then(|entry| entry.node.as_str());
    if let (Some((name, span)), Some(stated)) = (text("/name"), stated("name"))
        && name != stated
    {
        let also = if folder.as_deref() == Some(stated) { ", like the folder" } else { "" };
        let message = format!(
            "the skill is called {} here, and {} in the `skill.toml` beside it{also}",
            quoted(name),
            quoted(stated)
        );
        found.push(
            Finding::new(&rules::NAME_MISMATCH, "/name", span, message)
                .label("another name than in `skill.toml`")
                .help(format!(
                    "write {} here, or change the name in `skill.toml`: both describe one skill",
                    quoted(stated)
                )),
        );
    }
    for (pointer, key) in
        [("/description", "description"), ("/version", "version"), ("/metadata/version", "version")]
    {
        let (Some((here, span)), Some(there)) = (text(pointer), stated(key)) else { continue };
        if here.split_whitespace().eq(there.split_whitespace()) {
            continue;
        }
        let message = format!("`skill.toml` beside this file has another {key}: {}", quoted(there));
        found.push(
            Finding::new(&rules::DIFFERING_SKILL_FILES, pointer, span, message)
                .label(format!("another {key} than in `skill.toml`"))
                .help("make both the same: which of the two people see depends on the reader"),
        );
    }
    found
}

/// Folders into which programs are built, and which are seldom published with their sources.
const BUILT: [&str; 5] = ["dist", "build", "out", "target", "bin"];

/// The program that a skill runs and that is not beside it.
pub(super) fn check_entry(root: &Node, path: &Path, findings: &mut Vec<Finding>) {
    const POINTER: &str = "/runtime/entry";
    let Some(base) = path.parent() else { return };
    let runtime = root.pointer("/runtime/type").and_then(Node::as_str).unwrap_or_default();
    // The others run no file, or one of the runtime's own.
    if !["python", "node", "shell", "wasm"].contains(&runtime) {
        return;
    }
    let Some(node) = root.pointer(POINTER) else { return };
    let Some(entry) = node.as_str().and_then(|text| PackagePath::new(text).ok()) else { return };
    if !matches!(Folder::new(base).find(entry.plain()), Found::Nothing) {
        return;
    }
    let first = entry.plain().split('/').next().unwrap_or_default();
    let is_built = runtime == "wasm" || entry.plain().contains('/') && BUILT.contains(&first);
    let alone = is_alone(base, path);
    let help = match near(base, entry.plain()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if alone => {
            "check the manifest where the whole skill is, or add the file: nothing else lies in its folder"
                .to_owned()
        }
        None if is_built => "build it before the skill is published, or correct its path".to_owned(),
        None => "add the file, or write its path from the folder of this file on".to_owned(),
    };
    let message =
        format!("{}, the program that the skill runs, is not beside this file", quoted(entry.as_str()));
    findings.push(
        Finding::new(&rules::MISSING_FILE, POINTER, node.span, message)
            .severity(if is_built || alone { Severity::Hint } else { Severity::Error })
            .label("no such file")
            .help(help),
    );
}
