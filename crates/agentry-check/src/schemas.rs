//! JSON Schemas that stand inside documents: whether they are valid under the meta-schema of Draft 2020-12,
//! whether their references lead somewhere, and whether their patterns are regular expressions. Every fault is
//! found at its place.
//!
//! A walk over every place where a schema may stand finds the faults and says them in plain words. The validator
//! judges the same schema once more: should it find what the walk does not, that is reported too.

mod keywords;
mod references;
mod sense;

use crate::rules;
use agentry_text::{Entry, Finding, Kind, Node, Severity, nearest, quoted};
use jsonschema::Validator;
use keywords::{Form, Simple};
use references::References;
use std::collections::{HashSet, VecDeque};
use std::sync::LazyLock;

/// How many findings one schema may have: more say nothing new.
const MAX_FINDINGS: usize = 100;

/// A place where a schema stands.
#[derive(Clone)]
struct Place<'n> {
    node: &'n Node,
    /// The JSON pointer in the whole document.
    pointer: String,
    /// The schema resource that it belongs to.
    resource: usize,
}

/// Judges the schema that stands at a place of a document.
pub(crate) fn check(document: &Node, pointer: &str, findings: &mut Vec<Finding>) {
    let Some(root) = document.pointer(pointer) else { return };
    let mut judge = Judge {
        findings: Vec::new(),
        references: References::new(root),
        waiting: VecDeque::new(),
        seen: HashSet::new(),
        unknown: 0,
        patterns: 0,
        dropped: false,
    };
    judge.waiting.push_back(Place { node: root, pointer: pointer.to_owned(), resource: 0 });
    loop {
        while let Some(place) = judge.waiting.pop_front() {
            judge.schema(&place);
        }
        // What a reference leads to is a schema, wherever it stands.
        if !judge.references.follow(&mut judge.waiting, &mut judge.findings) {
            break;
        }
    }
    judge.ask_validator(root, pointer);
    // Errors first, so that no number of hints can hide one.
    judge.findings.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.span.start));
    let dropped = judge.dropped.then_some(Severity::Error);
    let more = dropped.or(judge.findings.get(MAX_FINDINGS).map(|finding| finding.severity));
    judge.findings.truncate(MAX_FINDINGS);
    judge.findings.sort_by_key(|finding| finding.span.start);
    if let (Some(severity), Some(last)) = (more, judge.findings.last()) {
        let message = format!("the schema has more than {MAX_FINDINGS} faults: the rest is not shown");
        let finding = Finding::new(&agentry_text::rules::TOO_MANY_FINDINGS, pointer, last.span, message);
        // What is not shown makes the document wrong only if it is an error.
        judge.findings.push(finding.severity(severity.max(Severity::Warning)));
    }
    findings.append(&mut judge.findings);
}

struct Judge<'n> {
    findings: Vec<Finding>,
    references: References<'n>,
    waiting: VecDeque<Place<'n>>,
    seen: HashSet<*const Node>,
    /// How many keywords were met that the draft does not know.
    unknown: usize,
    /// How many patterns were asked for a text that they match.
    patterns: usize,
    /// Whether errors were found that are not shown.
    dropped: bool,
}

impl<'n> Judge<'n> {
    fn push(&mut self, finding: Finding) {
        let error = finding.severity == Severity::Error;
        let count = self.findings.iter().filter(|other| (other.severity == Severity::Error) == error).count();
        if count < MAX_FINDINGS {
            self.findings.push(finding);
        } else {
            self.dropped |= error;
        }
    }

    /// Judges one schema, and puts those directly below it on the list.
    fn schema(&mut self, place: &Place<'n>) {
        if !self.seen.insert(std::ptr::from_ref(place.node)) {
            return;
        }
        let table = match &place.node.kind {
            Kind::Table(table) => table,
            Kind::Bool(_) => return,
            _ => {
                let finding =
                    wrong(place.node, &place.pointer, "a schema", "a table of keywords, `true` or `false`");
                return self.push(finding);
            }
        };
        let resource = self.references.enter(place, &mut self.findings);
        for entry in &table.entries {
            let below = Place {
                node: &entry.node,
                pointer: format!("{}/{}", place.pointer, escaped(&entry.key)),
                resource,
            };
            match keywords::form(&entry.key) {
                Some(form) => self.keyword(&entry.key, form, &below),
                None => self.unknown_keyword(entry, &below),
            }
        }
        sense::check(place, self);
    }

    fn keyword(&mut self, keyword: &str, form: Form, place: &Place<'n>) {
        let node = place.node;
        match form {
            Form::Anything => {}
            Form::Schema => match (&node.kind, keyword) {
                (Kind::Array(_), "items") => {
                    let finding = wrong(node, &place.pointer, "`items`", "one schema for every item")
                        .help("write `prefixItems` where each item has a schema of its own, as Draft 2020-12 has it");
                    self.push(finding);
                }
                _ => self.waiting.push_back(place.clone()),
            },
            Form::Schemas => match &node.kind {
                Kind::Array(items) if !items.is_empty() => {
                    self.waiting.extend(items.iter().enumerate().map(|(index, item)| Place {
                        node: item,
                        pointer: format!("{}/{index}", place.pointer),
                        resource: place.resource,
                    }));
                }
                _ => self.wrong(place, keyword, "an array of at least one schema"),
            },
            Form::SchemaMap | Form::PatternMap | Form::Dependencies => self.map(keyword, form, place),
            Form::Type => self.types(place),
            Form::Pattern => match node.as_str() {
                Some(text) => self.pattern(text, place.node, &place.pointer),
                None => self.wrong(place, keyword, "a string that is a regular expression"),
            },
            Form::Reference => match node.as_str() {
                Some(text) => self.references.found(text, place),
                None => self.wrong(place, keyword, "a string that leads to a schema, such as `#/$defs/Item`"),
            },
            Form::Names => self.names(keyword, place),
            Form::NamesMap => match &node.kind {
                Kind::Table(table) => {
                    for entry in &table.entries {
                        let pointer = format!("{}/{}", place.pointer, escaped(&entry.key));
                        self.names(keyword, &Place { node: &entry.node, pointer, resource: place.resource });
                    }
                }
                _ => self.wrong(place, keyword, "a table of lists of property names"),
            },
            Form::Flags => match &node.kind {
                Kind::Table(table) => {
                    for entry in &table.entries {
                        if !Simple::Flag.fits(&entry.node) {
                            let pointer = format!("{}/{}", place.pointer, escaped(&entry.key));
                            self.push(wrong(&entry.node, &pointer, "a flag", Simple::Flag.wanted()));
                        }
                    }
                }
                _ => self.wrong(place, keyword, "a table of flags"),
            },
            Form::Simple(simple) => {
                if !simple.fits(node) {
                    self.simple(keyword, simple.wanted(), place);
                }
            }
        }
        if keyword == "$schema"
            && let Some(text) = node.as_str()
            && text.trim_end_matches('#') != "https://json-schema.org/draft/2020-12/schema"
        {
            let finding = Finding::new(
                &rules::OTHER_DRAFT,
                place.pointer.clone(),
                node.span,
                format!("{} is not the address of Draft 2020-12, by which this schema is read", quoted(text)),
            )
            .label("another draft")
            .help("delete the key, or write \"https://json-schema.org/draft/2020-12/schema\"");
            self.push(finding);
        }
    }

    fn map(&mut self, keyword: &str, form: Form, place: &Place<'n>) {
        let Kind::Table(table) = &place.node.kind else {
            return self.wrong(place, keyword, "a table with a schema under every key");
        };
        for entry in &table.entries {
            let pointer = format!("{}/{}", place.pointer, escaped(&entry.key));
            if form == Form::PatternMap {
                let key = Node { kind: Kind::Bool(true), span: entry.key_span };
                self.pattern(&entry.key, &key, &pointer);
            }
            let below = Place { node: &entry.node, pointer, resource: place.resource };
            if form == Form::Dependencies && matches!(entry.node.kind, Kind::Array(_)) {
                self.names(keyword, &below);
            } else {
                self.waiting.push_back(below);
            }
        }
    }

    fn types(&mut self, place: &Place<'n>) {
        let wanted = "one of `string`, `number`, `integer`, `boolean`, `array`, `object` and `null`";
        match &place.node.kind {
            Kind::String(text) => self.type_name(text, place.node, &place.pointer),
            Kind::Array(items) if !items.is_empty() => {
                let mut seen = HashSet::new();
                for (index, item) in items.iter().enumerate() {
                    let pointer = format!("{}/{index}", place.pointer);
                    match item.as_str() {
                        None => self.push(wrong(item, &pointer, "the name of a type", wanted)),
                        Some(text) if !seen.insert(text) => self.push(twice(item, &pointer, text)),
                        Some(text) => self.type_name(text, item, &pointer),
                    }
                }
            }
            _ => self.wrong(place, "type", &format!("{wanted}, or a list of them")),
        }
    }

    fn type_name(&mut self, text: &str, node: &Node, pointer: &str) {
        const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "array", "object", "null"];
        if TYPES.contains(&text) {
            return;
        }
        let meant = match text.to_lowercase().as_str() {
            "any" | "mixed" | "" => None,
            "str" | "text" | "date" | "uri" | "url" | "email" | "uuid" => Some("string"),
            "int" | "long" => Some("integer"),
            "float" | "double" | "decimal" => Some("number"),
            "bool" => Some("boolean"),
            "list" | "tuple" | "set" => Some("array"),
            "dict" | "map" | "table" | "record" => Some("object"),
            "none" | "nil" | "undefined" => Some("null"),
            _ => nearest(text, TYPES),
        };
        let help = match meant {
            Some(meant) => format!("write \"{meant}\""),
            None if text.eq_ignore_ascii_case("any") => "leave `type` out to allow every type".to_owned(),
            None => "the types are `string`, `number`, `integer`, `boolean`, `array`, `object` and `null`"
                .to_owned(),
        };
        self.push(
            Finding::new(
                &rules::INVALID_SCHEMA,
                pointer,
                node.span,
                format!("{} is not a type of JSON Schema", quoted(text)),
            )
            .label("not a type")
            .help(help),
        );
    }

    fn names(&mut self, keyword: &str, place: &Place<'n>) {
        let Kind::Array(items) = &place.node.kind else {
            let mut finding =
                wrong(place.node, &place.pointer, &format!("`{keyword}`"), "a list of property names");
            if keyword == "required" && matches!(place.node.kind, Kind::Bool(_)) {
                finding = finding.help(
                    "list the names of the required properties in `required` beside `properties`, one level up",
                );
            }
            return self.push(finding);
        };
        let mut seen = HashSet::new();
        for (index, item) in items.iter().enumerate() {
            let pointer = format!("{}/{index}", place.pointer);
            match item.as_str() {
                None => self.push(wrong(item, &pointer, "the name of a property", "a string")),
                Some(text) if !seen.insert(text) => self.push(twice(item, &pointer, text)),
                Some(_) => {}
            }
        }
    }

    fn pattern(&mut self, text: &str, node: &Node, pointer: &str) {
        if is_regex(text) {
            return;
        }
        self.push(
            Finding::new(
                &rules::INVALID_PATTERN,
                pointer,
                node.span,
                format!("{} is not a regular expression", quoted(text)),
            )
            .label("not a regular expression")
            .help(if text.contains("(?P<") { "write a named group as `(?<name>…)`, without the `P`: patterns are regular expressions as JavaScript has them" } else { "patterns are regular expressions as JavaScript has them: close every bracket, and write `\\\\` before a character that is meant as itself" }),
        );
    }

    fn simple(&mut self, keyword: &str, wanted: &str, place: &Place<'n>) {
        let mut finding = wrong(place.node, &place.pointer, &format!("`{keyword}`"), wanted);
        if matches!(keyword, "exclusiveMinimum" | "exclusiveMaximum")
            && matches!(place.node.kind, Kind::Bool(_))
        {
            finding =
                finding.help("write the bound itself: it is no longer a flag beside `minimum` or `maximum`");
        }
        self.push(finding);
    }

    fn wrong(&mut self, place: &Place<'n>, keyword: &str, wanted: &str) {
        self.push(wrong(place.node, &place.pointer, &format!("`{keyword}`"), wanted));
    }

    /// Any other keyword is legal and means nothing; one that is nearly a known one was meant to be that.
    fn unknown_keyword(&mut self, entry: &Entry, place: &Place<'n>) {
        // Looking for what was meant takes its time, and after so many nobody reads on.
        self.unknown += 1;
        if entry.key.starts_with("x-") || self.unknown > 10 * MAX_FINDINGS {
            return;
        }
        if let Some(near) = nearest(&entry.key, keywords::names()) {
            self.push(
                Finding::new(
                    &rules::UNKNOWN_KEYWORD,
                    place.pointer.clone(),
                    entry.key_span,
                    format!("{} is not a keyword of JSON Schema, and means nothing", quoted(&entry.key)),
                )
                .label("ignored")
                .help(format!("did you mean `{near}`?"))
                .key(quoted(&entry.key).trim_matches('`')),
            );
        }
    }

    /// Asks the validator what else is wrong.
    fn ask_validator(&mut self, root: &Node, pointer: &str) {
        let schema = to_json(root);
        for error in jsonschema::draft202012::meta::validator().iter_errors(&schema).take(2 * MAX_FINDINGS) {
            let place = format!("{pointer}{}", error.instance_path().as_str());
            // The validator sees one fault several times, and in the tables around it.
            let known = self.findings.iter().any(|finding| {
                finding.severity == Severity::Error && is_at_or_below(&finding.pointer, &place)
            });
            if !known {
                let at = root.pointer(error.instance_path().as_str()).unwrap_or(root);
                let finding = Finding::new(
                    &rules::INVALID_SCHEMA,
                    place,
                    at.span,
                    format!(
                        "this breaks the meta-schema of Draft 2020-12, by its keyword `{}`",
                        error.kind().keyword()
                    ),
                )
                .label("not a valid schema");
                self.push(finding);
            }
        }
        let sound = self.findings.iter().all(|finding| finding.severity < Severity::Error);
        if sound && !self.references.leaves_the_document() {
            self.compile(schema, root, pointer);
        }
    }

    /// Has the validator resolve every reference. What else it may refuse is a limit of that one program.
    fn compile(&mut self, mut schema: serde_json::Value, root: &Node, pointer: &str) {
        // Another draft is read as 2020-12, and was reported.
        if let Some(table) = schema.as_object_mut() {
            table.remove("$schema");
        }
        let built = jsonschema::draft202012::options().offline().build(&schema);
        if let Err(error) = built
            && matches!(error.kind(), jsonschema::error::ValidationErrorKind::Referencing(_))
        {
            self.push(
                Finding::new(
                    &rules::DANGLING_REFERENCE,
                    pointer,
                    root.span,
                    "a reference in this schema leads nowhere",
                )
                .label("holds the reference"),
            );
        }
    }
}

fn wrong(node: &Node, pointer: &str, what: &str, wanted: &str) -> Finding {
    Finding::new(
        &rules::INVALID_SCHEMA,
        pointer,
        node.span,
        format!("in a JSON Schema {what} is {wanted}, and this is {}", node.kind_name()),
    )
    .label("not a valid schema")
}

fn twice(node: &Node, pointer: &str, text: &str) -> Finding {
    Finding::new(
        &rules::INVALID_SCHEMA,
        pointer,
        node.span,
        format!("{} is in this list twice", quoted(text)),
    )
    .label("the second time")
    .help("delete one of the two")
}

/// The schemas directly inside a schema, each with its pointer from there.
pub(crate) fn parts(schema: &Node) -> Vec<(String, &Node)> {
    let mut parts = Vec::new();
    for entry in schema.as_table().map_or(&[][..], |table| &table.entries) {
        match (keywords::form(&entry.key), &entry.node.kind) {
            (Some(Form::Schema), _) => parts.push((entry.key.clone(), &entry.node)),
            (Some(Form::Schemas), Kind::Array(items)) => {
                parts
                    .extend(items.iter().enumerate().map(|(at, node)| (format!("{}/{at}", entry.key), node)));
            }
            (Some(Form::SchemaMap | Form::PatternMap), Kind::Table(map)) => {
                let named = |one: &Entry| format!("{}/{}", entry.key, escaped(&one.key));
                parts.extend(map.entries.iter().map(|one| (named(one), &one.node)));
            }
            _ => {}
        }
    }
    parts
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Whether a pointer is another one, or leads further down from it.
pub(crate) fn is_at_or_below(pointer: &str, above: &str) -> bool {
    pointer.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a text is a regular expression of ECMA-262. Only its grammar is looked at, so a costly one costs nothing.
fn is_regex(text: &str) -> bool {
    static REGEX: LazyLock<Validator> = LazyLock::new(|| {
        jsonschema::draft202012::options()
            .should_validate_formats(true)
            .build(&serde_json::json!({ "format": "regex" }))
            .expect("a fixed schema")
    });
    REGEX.is_valid(&serde_json::Value::from(text))
}

/// Whether a schema has a keyword of this name.
pub(crate) fn is_keyword(key: &str) -> bool {
    keywords::form(key).is_some()
}

/// The tree as the validator takes it.
pub(crate) fn to_json(node: &Node) -> serde_json::Value {
    use serde_json::Value;
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(flag) => Value::Bool(*flag),
        Kind::Integer(number) => match (i64::try_from(*number), u64::try_from(*number)) {
            (Ok(number), _) => Value::from(number),
            (_, Ok(number)) => Value::from(number),
            #[expect(clippy::cast_precision_loss, reason = "beyond 64 bits every JSON reader rounds")]
            _ => Value::from(*number as f64),
        },
        Kind::Float(number) => Value::from(*number),
        Kind::String(text) => Value::String(text.clone()),
        Kind::Datetime(date) => Value::String(date.as_str().to_owned()),
        Kind::Array(items) => Value::Array(items.iter().map(to_json).collect()),
        Kind::Table(table) => Value::Object(
            table.entries.iter().map(|entry| (entry.key.clone(), to_json(&entry.node))).collect(),
        ),
    }
}

#[cfg(test)]
mod tests;
