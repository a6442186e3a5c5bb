//! Sets `cfg(loom)` only for this package. `RUSTFLAGS` would set the flag for all dependencies and rebuild
//! them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=loom");
}
