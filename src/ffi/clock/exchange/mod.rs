//! Messages.
//!
//! A client asks with a request, and the server answers with a reply. Send them as you like: as
//! structures over a connection of your own, or as datagrams of 32 bytes.
//! Statuses: 100 to 119, positive and negative.

pub(crate) mod messages;
pub(crate) mod wire;
pub(crate) mod status;
