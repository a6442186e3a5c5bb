//! The client in C#, compiled and run by Mono.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::compiler::{run, scratch};
use crate::library::Library;

#[test]
fn mono_follows_a_server() {
    if cfg!(not(target_os = "linux")) {
        return crate::tools::skip("the library is found as Linux finds it");
    }
    // Nobody has to have them, not even where other tools are required.
    for tool in ["mcs", "mono"] {
        if !Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success()) {
            println!("skipped: no {tool}");
            return;
        }
    }
    let dir = scratch("csharp");
    let program = dir.join("client.exe");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/csharp/client.cs");
    run(Command::new("mcs").arg("-warnaserror+").arg(format!("-out:{}", program.display())).arg(source))
        .unwrap_or_else(|failure| panic!("{failure}"));
    fs::copy(&Library::get().shared, dir.join("libnetclock.so")).expect("it was just built");
    let output = run(Command::new("mono").arg(program).env("LD_LIBRARY_PATH", &dir))
        .unwrap_or_else(|failure| panic!("{failure}"));
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said.trim(), "the server is ahead by 3600 s");
}
