use anyhow::{Context, Result, ensure};
use goblin::elf::Elf;

use super::exports_are;
use crate::dist::{Exports, OLDEST_GLIBC, symbol_version};

/// Shared libraries may depend only on these libraries, which every glibc includes.
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
    let asks = Elf::parse(library).context("reading the dynamic section")?;
    let soname = format!("libnetclock.so.{abi}");
    let named = asks.soname.unwrap_or_default();
    ensure!(named == soname, "the library's name is {named}, not {soname}");
    for needed in &asks.libraries {
        ensure!(OF_THE_SYSTEM.contains(needed), "it requires {needed}, which is not part of every system");
    }
    let name = |at| asks.dynstrtab.get_at(at).unwrap_or_default();
    let files = asks.verneed.as_ref().context("no required symbol versions were found")?;
    for version in files.iter().flat_map(|file| (&file).into_iter()).map(|it| name(it.vna_name)) {
        if let Some(glibc) = version.strip_prefix("GLIBC_") {
            ensure!(
                numbers(glibc) <= numbers(OLDEST_GLIBC),
                "it requires {version}, but must run with {OLDEST_GLIBC}"
            );
        }
    }
    let version = symbol_version(abi);
    let mut own = asks.verdef.iter().flatten().flat_map(|it| (&it).into_iter());
    ensure!(own.any(|it| name(it.vda_name) == version), "its symbols do not have version {version}");
    Ok(())
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|number| number.parse().unwrap_or(u32::MAX)).collect()
}
