//! A schema that says something else than the reader does is found out: for every keyword that the published schemas
//! use, in each way that it can be wrong, lies are planted and looked for.
//!
//! The documents are made from the lying schema, as they would be if a type told the lie: nothing but the reader knows
//! the truth. A lie counts only where it changes what the schema accepts, which an honest run tells.

use agentry_tests::laws::random::Random;
use agentry_tests::laws::{Options, Report, Subject, examine};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A way to be wrong: what it is called, and what it makes of the value of a keyword. None where it cannot be told.
struct Lie {
    name: &'static str,
    tell: fn(&Json) -> Option<Told>,
}

enum Told {
    /// The keyword is gone.
    Nothing,
    /// The keyword has another value.
    Instead(Json),
}

/// The lies about a keyword. Each keyword of a published schema is here, or the test fails.
fn lies(keyword: &str) -> &'static [Lie] {
    const DROPPED: Lie = Lie { name: "left out", tell: |_| Some(Told::Nothing) };
    const TYPE: &[Lie] = &[
        DROPPED,
        Lie {
            name: "another type too",
            tell: |value| {
                let other = if value == "boolean" { "string" } else { "boolean" };
                Some(Told::Instead(json!([value, other])))
            },
        },
    ];
    const PATTERN: &[Lie] = &[DROPPED, Lie { name: "narrower", tell: |_| Some(Told::Instead(json!("^.$"))) }];
    const CONST: &[Lie] =
        &[DROPPED, Lie { name: "another text", tell: |_| Some(Told::Instead(json!("zz-other"))) }];
    const ENUM: &[Lie] = &[
        DROPPED,
        Lie { name: "one more", tell: |value| listed(value, |list| list.push(json!("zz-other"))) },
        Lie {
            name: "one less",
            tell: |value| listed(value, |list| drop(list.pop())).filter(|_| value[1] != Json::Null),
        },
    ];
    const LEAST: &[Lie] = &[
        DROPPED,
        Lie { name: "one more", tell: |value| Some(Told::Instead(json!(value.as_f64()? + 1.0))) },
        Lie { name: "one less", tell: |value| Some(Told::Instead(json!(value.as_f64()? - 1.0))) },
    ];
    const COUNT: &[Lie] =
        &[DROPPED, Lie { name: "one more", tell: |value| Some(Told::Instead(json!(value.as_u64()? + 1))) }];
    const REQUIRED: &[Lie] = &[
        DROPPED,
        Lie { name: "one more", tell: |value| listed(value, |list| list.push(json!("zz_other"))) },
        Lie {
            name: "one less",
            tell: |value| listed(value, |list| drop(list.pop())).filter(|_| value[1] != Json::Null),
        },
    ];
    const PROPERTIES: &[Lie] = &[
        DROPPED,
        Lie {
            name: "a key by another name",
            tell: |value| {
                let mut named = value.as_object()?.clone();
                let (key, schema) = named.iter().find(|(_, schema)| schema.is_object())?;
                let (key, schema) = (key.clone(), schema.clone());
                named.shift_remove(&key);
                named.insert("zz_other".to_owned(), schema);
                Some(Told::Instead(Json::Object(named)))
            },
        },
    ];
    const SCHEMA: &[Lie] = &[
        DROPPED,
        Lie { name: "a number", tell: |_| Some(Told::Instead(json!({ "type": "number", "minimum": 17 }))) },
    ];
    const CLOSED: &[Lie] = &[
        DROPPED,
        Lie { name: "a number", tell: |_| Some(Told::Instead(json!({ "type": "number", "minimum": 17 }))) },
    ];
    const BRANCHES: &[Lie] = &[
        DROPPED,
        Lie {
            name: "one less",
            tell: |value| listed(value, |list| drop(list.pop())).filter(|_| value[1] != Json::Null),
        },
        Lie {
            name: "one more",
            tell: |value| listed(value, |list| list.push(json!({ "const": "zz\u{0}\n" }))),
        },
    ];
    const ALL: &[Lie] = &[
        DROPPED,
        Lie {
            name: "one less",
            tell: |value| listed(value, |list| drop(list.pop())).filter(|_| value[1] != Json::Null),
        },
    ];
    const ONLY_DROPPED: &[Lie] = &[DROPPED];
    const TEST: &[Lie] = &[DROPPED, Lie { name: "never", tell: |_| Some(Told::Instead(json!(false))) }];
    match keyword {
        "type" => TYPE,
        "pattern" => PATTERN,
        "const" => CONST,
        "enum" => ENUM,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => LEAST,
        "minItems" | "minLength" | "maxLength" | "maxItems" | "minProperties" | "maxProperties" => COUNT,
        "required" => REQUIRED,
        "properties" => PROPERTIES,
        "$ref" | "uniqueItems" | "not" => ONLY_DROPPED,
        "items" => SCHEMA,
        "propertyNames" => NAMES,
        "additionalProperties" | "unevaluatedProperties" => CLOSED,
        "anyOf" | "oneOf" => BRANCHES,
        "allOf" => ALL,
        "if" => TEST,
        "then" | "else" => SCHEMA_THEN,
        _ => panic!("no lie is known about `{keyword}`: think of one"),
    }
}

const NAMES: &[Lie] = &[
    Lie { name: "left out", tell: |_| Some(Told::Nothing) },
    Lie { name: "narrower", tell: |_| Some(Told::Instead(json!({ "pattern": "^.$" }))) },
];
const SCHEMA_THEN: &[Lie] = &[
    Lie { name: "left out", tell: |_| Some(Told::Nothing) },
    Lie { name: "never", tell: |_| Some(Told::Instead(json!(false))) },
];

fn listed(value: &Json, change: impl FnOnce(&mut Vec<Json>)) -> Option<Told> {
    let mut list = value.as_array()?.clone();
    change(&mut list);
    (!list.is_empty()).then_some(Told::Instead(Json::Array(list)))
}

/// The schema with a lie at a place.
fn plant(schema: &Json, place: &str, lie: &Lie) -> Option<Json> {
    let told = (lie.tell)(schema.pointer(place)?)?;
    let mut lying = schema.clone();
    let (parent, keyword) = place.rsplit_once('/')?;
    let parent = lying.pointer_mut(parent)?.as_object_mut()?;
    match told {
        Told::Nothing => drop(parent.shift_remove(keyword)),
        Told::Instead(value) => drop(parent.insert(keyword.to_owned(), value)),
    }
    Some(lying)
}

/// A lie to be planted.
struct Case {
    subject: usize,
    place: String,
    keyword: &'static str,
    lie: &'static Lie,
}

/// At so many places each lie is planted; more would find nothing new and cost minutes.
const PLACES: usize = 2;

fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    results.lock().expect("nobody panics with it").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("nobody panics with it");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[test]
#[ignore = "takes minutes; run it with `cargo test -p agentry-tests --test planted_lies -- --ignored`"]
fn a_lie_about_any_keyword_is_found_out() {
    // Kinds and messages have every keyword; the sides of contracts add places and no keywords.
    let subjects: Vec<Subject> = Subject::all();
    let quick = Options { hits: 1, per_kind: 1, per_side: 1, ..Options::USUAL };
    let honest: Vec<Report> = each(&subjects, |subject| examine(subject, &quick));

    let mut places: BTreeMap<&'static str, Vec<(usize, String)>> = BTreeMap::new();
    let mut kept = places.clone();
    for (index, report) in honest.iter().enumerate() {
        for met in &report.keywords {
            let found = places.entry(met.name).or_default();
            if met.kept > 0 {
                kept.entry(met.name).or_default().push((index, met.place.clone()));
            }
            if met.decided > 0 {
                found.push((index, met.place.clone()));
            }
        }
    }
    let mut random = Random::new(7);
    let mut cases = Vec::new();
    for (keyword, places) in &mut places {
        for lie in lies(keyword) {
            let mut left = PLACES;
            let mut pool = places.clone();
            if pool.is_empty() && lie.name != "left out" {
                // Another keyword says the same of every document, so nothing is missed without it: but it can be wrong.
                pool.clone_from(kept.get(keyword).unwrap_or(&Vec::new()));
            }
            if lie.name == "one more" && ["enum", "anyOf"].contains(keyword) {
                // Below a test, a text that nothing else lets through would be no lie.
                pool.retain(|(_, place)| !place.contains("/if/") && !place.contains("/not/"));
            }
            if pool.iter().any(|(index, _)| subjects[*index].name != "hand") {
                // It is the largest by far, and has no keyword of its own.
                pool.retain(|(index, _)| subjects[*index].name != "hand");
            }
            while left > 0 && !pool.is_empty() {
                let (subject, place) = pool.swap_remove(random.below(pool.len()));
                if plant(&subjects[subject].strict, &place, lie).is_some() {
                    cases.push(Case { subject, place, keyword, lie });
                    left -= 1;
                }
            }
        }
    }
    let budget = Options { hits: 2, per_side: Options::USUAL.per_kind, patience: 1, ..Options::USUAL };
    let found = each(&cases, |case| {
        let subject = &subjects[case.subject];
        let lying = plant(&subject.strict, &case.place, case.lie).expect("it was planted before");
        examine(&subject.same_but_claiming(lying), &budget)
    });

    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    let mut missed = Vec::new();
    for (case, report) in cases.iter().zip(&found) {
        let (told, most) = counts.entry((case.keyword, case.lie.name)).or_default();
        *told += 1;
        *most = (*most).max(report.documents);
        if !report.disagreements.iter().any(|found| ["strict", "tolerant"].contains(&found.law)) {
            let name = &subjects[case.subject].name;
            missed.push(format!(
                "{name} {} {}: nobody noticed in {} documents",
                case.place, case.lie.name, report.documents
            ));
        }
    }
    for ((keyword, lie), (told, most)) in &counts {
        println!("{keyword:22} {lie:22} told {told} times, found within {most} documents");
    }
    let untold: Vec<_> =
        places.keys().filter(|keyword| !counts.keys().any(|(told, _)| told == *keyword)).collect();
    assert!(untold.is_empty(), "no lie was told about {untold:?}");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
