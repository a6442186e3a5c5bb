//! The C and C++ programs of the tests, compiled against an unpacked archive.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::cargo::{listed, read, root};
use crate::command::{command, run};

/// File extensions of the programs: C and C++.
pub(super) const ALL: &[&str] = &["c", "cpp"];

/// How programs are compiled and started for a platform.
#[derive(Clone)]
pub(super) struct Kit {
    /// The command for the C compiler.
    pub(super) c: Vec<OsString>,
    /// The command for the C++ compiler.
    pub(super) cpp: Vec<OsString>,
    /// The command that runs a program for another machine.
    pub(super) runner: Vec<OsString>,
    pub(super) include: PathBuf,
    /// Linker arguments.
    pub(super) link: Vec<OsString>,
    /// The environment variable with which programs find the shared library, and the library's directory.
    pub(super) lead: Option<(&'static str, PathBuf)>,
}

impl Kit {
    /// Compiles and runs every program of `tests/c_abi` in these languages sequentially, in `dir`. Returns
    /// their number.
    pub(super) fn run_all(&self, endings: &[&str], dir: &Path) -> Result<usize> {
        let programs = programs(&root().join("tests/c_abi"), endings)?;
        for source in &programs {
            self.run(source, dir).with_context(|| format!("{}", source.display()))?;
        }
        Ok(programs.len())
    }

    fn run(&self, source: &Path, dir: &Path) -> Result<()> {
        self.start(&self.compile(source, dir)?, dir)?;
        compare_written(source, dir)
    }

    /// Compiles a program into `dir`.
    pub(super) fn compile(&self, source: &Path, dir: &Path) -> Result<PathBuf> {
        let is_cpp = source.extension().is_some_and(|extension| extension == "cpp");
        let (words, standard) = if is_cpp { (&self.cpp, "-std=c++17") } else { (&self.c, "-std=c99") };
        let program = dir.join(source.file_stem().unwrap_or_default()).with_extension("exe");
        let mut compile = command(words, None)?;
        compile.current_dir(dir).args([standard, "-O1", "-I"]).arg(&self.include).arg("-o").arg(&program);
        compile.arg(source).args(&self.link).args(["-lm", "-lpthread"]);
        run(&mut compile, "The archive does not do for this program.")?;
        Ok(program)
    }

    /// Runs a program in `dir`. The program must succeed.
    pub(super) fn start(&self, program: &Path, dir: &Path) -> Result<()> {
        let mut start = command(&self.runner, Some(program))?;
        if let Some((variable, value)) = &self.lead {
            start.env(variable, value);
        }
        run(start.current_dir(dir), "The program works with the library of the tests.").map(drop)
    }
}

/// The programs of a directory in these languages.
pub(crate) fn programs(dir: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut programs = listed(dir)?;
    programs.retain(|path| path.extension().is_some_and(|it| endings.iter().any(|ending| it == *ending)));
    ensure!(!programs.is_empty(), "no programs in {}", dir.display());
    Ok(programs)
}

/// If a program has a `.csv` file with the same name, it writes that content to a file. This compares both.
fn compare_written(source: &Path, dir: &Path) -> Result<()> {
    let expected = source.with_extension("csv");
    if expected.exists() {
        let written = dir.join(expected.file_name().unwrap_or_default());
        ensure!(read(&written)? == read(&expected)?, "{} differs", written.display());
        fs::remove_file(&written).with_context(|| format!("removing {}", written.display()))?;
    }
    Ok(())
}
