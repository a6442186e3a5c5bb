//! Looks into the built files for what their platforms demand of them.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail, ensure};
use object::read::archive::ArchiveFile;
use object::{Architecture, Object, ObjectSymbol};

use super::exports::Exports;
use super::platforms::{Platform, System};

mod elf;
mod pe;

/// A shared library as its linker wrote it.
pub(super) fn shared(library: &[u8], platform: &Platform, exports: &Exports, abi: u32) -> Result<()> {
    match platform.system {
        System::Linux => elf::check(library, exports, abi)?,
        System::Windows => pe::check(library, exports)?,
    }
    let parsed = object::File::parse(library).context("reading the shared library")?;
    is_for(&parsed, platform)
}

/// The objects of a static library define the functions of the header, and are for the right processor.
pub(super) fn archive(archive: &[u8], platform: &Platform, exports: &Exports) -> Result<()> {
    let members = ArchiveFile::parse(archive).context("reading the static library")?;
    let mut defined = BTreeSet::new();
    for member in members.members() {
        let data = member.and_then(|member| member.data(archive)).context("reading the static library")?;
        // Copied, because members lie at any address and their headers are read in place.
        let data = data.to_vec();
        let object = object::File::parse(&*data).context("reading an object of the static library")?;
        is_for(&object, platform)?;
        let names = object.symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
        defined.extend(names.filter_map(|symbol| plain(symbol.name_bytes().ok()?)));
    }
    same(&defined, exports, "The static library")
}

/// The shared library exports the functions of the header and nothing else.
fn exports_are(library: &object::File<'_>, exports: &Exports) -> Result<()> {
    let exported = library.exports().context("reading the exported symbols")?;
    let names: BTreeSet<String> =
        exported.iter().map(|export| String::from_utf8_lossy(export.name()).into_owned()).collect();
    same(&names, exports, "The shared library")
}

/// The name, if it is one of ours.
fn plain(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?;
    name.starts_with("netclock_").then(|| name.to_owned())
}

fn same(found: &BTreeSet<String>, exports: &Exports, what: &str) -> Result<()> {
    let missing: Vec<&String> = exports.0.difference(found).collect();
    let surplus: Vec<&String> = found.difference(&exports.0).collect();
    ensure!(
        missing.is_empty() && surplus.is_empty(),
        "{what} does not have the functions of the header: missing {missing:?}, surplus {surplus:?}"
    );
    Ok(())
}

fn is_for(object: &object::File<'_>, platform: &Platform) -> Result<()> {
    let wanted = match platform.rust.split('-').next() {
        Some("x86_64") => Architecture::X86_64,
        Some("aarch64") => Architecture::Aarch64,
        _ => bail!("{} has a processor that is not known here", platform.rust),
    };
    let found = object.architecture();
    ensure!(found == wanted, "for {}, but made for {found:?}", platform.rust);
    Ok(())
}
