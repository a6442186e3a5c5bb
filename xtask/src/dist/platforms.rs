//! The table of what is built: each platform, its Rust targets, and how its shared library is linked.
//!
//! A platform stands here only if its libraries pass their checks, and its archive was used where a machine
//! or an emulator for it is at hand.

use anyhow::{Result, bail};

use crate::library::Platform as Names;

/// The oldest glibc that a Linux library may ask for.
pub(super) const OLDEST_GLIBC: &str = "2.17";
/// The oldest macOS: the first for Arm.
pub(super) const OLDEST_MACOS: &str = "11.0";
/// The oldest iOS; the first whose simulator runs on Arm is 14.
pub(super) const OLDEST_IOS: &str = "14.0";

/// What decides about the formats of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    Windows,
    MacOs,
    Ios,
    Android,
}

/// What makes a shared library out of the static one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linker {
    /// zig's C compiler, which has the glibc of every version.
    Zig,
    /// LLVM's linker, with zig's list of what macOS has.
    Ld64,
    /// The C compiler of mingw-w64.
    Mingw,
}

/// A kind of machine.
#[derive(Debug)]
pub(super) struct Target {
    /// Rust's name.
    pub(super) rust: &'static str,
    /// zig's name.
    pub(super) zig: &'static str,
}

/// A static library as it is shipped.
pub(super) struct Slice {
    /// The machines that it serves; for more than one it is a universal file.
    pub(super) targets: &'static [Target],
    /// Its path in an archive for C and C++, if that has it.
    pub(super) sdk: Option<&'static str>,
    /// The plugin's directory for it, below `lib`, if the plugin has it.
    pub(super) unreal: Option<&'static str>,
}

/// What one archive of libraries is for.
pub(super) struct Platform {
    /// In the names of archives, and for `--only`.
    pub(super) name: &'static str,
    pub(super) system: System,
    pub(super) slices: &'static [Slice],
    /// Makes the shared library out of the first slice. Phones have none.
    pub(super) linker: Option<Linker>,
    /// The plugin's directory for it, below `lib`.
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

/// A machine, by Rust's name and by zig's.
const fn on(rust: &'static str, zig: &'static str) -> Target {
    Target { rust, zig }
}

/// The static library of a platform whose plugin takes the shared one.
const fn desktop(targets: &'static [Target]) -> Slice {
    Slice { targets, sdk: Some("lib/libnetclock.a"), unreal: None }
}

/// The static library for a game that is one file, at its places in the archive and in the plugin.
const fn phone(targets: &'static [Target], sdk: &'static str, unreal: &'static str) -> Slice {
    Slice { targets, sdk: Some(sdk), unreal: Some(unreal) }
}

const LINUX: &[Slice] = &[desktop(&[on("x86_64-unknown-linux-gnu", "x86_64-linux-gnu")])];
const LINUX_ARM: &[Slice] = &[desktop(&[on("aarch64-unknown-linux-gnu", "aarch64-linux-gnu")])];
/// Its static library would serve mingw-w64 alone.
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

    /// Whether this machine runs its programs without help.
    pub(super) fn is_this_machine(&self) -> bool {
        cfg!(target_os = "linux")
            && self.system == System::Linux
            && self.targets().any(|target| target.rust.starts_with(std::env::consts::ARCH))
    }
}

/// All of them, or those of these names.
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
