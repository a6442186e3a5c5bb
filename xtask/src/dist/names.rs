//! The global names of a static library: all of them begin with `netclock_`.
//!
//! Link-time optimisation puts Rust's runtime into one object with our functions. A game that links a second
//! static library in Rust would then have functions such as `rust_eh_personality` twice, which no linker
//! accepts. So each name that is not ours gets a prefix, in the archive's definitions and uses alike.
//! Windows' linkers get a DLL in place of this.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use object::read::archive::ArchiveFile;
use object::{BinaryFormat, Object, ObjectSymbol};

use crate::command::run;

/// LLVM's tool that renames symbols, for ELF and for Mach-O.
pub(super) const OBJCOPY: &str = "llvm-objcopy";

const OURS: &str = "netclock_";
/// Nothing that the header declares begins with it.
pub(super) const PREFIX: &str = "netclock_private_";

/// The archive with its other global names changed. Those of other formats than ELF and Mach-O are returned
/// as they are.
pub(super) fn with_own_names(archive: &Path) -> Result<Vec<u8>> {
    let read = |path: &Path| fs::read(path).with_context(|| format!("reading {}", path.display()));
    let content = read(archive)?;
    let names = foreign_names(&content).with_context(|| format!("{}", archive.display()))?;
    if names.is_empty() {
        return Ok(content);
    }
    let map: String =
        names.iter().map(|(mark, name)| format!("{mark}{name} {mark}{PREFIX}{name}\n")).collect();
    let (list, renamed) = (archive.with_extension("names"), archive.with_extension("renamed.a"));
    fs::write(&list, map).with_context(|| format!("writing {}", list.display()))?;
    let mut objcopy = Command::new(OBJCOPY);
    // Debug information would make it larger by megabytes.
    objcopy
        .arg("--strip-debug")
        .arg(format!("--redefine-syms={}", list.display()))
        .arg(archive)
        .arg(&renamed);
    run(&mut objcopy, "llvm-objcopy could not rename the symbols of the static library.")?;
    read(&renamed)
}

/// The names that an archive defines for others and that are not ours, each with what its format puts before
/// it.
pub(super) fn foreign_names(archive: &[u8]) -> Result<BTreeSet<(&'static str, String)>> {
    let mut names = BTreeSet::new();
    for member in ArchiveFile::parse(archive).context("reading the static library")?.members() {
        // Copied, because members lie at any address and their headers are read in place.
        let data = member.and_then(|it| it.data(archive)).context("reading the static library")?.to_vec();
        let object = object::File::parse(data.as_slice()).context("reading an object")?;
        let mark = match object.format() {
            BinaryFormat::Elf => "",
            BinaryFormat::MachO => "_",
            _ => continue,
        };
        for symbol in object.symbols().filter(|it| it.is_global() && it.is_definition()) {
            let name = symbol.name().context("reading a symbol")?;
            let name = name.strip_prefix(mark).unwrap_or(name);
            if !name.starts_with(OURS) {
                names.insert((mark, name.to_owned()));
            }
        }
    }
    Ok(names)
}
