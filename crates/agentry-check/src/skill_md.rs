//! What is to be said of a `SKILL.md` beyond its type: its name and place, what other readers make of it, and what
//! nobody sees in it.
//!
//! The rules look at the tree and not at the value, so that one fault hides no other.

use crate::{hidden, path, rules};
use agentry::Kind;
use agentry::skill_md::{AllowedTools, ClientKeys, RegistryKeys, SkillName};
use agentry_text::{Entry, Finding, Lines, Node, Severity, Span, nearest, quoted, read_root};
use std::path::Path;

/// A reader of the format with rules of its own. What breaks them is not portable, and never invalid.
struct Profile {
    /// What it is, for messages.
    name: &'static str,
    /// The month of which its rules are known.
    as_of: &'static str,
}

/// Where skills are uploaded to be used with an API: it refuses some names and descriptions that the open specification
/// allows.
const UPLOAD: Profile = Profile { name: "the upload service for skills of the Claude API", as_of: "2026-08" };

/// Words that it refuses in names.
const RESERVED: [&str; 2] = ["anthropic", "claude"];

/// Folders of samples: they are called after what they show.
const SAMPLES: [&str; 4] = ["example", "examples", "template", "templates"];

/// Applies the rules.
pub(crate) fn check(text: &str, file: Option<&Path>, root: Option<&Node>, findings: &mut Vec<Finding>) {
    for finding in
        findings.iter_mut().filter(|finding| finding.rule == &agentry_text::rules::MISSING_FRONT_MATTER)
    {
        show_front_matter(text, file, finding);
    }
    for finding in findings.iter_mut().filter(|finding| finding.rule == &agentry_text::rules::UNKNOWN_KEY) {
        show_metadata(finding);
    }
    findings.extend(file.and_then(misspelt));
    hidden::check(text, findings);
    let Some(root) = root else { return };
    hidden::check_escapes(text, root, &mut String::new(), findings);
    check_uploads(text, root, findings);
    check_tools(root, findings);
    for entry in entries(root, &ClientKeys::names()) {
        let message = format!(
            "some clients know `{}`; the open specification does not, and other readers pass it over",
            entry.key
        );
        findings.push(
            not_portable(format!("/{}", entry.key), entry.key_span, message)
                .label("not a key of the open specification")
                .key(&entry.key)
                .help("keep it for clients that know it, and let the skill work without it"),
        );
    }
    // Whether a file is part of a registry is seen beside it.
    if file.is_none() {
        registry_keys(root, findings);
    }
}

/// Keys that belong under `metadata` anywhere but in a registry.
pub(crate) fn registry_keys(root: &Node, findings: &mut Vec<Finding>) {
    for entry in entries(root, &RegistryKeys::names()) {
        let message = format!(
            "`{}` is a key of registries, and not of the open specification, which has such things under `metadata`",
            entry.key
        );
        findings.push(
            not_portable(format!("/{}", entry.key), entry.key_span, message)
                .label("belongs under `metadata`")
                .key(&entry.key)
                .help(format!(
                    "move it below `metadata:`, as `  {}: …`, unless the skill is for a registry",
                    entry.key
                )),
        );
    }
}

fn entries<'t>(root: &'t Node, names: &[&str]) -> impl Iterator<Item = &'t Entry> {
    let entries = root.as_table().map(|table| table.entries.as_slice()).unwrap_or_default();
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    entries.iter().filter(move |entry| names.contains(&entry.key))
}

fn not_portable(pointer: impl Into<String>, span: Span, message: impl Into<String>) -> Finding {
    Finding::new(&rules::NOT_PORTABLE, pointer, span, message)
}

/// How much it weighs that a skill is not called like its folder. Samples are called after what they show, and a
/// folder that lies in no folder of skills may be called anything while somebody works on it.
pub(crate) fn folder_severity(file: &Path) -> Severity {
    let folders: Vec<String> =
        file.iter().rev().skip(1).take(3).map(|folder| folder.to_string_lossy().into_owned()).collect();
    let is = |depth: usize, names: &[&str]| {
        folders.get(depth).is_some_and(|folder| names.contains(&folder.as_str()))
    };
    let skills = ["skills"];
    if is(0, &SAMPLES) || is(1, &SAMPLES) || is(1, &skills) && is(2, &SAMPLES) {
        Severity::Hint
    } else if is(1, &skills) || is(2, &skills) {
        Severity::Error
    } else {
        Severity::Warning
    }
}

/// The name of a file that only its letter case keeps from being one of a skill.
fn misspelt(file: &Path) -> Option<Finding> {
    let usual = path::in_usual_case(file);
    let (found, wanted) = (file.file_name()?.to_str()?, usual.file_name()?.to_str()?);
    (found != wanted).then(|| {
        Finding::new(
            &rules::FILE_NAME,
            "",
            Span::default(),
            format!("the file is called {}, and readers look for `{wanted}`", quoted(found)),
        )
        .help(format!("rename it to `{wanted}`: most file systems tell upper and lower case apart"))
    })
}

/// What front matter this very file could have.
fn show_front_matter(text: &str, file: Option<&Path>, finding: &mut Finding) {
    // A line of hyphens is nearly one that opens front matter, and the finding says so.
    let lines = Lines::new(text);
    let first = lines.line(lines.position(finding.span.start).line).trim_start_matches('\u{feff}').trim();
    if first.chars().all(|c| c == '-') {
        return;
    }
    let folder = file.and_then(Path::parent).and_then(Path::file_name).and_then(|name| name.to_str());
    let heading = first.strip_prefix('#').map(|heading| heading.trim_start_matches('#'));
    let name = folder.into_iter().chain(heading).find_map(SkillName::nearest);
    let name = name.as_ref().map_or("the-name-of-the-folder", SkillName::as_str);
    finding.help = Some(format!(
        "begin the file with these lines: `---`, `name: {name}`, `description:` and what the skill does and when to use it, `---`"
    ));
}

/// Where a key may go that is of the author's own. One that is nearly a known key is told so already.
fn show_metadata(finding: &mut Finding) {
    let (Some(key), Some(shape), true) = (&finding.key, Kind::SkillMd.shape(), finding.pointer.is_empty())
    else {
        return;
    };
    let known = || shape.keys.iter().map(|key| key.name);
    let meant = nearest(key, known()).is_some()
        || shape.keys.iter().any(|known| known.foreign.contains(&key.as_str()));
    if !meant {
        finding.help =
            Some(format!("readers pass it over; what is your own goes below `metadata:`, as `  {key}: …`"));
    }
}

/// What the upload service refuses.
fn check_uploads(text: &str, root: &Node, findings: &mut Vec<Finding>) {
    let Profile { name: service, as_of } = UPLOAD;
    if let Some(name) = root.get("name")
        && let Some(value) = name.node.as_str()
        && let Some(word) = RESERVED.into_iter().find(|word| value.to_lowercase().contains(word))
    {
        let message = format!("{service} (as of {as_of}) refuses `{word}` in the name of a skill");
        findings.push(
            not_portable("/name", name.node.span, message)
                .label(format!("holds `{word}`"))
                .help("choose another name if the skill is to be uploaded there; the open specification allows this one"),
        );
    }
    if let Some(description) = root.get("description")
        && let Some(value) = description.node.as_str()
        && let Some(bracket) = value.chars().find(|c| matches!(c, '<' | '>'))
    {
        let whole = description.node.span;
        let written = text.get(whole.start..whole.end).unwrap_or_default();
        let span =
            written.find(bracket).map_or(whole, |at| Span::new(whole.start + at, whole.start + at + 1));
        let message = format!("{service} (as of {as_of}) refuses `<` and `>` in the description of a skill");
        findings.push(not_portable("/description", span, message).label(format!("`{bracket}`")).help(
            "say it without them if the skill is to be uploaded there; the open specification allows them",
        ));
    }
}

/// A spelling of `allowed-tools` that clients read and the open specification does not have.
fn check_tools(root: &Node, findings: &mut Vec<Finding>) {
    let Some(entry) = root.get("allowed-tools") else { return };
    let Some(tools) = read_root::<AllowedTools>(&entry.node).value.filter(|tools| !tools.is_portable())
    else {
        return;
    };
    let found = match tools {
        AllowedTools::List(_) => "a list",
        AllowedTools::Text(_) => "a text with commas",
    };
    let portable = tools.to_portable();
    let mut finding = not_portable(
        "/allowed-tools",
        entry.node.span,
        format!(
            "`allowed-tools` is {found}, and in the open specification one text with spaces between the tools"
        ),
    )
    .label(found);
    // Nothing is said for a list without tools: there is no such text.
    if !portable.is_empty()
        && let Ok(written) = agentry_text::yaml::to_string(&portable)
    {
        finding =
            finding.help(format!("write {}", quoted(&format!("allowed-tools: {}", written.trim_end()))));
    }
    findings.push(finding);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_portable_spelling_is_one_that_can_be_written() {
        for (written, help) in [
            ("Read, Write", "write `allowed-tools: Read Write`"),
            ("[Read, Bash(git add *)]", "write `allowed-tools: Read Bash(git add *)`"),
            ("\"Bash(git: *), Read\"", "write `allowed-tools: \"Bash(git: *) Read\"`"),
        ] {
            let document = agentry_text::yaml::parse(&format!("allowed-tools: {written}\n"));
            let mut findings = Vec::new();
            check_tools(&document.root.expect("YAML"), &mut findings);
            let found: Vec<_> = findings.iter().filter_map(|finding| finding.help.as_deref()).collect();
            assert_eq!(found, [help], "{written}");
        }
    }

    #[test]
    fn the_folder_decides_how_much_its_name_weighs() {
        for (path, severity) in [
            ("/r/skills/a/SKILL.md", Severity::Error),
            ("skills/a/SKILL.md", Severity::Error),
            ("/home/me/.client/skills/a/SKILL.md", Severity::Error),
            ("/r/skills/writing/a/SKILL.md", Severity::Error),
            ("/r/a/SKILL.md", Severity::Warning),
            ("a/SKILL.md", Severity::Warning),
            ("SKILL.md", Severity::Warning),
            ("/skills/SKILL.md", Severity::Warning),
            ("/r/template/SKILL.md", Severity::Hint),
            ("/r/examples/a/SKILL.md", Severity::Hint),
            ("/r/examples/skills/a/SKILL.md", Severity::Hint),
            ("/r/examples/registry/skills/a/SKILL.md", Severity::Error),
        ] {
            assert_eq!(folder_severity(Path::new(path)), severity, "{path}");
        }
    }
}
