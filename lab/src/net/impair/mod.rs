//! A bad network between clients and a server: `lab impair`.

pub mod command;
pub(crate) mod forwarder;
pub(crate) mod impairment;
pub(crate) mod leg;
