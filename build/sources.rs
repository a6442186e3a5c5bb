//! The Rust files of the ABI, in the order of their `mod` lines.

use std::fs;
use std::path::{Path, PathBuf};

/// How the comment of a module says in which header it is, with all modules below it.
pub(crate) const HEADER: &str = "Header: ";

/// How the comment of a module says which other headers its header includes.
pub(crate) const USES: &str = "Uses: ";

/// A Rust file.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// All of them.
pub(crate) struct Sources(pub(crate) Vec<Source>);

impl Sources {
    /// `dir/mod.rs`, and every module it declares, in that order. Tests are left out.
    pub(crate) fn read(dir: &str) -> Result<Self, String> {
        let mut sources = Sources(Vec::new());
        sources.add(&Path::new(dir).join("mod.rs"))?;
        Ok(sources)
    }

    fn add(&mut self, path: &Path) -> Result<(), String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let modules = text.lines().filter_map(|line| {
            let (before, name) = line.strip_suffix(';')?.split_once("mod ")?;
            ["", "pub(crate) "].contains(&before).then(|| name.to_owned())
        });
        let modules: Vec<String> = modules.filter(|name| name != "tests").collect();
        self.0.push(Source { path: path.to_owned(), text });
        let dir = path.parent().unwrap_or(path);
        for name in modules {
            let folder = dir.join(&name).join("mod.rs");
            let file = dir.join(&name).with_extension("rs");
            self.add(if folder.exists() { &folder } else { &file })?;
        }
        Ok(())
    }

    /// The name of the header in which a room is: its module says so, or one above it.
    pub(crate) fn header_of<'a>(&'a self, room: &'a Source) -> Result<&'a str, String> {
        let named = |source: &'a Source| {
            source.module_comment().into_iter().find_map(|line| line.strip_prefix(HEADER))
        };
        let above = |dir: &Path| self.0.iter().find(|source| source.path == dir.join("mod.rs"));
        let mut modules = room.path.ancestors().skip(1).filter_map(above);
        modules.find_map(named).ok_or_else(|| format!("{}: no line `{HEADER}NAME.h`", room.path.display()))
    }

    /// Whether any file has this text.
    pub(crate) fn contain(&self, text: &str) -> bool {
        self.0.iter().any(|source| source.text.contains(text))
    }
}

impl Source {
    /// The lines of the comment that the file begins with.
    pub(crate) fn module_comment(&self) -> Vec<&str> {
        let lines = self.text.lines().map_while(|line| line.strip_prefix("//!"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect()
    }

    /// Whether a room begins here: its chapter has this file's comment.
    pub(crate) fn is_module_of_a_room(&self) -> bool {
        self.path.ends_with("mod.rs")
    }
}
