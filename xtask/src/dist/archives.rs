//! The files of the result: archives, what they consist of, checksums.

use std::collections::BTreeMap;

use anyhow::Result;

use super::components::Component;
use super::pack::Format;
use super::platforms::System;
use super::plugin::{self, ENGINES};
use super::product::Product;
use super::sdk;
use super::source::Source;
use super::staging::MARK;
use super::tree::Tree;
use super::{licences, sbom, sums, wheel};
use crate::abi::Abi;
use crate::cargo::read;
use crate::library::VERSION;

pub(super) struct Archives {
    source: Source,
    /// What built them.
    compiler: String,
    files: BTreeMap<String, Vec<u8>>,
}

/// The plugin's directory in its zip, which is its name in a project.
pub(super) const PLUGIN_DIRECTORY: &str = "NetClock";
pub(super) const GAS_DIRECTORY: &str = "NetClockGAS";
pub(super) const SAMPLE_DIRECTORY: &str = "NetClockSample";

impl Archives {
    pub(super) fn new(source: Source, compiler: String) -> Self {
        Self { source, compiler, files: BTreeMap::new() }
    }

    /// The name without its ending of a platform's archive for C and C++.
    pub(super) fn sdk_name(product: &Product) -> String {
        format!("netclock-{VERSION}-{}", product.platform.name)
    }

    pub(super) fn sdk_format(product: &Product) -> Format {
        if product.platform.system == System::Windows { Format::Zip } else { Format::TarGz }
    }

    pub(super) fn plugin_name(engine: Option<&str>) -> String {
        let engine = engine.map(|engine| format!("-{engine}")).unwrap_or_default();
        format!("netclock-{VERSION}-unreal{engine}")
    }

    pub(super) fn gas_name() -> String {
        format!("netclock-{VERSION}-unreal-gas")
    }

    pub(super) fn sample_name() -> String {
        format!("netclock-{VERSION}-unreal-sample")
    }

    pub(super) fn add_sdk(&mut self, product: &Product, abi: u32, bindings: &Abi) -> Result<()> {
        let tree = sdk::tree(product, abi, bindings)?;
        self.add(&Self::sdk_name(product), Self::sdk_format(product), None, tree, &product.components)
    }

    /// The wheel for Python, where the platform has a shared library.
    pub(super) fn add_wheel(&mut self, product: &Product, bindings: &Abi) -> Result<()> {
        let Some(name) = wheel::name(product.platform) else { return Ok(()) };
        let tree = wheel::tree(product, bindings)?;
        let packed = Format::Zip.pack(&tree, "", self.source.time)?;
        self.files.insert(name, packed);
        Ok(())
    }

    /// One for every engine, and one for each; the plugin for Gameplay Abilities, and the sample project.
    pub(super) fn add_plugins(&mut self, products: &[Product], abi: u32) -> Result<()> {
        for engine in std::iter::once(None).chain(ENGINES.map(Some)) {
            self.add_plugin(products, abi, engine)?;
        }
        self.add_companions(products, abi)
    }

    pub(super) fn add_plugin(&mut self, products: &[Product], abi: u32, engine: Option<&str>) -> Result<()> {
        let tree = plugin::tree(products, abi, engine)?;
        let name = Self::plugin_name(engine);
        self.add(&name, Format::Zip, Some(PLUGIN_DIRECTORY), tree, &components_of(products))
    }

    pub(super) fn add_companions(&mut self, products: &[Product], abi: u32) -> Result<()> {
        self.add(&Self::gas_name(), Format::Zip, Some(GAS_DIRECTORY), plugin::gas_tree()?, &[])?;
        let sample = plugin::sample_tree(products, abi)?;
        let name = Self::sample_name();
        self.add(&name, Format::Zip, Some(SAMPLE_DIRECTORY), sample, &components_of(products))
    }

    pub(super) fn get(&self, name: &str, format: Format) -> Option<&[u8]> {
        self.files.get(&format!("{name}.{}", format.extension())).map(Vec::as_slice)
    }

    /// Any file of the result, by its whole name.
    pub(super) fn file(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(Vec::as_slice)
    }

    /// Every file of the result, by name.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, content)| (name.as_str(), content.as_slice()))
    }

    /// Adds the checksums of all that was added before.
    pub(super) fn seal(&mut self) {
        let sums = sums::text(self.files());
        self.files.insert(MARK.to_owned(), sums.into_bytes());
    }

    /// Adds what every archive has, and packs it.
    fn add(
        &mut self,
        name: &str,
        format: Format,
        directory: Option<&str>,
        mut tree: Tree,
        components: &[Component],
    ) -> Result<()> {
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            tree.add(licence, read(licence)?);
        }
        let bom = sbom::text(name, components, &self.source, std::slice::from_ref(&self.compiler));
        tree.add("THIRD-PARTY-LICENSES.txt", licences::text(components));
        tree.add("sbom.cdx.json", bom);
        let packed = format.pack(&tree, directory.unwrap_or(name), self.source.time)?;
        self.files.insert(format!("{name}.{}", format.extension()), packed);
        Ok(())
    }
}

/// What all of them consist of, each part once.
fn components_of(products: &[Product]) -> Vec<Component> {
    let mut components: Vec<Component> = products.iter().flat_map(|it| it.components.clone()).collect();
    components.sort();
    components.dedup();
    components
}
