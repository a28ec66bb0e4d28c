//! Keys of a document that a table of the author's own keys took. The reader finds those in tables whose keys it knows;
//! in a JSON Schema, or among variables, any key is legal, so that only its name tells.

use super::Sink;
use super::look::{below, entries};
use crate::{pointer, schemas};
use agentry::Kind;
use agentry_text::{Entry, Finding, Node};

pub(super) fn check(sink: &mut Sink<'_>) {
    // Only TOML leaves a table open until the next header, and only there the root is written nowhere.
    if sink.root.span.start < sink.root.span.end {
        return;
    }
    let root = sink.root;
    let mut strays = Vec::new();
    for pattern in crate::check::schemas_of(sink.kind) {
        for pointer in pointer::expand(sink.kind, root, pattern) {
            if let Some(schema) = root.pointer(&pointer) {
                in_schema(schema, &pointer, &mut strays);
            }
        }
    }
    if sink.kind == Kind::Plugin {
        for pointer in ["/env", "/hooks/env_schema"] {
            let variables = root.pointer(pointer).map(entries).unwrap_or_default();
            strays.extend(variables.iter().map(|entry| (pointer.to_owned(), entry)));
        }
    }
    for (pointer, entry) in strays {
        let known = sink.kind.shape().is_some_and(|shape| shape.knows(&entry.key));
        // Where the document has the key already, this is another one.
        if known && root.get(&entry.key).is_none() {
            report(&pointer, entry, sink);
        }
    }
}

/// What is no keyword of a schema, there and in the schemas of its properties.
fn in_schema<'n>(schema: &'n Node, pointer: &str, strays: &mut Vec<(String, &'n Entry)>) {
    for entry in entries(schema) {
        if !schemas::is_keyword(&entry.key) {
            strays.push((pointer.to_owned(), entry));
        }
        let place = below(pointer, &entry.key);
        match entry.key.as_str() {
            "items" => in_schema(&entry.node, &place, strays),
            "properties" | "$defs" => {
                for property in entries(&entry.node) {
                    in_schema(&property.node, &below(&place, &property.key), strays);
                }
            }
            _ => {}
        }
    }
}

fn report(pointer: &str, entry: &Entry, sink: &mut Sink<'_>) {
    let key = &entry.key;
    let names = pointer.split('/').filter(|name| !name.is_empty() && name.parse::<usize>().is_err());
    let table = names.collect::<Vec<_>>().join(".");
    let finding = Finding::new(
        &agentry_text::rules::MISPLACED_KEY,
        pointer,
        entry.key_span,
        format!("`{key}` ended up inside `[{table}]`"),
    )
    .label(format!("means nothing in `{table}`"))
    .related(sink.span(pointer), "this table is still open")
    .help("it is a key of the document itself: move it above the first table header")
    .key(key.clone());
    sink.push(finding);
}
