/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The client sends at its shown server time, and the server receives at its own clock's time.
    ToServer,
    /// The server sends at its own clock's time, and the client receives at its shown server time.
    ToClient,
}
