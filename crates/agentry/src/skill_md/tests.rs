use super::{ClientKeys, Compatibility, Description, RegistryKeys, SkillFile, SkillMd, SkillName};
use super::{Labels, LooseText, ToolList, from_str, read, to_string};
use crate::skill_md::AllowedTools;
use agentry_text::{Map, Mode, Severity, Text, Value, front_matter, read_document};

/// Front matter with more keys, and a body.
fn skill(more: &str) -> String {
    format!("---\nname: tide-tables\ndescription: Reads them.\n{more}---\nBody.\n")
}

/// What is found, one line each: severity, rule, pointer and key.
fn found(text: &str) -> String {
    let reading = read_document::<SkillMd>(&front_matter::parse(text).document, Mode::Strict);
    assert_eq!(
        reading.value.is_some(),
        reading.is_valid(),
        "a value is there exactly when no error is:\n{text}"
    );
    if reading.is_valid() {
        let file = from_str(text).expect("valid");
        let written = to_string(&file).expect("what was read can be written");
        assert_eq!(from_str(&written).expect("what was written is valid"), file, "{written}");
    }
    let lines = reading.findings.iter().map(|finding| {
        let key = finding.key.as_ref().map_or_else(String::new, |key| format!(" {key}"));
        format!("{} {} {}{key}", finding.severity.name(), finding.rule.name, finding.pointer)
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn keys_and_their_values() {
    for (more, expected) in [
        ("", ""),
        ("license: Apache-2.0\ncompatibility: Needs git.\n", ""),
        ("license: ''\n", "error invalid-value /license"),
        ("license: [MIT]\n", "error wrong-type /license"),
        ("compatibility: ''\n", "error invalid-value /compatibility"),
        ("compatibility: ' '\n", "warning empty-value /compatibility"),
        ("metadata: {}\n", ""),
        ("metadata:\n  version: '1.0'\n  ich: ''\n", ""),
        ("metadata:\n  version: 1.0\n", "warning non-text-value /metadata/version"),
        ("metadata:\n  version: 1.10\n", "warning non-text-value /metadata/version"),
        (
            "metadata:\n  fast: true\n  none: ~\n",
            "warning non-text-value /metadata/fast\nwarning non-text-value /metadata/none",
        ),
        ("metadata:\n  client: { os: [linux] }\n", "warning non-text-value /metadata/client"),
        ("metadata: none\n", "error wrong-type /metadata"),
        ("metadata:\n", "error wrong-type /metadata"),
        ("allowed-tools: Read Bash(git:*)\n", ""),
        ("allowed-tools: [Read, 'Bash(git:*)']\n", ""),
        ("allowed-tools: []\n", ""),
        ("allowed-tools: Bash(git:*\n", "warning unreadable-value /allowed-tools"),
        ("allowed-tools: ['Read', 'Bash)']\n", "warning unreadable-value /allowed-tools/1"),
        ("allowed-tools: ''\n", "error invalid-value /allowed-tools"),
        ("allowed-tools: [1]\n", "error wrong-type /allowed-tools/0"),
        ("allowed-tools: { Read: true }\n", "error wrong-type /allowed-tools"),
        (
            "version: 0.1.0\nauthor: harbor\ntags: [tide, water]\nruntime: prompt_only\ntools: [web_fetch]\n",
            "",
        ),
        ("tags: tide, water\n", ""),
        ("version: 2.0\n", "warning non-text-value /version"),
        ("tags: [tide, 2026]\n", "warning non-text-value /tags/1"),
        ("user-invocable: true\nargument-hint: [port]\nhooks: { Stop: [] }\nmodel: ~\n", ""),
        ("homepage: https://harbor.example\n", "warning unknown-key  homepage"),
        ("licence: MIT\n", "warning unknown-key  licence"),
        ("$schema: https://harbor.example/skill-md.schema.json\n", ""),
    ] {
        assert_eq!(found(&skill(more)), expected, "{more}");
    }
}

#[test]
fn required_keys() {
    for (front, expected) in [
        ("name: a\n", "error missing-key  description"),
        ("description: a\n", "error missing-key  name"),
        ("name: ~\ndescription: null\n", "error wrong-type /name\nerror wrong-type /description"),
        ("name: 404\ndescription: ''\n", "error wrong-type /name\nerror invalid-value /description"),
        ("name: a\ndescription: \"\\n\"\n", "warning empty-value /description"),
        ("name: yes\ndescription: a\n", "warning yaml-1-1-value /name"),
    ] {
        assert_eq!(found(&format!("---\n{front}---\n")), expected, "{front}");
    }
}

#[test]
fn null_for_a_required_key_asks_for_a_value() {
    let reading = read("---\nname: ~\ndescription: a\nlicense: ~\n---\n");
    let help: Vec<_> = reading.findings.iter().filter_map(|finding| finding.help.as_deref()).collect();
    assert_eq!(
        help,
        [
            "the key is there, and null is no value: give it one, for it must have one",
            "leave the key out: null is not a value here",
        ]
    );
}

#[test]
fn what_other_formats_call_a_key_is_named() {
    let reading = read("---\nslug: tides\nsummary: Reads them.\n---\n");
    let help: Vec<_> = reading
        .findings
        .iter()
        .map(|finding| (finding.rule.name, finding.key.as_deref(), finding.help.as_deref()))
        .collect();
    assert_eq!(
        help,
        [
            ("unknown-key", Some("slug"), Some("write `name`: other formats call it `slug`")),
            (
                "missing-key",
                Some("name"),
                Some("write `name` for `slug`, which is what other formats call it")
            ),
            (
                "missing-key",
                Some("description"),
                Some("write `description` for `summary`, which is what other formats call it")
            ),
            ("unknown-key", Some("summary"), Some("write `description`: other formats call it `summary`")),
        ]
    );
    // Where the key is there, the other name is only unknown.
    let reading = read("---\nname: a\ndescription: b\nslug: a\n---\n");
    let help = reading.findings[0].help.as_deref().unwrap_or_default();
    assert!(help.starts_with("the known keys here are `name`"), "{help}");
}

#[test]
fn names_say_what_is_wrong_with_them() {
    for good in [
        "a",
        "7",
        "tide-tables",
        "404",
        "навык",
        "技能",
        "κύμα-2",
        "मौसम",
        "ß-x",
        "हिन्दी",
        "தமிழ்",
        "ภาษาไทย",
        "ที่-2",
        "सारांश",
        "ª",
        &"a".repeat(64),
        &"й".repeat(64),
    ] {
        assert_eq!(SkillName::new(good).map(|name| name.as_str().to_owned()).as_deref(), Ok(good));
    }
    for (wrong, fault, suggested) in [
        ("", "", None),
        ("Tide Tables", "`T` is an uppercase letter", Some("tide-tables")),
        ("tide tables", "it has a space or line break", Some("tide-tables")),
        ("tide_tables", "`_` is no letter, digit or hyphen", Some("tide-tables")),
        ("TideTables", "`T` is an uppercase letter", Some("tide-tables")),
        ("PDF", "`P` is an uppercase letter", Some("pdf")),
        ("Harbor's  Tides!", "`H` is an uppercase letter", Some("harbors-tides")),
        ("tide--tables", "it has two hyphens in a row", Some("tide-tables")),
        ("-tides", "it starts with a hyphen", Some("tides")),
        ("tides-", "it ends with a hyphen", Some("tides")),
        ("-", "it starts with a hyphen", None),
        ("🌊", "`🌊` is no letter, digit or hyphen", None),
        ("НАВЫК", "`Н` is an uppercase letter", Some("навык")),
        ("Łódź", "`Ł` is an uppercase letter", Some("łódź")),
        ("ǅ", "`ǅ` is an uppercase letter", Some("ǆ")),
        ("हिन्दी Tides", "it has a space or line break", Some("हिन्दी-tides")),
        ("a-\u{e48}", "`\u{e48}` is no letter, digit or hyphen", Some("a")),
        ("cafe\u{301}", "a letter and its accent are two characters in it", None),
        ("a\u{200b}b", "`\\u{200b}` is no letter, digit or hyphen", Some("a-b")),
    ] {
        let invalid = SkillName::new(wrong).expect_err(wrong);
        assert_eq!(invalid.rule.name, "invalid-value");
        if !fault.is_empty() {
            assert_eq!(invalid.label, fault, "{wrong}");
            assert!(
                invalid.message.ends_with(&format!("is not the name of a skill: {fault}")),
                "{}",
                invalid.message
            );
        }
        assert_eq!(SkillName::nearest(wrong).as_ref().map(SkillName::as_str), suggested, "{wrong}");
        let help = invalid.help.unwrap_or_default();
        assert!(suggested.is_none_or(|name| help.starts_with(&format!("write `{name}`"))), "{wrong}: {help}");
    }
    assert_eq!(SkillName::nearest(&"A b".repeat(40)), None, "too much is left");
}

#[test]
fn lengths_are_counted_in_characters() {
    for (result, length, greatest) in [
        (SkillName::new("ü".repeat(65)).map(drop), 65, 64),
        (Description::new("ü".repeat(1_025)).map(drop), 1_025, 1_024),
        (Compatibility::new("🌊".repeat(501)).map(drop), 501, 500),
    ] {
        let invalid = result.expect_err("too long");
        assert!(
            invalid
                .message
                .ends_with(&format!("has at most {greatest} characters, and this one has {length}")),
            "{}",
            invalid.message
        );
        assert_eq!(invalid.help.as_deref(), Some("shorten it by 1: characters are counted, not bytes"));
    }
    for result in [
        SkillName::new("ü".repeat(64)).map(drop),
        Description::new("ü".repeat(1_024)).map(drop),
        Compatibility::new("🌊".repeat(500)).map(drop),
    ] {
        assert_eq!(result, Ok(()));
    }
}

/// What the pattern of a name refuses, the reader refuses too: the pattern is only as narrow as one can be that every
/// dialect reads alike. And it says as much as it can of the letters that most names are written with.
#[test]
fn the_pattern_of_a_name_holds_for_every_name() {
    let mut wider = Vec::new();
    for c in '\0'..='\u{1ffff}' {
        let text = c.to_string();
        let (fits, read) = (SkillName::matches(&text), SkillName::new(text.as_str()).is_ok());
        assert!(fits || !read, "{c:?} is read, and the pattern refuses it");
        if fits && !read {
            wider.push(c);
        }
    }
    assert_eq!(wider.iter().filter(|c| c.is_ascii()).count(), 0);
    for block in [
        '\u{80}'..='\u{ff}',
        '\u{391}'..='\u{3c9}',
        '\u{400}'..='\u{45f}',
        '\u{2010}'..='\u{205e}',
        '\u{3001}'..='\u{3029}',
    ] {
        let exceptions: String = wider.iter().copied().filter(|c| block.contains(c)).collect();
        assert_eq!(exceptions, "", "{block:?}");
    }
}

#[test]
fn allowed_tools_are_the_same_however_they_are_written() {
    for (written, tools, portable) in [
        ("Read", &["Read"][..], true),
        ("Read Bash(git:*)", &["Read", "Bash(git:*)"], true),
        ("Read, Write,Edit", &["Read", "Write", "Edit"], false),
        ("Bash(git add *) Read", &["Bash(git add *)", "Read"], true),
        ("Bash(a, b (c)), Read", &["Bash(a, b (c))", "Read"], false),
        ("  Read\n  Write ", &["Read", "Write"], true),
        ("Bash(a b", &["Bash(a b"], true),
        ("Bash) Read", &["Bash)", "Read"], true),
        (" ", &[], true),
    ] {
        let text = AllowedTools::Text(ToolList::new(written).expect("tools"));
        assert_eq!(text.tools().iter().map(|tool| tool.as_str()).collect::<Vec<_>>(), tools, "{written}");
        assert_eq!(text.is_portable(), portable, "{written}");
        assert_eq!(text.to_portable(), tools.join(" "), "{written}");
        let list = tools.iter().map(|tool| ToolList::new(*tool).expect("a tool")).collect();
        let list = AllowedTools::List(list);
        assert_eq!((list.tools(), list.is_portable()), (text.tools(), false), "{written}");
    }
    let tools = AllowedTools::Text(ToolList::new("Bash(git add *) Read").expect("tools"));
    let parts: Vec<_> = tools.tools().into_iter().map(|tool| (tool.name(), tool.pattern())).collect();
    assert_eq!(parts, [("Bash", Some("git add *")), ("Read", None)]);
}

#[test]
fn labels_are_a_list_or_a_text_with_commas() {
    let list = Labels::List(vec!["tide".into(), "high water ".into()]);
    let text = Labels::Text("tide, high water,".into());
    assert_eq!(list.texts(), ["tide", "high water"]);
    assert_eq!(text.texts(), list.texts());
}

#[test]
fn a_skill_that_a_program_writes_reads_as_it_was() {
    let skill = SkillMd::new(
        SkillName::new("tide-tables").expect("a name"),
        Description::new("Reads tables: high water,\nlow water.").expect("a description"),
    )
    .with_metadata(Map::from_iter([("version".to_owned(), LooseText::from("1.10"))]));
    for body in ["", "# Steps\n", "\n---\nname: no\n---\n", "no end of line", "a\r\nb\r\n"] {
        let file = SkillFile::new(skill.clone(), body);
        let written = to_string(&file).expect("it can be written");
        let reading = read(&written);
        assert_eq!(reading.findings, [], "{written}");
        assert_eq!(reading.value, Some(file), "{written}");
    }
}

#[test]
fn tolerant_reading_gives_what_there_is() {
    let reading = read(
        "---\nname: tides\ndescription: a\nmetadata: { count: 1, more: [x] }\nzz: { a: [1, ~] }\n---\n# Text\n",
    );
    assert_eq!(reading.findings.iter().filter(|finding| finding.severity == Severity::Warning).count(), 3);
    let file = reading.value.expect("it is valid");
    assert_eq!(file.body, "# Text\n");
    let metadata = file.skill.metadata.as_ref().expect("it is there");
    assert_eq!(metadata["count"].as_value(), &Value::Integer(1));
    assert_eq!(metadata["more"].as_str(), None);
    assert!(file.skill.extra.contains_key("zz"));
    assert!(from_str("# Text\n").is_err());
}

#[test]
fn the_keys_of_groups_are_named_as_files_have_them() {
    assert_eq!(RegistryKeys::names(), ["version", "author", "tags", "runtime", "tools"]);
    assert!(ClientKeys::names().contains(&"user-invocable"));
}
