//! Skills that are put together from others.

use super::{Findings, Mention, Run, folded};
use crate::rules;
use agentry::Kind;
use agentry::skill_config::SkillName;
use agentry_text::{Finding, Kind as NodeKind, Node, Severity};
use std::collections::HashMap;
use std::fmt::Write as _;

/// How many steps of a circle are named.
const MAX_STEPS: usize = 8;

/// A skill that is put together from others.
#[derive(Debug)]
pub(super) struct Skill {
    name: Mention,
    /// The skills that it includes.
    includes: Vec<Mention>,
}

impl Skill {
    pub(super) fn of(kind: Kind, root: &Node) -> Option<Self> {
        if kind != Kind::SkillConfig {
            return None;
        }
        let mention = |table: &Node, pointer: String| {
            let node = &table.get("name")?.node;
            let name = SkillName::new(node.as_str()?).ok()?;
            Some(Mention { name: name.as_str().to_owned(), pointer, span: node.span })
        };
        let includes = match root.get("includes").map(|entry| &entry.node.kind) {
            Some(NodeKind::Array(items)) => {
                let items = items.iter().enumerate();
                items.filter_map(|(index, item)| mention(item, format!("/includes/{index}/name"))).collect()
            }
            _ => Vec::new(),
        };
        Some(Self { name: mention(root, "/name".to_owned())?, includes })
    }
}

/// Applies the rules over the skills of a run.
pub(super) fn check(run: &Run<'_>, findings: &mut Findings) {
    let skills = Skills::new(run);
    skills.check_names(findings);
    skills.check_includes(findings);
    skills.check_circles(findings);
}

/// The skills of a run.
struct Skills<'r> {
    run: &'r Run<'r>,
    /// Each with its file.
    all: Vec<(usize, &'r Skill)>,
    /// The first skill of each name in a registry, or outside of all, by its place in `all`.
    by_name: HashMap<(Option<usize>, &'r str), usize>,
    /// The first skill of each name in the whole run.
    anywhere: HashMap<&'r str, usize>,
}

impl<'r> Skills<'r> {
    fn new(run: &'r Run<'r>) -> Self {
        let all: Vec<(usize, &Skill)> =
            run.facts().filter_map(|(file, facts)| Some((file, facts.skill.as_ref()?))).collect();
        let mut by_name = HashMap::with_capacity(all.len());
        let mut anywhere = HashMap::with_capacity(all.len());
        for (index, (file, skill)) in all.iter().enumerate() {
            let name = skill.name.name.as_str();
            by_name.entry((run.registry(*file), name)).or_insert(index);
            anywhere.entry(name).or_insert(index);
        }
        Self { run, all, by_name, anywhere }
    }

    /// The skill that a name means in a file: that of its own registry before any other.
    fn named(&self, file: usize, name: &str) -> Option<usize> {
        self.by_name.get(&(self.run.registry(file), name)).or_else(|| self.anywhere.get(name)).copied()
    }

    /// Where a name stands: `skills/git.yaml:1:7`.
    fn place(&self, skill: usize, mention: &Mention) -> String {
        self.run.place(self.all[skill].0, mention.span)
    }

    /// One name, two files of a registry: which of them is registered depends on their order. A registry within another,
    /// of examples or of somebody else, is registered by itself.
    fn check_names(&self, findings: &mut Findings) {
        for (index, (file, skill)) in self.all.iter().enumerate() {
            let Some(first) = self.named(*file, &skill.name.name) else { continue };
            if first == index || self.run.is_one_file(self.all[first].0, self.all[index].0) {
                continue;
            }
            let (name, other) = (&skill.name.name, self.place(first, &self.all[first].1.name));
            let message = format!("the skill `{name}` is defined in another file too: {other}");
            let finding = skill
                .name
                .finding(&rules::DUPLICATE_SKILL, message)
                .label("defined a second time")
                .help("give one of the two another name, or delete it: only one can be registered");
            findings.push((*file, finding));
        }
    }

    /// Skills are registered from many places, so that nobody defines one here proves nothing, unless it is nearly the name
    /// of one.
    fn check_includes(&self, findings: &mut Findings) {
        let mut alike: HashMap<String, &str> = HashMap::with_capacity(self.all.len());
        for (_, skill) in &self.all {
            alike.entry(folded(&skill.name.name)).or_insert(&skill.name.name);
        }
        for (file, skill) in &self.all {
            for included in &skill.includes {
                if self.anywhere.contains_key(included.name.as_str()) {
                    continue;
                }
                let Some(near) = alike.get(&folded(&included.name)) else { continue };
                let message = format!(
                    "no file of this run defines the skill `{}`, and one defines `{near}`",
                    included.name
                );
                let finding = included
                    .finding(&rules::UNKNOWN_SKILL, message)
                    .severity(Severity::Hint)
                    .label("defined elsewhere, or mistyped")
                    .help(format!("did you mean `{near}`?"));
                findings.push((*file, finding));
            }
        }
    }

    /// Circles of skills that include each other: a depth-first search finds, for each, the include that closes it.
    /// Without those there is no circle left.
    fn check_circles(&self, findings: &mut Findings) {
        const NEW: usize = usize::MAX;
        const DONE: usize = usize::MAX - 1;
        // Where a skill stands on the way here.
        let mut state = vec![NEW; self.all.len()];
        for start in 0..self.all.len() {
            if state[start] != NEW {
                continue;
            }
            // Each skill on the way, and how many of its includes were followed.
            let mut way = vec![(start, 0)];
            state[start] = 0;
            while let Some((here, followed)) = way.last_mut() {
                let here = *here;
                let Some(included) = self.all[here].1.includes.get(*followed) else {
                    state[here] = DONE;
                    way.pop();
                    continue;
                };
                *followed += 1;
                let Some(next) = self.named(self.all[here].0, &included.name) else { continue };
                match state[next] {
                    NEW => {
                        state[next] = way.len();
                        way.push((next, 0));
                    }
                    DONE => {}
                    // The skill itself: reported where it is read.
                    _ if next == here => {}
                    from => {
                        let finding = self.circle(&way[from..], included);
                        findings.push((self.all[here].0, finding));
                    }
                }
            }
        }
    }

    /// A circle: the skills on the way, of which the last includes the first.
    fn circle(&self, way: &[(usize, usize)], included: &Mention) -> Finding {
        let last = way.last().map_or("", |(skill, _)| self.all[*skill].1.name.name.as_str());
        let mut message = format!("the skill `{last}` includes itself by way of others: `{}`", included.name);
        for (step, (skill, followed)) in way[..way.len() - 1].iter().enumerate() {
            if step == MAX_STEPS {
                let _ = write!(message, ", and so on over {} more", way.len() - 1 - MAX_STEPS);
                break;
            }
            let next = &self.all[*skill].1.includes[followed - 1];
            let joint = if step == 0 { " includes" } else { ", which includes" };
            let _ = write!(message, "{joint} `{}` ({})", next.name, self.place(*skill, next));
        }
        included
            .finding(&agentry::rules::INCLUDE_CIRCLE, message)
            .label("closes a circle")
            .help("delete one of the includes of the circle: the tools of all would be merged into each other for ever")
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::{Outcome, run};
    use agentry_text::Lines;
    use std::path::Path;

    /// Writes files and checks them in one run: each finding as `file:line:column severity rule pointer`.
    fn found(files: &[(&str, &str)]) -> (Vec<String>, Outcome) {
        let folder = tempfile::tempdir().unwrap();
        let mut paths = Vec::new();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            if Path::new(name).extension().is_some_and(|ending| ending == "yaml") {
                paths.push(path);
            }
        }
        let outcome = run(&paths, Some(agentry::Kind::SkillConfig));
        let mut found = Vec::new();
        for file in &outcome.files {
            assert_eq!(
                file.text.is_empty(),
                file.checked.findings.is_empty(),
                "text is kept where it is shown"
            );
            let name = file.path.strip_prefix(folder.path()).unwrap().display().to_string();
            for finding in &file.checked.findings {
                let at = Lines::new(&file.text).position(finding.span.start);
                let (severity, rule) = (finding.severity.name(), finding.rule.name);
                found.push(format!("{name}:{}:{} {severity} {rule} {}", at.line, at.column, finding.pointer));
            }
        }
        (found, outcome)
    }

    /// A skill that includes others.
    fn skill(name: &str, includes: &[&str]) -> String {
        let list: Vec<String> = includes.iter().map(|include| format!("  - name: {include}\n")).collect();
        format!("name: {name}\nincludes:\n{}", list.concat())
    }

    #[test]
    fn circles_are_found_at_the_include_that_closes_them() {
        let three = [
            ("a.yaml", skill("x/a", &["y/other", "x/b"])),
            ("b.yaml", skill("x/b", &["x/c"])),
            ("c.yaml", skill("x/c", &["x/a"])),
        ];
        let two = [("a.yaml", skill("x/a", &["x/b"])), ("b.yaml", skill("x/b", &["x/a", "x/a"]))];
        let both = [
            ("a.yaml", skill("x/a", &["x/b", "x/c"])),
            ("b.yaml", skill("x/b", &["x/a"])),
            ("c.yaml", skill("x/c", &["x/a"])),
        ];
        let none = [
            ("a.yaml", skill("x/a", &["x/b", "x/c"])),
            ("b.yaml", skill("x/b", &["x/c"])),
            ("c.yaml", skill("x/c", &["z/d"])),
        ];
        // A fault elsewhere in a file hides no circle.
        let broken = [
            ("a.yaml", format!("{}colour: red\n", skill("x/a", &["x/b"]))),
            ("b.yaml", skill("x/b", &["x/a"])),
        ];
        for (files, expected) in [
            (&three[..], &["c.yaml:3:11 error include-circle /includes/0/name"][..]),
            (
                &two[..],
                &[
                    "b.yaml:3:11 error include-circle /includes/0/name",
                    "b.yaml:4:11 error include-circle /includes/1/name",
                    "b.yaml:4:11 warning duplicate-entry /includes/1/name",
                ],
            ),
            (
                &both[..],
                &[
                    "b.yaml:3:11 error include-circle /includes/0/name",
                    "c.yaml:3:11 error include-circle /includes/0/name",
                ],
            ),
            (&none[..], &[]),
            (
                &broken[..],
                &["a.yaml:4:1 error unknown-key ", "b.yaml:3:11 error include-circle /includes/0/name"],
            ),
            (
                &[("a.yaml", skill("x/a", &["x/a"]))][..],
                &["a.yaml:3:11 error include-circle /includes/0/name"],
            ),
        ] {
            let files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
            let (mut found, _) = found(&files);
            found.sort();
            let mut expected = expected.to_vec();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_circle_is_told_with_its_places() {
        let files = [skill("x/a", &["x/b"]), skill("x/b", &["x/c"]), skill("x/c", &["x/a"])];
        let (_, outcome) = found(&[("a.yaml", &files[0]), ("b.yaml", &files[1]), ("c.yaml", &files[2])]);
        let message = &outcome.files[2].checked.findings[0].message;
        let places: Vec<&str> = message.split(['(', ')']).skip(1).step_by(2).collect();
        assert_eq!(places.len(), 2, "{message}");
        assert!(places[0].ends_with("a.yaml:3:11") && places[1].ends_with("b.yaml:3:11"), "{message}");
    }

    #[test]
    fn a_long_circle_is_one_finding_of_a_readable_length() {
        let texts: Vec<(String, String)> = (0..300)
            .map(|at| {
                (format!("s{at:03}.yaml"), skill(&format!("x/s{at}"), &[&format!("x/s{}", (at + 1) % 300)]))
            })
            .collect();
        let files: Vec<_> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let (found, outcome) = found(&files);
        assert_eq!(found, ["s299.yaml:3:11 error include-circle /includes/0/name"]);
        let message = &outcome.files[299].checked.findings[0].message;
        assert!(message.ends_with("and so on over 291 more"), "{message}");
    }

    #[test]
    fn names_are_unique_in_a_run_and_nearly_known_ones_are_asked_about() {
        let (found, _) = found(&[
            ("a.yaml", "name: x/word-count\n"),
            ("b.yaml", "# again\nname: x/word-count\n"),
            ("c.yaml", &skill("x/c", &["X/word_count", "x/wordcounter", "z/word-count"])),
        ]);
        assert_eq!(
            found,
            ["b.yaml:2:7 warning duplicate-skill /name", "c.yaml:3:11 hint unknown-skill /includes/0/name"]
        );
    }

    #[test]
    fn a_registry_within_another_has_skills_of_its_own() {
        let a = skill("x/a", &["x/b"]);
        let (one, other) =
            (("skill-configs/a.yaml", a.as_str()), ("examples/skill-configs/a.yaml", a.as_str()));
        let b = ("skill-configs/b.yaml", "name: x/b\n");
        assert_eq!(found(&[one, other, b]).0, [""; 0]);
        let again = ("skill-configs/c.yaml", a.as_str());
        assert_eq!(
            found(&[one, other, again, b]).0,
            ["skill-configs/c.yaml:1:7 warning duplicate-skill /name"]
        );
    }

    #[test]
    fn folders_of_a_skill_hold_its_file() {
        let config = |paths: &[&str]| {
            let list: Vec<String> = paths.iter().map(|path| format!("  - path: {path}\n")).collect();
            format!("name: x/a\nagent_skill_folders:\n{}", list.concat())
        };
        let text = config(&[
            "skills/pdf",
            "./skills/../skills/pdf/",
            "skills/lower",
            "skills/gone",
            "skills/pdf/SKILL.md",
            "../out",
            "/etc",
            "skills/link",
        ]);
        let files = [
            ("in/a.yaml", text.as_str()),
            ("in/skills/pdf/SKILL.md", "x"),
            ("in/skills/lower/skill.md", "x"),
            ("out/SKILL.md", "x"),
        ];
        let (found, outcome) = found(&files);
        let gone = "error missing-skill-file /agent_skill_folders";
        assert_eq!(
            found,
            [
                format!("in/a.yaml:5:11 {gone}/2/path"),
                format!("in/a.yaml:6:11 {gone}/3/path"),
                format!("in/a.yaml:7:11 {gone}/4/path"),
                "in/a.yaml:8:11 warning outside-path /agent_skill_folders/5/path".to_owned(),
                "in/a.yaml:9:11 warning outside-path /agent_skill_folders/6/path".to_owned(),
                format!("in/a.yaml:10:11 {gone}/7/path"),
            ]
        );
        let help = outcome.files[0].checked.findings[0].help.as_deref();
        assert_eq!(help, Some("rename its `skill.md` to `SKILL.md`"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("in")).unwrap();
        std::fs::create_dir_all(folder.path().join("out")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("out"), folder.path().join("in/link")).unwrap();
        let path = folder.path().join("in/a.yaml");
        std::fs::write(&path, "name: x/a\nagentSkillFolders:\n  - path: link\n").unwrap();
        let outcome = run(&[path], Some(agentry::Kind::SkillConfig));
        let findings = outcome.files[0].checked.findings.iter();
        let found: Vec<_> = findings.map(|one| (one.rule.name, one.pointer.as_str())).collect();
        assert_eq!(
            found,
            [("legacy-name", "/agentSkillFolders"), ("outside-path", "/agentSkillFolders/0/path")]
        );
    }
}
