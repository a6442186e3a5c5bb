//! `cargo xtask sanitize` runs the C and C++ test programs under sanitizers and valgrind.
//!
//! We also instrument the library, but not the standard library. The flags for this are unstable, but a
//! stable compiler accepts them if `RUSTC_BOOTSTRAP` is set.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use crate::command::{cmd, on_path, run, succeeds};
use crate::{file_name, listed, programs, root, target_dir};

/// The programs in these directories exit with 0 if they succeed.
const PLACES: &[&str] = &["tests/c_abi", "tests/stress"];

const SUPPRESSED: &str = "tests/c_abi/memcheck.supp";

/// A program that prints one of these words has a finding, even if it exits with 0.
const REPORTS: &[&str] = &["Sanitizer", "runtime error:", "ERROR SUMMARY: "];

struct Tool {
    name: &'static str,
    sees: &'static str,
    /// The Cargo profile, and the name of its directory in the target directory.
    profile: (&'static str, &'static str),
    rust: &'static str,
    c: &'static [&'static str],
    /// rustc's name for the sanitizer's runtime. We link this one because Clang's runtime may be too old for
    /// rustc.
    rusts_runtime: Option<&'static str>,
    valgrind: Option<&'static [&'static str]>,
}

const PLAIN: Tool = Tool {
    name: "",
    sees: "",
    profile: ("dev", "debug"),
    rust: "",
    c: &[],
    rusts_runtime: None,
    valgrind: None,
};

const TOOLS: &[Tool] = &[
    Tool {
        name: "address",
        sees: "AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer",
        rust: "-Zsanitizer=address -Cunsafe-allow-abi-mismatch=sanitizer",
        c: &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
        ..PLAIN
    },
    Tool {
        name: "thread",
        sees: "ThreadSanitizer",
        rust: "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer",
        c: &["-fsanitize=thread"],
        rusts_runtime: Some("tsan"),
        ..PLAIN
    },
    Tool {
        name: "memcheck",
        sees: "valgrind memcheck, leaks included",
        valgrind: Some(&[
            "--leak-check=full",
            // Some statics, such as the parking lot and the registry, deliberately keep memory until exit.
            "--show-leak-kinds=definite,indirect,possible",
            "--errors-for-leak-kinds=definite,indirect,possible",
            // A suppression matches the allocating function, which may be far up the stack.
            "--num-callers=40",
        ]),
        ..PLAIN
    },
    // The optimised library may compare an option's payload before it checks whether the option is empty.
    // This is harmless, but valgrind would report it to users.
    Tool {
        name: "optimised",
        sees: "valgrind memcheck of the library as it is shipped, without leaks",
        profile: ("dist", "dist"),
        valgrind: Some(&[]),
        ..PLAIN
    },
];

const OPTIONS: [(&str, &str); 3] = [
    ("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1"),
    ("UBSAN_OPTIONS", "print_stacktrace=1"),
    ("TSAN_OPTIONS", "halt_on_error=1:second_deadlock_stack=1"),
];

const VALGRIND: [&str; 4] = [
    "--quiet",
    "--error-exitcode=99",
    "--soname-synonyms=somalloc=nouserintercepts",
    // Without fair scheduling, a thread that spins would starve the others.
    "--fair-sched=yes",
];

/// Stress programs run with fewer frames, because these tools make them tens of times slower.
const FRAMES: &str = "40000";

pub(crate) fn sanitize() -> Result<ExitCode> {
    ensure!(cfg!(target_os = "linux"), "the sanitizers are only set up for Linux");
    for tool in ["clang", "clang++", "valgrind"] {
        ensure!(on_path(tool), "{tool} is missing: install it (Debian: apt-get install clang valgrind)");
    }
    let mut sources = Vec::new();
    for place in PLACES {
        sources.extend(programs(&root().join(place), &["c", "cpp"])?);
    }

    let (mut runs, mut reports) = (0, 0);
    for tool in TOOLS {
        println!("\n== {}: {}", tool.name, tool.sees);
        let library = library(tool)?;
        for program in &sources {
            let found = try_program(tool, &library, program)?;
            let shown = program.strip_prefix(root()).unwrap_or(program).display();
            println!("{} {shown}", if found.is_none() { "clean " } else { "REPORT" });
            if let Some(text) = found {
                println!("{text}");
                reports += 1;
            }
            runs += 1;
        }
    }
    println!("\n{runs} runs, {reports} with reports");
    Ok(if reports == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds the instrumented library in a separate target directory, so that it does not replace the library of
/// normal builds.
fn library(tool: &Tool) -> Result<PathBuf> {
    let target = target_dir()?.join("sanitize").join(tool.name);
    let host = rustc(&["--print", "host-tuple"])?;
    let profile = tool.profile.0;
    // If a target is specified, Cargo does not instrument build scripts and macros.
    let mut build = cmd!(
        "cargo rustc --quiet --package netclock --lib --crate-type staticlib --target {host}
        --profile {profile}"
    );
    build.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", tool.rust).env("CARGO_TARGET_DIR", &target);
    ensure!(succeeds(build)?, "building the library with `{}` failed: see above", tool.rust);
    Ok(target.join(host).join(tool.profile.1).join("libnetclock.a"))
}

/// Returns what went wrong, or `None` if the program can be built and runs without findings.
fn try_program(tool: &Tool, library: &Path, source: &Path) -> Result<Option<String>> {
    let program = build(tool, library, source)?;
    let mut run = started_by(tool, &program);
    if source.parent().is_some_and(|dir| dir.ends_with("stress")) {
        run.arg(FRAMES);
    }
    let output = run.output().with_context(|| format!("{} could not be started", program.display()))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let is_clean = output.status.success() && !REPORTS.iter().any(|report| stderr.contains(report));
    Ok((!is_clean).then(|| format!("exited with {}\n{stderr}", output.status)))
}

fn build(tool: &Tool, library: &Path, source: &Path) -> Result<PathBuf> {
    let cpp = source.extension() == Some(OsStr::new("cpp"));
    let (compiler, standard) = if cpp { ("clang++", "c++17") } else { ("clang", "c99") };
    let dir = target_dir()?.join("sanitize").join(tool.name).join("programs");
    fs::create_dir_all(&dir)?;
    let program = dir.join(file_name(source).replace('.', "-"));
    let (object, switches) = (program.with_extension("o"), tool.c);
    run(
        cmd!(
            "{compiler} -std={standard} -O1 -g -fno-omit-frame-pointer {switches...} -Iinclude -c {source}
            -o {object}"
        ),
        "",
    )?;
    let mut link = cmd!("{compiler} {object} {library}");
    if let Some(name) = tool.rusts_runtime {
        link.arg("-Wl,--whole-archive").arg(runtime(name)?);
        // The sanitizer's runtime is written in C++.
        link.args(["-Wl,--no-whole-archive", "-Wl,--export-dynamic", "-lstdc++"]);
    } else {
        link.args(switches);
    }
    link.args(["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc", "-o"]).arg(&program);
    run(link, "")?;
    Ok(program)
}

fn started_by(tool: &Tool, program: &Path) -> Command {
    let mut run = Command::new(tool.valgrind.map_or(program, |_| Path::new("valgrind")));
    if let Some(options) = tool.valgrind {
        run.args(VALGRIND).args(options);
        run.arg(format!("--suppressions={}", root().join(SUPPRESSED).display())).arg(program);
    }
    run.current_dir(program.parent().unwrap_or(Path::new("."))).envs(OPTIONS);
    run
}

fn runtime(name: &str) -> Result<PathBuf> {
    let lib = PathBuf::from(rustc(&["--print", "target-libdir"])?);
    let ending = format!("_rt.{name}.a");
    let mut files = listed(&lib)?.into_iter();
    files
        .find(|file| file.to_string_lossy().ends_with(&ending))
        .with_context(|| format!("no {ending} in {}: install Rust with rustup", lib.display()))
}

fn rustc(arguments: &[&str]) -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Ok(run(cmd!("{rustc} {arguments...}"), "")?.trim().to_owned())
}
