//! The table of what is built: each platform, its Rust targets, and how its libraries are linked.

use anyhow::{Result, bail};

use crate::library::Platform as Names;

/// The oldest glibc that a Linux library may ask for.
pub(super) const OLDEST_GLIBC: &str = "2.17";

/// What decides about the formats of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    Windows,
    Mac,
    Ios,
    Android,
}

/// What makes a shared library out of the static one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linker {
    /// zig's C compiler, which has the glibc of every version; with its name for the target.
    Zig(&'static str),
    /// The C compiler of mingw-w64.
    Mingw,
    /// LLVM's linker for Apple's systems; with its name for the processor.
    Lld(&'static str),
    /// Only the static library is shipped, which needs no linker.
    None,
}

pub(super) struct Target {
    /// Rust's name.
    pub(super) rust: &'static str,
    pub(super) linker: Linker,
}

/// What one archive of libraries is for. The files of several targets are joined.
pub(super) struct Platform {
    /// In the names of archives, and for `--only`.
    pub(super) name: &'static str,
    pub(super) system: System,
    pub(super) targets: &'static [Target],
    /// Whether programs are given the static library too.
    pub(super) ships_archive: bool,
    /// The plugin's directory for it, below `lib`.
    pub(super) unreal: &'static str,
    /// The oldest version of Apple's system.
    pub(super) minimum: &'static str,
}

const fn zig(rust: &'static str, zig: &'static str) -> Target {
    Target { rust, linker: Linker::Zig(zig) }
}

const fn archive_of(rust: &'static str) -> Target {
    Target { rust, linker: Linker::None }
}

pub(super) const PLATFORMS: &[Platform] = &[
    Platform {
        name: "linux-x64",
        system: System::Linux,
        targets: &[zig("x86_64-unknown-linux-gnu", "x86_64-linux-gnu")],
        ships_archive: true,
        unreal: "Linux",
        minimum: "",
    },
    Platform {
        name: "linux-arm64",
        system: System::Linux,
        targets: &[zig("aarch64-unknown-linux-gnu", "aarch64-linux-gnu")],
        ships_archive: true,
        unreal: "LinuxArm64",
        minimum: "",
    },
    Platform {
        name: "windows-x64",
        system: System::Windows,
        targets: &[Target { rust: "x86_64-pc-windows-gnu", linker: Linker::Mingw }],
        ships_archive: false,
        unreal: "Win64",
        minimum: "",
    },
    Platform {
        name: "macos",
        system: System::Mac,
        targets: &[
            Target { rust: "x86_64-apple-darwin", linker: Linker::Lld("x86_64") },
            Target { rust: "aarch64-apple-darwin", linker: Linker::Lld("arm64") },
        ],
        ships_archive: true,
        unreal: "Mac",
        minimum: "11.0",
    },
    Platform {
        name: "ios",
        system: System::Ios,
        targets: &[archive_of("aarch64-apple-ios")],
        ships_archive: true,
        unreal: "IOS",
        minimum: "13.0",
    },
    Platform {
        name: "ios-simulator",
        system: System::Ios,
        targets: &[archive_of("aarch64-apple-ios-sim"), archive_of("x86_64-apple-ios")],
        ships_archive: true,
        unreal: "IOSSimulator",
        minimum: "13.0",
    },
    Platform {
        name: "android-arm64",
        system: System::Android,
        targets: &[archive_of("aarch64-linux-android")],
        ships_archive: true,
        unreal: "Android/arm64-v8a",
        minimum: "",
    },
    Platform {
        name: "android-x64",
        system: System::Android,
        targets: &[archive_of("x86_64-linux-android")],
        ships_archive: true,
        unreal: "Android/x86_64",
        minimum: "",
    },
];

impl Platform {
    /// The names of its files.
    pub(super) fn names(&self, abi: u32) -> Names {
        match self.system {
            System::Linux | System::Android => Names::elf(abi),
            System::Windows => Names::windows(true),
            System::Mac | System::Ios => Names::apple(abi),
        }
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
        names.extend(PLATFORMS.iter().flat_map(|platform| platform.targets).map(|target| target.rust));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn takes_the_named_ones_in_the_order_of_the_table() {
        let named = ["macos", "linux-x64"].map(str::to_owned);
        let platforms = chosen(&named).expect("both are there");
        assert_eq!(platforms.iter().map(|it| it.name).collect::<Vec<_>>(), ["linux-x64", "macos"]);
        assert_eq!(chosen(&[]).expect("no name is wrong").len(), PLATFORMS.len());
        let refusal = chosen(&["amiga".to_owned()]).err().expect("it is not built for that");
        assert!(refusal.to_string().contains("windows-x64"), "{refusal}");
    }
}
