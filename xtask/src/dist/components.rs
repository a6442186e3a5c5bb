//! Lists a library's crates and linker code with their licences. Writes the licence file and the software
//! bill of materials.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use serde_json::{Value, json};

use super::Source;
use crate::{VERSION, file_name, listed, root};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) licence: String,
    pub(super) origin: Origin,
    pub(super) texts: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    NetClock,
    RustStandardLibrary,
    CratesIo,
    /// Code that the C toolchain adds when it links.
    Linker,
}

impl Component {
    pub(super) fn of_a_crate(manifest: &Path, rust: &str) -> Result<Self> {
        let table: toml::Table =
            fs::read_to_string(manifest)?.parse().with_context(|| format!("in {}", manifest.display()))?;
        let value = |key: &str| table.get("package")?.get(key)?.as_str().map(str::to_owned);
        let name = value("name").with_context(|| format!("{} has no name", manifest.display()))?;
        let dir = manifest.parent().unwrap_or(Path::new("."));
        let origin = Origin::of(manifest);
        let version = match origin {
            Origin::NetClock => VERSION.to_owned(),
            Origin::RustStandardLibrary => rust.to_owned(),
            _ => value("version").unwrap_or_default(),
        };
        let licence = match origin {
            Origin::NetClock => env!("CARGO_PKG_LICENSE").to_owned(),
            // If a manifest states no licence, the licence of the standard library applies.
            Origin::RustStandardLibrary => value("license").unwrap_or_else(|| "MIT OR Apache-2.0".to_owned()),
            _ => value("license").with_context(|| format!("{} has no licence", manifest.display()))?,
        };
        let texts = licence_texts(dir)?;
        Ok(Self { name, version, licence: licence.replace('/', " OR "), origin, texts })
    }
}

impl Origin {
    fn of(manifest: &Path) -> Self {
        if manifest.starts_with(root()) {
            Self::NetClock
        } else if manifest.iter().any(|part| part == "registry" || part == "vendor") {
            Self::CratesIo
        } else {
            Self::RustStandardLibrary
        }
    }
}

fn licence_texts(dir: &Path) -> Result<Vec<(String, String)>> {
    let mut texts = Vec::new();
    for path in listed(dir)? {
        let name = file_name(&path);
        let upper = name.to_uppercase();
        let is_licence = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];
        if path.is_file() && is_licence.iter().any(|start| upper.starts_with(start)) {
            texts.push((name, fs::read_to_string(path)?));
        }
    }
    Ok(texts)
}

pub(super) fn of_the_linker(name: &str, version: &str, licence: &str, text: &Path) -> Result<Component> {
    let content = fs::read_to_string(text)
        .with_context(|| format!("reading the licence of {name}, parts of which the linker adds"))?;
    ensure!(!content.is_empty(), "{} is empty", text.display());
    Ok(Component {
        name: name.to_owned(),
        version: version.to_owned(),
        licence: licence.to_owned(),
        origin: Origin::Linker,
        texts: vec![("LICENSE".to_owned(), content)],
    })
}

/// Collects the licences of a library's components in one file, as these licences require.
pub(super) fn licences(components: &BTreeSet<Component>) -> String {
    let mut text = String::from(
        "The components of the NetClock libraries, and their licences.\n\
         Where there is a choice of licences, you may choose any one of them.\n\n",
    );
    for component in components {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {} {}: {}", component.name, component.version, component.licence);
    }
    for (licence, owners) in grouped(components) {
        let _ = write!(text, "\n\n{}\n{}\n\n{}\n", "=".repeat(100), owners.join(", "), licence.trim_end());
    }
    text
}

fn grouped(components: &BTreeSet<Component>) -> BTreeMap<String, Vec<String>> {
    let mut grouped: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for component in components.iter().filter(|component| component.origin != Origin::NetClock) {
        for (_, text) in &component.texts {
            let owners = grouped.entry(text.replace("\r\n", "\n")).or_default();
            if !owners.contains(&component.name) {
                owners.push(component.name.clone());
            }
        }
    }
    grouped
}

/// Writes CycloneDX 1.5 JSON. The compiler is also listed, because its version changes the library's bytes.
pub(super) fn bill_of_materials(
    subject: &str,
    components: &BTreeSet<Component>,
    source: &Source,
    compiler: &str,
) -> String {
    let listed = components.iter().filter(|component| component.origin != Origin::NetClock);
    let bom = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": "netclock",
                "name": subject,
                "version": VERSION,
                "licenses": [{ "expression": env!("CARGO_PKG_LICENSE") }],
                "properties": [{ "name": "netclock:commit", "value": source.commit }],
            },
            "tools": { "components": [{ "type": "application", "name": compiler }] },
        },
        "components": listed.map(entry).collect::<Vec<_>>(),
    });
    format!("{bom:#}\n")
}

fn entry(component: &Component) -> Value {
    let Component { name, version, licence, origin, .. } = component;
    let mut entry = json!({
        "type": "library",
        "bom-ref": format!("{name}@{version}"),
        "name": name,
        "version": version,
        "licenses": [{ "expression": licence }],
    });
    if *origin == Origin::CratesIo {
        entry["purl"] = json!(format!("pkg:cargo/{name}@{version}"));
    }
    let group = match origin {
        Origin::RustStandardLibrary => "rust standard library",
        Origin::Linker => "C tool chain",
        Origin::CratesIo | Origin::NetClock => return entry,
    };
    entry["group"] = json!(group);
    entry
}
