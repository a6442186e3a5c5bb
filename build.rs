//! Generates the C headers and a few lists from `src/ffi`, and names the shared library by the version of its
//! ABI.
//!
//! The headers are made with the feature `header` only. The source tree is never written to: `cargo xtask
//! header` copies them to `include/netclock`, and `cargo xtask header --check` fails when they differ.

use std::error::Error;
#[cfg(feature = "header")]
use std::path::Path;
use std::path::PathBuf;
use std::{env, fs};

use sources::Sources;

#[cfg(feature = "header")]
#[path = "build/book.rs"]
mod book;
#[path = "build/lists.rs"]
mod lists;
#[path = "build/names.rs"]
mod names;
#[cfg_attr(not(feature = "header"), expect(dead_code, reason = "of the headers"))]
#[path = "build/sources.rs"]
mod sources;
#[cfg_attr(not(feature = "header"), expect(dead_code, reason = "of the headers"))]
#[path = "build/spelling.rs"]
mod spelling;

/// The folder of the whole ABI; cbindgen follows the `mod` lines of its `mod.rs`.
const FFI_DIR: &str = "src/ffi";
/// What the header of the clock begins with.
#[cfg(feature = "header")]
const BANNER: &str = "src/ffi/banner.h";
const CONFIG: &str = "cbindgen.toml";

fn main() {
    if let Err(error) = generate() {
        // A message to Cargo ends with its line, and a syntax error spans several.
        let error = error.to_string().replace('\n', " ");
        println!("cargo::error=the C headers could not be generated from {FFI_DIR}: {error}");
    }
}

fn generate() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed={CONFIG}");
    println!("cargo::rerun-if-changed={FFI_DIR}");

    let out = PathBuf::from(env::var("OUT_DIR")?);
    let sources = Sources::read(FFI_DIR)?;
    fs::write(out.join("status_texts.rs"), lists::status_texts(&sources)?)?;
    // For the tests: every status by name, structure with its fields, function, and handle.
    fs::write(out.join("status_names.rs"), lists::status_names(&sources)?)?;
    fs::write(out.join("layouts.rs"), lists::layouts(&sources))?;
    fs::write(out.join("functions.rs"), lists::functions(&sources))?;
    fs::write(out.join("handles.rs"), lists::handles(&sources))?;
    fs::write(out.join("entries.rs"), lists::entries(&sources))?;

    // For the tests: the machine to compile C for.
    println!("cargo::rustc-env=NETCLOCK_TARGET={}", env::var("TARGET")?);
    #[cfg(feature = "header")]
    write_headers(&out.join("headers"), &sources)?;
    names::name_shared_library(&sources)
}

/// Writes each header into this folder, which has nothing else, and names it to `cargo xtask header`.
#[cfg(feature = "header")]
fn write_headers(folder: &Path, sources: &Sources) -> Result<(), Box<dyn Error>> {
    println!("cargo::rustc-env=NETCLOCK_GENERATED_HEADERS={}", folder.display());
    let mut config = cbindgen::Config::from_file(CONFIG)?;
    config.export.rename = spelling::c_type_names(sources);
    let mut text = Vec::new();
    let root = format!("{FFI_DIR}/mod.rs");
    cbindgen::Builder::new().with_config(config).with_src(root).generate()?.write(&mut text);
    let plain = String::from_utf8(text)?;
    let plain = spelling::sized_constants(&spelling::short_comments(&plain), sources);
    let banner = fs::read_to_string(BANNER).map_err(|error| format!("{BANNER}: {error}"))?;
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for header in book::bind(&banner, &plain, sources)? {
        fs::write(folder.join(header.name), header.text)?;
    }
    Ok(())
}
