//! Builds all test programs of the workspace in one go and runs them directly.
//!
//! `cargo test` would run these programs one after another. It would also rebuild the library whenever a
//! package enables different features of its dependencies. All doctests count as one program, because Cargo
//! can reuse the built libraries if it runs the doctests of all packages at once.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command::cmd;
use crate::step::{Ended, Tally};
use crate::{built, messages, root};

/// Passes the path of the workbench to `tests/unreal/workbench.rs`. If that test built the workbench with
/// Cargo, it would replace files that other tests use.
const LAB: &str = "NETCLOCK_TEST_LAB";

pub(crate) struct Built {
    pub(crate) programs: Vec<Program>,
    lab: OsString,
}

pub(crate) struct Program {
    /// The package and the target, such as `lab/processes`.
    pub(crate) name: String,
    pub(crate) executable: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    /// The working directory, as for `cargo test`.
    pub(crate) package: PathBuf,
}

impl Built {
    pub(crate) fn build() -> Result<Self> {
        Self::read(&built(&mut cmd!(
            "cargo test --workspace --all-targets --no-run --message-format json-render-diagnostics"
        ))?)
    }

    fn read(text: &str) -> Result<Self> {
        let mut programs = BTreeMap::new();
        let mut lab = None;
        for message in messages(text) {
            if message["reason"] != "compiler-artifact" {
                continue;
            }
            if let Some(program) = Program::read(&message)? {
                programs.insert(program.name.clone(), program);
            } else if message["target"]["name"] == "lab" && message["profile"]["test"] == false {
                lab = message["executable"].as_str().map(OsString::from);
            }
        }
        let lab = lab.context("Cargo does not report the path of the workbench")?;
        let examples = Program {
            name: "examples of the documentation".to_owned(),
            executable: cmd!("cargo").get_program().into(),
            arguments: ["test", "--workspace", "--doc"].map(OsString::from).into(),
            package: root().to_owned(),
        };
        let programs = programs.into_values().chain([examples]).collect();
        Ok(Self { programs, lab })
    }

    /// Runs two programs at a time, because otherwise a core would be idle during each program's last test.
    /// The output of a program is printed when it ends.
    pub(crate) fn run(&self, programs: &[&Program]) -> Result<Vec<(String, Ended)>> {
        let next = Mutex::new(programs.iter());
        let (ends, ended) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                let (ends, next) = (ends.clone(), &next);
                scope.spawn(move || {
                    while let Some(program) = next.lock().ok().and_then(|mut next| next.next()) {
                        println!("-- {} runs", program.name);
                        if ends.send((program, self.run_one(program))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(ends);
            let mut all = Vec::new();
            for (program, output) in ended {
                let (ended, text) = output?;
                println!("\n== {}: {}", program.name, program.executable.display());
                std::io::stdout().write_all(&text).context("printing the output of a test program")?;
                all.push((program.name.clone(), ended));
            }
            Ok(all)
        })
    }

    fn run_one(&self, program: &Program) -> Result<(Ended, Vec<u8>)> {
        let start = Instant::now();
        let mut command = Command::new(&program.executable);
        command.current_dir(&program.package).args(&program.arguments);
        command.env(LAB, &self.lab);
        let output =
            command.output().with_context(|| format!("cannot start {}", program.executable.display()))?;
        let mut text = output.stdout;
        let mut tally = Tally::default();
        text.extend(output.stderr);
        String::from_utf8_lossy(&text).lines().for_each(|line| tally.add_line(&program.name, line));
        let ended =
            Ended { tally, succeeded: output.status.success(), seconds: start.elapsed().as_secs_f64() };
        Ok((ended, text))
    }
}

impl Program {
    fn read(message: &Value) -> Result<Option<Self>> {
        let Some(executable) = message["executable"].as_str() else { return Ok(None) };
        if message["profile"]["test"] != true {
            return Ok(None);
        }
        let text = |value: &Value| value.as_str().map(str::to_owned).context("Cargo left a name out");
        let mut package = PathBuf::from(text(&message["manifest_path"])?);
        package.pop();
        let place = package.strip_prefix(root()).unwrap_or(&package).display().to_string();
        let target = text(&message["target"]["name"])?;
        let kind = text(&message["target"]["kind"][0])?;
        let kind = if kind == "test" { String::new() } else { format!(" ({kind})") };
        let name = format!("{place}/{target}{kind}").trim_start_matches('/').to_owned();
        // This program's tests spend most of their time waiting.
        let arguments: &[&str] = if name == "lab/processes" { &["--test-threads", "6"] } else { &[] };
        let arguments = arguments.iter().map(OsString::from).collect();
        Ok(Some(Self { name, executable: executable.into(), arguments, package }))
    }
}
