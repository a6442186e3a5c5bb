//! Lists the platforms and their Rust targets. A platform may be listed if its libraries pass all checks and
//! its archive has been tested. No test is required if there is no machine or emulator for the platform.

use anyhow::{Result, bail};

use crate::Platform as Names;

pub(super) const OLDEST_GLIBC: &str = "2.17";
/// The first version of macOS that supports Arm.
pub(super) const OLDEST_MACOS: &str = "11.0";
/// The first version of iOS whose simulator supports Arm.
pub(super) const OLDEST_IOS: &str = "14.0";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    Windows,
    MacOs,
    Ios,
    Android,
}

pub(super) struct Slice {
    /// If there are several targets, they are joined into a universal binary.
    pub(super) targets: &'static [&'static str],
    /// The path in the archive for C and C++, or `None` if that archive does not include the library.
    pub(super) sdk: Option<&'static str>,
    /// The directory below the plugin's `lib`, or `None` if the plugin does not include the library.
    pub(super) unreal: Option<&'static str>,
}

pub(super) struct Platform {
    /// The name in `--only` and in the names of archives.
    pub(super) name: &'static str,
    pub(super) system: System,
    /// If there is a shared library, it is linked from the first slice.
    pub(super) slices: &'static [Slice],
    pub(super) unreal: &'static str,
}

/// On these platforms, the plugin uses the shared library.
const fn desktop(targets: &'static [&'static str]) -> Slice {
    Slice { targets, sdk: Some("lib/libnetclock.a"), unreal: None }
}

/// On these platforms, a game is a single file.
const fn phone(targets: &'static [&'static str], sdk: &'static str, unreal: &'static str) -> Slice {
    Slice { targets, sdk: Some(sdk), unreal: Some(unreal) }
}

const fn platform(
    name: &'static str,
    system: System,
    unreal: &'static str,
    slices: &'static [Slice],
) -> Platform {
    Platform { name, system, unreal, slices }
}

pub(super) const PLATFORMS: &[Platform] = &[
    platform("linux-x64", System::Linux, "Linux", &[desktop(&["x86_64-unknown-linux-gnu"])]),
    platform("linux-arm64", System::Linux, "LinuxArm64", &[desktop(&["aarch64-unknown-linux-gnu"])]),
    // Windows gets no static library, because it would work only with mingw-w64.
    platform(
        "windows-x64",
        System::Windows,
        "Win64",
        &[Slice { targets: &["x86_64-pc-windows-gnu"], sdk: None, unreal: None }],
    ),
    platform("macos", System::MacOs, "Mac", &[desktop(&["x86_64-apple-darwin", "aarch64-apple-darwin"])]),
    platform(
        "ios",
        System::Ios,
        "IOS",
        &[
            phone(&["aarch64-apple-ios"], "NetClock.xcframework/ios-arm64/libnetclock.a", "IOS"),
            phone(
                &["x86_64-apple-ios", "aarch64-apple-ios-sim"],
                "NetClock.xcframework/ios-arm64_x86_64-simulator/libnetclock.a",
                "IOSSimulator",
            ),
        ],
    ),
    platform(
        "android",
        System::Android,
        "Android",
        &[
            phone(&["aarch64-linux-android"], "lib/arm64-v8a/libnetclock.a", "Android/arm64-v8a"),
            phone(&["x86_64-linux-android"], "lib/x86_64/libnetclock.a", "Android/x86_64"),
        ],
    ),
];

pub(super) fn zigs_name(target: &str) -> String {
    format!("{}.{OLDEST_GLIBC}", target.replace("-unknown", ""))
}

impl Platform {
    pub(super) fn names(&self, abi: u32) -> Option<Names> {
        match self.system {
            System::Linux => Some(Names::elf(abi)),
            System::Windows => Some(Names::windows(true)),
            System::MacOs => Some(Names::apple(abi)),
            System::Ios | System::Android => None,
        }
    }

    pub(super) fn targets(&self) -> impl Iterator<Item = &'static str> {
        self.slices.iter().flat_map(|slice| slice.targets).copied()
    }

    /// For macOS, zig only provides the list of the system's symbols.
    pub(super) fn is_linked_by_zig(&self) -> bool {
        matches!(self.system, System::Linux | System::MacOs)
    }

    pub(super) fn is_this_machine(&self) -> bool {
        cfg!(target_os = "linux")
            && self.system == System::Linux
            && self.targets().any(|target| target.starts_with(std::env::consts::ARCH))
    }
}

pub(super) fn chosen(names: &[String]) -> Result<Vec<&'static Platform>> {
    let all: Vec<&str> = PLATFORMS.iter().map(|platform| platform.name).collect();
    if let Some(unknown) = names.iter().find(|name| !all.contains(&name.as_str())) {
        bail!("unknown platform {unknown}: choose from {}", all.join(", "));
    }
    Ok(PLATFORMS
        .iter()
        .filter(|platform| names.is_empty() || names.iter().any(|name| name == platform.name))
        .collect())
}
