//! Which boot of the machine the clock that [`time`](super::time) reads runs since. The core never asks.
//!
//! Some kernels measure at each boot how fast the processor's counter runs, and err by tens of ppm. So the
//! rate of a clock may be another one after a boot.

use core::hash::Hasher;

use siphasher::sip::SipHasher24;

/// The identity of this machine's boot, for [`Earlier::boot`](crate::Earlier::boot); 0 if the system does
/// not say. A server can tell its clients its own, for
/// [`Client::set_server_boot`](crate::Client::set_server_boot): it says which servers run on one machine, and
/// nothing else of it.
///
/// Asks Linux and Android for the boot's id, macOS and iOS for the boot session's UUID, Windows for the time
/// of the boot. See [`Saved`](crate::Saved).
pub fn boot_id() -> u64 {
    let mut text = [0; ROOM];
    system::read(&mut text).map_or(0, |length| identity(&text[..length.min(ROOM)]))
}

/// Room for what a system calls its boot: a UUID as text takes 36 bytes.
const ROOM: usize = 40;

/// The name itself stays on the machine.
fn identity(name: &[u8]) -> u64 {
    let mut hash = SipHasher24::new();
    hash.write(name);
    // Zero is for no name.
    if name.is_empty() { 0 } else { hash.finish().max(1) }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    pub(super) fn read(name: &mut [u8; super::ROOM]) -> Option<usize> {
        let path = c"/proc/sys/kernel/random/boot_id";
        // SAFETY: a path that ends with zero.
        let file = unsafe { libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
        if file < 0 {
            return None;
        }
        // SAFETY: it is open, and that many bytes can be written.
        let length = unsafe { libc::read(file, name.as_mut_ptr().cast(), name.len()) };
        // SAFETY: it is open, and nobody else knows of it.
        unsafe { libc::close(file) };
        usize::try_from(length).ok()
    }
}

#[cfg(target_vendor = "apple")]
mod system {
    use core::ptr;

    pub(super) fn read(name: &mut [u8; super::ROOM]) -> Option<usize> {
        let mut length = name.len();
        // SAFETY: a name that ends with zero, as many bytes as it says, and nothing is set.
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

    /// Times are in ticks of 100 ns.
    #[repr(C)]
    #[derive(Default)]
    struct TimeOfDay {
        boot: i64,
        now: i64,
        zone: i64,
        zone_id: u32,
        reserved: u32,
        /// By how much `boot` was moved because somebody set the system's clock.
        boot_moved: i64,
        sleep_moved: i64,
    }

    #[link(name = "ntdll")]
    unsafe extern "system" {
        fn NtQuerySystemInformation(class: i32, to: *mut TimeOfDay, size: u32, length: *mut u32) -> i32;
    }

    pub(super) fn read(name: &mut [u8; super::ROOM]) -> Option<usize> {
        let (mut times, size) = (TimeOfDay::default(), size_of::<TimeOfDay>() as u32);
        // SAFETY: as many bytes as it says can be written; the length may be null.
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
    fn one_boot_has_one_identity() {
        let here = boot_id();
        assert_eq!(boot_id(), here);
        assert_eq!(here != 0, cfg!(any(target_os = "linux", target_vendor = "apple", windows)));
        assert_ne!(identity(b"one"), identity(b"other"));
        assert_eq!(identity(b""), 0);
    }
}
