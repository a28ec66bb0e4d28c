//! `plugins/<name>/plugin.toml`: scripts that the runtime calls at certain moments of a conversation (LibreFang
//! registry).
//!
//! The specification knows two hooks and nothing else of `[hooks]`; the runtime knows seven more and the options for
//! running them, all under `[hooks]`. One published file has the options at the top level, where nobody reads
//! them: they are known, kept, and reported as misplaced. The messages are in the module `hooks`.

use crate::package::PackagePath;
use crate::rules;
use crate::translation::Translation;
use crate::values::{
    Command, Count, EnvVar, HttpUrl, Id, KeyName, Label, Language, PositiveCount, Prose, Sha256, Version,
    Whole,
};
use agentry_macros::document;
use agentry_text::{
    Condition, Extra, Fields, Invalid, JsonType, Map, Reader, Value, When, looks_secret, options,
    shown_text_type, text_type,
};

/// The file of one plugin: what it is, which scripts it has, and how they are run.
#[document(remark = Self::remark)]
pub struct Plugin {
    /// The plugin's name, the same as its folder's. LibreFang specification.
    #[key(example = "todo-tracker")]
    pub name: Id,
    /// The version of the plugin.
    #[key(example = "0.1.0")]
    pub version: Version,
    /// One sentence that says what the plugin does.
    #[key(example = "Keeps a list of what was promised in conversations.")]
    pub description: Prose,
    /// Who wrote it.
    pub author: Option<Label>,
    /// A file of the plugin that lists the Python packages to install. Published files and the LibreFang runtime.
    #[key(example = "requirements.txt")]
    pub requirements: Option<PackagePath>,
    /// The oldest runtime that can load the plugin. Published files and the LibreFang runtime.
    #[key(example = "2026.4.0")]
    pub librefang_min_version: Option<Version>,
    /// The plugins that must be installed before this one, by name. LibreFang runtime.
    #[key(example = ["episodic-memory"])]
    pub plugin_depends: Option<Vec<Id>>,
    /// The scripts, and the options for running them. A plugin without any hook is legal and does nothing.
    pub hooks: Option<Hooks>,
    /// Environment variables that the scripts get. `${NAME}` stands for a variable of the runtime's own
    /// environment: use it for everything secret. LibreFang runtime.
    pub env: Option<Map<EnvVar, EnvValue>>,
    /// The SHA-256 hash of each script. The runtime refuses to load a plugin whose scripts differ. Published files
    /// and the LibreFang runtime.
    pub integrity: Option<Map<PackagePath, Sha256>>,
    /// What a user may set, one table for each setting, by its name. The scripts find the values in the JSON file
    /// that `LIBREFANG_PLUGIN_CONFIG` names. Published files and the LibreFang runtime.
    pub config: Option<Map<KeyName, Setting>>,
    /// Programs that must be on the search path, one table each; the runtime warns where one is missing.
    /// Published files and the LibreFang runtime.
    pub requires: Option<Vec<RequiredProgram>>,
    /// The name and the description in other languages. Published files and the LibreFang runtime.
    pub i18n: Option<Map<Language, Translation>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Plugin {
    /// The scripts that `integrity` says nothing of, with the name of their hook. Empty where there is no
    /// `integrity` at all: hashes are optional, and where some are given, the missing ones are a gap.
    pub fn scripts_without_hash(&self) -> Vec<(&'static str, &PackagePath)> {
        let (Some(hooks), Some(integrity)) = (&self.hooks, &self.integrity) else { return Vec::new() };
        let hashed = |script: &PackagePath| integrity.keys().any(|path| path.plain() == script.plain());
        hooks.scripts().filter(|(_, script)| !hashed(script)).collect()
    }

    /// A variable whose name says that it is a credential, and whose value stands in the file.
    fn remark<'t>(fields: &Fields<'t>, reader: &mut Reader<'t>) {
        let Some(env) = fields.peek("env") else { return };
        let literals = env.node.as_table().into_iter().flat_map(|table| &table.entries).filter(|variable| {
            let value = variable.node.as_str().unwrap_or_default();
            // A value that looks like a credential has its remark already.
            crate::package::literal_secret(&variable.key, value) && !looks_secret(value)
        });
        for variable in literals {
            let remark = literal_secret(&variable.key);
            reader.in_key(&env.key, |reader| {
                reader.in_key(&variable.key, |reader| reader.invalid(&variable.node, &remark));
            });
        }
    }
}

fn literal_secret(name: &str) -> Invalid {
    Invalid::new(&rules::LITERAL_SECRET, "a credential stands in the file").label("the value itself").help(
        format!("write \"${{{name}}}\": the runtime puts in the value of that variable of its environment"),
    )
}

/// The scripts of a plugin, and the options for running them.
///
/// A script is a file of the plugin. It reads one JSON object a line and answers each with one JSON object on one
/// line; one script may serve several hooks.
#[document]
pub struct Hooks {
    /// Called when a user has written, before the agent answers. May offer memories. LibreFang specification.
    #[key(example = "hooks/ingest.py")]
    pub ingest: Option<PackagePath>,
    /// Called after each turn of a conversation. LibreFang specification.
    #[key(example = "hooks/after_turn.py")]
    pub after_turn: Option<PackagePath>,
    /// Called once at the start, with twice the time limit. LibreFang runtime.
    pub bootstrap: Option<PackagePath>,
    /// Called before each request to a model. May change the messages. LibreFang runtime.
    pub assemble: Option<PackagePath>,
    /// Called when a conversation gets too long. May shorten it. LibreFang runtime.
    pub compact: Option<PackagePath>,
    /// Called with the result of each tool call. May change it. LibreFang runtime.
    pub transform_tool_result: Option<PackagePath>,
    /// Called before an agent starts another one. LibreFang runtime.
    pub prepare_subagent: Option<PackagePath>,
    /// Called when an agent that another one started has finished. LibreFang runtime.
    pub merge_subagent: Option<PackagePath>,
    /// Called when another plugin announces something. LibreFang runtime.
    pub on_event: Option<PackagePath>,
    /// What runs the scripts: `python`, `node`, `deno`, `go`, `v`, or `native` for a program that needs nothing
    /// else. The LibreFang runtime takes `python` for a word that it does not know.
    #[key(default = HookRuntime::python())]
    pub runtime: Option<HookRuntime>,
    /// The version of the messages that the scripts speak: 1 for those of the specification. LibreFang runtime.
    #[key(example = 1)]
    pub hook_protocol_version: Option<PositiveCount>,
    /// After how many seconds a script is stopped. LibreFang runtime.
    #[key(default = positive(30))]
    pub hook_timeout_secs: Option<PositiveCount>,
    /// What a failed script means for the conversation. LibreFang runtime.
    #[key(default = HookFailurePolicy::Warn)]
    pub on_hook_failure: Option<HookFailurePolicy>,
    /// How often a failed script is tried again first. LibreFang runtime.
    #[key(default = count(0))]
    pub max_retries: Option<Count>,
    /// The pause before a script is tried again, in milliseconds. LibreFang runtime.
    #[key(default = count(500))]
    pub retry_delay_ms: Option<Count>,
    /// Which plugin comes first: the one with the higher number. LibreFang runtime.
    #[key(default = whole(0))]
    pub priority: Option<Whole>,
    /// `ingest` is called only for messages that hold this text, capitals and all. LibreFang runtime.
    pub ingest_filter: Option<Prose>,
    /// `ingest` is called only for messages that match this regular expression, in the syntax of Rust's `regex`
    /// crate. It is looked at before the filter. LibreFang runtime.
    pub ingest_regex: Option<Prose>,
    /// The hooks run only for agents whose id holds one of these texts; empty or absent, for every agent.
    /// LibreFang runtime.
    #[key(example = ["3f9c2a71"])]
    pub only_for_agent_ids: Option<Vec<Label>>,
    /// Whether one process for each script stays alive between calls, which saves the time to start. LibreFang
    /// runtime.
    #[key(default = false)]
    pub persistent_subprocess: Option<bool>,
    /// Whether these processes start at once and not with the first call. Needs `persistent_subprocess`.
    /// LibreFang runtime.
    #[key(default = false)]
    pub prewarm_subprocesses: Option<bool>,
    /// How many calls of `after_turn` may run in the background together. LibreFang runtime.
    #[key(default = count(16))]
    pub after_turn_queue_depth: Option<Count>,
    /// For how many seconds an answer of `ingest` to the same message is used again. 0 or absent asks anew each
    /// time. LibreFang runtime.
    #[key(example = 60)]
    pub hook_cache_ttl_secs: Option<Count>,
    /// For how many seconds an answer of `assemble` is used again; as above. LibreFang runtime.
    #[key(example = 30)]
    pub assemble_cache_ttl_secs: Option<Count>,
    /// For how many seconds an answer of `compact` is used again; as above. LibreFang runtime.
    #[key(example = 300)]
    pub compact_cache_ttl_secs: Option<Count>,
    /// The most memory of one process, in MiB; absent, what the system allows. Enforced on Linux only. LibreFang
    /// runtime.
    #[key(example = 256)]
    pub max_memory_mb: Option<PositiveCount>,
    /// Whether the scripts may use the network. LibreFang runtime, which can hold them back only on Linux.
    #[key(default = true)]
    pub allow_network: Option<bool>,
    /// Whether the scripts may use the file system freely. LibreFang runtime.
    #[key(default = true)]
    pub allow_filesystem: Option<bool>,
    /// Whether the scripts share a JSON file to remember things in, which `LIBREFANG_STATE_FILE` names. LibreFang
    /// runtime.
    #[key(default = false)]
    pub enable_shared_state: Option<bool>,
    /// The secrets of the runtime's vault that the scripts get to see, by name. The values never stand here.
    /// LibreFang runtime.
    #[key(example = ["LOGBOOK_SIGNING_KEY"])]
    pub allowed_secrets: Option<Vec<KeyName>>,
    /// Where the times of the calls are reported to, by OpenTelemetry over gRPC. LibreFang runtime.
    #[key(example = "https://otel.acme.example:4317")]
    pub otel_endpoint: Option<HttpUrl>,
    /// The environment variables that the plugin understands, each with its explanation. A `!` before the name
    /// says that it must be set. LibreFang runtime.
    pub env_schema: Option<Map<DeclaredVariable, Prose>>,
    /// JSON Schemas of the messages, by the name of the hook. A message that does not match is reported and used
    /// all the same. LibreFang runtime.
    pub hook_schemas: Option<Map<KeyName, HookSchema>>,
    /// When a script that keeps failing is left alone for a while. LibreFang runtime.
    pub circuit_breaker: Option<CircuitBreaker>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Hooks {
    /// The keys that name a script, in the order of a conversation's life.
    pub const SCRIPTS: [&'static str; 9] = [
        "bootstrap",
        "ingest",
        "assemble",
        "transform_tool_result",
        "prepare_subagent",
        "merge_subagent",
        "compact",
        "after_turn",
        "on_event",
    ];

    /// The scripts that are given, with the name of their hook, in the order of a conversation's life.
    pub fn scripts(&self) -> impl Iterator<Item = (&'static str, &PackagePath)> {
        let scripts = [
            &self.bootstrap,
            &self.ingest,
            &self.assemble,
            &self.transform_tool_result,
            &self.prepare_subagent,
            &self.merge_subagent,
            &self.compact,
            &self.after_turn,
            &self.on_event,
        ];
        Self::SCRIPTS.into_iter().zip(scripts).filter_map(|(hook, script)| Some((hook, script.as_ref()?)))
    }
}

shown_text_type! {
    /// What runs a plugin's scripts, as a lowercase word. The runtime's list grows, so the words are not closed.
    pub struct HookRuntime {
        pattern: r"^[a-z][a-z0-9_-]*$",
        form: "the name of a script runtime: a lowercase word",
        example: "python",
    }
}

impl HookRuntime {
    fn python() -> Self {
        Self::new("python").expect("a lowercase word")
    }
}

options! {
    /// What a failed script means for the conversation. A script has failed when it stops with an error, takes
    /// too long, or does not answer with JSON.
    pub enum HookFailurePolicy {
        /// A line is written to the log, and the conversation goes on.
        Warn = "warn" from "runtime, published files",
        /// The turn ends with an error.
        Abort = "abort" from "runtime",
        /// The conversation goes on, and nothing is said.
        Skip = "skip" from "runtime",
    }
}

shown_text_type! {
    /// The name of an environment variable that a plugin understands; a `!` before it says that it must be set.
    pub struct DeclaredVariable {
        pattern: r"^!?[A-Za-z_][A-Za-z0-9_]*$",
        form: "the name of an environment variable: letters, digits and `_`, after a `!` where it must be set",
        example: "!LOGBOOK_URL",
    }
}

impl DeclaredVariable {
    /// Whether the variable must be set.
    pub fn is_required(&self) -> bool {
        self.as_str().starts_with('!')
    }

    /// The name of the variable.
    #[expect(clippy::missing_panics_doc, reason = "the pattern admits only names of variables")]
    pub fn name(&self) -> EnvVar {
        EnvVar::new(self.as_str().trim_start_matches('!'))
            .expect("the pattern admits only names of variables")
    }
}

text_type! {
    /// The value of an environment variable, in which `${NAME}` stands for a variable of the runtime's own
    /// environment. It may be empty. What stands in an environment is often secret, so it is never shown.
    pub struct EnvValue {
        pattern: r"^[^\x00]*$",
        form: "the value of an environment variable: any text without a zero byte",
        example: "",
        remark: |value| looks_secret(value).then(|| literal_secret("NAME")),
        secret: true,
    }
}

/// JSON Schemas of what a hook gets and what it answers. LibreFang runtime.
#[document]
pub struct HookSchema {
    /// A JSON Schema of the message that the script gets. Its keys are those of JSON Schema, so they are open
    /// here.
    pub input: Option<Map<String, Value>>,
    /// A JSON Schema of the message that the script answers with; any keys of JSON Schema.
    pub output: Option<Map<String, Value>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// When a script that keeps failing is left alone for a while. LibreFang runtime.
#[document]
pub struct CircuitBreaker {
    /// After this many failures in a row the script is not called for a while.
    #[key(default = count(5))]
    pub max_failures: Option<Count>,
    /// For how many seconds. Then it is tried once more.
    #[key(default = count(60))]
    pub reset_secs: Option<Count>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A default: a number that lies within the bounds.
fn count(number: u64) -> Count {
    Count::new(number).expect("a default lies within the bounds")
}

/// A default that is 1 or more.
fn positive(number: u64) -> PositiveCount {
    PositiveCount::new(number).expect("a default lies within the bounds")
}

/// A default that may be negative.
fn whole(number: i32) -> Whole {
    Whole::new(number).expect("a default lies within the bounds")
}

/// Something that a user may set. Published files and the LibreFang runtime.
#[document]
pub struct Setting {
    /// What type its values have, and the value at the beginning: `type` and `default`.
    #[serde(flatten)]
    pub value: SettingValue,
    /// What it changes.
    pub description: Option<Prose>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The type of a setting's values, and the value at the beginning, which is of that type: another one is an
/// error, for scripts get it as it is.
#[document(open, no_new, conditions(STRING, NUMBER, BOOLEAN))]
pub struct SettingValue {
    /// The type of its values.
    #[key(rename = "type", legacy("field_type"), default = SettingType::String)]
    kind: Option<SettingType>,
    /// The value at the beginning. It is of the setting's type, so its own type is open here.
    default: Option<Value>,
}

/// The rule that a default is of the type that is named beside it.
const fn default_is(name: &'static [&'static str], or_absent: bool, is: JsonType) -> Condition {
    Condition::HasType {
        when: When { path: &["type"], is: name, or_absent },
        key: "default",
        is,
        rule: &rules::DEFAULT_MISMATCH,
    }
}

const STRING: Condition = default_is(&["string"], true, JsonType::String);
const NUMBER: Condition = default_is(&["number"], false, JsonType::Number);
const BOOLEAN: Condition = default_is(&["boolean"], false, JsonType::Boolean);

impl SettingValue {
    /// Values of a type, without a value at the beginning.
    #[must_use]
    pub fn new(kind: SettingType) -> Self {
        Self { kind: Some(kind), default: None }
    }

    /// The same with a value at the beginning, if that is of the type.
    pub fn with_default(self, default: Value) -> Result<Self, Invalid> {
        let kind = self.kind();
        if kind.json().is_some_and(|json| !json.fits(&default)) {
            let message = format!("a default of the type `{kind}` is not of that type");
            return Err(Invalid::new(&rules::DEFAULT_MISMATCH, message));
        }
        Ok(Self { default: Some(default), ..self })
    }

    /// The value at the beginning.
    pub fn default(&self) -> Option<&Value> {
        self.default.as_ref()
    }
}

options! {
    /// The type of a setting's values.
    pub enum SettingType {
        /// Text.
        String = "string" from "runtime, published files",
        /// Any number.
        Number = "number" from "runtime, published files",
        /// `true` or `false`.
        Boolean = "boolean" from "runtime, published files",
    }
}

impl SettingType {
    /// The type of the values in JSON; None for a type that this version does not know.
    pub const fn json(&self) -> Option<JsonType> {
        match self {
            Self::String => Some(JsonType::String),
            Self::Number => Some(JsonType::Number),
            Self::Boolean => Some(JsonType::Boolean),
            Self::Unlisted(_) => None,
        }
    }
}

/// A program that must be on the search path. Published files and the LibreFang runtime.
#[document]
pub struct RequiredProgram {
    /// The program's name.
    #[key(example = "python3")]
    pub binary: Command,
    /// How to get it.
    pub install_hint: Option<Prose>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::*;
    use agentry_text::{Mode, Read, Reading, Severity};

    const HEAD: &str = "name = \"logbook\"\nversion = \"0.1.0\"\ndescription = \"Keeps notes.\"\n";

    fn read(lines: &str) -> Reading<Plugin> {
        let text = format!("{HEAD}{lines}\n");
        agentry_text::read_document(&agentry_text::toml::parse(&text), Mode::Strict)
    }

    /// What is found: severity, rule and pointer.
    fn found(lines: &str) -> Vec<(Severity, &'static str, String)> {
        let reading = read(lines);
        assert_eq!(reading.value.is_some(), reading.is_valid(), "{lines}");
        let findings = reading.findings.iter();
        findings.map(|finding| (finding.severity, finding.rule.name, finding.pointer.clone())).collect()
    }

    #[test]
    fn every_hook_and_option_is_misplaced_at_the_top_level() {
        let shape = Hooks::shape().unwrap();
        assert!(shape.keys.len() > 30);
        for key in &shape.keys {
            // Written above the tables, where one published file has them.
            let reading = read(&format!("{} = 1\n[hooks]\n", key.name));
            let [finding] = &reading.findings[..] else { panic!("{}: {:?}", key.name, reading.findings) };
            assert_eq!(
                (finding.rule.name, finding.severity),
                ("misplaced-key", Severity::Warning),
                "{}",
                key.name
            );
            assert_eq!(finding.key.as_deref(), Some(key.name));
            assert!(finding.help.as_deref().is_some_and(|help| help.contains("[hooks]")), "{finding:?}");
            assert!(reading.value.is_some_and(|plugin| plugin.extra.contains_key(key.name)), "{}", key.name);
        }
    }

    #[test]
    fn hooks_are_scripts_of_the_plugin() {
        use Severity::{Error, Warning};
        for (lines, expected) in [
            ("", None),
            ("[hooks]", None),
            ("[hooks]\nafter_turn = \"hooks/after_turn.py\"", None),
            ("[hooks]\ningest = \"../other/ingest.py\"", Some((Error, "invalid-value", "/hooks/ingest"))),
            ("[hooks]\ningest = 'C:\\hooks\\ingest.py'", Some((Error, "invalid-value", "/hooks/ingest"))),
            ("[hooks]\nbootstrap = \"/usr/bin/x\"", Some((Error, "invalid-value", "/hooks/bootstrap"))),
            ("[hooks]\ningest = \"\"", Some((Error, "invalid-value", "/hooks/ingest"))),
            ("[hooks]\ningset = \"hooks/b.py\"", Some((Warning, "unknown-key", "/hooks"))),
            ("[hooks]\nrequirements = \"requirements.txt\"", Some((Warning, "misplaced-key", "/hooks"))),
            (
                "[hooks]\non_hook_failure = \"ignore\"",
                Some((Error, "unknown-option", "/hooks/on_hook_failure")),
            ),
            ("[hooks]\nruntime = \"bun\"\npriority = -3\nhook_cache_ttl_secs = 0", None),
            ("[hooks]\nhook_timeout_secs = 0", Some((Error, "invalid-value", "/hooks/hook_timeout_secs"))),
            ("[hooks]\nmax_retries = -1", Some((Error, "invalid-value", "/hooks/max_retries"))),
            ("[hooks.env_schema]\n\"!LOGBOOK_URL\" = \"The address.\"\nPAGE = \"How many.\"", None),
            ("[hooks.circuit_breaker]\nmax_failures = 5\nreset_secs = 60", None),
            ("[hooks.hook_schemas.ingest.output]\ntype = \"object\"\nrequired = [\"memories\"]", None),
            ("plugin_depends = [\"Base Recall\"]", Some((Error, "invalid-value", "/plugin_depends/0"))),
            (
                "[integrity]\n\"hooks/a.py\" = \"e3b0\"",
                Some((Error, "invalid-value", "/integrity/hooks~1a.py")),
            ),
            ("[[requires]]\ninstall_hint = \"Install it.\"", Some((Error, "missing-key", "/requires/0"))),
        ] {
            let expected: Vec<_> =
                expected.into_iter().map(|(severity, rule, at)| (severity, rule, at.to_owned())).collect();
            assert_eq!(found(lines), expected, "{lines}");
        }
    }

    #[test]
    fn a_setting_starts_with_a_value_of_its_type() {
        for (setting, fits) in [
            ("type = \"string\", default = \"x\"", true),
            ("type = \"number\", default = 6", true),
            ("type = \"number\", default = 0.3", true),
            ("type = \"boolean\", default = true", true),
            ("type = \"boolean\"", true),
            ("default = \"text is the type where none is named\"", true),
            ("type = \"string\", default = 6", false),
            ("type = \"number\", default = \"6\"", false),
            ("type = \"boolean\", default = \"true\"", false),
            ("default = 6", false),
        ] {
            let expected =
                (!fits).then(|| (Severity::Error, "default-mismatch", "/config/setting/default".to_owned()));
            assert_eq!(
                found(&format!("[config]\nsetting = {{ {setting} }}")),
                Vec::from_iter(expected),
                "{setting}"
            );
        }
        let number = SettingValue::new(SettingType::Number);
        let part = number.clone().with_default(Value::Float(0.3)).unwrap();
        assert_eq!(part.default(), Some(&Value::Float(0.3)));
        assert!(number.with_default(Value::String("0.3".to_owned())).is_err());
    }

    #[test]
    fn no_value_of_the_environment_is_shown() {
        for (variable, warned) in [
            ("LOGBOOK_URL = \"https://logbook.example\"", false),
            ("LOGBOOK_TOKEN = \"${LOGBOOK_TOKEN}\"", false),
            ("LOGBOOK_TOKEN = \"\"", false),
            ("LOGBOOK_TOKEN = \"hunter2hunter2\"", true),
            ("MY_PASS = \"hunter2\"", true),
            ("PGPASSWORD = \"hunter2\"", true),
            ("LOGBOOK_PIN = \"a90210\"", true),
            ("MY_PASS = \"$MY_PASS\"", false),
            ("MY_PASS = \"changeme\"", false),
            ("MY_PASS = \"<your password>\"", false),
            ("MULTI_PASS = \"true\"", false),
            ("LED_PIN = \"13\"", false),
            ("COMPASS = \"north\"", false),
            ("MAX_TOKENS = \"4096\"", false),
            ("PAGE = \"ghp_0123456789abcdefABCDEF0123456789abcd\"", true),
            ("LOGBOOK_TOKEN = \"ghp_0123456789abcdefABCDEF0123456789abcd\"", true),
        ] {
            let reading = read(&format!("[env]\n{variable}"));
            let rules: Vec<_> = reading.findings.iter().map(|finding| finding.rule.name).collect();
            assert_eq!(rules, Vec::from_iter(warned.then_some("literal-secret")), "{variable}");
            let value = variable.split('"').nth(1).unwrap();
            let shown = format!("{:?} {:?}", reading.value.unwrap().env, reading.findings);
            assert!(value.is_empty() || !shown.contains(value), "{shown}");
            assert_eq!(reading.secrets.len(), 1);
        }
        let wrong = read("[env]\nLOGBOOK_PIN = 90210");
        assert!(!wrong.is_valid());
        assert!(!format!("{:?}", wrong.findings).contains("90210"), "{:?}", wrong.findings);
    }

    #[test]
    fn an_error_elsewhere_does_not_hide_a_credential() {
        let rules = found("requirements = 5\n[env]\nLOGBOOK_TOKEN = \"hunter2hunter2\"");
        assert_eq!(
            rules,
            [
                (Severity::Error, "wrong-type", "/requirements".to_owned()),
                (Severity::Warning, "literal-secret", "/env/LOGBOOK_TOKEN".to_owned()),
            ]
        );
    }

    #[test]
    fn every_script_is_told_under_its_own_key() {
        for hook in Hooks::SCRIPTS {
            let plugin = read(&format!("[hooks]\n{hook} = \"hooks/a.py\"")).value.unwrap();
            let told: Vec<_> = plugin.hooks.as_ref().unwrap().scripts().map(|(name, _)| name).collect();
            assert_eq!(told, [hook]);
        }
    }

    #[test]
    fn scripts_are_told_with_and_without_hash() {
        let hash = "a".repeat(64);
        let hooks = "[hooks]\nafter_turn = \"hooks/b.py\"\ningest = \"./hooks/a.py\"\n";
        let plugin = read(&format!("{hooks}[integrity]\n\"hooks/a.py\" = \"{hash}\"")).value.unwrap();
        let scripts: Vec<_> = plugin.hooks.as_ref().unwrap().scripts().map(|(hook, _)| hook).collect();
        assert_eq!(scripts, ["ingest", "after_turn"]);
        let missing: Vec<_> =
            plugin.scripts_without_hash().into_iter().map(|(_, path)| path.as_str()).collect();
        assert_eq!(missing, ["hooks/b.py"]);
        assert!(read(hooks).value.unwrap().scripts_without_hash().is_empty());
    }

    #[test]
    fn defaults_are_those_of_the_runtime() {
        let hooks = Hooks::new();
        assert_eq!(hooks.runtime().as_str(), "python");
        assert_eq!(hooks.on_hook_failure(), HookFailurePolicy::Warn);
        assert_eq!((hooks.hook_timeout_secs().get(), hooks.retry_delay_ms().get()), (30, 500));
        assert_eq!((hooks.max_retries().get(), hooks.after_turn_queue_depth().get()), (0, 16));
        assert_eq!(hooks.priority().get(), 0);
        assert!(hooks.allow_network() && hooks.allow_filesystem());
        let variable = DeclaredVariable::new("!LOGBOOK_URL").unwrap();
        assert!(variable.is_required());
        assert_eq!(variable.name().as_str(), "LOGBOOK_URL");
    }
}
