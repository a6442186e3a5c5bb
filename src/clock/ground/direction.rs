/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Sent at the server time that the client shows, and received at the time of the server's clock.
    ToServer,
    /// Sent at the time of the server's clock, and received at the server time that the client shows.
    ToClient,
}
