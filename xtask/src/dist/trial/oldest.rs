//! A link against the oldest glibc that is served: nothing that the shared library asks for may be younger.
//!
//! GNU's linker reads which version of a symbol a library asks for; that of LLVM looks at names alone. zig
//! makes the libraries to link against, which have no code and end at that version.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::cargo::root;
use crate::dist::command::{command, end, run};
use crate::dist::platforms::OLDEST_GLIBC;
use crate::dist::product::Workshop;

/// Links a program with the library, in `dir`. It is not run: it has no start-up code.
pub(super) fn links(target: &str, library: &Path, dir: &Path, workshop: &Workshop) -> Result<()> {
    let target = format!("{target}.{OLDEST_GLIBC}");
    let object = dir.join("consumer.o");
    let source = root().join("tests/packaging/consumer.c");
    let mut compile = command(&workshop.tools.zig_cc(), None)?;
    compile.args(["-target", &target, "-c", "-I"]).arg(root().join("include")).arg("-o").arg(&object);
    run(compile.arg(&source), "zig could not compile a program.")?;

    let mut link = Command::new("ld");
    link.args(["-e", "main", "--no-allow-shlib-undefined", "-o"]).arg(dir.join("consumer"));
    link.arg(&object).arg(library).args(stubs(&target, &object, dir, workshop)?);
    run(&mut link, "The library asks for what the oldest glibc does not have.")?;
    println!("  a program links with it against glibc {OLDEST_GLIBC}");
    Ok(())
}

/// The libraries that zig made for this version of glibc. It names them while it links.
fn stubs(target: &str, object: &Path, dir: &Path, workshop: &Workshop) -> Result<Vec<PathBuf>> {
    let mut link = command(&workshop.tools.zig_cc(), None)?;
    link.args(["-target", target, "-v", "-shared", "-o"]).arg(dir.join("unused.so")).arg(object);
    let said = end(&mut link)?.stderr;
    let libc = said.split_whitespace().find(|word| word.ends_with("/libc.so.6"));
    let place = Path::new(libc.context("zig does not name the C library that it links")?);
    let place = place.parent().context("a library lies in a directory")?;
    let entries = fs::read_dir(place).with_context(|| format!("reading {}", place.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let found: Vec<PathBuf> = paths.filter(|path| path.to_string_lossy().contains(".so.")).collect();
    ensure!(found.len() > 3, "only {} libraries in {}", found.len(), place.display());
    Ok(found)
}
