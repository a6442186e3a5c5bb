//! Tests an archive for another machine: C and C++ programs under an emulator.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Place;
use super::programs::{ALL, Kit};
use crate::cargo::{root, target_dir};
use crate::command::run;
use crate::dist::platforms::{OLDEST_GLIBC, Target};
use crate::dist::product::Workshop;

/// Debian's location of the C library for Arm.
const ARMS_ROOT: &str = "/usr/aarch64-linux-gnu";

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(Into::into).collect()
}

/// Tests the archive for Arm Linux. Only C programs are used, because zig builds the C++ library for the
/// target, which takes minutes.
pub(super) fn under_qemu(target: &Target, prefix: &Path, place: &Place, workshop: &Workshop) -> Result<()> {
    let lib = prefix.join("lib");
    let mut c = workshop.tools.zig_cc();
    c.extend(words(&["-target", &format!("{}.{OLDEST_GLIBC}", target.zig)]));
    let mut runner = words(&["qemu-aarch64", "-L", ARMS_ROOT, "-E"]);
    runner.push(format!("LD_LIBRARY_PATH={}", lib.display()).into());
    let kit = Kit {
        c,
        cpp: Vec::new(),
        runner,
        include: prefix.join("include"),
        link: vec!["-L".into(), lib.into(), "-lnetclock".into()],
        lead: None,
    };
    let count = kit.run_all(&["c"], &place.directory("qemu")?)?;
    println!("  {count} C programs pass under QEMU with the shared library");
    Ok(())
}

pub(super) fn under_wine(prefix: &Path, place: &Place) -> Result<()> {
    let dir = place.directory("wine")?;
    let dll = prefix.join("bin/netclock.dll");
    // Windows looks for DLLs next to the program.
    fs::copy(&dll, dir.join("netclock.dll")).with_context(|| format!("copying {}", dll.display()))?;
    let mut runner = words(&["env", "WINEDEBUG=-all"]);
    // This directory is kept between runs, because creating it takes long.
    runner.push(format!("WINEPREFIX={}", target_dir()?.join("dist-wine").display()).into());
    runner.push("wine".into());
    let kit = Kit {
        c: words(&["x86_64-w64-mingw32-gcc", "-static"]),
        cpp: words(&["x86_64-w64-mingw32-g++-posix", "-static"]),
        runner,
        include: prefix.join("include"),
        link: vec![prefix.join("lib/libnetclock.dll.a").into()],
        lead: None,
    };
    let count = kit.run_all(ALL, &dir)?;
    println!("  {count} C and C++ programs pass under Wine with the DLL");
    for_msvc(&kit, prefix, &dir)
}

/// A program without a C library, linked like MSVC's linker does.
fn for_msvc(kit: &Kit, prefix: &Path, dir: &Path) -> Result<()> {
    let (object, program) = (dir.join("smoke.obj"), dir.join("smoke.exe"));
    let mut compile = Command::new("x86_64-w64-mingw32-gcc");
    compile.args(["-std=c99", "-O1", "-ffreestanding", "-fno-stack-protector", "-c", "-I"]).arg(&kit.include);
    compile.arg("-o").arg(&object).arg(root().join("tests/packaging/smoke.c"));
    run(&mut compile, "")?;
    let mut link = Command::new("lld-link");
    link.args(["/nologo", "/entry:start", "/subsystem:console", "/nodefaultlib"]);
    link.arg(format!("/out:{}", program.display())).arg(&object).arg(prefix.join("lib/netclock.dll.lib"));
    run(&mut link, "The import library does not do for MSVC's linker.")?;
    kit.start(&program, dir)?;
    println!("  lld-link accepts the import library, and the program finds the DLL");
    Ok(())
}
