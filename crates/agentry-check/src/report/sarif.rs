//! SARIF 2.1.0, for code scanning and the viewers of editors.
//!
//! One run, with every rule there is, so that a viewer shows what was looked for. Paths are relative to the folder that
//! is given (`%SRCROOT%`), columns are UTF-16 code units, and each result has a fingerprint that survives lines added
//! above it. What the format has no place for, such as the help, follows the message. A path that could not be judged is
//! a notification of the tool, and the run then counts as not successful.

use super::place::{Place, region};
use crate::explain;
use crate::fingerprint::Fingerprints;
use crate::fix;
use crate::walk::{FileReport, Outcome};
use agentry_text::{Finding, Lines, Rule, Safety, Severity, Span, mask_secrets};
use serde::Serialize;
use serde_with::skip_serializing_none;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::Path;

/// The address of the schema that the output keeps to.
pub const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The name of our fingerprints: the number goes up when they are made in another way.
const FINGERPRINT: &str = "agentryFinding/v1";

/// The name of the folder that paths are relative to, as other tools call it.
const ROOT: &str = "%SRCROOT%";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<Outcoming>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Help>,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    #[serde(skip_serializing_if = "Clone::clone")]
    enabled: bool,
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
    locations: [Location; 1],
}

/// What SARIF calls a result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcoming {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<OutcomingFix>,
}

/// What SARIF calls a fix. A viewer may apply it, so that only safe ones are told.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OutcomingFix {
    description: Message,
    artifact_changes: [ArtifactChange; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the names of the specification")]
struct Location {
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
    message: Option<Message>,
}

#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Option<Region>,
}

#[skip_serializing_none]
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
}

/// The level of a severity.
const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

/// Renders an outcome; paths are relative to a folder where they lie in it.
pub fn write(outcome: &Outcome, folder: &Path, out: &mut impl Write) -> io::Result<()> {
    let rules: Vec<&'static Rule> = crate::all_rules().collect();
    let index: HashMap<&str, usize> =
        rules.iter().enumerate().map(|(index, rule)| (rule.name, index)).collect();
    let notifications = outcome.errors.iter().map(|error| Notification {
        level: "error",
        message: Message { text: mask_secrets(&error.message) },
        locations: [Location {
            id: None,
            physical_location: PhysicalLocation {
                artifact_location: artifact(&error.path, folder),
                region: None,
            },
            logical_locations: Vec::new(),
            message: None,
        }],
    });
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "agentry",
                    version: env!("CARGO_PKG_VERSION"),
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    information_uri: env!("CARGO_PKG_REPOSITORY"),
                    rules: rules.iter().copied().map(descriptor).collect(),
                },
            },
            invocations: [Invocation {
                execution_successful: outcome.errors.is_empty(),
                tool_execution_notifications: notifications.collect(),
            }],
            column_kind: "utf16CodeUnits",
            results: outcome.files.iter().flat_map(|file| results(file, folder, &index)).collect(),
        }],
    };
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

/// What viewers show of a rule.
fn descriptor(rule: &'static Rule) -> Descriptor {
    let page = crate::explain(rule.name);
    Descriptor {
        id: rule.name,
        short_description: Message { text: rule.summary.to_owned() },
        full_description: page.as_ref().map(|page| Message { text: flowing(page.text) }),
        help: page
            .as_ref()
            .map(|page| Help { text: flowing(page.text), markdown: explain::markdown(page, 1) }),
        default_configuration: Configuration {
            enabled: page.is_none_or(|page| !page.off),
            level: level(rule.severity),
        },
    }
}

/// Paragraphs of a page as plain text: viewers break lines themselves.
fn flowing(text: &str) -> String {
    let paragraphs: Vec<String> = text.split("\n\n").map(|lines| lines.replace('\n', " ")).collect();
    paragraphs.join("\n")
}

fn artifact(path: &Path, folder: &Path) -> ArtifactLocation {
    let place = Place::new(path, folder);
    ArtifactLocation { uri: place.uri(), uri_base_id: matches!(place, Place::Below(_)).then_some(ROOT) }
}

fn results(file: &FileReport, folder: &Path, index: &HashMap<&str, usize>) -> Vec<Outcoming> {
    if file.checked.findings.is_empty() {
        return Vec::new();
    }
    let artifact = artifact(&file.path, folder);
    let lines = Lines::new(&file.text);
    let fingerprints = Fingerprints::new(file);
    // Findings that nothing tells apart are numbered.
    let mut seen: HashMap<String, usize> = HashMap::new();
    let physical = |span: Span| PhysicalLocation {
        artifact_location: artifact.clone(),
        region: Some({
            let [(start_line, start_column), (end_line, end_column)] = region(&file.text, &lines, span);
            Region { start_line, start_column, end_line, end_column }
        }),
    };
    let masked = fix::masked(&file.checked, &file.text);
    let edit = |edit: &agentry_text::Edit| Replacement {
        deleted_region: {
            let [(start_line, start_column), (end_line, end_column)] = region(&file.text, &lines, edit.span);
            Region { start_line, start_column, end_line, end_column }
        },
        inserted_content: Message { text: edit.replacement.clone() },
    };
    let safe = |finding: &Finding| {
        let found = finding
            .fix
            .as_ref()
            .filter(|found| found.safety == Safety::Safe && fix::may_be_shown(found, &file.text, &masked))?;
        Some(OutcomingFix {
            description: Message { text: found.title.clone() },
            artifact_changes: [ArtifactChange {
                artifact_location: artifact.clone(),
                replacements: found.edits.iter().map(edit).collect(),
            }],
        })
    };
    let result = |finding: &Finding| {
        let hash = fingerprints.of(finding).hash;
        let count = seen.entry(hash.clone()).or_default();
        *count += 1;
        let related = finding.related.iter().enumerate().map(|(at, label)| Location {
            id: Some(at + 1),
            physical_location: physical(label.span),
            logical_locations: Vec::new(),
            message: Some(Message { text: label.message.clone() }),
        });
        Outcoming {
            rule_id: finding.rule.name,
            rule_index: index.get(finding.rule.name).copied(),
            level: level(finding.severity),
            message: Message { text: message(finding) },
            locations: [Location {
                id: None,
                physical_location: physical(finding.span),
                logical_locations: Some(&finding.pointer)
                    .filter(|pointer| !pointer.is_empty())
                    .map(|pointer| LogicalLocation { fully_qualified_name: pointer.clone() })
                    .into_iter()
                    .collect(),
                message: None,
            }],
            related_locations: related.collect(),
            partial_fingerprints: BTreeMap::from([(FINGERPRINT, format!("{hash}:{count}"))]),
            fixes: safe(finding).into_iter().collect(),
        }
    };
    file.checked.findings.iter().map(result).collect()
}

/// The message of a finding, with the help in a line of its own.
fn message(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    }
}
