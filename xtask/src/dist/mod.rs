//! `cargo xtask dist`: the archives that are published, for every platform, checked and run.
//!
//! `platforms` is the table of what is built. A library is compiled once (`compile`), as a static one; the
//! shared one is linked out of it (`link`). Both are looked into (`check`), packed (`sdk`, `plugin`, `pack`),
//! unpacked again and used (`trial`). Nothing is seen at the place of the result before all of it has passed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::abi::abi;
use crate::cargo::root;
use crate::library::VERSION;
use archives::{Archives, refuse_what_is_not_ours};
use exports::Exports;
use product::{Part, Product, Workshop};
use source::Source;
use toolchain::Toolchain;
use tools::Tools;
pub(crate) use trial::programs;

mod archives;
mod check;
mod compile;
mod components;
mod exports;
mod licences;
mod link;
mod names;
mod pack;
mod platforms;
mod plugin;
mod prefix;
mod product;
mod sbom;
mod sdk;
mod source;
mod symbols;
mod texts;
mod toolchain;
mod tools;
mod tree;
mod trial;
mod universal;
mod wheel;

#[derive(Args)]
pub(crate) struct Options {
    /// The directory for the archives; replaced if `dist` made it
    #[arg(long, default_value = "dist")]
    out: PathBuf,
    /// Make no archives: put the library for this machine into this directory, as the Rust at hand builds it
    #[arg(long, conflicts_with_all = ["out", "only", "engine", "version_is", "allow_dirty", "install_tools"])]
    into: Option<PathBuf>,
    /// With `--into`: an optimised library
    #[arg(long, requires = "into")]
    release: bool,
    /// Build for these platforms only, such as linux-x64,macos; the plugin then has their libraries alone
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Offer the plugins to this engine alone, such as 5.6: Fab wants a zip of its own for each
    #[arg(long)]
    engine: Option<String>,
    /// Fail unless this is the version, such as 0.1.0
    #[arg(long)]
    version_is: Option<String>,
    /// Build from a tree with changes that are in no commit; the archives are not to be published
    #[arg(long)]
    allow_dirty: bool,
    /// Install the tools that are missing (Debian; needs root)
    #[arg(long)]
    install_tools: bool,
}

pub(crate) fn dist(options: &Options) -> Result<ExitCode> {
    if let Some(prefix) = &options.into {
        prefix::fill(prefix, options.release)?;
        return Ok(ExitCode::SUCCESS);
    }
    let platforms = platforms::chosen(&options.only)?;
    let source = Source::read(options.allow_dirty)?;
    source.check_versions(options.version_is.as_deref())?;
    if options.install_tools {
        tools::install(&platforms)?;
    }
    // One message for all that is missing.
    let (tools, toolchain) = match (Tools::find(&platforms), Toolchain::find_for(&platforms)) {
        (Ok(tools), Ok(toolchain)) => (tools, toolchain),
        (Err(tools), Err(toolchain)) => bail!("{tools:#}\n{toolchain:#}"),
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    println!("NetClock {VERSION}, commit {}, {}", source.commit, toolchain.version);
    if toolchain.std_source.is_none() {
        println!(
            "There are no sources of Rust's standard library, so it is taken as it is: the libraries are \
             larger by half, because it can print backtraces. `cargo xtask dist --install-tools` \
             installs the sources."
        );
    }
    let out = std::path::absolute(&options.out).with_context(|| format!("{}", options.out.display()))?;
    // Checked first, because building takes long.
    refuse_what_is_not_ours(&out)?;
    let workshop = Workshop::whole(toolchain, tools)?;
    let products =
        platforms.iter().map(|platform| workshop.make(platform)).collect::<Result<Vec<Product>>>()?;
    let bindings = abi()?;
    let mut archives = Archives::new(source, workshop.toolchain.version.clone());
    for product in &products {
        archives.add_sdk(product, workshop.abi, &bindings)?;
        archives.add_symbols(product, workshop.abi)?;
        archives.add_wheel(product, &bindings)?;
    }
    archives.add_plugins(&products, workshop.abi, options.engine.as_deref())?;
    trial::run(&archives, &products, &workshop)?;
    println!("In {}:", out.strip_prefix(root()).unwrap_or(&out).display());
    archives.write(&out)?;
    if let Err(reason) = owner() {
        println!("The plugins' descriptors lack addresses, so Fab takes none: {reason}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Shared libraries for this machine.
pub(crate) struct Shipped {
    pub(crate) platform: &'static str,
    /// As `dist` packs it.
    pub(crate) whole: Vec<u8>,
    /// The clock alone, and how many functions it exports.
    pub(crate) clock: Vec<u8>,
    pub(crate) functions: usize,
}

pub(crate) fn shipped_libraries() -> Result<Shipped> {
    let native = platforms::PLATFORMS.iter().find(|platform| platform.is_this_machine());
    let platform = native.context("what is shipped for this machine is not built on it: measure on Linux")?;
    let tools = Tools::find_for_linking(platform)?;
    let toolchain = Toolchain::find_for(&[platform])?;
    ensure!(
        toolchain.std_source.is_some(),
        "what is shipped has its own build of Rust's standard library, and its sources are missing here: \
         `cargo xtask dist --install-tools` installs them"
    );
    let mut workshop = Workshop::whole(toolchain, tools)?;
    let made = |workshop: &Workshop| workshop.make(platform)?.shared.context("Linux has a shared library");
    let whole = made(&workshop)?;
    workshop.exports = Exports::of(&abi()?, |path| {
        ["base", "clock"].iter().any(|it| path.starts_with(&format!("crate::ffi::{it}::")))
    });
    workshop.part = Part::Clock;
    let functions = workshop.exports.0.len();
    Ok(Shipped { platform: platform.name, whole, clock: made(&workshop)?, functions })
}

/// Every place that states a version states the same one.
pub(crate) fn check_versions(wanted: Option<&str>) -> Result<()> {
    Source::read(true)?.check_versions(wanted)
}

/// Builds the library for Windows, checked, into a directory: for tests of the plugin.
pub(crate) fn windows_library(dir: &Path) -> Result<()> {
    let platforms = platforms::chosen(&["windows-x64".to_owned()])?;
    let tools = Tools::find(&platforms)?;
    let toolchain = Toolchain::find_for(&platforms)?;
    let workshop = Workshop::whole(toolchain, tools)?;
    std::fs::create_dir_all(dir).with_context(|| format!("creating {}", dir.display()))?;
    for platform in platforms {
        let library = dir.join("netclock.dll");
        // What an older build left is no result of this one.
        let _ = std::fs::remove_file(&library);
        let product = workshop.make(platform)?;
        let shared = product.shared.context("Windows has a shared library")?;
        std::fs::write(&library, shared).with_context(|| format!("writing {}", library.display()))?;
    }
    Ok(())
}

/// Whether the owner of the published plugins has filled in all addresses.
pub(crate) fn owner() -> Result<()> {
    let missing = plugin::missing_addresses()?;
    ensure!(missing.is_empty(), "{} has no {}", plugin::OWNERS_PLACE, missing.join(", no "));
    Ok(())
}
