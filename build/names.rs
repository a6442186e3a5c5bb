//! The run-time name of the shared library.

use std::env;

/// Writes into the shared library the name by which programs ask for it at run time. It ends with the version
/// of the ABI, so that the loader already refuses a library that `netclock_abi_version` would expose.
pub(crate) fn name_shared_library(version: u32) {
    let target = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    let name = if target("FAMILY") != "unix" {
        "netclock.dll".to_owned()
    } else if target("VENDOR") == "apple" {
        let name = format!("libnetclock.{version}.dylib");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/{name}");
        name
    } else if target("OS") == "android" {
        // Its packages take no file whose name goes on behind `.so`.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libnetclock.so");
        "libnetclock.so".to_owned()
    } else {
        let name = format!("libnetclock.so.{version}");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{name}");
        name
    };
    // For the tests, which run programs that ask for it.
    println!("cargo::rustc-env=NETCLOCK_RUNTIME_NAME={name}");
}
