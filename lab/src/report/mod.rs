//! What the commands print and how they end.

pub mod exit;
pub mod plot;
pub(crate) mod table;
