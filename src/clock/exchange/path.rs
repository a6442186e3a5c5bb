/// How an exchange travels. Paths have different delays, so their samples are never averaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Path {
    /// The caller sends the messages itself, and they may have to wait for a frame.
    #[default]
    Messages,
    /// The link sends its own datagrams, which are timestamped on arrival.
    Link,
}
