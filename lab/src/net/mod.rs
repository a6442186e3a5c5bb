//! Real sockets, real clocks, real processes.

pub(crate) mod address;
pub(crate) mod chrony;
pub(crate) mod client;
pub(crate) mod clock;
pub(crate) mod events;
pub(crate) mod hub;
pub(crate) mod impairment;
pub(crate) mod lifetime;
pub(crate) mod line;
pub(crate) mod relay;
pub(crate) mod server;
pub(crate) mod socket;
pub(crate) mod source;
