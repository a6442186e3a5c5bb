/// The version of the binary interface. Do not use a library whose version differs from the header's.
pub const NETCLOCK_ABI_VERSION: u32 = 1;

/// The revision of the interface in this header. Functions added in later revisions state "since revision N".
pub const NETCLOCK_ABI_REVISION: u32 = 1;

/// Returns the loaded library's `NETCLOCK_ABI_VERSION`. Compare it with the header's before any other call.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_abi_version() -> u32 {
    NETCLOCK_ABI_VERSION
}

/// Returns the `NETCLOCK_ABI_REVISION` of the loaded library. If it is lower than the revision in the header,
/// the library is older than the header and lacks the functions of later revisions.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_abi_revision() -> u32 {
    NETCLOCK_ABI_REVISION
}
