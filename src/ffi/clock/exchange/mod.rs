//! Messages.
//!
//! A client sends a request, and the server answers with a reply. Send them as structures over the game's
//! connection, or as datagrams of 32 bytes.
//! Statuses: 100 to 119, positive and negative.

pub(crate) mod messages;
pub(crate) mod wire;
pub(crate) mod status;
