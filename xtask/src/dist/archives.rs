use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use sha2::{Digest, Sha256};

use super::components::{bill_of_materials, licences};
use super::{Component, Product, Source, System, pack, plugin, sdk, symbols, unpack, wheel};
use crate::plugin::contents::LICENCES;
use crate::tree::Tree;
use crate::{VERSION, read, write};

/// This file marks a directory that `dist` created and may therefore replace.
const SUMS: &str = "SHA256SUMS";

/// The name of the plugin's directory in the zip and in a project's `Plugins`.
pub(super) const PLUGIN_DIRECTORY: &str = "NetClock";

pub(super) struct Archives {
    source: Source,
    compiler: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl Archives {
    pub(super) fn new(source: Source, compiler: String) -> Self {
        Self { source, compiler, files: BTreeMap::new() }
    }

    pub(super) fn sdk_names(product: &Product) -> (String, String) {
        let directory = format!("netclock-{VERSION}-{}", product.platform.name);
        let ending = if product.platform.system == System::Windows { "zip" } else { "tar.gz" };
        let name = format!("{directory}.{ending}");
        (directory, name)
    }

    pub(super) fn plugin_name() -> String {
        format!("netclock-{VERSION}-unreal.zip")
    }

    pub(super) fn add_sdk(&mut self, product: &Product, abi: u32) -> Result<()> {
        let (directory, name) = Self::sdk_names(product);
        self.add(&name, &directory, sdk::tree(product, abi)?, &product.components)
    }

    pub(super) fn add_symbols(&mut self, product: &Product, abi: u32) -> Result<()> {
        let (Some(symbols), Some(names)) = (&product.symbols, product.platform.names(abi)) else {
            return Ok(());
        };
        let mut tree = Tree::default();
        tree.add(&symbols::name(&names.shared), symbols.as_slice());
        let directory = Self::symbols_directory(product);
        self.add(&format!("{directory}.zip"), &directory, tree, &product.components)
    }

    pub(super) fn symbols_directory(product: &Product) -> String {
        format!("netclock-{VERSION}-{}-symbols", product.platform.name)
    }

    pub(super) fn add_wheel(&mut self, product: &Product) -> Result<()> {
        let Some(name) = wheel::name(product.platform) else { return Ok(()) };
        let packed = pack(&name, &wheel::tree(product)?, "", self.source.time)?;
        self.files.insert(name, packed);
        Ok(())
    }

    pub(super) fn add_plugins(&mut self, products: &[Product], abi: u32, engine: Option<&str>) -> Result<()> {
        let components: BTreeSet<Component> = products.iter().flat_map(|it| it.components.clone()).collect();
        let (tree, gas) = (plugin::tree(products, abi, engine)?, plugin::gas_tree(engine)?);
        let sample = plugin::sample_tree(&tree)?;
        self.add(&Self::plugin_name(), PLUGIN_DIRECTORY, tree, &components)?;
        self.add(&format!("netclock-{VERSION}-unreal-gas.zip"), "NetClockGAS", gas, &BTreeSet::new())?;
        self.add(&format!("netclock-{VERSION}-unreal-sample.zip"), "NetClockSample", sample, &components)
    }

    pub(super) fn get(&self, name: &str) -> Result<&[u8]> {
        Ok(self.files.get(name).with_context(|| format!("there is no {name}"))?)
    }

    pub(super) fn unpack(&self, name: &str, dir: &Path) -> Result<()> {
        unpack(name, self.get(name)?, dir)
    }

    fn add(
        &mut self,
        name: &str,
        directory: &str,
        mut tree: Tree,
        components: &BTreeSet<Component>,
    ) -> Result<()> {
        for licence in LICENCES {
            tree.add(licence, read(licence)?);
        }
        tree.add("THIRD-PARTY-LICENSES.txt", licences(components));
        let bill = bill_of_materials(name, components, &self.source, &self.compiler);
        tree.add("sbom.cdx.json", bill);
        self.files.insert(name.to_owned(), pack(name, &tree, directory, self.source.time)?);
        Ok(())
    }

    /// Writes all files to a temporary directory first, so that an interrupted run preserves the previous
    /// result.
    pub(super) fn write(mut self, result: &Path) -> Result<()> {
        refuse_foreign_directory(result)?;
        let hex = |file| Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let sums = self.files.iter().map(|(name, file)| format!("{}  {name}\n", hex(file)));
        self.files.insert(SUMS.to_owned(), sums.collect::<String>().into_bytes());
        let new = result.with_extension("new");
        if new.exists() {
            fs::remove_dir_all(&new)?;
        }
        for (name, content) in &self.files {
            write(&new.join(name), content)?;
            println!("  {:>10} bytes  {name}", content.len());
        }
        if result.exists() {
            fs::remove_dir_all(result)?;
        }
        Ok(fs::rename(new, result)?)
    }
}

/// Fails unless the directory is empty or contains an earlier result.
pub(super) fn refuse_foreign_directory(result: &Path) -> Result<()> {
    let is_empty = || fs::read_dir(result).is_ok_and(|mut entries| entries.next().is_none());
    ensure!(
        !result.exists() || result.join(SUMS).is_file() || is_empty(),
        "{} exists and was not created by `cargo xtask dist`: choose another --out",
        result.display()
    );
    Ok(())
}
