//! What a tool does besides answering, and whether two tools get in each other's way.

use crate::rules;
use agentry_macros::document;
use agentry_text::{Invalid, options, shown_text_type, text_type};

/// One thing that a tool does besides answering. Policies decide by these whether a tool may run, schedulers
/// whether two calls may run at the same time.
#[document]
pub struct Effect {
    /// What is done.
    pub kind: EffectKind,
    /// What it is done to, such as `memory:facts`. Absent means everything that this kind of effect can reach.
    #[key(example = "memory:facts")]
    pub resource: Option<Resource>,
    /// A remark for people who review the tool.
    pub notes: Option<Note>,
}

options! {
    /// What a tool does besides answering.
    pub enum EffectKind {
        /// Reads a resource, and changes nothing.
        Reads = "reads" from "specification",
        /// Creates or changes a resource.
        Writes = "writes" from "specification",
        /// Removes a resource.
        Deletes = "deletes" from "specification",
        /// Talks to another host. What it changes there is a side effect of its own.
        Network = "network" from "specification",
        /// Starts another run, which has effects of its own.
        SpawnsRun = "spawns-run" from "specification",
        /// Sends an event that others may react to.
        EmitsEvent = "emits-event" from "specification",
        /// Changes something outside the platform: sends a message, places an order.
        ExternalSideEffect = "external-side-effect" from "specification",
        /// Lets sensitive data leave the platform.
        SensitiveDataEgress = "sensitive-data-egress" from "specification",
    }
}

/// How an effect uses its resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It looks, and leaves everything as it is. Two of these never conflict.
    Shared,
    /// It adds to what is there. Two additions do not conflict, since neither sees the other; an addition and
    /// anything else do.
    Adding,
    /// It changes what is there. Conflicts with every other use.
    Exclusive,
}

impl Access {
    /// Whether two uses of one resource depend on their order.
    pub const fn conflicts_with(self, other: Self) -> bool {
        !matches!((self, other), (Self::Shared, Self::Shared) | (Self::Adding, Self::Adding))
    }
}

impl EffectKind {
    /// How an effect of this kind uses its resource. One that this version does not know counts as a change.
    pub const fn access(&self) -> Access {
        match self {
            Self::Reads | Self::Network | Self::SensitiveDataEgress => Access::Shared,
            Self::SpawnsRun | Self::EmitsEvent => Access::Adding,
            Self::Writes | Self::Deletes | Self::ExternalSideEffect | Self::Unlisted(_) => Access::Exclusive,
        }
    }

    /// Whether the effect changes anything, and so contradicts `mutating: false`: everything but reading, talking
    /// to a host, and letting data out.
    pub fn changes_something(&self) -> bool {
        self.access() != Access::Shared
    }

    /// What an effect of this kind reaches that names no resource.
    const fn reach(&self) -> Target<'static> {
        match self {
            Self::Network | Self::ExternalSideEffect | Self::SensitiveDataEgress => {
                Target::In { scope: "external", name: "*" }
            }
            Self::EmitsEvent => Target::In { scope: "event", name: "*" },
            Self::SpawnsRun => Target::In { scope: "run", name: "*" },
            Self::Reads | Self::Writes | Self::Deletes | Self::Unlisted(_) => Target::Everything,
        }
    }
}

impl Effect {
    /// What the effect reaches. Without a resource, or with one that cannot be read, this is everything of its
    /// kind: every external host for `network`, `external-side-effect` and `sensitive-data-egress`, every event
    /// for `emits-event`, every run for `spawns-run`, and everything there is for the rest.
    pub fn target(&self) -> Target<'_> {
        self.resource.as_ref().and_then(Resource::target).unwrap_or_else(|| self.kind.reach())
    }

    /// Whether the effect cannot happen without a network: it is a `network` effect, or its resource is a host.
    pub fn needs_network(&self) -> bool {
        self.kind == EffectKind::Network
            || self.resource.as_ref().and_then(Resource::target).is_some_and(|target| target.host().is_some())
    }

    /// Whether this effect and another depend on their order: they reach something in common, and at least one of
    /// them changes it. In doubt they do.
    ///
    /// ```
    /// use agentry::tool::{Effect, EffectKind, Resource};
    /// let effect = |kind, text: &str| Effect::new(kind).with_resource(Resource::new(text).unwrap());
    /// let reads = effect(EffectKind::Reads, "memory:facts");
    /// assert!(!reads.conflicts_with(&reads));
    /// assert!(reads.conflicts_with(&effect(EffectKind::Writes, "memory:*")));
    /// assert!(!reads.conflicts_with(&effect(EffectKind::Writes, "blob:*")));
    /// ```
    pub fn conflicts_with(&self, other: &Self) -> bool {
        self.kind.access().conflicts_with(other.kind.access()) && self.target().overlaps(&other.target())
    }
}

/// What the effects of two tools have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Conflict<'t> {
    /// Calls of the two may run at the same time and in any order.
    None,
    /// These two effects depend on their order.
    Effects(&'t Effect, &'t Effect),
    /// At least one of the two does not declare its effects, and nothing rules a conflict out.
    Undeclared,
}

impl Conflict<'_> {
    /// Whether the two may run at the same time.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

text_type! {
    /// A remark for people.
    pub struct Note {
        pattern: r"^[\s\S]*$",
        form: "a note: any text",
        example: "",
    }
}

shown_text_type! {
    /// What an effect is about: a scope, a colon and a name, such as `memory:facts`, `blob:*` or
    /// `external:api.example.com`. `*` stands for any text, in any place of the name; alone it is everything. A
    /// scope without a colon is all of that scope. The specification allows any text, so any is kept; what cannot
    /// be read draws a warning, and counts as no resource at all.
    pub struct Resource {
        pattern: r"^[\s\S]*$",
        form: "a resource: a scope, a colon and a name",
        example: "memory:facts",
        remark: |text| match parse(text) {
            Some(_) => None,
            None => Some(
                Invalid::new(&rules::UNREADABLE_VALUE, format!("{} names no resource", agentry_text::quoted(text)))
                    .label("not a scope, a colon and a name")
                    .help("write a scope and a name, such as `memory:facts`, `blob:*` or `external:api.example.com`"),
            ),
        },
    }
}

impl Resource {
    /// What it stands for; None where the text names nothing.
    pub fn target(&self) -> Option<Target<'_>> {
        parse(self.as_str())
    }
}

/// What a resource stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'r> {
    /// Everything there is.
    Everything,
    /// Some or all of one scope.
    In {
        /// The scope, such as `memory`, `blob` or `external`.
        scope: &'r str,
        /// The name, in which `*` stands for any text. In the scope `external` it is a host, optionally with a
        /// port.
        name: &'r str,
    },
}

fn parse(text: &str) -> Option<Target<'_>> {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    if text == "*" {
        return Some(Target::Everything);
    }
    let (scope, name) = text.split_once(':').unwrap_or((text, "*"));
    if scope == "*" && !name.is_empty() {
        // Some name in every scope: nothing is known to lie outside.
        return Some(Target::Everything);
    }
    let good = !scope.is_empty()
        && scope.chars().all(word)
        && !name.is_empty()
        && name.trim() == name
        && !name.chars().any(char::is_control);
    good.then_some(Target::In { scope, name })
}

impl<'r> Target<'r> {
    /// The host, where this is about one outside the platform. It may hold `*`.
    pub fn host(&self) -> Option<&'r str> {
        match self {
            Self::In { scope, name } if scope.eq_ignore_ascii_case("external") => Some(name),
            _ => None,
        }
    }

    /// Whether something belongs to both. Scopes and hosts compare without regard to case, other names with; a
    /// host without a port is that host at any port. A name stands for itself alone: `facts` does not contain
    /// `facts/old`, `facts*` does.
    pub fn overlaps(&self, other: &Target<'_>) -> bool {
        let (Target::In { scope, name }, Target::In { scope: other_scope, name: other_name }) = (self, other)
        else {
            return true;
        };
        if !scope.eq_ignore_ascii_case(other_scope) {
            return false;
        }
        if !scope.eq_ignore_ascii_case("external") {
            return patterns_meet(name, other_name);
        }
        let ((host, port), (other_host, other_port)) = (split_port(name), split_port(other_name));
        patterns_meet(&host.to_ascii_lowercase(), &other_host.to_ascii_lowercase())
            && port.zip(other_port).is_none_or(|(port, other)| patterns_meet(port, other))
    }
}

/// A host and its port, if it has one.
pub(super) fn split_port(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once(':') {
        // The colons of an address in brackets separate no port.
        Some((host, port))
            if !host.is_empty()
                && !port.is_empty()
                && port.bytes().all(|byte| byte.is_ascii_digit() || byte == b'*') =>
        {
            (host, Some(port))
        }
        _ => (text, None),
    }
}

/// The work that comparing two patterns may take, in pairs of characters. Beyond it they are taken to meet.
const MAX_PAIRS: usize = 1 << 20;

/// Whether some text matches both patterns, in which `*` stands for any text, also none.
pub(super) fn patterns_meet(one: &str, other: &str) -> bool {
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    if one.len().saturating_mul(other.len()) > MAX_PAIRS {
        return true;
    }
    // `reachable[j]`: the first i characters of the one and the first j of the other can stand for one text.
    let mut reachable = vec![false; other.len() + 1];
    reachable[0] = true;
    for (index, c) in other.iter().enumerate() {
        reachable[index + 1] = reachable[index] && *c == '*';
    }
    for a in &one {
        let mut next = vec![false; other.len() + 1];
        next[0] = reachable[0] && *a == '*';
        for (index, b) in other.iter().enumerate() {
            next[index + 1] = match (*a == '*', *b == '*') {
                (false, false) => reachable[index] && a == b,
                // A star stands for nothing, or swallows one more character of the other side.
                (true, _) | (_, true) => reachable[index] || reachable[index + 1] || next[index],
            };
        }
        reachable = next;
    }
    reachable[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effect(text: &str) -> Effect {
        let (kind, resource) = text.split_once(' ').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
        let kind = EffectKind::ALL.iter().find(|known| known.as_str() == kind).unwrap().clone();
        let effect = Effect::new(kind);
        match resource {
            Some(resource) => effect.with_resource(Resource::new(resource).unwrap()),
            None => effect,
        }
    }

    #[test]
    fn effects_conflict_when_their_order_matters() {
        for (one, other, conflict) in [
            ("reads memory:facts", "reads memory:facts", false),
            ("reads memory:facts", "writes memory:facts", true),
            ("reads memory:facts", "deletes memory:facts", true),
            ("writes memory:facts", "writes memory:facts", true),
            ("writes memory:facts", "deletes memory:facts", true),
            ("writes memory:facts", "writes memory:notes", false),
            ("writes memory:facts", "reads blob:facts", false),
            ("writes memory:facts", "reads memory:*", true),
            ("writes memory:facts", "reads memory", true),
            ("writes memory:facts", "reads *", true),
            ("writes memory:facts", "reads", true),
            ("writes", "reads external:api.example.com", true),
            ("writes", "writes", true),
            ("reads", "reads", false),
            ("writes memory:user/*", "reads memory:*/name", true),
            ("writes memory:user/*", "reads memory:team/*", false),
            ("writes memory:Facts", "reads memory:facts", false),
            ("writes Memory:facts", "reads memory:facts", true),
            // An unreadable resource counts as none.
            ("writes memory:", "reads blob:x", true),
            // Hosts.
            ("network external:api.example.com", "network external:api.example.com", false),
            ("network external:api.example.com", "external-side-effect external:api.example.com", true),
            ("network external:API.example.com", "external-side-effect external:*.example.com", true),
            ("network external:api.example.com:443", "external-side-effect external:api.example.com", true),
            (
                "network external:api.example.com:443",
                "external-side-effect external:api.example.com:80",
                false,
            ),
            ("network", "external-side-effect external:api.example.com", true),
            ("external-side-effect", "external-side-effect", true),
            ("network", "writes memory:facts", false),
            ("sensitive-data-egress", "sensitive-data-egress", false),
            ("sensitive-data-egress", "external-side-effect", true),
            // Additions.
            ("emits-event", "emits-event", false),
            ("emits-event event:order", "reads event:order", true),
            ("emits-event event:order", "reads memory:order", false),
            ("emits-event", "spawns-run", false),
            ("spawns-run", "spawns-run", false),
            ("spawns-run", "reads run:*", true),
            ("spawns-run", "deletes", true),
        ] {
            let (first, second) = (effect(one), effect(other));
            assert_eq!(first.conflicts_with(&second), conflict, "{one} and {other}");
            assert_eq!(second.conflicts_with(&first), conflict, "{other} and {one}");
        }
    }

    #[test]
    fn resources_are_read_and_any_text_is_kept() {
        for (text, target) in [
            ("memory:facts", Some(("memory", "facts"))),
            ("blob:*", Some(("blob", "*"))),
            ("blob", Some(("blob", "*"))),
            ("external:api.example.com:8080", Some(("external", "api.example.com:8080"))),
            ("external:[2001:db8::1]", Some(("external", "[2001:db8::1]"))),
            ("", None),
            (":x", None),
            ("memory:", None),
            ("two words:x", None),
            ("memory: facts", None),
            ("memory:a\nb", None),
        ] {
            let resource = Resource::new(text).unwrap();
            assert_eq!(resource.as_str(), text);
            let expected = target.map(|(scope, name)| Target::In { scope, name });
            assert_eq!(resource.target(), expected, "{text:?}");
            assert_eq!(agentry_text::Text::remark(&resource).is_some(), target.is_none(), "{text:?}");
        }
        for everything in ["*", "*:x"] {
            assert_eq!(Resource::new(everything).unwrap().target(), Some(Target::Everything));
        }
    }

    #[test]
    fn patterns_meet_when_a_text_matches_both() {
        for (one, other, meet) in [
            ("", "", true),
            ("*", "", true),
            ("a", "", false),
            ("a*", "*b", true),
            ("a*c", "ab*", true),
            ("a*c", "b*", false),
            ("*a*", "*b*", true),
            ("abc", "a*c", true),
            ("abc", "a*d", false),
            ("**", "x", true),
            ("ä*", "*ö", true),
        ] {
            assert_eq!(patterns_meet(one, other), meet, "{one} and {other}");
            assert_eq!(patterns_meet(other, one), meet, "{other} and {one}");
        }
        let long = "a".repeat(5_000);
        assert!(patterns_meet(&long, &format!("{long}b")), "too much work counts as a conflict");
    }

    #[test]
    fn every_kind_of_effect_has_one_meaning() {
        for kind in EffectKind::ALL {
            let changes = !["reads", "network", "sensitive-data-egress"].contains(&kind.as_str());
            assert_eq!(kind.changes_something(), changes, "{kind}");
        }
    }
}
