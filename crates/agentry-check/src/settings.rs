//! `agentry.toml`: how much the rules weigh in a registry, and which of its files are not looked at.
//!
//! The nearest `agentry.toml` above a file decides for it, up to the folder that holds `.git`; several are never joined,
//! so that a file is judged alike whichever path was named. It is read as strictly as any document: an error in it is
//! a finding, and then nothing in it counts. A file of this name where a kind has its files (`mcp/agentry.toml`) is a
//! manifest.

use agentry_macros::document;
use agentry_text::{
    Invalid, Kind, Map, Node, Read, Reader, Rule, Severity, nearest, options, quoted, rules, shown_text_type,
};
use ignore::gitignore::GitignoreBuilder;
use serde::{Serialize, Serializer};
use std::hash::{Hash, Hasher};

/// The name of the file.
pub const FILE: &str = "agentry.toml";

/// What `agentry.toml` may say.
#[document]
pub struct Settings {
    /// Whether warnings let a run fail too, as with `--strict`.
    #[key(default = false)]
    pub strict: Option<bool>,
    /// Files that are not looked at, as `.gitignore` names them: patterns from the folder of this file down, where a
    /// later one that begins with `!` takes files back in. They hold for files that are named on the command line too, so
    /// that a hook which names every changed file leaves them out.
    #[key(example = vec!["drafts/", "providers/legacy-*.toml"])]
    pub exclude: Option<Vec<Pattern>>,
    /// How much the findings of each rule weigh, or that they are not reported. What is not named here keeps its own
    /// severity; a rule that is off by default is reported only where it has a severity here. This changes what is reported and what fails, and never whether a document is valid: a file that cannot
    /// be read fails, whatever is turned off.
    pub rules: Option<Map<RuleName, Level>>,
}

options! {
    /// How much the findings of a rule weigh.
    pub enum Level {
        /// They let the run fail.
        Error = "error" from "Agentry",
        /// They let a strict run fail.
        Warning = "warning" from "Agentry",
        /// They are worth knowing, and never fail.
        Hint = "hint" from "Agentry",
        /// They are not reported.
        Off = "off" from "Agentry",
    }
}

impl Level {
    /// The severity; None where findings are not reported.
    pub fn severity(&self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            // Strict reading gives no other.
            Self::Warning | Self::Unlisted(_) => Some(Severity::Warning),
            Self::Hint => Some(Severity::Hint),
            Self::Off => None,
        }
    }
}

shown_text_type! {
    /// A pattern for paths, as a line of `.gitignore` has it.
    pub struct Pattern {
        pattern: r"^[^\r\n]+$",
        form: "a pattern for paths, on one line",
        example: "drafts/",
        beyond: "that it can be read as a pattern",
        check: check_pattern,
    }
}

fn check_pattern(text: &str) -> Result<(), Invalid> {
    if text.trim().is_empty() || text.starts_with('#') {
        return Err(Invalid::new(&rules::INVALID_VALUE, format!("{} names no path", quoted(text)))
            .help("write a pattern as in `.gitignore`, such as \"drafts/\""));
    }
    match GitignoreBuilder::new("").add_line(None, text) {
        Ok(_) => Ok(()),
        Err(_) => Err(Invalid::new(
            &rules::INVALID_VALUE,
            format!("{} is no pattern for paths", quoted(text)),
        )
        .help("a range in brackets goes up: `[a-z]`; a backslash makes the next character stand for itself")),
    }
}

/// A rule by its name.
#[derive(Clone, Copy, Debug)]
pub struct RuleName(&'static Rule);

impl RuleName {
    /// The rule of a name; else what to write instead.
    pub fn new(name: &str) -> Result<Self, Invalid> {
        if let Some(rule) = crate::all_rules().find(|rule| rule.name == name) {
            return Ok(Self(rule));
        }
        let invalid =
            Invalid::new(&rules::UNKNOWN_OPTION, format!("{} is not the name of a rule", quoted(name)));
        Err(match nearest(name, crate::all_rules().map(|rule| rule.name)) {
            Some(near) => invalid.help(format!("did you mean `{near}`?")),
            None => {
                invalid.help("a rule is named in brackets with each of its findings: `warning[unknown-key]`")
            }
        })
    }

    /// The rule.
    pub const fn rule(self) -> &'static Rule {
        self.0
    }
}

impl PartialEq for RuleName {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for RuleName {}

impl Hash for RuleName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl Serialize for RuleName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name)
    }
}

impl Read for RuleName {
    fn read<'t>(node: &'t Node, reader: &mut Reader<'t>) -> Option<Self> {
        let Kind::String(name) = &node.kind else {
            reader.wrong_type(node, "the name of a rule");
            return None;
        };
        Self::new(name).map_err(|invalid| reader.invalid(node, &invalid)).ok()
    }
}

agentry_text::deserialize_by_reading!(RuleName);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RuleName {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RuleName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let rules: Vec<serde_json::Value> = crate::all_rules()
            .map(|rule| {
                let off = if crate::explain::is_off_by_default(rule) { " Off by default." } else { "" };
                serde_json::json!({ "description": format!("{}{off}", rule.summary), "const": rule.name })
            })
            .collect();
        schemars::json_schema!({ "description": "The name of a rule.", "oneOf": rules })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agentry_text::toml;

    /// Texts, and the rule that the first finding breaks, with its pointer.
    const CASES: &[(&str, Option<(&str, &str)>)] = &[
        (
            "strict = true\nexclude = [\"drafts/\", \"!drafts/keep.toml\"]\n[rules]\nunknown-key = \"off\"\n",
            None,
        ),
        ("\"$schema\" = \"x\"\n", None),
        ("[rules]\n", None),
        ("strict = 1\n", Some(("wrong-type", "/strict"))),
        ("strickt = true\n", Some(("unknown-key", ""))),
        ("exclude = \"drafts/\"\n", Some(("wrong-type", "/exclude"))),
        ("exclude = [\"\"]\n", Some(("invalid-value", "/exclude/0"))),
        ("[rules]\nunknwon-key = \"off\"\n", Some(("unknown-option", "/rules/unknwon-key"))),
        ("[rules]\nunknown-key = \"warn\"\n", Some(("unknown-option", "/rules/unknown-key"))),
        ("[rules]\nunknown-key = false\n", Some(("wrong-type", "/rules/unknown-key"))),
        ("[rule]\nunknown-key = \"off\"\n", Some(("unknown-key", ""))),
    ];

    #[test]
    fn settings_are_read_strictly_and_their_schema_says_the_same() {
        let schema = crate::documents::documents()
            .into_iter()
            .find(|document| document.path == "settings.schema.json")
            .map(|document| serde_json::from_str::<serde_json::Value>(&document.text).expect("JSON"))
            .expect("a schema");
        let schema = jsonschema::validator_for(&schema).expect("the schema can be used");
        for (text, expected) in CASES {
            let error = toml::from_str::<Settings>(text).err();
            let found = error.as_ref().and_then(|error| error.findings().first());
            let found = found.map(|finding| (finding.rule.name, finding.pointer.as_str()));
            assert_eq!(found, *expected, "{text}");
            let value = toml::from_str::<agentry_text::Value>(text).expect("a value");
            let value = serde_json::to_value(value).expect("JSON");
            assert_eq!(schema.is_valid(&value), expected.is_none(), "{text}");
        }
        // What no pattern can say.
        let reading = toml::read::<Settings>("exclude = [\"a[z-a]\", \" \"]\n");
        assert_eq!(reading.findings.len(), 2, "{:?}", reading.findings);
    }

    #[test]
    fn the_nearest_rule_is_offered() {
        let help = |name: &str| RuleName::new(name).expect_err(name).help.unwrap_or_default();
        assert_eq!(help("unknwon-key"), "did you mean `unknown-key`?");
        assert!(help("spaceship").starts_with("a rule is named in brackets"), "{}", help("spaceship"));
    }
}
