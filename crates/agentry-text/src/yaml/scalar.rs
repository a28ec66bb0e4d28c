//! What a scalar without quotes means: in YAML 1.2 (core schema), and to readers of YAML 1.1.

/// What a scalar is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meaning {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text,
    /// YAML 1.1 only: a date, with or without a time.
    Date,
    /// YAML 1.1 only: `=` and `<<`, which most readers refuse as values.
    Special,
}

/// The meaning by the core schema of YAML 1.2.
pub(super) fn core(text: &str) -> Meaning {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Meaning::Null,
        "true" | "True" | "TRUE" => return Meaning::Bool(true),
        "false" | "False" | "FALSE" => return Meaning::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return Meaning::Float(f64::NAN),
        _ => {}
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return signed(digits, 8, false).unwrap_or(Meaning::Text);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return signed(digits, 16, false).unwrap_or(Meaning::Text);
    }
    let (negative, unsigned) = sign(text);
    if let ".inf" | ".Inf" | ".INF" = unsigned {
        return Meaning::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    if is_digits(unsigned) {
        return signed(unsigned, 10, negative).unwrap_or(Meaning::Text);
    }
    if is_decimal(unsigned) {
        return text.parse().map_or(Meaning::Text, Meaning::Float);
    }
    Meaning::Text
}

/// The meaning to readers of YAML 1.1, as the widespread ones have it. `y` and `n` are booleans in that
/// specification and in some readers.
pub(super) fn older(text: &str) -> Meaning {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Meaning::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "y" | "Y" => {
            return Meaning::Bool(true);
        }
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "n" | "N" => {
            return Meaning::Bool(false);
        }
        ".nan" | ".NaN" | ".NAN" => return Meaning::Float(f64::NAN),
        "=" | "<<" => return Meaning::Special,
        _ => {}
    }
    if is_date(text) {
        return Meaning::Date;
    }
    let (negative, unsigned) = sign(text);
    if let ".inf" | ".Inf" | ".INF" = unsigned {
        return Meaning::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    if unsigned.len() < text.len() && unsigned.starts_with('.') {
        // A sign stands before a digit only.
        return Meaning::Text;
    }
    older_number(unsigned, negative).unwrap_or(Meaning::Text)
}

fn older_number(unsigned: &str, negative: bool) -> Option<Meaning> {
    let integer = |digits: &str, base| signed(&digits.replace('_', ""), base, negative);
    if let Some(digits) = unsigned.strip_prefix("0b") {
        return integer(digits, 2);
    }
    if let Some(digits) = unsigned.strip_prefix("0x") {
        return integer(digits, 16);
    }
    let first = unsigned.bytes().next()?;
    if unsigned.contains(':') {
        return sexagesimal(unsigned, negative);
    }
    if first.is_ascii_digit() && unsigned.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        return match unsigned.strip_prefix('0') {
            None | Some("") => integer(unsigned, 10),
            Some(rest) if rest.bytes().all(|byte| byte == b'_') => Some(Meaning::Integer(0)),
            Some(rest) => integer(rest, 8).filter(|_| rest.bytes().all(|byte| !matches!(byte, b'8' | b'9'))),
        };
    }
    // A float has a point, and an exponent has a sign.
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.')?;
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let digit = |digits: &str| digits.starts_with(|c: char| c.is_ascii_digit());
    let mantissa = plain(whole) && plain(fraction) && (digit(whole) || whole.is_empty() && digit(fraction));
    let exponent = exponent.is_none_or(|exponent| {
        exponent.strip_prefix(['+', '-']).is_some_and(|digits| !digits.is_empty() && is_digits(digits))
    });
    if !mantissa || !exponent {
        return None;
    }
    let number: f64 = unsigned.replace('_', "").parse().ok()?;
    Some(Meaning::Float(if negative { -number } else { number }))
}

/// Numbers to the base of 60, such as `22:30`: times, to whoever wrote them.
fn sexagesimal(unsigned: &str, negative: bool) -> Option<Meaning> {
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let mut parts = whole.split(':');
    let first =
        parts.next().filter(|first| plain(first) && first.starts_with(|c: char| c.is_ascii_digit()))?;
    if fraction.is_some_and(|fraction| !plain(fraction)) || fraction.is_none() && first.starts_with('0') {
        return None;
    }
    let mut number: f64 = first.replace('_', "").parse().ok()?;
    for part in parts {
        let minutes: u8 = part.parse().ok().filter(|minutes| *minutes < 60)?;
        if part.len() > 2 || !is_digits(part) {
            return None;
        }
        number = number * 60.0 + f64::from(minutes);
    }
    if negative {
        number = -number;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the value is only shown")]
    Some(if fraction.is_some() { Meaning::Float(number) } else { Meaning::Integer(number as i128) })
}

/// `2026-01-02`, or a date with a time.
fn is_date(text: &str) -> bool {
    let digits = |text: &str, least: usize, most: usize| {
        (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let end = text.find(['T', 't', ' ', '\t']).unwrap_or(text.len());
    let (date, time) = text.split_at(end);
    let parts: Vec<&str> = date.splitn(4, '-').collect();
    let [year, month, day] = parts[..] else { return false };
    if time.is_empty() {
        return digits(year, 4, 4) && digits(month, 2, 2) && digits(day, 2, 2);
    }
    if !(digits(year, 4, 4) && digits(month, 1, 2) && digits(day, 1, 2)) {
        return false;
    }
    let time = time.strip_prefix(['T', 't']).unwrap_or_else(|| time.trim_start_matches([' ', '\t']));
    let zone = time.find(['Z', '+', '-', ' ', '\t']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(zone);
    let zone = zone.trim_start_matches([' ', '\t']);
    let zone = zone.is_empty()
        || zone == "Z"
        || zone.strip_prefix(['+', '-']).is_some_and(|offset| match offset.split_once(':') {
            Some((hours, minutes)) => digits(hours, 1, 2) && digits(minutes, 2, 2),
            None => digits(offset, 1, 2),
        });
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let parts: Vec<&str> = clock.splitn(4, ':').collect();
    let [hours, minutes, seconds] = parts[..] else { return false };
    zone && digits(hours, 1, 2)
        && digits(minutes, 2, 2)
        && digits(seconds, 2, 2)
        && digits(fraction, 0, usize::MAX)
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits with a point, an exponent, or both; at least one digit before the exponent.
fn is_decimal(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let mantissa = match mantissa.split_once('.') {
        Some(("", fraction)) => is_digits(fraction),
        Some((whole, fraction)) => is_digits(whole) && (fraction.is_empty() || is_digits(fraction)),
        None => is_digits(mantissa),
    };
    mantissa && exponent.is_none_or(|exponent| is_digits(sign(exponent).1))
}

/// A whole number; one that no integer type holds is a float.
fn signed(digits: &str, base: u32, negative: bool) -> Option<Meaning> {
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return None;
    }
    let sign = if negative { "-" } else { "" };
    Some(i128::from_str_radix(&format!("{sign}{digits}"), base).map_or_else(
        |_| {
            let digits = digits.chars().filter_map(|c| c.to_digit(base));
            let number = digits.fold(0.0, |sum, digit| sum * f64::from(base) + f64::from(digit));
            Meaning::Float(if negative { -number } else { number })
        },
        Meaning::Integer,
    ))
}

/// Whether a number, read and written again, has fewer digits than it was written with: `1.10` is `1.1`, which
/// a version is not.
pub(super) fn loses_digits(text: &str, number: f64) -> bool {
    if text.contains(['e', 'E']) || !number.is_finite() {
        return false;
    }
    let unsigned = sign(text).1.trim_start_matches('0');
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let read = number.abs().to_string();
    let (read_whole, read_fraction) = read.split_once('.').unwrap_or((&read, ""));
    whole != read_whole.trim_start_matches('0')
        || fraction != read_fraction && !(fraction == "0" && read_fraction.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_mean_what_the_core_schema_says_and_the_older_meaning_is_known() {
        use Meaning::{Bool, Date, Float, Integer, Null, Special, Text};
        for (text, now, before) in [
            ("", Null, Null),
            ("~", Null, Null),
            ("NULL", Null, Null),
            ("nULL", Text, Text),
            ("true", Bool(true), Bool(true)),
            ("FALSE", Bool(false), Bool(false)),
            ("yes", Text, Bool(true)),
            ("No", Text, Bool(false)),
            ("ON", Text, Bool(true)),
            ("off", Text, Bool(false)),
            ("y", Text, Bool(true)),
            ("N", Text, Bool(false)),
            ("yEs", Text, Text),
            ("0", Integer(0), Integer(0)),
            ("-12", Integer(-12), Integer(-12)),
            // More than an integer type holds.
            ("1000000000000000000000000000000000000000000000", Float(1e45), Float(1e45)),
            ("-1000000000000000000000000000000000000000000000", Float(-1e45), Float(-1e45)),
            ("+12", Integer(12), Integer(12)),
            ("0o17", Integer(15), Text),
            ("-0o17", Text, Text),
            ("0o8", Text, Text),
            ("0x1F", Integer(31), Integer(31)),
            ("-0x1F", Text, Integer(-31)),
            ("0x", Text, Text),
            ("0b11", Text, Integer(3)),
            ("0755", Integer(755), Integer(493)),
            ("089", Integer(89), Text),
            ("1_000", Text, Integer(1000)),
            ("1_0.5", Text, Float(10.5)),
            ("_1", Text, Text),
            ("22:30", Text, Integer(1350)),
            ("-1:30", Text, Integer(-90)),
            ("08:30", Text, Text),
            ("1:60", Text, Text),
            ("1:2:3", Text, Integer(3723)),
            ("12:30:45.5", Text, Float(45045.0)),
            ("1.5", Float(1.5), Float(1.5)),
            ("1.", Float(1.0), Float(1.0)),
            (".5", Float(0.5), Float(0.5)),
            ("-.5", Float(-0.5), Text),
            ("+_1.5", Text, Text),
            ("0_", Text, Integer(0)),
            (".", Text, Text),
            ("1e3", Float(1000.0), Text),
            ("1.5e3", Float(1500.0), Text),
            ("1.5e+3", Float(1500.0), Float(1500.0)),
            ("1.e-1", Float(0.1), Float(0.1)),
            ("e3", Text, Text),
            ("1e", Text, Text),
            ("1.2.3", Text, Text),
            (".inf", Float(f64::INFINITY), Float(f64::INFINITY)),
            ("-.INF", Float(f64::NEG_INFINITY), Float(f64::NEG_INFINITY)),
            ("inf", Text, Text),
            ("2026-01-02", Text, Date),
            ("2026-1-2", Text, Text),
            ("2026-01-02T10:00:00Z", Text, Date),
            ("2026-1-2 3:04:05.6 +1:00", Text, Date),
            ("2026-01-02-03", Text, Text),
            ("=", Text, Special),
            ("<<", Text, Special),
            ("plain text", Text, Text),
        ] {
            assert_eq!(core(text), now, "{text} today");
            assert_eq!(older(text), before, "{text} before");
        }
        for text in [".nan", ".NaN", ".NAN"] {
            for meaning in [core(text), older(text)] {
                assert!(matches!(meaning, Float(number) if number.is_nan()), "{text}");
            }
        }
        let large = "9".repeat(60);
        assert!(matches!(core(&large), Float(number) if number > 9e59));
        assert!(matches!(core(&"9".repeat(400)), Float(number) if number.is_infinite()));
    }

    #[test]
    fn only_digits_that_are_lost_count() {
        for (text, loses) in [
            ("1.10", true),
            ("0.50", true),
            ("12.00", true),
            ("0.12345678901234567890", true),
            ("1.1", false),
            ("1.0", false),
            ("1.", false),
            (".5", false),
            ("-00.25", false),
            ("1e3", false),
            ("100.0", false),
        ] {
            assert_eq!(loses_digits(text, text.parse().expect("a number")), loses, "{text}");
        }
    }
}
