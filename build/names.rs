use std::env;

/// Sets the name by which the loader finds the shared library. Because this name ends with the ABI version,
/// the loader rejects every library that a check of `netclock_abi_version` would reject.
pub(crate) fn name_shared_library(version: u32) {
    let target = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    let name = if target("FAMILY") != "unix" {
        "netclock.dll".to_owned()
    } else if target("VENDOR") == "apple" {
        let name = format!("libnetclock.{version}.dylib");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/{name}");
        name
    } else if target("OS") == "android" {
        // Android only packages libraries whose names end in `.so`.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libnetclock.so");
        "libnetclock.so".to_owned()
    } else {
        let name = format!("libnetclock.so.{version}");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{name}");
        name
    };
    // Tests link programs that load the library by this name.
    println!("cargo::rustc-env=NETCLOCK_RUNTIME_NAME={name}");
}
