//! `cargo xtask install`: headers, libraries and what CMake and pkg-config need to find them, under a prefix.
//!
//! Everything is written beside its place and then renamed over it: an installation over an older one, or over
//! itself, never shows half a file, and programs that run go on with what they have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::cargo::root;
use built::Built;
use platform::Platform;

mod built;
mod platform;
mod texts;

const HEADERS: [&str; 2] = ["netclock.h", "netclock.hpp"];

pub(crate) fn install(prefix: &Path, release: bool) -> Result<ExitCode> {
    let prefix = std::path::absolute(prefix).with_context(|| format!("{}", prefix.display()))?;
    ensure!(
        !prefix.exists() || prefix.is_dir(),
        "{} is not a directory: choose another --prefix",
        prefix.display()
    );
    // Before the build, which takes longer than finding this out.
    let destination = Destination { prefix };
    destination.directory("lib")?;

    let platform = Platform::of_this_machine(abi_version()?);
    let built = Built::build(release)?;

    for header in HEADERS {
        destination.copy(&root().join("include").join(header), &format!("include/{header}"))?;
    }
    destination.copy(&built.file(platform.built_shared)?, &platform.shared)?;
    for link in &platform.links {
        destination.link(link, &platform.shared)?;
    }
    if let Some(import) = platform.import_library {
        destination.copy(&built.file(import)?, &format!("lib/{import}"))?;
    }
    destination.copy(&built.file(platform.archive)?, &format!("lib/{}", platform.archive))?;
    for (file, text) in texts::texts(&platform, &built.native_libraries) {
        destination.write(file, &text)?;
    }

    let prefix = destination.prefix.display();
    println!("installed under {prefix}. To be found there:");
    println!("  CMake       -DCMAKE_PREFIX_PATH={prefix}");
    println!("  pkg-config  PKG_CONFIG_PATH={prefix}/lib/pkgconfig");
    if !release {
        println!("These are libraries for development, hardly optimised: add --release for those to ship.");
    }
    Ok(ExitCode::SUCCESS)
}

/// The version of the ABI, as the header says it that is installed along.
fn abi_version() -> Result<u32> {
    const DEFINE: &str = "#define NETCLOCK_ABI_VERSION ";
    let path = root().join("include/netclock.h");
    let header = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let version = header.lines().find_map(|line| line.strip_prefix(DEFINE)).unwrap_or_default();
    version.trim().parse().with_context(|| format!("{} has no line `{DEFINE}N`", path.display()))
}

/// The prefix, and the ways in which files get there.
struct Destination {
    prefix: PathBuf,
}

impl Destination {
    fn directory(&self, name: &str) -> Result<()> {
        let dir = self.prefix.join(name);
        fs::create_dir_all(&dir)
            .with_context(|| format!("creating {}: choose a --prefix you may write to", dir.display()))
    }

    fn copy(&self, source: &Path, name: &str) -> Result<()> {
        self.place(name, |new| fs::copy(source, new).map(drop))
            .with_context(|| format!("copying {}", source.display()))
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        self.place(name, |new| fs::write(new, text))
    }

    /// A link beside the file it leads to.
    fn link(&self, name: &str, target: &str) -> Result<()> {
        let (_, file) = target.rsplit_once('/').unwrap_or(("", target));
        self.place(name, |new| symlink(Path::new(file), new))
    }

    /// Has the file made under another name, then gives it its own.
    fn place(&self, name: &str, make: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<()> {
        let path = self.prefix.join(name);
        let (dir, file) = name.rsplit_once('/').unwrap_or(("", name));
        self.directory(dir)?;
        let new = self.prefix.join(dir).join(format!(".{file}.new"));
        // Of an installation that was interrupted.
        if new.symlink_metadata().is_ok() {
            fs::remove_file(&new).with_context(|| format!("removing {}", new.display()))?;
        }
        make(&new)
            .and_then(|()| fs::rename(&new, &path))
            .with_context(|| format!("writing {}: choose a --prefix you may write to", path.display()))?;
        println!("  {name}");
        Ok(())
    }
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Windows has no version in the names of its libraries, and so no links.
#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
