//! Checks that the built files meet their platforms' requirements.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail, ensure};
use object::{Architecture, BinaryFormat, Object, ObjectSymbol};

use super::names::{Exports, PREFIX, each_object, foreign_names};
use super::platforms::{Platform, System};

mod libraries;
mod macho;

/// Checks a shared library that has not been stripped yet.
pub(super) fn shared(
    library: &[u8],
    platform: &Platform,
    target: &str,
    exports: &Exports,
    abi: u32,
) -> Result<()> {
    let parsed = object::File::parse(library).context("reading the shared library")?;
    exports_are(&parsed, exports)?;
    is_for(&parsed, target)?;
    match platform.system {
        System::Linux => libraries::elf(library, abi),
        System::Windows => libraries::pe(&parsed),
        System::MacOs => libraries::macho(library, abi),
        System::Ios | System::Android => bail!("{} has no shared library", platform.name),
    }
}

/// Checks that a static library is built for its platform and defines the header's functions. For iOS, the
/// privacy manifest must declare the Apple functions that the library uses.
pub(super) fn archive(archive: &[u8], platform: &Platform, target: &str, exports: &Exports) -> Result<()> {
    let foreign = foreign_names(archive)?;
    ensure!(foreign.is_empty(), "a second Rust library in a game would also define these: {foreign:?}");
    let (mut defined, mut asked) = (BTreeSet::new(), BTreeSet::new());
    each_object(archive, |object, data| {
        is_for(object, target)?;
        if matches!(platform.system, System::MacOs | System::Ios) {
            macho::runs_on_the_oldest(data, target)?;
        }
        let names = object.symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
        defined.extend(names.filter_map(|symbol| plain(symbol.name_bytes().ok()?, object)));
        let wanted = object.symbols().filter(|symbol| symbol.is_undefined());
        asked.extend(wanted.filter_map(|symbol| Some(symbol.name().ok()?.to_owned())));
        Ok(())
    })?;
    if platform.system == System::Ios {
        macho::privacy(&asked)?;
    }
    same(&defined, exports, "The static library")
}

fn exports_are(library: &object::File<'_>, exports: &Exports) -> Result<()> {
    let exported = library.exports().context("reading the exported symbols")?;
    let names: BTreeSet<String> = exported
        .iter()
        .map(|export| String::from_utf8_lossy(in_c(export.name(), library)).into_owned())
        .collect();
    same(&names, exports, "The shared library")
}

/// Returns `None` for names of Rust's runtime, which already have the private prefix.
fn plain(name: &[u8], object: &object::File<'_>) -> Option<String> {
    let name = std::str::from_utf8(in_c(name, object)).ok()?;
    (name.starts_with("netclock_") && !name.starts_with(PREFIX)).then(|| name.to_owned())
}

/// Mach-O files prefix C names with `_`.
fn in_c<'a>(name: &'a [u8], object: &object::File<'_>) -> &'a [u8] {
    match object.format() {
        BinaryFormat::MachO => name.strip_prefix(b"_").unwrap_or(name),
        _ => name,
    }
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

fn is_for(object: &object::File<'_>, target: &str) -> Result<()> {
    let wanted = match target.split('-').next() {
        Some("x86_64") => Architecture::X86_64,
        Some("aarch64") => Architecture::Aarch64,
        _ => bail!("{} has an unknown processor", target),
    };
    let found = object.architecture();
    ensure!(found == wanted, "the target is {}, but it was built for {found:?}", target);
    Ok(())
}
