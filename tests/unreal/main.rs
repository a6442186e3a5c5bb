//! Tests the Unreal plugin without Unreal, in simulated worlds and by checks of its sources and pages.

mod build;
mod build_rules;
mod descriptor;
mod engine_api;
mod files;
mod first_run;
mod generator;
mod headers;
mod hiding;
mod includes;
mod modules;
mod nodes;
mod null_library;
mod objects;
mod pages;
mod promises;
mod recipes;
mod reference;
mod verdicts;
mod windows;
mod workbench;

#[path = "../support/abi.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod abi;
#[path = "../support/compiler.rs"]
mod compiler;
#[expect(dead_code, reason = "only the archive is linked here")]
#[path = "../support/library.rs"]
mod library;
#[path = "../support/parallel.rs"]
mod parallel;
#[path = "../support/tools.rs"]
mod tools;
