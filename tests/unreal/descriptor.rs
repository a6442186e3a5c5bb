//! Checks the plugin's folder against Unreal's and Fab's rules for descriptors, licences and packaging.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::files::{files_below, modules_of, plugin, read, repositorys, root, sources};

const PLUGIN: &str = "unreal_plugin/NetClock";

/// The URLs stay empty until the plugin has an owner.
const KEYS: &str = "FileVersion Version VersionName FriendlyName Description Category CreatedBy CreatedByURL \
                    DocsURL SupportURL FabURL CanContainContent Installed Modules";

const ALWAYS_KEPT: [&str; 5] = ["Source", "Binaries", "Content", "Resources", "Config"];

fn json(path: &Path) -> Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn keys(descriptor: &Value) -> BTreeSet<&str> {
    descriptor.as_object().into_iter().flat_map(|it| it.keys()).map(String::as_str).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[test]
fn the_descriptor_meets_the_rules_of_unreal_and_fab() {
    let descriptor = json(&root().join(PLUGIN).join("NetClock.uplugin"));
    // Fab rejects dependencies on other authors' plugins. The engine version is added when the plugin is
    // packaged.
    assert_eq!(keys(&descriptor), KEYS.split(' ').collect(), "missing or unexpected keys");
    assert_eq!(descriptor["FileVersion"], 3);
    assert_eq!(descriptor["VersionName"], env!("CARGO_PKG_VERSION"));
    assert!(descriptor["Version"].is_u64());
    for key in ["FriendlyName", "Description", "Category", "CreatedBy"] {
        assert!(descriptor[key].as_str().is_some_and(|it| !it.is_empty()), "{key}");
    }

    let modules = list(&descriptor["Modules"]);
    let named: BTreeSet<&str> = modules.iter().filter_map(|it| it["Name"].as_str()).collect();
    let there: Vec<_> = modules_of(&plugin());
    let there: BTreeSet<&str> = there.iter().filter_map(|it| it.file_name()?.to_str()).collect();
    assert_eq!(named, there, "modules in the descriptor (left) and in the folder (right)");
    for module in modules {
        let name = module["Name"].as_str().unwrap_or_default();
        let rules = root().join(PLUGIN).join(format!("Source/{name}/{name}.Build.cs"));
        assert!(read(&rules).contains(&format!("class {name} : ModuleRules")), "{}", rules.display());
        assert!(matches!(module["Type"].as_str(), Some("Runtime" | "Editor")), "{name}");
        assert!(matches!(module["LoadingPhase"].as_str(), Some("PreDefault" | "Default")), "{name}");
        // Runtime modules support every platform, because they also compile without the library.
        let editors: &[&str] = if module["Type"] == "Editor" { &["Win64", "Mac", "Linux"] } else { &[] };
        assert_eq!(list(&module["PlatformAllowList"]), editors, "{name}");
    }
    assert!(modules.iter().any(|it| it["Type"] == "Runtime"));
}

#[test]
fn the_gameplay_abilities_plugin_lists_its_dependencies() {
    let folder = repositorys("NetClockGAS");
    let (gas, main) =
        (json(&folder.join("NetClockGAS.uplugin")), json(&root().join(PLUGIN).join("NetClock.uplugin")));
    assert_eq!(keys(&gas), KEYS.split(' ').chain(["EnabledByDefault", "Plugins"]).collect());
    for key in ["FileVersion", "VersionName", "Category", "CreatedBy", "CanContainContent"] {
        assert_eq!(gas[key], main[key], "{key}");
    }
    assert_eq!(gas["EnabledByDefault"], false);
    let needs = list(&gas["Plugins"]).iter();
    let needs: Vec<(&str, bool)> =
        needs.filter_map(|it| Some((it["Name"].as_str()?, it["Enabled"].as_bool()?))).collect();
    assert_eq!(needs, [("NetClock", true), ("GameplayAbilities", true)]);
    assert_eq!(gas["Modules"][0]["PlatformAllowList"], Value::Null);
    assert_eq!(modules_of(&folder), [folder.join("Source/NetClockGAS")]);
}

#[test]
fn the_sample_is_a_project_of_sources_alone() {
    let folder = repositorys("Sample");
    let project = json(&folder.join("NetClockSample.uproject"));
    assert_eq!(project["FileVersion"], 3);
    assert_eq!(project["Modules"][0]["Name"], "NetClockSample");
    assert_eq!(project["Plugins"][0]["Name"], "NetClock");
    assert_eq!(modules_of(&folder), [folder.join("Source/NetClockSample")]);
    // The game mode is a class of the sample, and the maps come with the engine.
    let engine = read(&folder.join("Config/DefaultEngine.ini"));
    assert!(engine.contains("GlobalDefaultGameMode=/Script/NetClockSample.NetClockSampleGameMode"));
    let maps: Vec<&str> = engine.lines().filter(|line| line.contains("Map=")).collect();
    assert!(maps.len() >= 3 && maps.iter().all(|line| line.contains("=/Engine/Maps/")), "{maps:?}");
    let settings = sources(&root().join(PLUGIN).join("Source/NetClock/Public/NetClock/Clock"), &["h"]);
    let settings: String = settings.iter().map(|it| read(it)).collect();
    let game = read(&folder.join("Config/DefaultGame.ini"));
    let ours = game.split("[/Script/NetClock.NetClockSettings]").nth(1).expect("it sets a NetClock setting");
    for name in ours.lines().filter_map(|line| line.split_once('=')).map(|it| it.0) {
        assert!(settings.contains(&format!(" {name} = ")), "there is no setting {name}");
    }
}

#[test]
fn every_source_names_its_author_and_year() {
    let all = sources(&root().join("unreal_plugin"), &["h", "cpp", "cs"]);
    assert!(all.len() > 80, "only {} sources", all.len());
    for source in all {
        let text = read(&source);
        let line = text.lines().next().unwrap_or_default();
        let rest = line.strip_prefix("// Copyright ").unwrap_or_default();
        let (year, rest) = rest.split_once(' ').unwrap_or_default();
        let is_year = year.len() == 4 && year.parse::<u32>().is_ok_and(|it| it >= 2026);
        let is_ours = rest == "NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0";
        assert!(is_year && is_ours, "{}: {line}", source.display());
    }
}

/// Unreal shows the icon in its list of plugins and requires 128 x 128 pixels.
#[test]
fn each_plugin_has_an_icon() {
    for plugin in ["NetClock", "NetClockGAS"] {
        let path = repositorys(plugin).join("Resources/Icon128.png");
        let png = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let side = 128_u32.to_be_bytes();
        assert_eq!((&png[1..4], &png[16..20], &png[20..24]), (&b"PNG"[..], &side[..], &side[..]));
    }
}

/// The first page in the zip must state what has not been tested, and how to install the plugin.
#[test]
fn the_top_page_begins_with_the_untested_parts() {
    for plugin in ["NetClock", "NetClockGAS", "Sample"] {
        let text = read(&repositorys(plugin).join("README.md"));
        let tried =
            text.find("**No Unreal Engine has built or run").expect("it states that no engine was tried");
        let installs = text.to_lowercase().find("install").expect("it explains the installation");
        assert!(tried < installs, "{plugin}");
    }
}

/// Packaging drops all files outside the plugin's standard folders unless the filter lists them.
#[test]
fn packaging_keeps_every_file_of_the_plugin() {
    for plugin in ["NetClock", "NetClockGAS"] {
        let mut packed = packed_below(&repositorys(plugin));
        // `cargo xtask plugin` and `dist` add these files to the plugin.
        let added = ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-LICENSES.txt", "sbom.cdx.json"];
        packed.extend(added.map(str::to_owned));
        let filter = read(&repositorys(plugin).join("Config/FilterPlugin.ini"));
        let mut lines = filter.lines().filter(|it| !it.starts_with(';'));
        assert_eq!(lines.next(), Some("[FilterPlugin]"));
        let rules: Vec<&str> = lines.collect();
        assert!(rules.iter().all(|it| it.starts_with('/')), "{rules:?}");
        let kept = |path: &str| {
            rules.iter().any(|rule| match rule.strip_suffix("...") {
                Some(folder) => format!("/{path}").starts_with(folder),
                None => format!("/{path}") == *rule,
            })
        };
        for path in packed.iter().filter(|it| !it.ends_with(".uplugin")) {
            let folder = path.split_once('/').map(|it| it.0).unwrap_or_default();
            assert!(ALWAYS_KEPT.contains(&folder) || kept(path), "packaging would drop {path}");
        }
        for rule in rules {
            let name = rule.trim_start_matches('/').trim_end_matches("...");
            assert!(packed.iter().any(|path| path.starts_with(name)), "{rule}");
        }
    }
}

fn packed_below(folder: &Path) -> Vec<String> {
    let paths =
        files_below(folder).into_iter().filter_map(|it| Some(it.strip_prefix(folder).ok()?.to_owned()));
    let paths = paths.map(|it| it.to_string_lossy().replace('\\', "/"));
    let made = ["Binaries", "Intermediate", "Saved", "__pycache__"];
    paths.filter(|it| !it.split('/').any(|part| made.contains(&part))).collect()
}
