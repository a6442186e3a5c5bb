//! Links the shared library from the static library, so that both consist of the same code.

use std::path::PathBuf;

use anyhow::Result;
use fs_err as fs;

use super::compile::Compiled;
use super::components::Component;
use super::platforms::System;
use super::product::Workshop;

mod elf;
mod macho;
mod mingw;

pub(super) use mingw::IMAGE_BASE;

pub(super) struct Linked {
    pub(super) library: Vec<u8>,
    pub(super) symbols: Option<Vec<u8>>,
    pub(super) import_library: Option<Vec<u8>>,
    pub(super) components: Vec<Component>,
}

pub(super) struct Job<'a> {
    compiled: &'a Compiled,
    target: &'a str,
    workshop: &'a Workshop,
    dir: PathBuf,
}

impl<'a> Job<'a> {
    pub(super) fn new(compiled: &'a Compiled, target: &'a str, workshop: &'a Workshop) -> Result<Self> {
        let dir = compiled.archive.with_file_name("shared");
        fs::create_dir_all(&dir)?;
        Ok(Self { compiled, target, workshop, dir })
    }

    /// zig links for Linux because it includes every version of glibc. LLVM's linker links for macOS, and
    /// mingw-w64 for Windows. There is no shared library for phones.
    pub(super) fn link(&self, system: System) -> Option<Result<Linked>> {
        match system {
            System::Linux => Some(elf::link(self)),
            System::MacOs => Some(macho::link(self)),
            System::Windows => Some(mingw::link(self)),
            System::Ios | System::Android => None,
        }
    }

    fn input(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.dir.join(name);
        fs::write(&path, text)?;
        Ok(path)
    }
}
