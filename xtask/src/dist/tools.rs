use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Platform;
use crate::command::run;
use crate::{on_path, target_dir};

/// With a fixed version, all machines build the same library.
const ZIG: &str = "0.17.1";
const ENVIRONMENT: &str = "dist-tools";

const TOOLS: &str = include_str!("../../../packaging/tools.txt");

pub(super) struct Tools {
    /// The command for zig, or an empty list if no platform needs it.
    zig: Vec<OsString>,
}

impl Tools {
    /// If packages are missing, a single error lists them all.
    pub(super) fn find(platforms: &[&Platform]) -> Result<Self> {
        let is_needed = |of: &str| match of {
            "all" => true,
            "native" => platforms.iter().any(|platform| platform.is_this_machine()),
            name => platforms.iter().any(|platform| platform.name == name),
        };
        let mut missing = String::new();
        for line in TOOLS.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split(' ').collect();
            let [of, program, package] = words[..] else {
                anyhow::bail!("`{line}` does not consist of three words")
            };
            if is_needed(of) && !on_path(program) {
                missing += &format!("  {program}: apt-get install {package}\n");
            }
        }
        let needs_zig = platforms.iter().any(|platform| platform.is_linked_by_zig());
        let zig = if needs_zig { zig()? } else { Some(Vec::new()) };
        if zig.is_none() {
            let environment = target_dir()?.join(ENVIRONMENT).display().to_string();
            missing += &format!(
                "  zig {ZIG}: python3 -m venv {environment} && {environment}/bin/pip install ziglang=={ZIG}\n"
            );
        }
        ensure!(missing.is_empty(), "tools are missing:\n{missing}");
        Ok(Self { zig: zig.unwrap_or_default() })
    }

    pub(super) fn zigs_library(&self) -> Result<PathBuf> {
        let (program, arguments) = self.zig.split_first().context("zig is not available")?;
        let output = run(Command::new(program).args(arguments).arg("env"), "zig does not work.")?;
        let line = output.lines().find_map(|line| line.trim().strip_prefix(".lib_dir = \""));
        let path = line.and_then(|rest| rest.split('"').next());
        path.map(PathBuf::from).context("zig does not report its location")
    }

    /// zig's C compiler is also its linker.
    pub(super) fn zig_cc(&self) -> Vec<OsString> {
        self.zig.iter().cloned().chain(["cc".into()]).collect()
    }
}

fn zig() -> Result<Option<Vec<OsString>>> {
    let python = target_dir()?.join(ENVIRONMENT).join("bin/python3").into_os_string();
    let candidates = [vec!["zig".into()], vec![python, "-m".into(), "ziglang".into()]];
    Ok(candidates.into_iter().find(|words| {
        let version = run(Command::new(&words[0]).args(&words[1..]).arg("version"), "");
        version.is_ok_and(|version| version.trim() == ZIG)
    }))
}
