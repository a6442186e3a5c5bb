//! Numbers in network byte order, out of bytes that arrived.

/// The 32-bit number that begins at `at`; none if the bytes end before it does.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The 64-bit number that begins at `at`; none if the bytes end before it does.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}
