//! Documents of a schema, made at random and kept if a validator takes them.

use serde_json::{Map, Value, json};

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or_default() % bound.max(1)
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn of<'v, T>(&mut self, all: &'v [T]) -> Option<&'v T> {
        all.get(self.below(all.len()))
    }
}

/// So many documents that a condition holds for, made after a schema. Fewer, where too few of those made fit.
pub(crate) fn documents(
    schema: &Value,
    seed: u64,
    count: usize,
    fits: impl Fn(&Value) -> bool,
) -> Vec<Value> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    for _ in 0..count * 30 {
        if found.len() == count {
            break;
        }
        let document = value(schema, schema, &mut random, 0);
        if fits(&document) {
            found.push(document);
        }
    }
    found
}

fn anything(random: &mut Random) -> Value {
    let all = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(""),
        json!("a"),
        json!("1h"),
        json!([]),
        json!({}),
        json!([0]),
        json!({"x": 0}),
    ];
    random.of(&all).cloned().unwrap_or_default()
}

/// The keywords of a schema, with those of what it refers to and of one alternative each.
fn keywords(root: &Value, schema: &Value, random: &mut Random, into: &mut Map<String, Value>, depth: usize) {
    let Value::Object(map) = schema else { return };
    if depth > 20 {
        return;
    }
    if let Some(reference) = map.get("$ref").and_then(Value::as_str)
        && let Some(target) = root.pointer(reference.trim_start_matches('#'))
    {
        keywords(root, target, random, into, depth + 1);
    }
    for (keyword, value) in map {
        match (keyword.as_str(), value, into.get_mut(keyword)) {
            ("properties", Value::Object(more), Some(Value::Object(known))) => {
                known.extend(more.iter().map(|(name, schema)| (name.clone(), schema.clone())));
            }
            ("required", Value::Array(more), Some(Value::Array(known))) => known.extend(more.iter().cloned()),
            ("allOf" | "anyOf" | "oneOf", ..) => {}
            _ => {
                into.insert(keyword.clone(), value.clone());
            }
        }
    }
    for part in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        keywords(root, part, random, into, depth + 1);
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(alternatives)) = map.get(keyword)
            && let Some(chosen) = random.of(alternatives)
        {
            keywords(root, chosen, random, into, depth + 1);
        }
    }
}

fn value(root: &Value, schema: &Value, random: &mut Random, depth: usize) -> Value {
    if depth > 8 || random.one_in(60) {
        return anything(random);
    }
    let mut map = Map::new();
    keywords(root, schema, random, &mut map, 0);
    if let Some(constant) = map.get("const") {
        return constant.clone();
    }
    if let Some(option) = map.get("enum").and_then(Value::as_array).and_then(|options| random.of(options)) {
        return option.clone();
    }
    let types: Vec<&str> = match map.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ if map.contains_key("properties") => vec!["object"],
        _ => return anything(random),
    };
    let number = |keyword: &str| map.get(keyword).and_then(Value::as_i64);
    match random.of(&types).copied().unwrap_or("null") {
        "boolean" => random.one_in(2).into(),
        "integer" | "number" => {
            let low = number("minimum").unwrap_or(-2);
            let high = number("maximum").unwrap_or(low.saturating_add(5)).min(low.saturating_add(400));
            let span = usize::try_from(high - low + 1).unwrap_or(1);
            (low + i64::try_from(random.below(span)).unwrap_or_default()).into()
        }
        "string" => {
            let words =
                ["", "a", "py39", "5m", "1.0", "docker:x", "https://example.com", "abc def", "3.9", ":all:"];
            random.of(&words).copied().unwrap_or_default().into()
        }
        "array" => {
            let least = number("minItems").and_then(|least| usize::try_from(least).ok()).unwrap_or_default();
            let items = map.get("items").cloned().unwrap_or(json!(true));
            let count = least + random.below(3);
            (0..count).map(|_| value(root, &items, random, depth + 1)).collect()
        }
        "object" => {
            let mut members = Map::new();
            let required: Vec<&str> = map
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let empty = Map::new();
            let properties = map.get("properties").and_then(Value::as_object).unwrap_or(&empty);
            let chances = 1 + properties.len() / 3;
            for (name, schema) in properties {
                if required.contains(&name.as_str()) || random.one_in(chances) {
                    members.insert(name.clone(), value(root, schema, random, depth + 1));
                }
            }
            let of_patterns =
                map.get("patternProperties").and_then(Value::as_object).and_then(|all| all.values().next());
            let others = map.get("additionalProperties").filter(|schema| schema.is_object()).or(of_patterns);
            if let Some(schema) = others {
                for name in ["one", "two"] {
                    if random.one_in(2) {
                        members.insert(name.to_owned(), value(root, schema, random, depth + 1));
                    }
                }
            }
            if random.one_in(40) {
                members.insert("zzz".to_owned(), anything(random));
            }
            members.into()
        }
        _ => Value::Null,
    }
}
