use std::io;
#[cfg(not(unix))]
use std::net::{Ipv4Addr, UdpSocket as Socket};
#[cfg(unix)]
use std::os::unix::net::UnixDatagram as Socket;

use super::NetError;
use crate::clock::for_parts::Shared;

/// Wakes another thread by sending a byte from the first socket to the second.
#[derive(Clone)]
pub(super) struct Waker(Shared<(Socket, Socket)>);

impl Waker {
    pub(super) fn new() -> Result<Self, NetError> {
        let (near, far) = pair()?;
        near.set_nonblocking(true)?;
        far.set_nonblocking(true)?;
        Ok(Waker(Shared::new((near, far))?))
    }

    /// Ends the current wait, or the next one if no thread is waiting.
    pub(super) fn wake(&self) {
        // If the buffer is full, the bytes in it already wake the waiting thread.
        let _ = self.0.0.send(&[1]);
    }

    pub(super) fn watched(&self) -> &Socket {
        &self.0.1
    }

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
