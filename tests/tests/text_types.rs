//! Every text type accepts what its pattern matches, and nothing else: the pattern is what the JSON Schema says.
//!
//! The types match with one regular-expression engine; here another one is the judge. Only a check that a type
//! declares as beyond its pattern may refuse more.

use agentry::Text;
use agentry_tests::{files, root, share};
use proptest::prelude::*;
use proptest::string::string_regex;
use proptest::test_runner::{Config, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeSet;

macro_rules! text_types {
    ($($name:ty),+ $(,)?) => {
        /// The types below, as they are written.
        const NAMES: &[&str] = &[$(stringify!($name)),+];

        /// Calls `test` once with each type; the faults.
        fn each_type(test: &impl Test) -> Vec<String> {
            let mut faults = Vec::new();
            $(
                if let Err(fault) = test.run::<$name>() {
                    faults.push(format!("{}: {fault}", stringify!($name)));
                }
            )+
            faults
        }
    };
}

text_types! {
    agentry::agent::WorkspacePath,
    agentry::agent::QuietHours,
    agentry::agent::WakeCondition,
    agentry::alias::Alias,
    agentry::channel::Protocol,
    agentry::hand::MemoryKey,
    agentry::hand::SettingValue,
    agentry::hooks::AgentId,
    agentry::hooks::MessageText,
    agentry::integration::OauthProvider,
    agentry::integration::Scope,
    agentry::mcp::ToolName,
    agentry::package::AccessPattern,
    agentry::package::CapabilityId,
    agentry::package::CapabilityName,
    agentry::package::ChannelType,
    agentry::package::ConcurrencyClass,
    agentry::package::Destination,
    agentry::package::FileText,
    agentry::package::HarnessName,
    agentry::package::McpArgument,
    agentry::package::McpCommand,
    agentry::package::McpHeaderName,
    agentry::package::McpHeaderValue,
    agentry::package::McpPreset,
    agentry::package::McpServerUrl,
    agentry::package::McpVariable,
    agentry::package::McpVariableValue,
    agentry::package::ModelName,
    agentry::package::OauthProviderId,
    agentry::package::PackageFolder,
    agentry::package::PackageGlob,
    agentry::package::PackageName,
    agentry::package::PackagePath,
    agentry::package::PackageTag,
    agentry::package::PackageToolName,
    agentry::package::ProviderName,
    agentry::package::StarterIcon,
    agentry::package::ToolCategory,
    agentry::plugin::DeclaredVariable,
    agentry::plugin::EnvValue,
    agentry::plugin::HookRuntime,
    agentry::provider::MediaCapability,
    agentry::provider::Secret,
    agentry::registry_schema::Choice,
    agentry::registry_schema::FilePattern,
    agentry::skill::SettingText,
    agentry::skill_config::FolderPath,
    agentry::skill_config::HeaderName,
    agentry::skill_config::HeaderValue,
    agentry::skill_config::PythonSource,
    agentry::skill_config::RegisteredTool,
    agentry::skill_config::SkillName,
    agentry::skill_config::VariableName,
    agentry::skill_config::VariableValue,
    agentry::skill_md::Compatibility,
    agentry::skill_md::Description,
    agentry::skill_md::SkillName,
    agentry::skill_md::ToolList,
    agentry::tool::AllowedHost,
    agentry::tool::ArtifactVersion,
    agentry::tool::Binding,
    agentry::tool::BodyTemplate,
    agentry::tool::Capability,
    agentry::tool::HeaderName,
    agentry::tool::HeaderValue,
    agentry::tool::ImageRef,
    agentry::tool::McpEndpoint,
    agentry::tool::ModulePath,
    agentry::tool::Note,
    agentry::tool::Resource,
    agentry::tool::SecretName,
    agentry::tool::SecretVariable,
    agentry::tool::Slot,
    agentry::tool::ToolId,
    agentry::tool::ToolVersion,
    agentry::tool::UrlTemplate,
    agentry::values::AgentPattern,
    agentry::values::Argument,
    agentry::values::ChannelName,
    agentry::values::Command,
    agentry::values::Date,
    agentry::values::EnvVar,
    agentry::values::HttpUrl,
    agentry::values::Icon,
    agentry::values::Id,
    agentry::values::KeyName,
    agentry::values::Label,
    agentry::values::Language,
    agentry::values::MemoryPattern,
    agentry::values::ModelId,
    agentry::values::ModelRef,
    agentry::values::Module,
    agentry::values::NetworkPattern,
    agentry::values::Phrase,
    agentry::values::PromptTemplate,
    agentry::values::Prose,
    agentry::values::ProviderRef,
    agentry::values::Schedule,
    agentry::values::SchemaAddress,
    agentry::values::ServerName,
    agentry::values::Sha256,
    agentry::values::ShellPattern,
    agentry::values::Tag,
    agentry::values::Timestamp,
    agentry::values::ToolName,
    agentry::values::Version,
    agentry::values::Word,
    agentry::workflow::AgentName,
    agentry::workflow::Category,
}

/// A test of one type.
trait Test {
    fn run<T: Text>(&self) -> Result<(), String>;
}

fn check(test: &impl Test) {
    let faults = each_type(test);
    assert!(faults.is_empty(), "{} of {} types:\n{}", faults.len(), NAMES.len(), faults.join("\n"));
}

fn judge_of<T: Text>() -> Result<regex::Regex, String> {
    regex::Regex::new(T::PATTERN).map_err(|error| error.to_string())
}

/// Whether a type treats a text as its pattern says.
fn agrees<T: Text>(judge: &regex::Regex, text: &str) -> Result<(), String> {
    let matches = judge.is_match(text);
    if T::matches(text) != matches {
        return Err(format!("the engines disagree on {text:?}: the judge says {matches}"));
    }
    // Patterns say nothing of lengths; the schemas do, by themselves.
    if text.chars().count() > T::MAX_CHARACTERS {
        return T::new(text).map_or(Ok(()), |_| Err(format!("{text:?} is accepted, and too long")));
    }
    match (T::new(text), matches) {
        (Ok(value), true) if value.as_str() == text => Ok(()),
        (Ok(value), true) => Err(format!("{text:?} became {:?}", value.as_str())),
        (Ok(_), false) => Err(format!("{text:?} is accepted, and the pattern does not match it")),
        (Err(invalid), true) if T::BEYOND_SCHEMA.is_empty() => {
            Err(format!("{text:?} is refused, and the pattern matches it: {invalid}"))
        }
        (Err(_), _) => Ok(()),
    }
}

/// Runs a property without keeping a file of earlier failures.
fn for_all<S: Strategy>(
    strategy: &S,
    property: impl Fn(S::Value) -> Result<(), String>,
) -> Result<(), String> {
    let cases = share(256).try_into().unwrap_or(u32::MAX);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(strategy, |value| property(value).map_err(TestCaseError::fail))
        .map_err(|error| error.to_string())
}

/// Texts that a pattern matches. The generator knows no anchors, and the patterns have them at their ends only.
fn texts_of<T: Text>() -> Result<impl Strategy<Value = String>, String> {
    let inner = T::PATTERN.strip_prefix('^').and_then(|inner| inner.strip_suffix('$'));
    let inner = inner.ok_or_else(|| format!("the pattern is not anchored: {}", T::PATTERN))?;
    string_regex(&format!("({inner})")).map_err(|error| error.to_string())
}

#[test]
fn texts_made_from_the_pattern_are_accepted() {
    struct Made;
    impl Test for Made {
        fn run<T: Text>(&self) -> Result<(), String> {
            let judge = judge_of::<T>()?;
            for_all(&texts_of::<T>()?, |text| {
                if judge.is_match(&text) {
                    agrees::<T>(&judge, &text)
                } else {
                    Err(format!("{text:?} was made from the pattern, and the pattern does not match it"))
                }
            })
        }
    }
    check(&Made);
}

#[test]
fn texts_a_slip_away_from_the_pattern_are_judged_by_it() {
    struct Slip;
    impl Test for Slip {
        fn run<T: Text>(&self) -> Result<(), String> {
            let judge = judge_of::<T>()?;
            let odd = prop_oneof![
                prop::sample::select(vec![
                    '\n', '\r', '\0', ' ', '.', '/', '\\', '-', '_', '*', 'A', '0', '\u{7f}'
                ]),
                any::<char>(),
            ];
            let slips = (texts_of::<T>()?, any::<prop::sample::Index>(), odd, 0..3_u8);
            for_all(&slips, |(text, place, odd, slip)| {
                let mut characters: Vec<char> = text.chars().collect();
                let place = place.index(characters.len() + 1);
                match slip {
                    0 => characters.insert(place, odd),
                    _ if place == characters.len() => characters.push(odd),
                    1 => characters[place] = odd,
                    _ => drop(characters.remove(place)),
                }
                agrees::<T>(&judge, &String::from_iter(characters))
            })
        }
    }
    check(&Slip);
}

#[test]
fn arbitrary_texts_are_judged_by_the_pattern() {
    struct Arbitrary;
    impl Test for Arbitrary {
        fn run<T: Text>(&self) -> Result<(), String> {
            let judge = judge_of::<T>()?;
            agrees::<T>(&judge, "")?;
            for_all(&prop_oneof!["[ -~]{0,8}", "(?s).{0,8}"], |text| agrees::<T>(&judge, &text))
        }
    }
    check(&Arbitrary);
}

#[test]
fn patterns_mean_the_same_in_every_dialect_and_examples_are_good() {
    struct Stated;
    impl Test for Stated {
        fn run<T: Text>(&self) -> Result<(), String> {
            // A class that means ASCII to one engine and all of Unicode to another; together the two are anything.
            let rest = T::PATTERN.replace(r"[\s\S]", "");
            if let Some(class) =
                [r"\d", r"\w", r"\s", r"\b", r"\p", "(?"].iter().find(|class| rest.contains(**class))
            {
                return Err(format!("engines differ on `{class}`, which is in {}", T::PATTERN));
            }
            if T::EXAMPLE.is_empty() {
                return Ok(());
            }
            let example = T::new(T::EXAMPLE).map_err(|invalid| format!("the example: {invalid}"))?;
            match example.remark() {
                Some(remark) => Err(format!("the example draws a finding: {remark}")),
                None => Ok(()),
            }
        }
    }
    check(&Stated);
}

/// The names of the types, in the order of the list, and whether each asks for more than its pattern. Two types may
/// have one name, and the laws excuse by it.
#[derive(Default)]
struct Excused {
    types: RefCell<Vec<(&'static str, &'static str)>>,
}

impl Test for Excused {
    fn run<T: Text>(&self) -> Result<(), String> {
        let form = std::any::type_name::<T>();
        let name = form.rsplit("::").next().unwrap_or(form);
        self.types.borrow_mut().push((name, T::BEYOND_SCHEMA));
        Ok(())
    }
}

#[test]
fn the_types_that_ask_for_more_are_those_that_the_laws_excuse() {
    let excused = Excused::default();
    check(&excused);
    let types = excused.types.borrow();
    let rows = || agentry_tests::laws::BEYOND.iter().map(|row| row.definition);
    for (name, beyond) in types.iter().filter(|(_, beyond)| !beyond.is_empty()) {
        assert!(
            rows().any(|row| row == *name),
            "{name} asks for more than its pattern ({beyond}): add it to `BEYOND`"
        );
    }
    for row in rows().filter(|row| types.iter().any(|(name, _)| name == row)) {
        let asks = types.iter().any(|(name, beyond)| *name == row && !beyond.is_empty());
        assert!(asks, "the laws excuse {row}, and its pattern says all");
    }
}

#[test]
fn no_text_type_is_missing_from_the_list() {
    let folder = root().join("crates/agentry/src");
    let mut defined = BTreeSet::new();
    for path in files(&folder, &[], "rs") {
        let text =
            std::fs::read_to_string(folder.join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        // Modules below those of the crate's root are private, and what they define is exported one level up.
        let module = path.split(['/', '.']).next().unwrap_or(&path);
        for item in &file.items {
            let syn::Item::Macro(invocation) = item else { continue };
            let name = invocation.mac.path.segments.last().map(|segment| segment.ident.to_string());
            if !matches!(name.as_deref(), Some("text_type" | "shown_text_type")) {
                continue;
            }
            let mut words = invocation.mac.tokens.clone().into_iter().map(|token| token.to_string());
            words.by_ref().find(|word| word == "struct");
            let name = words.next().unwrap_or_else(|| panic!("{path}: a text type without a name"));
            defined.insert(format!("agentry::{module}::{name}"));
        }
    }
    let listed: BTreeSet<String> = NAMES.iter().map(ToString::to_string).collect();
    let missing: Vec<_> = defined.difference(&listed).collect();
    assert!(missing.is_empty(), "add to `text_types!`: {missing:?}");
    let gone: Vec<_> = listed.difference(&defined).collect();
    assert!(gone.is_empty(), "in `text_types!` and defined nowhere: {gone:?}");
}
