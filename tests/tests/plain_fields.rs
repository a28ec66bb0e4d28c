//! No public field is of a type that says nothing: every `String`, `str` or `Value` has a reason.
//!
//! A validated type says what a text means, and cannot hold a wrong one. Where any text or value is right, the
//! table below says why.

use agentry_tests::root;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::{Fields, Item, UseTree, Visibility};

/// The fields that are plain on purpose: where, and why.
const REASONS: &[(&str, &str)] = &[
    ("AccessForm::Domain.0", "part of a pattern that was checked, as it stands there"),
    ("AccessForm::Host.0", "part of a pattern that was checked, as it stands there"),
    ("AccessForm::Prefix.0", "part of a pattern that was checked, as it stands there"),
    ("AfterTurn.messages", "the messages of a conversation, whose keys the specification leaves open"),
    ("AgentCommon.async_tasks", UNPUBLISHED),
    ("AgentCommon.channel_overrides", UNPUBLISHED),
    ("AgentCommon.compaction", UNPUBLISHED),
    ("AgentCommon.context_engine", UNPUBLISHED),
    ("AgentCommon.context_injection", UNPUBLISHED),
    ("AgentCommon.proactive_memory", UNPUBLISHED),
    ("AgentCommon.response_format", "holds a JSON Schema among keys that the runtime does not publish"),
    ("AgentCommon.rl_export", UNPUBLISHED),
    ("AgentCommon.skill_workshop", UNPUBLISHED),
    ("AgentCommon.tools", UNPUBLISHED),
    ("AgentCommon.triggers", UNPUBLISHED),
    ("AgentCommon.workspaces", UNPUBLISHED),
    ("ArtifactCreateInput.content", CONTENT),
    ("ArtifactGetOutput.content", CONTENT),
    ("AskHumanOutput.reply", RESULT),
    ("AwaitOutput.value", RESULT),
    ("CapabilityReference.config", "settings of a capability: the host that has it defines keys and values"),
    ("ClientKeys.agent", CLIENT),
    ("ClientKeys.argument_hint", CLIENT),
    ("ClientKeys.arguments", CLIENT),
    ("ClientKeys.context", CLIENT),
    ("ClientKeys.disable_model_invocation", CLIENT),
    ("ClientKeys.effort", CLIENT),
    ("ClientKeys.hooks", CLIENT),
    ("ClientKeys.model", CLIENT),
    ("ClientKeys.paths", CLIENT),
    ("ClientKeys.shell", CLIENT),
    ("ClientKeys.user_invocable", CLIENT),
    ("ClientKeys.when_to_use", CLIENT),
    ("CodeRunInput.files", "paths the caller chooses, and content in the form of the sandbox"),
    ("CodeRunOutput.files", "paths the program chose, and content in the form of the sandbox"),
    ("Duty.manifest", UNPUBLISHED),
    ("FallbackModel.extra_params", "goes into the body of requests: the provider defines keys and values"),
    ("FinishInput.output", RESULT),
    ("HookSchema.input", "a JSON Schema: its keys are those of JSON Schema"),
    ("HookSchema.output", "a JSON Schema: its keys are those of JSON Schema"),
    ("Identity.pointer", "a fixed JSON pointer of the table of kinds, not read from a file"),
    ("KnowledgeGetOutput.metadata", SERVER),
    ("KnowledgeHit.metadata", SERVER),
    ("KnowledgeSearchInput.filters", SERVER),
    ("McpServer::Stdio.0", "part of an endpoint that was checked, as it stands there"),
    ("MemoryGetOutput.meta", STORE),
    ("MemoryGetOutput.value", CONTENT),
    ("MemorySetInput.value", CONTENT),
    ("MemorySetOutput.meta", STORE),
    ("Mismatch::Circle.name", NAMED),
    ("Mismatch::SharedName.name", NAMED),
    ("Mismatch::UnknownStep.name", NAMED),
    ("ModelSettings.extra_params", "goes into the body of requests: the provider defines keys and values"),
    ("NeedsSpec.config", FREE_KEYS),
    ("NeedsSpec.env", FREE_KEYS),
    ("NeedsSpec.secrets", FREE_KEYS),
    ("Package.channels", "the author names the channels, and the specification allows any name"),
    ("Package.environments", "what a platform needs to know, by keys of its own"),
    ("Package.mcp_servers", "the author names the servers, and the specification allows any name"),
    ("PackageChannel.config", "settings of a channel: its sort defines keys and values"),
    ("Placeholder.name", "part of a prompt that was checked, as it stands there"),
    ("Plan.parameters", NAMED),
    (
        "PlanGetOutput.plan",
        "the specification accepts any value, and does not say what stands there without a plan",
    ),
    ("PlannedStep.depends_on", NAMED),
    ("PlannedStep.name", NAMED),
    ("ProvidedTool.input_schema", "a JSON Schema: its keys are those of JSON Schema"),
    ("Skill.config", "settings of the skill's own: the author defines keys and values"),
    ("SkillFile.body", "Markdown for a model: any text is right"),
    ("SkillMd.metadata", "the keys are the author's; the values are texts"),
    ("SkillsLoadInput.arguments", CALLEE),
    ("SubagentAwaitOutput.result", RESULT),
    ("SubagentRunOutput.result", RESULT),
    ("SubagentStatusOutput.result", RESULT),
    ("Target::In.name", "part of a resource that was checked, as it stands there"),
    ("Target::In.scope", "part of a resource that was checked, as it stands there"),
    ("TemplateMismatches.unused", NAMED),
    ("ThinkOutput.0", RESULT),
    ("Tool.metadata", FREE_KEYS),
    ("ToolHints.metadata", "notes of a host: keys and values are its own"),
    ("UnknownPlaceholder.pointer", "a fixed JSON pointer, not read from a file"),
    ("UnknownPlaceholder.template", "a template that was checked, as it stands in the value"),
    ("WorkflowCreateInput.definition", DEFINITION),
    ("WorkflowRunInput.inputs", CALLEE),
    ("WorkflowRunOutput.output", RESULT),
    ("WorkflowSignalInput.payload", CALLEE),
    ("WorkflowUpdateInput.definition", DEFINITION),
    ("WorkflowWaitOutput.output", RESULT),
];

const CALLEE: &str = "a workflow or skill takes it, and says what it is";
const CLIENT: &str = "a client's own key, of which no specification says what it holds: kept as written";
const CONTENT: &str = "kept and given back as it is: nobody looks into it";
const DEFINITION: &str = "the contract accepts any object, and leaves the judgement to the runtime";
const NAMED: &str = "a name of the document, as it stands there: of one with faults too, so of no type";
const RESULT: &str = "whoever asked says what shape the result has, and it may be any JSON value";
const SERVER: &str = "a server implements the tool: keys and values are its own";
const STORE: &str = "what a store knows about a value: keys and values are its own";
const UNPUBLISHED: &str = "a table of the runtime whose keys it does not publish: kept whole";

const FREE_KEYS: &str = "the specification leaves keys and values to the author";

/// The types that say nothing.
const PLAIN: [&str; 3] = ["String", "str", "Value"];

#[test]
fn every_plain_field_has_a_reason() {
    let sources = sources(&root().join("crates/agentry/src"));
    let items: Vec<&Item> = sources.iter().flat_map(|(_, file)| &file.items).flat_map(all_items).collect();
    let plain = plain_names(&items);
    let mut found = BTreeSet::new();
    for item in items {
        plain_fields(item, &plain, &mut found);
    }

    let reasons: BTreeMap<&str, &str> = REASONS.iter().copied().collect();
    assert_eq!(reasons.len(), REASONS.len(), "a field is in the table twice");
    assert!(reasons.values().all(|reason| !reason.is_empty()), "a reason is empty");
    let without: Vec<String> = found
        .iter()
        .filter(|field| !reasons.contains_key(field.as_str()))
        .map(|field| {
            format!("    + {field}  has no reason: give it a type that says what it means, or say why not")
        })
        .collect();
    let gone: Vec<String> = reasons
        .keys()
        .filter(|field| !found.contains(**field))
        .map(|field| format!("    - {field}  has a reason, and is no plain public field: delete the reason"))
        .collect();
    let differences = [without, gone].concat();
    assert!(differences.is_empty(), "the table REASONS and the sources differ:\n{}", differences.join("\n"));
}

/// Every source file of a folder, taken apart.
fn sources(folder: &Path) -> Vec<(String, syn::File)> {
    let mut sources = Vec::new();
    for path in agentry_tests::files(folder, &[], "rs") {
        let text =
            std::fs::read_to_string(folder.join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        sources.push((path, file));
    }
    assert!(!sources.is_empty(), "no source in {}", folder.display());
    sources
}

/// The item and those in the modules below it, tests left out.
fn all_items(item: &Item) -> Vec<&Item> {
    match item {
        Item::Mod(module) => {
            let test = module.attrs.iter().any(|attribute| {
                attribute.path().is_ident("cfg")
                    && mentions(attribute.meta.to_token_stream(), &["test".to_owned()])
            });
            let items = module.content.iter().filter(|_| !test).flat_map(|(_, items)| items);
            items.flat_map(all_items).collect()
        }
        item => vec![item],
    }
}

/// The plain types and every alias of one, by `type` or by `use … as`, aliases of aliases too.
fn plain_names(items: &[&Item]) -> Vec<String> {
    let mut plain: Vec<String> = PLAIN.iter().map(ToString::to_string).collect();
    loop {
        let before = plain.len();
        for item in items {
            match item {
                Item::Type(alias) if mentions(alias.ty.to_token_stream(), &plain) => {
                    plain.push(alias.ident.to_string());
                }
                Item::Use(import) => renamed(&import.tree, &mut plain),
                _ => {}
            }
        }
        plain.sort();
        plain.dedup();
        if plain.len() == before {
            return plain;
        }
    }
}

fn renamed(tree: &UseTree, plain: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => renamed(&path.tree, plain),
        UseTree::Group(group) => group.items.iter().for_each(|tree| renamed(tree, plain)),
        UseTree::Rename(rename) if plain.contains(&rename.ident.to_string()) => {
            plain.push(rename.rename.to_string());
        }
        _ => {}
    }
}

/// The public fields of an item whose type mentions a plain one.
fn plain_fields(item: &Item, plain: &[String], found: &mut BTreeSet<String>) {
    match item {
        Item::Struct(item) => {
            let public = |visibility: &Visibility| matches!(visibility, Visibility::Public(_));
            of_fields(&item.ident.to_string(), &item.fields, public, plain, found);
        }
        Item::Enum(item) if matches!(item.vis, Visibility::Public(_)) => {
            for variant in &item.variants {
                // The fields of a variant are as public as the enum.
                let name = format!("{}::{}", item.ident, variant.ident);
                of_fields(&name, &variant.fields, |_| true, plain, found);
            }
        }
        _ => {}
    }
}

fn of_fields(
    owner: &str,
    fields: &Fields,
    public: impl Fn(&Visibility) -> bool,
    plain: &[String],
    found: &mut BTreeSet<String>,
) {
    for (index, field) in fields.iter().enumerate() {
        if public(&field.vis) && mentions(field.ty.to_token_stream(), plain) {
            let name = field.ident.as_ref().map_or(index.to_string(), ToString::to_string);
            found.insert(format!("{owner}.{name}"));
        }
    }
}

/// Whether one of these names stands anywhere in the tokens.
fn mentions(tokens: proc_macro2::TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

#[test]
fn plain_types_are_found_wherever_they_hide() {
    let file = syn::parse_file(
        r"
        use agentry_text::{Map, Value as Anything};
        type Loose = Map<Key, Anything>;
        type Looser = Option<Loose>;
        pub struct A {
            pub plain: String,
            pub inside: Option<Vec<Box<serde_json::Value>>>,
            pub borrowed: &'static str,
            pub alias: Looser,
            pub good: Option<Label>,
            hidden: String,
        }
        pub struct B(pub Anything, String);
        pub enum C { One(String), Two { text: Option<String> }, Three(Label) }
        enum D { One(String) }
        mod inner { pub struct E { pub text: String } }
        #[cfg(test)]
        mod tests { pub struct F { pub text: String } }
        ",
    )
    .expect("Rust");
    let items: Vec<&Item> = file.items.iter().flat_map(all_items).collect();
    let plain = plain_names(&items);
    let mut found = BTreeSet::new();
    for item in items {
        plain_fields(item, &plain, &mut found);
    }
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(
        found,
        ["A.alias", "A.borrowed", "A.inside", "A.plain", "B.0", "C::One.0", "C::Two.text", "E.text"]
    );
}
