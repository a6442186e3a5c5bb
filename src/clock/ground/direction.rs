/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the server. The send time is the server time that the client shows, and the receive
    /// time is the server's own time.
    ToServer,
    /// From the server to the client. The send time is the server's own time, and the receive time is the
    /// server time that the client shows.
    ToClient,
}
