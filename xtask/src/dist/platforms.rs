//! The table of what is built: each platform, its Rust target, and how its shared library is linked.
//!
//! A platform stands here only if its libraries pass their checks and its archive was used. Next come macOS (one file for
//! both processors, signed), then iOS and Android, which take the static library.

use anyhow::{Result, bail};

use crate::library::Platform as Names;

/// The oldest glibc that a Linux library may ask for.
pub(super) const OLDEST_GLIBC: &str = "2.17";

/// What decides about the formats of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    Windows,
}

/// What makes a shared library out of the static one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linker {
    /// zig's C compiler, which has the glibc of every version; with its name for the target.
    Zig(&'static str),
    /// The C compiler of mingw-w64.
    Mingw,
}

/// What one archive of libraries is for.
pub(super) struct Platform {
    /// In the names of archives, and for `--only`.
    pub(super) name: &'static str,
    pub(super) system: System,
    /// Rust's name.
    pub(super) rust: &'static str,
    pub(super) linker: Linker,
    /// The plugin's directory for it, below `lib`.
    pub(super) unreal: &'static str,
}

pub(super) const PLATFORMS: &[Platform] = &[
    Platform {
        name: "linux-x64",
        system: System::Linux,
        rust: "x86_64-unknown-linux-gnu",
        linker: Linker::Zig("x86_64-linux-gnu"),
        unreal: "Linux",
    },
    Platform {
        name: "linux-arm64",
        system: System::Linux,
        rust: "aarch64-unknown-linux-gnu",
        linker: Linker::Zig("aarch64-linux-gnu"),
        unreal: "LinuxArm64",
    },
    Platform {
        name: "windows-x64",
        system: System::Windows,
        rust: "x86_64-pc-windows-gnu",
        linker: Linker::Mingw,
        unreal: "Win64",
    },
];

impl Platform {
    /// The names of its files.
    pub(super) fn names(&self, abi: u32) -> Names {
        match self.system {
            System::Linux => Names::elf(abi),
            System::Windows => Names::windows(true),
        }
    }

    /// Whether programs get the static library too. That for Windows would serve mingw-w64 alone.
    pub(super) fn ships_archive(&self) -> bool {
        self.system == System::Linux
    }

    /// Whether this machine runs its programs without help.
    pub(super) fn is_this_machine(&self) -> bool {
        cfg!(target_os = "linux")
            && self.system == System::Linux
            && self.rust.starts_with(std::env::consts::ARCH)
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
        names.extend(PLATFORMS.iter().map(|platform| platform.rust));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
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
