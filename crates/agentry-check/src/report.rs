//! Rendering an outcome: for people ([`human`]), for programs ([`json`]), for viewers of code scanning ([`sarif`]), for
//! the log of a GitHub workflow ([`github`]), and for whatever shows test results ([`junit`]).

pub mod github;
pub mod human;
pub mod json;
pub mod junit;
mod place;
pub mod sarif;

pub(crate) use place::{normal, relative};
