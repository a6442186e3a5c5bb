//! Uses the archives as those who get them do: unpacked somewhere else, with nothing of the repository but
//! its tests.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::archives::Archives;
use super::pack::Format;
use super::platforms::System;
use super::plugin::ENGINES;
use super::product::{Product, Workshop};
use super::tree::{Entry, Tree};
use crate::cargo::target_dir;

mod by_tool;
mod contents;
mod foreign;
mod languages;
mod native;
mod oldest;
mod programs;
mod project;

pub(super) fn run(archives: &Archives, products: &[Product], workshop: &Workshop) -> Result<()> {
    let place = Place::new()?;
    for product in products {
        let name = Archives::sdk_name(product);
        let tree = unpacked(archives, &name, Archives::sdk_format(product))?;
        contents::check_sdk(product, &tree, &name)?;
        let dir = place.put(&tree, product.platform.name)?;
        println!("{}: using the archive", product.platform.name);
        use_archive(archives, product, &dir.join(&name), &place, workshop)
            .with_context(|| format!("using {name}"))?;
    }
    if let Some(native) = products.iter().find(|product| product.platform.is_this_machine()) {
        project::run(&unpacked(archives, &Archives::plugin_name(None), Format::Zip)?, native, &place)
            .context("using the plugin as it was unpacked into a project")?;
    }
    for engine in std::iter::once(None).chain(ENGINES.map(Some)) {
        let name = Archives::plugin_name(engine);
        contents::check_plugin(products, &unpacked(archives, &name, Format::Zip)?, &name)?;
    }
    contents::check_gas(&unpacked(archives, &Archives::gas_name(), Format::Zip)?)?;
    contents::check_sample(&unpacked(archives, &Archives::sample_name(), Format::Zip)?)?;
    Ok(())
}

/// `prefix` is the directory that the archive was unpacked to.
fn use_archive(
    archives: &Archives,
    product: &Product,
    prefix: &Path,
    place: &Place,
    workshop: &Workshop,
) -> Result<()> {
    let platform = product.platform;
    match platform.system {
        _ if platform.is_this_machine() => {
            native::run(prefix, place, workshop)?;
            let target = platform.targets().next().context("it has a target")?;
            oldest::links(
                target.zig,
                &prefix.join("lib/libnetclock.so"),
                &place.directory("oldest")?,
                workshop,
            )?;
            languages::run(archives, product, prefix, place)
        }
        System::Linux => {
            let target = platform.targets().next().context("it has a target")?;
            foreign::under_qemu(target, prefix, place, workshop)
        }
        System::Windows => foreign::under_wine(prefix, place),
        System::MacOs | System::Ios | System::Android => by_tool::check(product, prefix, workshop),
    }
}

fn unpacked(archives: &Archives, name: &str, format: Format) -> Result<Tree> {
    let archive = archives.get(name, format).with_context(|| format!("there is no archive {name}"))?;
    format.unpack(archive).with_context(|| format!("unpacking {name}"))
}

/// A directory for what is unpacked and compiled, emptied before. It stays, for a look at what failed.
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

    /// Writes a tree to the disk.
    fn put(&self, tree: &Tree, name: &str) -> Result<PathBuf> {
        let dir = self.directory(name)?;
        for (path, entry) in &tree.entries {
            let file = dir.join(path);
            let parent = file.parent().unwrap_or(&dir);
            fs::create_dir_all(parent).with_context(|| format!("creating {}", parent.display()))?;
            match entry {
                Entry::File(content) => fs::write(&file, content),
                Entry::Link(target) => symlink(Path::new(target), &file),
            }
            .with_context(|| format!("writing {}", file.display()))?;
        }
        Ok(dir)
    }
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
