//! `cargo xtask install`: puts headers, libraries, and files for CMake and pkg-config under a prefix.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::cargo::root;
use crate::destination::Destination;
use crate::library::{Built, Platform, abi_version};

pub(crate) mod texts;

pub(crate) fn install(prefix: &Path, release: bool) -> Result<ExitCode> {
    let prefix = std::path::absolute(prefix).with_context(|| format!("{}", prefix.display()))?;
    ensure!(
        !prefix.exists() || prefix.is_dir(),
        "{} is not a directory: choose another --prefix",
        prefix.display()
    );
    // Checked first, because the build takes long.
    let destination = Destination { dir: prefix, option: "--prefix" };
    destination.directory("lib")?;

    let platform = Platform::of_this_machine(abi_version()?);
    let built = Built::build(release)?;

    for header in headers()? {
        destination.copy(&root().join(HEADERS).join(&header), &format!("{HEADERS}/{header}"))?;
    }
    destination.copy(&built.file(platform.built_shared)?, &platform.shared)?;
    for link in &platform.links {
        destination.link(link, &platform.shared)?;
    }
    if let Some(import) = platform.import_library {
        destination.copy(&built.file(import)?, &format!("lib/{import}"))?;
    }
    destination.copy(&built.file(platform.archive)?, &format!("lib/{}", platform.archive))?;
    for (file, text) in texts::texts(&platform, Some(&built.native_libraries)) {
        destination.write(file, &text)?;
    }

    let prefix = destination.dir.display();
    println!("installed under {prefix}. To be found there:");
    println!("  CMake       -DCMAKE_PREFIX_PATH={prefix}");
    println!("  pkg-config  PKG_CONFIG_PATH={prefix}/lib/pkgconfig");
    if !release {
        println!("These are libraries for development, hardly optimised: add --release for those to ship.");
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the headers are, here and below the prefix.
pub(crate) const HEADERS: &str = "include/netclock";

/// The names of all headers, those for C++ on top of others included.
pub(crate) fn headers() -> Result<Vec<String>> {
    let dir = root().join(HEADERS);
    let mut names = Vec::new();
    for entry in dir.read_dir().with_context(|| format!("cannot list {}", dir.display()))? {
        let name = entry.with_context(|| format!("cannot list {}", dir.display()))?.file_name();
        names.extend(
            name.to_str().filter(|name| name.ends_with(".h") || name.ends_with(".hpp")).map(str::to_owned),
        );
    }
    names.sort();
    Ok(names)
}
