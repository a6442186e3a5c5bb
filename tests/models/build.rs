//! Sets `cfg(loom)` for this package alone: set for all, as by `RUSTFLAGS`, it would rebuild every
//! dependency.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=loom");
}
