/// The path of an exchange. Paths have different delays, so samples of different paths are never averaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Path {
    /// The game's own messages. The caller sends them, and they may wait for frames.
    #[default]
    Messages,
    /// The link: separate datagrams, timestamped on arrival.
    Link,
}
