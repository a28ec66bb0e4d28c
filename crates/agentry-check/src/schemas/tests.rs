use super::*;
use agentry_text::Severity;
use serde_json::{Value, json};

fn judge(text: &str) -> (String, Vec<Finding>) {
    let text = format!(r#"{{"input":{text}}}"#);
    let document = agentry_text::json::parse(&text);
    assert!(document.findings.is_empty(), "{text}: {:?}", document.findings);
    let mut findings = Vec::new();
    check(document.root.as_ref().unwrap(), "/input", &mut findings);
    (text, findings)
}

fn rules(text: &str) -> String {
    let (_, findings) = judge(text);
    let shown: Vec<String> =
        findings.iter().map(|finding| format!("{} {}", finding.rule.name, finding.pointer)).collect();
    shown.join(", ")
}

#[test]
fn faults_are_found_at_their_places() {
    for (schema, expected) in [
        (r#"{"type":"object"}"#, ""),
        (r#"{"type":"strng"}"#, "invalid-schema /input/type"),
        (r#"{"properties":{"a":{"type":["string","nul"]}}}"#, "invalid-schema /input/properties/a/type/1"),
        (r#"{"type":["string","string"]}"#, "invalid-schema /input/type/1"),
        (r#"{"type":[]}"#, "invalid-schema /input/type"),
        (r#"{"properties":[]}"#, "invalid-schema /input/properties"),
        (
            r#"{"properties":{"a":"string","b":true,"c":3}}"#,
            "invalid-schema /input/properties/a, invalid-schema /input/properties/c",
        ),
        (r#"{"items":[{"type":"string"}]}"#, "invalid-schema /input/items"),
        (r#"{"prefixItems":[{"type":"string"}],"items":false}"#, ""),
        (r#"{"required":true}"#, "invalid-schema /input/required"),
        (r#"{"required":["a","a"]}"#, "invalid-schema /input/required/1"),
        (r#"{"allOf":[]}"#, "invalid-schema /input/allOf"),
        (
            r#"{"minLength":-1,"maxLength":2.5,"minItems":1.0}"#,
            "invalid-schema /input/minLength, invalid-schema /input/maxLength",
        ),
        (r#"{"dependentRequired":{"a":"b"}}"#, "invalid-schema /input/dependentRequired/a"),
        (
            r#"{"const":{"type":"strng"},"default":{"$ref":"nowhere"},"enum":[{"pattern":"("}],"x-note":{"type":1}}"#,
            "",
        ),
        (r#"{"requird":["a"]}"#, "unknown-keyword /input/requird"),
        (r#"{"a~/b":1,"$defs":{"a~/b":{"type":1}}}"#, "invalid-schema /input/$defs/a~0~1b/type"),
        // Drafts.
        (r#"{"$schema":"https://json-schema.org/draft/2020-12/schema#"}"#, ""),
        (
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a":true}}"#,
            "other-draft /input/$schema",
        ),
        (r#"{"$schema":"https://schemas.example/meta"}"#, "other-draft /input/$schema"),
        // Patterns.
        (
            r#"{"pattern":"(","patternProperties":{"[a-":{},"^x-":{}}}"#,
            "invalid-pattern /input/pattern, invalid-pattern /input/patternProperties/[a-",
        ),
        (r#"{"pattern":"^(?<y>\\d{4})-\\k<y>(?=x)(?!y)(?<=z)\\cA\\/\\u{1F600}[^]$"}"#, ""),
        (r#"{"pattern":"^\\p{L}+\\b.{2,}?$"}"#, ""),
        (r#"{"pattern":"a**"}"#, "invalid-pattern /input/pattern"),
        (r#"{"pattern":7}"#, "invalid-schema /input/pattern"),
        // References.
        (r##"{"$ref":"#/$defs/nope"}"##, "dangling-reference /input/$ref"),
        (r##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#"}}}"##, ""),
        (r##"{"$ref":"#/$defs/a%20b","$defs":{"a b":true}}"##, ""),
        (r##"{"$ref":"#/$defs/a%2","$defs":{"a":true}}"##, "dangling-reference /input/$ref"),
        (r##"{"$ref":"#/title","title":"x"}"##, "dangling-reference /input/$ref"),
        (r##"{"$ref":"#item","$defs":{"i":{"$anchor":"item"}}}"##, ""),
        (r##"{"$ref":"#itm","$defs":{"i":{"$anchor":"item"}}}"##, "dangling-reference /input/$ref"),
        (r##"{"$dynamicRef":"#node","$defs":{"i":{"$dynamicAnchor":"node"}}}"##, ""),
        (r#"{"$ref":"Item","$defs":{"Item":true}}"#, "dangling-reference /input/$ref"),
        (r#"{"$ref":"https://schemas.example/item.json"}"#, "remote-reference /input/$ref"),
        (r#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#, ""),
        (r#"{"$id":"https://schemas.example/a","$ref":"b"}"#, "remote-reference /input/$ref"),
        (
            r#"{"$id":"https://schemas.example/a","$ref":"b","$defs":{"b":{"$id":"b","$defs":{"c":{}},"$ref":"a#/$defs/b"}}}"#,
            "",
        ),
        (
            r#"{"$ref":"b#/$defs/c","$defs":{"b":{"$id":"b","$defs":{"c":{"type":1}}}}}"#,
            "invalid-schema /input/$defs/b/$defs/c/type",
        ),
        // What only a reference makes a schema is judged too, once.
        (
            r##"{"$ref":"#/components/a","components":{"a":{"type":"strng"}},"not":{"$ref":"#/components/a"}}"##,
            "invalid-schema /input/components/a/type",
        ),
        (
            r##"{"items":{"$ref":"#/$defs/x"},"contains":{"$ref":"#/$defs/y"}}"##,
            "dangling-reference /input/items/$ref, dangling-reference /input/contains/$ref",
        ),
        (r#"{"$ref":1}"#, "invalid-schema /input/$ref"),
        ("true", ""),
        ("[]", "invalid-schema /input"),
    ] {
        assert_eq!(rules(schema), expected, "{schema}");
    }
}

#[test]
fn a_finding_marks_the_fault_in_the_text() {
    for (schema, marked) in [
        (r#"{"type":"strng"}"#, r#""strng""#),
        (r##"{"not":{"$ref":"#/$defs/nope"}}"##, r##""#/$defs/nope""##),
        (r#"{"properties":{"a":{"pattern":"[a-"}}}"#, r#""[a-""#),
        (r#"{"patternProperties":{"(":{}}}"#, r#""(""#),
    ] {
        let (text, findings) = judge(schema);
        let [finding] = &findings[..] else { panic!("{schema}: {findings:?}") };
        assert_eq!(&text[finding.span.start..finding.span.end], marked);
    }
}

#[test]
fn help_says_what_to_write() {
    for (schema, help) in [
        (r#"{"type":"strng"}"#, "write \"string\""),
        (r#"{"type":"int"}"#, "write \"integer\""),
        (r#"{"type":"any"}"#, "leave `type` out"),
        (r#"{"items":[true]}"#, "`prefixItems`"),
        (r#"{"exclusiveMinimum":true}"#, "the bound itself"),
        (r##"{"$ref":"#/$defs/Itm","$defs":{"Item":true}}"##, "did you mean `#/$defs/Item`?"),
        (r##"{"$ref":"#/definitions/Item","$defs":{"Item":true}}"##, "did you mean `#/$defs/Item`?"),
        (r#"{"$ref":"Item","$defs":{"Item":true}}"#, "did you mean `#/$defs/Item`?"),
    ] {
        let (_, findings) = judge(schema);
        let found = findings.first().and_then(|finding| finding.help.as_deref()).unwrap_or_default();
        assert!(found.contains(help), "{schema}: {found}");
    }
}

/// The walk and the meta-schema say the same of every keyword with every sort of value, and the walk says it first.
#[test]
fn the_walk_agrees_with_the_meta_schema() {
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(1.5),
        json!(2.0),
        json!(-0.5),
        json!(""),
        json!("x"),
        json!("a#b"),
        json!("#"),
        json!("1x"),
        json!("string"),
        json!("#/$defs/a"),
        json!([]),
        json!([true]),
        json!(["a"]),
        json!(["a", "a"]),
        json!(["string", "null"]),
        json!([1]),
        json!([{}]),
        json!({}),
        json!({ "a": true }),
        json!({ "a": {} }),
        json!({ "a": "x" }),
        json!({ "a": ["x"] }),
        json!({ "a": [1] }),
        json!({ "a": null }),
        json!({ "type": 1 }),
        json!([{ "type": 1 }]),
    ];
    let meta = jsonschema::draft202012::meta::validator();
    for keyword in keywords::names() {
        for value in &values {
            for schema in [json!({ keyword: value }), json!({ "not": { keyword: value } })] {
                let (_, findings) = judge(&schema.to_string());
                let invalid = findings.iter().any(|finding| finding.rule == &rules::INVALID_SCHEMA);
                assert_eq!(invalid, !meta.is_valid(&schema), "{schema}: {findings:?}");
                let net = findings.iter().find(|finding| finding.message.contains("meta-schema"));
                assert!(net.is_none(), "only the validator found it: {schema}");
            }
        }
    }
}

#[test]
fn hostile_schemas_cost_little() {
    let nested = |levels: usize, open: &str, close: &str| {
        format!("{}true{}", open.repeat(levels), close.repeat(levels))
    };
    for schema in [
        nested(120, r#"{"not":"#, "}"),
        nested(60, r#"{"allOf":["#, "]}"),
        nested(60, r#"{"properties":{"a":"#, "}}"),
        json!({ "pattern": "((a{999}){999}){999}" }).to_string(),
        json!({ "pattern": "(a*)*b".repeat(2_000) }).to_string(),
        json!({ "anyOf": vec![json!({ "$ref": "#" }); 2_000] }).to_string(),
        json!({ "$defs": (0..20_000).map(|i| (format!("d{i}"), json!({ "$ref": format!("#/$defs/d{}", (i + 1) % 20_000) }))).collect::<serde_json::Map<_, _>>() }).to_string(),
    ] {
        assert_eq!(rules(&schema), "", "{}", &schema[..60]);
    }
    let many = Value::from(vec![json!({ "type": "strng" }); 1_000]);
    let (_, findings) = judge(&json!({ "anyOf": many }).to_string());
    // The first faults are shown, and that there are more.
    assert_eq!(findings.len(), MAX_FINDINGS + 1);
    assert!(findings[0].pointer.contains("/anyOf/0/"), "{:?}", findings[0]);
    assert_eq!(findings.last().map(|finding| finding.rule.name), Some("too-many-findings"));
    assert!(findings.iter().all(|finding| finding.severity == Severity::Error));
    // Hints in great number hide no error.
    let hints: Vec<Value> = (0..2_000).map(|_| json!({ "requird": [] })).collect();
    let (_, findings) = judge(&json!({ "anyOf": hints, "type": "strng" }).to_string());
    assert!(findings.iter().any(|finding| finding.severity == Severity::Error), "{findings:?}");
}

#[test]
fn nothing_secret_is_repeated() {
    let secret = "ghp_0123456789abcdefABCDEF";
    for schema in [
        json!({ "type": secret }),
        json!({ "$ref": secret }),
        json!({ "pattern": format!("({secret}") }),
        json!({ "$id": format!("http://[{secret}") }),
    ] {
        let (_, findings) = judge(&schema.to_string());
        assert!(!findings.is_empty() && !format!("{findings:?}").contains(secret), "{findings:?}");
    }
}

#[test]
fn schemas_that_make_no_sense_draw_warnings() {
    for (schema, expected) in [
        // A default that its own schema refuses.
        (r#"{"properties":{"a":{"maximum":10,"default":50}}}"#, "unfit-default /input/properties/a/default"),
        (
            r#"{"properties":{"a":{"enum":["x","y"],"default":"z"}}}"#,
            "unfit-default /input/properties/a/default",
        ),
        (
            r#"{"properties":{"a":{"type":"string","default":5}}}"#,
            "unfit-default /input/properties/a/default",
        ),
        (r#"{"properties":{"a":{"type":"string","default":null}}}"#, ""),
        (r#"{"properties":{"a":{"enum":["x","y"],"default":"y"}}}"#, ""),
        (r#"{"default":{"a":1},"properties":{"a":{"type":"string"}}}"#, "unfit-default /input/default"),
        // Another schema may say otherwise.
        (r##"{"$defs":{"n":{"maximum":3}},"properties":{"a":{"$ref":"#/$defs/n","default":50}}}"##, ""),
        (r#"{"properties":{"default":{"type":"string"}}}"#, ""),
        // Bounds.
        (r#"{"minimum":5,"maximum":4.5}"#, "unmatchable-schema /input/maximum"),
        (r#"{"minLength":5,"maxLength":4}"#, "unmatchable-schema /input/maxLength"),
        (r#"{"minItems":5,"maxItems":5}"#, ""),
        // Patterns.
        (r#"{"pattern":"a^b"}"#, "unmatchable-schema /input/pattern"),
        (r#"{"pattern":"^a$b"}"#, "unmatchable-schema /input/pattern"),
        (r#"{"pattern":"^(a|b$)|^c[^$]$"}"#, ""),
        (r#"{"pattern":"\\$[0-9]+\\^"}"#, ""),
        (r#"{"pattern":"(^|,)a($|,)"}"#, ""),
        (r#"{"pattern":"a$?b"}"#, "invalid-pattern /input/pattern"),
        (r#"{"pattern":"^[a-z]{3}$","minLength":5}"#, "unmatchable-schema /input/pattern"),
        (r#"{"pattern":"^[a-z]{3}$","minLength":3,"maxLength":9}"#, ""),
        (r#"{"pattern":"^[a-z]+$","minLength":5,"maxLength":40}"#, ""),
    ] {
        assert_eq!(rules(schema), expected, "{schema}");
    }
}

#[test]
fn what_makes_no_sense_is_found_at_its_place() {
    let (text, findings) = judge(r#"{"maximum":10,"default":50}"#);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(&text[finding.span.start..finding.span.end], "50");
    assert_eq!(&text[finding.related[0].span.start..finding.related[0].span.end], "10");
    assert_eq!(finding.severity, Severity::Warning);
}
