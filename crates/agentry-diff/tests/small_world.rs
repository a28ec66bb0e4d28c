//! A dense small world: for every pair of a palette of schemas, what is claimed is checked against all small
//! documents, with a validator that is not ours.

use agentry_diff::{Draft, Options, Verdict, compare};
use serde_json::{Value, json};

fn palette() -> Vec<Value> {
    vec![
        json!(true),
        json!(false),
        json!({"type": "integer"}),
        json!({"type": "number", "minimum": 0}),
        json!({"type": "number", "exclusiveMinimum": 0, "maximum": 1}),
        json!({"multipleOf": 2}),
        json!({"type": ["integer", "null"], "not": {"const": 1}}),
        json!({"enum": [0, 1, "a", null]}),
        json!({"const": [0]}),
        json!({"const": {"a": 0}}),
        json!({"type": "string"}),
        json!({"type": "string", "minLength": 1}),
        json!({"type": "string", "maxLength": 1}),
        json!({"type": "string", "pattern": "^a*$"}),
        json!({"pattern": "b"}),
        json!({"type": "string", "pattern": "^(a|b)?$"}),
        json!({"type": "array"}),
        json!({"type": "array", "items": {"type": "integer"}}),
        json!({"type": "array", "prefixItems": [{"type": "integer"}], "items": false}),
        json!({"type": "array", "prefixItems": [{"const": 0}], "minItems": 1}),
        json!({"type": "array", "contains": {"const": 0}}),
        json!({"contains": {"type": "integer"}, "minContains": 2}),
        json!({"contains": {"type": "integer"}, "minContains": 0, "maxContains": 1}),
        json!({"type": "array", "uniqueItems": true, "items": {"enum": [0, 1]}}),
        json!({"type": "array", "maxItems": 1}),
        json!({"not": {"uniqueItems": true}}),
        json!({"type": "object"}),
        json!({"type": "object", "properties": {"a": {"type": "integer"}}}),
        json!({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false}),
        json!({"type": "object", "properties": {"a": true}, "required": ["a"]}),
        json!({"type": "object", "required": ["b"]}),
        json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        json!({"type": "object", "patternProperties": {"^a": {"const": 0}}}),
        json!({"type": "object", "patternProperties": {"a": {"type": "integer"}}, "additionalProperties": false}),
        json!({"type": "object", "propertyNames": {"maxLength": 1}}),
        json!({"type": "object", "propertyNames": {"enum": ["a", "b"]}, "minProperties": 1}),
        json!({"maxProperties": 1}),
        json!({"type": "object", "dependentRequired": {"a": ["b"]}}),
        json!({"dependentSchemas": {"a": {"properties": {"b": {"const": 0}}}}}),
        json!({"properties": {"a": {"const": 0}}, "unevaluatedProperties": false}),
        json!({"anyOf": [{"properties": {"a": {"const": 0}}, "required": ["a"]}, {"properties": {"b": {"const": 0}}}],
               "unevaluatedProperties": false}),
        json!({"prefixItems": [{"const": 0}], "unevaluatedItems": {"type": "string"}}),
        json!({"type": "string", "pattern": "^(?!a)"}),
        json!({"type": "string", "pattern": "^(?!ab)(?=.)"}),
        json!({"type": "integer", "minimum": 9_007_199_254_740_992_u64}),
        json!({"type": "integer", "exclusiveMinimum": 9_007_199_254_740_992_u64}),
        json!({"type": "object", "patternProperties": {"^(?!a)": {"const": 0}}}),
        json!({"dependentSchemas": {"a": {"maxProperties": 1}}}),
        json!({"contains": {"const": 0}, "minContains": 1, "maxContains": 1}),
        json!({"propertyNames": {"pattern": "^a"}}),
        json!({"if": {"required": ["a"]}, "then": {"properties": {"a": true}}, "else": {"properties": {"b": true}},
               "unevaluatedProperties": false}),
        json!({"anyOf": [{"patternProperties": {"^a": true}, "required": ["ab"]}, {"properties": {"a": {"const": 0}}}],
               "unevaluatedProperties": {"type": "null"}}),
        json!({"allOf": [{"additionalProperties": {"type": "integer"}}], "unevaluatedProperties": false}),
        json!({"anyOf": [{"type": "integer"}, {"type": "string", "minLength": 1}]}),
        json!({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 0}]}),
        json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}),
        json!({"allOf": [{"type": "integer"}, {"not": {"minimum": 1}}]}),
        json!({"if": {"type": "integer"}, "then": {"minimum": 1}, "else": {"type": "string"}}),
        json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}}),
        json!({"not": {"type": "object", "required": ["a"]}}),
        json!({"$ref": "#/$defs/list", "$defs": {"list": {"anyOf": [
            {"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/list"}}]}}}),
        json!({"$ref": "#/$defs/tree", "$defs": {"tree": {
            "type": "object", "properties": {"a": {"$ref": "#/$defs/tree"}}, "additionalProperties": false}}}),
        json!({"$ref": "#/$defs/tree", "$defs": {"tree": {
            "type": "object", "properties": {"a": {"$ref": "#/$defs/tree"}, "b": {"const": 0}}, "additionalProperties": false}}}),
        json!({"$ref": "#/$defs/endless", "$defs": {"endless": {
            "type": "object", "properties": {"a": {"$ref": "#/$defs/endless"}}, "required": ["a"]}}}),
    ]
}

/// All documents of a few parts.
fn documents() -> Vec<Value> {
    let leaves: Vec<Value> = vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(2),
        json!(0.5),
        json!(9_007_199_254_740_992_u64),
        json!(9_007_199_254_740_993_u64),
        json!(""),
        json!("a"),
        json!("b"),
        json!("aa"),
        json!("ab"),
    ];
    let mut inner = leaves.clone();
    inner.extend([json!([]), json!({}), json!([0]), json!({"a": 0}), json!({"a": {}}), json!([null])]);
    let mut all = inner.clone();
    for one in &inner {
        all.push(json!([one]));
        for key in ["a", "b", "ab", "c"] {
            all.push(json!({key: one}));
        }
        for other in &inner {
            all.push(json!([one, other]));
            all.push(json!({"a": one, "b": other}));
            all.push(json!({"a": one, "c": other}));
        }
    }
    for one in [json!(0), json!(1), json!("a")] {
        for other in [json!(0), json!(null)] {
            all.push(json!([one, other, 0]));
            all.push(json!([one, 0, other]));
            all.push(json!({"a": one, "b": other, "c": 0}));
        }
    }
    all
}

#[test]
fn what_is_claimed_about_a_dense_small_world_is_so() {
    let (palette, documents) = (palette(), documents());
    let taken: Vec<Vec<bool>> = palette
        .iter()
        .map(|schema| {
            let validator = jsonschema::draft202012::new(schema).expect("a schema");
            documents.iter().map(|document| validator.is_valid(document)).collect()
        })
        .collect();
    let options = Options::default().with_draft(Draft::Draft202012);
    let (mut yes, mut no, mut unknown) = (0, 0, Vec::new());
    for (old, taken_by_old) in palette.iter().zip(&taken) {
        for (new, taken_by_new) in palette.iter().zip(&taken) {
            let verdict = agentry_diff::accepts_all(old, new, &options);
            let only_old = documents
                .iter()
                .zip(taken_by_old.iter().zip(taken_by_new))
                .find_map(|(document, (old, new))| (*old && !new).then_some(document));
            match verdict {
                Verdict::Yes => {
                    assert_eq!(only_old, None, "yes for\n  {old}\n  {new}");
                    yes += 1;
                }
                Verdict::No(witness) => {
                    let valid = |schema| jsonschema::draft202012::is_valid(schema, &witness.document);
                    assert!(valid(old) && !valid(new), "no for\n  {old}\n  {new}\n  {}", witness.document);
                    no += 1;
                }
                other => unknown.push(format!("{other:?}\n  {old}\n  {new}")),
            }
        }
    }
    assert!(unknown.is_empty(), "{} unknown, the first: {}", unknown.len(), unknown[0]);
    assert!(yes > 300 && no > 1_500, "{yes} yes, {no} no");
}

#[test]
fn each_schema_of_the_small_world_is_itself() {
    for schema in palette() {
        let comparison = compare(&schema, &schema, &Options::default());
        assert_eq!((comparison.backward.name(), comparison.forward.name()), ("yes", "yes"), "{schema}");
        assert_eq!(comparison.changes, [], "{schema}");
    }
}
