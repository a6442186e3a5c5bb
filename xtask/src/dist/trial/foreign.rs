//! Tests an archive for another machine by running the C and C++ test programs under an emulator.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Place;
use crate::command::run;
use crate::dist::{Workshop, zigs_name};
use crate::{command, programs, read, root, target_dir};

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
        let (words, standard) = if is_cpp { (&self.cpp, "-std=c++17") } else { (&self.c, "-std=c99") };
        let program = dir.join(source.file_stem().unwrap_or_default()).with_extension("exe");
        let mut compile = command(words, None)?;
        compile.current_dir(dir).args([standard, "-O1", "-I"]).arg(&self.include).arg("-o").arg(&program);
        compile.arg(source).args(&self.link).args(["-lm", "-lpthread"]);
        run(&mut compile, "The program compiles with the library used by the tests.")?;
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
        let mut start = command(&self.runner, Some(program))?;
        run(start.current_dir(dir), "The program works with the library used by the tests.").map(drop)
    }
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(Into::into).collect()
}

/// We do not test C++ programs, because zig takes minutes to build the C++ library for Arm.
pub(super) fn under_qemu(target: &str, prefix: &Path, place: &Place, workshop: &Workshop) -> Result<()> {
    let lib = prefix.join("lib");
    let mut c = workshop.tools.zig_cc();
    c.extend(words(&["-target", &zigs_name(target)]));
    let mut runner = words(&["qemu-aarch64", "-L", ARMS_ROOT, "-E"]);
    runner.push(format!("LD_LIBRARY_PATH={}", lib.display()).into());
    let kit = Kit {
        c,
        cpp: Vec::new(),
        runner,
        include: prefix.join("include"),
        link: vec!["-L".into(), lib.into(), "-lnetclock".into()],
    };
    let count = kit.run_all(&["c"], &place.directory("qemu")?)?;
    println!("  {count} C programs pass under QEMU with the shared library");
    Ok(())
}

pub(super) fn under_wine(prefix: &Path, place: &Place) -> Result<()> {
    let dir = place.directory("wine")?;
    let dll = prefix.join("bin/netclock.dll");
    // Windows searches the program's directory for DLLs.
    fs::copy(&dll, dir.join("netclock.dll")).with_context(|| format!("copying {}", dll.display()))?;
    let mut runner = words(&["env", "WINEDEBUG=-all"]);
    // Creating this directory takes long, so later runs reuse it.
    runner.push(format!("WINEPREFIX={}", target_dir()?.join("dist-wine").display()).into());
    runner.push("wine".into());
    let kit = Kit {
        c: words(&["x86_64-w64-mingw32-gcc", "-static"]),
        cpp: words(&["x86_64-w64-mingw32-g++-posix", "-static"]),
        runner,
        include: prefix.join("include"),
        link: vec![prefix.join("lib/libnetclock.dll.a").into()],
    };
    let count = kit.run_all(&["c", "cpp"], &dir)?;
    println!("  {count} C and C++ programs pass under Wine with the DLL");
    for_msvc(&kit, prefix, &dir)
}

/// Links a program without a C library as MSVC would, and runs it.
fn for_msvc(kit: &Kit, prefix: &Path, dir: &Path) -> Result<()> {
    let (object, program) = (dir.join("smoke.obj"), dir.join("smoke.exe"));
    let mut compile = Command::new("x86_64-w64-mingw32-gcc");
    compile.args(["-std=c99", "-O1", "-ffreestanding", "-fno-stack-protector", "-c", "-I"]).arg(&kit.include);
    compile.arg("-o").arg(&object).arg(root().join("tests/packaging/smoke.c"));
    run(&mut compile, "")?;
    let mut link = Command::new("lld-link");
    link.args(["/nologo", "/entry:start", "/subsystem:console", "/nodefaultlib"]);
    link.arg(format!("/out:{}", program.display())).arg(&object).arg(prefix.join("lib/netclock.dll.lib"));
    run(&mut link, "MSVC's linker does not accept the import library.")?;
    kit.start(&program, dir)?;
    println!("  lld-link accepts the import library, and the program finds the DLL");
    Ok(())
}
