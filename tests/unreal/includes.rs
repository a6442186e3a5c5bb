//! Finds the files that a C++ source includes, directly or indirectly.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::files::{canonical, read};

/// Returns all files that a source may include. Because of `#if`, the compiler may read fewer files.
pub(crate) struct Reach {
    pub(crate) files: BTreeMap<PathBuf, String>,
    pub(crate) system: BTreeSet<String>,
}

impl Reach {
    pub(crate) fn of(source: &Path, dirs: &[PathBuf]) -> Self {
        let mut reach = Reach { files: BTreeMap::new(), system: BTreeSet::new() };
        reach.add(source, dirs);
        reach
    }

    fn add(&mut self, file: &Path, dirs: &[PathBuf]) {
        if self.files.contains_key(file) {
            return;
        }
        let text = read(file);
        let names: Vec<String> = text.lines().filter_map(included).map(str::to_owned).collect();
        self.files.insert(file.to_owned(), text);
        let beside = file.parent().unwrap_or(Path::new("."));
        for name in names {
            let found = std::iter::once(beside).chain(dirs.iter().map(PathBuf::as_path));
            let found = found.map(|dir| dir.join(&name)).find(|path| path.is_file());
            match found.and_then(|path| canonical(&path)) {
                Some(path) => self.add(&path, dirs),
                None => {
                    self.system.insert(name);
                }
            }
        }
    }

    pub(crate) fn mentions(&self, words: &[&str]) -> bool {
        self.files.values().any(|text| words.iter().any(|word| text.contains(word)))
    }
}

pub(crate) fn included(line: &str) -> Option<&str> {
    let name = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim();
    let (quoted, standard) = (name.strip_prefix('"'), name.strip_prefix('<'));
    quoted.and_then(|it| it.split_once('"')).or(standard.and_then(|it| it.split_once('>'))).map(|it| it.0)
}
