//! Places of a document by the names that its types give the keys, whatever spelling the document has.

use agentry::Kind;
use agentry_text::{Entry, Kind as NodeKind, Node, Shape};

/// The entry of a key, by its name or an older one.
pub(crate) fn entry<'n>(kind: Kind, root: &'n Node, key: &str) -> Option<&'n Entry> {
    spelling(kind.shape(), root, key)
}

/// A JSON pointer with the keys as the document spells them.
pub(crate) fn spelled(kind: Kind, root: &Node, pointer: &str) -> String {
    expand(kind, root, pointer).pop().unwrap_or_default()
}

/// The JSON pointers that a pattern stands for, in which `*` is every item of a list. Without a `*` that is one, whether
/// there is something or not.
pub(crate) fn expand(kind: Kind, root: &Node, pattern: &str) -> Vec<String> {
    let mut places = vec![(String::new(), Some(root), kind.shape())];
    for segment in pattern.split('/').skip(1) {
        let mut next = Vec::with_capacity(places.len());
        for (pointer, node, shape) in places {
            let items = match node.map(|node| &node.kind) {
                Some(NodeKind::Array(items)) => &items[..],
                _ => &[],
            };
            if segment == "*" {
                let below = items.iter().enumerate();
                next.extend(below.map(|(index, item)| (format!("{pointer}/{index}"), Some(item), shape)));
            } else if let Some(item) = segment.parse().ok().and_then(|index: usize| items.get(index)) {
                next.push((format!("{pointer}/{segment}"), Some(item), shape));
            } else {
                let entry = node.and_then(|node| spelling(shape, node, segment));
                let key = entry.map_or(segment, |entry| entry.key.as_str());
                let known = shape.and_then(|shape| shape.keys.iter().find(|key| key.name == segment));
                next.push((
                    format!("{pointer}/{key}"),
                    entry.map(|entry| &entry.node),
                    known.and_then(|key| (key.shape)()),
                ));
            }
        }
        places = next;
    }
    places.into_iter().map(|(pointer, ..)| pointer).collect()
}

/// The entry of a key of a table with a shape, by its name or an older one.
pub(crate) fn spelling<'n>(shape: Option<&Shape>, table: &'n Node, name: &str) -> Option<&'n Entry> {
    let known = shape.and_then(|shape| shape.keys.iter().find(|key| key.name == name));
    let older = known.into_iter().flat_map(|key| key.legacy.iter().copied());
    std::iter::once(name).chain(older).find_map(|name| table.get(name))
}

#[cfg(test)]
mod tests {
    use super::{entry, expand, spelled};
    use agentry::Kind;

    #[test]
    fn a_star_is_every_item_of_a_list() {
        let document = agentry_text::json::parse(r#"{"a":[{"b":[1]},{"b":[1,2]},{"c":1}],"d":{"e":1}}"#);
        let root = document.root.expect("it is JSON");
        for (pattern, pointers) in [
            ("", &[""][..]),
            ("/d/e", &["/d/e"]),
            ("/none", &["/none"]),
            ("/a/*/c", &["/a/0/c", "/a/1/c", "/a/2/c"]),
            ("/a/*/b/*", &["/a/0/b/0", "/a/1/b/0", "/a/1/b/1"]),
            ("/d/*", &[]),
            ("/none/*", &[]),
        ] {
            assert_eq!(expand(Kind::Package, &root, pattern), pointers, "{pattern}");
        }
    }

    #[test]
    fn an_older_name_is_found_by_the_current_one() {
        let document = agentry_text::json::parse(
            r#"{"inlineTools":[{"inputSchema":{}},{"input_schema":{}},{}],"mcp_servers":[{"toolFilter":{}}]}"#,
        );
        let root = document.root.expect("it is JSON");
        assert_eq!(
            expand(Kind::SkillConfig, &root, "/inline_tools/*/input_schema"),
            ["/inlineTools/0/inputSchema", "/inlineTools/1/input_schema", "/inlineTools/2/input_schema"]
        );
        let filter = spelled(Kind::SkillConfig, &root, "/mcp_servers/0/tool_filter/include");
        assert_eq!(filter, "/mcp_servers/0/toolFilter/include");
        assert_eq!(
            entry(Kind::SkillConfig, &root, "inline_tools").map(|entry| &*entry.key),
            Some("inlineTools")
        );
        assert!(entry(Kind::SkillConfig, &root, "includes").is_none());
    }
}
