use super::*;
use serde_json::{Map, json};

fn tool(input: &Value, output: Option<&Value>) -> ToolDefinition {
    let mut definition = json!({ "name": "x", "inputSchema": input });
    if let Some(output) = output {
        definition["outputSchema"] = output.clone();
    }
    serde_json::from_value(definition).expect("a tool definition")
}

/// The answer for each side, and every place: pointer, and whether it is certain.
fn places(side: &SideBinding) -> String {
    let places = side.places.iter().map(|place| {
        let document = if place.document.is_empty() { "" } else { &format!(" in {}", place.document) };
        format!("{} {}{document}", place.verdict.name(), place.pointer)
    });
    let mut places: Vec<String> = places.collect();
    places.dedup();
    places.join("; ")
}

/// Both sides as the contract has them.
fn both(contract: Contract) -> (Value, Value) {
    (contract_schema(contract, Side::Input), contract_schema(contract, Side::Output))
}

/// Judges a witness once more, from nothing but the two schemas.
fn is_witness(document: &Value, sent: &Value, taken: &Value) -> bool {
    jsonschema::is_valid(sent, document) && !jsonschema::is_valid(taken, document)
}

#[test]
fn a_tool_that_publishes_the_contract_itself_can_stand_in_for_it() {
    for contract in Contract::ALL {
        let (input, output) = both(*contract);
        let binding = check(*contract, &tool(&input, Some(&output)));
        assert_eq!(binding.verdict(), Verdict::Yes, "{contract}: {binding:#?}");
    }
}

#[test]
fn every_tightened_or_missing_argument_is_found_at_its_place() {
    let mut tried = 0;
    for contract in Contract::ALL {
        let (input, output) = both(*contract);
        let properties = input["properties"].as_object().cloned().unwrap_or_default();
        for name in properties.keys() {
            let required = input["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
            let mut changes: Vec<(Value, String)> = Vec::new();
            let mut change = |make: &dyn Fn(&mut Map<String, Value>), pointer: String| {
                let mut theirs = input.clone();
                make(theirs.as_object_mut().expect("an object"));
                changes.push((theirs, pointer));
            };
            change(
                &|schema| drop(schema["properties"].as_object_mut().expect("an object").shift_remove(name)),
                "/inputSchema/additionalProperties".to_owned(),
            );
            change(
                &|schema| schema["properties"][name] = json!({ "const": { "none": "such" } }),
                format!("/inputSchema/properties/{name}/const"),
            );
            change(
                &|schema| schema["properties"][name] = json!(false),
                format!("/inputSchema/properties/{name}"),
            );
            if !required {
                change(
                    &|schema| {
                        let all = schema.entry("required").or_insert_with(|| json!([]));
                        all.as_array_mut().expect("a list").push(json!(name));
                    },
                    "/inputSchema/required".to_owned(),
                );
            }
            for (theirs, pointer) in changes {
                tried += 1;
                let binding = check(*contract, &tool(&theirs, Some(&output)));
                let place = binding.input.places.iter().find(|place| place.pointer == pointer);
                let place = place.unwrap_or_else(|| panic!("{contract}: nothing at {pointer}: {binding:#?}"));
                assert_eq!(place.verdict, Verdict::No, "{contract}: {pointer}: {binding:#?}");
                let witness = place.witness.as_ref().expect("a witness");
                assert!(is_witness(witness, &input, &theirs), "{contract}: {pointer}: {witness}");
                assert_eq!(binding.output.verdict(), Verdict::Yes);
            }
        }
    }
    assert!(tried > 200, "{tried} changes are too few");
}

#[test]
fn every_broken_promise_of_an_answer_is_found_at_its_place() {
    let mut tried = 0;
    for contract in Contract::ALL {
        let (input, output) = both(*contract);
        let properties = output["properties"].as_object().cloned().unwrap_or_default();
        for (name, property) in &properties {
            let required = output["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
            let mut changes: Vec<(Value, String)> = Vec::new();
            let anything = property.as_object().expect("a schema").keys().all(|key| key == "description");
            if !anything {
                let mut theirs = output.clone();
                theirs["properties"][name] = json!({ "description": "Anything." });
                changes.push((theirs, format!("/outputSchema/properties/{name}")));
            }
            if required {
                let mut theirs = output.clone();
                theirs["required"].as_array_mut().expect("a list").retain(|other| other != name);
                changes.push((theirs, "/outputSchema".to_owned()));
            }
            for (theirs, pointer) in changes {
                tried += 1;
                let binding = check(*contract, &tool(&input, Some(&theirs)));
                let place = binding.output.places.iter().find(|place| place.pointer == pointer);
                let place = place.unwrap_or_else(|| panic!("{contract}: nothing at {pointer}: {binding:#?}"));
                assert_eq!(place.verdict, Verdict::No, "{contract}: {pointer}: {binding:#?}");
                let witness = place.witness.as_ref().expect("a witness");
                assert!(is_witness(witness, &theirs, &output), "{contract}: {pointer}: {witness}");
                assert_eq!(binding.input.verdict(), Verdict::Yes);
            }
        }
    }
    assert!(tried > 100, "{tried} changes are too few");
}

/// Judges these input schemas, and every witness once more.
fn judge_inputs<'c>(cases: impl IntoIterator<Item = (Contract, Value, &'c str)>) {
    for (contract, schema, expected) in cases {
        let binding = check(contract, &tool(&schema, None));
        assert_eq!(places(&binding.input), expected, "{contract}: {schema}: {:#?}", binding.input);
        for witness in binding.input.places.iter().filter_map(|place| place.witness.as_ref()) {
            assert!(is_witness(witness, &contract_schema(contract, Side::Input), &schema), "{witness}");
        }
    }
}

#[test]
fn inputs_that_take_more_are_a_yes() {
    use Contract::{MemoryGet, MemoryList, PlanUpdate, SubagentRun};
    let string = json!({ "type": "string" });
    judge_inputs([
        (MemoryGet, json!({}), ""),
        (MemoryGet, json!({ "type": "object" }), ""),
        (
            MemoryGet,
            json!({ "type": ["object", "null"], "properties": { "key": { "type": ["string", "integer"] } } }),
            "",
        ),
        (MemoryGet, json!({ "properties": { "key": string, "more": string }, "required": ["key"] }), ""),
        (MemoryGet, json!({ "properties": { "key": { "minLength": 0 } }, "minProperties": 1 }), ""),
        (MemoryGet, json!({ "additionalProperties": string }), ""),
        (MemoryGet, json!({ "unevaluatedProperties": string }), ""),
        (MemoryGet, json!({ "$ref": "#/$defs/In", "$defs": { "In": { "required": ["key"] } } }), ""),
        (MemoryGet, json!({ "allOf": [{ "required": ["key"] }, { "properties": { "key": string } }] }), ""),
        (MemoryGet, json!({ "anyOf": [{ "required": ["id"] }, { "required": ["key"] }] }), ""),
        (MemoryGet, json!({ "oneOf": [{ "required": ["key"] }, { "type": "string" }] }), ""),
        (
            MemoryGet,
            json!({ "oneOf": [{ "required": ["key"] }, { "required": ["id"], "properties": { "id": string } }] }),
            "",
        ),
        (MemoryGet, json!({ "not": { "required": ["id"] } }), ""),
        (MemoryGet, json!({ "if": { "required": ["id"] }, "then": { "required": ["kind"] } }), ""),
        (MemoryGet, json!({ "dependentRequired": { "id": ["kind"], "key": ["key"] } }), ""),
        (MemoryGet, json!({ "x-vendor": { "type": "null" }, "deprecated": true }), ""),
        (MemoryGet, json!({ "properties": { "key": { "minimum": 5, "maxItems": 0 } } }), ""),
        (MemoryList, json!({ "properties": { "limit": { "type": "number", "minimum": 0.5 } } }), ""),
        (MemoryList, json!({ "properties": { "limit": { "exclusiveMinimum": 0, "multipleOf": 1 } } }), ""),
        (PlanUpdate, json!({ "properties": { "item": { "type": ["string", "number"] } } }), ""),
        (PlanUpdate, json!({ "properties": { "item": { "anyOf": [string, { "type": "integer" }] } } }), ""),
        (
            SubagentRun,
            json!({ "properties": { "mode": { "enum": ["warm", "async", "sync", "detached", "later"] } } }),
            "",
        ),
    ]);
}

#[test]
fn inputs_that_take_less_are_a_no() {
    use Contract::{MemoryGet, MemoryList, MemorySet, SubagentRun};
    let string = json!({ "type": "string" });
    judge_inputs([
        (MemoryGet, json!({ "required": ["key", "tenant"] }), "no /inputSchema/required"),
        (
            MemoryGet,
            json!({ "properties": { "key": { "type": "integer" } } }),
            "no /inputSchema/properties/key/type in /key",
        ),
        (
            MemoryGet,
            json!({ "properties": { "key": { "maxLength": 64 } } }),
            "no /inputSchema/properties/key/maxLength in /key",
        ),
        (
            MemoryGet,
            json!({ "properties": { "key": { "minLength": 1 } } }),
            "no /inputSchema/properties/key/minLength in /key",
        ),
        (
            MemoryGet,
            json!({ "properties": { "key": { "pattern": "^[a-z]+$" } } }),
            "no /inputSchema/properties/key/pattern in /key",
        ),
        (
            MemoryGet,
            json!({ "properties": { "id": string }, "additionalProperties": false }),
            "no /inputSchema/additionalProperties",
        ),
        (MemoryGet, json!({ "additionalProperties": false }), "no /inputSchema/additionalProperties"),
        (
            MemoryGet,
            json!({ "additionalProperties": { "type": "boolean" } }),
            "no /inputSchema/additionalProperties/type in /key",
        ),
        (MemoryGet, json!({ "minProperties": 2 }), "no /inputSchema/minProperties"),
        (MemoryGet, json!({ "type": "array" }), "no /inputSchema/type"),
        (MemoryGet, json!({ "not": { "required": ["key"] } }), "no /inputSchema/not"),
        (
            MemoryGet,
            json!({ "anyOf": [{ "required": ["id"] }, { "type": "array" }] }),
            "no /inputSchema/anyOf",
        ),
        (
            MemoryGet,
            json!({ "oneOf": [{ "required": ["key"] }, { "properties": { "key": string } }] }),
            "no /inputSchema/oneOf",
        ),
        (
            MemoryGet,
            json!({ "$ref": "#/$defs/In", "$defs": { "In": { "required": ["id"] } } }),
            "no /inputSchema/$defs/In/required",
        ),
        (MemoryGet, json!({ "propertyNames": { "maxLength": 2 } }), "no /inputSchema/propertyNames"),
        (
            MemoryGet,
            json!({ "if": { "required": ["key"] }, "then": { "required": ["kind"] } }),
            "no /inputSchema/if",
        ),
        (
            MemoryList,
            json!({ "properties": { "limit": { "maximum": 100 } } }),
            "no /inputSchema/properties/limit/maximum in /limit",
        ),
        (
            MemoryList,
            json!({ "properties": { "limit": { "minimum": 2 } } }),
            "no /inputSchema/properties/limit/minimum in /limit",
        ),
        (
            MemoryList,
            json!({ "properties": { "limit": { "type": "string" } } }),
            "no /inputSchema/properties/limit/type in /limit",
        ),
        (
            MemorySet,
            json!({ "properties": { "value": { "type": "string" } } }),
            "no /inputSchema/properties/value/type in /value",
        ),
        (
            SubagentRun,
            json!({ "properties": { "mode": { "enum": ["sync", "async"] } } }),
            "no /inputSchema/properties/mode/enum in /mode",
        ),
        (
            SubagentRun,
            json!({ "properties": { "tools": { "items": { "minLength": 1 } } } }),
            "no /inputSchema/properties/tools/items/minLength in /tools/*",
        ),
        (
            SubagentRun,
            json!({ "properties": { "tools": { "maxItems": 8 } } }),
            "no /inputSchema/properties/tools/maxItems in /tools",
        ),
        (
            SubagentRun,
            json!({ "properties": { "tools": { "uniqueItems": true } } }),
            "no /inputSchema/properties/tools/uniqueItems in /tools",
        ),
        (
            SubagentRun,
            json!({ "properties": { "limits": { "additionalProperties": false, "properties": {} } } }),
            "no /inputSchema/properties/limits/additionalProperties in /limits",
        ),
    ]);
}

#[test]
fn inputs_of_draft_7_are_read_as_such() {
    use Contract::MemoryGet;
    judge_inputs([
        // Draft 7: what stands beside a reference means nothing.
        (
            MemoryGet,
            json!({ "$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/In", "required": ["tenant"],
                    "definitions": { "In": { "required": ["key"] } } }),
            "",
        ),
        (
            MemoryGet,
            json!({ "$schema": "http://json-schema.org/draft-07/schema#", "required": ["tenant"] }),
            "no /inputSchema/required",
        ),
    ]);
}

#[test]
fn what_is_not_known_is_said_to_be() {
    use Contract::Sleep;
    judge_inputs([
        (
            Sleep,
            json!({ "$schema": "http://json-schema.org/draft-07/schema#",
                    "properties": { "duration": { "contentMediaType": "application/json" } } }),
            "unknown /inputSchema/properties/duration/contentMediaType in /duration",
        ),
        (
            Sleep,
            json!({ "properties": { "duration": { "format": "duration" } } }),
            "unknown /inputSchema/properties/duration/format in /duration",
        ),
        (
            Sleep,
            json!({ "properties": { "duration": { "pattern": "^[\\s\\S]*$" } } }),
            "unknown /inputSchema/properties/duration/pattern in /duration",
        ),
        (
            Sleep,
            json!({ "properties": { "duration": { "not": { "const": "a text that nobody tries" } } } }),
            "unknown /inputSchema/properties/duration/not in /duration",
        ),
        (
            Sleep,
            json!({ "patternProperties": { "^d": { "type": "string" } } }),
            "unknown /inputSchema/patternProperties",
        ),
        (
            Sleep,
            json!({ "$schema": "http://json-schema.org/draft-04/schema#" }),
            "unknown /inputSchema/$schema",
        ),
        (
            Sleep,
            json!({ "$schema": "http://json-schema.org/draft-04/schema#", "type": "array" }),
            "no /inputSchema/type; unknown /inputSchema/$schema",
        ),
        (Sleep, json!({ "$schema": "https://schemas.example/meta" }), "unknown /inputSchema"),
        (Sleep, json!({ "$ref": "https://schemas.example/in.json" }), "unknown /inputSchema"),
        (Sleep, json!({ "type": "strng" }), "unknown /inputSchema/type"),
        (Sleep, json!({ "$ref": "#/$defs/gone" }), "unknown /inputSchema/$ref"),
        (Sleep, json!({ "$ref": "#" }), "unknown /inputSchema"),
        (Sleep, json!({ "not": { "$ref": "#" } }), "unknown /inputSchema"),
    ]);
}

#[test]
fn outputs_are_compared_by_what_they_mean() {
    use Contract::{MemoryGet, MemoryList, Sleep, Think};
    let found = json!({ "type": "boolean" });
    for (contract, schema, expected) in [
        // What promises more.
        (
            MemoryGet,
            Some(
                json!({ "type": "object", "properties": { "found": found }, "required": ["found"], "additionalProperties": false }),
            ),
            "",
        ),
        (
            MemoryGet,
            Some(
                json!({ "type": "object", "properties": { "found": { "const": true }, "key": { "enum": ["a", "b"] }, "meta": false }, "required": ["found"] }),
            ),
            "",
        ),
        (
            MemoryGet,
            Some(json!({ "oneOf": [
            { "type": "object", "properties": { "found": { "const": false }, "key": false, "meta": false }, "required": ["found"] },
            { "type": "object", "properties": { "found": { "const": true }, "key": { "type": "string" }, "meta": { "type": "object" } }, "required": ["found"] },
        ] })),
            "",
        ),
        (
            Sleep,
            Some(
                json!({ "type": "object", "properties": { "slept_ms": { "type": "integer", "minimum": 0 } }, "required": ["slept_ms"] }),
            ),
            "",
        ),
        (Think, Some(json!({ "type": "string" })), ""),
        (Think, None, ""),
        (
            MemoryGet,
            Some(
                json!({ "type": "object", "required": ["found", "key", "meta"], "additionalProperties": false }),
            ),
            "",
        ),
        // What promises less.
        (
            MemoryGet,
            Some(json!({ "type": "object", "properties": { "found": found } })),
            "no /outputSchema in /key; no /outputSchema in /meta; no /outputSchema",
        ),
        (
            MemoryGet,
            Some(
                json!({ "properties": { "found": found, "key": false, "meta": false }, "required": ["found"] }),
            ),
            "no /outputSchema",
        ),
        (
            MemoryGet,
            Some(
                json!({ "type": "object", "properties": { "found": { "type": ["boolean", "null"] }, "key": false, "meta": false }, "required": ["found"] }),
            ),
            "no /outputSchema/properties/found in /found",
        ),
        (
            Sleep,
            Some(
                json!({ "type": "object", "properties": { "slept_ms": { "type": "number" } }, "required": ["slept_ms"] }),
            ),
            "no /outputSchema/properties/slept_ms in /slept_ms",
        ),
        (
            MemoryList,
            Some(
                json!({ "type": "object", "properties": { "keys": { "type": "array", "items": { "type": "string" } }, "truncated": false }, "required": ["keys"] }),
            ),
            "no /outputSchema/properties/keys/items in /keys/*",
        ),
        (Sleep, Some(json!({ "type": "array" })), "no /outputSchema"),
        // What is not known.
        (MemoryGet, None, "unknown /outputSchema"),
        (Sleep, Some(json!({ "$ref": "https://schemas.example/out.json" })), "unknown /outputSchema"),
    ] {
        let binding = check(contract, &tool(&json!({}), schema.as_ref()));
        assert_eq!(places(&binding.output), expected, "{contract}: {schema:?}: {:#?}", binding.output);
        for witness in binding.output.places.iter().filter_map(|place| place.witness.as_ref()) {
            let schema = schema.as_ref().expect("a schema");
            assert!(is_witness(witness, schema, &contract_schema(contract, Side::Output)), "{witness}");
        }
    }
}

#[test]
fn what_a_place_says() {
    let input = json!({ "properties": { "key": { "type": "integer" } }, "required": ["tenant"], "additionalProperties": false });
    let binding = check(Contract::MemoryGet, &tool(&input, None));
    let said: Vec<String> = binding.input.places.iter().map(|place| place.message.clone()).collect();
    assert_eq!(
        said,
        [
            "a string is not sure to be taken, and a caller may send it",
            "`tenant` is required, and a caller may leave it out",
        ]
    );
    assert_eq!(binding.input.places[0].witness, Some(json!({ "key": "" })));
    assert_eq!(binding.verdict(), Verdict::No);
    assert_eq!(
        binding.output.places[0].message,
        "there is no output schema: nothing says what the tool answers"
    );
}

/// Numbers that look random and are the same everywhere (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound as u64).expect("below a usize")
    }
}

/// A schema of keywords that are compared, and of some that are not.
fn schema(random: &mut Random, depth: usize) -> Value {
    let inner = |random: &mut Random| if depth == 0 { json!(true) } else { schema(random, depth - 1) };
    let mut made = Map::new();
    for _ in 0..random.below(3) {
        let (keyword, value) = match random.below(22) {
            0 => (
                "type",
                json!(["string", "integer", "number", "boolean", "array", "object", "null"][random.below(7)]),
            ),
            1 => ("type", json!(["string", "integer", "object"])),
            2 | 3 => ("properties", json!({ "a": inner(random), "b": inner(random) })),
            4 => ("required", json!([if random.below(2) == 0 { "a" } else { "b" }])),
            5 => ("additionalProperties", json!(random.below(2) == 0)),
            6 => ("additionalProperties", inner(random)),
            7 => ("items", inner(random)),
            8 => ("prefixItems", json!([inner(random), inner(random)])),
            9 => ("anyOf", json!([inner(random), inner(random)])),
            10 => ("oneOf", json!([inner(random), inner(random)])),
            11 => ("allOf", json!([inner(random), inner(random)])),
            12 => ("not", inner(random)),
            13 => (
                "enum",
                [json!("a"), json!(1), json!(1.5), json!(null), json!({ "a": 1 })]
                    .into_iter()
                    .take(1 + random.below(5))
                    .collect(),
            ),
            14 => {
                ("const", [json!("a"), json!(1.0), json!({ "a": "a" }), json!([1])][random.below(4)].clone())
            }
            15 => ("minimum", json!(random.below(3))),
            16 => ("exclusiveMaximum", json!(random.below(3))),
            17 => ("minLength", json!(random.below(3))),
            18 => ("maxItems", json!(random.below(3))),
            19 => ("minProperties", json!(random.below(3))),
            20 => ("if", inner(random)),
            _ => ("then", inner(random)),
        };
        made.insert(keyword.to_owned(), value);
    }
    Value::Object(made)
}

#[test]
fn no_document_contradicts_an_answer() {
    let mut random = Random(3);
    let mut answers = [0, 0, 0];
    for _ in 0..250 {
        let (sent, taken) = (schema(&mut random, 2), schema(&mut random, 2));
        let (one, other) = (Root::new(&sent, false), Root::new(&taken, false));
        let places = compare(Side::Input, &one, &other, true);
        let side = SideBinding { side: Side::Input, places };
        answers[side.verdict() as usize] += 1;
        for witness in side.places.iter().filter_map(|place| place.witness.as_ref()) {
            assert!(is_witness(witness, &sent, &taken), "{sent} {taken}: {witness}");
        }
        if side.verdict() == Verdict::Yes {
            let (sender, receiver) = (validator(&sent).expect("valid"), validator(&taken).expect("valid"));
            let mut documents = (Samples { sent: &one, taken: &other }).documents();
            documents.extend((Samples { sent: &other, taken: &one }).documents());
            for document in documents {
                assert!(
                    !sender.is_valid(&document) || receiver.is_valid(&document),
                    "{sent} {taken}: {document}"
                );
            }
        }
    }
    assert!(answers.iter().all(|count| *count > 5), "too few of one answer: {answers:?}");
    eprintln!("yes, unknown, no: {answers:?}");
}
