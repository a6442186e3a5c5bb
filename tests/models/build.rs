//! Sets `cfg(loom)` for this package alone. `RUSTFLAGS` would set it for all dependencies and rebuild them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=loom");
}
