//! Checks manifests and whole registries: finds out which kind a file is, reads it, applies the rules that the
//! types cannot hold, and reports every finding at its place.
//!
//! * [`Checker`] judges one text;
//! * [`walk`] finds the files of a registry and judges them all;
//! * [`policy`] says what a run makes of findings, by [`settings`], allowances and a [`baseline`];
//! * [`mod@explain`] says what there is to know about each rule;
//! * [`fix`] applies what findings offer, and proves it;
//! * [`report`] renders the outcome for people and programs;
//! * [`acknowledged`] are changes of schemas that somebody lets pass, with the reason;
//! * [`affected`] says which existing files a change of a schema affects;
//! * [`binding`] says whether a tool of a server can stand in for a contract;
//! * [`documents`] lists the published documents, with those about what the checker itself reads and prints;
//! * [`service`] answers one request a line, for other programs.

pub mod acknowledged;
mod across;
pub mod affected;
mod allowance;
pub mod baseline;
mod beside;
pub mod binding;
mod check;
mod credentials;
mod detect;
mod documents;
pub mod explain;
mod fingerprint;
pub mod fix;
#[cfg(test)]
mod folder_tests;
mod foreign;
mod hidden;
mod package;
mod path;
mod pointer;
pub mod policy;
mod prompt;
pub mod report;
pub mod rules;
mod schemas;
pub mod service;
pub mod settings;
mod skill_md;
pub mod standing;
mod template;
mod tools;
mod values;

pub mod walk;

pub use check::{Checked, Checker, Input};
pub use detect::{Candidate, Detection, Sign, detect};
pub use documents::documents;
pub use explain::{RulePage, explain};

use agentry_text::Rule;

/// Every rule of Agentry, in the order in which a document meets them.
pub fn all_rules() -> impl Iterator<Item = &'static Rule> {
    agentry_text::rules::ALL.iter().chain(agentry::rules::ALL).chain(rules::ALL).copied()
}
