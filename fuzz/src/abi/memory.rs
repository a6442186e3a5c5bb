//! The caller's memory: exactly as large as the call says, so that a sanitizer sees one byte too many.

use core::alloc::Layout;
use core::ffi::c_void;
use core::ptr;
use std::alloc::{alloc_zeroed, dealloc, handle_alloc_error};

use arbitrary::{Result, Unstructured};

/// The largest size that a growable structure may state, and a little more.
const LARGEST: usize = 4_200;
/// Aligned as every structure of the ABI.
const ALIGN: usize = 8;
/// `sizeof(netclock_config)`, and where its fields of type `double` are.
const CONFIG_SIZE: usize = 296;
const CONFIG_DOUBLES: [usize; 7] = [8, 16, 24, 120, 128, 136, 144];

pub(super) struct Memory {
    start: *mut u8,
    length: usize,
}

impl Memory {
    pub(super) fn null() -> Self {
        Memory { start: ptr::null_mut(), length: 0 }
    }

    fn new(length: usize) -> Self {
        let Some(layout) = Self::layout(length) else { return Self::null() };
        // SAFETY: the layout is not of size zero.
        let start = unsafe { alloc_zeroed(layout) };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        Memory { start, length }
    }

    fn layout(length: usize) -> Option<Layout> {
        if length == 0 { None } else { Layout::from_size_align(length, ALIGN).ok() }
    }

    /// A structure to fill. It states its size: mostly `usual`, sometimes more, less, or null.
    pub(super) fn of_size(input: &mut Unstructured<'_>, usual: usize) -> Result<Self> {
        let size = match input.int_in_range(0..=31)? {
            0 => return Ok(Self::null()),
            1..=3 => input.int_in_range(4..=LARGEST)?,
            _ => usual,
        };
        let mut memory = Self::new(size);
        memory.put(0, &(size as u32).to_ne_bytes());
        Ok(memory)
    }

    /// A configuration. Its fields are zero, small or random, and it may have a tail.
    pub(super) fn config(input: &mut Unstructured<'_>) -> Result<Self> {
        let mut memory = Self::of_size(input, CONFIG_SIZE)?;
        for at in (4..memory.length.saturating_sub(7)).step_by(8).take(20) {
            let at = if at == 4 { at } else { at - 4 };
            let double = CONFIG_DOUBLES.contains(&at);
            match input.int_in_range(0..=15)? {
                0 if double => memory.put(at, &f64::from(input.arbitrary::<u16>()?).to_ne_bytes()),
                1 if double => memory.put(at, &f64::from_bits(input.arbitrary()?).to_ne_bytes()),
                0 if at == 4 => memory.put(at, &u32::from(input.arbitrary::<u8>()?).to_ne_bytes()),
                0 => memory.put(at, &i64::from(input.arbitrary::<i32>()?).to_ne_bytes()),
                1 if at > 4 => memory.put(at, &input.arbitrary::<i64>()?.to_ne_bytes()),
                _ => {}
            }
        }
        Ok(memory)
    }

    /// A datagram, mostly of the right length, with a right or a wrong header.
    pub(super) fn bytes(input: &mut Unstructured<'_>) -> Result<Self> {
        let length = match input.int_in_range(0..=7)? {
            0 => return Ok(Self::null()),
            1 => input.int_in_range(0..=80)?,
            _ => 32,
        };
        let mut memory = Self::new(length);
        for at in 0..length {
            memory.put(at, &[input.arbitrary()?]);
        }
        if length >= 4 && input.ratio(3, 4)? {
            memory.put(0, &[b'N', b'K', 1, 1 + u8::from(input.arbitrary::<bool>()?)]);
        }
        Ok(memory)
    }

    pub(super) fn pointer(&self) -> *mut c_void {
        self.start.cast()
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    pub(super) fn put(&mut self, at: usize, bytes: &[u8]) {
        assert!(at + bytes.len() <= self.length || self.start.is_null());
        if !self.start.is_null() {
            // SAFETY: within what was allocated, as just checked.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.add(at), bytes.len()) };
        }
    }

    /// The `i`-th eight bytes.
    pub(super) fn eight_bytes(&self, i: usize) -> u64 {
        assert!(8 * (i + 1) <= self.length);
        // SAFETY: within what was allocated, as just checked, which was all written to.
        unsafe { self.start.cast::<u64>().add(i).read() }
    }

    /// The size that the caller stated is unchanged after the call.
    pub(super) fn keeps_its_size(&self) {
        if !self.start.is_null() {
            // SAFETY: no structure is smaller than its first field.
            assert_eq!(unsafe { self.start.cast::<u32>().read() } as usize, self.length);
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.length) {
            // SAFETY: allocated with this layout, and freed once.
            unsafe { dealloc(self.start, layout) };
        }
    }
}
