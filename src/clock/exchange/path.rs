/// The path of an exchange. Paths have different delays, so samples of different paths are never averaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Path {
    /// The game's own messages. The caller sends them, and they may have to wait for a frame.
    #[default]
    Messages,
    /// The link, whose separate datagrams are timestamped on arrival.
    Link,
}
