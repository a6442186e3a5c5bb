//! Generates declarations of `src/ffi` for C, C++, Python (`ctypes`) and C#.

use anyhow::Result;

use crate::{Abi, HEADERS};

pub(crate) mod c;
mod cpp;
mod csharp;
mod python;

pub(crate) const CSHARP: &str = "packaging/csharp/NetClock.cs";
/// The first file is written by hand, and the second one is generated.
pub(crate) const PYTHON: [&str; 2] =
    ["packaging/python/netclock/__init__.py", "packaging/python/netclock/_headers.py"];

pub(crate) fn generated(abi: &Abi) -> Result<Vec<(String, String)>> {
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
