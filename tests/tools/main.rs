//! What helps users and contributors: examples in Rust, installations, the plugin in a project, the order of
//! the rooms.

mod examples;
mod packaging;
mod plugin;
mod rooms;

#[expect(dead_code, reason = "CMake and make find their compilers themselves")]
#[path = "../support/compiler.rs"]
mod compiler;
#[expect(dead_code, reason = "what is installed is built by xtask")]
#[path = "../support/library.rs"]
mod library;
#[path = "../support/tools.rs"]
mod tools;
