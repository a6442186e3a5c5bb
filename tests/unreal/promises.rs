//! Runs the plugin in simulated worlds, once as the oldest and once as the newest supported engine.

use std::fs;
use std::ops::RangeBounds;
use std::path::Path;
use std::process::Command;

use super::build::{Kind, build};
use super::compiler::Compiler;
use super::files::{modules, printed_by, read, root, sources};
use super::generator::Version;
use netclock_sim::random::seed;

pub(crate) const OLDEST: (Version, &str) = (Version(5, 6), "c++20");
const MIDDLE: (Version, &str) = (Version(5, 7), "c++20");
pub(crate) const NEWEST: (Version, &str) = (Version(5, 8), "c++20");

const PICTURES: [&str; 2] = ["graph.svg", "sample.svg"];
const IMAGES: &str = "unreal_plugin/NetClock/Docs/images";

pub(crate) const RECORDINGS: usize = 4;

pub(crate) const SEED: u64 = 2026;

#[test]
fn the_plugin_keeps_its_promises_as_5_6() {
    with_its_compiler(OLDEST, Kind::Library);
}

#[test]
fn the_plugin_keeps_its_promises_as_5_8() {
    with_its_compiler(NEWEST, Kind::Library);
}

#[test]
#[ignore = "takes minutes: cargo xtask unreal"]
fn the_plugin_keeps_its_promises_with_the_other_compilers() {
    [OLDEST, NEWEST].into_iter().for_each(|engine| with_compilers(engine, Kind::Library, 1..));
}

#[test]
#[ignore = "takes minutes: cargo xtask unreal"]
fn the_plugin_keeps_its_promises_as_games_ship_it() {
    with_its_compiler(MIDDLE, Kind::Shipping);
}

/// The thread sanitizer checks clock reads outside the game thread.
#[test]
#[ignore = "takes minutes: cargo xtask unreal"]
#[cfg(not(windows))]
fn reads_on_other_threads_do_not_race() {
    let program = build(&Compiler::all(NEWEST.1)[0], NEWEST.0, Kind::Threads);
    let saved = program.with_extension("saved");
    let printed = printed_by(Command::new(&program).arg(SEED.to_string()).arg(saved).args(["", "Threads"]));
    assert!(printed.contains("all promises kept"));
}

#[test]
fn a_small_plugin_keeps_its_promises() {
    with_its_compiler(NEWEST, Kind::Small);
}

#[test]
fn without_its_library_the_plugin_leaves_the_engines_clock() {
    with_its_compiler(NEWEST, Kind::Null);
}

#[test]
fn without_the_file_on_windows_the_plugin_leaves_the_engines_clock() {
    with_its_compiler(OLDEST, Kind::MissingFile);
}

/// Only sources may include the C library's header, because it declares functions that a small library lacks.
/// Games must not include this header.
#[test]
fn only_sources_include_the_library() {
    for source in modules().iter().flat_map(|module| sources(module, &["h", "cpp"])) {
        let text = read(&source);
        assert!(!text.contains("#include \"netclock/"), "{}", source.display());
        let is_header = source.extension().is_some_and(|it| it == "h");
        let includes = text.contains("#include \"NetClockCLibrary.h\"");
        assert!(!is_header || !includes, "{}", source.display());
    }
}

/// Uses different compilers for the oldest and the newest engine, so that two of them compile the plugin.
fn with_its_compiler(engine: (Version, &'static str), kind: Kind) {
    with_compilers(engine, kind, ..1);
}

fn with_compilers((version, standard): (Version, &'static str), kind: Kind, which: impl RangeBounds<usize>) {
    let mut compilers = Compiler::all(standard);
    // Rust builds the library for cl or for the other compilers, never for both.
    compilers.retain(|it| it.is_msvc() == cfg!(target_env = "msvc"));
    if version == OLDEST.0 {
        compilers.reverse();
    }
    for compiler in compilers.iter().enumerate().filter(|(at, _)| which.contains(at)).map(|it| it.1) {
        let program = build(compiler, version, kind);
        println!("{}", compiler.name());
        let seed = seed(SEED).to_string();
        let saved = program.with_extension("saved");
        if saved.exists() {
            fs::remove_dir_all(&saved).unwrap_or_else(|error| panic!("{}: {error}", saved.display()));
        }
        let stdout = printed_by(Command::new(&program).arg(&seed).arg(&saved));
        println!("{stdout}");
        if kind == Kind::MissingFile {
            // In the second run, the library is available until the module is unloaded.
            let found = printed_by(Command::new(&program).arg(&seed).arg(&saved).arg("found"));
            assert!(found.contains("all promises kept"));
        }
        let replayed = super::workbench::replay_all(&stdout);
        // One recording contains a handover, which needs the peer module.
        let wanted = match kind {
            Kind::Library => RECORDINGS,
            Kind::Small => RECORDINGS - 1,
            _ => 0,
        };
        assert_eq!(replayed, wanted);
        if kind == Kind::Library {
            PICTURES.iter().for_each(|name| the_picture_is_the_drawn_one(&saved, name));
            the_tools_page_shows_printed_lines(&stdout);
        }
    }
}

/// The worlds must have printed each status line in `tools.md`. Numbers and folders may differ.
fn the_tools_page_shows_printed_lines(stdout: &str) {
    let page = read(&root().join("unreal_plugin/NetClock/Docs/tools.md"));
    let shown =
        page.split("```text\n").nth(1).and_then(|it| it.split("```").next()).expect("it shows a status");
    let words = |line: &str| -> String {
        let line = line.split(" exchanges in ").next().unwrap_or_default();
        let line = line.replace("slower", "faster");
        line.chars().filter(|it| !it.is_ascii_digit() && !"+-.".contains(*it)).collect()
    };
    let printed: Vec<String> = stdout.lines().map(words).collect();
    for line in shown.lines() {
        assert!(printed.contains(&words(line)), "no world prints this line of tools.md: {line}");
    }
}

/// The documentation's picture must have the same words, but numbers may differ.
fn the_picture_is_the_drawn_one(saved: &Path, name: &str) {
    let drawn = &saved.join(name);
    let documented = root().join(IMAGES).join(name);
    if std::env::var_os("NETCLOCK_WRITE_PICTURES").is_some() {
        fs::copy(drawn, &documented).unwrap_or_else(|error| panic!("{}: {error}", documented.display()));
    }
    let words = |path: &Path| -> Vec<String> {
        let text = read(path);
        let texts = text.lines().filter(|line| line.starts_with("<text"));
        texts.map(|line| line.replace(|it: char| it.is_ascii_digit() || "+-.".contains(it), "")).collect()
    };
    assert_eq!(words(drawn), words(&documented), "NETCLOCK_WRITE_PICTURES=1 updates the picture");
}
