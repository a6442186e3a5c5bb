//! Says `cfg(loom)` for this package alone: said to all, as `RUSTFLAGS` do, it would build every dependency
//! again.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=loom");
}
