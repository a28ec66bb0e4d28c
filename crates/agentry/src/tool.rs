//! `tools/<id>.tool.json`: a tool that a model can call (Kindgi tools 0.1.0, schema 1.1.0).
//!
//! Every table but `metadata` and those below `needsSpec` is closed: an unknown key is an error. Where the
//! specification allows any text, any is kept; a type says what it means, and a warning says where it means
//! nothing.

mod effect;
mod endpoint;
mod http;
mod network;

pub use effect::{Access, Conflict, Effect, EffectKind, Note, Resource, Target};
pub use endpoint::{McpEndpoint, McpServer};
pub(crate) use http::is_token;
pub use http::{
    BearerAuth, BodyTemplate, HeaderAuth, HeaderName, HeaderValue, HttpAuth, HttpBody, HttpHeader,
    HttpMethod, HttpSpec, Placeholder, SecretName, SecretRef, SecretVariable, StatusCode, StatusRange,
    TextBody, UrlTemplate, placeholders,
};
pub use network::{AllowedHost, HostList, NetworkPolicy};

use crate::json_schema::JsonSchema;
use crate::rules;
use crate::values::{PositiveCount, Prose, SchemaAddress};
use agentry_macros::document;
use agentry_text::{Invalid, Map, Value, options, shown_text_type, tagged};
use std::cmp::Ordering;

/// A tool that a model can call: what it does, what goes in, what comes out, and what it touches.
#[document]
pub struct Tool {
    /// The tool's identifier, unique among all tools: `<pack>.<tool>`, or one word for a tool that is built in. It
    /// is also the name of the file, before `.tool.json`.
    #[key(example = "acme.get-item", foreign("name"))]
    pub id: ToolId,
    /// The address of the schema that editors check this file with. It is no part of the meaning.
    #[key(rename = "$schema")]
    pub schema: Option<SchemaAddress>,
    /// What the tool does, for people and above all for models: by this text a model decides whether to call it.
    #[key(example = "Gets one item of the catalogue by its id.")]
    pub description: Prose,
    /// The version of the tool: three numbers and nothing else.
    #[key(example = "1.0.0")]
    pub version: ToolVersion,
    /// What goes in, as a JSON Schema of Draft 2020-12.
    #[key(foreign("inputSchema", "input_schema", "parameters"))]
    pub input: JsonSchema,
    /// What comes out, as a JSON Schema of Draft 2020-12.
    #[key(foreign("outputSchema", "output_schema"))]
    pub output: JsonSchema,
    /// What the runtime hands the tool, by name. A flow that lacks one of them is loaded all the same, and fails when it
    /// runs; `needsSpec` says more precisely what is needed.
    pub needs: Option<Vec<Need>>,
    /// What the tool does besides answering. An absent list says nothing, an empty one that there is nothing.
    pub effects: Option<Vec<Effect>>,
    /// How the runtime reaches the tool.
    #[key(default = Transport::Auto)]
    pub transport: Option<Transport>,
    /// Where the tool's MCP server is. Needed with the transport `mcp`, used with `auto` where the tool is not
    /// built in, and never used with `native`.
    #[key(rename = "mcpEndpoint")]
    pub mcp_endpoint: Option<McpEndpoint>,
    /// Notes for people and other programs, such as author, tags and the address of the documentation. Any keys;
    /// they decide nothing.
    // The keys and values are the author's.
    pub metadata: Option<Map<String, Value>>,
    /// How far the runtime shuts the tool off from everything else. Absent leaves it to the runtime.
    pub sandbox: Option<Sandbox>,
    /// Whether a call changes anything that others can see. Absent means true: a tool that only reads says false,
    /// and is then run without asking a person first.
    #[key(default = true)]
    pub mutating: Option<bool>,
    /// How much memory and computing time a call may use.
    pub limits: Option<ToolLimits>,
    /// Which hosts the tool may connect to. Absent leaves it to the runtime.
    pub network: Option<NetworkPolicy>,
    /// What the tool needs, by sort: variables, secrets, settings, capabilities and bindings.
    #[key(rename = "needsSpec")]
    pub needs_spec: Option<NeedsSpec>,
    /// The code that runs at a call. Excludes `spec`; both at once draw a warning.
    #[key(rename = "codeArtifactRef")]
    pub code_artifact_ref: Option<CodeArtifact>,
    /// What runs at a call, described instead of programmed. Excludes `codeArtifactRef`.
    pub spec: Option<ToolSpec>,
}

impl Tool {
    /// The effects that the tool declares; none where the key is absent.
    pub fn effects(&self) -> &[Effect] {
        self.effects.as_deref().unwrap_or_default()
    }

    /// The request that the tool makes, where it is one over HTTP.
    pub const fn http(&self) -> Option<&HttpSpec> {
        match &self.spec {
            Some(ToolSpec::Http(spec)) => Some(spec),
            None => None,
        }
    }

    /// What the effects of this tool have to do with those of another, or with another call of itself.
    ///
    /// Two effects conflict where they reach something in common and at least one changes it; see
    /// `Effect::conflicts_with`. A tool without `effects` may do anything, or only read where it is not mutating:
    /// against any tool that does something the answer is then `Conflict::Undeclared`, unless neither changes
    /// anything.
    pub fn conflict<'t>(&'t self, other: &'t Self) -> Conflict<'t> {
        if let (Some(mine), Some(theirs)) = (&self.effects, &other.effects) {
            let mut pairs = mine.iter().flat_map(|one| theirs.iter().map(move |two| (one, two)));
            return pairs
                .find(|(one, two)| one.conflicts_with(two))
                .map_or(Conflict::None, |(one, two)| Conflict::Effects(one, two));
        }
        let idle = |tool: &Self| tool.effects.as_ref().is_some_and(Vec::is_empty);
        let may_change = |tool: &Self| match &tool.effects {
            Some(effects) => effects.iter().any(|effect| effect.kind.changes_something()),
            None => tool.mutating(),
        };
        if idle(self) || idle(other) || !(may_change(self) || may_change(other)) {
            Conflict::None
        } else {
            Conflict::Undeclared
        }
    }

    /// Every placeholder of the HTTP templates that is no property of the input. Empty where the properties of
    /// the input cannot all be known, because the schema has patterns for them or lies elsewhere in part.
    pub fn unknown_placeholders(&self) -> Vec<UnknownPlaceholder<'_>> {
        let Some(spec) = self.http() else { return Vec::new() };
        let mut templates = vec![("/spec/urlTemplate", spec.url_template.as_str())];
        if let Some(HttpBody::Text(body)) = &spec.request_body {
            templates.push(("/spec/requestBody/template", body.template.as_str()));
        }
        UnknownPlaceholder::among(&self.input, templates)
    }
}

/// A placeholder of a template that is no property of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownPlaceholder<'t> {
    /// The JSON pointer of the template.
    pub pointer: &'static str,
    /// The template.
    pub template: &'t str,
    /// The placeholder, with its place in the template.
    pub placeholder: Placeholder<'t>,
}

impl<'t> UnknownPlaceholder<'t> {
    /// Every placeholder of templates, each with its JSON pointer, that is no property of an input. Empty where the
    /// properties cannot all be known.
    pub fn among(
        input: &JsonSchema,
        templates: impl IntoIterator<Item = (&'static str, &'t str)>,
    ) -> Vec<Self> {
        if input.has_open_names() {
            return Vec::new();
        }
        let names = input.property_names();
        let mut found = Vec::new();
        for (pointer, template) in templates {
            let unknown = placeholders(template).filter(|placeholder| !names.contains(placeholder.name));
            found.extend(unknown.map(|placeholder| Self { pointer, template, placeholder }));
        }
        found
    }
}

shown_text_type! {
    /// The identifier of a tool. The convention is `<pack>.<tool>`, or one word for a tool that is built in, in
    /// letters, digits, `-` and `_`. The specification only asks for some text: what is written otherwise is
    /// read, with a hint.
    pub struct ToolId {
        pattern: r"^[\s\S]+$",
        form: "the identifier of a tool: at least one character",
        example: "acme.get-item",
        remark: |text| (!is_usual_id(text)).then(|| {
            Invalid::new(
                &rules::UNUSUAL_NAME,
                format!("{} is not of the form `<pack>.<tool>`", agentry_text::quoted(text)),
            )
            .label("an unusual identifier")
            .help("the usual form is `acme.get-item`: a pack, a dot and a tool, of letters, digits, `-` and `_`; a built-in tool has no pack")
        }),
    }
}

fn is_usual_id(text: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    };
    text.split('.').count() <= 2 && text.split('.').all(part)
}

impl ToolId {
    /// The pack that the tool belongs to: what stands before the first dot. None for a built-in tool.
    pub fn pack(&self) -> Option<&str> {
        self.as_str().split_once('.').map(|(pack, _)| pack)
    }

    /// The name of the tool in its pack.
    pub fn name(&self) -> &str {
        self.as_str().split_once('.').map_or(self.as_str(), |(_, name)| name)
    }
}

shown_text_type! {
    /// The version of a tool: three numbers joined by dots, and nothing else. Leading zeros are read, as the
    /// specification allows them.
    pub struct ToolVersion {
        pattern: r"^[0-9]+\.[0-9]+\.[0-9]+$",
        form: "the version of a tool: three numbers joined by dots, without `v` before or `-beta` after them",
        example: "1.0.0",
    }
}

impl ToolVersion {
    /// The version, ready to be compared with others; None where a number has more than 19 digits or so.
    pub fn to_semver(&self) -> Option<semver::Version> {
        let mut numbers = self.as_str().split('.').map(|number| number.parse::<u64>().ok());
        Some(semver::Version::new(numbers.next()??, numbers.next()??, numbers.next()??))
    }

    /// Which of two versions is newer. Leading zeros count for nothing.
    pub fn compare(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| -> Vec<(usize, String)> {
            let plain = version.as_str().split('.').map(|number| number.trim_start_matches('0'));
            plain.map(|digits| (digits.len(), digits.to_owned())).collect()
        };
        numbers(self).cmp(&numbers(other))
    }
}

options! {
    /// How a runtime reaches a tool.
    pub enum Transport {
        /// In the runtime's own process where that is possible, else over MCP.
        Auto = "auto" from "specification",
        /// In the runtime's own process, and nowhere else.
        Native = "native" from "specification",
        /// Over MCP, and in no other way.
        Mcp = "mcp" from "specification",
    }
}

options! {
    /// How far a runtime shuts a tool off from everything else.
    pub enum Sandbox {
        /// Not at all.
        None = "none" from "specification",
        /// The tool sees only the context that it asked for.
        ContextIsolated = "context-isolated" from "specification",
        /// As far as the runtime can.
        Strict = "strict" from "specification",
    }
}

/// Something that the runtime hands a tool.
#[document]
pub struct Need {
    /// The name of the slot, such as `tenant`, `run`, `blob` or `memory:facts`.
    #[key(example = "memory:facts")]
    pub name: Slot,
    /// Whether the tool also works without it.
    #[key(default = false)]
    pub optional: Option<bool>,
}

shown_text_type! {
    /// The name of a slot of the context that a runtime hands a tool, such as `tenant` or `memory:facts`.
    pub struct Slot {
        pattern: r"^[\s\S]+$",
        form: "the name of a slot: at least one character",
        example: "memory:facts",
    }
}

/// How much memory and computing time a call may use. Both are given, or neither.
#[document]
pub struct ToolLimits {
    /// The most memory that a call may use, in megabytes.
    #[key(rename = "memMB", example = 256)]
    pub memory_mb: PositiveCount,
    /// The most processor time that a call may use, in milliseconds.
    #[key(rename = "cpuMs", example = 2_000)]
    pub cpu_ms: PositiveCount,
}

/// What a tool needs, by sort. The specification leaves open what is said about each variable, secret and
/// setting: any keys.
#[document]
pub struct NeedsSpec {
    /// Environment variables by name, and what is to be said about each.
    // What is said about each need is the author's, here and below.
    pub env: Option<Map<String, Map<String, Value>>>,
    /// Secrets by name, and what is to be said about each. Never their values.
    pub secrets: Option<Map<String, Map<String, Value>>>,
    /// Settings by name, and what is to be said about each.
    pub config: Option<Map<String, Map<String, Value>>>,
    /// Capabilities of the platform, such as `llm.chat`.
    pub capabilities: Option<Vec<Capability>>,
    /// Things of the tenant that are bound to the tool, such as `db.main`.
    pub bindings: Option<Vec<Binding>>,
}

shown_text_type! {
    /// A capability of the platform that a tool needs.
    pub struct Capability {
        pattern: r"^[\s\S]+$",
        form: "a capability: at least one character",
        example: "llm.chat",
    }
}

shown_text_type! {
    /// Something of the tenant that is bound to a tool.
    pub struct Binding {
        pattern: r"^[\s\S]+$",
        form: "a binding: at least one character",
        example: "db.main",
    }
}

tagged! {
    /// The code that runs at a call.
    pub enum CodeArtifact by "kind" {
        /// A module in a container image, as a deployment makes it.
        Oci(OciArtifact) = "oci",
        /// A module on the machine of a developer. Production servers should refuse it; it draws a warning.
        Filesystem(FilesystemArtifact) = "filesystem",
    }
}

/// A module in a container image.
#[document]
pub struct OciArtifact {
    /// The image, with its registry and its tag or digest.
    #[key(rename = "imageRef", example = "registry.example.com/acme/tools:1.4.2")]
    pub image_ref: ImageRef,
    /// Where the module is in the image.
    #[key(rename = "modulePath", example = "dist/get-item.js")]
    pub module_path: ModulePath,
    /// The version of the artefact.
    #[key(rename = "artifactVersion", example = "1.4.2")]
    pub artifact_version: ArtifactVersion,
}

/// A module on the machine of a developer.
#[document]
pub struct FilesystemArtifact {
    /// Where the module is: an absolute path of the host. A relative one draws a warning.
    #[key(rename = "modulePath", example = "/srv/packs/acme/get-item.js")]
    pub module_path: ModulePath,
}

shown_text_type! {
    /// A container image, with its registry and its tag or digest.
    pub struct ImageRef {
        pattern: r"^[\s\S]+$",
        form: "a container image: at least one character",
        example: "registry.example.com/acme/tools:1.4.2",
    }
}

shown_text_type! {
    /// Where a module is.
    pub struct ModulePath {
        pattern: r"^[\s\S]+$",
        form: "the path of a module: at least one character",
        example: "dist/get-item.js",
    }
}

impl ModulePath {
    /// Whether the path starts at the root of a file system, of Unix (`/`) or of Windows (`C:\`, `\\server\`).
    pub fn is_absolute(&self) -> bool {
        let path = self.as_str();
        let drive = path.as_bytes();
        path.starts_with('/')
            || path.starts_with(r"\\")
            || matches!(drive, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
    }
}

shown_text_type! {
    /// The version of an artefact, in whatever form its maker gives it.
    pub struct ArtifactVersion {
        pattern: r"^[\s\S]+$",
        form: "the version of an artefact: at least one character",
        example: "1.4.2",
    }
}

tagged! {
    /// What runs at a call, described instead of programmed.
    pub enum ToolSpec by "kind" {
        /// A request over HTTP.
        Http(HttpSpec) = "http",
    }
}

/// A table that has no key but the one that says what it is.
#[document]
pub struct NoOptions {}

#[cfg(all(test, feature = "json"))]
mod tests;
