//! Session keys and the messages sealed with them.

pub mod keyed;
mod window;
