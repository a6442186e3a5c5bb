//! Lists the exported functions in each linker's format. Adds a prefix to a static library's global names
//! outside the C API.
//!
//! Link-time optimisation merges Rust's runtime with NetClock's functions into one object. If a game linked
//! another static Rust library, linkers would reject duplicate names such as `rust_eh_personality`. Games on
//! Windows use a DLL and do not have this problem.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use fs_err as fs;
use object::read::archive::ArchiveFile;
use object::{BinaryFormat, Object, ObjectSymbol};

use crate::Abi;
use crate::command::{cmd, run};

/// LLVM's tool can rename symbols in both ELF and Mach-O files.
pub(super) const OBJCOPY: &str = "llvm-objcopy";

const OURS: &str = "netclock_";
/// No name in the headers may start with this prefix.
pub(super) const PREFIX: &str = "netclock_private_";

/// Leaves files other than ELF and Mach-O unchanged.
pub(super) fn with_own_names(archive: &Path) -> Result<Vec<u8>> {
    let content = fs::read(archive)?;
    let names = foreign_names(&content).with_context(|| format!("{}", archive.display()))?;
    if names.is_empty() {
        return Ok(content);
    }
    let map: String =
        names.iter().map(|(mark, name)| format!("{mark}{name} {mark}{PREFIX}{name}\n")).collect();
    let (list, renamed) = (archive.with_extension("names"), archive.with_extension("renamed.a"));
    fs::write(&list, map)?;
    // Debug information would add megabytes to the archive.
    let rename = cmd!("{OBJCOPY} --strip-debug --redefine-syms={list} {archive} {renamed}");
    run(rename, "llvm-objcopy could not rename the symbols of the static library.")?;
    Ok(fs::read(renamed)?)
}

pub(super) fn each_object(
    archive: &[u8],
    mut take: impl FnMut(&object::File<'_>, &[u8]) -> Result<()>,
) -> Result<()> {
    for member in ArchiveFile::parse(archive).context("reading the static library")?.members() {
        // The parser reads headers in place, so we copy each member in case it is not aligned.
        let data = member.and_then(|it| it.data(archive)).context("reading the static library")?.to_vec();
        take(&object::File::parse(&*data).context("reading an object of the static library")?, &data)?;
    }
    Ok(())
}

/// Returns the exported names outside the C API, each with its format's leading character.
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

pub(super) fn symbol_version(abi: u32) -> String {
    format!("NETCLOCK_{abi}")
}

pub(super) struct Exports(pub(super) BTreeSet<String>);

impl Exports {
    pub(super) fn of(abi: &Abi, is_exported: impl Fn(&str) -> bool) -> Self {
        let functions = abi.functions().filter(|(item, _)| is_exported(&item.path));
        Self(functions.map(|(item, _)| item.name.clone()).collect())
    }

    pub(super) fn version_script(&self, abi: u32) -> String {
        let version = symbol_version(abi);
        format!("{version} {{\n  global:\n{}  local:\n    *;\n}};\n", self.lines("    ", ";"))
    }

    pub(super) fn module_definition(&self) -> String {
        format!("LIBRARY netclock.dll\nEXPORTS\n{}", self.lines("    ", ""))
    }

    pub(super) fn lines(&self, before: &str, after: &str) -> String {
        self.0.iter().map(|name| format!("{before}{name}{after}\n")).collect()
    }
}
