//! A network that is made bad on purpose: `lab impair`.

pub mod command;
pub(crate) mod forwarder;
pub(crate) mod impairment;
