//! The Unreal plugin as it is unpacked into a project's `Plugins` folder: sources, headers, and all
//! libraries.

use std::fs;

use anyhow::{Context, Result};

use super::platforms::System;
use super::plist;
use super::product::Product;
use super::sdk::{PRIVACY, PRIVACY_SOURCE};
use super::tree::Tree;
use crate::cargo::{read, root};
use crate::library::VERSION;
use crate::plugin::contents::{Contents, LIBRARIES, library_files};

mod descriptor;
mod rules;

pub(super) use descriptor::missing_addresses;

/// Where the owner fills in the addresses of the descriptor.
pub(super) const OWNERS_PLACE: &str = "packaging/owner.txt";

/// The versions of the engine that get a zip of their own.
pub(super) const ENGINES: [&str; 9] = ["5.0", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "5.8"];

/// Where the sample project has the plugin.
pub(super) const SAMPLES_PLUGIN: &str = "Plugins/NetClock";

/// The folder that a game takes into its app, by the third-party module's `Build.cs`.
const PRIVACY_BUNDLE: &str = "NetClockPrivacy.bundle";

/// The descriptor's name, which is the plugin's too.
const DESCRIPTOR: &str = "NetClock.uplugin";

/// All files below the plugin's directory. With an `engine`, Unreal offers the plugin to that version alone.
pub(super) fn tree(products: &[Product], abi: u32, engine: Option<&str>) -> Result<Tree> {
    let mut contents = Contents::of_the_plugin(&root().join("unreal_plugin/NetClock"))?;
    contents.add_headers()?;
    let mut tree = Tree::default();
    for (path, file) in &contents.files {
        let content = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        tree.add(path, content);
    }
    for product in products {
        add_libraries(&mut tree, product, abi)?;
    }
    let text = fs::read_to_string(root().join("unreal_plugin/NetClock").join(DESCRIPTOR));
    let text = text.with_context(|| format!("reading {DESCRIPTOR}"))?;
    tree.add(DESCRIPTOR, descriptor::for_engine(&text, engine)?);
    rules::check(&tree)?;
    Ok(tree)
}

/// The plugin for Gameplay Abilities: sources only, for every engine.
pub(super) fn gas_tree() -> Result<Tree> {
    const DESCRIPTOR: &str = "NetClockGAS.uplugin";
    let mut tree = folder("NetClockGAS")?;
    let text = fs::read_to_string(root().join("unreal_plugin/NetClockGAS").join(DESCRIPTOR));
    let text = text.with_context(|| format!("reading {DESCRIPTOR}"))?;
    tree.add(DESCRIPTOR, descriptor::for_engine(&text, None)?);
    rules::check_paths(&tree, "NetClockGAS")?;
    Ok(tree)
}

/// The sample project, with the plugin in its `Plugins`: it opens in any engine, and needs no Rust.
pub(super) fn sample_tree(products: &[Product], abi: u32) -> Result<Tree> {
    let mut sample = folder("Sample")?;
    for (path, entry) in tree(products, abi, None)?.entries {
        sample.entries.insert(format!("{SAMPLES_PLUGIN}/{path}"), entry);
    }
    Ok(sample)
}

/// A folder of the repository, as it is.
fn folder(name: &str) -> Result<Tree> {
    let contents = Contents::of_the_plugin(&root().join("unreal_plugin").join(name))?;
    let mut tree = Tree::default();
    for (path, file) in &contents.files {
        let content = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        tree.add(path, content);
    }
    Ok(tree)
}

fn add_libraries(tree: &mut Tree, product: &Product, abi: u32) -> Result<()> {
    let platform = product.platform;
    for (slice, content) in &product.archives {
        if let Some(place) = slice.unreal {
            tree.add(&format!("{LIBRARIES}{place}/libnetclock.a"), content.as_slice());
        }
    }
    if platform.system == System::Ios {
        let bundle = format!("{LIBRARIES}{}/{PRIVACY_BUNDLE}", platform.unreal);
        tree.add(&format!("{bundle}/{PRIVACY}"), read(PRIVACY_SOURCE)?);
        tree.add(&format!("{bundle}/Info.plist"), plist::resource_bundle("NetClockPrivacy", VERSION));
    }
    let Some(names) = platform.names(abi) else { return Ok(()) };
    for (name, built) in library_files(&names)? {
        let content = if built == names.built_shared { &product.shared } else { &product.import_library };
        let content = content.as_deref().with_context(|| format!("{name} has no source"))?;
        tree.add(&format!("{LIBRARIES}{}/{name}", platform.unreal), content);
    }
    Ok(())
}
