use crate::ffi::base::prelude::*;
use crate::link::sockets::NetError;

/// Another program uses the port. Choose another port, or 0 for any free port.
pub const NETCLOCK_PORT_IN_USE: i32 = -1001;
/// The system denies permission for the socket. Ports below 1024 require privileges.
pub const NETCLOCK_NO_PERMISSION: i32 = -1002;
/// The text is not an address, or not an address of this machine.
pub const NETCLOCK_BAD_ADDRESS: i32 = -1003;
/// The system cannot open a socket.
pub const NETCLOCK_NO_SOCKET: i32 = -1004;
/// The system cannot start a thread.
pub const NETCLOCK_NO_THREAD: i32 = -1005;
/// The link has its own socket, so the caller must not transport its datagrams.
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
                    write!(f, "the system cannot open a socket (error {code})")
                });
            }
        })
    }
}
