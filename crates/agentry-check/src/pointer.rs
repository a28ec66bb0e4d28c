//! JSON pointers in which `*` stands for every item of a list.

use agentry_text::{Kind, Node};

/// The pointers of a tree that a pattern stands for. Without a `*` that is the pattern itself, whether there is something or
/// not.
pub(crate) fn expand(root: &Node, pattern: &str) -> Vec<String> {
    let mut pointers = vec![String::new()];
    for segment in pattern.split('/').skip(1) {
        if segment != "*" {
            for pointer in &mut pointers {
                pointer.push('/');
                pointer.push_str(segment);
            }
            continue;
        }
        let items = |pointer: &String| match root.pointer(pointer).map(|node| &node.kind) {
            Some(Kind::Array(items)) => items.len(),
            _ => 0,
        };
        pointers = pointers
            .iter()
            .flat_map(|pointer| (0..items(pointer)).map(move |index| format!("{pointer}/{index}")))
            .collect();
    }
    pointers
}

#[cfg(test)]
mod tests {
    use super::expand;

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
            assert_eq!(expand(&root, pattern), pointers, "{pattern}");
        }
    }
}
