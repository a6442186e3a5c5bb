//! Builds a program from the plugin, the engine double and the simulated worlds.
//!
//! For the newest engine, each source is compiled alone, to show that it includes what it uses. For the
//! oldest engine, each module is one unit, as in a unity build, to show that names in its sources do not
//! clash. The tests' own sources are always one unit, because their headers take most of the compile time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use object::{Object, ObjectSymbol, Symbol};

use super::compiler::Compiler;
use super::files::{
    THIRD_PARTY, canonical, here, include, modules, packed_library, plugin, printed_by, read, root, sources,
    write,
};
use super::generator::{Version, generate};
use super::includes::Reach;
use super::library::{Library, native_libraries};
use super::objects::Objects;
use super::pages::write_blocks;
use super::parallel::in_parallel;
use super::promises::{NEWEST, OLDEST};
use super::windows;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Library,
    /// Defines `WITH_NETCLOCK_LIBRARY=0`.
    Null,
    /// Loads the library at run time, as on Windows, but the library's file is missing.
    MissingFile,
    /// Has the library, but no checks, logs, tools or automation tests, like a shipped game.
    Shipping,
    /// Runs on Windows with the library as a delay-loaded DLL.
    Windows,
    /// Leaves out the peer module, and uses a library that was built without its link.
    Small,
    /// Contains only `NetClock`, its automation tests and these modules.
    Modules(&'static [&'static str]),
    Threads,
}

/// These macros tell the sources which kind of program they are part of.
const MARKS: [&str; 6] = [
    "WITH_NETCLOCK_LIBRARY",
    "WITH_NETCLOCK_LINK",
    "WITH_NETCLOCK_GAME",
    "WITH_NETCLOCK_PEERS",
    "UE_BUILD_SHIPPING",
    "PLATFORM_WINDOWS",
];

/// Worlds implement these functions of the library on a simulated network (worlds/link/Network.cpp).
const LINKS: [&str; 4] = ["server_create", "server_destroy", "client_create", "client_destroy"];

/// Some kinds omit these parts, which are the peer module, its worlds and the link's worlds.
const LARGE: [&str; 6] =
    ["NetClockPeers", "Connections.cpp", "Migration.cpp", "Order.cpp", "Peers.cpp", "Lives.cpp"];

const USES_LIBRARY: [&str; 5] =
    ["NetClock", "NetClockDebug", "NetClockGame", "NetClockLink", "NetClockPeers"];

impl Kind {
    fn definitions(self) -> Vec<String> {
        let shipping = self == Kind::Shipping;
        let windows = matches!(self, Kind::MissingFile | Kind::Windows);
        let (library, small) = (self != Kind::Null, self == Kind::Small);
        let has = |name: &str| self.has(Path::new(name));
        let (game, peers) = (has("NetClockGame"), has("NetClockPeers"));
        let values = [library, library && !small, game, peers, shipping, windows];
        let marks = MARKS.iter().zip(values).map(|(mark, value)| format!("-D{mark}={}", u32::from(value)));
        // Functions of the simulated machine in Engine.cpp replace the library's clocks.
        let clocks = ["monotonic_now=netclock_double_now", "utc_now=netclock_double_utc_now"];
        let links = LINKS.iter().filter(|_| library && !small && self.has_worlds());
        let links = links.map(|it| format!("link_{it}=netclock_double_link_{it}"));
        let replaced = clocks.map(str::to_owned).into_iter().chain(links);
        marks.chain(replaced.map(|it| format!("-Dnetclock_{it}"))).collect()
    }

    fn has(self, path: &Path) -> bool {
        match self {
            Kind::Small => !is_large(path),
            Kind::Shipping => !path.ends_with("NetClockTests"),
            Kind::Modules(names) => {
                ["NetClock", "NetClockTests"].iter().chain(names).any(|name| path.ends_with(name))
                    || path.extension().is_some()
            }
            _ => true,
        }
    }

    fn parts(self) -> [&'static str; 2] {
        [if self.has_worlds() { "worlds" } else { "modules" }, "engine"]
    }

    fn has_worlds(self) -> bool {
        !matches!(self, Kind::Modules(_))
    }

    fn name(self) -> String {
        match self {
            Kind::Modules(names) => format!("NetClock{}", names.concat().replace("NetClock", "-")),
            kind => format!("{kind:?}"),
        }
    }
}

fn is_large(path: &Path) -> bool {
    LARGE.iter().any(|name| path.ends_with(name))
}

/// Unreal Build Tool passes these options to cl. Builds use constants to exclude code, so the warnings about
/// constant conditions (4127), unreachable code (4702) and truncated constants (4310) are off.
/// Worlds may hide names (4456 to 4459), but `hiding.rs` checks the shipped sources.
const MSVC: &str = "/permissive- /Zc:preprocessor /Zc:__cplusplus /utf-8 /bigobj /wd4127 /wd4310 /wd4456 \
                    /wd4457 /wd4458 /wd4459 /wd4702";

const THREAD_SANITIZER: &str = "-fsanitize=thread";

struct Unit {
    part: PathBuf,
    source: PathBuf,
    dirs: Vec<PathBuf>,
    is_shared: bool,
}

impl Unit {
    fn new(part: &Path, source: PathBuf, dirs: &[PathBuf]) -> Self {
        let is_shared = !Reach::of(&source, dirs).mentions(&MARKS);
        Unit { part: part.to_owned(), source, dirs: dirs.to_vec(), is_shared }
    }

    fn together(place: &Path, name: &str, part: &Path, sources: Vec<PathBuf>, dirs: &[PathBuf]) -> Vec<Self> {
        let units = sources.into_iter().map(|source| Unit::new(part, source, dirs));
        let (shared, own): (Vec<_>, Vec<_>) = units.partition(|unit| unit.is_shared);
        let line = |unit: &Unit| format!("#include \"{}\"\n", unit.source.display());
        let unit = |(units, ending): (Vec<Unit>, &str)| {
            let source = place.join(format!("{name}{ending}.cpp"));
            write(&source, &units.iter().map(line).collect::<String>());
            Unit::new(part, source, dirs)
        };
        [(shared, ""), (own, "-own")].into_iter().filter(|it| !it.0.is_empty()).map(unit).collect()
    }
}

struct Workshop<'a> {
    place: PathBuf,
    generated: PathBuf,
    made: Vec<(PathBuf, PathBuf)>,
    objects: Objects<'a>,
}

impl<'a> Workshop<'a> {
    /// Only one build may use the directory at a time.
    fn open(compiler: &'a Compiler, version: Version, kind: Kind) -> Self {
        let own = match kind {
            Kind::Shipping => "-shipping",
            Kind::Threads => "-threads",
            _ => "",
        };
        let packed = if packed_library().is_some() { "packed-" } else { "" };
        let name = format!("unreal-{packed}{}.{}-{}{own}", version.0, version.1, compiler.name());
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let generated = place.join("generated");
        let made = generated_sources(&generated);
        write_blocks(&generated);
        let arguments = arguments(compiler, version, kind);
        let mut objects = Objects::new(compiler, &arguments, &place.join("objects"));
        // This cannot hide a missing include, because CoreMinimal.h includes these headers everywhere.
        let standard = Reach::of(&here("engine/CoreMinimal.h"), &[here("engine")]).system;
        objects.precompile(standard.iter()).unwrap_or_else(|failure| panic!("{failure}"));
        Self { place, generated, made, objects }
    }
}

/// Each build uses all cores, so only one runs at a time.
static TURN: Mutex<()> = Mutex::new(());

pub(crate) fn compile(version: Version, sources: &[(PathBuf, PathBuf)]) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let compiler = &Compiler::all(NEWEST.1)[0];
    let workshop = Workshop::open(compiler, version, Kind::Library);
    let units = sources.iter().map(|(module, source)| {
        Unit::new(module, source.clone(), &include_dirs(module, &workshop.generated))
    });
    objects_of(&workshop.objects, &units.collect::<Vec<_>>(), Kind::Library);
}

fn objects_of(objects: &Objects<'_>, units: &[Unit], kind: Kind) -> Vec<PathBuf> {
    let definitions = kind.definitions();
    let definitions: Vec<&str> = definitions.iter().map(String::as_str).collect();
    let compiled = in_parallel(units, |unit| {
        objects.object(&unit.source, &unit.dirs, if unit.is_shared { &[] } else { &definitions })
    });
    let (objects, failures): (Vec<_>, Vec<_>) = compiled.into_iter().partition(Result::is_ok);
    let failures: Vec<String> = failures.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    objects.into_iter().flatten().collect()
}

pub(crate) fn build(compiler: &Compiler, version: Version, kind: Kind) -> PathBuf {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let Workshop { place, generated, made, objects } = Workshop::open(compiler, version, kind);
    let modules: Vec<PathBuf> = modules().into_iter().filter(|it| kind.has(it)).collect();

    let dirs = |module: &Path| include_dirs(module, &generated);
    let mut units = Vec::new();
    for part in kind.parts() {
        let (dir, dirs) = (here(part), dirs(&here(part)));
        let sources = sources(&dir, &["cpp"]).into_iter().filter(|it| kind.has(it));
        // The large parts have their own units, so that builds for small games can share the other objects.
        let (large, other) = sources.partition(|it| is_large(it));
        units.extend(Unit::together(&place, part, &dir, other, &dirs));
        units.extend(Unit::together(&place, &format!("{part}-large"), &dir, large, &dirs));
    }
    for module in modules.iter().chain([&here(kind.parts()[0])]) {
        let name = module.file_name().unwrap_or_default().to_string_lossy();
        let generated = made.iter().filter(|(header, _)| header.starts_with(module));
        let generated = generated.map(|(_, source)| source.clone()).collect();
        units.extend(Unit::together(&place, &format!("{name}.gen"), module, generated, &dirs(module)));
    }
    for module in &modules {
        let (sources, dirs) = (sources(module, &["cpp"]), dirs(module));
        if version == OLDEST.0 {
            let name = module.file_name().unwrap_or_default().to_string_lossy();
            units.extend(Unit::together(&place, &name, module, sources, &dirs));
        } else {
            units.extend(sources.into_iter().map(|source| Unit::new(module, source, &dirs)));
        }
    }

    let objects = objects_of(&objects, &units, kind);

    let program = place.join(kind.name() + ".exe");
    let mut link = compiler.command();
    link.args(&objects);
    compiler.name_program(&mut link, &program);
    if kind == Kind::Threads {
        link.arg(THREAD_SANITIZER);
    }
    if kind == Kind::MissingFile && cfg!(target_os = "linux") {
        // Simulates a function in a file that can be unloaded (worlds/ModuleEnd.cpp).
        link.arg("-Wl,--wrap=netclock_guest_destroy");
    }
    match (kind, packed_library()) {
        (Kind::Null, _) => {}
        (Kind::Windows, _) => {
            link.arg(windows::delayed_library(&place)).args(["-static", "-ldelayimp"]);
        }
        // Links and loads the library in the same way as NetClockLibrary.Build.cs.
        (_, Some([linked, loaded])) => {
            link.arg(linked.join("libnetclock.so")).arg(format!("-Wl,-rpath,{}", loaded.display()));
        }
        (_, None) => {
            link.arg(&Library::get().archive).args(native_libraries());
        }
    }
    if !compiler.is_msvc() {
        link.args(["-lm", "-lpthread"]);
    }
    printed_by(&mut link);
    let parts: Vec<_> = units.iter().map(|unit| unit.part.clone()).zip(objects).collect();
    if kind == Kind::Small {
        parts.iter().filter(|it| modules.contains(&it.0)).for_each(|it| asks_for_no_link(&it.1));
    }
    link_modules(compiler, &place.join(kind.name()), &parts, kind);
    program
}

/// A library without the link lacks these functions, so the object must not call them.
fn asks_for_no_link(object: &Path) {
    let bytes = fs::read(object).unwrap_or_else(|error| panic!("{}: {error}", object.display()));
    let parsed = object::File::parse(&*bytes).unwrap_or_else(|error| panic!("{}: {error}", object.display()));
    let open = parsed.symbols().filter(Symbol::is_undefined);
    let asked = open.filter_map(|it| it.name().ok()).find(|it| it.starts_with("netclock_link_"));
    assert!(asked.is_none(), "{}: {asked:?}", object.display());
}

fn arguments(compiler: &Compiler, version: Version, kind: Kind) -> Vec<String> {
    let include = include();
    let versions = [format!("-DDOUBLE_MAJOR={}", version.0), format!("-DDOUBLE_MINOR={}", version.1)];
    let mut arguments: Vec<String> = versions.into();
    if kind == Kind::Shipping {
        arguments.extend(["-DDO_CHECK=0".to_owned(), "-DNO_LOGGING=1".to_owned()]);
    }
    if kind == Kind::Threads {
        arguments.push(THREAD_SANITIZER.to_owned());
    }
    if compiler.is_msvc() {
        arguments.extend(MSVC.split(' ').map(str::to_owned));
        return arguments;
    }
    // With hidden visibility, a module sees only what other modules export. System include directories come
    // after the modules' own directories.
    arguments.extend(["-Wundef", "-fPIC", "-fvisibility=hidden", "-isystem"].map(str::to_owned));
    arguments.push(include.to_string_lossy().into_owned());
    if packed_library().is_some() {
        // This directory comes before the repository's headers, which every program can include.
        arguments.extend(["-iquote".to_owned(), include.to_string_lossy().into_owned()]);
    }
    if compiler.name().starts_with("clang") {
        arguments.push("-Wshadow-all".to_owned());
    } else {
        // With this compiler, optimisation saves more time when the worlds run than it costs during
        // compilation.
        arguments.push("-O1".to_owned());
    }
    arguments
}

/// Links each module as a shared object against only the modules in its Build.cs, to detect uses of other
/// modules. These programs are only linked, never run. Only Linux linkers can reject unresolved symbols.
fn link_modules(compiler: &Compiler, dir: &Path, parts: &[(PathBuf, PathBuf)], kind: Kind) {
    // The other kinds consist of different parts but export the same symbols, so linking these three is
    // enough.
    if !cfg!(target_os = "linux") || !matches!(kind, Kind::Library | Kind::Shipping | Kind::Small) {
        return;
    }
    fs::create_dir_all(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let objects = |part: &Path| -> Vec<&PathBuf> {
        parts.iter().filter(|(it, _)| it == part).map(|(_, object)| object).collect()
    };
    let modules = modules().into_iter().filter(|module| !objects(module).is_empty());
    let library = |name: &str| dir.join(format!("lib{name}.so"));
    // Alphabetical order happens to put modules after the modules that they use.
    for module in modules {
        let name = module.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let shared = library(&name);
        let used = uses(&module).into_iter().map(|it| library(&it)).filter(|it| it.exists());
        let mut link = compiler.command();
        link.args(["-shared", "-Wl,-z,defs"])
            .args(objects(&module))
            .args(objects(&here("engine")))
            .args(used)
            .args(LINKS.map(|it| format!("-Wl,--defsym=netclock_double_link_{it}=0")));
        link.arg("-o").arg(&shared);
        if USES_LIBRARY.contains(&&*name) {
            link.arg(&Library::get().archive).args(native_libraries());
        }
        printed_by(link.args(["-lm", "-lpthread"]));
    }
}

pub(crate) fn uses(module: &Path) -> BTreeSet<String> {
    let name = module.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let rules = read(&module.join(format!("{name}.Build.cs")));
    let modules = modules().into_iter().filter_map(|it| Some(it.file_name()?.to_str()?.to_owned()));
    modules.filter(|it| *it != name && rules.contains(&format!("\"{it}\""))).collect()
}

/// The include directories for a module's sources. Only worlds may include the private headers of other
/// modules.
pub(crate) fn include_dirs(module: &Path, generated: &Path) -> Vec<PathBuf> {
    let ships = |module: &Path| modules().iter().any(|it| it == module);
    let mut dirs = vec![module.join("Private")];
    let used = ships(module).then(|| uses(module));
    let is_used = |it: &PathBuf| {
        let name = it.file_name().unwrap_or_default().to_string_lossy();
        it == module || used.as_ref().is_none_or(|used| used.contains(&*name))
    };
    dirs.extend(modules().iter().filter(|it| is_used(it)).map(|it| it.join("Public")));
    if !ships(module) {
        let reached = modules().into_iter().filter(|it| USES_LIBRARY.iter().any(|name| it.ends_with(name)));
        dirs.extend(reached.map(|it| it.join("Private")));
        dirs.push(here("worlds"));
    }
    dirs.extend([here("engine"), generated.to_owned()]);
    dirs.push(plugin().join(THIRD_PARTY).join("null"));
    dirs.push(root().join("include"));
    // Omits missing directories and makes the others canonical.
    dirs.iter().filter_map(|dir| canonical(dir)).collect()
}

/// Generates code for each reflected header, and returns the sources with their headers.
fn generated_sources(dir: &Path) -> Vec<(PathBuf, PathBuf)> {
    fs::create_dir_all(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let places = modules().into_iter().chain([here("worlds")]);
    let name = |it: &Path| it.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let headers: BTreeMap<String, PathBuf> =
        places.flat_map(|place| sources(&place, &["h"])).map(|it| (name(&it), it)).collect();
    let texts = headers.iter().map(|(name, path)| (name.clone(), read(path))).collect();
    let made = generate(&texts).unwrap_or_else(|errors| panic!("{}", errors.join("\n")));
    let each = made.iter().map(|(name, text)| {
        let source = dir.join(format!("{name}.gen.cpp"));
        write(&dir.join(format!("{name}.generated.h")), &text.header);
        // Headers are in subfolders, so include them by their full path.
        let include = |it: &str| format!("#include \"{it}\"");
        let by_path = include(&headers[name].to_string_lossy());
        write(&source, &text.source.replace(&include(&format!("{name}.h")), &by_path));
        (headers[name].clone(), source)
    });
    each.collect()
}
