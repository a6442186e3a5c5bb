//! Compiles the original clock with optimisations in every profile.

const SOURCE: &str = "original.cpp";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SOURCE}");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .opt_level(2)
        .debug(false)
        .file(SOURCE)
        .compile("netclock_original");
}
