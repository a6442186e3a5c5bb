//! With `--into DIR`, `cargo xtask dist` builds the library for this machine with the installed Rust. It then
//! installs the library, the headers, and the files for CMake and pkg-config.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use super::sdk::add_library;
use crate::bindings::PYTHON;
use crate::tree::{Tree, place};
use crate::{Built, Platform, abi_version, file_name, root};

pub(super) fn fill(prefix: &Path, release: bool) -> Result<()> {
    let dir = std::path::absolute(prefix).with_context(|| format!("{}", prefix.display()))?;
    ensure!(!dir.exists() || dir.is_dir(), "{} is not a directory: choose another --into", dir.display());
    // The build takes a long time, so we fail early.
    fs::create_dir_all(dir.join("lib")).context("choose a writable --into")?;

    let platform = Platform::of_this_machine(abi_version()?);
    let built = Built::build(release)?;
    let shared = fs::read(built.file(platform.built_shared)?)?;
    let mut tree = Tree::default();
    add_library(&mut tree, &platform, &shared, Some(&built.native_libraries))?;
    for library in platform.import_library.into_iter().chain([platform.archive]) {
        tree.add(&format!("lib/{library}"), fs::read(built.file(library)?)?);
    }
    tree.add(&format!("python/netclock/{}", platform.built_shared), shared);
    for file in PYTHON.map(|file| root().join(file)) {
        tree.add(&format!("python/netclock/{}", file_name(&file)), fs::read(&file)?);
    }
    for (name, entry) in &tree.entries {
        place(&dir.join(name), entry)?;
    }

    let prefix = dir.display();
    println!("installed in {prefix}. To use it:");
    println!("  CMake       -DCMAKE_PREFIX_PATH={prefix}");
    println!("  pkg-config  PKG_CONFIG_PATH={prefix}/lib/pkgconfig");
    if !release {
        println!("These are barely optimised development libraries. Use --release before shipping.");
    }
    Ok(())
}
