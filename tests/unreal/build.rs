//! The plugin, the engine double and the worlds made into a program.
//!
//! Every source of the plugin is compiled alone, as its module asks for, so that each includes what it uses. What
//! belongs to the tests is compiled together, since most of the time goes into headers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::compiler::{Compiler, run};
use super::files::{here, include, modules, packed_library, read, sources, write};
use super::generator::{Version, generate};
use super::includes::Reach;
use super::library::{Library, native_libraries};
use super::objects::Objects;
use super::parallel::in_parallel;

/// What the program is linked with, and what it is told about that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Library,
    /// `WITH_NETCLOCK_LIBRARY=0`.
    Null,
    /// As on Windows, where the module loads the library by itself, with the file missing.
    MissingFile,
}

/// What sources may tell the kinds apart by.
const MARKS: [&str; 4] =
    ["WITH_NETCLOCK_LIBRARY", "UE_BUILD_SHIPPING", "WITH_GAMEPLAY_DEBUGGER", "PLATFORM_WINDOWS"];

impl Kind {
    fn definitions(self) -> Vec<String> {
        // Without its library also as in Shipping, where there are no tools for debugging.
        let shipping = self != Kind::Library;
        let values = [self != Kind::Null, shipping, !shipping, self == Kind::MissingFile];
        let marks = MARKS.iter().zip(values).map(|(mark, value)| format!("-D{mark}={}", u32::from(value)));
        // The library's clock is that of the simulated machine, in Engine.cpp.
        marks.chain(["-Dnetclock_monotonic_now=netclock_double_now".to_owned()]).collect()
    }
}

/// What is compiled at once, and where its headers are searched.
struct Unit {
    source: PathBuf,
    dirs: Vec<PathBuf>,
    /// Nothing that it includes tells the kinds apart.
    is_shared: bool,
}

impl Unit {
    fn new(source: PathBuf, dirs: &[PathBuf]) -> Self {
        let is_shared = !Reach::of(&source, dirs).mentions(&MARKS);
        Unit { source, dirs: dirs.to_vec(), is_shared }
    }

    /// One for all that kinds share, written into `place`, and one for each of the others.
    fn together(place: &Path, name: &str, sources: Vec<PathBuf>, dirs: &[PathBuf]) -> Vec<Self> {
        let units = sources.into_iter().map(|source| Unit::new(source, dirs));
        let (shared, mut units): (Vec<_>, Vec<_>) = units.partition(|unit| unit.is_shared);
        let source = place.join(format!("{name}.cpp"));
        let line = |unit: &Unit| format!("#include \"{}\"\n", unit.source.display());
        write(&source, &shared.iter().map(line).collect::<String>());
        units.insert(0, Unit::new(source, dirs));
        units
    }
}

/// Generates, compiles, links.
pub(crate) fn build(compiler: &Compiler, version: Version, kind: Kind) -> PathBuf {
    // Sources that lie elsewhere make other objects.
    let packed = if packed_library().is_some() { "packed-" } else { "" };
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "unreal-{packed}{}.{}-{}",
        version.0,
        version.1,
        compiler.name()
    ));
    let generated = place.join("generated");
    let made = generated_sources(&generated, version);

    let mut arguments =
        vec![format!("-DDOUBLE_MAJOR={}", version.0), format!("-DDOUBLE_MINOR={}", version.1)];
    if packed_library().is_some() {
        // Before the repository's header, which the compiler is given for all programs.
        arguments.extend(["-iquote".to_owned(), include().to_string_lossy().into_owned()]);
    }
    let mut objects = Objects::new(compiler, &arguments, &place.join("objects"));
    // No source is spared an include by this: each has these headers by way of CoreMinimal.h.
    let standard = Reach::of(&here("engine/CoreMinimal.h"), &[here("engine")]).system;
    objects.precompile(standard.iter()).unwrap_or_else(|failure| panic!("{failure}"));

    // Those that take longest come first.
    let dirs = |module: &Path| include_dirs(module, &generated);
    let mut units =
        Unit::together(&place, "worlds", sources(&here("worlds"), &["cpp"]), &dirs(&here("worlds")));
    units.extend(Unit::together(
        &place,
        "engine",
        sources(&here("engine"), &["cpp"]),
        &dirs(&here("engine")),
    ));
    for module in modules().iter().chain([&here("worlds")]) {
        let name = module.file_name().unwrap_or_default().to_string_lossy();
        let generated = made.iter().filter(|(header, _)| header.starts_with(module));
        let generated = generated.map(|(_, source)| source.clone()).collect();
        units.extend(Unit::together(&place, &format!("{name}.gen"), generated, &dirs(module)));
    }
    for module in modules() {
        units.extend(sources(&module, &["cpp"]).into_iter().map(|source| Unit::new(source, &dirs(&module))));
    }

    let definitions = kind.definitions();
    let definitions: Vec<&str> = definitions.iter().map(String::as_str).collect();
    let made = in_parallel(&units, |unit| {
        objects.object(&unit.source, &unit.dirs, if unit.is_shared { &[] } else { &definitions })
    });
    let (objects, failures): (Vec<_>, Vec<_>) = made.into_iter().partition(Result::is_ok);
    let failures: Vec<String> = failures.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));

    let program = place.join(format!("{kind:?}.exe"));
    let mut link = compiler.command();
    link.args(objects.into_iter().flatten()).arg("-o").arg(&program);
    match packed_library() {
        _ if kind == Kind::Null => {}
        // As NetClockLibrary.Build.cs has it linked and found.
        Some(dir) => {
            link.arg(dir.join("libnetclock.so")).arg(format!("-Wl,-rpath,{}", dir.display()));
        }
        None => {
            link.arg(&Library::get().archive).args(native_libraries());
        }
    }
    run(link.args(["-lm", "-lpthread"])).unwrap_or_else(|failure| panic!("{failure}"));
    program
}

/// Where what belongs to a module finds headers. Another module's private ones are out of reach, except for the tests.
fn include_dirs(module: &Path, generated: &Path) -> Vec<PathBuf> {
    let ships = |module: &Path| modules().iter().any(|it| it == module) && !module.ends_with("NetClockTests");
    let mut dirs = vec![include(), module.join("Private")];
    dirs.extend(modules().iter().map(|it| it.join("Public")));
    if !ships(module) {
        dirs.extend(modules().iter().filter(|it| it.ends_with("NetClock")).map(|it| it.join("Private")));
        dirs.push(here("worlds"));
    }
    dirs.extend([here("engine"), generated.to_owned()]);
    // Without those that are not there, and by one name each.
    dirs.iter().filter_map(|dir| fs::canonicalize(dir).ok()).collect()
}

/// Writes what Unreal Header Tool would: a header for each reflected one, and a source, which is returned with it.
fn generated_sources(dir: &Path, version: Version) -> Vec<(PathBuf, PathBuf)> {
    fs::create_dir_all(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let places = modules().into_iter().chain([here("worlds")]);
    let name = |it: &Path| it.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let headers: BTreeMap<String, PathBuf> =
        places.flat_map(|place| sources(&place, &["h"])).map(|it| (name(&it), it)).collect();
    let texts = headers.iter().map(|(name, path)| (name.clone(), read(path))).collect();
    let made = generate(&texts, version).unwrap_or_else(|errors| panic!("{}", errors.join("\n")));
    let each = made.iter().map(|(name, text)| {
        let source = dir.join(format!("{name}.gen.cpp"));
        write(&dir.join(format!("{name}.generated.h")), &text.header);
        // By its path, since headers lie in folders.
        let include = |it: &str| format!("#include \"{it}\"");
        let by_path = include(&headers[name].to_string_lossy());
        write(&source, &text.source.replace(&include(&format!("{name}.h")), &by_path));
        (headers[name].clone(), source)
    });
    each.collect()
}
