use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::check;
use super::compile::{Compiled, compile};
use super::link::{Job, Linked, read};
use super::names::with_own_names;
use super::{Component, Exports, Platform, Slice, Toolchain, Tools};
use crate::command::run;
use crate::{abi, abi_version, target_dir};

pub(super) struct Product {
    pub(super) platform: &'static Platform,
    /// Phones have no shared library, because a game is a single file there.
    pub(super) shared: Option<Vec<u8>>,
    pub(super) symbols: Option<Vec<u8>>,
    pub(super) import_library: Option<Vec<u8>>,
    pub(super) archives: Vec<(&'static Slice, Vec<u8>)>,
    pub(super) native_libraries: Vec<String>,
    pub(super) components: Vec<Component>,
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
            let made = slice
                .targets
                .iter()
                .map(|target| self.compile(platform, target))
                .collect::<Result<Vec<(Compiled, Vec<u8>)>>>()?;
            let (parts, contents): (Vec<_>, Vec<_>) = made.into_iter().unzip();
            archives.push((slice, join(&contents)?));
            compiled.push(parts);
        }
        let first = compiled.first().context("a platform has a target")?;
        let linked = self.link(platform, first)?;
        let native_libraries = first.first().map(|it| it.native_libraries.clone()).unwrap_or_default();
        let mut components: Vec<Component> =
            compiled.iter().flatten().flat_map(|it| it.components.clone()).collect();
        components.extend(linked.iter().flat_map(|it| it.components.clone()));
        components.sort();
        components.dedup();
        let import_library = linked.iter().find_map(|it| it.import_library.clone());
        let symbols = linked.iter().find_map(|it| it.symbols.clone());
        let shared: Vec<Vec<u8>> = linked.into_iter().map(|it| it.library).collect();
        let shared = (!shared.is_empty()).then(|| join(&shared)).transpose()?;
        Ok(Product { platform, shared, symbols, import_library, archives, native_libraries, components })
    }

    fn compile(&self, platform: &Platform, target: &str) -> Result<(Compiled, Vec<u8>)> {
        let compiled = compile(&self.toolchain, target, self.part)?;
        let path = &compiled.archive;
        // The archive for users has renamed symbols, but the shared library needs the original names.
        let archive = with_own_names(path)?;
        check::archive(&archive, platform, target, &self.exports)
            .with_context(|| format!("{}", path.display()))?;
        Ok((compiled, archive))
    }

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
    let joined = dir.join("universal");
    let mut lipo = Command::new("llvm-lipo-22");
    lipo.arg("-create").arg("-output").arg(&joined);
    for (index, part) in parts.iter().enumerate() {
        let path = dir.join(format!("part-{index}"));
        fs::write(&path, part).with_context(|| format!("writing {}", path.display()))?;
        lipo.arg(path);
    }
    run(&mut lipo, "llvm-lipo could not join the parts.")?;
    read(&joined)
}
