//! Which hosts a tool may connect to.

use crate::rules;
use crate::tool::NoOptions;
use crate::tool::effect::{patterns_meet, split_port};
use agentry_macros::document;
use agentry_text::{Invalid, shown_text_type, tagged};

tagged! {
    /// Which hosts a tool may connect to.
    pub enum NetworkPolicy by "kind" {
        /// No host at all.
        None(NoOptions) = "none",
        /// Every host.
        Unrestricted(NoOptions) = "unrestricted",
        /// The listed hosts and no others.
        Allowlist(HostList) = "allowlist",
    }
}

/// The hosts that a tool may connect to.
#[document]
pub struct HostList {
    /// The hosts. An empty list allows none.
    pub hosts: Vec<AllowedHost>,
}

shown_text_type! {
    /// A host that may be connected to: its name or address, optionally with a port; `*.example.com` is every host
    /// below that one, and not the host itself. Any text is kept; what can be no host draws a warning.
    pub struct AllowedHost {
        pattern: r"^[\s\S]+$",
        form: "a host: at least one character",
        example: "api.example.com",
        remark: |text| (!is_host(text)).then(|| {
            Invalid::new(&rules::UNREADABLE_VALUE, format!("{} is not a host", agentry_text::quoted(text)))
                .label("matches no host")
                .help("write the host alone, such as `api.example.com` or `*.example.com`, without `https://` and path")
        }),
    }
}

fn is_host(text: &str) -> bool {
    let (host, _) = split_port(text);
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    if let Some(address) = address.or_else(|| host.contains("::").then_some(host)) {
        return address.parse::<std::net::Ipv6Addr>().is_ok();
    }
    // Letters of other scripts are fine: such names exist.
    host.split('.').all(|label| {
        !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '*'))
    })
}

impl AllowedHost {
    /// Whether it allows a host, given with or without a port. Case does not matter; an entry without a port
    /// allows every port.
    pub fn allows(&self, host: &str) -> bool {
        let ((allowed, allowed_port), (host, port)) = (split_port(self.as_str()), split_port(host));
        let (allowed, host) = (allowed.to_lowercase(), host.to_lowercase());
        let same_host = match allowed.strip_prefix("*.") {
            Some(parent) => {
                host.strip_suffix(parent).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
            }
            None => allowed == "*" || allowed == host,
        };
        same_host && allowed_port.is_none_or(|allowed| port == Some(allowed))
    }

    /// Whether some host is both allowed and named by a pattern in which `*` stands for any text.
    fn may_allow(&self, pattern: &str) -> bool {
        let (allowed, pattern) = (self.as_str().to_lowercase(), pattern.to_lowercase());
        patterns_meet(split_port(&allowed).0, split_port(&pattern).0)
    }
}

impl NetworkPolicy {
    /// Whether a connection to a host, given with or without a port, is allowed.
    pub fn permits(&self, host: &str) -> bool {
        match self {
            Self::None(_) => false,
            Self::Unrestricted(_) => true,
            Self::Allowlist(list) => list.hosts.iter().any(|allowed| allowed.allows(host)),
        }
    }

    /// Whether no connection is allowed at all: the policy is `none`, or a list without hosts.
    pub fn permits_nothing(&self) -> bool {
        match self {
            Self::None(_) => true,
            Self::Unrestricted(_) => false,
            Self::Allowlist(list) => list.hosts.is_empty(),
        }
    }

    /// Whether at least one of the hosts may be allowed that a pattern names, in which `*` stands for any text.
    /// Ports are not compared. In doubt it may.
    pub fn may_permit(&self, pattern: &str) -> bool {
        match self {
            Self::None(_) => false,
            Self::Unrestricted(_) => true,
            Self::Allowlist(list) => list.hosts.iter().any(|allowed| allowed.may_allow(pattern)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(hosts: &[&str]) -> NetworkPolicy {
        let hosts = hosts.iter().map(|host| AllowedHost::new(*host).unwrap()).collect();
        NetworkPolicy::Allowlist(HostList::new(hosts))
    }

    #[test]
    fn a_policy_permits_what_it_lists() {
        for (hosts, host, permitted) in [
            (&["api.example.com"][..], "api.example.com", true),
            (&["api.example.com"], "API.example.com:443", true),
            (&["api.example.com"], "evil-api.example.com", false),
            (&["api.example.com:443"], "api.example.com:443", true),
            (&["api.example.com:443"], "api.example.com:80", false),
            (&["api.example.com:443"], "api.example.com", false),
            (&["*.example.com"], "api.example.com", true),
            (&["*.example.com"], "a.b.example.com", true),
            (&["*.example.com"], "example.com", false),
            (&["*.example.com"], "badexample.com", false),
            (&["*.example.com"], ".example.com", false),
            (&["*"], "example.com", true),
            (&["a.example", "b.example"], "b.example", true),
            (&[], "example.com", false),
        ] {
            assert_eq!(list(hosts).permits(host), permitted, "{hosts:?} and {host}");
        }
        assert!(NetworkPolicy::Unrestricted(NoOptions::new()).permits("example.com"));
        assert!(!NetworkPolicy::None(NoOptions::new()).permits("example.com"));
        assert!(list(&[]).permits_nothing() && !list(&["x"]).permits_nothing());
    }

    #[test]
    fn a_pattern_may_be_permitted_in_part() {
        let policy = list(&["*.example.com:443", "files.example.org"]);
        for (pattern, may) in [
            ("api.example.com", true),
            ("*", true),
            ("files.*", true),
            ("example.net", false),
            ("*.example.net", false),
        ] {
            assert_eq!(policy.may_permit(pattern), may, "{pattern}");
        }
    }

    #[test]
    fn hosts_are_told_from_other_texts() {
        for (text, host) in [
            ("api.example.com", true),
            ("localhost:8080", true),
            ("*.example.com", true),
            ("127.0.0.1", true),
            ("[::1]:80", true),
            ("bücher.example", true),
            ("https://api.example.com", false),
            ("api.example.com/v1", false),
            ("two words", false),
            ("a..b", false),
        ] {
            let allowed = AllowedHost::new(text).unwrap();
            assert_eq!(agentry_text::Text::remark(&allowed).is_none(), host, "{text}");
        }
    }
}
