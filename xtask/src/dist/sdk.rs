//! Collects the headers, libraries and package files of the C and C++ archive for a platform.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::{Product, System, texts};
use crate::bindings::CSHARP;
use crate::tree::Tree;
use crate::{HEADERS, Platform as Names, file_name, headers, listed, read, root};

/// gcc looks for the import library under this name, and MSVC uses the same file under another name.
const MINGWS_IMPORT_LIBRARY: &str = "libnetclock.dll.a";

/// Apps include this manifest in their privacy report.
pub(super) const PRIVACY: &str = "PrivacyInfo.xcprivacy";
pub(super) const PRIVACY_SOURCE: &str = "packaging/PrivacyInfo.xcprivacy";

pub(super) fn tree(product: &Product, abi: u32) -> Result<Tree> {
    let mut tree = Tree::default();
    for (slice, archive) in &product.archives {
        if let Some(path) = slice.sdk {
            tree.add(path, archive.as_slice());
        }
    }
    match (product.platform.system, product.platform.names(abi)) {
        (System::Ios, _) => xcframework(&mut tree, product)?,
        (_, Some(names)) => add_shared(&mut tree, product, &names)?,
        (_, None) => add_headers(&mut tree, HEADERS)?,
    }
    if product.platform.system == System::Android {
        let text = read("packaging/netclock-config-android.cmake")?;
        tree.add("lib/cmake/netclock/netclock-config.cmake", text);
    }
    Ok(tree)
}

fn add_headers(tree: &mut Tree, place: &str) -> Result<()> {
    for header in headers()? {
        tree.add(&format!("{place}/{header}"), read(format!("{HEADERS}/{header}"))?);
    }
    Ok(())
}

/// Adds the files that an archive and an installation have in common. `static_needs` is as for [`texts()`].
pub(super) fn add_library(
    tree: &mut Tree,
    names: &Names,
    shared: &[u8],
    static_needs: Option<&[String]>,
) -> Result<()> {
    tree.add(&names.shared, shared);
    for link in &names.links {
        tree.link(link, file_name(names.shared.as_ref()).as_str());
    }
    for (path, text) in texts(names, static_needs) {
        tree.add(path, text);
    }
    tree.add("csharp/NetClock.cs", read(CSHARP)?);
    add_headers(tree, HEADERS)
}

fn add_shared(tree: &mut Tree, product: &Product, names: &Names) -> Result<()> {
    let ships_archive = product.platform.slices.iter().any(|slice| slice.sdk.is_some());
    let needs = ships_archive.then_some(product.native_libraries.as_slice());
    add_library(tree, names, product.shared.as_deref().context("there is no shared library")?, needs)?;
    if let Some(import) = &product.import_library {
        for name in names.import_library.into_iter().chain([MINGWS_IMPORT_LIBRARY]) {
            tree.add(&format!("lib/{name}"), import.as_slice());
        }
    }
    for file in ["README.md", "CMakeLists.txt"] {
        tree.add(file, read(format!("packaging/{file}"))?);
    }
    for language in ["c", "cpp", "csharp", "python"] {
        let folder = format!("examples/{language}");
        for entry in listed(&root().join(&folder))? {
            let path = format!("{folder}/{}", file_name(&entry));
            tree.add(&path, read(&path)?);
        }
    }
    Ok(())
}

/// Adds a library in Xcode's format, with one part for devices and another for the simulator.
fn xcframework(tree: &mut Tree, product: &Product) -> Result<()> {
    let (mut entries, mut root) = (Vec::new(), "");
    for (slice, _) in &product.archives {
        let path = slice.sdk.context("every part for iOS is shipped")?;
        let parts: Vec<&str> = path.split('/').collect();
        let [framework, part, library] = parts[..] else {
            bail!("{path} is not a library of an xcframework")
        };
        root = framework;
        add_headers(tree, &format!("{framework}/{part}/Headers/netclock"))?;
        entries.push(entry(part, library, slice.targets));
    }
    let list = json!({
        "AvailableLibraries": entries,
        "CFBundlePackageType": "XFWK",
        "XCFrameworkFormatVersion": "1.0",
    });
    tree.add(&format!("{root}/Info.plist"), property_list(&list)?);
    tree.add(PRIVACY, read(PRIVACY_SOURCE)?);
    Ok(())
}

fn entry(directory: &str, library: &str, targets: &[&str]) -> Value {
    let processor = |it: &&str| if it.starts_with("aarch64") { "arm64" } else { "x86_64" };
    let mut entry = json!({
        "BinaryPath": library,
        "HeadersPath": "Headers",
        "LibraryIdentifier": directory,
        "LibraryPath": library,
        "SupportedArchitectures": targets.iter().map(processor).collect::<Vec<_>>(),
        "SupportedPlatform": "ios",
    });
    if directory.ends_with("-simulator") {
        entry["SupportedPlatformVariant"] = json!("simulator");
    }
    entry
}

pub(super) fn property_list(value: &Value) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    plist::to_writer_xml(&mut text, value).context("writing a property list")?;
    Ok(text)
}
