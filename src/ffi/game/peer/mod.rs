//! Peers behind a relay.
//!
//! Peers that communicate only through a relay share the clock of one peer, the primary.
//! docs/relay-protocol.md specifies the messages.
//! Statuses: 800 to 899, positive and negative.
//! Header: netclock_peer.h

pub(crate) mod relay;
pub(crate) mod handle;
pub(crate) mod status;
