//! Rendering an outcome: for people ([`human`]) and for programs ([`json`]).

pub mod human;
pub mod json;
