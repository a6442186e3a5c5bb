//! The table of builds: each platform, its Rust targets, and its linker.
//!
//! A platform is listed only if its libraries pass their checks. If a machine or an emulator is available,
//! its archive must have been used, too.

use anyhow::{Result, bail};

use crate::library::Platform as Names;

/// The oldest supported glibc.
pub(super) const OLDEST_GLIBC: &str = "2.17";
/// The oldest supported macOS, which is the first one for Arm.
pub(super) const OLDEST_MACOS: &str = "11.0";
/// The oldest supported iOS; 14 is the first whose simulator runs on Arm.
pub(super) const OLDEST_IOS: &str = "14.0";

/// The system, which determines the file formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    Windows,
    MacOs,
    Ios,
    Android,
}

/// The linker of the shared library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linker {
    /// zig's C compiler, which includes every glibc version.
    Zig,
    /// LLVM's linker, with zig's list of macOS symbols.
    Ld64,
    /// The C compiler of mingw-w64.
    Mingw,
}

/// A kind of machine.
#[derive(Debug)]
pub(super) struct Target {
    /// Its name in Rust.
    pub(super) rust: &'static str,
    /// Its name in zig.
    pub(super) zig: &'static str,
}

/// A shipped static library.
pub(super) struct Slice {
    /// The machines that it is for. If there are several, the file is universal.
    pub(super) targets: &'static [Target],
    /// Its path in an archive for C and C++, if it is included.
    pub(super) sdk: Option<&'static str>,
    /// Its directory in the plugin, below `lib`, if it is included.
    pub(super) unreal: Option<&'static str>,
}

/// The platform of one archive of libraries.
pub(super) struct Platform {
    /// The name in archives and for `--only`.
    pub(super) name: &'static str,
    pub(super) system: System,
    pub(super) slices: &'static [Slice],
    /// The linker for the shared library, from the first slice. Phones have none.
    pub(super) linker: Option<Linker>,
    /// Its directory in the plugin, below `lib`.
    pub(super) unreal: &'static str,
}

const fn platform(
    name: &'static str,
    system: System,
    linker: Option<Linker>,
    unreal: &'static str,
    slices: &'static [Slice],
) -> Platform {
    Platform { name, system, slices, linker, unreal }
}

/// A machine, with its names in Rust and zig.
const fn on(rust: &'static str, zig: &'static str) -> Target {
    Target { rust, zig }
}

/// The static library of a platform whose plugin uses the shared one.
const fn desktop(targets: &'static [Target]) -> Slice {
    Slice { targets, sdk: Some("lib/libnetclock.a"), unreal: None }
}

/// The static library for a game in a single file, with its places in the archive and in the plugin.
const fn phone(targets: &'static [Target], sdk: &'static str, unreal: &'static str) -> Slice {
    Slice { targets, sdk: Some(sdk), unreal: Some(unreal) }
}

const LINUX: &[Slice] = &[desktop(&[on("x86_64-unknown-linux-gnu", "x86_64-linux-gnu")])];
const LINUX_ARM: &[Slice] = &[desktop(&[on("aarch64-unknown-linux-gnu", "aarch64-linux-gnu")])];
/// A static library for Windows would be of use only to mingw-w64.
const WINDOWS: &[Slice] =
    &[Slice { targets: &[on("x86_64-pc-windows-gnu", "x86_64-windows-gnu")], sdk: None, unreal: None }];
const MACOS: &[Slice] =
    &[desktop(&[on("x86_64-apple-darwin", "x86_64-macos"), on("aarch64-apple-darwin", "aarch64-macos")])];
const IOS: &[Slice] = &[
    phone(&[on("aarch64-apple-ios", "aarch64-ios")], "NetClock.xcframework/ios-arm64/libnetclock.a", "IOS"),
    phone(
        &[
            on("x86_64-apple-ios", "x86_64-ios-simulator"),
            on("aarch64-apple-ios-sim", "aarch64-ios-simulator"),
        ],
        "NetClock.xcframework/ios-arm64_x86_64-simulator/libnetclock.a",
        "IOSSimulator",
    ),
];
const ANDROID: &[Slice] = &[
    phone(
        &[on("aarch64-linux-android", "aarch64-linux-android")],
        "lib/arm64-v8a/libnetclock.a",
        "Android/arm64-v8a",
    ),
    phone(
        &[on("x86_64-linux-android", "x86_64-linux-android")],
        "lib/x86_64/libnetclock.a",
        "Android/x86_64",
    ),
];

pub(super) const PLATFORMS: &[Platform] = &[
    platform("linux-x64", System::Linux, Some(Linker::Zig), "Linux", LINUX),
    platform("linux-arm64", System::Linux, Some(Linker::Zig), "LinuxArm64", LINUX_ARM),
    platform("windows-x64", System::Windows, Some(Linker::Mingw), "Win64", WINDOWS),
    platform("macos", System::MacOs, Some(Linker::Ld64), "Mac", MACOS),
    platform("ios", System::Ios, None, "IOS", IOS),
    platform("android", System::Android, None, "Android", ANDROID),
];

impl Platform {
    /// The names of its files, if it has a shared library.
    pub(super) fn names(&self, abi: u32) -> Option<Names> {
        match self.system {
            System::Linux => Some(Names::elf(abi)),
            System::Windows => Some(Names::windows(true)),
            System::MacOs => Some(Names::apple(abi)),
            System::Ios | System::Android => None,
        }
    }

    pub(super) fn targets(&self) -> impl Iterator<Item = &'static Target> {
        self.slices.iter().flat_map(|slice| slice.targets)
    }

    /// Whether this machine runs its programs directly.
    pub(super) fn is_this_machine(&self) -> bool {
        cfg!(target_os = "linux")
            && self.system == System::Linux
            && self.targets().any(|target| target.rust.starts_with(std::env::consts::ARCH))
    }
}

/// All platforms, or those with these names.
pub(super) fn chosen(names: &[String]) -> Result<Vec<&'static Platform>> {
    let all: Vec<&str> = PLATFORMS.iter().map(|platform| platform.name).collect();
    if let Some(unknown) = names.iter().find(|name| !all.contains(&name.as_str())) {
        bail!("there is no platform {unknown}: choose from {}", all.join(", "));
    }
    Ok(PLATFORMS
        .iter()
        .filter(|platform| names.is_empty() || names.iter().any(|name| name == platform.name))
        .collect())
}
