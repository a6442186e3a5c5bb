//! Every program in `tests/c_abi` and `tests/stress`, compiled strictly, linked both ways and run.
//!
//! A program is one `.c` file (C99) or `.cpp` file (C++17); it passes when it exits with 0. Where there is a `.csv` of
//! the same name, the program has to write a file of that name and content.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use compiler::{Compiler, run, scratch};
use library::{Library, native_libraries};

#[path = "support/compiler.rs"]
mod compiler;
#[path = "support/library.rs"]
mod library;

#[derive(Clone, Copy, Debug)]
enum Linking {
    Static,
    Shared,
}

#[test]
fn programs_pass_linked_statically_and_dynamically() {
    let library = Library::build();
    let programs = programs();
    assert!(!programs.is_empty(), "no programs in tests/c_abi");

    let mut failures = Vec::new();
    for program in &programs {
        let standard = if program.extension().is_some_and(|it| it == "cpp") { "c++17" } else { "c99" };
        let compilers = Compiler::all(standard);
        // On Windows gcc may be there too, but does not link what was built for MSVC.
        for compiler in compilers.iter().filter(|it| it.is_msvc() == cfg!(target_env = "msvc")) {
            for linking in [Linking::Static, Linking::Shared] {
                if let Err(failure) = try_program(program, compiler, &library, linking) {
                    failures.push(format!(
                        "{} with {}, {linking:?}:\n{failure}",
                        program.display(),
                        compiler.name()
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Sorted, so that a failure names the same program first on every machine.
fn programs() -> Vec<PathBuf> {
    let mut programs = Vec::new();
    for place in ["tests/c_abi", "tests/stress"] {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(place);
        let entries = fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
        let found = entries
            .map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", dir.display())).path())
            .filter(|path| path.extension().is_some_and(|it| it == "c" || it == "cpp"));
        programs.extend(found);
    }
    programs.sort();
    programs
}

fn try_program(
    source: &Path,
    compiler: &Compiler,
    library: &Library,
    linking: Linking,
) -> Result<(), String> {
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    let dir = scratch(&format!("c_abi-{name}-{}-{linking:?}", compiler.name()));
    let program = dir.join("program.exe");

    let mut build = compiler.command();
    build.current_dir(&dir).arg(source);
    if compiler.is_msvc() {
        build.arg(format!("/Fe:{}", program.display()));
    } else {
        build.arg("-o").arg(&program);
    }
    match linking {
        Linking::Static => build.arg(&library.archive).args(native_libraries()),
        Linking::Shared => build.arg(&library.shared),
    };
    if !compiler.is_msvc() {
        // For the program's own use of <math.h> and <thread>.
        build.args(["-lm", "-lpthread"]);
    }
    run(&mut build)?;

    let mut test = Command::new(&program);
    test.current_dir(&dir);
    if let Linking::Shared = linking {
        let (variable, dir) = library.search_path();
        let inherited = std::env::var_os(variable).unwrap_or_default();
        let dirs = std::iter::once(dir).chain(std::env::split_paths(&inherited));
        test.env(variable, std::env::join_paths(dirs).map_err(|error| error.to_string())?);
    }
    run(&mut test)?;

    let expected = source.with_extension("csv");
    if !expected.exists() {
        return Ok(());
    }
    let written = dir.join(expected.file_name().unwrap_or_default());
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    // git may have changed the ends of lines of the committed one.
    if read(&written)? == read(&expected)?.replace("\r\n", "\n") {
        Ok(())
    } else {
        Err(format!("{} is not {}", written.display(), expected.display()))
    }
}
