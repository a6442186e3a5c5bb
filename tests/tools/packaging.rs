//! Tests that CMake and make projects find the shared and static libraries in an unpacked archive. The same
//! must work with an installation by `cargo xtask dist --into` that was moved afterwards.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::compiler::{run, scratch};
use crate::library::{native_libraries, unpacked};
use crate::{cargo, ok, root};

const PROGRAMS: [&str; 4] = ["shared_c", "static_c", "shared_cpp", "static_cpp"];

#[test]
fn a_cmake_project_finds_the_library() {
    if !crate::tools::present(&["cmake"]) {
        return;
    }
    let prefix = installed();
    let build = scratch("packaging-cmake");
    let [major, minor, _] = version();
    ok(configure(&build, prefix).arg(format!("-DNETCLOCK_WANTED={major}.{minor}")));
    ok(Command::new("cmake").arg("--build").arg(&build).args(["--config", "Release"]));
    // Some CMake generators create a directory for each configuration.
    let release = build.join("Release");
    all_run(if release.is_dir() { &release } else { &build }, prefix);
}

#[test]
fn a_cmake_project_can_include_an_archive() {
    // Unlike an installation, an archive contains a CMakeLists.txt.
    let Some(prefix) = unpacked() else { return };
    let build = scratch("packaging-subdirectory");
    ok(configure(&build, &prefix).arg(format!("-DNETCLOCK_SUBDIRECTORY={}", prefix.display())));
    ok(Command::new("cmake").arg("--build").arg(&build));
    all_run(&build, &prefix);
}

#[test]
fn cmake_rejects_other_versions() {
    if !crate::tools::present(&["cmake"]) {
        return;
    }
    let [major, minor, patch] = version();
    let incompatible = [
        format!("{major}.{minor}.{}", patch + 1),
        format!("{major}.{}", minor + 1),
        format!("{}.0", major + 1),
        "99".to_owned(),
    ];
    for wanted in incompatible {
        let build = scratch(&format!("packaging-cmake-{wanted}"));
        let printed = run(configure(&build, installed()).arg(format!("-DNETCLOCK_WANTED={wanted}")));
        let refusal = printed.expect_err("this version is incompatible");
        let found = format!("version: {}", env!("CARGO_PKG_VERSION"));
        assert!(refusal.contains("netclock-config.cmake"), "{wanted}:\n{refusal}");
        assert!(refusal.contains(&found), "{wanted}:\n{refusal}");
    }
}

#[test]
fn a_makefile_finds_the_library() {
    if cfg!(windows) {
        return crate::tools::skip("no make on Windows");
    }
    if !crate::tools::present(&["make", "pkg-config"]) {
        return;
    }
    let prefix = installed();
    let build = scratch("packaging-make");
    let makefile = root().join("tests/packaging/make/Makefile");
    ok(with_pkg_config(Command::new("make").arg("-C").arg(&build).arg("-f").arg(makefile), prefix));
    all_run(&build, prefix);
}

#[test]
fn pkg_config_lists_the_system_libraries_for_the_archive() {
    if !crate::tools::present(&["pkg-config"]) {
        return;
    }
    let asked = |arguments: &[&str]| {
        ok(with_pkg_config(Command::new("pkg-config").args(arguments), installed())).trim().to_owned()
    };
    assert_eq!(asked(&["--modversion", "netclock"]), env!("CARGO_PKG_VERSION"));
    let shared = asked(&["--libs", "netclock"]);
    // Compilers link their own runtime library implicitly.
    let needed: Vec<_> = native_libraries().iter().filter(|library| **library != "-lgcc_s").collect();
    let needs_all = |text: &str| needed.iter().all(|library| text.contains(**library));
    assert!(shared.contains("-lnetclock") && !needs_all(&shared), "{shared}");
    assert!(needs_all(&asked(&["--static", "--libs", "netclock"])));
    assert!(needs_all(&asked(&["--libs", "netclock-static"])));
}

#[test]
fn a_fully_static_program_links() {
    if cfg!(not(target_os = "linux")) {
        return crate::tools::skip("only Linux supports fully static programs");
    }
    if !crate::tools::present(&["cc", "pkg-config"]) {
        return;
    }
    let arguments = ["--static", "--cflags", "--libs", "netclock"];
    let flags = ok(with_pkg_config(Command::new("pkg-config").args(arguments), installed()));
    let program = scratch("packaging-static").join("program");
    let mut link = Command::new("cc");
    link.arg("-static").arg(root().join("tests/packaging/consumer.c")).arg("-o").arg(&program);
    ok(link.args(flags.split_whitespace()));
    let printed = ok(&mut Command::new(program));
    assert!(printed.contains("server time 920"), "{printed}");
}

#[test]
fn an_unusable_prefix_is_rejected() {
    let dir = scratch("packaging-refused");
    let file = dir.join("file");
    fs::write(&file, "in the way").expect("the scratch directory was just created");
    for prefix in [file.clone(), file.join("below")] {
        let refusal = run(&mut install(&prefix)).expect_err("a file is not a directory");
        assert!(refusal.contains("error: ") && refusal.contains("--into"), "{refusal}");
    }
    assert_eq!(fs::read_dir(&dir).map_or(0, Iterator::count), 1, "a rejected run left files");
}

fn version() -> [u32; 3] {
    let numbers =
        [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")];
    numbers.map(|number| number.parse().expect("Cargo accepts only numbers in a version"))
}

/// Returns the unpacked archive or the moved installation, which all tests share.
fn installed() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        if let Some(prefix) = unpacked() {
            return prefix;
        }
        let dir = scratch("packaging-installed");
        ok(&mut install(&dir.join("first")));
        let moved = dir.join("moved");
        fs::rename(dir.join("first"), &moved).unwrap_or_else(|error| panic!("{}: {error}", moved.display()));
        moved
    })
}

fn install(prefix: &Path) -> Command {
    let mut command = cargo();
    command.args(["run", "--package", "xtask", "--", "dist", "--into"]).arg(prefix);
    command
}

fn configure(build: &Path, prefix: &Path) -> Command {
    let mut command = Command::new("cmake");
    command.arg("-S").arg(root().join("tests/packaging/cmake")).arg("-B").arg(build);
    command.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())).arg("-DCMAKE_BUILD_TYPE=Release");
    command
}

fn with_pkg_config<'a>(command: &'a mut Command, prefix: &Path) -> &'a mut Command {
    command.env("PKG_CONFIG_PATH", prefix.join("lib").join("pkgconfig"))
}

/// Runs the programs and checks that only the shared ones need the shared library.
fn all_run(dir: &Path, prefix: &Path) {
    let program = |name: &str| {
        let mut command = Command::new(dir.join(format!("{name}{EXE_SUFFIX}")));
        if cfg!(windows) {
            command.env("PATH", prefix.join("bin"));
        }
        command
    };
    for name in PROGRAMS {
        let printed = ok(&mut program(name));
        assert!(printed.contains("server time 920"), "{name} printed {printed}");
        let path = dir.join(format!("{name}{EXE_SUFFIX}"));
        let content = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let wanted = env!("NETCLOCK_RUNTIME_NAME").as_bytes();
        let asks = content.windows(wanted.len()).any(|window| window == wanted);
        assert_eq!(asks, name.starts_with("shared"), "{name} loads the wrong library");
    }
}
