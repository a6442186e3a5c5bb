/// The transport that carries an exchange. Samples from different paths are never averaged, because delays
/// differ between paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Path {
    /// The caller sends the messages, and each may have to wait for a frame.
    #[default]
    Messages,
    /// The link sends its own datagrams, which are timestamped on arrival.
    Link,
}
