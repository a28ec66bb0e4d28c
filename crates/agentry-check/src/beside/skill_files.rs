//! The two files that may describe one skill: `SKILL.md` and the `skill.toml` beside it.

use crate::rules;
use crate::walk::read_text;
use agentry_text::{Finding, Node, quoted};
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
