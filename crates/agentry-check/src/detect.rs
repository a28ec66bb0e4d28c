//! Which kind a file is: what it says itself, else its content and its path.

use crate::path;
use agentry::Kind;
use agentry_text::Node;
use std::path::Path;

/// What was found out about the kind of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detection {
    /// It is of this kind.
    Kind(Kind),
    /// It says that it is none of ours (`#:schema none`, or a schema that is not ours).
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
pub fn detect(path: Option<&Path>, text: &str, root: Option<&Node>) -> Detection {
    if let Some(detection) = declared(text, root) {
        return detection;
    }
    let of = |test: &dyn Fn(&Kind) -> bool| {
        Kind::ALL.iter().copied().filter(|kind| test(kind)).collect::<Vec<_>>()
    };
    let by_content =
        of(&|kind| root.is_some_and(|root| kind.tells().iter().any(|group| has_all(root, group))));
    let by_path = of(&|kind| {
        path.is_some_and(|path| kind.paths().iter().any(|pattern| path::matches(path, pattern).is_some()))
    });
    let by_name = of(&|kind| {
        path.is_some_and(|path| kind.paths().iter().any(|pattern| path::has_own_name(path, pattern)))
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

fn has_all(root: &Node, group: &str) -> bool {
    group.split(' ').all(|pointer| root.pointer(pointer).is_some())
}

/// What the file itself says.
fn declared(text: &str, root: Option<&Node>) -> Option<Detection> {
    let key = root.and_then(|root| root.get("$schema")).and_then(|entry| entry.node.as_str());
    let comment = text
        .trim_start_matches('\u{feff}')
        .lines()
        .take_while(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
        .find_map(|line| line.trim().strip_prefix("#:schema"))
        .map(str::trim);
    let reference = key.or(comment)?;
    if reference == "none" {
        return Some(Detection::Foreign);
    }
    let file = reference.split(['?', '#']).next().unwrap_or(reference).rsplit(['/', '\\']).next()?;
    let name = file.trim_end_matches(".json").trim_end_matches(".schema");
    // A schema of somebody else's: a meta-schema address or another project says nothing about our kinds.
    Kind::from_name(name).map(Detection::Kind)
}
