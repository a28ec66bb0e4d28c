//! `SKILL.md`: a skill in the open Agent Skills format, YAML front matter and the instructions below it.
//!
//! A skill is a folder with such a file, and with whatever the instructions refer to. Clients keep name and
//! description of every skill in sight of the model, and load the instructions when the model asks for them. The
//! format's own keys are typed strictly. What registries and clients add to them is known and kept as it is
//! written, since no specification says what it may be.
//!
//! ```
//! # #[cfg(feature = "front-matter")] {
//! let text = "---\nname: tide-tables\ndescription: Reads tide tables. Use it for times of high and low water.\n---\n# Steps\n";
//! let file = agentry::skill_md::from_str(text)?;
//! assert_eq!(file.skill.name.as_str(), "tide-tables");
//! assert_eq!(file.body, "# Steps\n");
//! assert_eq!(agentry::skill_md::to_string(&file)?, text);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod tests;
mod text;

pub use text::{AllowedTool, AllowedTools, Labels, LooseText, ToolList};

use crate::values::Prose;
use agentry_macros::document;
use agentry_text::{Extra, Invalid, Map, ReadKeys, Value, quoted, shown_text_type};
use unicode_general_category::{GeneralCategory, get_general_category};

/// The front matter of a `SKILL.md`, in the open Agent Skills format of August 2026: what the skill is called, when it
/// is used, and what it needs.
#[document(no_new)]
pub struct SkillMd {
    /// The name of the skill, which is also the name of its folder: 1 to 64 lowercase letters and digits, in parts
    /// joined by single hyphens. A file that belongs to a hand may be called otherwise. Agent Skills specification.
    #[key(example = "tide-tables", foreign("slug", "id", "title", "skill", "skill_name", "skill-name"))]
    pub name: SkillName,
    /// What the skill does and when to use it, in 1 to 1024 characters: by this text a model decides whether to load
    /// the instructions. Agent Skills specification.
    #[key(
        example = "Reads tide tables. Use it when somebody asks for times of high or low water.",
        foreign("summary", "about", "desc", "overview", "purpose")
    )]
    pub description: Description,
    /// The licence of the skill: its name, or the file of the skill's folder that holds it. Agent Skills specification.
    #[key(example = "Apache-2.0", foreign("licence"))]
    pub license: Option<Prose>,
    /// What the skill needs around it, such as a product, packages or a network, in 1 to 500 characters. Most skills
    /// need nothing and leave it out. Agent Skills specification.
    #[key(example = "Needs git and access to the network.")]
    pub compatibility: Option<Compatibility>,
    /// Whatever else is to be said of the skill: keys of the author's choice with texts. Values that are no text are
    /// read with a warning. Agent Skills specification.
    // The keys are the author's.
    #[key(foreign("meta"))]
    pub metadata: Option<Map<String, LooseText>>,
    /// The tools that the skill may use without anybody being asked: one text, with spaces between the tools.
    /// Clients support it to different degrees. Agent Skills specification, experimental.
    #[key(rename = "allowed-tools", example = "Read Bash(git:*)")]
    pub allowed_tools: Option<AllowedTools>,
    /// Keys that published registries add.
    #[serde(flatten)]
    pub registry: RegistryKeys,
    /// Keys that some clients know.
    #[serde(flatten)]
    pub client: ClientKeys,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

impl SkillMd {
    /// A skill with its required keys; every other key is absent.
    #[must_use]
    pub fn new(name: SkillName, description: Description) -> Self {
        Self {
            name,
            description,
            license: None,
            compatibility: None,
            metadata: None,
            allowed_tools: None,
            registry: RegistryKeys::new(),
            client: ClientKeys::new(),
            extra: Extra::default(),
        }
    }

    /// The tools that the skill may use without anybody being asked, however they are written; none where the key is
    /// absent.
    pub fn granted_tools(&self) -> Vec<AllowedTool<'_>> {
        self.allowed_tools.as_ref().map(AllowedTools::tools).unwrap_or_default()
    }
}

/// Keys that published registries add to the front matter. Anywhere else they belong under `metadata`.
#[document(open)]
pub struct RegistryKeys {
    /// The version of the skill, as registries list it. Published registries.
    #[key(example = "0.1.0")]
    pub version: Option<LooseText>,
    /// Who wrote the skill, as registries list it. Published registries.
    #[key(example = "harbor-office")]
    pub author: Option<LooseText>,
    /// What catalogues search the skill by. Published registries.
    pub tags: Option<Labels>,
    /// How a registry's runtime runs the skill, such as `prompt_only`. Published registries.
    #[key(example = "prompt_only")]
    pub runtime: Option<LooseText>,
    /// The tools of the runtime that the instructions speak of. It permits nothing: `allowed-tools` does. Published registries.
    pub tools: Option<Labels>,
}

/// Keys of the front matter that some clients know, and the open specification does not. They are kept as they are
/// written: each client says for itself what it takes.
#[document(open)]
pub struct ClientKeys {
    /// When to use the skill, besides what the description says. Some clients.
    pub when_to_use: Option<Value>,
    /// What a person is shown who calls the skill as a command, such as `[issue] [format]`. Some clients.
    #[key(rename = "argument-hint")]
    pub argument_hint: Option<Value>,
    /// The names of the arguments of a skill that is called as a command. Some clients.
    pub arguments: Option<Value>,
    /// Whether only people may call the skill, and the model may not. Some clients.
    #[key(rename = "disable-model-invocation")]
    pub disable_model_invocation: Option<Value>,
    /// Whether people can call the skill as a command. Some clients.
    #[key(rename = "user-invocable")]
    pub user_invocable: Option<Value>,
    /// The model that works while the skill is in use. Some clients.
    pub model: Option<Value>,
    /// How hard that model thinks. Some clients.
    pub effort: Option<Value>,
    /// Where the skill runs: `fork` for a context of its own. Some clients.
    pub context: Option<Value>,
    /// The agent that runs the skill in a context of its own. Some clients.
    pub agent: Option<Value>,
    /// What the client calls at certain moments while the skill is in use. Some clients.
    pub hooks: Option<Value>,
    /// The files that the skill is about, as patterns. Some clients.
    pub paths: Option<Value>,
    /// The shell that runs the commands in the instructions. Some clients.
    pub shell: Option<Value>,
}

impl RegistryKeys {
    /// The names of these keys.
    pub fn names() -> Vec<&'static str> {
        names_of::<Self>()
    }
}

impl ClientKeys {
    /// The names of these keys.
    pub fn names() -> Vec<&'static str> {
        names_of::<Self>()
    }
}

fn names_of<T: ReadKeys>() -> Vec<&'static str> {
    let mut keys = Vec::new();
    T::keys(&mut keys);
    keys.into_iter().map(|key| key.name).collect()
}

/// How many characters a name has at most.
const MAX_NAME: usize = 64;

/// What the form of a name is, for messages.
const NAME_FORM: &str = "the name of a skill: lowercase letters, also of other scripts, and digits, in parts joined by single hyphens";

/// What the parts of a name look like, as far as a pattern can say it that every dialect reads alike. It leaves out what
/// ASCII has besides lowercase letters and digits, and of everything else the ranges without such letters or digits that
/// are met most: signs of Latin-1 and its uppercase letters, those of Greek and Cyrillic, punctuation, wide forms.
macro_rules! name_part {
    () => {
        concat!(
            "[^\\x00-/:-`{-\u{a9}\u{ab}-\u{b1}\u{b4}\u{b6}-\u{b8}\u{bb}\u{bf}-\u{de}\u{f7}",
            "\u{391}-\u{3ab}\u{400}-\u{42f}",
            "\u{2010}-\u{205e}\u{3001}-\u{3004}\u{3008}-\u{3020}\u{3030}",
            "\u{ff01}-\u{ff0f}\u{ff1a}-\u{ff40}\u{ff5b}-\u{ff65}]+"
        )
    };
}

shown_text_type! {
    /// The name of a skill: lowercase letters and digits in parts joined by single hyphens, at most 64 characters. Letters
    /// of other scripts are letters too, with the marks that they are written with; those without case count as lowercase.
    pub struct SkillName {
        pattern: concat!("^", name_part!(), "(-", name_part!(), ")*$"),
        form: NAME_FORM,
        example: "tide-tables",
        max_characters: MAX_NAME,
        beyond: "every character of another script is a letter, a mark that its script writes with letters, or a digit, and none is an uppercase letter",
        check: |text| name_fault(text).map_or(Ok(()), Err),
        explain: |text| name_fault(text),
    }
}

impl SkillName {
    /// The name that is nearest to a text: `PDF Tools` gives `pdf-tools`. None where too little or too much is left.
    pub fn nearest(text: &str) -> Option<Self> {
        let mut name = String::new();
        let mut ended_lower = false;
        for c in text.chars() {
            if is_accent(c) && ends_in_letter(&name) {
                // One letter with the one before, and which is not known here.
                return None;
            }
            if c.is_alphanumeric() {
                if c.is_uppercase() && ended_lower {
                    name.push('-');
                }
                ended_lower = !c.is_uppercase();
                name.extend(c.to_lowercase());
            } else if is_mark(c) && ends_in_letter(&name) {
                name.push(c);
            } else {
                // An apostrophe joins what stands around it.
                if !matches!(c, '\'' | '’') && !name.is_empty() && !name.ends_with('-') {
                    name.push('-');
                }
                ended_lower = false;
            }
        }
        Self::new(name.trim_end_matches('-')).ok()
    }
}

/// Whether a character may stand in a name: a letter or digit that lowercase letters are written with.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() && c.to_lowercase().eq([c])
}

/// Whether a character is a mark that a script writes with its letters, such as a vowel sign, a tone mark or a virama.
fn is_mark(c: char) -> bool {
    let category = get_general_category(c);
    matches!(category, GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark)
        && !is_accent(c)
        // Selectors and vowels that nobody sees.
        && !matches!(c, '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether a character is an accent or voice mark, which makes one letter of the letter before it.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{3099}' | '\u{309a}' | '\u{fe20}'..='\u{fe2f}')
}

fn ends_in_letter(text: &str) -> bool {
    text.chars().next_back().is_some_and(|c| c.is_alphanumeric() || is_mark(c))
}

/// What is wrong with a name, if anything is. Its length is another matter.
fn name_fault(text: &str) -> Option<Invalid> {
    let odd = text
        .char_indices()
        .find(|&(at, c)| c != '-' && !is_of_name(c) && !(is_mark(c) && ends_in_letter(&text[..at])));
    let accent = odd.is_some_and(|(at, c)| is_accent(c) && ends_in_letter(&text[..at]));
    let fault = match odd.map(|(_, c)| c) {
        _ if text.is_empty() => return None,
        Some(_) if accent => "a letter and its accent are two characters in it".to_owned(),
        Some(c) if c.is_alphanumeric() => {
            format!("{} is an uppercase letter", quoted(c.encode_utf8(&mut [0; 4])))
        }
        Some(c) if c.is_whitespace() => "it has a space or line break".to_owned(),
        Some(c) => format!("{} is no letter, digit or hyphen", quoted(c.encode_utf8(&mut [0; 4]))),
        None if text.contains("--") => "it has two hyphens in a row".to_owned(),
        None if text.starts_with('-') => "it starts with a hyphen".to_owned(),
        None if text.ends_with('-') => "it ends with a hyphen".to_owned(),
        None => return None,
    };
    let (name, form) = NAME_FORM.split_once(": ").unwrap_or_default();
    let help = match SkillName::nearest(text) {
        _ if accent => "write the letter with its accent as one character, as keyboards do".to_owned(),
        Some(nearest) => format!("write `{nearest}`: {form}"),
        None => format!("write {form}"),
    };
    Some(
        Invalid::new(&agentry_text::rules::INVALID_VALUE, format!("{} is not {name}: {fault}", quoted(text)))
            .label(fault)
            .help(help),
    )
}

shown_text_type! {
    /// What a skill does and when to use it, in 1 to 1024 characters.
    pub struct Description {
        pattern: r"^[\s\S]+$",
        form: "the description of a skill: at least one character",
        example: "Reads tide tables. Use it when somebody asks for times of high or low water.",
        max_characters: 1024,
        remark: |text| blank(text),
    }
}

shown_text_type! {
    /// What a skill needs around it, in 1 to 500 characters.
    pub struct Compatibility {
        pattern: r"^[\s\S]+$",
        form: "what a skill needs: at least one character",
        example: "Needs git and access to the network.",
        max_characters: 500,
        remark: |text| blank(text),
    }
}

/// A text of blanks says nothing.
fn blank(text: &str) -> Option<Invalid> {
    text.trim().is_empty().then(|| {
        Invalid::new(&agentry_text::rules::EMPTY_VALUE, "the text holds nothing but blanks")
            .label("nothing but blanks")
            .help("write what the key is for")
    })
}

/// A skill as its file holds it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SkillFile {
    /// What the front matter says.
    pub skill: SkillMd,
    /// The instructions: the Markdown below the front matter, as it stands there.
    pub body: String,
}

impl SkillFile {
    /// A skill with its instructions.
    #[must_use]
    pub fn new(skill: SkillMd, body: impl Into<String>) -> Self {
        Self { skill, body: body.into() }
    }
}

/// Reads a `SKILL.md` strictly: the skill is valid, or the error says what is wrong and where.
#[cfg(feature = "front-matter")]
pub fn from_str(text: &str) -> Result<SkillFile, agentry_text::ReadError> {
    let (skill, body) = agentry_text::front_matter::from_str(text)?;
    Ok(SkillFile::new(skill, body))
}

/// Reads a `SKILL.md` tolerantly: what could be read, and every finding.
#[cfg(feature = "front-matter")]
pub fn read(text: &str) -> agentry_text::Reading<SkillFile> {
    let (reading, body) = agentry_text::front_matter::read(text);
    agentry_text::Reading {
        value: reading.value.map(|skill| SkillFile::new(skill, body)),
        findings: reading.findings,
        secrets: reading.secrets,
    }
}

/// The text of a `SKILL.md`: read back, it is the same skill with the same instructions.
#[cfg(feature = "front-matter")]
pub fn to_string(file: &SkillFile) -> Result<String, agentry_text::WriteError> {
    agentry_text::front_matter::to_string(&file.skill, &file.body)
}
