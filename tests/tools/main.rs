//! What `cargo xtask` makes for others: an installation for C and C++, and the plugin in a project.

mod packaging;
mod plugin;

#[expect(dead_code, reason = "CMake and make find their compilers themselves")]
#[path = "../support/compiler.rs"]
mod compiler;
#[expect(dead_code, reason = "what is installed is built by xtask")]
#[path = "../support/library.rs"]
mod library;
#[path = "../support/tools.rs"]
mod tools;
