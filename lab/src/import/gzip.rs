//! Files that gzip packed, as irtt and programs that rotate logs leave them.

use anyhow::{Context, Result};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// Larger content is refused (bytes).
const LARGEST: usize = 1 << 31;
/// The head without its optional fields, and the flags of these.
const HEAD: usize = 10;
const CHECK: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

/// The content of a packed file; `None` if it is not packed.
pub(super) fn unpacked(bytes: &[u8]) -> Option<Result<Vec<u8>>> {
    let is_packed = bytes.starts_with(&[0x1f, 0x8b, 8]);
    is_packed.then(|| {
        let content = content(bytes).context("the file is packed by gzip, and cut off")?;
        decompress_to_vec_with_limit(content, LARGEST).ok().context("gzip's data are wrong, or above 2 GiB")
    })
}

/// What follows the head.
fn content(bytes: &[u8]) -> Option<&[u8]> {
    let (flags, mut rest) = (*bytes.get(3)?, bytes.get(HEAD..)?);
    if flags & EXTRA != 0 {
        rest = rest.get(2 + usize::from(u16::from_le_bytes(*rest.first_chunk()?))..)?;
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            rest = rest.get(rest.iter().position(|&it| it == 0)? + 1..)?;
        }
    }
    if flags & CHECK != 0 { rest.get(2..) } else { Some(rest) }
}
