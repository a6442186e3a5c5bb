//! Makes the shared library out of the static one, so that both have the same code.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::compile::Compiled;
use super::components::Component;
use super::exports::Exports;
use super::platforms::{Linker, Target};
use super::tools::Tools;

mod elf;

/// A linked library, and the code that the linker added to it.
pub(super) struct Linked {
    pub(super) library: Vec<u8>,
    pub(super) components: Vec<Component>,
}

/// What all linkers are given.
struct Job<'a> {
    compiled: &'a Compiled,
    exports: &'a Exports,
    tools: &'a Tools,
    abi: u32,
    /// For the files that a linker reads and writes.
    dir: PathBuf,
}

impl Job<'_> {
    /// Writes a file that the linker reads.
    fn input(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.dir.join(name);
        fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        Ok(path)
    }
}

/// None for targets that get the static library only.
pub(super) fn link(
    compiled: &Compiled,
    target: &Target,
    exports: &Exports,
    tools: &Tools,
    abi: u32,
) -> Result<Option<Linked>> {
    let dir = compiled.archive.with_file_name("shared");
    fs::create_dir_all(&dir).with_context(|| format!("creating {}", dir.display()))?;
    let job = Job { compiled, exports, tools, abi, dir };
    let linked = match target.linker {
        Linker::None => return Ok(None),
        Linker::Zig(name) => elf::link(&job, name)?,
        Linker::Mingw | Linker::Lld(_) => bail!("no linker for {} yet", target.rust),
    };
    Ok(Some(linked))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}
