//! Checks the name, the dependencies and the versions that each shared library states.

use anyhow::{Context, Result, ensure};
use goblin::elf::Elf;
use object::Object;

use super::macho;
use crate::dist::{IMAGE_BASE, OLDEST_GLIBC, symbol_version};

/// Shared libraries may depend only on the system's libraries. Every glibc includes these libraries.
const OF_GLIBC: &str = "libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 ld-linux-x86-64.so.2 \
                        ld-linux-aarch64.so.1";
/// Wine and every edition of Windows 10 include these libraries.
const OF_WINDOWS: &str = "kernel32.dll ntdll.dll msvcrt.dll ws2_32.dll userenv.dll \
                          api-ms-win-core-synch-l1-2-0.dll";
/// Every version of macOS includes this library.
const OF_MACOS: &str = "/usr/lib/libSystem.B.dylib";

pub(super) fn elf(library: &[u8], abi: u32) -> Result<()> {
    let asks = Elf::parse(library).context("reading the dynamic section")?;
    is_named(asks.soname, &format!("libnetclock.so.{abi}"))?;
    needs_only(&asks.libraries, OF_GLIBC)?;
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

pub(super) fn pe(library: &object::File<'_>) -> Result<()> {
    let base = library.relative_address_base();
    ensure!(base == IMAGE_BASE, "its base is {base:#x}, so it depends on the build directory");
    let imports = library.imports().context("reading the imports")?;
    let asked = imports.iter().map(|import| String::from_utf8_lossy(import.library()).to_lowercase());
    let asked: Vec<String> = asked.collect();
    ensure!(!asked.is_empty(), "no imports were found");
    needs_only(&asked, OF_WINDOWS)
}

pub(super) fn macho(library: &[u8], abi: u32) -> Result<()> {
    let states = macho::read(library)?;
    is_named(states.name, &format!("@rpath/libnetclock.{abi}.dylib"))?;
    // The first entry of `libs` is the library itself.
    needs_only(&states.libs[1..], OF_MACOS)?;
    macho::is_for_macos(&states)
}

fn is_named(found: Option<&str>, wanted: &str) -> Result<()> {
    let found = found.unwrap_or_default();
    ensure!(found == wanted, "the library's name is {found}, not {wanted}");
    Ok(())
}

fn needs_only(asked: &[impl AsRef<str>], of_the_system: &str) -> Result<()> {
    for needed in asked.iter().map(AsRef::as_ref) {
        let is_known = of_the_system.split(' ').any(|it| it == needed);
        ensure!(is_known, "it requires {needed}, which is not part of every system");
    }
    Ok(())
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|number| number.parse().unwrap_or(u32::MAX)).collect()
}
