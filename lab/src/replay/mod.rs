//! A new client on a recorded session: `lab replay`.

pub mod command;
