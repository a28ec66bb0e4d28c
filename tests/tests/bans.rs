//! What may not be written in the types, because it lets schema and reader drift apart: each with its reason.
//!
//! The sources are looked at as tokens, so that what a macro writes is seen too.

use agentry_tests::{files, root};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// Arguments of `#[serde(...)]` that may not be written.
const SERDE: &[(&str, &str)] = &[
    (
        "alias",
        "the schema does not know the other name, so it refuses what is read: use `#[key(legacy(..))]`",
    ),
    (
        "other",
        "takes any text where the schema lists a few: `options!` keeps an unknown option, with a finding",
    ),
    (
        "content",
        "an adjacently tagged variant without content accepts null, which its schema closes: use `tagged!`",
    ),
    ("default", "a wrong or absent value becomes a default in silence: make the field an `Option`"),
    ("deserialize_with", "reads what the schema of the type does not describe: write a type of its own"),
    ("with", "reads and writes what the schema of the type does not describe: write a type of its own"),
    ("serialize_with", "writes what is not read as the same value: write a type of its own"),
    (
        "from",
        "the schema of the other type does not say what the conversion refuses: use `text_type!` or `Read`",
    ),
    (
        "try_from",
        "the schema of the other type does not say what the conversion refuses: use `text_type!` or `Read`",
    ),
    ("into", "what is written is not what is read: write a type of its own"),
    ("skip", "the key is lost: a table keeps what it does not know in `Extra`"),
    ("skip_deserializing", "what is written is not read"),
    ("skip_serializing", "what is read is not written"),
    (
        "deny_unknown_fields",
        "is ignored beside `flatten` and in unit variants: a table without `Extra` is closed",
    ),
    ("rename_all", "the key is not to be found by its name in the source: use `#[key(rename = \"..\")]`"),
    (
        "rename_all_fields",
        "the key is not to be found by its name in the source: use `#[key(rename = \"..\")]`",
    ),
    ("borrow", "only some front ends can lend a text"),
    ("remote", "the schema is that of the other type, and nobody keeps the two equal"),
    ("getter", "the schema is that of the other type, and nobody keeps the two equal"),
    ("variant_identifier", "reads a number as a variant, and the schema lists texts"),
    ("field_identifier", "reads a number as a key, and the schema lists texts"),
];

/// Arguments of `#[schemars(...)]` that may not be written: they change what the schema says, and no reader hears it.
const SCHEMARS: &[(&str, &str)] = &[
    ("length", "only the schema knows: use `text_type!`"),
    ("range", "only the schema knows: use `count_type!` or `number_type!`"),
    ("regex", "only the schema knows: use `text_type!`"),
    ("pattern", "only the schema knows: use `text_type!`"),
    ("contains", "only the schema knows: use `text_type!`"),
    ("url", "a format, which validators take for a remark: use `HttpUrl`"),
    ("email", "a format, which validators take for a remark: use `text_type!`"),
    ("inner", "only the schema knows: give the entries a type"),
    ("required", "only the schema knows: a field that is no `Option` is required"),
    ("with", "the schema of another type than the one that reads: `#[document]` writes it where it is true"),
    ("schema_with", "a schema that no type stands behind"),
    ("skip", "a key that is read and in no schema"),
];

/// What may not be derived.
const DERIVES: &[(&str, &str)] = &[
    (
        "Deserialize",
        "a second reading, beside `Read`: it stops at the first error, and takes arrays for tables",
    ),
    ("DeserializeFromStr", "a second reading, beside `Read`"),
];

/// Types that no key of a document may have.
const TYPES: &[(&str, &str)] = &[
    ("f32", "1e40 is infinite in it, and a number in the schema: use `number_type!`"),
    ("f64", "a public field could hold a number that is not finite: use `number_type!`"),
    ("u8", "bounds and meaning are not said: use `count_type!`"),
    ("u16", "bounds and meaning are not said: use `count_type!`"),
    ("u32", "bounds and meaning are not said: use `count_type!`"),
    ("u64", "bounds and meaning are not said, and large ones lose digits in JSON: use `count_type!`"),
    ("u128", "bounds and meaning are not said, and large ones lose digits in JSON: use `count_type!`"),
    ("usize", "differs between machines: use `count_type!`"),
    ("i8", "bounds and meaning are not said: use `count_type!`"),
    ("i16", "bounds and meaning are not said: use `count_type!`"),
    ("i32", "bounds and meaning are not said: use `count_type!`"),
    ("i64", "bounds and meaning are not said: use `count_type!`"),
    ("i128", "bounds and meaning are not said: use `count_type!`"),
    ("isize", "differs between machines: use `count_type!`"),
    ("char", "validators do not know the format: use `text_type!`"),
    ("BTreeSet", "entries that are there twice are lost in silence: use `Vec` or `Unique`"),
    ("HashSet", "entries that are there twice are lost in silence: use `Vec` or `Unique`"),
    ("HashMap", "the order of the text is lost: use `Map`"),
    ("BTreeMap", "the order of the text is lost: use `Map`"),
    ("Duration", "a table of seconds and nanoseconds, whose schema is open where its reader is closed"),
    ("Url", "takes blanks and tabs away, and its schema is a format: use `HttpUrl`"),
    ("IpAddr", "its format is none that validators know"),
    ("SocketAddr", "its schema says nothing"),
    ("Uuid", "takes spellings that its format does not"),
    ("DateTime", "takes spellings that its format does not"),
    ("NonZero", "its bounds are not in the schema: use `count_type!`"),
];

struct Source {
    path: String,
    tokens: TokenStream,
}

fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    for folder in ["crates/agentry/src", "crates/agentry-text/src"] {
        for path in files(&root().join(folder), &[], "rs") {
            let path = format!("{folder}/{path}");
            let text =
                std::fs::read_to_string(root().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            let tokens = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
            sources.push(Source { path, tokens });
        }
    }
    assert!(sources.len() > 30, "only {} sources: where are they?", sources.len());
    sources
}

/// Calls `see` with the tokens of every group, from the outside in; tests are left out.
fn each_group(tokens: &TokenStream, see: &mut dyn FnMut(&[TokenTree])) {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    see(&trees);
    for (index, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let is_test = index >= 2 && is_word(&trees[index - 2], "mod") && is_word(&trees[index - 1], "tests");
        if !is_test {
            each_group(&group.stream(), see);
        }
    }
}

fn is_word(tree: &TokenTree, word: &str) -> bool {
    matches!(tree, TokenTree::Ident(ident) if ident == word)
}

/// The arguments that an attribute gives to `name`, also inside `cfg_attr`: `serde(a = "b", c(d))` gives `a` and `c`.
fn arguments(attribute: &TokenStream, name: &str) -> Vec<String> {
    let trees: Vec<TokenTree> = attribute.clone().into_iter().collect();
    let mut found = Vec::new();
    for pair in trees.windows(2) {
        let [word, TokenTree::Group(group)] = pair else { continue };
        if is_word(word, "cfg_attr") {
            found.extend(arguments(&group.stream(), name));
        } else if is_word(word, name) {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            for part in inside.split(|tree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ','))
            {
                let mut words = part.iter().filter_map(|tree| match tree {
                    TokenTree::Ident(ident) => Some(ident.to_string()),
                    _ => None,
                });
                // A derive may be a path: what counts is its end.
                found.extend(if name == "derive" { words.next_back() } else { words.next() });
            }
        }
    }
    found
}

/// The attributes of a group of tokens.
fn attributes(trees: &[TokenTree]) -> impl Iterator<Item = TokenStream> {
    trees.windows(2).filter_map(|pair| match pair {
        [TokenTree::Punct(hash), TokenTree::Group(group)]
            if hash.as_char() == '#' && group.delimiter() == Delimiter::Bracket =>
        {
            Some(group.stream())
        }
        _ => None,
    })
}

#[test]
fn no_attribute_lets_schema_and_reader_drift_apart() {
    let mut found = Vec::new();
    for source in sources() {
        each_group(&source.tokens, &mut |trees| {
            for attribute in attributes(trees) {
                for (name, bans) in [("serde", SERDE), ("schemars", SCHEMARS), ("derive", DERIVES)] {
                    for argument in arguments(&attribute, name) {
                        if let Some((_, reason)) = bans.iter().find(|(ban, _)| *ban == argument) {
                            found.push(format!("{}: `{name}({argument})`: {reason}", source.path));
                        }
                    }
                }
            }
        });
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn attributes_are_seen_wherever_they_are_written() {
    for (text, name, wanted) in [
        ("#[serde(alias = \"x\", rename = \"y\")]", "serde", "alias rename"),
        (
            "#[cfg_attr(feature = \"schema\", schemars(range(min = 1), with = \"X\"))]",
            "schemars",
            "range with",
        ),
        ("#[derive(Clone, ::serde::Deserialize)]", "derive", "Clone Deserialize"),
        ("macro_rules! m { () => { #[serde(other)] struct X; }; }", "serde", "other"),
        ("mod tests { #[serde(other)] struct X; }", "serde", ""),
        ("fn f() { serde(alias) }", "serde", ""),
    ] {
        let mut found = Vec::new();
        each_group(&text.parse().expect("tokens"), &mut |trees| {
            found.extend(attributes(trees).flat_map(|attribute| arguments(&attribute, name)));
        });
        assert_eq!(found.join(" "), wanted, "{text}");
    }
}

/// The words in the types of the fields of every `#[document]`: what stands in attributes is left out.
fn document_fields(trees: &[TokenTree]) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut document = false;
    let mut name = String::new();
    for (index, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                let mut inside = group.stream().into_iter();
                document |= inside.next().is_some_and(|first| is_word(&first, "document"));
            }
            TokenTree::Ident(ident) if index > 0 && is_word(&trees[index - 1], "struct") => {
                name = ident.to_string();
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                if document && !name.is_empty() {
                    found.push((std::mem::take(&mut name), field_words(&group.stream())));
                }
                document = false;
            }
            _ => {}
        }
    }
    found
}

fn field_words(fields: &TokenStream) -> Vec<String> {
    let words = fields.clone().into_iter().filter_map(|tree| match tree {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    });
    words.collect()
}

#[test]
fn no_key_is_of_a_type_that_schema_and_reader_see_differently() {
    let mut found = Vec::new();
    let mut documents = 0;
    for source in sources() {
        each_group(&source.tokens, &mut |trees| {
            for (name, words) in document_fields(trees) {
                documents += 1;
                for (ban, reason) in TYPES.iter().filter(|(ban, _)| words.iter().any(|word| word == ban)) {
                    found.push(format!("{}: `{name}` has a key of type `{ban}`: {reason}", source.path));
                }
            }
        });
    }
    assert!(documents > 100, "only {documents} documents were found");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The implementations of a group of tokens: the trait, without its arguments, and the type as written.
fn implementations(trees: &[TokenTree]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = trees;
    while let Some(start) = rest.iter().position(|tree| is_word(tree, "impl")) {
        rest = &rest[start + 1..];
        let is_body = |tree: &TokenTree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        let Some(end) = rest.iter().position(is_body) else { break };
        let header = &rest[..end];
        rest = &rest[end..];
        let Some(middle) = header.iter().rposition(|tree| is_word(tree, "for")) else { continue };
        let mut depth = 0_usize;
        let mut name = None;
        for tree in &header[..middle] {
            match tree {
                TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
                TokenTree::Punct(punct) if punct.as_char() == '>' => depth = depth.saturating_sub(1),
                TokenTree::Ident(ident) if depth == 0 => name = Some(ident.to_string()),
                _ => {}
            }
        }
        let target = header[middle + 1..].iter().take_while(|tree| !is_word(tree, "where"));
        let target: String = target.map(ToString::to_string).collect();
        found.extend(name.map(|name| (name, target)));
    }
    found
}

/// Types that are read by hand and whose schema schemars has: of the standard library, and as plain as their schema.
const PLAIN: [&str; 4] = ["bool", "String", "Box<T>", "Vec<T>"];

#[test]
fn what_is_read_by_hand_is_described_by_hand() {
    // What a macro defines has a name there only; any other type is described in its crate, where it is read.
    let mut traits: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for source in sources().into_iter().filter(|source| !source.path.ends_with("tests.rs")) {
        let folder = source.path.split("/src").next().unwrap_or_default();
        each_group(&source.tokens, &mut |trees| {
            for (name, target) in implementations(trees) {
                let place = if target.starts_with('$') { source.path.as_str() } else { folder };
                traits.entry((place.to_owned(), target)).or_default().insert(name);
            }
        });
    }
    let mut missing = Vec::new();
    let mut by_hand = 0;
    for ((place, target), traits) in traits {
        let read = traits.contains("Read") || traits.contains("Deserialize");
        if !read || PLAIN.contains(&target.as_str()) {
            continue;
        }
        by_hand += 1;
        if !traits.contains("JsonSchema") {
            missing
                .push(format!("{place}: `{target}` is read by hand: describe it by hand, beside its reader"));
        }
    }
    assert!(by_hand >= 15, "only {by_hand} types are read by hand");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// What each type is called, and its schema.
macro_rules! names {
    ($($name:literal $type:ty),+ $(,)?) => { [$(($name, <$type as schemars::JsonSchema>::schema_name())),+] };
}

/// A schema that others refer to is found under the name of its type, with the types in it behind that.
#[test]
fn schemas_that_are_written_by_hand_have_the_names_of_their_types() {
    let names = names![
        "AllowList_string" agentry::AllowList<String>,
        "AllowedTools" agentry::skill_md::AllowedTools,
        "AtMost_5_Array_of_boolean" agentry_text::AtMost<5, Vec<bool>>,
        "Call" agentry::contract::Call,
        "Contract" agentry::contract::Contract,
        "Extra" agentry_text::Extra,
        "FieldValues" agentry::registry_schema::FieldValues,
        "JsonSchema" agentry::JsonSchema,
        "Labels" agentry::skill_md::Labels,
        "LooseText" agentry::skill_md::LooseText,
        "MainRole" agentry::hand::MainRole,
        "Map_string_boolean" agentry_text::Map<String, bool>,
        "Nullable_boolean" agentry_text::Nullable<bool>,
        "OrEmpty_string" agentry_text::OrEmpty<String>,
        "PackageFile" agentry::package::PackageFile,
        "ParameterValue" agentry::workflow::ParameterValue,
        "PlanItemDraft" agentry::contract::plan::PlanItemDraft,
        "PlanItemSelector" agentry::contract::plan::PlanItemSelector,
        "Provider" agentry::Provider,
        "RegistrySchema" agentry::RegistrySchema,
        "Role" agentry::hand::Role,
        "SchemaVersion" agentry::package::SchemaVersion,
        "Set_string" agentry_text::Set<String>,
        "SettingInput" agentry::hand::SettingInput,
        "Shorthand_string_boolean" agentry::Shorthand<String, bool>,
        "StatusRange" agentry::tool::StatusRange,
        "Steps" agentry::workflow::Steps,
        "ThinkOutput" agentry::contract::intelligence::ThinkOutput,
        "Unique_boolean" agentry_text::Unique<bool>,
        "Value" agentry_text::Value,
    ];
    for (expected, name) in &names {
        assert_eq!(name, expected);
    }
    let listed: BTreeSet<&str> =
        names.iter().map(|(name, _)| name.split('_').next().unwrap_or(name)).collect();
    let mut missing = Vec::new();
    for source in sources() {
        each_group(&source.tokens, &mut |trees| {
            for (_, target) in implementations(trees).into_iter().filter(|(name, _)| name == "JsonSchema") {
                let name = target.split('<').next().unwrap_or_default();
                // What a macro defines has a name there only.
                if !name.starts_with('$') && !listed.contains(name) {
                    missing.push(format!("{}: `{target}`", source.path));
                }
            }
        });
    }
    assert!(missing.is_empty(), "add to the list above: {missing:?}");
}

#[test]
fn implementations_are_told_from_their_headers() {
    for (text, wanted) in [
        ("impl<T: Read> Read for Vec<T> {}", "Read Vec<T>"),
        ("impl<'de> serde::Deserialize<'de> for X where X: Sized {}", "Deserialize X"),
        ("impl X {} impl ::schemars::JsonSchema for $name {}", "JsonSchema $name"),
        ("fn f() -> impl Iterator {}", ""),
    ] {
        let trees: Vec<TokenTree> = text.parse::<TokenStream>().expect("tokens").into_iter().collect();
        let found: Vec<String> =
            implementations(&trees).into_iter().map(|(name, target)| format!("{name} {target}")).collect();
        assert_eq!(found.join("; "), wanted, "{text}");
    }
}
