//! The list of files that were put into a project, with a checksum of each. A listed file may be replaced or
//! removed while it is unchanged. All other files belong to the project.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Component, Path};

use anyhow::{Context, Result, ensure};

/// Where the list is in the plugin.
pub(super) const FILE: &str = ".netclock-installed";

const HEADING: &str =
    "# Put here by `cargo xtask plugin`, each with a checksum. Only these are replaced and removed by it.\n";

/// During an installation a file may have two checksums: the old one and the new one.
#[derive(Clone, Default)]
pub(super) struct List {
    checksums: BTreeMap<String, Vec<u64>>,
}

impl List {
    /// Reads the list of the plugin in `dir`; empty if there is none.
    pub(super) fn read(dir: &Path) -> Result<Self> {
        let path = dir.join(FILE);
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let advice = || format!("{} is damaged: delete {} and run this again", path.display(), dir.display());
        Self::parse(&text).with_context(advice)
    }

    fn parse(text: &str) -> Result<Self> {
        let mut list = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (checksum, name) = line.split_once(' ').with_context(|| format!("no name in `{line}`"))?;
            let checksum =
                u64::from_str_radix(checksum, 16).with_context(|| format!("no checksum in `{line}`"))?;
            // An edited list must not make this program remove files elsewhere.
            let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
            ensure!(inside && !name.is_empty(), "`{name}` is not below the plugin");
            list.add(name, checksum);
        }
        Ok(list)
    }

    pub(super) fn text(&self) -> String {
        let mut text = HEADING.to_owned();
        for (name, checksums) in &self.checksums {
            for checksum in checksums {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{checksum:016x} {name}");
            }
        }
        text
    }

    pub(super) fn add(&mut self, name: &str, checksum: u64) {
        let checksums = self.checksums.entry(name.to_owned()).or_default();
        if !checksums.contains(&checksum) {
            checksums.push(checksum);
        }
    }

    /// Adds the entries of another list.
    pub(super) fn join(&mut self, other: &Self) {
        for (name, checksums) in &other.checksums {
            checksums.iter().for_each(|&checksum| self.add(name, checksum));
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.checksums.keys().map(String::as_str)
    }

    pub(super) fn checksums(&self, name: &str) -> &[u64] {
        self.checksums.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Checksum of the file's content: FNV-1a without carriage returns, because version control may change line
/// ends. It detects edits, not forgeries.
pub(super) fn checksum(path: &Path) -> Result<u64> {
    let content = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    let bytes = content.iter().filter(|&&byte| byte != b'\r');
    Ok(bytes.fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_wrote() {
        let mut list = List::default();
        list.add("Source/a b.h", 7);
        list.add("Source/a b.h", u64::MAX);
        list.add("NetClock.uplugin", 0);
        let windows = list.text().replace('\n', "\r\n");
        for text in [list.text(), windows] {
            assert_eq!(List::parse(&text).expect("it was written so").text(), list.text());
        }
    }

    #[test]
    fn refuses_names_that_lead_elsewhere() {
        for name in ["../a", "a/../../b", "/etc/passwd", ""] {
            assert!(List::parse(&format!("{:016x} {name}", 1)).is_err(), "{name}");
        }
        assert!(List::parse("what is this").is_err());
    }
}
