//! `[[settings]]` of a hand: what a user can set.

use crate::rules;
use crate::values::{Command, EnvVar, KeyName, Label, Prose};
use agentry_macros::document;
use agentry_text::{
    Condition, Extra, Fields, Finding, Invalid, Key, ReadKeys, Reader, Unique, UniqueBy, When, nearest,
    options, quoted, shown_text_type,
};
use serde::Serialize;

/// Something about a hand that a user can set. The agents are told the value.
#[document]
pub struct Setting {
    /// The setting's key. No two settings of a hand share one.
    #[key(example = "report_language")]
    pub key: KeyName,
    /// The name that people see.
    #[key(example = "Language of the report")]
    pub label: Label,
    /// What it changes.
    pub description: Option<Prose>,
    /// What can be entered: `setting_type`, `default` and `options`.
    #[serde(flatten)]
    pub input: SettingInput,
    /// The name of the environment variable under which programs find the value. Published files and the LibreFang
    /// runtime.
    pub env_var: Option<EnvVar>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl UniqueBy for Setting {
    const KEY: &'static str = "key";

    fn unique_value(&self) -> &str {
        self.key.as_str()
    }
}

/// What can be entered for a setting. Its keys obey rules together:
///
/// * a select has options, at least one, and its default is the value of one of them;
/// * a toggle's default is `true` or `false`, and a number's default is a number, always in quotes;
/// * no two options share a value;
/// * options of anything but a select are kept, with a warning.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct SettingInput(Keys);

/// The keys of a `SettingInput`, with what a schema can say of them.
#[document(no_new, open, conditions(HAS_OPTIONS, TOGGLE_DEFAULT, NUMBER_DEFAULT))]
struct Keys {
    /// What sort of value it is.
    setting_type: SettingType,
    /// The value before a user sets one, always as a string. Of a select, the value of one of its options; of a
    /// toggle, `true` or `false`; of a number, a number in quotes; of a text, any text, also an empty one.
    #[key(example = "true")]
    default: Option<SettingValue>,
    /// What a select offers; at least one option. No two share a value.
    options: Option<Unique<SettingOption>>,
}

const HAS_OPTIONS: Condition = Condition::RequiresEntries {
    when: When { path: &["setting_type"], is: &["select"], or_absent: false },
    key: "options",
    why: "a select needs something to choose from",
};

const TOGGLE_DEFAULT: Condition = Condition::Matches {
    when: When { path: &["setting_type"], is: &["toggle"], or_absent: false },
    key: "default",
    pattern: "^(true|false)$",
    form: "the default of a toggle: `true` or `false`, in quotes",
    example: "true",
};

const NUMBER_DEFAULT: Condition = Condition::Matches {
    when: When { path: &["setting_type"], is: &["number"], or_absent: false },
    key: "default",
    pattern: r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$",
    form: "the default of a number: digits, in quotes",
    example: "10",
};

impl SettingInput {
    /// What is asked for that JSON Schema cannot state: the rule `default-mismatch`.
    pub const BEYOND_SCHEMA: &'static str = "the default of a select is the value of one of its options";

    /// Any text, with a default or without.
    pub fn text(default: Option<SettingValue>) -> Self {
        Self(Keys { setting_type: SettingType::Text, default, options: None })
    }

    /// On or off.
    pub fn toggle(default: Option<bool>) -> Self {
        let default = default.map(|on| SettingValue(if on { "true" } else { "false" }.to_owned()));
        Self(Keys { setting_type: SettingType::Toggle, default, options: None })
    }

    /// A number, with a whole one as default or without.
    pub fn number(default: Option<i64>) -> Self {
        let default = default.map(|number| SettingValue(number.to_string()));
        Self(Keys { setting_type: SettingType::Number, default, options: None })
    }

    /// One of some options. Refused without options, and with a default that is none of them.
    pub fn select(options: Unique<SettingOption>, default: Option<SettingValue>) -> Result<Self, Invalid> {
        if options.is_empty() {
            return Err(Invalid::new(&agentry_text::rules::INVALID_VALUE, "a select needs options"));
        }
        if let Some(default) = &default
            && options.iter().all(|option| option.value != *default)
        {
            return Err(mismatch(default.as_str(), options.iter().map(|option| option.value.as_str())));
        }
        Ok(Self(Keys { setting_type: SettingType::Select, default, options: Some(options) }))
    }

    /// What sort of value it is.
    pub fn setting_type(&self) -> &SettingType {
        &self.0.setting_type
    }

    /// The value before a user sets one.
    pub fn default(&self) -> Option<&SettingValue> {
        self.0.default.as_ref()
    }

    /// What a select offers; empty for anything else, unless the file says otherwise.
    pub fn options(&self) -> &[SettingOption] {
        self.0.options.as_deref().unwrap_or_default()
    }

    /// Checks what no schema can say: against the tree, so that an option that cannot be read hides nothing.
    fn check_default<'t>(fields: &Fields<'t>, reader: &mut Reader<'t>) -> bool {
        let is_select = fields.peek("setting_type").and_then(|entry| entry.node.as_str()) == Some("select");
        let (Some(default), Some(options)) = (fields.peek("default"), fields.peek("options")) else {
            return true;
        };
        let agentry_text::Kind::Array(options) = &options.node.kind else { return true };
        let values: Vec<&str> =
            options.iter().filter_map(|option| option.get("value")?.node.as_str()).collect();
        let Some(text) = default.node.as_str() else { return true };
        if !is_select || values.is_empty() {
            return true;
        }
        if values.contains(&text) {
            // It may name an option that the tolerant reading lost, which has been reported.
            let is_meant = |option: &agentry_text::Node| {
                option.get("value").is_some_and(|entry| entry.node.as_str() == Some(text))
            };
            let mut meant = options.iter().enumerate().filter(|(_, option)| is_meant(option));
            return !meant.all(|(index, _)| reader.lost_entry("options", index));
        }
        let invalid = mismatch(text, values.iter().copied());
        reader.in_key(&default.key, |reader| reader.invalid(&default.node, &invalid));
        false
    }

    fn remark_options<'t>(fields: &Fields<'t>, reader: &mut Reader<'t>) {
        let setting_type = fields.peek("setting_type").and_then(|entry| entry.node.as_str());
        let known = setting_type.filter(|text| {
            *text != "select" && SettingType::ALL.iter().any(|option| option.as_str() == *text)
        });
        if let (Some(setting_type), Some(options)) = (known, fields.peek("options")) {
            reader.push(
                Finding::new(
                    &rules::POINTLESS_KEY,
                    format!("{}/options", reader.pointer()),
                    options.key_span,
                    format!("a {setting_type} has no options: only a select does"),
                )
                .label("nobody reads these")
                .help("write `setting_type = \"select\"`, or delete the options"),
            );
        }
    }
}

fn mismatch<'v>(default: &str, values: impl Iterator<Item = &'v str>) -> Invalid {
    let values: Vec<&str> = values.collect();
    let help = if let Some(near) = nearest(default, values.iter().copied()) {
        format!("did you mean {}?", quoted(near))
    } else {
        let shown: Vec<String> = values.iter().map(|value| quoted(value)).collect();
        format!("the options are {}", shown.join(", "))
    };
    Invalid::new(
        &rules::DEFAULT_MISMATCH,
        format!("the default {} is the value of none of the options", quoted(default)),
    )
    .label("not one of the options")
    .help(help)
}

impl ReadKeys for SettingInput {
    fn keys(keys: &mut Vec<Key>) {
        Keys::keys(keys);
    }

    fn read_keys<'t>(fields: &mut Fields<'t>, reader: &mut Reader<'t>) -> Option<Self> {
        let keys = Keys::read_keys(fields, reader);
        let fits = Self::check_default(fields, reader);
        Self::remark_options(fields, reader);
        keys.filter(|_| fits).map(Self)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for SettingInput {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SettingInput".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <Keys as schemars::JsonSchema>::json_schema(generator)
    }
}

options! {
    /// What sort of value a setting has.
    pub enum SettingType {
        /// On or off.
        Toggle = "toggle" from "specification, runtime",
        /// One of some options.
        Select = "select" from "specification, runtime",
        /// Any text.
        Text = "text" from "specification, runtime",
        /// A number. The runtime does not know this sort.
        Number = "number" from "specification",
    }
}

/// Something that a select offers.
#[document]
pub struct SettingOption {
    /// The value that the agents are told. No two options of a setting share one.
    #[key(example = "en")]
    pub value: SettingValue,
    /// The name that people see.
    #[key(example = "English")]
    pub label: Label,
    /// The name of an environment variable: the option is shown as ready when it is set. Published files and the
    /// LibreFang runtime.
    pub provider_env: Option<EnvVar>,
    /// A program: the option is shown as ready when it is found. Published files and the LibreFang runtime.
    pub binary: Option<Command>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl UniqueBy for SettingOption {
    const KEY: &'static str = "value";

    fn unique_value(&self) -> &str {
        self.value.as_str()
    }
}

shown_text_type! {
    /// The value of a setting, always as text, whatever its sort. It may be empty.
    pub struct SettingValue {
        pattern: r"^[^\x00]*$",
        form: "a value: any text without a zero byte",
        example: "",
    }
}
