//! Rules about a file and what lies beside it in its folder. A text that came without a file has none of these findings.

mod hand;
mod plugin;
mod skill_config;
mod skill_files;

use crate::check::Checked;
use crate::{package, path, rules, skill_md};
use agentry::Kind;
use agentry_text::{Finding, Node, Rule};
use std::fs;
use std::path::Path;

/// How many entries of a folder are looked at to find out what it is.
const MAX_LOOKED_AT: usize = 100;

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
    if checked.kind == Some(Kind::SkillMd) {
        // A folder of a large registry takes long to look into, and most files have none of these keys.
        let mut keys = Vec::new();
        skill_md::registry_keys(root, &mut keys);
        if !keys.is_empty() && !is_in_registry(path) {
            findings.append(&mut keys);
        }
        // A file of a hand is named by the hand, and called as its author likes, wherever the folder lies.
        if is_of_hand(path) {
            checked.findings.retain(|finding| finding.rule != &rules::NAME_MISMATCH);
        }
        let differences = skill_files::differences(root, path);
        // Both are about the name: the skill.toml beside it says more than the folder.
        let same = |one: &Finding, other: &Finding| one.rule == other.rule && one.pointer == other.pointer;
        checked.findings.retain(|one| !differences.iter().any(|other| same(one, other)));
        findings.extend(differences);
        findings.extend(hand::unknown_role(path));
    }
    if checked.kind == Some(Kind::Skill) {
        skill_files::check_entry(root, path, &mut findings);
    }
    if checked.kind == Some(Kind::Hand) && !checked.damaged {
        hand::check(root, path, &mut findings);
    }
    if checked.kind == Some(Kind::Plugin) {
        plugin::check(root, path, &mut findings);
    }
    checked.findings.extend(findings.into_iter().map(Finding::masked));
    checked.findings.sort_by_key(|finding| finding.span.start);
}

/// Whether a skill is part of a registry: it belongs to a hand, or its folder of skills lies beside manifests of other
/// kinds.
fn is_in_registry(path: &Path) -> bool {
    let usual = path::in_usual_case(path);
    let of_hand = |pattern: &&str| pattern.starts_with("hands/") && path::matches(&usual, pattern).is_some();
    if Kind::SkillMd.paths().iter().any(of_hand) || is_of_hand(path) {
        return true;
    }
    let Some(skills) = path.parent().and_then(Path::parent) else { return false };
    let Some(registry) = skills.parent().filter(|_| skills.ends_with("skills")) else { return false };
    let others = Kind::ALL.iter().filter(|kind| **kind != Kind::SkillMd).flat_map(|kind| kind.paths());
    others.copied().any(|pattern| has_manifest(registry, pattern))
}

/// Whether a hand lies beside a file: then it is part of the hand, and no skill of its own.
fn is_of_hand(path: &Path) -> bool {
    path.with_file_name("HAND.toml").is_file()
}

/// Whether there is a file in a folder that a pattern such as `agents/<name>/agent.toml` stands for.
fn has_manifest(folder: &Path, pattern: &str) -> bool {
    let (first, rest) = pattern.split_once('/').map_or((pattern, None), |(first, rest)| (first, Some(rest)));
    let fits = |entry: &Path| match rest {
        Some(rest) => has_manifest(entry, rest),
        None => entry.is_file(),
    };
    if !first.contains('<') {
        return fits(&folder.join(first));
    }
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let mut entries = entries.take(MAX_LOOKED_AT).flatten().map(|entry| entry.path());
    entries.any(|entry| path::matches(&entry, first).is_some() && fits(&entry))
}

#[cfg(test)]
mod tests {
    use crate::walk;
    use agentry::Kind;
    use std::fs;

    /// The files of a folder that are judged, each with its kind and findings: `path: kind: severity rule pointer, …`.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let outcome = walk::run(&[folder.path().to_owned()], None);
        let judged = outcome.files.iter().map(|file| {
            let path = file.path.strip_prefix(folder.path()).unwrap().to_string_lossy().replace('\\', "/");
            let findings: Vec<String> = file
                .checked
                .findings
                .iter()
                .map(|one| format!("{} {} {}", one.severity.name(), one.rule.name, one.pointer))
                .collect();
            format!("{path}: {}: {}", file.checked.kind.map_or("", Kind::name), findings.join(", "))
        });
        judged.collect()
    }

    fn skill(name: &str, more: &str) -> String {
        format!("---\nname: {name}\ndescription: Reads tide tables.\n{more}---\nText.\n")
    }

    const TOML: &str = "[skill]\nname = \"tides\"\nversion = \"0.1.0\"\ndescription = \"Reads tide tables.\"\n\
                        [runtime]\ntype = \"promptonly\"\n[prompt]\ntemplate = \"Read them.\"\n";

    #[test]
    fn a_skill_is_called_like_its_folder_and_a_hand_is_not_asked() {
        let tides = skill("tides", "");
        for (path, expected) in [
            ("skills/tides/SKILL.md", ""),
            ("skills/water/SKILL.md", "error name-mismatch /name"),
            ("skills/harbor/water/SKILL.md", "error name-mismatch /name"),
            ("water/SKILL.md", "warning name-mismatch /name"),
            ("examples/water/SKILL.md", "hint name-mismatch /name"),
            ("hands/water/SKILL.md", ""),
            ("hands/water/SKILL-clerk.md", ""),
            ("skills/tides/skill.md", "error file-name "),
            ("skills/tides/Skill.MD", "error file-name "),
            ("skills/water/SKILL.MD", "error file-name , error name-mismatch /name"),
            ("hands/water/skill-clerk.md", "error file-name "),
        ] {
            assert_eq!(found(&[(path, &tides)]), [format!("{path}: skill-md: {expected}")]);
        }
        // What only looks like one is nobody's fault.
        let pages =
            [("docs/SKILLS.md", "# Skills\n"), ("docs/skill-pages.md", "# Skills\n"), ("SKILL.txt", "x")];
        assert_eq!(found(&pages), [""; 0]);
    }

    #[test]
    fn a_skill_beside_a_hand_is_part_of_it_wherever_the_folder_lies() {
        let text = skill("harbor-lessons", "version: 0.1.0\ntags: [water]\n");
        let expected =
            ["warning name-mismatch /name, hint not-portable /version, hint not-portable /tags", ""];
        for (hand, expected) in [("READ.txt", expected[0]), ("HAND.toml", expected[1])] {
            let found = found(&[("copy/SKILL.md", &text), (&format!("copy/{hand}"), "id = \"harbor\"\n")]);
            let found = found.iter().find_map(|line| line.strip_prefix("copy/SKILL.md: skill-md: "));
            assert_eq!(found, Some(expected), "{hand}");
        }
    }

    #[test]
    fn the_program_of_a_skill_is_beside_it() {
        let skill = |runtime: &str, entry: &str| {
            format!(
                "[skill]\nname = \"tides\"\nversion = \"0.1.0\"\ndescription = \"Reads tide tables.\"\n\
                 [runtime]\ntype = \"{runtime}\"\nentry = \"{entry}\"\n"
            )
        };
        for (runtime, entry, more, expected) in [
            ("python", "main.py", "main.py", ""),
            ("python", "src/main.py", "src/main.py", ""),
            ("python", "./main.py", "main.py", ""),
            ("python", "mian.py", "main.py", "error missing-file /runtime/entry"),
            ("python", "Main.py", "main.py", "error missing-file /runtime/entry"),
            ("node", "dist/main.js", "src/main.ts", "hint missing-file /runtime/entry"),
            ("wasm", "tides.wasm", "src/main.rs", "hint missing-file /runtime/entry"),
            // Built into the runtime: its name is no file.
            ("builtin", "tides", "notes.txt", ""),
            // Of a manifest that lies alone nobody knows whether the file was only not copied.
            ("python", "main.py", "", "hint missing-file /runtime/entry"),
        ] {
            let text = skill(runtime, entry);
            let more = (!more.is_empty()).then(|| format!("skills/tides/{more}"));
            let mut files = vec![("skills/tides/skill.toml", text.as_str())];
            files.extend(more.as_deref().map(|more| (more, "x")));
            let found = found(&files);
            let found = found.iter().find_map(|line| line.strip_prefix("skills/tides/skill.toml: skill: "));
            assert_eq!(found, Some(expected), "{runtime} {entry}");
        }
    }

    #[test]
    fn what_to_do_about_a_missing_program_is_said() {
        for (entry, beside, help) in [
            ("mian.py", "main.py", "did you mean `main.py`?"),
            ("dist/run.py", "notes.txt", "build it before the skill is published, or correct its path"),
            ("run.py", "notes.txt", "add the file, or write its path from the folder of this file on"),
            (
                "run.py",
                "skill.toml",
                "check the manifest where the whole skill is, or add the file: nothing else lies in its folder",
            ),
        ] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(beside), "").unwrap();
            let text = format!(
                "[skill]\nname = \"tides\"\nversion = \"0.1.0\"\ndescription = \"Reads tide tables.\"\n\
                 [runtime]\ntype = \"python\"\nentry = \"{entry}\"\n"
            );
            fs::write(folder.path().join("skill.toml"), text).unwrap();
            let outcome = walk::run(&[folder.path().to_owned()], None);
            let said = outcome.files.iter().flat_map(|file| &file.checked.findings);
            let said: Vec<_> = said.filter_map(|finding| finding.help.as_deref()).collect();
            assert_eq!(said, [help], "{entry} beside {beside}");
        }
    }

    #[test]
    fn markdown_is_of_no_other_kind_whatever_its_keys() {
        let text = skill("tides", "category: content\ntools: [web_fetch]\nsteps: [{ prompt_template: x }]\n");
        assert_eq!(
            found(&[("hands/water/SKILL.md", &text)]),
            ["hands/water/SKILL.md: skill-md: warning unknown-key , warning unknown-key "]
        );
        let plain = [("hands/water/HAND.md", text.as_str()), ("providers/acme.md", &text)];
        assert_eq!(found(&plain), [""; 0]);
    }

    #[test]
    fn keys_of_registries_are_silent_in_one() {
        let text = skill("tides", "version: 0.1.0\ntags: [water]\n");
        let hints = "hint not-portable /version, hint not-portable /tags";
        let alias = "[aliases]\ntides = \"acme-1\"\n";
        for (files, expected) in [
            (&[("tides/SKILL.md", text.as_str())][..], hints),
            (&[("skills/tides/SKILL.md", &text)], hints),
            // A folder of agents in Markdown makes no registry.
            (&[("skills/tides/SKILL.md", &text), ("agents/a.md", "# An agent\n")], hints),
            (&[("hands/water/SKILL.md", &text)], ""),
            (&[("skills/tides/SKILL.md", &text), ("aliases.toml", alias)], ""),
            (&[("skills/tides/SKILL.md", &text), ("skills/water/skill.toml", "x")], ""),
            (&[("skills/tides/SKILL.md", &text), ("providers/acme.toml", "x")], ""),
            (&[("skills/tides/SKILL.md", &text), ("agents/coder/agent.toml", "x")], ""),
        ] {
            let found = found(files);
            let found = found.iter().filter_map(|line| line.split_once("SKILL.md: skill-md: "));
            assert_eq!(found.map(|(_, found)| found).collect::<Vec<_>>(), [expected], "{files:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let skill_folder = folder.path().join("skills/tides");
        fs::create_dir_all(&skill_folder).unwrap();
        fs::write(skill_folder.join("SKILL.md"), skill("tides", "")).unwrap();
        for name in ["skill.toml", "agent.toml", "agentry.toml"] {
            let made = std::process::Command::new("mkfifo").arg(skill_folder.join(name)).status().unwrap();
            assert!(made.success());
        }
        let paths = [folder.path().to_owned()];
        let (send, receive) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let outcome = walk::run(&paths, None);
            let _ = send.send((outcome.files.len(), outcome.errors.len()));
        });
        let outcome = receive.recv_timeout(std::time::Duration::from_secs(30));
        assert_eq!(outcome, Ok((1, 0)));
    }

    #[test]
    fn a_skill_toml_beside_it_has_the_same_name() {
        let (same, other) = (skill("tides", ""), skill("water", ""));
        for (toml, md, expected) in [
            (TOML, &same, ""),
            // One finding, though the folder is called otherwise too.
            (TOML, &other, "error name-mismatch /name"),
            ("not TOML", &same, ""),
            ("[skill]\nname = 1", &same, ""),
        ] {
            let found = found(&[("skills/tides/skill.toml", toml), ("skills/tides/SKILL.md", md)]);
            assert_eq!(found[0], format!("skills/tides/SKILL.md: skill-md: {expected}"), "{toml}");
        }
    }
}
