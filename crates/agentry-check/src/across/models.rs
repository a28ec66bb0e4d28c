//! Models and the names by which they are asked for.
//!
//! A name is looked up without regard to case: first among the ids of all models, then among the names that people see, then
//! among the aliases, those of the models before those of `aliases.toml`. What an earlier step finds, a later one never
//! reaches. Which of two aliases of one name is reached depends on the order of files.
//!
//! Two providers may have a model of one id: whoever sells the models of others does. Such models count as one here.

use super::references::{DEFAULT, Reference, Target, items};
use super::{Findings, Mention, Run};
use crate::rules;
use agentry::Kind;
use agentry_text::{Finding, Kind as NodeKind, Node, Severity, quoted};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a provider's file says about its models.
#[derive(Debug)]
pub(super) struct Offer {
    provider: String,
    /// Whether it may have models that the file does not list: it is asked for them, lists none, or runs what people install.
    is_open: bool,
    /// Whether the runtime asks it for its models.
    is_asked: bool,
    models: Vec<Model>,
}

#[derive(Debug)]
struct Model {
    id: Mention,
    /// The name that people see.
    shown: Option<String>,
    /// The provider, where it is another than that of the file.
    provider: Option<String>,
    aliases: Vec<Mention>,
}

impl Offer {
    pub(super) fn of(kind: Kind, root: &Node) -> Option<Self> {
        if kind != Kind::Provider {
            return None;
        }
        let about = root.get("provider").map(|entry| &entry.node).filter(|node| node.as_table().is_some());
        let about = about.unwrap_or(root);
        let is = |key: &str, flag: bool| {
            about.get(key).is_some_and(|entry| entry.node.kind == NodeKind::Bool(flag))
        };
        let models: Vec<Model> = items(root, "models")
            .iter()
            .enumerate()
            .filter_map(|(index, model)| {
                let at = format!("/models/{index}");
                let text = |key: &str| Some(model.get(key)?.node.as_str()?.to_owned());
                let aliases = items(model, "aliases").iter().enumerate();
                Some(Model {
                    id: Mention::of(&model.get("id")?.node, format!("{at}/id"))?,
                    shown: text("display_name"),
                    provider: text("provider"),
                    aliases: aliases
                        .filter_map(|(index, alias)| Mention::of(alias, format!("{at}/aliases/{index}")))
                        .collect(),
                })
            })
            .collect();
        let is_asked = is("discover_models", true);
        Some(Self {
            provider: about.get("id")?.node.as_str()?.to_owned(),
            is_open: is_asked || models.is_empty() || is("key_required", false),
            is_asked,
            models,
        })
    }
}

/// An alias of a whole registry, with the model that it stands for.
#[derive(Debug)]
pub(super) struct Alias {
    alias: Mention,
    model: Mention,
}

impl Alias {
    pub(super) fn all(kind: Kind, root: &Node) -> Vec<Self> {
        let table =
            root.get("aliases").and_then(|entry| entry.node.as_table()).filter(|_| kind == Kind::Alias);
        let entries = table.into_iter().flat_map(|table| &table.entries);
        let aliases = entries.filter_map(|entry| {
            let pointer = format!("/aliases/{}", entry.key.replace('~', "~0").replace('/', "~1"));
            let alias = Mention { name: entry.key.clone(), span: entry.key_span, pointer: pointer.clone() };
            Some(Self { alias, model: Mention::of(&entry.node, pointer)? })
        });
        aliases.collect()
    }
}

/// What to write in place of a model that is not there.
const HELP: &str =
    "write the id or an alias of a model that is there, or \"default\" for the runtime's choice";

/// A model at its place.
#[derive(Clone, Copy)]
struct Entry<'r> {
    file: usize,
    model: &'r Model,
    provider: &'r str,
}

/// The models and aliases of a registry, or of one with all inside it.
#[derive(Default)]
struct Catalogue<'r> {
    entries: Vec<Entry<'r>>,
    /// The first model of each id.
    ids: HashMap<String, usize>,
    /// The first model of each name that people see.
    shown: HashMap<String, usize>,
    /// The first claim to each alias: where, and the id that it stands for.
    aliases: HashMap<String, (usize, &'r Mention, String)>,
    /// By provider: whether it may have others, and the names of those that it is known to have.
    providers: HashMap<&'r str, (bool, HashSet<String>)>,
    is_asked: bool,
    is_open: bool,
    globals: Vec<(usize, &'r Alias)>,
}

fn lower(name: &str) -> String {
    name.to_lowercase()
}

impl<'r> Catalogue<'r> {
    fn add(&mut self, file: usize, offer: &'r Offer) {
        self.is_asked |= offer.is_asked;
        self.is_open |= offer.is_open;
        let about = self.providers.entry(&offer.provider).or_default();
        about.0 |= offer.is_open;
        for model in &offer.models {
            let provider = model.provider.as_deref().unwrap_or(&offer.provider);
            let index = self.entries.len();
            self.entries.push(Entry { file, model, provider });
            self.ids.entry(lower(&model.id.name)).or_insert(index);
            if let Some(shown) = &model.shown {
                self.shown.entry(lower(shown)).or_insert(index);
            }
            let names = model.aliases.iter().chain([&model.id]).map(|name| lower(&name.name));
            let names: Vec<String> = names.chain(model.shown.as_deref().map(lower)).collect();
            for provider in [provider, &offer.provider] {
                self.providers.entry(provider).or_default().1.extend(names.iter().cloned());
            }
            for alias in &model.aliases {
                self.aliases.entry(lower(&alias.name)).or_insert((file, alias, lower(&model.id.name)));
            }
        }
    }

    fn add_globals(&mut self, file: usize, aliases: &'r [Alias]) {
        self.globals.extend(aliases.iter().map(|alias| (file, alias)));
    }

    /// Whether a model is there by its id, perhaps with its provider before it.
    fn has_id(&self, name: &str) -> bool {
        self.ids.contains_key(name) || self.is_qualified(name)
    }

    /// `provider/model`.
    fn is_qualified(&self, name: &str) -> bool {
        name.split_once('/').is_some_and(|(provider, model)| {
            self.providers.get(provider).is_some_and(|(is_open, names)| *is_open || names.contains(model))
        })
    }

    /// Whether a name leads to a model.
    fn resolves(&self, name: &str) -> bool {
        self.has_id(name) || self.shown.contains_key(name) || self.aliases.contains_key(name)
    }

    /// The provider of the model to which a name leads, in the order of the lookup.
    fn provider_of(&self, name: &str) -> Option<&'r str> {
        let by_alias = || self.ids.get(&self.aliases.get(name)?.2);
        let index = self.ids.get(name).or_else(|| self.shown.get(name)).or_else(by_alias)?;
        Some(self.entries[*index].provider)
    }

    /// What comes before an alias in the lookup, and is another model.
    fn shadow(&self, alias: &str, model: &str) -> Option<(Entry<'r>, &'static str)> {
        let by_id = self.ids.get(alias).map(|index| (*index, "the id"));
        let found = by_id.or_else(|| Some((*self.shown.get(alias)?, "the displayed name")));
        found
            .map(|(index, what)| (self.entries[index], what))
            .filter(|(entry, _)| lower(&entry.model.id.name) != model)
    }
}

/// Applies the rules over the models of a run.
pub(super) fn check(run: &Run<'_>, findings: &mut Findings) {
    // Of each registry by itself, and of all that are in one: what is asked for may be defined further in or out.
    let mut own: BTreeMap<usize, Catalogue<'_>> = BTreeMap::new();
    let mut whole: BTreeMap<usize, Catalogue<'_>> = BTreeMap::new();
    for (file, facts) in run.facts() {
        let (Some(registry), Some(outer)) = (run.registry(file), run.outermost(file)) else { continue };
        for catalogue in [own.entry(registry).or_default(), whole.entry(outer).or_default()] {
            if let Some(offer) = &facts.offer {
                catalogue.add(file, offer);
            }
            catalogue.add_globals(file, &facts.aliases);
        }
    }
    for catalogue in own.values() {
        check_ids(run, catalogue, findings);
        check_aliases(run, catalogue, findings);
        check_globals(run, catalogue, findings);
    }
    for catalogue in whole.values_mut() {
        for (file, global) in &catalogue.globals {
            let claim = (*file, &global.alias, lower(&global.model.name));
            catalogue.aliases.entry(lower(&global.alias.name)).or_insert(claim);
        }
    }
    for (file, facts) in run.facts() {
        let Some(catalogue) = run.outermost(file).and_then(|outer| whole.get(&outer)) else { continue };
        for global in &facts.aliases {
            findings.extend(target(run, file, catalogue, global).map(|finding| (file, finding)));
        }
        for Reference { to, name } in &facts.references {
            let Target::Model { provider } = to else { continue };
            let found = reference(run, file, catalogue, provider.as_deref(), name);
            findings.extend(found.map(|finding| (file, finding)));
        }
    }
}

/// One id, two models of one provider.
fn check_ids(run: &Run<'_>, catalogue: &Catalogue<'_>, findings: &mut Findings) {
    let mut first: HashMap<(&str, String), Entry<'_>> = HashMap::with_capacity(catalogue.entries.len());
    for entry in &catalogue.entries {
        let id = &entry.model.id;
        let key = (entry.provider, lower(&id.name).replace('-', "_"));
        let Some(other) = first.get(&key) else {
            first.insert(key, *entry);
            continue;
        };
        // The same id twice in one file is an error by itself.
        let same = other.model.id.name == id.name;
        if same && entry.file == other.file
            || run.is_one_file(other.file, entry.file) && entry.file != other.file
        {
            continue;
        }
        let place = run.place(other.file, other.model.id.span);
        if lower(&other.model.id.name) != lower(&id.name) {
            // The runtime tells the two apart, people do not.
            let message = format!(
                "the provider {} has another model that differs from {} only in `-` and `_`, {}: {place}",
                quoted(entry.provider),
                quoted(&id.name),
                quoted(&other.model.id.name)
            );
            findings.push((
                entry.file,
                id.finding(&rules::DUPLICATE_NAME, message)
                    .severity(Severity::Hint)
                    .label("nearly the id of another model")
                    .help("keep the one that the provider's API takes, unless it really has both"),
            ));
            continue;
        }
        let but = if same { "" } else { " but for letter case" };
        let message = format!(
            "the provider {} has another model of the id {}{but}: {place}",
            quoted(entry.provider),
            quoted(&id.name)
        );
        findings.push((
            entry.file,
            id.finding(&rules::DUPLICATE_NAME, message).label("a second one of that id").help(
                "delete one of the two: a name is looked up without regard to case, and reaches only one",
            ),
        ));
    }
}

/// Aliases that models have of their own. Those that meet in one file were found where it was read.
fn check_aliases(run: &Run<'_>, catalogue: &Catalogue<'_>, findings: &mut Findings) {
    for entry in &catalogue.entries {
        let model = lower(&entry.model.id.name);
        for alias in &entry.model.aliases {
            let name = lower(&alias.name);
            let shown = quoted(&alias.name);
            let (message, label, help) = if let Some((other, what)) = catalogue.shadow(&name, &model) {
                if other.file == entry.file {
                    continue;
                }
                let place = run.place(other.file, other.model.id.span);
                (
                    format!(
                        "the alias {shown} is {what} of another model, {}: {place}",
                        quoted(&other.model.id.name)
                    ),
                    "leads to the other model",
                    "delete the alias, or choose another: ids and displayed names are looked up first",
                )
            } else if let Some((file, first, target)) = catalogue.aliases.get(&name)
                && *file != entry.file
                && *target != model
            {
                (
                    format!(
                        "the alias {shown} is given to another model too: {}",
                        run.place(*file, first.span)
                    ),
                    "given a second time here",
                    "keep it on one model: which one it reaches depends on the order of files",
                )
            } else {
                continue;
            };
            let finding = alias.finding(&rules::AMBIGUOUS_ALIAS, message).label(label).help(help);
            findings.push((entry.file, finding));
        }
    }
}

/// Aliases of the whole registry that are names of models already.
fn check_globals(run: &Run<'_>, catalogue: &Catalogue<'_>, findings: &mut Findings) {
    let mut first: HashMap<String, (usize, &Alias)> = HashMap::new();
    for (file, global) in &catalogue.globals {
        let (alias, model) = (&global.alias, lower(&global.model.name));
        let name = lower(&alias.name);
        let shown = quoted(&alias.name);
        let finding = |message: String| alias.finding(&rules::AMBIGUOUS_ALIAS, message);
        let found = if name == model {
            finding(format!("the alias {shown} stands for itself"))
                .label("the id that it stands for")
                .help("delete it: a name leads to its own model without an alias")
        } else if let Some((other, what)) = catalogue.shadow(&name, &model) {
            let place = run.place(other.file, other.model.id.span);
            finding(format!(
                "the alias {shown} is {what} of another model, {}: {place}",
                quoted(&other.model.id.name)
            ))
            .label("leads to the other model")
            .help("delete the alias, or choose another: ids and displayed names are looked up first")
        } else if let Some((other_file, claim, target)) = catalogue.aliases.get(&name) {
            let place = run.place(*other_file, claim.span);
            if *target == model {
                finding(format!("the model has the alias {shown} of its own: {place}"))
                    .severity(Severity::Hint)
                    .label("said twice")
                    .help("delete it in one of the two places")
            } else {
                finding(format!("the alias {shown} is given to another model too: {place}"))
                    .label("given a second time here")
                    .help("keep one of the two: which one it reaches depends on the reader")
            }
        } else if let Some((other_file, other)) = first.get(&name) {
            finding(format!("the alias {shown} is given twice: {}", run.place(*other_file, other.alias.span)))
                .label("given a second time here")
                .help("keep one of the two: a name is looked up without regard to case")
        } else {
            first.insert(name, (*file, global));
            continue;
        };
        findings.push((*file, found));
    }
}

/// The model that an alias of the registry stands for.
fn target(run: &Run<'_>, file: usize, catalogue: &Catalogue<'_>, global: &Alias) -> Option<Finding> {
    let model = &global.model;
    let name = lower(&model.name);
    // That an alias stands for itself was said.
    if catalogue.has_id(&name) || name == lower(&global.alias.name) {
        return None;
    }
    let all = run.holds_all(file, Kind::Provider);
    let shown = quoted(&model.name);
    let finding = |message: String| model.finding(&rules::UNKNOWN_MODEL, message);
    if let Some((_, _, id)) = catalogue.aliases.get(&name) {
        return Some(
            finding(format!("{} stands for {shown}, which is an alias itself", quoted(&global.alias.name)))
                .label("no id of a model")
                .help(format!("write the id, {}: an alias is looked up once", quoted(id))),
        );
    }
    // What the runtime asks for, no file says; otherwise a registry that has all its models has no other.
    let severity = match (all, catalogue.is_asked, catalogue.is_open) {
        (false, ..) => return None,
        (_, true, _) => Severity::Hint,
        (_, _, true) => Severity::Warning,
        _ => Severity::Error,
    };
    let finding = finding(format!(
        "{} stands for {shown}, which no provider of this registry has",
        quoted(&global.alias.name)
    ))
    .severity(severity)
    .label("no id of a model");
    Some(suggest(
        finding,
        near(run, catalogue, None, &model.name),
        "delete the alias, or let it stand for a model that is there",
    ))
}

/// A model that an agent asks for.
fn reference(
    run: &Run<'_>,
    file: usize,
    catalogue: &Catalogue<'_>,
    provider: Option<&str>,
    model: &Mention,
) -> Option<Finding> {
    let name = lower(&model.name);
    let shown = quoted(&model.name);
    let finding =
        |message: String| model.finding(&rules::UNKNOWN_MODEL, message).label("no model of that name");
    let Some(provider) = provider else {
        // The runtime's own provider may have what no file says.
        if catalogue.resolves(&name) || catalogue.is_open || !run.holds_all(file, Kind::Provider) {
            return None;
        }
        let finding = finding(format!("no provider of this registry has a model {shown}"));
        return Some(suggest(finding, near(run, catalogue, None, &model.name), HELP));
    };
    // A provider that is not there was reported where it is named.
    let (is_open, names) = catalogue.providers.get(provider)?;
    let is_alias = |(_, _, id): &(usize, &Mention, String)| names.contains(id);
    let is_known = names.contains(&name)
        || name
            .strip_prefix(provider)
            .and_then(|name| name.strip_prefix('/'))
            .is_some_and(|name| names.contains(name))
        || catalogue.aliases.get(&name).is_some_and(is_alias);
    if is_known || *is_open || name == DEFAULT {
        return None;
    }
    // Another file may say more about the provider.
    if !run.holds_all(file, Kind::Provider) {
        return None;
    }
    let lacks = format!("the provider {} has no model {shown}", quoted(provider));
    let near = near(run, catalogue, Some(provider), &model.name);
    let Some(other) = catalogue.provider_of(&name) else { return Some(suggest(finding(lacks), near, HELP)) };
    let other = quoted(other);
    let help = match near {
        Some(near) => format!("did you mean {}, or the provider {other}?", quoted(near)),
        None => format!("name {other} as the provider, or a model that {} has", quoted(provider)),
    };
    Some(finding(format!("{lacks}; {other} has it")).help(help))
}

fn suggest(finding: Finding, near: Option<&str>, otherwise: &str) -> Finding {
    match near {
        Some(near) => finding.help(format!("did you mean {}?", quoted(near))),
        None => finding.help(otherwise),
    }
}

/// The id that is nearest to a name, of a provider if one is given. One that begins alike is near as well: dates and
/// versions come and go at the end.
fn near<'r>(run: &Run<'_>, catalogue: &Catalogue<'r>, provider: Option<&str>, name: &str) -> Option<&'r str> {
    let ids = || {
        let of_provider = |entry: &&Entry<'r>| provider.is_none_or(|provider| entry.provider == provider);
        catalogue.entries.iter().filter(of_provider).map(|entry| entry.model.id.name.as_str())
    };
    run.compare(name, ids(), catalogue.entries.len()).or_else(|| {
        let begins = |id: &&str| {
            id.len() >= 4 && name.strip_prefix(id).is_some_and(|rest| rest.starts_with(['-', '.', ':', '@']))
        };
        ids().filter(begins).max_by_key(|id| id.len())
    })
}
