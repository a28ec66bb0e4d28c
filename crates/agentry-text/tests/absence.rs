//! What is not there, what is null, what may be left out, and what a newer version added.

use agentry_macros::document;
use agentry_text::{
    AtMost, Document, Extra, Finding, Map, Mode, Node, Nullable, Reader, Reading, Set, Value, json, options,
    read_document, rules, tagged, toml, yaml,
};

/// A room, closed.
#[document(gate = is_open)]
pub struct Room {
    /// Its name.
    pub name: Nullable<String>,
    /// Its colour.
    pub colour: Option<Nullable<String>>,
    /// Its notes.
    pub notes: Option<Nullable<Value>>,
    /// Its light.
    #[key(default = Light::Dim, omit)]
    pub light: Light,
    /// Its words.
    pub words: Option<Set<String>>,
    /// Its doors.
    pub doors: Option<AtMost<2, Vec<Door>>>,
    /// Its keys.
    pub keys: Option<AtMost<1, Map<String, bool>>>,
}

/// Nothing of a closed room is read.
fn is_open(node: &Node, reader: &mut Reader<'_>) -> bool {
    let closed = node.get("closed").is_some();
    if closed {
        reader.push(Finding::new(&rules::INVALID_VALUE, "/closed", node.span, "closed"));
    }
    !closed
}

options! {
    /// A light.
    pub enum Light {
        /// Little.
        Dim = "dim" from "test",
        /// Much.
        Bright = "bright" from "test",
    }
}

tagged! {
    /// A door.
    pub enum Door by "kind" {
        /// Goes up.
        Up(Plain) = "up",
        /// Keeps what it does not know.
        Odd(Loose) = "odd",
    }
}

/// A plain door, closed.
#[document]
pub struct Plain {
    /// Its width.
    pub width: Option<Nullable<bool>>,
}

/// A loose door, open.
#[document]
pub struct Loose {
    /// The rest.
    #[serde(flatten)]
    pub extra: Extra,
}

fn read(text: &str, mode: Mode) -> Reading<Room> {
    read_document(&json::parse(text), mode)
}

fn found(reading: &Reading<Room>) -> String {
    let found = reading
        .findings
        .iter()
        .map(|finding| format!("{} {} {}", finding.severity.name(), finding.rule.name, finding.pointer));
    found.collect::<Vec<_>>().join(", ")
}

#[test]
fn null_is_neither_absent_nor_a_value() {
    for (text, colour, in_toml) in [
        (r#"{"name":"a"}"#, None, "name = \"a\"\n"),
        (r#"{"name":"a","colour":null}"#, Some(Nullable::Null), "name = \"a\"\n"),
        (r#"{"name":"a","colour":"red"}"#, Some("red".to_owned().into()), "name = \"a\"\ncolour = \"red\"\n"),
        (r#"{"name":null}"#, None, ""),
        (r#"{"name":"a","notes":null}"#, None, "name = \"a\"\n"),
    ] {
        let room: Room = json::from_str(text).unwrap();
        assert_eq!(room.colour, colour, "{text}");
        assert_eq!(room.colour(), colour.as_ref().and_then(Nullable::value));
        let written = json::to_string(&room).unwrap();
        assert_eq!(written.split_whitespace().collect::<String>(), text);
        assert_eq!(yaml::from_str::<Room>(&yaml::to_string(&room).unwrap()).unwrap(), room);
        assert_eq!(serde_json::from_str::<Room>(text).unwrap(), room);
        assert_eq!(toml::to_string(&room).unwrap(), in_toml, "{text}");
    }
    let room = Room::new("a".to_owned().into()).with_colour("red".to_owned()).with_notes(Nullable::Null);
    assert_eq!((room.colour().map(String::as_str), room.notes()), (Some("red"), None));
    assert_eq!(
        found(&read(r#"{"name":1,"colour":true}"#, Mode::Strict)),
        "error wrong-type /name, error wrong-type /colour"
    );
}

#[test]
fn a_null_of_the_author_is_no_null_of_the_type() {
    for notes in [r#"{"a":null}"#, "[1,null]"] {
        let room: Room = json::from_str(&format!(r#"{{"name":"a","notes":{notes}}}"#)).unwrap();
        let error = toml::to_string(&room).unwrap_err().to_string();
        assert!(error.starts_with("TOML has no null, and there is one at `/notes/"), "{error}");
    }
}

#[test]
fn what_is_as_good_as_absent_is_one_value() {
    let absent: Room = json::from_str(r#"{"name":"a"}"#).unwrap();
    assert_eq!(json::from_str::<Room>(r#"{"name":"a","light":"dim"}"#).unwrap(), absent);
    assert_eq!(absent.light, Light::Dim);
    assert!(!json::to_string(&absent).unwrap().contains("light"));
    let bright = absent.clone().with_light(Light::Bright);
    assert_eq!(json::from_str::<Room>(&json::to_string(&bright).unwrap()).unwrap(), bright);
    assert_ne!(bright, absent);
}

#[test]
fn sets_are_equal_in_any_order_and_written_in_their_own() {
    let room = |words: &str| json::from_str::<Room>(&format!(r#"{{"name":"a","words":{words}}}"#)).unwrap();
    assert_eq!(room(r#"["a","b"]"#), room(r#"["b","a","b"]"#));
    assert_ne!(room(r#"["a","b"]"#), room(r#"["a"]"#));
    assert_ne!(room("[]"), json::from_str(r#"{"name":"a"}"#).unwrap());
    let written = json::to_string(&room(r#"["b","a"]"#)).unwrap();
    assert!(written.split_whitespace().collect::<String>().contains(r#""words":["b","a"]"#), "{written}");
    assert_eq!(
        found(&read(r#"{"name":"a","words":["x","y","x"]}"#, Mode::Strict)),
        "hint duplicate-entry /words/2"
    );
}

#[test]
fn no_more_entries_than_may_be() {
    for (text, expected) in [
        (r#"{"name":"a","doors":[{"kind":"up"},{"kind":"up"}]}"#, ""),
        (r#"{"name":"a","doors":[{"kind":"up"},{"kind":"up"},{"kind":"up"}]}"#, "error invalid-value /doors"),
        (
            r#"{"name":"a","doors":[{"kind":"up"},1,{"kind":"up"}]}"#,
            "error wrong-type /doors/1, error invalid-value /doors",
        ),
        (r#"{"name":"a","keys":{"a":true,"b":true}}"#, "error invalid-value /keys"),
        (r#"{"name":"a","keys":1}"#, "error wrong-type /keys"),
    ] {
        assert_eq!(found(&read(text, Mode::Strict)), expected, "{text}");
    }
    assert!(AtMost::<2, _>::new(vec![1, 2]).is_ok() && AtMost::<2, _>::new(vec![1, 2, 3]).is_err());
}

#[test]
fn a_gate_lets_nothing_else_be_said() {
    for mode in [Mode::Strict, Mode::Tolerant] {
        let reading = read(r#"{"closed":1,"colour":7,"unknown":1}"#, mode);
        assert_eq!((found(&reading).as_str(), reading.value), ("error invalid-value /closed", None));
    }
}

#[test]
fn tolerant_reading_keeps_the_keys_of_a_newer_version() {
    let text = r#"{"$schema":"x","name":"a","size":[1,{"b":null}],"doors":[{"kind":"up","lock":2},{"kind":"odd","bell":3}]}"#;
    let strict = read(text, Mode::Strict);
    assert_eq!(
        found(&strict),
        "error unknown-key , error unknown-key /doors/0, warning unknown-key /doors/1"
    );
    assert!(strict.value.is_none());
    let reading = read(text, Mode::Tolerant);
    assert_eq!(
        found(&reading),
        "warning unknown-key , warning unknown-key /doors/0, warning unknown-key /doors/1"
    );
    let room = reading.value.unwrap();
    assert_eq!(room.unlisted_keys().iter().map(|(key, _)| key).collect::<Vec<_>>(), ["size"]);
    assert!(room.unlisted_keys().get("size").is_some() && !room.unlisted_keys().is_empty());
    let written: serde_json::Value = serde_json::from_str(&json::to_string(&room).unwrap()).unwrap();
    let mut expected: serde_json::Value = serde_json::from_str(text).unwrap();
    // An annotation that the type has no key for is no part of the value.
    expected.as_object_mut().unwrap().remove("$schema");
    assert_eq!(written, expected);
    let again =
        read_document::<Room>(&Document::from(agentry_text::to_value(&room).unwrap()), Mode::Tolerant);
    assert_eq!(again.value.unwrap(), room);
}

#[test]
fn the_schema_says_what_may_be_null_and_how_many_there_may_be() {
    let schema =
        schemars::generate::SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Room>();
    let validator = jsonschema::validator_for(schema.as_value()).unwrap();
    for text in [
        r#"{"name":null,"colour":null,"notes":null}"#,
        r#"{"name":"a","colour":"b","notes":{"c":[null]},"light":"bright","words":["a","a"]}"#,
        r#"{"name":"a","light":null}"#,
        r#"{"name":"a","words":null}"#,
        r#"{"name":"a","doors":[{"kind":"up","width":null},{"kind":"odd","x":1}],"keys":{"a":true}}"#,
        r#"{"name":"a","doors":[{"kind":"up"},{"kind":"up"},{"kind":"up"}]}"#,
        r#"{"name":"a","doors":[{"kind":"up","x":1}]}"#,
        r#"{"name":"a","keys":{"a":true,"b":true}}"#,
        r#"{"name":"a","unlisted_keys":{}}"#,
        r#"{"name":"a","x":1}"#,
        r#"{"colour":"a"}"#,
    ] {
        let reads = read(text, Mode::Strict).is_valid();
        let document: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(validator.is_valid(&document), reads, "{text}");
    }
}
