//! The declarations of `src/ffi` in other languages: C, C++, Python (`ctypes`) and C#.

pub(crate) mod c;
pub(crate) mod cpp;
mod csharp;
mod python;

pub(crate) use csharp::source as csharp;
pub(crate) use python::module as python;

/// `netclock_client_config` as `ClientConfig`.
fn camel(name: &str) -> String {
    let words = name.trim_start_matches("netclock_").split('_');
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    words.map(capital).collect()
}

/// `OK` for `NETCLOCK_OK`.
fn bare(constant: &str) -> &str {
    constant.trim_start_matches("NETCLOCK_")
}
