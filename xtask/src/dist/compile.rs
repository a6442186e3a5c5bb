//! Builds the static library for one target, which `link` later turns into a shared library.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::symbols;
use super::{Component, OLDEST_IOS, OLDEST_MACOS, Part, Toolchain};
use crate::{Built, built, filenames, messages, root, target_dir};

/// The highest cost of functions that LLVM inlines. Compared with the default of 225, the library is 30 KiB
/// smaller. Reading the time takes no longer, but handling an exchange takes 10 % longer (docs/cost.md).
const INLINING: &str = "-Cllvm-args=-inline-threshold=50";

/// Cargo builds these crates with the standard library, but no library contains them. The first two are for
/// macros, which run in the compiler, and the last one is for programs that abort on panic.
const NOT_LINKED: [&str; 3] = ["proc_macro", "rustc-literal-escaper", "panic_abort"];

/// If these variables are set, their flags would change the build.
const UNWANTED: [&str; 6] = [
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
];

pub(super) struct Compiled {
    pub(super) archive: PathBuf,
    pub(super) components: Vec<Component>,
    pub(super) native_libraries: Vec<String>,
}

pub(super) fn compile(toolchain: &Toolchain, target: &str, part: Part) -> Result<Compiled> {
    println!("  building for {}", target);
    let mut command = cargo_rustc(toolchain, target, part)?;
    // We show Cargo's progress, because building the standard library can take many minutes.
    let output = built(&mut command).with_context(|| format!("building for {}", target))?;
    let messages: Vec<Value> = messages(&output).collect();
    let built = Built::from_messages(&output)?;
    let archive = built.file("libnetclock.a")?;
    let native_libraries = built.native_libraries;
    Ok(Compiled {
        archive,
        components: components(&messages, target, toolchain.release())?,
        native_libraries,
    })
}

fn cargo_rustc(toolchain: &Toolchain, target: &str, part: Part) -> Result<Command> {
    let mut command = Command::new(&toolchain.cargo);
    command.current_dir(root()).env("RUSTC", &toolchain.rustc);
    for variable in UNWANTED {
        command.env_remove(variable);
    }
    // Object files for Apple's systems state the oldest supported system.
    command.env("MACOSX_DEPLOYMENT_TARGET", OLDEST_MACOS).env("IPHONEOS_DEPLOYMENT_TARGET", OLDEST_IOS);
    // With `RUSTC_BOOTSTRAP`, a stable compiler accepts unstable options.
    command.env("RUSTC_BOOTSTRAP", "1");
    command.args(["rustc", "--package", "netclock", "--lib", "--crate-type", "staticlib", "--locked"]);
    if part == Part::Clock {
        command.arg("--no-default-features");
    }
    let debug = if symbols::are_for(target) { "line-tables-only" } else { "none" };
    command.args(["--profile", "dist", "--config", &format!("profile.dist.debug={debug:?}")]);
    // With these options, panic messages do not contain this machine's paths.
    command.args(["-Ztrim-paths", "--config", "profile.dist.trim-paths=\"all\""]);
    // Without the feature `backtrace`, a panic only prints its location.
    command.args(["-Zbuild-std=std,panic_unwind", "-Zbuild-std-features=optimize_for_size"]);
    command.args(["--target", target, "--message-format", "json", "--target-dir"]);
    command.arg(target_dir()?.join("dist-build"));
    command.args(["--", "--print", "native-static-libs", INLINING]);
    Ok(command)
}

/// Crates that run on this machine, such as macros, are ignored.
fn components(messages: &[Value], target: &str, rust: &str) -> Result<Vec<Component>> {
    let for_the_target = |message: &&Value| {
        let below = |file: PathBuf| file.iter().any(|part| part == target);
        message["reason"] == "compiler-artifact"
            && message["target"]["kind"][0] != "custom-build"
            && filenames(message).into_iter().any(below)
    };
    let manifests = messages.iter().filter(for_the_target).filter_map(|it| it["manifest_path"].as_str());
    let mut components =
        manifests.map(|path| Component::of_a_crate(Path::new(path), rust)).collect::<Result<Vec<_>>>()?;
    components.retain(|component| !NOT_LINKED.contains(&component.name.as_str()));
    components.sort();
    components.dedup();
    Ok(components)
}
