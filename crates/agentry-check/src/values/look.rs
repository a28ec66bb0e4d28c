//! Looking at a tree for what rules compare: a value of another type is none, and the reader has said so.

use agentry_text::{Entry, Kind, Node, Read, read_root};
use std::fmt::Write as _;

pub(super) fn text<'n>(table: &'n Node, key: &str) -> Option<&'n str> {
    table.get(key)?.node.as_str()
}

pub(super) fn flag(table: &Node, key: &str) -> Option<bool> {
    match table.get(key)?.node.kind {
        Kind::Bool(flag) => Some(flag),
        _ => None,
    }
}

pub(super) fn number(table: &Node, key: &str) -> Option<f64> {
    match table.get(key)?.node.kind {
        #[expect(clippy::cast_precision_loss, reason = "numbers of manifests are small, and only compared")]
        Kind::Integer(number) => Some(number as f64),
        Kind::Float(number) => Some(number),
        _ => None,
    }
}

pub(super) fn items<'n>(table: &'n Node, key: &str) -> &'n [Node] {
    match table.get(key).map(|entry| &entry.node.kind) {
        Some(Kind::Array(items)) => items,
        _ => &[],
    }
}

pub(super) fn entries(table: &Node) -> &[Entry] {
    table.as_table().map_or(&[], |table| &table.entries)
}

/// What a key holds, as its type reads it: a fault anywhere else costs nothing.
pub(super) fn read<T: Read>(table: &Node, key: &str) -> Option<T> {
    read_root(&table.get(key)?.node).value
}

/// The items of a list that their type reads, each with its index.
pub(super) fn read_items<T: Read>(items: &[Node]) -> Vec<(usize, T)> {
    items.iter().enumerate().filter_map(|(index, item)| Some((index, read_root(item).value?))).collect()
}

/// The JSON pointer of a key below another.
pub(super) fn below(pointer: &str, key: &str) -> String {
    let mut below = pointer.to_owned();
    push(&mut below, key);
    below
}

/// Makes a JSON pointer that of a key below.
fn push(pointer: &mut String, key: &str) {
    pointer.push('/');
    for c in key.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// Calls `visit` with every node of a tree, the outer ones first: with the key that it stands under, and its JSON pointer.
/// An entry of a list stands under the key of the list.
pub(super) fn each<'n>(node: &'n Node, visit: &mut impl FnMut(&'n Node, &'n str, &str)) {
    each_below(node, "", &mut String::new(), visit);
}

fn each_below<'n>(
    node: &'n Node,
    key: &'n str,
    pointer: &mut String,
    visit: &mut impl FnMut(&'n Node, &'n str, &str),
) {
    visit(node, key, pointer);
    let length = pointer.len();
    match &node.kind {
        Kind::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let _ = write!(pointer, "/{index}");
                each_below(item, key, pointer, visit);
                pointer.truncate(length);
            }
        }
        Kind::Table(table) => {
            for entry in &table.entries {
                push(pointer, &entry.key);
                each_below(&entry.node, &entry.key, pointer, visit);
                pointer.truncate(length);
            }
        }
        _ => {}
    }
}
