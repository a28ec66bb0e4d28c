use super::*;
use agentry_text::{Mode, Severity};
use serde_json::{Value as Json, json};

/// A tool with only what it needs, and the given keys instead.
fn manifest(keys: &Json) -> Json {
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
    tool
}

fn tool(keys: &Json) -> Tool {
    agentry_text::json::from_str(&manifest(keys).to_string()).unwrap()
}

/// The findings as `rule pointer`, errors first.
fn findings(document: &Json) -> String {
    let document = agentry_text::json::parse(&document.to_string());
    let mut findings = crate::Kind::Tool.read(&document, Mode::Strict).findings;
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let shown: Vec<String> =
        findings.iter().map(|finding| format!("{} {}", finding.rule.name, finding.pointer)).collect();
    shown.join(", ")
}

/// A tool with every key.
fn complete() -> Json {
    manifest(&json!({
        "needs": [{ "name": "memory:facts" }, { "name": "blob", "optional": true }],
        "effects": [{ "kind": "reads", "resource": "memory:facts", "notes": "" }, { "kind": "network" }],
        "transport": "mcp",
        "mcpEndpoint": "mcp+sse://https://tools.example.com/sse",
        "metadata": { "author": null, "tags": [1, 2.5, "x"] },
        "sandbox": "context-isolated",
        "mutating": false,
        "limits": { "memMB": 256, "cpuMs": 2000 },
        "network": { "kind": "allowlist", "hosts": ["api.example.com"] },
        "needsSpec": {
            "env": { "REGION": { "description": "Where", "x": null } },
            "secrets": { "ACME_API_KEY": {} },
            "config": {},
            "capabilities": ["llm.chat"],
            "bindings": [],
        },
        "codeArtifactRef": {
            "kind": "oci", "imageRef": "r/x:1", "modulePath": "dist/x.js", "artifactVersion": "1",
        },
        "spec": {
            "kind": "http",
            "method": "POST",
            "urlTemplate": "https://api.example.com/items/{id}",
            "headers": [{ "name": "Accept", "value": "" }],
            "authorization": {
                "kind": "header",
                "headerName": "X-Api-Key",
                "secretRef": { "envName": "ACME_API_KEY", "name": "acme-api-key" },
            },
            "requestBody": { "kind": "text", "template": "id={id}" },
            "timeoutMs": 500,
            "parseJson": false,
            "successStatus": { "min": 200, "max": 204 },
        },
    }))
}

#[test]
fn everything_is_read_and_written_back() {
    for document in [manifest(&json!({})), complete()] {
        assert_eq!(findings(&document), "");
        let tool: Tool = agentry_text::json::from_str(&document.to_string()).unwrap();
        assert_eq!(serde_json::to_value(&tool).unwrap(), document);
        assert_eq!(serde_json::from_value::<Tool>(document).unwrap(), tool);
    }
}

#[test]
fn defaults_are_given_and_not_written() {
    let spec = json!({ "kind": "http", "method": "GET", "urlTemplate": "https://x.example" });
    let tool = tool(&json!({ "needs": [{ "name": "run" }], "spec": spec }));
    assert_eq!((tool.transport(), tool.mutating()), (Transport::Auto, true));
    assert_eq!((tool.transport.as_ref(), tool.mutating), (None, None));
    assert!(!tool.needs.as_ref().unwrap()[0].optional());
    let http = tool.http().unwrap();
    assert_eq!((http.timeout_ms().get(), http.parse_json()), (30_000, true));
    assert_eq!((http.timeout_ms, http.parse_json, http.success_status.clone()), (None, None, None));
}

#[test]
fn faults_are_found_at_their_places() {
    let secret = json!({ "envName": "KEY", "name": "key" });
    for (keys, expected) in [
        (json!({ "id": "" }), "invalid-value /id"),
        (json!({ "id": "Acme Find!" }), "unusual-name /id"),
        (json!({ "id": "a.b.c" }), "unusual-name /id"),
        (json!({ "id": "think" }), ""),
        (json!({ "version": "1.0" }), "invalid-value /version"),
        (json!({ "version": "1.0.0-beta" }), "invalid-value /version"),
        (json!({ "version": "01.0.0" }), ""),
        (json!({ "input": true }), "wrong-type /input"),
        (json!({ "inputs": {} }), "unknown-key "),
        (json!({ "metadata": [] }), "wrong-type /metadata"),
        (json!({ "mutating": null }), "wrong-type /mutating"),
        (json!({ "transport": "stdio" }), "unknown-option /transport"),
        (json!({ "mcpEndpoint": "https://x.example" }), "invalid-value /mcpEndpoint"),
        (json!({ "needs": [{ "name": "a", "scope": 1 }] }), "unknown-key /needs/0"),
        (json!({ "effects": [{ "kind": "read" }] }), "unknown-option /effects/0/kind"),
        (json!({ "effects": [{ "kind": "reads", "resource": "" }] }), "unreadable-value /effects/0/resource"),
        (json!({ "limits": { "memMB": 0 } }), "missing-key /limits, invalid-value /limits/memMB"),
        (json!({ "needsSpec": { "env": { "A": "b" } } }), "wrong-type /needsSpec/env/A"),
        (json!({ "needsSpec": { "capabilities": [""] } }), "invalid-value /needsSpec/capabilities/0"),
        // In a union, about the variant that is meant.
        (json!({ "network": { "kind": "allowlist" } }), "missing-key /network"),
        (json!({ "network": { "kind": "none", "hosts": [] } }), "unknown-key /network"),
        (json!({ "network": { "hosts": [] } }), "missing-key /network"),
        (json!({ "network": { "kind": "deny" } }), "unknown-option /network/kind"),
        (
            json!({ "network": { "kind": "allowlist", "hosts": ["https://x"] } }),
            "unreadable-value /network/hosts/0",
        ),
        (
            json!({ "codeArtifactRef": { "kind": "filesystem", "modulePath": "/x", "imageRef": "y" } }),
            "unknown-key /codeArtifactRef",
        ),
        (
            json!({ "codeArtifactRef": { "kind": "oci", "modulePath": "" } }),
            "missing-key /codeArtifactRef, missing-key /codeArtifactRef, invalid-value /codeArtifactRef/modulePath",
        ),
        (json!({ "spec": { "kind": "grpc" } }), "unknown-option /spec/kind"),
    ] {
        assert_eq!(findings(&manifest(&keys)), expected, "{keys}");
    }
    for (keys, expected) in [
        (json!({ "method": "get" }), "unknown-option /spec/method"),
        (json!({ "urlTemplate": "" }), "invalid-value /spec/urlTemplate"),
        (json!({ "timeoutMs": 0 }), "invalid-value /spec/timeoutMs"),
        (json!({ "timeoutMs": "30" }), "wrong-type /spec/timeoutMs"),
        (json!({ "successStatus": { "min": 200 } }), "missing-key /spec/successStatus"),
        (json!({ "successStatus": { "min": 299, "max": 200 } }), "empty-range /spec/successStatus"),
        (
            json!({ "successStatus": { "min": 99, "max": 600 } }),
            "invalid-value /spec/successStatus/min, invalid-value /spec/successStatus/max",
        ),
        (
            json!({ "authorization": { "kind": "bearer", "secretRef": secret, "headerName": "X" } }),
            "unknown-key /spec/authorization",
        ),
        (
            json!({ "authorization": { "kind": "header", "secretRef": secret } }),
            "missing-key /spec/authorization",
        ),
        (
            json!({ "authorization": { "kind": "bearer", "secretRef": "KEY" } }),
            "wrong-type /spec/authorization/secretRef",
        ),
        (json!({ "requestBody": { "kind": "text" } }), "missing-key /spec/requestBody"),
        (json!({ "requestBody": { "kind": "json-input", "template": "" } }), "unknown-key /spec/requestBody"),
        (json!({ "headers": [{ "name": "X-A:", "value": "b" }] }), "unreadable-value /spec/headers/0/name"),
        (
            json!({ "headers": [{ "name": "X-A", "value": "a\nb" }] }),
            "unreadable-value /spec/headers/0/value",
        ),
    ] {
        let mut spec = json!({ "kind": "http", "method": "POST", "urlTemplate": "https://x.example" });
        for (key, value) in keys.as_object().unwrap() {
            spec[key] = value.clone();
        }
        assert_eq!(findings(&manifest(&json!({ "spec": spec }))), expected, "{keys}");
    }
}

#[test]
fn a_credential_is_never_shown() {
    let credential = "sk-proj-abcdefghijklmnop1234";
    let document = manifest(&json!({ "spec": {
        "kind": "http",
        "method": "GET",
        "urlTemplate": "https://x.example",
        "headers": [{ "name": "Authorization", "value": format!("Bearer {credential}") }],
        "authorization": { "kind": "bearer", "secretRef": { "envName": credential, "name": credential } },
    }}));
    assert_eq!(
        findings(&document),
        "literal-secret /spec/headers/0/value, unreadable-value /spec/authorization/secretRef/envName, \
         literal-secret /spec/authorization/secretRef/name"
    );
    let read = crate::Kind::Tool.read(&agentry_text::json::parse(&document.to_string()), Mode::Strict);
    assert!(!format!("{:?}{:?}", read.value, read.findings).contains(credential));
    assert!(read.findings.iter().all(|finding| finding.severity == Severity::Warning));
}

#[test]
fn two_tools_conflict_by_what_they_declare() {
    for (one, other, expected) in [
        (json!({ "effects": [] }), json!({}), "none"),
        (json!({}), json!({}), "undeclared"),
        (json!({ "mutating": false }), json!({ "mutating": false }), "none"),
        (json!({ "mutating": false }), json!({ "effects": [{ "kind": "reads" }] }), "none"),
        (json!({ "mutating": false }), json!({ "effects": [{ "kind": "deletes" }] }), "undeclared"),
        (json!({}), json!({ "effects": [{ "kind": "reads" }] }), "undeclared"),
        (
            json!({ "effects": [{ "kind": "reads", "resource": "memory:a" }, { "kind": "reads", "resource": "blob:b" }] }),
            json!({ "effects": [{ "kind": "network" }, { "kind": "writes", "resource": "blob:*" }] }),
            "reads writes",
        ),
        (
            json!({ "effects": [{ "kind": "writes", "resource": "memory:a" }] }),
            json!({ "effects": [{ "kind": "writes", "resource": "memory:b" }] }),
            "none",
        ),
    ] {
        let (first, second) = (tool(&one), tool(&other));
        let shown = match first.conflict(&second) {
            Conflict::None => "none".to_owned(),
            Conflict::Undeclared => "undeclared".to_owned(),
            Conflict::Effects(one, two) => format!("{} {}", one.kind, two.kind),
        };
        assert_eq!(shown, expected, "{one} and {other}");
        assert_eq!(first.conflict(&second).is_none(), second.conflict(&first).is_none(), "{one} and {other}");
    }
}

#[test]
fn placeholders_are_compared_with_the_input() {
    let spec = json!({
        "kind": "http",
        "method": "POST",
        "urlTemplate": "https://x.example/{id}/{kind}",
        "headers": [{ "name": "X", "value": "{nothing}" }],
        "requestBody": { "kind": "text", "template": "{id} {who}" },
    });
    let unknown = |input: Json| {
        let tool = tool(&json!({ "input": input, "spec": spec }));
        let found: Vec<String> = tool
            .unknown_placeholders()
            .iter()
            .map(|found| format!("{} {}@{}", found.pointer, found.placeholder.name, found.placeholder.start))
            .collect();
        found.join(", ")
    };
    for (input, expected) in [
        (
            json!({ "properties": { "id": {} } }),
            "/spec/urlTemplate kind@23, /spec/requestBody/template who@5",
        ),
        (json!({ "required": ["id", "kind", "who"] }), ""),
        (json!({ "patternProperties": { ".": {} } }), ""),
        (json!({ "allOf": [{ "properties": { "id": {}, "kind": {} } }], "properties": { "who": {} } }), ""),
    ] {
        assert_eq!(unknown(input.clone()), expected, "{input}");
    }
}

#[test]
fn versions_are_compared_by_number() {
    let version = |text: &str| ToolVersion::new(text).unwrap();
    for (older, newer) in [("1.9.0", "1.10.0"), ("0.0.9", "0.1.0"), ("1.0.0", "99999999999999999999999.0.0")]
    {
        assert_eq!(version(older).compare(&version(newer)), Ordering::Less, "{older} and {newer}");
    }
    assert_eq!(version("01.2.3").compare(&version("1.2.3")), Ordering::Equal);
    assert_eq!(version("01.2.3").to_semver(), Some(semver::Version::new(1, 2, 3)));
    assert_eq!(version("99999999999999999999999.0.0").to_semver(), None);
}

#[test]
fn identifiers_and_paths_are_taken_apart() {
    let id = ToolId::new("acme.get-item").unwrap();
    assert_eq!((id.pack(), id.name()), (Some("acme"), "get-item"));
    let id = ToolId::new("think").unwrap();
    assert_eq!((id.pack(), id.name()), (None, "think"));
    for (path, absolute) in [
        ("/srv/x.js", true),
        (r"C:\x.js", true),
        ("C:/x.js", true),
        (r"\\host\x.js", true),
        ("x.js", false),
        ("./x.js", false),
        ("C:x.js", false),
    ] {
        assert_eq!(ModulePath::new(path).unwrap().is_absolute(), absolute, "{path}");
    }
}
