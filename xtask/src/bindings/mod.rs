//! `cargo xtask header` writes the declarations of `src/ffi` for C, C++, Python (`ctypes`) and C#.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use fs_err as fs;

use crate::{Abi, HEADERS, abi, headers, read, root};

pub(crate) mod c;
mod cpp;
mod csharp;
mod python;

pub(crate) const CSHARP: &str = "packaging/csharp/NetClock.cs";
/// The first file is written by hand, and the second one is generated.
pub(crate) const PYTHON: [&str; 2] =
    ["packaging/python/netclock/__init__.py", "packaging/python/netclock/_headers.py"];

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
            Some(text) => fs::write(path, text),
            None => fs::remove_file(path),
        }?;
        println!("{name} {}", if text.is_some() { "written" } else { "removed" });
    }
    println!("the headers in {HEADERS} are up to date");
    Ok(ExitCode::SUCCESS)
}

fn generated(abi: &Abi) -> Result<Vec<(String, String)>> {
    let headers = c::headers(abi)?.into_iter().chain(cpp::headers(abi)?);
    let others = [(CSHARP, csharp::source(abi)), (PYTHON[1], python::source(abi))];
    let others = others.map(|(path, text)| (path.to_owned(), text));
    Ok(headers.map(|(name, text)| (format!("{HEADERS}/{name}"), text)).chain(others).collect())
}

fn camel(name: &str) -> String {
    let words = name.trim_start_matches("netclock_").split('_');
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    words.map(capital).collect()
}

fn bare(constant: &str) -> &str {
    constant.trim_start_matches("NETCLOCK_")
}
