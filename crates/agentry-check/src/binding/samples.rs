//! Documents that a schema probably accepts, at and around the edges of what another one accepts.

use super::facts::{Facts, Root, types};
use serde_json::{Map, Number, Value, json};

/// How many values are made for one place.
const MAX_VALUES: usize = 40;
/// How many keys a made table has at most.
const MAX_KEYS: usize = 64;
/// How many documents are made.
const MAX_DOCUMENTS: usize = 1_500;
/// How deep documents are.
const MAX_DEPTH: usize = 6;
/// How long texts and arrays are made to pass a limit.
const MAX_LENGTH: u64 = 2_000;
const MAX_ITEMS: u64 = 40;

pub(super) struct Samples<'s, 'r> {
    pub(super) sent: &'r Root<'s>,
    pub(super) taken: &'r Root<'s>,
}

impl<'s> Samples<'s, '_> {
    /// Documents, the smallest first.
    pub(super) fn documents(&self) -> Vec<Value> {
        let sent = Facts::new(self.sent, &[self.sent.at()], "");
        let taken = Facts::new(self.taken, &[self.taken.at()], "");
        let mut documents = self.values(&sent, &taken, 0, MAX_DOCUMENTS);
        documents.sort_by_cached_key(|document| document.to_string().len());
        documents
    }

    /// Values of one place. The first is a plain one.
    fn values(&self, sent: &Facts<'s>, taken: &Facts<'s>, depth: usize, limit: usize) -> Vec<Value> {
        if let Some(options) = sent.choices.first() {
            let share = limit / options.len().max(1) + 1;
            let of_option = |option| self.values(&sent.choose(self.sent, 0, option), taken, depth, share);
            return options.iter().flat_map(of_option).take(limit).collect();
        }
        let taken = self.merged(taken);
        let mut values = Vec::new();
        if let Some(listed) = sent.finite() {
            values.extend(listed.into_iter().cloned());
        } else {
            let plain = [
                types::STRING,
                types::OBJECT,
                types::ARRAY,
                types::INTEGER,
                types::FRACTION,
                types::BOOLEAN,
                types::NULL,
            ];
            let of_type: Vec<Vec<Value>> = plain
                .into_iter()
                .filter(|one| sent.types & one != 0)
                .map(|one| match one {
                    types::STRING => strings(sent, &taken),
                    types::OBJECT => self.objects(sent, &taken, depth),
                    types::ARRAY => self.arrays(sent, &taken, depth),
                    types::INTEGER => numbers(sent, &taken, &[1.0, 0.0, -1.0, 1e6, 1e300]),
                    types::FRACTION => numbers(sent, &taken, &[0.5, -0.5]),
                    types::BOOLEAN => vec![json!(true), json!(false)],
                    _ => vec![Value::Null],
                })
                .collect();
            // In turn, so that no type is cut off.
            for index in 0..of_type.iter().map(Vec::len).max().unwrap_or(0) {
                values.extend(of_type.iter().filter_map(|values| values.get(index).cloned()));
            }
        }
        values.truncate(limit);
        values
    }

    /// With everything that any choice says: these are hints, nothing more.
    fn merged(&self, taken: &Facts<'s>) -> Facts<'s> {
        let mut merged = taken.clone();
        for _ in 0..8 {
            let Some(options) = merged.choices.pop() else { break };
            for option in &options {
                let of_option = Facts::new(self.taken, std::slice::from_ref(option), "");
                merged.parts.extend(of_option.parts);
                merged.choices.extend(of_option.choices);
            }
        }
        merged
    }

    fn objects(&self, sent: &Facts<'s>, taken: &Facts<'s>, depth: usize) -> Vec<Value> {
        if depth > MAX_DEPTH {
            return vec![json!({})];
        }
        let mut names = sent.names();
        names.extend(taken.names().into_iter().filter(|name| !sent.names().contains(name)));
        // A table of more keys is nobody's tool: what is left out stays unknown, and never becomes a yes.
        names.truncate(MAX_KEYS);
        let mut keys: Vec<(&str, Vec<Value>)> = Vec::new();
        for name in names {
            let of_name = sent.property(self.sent, Some(name));
            if of_name.types != 0 {
                let hints = taken.property(self.taken, Some(name));
                let values = self.values(&of_name, &hints, depth + 1, MAX_VALUES);
                if !values.is_empty() {
                    keys.push((name, values));
                }
            }
        }
        let mut least = Map::new();
        let mut full = Map::new();
        for (name, values) in &keys {
            full.insert((*name).to_owned(), values[0].clone());
            if sent.requires(name) {
                least.insert((*name).to_owned(), values[0].clone());
            }
        }
        let mut objects = vec![least.clone(), full.clone()];
        for (name, values) in &keys {
            let mut without = full.clone();
            without.shift_remove(*name);
            objects.push(without);
            for value in values {
                let mut with = least.clone();
                with.insert((*name).to_owned(), value.clone());
                objects.push(with);
                // Where other keys must be there for this one to count.
                let mut with = full.clone();
                with.insert((*name).to_owned(), value.clone());
                objects.push(with);
            }
        }
        let others = sent.property(self.sent, None);
        if others.types != 0 {
            let hints = taken.property(self.taken, None);
            for value in self.values(&others, &hints, depth + 1, 12) {
                let mut with = least.clone();
                with.insert("other".to_owned(), value);
                objects.push(with);
            }
            for name in ["", "Other Key", "x-other"] {
                let mut with = least.clone();
                with.insert(name.to_owned(), json!(true));
                objects.push(with);
            }
            if let Some(most) = limit(taken, "maxProperties").filter(|most| *most < MAX_ITEMS) {
                let mut with = full.clone();
                for index in 0..=most {
                    with.insert(format!("other{index}"), json!(true));
                }
                objects.push(with);
            }
        }
        objects.into_iter().map(Value::Object).collect()
    }

    fn arrays(&self, sent: &Facts<'s>, taken: &Facts<'s>, depth: usize) -> Vec<Value> {
        if depth > MAX_DEPTH {
            return vec![json!([])];
        }
        let own = sent.own_items().max(taken.own_items());
        let item = |index: Option<usize>| {
            let of_item = sent.item(self.sent, index);
            self.values(&of_item, &taken.item(self.taken, index), depth + 1, MAX_VALUES)
        };
        let first: Vec<Vec<Value>> = (0..own).map(|index| item(Some(index))).collect();
        let rest = item(None);
        let least = limit(sent, "minItems").unwrap_or(0).min(MAX_ITEMS);
        let of_length = |length: u64| -> Vec<Value> {
            let length = usize::try_from(length).unwrap_or(0);
            (0..length).filter_map(|index| first.get(index).unwrap_or(&rest).first().cloned()).collect()
        };
        let plain = of_length(least.max(1));
        let mut arrays = vec![Value::Array(plain.clone()), Value::Array(of_length(least))];
        for index in 0..plain.len().max(own) {
            for value in first.get(index).unwrap_or(&rest) {
                let mut other = of_length(least.max(index as u64 + 1));
                if let Some(place) = other.get_mut(index) {
                    *place = value.clone();
                    arrays.push(Value::Array(other));
                }
            }
        }
        for value in &rest {
            let mut more = of_length(least.max(own as u64));
            more.push(value.clone());
            arrays.push(Value::Array(more));
        }
        arrays.push(Value::Array(of_length(least.max(1) + 1)));
        for length in [
            limit(taken, "maxItems").map(|most| most.saturating_add(1)),
            limit(taken, "minItems").and_then(|least| least.checked_sub(1)),
        ] {
            arrays.extend(
                length.filter(|length| *length <= MAX_ITEMS).map(|length| Value::Array(of_length(length))),
            );
        }
        arrays
    }
}

/// The tightest count that is stated.
fn limit(facts: &Facts<'_>, keyword: &str) -> Option<u64> {
    let stated = facts.keyword(keyword).filter_map(Value::as_u64);
    if keyword.starts_with("min") { stated.max() } else { stated.min() }
}

/// What a schema gives as examples, or lists.
fn shown<'s>(facts: &Facts<'s>) -> impl Iterator<Item = &'s Value> {
    let lists: Vec<&Value> = ["enum", "examples"]
        .iter()
        .flat_map(|keyword| facts.keyword(keyword))
        .filter_map(Value::as_array)
        .flatten()
        .collect();
    let single: Vec<&Value> =
        ["const", "default"].iter().flat_map(|keyword| facts.keyword(keyword)).collect();
    lists.into_iter().chain(single)
}

fn strings(sent: &Facts<'_>, taken: &Facts<'_>) -> Vec<Value> {
    let mut strings: Vec<String> = Vec::new();
    let mut push = |text: String| {
        if !strings.contains(&text) {
            strings.push(text);
        }
    };
    // One that both accept comes first, so that documents differ in one place.
    for text in shown(taken).chain(shown(sent)).filter_map(Value::as_str) {
        push(text.to_owned());
    }
    let lengths = [
        limit(sent, "minLength").or(limit(taken, "minLength")),
        Some(1),
        Some(0),
        limit(taken, "minLength"),
        limit(taken, "minLength").and_then(|least| least.checked_sub(1)),
        limit(taken, "maxLength").map(|most| most.saturating_add(1)),
        limit(sent, "maxLength"),
    ];
    for length in lengths.into_iter().flatten().filter(|length| *length <= MAX_LENGTH) {
        push("a".repeat(usize::try_from(length).unwrap_or(0)));
    }
    for text in shown(taken).filter_map(Value::as_str) {
        push(format!("{text} "));
        push(text.to_uppercase());
    }
    for text in
        ["A", "0", "30s", "a b", "é", "a\nb", "https://a.example/", "user@a.example", "2026-01-31", "-"]
    {
        push(text.to_owned());
    }
    strings.into_iter().map(Value::from).collect()
}

/// Numbers around every edge, whole or not as `plain` are.
fn numbers(sent: &Facts<'_>, taken: &Facts<'_>, plain: &[f64]) -> Vec<Value> {
    let whole = plain.iter().all(|number| number.fract() == 0.0);
    let mut numbers: Vec<f64> = Vec::new();
    let mut push = |number: f64| {
        if !numbers.contains(&number) && (number.fract() == 0.0) == whole {
            numbers.push(number);
        }
    };
    for number in shown(taken).chain(shown(sent)).filter_map(Value::as_f64) {
        push(number);
    }
    for facts in [sent, taken] {
        for keyword in ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"] {
            for number in facts.keyword(keyword).filter_map(Value::as_f64) {
                for step in [0.0, 1.0, -1.0, 0.5, -0.5] {
                    push(number + step);
                }
            }
        }
    }
    for number in plain {
        push(*number);
    }
    let number = |float: f64| {
        #[expect(clippy::cast_possible_truncation, reason = "whole, and below 2^53")]
        let whole = (float.fract() == 0.0 && float.abs() < 9e15).then(|| Number::from(float as i64));
        whole.or_else(|| Number::from_f64(float)).map(Value::Number)
    };
    numbers.into_iter().filter_map(number).collect()
}
