//! Links the DLL for Windows with mingw-w64 and creates an import library for it.

use anyhow::{Context, Result};
use fs_err as fs;

use super::{Job, Linked};
use crate::Platform;
use crate::command::{cmd, run};
use crate::dist::of_the_linker;
use crate::dist::symbols::split;

const GCC: &str = "x86_64-w64-mingw32-gcc";
/// We do not use LLVM's objcopy, because it writes the current time into each file, so builds would differ.
const MINGWS_OBJCOPY: &str = "x86_64-w64-mingw32-objcopy";
/// Debian states this licence for the code that gcc adds to a library.
const LIBGCCS_TERMS: &str = "GPL-3.0-or-later WITH GCC-exception-3.1";
const LIBGCCS_LICENCE: &str = "/usr/share/doc/gcc-mingw-w64-base/copyright";
const MINGWS_TERMS: &str = "ZPL-2.1";
const MINGWS_LICENCE: &str = "/usr/share/doc/mingw-w64-common/copyright";
/// 64-bit DLLs usually have this base address. Otherwise, GNU's linker would derive an address from the
/// file's path.
pub(in crate::dist) const IMAGE_BASE: u64 = 0x1_8000_0000;
const BROKEN: &str = "This is not a working gcc of mingw-w64.";

pub(super) fn link(job: &Job<'_>) -> Result<Linked> {
    let definition = job.input("netclock.def", &job.workshop.exports.module_definition())?;
    let (library, import) = (job.dir.join("netclock.dll"), job.dir.join("netclock.dll.lib"));
    let (archive, native, base) =
        (&job.compiled.archive, &job.compiled.native_libraries, format!("{IMAGE_BASE:#x}"));
    let undefined = job.workshop.exports.0.iter().map(|name| format!("-Wl,--undefined={name}"));
    // Panics need the unwinder. The file contains neither a time nor a path, so that builds are reproducible.
    let link = cmd!(
        "{GCC} -shared -static-libgcc -O2 -Wl,--no-insert-timestamp -Wl,--gc-sections -Wl,--image-base={base}
        -Wl,--dynamicbase -Wl,--nxcompat -Wl,--high-entropy-va -o {library} {undefined...} {definition}
        {archive} {native...}"
    );
    run(link, "mingw-w64 could not link the DLL.")?;
    let dlltool = cmd!("llvm-dlltool -m i386:x86-64 -d {definition} -l {import}");
    run(dlltool, "llvm-dlltool could not make the import library.")?;
    let components = vec![
        of_the_linker("libgcc", &gccs_version()?, LIBGCCS_TERMS, LIBGCCS_LICENCE.as_ref())?,
        of_the_linker("mingw-w64", &mingws_version()?, MINGWS_TERMS, MINGWS_LICENCE.as_ref())?,
    ];
    let (library, symbols) = split(&library, &Platform::windows(true).shared, MINGWS_OBJCOPY)?;
    Ok(Linked { library, symbols: Some(symbols), import_library: Some(fs::read(import)?), components })
}

fn gccs_version() -> Result<String> {
    Ok(run(cmd!("{GCC} -dumpfullversion"), BROKEN)?.trim().to_owned())
}

fn mingws_version() -> Result<String> {
    let macros = run(cmd!("{GCC} -E -dM -include _mingw.h -x c /dev/null"), BROKEN)?;
    let number = |part: &str| {
        let name = format!("#define __MINGW64_VERSION_{part} ");
        macros.lines().find_map(|line| line.strip_prefix(&name)).with_context(|| format!("no line {name}"))
    };
    Ok([number("MAJOR")?, number("MINOR")?, number("BUGFIX")?].join("."))
}
