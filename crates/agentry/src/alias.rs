//! `aliases.toml`: names by which models may be asked for, whatever their provider (LibreFang registry).

use crate::values::ModelId;
use agentry_macros::document;
use agentry_text::{Extra, Map, shown_text_type};

/// The file of a registry's global aliases. There is one, at the top of the registry. A name that belongs to one
/// model is better kept in the `aliases` of that model.
#[document]
pub struct Aliases {
    /// The short names, each with the id of the model that it stands for. No name should also be the id or an alias
    /// of a model in a provider file: readers differ in which of the two they take. Published file and LibreFang
    /// runtime.
    pub aliases: Map<Alias, ModelId>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Aliases {
    /// The model that an alias stands for.
    pub fn get(&self, alias: &str) -> Option<&ModelId> {
        self.aliases.get(alias)
    }

    /// The aliases that stand for another alias of this file, each with the alias it stands for. A reader that looks
    /// a name up once finds no model there.
    pub fn chained(&self) -> impl Iterator<Item = (&Alias, &ModelId)> {
        self.aliases.iter().filter(|(_, model)| self.aliases.contains_key(model.as_str()))
    }
}

shown_text_type! {
    /// A short name for a model: characters of any script, without spaces, as a model id has it.
    pub struct Alias {
        pattern: r"^[^\x00-\x20\x7f]+$",
        form: "an alias: printable characters without spaces",
        example: "best",
    }
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::Aliases;

    #[test]
    fn an_alias_leads_to_its_model() {
        let text = "[aliases]\nbest = \"acme-large-1\"\n\"acme 1\" = \"x\"\n";
        let error = agentry_text::toml::from_str::<Aliases>(text).expect_err("a name with a space");
        assert_eq!(error.findings()[0].pointer, "/aliases/acme 1");

        let text = "[aliases]\nbest = \"acme-large-1\"\ntop = \"best\"\n\"beam-2.0\" = \"acme/beam-2\"\n";
        let aliases: Aliases = agentry_text::toml::from_str(text).expect("valid");
        for (alias, model) in [
            ("best", Some("acme-large-1")),
            ("top", Some("best")),
            ("beam-2.0", Some("acme/beam-2")),
            ("acme-large-1", None),
        ] {
            assert_eq!(aliases.get(alias).map(crate::values::ModelId::as_str), model, "{alias}");
        }
        let chained: Vec<_> = aliases.chained().map(|(alias, _)| alias.as_str()).collect();
        assert_eq!(chained, ["top"]);
    }

    #[test]
    fn a_file_without_aliases_is_not_one() {
        for (text, rule) in [
            ("alias = 1\n", "missing-key"),
            ("[aliases]\na = 1\n", "wrong-type"),
            ("[aliases]\na = \"\"\n", "invalid-value"),
            ("[aliases.a]\nb = \"c\"\n", "wrong-type"),
        ] {
            let error = agentry_text::toml::from_str::<Aliases>(text).expect_err(text);
            assert_eq!(error.findings()[0].rule.name, rule, "{text}");
        }
    }
}
