//! Statuses of links.

use crate::ffi::base::prelude::*;
use crate::link::sockets::NetError;

/// Another program uses the port. Choose another one, or 0 for a free one.
pub const NETCLOCK_PORT_IN_USE: i32 = -1001;
/// The system forbids the socket. Ports below 1024 need privileges.
pub const NETCLOCK_NO_PERMISSION: i32 = -1002;
/// The address is none, or none of this machine.
pub const NETCLOCK_BAD_ADDRESS: i32 = -1003;
/// The system gives no socket.
pub const NETCLOCK_NO_SOCKET: i32 = -1004;
/// The system gives no thread.
pub const NETCLOCK_NO_THREAD: i32 = -1005;
/// The link is carried: it has no socket, so it has no port and is not polled.
pub const NETCLOCK_CARRIED: i32 = -1006;
/// The link has a thread, so it is not polled.
pub const NETCLOCK_NOT_POLLED: i32 = -1007;
/// The link has a socket, so the caller does not carry its datagrams.
pub const NETCLOCK_NOT_CARRIED: i32 = -1008;

impl From<NetError> for Failure {
    #[cold]
    fn from(error: NetError) -> Self {
        Failure::of(match error {
            NetError::Create(error) => return error.into(),
            NetError::Key(error) => return error.into(),
            NetError::PortInUse => NETCLOCK_PORT_IN_USE,
            NetError::NoPermission => NETCLOCK_NO_PERMISSION,
            NetError::BadAddress => NETCLOCK_BAD_ADDRESS,
            NetError::Thread => NETCLOCK_NO_THREAD,
            NetError::Socket(error) => {
                let code = error.raw_os_error().unwrap_or(0);
                return Failure::because(NETCLOCK_NO_SOCKET, move |f| {
                    write!(f, "the system gives no socket: its error {code}")
                });
            }
        })
    }
}
