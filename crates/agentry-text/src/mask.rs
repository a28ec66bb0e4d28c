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
    Regex::new(concat!(
        r"(?:sk|pk|rk|sess|key)[-_][A-Za-z0-9_-]{16,}",
        r"|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{16,}",
        r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}",
        r"|A(?:KIA|SIA)[0-9A-Z]{12,}|AIza[0-9A-Za-z_-]{20,}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{16,}",
        r"|gsk_[A-Za-z0-9]{16,}|hf_[A-Za-z0-9]{16,}|xai-[A-Za-z0-9]{16,}|r8_[A-Za-z0-9]{16,}|pplx-[A-Za-z0-9]{16,}",
        r"|nvapi-[A-Za-z0-9_-]{16,}|lin_api_[A-Za-z0-9]{16,}|ntn_[A-Za-z0-9]{16,}|secret_[A-Za-z0-9]{16,}",
        r"|npm_[A-Za-z0-9]{16,}|pypi-[A-Za-z0-9_-]{16,}|dop_v1_[A-Za-z0-9]{16,}|shp(?:at|ss)_[A-Za-z0-9]{16,}",
        r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|[0-9]{8,10}:[A-Za-z0-9_-]{30,}",
        r"|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?",
        r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\s]*",
        r"|(?i:bearer|basic)\s+[A-Za-z0-9._~+/=-]{16,}",
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

/// A run of characters that could be a key of unknown make.
static TOKEN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[A-Za-z0-9_+/=-]{24,}").expect("a fixed pattern"));

/// What follows a key: the text that is given for it, in any of the formats, also with the sign between missing.
static GIVEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"^["']?[ \t]*(?:([=:])[ \t]*|[ \t])"#,
        r#"("""(?:[^"]|"[^"]|""[^"])*(?:"""|$)|'''(?:[^']|'[^']|''[^'])*(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s,}\]#"']+)"#,
    ))
    .expect("a fixed pattern")
});

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
        || match words(key).iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [.., "pin", "code" | "number"] => true,
            [.., last] => matches!(last, "pass" | "pin" | "pincode"),
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
    BARE_USER_INFO.captures_iter(text).filter_map(|found| {
        let (user, password, host) = (found.get(1)?, found.get(2)?, found.get(3)?);
        let digest =
            ["sha256:", "sha384:", "sha512:"].iter().any(|name| text[host.start()..].starts_with(name));
        (!digest && !NOT_USERS.contains(&user.as_str())).then(|| password.range())
    })
}

/// Where a text holds something of the shape of a credential: ranges of bytes, in order, apart from each other.
fn secret_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = SHAPES.find_iter(text).map(|found| found.range()).collect();
    ranges.extend(
        USER_INFO.captures_iter(text).filter_map(|found| found.get(2).map(|password| password.range())),
    );
    ranges.extend(TOKEN.find_iter(text).filter(|token| is_random(token.as_str())).map(|token| token.range()));
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
    let shaped = SHAPES.find_iter(text).filter(|found| {
        let before = text[..found.start()].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '-' | '_')) && is_drawn(found.as_str())
    });
    let passwords = USER_INFO.captures_iter(text).filter_map(|found| found.get(2)).filter(|password| {
        let chars = password.as_str();
        chars.len() >= 6
            && chars.chars().any(|c| c.is_ascii_digit())
            && chars.chars().any(char::is_alphabetic)
            && !chars.contains(['$', '{', '<', '%', '*'])
            && !stands_for_one(chars)
    });
    let mut found: Vec<Range<usize>> =
        shaped.map(|found| found.range()).chain(passwords.map(|password| password.range())).collect();
    found.sort_by_key(|range| (range.start, range.end));
    // A password may be of such a shape.
    found.dedup_by(|next, kept| {
        let same = next.start < kept.end;
        kept.end = if same { kept.end.max(next.end) } else { kept.end };
        same
    });
    found
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
        ] {
            assert!(names_secret(key), "{key}");
        }
        for key in ["db_pass", "MY_PASS", "pass", "smtpPass", "pin", "DB_PIN", "pin_code", "PIN2"] {
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
        for value in ["hunter2", "90210x", "correct horse", "12345678", "s3cr3t"] {
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
}
