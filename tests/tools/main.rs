//! Tests installations, the plugin in a project, the Rust examples, the lemmas, the modules, and the theory.

use std::path::{Path, PathBuf};
use std::process::Command;

mod examples;
mod lemmas;
mod packaging;
mod plugin;
mod rooms;
mod theory;

#[expect(dead_code, reason = "CMake and make find compilers themselves")]
#[path = "../support/compiler.rs"]
mod compiler;
#[expect(dead_code, reason = "xtask builds the installed library")]
#[path = "../support/library.rs"]
mod library;
#[path = "../support/tools.rs"]
mod tools;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Normalizes line endings, because git may convert them.
fn read(name: impl AsRef<Path>) -> String {
    let path = root().join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.replace("\r\n", "\n")
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let entries = entries.map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn cargo() -> Command {
    let target_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap_or(Path::new("."));
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root()).env("CARGO_TARGET_DIR", target_dir);
    command
}

#[track_caller]
fn ok(command: &mut Command) -> String {
    let output = compiler::run(command).unwrap_or_else(|failure| panic!("{failure}"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
