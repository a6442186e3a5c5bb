//! `cargo xtask header` writes the C and C++ headers, and the declarations for C# and Python.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::bindings::generated;
use crate::{HEADERS, abi, headers, read, root};

const WRITTEN_BY_HAND: [&str; 2] = ["netclock_call.hpp", "netclock_time.hpp"];

/// With `check`, this writes nothing, but fails if a file is out of date.
pub(crate) fn header(check: bool) -> Result<ExitCode> {
    let files = generated(&abi()?)?;
    let changed = files.iter().filter(|(path, text)| read(path).ok().as_ref() != Some(text));
    let changed = changed.map(|(path, text)| (path.clone(), Some(text)));
    let committed = headers()?.into_iter().filter(|name| !WRITTEN_BY_HAND.contains(&name.as_str()));
    let committed = committed.map(|name| format!("{HEADERS}/{name}"));
    let surplus = committed.filter(|path| !files.iter().any(|it| it.0 == *path)).map(|path| (path, None));
    for (name, text) in changed.chain(surplus) {
        ensure!(!check, "{name} is not up to date: run `cargo xtask header` and commit the result");
        let path = root().join(&name);
        match text {
            Some(text) => fs::write(&path, text),
            None => fs::remove_file(&path),
        }
        .with_context(|| format!("writing {}", path.display()))?;
        println!("{name} {}", if text.is_some() { "written" } else { "removed" });
    }
    println!("the headers in {HEADERS} are up to date");
    Ok(ExitCode::SUCCESS)
}
