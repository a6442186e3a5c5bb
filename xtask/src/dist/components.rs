//! Lists the crates and the linker code in a library, with their licences.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::{file_name, listed, root};

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
        let text = fs::read_to_string(manifest).with_context(|| format!("reading {}", manifest.display()))?;
        let table: toml::Table = text.parse().with_context(|| format!("in {}", manifest.display()))?;
        let value = |key: &str| table.get("package")?.get(key)?.as_str().map(str::to_owned);
        let name = value("name").with_context(|| format!("{} has no name", manifest.display()))?;
        let dir = manifest.parent().unwrap_or(Path::new("."));
        let origin = Origin::of(manifest);
        let version = match origin {
            Origin::NetClock => crate::library::VERSION.to_owned(),
            Origin::RustStandardLibrary => rust.to_owned(),
            _ => value("version").unwrap_or_default(),
        };
        let licence = match origin {
            Origin::NetClock => env!("CARGO_PKG_LICENSE").to_owned(),
            // A manifest without a licence gets the licence of the standard library.
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
            let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            texts.push((name, text));
        }
    }
    Ok(texts)
}

pub(super) fn of_the_linker(name: &str, version: &str, licence: &str, text: &Path) -> Result<Component> {
    let content = fs::read_to_string(text).with_context(|| {
        format!("reading the licence of {name}, parts of which the linker adds: {}", text.display())
    })?;
    ensure!(!content.is_empty(), "{} is empty", text.display());
    Ok(Component {
        name: name.to_owned(),
        version: version.to_owned(),
        licence: licence.to_owned(),
        origin: Origin::Linker,
        texts: vec![("LICENSE".to_owned(), content)],
    })
}
