//! Compares two JSON Schemas by meaning: whether one takes every document that the other takes, and if not, which
//! document shows it.
//!
//! It knows nothing of agents, and takes schemas of any draft from 4 to 2020-12, of two different drafts too.
#![warn(missing_docs)]

mod change;
mod compare;
mod draft;
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
