//! Which kind a file is: what it says itself, else its content and its path.

use crate::path;
use agentry::Kind;
use agentry_text::{Format, Kind as NodeKind, Node};
use std::path::Path;

/// What was found out about the kind of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detection {
    /// It is of this kind.
    Kind(Kind),
    /// It says that it is none of ours: `#:schema none`.
    Foreign,
    /// Several kinds fit equally well.
    Tie(Vec<Candidate>),
    /// Nothing fits. What is here has the name of the file, and other programs have that too.
    Nothing(Vec<Candidate>),
}

/// A kind that was considered, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The kind.
    pub kind: Kind,
    /// What speaks for it.
    pub sign: Sign,
}

/// What speaks for a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The keys of the document.
    Content,
    /// The folder that it is in, and the name of the file.
    Path,
    /// The name of the file alone.
    Name,
}

impl Sign {
    /// The sign, as a message names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Path => "path",
            Self::Name => "file name",
        }
    }
}

/// Finds out which kind a file is.
///
/// What the file names as its schema decides: a `$schema` key, or a comment `#:schema` or
/// `# yaml-language-server: $schema=` before anything else. Else the kinds are considered that its content shows and
/// that its path is a place for: one that both agree on wins, then what the content alone shows, then what the path
/// alone says, then a fixed file name such as `HAND.toml`. A name that other programs use too, such as `agent.toml`,
/// needs a sign in the content.
///
/// Markdown is of a kind that is written in Markdown, and nothing else is.
pub fn detect(path: Option<&Path>, text: &str, root: Option<&Node>) -> Detection {
    let ending = path.and_then(Path::extension).and_then(|ending| ending.to_str());
    detect_in(ending.and_then(Format::from_name).unwrap_or(Format::Toml), path, text, root)
}

/// Finds out which kind a file of a format is.
pub(crate) fn detect_in(format: Format, path: Option<&Path>, text: &str, root: Option<&Node>) -> Detection {
    let reference = reference(text, root);
    if let Some(detection) = reference.and_then(|reference| declared(reference, format)) {
        return detection;
    }
    let path = path.map(path::in_usual_case);
    let path = path.as_deref();
    let is_markdown = |format: Format| format == Format::Markdown;
    let fits = |kind: &Kind| kind.formats().iter().any(|one| is_markdown(*one) == is_markdown(format));
    let of = |sign: Sign, test: &dyn Fn(Kind) -> bool| {
        let kinds = Kind::ALL.iter().copied().filter(|kind| fits(kind) && test(*kind));
        kinds.map(|kind| Candidate { kind, sign }).collect::<Vec<_>>()
    };
    let has = |groups: &[&str]| root.is_some_and(|root| groups.iter().any(|group| has_all(root, group)));
    let signed = |kind: Kind| has(kind.signs()) && !has(kind.contrary());
    // The file of a schema at somebody else's address is somebody else's, however it is called.
    let foreign = reference.is_some_and(|reference| reference.contains("://"));
    let has_name = |kind: Kind| {
        let mut patterns = kind.paths().iter();
        path.is_some_and(|path| patterns.any(|pattern| path::has_own_name(path, pattern)))
    };
    let by_content = of(Sign::Content, &|kind| has(kind.tells()));
    let shown = |kind: Kind| by_content.iter().any(|candidate| candidate.kind == kind);
    let by_signs = of(Sign::Content, &|kind| shown(kind) || !foreign && signed(kind));
    let by_path = of(Sign::Path, &|kind| path.is_some_and(|path| has_place(kind, path)));
    let by_name = of(Sign::Name, &|kind| !foreign && kind.signs().is_empty() && has_name(kind));
    let by_shared_name = of(Sign::Name, &|kind| !foreign && has_name(kind));
    let both = |one: &[Candidate], other: &[Candidate]| {
        let in_other = |candidate: &Candidate| other.iter().any(|other| other.kind == candidate.kind);
        one.iter().copied().filter(in_other).collect::<Vec<_>>()
    };
    let considered = [
        both(&by_content, &by_path),
        both(&by_content, &by_shared_name),
        by_content,
        both(&by_signs, &by_path),
        both(&by_signs, &by_shared_name),
        by_path,
        by_name,
        // A text that came without a file has no name that could contradict.
        if path.is_none() { by_signs } else { Vec::new() },
    ];
    if let Some(only) = considered.iter().find_map(|candidates| match candidates[..] {
        [candidate] => Some(candidate.kind),
        _ => None,
    }) {
        return Detection::Kind(only);
    }
    let tie = considered.into_iter().find(|candidates| !candidates.is_empty());
    tie.map_or_else(|| Detection::Nothing(by_shared_name), Detection::Tie)
}

/// Whether some kind has its files where a file is.
pub(crate) fn is_a_place(path: &Path) -> bool {
    let path = path::in_usual_case(path);
    Kind::ALL.iter().any(|kind| has_place(*kind, &path))
}

/// Whether a kind has its files where a file is, whose name is in the usual case. A name that is shared with other
/// programs is no place.
fn has_place(kind: Kind, path: &Path) -> bool {
    let mut places = kind.paths().iter().filter(|pattern| kind.signs().is_empty() || pattern.contains('/'));
    places.any(|pattern| path::matches(path, pattern).is_some())
}

/// Whether a document has each of the keys that a group of tells names.
pub(crate) fn has_all(root: &Node, group: &str) -> bool {
    group.split(' ').all(|tell| {
        let (pointer, wanted) =
            tell.split_once(':').map_or((tell, None), |(pointer, wanted)| (pointer, Some(wanted)));
        root.pointer(pointer).is_some_and(|node| wanted.is_none_or(|wanted| is_of_type(node, wanted)))
    })
}

/// Whether a node is of a type, as a tell names it.
fn is_of_type(node: &Node, name: &str) -> bool {
    match &node.kind {
        NodeKind::String(text) => name == "string" || name == "namespaced" && is_namespaced(text),
        NodeKind::Integer(_) => name == "integer",
        NodeKind::Array(_) => name == "array",
        NodeKind::Table(_) => name == "table",
        _ => false,
    }
}

/// Whether a text is two names with a slash between them. A name that npm would take is another thing, and so is a path.
fn is_namespaced(text: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    text.split_once('/').is_some_and(|(namespace, name)| is_name(namespace) && is_name(name))
}

/// Whether the beginning of a text names the schema of one of the kinds. A quick look: whoever says yes reads the text.
pub(crate) fn names_schema(head: &str, format: Format) -> bool {
    let is_ours = |reference: &str| matches!(declared(reference, format), Some(Detection::Kind(_)));
    let values = head.match_indices("$schema").filter_map(|(at, key)| {
        let rest = head[at + key.len()..].trim_start_matches(['"', '\'']).trim_start();
        let rest = rest.strip_prefix(':')?.trim_start().trim_start_matches(['"', '\'']);
        rest.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '}')).next()
    });
    reference(head, None).into_iter().chain(values).any(is_ours)
}

/// The schema that the file names for itself, if it does.
fn reference<'t>(text: &'t str, root: Option<&'t Node>) -> Option<&'t str> {
    let key = root.and_then(|root| root.get("$schema")).and_then(|entry| entry.node.as_str());
    let comments = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let comment = comments
        // The lines that front matter or a YAML document begins with stand before its comments.
        .take_while(|line| line.is_empty() || line.starts_with(['#', '%']) || *line == "---")
        .find_map(|line| {
            let editor = || line.strip_prefix('#')?.trim_start().strip_prefix("yaml-language-server:");
            let editor = || editor()?.trim_start().strip_prefix("$schema=");
            line.strip_prefix("#:schema").or_else(editor)
        })
        .and_then(|rest| rest.split_whitespace().next());
    key.or(comment)
}

/// What the schema that a file names says of its kind.
fn declared(reference: &str, format: Format) -> Option<Detection> {
    if reference == "none" {
        return Some(Detection::Foreign);
    }
    let address = reference.split(['?', '#']).next().unwrap_or(reference);
    if let Some(kind) = Kind::ALL.iter().find(|kind| kind.schemas().contains(&address)) {
        return Some(Detection::Kind(*kind));
    }
    let file = address.rsplit(['/', '\\']).next()?;
    // Others have a `plugin.json` or a `workflow.json` too: only the full name counts. Somebody else's may have even that,
    // for a file of another format.
    let kind = Kind::from_name(file.strip_suffix(".schema.json")?)?;
    (kind.formats().contains(&format) || !address.contains("://")).then_some(Detection::Kind(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found out about a text, in a word.
    fn detected(path: &str, text: &str) -> String {
        let path = Path::new(path);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let document = match Format::from_name(ending) {
            Some(Format::Yaml) => agentry_text::yaml::parse(text),
            Some(Format::Json) => agentry_text::json::parse(text),
            _ => agentry_text::toml::parse(text),
        };
        let names = |candidates: &[Candidate]| {
            let said = candidates.iter().map(|one| format!(" {} {}", one.kind, one.sign.name()));
            said.collect::<String>()
        };
        match detect(Some(path), text, document.root.as_ref()) {
            Detection::Kind(kind) => kind.to_string(),
            Detection::Foreign => "foreign".to_owned(),
            Detection::Tie(candidates) => format!("tie:{}", names(&candidates)),
            Detection::Nothing(candidates) => format!("nothing:{}", names(&candidates)),
        }
    }

    #[test]
    fn agent_toml_is_told_by_schema_then_content_then_path() {
        const EVERRUNS: &str = "https://docs.everruns.com/schemas/agent/v1.json";
        for (path, text, kind) in [
            // What it says itself.
            ("agents/a/agent.toml", &*format!("#:schema {EVERRUNS}\nname = \"a\""), "package"),
            (
                "agents/a/agent.toml",
                &format!("# A comment.\n#:schema  {EVERRUNS}  # why\nname = \"a\""),
                "package",
            ),
            ("x/agent.yaml", &format!("# yaml-language-server: $schema={EVERRUNS}\nname: a"), "package"),
            ("x/agent.yaml", &format!("---\n#yaml-language-server: $schema={EVERRUNS}\nname: a"), "package"),
            ("x/agent.json", &format!("{{\"$schema\": \"{EVERRUNS}\", \"name\": \"a\"}}"), "package"),
            ("x/agent.toml", "#:schema ./agent.schema.json\nname = \"a\"\ninstructions = \"x\"", "agent"),
            ("agents/a/agent.toml", "#:schema none\nname = \"a\"\nmodule = \"m\"", "foreign"),
            ("x/agent.yaml", "# yaml-language-server: $schema=none\nname: a", "foreign"),
            // Its content.
            ("agents/a/agent.toml", "name = \"a\"\ninstructions = \"x\"\nschema_version = 1", "package"),
            ("x/agent.toml", "name = \"a\"\nmodule = \"m\"\n[model]\nsystem_prompt = \"x\"", "agent"),
            ("any.toml", "name = \"a\"\nmodule = \"m\"\ndescription = \"x\"", "agent"),
            ("any.toml", "name = \"a\"\nschema_version = 1\ncapabilities = [\"x\"]", "package"),
            // Keys that others have too count where the name of the file fits.
            ("x/agent.toml", "name = \"a\"\ninstructions = \"x\"", "package"),
            ("x/agent.yaml", "name: a\nschema_version: 1", "package"),
            // One whose name was forgotten.
            ("x/agent.yaml", "schema_version: 1\ninstructions: x", "package"),
            ("agents/a/agent.toml", "schema_version = 1\ninstructions = \"x\"", "package"),
            ("x/agent.yaml", "schema_version: 1", "nothing: package file name"),
            ("x/config.toml", "schema_version = 1\ninstructions = \"x\"", "nothing:"),
            ("x/other.yaml", "name: a\nschema_version: 1", "nothing:"),
            ("agents/a/agent.toml", "name = \"a\"\nschema_version = 1", "package"),
            ("x/agent.toml", "name = \"a\"\n[model]\nprovider = \"x\"\nmodel = \"y\"", "package"),
            // Its path.
            ("agents/a/agent.toml", "name = \"a\"", "agent"),
            // Nothing but a name that others use too.
            (
                "x/agent.toml",
                "name = \"a\"\n[server]\nport = 1",
                "nothing: agent file name package file name",
            ),
            ("x/agent.yaml", "agents:\n  root:\n    model: default", "nothing: package file name"),
            ("x/agent.yaml", "version: 0.0.1\nname: q\nmeta: {version: 0.3.0}", "nothing: package file name"),
            (
                "x/agent.toml",
                "#:schema https://x.example/agent/v1.json\nname = \"a\"\ninstructions = \"x\"",
                "nothing:",
            ),
            // Both.
            (
                "x/agent.toml",
                "name = \"a\"\ninstructions = \"x\"\n[model]\nsystem_prompt = \"x\"",
                "tie: agent content package content",
            ),
        ] {
            assert_eq!(detected(path, text), kind, "{path}: {text}");
        }
    }

    #[test]
    fn a_schema_of_the_same_name_may_be_somebody_elses() {
        for (path, text, kind) in [
            (
                "plugin.json",
                r#"{"$schema": "https://x.example/plugin.schema.json", "name": "a"}"#,
                "nothing:",
            ),
            ("x.toml", "#:schema https://x.example/plugin.schema.json\nname = \"a\"", "plugin"),
            ("x.json", r#"{"$schema": "https://kindgi.com/schemas/v1/tool.schema.json"}"#, "tool"),
        ] {
            assert_eq!(detected(path, text), kind, "{path}: {text}");
        }
    }

    #[test]
    fn files_of_other_programs_with_a_name_of_ours_are_theirs() {
        for (path, text) in [
            (
                "x/agent.json",
                r#"{"name": "a", "url": "https://a.example", "version": "1", "capabilities": {"streaming": true},
                    "skills": [{"id": "s"}], "defaultInputModes": ["text"]}"#,
            ),
            ("x/agent.json", r#"{"name": "a", "skills": [{"id": "s"}]}"#),
            ("x/agent.yaml", "kind: Prompt\nname: a\ninstructions: Help.\nmodel: {id: m, provider: p}"),
            ("x/agent.json", r#"{"name": "a", "prompt": "x", "mcpServers": {"b": {"command": "b"}}}"#),
            ("x/agent.toml", "name = \"a\"\nversion = \"1\"\n[model]\nprovider = \"p\"\nname = \"m\""),
            ("x/agent.yaml", "apiVersion: v1\nkind: Agent\nname: a\ninstructions: x"),
        ] {
            let found = detected(path, text);
            assert!(found.starts_with("nothing:"), "{text}: {found}");
        }
        for (text, kind) in [
            ("name: a\nskills: [s]", "package"),
            ("name: a\nfiles: [s]", "package"),
            ("name: a\nfiles: [{source: s}]", "package"),
            ("name: a\nmodel: {provider: p, model: m}", "package"),
            ("name: a\nmcpServers: {b: {command: b}}", "package"),
        ] {
            assert_eq!(detected("x/agent.yaml", text), kind, "{text}");
        }
    }

    #[test]
    fn names_with_a_namespace_tell_a_skill_configuration() {
        for (text, kind) in [
            ("name: a/b\ntools:\n  - name: a/c", "skill-config"),
            ("name: a\ntools:\n  - name: a/c", "nothing:"),
            ("name: a/b\ntools:\n  - name: c", "nothing:"),
            ("name: a/b\ntools: [a/c]", "nothing:"),
            ("name: '@a/b'\ntools:\n  - name: a/c", "nothing:"),
            ("name: a/b\ntools:\n  - name: https://a.example/c", "nothing:"),
            ("name: a/b\ntools:\n  - name: /a/c", "nothing:"),
        ] {
            assert_eq!(detected("x.yaml", text), kind, "{text}");
        }
        assert_eq!(detected("x/a.skill.yml", "name: a"), "skill-config");
    }

    #[test]
    fn a_directive_hides_no_comment() {
        let text = "%YAML 1.2\n# yaml-language-server: $schema=none\n---\nname: a\ninstructions: x\n";
        assert_eq!(detected("x/agent.yaml", text), "foreign");
        let text = "%YAML 1.2\n---\n# yaml-language-server: $schema=none\nname: a\ninstructions: x\n";
        assert_eq!(detected("x/agent.yaml", text), "foreign");
    }

    #[test]
    fn tells_name_types_that_there_are() {
        let ours = Kind::ALL.iter().map(|kind| {
            let groups = kind.tells().iter().chain(kind.signs()).chain(kind.contrary());
            (kind.name(), groups.collect::<Vec<_>>())
        });
        for (kind, groups) in ours.chain(crate::foreign::tells()) {
            for tell in groups.into_iter().flat_map(|group| group.split(' ')) {
                let (pointer, wanted) = tell.split_once(':').unwrap_or((tell, "table"));
                assert!(pointer.starts_with('/'), "{kind}: {tell}");
                assert!(
                    ["array", "integer", "namespaced", "string", "table"].contains(&wanted),
                    "{kind}: {tell}"
                );
            }
        }
    }
}
