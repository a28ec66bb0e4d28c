//! Judging one text.

use crate::across::routing;
use crate::credentials::Hidden;
use crate::detect::{Candidate, Detection, detect_in};
use crate::explain::is_off_by_default;
use crate::{
    credentials, foreign, package, path, pointer, rules, schemas, skill_md, template, tools, values,
};
use agentry::contract::{Contract, Side};
use agentry::{Kind, Manifest};
use agentry_text::{Document, Finding, Format, Lines, Mode, Node, Rule, Severity, Span, fix};
use std::path::Path;

/// One text and what is known about it.
#[derive(Clone, Copy, Debug)]
pub struct Input<'t> {
    /// Where it comes from, if from a file: decides about the kind, and about its name.
    pub path: Option<&'t Path>,
    /// Its kind, if that is said.
    pub kind: Option<Kind>,
    /// The contract that it is a side of, if it is one: the arguments of a call, or an answer. Then it has no kind,
    /// and neither its path nor its content is asked for one.
    pub contract: Option<(Contract, Side)>,
    /// Its format.
    pub format: Format,
    /// The text.
    pub text: &'t str,
}

/// Whether a finding says that the form of what stands at a place is wrong: until that is mended, nothing need be said of
/// what it names.
pub(crate) fn refuses(finding: &Finding, pointer: &str) -> bool {
    use agentry_text::rules::{INVALID_VALUE, UNKNOWN_OPTION, WRONG_TYPE};
    finding.severity == Severity::Error
        && finding.pointer == pointer
        && [&INVALID_VALUE, &UNKNOWN_OPTION, &WRONG_TYPE].contains(&finding.rule)
}

/// What came out for one text.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Its kind, where that is known.
    pub kind: Option<Kind>,
    /// Why its kind is not known: the file says that it is none of ours (then there is nothing to say about it),
    /// or nothing or too much fits.
    pub undecided: Option<Detection>,
    /// Everything that was found, in the order of the text.
    pub findings: Vec<Finding>,
    /// Ranges of bytes that are secret.
    pub secrets: Vec<Span>,
    /// The value, where there is one.
    pub manifest: Option<Manifest>,
    /// The text as a tree, for rules that look beyond it. Whoever keeps many of these takes it out.
    pub(crate) root: Option<Node>,
    /// Whether the tree may lack parts of the text.
    pub(crate) damaged: bool,
}

impl Checked {
    /// Whether no finding is an error.
    pub fn is_valid(&self) -> bool {
        self.count(Severity::Error) == 0
    }

    /// Whether part of the text could not be read, so that what it says, and what is wrong with it, is not known.
    pub const fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// How many findings have a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// What came out for a text that is no manifest, and was read by something else.
    pub(crate) fn of_findings(findings: Vec<Finding>, secrets: Vec<Span>) -> Self {
        Self { kind: None, undecided: None, findings, secrets, manifest: None, root: None, damaged: false }
    }

    fn only(finding: Finding) -> Self {
        Self {
            kind: None,
            undecided: None,
            findings: vec![finding],
            secrets: Vec::new(),
            manifest: None,
            root: None,
            damaged: false,
        }
    }
}

/// Judges texts. Rules that are off by default say nothing, unless they are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checker {
    optional: bool,
}

impl Checker {
    /// The same where the rules that are off by default are reported too, or not.
    #[must_use]
    pub const fn optional(mut self, optional: bool) -> Self {
        self.optional = optional;
        self
    }

    /// Whether findings of a rule are reported.
    pub(crate) fn reports(self, rule: &Rule) -> bool {
        self.optional || !is_off_by_default(rule)
    }

    /// Takes away the findings of rules that nobody asked for.
    pub(crate) fn leave_out_optional(self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| self.reports(finding.rule));
    }

    /// Judges bytes that are not known to be text.
    pub fn check_bytes(
        self,
        bytes: &[u8],
        path: Option<&Path>,
        kind: Option<Kind>,
        format: Format,
    ) -> Checked {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.check(&Input { path, kind, contract: None, format, text }),
            Err(error) => {
                let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
                let at = Lines::new(valid).position(valid.len());
                let message = if bytes.contains(&0) {
                    "the file is binary, not text".to_owned()
                } else {
                    format!(
                        "the file is not UTF-8: the first bad byte is in line {}, column {}",
                        at.line, at.column
                    )
                };
                Checked::only(
                    Finding::new(&agentry_text::rules::NOT_TEXT, "", Span::default(), message)
                        .help("manifests are UTF-8 text: save the file in that encoding"),
                )
            }
        }
    }

    /// Judges a text.
    pub fn check(self, input: &Input<'_>) -> Checked {
        let document = match input.format {
            Format::Toml => agentry_text::toml::parse(input.text),
            Format::Yaml => agentry_text::yaml::parse(input.text),
            Format::Json => agentry_text::json::parse(input.text),
            Format::Markdown => agentry_text::front_matter::parse(input.text).document,
            other => {
                return Checked::only(
                    Finding::new(
                        &rules::UNREAD_FORMAT,
                        "",
                        Span::default(),
                        format!("{} is not read", other.name().to_uppercase()),
                    )
                    .help("write the document as TOML, YAML, JSON or Markdown with front matter"),
                );
            }
        };
        let given = document.root.as_ref().map(credentials::find).unwrap_or_default();
        let hidden: Vec<Hidden> = given.iter().map(Hidden::of).collect();
        let mut checked = Self::judge(input, document);
        self.leave_out_optional(&mut checked.findings);
        checked.findings = checked.findings.into_iter().map(Finding::masked).collect();
        credentials::take_out(&hidden, &mut checked.findings);
        checked.secrets.extend(hidden.iter().map(|hidden| hidden.span));
        checked
    }

    /// Judges a text that was taken apart.
    fn judge(input: &Input<'_>, document: Document) -> Checked {
        if let Some((contract, side)) = input.contract {
            return check_side(contract, side, &document, input);
        }
        let kind = match input.kind.map_or_else(
            || detect_in(input.format, input.path, input.text, document.root.as_ref()),
            Detection::Kind,
        ) {
            Detection::Kind(kind) => kind,
            undecided => return unknown(undecided, input, document),
        };
        if let Some(finding) = misread(kind, input) {
            return Checked { kind: Some(kind), ..Checked::only(finding) };
        }
        let reading = kind.read(&document, Mode::Strict).placed(document.root.as_ref(), input.text);
        // Only files are templates: a text that somebody asks about is meant to be judged.
        if let Some(root) = &document.root
            && input.path.is_some()
            && template::is_template(kind, root, &reading.findings)
        {
            return Checked { kind: Some(kind), ..Checked::only(template_hint(kind, root)) };
        }
        let mut findings = reading.findings;
        if let Some(root) = &document.root {
            let newer = findings.iter().any(|finding| finding.rule == &agentry::rules::NEWER_VERSION);
            // Where the text was taken apart wrongly, or by the rules of another version, nothing true can be said of
            // a schema in it.
            if !document.damaged && !newer {
                for pointer in
                    schemas_of(kind).iter().flat_map(|pattern| pointer::expand(kind, root, pattern))
                {
                    // What is no table was reported by the reader.
                    if root.pointer(&pointer).is_some_and(|node| node.as_table().is_some()) {
                        let mut inside = Vec::new();
                        schemas::check(root, &pointer, &mut inside);
                        // A skill takes any table there, so what is wrong with it does not make the skill invalid.
                        let most = if kind == Kind::Skill { Severity::Warning } else { Severity::Error };
                        findings.extend(inside.into_iter().map(|finding| {
                            let severity = finding.severity.min(most);
                            finding.severity(severity)
                        }));
                    }
                }
            }
            let mismatch = input.path.and_then(|path| name_mismatch(kind, path, root));
            // An identifier that is wrong in itself needs no second finding.
            let mismatch = mismatch.filter(|mismatch| {
                findings
                    .iter()
                    .all(|finding| finding.severity < Severity::Error || finding.pointer != mismatch.pointer)
            });
            findings.extend(mismatch);
            if !document.damaged && !newer {
                values::check_whole(kind, root, input.text, &mut findings);
            }
            tools::check(kind, root, &mut findings);
            routing::check_one(kind, root, &mut findings);
            if !newer {
                values::check_tree(kind, root, document.damaged, input.text, &mut findings);
            }
        }
        if kind == Kind::SkillMd {
            skill_md::check(input.text, input.path, document.root.as_ref(), &mut findings);
        }
        findings.sort_by_key(|finding| finding.span.start);
        fix::resolve(&mut findings, document.root.as_ref(), input.text, input.format);
        // What a rule over the value took for a credential is masked where its line is shown.
        let mut secrets = reading.secrets;
        let literal = findings.iter().filter(|finding| finding.rule == &agentry::rules::LITERAL_SECRET);
        secrets.extend(literal.map(|finding| finding.span));
        Checked {
            kind: Some(kind),
            undecided: None,
            findings,
            secrets,
            manifest: reading.value,
            root: document.root,
            damaged: document.damaged,
        }
    }
}

/// Where a document of a kind holds JSON Schemas: JSON pointers, in which `*` stands for every entry of a list.
pub(crate) const fn schemas_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Tool => &["/input", "/output"],
        Kind::Package => &["/tools/*/parameters", "/tools/*/full_parameters"],
        Kind::SkillConfig => &["/inline_tools/*/input_schema"],
        Kind::Skill => &["/tools/provided/*/input_schema"],
        _ => &[],
    }
}

/// Where a side of a contract holds JSON Schemas.
pub(crate) const fn schemas_of_side(contract: Contract, side: Side) -> &'static [&'static str] {
    match (contract, side) {
        (Contract::SubagentRun | Contract::Think, Side::Input) => &["/output_schema"],
        (Contract::AskHuman, Side::Input) => &["/schema"],
        _ => &[],
    }
}

/// Judges a document that is one side of a contract.
fn check_side(contract: Contract, side: Side, document: &Document, input: &Input<'_>) -> Checked {
    let (mut findings, secrets) = match side {
        Side::Input => {
            let reading = contract.validate_input(document, Mode::Strict);
            (reading.findings, reading.secrets)
        }
        Side::Output => {
            let reading = contract.validate_output(document, Mode::Strict);
            (reading.findings, reading.secrets)
        }
    };
    if let Some(root) = document.root.as_ref().filter(|_| !document.damaged) {
        for pointer in schemas_of_side(contract, side) {
            if root.pointer(pointer).is_some_and(|node| node.as_table().is_some()) {
                let mut inside = Vec::new();
                schemas::check(root, pointer, &mut inside);
                // The contract takes any object there, so what is wrong with it does not make the call wrong.
                findings.extend(inside.into_iter().map(|finding| {
                    let severity = finding.severity.min(Severity::Warning);
                    finding.severity(severity)
                }));
            }
        }
        findings.sort_by_key(|finding| finding.span.start);
    }
    fix::resolve(&mut findings, document.root.as_ref(), input.text, input.format);
    Checked { kind: None, undecided: None, findings, secrets, manifest: None, root: None, damaged: false }
}

fn template_hint(kind: Kind, root: &Node) -> Finding {
    let pointer = kind.identity().map_or("", |identity| identity.pointer);
    let span = root.pointer(pointer).map_or(Span::default(), |node| node.span);
    Finding::new(
        &rules::TEMPLATE,
        pointer,
        span,
        format!("this is a template of kind `{kind}`, and not checked"),
    )
    .label("still to be filled in")
    .help("copy it, fill it in, and check the copy")
}

/// A file of which nobody can say what it is: its syntax faults, if any, else what was considered.
fn unknown(undecided: Detection, input: &Input<'_>, document: Document) -> Checked {
    const SAY: &str =
        "say it with `--kind`, or with a comment `#:schema` and the address of its schema in the first line";
    let finding = |message: String| Finding::new(&rules::UNKNOWN_KIND, "", Span::default(), message);
    let path = input.path;
    let mut findings = document.findings;
    // A name that says no format was read as one of them: what is no fault there is none in the file.
    let says_format = |path: &Path| {
        path.extension().and_then(|ending| ending.to_str()).and_then(Format::from_name).is_some()
    };
    if !path.is_none_or(says_format) {
        findings.clear();
    }
    let name = path.and_then(Path::file_name).map(|name| name.to_string_lossy());
    let holds_credentials = name.is_some_and(|name| package::holds_credentials(&name));
    let foreign = document.root.as_ref().and_then(|root| foreign::recognize(path, root));
    // Most Markdown has no front matter, and needs none.
    findings.retain(|finding| finding.rule != &agentry_text::rules::MISSING_FRONT_MATTER);
    // How a text of an unknown kind is best written, nobody can say.
    findings.retain(|finding| finding.severity == Severity::Error);
    match &undecided {
        Detection::Foreign => findings.clear(),
        Detection::Tie(candidates) => findings.push(
            finding(format!("the file could be of several kinds: {}", considered(candidates)))
                .help(format!("{SAY}; `#:schema none` says that it is none of them")),
        ),
        Detection::Nothing(candidates) if findings.is_empty() => {
            findings.push(match (foreign, &candidates[..], path.and_then(Path::file_name)) {
                (Some(foreign), ..) => finding(format!(
                    "the kind of this file is not known: it looks like {}, and that is no kind",
                    foreign.what
                ))
                .help(format!("{}; if the file is of some kind all the same, say it with `--kind`", foreign.help)),
                (_, [], _) | (.., None) => finding(
                    "the kind of this file is not known: neither its content nor its path is that of a known one".to_owned(),
                )
                .help(format!(
                    "{SAY}; the kinds are {}",
                    Kind::ALL.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(", ")
                )),
                (.., Some(name)) => finding(format!(
                    "the kind of this file is not known: {} is the name of {}, and of files of other programs, and nothing \
                     in it says which",
                    agentry_text::quoted(&name.to_string_lossy()),
                    considered(candidates)
                ))
                .help(format!("{SAY}; `#:schema none` says that it is none of ours")),
            });
        }
        _ => {}
    }
    Checked {
        kind: None,
        undecided: Some(undecided),
        findings,
        // Nothing of such a file is to be shown, not even the line at which it says nothing.
        secrets: if holds_credentials { vec![Span::new(0, input.text.len())] } else { Vec::new() },
        manifest: None,
        root: document.root,
        damaged: document.damaged,
    }
}

/// Kinds with what speaks for each.
fn considered(candidates: &[Candidate]) -> String {
    let said = candidates.iter().map(|one| format!("`{}` (by its {})", one.kind, one.sign.name()));
    said.collect::<Vec<_>>().join(", ")
}

/// Markdown that is read as something else: nothing else that is found in it then helps anybody.
fn misread(kind: Kind, input: &Input<'_>) -> Option<Finding> {
    let markdown =
        input.text.trim_start_matches('\u{feff}').lines().next().is_some_and(|line| line.trim_end() == "---");
    if kind.formats() != [Format::Markdown] || input.format == Format::Markdown || !markdown {
        return None;
    }
    let (format, why) = (
        input.format.name().to_uppercase(),
        match input.path.and_then(Path::extension) {
            Some(ending) => format!(
                "the file ends in {}",
                agentry_text::quoted(&format!(".{}", ending.to_string_lossy()))
            ),
            None => "that is the format which was said".to_owned(),
        },
    );
    // The front matter alone is YAML, with the mark of its beginning.
    (input.format != Format::Yaml || input.text.lines().skip(1).any(|line| line.trim_end() == "---")).then(
        || {
            Finding::new(
                &rules::UNREAD_FORMAT,
                "",
                Span::default(),
                format!("this is Markdown with front matter, and it was to be read as {format}, since {why}"),
            )
            .help("say that the format is `md`, or give the file a name that ends in `.md`")
        },
    )
}

/// The identifier against the name of the file or folder that the kind puts it in.
fn name_mismatch(kind: Kind, file: &Path, root: &Node) -> Option<Finding> {
    let identity = kind.identity()?;
    let usual = path::in_usual_case(file);
    // The first place that it is at says what its name must be, if anything must.
    let (pattern, found) =
        kind.paths().iter().find_map(|pattern| Some((pattern, path::matches(&usual, pattern)?)))?;
    let name = found.name?;
    // The flat form of a provider has the same key one level up.
    let flat = identity.pointer.rsplit('/').next().map(|key| format!("/{key}"));
    let pointers = std::iter::once(identity.pointer.to_owned()).chain(flat);
    let mut found = pointers.filter_map(|pointer| Some((root.pointer(&pointer)?, pointer)));
    let (node, pointer) = found.next()?;
    let id = node.as_str()?;
    if id == name {
        return None;
    }
    let place =
        if pattern.rsplit('/').next().is_some_and(|last| last.contains('<')) { "file" } else { "folder" };
    let shown = agentry_text::quoted(id);
    let (thing, severity) = match kind {
        Kind::SkillMd => ("skill", skill_md::folder_severity(file)),
        kind => (kind.name(), identity.severity),
    };
    // No file and no folder is called by a path.
    let rename =
        if id.contains(['/', '\\']) { String::new() } else { format!(", or rename the {place} to {shown}") };
    Some(
        Finding::new(
            &rules::NAME_MISMATCH,
            pointer,
            node.span,
            format!("the {thing} is called {shown}, and its {place} `{name}`"),
        )
        .severity(severity)
        .label(format!("the {place} is called `{name}`"))
        .help(format!("write \"{name}\" here{rename}: they are one name")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use agentry_schema::contract_schema;

    /// What is found, as `severity rule pointer`.
    fn found(input: &Input<'_>) -> String {
        let checked = Checker::default().check(input);
        let lines = checked
            .findings
            .iter()
            .map(|finding| format!("{} {} {}", finding.severity.name(), finding.rule.name, finding.pointer));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn schemas_of_a_tool_are_judged_at_their_place_in_the_file() {
        for (property, expected, text) in [
            (r#"{"type":"string"}"#, "", ""),
            (r#"{"type":"strng"}"#, "error invalid-schema /input/properties/q/type", "\"strng\""),
            (
                r##"{"$ref":"#/$defs/gone"}"##,
                "error dangling-reference /input/properties/q/$ref",
                "\"#/$defs/gone\"",
            ),
            (r#"{"pattern":"(a"}"#, "error invalid-pattern /input/properties/q/pattern", "\"(a\""),
        ] {
            let text_of_file = format!(
                "{{\n  \"id\": \"acme.find\",\n  \"description\": \"Finds it.\",\n  \"version\": \"1.0.0\",\n  \
                 \"input\": {{\"type\": \"object\", \"properties\": {{\"q\": {property}}}}},\n  \"output\": {{}}\n}}\n"
            );
            let input = Input {
                path: None,
                kind: Some(Kind::Tool),
                contract: None,
                format: Format::Json,
                text: &text_of_file,
            };
            assert_eq!(found(&input), expected, "{property}");
            let span = Checker::default()
                .check(&input)
                .findings
                .first()
                .map_or(0..0, |finding| finding.span.start..finding.span.end);
            assert_eq!(&text_of_file[span], text, "the very value");
        }
    }

    #[test]
    fn what_an_alias_lost_is_spoken_of_once() {
        let text = format!(
            "name: b\ninstructions: &a \"{}\"\ntags: [*a, *a, *a]\nskills: *a\n",
            "x".repeat(600_000)
        );
        let input = Input {
            path: None,
            kind: Some(Kind::Package),
            contract: None,
            format: Format::Yaml,
            text: &text,
        };
        assert_eq!(found(&input), "error alias-budget /tags/1");
    }

    #[test]
    fn schemas_inside_a_call_draw_warnings() {
        for (contract, text, expected) in [
            (Contract::Think, r#"{"prompt":"a","output_schema":{"type":"object"}}"#, ""),
            (
                Contract::Think,
                r#"{"prompt":"a","output_schema":{"type":"strng"}}"#,
                "warning invalid-schema /output_schema/type",
            ),
            (
                Contract::SubagentRun,
                r##"{"output_schema":{"$ref":"#/$defs/gone"},"instruction":1}"##,
                "warning dangling-reference /output_schema/$ref\nerror wrong-type /instruction",
            ),
            (
                Contract::AskHuman,
                r#"{"question":"a","schema":{"requird":[]}}"#,
                "hint unknown-keyword /schema/requird",
            ),
            (Contract::AskHuman, r#"{"question":"a","schema":[]}"#, "error wrong-type /schema"),
        ] {
            let input = Input {
                path: None,
                kind: None,
                contract: Some((contract, Side::Input)),
                format: Format::Json,
                text,
            };
            assert_eq!(found(&input), expected, "{contract}: {text}");
        }
    }

    #[test]
    fn every_schema_inside_a_contract_is_judged() {
        for contract in Contract::ALL {
            for side in Side::ALL {
                let schema = contract_schema(*contract, *side);
                let text = schema.to_string();
                let held = text.matches(r##""#/$defs/JsonSchema""##).count();
                assert_eq!(held, schemas_of_side(*contract, *side).len(), "{contract} {side}");
                for pointer in schemas_of_side(*contract, *side) {
                    let place = format!("/properties{pointer}/$ref");
                    let reference = schema.pointer(&place).and_then(serde_json::Value::as_str);
                    assert_eq!(reference, Some("#/$defs/JsonSchema"), "{contract} {side} {pointer}");
                }
            }
        }
    }
}
