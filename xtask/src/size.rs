//! `cargo xtask size` measures the size of a handle, and how many bytes the shared library adds to a game.

use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSection, SectionFlags, SectionKind, elf};

use crate::command::{cmd, run};
use crate::dist;
use crate::{Platform, abi_version, target_dir, write};

/// Limits for code and data in bytes on Linux x86-64, for the whole library and for the clock alone.
/// `docs/cost.md` states the size of each part.
const LIMIT: u64 = 672 * 1024;
const CLOCK_LIMIT: u64 = 292 * 1024;

/// The stack size in bytes that no call exceeds, according to netclock.h.
const STACK: u32 = 8192;

pub(crate) fn size() -> Result<ExitCode> {
    let dist::Shipped { platform, whole, clock, functions } = dist::shipped_libraries()?;
    println!("shared library for {platform}, as packed");
    let mut is_small = is_within(&whole, LIMIT)?;
    println!("the clock alone, with {functions} functions");
    is_small &= is_within(&clock, CLOCK_LIMIT)?;
    let handles = measured(&whole, "tests/c_abi/out_of_memory.c", "", "A handle exceeds its memory limit.")?;
    handles.lines().filter(|line| line.contains(" takes ")).for_each(|line| println!("{line}"));
    let too_much = "A call uses more stack than include/netclock/netclock.h states.";
    let stack = measured(&whole, "tests/stack/stack.c", &STACK.to_string(), too_much)?;
    println!("stack: {}", stack.lines().last().unwrap_or_default());
    if !is_small {
        eprintln!("error: the library exceeds its limit; docs/cost.md lists its parts");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn is_within(library: &[u8], limit: u64) -> Result<bool> {
    let [text, data] = measure(library)?;
    let total = text + data;
    println!("text {text} bytes, data {data} bytes");
    println!("together {:.1} KiB of {} KiB", total as f64 / 1024.0, limit / 1024);
    Ok(total <= limit)
}

/// Runs a C test program that uses the shared library and fails if a limit is exceeded.
fn measured(library: &[u8], source: &str, limit: &str, advice: &str) -> Result<String> {
    let dir = target_dir()?.join("measured");
    let soname = Platform::of_this_machine(abi_version()?).soname.context("the library has a name")?;
    let (file, program) = (dir.join(soname), dir.join("program"));
    write(&file, library)?;
    run(cmd!("cc -std=c99 -O1 -Iinclude {source} {file} -o {program}"), "")?;
    run(cmd!("{program} {limit}").env("LD_LIBRARY_PATH", &dir), advice)
}

/// Returns the sizes of the library's code (with constants) and of its initialised data in bytes. Like the
/// output of `size`, this includes unwind tables but no symbol names or debug information.
fn measure(library: &[u8]) -> Result<[u64; 2]> {
    let [mut text, mut data] = [0; 2];
    for section in object::File::parse(library)?.sections() {
        let SectionFlags::Elf { sh_flags } = section.flags() else {
            bail!("only ELF libraries can be measured")
        };
        let has = |flag| sh_flags & u64::from(flag) != 0;
        let is_empty =
            matches!(section.kind(), SectionKind::UninitializedData | SectionKind::UninitializedTls);
        if has(elf::SHF_ALLOC) && !is_empty {
            *if has(elf::SHF_WRITE) { &mut data } else { &mut text } += section.size();
        }
    }
    ensure!(text > 0, "it has no code");
    Ok([text, data])
}
