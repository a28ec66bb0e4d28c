//! What a tool manifest says and cannot mean.

use super::Sink;
use super::look::{flag, items, read, read_items, text};
use crate::rules;
use agentry::json_schema::JsonSchema;
use agentry::tool::{
    CodeArtifact, Effect, HttpBody, HttpMethod, NetworkPolicy, Transport, UnknownPlaceholder, UrlTemplate,
    placeholders,
};
use agentry_text::{Finding, Node, Severity, quoted};
use std::collections::{BTreeSet, HashSet};

/// How many placeholders are reported that are no property of the input.
const MAX_UNKNOWN: usize = 100;

pub(super) fn check(root: &Node, sink: &mut Sink<'_>) {
    let effects = read_items::<Effect>(items(root, "effects"));
    let spec = root.get("spec").map(|entry| &entry.node).filter(|spec| text(spec, "kind") == Some("http"));
    let address = spec.and_then(|spec| read::<UrlTemplate>(spec, "urlTemplate"));
    check_transport(root, sink);
    check_effects(root, &effects, sink);
    check_network(root, &effects, address.as_ref(), sink);
    check_handler(root, sink);
    if let Some(spec) = spec {
        check_http(root, spec, address.as_ref(), sink);
    }
}

fn check_transport(root: &Node, sink: &mut Sink<'_>) {
    match read::<Transport>(root, "transport") {
        Some(Transport::Mcp) if root.get("mcpEndpoint").is_none() => {
            let finding = sink
                .finding(
                    &agentry::rules::TRANSPORT_WITHOUT_URL,
                    "/transport",
                    "the tool runs over MCP only, and there is no `mcpEndpoint`",
                )
                .label("over MCP, and where?")
                .help("add `mcpEndpoint`, such as \"mcp+stdio://npx\", or let the transport be `auto`");
            sink.push(finding);
        }
        Some(Transport::Native) if root.get("mcpEndpoint").is_some() && !sink.is_refused("/mcpEndpoint") => {
            let finding = sink
                .finding(
                    &agentry::rules::POINTLESS_KEY,
                    "/mcpEndpoint",
                    "the tool runs in the runtime's own process only, which never uses an MCP endpoint",
                )
                .label("never used")
                .related(sink.span("/transport"), "the transport")
                .help("delete it, or let the transport be `auto` or `mcp`");
            sink.push(finding);
        }
        _ => {}
    }
}

fn check_effects(root: &Node, effects: &[(usize, Effect)], sink: &mut Sink<'_>) {
    if flag(root, "mutating") != Some(false) {
        return;
    }
    let Some((index, effect)) = effects.iter().find(|(_, effect)| effect.kind.changes_something()) else {
        return;
    };
    let finding = sink
        .finding(
            &rules::CONTRADICTION,
            "/mutating",
            format!("the tool says that it changes nothing, and has the effect `{}`", effect.kind),
        )
        .label("it does change something")
        .related(sink.span(&format!("/effects/{index}/kind")), "this effect")
        .help("write true, or delete the key: a tool that is not mutating runs without asking anybody");
    sink.push(finding);
}

fn check_network(
    root: &Node,
    effects: &[(usize, Effect)],
    address: Option<&UrlTemplate>,
    sink: &mut Sink<'_>,
) {
    let Some(policy) = read::<NetworkPolicy>(root, "network") else { return };
    if let Some(host) = address.map(UrlTemplate::host)
        && refuses(&policy, host)
    {
        let message = match host {
            Some(host) if !policy.permits_nothing() => {
                format!(
                    "the tool sends requests to {}, which its network policy does not allow",
                    quoted(host)
                )
            }
            _ => "the tool is an HTTP request, and its network policy allows no host".to_owned(),
        };
        push_network(sink, message, "/spec/urlTemplate", "where the request goes");
        return;
    }
    let refused = effects.iter().find_map(|(index, effect)| {
        let host = effect.target().host();
        (effect.needs_network() && refuses(&policy, host)).then_some((index, effect, host))
    });
    if let Some((index, effect, host)) = refused {
        let message = match host {
            Some(host) if !policy.permits_nothing() => format!(
                "the effect `{}` reaches {}, which the network policy does not allow",
                effect.kind,
                quoted(host)
            ),
            _ => {
                format!("the effect `{}` needs a network, and the network policy allows no host", effect.kind)
            }
        };
        push_network(sink, message, &format!("/effects/{index}"), "this effect");
    }
}

/// Whether a policy lets nothing through to a host, which may be a pattern or not known.
fn refuses(policy: &NetworkPolicy, host: Option<&str>) -> bool {
    policy.permits_nothing() || host.is_some_and(|host| !policy.may_permit(host))
}

fn push_network(sink: &mut Sink<'_>, message: String, other: &str, label: &str) {
    let finding = sink
        .finding(&rules::CONTRADICTION, "/network", message)
        .label("does not allow it")
        .related(sink.span(other), label)
        .help("allow the host: {\"kind\": \"allowlist\", \"hosts\": [\"api.example.com\"]}");
    sink.push(finding);
}

fn check_handler(root: &Node, sink: &mut Sink<'_>) {
    if root.get("codeArtifactRef").is_some() && root.get("spec").is_some() {
        let finding = sink
            .finding(
                &agentry_text::rules::CONFLICTING_KEYS,
                "/codeArtifactRef",
                "`codeArtifactRef` and `spec` both say what runs at a call",
            )
            .severity(Severity::Warning)
            .label("one of two handlers")
            .related(sink.span("/spec"), "the other one")
            .help("keep one of the two");
        sink.push(finding);
    }
    let Some(CodeArtifact::Filesystem(artifact)) = read(root, "codeArtifactRef") else { return };
    let finding = sink
        .finding(
            &rules::DEVELOPMENT_ONLY,
            "/codeArtifactRef",
            "the code of the tool is a file of one machine: fit for development, refused in production",
        )
        .label("a file of one machine")
        .help("publish the code as an image, and name it with the kind `oci`");
    sink.push(finding);
    if !artifact.module_path.is_absolute() {
        let finding = sink
            .finding(
                &rules::RELATIVE_PATH,
                "/codeArtifactRef/modulePath",
                format!(
                    "{} is a relative path, and nothing says from where",
                    quoted(artifact.module_path.as_str())
                ),
            )
            .label("relative to what?")
            .help("write the path from the root of the file system, such as `/srv/packs/acme/index.js`");
        sink.push(finding);
    }
}

fn check_http(root: &Node, spec: &Node, address: Option<&UrlTemplate>, sink: &mut Sink<'_>) {
    if let Some(input) = read::<JsonSchema>(root, "input") {
        check_placeholders(&input, spec, address, sink);
    }
    let Some(method) = read::<HttpMethod>(spec, "method") else { return };
    let Some(body) = read::<HttpBody>(spec, "requestBody").filter(|_| method.is_safe()) else { return };
    let body = match body {
        HttpBody::Text(_) => "a text",
        _ => "the input",
    };
    let finding = sink
        .finding(
            &agentry::rules::POINTLESS_KEY,
            "/spec/requestBody",
            format!("a {method} request carries no body, and this one is to carry {body}"),
        )
        .label("refused or ignored")
        .related(sink.span("/spec/method"), "the method")
        .help("delete the body, or use another method such as POST");
    sink.push(finding);
}

fn check_placeholders(input: &JsonSchema, spec: &Node, address: Option<&UrlTemplate>, sink: &mut Sink<'_>) {
    let names = input.property_names();
    let body = read::<HttpBody>(spec, "requestBody");
    let mut templates = Vec::new();
    templates.extend(address.map(|address| ("/spec/urlTemplate", address.as_str())));
    if let Some(HttpBody::Text(body)) = &body {
        templates.push(("/spec/requestBody/template", body.template.as_str()));
    }
    let mut seen = HashSet::new();
    for unknown in UnknownPlaceholder::among(input, templates) {
        // Once for each name, and not for ever.
        if seen.len() == MAX_UNKNOWN || !seen.insert((unknown.pointer, unknown.placeholder.name)) {
            continue;
        }
        let name = quoted(unknown.placeholder.name);
        let (start, end) = (unknown.placeholder.start, unknown.placeholder.end);
        let span = sink.part(unknown.pointer, unknown.template, start..end);
        let help = match agentry_text::nearest(unknown.placeholder.name, names.iter().copied()) {
            Some(near) => format!("did you mean `{{{near}}}`?"),
            None if names.is_empty() => {
                format!("add {name} to the `properties` of the input: it has none")
            }
            None => format!("add {name} to the `properties` of the input, or use one that is there"),
        };
        sink.push(
            Finding::new(
                &rules::UNKNOWN_PLACEHOLDER,
                unknown.pointer,
                span,
                format!("the input has no property {name}, so nothing can stand in for it"),
            )
            .label("no property of the input")
            .help(help),
        );
    }
    if let Some(address) = address {
        check_stray_braces(&names, &seen, address, sink);
    }
    for (index, header) in items(spec, "headers").iter().enumerate() {
        let Some(value) = text(header, "value") else { continue };
        let name = placeholders(value).map(|found| found.name).find(|name| names.contains(name));
        if let Some(name) = name {
            let finding = sink
                .finding(
                    &rules::UNKNOWN_PLACEHOLDER,
                    &format!("/spec/headers/{index}/value"),
                    format!(
                        "`{{{}}}` is sent as it stands: headers have no placeholders",
                        quoted(name).trim_matches('`')
                    ),
                )
                .severity(Severity::Hint)
                .label("sent as written")
                .help("move it into the address or the body, if the value of the input is meant");
            sink.push(finding);
        }
    }
}

/// A brace of an address that is part of no placeholder: addresses have no use for one.
fn check_stray_braces(
    names: &BTreeSet<&str>,
    said: &HashSet<(&str, &str)>,
    template: &UrlTemplate,
    sink: &mut Sink<'_>,
) {
    let text = template.as_str();
    let mut at = 0;
    let ends =
        template.placeholders().map(|found| (found.start, found.end)).chain([(text.len(), text.len())]);
    let stray = ends.into_iter().find_map(|(start, end)| {
        let stray = text[at..start].find(['{', '}']).map(|length| at + length);
        at = end;
        Some((stray?, start))
    });
    let Some((start, next)) = stray else { return };
    let length = text[start..].find('}').map_or(1, |length| length + 1);
    let name = &text[start..start + length];
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    if names.contains(name) {
        // The name is an unusual one, and there is such a property.
        return;
    }
    // Two braces where one is meant: what a placeholder of that name lacks, if anything, was said.
    let doubled = next == start + 1 && text[start..].starts_with("{{");
    if doubled && said.contains(&("/spec/urlTemplate", name.trim_start_matches('{'))) {
        return;
    }
    let end = start + length + usize::from(doubled && text[start + length..].starts_with('}'));
    let span = sink.part("/spec/urlTemplate", text, start..end);
    sink.push(
        Finding::new(
            &rules::UNKNOWN_PLACEHOLDER,
            "/spec/urlTemplate",
            span,
            format!("{} is no placeholder, and would be sent as it stands", quoted(&text[start..end])),
        )
        .label("not of the form `{name}`")
        .help("write the name of a property between braces, without spaces or operators: `{id}`"),
    );
}

#[cfg(test)]
mod tests {
    use crate::{Checker, Input};
    use agentry::Kind;
    use agentry_text::{Finding, Format};
    use serde_json::{Value, json};

    fn check(keys: &Value) -> (String, Vec<Finding>) {
        let mut tool = json!({
            "id": "acme.get-item",
            "description": "Gets an item.",
            "version": "1.0.0",
            "input": { "type": "object", "properties": { "id": { "type": "string" } } },
            "output": { "type": "object" },
        });
        for (key, value) in keys.as_object().unwrap() {
            tool[key] = value.clone();
        }
        let text = tool.to_string();
        let input =
            Input { path: None, kind: Some(Kind::Tool), contract: None, format: Format::Json, text: &text };
        let findings = Checker::default().check(&input).findings;
        (text, findings)
    }

    fn shown(keys: &Value) -> String {
        let (_, findings) = check(keys);
        let shown: Vec<String> = findings
            .iter()
            .map(|finding| format!("{}[{}] {}", finding.severity.name(), finding.rule.name, finding.pointer))
            .collect();
        shown.join(", ")
    }

    /// A tool that is a request, with the given keys instead.
    fn http(keys: &Value) -> Value {
        let mut spec =
            json!({ "kind": "http", "method": "POST", "urlTemplate": "https://api.example.com/items/{id}" });
        for (key, value) in keys.as_object().unwrap() {
            spec[key] = value.clone();
        }
        spec
    }

    #[test]
    fn contradictions_draw_warnings() {
        let file = |path: &str| json!({ "kind": "filesystem", "modulePath": path });
        let allow = |hosts: &[&str]| json!({ "kind": "allowlist", "hosts": hosts });
        let none = json!({ "kind": "none" });
        let network = json!([{ "kind": "reads" }, { "kind": "network" }]);
        for (keys, expected) in [
            (json!({ "transport": "mcp" }), "warning[transport-without-url] /transport"),
            (json!({ "transport": "mcp", "mcpEndpoint": "mcp+stdio://npx" }), ""),
            (json!({ "mcpEndpoint": "mcp+stdio://npx" }), ""),
            (
                json!({ "transport": "native", "mcpEndpoint": "mcp+stdio://npx" }),
                "warning[pointless-key] /mcpEndpoint",
            ),
            (
                json!({ "mutating": false, "effects": [{ "kind": "reads" }, { "kind": "writes" }] }),
                "warning[contradiction] /mutating",
            ),
            (
                json!({ "mutating": false, "effects": [{ "kind": "deletes" }] }),
                "warning[contradiction] /mutating",
            ),
            (
                json!({ "mutating": false, "effects": [{ "kind": "external-side-effect" }] }),
                "warning[contradiction] /mutating",
            ),
            (json!({ "mutating": false, "effects": [{ "kind": "reads" }, { "kind": "network" }] }), ""),
            (json!({ "effects": [{ "kind": "writes" }] }), ""),
            (json!({ "network": none, "effects": network }), "warning[contradiction] /network"),
            (
                json!({ "network": none, "effects": [{ "kind": "reads", "resource": "external:a.example" }] }),
                "warning[contradiction] /network",
            ),
            (json!({ "network": none, "effects": [{ "kind": "reads" }] }), ""),
            (json!({ "network": none, "spec": http(&json!({})) }), "warning[contradiction] /network"),
            (json!({ "network": allow(&[]), "spec": http(&json!({})) }), "warning[contradiction] /network"),
            (
                json!({ "network": allow(&["files.example.com"]), "spec": http(&json!({})) }),
                "warning[contradiction] /network",
            ),
            (
                json!({ "network": allow(&["*.example.com"]), "spec": http(&json!({})), "effects": network }),
                "",
            ),
            (
                json!({ "network": allow(&["a.example"]), "effects": [{ "kind": "network", "resource": "external:b.example" }] }),
                "warning[contradiction] /network",
            ),
            (json!({ "network": { "kind": "unrestricted" }, "effects": network }), ""),
            (json!({ "codeArtifactRef": file("/srv/x.js") }), "warning[development-only] /codeArtifactRef"),
            (
                json!({ "codeArtifactRef": file("dist/x.js") }),
                "warning[development-only] /codeArtifactRef, warning[relative-path] /codeArtifactRef/modulePath",
            ),
            (
                json!({ "codeArtifactRef": { "kind": "oci", "imageRef": "r/x:1", "modulePath": "x.js", "artifactVersion": "1" }, "spec": http(&json!({})) }),
                "warning[conflicting-keys] /codeArtifactRef",
            ),
        ] {
            assert_eq!(shown(&keys), expected, "{keys}");
        }
    }

    #[test]
    fn requests_are_compared_with_the_input() {
        for (keys, expected) in [
            (json!({}), ""),
            (
                json!({ "urlTemplate": "https://x.example/{item}" }),
                "warning[unknown-placeholder] /spec/urlTemplate",
            ),
            (
                json!({ "urlTemplate": "https://x.example/{ id }" }),
                "warning[unknown-placeholder] /spec/urlTemplate",
            ),
            // Braces are doubled where other templates have them so.
            (
                json!({ "urlTemplate": "https://x.example/{{id}}" }),
                "warning[unknown-placeholder] /spec/urlTemplate",
            ),
            (
                json!({ "urlTemplate": "https://x.example/{{item}}" }),
                "warning[unknown-placeholder] /spec/urlTemplate",
            ),
            (
                json!({ "urlTemplate": "https://x.example{?id}" }),
                "warning[unknown-placeholder] /spec/urlTemplate",
            ),
            (
                json!({ "urlTemplate": "https://x.example/{id" }),
                "warning[unknown-placeholder] /spec/urlTemplate",
            ),
            (
                json!({ "requestBody": { "kind": "text", "template": "{\"a\": {name}, \"b\": {id}}" } }),
                "warning[unknown-placeholder] /spec/requestBody/template",
            ),
            (
                json!({ "headers": [{ "name": "X-Item", "value": "{id}" }] }),
                "hint[unknown-placeholder] /spec/headers/0/value",
            ),
            (json!({ "headers": [{ "name": "X-Item", "value": "{other}" }] }), ""),
            (
                json!({ "method": "GET", "requestBody": { "kind": "json-input" } }),
                "warning[pointless-key] /spec/requestBody",
            ),
            (json!({ "method": "DELETE", "requestBody": { "kind": "json-input" } }), ""),
            (
                json!({ "successStatus": { "min": 299, "max": 200 } }),
                "error[empty-range] /spec/successStatus",
            ),
        ] {
            assert_eq!(shown(&json!({ "spec": http(&keys) })), expected, "{keys}");
        }
    }

    #[test]
    fn a_placeholder_is_marked_in_the_text() {
        for (template, marked) in [
            ("https://x.example/{id}/{item}", "{item}"),
            ("https://x.example/{id}/{?q}", "{?q}"),
            ("https://x.example/\"/{item}", "{item}"),
        ] {
            let (text, findings) = check(&json!({ "spec": http(&json!({ "urlTemplate": template })) }));
            let [finding] = &findings[..] else { panic!("{findings:?}") };
            assert_eq!(&text[finding.span.start..finding.span.end], marked);
        }
    }

    #[test]
    fn schemas_are_judged_whatever_else_is_wrong() {
        for (keys, expected) in [
            (json!({ "input": { "type": "strng" } }), "error[invalid-schema] /input/type"),
            (json!({ "output": { "$ref": "#/$defs/nope" } }), "error[dangling-reference] /output/$ref"),
            (
                json!({ "version": "1", "input": { "pattern": "(" } }),
                "error[invalid-value] /version, error[invalid-pattern] /input/pattern",
            ),
            (json!({ "input": [] }), "error[wrong-type] /input"),
        ] {
            let (mut found, mut wanted): (Vec<_>, Vec<_>) =
                (shown(&keys).split(", ").map(str::to_owned).collect(), expected.split(", ").collect());
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{keys}");
        }
    }
}
