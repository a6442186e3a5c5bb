//! Allocates memory on behalf of the caller. Buffers have exactly the stated sizes, so sanitizers detect
//! other accesses.

use core::ffi::c_void;
use core::mem::offset_of;
use core::ptr;

use arbitrary::{Result, Unstructured};
use netclock::c::NetclockConfig;

/// Slightly larger than any growable structure.
const LARGEST: usize = 4_200;
const DOUBLES: [usize; 7] = [
    offset_of!(NetclockConfig, max_slew),
    offset_of!(NetclockConfig, client_drift_ppm),
    offset_of!(NetclockConfig, server_drift_ppm),
    offset_of!(NetclockConfig, client_rate_ppm),
    offset_of!(NetclockConfig, client_rate_doubt_ppm),
    offset_of!(NetclockConfig, server_rate_ppm),
    offset_of!(NetclockConfig, server_rate_doubt_ppm),
];

/// `None` stands for a null pointer. Memory is aligned at least as strictly as the ABI's structures.
pub(super) struct Memory(Option<Box<[u8]>>);

impl Memory {
    pub(super) fn null() -> Self {
        Memory(None)
    }

    fn new(length: usize) -> Self {
        Memory((length > 0).then(|| vec![0; length].into()))
    }

    /// Allocates a structure for the library to fill, usually of the size `usual`.
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

    /// The fields are zero, small or random, and the structure may be followed by extra bytes.
    pub(super) fn config(input: &mut Unstructured<'_>) -> Result<Self> {
        let mut memory = Self::of_size(input, size_of::<NetclockConfig>())?;
        for at in (4..memory.length().saturating_sub(7)).step_by(8).take(20) {
            let at = if at == 4 { at } else { at - 4 };
            let double = DOUBLES.contains(&at);
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

    pub(super) fn pointer(&mut self) -> *mut c_void {
        self.0.as_mut().map_or(ptr::null_mut(), |bytes| bytes.as_mut_ptr().cast())
    }

    pub(super) fn length(&self) -> usize {
        self.0.as_ref().map_or(0, |bytes| bytes.len())
    }

    fn put(&mut self, at: usize, new: &[u8]) {
        if let Some(bytes) = &mut self.0 {
            bytes[at..at + new.len()].copy_from_slice(new);
        }
    }

    pub(super) fn eight_bytes(&self, i: usize) -> u64 {
        let bytes = self.0.as_ref().and_then(|bytes| bytes[8 * i..].first_chunk());
        u64::from_ne_bytes(*bytes.expect("it is long enough"))
    }

    /// The library must not change the size that the caller specified.
    pub(super) fn keeps_its_size(&self) {
        if let Some(bytes) = &self.0 {
            assert_eq!(bytes.first_chunk(), Some(&(bytes.len() as u32).to_ne_bytes()));
        }
    }
}
