//! Generates lists from `src/ffi`, and adds the ABI version to the name of the shared library.
//!
//! The C headers are committed. `cargo xtask header` writes them, and `cargo xtask header --check` fails if
//! they are out of date.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use abi::Abi;

#[path = "build/abi.rs"]
#[expect(dead_code, reason = "comments and chapters are for the headers")]
mod abi;
#[path = "build/lists.rs"]
mod lists;
#[path = "build/names.rs"]
mod names;
#[path = "build/spelling.rs"]
#[expect(dead_code, reason = "declarations with comments are for the headers")]
mod spelling;

fn main() {
    if let Err(error) = generate() {
        // Cargo treats only the first line as an error message, but a syntax error spans several lines.
        let error = error.to_string().replace('\n', " ");
        println!("cargo::error=the C ABI in src/ffi was not understood: {error}");
    }
}

fn generate() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/ffi");

    let out = PathBuf::from(env::var("OUT_DIR")?);
    let abi = Abi::of(lists::read)?;
    fs::write(out.join("status_texts.rs"), lists::status_texts(&abi))?;
    fs::write(out.join("entries.rs"), lists::entries(&abi))?;
    fs::write(out.join("abi.rs"), lists::model(&abi))?;
    fs::write(out.join("layouts.rs"), lists::layouts(&abi))?;
    fs::write(out.join("functions.rs"), lists::functions(&abi))?;
    fs::write(out.join("handles.rs"), lists::handles(&abi))?;

    println!("cargo::rustc-env=NETCLOCK_TARGET={}", env::var("TARGET")?);
    names::name_shared_library(abi.version()?);
    Ok(())
}
