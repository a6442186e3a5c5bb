//! Files compressed with gzip, as left by irtt and by programs that rotate logs.

use std::io::Read;

use anyhow::{Context, Result, ensure};
use flate2::read::MultiGzDecoder;

/// Larger content is refused (bytes).
const LARGEST: u64 = 1 << 31;

/// The content of a compressed file; `None` if the file is not compressed.
pub(super) fn unpacked(bytes: &[u8]) -> Option<Result<Vec<u8>>> {
    bytes.starts_with(&[0x1f, 0x8b, 8]).then(|| {
        let mut content = Vec::new();
        let read = MultiGzDecoder::new(bytes).take(LARGEST + 1).read_to_end(&mut content);
        read.context("the gzip file is truncated or damaged")?;
        ensure!(content.len() as u64 <= LARGEST, "the file has more than 2 GiB when decompressed");
        Ok(content)
    })
}
