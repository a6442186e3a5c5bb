//! The library from C, C++, C# and Python: its exports, its headers, and programs that use it.

mod abi;
mod csharp;
mod ctypes;
mod examples;
mod header;
mod programs;
mod stack;

#[path = "../support/compiler.rs"]
mod compiler;
#[path = "../support/library.rs"]
mod library;
#[path = "../support/parallel.rs"]
mod parallel;
#[path = "../support/tools.rs"]
mod tools;
