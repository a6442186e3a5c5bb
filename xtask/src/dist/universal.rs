//! Apple's universal files, with a part for each processor.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::link::read;
use crate::cargo::target_dir;
use crate::command::run;

/// LLVM's tool that joins the parts with the correct alignment.
pub(super) const LIPO: &str = "llvm-lipo-22";

/// Joins all parts into one file. A single part stays unchanged.
pub(super) fn join(parts: &[Vec<u8>]) -> Result<Vec<u8>> {
    if let [part] = parts {
        return Ok(part.clone());
    }
    let dir = target_dir()?.join("dist-build");
    let joined = dir.join("universal");
    let mut lipo = Command::new(LIPO);
    lipo.arg("-create").arg("-output").arg(&joined);
    for (index, part) in parts.iter().enumerate() {
        let path = dir.join(format!("part-{index}"));
        fs::write(&path, part).with_context(|| format!("writing {}", path.display()))?;
        lipo.arg(path);
    }
    run(&mut lipo, "llvm-lipo could not join the parts.")?;
    read(&joined)
}
