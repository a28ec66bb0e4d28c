//! Rules about a file and what lies beside it in its folder. A text that came without a file has none of these findings.

mod skill_config;

use crate::check::Checked;
use crate::{package, rules};
use agentry::Kind;
use agentry_text::{Node, Rule};
use std::path::Path;

/// Applies the rules of the file's kind. The path is absolute.
pub(crate) fn check(checked: &mut Checked, root: &Node, path: &Path) {
    let mut findings = Vec::new();
    let reported = |rule: &'static Rule, pointer: &str| {
        checked.findings.iter().any(|finding| finding.rule == rule && finding.pointer == pointer)
    };
    // Of a package of another version nobody knows what its keys mean.
    if checked.kind == Some(Kind::Package) && !reported(&agentry::rules::NEWER_VERSION, "/schema_version") {
        package::check(root, path, checked.damaged, &mut findings);
        // What can be told from the text alone was told.
        findings.retain(|finding| {
            finding.rule != &rules::DUPLICATE_DESTINATION
                || !reported(&agentry_text::rules::DUPLICATE_ENTRY, &finding.pointer)
        });
    }
    if checked.kind == Some(Kind::SkillConfig) {
        skill_config::check(root, path, &mut findings);
    }
    checked.findings.append(&mut findings);
    checked.findings.sort_by_key(|finding| finding.span.start);
}
