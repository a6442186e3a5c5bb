//! Everything that was built for one platform, checked.

use anyhow::{Context, Result};

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
    pub(super) shared: Vec<u8>,
    /// What linkers take in place of the shared library, on Windows.
    pub(super) import_library: Option<Vec<u8>>,
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
        let compiled = compile(&self.toolchain, platform)?;
        let archive = std::fs::read(&compiled.archive)
            .with_context(|| format!("reading {}", compiled.archive.display()))?;
        let wrong = || format!("{} of {}", compiled.archive.display(), platform.name);
        check::archive(&archive, platform, &self.exports).with_context(wrong)?;
        let linked = link(&compiled, platform, &self.exports, &self.tools, self.abi)?;
        check::shared(&linked.library, platform, &self.exports, self.abi)
            .with_context(|| format!("the shared library for {}", platform.name))?;
        let mut components = [compiled.components, linked.components].concat();
        components.sort();
        components.dedup();
        Ok(Product {
            platform,
            shared: linked.library,
            import_library: linked.import_library,
            archive,
            native_libraries: compiled.native_libraries,
            components,
        })
    }
}
