//! Links the shared library for Linux against the oldest supported glibc, which zig provides.

use anyhow::Result;

use super::{Job, Linked};
use crate::command::run;
use crate::dist::symbols::split;
use crate::dist::{Component, OBJCOPY, of_the_linker, zigs_name};
use crate::{Platform, command};

/// zig includes this version of the LLVM runtime.
const ZIGS_LLVM: &str = "22.1.8";

pub(super) fn link(job: &Job<'_>) -> Result<Linked> {
    let script = job.input("netclock.map", &job.workshop.exports.version_script(job.workshop.abi))?;
    let library = job.dir.join("libnetclock.so");
    let mut command = command(&job.workshop.tools.zig_cc(), None)?;
    command.args(["-target", &zigs_name(job.target), "-shared", "-O2", "-o"]).arg(&library);
    command.arg(format!("-Wl,-soname,libnetclock.so.{}", job.workshop.abi));
    command.arg(format!("-Wl,--version-script={}", script.display()));
    command.args(["-Wl,--gc-sections", "-Wl,--hash-style=gnu", "-Wl,-z,relro,-z,now"]);
    command.arg("-Wl,--whole-archive").arg(&job.compiled.archive).arg("-Wl,--no-whole-archive");
    // Panics need the unwinder. We link it statically because its shared library differs between systems.
    command.args(["-lunwind", "-lm", "-lpthread", "-ldl", "-lc"]);
    run(&mut command, "zig could not link the shared library.")?;
    let components = vec![unwinder(job)?];
    let (library, symbols) = split(&library, &Platform::elf(job.workshop.abi).shared, OBJCOPY)?;
    Ok(Linked { library, symbols: Some(symbols), import_library: None, components })
}

fn unwinder(job: &Job<'_>) -> Result<Component> {
    let licence = job.workshop.tools.zigs_library()?.join("libunwind/LICENSE.TXT");
    of_the_linker("llvm-libunwind", ZIGS_LLVM, "Apache-2.0 WITH LLVM-exception", &licence)
}
