/// The path that an exchange took. Paths have different delays, so their samples are never averaged together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Path {
    /// The game's own messages. The caller sends them, and they may wait for frames.
    #[default]
    Messages,
    /// The link: separate datagrams, timestamped on arrival.
    Link,
}
