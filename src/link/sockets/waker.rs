//! Ends another thread's wait.

use std::io;
#[cfg(not(unix))]
use std::net::{Ipv4Addr, UdpSocket as Socket};
#[cfg(unix)]
use std::os::unix::net::UnixDatagram as Socket;

use super::NetError;
use crate::clock::for_parts::Shared;

/// Two connected sockets: a byte from the first ends a wait on the second.
#[derive(Clone)]
pub(super) struct Waker(Shared<(Socket, Socket)>);

impl Waker {
    pub(super) fn new() -> Result<Self, NetError> {
        let (near, far) = pair()?;
        near.set_nonblocking(true)?;
        far.set_nonblocking(true)?;
        Ok(Waker(Shared::new((near, far))?))
    }

    /// Ends the current or the next wait.
    pub(super) fn wake(&self) {
        // If there is no room, the waiting thread will wake up anyway.
        let _ = self.0.0.send(&[1]);
    }

    /// The socket that a wait has to watch.
    pub(super) fn watched(&self) -> &Socket {
        &self.0.1
    }

    /// Resets it after a wait, so that the next one lasts.
    pub(super) fn clear(&self) {
        while self.0.1.recv(&mut [0; 1]).is_ok() {}
    }
}

#[cfg(unix)]
fn pair() -> io::Result<(Socket, Socket)> {
    Socket::pair()
}

#[cfg(not(unix))]
fn pair() -> io::Result<(Socket, Socket)> {
    let [near, far] = [Socket::bind((Ipv4Addr::LOCALHOST, 0))?, Socket::bind((Ipv4Addr::LOCALHOST, 0))?];
    near.connect(far.local_addr()?)?;
    far.connect(near.local_addr()?)?;
    Ok((near, far))
}
