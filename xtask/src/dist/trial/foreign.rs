//! Tests an archive for another machine by running the C and C++ test programs under an emulator.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use super::place;
use crate::command::{cmd, run};
use crate::dist::{Workshop, zigs_name};
use crate::{programs, read, root, target_dir};

/// Debian's C library for Arm is installed here.
const ARMS_ROOT: &str = "/usr/aarch64-linux-gnu";

struct Kit {
    c: Vec<OsString>,
    cpp: Vec<OsString>,
    /// The command that runs a program for the other machine.
    runner: Vec<OsString>,
    include: PathBuf,
    link: Vec<OsString>,
}

impl Kit {
    fn run_all(&self, endings: &[&str], dir: &Path) -> Result<usize> {
        let programs = programs(&root().join("tests/c_abi"), endings)?;
        for source in &programs {
            self.run(source, dir).with_context(|| format!("{}", source.display()))?;
        }
        Ok(programs.len())
    }

    fn run(&self, source: &Path, dir: &Path) -> Result<()> {
        let is_cpp = source.extension().is_some_and(|extension| extension == "cpp");
        let (compiler, standard) = if is_cpp { (&self.cpp, "c++17") } else { (&self.c, "c99") };
        let program = dir.join(source.file_stem().unwrap_or_default()).with_extension("exe");
        let Self { include, link, .. } = self;
        let compile = cmd!(
            "env {compiler...} -std={standard} -O1 -I {include} -o {program} {source} {link...} -lm -lpthread"
        );
        run(compile, "The program compiles with the library used by the tests.")?;
        self.start(&program, dir)?;
        // If there is a `.csv` file with the program's name, the program must write an identical file.
        let expected = source.with_extension("csv");
        if expected.exists() {
            let written = dir.join(expected.file_name().unwrap_or_default());
            ensure!(read(&written)? == read(&expected)?, "{} differs", written.display());
        }
        Ok(())
    }

    fn start(&self, program: &Path, dir: &Path) -> Result<()> {
        let runner = &self.runner;
        let mut start = cmd!("env {runner...} {program}");
        run(start.current_dir(dir), "The program works with the library used by the tests.").map(drop)
    }
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(Into::into).collect()
}

/// We do not test C++ programs, because zig takes minutes to build the C++ library for Arm.
pub(super) fn under_qemu(target: &str, prefix: &Path, workshop: &Workshop) -> Result<()> {
    let lib = prefix.join("lib");
    let mut c = workshop.tools.zig.clone();
    c.extend(words(&["cc", "-target", &zigs_name(target)]));
    let path = format!("LD_LIBRARY_PATH={}", lib.display());
    let kit = Kit {
        c,
        cpp: Vec::new(),
        runner: words(&["qemu-aarch64", "-L", ARMS_ROOT, "-E", &path]),
        include: prefix.join("include"),
        link: vec!["-L".into(), lib.into(), "-lnetclock".into()],
    };
    let count = kit.run_all(&["c"], &place("qemu")?)?;
    println!("  {count} C programs pass under QEMU with the shared library");
    Ok(())
}

pub(super) fn under_wine(prefix: &Path) -> Result<()> {
    let dir = place("wine")?;
    // Windows searches the program's directory for DLLs.
    fs::copy(prefix.join("bin/netclock.dll"), dir.join("netclock.dll"))?;
    // Creating this directory takes a long time, so later runs reuse it.
    let settings = format!("WINEPREFIX={}", target_dir()?.join("dist-wine").display());
    let kit = Kit {
        c: words(&["x86_64-w64-mingw32-gcc", "-static"]),
        cpp: words(&["x86_64-w64-mingw32-g++-posix", "-static"]),
        runner: words(&["WINEDEBUG=-all", &settings, "wine"]),
        include: prefix.join("include"),
        link: vec![prefix.join("lib/libnetclock.dll.a").into()],
    };
    let count = kit.run_all(&["c", "cpp"], &dir)?;
    println!("  {count} C and C++ programs pass under Wine with the DLL");
    for_msvc(&kit, prefix, &dir)
}

/// Links a program without a C library as MSVC would, and runs it.
fn for_msvc(kit: &Kit, prefix: &Path, dir: &Path) -> Result<()> {
    let (object, program, include) = (dir.join("smoke.obj"), dir.join("smoke.exe"), &kit.include);
    let compile = cmd!(
        "x86_64-w64-mingw32-gcc -std=c99 -O1 -ffreestanding -fno-stack-protector -c -I {include} -o {object}
        tests/packaging/smoke.c"
    );
    run(compile, "")?;
    let link = cmd!(
        "lld-link /nologo /entry:start /subsystem:console /nodefaultlib /out:{program} {object}
        {prefix}/lib/netclock.dll.lib"
    );
    run(link, "MSVC's linker does not accept the import library.")?;
    kit.start(&program, dir)?;
    println!("  lld-link accepts the import library, and the program finds the DLL");
    Ok(())
}
