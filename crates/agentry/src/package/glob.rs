//! Which files a source of a package selects.

use super::path::PackageGlob;

/// A source, taken apart: decides which files it selects, one name of a path after the other, so that whoever walks a
/// folder enters only those folders that can hold one.
///
/// A name that begins with a dot is selected only where the source has that dot: `*` and `**` pass it over.
#[derive(Clone, Debug)]
pub struct Matcher {
    names: Vec<Name>,
    /// Whether everything below a match is selected too: the source is the path of a folder, and no pattern.
    below: bool,
}

/// How far the names of a path have come in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Which names of the source may come next; the last place is its end.
    reached: Vec<bool>,
}

/// One name of a source.
#[derive(Clone, Debug)]
enum Name {
    /// `**`: any number of folders.
    Folders,
    /// A name, and whether it begins with a dot.
    Parts(Vec<Part>, bool),
}

#[derive(Clone, Debug)]
enum Part {
    Character(char),
    /// `?`.
    One,
    /// `*`.
    Any,
    /// `[a-z]`, `[!a-z]`.
    Class {
        ranges: Vec<(char, char)>,
        negated: bool,
    },
    /// `{md,txt}`.
    Choice(Vec<Vec<char>>),
}

impl PackageGlob {
    /// The source, taken apart.
    pub fn matcher(&self) -> Matcher {
        let plain = self.plain();
        let mut names: Vec<Name> = plain.split('/').filter(|name| !name.is_empty()).map(name).collect();
        let folder = self.as_str().ends_with('/') || plain.is_empty();
        if folder && self.has_wildcards() {
            names.push(Name::Folders);
        }
        // Where nothing follows `**`, it stands for a file at least.
        if matches!(names.last(), Some(Name::Folders)) {
            names.push(Name::Parts(vec![Part::Any], false));
        }
        Matcher { names, below: !self.has_wildcards() }
    }

    /// Whether a file is selected, given by its path from the folder of the manifest, with `/`.
    pub fn admits(&self, path: &str) -> bool {
        let matcher = self.matcher();
        let end = path.split('/').fold(matcher.start(), |progress, name| matcher.enter(&progress, name));
        matcher.selects(&end)
    }
}

impl Matcher {
    /// Where every path begins.
    pub fn start(&self) -> Progress {
        let mut reached = vec![false; self.names.len() + 1];
        reached[0] = true;
        self.closed(reached)
    }

    /// The progress after one more name of a path.
    pub fn enter(&self, progress: &Progress, name: &str) -> Progress {
        self.step(progress, name, false)
    }

    /// The progress after one more name, as if a dot at its beginning were nothing special: what a reader sees that
    /// passes over no hidden files.
    pub fn enter_hidden(&self, progress: &Progress, name: &str) -> Progress {
        self.step(progress, name, true)
    }

    /// Whether a file that the path so far leads to is selected.
    pub fn selects(&self, progress: &Progress) -> bool {
        progress.reached.last() == Some(&true)
    }

    /// Whether a file below the folder that the path so far leads to can be selected.
    pub fn goes_on(&self, progress: &Progress) -> bool {
        let end = if self.below { self.names.len() + 1 } else { self.names.len() };
        progress.reached.iter().take(end).any(|reached| *reached)
    }

    fn step(&self, progress: &Progress, name: &str, hidden: bool) -> Progress {
        let dotted = name.starts_with('.') && !hidden;
        let mut reached = vec![false; self.names.len() + 1];
        for (place, _) in progress.reached.iter().enumerate().filter(|(_, reached)| **reached) {
            match self.names.get(place) {
                None => reached[place] |= self.below && !dotted,
                Some(Name::Folders) => reached[place] |= !dotted,
                Some(Name::Parts(parts, dot)) => {
                    reached[place + 1] |= (!dotted || *dot) && matches(parts, name);
                }
            }
        }
        self.closed(reached)
    }

    /// With what is reached where `**` stands for no folder at all.
    fn closed(&self, mut reached: Vec<bool>) -> Progress {
        for place in 0..self.names.len() {
            if reached[place] && matches!(self.names[place], Name::Folders) {
                reached[place + 1] = true;
            }
        }
        Progress { reached }
    }
}

fn name(text: &str) -> Name {
    if text == "**" {
        return Name::Folders;
    }
    let mut parts = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        parts.push(match c {
            '?' => Part::One,
            '*' => {
                if matches!(parts.last(), Some(Part::Any)) {
                    continue;
                }
                Part::Any
            }
            '[' => class(&rest.by_ref().take_while(|c| *c != ']').collect::<Vec<_>>()),
            '{' => {
                let inside: String = rest.by_ref().take_while(|c| *c != '}').collect();
                Part::Choice(inside.split(',').map(|part| part.chars().collect()).collect())
            }
            c => Part::Character(c),
        });
    }
    let dot = match parts.first() {
        Some(Part::Character(c)) => *c == '.',
        Some(Part::Choice(choice)) => choice.iter().any(|part| part.first() == Some(&'.')),
        Some(Part::Class { ranges, negated: false }) => {
            ranges.iter().any(|(from, to)| (*from..=*to).contains(&'.'))
        }
        _ => false,
    };
    Name::Parts(parts, dot)
}

fn class(inside: &[char]) -> Part {
    let negated = inside.first() == Some(&'!');
    let mut rest = &inside[usize::from(negated)..];
    let mut ranges = Vec::new();
    loop {
        rest = match rest {
            [] => return Part::Class { ranges, negated },
            [from, '-', to, rest @ ..] => {
                ranges.push((*from, *to));
                rest
            }
            [one, rest @ ..] => {
                ranges.push((*one, *one));
                rest
            }
        };
    }
}

/// Whether a name is what its parts say. The lengths that the parts so far can stand for are followed together, so
/// that no pattern takes longer than its length times that of the name.
fn matches(parts: &[Part], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for part in parts {
        let mut next = vec![false; name.len() + 1];
        for (at, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
            match part {
                Part::Any => {
                    next[at..].fill(true);
                    break;
                }
                Part::Choice(choice) => {
                    for part in choice.iter().filter(|part| name[at..].starts_with(part)) {
                        next[at + part.len()] = true;
                    }
                }
                one => {
                    if name.get(at).is_some_and(|c| is_one(one, *c)) {
                        next[at + 1] = true;
                    }
                }
            }
        }
        reached = next;
    }
    reached[name.len()]
}

/// Whether a part that stands for one character stands for this one.
fn is_one(part: &Part, c: char) -> bool {
    match part {
        Part::Character(wanted) => *wanted == c,
        Part::One => true,
        Part::Class { ranges, negated } => {
            ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated
        }
        Part::Any | Part::Choice(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::package::PackageGlob;

    #[test]
    fn sources_select_what_their_description_says() {
        for (source, selected, passed_over) in [
            ("a.md", &["a.md", "a.md/below"][..], &["A.md", "b/a.md", "a.mdx"][..]),
            ("./a.md", &["a.md"], &[]),
            ("docs", &["docs", "docs/a", "docs/b/c"], &["docs2", "docs/.env", "docs/.git/config"]),
            ("docs/", &["docs/a"], &["docs2"]),
            (".", &["a", "b/c"], &[".env", "b/.env"]),
            ("*", &["a", "ä"], &["a/b", ".a"]),
            ("**", &["a", "a/b/c"], &[".a", "a/.b/c"]),
            ("data/**", &["data/a", "data/b/c"], &["data", "other/a", "data/.env"]),
            ("**/*.md", &["a.md", "b/c/a.md"], &["a.txt", ".b/a.md"]),
            ("src/**/test/*.rs", &["src/test/a.rs", "src/a/b/test/c.rs"], &["src/a.rs", "src/test/a/b.rs"]),
            ("**/a/**", &["a/b", "x/a/b/c"], &["a", "x/b"]),
            ("**/**", &["a", "a/b"], &[]),
            ("a?c", &["abc", "aéc"], &["ac", "abbc"]),
            ("[a-c]x", &["ax", "cx"], &["dx", "x"]),
            ("[!a-c]x", &["dx", "éx"], &["ax"]),
            ("[-a]", &["-", "a"], &["b"]),
            ("[[]x", &["[x"], &["x"]),
            ("*.{md,txt}", &["a.md", "b.txt"], &["a.rs", ".md"]),
            ("{a,ab}c", &["ac", "abc"], &["bc"]),
            (".*", &[".env"], &["a"]),
            (".agents/skills/**", &[".agents/skills/a/SKILL.md"], &["agents/skills/a", ".agents/skills/.a"]),
            ("d*/", &["data/a", "docs/b/c"], &["data", "other/a"]),
            ("a**", &["a", "abc"], &["a/b"]),
            ("*a*a*a*b", &["aaab", "xaxaxab"], &["aaa"]),
        ] {
            let glob = PackageGlob::new(source).unwrap();
            for path in selected {
                assert!(glob.admits(path), "{source} selects {path}");
            }
            for path in passed_over {
                assert!(!glob.admits(path), "{source} does not select {path}");
            }
        }
    }

    #[test]
    fn a_walk_enters_only_folders_that_can_hold_a_match() {
        for (source, folder, enters) in [
            ("data/**", "data", true),
            ("data/**", "other", false),
            ("src/*.rs", "src", true),
            ("src/*.rs", "src/deep", false),
            ("docs", "docs", true),
            ("docs", "docs/deep", true),
            ("*.md", "a.md", false),
            ("**/*.md", "any", true),
            ("**/*.md", ".git", false),
        ] {
            let matcher = PackageGlob::new(source).unwrap().matcher();
            let progress = folder.split('/').fold(matcher.start(), |at, name| matcher.enter(&at, name));
            assert_eq!(matcher.goes_on(&progress), enters, "{source} at {folder}");
        }
    }

    #[test]
    fn no_pattern_is_costly() {
        let glob = PackageGlob::new("*a".repeat(2000)).unwrap();
        assert!(!glob.admits(&"a".repeat(255)));
        let glob = PackageGlob::new("**/".repeat(2000) + "x").unwrap();
        assert!(!glob.admits(&["a"; 200].join("/")));
    }
}
