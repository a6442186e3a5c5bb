//! Generates a few lists from `src/ffi`, and names the shared library by the version of its ABI. The C headers
//! are written by `cargo xtask header`.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use sources::Sources;

#[path = "build/lists.rs"]
mod lists;
#[path = "build/names.rs"]
mod names;
#[expect(dead_code, reason = "the headers need more of them: `cargo xtask header`")]
#[path = "build/sources.rs"]
mod sources;

/// The folder of the whole ABI.
const FFI_DIR: &str = "src/ffi";

fn main() {
    if let Err(error) = generate() {
        // A message to Cargo ends with its line, and a syntax error spans several.
        let error = error.to_string().replace('\n', " ");
        println!("cargo::error=the lists could not be generated from {FFI_DIR}: {error}");
    }
}

fn generate() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed={FFI_DIR}");

    let out = PathBuf::from(env::var("OUT_DIR")?);
    let sources = Sources::read(FFI_DIR)?;
    fs::write(out.join("status_texts.rs"), lists::status_texts(&sources)?)?;
    // For the tests: every status by name, every structure with its fields, and every function.
    fs::write(out.join("status_names.rs"), lists::status_names(&sources)?)?;
    fs::write(out.join("layouts.rs"), lists::layouts(&sources))?;
    fs::write(out.join("functions.rs"), lists::functions(&sources))?;

    // For the tests: the machine to compile C for.
    println!("cargo::rustc-env=NETCLOCK_TARGET={}", env::var("TARGET")?);
    names::name_shared_library(&sources)
}
