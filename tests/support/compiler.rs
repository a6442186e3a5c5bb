//! Finds this machine's C and C++ compilers with the `cc` crate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// A compiler set to one language standard, with every warning as an error.
pub(crate) struct Compiler {
    tool: cc::Tool,
    standard: &'static str,
}

impl Compiler {
    /// Returns all compilers for a standard such as `c99` or `c++17`. They are the machine's default (which
    /// follows `CC` and `CXX`), and gcc and clang if these are different compilers. Panics if there is no
    /// compiler, because the test would otherwise pass without running.
    pub(crate) fn all(standard: &'static str) -> Vec<Self> {
        // Detecting the compilers takes as long as compiling a small program.
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

    /// Returns the compiler with this name, or the default one, or `None` if it cannot be started.
    pub(crate) fn named(name: Option<&str>, standard: &'static str) -> Option<Self> {
        find(standard.starts_with("c++"), name).map(|(_, tool)| Self { tool, standard })
    }

    /// Name for messages and directories, such as `cc-c99`.
    pub(crate) fn name(&self) -> String {
        let stem = self.tool.path().file_stem().unwrap_or_default();
        format!("{}-{}", stem.to_string_lossy(), self.standard)
    }

    /// Returns true for `cl` and compilers that accept the same switches.
    pub(crate) fn is_msvc(&self) -> bool {
        self.tool.is_like_msvc()
    }

    fn is_cpp(&self) -> bool {
        self.standard.starts_with("c++")
    }

    /// The switches with which most engines compile C++, or nothing for C.
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

    /// Returns a command with the standard, the warnings, and the repository's or archive's include path.
    pub(crate) fn command(&self) -> Command {
        let prefix = std::env::var_os("NETCLOCK_PREFIX");
        let include = prefix.map_or(env!("CARGO_MANIFEST_DIR").into(), PathBuf::from).join("include");
        let mut command = self.tool.to_command();
        if self.is_msvc() {
            // cl considers half of the C library insecure, and its C++ library requires /EHsc.
            command.args(["/nologo", "/W4", "/WX", "/D_CRT_SECURE_NO_WARNINGS", "/EHsc"]);
            // cl has no option for C99. Its default is the closest.
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

/// Runs a command. Errors contain its complete output.
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

/// The command as one would type it in a shell. `Debug` would include the environment.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Creates an empty scratch directory with this name.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if dir.exists() {
        fs::remove_dir_all(&dir).unwrap_or_else(|error| panic!("emptying {}: {error}", dir.display()));
    }
    fs::create_dir_all(&dir).unwrap_or_else(|error| panic!("creating {}: {error}", dir.display()));
    dir
}

/// Returns the default compiler, gcc and clang, without duplicates, because `cc` usually is one of them.
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

/// Returns the compiler with this name, or the default one, and its version line. Omits the line's first
/// word, which may be the name. Returns `None` if the compiler cannot be started.
fn find(cpp: bool, name: Option<&str>) -> Option<(String, cc::Tool)> {
    let target = env!("NETCLOCK_TARGET");
    let mut build = cc::Build::new();
    build.cpp(cpp).target(target).host(target).opt_level(0).debug(false);
    // `warnings(false)` would pass -w, which disables -Werror.
    build.warnings(true).cargo_metadata(false).cargo_warnings(false);
    if let Some(name) = name {
        build.compiler(name);
    }
    let tool = build.try_get_compiler().ok()?;
    // cl always prints its banner; the others need --version.
    let mut probe = tool.to_command();
    if !tool.is_like_msvc() {
        probe.arg("--version");
    }
    let printed = run(&mut probe).ok()?;
    let printed = String::from_utf8_lossy(&printed.stdout);
    Some((printed.split_once(' ').unwrap_or_default().1.to_owned(), tool))
}
