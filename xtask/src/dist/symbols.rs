//! Debug symbols of a shipped library in a separate file: functions, files and lines.
//!
//! The library contains the name of that file, with which a debugger or a crash report service finds it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection};

use super::link::read;
use super::platforms::Target;
use super::tools::SYMBOLIZER;
use crate::command::run;

/// A function in every library, and its source folder.
const KNOWN: (&str, &str) = ("netclock_client_read", "src/ffi");

/// Whether the libraries for a target have symbols. Apple's debuggers need a format that only Apple's tools
/// can make from a signed library, and phones only have static libraries.
pub(super) fn are_for(target: &Target) -> bool {
    target.rust.ends_with("-linux-gnu") || target.rust.ends_with("-windows-gnu")
}

/// Splits the symbols off a linked library, with the `objcopy` of its format. Returns the library as shipped
/// under the name `shipped`, and the symbols.
pub(super) fn split(linked: &Path, shipped: &str, objcopy: &str) -> Result<(Vec<u8>, Vec<u8>)> {
    let symbols = linked.with_file_name(name(shipped));
    let stripped = linked.with_extension("stripped");
    let advice = "The library was linked with information for debuggers.";
    run(Command::new(objcopy).arg("--only-keep-debug").arg(linked).arg(&symbols), advice)?;
    let mut strip = Command::new(objcopy);
    strip.arg("--strip-all").arg(format!("--add-gnu-debuglink={}", symbols.display()));
    run(strip.arg(linked).arg(&stripped), advice)?;
    Ok((read(&stripped)?, read(&symbols)?))
}

/// The name of the file for a library.
pub(super) fn name(library: &str) -> String {
    format!("{}.debug", library.rsplit('/').next().unwrap_or(library))
}

/// Checks that the library leads to its symbols, and these to a function's source line.
pub(super) fn check(library: &Path, symbols: &Path) -> Result<()> {
    let content = read(library)?;
    let parsed = object::File::parse(&*content).context("reading the shared library")?;
    // `object` reads the name only in ELF files.
    let link = parsed.section_by_name(".gnu_debuglink");
    let link = link.with_context(|| format!("{} does not name its symbols", library.display()))?;
    let file = symbols.file_name().unwrap_or_default().to_string_lossy();
    let named = link.data().context("reading where its symbols are")?;
    let is_named = named.starts_with(file.as_bytes()) && named.get(file.len()) == Some(&0);
    ensure!(is_named, "{} does not name {file}", library.display());
    ensure!(
        parsed.section_by_name(".debug_line").is_none_or(|it| it.size() == 0),
        "it still contains symbols"
    );
    let exports = parsed.exports().context("reading the exported symbols")?;
    let known = exports.iter().find(|it| it.name() == KNOWN.0.as_bytes());
    let address = known.with_context(|| format!("there is no {}", KNOWN.0))?.address();
    let mut ask = Command::new(SYMBOLIZER);
    ask.arg(format!("--obj={}", symbols.display())).arg(format!("{address:#x}"));
    let said = run(&mut ask, "")?;
    ensure!(said.contains(KNOWN.1), "{file} does not contain the location of {}: {said}", KNOWN.0);
    println!("  the symbols lead to {}", said.lines().nth(1).unwrap_or_default());
    Ok(())
}
