//! Builds the static library for one target, which `link` later turns into a shared library.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::symbols;
use super::{Component, OLDEST_IOS, OLDEST_MACOS, Part, Toolchain};
use crate::command::cmd;
use crate::{Built, built, filenames, messages, target_dir};

/// The highest cost at which LLVM inlines a function. Compared with LLVM's default of 225, this makes the
/// library 30 KiB smaller. Reading the time takes no longer, but handling an exchange takes 10 % longer
/// (docs/cost.md).
const INLINING: &str = "-Cllvm-args=-inline-threshold=50";

/// Cargo builds these crates as part of the standard library, but our libraries do not contain them. The
/// first two are for macros, which run in the compiler. The last one is for programs that abort on panic.
const NOT_LINKED: [&str; 3] = ["proc_macro", "rustc-literal-escaper", "panic_abort"];

/// These variables may contain flags that would change the build.
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
    pub(super) components: BTreeSet<Component>,
    pub(super) native_libraries: Vec<String>,
}

pub(super) fn compile(toolchain: &Toolchain, target: &str, part: Part) -> Result<Compiled> {
    println!("  building for {}", target);
    let mut command = cargo_rustc(toolchain, target, part)?;
    // We show Cargo's progress, because building the standard library can take many minutes.
    let output = built(&mut command).with_context(|| format!("building for {}", target))?;
    let messages: Vec<Value> = messages(&output).collect();
    let built = Built::from_messages(&output)?;
    let components = components(&messages, target, toolchain.release())?;
    let archive = built.file("libnetclock.a")?;
    Ok(Compiled { archive, components, native_libraries: built.native_libraries })
}

fn cargo_rustc(toolchain: &Toolchain, target: &str, part: Part) -> Result<Command> {
    let (cargo, dir) = (&toolchain.cargo, target_dir()?.join("dist-build"));
    let features = if part == Part::Clock { &["--no-default-features"][..] } else { &[] };
    let debug = if symbols::are_for(target) { "line-tables-only" } else { "none" };
    let profile = [format!("profile.dist.debug={debug:?}"), "profile.dist.trim-paths=\"all\"".to_owned()];
    let [debug, trim] = profile;
    // With `trim-paths`, panic messages do not contain this machine's paths. Without the standard library's
    // feature `backtrace`, a panic only prints its location.
    let mut command = cmd!(
        "{cargo} rustc --package netclock --lib --crate-type staticlib --locked {features...} --profile dist
        --config {debug} -Ztrim-paths --config {trim} -Zbuild-std=std,panic_unwind
        -Zbuild-std-features=optimize_for_size --target {target} --message-format json --target-dir {dir}
        -- --print native-static-libs {INLINING}"
    );
    for variable in UNWANTED {
        command.env_remove(variable);
    }
    // Object files for Apple's systems state the oldest supported system.
    command.env("MACOSX_DEPLOYMENT_TARGET", OLDEST_MACOS).env("IPHONEOS_DEPLOYMENT_TARGET", OLDEST_IOS);
    // With `RUSTC_BOOTSTRAP`, a stable compiler accepts unstable options.
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", &toolchain.rustc);
    Ok(command)
}

/// Ignores crates that run on this machine, such as macros.
fn components(messages: &[Value], target: &str, rust: &str) -> Result<BTreeSet<Component>> {
    let for_the_target = |message: &&Value| {
        let below = |file: PathBuf| file.iter().any(|part| part == target);
        message["reason"] == "compiler-artifact"
            && message["target"]["kind"][0] != "custom-build"
            && filenames(message).into_iter().any(below)
    };
    let manifests = messages.iter().filter(for_the_target).filter_map(|it| it["manifest_path"].as_str());
    let components = manifests.map(|path| Component::of_a_crate(Path::new(path), rust));
    let linked = |it: &Component| !NOT_LINKED.contains(&it.name.as_str());
    components.filter(|it| it.as_ref().map_or(true, linked)).collect()
}
