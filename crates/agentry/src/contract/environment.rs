//! Which tools are offered to whom.

use super::{Contract, Implementation, Principal, Tag};
use std::collections::BTreeSet;

/// What an operator has set up: which tools are mapped to servers, and whether commands run on the machine itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    mapped: BTreeSet<Contract>,
    local_runner: bool,
}

/// Who implements a tool in an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Implementer {
    /// The runtime itself.
    BuiltIn,
    /// The MCP server that the tool is mapped to.
    Server,
    /// The guarded runner on the machine itself.
    LocalRunner,
}

/// A tool as it is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Offer {
    /// The tool.
    pub contract: Contract,
    /// Who implements it here.
    pub implementer: Implementer,
}

impl Environment {
    /// Nothing is mapped, and no command runs.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with a tool mapped to a server, in place of whoever implements it otherwise.
    #[must_use]
    pub fn with_mapped(mut self, contract: Contract) -> Self {
        self.mapped.insert(contract);
        self
    }

    /// The same with the guarded runner for `exec` enabled or not.
    #[must_use]
    pub fn with_local_runner(mut self, enabled: bool) -> Self {
        self.local_runner = enabled;
        self
    }

    /// Who implements a tool here; None where nobody does.
    pub fn implementer(&self, contract: Contract) -> Option<Implementer> {
        if self.mapped.contains(&contract) {
            return Some(Implementer::Server);
        }
        match contract.implementation() {
            Implementation::BuiltIn => Some(Implementer::BuiltIn),
            Implementation::LocalRunner if self.local_runner => Some(Implementer::LocalRunner),
            Implementation::LocalRunner | Implementation::Mapped | Implementation::Profile => None,
        }
    }

    /// The tools that a principal is offered here, in the specification's order: those that it may call and that
    /// somebody implements.
    pub fn offered(&self, principal: Principal) -> impl Iterator<Item = Offer> + '_ {
        Contract::ALL.iter().copied().filter(move |contract| contract.allows(principal)).filter_map(
            |contract| {
                let implementer = self.implementer(contract)?;
                Some(Offer { contract, implementer })
            },
        )
    }
}

impl Offer {
    /// What the tool must be handled with care for.
    pub fn tags(&self) -> &'static [Tag] {
        self.contract.tags()
    }
}
