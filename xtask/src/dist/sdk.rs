//! The files of a platform's archive for C and C++: headers, libraries, and what finds them.

use std::fs;

use anyhow::{Context, Result};

use super::product::Product;
use super::tree::Tree;
use crate::cargo::root;
use crate::install::{HEADERS, headers, texts};

/// The name under which gcc looks for it; the content is what MSVC takes.
const MINGWS_IMPORT_LIBRARY: &str = "libnetclock.dll.a";

pub(super) fn tree(product: &Product, abi: u32) -> Result<Tree> {
    let mut tree = Tree::default();
    for header in headers()? {
        let path = format!("{HEADERS}/{header}");
        tree.add(&path, read(&path)?);
    }
    let names = product.platform.names(abi);
    tree.add(&names.shared, product.shared.as_slice());
    for link in &names.links {
        let target = names.shared.rsplit('/').next().unwrap_or(&names.shared);
        tree.link(link, target);
    }
    if let Some(import) = &product.import_library {
        for name in names.import_library.into_iter().chain([MINGWS_IMPORT_LIBRARY]) {
            tree.add(&format!("lib/{name}"), import.as_slice());
        }
    }
    let ships_archive = product.platform.ships_archive();
    if ships_archive {
        tree.add(&format!("lib/{}", names.archive), product.archive.as_slice());
    }
    let needs = ships_archive.then_some(product.native_libraries.as_slice());
    for (path, text) in texts::texts(&names, needs) {
        tree.add(path, text);
    }
    tree.add("python/netclock_example.py", read("tests/ctypes/full_sync.py")?);
    Ok(tree)
}

/// A file of the repository, with the ends of lines that git has.
pub(super) fn read(path: &str) -> Result<String> {
    let path = root().join(path);
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    Ok(text.replace("\r\n", "\n"))
}
