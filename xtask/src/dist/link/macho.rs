//! Links, strips and signs the shared library for macOS with LLVM's linker.
//!
//! We cannot use zig's linker, because it exports every symbol, and Apple's tools cannot strip or rename its
//! output. LLVM's linker needs a list of the system library's symbols. We write this list from the symbols
//! that the code uses, after checking that zig's list contains them all.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;
use object::{Object, ObjectSymbol};

use super::{Job, Linked};
use crate::VERSION;
use crate::command::{cmd, run};
use crate::dist::{OLDEST_MACOS, each_object};

/// Older linkers drop the tables that are needed to catch a panic.
const LD64: &str = "ld64.lld-22";
/// The dynamic linker calls this to bind a function when it is first called.
const BINDER: &str = "dyld_stub_binder";

pub(super) fn link(job: &Job<'_>) -> Result<Linked> {
    let processor = match job.target.split('-').next() {
        Some("aarch64") => "arm64",
        Some("x86_64") => "x86_64",
        _ => bail!("macOS does not support the processor of {}", job.target),
    };
    // In Mach-O files, C names start with `_`.
    let exported = job.input("netclock.exports", &job.workshop.exports.lines("_", ""))?;
    let system = job.input("libSystem.tbd", &stub(&asked(job)?, &systems_symbols(job)?, processor)?)?;
    let library = job.dir.join("libnetclock.dylib");
    let (abi, archive) = (job.workshop.abi.to_string(), &job.compiled.archive);
    // Signing must come after the removal of local symbols and debug information.
    let link = cmd!(
        "{LD64} -dylib -arch {processor} -platform_version macos {OLDEST_MACOS} {OLDEST_MACOS}
        -install_name @rpath/libnetclock.{abi}.dylib -current_version {VERSION}
        -compatibility_version {abi} -exported_symbols_list {exported} -dead_strip -S -x -adhoc_codesign
        -o {library} -force_load {archive} {system}"
    );
    run(link, "ld64.lld could not link the shared library.")?;
    Ok(Linked { library: fs::read(library)?, symbols: None, import_library: None, components: Vec::new() })
}

fn asked(job: &Job<'_>) -> Result<BTreeSet<String>> {
    let (mut asked, mut defined) = (BTreeSet::new(), BTreeSet::new());
    each_object(&fs::read(&job.compiled.archive)?, |object, _| {
        for symbol in object.symbols() {
            let name = symbol.name().context("reading a symbol")?.to_owned();
            if symbol.is_undefined() { &mut asked } else { &mut defined }.insert(name);
        }
        Ok(())
    })?;
    Ok(asked.difference(&defined).cloned().chain([BINDER.to_owned()]).collect())
}

fn systems_symbols(job: &Job<'_>) -> Result<BTreeSet<String>> {
    let list = job.workshop.tools.zigs_library()?.join("libc/darwin/libSystem.tbd");
    let text = fs::read_to_string(list)?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    Ok(text.split(|c| !is_part(c)).map(str::to_owned).collect())
}

/// Returns a text file that linkers accept in place of the system library.
fn stub(asked: &BTreeSet<String>, has: &BTreeSet<String>, processor: &str) -> Result<String> {
    let lacking: Vec<&String> = asked.difference(has).collect();
    ensure!(lacking.is_empty(), "the code uses symbols that macOS does not have: {lacking:?}");
    let targets = format!("[ {processor}-macos ]");
    let symbols: Vec<&str> = asked.iter().map(String::as_str).collect();
    Ok(format!(
        "--- !tapi-tbd\ntbd-version: 4\ntargets: {targets}\ninstall-name: '/usr/lib/libSystem.B.dylib'\n\
         current-version: 1\ncompatibility-version: 1\nexports:\n  - targets: {targets}\n    \
         symbols: [ {} ]\n...\n",
        symbols.join(", ")
    ))
}
