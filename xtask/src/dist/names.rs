//! Adds a prefix to each global name of a static library that is not part of the C API.
//!
//! Link-time optimisation merges Rust's runtime into the object with NetClock's functions. A game with
//! another static Rust library would then define functions such as `rust_eh_personality` twice, and linkers
//! reject that. Games on Windows use a DLL and do not need this.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use object::read::archive::ArchiveFile;
use object::{BinaryFormat, Object, ObjectSymbol};

use super::link::read;
use crate::command::run;

/// LLVM's tool can rename symbols in ELF and Mach-O files.
pub(super) const OBJCOPY: &str = "llvm-objcopy";

const OURS: &str = "netclock_";
/// The header has no names with this prefix.
pub(super) const PREFIX: &str = "netclock_private_";

/// Changes only ELF and Mach-O files.
pub(super) fn with_own_names(archive: &Path) -> Result<Vec<u8>> {
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
    // Debug information would make the archive megabytes larger.
    objcopy
        .arg("--strip-debug")
        .arg(format!("--redefine-syms={}", list.display()))
        .arg(archive)
        .arg(&renamed);
    run(&mut objcopy, "llvm-objcopy could not rename the symbols of the static library.")?;
    read(&renamed)
}

pub(super) fn each_object(
    archive: &[u8],
    mut take: impl FnMut(&object::File<'_>, &[u8]) -> Result<()>,
) -> Result<()> {
    for member in ArchiveFile::parse(archive).context("reading the static library")?.members() {
        // The parser reads headers in place, but members may be unaligned, so copy them.
        let data = member.and_then(|it| it.data(archive)).context("reading the static library")?.to_vec();
        take(&object::File::parse(&*data).context("reading an object of the static library")?, &data)?;
    }
    Ok(())
}

/// Returns the exported names that are not part of the C API, with the prefix that the format adds.
pub(super) fn foreign_names(archive: &[u8]) -> Result<BTreeSet<(&'static str, String)>> {
    let mut names = BTreeSet::new();
    each_object(archive, |object, _| {
        let mark = match object.format() {
            BinaryFormat::Elf => "",
            BinaryFormat::MachO => "_",
            _ => return Ok(()),
        };
        for symbol in object.symbols().filter(|it| it.is_global() && it.is_definition()) {
            let name = symbol.name().context("reading a symbol")?;
            let name = name.strip_prefix(mark).unwrap_or(name);
            if !name.starts_with(OURS) {
                names.insert((mark, name.to_owned()));
            }
        }
        Ok(())
    })?;
    Ok(names)
}
