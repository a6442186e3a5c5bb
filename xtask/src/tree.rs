use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
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
    /// Returns the content of a file, which is empty for a link.
    pub(crate) fn content(&self) -> &[u8] {
        if let Self::File(content) = self { content } else { &[] }
    }
}

/// Removes an older file instead of writing into it, so that running programs keep the file that they opened.
pub(crate) fn place(path: &Path, entry: &Entry) -> Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    if path.symlink_metadata().is_ok() {
        fs::remove_file(path)?;
    }
    Ok(match entry {
        Entry::File(content) => fs::write(path, content),
        Entry::Link(target) => symlink(Path::new(target), path),
    }?)
}

#[cfg(unix)]
use fs_err::os::unix::fs::symlink;

/// Library names on Windows contain no version, so there are no links to create.
#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
