//! The name of the shared library at run time.

use std::env;
use std::error::Error;

use crate::sources::Sources;

/// Writes into the shared library the name by which programs ask for it at run time. It ends with the version
/// of the ABI, so that the loader already refuses a library that `netclock_abi_version` would expose.
pub(crate) fn name_shared_library(sources: &Sources) -> Result<(), Box<dyn Error>> {
    let version = abi_version(sources).ok_or("no constant NETCLOCK_ABI_VERSION")?;
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
    Ok(())
}

/// The number in `pub const NETCLOCK_ABI_VERSION: u32 = 1;`.
fn abi_version(sources: &Sources) -> Option<u32> {
    sources.0.iter().find_map(|source| {
        let (_, rest) = source.text.split_once("pub const NETCLOCK_ABI_VERSION: u32 = ")?;
        rest.split_once(';')?.0.parse().ok()
    })
}
