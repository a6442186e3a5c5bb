//! `cargo xtask header`: writes the C headers from `src/ffi`, and the types of C++ from them.

use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Error, Result, ensure};

use crate::abi::{HEADERS, headers};
use crate::cargo::{read, root};
use crate::dist::bindings::cpp;
use crate::sources::Sources;
use crate::{binding, spelling};

/// The folder of the whole ABI; cbindgen follows the `mod` lines of its `mod.rs`.
pub(crate) const FFI_DIR: &str = "src/ffi";
/// What the header of the clock begins with.
const BANNER: &str = "src/ffi/banner.h";
const CONFIG: &str = "cbindgen.toml";

/// Writes the headers, or with `check` fails when they are not up to date.
pub(crate) fn header(check: bool) -> Result<ExitCode> {
    let mut generated = generate()?;
    let c_headers: Vec<_> = generated.clone().into_iter().collect();
    generated.extend(cpp::types(&c_headers)?);
    let is_generated = |name: &String| name.ends_with(".h") || name.ends_with("_types.hpp");
    let committed = headers()?.into_iter().filter(is_generated);
    let committed = committed.map(|name| Ok((read(format!("{HEADERS}/{name}"))?, name)));
    let committed: BTreeMap<String, String> =
        committed.map(|it: Result<_>| it.map(|(text, name)| (name, text))).collect::<Result<_>>()?;
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

/// The text of each C header, by its name.
fn generate() -> Result<BTreeMap<String, String>> {
    // Comments of the headers name the folders of the sources from here.
    std::env::set_current_dir(root()).context("entering the repository")?;
    let sources = Sources::read(FFI_DIR).map_err(Error::msg)?;
    let mut config = cbindgen::Config::from_file(CONFIG).map_err(Error::msg)?;
    config.export.rename = spelling::c_type_names(&sources);
    let mut text = Vec::new();
    let root = format!("{FFI_DIR}/mod.rs");
    cbindgen::Builder::new().with_config(config).with_src(root).generate()?.write(&mut text);
    let plain = String::from_utf8(text)?;
    let plain = spelling::sized_constants(&spelling::short_comments(&plain), &sources);
    let headers = binding::bind(&read(BANNER)?, &plain, &sources).map_err(Error::msg)?;
    Ok(headers.into_iter().map(|header| (header.name.to_owned(), header.text)).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_committed_headers_are_those_of_the_sources() {
        super::header(true).expect("`cargo xtask header` writes them");
    }
}
