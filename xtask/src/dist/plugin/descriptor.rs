//! The plugin's descriptor, for one version of the engine or for all.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::library::VERSION;

/// The line before which the new one goes. The text is edited as text, so that its order and tabs remain. It stays
/// false: the plugin comes as sources, which every project compiles.
const INSTALLED: &str = "\t\"Installed\": false,\n";

/// Names the engine that the plugin is for, if it is for one.
pub(super) fn for_engine(text: &str, engine: Option<&str>) -> Result<String> {
    let text = text.replace("\r\n", "\n");
    ensure!(text.contains(INSTALLED), "the descriptor has no line `\"Installed\": false,`");
    let version = engine.map(|engine| format!("\t\"EngineVersion\": \"{engine}.0\",\n")).unwrap_or_default();
    let text = text.replacen(INSTALLED, &format!("{version}{INSTALLED}"), 1);
    check(&text, engine)?;
    Ok(text)
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
            let changed = for_engine(TEXT, engine).expect("it is a good one");
            let new: Vec<&str> = changed.lines().filter(|line| !text.contains(line)).collect();
            let wanted = engine.map(|_| "\t\"EngineVersion\": \"5.4.0\",");
            assert_eq!(new, wanted.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_descriptor_that_unreal_would_refuse_is_refused() {
        for (from, to) in [
            ("\"FileVersion\": 3", "\"FileVersion\": 2"),
            ("\"LoadingPhase\"", "\"Loading\""),
            (VERSION, "9.9.9"),
            ("\"Modules\"", "\"Module\""),
            ("{\n", ""),
        ] {
            let text = TEXT.replace("\r\n", "\n").replacen(from, to, 1);
            assert!(for_engine(&text, None).is_err(), "{from} became {to}");
        }
    }
}
