//! The signature in a Mach-O file: the hash of every page, as the kernel compares it when it loads that page.
//!
//! The format is a table of blobs. All its numbers are big-endian. One of the blobs, the code directory, has
//! the hashes.

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

const TABLE: u32 = 0xfade_0cc0;
const DIRECTORY: u32 = 0xfade_0c02;
/// The place of the code directory in the table.
const DIRECTORY_SLOT: u32 = 0;
/// Signed by nobody: the hashes alone.
const AD_HOC: u32 = 0x2;
const SHA256: u8 = 2;
const SHA256_SIZE: usize = 32;

/// Everything before the signature has the hashes that it states. `start` and `size` are those of its load
/// command.
pub(super) fn check(file: &[u8], start: u32, size: u32) -> Result<()> {
    let (start, size) = (usize::try_from(start)?, usize::try_from(size)?);
    let signature =
        file.get(start..).and_then(|rest| rest.get(..size)).context("the signature is cut off")?;
    let directory = directory(signature).context("in the signature")?;
    let number = |at| number(directory, at);
    ensure!(number(12)? & AD_HOC != 0, "the signature is not an ad hoc one");
    let limit = usize::try_from(number(32)?)?;
    ensure!(limit == start, "the signature covers {limit} bytes of {start}");
    let [hash_size, hash_type, _, page] = number(36)?.to_be_bytes();
    ensure!(hash_type == SHA256 && usize::from(hash_size) == SHA256_SIZE, "its hashes are no SHA-256");
    ensure!((12..=14).contains(&page), "its pages are of 2^{page} bytes");
    let pages: Vec<&[u8]> = file[..limit].chunks(1 << page).collect();
    let count = usize::try_from(number(28)?)?;
    ensure!(count == pages.len(), "it has hashes for {count} pages of {}", pages.len());
    let first = usize::try_from(number(16)?)?;
    let hashes = directory.get(first..).unwrap_or_default().chunks_exact(SHA256_SIZE);
    ensure!(hashes.len() >= count, "its hashes are cut off");
    for (index, (page, stated)) in pages.iter().zip(hashes).enumerate() {
        ensure!(Sha256::digest(page).as_slice() == stated, "page {index} was changed after it was signed");
    }
    Ok(())
}

/// The blob with the hashes.
fn directory(signature: &[u8]) -> Result<&[u8]> {
    ensure!(number(signature, 0)? == TABLE, "it is no table of blobs");
    let count = usize::try_from(number(signature, 8)?)?;
    for index in 0..count {
        let (slot, offset) = (number(signature, 12 + 8 * index)?, number(signature, 16 + 8 * index)?);
        let blob = signature.get(usize::try_from(offset)?..).context("a blob lies outside of it")?;
        if slot == DIRECTORY_SLOT {
            ensure!(number(blob, 0)? == DIRECTORY, "its first blob is no code directory");
            let length = usize::try_from(number(blob, 4)?)?;
            return blob.get(..length).context("the code directory is cut off");
        }
    }
    anyhow::bail!("it has no code directory")
}

fn number(bytes: &[u8], at: usize) -> Result<u32> {
    let bytes = bytes.get(at..at + 4).context("it is cut off")?;
    Ok(u32::from_be_bytes(bytes.try_into()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three pages and a bit of code, and behind them its signature.
    fn signed() -> (Vec<u8>, u32, u32) {
        let mut file: Vec<u8> = (0..3 * 4096 + 100).map(|at: u32| at.to_le_bytes()[1]).collect();
        let hashes: Vec<u8> = file.chunks(4096).flat_map(|page| Sha256::digest(page).to_vec()).collect();
        let limit = u32::try_from(file.len()).expect("it is short");
        let length = u32::try_from(44 + hashes.len()).expect("it is short");
        let numbers = [TABLE, 20 + length, 1, DIRECTORY_SLOT, 20];
        // Length, version, flags, hashes, identifier, special slots, slots, limit, sizes, reserve.
        let directory = [
            DIRECTORY,
            length,
            0x2_0100,
            AD_HOC,
            44,
            44,
            0,
            4,
            limit,
            u32::from_be_bytes([32, SHA256, 0, 12]),
            0,
        ];
        file.extend(numbers.iter().chain(&directory).flat_map(|number| number.to_be_bytes()));
        file.extend(hashes);
        (file, limit, 20 + length)
    }

    #[test]
    fn takes_what_was_signed_so() {
        let (file, start, size) = signed();
        check(&file, start, size).expect("every page is as it was signed");
    }

    #[test]
    fn a_changed_byte_is_found_in_every_page() {
        for at in [0, 4096, 3 * 4096 + 99] {
            let (mut file, start, size) = signed();
            file[at] ^= 1;
            let refusal = check(&file, start, size).expect_err("a byte differs").to_string();
            assert!(refusal.contains(&format!("page {}", at / 4096)), "{refusal}");
        }
    }

    #[test]
    fn a_signature_that_is_none_is_refused() {
        let (file, start, size) = signed();
        assert!(check(&file, start, size + 1).is_err(), "cut off");
        assert!(check(&file, start + 1, size - 1).is_err(), "not at its place");
        let at = start as usize;
        for (place, what) in
            [(at, "table"), (at + 20, "directory"), (at + 35, "flags"), (at + 55, "limit"), (at + 57, "hash")]
        {
            let mut changed = file.clone();
            changed[place] ^= 0x3;
            assert!(check(&changed, start, size).is_err(), "{what}");
        }
    }
}
