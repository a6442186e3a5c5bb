//! Tests an archive for this machine: C programs, and projects with CMake and make.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Place;
use super::programs::{ALL, Kit, programs};
use crate::cargo::root;
use crate::command::run as run_command;

/// `prefix` is the directory of the unpacked archive.
pub(super) fn run(prefix: &Path, place: &Place) -> Result<()> {
    let lib = prefix.join("lib");
    let shared = Kit {
        c: vec!["cc".into()],
        cpp: vec!["c++".into()],
        runner: Vec::new(),
        include: prefix.join("include"),
        link: vec!["-L".into(), lib.clone().into(), "-lnetclock".into()],
        lead: Some(("LD_LIBRARY_PATH", lib.clone())),
    };
    let count = shared.run_all(ALL, &place.directory("native-shared")?)?;
    let archive = lib.join("libnetclock.a");
    let native = ask_pkg_config(prefix, &["--libs", "netclock-static"])?;
    ensure!(native.contains("libnetclock.a"), "pkg-config prints {native}, without {}", archive.display());
    let link = native.split_whitespace().map(Into::into).collect();
    Kit { link, lead: None, ..shared.clone() }.run_all(ALL, &place.directory("native-static")?)?;
    println!("  {count} C and C++ programs pass with the shared and the static library");

    examples(prefix, &shared, place)?;
    makefile(prefix, place)?;
    cmake(prefix, place)
}

/// Compiles all examples. The commands in the README build a server and a client, which must find each other.
fn examples(prefix: &Path, kit: &Kit, place: &Place) -> Result<()> {
    let sources = programs(&prefix.join("examples/c"), ALL)?.into_iter();
    for source in sources.chain(programs(&prefix.join("examples/cpp"), ALL)?) {
        kit.compile(&source, &place.directory("native-examples")?)?;
    }
    let readme = fs::read_to_string(prefix.join("README.md")).context("reading the archive's README.md")?;
    let commands = readme.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next());
    let commands = commands.context("the archive's README.md has no commands")?;
    let script = format!(
        "{commands}\n./link_server 0 > port &\nserver=$!\ntrap 'kill $server' EXIT\nsleep 1\n\
         ./link_client 127.0.0.1 $(sed 's/port //' port)\nrm port client link_client link_server"
    );
    let said = run_command(Command::new("sh").args(["-ec", &script]).current_dir(prefix), "")?;
    println!("  the README's server and client: {}", said.trim());
    Ok(())
}

fn ask_pkg_config(prefix: &Path, question: &[&str]) -> Result<String> {
    let mut command = Command::new("pkg-config");
    command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).args(question);
    run_command(&mut command, "Debian has it in the package pkg-config.")
}

fn makefile(prefix: &Path, place: &Place) -> Result<()> {
    let dir = place.directory("native-make")?;
    let mut make = Command::new("make");
    make.arg("-C").arg(&dir).arg("-f").arg(root().join("tests/packaging/make/Makefile"));
    run_command(make.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")), "")?;
    consumers_run(&dir, "make")
}

fn cmake(prefix: &Path, place: &Place) -> Result<()> {
    for (name, option) in
        [("find_package", "CMAKE_PREFIX_PATH"), ("add_subdirectory", "NETCLOCK_SUBDIRECTORY")]
    {
        let dir = place.directory(&format!("native-cmake-{name}"))?;
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(root().join("tests/packaging/cmake")).arg("-B").arg(&dir);
        configure.arg(format!("-D{option}={}", prefix.display()));
        run_command(&mut configure, "")?;
        run_command(Command::new("cmake").arg("--build").arg(&dir), "")?;
        consumers_run(&dir, &format!("CMake's {name}"))?;
    }
    Ok(())
}

/// Runs the four programs of a project that has found the library.
fn consumers_run(dir: &Path, by: &str) -> Result<()> {
    for program in ["shared_c", "static_c", "shared_cpp", "static_cpp"] {
        let said =
            run_command(&mut Command::new(dir.join(program)), "").context("in a project that found it")?;
        ensure!(said.contains("server time 920"), "{program} printed {said}");
    }
    println!("  a project using {by} finds it");
    Ok(())
}
