//! The Unreal plugin without Unreal: its own sources, compiled against the engine double of `tests/unreal` as the oldest
//! and the newest supported engine, and run in simulated worlds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use compiler::{Compiler, run, scratch};
use generator::{Version, generate};
use library::{Library, native_libraries};

#[path = "support/compiler.rs"]
mod compiler;
#[path = "unreal/generator/mod.rs"]
mod generator;
#[path = "support/library.rs"]
#[expect(dead_code, reason = "only the archive is linked here")]
mod library;
#[path = "unreal/refusals.rs"]
mod refusals;
#[path = "unreal/workbench.rs"]
mod workbench;

const OLDEST: (Version, &str) = (Version(5, 0), "c++17");
const NEWEST: (Version, &str) = (Version(5, 8), "c++20");

const PICTURE: &str = "unreal_plugin/NetClock/Docs/images/graph.svg";

/// How many the scenarios make.
const RECORDINGS: usize = 3;

/// One build at a time: each compiles on every core by itself. Worlds, which take one, run meanwhile.
static TURN: Mutex<()> = Mutex::new(());

/// What the program is linked with, and what it is told about that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    Library,
    /// `WITH_NETCLOCK_LIBRARY=0`.
    Null,
    /// As on Windows, where the module loads the library by itself, with the file missing.
    MissingFile,
}

#[test]
fn the_plugin_keeps_its_promises_as_5_0() {
    with_every_compiler(OLDEST, Build::Library);
}

#[test]
fn the_plugin_keeps_its_promises_as_5_8() {
    with_every_compiler(NEWEST, Build::Library);
}

#[test]
fn without_its_library_the_plugin_leaves_the_engines_clock() {
    with_every_compiler(NEWEST, Build::Null);
}

#[test]
fn without_the_file_on_windows_the_plugin_leaves_the_engines_clock() {
    with_every_compiler(OLDEST, Build::MissingFile);
}

#[test]
fn the_c_header_is_included_by_what_wraps_it_alone() {
    let users: Vec<_> = [sources(&plugin(), &["h", "cpp"]), sources(&specs(), &["h", "cpp"])]
        .concat()
        .into_iter()
        .filter(|it| read(it).contains("#include \"netclock/netclock.h"))
        .collect();
    let wraps = |it: &PathBuf| it.to_string_lossy().ends_with("Backend.cpp");
    assert!(users.len() == 8 && users.iter().all(wraps), "{users:?}");
}

fn with_every_compiler((version, standard): (Version, &'static str), kind: Build) {
    let compilers = Compiler::all(standard);
    // That it compiles without the library as well does not depend on the compiler.
    let count = if kind == Build::Library { compilers.len() } else { 1 };
    for compiler in compilers.iter().filter(|it| !it.is_msvc()).take(count) {
        let program = {
            let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            build(compiler, version, kind)
        };
        let seed = std::env::var("NETCLOCK_TEST_SEED").unwrap_or_else(|_| "2026".to_owned());
        println!("NETCLOCK_TEST_SEED={seed}, {}", compiler.name());
        let saved = program.with_file_name("Saved");
        let output =
            run(Command::new(&program).arg(seed).arg(&saved)).unwrap_or_else(|failure| panic!("{failure}"));
        let said = String::from_utf8_lossy(&output.stdout);
        println!("{said}");
        let replayed = workbench::replay_all(&said);
        assert_eq!(replayed, if kind == Build::Library { RECORDINGS } else { 0 });
        if kind == Build::Library {
            the_picture_is_the_graph(&saved.join("graph.svg"));
        }
    }
}

/// The documentation shows what the worlds drew: the same words, with other figures at most. To take the new picture, set
/// `NETCLOCK_WRITE_PICTURES=1`.
fn the_picture_is_the_graph(drawn: &Path) {
    let documented = Path::new(env!("CARGO_MANIFEST_DIR")).join(PICTURE);
    if std::env::var_os("NETCLOCK_WRITE_PICTURES").is_some() {
        fs::copy(drawn, &documented).unwrap_or_else(|error| panic!("{}: {error}", documented.display()));
    }
    let words = |path: &Path| -> Vec<String> {
        let text = read(path);
        let texts = text.lines().filter(|line| line.starts_with("<text"));
        texts.map(|line| line.replace(|it: char| it.is_ascii_digit() || it == '.', "")).collect()
    };
    assert_eq!(words(drawn), words(&documented), "NETCLOCK_WRITE_PICTURES=1 takes the new picture");
}

/// Generates, compiles each source apart, links.
fn build(compiler: &Compiler, version: Version, kind: Build) -> PathBuf {
    let dir = scratch(&format!("unreal-{}.{}-{}-{kind:?}", version.0, version.1, compiler.name()));
    let generated = dir.join("generated");
    fs::create_dir_all(&generated).unwrap_or_else(|error| panic!("{}: {error}", generated.display()));

    let mut files = sources(&plugin(), &["cpp"]);
    files.extend(sources(&specs(), &["cpp"]));
    files.extend(sources(&here("worlds"), &["cpp"]));
    files.extend(sources(&here("engine"), &["cpp"]));
    let mut headers = reflected(&plugin());
    headers.extend(reflected(&specs()));
    headers.extend(reflected(&here("worlds")));
    let made = generate(&headers, version).unwrap_or_else(|errors| panic!("{}", errors.join("\n")));
    for (name, text) in made {
        let source = generated.join(format!("{name}.gen.cpp"));
        write(&generated.join(format!("{name}.generated.h")), &text.header);
        write(&source, &text.source);
        files.push(source);
    }

    let compile = |source: &Path| {
        let object = dir.join(source.file_name().unwrap_or_default()).with_extension("o");
        let mut command = compiler.command();
        command.args(compiler.without_exceptions()).arg("-c").arg(source).arg("-o").arg(&object);
        command.arg(format!("-DDOUBLE_MAJOR={}", version.0)).arg(format!("-DDOUBLE_MINOR={}", version.1));
        command.arg(format!("-DWITH_NETCLOCK_LIBRARY={}", u32::from(kind != Build::Null)));
        // Without its library also as in Shipping, where there are no tools for debugging.
        command.arg(format!("-DUE_BUILD_SHIPPING={}", u32::from(kind != Build::Library)));
        command.arg(format!("-DPLATFORM_WINDOWS={}", u32::from(kind == Build::MissingFile)));
        for include in [plugin().join("Public"), plugin().join("Private"), here("engine"), here("worlds")] {
            command.arg("-I").arg(include);
        }
        command.arg("-I").arg(&generated);
        run(&mut command).map(|_| object)
    };
    let objects = in_parallel(&files, &compile);

    let program = dir.join("worlds.exe");
    let mut link = compiler.command();
    link.args(objects).arg("-o").arg(&program);
    if kind != Build::Null {
        link.arg(&library().archive).args(native_libraries());
    }
    run(link.args(["-lm", "-lpthread"])).unwrap_or_else(|failure| panic!("{failure}"));
    program
}

/// Built once for all tests.
fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(Library::build)
}

#[expect(clippy::disallowed_methods, reason = "compilers are waited for, on as many cores as there are")]
fn in_parallel(
    files: &[PathBuf],
    compile: &(dyn Fn(&Path) -> Result<PathBuf, String> + Sync),
) -> Vec<PathBuf> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let next = Mutex::new(files.iter());
    let done = Mutex::new((Vec::new(), Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let Some(file) = next.lock().expect("no compiler panics").next() else { break };
                    let outcome = compile(file);
                    let mut done = done.lock().expect("no compiler panics");
                    match outcome {
                        Ok(object) => done.0.push(object),
                        Err(failure) => done.1.push(failure),
                    }
                }
            });
        }
    });
    let (objects, failures) = done.into_inner().expect("no compiler panics");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    objects
}

fn plugin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("unreal_plugin/NetClock/Source/NetClock")
}

/// The module of the automation specs, which runs in the editor.
fn specs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("unreal_plugin/NetClock/Source/NetClockTests")
}

fn here(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unreal").join(part)
}

/// Files with one of these endings, in any depth, sorted.
fn sources(dir: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", dir.display())).path();
        if path.is_dir() {
            found.extend(sources(&path, endings));
        } else if path.extension().is_some_and(|it| endings.iter().any(|ending| it == *ending)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Headers by name, for the generator, which leaves out those that are none of its business.
fn reflected(dir: &Path) -> BTreeMap<String, String> {
    let name = |it: &PathBuf| it.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    sources(dir, &["h"]).iter().map(|it| (name(it), read(it))).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
