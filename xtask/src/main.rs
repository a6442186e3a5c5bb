//! NetClock's chores, each a subcommand of `cargo xtask`.
//!
//! They need only Rust and a C/C++ compiler, on Linux, Windows and macOS. `sanitize` and `fuzz` need more
//! tools and name them. This package must have no integration tests: Cargo would have to replace the running
//! `xtask`, which Windows refuses.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod abi;
mod bindings;
mod blocks;
mod book;
mod cargo;
mod command;
mod destination;
mod dist;
mod faults;
mod fresh;
mod fuzz;
mod header;
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
mod tables;
mod test;
mod unreal;

/// NetClock's chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run every test of the workspace, including the C programs and the documentation's examples
    Test {
        /// Run unit tests only
        #[arg(long)]
        quick: bool,
    },
    /// Check the format, clippy and the documentation; any warning fails
    Lint,
    /// Run the C and C++ programs under the sanitizers and valgrind (Linux; needs clang and valgrind)
    Sanitize,
    /// Run the README's two commands on a minimal Debian system without a network (minutes; needs root and
    /// debootstrap)
    Fresh(fresh::Options),
    /// Make mistakes on purpose in the code of both promises, and fail if the tests miss one (minutes)
    Faults {
        /// Only those with this in their name
        #[arg(default_value = "")]
        only: String,
    },
    /// Run the fuzz targets (needs cargo-fuzz)
    Fuzz {
        /// One target, such as wire, client or abi; without it, each in turn
        #[arg(long)]
        target: Option<String>,
        /// How long each target runs
        #[arg(long, default_value_t = 60)]
        seconds: u32,
        /// Afterwards write the smallest corpus of equal coverage beside the build
        #[arg(long)]
        minimize: bool,
    },
    /// Write the C headers in include/netclock from src/ffi, and the types of the C++ headers from them
    Header {
        /// Write nothing; fail when the committed headers are not up to date
        #[arg(long)]
        check: bool,
    },
    /// Build the library for this machine and put it, with the Unreal plugin, into an Unreal project
    Plugin(plugin::Options),
    /// Build, check and pack everything that is published: the Unreal plugin, libraries for C and C++; or put
    /// the libraries for this machine, with headers, pkg-config and CMake files, into a directory
    Dist(dist::Options),
    /// Make a site of the documentation, below the target directory (needs mdbook)
    Book,
    /// Check that a version can be published
    Release(release::Options),
    /// Run the plugin's worlds as games ship them, and on Windows under wine (needs mingw-w64, llvm, lld and
    /// wine)
    Unreal,
    /// Run the clock in programs that others wrote, beside their own clocks (minutes; needs Panda3D)
    Outside(outside::Options),
    /// Print the size of the shared library and of a handle; fail when the library exceeds its limit
    Size,
    /// Write the tables and the code blocks of the documentation
    Tables,
    /// Draw the pictures of the documentation from runs of the workbench (needs chromium)
    Pictures,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().chore {
        Chore::Test { quick } => test::test(quick),
        Chore::Lint => lint::lint(),
        Chore::Sanitize => sanitize::sanitize(),
        Chore::Fresh(options) => fresh::fresh(&options),
        Chore::Faults { only } => faults::faults(&only),
        Chore::Fuzz { target, seconds, minimize } => fuzz::fuzz(target.as_deref(), seconds, minimize),
        Chore::Header { check } => header::header(check),
        Chore::Plugin(options) => plugin::plugin(&options),
        Chore::Dist(options) => dist::dist(&options),
        Chore::Book => book::book(),
        Chore::Release(options) => release::release(&options),
        Chore::Unreal => unreal::unreal(),
        Chore::Outside(options) => outside::outside(&options),
        Chore::Size => size::size(),
        Chore::Tables => tables::tables(),
        Chore::Pictures => pictures::pictures(),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
