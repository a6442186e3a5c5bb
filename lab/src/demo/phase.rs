//! What the server's world does for a while.

use netclock::Span;

use crate::game::script::Kind;

/// An event of the server's world. Times since the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Phase {
    pub(crate) kind: Kind,
    pub(crate) from: Span,
    pub(crate) to: Span,
}
