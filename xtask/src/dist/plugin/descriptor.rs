//! The plugin's descriptor, for one version of the engine or for all.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::library::VERSION;

/// What only the owner of the published plugin can say.
const OWNER: &str = include_str!("../../../../packaging/owner.txt");

/// The owner's lines, and what a descriptor calls them.
const ADDRESSES: [(&str, &str); 4] = [
    ("created_by", "CreatedByURL"),
    ("docs", "DocsURL"),
    ("support", "SupportURL"),
    ("fab_product", "FabURL"),
];

/// What stands before the product's number in its address.
const AT_FAB: &str = "com.epicgames.launcher://ue/Fab/product/";

/// The line before which the new one goes. The text is edited as text, so that its order and tabs remain. It
/// stays false: the plugin comes as sources, which every project compiles.
const INSTALLED: &str = "\t\"Installed\": false,\n";

/// The lines of the owner's file that are empty.
pub(crate) fn missing_addresses() -> Result<Vec<&'static str>> {
    let said = owners(OWNER)?;
    Ok(ADDRESSES.iter().map(|it| it.0).filter(|name| !said.contains_key(name)).collect())
}

/// What the owner's file says, by name, without what is empty.
fn owners(text: &str) -> Result<BTreeMap<&str, &str>> {
    let mut said = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let (name, address) =
            line.split_once('=').with_context(|| format!("`{line}` is no `name = address`"))?;
        let (name, address) = (name.trim(), address.trim());
        ensure!(ADDRESSES.iter().any(|it| it.0 == name), "nobody asks for `{name}`");
        ensure!(
            name == "fab_product" || address.is_empty() || address.starts_with("https://"),
            "{name}: {address} is no address"
        );
        if !address.is_empty() {
            said.insert(name, address);
        }
    }
    Ok(said)
}

/// Names the engine that the plugin is for, if it is for one, and where the plugin is at home.
pub(super) fn for_engine(text: &str, engine: Option<&str>) -> Result<String> {
    of_the_owner(OWNER, text, engine)
}

fn of_the_owner(owner: &str, text: &str, engine: Option<&str>) -> Result<String> {
    let text = text.replace("\r\n", "\n");
    ensure!(text.contains(INSTALLED), "the descriptor has no line `\"Installed\": false,`");
    let version = engine.map(|engine| format!("\t\"EngineVersion\": \"{engine}.0\",\n")).unwrap_or_default();
    let text = text.replacen(INSTALLED, &format!("{}{version}{INSTALLED}", addresses(owner)?), 1);
    check(&text, engine)?;
    Ok(text)
}

/// The lines with the owner's addresses.
fn addresses(owner: &str) -> Result<String> {
    let said = owners(owner)?;
    let lines = ADDRESSES.iter().filter_map(|(name, key)| {
        let place = if *name == "fab_product" { AT_FAB } else { "" };
        said.get(name).map(|address| format!("\t\"{key}\": \"{place}{address}\",\n"))
    });
    Ok(lines.collect())
}

/// What Unreal demands of a descriptor.
fn check(text: &str, engine: Option<&str>) -> Result<()> {
    let descriptor: Value = serde_json::from_str(text).context("the descriptor is no JSON")?;
    ensure!(descriptor["FileVersion"] == 3, "Unreal 5 reads descriptors of FileVersion 3");
    ensure!(descriptor["VersionName"] == VERSION, "VersionName is not {VERSION}");
    ensure!(descriptor["Version"].is_u64(), "Version is not a whole number");
    let version = descriptor["EngineVersion"].as_str();
    let wanted = engine.map(|engine| format!("{engine}.0"));
    ensure!(version == wanted.as_deref(), "EngineVersion is {version:?}, not {wanted:?}");
    let modules = descriptor["Modules"].as_array().context("the descriptor lists no modules")?;
    for module in modules {
        for key in ["Name", "Type", "LoadingPhase"] {
            ensure!(module[key].is_string(), "a module has no {key}: {module}");
        }
        // Games are for every platform, also for those that no list of ours can name.
        let is_listed = !module["PlatformAllowList"].is_null();
        ensure!(
            is_listed == (module["Type"] == "Editor"),
            "only the editor's modules list platforms: {module}"
        );
    }
    ensure!(!modules.is_empty(), "the descriptor lists no modules");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = include_str!("../../../../unreal_plugin/NetClock/NetClock.uplugin");

    #[test]
    fn names_the_engine_and_nothing_else_changes() {
        let text = TEXT.replace("\r\n", "\n");
        for engine in [None, Some("5.4")] {
            let changed = of_the_owner("created_by =\n", TEXT, engine).expect("it is a good one");
            let new: Vec<&str> = changed.lines().filter(|line| !text.contains(line)).collect();
            let wanted = engine.map(|_| "\t\"EngineVersion\": \"5.4.0\",");
            assert_eq!(new, wanted.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn has_the_addresses_of_its_owner() {
        let owner = "# Us.\ncreated_by = https://example.org\ndocs = https://example.org/docs\nsupport = https://example.org/issues\n\
                     fab_product = 12ab\n";
        let text = of_the_owner(owner, TEXT, Some("5.4")).expect("it is a good one");
        let descriptor: Value = serde_json::from_str(&text).expect("it was checked");
        for (key, address) in [
            ("CreatedByURL", "https://example.org"),
            ("DocsURL", "https://example.org/docs"),
            ("SupportURL", "https://example.org/issues"),
            ("FabURL", "com.epicgames.launcher://ue/Fab/product/12ab"),
            ("EngineVersion", "5.4.0"),
        ] {
            assert_eq!(descriptor[key], address, "{key}");
        }
        for bad in ["docs", "home = https://example.org", "docs = example.org"] {
            assert!(of_the_owner(bad, TEXT, None).is_err(), "{bad}");
        }
        // The committed file can be read.
        assert!(missing_addresses().is_ok());
    }

    #[test]
    fn a_descriptor_that_unreal_would_refuse_is_refused() {
        for (from, to) in [
            ("\"FileVersion\": 3", "\"FileVersion\": 2"),
            ("\"LoadingPhase\"", "\"Loading\""),
            ("\"PlatformAllowList\"", "\"WhitelistPlatforms\""),
            (VERSION, "9.9.9"),
            ("\"Modules\"", "\"Module\""),
            ("{\n", ""),
        ] {
            let text = TEXT.replace("\r\n", "\n").replacen(from, to, 1);
            assert!(for_engine(&text, None).is_err(), "{from} became {to}");
        }
    }
}
