//! `lab replay`: the product on recorded delays, or on a recorded session.

pub mod command;
mod session;
