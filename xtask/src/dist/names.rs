//! Adds a prefix to all global names of a static library that do not belong to the C API.
//!
//! Link-time optimisation merges Rust's runtime with NetClock's functions into one object. If a game linked
//! another static Rust library, names such as `rust_eh_personality` would be defined twice, which linkers
//! reject. Games on Windows use a DLL and do not have this problem.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use object::read::archive::ArchiveFile;
use object::{BinaryFormat, Object, ObjectSymbol};

use super::link::read;
use crate::command::run;

/// LLVM's tool can rename symbols in both ELF and Mach-O files.
pub(super) const OBJCOPY: &str = "llvm-objcopy";

const OURS: &str = "netclock_";
/// No name in the headers starts with this prefix.
pub(super) const PREFIX: &str = "netclock_private_";

/// Leaves files other than ELF and Mach-O unchanged.
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
    // Debug information would add megabytes to the archive.
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
        // The parser reads headers in place, so we copy members that may not be aligned.
        let data = member.and_then(|it| it.data(archive)).context("reading the static library")?.to_vec();
        take(&object::File::parse(&*data).context("reading an object of the static library")?, &data)?;
    }
    Ok(())
}

/// Returns the exported names outside the C API, each with the character that the format puts before it.
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
