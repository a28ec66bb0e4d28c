//! Folders with a `SKILL.md`.

use super::{any_text, empty};
use crate::rules;
use agentry_macros::document;
use agentry_text::{Invalid, quoted, shown_text_type};

/// A folder with a `SKILL.md`, as the Agent Skills standard has them.
#[document]
pub struct SkillFolder {
    /// The path of the folder that holds the `SKILL.md`, from the folder of this file on.
    #[key(example = "skills/reporting")]
    pub path: FolderPath,
    /// What the skill of the folder is called here, in place of its own name.
    pub name: Option<BundleName>,
}

any_text! {
    /// What the skill of a folder is called here.
    pub struct BundleName { form: "the name of a skill: any text", example: "pdf-tools" }
}

shown_text_type! {
    /// The path of a folder, with `/` between folders, from the folder of the file on. The specification takes any text. A
    /// path that leads out of there works on one machine alone: it is read with a warning, and never followed.
    pub struct FolderPath {
        pattern: r"^[\s\S]*$",
        form: "the path of a folder: any text",
        example: "skills/reporting",
        remark: remark,
    }
}

fn remark(text: &str) -> Option<Invalid> {
    if text.is_empty() {
        return Some(empty());
    }
    let outside = |message: String, help: &str| {
        Invalid::new(&rules::OUTSIDE_PATH, message).label("leads out of the folder of this file").help(help)
    };
    if is_absolute(text) {
        let message = format!("{} starts at the root of one machine", quoted(text));
        return Some(outside(
            message,
            "write the path from the folder of this file on, such as `skills/reporting`",
        ));
    }
    if inner_parts(text).is_none() {
        let message = format!("{} climbs out of the folder of this file", quoted(text));
        return Some(outside(message, "keep the folder of the skill below this file"));
    }
    text.contains('\\').then(|| {
        Invalid::new(
            &rules::UNREADABLE_VALUE,
            format!("{} has backslashes, which only Windows takes for separators", quoted(text)),
        )
        .label("a path of Windows")
        .help("write `/` between folders: it works everywhere")
    })
}

/// Whether a path starts at a root: of a file system, a drive, a network share or a home.
fn is_absolute(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.starts_with(['/', '\\'])
        || text == "~"
        || text.starts_with("~/")
        || matches!(bytes, [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// The folders of a path without `.` and `..`; None where it leaves the folder that it starts in. A backslash counts as a
/// separator, since it is one on some machines.
fn inner_parts(text: &str) -> Option<Vec<&str>> {
    if is_absolute(text) {
        return None;
    }
    let mut parts = Vec::new();
    for part in text.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts)
}

impl FolderPath {
    /// The names of the folders that lead there from the folder of the file, without `.` and `..`. None where the path leads
    /// out of that folder, or starts elsewhere.
    pub fn parts(&self) -> Option<Vec<&str>> {
        inner_parts(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::FolderPath;
    use agentry_text::Text;

    #[test]
    fn paths_stay_below_the_file_or_are_not_followed() {
        for (path, parts, rule) in [
            ("skills/pdf", Some("skills/pdf"), None),
            ("./skills/./pdf/", Some("skills/pdf"), None),
            ("a/../b", Some("b"), None),
            (".", Some(""), None),
            ("", Some(""), Some("empty-value")),
            ("..", None, Some("outside-path")),
            ("a/../../b", None, Some("outside-path")),
            ("a\\..\\..\\b", None, Some("outside-path")),
            ("skills\\pdf", Some("skills/pdf"), Some("unreadable-value")),
            ("/opt/skills", None, Some("outside-path")),
            ("\\\\server\\skills", None, Some("outside-path")),
            ("C:\\skills", None, Some("outside-path")),
            ("c:skills", None, Some("outside-path")),
            ("~/skills", None, Some("outside-path")),
            ("~skills", Some("~skills"), None),
            ("...", Some("..."), None),
        ] {
            let folder = FolderPath::new(path).unwrap();
            assert_eq!(folder.parts().map(|parts| parts.join("/")).as_deref(), parts, "{path}");
            assert_eq!(folder.remark().map(|remark| remark.rule.name), rule, "{path}");
        }
    }
}
