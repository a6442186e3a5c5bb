//! Disks that do not tell `NetClock.h` from `netclock.h`, as those of Windows and macOS: clang is given a
//! view of the sources in which names have no case.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::compiler::{Compiler, run, scratch};
use super::files::{here, modules, write};

/// On macOS clang is called `c++` too; its disks need no view.
pub(crate) fn is_clang(compiler: &Compiler) -> bool {
    compiler.name().starts_with("clang")
}

/// Writes the view of these directories, for clang's `-ivfsoverlay`.
pub(crate) fn write_overlay(file: &Path, dirs: &[PathBuf]) {
    let roots: Vec<Value> = dirs.iter().map(|dir| directory(dir, &dir.to_string_lossy())).collect();
    let overlay = json!({ "version": 0, "case-sensitive": "false", "roots": roots });
    write(file, &overlay.to_string());
}

fn directory(dir: &Path, name: &str) -> Value {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut contents: Vec<(String, Value)> = Vec::new();
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", dir.display())).path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_source = path.extension().is_some_and(|it| it == "h" || it == "cpp" || it == "hpp");
        if path.is_dir() {
            contents.push((name.clone(), directory(&path, &name)));
        } else if is_source {
            let file = json!({ "type": "file", "name": name, "external-contents": path });
            contents.push((name, file));
        }
    }
    contents.sort_by(|one, other| one.0.cmp(&other.0));
    let contents: Vec<Value> = contents.into_iter().map(|it| it.1).collect();
    json!({ "type": "directory", "name": name, "contents": contents })
}

/// The view works: in it, the name that the C header once had leads to the plugin's own `NetClock.h`.
/// Everything that clang compiles of the plugin, it compiles in that view.
#[test]
fn names_without_case_lead_to_another_header() {
    // A disk of Windows tells no names apart by itself.
    let found = |it: &Compiler| is_clang(it) && !cfg!(windows);
    let Some(clang) = Compiler::all("c++20").into_iter().find(found) else {
        super::tools::skip("no clang, or a disk of Windows");
        return;
    };
    let dir = scratch("unreal-any-case");
    let netclock =
        modules().into_iter().find(|it| it.ends_with("NetClock")).expect("it is the plugin's main module");
    let source = dir.join("source.cpp");
    write(&source, "#include \"netclock.h\"\n");
    let overlay = dir.join("any-case.json");
    write_overlay(&overlay, std::slice::from_ref(&netclock));
    let depends = |arguments: &[&str]| {
        let mut command = clang.command();
        command
            .args(["-MM", "-MG", "-DDOUBLE_MAJOR=5", "-DDOUBLE_MINOR=8", "-I"])
            .arg(netclock.join("Public"))
            .arg("-I")
            .arg(here("engine"))
            .args(arguments)
            .arg(&source);
        let output = run(&mut command).unwrap_or_else(|failure| panic!("{failure}"));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let own = "Public/NetClock.h";
    assert!(!depends(&[]).contains(own), "this disk does not tell the names apart by itself");
    let found = depends(&["-ivfsoverlay", &overlay.to_string_lossy()]);
    assert!(found.to_lowercase().contains(&own.to_lowercase()), "{found}");
}
