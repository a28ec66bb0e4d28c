//! `registry-schema.toml`, `schema.toml`: the field language in which a LibreFang registry describes its files.
//!
//! A content type, such as `agent`, has fields and sections; sections have fields and sections again. Programs
//! draw forms from it and check files with it, so it must be consistent: what it offers as a default or an
//! example must be a value that it allows.
//!
//! The runtime that reads this language asks for no key but the `type` of a field, and knows no `secret`.

use crate::rules;
use crate::values::{KeyName, Prose};
use agentry_macros::document;
use agentry_text::{
    Extra, Fields, Finding, Invalid, JsonType, Key, Map, Mode, Node, Read, ReadKeys, Reader, Severity, Value,
    options, quoted, shown_text_type,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// The key that names the JSON Schema of the file itself: an annotation.
const ANNOTATION: &str = "$schema";

/// The description of a registry: its content types by name, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegistrySchema {
    /// Text. As a value it is masked where it looks like a credential.
    annotation: Option<Value>,
    content_types: Map<KeyName, ContentType>,
}

impl RegistrySchema {
    /// A description of these content types.
    pub fn new(content_types: Map<KeyName, ContentType>) -> Self {
        Self { annotation: None, content_types }
    }

    /// The content types by name.
    pub fn content_types(&self) -> &Map<KeyName, ContentType> {
        &self.content_types
    }

    /// The content type of a name.
    pub fn get(&self, name: &str) -> Option<&ContentType> {
        self.content_types.get(name)
    }

    /// The content types whose files a path may be one of, in the order of the file.
    pub fn of_path(&self, path: &str) -> impl Iterator<Item = (&KeyName, &ContentType)> {
        self.content_types.iter().filter(move |(_, content_type)| {
            content_type.file_pattern.as_ref().is_some_and(|pattern| pattern.admits(path))
        })
    }
}

impl Serialize for RegistrySchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(annotation) = &self.annotation {
            map.serialize_entry(ANNOTATION, annotation)?;
        }
        for (name, content_type) in &self.content_types {
            map.serialize_entry(name, content_type)?;
        }
        map.end()
    }
}

impl Read for RegistrySchema {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let Some(table) = node.as_table() else {
            reader.wrong_type(node, "a table");
            return None;
        };
        let mut annotation = None;
        let mut content_types = Vec::new();
        let mut failed = false;
        for entry in &table.entries {
            if entry.key == ANNOTATION {
                annotation = reader
                    .in_key(&entry.key, |reader| reader.string(&entry.node))
                    .map(|text| Value::String(text.to_owned()));
                failed |= annotation.is_none();
                continue;
            }
            let read = reader.in_key(&entry.key, |reader| {
                let name = KeyName::new(&entry.key).map_err(|invalid| {
                    let mut finding =
                        Finding::new(invalid.rule, reader.pointer(), entry.key_span, invalid.message);
                    finding.label = invalid.label;
                    finding.help = invalid.help;
                    reader.push(finding);
                });
                let content_type = ContentType::read(&entry.node, reader);
                Some((name.ok()?, content_type?))
            });
            match read {
                Some(entry) => content_types.push(entry),
                // In the tolerant reading an unreadable content type costs that one alone.
                None => failed |= reader.mode() == Mode::Strict || entry.node.as_table().is_none(),
            }
        }
        (!failed).then(|| Self { annotation, content_types: content_types.into_iter().collect() })
    }
}

agentry_text::deserialize_by_reading!(RegistrySchema);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RegistrySchema {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RegistrySchema".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "The description of a registry: each key is the name of a content type.",
            "type": "object",
            "properties": {
                ANNOTATION: { "description": "Names the JSON Schema of this file, for editors.", "type": "string" },
            },
            "propertyNames": {
                "anyOf": [
                    generator.subschema_for::<KeyName>(),
                    { "description": "The annotation that names the JSON Schema.", "const": ANNOTATION },
                ],
            },
            "additionalProperties": generator.subschema_for::<ContentType>(),
        })
    }
}

/// One sort of file: what it is, where such files are, and what may stand in them.
#[document]
pub struct ContentType {
    /// What such a file describes.
    #[key(example = "A boat's logbook")]
    pub description: Option<Prose>,
    /// Where such files are, from the top of the registry.
    #[key(example = "logbooks/<name>/logbook.toml")]
    pub file_pattern: Option<FilePattern>,
    /// The keys at the top of such a file.
    pub fields: Option<Map<KeyName, Field>>,
    /// The tables of such a file.
    pub sections: Option<Map<KeyName, Section>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A table of a file, or a list of tables under one name.
#[document]
pub struct Section {
    /// What the table is about.
    #[key(example = "The harbor the boat belongs to")]
    pub description: Option<Prose>,
    /// Whether there may be several: `[[name]]` instead of `[name]`.
    #[key(default = false)]
    pub repeatable: Option<bool>,
    /// The keys of the table.
    pub fields: Option<Map<KeyName, Field>>,
    /// The tables inside the table.
    pub sections: Option<Map<KeyName, Self>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A key of a file or table.
#[document]
pub struct Field {
    /// What values the key takes: all keys of the field but its description.
    #[serde(flatten)]
    pub values: FieldValues,
    /// What the key means.
    #[key(example = "Length of the boat in meters")]
    pub description: Option<Prose>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What values a field takes. Default and example are of the field's type and among its options; a secret has
/// neither.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct FieldValues(FieldKeys);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for FieldValues {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FieldValues".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        FieldKeys::json_schema(generator)
    }
}

/// The keys of a field's values, each by itself.
#[document(no_new, open)]
#[cfg_attr(feature = "schema", schemars(transform = state_relations))]
struct FieldKeys {
    /// What a value is.
    #[key(rename = "type")]
    field_type: FieldType,
    /// Whether every file must have the key.
    #[key(default = false)]
    required: Option<bool>,
    /// The only values that are allowed, no two alike. For an array of strings, the only items. Not for other
    /// types. An empty list draws a warning: some readers take it for no restriction.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    options: Option<Vec<Choice>>,
    /// What an absent key means: a value of the field's type, among its options. Pointless where the key is
    /// required. A secret has none.
    #[key(example = "coast")]
    default: Option<Value>,
    /// A value to show: of the field's type, among its options. A secret has none.
    #[key(example = "river")]
    example: Option<Value>,
    /// What the items of an array are. Only for arrays; absent, nothing is said about them.
    item_type: Option<FieldType>,
    /// Whether a value may be stored and is never shown: write-only. From the specification; the LibreFang
    /// runtime does not know the key.
    #[key(default = false)]
    secret: Option<bool>,
}

options! {
    /// What a value is.
    pub enum FieldType {
        /// Text, in quotes.
        String = "string" from "specification, runtime",
        /// A number, whole or not.
        Number = "number" from "specification, runtime",
        /// True or false.
        Bool = "bool" from "specification, runtime",
        /// A list.
        Array = "array" from "specification, runtime",
        /// A table whose keys the author chooses.
        Object = "object" from "runtime",
    }
}

impl FieldType {
    /// The type of JSON that values are of; none for a type that this version does not know.
    const fn json_type(&self) -> Option<JsonType> {
        match self {
            Self::String => Some(JsonType::String),
            Self::Number => Some(JsonType::Number),
            Self::Bool => Some(JsonType::Boolean),
            Self::Array => Some(JsonType::Array),
            Self::Object => Some(JsonType::Object),
            Self::Unlisted(_) => None,
        }
    }

    /// Whether a value may be of this type. Nothing is known against a type that this version does not know.
    fn admits(&self, value: &Value) -> bool {
        self.json_type().is_none_or(|json_type| json_type.fits(value))
    }

    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|known| known.as_str() == name).cloned()
    }
}

shown_text_type! {
    /// One of the values that a field allows, on one line.
    pub struct Choice {
        pattern: r"^[^\x00-\x1f\x7f]+$",
        form: "an option: some text on one line",
        example: "coast",
    }
}

shown_text_type! {
    /// Where files of a sort are: a relative path with `/`, in which `<name>` stands for any name and `*` for any
    /// text, both within one folder or file name; a part `**` stands for any number of folders. No part is `..`
    /// or starts with a dot.
    pub struct FilePattern {
        pattern: concat!(
            r"^(<[A-Za-z0-9_-]+>|[A-Za-z0-9_*-])(<[A-Za-z0-9_-]+>|[A-Za-z0-9_.*-])*",
            r"(/(<[A-Za-z0-9_-]+>|[A-Za-z0-9_*-])(<[A-Za-z0-9_-]+>|[A-Za-z0-9_.*-])*)*$"
        ),
        form: "a file pattern: a relative path with `/`, in which `<name>` and `*` stand for any name",
        example: "agents/<name>/agent.toml",
    }
}

impl FilePattern {
    /// Whether a relative path with `/` is one of those that the pattern stands for.
    pub fn admits(&self, path: &str) -> bool {
        let pattern: Vec<&str> = self.as_str().split('/').collect();
        let path: Vec<&str> = path.split('/').collect();
        // How much of the path the pattern so far stands for, each possible length: a part `**` has several.
        let mut reached = vec![false; path.len() + 1];
        reached[0] = true;
        for part in pattern {
            let mut next = vec![false; path.len() + 1];
            for length in 0..=path.len() {
                if part == "**" {
                    next[length] = reached[length] || length > 0 && next[length - 1];
                } else if length > 0 {
                    next[length] = reached[length - 1] && part_matches(part, path[length - 1]);
                }
            }
            reached = next;
        }
        reached[path.len()]
    }
}

/// Whether a folder or file name matches its part of a pattern. A placeholder stands for one character or more.
fn part_matches(pattern: &str, part: &str) -> bool {
    let mut literals = Vec::new();
    let mut rest = pattern;
    while let Some(start) = rest.find(['<', '*']) {
        literals.push(&rest[..start]);
        let close = if rest[start..].starts_with('<') { '>' } else { '*' };
        // The form of a pattern closes every `<`.
        let end = rest[start..].find(close).map_or(start, |end| start + end);
        rest = &rest[end + 1..];
    }
    let Some((first, middle)) = literals.split_first() else { return pattern == part };
    let Some(mut open) = part.strip_prefix(first).and_then(|open| open.strip_suffix(rest)) else {
        return false;
    };
    // The leftmost place is as good as any: it leaves most to what follows.
    for literal in middle {
        let Some(placeholder) = open.chars().next() else { return false };
        let after = &open[placeholder.len_utf8()..];
        let Some(found) = after.find(literal) else { return false };
        open = &after[found + literal.len()..];
    }
    !open.is_empty()
}

impl FieldValues {
    /// Values of a type, without further limits.
    pub fn new(field_type: FieldType) -> Self {
        Self(FieldKeys {
            field_type,
            required: None,
            options: None,
            default: None,
            example: None,
            item_type: None,
            secret: None,
        })
    }

    /// What a value is.
    pub fn field_type(&self) -> &FieldType {
        &self.0.field_type
    }

    /// Whether every file must have the key; false where nothing is said.
    pub fn is_required(&self) -> bool {
        self.0.required()
    }

    /// The only values, or items, that are allowed; none where nothing is said.
    pub fn options(&self) -> Option<&[Choice]> {
        self.0.options.as_deref()
    }

    /// What an absent key means.
    pub fn default(&self) -> Option<&Value> {
        self.0.default.as_ref()
    }

    /// A value to show.
    pub fn example(&self) -> Option<&Value> {
        self.0.example.as_ref()
    }

    /// What the items of an array are.
    pub fn item_type(&self) -> Option<&FieldType> {
        self.0.item_type.as_ref()
    }

    /// Whether a value is write-only; false where nothing is said.
    pub fn is_secret(&self) -> bool {
        self.0.secret()
    }

    /// The same, said to be required or not.
    #[must_use]
    pub fn with_required(mut self, required: bool) -> Self {
        self.0.required = Some(required);
        self
    }

    /// The same with options, if they and what was set before allow each other.
    pub fn with_options(mut self, options: Vec<Choice>) -> Result<Self, Invalid> {
        self.0.options = Some(options);
        self.checked()
    }

    /// The same with a default, if it and what was set before allow each other.
    pub fn with_default(mut self, default: Value) -> Result<Self, Invalid> {
        self.0.default = Some(default);
        self.checked()
    }

    /// The same with an example, if it and what was set before allow each other.
    pub fn with_example(mut self, example: Value) -> Result<Self, Invalid> {
        self.0.example = Some(example);
        self.checked()
    }

    /// The same with a type of items, if it and what was set before allow each other.
    pub fn with_item_type(mut self, item_type: FieldType) -> Result<Self, Invalid> {
        self.0.item_type = Some(item_type);
        self.checked()
    }

    /// The same, said to be a secret or not, if it and what was set before allow each other.
    pub fn with_secret(mut self, secret: bool) -> Result<Self, Invalid> {
        self.0.secret = Some(secret);
        self.checked()
    }

    fn checked(self) -> Result<Self, Invalid> {
        let keys = &self.0;
        let relations = Relations {
            field_type: Some(keys.field_type.clone()),
            required: keys.required(),
            options: keys.options.iter().flatten().map(Choice::as_str).collect(),
            has_options: keys.options.is_some(),
            default: keys.default.clone(),
            example: keys.example.clone(),
            item_type: keys.item_type.clone(),
            has_item_type: keys.item_type.is_some(),
            secret: keys.secret(),
        };
        let error =
            relations.faults().into_iter().find(|(_, invalid)| invalid.rule.severity == Severity::Error);
        match error {
            Some((_, invalid)) => Err(invalid),
            None => Ok(self),
        }
    }
}

impl ReadKeys for FieldValues {
    fn keys(keys: &mut Vec<Key>) {
        FieldKeys::keys(keys);
    }

    fn read_keys<'t>(fields: &mut Fields<'t>, reader: &mut Reader<'t>) -> Option<Self> {
        let keys = FieldKeys::read_keys(fields, reader);
        let relations = Relations::of(fields);
        if relations.secret {
            for entry in ["default", "example"].into_iter().filter_map(|key| fields.peek(key)) {
                reader.secret(&entry.node);
            }
        }
        let mut held = true;
        for (key, invalid) in relations.faults() {
            let Some(entry) = fields.peek(key) else { continue };
            held &= invalid.rule.severity < Severity::Error;
            reader.in_key(&entry.key, |reader| reader.invalid(&entry.node, &invalid));
        }
        if held { keys.map(Self) } else { None }
    }
}

/// What the keys of a field say about each other. Taken from the tree when a file is read, so that one unreadable
/// key does not hide what is wrong with another.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of a key, independent of the others")]
struct Relations<'v> {
    field_type: Option<FieldType>,
    required: bool,
    options: Vec<&'v str>,
    has_options: bool,
    default: Option<Value>,
    example: Option<Value>,
    item_type: Option<FieldType>,
    has_item_type: bool,
    secret: bool,
}

impl<'t> Relations<'t> {
    fn of(fields: &Fields<'t>) -> Self {
        let node = |key: &str| fields.peek(key).map(|entry| &entry.node);
        let type_of = |key: &str| node(key).and_then(Node::as_str).and_then(FieldType::of_name);
        let flag = |key: &str| node(key).is_some_and(|node| node.kind == agentry_text::Kind::Bool(true));
        let options = match node("options").map(|node| &node.kind) {
            Some(agentry_text::Kind::Array(items)) => items.iter().filter_map(Node::as_str).collect(),
            _ => Vec::new(),
        };
        Self {
            field_type: type_of("type"),
            required: flag("required"),
            options,
            has_options: node("options").is_some(),
            default: node("default").map(Value::from),
            example: node("example").map(Value::from),
            item_type: type_of("item_type"),
            has_item_type: node("item_type").is_some(),
            secret: flag("secret"),
        }
    }

    /// What contradicts what: the key to blame, and why.
    fn faults(&self) -> Vec<(&'static str, Invalid)> {
        let mut faults = Vec::new();
        self.options_faults(&mut faults);
        if let Some(field_type) = &self.field_type
            && self.has_item_type
            && !matches!(field_type, FieldType::Array | FieldType::Unlisted(_))
        {
            let text = format!("only an array has items, and the field is of type `{field_type}`");
            let invalid = Invalid::new(&agentry_text::rules::CONFLICTING_KEYS, text)
                .label("not for this type")
                .help("delete it, or set `type` to `array`");
            faults.push(("item_type", invalid));
        }
        self.value_faults("default", self.default.as_ref(), &rules::DEFAULT_MISMATCH, &mut faults);
        self.value_faults("example", self.example.as_ref(), &rules::EXAMPLE_MISMATCH, &mut faults);
        if self.required && self.default.is_some() && !self.secret {
            let invalid = Invalid::new(&rules::POINTLESS_KEY, "a required key has no use for a default")
                .label("never used")
                .help("delete the default, or set `required` to false");
            faults.push(("default", invalid));
        }
        faults
    }

    fn options_faults(&self, faults: &mut Vec<(&'static str, Invalid)>) {
        if !self.has_options {
            return;
        }
        let wrong = [&self.field_type, &self.item_type]
            .into_iter()
            .flatten()
            .find(|named| !takes_options(named) && **named != FieldType::Array);
        // Arrays in an array are no strings either.
        let wrong = wrong.or(self.item_type.as_ref().filter(|named| **named == FieldType::Array));
        if let Some(named) = wrong {
            let text = format!("options are strings, and a value of type `{named}` is none");
            let invalid = Invalid::new(&agentry_text::rules::CONFLICTING_KEYS, text)
                .label("not for this type")
                .help("delete the options, or make it a string or an array of strings");
            faults.push(("options", invalid));
        }
        let mut seen = std::collections::HashSet::new();
        if let Some(twice) = self.options.iter().find(|option| !seen.insert(**option)) {
            let text = format!("{} is there twice", quoted(twice));
            let invalid = Invalid::new(&agentry_text::rules::DUPLICATE_ENTRY, text)
                .label("an option is there twice")
                .help("delete one of the two");
            faults.push(("options", invalid));
        }
        if self.options.is_empty() {
            let text = "an empty list of options allows nothing, and some readers take it for no restriction";
            let invalid = Invalid::new(&rules::EMPTY_LIST, text)
                .label("no options")
                .help("name the options, or delete the key");
            faults.push(("options", invalid));
        }
    }

    fn value_faults(
        &self,
        key: &'static str,
        value: Option<&Value>,
        rule: &'static agentry_text::Rule,
        faults: &mut Vec<(&'static str, Invalid)>,
    ) {
        let Some(value) = value else { return };
        let mut fault = |message: String, label: &str, help: String| {
            faults.push((key, Invalid::new(rule, message).label(label).help(help)));
        };
        if self.secret {
            // Never says what the value is.
            let invalid = Invalid::new(
                &agentry_text::rules::CONFLICTING_KEYS,
                format!("a secret is never shown, so it has no {key}"),
            )
            .label("a secret has none")
            .help("delete it: what a secret looks like can be said in `description`");
            faults.push((key, invalid));
            return;
        }
        let Some(field_type) = &self.field_type else { return };
        if let Some(json_type) = field_type.json_type().filter(|json_type| !json_type.fits(value)) {
            return fault(
                format!("the {key} is not {}, and the field is of type `{field_type}`", json_type.phrase()),
                &format!("expected {}", json_type.phrase()),
                format!("{}, or change `type`", json_type.how()),
            );
        }
        let items = match value {
            Value::Array(items) if *field_type == FieldType::Array => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        if *field_type == FieldType::Array
            && let Some(item_type) = &self.item_type
            && let Some(place) = items.iter().position(|item| !item_type.admits(item))
        {
            return fault(
                format!(
                    "item {} of the {key} is not of type `{item_type}`, which `item_type` names",
                    place + 1
                ),
                "an item of another type",
                "make all items of one type, or change `item_type`".to_owned(),
            );
        }
        if self.options.is_empty() || !(takes_options(field_type) || *field_type == FieldType::Array) {
            return;
        }
        let stray = items
            .iter()
            .find(|item| !matches!(item, Value::String(text) if self.options.contains(&text.as_str())));
        match stray {
            None => {}
            Some(Value::String(text)) => {
                let near = agentry_text::nearest(text, self.options.iter().copied());
                fault(
                    format!("{} is not one of the field's options", quoted(text)),
                    "not one of the options",
                    near.map_or("name one of the options, or add it to them".to_owned(), |near| {
                        format!("did you mean {}?", quoted(near))
                    }),
                );
            }
            Some(_) => fault(
                format!("an item of the {key} is not one of the field's options"),
                "not one of the options",
                "name one of the options".to_owned(),
            ),
        }
    }
}

/// Whether single values of a type may be limited to some strings.
fn takes_options(field_type: &FieldType) -> bool {
    matches!(field_type, FieldType::String | FieldType::Unlisted(_))
}

#[cfg(feature = "schema")]
fn state_relations(schema: &mut schemars::Schema) {
    use schemars::{Schema, json_schema};
    let rule = |named: &[(&str, &str)], mut then: Schema, without: &[&str]| {
        if !without.is_empty() {
            let there: Vec<_> = without.iter().map(|key| agentry_text::required(&[key])).collect();
            then.insert("not".to_owned(), json_schema!({ "anyOf": there }).to_value());
        }
        let keys: Vec<&str> = named.iter().map(|(key, _)| *key).collect();
        let mut values = json_schema!({});
        for (key, text) in named {
            values.insert((*key).to_owned(), json_schema!({ "const": text }).to_value());
        }
        json_schema!({ "if": { "properties": values, "required": keys }, "then": then })
    };
    let mut statements = Vec::new();
    for field_type in FieldType::ALL {
        let Some(json_type) = field_type.json_type().map(JsonType::name) else { continue };
        let values = json_schema!({ "properties": { "default": { "type": json_type }, "example": { "type": json_type } } });
        let without: &[&str] = match field_type {
            FieldType::String => &["item_type"],
            FieldType::Array => &[],
            _ => &["options", "item_type"],
        };
        let own = ("type", field_type.as_str());
        statements.push(rule(&[own], values, without));

        let items = json_schema!({ "type": "array", "items": { "type": json_type } });
        let values = json_schema!({ "properties": { "default": items, "example": items } });
        // Of the values of a newer type nothing is known, whatever its items are.
        let item = ("item_type", field_type.as_str());
        statements.push(rule(&[("type", FieldType::Array.as_str()), item], values, &[]));
        if !takes_options(field_type) {
            statements.push(rule(&[item], json_schema!({}), &["options"]));
        }
    }
    let values = ["default", "example"].map(|key| agentry_text::required(&[key]));
    statements.push(json_schema!({
        "if": { "properties": { "secret": { "const": true } }, "required": ["secret"] },
        "then": { "not": { "anyOf": values } },
    }));
    let statements: Vec<_> = statements.into_iter().map(Schema::to_value).collect();
    schema.insert("allOf".to_owned(), statements.into());
}

impl ContentType {
    /// The section that a dotted path leads to, such as `model` or `settings.options`.
    pub fn section(&self, path: &str) -> Option<&Section> {
        section_of(self.sections.as_ref(), path)
    }

    /// The field that a dotted path leads to, such as `name` or `model.system_prompt`.
    pub fn field(&self, path: &str) -> Option<&Field> {
        field_of(self.fields.as_ref(), self.sections.as_ref(), path)
    }

    /// Every field with its dotted path: those of a table before those of the tables inside it.
    pub fn all_fields(&self) -> Vec<(String, &Field)> {
        let mut found = Vec::new();
        gather_fields(self.fields.as_ref(), self.sections.as_ref(), "", &mut found);
        found
    }
}

impl Section {
    /// The section inside this one that a dotted path leads to.
    pub fn section(&self, path: &str) -> Option<&Self> {
        section_of(self.sections.as_ref(), path)
    }

    /// The field of this section, or of one inside it, that a dotted path leads to.
    pub fn field(&self, path: &str) -> Option<&Field> {
        field_of(self.fields.as_ref(), self.sections.as_ref(), path)
    }
}

/// The sections whose name begins a dotted path, each with the rest of it. Names may hold dots themselves.
fn below<'s, 'p>(
    sections: Option<&'s Map<KeyName, Section>>,
    path: &'p str,
) -> impl Iterator<Item = (&'s Section, &'p str)> {
    sections.into_iter().flatten().filter_map(move |(name, section)| {
        let rest = path.strip_prefix(name.as_str())?.strip_prefix('.')?;
        Some((section, rest))
    })
}

fn section_of<'s>(sections: Option<&'s Map<KeyName, Section>>, path: &str) -> Option<&'s Section> {
    let here = sections.and_then(|sections| sections.get(path));
    here.or_else(|| below(sections, path).find_map(|(section, rest)| section.section(rest)))
}

fn field_of<'s>(
    fields: Option<&'s Map<KeyName, Field>>,
    sections: Option<&'s Map<KeyName, Section>>,
    path: &str,
) -> Option<&'s Field> {
    let here = fields.and_then(|fields| fields.get(path));
    here.or_else(|| below(sections, path).find_map(|(section, rest)| section.field(rest)))
}

fn gather_fields<'s>(
    fields: Option<&'s Map<KeyName, Field>>,
    sections: Option<&'s Map<KeyName, Section>>,
    prefix: &str,
    found: &mut Vec<(String, &'s Field)>,
) {
    found.extend(fields.into_iter().flatten().map(|(name, field)| (format!("{prefix}{name}"), field)));
    for (name, section) in sections.into_iter().flatten() {
        let prefix = format!("{prefix}{name}.");
        gather_fields(section.fields.as_ref(), section.sections.as_ref(), &prefix, found);
    }
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::{Choice, FieldType, FieldValues, FilePattern, RegistrySchema};
    use agentry_text::{Mode, Severity, Value};

    /// What a field of these lines draws: severity, rule, and the key below the field.
    fn found(lines: &str, mode: Mode) -> (bool, Vec<(Severity, &'static str, String)>) {
        let text = format!("[boat.fields.x]\n{lines}\n");
        let reading = agentry_text::read_document::<RegistrySchema>(&agentry_text::toml::parse(&text), mode);
        let findings = reading
            .findings
            .iter()
            .map(|finding| {
                let key = finding.pointer.strip_prefix("/boat/fields/x").unwrap_or(&finding.pointer);
                (finding.severity, finding.rule.name, key.to_owned())
            })
            .collect();
        (reading.value.is_some(), findings)
    }

    #[test]
    fn a_field_is_consistent() {
        const OPTIONS: &str = "options = [\"coast\", \"lake\"]\n";
        let error = |rule, key| Some((Severity::Error, rule, key));
        let warning = |rule, key| Some((Severity::Warning, rule, key));
        for (lines, expected) in [
            ("type = \"string\"\nrequired = true\nexample = \"x\"", None),
            ("type = \"string\"\ndefault = \"\"", None),
            ("type = \"number\"\ndefault = 1\nexample = 0.5", None),
            ("type = \"bool\"\ndefault = false", None),
            ("type = \"array\"\nexample = [1, \"a\", true]", None),
            ("type = \"array\"\nitem_type = \"number\"\nexample = [1, 2.5]", None),
            ("type = \"array\"\nitem_type = \"object\"\nexample = [{ a = 1 }]", None),
            ("type = \"object\"\nexample = { a = 1 }", None),
            ("type = \"string\"\nsecret = true", None),
            ("type = \"string\"\nsecret = false\nexample = \"x\"", None),
            (&format!("type = \"string\"\n{OPTIONS}default = \"lake\""), None),
            (&format!("type = \"array\"\n{OPTIONS}default = [\"lake\", \"coast\"]"), None),
            ("required = true", error("missing-key", "")),
            ("type = \"text\"", error("unknown-option", "/type")),
            ("type = \"string\"\ndefault = 1", error("default-mismatch", "/default")),
            ("type = \"string\"\ndefault = 2026-01-01", error("default-mismatch", "/default")),
            ("type = \"string\"\nexample = 1", error("example-mismatch", "/example")),
            ("type = \"number\"\ndefault = \"1\"", error("default-mismatch", "/default")),
            ("type = \"bool\"\ndefault = \"true\"", error("default-mismatch", "/default")),
            ("type = \"array\"\nexample = \"a\"", error("example-mismatch", "/example")),
            ("type = \"object\"\nexample = []", error("example-mismatch", "/example")),
            (
                "type = \"array\"\nitem_type = \"string\"\nexample = [\"a\", 1]",
                error("example-mismatch", "/example"),
            ),
            (
                &format!("type = \"string\"\n{OPTIONS}default = \"sea\""),
                error("default-mismatch", "/default"),
            ),
            (
                &format!("type = \"string\"\n{OPTIONS}example = \"sea\""),
                error("example-mismatch", "/example"),
            ),
            (
                &format!("type = \"array\"\n{OPTIONS}default = [\"sea\"]"),
                error("default-mismatch", "/default"),
            ),
            (&format!("type = \"array\"\n{OPTIONS}default = [1]"), error("default-mismatch", "/default")),
            (&format!("type = \"number\"\n{OPTIONS}"), error("conflicting-keys", "/options")),
            (
                &format!("type = \"array\"\nitem_type = \"number\"\n{OPTIONS}"),
                error("conflicting-keys", "/options"),
            ),
            (
                &format!("type = \"array\"\nitem_type = \"array\"\n{OPTIONS}"),
                error("conflicting-keys", "/options"),
            ),
            ("type = \"string\"\nitem_type = \"string\"", error("conflicting-keys", "/item_type")),
            ("type = \"string\"\noptions = [\"a\", \"a\"]", error("duplicate-entry", "/options")),
            ("type = \"string\"\nsecret = true\ndefault = \"x\"", error("conflicting-keys", "/default")),
            ("type = \"string\"\nsecret = true\nexample = 1", error("conflicting-keys", "/example")),
            ("type = \"string\"\noptions = []\ndefault = \"x\"", warning("empty-list", "/options")),
            ("type = \"bool\"\nrequired = true\ndefault = true", warning("pointless-key", "/default")),
            ("type = \"bool\"\ndefualt = true", warning("unknown-key", "")),
            // One unreadable key does not hide the others.
            ("type = \"string\"\ndefault = 1\nsecret = 0", error("default-mismatch", "/default")),
        ] {
            let (read, findings) = found(lines, Mode::Strict);
            let expected_findings: Vec<_> =
                expected.into_iter().map(|(severity, rule, key)| (severity, rule, key.to_owned())).collect();
            if lines.ends_with("secret = 0") {
                assert_eq!(findings[..1], expected_findings, "{lines}");
            } else {
                assert_eq!(findings, expected_findings, "{lines}");
            }
            assert_eq!(read, expected.is_none_or(|(severity, ..)| severity < Severity::Error), "{lines}");
        }
    }

    #[test]
    fn a_runtime_keeps_types_that_it_does_not_know() {
        let (read, findings) =
            found("type = \"date\"\nexample = 2026-01-01\noptions = [\"a\"]", Mode::Tolerant);
        assert!(read);
        // The example is not among the options, and nobody here can say what a date is.
        assert_eq!(findings, [(Severity::Warning, "unknown-option", "/type".to_owned())]);
    }

    #[test]
    fn a_secret_is_not_shown() {
        let text = "[a.fields.key]\ntype = \"string\"\nsecret = true\nexample = \"hunter2-hunter2\"\n";
        let reading = agentry_text::toml::read::<RegistrySchema>(text);
        let [secret] = reading.secrets[..] else { panic!("one secret: {:?}", reading.secrets) };
        assert_eq!(&text[secret.start..secret.end], "\"hunter2-hunter2\"");
        assert!(!format!("{:?}", reading.findings).contains("hunter2"));
    }

    #[test]
    fn values_are_built_as_they_are_read() {
        let text = |text: &str| Value::String(text.to_owned());
        let choices =
            || vec![Choice::new("coast").expect("a choice"), Choice::new("lake").expect("a choice")];
        let string = || FieldValues::new(FieldType::String);
        for (name, built, good) in [
            ("default", string().with_default(text("x")), true),
            ("number", string().with_default(Value::Integer(1)), false),
            ("among", string().with_options(choices()).and_then(|s| s.with_default(text("lake"))), true),
            ("not among", string().with_options(choices()).and_then(|s| s.with_default(text("sea"))), false),
            (
                "options later",
                string().with_example(text("sea")).and_then(|s| s.with_options(choices())),
                false,
            ),
            ("item type", string().with_item_type(FieldType::String), false),
            ("items", FieldValues::new(FieldType::Array).with_item_type(FieldType::String), true),
            ("secret", string().with_secret(true).and_then(|s| s.with_example(text("x"))), false),
            ("pointless", string().with_required(true).with_default(text("x")), true),
        ] {
            assert_eq!(built.is_ok(), good, "{name}: {built:?}");
        }
    }

    #[test]
    fn fields_and_sections_are_found_by_path() {
        let schema: RegistrySchema = agentry_text::toml::from_str(
            "\"$schema\" = \"x\"\n[boat]\nfile_pattern = \"boats/<name>/boat.toml\"\n\
             [boat.fields.name]\ntype = \"string\"\n\
             [boat.sections.home.fields.harbor]\ntype = \"string\"\n\
             [boat.sections.log]\nrepeatable = true\n\
             [boat.sections.log.sections.\"a.b\".fields.\"c.d\"]\ntype = \"bool\"\n",
        )
        .expect("valid");
        let boat = schema.get("boat").expect("a content type");
        for (path, there) in [
            ("name", true),
            ("home.harbor", true),
            ("log.a.b.c.d", true),
            ("harbor", false),
            ("home", false),
            ("log.a", false),
            ("", false),
            ("home.harbor.x", false),
        ] {
            assert_eq!(boat.field(path).is_some(), there, "field {path}");
        }
        for (path, there) in
            [("home", true), ("log", true), ("log.a.b", true), ("log.a", false), ("name", false)]
        {
            assert_eq!(boat.section(path).is_some(), there, "section {path}");
        }
        assert!(boat.section("log").is_some_and(super::Section::repeatable));
        let paths: Vec<_> = boat.all_fields().into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["name", "home.harbor", "log.a.b.c.d"]);
        assert_eq!(schema.of_path("boats/curlew/boat.toml").count(), 1);
        let text = agentry_text::toml::to_string(&schema).expect("written");
        assert_eq!(agentry_text::toml::from_str::<RegistrySchema>(&text).expect("read again"), schema);
    }

    #[test]
    fn the_root_holds_content_types_only() {
        for (text, rule, pointer) in [
            ("version = 1\n[boat]\n", "wrong-type", "/version"),
            ("\"$schema\" = 1\n[boat]\n", "wrong-type", "/$schema"),
            ("[\"a b\"]\n", "invalid-value", "/a b"),
            ("[[boat]]\n", "wrong-type", "/boat"),
            ("[boat]\nfile_pattern = \"../x\"\n", "invalid-value", "/boat/file_pattern"),
            ("[boat.fields]\nname = \"string\"\n", "wrong-type", "/boat/fields/name"),
            ("[boat.sections.a.sections]\nb = 1\n", "wrong-type", "/boat/sections/a/sections/b"),
        ] {
            let error = agentry_text::toml::from_str::<RegistrySchema>(text).expect_err(text);
            let [finding] = error.findings() else { panic!("{text}: {error:?}") };
            assert_eq!((finding.rule.name, finding.pointer.as_str()), (rule, pointer), "{text}");
        }
    }

    #[test]
    fn file_patterns_stay_in_the_registry_and_match() {
        for (pattern, good) in [
            ("providers/*.toml", true),
            ("agents/<name>/agent.toml", true),
            ("aliases.toml", true),
            ("<kind>-<name>.toml", true),
            ("**/x.toml", true),
            ("", false),
            ("/a", false),
            ("a/", false),
            ("../a", false),
            ("a/../b", false),
            (".git/x", false),
            ("a//b", false),
            ("a\\b", false),
            ("c:/x", false),
            ("<name", false),
            ("<>.toml", false),
        ] {
            assert_eq!(FilePattern::new(pattern).is_ok(), good, "{pattern}");
        }
        for (pattern, path, matches) in [
            ("providers/*.toml", "providers/acme.toml", true),
            ("providers/*.toml", "providers/a.b.toml", true),
            ("providers/*.toml", "providers/.toml", false),
            ("providers/*.toml", "providers/a/b.toml", false),
            ("providers/*.toml", "providers/acme.toml.bak", false),
            ("agents/<name>/agent.toml", "agents/coder/agent.toml", true),
            ("agents/<name>/agent.toml", "agents/agent.toml", false),
            ("agents/<name>/agent.toml", "agents//agent.toml", false),
            ("<a>-<b>.toml", "x-y.toml", true),
            ("<a>-<b>.toml", "--y.toml", true),
            ("<a>-<b>.toml", "-y.toml", false),
            ("<a>-<b>.toml", "xy.toml", false),
            ("<a>.toml", "\u{e9}.toml", true),
            ("a*a", "a", false),
            ("a*a", "aa", false),
            ("a*a", "aba", true),
            ("**/x.toml", "x.toml", true),
            ("**/x.toml", "a/b/x.toml", true),
            ("a/**", "a/b/c", true),
            ("a/**", "b", false),
        ] {
            assert_eq!(FilePattern::new(pattern).expect("good").admits(path), matches, "{pattern} {path}");
        }
    }
}
