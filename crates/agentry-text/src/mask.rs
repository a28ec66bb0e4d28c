//! Secrets are never printed: what looks like a credential is masked wherever text reaches a person.

use regex_lite::Regex;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::LazyLock;

/// What stands for a secret.
pub const MASK: &str = "••••••••";

/// The longest value that a message repeats, in characters.
const MAX_QUOTED: usize = 60;

/// Prefixes that services give their credentials, and shapes that are nothing else.
static SHAPES: LazyLock<Regex> = LazyLock::new(|| {
    // Begun where a shape may begin: a search from there on would read the rest of the text where there is none.
    Regex::new(concat!(
        r"^(?:(?:sk|pk|rk|sess|key)[-_][A-Za-z0-9_-]{16,}",
        r"|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{16,}",
        r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}",
        r"|A(?:KIA|SIA)[0-9A-Z]{12,}|AIza[0-9A-Za-z_-]{20,}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{16,}",
        r"|gsk_[A-Za-z0-9]{16,}|hf_[A-Za-z0-9]{16,}|xai-[A-Za-z0-9]{16,}|r8_[A-Za-z0-9]{16,}|pplx-[A-Za-z0-9]{16,}",
        r"|nvapi-[A-Za-z0-9_-]{16,}|lin_api_[A-Za-z0-9]{16,}|ntn_[A-Za-z0-9]{16,}|secret_[A-Za-z0-9]{16,}",
        r"|npm_[A-Za-z0-9]{16,}|pypi-[A-Za-z0-9_-]{16,}|dop_v1_[A-Za-z0-9]{16,}|shp(?:at|ss)_[A-Za-z0-9]{16,}",
        r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|[0-9]{8,10}:[A-Za-z0-9_-]{30,}",
        r"|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?",
        r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\s]*",
        r"|(?i:bearer|basic)\s+[A-Za-z0-9._~+/=-]{16,})",
    ))
    .expect("a fixed pattern")
});

/// `user:password@` in a URL.
static USER_INFO: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(://[^/\s:@]*:)([^/\s@]+)(@)").expect("a fixed pattern"));

/// The same without a scheme, as people write it who leave the scheme out.
static BARE_USER_INFO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?:^|[\s"'`(=/,\[{])([^\s/:@"'`,]+):([^\s/"'`]+)@([A-Za-z\[]|[0-9]+\.[0-9]+\.[0-9]+\.[0-9])"#,
    )
    .expect("a fixed pattern")
});

/// What stands before a colon and an address, and is no user.
const NOT_USERS: [&str; 9] = ["mailto", "email", "acct", "sip", "sips", "xmpp", "npm", "jsr", "git"];

/// How long a run of characters is at least that could be a key of unknown make.
const MIN_TOKEN: usize = 24;

/// How the shapes begin, except for those that have a rule of their own below, and how many letters, digits and signs
/// follow at least.
const BEGINNINGS: [(&[u8], usize); 46] = [
    (b"sk-", 16),
    (b"sk_", 16),
    (b"pk-", 16),
    (b"pk_", 16),
    (b"rk-", 16),
    (b"rk_", 16),
    (b"sess-", 16),
    (b"sess_", 16),
    (b"key-", 16),
    (b"key_", 16),
    (b"ghp_", 16),
    (b"gho_", 16),
    (b"ghu_", 16),
    (b"ghs_", 16),
    (b"ghr_", 16),
    (b"github_pat_", 16),
    (b"glpat-", 16),
    (b"xoxa-", 10),
    (b"xoxb-", 10),
    (b"xoxe-", 10),
    (b"xoxo-", 10),
    (b"xoxp-", 10),
    (b"xoxr-", 10),
    (b"xoxs-", 10),
    (b"xapp-", 10),
    (b"AKIA", 12),
    (b"ASIA", 12),
    (b"AIza", 20),
    (b"ya29.", 20),
    (b"GOCSPX-", 16),
    (b"gsk_", 16),
    (b"hf_", 16),
    (b"xai-", 16),
    (b"r8_", 16),
    (b"pplx-", 16),
    (b"nvapi-", 16),
    (b"lin_api_", 16),
    (b"ntn_", 16),
    (b"secret_", 16),
    (b"npm_", 16),
    (b"pypi-", 16),
    (b"dop_v1_", 16),
    (b"shpat_", 16),
    (b"shpss_", 16),
    (b"SG.", 16),
    (b"eyJ", 10),
];

/// The first letters of all that `SHAPES` finds.
static FIRST: LazyLock<[bool; 256]> = LazyLock::new(|| {
    let mut first = [false; 256];
    for letter in BEGINNINGS.iter().map(|(beginning, _)| beginning[0]).chain(*b"bB-0123456789") {
        first[usize::from(letter)] = true;
    }
    first
});

/// Whether one of the shapes may begin where these bytes do. The pattern itself is far slower than this, and hardly any
/// text has one.
fn may_begin_shape(bytes: &[u8]) -> bool {
    let Some(&letter) = bytes.first() else { return false };
    if !FIRST[usize::from(letter)] {
        return false;
    }
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
    let is_word = |word: &[u8]| {
        bytes.get(..word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word))
            && bytes.get(word.len()).is_some_and(is_space)
    };
    match letter {
        b'b' | b'B' => is_word(b"bearer") || is_word(b"basic"),
        b'-' => bytes.starts_with(b"-----BEGIN "),
        b'0'..=b'9' => {
            let digits = bytes.iter().take(11).take_while(|byte| byte.is_ascii_digit()).count();
            (8..=10).contains(&digits) && bytes.get(digits) == Some(&b':')
        }
        _ => BEGINNINGS.iter().any(|(beginning, least)| {
            beginning[0] == letter
                && bytes
                    .strip_prefix(*beginning)
                    .and_then(|rest| rest.get(..*least))
                    .is_some_and(|rest| rest.iter().all(is_part))
        }),
    }
}

/// How many characters of `is_shaped` stand together in the shortest of the shapes, but for those of two words.
const MIN_SHAPE: usize = 13;

/// The characters that the shapes begin with, as many as each has at least.
const fn is_shaped(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':')
}

/// Where one of the shapes may begin, from a place on. Prose has short words, of which the last letters alone are looked
/// at: what is long enough is looked at letter by letter.
fn shape_from(bytes: &[u8], mut at: usize) -> Option<usize> {
    while at < bytes.len() {
        if !is_shaped(bytes[at]) {
            at += 1;
            continue;
        }
        let end = at + bytes[at..].iter().take_while(|byte| is_shaped(**byte)).count();
        if end - at >= MIN_SHAPE {
            if let Some(start) = (at..end).find(|start| may_begin_shape(&bytes[*start..])) {
                return Some(start);
            }
        } else {
            let words = [b"bearer".len(), b"basic".len(), b"-----BEGIN".len()];
            let mut starts = words.iter().filter_map(|length| end.checked_sub(*length));
            if let Some(start) = starts.find(|start| *start >= at && may_begin_shape(&bytes[*start..])) {
                return Some(start);
            }
        }
        at = end;
    }
    None
}

/// The credentials of a known shape in a text, one after the other.
fn shapes(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        // Each beginning is ASCII, so that a place of one is no place inside a character.
        while let Some(start) = shape_from(text.as_bytes(), at) {
            if let Some(found) = SHAPES.find(&text[start..]) {
                at = start + found.end();
                return Some(start..at);
            }
            at = start + 1;
        }
        at = text.len();
        None
    })
}

/// The words of a text with an `@` in them, each with the blank before it: where one pattern or another may find a
/// password before a host, and all that it can see of the text.
fn addresses(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let sign = at + text.get(at..)?.find('@')?;
        let start = bytes[at..sign].iter().rposition(is_space).map_or(at, |found| at + found);
        at = bytes[sign..].iter().position(is_space).map_or(bytes.len(), |length| sign + length);
        Some(start..at)
    })
}

/// Runs of characters that could be keys of unknown make.
fn tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'/' | b'=' | b'-');
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            while at < bytes.len() && is_part(bytes[at]) {
                at += 1;
            }
            let run = start..at;
            at += 1;
            if run.len() >= MIN_TOKEN {
                return Some(run);
            }
        }
        None
    })
}

/// The passwords before hosts in addresses.
fn passwords(text: &str) -> impl Iterator<Item = Range<usize>> {
    addresses(text).filter(|word| text[word.clone()].contains("://")).flat_map(move |word| {
        let found = USER_INFO.captures_iter(&text[word.clone()]).filter_map(|found| found.get(2));
        found.map(move |password| word.start + password.start()..word.start + password.end())
    })
}

/// What follows a key: the text that is given for it, in any of the formats, also with the sign between missing.
static GIVEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"^["']?[ \t]*(?:([=:])[ \t]*|[ \t])"#,
        r#"("""(?:[^"]|"[^"]|""[^"])*(?:"""|$)|'''(?:[^']|'[^']|''[^'])*(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s,}\]#"']+)"#,
    ))
    .expect("a fixed pattern")
});

/// How a key ends that holds a secret, and how one ends that may.
const SECRET_ENDS: [&str; 12] = [
    "key",
    "kee",
    "token",
    "secret",
    "word",
    "passwd",
    "pwd",
    "code",
    "phrase",
    "credential",
    "credentials",
    "authorization",
];
const MAYBE_ENDS: [&str; 8] = ["pass", "pin", "code", "number", "words", "keys", "codes", "phrases"];

/// Whether a key ends in one of some words, but for what is no letter. Most keys end in none, and this alone tells.
fn ends_in(key: &str, words: &[&str]) -> bool {
    let end = key.trim_end_matches(|c: char| !c.is_alphabetic()).as_bytes();
    // Case is not as plain for other letters.
    !end.is_ascii()
        || words.iter().any(|word| {
            end.len()
                .checked_sub(word.len())
                .is_some_and(|at| end[at..].eq_ignore_ascii_case(word.as_bytes()))
        })
}

/// Whether a key holds a secret, going by its name: `api_key`, `clientSecret`, `GITHUB_TOKEN`, `password`. Names of
/// variables (`api_key_env`) and counts (`max_tokens`) do not.
pub fn names_secret(key: &str) -> bool {
    const ENDINGS: [&str; 9] = [
        "token",
        "secret",
        "password",
        "passwd",
        "passcode",
        "passphrase",
        "credential",
        "apikey",
        "authorization",
    ];
    if !ends_in(key, &SECRET_ENDS) {
        return false;
    }
    let words = words(key);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [.., "api" | "access" | "private" | "secret" | "auth" | "signing" | "encryption", "key" | "kee"]
        | [.., "pass", "word" | "code" | "phrase"] => true,
        // Names are also written in one: `PGPASSWORD`.
        [.., last] => {
            matches!(last, "pwd" | "credentials") || ENDINGS.iter().any(|ending| last.ends_with(ending))
        }
        [] => false,
    }
}

/// Whether a key may hold a secret, going by its name: also by words that have another meaning (`db_pass`, `PIN`). It
/// is reason enough to show no value of it, and none to say that there is one.
pub fn may_name_secret(key: &str) -> bool {
    names_secret(key)
        || ends_in(key, &MAYBE_ENDS)
            && match words(key).iter().map(String::as_str).collect::<Vec<_>>()[..] {
                [.., "pin", "code" | "number"]
                | [.., "api" | "access" | "private" | "secret" | "auth" | "signing" | "encryption", "keys"] => {
                    true
                }
                [.., last] => {
                    matches!(
                        last,
                        "pass" | "pin" | "pincode" | "passwords" | "passcodes" | "passphrases" | "apikeys"
                    )
                }
                [] => false,
            }
}

/// The words of a name, in lower case, without the number at its end.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut fresh = true;
    let mut lower = false;
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    for c in name.chars() {
        if !c.is_alphanumeric() {
            fresh = true;
            continue;
        }
        let begins = fresh || (c.is_uppercase() && lower);
        fresh = false;
        lower = c.is_lowercase();
        match words.last_mut() {
            Some(word) if !begins => word.extend(c.to_lowercase()),
            _ => words.push(c.to_lowercase().collect()),
        }
    }
    words
}

/// Whether a key holds a table whose values are often secret, whatever their names: variables of an environment, headers.
pub(crate) fn names_secrets(key: &str) -> bool {
    matches!(key.to_ascii_lowercase().as_str(), "env" | "environment" | "headers" | "secrets")
}

/// Where a text gives a value to a key that holds a secret.
fn assigned_secrets(text: &str) -> Vec<Range<usize>> {
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '$');
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_key).map(|start| at + start) {
        let end = text[start..].find(|c| !is_key(c)).map_or(text.len(), |length| start + length);
        at = end;
        let key = &text[start..end];
        if key.len() > MAX_QUOTED || !may_name_secret(key) {
            continue;
        }
        let Some(found) = GIVEN.captures(&text[end..]) else { continue };
        let Some(value) = found.get(2) else { continue };
        let quoted = value.as_str().starts_with(['"', '\'']);
        // Prose has such words before a colon.
        let prose = !quoted && found.get(1).is_some_and(|sign| sign.as_str() == ":");
        if prose && !key.contains(['_', '-', '.']) && !names_secret(key) {
            continue;
        }
        // The option of a command takes what follows it.
        let option = key.starts_with('-') && !value.as_str().starts_with('-');
        let plain = matches!(value.as_str(), "true" | "false" | "null")
            || value.as_str().parse::<f64>().is_ok()
            || value.as_str().starts_with(['{', '[']);
        if quoted || (found.get(1).is_some() || option) && !plain {
            ranges.push(end + value.start()..end + value.end());
            at = end + value.end();
        }
    }
    ranges
}

/// Where a text has passwords before hosts, with no scheme that would make an address of it. That is often something
/// else, such as a name with a tag, so that it is masked and nothing more.
fn bare_passwords(text: &str) -> impl Iterator<Item = Range<usize>> {
    addresses(text).flat_map(move |word| {
        let searched = &text[word.clone()];
        BARE_USER_INFO.captures_iter(searched).filter_map(move |found| {
            let (user, password, host) = (found.get(1)?, found.get(2)?, found.get(3)?);
            let digest = ["sha256:", "sha384:", "sha512:"]
                .iter()
                .any(|name| searched[host.start()..].starts_with(name));
            (!digest && !NOT_USERS.contains(&user.as_str()))
                .then(|| word.start + password.start()..word.start + password.end())
        })
    })
}

/// Where a text holds something of the shape of a credential: ranges of bytes, in order, apart from each other.
fn secret_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = shapes(text).chain(passwords(text)).collect();
    ranges.extend(tokens(text).filter(|token| is_random(&text[token.clone()])));
    merged(ranges)
}

/// The ranges in order, and apart from each other.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// Whether a text holds something of the shape of a credential.
pub fn looks_secret(text: &str) -> bool {
    !secret_ranges(text).is_empty()
}

/// Where a text holds what is a credential and hardly anything else: ranges of bytes, in order. Masking hides whatever
/// could be one; who says that there is one has to be surer, so that words joined by hyphens, hashes, and what
/// explanations write for a credential are none here.
pub fn credentials_in(text: &str) -> Vec<Range<usize>> {
    // Prose has no such words, and is most of what is asked about: the patterns are slower than this.
    let may_be_one = |word: &str| {
        word.len() >= 14 && word.bytes().filter(u8::is_ascii_digit).count() >= 2
            || word.contains('@') && word.contains("://")
    };
    if !text.split_ascii_whitespace().any(may_be_one) {
        return Vec::new();
    }
    let shaped = shapes(text).filter(|found| {
        let before = text[..found.start].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '-' | '_'))
            && is_drawn(&text[found.clone()])
    });
    let passwords = passwords(text).filter(|password| {
        let chars = &text[password.clone()];
        chars.len() >= 6
            && chars.chars().any(|c| c.is_ascii_digit())
            && chars.chars().any(char::is_alphabetic)
            && !chars.contains(['$', '{', '<', '%', '*'])
            && !stands_for_one(chars)
    });
    // A password may be of such a shape.
    merged(shaped.chain(passwords).collect())
}

/// Whether a text of the shape of a credential was drawn by a program and not written by a person.
fn is_drawn(found: &str) -> bool {
    if let Some((_, key)) = found.split_once("PRIVATE KEY-----") {
        return key.chars().filter(char::is_ascii_alphanumeric).count() >= 40;
    }
    if stands_for_one(found) {
        return false;
    }
    let lower = found.to_ascii_lowercase();
    // These begin ordinary words too.
    let common = ["sk", "pk", "rk", "sess", "key", "secret", "bearer", "basic"];
    let mixed = |run: &str| {
        run.chars().filter(char::is_ascii_digit).count() >= 2 && run.chars().any(|c| c.is_ascii_alphabetic())
    };
    let mut distinct: Vec<char> = found.chars().collect();
    distinct.sort_unstable();
    distinct.dedup();
    if common.iter().any(|word| lower.starts_with(word)) {
        found.split(|c: char| !c.is_ascii_alphanumeric()).any(|run| run.len() >= 12 && mixed(run))
    } else {
        distinct.len() >= 8 && mixed(found)
    }
}

/// Whether a text only stands for a credential, as explanations have it.
fn stands_for_one(text: &str) -> bool {
    text.contains("EXAMPLE") || is_stand_in(&text.to_ascii_lowercase())
}

/// Whether a text in lower case has a word for what is to be replaced.
fn is_stand_in(lower: &str) -> bool {
    ["xxxx", "your", "placeholder", "redacted", "changeme", "dummy", "...", "1234567890123456"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Whether the value of a key that holds a secret is plainly none: nothing, a word that turns something on or off, a small
/// number, or a text that is to be replaced.
pub fn is_no_secret(value: &str) -> bool {
    const WORDS: [&str; 12] =
        ["true", "false", "yes", "no", "on", "off", "none", "null", "auto", "default", "string", "undefined"];
    let value = value.trim();
    let lower = value.to_ascii_lowercase();
    let joined: String = lower.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).collect();
    value.is_empty()
        || WORDS.contains(&lower.as_str())
        || value.len() < 6 && value.parse::<f64>().is_ok()
        || is_stand_in(&lower)
        || lower.strip_prefix("example").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        || ["changeme", "replaceme", "replacewith", "insert", "todo", "fixme", "sample", "secrethere"]
            .iter()
            .any(|word| joined.starts_with(word) || joined == format!("my{word}"))
        || value.len() >= 3 && lower.chars().all(|c| matches!(c, 'x' | '*' | '.' | '…' | '-' | '•'))
}

/// The text with everything of the shape of a credential masked.
pub fn mask_secrets(text: &str) -> String {
    let mut ranges = secret_ranges(text);
    ranges.extend(bare_passwords(text));
    masked_at(text, &merged(ranges))
}

/// The same, and what the text gives for keys that hold secrets by their name: what a message says of a document may
/// repeat such a line of it.
pub(crate) fn mask_message(text: &str) -> String {
    let mut ranges = secret_ranges(text);
    ranges.extend(bare_passwords(text));
    // The quotes around the value, and around code, stay.
    ranges.extend(assigned_secrets(text).into_iter().map(|range| {
        let value = &text[range.clone()];
        let is_quote = |c| matches!(c, '"' | '\'' | '`');
        let start = range.start + value.len() - value.trim_start_matches(is_quote).len();
        start..(range.start + value.trim_end_matches(is_quote).len()).max(start)
    }));
    ranges.retain(|range| !text[range.clone()].trim_matches(['*', '•']).is_empty());
    masked_at(text, &merged(ranges))
}

fn masked_at(text: &str, ranges: &[Range<usize>]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for range in ranges {
        masked.push_str(&text[at..range.start]);
        masked.push_str(MASK);
        at = range.end;
    }
    masked.push_str(&text[at..]);
    masked
}

/// The text with everything of the shape of a credential, what is given for keys that hold secrets by their name, and
/// the given ranges of bytes, replaced by as many asterisks as there are bytes: places in it stay places in it. Quotes and line breaks stay.
pub fn mask_in_place(text: &str, secrets: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut masked = vec![false; text.len()];
    let found = secret_ranges(text).into_iter().chain(bare_passwords(text)).chain(assigned_secrets(text));
    for range in found.chain(secrets) {
        for at in range {
            if let Some(byte) = masked.get_mut(at) {
                *byte = true;
            }
        }
    }
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if masked[at] && !matches!(c, '\n' | '\r' | '"' | '\'') {
            out.extend(std::iter::repeat_n('*', c.len_utf8()));
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a run of characters looks drawn at random: upper and lower case and digits well mixed, or all hex.
/// Words joined by `-`, `_` or `/` and placeholders such as `xxxx` are not.
fn is_random(token: &str) -> bool {
    let core: Vec<char> = token.chars().filter(char::is_ascii_alphanumeric).collect();
    if core.len() < 24 {
        return false;
    }
    let digits = core.iter().filter(|c| c.is_ascii_digit()).count();
    let hex = core.iter().all(char::is_ascii_hexdigit);
    let mut distinct = core.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < 10 {
        return false;
    }
    // How often the class (upper, lower, digit) changes: words and version numbers change seldom.
    let class = |c: char| (c.is_ascii_uppercase(), c.is_ascii_digit());
    let changes = core.windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count();
    (hex && digits * 4 >= core.len()) || (digits > 0 && changes * 3 >= core.len())
}

/// A value as a message shows it: masked, on one line, shortened, in backticks.
pub fn quoted(text: &str) -> String {
    let masked = mask_secrets(&mask_in_place(text, []));
    let mut short = String::new();
    for (count, c) in masked.chars().enumerate() {
        if count == MAX_QUOTED {
            short.push('…');
            break;
        }
        match c {
            '\n' => short.push_str("\\n"),
            '\r' => short.push_str("\\r"),
            '\t' => short.push_str("\\t"),
            c if c.is_control() || is_invisible(c) => {
                let _ = write!(short, "\\u{{{:x}}}", u32::from(c));
            }
            c => short.push(c),
        }
    }
    format!("`{short}`")
}

/// Characters that change what is seen without being seen.
pub fn is_invisible(c: char) -> bool {
    matches!(u32::from(c), 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x2069 | 0xFEFF | 0xE0000..=0xE007F)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked first, because it is fast, leaves out nothing that the patterns find.
    #[test]
    fn the_fast_search_finds_what_the_patterns_find() {
        let long = "aB3dE6gH9jK2mN5pQ8sT1vX4zA7cF0";
        let beginnings =
            BEGINNINGS.iter().map(|(beginning, _)| String::from_utf8_lossy(beginning).into_owned());
        let others = [
            "Bearer ",
            "basic\t",
            "bEARER \n",
            "12345678:",
            "1234567890:",
            "12345678901:",
            "-----BEGIN RSA PRIVATE KEY-----",
        ];
        let anywhere = SHAPES.as_str().strip_prefix('^').expect("an anchored pattern");
        let anywhere = Regex::new(anywhere).expect("a pattern");
        let mut found = 0;
        for beginning in beginnings.chain(others.map(str::to_owned)) {
            for before in ["", "x", "é", "a key: ", "sk-", "--", "7"] {
                for rest in (0..=long.len()).map(|end| &long[..end]) {
                    for after in ["", " and é", ".abcdef_-", &format!(".{long} sk-{long}")] {
                        let text = format!("{before}{beginning}{rest}{after}");
                        let fast: Vec<_> = shapes(&text).collect();
                        let slow: Vec<_> = anywhere.find_iter(&text).map(|found| found.range()).collect();
                        assert_eq!(fast, slow, "{text}");
                        found += slow.len();
                    }
                }
            }
        }
        assert!(found > 10_000, "{found}");
        for text in [
            "a:b@c",
            " a:b@c d:e@f",
            "x a:b@c,d:e@f",
            "mailto:a@b.example c:d@e",
            "https://a:b@c/d:e@f g",
            "é a:b@c\u{b}d:e@f\u{a0}g:h@i",
            "@ a:b@",
            "a@b:c@d a:b@sha256:12",
            "s://a:b@c@d\n://e:f@g",
            "(a:b@[::1]",
        ] {
            let slow: Vec<_> =
                USER_INFO.captures_iter(text).filter_map(|found| Some(found.get(2)?.range())).collect();
            assert_eq!(passwords(text).collect::<Vec<_>>(), slow, "{text}");
            let slow = BARE_USER_INFO.captures_iter(text).filter_map(|found| {
                let digest = text[found.get(3)?.start()..].starts_with("sha256:");
                (!digest && !NOT_USERS.contains(&found.get(1)?.as_str())).then_some(found.get(2)?.range())
            });
            assert_eq!(bare_passwords(text).collect::<Vec<_>>(), slow.collect::<Vec<_>>(), "{text}");
        }
        let token = Regex::new(r"[A-Za-z0-9_+/=-]{24,}").expect("a pattern");
        for text in
            [long, "é", "", &format!("é{long}é{long}"), &format!("{} {long}=", &long[..23]), &long[..24]]
        {
            let slow: Vec<_> = token.find_iter(text).map(|found| found.range()).collect();
            assert_eq!(tokens(text).collect::<Vec<_>>(), slow, "{text}");
        }
    }

    #[test]
    fn credentials_are_masked_and_ordinary_values_are_not() {
        for secret in [
            "sk-ant-REDACTED-example",
            "ghp_0123456789abcdefABCDEF0123456789abcd",
            "xoxb-1234567890-abcdefghij",
            "https://user:hunter2@host.example/path",
            "621b17f2d0afbd6142a499c0de621b17",
            "Bearer abcdefghijklmnop1234",
        ] {
            assert!(looks_secret(secret), "{secret}");
            let core = secret.rsplit([' ', ':']).next().unwrap_or(secret).split('@').next().unwrap_or(secret);
            assert!(!mask_secrets(secret).contains(core), "{secret} -> {}", mask_secrets(secret));
        }
        for plain in [
            "bedrock/meta.llama3-3-70b-instruct-v1:0",
            "openrouter/nousresearch/hermes-3-llama-3.1-405b:free",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "@modelcontextprotocol/server-github@2025.4.8",
            "0.4.3-beta3-20260314",
            "https://api.example.com/v1/organisations/acme",
            "ghp_xxxxxxxx",
            "doubao-seed-2-0-pro-260215",
            "Internationalisierungsbeauftragte",
        ] {
            assert!(!looks_secret(plain), "{plain}");
            assert_eq!(mask_secrets(plain), plain);
        }
    }

    #[test]
    fn what_is_said_to_be_a_credential_is_one() {
        for (text, expected) in [
            ("use ghp_9fK2mQ7xT4bV8nR3sW6yZ1cD5gH0jL2pA4eU now", "ghp_9fK2mQ7xT4bV8nR3sW6yZ1cD5gH0jL2pA4eU"),
            ("sk-live-9fk2mq7xt4bv8nr3sw6y", "sk-live-9fk2mq7xt4bv8nr3sw6y"),
            ("Bearer 9fk2mq7xt4bv8nr3sw6y", "Bearer 9fk2mq7xt4bv8nr3sw6y"),
            ("postgres://app:t1depool@db.acme.example/tides", "t1depool"),
            (
                "postgres://app:t1depool@db.acme.example, sk-live-9fk2mq7xt4bv8nr3sw6y or sk-live-8fk2mq7xt4bv8nr3sw6y",
                "t1depool sk-live-9fk2mq7xt4bv8nr3sw6y sk-live-8fk2mq7xt4bv8nr3sw6y",
            ),
            (
                "https://app:ghp_9fK2mQ7xT4bV8nR3sW6yZ1cD5gH0jL2pA4eU@acme.example",
                "ghp_9fK2mQ7xT4bV8nR3sW6yZ1cD5gH0jL2pA4eU",
            ),
        ] {
            let found: Vec<&str> = credentials_in(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found.join(" "), expected);
        }
        for plain in [
            "task-management-for-teams-2026",
            "ask-management-for-teams-2026",
            "key_value_store_for_agents_v2",
            "sk-learn-pipelines-and-more-2026",
            "ghp_xxxxxxxxxxxxxxxxxxxx",
            "sk-your-key-0123456789abcdef",
            "AKIAIOSFODNN7EXAMPLE",
            "look for -----BEGIN RSA PRIVATE KEY----- in files",
            "postgres://user:password@localhost/db",
            "postgres://user:${DB_PASSW0RD}@localhost/db",
            "621b17f2d0afbd6142a499c0de621b17621b17f2d0afbd6142a499c0de621b17",
            "Bearer authentication-of-requests",
            "sk-internationalization-2026",
            "sk-internationalization-of-m365",
        ] {
            assert_eq!(credentials_in(plain), [], "{plain}");
        }
    }

    #[test]
    fn names_of_keys_tell_secrets() {
        for key in [
            "api_key",
            "API_KEY",
            "apiKey",
            "api_kee",
            "GITHUB_TOKEN",
            "clientSecret",
            "password",
            "auth.token",
            "Authorization",
            "PGPASSWORD",
            "MYSQL_PWD",
            "passcode",
            "sshPassphrase",
            "pass_word",
            "API_KEY_2",
            "token1",
            // The sign for kelvins is a capital K.
            "API_\u{212a}EY",
        ] {
            assert!(names_secret(key), "{key}");
        }
        for key in [
            "db_pass",
            "MY_PASS",
            "pass",
            "smtpPass",
            "pin",
            "DB_PIN",
            "pin_code",
            "PIN2",
            "passwords",
            "api_keys",
        ] {
            assert!(may_name_secret(key) && !names_secret(key), "{key}");
        }
        for key in [
            "passage",
            "pinned",
            "compass",
            "bypass",
            "pass_through",
            "spinner",
            "passes",
            "pin_memory",
            "keys",
            "tokens",
            "pass_env",
            "MAX_TOKENS",
        ] {
            assert!(!may_name_secret(key), "{key}");
        }
        for key in [
            "api_key_env",
            "max_tokens",
            "token_url",
            "key",
            "is_secret_value",
            "context_window",
            "tokens",
            "keyboard",
            "",
        ] {
            assert!(!names_secret(key), "{key}");
        }
    }

    #[test]
    fn what_stands_in_place_of_a_secret_is_none() {
        for value in [
            "",
            " ",
            "changeme",
            "change-me-please",
            "<your token>",
            "xxxx",
            "***",
            "false",
            "4096",
            "example-token",
            "YOUR_KEY",
        ] {
            assert!(is_no_secret(value), "{value}");
        }
        for value in ["hunter2", "90210x", "correct horse", "123456", "12345678", "s3cr3t"] {
            assert!(!is_no_secret(value), "{value}");
        }
    }

    #[test]
    fn what_is_given_for_a_secret_is_masked_in_place() {
        for (text, shown) in [
            ("api_key = \"abc\"", "api_key = \"***\""),
            ("api_key: abc # note", "api_key: *** # note"),
            ("api_key \"abc\"", "api_key \"***\""),
            ("\"api_key\" : 'abc',", "\"api_key\" : '***',"),
            (
                "headers = { Authorization = \"abc\", x = \"y\" }",
                "headers = { Authorization = \"***\", x = \"y\" }",
            ),
            ("password = \"\"\"\nab\n\"\"\"\nname = \"x\"", "password = \"\"\"\n**\n\"\"\"\nname = \"x\""),
            ("run --password abc --fast", "run --password *** --fast"),
            ("run --token --fast", "run --token --fast"),
            ("is_secret = true", "is_secret = true"),
            ("the token is given", "the token is given"),
            ("max_tokens = 5", "max_tokens = 5"),
            ("api_key_env = \"ACME\"", "api_key_env = \"ACME\""),
            ("db_pass: abc", "db_pass: ***"),
            ("pass = 'abc'", "pass = '***'"),
            (
                "in the first pass: read, in the second: write",
                "in the first pass: read, in the second: write",
            ),
            ("PASS: all is well", "PASS: all is well"),
        ] {
            assert_eq!(mask_in_place(text, []), shown);
        }
    }

    #[test]
    fn passwords_before_hosts_are_masked_without_a_scheme() {
        for (text, shown) in [
            ("me:abc@host", "me:••••••••@host"),
            ("//me:abc@host/", "//me:••••••••@host/"),
            ("at me:a@bc@10.0.0.1:80", "at me:••••••••@10.0.0.1:80"),
            ("[\"me:abc@host.example\"]", "[\"me:••••••••@host.example\"]"),
        ] {
            assert_eq!(mask_secrets(text), shown);
        }
        for plain in [
            "mailto:me@host.example",
            "git@host.example:acme/tides",
            "acme/tides:1.2@sha256:0a1b",
            "tides:1.2@sha256:0a1b",
            "npm:tides@1.2.0",
            "acme:tides-3@20260101",
            "me@host.example",
            "{\"to\":\"me@host.example\"}",
        ] {
            assert_eq!(mask_secrets(plain), plain);
            assert!(!looks_secret(plain), "{plain}");
        }
    }

    #[test]
    fn a_message_repeats_nothing_that_is_given_for_a_secret() {
        for (text, shown) in [
            (
                "put it in quotes: `description: \"set api_key: abc\"`",
                "put it in quotes: `description: \"set api_key: ••••••••\"`",
            ),
            ("write `password: abc`", "write `password: ••••••••`"),
            ("write `[\"--password abc\"]`", "write `[\"--password ••••••••\"]`"),
            ("write `token = \"abc\"`", "write `token = \"••••••••\"`"),
            ("`api_key` is a secret", "`api_key` is a secret"),
            ("write `api_key_env = \"ACME\"`", "write `api_key_env = \"ACME\"`"),
        ] {
            assert_eq!(mask_message(text), shown);
        }
    }

    #[test]
    fn masking_in_place_keeps_every_place() {
        let text = "api_key = \"hünter2\"\ntoken = 'ghp_0123456789abcdefABCDEF'\nname = \"plain\"\n";
        let masked = mask_in_place(text, std::iter::once(10..20));
        assert_eq!(
            masked,
            "api_key = \"********\"\ntoken = '**************************'\nname = \"plain\"\n"
        );
        assert_eq!(masked.len(), text.len());
    }

    #[test]
    fn a_quoted_value_is_one_short_visible_line() {
        assert_eq!(quoted("a\nb\u{202e}c"), "`a\\nb\\u{202e}c`");
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), MAX_QUOTED + 3);
    }

    #[test]
    fn a_random_text_has_ten_characters_or_more() {
        for (token, random) in [
            ("1a2b3c4d5e1a2b3c4d5e1a2b3c4d5e", true),
            ("1a2b3c4d51a2b3c4d51a2b3c4d51a2", false),
            ("1a2b3c4d5e1a2b3c4d5e1a2b", true),
            ("1a2b3c4d5e1a2b3c4d5e1a2", false),
        ] {
            assert_eq!(is_random(token), random, "{token}");
        }
    }
}
