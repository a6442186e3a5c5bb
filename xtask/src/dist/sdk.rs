//! The files of a platform's archive for C and C++: headers, libraries, and what finds them.

use std::fs;

use anyhow::{Context, Result};

use super::product::Product;
use super::tree::Tree;
use crate::cargo::root;
use crate::install::{HEADERS, headers, texts};

pub(super) fn tree(product: &Product, abi: u32) -> Result<Tree> {
    let mut tree = Tree::default();
    for header in headers()? {
        let path = format!("{HEADERS}/{header}");
        tree.add(&path, read(&path)?);
    }
    let names = product.platform.names(abi);
    if let Some(shared) = &product.shared {
        tree.add(&names.shared, shared.as_slice());
        for link in &names.links {
            let target = names.shared.rsplit('/').next().unwrap_or(&names.shared);
            tree.link(link, target);
        }
    }
    if product.platform.ships_archive {
        tree.add(&format!("lib/{}", names.archive), product.archive.as_slice());
    }
    for (path, text) in texts::texts(&names, &product.native_libraries) {
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
