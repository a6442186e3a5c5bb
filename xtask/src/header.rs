//! `cargo xtask header`: writes the C and C++ headers from the declarations in `src/ffi`.

use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::abi::{HEADERS, abi, headers};
use crate::bindings::{c, cpp};
use crate::cargo::{read, root};

/// The hand-written base of the C++ headers.
const WRITTEN_BY_HAND: [&str; 2] = ["netclock_call.hpp", "netclock_time.hpp"];

/// Writes the headers, or with `check` fails if they are not up to date.
pub(crate) fn header(check: bool) -> Result<ExitCode> {
    let abi = abi()?;
    let generated = c::headers(&abi)?.into_iter().chain(cpp::headers(&abi)?).collect();
    let mut committed = BTreeMap::new();
    for name in headers()?.into_iter().filter(|name| !WRITTEN_BY_HAND.contains(&name.as_str())) {
        committed.insert(name.clone(), read(format!("{HEADERS}/{name}"))?);
    }
    replace(&committed, &generated, check)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the committed headers, or with `check` fails if they differ.
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
