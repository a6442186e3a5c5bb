//! What a shared library for Linux asks of the system that loads it.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use object::Endianness;
use object::elf::{self, FileHeader64};
use object::read::elf::{Dyn, FileHeader, SectionHeader};

use super::exports_are;
use crate::dist::exports::{Exports, symbol_version};
use crate::dist::platforms::OLDEST_GLIBC;

/// The libraries that it may ask for: parts of every glibc.
const OF_THE_SYSTEM: [&str; 7] = [
    "libc.so.6",
    "libm.so.6",
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
];

pub(super) fn check(library: &[u8], exports: &Exports, abi: u32) -> Result<()> {
    exports_are(&object::File::parse(library).context("reading the shared library")?, exports)?;
    let asks = Dynamic::read(library).context("reading what the loader reads")?;
    let soname = format!("libnetclock.so.{abi}");
    ensure!(asks.soname == soname, "its name is {}, not {soname}", asks.soname);
    for needed in &asks.needed {
        ensure!(OF_THE_SYSTEM.contains(&needed.as_str()), "it asks for {needed}, which a system may lack");
    }
    for version in &asks.versions {
        if let Some(glibc) = version.strip_prefix("GLIBC_") {
            ensure!(
                numbers(glibc) <= numbers(OLDEST_GLIBC),
                "it asks for {version}, but it is to run with {OLDEST_GLIBC}"
            );
        }
    }
    let version = symbol_version(abi);
    ensure!(asks.defined.contains(&version), "its symbols do not carry {version}");
    Ok(())
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|number| number.parse().unwrap_or(u32::MAX)).collect()
}

/// The parts of a library that the loader reads.
#[derive(Default)]
struct Dynamic {
    soname: String,
    needed: Vec<String>,
    /// Versions of symbols that it asks for, such as `GLIBC_2.17`.
    versions: BTreeSet<String>,
    /// Versions of its own symbols.
    defined: BTreeSet<String>,
}

impl Dynamic {
    fn read(library: &[u8]) -> Result<Self> {
        let header = FileHeader64::<Endianness>::parse(library)?;
        let endian = header.endian()?;
        let sections = header.sections(endian, library)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut found = Self::default();

        let (entries, link) = sections.dynamic(endian, library)?.context("there is no .dynamic")?;
        let strings = sections.strings(endian, library, link)?;
        for entry in entries {
            match entry.tag32(endian) {
                Some(elf::DT_SONAME) => found.soname = text(entry.string(endian, strings)?),
                Some(elf::DT_NEEDED) => found.needed.push(text(entry.string(endian, strings)?)),
                _ => {}
            }
        }
        for section in sections.iter() {
            if let Some((mut files, link)) = section.gnu_verneed(endian, library)? {
                let strings = sections.strings(endian, library, link)?;
                while let Some((_, mut names)) = files.next()? {
                    while let Some(name) = names.next()? {
                        found.versions.insert(text(name.name(endian, strings)?));
                    }
                }
            }
            if let Some((mut versions, link)) = section.gnu_verdef(endian, library)? {
                let strings = sections.strings(endian, library, link)?;
                while let Some((_, mut names)) = versions.next()? {
                    while let Some(name) = names.next()? {
                        found.defined.insert(text(name.name(endian, strings)?));
                    }
                }
            }
        }
        Ok(found)
    }
}
