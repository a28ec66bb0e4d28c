//! Takes the body of a page apart.

use super::{Example, Role};

/// What begins a section.
const TITLE: &str = "## ";
/// What begins and ends a block, at least.
const FENCE: &str = "```";

/// The body of a page, as far as it is not read yet.
pub(super) struct Page {
    rest: &'static str,
}

impl Page {
    pub(super) const fn new(body: &'static str) -> Self {
        Self { rest: body }
    }

    /// The text up to the first section.
    pub(super) fn text(&mut self) -> &'static str {
        let start = self.rest;
        while !self.rest.is_empty() && !self.rest.starts_with(TITLE) {
            self.line();
        }
        start[..start.len() - self.rest.len()].trim()
    }

    /// The title of the section that begins here.
    pub(super) fn title(&mut self) -> Option<&'static str> {
        self.rest.starts_with(TITLE).then(|| self.line()[TITLE.len()..].trim())
    }

    /// The blocks of a section, up to the next one.
    pub(super) fn examples(&mut self) -> Result<Vec<Example>, String> {
        let mut examples = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(TITLE) {
            let line = self.line().trim_end();
            if line.is_empty() {
                continue;
            }
            if !line.starts_with(FENCE) {
                return Err(format!("a section holds blocks alone, and not `{line}`"));
            }
            let info = line.trim_start_matches('`');
            let fence = &line[..line.len() - info.len()];
            let text = self.rest;
            let length = loop {
                let length = text.len() - self.rest.len();
                if self.rest.is_empty() {
                    return Err(format!("the block `{line}` is never closed"));
                }
                if self.line().trim_end() == fence {
                    break length;
                }
            };
            examples.push(example(info, &text[..length])?);
        }
        Ok(examples)
    }

    /// The next line, with its end.
    fn line(&mut self) -> &'static str {
        let end = self.rest.find('\n').map_or(self.rest.len(), |end| end + 1);
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        line
    }
}

/// The block with what its fence says.
fn example(info: &'static str, text: &'static str) -> Result<Example, String> {
    let mut words = info.split_whitespace();
    let mut example = Example {
        format: words.next().ok_or("a block says its format first")?,
        path: None,
        role: Role::Found,
        repeat: 1,
        escaped: false,
        latin_1: false,
        text,
    };
    let (mut contract, mut side) = (None, None);
    for word in words {
        match word.split_once('=').unwrap_or((word, "")) {
            ("path", path) if is_inside(path) => example.path = Some(path),
            ("named", "") => example.role = Role::Named(None),
            ("kind", kind) => example.role = Role::Named(Some(kind)),
            ("link", target) if text.is_empty() => example.role = Role::Link(target),
            ("baseline", "") => example.role = Role::Baseline,
            ("contract", name) => contract = Some(name),
            ("side", name) => side = Some(name),
            ("repeat", count) => {
                example.repeat = count.parse().map_err(|_| format!("`{word}` is no count"))?;
            }
            ("escaped", "") => example.escaped = true,
            ("latin-1", "") => example.latin_1 = true,
            _ => return Err(format!("`{word}` is not known after a fence, or cannot be so")),
        }
    }
    if let (Some(contract), Some(side)) = (contract, side) {
        example.role = Role::Side { contract, side };
    }
    if example.path.is_some() == matches!(example.role, Role::Side { .. }) {
        return Err(format!("the block `{info}` has a `path=`, or a `contract=` and a `side=`"));
    }
    Ok(example)
}

/// Whether a path stays in the folder of its example.
fn is_inside(path: &str) -> bool {
    !path.is_empty() && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_taken_apart() {
        let mut page = Page::new(concat!(
            "\nOne.\n\nTwo.\n\n## Found in\n\n",
            "```toml path=a/b.toml named\nx = 1\n```\n\n",
            "````markdown path=SKILL.md repeat=3 escaped\n```\nx\\u{41}\n```\n````\n",
            "## Instead\n```json contract=memory.get side=input\n{}\n```"
        ));
        assert_eq!(page.text(), "One.\n\nTwo.");
        assert_eq!(page.title(), Some("Found in"));
        let found = page.examples().expect("blocks");
        assert_eq!(
            (found[0].path, found[0].role, found[0].text),
            (Some("a/b.toml"), Role::Named(None), "x = 1\n")
        );
        assert_eq!(found[1].bytes(), b"```\nxA\n```\n```\n```\n");
        assert_eq!(page.title(), Some("Instead"));
        let instead = page.examples().expect("blocks");
        assert_eq!(instead[0].role, Role::Side { contract: "memory.get", side: "input" });
        assert_eq!(page.title(), None);
    }

    #[test]
    fn what_is_wrong_with_a_section_is_said() {
        for (section, message) in [
            ("text\n", "a section holds blocks alone, and not `text`"),
            ("```toml path=a\n", "the block ```toml path=a` is never closed"),
            ("```\n```\n", "a block says its format first"),
            ("```toml\n```\n", "the block `toml` has a `path=`, or a `contract=` and a `side=`"),
            ("```toml path=../a\n```\n", "`path=../a` is not known after a fence, or cannot be so"),
            ("```toml path=a colour=red\n```\n", "`colour=red` is not known after a fence, or cannot be so"),
            ("```toml path=a repeat=x\n```\n", "`repeat=x` is no count"),
        ] {
            assert_eq!(Page::new(section).examples().unwrap_err().replace("````", "```"), message);
        }
    }
}
