//! Pairs whose verdict is known, one for each thing that a schema can say, and inputs without hope.

use agentry_diff::{Action, Draft, Effect, Options, Side, Verdict, accepts_all, compare, is_exact};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn verdicts(old: &Value, new: &Value, draft: Draft) -> (&'static str, &'static str) {
    let comparison = compare(old, new, &Options::default().with_draft(draft));
    (comparison.backward.name(), comparison.forward.name())
}

#[test]
fn each_keyword_is_compared_by_meaning() {
    let cases = [
        // Patterns as languages.
        (json!({"pattern": "^(a|b)*$"}), json!({"pattern": "^[ab]*$"}), ("yes", "yes")),
        (json!({"pattern": "^ab+$"}), json!({"pattern": "b"}), ("yes", "no")),
        (json!({"pattern": "^.{2,4}$"}), json!({"minLength": 2, "maxLength": 4}), ("yes", "no")),
        (json!({"pattern": r"^[^\n\r\u2028\u2029]{2,4}$"}), json!({"pattern": "^.{2,4}$"}), ("yes", "yes")),
        (json!({"pattern": "^(?=a)[a-z]+$"}), json!({"pattern": "^a[a-z]*$"}), ("yes", "yes")),
        (json!({"pattern": r"(a)\1"}), json!({"pattern": r"(a)\1"}), ("yes", "yes")),
        // A pattern asks for no text, also where it begins with what must not follow.
        (json!({"pattern": "^(?!a)"}), json!({"type": "string"}), ("no", "no")),
        (json!({"pattern": "^(?!a)b"}), json!({"minimum": 1}), ("no", "no")),
        (json!({"pattern": "^(?!a)"}), json!({"pattern": "^(?!a)", "type": "string"}), ("no", "yes")),
        (json!({"pattern": "^(?!a)[ab]$"}), json!({"pattern": "^b$"}), ("yes", "yes")),
        // Numbers, exactly.
        (json!({"multipleOf": 0.02}), json!({"multipleOf": 0.01}), ("yes", "no")),
        (
            json!({"type": "integer", "exclusiveMinimum": 0}),
            json!({"type": "integer", "minimum": 1}),
            ("yes", "yes"),
        ),
        (json!({"type": "number", "multipleOf": 1}), json!({"type": "integer"}), ("yes", "yes")),
        (
            json!({"type": "integer", "minimum": 1, "maximum": 5, "multipleOf": 3}),
            json!({"const": 3}),
            ("yes", "yes"),
        ),
        // Unions.
        (
            json!({"oneOf": [{"type": "integer"}, {"type": "string"}]}),
            json!({"type": ["string", "integer"]}),
            ("yes", "yes"),
        ),
        (
            json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
            json!({"type": "number", "not": {"type": "integer"}}),
            ("yes", "yes"),
        ),
        // A change inside a recursive type.
        (
            json!({"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "required": ["v"], "properties":
                {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/tree"}}, "additionalProperties": false}}}),
            json!({"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "required": ["v"], "properties":
                {"v": {"type": "number"}, "next": {"$ref": "#/$defs/node"}}, "additionalProperties": false}}}),
            ("yes", "no"),
        ),
        // What is left over.
        (
            json!({"allOf": [{"properties": {"a": true}}], "properties": {"b": true}, "unevaluatedProperties": false}),
            json!({"properties": {"a": true, "b": true}, "additionalProperties": false}),
            ("yes", "yes"),
        ),
        (
            json!({"prefixItems": [true], "contains": {"const": 1}, "unevaluatedItems": false}),
            json!({"prefixItems": [true], "items": {"const": 1}}),
            ("yes", "no"),
        ),
        // Anchors and identifiers.
        (
            json!({"$id": "https://schemas.example/a", "$ref": "#text", "$defs": {"a": {"$anchor": "text", "type": "string"}}}),
            json!({"$ref": "https://schemas.example/b", "$defs": {"b": {"$id": "https://schemas.example/b", "type": "string"}}}),
            ("yes", "yes"),
        ),
        // Collections of definitions: each that both have is an entry.
        (
            json!({"$defs": {"a": {"type": "string"}, "b": {"type": "integer"}}}),
            json!({"$defs": {"b": {"type": "number"}, "a": {"type": "string"}}}),
            ("yes", "no"),
        ),
        // A root that leads to one of them is what is compared, even if it takes everything.
        (
            json!({"$ref": "#/definitions/D", "definitions": {"D": {}, "E": {"type": "integer"}}}),
            json!({"$ref": "#/definitions/D", "definitions": {"D": {}, "E": {"type": "string"}}}),
            ("yes", "yes"),
        ),
    ];
    for (old, new, expected) in cases {
        assert_eq!(verdicts(&old, &new, Draft::Draft202012), expected, "{old} {new}");
    }
}

#[test]
fn drafts_are_told_apart_and_compared() {
    let draft = |name: &str, mut schema: Value| {
        schema["$schema"] = format!("http{name}").into();
        schema
    };
    let (four, seven, nineteen, twenty) = (
        "://json-schema.org/draft-04/schema#",
        "://json-schema.org/draft-07/schema#",
        "s://json-schema.org/draft/2019-09/schema",
        "s://json-schema.org/draft/2020-12/schema",
    );
    let cases = [
        (
            draft(four, json!({"minimum": 0, "exclusiveMinimum": true})),
            draft(seven, json!({"exclusiveMinimum": 0})),
            ("yes", "yes"),
        ),
        (
            draft(seven, json!({"items": [{"type": "string"}], "additionalItems": false})),
            draft(twenty, json!({"prefixItems": [{"type": "string"}], "items": false})),
            ("yes", "yes"),
        ),
        (
            draft(seven, json!({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}})),
            draft(
                nineteen,
                json!({"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}}),
            ),
            ("yes", "yes"),
        ),
        // Beside `$ref`, draft 7 passes over everything.
        (
            draft(
                seven,
                json!({"allOf": [{"$ref": "#/definitions/a", "minLength": 1}], "definitions": {"a": {"type": "string"}}}),
            ),
            draft(
                twenty,
                json!({"allOf": [{"$ref": "#/$defs/a", "minLength": 1}], "$defs": {"a": {"type": "string"}}}),
            ),
            ("no", "yes"),
        ),
        // A keyword that its draft does not know says nothing.
        (draft(four, json!({"const": 1})), draft(seven, json!({})), ("yes", "yes")),
        (
            draft(nineteen, json!({"type": "array", "items": {"$recursiveRef": "#"}})),
            draft(twenty, json!({"type": "array", "items": {"$dynamicRef": "#"}})),
            ("yes", "yes"),
        ),
    ];
    for (old, new, expected) in cases {
        assert_eq!(verdicts(&old, &new, Draft::Draft202012), expected, "{old} {new}");
    }
}

#[test]
fn what_is_not_modelled_is_unknown_with_its_place() {
    let cases = [
        (json!(true), json!({"properties": {"a": {"$ref": "https://schemas.example/x"}}}), "/properties/a"),
        (
            json!({"type": "string"}),
            json!({"anyOf": [{"pattern": "x(?=y)", "maxLength": 0}, {"minLength": 1}]}),
            "",
        ),
        (json!(true), json!({"dependencies": {"a": ["b"]}}), "/dependencies"),
    ];
    for (old, new, pointer) in cases {
        match accepts_all(&old, &new, &Options::default()) {
            Verdict::Unknown(reasons) => assert_eq!(reasons[0].pointer, pointer, "{reasons:?}"),
            // A document may still show it.
            Verdict::No(witness) => assert!(pointer.is_empty(), "{new}: {}", witness.document),
            other => panic!("{new}: {other:?}"),
        }
    }
    let remote = json!({"properties": {"a": {"$ref": "https://schemas.example/x"}}});
    assert_eq!(verdicts(&remote, &remote, Draft::Draft202012), ("yes", "yes"));
}

#[test]
fn numbers_that_were_rounded_are_not_compared() {
    // A parser without big numbers reads each pair as equal.
    for (old, new) in [
        (r#"{"const":18446744073709551616}"#, r#"{"const":18446744073709551617}"#),
        (r#"{"enum":[-9223372036854775809]}"#, r#"{"enum":[-9223372036854775810]}"#),
        (r#"{"maximum":18446744073709551618}"#, r#"{"maximum":18446744073709551617}"#),
        (r#"{"multipleOf":1e-400}"#, r#"{"multipleOf":1e-401}"#),
        (r#"{"items":{"multipleOf":1e-400}}"#, r#"{"title":"A","items":{"multipleOf":1e-401}}"#),
    ] {
        let [old, new] = [old, new].map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
        let (backward, forward) = verdicts(&old, &new, Draft::Draft202012);
        assert!(backward != "yes" && forward != "yes", "{old} {new}: {backward} {forward}");
    }
    // Unless whoever read them knows better.
    let exact = Options::default().with_exact_numbers(true);
    for (old, new, expected) in [
        (r#"{"maximum":1e19}"#, r#"{"maximum":1e19}"#, ("yes", "yes")),
        (r#"{"const":1e30}"#, r#"{"const":1e30,"title":"A"}"#, ("yes", "yes")),
        (r#"{"const":1e30}"#, r#"{"enum":[1e30, 1]}"#, ("yes", "no")),
        (r#"{"maximum":1e19}"#, r#"{"maximum":1.7976931348623157e308}"#, ("yes", "no")),
        (r#"{"multipleOf":1e20}"#, r#"{"multipleOf":1e19}"#, ("yes", "no")),
    ] {
        assert!(is_exact(old) && is_exact(new));
        let [old, new] = [old, new].map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
        let comparison = compare(&old, &new, &exact);
        assert_eq!((comparison.backward.name(), comparison.forward.name()), expected, "{old} {new}");
    }
    for (text, expected) in [
        ("18446744073709551615", true),
        ("18446744073709551616", false),
        ("-9223372036854775809", false),
        ("[1E+2, -0.0, 0.1, 1e-7, 5e-324]", true),
        ("[0.1000000000000000000001]", false),
        ("1e-400", false),
        (r#"["\\\"1e-400", "18446744073709551617\\"]"#, true),
        (r#"["\\", 1e-400]"#, false),
    ] {
        assert_eq!(is_exact(text), expected, "{text}");
    }
    let greatest = json!({"const": u64::MAX});
    assert_eq!(verdicts(&greatest, &json!({"minimum": u64::MAX}), Draft::Draft202012), ("yes", "no"));
}

#[test]
fn what_is_no_schema_is_said() {
    for (old, new, side) in [
        (json!({"type": "text"}), json!(true), Side::Old),
        (json!(true), json!({"minLength": -1}), Side::New),
        (json!(true), json!({"pattern": "("}), Side::New),
        (json!(true), json!([]), Side::New),
    ] {
        match compare(&old, &new, &Options::default()).backward {
            Verdict::Invalid(found, _) => assert_eq!(found, side),
            other => panic!("{old} {new}: {other:?}"),
        }
    }
}

#[test]
fn inputs_without_hope_end_soon() {
    let nested =
        |depth: usize| (0..depth).fold(json!({"type": "string"}), |inner, _| json!({"items": inner}));
    let coins: Vec<Value> = (0..24)
        .map(|bit| json!({"properties": {format!("k{bit}"): {"const": 0}}, "required": [format!("k{bit}")]}))
        .collect();
    let many: Vec<Value> = (0..60)
        .map(|at| json!({"oneOf": [{"required": [format!("a{at}")]}, {"required": [format!("b{at}")]}]}))
        .collect();
    let cases = [
        (nested(90), nested(91)),
        (json!({"minItems": 1_000_000}), json!({"maxItems": 10})),
        (json!({"minLength": 1_000_000_000}), json!({"type": "integer"})),
        (json!({"pattern": "^(a|b)*a(a|b){18}$"}), json!({"pattern": "^(a|b)*b(a|b){17}$"})),
        (json!({"pattern": "a{1000}b{1000}"}), json!({"pattern": "a{999}b{999}"})),
        (json!({"oneOf": coins}), json!({"anyOf": coins, "maxProperties": 3})),
        (json!({"allOf": many}), json!({"not": {"allOf": many}})),
        (
            json!({"type": "array", "uniqueItems": true, "items": {"type": "integer", "minimum": 0, "maximum": 30}}),
            json!({"maxItems": 20}),
        ),
        (json!({"multipleOf": 1e-300}), json!({"multipleOf": 1e-299})),
        (
            json!({"type": "integer", "multipleOf": 9_999_991, "not": {"multipleOf": 9_999_973}}),
            json!({"multipleOf": 7}),
        ),
        (json!({"anyOf": [{"$ref": "#"}, {"not": {"$ref": "#"}}]}), json!({"allOf": [{"$ref": "#"}]})),
    ];
    for (old, new) in cases {
        let started = Instant::now();
        let comparison = compare(&old, &new, &Options::default().with_effort(20_000));
        assert!(started.elapsed() < Duration::from_secs(40), "{:?} for {old}", started.elapsed());
        // Whatever the answer, it is not a guess: a small budget gives the same or none.
        let short = compare(&old, &new, &Options::default().with_effort(50));
        for (long, short) in [(&comparison.backward, &short.backward), (&comparison.forward, &short.forward)]
        {
            assert!(short.name() == long.name() || matches!(short, Verdict::Unknown(_)), "{old} {new}");
        }
    }
}

#[test]
fn changes_are_found_where_they_are() {
    let old = json!({
        "title": "One",
        "type": "object",
        "properties": {
            "a": {"$ref": "#/$defs/level"},
            "b": {"type": "string", "description": "a text"},
            "c": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["a"],
        "additionalProperties": false,
        "$defs": {"level": {"enum": ["low", "high"]}},
    });
    let new = json!({
        "title": "One",
        "type": "object",
        "properties": {
            "c": {"anyOf": [{"type": "null"}, {"type": "string"}]},
            "b": {"type": "string", "description": "a short text", "maxLength": 3},
            "a": {"$ref": "#/$defs/degree"},
            "d": {"type": "integer"},
        },
        "required": ["a"],
        "additionalProperties": false,
        "$defs": {"degree": {"enum": ["high", "middle"]}},
    });
    let comparison = compare(&old, &new, &Options::default());
    let seen: Vec<(&str, &str, &str)> = comparison
        .changes
        .iter()
        .map(|change| {
            let at = change.new.as_deref().or(change.old.as_deref()).unwrap_or_default();
            (at, change.action.name(), change.effect.name())
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("/$defs/level/enum", "removed", "breaks-files"),
            ("/$defs/degree/enum", "added", "breaks-readers"),
            ("/properties/b/description", "altered", "documentation"),
            ("/properties/b/maxLength", "added", "breaks-files"),
            ("/properties/d", "added", "breaks-readers"),
        ]
    );
    let witness = |index: usize| {
        let effect: &Effect = &comparison.changes[index].effect;
        effect.files().or(effect.readers()).map(|witness| witness.document.clone())
    };
    assert_eq!(witness(0), Some(json!({"a": "low"})));
    // With "low" another change would break it as well.
    assert_eq!(witness(3), Some(json!({"a": "high", "b": "aaaa"})));
    assert_eq!(comparison.changes[4].action, Action::Added);
    // In another order, the same changes have the same fingerprints.
    let mut reordered = new.clone();
    if let Some(Value::Object(properties)) = reordered.get_mut("properties") {
        properties.sort_keys();
    }
    let prints = |comparison: &agentry_diff::Comparison| {
        let mut all: Vec<String> =
            comparison.changes.iter().map(|change| change.fingerprint.clone()).collect();
        all.sort();
        all
    };
    let again = compare(&old, &reordered, &Options::default());
    assert_eq!(prints(&comparison), prints(&again));
}

/// The changes as `place action effect`, with how many others one needs.
fn effects(old: &Value, new: &Value) -> Vec<String> {
    let comparison = compare(old, new, &Options::default());
    let with = |change: &agentry_diff::Change| match change.only_with.len() {
        0 => String::new(),
        others => format!(" with {others}"),
    };
    let told = comparison.changes.iter().map(|change| {
        let (at, action) = (change.at(), change.action.name());
        format!("{at} {action} {}{}", change.effect.name(), with(change))
    });
    told.collect()
}

#[test]
fn a_change_that_takes_others_to_break_something_is_told_with_them() {
    // What the older draft does not know restricts from the newer one on.
    let old = json!({
        "$schema": "http://json-schema.org/draft-04/schema#", "type": "object",
        "properties": {"n": {"type": "string"}, "m": {"type": "string"}}
    });
    let new = json!({
        "$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
        "properties": {"n": {"type": "string", "minLength": 1}, "m": {"type": "string", "const": "x"}}
    });
    let told = effects(&old, &new);
    assert_eq!(told[0], "/$schema altered breaks-files with 1");
    assert_eq!(
        told[1..],
        ["/properties/m/const added breaks-files with 1", "/properties/n/minLength added breaks-files"]
    );
    assert_eq!(effects(&new, &old)[1], "/properties/m/const removed breaks-readers");

    // What stands beside a reference counts from 2019-09 on.
    let referring = |draft: &str| {
        json!({
            "$schema": draft, "$ref": "#/$defs/a", "minLength": 2,
            "$defs": {"a": {"type": "string", "pattern": "a"}},
        })
    };
    let old = referring("http://json-schema.org/draft-07/schema#");
    let new = referring("https://json-schema.org/draft/2020-12/schema");
    assert_eq!(effects(&old, &new), ["/$schema altered breaks-files"]);
    assert_eq!(effects(&new, &old), ["/$schema altered breaks-readers"]);

    // However many others there are.
    let wide = |kind: &str| -> serde_json::Map<String, Value> {
        (0..70).map(|number| (format!("k{number}"), json!({"type": kind}))).collect()
    };
    let old = json!({"properties": wide("integer")});
    let new = json!({
        "properties": wide("number"), "minProperties": 1,
        "if": {"required": ["k0"]}, "then": {"required": ["k1"]},
    });
    let told = effects(&old, &new);
    assert!(told[2..72].iter().all(|told| told.ends_with("type altered breaks-readers")), "{told:?}");
    assert_eq!(told[..2], ["/if added breaks-files with 1", "/minProperties added breaks-files"]);
    assert_eq!(told[72..], ["/then added breaks-files with 1"]);
}

#[test]
fn a_change_that_others_make_up_for_is_not_blamed() {
    let narrow = json!({"properties": {"a": {"type": "integer"}}});
    let wide = json!({"properties": {"a": {"type": "number"}}, "additionalProperties": false});
    let told = ["/additionalProperties added breaks-files", "/properties/a/type altered breaks-readers"];
    assert_eq!(effects(&narrow, &wide), told);
    let told = ["/additionalProperties removed breaks-readers", "/properties/a/type altered breaks-files"];
    assert_eq!(effects(&wide, &narrow), told);

    // One alternative gives way to a wider one, and another goes.
    let old =
        json!({"anyOf": [{"const": 1, "title": "one"}, {"type": "integer", "minimum": 5}, {"type": "null"}]});
    let new = json!({"anyOf": [{"enum": [1, 2]}, {"type": "integer", "minimum": 4}]});
    let told = effects(&old, &new);
    assert_eq!(
        told,
        [
            "/anyOf/1/minimum altered breaks-readers",
            "/anyOf/0 removed neither",
            "/anyOf/2 removed breaks-files",
            "/anyOf/0 added breaks-readers"
        ]
    );

    // A limit in other words.
    let old = json!({"type": "integer", "minimum": 5, "maximum": 9});
    let new = json!({"type": "integer", "exclusiveMinimum": 4, "maximum": 8});
    let told = effects(&old, &new);
    assert_eq!(
        told,
        ["/exclusiveMinimum added neither", "/maximum altered breaks-files", "/minimum removed neither"]
    );

    // Each of two breaks the same documents, and nothing makes up for either.
    let told =
        effects(&json!({"type": "string"}), &json!({"type": "string", "minLength": 1, "pattern": "."}));
    assert_eq!(told, ["/minLength added breaks-files", "/pattern added breaks-files"]);
    let told =
        effects(&json!({"type": "string", "minLength": 1, "pattern": "."}), &json!({"type": "string"}));
    assert_eq!(told, ["/minLength removed breaks-readers with 1", "/pattern removed breaks-readers"]);
}

#[test]
fn items_of_a_tuple_are_told_apart_by_their_places() {
    let old = json!({"prefixItems": [{"type": "string"}, {"type": "null"}, {"const": 2}, {"const": 3}], "items": false});
    let new = json!({"prefixItems": [{"type": "string"}, {"type": "null"}], "items": false});
    assert_eq!(
        effects(&old, &new),
        ["/prefixItems/2 removed breaks-files with 1", "/prefixItems/3 removed breaks-files"]
    );
    let new = json!({"prefixItems": [{"type": "string"}, {"type": "null"}]});
    let told = effects(&old, &new);
    assert_eq!(
        told,
        [
            "/items removed breaks-readers",
            "/prefixItems/2 removed breaks-readers",
            "/prefixItems/3 removed breaks-readers with 2"
        ]
    );
}

#[test]
fn a_change_in_a_collection_says_of_which_definition_its_document_is() {
    let old = json!({"$defs": {"a": {"type": "string"}, "b": {"type": "integer"}}});
    let new = json!({"$defs": {"a": {"type": "string", "minLength": 1}, "b": {"type": "number"}}});
    let report = compare(&old, &new, &Options::default()).to_json();
    let entries: Vec<&Value> =
        report["changes"].as_array().into_iter().flatten().map(|change| &change["entry"]).collect();
    assert_eq!(entries, [&json!({"backward": "a"}), &json!({"forward": "b"})]);
    assert_eq!(report["entry"], json!({"backward": "a", "forward": "b"}));
}

#[test]
fn order_and_words_do_not_change_a_fingerprint() {
    let old = json!({"properties": {"a": {"anyOf": [{"type": "string", "title": "t"}, {"type": "array", "items": {"type": "integer"}}]}}, "required": ["a", "b"]});
    let new = json!({
        "properties": {
            "a": {"anyOf": [{"type": "string", "title": "t", "minLength": 1}, {"type": "array", "items": {"type": "number"}}]},
            "new": {"type": ["string", "null"], "enum": ["x", "y", null], "description": "words", "required": ["k", "l"],
                    "dependentRequired": {"k": ["m", "n"]}, "oneOf": [{"minLength": 1}, {"maxLength": 3}]},
        },
        "required": ["b", "a", "c"],
        "enum": [{"a": "x"}, {"b": 1}]
    });
    let other = json!({
        "enum": [{"b": 1.0}, {"a": "x"}],
        "required": ["c", "a", "b"],
        "properties": {
            "new": {"oneOf": [{"maxLength": 3, "title": "short"}, {"minLength": 1}], "dependentRequired": {"k": ["n", "m"]},
                    "required": ["l", "k"], "description": "other words", "enum": [null, "y", "x"], "type": ["null", "string"]},
            "a": {"anyOf": [{"items": {"type": "number"}, "type": "array"}, {"minLength": 1, "type": "string", "title": "t"}]},
        },
    });
    let mut old_too = old.clone();
    old_too["properties"]["a"]["anyOf"].as_array_mut().unwrap().reverse();
    old_too["required"] = json!(["b", "a"]);
    let prints = |old: &Value, new: &Value| {
        let changes = compare(old, new, &Options::default()).changes;
        let mut all: Vec<String> = changes.into_iter().map(|change| change.fingerprint).collect();
        all.sort();
        all
    };
    let known = prints(&old, &new);
    assert_eq!(known.len(), 5, "{:?}", effects(&old, &new));
    assert_eq!(known.iter().collect::<std::collections::HashSet<_>>().len(), 5);
    for (old, new) in [(&old, &other), (&old_too, &new), (&old_too, &other)] {
        assert_eq!(prints(old, new), known);
    }
    let mut wider = new.clone();
    wider["properties"]["new"]["oneOf"][1]["maxLength"] = json!(4);
    assert_ne!(prints(&old, &wider), known, "what it says is part of it");
}

#[test]
fn a_change_in_the_way_it_is_written_breaks_nothing() {
    let inline = json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 1}}});
    let cases = [
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}},
               "$defs": {"a": {"type": "string", "minLength": 1}}}),
        json!({"type": "object", "properties": {"a": {"allOf": [{"type": "string"}, {"minLength": 1}]}}}),
        json!({"allOf": [{"type": "object"}, {"properties": {"a": {"type": "string", "pattern": r"^[\s\S]"}}}]}),
    ];
    for other in cases {
        for (old, new) in [(&inline, &other), (&other, &inline)] {
            let comparison = compare(old, new, &Options::default());
            assert_eq!(
                (comparison.backward.name(), comparison.forward.name()),
                ("yes", "yes"),
                "{old} {new}"
            );
            for change in &comparison.changes {
                assert!(matches!(change.effect, Effect::Neither | Effect::Documentation), "{change}");
            }
        }
    }
}

#[test]
fn changes_that_break_only_together_are_told_with_each_other() {
    // Either bound alone still takes what the other refuses: both branches must change before 5 is refused.
    let old = json!({"anyOf": [
        {"title": "one", "type": "integer", "maximum": 5},
        {"title": "two", "type": "integer", "maximum": 5, "multipleOf": 1},
    ]});
    let new = json!({"anyOf": [
        {"title": "one", "type": "integer", "maximum": 4},
        {"title": "two", "type": "integer", "maximum": 4, "multipleOf": 1},
    ]});
    let comparison = compare(&old, &new, &Options::default());
    assert_eq!(comparison.changes.len(), 2);
    for (change, other) in comparison.changes.iter().zip(comparison.changes.iter().rev()) {
        assert_eq!(change.effect.files().map(|witness| witness.document.clone()), Some(json!(5)));
        assert_eq!(change.only_with, std::slice::from_ref(&other.fingerprint));
    }
}

#[test]
fn it_is_told_whether_a_witness_uses_only_declared_keys() {
    let cases = [
        (json!({"type": "object"}), json!({"properties": {"a": {"type": "string"}}}), false),
        (json!({"properties": {"a": true}}), json!({"properties": {"a": {"type": "string"}}}), true),
        (
            json!({"additionalProperties": {"type": "integer"}}),
            json!({"additionalProperties": {"minimum": 0}}),
            true,
        ),
        (
            json!({"patternProperties": {"^x": {"type": "integer"}}}),
            json!({"patternProperties": {"^x": {"minimum": 0}}}),
            true,
        ),
        (json!({"type": "integer"}), json!(false), true),
    ];
    for (old, new, declared) in cases {
        let verdict = accepts_all(&old, &new, &Options::default());
        let witness = verdict.witness().unwrap_or_else(|| panic!("{old} {new}: {verdict:?}"));
        assert_eq!(witness.declared_keys_only, declared, "{old} {new}: {}", witness.document);
    }
}

#[test]
fn what_is_shared_is_looked_at_once() {
    let chain = |length: usize, leaf: Value, link: &dyn Fn(usize) -> Value| {
        let mut definitions: serde_json::Map<String, Value> =
            (0..length).map(|at| (format!("d{at}"), link(at + 1))).collect();
        definitions.insert(format!("d{length}"), leaf);
        json!({"$ref": "#/$defs/d0", "$defs": definitions})
    };
    let next = |at: usize| json!({"$ref": format!("#/$defs/d{at}")});
    let links: [&dyn Fn(usize) -> Value; 4] = [
        &|at| json!({"anyOf": [next(at), {"allOf": [next(at), {"minLength": at}]}]}),
        &|at| json!({"allOf": [{"not": {"anyOf": [{"not": next(at)}, {"not": {"allOf": [next(at), {"minLength": 1}]}}]}}]}),
        &|at| json!({"if": next(at), "then": {"allOf": [next(at), {"maxLength": 90 - at}]}, "else": next(at)}),
        &|at| json!({"anyOf": [{"properties": {"a": next(at)}}, {"properties": {"b": next(at)}}]}),
    ];
    for (index, link) in links.into_iter().enumerate() {
        let old = chain(40, json!({"type": "string"}), link);
        let new = chain(40, json!({"type": ["string", "null"]}), link);
        let started = Instant::now();
        let comparison = compare(&old, &new, &Options::default().with_effort(20_000));
        assert!(started.elapsed() < Duration::from_secs(30), "{index}: {:?}", started.elapsed());
        // A document can only be shown where a validator, which shares nothing, can judge it.
        assert_ne!(comparison.backward.name(), "no", "{index}");
        assert_ne!(comparison.forward.name(), "yes", "{index}");
        if index != 3 {
            assert_eq!(comparison.backward, Verdict::Yes, "{index}");
        }
    }
}

#[test]
fn long_lists_are_compared_in_about_linear_time() {
    let texts: Vec<Value> = (0..30_000).map(|number| format!("s{number}").into()).collect();
    let numbers: Vec<Value> = (0..30_000).map(Value::from).collect();
    let branches: Vec<Value> = texts.iter().take(5_000).map(|text| json!({"const": text})).collect();
    for (old, new, expected) in [
        (json!({"enum": texts}), json!({"enum": texts[1..]}), ("no", "yes")),
        (json!({"enum": texts[..15_000]}), json!({"enum": texts[15_000..]}), ("no", "no")),
        (json!({"enum": numbers}), json!({"enum": numbers[1..]}), ("no", "yes")),
        (json!({"anyOf": branches}), json!({"enum": texts[..4_999]}), ("no", "yes")),
    ] {
        let started = Instant::now();
        assert_eq!(verdicts(&old, &new, Draft::Draft202012), expected);
        assert!(started.elapsed() < Duration::from_secs(40), "{:?}", started.elapsed());
    }
}

#[test]
fn what_the_drafts_leave_open_is_not_called_a_break() {
    let paradox = json!({"not": {"$ref": "#"}});
    for other in
        [json!({"type": "string"}), json!(true), json!({"type": "object", "properties": {"a": paradox}})]
    {
        assert_ne!(accepts_all(&paradox, &other, &Options::default()).name(), "no", "{other}");
        assert_ne!(accepts_all(&other, &paradox, &Options::default()).name(), "no", "{other}");
    }
    assert_eq!(verdicts(&paradox, &paradox, Draft::Draft202012), ("yes", "yes"));
}

#[test]
fn what_only_a_validator_cannot_run_is_no_fault() {
    // Where the validator can run it after all, a document shows the difference.
    let cases = [
        (r#"{"pattern":"a{100000}"}"#, "no"),
        (r#"{"pattern":"\\k<n>"}"#, "unknown"),
        (r#"{"multipleOf":1e-400}"#, "unknown"),
    ];
    for (text, expected) in cases {
        let schema: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(accepts_all(&schema, &json!(true), &Options::default()), Verdict::Yes, "{text}");
        assert_eq!(accepts_all(&json!(true), &schema, &Options::default()).name(), expected, "{text}");
    }
    for pattern in ["(", "a)", "[a", "a**", "*a", r"a\", "a{2,1}"] {
        let verdict = accepts_all(&json!({"pattern": pattern}), &json!(true), &Options::default());
        assert_eq!(verdict.name(), "invalid", "{pattern}");
    }
}

#[test]
fn what_is_left_over_depends_on_as_many_keys_as_there_are() {
    let branches: Vec<Value> = (0..20)
        .map(|at| json!({"properties": {format!("k{at}"): true}, "required": [format!("k{at}")]}))
        .collect();
    let all: serde_json::Map<String, Value> = (0..20).map(|at| (format!("k{at}"), json!(true))).collect();
    let open = json!({"anyOf": branches, "unevaluatedProperties": false});
    let closed = json!({"properties": all, "additionalProperties": false, "minProperties": 1});
    assert_eq!(verdicts(&open, &closed, Draft::Draft202012), ("yes", "yes"));
    // Where it is not modelled, the same text still means the same.
    let patterns: Vec<Value> = (0..9)
        .map(|at| json!({"patternProperties": {format!("^k{at}"): true}, "required": [format!("k{at}")]}))
        .collect();
    let inner = json!({"anyOf": patterns, "unevaluatedProperties": false});
    let old = json!({"properties": {"a": inner, "b": {"type": "integer"}}});
    let new = json!({"properties": {"a": inner, "b": {"type": "number"}}});
    assert_eq!(verdicts(&old, &new, Draft::Draft202012), ("yes", "no"));
    let mut other = old.clone();
    other["properties"]["a"]["anyOf"][0]["required"] = json!(["k1"]);
    let comparison = compare(&old, &other, &Options::default());
    assert_ne!(comparison.backward, Verdict::Yes);
    for change in &comparison.changes {
        assert!(!matches!(change.effect, Effect::Neither | Effect::Documentation), "{change}");
    }
}
