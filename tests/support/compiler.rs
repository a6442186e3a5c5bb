//! Finds the C and C++ compilers on this machine with the `cc` crate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

pub(crate) struct Compiler {
    tool: cc::Tool,
    standard: &'static str,
}

impl Compiler {
    /// Returns the default compiler (or the one from `CC` or `CXX`), followed by gcc and clang if they are
    /// different. Panics if there is no compiler, because a test would then pass without running.
    pub(crate) fn all(standard: &'static str) -> Vec<Self> {
        // Detecting a compiler takes as long as compiling a small program, so the result is cached.
        static FOUND: LazyLock<[Vec<cc::Tool>; 2]> = LazyLock::new(|| [false, true].map(distinct));
        let found = &FOUND[usize::from(standard.starts_with("c++"))];
        assert!(
            !found.is_empty(),
            "no compiler for {standard} found: install one (Debian: apt-get install build-essential; \
             macOS: xcode-select --install; Windows: the C++ build tools of Visual Studio), or name it \
             in CC and CXX"
        );
        found.iter().map(|tool| Self { tool: tool.clone(), standard }).collect()
    }

    pub(crate) fn named(name: Option<&str>, standard: &'static str) -> Option<Self> {
        find(standard.starts_with("c++"), name).map(|(_, tool)| Self { tool, standard })
    }

    pub(crate) fn name(&self) -> String {
        let stem = self.tool.path().file_stem().unwrap_or_default();
        format!("{}-{}", stem.to_string_lossy(), self.standard)
    }

    pub(crate) fn is_msvc(&self) -> bool {
        self.tool.is_like_msvc()
    }

    fn is_cpp(&self) -> bool {
        self.standard.starts_with("c++")
    }

    /// Most game engines compile C++ with these switches.
    pub(crate) fn without_exceptions(&self) -> &'static [&'static str] {
        match (self.is_cpp(), self.is_msvc()) {
            (false, _) => &[],
            (true, false) => &["-fno-exceptions", "-fno-rtti"],
            (true, true) => &["/D_HAS_EXCEPTIONS=0", "/GR-"],
        }
    }

    pub(crate) fn name_object(&self, command: &mut Command, object: &Path) {
        if self.is_msvc() {
            command.arg(format!("/Fo:{}", object.display()));
        } else {
            command.arg("-o").arg(object);
        }
    }

    pub(crate) fn name_program(&self, command: &mut Command, program: &Path) {
        if self.is_msvc() {
            command.arg(format!("/Fe:{}", program.display()));
        } else {
            command.arg("-o").arg(program);
        }
    }

    /// Uses the headers of the unpacked archive if there is one, and otherwise the repository's headers.
    pub(crate) fn command(&self) -> Command {
        let prefix = std::env::var_os("NETCLOCK_PREFIX");
        let include = prefix.map_or(env!("CARGO_MANIFEST_DIR").into(), PathBuf::from).join("include");
        let mut command = self.tool.to_command();
        if self.is_msvc() {
            // By default, cl warns about half of the C library, and its C++ library requires /EHsc.
            command.args(["/nologo", "/W4", "/WX", "/D_CRT_SECURE_NO_WARNINGS", "/EHsc"]);
            // cl has no switch for C99, but its default standard is close.
            if self.standard != "c99" {
                command.arg(format!("/std:{}", self.standard));
            }
            command.arg("/I");
        } else {
            command.arg(format!("-std={}", self.standard));
            command.args(["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow"]);
            if !self.is_cpp() {
                command.args(["-Wstrict-prototypes", "-Wmissing-prototypes"]);
            }
            command.args(["-Werror", "-I"]);
        }
        command.arg(include);
        command
    }
}

pub(crate) fn run(command: &mut Command) -> Result<Output, String> {
    let output =
        command.output().map_err(|error| format!("{}\ncould not be started: {error}", line(command)))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(format!(
        "{}\nexited with {}\n--- stdout\n{}\n--- stderr\n{}",
        line(command),
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    ))
}

/// Formats the command as a shell would, because `Debug` would include the environment.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

pub(crate) fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if dir.exists() {
        fs::remove_dir_all(&dir).unwrap_or_else(|error| panic!("emptying {}: {error}", dir.display()));
    }
    fs::create_dir_all(&dir).unwrap_or_else(|error| panic!("creating {}: {error}", dir.display()));
    dir
}

/// Removes duplicates, because `cc` is usually the same as gcc or clang.
fn distinct(cpp: bool) -> Vec<cc::Tool> {
    let rivals = if cpp { ["g++", "clang++"] } else { ["gcc", "clang"] };
    let names = [None, Some(rivals[0]), Some(rivals[1])].into_iter();
    let mut found: Vec<(String, cc::Tool)> = Vec::new();
    for (answer, tool) in names.filter_map(|name| find(cpp, name)) {
        if found.iter().all(|(other, _)| *other != answer) {
            found.push((answer, tool));
        }
    }
    found.into_iter().map(|(_, tool)| tool).collect()
}

/// Returns the compiler and its version line without the first word, which may be the command. Returns `None`
/// if the compiler cannot be started.
fn find(cpp: bool, name: Option<&str>) -> Option<(String, cc::Tool)> {
    let target = env!("NETCLOCK_TARGET");
    let mut build = cc::Build::new();
    build.cpp(cpp).target(target).host(target).opt_level(0).debug(false);
    // Do not call `warnings(false)`, which would pass -w and so disable -Werror.
    build.warnings(true).cargo_metadata(false).cargo_warnings(false);
    if let Some(name) = name {
        build.compiler(name);
    }
    let tool = build.try_get_compiler().ok()?;
    // cl always prints its version, while other compilers need --version.
    let mut probe = tool.to_command();
    if !tool.is_like_msvc() {
        probe.arg("--version");
    }
    let printed = run(&mut probe).ok()?;
    let printed = String::from_utf8_lossy(&printed.stdout);
    Some((printed.split_once(' ').unwrap_or_default().1.to_owned(), tool))
}
