//! Compares two JSON Schemas by meaning: whether one takes every document that the other takes, and if not, which
//! document shows it. It knows nothing of agents, takes drafts 4, 6, 7, 2019-09 and 2020-12, and compares across them.
//!
//! An answer is proved, or shown by a document that a validator has judged by both schemas, or it is unknown.
//!
//! ```
//! use agentry_diff::{Effect, Options, Verdict, compare};
//! use serde_json::json;
//!
//! let old = json!({"type": "object", "properties": {"tier": {"enum": ["local", "cloud"]}}});
//! let new = json!({"type": "object", "properties": {"tier": {"enum": ["cloud", "edge"]}}});
//! let comparison = compare(&old, &new, &Options::default());
//!
//! let Verdict::No(witness) = &comparison.backward else { panic!() };
//! assert_eq!(witness.document, json!({"tier": "local"}));
//! assert!(witness.declared_keys_only);
//!
//! let effects: Vec<&str> = comparison.changes.iter().map(|change| change.effect.name()).collect();
//! assert_eq!(effects, ["breaks-files", "breaks-readers"]);
//! assert_eq!(comparison.changes[0].to_string(), "/properties/tier/enum  option \"local\" removed");
//! ```

mod canonical;
mod change;
mod compare;
mod draft;
mod effect;
mod graph;
mod judge;
mod number;
mod parse;
mod pattern;
mod pointer;
mod report;
mod settle;
mod solve;

pub use change::{Action, Change, Effect};
pub use compare::{Comparison, Options, Reason, Side, Verdict, Witness, accepts_all, compare};
pub use draft::Draft;
pub use number::is_exact;
pub use report::{Both, Document, Report, ReportedChange, Why};
