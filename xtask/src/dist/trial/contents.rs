//! The paths in each archive are those that the repository pins, so that no file comes or goes unnoticed.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, ensure};

use crate::cargo::root;
use crate::dist::archives::{GAS_DIRECTORY, PLUGIN_DIRECTORY, SAMPLE_DIRECTORY};
use crate::dist::platforms::PLATFORMS;
use crate::dist::plugin::SAMPLES_PLUGIN;
use crate::dist::product::Product;
use crate::dist::tree::Tree;
use crate::library::VERSION;
use crate::plugin::contents::LIBRARIES;

/// Set to write the lists instead of comparing with them.
const WRITE: &str = "NETCLOCK_WRITE_PACKED";

/// The directory of the lists, each of which has a path a line.
const LISTS: &str = "packaging/packed";

pub(super) fn check_sdk(product: &Product, tree: &Tree, directory: &str) -> Result<()> {
    compare(product.platform.name, &below(tree, directory)?, |_| true)
}

/// Libraries of platforms that were not built are not missed.
pub(super) fn check_plugin(products: &[Product], tree: &Tree, name: &str) -> Result<()> {
    let left_out: Vec<String> = PLATFORMS
        .iter()
        .filter(|platform| products.iter().all(|product| product.platform.name != platform.name))
        .flat_map(|platform| platform.unreals().map(|place| format!("{LIBRARIES}{place}/")))
        .collect();
    let counts = |path: &str| left_out.iter().all(|dir| !path.starts_with(dir.as_str()));
    compare("unreal", &below(tree, PLUGIN_DIRECTORY)?, counts).with_context(|| format!("in {name}"))
}

pub(super) fn check_gas(tree: &Tree) -> Result<()> {
    compare("unreal-gas", &below(tree, GAS_DIRECTORY)?, |_| true)
}

/// The sample's own files, and that the plugin is in it: its files were compared in its own zip.
pub(super) fn check_sample(tree: &Tree) -> Result<()> {
    let mut found = below(tree, SAMPLE_DIRECTORY)?;
    let descriptor = format!("{SAMPLES_PLUGIN}/NetClock.uplugin");
    ensure!(found.contains(&descriptor), "the sample has no {descriptor}");
    found.retain(|path| !path.starts_with(SAMPLES_PLUGIN));
    compare("unreal-sample", &found, |_| true)
}

/// Paths without the archive's directory and the version.
fn below(tree: &Tree, directory: &str) -> Result<BTreeSet<String>> {
    let paths = tree.paths().map(|path| {
        let rest = path.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/'));
        let rest = rest.with_context(|| format!("{path} lies outside of {directory}"))?;
        Ok(rest.replace(VERSION, "@VERSION@"))
    });
    paths.collect()
}

fn compare(list: &str, found: &BTreeSet<String>, counts: impl Fn(&str) -> bool) -> Result<()> {
    let path = root().join(LISTS).join(format!("{list}.txt"));
    if std::env::var_os(WRITE).is_some() {
        return write(list, found, counts);
    }
    let text = fs::read_to_string(&path)
        .with_context(|| format!("reading {}; {WRITE}=1 makes it", path.display()))?;
    let pinned: BTreeSet<String> = text.lines().filter(|path| counts(path)).map(str::to_owned).collect();
    let missing: Vec<&String> = pinned.difference(found).collect();
    let surplus: Vec<&String> = found.difference(&pinned).collect();
    ensure!(
        missing.is_empty() && surplus.is_empty(),
        "the packed files are not those of {LISTS}/{list}.txt: missing {missing:?}, surplus {surplus:?}. \
         If that is meant, run it with {WRITE}=1 and commit the list"
    );
    Ok(())
}

/// Writes a list. Paths that do not count now stay as they were.
fn write(list: &str, found: &BTreeSet<String>, counts: impl Fn(&str) -> bool) -> Result<()> {
    let dir = root().join(LISTS);
    let path = dir.join(format!("{list}.txt"));
    let older = fs::read_to_string(&path).unwrap_or_default();
    let kept = older.lines().filter(|path| !counts(path)).map(str::to_owned);
    let paths: BTreeSet<String> = found.iter().cloned().chain(kept).collect();
    let text: String = paths.iter().map(|path| format!("{path}\n")).collect();
    fs::create_dir_all(&dir).with_context(|| format!("creating {}", dir.display()))?;
    fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::archives::Archives;
    use crate::dist::pack::Format;
    use crate::dist::source::Source;
    use crate::library::abi_version;

    /// The zips for Unreal as they are packed without any library, which takes long to build.
    #[test]
    fn the_zips_for_unreal_have_the_pinned_files() {
        let abi = abi_version().expect("the header has it");
        let source = Source::read(true).expect("this is a checkout");
        let mut archives = Archives::new(source, "none".to_owned());
        archives.add_plugin(&[], abi, None).expect("a checkout has all of it");
        archives.add_companions(&[], abi).expect("a checkout has all of it");
        let unpacked = |name: &str| {
            let packed = archives.get(name, Format::Zip).unwrap_or_else(|| panic!("there is no {name}"));
            Format::Zip.unpack(packed).unwrap_or_else(|error| panic!("{name}: {error:#}"))
        };
        let plugin = Archives::plugin_name(None);
        check_plugin(&[], &unpacked(&plugin), &plugin).unwrap_or_else(|error| panic!("{error:#}"));
        check_gas(&unpacked(&Archives::gas_name())).unwrap_or_else(|error| panic!("{error:#}"));
        check_sample(&unpacked(&Archives::sample_name())).unwrap_or_else(|error| panic!("{error:#}"));
    }
}
