//! Which library was loaded.

/// Version of the binary interface. Do not call a library whose `netclock_abi_version()` is another.
pub const NETCLOCK_ABI_VERSION: u32 = 1;

/// Revision of the binary interface that this header describes. It is one more whenever functions are added;
/// their comments say "since revision N".
pub const NETCLOCK_ABI_REVISION: u32 = 1;

/// The loaded library's `NETCLOCK_ABI_VERSION`: compare it before any other call. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_abi_version() -> u32 {
    NETCLOCK_ABI_VERSION
}

/// Revision of the binary interface of the library that was loaded. If it is less than
/// `NETCLOCK_ABI_REVISION`, the library is older than this header: functions of a later revision are missing
/// from it. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_abi_revision() -> u32 {
    NETCLOCK_ABI_REVISION
}
