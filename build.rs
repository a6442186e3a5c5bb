//! Generates the C header from `src/ffi` into `OUT_DIR/netclock.h`, and names the shared library by the version
//! of its ABI.
//!
//! The source tree is never written to: `cargo xtask header` copies the result to
//! `include/netclock/netclock.h`, and `tests/c/header.rs` fails when the two differ.

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The module that lists the whole ABI; cbindgen follows its `mod` lines.
const FFI_ROOT: &str = "src/ffi/mod.rs";
const FFI_DIR: &str = "src/ffi";
const CONFIG: &str = "cbindgen.toml";
/// Columns that a comment of one line may take, as in the Rust sources.
const COMMENT_WIDTH: usize = 110;

fn main() {
    if let Err(error) = generate() {
        // A message to Cargo ends with its line, and a syntax error spans several.
        let error = error.to_string().replace('\n', " ");
        println!("cargo::error=the C header could not be generated from {FFI_DIR}: {error}");
    }
}

fn generate() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={CONFIG}");
    println!("cargo::rerun-if-changed={FFI_DIR}");

    let header = PathBuf::from(env::var("OUT_DIR")?).join("netclock.h");
    // For the tests: the header to compare with, and the machine to compile C for.
    println!("cargo::rustc-env=NETCLOCK_GENERATED_HEADER={}", header.display());
    println!("cargo::rustc-env=NETCLOCK_TARGET={}", env::var("TARGET")?);

    let sources = read_sources(Path::new(FFI_DIR))?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("status_texts.rs"), status_texts(&sources)?)?;
    // For the tests: every status by name, and every structure with its fields.
    fs::write(out.join("status_names.rs"), status_names(&sources))?;
    fs::write(out.join("layouts.rs"), layouts(&sources))?;
    let mut config = cbindgen::Config::from_file(CONFIG)?;
    config.header = Some(banner());
    config.after_includes = Some(version_macros()?);
    config.export.rename = c_type_names(&sources);

    let mut text = Vec::new();
    cbindgen::Builder::new().with_config(config).with_src(FFI_ROOT).generate()?.write(&mut text);
    let text = sized_constants(&short_comments(&String::from_utf8(text)?), &sources);
    fs::write(&header, text).map_err(|error| format!("{}: {error}", header.display()))?;
    name_shared_library(&sources)
}

/// Writes into the shared library the name by which programs ask for it at run time. It ends with the version of
/// the ABI, so that the loader already refuses a library that `netclock_abi_version` would expose.
fn name_shared_library(sources: &[Source]) -> Result<(), Box<dyn Error>> {
    let version = abi_version(sources).ok_or("no constant NETCLOCK_ABI_VERSION")?;
    let target = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    let name = if target("FAMILY") != "unix" {
        "netclock.dll".to_owned()
    } else if target("VENDOR") == "apple" {
        let name = format!("libnetclock.{version}.dylib");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/{name}");
        name
    } else if target("OS") == "android" {
        // Its packages take no file whose name goes on behind `.so`.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libnetclock.so");
        "libnetclock.so".to_owned()
    } else {
        let name = format!("libnetclock.so.{version}");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{name}");
        name
    };
    // For the tests, which run programs that ask for it.
    println!("cargo::rustc-env=NETCLOCK_RUNTIME_NAME={name}");
    Ok(())
}

/// The number in `pub const NETCLOCK_ABI_VERSION: u32 = 1;`.
fn abi_version(sources: &[Source]) -> Option<u32> {
    let declared = |source: &Source| {
        let (_, rest) = source.text.split_once("pub const NETCLOCK_ABI_VERSION: u32 = ")?;
        rest.split_once(';')?.0.parse().ok()
    };
    sources.iter().find_map(declared)
}

/// A Rust file.
struct Source {
    path: PathBuf,
    text: String,
}

/// Every Rust file under `dir`.
fn read_sources(dir: &Path) -> Result<Vec<Source>, String> {
    let located = |path: &Path, error| format!("{}: {error}", path.display());
    let mut sources = Vec::new();
    for entry in fs::read_dir(dir).map_err(|error| located(dir, error))? {
        let path = entry.map_err(|error| located(dir, error))?.path();
        if path.is_dir() {
            sources.extend(read_sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).map_err(|error| located(&path, error))?;
            sources.push(Source { path, text });
        }
    }
    Ok(sources)
}

fn banner() -> String {
    [
        "/*",
        " * NetClock: the server's time on every client.",
        " * SPDX-License-Identifier: MIT OR Apache-2.0",
        " *",
        " * Generated from src/ffi. Do not edit: run `cargo xtask header`.",
        " */",
    ]
    .join("\n")
}

/// The version of the header, for `#if`. The library found at run time may be another
/// one, which only a function of the ABI can tell.
fn version_macros() -> Result<String, env::VarError> {
    Ok([
        String::new(),
        "/**".to_owned(),
        " * Version of this header, as numbers and as text.".to_owned(),
        " */".to_owned(),
        format!("#define NETCLOCK_VERSION_MAJOR {}", env::var("CARGO_PKG_VERSION_MAJOR")?),
        format!("#define NETCLOCK_VERSION_MINOR {}", env::var("CARGO_PKG_VERSION_MINOR")?),
        format!("#define NETCLOCK_VERSION_PATCH {}", env::var("CARGO_PKG_VERSION_PATCH")?),
        format!("#define NETCLOCK_VERSION_STRING \"{}\"", env::var("CARGO_PKG_VERSION")?),
    ]
    .join("\n"))
}

/// Every type name `NetclockFooBar` in the sources with its C spelling `netclock_foo_bar`.
/// A rule instead of a table, so that no new type can be forgotten.
fn c_type_names(sources: &[Source]) -> HashMap<String, String> {
    sources
        .iter()
        .flat_map(|source| source.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        .filter(|word| is_abi_type_name(word))
        .map(|word| (word.to_owned(), snake_case(word)))
        .collect()
}

/// True for `NetclockStatus`; false for `Netclock` and `NETCLOCK_OK`.
fn is_abi_type_name(word: &str) -> bool {
    word.strip_prefix("Netclock")
        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()))
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// Every status with its text, the first sentence of its documentation, as an array of pairs. A status is an
/// `i32` of a file `status.rs`.
fn status_texts(sources: &[Source]) -> Result<String, String> {
    let mut texts = Vec::new();
    for source in sources.iter().filter(|source| source.path.ends_with("status.rs")) {
        let mut comment = String::new();
        for line in source.text.lines() {
            if let Some(words) = line.strip_prefix("///") {
                comment += words;
                continue;
            }
            if let Some((name, value)) = status_declared(line) {
                let sentence = comment.trim().split(". ").next().unwrap_or_default().trim_end_matches('.');
                let value: i32 = value.parse().map_err(|error| format!("{name} is {value}: {error}"))?;
                texts.push((value, in_a_line(sentence)));
            }
            comment.clear();
        }
    }
    texts.sort_by_key(|&(value, _)| (value < 0, value.abs()));
    let pairs = texts.iter().map(|(value, text)| format!("    ({value}, c{text:?}),\n"));
    Ok(format!("&[\n{}]\n", pairs.collect::<String>()))
}

/// The names of all statuses, as an array.
fn status_names(sources: &[Source]) -> String {
    let files = sources.iter().filter(|source| source.path.ends_with("status.rs"));
    let names = files.flat_map(|source| source.text.lines().filter_map(status_declared));
    format!("&[{}]\n", names.map(|(name, _)| format!("{name:?}, ")).collect::<String>())
}

/// A call of the macro `layout` for every structure that C sees into, as an array.
fn layouts(sources: &[Source]) -> String {
    let mut calls = String::new();
    for source in sources {
        for declaration in source.text.split("#[repr(C)]").skip(1) {
            let Some((_, rest)) = declaration.split_once("pub struct ") else { continue };
            let Some((name, rest)) = rest.split_once(" {\n") else { continue };
            let body = rest.split_once("\n}").map_or(rest, |(body, _)| body);
            let fields = body.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(": "));
            let fields: Vec<&str> = fields.map(|(field, _)| field).collect();
            let (module, c_name) = (module_of(&source.path), snake_case(name));
            calls += &format!("layout!({c_name:?}, {module}::{name} {{ {} }}),\n", fields.join(", "));
        }
    }
    format!("[\n{calls}]\n")
}

/// `crate::ffi::client::event` of `src/ffi/client/event.rs`.
fn module_of(path: &Path) -> String {
    let inside = path.with_extension("");
    let names = inside.components().skip(1).map(|part| part.as_os_str().to_string_lossy().into_owned());
    std::iter::once("crate".to_owned()).chain(names).collect::<Vec<_>>().join("::")
}

/// The name and the value in `pub const NETCLOCK_OK: i32 = 0;`.
fn status_declared(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("pub const ")?.strip_suffix(';')?.split_once(": i32 = ")
}

/// A sentence as it follows "netclock_client_tick: ".
fn in_a_line(sentence: &str) -> String {
    let plain = sentence.replace('`', "");
    let mut letters = plain.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// Puts a comment of one line of text on one line, where that fits: cbindgen takes three.
fn short_comments(header: &str) -> String {
    let mut short = String::new();
    let mut lines = header.lines();
    while let Some(line) = lines.next() {
        let rest: Vec<&str> = lines.clone().take(2).collect();
        match joined_comment(line, &rest) {
            Some(comment) => {
                short.push_str(&comment);
                lines.nth(1);
            }
            None => short.push_str(line),
        }
        short.push('\n');
    }
    short
}

/// `/** text */` for the three lines `/**`, ` * text`, ` */`.
fn joined_comment(first: &str, rest: &[&str]) -> Option<String> {
    let indent = first.strip_suffix("/**")?;
    let [text, end] = rest else { return None };
    let text = text.strip_prefix(indent)?.strip_prefix(" * ")?;
    let comment = format!("{first} {text} */");
    (end.strip_prefix(indent)? == " */" && comment.len() <= COMMENT_WIDTH).then_some(comment)
}

/// Gives constants the width they have in Rust, and negative ones parentheses.
///
/// cbindgen writes an `i64` of ten million as a bare `10000000`, an `int` in C, so that
/// `seconds * NETCLOCK_TICKS_PER_SECOND` would overflow from 215 seconds on.
fn sized_constants(header: &str, sources: &[Source]) -> String {
    let mut sized = String::new();
    for line in header.lines() {
        sized.push_str(&sized_constant(line, sources).unwrap_or_else(|| line.to_owned()));
        sized.push('\n');
    }
    sized
}

/// `None` for a line that stays as it is.
fn sized_constant(line: &str, sources: &[Source]) -> Option<String> {
    let (name, value) = line.strip_prefix("#define ")?.split_once(' ')?;
    let number: i128 = value.parse().ok()?;
    let declared = |kind: &str| {
        let declaration = format!("pub const {name}: {kind} =");
        sources.iter().any(|source| source.text.contains(&declaration))
    };
    let value = if declared("i64") {
        format!("INT64_C({number})")
    } else if declared("u64") {
        format!("UINT64_C({number})")
    } else {
        number.to_string()
    };
    let value = if number < 0 { format!("({value})") } else { value };
    Some(format!("#define {name} {value}"))
}
