/// The version of the binary interface. Do not use a library that returns a different version.
pub const NETCLOCK_ABI_VERSION: u32 = 1;

/// The revision of the interface in this header. Functions added in later revisions state "since revision N".
pub const NETCLOCK_ABI_REVISION: u32 = 1;

/// Returns the `NETCLOCK_ABI_VERSION` of the loaded library. Compare the result with the header's version
/// before any other call.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_abi_version() -> u32 {
    NETCLOCK_ABI_VERSION
}

/// Returns the `NETCLOCK_ABI_REVISION` of the loaded library. If it is lower than the header's, the library
/// is older than the header and lacks the functions of later revisions.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_abi_revision() -> u32 {
    NETCLOCK_ABI_REVISION
}
