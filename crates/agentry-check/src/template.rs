//! Templates: files to be copied and filled in, such as those a registry keeps under `examples/`.

use agentry::Kind;
use agentry_text::{Finding, Kind as NodeKind, Node, Severity};

/// Whether a document is a template: its identifier is a placeholder (`{{NAME}}`, `TODO`, `<name>`), or it is
/// empty like every other text at the top level. `TODO` may be a name where identifiers are any text, so it counts only
/// where the reader refuses it.
pub(crate) fn is_template(kind: Kind, root: &Node, found: &[Finding]) -> bool {
    let Some(identity) = kind.identity() else { return false };
    let Some(id) = root.pointer(identity.pointer).and_then(Node::as_str) else { return false };
    let id = id.trim();
    if id.is_empty() {
        let NodeKind::Table(table) = &root.kind else { return false };
        let mut texts = table.entries.iter().filter_map(|entry| entry.node.as_str());
        return texts.clone().count() > 1 && texts.all(str::is_empty);
    }
    let gap = id.contains("{{") && id.contains("}}") || id.starts_with('<') && id.ends_with('>');
    let refused =
        || found.iter().any(|one| one.severity == Severity::Error && one.pointer == identity.pointer);
    gap || id.starts_with("TODO") && refused()
}
