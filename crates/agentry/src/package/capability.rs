//! What an agent may use of its host.

use super::CapabilityName;
use crate::Shorthand;
use agentry_macros::document;
use agentry_text::{Map, Value};

/// Something of the host that an agent may use: its name, or its name with settings.
pub type Capability = Shorthand<CapabilityName, CapabilityReference>;

impl Capability {
    /// The name of the capability.
    pub const fn name(&self) -> &CapabilityName {
        match self {
            Self::Word(name) => name,
            Self::Table(reference) => &reference.name,
        }
    }

    /// The settings. None where there are none.
    pub const fn config(&self) -> Option<&Map<String, Value>> {
        match self {
            Self::Word(_) => None,
            Self::Table(reference) => reference.config.as_ref(),
        }
    }
}

/// A capability with settings.
#[document]
pub struct CapabilityReference {
    /// The name of the capability, built into the host or from its catalogue. Not an id that one host gave it.
    #[key(rename = "ref", example = "web_fetch")]
    pub name: CapabilityName,
    /// Settings, by the keys that the capability defines. The host checks them. Absent means none. Never a credential.
    pub config: Option<Map<String, Value>>,
}
