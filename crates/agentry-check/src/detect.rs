//! Which kind a file is: what it says itself, else its content and its path.

use crate::path;
use agentry::Kind;
use agentry_text::{Format, Node};
use std::path::Path;

/// What was found out about the kind of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detection {
    /// It is of this kind.
    Kind(Kind),
    /// It says that it is none of ours: `#:schema none`.
    Foreign,
    /// Several kinds fit equally well.
    Tie(Vec<Kind>),
    /// Nothing fits.
    Nothing,
}

/// Finds out which kind a file is.
///
/// A `$schema` key or `#:schema` comment decides. Else the kinds are considered that its content shows and that
/// its path is a place for: one that both agree on wins, then what the content alone shows, then what the path
/// alone says, then a fixed file name such as `HAND.toml`.
///
/// Markdown is of a kind that is written in Markdown, and nothing else is.
pub fn detect(path: Option<&Path>, text: &str, root: Option<&Node>) -> Detection {
    let ending = path.and_then(Path::extension).and_then(|ending| ending.to_str());
    detect_in(ending.and_then(Format::from_name).unwrap_or(Format::Toml), path, text, root)
}

/// Finds out which kind a file of a format is.
pub(crate) fn detect_in(format: Format, path: Option<&Path>, text: &str, root: Option<&Node>) -> Detection {
    let reference = reference(text, root);
    if let Some(detection) = reference.and_then(declared) {
        return detection;
    }
    let path = path.map(path::in_usual_case);
    let path = path.as_deref();
    let is_markdown = |format: Format| format == Format::Markdown;
    let fits = |kind: &Kind| kind.formats().iter().any(|one| is_markdown(*one) == is_markdown(format));
    let of = |test: &dyn Fn(&Kind) -> bool| {
        Kind::ALL.iter().copied().filter(|kind| fits(kind) && test(kind)).collect::<Vec<_>>()
    };
    let by_content =
        of(&|kind| root.is_some_and(|root| kind.tells().iter().any(|group| has_all(root, group))));
    let by_path = of(&|kind| {
        path.is_some_and(|path| kind.paths().iter().any(|pattern| path::matches(path, pattern).is_some()))
    });
    // A name such as `plugin.toml` is a weak sign, and none where the file names a schema of somebody else's.
    let by_name = of(&|kind| {
        reference.is_none()
            && path.is_some_and(|path| kind.paths().iter().any(|pattern| path::has_own_name(path, pattern)))
    });
    let both: Vec<Kind> = by_content.iter().copied().filter(|kind| by_path.contains(kind)).collect();
    let both_by_name: Vec<Kind> = by_content.iter().copied().filter(|kind| by_name.contains(kind)).collect();
    let considered = [both, both_by_name, by_content, by_path, by_name];
    if let Some(only) = considered.iter().find_map(|kinds| match kinds[..] {
        [kind] => Some(kind),
        _ => None,
    }) {
        return Detection::Kind(only);
    }
    considered.into_iter().find(|kinds| !kinds.is_empty()).map_or(Detection::Nothing, Detection::Tie)
}

/// Whether some kind has its files where a file is.
pub(crate) fn is_a_place(path: &Path) -> bool {
    let path = path::in_usual_case(path);
    Kind::ALL.iter().flat_map(|kind| kind.paths()).any(|pattern| path::matches(&path, pattern).is_some())
}

fn has_all(root: &Node, group: &str) -> bool {
    group.split(' ').all(|pointer| root.pointer(pointer).is_some())
}

/// The schema that the file names for itself, if it does.
fn reference<'t>(text: &'t str, root: Option<&'t Node>) -> Option<&'t str> {
    let key = root.and_then(|root| root.get("$schema")).and_then(|entry| entry.node.as_str());
    let comment = text
        .trim_start_matches('\u{feff}')
        .lines()
        .take_while(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
        .find_map(|line| line.trim().strip_prefix("#:schema"))
        .map(str::trim);
    key.or(comment)
}

/// What the schema that a file names says of its kind.
fn declared(reference: &str) -> Option<Detection> {
    if reference == "none" {
        return Some(Detection::Foreign);
    }
    let file = reference.split(['?', '#']).next().unwrap_or(reference).rsplit(['/', '\\']).next()?;
    // Others have a `plugin.json` or a `workflow.json` too: only the full name counts.
    Kind::from_name(file.strip_suffix(".schema.json")?).map(Detection::Kind)
}
