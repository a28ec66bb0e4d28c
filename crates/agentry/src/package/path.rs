//! Paths inside a package, and in the working directory that its files are copied to.
//!
//! A path that exists stays inside: `..`, `\`, drive letters, absolute paths and a leading `~` are refused by the
//! patterns themselves, so a schema says the same. Names of dots and blanks alone are refused too: some systems cut
//! those off and are left with `..`.

use crate::rules;
use agentry_text::{Invalid, quoted, shown_text_type};

/// The reason why a text is no path inside its package, where that can be said better than by the form.
fn explain(text: &str) -> Option<Invalid> {
    let shown = quoted(text);
    let refused = |message: String, label: &str, help: String| {
        Some(Invalid::new(&agentry_text::rules::INVALID_VALUE, message).label(label).help(help))
    };
    if let Some(c) = text.chars().find(|c| c.is_control()) {
        return refused(
            format!("{shown} holds the control character U+{:04X}", u32::from(c)),
            "no control characters in a path",
            "delete the character: no file of a package has such a name".to_owned(),
        );
    }
    let mut letters = text.chars();
    let drive = letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.next() == Some(':');
    if drive || text.starts_with("\\\\") || text.starts_with("//") {
        return refused(
            format!("{shown} names a drive or a server"),
            "leads out of the package",
            "write a path from the folder of the manifest, such as `docs/guide.md`".to_owned(),
        );
    }
    if text.contains('\\') {
        return refused(
            format!("{shown} has `\\` in it, which separates folders on one system only"),
            "`\\` is no separator here",
            format!("write {}: folders are separated by `/`", quoted(&text.replace('\\', "/"))),
        );
    }
    if text.contains(':') {
        return refused(
            format!("{shown} has `:` in it, which means a drive or a hidden stream on Windows"),
            "no `:` in a path",
            "rename the file: a package is shared across systems".to_owned(),
        );
    }
    if text.starts_with('~') {
        return refused(
            format!("{shown} begins with `~`, which stands for somebody's home folder"),
            "leads out of the package",
            "write a path from the folder of the manifest".to_owned(),
        );
    }
    if text.starts_with('/') {
        return refused(
            format!("{shown} is an absolute path"),
            "leads out of the package",
            "write a path from the folder of the manifest, without the `/` at the beginning".to_owned(),
        );
    }
    inner_fault(text)
}

/// What is wrong between the separators.
fn inner_fault(text: &str) -> Option<Invalid> {
    let shown = quoted(text);
    let refused = |message: String, label: &str, help: &str| {
        Some(Invalid::new(&agentry_text::rules::INVALID_VALUE, message).label(label).help(help))
    };
    if text.split('/').any(|name| name == "..") {
        return refused(
            format!("{shown} has `..` in it"),
            "may lead out of the package",
            "write the path without `..`, from the folder of the manifest; what lies outside must be copied into the package",
        );
    }
    let blank = |name: &str| name.chars().all(|c| matches!(c, '.' | ' '));
    if let Some(name) = text.split('/').find(|name| !matches!(*name, "" | ".") && blank(name)) {
        return refused(
            format!("{shown} has the name `{name}` in it, of which some systems cut off the end"),
            "a name of dots and blanks",
            "give the file or folder a name with a letter or digit",
        );
    }
    if text.split('/').skip(1).any(|name| name == ".") {
        return refused(
            format!("{shown} has the name `.` in it, which stands for the folder before it"),
            "no `.` within a path",
            "delete the `./`",
        );
    }
    if text.contains("//") {
        return refused(
            format!("{shown} has an empty name between two `/`"),
            "an empty name",
            "write one `/` between folders",
        );
    }
    None
}

/// The reason why a text is no place in the working directory.
fn explain_destination(text: &str) -> Option<Invalid> {
    let inside = text.strip_prefix("/workspace/").or_else(|| text.strip_prefix('/')).unwrap_or(text);
    explain(inside).map(|mut invalid| {
        // The same faults; only what is left is another place.
        if invalid.label == "leads out of the package" || invalid.label == "may lead out of the package" {
            "leads out of the working directory".clone_into(&mut invalid.label);
            invalid.help = Some("write a path from the top of the working directory".to_owned());
        }
        invalid.message = invalid.message.replacen(&quoted(inside), &quoted(text), 1);
        invalid
    })
}

/// The reason why a text is no pattern for files of the package.
fn explain_glob(text: &str) -> Option<Invalid> {
    let refused = |message: String, label: &str, help: &str| {
        Some(Invalid::new(&agentry_text::rules::INVALID_VALUE, message).label(label).help(help))
    };
    if let Some(invalid) = explain(text) {
        return Some(invalid);
    }
    let shown = quoted(text);
    if text.contains('[') || text.contains(']') {
        return refused(
            format!("{shown} has a `[` or `]` that belongs to no class of characters"),
            "not a class such as `[a-z]`",
            "write `[abc]`, `[a-z]` or `[!abc]` within one name; `[[]` stands for a `[` itself",
        );
    }
    if text.contains('{') || text.contains('}') {
        return refused(
            format!("{shown} has a `{{` or `}}` that belongs to no choice"),
            "not a choice such as `{md,txt}`",
            "write two or more parts within one name, such as `{md,txt}`; `[{]` stands for a `{` itself",
        );
    }
    None
}

/// Names that Windows keeps for devices, whatever ending follows.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// Whether Windows takes a file name for a device: `NUL`, `com1.txt`.
pub fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches(' ').to_uppercase();
    let numbered = ["COM", "LPT"].iter().any(|port| {
        stem.strip_prefix(port).is_some_and(|number| {
            let mut digits = number.chars();
            matches!((digits.next(), digits.next()), (Some('1'..='9' | '¹' | '²' | '³'), None))
        })
    });
    numbered || DEVICES.contains(&stem.as_str())
}

/// Characters that look like a part of a path's own language and become one where a reader normalises text.
const LOOK_ALIKES: [(char, &str); 9] = [
    ('\u{2024}', "."),
    ('\u{2025}', ".."),
    ('\u{2026}', "..."),
    ('\u{FF0E}', "."),
    ('\u{FE52}', "."),
    ('\u{2044}', "/"),
    ('\u{2215}', "/"),
    ('\u{FF0F}', "/"),
    ('\u{FF3C}', "\\"),
];

/// What is legal in a path and means something else to other systems or to a reader of another sort.
fn remark(text: &str, wildcards: bool) -> Option<Invalid> {
    let remark = |message: String, label: &str, help: &str| {
        Some(Invalid::new(&rules::UNPORTABLE_PATH, message).label(label).help(help))
    };
    let shown = quoted(text);
    if let Some((found, like)) = LOOK_ALIKES.iter().find(|(found, _)| text.contains(*found)) {
        return remark(
            format!(
                "{shown} holds U+{:04X}, which looks like `{like}` and is another character",
                u32::from(*found)
            ),
            "a look-alike",
            "rename the file: a reader that normalises text sees another path",
        );
    }
    if let Some(hidden) = text.chars().find(|c| agentry_text::is_invisible(*c)) {
        return remark(
            format!("{shown} holds the invisible character U+{:04X}", u32::from(hidden)),
            "not what it looks like",
            "delete the character, here and in the name of the file",
        );
    }
    let lower = text.to_ascii_lowercase();
    if let Some(code) = ["%2e", "%2f", "%5c", "%00"].iter().find(|code| lower.contains(**code)) {
        return remark(
            format!("{shown} holds `{code}`, which is read as it stands and decoded by some readers"),
            "no address: nothing is decoded here",
            "write the character itself, or rename the file",
        );
    }
    for name in text.split('/').filter(|name| !matches!(*name, "" | "." | "**")) {
        let quoted_name = quoted(name);
        if is_device(name) {
            return remark(
                format!("{quoted_name} is the name of a device on Windows, where no file can have it"),
                "no file name on Windows",
                "give the file another name: a package is shared across systems",
            );
        }
        if name.ends_with(['.', ' ']) {
            return remark(
                format!("{quoted_name} ends in a dot or a blank, which Windows cuts off"),
                "another name on Windows",
                "rename the file: a package is shared across systems",
            );
        }
        if name.starts_with(' ') {
            return remark(
                format!("{quoted_name} begins with a blank"),
                "a blank before the name",
                "delete the blank, here and in the name of the file",
            );
        }
        let kept = if wildcards {
            ['<', '>', '|', '"'].as_slice()
        } else {
            ['<', '>', '|', '"', '?', '*'].as_slice()
        };
        if name.contains(kept) {
            return remark(
                format!("{quoted_name} holds a character that no file name has on Windows"),
                "no file name on Windows",
                "leave out `<`, `>`, `|`, `\"`, `?` and `*`: a package is shared across systems",
            );
        }
    }
    None
}

/// A remark on a source: that of its names, or that everything is taken.
fn remark_glob(text: &str) -> Option<Invalid> {
    if matches!(text, "." | "./" | "**" | "./**") {
        return Some(
            Invalid::new(&rules::UNPORTABLE_PATH, format!("{} selects everything in the folder", quoted(text)))
                .label("the whole folder")
                .help("name the folders whose files belong into the package, such as `data/**`: whatever else lies there is shipped too"),
        );
    }
    if text.split('/').any(|name| name.contains("**") && name != "**") {
        return Some(
            Invalid::new(
                &rules::UNPORTABLE_PATH,
                format!(
                    "{} has `**` beside other characters, which readers take for different things",
                    quoted(text)
                ),
            )
            .label("`**` stands alone between two `/`")
            .help("write `**/` for any number of folders, or one `*` for a part of a name"),
        );
    }
    remark(text, true)
}

/// One name within a path: a character that is neither a dot nor a blank is in it.
macro_rules! name {
    () => {
        r"[. ]*[^\x00-\x1f\x7f-\x9f/\\:. ][^\x00-\x1f\x7f-\x9f/\\:]*"
    };
}

/// The first name of a path, which does not begin with `~`.
macro_rules! first_name {
    () => {
        r"([. ]+[^\x00-\x1f\x7f-\x9f/\\:. ]|[^\x00-\x1f\x7f-\x9f/\\:. ~])[^\x00-\x1f\x7f-\x9f/\\:]*"
    };
}

shown_text_type! {
    /// A file of the package, relative to the folder of the manifest, with `/` between folders. It never leaves the
    /// package: no `..`, no `/` at the beginning, no drive letter, no backslash, no leading `~`.
    pub struct PackagePath {
        pattern: concat!(r"^(\./)*", first_name!(), "(/", name!(), ")*$"),
        form: "a file of the package: a relative path with `/`, without `..`",
        example: "docs/guide.md",
        explain: explain,
        remark: |path| remark(path, false),
    }
}

impl PackagePath {
    /// The path without a `./` at its beginning. Two paths are of one file where this is equal.
    pub fn plain(&self) -> &str {
        plain(self.as_str())
    }
}

shown_text_type! {
    /// A folder of the package, relative to the folder of the manifest, with `/` between folders; a `/` may end it. It
    /// never leaves the package: no `..`, no `/` at the beginning, no drive letter, no backslash, no leading `~`.
    pub struct PackageFolder {
        pattern: concat!(r"^(\./)*", first_name!(), "(/", name!(), ")*/?$"),
        form: "a folder of the package: a relative path with `/`, without `..`",
        example: ".agents/skills",
        explain: explain,
        remark: |path| remark(path, false),
    }
}

impl PackageFolder {
    /// The path without a `./` at its beginning and a `/` at its end. Two paths are of one folder where this is
    /// equal.
    pub fn plain(&self) -> &str {
        plain(self.as_str())
    }
}

/// A part of a name in a pattern: a character (also `*` and `?`), a class such as `[a-z]`, or a choice such as
/// `{md,txt}`, each part of which has a character that is neither a dot nor a blank.
macro_rules! unit {
    ($($without:literal)?) => {
        concat!(
            r"([^\x00-\x1f\x7f-\x9f/\\:\[\]\{\}", $($without,)? "]",
            r"|\[!?[^\x00-\x1f\x7f-\x9f/\\:\]!\^][^\x00-\x1f\x7f-\x9f/\\:\]]*\]",
            r"|\{", part!(), "(,", part!(), r")+\})"
        )
    };
}

/// One part of a choice.
macro_rules! part {
    () => {
        r"[. ]*[^\x00-\x1f\x7f-\x9f/\\:*?\[\]\{\},. ][^\x00-\x1f\x7f-\x9f/\\:*?\[\]\{\},]*"
    };
}

shown_text_type! {
    /// Files of the package: a path, a folder (all files below it), or a pattern. In a pattern `*` is any part of a
    /// name, `?` one character, `[a-z]` one of some, `[!a-z]` none of them, `{md,txt}` one of several parts, and `**`
    /// any number of folders. Names that begin with a dot are matched only by a pattern that has the dot. A pattern
    /// never leaves the package: no `..`, no `/` at the beginning, no drive letter, no backslash, no leading `~`.
    pub struct PackageGlob {
        pattern: concat!(
            r"^(\./?|(\./)*([. ]+", unit!(". "), "|", unit!(". ~"), ")", unit!(), "*",
            "(/[. ]*", unit!(". "), unit!(), "*)*/?)$"
        ),
        form: "files of the package: a relative path or pattern with `/`, without `..`",
        example: "data/**",
        beyond: "the ranges of a class go upwards",
        check: check_ranges,
        explain: explain_glob,
        remark: remark_glob,
    }
}

impl PackageGlob {
    /// The pattern without a `./` at its beginning and a `/` at its end; empty where it is the folder of the manifest
    /// itself.
    pub fn plain(&self) -> &str {
        plain(self.as_str())
    }

    /// Whether it is a pattern, and no plain path.
    pub fn has_wildcards(&self) -> bool {
        self.as_str().contains(['*', '?', '[', '{'])
    }
}

/// Ranges such as `[z-a]` match nothing, or are refused.
fn check_ranges(text: &str) -> Result<(), Invalid> {
    for class in text.split('[').skip(1) {
        let Some((inside, _)) = class.split_once(']') else { continue };
        let characters: Vec<char> = inside.strip_prefix('!').unwrap_or(inside).chars().collect();
        let mut at = 0;
        while at + 2 < characters.len() {
            let (from, to) = (characters[at], characters[at + 2]);
            if characters[at + 1] != '-' {
                at += 1;
                continue;
            }
            if from > to {
                return Err(Invalid::new(
                    &agentry_text::rules::INVALID_VALUE,
                    format!("{} has a range that ends before it begins", quoted(text)),
                )
                .label("an empty range")
                .help(format!("write `{to}-{from}`, or `-` first where it stands for itself")));
            }
            at += 3;
        }
    }
    Ok(())
}

/// The directory itself is no place in it.
fn check_destination(text: &str) -> Result<(), Invalid> {
    if text.trim_end_matches('/') == "/workspace" {
        return Err(Invalid::new(
            &agentry_text::rules::INVALID_VALUE,
            format!("{} is the working directory itself", quoted(text)),
        )
        .label("no place in it")
        .help("name the file or folder in it, such as `notes/today.md`"));
    }
    Ok(())
}

shown_text_type! {
    /// Where something goes in the working directory: a path from its top with `/` between folders. `notes.md`,
    /// `/notes.md` and `/workspace/notes.md` are one place, and the first form is the usual one. A `/` at the end says
    /// that it is a folder. It never leaves the working directory: no `..`, no drive letter, no backslash.
    pub struct Destination {
        pattern: concat!(r"^((/workspace)?/|(\./)*)", first_name!(), "(/", name!(), ")*/?$"),
        form: "a place in the working directory: a path with `/`, without `..`",
        example: "reports/current.md",
        beyond: "a place in the working directory is named, and not the directory itself",
        check: check_destination,
        explain: explain_destination,
        remark: |path| remark(path, false),
    }
}

impl Destination {
    /// The path from the top of the working directory, in its usual form. Two destinations are one place where this is
    /// equal, however they are written.
    pub fn resolved(&self) -> &str {
        let text = self.as_str();
        match text.strip_prefix("/workspace/").or_else(|| text.strip_prefix('/')) {
            Some(inside) => inside.trim_end_matches('/'),
            None => plain(text),
        }
    }

    /// Whether two destinations are one place.
    pub fn is_same_place(&self, other: &Self) -> bool {
        self.resolved() == other.resolved()
    }
}

/// A path without what changes nothing in it: `./` at its beginning, `/` at its end. `.` becomes empty.
fn plain(text: &str) -> &str {
    let mut rest = text;
    while let Some(inner) = rest.strip_prefix("./") {
        rest = inner;
    }
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    if rest == "." { "" } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agentry_text::Text;

    /// What a text becomes: `ok`, the first finding, or the refusal.
    fn verdict<T: Text>(text: &str) -> String {
        match T::new(text) {
            Ok(value) => match value.remark() {
                None => "ok".to_owned(),
                Some(remark) => format!("{}: {}", remark.rule.name, remark.message),
            },
            Err(invalid) => {
                assert!(invalid.help.is_some(), "{text:?} is refused without a word on what to write");
                format!("refused: {}", invalid.message)
            }
        }
    }

    const INSIDE: &[&str] = &[
        "a",
        "docs/guide.md",
        "./docs/guide.md",
        "././a",
        ".agents/skills/triage",
        ".env",
        "..a/b",
        "a..b",
        "a/...b",
        "Übersicht/日本.md",
        "with blank.md",
        "a~b",
        "a/~b",
        "100%.md",
    ];

    const OUTSIDE: &[&str] = &[
        "",
        ".",
        "..",
        "../a",
        "a/..",
        "a/../b",
        "a/../../b",
        "./../a",
        ".../a",
        "a/.. /b",
        " ",
        "a/ /b",
        "a//b",
        r"\\server\share",
        r"a\b",
        r"..\a",
        r"a\..\..\b",
        "C:",
        "C:/a",
        "C:a",
        r"c:\a",
        "a:stream",
        "file:///etc/passwd",
        "~",
        "~/a",
        "~root/a",
        "./~/a",
        "a\0b",
        "a\nb",
        "a\u{7f}b",
        "a\u{85}b",
        "a/./b",
        "a/.",
    ];

    #[test]
    fn no_path_leaves_its_package() {
        for path in INSIDE {
            assert_eq!(verdict::<PackagePath>(path), "ok");
            assert_eq!(verdict::<PackageFolder>(path), "ok");
            assert_eq!(verdict::<PackageGlob>(path), "ok");
            assert_eq!(verdict::<Destination>(path), "ok");
        }
        for path in OUTSIDE.iter().chain(&["/", "/a", "//server/share", "/..", "/workspace/../a"]) {
            assert!(verdict::<PackagePath>(path).starts_with("refused"), "{path:?}");
            assert!(verdict::<PackageFolder>(path).starts_with("refused"), "{path:?}");
            if *path != "." {
                assert!(verdict::<PackageGlob>(path).starts_with("refused"), "{path:?}");
            }
        }
        for path in OUTSIDE.iter().chain(&[
            "/",
            "//a",
            "/..",
            "/../a",
            "/workspace/../a",
            "/workspace",
            "/workspace/",
        ]) {
            assert!(verdict::<Destination>(path).starts_with("refused"), "{path:?}");
        }
        for path in ["a/", "/"] {
            assert!(verdict::<PackagePath>(path).starts_with("refused"), "{path:?}");
        }
        assert_eq!(verdict::<PackageFolder>("a/"), "ok");
    }

    #[test]
    fn a_refusal_says_what_is_wrong() {
        for (path, words) in [
            ("../a", "`../a` has `..` in it"),
            ("a\\b", "`a\\b` has `\\` in it"),
            ("C:/a", "names a drive or a server"),
            ("//server/a", "names a drive or a server"),
            ("ab:c", "has `:` in it"),
            ("/etc/a", "is an absolute path"),
            ("~/a", "begins with `~`"),
            ("a//b", "empty name"),
            ("a/.. /b", "the name `.. `"),
            ("a\tb", "U+0009"),
            ("", "an empty string"),
        ] {
            let verdict = verdict::<PackagePath>(path);
            assert!(verdict.starts_with("refused") && verdict.contains(words), "{path:?}: {verdict}");
        }
        let destination = Destination::new("/workspace/../a").unwrap_err();
        assert_eq!(destination.message, "`/workspace/../a` has `..` in it");
        assert_eq!(destination.label, "leads out of the working directory");
    }

    #[test]
    fn what_other_systems_read_differently_draws_a_warning() {
        for (path, words) in [
            ("docs/NUL", "device"),
            ("com1.txt", "device"),
            ("aux .md/x", "device"),
            ("LPT¹", "device"),
            ("a./b", "ends in a dot"),
            ("a /b", "ends in a dot or a blank"),
            ("docs/ a", "begins with a blank"),
            ("a<b", "no file name has on Windows"),
            ("\u{ff0e}\u{ff0e}/a", "looks like `.`"),
            ("\u{2025}/a", "looks like `..`"),
            ("a\u{2215}b", "looks like `/`"),
            ("%2E%2e/a", "`%2e`"),
            ("a\u{202e}dm.exe", "U+202E"),
        ] {
            for verdict in [
                verdict::<PackagePath>(path),
                verdict::<PackageFolder>(path),
                verdict::<PackageGlob>(path),
                verdict::<Destination>(path),
            ] {
                assert!(
                    verdict.starts_with("unportable-path: ") && verdict.contains(words),
                    "{path:?}: {verdict}"
                );
            }
        }
        for path in ["console.md", "com0.txt", "com10", "nul_", "lpt"] {
            assert_eq!(verdict::<PackagePath>(path), "ok");
        }
    }

    #[test]
    fn patterns_have_the_wildcards_of_their_description() {
        for pattern in [
            "**/*",
            "data/**",
            "src/**/*.rs",
            "*.md",
            ".*",
            "a?c",
            "[a-z]*",
            "[!a-z]x",
            "[-a]",
            "[a-]",
            "[[]x",
            "[{]x",
            "*.{md,txt}",
            "{docs,data}/**",
            ".{github,gitlab}/x",
            "data/",
            "[.][.]",
        ] {
            assert_eq!(verdict::<PackageGlob>(pattern), "ok");
        }
        for (pattern, words) in [
            ("[", "belongs to no class"),
            ("]", "belongs to no class"),
            ("[]", "belongs to no class"),
            ("[a/b]", "belongs to no class"),
            ("{", "belongs to no choice"),
            ("{a}", "belongs to no choice"),
            ("{a,}", "belongs to no choice"),
            ("{..,a}/b", "belongs to no choice"),
            ("..{,a}", "belongs to no choice"),
            ("{a,{b,c}}", "belongs to no choice"),
            ("{a,b/c}", "belongs to no choice"),
            ("{{name}}", "belongs to no choice"),
            ("[z-a]", "ends before it begins"),
            ("**/../a", "has `..` in it"),
            ("~*", "begins with `~`"),
        ] {
            let verdict = verdict::<PackageGlob>(pattern);
            assert!(verdict.starts_with("refused") && verdict.contains(words), "{pattern:?}: {verdict}");
        }
        for (pattern, words) in
            [("a**", "beside other characters"), (".", "selects everything"), ("**", "selects everything")]
        {
            let verdict = verdict::<PackageGlob>(pattern);
            assert!(
                verdict.starts_with("unportable-path: ") && verdict.contains(words),
                "{pattern:?}: {verdict}"
            );
        }
    }

    #[test]
    fn destinations_are_compared_by_their_place() {
        for (text, resolved) in [
            ("notes.md", "notes.md"),
            ("./notes.md", "notes.md"),
            ("/notes.md", "notes.md"),
            ("/workspace/notes.md", "notes.md"),
            ("workspace/notes.md", "workspace/notes.md"),
            ("/workspace/workspace/a", "workspace/a"),
            ("/a/b/", "a/b"),
        ] {
            assert_eq!(Destination::new(text).unwrap().resolved(), resolved);
        }
        let [one, other] = ["/workspace/a", "a"].map(|text| Destination::new(text).unwrap());
        assert!(one.is_same_place(&other));
        assert_eq!(PackageGlob::new("./data/").unwrap().plain(), "data");
        assert_eq!(PackageGlob::new(".").unwrap().plain(), "");
    }
}
