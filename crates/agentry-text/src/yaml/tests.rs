use super::*;
use crate::lines::Lines;
use crate::tree::{Kind, MAX_BYTES, MAX_DEPTH, Node};
use crate::value::{Datetime, Value};
use crate::{Severity, read_root};
use indexmap::IndexMap;
use proptest::prelude::*;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

fn value(text: &str) -> Value {
    Value::from(&parse(text).root.expect("a tree"))
}

fn json(text: &str) -> String {
    serde_json::to_string(&value(text)).expect("JSON")
}

/// Every finding as `line:column rule: message`, without what all messages about syntax begin with.
fn found(document: &Document, text: &str) -> Vec<String> {
    let lines = Lines::new(text);
    document
        .findings
        .iter()
        .map(|finding| {
            let at = lines.position(finding.span.start);
            let message = finding.message.replace("this is not YAML: ", "");
            format!("{}:{} {}: {message}", at.line, at.column, finding.rule.name)
        })
        .collect()
}

fn help(text: &str) -> String {
    let document = parse(text);
    let [finding] = &document.findings[..] else { panic!("{text}: {:#?}", found(&document, text)) };
    finding.help.clone().unwrap_or_default()
}

#[test]
fn documents_are_read_as_the_core_schema_has_it() {
    for (text, expected) in [
        (
            "a: 1\nb: -2.5\nc: true\nd: null\ne:\nf: ~\n",
            r#"{"a":1,"b":-2.5,"c":true,"d":null,"e":null,"f":null}"#,
        ),
        ("a: 0x1F\nb: 1.5e+3\n", r#"{"a":31,"b":1500.0}"#),
        ("a: 'it''s'\nb: \"tab\\t\\u00e9\"\n", r#"{"a":"it's","b":"tab\té"}"#),
        ("a: '1'\nb: \"true\"\nc: !!str 5\nd: ! 5\n", r#"{"a":"1","b":"true","c":"5","d":"5"}"#),
        ("a: !!int \"3\"\nb: !!float 3\nc: !!map {}\nd: !!seq []\n", r#"{"a":3,"b":3.0,"c":{},"d":[]}"#),
        ("a: |\n  one\n  two\nb: >-\n  one\n  two\n", r#"{"a":"one\ntwo\n","b":"one two"}"#),
        ("a: plain\n  goes on\n", r#"{"a":"plain goes on"}"#),
        ("a: |\n  last", r#"{"a":"last"}"#),
        ("- 1\n- - 2\n  - 3\n- a: 4\n", r#"[1,[2,3],{"a":4}]"#),
        ("{a: [1, 2], 'b': {c: d}}", r#"{"a":[1,2],"b":{"c":"d"}}"#),
        ("? a\n: b\n", r#"{"a":"b"}"#),
        ("\u{feff}a: 1\r\nb: |\r\n  x\r\n  y\r\n", r#"{"a":1,"b":"x\ny\n"}"#),
        ("# note\n---\na: 1\n...\n", r#"{"a":1}"#),
        ("%YAML 1.2\n---\na: 1\n", r#"{"a":1}"#),
        ("a: &x\n  b: 1\nc: *x\nd: &y text\n*y : 2\n", r#"{"a":{"b":1},"c":{"b":1},"d":"text","text":2}"#),
        ("a: &x 1\nb: &x 2\nc: *x\n", r#"{"a":1,"b":2,"c":2}"#),
        ("url: http://host:80/a#b\n", r#"{"url":"http://host:80/a#b"}"#),
        ("just text", r#""just text""#),
        ("a:\n- 1\n- 2\nb: 3\n", r#"{"a":[1,2],"b":3}"#),
    ] {
        let document = parse(text);
        assert_eq!(found(&document, text), [""; 0], "{text}");
        assert!(!document.damaged, "{text}");
        assert_eq!(json(text), expected, "{text}");
    }
}

/// Texts, and what is found in them.
const FAULTS: &[(&str, &[&str])] = &[
    ("", &["1:1 empty-file: the file holds nothing"]),
    ("# nothing yet\n", &["1:1 empty-file: the file holds nothing"]),
    ("---\n", &["1:1 empty-file: the file holds nothing"]),
    (
        "name: x\ndescription: Use this: that: these\nlast: 1\n",
        &[
            "2:22 unquoted-text: the text of `description` has no quotes, and a colon with a space after it cannot stand in such a text",
        ],
    ),
    (
        "description:\n  Asks questions.\n  Pairs with: that,\n  then: writes.\nlast: 1\n",
        &[
            "3:13 unquoted-text: the text of `description` has no quotes, and a colon with a space after it cannot stand in such a text",
        ],
    ),
    (
        "a: b:\n",
        &[
            "1:5 unquoted-text: the text of `a` has no quotes, and a colon at the end of a line cannot stand in such a text",
        ],
    ),
    (
        "- a: b: c\n",
        &[
            "1:7 unquoted-text: the text of `a` has no quotes, and a colon with a space after it cannot stand in such a text",
        ],
    ),
    (
        "a: {{ x }} y\nb: @x\nc: `d`\nd: %e\ne: [a] [b]\nf: **g** h\n",
        &[
            "1:4 unquoted-text: the value of `a` begins with `{{`, which YAML reads as a mapping",
            "2:4 unquoted-text: the value of `b` begins with `@`, which a text without quotes cannot",
            "3:4 unquoted-text: the value of `c` begins with a backtick, which a text without quotes cannot",
            "4:4 unquoted-text: the value of `d` begins with `%`, which a text without quotes cannot",
            "5:4 unquoted-text: the value of `e` begins with `[`, and goes on after the bracket that closes it",
            "6:4 unquoted-text: the value of `f` begins with `*`, which YAML reads as an alias",
        ],
    ),
    ("a: {{ x }}\n", &["1:5 non-string-key: a key is a string, and this one is a table"]),
    ("a: *.py\n", &["1:4 syntax: `*.py` refers to an anchor, and there is none of that name above"]),
    ("a: &x [*x]\n", &["1:8 syntax: `*x` stands inside the value that it names"]),
    (
        "a: \"x\" y\nb: 'it's'\n",
        &[
            "1:8 unquoted-text: the value of `a` goes on after its closing quote",
            "2:8 unquoted-text: the value of `b` has quotes within its quotes",
        ],
    ),
    (
        "a: \"open\nb: 'also\nc: 1\n",
        &["1:4 syntax: a quote is never closed", "2:4 syntax: a quote is never closed"],
    ),
    ("a: \"open\nb: \"closed\"\n", &["1:4 syntax: a quote is never closed"]),
    (
        "a: \"C:\\dir\"\nb: \"\\ud800\"\n",
        &["1:7 syntax: `\\d` is not an escape", "2:5 syntax: `\\u` is not an escape"],
    ),
    (
        "a: \"\\x4g\"\nb: \"\\U0011ffff\"\nc: \"\\x41\\U0001F600\\q\"\n",
        &[
            "1:5 syntax: `\\x` is not an escape",
            "2:5 syntax: `\\U` is not an escape",
            "3:19 syntax: `\\q` is not an escape",
        ],
    ),
    ("a: \"x\": y\nb: 1\n", &["1:7 unquoted-text: the value of `a` goes on after its closing quote"]),
    ("a: [x, \"open\nb: 1\n", &["1:8 syntax: a quote is never closed"]),
    (
        "a: |x\n  y\nb: 1\n",
        &["1:4 unquoted-text: the value of `a` begins with `|`, and a block of text starts on the next line"],
    ),
    ("a: >0\n  y\nb: 1\n", &["1:4 syntax: `|` and `>` begin a block of text on the next line"]),
    ("a: [1, 2\nb: 3\n", &["1:4 syntax: a list in brackets is never closed"]),
    ("a: {b: 1\nc: 3\n", &["1:4 syntax: a mapping in braces is never closed"]),
    ("a: - b\nc: 1\n", &["1:4 syntax: a list does not begin on the line of its key"]),
    ("a: b\n  c: d\ne: f\n", &["2:3 syntax: `c` is indented below `a`, which has a value on its own line"]),
    (
        "a:\n    b: 1\n  c: 2\n",
        &["3:3 syntax: this line is indented by 2, like none that it could belong to"],
    ),
    (
        "a: |\n    x\n  y\n",
        &["3:3 syntax: this line is indented less than the block of text above it, and more than its key"],
    ),
    ("a: 1\n- b\n", &["2:1 syntax: a list item stands among the keys of a mapping"]),
    ("a:\n    b: 1\n  - c\n", &["3:3 syntax: this line is indented by 2, like none that it could belong to"]),
    // The words of whatever is not said more closely.
    ("-\t- b\n", &["1:3 syntax: a `-` stands where no list item can"]),
    ("a: |# b\n  c\n", &["1:5 syntax: a comment needs a space before its `#`"]),
    ("a: : b\n", &["1:4 syntax: a colon stands where there can be none"]),
    ("? ]\n", &["1:3 syntax: a bracket closes what none opened"]),
    ("a: \u{feff}b\n", &["1:4 syntax: a byte-order mark stands within the text"]),
    ("a: b # c\n  d\n", &["1:6 syntax: a comment cuts a text in two"]),
    ("a: 1\n... b\n", &["2:5 syntax: text follows the line that ends the document"]),
    ("? @\n", &["1:3 syntax: no value begins with this character"]),
    ("a: |2\n b\n", &["2:2 syntax: the indentation does not fit what is above"]),
    ("? ,\n", &["1:3 syntax: the text cannot be read here"]),
    ("a: 1\n*x k: v\n", &["2:4 syntax: text follows where a value has ended"]),
    ("a: 1\n!t !t b: c\n", &["2:4 syntax: text follows where a value has ended"]),
    (
        "{a: b\n c: d}\n",
        &["1:1 syntax: a mapping in braces is never closed", "2:3 syntax: expected `,` or `}`"],
    ),
    ("--- |\n a\nb\n", &["3:1 syntax: text follows where a value has ended"]),
    (
        "a: > b\n",
        &["1:4 unquoted-text: the value of `a` begins with `>`, and a block of text starts on the next line"],
    ),
    ("a: 'x'\n b: c\n", &["2:2 syntax: this line is indented by 1, like none that it could belong to"]),
    // A mark that no line counts, before a fault of its line and of one below.
    ("\u{feff}a: - b\n", &["1:5 syntax: a list does not begin on the line of its key"]),
    (
        "\u{feff}: v\n- b\n",
        &[
            "1:2 non-string-key: a key is a string, and here is none",
            "2:1 syntax: this line is indented by 0, like none that it could belong to",
        ],
    ),
    ("- a\nb: 1\n", &["2:1 syntax: a key stands where the next item of a list is expected"]),
    (
        "a: 1\nno key\nb:2\nc: 3\n",
        &[
            "2:1 syntax: expected `key: value`, and this line has no key",
            "3:2 syntax: the colon after a key is followed by a space, and this one is not",
        ],
    ),
    ("no key\na: 1\n", &["1:1 syntax: expected `key: value`, and this line has no key"]),
    ("a:\n\tb: 1\n\tc: 2\n", &["2:1 tab-indentation: a tab indents this line, and only spaces can"]),
    ("a:\n  b: 1\n  \tc: 2\nd: 1\n", &["3:3 tab-indentation: a tab indents this line, and only spaces can"]),
    ("\ta: 1\n", &["1:1 tab-indentation: a tab indents this line, and only spaces can"]),
    (
        "a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\nc: 3\n",
        &["2:1 conflict-marker: the file holds merge conflict markers: a merge was not finished"],
    ),
    (
        "a: 1\n---\nb: 2\n",
        &["2:1 several-documents: a second YAML document begins here, and only the first is read"],
    ),
    (
        "a: 1\nb: 2\n\"a\": 3\na: 4\n",
        &[
            "3:1 duplicate-key: `a` is set twice in one table",
            "4:1 duplicate-key: `a` is set twice in one table",
        ],
    ),
    (
        "404: x\nnull: a\n1.5: z\ntrue: w\n: v\n",
        &[
            "1:1 non-string-key: a key is a string, and `404` is an integer",
            "2:1 non-string-key: a key is a string, and `null` is null",
            "3:1 non-string-key: a key is a string, and `1.5` is a number with a fraction",
            "4:1 non-string-key: a key is a string, and `true` is a boolean",
            "5:1 non-string-key: a key is a string, and here is none",
        ],
    ),
    ("? [a]\n: b\n", &["1:3 non-string-key: a key is a string, and this one is an array"]),
    (
        "a: &x {b: 1}\nc:\n  <<: *x\n\"<<\": 1\n",
        &["3:3 merge-key: `<<` takes over keys of another mapping, and YAML 1.2 has no such thing"],
    ),
    (
        "a: !thing 1\nb: !!binary aGk=\nc: !!int x\nd: !!seq {}\ne: !!str []\n",
        &[
            "1:4 yaml-tag: a tag asks for a type that a document does not have",
            "2:4 yaml-tag: a tag asks for a type that a document does not have",
            "3:4 yaml-tag: a tag names a type that its value does not have",
            "4:4 yaml-tag: a tag names a type that its value does not have",
            "5:4 yaml-tag: a tag names a type that its value does not have",
        ],
    ),
    (
        "a: .inf\nb: -.INF\nc: .nan\nd: 1e999\n",
        &[
            "1:4 not-finite: `.inf` is not a finite number",
            "2:4 not-finite: `-.INF` is not a finite number",
            "3:4 not-finite: `.nan` is not a finite number",
            "4:4 not-finite: `1e999` is not a finite number",
        ],
    ),
    (
        "a: Reads code with care.\n  Finds: faults, gaps\nb: 1\n",
        &[
            "2:8 unquoted-text: the text of `a` has no quotes, and a colon with a space after it cannot stand in such a text",
        ],
    ),
    (
        "a: Reads\n  Finds: faults\nb: 1\n",
        &[
            "2:8 unquoted-text: the text of `a` has no quotes, and a colon with a space after it cannot stand in such a text",
        ],
    ),
    (
        "a: Mends issue #12 of the list\nb: Asks in #harbor\nc: word #note\nd: a word # a note\ne: 80 #1\nf: Item\t#1\n",
        &[
            "1:16 unquoted-text: the text has no quotes, and ends before this `#`: the rest of the line is a comment",
            "2:12 unquoted-text: the text has no quotes, and ends before this `#`: the rest of the line is a comment",
            "6:9 unquoted-text: the text has no quotes, and ends before this `#`: the rest of the line is a comment",
        ],
    ),
    (
        "a: read\n  - write\n",
        &["2:3 unquoted-text: a line that begins with `- ` is part of the text above it, and no list item"],
    ),
    (
        "a: yes\nb: 0755\nc: 1_000\nd: 22:30\ne: 2026-01-02\nf: 1e3\n",
        &[
            "1:4 yaml-1-1-value: `yes` is text in YAML 1.2, and the boolean `true` to readers of YAML 1.1",
            "2:4 yaml-1-1-value: `0755` is the number `755` in YAML 1.2, and the number `493` to readers of YAML 1.1",
            "3:4 yaml-1-1-value: `1_000` is text in YAML 1.2, and the number `1000` to readers of YAML 1.1",
            "4:4 yaml-1-1-value: `22:30` is text in YAML 1.2, and the number `1350` to readers of YAML 1.1",
            "5:4 yaml-1-1-value: `2026-01-02` is text in YAML 1.2, and a date to readers of YAML 1.1",
            "6:4 yaml-1-1-value: `1e3` is the number `1000` in YAML 1.2, and text to readers of YAML 1.1",
        ],
    ),
    (
        "on: 1\n=: 2\n",
        &[
            "1:1 yaml-1-1-value: `on` is text in YAML 1.2, and the boolean `true` to readers of YAML 1.1",
            "2:1 yaml-1-1-value: `=` is text in YAML 1.2, and a mark with a meaning of its own to readers of YAML 1.1",
        ],
    ),
    (
        "a: 1.10\n",
        &["1:4 lossy-number: `1.10` is read as a number, and loses digits: a version, for example, is text"],
    ),
    ("a: 'yes'\nb: \"1.10\"\nc: |\n  yes\n", &[]),
];

#[test]
fn faults_are_named_at_their_place_and_several_in_one_run() {
    for (text, expected) in FAULTS {
        let document = parse(text);
        assert_eq!(found(&document, text), **expected, "{text}");
        for finding in &document.findings {
            let about = &text[finding.span.start..finding.span.end];
            let missing = finding.rule != &rules::SYNTAX && finding.rule != &rules::UNQUOTED_TEXT;
            assert!(missing || !about.is_empty(), "{text}: {}", finding.message);
        }
        // The same with the line ends of another system, and without the last one.
        let text = text.replace('\n', "\r\n");
        assert_eq!(found(&parse(&text), &text), **expected, "{text:?}");
        let text = text.trim_end();
        assert_eq!(found(&parse(text), text), **expected, "{text:?}");
    }
}

#[test]
fn help_is_the_line_to_write() {
    for (text, expected) in [
        ("description: Use this: that", "put the value in quotes: `description: \"Use this: that\"`"),
        ("  - a: say \"x: y\" # note", "put the value in quotes: `- a: 'say \"x: y\"' # note`"),
        ("a: it's \"x: y\"", "put the value in quotes: `a: \"it's \\\"x: y\\\"\"`"),
        ("a: x: \u{202e}y", "put the value in quotes: `a: \"x: \\u202ey\"`"),
        ("a:\n  one\n  two: three", "write `a: >-`, and leave the lines below as they are"),
        ("a: 'it's'", "put the value in quotes: `a: \"it's\"`"),
        ("a: \"x \"y\" z\"", "put the value in quotes: `a: 'x \"y\" z'`"),
        ("a: \"x\" and \"y\"", "put the value in quotes: `a: '\"x\" and \"y\"'`"),
        ("hint: [a] [b]", "put the value in quotes: `hint: \"[a] [b]\"`"),
        ("a: \"\\d+\"", "a backslash in \"…\" is written \\\\; in '…' it is itself: `a: '\\d+'`"),
        ("a: 1\nb:2", "write `b: 2`"),
        ("\u{feff}a: x: y", "put the value in quotes: `a: \"x: y\"`"),
        ("a: yes", "for the text write \"yes\", for the boolean `true`"),
        ("a: 0755", "for the text write \"0755\", for the number `755`"),
        ("a: 1_000.5", "for the text write \"1_000.5\", for the number `1000.5`"),
        ("a: 1e3", "for the text write \"1e3\", for the number `1000.0`"),
        ("a: 1.10", "for the text write \"1.10\""),
        ("404: x", "write it in quotes: \"404\""),
    ] {
        assert_eq!(help(text), expected, "{text}");
    }
    // A long line is not repeated.
    assert_eq!(help(&format!("a: {}: b", "x".repeat(2_000))), "put the whole value in quotes");
}

#[test]
fn no_message_repeats_a_secret() {
    for text in [
        "api_key: hunter2: more",
        "authToken: hunter2: more",
        "password: a\n  hunter2: b",
        "api_key: @hunter2",
        "token: \"hunter2\" more",
        "token: 'hunter2",
        "password: \"hunter2\\d\"",
        "password: *hunter2",
        "api_key:hunter2\nb: 1",
        "b: 1\napi_key:hunter2",
        "note: ghp_0123456789abcdefABCDEF0123456789abcd: x",
    ] {
        for finding in parse(text).findings {
            let said = format!("{finding:?}");
            assert!(!said.contains("hunter2") && !said.contains("ghp_"), "{text}: {said}");
        }
    }
    assert!(help("author: Jo: x").contains("Jo: x") && help("keywords: a: b").contains("a: b"));
    let said = format!("{:?}", parse("password: 0777\npassword: 0777\n").findings);
    assert!(!said.contains("0777") && !said.contains("511"), "{said}");
}

/// The text at the span of every value and key.
fn spans<'t>(node: &Node, text: &'t str, out: &mut Vec<&'t str>) {
    out.push(&text[node.span.start..node.span.end]);
    match &node.kind {
        Kind::Array(items) => items.iter().for_each(|item| spans(item, text, out)),
        Kind::Table(table) => {
            for entry in &table.entries {
                out.push(&text[entry.key_span.start..entry.key_span.end]);
                spans(&entry.node, text, out);
            }
        }
        _ => {}
    }
}

#[test]
fn every_value_has_the_place_of_its_text() {
    let text = "\u{feff}# ä\r\nclé: \"ü\"\r\nlist:\r\n  - 1\r\n  - {x: ~}\r\ntext: |\r\n  one\r\n  two\r\n\r\nlast:\r\nsame: *none\r\n";
    let document = parse(text);
    let mut found = Vec::new();
    spans(&document.root.expect("a tree"), text, &mut found);
    assert_eq!(
        found[1..],
        [
            "clé",
            "\"ü\"",
            "list",
            "- 1\r\n  - {x: ~}",
            "1",
            "{x: ~}",
            "x",
            "~",
            "text",
            "one\r\n  two",
            "last",
            "",
            "same",
            "*none",
        ]
    );
    assert!(found[0].starts_with("clé") && found[0].ends_with("*none"));
    let text = "a: &x {b: yes}\nc: *x\n";
    let mut found = Vec::new();
    spans(&parse(text).root.expect("a tree"), text, &mut found);
    assert_eq!(found[5..], ["c", "{b: yes}", "b", "yes"], "an alias has the place of what it repeats");
}

#[test]
fn what_a_fault_leaves_readable_is_read() {
    for (text, expected) in [
        ("a: b: c\nd: 1\n", r#"{"a":"b: c","d":1}"#),
        ("a:\n  b\n  c: d\ne: 1\n", r#"{"a":"b c: d","e":1}"#),
        ("a: \"open\n  goes on\nb: 1\n", r#"{"a":"\"open goes on","b":1}"#),
        ("a:\n  b: [1,\n  c\nd: 1\n", r#"{"d":1}"#),
        ("a:\n\tb:\n\t\tc: 1\n", r#"{"a":{"b":{"c":1}}}"#),
        ("a: 1\nb\nc: 2\n", r#"{"a":1,"c":2}"#),
        ("a:\nb: 1\nc\nd: 2\ne:\n", r#"{"a":null,"b":1,"d":2,"e":null}"#),
        ("- a\n- \"b\\q\"\n- c: d\n", r#"["a","b\\q",{"c":"d"}]"#),
        // The null that is put in begins where the text before it ends.
        ("\"a\\q\":\nb: 1\n", r#"{"a\\q":null,"b":1}"#),
        ("{\"a\\q\", b: 1}\n", r#"{"a\\q":null,"b":1}"#),
    ] {
        let document = parse(text);
        assert!(document.damaged, "{text}");
        assert_eq!(document.findings.len(), 1, "{text}: {:?}", document.findings);
        assert_eq!(json(text), expected, "{text}");
    }
    let many = "a: b: c\n".repeat(50);
    assert_eq!(parse(&many).findings.iter().filter(|f| f.rule == &rules::UNQUOTED_TEXT).count(), MAX_FAULTS);
}

#[test]
fn a_type_settles_what_a_number_or_text_is() {
    #[derive(Debug)]
    struct Price(#[expect(dead_code, reason = "only read")] f64);
    impl Read for Price {
        fn read<'t>(node: &'t Node, reader: &mut crate::Reader<'t>) -> Option<Self> {
            reader.number(node).map(Self)
        }
    }
    let reading = read::<Price>("2.50");
    assert_eq!(reading.findings, [], "a price may end with a zero");
    let reading = read::<String>("1.10");
    let [finding] = &reading.findings[..] else { panic!("{:?}", reading.findings) };
    assert_eq!(finding.rule, &rules::WRONG_TYPE);
    assert_eq!(finding.help.as_deref(), Some("for the text write \"1.10\""));
    let reading = read::<bool>("yes");
    let [finding] = &reading.findings[..] else { panic!("{:?}", reading.findings) };
    assert_eq!(finding.help.as_deref(), Some("write true, without quotes"));
    let reading = read::<String>("yes");
    assert_eq!(reading.value.as_deref(), Some("yes"));
    assert_eq!(reading.findings.len(), 1);
    assert_eq!(reading.findings[0].severity, Severity::Warning);
}

/// A text that must end quickly, with a finding of a rule.
fn ends(name: &str, text: &str, rule: &'static crate::Rule) {
    let start = Instant::now();
    let document = parse(text);
    let took = start.elapsed();
    assert!(
        document.findings.iter().any(|finding| finding.rule == rule),
        "{name}: {:?}",
        document.findings.first()
    );
    assert!(document.damaged, "{name}");
    assert!(took < Duration::from_secs(20), "{name} took {took:?}");
}

fn numbered(numbers: std::ops::Range<usize>, line: impl Fn(usize) -> String) -> String {
    numbers.map(line).collect::<Vec<_>>().concat()
}

#[test]
fn bombs_end_quickly_with_a_clear_finding() {
    ends("dashes", &"- ".repeat(300_000), &rules::TOO_DEEP);
    ends("flow lists", &"[".repeat(300_000), &rules::TOO_DEEP);
    ends("flow tables", &"{a: ".repeat(10_000), &rules::TOO_DEEP);
    ends("closed lists", &format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)), &rules::TOO_DEEP);
    let steps = numbered(0..1_000, |depth| format!("{}a:\n", " ".repeat(depth)));
    ends("steps", &steps, &rules::TOO_DEEP);
    let half = MAX_DEPTH / 2;
    let mixed = format!("{}{}{}", "- ".repeat(half + 1), "[".repeat(half), "]".repeat(half));
    ends("mixed", &mixed, &rules::TOO_DEEP);
    let fits = format!("{}1{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
    assert_eq!(parse(&fits).findings, []);
    assert!(parse(&"x".repeat(MAX_BYTES + 1)).findings.iter().any(|f| f.rule == &rules::TOO_LARGE));

    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        let _ = writeln!(laughs, "a{level}: &a{level} [{aliases}]");
    }
    ends("laughs", &laughs, &rules::ALIAS_BUDGET);
    let budget = parse(&laughs).findings;
    assert_eq!(budget.iter().filter(|finding| finding.rule == &rules::ALIAS_BUDGET).count(), 1);
    let mut tables = "a0: &a0 {x: 1, y: 2, z: 3}\n".to_owned();
    for level in 1..20 {
        let below = level - 1;
        let _ = writeln!(tables, "a{level}: &a{level} {{x: *a{below}, y: *a{below}, z: *a{below}}}");
    }
    ends("laughs in tables", &tables, &rules::ALIAS_BUDGET);
    let text = format!("a: &a \"{}\"\nb: [{}]\n", "x".repeat(500_000), vec!["*a"; 5_000].join(", "));
    ends("long text", &text, &rules::ALIAS_BUDGET);
    let nested = numbered(1..100, |level| format!("a{level}: &a{level} [*a{}]\n", level - 1));
    let nested = format!("a0: &a0 {}{}\n{nested}", "[".repeat(100), "]".repeat(100));
    ends("deep aliases", &nested, &rules::TOO_DEEP);
    let used = numbered(0..9_000, |number| format!("- &a{number} x\n- *a{number}\n"));
    assert_eq!(parse(&used).findings, [], "as many aliases as the budget allows");

    let keys = numbered(0..20_000, |number| format!("k{number}: yes\n"));
    ends("warnings", &format!("{keys}x: y: z\n"), &rules::TOO_MANY_FINDINGS);
    let worst = |text: &str| {
        let findings = parse(text).findings;
        assert_eq!(findings.len(), 1_001);
        findings.last().map(|finding| (finding.rule.name, finding.severity))
    };
    assert_eq!(worst(&keys), Some(("too-many-findings", Severity::Warning)), "what is not shown is no error");
    let shown = parse(&format!("{keys}x: .inf\n")).findings;
    let errors: Vec<_> = shown.iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert_eq!((shown.len(), errors.len()), (1_001, 1), "an error is shown for all that");
    assert_eq!(errors[0].rule, &rules::NOT_FINITE);
    let broken = numbered(0..2_000, |number| format!("n{number}: .inf\n"));
    assert_eq!(worst(&format!("{keys}{broken}")), Some(("too-many-findings", Severity::Error)));
}

/// Strings that one reader or another takes for something else.
const TRICKY: &[&str] = &[
    "",
    " ",
    "a",
    "a b",
    "yes",
    "No",
    "y",
    "null",
    "~",
    "true",
    "1",
    "1.10",
    "0755",
    "0o17",
    "1_000",
    "22:30",
    "1e3",
    ".inf",
    "2026-01-02",
    "=",
    "<<",
    "-",
    "- a",
    "?",
    "? a",
    ":",
    "a: b",
    "a:",
    "a #b",
    "a#b",
    "#",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "'a'",
    "\"a\"",
    "%a",
    "@a",
    "`a`",
    "[a]",
    "{a}",
    ",",
    "---",
    "...",
    "--- a",
    "a\\b",
    " a",
    "a ",
    "\ta",
    "a\tb",
    "a\nb",
    "a\nb\n",
    "a\n\nb\n\n\n",
    "\n",
    "\n\n",
    "\na",
    " a\nb",
    "a\n b\n",
    "a\n \nb",
    "a\n\tb",
    "a \nb",
    "a\r\nb",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "a\u{202e}b",
    "\u{0}",
    "\u{7f}",
    "😀",
    "été",
    "a\u{a0}b",
    "https://a.example/b?c=d#e",
    "a\n---\nb",
    "# not a comment\nx",
    "\u{fffe}",
    "key: value\nother: value\n",
];

#[test]
fn tricky_strings_read_the_same() {
    for &text in TRICKY {
        for value in [
            Value::String(text.to_owned()),
            Value::Array(vec![
                Value::String(text.to_owned()),
                Value::Array(vec![Value::String(text.to_owned())]),
            ]),
            Value::Table(IndexMap::from_iter([(
                text.to_owned(),
                Value::Table(IndexMap::from_iter([(text.to_owned(), Value::String(text.to_owned()))])),
            )])),
        ] {
            round_trip(&value);
        }
    }
}

#[test]
fn values_are_written_in_blocks() {
    let value = Value::Table(IndexMap::from_iter([
        ("name".to_owned(), Value::String("plain text".to_owned())),
        ("version".to_owned(), Value::String("1.10".to_owned())),
        ("on".to_owned(), Value::Bool(true)),
        ("released".to_owned(), Value::Datetime(Datetime("2026-01-02".to_owned()))),
        ("ratio".to_owned(), Value::Float(1e-7)),
        ("large".to_owned(), Value::Float(1e300)),
        ("whole".to_owned(), Value::Float(2.0)),
        ("text".to_owned(), Value::String("one\n\n  two\n".to_owned())),
        ("stripped".to_owned(), Value::String("one\ntwo".to_owned())),
        ("nothing".to_owned(), Value::Null),
        ("empty".to_owned(), Value::Array(vec![Value::Array(vec![]), Value::Table(IndexMap::new())])),
        (
            "list".to_owned(),
            Value::Array(vec![
                Value::Integer(1),
                Value::Table(IndexMap::from_iter([
                    ("a".to_owned(), Value::Integer(2)),
                    ("b".to_owned(), Value::Array(vec![Value::Integer(3)])),
                ])),
                Value::Array(vec![Value::Integer(4), Value::Integer(5)]),
            ]),
        ),
    ]));
    assert_eq!(
        to_string(&value).expect("YAML"),
        "name: plain text\nversion: \"1.10\"\n\"on\": true\nreleased: \"2026-01-02\"\nratio: 1.0e-7\nlarge: 1.0e+300\n\
         whole: 2.0\ntext: |\n  one\n\n    two\nstripped: |-\n  one\n  two\nnothing: null\nempty:\n  - []\n  - {}\n\
         list:\n  - 1\n  - a: 2\n    b:\n      - 3\n  - - 4\n    - 5\n"
    );
    assert!(to_string(&f64::NAN).is_err());
    for (length, begins) in [(1_000, "k"), (1_001, "? k")] {
        let key = "k".repeat(length);
        let text = to_string(&Value::Table(IndexMap::from_iter([(key, Value::Null)]))).expect("YAML");
        assert!(text.starts_with(begins), "{length}");
    }
    let long = "k".repeat(5_000);
    round_trip(&Value::Table(IndexMap::from_iter([
        (
            long.clone(),
            Value::Table(IndexMap::from_iter([(long.clone(), Value::Array(vec![Value::Integer(1)]))])),
        ),
        (format!("{long} "), Value::Null),
    ])));
}

/// Written and read again, a value is the same, and nothing is found.
fn round_trip(value: &Value) {
    let text = to_string(value).expect("YAML");
    let document = parse(&text);
    assert_eq!(document.findings, [], "{text}");
    assert_eq!(&Value::from(&document.root.expect("a tree")), value, "{text}");
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z]{1,8}( [a-z]{1,8}){0,3}",
        "[-+.0-9_:eExob ]{1,10}",
        "[ \\t\\n\\r#:'\"\\\\|>&*!%@{}\\[\\],?~a-]{0,12}",
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        prop_oneof![any::<i128>(), Just(i128::MIN)].prop_map(Value::Integer),
        any::<i16>().prop_map(|number| Value::Integer(number.into())),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::Float),
        any_text().prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((any_text(), inner), 0..4)
                .prop_map(|entries| Value::Table(entries.into_iter().collect())),
        ]
    })
}

/// Text that is nearly YAML.
fn nearly_yaml() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n".to_owned()),
        Just("\n  ".to_owned()),
        Just("\r\n".to_owned()),
        Just("\n\t".to_owned()),
        Just(": ".to_owned()),
        Just("- ".to_owned()),
        Just("---\n".to_owned()),
        Just("<<<<<<< a\n".to_owned()),
        Just("=======\n".to_owned()),
        Just("&a ".to_owned()),
        Just("*a".to_owned()),
        Just("!!int ".to_owned()),
        Just("é\u{feff}😀".to_owned()),
        "[\\[\\]{},:?#&*!|>'\"%@`\\\\ ~<=-]",
        "[a-z0-9.]{1,4}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn what_is_written_reads_the_same(value in any_value()) {
        let text = to_string(&value).expect("YAML");
        let document = parse(&text);
        prop_assert_eq!(&document.findings, &[], "{}", text);
        prop_assert_eq!(Value::from(&document.root.expect("a tree")), value, "{}", text);
    }

    #[test]
    fn any_text_ends_in_a_tree_or_a_finding(text in nearly_yaml()) {
        let document = parse(&text);
        prop_assert!(document.root.is_some() || !document.findings.is_empty());
        for finding in &document.findings {
            for span in std::iter::once(finding.span).chain(finding.related.iter().map(|label| label.span)) {
                prop_assert!(text.get(span.start..span.end).is_some(), "{:?} in {:?}", finding, text);
            }
        }
        if let Some(root) = &document.root {
            let mut found = Vec::new();
            spans(root, &text, &mut found);
            let _ = read_root::<String>(root);
        }
    }

    #[test]
    fn json_is_yaml_and_reads_the_same(value in any_value()) {
        let text = serde_json::to_string(&value).expect("JSON");
        let (ours, theirs) = (parse(&text), crate::json::parse(&text));
        if theirs.findings.is_empty() && ours.findings.iter().all(|finding| finding.severity < Severity::Error) {
            prop_assert_eq!(Value::from(&ours.root.expect("a tree")), Value::from(&theirs.root.expect("a tree")));
        }
    }
}
