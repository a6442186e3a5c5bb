//! Collects the Unreal plugin's sources, headers and libraries for a project's `Plugins` folder.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::sdk::{PRIVACY, PRIVACY_SOURCE, property_list};
use super::{Product, System};
use crate::links::follow;
use crate::plugin::contents::{LIBRARIES, LOADED, library_files, of_the_repository};
use crate::tree::{Entry, Tree};
use crate::{VERSION, read};

/// Fab requires these values in the descriptors, and only the owner of the published plugins knows them.
const ADDRESSES: [&str; 4] = ["CreatedByURL", "DocsURL", "SupportURL", "FabURL"];

/// The engine version is inserted as text before this line, to preserve the order and the tabs. The value
/// remains false because every project compiles the plugin from source.
const INSTALLED: &str = "\t\"Installed\": false,\n";

/// The third-party module's `Build.cs` adds this folder to apps.
const PRIVACY_BUNDLE: &str = "NetClockPrivacy.bundle";

/// The public rules for plugins allow paths of up to this many characters below the plugin's directory.
const LONGEST: usize = 170;

/// A plugin must not contain files with these extensions.
const PROGRAMS: [&str; 8] = [".exe", ".msi", ".bat", ".cmd", ".com", ".ps1", ".sh", ".scr"];

pub(super) fn tree(products: &[Product], abi: u32, engine: Option<&str>) -> Result<Tree> {
    let mut tree = of_the_repository("NetClock")?;
    for product in products {
        add_libraries(&mut tree, product, abi)?;
    }
    finish(tree, "NetClock", engine)
}

/// The plugin for Gameplay Abilities consists only of source files, so there is nothing to add.
pub(super) fn gas_tree(engine: Option<&str>) -> Result<Tree> {
    finish(of_the_repository("NetClockGAS")?, "NetClockGAS", engine)
}

/// The sample project includes the plugin, so the project can be built without Rust.
pub(super) fn sample_tree(plugin: &Tree) -> Result<Tree> {
    let mut sample = of_the_repository("Sample")?;
    let below =
        plugin.entries.iter().map(|(path, entry)| (format!("Plugins/NetClock/{path}"), entry.clone()));
    sample.entries.extend(below);
    check_links(&sample)?;
    Ok(sample)
}

pub(crate) fn check_addresses() -> Result<()> {
    let mut missing = Vec::new();
    for name in ["NetClock", "NetClockGAS"] {
        let file = format!("unreal_plugin/{name}/{name}.uplugin");
        let descriptor: Value = serde_json::from_str(&read(&file)?).with_context(|| file.clone())?;
        let is_missing = |key: &&&str| descriptor[**key].as_str().is_none_or(str::is_empty);
        missing.extend(ADDRESSES.iter().filter(is_missing).map(|key| format!("{key} in {file}")));
    }
    ensure!(missing.is_empty(), "the descriptors do not contain {}", missing.join(", "));
    Ok(())
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
        let list = json!({
            "CFBundleIdentifier": "org.netclock.NetClockPrivacy",
            "CFBundleInfoDictionaryVersion": "6.0",
            "CFBundleName": "NetClockPrivacy",
            "CFBundlePackageType": "BNDL",
            "CFBundleShortVersionString": VERSION,
            "CFBundleVersion": VERSION,
        });
        tree.add(&format!("{bundle}/Info.plist"), property_list(&list)?);
    }
    let Some(names) = platform.names(abi) else { return Ok(()) };
    for (path, built) in library_files(&names, platform.unreal)? {
        let content = if built == names.built_shared { &product.shared } else { &product.import_library };
        let content = content.as_deref().with_context(|| format!("{path} does not exist"))?;
        tree.add(&path, content);
    }
    Ok(())
}

fn finish(mut tree: Tree, name: &str, engine: Option<&str>) -> Result<Tree> {
    let descriptor = format!("{name}.uplugin");
    let text = read(format!("unreal_plugin/{name}/{descriptor}"))?;
    ensure!(text.contains(INSTALLED), "{descriptor} has no line `\"Installed\": false,`");
    if let Some(engine) = engine {
        let line = format!("\t\"EngineVersion\": \"{engine}.0\",\n{INSTALLED}");
        tree.add(&descriptor, text.replacen(INSTALLED, &line, 1));
    }
    for (path, entry) in &tree.entries {
        let length = format!("{name}/{path}").chars().count();
        ensure!(length < LONGEST, "{path} has {length} characters, but the limit is {LONGEST}");
        ensure!(path.is_ascii(), "{path} contains non-ASCII characters");
        let lower = path.to_lowercase();
        ensure!(!PROGRAMS.iter().any(|end| lower.ends_with(end)), "{path} is a program");
        let Entry::File(content) = entry else { bail!("{path} is a link, which zip files do not support") };
        ensure!(!content.starts_with(b"#!"), "{path} is a script");
        let is_loaded = [".dll", ".dylib"].iter().any(|end| lower.ends_with(end)) || lower.contains(".so.");
        ensure!(!is_loaded || path.starts_with(LOADED), "{path} is a shared library outside of {LOADED}");
    }
    check_links(&tree)?;
    Ok(tree)
}

fn check_links(tree: &Tree) -> Result<()> {
    let pages = tree.entries.iter().filter(|(path, _)| path.ends_with(".md"));
    let pages = pages.map(|(path, it)| (path.clone(), String::from_utf8_lossy(it.content()).into_owned()));
    follow(&pages.collect(), |path| tree.entries.contains_key(path)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Even without libraries, the plugin contains all pages.
    #[test]
    fn links_in_each_zip_lead_to_its_files() {
        let plugin = tree(&[], 1, Some("5.8")).expect("its links have targets");
        gas_tree(None).expect("its links have targets");
        let mut sample = sample_tree(&plugin).expect("its links have targets");
        assert!(sample.entries.keys().filter(|path| path.ends_with(".md")).count() > 10);
        for (page, link) in
            [("README.md", "../NetClock/README.md"), ("Docs/a.md", "README.md"), ("a.md", "#b")]
        {
            sample.add(page, format!("[there]({link})"));
            let refusal = check_links(&sample).expect_err("the link has no target in the zip");
            assert!(refusal.to_string().contains(&format!("{page}: {link}")), "{refusal}");
            sample.add(page, "");
        }
    }
}
