//! The 48 internal tools of agentd: what each takes, what it answers, who may call it, and who implements it.
//!
//! A contract is what a caller may rely on, whoever implements the tool. One table, in `catalogue`, states
//! everything about a contract but its two types, which the module of its family defines; the rest is made from it.
//!
//! ```
//! use agentry::contract::{Call, Contract, Environment, Principal};
//! # use agentry::Value;
//!
//! // What a model is offered.
//! let environment = Environment::new().with_mapped(Contract::SearchQuery);
//! for offer in environment.offered(Principal::Subagent) {
//!     println!("{}: {}", offer.contract, offer.contract.summary());
//! }
//!
//! // What it calls, by type.
//! let arguments = Value::Table([("duration".to_owned(), Value::String("30s".to_owned()))].into_iter().collect());
//! let contract = Contract::from_name("sleep").expect("a known tool");
//! match contract.call(arguments)? {
//!     Call::Sleep(input) => println!("sleeping for {:?}", input.duration.parse()),
//!     other => println!("{} is not implemented here", other.name()),
//! }
//! # Ok::<(), agentry::ReadError>(())
//! ```
//!
//! # Decisions
//!
//! * **The same documents.** Every type accepts exactly what the specification's schema accepts, and its own schema
//!   says the same: any string, any whole number however large, null where any value is accepted and nowhere else.
//!   What is accepted and hardly meant (a duration that is none, a negative size) draws a warning.
//! * **Numbers.** `3.0` is a whole number, as in JSON Schema, read with a warning and written as `3`.
//! * **`$schema`** at the root is an annotation in every document, so the readers pass over it in a closed input,
//!   where the specification and the published schema alone would refuse it. It is no argument: a call does not carry
//!   it on. In an output, which is open, a `$schema` that is no text is refused, and the specification takes it.
//! * **Unknown keys** are errors in an input, which the specification closes, and warnings in an output and in the
//!   tables below an input, which it leaves open. Where it says only "an object", no key is unknown.
//! * **Grants** are defaults: an operator may grant less or more. **Tags** are added where tools are offered.
//! * **A mapping wins**: a tool that is mapped to a server is offered from there, whether or not there is a
//!   built-in implementation or a local runner. It swaps the implementation, never the contract.

pub mod artifact;
mod call;
pub mod catalogue;
pub mod code;
pub mod context;
mod environment;
pub mod exec;
pub mod human;
pub mod instruction;
pub mod intelligence;
pub mod knowledge;
pub mod lifecycle;
pub mod memory;
pub mod plan;
pub mod search;
pub mod skills;
pub mod status;
pub mod subagent;
pub mod time;
pub mod values;
pub mod workflow;

pub use catalogue::{Answer, Call, Contract, Family, Implementation, Input, Output, Principal, Side, Tag};
pub use environment::{Environment, Implementer, Offer};
