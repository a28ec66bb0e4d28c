//! Schemas of what goes into a tool, as models are offered it: valid, and refused by some of the services that models are
//! reached through. One such tool makes a service refuse the whole request.

use super::Sink;
use crate::{pointer, rules};
use agentry::Kind as ManifestKind;
use agentry_text::{Entry, Finding, Kind, Node, Severity};

/// How many lists without `items` are reported of one schema.
const MAX_LISTS: usize = 20;

/// Keywords that join schemas, or say what a value may be, where some services take none.
const JOINING: [&str; 5] = ["oneOf", "anyOf", "allOf", "not", "enum"];

/// Keywords under which names have a schema each, under which schemas are listed, and that are one.
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const LISTED: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SINGLE: [&str; 9] = [
    "items",
    "additionalProperties",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
];

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
            let Some(schema) = root.pointer(&pointer).filter(|node| node.as_table().is_some()) else { continue };
            // How a schema travels that is wrong in itself, nobody asks.
            let is_wrong = |finding: &Finding| {
                finding.severity == Severity::Error
                    && finding.pointer.strip_prefix(&pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            if !sink.findings.iter().any(is_wrong) {
                check_root(schema, &pointer, sink);
                let mut lists = 0;
                check_lists(schema, &pointer, &mut lists, sink);
            }
        }
    }
}

fn check_root(schema: &Node, pointer: &str, sink: &mut Sink<'_>) {
    let joining: Vec<&Entry> = JOINING.iter().filter_map(|keyword| schema.get(keyword)).collect();
    if let Some(entry) = joining.first() {
        let message = format!(
            "the input of a tool has `{}` at its root, which the APIs of Anthropic and OpenAI (as of 2026-08) refuse",
            entry.key
        );
        sink.push(
            not_portable(format!("{pointer}/{}", entry.key), entry, message)
                .help("say it in the description, or inside a property: at the root, some services take `properties` only"),
        );
        return;
    }
    let kind = schema.get("type");
    let (message, help) = match kind.map(|kind| kind.node.as_str()) {
        Some(Some("object")) if schema.get("properties").is_some() || schema.get("$ref").is_some() => return,
        Some(Some("object")) => (
            "the input of a tool has no `properties`, which the API of OpenAI (as of 2026-08) refuses",
            "add `\"properties\": {}` where there are none",
        ),
        Some(_) => (
            "the input of a tool is no object, and the APIs of Anthropic and OpenAI (as of 2026-08) take nothing else",
            "write `\"type\": \"object\"`, with the value as one of its `properties`",
        ),
        None => (
            "the input of a tool has no `type`, and the APIs of Anthropic and OpenAI (as of 2026-08) take objects only",
            "write `\"type\": \"object\"`; the whole input of a tool that takes nothing is \
             `{\"type\": \"object\", \"properties\": {}}`",
        ),
    };
    let span = kind.map_or(schema.span, |kind| kind.node.span);
    let place = if kind.is_some() { format!("{pointer}/type") } else { pointer.to_owned() };
    sink.push(Finding::new(&rules::NOT_PORTABLE, place, span, message).label("refused by some").help(help));
}

/// Lists that do not say what is in them.
fn check_lists(schema: &Node, pointer: &str, lists: &mut usize, sink: &mut Sink<'_>) {
    let is_list = schema.get("type").filter(|kind| kind.node.as_str() == Some("array"));
    if let Some(kind) = is_list
        && schema.get("items").is_none()
        && schema.get("prefixItems").is_none()
        && *lists < MAX_LISTS
    {
        *lists += 1;
        let finding = Finding::new(
            &rules::NOT_PORTABLE,
            format!("{pointer}/type"),
            kind.node.span,
            "this list does not say what is in it, and the API of OpenAI (as of 2026-08) refuses a tool with such a list",
        );
        sink.push(
            finding.label("no `items` beside it").help("add `items`, such as `\"items\": {\"type\": \"string\"}`"),
        );
    }
    for (key, node) in parts(schema) {
        check_lists(node, &format!("{pointer}/{key}"), lists, sink);
    }
}

/// The schemas directly inside a schema, each with its pointer from there.
fn parts(schema: &Node) -> Vec<(String, &Node)> {
    let mut parts = Vec::new();
    for keyword in NAMED {
        let table = schema.get(keyword).and_then(|entry| entry.node.as_table());
        for entry in table.iter().flat_map(|table| &table.entries) {
            let name = entry.key.replace('~', "~0").replace('/', "~1");
            parts.push((format!("{keyword}/{name}"), &entry.node));
        }
    }
    for keyword in LISTED {
        if let Some(Kind::Array(items)) = schema.get(keyword).map(|entry| &entry.node.kind) {
            parts.extend(items.iter().enumerate().map(|(index, node)| (format!("{keyword}/{index}"), node)));
        }
    }
    for keyword in SINGLE {
        parts.extend(schema.get(keyword).map(|entry| (keyword.to_owned(), &entry.node)));
    }
    parts
}

fn not_portable(pointer: String, entry: &Entry, message: String) -> Finding {
    Finding::new(&rules::NOT_PORTABLE, pointer, entry.key_span, message).label("refused by some")
}

#[cfg(test)]
mod tests {
    use crate::{Checker, Input};
    use agentry::Kind;
    use agentry_text::Format;

    #[test]
    fn schemas_that_some_services_refuse_draw_a_hint_at_their_place() {
        let object = |rest: &str| format!(r#"{{"type": "object", "properties": {{{rest}}}}}"#);
        for (input, expected) in [
            (object(""), ""),
            (object(r#""a": {"type": "array", "items": {"type": "string"}}, "b": {"type": "array", "prefixItems": [{}]}"#), ""),
            // Below the root, schemas may be joined.
            (object(r#""a": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "type": {"type": "string"}"#), ""),
            ("{}".to_owned(), "/input"),
            (r#"{"properties": {}}"#.to_owned(), "/input"),
            (r#"{"type": "array", "items": {}}"#.to_owned(), "/input/type"),
            (r#"{"type": "object"}"#.to_owned(), "/input/type"),
            (r#"{"type": "object", "properties": {}, "anyOf": [{"required": ["a"]}]}"#.to_owned(), "/input/anyOf"),
            (object(r#""a": {"type": "array"}"#), "/input/properties/a/type"),
            (
                object(r#""a/b": {"anyOf": [{"type": "array"}, {"type": "array", "items": {"type": "array"}}]}"#),
                "/input/properties/a~1b/anyOf/0/type /input/properties/a~1b/anyOf/1/items/type",
            ),
        ] {
            let text = format!(
                r#"{{"id": "acme.find", "description": "Finds.", "version": "1.0.0", "output": {{}}, "input": {input}}}"#
            );
            let checked = Checker::default().check(&Input {
                path: None,
                kind: Some(Kind::Tool),
                contract: None,
                format: Format::Json,
                text: &text,
            });
            assert!(checked.findings.iter().all(|one| one.rule.name == "not-portable"), "{:?}", checked.findings);
            let found: Vec<_> = checked.findings.iter().map(|one| one.pointer.as_str()).collect();
            assert_eq!(found.join(" "), expected, "{input}");
        }
    }
}
