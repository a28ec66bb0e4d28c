//! What may stand in a string of any kind of document, and should not.

use super::Sink;
use super::look::{each, text};
use crate::{credentials, rules};
use agentry::package::is_credential_placeholder;
use agentry_text::{Finding, Kind, Node, Severity, Span, credentials_in, is_no_secret, quoted};
use std::collections::HashSet;
use std::ops::Range;
use url::{Host, Url};

/// The keys of addresses that programs call, and not people.
const CALLED: [&str; 6] = ["base_url", "url", "auth_url", "token_url", "urlTemplate", "otel_endpoint"];

/// The keys of texts that say nothing when they are blank.
const SAYING: [&str; 11] = [
    "name",
    "display_name",
    "label",
    "title",
    "description",
    "author",
    "instructions",
    "system_prompt",
    "prompt_template",
    "template",
    "setup_instructions",
];

/// The keys of texts that a program or a model acts on, so that a path in them is looked for.
const ACTED_ON: [&str; 10] = [
    "args",
    "check_value",
    "command",
    "instructions",
    "modulePath",
    "prompt_context",
    "prompt_template",
    "system_prompt",
    "template",
    "workspace",
];

/// The names of home folders that many machines have, or that explanations use.
const ANYBODY: [&str; 32] = [
    "admin",
    "agent",
    "app",
    "coder",
    "default",
    "deploy",
    "dev",
    "developer",
    "ec2-user",
    "example",
    "git",
    "guest",
    "jovyan",
    "linuxbrew",
    "me",
    "name",
    "node",
    "opc",
    "pi",
    "public",
    "root",
    "runner",
    "shared",
    "ubuntu",
    "user",
    "username",
    "users",
    "vagrant",
    "vscode",
    "xxx",
    "you",
    "yourname",
];

pub(super) fn check(root: &Node, sink: &mut Sink<'_>) {
    let given = credentials::find(root).into_iter().filter(|given| given.is_used);
    let given: HashSet<Span> = given.map(|given| given.node.span).collect();
    each(root, &mut |node, key, pointer| {
        let Kind::String(text) = &node.kind else { return };
        let string = Occurrence { key, text, pointer, span: node.span };
        check_credentials(&string, &given, sink);
        check_blank(&string, sink);
        check_address(&string, sink);
        check_home(&string, sink);
    });
}

/// A string, with the key that it stands under and its place.
struct Occurrence<'n> {
    key: &'n str,
    text: &'n str,
    pointer: &'n str,
    span: Span,
}

fn check_credentials(string: &Occurrence<'_>, given: &HashSet<Span>, sink: &mut Sink<'_>) {
    // What a type said of the same text is enough.
    let said = |finding: &Finding| {
        finding.pointer == string.pointer
            && (finding.rule == &agentry::rules::LITERAL_SECRET || finding.severity == Severity::Error)
    };
    let parts = credentials_in(string.text);
    let is_given = given.contains(&string.span) && could_be_one(string.text);
    if parts.is_empty() && !is_given || sink.findings.iter().any(said) {
        return;
    }
    // The place of a part is not shown where it cannot be found, and the text around it is masked then.
    let mut spans: Vec<Span> =
        parts.into_iter().map(|part| sink.part(string.pointer, string.text, part)).collect();
    if spans.is_empty() {
        spans.push(string.span);
    }
    spans.dedup();
    for span in spans {
        let mut finding = sink
            .finding(
                &agentry::rules::LITERAL_SECRET,
                string.pointer,
                "a credential stands in the file, and everybody who reads the file can use it",
            )
            .label("looks like the value itself")
            .help("make it invalid where it was issued, and write the name of an environment variable, or a placeholder such as `${ACME_API_KEY}`");
        finding.span = span;
        sink.push(finding);
    }
}

/// Whether a text below a key for credentials could be one, and does not only stand for one or name it.
fn could_be_one(text: &str) -> bool {
    let has = |is: fn(&char) -> bool| text.chars().any(|c| is(&c));
    text.len() >= 7
        && text.is_ascii()
        && has(char::is_ascii_digit)
        && has(char::is_ascii_alphabetic)
        && !text.contains([' ', '\n', '/', '<', '…'])
        && !text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && !is_credential_placeholder(text)
        && !is_no_secret(text)
}

fn check_blank(string: &Occurrence<'_>, sink: &mut Sink<'_>) {
    if string.text.is_empty() || !string.text.trim().is_empty() || !SAYING.contains(&string.key) {
        return;
    }
    // Where the form forbids it, the reader has said so.
    if sink.findings.iter().any(|finding| finding.pointer == string.pointer) {
        return;
    }
    let finding = sink
        .finding(
            &agentry_text::rules::EMPTY_VALUE,
            string.pointer,
            format!("`{}` holds blanks and nothing else", string.key),
        )
        .label("nothing to read")
        .help("write what is meant, or delete the key");
    sink.push(finding);
}

fn check_address(string: &Occurrence<'_>, sink: &mut Sink<'_>) {
    if !CALLED.contains(&string.key) {
        return;
    }
    if string.text.starts_with("http://") && is_remote(string.text) {
        let finding = sink
            .finding(
                &rules::PLAIN_HTTP,
                string.pointer,
                format!("{} is called without encryption", quoted(string.text)),
            )
            .label("readable on the way")
            .help("write `https://`: keys and conversations cross the network as they are otherwise");
        sink.push(finding);
    }
    if string.key == "base_url" && string.text.starts_with("http") && string.text.ends_with('/') {
        let finding = sink
            .finding(
                &rules::TRAILING_SLASH,
                string.pointer,
                "the address ends with a slash, and paths that begin with one are put behind it",
            )
            .label("two slashes in every call")
            .help(format!(
                "write {}, unless the service asks for the slash",
                quoted(string.text.trim_end_matches('/'))
            ));
        sink.push(finding);
    }
}

/// Whether an address is of another machine, as far as it says: not this one, none of a local network, no bare name.
pub(super) fn is_remote(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    match url.host() {
        Some(Host::Ipv4(ip)) => {
            let shared = ip.octets()[0] == 100 && (64..128).contains(&ip.octets()[1]);
            !(ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified() || shared)
        }
        Some(Host::Ipv6(ip)) => {
            !(ip.is_loopback() || ip.is_unspecified() || ip.is_unique_local() || ip.is_unicast_link_local())
        }
        Some(Host::Domain(name)) => {
            const NEAR: [&str; 9] =
                ["localhost", "local", "internal", "lan", "home", "corp", "intranet", "arpa", "onion"];
            let name = name.trim_end_matches('.');
            // A placeholder may be any host.
            !name.contains(['{', '$', '%', '<', '*'])
                && name.rsplit_once('.').is_some_and(|(rest, last)| {
                    !NEAR.contains(&last.to_ascii_lowercase().as_str())
                        && rest.rsplit('.').next() != Some("svc")
                })
        }
        None => false,
    }
}

fn check_home(string: &Occurrence<'_>, sink: &mut Sink<'_>) {
    if !ACTED_ON.contains(&string.key) {
        return;
    }
    let Some((part, name)) = home(string.text) else { return };
    let mut finding = sink
        .finding(
            &rules::HOME_PATH,
            string.pointer,
            format!(
                "this is a path in the home folder of {}, which other machines do not have",
                quoted(name)
            ),
        )
        .label("a folder of one machine")
        .help("write a path inside the package or the workspace, or let a parameter name it");
    finding.span = sink.part(string.pointer, string.text, part);
    sink.push(finding);
}

/// The first home folder of somebody in a text, with the name of who it belongs to.
fn home(text: &str) -> Option<(Range<usize>, &str)> {
    ["/home/", "/Users/", ":\\Users\\"].into_iter().find_map(|root| {
        text.match_indices(root).find_map(|(at, _)| {
            // The path is absolute: what comes before it is no part of one.
            let before = text[..at].chars().next_back();
            if root.starts_with('/') && before.is_some_and(|c| c.is_alphanumeric() || "._-~}>*/$".contains(c))
            {
                return None;
            }
            let rest = &text[at + root.len()..];
            let end = rest.find(['/', '\\'])?;
            let name = &rest[..end];
            let plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-'));
            (!name.is_empty() && plain && !ANYBODY.contains(&name.to_lowercase().as_str()))
                .then_some((at..at + root.len() + end, name))
        })
    })
}

/// A default of a parameter that is text, and nearly `true` or `false`.
pub(super) fn check_boolean(parameter: &Node, pointer: &str, sink: &mut Sink<'_>) {
    let Some(default) = text(parameter, "default") else { return };
    let Some(meant) = mistyped(default) else { return };
    // Words of other languages, which may be meant.
    let is_word = ["ture", "treu", "fales"].contains(&default.to_ascii_lowercase().as_str());
    let finding = sink
        .finding(
            &rules::MISTYPED_BOOLEAN,
            &format!("{pointer}/default"),
            format!("the default {} is nearly `{meant}`", quoted(default)),
        )
        .severity(if is_word { Severity::Hint } else { Severity::Warning })
        .label(format!("`{meant}`?"))
        .help(format!("write \"{meant}\", or give the parameter the type boolean"));
    sink.push(finding);
}

/// The boolean that a text is but for two letters that changed places, or one that is there twice.
fn mistyped(text: &str) -> Option<&'static str> {
    let text = text.trim().to_ascii_lowercase();
    let letters = text.as_bytes();
    ["true", "false"].into_iter().find(|meant| {
        let swapped = (1..meant.len() - 1).any(|at| {
            let mut other = meant.as_bytes().to_vec();
            other.swap(at, at + 1);
            other == letters
        });
        let doubled = (0..meant.len()).any(|at| {
            let mut other = meant.as_bytes().to_vec();
            other.insert(at, other[at]);
            other == letters
        });
        swapped || doubled
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_fingers_are_told_from_words() {
        for (text, meant) in [
            ("fasle", Some("false")),
            ("Flase", Some("false")),
            ("fals", None),
            ("fasel", None),
            ("fallse", Some("false")),
            ("ture", Some("true")),
            ("truee", Some("true")),
            ("true", None),
            ("false", None),
            ("tree", None),
            ("tue", None),
            ("else", None),
            ("rue", None),
            ("", None),
            ("fälse", None),
            ("faux", None),
        ] {
            assert_eq!(mistyped(text), meant, "{text}");
        }
    }

    #[test]
    fn addresses_of_other_machines_are_told_from_near_ones() {
        for far in [
            "http://api.acme.example/v1",
            "http://8.8.8.8/",
            "http://100.20.3.4/",
            "http://9.100.3.4/",
            "https://[2001:db8::1]/",
            "http://a.b.co",
        ] {
            assert!(is_remote(far), "{far}");
        }
        for near in [
            "",
            "localhost:80",
            "http://localhost:1234/v1",
            "http://127.0.0.1:11434/v1",
            "http://192.168.1.4/",
            "http://100.100.3.4/",
            "http://169.254.3.4/",
            "http://0.0.0.0/",
            "http://[::1]:80/",
            "http://[fd00::1]/",
            "http://[fe80::1]/",
            "http://[::]/",
            "http://models/v1",
            "http://host.docker.internal:8000",
            "http://nas.lan",
            "http://api.tools.svc.cluster.local",
            "http://{host}.acme.example/",
        ] {
            assert!(!is_remote(near), "{near}");
        }
    }

    #[test]
    fn a_home_folder_of_somebody_is_found() {
        for (text, name) in [
            ("run /home/mira/tools/send.py", Some("mira")),
            ("\"/Users/mira.k/x\"", Some("mira.k")),
            (r"C:\Users\Mira\x", Some("Mira")),
            ("/home/user/x", None),
            ("/home/node/app", None),
            ("https://acme.example/home/mira/x", None),
            ("/home/{{name}}/x", None),
            ("/home/$USER/x", None),
            ("${ROOT}/home/mira/x", None),
            ("/Users/", None),
            ("/home/mira", None),
        ] {
            assert_eq!(home(text).map(|(_, name)| name), name, "{text}");
        }
    }
}
