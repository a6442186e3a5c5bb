//! Links the shared library for Linux against the oldest supported glibc, which zig provides.

use anyhow::Result;

use super::{Job, Linked};
use crate::Platform;
use crate::command::{cmd, run};
use crate::dist::symbols::split;
use crate::dist::{OBJCOPY, of_the_linker, zigs_name};

/// zig includes this version of the LLVM runtime.
const ZIGS_LLVM: &str = "22.1.8";

pub(super) fn link(job: &Job<'_>) -> Result<Linked> {
    let (tools, abi) = (&job.workshop.tools, job.workshop.abi);
    let script = job.input("netclock.map", &job.workshop.exports.version_script(abi))?;
    let library = job.dir.join("libnetclock.so");
    let (zig, target, archive) = (&tools.zig, zigs_name(job.target), &job.compiled.archive);
    let soname = format!("libnetclock.so.{abi}");
    // Panics need the unwinder. We link it statically because its shared library differs between systems.
    let link = cmd!(
        "env {zig...} cc -target {target} -shared -O2 -o {library} -Wl,-soname,{soname}
        -Wl,--version-script={script} -Wl,--gc-sections -Wl,--hash-style=gnu -Wl,-z,relro,-z,now
        -Wl,--whole-archive {archive} -Wl,--no-whole-archive -lunwind -lm -lpthread -ldl -lc"
    );
    run(link, "zig could not link the shared library.")?;
    let licence = tools.zigs_library()?.join("libunwind/LICENSE.TXT");
    let unwinder = of_the_linker("llvm-libunwind", ZIGS_LLVM, "Apache-2.0 WITH LLVM-exception", &licence)?;
    let (library, symbols) = split(&library, &Platform::elf(abi).shared, OBJCOPY)?;
    Ok(Linked { library, symbols: Some(symbols), import_library: None, components: vec![unwinder] })
}
