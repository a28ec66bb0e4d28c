//! Each change in each format: the text that comes out, and that its value is what the effect says.

use super::*;
use crate::rules;
use crate::tree::Document;

fn parse(text: &str, format: Format) -> Document {
    match format {
        Format::Toml => crate::toml::parse(text),
        Format::Yaml => crate::yaml::parse(text),
        Format::Json => crate::json::parse(text),
        Format::Markdown => crate::front_matter::parse(text).document,
    }
}

/// The text after a change of the value at a pointer; None where there is no fix.
fn changed(text: &str, format: Format, pointer: &str, change: Change) -> Option<String> {
    let document = parse(text, format);
    let mut findings =
        [Finding::new(&rules::SYNTAX, "", Span::default(), "x").mend(Safety::Safe, pointer, change)];
    resolve(&mut findings, document.root.as_ref(), text, format);
    let fix = findings[0].fix.as_ref()?;
    let mut new = text.to_owned();
    for edit in fix.edits.iter().rev() {
        new.replace_range(edit.span.start..edit.span.end, &edit.replacement);
    }
    let mut expected = Value::from(document.root.as_ref().expect("the text has a value"));
    assert!(fix.effect.apply(&mut expected), "the value has a place for the effect: {text}");
    let after = parse(&new, format);
    assert!(!after.damaged, "{new}");
    assert_eq!(after.root.as_ref().map(Value::from), Some(expected), "{new}");
    Some(new)
}

fn key(text: &str, format: Format, pointer: &str) -> Span {
    let document = parse(text, format);
    let (table, name) = pointer.rsplit_once('/').expect("a key has a table");
    let table = document.root.as_ref().and_then(|root| root.pointer(table)).expect("the table is there");
    table.get(name).expect("the key is there").key_span
}

fn value(text: &str, format: Format, pointer: &str) -> Span {
    let document = parse(text, format);
    document.root.as_ref().and_then(|root| root.pointer(pointer)).expect("the value is there").span
}

#[test]
fn a_key_moves_with_its_lines() {
    let moved = |text: &str, format, pointer: &str, to: &str| {
        let change = Change::Move { key: key(text, format, pointer), to: to.to_owned() };
        changed(text, format, pointer, change)
    };
    for (pointer, to, text, expected) in [
        // The comment above goes along, and the empty line.
        (
            "/t/k",
            "",
            "a = 1\n\n[t]\nb = 2\n\n# why\nk = 3 # so\n",
            "a = 1\n\n# why\nk = 3 # so\n\n[t]\nb = 2\n",
        ),
        ("/t/k", "", "a = 1\n[t]\nb = 2\nk = 3\nc = 4\n", "a = 1\nk = 3\n[t]\nb = 2\nc = 4\n"),
        ("/t/k", "", "[t]\nb = 2\nk = 3\n", "k = 3\n[t]\nb = 2\n"),
        ("/t/k", "", "a = 1\n\n[t]\nb = 2\nk = 3", "a = 1\nk = 3\n\n[t]\nb = 2\n"),
        // The comment of a header stays with it; that of the file and its schema stay where they are.
        ("/t/k", "", "a = 1\n\n# t\n[t]\n\nk = 3\n", "a = 1\n\nk = 3\n\n# t\n[t]\n"),
        ("/t/k", "", "# file\n[t]\n\nk = 3\n", "# file\nk = 3\n\n[t]\n"),
        ("/t/k", "", "#:schema x\n[t]\n\nk = 3\n", "#:schema x\nk = 3\n\n[t]\n"),
        ("/t/k", "", "\u{feff}[t]\nb = 2\nk = 3\n", "\u{feff}k = 3\n[t]\nb = 2\n"),
        ("/t/k", "", "a = 1\r\n\r\n[t]\r\n\r\nk = 3", "a = 1\r\n\r\nk = 3\r\n\r\n[t]\r\n"),
        // What looks like a header or a comment within a value is none.
        (
            "/t/k",
            "",
            "a = \"\"\"\n[x]\n\"\"\"\nl = [\n  [1],\n]\n[t]\nb = '''\n# no'''\nk = \"\"\"\n[y]\n\"\"\"\n",
            "a = \"\"\"\n[x]\n\"\"\"\nl = [\n  [1],\n]\nk = \"\"\"\n[y]\n\"\"\"\n[t]\nb = '''\n# no'''\n",
        ),
        // Into an enclosing table, and into the item of a list that encloses it.
        ("/t/u/k", "/t", "[t]\nb = 1\n\n[t.u]\nc = 2\n\nk = 3\n", "[t]\nb = 1\n\nk = 3\n\n[t.u]\nc = 2\n"),
        (
            "/m/1/u/k",
            "/m/1",
            "[[m]]\nb = 1\n[m.u]\nc = 1\n[[m]]\nb = 2\n[m.u]\nk = 3\n",
            "[[m]]\nb = 1\n[m.u]\nc = 1\n[[m]]\nb = 2\nk = 3\n[m.u]\n",
        ),
        // A comment for tools goes along as well, unless it begins the file.
        ("/t/k", "", "a = 1\n\n[t]\n\n#: why\nk = 3 # so\n", "a = 1\n\n#: why\nk = 3 # so\n\n[t]\n"),
        // Into a table further down, and into one beside its own.
        ("/k", "/t", "a = 1\n# why\nk = 3 # so\n\n[t]\nb = 2\n", "a = 1\n\n[t]\n# why\nk = 3 # so\nb = 2\n"),
        ("/k", "/t", "a = 1\n\nk = 3\n\n[t] # t\nb = 2\n", "a = 1\n\n[t] # t\nk = 3\nb = 2\n"),
        ("/k", "/t", "#:schema x\nk = 3\n[t]", "#:schema x\n[t]\nk = 3\n"),
        ("/k", "/t", "# file\nk = '''\n[t]\n'''\n[t]\n", "# file\n[t]\nk = '''\n[t]\n'''\n"),
        ("/s/k", "/t", "[s]\nk = 3\n[t]\n[u]\n", "[s]\n[t]\nk = 3\n[u]\n"),
        ("/s/k", "/t", "[t]\nb = 1\n\n[s]\nc = 1\nk = 3\n", "[t]\nb = 1\nk = 3\n\n[s]\nc = 1\n"),
        ("/m/0/s/k", "/m/0/t", "[[m]]\n[m.s]\nk = 3\n[m.t]\n", "[[m]]\n[m.s]\n[m.t]\nk = 3\n"),
    ] {
        assert_eq!(moved(text, Format::Toml, pointer, to).as_deref(), Some(expected), "{text}");
    }
    for (pointer, to, text) in [
        ("/t/k", "", "t = { b = 2, k = 3 }\n"),
        ("/t/k", "", "[t]\nk.x = 3\n"),
        ("/t/k", "", "[t]\n[t.k]\n"),
        ("/t/u/k", "/t", "[t.u]\nk = 3\n"),
        ("/k", "/t", "k = 3\n[t.u]\n"),
        ("/k", "/t/0", "k = 3\n[[t]]\n[[t]]\n"),
    ] {
        assert_eq!(moved(text, Format::Toml, pointer, to), None, "{text}");
    }
    for (text, expected) in [
        (
            "# f\na: 1\n\nt:\n  b: 2\n  # why\n  k: |\n    x\n\n    # y\n  c: 3\n",
            "# f\na: 1\n\n# why\nk: |\n  x\n\n  # y\nt:\n  b: 2\n  c: 3\n",
        ),
        ("a: 1\nt:\n    b: 2\n    k:\n    - 1\n    - 2", "a: 1\nk:\n- 1\n- 2\nt:\n    b: 2\n"),
        ("t:\n  b: 2\n  k: 3\n", "k: 3\nt:\n  b: 2\n"),
        ("\u{feff}t:\n  b: 2\n  k: 3\n", "\u{feff}k: 3\nt:\n  b: 2\n"),
        ("\u{feff}a: 1\nt:\n  b: 2\n  k: 3\n", "\u{feff}a: 1\nk: 3\nt:\n  b: 2\n"),
    ] {
        assert_eq!(moved(text, Format::Yaml, "/t/k", "").as_deref(), Some(expected), "{text}");
    }
    for text in ["t: { b: 2, k: 3 }\n", "t:\n  k: 3\n"] {
        assert_eq!(moved(text, Format::Yaml, "/t/k", ""), None, "{text}");
    }
    for (text, expected) in [
        ("{\"a\":1,\"t\":{\"b\":2,\"k\":[\"]\",3]}}", "{\"a\":1,\"k\":[\"]\",3], \"t\":{\"b\":2}}"),
        (
            "{\n  \"t\": {\n    \"k\": 3,\n    \"b\": 2\n  }\n}",
            "{\n  \"k\": 3,\n  \"t\": {\n    \"b\": 2\n  }\n}",
        ),
        ("{ \"t\": { \"k\": 3 } }", "{ \"k\": 3, \"t\": {  } }"),
    ] {
        assert_eq!(moved(text, Format::Json, "/t/k", "").as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn values_and_names_change_and_their_quotes_stay() {
    for (format, text, expected) in [
        (Format::Toml, "[o]\nold = 1\n", "[o]\nnew = 1\n"),
        (Format::Toml, "[o]\n\"old\" = 1\n", "[o]\n\"new\" = 1\n"),
        (Format::Toml, "[o]\n'old' = 1\n", "[o]\n'new' = 1\n"),
        (Format::Yaml, "o:\n  old: 1 # x\n", "o:\n  new: 1 # x\n"),
        (Format::Json, "{\"o\":{\"old\":1}}", "{\"o\":{\"new\":1}}"),
    ] {
        let change = Change::Rename { at: key(text, format, "/o/old"), to: "new".to_owned() };
        assert_eq!(changed(text, format, "/o/old", change).as_deref(), Some(expected));
    }
    for (format, text, to, expected) in [
        (Format::Toml, "k = ' a'\n", Some("a"), Some("k = 'a'\n")),
        (Format::Toml, "k = \"a\"\n", Some("b\\c"), Some("k = \"b\\\\c\"\n")),
        (Format::Toml, "k = \"\"\"a\"\"\"\n", Some("b"), None),
        (Format::Yaml, "k: a\n", Some("b"), Some("k: b\n")),
        (Format::Yaml, "k: a\n", Some("b: c"), Some("k: \"b: c\"\n")),
        (Format::Toml, "k = 1.10\n", None, Some("k = \"1.10\"\n")),
        (Format::Toml, "k = 2026-03-15\n", None, Some("k = \"2026-03-15\"\n")),
        (Format::Yaml, "k: 404\n", None, Some("k: \"404\"\n")),
        (Format::Json, "{\"k\": true}", None, Some("{\"k\": \"true\"}")),
        (Format::Markdown, "---\nk: 404\n---\nx\n", None, Some("---\nk: \"404\"\n---\nx\n")),
    ] {
        let at = value(text, format, "/k");
        let change = match to {
            Some(to) => Change::Text { at, to: to.to_owned() },
            None => Change::Quote { at },
        };
        assert_eq!(changed(text, format, "/k", change).as_deref(), expected, "{text}");
    }
    let plain = Change::Plain { at: value("k = '5'\n", Format::Toml, "/k"), to: "5".to_owned() };
    assert_eq!(changed("k = '5'\n", Format::Toml, "/k", plain).as_deref(), Some("k = 5\n"));
    for (format, text, expected) in [
        (Format::Toml, "[t]\nb = 1\n", Some("[t]\ntype = \"x\"\nb = 1\n")),
        (Format::Toml, "t = { b = 1 }\n", None),
        (Format::Yaml, "t:\n  b: 1\n", Some("t:\n  type: \"x\"\n  b: 1\n")),
        (Format::Json, "{\"t\": {\n \"b\": 1}}", Some("{\"t\": {\n \"type\": \"x\",\n \"b\": 1}}")),
    ] {
        let change = Change::Insert { key: "type".to_owned(), value: "x".to_owned() };
        assert_eq!(changed(text, format, "/t", change).as_deref(), expected, "{text}");
    }
}

#[test]
fn a_broken_text_of_yaml_is_put_in_quotes_and_stays_the_text_that_was_read() {
    for (text, expected) in [
        ("k: a: b\n", "k: \"a: b\"\n"),
        ("k: say \"a: b\" # c\n", "k: 'say \"a: b\"' # c\n"),
        ("k: it's \"a: b\"\n", "k: \"it's \\\"a: b\\\"\"\n"),
        ("k:\n  a thing,\n  and b: c\n  too\n", "k:\n  \"a thing,\n  and b: c\n  too\"\n"),
        ("k: a thing\n  and b: c\n", "k: \"a thing\n  and b: c\"\n"),
        ("k: {{ x }} y\n", "k: \"{{ x }} y\"\n"),
        ("k: @home\n", "k: \"@home\"\n"),
        ("k: `home`\r\n", "k: \"`home`\"\r\n"),
        ("k: no\n", "k: \"no\"\n"),
    ] {
        let document = parse(text, Format::Yaml);
        let mut findings = document.findings.clone();
        resolve(&mut findings, document.root.as_ref(), text, Format::Yaml);
        let fixes: Vec<&Fix> = findings.iter().filter_map(|finding| finding.fix.as_ref()).collect();
        let [fix] = fixes[..] else { panic!("{text}: {findings:?}") };
        let mut new = text.to_owned();
        for edit in fix.edits.iter().rev() {
            new.replace_range(edit.span.start..edit.span.end, &edit.replacement);
        }
        assert_eq!(new, expected);
        let after = parse(&new, Format::Yaml);
        assert!(after.findings.is_empty(), "{new}: {:?}", after.findings);
        assert_eq!(after.root.as_ref().map(Value::from), document.root.as_ref().map(Value::from), "{new}");
    }
}

#[test]
fn what_changes_is_never_shown_by_debug() {
    let secret = "sk-abcdefghijklmnop1234567890";
    let text = format!("k = ' {secret}'\n");
    let change = Change::Text { at: value(&text, Format::Toml, "/k"), to: secret.to_owned() };
    let finding = Finding::new(&rules::SYNTAX, "", Span::default(), "x").mend(Safety::Safe, "/k", change);
    assert!(!format!("{finding:?}").contains(secret));
    let document = parse(&text, Format::Toml);
    let mut findings = [finding];
    resolve(&mut findings, document.root.as_ref(), &text, Format::Toml);
    assert!(findings[0].fix.is_some());
    assert!(!format!("{findings:?}").contains(secret));
}
