//! `cargo xtask header`: copies the generated C headers to their committed place.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::abi::{HEADERS, c_headers};
use crate::cargo::{cargo, read, root};

/// How the library's build script says where it wrote the headers.
const GENERATED: &str = "NETCLOCK_GENERATED_HEADERS";

/// Writes the headers, or with `check` fails when they are not up to date.
pub(crate) fn header(check: bool) -> Result<ExitCode> {
    let folder = generate()?;
    let mut generated = BTreeMap::new();
    for entry in folder.read_dir().with_context(|| format!("reading {}", folder.display()))? {
        let path = entry.with_context(|| format!("reading {}", folder.display()))?.path();
        let name = path.file_name().context("a file has a name")?.to_string_lossy().into_owned();
        generated.insert(name, read(&path)?);
    }
    replace(&c_headers()?, &generated, check)?;
    Ok(ExitCode::SUCCESS)
}

/// Makes the committed headers those, or with `check` fails if they differ.
fn replace(committed: &[(String, String)], wanted: &BTreeMap<String, String>, check: bool) -> Result<()> {
    let surplus =
        committed.iter().map(|(name, _)| (name, None)).filter(|(name, _)| !wanted.contains_key(*name));
    let other = |(name, text): &(&String, &String)| {
        !committed.iter().any(|(known, old)| known == *name && old == *text)
    };
    let changed = wanted.iter().filter(other).map(|(name, text)| (name, Some(text)));
    for (name, text) in surplus.chain(changed) {
        ensure!(
            !check,
            "{HEADERS}/{name} is not what src/ffi says: run `cargo xtask header` and commit the result"
        );
        let path = root().join(HEADERS).join(name);
        match text {
            Some(text) => fs::write(&path, text),
            None => fs::remove_file(&path),
        }
        .with_context(|| format!("writing {}", path.display()))?;
        println!("{HEADERS}/{name} {}", if text.is_some() { "written" } else { "removed" });
    }
    println!("the headers in {HEADERS} are up to date");
    Ok(())
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

/// The headers' folder among Cargo's messages, one JSON object a line.
fn announced(messages: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "build-script-executed")
        .flat_map(|message| message["env"].as_array().cloned().unwrap_or_default())
        .find(|variable| variable[0] == GENERATED)
        .and_then(|variable| variable[1].as_str().map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_announced_headers() {
        let messages = r#"{"reason":"compiler-artifact","filenames":["x"]}
not json
{"reason":"build-script-executed","env":[["OTHER","1"]]}
{"reason":"build-script-executed","env":[["OTHER","1"],["NETCLOCK_GENERATED_HEADERS","out/headers"]]}"#;
        assert_eq!(announced(messages), Some(PathBuf::from("out/headers")));
        assert_eq!(announced("{}"), None);
    }
}
