//! The plugin's descriptor, for one version of the engine or for all.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::library::VERSION;

/// What only the owner of the published plugin can say.
struct Owner {
    /// The address of the repository, without a slash at its end.
    home: &'static str,
    /// The number that Fab gives the product.
    fab_product: &'static str,
}

/// Empty until it is published there. The descriptor then has none of these addresses, and Fab does not take it.
const OWNER: Owner = Owner { home: "", fab_product: "" };

/// The line before which the new one goes. The text is edited as text, so that its order and tabs remain. It stays
/// false: the plugin comes as sources, which every project compiles.
const INSTALLED: &str = "\t\"Installed\": false,\n";

/// Whether the descriptor has all addresses that Fab asks for.
pub(in crate::dist) fn has_addresses() -> bool {
    !OWNER.home.is_empty() && !OWNER.fab_product.is_empty()
}

/// Names the engine that the plugin is for, if it is for one, and where the plugin is at home.
pub(super) fn for_engine(text: &str, engine: Option<&str>) -> Result<String> {
    of_the_owner(&OWNER, text, engine)
}

fn of_the_owner(owner: &Owner, text: &str, engine: Option<&str>) -> Result<String> {
    let text = text.replace("\r\n", "\n");
    ensure!(text.contains(INSTALLED), "the descriptor has no line `\"Installed\": false,`");
    let version = engine.map(|engine| format!("\t\"EngineVersion\": \"{engine}.0\",\n")).unwrap_or_default();
    let text = text.replacen(INSTALLED, &format!("{}{version}{INSTALLED}", addresses(owner)), 1);
    check(&text, engine)?;
    Ok(text)
}

/// The lines with the owner's addresses.
fn addresses(owner: &Owner) -> String {
    let home = owner.home;
    let at_home = [
        ("CreatedByURL", home.to_owned()),
        ("DocsURL", format!("{home}/blob/main/unreal_plugin/NetClock/Docs/README.md")),
        ("SupportURL", format!("{home}/issues")),
    ];
    let at_fab = ("FabURL", format!("com.epicgames.launcher://ue/Fab/product/{}", owner.fab_product));
    let at_home = at_home.into_iter().filter(|_| !home.is_empty());
    let all = at_home.chain((!owner.fab_product.is_empty()).then_some(at_fab));
    all.map(|(key, address)| format!("\t\"{key}\": \"{address}\",\n")).collect()
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
            let nobody = Owner { home: "", fab_product: "" };
            let changed = of_the_owner(&nobody, TEXT, engine).expect("it is a good one");
            let new: Vec<&str> = changed.lines().filter(|line| !text.contains(line)).collect();
            let wanted = engine.map(|_| "\t\"EngineVersion\": \"5.4.0\",");
            assert_eq!(new, wanted.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn has_the_addresses_of_its_owner() {
        let owner = Owner { home: "https://example.org/netclock", fab_product: "12ab" };
        let text = of_the_owner(&owner, TEXT, Some("5.4")).expect("it is a good one");
        let descriptor: Value = serde_json::from_str(&text).expect("it was checked");
        for (key, address) in [
            ("CreatedByURL", "https://example.org/netclock"),
            ("DocsURL", "https://example.org/netclock/blob/main/unreal_plugin/NetClock/Docs/README.md"),
            ("SupportURL", "https://example.org/netclock/issues"),
            ("FabURL", "com.epicgames.launcher://ue/Fab/product/12ab"),
            ("EngineVersion", "5.4.0"),
        ] {
            assert_eq!(descriptor[key], address, "{key}");
        }
        assert!(!OWNER.home.ends_with('/'));
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
