//! `cargo xtask header`: copies the generated C headers to their committed place, and writes those for C++
//! beside them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::abi::{HEADERS, headers};
use crate::cargo::{built, cargo, file_name, listed, messages, read, root};
use crate::dist::bindings::cpp;

/// What the headers for C++ stand on.
const WRITTEN_BY_HAND: [&str; 2] = ["netclock_call.hpp", "netclock_time.hpp"];
/// How the library's build script says where it wrote the headers.
const GENERATED: &str = "NETCLOCK_GENERATED_HEADERS";

/// Writes the headers, or with `check` fails when they are not up to date.
pub(crate) fn header(check: bool) -> Result<ExitCode> {
    let folder = generate()?;
    let mut generated = BTreeMap::new();
    for path in listed(&folder)? {
        generated.insert(file_name(&path), read(&path)?);
    }
    let c_headers: Vec<_> = generated.clone().into_iter().collect();
    generated.extend(cpp::headers(&c_headers)?);
    let mut committed = BTreeMap::new();
    for name in headers()?.into_iter().filter(|name| !WRITTEN_BY_HAND.contains(&name.as_str())) {
        committed.insert(name.clone(), read(format!("{HEADERS}/{name}"))?);
    }
    replace(&committed, &generated, check)?;
    Ok(ExitCode::SUCCESS)
}

/// Makes the committed headers those, or with `check` fails if they differ.
fn replace(
    committed: &BTreeMap<String, String>,
    wanted: &BTreeMap<String, String>,
    check: bool,
) -> Result<()> {
    let surplus = committed.keys().filter(|name| !wanted.contains_key(*name)).map(|name| (name, None));
    let changed = wanted.iter().filter(|(name, text)| committed.get(*name) != Some(text));
    let changed = changed.map(|(name, text)| (name, Some(text)));
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
    let mut check = cargo();
    check.args(["check", "--package", "netclock", "--lib", "--features", "header"]);
    messages(&built(check.args(["--message-format", "json-render-diagnostics"]))?)
        .filter(|message| message["reason"] == "build-script-executed")
        .flat_map(|message| message["env"].as_array().cloned().unwrap_or_default())
        .find(|variable| variable[0] == GENERATED)
        .and_then(|variable| variable[1].as_str().map(PathBuf::from))
        .with_context(|| format!("no build script set {GENERATED}: build.rs should"))
}
