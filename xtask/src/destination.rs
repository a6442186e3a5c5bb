//! Installs each file under a temporary name in its directory and then renames it. During an upgrade, no file
//! is incomplete, and running programs keep their open files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(crate) struct Destination {
    pub(crate) dir: PathBuf,
    /// Error messages name this option, which sets the directory.
    pub(crate) option: &'static str,
}

impl Destination {
    pub(crate) fn directory(&self, name: &str) -> Result<()> {
        let dir = self.dir.join(name);
        fs::create_dir_all(&dir)
            .with_context(|| format!("creating {}: choose a writable {}", dir.display(), self.option))
    }

    pub(crate) fn copy(&self, source: &Path, name: &str) -> Result<()> {
        self.place(name, |new| fs::copy(source, new).map(drop))
            .with_context(|| format!("copying {}", source.display()))
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        self.place(name, |new| fs::write(new, text))
    }

    pub(crate) fn link(&self, name: &str, target: &str) -> Result<()> {
        let (_, file) = target.rsplit_once('/').unwrap_or(("", target));
        self.place(name, |new| symlink(Path::new(file), new))
    }

    fn place(&self, name: &str, make: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<()> {
        let path = self.dir.join(name);
        let (dir, file) = name.rsplit_once('/').unwrap_or(("", name));
        self.directory(dir)?;
        let new = self.dir.join(dir).join(format!(".{file}.new"));
        // A temporary file may be left from an interrupted installation.
        if new.symlink_metadata().is_ok() {
            fs::remove_file(&new).with_context(|| format!("removing {}", new.display()))?;
        }
        make(&new)
            .and_then(|()| fs::rename(&new, &path))
            .with_context(|| format!("writing {}: choose a writable {}", path.display(), self.option))?;
        println!("  {name}");
        Ok(())
    }
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Library names on Windows contain no version, so there are no links to create.
#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
