//! Programs that are fetched when they are started: a version of their own keeps them what they are.

use super::Sink;
use super::look::{each, items, text};
use crate::rules;
use agentry_text::{Node, quoted};

/// Programs that fetch others, with the words behind which the name of a package comes.
const FETCHERS: [(&str, &[&str]); 9] = [
    ("npx", &[]),
    ("bunx", &[]),
    ("pnpx", &[]),
    ("uvx", &[]),
    ("npm", &["exec", "x"]),
    ("pnpm", &["dlx"]),
    ("yarn", &["dlx"]),
    ("bun", &["x"]),
    ("pipx", &["run"]),
];

/// Options that name the package.
const PACKAGE: [&str; 3] = ["-p", "--package", "--from"];

/// Options with a value that is no package to run.
const WITH_VALUE: [&str; 8] =
    ["--python", "--with", "--index-url", "--index", "--registry", "--cache", "--directory", "--prefix"];

pub(super) fn check(root: &Node, sink: &mut Sink<'_>) {
    each(root, &mut |node, _, pointer| {
        let Some(command) = text(node, "command") else { return };
        let args: Vec<Option<&str>> = items(node, "args").iter().map(Node::as_str).collect();
        if let Some(index) = unpinned(command, &args) {
            report(&format!("{pointer}/args/{index}"), args[index].unwrap_or_default(), sink);
        }
    });
}

fn report(pointer: &str, package: &str, sink: &mut Sink<'_>) {
    let finding = sink
        .finding(
            &rules::UNPINNED_PACKAGE,
            pointer,
            format!("every start may fetch another version of {}", quoted(package)),
        )
        .label("no exact version")
        .help("name the version that was tried, such as `@acme/tides@1.4.2`, or `tides==1.4.2` for Python");
    sink.push(finding);
}

/// The argument that names a package without an exact version, if the command fetches one.
fn unpinned(command: &str, args: &[Option<&str>]) -> Option<usize> {
    let program = command.rsplit(['/', '\\']).next()?.to_ascii_lowercase();
    let program = program.strip_suffix(".cmd").or_else(|| program.strip_suffix(".exe")).unwrap_or(&program);
    let (_, words) = FETCHERS.iter().find(|(name, _)| *name == program)?;
    let mut at = 0;
    if !words.is_empty() {
        let word = args.iter().position(|arg| arg.is_some_and(|arg| !arg.starts_with('-')))?;
        if !words.contains(&args[word]?) {
            return None;
        }
        at = word + 1;
    }
    while let Some(arg) = args.get(at) {
        let arg = (*arg)?;
        if let Some((option, package)) = arg.split_once('=')
            && PACKAGE.contains(&option)
        {
            return (!is_pinned(package)).then_some(at);
        }
        if PACKAGE.contains(&arg) {
            return args.get(at + 1)?.is_some_and(|package| !is_pinned(package)).then_some(at + 1);
        }
        if !arg.starts_with('-') {
            return (!is_pinned(arg)).then_some(at);
        }
        at += if WITH_VALUE.contains(&arg) { 2 } else { 1 };
    }
    None
}

/// Whether a package is named with an exact version, or is none that is fetched by its name.
fn is_pinned(package: &str) -> bool {
    let local =
        package.starts_with(['.', '/', '~', '$', '{']) || package.contains("://") || package.contains("${");
    let version = package.split_once("==").map(|(_, version)| version).or_else(|| {
        package.char_indices().skip(1).filter(|(_, c)| *c == '@').last().map(|(at, _)| &package[at + 1..])
    });
    let exact = |version: &str| {
        let mut parts = version.split('.');
        let number = |part: Option<&str>| {
            part.is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()) && part != "x")
        };
        number(parts.next()) && number(parts.next())
    };
    // A source that is named by its own address says itself what it is.
    local || package.is_empty() || package.starts_with("git+") || version.is_some_and(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_without_an_exact_version_are_found() {
        for (line, found) in [
            ("npx -y @acme/tides", Some(1)),
            ("npx -y @acme/tides@latest", Some(1)),
            ("npx -y @acme/tides@^1.2.0", Some(1)),
            ("npx -y @acme/tides@1", Some(1)),
            ("npx @acme/tides@1.2.0 --fast", None),
            ("npx --package=tides run", Some(0)),
            ("npx -p tides@1.2.0 run", None),
            ("/usr/bin/npx.cmd tides", Some(0)),
            ("uvx tides", Some(0)),
            ("uvx --python 3.12 tides==0.4.1", None),
            ("uvx --from tides tides-server", Some(1)),
            ("uvx tides@0.4.1", None),
            ("uvx git+https://acme.example/tides", None),
            ("npm exec -- tides", Some(2)),
            ("npm run tides", None),
            ("pnpm dlx tides", Some(1)),
            ("uv run tides.py", None),
            ("npx ./tides", None),
            ("npx", None),
            ("tides", None),
            ("node tides", None),
        ] {
            let mut words = line.split(' ');
            let command = words.next().unwrap_or_default();
            let args: Vec<_> = words.map(Some).collect();
            assert_eq!(unpinned(command, &args), found, "{line}");
        }
    }
}
