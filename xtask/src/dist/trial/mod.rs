//! Tests the archives as a user would, after unpacking them outside the repository. Only the tests come from
//! the repository.

use std::path::PathBuf;

use anyhow::{Context, Result};
use fs_err as fs;

use super::archives::Archives;
use super::platforms::System;
use super::product::{Product, Workshop};
use super::symbols;
use crate::target_dir;

mod foreign;
mod native;

const PLACE: &str = "dist-trial";

pub(super) fn run(archives: &Archives, products: &[Product], workshop: &Workshop) -> Result<()> {
    let old = target_dir()?.join(PLACE);
    if old.exists() {
        fs::remove_dir_all(old)?;
    }
    for product in products {
        let (directory, name) = Archives::sdk_names(product);
        let dir = place(product.platform.name)?;
        archives.unpack(&name, &dir)?;
        println!("{}: using the archive", product.platform.name);
        if let (Some(_), Some(names)) = (&product.symbols, product.platform.names(workshop.abi)) {
            let symbols = Archives::symbols_directory(product);
            archives.unpack(&format!("{symbols}.zip"), &dir)?;
            let library = dir.join(&directory).join(&names.shared);
            let symbols = dir.join(symbols).join(symbols::name(&names.shared));
            fs::rename(&symbols, library.with_file_name(symbols::name(&names.shared)))?;
            symbols::check(&library)?;
        }
        let (platform, prefix) = (product.platform, dir.join(directory));
        // If there is no machine and no emulator for the platform, its archive is only unpacked.
        let used = match platform.system {
            _ if platform.is_this_machine() => native::run(archives, product, &prefix),
            System::Linux => {
                let target = platform.targets().next().context("it has a target")?;
                foreign::under_qemu(target, &prefix, workshop)
            }
            System::Windows => foreign::under_wine(&prefix),
            System::MacOs | System::Ios | System::Android => Ok(()),
        };
        used.with_context(|| format!("using {name}"))?;
    }
    if let Some(native) = products.iter().find(|product| product.platform.is_this_machine()) {
        native::project(archives, native).context("using the plugin unpacked into a project")?;
    }
    Ok(())
}

/// Creates a directory for a test. The test leaves its files there for debugging.
fn place(name: &str) -> Result<PathBuf> {
    let dir = target_dir()?.join(PLACE).join(name);
    fs::create_dir_all(&dir)?;
    Ok(dir)
}
