//! Reading small documents into small types: what is found, where, and what is kept.

use agentry_macros::document;
use agentry_text::{
    AtMost, Condition, Extra, Finding, Map, Mode, Nullable, OrEmpty, Read, Reading, Severity, Span, Unique,
    UniqueBy, Value, When, count_type, number_type, options, read_document, rules, shown_text_type, tagged,
    text_type, toml,
};

/// A shop.
#[document(conditions(PAID))]
pub struct Shop {
    /// Its name.
    pub name: Word,
    /// Its rating.
    #[key(default = Rating::new(1.0).expect("within bounds"))]
    pub rating: Option<Rating>,
    /// Its size.
    #[key(legacy("area"))]
    pub size: Option<Size>,
    /// How it is paid for.
    mode: Option<Mode_>,
    /// Its account.
    account: Option<Word>,
    /// Its shelves.
    pub shelves: Option<Unique<Shelf>>,
    /// Its owner.
    pub owner: Option<Owner>,
    /// Its doors.
    pub doors: Option<Map<Word, Door>>,
    /// Its web page.
    pub page: Option<OrEmpty<Word>>,
    /// Notes.
    pub notes: Option<Notes>,
    /// A secret.
    pub pin: Option<Pin>,
    /// The rest.
    #[serde(flatten)]
    pub extra: Extra,
}

const PAID: Condition = Condition::Requires {
    when: When { path: &["mode"], is: &["paid"], or_absent: false },
    keys: &["account"],
    why: "it is paid for",
};

/// A shelf.
#[document]
pub struct Shelf {
    /// Its label.
    pub label: Word,
    /// Its height.
    pub height: Size,
    /// The rest.
    #[serde(flatten)]
    pub extra: Extra,
}

impl UniqueBy for Shelf {
    const KEY: &'static str = "label";

    fn unique_value(&self) -> &str {
        self.label.as_str()
    }
}

/// An owner, closed.
#[document]
pub struct Owner {
    /// First name.
    pub first: Word,
    /// Nick name.
    pub nickname: Option<Word>,
}

/// Notes, with any keys.
#[document(any_keys)]
pub struct Notes {
    /// The first note.
    pub first: Option<Word>,
    /// The others.
    #[serde(flatten)]
    pub extra: Extra,
}

tagged! {
    /// A door.
    pub enum Door by "kind" {
        /// It swings.
        Swing(Swing) = "swing",
        /// It slides.
        Slide(Slide) = "slide",
    }
}

/// A swinging door.
#[document]
pub struct Swing {
    /// Its hinge.
    pub hinge: Word,
    /// The rest.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A sliding door.
#[document]
pub struct Slide {
    /// Its rail.
    pub rail: Size,
    /// The rest.
    #[serde(flatten)]
    pub extra: Extra,
}

shown_text_type! {
    /// A word.
    pub struct Word {
        pattern: r"^[a-z]+$",
        form: "a word: lowercase letters",
        example: "corner",
    }
}

text_type! {
    /// A pin.
    pub struct Pin {
        pattern: r"^[0-9]{4}$",
        form: "a pin: four digits",
        example: "",
        secret: true,
    }
}

count_type! {
    /// A size.
    pub struct Size(u64) {
        form: "a size",
        minimum: 1,
        maximum: 1_000,
    }
}

number_type! {
    /// A rating.
    pub struct Rating {
        form: "a rating",
        minimum: 0.0,
        maximum: 5.0,
    }
}

options! {
    /// How it is paid for.
    pub enum Mode_ {
        /// Not at all.
        Free = "free" from "specification" legacy "gratis",
        /// By the month.
        Paid = "paid" from "specification",
    }
}

fn read(text: &str, mode: Mode) -> Reading<Shop> {
    read_document(&toml::parse(text), mode)
}

/// `severity rule pointer @line:column` of every finding.
fn found(reading: &Reading<Shop>, text: &str) -> Vec<String> {
    let lines = agentry_text::Lines::new(text);
    reading
        .findings
        .iter()
        .map(|finding| {
            let at = lines.position(finding.span.start);
            let severity = finding.severity.name();
            format!("{severity} {} {} @{}:{}", finding.rule.name, finding.pointer, at.line, at.column)
        })
        .collect()
}

#[test]
fn every_fault_is_found_at_its_place() {
    let cases: &[(&str, &[&str])] = &[
        ("name = \"corner\"", &[]),
        ("title = 1", &["warning unknown-key  @1:1", "error missing-key  @1:1"]),
        ("name = \"Corner\"", &["error invalid-value /name @1:8"]),
        ("name = 7", &["error wrong-type /name @1:8"]),
        ("name = \"a\"\nname = \"b\"", &["error duplicate-key /name @2:1"]),
        ("name = \"a\"\nrating = nan", &["error not-finite /rating @2:10"]),
        ("name = \"a\"\nrating = 5.5", &["error invalid-value /rating @2:10"]),
        ("name = \"a\"\nrating = 5", &[]),
        ("name = \"a\"\nsize = 0", &["error invalid-value /size @2:8"]),
        ("name = \"a\"\nsize = 3.0", &["warning whole-number /size @2:8"]),
        ("name = \"a\"\nsize = 3.5", &["error wrong-type /size @2:8"]),
        ("name = \"a\"\narea = 3", &["warning legacy-name /area @2:1"]),
        ("name = \"a\"\narea = 3\nsize = 3", &["error conflicting-keys /size @3:1"]),
        ("name = \"a\"\nmode = \"gratis\"", &["warning legacy-name /mode @2:8"]),
        ("name = \"a\"\nmode = \"later\"", &["error unknown-option /mode @2:8"]),
        ("name = \"a\"\nmode = \"paid\"", &["error missing-key  @1:1"]),
        ("name = \"a\"\nmode = \"paid\"\naccount = \"b\"", &[]),
        ("name = \"a\"\npage = \"\"", &["warning empty-value /page @2:8"]),
        ("name = \"a\"\nowner = { first = \"b\", last = \"c\" }", &["error unknown-key /owner @2:24"]),
        ("name = \"a\"\n[owner]\nfirst = \"b\"\nsize = 3", &["error misplaced-key /owner @4:1"]),
        ("name = \"a\"\n[notes]\nnickname = 1\nanything = 2", &[]),
        ("name = \"a\"\n[notes]\nsize = 3", &["warning misplaced-key /notes @3:1"]),
        ("name = \"a\"\nnickname = \"b\"", &["warning misplaced-key  @2:1"]),
        (
            "name = \"a\"\n[[shelves]]\nlabel = \"b\"\nheight = 1\nnickname = \"b\"",
            &["warning misplaced-key /shelves/0 @5:1"],
        ),
        (
            "name = \"a\"\nshelves = [{ label = \"b\", height = 1 }, { label = \"b\", height = 2 }]",
            &["error duplicate-entry /shelves/1/label @2:51"],
        ),
        ("name = \"a\"\n[doors.front]\nhinge = \"b\"", &["error missing-key /doors/front @2:1"]),
        ("name = \"a\"\n[doors.front]\nkind = \"spin\"", &["error unknown-option /doors/front/kind @3:8"]),
        (
            "name = \"a\"\n[doors.front]\nkind = \"slide\"\nrail = 0",
            &["error invalid-value /doors/front/rail @4:8"],
        ),
        (
            "name = \"a\"\n[doors.front]\nkind = \"slide\"\nrail = 1\nhinge = \"b\"",
            &["warning unknown-key /doors/front @5:1"],
        ),
        ("name = \"a\"\n[doors]\nsize = 3", &["error wrong-type /doors/size @3:8"]),
        (
            "name = \"a\"\n[doors.Front]\nkind = \"slide\"\nrail = 1",
            &["error invalid-value /doors/Front @2:8"],
        ),
        ("\"$schema\" = \"x\"\nname = \"a\"", &[]),
        ("\"$schema\" = 1\nname = \"a\"", &["error wrong-type /$schema @1:13"]),
    ];
    for (text, expected) in cases {
        let reading = read(text, Mode::Strict);
        assert_eq!(found(&reading, text), *expected, "\n{text}\n{:#?}", reading.findings);
        let valid = !expected.iter().any(|finding| finding.starts_with("error"));
        assert_eq!(reading.value.is_some(), valid, "a value exactly where there is no error: {text}");
    }
}

#[test]
fn one_broken_entry_hides_nothing_else() {
    let text = "name = 1\nrating = \"x\"\n[[shelves]]\nlabel = 2\nheight = 0\nhight = 3\n[owner]\n";
    let reading = read(text, Mode::Strict);
    assert_eq!(
        found(&reading, text),
        [
            "error wrong-type /name @1:8",
            "error wrong-type /rating @2:10",
            "error wrong-type /shelves/0/label @4:9",
            "error invalid-value /shelves/0/height @5:10",
            "warning unknown-key /shelves/0 @6:1",
            "error missing-key /owner @7:1",
        ]
    );
}

#[test]
fn messages_say_what_to_write() {
    let cases = [
        ("name = \"a\"\nsize = \"1_0\"", "write 10, without quotes"),
        ("name = 2026-01-02", "write it in quotes: \"2026-01-02\""),
        ("name = \"a\"\nraitng = 1", "did you mean `rating`?"),
        (
            "name = \"a\"\n[owner]\nfirst = \"b\"\nsize = 3",
            "it is a key of the document itself: move it above the first table header",
        ),
        ("name = \"a\"\n[doors]\nsize = 3", "it is a key of the document itself: move it above `[doors]`"),
        ("name = \"a\"\nmode = \"piad\"", "did you mean `paid`? The options are `free` and `paid`"),
        (
            "name = \"a\"\n[doors.x]\n",
            "it is one of `swing` and `slide`, and decides which other keys there are",
        ),
        (
            "name = \"a\"\n[shelves]\nlabel = \"b\"",
            "in TOML, write the header with double brackets: `[[shelves]]`",
        ),
        (
            "name = \"a\"\n[[owner]]\nfirst = \"b\"",
            "in TOML, write the header with single brackets: `[owner]`",
        ),
        (
            "name = \"a\"\n[owner]\nfirst = \"b\"\n[[owner.shelves]]\nlabel = \"x\"",
            "write its headers as `[[shelves]]`: it does not belong to `owner`",
        ),
        ("nmae = \"a\"", "is it there as `nmae`?"),
    ];
    for (text, help) in cases {
        let helps: Vec<_> =
            read(text, Mode::Strict).findings.into_iter().filter_map(|finding| finding.help).collect();
        assert!(helps.iter().any(|found| found == help), "{text}\nwanted {help:?} in {helps:#?}");
    }
}

/// A gate.
#[document]
pub struct Gate {
    /// What closes it.
    pub door: Door,
}

#[test]
fn what_lacks_a_key_is_named() {
    for (text, expected) in [
        ("size = 1", "the document lacks the required key `name`"),
        ("name = \"a\"\n[doors.front]\nkind = \"swing\"", "`[doors.front]` lacks the required key `hinge`"),
    ] {
        let findings = read(text, Mode::Strict).findings;
        let messages: Vec<_> = findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, [expected], "{text}");
    }
}

#[test]
fn a_missing_table_is_named_with_its_kinds() {
    for (document, help) in [
        (toml::parse("x = 1"), "add `[door]`, whose `kind` is one of `swing` and `slide`"),
        (agentry_text::json::parse("{}"), "add `door`, whose `kind` is one of `swing` and `slide`"),
    ] {
        let findings = read_document::<Gate>(&document, Mode::Strict).findings;
        let missing = findings.iter().find(|finding| finding.rule.name == "missing-key").expect("a finding");
        assert_eq!(missing.help.as_deref(), Some(help));
    }
}

#[test]
fn other_formats_have_no_headers() {
    for (text, help) in [
        ("name: a\nowner:\n  first: b\n  size: 3\n", "it is a key of the document itself: move it there"),
        ("name: a\nshelves:\n  label: b\n", "write a list of tables, also where it has one item only"),
        ("name: a\nshelves: b\n", "write a list in its place, also where it has one item only"),
        (
            "name: a\nowner:\n- first: b\n",
            "write a table in its place: keys, each with a value, and no list around them",
        ),
        ("name: a\nshelves: [~]\n", "delete the item: null is not a value here"),
    ] {
        let findings = read_document::<Shop>(&agentry_text::yaml::parse(text), Mode::Strict).findings;
        let helps: Vec<_> = findings.iter().filter_map(|finding| finding.help.as_deref()).collect();
        assert!(helps.contains(&help), "{text}\nwanted {help:?} in {helps:#?}");
        for finding in &findings {
            let said = format!("{} {:?} {:?}", finding.message, finding.help, finding.related);
            assert!(!said.contains("TOML") && !said.contains("`[") && !said.contains("header"), "{said}");
        }
    }
}

#[test]
fn a_key_that_is_where_it_belongs_is_not_misplaced_a_second_time() {
    let text = "name = \"a\"\nsize = 1\n[owner]\nfirst = \"b\"\nsize = 3";
    let findings = read(text, Mode::Strict).findings;
    let rules: Vec<_> = findings.iter().map(|finding| finding.rule.name).collect();
    assert_eq!(rules, ["unknown-key"], "{text}");
    assert!(findings[0].help.as_deref().is_some_and(|help| help.starts_with("the known keys here are")));
}

#[test]
fn no_help_changes_what_is_meant() {
    for text in [
        "name = \"a\"\nsize = \"1,5\"",
        "name = \"a\"\nsize = \"1.5\"",
        "name = \"a\"\nsize = \"007\"",
        "name = 1.10",
    ] {
        let findings = read(text, Mode::Strict).findings;
        let helps: Vec<_> = findings.iter().filter_map(|finding| finding.help.as_deref()).collect();
        assert!(helps.iter().all(|help| !help.contains(char::is_numeric)), "{text}: {helps:?}");
    }
    // A value that is no TOML is one fault, and nothing is said of what it may have been.
    for text in ["name = 1.2.3", "name = null", "name = 07", "name = 0xZZ"] {
        let rules: Vec<_> =
            read(text, Mode::Strict).findings.iter().map(|finding| finding.rule.name).collect();
        assert!(rules.iter().all(|rule| *rule == "syntax"), "{text}: {rules:?}");
    }
}

#[test]
fn a_swallowed_key_shows_the_table_that_took_it() {
    let text = "name = \"a\"\n[owner]\nfirst = \"b\"\nsize = 3";
    let finding = read(text, Mode::Strict).findings.remove(0);
    assert_eq!(finding.message, "`size` ended up inside `[owner]`");
    assert_eq!(&text[finding.related[0].span.start..finding.related[0].span.end], "[owner]");
}

#[test]
fn the_tolerant_reading_loses_an_entry_and_not_the_file() {
    let text = "name = \"a\"\nmode = \"later\"\n[[shelves]]\nlabel = \"b\"\n[[shelves]]\nlabel = \"c\"\nheight = 2\n\
                [doors.front]\nkind = \"spin\"\n[doors.back]\nkind = \"slide\"\nrail = 2\n";
    let reading = read(text, Mode::Tolerant);
    assert_eq!(
        found(&reading, text),
        [
            "warning unknown-option /mode @2:8",
            "error missing-key /shelves/0 @3:1",
            "error unknown-option /doors/front/kind @9:8",
        ]
    );
    let shop = reading.value.expect("the rest can be read");
    assert_eq!(shop.mode.as_ref().map(Mode_::as_str), Some("later"));
    assert_eq!(shop.shelves.as_ref().map(|shelves| shelves.len()), Some(1));
    assert_eq!(shop.doors.as_ref().map(|doors| doors.len()), Some(1));
    let written = toml::to_string(&shop).expect("it can be written");
    assert!(written.contains("mode = \"later\""), "an option of a newer version is written back: {written}");
}

/// One row for each row of the table in `crates/README.md`, "Strict and tolerant": what is found, and what is left.
#[test]
fn each_fault_costs_what_the_tolerant_reading_says() {
    let shelf = |label: &str| format!("[[shelves]]\nlabel = \"{label}\"\nheight = 2\n");
    let rows: [(&str, String, &[&str], Option<&str>); 7] = [
        (
            "an unlisted option",
            "mode = \"later\"".to_owned(),
            &["warning unknown-option /mode @2:8"],
            Some("mode"),
        ),
        ("an unknown key", "later = 1".to_owned(), &["warning unknown-key  @2:1"], Some("later")),
        (
            "an unreadable entry",
            shelf("a") + "[[shelves]]\nlabel = \"b\"",
            &["error missing-key /shelves/1 @5:1"],
            Some("shelves/1"),
        ),
        (
            "a repeated entry",
            shelf("a") + &shelf("b") + &shelf("a"),
            &["error duplicate-entry /shelves/2/label @9:9"],
            Some("shelves/2"),
        ),
        (
            "a tag that names no table",
            "[doors.front]\nkind = \"spin\"\n[doors.back]\nkind = \"slide\"\nrail = 2".to_owned(),
            &["error unknown-option /doors/front/kind @3:8"],
            Some("doors/1"),
        ),
        (
            "a value in a list of tables that is none",
            "shelves = [1]".to_owned(),
            &["error wrong-type /shelves/0 @2:12"],
            None,
        ),
        ("a value of the wrong type", "size = \"4\"".to_owned(), &["error wrong-type /size @2:8"], None),
    ];
    for (what, rest, wanted, left) in rows {
        let text = format!("name = \"a\"\n{rest}\n");
        let reading = read(&text, Mode::Tolerant);
        assert_eq!(found(&reading, &text), wanted, "{what}");
        let value = reading.value.map(|shop| serde_json::to_value(&shop).expect("it can be written"));
        match (left, value) {
            (None, value) => assert_eq!(value, None, "{what}"),
            (Some(left), Some(value)) => match left.split_once('/') {
                Some((list, count)) => {
                    let length = value[list]
                        .as_array()
                        .map(Vec::len)
                        .or(value[list].as_object().map(serde_json::Map::len));
                    assert_eq!(length.map(|length| length.to_string()).as_deref(), Some(count), "{what}");
                }
                None => assert!(value.get(left).is_some(), "{what}: it is written back"),
            },
            (Some(_), None) => panic!("{what} costs the document"),
        }
        assert_eq!(
            read(&text, Mode::Strict).is_valid(),
            wanted.iter().all(|found| found.starts_with("warning unknown-key")),
            "{what}"
        );
    }
}

#[test]
fn unknown_keys_and_dates_survive_reading_and_writing() {
    let text =
        "name = \"a\"\nwhen = 2026-01-02T03:04:05Z\nlist = [1, 2.5, [true]]\n[deep.er]\nx = { y = \"z\" }\n";
    let shop: Shop = toml::from_str(text).expect("it is valid");
    assert!(matches!(shop.extra["when"], Value::Datetime(_)));
    let written = toml::to_string(&shop).expect("it can be written");
    let again: Shop = toml::from_str(&written).expect("it is valid");
    assert_eq!(shop, again, "{written}");
    let json = serde_json::to_value(&shop).expect("it can be written as JSON");
    assert_eq!(json["when"], "2026-01-02T03:04:05Z");
    let other: Shop = ::serde_json::from_value(json).expect("any serde front end reads it the same");
    assert_eq!(other.name, shop.name);
}

#[test]
fn serde_front_ends_read_as_strictly() {
    for (json, message) in [
        (r#"{"name": "a", "rating": null}"#, "null"),
        (r#"{"name": "a", "mode": "later"}"#, "not one of the options"),
        (r#"["a"]"#, "expected a table, found an array"),
        (r#"{"name": "a", "name": "b"}"#, "twice"),
        (r#"{"name": "a", "mode": "paid"}"#, "`account`"),
    ] {
        let error = serde_json::from_str::<Shop>(json).expect_err(json).to_string();
        assert!(error.contains(message), "{json}: {error}");
    }
}

#[test]
fn errors_name_the_place() {
    let error = toml::from_str::<Shop>("name = \"a\"\nsize = 0\nrating = 9").expect_err("two errors");
    assert_eq!(
        error.to_string(),
        "line 2, column 8: 0 is not a size; write a number that is between 1 and 1000 (and 1 more)"
    );
    assert_eq!(error.findings().len(), 2);
}

#[test]
fn secrets_are_not_shown() {
    let shop: Shop = toml::from_str("name = \"a\"\npin = \"4711\"").expect("it is valid");
    assert!(!format!("{shop:?}").contains("4711"));
    let text = "name = \"a\"\npin = \"hunter\"";
    let reading = read(text, Mode::Strict);
    assert!(!format!("{:?}", reading.findings).contains("hunter"));
    assert_eq!(reading.secrets.len(), 1);
    assert_eq!(&text[reading.secrets[0].start..reading.secrets[0].end], "\"hunter\"");
}

#[test]
fn accessors_give_defaults_and_setters_keep_conditions() {
    let shop = Shop::new(Word::new("corner").expect("a word"));
    assert_eq!(shop.rating().get().to_bits(), 1.0_f64.to_bits());
    assert_eq!(shop.rating, None);
    let shop = shop.with_size(Size::new(4).expect("a size"));
    assert_eq!(shop.size.map(Size::get), Some(4));
}

#[test]
fn hostile_text_ends_in_findings() {
    let deep_arrays = format!("name = {}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_tables = format!("[{}]\nx = 1", vec!["a"; 10_000].join("."));
    let deep_inline = format!("name = {}1{}", "{ a = ".repeat(10_000), " }".repeat(10_000));
    let deep_twice = format!("{deep_tables}\n[b{}]\nx = 1", &deep_tables[2..deep_tables.len() - 7]);
    for text in [&deep_arrays, &deep_tables, &deep_inline, &deep_twice] {
        let reading = read(text, Mode::Strict);
        assert!(
            reading.findings.iter().filter(|finding| finding.rule.name == "too-deep").count() == 1,
            "{}…: {:?}",
            &text[..20],
            reading.findings
        );
        assert!(reading.value.is_none());
    }
    for text in [
        "",
        "# nothing\n",
        "\u{feff}",
        "\0",
        "= 1",
        "[",
        "name = \"",
        "name = '''",
        "name = \"a\"\na.b = 1\na = 2",
        "name = 9223372036854775808",
    ] {
        let reading = read(text, Mode::Strict);
        assert!(reading.value.is_none(), "{text:?}");
        assert!(reading.findings.iter().any(|finding| finding.severity == Severity::Error), "{text:?}");
        assert!(
            !reading.findings.iter().any(|finding| finding.rule.name == "missing-key"),
            "what a damaged text lacks is not known: {text:?} {:?}",
            reading.findings
        );
    }
    let many: String = std::iter::once("name = \"a\"\n".to_owned())
        .chain((0..5_000).map(|n| format!("k{n} = 1\n")))
        .collect();
    let reading = read(&many, Mode::Strict);
    assert_eq!(reading.findings.len(), 1_001);
    let last = |reading: &Reading<Shop>| {
        reading.findings.last().map(|finding| (finding.rule.name, finding.severity))
    };
    assert_eq!(last(&reading), Some(("too-many-findings", Severity::Warning)), "it is read all the same");
    assert!(reading.value.is_some());
    let odd: Vec<String> = (0..1_100).map(|n| format!("k{n} = 1\n")).collect();
    let odd = format!("name = \"a\"\n[[shelves]]\nlabel = \"a\"\nheight = 1\n{}", odd.concat());
    let text = format!("{odd}[[shelves]]\nlabel = \"b\"\n");
    let reading = read(&text, Mode::Strict);
    assert!(reading.value.is_none());
    assert_eq!(reading.findings.len(), 1_001);
    let errors: Vec<&str> = reading
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| &*finding.pointer)
        .collect();
    assert_eq!(errors, ["/shelves/1"], "an error is shown, however many warnings come before it");
    let error = reading.findings.iter().position(|finding| finding.severity == Severity::Error);
    assert_eq!(error, Some(999), "and stands where it would");
    assert_eq!(last(&reading), Some(("too-many-findings", Severity::Warning)));
    let broken = "[[shelves]]\nlabel = \"z\"\n".repeat(1_100);
    let reading = read(&format!("{odd}{broken}"), Mode::Strict);
    let errors = reading.findings.iter().filter(|finding| finding.severity == Severity::Error);
    assert_eq!((reading.findings.len(), errors.count()), (1_001, 1_001), "errors make warnings give way");
    assert_eq!(last(&reading), Some(("too-many-findings", Severity::Error)), "and there are more of them");
    assert!(reading.value.is_none());
}

#[test]
fn a_type_settles_what_the_front_end_doubts() {
    for (text, rule, expected) in [
        // A number is wanted: how many digits it was written with means nothing.
        ("name = \"a\"\nrating = 2.50", &rules::LOSSY_NUMBER, &[][..]),
        ("name = \"a\"\nrating = 2.50", &rules::YAML_1_1_VALUE, &["yaml-1-1-value: write \"2.50\""]),
        // A text is wanted, and the front end knows which one was written.
        ("name = 2.50", &rules::LOSSY_NUMBER, &["wrong-type: write \"2.50\""]),
        (
            "name = \"a\"\nother = 2.50",
            &rules::LOSSY_NUMBER,
            &["lossy-number: write \"2.50\"", "unknown-key: "],
        ),
    ] {
        let mut document = toml::parse(text);
        let at = text.find("2.50").expect("the number");
        let doubt = Finding::new(rule, "", Span::new(at, at + 4), "odd").help("write \"2.50\"");
        document.findings.push(doubt);
        // A fault elsewhere changes nothing.
        document.damaged = true;
        let mut found: Vec<String> = read_document::<Shop>(&document, Mode::Strict)
            .findings
            .iter()
            .map(|finding| {
                let help = finding.help.as_deref().filter(|help| help.contains("2.50")).unwrap_or_default();
                format!("{}: {help}", finding.rule.name)
            })
            .collect();
        found.sort();
        assert_eq!(found, expected, "{text} with {}", rule.name);
    }
}

#[test]
fn the_schema_says_what_the_reader_does() {
    let schema = serde_json::to_value(schemars::schema_for!(Shop)).expect("a schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    for (text, beyond) in [
        ("name = \"corner\"", false),
        ("title = 1", false),
        ("name = \"Corner\"", false),
        ("name = \"a\"\nrating = 5.5", false),
        ("name = \"a\"\nsize = 0", false),
        ("name = \"a\"\nsize = 3.0", false),
        ("name = \"a\"\nmode = \"later\"", false),
        ("name = \"a\"\nmode = \"paid\"", false),
        ("name = \"a\"\nmode = \"paid\"\naccount = \"b\"", false),
        ("name = \"a\"\nowner = { first = \"b\", last = \"c\" }", false),
        ("name = \"a\"\n[doors.front]\nkind = \"spin\"", false),
        ("name = \"a\"\n[doors.front]\nkind = \"slide\"\nrail = 1\nhinge = 4", false),
        ("name = \"a\"\n[doors.Front]\nkind = \"slide\"\nrail = 1", false),
        ("name = \"a\"\npage = \"\"", false),
        ("name = \"a\"\npin = \"12345\"", false),
        ("name = \"a\"\nshelves = [{ label = \"b\", height = 1 }, { label = \"b\", height = 2 }]", true),
    ] {
        let document = toml::parse(text);
        let value = Value::from(document.root.as_ref().expect("a tree"));
        let json = serde_json::to_value(&value).expect("JSON");
        let read = read(text, Mode::Strict).value.is_some();
        assert_eq!(validator.is_valid(&json), read || beyond, "{text}: read {read}");
    }
}

text_type! {
    /// Any text.
    pub struct Anything {
        pattern: agentry_text::ANY_TEXT,
        form: "text",
        example: "",
    }
}

number_type! {
    /// A number without bounds.
    pub struct Offset {
        form: "an offset",
    }
}

/// A table
/// without keys.
///
/// It has a second paragraph:
/// that one.
#[document]
pub struct Nothing {}

#[test]
fn what_may_be_anything_states_no_form() {
    let schema = schemars::schema_for!(Anything).to_value();
    assert_eq!(schema.get("pattern"), None);
    assert_eq!(schema["type"], "string");
    assert!(["", "\n\u{0}", "x"].iter().all(|text| Anything::new(*text).is_ok()));
    let schema = schemars::schema_for!(Offset).to_value();
    assert_eq!((schema.get("minimum"), schema.get("maximum")), (None, None));
    for (number, fits) in
        [(f64::MIN, true), (-0.5, true), (f64::MAX, true), (f64::NAN, false), (f64::INFINITY, false)]
    {
        assert_eq!(Offset::new(number).is_ok(), fits, "{number}");
    }
}

#[test]
fn a_document_says_what_it_is() {
    use agentry_text::Described;
    assert_eq!(Nothing::DESCRIPTION, "A table without keys.\n\nIt has a second paragraph: that one.");
    assert_eq!(Shop::DESCRIPTION, "A shop.");
}

#[test]
fn a_value_is_read_as_a_document() {
    let empty = Value::Table([].into_iter().collect());
    let reading = read_document::<Nothing>(&empty.into(), Mode::Strict);
    assert_eq!((reading.value, reading.findings.len()), (Some(Nothing::default()), 0));
    let other = Value::Table([("x".to_owned(), Value::Null)].into_iter().collect());
    let reading = read_document::<Nothing>(&other.into(), Mode::Strict);
    assert_eq!((reading.value, reading.findings.len()), (None, 1));
}

text_type! {
    /// A word that says why it is refused.
    pub struct Explained {
        pattern: r"^[a-z]+$",
        form: "a word: lowercase letters",
        example: "corner",
        explain: |text| text.contains(' ').then(|| agentry_text::Invalid::new(&agentry_text::rules::INVALID_VALUE, "two words")),
    }
}

#[test]
fn a_type_may_say_better_than_its_form_why_it_refuses_a_text() {
    for (text, message) in
        [("a b", "two words"), ("A", "`A` is not a word"), ("", "an empty string is not a word")]
    {
        assert_eq!(Explained::new(text).unwrap_err().message, message);
    }
    assert!(Explained::new("a").is_ok());
}

shown_text_type! {
    /// A sign above a door.
    pub struct Sign {
        pattern: "^[A-Z ]+$",
        form: "a sign: capital letters",
        example: "OPEN",
        max_characters: 6,
        explain: |text| text.contains('é').then(|| {
            agentry_text::Invalid::new(&rules::INVALID_VALUE, "signs have no accents").help("write it without")
        }),
    }
}

/// A stall of a market.
#[document]
pub struct Stall {
    /// The sign above it.
    #[key(foreign("title", "board"))]
    pub sign: Sign,
    /// The rest.
    #[serde(flatten)]
    pub extra: Extra,
}

#[test]
fn texts_have_a_greatest_length_and_say_what_is_wrong() {
    for (text, expected) in [
        ("sign = \"OPEN\"", ""),
        ("sign = \"OPENED\"", ""),
        (
            "sign = \"OPENING\"",
            "a sign has at most 6 characters, and this one has 7 | shorten it by 1: characters are counted, not bytes",
        ),
        ("sign = \"CAFé\"", "signs have no accents | write it without"),
        ("sign = \"open\"", "`open` is not a sign | expected capital letters; for example `OPEN`"),
    ] {
        let reading: Reading<Stall> = read_document(&toml::parse(text), Mode::Strict);
        let found: Vec<_> = reading
            .findings
            .iter()
            .map(|finding| format!("{} | {}", finding.message, finding.help.as_deref().unwrap_or_default()))
            .collect();
        assert_eq!(found.join("\n"), expected, "{text}");
        assert_eq!(reading.value.is_some(), expected.is_empty(), "{text}");
    }
    let schema = serde_json::to_value(schemars::schema_for!(Stall)).expect("a schema is JSON");
    assert_eq!(schema["$defs"]["Sign"]["maxLength"], 6);
}

#[test]
fn what_other_formats_call_a_key_is_named_and_not_read() {
    for (text, expected) in [
        (
            "board = \"OPEN\"",
            &[
                "unknown-key: write `sign`: other formats call it `board`",
                "missing-key: write `sign` for `board`, which is what other formats call it",
            ][..],
        ),
        ("sign = \"OPEN\"\nboard = \"OPEN\"", &["unknown-key: the known keys here are `sign`"]),
        ("sing = \"OPEN\"", &["unknown-key: did you mean `sign`?", "missing-key: is it there as `sing`?"]),
    ] {
        let reading: Reading<Stall> = read_document(&toml::parse(text), Mode::Strict);
        let found: Vec<_> = reading
            .findings
            .iter()
            .map(|finding| format!("{}: {}", finding.rule.name, finding.help.as_deref().unwrap_or_default()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_set_is_walked_as_it_is_written() {
    let set = agentry_text::Set::from_iter(["b", "a"]);
    let mut walked = Vec::new();
    for entry in &set {
        walked.push(*entry);
    }
    assert_eq!(walked, ["b", "a"]);
}

#[test]
fn what_holds_a_table_has_its_keys() {
    fn keys<T: Read>() -> Vec<&'static str> {
        T::shape().map(|shape| shape.keys.iter().map(|key| key.name).collect()).unwrap_or_default()
    }
    let expected = keys::<Shelf>();
    assert_eq!(expected, ["label", "height"]);
    for found in [
        keys::<Box<Shelf>>(),
        keys::<Vec<Shelf>>(),
        keys::<Nullable<Shelf>>(),
        keys::<AtMost<5, Vec<Shelf>>>(),
        keys::<Unique<Shelf>>(),
    ] {
        assert_eq!(found, expected);
    }
}
