//! `cargo xtask dist` builds, checks and tests the archives for every platform.
//!
//! For each of the `platforms`, a static library is compiled (`compile`) and linked into a shared library
//! (`link`). Both libraries are checked (`check`) and packed (`sdk`, `plugin`, `pack`). Then `trial` unpacks
//! and uses the archives. No archive is written unless all steps succeed for all platforms.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use fs_err as fs;

use crate::{VERSION, abi, root, write};
use archives::{Archives, PLUGIN_DIRECTORY, refuse_foreign_directory};
use components::{Component, of_the_linker};
use link::IMAGE_BASE;
use names::{Exports, OBJCOPY, each_object, symbol_version};
use pack::{pack, unpack};
use platforms::{OLDEST_GLIBC, OLDEST_IOS, OLDEST_MACOS, Platform, Slice, System, zigs_name};
use product::{Part, Product, Workshop};
use source::Source;
use texts::texts;
use tools::{Toolchain, Tools};

mod archives;
mod check;
mod compile;
mod components;
mod link;
mod names;
mod pack;
mod platforms;
mod plugin;
mod prefix;
mod product;
mod sdk;
mod source;
mod symbols;
mod texts;
mod tools;
mod trial;
mod wheel;

#[derive(Args)]
pub(crate) struct Options {
    /// The directory for the archives, replaced if `dist` created it
    #[arg(long, default_value = "dist")]
    out: PathBuf,
    /// Install the library for this machine into this directory instead of making archives, built by the
    /// installed Rust
    #[arg(long, conflicts_with_all = ["out", "only", "engine", "allow_dirty"])]
    into: Option<PathBuf>,
    /// With `--into`: optimise the library
    #[arg(long, requires = "into")]
    release: bool,
    /// Build only for these platforms, such as linux-x64,macos; the plugin then contains only their libraries
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Restrict the plugins to this engine version, such as 5.6; Fab requires a separate zip for each
    #[arg(long)]
    engine: Option<String>,
    /// Build from a tree with uncommitted changes; do not publish the archives
    #[arg(long)]
    allow_dirty: bool,
}

pub(crate) fn dist(options: &Options) -> Result<ExitCode> {
    if let Some(prefix) = &options.into {
        prefix::fill(prefix, options.release)?;
        return Ok(ExitCode::SUCCESS);
    }
    let platforms = platforms::chosen(&options.only)?;
    let source = Source::read(options.allow_dirty)?;
    source.check_versions(None)?;
    let workshop = workshop(&platforms)?;
    println!("NetClock {VERSION}, commit {}, {}", source.commit, workshop.toolchain.version);
    let out = std::path::absolute(&options.out).with_context(|| format!("{}", options.out.display()))?;
    // The build takes a long time, so we fail early.
    refuse_foreign_directory(&out)?;
    let products = platforms.iter().map(|it| workshop.make(it)).collect::<Result<Vec<Product>>>()?;
    let mut archives = Archives::new(source, workshop.toolchain.version.clone());
    for product in &products {
        archives.add_sdk(product, workshop.abi)?;
        archives.add_symbols(product, workshop.abi)?;
        archives.add_wheel(product)?;
    }
    archives.add_plugins(&products, workshop.abi, options.engine.as_deref())?;
    trial::run(&archives, &products, &workshop)?;
    println!("In {}:", out.strip_prefix(root()).unwrap_or(&out).display());
    archives.write(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// If tools are missing, a single error lists them all.
fn workshop(platforms: &[&'static Platform]) -> Result<Workshop> {
    match (Tools::find(platforms), Toolchain::find()) {
        (Ok(tools), Ok(toolchain)) => Workshop::whole(toolchain, tools),
        (Err(tools), Err(toolchain)) => bail!("{tools:#}\n{toolchain:#}"),
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

pub(crate) use plugin::check_addresses;

pub(crate) struct Shipped {
    pub(crate) platform: &'static str,
    pub(crate) whole: Vec<u8>,
    /// This library contains only the clock. It exports as many functions as `functions` states.
    pub(crate) clock: Vec<u8>,
    pub(crate) functions: usize,
}

pub(crate) fn shipped_libraries() -> Result<Shipped> {
    let native = platforms::PLATFORMS.iter().find(|platform| platform.is_this_machine());
    let platform = native.context("the libraries for this machine cannot be built here; measure on Linux")?;
    let mut workshop = workshop(&[platform])?;
    let made = |workshop: &Workshop| workshop.make(platform)?.shared.context("Linux has a shared library");
    let whole = made(&workshop)?;
    workshop.exports = Exports::of(&abi()?, |path| {
        ["base", "clock"].iter().any(|it| path.starts_with(&format!("crate::ffi::{it}::")))
    });
    workshop.part = Part::Clock;
    let functions = workshop.exports.0.len();
    Ok(Shipped { platform: platform.name, whole, clock: made(&workshop)?, functions })
}

pub(crate) fn check_versions(wanted: Option<&str>) -> Result<()> {
    Source::read(true)?.check_versions(wanted)
}

/// Builds the DLL that the plugin's tests use on Windows.
pub(crate) fn windows_library(dir: &Path) -> Result<()> {
    let platforms = platforms::chosen(&["windows-x64".to_owned()])?;
    let workshop = workshop(&platforms)?;
    let library = dir.join("netclock.dll");
    // A failed build must not leave an older library that the tests would find.
    let _ = fs::remove_file(&library);
    let product = workshop.make(platforms[0])?;
    write(&library, product.shared.context("Windows has a shared library")?)
}
