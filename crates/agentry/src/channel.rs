//! `channels/<id>.toml`: a way for people to talk to agents, as a catalogue shows it (LibreFang registry).
//!
//! No specification lists these keys: they are those of the published files and of the runtime that reads them.

use crate::rules;
use crate::translation::Translation;
use crate::values::{HttpUrl, Icon, Id, Label, Language, Prose, Tag};
use agentry_macros::document;
use agentry_text::{Extra, Invalid, Map, OrEmpty, nearest, options, shown_text_type};

/// A way for people to talk to agents. The file is for catalogues; the program that connects is the runtime's.
#[document]
pub struct Channel {
    /// The channel's identifier, which is also the name of its file.
    #[key(example = "matrix")]
    pub id: Id,
    /// The name that people see.
    #[key(example = "Matrix")]
    pub name: Label,
    /// What the channel connects, in a sentence.
    #[key(example = "Rooms and direct messages on any Matrix server")]
    pub description: Prose,
    /// The group that catalogues show it in.
    pub category: ChannelCategory,
    /// Words to find it by. Published files mark what many people use with `popular`.
    pub tags: Option<Vec<Tag>>,
    /// The picture that catalogues show.
    #[key(example = "lucide:message-circle")]
    pub icon: Option<Icon>,
    /// How the runtime talks to the service.
    #[key(example = "webhook")]
    pub protocol: Option<Protocol>,
    /// Pages about the service.
    pub metadata: Option<ChannelLinks>,
    /// The name and description in other languages.
    pub i18n: Option<Map<Language, Translation>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Pages about the service that a channel connects to.
#[document]
pub struct ChannelLinks {
    /// The service's own page. Published files write an empty string where there is none.
    #[key(example = "https://matrix.org")]
    pub url: Option<OrEmpty<HttpUrl>>,
    /// The service's documentation for developers. Published files write an empty string where there is none.
    #[key(example = "https://spec.matrix.org")]
    pub docs: Option<OrEmpty<HttpUrl>>,
    /// Unknown keys.
    #[serde(flatten)]
    pub extra: Extra,
}

options! {
    /// The group that catalogues show a channel in. The list is that of the registry's own template; the runtime
    /// shows any other word as it is.
    pub enum ChannelCategory {
        /// Chat between people.
        Messaging = "messaging" from "published files",
        /// Networks on which people publish.
        Social = "social" from "published files",
        /// Chat inside a company.
        Enterprise = "enterprise" from "published files",
        /// Channels that programs talk to.
        Developer = "developer" from "published files",
        /// Devices and their notifications.
        Iot = "iot" from "published files",
        /// Mail.
        Email = "email" from "the registry's template",
    }
}

shown_text_type! {
    /// How a runtime talks to a channel's service: lowercase words joined by hyphens. In use are `bot-api`,
    /// `imap`, `irc`, `matrix`, `mqtt`, `rest-api`, `webhook`, `websocket` and `xmpp`; a new channel may bring
    /// one of its own.
    pub struct Protocol {
        pattern: r"^[a-z0-9]+([.+-][a-z0-9]+)*$",
        form: "a protocol: lowercase letters and digits, in parts joined by `-`",
        example: "webhook",
        remark: |protocol| {
            let near = nearest(protocol, Protocol::KNOWN.iter().copied())?;
            (!Protocol::KNOWN.contains(&protocol)).then(|| {
                Invalid::new(&rules::UNUSUAL_NAME, format!("`{protocol}` is no protocol that channels use so far"))
                    .label("not in use so far")
                    .help(format!("did you mean `{near}`?"))
            })
        },
    }
}

impl Protocol {
    /// The protocols of published channels.
    pub const KNOWN: &'static [&'static str] =
        &["bot-api", "imap", "irc", "matrix", "mqtt", "rest-api", "webhook", "websocket", "xmpp"];
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::Channel;
    use agentry_text::Severity;

    const MINIMAL: &str = "id = \"lantern\"\nname = \"Lantern\"\ndescription = \"Lamps.\"\n";

    #[test]
    fn each_fault_is_found_at_its_place() {
        for (more, severity, rule, pointer) in [
            ("category = \"mesaging\"", Severity::Error, "unknown-option", "/category"),
            ("category = \"iot\"\nprotocol = \"Web Hook\"", Severity::Error, "invalid-value", "/protocol"),
            ("category = \"iot\"\nprotocol = \"web-hook\"", Severity::Hint, "unusual-name", "/protocol"),
            ("category = \"iot\"\n[metadata]\nurl = \"\"", Severity::Warning, "empty-value", "/metadata/url"),
            (
                "category = \"iot\"\n[metadata]\nurl = \"x\"",
                Severity::Error,
                "invalid-value",
                "/metadata/url",
            ),
            ("category = \"iot\"\n[metadata]\nicon = \"x\"", Severity::Warning, "misplaced-key", "/metadata"),
            (
                "category = \"iot\"\n[i18n.german]\nname = \"x\"",
                Severity::Error,
                "invalid-value",
                "/i18n/german",
            ),
        ] {
            let reading = agentry_text::toml::parse(&format!("{MINIMAL}{more}\n"));
            let reading = agentry_text::read_document::<Channel>(&reading, agentry_text::Mode::Strict);
            let found: Vec<_> = reading
                .findings
                .iter()
                .map(|finding| (finding.severity, finding.rule.name, finding.pointer.as_str()))
                .collect();
            assert_eq!(found, [(severity, rule, pointer)], "{more}");
        }
    }

    #[test]
    fn protocols_are_open() {
        for (protocol, findings) in
            [("webhook", 0), ("bot-api", 0), ("grpc", 0), ("nostr", 0), ("webhok", 1), ("rest_api", 1)]
        {
            let text = format!("{MINIMAL}category = \"iot\"\nprotocol = \"{protocol}\"\n");
            let found = agentry_text::toml::read::<Channel>(&text).findings;
            assert_eq!(found.len(), findings, "{protocol}: {found:?}");
        }
    }
}
