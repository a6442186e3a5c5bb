//! The two directions between a client and its server.

/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Sent by the client at its shown server time, and received by the server at the time of its own clock.
    ToServer,
    /// Sent by the server at the time of its own clock, and received by the client at its shown server time.
    ToClient,
}
