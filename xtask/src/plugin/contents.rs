use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;
use serde_json::Value;

use crate::tree::Tree;
use crate::{HEADERS, Platform, file_name, headers, listed, root};

/// Unreal's linker finds libraries in this directory, which has a subdirectory for each platform.
pub(crate) const LIBRARIES: &str = "Source/ThirdParty/NetClockLibrary/lib/";
/// Games load shared libraries from this directory, which has a subdirectory for each platform.
pub(crate) const LOADED: &str = "Binaries/ThirdParty/NetClockLibrary/";
const INCLUDE: &str = "Source/ThirdParty/NetClockLibrary/include/netclock/";

pub(crate) const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

const DESCRIPTOR: &str = "NetClock.uplugin";

/// Unreal creates all of these directories except `Plugins`. The plugins there keep their own lists of
/// installed files.
const NOT_OURS: [&str; 5] = ["Binaries", "DerivedDataCache", "Intermediate", "Saved", "Plugins"];

/// Returns the files in this folder of `unreal_plugin`, and the licences. The headers are included only for
/// the folder `NetClock`.
pub(crate) fn of_the_repository(folder: &str) -> Result<Tree> {
    let mut tree = Tree::default();
    let dir = root().join("unreal_plugin").join(folder);
    add_below(&mut tree, &dir, "")?;
    ensure!(!tree.entries.is_empty(), "{} is empty: the checkout is incomplete", dir.display());
    for name in LICENCES {
        tree.add(name, fs::read(root().join(name))?);
    }
    for header in headers()?.into_iter().filter(|_| folder == "NetClock") {
        tree.add(&format!("{INCLUDE}{header}"), fs::read(root().join(HEADERS).join(header))?);
    }
    Ok(tree)
}

/// Adds all files below a directory, without following symbolic links to directories.
fn add_below(tree: &mut Tree, dir: &Path, before: &str) -> Result<()> {
    for path in listed(dir)? {
        let name = file_name(&path);
        let is_dir = path.is_dir() && !path.is_symlink();
        if name.starts_with('.') || (is_dir && before.is_empty() && NOT_OURS.contains(&name.as_str())) {
            continue;
        }
        if is_dir {
            add_below(tree, &path, &format!("{before}{name}/"))?;
        } else {
            tree.add(&format!("{before}{name}"), fs::read(path)?);
        }
    }
    Ok(())
}

/// Removes these modules and their entries in the plugin's descriptor.
pub(super) fn leave_out(plugin: &mut Tree, modules: &[String]) -> Result<()> {
    if modules.is_empty() {
        return Ok(());
    }
    let mut descriptor: Value = serde_json::from_slice(plugin.entries[DESCRIPTOR].content())?;
    let listed = descriptor["Modules"].as_array_mut().context("the descriptor lists modules")?;
    for name in modules {
        let known = listed.iter().any(|it| it["Name"] == **name);
        ensure!(known, "the plugin has no module {name}");
        ensure!(name != "NetClock", "the other modules need NetClock");
        listed.retain(|it| it["Name"] != **name);
        plugin.entries.retain(|file, _| !file.starts_with(&format!("Source/{name}/")));
    }
    plugin.add(DESCRIPTOR, serde_json::to_string_pretty(&descriptor)? + "\n");
    Ok(())
}

/// Returns the places for a platform's library files in the plugin, with the names of the files that Cargo
/// built. `directory` is Unreal's name for the platform.
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

pub(super) fn unreals_name_of_this_machine() -> Result<&'static str> {
    Ok(match (std::env::consts::OS, std::env::consts::ARCH) {
        ("windows", "x86_64") => "Win64",
        ("linux", "x86_64") => "Linux",
        ("linux", "aarch64") => "LinuxArm64",
        ("macos", _) => "Mac",
        (system, machine) => bail!("Unreal has no platform for {system} on {machine}"),
    })
}
