//! Rules about a file and what lies beside it in its folder. A text that came without a file has none of these findings.

mod skill_config;

use crate::check::Checked;
use agentry::Kind;
use agentry_text::Node;
use std::path::Path;

/// Applies the rules of the file's kind. The path is absolute.
pub(crate) fn check(checked: &mut Checked, root: &Node, path: &Path) {
    let mut findings = Vec::new();
    if let Some(manifest) = &checked.manifest {
        let _ = (manifest, root, path, &mut findings);
    }
    if checked.kind == Some(Kind::SkillConfig) {
        skill_config::check(root, path, &mut findings);
    }
    checked.findings.append(&mut findings);
    checked.findings.sort_by_key(|finding| finding.span.start);
}
