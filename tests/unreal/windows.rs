//! Tests the plugin as on Windows, with mingw-w64 (a 16-bit `wchar_t` and a 32-bit `long`) under wine.
//! The module loads the DLL, as in a game. `cargo xtask unreal` builds the library and runs this test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::Object;

use super::build::{Kind, build};
use super::compiler::Compiler;
use super::files::{printed_by, root, sources, write};
use super::generator::Version;
use super::library::current_build;
use super::promises::{RECORDINGS, SEED};
use super::tools;
use netclock_sim::random::seed;

/// `cargo xtask unreal` puts the library here, relative to the target directory.
const LIBRARY: &str = "unreal-windows/netclock.dll";
const COMPILER: &str = "x86_64-w64-mingw32-g++-posix";
const DLLTOOL: &str = "x86_64-w64-mingw32-dlltool";
/// The module looks for the library here, relative to the game's binaries.
const PLACE: &str = "Plugins/NetClock/Binaries/ThirdParty/NetClockLibrary/Win64";

#[test]
#[ignore = "takes minutes: cargo xtask unreal"]
fn the_plugin_keeps_its_promises_on_windows() {
    if !tools::present(&[COMPILER, DLLTOOL, "wine"]) {
        return;
    }
    if !dll().exists() {
        tools::missing(&format!("no {}: cargo xtask unreal builds it", dll().display()));
        return;
    }
    assert!(is_of_these_sources(), "{} is older than src: `cargo xtask unreal` builds it", dll().display());
    let mingw = Compiler::named(Some(COMPILER), "c++20").expect("it has just started");
    let program = build(&mingw, Version(5, 7), Kind::Windows);
    let game = program.with_extension("game");
    let binaries = game.join("Binaries");
    fs::create_dir_all(&binaries).unwrap_or_else(|error| panic!("{}: {error}", binaries.display()));
    let place = game.join(PLACE);

    // The game starts without the DLL too, because the module loads it later.
    let _ = fs::remove_dir_all(&place);
    let (printed, recordings) = play(&program, &binaries);
    assert!(printed.contains("all promises kept") && recordings == 0, "without the DLL:\n{printed}");

    fs::create_dir_all(&place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    fs::copy(dll(), place.join("netclock.dll")).expect("the test owns both folders");
    let (printed, recordings) = play(&program, &binaries);
    println!("{printed}");
    assert!(printed.contains("all promises kept"), "with the DLL:\n{printed}");
    assert_eq!(recordings, RECORDINGS);
}

fn play(program: &Path, binaries: &Path) -> (String, usize) {
    let saved = binaries.join("Saved");
    let _ = fs::remove_dir_all(&saved);
    let mut wine = Command::new("wine");
    wine.current_dir(binaries).env("WINEDEBUG", "-all");
    // Later runs reuse wine's directory, because creating it is slow.
    wine.env("WINEPREFIX", Path::new(env!("CARGO_TARGET_TMPDIR")).join("wine"));
    wine.arg(program).arg(seed(SEED).to_string()).arg("Saved");
    let printed = printed_by(&mut wine).replace('\r', "");
    let replayed = super::workbench::replay_all_in(&printed, binaries);
    (printed, replayed)
}

/// The import library loads the DLL at the first call, as with delay-loading in a game.
pub(crate) fn delayed_library(place: &Path) -> PathBuf {
    let bytes = fs::read(dll()).expect("the library for Windows is there");
    let parsed = object::File::parse(&*bytes).expect("it is a DLL");
    let exports = parsed.exports().expect("it has exports");
    let names = exports.iter().map(|it| String::from_utf8_lossy(it.name()).into_owned() + "\n");
    let definition = place.join("netclock.def");
    write(&definition, &format!("LIBRARY netclock.dll\nEXPORTS\n{}", names.collect::<String>()));
    let library = place.join("libnetclock-delayed.a");
    let mut dlltool = Command::new(DLLTOOL);
    dlltool.arg("--input-def").arg(&definition).arg("--output-delaylib").arg(&library);
    printed_by(&mut dlltool);
    library
}

fn is_of_these_sources() -> bool {
    let changed = |file: &Path| {
        let found = fs::metadata(file).and_then(|file| file.modified());
        found.unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    let built = changed(&dll());
    sources(&root().join("src"), &["rs"]).iter().all(|it| changed(it) <= built)
}

fn dll() -> PathBuf {
    current_build().0.join(LIBRARY)
}
