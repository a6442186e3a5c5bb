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

pub(super) const PLATFORMS: &[Platform] = &[
    Platform {
        name: "linux-x64",
        system: System::Linux,
        slices: &[Slice {
            targets: &[Target { rust: "x86_64-unknown-linux-gnu", zig: "x86_64-linux-gnu" }],
            sdk: Some("lib/libnetclock.a"),
            unreal: None,
        }],
        linker: Some(Linker::Zig),
        unreal: "Linux",
    },
    Platform {
        name: "linux-arm64",
        system: System::Linux,
        slices: &[Slice {
            targets: &[Target { rust: "aarch64-unknown-linux-gnu", zig: "aarch64-linux-gnu" }],
            sdk: Some("lib/libnetclock.a"),
            unreal: None,
        }],
        linker: Some(Linker::Zig),
        unreal: "LinuxArm64",
    },
    Platform {
        name: "windows-x64",
        system: System::Windows,
        slices: &[Slice {
            targets: &[Target { rust: "x86_64-pc-windows-gnu", zig: "x86_64-windows-gnu" }],
            // It would serve mingw-w64 alone.
            sdk: None,
            unreal: None,
        }],
        linker: Some(Linker::Mingw),
        unreal: "Win64",
    },
    Platform {
        name: "macos",
        system: System::MacOs,
        slices: &[Slice {
            targets: &[
                Target { rust: "x86_64-apple-darwin", zig: "x86_64-macos" },
                Target { rust: "aarch64-apple-darwin", zig: "aarch64-macos" },
            ],
            sdk: Some("lib/libnetclock.a"),
            unreal: None,
        }],
        linker: Some(Linker::Ld64),
        unreal: "Mac",
    },
    Platform {
        name: "ios",
        system: System::Ios,
        slices: &[
            Slice {
                targets: &[Target { rust: "aarch64-apple-ios", zig: "aarch64-ios" }],
                sdk: Some("NetClock.xcframework/ios-arm64/libnetclock.a"),
                unreal: Some("IOS"),
            },
            Slice {
                targets: &[
                    Target { rust: "x86_64-apple-ios", zig: "x86_64-ios-simulator" },
                    Target { rust: "aarch64-apple-ios-sim", zig: "aarch64-ios-simulator" },
                ],
                sdk: Some("NetClock.xcframework/ios-arm64_x86_64-simulator/libnetclock.a"),
                unreal: Some("IOSSimulator"),
            },
        ],
        linker: None,
        unreal: "IOS",
    },
    Platform {
        name: "android",
        system: System::Android,
        slices: &[
            Slice {
                targets: &[Target { rust: "aarch64-linux-android", zig: "aarch64-linux-android" }],
                sdk: Some("lib/arm64-v8a/libnetclock.a"),
                unreal: Some("Android/arm64-v8a"),
            },
            Slice {
                targets: &[Target { rust: "x86_64-linux-android", zig: "x86_64-linux-android" }],
                sdk: Some("lib/x86_64/libnetclock.a"),
                unreal: Some("Android/x86_64"),
            },
        ],
        linker: None,
        unreal: "Android",
    },
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

    /// The plugin's directories for it, below `lib`.
    pub(super) fn unreals(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.unreal).chain(self.slices.iter().filter_map(|slice| slice.unreal))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_target_is_there_once() {
        let mut names: Vec<&str> = PLATFORMS.iter().map(|platform| platform.name).collect();
        names.extend(PLATFORMS.iter().map(|platform| platform.unreal));
        names.extend(PLATFORMS.iter().flat_map(Platform::targets).map(|target| target.rust));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn what_has_no_shared_library_gives_the_plugin_its_static_ones() {
        for platform in PLATFORMS {
            let places: Vec<&str> = platform.slices.iter().filter_map(|slice| slice.unreal).collect();
            assert_eq!(platform.linker.is_some(), platform.names(1).is_some(), "{}", platform.name);
            assert_eq!(platform.linker.is_none(), places.len() == platform.slices.len(), "{}", platform.name);
            assert!(places.iter().all(|place| place.starts_with(platform.unreal)), "{places:?}");
        }
    }

    #[test]
    fn takes_the_named_ones_in_the_order_of_the_table() {
        let named = ["linux-arm64", "linux-x64"].map(str::to_owned);
        let platforms = chosen(&named).expect("both are there");
        assert_eq!(platforms.iter().map(|it| it.name).collect::<Vec<_>>(), ["linux-x64", "linux-arm64"]);
        assert_eq!(chosen(&[]).expect("no name is wrong").len(), PLATFORMS.len());
        let refusal = chosen(&["amiga".to_owned()]).err().expect("it is not built for that");
        assert!(refusal.to_string().contains("linux-x64"), "{refusal}");
    }
}
