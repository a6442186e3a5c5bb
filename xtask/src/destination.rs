//! Installs files by renaming them from a temporary name in the same directory. An upgrade therefore never
//! exposes a partial file, and running programs keep their open files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(crate) struct Destination {
    pub(crate) dir: PathBuf,
    /// Option that sets the directory, for error messages.
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
        // An interrupted installation may have left a temporary file.
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

/// Windows needs no links, because its library names contain no version.
#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
