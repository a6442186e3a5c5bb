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
    let asks = Dynamic::read(library)?;
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
        let header = FileHeader64::<Endianness>::parse(library).context("this is no library of 64 bits")?;
        let endian = header.endian().context("in the header")?;
        let sections = header.sections(endian, library).context("in the section headers")?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut found = Self::default();

        let (entries, link) =
            sections.dynamic(endian, library).context("in .dynamic")?.context("there is no .dynamic")?;
        let strings = sections.strings(endian, library, link).context("in .dynstr")?;
        for entry in entries {
            let name = || entry.string(endian, strings).map(text).context("in .dynamic");
            match entry.tag32(endian) {
                Some(elf::DT_SONAME) => found.soname = name()?,
                Some(elf::DT_NEEDED) => found.needed.push(name()?),
                _ => {}
            }
        }
        for section in sections.iter() {
            let needs = section.gnu_verneed(endian, library).context("in .gnu.version_r")?;
            if let Some((mut files, link)) = needs {
                let strings = sections.strings(endian, library, link).context("in .gnu.version_r")?;
                while let Some((_, mut names)) = files.next().context("in .gnu.version_r")? {
                    while let Some(name) = names.next().context("in .gnu.version_r")? {
                        let name = name.name(endian, strings).context("in .gnu.version_r")?;
                        found.versions.insert(text(name));
                    }
                }
            }
            let defines = section.gnu_verdef(endian, library).context("in .gnu.version_d")?;
            if let Some((mut versions, link)) = defines {
                let strings = sections.strings(endian, library, link).context("in .gnu.version_d")?;
                while let Some((_, mut names)) = versions.next().context("in .gnu.version_d")? {
                    while let Some(name) = names.next().context("in .gnu.version_d")? {
                        let name = name.name(endian, strings).context("in .gnu.version_d")?;
                        found.defined.insert(text(name));
                    }
                }
            }
        }
        Ok(found)
    }
}
