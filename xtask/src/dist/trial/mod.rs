//! Tests the archives as a user would, after unpacking them outside the repository. Only the tests come from
//! the repository.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::archives::Archives;
use super::platforms::System;
use super::product::{Product, Workshop};
use super::symbols;
use crate::target_dir;

mod foreign;
mod native;

pub(super) fn run(archives: &Archives, products: &[Product], workshop: &Workshop) -> Result<()> {
    let place = Place::new()?;
    for product in products {
        let (directory, name) = Archives::sdk_names(product);
        let dir = place.directory(product.platform.name)?;
        archives.unpack(&name, &dir)?;
        println!("{}: using the archive", product.platform.name);
        if let (Some(_), Some(names)) = (&product.symbols, product.platform.names(workshop.abi)) {
            let symbols = Archives::symbols_directory(product);
            archives.unpack(&format!("{symbols}.zip"), &dir)?;
            let library = dir.join(&directory).join(&names.shared);
            let symbols = dir.join(symbols).join(symbols::name(&names.shared));
            fs::rename(&symbols, library.with_file_name(symbols::name(&names.shared)))
                .with_context(|| format!("moving {}", symbols.display()))?;
            symbols::check(&library)?;
        }
        let (platform, prefix) = (product.platform, dir.join(directory));
        // If there is no machine and no emulator for the platform, its archive is only unpacked.
        let used = match platform.system {
            _ if platform.is_this_machine() => native::run(archives, product, &prefix, &place),
            System::Linux => {
                let target = platform.targets().next().context("it has a target")?;
                foreign::under_qemu(target, &prefix, &place, workshop)
            }
            System::Windows => foreign::under_wine(&prefix, &place),
            System::MacOs | System::Ios | System::Android => Ok(()),
        };
        used.with_context(|| format!("using {name}"))?;
    }
    if let Some(native) = products.iter().find(|product| product.platform.is_this_machine()) {
        native::project(archives, native, &place).context("using the plugin unpacked into a project")?;
    }
    Ok(())
}

/// Each test first empties its directory and then leaves its files there for debugging.
struct Place(PathBuf);

impl Place {
    fn new() -> Result<Self> {
        let dir = target_dir()?.join("dist-trial");
        if dir.exists() {
            fs::remove_dir_all(&dir).with_context(|| format!("emptying {}", dir.display()))?;
        }
        Ok(Self(dir))
    }

    fn directory(&self, name: &str) -> Result<PathBuf> {
        let dir = self.0.join(name);
        fs::create_dir_all(&dir).with_context(|| format!("creating {}", dir.display()))?;
        Ok(dir)
    }
}
