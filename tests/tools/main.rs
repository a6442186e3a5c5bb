//! What helps others: an installation for C and C++, the plugin in a project, the hook for commit messages.

mod hook;
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
