//! The folders that a skill configuration names.

use crate::{pointer, rules};
use agentry::skill_config::FolderPath;
use agentry_text::{Finding, Kind, Node, quoted};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// The file that makes a folder one of a skill.
const SKILL_FILE: &str = "SKILL.md";

/// How many names of a folder are looked through for one in another case.
const MAX_NAMES: usize = 10_000;

/// Looks into each folder that lies below the file. The tree is asked and not the value: another fault hides none of these.
pub(super) fn check(root: &Node, path: &Path, findings: &mut Vec<Finding>) {
    let Some(base) = path.parent() else { return };
    let Some(list) = pointer::entry(agentry::Kind::SkillConfig, root, "agent_skill_folders") else { return };
    let Kind::Array(items) = &list.node.kind else { return };
    for (index, item) in items.iter().enumerate() {
        let Some(entry) = item.get("path") else { continue };
        let Some(folder) = entry.node.as_str().and_then(|text| FolderPath::new(text).ok()) else { continue };
        // What leads out of here was reported by the type, and is not followed.
        let Some(parts) = folder.parts() else { continue };
        let inner = parts.iter().fold(base.to_owned(), |inner, part| inner.join(part));
        if let Some(finding) = fault(&folder, base, &inner) {
            findings.push(Finding {
                pointer: format!("/{}/{index}/path", list.key),
                span: entry.node.span,
                ..finding
            });
        }
    }
}

fn fault(folder: &FolderPath, base: &Path, inner: &Path) -> Option<Finding> {
    let shown = quoted(folder.as_str());
    let missing = |message: String, label: &str| {
        Finding::new(&rules::MISSING_SKILL_FILE, "", agentry_text::Span::default(), message).label(label)
    };
    let Ok(real) = fs::canonicalize(inner) else {
        let finding = missing(format!("there is no folder {shown} beside this file"), "no such folder");
        return Some(
            finding
                .help(format!("name a folder that holds a `{SKILL_FILE}`, from the folder of this file on")),
        );
    };
    if fs::canonicalize(base).is_ok_and(|base| !real.starts_with(base)) {
        return Some(
            Finding::new(
                &agentry::rules::OUTSIDE_PATH,
                "",
                agentry_text::Span::default(),
                format!("{shown} leads out of the folder of this file by way of a link"),
            )
            .label("not followed")
            .help("keep the folder of the skill below this file"),
        );
    }
    if real.is_file() {
        let finding = missing(format!("{shown} is a file, and a folder is wanted"), "no folder");
        return Some(finding.help(format!("name the folder that holds the `{SKILL_FILE}`")));
    }
    if real.join(SKILL_FILE).is_file() {
        return None;
    }
    let finding = missing(format!("the folder {shown} holds no `{SKILL_FILE}`"), "no folder of a skill");
    Some(match other_case(&real) {
        Some(name) => {
            finding.help(format!("rename its {} to `{SKILL_FILE}`", quoted(&name.to_string_lossy())))
        }
        None => finding.help(format!("add a `{SKILL_FILE}` there, or name another folder")),
    })
}

/// A file of the folder that has the name but for its case.
fn other_case(folder: &Path) -> Option<OsString> {
    let entries = fs::read_dir(folder).ok()?.take(MAX_NAMES).filter_map(Result::ok);
    entries.map(|entry| entry.file_name()).filter(|name| name.eq_ignore_ascii_case(SKILL_FILE)).min()
}
