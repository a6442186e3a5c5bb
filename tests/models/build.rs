//! Sets `cfg(loom)` for this package alone. Setting it for all packages, as with `RUSTFLAGS`, would rebuild
//! every dependency.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=loom");
}
