//! Relations between the keys of one table, stated once and used by the reader and by the JSON Schema.

use crate::define::Invalid;
use crate::finding::{Finding, Rule};
use crate::pattern::Pattern;
use crate::read::{Fields, Reader, list};
use crate::rules;
use crate::tree::{Entry, Kind, Node};
use crate::value::Value;
use std::cell::RefCell;
use std::collections::HashMap;

/// Which tables a condition is about: those in which a key below has one of some texts.
#[derive(Clone, Copy, Debug)]
pub struct When {
    /// The keys that lead to the text, from the table down.
    pub path: &'static [&'static str],
    /// The texts. With none of them, and `or_absent`, the condition is about tables without the key.
    pub is: &'static [&'static str],
    /// Whether an absent key counts too.
    pub or_absent: bool,
}

/// A relation between keys.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// Some tables need keys that others may leave out.
    Requires {
        /// Which tables.
        when: When,
        /// The keys they need.
        keys: &'static [&'static str],
        /// Why, for the message.
        why: &'static str,
    },
    /// In some tables, a table below one of their keys needs keys that it may leave out elsewhere.
    RequiresBelow {
        /// Which tables.
        when: When,
        /// The key that holds the table below. Where it is absent, nothing is asked for.
        below: &'static str,
        /// The keys which that one needs.
        keys: &'static [&'static str],
        /// Why, for the message.
        why: &'static str,
    },
    /// Some tables need a list with at least one entry.
    RequiresEntries {
        /// Which tables.
        when: When,
        /// The key of the list.
        key: &'static str,
        /// Why, for the message.
        why: &'static str,
    },
    /// In some tables the text of a key has a narrower form than elsewhere.
    Matches {
        /// Which tables.
        when: When,
        /// The key.
        key: &'static str,
        /// The anchored regular expression that its text matches.
        pattern: &'static str,
        /// What the text is and, after a colon, what it looks like.
        form: &'static str,
        /// An example.
        example: &'static str,
    },
    /// In some tables, the value of a key that may hold anything has one JSON type: a default of the type that
    /// another key names.
    HasType {
        /// Which tables.
        when: When,
        /// The key.
        key: &'static str,
        /// Its type there.
        is: JsonType,
        /// The rule that another type breaks.
        rule: &'static Rule,
    },
    /// One of these keys, or more, must be there.
    AtLeastOne {
        /// The keys.
        keys: &'static [&'static str],
        /// Why, for the message.
        why: &'static str,
    },
    /// At most one of these keys may be there.
    AtMostOne {
        /// The keys.
        keys: &'static [&'static str],
        /// Why, for the message.
        why: &'static str,
    },
    /// At most one of these keys may hold text. An empty text and null say nothing, and may stand beside the other.
    AtMostOneText {
        /// The keys.
        keys: &'static [&'static str],
        /// Why, for the message.
        why: &'static str,
    },
    /// Another relation holds, unless a key is there. Null is as good as absent.
    Unless {
        /// The key.
        key: &'static str,
        /// The other relation.
        then: &'static Self,
    },
}

/// A type of value, as JSON Schema counts them: a whole number is also a number, and `3.0` is a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonType {
    /// Text.
    String,
    /// Any number.
    Number,
    /// A number without a fraction.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// A list.
    Array,
    /// A table.
    Object,
}

impl JsonType {
    /// Its name in JSON Schema.
    pub const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// What people call it, with its article.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Number => "a number",
            Self::Integer => "a whole number",
            Self::Boolean => "true or false",
            Self::Array => "an array",
            Self::Object => "a table",
        }
    }

    /// How such a value is written.
    pub const fn how(self) -> &'static str {
        match self {
            Self::String => "write it in quotes",
            Self::Number => "write a number, without quotes",
            Self::Integer => "write a number, without quotes and without a fraction",
            Self::Boolean => "write true or false, without quotes",
            Self::Array => "write it in brackets",
            Self::Object => "write a table",
        }
    }

    /// Whether a value is of this type. A TOML date is of none.
    pub fn fits(self, value: &Value) -> bool {
        match value {
            Value::Null | Value::Datetime(_) => false,
            Value::Bool(_) => self == Self::Boolean,
            Value::Integer(_) => matches!(self, Self::Integer | Self::Number),
            Value::Float(number) => self == Self::Number || (self == Self::Integer && number.fract() == 0.0),
            Value::String(_) => self == Self::String,
            Value::Array(_) => self == Self::Array,
            Value::Table(_) => self == Self::Object,
        }
    }

    fn fits_node(self, node: &Node) -> bool {
        match &node.kind {
            // Not taken along: only what kind of value it is matters.
            Kind::Array(_) => self == Self::Array,
            Kind::Table(_) => self == Self::Object,
            _ => self.fits(&Value::from(node)),
        }
    }
}

impl When {
    fn holds(&self, fields: &Fields<'_>) -> bool {
        let Some((first, rest)) = self.path.split_first() else { return true };
        let mut entry = fields.peek(first);
        for key in rest {
            entry = entry.and_then(|entry| entry.node.get(key));
        }
        match entry {
            None => self.or_absent,
            Some(entry) => entry.node.as_str().is_some_and(|text| self.is.contains(&text)),
        }
    }

    /// The schema of the tables it is about.
    #[cfg(feature = "schema")]
    fn test(&self) -> serde_json::Value {
        use serde_json::json;
        if self.path.is_empty() {
            return json!(true);
        }
        // An empty `enum` says the same as `false`, and older drafts do not allow it.
        let mut test = if self.is.is_empty() { json!(false) } else { json!({ "enum": self.is }) };
        for (depth, key) in self.path.iter().enumerate().rev() {
            let last = depth + 1 == self.path.len();
            let mut object = json!({ "properties": { *key: test } });
            if !(last && self.or_absent) {
                object["required"] = json!([key]);
            }
            if depth > 0 {
                object["type"] = json!("object");
            }
            test = object;
        }
        test
    }
}

impl Condition {
    /// Whether the relation holds; if not, that is reported.
    pub fn check<'t>(&self, fields: &Fields<'t>, reader: &mut Reader<'t>) -> bool {
        match self {
            Self::Requires { when, keys, why } => {
                if !when.holds(fields) {
                    return true;
                }
                let missing: Vec<_> = keys.iter().filter(|key| fields.peek(key).is_none()).collect();
                for key in &missing {
                    fields.missing(reader, key, Some(why));
                }
                missing.is_empty()
            }
            Self::RequiresBelow { when, below, keys, why } => {
                let Some((entry, inner)) = when.holds(fields).then(|| fields.below(below)).flatten() else {
                    return true;
                };
                let missing: Vec<_> = keys.iter().filter(|key| inner.peek(key).is_none()).collect();
                reader.in_key(&entry.key, |reader| {
                    for key in &missing {
                        inner.missing(reader, key, Some(why));
                    }
                });
                missing.is_empty()
            }
            Self::RequiresEntries { when, key, why } => {
                if !when.holds(fields) {
                    return true;
                }
                let Some(entry) = fields.peek(key) else {
                    fields.missing(reader, key, Some(why));
                    return false;
                };
                // What is no list is reported where its type is read.
                let Kind::Array(items) = &entry.node.kind else { return true };
                if !items.is_empty() {
                    // In the tolerant reading every entry may have been lost; each has been reported.
                    return !(0..items.len()).all(|index| reader.lost_entry(&entry.key, index));
                }
                let empty = Invalid::new(&rules::INVALID_VALUE, format!("`{key}` has no entries: {why}"))
                    .label("an empty list")
                    .help("add at least one entry");
                reader.in_key(&entry.key, |reader| reader.invalid(&entry.node, &empty));
                false
            }
            Self::Matches { when, key, pattern, form, example } => {
                let Some(entry) = fields.peek(key).filter(|_| when.holds(fields)) else { return true };
                let Some(text) = entry.node.as_str() else {
                    // Mostly its type has refused it; a type that takes null too has not.
                    return reader.errors_at(&format!("{}/{}", reader.pointer(), entry.key)).next().is_some()
                        || has_type(when, key, JsonType::String, &rules::INVALID_VALUE, fields, reader);
                };
                if is_match(pattern, text) {
                    return true;
                }
                let invalid = Invalid::form(text, form, example);
                reader.in_key(&entry.key, |reader| reader.invalid(&entry.node, &invalid));
                false
            }
            Self::HasType { when, key, is, rule } => has_type(when, key, *is, rule, fields, reader),
            Self::AtLeastOne { keys, why } => {
                if keys.iter().any(|key| fields.peek(key).is_some()) {
                    return true;
                }
                reader.push(
                    Finding::new(
                        &rules::MISSING_KEY,
                        reader.pointer(),
                        fields.span(),
                        format!("one of {} must be there: {why}", list(keys.iter().copied())),
                    )
                    .label("none of them is there")
                    .key(keys[0]),
                );
                false
            }
            Self::AtMostOne { keys, why } => {
                at_most_one(keys.iter().filter_map(|key| fields.peek(key)).collect(), why, reader)
            }
            Self::AtMostOneText { keys, why } => {
                let texts = keys.iter().filter_map(|key| fields.peek(key));
                let texts = texts.filter(|entry| entry.node.as_str().is_some_and(|text| !text.is_empty()));
                at_most_one(texts.collect(), why, reader)
            }
            Self::Unless { key, then } => {
                fields.peek(key).is_some_and(|entry| entry.node.kind != Kind::Null)
                    || then.check(fields, reader)
            }
        }
    }

    /// Adds the relation to a schema.
    #[cfg(feature = "schema")]
    pub fn state(&self, schema: &mut schemars::Schema) {
        use serde_json::{Value, json};
        match schema.ensure_object().entry("allOf").or_insert_with(|| json!([])) {
            Value::Array(all) => all.push(self.statement()),
            _ => unreachable!("`allOf` is an array"),
        }
    }

    #[cfg(feature = "schema")]
    fn statement(&self) -> serde_json::Value {
        use serde_json::json;
        match self {
            Self::Requires { when, keys, .. } => {
                json!({ "if": when.test(), "then": required(keys) })
            }
            Self::RequiresBelow { when, below, keys, .. } => {
                json!({ "if": when.test(), "then": { "properties": { *below: required(keys) } } })
            }
            Self::RequiresEntries { when, key, .. } => json!({
                "if": when.test(),
                "then": { "required": [key], "properties": { *key: { "type": "array", "minItems": 1 } } },
            }),
            Self::Matches { when, key, pattern, .. } => json!({
                "if": when.test(),
                "then": { "properties": { *key: { "type": "string", "pattern": pattern } } },
            }),
            Self::HasType { when, key, is, .. } => {
                json!({ "if": when.test(), "then": { "properties": { *key: { "type": is.name() } } } })
            }
            Self::AtLeastOne { keys, .. } => {
                json!({ "anyOf": keys.iter().map(|key| required(&[key])).collect::<Vec<_>>() })
            }
            Self::AtMostOne { keys, .. } => {
                let pairs: Vec<_> = pairs(keys).map(|pair| required(&pair)).collect();
                json!({ "not": { "anyOf": pairs } })
            }
            Self::AtMostOneText { keys, .. } => {
                let text = json!({ "type": "string", "minLength": 1 });
                let both = |[one, other]: [&str; 2]| {
                    json!({
                        "type": "object",
                        "properties": { one: text, other: text },
                        "required": [one, other],
                    })
                };
                json!({ "not": { "anyOf": pairs(keys).map(both).collect::<Vec<_>>() } })
            }
            Self::Unless { key, then } => json!({
                "if": { "properties": { *key: { "not": { "type": "null" } } }, "required": [key] },
                "else": then.statement(),
            }),
        }
    }
}

/// Each two of some keys.
#[cfg(feature = "schema")]
fn pairs<'k>(keys: &'k [&'static str]) -> impl Iterator<Item = [&'static str; 2]> + 'k {
    let rest = |index: usize| keys[index + 1..].iter();
    keys.iter().enumerate().flat_map(move |(index, one)| rest(index).map(move |other| [*one, *other]))
}

/// Whether no more than one of some entries is there; if not, that is reported.
fn at_most_one<'t>(mut there: Vec<&'t Entry>, why: &str, reader: &mut Reader<'t>) -> bool {
    there.sort_by_key(|entry| entry.key_span.start);
    let [first, second, ..] = there[..] else { return true };
    reader.push(
        Finding::new(
            &rules::CONFLICTING_KEYS,
            format!("{}/{}", reader.pointer(), second.key),
            second.key_span,
            format!("`{}` and `{}` exclude each other: {why}", first.key, second.key),
        )
        .label("the second of the two")
        .related(first.key_span, "the first of the two")
        .help("keep one of the two"),
    );
    false
}

/// Whether a text matches a pattern of a condition. Each is taken apart once in a thread: conditions are constants, and
/// have no place for what is made of them.
fn is_match(pattern: &'static str, text: &str) -> bool {
    thread_local! {
        static PATTERNS: RefCell<HashMap<&'static str, Pattern>> = RefCell::new(HashMap::new());
    }
    PATTERNS.with_borrow_mut(|patterns| {
        patterns.entry(pattern).or_insert_with(|| Pattern::new(pattern)).is_match(text)
    })
}

/// Whether the value of a key has the type that another key names; if not, that is reported.
fn has_type<'t>(
    when: &When,
    key: &'static str,
    is: JsonType,
    rule: &'static Rule,
    fields: &Fields<'t>,
    reader: &mut Reader<'t>,
) -> bool {
    let Some(entry) = fields.peek(key) else { return true };
    if !when.holds(fields) || is.fits_node(&entry.node) {
        return true;
    }
    let name = when.path.join(".");
    let (found, wanted) = (entry.node.kind_name(), is.phrase());
    let message = match when.path.first() {
        None => format!("`{key}` is {found}, not {wanted}"),
        Some(first) if fields.peek(first).is_none() => {
            format!("`{key}` is {found}, and without `{name}` it is {wanted}")
        }
        Some(_) => {
            format!("`{key}` is {found}, and `{name}` says {}", list(when.is.iter().copied()))
        }
    };
    reader.push(
        Finding::new(rule, format!("{}/{key}", reader.pointer()), entry.node.span, message)
            .label(format!("expected {wanted}"))
            .help(format!("{}, or change `{name}`", is.how())),
    );
    false
}

/// The schema of tables that have some keys. The keys are named as properties too: strict readers of schemas take
/// a required key that nothing describes for a slip.
#[cfg(feature = "schema")]
pub fn required(keys: &[&str]) -> serde_json::Value {
    let properties: serde_json::Map<_, _> = keys.iter().map(|key| ((*key).to_owned(), true.into())).collect();
    serde_json::json!({ "type": "object", "properties": properties, "required": keys })
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::{Condition, JsonType, When};
    use crate::read::{Fields, Key, Mode, Read, ReadKeys, Reader, Shape, read_document, read_table_as};
    use crate::rules;
    use crate::tree::Node;
    use crate::value::Value;
    use std::sync::LazyLock;

    const WITHOUT_BASE: When = When { path: &["base"], is: &[], or_absent: true };
    const SELECT: When = When { path: &["type"], is: &["select"], or_absent: false };
    const ALWAYS: When = When { path: &[], is: &[], or_absent: false };
    const NUMBER: When = When { path: &["type"], is: &["integer"], or_absent: true };
    const NAMED: Condition =
        Condition::Requires { when: WITHOUT_BASE, keys: &["name"], why: "it has no base" };
    const CONDITIONS: [Condition; 8] = [
        NAMED,
        Condition::RequiresBelow {
            when: WITHOUT_BASE,
            below: "model",
            keys: &["prompt"],
            why: "it has no base",
        },
        Condition::RequiresEntries { when: SELECT, key: "options", why: "there is nothing to select" },
        Condition::Matches {
            when: SELECT,
            key: "default",
            pattern: "^[a-z]+$",
            form: "a choice: letters",
            example: "a",
        },
        Condition::RequiresBelow { when: ALWAYS, below: "model", keys: &["id"], why: "every model has one" },
        Condition::HasType {
            when: NUMBER,
            key: "default",
            is: JsonType::Integer,
            rule: &rules::INVALID_VALUE,
        },
        Condition::AtMostOneText { keys: &["name", "base"], why: "one is enough" },
        Condition::Unless { key: "base", then: &NAMED },
    ];

    /// A table under one of the conditions.
    struct Checked<const INDEX: usize>;

    /// A table with the keys that the conditions name.
    struct Below;

    impl ReadKeys for Below {
        fn keys(keys: &mut Vec<Key>) {
            keys.extend(["prompt", "id"].map(|name| Key::new::<Value>(name, &[], false)));
        }

        fn read_keys<'t>(_: &mut Fields<'t>, _: &mut Reader<'t>) -> Option<Self> {
            Some(Self)
        }
    }

    impl Read for Below {
        fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
            read_table_as(node, reader, Self::shape()?, &[])
        }

        fn shape() -> Option<&'static Shape> {
            static SHAPE: LazyLock<Shape> = LazyLock::new(|| Shape::of::<Below>(crate::Others::Closed));
            Some(&SHAPE)
        }
    }

    impl<const INDEX: usize> ReadKeys for Checked<INDEX> {
        fn keys(keys: &mut Vec<Key>) {
            keys.push(Key::new::<Below>("model", &[], false));
            let names = ["base", "name", "type", "options", "default"];
            keys.extend(names.map(|name| Key::new::<Value>(name, &[], false)));
        }

        fn read_keys<'t>(fields: &mut Fields<'t>, reader: &mut Reader<'t>) -> Option<Self> {
            CONDITIONS[INDEX].check(fields, reader).then_some(Self)
        }
    }

    impl<const INDEX: usize> Read for Checked<INDEX> {
        fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
            read_table_as(node, reader, Self::shape()?, &[])
        }

        fn shape() -> Option<&'static Shape> {
            static SHAPE: LazyLock<Shape> = LazyLock::new(|| Shape::of::<Checked<0>>(crate::Others::Unknown));
            Some(&SHAPE)
        }
    }

    fn found<const INDEX: usize>(text: &str) -> String {
        let reading = read_document::<Checked<INDEX>>(&crate::toml::parse(text), Mode::Strict);
        assert_eq!(reading.value.is_some(), reading.findings.is_empty(), "{text}");
        let findings = reading.findings.iter().map(|finding| {
            let place = &finding.pointer;
            format!("{} {place} {}", finding.rule.name, finding.key.clone().unwrap_or_default())
        });
        findings.collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }

    #[test]
    fn conditions_are_checked_where_they_are_about() {
        let table = [
            (found::<0>("base = 'x'"), ""),
            (found::<0>("type = 'x'"), "missing-key  name"),
            (found::<0>("name = 'x'"), ""),
            (found::<1>("model = { id = 'x' }"), "missing-key /model prompt"),
            (found::<1>("model = { prompt = 'x' }"), ""),
            (found::<1>("name = 'x'"), ""),
            (found::<1>("model = 'x'"), ""),
            (found::<1>("base = 'x'\nmodel = { id = 'x' }"), ""),
            (found::<2>("type = 'text'"), ""),
            (found::<2>("type = 'select'"), "missing-key  options"),
            (found::<2>("type = 'select'\noptions = []"), "invalid-value /options"),
            (found::<2>("type = 'select'\noptions = [1]"), ""),
            (found::<3>("type = 'text'\ndefault = '1'"), ""),
            (found::<3>("type = 'select'\ndefault = '1'"), "invalid-value /default"),
            (found::<3>("type = 'select'\ndefault = 'one'"), ""),
            (found::<3>("type = 'select'\ndefault = 1"), "invalid-value /default"),
            (found::<3>("type = 'select'"), ""),
            (found::<4>("base = 'x'\nmodel = {}"), "missing-key /model id"),
            (found::<5>("type = 'integer'\ndefault = 3"), ""),
            (found::<5>("type = 'integer'\ndefault = 3.0"), ""),
            (found::<5>("type = 'integer'\ndefault = 3.5"), "invalid-value /default"),
            (found::<5>("type = 'integer'\ndefault = '3'"), "invalid-value /default"),
            (found::<5>("type = 'integer'\ndefault = [3]"), "invalid-value /default"),
            (found::<5>("type = 'integer'"), ""),
            (found::<5>("type = 'text'\ndefault = '3'"), ""),
            (found::<5>("default = '3'"), "invalid-value /default"),
            (found::<6>("name = 'a'"), ""),
            (found::<6>("name = 'a'\nbase = ''"), ""),
            (found::<6>("name = 'a'\nbase = 1"), ""),
            (found::<6>("base = 'a'\nname = 'b'"), "conflicting-keys /name"),
            (found::<7>("base = 'x'"), ""),
            (found::<7>("type = 'x'"), "missing-key  name"),
            (found::<7>("name = 'x'"), ""),
        ];
        for (index, (found, expected)) in table.iter().enumerate() {
            assert_eq!(found, expected, "row {index}");
        }
    }

    #[test]
    fn a_value_is_of_a_type_as_json_schema_counts_them() {
        let types = ["string", "number", "integer", "boolean", "array", "object"];
        let kinds = [
            JsonType::String,
            JsonType::Number,
            JsonType::Integer,
            JsonType::Boolean,
            JsonType::Array,
            JsonType::Object,
        ];
        assert_eq!(kinds.map(JsonType::name), types);
        for (text, expected) in [
            ("'x'", "string"),
            ("3", "number integer"),
            ("3.0", "number integer"),
            ("3.5", "number"),
            ("true", "boolean"),
            ("[]", "array"),
            ("{}", "object"),
            ("2026-03-15", ""),
        ] {
            let document = crate::toml::parse(&format!("v = {text}"));
            let node = &document.root.as_ref().and_then(|root| root.get("v")).expect("it is there").node;
            let fitting = kinds.iter().filter(|kind| kind.fits(&Value::from(node))).map(|kind| kind.name());
            assert_eq!(fitting.collect::<Vec<_>>().join(" "), expected, "{text}");
            assert!(kinds.iter().all(|kind| kind.fits(&Value::from(node)) == kind.fits_node(node)), "{text}");
        }
    }

    #[cfg(feature = "schema")]
    #[test]
    fn conditions_are_stated_as_they_are_checked() {
        use serde_json::json;
        let mut schema = schemars::json_schema!({});
        for condition in &CONDITIONS {
            condition.state(&mut schema);
        }
        let without_base = json!({ "properties": { "base": false } });
        let select = json!({ "properties": { "type": { "enum": ["select"] } }, "required": ["type"] });
        let keys = |key: &str| json!({ "type": "object", "properties": { key: true }, "required": [key] });
        let expected = json!([
            { "if": without_base, "then": keys("name") },
            { "if": without_base, "then": { "properties": { "model": keys("prompt") } } },
            {
                "if": select,
                "then": {
                    "required": ["options"],
                    "properties": { "options": { "type": "array", "minItems": 1 } },
                },
            },
            {
                "if": select,
                "then": { "properties": { "default": { "type": "string", "pattern": "^[a-z]+$" } } },
            },
            { "if": true, "then": { "properties": { "model": keys("id") } } },
            {
                "if": { "properties": { "type": { "enum": ["integer"] } } },
                "then": { "properties": { "default": { "type": "integer" } } },
            },
            {
                "not": {
                    "anyOf": [{
                        "type": "object",
                        "properties": {
                            "name": { "type": "string", "minLength": 1 },
                            "base": { "type": "string", "minLength": 1 },
                        },
                        "required": ["name", "base"],
                    }],
                },
            },
            {
                "if": { "properties": { "base": { "not": { "type": "null" } } }, "required": ["base"] },
                "else": { "if": without_base, "then": keys("name") },
            },
        ]);
        assert_eq!(schema.get("allOf"), Some(&expected));
    }
}
