//! Findings: what is wrong or worth knowing, where, and what to write instead.

use crate::fix::{Change, Fix, Mend, Safety};
use crate::mask::{mask_message, mask_secrets, quoted};
use crate::rules;
use crate::tree::{MAX_BYTES, MAX_DEPTH, Span};
use std::ops::Range;

/// How many findings of one document are shown.
pub(crate) const MAX_FINDINGS: usize = 1_000;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Hint,
    /// Legal, and very likely not what was meant.
    Warning,
    /// The specification, or a decision documented on the type, says that the document is wrong.
    Error,
}

impl Severity {
    /// The lower-case name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A rule: the reason for a finding.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its kebab-case name.
    pub name: &'static str,
    /// How much its findings weigh, unless the finding says otherwise.
    pub severity: Severity,
    /// What it is about, in one line.
    pub summary: &'static str,
}

/// Declares rules and the list of them, so that none can be missing from the list.
#[macro_export]
macro_rules! rules {
    ($($(#[doc = $summary:literal])+ $ident:ident = $name:literal, $severity:ident;)*) => {
        $(
            $(#[doc = $summary])+
            pub static $ident: $crate::Rule = $crate::Rule {
                name: $name,
                severity: $crate::Severity::$severity,
                summary: concat!($($summary),+).trim_ascii(),
            };
        )*
        /// Every rule of this module, in the order of the text.
        pub static ALL: &[&$crate::Rule] = &[$(&$ident),*];
    };
}

/// Another place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// One diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Why it was raised.
    pub rule: &'static Rule,
    /// How much it weighs.
    pub severity: Severity,
    /// The JSON pointer of the value it is about; for a missing or unknown key, of the table.
    pub pointer: String,
    /// Where it is; an empty span at 0 where there is no text.
    pub span: Span,
    /// What was found, and the rule in plain words. Never holds a secret.
    pub message: String,
    /// What stands at the place, in a few words; may be empty.
    pub label: String,
    /// Other places that explain it.
    pub related: Vec<Label>,
    /// What to write instead.
    pub help: Option<String>,
    /// The key it is about, where it is about a missing, unknown or misplaced one: findings of one rule about
    /// one key in many files are one report.
    pub key: Option<String>,
    /// The bytes of the string at `pointer` that it is about, as long as their place in the text is not known. Whoever
    /// has the text makes `span` of it.
    pub part: Option<Range<usize>>,
    /// What should change, as long as nobody with the text has made a fix of it.
    pub mend: Option<Mend>,
    /// How the text is changed so that the finding goes away, where that is known.
    pub fix: Option<Fix>,
}

impl Finding {
    /// A finding of a rule, with the rule's own severity.
    pub fn new(
        rule: &'static Rule,
        pointer: impl Into<String>,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            severity: rule.severity,
            pointer: pointer.into(),
            span,
            message: message.into(),
            label: String::new(),
            related: Vec::new(),
            help: None,
            key: None,
            part: None,
            mend: None,
            fix: None,
        }
    }

    /// The same with everything masked that is of the shape of a credential, or is given for a key that holds a secret by
    /// its name, wherever it came in.
    #[must_use]
    pub fn masked(mut self) -> Self {
        for text in [&mut self.message, &mut self.label] {
            *text = mask_message(text);
        }
        self.pointer = mask_secrets(&self.pointer);
        self.help = self.help.map(|help| mask_message(&help));
        self.key = self.key.map(|key| mask_secrets(&key));
        if let Some(fix) = &mut self.fix {
            fix.title = mask_message(&fix.title);
        }
        for label in &mut self.related {
            label.message = mask_message(&label.message);
        }
        self
    }

    /// The same with what stands at the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same with what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with another place.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Label { span, message: message.into() });
        self
    }

    /// The same about a key.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// The same with what should change about the value of a pointer, and whether that is certain.
    #[must_use]
    pub fn mend(mut self, safety: Safety, pointer: impl Into<String>, change: Change) -> Self {
        self.mend = Some(Mend { safety, pointer: pointer.into(), change });
        self
    }

    /// The same with another severity.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Adds it to those of a document, of which no more than [`MAX_FINDINGS`] are shown. Then one more says that there are
    /// others. An error takes the place of what is none, so that it says so as an error only if all that are shown are.
    pub(crate) fn join(self, findings: &mut Vec<Self>) {
        if findings.len() < MAX_FINDINGS {
            findings.push(self);
            return;
        }
        if findings.len() == MAX_FINDINGS {
            let message = format!("more than {MAX_FINDINGS} findings: the rest is not shown");
            let more = Self::new(&rules::TOO_MANY_FINDINGS, "", self.span, message);
            findings.push(more.severity(Severity::Warning));
        }
        let Some((more, shown)) = findings.split_last_mut() else { return };
        if self.severity < Severity::Error || more.severity == Severity::Error {
            return;
        }
        match shown.iter().rposition(|finding| finding.severity < Severity::Error) {
            Some(gives_way) => {
                // What is not shown begins behind it.
                more.span = self.span;
                shown[gives_way..].rotate_left(1);
                if let Some(last) = shown.last_mut() {
                    *last = self;
                }
            }
            None => more.severity = Severity::Error,
        }
    }

    /// Whether those of a document are so many that one of this severity would not be shown: then none need be put together.
    pub(crate) fn hides(findings: &[Self], severity: Severity) -> bool {
        let errors_too = findings.last().is_some_and(|more| more.severity == Severity::Error);
        findings.len() > MAX_FINDINGS && (severity < Severity::Error || errors_too)
    }
}

/// What every front end finds.
impl Finding {
    /// A document of more bytes than are read.
    pub fn too_large() -> Self {
        let message = format!("the document is larger than the {MAX_BYTES} bytes that are read");
        Self::new(&rules::TOO_LARGE, "", Span::default(), message)
            .help("a manifest is a few kilobytes: is this the right file?")
    }

    /// A document that nests too deeply.
    pub fn too_deep(at: Span) -> Self {
        Self::new(
            &rules::TOO_DEEP,
            "",
            at,
            "the document nests deeper than any manifest does, and is not read further here",
        )
        .help(format!("at most {MAX_DEPTH} levels of tables and arrays are read"))
    }

    /// A number that is not finite.
    pub fn not_finite(number: &str, at: Span) -> Self {
        Self::new(&rules::NOT_FINITE, "", at, format!("{} is not a finite number", quoted(number)))
            .label("not a finite number")
            .help("write a number, or delete the key if the value is not known")
    }

    /// A key that is set twice; the first place is shown where it is known.
    pub fn duplicate_key(key: &str, at: Span, first: Option<Span>) -> Self {
        let finding =
            Self::new(&rules::DUPLICATE_KEY, "", at, format!("{} is set twice in one table", quoted(key)))
                .label("set a second time here")
                .help("keep one of the two")
                .key(quoted(key).trim_matches('`'));
        match first {
            Some(first) => finding.related(first, "first set here"),
            None => finding,
        }
    }
}
