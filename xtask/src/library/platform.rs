pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// All paths are relative to the prefix. A file name without a directory means a file in `lib`.
pub(crate) struct Platform {
    pub(crate) built_shared: &'static str,
    pub(crate) shared: String,
    pub(crate) links: Vec<String>,
    /// The runtime name that the library contains, if there is one.
    pub(crate) soname: Option<String>,
    pub(crate) import_library: Option<&'static str>,
    pub(crate) archive: &'static str,
}

impl Platform {
    pub(crate) fn of_this_machine(abi: u32) -> Self {
        if cfg!(windows) {
            Self::windows(cfg!(target_env = "msvc"))
        } else if cfg!(target_vendor = "apple") {
            Self::apple(abi)
        } else {
            Self::elf(abi)
        }
    }

    pub(crate) fn elf(abi: u32) -> Self {
        let soname = format!("libnetclock.so.{abi}");
        Self {
            built_shared: "libnetclock.so",
            shared: format!("lib/{soname}.{VERSION}"),
            links: vec![format!("lib/{soname}"), "lib/libnetclock.so".to_owned()],
            soname: Some(soname),
            import_library: None,
            archive: "libnetclock.a",
        }
    }

    pub(crate) fn apple(abi: u32) -> Self {
        Self {
            built_shared: "libnetclock.dylib",
            shared: format!("lib/libnetclock.{abi}.{VERSION}.dylib"),
            links: vec![format!("lib/libnetclock.{abi}.dylib"), "lib/libnetclock.dylib".to_owned()],
            soname: Some(format!("@rpath/libnetclock.{abi}.dylib")),
            import_library: None,
            archive: "libnetclock.a",
        }
    }

    pub(crate) fn windows(msvc: bool) -> Self {
        Self {
            built_shared: "netclock.dll",
            shared: "bin/netclock.dll".to_owned(),
            links: Vec::new(),
            soname: None,
            import_library: Some(if msvc { "netclock.dll.lib" } else { "libnetclock.dll.a" }),
            archive: if msvc { "netclock.lib" } else { "libnetclock.a" },
        }
    }
}
