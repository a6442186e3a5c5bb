//! `cargo xtask header`: copies the generated C header to its committed place.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::cargo::{cargo, root};

/// Where the header is committed, from the root of the workspace.
const COMMITTED: &str = "include/netclock/netclock.h";
/// How the library's build script says where it wrote the header.
const GENERATED: &str = "NETCLOCK_GENERATED_HEADER";

/// Writes the header, or with `check` fails when it is not up to date.
pub(crate) fn header(check: bool) -> Result<ExitCode> {
    let generated = read(&generate()?)?;
    let path = root().join(COMMITTED);
    let committed = if path.exists() { read(&path)? } else { String::new() };

    if committed == generated {
        println!("{COMMITTED} is up to date");
    } else if check {
        bail!("{COMMITTED} is not what src/ffi says: run `cargo xtask header` and commit the result");
    } else {
        let dir = path.parent().unwrap_or(root());
        fs::create_dir_all(dir).with_context(|| format!("creating {}", dir.display()))?;
        fs::write(&path, generated).with_context(|| format!("writing {}", path.display()))?;
        println!("{COMMITTED} written");
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the build script through Cargo and returns the path it announces.
fn generate() -> Result<PathBuf> {
    let output = cargo()
        .args(["check", "--package", "netclock", "--lib"])
        .args(["--message-format", "json-render-diagnostics"])
        .stderr(Stdio::inherit())
        .output()
        .context("cargo could not be started")?;
    ensure!(output.status.success(), "the library does not build: mend the errors above first");
    announced(&String::from_utf8_lossy(&output.stdout))
        .with_context(|| format!("no build script set {GENERATED}: build.rs should"))
}

/// The header's path among Cargo's messages, one JSON object a line.
fn announced(messages: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "build-script-executed")
        .flat_map(|message| message["env"].as_array().cloned().unwrap_or_default())
        .find(|variable| variable[0] == GENERATED)
        .and_then(|variable| variable[1].as_str().map(PathBuf::from))
}

/// The text with LF line ends, whatever line ends git checked out.
fn read(path: &Path) -> Result<String> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    Ok(text.replace("\r\n", "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_announced_header() {
        let messages = r#"{"reason":"compiler-artifact","filenames":["x"]}
not json
{"reason":"build-script-executed","env":[["OTHER","1"]]}
{"reason":"build-script-executed","env":[["OTHER","1"],["NETCLOCK_GENERATED_HEADER","out/netclock.h"]]}"#;
        assert_eq!(announced(messages), Some(PathBuf::from("out/netclock.h")));
        assert_eq!(announced("{}"), None);
    }
}
