//! Which library was loaded.

/// Version of the binary interface. A library whose `netclock_abi_version()` returns another number must not be
/// called through this header.
pub const NETCLOCK_ABI_VERSION: u32 = 1;

/// Version of the binary interface of the library that was loaded. Compare it with `NETCLOCK_ABI_VERSION` before
/// any other call. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_abi_version() -> u32 {
    NETCLOCK_ABI_VERSION
}
