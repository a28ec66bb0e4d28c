//! Schemas that are large, tangled or without hope: each comparison ends within its steps, in seconds, and in bounded
//! memory.
//!
//! `cargo test --release -p agentry-diff hostile -- --nocapture --test-threads 1` prints what each took.

use super::{Comparison, EFFORTS, Options, Session};
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// Far above what a release build takes on an idle core, and far below what somebody would wait for.
const LONGEST: Duration = Duration::from_secs(40);
/// Memory that the process may have at its peak, in KiB.
const MOST_MEMORY: u64 = 3 << 20;
/// Statements that two schemas and their changes may be read into.
const MOST_STATEMENTS: usize = 1_300_000;

/// A pair, with its verdicts: new accepts all of old, and old all of new. `?` where it is enough that the search ends.
struct Case {
    name: String,
    old: Value,
    new: Value,
    verdicts: (&'static str, &'static str),
}

fn case(name: impl Into<String>, old: Value, new: Value, verdicts: (&'static str, &'static str)) -> Case {
    Case { name: name.into(), old, new, verdicts }
}

/// The most memory that this process ever had, in KiB; none where the system does not say.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

/// The time that this thread computed, as other work on the machine does not change it; none where the system does not
/// say.
fn computed() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: u64 =
        fields.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(10 * ticks))
}

/// What a comparison found, and took.
struct Work {
    comparison: Comparison,
    steps: u64,
    statements: usize,
    time: Duration,
}

fn worked(old: &Value, new: &Value, options: &Options) -> Work {
    super::on_a_large_stack(|| {
        let started = Instant::now();
        let (comparison, steps, statements) = match Session::start(old, new, options) {
            Ok(mut session) => {
                let backward = session.direction(false);
                let forward = session.direction(true);
                let changes = session.changes(&backward, &forward);
                let comparison = Comparison { backward, forward, changes };
                (comparison, session.solver.steps(), session.parser.nodes.len())
            }
            Err(done) => (*done, 0, 0),
        };
        Work { comparison, steps, statements, time: computed().unwrap_or(started.elapsed()) }
    })
}

/// Compares each pair, and holds what it may take.
fn check(cases: Vec<Case>) {
    let options = Options::default();
    // Both directions, with all entries, and the changes; no single step may cost as much as all of them.
    let most_steps = options.effort * (2 * EFFORTS + 2 + 2);
    let mut wrong = Vec::new();
    for Case { name, old, new, verdicts } in cases {
        let Work { comparison, steps, statements, time } = worked(&old, &new, &options);
        let found = (comparison.backward.name(), comparison.forward.name());
        let memory = peak().unwrap_or_default();
        println!(
            "{:6.2} s {:5} MiB {steps:8} steps {statements:7} statements  {name}: {} {}, {} changes",
            time.as_secs_f64(),
            memory >> 10,
            found.0,
            found.1,
            comparison.changes.len()
        );
        let is = |found: &str, wanted: &str| wanted == "?" || wanted == found;
        if !is(found.0, verdicts.0) || !is(found.1, verdicts.1) {
            wrong.push(format!("{name}: {found:?} and not {verdicts:?}"));
        }
        if time > LONGEST || steps > most_steps || statements > MOST_STATEMENTS || memory > MOST_MEMORY {
            wrong.push(format!("{name}: {time:?}, {steps} steps, {statements} statements, {memory} KiB"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Definitions that each name the next one, more than once.
fn chain(length: usize, leaf: &Value, link: &dyn Fn(usize, Value) -> Value) -> Value {
    let next = |at: usize| json!({"$ref": format!("#/$defs/d{at}")});
    let mut definitions: Map<String, Value> =
        (0..length).map(|at| (format!("d{at}"), link(at, next(at + 1)))).collect();
    definitions.insert(format!("d{length}"), leaf.clone());
    json!({"$ref": "#/$defs/d0", "$defs": definitions})
}

fn definitions(count: usize, make: &dyn Fn(usize) -> Value) -> Value {
    let all: Map<String, Value> = (0..count).map(|at| (format!("d{at}"), make(at))).collect();
    json!({"$defs": all})
}

/// So many in a release build; a build without optimization is tried with fewer.
const fn many(count: usize) -> usize {
    if cfg!(debug_assertions) { count / 20 } else { count }
}

fn names(count: usize) -> Vec<Value> {
    (0..count).map(|at| format!("k{at}").into()).collect()
}

#[test]
fn chains_that_share_their_links() {
    type Link = fn(usize, Value) -> Value;
    let links: [(&str, (&str, &str), Link); 13] = [
        ("oneOf", ("?", "?"), |at, next| json!({"oneOf": [next, {"allOf": [next, {"minLength": at}]}]})),
        (
            "oneOf with keys",
            ("no", "no"),
            |_, next| json!({"oneOf": [{"properties": {"a": next}}, {"properties": {"b": next}}]}),
        ),
        ("oneOf with required keys", ("no", "no"), |_, next| {
            json!({"oneOf": [
                {"properties": {"a": next}, "required": ["a"]},
                {"properties": {"b": next}, "required": ["b"]},
            ]})
        }),
        ("anyOf with required keys", ("yes", "no"), |_, next| {
            json!({"anyOf": [
                {"properties": {"a": next}, "required": ["a"]},
                {"properties": {"b": next}, "required": ["b"]},
            ]})
        }),
        (
            "required",
            ("yes", "?"),
            |_, next| json!({"type": "object", "properties": {"a": next, "b": next}, "required": ["a", "b"]}),
        ),
        ("items", ("yes", "?"), |_, next| json!({"type": "array", "items": next, "minItems": 2})),
        (
            "contains",
            ("yes", "?"),
            |_, next| json!({"type": "array", "items": next, "contains": {"allOf": [next, {"minItems": 1}]}}),
        ),
        ("if", ("yes", "no"), |at, next| {
            json!({
                "if": {"required": [format!("k{at}")]},
                "then": {"properties": {"x": next}},
                "else": {"properties": {"y": next}, "required": ["y"]},
            })
        }),
        ("not", ("yes", "no"), |_, next| json!({"not": {"properties": {"a": next}, "required": ["b"]}})),
        ("patternProperties", ("yes", "?"), |at, next| {
            json!({
                "patternProperties": {format!("^k{}", at % 10): next},
                "additionalProperties": next,
                "minProperties": 1,
            })
        }),
        (
            "uniqueItems",
            ("yes", "?"),
            |_, next| json!({"type": "array", "uniqueItems": true, "minItems": 3, "items": {"anyOf": [next, {"type": "boolean"}]}}),
        ),
        ("unevaluatedProperties", ("yes", "?"), |_, next| {
            json!({
                "anyOf": [{"properties": {"a": next}, "required": ["a"]}, {"properties": {"b": next}}],
                "unevaluatedProperties": false,
            })
        }),
        (
            "allOf",
            ("yes", "?"),
            |_, next| json!({"allOf": [next, next, {"anyOf": [next, {"type": "null"}]}]}),
        ),
    ];
    let mut cases = Vec::new();
    for (name, verdicts, link) in links {
        let (old, new) = (json!({"type": "string"}), json!({"type": ["string", "null"]}));
        let (old, new) = (chain(100, &old, &link), chain(100, &new, &link));
        cases.push(case(format!("chain of 100, {name}"), old, new, verdicts));
    }
    check(cases);
}

#[test]
fn long_lists() {
    let mut cases = Vec::new();
    let count = many(5_000);
    let objects: Vec<Value> = (0..count).map(|at| json!({"name": format!("s{at}"), "at": at})).collect();
    cases.push(case(
        format!("{count} objects in enum, one less"),
        json!({"enum": objects}),
        json!({"enum": objects[1..]}),
        ("no", "yes"),
    ));
    cases.push(case(
        format!("{count} objects in enum, halves"),
        json!({"enum": objects[..count / 2]}),
        json!({"enum": objects[count / 2..]}),
        ("no", "no"),
    ));
    let tagged = |count: usize, kind: &str| -> Vec<Value> {
        let option = |at: usize| {
            json!({
                "type": "object",
                "properties": {"kind": {"const": format!("k{at}")}, "value": {"type": kind}},
                "required": ["kind", "value"],
            })
        };
        (0..count).map(option).collect()
    };
    for keyword in ["anyOf", "oneOf"] {
        let old = tagged(count, "integer");
        let mut one = old.clone();
        one[count / 2]["properties"]["value"]["type"] = "string".into();
        let name = format!("{count} tagged objects in {keyword}");
        let old = json!({keyword: old});
        cases.push(case(format!("{name}, one differs"), old.clone(), json!({keyword: one}), ("no", "no")));
        cases.push(case(
            format!("{name}, all differ"),
            old,
            json!({keyword: tagged(count, "number")}),
            ("yes", "no"),
        ));
    }
    {
        let count = many(50_000);
        let texts: Vec<Value> = (0..count).map(|at| format!("s{at}").into()).collect();
        let numbers: Vec<Value> = (0..count).map(Value::from).collect();
        for (what, values) in [("texts", &texts), ("numbers", &numbers)] {
            let (one, other) = values.split_at(count / 2);
            let name = format!("{count} {what} in enum, halves");
            cases.push(case(name, json!({"enum": one}), json!({"enum": other}), ("no", "no")));
        }
        cases.push(case(
            format!("all but {count} texts"),
            json!({"type": "string", "not": {"enum": texts}}),
            json!({"type": "string", "not": {"enum": texts}, "pattern": "^a"}),
            ("no", "yes"),
        ));
    }
    {
        let count = many(10_000);
        let all = names(count);
        let each = |names: &[Value]| -> Vec<Value> {
            names.iter().map(|name| json!({"required": [name]})).collect()
        };
        cases.push(case(
            format!("{count} required keys, one less"),
            json!({"required": all}),
            json!({"required": all[1..]}),
            ("yes", "no"),
        ));
        cases.push(case(
            format!("{count} required keys, halves"),
            json!({"required": all[..count / 2]}),
            json!({"required": all[count / 2..]}),
            ("?", "?"),
        ));
        cases.push(case(
            format!("anyOf {count} required keys"),
            json!({"anyOf": each(&all)}),
            json!({"anyOf": each(&all[1..])}),
            ("?", "?"),
        ));
        cases.push(case(
            format!("oneOf {} required keys", count / 10),
            json!({"oneOf": each(&all[..count / 10])}),
            json!({"oneOf": each(&all[1..count / 10])}),
            ("?", "?"),
        ));
        let depends: Map<String, Value> =
            (0..count).map(|at| (format!("k{at}"), json!([format!("k{}", at + 1)]))).collect();
        cases.push(case(
            format!("a chain of {count} dependent keys"),
            json!({"dependentRequired": depends}),
            json!({"dependentRequired": depends, "required": ["k0"]}),
            ("no", "yes"),
        ));
    }
    check(cases);
}

#[test]
fn many_definitions() {
    let mut cases = Vec::new();
    let count = many(3_000);
    let bounded = |bound: usize| json!({"type": "object", "properties": {"a": {"maximum": bound}}});
    cases.push(case(
        format!("{count} definitions, each wider"),
        definitions(count, &|at| bounded(at)),
        definitions(count, &|at| bounded(at + 1)),
        ("yes", "no"),
    ));
    cases.push(case(
        format!("{count} definitions, each wider and tighter"),
        definitions(count, &|at| bounded(at)),
        definitions(count, &|at| {
            let mut wider = bounded(at + 1);
            wider["required"] = json!(["a"]);
            wider
        }),
        ("no", "no"),
    ));
    let linked = |more: usize| {
        definitions(count, &|at| {
            let next = json!({"$ref": format!("#/$defs/d{}", (at + 1) % count)});
            json!({"type": "object", "properties": {"a": {"maximum": at + more}, "b": next}})
        })
    };
    // Around the ring it is further than documents are looked for.
    cases.push(case(format!("a ring of {count} definitions"), linked(0), linked(1), ("unknown", "no")));
    let rooted = |more: usize| {
        let mut ring = linked(more);
        ring["$ref"] = "#/$defs/d0".into();
        ring
    };
    cases.push(case(
        format!("a ring of {count} definitions, from one"),
        rooted(0),
        rooted(1),
        ("unknown", "no"),
    ));
    let references: Vec<Value> = (0..count).map(|at| json!({"$ref": format!("#/$defs/d{at}")})).collect();
    for keyword in ["allOf", "anyOf"] {
        let all = |bound: i64| {
            let mut all = definitions(
                count,
                &|at| json!({"type": "object", "properties": {format!("k{at}"): {"maximum": bound}}}),
            );
            all[keyword] = references.clone().into();
            all
        };
        cases.push(case(format!("{keyword} {count} references"), all(1), all(2), ("?", "?")));
    }
    check(cases);
}

#[test]
fn many_properties_and_names() {
    let mut cases = Vec::new();
    let count = many(3_000);
    let properties = |count: usize, make: &dyn Fn(usize) -> Value| {
        let all: Map<String, Value> = (0..count).map(|at| (format!("p{at}"), make(at))).collect();
        json!({"type": "object", "properties": all, "additionalProperties": false})
    };
    {
        let count = many(20_000);
        let old = properties(count, &|at| json!({"maximum": at}));
        let mut less = old.clone();
        if let Some(members) = less["properties"].as_object_mut() {
            members.shift_remove("p9");
        }
        let name = format!("{count} properties");
        let wider = properties(count, &|at| json!({"maximum": at + 1}));
        cases.push(case(format!("{name}, one less"), old.clone(), less, ("no", "yes")));
        cases.push(case(format!("{name}, each wider"), old, wider, ("yes", "no")));
    }
    {
        let identified = |bound: i64| {
            let mut all = definitions(count, &|at| {
                json!({
                    "$id": format!("https://schemas.example/{at}"),
                    "type": "object",
                    "properties": {
                        "value": {"maximum": bound},
                        "next": {"$ref": format!("https://schemas.example/{}", (at + 1) % count)},
                    },
                })
            });
            all["$id"] = "https://schemas.example/root".into();
            all["$ref"] = "https://schemas.example/0".into();
            all
        };
        let anchored = |bound: i64| {
            let mut all = definitions(count, &|at| {
                let next = json!({"$ref": format!("#a{}", (at + 1) % count)});
                json!({"$anchor": format!("a{at}"), "type": "object", "properties": {"value": {"maximum": bound}, "next": next}})
            });
            all["$ref"] = "#a0".into();
            all
        };
        let around = if cfg!(debug_assertions) { "yes" } else { "unknown" };
        cases.push(case(format!("{count} identifiers"), identified(1), identified(2), (around, "no")));
        cases.push(case(format!("{count} anchors"), anchored(1), anchored(2), (around, "no")));
    }
    let count = many(5_000);
    let places: Vec<Value> = (0..count).map(|at| json!({"maximum": at})).collect();
    cases.push(case(
        format!("a tuple of {count}"),
        json!({"prefixItems": places}),
        json!({"prefixItems": places[1..]}),
        ("?", "?"),
    ));
    check(cases);
}

#[test]
fn nesting_and_recursion() {
    let mut cases = Vec::new();
    for depth in [128, 350, 1_000] {
        let nested = |leaf: Value| {
            (0..depth).fold(leaf, |inner, at| match at % 2 {
                0 => json!({"properties": {"a": inner}, "required": ["a"], "type": "object"}),
                _ => json!({"items": inner, "minItems": 1, "type": "array"}),
            })
        };
        let (old, new) = (nested(json!({"type": "string"})), nested(json!({"type": "integer"})));
        cases.push(case(format!("nested {depth} deep"), old, new, ("?", "?")));
        let combined = |leaf: Value| {
            (0..depth).fold(leaf, |inner, at| match at % 3 {
                0 => json!({"not": inner}),
                1 => json!({"allOf": [inner, true]}),
                _ => json!({"if": inner, "then": true, "else": false}),
            })
        };
        let (old, new) = (combined(json!({"type": "string"})), combined(json!({"type": ["string", "null"]})));
        cases.push(case(format!("combined {depth} deep"), old, new, ("?", "?")));
    }
    // Each kind of node may hold each other one.
    let web = |count: usize, leaf: &str| {
        let mut all = definitions(count, &|at| {
            let keys: Map<String, Value> = (0..count)
                .map(|to| (format!("k{to}"), json!({"$ref": format!("#/$defs/d{}", (at + to) % count)})))
                .collect();
            json!({"anyOf": [{"type": leaf}, {"type": "object", "properties": keys, "additionalProperties": false, "required": ["k1"]}]})
        });
        all["$ref"] = "#/$defs/d0".into();
        all
    };
    cases.push(case("a web of 40", web(40, "integer"), web(40, "number"), ("yes", "no")));
    cases.push(case("a web of 40, other rings", web(40, "integer"), web(39, "integer"), ("no", "yes")));
    let ring = |count: usize| {
        let mut all = definitions(count, &|at| {
            let next = json!({"$ref": format!("#/$defs/d{}", (at + 1) % count)});
            json!({"type": "object", "properties": {"next": next}, "additionalProperties": false, "maxProperties": 1})
        });
        all["$ref"] = "#/$defs/d0".into();
        all
    };
    cases.push(case("rings of 97 and 89", ring(97), ring(89), ("yes", "yes")));
    let counted = |count: usize| {
        let mut all = definitions(count, &|at| {
            let next = json!({"$ref": format!("#/$defs/d{}", (at + 1) % count)});
            let end = if at == 0 { json!({"type": "null"}) } else { json!(false) };
            json!({"anyOf": [end, {"type": "object", "properties": {"n": next}, "required": ["n"], "additionalProperties": false}]})
        });
        all["$ref"] = "#/$defs/d0".into();
        all
    };
    cases.push(case("multiples of 97 and of 89 in depth", counted(97), counted(89), ("no", "no")));
    cases.push(case(
        "recursion in place",
        json!({"anyOf": [{"$ref": "#"}, {"not": {"$ref": "#"}}]}),
        json!({"allOf": [{"$ref": "#"}]}),
        ("?", "?"),
    ));
    check(cases);
}

#[test]
fn what_is_left_over() {
    let mut cases = Vec::new();
    for count in [6, 14] {
        let patterns: Vec<Value> = (0..count)
            .map(|at| json!({"patternProperties": {format!("^k{at}"): {"type": "integer"}}, "required": [format!("k{at}")]}))
            .collect();
        let old = json!({"anyOf": patterns, "unevaluatedProperties": false});
        cases.push(case(
            format!("unevaluatedProperties over {count} patterns"),
            old.clone(),
            json!({"anyOf": patterns[1..], "unevaluatedProperties": false}),
            ("?", "?"),
        ));
        cases.push(case(
            format!("unevaluatedProperties over {count} patterns, and one pattern"),
            old,
            json!({"type": "object", "patternProperties": {"^k": {"type": "integer"}}, "additionalProperties": false}),
            ("?", "?"),
        ));
        let items: Vec<Value> = (0..count).map(|at| json!({"contains": {"const": at}})).collect();
        cases.push(case(
            format!("unevaluatedItems over {count} contains"),
            json!({"anyOf": items, "unevaluatedItems": false}),
            json!({"anyOf": items[1..], "unevaluatedItems": false}),
            ("?", "?"),
        ));
        let conditions: Vec<Value> = (0..count)
            .map(|at| {
                json!({
                    "if": {"patternProperties": {format!("^k{at}"): {"type": "integer"}}},
                    "then": {"properties": {format!("x{at}"): true}},
                })
            })
            .collect();
        cases.push(case(
            format!("unevaluatedProperties over {count} conditions"),
            json!({"allOf": conditions, "unevaluatedProperties": false}),
            json!({"allOf": conditions[1..], "unevaluatedProperties": false}),
            ("?", "?"),
        ));
    }
    for count in [10, 30] {
        let patterns = |more: usize| {
            let all: Map<String, Value> =
                (0..count).map(|at| (format!("^[a-z]*k{at}"), json!({"maximum": at + more}))).collect();
            json!({"patternProperties": all, "additionalProperties": false})
        };
        cases.push(case(format!("{count} patterns of keys"), patterns(0), patterns(1), ("?", "?")));
    }
    check(cases);
}

#[test]
fn patterns_and_counts() {
    let mut cases = Vec::new();
    let pattern = |text: &str| json!({"type": "string", "pattern": text});
    for (old, new, verdicts) in [
        ("^(a|b)*a(a|b){18}$", "^(a|b)*b(a|b){17}$", ("?", "?")),
        ("a{1000}b{1000}", "a{999}b{999}", ("yes", "no")),
        ("^(?:(?:a{1,100}){1,100}){1,100}$", "^a+$", ("?", "?")),
        ("^(?:a?){5000}a{5000}$", "^a*$", ("?", "no")),
        ("^[a-z]{1,60000}$", "^[a-z]{1,60001}$", ("?", "?")),
        ("^(?=(a+)+b)|a", "^(a|a)*(?=b)c\\1", ("?", "?")),
        ("(((((((((((a*)*)*)*)*)*)*)*)*)*)*)*", "^b", ("no", "yes")),
        ("^\\p{L}{1,50}\\p{N}{1,50}$", "^[\\p{L}\\p{N}]{1,100}$", ("?", "?")),
    ] {
        cases.push(case(format!("{old} and {new}"), pattern(old), pattern(new), verdicts));
    }
    let long = format!("^(?:{})$", (0..5_000).map(|at| format!("word{at}")).collect::<Vec<_>>().join("|"));
    cases.push(case("5,000 words, and any", pattern(&long), pattern("^word[0-9]+$"), ("yes", "no")));
    let wide: Vec<Value> =
        (0..2_000).map(|at| json!({"pattern": format!("^[a-z]{{1,{}}}x?$", at % 60 + 1)})).collect();
    cases.push(case("2,000 patterns", json!({"anyOf": wide}), json!({"anyOf": wide[1..]}), ("yes", "yes")));
    cases.push(case(
        "60 patterns at once",
        json!({"allOf": wide[..60]}),
        json!({"allOf": wide[1..61], "type": "string"}),
        ("no", "yes"),
    ));
    let number = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    for (old, new, verdicts) in [
        (
            r#"{"type":"number","multipleOf":1e-300}"#,
            r#"{"type":"number","multipleOf":1e-299}"#,
            ("no", "yes"),
        ),
        (
            r#"{"type":"number","multipleOf":5e-324}"#,
            r#"{"type":"number","multipleOf":3e-320}"#,
            ("?", "yes"),
        ),
        (r#"{"multipleOf":0.000001}"#, r#"{"multipleOf":0.0000001}"#, ("yes", "no")),
        (r#"{"multipleOf":1e-400}"#, r#"{"multipleOf":1e-401}"#, ("unknown", "unknown")),
        (r#"{"maximum":1e308}"#, r#"{"maximum":1.7976931348623157e308}"#, ("?", "?")),
        (r#"{"minimum":1e308,"multipleOf":1e-300}"#, r#"{"type":"integer"}"#, ("no", "no")),
        (
            r#"{"type":"integer","multipleOf":9999991,"not":{"multipleOf":9999973}}"#,
            r#"{"multipleOf":7}"#,
            ("no", "no"),
        ),
        (r#"{"minLength":1000000000}"#, r#"{"type":"integer"}"#, ("no", "yes")),
        (r#"{"minLength":18446744073709551615}"#, r#"{"minLength":18446744073709551614}"#, ("yes", "?")),
        (r#"{"minItems":1000000}"#, r#"{"maxItems":10}"#, ("?", "no")),
        (r#"{"minItems":18446744073709551615}"#, r#"{"minItems":9007199254740993}"#, ("yes", "?")),
        (r#"{"minItems":1e300}"#, r#"{"minItems":1e299}"#, ("?", "?")),
        (r#"{"minProperties":1000000}"#, r#"{"maxProperties":10}"#, ("?", "no")),
        (r#"{"contains":true,"minContains":1000000}"#, r#"{"maxItems":3}"#, ("?", "no")),
        (r#"{"type":"string","minLength":100000,"pattern":"^a*$"}"#, r#"{"maxLength":7}"#, ("?", "no")),
    ] {
        cases.push(case(format!("{old} and {new}"), number(old), number(new), verdicts));
    }
    check(cases);
}

#[test]
fn puzzles() {
    let mut cases = Vec::new();
    let coins: Vec<Value> = (0..60)
        .map(|at| json!({"oneOf": [{"required": [format!("a{at}")]}, {"required": [format!("b{at}")]}]}))
        .collect();
    cases.push(case("60 coins", json!({"allOf": coins}), json!({"not": {"allOf": coins}}), ("no", "no")));
    let conditions: Vec<Value> = (0..400)
        .map(|at| {
            json!({
                "if": {"properties": {format!("a{at}"): {"const": at}}},
                "then": {"required": [format!("b{at}")]},
                "else": {"required": [format!("c{at}")]},
            })
        })
        .collect();
    cases.push(case(
        "400 conditions, one less",
        json!({"allOf": conditions}),
        json!({"allOf": conditions[..399]}),
        ("?", "?"),
    ));
    cases.push(case(
        "400 conditions, and a count",
        json!({"allOf": conditions}),
        json!({"allOf": conditions, "maxProperties": 500}),
        ("?", "?"),
    ));
    let pairs: Vec<Value> = (0..40)
        .flat_map(|one| {
            (0..one).map(move |other| json!({"not": {"required": [format!("n{one}"), format!("n{other}")]}}))
        })
        .collect();
    cases.push(case(
        "no two of 40 keys, but 20",
        json!({"allOf": pairs, "minProperties": 20, "propertyNames": {"pattern": "^n[0-9]+$"}}),
        json!({"maxProperties": 19}),
        ("?", "no"),
    ));
    let clauses: Vec<Value> = (0..200_usize)
        .map(|clause| {
            let literal = |at: usize| {
                let name = format!("v{}", (clause * 7_919 + at * 104_729 + clause * clause * 31) % 45);
                let positive = (clause * 31 + at * 17 + clause / 3).is_multiple_of(2);
                if positive { json!({"required": [name]}) } else { json!({"not": {"required": [name]}}) }
            };
            json!({"anyOf": [literal(1), literal(2), literal(3)]})
        })
        .collect();
    cases.push(case("200 clauses", json!({"type": "object", "allOf": clauses}), json!(false), ("no", "yes")));
    let options: Vec<Value> = (0..24)
        .map(|at| json!({"properties": {format!("k{at}"): {"const": 0}}, "required": [format!("k{at}")]}))
        .collect();
    cases.push(case(
        "one of 24 that overlap",
        json!({"oneOf": options}),
        json!({"anyOf": options, "maxProperties": 3}),
        ("no", "no"),
    ));
    cases.push(case(
        "31 different items",
        json!({"type": "array", "uniqueItems": true, "items": {"type": "integer", "minimum": 0, "maximum": 30}}),
        json!({"maxItems": 20}),
        ("no", "no"),
    ));
    let objects: Vec<Value> = (0..5_000).map(|at| json!({"name": format!("s{at}"), "at": at})).collect();
    cases.push(case(
        "290 items of 5,000 objects",
        json!({"type": "array", "minItems": 290, "items": {"enum": objects}}),
        json!({"type": "array", "maxItems": 2, "items": {"enum": objects}}),
        ("?", "no"),
    ));
    check(cases);
}
