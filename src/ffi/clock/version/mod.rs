//! Versions.
//!
//! Programs that load the library at run time compare its versions with those of their header.

pub(crate) mod numbers;
