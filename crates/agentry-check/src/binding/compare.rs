//! Whether one schema accepts every document that another one accepts, as far as their keywords tell.
//!
//! What this proves holds. What it cannot prove is a doubt, with the place of the keyword; whether there really is a
//! document that the one accepts and the other refuses is then found out by trying.

use super::facts::{At, Facts, Root, compare, types};
use agentry_schema::keyword::escape;
use serde_json::{Map, Number, Value, json};
use std::cmp::Ordering;

/// How many comparisons are made before the rest is left open.
const MAX_STEPS: usize = 5_000;
/// How deep schemas are followed.
const MAX_DEPTH: usize = 40;
/// How many choices within each other are taken apart.
const MAX_SPLITS: usize = 4;
/// How many listed values are looked at one by one.
const MAX_VALUES: usize = 64;

/// What evaluates keys beside `unevaluatedProperties`.
const EVALUATES: [&str; 9] = [
    "$ref",
    "$dynamicRef",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "dependentSchemas",
    "additionalProperties",
];

/// Something that could not be proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    /// The keyword of the schema that must accept.
    pub(super) keyword: String,
    /// The schema of the documents that it must accept.
    pub(super) origin: String,
    /// The place in the documents.
    pub(super) place: String,
    /// What it is about, where the keyword alone does not say so.
    pub(super) about: About,
}

/// What a doubt is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// What the keyword asks for may not hold.
    Keyword,
    /// A key may be missing.
    Missing(String),
    /// A key may be there: the one of this name, or others than those that are named.
    Key(Option<String>),
    /// A value may be of these types.
    Types(u8),
    /// The keyword is not compared.
    NotCompared,
}

impl Doubt {
    /// The keyword's name.
    pub(super) fn name(&self) -> &str {
        self.keyword.rsplit('/').find(|name| name.parse::<usize>().is_err()).unwrap_or_default()
    }
}

pub(super) struct Comparison<'s, 'r> {
    sent: &'r Root<'s>,
    taken: &'r Root<'s>,
    steps: usize,
}

/// Every doubt whether `taken` accepts what `sent` accepts; none where it is certain.
pub(super) fn doubts<'s>(sent: &Root<'s>, taken: &Root<'s>) -> Vec<Doubt> {
    let facts = Facts::new(sent, &[sent.at()], "");
    let mut found = Vec::new();
    Comparison { sent, taken, steps: 0 }.prove(&facts, &taken.at(), "", Level::default(), &mut found);
    let mut doubts: Vec<Doubt> = Vec::new();
    for doubt in found {
        if !doubts.contains(&doubt) {
            doubts.push(doubt);
        }
    }
    doubts
}

#[derive(Clone, Copy, Default)]
struct Level {
    depth: usize,
    splits: usize,
}

impl Level {
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

/// A keyword that is compared, and all that is around it.
struct Asked<'c, 's> {
    facts: &'c Facts<'s>,
    at: &'c At<'s>,
    keyword: &'c str,
    value: &'s Value,
    place: &'c str,
    level: Level,
}

impl Asked<'_, '_> {
    fn doubt(&self, about: About) -> Doubt {
        Doubt {
            keyword: format!("{}/{}", self.at.pointer, escape(self.keyword)),
            origin: self.facts.home.clone(),
            place: self.place.to_owned(),
            about,
        }
    }

    /// Doubts unless something holds.
    fn unless(&self, holds: bool, doubts: &mut Vec<Doubt>) -> bool {
        if !holds {
            doubts.push(self.doubt(About::Keyword));
        }
        holds
    }
}

impl<'s> Comparison<'s, '_> {
    /// Whether everything that the facts hold for is accepted.
    fn prove(
        &mut self,
        facts: &Facts<'s>,
        at: &At<'s>,
        place: &str,
        level: Level,
        doubts: &mut Vec<Doubt>,
    ) -> bool {
        if facts.types == 0 {
            return true;
        }
        let schema = match at.schema {
            Value::Bool(true) => return true,
            Value::Object(schema) => schema,
            _ => {
                doubts.push(Doubt {
                    keyword: at.pointer.clone(),
                    origin: facts.home.clone(),
                    place: place.to_owned(),
                    about: About::Types(facts.types),
                });
                return false;
            }
        };
        self.steps += 1;
        if self.steps > MAX_STEPS || level.depth > MAX_DEPTH {
            doubts.push(Doubt {
                keyword: at.pointer.clone(),
                origin: facts.home.clone(),
                place: place.to_owned(),
                about: About::NotCompared,
            });
            return false;
        }
        let mut own = Vec::new();
        if self.keywords(facts, schema, at, place, level, &mut own) {
            return true;
        }
        // Each way that a choice can be made is simpler than all of them together.
        if level.splits < MAX_SPLITS {
            let level = Level { depth: level.depth + 1, splits: level.splits + 1 };
            if let Some(options) = facts.choices.first() {
                let mut of_options = Vec::new();
                let mut all = true;
                for option in options {
                    let chosen = facts.choose(self.sent, 0, option);
                    all &= self.prove(&chosen, at, place, level, &mut of_options);
                }
                doubts.append(&mut of_options);
                return all;
            }
            if let Some(values) = facts.finite()
                && (2..=MAX_VALUES).contains(&values.len())
            {
                let mut discarded = Vec::new();
                let proved = values.iter().all(|value| {
                    let one = Facts { value: Some(value), ..facts.of_types(types::of(value)) };
                    self.prove(&one, at, place, level, &mut discarded)
                });
                if proved {
                    return true;
                }
            }
        }
        doubts.append(&mut own);
        false
    }

    fn keywords(
        &mut self,
        facts: &Facts<'s>,
        schema: &'s Map<String, Value>,
        at: &At<'s>,
        place: &str,
        level: Level,
        doubts: &mut Vec<Doubt>,
    ) -> bool {
        let level = level.deeper();
        let mut proved = true;
        let lone = self.taken.lone_references && schema.contains_key("$ref");
        for (keyword, value) in schema {
            if lone && keyword != "$ref" {
                continue;
            }
            let asked = Asked { facts, at, keyword, value, place, level };
            proved &= self.keyword(&asked, schema, doubts);
        }
        proved
    }

    fn keyword(
        &mut self,
        asked: &Asked<'_, 's>,
        schema: &'s Map<String, Value>,
        doubts: &mut Vec<Doubt>,
    ) -> bool {
        let &Asked { facts, at, keyword, value, place, level } = asked;
        let Some(concerned) = concerned(keyword) else { return true };
        if facts.types & concerned == 0 {
            return true;
        }
        match keyword {
            "$ref" => match value.as_str().and_then(|text| self.taken.resolve(text)) {
                Some(target) => self.prove(facts, &target, place, level, doubts),
                None => self.not_compared(asked, doubts),
            },
            "$id" if at.pointer.is_empty() => true,
            "type" => {
                let refused = facts.types & !types::stated(value).unwrap_or(0);
                if refused != 0 && !all_values_pass(asked) {
                    doubts.push(asked.doubt(About::Types(refused)));
                    return false;
                }
                true
            }
            "const" | "enum" | "pattern" | "minLength" | "maxLength" | "minimum" | "maximum"
            | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "minItems" | "maxItems"
            | "minProperties" | "maxProperties" | "uniqueItems" => {
                let holds = all_values_pass(asked) || is_at_least_as_tight(asked);
                asked.unless(holds, doubts)
            }
            "format" => {
                // Whether formats are checked is up to whoever reads the schema.
                let same = facts.keyword("format").any(|own| own == value);
                same || self.not_compared(asked, doubts)
            }
            "required" => {
                let mut proved = true;
                for name in value.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    if !facts.requires(name) {
                        doubts.push(asked.doubt(About::Missing(name.to_owned())));
                        proved = false;
                    }
                }
                proved
            }
            "dependentRequired" => {
                let holds = value.as_object().into_iter().flatten().all(|(name, others)| {
                    let never = facts.property(self.sent, Some(name)).types == 0;
                    let others = || others.as_array().into_iter().flatten().filter_map(Value::as_str);
                    never || others().all(|other| facts.requires(other))
                });
                asked.unless(holds, doubts)
            }
            "properties" => {
                let mut proved = true;
                for (name, property) in value.as_object().into_iter().flatten() {
                    let of_name = facts.property(self.sent, Some(name));
                    let below = at.below(&format!("properties/{}", escape(name)), property);
                    let place = format!("{place}/{}", escape(name));
                    proved &= self.prove(&of_name, &below, &place, level, doubts);
                }
                proved
            }
            "additionalProperties" => self.other_keys(asked, schema, doubts),
            // With no part beside it that evaluates keys, it is the same.
            "unevaluatedProperties" if !EVALUATES.iter().any(|part| schema.contains_key(*part)) => {
                self.other_keys(asked, schema, doubts)
            }
            "unevaluatedProperties" => value == true || self.not_compared(asked, doubts),
            "items" | "prefixItems" => self.items(asked, schema, doubts),
            "allOf" => {
                let mut proved = true;
                for (index, one) in value.as_array().into_iter().flatten().enumerate() {
                    proved &=
                        self.prove(facts, &at.below(&format!("allOf/{index}"), one), place, level, doubts);
                }
                proved
            }
            "anyOf" | "oneOf" => self.one_of_many(asked, doubts),
            "not" => {
                let holds = self.apart(facts, &at.below("not", value), level);
                asked.unless(holds, doubts)
            }
            "if" => self.condition(asked, schema, doubts),
            "patternProperties" | "propertyNames" => {
                let all = |value: &Value| value == true || value.as_object().is_some_and(Map::is_empty);
                let trivial = match keyword {
                    "propertyNames" => all(value) || *value == json!({ "type": "string" }),
                    _ => value.as_object().is_some_and(|schemas| schemas.values().all(all)),
                };
                trivial || self.not_compared(asked, doubts)
            }
            _ => self.not_compared(asked, doubts),
        }
    }

    /// `if`: `then` and `else` are taken, or the condition never holds.
    fn condition(
        &mut self,
        asked: &Asked<'_, 's>,
        schema: &'s Map<String, Value>,
        doubts: &mut Vec<Doubt>,
    ) -> bool {
        let &Asked { facts, at, value, place, level, .. } = asked;
        let branch = |name: &str| schema.get(name).map(|schema| at.below(name, schema));
        let mut discarded = Vec::new();
        let then = match branch("then") {
            Some(then) => {
                self.apart(facts, &at.below("if", value), level)
                    || self.prove(facts, &then, place, level, &mut discarded)
            }
            None => true,
        };
        let proved = then
            && branch("else").is_none_or(|other| self.prove(facts, &other, place, level, &mut discarded));
        asked.unless(proved, doubts)
    }

    #[expect(clippy::unused_self, reason = "called as the other answers are")]
    fn not_compared(&self, asked: &Asked<'_, 's>, doubts: &mut Vec<Doubt>) -> bool {
        doubts.push(asked.doubt(About::NotCompared));
        false
    }

    /// `additionalProperties`: the keys that are not named beside it.
    fn other_keys(
        &mut self,
        asked: &Asked<'_, 's>,
        schema: &'s Map<String, Value>,
        doubts: &mut Vec<Doubt>,
    ) -> bool {
        let &Asked { facts, at, keyword, value, place, level } = asked;
        if value == true || value.as_object().is_some_and(Map::is_empty) {
            return true;
        }
        if schema.get("patternProperties").and_then(Value::as_object).is_some_and(|all| !all.is_empty()) {
            return self.not_compared(asked, doubts);
        }
        let named = schema.get("properties").and_then(Value::as_object);
        let others =
            facts.names().into_iter().filter(|name| named.is_none_or(|named| !named.contains_key(*name)));
        let mut proved = true;
        for name in others.map(Some).chain([None]) {
            let of_name = facts.property(self.sent, name);
            if of_name.types == 0 {
                continue;
            }
            if value == false {
                doubts
                    .push(Doubt { origin: of_name.home, ..asked.doubt(About::Key(name.map(str::to_owned))) });
                proved = false;
                continue;
            }
            let place = format!("{place}/{}", name.map_or("*".to_owned(), escape));
            proved &= self.prove(&of_name, &at.below(keyword, value), &place, level, doubts);
        }
        proved
    }

    fn items(
        &mut self,
        asked: &Asked<'_, 's>,
        schema: &'s Map<String, Value>,
        doubts: &mut Vec<Doubt>,
    ) -> bool {
        let &Asked { facts, at, keyword, value, place, level } = asked;
        let longest = facts.keyword("maxItems").filter_map(Value::as_u64).min().unwrap_or(u64::MAX);
        let can_have = |index: usize| u64::try_from(index).is_ok_and(|index| index < longest);
        let mut proved = true;
        if keyword == "prefixItems" {
            for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                if can_have(index) {
                    let of_item = facts.item(self.sent, Some(index));
                    let below = at.below(&format!("prefixItems/{index}"), item);
                    proved &= self.prove(&of_item, &below, &format!("{place}/{index}"), level, doubts);
                }
            }
            return proved;
        }
        if value.is_array() {
            return self.not_compared(asked, doubts);
        }
        let first = schema.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
        let below = at.below("items", value);
        for index in first..facts.own_items().max(first) {
            if can_have(index) {
                let of_item = facts.item(self.sent, Some(index));
                proved &= self.prove(&of_item, &below, &format!("{place}/{index}"), level, doubts);
            }
        }
        if can_have(first.max(facts.own_items())) {
            proved &= self.prove(&facts.item(self.sent, None), &below, &format!("{place}/*"), level, doubts);
        }
        proved
    }

    /// `anyOf` and `oneOf`: for each type that a value may have, one of them accepts it, and of `oneOf` no other does.
    fn one_of_many(&mut self, asked: &Asked<'_, 's>, doubts: &mut Vec<Doubt>) -> bool {
        let &Asked { facts, at, keyword, value, place, level } = asked;
        let options: Vec<At<'s>> = value
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
            .map(|(index, option)| at.below(&format!("{keyword}/{index}"), option))
            .collect();
        let mut proved = true;
        for (of_type, _) in types::NAMES {
            let of_type = facts.of_types(of_type);
            if of_type.types == 0 {
                continue;
            }
            let mut inner = Vec::new();
            let mut near = 0;
            let taken = (0..options.len()).any(|index| {
                let mut of_option = Vec::new();
                let takes = self.prove(&of_type, &options[index], place, level, &mut of_option);
                if !takes && !self.apart(&of_type, &options[index], level) {
                    near += 1;
                    inner = of_option;
                }
                takes
                    && (keyword == "anyOf"
                        || (0..options.len())
                            .all(|other| other == index || self.apart(&of_type, &options[other], level)))
            });
            if taken {
                continue;
            }
            proved = false;
            if near == 1 {
                doubts.append(&mut inner);
            } else {
                doubts.push(asked.doubt(About::Types(of_type.types)));
            }
        }
        proved
    }

    /// Whether no document that the facts hold for is accepted by a schema.
    fn apart(&mut self, facts: &Facts<'s>, at: &At<'s>, level: Level) -> bool {
        let other = Facts::new(self.taken, std::slice::from_ref(at), &at.pointer);
        self.facts_apart(facts, &other, level.depth)
    }

    fn facts_apart(&mut self, one: &Facts<'s>, other: &Facts<'s>, depth: usize) -> bool {
        let common = one.types & other.types;
        if common == 0 {
            return true;
        }
        self.steps += 1;
        if depth > MAX_DEPTH || self.steps > MAX_STEPS {
            return false;
        }
        if let (Some(one), Some(other)) = (one.finite(), other.finite())
            && one.len().max(other.len()) <= MAX_VALUES
            && !one.iter().any(|value| other.iter().any(|other| equal(value, other)))
        {
            return true;
        }
        // A key that one of them requires, and for which no value is right.
        if common == types::OBJECT {
            let required: Vec<&str> = one.required().chain(other.required()).collect();
            for name in required {
                let of_one = one.property(self.sent, Some(name));
                let of_other = other.property(self.taken, Some(name));
                if self.facts_apart(&of_one, &of_other, depth + 1) {
                    return true;
                }
            }
        }
        let by_choice = |facts: &Facts<'s>, root: &Root<'s>| -> Option<Vec<Facts<'s>>> {
            let options = facts.choices.first()?;
            Some(options.iter().map(|option| facts.choose(root, 0, option)).collect())
        };
        if let Some(options) = by_choice(one, self.sent) {
            return options.iter().all(|option| self.facts_apart(option, other, depth + 1));
        }
        if let Some(options) = by_choice(other, self.taken) {
            return options.iter().all(|option| self.facts_apart(one, option, depth + 1));
        }
        false
    }
}

/// The types that a keyword says something of; None of keywords that say nothing of any document.
fn concerned(keyword: &str) -> Option<u8> {
    Some(match keyword {
        // Older drafts let validators check the content of strings.
        "minLength" | "maxLength" | "pattern" | "format" | "contentEncoding" | "contentMediaType" => {
            types::STRING
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => types::NUMBER,
        "items" | "prefixItems" | "additionalItems" | "contains" | "minItems" | "maxItems"
        | "uniqueItems" | "unevaluatedItems" => types::ARRAY,
        "properties"
        | "patternProperties"
        | "additionalProperties"
        | "propertyNames"
        | "required"
        | "minProperties"
        | "maxProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "dependencies"
        | "unevaluatedProperties" => types::OBJECT,
        "$id" | "$ref" | "$dynamicRef" | "$recursiveRef" | "type" | "const" | "enum" | "allOf" | "anyOf"
        | "oneOf" | "not" | "if" => types::ALL,
        _ => return None,
    })
}

/// Whether the values are listed, and all of them pass the keyword. Only for keywords that need no other.
fn all_values_pass(asked: &Asked<'_, '_>) -> bool {
    let Some(values) = asked.facts.finite().filter(|values| values.len() <= MAX_VALUES) else { return false };
    let schema = json!({ asked.keyword: asked.value });
    jsonschema::draft202012::options()
        .offline()
        .build(&schema)
        .is_ok_and(|validator| values.iter().all(|value| validator.is_valid(value)))
}

/// Whether the facts state the keyword itself, at least as tightly, or something that comes to the same.
fn is_at_least_as_tight(asked: &Asked<'_, '_>) -> bool {
    let Asked { facts, keyword, value, .. } = *asked;
    let number = value.as_number();
    let is = |wanted: u32| number.and_then(|number| compare(number, &Number::from(wanted)));
    let at_least = |own: &str| number.is_some_and(|number| facts.bounds(own, Ordering::Greater, number));
    let at_most = |own: &str| number.is_some_and(|number| facts.bounds(own, Ordering::Less, number));
    let beyond = |own: &str, order: Ordering| {
        number.is_some_and(|number| {
            let own = facts.keyword(own).filter_map(Value::as_number);
            own.filter_map(|own| compare(own, number)).any(|found| found == order)
        })
    };
    match keyword {
        "minimum" => at_least("minimum") || at_least("exclusiveMinimum"),
        "maximum" => at_most("maximum") || at_most("exclusiveMaximum"),
        "exclusiveMinimum" => at_least("exclusiveMinimum") || beyond("minimum", Ordering::Greater),
        "exclusiveMaximum" => at_most("exclusiveMaximum") || beyond("maximum", Ordering::Less),
        "minLength" | "minItems" => is(0) == Some(Ordering::Equal) || at_least(keyword),
        "minProperties" => {
            let mut required: Vec<&str> = facts.required().collect();
            required.sort_unstable();
            required.dedup();
            at_least(keyword) || value.as_u64().is_some_and(|least| least <= required.len() as u64)
        }
        "maxLength" | "maxItems" | "maxProperties" => at_most(keyword),
        "multipleOf" => {
            let whole = facts.types & types::FRACTION == 0;
            whole && is(1) == Some(Ordering::Equal) || facts.keyword(keyword).any(|own| own == value)
        }
        "uniqueItems" => {
            value == false
                || facts.keyword(keyword).any(|own| own == true)
                || facts.bounds("maxItems", Ordering::Less, &Number::from(1))
        }
        "pattern" | "const" | "enum" => facts.keyword(keyword).any(|own| own == value),
        _ => false,
    }
}

/// Whether two values are one to JSON Schema, to which `1` and `1.0` are.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            // What cannot be told apart exactly may be equal.
            compare(one, other).is_none_or(|order| order == Ordering::Equal)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| equal(one, other)))
        }
        _ => one == other,
    }
}
