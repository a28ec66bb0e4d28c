//! Numbers of JSON, exactly.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};
use serde_json::{Map, Value};

/// An exact number.
pub(crate) type Number = BigRational;

/// 2 to the 63rd: from here on a number that is no whole one of 64 bits may have been rounded when it was read.
const ROUNDED: f64 = 9_223_372_036_854_775_808.0;

/// The value of a number as it is written.
pub(crate) fn read(number: &serde_json::Number) -> Option<Number> {
    if let Some(small) = number.as_i64() {
        return Some(Number::from_integer(small.into()));
    }
    parse(&number.to_string())
}

/// Whether a number may have been another one when it was read, so that two may only look equal.
pub(crate) fn may_be_rounded(number: &serde_json::Number) -> bool {
    number.is_f64() && number.as_f64().is_none_or(|float| float.abs() >= ROUNDED)
}

/// Whether every number of a JSON text is what it is read as: one of 64 bits, whole or with a fraction. Where that holds for
/// two schemas, [`Options::with_exact_numbers`](crate::Options::with_exact_numbers) may be told.
///
/// ```
/// assert!(agentry_diff::is_exact(r#"{"maximum": 1e19, "multipleOf": 0.01, "title": "18446744073709551617"}"#));
/// assert!(!agentry_diff::is_exact(r#"{"maximum": 18446744073709551617}"#));
/// ```
pub fn is_exact(json: &str) -> bool {
    let mut rest = json;
    while let Some(start) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        rest = &rest[start..];
        if let Some(text) = rest.strip_prefix('"') {
            let mut escaped = false;
            let end = text.find(|c: char| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            rest = end.map_or("", |end| &text[end + 1..]);
            continue;
        }
        let end = rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'));
        let (written, after) = rest.split_at(end.unwrap_or(rest.len()));
        let held = serde_json::from_str(written).ok().and_then(|number| read(&number));
        if held.is_none() || held != parse(written) {
            return false;
        }
        rest = after;
    }
    true
}

/// Whether no number in a value may have been rounded, so that a value that looks equal is.
pub(crate) fn all_exact(value: &Value) -> bool {
    match value {
        Value::Number(number) => !may_be_rounded(number),
        Value::Array(items) => items.iter().all(all_exact),
        Value::Object(members) => !steps_by_zero(members) && members.values().all(all_exact),
        _ => true,
    }
}

/// Whether a `multipleOf` was too close to zero for a number of 64 bits: two such only look equal.
pub(crate) fn steps_by_zero(members: &Map<String, Value>) -> bool {
    members.get("multipleOf").is_some_and(|step| step.is_f64() && step.as_f64() == Some(0.0))
}

fn parse(text: &str) -> Option<Number> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    // Beyond what a 64-bit number can be, arithmetic would only cost time.
    let power = exponent.unsigned_abs();
    if power > 2_000 {
        return None;
    }
    let power = BigInt::from(10).pow(power);
    Some(if exponent < 0 { Number::new(digits, power) } else { Number::from_integer(digits * power) })
}

/// The document that is this number, where one of 64 bits is exactly it.
pub(crate) fn write(number: &Number, pointed: bool) -> Option<Value> {
    if number.is_integer() && !pointed {
        let whole = number.to_integer();
        return whole.to_i64().map(Value::from).or_else(|| whole.to_u64().map(Value::from));
    }
    let written = Value::from(decimal(number)?.parse::<f64>().ok().filter(|float| float.is_finite())?);
    let back = parse(&written.to_string())?;
    (back == *number).then_some(written)
}

/// The decimal fraction that a number is, if it is one.
fn decimal(number: &Number) -> Option<String> {
    let mut power = 0_u32;
    let mut rest = number.denom().clone();
    let ten = BigInt::from(10);
    while !rest.is_one() {
        let shared = rest.gcd(&ten);
        if shared.is_one() || power > 400 {
            return None;
        }
        rest /= shared;
        power += 1;
    }
    let scaled = number * Number::from_integer(ten.pow(power));
    Some(format!("{}e-{power}", scaled.to_integer()))
}

/// The smallest number that both divide.
pub(crate) fn least_common_multiple(one: &Number, other: &Number) -> Number {
    let numerator = one.numer().lcm(other.numer()).abs();
    let denominator = one.denom().gcd(other.denom());
    if denominator.is_zero() { Number::zero() } else { Number::new(numerator, denominator) }
}

/// Whether a number is a whole multiple of another, which is not zero.
pub(crate) fn divides(step: &Number, number: &Number) -> bool {
    (number / step).is_integer()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        parse(text).expect("a number")
    }

    #[test]
    fn numbers_are_exact() {
        assert_eq!(number("0.1") + number("0.2"), number("0.3"));
        assert_eq!(number("1e2"), number("100"));
        assert_eq!(number("-1.50"), number("-3") / number("2"));
        assert!(divides(&number("0.01"), &number("4.35")));
        assert!(!divides(&number("0.02"), &number("4.35")));
        assert_eq!(least_common_multiple(&number("1.5"), &number("2")), number("6"));
        assert_eq!(least_common_multiple(&number("0.3"), &number("0.2")), number("0.6"));
    }

    #[test]
    fn numbers_are_written_as_they_are_or_not_at_all() {
        assert_eq!(write(&number("3"), false), Some(Value::from(3)));
        assert_eq!(write(&number("3"), true).map(|value| value.to_string()), Some("3.0".to_owned()));
        assert_eq!(write(&number("-0.25"), false), Some(Value::from(-0.25)));
        assert_eq!(write(&(number("1") / number("3")), false), None);
        assert_eq!(write(&number("0.10000000000000000000001"), false), None);
        assert_eq!(write(&number("18446744073709551616"), false), None);
        // Its text would be that of another number.
        assert_eq!(write(&number("18446744073709551616"), true), None);
        assert!(write(&number("1e20"), true).is_some());
    }
}
