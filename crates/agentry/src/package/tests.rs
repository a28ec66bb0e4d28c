//! Packages as documents.
