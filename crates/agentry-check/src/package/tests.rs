use super::check;
use super::folder::Folder;
use agentry::package::{PackageGlob, PackagePath};
use agentry_text::Lines;
use std::fs;
use std::path::Path;

/// A scratch folder with the files of a table.
fn scratch(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        write(folder.path(), path, text);
    }
    folder
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// What is found in a folder, as `severity rule pointer line`.
fn found(folder: &Path, manifest: &str) -> Vec<String> {
    let document = agentry_text::toml::parse(manifest);
    assert!(document.findings.is_empty(), "{:?}", document.findings);
    let mut findings = Vec::new();
    check(&document.root.unwrap(), &folder.join("agent.toml"), false, &mut findings);
    let lines = Lines::new(manifest);
    findings
        .iter()
        .map(|finding| {
            assert!(finding.help.is_some(), "{}", finding.message);
            let line = lines.position(finding.span.start).line;
            format!(
                "{} {} {} {line}: {}",
                finding.severity.name(),
                finding.rule.name,
                finding.pointer,
                finding.message
            )
        })
        .collect()
}

/// Compares what is found with the beginnings that are expected.
fn expect(name: &str, found: &[String], expected: &[&str]) {
    let right = found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| {
            expected
                .split('|')
                .enumerate()
                .all(|(index, part)| if index == 0 { found.starts_with(part) } else { found.contains(part) })
        });
    assert!(right, "{name}:\nfound    {found:#?}\nexpected {expected:#?}");
}

#[test]
fn instructions_are_there_and_are_text() {
    let files = &[
        ("prompts/main.md", "Help."),
        ("empty.md", "\u{feff} \n"),
        ("binary.md", "a\0b"),
        ("folder/x.md", "x"),
        ("Guide.md", "x"),
    ];
    for (manifest, expected) in [
        ("instructions = \"Help.\"", &[][..]),
        ("system_prompt = \"Help.\"", &[]),
        ("instructions_file = \"prompts/main.md\"", &[]),
        ("instructions_file = \"./prompts/main.md\"", &[]),
        ("name = \"a\"", &["error missing-file  1:|no instructions"]),
        ("instructions = \"\"", &["error missing-file  1:|no instructions"]),
        (
            "name = \"a\"\ninstructions_file = \"prompts/mian.md\"",
            &["error missing-file /instructions_file 2:"],
        ),
        ("instructions_file = \"guide.md\"", &["error missing-file /instructions_file 1:"]),
        ("instructions_file = \"empty.md\"", &["error empty-file /instructions_file 1:"]),
        ("instructions_file = \"binary.md\"", &["error not-text /instructions_file 1:"]),
        ("instructions_file = \"folder\"", &["error missing-file /instructions_file 1:|no file"]),
        ("instructions_file = \"../outside.md\"", &[]),
        ("instructions_file = 1", &[]),
    ] {
        let folder = scratch(files);
        expect(manifest, &found(folder.path(), manifest), expected);
    }
    let folder = scratch(&[("instructions.md", "Help.")]);
    expect("by default", &found(folder.path(), "name = \"a\""), &[]);
    fs::write(folder.path().join("instructions.md"), b"\xff\xfe").unwrap();
    expect("not UTF-8", &found(folder.path(), "name = \"a\""), &["error not-text  1:"]);
    fs::write(folder.path().join("instructions.md"), "a".repeat(1024 * 1024 + 1)).unwrap();
    expect("too large", &found(folder.path(), "name = \"a\""), &["error package-limit  1:"]);
}

#[test]
fn a_damaged_text_and_a_file_of_another_name_lack_no_instructions() {
    let folder = scratch(&[]);
    let document = agentry_text::toml::parse("name = \"a\"");
    let root = document.root.unwrap();
    for (file, damaged, count) in
        [("agent.toml", false, 1), ("agent.toml", true, 0), ("other.toml", false, 0)]
    {
        let mut findings = Vec::new();
        check(&root, &folder.path().join(file), damaged, &mut findings);
        assert_eq!(findings.len(), count, "{file} {damaged}");
    }
}

#[test]
fn every_source_selects_a_file() {
    let folder = scratch(&[
        ("instructions.md", "x"),
        ("notes.md", "x"),
        ("data/a.csv", "x"),
        ("data/deep/b.csv", "x"),
        ("data/.hidden", "x"),
        ("[draft].md", "x"),
    ]);
    fs::create_dir(folder.path().join("bare")).unwrap();
    for (files, expected) in [
        ("\"notes.md\"", &[][..]),
        ("\"./notes.md\"", &[]),
        ("\"data/**\"", &[]),
        ("\"data/*.csv\"", &[]),
        ("\"data\"", &[]),
        ("\"data/\"", &[]),
        ("{ source = \"data\", path = \"table\" }", &[]),
        ("\"instructions.md\"", &[]),
        ("\"agent.toml\"", &["error missing-file /files/0 1:"]),
        ("\"data/.hidden\"", &[]),
        ("\"[[]draft].md\"", &[]),
        ("\"[draft].md\"", &["error missing-file /files/0 1:|matches no file"]),
        ("\"note.md\"", &["error missing-file /files/0 1:|no file `note.md`"]),
        ("{ source = \"gone.md\" }", &["error missing-file /files/0/source 1:"]),
        ("\"data/*.txt\"", &["error missing-file /files/0 1:|matches no file"]),
        ("\"data/.*/*\"", &["error missing-file /files/0 1:|matches no file"]),
        ("\"bare\"", &["error missing-file /files/0 1:|no file in the folder"]),
        ("\"notes.md/x\"", &["error missing-file /files/0 1:"]),
        ("\"gone/**\", \"gone2/**\"", &["error missing-file /files/0 1:", "error missing-file /files/1 1:"]),
        // What no path is was said by the reader.
        ("\"../x\", 1, {}, { source = 1 }", &[]),
    ] {
        let manifest = format!("files = [{files}]");
        expect(files, &found(folder.path(), &manifest), expected);
    }
}

#[test]
fn credentials_are_not_shipped() {
    let folder = scratch(&[
        ("instructions.md", "x"),
        (".env", "TOKEN=sk-live-0123456789abcdef"),
        (".env.example", "TOKEN="),
        ("data/.env", "x"),
        ("data/a.csv", "x"),
        ("keys/server.pem", "x"),
        ("keys/readme.md", "x"),
        ("home/.ssh/known_hosts", "x"),
        ("home/a", "x"),
    ]);
    for (files, expected) in [
        ("\".env\"", &["error credential-file /files/0 1:"][..]),
        ("{ source = \"./.env\" }", &["error credential-file /files/0/source 1:"]),
        // Also where it is not there.
        ("\".npmrc\"", &["error credential-file /files/0 1:"]),
        ("\".env.example\"", &[]),
        ("\"data/**\"", &["warning credential-file /files/0 1:|`data/.env` lies among"]),
        ("\"data/.*\"", &["error credential-file /files/0 1:|this selects `data/.env`"]),
        ("\"keys\"", &["error credential-file /files/0 1:|this selects `keys/server.pem`"]),
        ("\"keys/*.md\"", &[]),
        ("\"home/**\"", &["warning credential-file /files/0 1:|`home/.ssh`"]),
    ] {
        let manifest = format!("files = [{files}]");
        let found = found(folder.path(), &manifest);
        assert!(!found.concat().contains("0123456789"), "no content is shown");
        expect(files, &found, expected);
    }
}

#[test]
fn credentials_reached_in_other_ways_are_not_shipped_either() {
    let folder = scratch(&[
        (".env", "x"),
        ("s/SKILL.md", "x"),
        ("s/.env", "x"),
        ("s/keys/server.pem", "x"),
        ("s/.ssh/known", "x"),
        ("s/.git/config", "x"),
        ("clean/SKILL.md", "x"),
        ("many/a/SKILL.md", "x"),
        ("many/a/.env.example", "x"),
        ("many/b/SKILL.md", "x"),
        ("many/b/scripts/prod.env", "x"),
        (".agents/skills/a/SKILL.md", "x"),
    ]);
    for (manifest, expected) in [
        ("instructions_file = \".env\"", &["error credential-file /instructions_file 1:|`.env`"][..]),
        (
            "instructions = \"x\"\nskills = [\"s\"]",
            &[
                "error credential-file /skills/0 2:|`s` is shipped as a whole, with `s/.env`, `s/.ssh` and `s/keys/server.pem`",
            ],
        ),
        ("instructions = \"x\"\nskills = [\"clean\"]", &[]),
        (
            "instructions = \"x\"\nskills = [\"clean\", \"many\"]",
            &["error credential-file /skills/1 2:|`many/b/scripts/prod.env`"],
        ),
        ("instructions = \"x\"", &[]),
    ] {
        expect(manifest, &found(folder.path(), manifest), expected);
    }
    write(folder.path(), ".agents/skills/a/id_rsa", "x");
    expect(
        "found by itself",
        &found(folder.path(), "instructions = \"x\""),
        &["error credential-file  1:|`.agents/skills/a/id_rsa`"],
    );
}

#[test]
fn each_file_goes_to_a_place_of_its_own() {
    let folder = scratch(&[
        ("instructions.md", "x"),
        ("Readme.md", "x"),
        ("readme.md", "x"),
        ("data/a.csv", "x"),
        ("data/b.csv", "x"),
        ("one/x.md", "x"),
    ]);
    for (files, expected) in [
        ("\"Readme.md\", \"readme.md\"", &["warning case-collision /files/1 1:"][..]),
        ("\"Readme.md\", { source = \"readme.md\", path = \"other.md\" }", &[]),
        ("\"data/a.csv\", \"data/a.csv\"", &["warning duplicate-destination /files/1 1:"]),
        ("\"data/a.csv\", \"./data/a.csv\"", &["warning duplicate-destination /files/1 1:"]),
        ("\"data/a.csv\", \"data/**\"", &["warning duplicate-destination /files/1 1:"]),
        (
            "\"data/a.csv\", { path = \"/workspace/data/a.csv\", content = \"x\" }",
            &["warning duplicate-destination /files/1/path 1:"],
        ),
        (
            "{ path = \"/x\", content = \"\" }, { path = \"x\", content = \"\" }",
            &["warning duplicate-destination /files/1/path 1:"],
        ),
        (
            "{ path = \"data\", content = \"\" }, \"data/a.csv\"",
            &["warning duplicate-destination /files/1 1:|a folder where `data` is a file"],
        ),
        (
            "{ source = \"data/*.csv\", path = \"all.csv\" }",
            &[
                "warning duplicate-destination /files/0/path 1:|`data/a.csv` and `data/b.csv` all go to `all.csv`",
            ],
        ),
        ("{ source = \"data\", path = \"all\" }", &[]),
        ("{ source = \"one/*.md\", path = \"x.md\" }", &[]),
        ("{ source = \"one/x.md\", path = \"docs/\" }", &["warning contradiction /files/0/path 1:"]),
    ] {
        let manifest = format!("files = [{files}]");
        expect(files, &found(folder.path(), &manifest), expected);
    }
}

#[test]
fn names_that_a_pattern_meets_are_looked_at_too() {
    let folder = scratch(&[("instructions.md", "x"), ("data/aux.md", "x"), ("odd/a\\b", "x")]);
    for (files, expected) in [
        ("\"data/**\"", &["warning unportable-path /files/0 1:|`aux.md`"][..]),
        ("\"odd/*\"", &["warning unportable-path /files/0 1:"]),
        // The type says it of the path that is written.
        ("\"data/aux.md\"", &[]),
    ] {
        expect(files, &found(folder.path(), &format!("files = [{files}]")), expected);
    }
}

#[test]
fn skills_hold_a_skill_file() {
    let files = &[
        ("instructions.md", "x"),
        ("skills/a/SKILL.md", "x"),
        ("skills/b/SKILL.md", "x"),
        ("wrong/skill.md", "x"),
        ("mixed/a/SKILL.md", "x"),
        ("mixed/b/notes.md", "x"),
        ("mixed/c/Skill.md", "x"),
        ("none/a/x.md", "x"),
        ("bare/x.md", "x"),
        ("file.md", "x"),
    ];
    let folder = scratch(files);
    for (skills, expected) in [
        ("", &[][..]),
        ("\"skills/a\"", &[]),
        ("\"skills\"", &[]),
        ("\"./skills/\"", &[]),
        ("\"skill\"", &["error missing-file /skills/0 1:|no folder `skill`"]),
        ("\"file.md\"", &["error missing-file /skills/0 1:|no folder"]),
        ("\"wrong\"", &["error missing-file /skills/0 1:|`wrong/skill.md` is not called `SKILL.md`"]),
        (
            "\"mixed\"",
            &[
                "warning missing-file /skills/0 1:|`mixed/c/Skill.md`",
                "warning missing-file /skills/0 1:|no `SKILL.md` in `mixed/b`",
            ],
        ),
        ("\"none\"", &["error missing-file /skills/0 1:|no `SKILL.md` in `none/a`"]),
        ("\"bare\"", &["error missing-file /skills/0 1:|nor a folder with one"]),
        ("\"../x\", 1", &[]),
    ] {
        expect(skills, &found(folder.path(), &format!("skills = [{skills}]")), expected);
    }
    write(folder.path(), ".agents/skills/a/SKILL.md", "x");
    expect("found by itself", &found(folder.path(), "name = \"a\""), &[]);
    write(folder.path(), ".agents/skills/b/x.md", "x");
    expect(
        "found by itself",
        &found(folder.path(), "name = \"a\""),
        &["warning missing-file  1:|`.agents/skills/b`"],
    );
    expect("others are named", &found(folder.path(), "skills = [\"skills\"]"), &[]);
}

#[test]
fn a_package_has_one_manifest() {
    let folder =
        scratch(&[("instructions.md", "x"), ("agent.toml", "x"), ("agent.yaml", "x"), ("agent.json", "x")]);
    let expected = "warning several-manifests  1:|`agent.yaml` and `agent.json`";
    expect("three", &found(folder.path(), "name = \"a\""), &[expected]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = scratch(&[("secret.md", "x"), ("folder/a.md", "x"), ("skill/SKILL.md", "x")]);
    let folder = scratch(&[
        ("instructions.md", "x"),
        ("data/a.md", "x"),
        ("real.md", "x"),
        ("inner/a.md", "x"),
        ("pool/a.md", "x"),
        ("round/a.md", "x"),
        ("s/SKILL.md", "x"),
        ("s/t/x.md", "x"),
        ("set/a/SKILL.md", "x"),
    ]);
    let link = |target: &Path, path: &str| symlink(target, folder.path().join(path)).unwrap();
    link(&outside.path().join("secret.md"), "data/out.md");
    link(&outside.path().join("folder"), "away");
    link(&outside.path().join("skill"), "skill");
    link(Path::new("real.md"), "link.md");
    link(Path::new("gone.md"), "dangling.md");
    link(Path::new("one"), "two");
    link(Path::new("two"), "one");
    link(&folder.path().join("real.md"), "inner/b.md");
    link(Path::new(".."), "round/self");
    link(&outside.path().join("secret.md"), "s/pw");
    link(Path::new("../.."), "s/t/up");
    link(&outside.path().join("skill"), "set/b");
    link(Path::new("../../../../../../../../../etc"), "pool/etc");
    for (manifest, expected) in [
        (
            "files = [\"data/out.md\"]",
            &["error package-link /files/0 1:|`data/out.md` is a link that leads out"][..],
        ),
        ("files = [\"data/**\"]", &["error package-link /files/0 1:|`data/out.md` is a link that leads out"]),
        ("files = [\"away\"]", &["error package-link /files/0 1:|leads out"]),
        ("files = [\"away/a.md\"]", &["error package-link /files/0 1:|`away` is a link that leads out"]),
        ("files = [\"away/**\"]", &["error package-link /files/0 1:|`away` is a link that leads out"]),
        ("files = [\"pool/**\"]", &["error package-link /files/0 1:|`pool/etc` is a link that leads out"]),
        ("files = [\"dangling.md\"]", &["error package-link /files/0 1:|nowhere"]),
        ("files = [\"one\"]", &["error package-link /files/0 1:|back to itself"]),
        ("files = [\"round/**\"]", &["error package-link /files/0 1:|back to itself"]),
        ("files = [\"link.md\"]", &["warning package-link /files/0 1:|another place of the package"]),
        ("files = [\"inner/*\"]", &["warning package-link /files/0 1:|`inner/b.md`"]),
        ("files = [\"inner/a*\"]", &[]),
        ("instructions_file = \"data/out.md\"", &["error package-link /instructions_file 1:"]),
        ("instructions_file = \"away/a.md\"", &["error package-link /instructions_file 1:"]),
        ("skills = [\"skill\"]", &["error package-link /skills/0 1:"]),
        (
            "skills = [\"s\"]",
            &[
                "error package-link /skills/0 1:|`s/pw` is a link that leads out",
                "error package-link /skills/0 1:|`s/t/up` is a link that leads nowhere, or back",
            ],
        ),
        // Said once, though the link is also looked through for its `SKILL.md`.
        ("skills = [\"set\"]", &["error package-link /skills/0 1:|`set/b`"]),
    ] {
        let found = found(folder.path(), manifest);
        let shown = outside.path().to_string_lossy().into_owned();
        assert!(!found.concat().contains(&shown), "where a link leads is nobody's business");
        expect(manifest, &found, expected);
    }
}

#[test]
fn limits_hold_before_anything_is_read() {
    let folder = scratch(&[("instructions.md", "x")]);
    for index in 0..1100 {
        write(folder.path(), &format!("many/{index:04}.md"), "x");
    }
    for index in 0..101 {
        write(folder.path(), &format!("over/{index:03}.md"), "x");
    }
    let deep = ["d"; 40].join("/");
    write(folder.path(), &format!("deep/{deep}/x.md"), "x");
    for index in 0..6 {
        fs::File::create(folder.path().join(format!("large{index}"))).unwrap().set_len(1024 * 1024).unwrap();
    }
    fs::File::create(folder.path().join("huge")).unwrap().set_len(1 << 40).unwrap();
    for (files, expected) in [
        ("\"over/0*\"", &[][..]),
        ("\"over/**\"", &["error package-limit /files/0 1:|more than 100 files: 101"]),
        (
            "\"over/0*\", { path = \"x\", content = \"\" }, \"large0\"",
            &["error package-limit /files/1/path 1:|101 up to here"],
        ),
        ("\"many/**\", \"many/*\"", &["error package-limit /files/0 1:|more than 1024 files and folders"]),
        // What is named is found without looking around.
        ("\"many/0001.md\"", &[]),
        ("\"deep/**\"", &["error package-limit /files/0 1:|32 levels"]),
        ("\"large*\"", &["error package-limit /files/0 1:|5242880 bytes together: 6291456"]),
        ("\"large0\"", &[]),
        (
            "\"huge\"",
            &[
                "error package-limit /files/0 1:|`huge` has 1099511627776 bytes",
                "error package-limit /files/0 1:|together",
            ],
        ),
    ] {
        expect(files, &found(folder.path(), &format!("files = [{files}]")), expected);
    }
    write(folder.path(), "many/SKILL.md", "x");
    let manifest = "skills = [\"many\"]";
    expect(
        manifest,
        &found(folder.path(), manifest),
        &["error package-limit /skills/0 1:|1024 files and folders"],
    );
    let document = agentry_text::toml::parse(manifest);
    let mut findings = Vec::new();
    check(&document.root.unwrap(), &folder.path().join("agent.toml"), false, &mut findings);
    assert!(findings[0].help.as_deref().unwrap().contains("most of them lie in `many`"), "{findings:?}");
}

/// Nothing that stands for a path may lead out of the package, however it is written.
#[test]
fn no_source_leaves_the_package() {
    let outer = scratch(&[("secret.md", "x"), ("package/instructions.md", "x"), ("package/a/b.md", "x")]);
    let package = outer.path().join("package");
    let absolute = outer.path().join("secret.md").to_string_lossy().into_owned();
    let mut sources = vec![absolute.clone(), format!("/{absolute}"), format!("file://{absolute}")];
    assert_eq!(Folder::new(&package).select(&PackageGlob::new("*/b.md").unwrap()).files.len(), 1);
    for climb in [
        "..",
        "../",
        "./..",
        "a/..",
        "a/../..",
        "..\\",
        ".. ",
        "..;",
        ". .",
        "...",
        "%2e%2e",
        "%2E%2E",
        "%252e%252e",
        "\u{ff0e}\u{ff0e}",
        "\u{2025}",
        "\u{2024}\u{2024}",
        "{..,a}",
        "{.,.}.",
        "[.][.]",
        ".[.]",
        ".?",
        "??",
        "*",
        ".*",
        "**/..",
        "a/**/..",
        "~",
        "$HOME",
        "C:",
        r"\\?\C:",
        "..\u{200b}",
    ] {
        sources.push(format!("{climb}/secret.md"));
        sources.push(format!("{climb}\\secret.md"));
        sources.push(format!("{climb}\u{2215}secret.md"));
        sources.push(format!("a/{climb}/{climb}/secret.md"));
    }
    for source in sources {
        // Written as TOML has it: with quotes around and escapes inside.
        let written = agentry_text::Value::String(source.clone());
        let written = serde_json::to_string(&written).unwrap();
        let files = found(&package, &format!("files = [{written}]"));
        let instructions = found(&package, &format!("instructions_file = {written}"));
        if PackagePath::new(source.as_str()).is_ok() {
            expect(&source, &instructions, &["error missing-file /instructions_file 1:"]);
        } else {
            expect(&source, &instructions, &[]);
        }
        match PackageGlob::new(source.as_str()) {
            Ok(glob) => {
                assert_eq!(Folder::new(&package).select(&glob).files, [], "{source}");
                expect(&source, &files, &["error missing-file /files/0 1:"]);
            }
            Err(_) => expect(&source, &files, &[]),
        }
    }
}
