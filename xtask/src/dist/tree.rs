//! The files of an archive under construction, in memory and sorted by path.

use std::collections::BTreeMap;

#[derive(Clone)]
pub(super) enum Entry {
    File(Vec<u8>),
    /// A link to a file in the same directory.
    Link(String),
}

/// Paths use `/` as a separator.
#[derive(Clone, Default)]
pub(super) struct Tree {
    pub(super) entries: BTreeMap<String, Entry>,
}

impl Tree {
    pub(super) fn add(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        self.entries.insert(path.to_owned(), Entry::File(content.into()));
    }

    pub(super) fn link(&mut self, path: &str, target: &str) {
        self.entries.insert(path.to_owned(), Entry::Link(target.to_owned()));
    }
}
