//! What a library consists of: each crate, and what linkers add, with its licence.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::cargo::root;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) version: String,
    /// As SPDX writes it.
    pub(super) licence: String,
    pub(super) origin: Origin,
    /// File names and texts of its licences.
    pub(super) texts: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    NetClock,
    /// The crates of Rust's standard library.
    RustStandardLibrary,
    CratesIo,
    /// The C tool chain, which adds its own code when it links.
    Linker,
}

impl Component {
    /// `rust` is the version of the compiler, which its standard library has as well.
    pub(super) fn of_a_crate(manifest: &Path, rust: &str) -> Result<Self> {
        let text = fs::read_to_string(manifest).with_context(|| format!("reading {}", manifest.display()))?;
        let package = Package::parse(&text).with_context(|| format!("in {}", manifest.display()))?;
        let dir = manifest.parent().unwrap_or(Path::new("."));
        let origin = Origin::of(manifest);
        let version = match origin {
            Origin::NetClock => crate::library::VERSION.to_owned(),
            Origin::RustStandardLibrary => rust.to_owned(),
            _ => package.version,
        };
        let licence = match origin {
            Origin::NetClock => env!("CARGO_PKG_LICENSE").to_owned(),
            // Its crates that give none are under the licence of the whole.
            Origin::RustStandardLibrary => package.licence.unwrap_or_else(|| "MIT OR Apache-2.0".to_owned()),
            _ => package.licence.with_context(|| format!("{} gives no licence", manifest.display()))?,
        };
        let texts = licence_texts(dir)?;
        Ok(Self { name: package.name, version, licence: licence.replace('/', " OR "), origin, texts })
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

/// The few values of a manifest that are wanted, each of which stands on a line of its own.
struct Package {
    name: String,
    version: String,
    licence: Option<String>,
}

impl Package {
    fn parse(manifest: &str) -> Result<Self> {
        let lines = manifest.lines().skip_while(|line| line.trim() != "[package]").skip(1);
        let section: Vec<&str> = lines.take_while(|line| !line.starts_with('[')).collect();
        let value = |key: &str| {
            let mut values = section.iter().filter_map(|line| {
                let (found, value) = line.split_once('=')?;
                (found.trim() == key).then(|| value.trim().trim_matches(['"', '\'']).to_owned())
            });
            values.next()
        };
        let name = value("name").context("the package has no name")?;
        Ok(Self { name, version: value("version").unwrap_or_default(), licence: value("license") })
    }
}

/// All files of a directory whose name says that they are a licence.
fn licence_texts(dir: &Path) -> Result<Vec<(String, String)>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| format!("reading {}", dir.display()))? {
        let path: PathBuf = entry.with_context(|| format!("reading {}", dir.display()))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let upper = name.to_uppercase();
        let is_licence = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];
        if path.is_file() && is_licence.iter().any(|start| upper.starts_with(start)) {
            let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            texts.push((name, text));
        }
    }
    texts.sort();
    Ok(texts)
}

/// A component that the linker adds, with its licence read from where the tool keeps it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_package_section_only() {
        let manifest = "[features]\nname = \"no\"\n\n[package]\nname = \"libc\"\nversion = \"0.2.1\"\n\
                        license = \"MIT OR Apache-2.0\"\n\n[dependencies]\nversion = \"no\"\n";
        let package = Package::parse(manifest).expect("it has a name");
        assert_eq!((package.name.as_str(), package.version.as_str()), ("libc", "0.2.1"));
        assert_eq!(package.licence.as_deref(), Some("MIT OR Apache-2.0"));
        assert!(Package::parse("[lib]\nname = \"x\"").is_err());
    }

    #[test]
    fn knows_itself_and_its_licences() {
        let netclock = Component::of_a_crate(&root().join("Cargo.toml"), "1.96.0").expect("it is a crate");
        assert_eq!((netclock.name.as_str(), netclock.origin), ("netclock", Origin::NetClock));
        assert_eq!(netclock.texts.len(), 2, "LICENSE-APACHE and LICENSE-MIT");
        assert_eq!(netclock.licence, "MIT OR Apache-2.0");
    }
}
