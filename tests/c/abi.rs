//! Tests which system libraries a static build needs. `cargo xtask dist` checks the exported functions.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::abi_data::{ABI, Kind};
use crate::library::Library;

/// The C programs use this list to measure each handle's size and to make the handle's allocations fail.
#[test]
fn the_c_programs_list_every_handle_type() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c_abi");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("it is committed");
    let listed = read("handles.h") + &read("out_of_memory.c");
    let handles = ABI.iter().filter(|item| matches!(item.kind, Kind::Handle));
    let missing: Vec<&str> = handles
        .map(|item| item.name.trim_start_matches("netclock_"))
        .filter(|name| {
            !listed.contains(&format!("X({name}, ")) && !listed.contains(&format!("EACH({name}, "))
        })
        .collect();
    assert!(missing.is_empty() && listed.matches(" X(").count() > 5, "{missing:?}");
}

/// Users pass these libraries to their linker, so another library would break their builds.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn the_archive_needs_the_pinned_system_libraries() {
    let rlib = Library::get().archive.with_extension("rlib");
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native-libraries");
    fs::create_dir_all(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let source = dir.join("probe.rs");
    fs::write(&source, "extern crate netclock;\n").expect("the directory was just created");
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
        .expect("rustc is on the path");
    let printed = String::from_utf8_lossy(&output.stderr);
    let Some((_, list)) = printed.split_once("native-static-libs:") else {
        panic!("rustc printed: {printed}")
    };
    let needed: BTreeSet<&str> = list.lines().next().unwrap_or_default().split_whitespace().collect();
    let pinned: BTreeSet<&str> = crate::library::native_libraries().iter().copied().collect();
    assert_eq!(needed, pinned, "rustc's list (left) does not match tests/support/library.rs (right)");
}
