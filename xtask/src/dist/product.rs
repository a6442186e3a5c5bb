use std::collections::BTreeSet;

use anyhow::{Context, Result};
use fs_err as fs;

use super::check;
use super::compile::{Compiled, compile};
use super::link::{Job, Linked};
use super::names::with_own_names;
use super::{Component, Exports, Platform, Slice, Toolchain, Tools};
use crate::command::{cmd, run};
use crate::{abi, abi_version, target_dir};

pub(super) struct Product {
    pub(super) platform: &'static Platform,
    /// There is no shared library for phones, because a game is a single file there.
    pub(super) shared: Option<Vec<u8>>,
    pub(super) symbols: Option<Vec<u8>>,
    pub(super) import_library: Option<Vec<u8>>,
    pub(super) archives: Vec<(&'static Slice, Vec<u8>)>,
    pub(super) native_libraries: Vec<String>,
    pub(super) components: BTreeSet<Component>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    /// Only the clock, without the link and the game features.
    Clock,
}

pub(super) struct Workshop {
    pub(super) toolchain: Toolchain,
    pub(super) tools: Tools,
    pub(super) exports: Exports,
    pub(super) abi: u32,
    pub(super) part: Part,
}

impl Workshop {
    pub(super) fn whole(toolchain: Toolchain, tools: Tools) -> Result<Self> {
        let (exports, abi) = (Exports::of(&abi()?, |_| true), abi_version()?);
        Ok(Workshop { toolchain, tools, exports, abi, part: Part::Whole })
    }

    pub(super) fn make(&self, platform: &'static Platform) -> Result<Product> {
        println!("{}", platform.name);
        let (mut archives, mut compiled) = (Vec::new(), Vec::new());
        for slice in platform.slices {
            let mut contents = Vec::new();
            for target in slice.targets {
                let made = compile(&self.toolchain, target, self.part)?;
                contents.push(self.archive(&made, platform, target)?);
                compiled.push(made);
            }
            archives.push((slice, join(&contents)?));
        }
        let linked = self.link(platform, &compiled)?;
        let native_libraries = compiled[0].native_libraries.clone();
        let mut components: BTreeSet<Component> = compiled.into_iter().flat_map(|it| it.components).collect();
        components.extend(linked.iter().flat_map(|it| it.components.clone()));
        let import_library = linked.iter().find_map(|it| it.import_library.clone());
        let symbols = linked.iter().find_map(|it| it.symbols.clone());
        let shared: Vec<Vec<u8>> = linked.into_iter().map(|it| it.library).collect();
        let shared = (!shared.is_empty()).then(|| join(&shared)).transpose()?;
        Ok(Product { platform, shared, symbols, import_library, archives, native_libraries, components })
    }

    /// The archive for users has renamed symbols, but the shared library needs the original names.
    fn archive(&self, compiled: &Compiled, platform: &Platform, target: &str) -> Result<Vec<u8>> {
        let archive = with_own_names(&compiled.archive)?;
        check::archive(&archive, platform, target, &self.exports)
            .with_context(|| format!("{}", compiled.archive.display()))?;
        Ok(archive)
    }

    /// `compiled` begins with the targets of the first slice.
    fn link(&self, platform: &Platform, compiled: &[Compiled]) -> Result<Vec<Linked>> {
        let mut all = Vec::new();
        for (target, compiled) in platform.slices[0].targets.iter().zip(compiled) {
            let Some(linked) = Job::new(compiled, target, self)?.link(platform.system) else { break };
            let linked = linked?;
            check::shared(&linked.library, platform, target, &self.exports, self.abi)
                .with_context(|| format!("the shared library for {target}"))?;
            all.push(linked);
        }
        Ok(all)
    }
}

/// Joins libraries for several processors into a universal binary.
fn join(parts: &[Vec<u8>]) -> Result<Vec<u8>> {
    if let [part] = parts {
        return Ok(part.clone());
    }
    let dir = target_dir()?.join("dist-build");
    let (joined, mut paths) = (dir.join("universal"), Vec::new());
    for (index, part) in parts.iter().enumerate() {
        paths.push(dir.join(format!("part-{index}")));
        fs::write(&paths[index], part)?;
    }
    run(cmd!("llvm-lipo-22 -create -output {joined} {paths...}"), "llvm-lipo could not join the parts.")?;
    Ok(fs::read(joined)?)
}
