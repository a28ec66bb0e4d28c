//! `agentry explain`: what there is to say about a rule.

use agentry_check::explain::{self, pages};
use agentry_check::{RulePage, all_rules};
use agentry_text::{nearest, quoted};
use clap::ValueEnum;
use std::io::{self, BufWriter, Write};

/// How many names are offered where one is not known.
const OFFERED: usize = 5;

#[derive(clap::Args)]
pub(crate) struct Explain {
    /// The rule, as findings name it in brackets.
    rule: Option<String>,
    /// How to show it.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// One JSON document.
    Json,
    /// Markdown: a page, or the reference of all rules.
    Markdown,
}

pub(crate) fn run(arguments: &Explain) -> io::Result<u8> {
    let mut out = BufWriter::new(anstream::stdout().lock());
    match &arguments.rule {
        Some(name) => {
            let page = page(name)?;
            match arguments.format {
                Format::Human => explain::human(&page, &mut out)?,
                Format::Json => explain::json([page], &mut out)?,
                Format::Markdown => write!(out, "{}", explain::markdown(&page, 1))?,
            }
        }
        None => match arguments.format {
            Format::Human => explain::list(&mut out)?,
            Format::Json => explain::json(pages(), &mut out)?,
            Format::Markdown => write!(out, "{}", explain::reference())?,
        },
    }
    out.flush()?;
    Ok(0)
}

/// The page of a rule, by its name or as a finding shows it.
fn page(found: &str) -> io::Result<RulePage> {
    let name = found.split_once('[').map_or(found, |(_, name)| name.trim_end_matches([']', ':']));
    agentry_check::explain(name).ok_or_else(|| {
        let offered = similar(name);
        let help = match &offered[..] {
            [] => "`agentry explain` lists all rules".to_owned(),
            names => format!("did you mean {}?", names.join(", ")),
        };
        io::Error::other(format!("{} is not the name of a rule: {help}", quoted(name)))
    })
}

/// The names that somebody may have meant: the nearest one, and those that share a word with it.
fn similar(name: &str) -> Vec<String> {
    let names = || all_rules().map(|rule| rule.name);
    let words = |name: &str| -> Vec<String> {
        name.to_lowercase().split(['-', '_', ' ']).filter(|word| word.len() > 2).map(str::to_owned).collect()
    };
    let wanted = words(name);
    let shared = |other: &&str| words(other).iter().any(|word| wanted.contains(word));
    let near = nearest(name, names());
    let others = names().filter(shared).filter(|other| Some(*other) != near);
    near.into_iter().chain(others).take(OFFERED).map(|name| format!("`{name}`")).collect()
}
