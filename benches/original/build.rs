//! Compiles the original with optimisation in every profile. Without a C++ compiler only the benches that
//! compare with it are left out.

const SOURCE: &str = "original.cpp";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SOURCE}");
    println!("cargo::rustc-check-cfg=cfg(without_cpp)");

    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").opt_level(2).debug(false).file(SOURCE);
    if let Err(error) = build.try_compile("netclock_original") {
        println!("cargo::warning=no comparison with the original in C++: {error}");
        println!("cargo::rustc-cfg=without_cpp");
    }
}
