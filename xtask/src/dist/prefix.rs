//! With `--into DIR`, `cargo xtask dist` builds the library for this machine with the installed Rust. It then
//! installs the library, the headers, and the files for CMake and pkg-config.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::texts;
use crate::bindings::{CSHARP, PYTHON};
use crate::{Built, Destination, HEADERS, Platform, abi_version, file_name, headers, root};

pub(super) fn fill(prefix: &Path, release: bool) -> Result<()> {
    let dir = std::path::absolute(prefix).with_context(|| format!("{}", prefix.display()))?;
    ensure!(!dir.exists() || dir.is_dir(), "{} is not a directory: choose another --into", dir.display());
    // The build takes a long time, so we fail early.
    let destination = Destination { dir, option: "--into" };
    destination.directory("lib")?;

    let platform = Platform::of_this_machine(abi_version()?);
    let built = Built::build(release)?;
    let shared = built.file(platform.built_shared)?;
    destination.copy(&shared, &platform.shared)?;
    for link in &platform.links {
        destination.link(link, &platform.shared)?;
    }
    for library in platform.import_library.into_iter().chain([platform.archive]) {
        destination.copy(&built.file(library)?, &format!("lib/{library}"))?;
    }
    for (file, text) in texts(&platform, Some(&built.native_libraries)) {
        destination.write(file, &text)?;
    }
    for header in headers()?.iter().map(|name| format!("{HEADERS}/{name}")) {
        destination.copy(&root().join(&header), &header)?;
    }
    destination.copy(&root().join(CSHARP), "csharp/NetClock.cs")?;
    destination.copy(&shared, &format!("python/netclock/{}", platform.built_shared))?;
    for file in PYTHON.map(|file| root().join(file)) {
        destination.copy(&file, &format!("python/netclock/{}", file_name(&file)))?;
    }

    let prefix = destination.dir.display();
    println!("installed in {prefix}. To use it:");
    println!("  CMake       -DCMAKE_PREFIX_PATH={prefix}");
    println!("  pkg-config  PKG_CONFIG_PATH={prefix}/lib/pkgconfig");
    if !release {
        println!("These are barely optimised development libraries. Use --release before shipping.");
    }
    Ok(())
}
