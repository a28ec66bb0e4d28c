//! Names of tools and schemas of what goes into them, as models are offered them: valid, and refused by some of the services
//! that models are reached through. One such tool makes a service refuse the whole request.

use super::Sink;
use crate::{pointer, rules, schemas};
use agentry::Kind as ManifestKind;
use agentry_text::{Finding, Node, Severity, quoted};

/// How many lists without `items` are reported of one schema.
const MAX_LISTS: usize = 20;

/// How long the name of a tool may be everywhere.
const MAX_NAME: usize = 64;

/// The keys that a tool is called by.
const NAMES: [&str; 2] = ["name", "id"];

/// Keywords at the root of a schema that some services refuse there, each with those that do.
const JOINING: [(&str, &str); 5] = [
    ("oneOf", BOTH),
    ("anyOf", BOTH),
    ("allOf", BOTH),
    ("not", "the API of OpenAI (as of 2026-08) refuses"),
    ("enum", "the API of OpenAI (as of 2026-08) refuses"),
];
const BOTH: &str = "the APIs of Anthropic and OpenAI (as of 2026-08) refuse";

/// Where a kind has the schema of what goes into a tool.
const fn inputs(kind: ManifestKind) -> &'static [&'static str] {
    match kind {
        ManifestKind::Tool => &["/input"],
        ManifestKind::Package => &["/tools/*/parameters"],
        ManifestKind::SkillConfig => &["/inline_tools/*/input_schema"],
        ManifestKind::Skill => &["/tools/provided/*/input_schema"],
        _ => &[],
    }
}

pub(super) fn check(sink: &mut Sink<'_>) {
    let root = sink.root;
    for pattern in inputs(sink.kind) {
        for pointer in pointer::expand(sink.kind, root, pattern) {
            let Some(schema) = root.pointer(&pointer).filter(|node| node.as_table().is_some()) else {
                continue;
            };
            // How a schema travels that is wrong in itself, nobody asks.
            let is_wrong = |finding: &Finding| {
                finding.severity == Severity::Error && schemas::is_at_or_below(&finding.pointer, &pointer)
            };
            if sink.findings.iter().any(is_wrong) {
                continue;
            }
            let above = pointer.rsplit_once('/').map_or("", |(above, _)| above);
            let owner = root.pointer(above);
            let named = owner.and_then(|owner| NAMES.iter().find_map(|key| Some((*key, owner.get(key)?))));
            let tool =
                named.and_then(|(_, entry)| entry.node.as_str()).map_or_else(|| "a tool".to_owned(), quoted);
            if let Some((key, entry)) = named {
                check_name(&entry.node, format!("{above}/{key}"), sink);
            }
            check_root(schema, &pointer, &tool, sink);
            let mut lists = 0;
            check_lists(schema, &pointer, &tool, &mut lists, sink);
        }
    }
}

/// What a tool is called, as models are offered it: of a tool of its own file with `_` for each dot.
fn check_name(node: &Node, pointer: String, sink: &mut Sink<'_>) {
    let Some(name) = node.as_str().filter(|name| !name.is_empty()) else { return };
    let has_file = sink.kind == ManifestKind::Tool;
    let fits =
        |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-') || has_file && char == '.';
    let shown = quoted(name);
    let (message, help) = if let Some(char) = name.chars().find(|char| !fits(*char)) {
        // Of a tool of its own file that is said as `unusual-name`.
        if has_file {
            return;
        }
        (
            format!(
                "{} in the name of the tool {shown} is refused by the APIs of Anthropic and OpenAI (as of 2026-08)",
                quoted(&char.to_string())
            ),
            "write it in letters of ASCII, digits, `_` and `-`".to_owned(),
        )
    } else if name.len() > MAX_NAME {
        (
            format!(
                "the name of the tool {shown} has {} characters, and the API of OpenAI (as of 2026-08) takes {MAX_NAME}",
                name.len()
            ),
            format!("shorten it by {}", name.len() - MAX_NAME),
        )
    } else if name.starts_with(|char: char| char.is_ascii_digit() || char == '-') {
        (
            format!(
                "the API of Gemini (as of 2026-08) refuses the tool {shown}: a name begins with a letter or `_` there"
            ),
            "put a word before it".to_owned(),
        )
    } else {
        return;
    };
    let finding = Finding::new(&rules::NOT_PORTABLE, pointer, node.span, message);
    sink.push(finding.label("refused by some").help(help));
}

fn check_root(schema: &Node, pointer: &str, tool: &str, sink: &mut Sink<'_>) {
    let joining = JOINING.iter().find_map(|(keyword, refused)| Some((schema.get(keyword)?, refused)));
    if let Some((entry, refused)) = joining {
        let message = format!("the input of {tool} has `{}` at its root, which {refused}", entry.key);
        let place = format!("{pointer}/{}", entry.key);
        sink.push(
            Finding::new(&rules::NOT_PORTABLE, place, entry.key_span, message)
                .label("refused by some")
                .help("say it in the description, or inside a property: at the root, some services take `properties` only"),
        );
        return;
    }
    let kind = schema.get("type");
    // The runtime of packages adds `properties` itself before it asks a service.
    let needs_none = sink.kind == ManifestKind::Package;
    let is_whole = needs_none || ["properties", "$ref"].iter().any(|key| schema.get(key).is_some());
    let (message, help) = match kind.map(|kind| kind.node.as_str()) {
        Some(Some("object")) if is_whole => return,
        Some(Some("object")) => (
            format!(
                "the input of {tool} has no `properties`, and the API of OpenAI (as of 2026-08) refuses such a tool"
            ),
            "add `\"properties\": {}` where there are none",
        ),
        Some(_) => (
            format!(
                "the input of {tool} is no object, and the APIs of Anthropic and OpenAI (as of 2026-08) take nothing else"
            ),
            "write `\"type\": \"object\"`, with the value as one of its `properties`",
        ),
        None => (
            format!(
                "the input of {tool} has no `type`, and the APIs of Anthropic and OpenAI (as of 2026-08) take objects only"
            ),
            "write `\"type\": \"object\"`; the whole input of a tool that takes nothing is \
             `{\"type\": \"object\", \"properties\": {}}`",
        ),
    };
    let span = kind.map_or(schema.span, |kind| kind.node.span);
    let place = if kind.is_some() { format!("{pointer}/type") } else { pointer.to_owned() };
    sink.push(Finding::new(&rules::NOT_PORTABLE, place, span, message).label("refused by some").help(help));
}

/// Lists that do not say what is in them.
fn check_lists(schema: &Node, pointer: &str, tool: &str, lists: &mut usize, sink: &mut Sink<'_>) {
    let is_list = schema.get("type").filter(|kind| kind.node.as_str() == Some("array"));
    if let Some(kind) = is_list
        && schema.get("items").is_none()
        && schema.get("prefixItems").is_none()
        && *lists < MAX_LISTS
    {
        *lists += 1;
        let message = format!(
            "this list in the input of {tool} does not say what is in it, and the API of OpenAI (as of 2026-08) refuses \
             such a tool"
        );
        sink.push(
            Finding::new(&rules::NOT_PORTABLE, format!("{pointer}/type"), kind.node.span, message)
                .label("no `items` beside it")
                .help("add `items`, such as `\"items\": {\"type\": \"string\"}`"),
        );
    }
    for (place, node) in schemas::parts(schema) {
        check_lists(node, &format!("{pointer}/{place}"), tool, lists, sink);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Checker, Input};
    use agentry::Kind;
    use agentry_text::Format;

    fn hints(kind: Kind, text: &str) -> Vec<(String, String)> {
        let checked = Checker::default().check(&Input {
            path: None,
            kind: Some(kind),
            contract: None,
            format: Format::Json,
            text,
        });
        let of_rule = checked.findings.into_iter().filter(|one| {
            // Usual names are another rule's.
            assert!(matches!(one.rule.name, "not-portable" | "unusual-name"), "{text}: {one:?}");
            one.rule.name == "not-portable"
        });
        of_rule.map(|one| (one.pointer, one.message)).collect()
    }

    #[test]
    fn names_that_some_services_refuse_draw_a_hint() {
        let long = "a".repeat(65);
        for (name, expected) in [
            ("lookup_ticket-2", ""),
            ("_x", ""),
            ("tide.get", "`.` in the name of the tool `tide.get`"),
            ("größe", "`ö` in the name"),
            ("3d_preview", "the API of Gemini"),
            (&long, "has 65 characters"),
        ] {
            let input = r#"{"type": "object", "properties": {}}"#;
            let package = format!(
                r#"{{"name": "a", "tools": [{{"type": "client_side", "name": "{name}", "description": "Finds.", "parameters": {input}}}]}}"#
            );
            let found = hints(Kind::Package, &package);
            assert_eq!(found.len(), usize::from(!expected.is_empty()), "{name}: {found:?}");
            assert!(
                found.iter().all(|(at, said)| at == "/tools/0/name" && said.contains(expected)),
                "{found:?}"
            );
            // A tool of its own file is offered with `_` for each dot, and other characters are unusual there.
            if name != "größe" {
                let tool = format!(
                    r#"{{"id": "{name}", "description": "Finds.", "version": "1.0.0", "output": {{}}, "input": {input}}}"#
                );
                let found = hints(Kind::Tool, &tool);
                let is_refused = !expected.is_empty() && name != "tide.get";
                assert_eq!(found.len(), usize::from(is_refused), "{name}: {found:?}");
                assert!(found.iter().all(|(at, said)| at == "/id" && said.contains(expected)), "{found:?}");
            }
        }
    }

    #[test]
    fn schemas_that_some_services_refuse_draw_a_hint_at_their_place() {
        let object = |rest: &str| format!(r#"{{"type": "object", "properties": {{{rest}}}}}"#);
        for (input, expected) in [
            (object(""), ""),
            (
                object(
                    r#""a": {"type": "array", "items": {"type": "string"}}, "b": {"type": "array", "prefixItems": [{}]}"#,
                ),
                "",
            ),
            // Below the root, schemas may be joined.
            (
                object(
                    r#""a": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "type": {"type": "string"}"#,
                ),
                "",
            ),
            ("{}".to_owned(), "/input"),
            (r#"{"properties": {}}"#.to_owned(), "/input"),
            (r#"{"type": "array", "items": {}}"#.to_owned(), "/input/type"),
            (r#"{"type": "object"}"#.to_owned(), "/input/type"),
            (
                r#"{"type": "object", "properties": {}, "anyOf": [{"required": ["a"]}]}"#.to_owned(),
                "/input/anyOf",
            ),
            (object(r#""a": {"type": "array"}"#), "/input/properties/a/type"),
            (
                object(
                    r#""a/b": {"anyOf": [{"type": "array"}, {"type": "array", "items": {"type": "array"}}]}"#,
                ),
                "/input/properties/a~1b/anyOf/0/type /input/properties/a~1b/anyOf/1/items/type",
            ),
        ] {
            let text = format!(
                r#"{{"id": "acme.find", "description": "Finds.", "version": "1.0.0", "output": {{}}, "input": {input}}}"#
            );
            let found: Vec<_> = hints(Kind::Tool, &text).into_iter().map(|(at, _)| at).collect();
            assert_eq!(found.join(" "), expected, "{input}");
        }
        // The runtime of packages mends that itself.
        let package = r#"{"name": "a", "tools": [{"type": "client_side", "name": "a", "description": "A.", "parameters": {"type": "object"}}]}"#;
        assert_eq!(hints(Kind::Package, package), []);
    }
}
