use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::{Built, HEADERS, Platform, file_name, headers, listed, root};

/// Unreal's linker finds libraries in this directory, which has a subdirectory for each platform.
pub(crate) const LIBRARIES: &str = "Source/ThirdParty/NetClockLibrary/lib/";
/// Games load shared libraries from this directory, which has a subdirectory for each platform.
pub(crate) const LOADED: &str = "Binaries/ThirdParty/NetClockLibrary/";
pub(crate) const INCLUDE: &str = "Source/ThirdParty/NetClockLibrary/include/netclock/";

pub(crate) const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

const DESCRIPTOR: &str = "NetClock.uplugin";

const UNREALS: [&str; 4] = ["Binaries", "DerivedDataCache", "Intermediate", "Saved"];

/// The plugins in this directory keep their own lists of installed files.
const PLUGINS: &str = "Plugins";

/// Maps each path in the plugin to its source file. Paths in the plugin always use `/`.
pub(crate) struct Contents {
    pub(crate) files: BTreeMap<String, PathBuf>,
}

impl Contents {
    pub(crate) fn of_the_plugin(dir: &Path) -> Result<Self> {
        let mut files = below(dir)?;
        files.retain(|name, _| !is_unreals(name) && !name.split('/').any(|part| part.starts_with('.')));
        ensure!(!files.is_empty(), "{} is empty: the checkout is incomplete", dir.display());
        files.extend(LICENCES.map(|name| (name.to_owned(), root().join(name))));
        Ok(Self { files })
    }

    pub(crate) fn add_headers(&mut self) -> Result<()> {
        for header in headers()? {
            self.files.insert(format!("{INCLUDE}{header}"), root().join(HEADERS).join(header));
        }
        Ok(())
    }

    /// Removes these modules from the plugin, and writes a descriptor without them to `place`.
    pub(super) fn leave_out(&mut self, modules: &[String], place: &Path) -> Result<()> {
        if modules.is_empty() {
            return Ok(());
        }
        let source = &self.files[DESCRIPTOR];
        let text = fs::read_to_string(source).with_context(|| format!("reading {}", source.display()))?;
        let mut descriptor: Value = serde_json::from_str(&text)?;
        let listed = descriptor["Modules"].as_array_mut().context("the descriptor lists modules")?;
        for name in modules {
            let known = listed.iter().any(|it| it["Name"] == **name);
            ensure!(known, "the plugin has no module {name}");
            ensure!(name != "NetClock", "the other modules need NetClock");
            listed.retain(|it| it["Name"] != **name);
            self.files.retain(|file, _| !file.starts_with(&format!("Source/{name}/")));
        }
        fs::create_dir_all(place).with_context(|| format!("creating {}", place.display()))?;
        let written = place.join(DESCRIPTOR);
        let text = serde_json::to_string_pretty(&descriptor)? + "\n";
        fs::write(&written, text).with_context(|| format!("writing {}", written.display()))?;
        self.files.insert(DESCRIPTOR.to_owned(), written);
        Ok(())
    }

    pub(super) fn add_library(&mut self, platform: &Platform, built: &Built) -> Result<()> {
        for (path, source) in library_files(platform, unreals_name_of_this_machine()?)? {
            self.files.insert(path, built.file(source)?);
        }
        Ok(())
    }
}

/// Returns where a platform's shared library belongs in the plugin, with the names of Cargo's files.
/// `directory` is Unreal's name for the platform.
pub(crate) fn library_files(platform: &Platform, directory: &str) -> Result<Vec<(String, &'static str)>> {
    let shared = platform.built_shared;
    let linked = |name: &str| format!("{LIBRARIES}{directory}/{name}");
    let loaded = |name: &str| format!("{LOADED}{directory}/{name}");
    if let Some(import) = platform.import_library {
        ensure!(
            import.ends_with(".lib"),
            "Unreal's linker rejects {import}: use a Rust toolchain for MSVC (rustup default stable-msvc)"
        );
        return Ok(vec![(loaded(shared), shared), (linked(import), import)]);
    }
    let soname = platform.soname.as_deref().context("a shared library without import library has a name")?;
    Ok(match soname.strip_prefix("@rpath/") {
        Some(name) => vec![(loaded(name), shared)],
        None => vec![(linked(shared), shared), (loaded(soname), shared)],
    })
}

fn unreals_name_of_this_machine() -> Result<&'static str> {
    Ok(match (std::env::consts::OS, std::env::consts::ARCH) {
        ("windows", "x86_64") => "Win64",
        ("linux", "x86_64") => "Linux",
        ("linux", "aarch64") => "LinuxArm64",
        ("macos", _) => "Mac",
        (system, machine) => bail!("Unreal has no platform for {system} on {machine}"),
    })
}

/// Returns true for files of another plugin, and for files in a directory that Unreal creates.
fn is_unreals(name: &str) -> bool {
    name.split_once('/').is_some_and(|(first, _)| UNREALS.contains(&first) || first == PLUGINS)
}

/// Lists symbolic links but does not follow them.
fn below(dir: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    for path in listed(dir)? {
        let name = file_name(&path);
        if path.is_dir() && !path.is_symlink() {
            files.extend(below(&path)?.into_iter().map(|(rest, path)| (format!("{name}/{rest}"), path)));
        } else {
            files.insert(name, path);
        }
    }
    Ok(files)
}
