//! What there is to say about each rule: why it is one, what to do, and an example of each.
//!
//! The name, severity and summary of a rule stand where it is declared. Everything else is its page, a Markdown file in
//! `rules`, and both together are what `agentry explain`, the reference and SARIF show. A page is:
//!
//! ````markdown
//! ---
//! since: 0.1.0
//! source: Where the fact comes from, in a few words.
//! ---
//!
//! One to three short paragraphs for an author.
//!
//! ## Found in
//!
//! ```toml path=workflows/review.toml
//! (one or more whole files that draw the rule when they are checked together)
//! ```
//!
//! ## Instead
//!
//! ```toml path=workflows/review.toml
//! (the same put right)
//! ```
//! ````
//!
//! `default: off` in the front matter makes a rule one that is reported only where somebody asks for it. A rule that no
//! file of a reasonable size can show says `unshown:` and why, and has no sections. The first word of a fence is the
//! format; after it stand:
//!
//! * `path=` the file;
//! * `named` where the file is named on the command line, and not found in its folder; `kind=` where its kind is said, too;
//! * `link=` where a link stands at the path, and where it leads; the block is empty;
//! * `baseline` where the file is the baseline of the run;
//! * `contract=` and `side=` where the text is a side of a contract, and no file;
//! * `repeat=` how many times the last line stands in the file, where the page shows it once;
//! * `escaped` where `\u{200b}` in the block stands for that character, which nobody would see;
//! * `latin-1` where the file is written in that encoding, and not as UTF-8.

mod page;
mod render;

use agentry_macros::document;
use agentry_text::{Rule, front_matter};
use page::Page;
use std::collections::HashSet;
use std::fmt;
use std::sync::LazyLock;

pub use render::{
    Block, Explanation, Explanations, VERSION, explanation, human, json, list, markdown, reference,
};

/// The pages, by the names of their rules, which are in order.
static PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The rules that are off by default.
static OFF: LazyLock<HashSet<&str>> =
    LazyLock::new(|| PAGES.iter().filter(|(_, text)| says_off(text)).map(|(name, _)| *name).collect());

/// Whether the front matter of a page says that its rule is off. Every run asks, so pages are not read for it.
fn says_off(page: &str) -> bool {
    page.lines().skip(1).take_while(|line| *line != "---").any(|line| line == "default: off")
}

/// Whether findings of a rule are reported only where settings or the command line ask for them.
pub fn is_off_by_default(rule: &Rule) -> bool {
    OFF.contains(rule.name)
}

/// The names of all pages.
pub fn page_names() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|(name, _)| *name)
}

/// The page of a rule by its name; None where there is no such rule, or its page cannot be read.
pub fn explain(name: &str) -> Option<RulePage> {
    let rule = crate::all_rules().find(|rule| rule.name == name)?;
    page(rule)?.ok()
}

/// The page of a rule, or what is wrong with it; None where there is none.
pub fn page(rule: &'static Rule) -> Option<Result<RulePage, PageError>> {
    let index = PAGES.binary_search_by_key(&rule.name, |(name, _)| name).ok()?;
    Some(RulePage::parse(rule, PAGES[index].1))
}

/// Every page, in the order of the rules.
pub fn pages() -> impl Iterator<Item = RulePage> {
    crate::all_rules().filter_map(|rule| page(rule)?.ok())
}

/// What there is to say about a rule.
#[derive(Clone, Debug)]
pub struct RulePage {
    /// The rule.
    pub rule: &'static Rule,
    /// Whether it is off by default.
    pub off: bool,
    /// The version of Agentry that had it first.
    pub since: String,
    /// Where the fact comes from.
    pub source: String,
    /// What it means, why it matters and what to do: Markdown.
    pub text: &'static str,
    /// Files that draw the rule.
    pub found: Vec<Example>,
    /// The same put right.
    pub instead: Vec<Example>,
    /// Why there is no example, where there is none.
    pub unshown: Option<String>,
}

/// A file of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The format: the first word of the fence.
    pub format: &'static str,
    /// Where the file is, from the folder of the example down. None for a side of a contract.
    pub path: Option<&'static str>,
    /// What the file is to a run.
    pub role: Role,
    /// How many times its last line stands in it.
    pub repeat: usize,
    /// Whether characters are written as `\u{...}`.
    pub escaped: bool,
    /// Whether it is written as Latin-1.
    pub latin_1: bool,
    /// What the page shows of it.
    pub text: &'static str,
}

/// What a file of an example is to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A file that is found in the folder of the example.
    Found,
    /// A file that is named on the command line, with the name of its kind where that is said.
    Named(Option<&'static str>),
    /// A link, and where it leads.
    Link(&'static str),
    /// The baseline of the run.
    Baseline,
    /// No file: a side of a contract, as requests on standard input name it.
    Side {
        /// The name of the contract.
        contract: &'static str,
        /// The name of the side.
        side: &'static str,
    },
}

impl Example {
    /// What the file holds.
    pub fn bytes(&self) -> Vec<u8> {
        let mut text = if self.escaped { unescaped(self.text) } else { self.text.to_owned() };
        if self.repeat > 1 {
            let line = text.trim_end_matches('\n').rfind('\n').map_or(0, |end| end + 1);
            let last = text[line..].to_owned();
            text.push_str(&last.repeat(self.repeat - 1));
        }
        if self.latin_1 {
            return text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
        }
        text.into_bytes()
    }
}

/// A text in which `\u{...}` stands for the character.
fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let escape = part.split_once('}').and_then(|(code, rest)| {
            Some((u32::from_str_radix(code, 16).ok().and_then(char::from_u32)?, rest))
        });
        if let Some((c, rest)) = escape {
            plain.push(c);
            plain.push_str(rest);
        } else {
            plain.push_str("\\u{");
            plain.push_str(part);
        }
    }
    plain
}

/// Why a page cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageError(String);

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PageError {}

/// The front matter of a page.
#[document]
struct Header {
    /// The version that had the rule first.
    since: String,
    /// Where the fact comes from.
    source: String,
    /// What the rule is as long as nobody asks for it: only "off" is worth saying.
    default: Option<String>,
    /// Why there is no example.
    unshown: Option<String>,
}

const FOUND: &str = "Found in";
const INSTEAD: &str = "Instead";

impl RulePage {
    /// Reads the page of a rule.
    fn parse(rule: &'static Rule, page: &'static str) -> Result<Self, PageError> {
        let fault = |message: String| PageError(format!("rules/{}.md: {message}", rule.name));
        let (header, body) =
            front_matter::from_str::<Header>(page).map_err(|error| fault(error.to_string()))?;
        // The body is a part of the page, which lives as long as the program.
        let body = &page[page.len() - body.len()..];
        if header.default.as_ref().is_some_and(|default| default != "off") {
            return Err(fault("`default` is `off` or not there".to_owned()));
        }
        let mut read = Page::new(body);
        let text = read.text();
        if text.is_empty() {
            return Err(fault("the explanation is missing".to_owned()));
        }
        let mut sections = Vec::new();
        while let Some(title) = read.title() {
            sections.push((title, read.examples().map_err(&fault)?));
        }
        let titles: Vec<&str> = sections.iter().map(|(title, _)| *title).collect();
        let shown = titles == [FOUND, INSTEAD] && sections.iter().all(|(_, blocks)| !blocks.is_empty());
        if header.unshown.is_some() != titles.is_empty() || header.unshown.is_none() && !shown {
            return Err(fault(format!(
                "a page has the sections `## {FOUND}` and `## {INSTEAD}`, each with a block, or says `unshown: why`"
            )));
        }
        let mut sections = sections.into_iter().map(|(_, blocks)| blocks);
        Ok(Self {
            rule,
            off: header.default.is_some(),
            since: header.since,
            source: header.source,
            text,
            found: sections.next().unwrap_or_default(),
            instead: sections.next().unwrap_or_default(),
            unshown: header.unshown,
        })
    }
}
