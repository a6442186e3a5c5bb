//! Real sockets and clocks, and a folder for each program on the network.

pub(crate) mod address;
pub mod chrony;
pub(crate) mod clock;
pub mod impair;
pub(crate) mod key_file;
pub(crate) mod lifetime;
pub mod link;
pub mod relay;
pub mod serve;
pub(crate) mod stream;
pub mod sync;
pub(crate) mod truth;
