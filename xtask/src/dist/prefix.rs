//! `cargo xtask dist --into DIR`: instead of archives, installs headers, libraries, and files for CMake and
//! pkg-config under a prefix, built by the installed Rust for this machine.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::texts::texts;
use crate::abi::{HEADERS, abi, headers};
use crate::bindings;
use crate::cargo::root;
use crate::destination::Destination;
use crate::library::{Built, Platform, abi_version};

pub(super) fn fill(prefix: &Path, release: bool) -> Result<()> {
    let dir: PathBuf = std::path::absolute(prefix).with_context(|| format!("{}", prefix.display()))?;
    ensure!(!dir.exists() || dir.is_dir(), "{} is not a directory: choose another --into", dir.display());
    // Checked first, because the build takes a long time.
    let destination = Destination { dir, option: "--into" };
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
    for library in platform.import_library.into_iter().chain([platform.archive]) {
        destination.copy(&built.file(library)?, &format!("lib/{library}"))?;
    }
    // For C# and Python programs, which are not compiled here.
    let abi = abi()?;
    destination.write("csharp/NetClock.cs", &bindings::csharp(&abi))?;
    destination.write("python/netclock/__init__.py", &bindings::python(&abi, platform.built_shared)?)?;
    destination
        .copy(&built.file(platform.built_shared)?, &format!("python/netclock/{}", platform.built_shared))?;
    for (file, text) in texts(&platform, Some(&built.native_libraries)) {
        destination.write(file, &text)?;
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
