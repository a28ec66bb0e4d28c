//! The hashes of a plugin's scripts, as far as the manifest alone tells.

use super::Sink;
use crate::rules;
use agentry::package::PackagePath;
use agentry::plugin::Hooks;
use agentry_text::{Node, quoted};

/// The hooks of a plugin that name a script, each with the path. What is no path was reported by the type.
pub(crate) fn scripts(root: &Node) -> impl Iterator<Item = (&'static str, &Node, PackagePath)> {
    Hooks::SCRIPTS.into_iter().filter_map(|hook| {
        let node = &root.get("hooks")?.node.get(hook)?.node;
        Some((hook, node, PackagePath::new(node.as_str()?).ok()?))
    })
}

/// Hashes are optional. Where some are given, a script without one is a gap.
pub(super) fn check(sink: &mut Sink<'_>) {
    let root = sink.root;
    let Some(integrity) = root.get("integrity") else { return };
    let Some(table) = integrity.node.as_table() else { return };
    let hashed: Vec<PackagePath> =
        table.entries.iter().filter_map(|entry| PackagePath::new(&entry.key).ok()).collect();
    for (hook, _, script) in scripts(root) {
        if hashed.iter().any(|path| path.plain() == script.plain()) {
            continue;
        }
        let shown = quoted(script.as_str());
        let finding = sink
            .finding(
                &rules::UNHASHED_SCRIPT,
                &format!("/hooks/{hook}"),
                format!("`integrity` has no hash of {shown}, the script of `{hook}`"),
            )
            .label("runs unverified")
            .related(integrity.node.span, "hashes of other files")
            .help(format!(
                "add its line to `[integrity]`, with what `sha256sum {}` prints: what is not listed there may be changed \
                 unseen",
                script.plain()
            ));
        sink.push(finding);
    }
}
