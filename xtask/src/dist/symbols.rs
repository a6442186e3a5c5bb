//! Moves a library's debug symbols into a separate file. The library states that file's name, so that
//! debuggers and crash report services find it.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use object::{Object, ObjectSection};

use crate::command::{cmd, run};

const KNOWN: (&str, &str) = ("netclock_client_read", "src/ffi");

/// For a signed library, only Apple's own tools can create symbols in the format that Apple's debuggers need.
/// There are only static libraries for phones.
pub(super) fn are_for(target: &str) -> bool {
    target.ends_with("-linux-gnu") || target.ends_with("-windows-gnu")
}

/// Returns the stripped library and its symbols. `shipped` is the library's name in the archive.
pub(super) fn split(linked: &Path, shipped: &str, objcopy: &str) -> Result<(Vec<u8>, Vec<u8>)> {
    let symbols = linked.with_file_name(name(shipped));
    let stripped = linked.with_extension("stripped");
    let advice = "The library was linked with information for debuggers.";
    run(cmd!("{objcopy} --only-keep-debug {linked} {symbols}"), advice)?;
    run(cmd!("{objcopy} --strip-all --add-gnu-debuglink={symbols} {linked} {stripped}"), advice)?;
    Ok((fs::read(stripped)?, fs::read(symbols)?))
}

pub(super) fn name(library: &str) -> String {
    format!("{}.debug", library.rsplit('/').next().unwrap_or(library))
}

/// Checks that a debugger finds a function's source line if the symbols are in the library's directory.
pub(super) fn check(library: &Path) -> Result<()> {
    let content = fs::read(library)?;
    let parsed = object::File::parse(&*content).context("reading the shared library")?;
    let has_lines = parsed.section_by_name(".debug_line").is_some_and(|it| it.size() > 0);
    ensure!(!has_lines, "{} still contains symbols", library.display());
    let exports = parsed.exports().context("reading the exported symbols")?;
    let known = exports.iter().find(|it| it.name() == KNOWN.0.as_bytes());
    let address = known.with_context(|| format!("there is no {}", KNOWN.0))?.address();
    let address = format!("{address:#x}");
    let output = run(cmd!("llvm-symbolizer --obj={library} {address}"), "")?;
    ensure!(output.contains(KNOWN.1), "the symbols do not contain the location of {}: {output}", KNOWN.0);
    println!("  the symbols lead to {}", output.lines().nth(1).unwrap_or_default());
    Ok(())
}
