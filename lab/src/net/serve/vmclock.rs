//! VMClock: a page by which a hypervisor tells its guest that the clock was disrupted, for example by a live migration.
//!
//! Linux shows it as `/dev/vmclock0`. The marker changes to a value that it never had when the processor's counter was
//! disrupted. What a daemon learnt before then says nothing of the clock after. The layout is that of the kernel's
//! `vmclock-abi.h`, version 1, little endian:
//!
//! | at | bytes | field |
//! |---|---|---|
//! | 0 | 4 | magic, `VCLK` |
//! | 8 | 2 | version |
//! | 12 | 4 | sequence count; odd while the page is written |
//! | 16 | 8 | disruption marker |

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

const MAGIC: &[u8] = b"VCLK";
const VERSION: u16 = 1;
/// The part of the page that is read.
const LENGTH: usize = 24;
/// Reads until two in a row are alike. The hypervisor writes for microseconds.
const TRIES: usize = 100;

/// The page of a machine that has one.
pub(crate) struct VmClock {
    path: PathBuf,
    page: File,
    marker: u64,
}

impl VmClock {
    /// Opens the page. None if this machine has none.
    ///
    /// # Errors
    /// There is one that cannot be read or understood.
    pub(crate) fn open(path: &Path) -> Result<Option<Self>> {
        let page = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.with_context(|| {
                format!(
                    "cannot read {}, which tells of live migrations: let this user read it",
                    path.display()
                )
            })?,
        };
        let mut clock = VmClock { path: path.to_owned(), page, marker: 0 };
        clock.marker = clock.read()?;
        Ok(Some(clock))
    }

    /// The marker at the last look.
    pub(crate) fn marker(&self) -> u64 {
        self.marker
    }

    /// Whether the clock was disrupted since the last call.
    ///
    /// # Errors
    /// The page cannot be read any more.
    pub(crate) fn was_disrupted(&mut self) -> Result<bool> {
        let before = self.marker;
        self.marker = self.read()?;
        Ok(self.marker != before)
    }

    fn read(&mut self) -> Result<u64> {
        let mut last = None;
        for _ in 0..TRIES {
            let (sequence, marker) = self.look().with_context(|| self.path.display().to_string())?;
            if sequence % 2 == 0 && last == Some((sequence, marker)) {
                return Ok(marker);
            }
            last = Some((sequence, marker));
        }
        bail!("{} is written all the time", self.path.display())
    }

    fn look(&mut self) -> Result<(u32, u64)> {
        let mut bytes = [0; LENGTH];
        self.page.rewind()?;
        self.page.read_exact(&mut bytes)?;
        ensure!(bytes.starts_with(MAGIC), "this is no VMClock page");
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        ensure!(version == VERSION, "this is version {version} of VMClock, and {VERSION} is known");
        let (sequence, marker) = bytes[12..].split_at(4);
        Ok((u32::from_le_bytes(sequence.try_into()?), u64::from_le_bytes(marker.try_into()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A page in a file.
    fn page(name: &str, sequence: u32, marker: u64) -> PathBuf {
        let path = std::env::temp_dir().join(format!("netclock-vmclock-{}-{name}", std::process::id()));
        let mut bytes = [0; 64];
        bytes[..4].copy_from_slice(MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&sequence.to_le_bytes());
        bytes[16..24].copy_from_slice(&marker.to_le_bytes());
        fs::write(&path, bytes).expect("the folder is writable");
        path
    }

    #[test]
    fn a_new_marker_is_a_disruption_once() -> Result<()> {
        let path = page("marker", 2, 7);
        let mut clock = VmClock::open(&path)?.context("there is a page")?;
        assert!(!clock.was_disrupted()?);
        page("marker", 4, 7);
        assert!(!clock.was_disrupted()?, "only the time was written");
        page("marker", 6, 8);
        assert!(clock.was_disrupted()? && !clock.was_disrupted()?);
        fs::remove_file(path)?;
        Ok(())
    }

    #[test]
    fn a_page_that_cannot_be_understood_is_refused_and_a_missing_one_is_none() -> Result<()> {
        let refused =
            |path: &Path| VmClock::open(path).map_or_else(|error| format!("{error:#}"), |_| String::new());
        let path = page("refused", 3, 7);
        assert!(refused(&path).contains("written all the time"));
        let mut bytes = fs::read(page("refused", 2, 7))?;
        bytes[8] = 2;
        fs::write(&path, &bytes)?;
        assert!(refused(&path).contains("version 2"));
        bytes[0] = 0;
        fs::write(&path, &bytes)?;
        assert!(refused(&path).contains("no VMClock page"));
        fs::remove_file(&path)?;
        assert!(VmClock::open(&path)?.is_none());
        Ok(())
    }
}
