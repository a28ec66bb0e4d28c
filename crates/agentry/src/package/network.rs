//! Which addresses an agent may reach.

use agentry_macros::document;
use agentry_text::{Invalid, quoted, shown_text_type};
use url::{Host, Url};

/// Which addresses an agent may reach. What is blocked stays blocked, also where it is allowed too. A list that is
/// absent or empty restricts nothing.
#[document]
pub struct NetworkAccess {
    /// The addresses that may be reached. Empty or absent means that this package restricts nothing, and not that
    /// nothing may be reached.
    #[key(example = ["*.example.com", "https://api.acme.example/v1/"])]
    pub allowed: Option<Vec<AccessPattern>>,
    /// The addresses that may not be reached, also where `allowed` has them.
    #[key(example = ["169.254.169.254"])]
    pub blocked: Option<Vec<AccessPattern>>,
}

impl NetworkAccess {
    /// Whether an address may be reached, as far as these lists decide it. What is no absolute address with a host may
    /// not.
    pub fn permits(&self, url: &str) -> bool {
        let Some(url) = Url::parse(url).ok().filter(Url::has_host) else { return false };
        let any = |patterns: &[AccessPattern]| patterns.iter().any(|pattern| pattern.matches_url(&url));
        let allowed = self.allowed.as_deref().unwrap_or_default();
        !any(self.blocked.as_deref().unwrap_or_default()) && (allowed.is_empty() || any(allowed))
    }
}

/// What an access pattern stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessForm<'p> {
    /// One host, with any port and path.
    Host(&'p str),
    /// A host and every host below it, with any port and path: what stands behind `*.`.
    Domain(&'p str),
    /// Every address that begins like this one: same scheme, host and port, and a path that begins with its path.
    Prefix(&'p str),
}

const FORM: &str = "a network pattern: a host, `*.` and a host, or an address with its scheme";

macro_rules! label {
    () => {
        r##"[^\x00-\x20\x7f!"#$%&'()*+,./:;<=>?@\[\\\]^`{|}~]+"##
    };
}

shown_text_type! {
    /// Addresses that may or may not be reached: `example.com` is that host with any port and path, `*.example.com` that
    /// host and every one below it, and `https://example.com/api/` every address that begins like this. Upper and lower
    /// case of scheme and host count for nothing.
    pub struct AccessPattern {
        pattern: concat!(
            r"^((\*\.)?", label!(), r"(\.", label!(), r")*\.?|\[[0-9A-Fa-f:.]+\]|[0-9A-Fa-f]{0,4}(:[0-9A-Fa-f.]{0,15}){2,8}",
            r"|[A-Za-z][A-Za-z0-9+.-]*://[^\x00-\x20\x7f]+)$"
        ),
        form: FORM,
        example: "*.example.com",
        beyond: "the URL standard can parse the host or address",
        check: |text| match Parsed::new(text) {
            Some(_) => Ok(()),
            None => Err(Invalid::form(text, FORM, "*.example.com").label("matches no address")),
        },
        explain: explain,
        remark: remark,
    }
}

/// What exactly is wrong with a text that is no pattern.
fn explain(text: &str) -> Option<Invalid> {
    let refused = |message: String, help: String| {
        Some(
            Invalid::new(&agentry_text::rules::INVALID_VALUE, message)
                .label("not a network pattern")
                .help(help),
        )
    };
    if text == "*" {
        return refused(
            "`*` alone is no pattern: there is no pattern for every address".to_owned(),
            "to restrict nothing, leave the list out; `*.example.com` is a host and those below it"
                .to_owned(),
        );
    }
    let (host, rest) = text.split_at(text.find([':', '/']).unwrap_or(text.len()));
    let is_host = !rest.is_empty()
        && !rest.starts_with("://")
        && Parsed::new(host).is_some()
        && AccessPattern::new(host).is_ok();
    is_host.then_some(())?;
    let what = if rest.starts_with(':') { "port" } else { "path" };
    refused(
        format!("{} has a {what}, and a host matches every port and path", quoted(text)),
        format!("write `{host}` for all of it, or an address with its scheme, such as `https://{text}`"),
    )
}

/// What is a pattern, and matches more than its author may think.
fn remark(text: &str) -> Option<Invalid> {
    let Some(Parsed::Prefix(url)) = Parsed::new(text) else { return None };
    let userinfo = !url.username().is_empty() || url.password().is_some();
    userinfo.then(|| {
        Invalid::new(&crate::rules::UNREADABLE_VALUE, "a network pattern has no user and no password")
            .label("counts for nothing")
            .help("delete what stands before the `@`: patterns are compared by scheme, host, port and path")
    })
}

/// A pattern, taken apart as addresses are.
enum Parsed {
    Host(Host),
    Domain(String),
    Prefix(Url),
}

impl Parsed {
    fn new(text: &str) -> Option<Self> {
        if text.contains("://") {
            return Url::parse(text).ok().filter(Url::has_host).map(Self::Prefix);
        }
        if let Some(domain) = text.strip_prefix("*.") {
            return match host(domain)? {
                Host::Domain(domain) => Some(Self::Domain(domain)),
                Host::Ipv4(_) | Host::Ipv6(_) => None,
            };
        }
        host(text).map(Self::Host)
    }
}

/// A host as addresses have it: in lower case, by its ASCII name, without the dot of the root.
fn host(text: &str) -> Option<Host> {
    let bare_address = text.contains(':') && !text.starts_with('[');
    let text = if bare_address { format!("[{text}]") } else { text.to_owned() };
    match Host::parse(&text).ok()? {
        Host::Domain(domain) => {
            let domain = domain.trim_end_matches('.');
            (!domain.is_empty()).then(|| Host::Domain(domain.to_owned()))
        }
        address => Some(address),
    }
}

impl AccessPattern {
    /// What the pattern stands for.
    pub fn form(&self) -> AccessForm<'_> {
        let text = self.as_str();
        match text.strip_prefix("*.") {
            Some(domain) => AccessForm::Domain(domain),
            None if text.contains("://") => AccessForm::Prefix(text),
            None => AccessForm::Host(text),
        }
    }

    /// Whether an address is one of those that the pattern stands for. What is no absolute address is not.
    pub fn matches_address(&self, url: &str) -> bool {
        Url::parse(url).is_ok_and(|url| self.matches_url(&url))
    }

    fn matches_url(&self, url: &Url) -> bool {
        // By the standard only some schemes have hosts that are names; `ssh://example.com` has one all the same.
        let Some(found) = url.host_str().and_then(host) else { return false };
        match Parsed::new(self.as_str()) {
            Some(Parsed::Host(wanted)) => found == wanted,
            Some(Parsed::Domain(wanted)) => match found {
                Host::Domain(found) => {
                    found.strip_suffix(&wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
                }
                Host::Ipv4(_) | Host::Ipv6(_) => false,
            },
            Some(Parsed::Prefix(wanted)) => {
                let wanted_host = wanted.host_str().and_then(host);
                url.scheme() == wanted.scheme()
                    && Some(found) == wanted_host
                    && url.port_or_known_default() == wanted.port_or_known_default()
                    && behind_host(url).starts_with(&behind_host(&wanted))
            }
            None => false,
        }
    }
}

/// The path of an address, and the query where it has one.
fn behind_host(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(texts: &[&str]) -> Vec<AccessPattern> {
        texts
            .iter()
            .map(|text| AccessPattern::new(*text).unwrap_or_else(|error| panic!("{text}: {error}")))
            .collect()
    }

    #[test]
    fn patterns_are_hosts_domains_and_prefixes() {
        for (text, form) in [
            ("example.com", Some(AccessForm::Host("example.com"))),
            ("localhost", Some(AccessForm::Host("localhost"))),
            ("EXAMPLE.com.", Some(AccessForm::Host("EXAMPLE.com."))),
            ("bücher.example", Some(AccessForm::Host("bücher.example"))),
            ("169.254.169.254", Some(AccessForm::Host("169.254.169.254"))),
            ("[fd00:ec2::254]", Some(AccessForm::Host("[fd00:ec2::254]"))),
            ("fd00:ec2::254", Some(AccessForm::Host("fd00:ec2::254"))),
            ("::1", Some(AccessForm::Host("::1"))),
            ("*.example.com", Some(AccessForm::Domain("example.com"))),
            ("https://example.com/api/", Some(AccessForm::Prefix("https://example.com/api/"))),
            ("wss://example.com", Some(AccessForm::Prefix("wss://example.com"))),
            ("*", None),
            ("", None),
            ("exa mple.com", None),
            ("example.com:443", None),
            ("example.com/api", None),
            ("*example.com", None),
            ("api.*.com", None),
            ("*.169.254.169.254", None),
            ("a..b", None),
            ("256.256.256.256", None),
            ("1::2::3", None),
            ("https://", None),
            ("https://exa mple.com", None),
        ] {
            let pattern = AccessPattern::new(text);
            assert_eq!(pattern.as_ref().ok().map(AccessPattern::form), form, "{text}");
        }
        for (text, help) in [
            ("*", "leave the list out"),
            ("example.com:443", "`https://example.com:443`"),
            ("example.com/api", "write `example.com` for all of it"),
            ("exa mple.com", "expected a host"),
        ] {
            let help_of = AccessPattern::new(text).unwrap_err().help.unwrap_or_default();
            assert!(help_of.contains(help), "{text}: {help_of}");
        }
    }

    #[test]
    fn lists_permit_what_they_say() {
        for (allowed, blocked, url, permitted) in [
            (&[][..], &[][..], "https://example.com/", true),
            (&["example.com"], &[], "https://example.com/a/b?c", true),
            (&["example.com"], &[], "http://EXAMPLE.com:8080", true),
            (&["example.com"], &[], "wss://example.com/socket", true),
            (&["example.com"], &[], "ssh://Example.com/x", true),
            (&["example.com"], &[], "https://example.com./", true),
            (&["example.com"], &[], "https://api.example.com/", false),
            (&["example.com"], &[], "https://example.com@evil.example/", false),
            (&["example.com"], &[], "https://evil.example/?example.com", false),
            (&["example.com"], &[], r"https://evil.example\@example.com/", false),
            (&["*.example.com"], &[], "https://example.com/", true),
            (&["*.example.com"], &[], "https://a.b.example.com/", true),
            (&["*.example.com"], &[], "https://badexample.com/", false),
            (&["*.example.com"], &[], "https://example.com.evil.example/", false),
            (&["bücher.example"], &[], "https://xn--bcher-kva.example/", true),
            (&["https://api.example.com/v1/"], &[], "https://api.example.com/v1/items", true),
            (&["https://api.example.com/v1/"], &[], "HTTPS://API.example.com:443/v1/items", true),
            (&["https://api.example.com/v1/"], &[], "https://api.example.com/v2/", false),
            (&["https://api.example.com/v1/"], &[], "https://api.example.com/v1/../v2/", false),
            (&["https://api.example.com/v1/"], &[], "https://api.example.com/v1/%2e%2e/v2/", false),
            (&["https://api.example.com/v1/"], &[], "http://api.example.com/v1/", false),
            (&["https://api.example.com/v1/"], &[], "https://api.example.com:8443/v1/", false),
            (&["https://api.example.com"], &[], "https://api.example.com.evil.example/", false),
            (&["https://api.example.com"], &[], "https://api.example.com/anything", true),
            (&["*.example.com"], &["api.example.com"], "https://api.example.com/", false),
            (&["*.example.com"], &["api.example.com"], "https://www.example.com/", true),
            (&[], &["169.254.169.254"], "http://169.254.169.254/latest", false),
            (&[], &["169.254.169.254"], "http://2852039166/latest", false),
            (&[], &["169.254.169.254"], "http://0xa9.0xfe.0xa9.0xfe/", false),
            (&[], &["fd00:ec2::254"], "http://[fd00:0ec2:0::254]/", false),
            (&[], &["https://example.com/private/"], "https://example.com/public/", true),
            (&[], &[], "not an address", false),
            (&[], &[], "mailto:somebody@example.com", false),
        ] {
            let access = NetworkAccess {
                allowed: Some(patterns(allowed)),
                blocked: Some(patterns(blocked)),
                ..NetworkAccess::new()
            };
            assert_eq!(access.permits(url), permitted, "{allowed:?} {blocked:?} {url}");
        }
        assert!(NetworkAccess::new().permits("https://example.com"));
    }
}
