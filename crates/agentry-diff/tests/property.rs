//! Schemas made at random: weakened and tightened ones are called so, and two spellings are equal.

use agentry_diff::{Options, Verdict, compare};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A schema of some depth, in which every keyword fits its type.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "boolean"})),
        Just(json!({"type": "null"})),
        (0_i64..5, 5_i64..9)
            .prop_map(|(low, high)| json!({"type": "integer", "minimum": low, "maximum": high})),
        (1_u64..4).prop_map(|step| json!({"type": "integer", "multipleOf": step})),
        (0_u64..3, 3_u64..6)
            .prop_map(|(low, high)| json!({"type": "string", "minLength": low, "maxLength": high})),
        prop_oneof![Just("^a+$"), Just("b"), Just("^[a-c]{1,3}$")]
            .prop_map(|pattern| json!({"type": "string", "pattern": pattern})),
        prop_oneof![Just("date"), Just("ipv4")]
            .prop_map(|format| json!({"type": "string", "format": format, "minLength": 1})),
        proptest::sample::subsequence(vec!["a", "b", "c", "d"], 1..4)
            .prop_map(|options| json!({"enum": options})),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), 0_u64..3)
                .prop_map(|(items, least)| json!({"type": "array", "items": items, "minItems": least})),
            (
                proptest::collection::btree_map("[a-d]", inner.clone(), 1..4),
                any::<bool>(),
                any::<proptest::sample::Index>()
            )
                .prop_map(|(properties, closed, index)| {
                    let names: Vec<&String> = properties.keys().collect();
                    let required = names[index.index(names.len())].clone();
                    json!({
                        "type": "object",
                        "properties": properties,
                        "required": [required],
                        "additionalProperties": !closed,
                    })
                }),
            (proptest::collection::vec(inner.clone(), 1..3), inner.clone(), any::<bool>()).prop_map(
                |(places, rest, closed)| {
                    let rest = if closed { json!(false) } else { rest };
                    json!({"type": "array", "prefixItems": places, "items": rest, "minItems": 1})
                }
            ),
            (inner.clone(), 1_u64..3).prop_map(|(contains, least)| {
                json!({"type": "array", "contains": contains, "minContains": least, "maxContains": 3})
            }),
            (inner.clone(), inner.clone()).prop_map(|(first, second)| {
                json!({
                    "type": "array",
                    "prefixItems": [first],
                    "anyOf": [{"prefixItems": [true, second], "minItems": 2}, {"maxItems": 1}],
                    "unevaluatedItems": false,
                })
            }),
            (inner.clone(), inner.clone(), any::<bool>()).prop_map(|(like, named, closed)| {
                json!({
                    "type": "object",
                    "patternProperties": {"^[a-b]": like},
                    "properties": {"c": named},
                    "additionalProperties": !closed,
                })
            }),
            (inner.clone(), inner.clone()).prop_map(|(one, other)| {
                json!({
                    "type": "object",
                    "properties": {"a": one},
                    "anyOf": [{"required": ["a"]}, {"properties": {"b": other}, "required": ["b"]}],
                    "unevaluatedProperties": false,
                })
            }),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(test, then, otherwise)| json!({"if": test, "then": then, "else": otherwise})),
            (inner.clone(), inner.clone())
                .prop_map(|(one, other)| json!({"anyOf": [one, {"not": other}], "not": {"type": "null"}})),
            (inner.clone(), inner.clone()).prop_map(|(one, other)| json!({"oneOf": [one, other]})),
            (inner.clone(), "[a-d]", "[a-d]").prop_map(|(then, one, other)| {
                json!({
                    "type": "object",
                    "dependentRequired": {"a": [one]},
                    "dependentSchemas": {"b": {"properties": {other: then}}},
                })
            }),
            (inner.clone(), 1_u64..3).prop_map(|(values, length)| {
                json!({
                    "type": "object",
                    "propertyNames": {"type": "string", "pattern": "^[a-c]", "maxLength": length},
                    "additionalProperties": values,
                    "minProperties": 1,
                })
            }),
            (inner.clone(), 2_u64..4)
                .prop_map(|(items, most)| json!({"type": "array", "items": items, "uniqueItems": true, "maxItems": most})),
            proptest::collection::vec(inner, 2..4).prop_map(|any| json!({"anyOf": any})),
        ]
    })
}

/// Such a schema, or one whose documents are chains of them.
fn rooted() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => schema(),
        1 => (schema(), any::<bool>()).prop_map(|(value, closed)| json!({
            "$ref": "#/$defs/node",
            "$defs": {"node": {
                "type": "object",
                "properties": {"value": value, "next": {"$ref": "#/$defs/node"}},
                "required": ["value"],
                "additionalProperties": !closed,
            }},
        })),
    ]
}

/// Takes away, or relaxes, one restriction.
fn weakened(schema: &Value, seed: usize) -> Value {
    let Value::Object(map) = schema else { return schema.clone() };
    let mut map = map.clone();
    let keywords: Vec<String> = map.keys().cloned().collect();
    let keyword = &keywords[seed % keywords.len()];
    let bound = map[keyword].as_i64().unwrap_or_default();
    match (keyword.as_str(), &mut map[keyword]) {
        ("minimum" | "minLength" | "minItems" | "minContains", value) => *value = (bound - 1).max(0).into(),
        ("maximum" | "maxLength" | "maxContains" | "maxItems", value) => *value = (bound + 1).into(),
        ("enum", Value::Array(options)) => options.push("z".into()),
        ("anyOf", Value::Array(options)) => options.push(json!({"const": "z"})),
        ("properties" | "patternProperties" | "$defs", Value::Object(properties)) => {
            let names: Vec<String> = properties.keys().cloned().collect();
            let name = &names[seed / 7 % names.len()];
            properties[name] = weakened(&properties[name], seed / 3);
        }
        ("prefixItems", Value::Array(places)) => {
            let index = seed / 7 % places.len();
            places[index] = weakened(&places[index], seed / 3);
        }
        ("contains", items) => {
            *items = weakened(items, seed / 3);
            // More items count, which could break it.
            map.shift_remove("maxContains");
        }
        ("items", items) => *items = weakened(items, seed / 3),
        _ => {
            map.shift_remove(keyword);
        }
    }
    Value::Object(map)
}

/// The same schema in other words.
fn respelled(schema: &Value) -> Value {
    let Value::Object(map) = schema else { return schema.clone() };
    let mut all = Vec::new();
    for (keyword, value) in map {
        let value =
            match (keyword.as_str(), value) {
                ("enum", Value::Array(options)) => {
                    let options: Vec<Value> =
                        options.iter().rev().map(|option| json!({"const": option})).collect();
                    all.push(json!({"anyOf": options}));
                    continue;
                }
                ("type", Value::String(name)) => json!([name]),
                ("anyOf" | "oneOf", Value::Array(options)) => options.iter().rev().map(respelled).collect(),
                ("if", test) => {
                    let (test, not) = (respelled(test), json!({"not": respelled(test)}));
                    let then = json!({"allOf": [respelled(&map["then"]), test]});
                    all.push(json!({"anyOf": [then, {"allOf": [not, respelled(&map["else"])]}]}));
                    continue;
                }
                ("then" | "else", _) => continue,
                ("dependentRequired", Value::Object(required)) => {
                    let each = required.iter();
                    all.extend(each.map(
                        |(key, keys)| json!({"anyOf": [{"not": {"required": [key]}}, {"required": keys}]}),
                    ));
                    continue;
                }
                ("dependentSchemas", Value::Object(schemas)) => {
                    for (key, schema) in schemas {
                        let lacks = json!({"not": {"type": "object", "required": [key]}});
                        all.push(json!({"anyOf": [respelled(schema), lacks]}));
                    }
                    continue;
                }
                ("prefixItems", Value::Array(places)) => places.iter().map(respelled).collect(),
                ("properties" | "patternProperties", Value::Object(properties)) => properties
                    .iter()
                    .rev()
                    .map(|(name, schema)| (name.clone(), respelled(schema)))
                    .collect::<Map<_, _>>()
                    .into(),
                ("items" | "contains" | "not", schema) => respelled(schema),
                _ => value.clone(),
            };
        all.push(json!({keyword: value}));
    }
    if let Some(Value::Object(definitions)) = map.get("$defs") {
        let definitions: Map<String, Value> =
            definitions.iter().map(|(name, schema)| (name.clone(), respelled(schema))).collect();
        return json!({"allOf": [{"$ref": map["$ref"]}], "$defs": definitions});
    }
    // These depend on the keywords beside them.
    let dependent =
        ["additionalProperties", "unevaluatedProperties", "unevaluatedItems", "prefixItems", "contains"];
    if dependent.iter().any(|keyword| map.contains_key(*keyword)) {
        let merged: Map<String, Value> = all
            .iter()
            .filter_map(Value::as_object)
            .flatten()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        return json!({"allOf": [merged], "description": "in other words"});
    }
    json!({"allOf": all})
}

/// The same schema as older drafts spell it, if they can say it.
fn in_older_draft(schema: &Value) -> Option<Value> {
    let Value::Object(map) = schema else { return Some(schema.clone()) };
    let mut older = Map::new();
    for (keyword, value) in map {
        let each = |members: &Map<String, Value>| -> Option<Value> {
            let members: Option<Map<String, Value>> =
                members.iter().map(|(name, schema)| Some((name.clone(), in_older_draft(schema)?))).collect();
            members.map(Value::Object)
        };
        let (keyword, value) = match (keyword.as_str(), value) {
            ("contains" | "unevaluatedProperties" | "unevaluatedItems" | "if" | "propertyNames", _) => {
                return None;
            }
            ("dependentRequired", _) => continue,
            ("dependentSchemas", Value::Object(schemas)) => {
                let Value::Object(mut both) = each(schemas)? else { return None };
                both.extend(map["dependentRequired"].as_object()?.clone());
                ("dependencies", both.into())
            }
            ("not", schema) => ("not", in_older_draft(schema)?),
            ("prefixItems", Value::Array(places)) => {
                ("items", places.iter().map(in_older_draft).collect::<Option<Value>>()?)
            }
            ("items", rest) if map.contains_key("prefixItems") => ("additionalItems", in_older_draft(rest)?),
            ("items", rest) => ("items", in_older_draft(rest)?),
            ("anyOf" | "oneOf", Value::Array(options)) => {
                (keyword.as_str(), options.iter().map(in_older_draft).collect::<Option<Value>>()?)
            }
            ("properties" | "patternProperties" | "$defs", Value::Object(members)) => {
                (keyword.as_str(), each(members)?)
            }
            (keyword, value) => (keyword, value.clone()),
        };
        older.insert(keyword.to_owned(), value);
    }
    Some(Value::Object(older))
}

/// The schema with the name of its draft.
fn named(schema: &Value, draft: &str) -> Value {
    let mut map = Map::from_iter([("$schema".to_owned(), Value::from(draft))]);
    map.extend(schema.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())));
    Value::Object(map)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_weakened_schema_takes_all_that_it_took(
        schema in rooted(), seed in any::<u16>(), formats in any::<bool>(),
    ) {
        let options = Options::default().with_formats(formats);
        let weaker = weakened(&schema, usize::from(seed));
        let comparison = compare(&schema, &weaker, &options);
        prop_assert_eq!(&comparison.backward, &Verdict::Yes, "{} {}", schema, weaker);
        // What a format takes is not modelled.
        let modelled = !formats || !schema.to_string().contains("format");
        let unknown = matches!(comparison.forward, Verdict::Unknown(_));
        prop_assert!(!unknown || !modelled, "{} {}", schema, weaker);
        for change in &comparison.changes {
            prop_assert!(change.effect.files().is_none(), "{change}");
        }
        // The other way round it is tightened.
        let tightened = compare(&weaker, &schema, &options);
        prop_assert_eq!(&tightened.forward, &Verdict::Yes);
        prop_assert_eq!(tightened.backward.name(), comparison.forward.name());
        if let Verdict::No(_) = tightened.backward {
            let explained = tightened.changes.iter().any(|change| change.effect.files().is_some());
            prop_assert!(explained, "no change explains it: {} {}", weaker, schema);
        }
    }

    #[test]
    fn two_spellings_are_equal(schema in rooted()) {
        let other = respelled(&schema);
        let comparison = compare(&schema, &other, &Options::default());
        prop_assert_eq!(&comparison.backward, &Verdict::Yes, "{} {}", schema, other);
        prop_assert_eq!(&comparison.forward, &Verdict::Yes, "{} {}", schema, other);
        for change in &comparison.changes {
            prop_assert!(matches!(change.effect.name(), "neither" | "documentation"), "{change}");
        }
    }

    #[test]
    fn a_schema_of_an_older_draft_is_equal_and_a_weaker_one_of_a_later_takes_all(
        (schema, older) in rooted().prop_filter_map("said by older drafts", |schema| {
            let older = in_older_draft(&schema)?;
            Some((schema, older))
        }),
        draft in proptest::sample::select(vec!["draft-04", "draft-06", "draft-07"]),
        seed in any::<u16>(),
    ) {
        let older = named(&older, &format!("http://json-schema.org/{draft}/schema#"));
        let later = |schema: &Value| named(schema, "https://json-schema.org/draft/2020-12/schema");
        let comparison = compare(&older, &later(&schema), &Options::default());
        prop_assert_eq!(&comparison.backward, &Verdict::Yes, "{} {}", older, schema);
        prop_assert_eq!(&comparison.forward, &Verdict::Yes, "{} {}", older, schema);
        let weaker = weakened(&schema, usize::from(seed));
        let comparison = compare(&older, &later(&weaker), &Options::default());
        prop_assert_eq!(&comparison.backward, &Verdict::Yes, "{} {}", older, weaker);
        prop_assert!(!matches!(comparison.forward, Verdict::Unknown(_)), "{} {}", older, weaker);
    }
}
