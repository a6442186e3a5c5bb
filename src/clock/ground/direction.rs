/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the server. The client sends the message at the server time that it shows, and the
    /// server receives it at the time of its own clock.
    ToServer,
    /// From the server to the client. The server sends the message at the time of its own clock, and the
    /// client receives it at the server time that it shows.
    ToClient,
}
