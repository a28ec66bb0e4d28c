//! Path patterns such as `agents/<name>/agent.toml`.

use agentry::Kind;
use agentry_text::Format;
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

/// How a path meets a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// What stands for the `<name>` or `<id>` of the pattern, if it has one.
    pub(crate) name: Option<String>,
}

/// Matches the end of a path against a pattern: every segment of the pattern, from the last to the first.
pub(crate) fn matches(path: &Path, pattern: &str) -> Option<Match> {
    let mut name = None;
    let mut segments = path.iter().rev().map(|segment| segment.to_string_lossy());
    for wanted in pattern.rsplit('/') {
        let found = segments.next()?;
        if let Some((before, rest)) = wanted.split_once('<') {
            let (_, after) = rest.split_once('>')?;
            let (placeholder, _) = rest.split_once('>')?;
            let inner = found.strip_prefix(before)?.strip_suffix(after)?;
            if inner.is_empty() {
                return None;
            }
            // Other placeholders stand for the name of something else: `hands/<hand>/SKILL.md`.
            if matches!(placeholder, "name" | "id") {
                name = Some(inner.to_owned());
            }
        } else if wanted != found {
            return None;
        }
    }
    Some(Match { name })
}

/// The files of a folder that a pattern stands for, in the order of their names.
pub(crate) fn find(folder: &Path, pattern: &str, found: &mut Vec<PathBuf>) {
    let (first, rest) = pattern.split_once('/').map_or((pattern, None), |(first, rest)| (first, Some(rest)));
    let mut entries = Vec::new();
    if first.contains('<') {
        let Ok(listed) = fs::read_dir(folder) else { return };
        let listed = listed.flatten().map(|entry| entry.path());
        entries.extend(listed.filter(|entry| matches(entry, first).is_some()));
        entries.sort_unstable();
    } else {
        entries.push(folder.join(first));
    }
    for entry in entries {
        match rest {
            Some(rest) => find(&entry, rest, found),
            None if entry.is_file() => found.push(entry),
            None => {}
        }
    }
}

/// The path with the name of the file as the table of kinds spells it, where only letter case makes a difference:
/// `Skill.md` is meant to be `SKILL.md`. Only for Markdown: a file such as `hand.toml` may be anybody's.
pub(crate) fn in_usual_case(path: &Path) -> Cow<'_, Path> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Cow::Borrowed(path) };
    let kinds = Kind::ALL.iter().filter(|kind| kind.formats().contains(&Format::Markdown));
    for pattern in kinds.flat_map(|kind| kind.paths()) {
        let last = pattern.rsplit('/').next().unwrap_or(pattern);
        let (before, after) = match last.split_once('<') {
            None => (last, ""),
            Some((before, rest)) => (before, rest.split_once('>').map_or("", |(_, after)| after)),
        };
        let Some(inner) = name.len().checked_sub(before.len() + after.len()) else { continue };
        let (Some(start), Some(end)) = (name.get(..before.len()), name.get(before.len() + inner..)) else {
            continue;
        };
        if !start.eq_ignore_ascii_case(before) || !end.eq_ignore_ascii_case(after) {
            continue;
        }
        let usual =
            path.with_file_name(format!("{before}{}{after}", &name[before.len()..before.len() + inner]));
        if matches(&usual, pattern).is_some() {
            return if usual == path { Cow::Borrowed(path) } else { Cow::Owned(usual) };
        }
    }
    Cow::Borrowed(path)
}

/// Whether a file has a name that only files of the pattern have, wherever it stands: a fixed one such as
/// `HAND.toml`, or one that ends in more than a format, such as `.tool.json`.
pub(crate) fn has_own_name(path: &Path, pattern: &str) -> bool {
    let last = pattern.rsplit('/').next().unwrap_or(pattern);
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    match last.split_once('>') {
        None => name == last,
        Some((_, ending)) => {
            ending.matches('.').count() > 1 && name.len() > ending.len() && name.ends_with(ending)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_the_end_of_a_path() {
        for (path, pattern, name) in [
            ("/r/agents/coder/agent.toml", "agents/<name>/agent.toml", Some(Some("coder"))),
            ("agents/agent.toml", "agents/<name>/agent.toml", None),
            ("providers/acme.toml", "providers/<id>.toml", Some(Some("acme"))),
            ("providers/.toml", "providers/<id>.toml", None),
            ("providers/acme.yaml", "providers/<id>.toml", None),
            ("x/aliases.toml", "aliases.toml", Some(None)),
            ("mcp/deep/acme.toml", "mcp/<id>.toml", None),
            ("hands/clip/SKILL.md", "hands/<hand>/SKILL.md", Some(None)),
            ("hands/clip/SKILL-pm.md", "hands/<hand>/SKILL-<role>.md", Some(None)),
            ("hands/clip/SKILL-.md", "hands/<hand>/SKILL-<role>.md", None),
        ] {
            let found = matches(Path::new(path), pattern).map(|found| found.name);
            assert_eq!(found, name.map(|name| name.map(str::to_owned)), "{path} against {pattern}");
        }
        for (path, usual) in [
            ("a/SKILL.md", "a/SKILL.md"),
            ("a/skill.md", "a/SKILL.md"),
            ("a/Skill.MD", "a/SKILL.md"),
            ("hands/clip/skill-PM.md", "hands/clip/SKILL-PM.md"),
            ("a/skill-pm.md", "a/skill-pm.md"),
            ("a/skills.md", "a/skills.md"),
            ("a/ſkill.md", "a/ſkill.md"),
            ("hands/clip/hand.toml", "hands/clip/hand.toml"),
        ] {
            assert_eq!(in_usual_case(Path::new(path)), Path::new(usual), "{path}");
        }
        for (path, pattern, own) in [
            ("x/HAND.toml", "hands/<id>/HAND.toml", true),
            ("x/acme.toml", "providers/<id>.toml", false),
            ("x/acme.find.tool.json", "tools/<id>.tool.json", true),
            ("x/.tool.json", "tools/<id>.tool.json", false),
            ("x/tool.json", "tools/<id>.tool.json", false),
        ] {
            assert_eq!(has_own_name(Path::new(path), pattern), own, "{path} against {pattern}");
        }
    }
}
