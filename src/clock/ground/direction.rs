//! The two directions between a client and its server.

/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Sent by the client at the shown server time, received by the server by its own clock.
    ToServer,
    /// Sent by the server by its own clock, received by the client at the shown server time.
    ToClient,
}
