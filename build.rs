//! Generates the C headers and a few lists from `src/ffi`, and names the shared library by the version of its
//! ABI.
//!
//! The source tree is never written to: `cargo xtask header` copies the headers to `include/netclock`, and
//! `tests/c/header.rs` fails when they differ.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use sources::Sources;

#[path = "build/book.rs"]
mod book;
#[path = "build/lists.rs"]
mod lists;
#[path = "build/names.rs"]
mod names;
#[path = "build/sources.rs"]
mod sources;
#[path = "build/spelling.rs"]
mod spelling;

/// The folder of the whole ABI; cbindgen follows the `mod` lines of its `mod.rs`.
const FFI_DIR: &str = "src/ffi";
/// What the header of the clock begins with.
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
    // For the tests: every status by name, every structure with its fields, and every function.
    fs::write(out.join("status_names.rs"), lists::status_names(&sources)?)?;
    fs::write(out.join("layouts.rs"), lists::layouts(&sources))?;
    fs::write(out.join("functions.rs"), lists::functions(&sources))?;
    fs::write(out.join("entries.rs"), lists::entries(&sources))?;

    let headers = out.join("headers");
    // For the tests: the headers to compare with, and the machine to compile C for.
    println!("cargo::rustc-env=NETCLOCK_GENERATED_HEADERS={}", headers.display());
    println!("cargo::rustc-env=NETCLOCK_TARGET={}", env::var("TARGET")?);
    write_headers(&headers, &sources)?;
    names::name_shared_library(&sources)
}

/// Writes each header into this folder, which has nothing else.
fn write_headers(folder: &Path, sources: &Sources) -> Result<(), Box<dyn Error>> {
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
