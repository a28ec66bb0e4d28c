//! Schemas that are valid and make no sense: a default that the schema itself refuses, bounds that leave nothing, and a
//! pattern that no text matches.

use super::{Judge, Place, to_json};
use crate::rules;
use agentry_diff::{Options, Verdict, accepts_all};
use agentry_text::{Finding, Kind, Node, quoted};
use serde_json::{Value, json};

/// Least and greatest, as keywords, of what can be counted or compared.
const BOUNDS: [(&str, &str); 4] = [
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
];

/// How many questions about patterns one schema may ask: each takes some milliseconds.
const MAX_PATTERNS: usize = 50;

/// The longest pattern that is asked about.
const MAX_PATTERN: usize = 500;

pub(super) fn check(place: &Place<'_>, judge: &mut Judge<'_>) {
    check_default(place, judge);
    check_bounds(place, judge);
    check_pattern(place, judge);
}

fn check_default(place: &Place<'_>, judge: &mut Judge<'_>) {
    let Some(default) = place.node.get("default") else { return };
    // The default of an optional value may be written as null, and says that there is none.
    if default.node.kind == Kind::Null || leads_elsewhere(place.node) {
        return;
    }
    let mut schema = to_json(place.node);
    if let Some(table) = schema.as_object_mut() {
        table.remove("$schema");
    }
    let Ok(validator) = jsonschema::draft202012::options().offline().build(&schema) else { return };
    let value = to_json(&default.node);
    let Some(error) = validator.iter_errors(&value).next() else { return };
    let keyword = error.kind().keyword().to_owned();
    let bound = place.node.get(&keyword);
    let mut finding = Finding::new(
        &rules::UNFIT_DEFAULT,
        format!("{}/default", place.pointer),
        default.node.span,
        format!(
            "the default {} does not fit its own schema, by `{keyword}`",
            quoted(&serde_json::to_string(&value).unwrap_or_default())
        ),
    )
    .label("refused by the schema beside it")
    .help("write a default that fits, or mend the schema: models take a default for advice");
    if let Some(bound) = bound {
        finding = finding.related(bound.node.span, "what it breaks");
    }
    judge.push(finding);
}

/// Whether a schema says something in another place, which then would have to be known.
fn leads_elsewhere(schema: &Node) -> bool {
    match &schema.kind {
        Kind::Table(table) => table.entries.iter().any(|entry| {
            matches!(entry.key.as_str(), "$ref" | "$dynamicRef") || leads_elsewhere(&entry.node)
        }),
        Kind::Array(items) => items.iter().any(leads_elsewhere),
        _ => false,
    }
}

fn check_bounds(place: &Place<'_>, judge: &mut Judge<'_>) {
    let number = |key: &str| match place.node.get(key).map(|entry| &entry.node.kind) {
        #[expect(
            clippy::cast_precision_loss,
            reason = "bounds that differ in the last digit alone are not compared"
        )]
        Some(Kind::Integer(number)) => Some(*number as f64),
        Some(Kind::Float(number)) => Some(*number),
        _ => None,
    };
    for (least, greatest) in BOUNDS {
        let (Some(from), Some(to)) = (number(least), number(greatest)) else { continue };
        let Some((at, other)) = place.node.get(greatest).zip(place.node.get(least)) else { continue };
        if from <= to {
            continue;
        }
        judge.push(
            Finding::new(
                &rules::UNMATCHABLE_SCHEMA,
                format!("{}/{greatest}", place.pointer),
                at.node.span,
                format!("`{greatest}` is {to}, and `{least}` is {from}: nothing lies between the two"),
            )
            .label("below the least")
            .related(other.node.span, "the least")
            .help("write the smaller number as the least"),
        );
    }
}

fn check_pattern(place: &Place<'_>, judge: &mut Judge<'_>) {
    let Some(entry) = place.node.get("pattern") else { return };
    let Some(pattern) = entry.node.as_str() else { return };
    let length = |key| place.node.get(key).map(|entry| to_json(&entry.node)).filter(Value::is_number);
    let (least, greatest) = (length("minLength"), length("maxLength"));
    let suspicious = may_match_nothing(pattern) || least.is_some() || greatest.is_some();
    if !suspicious
        || pattern.len() > MAX_PATTERN
        || judge.patterns == MAX_PATTERNS
        || !super::is_regex(pattern)
    {
        return;
    }
    judge.patterns += 1;
    let nothing =
        |keywords: Value| matches!(accepts_all(&keywords, &json!(false), &Options::default()), Verdict::Yes);
    let mut keywords = json!({ "type": "string", "pattern": pattern });
    if nothing(keywords.clone()) {
        judge.push(
            Finding::new(
                &rules::UNMATCHABLE_SCHEMA,
                format!("{}/pattern", place.pointer),
                entry.node.span,
                format!("no text matches {}", quoted(pattern)),
            )
            .label("matches nothing")
            .help("`^` stands before everything and `$` after everything: write `\\\\^`, `\\\\$` or `\\\\[` where the character itself is meant"),
        );
        return;
    }
    for (key, bound) in [("minLength", least), ("maxLength", greatest)] {
        let Some(bound) = bound else { continue };
        keywords[key] = bound;
    }
    if keywords.as_object().is_some_and(|keywords| keywords.len() > 2) && nothing(keywords) {
        judge.push(
            Finding::new(
                &rules::UNMATCHABLE_SCHEMA,
                format!("{}/pattern", place.pointer),
                entry.node.span,
                format!("no text that matches {} has the length that is asked for", quoted(pattern)),
            )
            .label("matches other lengths only")
            .help(
                "make the pattern and `minLength` and `maxLength` agree, or leave the lengths to the pattern",
            ),
        );
    }
}

/// Whether a pattern has something by which it could match nothing: most have not, and need no proof.
fn may_match_nothing(pattern: &str) -> bool {
    if ["[]", "(?=", "(?!", "(?<=", "(?<!", "\\b", "\\B"].iter().any(|part| pattern.contains(part)) {
        return true;
    }
    let mut before = None;
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '^' if !matches!(before, None | Some('(' | '|' | '[' | ':')) => return true,
            '$' if !matches!(chars.peek(), None | Some(')' | '|')) => return true,
            _ => {}
        }
        before = Some(c);
    }
    false
}
