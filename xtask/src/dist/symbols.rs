//! What a debugger needs of a shipped library: its functions, files and lines, in a file of its own.
//!
//! The library names that file. A debugger, or a service for crash reports, finds it beside the library.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection};

use super::link::read;
use super::platforms::Target;
use super::tools::SYMBOLIZER;
use crate::command::run;

/// A function that every library exports, and the folder of the sources that it is in.
const KNOWN: (&str, &str) = ("netclock_client_read", "src/ffi");

/// Whether the libraries for a target have symbols. Apple's debuggers want a form that only Apple's tools
/// make of a signed library, and phones have static libraries only.
pub(super) fn are_for(target: &Target) -> bool {
    target.rust.ends_with("-linux-gnu") || target.rust.ends_with("-windows-gnu")
}

/// Takes the symbols out of a library that was just linked, by the `objcopy` of its format. Returns the
/// library as it is shipped under the name `shipped`, and the symbols.
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

/// What the file for a library is called.
pub(super) fn name(library: &str) -> String {
    format!("{}.debug", library.rsplit('/').next().unwrap_or(library))
}

/// The library leads to its symbols, and they to the line of a function.
pub(super) fn check(library: &Path, symbols: &Path) -> Result<()> {
    let content = read(library)?;
    let parsed = object::File::parse(&*content).context("reading the shared library")?;
    // `object` reads the name of an ELF file only.
    let link = parsed.section_by_name(".gnu_debuglink");
    let link = link.with_context(|| format!("{} names no symbols", library.display()))?;
    let file = symbols.file_name().unwrap_or_default().to_string_lossy();
    let named = link.data().context("reading where its symbols are")?;
    let is_named = named.starts_with(file.as_bytes()) && named.get(file.len()) == Some(&0);
    ensure!(is_named, "{} names other symbols than {file}", library.display());
    ensure!(parsed.section_by_name(".debug_line").is_none_or(|it| it.size() == 0), "it has symbols itself");
    let exports = parsed.exports().context("reading the exported symbols")?;
    let known = exports.iter().find(|it| it.name() == KNOWN.0.as_bytes());
    let address = known.with_context(|| format!("there is no {}", KNOWN.0))?.address();
    let mut ask = Command::new(SYMBOLIZER);
    ask.arg(format!("--obj={}", symbols.display())).arg(format!("{address:#x}"));
    let said = run(&mut ask, "")?;
    ensure!(said.contains(KNOWN.1), "{file} does not know where {} is: {said}", KNOWN.0);
    println!("  the symbols lead to {}", said.lines().nth(1).unwrap_or_default());
    Ok(())
}
