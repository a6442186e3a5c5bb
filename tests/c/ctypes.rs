//! A full sync from Python through ctypes: the shared library needs no glue in languages that can call C.

use std::path::Path;
use std::process::Command;

use crate::compiler::run;
use crate::library::Library;

#[test]
fn python_follows_a_server() {
    let python = if cfg!(windows) { "python" } else { "python3" };
    if !crate::tools::present(&[python]) {
        return;
    }
    let shared = Library::get().shared.clone();
    // Windows tells linkers of an import library, which lies beside the library.
    let library = if cfg!(windows) { shared.with_file_name("netclock.dll") } else { shared };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ctypes/full_sync.py");
    let mut command = Command::new(python);
    // No compiled copy of the script is left beside it.
    command.arg("-B").arg(script).arg(library);
    run(&mut command).unwrap_or_else(|failure| panic!("{failure}"));
}
