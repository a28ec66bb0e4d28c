//! Looking at a tree for what rules compare: a value of another type is none, and the reader has said so.

use agentry_text::{Entry, Kind, Node, Read, read_root};

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
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}
