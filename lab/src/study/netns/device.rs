//! TUN devices, their addresses, and real-time priority. No small crate provides these.
#![expect(unsafe_code, reason = "these requests have no safe wrapper, and each structure is on the stack")]

use std::fs::{File, OpenOptions};
use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;

pub(super) const MTU: usize = 1_500;

const NAME: &[u8] = b"tun0";
const TUNSETIFF: libc::c_ulong = 0x4004_54CA;
/// Any real-time priority suffices, because all other threads have ordinary priorities.
const REAL_TIME: i32 = 50;

#[repr(C)]
struct Request {
    name: [u8; libc::IFNAMSIZ],
    value: [u8; 24],
}

impl Request {
    fn of(value: &[u8]) -> Self {
        let mut request = Request { name: [0; libc::IFNAMSIZ], value: [0; 24] };
        request.name[..NAME.len()].copy_from_slice(NAME);
        request.value[..value.len()].copy_from_slice(value);
        request
    }

    fn make(mut self, fd: RawFd, code: libc::c_ulong) -> io::Result<()> {
        // SAFETY: the structure outlives the call, and is `struct ifreq` as on 64-bit systems, or larger.
        let done = unsafe { libc::ioctl(fd, code as _, &mut self) };
        if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

/// Opens a TUN device with a /16 address in this thread's network namespace. Closing the file removes it.
pub(super) fn open_tun(address: Ipv4Addr) -> io::Result<File> {
    let tun =
        OpenOptions::new().read(true).write(true).custom_flags(libc::O_NONBLOCK).open("/dev/net/tun")?;
    let flags = (libc::IFF_TUN | libc::IFF_NO_PI) as u16;
    Request::of(&flags.to_ne_bytes()).make(tun.as_raw_fd(), TUNSETIFF)?;
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    let change = |value: &[u8], code| Request::of(value).make(socket.as_raw_fd(), code);
    change(&socket_address(address), libc::SIOCSIFADDR)?;
    change(&socket_address(Ipv4Addr::new(255, 255, 0, 0)), libc::SIOCSIFNETMASK)?;
    change(&(MTU as i32).to_ne_bytes(), libc::SIOCSIFMTU)?;
    // Packets should wait in the bottleneck, not in front of it.
    change(&10_000_i32.to_ne_bytes(), libc::SIOCSIFTXQLEN)?;
    change(&((libc::IFF_UP | libc::IFF_RUNNING) as u16).to_ne_bytes(), libc::SIOCSIFFLAGS)?;
    Ok(tun)
}

fn socket_address(address: Ipv4Addr) -> [u8; 8] {
    let [family_0, family_1] = (libc::AF_INET as u16).to_ne_bytes();
    let [a, b, c, d] = address.octets();
    [family_0, family_1, 0, 0, a, b, c, d]
}

pub(super) fn run_in_real_time() -> io::Result<()> {
    let priority = libc::sched_param { sched_priority: REAL_TIME };
    // SAFETY: the structure outlives the call, which affects only the calling thread.
    let done = unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &priority) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
