//! Which regular expressions mean the same everywhere: in Rust, in ECMAScript (which JSON Schema asks for, and
//! editors use with its `u` flag), and in the other dialects that validators are built on.

/// Why a pattern is not portable; None when it is.
///
/// Portable are literals, groups, alternatives, repetition, anchors, explicit character classes and `[\s\S]`.
/// Left out is what dialects read differently (`.`, `\d`, `\w`, `\s`, `\b`, classes within classes) and what
/// some do not have (look-around, back references, flags, named groups).
pub fn unportable(pattern: &str) -> Option<String> {
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        rest = match first {
            '\\' => match escape(after, "^$\\.*+?()[]{}|/") {
                Ok(rest) => rest,
                Err(reason) => return Some(reason),
            },
            '[' => {
                if let Some(rest) = after.strip_prefix("\\s\\S]") {
                    rest
                } else {
                    match class(after) {
                        Ok(rest) => rest,
                        Err(reason) => return Some(reason),
                    }
                }
            }
            '(' if after.starts_with('?') => match after.strip_prefix("?:") {
                Some(rest) => rest,
                None => return Some("`(?` starts look-around, a named group or flags".to_owned()),
            },
            '{' => match repetition(after) {
                Some(rest) => rest,
                None => return Some("`{` starts no repetition: write `\\{`".to_owned()),
            },
            '}' | ']' => return Some(format!("`{first}` closes nothing: write `\\{first}`")),
            '.' => return Some("dialects differ in what `.` leaves out: write a class".to_owned()),
            _ => after,
        };
    }
    None
}

/// What follows a backslash, up to its end.
fn escape<'p>(after: &'p str, marks: &str) -> Result<&'p str, String> {
    let Some(letter) = after.chars().next() else { return Err("it ends in a backslash".to_owned()) };
    let rest = &after[letter.len_utf8()..];
    if marks.contains(letter) || "nrtfv".contains(letter) {
        return Ok(rest);
    }
    if letter == 'x' && rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(&rest[2..]);
    }
    Err(format!("dialects differ in `\\{letter}`: write a class or the character"))
}

/// A character class after its `[`, up to and with its `]`.
fn class(after: &str) -> Result<&str, String> {
    let mut rest = after.strip_prefix('^').unwrap_or(after);
    let mut previous = None;
    loop {
        let Some(next) = rest.chars().next() else { return Err("a class is not closed".to_owned()) };
        let tail = &rest[next.len_utf8()..];
        rest = match next {
            ']' if previous.is_none() => return Err("dialects differ in empty classes".to_owned()),
            ']' => return Ok(tail),
            '[' => return Err("dialects differ in `[` within a class: write `\\[`".to_owned()),
            '&' | '~' | '-' if previous == Some(next) => {
                return Err(format!("`{next}{next}` within a class is an operator in some dialects"));
            }
            '\\' => escape(tail, "^$\\.*+?()[]{}|/-")?,
            _ => tail,
        };
        previous = Some(next);
    }
}

/// `n}`, `n,}` or `n,m}`.
fn repetition(after: &str) -> Option<&str> {
    let (inside, rest) = after.split_once('}')?;
    let (least, most) = inside.split_once(',').unwrap_or((inside, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (!least.is_empty() && digits(least) && digits(most)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::unportable;

    #[test]
    fn portable_patterns_pass() {
        for pattern in [
            r"^[a-z0-9]+([-_][a-z0-9]+)*$",
            r"^(?:a|b){1,3}\.[^\x00-\x1f\x7f/\\:]*$",
            r"^[\s\S]+$",
            r"^[A-Za-z0-9_.:/*-]*\[\]\{$",
            r"^x{2}y{2,}$",
            "^[^\\x00-\\x7f]{1,24}\u{fe0f}?$",
        ] {
            assert_eq!(unportable(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn what_dialects_read_differently_is_found() {
        for (pattern, reason) in [
            (r"^\d+$", r"`\d`"),
            (r"^[\w]$", r"`\w`"),
            (r"^[^\s]$", r"`\s`"),
            (r"\bx", r"`\b`"),
            (r"^(?=a)", "look-around"),
            (r"^(?<n>a)", "named group"),
            (r"(?i)a", "flags"),
            (r"^(a)\1", r"`\1`"),
            (r"a.b", "`.`"),
            (r"\-", r"`\-`"),
            (r"\p{L}", r"`\p`"),
            (r"\u0041", r"`\u`"),
            (r"\x4", r"`\x`"),
            (r"a{,3}", "no repetition"),
            (r"a}", "closes nothing"),
            (r"[]a]", "empty classes"),
            (r"[a[b]]", "within a class"),
            (r"[a&&b]", "operator"),
            (r"[a-z--b]", "operator"),
            (r"[abc", "not closed"),
            ("a\\", "backslash"),
        ] {
            let found = unportable(pattern).unwrap_or_default();
            assert!(found.contains(reason), "{pattern}: {found}");
        }
    }
}
