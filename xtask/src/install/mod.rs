//! `cargo xtask install`: puts headers, libraries, and files for CMake and pkg-config under a prefix.

use std::path::{Component, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::abi::{HEADERS, headers};
use crate::cargo::root;
use crate::destination::Destination;
use crate::library::{Built, Platform, abi_version};

pub(crate) mod texts;

/// Where things go.
#[derive(clap::Args)]
pub(crate) struct Places {
    /// The directory for include/ and lib/; made if it does not exist
    #[arg(long)]
    prefix: PathBuf,
    /// Where libraries go below the prefix, such as lib64
    #[arg(long, default_value = "lib")]
    libdir: String,
    /// Put everything below this root, for packages; without it, the variable DESTDIR counts
    #[arg(long)]
    destdir: Option<PathBuf>,
}

impl Places {
    /// The prefix as it will be found, and as it is written now.
    fn prefixes(&self) -> Result<(PathBuf, PathBuf)> {
        let prefix =
            std::path::absolute(&self.prefix).with_context(|| format!("{}", self.prefix.display()))?;
        let variable = std::env::var_os("DESTDIR").filter(|root| !root.is_empty()).map(PathBuf::from);
        let Some(root) = self.destdir.clone().or(variable) else { return Ok((prefix.clone(), prefix)) };
        let root = std::path::absolute(&root).with_context(|| format!("{}", root.display()))?;
        let below = prefix.components().filter(|part| matches!(part, Component::Normal(_)));
        let written = below.fold(root, |path, part| path.join(part));
        Ok((prefix, written))
    }

    /// The directory of the libraries: a path below the prefix.
    fn libdir(&self) -> Result<&str> {
        let libdir = self.libdir.trim_end_matches('/');
        let is_below = libdir.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
        ensure!(is_below, "{:?} is no directory below the prefix: choose another --libdir", self.libdir);
        Ok(libdir)
    }
}

pub(crate) fn install(places: &Places, release: bool) -> Result<ExitCode> {
    let (prefix, written) = places.prefixes()?;
    let libdir = places.libdir()?;
    ensure!(
        !written.exists() || written.is_dir(),
        "{} is not a directory: choose another --prefix",
        written.display()
    );
    // Checked first, because the build takes long.
    let destination = Destination { dir: written, option: "--prefix" };
    destination.directory(libdir)?;

    let platform = Platform::of_this_machine(abi_version()?).with_libdir(libdir);
    let built = Built::build(release)?;

    for header in headers()? {
        destination.copy(&root().join(HEADERS).join(&header), &format!("{HEADERS}/{header}"))?;
    }
    destination.copy(&built.file(platform.built_shared)?, &platform.shared)?;
    for link in &platform.links {
        destination.link(link, &platform.shared)?;
    }
    if let Some(import) = platform.import_library {
        destination.copy(&built.file(import)?, &platform.place(import))?;
    }
    destination.copy(&built.file(platform.archive)?, &platform.place(platform.archive))?;
    for (file, text) in texts::texts(&platform, Some(&built.native_libraries)) {
        destination.write(&file.replacen("lib", libdir, 1), &text)?;
    }

    let prefix = prefix.display();
    println!("installed under {prefix}. To be found there:");
    println!("  CMake       -DCMAKE_PREFIX_PATH={prefix}");
    println!("  pkg-config  PKG_CONFIG_PATH={prefix}/{libdir}/pkgconfig");
    if !release {
        println!("These are libraries for development, hardly optimised: add --release for those to ship.");
    }
    Ok(ExitCode::SUCCESS)
}
