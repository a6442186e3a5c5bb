//! Runs NetClock's development tasks as subcommands of `cargo xtask`.
//!
//! With Rust and a C/C++ compiler, all tasks run on Linux, Windows and macOS. A task that needs more tools
//! lists those that are missing. This package must not have integration tests, because Cargo would then
//! replace the running `xtask`. Windows does not allow this.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod abi;
mod bindings;
mod blocks;
mod book;
mod cargo;
mod command;
mod dist;
mod faults;
mod fuzz;
mod library;
mod links;
mod lint;
mod outside;
mod pictures;
mod plugin;
mod programs;
mod release;
mod sanitize;
mod size;
mod step;
mod test;
mod tree;

use abi::{Abi, HEADERS, Item, Kind, Room, Signature, Type, Variable, abi, abi_version, headers};
use bindings::header;
use blocks::blocks;
use cargo::{built, file_name, filenames, listed, messages, programs, read, root, target_dir, write};
use command::skip;
use library::{Built, Platform, VERSION};

/// NetClock's development tasks.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run all tests of the workspace, including the C programs and the documentation's examples
    Test {
        /// Run only unit tests
        #[arg(long)]
        quick: bool,
    },
    /// Check format, clippy and documentation; any warning is an error
    Lint,
    /// Run the C and C++ programs under sanitizers and valgrind (Linux; needs clang and valgrind)
    Sanitize,
    /// Introduce mistakes into the code of both guarantees, and fail if the tests miss one (minutes)
    Faults {
        /// Only mistakes whose names or files contain this
        #[arg(default_value = "")]
        only: String,
    },
    /// Run the fuzz targets (needs cargo-fuzz)
    Fuzz {
        /// A single target, such as wire, client or abi (default: each in turn)
        #[arg(long)]
        target: Option<String>,
        /// Duration of each target in seconds
        #[arg(long, default_value_t = 60)]
        seconds: u32,
    },
    /// Write the C and C++ headers in include/netclock from src/ffi
    Header {
        /// Write nothing, but fail if the committed headers are out of date
        #[arg(long)]
        check: bool,
    },
    /// Build the library for this machine and install it with the Unreal plugin into an Unreal project
    Plugin(plugin::Options),
    /// Build, check and pack all published files (the Unreal plugin and the libraries for C and C++), or
    /// install the libraries for this machine, with headers, pkg-config and CMake files, into a directory
    Dist(dist::Options),
    /// Build the documentation as a website, below the target directory (needs mdbook)
    Book,
    /// Check whether a version can be published
    Release(release::Options),
    /// Run the plugin's worlds as games ship them, and for Windows under Wine (needs mingw-w64, llvm, lld and
    /// wine)
    Unreal,
    /// Run the clock in third-party programs and compare it with theirs (minutes; needs Panda3D)
    Outside(outside::Options),
    /// Print the sizes of the shared library and of a handle; fail if a limit is exceeded
    Size,
    /// Write the documentation's tables and code blocks
    Tables,
    /// Draw the documentation's pictures by running the workbench (needs chromium)
    Pictures,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().chore {
        Chore::Test { quick } => test::test(quick),
        Chore::Lint => lint::lint(),
        Chore::Sanitize => sanitize::sanitize(),
        Chore::Faults { only } => faults::faults(&only),
        Chore::Fuzz { target, seconds } => fuzz::fuzz(target.as_deref(), seconds),
        Chore::Header { check } => header(check),
        Chore::Plugin(options) => plugin::plugin(&options),
        Chore::Dist(options) => dist::dist(&options),
        Chore::Book => book::book(),
        Chore::Release(options) => release::release(&options),
        Chore::Unreal => test::unreal(),
        Chore::Outside(options) => outside::outside(&options),
        Chore::Size => size::size(),
        Chore::Tables => test::tables(),
        Chore::Pictures => pictures::pictures(),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
