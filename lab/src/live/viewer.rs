//! A browser that watches: the body of its response, which goes on until the run ends or the browser leaves.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame};

use super::hub::{Hub, Next};

/// A browser that watches. Dropping it makes room for another.
pub(crate) struct Viewer {
    hub: Arc<Hub>,
    number: u64,
    place: Option<u64>,
}

impl Viewer {
    /// None if too many watch already.
    pub(crate) fn new(hub: &Arc<Hub>) -> Option<Self> {
        Some(Viewer { hub: Arc::clone(hub), number: hub.enter()?, place: None })
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.hub.leave(self.number);
    }
}

impl Body for Viewer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Viewer { hub, number, place } = &mut *self;
        match hub.next(*number, place, context.waker()) {
            Next::News(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            Next::Later => Poll::Pending,
            Next::End => Poll::Ready(None),
        }
    }
}
