//! The product on recorded delays, or on a recorded session: `lab replay`.

pub mod command;
mod session;
