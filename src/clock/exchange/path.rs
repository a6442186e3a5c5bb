//! By which path an exchange came.

/// The path of an exchange. Paths have delays of their own, so their samples are never averaged together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Path {
    /// The game's own messages: the caller sends them, and they may wait for frames.
    #[default]
    Messages,
    /// The link: datagrams beside the game's, stamped on arrival.
    Link,
}
