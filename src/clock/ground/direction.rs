/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The client sends at the server time that it shows. The server receives at the time of its own clock.
    ToServer,
    /// The server sends at the time of its own clock. The client receives at the server time that it shows.
    ToClient,
}
