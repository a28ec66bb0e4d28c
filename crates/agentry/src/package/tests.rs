//! Packages as documents.

use super::*;
use agentry_text::{Document, Format, Mode, Reading, Severity, read_document};

fn parse(text: &str, format: Format) -> Document {
    match format {
        Format::Toml => agentry_text::toml::parse(text),
        Format::Yaml => agentry_text::yaml::parse(text),
        _ => agentry_text::json::parse(text),
    }
}

fn read(text: &str, mode: Mode) -> Reading<Package> {
    read_document(&parse(text, Format::Json), mode)
}

/// A package in JSON with further keys.
fn with(keys: &str) -> String {
    format!(r#"{{ "name": "ticket-helper", {keys} }}"#)
}

/// What is found, as `severity[rule] pointer`.
fn found(reading: &Reading<Package>) -> String {
    let found = reading.findings.iter().map(|finding| {
        let letter = &finding.severity.name()[..1];
        format!("{letter}[{}] {}", finding.rule.name, finding.pointer)
    });
    found.collect::<Vec<_>>().join(", ")
}

/// Reads packages with these keys, and compares what is found.
fn assert_found(rows: &[(String, &str)]) {
    for (keys, expected) in rows {
        let text = with(keys);
        let reading = read(&text, Mode::Strict);
        assert_eq!(found(&reading), *expected, "{keys}");
        let invalid = reading.findings.iter().any(|finding| finding.severity == Severity::Error);
        assert_eq!(reading.value.is_none(), invalid, "{keys}");
        for finding in &reading.findings {
            let told = format!("{finding:?}");
            assert!(!told.contains("hunter2") && !told.contains("Bearer abc"), "{told}");
        }
        if let Some(package) = reading.value {
            let told = format!("{package:?}");
            assert!(!told.contains("hunter2") && !told.contains("Bearer abc"), "{told}");
        }
    }
}

#[test]
fn faults_are_found_at_their_places() {
    let tool = |keys: &str| {
        format!(
            r#""tools": [{{ "name": "a", "description": "b", "type": "client_side", "parameters": {{}}{keys} }}]"#
        )
    };
    assert_found(&[
        (r#""schema_version": 1"#.to_owned(), ""),
        (r#""schema_version": 0"#.to_owned(), "e[invalid-value] /schema_version"),
        (r#""schema_version": -7"#.to_owned(), "e[invalid-value] /schema_version"),
        (r#""schema_version": null"#.to_owned(), "e[wrong-type] /schema_version"),
        (r#""schema_version": "2""#.to_owned(), "e[wrong-type] /schema_version"),
        (r#""schema_version": 2, "new_switch": true"#.to_owned(), "e[newer-version] /schema_version"),
        (r#""$schema": "https://schemas.example/agent.json""#.to_owned(), ""),
        (r#""$schema": 1"#.to_owned(), "e[wrong-type] /$schema"),
        (r#""descripton": "x""#.to_owned(), "e[unknown-key] "),
        (r#""system_prompt": "x""#.to_owned(), "w[legacy-name] /system_prompt"),
        (r#""system_prompt": "x", "instructions": "x""#.to_owned(), "e[conflicting-keys] /instructions"),
        (
            r#""instructions": "x", "instructions_file": "a.md""#.to_owned(),
            "e[conflicting-keys] /instructions_file",
        ),
        (
            r#""system_prompt": "x", "instructions_file": "a.md""#.to_owned(),
            "w[legacy-name] /system_prompt, e[conflicting-keys] /instructions_file",
        ),
        (r#""instructions": "", "instructions_file": "a.md""#.to_owned(), ""),
        (r#""instructions": "x", "instructions_file": null"#.to_owned(), ""),
        (r#""instructions": null"#.to_owned(), "e[wrong-type] /instructions"),
        (r#""instructions_file": "../a.md""#.to_owned(), "e[invalid-value] /instructions_file"),
        (r#""skills": ["a", "/b"]"#.to_owned(), "e[invalid-value] /skills/1"),
        (r#""tags": ["a", "b", "a"]"#.to_owned(), "h[duplicate-entry] /tags/2"),
        (r#""starters": [{ "text": "a", "colour": 1 }]"#.to_owned(), "w[unknown-key] /starters/0"),
        (r#""max_iterations": 1001"#.to_owned(), "e[invalid-value] /max_iterations"),
        (r#""model": { "provider": "p" }"#.to_owned(), "e[missing-key] /model"),
        (
            r#""capabilities": ["", { "ref": "a", "cfg": {} }, 1]"#.to_owned(),
            "w[empty-value] /capabilities/0, e[unknown-key] /capabilities/1, e[wrong-type] /capabilities/2",
        ),
        (
            r#""channels": { "c": { "enabled": "yes" } }"#.to_owned(),
            "e[missing-key] /channels/c, e[wrong-type] /channels/c/enabled",
        ),
        (
            r#""files": ["a", { "source": "b", "content": "c" }, { "path": "d" }, 1]"#.to_owned(),
            "e[unknown-key] /files/1, e[missing-key] /files/2, e[wrong-type] /files/3",
        ),
        (
            r#""files": [{ "path": "a", "content": "aGVsbG8", "encoding": "base64" }]"#.to_owned(),
            "e[invalid-value] /files/0/content",
        ),
        (
            r#""network_access": { "allowed": ["a.example", "b c"], "blocked": null }"#.to_owned(),
            "e[invalid-value] /network_access/allowed/1, e[wrong-type] /network_access/blocked",
        ),
        (tool(""), ""),
        (
            tool(r#", "hints": { "novel": 1, "readonly": "true" }"#),
            "w[unknown-key] /tools/0/hints, e[wrong-type] /tools/0/hints/readonly",
        ),
        (
            tool(r#", "hints": { "side_effect_class": "pure" }"#),
            "e[unknown-option] /tools/0/hints/side_effect_class",
        ),
    ]);
}

#[test]
fn faults_of_servers_are_found_at_their_places() {
    let server = |keys: &str| format!(r#""mcpServers": {{ "docs": {{ {keys} }} }}"#);
    assert_found(&[
        (server(r#""type": "http""#), "e[missing-key] /mcpServers/docs"),
        (server(r#""type": "http", "url": """#), "e[invalid-value] /mcpServers/docs/url"),
        (server(r#""url": "nowhere""#), "e[invalid-value] /mcpServers/docs/url"),
        (server(r#""use": null"#), "e[missing-key] /mcpServers/docs"),
        (server(r#""use": "catalog:linear""#), ""),
        (server(r#""type": "stdio""#), "e[missing-key] /mcpServers/docs"),
        (server(r#""type": "stdio", "command": null"#), "e[invalid-value] /mcpServers/docs/command"),
        (server(r#""type": "stdio", "command": """#), "e[invalid-value] /mcpServers/docs/command"),
        (server(r#""type": "stdio", "command": "npx", "url": "ignored""#), ""),
        (
            server(r#""use": "catalog:linear", "protocol_mode": "stable""#),
            "w[legacy-name] /mcpServers/docs/protocol_mode",
        ),
        (
            server(r#""use": "catalog:linear", "protocol_mode": "2024-11-05""#),
            "e[unknown-option] /mcpServers/docs/protocol_mode",
        ),
        (
            server(
                r#""use": "catalog:linear", "headers": { "X Y": "a", "Authorization": "Bearer abc", "X": "${A}" }"#,
            ),
            "w[unreadable-value] /mcpServers/docs/headers/X Y, w[literal-secret] /mcpServers/docs/headers/Authorization",
        ),
        (
            server(
                r#""url": "https://ada:hunter2@mcp.example.com", "args": ["-k", "ghp_0123456789abcdefABCDEF"]"#,
            ),
            "w[literal-secret] /mcpServers/docs/url, w[literal-secret] /mcpServers/docs/args/1",
        ),
    ]);
}

#[test]
fn too_many_entries_are_refused_at_the_first_one_too_many() {
    let files = |count: usize| {
        with(&format!(r#""files": {:?}"#, (0..count).map(|n| format!("f{n}")).collect::<Vec<_>>()))
    };
    assert!(read(&files(100), Mode::Strict).value.is_some());
    let text = files(101);
    let reading = read(&text, Mode::Strict);
    assert_eq!(found(&reading), "e[invalid-value] /files");
    let span = reading.findings[0].span;
    assert_eq!(&text[span.start..span.end], r#""f100""#);

    let channels = |count: usize| {
        let all: Vec<String> = (0..count).map(|n| format!(r#""c{n}": {{ "type": "slack" }}"#)).collect();
        with(&format!(r#""channels": {{ {} }}"#, all.join(", ")))
    };
    assert!(read(&channels(32), Mode::Strict).value.is_some());
    assert_eq!(found(&read(&channels(33), Mode::Strict)), "e[invalid-value] /channels");
}

#[test]
fn absent_null_and_a_value_are_three_things() {
    let texts = ["", r#", "harness": null"#, r#", "harness": "generic""#];
    let packages = texts.map(|keys| {
        let text = format!(r#"{{"name":"a"{keys}}}"#);
        agentry_text::json::from_str::<Package>(&text).unwrap()
    });
    let [absent, null, value] = &packages;
    assert_eq!((absent.harness.is_some(), null.harness.is_some()), (false, true));
    assert_eq!(
        [absent, null, value].map(|package| package.harness().map(HarnessName::as_str)),
        [None, None, Some("generic")]
    );
    assert!(absent != null && null != value);
    for package in &packages {
        let json = agentry_text::json::to_string(package).unwrap();
        assert_eq!(&agentry_text::json::from_str::<Package>(&json).unwrap(), package);
        let yaml = agentry_text::yaml::to_string(package).unwrap();
        assert_eq!(&agentry_text::yaml::from_str::<Package>(&yaml).unwrap(), package);
    }
    // TOML has no null: the key, which means the same without a value, is left out.
    assert_eq!(agentry_text::toml::to_string(null).unwrap(), "name = \"a\"\n");
}

#[test]
fn a_null_that_only_its_author_understands_is_not_lost_in_toml() {
    for (keys, place) in [
        (
            r#""capabilities": [{ "ref": "a", "config": { "b": [1, { "c": null }] } }]"#,
            "/capabilities/0/config/b/1/c",
        ),
        (r#""channels": { "c": { "type": "slack", "config": { "d": null } } }"#, "/channels/c/config/d"),
        (r#""environments": { "e": null }"#, "/environments/e"),
        (
            r#""tools": [{ "name": "a", "description": "b", "type": "client_side", "parameters": { "default": null } }]"#,
            "/tools/0/parameters/default",
        ),
        (r#""starters": [{ "text": "a", "novel": null }]"#, "/starters/0/novel"),
    ] {
        let package: Package = agentry_text::json::from_str(&with(keys)).unwrap();
        let error = agentry_text::toml::to_string(&package).unwrap_err().to_string();
        assert!(error.contains(&format!("`{place}`")), "{keys}: {error}");
        let yaml = agentry_text::yaml::to_string(&package).unwrap();
        assert_eq!(agentry_text::yaml::from_str::<Package>(&yaml).unwrap(), package);
    }
    // Where the specification says that null is as good as absent, it may go.
    let package: Package =
        agentry_text::json::from_str(&with(r#""environments": null, "model": null"#)).unwrap();
    assert_eq!(agentry_text::toml::to_string(&package).unwrap(), "name = \"ticket-helper\"\n");
}

#[test]
fn tolerant_reading_keeps_what_a_newer_version_adds() {
    let text = with(
        r#""limits": { "max_compute_workers": 0 }, "model": { "provider": "p", "model": "m", "effort": "high" },
           "mcpServers": { "docs": { "use": "catalog:linear", "retries": 3, "auth_mode": "mtls" } },
           "files": [{ "source": "a", "mode": 7 }]"#,
    );
    assert!(read(&text, Mode::Strict).value.is_none());
    let reading = read(&text, Mode::Tolerant);
    assert_eq!(
        found(&reading),
        "w[unknown-key] , w[unknown-key] /model, w[unknown-key] /mcpServers/docs, w[unknown-option] \
         /mcpServers/docs/auth_mode, w[unknown-key] /files/0"
    );
    let package = reading.value.expect("no key of a newer version costs the whole package");
    assert_eq!(package.unlisted_keys().iter().map(|(key, _)| key).collect::<Vec<_>>(), ["limits"]);
    assert_eq!(
        package.model().and_then(|model| model.unlisted_keys().get("effort")),
        Some(&Value::String("high".to_owned()))
    );
    let written: serde_json::Value =
        serde_json::from_str(&agentry_text::json::to_string(&package).unwrap()).unwrap();
    assert_eq!(written, serde_json::from_str::<serde_json::Value>(&text).unwrap());
    // The number of the version is the gate for changes that break readers.
    let newer = read(&with(r#""schema_version": 2, "limits": 1"#), Mode::Tolerant);
    assert_eq!((found(&newer).as_str(), newer.value.is_none()), ("e[newer-version] /schema_version", true));
}

#[test]
fn older_names_are_read_and_not_written() {
    let text = with(
        r#""system_prompt": "x", "mcp_servers": { "a": { "use": "b", "protocol_mode": "legacy", "elicitation_policy": "url" } }"#,
    );
    let package: Package = agentry_text::json::from_str(&text).unwrap();
    let written: serde_json::Value = serde_json::to_value(&package).unwrap();
    let expected = serde_json::json!({
        "name": "ticket-helper",
        "instructions": "x",
        // The usual policy is left out.
        "mcpServers": { "a": { "use": "b", "protocol_mode": "2025-03-26" } },
    });
    assert_eq!(written, expected);
    let server = &package.mcp_servers.as_ref().unwrap()["a"];
    assert_eq!(server.elicitation_policy, McpElicitationPolicy::Url);
    let none = server.clone().with_elicitation_policy(McpElicitationPolicy::None);
    assert_eq!(serde_json::to_value(&none).unwrap()["elicitation_policy"], "none");
}

#[test]
fn defaults_are_told_apart_from_what_is_written() {
    let package: Package = agentry_text::json::from_str(&with(
        r#""files": ["a", { "source": "b" }, { "path": "c", "content": "" }],
           "channels": { "chat": { "type": "slack" } },
           "tools": [{ "name": "a", "description": "b", "type": "client_side", "parameters": {}, "hints": {} }]"#,
    ))
    .unwrap();
    assert_eq!(package.schema_version(), SchemaVersion::V1);
    assert_eq!(package.files().iter().map(PackageFile::is_readonly).collect::<Vec<_>>(), [true, true, false]);
    assert!(!package.channels.as_ref().unwrap()["chat"].enabled());
    let PackageTool::ClientSide(tool) = &package.tools()[0];
    assert_eq!(tool.side_effect_class(), SideEffectClass::AtMostOnce);
    assert_eq!(tool.hints.as_ref().unwrap().readonly(), None);
    assert!(package.permits("https://example.com") && !package.permits("nowhere"));
}

#[test]
fn a_package_is_built_in_code() {
    let package = Package::new(
        PackageName::new("ticket-helper").unwrap(),
        Instructions::inline(FreeText::new("You triage tickets.").unwrap()),
    )
    .with_model(PackageModel::new(ProviderName::new("anthropic").unwrap(), ModelName::new("acme-1").unwrap()))
    .with_max_iterations(IterationLimit::new(20).unwrap())
    .with_harness(Nullable::Null)
    .with_tags(["b", "a"].map(|tag| PackageTag::new(tag).unwrap()).into_iter().collect());
    let yaml = agentry_text::yaml::to_string(&package).unwrap();
    assert_eq!(
        yaml,
        "name: ticket-helper\nharness: null\nmodel:\n  provider: anthropic\n  model: acme-1\n\
         instructions: You triage tickets.\nmax_iterations: 20\ntags:\n  - b\n  - a\n"
    );
    let mut other = agentry_text::yaml::from_str::<Package>(&yaml).unwrap();
    assert_eq!(other, package);
    // Tags are a set.
    other.tags = Some(["a", "b", "a"].map(|tag| PackageTag::new(tag).unwrap()).into_iter().collect());
    assert_eq!(other, package);
    other.tags = Some(["a"].map(|tag| PackageTag::new(tag).unwrap()).into_iter().collect());
    assert_ne!(other, package);
    assert_eq!(Instructions::absent().text(), None);
    assert!(Instructions::file(PackagePath::new("a.md").unwrap()).instructions_file().is_some());
}
