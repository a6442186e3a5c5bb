//! Versions.
//!
//! Programs that load the library at run time compare its versions with those in their header.

pub(crate) mod numbers;
