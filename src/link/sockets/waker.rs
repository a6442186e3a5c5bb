//! Ends the wait of another thread.

#[cfg(not(unix))]
pub(super) use own::Waker;
#[cfg(unix)]
pub(super) use pair::Waker;

#[cfg(unix)]
mod pair {
    use std::io::{Read, Write};
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::net::UnixStream;

    use super::super::NetError;
    use crate::clock::for_parts::Shared;

    /// Two ends of a pipe: a byte in one ends a wait for the other.
    #[derive(Clone)]
    pub(in super::super) struct Waker(Shared<(UnixStream, UnixStream)>);

    impl Waker {
        pub(in super::super) fn new() -> Result<Self, NetError> {
            let (near, far) = UnixStream::pair()?;
            near.set_nonblocking(true)?;
            far.set_nonblocking(true)?;
            Ok(Waker(Shared::new((near, far))?))
        }

        /// Ends the wait, now or when it begins.
        pub(in super::super) fn wake(&self) {
            // If the pipe is full, the waiting thread will wake up anyway.
            let _ = (&self.0.0).write(&[1]);
        }

        /// What a wait has to watch.
        pub(in super::super) fn watched(&self) -> BorrowedFd<'_> {
            self.0.1.as_fd()
        }

        /// The wait is over: the next one lasts again.
        pub(in super::super) fn clear(&self) {
            let mut bytes = [0; 64];
            while (&self.0.1).read(&mut bytes).is_ok_and(|length| length == bytes.len()) {}
        }
    }
}

#[cfg(not(unix))]
mod own {
    use std::net::{Ipv4Addr, UdpSocket};

    use super::super::NetError;
    use crate::clock::for_parts::Shared;

    /// A socket that sends to itself: a datagram in it ends a wait for it.
    #[derive(Clone)]
    pub(in super::super) struct Waker(Shared<UdpSocket>);

    impl Waker {
        pub(in super::super) fn new() -> Result<Self, NetError> {
            let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
            socket.connect(socket.local_addr()?)?;
            socket.set_nonblocking(true)?;
            Ok(Waker(Shared::new(socket)?))
        }

        /// Ends the wait, now or when it begins.
        pub(in super::super) fn wake(&self) {
            // If there is no room, the waiting thread will wake up anyway.
            let _ = self.0.send(&[1]);
        }

        /// What a wait has to watch.
        pub(in super::super) fn watched(&self) -> &UdpSocket {
            &self.0
        }

        /// The wait is over: the next one lasts again.
        pub(in super::super) fn clear(&self) {
            while self.0.recv(&mut [0; 1]).is_ok() {}
        }
    }
}
