//! Peers behind a relay.
//!
//! Peers that reach each other only through a relay share the clock of one of them, the primary. The
//! messages are in docs/relay-protocol.md.
//! Statuses: 800 to 899, positive and negative.
//! Header: netclock_peer.h

pub(crate) mod stream;
pub(crate) mod relay;
pub(crate) mod handle;
pub(crate) mod status;
