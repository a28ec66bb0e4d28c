//! A schema that says something else than the reader does is found out: for every keyword that the published schemas
//! use, in each way that it can be wrong, lies are planted and looked for.
//!
//! The documents are made from the lying schema, as they would be if a type told the lie: nothing but the reader knows
//! the truth. Each lie has so many documents aimed at its place as the run of the laws aims there or more; one that is
//! not found must be none, which documents made from the honest schema tell.

use agentry_tests::laws::grammar::Grammar;
use agentry_tests::laws::random::Random;
use agentry_tests::laws::{Sort, Subject, Wrong, differ, hunt};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A way to be wrong: what it is called, and what it makes of the value of a keyword.
struct Lie {
    name: &'static str,
    /// In how many ways it makes a schema wrong: what takes one value for another makes it both laxer and stricter.
    ways: usize,
    tell: fn(&Json) -> Option<Told>,
}

/// What a lie makes of a keyword. It is None where it cannot be told.
enum Told {
    /// The keyword is gone.
    Nothing,
    /// The keyword has another value.
    Instead(Json),
}

const DROPPED: Lie = Lie { name: "left out", ways: 1, tell: |_| Some(Told::Nothing) };
const ONE_LESS: Lie = Lie {
    name: "one less",
    ways: 1,
    tell: |value| listed(value, |list| drop(list.pop())).filter(|_| value[1] != Json::Null),
};
const NEVER: Lie = Lie { name: "never", ways: 1, tell: |_| Some(Told::Instead(json!(false))) };
const NUMBER: Lie = Lie {
    name: "a number",
    ways: 1,
    tell: |_| Some(Told::Instead(json!({ "type": "number", "minimum": 17 }))),
};
const ADDED: Lie =
    Lie { name: "added", ways: 1, tell: |value| value.is_null().then_some(Told::Instead(json!(true))) };

const CLOSING: Lie =
    Lie { name: "added", ways: 1, tell: |value| value.is_null().then_some(Told::Instead(json!(false))) };

/// The lies about a keyword. Each keyword of a published schema is here, or the test fails. A keyword that no lie about
/// it makes stricter is also added where it is not.
#[expect(clippy::too_many_lines, reason = "a table, with the names of its rows first")]
fn lies(keyword: &str) -> &'static [Lie] {
    const TYPE: &[Lie] = &[
        DROPPED,
        Lie {
            name: "another type too",
            ways: 1,
            tell: |value| {
                let other = if value == "boolean" { "string" } else { "boolean" };
                Some(Told::Instead(json!([value, other])))
            },
        },
        Lie {
            name: "another type",
            ways: 2,
            tell: |value| Some(Told::Instead(json!(if value == "boolean" { "string" } else { "boolean" }))),
        },
    ];
    const PATTERN: &[Lie] =
        &[DROPPED, Lie { name: "narrower", ways: 1, tell: |_| Some(Told::Instead(json!("^.$"))) }];
    const CONST: &[Lie] = &[
        DROPPED,
        Lie { name: "another text", ways: 2, tell: |_| Some(Told::Instead(json!("zz-other"))) },
        Lie {
            name: "a longer text",
            ways: 2,
            tell: |value| Some(Told::Instead(json!(format!("{}x", value.as_str()?)))),
        },
    ];
    // Only tests list options, so that one more that nobody may write would be no lie.
    const ENUM: &[Lie] = &[
        DROPPED,
        Lie { name: "another", ways: 1, tell: |_| Some(Told::Instead(json!(["zz-other"]))) },
        ONE_LESS,
    ];
    const BOUND: &[Lie] = &[
        DROPPED,
        Lie { name: "one more", ways: 1, tell: |value| Some(Told::Instead(json!(value.as_f64()? + 1.0))) },
        Lie { name: "one less", ways: 1, tell: |value| Some(Told::Instead(json!(value.as_f64()? - 1.0))) },
    ];
    const COUNT: &[Lie] = &[
        DROPPED,
        Lie { name: "one more", ways: 1, tell: |value| Some(Told::Instead(json!(value.as_u64()? + 1))) },
        Lie {
            name: "one less",
            ways: 1,
            tell: |value| Some(Told::Instead(json!(value.as_u64()?.checked_sub(1)?))),
        },
    ];
    const REQUIRED: &[Lie] = &[
        DROPPED,
        Lie { name: "one more", ways: 1, tell: |value| listed(value, |list| list.push(json!("zz_other"))) },
        ONE_LESS,
    ];
    const PROPERTIES: &[Lie] = &[
        DROPPED,
        Lie {
            name: "a key by another name",
            ways: 2,
            tell: |value| {
                let mut named = value.as_object()?.clone();
                let (key, schema) = named.iter().find(|(_, schema)| schema.is_object())?;
                let (key, schema) = (key.clone(), schema.clone());
                named.shift_remove(&key);
                named.insert("zz_other".to_owned(), schema);
                Some(Told::Instead(Json::Object(named)))
            },
        },
        Lie {
            name: "a key forbidden",
            ways: 1,
            tell: |value| {
                let mut named = value.as_object()?.clone();
                *named.values_mut().find(|schema| schema.is_object())? = json!(false);
                Some(Told::Instead(Json::Object(named)))
            },
        },
    ];
    const ITEMS: &[Lie] = &[DROPPED, Lie { name: "numbers", ways: 2, ..NUMBER }];
    const NAMES: &[Lie] = &[
        DROPPED,
        Lie { name: "narrower", ways: 1, tell: |_| Some(Told::Instead(json!({ "pattern": "^.$" }))) },
    ];
    const OTHERS: &[Lie] = &[DROPPED, NUMBER, NEVER];
    // It closes every table that it stands in, so that it cannot be stricter there: it is added elsewhere.
    const CLOSED: &[Lie] = &[DROPPED, NUMBER, CLOSING];
    const BRANCHES: &[Lie] = &[
        DROPPED,
        ONE_LESS,
        Lie {
            name: "one more",
            ways: 1,
            tell: |value| listed(value, |list| list.push(json!({ "const": "zz\u{0}\n" }))),
        },
    ];
    const ALL: &[Lie] = &[
        DROPPED,
        ONE_LESS,
        Lie {
            name: "one more",
            ways: 1,
            tell: |value| listed(value, |list| list.push(json!({ "maxProperties": 1 }))),
        },
    ];
    const REFERENCE: &[Lie] =
        &[DROPPED, Lie { name: "another", ways: 2, tell: |_| Some(Told::Instead(json!("#/$defs/ZzOther"))) }];
    const NOT: &[Lie] = &[DROPPED, Lie { name: "always", ways: 1, tell: |_| Some(Told::Instead(json!({}))) }];
    const TEST: &[Lie] =
        &[DROPPED, NEVER, Lie { name: "always", ways: 1, tell: |_| Some(Told::Instead(json!(true))) }];
    const THEN: &[Lie] = &[DROPPED, NEVER];
    const UNIQUE: &[Lie] = &[DROPPED, ADDED];
    match keyword {
        "type" => TYPE,
        "pattern" => PATTERN,
        "const" => CONST,
        "enum" => ENUM,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => BOUND,
        "minItems" | "minLength" | "maxLength" | "maxItems" | "minProperties" | "maxProperties" => COUNT,
        "required" => REQUIRED,
        "properties" => PROPERTIES,
        "$ref" => REFERENCE,
        "uniqueItems" => UNIQUE,
        "not" => NOT,
        "items" => ITEMS,
        "propertyNames" => NAMES,
        "additionalProperties" => OTHERS,
        "unevaluatedProperties" => CLOSED,
        "anyOf" | "oneOf" => BRANCHES,
        "allOf" => ALL,
        "if" => TEST,
        "then" | "else" => THEN,
        _ => panic!("no lie is known about `{keyword}`: think of one"),
    }
}

fn listed(value: &Json, change: impl FnOnce(&mut Vec<Json>)) -> Option<Told> {
    let mut list = value.as_array()?.clone();
    change(&mut list);
    (!list.is_empty()).then_some(Told::Instead(Json::Array(list)))
}

/// Where a keyword can be added: in lists and in tables.
fn added(grammar: &Grammar, keyword: &str) -> Vec<String> {
    let beside = if keyword == "uniqueItems" { "items" } else { "properties" };
    let there = grammar.keywords().iter().filter(|one| one.name == beside);
    there.map(|one| format!("{}/{keyword}", grammar.node(one.node).place)).collect()
}

/// The schema with a lie at a place.
fn plant(schema: &Json, place: &str, lie: &Lie) -> Option<Json> {
    let told = (lie.tell)(schema.pointer(place).unwrap_or(&Json::Null))?;
    let mut lying = schema.clone();
    let (parent, keyword) = place.rsplit_once('/')?;
    let parent = lying.pointer_mut(parent)?.as_object_mut()?;
    match told {
        Told::Nothing => drop(parent.shift_remove(keyword)?),
        Told::Instead(value) => drop(parent.insert(keyword.to_owned(), value)),
    }
    if let Some(definitions) = lying.get_mut("$defs").and_then(Json::as_object_mut) {
        definitions.insert("ZzOther".to_owned(), json!({ "type": "boolean" }));
    }
    Some(lying)
}

/// A lie is planted at so many places.
const PLACES: usize = 2;

/// After so many places at which a lie would change nothing, no more are tried.
const TRIES: usize = 40;

/// A lie must be found within so many documents that are aimed at its place.
const DOCUMENTS: usize = 1_000;

/// So many documents, made from the honest schema and from the lying one, tell whether a lie changes anything.
const TELLING: usize = 120;

/// Where a lie could be planted: the index of a subject, and a place of its schema.
type Places = Vec<(usize, String)>;

/// What came of a lie.
#[derive(Default)]
struct Outcome {
    /// How it was found to be wrong, and after how many documents, for each place.
    found: Vec<(BTreeSet<Wrong>, usize)>,
    /// Where nobody noticed, with a document that shows the difference.
    missed: Vec<String>,
    /// At how many places it would change nothing.
    idle: usize,
}

/// Plants a lie at some of these places, and looks whether it is found.
fn tell(subjects: &[Subject], keyword: &str, lie: &Lie, mut pool: Places) -> Outcome {
    let mut outcome = Outcome::default();
    let mut random = Random::of(7, &format!("{keyword} {}", lie.name));
    while outcome.found.len() + outcome.missed.len() < PLACES && outcome.idle < TRIES && !pool.is_empty() {
        let (subject, place) = pool.swap_remove(random.below(pool.len()));
        let honest = &subjects[subject];
        let Some(lying) = plant(&honest.strict, &place, lie) else { continue };
        let liar = honest.same_but_claiming(lying);
        let shown = differ(honest, &liar.strict, &place, TELLING)
            .or_else(|| differ(&liar, &honest.strict, &place, TELLING));
        let Some(shown) = shown else {
            outcome.idle += 1;
            continue;
        };
        let (wrong, documents) = hunt(&liar, &place, DOCUMENTS, lie.ways);
        if wrong.is_empty() {
            outcome.missed.push(format!(
                "{} {place} {}: nobody noticed in {DOCUMENTS} documents, and this shows it: {shown}",
                honest.name, lie.name
            ));
        } else {
            outcome.found.push((wrong, documents));
        }
    }
    outcome
}

fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
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
fn a_lie_about_any_keyword_is_found_out() {
    // The sides of contracts add places and no keywords, and the hand is the largest by far and has none of its own.
    let mut subjects: Vec<Subject> =
        Subject::all().into_iter().filter(|subject| subject.sort == Sort::Kind).collect();
    subjects.retain(|subject| subject.name != "hand");
    let grammars: Vec<Grammar> = subjects.iter().map(|subject| Grammar::new(&subject.strict)).collect();
    let mut used: BTreeMap<&str, Places> = BTreeMap::new();
    for (index, grammar) in grammars.iter().enumerate() {
        for keyword in grammar.keywords() {
            let places = used.entry(keyword.name).or_default();
            if places.last() != Some(&(index, keyword.place.clone())) {
                places.push((index, keyword.place.clone()));
            }
        }
    }
    let elsewhere = |keyword: &str| -> Places {
        let places = grammars.iter().enumerate();
        places
            .flat_map(|(index, grammar)| added(grammar, keyword).into_iter().map(move |place| (index, place)))
            .collect()
    };
    let cases: Vec<(&str, &Lie, Places)> = used
        .iter()
        .flat_map(|(keyword, places)| lies(keyword).iter().map(move |lie| (*keyword, lie, places)))
        .map(|(keyword, lie, places)| {
            (keyword, lie, if lie.name == ADDED.name { elsewhere(keyword) } else { places.clone() })
        })
        .collect();
    let outcomes = each(&cases, |(keyword, lie, places)| tell(&subjects, keyword, lie, places.clone()));

    let mut ways: BTreeMap<&str, BTreeSet<Wrong>> =
        used.keys().map(|keyword| (*keyword, BTreeSet::new())).collect();
    let mut faults = String::new();
    for ((keyword, lie, places), Outcome { found, missed, idle }) in cases.iter().zip(&outcomes) {
        let most = found.iter().map(|(_, documents)| *documents).max().unwrap_or_default();
        let wrong: BTreeSet<Wrong> = found.iter().flat_map(|(wrong, _)| wrong.iter().copied()).collect();
        println!(
            "{keyword:22} {:22} {:5} places, {idle:2} tried in vain, told {} times, found within {most:3} documents: {wrong:?}",
            lie.name,
            places.len(),
            found.len() + missed.len()
        );
        ways.entry(keyword).or_default().extend(wrong);
        for missed in missed {
            let _ = writeln!(faults, "{missed}");
        }
        if found.is_empty() && missed.is_empty() {
            let _ = writeln!(faults, "`{keyword}` {}: the lie could be told nowhere", lie.name);
        }
    }
    for (keyword, ways) in &ways {
        if ways.len() < 2 {
            let _ = writeln!(faults, "`{keyword}` was wrong in one way only: {ways:?}");
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
