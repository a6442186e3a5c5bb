//! Sets `cfg(loom)` for this package only, because `RUSTFLAGS` would set it for all and rebuild every
//! dependency.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=loom");
}
