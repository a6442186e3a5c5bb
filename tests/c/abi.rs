//! What is linked: the exported functions, the constants, the version, the system libraries.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::headers;
use crate::library::Library;
use object::Object;

const PINS: &str = include_str!("../c_abi/pins.c");

/// The shared library as the system loads it.
fn loaded(library: &Library) -> PathBuf {
    if cfg!(windows) { library.shared.with_file_name("netclock.dll") } else { library.shared.clone() }
}

#[test]
fn the_shared_library_exports_the_functions_of_the_headers_and_nothing_else() {
    let file = loaded(Library::get());
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let library = object::File::parse(&*bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let exports = library.exports().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let exported: BTreeSet<String> = exports
        .iter()
        .map(|export| {
            let name = String::from_utf8_lossy(export.name());
            // Apple's C names begin with an underscore of the system's.
            if cfg!(target_vendor = "apple") {
                name.trim_start_matches('_').to_owned()
            } else {
                name.into_owned()
            }
        })
        .collect();
    let headers = headers::all(&crate::committed());
    let declared = headers::functions(&headers).map(str::to_owned).collect();
    assert_eq!(exported, declared, "left: exported, right: declared");
}

#[test]
fn every_constant_is_pinned() {
    let plain = |value: &str| {
        let value = value.trim_start_matches('(').trim_end_matches(')');
        value.trim_start_matches("INT64_C(").to_owned()
    };
    let headers = headers::all(&crate::committed());
    let defined: BTreeMap<&str, String> =
        headers::constants(&headers).map(|(name, value)| (name, plain(value))).collect();
    let pinned: BTreeMap<&str, String> = PINS
        .lines()
        .filter_map(|line| {
            line.strip_prefix("STATUS(").or(line.strip_prefix("CONSTANT("))?.strip_suffix(");")
        })
        .filter_map(|line| line.split_once(", "))
        .map(|(name, value)| (name, plain(value)))
        .collect();
    assert_eq!(defined, pinned, "left: the headers, right: tests/c_abi/pins.c");
}

#[test]
fn the_version_is_cargos() {
    let macros = [
        ("MAJOR", env!("CARGO_PKG_VERSION_MAJOR").to_owned()),
        ("MINOR", env!("CARGO_PKG_VERSION_MINOR").to_owned()),
        ("PATCH", env!("CARGO_PKG_VERSION_PATCH").to_owned()),
        ("STRING", format!("\"{}\"", env!("CARGO_PKG_VERSION"))),
    ];
    let header = headers::read(&crate::committed(), "netclock.h");
    for (name, value) in macros {
        let line = format!("#define NETCLOCK_VERSION_{name} {value}");
        assert!(header.lines().any(|it| it == line), "the header has no line {line:?}");
    }
}

/// Whoever links the archive has to name these; one more would break every build of theirs.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn the_archive_needs_the_pinned_system_libraries() {
    // What Rust code links against lies beside the archive, and so does what that needs.
    let rlib = Library::get().archive.with_extension("rlib");
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("native-libraries");
    std::fs::create_dir_all(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let source = dir.join("probe.rs");
    std::fs::write(&source, "extern crate netclock;\n").expect("the directory was just created");
    // The compiler that built the library prints which system libraries an archive needs.
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = std::process::Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "staticlib", "--print", "native-static-libs"])
        .arg("--extern")
        .arg(format!("netclock={}", rlib.display()))
        .arg("-L")
        .arg(format!("dependency={}", rlib.with_file_name("").display()))
        .arg("--out-dir")
        .arg(&dir)
        .arg(&source)
        .output()
        .expect("rustc is on the path, as Cargo is");
    let said = String::from_utf8_lossy(&output.stderr);
    let Some((_, list)) = said.split_once("native-static-libs:") else { panic!("rustc said: {said}") };
    let needed: BTreeSet<&str> = list.lines().next().unwrap_or_default().split_whitespace().collect();
    let pinned: BTreeSet<&str> = crate::library::native_libraries().iter().copied().collect();
    assert_eq!(needed, pinned, "left: what rustc says, right: tests/support/library.rs");
}
