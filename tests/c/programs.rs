//! Compiles all programs in `tests/c_abi` and `tests/stress` with strict warnings, links them with the static
//! and the shared library, and runs them.
//!
//! C programs must compile as C99, and C++ programs as C++17 and C++20 without exceptions or RTTI. A program
//! passes if it exits with 0. If there is a `.csv` file with the program's name, the program must also write
//! an identical file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::compiler::{Compiler, run, scratch};
use crate::library::{Library, native_libraries};
use crate::parallel::in_parallel;

#[derive(Clone, Copy, Debug)]
enum Linking {
    Static,
    Shared,
}

#[test]
fn programs_pass_linked_statically_and_dynamically() {
    let library = Library::get();
    let programs = programs();
    assert!(!programs.is_empty(), "no programs in tests/c_abi");

    let mut trials = Vec::new();
    for program in &programs {
        let cpp = program.extension().is_some_and(|it| it == "cpp");
        let usable = if cpp { for_cpp() } else { usable("c99") };
        // We run each stress program once, and only link its other builds.
        let is_stress = program.parent().is_some_and(|dir| dir.ends_with("stress"));
        // Linking is slow, so we link only the first compiler's objects with both libraries.
        trials.extend(usable.into_iter().enumerate().map(|(at, compiler)| {
            let ways: &[Linking] =
                if at == 0 { &[Linking::Static, Linking::Shared] } else { &[Linking::Shared] };
            (program, compiler, ways, at == 0 || !is_stress)
        }));
    }
    // These headers take up most of a C++ program's compile time.
    for compiler in for_cpp() {
        precompile(&compiler);
    }
    let failures = in_parallel(&trials, |(program, compiler, ways, is_run)| {
        let failure = try_program(program, compiler, library, ways, *is_run).err()?;
        Some(format!("{} with {}\n{failure}", program.display(), compiler.name()))
    });
    let failures: Vec<String> = failures.into_iter().flatten().collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// On Windows, gcc cannot link libraries that were built for MSVC.
fn usable(standard: &'static str) -> Vec<Compiler> {
    let mut all = Compiler::all(standard);
    all.retain(|it| it.is_msvc() == cfg!(target_env = "msvc"));
    all
}

/// If the machine has two compilers, each standard is tested with a different one.
fn for_cpp() -> Vec<Compiler> {
    usable("c++17").into_iter().take(1).chain(usable("c++20").into_iter().last()).collect()
}

/// Returns the programs in alphabetical order, because the order of directory entries depends on the machine.
fn programs() -> Vec<PathBuf> {
    let mut programs = Vec::new();
    for place in ["tests/c_abi", "tests/stress"] {
        let entries = Path::new(env!("CARGO_MANIFEST_DIR")).join(place).read_dir().expect("it is committed");
        let paths = entries.map(|entry| entry.expect("it was listed").path());
        programs.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "c" || it == "cpp")));
    }
    programs.sort();
    programs
}

fn precompiled(compiler: &Compiler) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c_abi-common-{}/common.h", compiler.name()))
}

/// Precompiled headers could hide a missing include, but another test would find it.
fn precompile(compiler: &Compiler) {
    if compiler.is_msvc() {
        return;
    }
    let source = scratch(&format!("c_abi-common-{}", compiler.name())).join("common.h");
    let common = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c_abi/check.hpp");
    fs::write(&source, format!("#include {common:?}\n")).expect("the scratch directory was just created");
    let mut command = compiler.command();
    command.args(compiler.without_exceptions()).args(["-x", "c++-header"]).arg(&source);
    command.arg("-o").arg(source.with_extension("h.gch"));
    run(&mut command).unwrap_or_else(|failure| panic!("{failure}"));
}

fn try_program(
    source: &Path,
    compiler: &Compiler,
    library: &Library,
    ways: &[Linking],
    is_run: bool,
) -> Result<(), String> {
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    let dir = scratch(&format!("c_abi-{name}-{}", compiler.name()));
    let object = dir.join("program.o");
    let mut compile = compiler.command();
    compile.current_dir(&dir).args(compiler.without_exceptions()).arg(source);
    if precompiled(compiler).exists() {
        compile.arg("-include").arg(precompiled(compiler));
    }
    compile.arg("-c");
    compiler.name_object(&mut compile, &object);
    run(&mut compile)?;

    for &linking in ways {
        let attempt = || {
            let program = link(&object, compiler, library, linking)?;
            if !is_run {
                return Ok(());
            }
            let mut test = Command::new(program);
            if let Linking::Shared = linking {
                library.lead(&mut test);
            }
            run(test.current_dir(&dir)).and_then(|_| compare_written(source, &dir))
        };
        attempt().map_err(|failure| format!("{linking:?}: {failure}"))?;
    }
    Ok(())
}

fn link(object: &Path, compiler: &Compiler, library: &Library, linking: Linking) -> Result<PathBuf, String> {
    let program = object.with_file_name(format!("{linking:?}.exe"));
    let mut link = compiler.command();
    link.arg(object);
    compiler.name_program(&mut link, &program);
    match linking {
        Linking::Static => link.arg(&library.archive).args(native_libraries()),
        Linking::Shared => link.arg(&library.shared),
    };
    if !compiler.is_msvc() {
        link.args(["-lm", "-lpthread"]);
    }
    run(&mut link).map(|_| program)
}

/// Removes the file afterwards, so that the next run cannot pass by comparing an old file.
fn compare_written(source: &Path, dir: &Path) -> Result<(), String> {
    let expected = source.with_extension("csv");
    if !expected.exists() {
        return Ok(());
    }
    let written = dir.join(expected.file_name().unwrap_or_default());
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    if read(&written)? != read(&expected)?.replace("\r\n", "\n") {
        return Err(format!("{} differs from {}", written.display(), expected.display()));
    }
    fs::remove_file(&written).map_err(|error| format!("{}: {error}", written.display()))
}
