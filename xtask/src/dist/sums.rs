//! The checksums of all archives, in the form that `sha256sum --check` reads.

use sha2::{Digest, Sha256};

/// Name and content of each file.
pub(super) fn text<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    files.map(|(name, content)| format!("{}  {name}\n", sum(content))).collect()
}

fn sum(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in FIPS 180-2, appendix B.1.
    #[test]
    fn is_what_sha256sum_prints() {
        let text = text([("abc.txt", b"abc".as_slice())].into_iter());
        assert_eq!(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc.txt\n");
    }
}
