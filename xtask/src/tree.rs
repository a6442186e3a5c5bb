use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err as fs;

/// Files to pack or install. Paths contain `/` on all systems.
#[derive(Clone, Default)]
pub(crate) struct Tree {
    pub(crate) entries: BTreeMap<String, Entry>,
}

#[derive(Clone)]
pub(crate) enum Entry {
    File(Vec<u8>),
    Link(String),
}

impl Tree {
    pub(crate) fn add(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        self.entries.insert(path.to_owned(), Entry::File(content.into()));
    }

    pub(crate) fn link(&mut self, path: &str, target: &str) {
        self.entries.insert(path.to_owned(), Entry::Link(target.to_owned()));
    }
}

impl Entry {
    /// A link has no content.
    pub(crate) fn content(&self) -> &[u8] {
        if let Self::File(content) = self { content } else { &[] }
    }
}

/// Installs each file under a temporary name in its directory and then renames it. During an upgrade, no file
/// is incomplete, and running programs keep their open files.
pub(crate) struct Destination {
    pub(crate) dir: PathBuf,
    /// Error messages name this option, which sets the directory.
    pub(crate) option: &'static str,
}

impl Destination {
    pub(crate) fn directory(&self, name: &str) -> Result<()> {
        let made = fs::create_dir_all(self.dir.join(name));
        made.with_context(|| format!("choose a writable {}", self.option))
    }

    pub(crate) fn place(&self, name: &str, entry: &Entry) -> Result<()> {
        let path = self.dir.join(name);
        let (dir, file) = name.rsplit_once('/').unwrap_or(("", name));
        self.directory(dir)?;
        let new = self.dir.join(dir).join(format!(".{file}.new"));
        // A temporary file may be left from an interrupted installation.
        if new.symlink_metadata().is_ok() {
            fs::remove_file(&new)?;
        }
        let made = match entry {
            Entry::File(content) => fs::write(&new, content),
            Entry::Link(target) => symlink(Path::new(target), &new),
        };
        made.and_then(|()| fs::rename(&new, &path))
            .with_context(|| format!("writing {}: choose a writable {}", path.display(), self.option))?;
        println!("  {name}");
        Ok(())
    }
}

#[cfg(unix)]
use fs_err::os::unix::fs::symlink;

/// Library names on Windows contain no version, so there are no links to create.
#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
