//! Sets `cfg(loom)` for this package only. `RUSTFLAGS` would set it for every dependency and rebuild all.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=loom");
}
