//! Identifies the machine's current boot. The core does not use this module.
//!
//! Some kernels calibrate the processor's counter at each boot, with errors of tens of ppm. A reboot may
//! therefore change the rate of the clock in [`time`](super::time).

use core::hash::Hasher;

use siphasher::sip::SipHasher24;

/// Returns the id of this machine's current boot for [`Earlier::boot`](crate::Earlier::boot), or 0 if the
/// system does not provide one. A server can send the id to its clients, which pass it to
/// [`Client::set_server_boot`](crate::Client::set_server_boot). The id reveals only which servers share a
/// machine.
///
/// Uses the boot id on Linux and Android, the boot session's UUID on macOS and iOS, and the boot time on
/// Windows. See [`Saved`](crate::Saved).
pub fn boot_id() -> u64 {
    let mut text = [0; ROOM];
    system::read(&mut text).map_or(0, |length| identity(&text[..length.min(ROOM)]))
}

/// Maximum length of the boot id. A UUID as text takes 36 bytes.
const ROOM: usize = 40;

/// Hashes the id, so that the original never leaves the machine.
fn identity(name: &[u8]) -> u64 {
    let mut hash = SipHasher24::new();
    hash.write(name);
    // Zero means that the system provides no id.
    if name.is_empty() { 0 } else { hash.finish().max(1) }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use std::io::Read;

    pub(super) fn read(name: &mut [u8; super::ROOM]) -> Option<usize> {
        std::fs::File::open("/proc/sys/kernel/random/boot_id").ok()?.read(name).ok()
    }
}

#[cfg(target_vendor = "apple")]
mod system {
    use core::ptr;

    pub(super) fn read(name: &mut [u8; super::ROOM]) -> Option<usize> {
        let mut length = name.len();
        // SAFETY: the name is zero-terminated, the buffer has the stated size, and the call only reads.
        let failed = unsafe {
            libc::sysctlbyname(
                c"kern.bootsessionuuid".as_ptr(),
                name.as_mut_ptr().cast(),
                &raw mut length,
                ptr::null_mut(),
                0,
            )
        };
        (failed == 0).then_some(length)
    }
}

#[cfg(windows)]
mod system {
    use core::mem::size_of;
    use core::ptr;

    /// `SystemTimeOfDayInformation`.
    const TIME_OF_DAY: i32 = 3;

    /// All times are in units of 100 ns.
    #[repr(C)]
    #[derive(Default)]
    struct TimeOfDay {
        boot: i64,
        now: i64,
        zone: i64,
        zone_id: u32,
        reserved: u32,
        /// How far `boot` has moved because the system's clock was set.
        boot_moved: i64,
        sleep_moved: i64,
    }

    #[link(name = "ntdll")]
    unsafe extern "system" {
        fn NtQuerySystemInformation(class: i32, to: *mut TimeOfDay, size: u32, length: *mut u32) -> i32;
    }

    pub(super) fn read(name: &mut [u8; super::ROOM]) -> Option<usize> {
        let (mut times, size) = (TimeOfDay::default(), size_of::<TimeOfDay>() as u32);
        // SAFETY: the buffer has the stated size; the length may be null.
        let status = unsafe { NtQuerySystemInformation(TIME_OF_DAY, &raw mut times, size, ptr::null_mut()) };
        let booted = times.boot.checked_sub(times.boot_moved)?;
        name[..8].copy_from_slice(&booted.to_ne_bytes());
        (status == 0 && times.boot != 0).then_some(8)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple", windows)))]
mod system {
    pub(super) fn read(_: &mut [u8; super::ROOM]) -> Option<usize> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boot_id_is_constant() {
        let here = boot_id();
        assert_eq!(boot_id(), here);
        assert_eq!(here != 0, cfg!(any(target_os = "linux", target_vendor = "apple", windows)));
        assert_ne!(identity(b"one"), identity(b"other"));
        assert_eq!(identity(b""), 0);
    }
}
