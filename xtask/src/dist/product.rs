//! Everything that was built for one platform, checked.

use anyhow::{Context, Result, ensure};

use super::check;
use super::compile::compile;
use super::components::Component;
use super::exports::Exports;
use super::link::link;
use super::platforms::Platform;
use super::toolchain::Toolchain;
use super::tools::Tools;

pub(super) struct Product {
    pub(super) platform: &'static Platform,
    pub(super) shared: Option<Vec<u8>>,
    pub(super) archive: Vec<u8>,
    /// What programs link beside the archive.
    pub(super) native_libraries: Vec<String>,
    /// What the libraries consist of.
    pub(super) components: Vec<Component>,
}

/// What every build needs.
pub(super) struct Workshop {
    pub(super) toolchain: Toolchain,
    pub(super) tools: Tools,
    pub(super) exports: Exports,
    pub(super) abi: u32,
}

impl Workshop {
    pub(super) fn make(&self, platform: &'static Platform) -> Result<Product> {
        let (mut shared, mut archives) = (Vec::new(), Vec::new());
        let (mut components, mut native_libraries) = (Vec::new(), Vec::new());
        for target in platform.targets {
            let compiled = compile(&self.toolchain, platform, target)?;
            let archive = std::fs::read(&compiled.archive)
                .with_context(|| format!("reading {}", compiled.archive.display()))?;
            let wrong = || format!("{} of {}", compiled.archive.display(), platform.name);
            check::archive(&archive, target, &self.exports).with_context(wrong)?;
            archives.push(archive);
            if let Some(linked) = link(&compiled, target, &self.exports, &self.tools, self.abi)? {
                let wrong = || format!("the shared library for {}", target.rust);
                check::shared(&linked.library, platform.system, target, &self.exports, self.abi)
                    .with_context(wrong)?;
                shared.push(linked.library);
                components.extend(linked.components);
            }
            components.extend(compiled.components);
            native_libraries = compiled.native_libraries;
        }
        components.sort();
        components.dedup();
        Ok(Product {
            platform,
            shared: joined(shared)?,
            archive: joined(archives)?.context("every target has a static library")?,
            native_libraries,
            components,
        })
    }
}

/// One file out of those of several processors.
fn joined(mut files: Vec<Vec<u8>>) -> Result<Option<Vec<u8>>> {
    ensure!(files.len() < 2, "libraries of several processors cannot be joined yet");
    Ok(files.pop())
}
