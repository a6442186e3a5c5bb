//! The programs required for a build, their locations, and their installation.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::names::OBJCOPY;
use super::platforms::{Linker, Platform, System};
use super::toolchain::Toolchain;
use super::universal::LIPO;
use crate::cargo::target_dir;
use crate::command::{on_path, run};

/// The zig version that builds the same library on every machine.
const ZIG: &str = "0.17.1";

type Needs = fn(&Platform) -> bool;

/// A program by its name on the path, and its Debian package.
type Tool = (&'static str, &'static str);

/// What each platform needs, and what for.
const TOOLS: [(Needs, &str, &[Tool]); 6] = [
    (
        |_| true,
        "to build, and to try the symbols",
        &[(OBJCOPY, "llvm"), (SYMBOLIZER, "llvm"), ("git", "git"), ("cc", "build-essential")],
    ),
    (
        Platform::is_this_machine,
        "to try the archive and the wheel",
        &[
            ("c++", "build-essential"),
            ("make", "build-essential"),
            ("cmake", "cmake"),
            ("pkg-config", "pkg-config"),
            ("python3", "python3-venv"),
            (ENSUREPIP, "python3-venv"),
            ("mcs", "mono-mcs"),
            ("mono", "mono-runtime"),
        ],
    ),
    (
        |it| it.system == System::Windows,
        "to link the DLL and to try it",
        &[
            ("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64"),
            ("x86_64-w64-mingw32-g++-posix", "g++-mingw-w64-x86-64-posix"),
            ("x86_64-w64-mingw32-dlltool", "binutils-mingw-w64-x86-64"),
            ("llvm-dlltool", "llvm"),
            ("lld-link", "lld"),
            ("wine", "wine"),
        ],
    ),
    (
        |it| it.name == "linux-arm64" && !it.is_this_machine(),
        "to run programs for Arm",
        &[("qemu-aarch64", "qemu-user"), ("/usr/aarch64-linux-gnu/lib/libc.so.6", "libc6-arm64-cross")],
    ),
    (|it| it.system == System::MacOs, "to link for macOS", &[(LD64, "lld-22")]),
    (
        |it| matches!(it.system, System::MacOs | System::Ios),
        "to join what is for several processors",
        &[(LIPO, "llvm-22")],
    ),
];

/// Finds the source line of an address.
pub(super) const SYMBOLIZER: &str = "llvm-symbolizer";
/// LLVM's linker for macOS. Older versions lose the tables with which panics are caught.
pub(super) const LD64: &str = "ld64.lld-22";
/// Debian's newest Rust, and the sources of its standard library.
const DEBIANS_RUST: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
/// Without it, Debian's python3 cannot create an environment.
const ENSUREPIP: &str = "python3 -m ensurepip";

/// The tools for the chosen platforms.
pub(super) struct Tools {
    /// The command for zig; empty if it is not needed.
    pub(super) zig: Vec<String>,
}

impl Tools {
    /// Finds all tools, or lists what to install.
    pub(super) fn find(platforms: &[&Platform]) -> Result<Self> {
        let mut list = String::new();
        for (purpose, (program, package)) in missing(platforms) {
            list += &format!("  {program} {purpose}: apt-get install {package}\n");
        }
        let zig = if needs_zig(platforms) { zig() } else { Some(Vec::new()) };
        if zig.is_none() {
            list += &format!("  zig {ZIG} to link for Linux and macOS: pip install ziglang=={ZIG}\n");
        }
        let advice = "On Debian, `cargo xtask dist --install-tools` installs them.";
        let zig = zig.filter(|_| list.is_empty());
        Ok(Self { zig: zig.with_context(|| format!("tools are missing:\n{list}{advice}"))? })
    }

    /// The tools for building a platform's library, without those for testing it.
    pub(super) fn find_for_linking(platform: &Platform) -> Result<Self> {
        ensure!(platform.linker == Some(Linker::Zig), "{} is not linked by zig", platform.name);
        let zig = zig().with_context(|| {
            format!("zig {ZIG} is missing: pip install ziglang=={ZIG}, or `cargo xtask dist --install-tools`")
        })?;
        Ok(Self { zig })
    }

    /// The directory of the code that zig links, and its licences.
    pub(super) fn zigs_library(&self) -> Result<PathBuf> {
        let (program, arguments) = self.zig.split_first().context("zig is not available")?;
        let said = run(Command::new(program).args(arguments).arg("env"), "This is no working zig.")?;
        let line = said.lines().find_map(|line| line.trim().strip_prefix(".lib_dir = \""));
        let path =
            line.and_then(|rest| rest.split('"').next()).context("zig does not report its location")?;
        Ok(PathBuf::from(path))
    }

    /// The command for zig's C compiler, which also links.
    pub(super) fn zig_cc(&self) -> Vec<OsString> {
        self.zig.iter().map(String::as_str).chain(["cc"]).map(Into::into).collect()
    }
}

/// Installs missing tools with apt-get, and zig into a Python environment in the build directory.
pub(super) fn install(platforms: &[&Platform]) -> Result<()> {
    let mut packages: Vec<&str> = missing(platforms).map(|(_, (_, package))| package).collect();
    if Toolchain::find()?.std_source.is_none() {
        packages.extend(DEBIANS_RUST);
    }
    packages.sort_unstable();
    packages.dedup();
    if !packages.is_empty() {
        ensure!(
            on_path("apt-get"),
            "there is no apt-get here: install what provides {}",
            packages.join(", ")
        );
        println!("Installing {}", packages.join(" "));
        let advice = "Installing needs root: run this as root, or install the packages yourself.";
        run(Command::new("apt-get").arg("update"), advice)?;
        let mut install = Command::new("apt-get");
        install.env("DEBIAN_FRONTEND", "noninteractive");
        run(install.args(["install", "--yes", "--no-install-recommends"]).args(&packages), advice)?;
    }
    if needs_zig(platforms) && zig().is_none() {
        let place = zigs_environment()?;
        println!("Installing zig {ZIG} in {}", place.display());
        let advice = "Debian's package python3-venv has what this needs.";
        run(Command::new("python3").args(["-m", "venv"]).arg(&place), advice)?;
        let pip = place.join("bin/pip");
        let zig = format!("ziglang=={ZIG}");
        run(Command::new(pip).args(["install", "--quiet", &zig]), "Is the Python index reachable?")?;
    }
    Ok(())
}

/// What is missing, and for what.
fn missing(platforms: &[&Platform]) -> impl Iterator<Item = (&'static str, Tool)> {
    let is_needed = |needs: Needs| platforms.iter().any(|platform| needs(platform));
    let needed = TOOLS.iter().filter(move |(needs, ..)| is_needed(*needs));
    let tools = needed.flat_map(|(_, purpose, tools)| tools.iter().map(|tool| (*purpose, *tool)));
    let python = needs_zig(platforms) && zig().is_none();
    let python = python.then_some(("to have zig from the Python index", ("python3", "python3-venv")));
    tools.chain(python).filter(|(_, (program, _))| !is_there(program))
}

/// A program or module is installed if it prints its version.
fn is_there(program: &str) -> bool {
    match program.split_once(' ') {
        None => on_path(program),
        Some((program, words)) => {
            run(Command::new(program).args(words.split(' ')).arg("--version"), "").is_ok()
        }
    }
}

fn needs_zig(platforms: &[&Platform]) -> bool {
    platforms.iter().any(|platform| matches!(platform.linker, Some(Linker::Zig | Linker::Ld64)))
}

/// The command for the right version of zig.
fn zig() -> Option<Vec<String>> {
    let own = zigs_environment().ok()?.join("bin/python3").to_string_lossy().into_owned();
    let candidates = [vec!["zig".to_owned()], python_module(own), python_module("python3".to_owned())];
    candidates.into_iter().find(|words| {
        let version = run(Command::new(&words[0]).args(&words[1..]).arg("version"), "");
        version.is_ok_and(|version| version.trim() == ZIG)
    })
}

fn python_module(python: String) -> Vec<String> {
    vec![python, "-m".to_owned(), "ziglang".to_owned()]
}

fn zigs_environment() -> Result<PathBuf> {
    Ok(target_dir()?.join("dist-tools"))
}
