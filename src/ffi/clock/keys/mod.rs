//! Session keys.
//!
//! A server draws a key for each player and sends it over a private connection. Both sides then seal their
//! datagrams with the key. Pass the key to `netclock_host_admit` and `netclock_guest_connect` for a session,
//! and to `netclock_link_server_admit` and `netclock_link_client_create` for a link.
//! Header: netclock_keys.h
//! Statuses: 120 to 129, positive and negative.

pub(crate) mod keyed;
pub(crate) mod status;
